//! Plays one game: the mailbox board decides on legal moves, passes and the score; the clocks are
//! the referee's own.

use std::time::{Duration, Instant};

use umigame_othello::{Board, Color, Move, Score};
use umigame_othello::{Record, Turn};

use super::client::{EngineClient, Fault, FaultKind, GameView, SearchInfo};
use super::clock::SideClock;
use super::openings::Opening;

/// Search and time behind a move; empty for passes and moves of the opening.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct MoveInfo {
    /// The engine's own report.
    pub(super) search: SearchInfo,
    /// Exact time; the record has whole milliseconds.
    pub(super) time: Option<Duration>,
}

/// The loss of a game that was not played to its end.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Forfeit {
    /// Side at fault.
    pub(super) loser: Color,
    /// Its fault.
    pub(super) fault: Fault,
    /// Last lines of the protocol with the loser.
    pub(super) protocol: Vec<String>,
    /// Last lines of the loser's stderr.
    pub(super) stderr: Vec<String>,
}

/// A finished game.
#[derive(Clone, Debug)]
pub(super) struct PlayedGame {
    /// Opening and moves, with times and evals.
    pub(super) record: Record,
    /// One for each move of the record.
    pub(super) moves: Vec<MoveInfo>,
    /// Disc difference for Black; 64 against the side that forfeited, as on GGS.
    pub(super) score: Score,
    /// Present if the game was not played to its end.
    pub(super) forfeit: Option<Forfeit>,
    /// Time not charged to either clock.
    pub(super) overhead: Duration,
}

/// A fault and the side that committed it.
type SideFault = (Color, Fault);

/// A game in progress.
struct GameInProgress<'a> {
    clients: [&'a mut Box<dyn EngineClient>; 2],
    clocks: [SideClock; 2],
    record: Record,
    moves: Vec<MoveInfo>,
    board: Board,
    opening_plies: usize,
}

/// Plays a game with the clients and clocks of Black and White.
pub(super) fn play(
    clients: [&mut Box<dyn EngineClient>; 2],
    clocks: [SideClock; 2],
    opening: &Opening,
) -> PlayedGame {
    let started = Instant::now();
    let record = opening.record.clone();
    let opening_plies = record.turns.len();
    let moves = vec![MoveInfo::default(); opening_plies];
    let board = opening.board();
    let mut game = GameInProgress { clients, clocks, record, moves, board, opening_plies };
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
    let charged: Duration = game.clocks.iter().map(SideClock::spent).sum();
    let overhead = started.elapsed().saturating_sub(charged);
    let GameInProgress { record, moves, .. } = game;
    PlayedGame { record, moves, score, forfeit, overhead }
}

impl GameInProgress<'_> {
    fn run(&mut self) -> Result<(), SideFault> {
        for color in Color::ALL {
            self.tell(color, |client, view| client.new_game(view))?;
        }
        while !self.board.is_over() {
            if self.board.must_pass() {
                self.pass()?;
            } else {
                self.play_move()?;
            }
        }
        Ok(())
    }

    /// Calls the client of one side, which is at fault if the call fails.
    fn tell<T>(
        &mut self,
        color: Color,
        call: impl FnOnce(&mut dyn EngineClient, &GameView<'_>) -> Result<T, Fault>,
    ) -> Result<T, SideFault> {
        let view = GameView {
            record: &self.record,
            board: &self.board,
            opening_plies: self.opening_plies,
            clocks: &self.clocks,
        };
        call(self.clients[color.index()].as_mut(), &view).map_err(|fault| (color, fault))
    }

    fn pass(&mut self) -> Result<(), SideFault> {
        let side = self.board.side_to_move();
        self.note(Move::Pass.into(), MoveInfo::default()).map_err(|fault| (side, fault))?;
        for color in Color::ALL {
            self.tell(color, |client, _| client.notify_move(side, Move::Pass))?;
        }
        Ok(())
    }

    fn play_move(&mut self) -> Result<(), SideFault> {
        let side = self.board.side_to_move();
        let answer = self.tell(side, |client, view| client.request_move(view))?;
        let clock = &mut self.clocks[side.index()];
        let allowed = clock.deadline().unwrap_or_default();
        if !clock.charge(answer.time) {
            let why = format!(
                "{} came after {:.3} s where {:.3} s were left, margin included",
                answer.played,
                answer.time.as_secs_f64(),
                allowed.as_secs_f64()
            );
            return Err((side, Fault::new(FaultKind::Clock, why)));
        }
        let time = Some(record_time(answer.time));
        let turn = Turn { played: answer.played, eval: answer.info.eval, time };
        let info = MoveInfo { search: answer.info, time: Some(answer.time) };
        self.note(turn, info).map_err(|fault| (side, fault))?;
        self.tell(!side, |client, _| client.notify_move(side, answer.played))
    }

    fn note(&mut self, turn: Turn, info: MoveInfo) -> Result<(), Fault> {
        self.board
            .play(turn.played)
            .map_err(|why| Fault::illegal(&turn.played.to_string(), why))?;
        self.record.turns.push(turn);
        self.moves.push(info);
        Ok(())
    }
}

/// Returns a time in whole milliseconds, as GGF and NBoard count, rounded up.
pub(super) fn record_time(time: Duration) -> Duration {
    let millis = time.as_micros().div_ceil(1000);
    Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))
}
