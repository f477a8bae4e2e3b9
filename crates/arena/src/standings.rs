//! The standings of a match: tallies of the pairings, and time and faults of the engines.

use std::collections::{BTreeMap, HashMap};

use super::client::FaultKind;
use super::clock::TimeLimit;
use super::config::EngineConfig;
use super::plan::MatchPlan;
use super::record::GameLine;
use super::schedule::Schedule;
use super::sprt::{Sprt, SprtVerdict};
use super::stats::{Pentanomial, Tally};
use super::time_use::{TimeUse, TimedMove};

/// Time, nodes and faults of an engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EngineUsage {
    /// Seconds of thinking, measured by the referee.
    pub time: f64,
    /// Moves with a time.
    pub moves: u64,
    /// Seconds of the longest move.
    pub longest: f64,
    /// Nodes that the engine states.
    pub nodes: u64,
    /// Games forfeited, by kind of fault.
    pub faults: BTreeMap<FaultKind, u64>,
    /// Share of its time that it used.
    pub time_use: TimeUse,
}

/// Results of one engine against all others.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EngineTotal {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Sum of the disc differences.
    pub discs: i64,
}

impl EngineTotal {
    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }
}

/// State of the sequential test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtState {
    /// The test.
    pub sprt: Sprt,
    /// Its verdict so far.
    pub verdict: SprtVerdict,
    /// Log-likelihood ratio.
    pub llr: f64,
}

/// The referee's time beside the engines' clocks, in games played to their end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Overhead {
    seconds: f64,
    moves: u64,
}

/// The standings of a match.
#[derive(Clone, Debug)]
pub struct Standings {
    /// Names of the engines.
    pub names: Vec<String>,
    /// Schedule of the match.
    pub schedule: Schedule,
    /// Tally of each pairing, from the first engine's view.
    pub tallies: Vec<Tally>,
    /// Usage of each engine.
    pub usage: Vec<EngineUsage>,
    /// Test that may end the match.
    pub sprt: Option<Sprt>,
    /// Tally of each pairing after each of its complete pairs.
    pub course: Vec<Vec<Tally>>,
    /// Disc differences of games whose partner is missing, by pairing and pair.
    unpaired: HashMap<(usize, usize), i32>,
    overhead: Overhead,
    /// Engines of the match, for their limits.
    engines: Vec<EngineConfig>,
}

impl Standings {
    /// Returns the standings before the first game.
    pub fn new(plan: &MatchPlan) -> Standings {
        let schedule = plan.schedule();
        Standings {
            names: plan.engines.iter().map(|engine| engine.name.clone()).collect(),
            tallies: vec![Tally::default(); schedule.pairings.len()],
            course: vec![Vec::new(); schedule.pairings.len()],
            usage: vec![EngineUsage::default(); plan.engines.len()],
            sprt: plan.sprt,
            unpaired: HashMap::new(),
            overhead: Overhead::default(),
            engines: plan.engines.clone(),
            schedule,
        }
    }

    /// Counts a game; ignores one that is not in the schedule.
    pub fn add(&mut self, line: &GameLine) {
        let Some(game) = self.schedule.game(line.game) else { return };
        let first = self.schedule.pairings[game.pairing].0;
        let discs = if game.black == first { line.score } else { -line.score };
        let tally = &mut self.tallies[game.pairing];
        tally.add_game(discs);
        match self.unpaired.remove(&(game.pairing, game.pair)) {
            Some(other) => {
                tally.add_pair(other, discs);
                self.course[game.pairing].push(*tally);
            }
            None => {
                self.unpaired.insert((game.pairing, game.pair), discs);
            }
        }
        self.add_usage(line, [game.black, game.white]);
    }

