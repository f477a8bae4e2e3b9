//! Summary of a judged game: the losses of each side, the turning points, the opening.

use std::cmp::Reverse;
use std::fmt;

use derive_more::AddAssign;

use umigame_engine::Limits;

use crate::judge::{Judgement, SearchFn, ValuedMove, judge};
use umigame_othello::{Board, Color, Eval, Move, Position, Score};
use umigame_othello::{GameOutcome, Record, ReplayError, openings};

/// Loss from which a move is an inaccuracy.
const INACCURACY_CENTIDISCS: u32 = 200;
/// Loss from which a move is a mistake.
const MISTAKE_CENTIDISCS: u32 = 400;
/// Loss from which a move is a blunder.
const BLUNDER_CENTIDISCS: u32 = 1000;
/// Estimated loss from which a move may turn a game: nearly equal estimates change sides by chance.
const TURNING_MIN_ESTIMATED_LOSS_CENTIDISCS: u32 = 200;
/// Turning points of a game, at most.
const MAX_TURNING_POINTS: usize = 6;

/// The quality of a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Grade {
    /// The only legal move.
    Forced,
    /// No move is better.
    Best,
    /// Loses less than two discs.
    Good,
    /// Loses two discs or more.
    Inaccuracy,
    /// Loses four discs or more.
    Mistake,
    /// Loses ten discs or more.
    Blunder,
}

impl Grade {
    /// Returns the grade of the move played in a position; `None` in the last position.
    pub fn of(judged: &Judgement) -> Option<Grade> {
        Some(match judged.loss()? {
            _ if judged.choices() <= 1 => Grade::Forced,
            loss if loss >= BLUNDER_CENTIDISCS => Grade::Blunder,
            loss if loss >= MISTAKE_CENTIDISCS => Grade::Mistake,
            loss if loss >= INACCURACY_CENTIDISCS => Grade::Inaccuracy,
            loss if loss > 0 => Grade::Good,
            _ => Grade::Best,
        })
    }

    /// Returns the mark of a move, as chess players write it.
    pub const fn mark(self) -> &'static str {
        match self {
            Grade::Forced | Grade::Best | Grade::Good => "",
            Grade::Inaccuracy => "?!",
            Grade::Mistake => "?",
            Grade::Blunder => "??",
        }
    }

    /// Returns `forced`, `best`, `good`, `inaccuracy`, `mistake` or `blunder`.
    pub const fn word(self) -> &'static str {
        match self {
            Grade::Forced => "forced",
            Grade::Best => "best",
            Grade::Good => "good",
            Grade::Inaccuracy => "inaccuracy",
            Grade::Mistake => "mistake",
            Grade::Blunder => "blunder",
        }
    }
}

/// The value of a position as a result: won, drawn or lost, by a number of discs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// For the side that moved.
    pub eval: Eval,
    /// The value is proven.
    pub proven: bool,
}

impl Standing {
    /// Returns 1 for a win, 0 for a draw, -1 for a loss. An estimate below half a disc is a draw.
    pub fn sign(self) -> i32 {
        let discs = if self.proven { self.eval.centidiscs() } else { self.eval.centidiscs() / 50 };
        discs.signum()
    }
}

/// `won by 4`, `drawn`, `lost by about 2.3`.
impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match (self.sign(), self.proven) {
            (0, true) => return f.write_str("drawn"),
            (0, false) => return f.write_str("about even"),
            (1, true) => "won by",
            (1, false) => "ahead by about",
            (_, true) => "lost by",
            (_, false) => "behind by about",
        };
        if self.proven {
            write!(f, "{word} {}", self.eval.round().discs().abs())
        } else {
            write!(f, "{word} {:.1}", self.eval.discs().abs())
        }
    }
}

