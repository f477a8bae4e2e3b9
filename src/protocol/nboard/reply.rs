//! Lines to an NBoard client.

use std::time::Duration;

use umigame_analysis::estimate::uncertainty_text;
use umigame_engine::{Confidence, Report, ReportLine, ScoreKind};

use crate::session::{BookMove, Trust};

/// Minimum time between two `nodestats` lines of one search.
const NODESTATS_INTERVAL: Duration = Duration::from_millis(125);

/// `nodestats NODES SECONDS`
pub(super) fn nodestats(nodes: u64, elapsed: Duration) -> String {
    format!("nodestats {nodes} {:.3}", elapsed.as_secs_f64())
}

/// Turns the iterations of one hint into lines.
#[derive(Default)]
pub(super) struct HintLines {
    /// Greatest depth shown so far.
    deepest: Option<DepthRank>,
    /// Time of the last `nodestats` line.
    counted_at: Duration,
    /// Nodes of the last `nodestats` line.
    counted: Option<u64>,
}

impl HintLines {
    /// Returns the lines for an iteration; `None` if a deeper one was shown.
    ///
    /// NBoard takes the depth word for the identity of an iteration and expects it to grow.
    pub fn of_iteration(&mut self, report: &Report) -> Option<String> {
        let depth = DepthRank::of(report.kind);
        if self.deepest.is_some_and(|deepest| depth < deepest) {
            return None;
        }
        self.deepest = Some(depth);
        let mut lines: Vec<String> =
            report.lines.iter().map(|line| search_line(line, report.kind)).collect();
        if report.elapsed.saturating_sub(self.counted_at) >= NODESTATS_INTERVAL {
            self.counted_at = report.elapsed;
            self.counted = Some(report.nodes);
            lines.push(nodestats(report.nodes, report.elapsed));
        }
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// Returns the `nodestats` line after the last iteration; `None` if it was sent already.
    pub fn final_nodestats(&self, report: &Report) -> Option<String> {
        (self.counted != Some(report.nodes)).then(|| nodestats(report.nodes, report.elapsed))
    }
}

/// Order of search depths: kind of search, plies, confidence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct DepthRank {
    kind: u8,
    plies: u8,
    confidence: Confidence,
}

impl DepthRank {
    fn of(kind: ScoreKind) -> DepthRank {
        match kind {
            ScoreKind::Depth { plies, confidence } => DepthRank { kind: 0, plies, confidence },
            ScoreKind::Endgame { confidence } => DepthRank { kind: 1, plies: 0, confidence },
            ScoreKind::WinLossDraw => DepthRank { kind: 2, plies: 0, confidence: Confidence::FULL },
            ScoreKind::Exact => DepthRank { kind: 3, plies: 0, confidence: Confidence::FULL },
        }
    }
}

/// `search F5-D6-C3 +1.25 0 12 +-2.1, win 71 draw 6 loss 23 %`: moves, eval in discs, games of the book, depth, and
/// text, which clients ignore: how sure the eval is.
fn search_line(line: &ReportLine, kind: ScoreKind) -> String {
    let moves: Vec<String> = line.moves.iter().map(|played| format!("{played:#}")).collect();
    let text = uncertainty_text(line.estimate);
    format!("search {} {} 0 {kind} {text}", moves.join("-"), line.eval()).trim_end().to_owned()
}

/// `book F5-D6-C3 +0.50 89713 3 searched`: moves, eval in discs, games, plies of the line or
/// `100%` for a proven value, and the evidence behind the value.
pub(super) fn book_line(known: &BookMove) -> String {
    let moves: Vec<String> = known.line.iter().map(|played| format!("{played:#}")).collect();
    // NBoard reads a 32-bit integer.
    let (eval, games) = (known.eval, known.games.min(i32::MAX as u32));
    let depth = match known.trust {
        Some(Trust::Exact) => "100%".to_owned(),
        _ => known.line.len().to_string(),
    };
    let rate = known.win_rate.map_or(String::new(), |rate| format!(" {:.1}% won", 100.0 * rate));
    let trust = known.trust.map_or(String::new(), |trust| format!(" {trust}"));
    format!("book {} {eval} {games} {depth}{rate}{trust}", moves.join("-"))
}

