//! What it will cost to read a game to its end, before trying.
//!
//! The nodes of a search to the end grow by a factor for each empty square.
//! Two things correct the average: the iterations of the search at hand, from
//! which the end is extrapolated, and how far earlier endings of the session
//! were from the average. All costs are logarithms to base 2, called bits.
//!
//! Idea: Edax and Egaroucid predict the depth they can solve from a clock;
//! the constants are our own, from `the_model_is_near_what_searches_cost`.

use std::time::Duration;

use super::confidence::Confidence;

/// Bits of a search to the end at 73 % with 14 empties.
const FOURTEEN: f64 = 14.2;
/// Bits that each further empty adds to that.
const EMPTY: f64 = 0.585;
/// Bits that a ply adds to a search to a depth at 73 %, to the end too.
const PLY: f64 = 0.6;
/// From this depth on, iterations say something of the end.
const TELLING: u32 = 6;
/// For each confidence: bits for each empty above a number of empties that
/// it costs more than 73 %, once that is done.
const DEARER: [(f64, f64); 6] =
    [(0.0, 0.0), (0.06, 8.0), (0.12, 9.0), (0.27, 13.0), (0.38, 13.3), (0.5, 12.6)];
/// Nodes a second until some have been counted: too few rather than too many.
const SPEED: f64 = 5e6;
/// Bits that the experience of a session may be away from the average.
const FURTHEST: f64 = 2.0;

/// What searches have cost on this machine and in this session.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SolveCost {
    /// Nodes a second.
    speed: f64,
    /// The speed is that of endings, which are faster.
    of_endings: bool,
    /// Bits to add to the average of an ending.
    offset: f64,
    /// The least empties since the last game, if an ending was searched.
    known: u32,
}

impl Default for SolveCost {
    fn default() -> SolveCost {
        SolveCost { speed: SPEED, of_endings: false, offset: 0.0, known: u32::MAX }
    }
}

/// Bits that this confidence costs more than 73 %.
fn dearer(confidence: Confidence, empties: u32) -> f64 {
    let (slope, from) = DEARER[usize::from(confidence.index())];
    slope * (f64::from(empties) - from).max(-1.0)
}

impl SolveCost {
    /// Bits of a search to the end at 73 %, the average.
    fn average(self, empties: u32) -> f64 {
        FOURTEEN + EMPTY * (f64::from(empties) - 14.0) + self.offset
    }

    /// The time to solve a game with this many empties exactly, from nothing.
    pub fn to_solve(self, empties: u32) -> Duration {
        let basis = self.average(empties);
        self.time(basis).saturating_add(self.time(basis + dearer(Confidence::FULL, empties)))
    }

    /// The time that so many bits take.
    pub(super) fn time(self, bits: f64) -> Duration {
        let seconds = bits.min(80.0).exp2() / self.speed;
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }

    /// Bits of the end at 73 %, judged by an iteration to a depth that took
    /// so many nodes.
    pub(super) fn by_depth(self, empties: u32, depth: u32, nodes: u64) -> f64 {
        let average = self.average(empties);
        if depth < TELLING {
            return average;
        }
        let here = bits(nodes) + PLY * f64::from(empties.saturating_sub(depth));
        (average + here) / 2.0
    }

    /// The same, judged by an iteration to the end.
    pub(super) fn by_ending(self, empties: u32, confidence: Confidence, nodes: u64) -> f64 {
        let here = bits(nodes) - dearer(confidence, empties);
        0.3 * self.average(empties) + 0.7 * here
    }

    /// Bits of an iteration to the end where 73 % takes `basis`.
    pub(super) fn ending(self, basis: f64, empties: u32, confidence: Confidence) -> f64 {
        basis + dearer(confidence, empties)
    }

    /// A search of a position with so many empties begins. Returns whether
    /// its cost says something: after an ending of the same game the table
    /// knows too much.
    pub(super) fn begin(&mut self, empties: u32) -> bool {
        if empties > self.known {
            self.known = u32::MAX;
        }
        self.known == u32::MAX
    }

    /// So many nodes were visited in this time, in an ending or before.
    pub(super) fn see_speed(&mut self, nodes: u64, time: Duration, ending: bool) {
        if time >= Duration::from_millis(5) && nodes > 0 && (ending || !self.of_endings) {
            self.speed = (nodes as f64 / time.as_secs_f64()).max(1.0);
            self.of_endings = ending;
        }
    }

    /// An iteration to the end took so many nodes; more, if it was stopped.
    pub(super) fn see_ending(
        &mut self,
        empties: u32,
        confidence: Confidence,
        nodes: u64,
        finished: bool,
    ) {
        self.known = empties;
        let error = bits(nodes) - dearer(confidence, empties) - self.average(empties);
        let learnt = if finished { error / 4.0 } else { error.max(0.0) };
        self.offset = (self.offset + learnt).clamp(-FURTHEST, FURTHEST);
    }
}

