//! A game in progress and the engine that looks at it: the board with its
//! history, the clocks, the options, the engine. No input, no output;
//! protocols and the prompt translate to and from it.
//!
//! A search never changes the board: what it recommends is played by
//! whoever asked. The engine's table lives as long as the session, so
//! what one search found helps the next.

mod book;
mod clock;
mod options;
mod ponder;
#[cfg(test)]
mod tests;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use umigame_analysis::{Judgement, judge};
use umigame_book::BookMove;
use umigame_engine::search::{
    Allowance, Bound, Engine, EngineError, EngineOptions, Kind, Level, Limits, Line, Listener,
    Megabytes, Report,
};
use umigame_othello::game::{Record, ReplayError};
use umigame_othello::{Board, Color, Eval, IllegalMove, Move, Position, squares};

pub use book::LearnGameError;
pub use clock::Clock;
pub use options::Options;
use ponder::Awaited;

/// What [`Session::go`] recommends.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// The move; always legal.
    pub best: Move,
    /// What the search said, or `None` where there was nothing to choose
    /// and nothing was searched.
    pub report: Option<Report>,
    /// What the book said, where the move is its own.
    pub book: Option<BookMove>,
    /// From the call to the answer, by the listener's clock.
    pub elapsed: Duration,
}

/// A move that was taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Undone {
    played: Move,
    implied_pass: bool,
}

