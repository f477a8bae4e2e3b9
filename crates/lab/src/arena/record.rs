//! What is kept of a game: one JSON line, one line of GGF.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use umigame_othello::game::{Clock, Ending, Outcome, Player, Record, Turn};
use umigame_othello::{Color, Eval, Move, Position, Score, parse_position, position_text};

use super::client::Failing;
use super::clock::TimeLimit;
use super::referee::{Played, Said};
use super::schedule::Fixture;

/// The start of every standard game, left out of the lines.
fn standard() -> String {
    position_text(Position::START, Color::Black)
}

fn is_standard(text: &String) -> bool {
    *text == standard()
}

/// A move of a [`GameLine`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveLine {
    /// `f5`, or `pass`.
    #[serde(rename = "move")]
    pub played: String,
    /// Discs, from the mover's view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<f64>,
    /// Seconds, measured by the runner; none for moves of the opening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// The depth that the engine stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<String>,
    /// The positions that the engine counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// Why a game was not played to its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForfeitLine {
    /// `black` or `white`.
    pub loser: Side,
    /// What the loser did.
    pub failing: Failing,
    /// What exactly happened.
    pub why: String,
    /// The last lines of the protocol with the loser.
    pub protocol: Vec<String>,
    /// The last lines of the loser's stderr.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<String>,
}

/// A colour as JSON spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Black.
    Black,
    /// White.
    White,
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        match color {
            Color::Black => Side::Black,
            Color::White => Side::White,
        }
    }
}

/// One game of a match: a line of JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// Its number in the schedule, from 0.
    pub game: usize,
    /// When it ended, UTC.
    pub date: String,
    /// The name of the engine with the black discs.
    pub black: String,
    /// The name of the engine with the white discs.
    pub white: String,
    /// The final disc difference for Black, the winner taking the empties;
    /// 64 for a forfeit, as on GGS.
    pub score: i32,
    /// Present where the game was not played to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<ForfeitLine>,
    /// The position before the first move, if not the standard one.
    #[serde(default = "standard", skip_serializing_if = "is_standard")]
    pub start: String,
    /// Moves that belong to the opening.
    pub opening: usize,
    /// All moves, those of the opening and passes among them.
    pub moves: Vec<MoveLine>,
    /// Seconds of the runner beside the engines' thinking.
    pub overhead: f64,
}

impl GameLine {
    /// The line of a game between engines of these names.
    pub fn new(fixture: Fixture, names: [&str; 2], opening: usize, played: &Played) -> GameLine {
        let record = &played.record;
        let move_line = |(turn, said): (&Turn, &Said)| MoveLine {
            played: turn.played.to_string(),
            eval: turn.eval.map(Eval::discs),
            time: said.time.map(|time| time.as_micros() as f64 / 1e6),
            depth: said.depth.clone(),
            nodes: said.nodes,
        };
        let [black, white] = names.map(str::to_string);
        GameLine {
            game: fixture.game,
            date: utc(SystemTime::now()),
            black,
            white,
            score: played.score.discs(),
            forfeit: played.forfeit.as_ref().map(|forfeit| ForfeitLine {
                loser: forfeit.loser.into(),
                failing: forfeit.fault.failing,
                why: forfeit.fault.why.clone(),
                protocol: forfeit.protocol.clone(),
                stderr: forfeit.stderr.clone(),
            }),
            start: position_text(record.start, record.side),
            opening,
            moves: record.turns.iter().zip(&played.said).map(move_line).collect(),
            overhead: played.overhead.as_secs_f64(),
        }
    }

    /// The same game as a record, with the clocks of Black and White.
    ///
    /// # Errors
    /// The line was not written by a match: what cannot be read.
    pub fn to_record(&self, limits: [TimeLimit; 2]) -> Result<Record, String> {
        let (start, side) = parse_position(&self.start).map_err(|error| error.to_string())?;
        let mut record = Record::from_start(start, side);
        for line in &self.moves {
            let played: Move = line.played.parse().map_err(|error| format!("{error}"))?;
            let centidiscs = |discs: f64| Eval::from_centidiscs((discs * 100.0).round() as i32);
            let time = line.time.and_then(|time| Duration::try_from_secs_f64(time).ok());
            // GGF counts milliseconds; a move that took time took at least one.
            let time =
                time.map(|time| Duration::from_millis(time.as_micros().div_ceil(1000) as u64));
            record.turns.push(Turn { played, eval: line.eval.map(centidiscs), time });
        }
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
        let ending = match self.forfeit.as_ref().map(|forfeit| forfeit.failing) {
            None => Ending::Played,
            Some(Failing::Clock | Failing::Hang) => Ending::TimedOut,
            Some(_) => Ending::Resigned,
        };
        let score = Score::new(self.score).ok_or_else(|| format!("score {}", self.score))?;
        record.outcome = Some(Outcome { black_centidiscs: score.discs() * 100, ending });
        Ok(record)
    }
}

/// A moment as NBoard writes it: `2026-11-21 07:40:20 GMT`.
fn utc(moment: SystemTime) -> String {
    let seconds = moment.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // After Howard Hinnant's `civil_from_days`: years begin in March.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} GMT")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_nboard_writes_them() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00:00 GMT"),
            (951_782_399, "2000-02-28 23:59:59 GMT"),
            (951_782_400, "2000-02-29 00:00:00 GMT"),
            (1_795_246_820, "2026-11-21 07:40:20 GMT"),
        ] {
            assert_eq!(utc(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }
}
