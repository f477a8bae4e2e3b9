//! What every position and every move of a game is worth.

use std::time::Duration;

use umigame_engine::search::{Confidence, Limits, Report, ScoreKind};
use umigame_othello::{Board, Color, Eval, Move, Position, Score};

/// A number for the side to move, and what stands behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Valuation {
    /// For the side to move.
    pub eval: Eval,
    /// What stands behind it.
    pub kind: ScoreKind,
}

impl Valuation {
    /// What a move that leads to a position of this worth is worth to the
    /// side that makes it.
    #[must_use]
    pub fn one_ply_before(self) -> Valuation {
        let kind = match self.kind {
            ScoreKind::Depth { plies, percent } => {
                ScoreKind::Depth { plies: plies.saturating_add(1), percent }
            }
            kind => kind,
        };
        Valuation { eval: -self.eval, kind }
    }

    /// The same as this colour sees it, where `side` is to move.
    pub fn seen_by(self, color: Color, side: Color) -> Eval {
        if color == side { self.eval } else { -self.eval }
    }
}

/// A move with its worth to the side that makes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValuedMove {
    /// The move and the play expected after it; the first is the move itself.
    pub line: Vec<Move>,
    /// What it is worth.
    pub value: Valuation,
}

impl ValuedMove {
    /// The move.
    pub fn first(&self) -> Move {
        self.line.first().copied().unwrap_or(Move::Pass)
    }

    /// A move that leads to a judged position.
    fn to(played: Move, next: &Judgement) -> ValuedMove {
        let rest = next.best.iter().flat_map(|best| best.line.iter().copied());
        ValuedMove {
            line: std::iter::once(played).chain(rest).collect(),
            value: next.value.one_ply_before(),
        }
    }
}

/// One position of a game and what was made of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// Moves made before it, passes counted.
    pub ply: usize,
    /// The number of the move that is due, from 1, passes not counted.
    pub number: usize,
    /// Who is to move.
    pub side: Color,
    /// The discs, the side to move first.
    pub position: Position,
    /// What it is worth under the best play that was found.
    pub value: Valuation,
    /// What its own search said, or its only move or the rules.
    pub searched: Valuation,
    /// The best move, which is the one played where that is as good; `None`
    /// where the game is over.
    pub best: Option<ValuedMove>,
    /// The move played; `None` after the last one.
    pub played: Option<ValuedMove>,
}

impl Judgement {
    /// What the position is worth to Black.
    pub fn black(&self) -> Eval {
        self.value.seen_by(Color::Black, self.side)
    }

    /// What the move played is worth less than the best, in hundredths of a
    /// disc from 0 to 12,800; `None` after the last move.
    pub fn loss(&self) -> Option<u32> {
        let (best, played) = (self.best.as_ref()?, self.played.as_ref()?);
        let lost = best.value.eval.centidiscs() - played.value.eval.centidiscs();
        Some(lost.max(0).unsigned_abs())
    }

    /// Whether the loss is a fact: the position and the move are solved.
    pub fn is_proven(&self) -> bool {
        let played = self.played.as_ref();
        self.value.kind == ScoreKind::Exact
            && played.is_some_and(|played| played.value.kind == ScoreKind::Exact)
    }

    /// How many moves there were to choose from.
    pub fn choices(&self) -> u32 {
        self.position.moves().count_ones()
    }
}

/// A search of one position within these limits; `None` where it was told to
/// stop and its report is worth nothing.
pub type SearchFn<'a> = dyn FnMut(Position, &Limits) -> Option<Report> + 'a;

/// Judges every position of a game, the last first, each within these limits,
/// and hands each on as it is found; ends early where the search is stopped.
/// Time and nodes are for all the searches of one position together: half for
/// its own, the rest for those that compare its moves.
///
/// A move other than the best is searched by itself, as deep as the position
/// was, so that the two numbers can be compared; where the position after it
/// is solved, that counts. Less deep is only what time or nodes have ended. So
/// a loss is never negative, and the exact score of a position is the exact
/// score of its best move.
///
/// An estimate is the mean of two searches, one a ply deeper than the other:
/// a search whose last move is one side's own thinks more of that side, and
/// from move to move that would go up and down.
pub fn judge(
    game: &Board,
    limits: &Limits,
    search: &mut SearchFn<'_>,
    found: &mut dyn FnMut(&Judgement),
) {
    let limits = &limits.clone().with_lines(1);
    let mut board = game.clone();
    let mut next: Option<(Move, Judgement)> = None;
    loop {
        let left = Remaining { time: limits.move_time, nodes: limits.nodes };
        let mut judge = PositionJudge { board: &board, limits, left, search };
        let Some(judged) = judge.judge(next.as_ref()) else { return };
        found(&judged);
        let Some(played) = board.undo() else { return };
        next = Some((played, judged));
    }
}