/// A move that changed the result, or a large mistake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TurningPoint {
    /// Plies before it; passes count.
    pub ply: usize,
    /// Number of the move; passes do not count.
    pub number: usize,
    /// Side that moved.
    pub side: Color,
    /// Move played.
    pub played: Move,
    /// Better move.
    pub better: Move,
    /// Result with the better move, for the side that moved.
    pub before: Standing,
    /// Result with the move played, for the side that moved.
    pub after: Standing,
    /// Difference, in hundredths of a disc.
    pub loss: u32,
}

/// Totals of one side.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, AddAssign)]
pub struct SideTotals {
    /// Discs placed.
    pub moves: u32,
    /// Moves where there was a choice; the numbers below count only these.
    pub choices: u32,
    /// Moves that lost nothing.
    pub best: u32,
    /// Sum of all losses, in hundredths of a disc.
    pub loss: u32,
    /// Moves that lost two discs or more, less than four.
    pub inaccuracies: u32,
    /// Moves that lost four discs or more, less than ten.
    pub mistakes: u32,
    /// Moves that lost ten discs or more.
    pub blunders: u32,
}

impl SideTotals {
    /// Returns the mean loss in discs of moves with a choice; `None` without any.
    pub fn mean_loss(&self) -> Option<f64> {
        (self.choices > 0).then(|| f64::from(self.loss) / 100.0 / f64::from(self.choices))
    }

    /// Returns the share of moves with a choice that lost nothing, 0 to 1; `None` without any.
    pub fn accuracy(&self) -> Option<f64> {
        (self.choices > 0).then(|| f64::from(self.best) / f64::from(self.choices))
    }
}

/// An opening that a game reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReachedOpening {
    /// Name.
    pub name: &'static str,
    /// Number of moves that reach it.
    pub plies: usize,
}

/// A game and its judgements.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis {
    record: Record,
    board: Board,
    judgements: Vec<Judgement>,
}

impl Analysis {
    /// Makes an analysis from the judgements of a game in any order.
    ///
    /// Where judging was stopped, the judgements of the first positions are missing.
    ///
    /// # Errors
    /// The game has an illegal move.
    pub fn new(record: Record, judgements: Vec<Judgement>) -> Result<Analysis, ReplayError> {
        let board = record.board()?;
        let mut judgements = judgements;
        judgements.sort_by_key(|judged| judged.ply);
        Ok(Analysis { record, board, judgements })
    }

    /// Judges a game as [`judge`] does. `grown` receives the analysis without a judgement, and then with
    /// each.
    ///
    /// # Errors
    /// The game has an illegal move.
    pub fn of_game(
        record: Record,
        limits: &Limits,
        search: &mut SearchFn<'_>,
        grown: &mut dyn FnMut(&Analysis),
    ) -> Result<Analysis, ReplayError> {
        let mut analysis = Analysis::new(record, Vec::new())?;
        grown(&analysis);
        judge(&analysis.board.clone(), limits, search, &mut |judged| {
            // They come from the end of the game.
            analysis.judgements.insert(0, judged.clone());
            grown(&analysis);
        });
        Ok(analysis)
    }

    /// Returns the analysis without players, place and date.
    pub(crate) fn anonymous(&self) -> Analysis {
        let Record { start, side, turns, outcome, .. } = self.record.clone();
        let record = Record { turns, outcome, ..Record::from_start(start, side) };
        Analysis { record, ..self.clone() }
    }

    /// Returns the game.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Returns the board after the last move.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the judgements in order, that of the last position included.
    pub fn judgements(&self) -> &[Judgement] {
        &self.judgements
    }

    /// Returns true where every position of the game was judged.
    pub fn is_complete(&self) -> bool {
        self.judgements.len() > self.board.plies()
    }

