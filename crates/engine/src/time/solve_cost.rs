//! The cost of solving a position, predicted before trying.
//!
//! The nodes of a search to the end of the game grow by a factor for each empty square. The average
//! is corrected by extrapolation from the iterations of the current search, and by the endgames
//! searched before. Costs are binary logarithms of nodes, called bits.
//!
//! Idea: Edax and Egaroucid predict the depth they can solve from a clock. The constants are our
//! own, from `predictions_are_near_the_nodes_of_endgames`.

use std::time::Duration;

use crate::limits::confidence::Confidence;

/// Bits of an endgame of 14 empties at 73 %.
const BITS_AT_14_EMPTIES: f64 = 13.6;
/// Bits that each further empty adds.
const BITS_PER_EMPTY: f64 = 0.5;
/// Bits that each ply adds to a search at 73 %.
pub(crate) const BITS_PER_PLY: f64 = 0.53;
/// Minimum depth of a midgame iteration from which the endgame is extrapolated.
const EXTRAPOLATION_MIN_DEPTH: u32 = 6;
/// Nodes of an endgame in a second until a speed has been measured; rather too few.
const DEFAULT_SPEED: f64 = 12e6;
/// How many nodes of an endgame take the time of one of the midgame: most of them are near the end,
/// where nothing is evaluated.
const NODES_OF_MIDGAME_NODE: f64 = 3.0;
/// Minimum time of an iteration that measures the speed.
const MIN_SPEED_TIME: Duration = Duration::from_millis(5);
/// Maximum correction of the average by earlier endgames, in bits.
const MAX_OFFSET_BITS: f64 = 2.0;

/// The cost of a confidence beyond that of 73 %, once the iterations before it are done: they leave
/// a small endgame in the table.
struct ConfidenceCost {
    /// Bits for each empty above `above_empties`, less for each below.
    bits_per_empty: f64,
    above_empties: f64,
}

/// The costs of the confidence levels, the most selective first.
const CONFIDENCE_COSTS: [ConfidenceCost; 6] = [
    ConfidenceCost { bits_per_empty: 0.0, above_empties: 0.0 },
    ConfidenceCost { bits_per_empty: 0.42, above_empties: 21.2 },
    ConfidenceCost { bits_per_empty: 0.55, above_empties: 20.6 },
    ConfidenceCost { bits_per_empty: 0.52, above_empties: 17.5 },
    ConfidenceCost { bits_per_empty: 0.56, above_empties: 17.2 },
    ConfidenceCost { bits_per_empty: 0.66, above_empties: 14.2 },
];

/// Returns the bits of a confidence beyond those of 73 %.
fn confidence_bits(confidence: Confidence, empties: u32) -> f64 {
    let cost = &CONFIDENCE_COSTS[usize::from(confidence.index())];
    cost.bits_per_empty * (f64::from(empties) - cost.above_empties)
}

/// The costs of searches on this machine, learnt from an engine's earlier searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SolveCost {
    /// Nodes of an endgame in a second.
    speed: f64,
    /// The speed was measured in an endgame.
    is_endgame_speed: bool,
    /// Bits to add to the average of an endgame.
    offset_bits: f64,
    /// Empties of the last endgame searched in this game; `u32::MAX` if there was none.
    searched_empties: u32,
}

impl Default for SolveCost {
    fn default() -> SolveCost {
        SolveCost {
            speed: DEFAULT_SPEED,
            is_endgame_speed: false,
            offset_bits: 0.0,
            searched_empties: u32::MAX,
        }
    }
}

impl SolveCost {
    /// Returns the average bits of an endgame at 73 %.
    fn average(self, empties: u32) -> f64 {
        BITS_AT_14_EMPTIES + BITS_PER_EMPTY * (f64::from(empties) - 14.0) + self.offset_bits
    }

    /// Predicts the time to solve a position of `empties` empties exactly, with an empty table.
    pub fn to_solve(self, empties: u32) -> Duration {
        let first = self.average(empties);
        let exact = first + confidence_bits(Confidence::FULL, empties);
        self.time(first).saturating_add(self.time(exact))
    }

    /// Returns the time of a search of this many bits.
    pub(crate) fn time(self, bits: f64) -> Duration {
        let seconds = bits.min(80.0).exp2() / self.speed;
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }

