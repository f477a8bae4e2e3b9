//! Values of every position and every move of a game.

use std::time::Duration;

use umigame_engine::{Estimate, Limits, Report, ScoreKind};
use umigame_othello::{Board, Color, Eval, Move, Position, Score};

/// A value for the side to move, with the kind of search behind it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Valuation {
    /// For the side to move.
    pub estimate: Estimate,
    /// ScoreKind and depth of the search.
    pub kind: ScoreKind,
}

impl Valuation {
    /// The score expected for the side to move.
    pub fn eval(self) -> Eval {
        self.estimate.eval
    }

    /// Returns the value, for the side that moves, of a move to a position of this value.
    #[must_use]
    pub(crate) fn one_ply_before(self) -> Valuation {
        let kind = match self.kind {
            ScoreKind::Depth { plies, confidence } => {
                ScoreKind::Depth { plies: plies.saturating_add(1), confidence }
            }
            kind => kind,
        };
        Valuation { estimate: -self.estimate, kind }
    }

    /// Returns the value for `color`, where `side` is to move.
    pub(crate) fn seen_by(self, color: Color, side: Color) -> Eval {
        if color == side { self.eval() } else { -self.eval() }
    }

    /// Returns the estimate for `color`, where `side` is to move.
    pub(crate) fn estimate_for(self, color: Color, side: Color) -> Estimate {
        if color == side { self.estimate } else { -self.estimate }
    }

    /// Returns the value of an exact score.
    fn exact(score: Score) -> Valuation {
        Valuation { estimate: Estimate::exact(score), kind: ScoreKind::Exact }
    }
}

/// A move and its value for the side that moves.
#[derive(Clone, PartialEq, Debug)]
pub struct ValuedMove {
    /// The move and the best line after it.
    pub line: Vec<Move>,
    /// Value of the move.
    pub value: Valuation,
}

impl ValuedMove {
    /// Returns the move.
    pub fn first(&self) -> Move {
        self.line.first().copied().unwrap_or(Move::Pass)
    }

    /// Returns a move to a judged position.
    fn to(played: Move, next: &Judgement) -> ValuedMove {
        let rest = next.best.iter().flat_map(|best| best.line.iter().copied());
        ValuedMove {
            line: std::iter::once(played).chain(rest).collect(),
            value: next.value.one_ply_before(),
        }
    }

    /// Returns the line of a report, by rank from 0.
    fn of_report(report: &Report, rank: usize) -> Option<ValuedMove> {
        let line = report.lines.get(rank)?;
        Some(ValuedMove {
            line: line.moves.clone(),
            value: Valuation { estimate: line.estimate, kind: report.kind },
        })
    }
}

/// The judgement of one position of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    /// Plies before it; passes count.
    pub ply: usize,
    /// Number of the next move, from 1; passes do not count.
    pub number: usize,
    /// Side to move.
    pub side: Color,
    /// The position.
    pub position: Position,
    /// Value under the best play found.
    pub value: Valuation,
    /// Value by the search of this position alone; of its only move, where it has just one.
    pub searched: Valuation,
    /// Best move, the one played among equals; `None` where the game is over.
    pub best: Option<ValuedMove>,
    /// Move played; `None` in the last position.
    pub played: Option<ValuedMove>,
    /// Other legal moves, best first, none of them valued above the best: where the limits ask for more
    /// than one line.
    pub others: Vec<ValuedMove>,
}

impl Judgement {
    /// Returns the value for Black.
    pub fn black(&self) -> Eval {
        self.value.seen_by(Color::Black, self.side)
    }

    /// Returns the estimate for Black.
    pub(crate) fn black_estimate(&self) -> Estimate {
        self.value.estimate_for(Color::Black, self.side)
    }

