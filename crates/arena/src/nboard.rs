//! NBoard client.
//!
//! The whole game is sent with every request, as NBoard itself does when in doubt: no move can be
//! lost. A game whose last move is a pass is sent as its position, because some engines overlook
//! that pass and answer for the wrong side. A `ping` before each request keeps loading and tidying
//! up off the clock, and separates late lines of an earlier request.

use std::time::{Duration, Instant};

use umigame_othello::{Board, Clock, Color, Move, Record, formats::ggf};

use super::client::{ChosenMove, EngineClient, Fault, GameView, Hint, SearchInfo, parse_discs};
use super::clock::TimeLimit;
use super::config::EngineConfig;
use super::process::{EngineProcess, ReadError};

/// Clock sent when time is unlimited: the protocol has no other way to say so.
const UNLIMITED_CLOCK: Duration = Duration::from_secs(36_000);
/// Depth sent when only time is limited, in plies.
const UNLIMITED_PLIES: u32 = 60;

/// An engine that speaks the NBoard protocol.
#[derive(Debug)]
pub(super) struct NBoardClient {
    process: EngineProcess,
    engine: EngineConfig,
    patience: Duration,
    pings: u64,
}

impl NBoardClient {
    /// Creates a client of a process that has just started.
    pub(super) fn new(
        process: EngineProcess,
        engine: EngineConfig,
        patience: Duration,
    ) -> NBoardClient {
        NBoardClient { process, engine, patience, pings: 0 }
    }

    fn send(&mut self, line: &str) -> Result<(), Fault> {
        self.process
            .send(line)
            .map_err(|error| Fault::no_line(&mut self.process, error, "a reader of its input"))
    }

    /// Waits until the engine has processed all lines sent; drops its output until then.
    fn ping(&mut self, until: Instant) -> Result<(), Fault> {
        self.ping_with(until, |_| ())
    }

    /// Waits until the engine has processed all lines sent; hands over its output until then.
    fn ping_with(&mut self, until: Instant, mut line: impl FnMut(&str)) -> Result<(), Fault> {
        self.pings += 1;
        let expected = self.pings.to_string();
        self.send(&format!("ping {expected}"))?;
        loop {
            let arrival = self
                .process
                .receive(until)
                .map_err(|error| Fault::no_line(&mut self.process, error, "pong"))?;
            let mut words = arrival.line.split_whitespace();
            if words.next() == Some("pong") && words.next() == Some(&expected) {
                return Ok(());
            }
            line(&arrival.line);
        }
    }
}

impl EngineClient for NBoardClient {
    fn initialize(&mut self, until: Instant) -> Result<(), Fault> {
        self.send("nboard 2")?;
        let limits = self.engine.limits;
        // A depth would contradict a level or a number of nodes in the engine's command.
        let timed = limits.move_time.is_some() || limits.game_time.is_some();
        let only_time = timed && limits.level.is_none() && limits.nodes.is_none();
        if let Some(depth) = limits.depth.or(only_time.then_some(UNLIMITED_PLIES)) {
            self.send(&format!("set depth {depth}"))?;
        }
        for (name, value) in self.engine.options.clone() {
            self.send(&format!("set {name} {value}"))?;
        }
        for line in self.engine.start.clone() {
            self.send(&line)?;
        }
        self.ping(until)
    }

    fn can_set_positions(&self) -> bool {
        true
    }

    /// Does nothing: the game is sent with each request.
    fn new_game(&mut self, _view: &GameView<'_>) -> Result<(), Fault> {
        Ok(())
    }

    /// Does nothing: the game is sent with each request.
    fn notify_move(&mut self, _mover: Color, _played: Move) -> Result<(), Fault> {
        Ok(())
    }

    fn request_move(&mut self, view: &GameView<'_>) -> Result<ChosenMove, Fault> {
        self.send(&format!("set game {}", game_text(view)))?;
        self.ping(Instant::now() + self.patience)?;
        let started = Instant::now();
        let until = started + view.answer_wait(self.patience);
        self.send("go")?;
        let mut info = SearchInfo::default();
        loop {
            let arrival = self
                .process
                .receive(until)
                .map_err(|error| Fault::no_line(&mut self.process, error, "move"))?;
            let Some(answer) = arrival.line.strip_prefix("===") else {
                note_search(&mut info, &arrival.line);
                continue;
            };
            let time = arrival.at.saturating_duration_since(started);
            return parse_answer(answer, info, view.board, time);
        }
    }

