//! Speaking the NBoard protocol to an engine.
//!
//! The whole game goes over with every request, as NBoard does where it is
//! not sure: no move can be lost. A game whose last move is a pass goes over
//! as its position, because engines are known to overlook that pass and to
//! answer for the wrong side. A `ping` before each request keeps loading and
//! tidying up off the clock, and late lines of an earlier request apart.

use std::time::{Duration, Instant};

use umigame_othello::game::{Clock, Record, ggf};
use umigame_othello::{Board, Color, Eval, Move};

use super::client::{Answer, Client, Fault, View, silence};
use super::clock::TimeLimit;
use super::config::EngineConfig;
use super::process::Process;

/// The clock that is shown where time is not limited: the protocol knows no
/// other way to say so.
const AMPLE: Duration = Duration::from_secs(36_000);
/// The depth that is set where only time is limited.
const DEEPEST: u32 = 60;

/// An engine that speaks the NBoard protocol.
#[derive(Debug)]
pub struct NBoard {
    process: Process,
    engine: EngineConfig,
    patience: Duration,
    pings: u64,
}

/// What was said on the way to a move.
#[derive(Debug, Default)]
struct Remarks {
    eval: Option<Eval>,
    depth: Option<String>,
    nodes: Option<u64>,
}

impl NBoard {
    /// Speaks to a process that has just started.
    pub fn new(process: Process, engine: EngineConfig, patience: Duration) -> NBoard {
        NBoard { process, engine, patience, pings: 0 }
    }

    fn send(&mut self, line: &str) -> Result<(), Fault> {
        self.process
            .send(line)
            .map_err(|no_line| silence(&mut self.process, no_line, "a reader of its input"))
    }

    /// Waits until the engine has done all it was told; what it said before
    /// does not count.
    fn ping(&mut self, until: Instant) -> Result<(), Fault> {
        self.pings += 1;
        let expected = self.pings.to_string();
        self.send(&format!("ping {expected}"))?;
        loop {
            let arrival = self
                .process
                .receive(until)
                .map_err(|no_line| silence(&mut self.process, no_line, "pong"))?;
            let mut words = arrival.line.split_whitespace();
            if words.next() == Some("pong") && words.next() == Some(&expected) {
                return Ok(());
            }
        }
    }
}

