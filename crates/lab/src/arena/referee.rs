//! One game: the mailbox board decides what is legal, when a pass is due and
//! who has won; the clocks are the runner's.

use std::time::{Duration, Instant};

use umigame_othello::game::{Record, Turn};
use umigame_othello::{Board, Color, Eval, Move, Score};

use super::client::{Client, Failing, Fault, View};
use super::clock::SideClock;
use super::openings::Opening;

/// What an engine said with a move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Said {
    /// What it thought of it, from its own view.
    pub eval: Option<Eval>,
    /// The depth it stated.
    pub depth: Option<String>,
    /// The positions it counted.
    pub nodes: Option<u64>,
    /// The time it took, exactly; the record has whole milliseconds.
    pub time: Option<Duration>,
}

/// Why a game was not played to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Forfeit {
    /// Whose fault it was.
    pub loser: Color,
    /// What the loser did.
    pub fault: Fault,
    /// The last lines of the protocol with the loser.
    pub protocol: Vec<String>,
    /// The last lines of the loser's stderr.
    pub stderr: Vec<String>,
}

/// A game that has been played.
#[derive(Clone, Debug)]
pub struct Played {
    /// Opening and moves, with times and evaluations.
    pub record: Record,
    /// What was said with each move of the record.
    pub said: Vec<Said>,
    /// Black's final disc difference; 64 for a forfeit, as on GGS.
    pub score: Score,
    /// Present where the game was not played to its end.
    pub forfeit: Option<Forfeit>,
    /// The clocks at the end.
    pub clocks: [SideClock; 2],
    /// Time of the runner and of all that was not on a clock.
    pub overhead: Duration,
}

/// One game under way.
struct Game<'a> {
    clients: [&'a mut Box<dyn Client>; 2],
    clocks: [SideClock; 2],
    record: Record,
    said: Vec<Said>,
    board: Board,
    opening: usize,
}

/// Plays a game: Black's client, then White's.
pub fn play(
    clients: [&mut Box<dyn Client>; 2],
    clocks: [SideClock; 2],
    opening: &Opening,
) -> Played {
    let started = Instant::now();
    let record = opening.record.clone();
    // Openings have been replayed when they were read.
    let board = record.board().unwrap_or_default();
    let plies = record.turns.len();
    let said = vec![Said::default(); plies];
    let mut game = Game { clients, clocks, record, said, board, opening: plies };
    let forfeit = game.run().err().map(|(loser, fault)| {
        let process = game.clients[loser.index()].process();
        let (protocol, stderr) = (process.protocol_tail(), process.stderr_tail());
        Forfeit { loser, fault, protocol, stderr }
    });
    let score = match &forfeit {
        None => game.board.score_for_black(),
        Some(Forfeit { loser: Color::Black, .. }) => Score::MIN,
        Some(_) => Score::MAX,
    };
    let thought: Duration = game.clocks.iter().map(SideClock::spent).sum();
    let overhead = started.elapsed().saturating_sub(thought);
    let Game { clocks, record, said, .. } = game;
    Played { record, said, score, forfeit, clocks, overhead }
}

impl Game<'_> {
    fn run(&mut self) -> Result<(), (Color, Fault)> {
        for color in Color::ALL {
            self.with(color, |client, view| client.new_game(view))?;
        }
        while !self.board.is_over() {
            if self.board.must_pass() {
                self.pass()?;
            } else {
                self.turn()?;
            }
        }
        Ok(())
    }

    /// Lets one side do something; what fails is its own fault.
    fn with<T>(
        &mut self,
        color: Color,
        act: impl FnOnce(&mut dyn Client, &View<'_>) -> Result<T, Fault>,
    ) -> Result<T, (Color, Fault)> {
        let view = View {
            record: &self.record,
            board: &self.board,
            opening: self.opening,
            clocks: &self.clocks,
        };
        act(self.clients[color.index()].as_mut(), &view).map_err(|fault| (color, fault))
    }

    fn pass(&mut self) -> Result<(), (Color, Fault)> {
        let side = self.board.side_to_move();
        self.note(Move::Pass.into(), Said::default()).map_err(|fault| (side, fault))?;
        for color in Color::ALL {
            self.with(color, |client, _| client.hear(side, Move::Pass))?;
        }
        Ok(())
    }

    fn turn(&mut self) -> Result<(), (Color, Fault)> {
        let side = self.board.side_to_move();
        let answer = self.with(side, |client, view| client.think(view))?;
        let clock = &mut self.clocks[side.index()];
        let allowed = clock.deadline().unwrap_or_default();
        if !clock.charge(answer.time) {
            let why = format!(
                "{} came after {:.3} s where {:.3} s were left, margin included",
                answer.played,
                answer.time.as_secs_f64(),
                allowed.as_secs_f64()
            );
            return Err((side, Fault::new(Failing::Clock, why)));
        }
        // GGF and NBoard count milliseconds.
        let millis = answer.time.as_micros().div_ceil(1000);
        let time = Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX));
        let turn = Turn { played: answer.played, eval: answer.eval, time: Some(time) };
        let said = Said {
            eval: answer.eval,
            depth: answer.depth,
            nodes: answer.nodes,
            time: Some(answer.time),
        };
        self.note(turn, said).map_err(|fault| (side, fault))?;
        self.with(!side, |client, _| client.hear(side, answer.played))
    }

    fn note(&mut self, turn: Turn, said: Said) -> Result<(), Fault> {
        self.board
            .play(turn.played)
            .map_err(|why| Fault::illegal(&turn.played.to_string(), why))?;
        self.record.turns.push(turn);
        self.said.push(said);
        Ok(())
    }
}