    fn request_hints(
        &mut self,
        view: &GameView<'_>,
        count: usize,
        time: Duration,
    ) -> Result<Vec<Hint>, Fault> {
        self.send(&format!("set game {}", game_text(view)))?;
        self.ping(Instant::now() + self.patience)?;
        self.send(&format!("hint {count}"))?;
        let until = Instant::now() + time;
        let mut hints = Vec::new();
        loop {
            match self.process.receive(until) {
                // The search has ended by itself.
                Ok(arrival) if arrival.line.trim() == "status" && !hints.is_empty() => break,
                Ok(arrival) => note_hint(&mut hints, &arrival.line),
                Err(ReadError::Timeout) => break,
                Err(error) => return Err(Fault::no_line(&mut self.process, error, "hint")),
            }
        }
        // A ping ends the search. What comes before its answer is of the same search.
        self.ping_with(Instant::now() + self.patience, |line| note_hint(&mut hints, line))?;
        hints.retain(|hint| hint.line.first().is_some_and(|&first| view.board.is_legal(first)));
        hints.truncate(count);
        Ok(hints)
    }

    fn process(&mut self) -> &mut EngineProcess {
        &mut self.process
    }

    fn quit(self: Box<Self>) {
        self.process.quit();
    }
}

/// Adds a line of output to hints, best first. A line replaces that of the same move, and comes
/// before those of a smaller eval; the lines of an iteration begin with its best move.
fn note_hint(hints: &mut Vec<Hint>, line: &str) {
    let mut words = line.split_whitespace();
    if !matches!(words.next(), Some("search" | "book")) {
        return;
    }
    let Some(moves) = words.next().and_then(line_of) else { return };
    let eval = words.next().and_then(parse_discs);
    let depth = words.nth(1).unwrap_or_default().to_string();
    hints.retain(|hint| hint.line.first() != moves.first());
    let place = hints.iter().position(|hint| hint.eval < eval).unwrap_or(hints.len());
    hints.insert(place, Hint { line: moves, eval, depth });
}

/// Reads a line of moves, with or without hyphens between them; `None` without a first move.
fn line_of(text: &str) -> Option<Vec<Move>> {
    let text = text.replace('-', "");
    let squares =
        text.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).ok()?.parse().ok());
    let moves: Vec<Move> = squares.map_while(|found| found).collect();
    (!moves.is_empty()).then_some(moves)
}

/// Updates `info` from a line of output; later lines replace earlier ones.
fn note_search(info: &mut SearchInfo, line: &str) {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("search" | "book") => {
            let (_moves, eval) = (words.next(), words.next());
            info.eval = eval.and_then(parse_discs).or(info.eval);
            info.depth = words.nth(1).map(str::to_string).or(info.depth.take());
        }
        Some("nodestats") => {
            info.nodes = words.next().and_then(|word| word.parse().ok()).or(info.nodes);
        }
        _ => {}
    }
}

/// Reads the text after `===`: a move, an eval and a time, separated by slashes or blanks, with
/// padding between.
fn parse_answer(
    text: &str,
    info: SearchInfo,
    board: &Board,
    time: Duration,
) -> Result<ChosenMove, Fault> {
    let text = text.trim();
    let mut fields = text.split(['/', ' ']).filter(|field| !field.is_empty());
    let word = fields.next().unwrap_or("");
    // The move is the first two characters, as for NBoard's own reader.
    let square = word.get(..2).unwrap_or(word);
    let played: Move = square.parse().map_err(|error| Fault::illegal(word, error))?;
    if played == Move::Pass && !board.is_legal(played) {
        return Err(Fault::illegal(word, "there is a legal move"));
    }
    // Two slashes mean that the eval is left out; the next field is then the time.
    let has_eval = !text.contains("//");
    let eval = fields.next().filter(|_| has_eval).and_then(parse_discs).or(info.eval);
    Ok(ChosenMove { played, search: SearchInfo { eval, ..info }, time })
}

/// Returns the game for `set game`, with the referee's clocks.
fn game_text(view: &GameView<'_>) -> String {
    let ends_in_pass = view.record.turns.last().is_some_and(|turn| turn.played == Move::Pass);
    let mut record = if ends_in_pass {
        Record {
            start: view.board.position(),
            side: view.board.side_to_move(),
            turns: Vec::new(),
            ..view.record.clone()
        }
    } else {
        view.record.clone()
    };
    record.outcome = None;
    for color in Color::ALL {
        let clock = initial_clock(view, color, ends_in_pass);
        let [black, white] = &mut record.players;
        let player = if color == Color::Black { black } else { white };
        player.clock = Some(clock);
    }
    ggf::text(&record)
}

