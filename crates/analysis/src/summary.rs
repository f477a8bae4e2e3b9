//! What a judged game comes to: the losses of each side, the moves on which
//! it turned, and the opening.

use std::cmp::Reverse;
use std::fmt;

use super::judge::Judgement;
use umigame_othello::game::{Outcome, Record, ReplayError, openings};
use umigame_othello::{Board, Color, Eval, Move, Position, Score};

/// From this loss on a move is an inaccuracy, in hundredths of a disc.
const INACCURACY_CENTIDISCS: u32 = 200;
/// From this loss on it is a mistake.
const MISTAKE_CENTIDISCS: u32 = 400;
/// From this loss on it is a blunder.
const BLUNDER_CENTIDISCS: u32 = 1000;
/// A loss that is not proven must be so great to turn a game: estimates
/// that are nearly equal change sides without a reason.
const TURNING_MIN_ESTIMATED_LOSS_CENTIDISCS: u32 = 200;
/// How many turning points are told at most.
const MAX_TURNING_POINTS: usize = 6;

/// How good a move is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Grade {
    /// There was no other.
    Forced,
    /// None is better.
    Best,
    /// It lost less than two discs.
    Good,
    /// It lost two discs or more.
    Inaccuracy,
    /// It lost four discs or more.
    Mistake,
    /// It lost ten discs or more.
    Blunder,
}

impl Grade {
    /// The grade of the move played in a position; `None` after the last.
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

    /// The mark that chess players put behind such a move.
    pub const fn mark(self) -> &'static str {
        match self {
            Grade::Forced | Grade::Best | Grade::Good => "",
            Grade::Inaccuracy => "?!",
            Grade::Mistake => "?",
            Grade::Blunder => "??",
        }
    }

    /// `forced`, `best`, `good`, `inaccuracy`, `mistake`, `blunder`.
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

/// Where a side stands: it wins, draws or loses by so much.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// For the side in question.
    pub eval: Eval,
    /// Whether that is proven.
    pub proven: bool,
}

impl Standing {
    /// 1 where the side wins, 0 for a draw, -1 where it loses. An estimate
    /// of less than half a disc is a draw.
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
        match self.proven {
            true => write!(f, "{word} {}", self.eval.round().discs().abs()),
            false => write!(f, "{word} {:.1}", self.eval.discs().abs()),
        }
    }
}

/// A move on which the game turned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TurningPoint {
    /// Moves made before it, passes counted.
    pub ply: usize,
    /// Its number, passes not counted.
    pub number: usize,
    /// Who made it.
    pub side: Color,
    /// The move.
    pub played: Move,
    /// A better one.
    pub better: Move,
    /// Where the mover stood with the better move.
    pub before: Standing,
    /// Where the mover stood with this one.
    pub after: Standing,
    /// The difference, in hundredths of a disc.
    pub loss: u32,
}

/// What one side did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SideTotals {
    /// Discs placed.
    pub moves: u32,
    /// Moves where there was a choice; the other numbers count only these.
    pub choices: u32,
    /// Moves that lost nothing.
    pub best: u32,
    /// All losses together, in hundredths of a disc.
    pub loss: u32,
    /// Moves that lost two discs or more, but less than four.
    pub inaccuracies: u32,
    /// Moves that lost four discs or more, but less than ten.
    pub mistakes: u32,
    /// Moves that lost ten discs or more.
    pub blunders: u32,
}

impl SideTotals {
    /// Discs lost a move where there was a choice, if there was any.
    pub fn mean_loss(&self) -> Option<f64> {
        (self.choices > 0).then(|| f64::from(self.loss) / 100.0 / f64::from(self.choices))
    }

    /// The share of the moves that lost nothing, from 0 to 1, if there was a
    /// choice at all.
    pub fn accuracy(&self) -> Option<f64> {
        (self.choices > 0).then(|| f64::from(self.best) / f64::from(self.choices))
    }

    /// These totals and others together.
    pub fn add(&mut self, other: &SideTotals) {
        self.moves += other.moves;
        self.choices += other.choices;
        self.best += other.best;
        self.loss += other.loss;
        self.inaccuracies += other.inaccuracies;
        self.mistakes += other.mistakes;
        self.blunders += other.blunders;
    }
}

/// The name of an opening that a game has followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReachedOpening {
    /// The name.
    pub name: &'static str,
    /// Moves to the position that has it.
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
    /// A game with the judgements of its positions in any order. Where the
    /// judging was stopped, those of the first positions are missing.
    ///
    /// # Errors
    /// The game has an illegal move.
    pub fn new(record: Record, judgements: Vec<Judgement>) -> Result<Analysis, ReplayError> {
        let board = record.board()?;
        let mut judgements = judgements;
        judgements.sort_by_key(|judged| judged.ply);
        Ok(Analysis { record, board, judgements })
    }

    /// The game.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The board after the last move.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Every position of the game in order, the last one included.
    pub fn judgements(&self) -> &[Judgement] {
        &self.judgements
    }

    /// Whether every position of the game was judged.
    pub fn is_complete(&self) -> bool {
        self.judgements.len() > self.board.plies()
    }

    /// What was judged, where that is not the whole game: `only moves 37 to
    /// 60 were judged`.
    pub fn gap_sentence(&self) -> Option<String> {
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

    /// The discs after so many moves, and who is to move; the last position
    /// where there are fewer.
    pub fn position_at(&self, ply: usize) -> (Position, Color) {
        let mut board = self.board.clone();
        while board.plies() > ply && board.undo().is_some() {}
        (board.position(), board.side_to_move())
    }

    /// What a side did.
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

    /// The moves on which the game turned, in order: those that gave a win or
    /// a draw away, and the greatest mistakes besides; six at most.
    pub fn turning_points(&self) -> Vec<TurningPoint> {
        let mut found: Vec<(bool, TurningPoint)> =
            self.judgements.iter().filter_map(turning_point).collect();
        found.sort_by_key(|(turned, point)| (!turned, Reverse(point.loss), point.ply));
        found.truncate(MAX_TURNING_POINTS);
        let mut points: Vec<TurningPoint> = found.into_iter().map(|(_, point)| point).collect();
        points.sort_by_key(|point| point.ply);
        points
    }

    /// The English and the Japanese name of the longest named lines that the
    /// game has followed.
    pub fn openings(&self) -> [Option<ReachedOpening>; 2] {
        let of = |name: fn(&openings::Opening) -> Option<&'static str>| {
            openings::along(&self.board)
                .find_map(|line| Some(ReachedOpening { name: name(&line)?, plies: line.plies() }))
        };
        [of(openings::Opening::english), of(openings::Opening::japanese)]
    }

    /// The score for Black, if the game is over on the board or the record
    /// states how it ended.
    pub fn score_for_black(&self) -> Option<Score> {
        match self.board.is_over() {
            true => Some(self.board.score_for_black()),
            false => self.record.outcome.and_then(Outcome::score_for_black),
        }
    }
}

/// A move that gave something away, and whether it changed who wins.
fn turning_point(judged: &Judgement) -> Option<(bool, TurningPoint)> {
    let (best, played, loss) = (judged.best.as_ref()?, judged.played.as_ref()?, judged.loss()?);
    let standing = |scored: &super::ValuedMove| Standing {
        eval: scored.value.eval,
        proven: scored.value.kind.is_proven(),
    };
    let (before, after) = (standing(best), standing(played));
    let told = judged.is_proven() || loss >= TURNING_MIN_ESTIMATED_LOSS_CENTIDISCS;
    let turned = before.sign() > after.sign() && told;
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