    /// Predicts the bits of the endgame at 73 % from the nodes of a midgame iteration.
    pub(crate) fn by_depth(self, empties: u32, depth: u32, nodes: u64) -> f64 {
        let average = self.average(empties);
        if depth < EXTRAPOLATION_MIN_DEPTH {
            return average;
        }
        let here = bits(nodes) + BITS_PER_PLY * f64::from(empties.saturating_sub(depth));
        (average + here) / 2.0
    }

    /// Predicts the bits of the endgame at 73 % from the nodes of an endgame iteration.
    pub(crate) fn by_endgame(self, empties: u32, confidence: Confidence, nodes: u64) -> f64 {
        let here = bits(nodes) - confidence_bits(confidence, empties);
        0.3 * self.average(empties) + 0.7 * here
    }

    /// Predicts the bits of an endgame iteration where that at 73 % takes `first` bits.
    pub(crate) fn endgame(self, first: f64, empties: u32, confidence: Confidence) -> f64 {
        first + confidence_bits(confidence, empties)
    }

    /// Begins a search. Returns whether its cost tells something of others: after an endgame of the
    /// same game the table holds too much.
    pub(crate) fn begin(&mut self, empties: u32) -> bool {
        if empties > self.searched_empties {
            self.searched_empties = u32::MAX;
        }
        self.searched_empties == u32::MAX
    }

    /// Records the nodes and time of an iteration.
    pub(crate) fn record_speed(&mut self, nodes: u64, time: Duration, is_endgame: bool) {
        if time >= MIN_SPEED_TIME && nodes > 0 && (is_endgame || !self.is_endgame_speed) {
            let each = if is_endgame { 1.0 } else { NODES_OF_MIDGAME_NODE };
            self.speed = (each * nodes as f64 / time.as_secs_f64()).max(1.0);
            self.is_endgame_speed = is_endgame;
        }
    }

    /// Records the nodes of an endgame iteration; if it was stopped, they are a lower bound.
    pub(crate) fn record_endgame(
        &mut self,
        empties: u32,
        confidence: Confidence,
        nodes: u64,
        finished: bool,
    ) {
        self.searched_empties = empties;
        let error = bits(nodes) - confidence_bits(confidence, empties) - self.average(empties);
        let learnt = if finished { error / 4.0 } else { error.max(0.0) };
        self.offset_bits = (self.offset_bits + learnt).clamp(-MAX_OFFSET_BITS, MAX_OFFSET_BITS);
    }
}