/// Returns the initial clock for the text: a reader who charges the moves of the text to it
/// arrives at the time left.
fn initial_clock(view: &GameView<'_>, color: Color, position_only: bool) -> Clock {
    let clock = view.clock(color);
    let TimeLimit::Game(game) = clock.limit() else { return Clock::new(UNLIMITED_CLOCK) };
    let main = if position_only {
        clock.left().unwrap_or_default()
    } else {
        // The reader adds an increment for each move of the opening, too.
        let own = |&index: &usize| view.record.mover(index) == color;
        let opening_moves = (0..view.opening_plies).filter(own).count();
        let gained = game.increment * u32::try_from(opening_moves).unwrap_or(0);
        game.main.saturating_sub(gained)
    };
    Clock { increment: game.increment, ..Clock::new(main) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::SideClock;
    use crate::limits::GameTime;
    use umigame_othello::Eval;
    use umigame_othello::formats::transcript;

    fn read(text: &str) -> Result<ChosenMove, Fault> {
        parse_answer(text, SearchInfo::default(), &Board::start(), Duration::ZERO)
    }

    #[test]
    fn answers_of_real_engines_are_read() {
        let d3: Move = "d3".parse().unwrap();
        for (text, centidiscs) in [
            (" D3/1.25/0.10", Some(125)),
            (" d3 -0.50 0.0", Some(-50)),
            (" D3", None),
            (" D3//2.3", None),
            ("   f5d6 NaN,NaN", None),
            (" D3     +3", Some(300)),
        ] {
            let answer = read(text).unwrap();
            if !text.contains("f5") {
                assert_eq!(answer.played, d3, "{text}");
            }
            assert_eq!(answer.search.eval.map(Eval::centidiscs), centidiscs, "{text}");
        }
        for text in ["", " i9", " PA", " resign"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_last_search_line_counts() {
        let mut info = SearchInfo::default();
        for line in [
            "status Thinking",
            "search F4       -0.86 0   1",
            "search f5-d6 +2.00 0 18@73% about",
            "nodestats 1250 0.00",
            "search",
            "nodestats many",
        ] {
            note_search(&mut info, line);
        }
        assert_eq!(info.eval.map(Eval::centidiscs), Some(200));
        assert_eq!(info.depth.as_deref(), Some("18@73%"));
        assert_eq!(info.nodes, Some(1250));
    }

    fn clocks(game: GameTime) -> [SideClock; 2] {
        [SideClock::new(TimeLimit::Game(game), Duration::ZERO); 2]
    }

    #[test]
    fn a_reader_of_the_game_text_arrives_at_the_time_left() {
        let second = Duration::from_secs(1);
        let mut record = transcript::parse("f5d6c3d3").unwrap();
        let mut clocks = clocks(GameTime { main: 60 * second, increment: second });
        for (text, spent) in [("c4", 5), ("f4", 7)] {
            let mover = record.mover(record.turns.len());
            record.turns.push(umigame_othello::Turn {
                time: Some(spent * second),
                ..Move::from(text.parse::<umigame_othello::Square>().unwrap()).into()
            });
            clocks[mover.index()].charge(spent * second);
        }
        let board = record.board().unwrap();
        let view = GameView { record: &record, board: &board, opening_plies: 4, clocks: &clocks };
        let read = ggf::parse(&game_text(&view)).unwrap();
        assert_eq!(read.turns, record.turns);
        for color in Color::ALL {
            assert_eq!(read.time_left(color), view.clock(color).left(), "{color}");
        }
    }

    #[test]
    fn a_game_that_ends_in_a_pass_is_sent_as_its_position() {
        // A random game up to its first pass.
        let mut board = Board::start();
        let mut random = fastrand::Rng::with_seed(5);
        while !board.must_pass() {
            if board.is_over() {
                board = Board::start();
            }
            let squares: Vec<_> = board.legal_squares().collect();
            board.play(squares[random.usize(..squares.len())]).unwrap();
        }
        board.pass().unwrap();
        let record = Record::from_board(&board);
        let clocks = clocks(GameTime { main: Duration::from_secs(9), increment: Duration::ZERO });
        let view = GameView { record: &record, board: &board, opening_plies: 0, clocks: &clocks };
        let read = ggf::parse(&game_text(&view)).unwrap();
        assert!(read.turns.is_empty());
        assert_eq!(read.board().unwrap().position(), board.position());
        assert_eq!(read.side, board.side_to_move());
        assert_eq!(read.time_left(read.side), Some(Duration::from_secs(9)));
    }
}