    fn add_usage(&mut self, line: &GameLine, engines: [usize; 2]) {
        let mover_is_white = |index: usize| {
            let starts_white = line.start.ends_with('O');
            index.is_multiple_of(2) == starts_white
        };
        let mut timed: [Vec<TimedMove>; 2] = [Vec::new(), Vec::new()];
        let mut empties = line.start_empties();
        let mut opening_empties = empties;
        for (index, played) in line.moves.iter().enumerate() {
            let before = empties;
            opening_empties = if index <= line.opening { before } else { opening_empties };
            empties -= u32::from(!played.is_pass()).min(empties);
            let Some(time) = played.time.filter(|_| index >= line.opening) else { continue };
            let side = usize::from(mover_is_white(index));
            let usage = &mut self.usage[engines[side]];
            usage.time += time;
            usage.moves += 1;
            usage.longest = usage.longest.max(time);
            usage.nodes += played.nodes.unwrap_or(0);
            timed[side].push(TimedMove { ply: index + 1, empties: before, time });
        }
        let timed_moves: usize = timed.iter().map(Vec::len).sum();
        for (engine, moves) in engines.into_iter().zip(&timed) {
            let config = &self.engines[engine];
            let limit = TimeLimit::of(config, config.bank, opening_empties.div_ceil(2));
            self.usage[engine].time_use.add_game(limit, moves);
        }
        match &line.forfeit {
            Some(forfeit) => {
                let loser = engines[forfeit.loser.index()];
                *self.usage[loser].faults.entry(forfeit.kind).or_default() += 1;
            }
            None => {
                self.overhead.seconds += line.overhead;
                self.overhead.moves += timed_moves as u64;
            }
        }
    }

    /// Returns the number of games counted.
    pub fn games(&self) -> u64 {
        self.tallies.iter().map(Tally::games).sum()
    }

    /// Returns the referee's time per move in milliseconds; `None` before the first game.
    pub(crate) fn overhead_millis(&self) -> Option<f64> {
        let Overhead { seconds, moves } = self.overhead;
        (moves > 0).then(|| seconds * 1000.0 / moves as f64)
    }

    /// Returns the state of the sequential test, if there is one.
    pub fn test(&self) -> Option<SprtState> {
        let tally = self.tallies.first()?;
        self.sprt.map(|sprt| SprtState { sprt, verdict: sprt.verdict(tally), llr: sprt.llr(tally) })
    }

    /// Returns the results of an engine against all others.
    pub fn total(&self, engine: usize) -> EngineTotal {
        let mut total = EngineTotal::default();
        for (tally, &(first, second)) in self.tallies.iter().zip(&self.schedule.pairings) {
            let (wins, losses, sign) = match engine {
                _ if engine == first => (tally.wins, tally.losses, 1.0),
                _ if engine == second => (tally.losses, tally.wins, -1.0),
                _ => continue,
            };
            total.wins += wins;
            total.draws += tally.draws;
            total.losses += losses;
            let discs = tally.discs.mean().unwrap_or(0.0) * tally.games() as f64;
            total.discs += (sign * discs).round() as i64;
        }
        total
    }

    /// Returns the Elo ratings that explain all results best, with mean 0. A pairing counts by its
    /// points.
    ///
    /// After Hunter, "MM algorithms for generalized Bradley-Terry models" (2004).
    pub(crate) fn ratings(&self) -> Vec<f64> {
        /// Drawn games added to each pairing, so that no rating is infinite.
        const PRIOR_DRAWS: f64 = 0.5;
        /// Iterations; far more than the first decimal needs.
        const ITERATIONS: usize = 2000;
        let engines = self.names.len();
        let mut strength = vec![1.0f64; engines];
        let mut points = vec![0.0f64; engines];
        for (tally, &(first, second)) in self.tallies.iter().zip(&self.schedule.pairings) {
            points[first] += tally.points() + PRIOR_DRAWS / 2.0;
            points[second] += tally.games() as f64 - tally.points() + PRIOR_DRAWS / 2.0;
        }
        for _ in 0..ITERATIONS {
            let mut weight = vec![0.0; engines];
            for (tally, &(first, second)) in self.tallies.iter().zip(&self.schedule.pairings) {
                let share =
                    (tally.games() as f64 + PRIOR_DRAWS) / (strength[first] + strength[second]);
                weight[first] += share;
                weight[second] += share;
            }
            for ((own, points), weight) in strength.iter_mut().zip(&points).zip(&weight) {
                *own = points / weight;
            }
            let mean = strength.iter().map(|own| own.ln()).sum::<f64>() / engines as f64;
            strength.iter_mut().for_each(|own| *own /= mean.exp());
        }
        strength.iter().map(|own| 400.0 * own.log10()).collect()
    }