/// The reply to `go`: `=== F5/1.25/0.10`, the eval in discs and the time in seconds; a forced move
/// has neither.
pub(super) fn move_line(best: umigame_othello::Move, searched: Option<(f64, Duration)>) -> String {
    match searched {
        Some((discs, elapsed)) => format!("=== {best:#}/{discs:.2}/{:.2}", elapsed.as_secs_f64()),
        None => format!("=== {best:#}"),
    }
}

#[cfg(test)]
mod tests {
    use umigame_engine::{Estimate, Wdl};
    use umigame_othello::{Eval, Move, Score};

    use super::*;

    fn report(kind: ScoreKind, nodes: u64, millis: u64) -> Report {
        let eval = Eval::from_centidiscs(125);
        let moves = ["f5", "d6"].map(|text| text.parse().unwrap()).to_vec();
        let lines = vec![ReportLine::unsure(moves, eval, kind)];
        Report { lines, kind, nodes, elapsed: Duration::from_millis(millis), ..Report::default() }
    }

    #[test]
    fn iterations_become_lines_until_a_shallower_one_comes() {
        let depth = |plies, confidence| ScoreKind::Depth { plies, confidence };
        let mut lines = HintLines::default();
        let first = lines.of_iteration(&report(depth(9, Confidence::P73), 100, 10));
        assert_eq!(first.unwrap(), "search F5-D6 +1.25 0 9@73%");
        let second = lines.of_iteration(&report(depth(9, Confidence::FULL), 200, 200));
        assert_eq!(second.unwrap(), "search F5-D6 +1.25 0 9\nnodestats 200 0.200");
        assert_eq!(lines.of_iteration(&report(depth(8, Confidence::FULL), 300, 900)), None);
        let third = lines.of_iteration(&report(ScoreKind::Exact, 400, 201));
        assert_eq!(third.unwrap(), "search F5-D6 +1.25 0 100%");
        assert_eq!(lines.final_nodestats(&report(ScoreKind::Exact, 200, 300)), None);
        let last = lines.final_nodestats(&report(ScoreKind::Exact, 400, 300));
        assert_eq!(last.unwrap(), "nodestats 400 0.300");
    }

    #[test]
    fn an_estimate_has_its_uncertainty_behind_the_depth() {
        let kind = ScoreKind::Endgame { confidence: Confidence::P73 };
        let mut line = ReportLine::unsure(vec![Move::Pass], Eval::from_centidiscs(-200), kind);
        let wdl = Some(Wdl::new(0.204, 0.7));
        line.estimate = Estimate { std_dev: Some(1.26), wdl, ..line.estimate };
        let expected = "search PA -2.00 0 73% +-1.3, win 20 draw 10 loss 70 %";
        assert_eq!(search_line(&line, kind), expected);
        line.estimate = Estimate::exact(Score::saturating(-2));
        assert_eq!(search_line(&line, ScoreKind::Exact), "search PA -2.00 0 100%");
    }

    #[test]
    fn a_book_line_names_games_and_evidence() {
        let mut known = BookMove {
            line: ["f5", "d6"].map(|text| text.parse().unwrap()).to_vec(),
            eval: Eval::from_centidiscs(-50),
            games: u32::MAX,
            win_rate: Some(0.25),
            trust: Some(Trust::Exact),
        };
        assert_eq!(book_line(&known), "book F5-D6 -0.50 2147483647 100% 25.0% won exact");
        known = BookMove { games: 7, win_rate: None, trust: None, ..known };
        assert_eq!(book_line(&known), "book F5-D6 -0.50 7 2");
    }
}