/// What a position may still use, where that is bounded.
struct Remaining {
    time: Option<Duration>,
    nodes: Option<u64>,
}

/// One position being judged.
struct PositionJudge<'a, 's, 'f> {
    board: &'a Board,
    limits: &'a Limits,
    left: Remaining,
    search: &'s mut SearchFn<'f>,
}

impl PositionJudge<'_, '_, '_> {
    /// Searches with one of so many equal shares of what is left.
    fn look(&mut self, position: Position, limits: &Limits, shares: u32) -> Option<Report> {
        let Remaining { time, nodes } = &mut self.left;
        let limits = Limits {
            move_time: time.map(|time| time / shares),
            nodes: nodes.map(|nodes| (nodes / u64::from(shares)).max(1)),
            ..limits.clone()
        };
        let report = (self.search)(position, &limits)?;
        *time = time.map(|time| time.saturating_sub(report.elapsed));
        *nodes = nodes.map(|nodes| nodes.saturating_sub(report.nodes));
        Some(report)
    }

    /// Judges the position before a move that led to a judged one; `None`
    /// where a search was stopped.
    fn judge(&mut self, next: Option<&(Move, Judgement)>) -> Option<Judgement> {
        let position = self.board.position();
        if position.is_over() {
            let value =
                Valuation { eval: position.final_score().to_eval(), kind: ScoreKind::Exact };
            return Some(self.judgement(value, value, None, None));
        }
        // A move without an alternative is worth what comes of it.
        if let Some((played, next)) = next
            && position.moves().count_ones() <= 1
        {
            let only = Some(ValuedMove::to(*played, next));
            let searched = next.searched.one_ply_before();
            return Some(self.judgement(next.value.one_ply_before(), searched, only.clone(), only));
        }
        let limits = self.limits;
        let report = self.look(position, limits, if next.is_some() { 2 } else { 1 })?;
        let best = scored(&report, 0)?;
        let searched = best.value;
        let Some((played, next)) = next else {
            return Some(self.judgement(searched, searched, Some(best), None));
        };
        let (best, played) = self.compare(&report, best, *played, next)?;
        let best = if played.value.eval >= best.value.eval { played.clone() } else { best };
        // The best move may be proven where the others are not; but none wins more than all.
        let wins_all =
            best.value.kind == ScoreKind::Exact && best.value.eval == Score::MAX.to_eval();
        let kind = if wins_all { ScoreKind::Exact } else { report.kind };
        let value = Valuation { eval: best.value.eval, kind };
        Some(self.judgement(value, searched, Some(best), Some(played)))
    }

    /// The best move and the one played, with numbers that can be compared.
    fn compare(
        &mut self,
        report: &Report,
        best: ValuedMove,
        played: Move,
        next: &Judgement,
    ) -> Option<(ValuedMove, ValuedMove)> {
        let position = self.board.position();
        let same = is_same(position, best.first(), played);
        let exact = ValuedMove::to(played, next);
        if next.value.kind == ScoreKind::Exact {
            let other = match (same, report.kind == ScoreKind::Exact) {
                (false, true) => best,
                (false, false) => self.solved(best)?,
                // The others have yet to be measured against what the move is really worth.
                (true, false) if exact.value.eval < best.value.eval => {
                    let report = self.look(position, &self.limits.clone().with_lines(2), 2)?;
                    let others = (0..2).filter_map(|rank| scored(&report, rank));
                    let others = others.filter(|other| !is_same(position, other.first(), played));
                    match others.max_by_key(|other| other.value.eval) {
                        Some(other) => self.solved(other)?,
                        None => exact.clone(),
                    }
                }
                (true, _) => exact.clone(),
            };
            return Some((other, exact));
        }
        if same {
            let line = exact.line;
            let value = steadied(best.value, next.searched);
            let best = ValuedMove { line, value };
            return Some((best.clone(), best));
        }
        let line = |reply: &ValuedMove| [&[played], reply.line.as_slice()].concat();
        let reply = self.look(next.position, &as_deep(report.kind, self.limits), 2)?;
        let played = match scored(&reply, 0) {
            Some(reply) => ValuedMove {
                line: line(&reply),
                value: steadied(reply.value.one_ply_before(), next.searched),
            },
            None => exact,
        };
        Some((self.steady(best)?, played))
    }

    /// A move with the mean of its number and that of a search a ply deeper.
    fn steady(&mut self, best: ValuedMove) -> Option<ValuedMove> {
        let ScoreKind::Depth { plies, percent } = best.value.kind else { return Some(best) };
        let deeper = ScoreKind::Depth { plies: plies.saturating_add(1), percent };
        let limits = as_deep(deeper, self.limits);
        let Some(reply) = self.reply(&best, &limits)? else { return Some(best) };
        let value = steadied(best.value, reply.value);
        Some(ValuedMove { value, ..best })
    }

    /// A move with the number of a search that may solve the position after
    /// it.
    fn solved(&mut self, best: ValuedMove) -> Option<ValuedMove> {
        let limits = self.limits;
        let Some(reply) = self.reply(&best, limits)? else { return Some(best) };
        let value = reply.value.one_ply_before();
        Some(ValuedMove { line: [&[best.first()], reply.line.as_slice()].concat(), value })
    }

    /// The best reply to a move, `Some(None)` where the game is then over.
    fn reply(&mut self, best: &ValuedMove, limits: &Limits) -> Option<Option<ValuedMove>> {
        let position = self.board.position();
        let next = match best.first() {
            Move::Place(square) => position.place(square),
            Move::Pass => Some(position.passed()),
        };
        match next.filter(|next| !next.is_over()) {
            Some(next) => Some(scored(&self.look(next, limits, 1)?, 0)),
            None => Some(None),
        }
    }

    fn judgement(
        &self,
        value: Valuation,
        searched: Valuation,
        best: Option<ValuedMove>,
        played: Option<ValuedMove>,
    ) -> Judgement {
        Judgement {
            ply: self.board.plies(),
            number: self.board.moves().filter(|played| played.square().is_some()).count() + 1,
            side: self.board.side_to_move(),
            position: self.board.position(),
            value,
            searched,
            best,
            played,
        }
    }
}

