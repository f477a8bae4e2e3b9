//! What every position and every move of a game is worth.

use crate::board::{Board, Color, Eval, Move, Position};
use crate::search::{Kind, Limits, Report};

/// A number for the side to move, and what stands behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Worth {
    /// For the side to move.
    pub eval: Eval,
    /// What stands behind it.
    pub kind: Kind,
}

impl Worth {
    /// What a move that leads to a position of this worth is worth to the
    /// side that makes it.
    #[must_use]
    pub fn one_ply_before(self) -> Worth {
        let kind = match self.kind {
            Kind::Depth { plies, percent } => {
                Kind::Depth { plies: plies.saturating_add(1), percent }
            }
            kind => kind,
        };
        Worth { eval: -self.eval, kind }
    }

    /// The same as this colour sees it, where `side` is to move.
    pub fn seen_by(self, color: Color, side: Color) -> Eval {
        if color == side { self.eval } else { -self.eval }
    }
}

/// A move with its worth to the side that makes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scored {
    /// The move and the play expected after it; the first is the move itself.
    pub line: Vec<Move>,
    /// What it is worth.
    pub worth: Worth,
}

impl Scored {
    /// The move.
    pub fn first(&self) -> Move {
        self.line.first().copied().unwrap_or(Move::Pass)
    }

    /// A move that leads to a judged position.
    fn to(played: Move, next: &Judgement) -> Scored {
        let rest = next.best.iter().flat_map(|best| best.line.iter().copied());
        Scored {
            line: std::iter::once(played).chain(rest).collect(),
            worth: next.worth.one_ply_before(),
        }
    }
}

/// One position of a game and what was made of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// Moves made before it, passes counted.
    pub ply: usize,
    /// Who is to move.
    pub side: Color,
    /// The discs, the side to move first.
    pub position: Position,
    /// What it is worth under the best play that was found.
    pub worth: Worth,
    /// The best move, which is the one played where that is as good; `None`
    /// where the game is over.
    pub best: Option<Scored>,
    /// The move played; `None` after the last one.
    pub played: Option<Scored>,
}

impl Judgement {
    /// What the position is worth to Black.
    pub fn black(&self) -> Eval {
        self.worth.seen_by(Color::Black, self.side)
    }

    /// What the move played is worth less than the best, in hundredths of a
    /// disc from 0 to 12,800; `None` after the last move.
    pub fn loss(&self) -> Option<u32> {
        let (best, played) = (self.best.as_ref()?, self.played.as_ref()?);
        let lost = best.worth.eval.centidiscs() - played.worth.eval.centidiscs();
        Some(lost.max(0).unsigned_abs())
    }

    /// Whether the loss is a fact: both scores are proven.
    pub fn is_proven(&self) -> bool {
        let proven = |scored: &Option<Scored>| {
            scored.as_ref().is_some_and(|scored| scored.worth.kind == Kind::Exact)
        };
        proven(&self.best) && proven(&self.played)
    }

    /// How many moves there were to choose from.
    pub fn choices(&self) -> u32 {
        self.position.moves().count_ones()
    }
}

/// A search of one position within these limits; `None` where it was told to
/// stop and its report is worth nothing.
pub type Search<'a> = dyn FnMut(Position, &Limits) -> Option<Report> + 'a;

/// Judges every position of a game, the last first, each within these limits,
/// and hands each on as it is found; ends early where the search is stopped.
///
/// A move other than the best is searched by itself, as deep as the position
/// was, so that the two numbers can be compared; where the position after it
/// is solved, that counts. So a loss is never negative, and the exact score
/// of a position is the exact score of its best move.
pub fn judge(
    game: &Board,
    limits: &Limits,
    search: &mut Search<'_>,
    found: &mut dyn FnMut(&Judgement),
) {
    let limits = &limits.clone().with_lines(1);
    let mut board = game.clone();
    let mut next: Option<(Move, Judgement)> = None;
    loop {
        let Some(judged) = judge_one(&board, limits, next.as_ref(), search) else { return };
        found(&judged);
        let Some(played) = board.undo() else { return };
        next = Some((played, judged));
    }
}

fn judge_one(
    board: &Board,
    limits: &Limits,
    next: Option<&(Move, Judgement)>,
    search: &mut Search<'_>,
) -> Option<Judgement> {
    let position = board.position();
    let judged = |worth, best, played| Judgement {
        ply: board.plies(),
        side: board.side_to_move(),
        position,
        worth,
        best,
        played,
    };
    if position.is_over() {
        let worth = Worth { eval: position.final_score().to_eval(), kind: Kind::Exact };
        return Some(judged(worth, None, None));
    }
    let played = next.map(|(played, next)| Scored::to(*played, next));
    // A move without an alternative is worth what comes of it.
    if let Some(only) = played.clone().filter(|_| position.moves().count_ones() <= 1) {
        return Some(judged(only.worth, Some(only.clone()), Some(only)));
    }
    let report = search(position, limits)?;
    let best = scored(&report, 0)?;
    let (Some(played), Some((_, next))) = (played, next) else {
        return Some(judged(best.worth, Some(best), None));
    };
    let same = best.first() == played.first();
    let surer = played.worth.kind == Kind::Exact && report.kind != Kind::Exact;
    let (best, played) = match (same, surer) {
        // The others have yet to be measured against what the move is really worth.
        (true, true) if played.worth.eval < best.worth.eval => {
            let report = search(position, &limits.clone().with_lines(2))?;
            let other = (0..2).filter_map(|rank| scored(&report, rank));
            let other = other.max_by_key(|other| {
                (other.first() != played.first()).then_some(other.worth.eval)
            })?;
            (other, played)
        }
        (true, true) => (played.clone(), played),
        (true, false) => (best.clone(), best),
        (false, true) => (best, played),
        (false, false) if played.worth.kind == Kind::Exact => (best, played),
        (false, false) => {
            let report = search(next.position, &as_deep(report.kind, limits))?;
            let played = match scored(&report, 0) {
                Some(reply) => Scored {
                    line: std::iter::once(played.first()).chain(reply.line).collect(),
                    worth: reply.worth.one_ply_before(),
                },
                None => played,
            };
            (best, played)
        }
    };
    let best = if played.worth.eval >= best.worth.eval { played.clone() } else { best };
    // The best move may be proven where the others are not.
    let worth = Worth { eval: best.worth.eval, kind: report.kind };
    Some(judged(worth, Some(best), Some(played)))
}

/// The move of this rank in a report.
fn scored(report: &Report, rank: usize) -> Option<Scored> {
    let line = report.lines.get(rank)?;
    Some(Scored { line: line.moves.clone(), worth: Worth { eval: line.eval, kind: report.kind } })
}

/// The limits that search a position as a search of this kind, one ply
/// before, has looked at it.
fn as_deep(kind: Kind, limits: &Limits) -> Limits {
    use crate::search::Selectivity;
    let selectivity =
        |percent: u8| Selectivity::from_percent(percent.into()).unwrap_or(Selectivity::NONE);
    match kind {
        Kind::Depth { plies, percent } => Limits {
            depth: u32::from(plies).saturating_sub(1).max(1),
            selectivity: selectivity(percent),
            solve_from: 0,
            nodes: None,
            time: None,
            ..limits.clone()
        },
        Kind::Ending { percent } => Limits {
            depth: 60,
            selectivity: selectivity(percent),
            solve_from: 0,
            nodes: None,
            time: None,
            ..limits.clone()
        },
        // What was read out to its end within these limits has shown the way.
        Kind::Exact | Kind::WinLossDraw => Limits { depth: 60, solve_from: 60, ..limits.clone() },
    }
}
