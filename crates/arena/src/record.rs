//! The record of a game: one line of JSON, one line of GGF.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use umigame_othello::{Clock, GameEnd, GameOutcome, Player, Record, Turn};
use umigame_othello::{Color, Eval, Move, Position, Score, parse_position, position_text};

use super::client::{ChosenMove, FaultKind};
use super::clock::TimeLimit;

/// The standard start position, which the lines leave out.
fn standard_start() -> String {
    position_text(Position::START, Color::Black)
}

fn is_standard_start(text: &String) -> bool {
    *text == standard_start()
}

/// A move of a [`GameLine`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveLine {
    /// `f5`, or `pass`.
    #[serde(rename = "move")]
    pub played: String,
    /// Eval in discs, for the mover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<f64>,
    /// Time in seconds, measured by the referee; none for moves of the opening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// Depth in the engine's own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<String>,
    /// Nodes that the engine states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

impl From<&ChosenMove> for MoveLine {
    fn from(chosen: &ChosenMove) -> MoveLine {
        MoveLine {
            played: chosen.played.to_string(),
            eval: chosen.search.eval.map(Eval::discs),
            time: Some(chosen.time.as_micros() as f64 / 1e6),
            depth: chosen.search.depth.clone(),
            nodes: chosen.search.nodes,
        }
    }
}

impl MoveLine {
    /// Makes the line of a pass, or of a move of the opening.
    pub(super) fn unsearched(turn: &Turn) -> MoveLine {
        let (played, eval) = (turn.played.to_string(), turn.eval.map(Eval::discs));
        MoveLine { played, eval, ..MoveLine::default() }
    }

    /// Whether the move is a pass.
    pub(super) fn is_pass(&self) -> bool {
        self.played == Move::Pass.to_string()
    }

    fn to_turn(&self) -> Result<Turn, String> {
        let played: Move = self.played.parse().map_err(|error| format!("{error}"))?;
        let centidiscs = |discs: f64| Eval::from_centidiscs((discs * 100.0).round() as i32);
        let time = self.time.and_then(|time| Duration::try_from_secs_f64(time).ok());
        Ok(Turn { played, eval: self.eval.map(centidiscs), time: time.map(record_time) })
    }
}

/// The loss of a game that was not played to its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForfeitLine {
    /// Side at fault.
    pub loser: Color,
    /// Kind of fault.
    #[serde(rename = "failing")]
    pub kind: FaultKind,
    /// Details.
    pub why: String,
    /// Last lines of the protocol with the loser.
    pub protocol: Vec<String>,
    /// Last lines of the loser's stderr.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<String>,
}

/// A game of a match: a line of JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// Number in the schedule, from 0.
    pub game: usize,
    /// Time of its end, UTC.
    pub date: String,
    /// Name of the engine that played Black.
    pub black: String,
    /// Name of the engine that played White.
    pub white: String,
    /// Final disc difference for Black, the winner taking the empties; 64 against the side that
    /// forfeited, as on GGS.
    pub score: i32,
    /// Present if the game was not played to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<ForfeitLine>,
    /// Start position, if not the standard one.
    #[serde(default = "standard_start", skip_serializing_if = "is_standard_start")]
    pub start: String,
    /// Plies of the opening.
    pub opening: usize,
    /// All moves, including those of the opening and passes.
    pub moves: Vec<MoveLine>,
    /// Seconds not charged to either clock.
    pub overhead: f64,
}

impl GameLine {
    /// Returns the empties of the start position.
    pub(super) fn start_empties(&self) -> u32 {
        self.start.bytes().filter(|&square| square == b'-').count() as u32
    }

    /// Returns the game as a record, with the time limits of Black and White.
    ///
    /// # Errors
    /// The line was not written by a match; the message quotes the unreadable part.
    pub fn to_record(&self, limits: [TimeLimit; 2]) -> Result<Record, String> {
        let (start, side) = parse_position(&self.start).map_err(|error| error.to_string())?;
        let mut record = Record::from_start(start, side);
        record.turns = self.moves.iter().map(MoveLine::to_turn).collect::<Result<_, _>>()?;
        record.board().map_err(|error| error.to_string())?;
        record.place = "umigame match".to_string();
        record.date = self.date.clone();
        let player = |name: &String, limit| Player {
            name: name.clone(),
            rating: None,
            clock: match limit {
                TimeLimit::Game(game) => {
                    Some(Clock { increment: game.increment, ..Clock::new(game.main) })
                }
                _ => None,
            },
        };
        let [black, white] = limits;
        record.players = [player(&self.black, black), player(&self.white, white)];
        let end = match self.forfeit.as_ref().map(|forfeit| forfeit.kind) {
            None => GameEnd::Played,
            Some(FaultKind::Clock | FaultKind::Hang) => GameEnd::TimedOut,
            Some(_) => GameEnd::Resigned,
        };
        let score = Score::new(self.score).ok_or_else(|| format!("score {}", self.score))?;
        record.outcome = Some(GameOutcome { black_centidiscs: score.discs() * 100, end });
        Ok(record)
    }
}

/// Returns a time in whole milliseconds, as GGF and NBoard count, rounded up.
pub(super) fn record_time(time: Duration) -> Duration {
    let millis = time.as_micros().div_ceil(1000);
    Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))
}

/// Formats a moment as NBoard does: `2026-11-21 07:40:20 GMT`.
pub(super) fn nboard_date(moment: Timestamp) -> String {
    moment.strftime("%Y-%m-%d %H:%M:%S GMT").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_written_as_by_nboard() {
        let moment = Timestamp::from_second(1_795_246_820).unwrap();
        assert_eq!(nboard_date(moment), "2026-11-21 07:40:20 GMT");
    }
}