    /// Returns the loss of the move played against the best, 0 to 12,800 hundredths of a disc;
    /// `None` in the last position.
    pub fn loss(&self) -> Option<u32> {
        let (best, played) = (self.best.as_ref()?, self.played.as_ref()?);
        let loss = best.value.eval().centidiscs() - played.value.eval().centidiscs();
        Some(loss.max(0).unsigned_abs())
    }

    /// Returns true where the loss is exact: both the position and the move are solved.
    pub fn is_proven(&self) -> bool {
        let played = self.played.as_ref();
        self.value.kind == ScoreKind::Exact
            && played.is_some_and(|played| played.value.kind == ScoreKind::Exact)
    }

    /// Returns the number of legal moves.
    pub fn choices(&self) -> u32 {
        self.position.legal_moves().count()
    }
}

/// Searches one position within limits; returns `None` where it was stopped.
pub type SearchFn<'a> = dyn FnMut(Position, &Limits) -> Option<Report> + 'a;

/// Judges every position of a game, last first, and calls `found` with each; ends early where
/// `search` returns `None`.
///
/// `limits` apply to each position. Time and nodes are shared by all searches of one position: half
/// for its own, the rest for those that compare its moves. Where they ask for more than one line, that
/// many moves of each position are valued, in a search of their own with the same limits.
///
/// A move other than the best is searched on its own, to the depth of the position, so that the
/// two values can be compared; where the position after it is solved, that value counts. So a
/// loss is never negative, and the exact score of a position is that of its best move. Only the
/// end of time or nodes makes a comparison shallower.
///
/// An estimate is the mean of two searches, one a ply deeper than the other. The side that moves
/// last in a search is overestimated, so single searches would go up and down from move to move.
pub fn judge(
    game: &Board,
    limits: &Limits,
    search: &mut SearchFn<'_>,
    found: &mut dyn FnMut(&Judgement),
) {
    let lines = limits.lines();
    let limits = &limits.clone().with_lines(1);
    let mut board = game.clone();
    let mut next: Option<(Move, Judgement)> = None;
    loop {
        let budget = JudgeBudget { time: limits.move_time(), nodes: limits.nodes() };
        let mut judge = PositionJudge { board: &board, limits, budget, search };
        let Some(mut judged) = judge.judge(next.as_ref()) else { return };
        if lines > 1 && judged.choices() > 1 {
            let limits = limits.clone().with_lines(lines);
            let Some(report) = (judge.search)(judged.position, &limits) else { return };
            judged.others = other_moves(&judged, &report);
        }
        found(&judged);
        let Some(played) = board.undo() else { return };
        next = Some((played, judged));
    }
}

/// Time and nodes left for a position, where they are limited.
struct JudgeBudget {
    time: Option<Duration>,
    nodes: Option<u64>,
}

/// The best move and the move played, with comparable values.
struct Comparison {
    best: ValuedMove,
    played: ValuedMove,
}

/// Judges one position. Its functions return `None` where a search was stopped.
struct PositionJudge<'a, 's, 'f> {
    board: &'a Board,
    limits: &'a Limits,
    budget: JudgeBudget,
    search: &'s mut SearchFn<'f>,
}