/// A game in progress and the engine that looks at it.
pub struct Session {
    board: Board,
    /// Plies that are passes nobody spelled out; undone with the next move.
    implied: Vec<usize>,
    undone: Vec<Undone>,
    clocks: [Clock; 2],
    options: Options,
    engine: Engine,
    awaited: Option<Awaited>,
    book: Option<book::InUse>,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("board", &self.board)
            .field("clocks", &self.clocks)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl Session {
    /// A new game with these options.
    pub fn new(engine: Engine, options: Options) -> Session {
        let mut session = Session {
            board: Board::start(),
            implied: Vec::new(),
            undone: Vec::new(),
            clocks: [Clock::Unlimited; 2],
            options,
            engine,
            awaited: None,
            book: None,
        };
        session.new_game();
        session
    }

    /// The game as it stands, with the moves that led to it.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The size of the table and the number of threads.
    pub fn engine_options(&self) -> EngineOptions {
        self.engine.options()
    }

    /// The options in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The clock of a player.
    pub fn clock(&self, color: Color) -> Clock {
        match color {
            Color::Black => self.clocks[0],
            Color::White => self.clocks[1],
        }
    }

    /// The clock of a player, to set.
    pub fn clock_mut(&mut self, color: Color) -> &mut Clock {
        &mut self.clocks[color.index()]
    }

    /// Waits for what the first search would wait for, so that no clock runs
    /// meanwhile.
    pub fn get_ready(&self) {
        self.engine.prepare();
    }

    /// The standard start, an empty history, and the clocks that the options
    /// say. The table is kept: what it knows stays true.
    pub fn new_game(&mut self) {
        self.set_board(Board::start());
        let clock = self.options.game_time.map_or(Clock::Unlimited, Clock::sudden_death);
        self.clocks = [clock; 2];
    }

    /// Another game or position, history included; clocks and table stay.
    pub fn set_board(&mut self, board: Board) {
        self.board = board;
        self.implied.clear();
        self.undone.clear();
        self.board_changed();
    }

    /// The position after a recorded game, with the history, and the clocks
    /// as its moves have left them. A game without clocks gets those of the
    /// options.
    ///
    /// # Errors
    /// The first move that is illegal; game and clocks stay as they were.
    pub fn set_game(&mut self, record: &Record) -> Result<(), ReplayError> {
        let board = record.board()?;
        self.set_board(board);
        for color in Color::ALL {
            *self.clock_mut(color) = match record.player(color).clock {
                Some(clock) => Clock::game(clock.main, clock.increment),
                None => self.options.game_time.map_or(Clock::Unlimited, Clock::sudden_death),
            };
        }
        for (index, turn) in record.turns.iter().enumerate() {
            self.clock_mut(record.mover(index)).spend(turn.time.unwrap_or_default());
        }
        Ok(())
    }

    /// Plays a move of the side to move.
    ///
    /// # Errors
    /// [`IllegalMove`], and nothing has changed.
    pub fn play(&mut self, played: Move) -> Result<(), IllegalMove> {
        self.board.play(played)?;
        self.undone.clear();
        self.board_changed();
        Ok(())
    }

    /// Plays a move that took so long by its player's clock.
    ///
    /// # Errors
    /// [`IllegalMove`], and nothing has changed.
    pub fn play_timed(&mut self, played: Move, time: Duration) -> Result<(), IllegalMove> {
        let side = self.board.side_to_move();
        self.play(played)?;
        self.clock_mut(side).spend(time);
        Ok(())
    }

    /// Gives the move to a colour: nothing where it has it, a pass where the
    /// other has it and must pass. [`Session::undo`] takes such a pass back
    /// together with the move after it.
    ///
    /// # Errors
    /// [`IllegalMove`] where the other colour can move or the game is over.
    pub fn give_turn(&mut self, color: Color) -> Result<(), IllegalMove> {
        if self.board.side_to_move() != color {
            let ply = self.board.plies();
            self.play(Move::Pass)?;
            self.implied.push(ply);
        }
        Ok(())
    }

    /// Plays a move of a colour, after a pass of the other colour where that
    /// one is to move and cannot.
    ///
    /// # Errors
    /// [`IllegalMove`], and nothing has changed.
    pub fn play_as(&mut self, color: Color, played: Move) -> Result<(), IllegalMove> {
        if self.board.side_to_move() == color {
            return self.play(played);
        }
        let mut after = self.board.clone();
        after.pass()?;
        after.play(played)?;
        self.implied.push(self.board.plies());
        self.board = after;
        self.undone.clear();
        self.board_changed();
        Ok(())
    }

    /// Takes the last move back, and a pass that was only implied before it;
    /// `None` at the beginning of the history.
    pub fn undo(&mut self) -> Option<Move> {
        let played = self.board.undo()?;
        let at = self.board.plies();
        // A pass given by `give_turn` and not followed by a move.
        let was_implied = self.implied.pop_if(|ply| *ply == at).is_some();
        let implied_pass =
            !was_implied && at > 0 && self.implied.pop_if(|ply| *ply == at - 1).is_some();
        if implied_pass {
            self.board.undo();
        }
        if !was_implied {
            self.undone.push(Undone { played, implied_pass });
        }
        self.board_changed();
        Some(played)
    }

    /// Plays again what was taken back last; `None` where nothing was, or
    /// another move has been played since.
    pub fn redo(&mut self) -> Option<Move> {
        let Undone { played, implied_pass } = self.undone.pop()?;
        let ply = self.board.plies();
        let replayed =
            (!implied_pass || self.board.pass().is_ok()) && self.board.play(played).is_ok();
        debug_assert!(replayed, "what was undone is legal where it was undone");
        if implied_pass {
            self.implied.push(ply);
        }
        self.board_changed();
        replayed.then_some(played)
    }

    /// Plays at this level; a depth or an ending that was set before no
    /// longer counts.
    pub fn set_level(&mut self, level: Level) {
        self.options =
            Options { level: Some(level), depth: None, solve_from: None, ..self.options.clone() };
    }

    /// Searches the middle game to this depth, 1 to 60, and reads endings
    /// out like the level that searches so deep.
    pub fn set_depth(&mut self, depth: u32) {
        self.options.depth = Some(depth.clamp(1, 60));
        self.options.solve_from = None;
    }

    /// Reads endings out from so many empties.
    pub fn set_solve_from(&mut self, empties: Option<u32>) {
        self.options.solve_from = empties;
    }

    /// Bounds every search from now on.
    pub fn set_bounds(&mut self, nodes: Option<u64>, move_time: Option<Duration>) {
        self.options.nodes = nodes;
        self.options.move_time = move_time;
    }

    /// What a draw is worth, in hundredths of a disc from Black's view.
    pub fn set_contempt(&mut self, centidiscs: i32) {
        self.options.contempt = centidiscs.clamp(-100, 100);
    }

    /// A table of another size, empty.
    ///
    /// # Errors
    /// A size out of range or beyond the machine's memory; the old table
    /// stays, with all it knows.
    pub fn set_hash(&mut self, hash: Megabytes) -> Result<(), EngineError> {
        self.engine.set_options(EngineOptions { hash, ..self.engine.options() })
    }

    /// Searches with so many threads, at least 1, and an empty table.
    ///
    /// # Errors
    /// Memory for the new table is lacking; nothing has changed.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), EngineError> {
        let options = EngineOptions { threads: threads.max(1), ..self.engine.options() };
        self.engine.set_options(options)
    }

