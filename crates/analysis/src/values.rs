//! Values of moves as boards show them, in text and as pictures.

use umigame_engine::{Bound, Report, ReportLine, ScoreKind};
use umigame_othello::{Eval, Square};

use crate::estimate::std_dev_text;
use crate::text::number;

/// The value of a move, written on its square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SquareValue {
    /// The square.
    pub square: Square,
    /// Discs for the side to move, in ASCII: `+3.2`, `-4` where whole or exact, `win`.
    pub text: String,
    /// The standard deviation, `+-1.4`; `exact` where the value is; else empty.
    pub spread: String,
    /// No other value is better.
    pub is_best: bool,
}

/// Returns the values of the moves of a report.
pub fn of_report(report: &Report) -> Vec<SquareValue> {
    of_lines(report.lines.iter().map(|line| (line, line.kind)))
}

/// Returns the values of moves that were searched in different ways.
pub fn of_lines<'a>(
    lines: impl Iterator<Item = (&'a ReportLine, ScoreKind)> + Clone,
) -> Vec<SquareValue> {
    let best = lines.clone().map(|(line, _)| line.eval()).max();
    let value = |(line, kind): (&ReportLine, ScoreKind)| {
        let is_exact = kind == ScoreKind::Exact && line.bound == Bound::Exact;
        let spread = if is_exact { "exact".to_owned() } else { std_dev_text(line.estimate) };
        let (text, is_best) = (score_text(line, kind), Some(line.eval()) == best);
        line.first().square().map(|square| SquareValue { square, text, spread, is_best })
    };
    lines.filter_map(value).collect()
}

/// Returns values of which nothing but the number is known; whole discs have no decimals.
pub fn of_evals(evals: &[(Square, Eval)]) -> Vec<SquareValue> {
    let best = evals.iter().map(|(_, eval)| *eval).max();
    let value = |&(square, eval): &(Square, Eval)| {
        let is_whole = eval.round().to_eval() == eval;
        let text =
            if is_whole { eval.round().to_string() } else { format!("{:+.1}", eval.discs()) };
        SquareValue { square, text, spread: String::new(), is_best: Some(eval) == best }
    };
    evals.iter().map(value).collect()
}

/// Returns an estimate in tenths, an exact score in discs, or a proven result as a word; with `>=` or
/// `<=` if it is a bound.
pub fn score_text(line: &ReportLine, kind: ScoreKind) -> String {
    let number = match kind {
        ScoreKind::WinLossDraw => match line.eval().centidiscs().signum() {
            1 => "win".to_owned(),
            0 => "draw".to_owned(),
            _ => "loss".to_owned(),
        },
        kind => number(line.eval(), kind),
    };
    match line.bound {
        Bound::Exact => number,
        Bound::Lower => format!(">={number}"),
        Bound::Upper => format!("<={number}"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use umigame_engine::Confidence;
    use umigame_othello::Move;

    fn report(kind: ScoreKind, evals: &[(&str, i32, Bound)]) -> Report {
        let line = |&(name, centidiscs, bound): &(&str, i32, Bound)| {
            let moves: Vec<Move> = vec![name.parse().unwrap()];
            let eval = Eval::from_centidiscs(centidiscs);
            ReportLine { bound, ..ReportLine::unsure(moves, eval, kind) }
        };
        Report { lines: evals.iter().map(line).collect(), kind, ..Report::default() }
    }

    fn shown(values: &[SquareValue]) -> Vec<String> {
        let text = |value: &SquareValue| {
            let best = if value.is_best { "*" } else { "" };
            format!("{} {}{best} {}", value.square, value.text, value.spread)
        };
        values.iter().map(text).collect()
    }

    #[test]
    fn values_say_whether_they_are_exact_best_or_bounds() {
        let lines =
            [("f5", 123, Bound::Exact), ("d3", 123, Bound::Exact), ("c4", -40, Bound::Upper)];
        let depth = ScoreKind::Depth { plies: 8, confidence: Confidence::P73 };
        assert_eq!(
            shown(&of_report(&report(depth, &lines))),
            ["f5 +1.2* ", "d3 +1.2* ", "c4 <=-0.4 "]
        );
        let exact = [("f5", 400, Bound::Exact), ("pass", 0, Bound::Exact)];
        assert_eq!(shown(&of_report(&report(ScoreKind::Exact, &exact))), ["f5 +4* exact"]);
        let decided = report(ScoreKind::WinLossDraw, &[("f5", 100, Bound::Exact)]);
        assert_eq!(shown(&of_report(&decided)), ["f5 win* "]);
        let evals =
            [(Square::F5, Eval::from_centidiscs(-300)), (Square::D3, Eval::from_centidiscs(5))];
        assert_eq!(shown(&of_evals(&evals)), ["f5 -3 ", "d3 +0.1* "]);
    }
}
