//! A game in progress: board with history, clocks, options, an [`Engine`] and maybe a [`Book`].
//!
//! A session does no input or output and knows no database; protocols and the prompt translate to
//! and from it. A search never changes the board: the caller plays the recommended move. The
//! engine's transposition table lives as long as the session, so each search helps the next.

mod book;
mod clock;
mod history;
mod listener;
mod options;
mod pondering;
#[cfg(test)]
mod tests;
mod weak;

use std::time::Duration;

use umigame_analysis::{Judgement, judge};
use umigame_book::BookError;
use umigame_engine::{
    Confidence, Engine, LimitOptions, Limits, Listener, MAX_DEPTH, Report, ReportLine, ScoreKind,
    Strength, TimeControl, Weakness,
};
use umigame_othello::{Board, Color, Eval, IllegalMove, Move, Position, Record, ReplayError};

pub use book::{BookMove, LearnError, SessionBook, Trust};
pub use clock::Clock;
use history::History;
use listener::PartListener;
pub use options::Options;
use pondering::AwaitedReply;
use weak::SeededPlayer;

/// A move recommended by [`Session::go`].
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// The move; always legal.
    pub best: Move,
    /// Report of the search; `None` for a forced move or a move of the book.
    pub report: Option<Report>,
    /// The move as the book knows it, if it is a move of the book.
    pub book: Option<BookMove>,
    /// Time from the call to the answer, by the listener's clock.
    pub elapsed: Duration,
}

/// A game in progress.
#[derive(Debug)]
pub struct Session {
    history: History,
    clocks: [Clock; 2],
    options: Options,
    engine: Engine,
    book: Option<SessionBook>,
    awaited: Option<AwaitedReply>,
    /// Plays in the engine's place where the options name a weakness.
    weak: SeededPlayer,
}

impl Session {
    /// Starts a new game.
    pub fn new(engine: Engine, options: Options) -> Session {
        let mut session = Session {
            history: History::new(Board::start()),
            clocks: [Clock::Unlimited; 2],
            weak: SeededPlayer::new(engine.evaluation().clone(), options.seed),
            options,
            engine,
            book: None,
            awaited: None,
        };
        session.new_game();
        session
    }

    /// Sets the opening book.
    pub fn set_book(&mut self, book: SessionBook) {
        self.book = Some(book);
    }

    /// Returns the board with the moves that led to it.
    pub fn board(&self) -> &Board {
        self.history.board()
    }

    /// Returns the options in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the clock of a player.
    pub fn clock(&self, color: Color) -> Clock {
        self.clocks[color.index()]
    }

    /// Returns the clock of a player for setting.
    pub fn clock_mut(&mut self, color: Color) -> &mut Clock {
        &mut self.clocks[color.index()]
    }

    /// Prepares the engine, so that the first search waits neither for its evaluation nor for its
    /// memory while a clock runs.
    pub fn prepare(&mut self) {
        let of_clock = |clock: Clock| self.options.limits(1, clock.time_control());
        for limits in self.clocks.map(of_clock) {
            self.engine.prepare(&limits);
        }
    }

    /// Starts a new game with the clocks of the options. The transposition table is kept.
    pub fn new_game(&mut self) {
        self.set_board(Board::start());
        self.clocks = [self.default_clock(); 2];
    }

    /// Replaces the game, history included. Clocks and transposition table are kept.
    pub fn set_board(&mut self, board: Board) {
        if board.plies() == 0 && self.board().plies() > 0 {
            self.weak.begin_game();
        }
        self.history = History::new(board);
        self.board_changed();
    }

    /// Replaces the game by a recorded one, with its history and clocks. Without clocks in the
    /// record, those of the options apply.
    ///
    /// # Errors
    /// A move of the record is illegal; game and clocks are as they were.
    pub fn set_game(&mut self, record: &Record) -> Result<(), ReplayError> {
        let board = record.board()?;
        self.set_board(board);
        for color in Color::ALL {
            *self.clock_mut(color) = match record.player(color).clock {
                Some(clock) => Clock::game(clock.main, clock.increment),
                None => self.default_clock(),
            };
        }
        for (index, turn) in record.turns.iter().enumerate() {
            self.clock_mut(record.mover(index)).spend(turn.time.unwrap_or_default());
        }
        Ok(())
    }

    fn default_clock(&self) -> Clock {
        self.options.game_time.map_or(Clock::Unlimited, Clock::sudden_death)
    }

    /// Plays a move of the side to move.
    ///
    /// # Errors
    /// The move is illegal; nothing has changed.
    pub fn play(&mut self, played: Move) -> Result<(), IllegalMove> {
        self.history.play(played)?;
        self.board_changed();
        Ok(())
    }

    /// Plays a move of the side to move and takes `time` off its clock.
    ///
    /// # Errors
    /// The move is illegal; nothing has changed.
    pub fn play_timed(&mut self, played: Move, time: Duration) -> Result<(), IllegalMove> {
        let side = self.board().side_to_move();
        self.play(played)?;
        self.clock_mut(side).spend(time);
        Ok(())
    }