    /// Returns the outcomes of the complete pairs of the first pairing.
    pub fn pairs(&self) -> Pentanomial {
        self.tallies.first().map(|tally| tally.pairs).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::EngineConfig;
    use crate::limits::Seconds;
    use crate::record::{ForfeitLine, MoveLine};
    use crate::schedule::PairingScheme;
    use std::time::Duration;
    use umigame_othello::{Color, Position, position_text};

    fn plan(engines: usize, scheme: PairingScheme) -> MatchPlan {
        let names = ["a", "b", "c"].iter().take(engines);
        let second = Seconds(Duration::from_secs(1));
        MatchPlan {
            engines: names
                .map(|name| EngineConfig::parse(&format!("[move_time=0.5] {name}")).unwrap())
                .collect(),
            scheme,
            pairs: 50,
            openings: vec!["f5".to_string()],
            concurrency: 1,
            pin: false,
            margin: second,
            patience: second,
            start_patience: second,
            sprt: None,
        }
    }

    fn line(game: usize, score: i32) -> GameLine {
        let timed = |played: &str, time: f64| MoveLine {
            played: played.to_string(),
            eval: None,
            time: Some(time),
            depth: None,
            nodes: Some(10),
        };
        GameLine {
            game,
            date: String::new(),
            black: String::new(),
            white: String::new(),
            score,
            forfeit: None,
            start: position_text(Position::START, Color::Black),
            opening: 0,
            moves: vec![timed("f5", 0.1), timed("d6", 0.2)],
            overhead: 0.001,
        }
    }

    #[test]
    fn games_in_any_order_count_from_the_view_of_the_first_engine() {
        let mut standings = Standings::new(&plan(2, PairingScheme::Gauntlet));
        // Game 1 has the first engine playing White.
        for (game, score) in [(1, -10), (2, 4), (0, 2), (3, 4)] {
            standings.add(&line(game, score));
        }
        let tally = standings.tallies[0];
        assert_eq!((tally.wins, tally.draws, tally.losses), (3, 0, 1));
        assert_eq!(tally.pairs.0, [0, 0, 1, 0, 1]);
        assert_eq!(tally.pair_discs.mean(), Some(3.0));
        assert_eq!(standings.course[0].len(), 2);
        // Black's move took 0.1, White's 0.2; two games with either colour.
        assert!((standings.usage[0].time - 0.6).abs() < 1e-9);
        // Half a second was allowed for each move.
        let share = standings.usage[0].time_use.share();
        assert!((share.unwrap() - 0.3).abs() < 1e-9, "{share:?}");
        assert_eq!((standings.usage[1].moves, standings.usage[1].nodes), (4, 40));
        assert!((standings.overhead_millis().unwrap() - 0.5).abs() < 1e-9);
    }

    #[test]
    fn a_forfeit_counts_as_a_fault_of_its_loser() {
        let mut standings = Standings::new(&plan(2, PairingScheme::Gauntlet));
        let forfeit = ForfeitLine {
            loser: Color::White,
            kind: FaultKind::Crash,
            why: String::new(),
            protocol: Vec::new(),
            stderr: Vec::new(),
        };
        standings.add(&GameLine { forfeit: Some(forfeit), ..line(1, 64) });
        assert_eq!(standings.usage[0].faults, BTreeMap::from([(FaultKind::Crash, 1)]));
        assert_eq!(standings.overhead_millis(), None);
    }

    #[test]
    fn ratings_of_two_engines_are_the_elo_of_their_score() {
        let mut standings = Standings::new(&plan(2, PairingScheme::Gauntlet));
        for game in 0..100 {
            // The first engine wins three of four games.
            let wins = game % 4 != 0;
            let black = game % 2 == 0;
            standings.add(&line(game, if wins == black { 2 } else { -2 }));
        }
        let ratings = standings.ratings();
        assert!((ratings[0] + ratings[1]).abs() < 1e-6);
        assert!((ratings[0] - ratings[1] - 190.8).abs() < 3.0, "{ratings:?}");
    }

    #[test]
    fn ratings_of_three_engines_are_in_order() {
        let mut standings = Standings::new(&plan(3, PairingScheme::RoundRobin));
        for game in 0..60 {
            let scheduled = standings.schedule.game(game).unwrap();
            // The engine with the lower index wins.
            standings.add(&line(game, if scheduled.black < scheduled.white { 2 } else { -2 }));
        }
        let ratings = standings.ratings();
        assert!(ratings[0] > ratings[1] + 100.0 && ratings[1] > ratings[2] + 100.0, "{ratings:?}");
        let total = standings.total(0);
        assert_eq!((total.wins, total.draws, total.losses), (40, 0, 0));
        assert_eq!(standings.total(1).discs, 0);
    }
}
