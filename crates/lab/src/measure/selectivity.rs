//! Selectivity: nodes saved and accuracy lost by multi-ProbCut, against the full search.

use std::time::Duration;

use serde::Serialize;
use umigame_engine::{Confidence, Engine, Limits};
use umigame_othello::{Move, Position};

use umigame::bench::time_searches;

/// Searches of all positions at one confidence, compared with those at 100 %.
#[derive(Serialize, Clone, Default, Debug)]
pub struct SelectivityRow {
    /// Confidence in percent.
    pub percent: u8,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Nodes as a fraction of those of the full search.
    pub share_of_nodes: f64,
    /// Time of all searches in seconds.
    pub seconds: f64,
    /// Mean absolute error of the eval, in discs.
    pub error: f64,
    /// Largest absolute error, in discs.
    pub worst: f64,
    /// Searches with the best move of the full search, in percent.
    pub same_move: f64,
}

/// One search.
struct Searched {
    nodes: u64,
    time: Duration,
    discs: f64,
    best: Option<Move>,
}

/// Searches the positions to `depth` plies, first at 100 %, then at each lower confidence as the
/// iterator advances.
pub fn selectivity_rows<'a>(
    engine: &'a mut Engine,
    positions: &'a [Position],
    depth: u32,
) -> impl Iterator<Item = SelectivityRow> + 'a {
    let mut full: Option<Vec<Searched>> = None;
    let selective = Confidence::all().filter(|&confidence| confidence != Confidence::FULL);
    std::iter::once(Confidence::FULL).chain(selective).map(move |confidence| {
        let searched = search_all(engine, positions, depth, confidence);
        let row = compare(confidence, &searched, full.as_ref().unwrap_or(&searched));
        full.get_or_insert(searched);
        row
    })
}

fn search_all(
    engine: &mut Engine,
    positions: &[Position],
    depth: u32,
    confidence: Confidence,
) -> Vec<Searched> {
    // Solving endings would hide the midgame search.
    let limits = Limits::depth(depth).with_exact_from(0).with_confidence(confidence);
    let search = |&position: &Position| {
        let search = time_searches(engine, position, &limits, 1).pop().unwrap_or_default();
        let best = search.report.best();
        Searched {
            nodes: search.report.nodes,
            time: search.time,
            discs: best.map_or(0.0, |line| line.eval.discs()),
            best: best.map(|line| line.first()),
        }
    };
    positions.iter().map(search).collect()
}

fn compare(confidence: Confidence, searched: &[Searched], full: &[Searched]) -> SelectivityRow {
    let count = searched.len().max(1) as f64;
    let nodes = |searches: &[Searched]| searches.iter().map(|search| search.nodes).sum::<u64>();
    let pairs = || searched.iter().zip(full);
    let errors = || pairs().map(|(search, full)| (search.discs - full.discs).abs());
    let same = pairs().filter(|(search, full)| search.best == full.best).count();
    SelectivityRow {
        percent: confidence.percent(),
        nodes: nodes(searched),
        share_of_nodes: nodes(searched) as f64 / nodes(full).max(1) as f64,
        seconds: searched.iter().map(|search| search.time).sum::<Duration>().as_secs_f64(),
        error: errors().sum::<f64>() / count,
        worst: errors().fold(0.0, f64::max),
        same_move: 100.0 * same as f64 / count,
    }
}