fn bits(nodes: u64) -> f64 {
    (nodes.max(1) as f64).log2()
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::{Engine, EngineOptions, Limits, Listener, Megabytes, Report, ScoreKind};
    use umigame_eval::Evaluation;
    use umigame_othello::Position;

    #[test]
    fn more_empties_and_more_confidence_never_cost_less() {
        let mut cost = SolveCost::default();
        for offset in [-2.0, 0.0, 2.5] {
            cost.offset_bits = offset;
            assert!((4..60).all(|empties| cost.to_solve(empties) <= cost.to_solve(empties + 1)));
            for empties in 24..60 {
                let bits = |confidence| cost.endgame(20.0, empties, confidence);
                let all: Vec<f64> = Confidence::all().map(bits).collect();
                assert!(all.is_sorted(), "{empties} empties: {all:?}");
            }
        }
    }

    #[test]
    fn recorded_searches_move_the_model_within_its_bounds() {
        let mut cost = SolveCost::default();
        cost.record_speed(1 << 24, Duration::from_secs(1), true);
        assert_eq!(cost.time(24.0), Duration::from_secs(1));
        let before = cost.to_solve(20);
        let cheaper = (cost.average(20) - 1.5).exp2() as u64;
        cost.record_endgame(20, Confidence::P73, cheaper, true);
        assert!(cost.to_solve(20) < before, "cheaper than the average");
        let before = cost.offset_bits;
        cost.record_endgame(20, Confidence::P73, 1 << 10, false);
        assert_eq!(cost.offset_bits, before, "a lower bound below the average tells nothing");
        cost.record_endgame(20, Confidence::P73, u64::MAX, false);
        assert_eq!(cost.offset_bits, MAX_OFFSET_BITS);
        for _ in 0..100 {
            cost.record_endgame(40, Confidence::FULL, 0, true);
        }
        assert_eq!(cost.offset_bits, -MAX_OFFSET_BITS);
        assert!(cost.to_solve(60) > Duration::from_secs(3600));
    }

    /// Keeps the report of every iteration.
    #[derive(Default)]
    struct Iterations(Mutex<Vec<Report>>);

    impl Listener for Iterations {
        fn elapsed(&self) -> Duration {
            Duration::ZERO
        }

        fn report(&self, report: &Report) {
            self.0.lock().expect("no panic").push(report.clone());
        }
    }

    /// Games of short searches after ten random moves.
    fn games(count: usize) -> Vec<Vec<Position>> {
        let mut random = fastrand::Rng::with_seed(5);
        let mut engine = engine();
        let limits = Limits::depth(4).with_confidence(Confidence::P73);
        let mut game = || {
            let mut game = vec![Position::START];
            while let Some(&position) = game.last().filter(|position| !position.is_over()) {
                let legal = position.legal_moves();
                let chosen = if legal.is_empty() {
                    None
                } else if position.empties() > 50 {
                    legal.iter().nth(random.usize(..legal.count() as usize))
                } else {
                    let report = engine.search(position, &limits, &());
                    report.best().and_then(|line| line.first().square())
                };
                let next = chosen.and_then(|square| position.play(square));
                game.push(next.unwrap_or_else(|| position.passed()));
            }
            game
        };
        (0..count).map(|_| game()).collect()
    }

    fn engine() -> Engine {
        Engine::new(Evaluation::embedded(), EngineOptions { hash: Megabytes(64), threads: 1 })
            .expect("memory")
    }

    fn mean(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len() as f64
    }

    /// Prints the bits of endgames beside the model's. The constants above were read off it.
    fn compare(cases: &[(u32, u32)]) {
        let games = games(16);
        for &(empties, percent) in cases {
            let confidence = Confidence::from_percent(percent).expect("a level");
            let endgames = games.iter().flatten().filter(|it| it.empties() == empties);
            let (measured, by_depth): (Vec<_>, Vec<_>) =
                endgames.map(|&position| endgame_bits(position, confidence)).unzip();
            let cost = SolveCost::default();
            let average = cost.endgame(cost.average(empties), empties, confidence);
            let (measured, by_depth) = (mean(&measured), mean(&by_depth));
            println!("{empties} {percent:3} %: {measured:.1}, average {average:.1}, {by_depth:.1}");
            assert!((measured - average).abs() < 1.0 && (measured - by_depth).abs() < 1.0);
        }
    }

    /// Searches to the end of the game, and returns the bits of the last iteration, and those
    /// predicted after the last midgame iteration.
    fn endgame_bits(position: Position, confidence: Confidence) -> (f64, f64) {
        let (cost, empties) = (SolveCost::default(), position.empties());
        let listener = Iterations::default();
        let limits = Limits::depth(60).with_exact_from(0);
        engine().search(position, &limits.with_confidence(confidence), &listener);
        let reports = listener.0.into_inner().expect("no panic");
        let starts = std::iter::once(0).chain(reports.iter().map(|report| report.nodes));
        let nodes: Vec<u64> =
            reports.iter().zip(starts).map(|(report, start)| report.nodes - start).collect();
        let is_midgame = |report: &Report| matches!(report.kind, ScoreKind::Depth { .. });
        let depths = reports.iter().take_while(|report| is_midgame(report)).count();
        let first = cost.by_depth(empties, depths as u32, nodes[depths - 1]);
        (bits(nodes[nodes.len() - 1]), cost.endgame(first, empties, confidence))
    }

    #[test]
    fn predictions_are_near_the_nodes_of_small_endgames() {
        compare(&[(14, 73), (16, 73), (16, 100), (18, 73), (18, 95), (18, 100)]);
    }

    /// After a change of the search or the evaluation, run it and set the constants:
    /// `cargo test -p umigame-engine --release predictions -- --include-ignored --nocapture`
    #[test]
    #[ignore = "a minute in a debug build"]
    fn predictions_are_near_the_nodes_of_endgames() {
        let cases = [
            (20, 73),
            (20, 95),
            (20, 100),
            (22, 73),
            (22, 87),
            (22, 95),
            (22, 99),
            (22, 100),
            (24, 73),
            (24, 87),
            (24, 95),
            (24, 100),
            (26, 73),
        ];
        compare(&cases);
    }
}
