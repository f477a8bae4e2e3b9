//! Plays one game: the mailbox board decides on legal moves, passes and the score; the clocks are
//! the referee's own.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use umigame_othello::{Board, Color, Move, Record, Score, Turn, position_text};

use super::client::{EngineClient, Fault, FaultKind, GameView};
use super::clock::SideClock;
use super::openings::Opening;
use super::record::{ForfeitLine, GameLine, MoveLine, nboard_date, record_time};

/// A fault and the side that committed it.
type SideFault = (Color, Fault);

/// A game in progress.
struct GameInProgress<'a> {
    clients: [&'a mut Box<dyn EngineClient>; 2],
    clocks: [SideClock; 2],
    record: Record,
    moves: Vec<MoveLine>,
    board: Board,
    opening_plies: usize,
}

/// Plays game `number` of a match, with the names, clients and clocks of Black and White.
pub(super) fn play(
    number: usize,
    names: [&str; 2],
    clients: [&mut Box<dyn EngineClient>; 2],
    clocks: [SideClock; 2],
    opening: &Opening,
) -> GameLine {
    let started = Instant::now();
    let record = opening.record.clone();
    let opening_plies = record.turns.len();
    let moves = record.turns.iter().map(MoveLine::unsearched).collect();
    let board = opening.board();
    let mut game = GameInProgress { clients, clocks, record, moves, board, opening_plies };
    let forfeit = game.run().err().map(|(loser, fault)| {
        let process = game.clients[loser.index()].process();
        let (protocol, stderr) = (process.protocol_tail(), process.stderr_tail());
        ForfeitLine { loser, kind: fault.kind, why: fault.why, protocol, stderr }
    });
    let score = match &forfeit {
        None => game.board.score_for_black(),
        Some(ForfeitLine { loser: Color::Black, .. }) => Score::MIN,
        Some(_) => Score::MAX,
    };
    let charged: Duration = game.clocks.iter().map(SideClock::spent).sum();
    let overhead = started.elapsed().saturating_sub(charged);
    let GameInProgress { record, moves, .. } = game;
    let [black, white] = names.map(str::to_string);
    GameLine {
        game: number,
        date: nboard_date(Timestamp::now()),
        black,
        white,
        score: score.discs(),
        forfeit,
        start: position_text(record.start, record.side),
        opening: opening_plies,
        moves,
        overhead: overhead.as_secs_f64(),
    }
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
        let turn = Turn::from(Move::Pass);
        let line = MoveLine::unsearched(&turn);
        self.note(turn, line).map_err(|fault| (side, fault))?;
        for color in Color::ALL {
            self.tell(color, |client, _| client.notify_move(side, Move::Pass))?;
        }
        Ok(())
    }

    fn play_move(&mut self) -> Result<(), SideFault> {
        let side = self.board.side_to_move();
        self.clients[(!side).index()].process().pause();
        let chosen = self.tell(side, |client, view| client.request_move(view))?;
        let clock = &mut self.clocks[side.index()];
        let allowed = clock.deadline().unwrap_or_default();
        if !clock.charge(chosen.time) {
            let [used, left] = [chosen.time, allowed].map(|time| time.as_secs_f64());
            let what = format!("{} came after {used:.3} s", chosen.played);
            let why = format!("{what} where {left:.3} s were left, margin included");
            return Err((side, Fault::new(FaultKind::Clock, why)));
        }
        let time = Some(record_time(chosen.time));
        let turn = Turn { played: chosen.played, eval: chosen.search.eval, time };
        self.note(turn, MoveLine::from(&chosen)).map_err(|fault| (side, fault))?;
        self.tell(!side, |client, _| client.notify_move(side, chosen.played))
    }

    fn note(&mut self, turn: Turn, line: MoveLine) -> Result<(), Fault> {
        self.board
            .play(turn.played)
            .map_err(|why| Fault::illegal(&turn.played.to_string(), why))?;
        self.record.turns.push(turn);
        self.moves.push(line);
        Ok(())
    }
}