    /// Forgets everything that searches have found.
    pub fn clear_hash(&mut self) {
        self.engine.clear();
    }

    /// Looks at the position for the best `lines` moves. The game's clock
    /// does not count here; depth, nodes and the time for a move do.
    pub fn hint(&mut self, lines: usize, listener: &dyn Listener) -> Report {
        let limits = self.options.limits(lines, None);
        self.search(&limits, listener)
    }

    /// A move for the side to move, of the book or else within its clock;
    /// `None` where the game is over. The board is not changed.
    pub fn go(&mut self, listener: &dyn Listener) -> Option<Choice> {
        self.awaited = None;
        let forced = match (self.board.is_over(), self.board.direction_map().1) {
            (true, _) => return None,
            (false, 0) => Some(Move::Pass),
            (false, 1) => self.board.legal_squares().next().map(Move::Place),
            (false, _) => None,
        };
        if let Some(best) = forced {
            return Some(Choice { best, report: None, book: None, elapsed: listener.elapsed() });
        }
        if let Some(known) = self.book_choice() {
            let (best, elapsed) = (known.played(), listener.elapsed());
            return Some(Choice { best, report: None, book: Some(known), elapsed });
        }
        let limits = self.options.limits(1, self.allowance());
        let report = self.search(&limits, listener);
        let best = report.best()?.first();
        Some(Choice { best, report: Some(report), book: None, elapsed: listener.elapsed() })
    }

    /// Judges every position of the game, the last first, so that what is
    /// known of the end helps the beginning; stops when the listener says so.
    pub fn analyze(&mut self, listener: &dyn Listener, found: &mut dyn FnMut(&Judgement)) {
        let limits = self.options.limits(1, None);
        let game = self.board.clone();
        let mut search = |position, limits: &Limits| {
            let go_on = listener.go_on();
            let report =
                go_on.then(|| self.search_position(position, limits, &Fresh::of(listener)));
            // What was cut short is worth less than the numbers around it.
            report.filter(|_| listener.go_on())
        };
        judge(&game, &limits, &mut search, found);
    }

    /// What the clock of the side to move shows.
    fn allowance(&self) -> Option<Allowance> {
        self.clock(self.board.side_to_move()).allowance()
    }

    fn search(&mut self, limits: &Limits, listener: &dyn Listener) -> Report {
        self.search_position(self.board.position(), limits, listener)
    }

    /// Searches, and survives a fault in the search: the game and the
    /// connection are worth more than this one answer.
    fn search_position(
        &mut self,
        position: Position,
        limits: &Limits,
        listener: &dyn Listener,
    ) -> Report {
        let searched =
            catch_unwind(AssertUnwindSafe(|| self.engine.search(position, limits, listener)));
        searched.unwrap_or_else(|_| {
            log::error!("the search failed and starts afresh: a move without one is used");
            match Engine::new(self.engine.evaluation().clone(), self.engine.options()) {
                Ok(engine) => self.engine = engine,
                Err(error) => log::error!("no new table: {error}"),
            }
            let report = unsearched(position, limits.lines, listener.elapsed());
            listener.report(&report);
            report
        })
    }
}

/// The legal moves, as they come.
fn unsearched(position: Position, lines: usize, elapsed: Duration) -> Report {
    let line = |first| Line { moves: vec![first], eval: Eval::default(), bound: Bound::Exact };
    let mut found: Vec<Line> =
        squares(position.moves()).map(Move::Place).map(line).take(lines.max(1)).collect();
    if position.must_pass() {
        found.push(line(Move::Pass));
    }
    Report { lines: found, kind: Kind::Depth { plies: 0, percent: 100 }, nodes: 0, elapsed }
}

/// A listener for one search among several: its clock starts anew, and the
/// reports of the single searches are not passed on.
struct Fresh<'a> {
    listener: &'a dyn Listener,
    start: Duration,
}

impl<'a> Fresh<'a> {
    fn of(listener: &'a dyn Listener) -> Fresh<'a> {
        Fresh { listener, start: listener.elapsed() }
    }
}

impl Listener for Fresh<'_> {
    fn go_on(&self) -> bool {
        self.listener.go_on()
    }

    fn elapsed(&self) -> Duration {
        self.listener.elapsed().saturating_sub(self.start)
    }
}