    /// Makes `color` the side to move, by an implied pass if the other colour must pass.
    /// [`Session::undo`] takes such a pass back together with the move after it.
    ///
    /// # Errors
    /// The other colour can move, or the game is over; nothing has changed.
    pub fn give_turn(&mut self, color: Color) -> Result<(), IllegalMove> {
        self.history.give_turn(color)?;
        self.board_changed();
        Ok(())
    }

    /// Plays a move of `color`, after an implied pass if the other colour must pass.
    ///
    /// # Errors
    /// The move is illegal; nothing has changed.
    pub fn play_as(&mut self, color: Color, played: Move) -> Result<(), IllegalMove> {
        self.history.play_as(color, played)?;
        self.board_changed();
        Ok(())
    }

    /// Takes back the last move and an implied pass before it; `None` at the start.
    pub fn undo(&mut self) -> Option<Move> {
        let undone = self.history.undo()?;
        self.board_changed();
        Some(undone)
    }

    /// Plays the last undone move again; `None` if there is none or a move was played since.
    pub fn redo(&mut self) -> Option<Move> {
        let redone = self.history.redo()?;
        self.board_changed();
        Some(redone)
    }

    /// Sets the level at which the engine plays. One with a number overrides an earlier depth and is
    /// that of hints too; one with a name leaves those as they are.
    pub fn set_level(&mut self, strength: Strength) {
        match strength {
            Strength::Weak(level) => self.options.weakness = Some(level.into()),
            Strength::Level(level) => {
                let limits = &mut self.options.limits;
                (limits.level, limits.depth, limits.exact_from) = (Some(level), None, None);
                // An error of the user's own applies to any level.
                self.options.weakness.take_if(|weakness| weakness.level().is_some());
            }
        }
    }

    /// Returns the seed of the errors in this game.
    pub fn seed(&self) -> u64 {
        self.weak.seed()
    }

    /// Sets the seed of the errors in this game; each game after it has the next number.
    pub fn set_seed(&mut self, seed: u64) {
        self.weak.set_seed(seed);
    }

    /// Sets the midgame depth, 1 to 60 plies. Endings are solved as at the first level of that
    /// depth.
    pub fn set_depth(&mut self, depth: u32) {
        let limits = &mut self.options.limits;
        (limits.depth, limits.exact_from) = (Some(depth.clamp(1, MAX_DEPTH)), None);
    }

    /// Sets the time that a move leaves unused.
    pub fn set_move_overhead(&mut self, time: Duration) {
        self.options.move_overhead = time;
    }

    /// Clears the transposition table.
    pub fn clear_hash(&mut self) {
        self.engine.clear();
    }

    /// Searches for the best `lines` moves. The game clock does not count; depth, nodes and the
    /// time for a move do.
    pub fn hint(&mut self, lines: usize, listener: &dyn Listener) -> Report {
        let limits = self.options.limits(lines, TimeControl::Unlimited);
        self.search(&limits, listener)
    }

    /// Recommends a move: a forced one, one of the book, or one found by a search on the clock.
    /// `None` if the game is over.
    pub fn go(&mut self, listener: &dyn Listener) -> Option<Choice> {
        self.awaited = None;
        if self.board().is_over() {
            return None;
        }
        if let Some(best) = self.forced_move() {
            return Some(Choice { best, report: None, book: None, elapsed: listener.elapsed() });
        }
        let position = self.board().position();
        if let Some(known) = self.book.as_mut().and_then(|book| book.choose(position)) {
            let (best, elapsed) = (known.played(), listener.elapsed());
            return Some(Choice { best, report: None, book: Some(known), elapsed });
        }
        let clock = self.clock(self.board().side_to_move()).time_control();
        let report = match self.options.weakness {
            Some(weakness) => self.err(&weakness, clock, listener),
            None => {
                let limits = self.options.limits(1, clock);
                self.search(&limits.with_move_overhead(self.options.move_overhead), listener)
            }
        };
        let best = report.best()?.first();
        Some(Choice { best, report: Some(report), book: None, elapsed: listener.elapsed() })
    }

    /// Searches and errs. The report has the move played alone.
    fn err(&mut self, weakness: &Weakness, clock: TimeControl, listener: &dyn Listener) -> Report {
        let position = self.board().position();
        let limits = weakness.limits(&LimitOptions { clock, ..self.options.limits.clone() });
        let limits = limits.with_move_overhead(self.options.move_overhead);
        let found = self.weak.choose(position, &limits, weakness, listener);
        found.unwrap_or_else(|fault| {
            log::error!("{fault}; the answer is a legal move that was not searched");
            unsearched_report(position, 1, listener.elapsed())
        })
    }