fn bits(nodes: u64) -> f64 {
    (nodes.max(1) as f64).log2()
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::eval::Evaluation;
    use crate::search::{
        Engine, EngineOptions, Limits, Listener, Megabytes, Report, ScoreKind, Silent,
    };
    use umigame_othello::{Position, squares};

    #[test]
    fn more_empties_and_more_sureness_never_cost_less() {
        let mut cost = SolveCost::default();
        for offset in [-2.0, 0.0, 2.5] {
            cost.offset = offset;
            assert!((4..60).all(|empties| cost.to_solve(empties) <= cost.to_solve(empties + 1)));
            for empties in 22..60 {
                let bits = |confidence| cost.ending(20.0, empties, confidence);
                let all: Vec<f64> = Confidence::all().map(bits).collect();
                assert!(all.is_sorted(), "{empties} empties: {all:?}");
            }
        }
    }

    #[test]
    fn what_is_seen_moves_the_model_towards_itself_and_never_out_of_bounds() {
        let mut cost = SolveCost::default();
        cost.see_speed(1 << 24, Duration::from_secs(1), true);
        assert_eq!(cost.time(24.0), Duration::from_secs(1));
        let before = cost.to_solve(20);
        let cheaper = (cost.average(20) - 1.5).exp2() as u64;
        cost.see_ending(20, Confidence::P73, cheaper, true);
        assert!(cost.to_solve(20) < before, "cheaper than the average");
        let before = cost.offset;
        cost.see_ending(20, Confidence::P73, 1 << 10, false);
        assert_eq!(cost.offset, before, "stopped early says nothing");
        cost.see_ending(20, Confidence::P73, u64::MAX, false);
        assert_eq!(cost.offset, FURTHEST);
        for _ in 0..100 {
            cost.see_ending(40, Confidence::FULL, 0, true);
        }
        assert_eq!(cost.offset, -FURTHEST);
        assert!(cost.to_solve(60) > Duration::from_secs(3600));
    }

    #[derive(Default)]
    struct Iterations(Silent, Mutex<Vec<Report>>);

    impl Listener for Iterations {
        fn elapsed(&self) -> Duration {
            self.0.elapsed()
        }

        fn report(&self, report: &Report) {
            self.1.lock().expect("no panic").push(report.clone());
        }
    }

    /// Games of short searches after ten moves at random.
    fn games(count: usize) -> Vec<Vec<Position>> {
        let mut random = fastrand::Rng::with_seed(5);
        let mut engine = engine();
        let limits = Limits::depth(4).with_confidence(Confidence::P73);
        let mut game = || {
            let mut game = vec![Position::START];
            while let Some(&position) = game.last().filter(|position| !position.is_over()) {
                let legal = position.moves();
                let chosen = match (legal, position.empties() > 50) {
                    (0, _) => None,
                    (_, true) => squares(legal).nth(random.usize(..legal.count_ones() as usize)),
                    (_, false) => {
                        let report = engine.search(position, &limits, &Silent::default());
                        report.best().and_then(|line| line.first().square())
                    }
                };
                let next = chosen.and_then(|square| position.place(square));
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

    /// Prints what endings cost, in bits, beside what the model says; the
    /// constants above were read off it. To be run again, and the constants
    /// changed, when the evaluation changes:
    /// `cargo test --release --lib cost -- --ignored --nocapture`
    #[test]
    #[ignore = "two minutes, and only a change of search or evaluation moves it"]
    fn the_model_is_near_what_searches_cost() {
        let games = games(16);
        let cost = SolveCost::default();
        for (empties, percent) in [
            (14, 73),
            (16, 73),
            (18, 73),
            (20, 73),
            (20, 95),
            (20, 100),
            (22, 73),
            (22, 95),
            (22, 99),
            (22, 100),
            (24, 73),
            (24, 95),
            (26, 73),
        ] {
            let confidence = Confidence::from_percent(percent).expect("a level");
            let (mut seen, mut by_depth) = (Vec::new(), Vec::new());
            for position in games.iter().flatten().filter(|position| position.empties() == empties)
            {
                let listener = Iterations::default();
                let limits = Limits { solve_from: 0, ..Limits::depth(60) };
                engine().search(*position, &limits.with_confidence(confidence), &listener);
                let mut before = 0;
                for report in listener.1.into_inner().expect("no panic") {
                    let nodes = report.nodes - before;
                    before = report.nodes;
                    match report.kind {
                        ScoreKind::Depth { plies, .. } if u32::from(plies) == empties - 10 => {
                            let basis = cost.by_depth(empties, empties - 10, nodes);
                            by_depth.push(cost.ending(basis, empties, confidence));
                        }
                        ScoreKind::Ending { percent } if percent != confidence.percent() => {}
                        ScoreKind::Ending { .. } | ScoreKind::Exact => seen.push(bits(nodes)),
                        _ => {}
                    }
                }
            }
            let average = cost.ending(cost.average(empties), empties, confidence);
            let seen = mean(&seen);
            let by_depth = mean(&by_depth);
            println!("{empties} {percent:3} %: {seen:.1}, average {average:.1}, {by_depth:.1}");
            assert!((seen - average).abs() < 1.5 && (seen - by_depth).abs() < 1.5);
        }
    }
}