/// Whether two moves lead to one position, perhaps turned or mirrored.
fn is_same(position: Position, one: Move, other: Move) -> bool {
    let next = |played: Move| {
        let next = played.square().and_then(|square| position.place(square));
        next.map(|next| next.canonical().0)
    };
    one == other || (next(one).is_some() && next(one) == next(other))
}

/// The mean of the number of a move and of what the position after it is
/// worth by a search as deep, where both are searches to a depth.
fn steadied(value: Valuation, next: Valuation) -> Valuation {
    match (value.kind, next.kind) {
        (ScoreKind::Depth { .. }, ScoreKind::Depth { .. }) => {
            let sum = value.eval.centidiscs() - next.eval.centidiscs();
            Valuation { eval: Eval::from_centidiscs(sum / 2), ..value }
        }
        _ => value,
    }
}

/// The move of this rank in a report.
fn scored(report: &Report, rank: usize) -> Option<ValuedMove> {
    let line = report.lines.get(rank)?;
    Some(ValuedMove {
        line: line.moves.clone(),
        value: Valuation { eval: line.eval, kind: report.kind },
    })
}

/// The limits that search a position as a search of this kind, one ply
/// before, has looked at it.
fn as_deep(kind: ScoreKind, limits: &Limits) -> Limits {
    let confidence =
        |percent: u8| Confidence::from_percent(percent.into()).unwrap_or(Confidence::FULL);
    match kind {
        ScoreKind::Depth { plies, percent } => Limits {
            depth: u32::from(plies).saturating_sub(1).max(1),
            confidence: confidence(percent),
            solve_from: 0,
            ..limits.clone()
        },
        ScoreKind::Ending { percent } => {
            Limits { depth: 60, confidence: confidence(percent), solve_from: 0, ..limits.clone() }
        }
        // What was read out to its end within these limits has shown the way.
        ScoreKind::Exact | ScoreKind::WinLossDraw => {
            Limits { depth: 60, solve_from: 60, ..limits.clone() }
        }
    }
}