    /// Returns the only legal move, a pass included; `None` if there are several.
    fn forced_move(&self) -> Option<Move> {
        let mut legal = self.board().legal_squares();
        match (legal.next(), legal.next()) {
            (None, _) => Some(Move::Pass),
            (Some(only), None) => Some(Move::Place(only)),
            (Some(_), Some(_)) => None,
        }
    }

    /// Returns at most `count` moves of the book, best first; none without a book or if it does
    /// not know which is best.
    pub fn book_moves(&self, count: usize) -> Vec<BookMove> {
        match &self.book {
            Some(book) if !self.board().is_over() => book.moves(self.board().position(), count),
            _ => Vec::new(),
        }
    }

    /// Adds the game to the book with its result. The last position of an unfinished game is
    /// searched first, and its value takes the place of a result unless the listener stops the
    /// search.
    ///
    /// # Errors
    /// There is no book, or it cannot be written.
    pub fn learn(&mut self, listener: &dyn Listener) -> Result<(), LearnError> {
        if !self.book.as_ref().ok_or(LearnError::NoBook)?.is_writable() {
            return Err(BookError::NotWritable.into());
        }
        let game = Record::from_board(self.board());
        let limits = self.options.limits(1, TimeControl::Unlimited);
        let last_search = (!self.board().is_over() && listener.go_on())
            .then(|| self.search(&limits, listener))
            .filter(|_| listener.go_on());
        let book = self.book.as_mut().ok_or(LearnError::NoBook)?;
        Ok(book.learn(&game, last_search.as_ref())?)
    }

    /// Judges every position of the game, last first, so that the transposition table knows how
    /// each position goes on. Ends when the listener stops it.
    pub fn analyze(&mut self, listener: &dyn Listener, found: &mut dyn FnMut(&Judgement)) {
        let limits = self.options.limits(1, TimeControl::Unlimited);
        let game = self.board().clone();
        let mut search = |position, limits: &Limits| {
            let report = listener
                .go_on()
                .then(|| self.search_position(position, limits, &PartListener::start(listener)));
            // A search that was cut short would stand out from its neighbours.
            report.filter(|_| listener.go_on())
        };
        judge(&game, &limits, &mut search, found);
    }

    /// Notes that `best` was given out as the engine's move for the board as it stands, so that
    /// [`Session::ponder`] can search the position after it, if the options ask for that.
    ///
    /// The client may repeat the move or not.
    pub fn await_reply(&mut self, best: Move) {
        self.awaited =
            if self.options.ponder { AwaitedReply::after(self.board(), best) } else { None };
    }

    /// Searches the position after the engine's own last move in the background, first for the best
    /// reply, then for every reply, until the next search could gain no more from it. It ends where
    /// another search begins or the game changes.
    ///
    /// The next call goes on with what was stopped; it does nothing if there is nothing to search.
    pub fn ponder(&mut self) {
        if let Some(limits) = self.next_pondering()
            && let Some(awaited) = &mut self.awaited
        {
            awaited.ponder(&mut self.engine, limits);
        }
    }

    /// Returns the limits to which [`Session::ponder`] would search; `None` if it would do nothing.
    fn next_pondering(&self) -> Option<Limits> {
        let awaited = self.awaited.as_ref().filter(|_| self.options.weakness.is_none())?;
        let limits = self.pondering_limits(awaited.board());
        (!awaited.is_pondered_to(&limits)).then_some(limits)
    }

    /// Returns the limits for pondering a board on which the opponent is to move.
    fn pondering_limits(&self, board: &Board) -> Limits {
        let own = !board.side_to_move();
        self.options.limits(1, self.clock(own).time_control()).for_pondering()
    }

    /// Stops awaiting a reply unless the board is still the one after the engine's own move.
    fn board_changed(&mut self) {
        let board = self.history.board();
        self.awaited.take_if(|awaited| !awaited.is_at(board));
    }

    fn search(&mut self, limits: &Limits, listener: &dyn Listener) -> Report {
        self.search_position(self.board().position(), limits, listener)
    }

    /// Searches, and survives a panic in the search: the game is worth more than one answer.
    fn search_position(
        &mut self,
        position: Position,
        limits: &Limits,
        listener: &dyn Listener,
    ) -> Report {
        self.engine.try_search(position, limits, listener).unwrap_or_else(|fault| {
            log::error!("{fault}; the answer is a legal move that was not searched");
            let report = unsearched_report(position, limits.lines(), listener.elapsed());
            listener.report(&report);
            report
        })
    }
}

/// Returns at most `lines` legal moves, at least one, in the order of their squares.
fn unsearched_report(position: Position, lines: usize, elapsed: Duration) -> Report {
    let kind = ScoreKind::Depth { plies: 0, confidence: Confidence::FULL };
    let line = |first| ReportLine::unsure(vec![first], Eval::default(), kind);
    let mut found: Vec<ReportLine> =
        position.legal_moves().iter().map(Move::Place).map(line).take(lines.max(1)).collect();
    if position.must_pass() {
        found.push(line(Move::Pass));
    }
    Report { lines: found, kind, elapsed, ..Report::default() }
}