impl PositionJudge<'_, '_, '_> {
    /// Searches with the fraction 1 / `shares` of the budget.
    fn search(&mut self, position: Position, limits: &Limits, shares: u32) -> Option<Report> {
        let JudgeBudget { time, nodes } = &mut self.budget;
        let limits = limits
            .clone()
            .with_time(time.map(|time| time / shares))
            .with_max_time(None)
            .with_nodes(nodes.map(|nodes| nodes / u64::from(shares)));
        let report = (self.search)(position, &limits)?;
        *time = time.map(|time| time.saturating_sub(report.elapsed));
        *nodes = nodes.map(|nodes| nodes.saturating_sub(report.nodes));
        Some(report)
    }

    /// Judges the position, given the move played and the judgement of the position after it.
    fn judge(&mut self, next: Option<&(Move, Judgement)>) -> Option<Judgement> {
        let position = self.board.position();
        if position.is_over() {
            let value = Valuation::exact(position.final_score());
            return Some(self.judgement(value, value, None, None));
        }
        // The only move has the value of the position after it.
        if let Some((played, next)) = next
            && position.legal_moves().count() <= 1
        {
            let only = Some(ValuedMove::to(*played, next));
            let searched = next.searched.one_ply_before();
            return Some(self.judgement(next.value.one_ply_before(), searched, only.clone(), only));
        }
        let shares = if next.is_some() { 2 } else { 1 };
        let report = self.search(position, self.limits, shares)?;
        let best = ValuedMove::of_report(&report, 0)?;
        let searched = best.value;
        let Some((played, next)) = next else {
            return Some(self.judgement(searched, searched, Some(best), None));
        };
        let Comparison { best, played } = self.compare(&report, best, *played, next)?;
        let best = if played.value.eval() >= best.value.eval() { played.clone() } else { best };
        // A move that wins all 64 discs proves the position, whatever the other moves are.
        let wins_all =
            best.value.kind == ScoreKind::Exact && best.value.eval() == Score::MAX.to_eval();
        let kind = if wins_all { ScoreKind::Exact } else { report.kind };
        let value = Valuation { kind, ..best.value };
        Some(self.judgement(value, searched, Some(best), Some(played)))
    }

    fn compare(
        &mut self,
        report: &Report,
        best: ValuedMove,
        played: Move,
        next: &Judgement,
    ) -> Option<Comparison> {
        if next.value.kind == ScoreKind::Exact {
            return self.compare_with_exact(report, best, played, next);
        }
        if leads_to_same(self.board.position(), best.first(), played) {
            let value = mean_of_depths(best.value, next.searched);
            let best = ValuedMove { line: ValuedMove::to(played, next).line, value };
            return Some(Comparison { played: best.clone(), best });
        }
        let reply =
            self.search(next.position, &limits_one_ply_after(report.kind, self.limits), 2)?;
        let played = match ValuedMove::of_report(&reply, 0) {
            Some(reply) => ValuedMove {
                line: [&[played], reply.line.as_slice()].concat(),
                value: mean_of_depths(reply.value.one_ply_before(), next.searched),
            },
            None => ValuedMove::to(played, next),
        };
        Some(Comparison { best: self.with_mean(best)?, played })
    }

    /// Compares a move to a solved position with the best other move.
    fn compare_with_exact(
        &mut self,
        report: &Report,
        best: ValuedMove,
        played: Move,
        next: &Judgement,
    ) -> Option<Comparison> {
        let position = self.board.position();
        let exact = ValuedMove::to(played, next);
        let is_solved = report.kind == ScoreKind::Exact;
        if !leads_to_same(position, best.first(), played) {
            let best = if is_solved { best } else { self.with_reply(best)? };
            return Some(Comparison { best, played: exact });
        }
        if is_solved || exact.value.eval() >= best.value.eval() {
            return Some(Comparison { best: exact.clone(), played: exact });
        }
        // The move is worth less than its estimate: another may be better than its exact value.
        let report = self.search(position, &self.limits.clone().with_lines(2), 2)?;
        let others = (0..2)
            .filter_map(|rank| ValuedMove::of_report(&report, rank))
            .filter(|other| !leads_to_same(position, other.first(), played));
        let best = match others.max_by_key(|other| other.value.eval()) {
            Some(other) => self.with_reply(other)?,
            None => exact.clone(),
        };
        Some(Comparison { best, played: exact })
    }

    /// Replaces the value of a move by its mean with that of a search one ply deeper.
    fn with_mean(&mut self, best: ValuedMove) -> Option<ValuedMove> {
        let ScoreKind::Depth { plies, confidence } = best.value.kind else { return Some(best) };
        let deeper = ScoreKind::Depth { plies: plies.saturating_add(1), confidence };
        let limits = limits_one_ply_after(deeper, self.limits);
        Some(match self.reply(&best, &limits)? {
            Some(reply) => {
                let value = mean_of_depths(best.value, reply.value);
                ValuedMove { value, ..best }
            }
            None => best,
        })
    }

    /// Replaces the value of a move by that of a search of the position after it, which may solve
    /// it.
    fn with_reply(&mut self, best: ValuedMove) -> Option<ValuedMove> {
        Some(match self.reply(&best, self.limits)? {
            Some(reply) => {
                let value = reply.value.one_ply_before();
                ValuedMove { line: [&[best.first()], reply.line.as_slice()].concat(), value }
            }
            None => best,
        })
    }

    /// Searches the position after a move. The inner `None` says that the game is over there.
    fn reply(&mut self, best: &ValuedMove, limits: &Limits) -> Option<Option<ValuedMove>> {
        let position = self.board.position();
        let next = position.play(best.first());
        let Some(next) = next.filter(|next| !next.is_over()) else { return Some(None) };
        let report = self.search(next, limits, 1)?;
        Some(ValuedMove::of_report(&report, 0))
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
            number: self.board.history().filter(|played| played.square().is_some()).count() + 1,
            side: self.board.side_to_move(),
            position: self.board.position(),
            value,
            searched,
            best,
            played,
            others: Vec::new(),
        }
    }
}

