//! Searches in which good moves are ahead of bad ones.

use std::sync::Mutex;
use std::time::Duration;

use super::*;

/// Keeps every report.
#[derive(Default)]
struct Reports(Mutex<Vec<Report>>);

impl Listener for Reports {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn report(&self, report: &Report) {
        self.0.lock().expect("no panic").push(report.clone());
    }
}

fn plies(line: &ReportLine) -> u8 {
    match line.kind {
        ScoreKind::Depth { plies, .. } => plies,
        kind => panic!("{kind}: expected a depth"),
    }
}

#[test]
fn exact_scores_of_all_moves_are_those_of_a_search_of_all_alike() {
    let scores = |report: &Report| {
        let mut scores: Vec<_> =
            report.lines.iter().map(|line| (line.eval(), line.first().to_string())).collect();
        scores.sort();
        scores
    };
    for threads in [1, 2] {
        for position in positions(31, 11, 8).into_iter().chain(positions(32, 15, 2)) {
            let limits = Limits::exact().with_lines(64);
            let alike = engine().search(position, &limits, &());
            let focused = engine_of(threads).search(position, &limits.with_focus(true), &());
            assert_eq!(scores(&focused), scores(&alike), "{position:?}");
            assert!(focused.lines.iter().all(|line| line.kind == ScoreKind::Exact));
        }
    }
}

#[test]
fn good_moves_are_ahead_until_the_end() {
    let mut uneven = 0;
    for position in positions(33, 30, 6) {
        let reports = Reports::default();
        let limits = Limits::depth(10).with_confidence(Confidence::P73).with_lines(64);
        let last = engine().search(position, &limits.with_focus(true), &reports);
        assert!(last.lines.iter().all(|line| plies(line) == 10), "{last:?}");
        for report in reports.0.into_inner().expect("no panic") {
            let best = plies(&report.lines[0]);
            uneven += report.lines.iter().filter(|line| plies(line) + 2 <= best).count();
            for line in &report.lines {
                assert!(best <= plies(line) + 6, "{report:?}");
                assert!(line.estimate.std_dev.is_some_and(|std_dev| std_dev > 0.0), "{line:?}");
            }
        }
    }
    assert!(uneven > 20, "{uneven} values of a lesser depth");
}

#[test]
fn a_focused_search_visits_fewer_nodes_to_the_same_depth_of_the_best_move() {
    let (mut alike, mut focused) = (0, 0);
    for position in positions(34, 30, 4) {
        let limits = Limits::depth(12).with_confidence(Confidence::P73).with_lines(64);
        let until_best = |limits: Limits| {
            let reports = Reports::default();
            engine().search(position, &limits, &reports);
            let reports = reports.0.into_inner().expect("no panic");
            let first = reports.iter().find(|report| plies(&report.lines[0]) == 12);
            first.expect("the last depth").nodes
        };
        alike += until_best(limits.clone());
        focused += until_best(limits.with_focus(true));
    }
    assert!(10 * focused < 8 * alike, "{focused} nodes, {alike} without");
}