impl Client for NBoard {
    fn greet(&mut self, until: Instant) -> Result<(), Fault> {
        self.send("nboard 2")?;
        let limits = self.engine.limits();
        // What is in the command's own words is not contradicted.
        let timed = limits.move_time.is_some() || limits.game_time.is_some();
        let only_time = timed && limits.level.is_none() && limits.nodes.is_none();
        if let Some(depth) = limits.depth.or(only_time.then_some(DEEPEST)) {
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

    fn sets_up(&self) -> bool {
        true
    }

    /// The game goes over with the first request.
    fn new_game(&mut self, _view: &View<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn hear(&mut self, _mover: Color, _played: Move) -> Result<(), Fault> {
        Ok(())
    }

    fn think(&mut self, view: &View<'_>) -> Result<Answer, Fault> {
        self.send(&format!("set game {}", game_text(view)))?;
        self.ping(Instant::now() + self.patience)?;
        let started = Instant::now();
        let until = started + view.waits(self.patience);
        self.send("go")?;
        let mut remarks = Remarks::default();
        loop {
            let arrival = self
                .process
                .receive(until)
                .map_err(|no_line| silence(&mut self.process, no_line, "move"))?;
            let Some(answer) = arrival.line.strip_prefix("===") else {
                remarks.note(&arrival.line);
                continue;
            };
            let time = arrival.at.saturating_duration_since(started);
            return read_answer(answer, remarks, view.board, time);
        }
    }

    fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    fn close(self: Box<Self>) {
        self.process.close();
    }
}

impl Remarks {
    /// Keeps what a line says of the search: the last word counts.
    fn note(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("search" | "book") => {
                let (_moves, eval) = (words.next(), words.next());
                self.eval = eval.and_then(discs).or(self.eval);
                self.depth = words.nth(1).map(str::to_string).or(self.depth.take());
            }
            Some("nodestats") => {
                self.nodes = words.next().and_then(|word| word.parse().ok()).or(self.nodes);
            }
            _ => {}
        }
    }
}

/// Discs as engines write them, one number or a pair; no NaN.
pub(super) fn discs(text: &str) -> Option<Eval> {
    let first = text.split(',').next()?;
    let discs: f64 = first.parse().ok()?;
    discs.is_finite().then(|| Eval::from_centidiscs((discs * 100.0).round() as i32))
}

/// Reads what follows `===`: a move, an evaluation and a time, with slashes
/// or blanks between them, columns padded.
fn read_answer(
    text: &str,
    remarks: Remarks,
    board: &Board,
    time: Duration,
) -> Result<Answer, Fault> {
    let text = text.trim();
    let mut fields = text.split(['/', ' ']).filter(|field| !field.is_empty());
    let word = fields.next().unwrap_or("");
    // The move is its first two characters, after NBoard's own reader.
    let head = word.get(..2).unwrap_or(word);
    let played: Move = head.parse().map_err(|error| Fault::illegal(word, error))?;
    if played == Move::Pass && !board.is_legal(played) {
        return Err(Fault::illegal(word, "there is a legal move"));
    }
    // An evaluation left out shows as two slashes; then this is the time.
    let has_eval = !text.contains("//");
    let eval = fields.next().filter(|_| has_eval).and_then(discs).or(remarks.eval);
    Ok(Answer { played, eval, depth: remarks.depth, nodes: remarks.nodes, time })
}

/// The game for `set game`, in the clocks of the runner.
fn game_text(view: &View<'_>) -> String {
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
        let clock = shown_clock(view, color, ends_in_pass);
        let [black, white] = &mut record.players;
        let player = if color == Color::Black { black } else { white };
        player.clock = Some(clock);
    }
    ggf::text(&record)
}

/// The clock at the start of the text, from which a reader who takes off the
/// moves of the text arrives at what is left.
fn shown_clock(view: &View<'_>, color: Color, position_only: bool) -> Clock {
    let clock = view.clock(color);
    let TimeLimit::Game(game) = clock.limit() else { return Clock::new(AMPLE) };
    let main = if position_only {
        clock.left().unwrap_or_default()
    } else {
        // The moves of the opening bring the reader an increment each.
        let own = |&index: &usize| view.record.mover(index) == color;
        let opening = (0..view.opening).filter(own).count();
        let gained = game.increment * u32::try_from(opening).unwrap_or(0);
        game.main.saturating_sub(gained)
    };
    Clock { increment: game.increment, ..Clock::new(main) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::clock::SideClock;
    use crate::arena::config::GameTime;
    use umigame_othello::game::transcript;

    fn read(text: &str) -> Result<Answer, Fault> {
        read_answer(text, Remarks::default(), &Board::start(), Duration::ZERO)
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
            assert_eq!(answer.eval.map(Eval::centidiscs), centidiscs, "{text}");
        }
        for text in ["", " i9", " PA", " resign"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn remarks_are_what_the_search_said_last() {
        let mut remarks = Remarks::default();
        for line in [
            "status Thinking",
            "search F4       -0.86 0   1",
            "search f5-d6 +2.00 0 18@73% about",
            "nodestats 1250 0.00",
            "search",
            "nodestats many",
        ] {
            remarks.note(line);
        }
        assert_eq!(remarks.eval.map(Eval::centidiscs), Some(200));
        assert_eq!(remarks.depth.as_deref(), Some("18@73%"));
        assert_eq!(remarks.nodes, Some(1250));
    }

    fn clocks(game: GameTime) -> [SideClock; 2] {
        [SideClock::new(TimeLimit::Game(game), Duration::ZERO); 2]
    }

    #[test]
    fn the_reader_of_a_game_arrives_at_the_time_that_is_left() {
        let second = Duration::from_secs(1);
        let mut record = transcript::parse("f5d6c3d3").unwrap();
        let mut clocks = clocks(GameTime { main: 60 * second, increment: second });
        for (text, spent) in [("c4", 5), ("f4", 7)] {
            let mover = record.mover(record.turns.len());
            record.turns.push(umigame_othello::game::Turn {
                time: Some(spent * second),
                ..Move::from(text.parse::<umigame_othello::Square>().unwrap()).into()
            });
            clocks[mover.index()].charge(spent * second);
        }
        let board = record.board().unwrap();
        let view = View { record: &record, board: &board, opening: 4, clocks: &clocks };
        let read = ggf::parse(&game_text(&view)).unwrap();
        assert_eq!(read.turns, record.turns);
        for color in Color::ALL {
            assert_eq!(read.time_left(color), view.clock(color).left(), "{color}");
        }
    }

    #[test]
    fn a_pass_at_the_end_is_told_as_a_position() {
        // The shortest game with a pass after its last disc.
        let mut board = Board::start();
        let mut random = fastrand::Rng::with_seed(5);
        while !board.must_pass() {
            if board.is_over() {
                board = Board::start();
            }
            let squares: Vec<_> = board.legal_squares().collect();
            board.place(squares[random.usize(..squares.len())]).unwrap();
        }
        board.pass().unwrap();
        let record = Record::from_board(&board);
        let clocks = clocks(GameTime { main: Duration::from_secs(9), increment: Duration::ZERO });
        let view = View { record: &record, board: &board, opening: 0, clocks: &clocks };
        let read = ggf::parse(&game_text(&view)).unwrap();
        assert!(read.turns.is_empty());
        assert_eq!(read.board().unwrap().position(), board.position());
        assert_eq!(read.side, board.side_to_move());
        assert_eq!(read.time_left(read.side), Some(Duration::from_secs(9)));
    }
}