/// Returns the moves of a report other than the best and the one played. Their values are moved by the
/// difference between the value of the best move here and there, so that losses keep: the two searches
/// differ in depth by a ply.
fn other_moves(judged: &Judgement, report: &Report) -> Vec<ValuedMove> {
    let Some(best) = &judged.best else { return Vec::new() };
    let named = [Some(best.first()), judged.played.as_ref().map(ValuedMove::first)];
    let of_best = report.lines.iter().find(|line| line.first() == best.first());
    let is_exact = report.kind == ScoreKind::Exact;
    let shift = match of_best {
        Some(line) if !is_exact => best.value.eval().centidiscs() - line.eval().centidiscs(),
        _ => 0,
    };
    let valued = (0..report.lines.len()).filter_map(|rank| ValuedMove::of_report(report, rank));
    let others = valued.filter(|valued| !named.contains(&Some(valued.first())));
    others
        .map(|mut valued| {
            let eval = &mut valued.value.estimate.eval;
            *eval = Eval::from_centidiscs(eval.centidiscs() + shift).min(best.value.eval());
            valued
        })
        .collect()
}

/// Returns true where two moves lead to the same position up to symmetry.
fn leads_to_same(position: Position, one: Move, other: Move) -> bool {
    let next = |played: Move| {
        let next = played.square().and_then(|square| position.play(square));
        next.map(|next| next.canonical().0)
    };
    one == other || (next(one).is_some() && next(one) == next(other))
}

/// Returns the mean of a move's value and that of the position after it, where both are searches
/// to a depth; else the move's value.
fn mean_of_depths(value: Valuation, next: Valuation) -> Valuation {
    match (value.kind, next.kind) {
        (ScoreKind::Depth { .. }, ScoreKind::Depth { .. }) => {
            Valuation { estimate: value.estimate.mean_with(-next.estimate), ..value }
        }
        _ => value,
    }
}

/// Returns limits that search a position as deep as a search of this kind one ply before it.
fn limits_one_ply_after(kind: ScoreKind, limits: &Limits) -> Limits {
    let limits = limits.clone();
    match kind {
        ScoreKind::Depth { plies, confidence } => limits
            .with_depth(u32::from(plies).saturating_sub(1))
            .with_confidence(confidence)
            .with_exact_from(0),
        ScoreKind::Endgame { confidence } => {
            limits.with_depth(60).with_confidence(confidence).with_exact_from(0)
        }
        // Solving the position before it took no more than these limits.
        ScoreKind::Exact | ScoreKind::WinLossDraw => limits.with_depth(60).with_exact_from(60),
    }
}