    /// Returns the judged part of an incomplete analysis: `only moves 37 to 60 were judged`.
    pub(crate) fn gap_sentence(&self) -> Option<String> {
        if self.is_complete() {
            return None;
        }
        let judged = |judged: &&Judgement| judged.played.is_some() && !judged.position.must_pass();
        let moves = || self.judgements.iter().filter(judged).map(|judged| judged.number);
        Some(match (moves().next(), moves().next_back(), self.judgements.is_empty()) {
            (Some(first), Some(last), _) if first < last => {
                format!("only moves {first} to {last} were judged")
            }
            (Some(first), ..) => format!("only move {first} was judged"),
            (None, _, false) => "only the last position was judged".to_owned(),
            (None, _, true) => "nothing was judged".to_owned(),
        })
    }

    /// Returns the position after `ply` plies and its side to move; the last position of a shorter
    /// game.
    pub(crate) fn position_at(&self, ply: usize) -> (Position, Color) {
        let mut board = self.board.clone();
        while board.plies() > ply && board.undo().is_some() {}
        (board.position(), board.side_to_move())
    }

    /// Returns the totals of a side.
    pub fn totals(&self, color: Color) -> SideTotals {
        let mut totals = SideTotals::default();
        for judged in self.judgements.iter().filter(|judged| judged.side == color) {
            let (Some(grade), Some(loss)) = (Grade::of(judged), judged.loss()) else { continue };
            totals.moves += u32::from(judged.choices() > 0);
            if grade == Grade::Forced {
                continue;
            }
            totals.choices += 1;
            totals.loss += loss;
            match grade {
                Grade::Forced | Grade::Good => {}
                Grade::Best => totals.best += 1,
                Grade::Inaccuracy => totals.inaccuracies += 1,
                Grade::Mistake => totals.mistakes += 1,
                Grade::Blunder => totals.blunders += 1,
            }
        }
        totals
    }

    /// Returns at most six turning points in order: moves that gave a win or a draw away first, then
    /// the largest mistakes.
    pub fn turning_points(&self) -> Vec<TurningPoint> {
        let mut found: Vec<(bool, TurningPoint)> =
            self.judgements.iter().filter_map(turning_point).collect();
        found.sort_by_key(|(turned, point)| (!turned, Reverse(point.loss), point.ply));
        found.truncate(MAX_TURNING_POINTS);
        let mut points: Vec<TurningPoint> = found.into_iter().map(|(_, point)| point).collect();
        points.sort_by_key(|point| point.ply);
        points
    }

    /// Returns the last openings of the game that have an English and a Japanese name.
    pub fn openings(&self) -> [Option<ReachedOpening>; 2] {
        let of = |name: fn(&openings::Opening) -> Option<&'static str>| {
            openings::along(&self.board)
                .find_map(|line| Some(ReachedOpening { name: name(&line)?, plies: line.plies() }))
        };
        [of(openings::Opening::english), of(openings::Opening::japanese)]
    }

    /// Returns the score for Black where the game is over or the record has a result.
    pub fn score_for_black(&self) -> Option<Score> {
        if self.board.is_over() {
            Some(self.board.score_for_black())
        } else {
            self.record.outcome.and_then(GameOutcome::score_for_black)
        }
    }
}

/// Returns the move of a position where it is a turning point, and true where it changed the
/// result.
fn turning_point(judged: &Judgement) -> Option<(bool, TurningPoint)> {
    let (best, played, loss) = (judged.best.as_ref()?, judged.played.as_ref()?, judged.loss()?);
    let standing = |scored: &ValuedMove| Standing {
        eval: scored.value.eval(),
        proven: scored.value.kind.is_proven(),
    };
    let (before, after) = (standing(best), standing(played));
    let is_clear = judged.is_proven() || loss >= TURNING_MIN_ESTIMATED_LOSS_CENTIDISCS;
    let turned = before.sign() > after.sign() && is_clear;
    let point = TurningPoint {
        ply: judged.ply,
        number: judged.number,
        side: judged.side,
        played: played.first(),
        better: best.first(),
        before,
        after,
        loss,
    };
    (judged.choices() > 1 && (turned || loss >= MISTAKE_CENTIDISCS)).then_some((turned, point))
}
