//! Where a match stands: what each game adds to the tallies of its pairing
//! and to the account of its engines.

use std::collections::{BTreeMap, HashMap};

use super::client::Failing;
use super::record::{GameLine, Side};
use super::runner::Match;
use super::schedule::Schedule;
use super::sprt::{Sprt, Verdict};
use super::stats::{Pentanomial, Tally};

/// What an engine used and what it did wrong.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Account {
    /// Seconds of thinking, measured by the runner.
    pub time: f64,
    /// Moves that it thought about.
    pub moves: u64,
    /// Seconds of its longest move.
    pub longest: f64,
    /// Positions that it said it searched, where it said so.
    pub nodes: u64,
    /// Games it did not play to their end, by what it did.
    pub failings: BTreeMap<Failing, u64>,
}

/// One engine's games against all the others.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Total {
    /// Games won, drawn, lost.
    pub results: [u64; 3],
    /// Sum of the disc differences.
    pub discs: i64,
}

impl Total {
    /// Games played.
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }
}

/// The state of a match.
#[derive(Clone, Debug)]
pub struct Standings {
    /// The engines' names.
    pub names: Vec<String>,
    /// Who plays whom.
    pub schedule: Schedule,
    /// The tally of each pairing, in the first engine's view.
    pub tallies: Vec<Tally>,
    /// The account of each engine.
    pub accounts: Vec<Account>,
    /// The test that may end the match.
    pub sprt: Option<Sprt>,
    /// Elo and discs of each pairing after each of its complete pairs.
    pub course: Vec<Vec<Tally>>,
    /// Games whose partner has not been played, by pairing and pair.
    half: HashMap<(usize, usize), i32>,
    /// Seconds of the runner, and the moves it took them for; games that were
    /// not played to their end do not count.
    overhead: (f64, u64),
}

impl Standings {
    /// The standings before the first game.
    pub fn new(plan: &Match) -> Standings {
        let schedule = plan.schedule();
        Standings {
            names: plan.engines.iter().map(|engine| engine.name.clone()).collect(),
            tallies: vec![Tally::default(); schedule.pairings.len()],
            course: vec![Vec::new(); schedule.pairings.len()],
            accounts: vec![Account::default(); plan.engines.len()],
            sprt: plan.sprt,
            half: HashMap::new(),
            overhead: (0.0, 0),
            schedule,
        }
    }

    /// Counts a game; one that is not in the schedule does not count.
    pub fn add(&mut self, line: &GameLine) {
        let Some(fixture) = self.schedule.fixture(line.game) else { return };
        let first = self.schedule.pairings[fixture.pairing].0;
        let discs = if fixture.black == first { line.score } else { -line.score };
        let tally = &mut self.tallies[fixture.pairing];
        tally.add_game(discs);
        match self.half.remove(&(fixture.pairing, fixture.pair)) {
            Some(other) => {
                tally.add_pair(other, discs);
                self.course[fixture.pairing].push(*tally);
            }
            None => {
                self.half.insert((fixture.pairing, fixture.pair), discs);
            }
        }
        self.account(line, [fixture.black, fixture.white]);
    }

    fn account(&mut self, line: &GameLine, engines: [usize; 2]) {
        let mover_is_white = |index: usize| {
            let starts_white = line.start.ends_with('O');
            index.is_multiple_of(2) == starts_white
        };
        let mut thought = 0;
        for (index, played) in line.moves.iter().enumerate().skip(line.opening) {
            let Some(time) = played.time else { continue };
            let account = &mut self.accounts[engines[usize::from(mover_is_white(index))]];
            account.time += time;
            account.moves += 1;
            account.longest = account.longest.max(time);
            account.nodes += played.nodes.unwrap_or(0);
            thought += 1;
        }
        match &line.forfeit {
            Some(forfeit) => {
                let loser = engines[usize::from(forfeit.loser == Side::White)];
                *self.accounts[loser].failings.entry(forfeit.failing).or_default() += 1;
            }
            None => {
                self.overhead.0 += line.overhead;
                self.overhead.1 += thought;
            }
        }
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.tallies.iter().map(Tally::games).sum()
    }

    /// Milliseconds of the runner for a move; `None` before the first game.
    pub fn overhead(&self) -> Option<f64> {
        (self.overhead.1 > 0).then(|| self.overhead.0 * 1000.0 / self.overhead.1 as f64)
    }

    /// What the sequential test has come to, if there is one: verdict and
    /// log-likelihood ratio.
    pub fn test(&self) -> Option<(Sprt, Verdict, f64)> {
        let tally = self.tallies.first()?;
        self.sprt.map(|sprt| (sprt, sprt.verdict(tally), sprt.llr(tally)))
    }

    /// The games of an engine against all the others.
    pub fn total(&self, engine: usize) -> Total {
        let mut total = Total::default();
        for (tally, &(first, second)) in self.tallies.iter().zip(&self.schedule.pairings) {
            let (wins, losses, sign) = match engine {
                _ if engine == first => (tally.wins, tally.losses, 1.0),
                _ if engine == second => (tally.losses, tally.wins, -1.0),
                _ => continue,
            };
            for (sum, count) in total.results.iter_mut().zip([wins, tally.draws, losses]) {
                *sum += count;
            }
            let discs = tally.discs.mean().unwrap_or(0.0) * tally.games() as f64;
            total.discs += (sign * discs).round() as i64;
        }
        total
    }

    /// The Elo of every engine that explains all results best, the mean
    /// being 0; the pairs of a pairing count as their points.
    // After: Hunter, "MM algorithms for generalized Bradley-Terry models"
    // (2004).
    pub fn ratings(&self) -> Vec<f64> {
        /// Games drawn beforehand in each pairing: nobody's rating is infinite.
        const PRIOR: f64 = 0.5;
        /// Far more than it takes to settle the first decimal.
        const ROUNDS: usize = 2000;
        let engines = self.names.len();
        let mut strength = vec![1.0f64; engines];
        let mut points = vec![0.0f64; engines];
        for (tally, &(first, second)) in self.tallies.iter().zip(&self.schedule.pairings) {
            points[first] += tally.points() + PRIOR / 2.0;
            points[second] += tally.games() as f64 - tally.points() + PRIOR / 2.0;
        }
        for _ in 0..ROUNDS {
            let mut weight = vec![0.0; engines];
            for (tally, &(first, second)) in self.tallies.iter().zip(&self.schedule.pairings) {
                let share = (tally.games() as f64 + PRIOR) / (strength[first] + strength[second]);
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

    /// The outcomes of the complete pairs of the first pairing.
    pub fn pairs(&self) -> Pentanomial {
        self.tallies.first().map(|tally| tally.pairs).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::config::{EngineConfig, Seconds};
    use crate::arena::record::{ForfeitLine, MoveLine};
    use crate::arena::schedule::Shape;
    use std::time::Duration;
    use umigame_othello::{Color, Position, position_text};

    fn plan(engines: usize, shape: Shape) -> Match {
        let names = ["a", "b", "c"].iter().take(engines);
        let second = Seconds(Duration::from_secs(1));
        Match {
            engines: names.map(|name| EngineConfig::parse(name).unwrap()).collect(),
            shape,
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
    fn games_count_in_the_view_of_the_first_engine_whatever_their_order() {
        let mut standings = Standings::new(&plan(2, Shape::Gauntlet));
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
        assert!((standings.accounts[0].time - 0.6).abs() < 1e-9);
        assert_eq!((standings.accounts[1].moves, standings.accounts[1].nodes), (4, 40));
        assert!((standings.overhead().unwrap() - 0.5).abs() < 1e-9);
    }

    #[test]
    fn a_forfeit_is_on_the_account_of_its_loser() {
        let mut standings = Standings::new(&plan(2, Shape::Gauntlet));
        let forfeit = ForfeitLine {
            loser: Side::White,
            failing: Failing::Crash,
            why: String::new(),
            protocol: Vec::new(),
            stderr: Vec::new(),
        };
        standings.add(&GameLine { forfeit: Some(forfeit), ..line(1, 64) });
        assert_eq!(standings.accounts[0].failings, BTreeMap::from([(Failing::Crash, 1)]));
        assert_eq!(standings.overhead(), None);
    }

    #[test]
    fn ratings_of_two_are_the_elo_of_their_score() {
        let mut standings = Standings::new(&plan(2, Shape::Gauntlet));
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
    fn ratings_of_three_are_in_order() {
        let mut standings = Standings::new(&plan(3, Shape::RoundRobin));
        for game in 0..60 {
            let fixture = standings.schedule.fixture(game).unwrap();
            // The one with the lower index wins.
            standings.add(&line(game, if fixture.black < fixture.white { 2 } else { -2 }));
        }
        let ratings = standings.ratings();
        assert!(ratings[0] > ratings[1] + 100.0 && ratings[1] > ratings[2] + 100.0, "{ratings:?}");
        assert_eq!(standings.total(0).results, [40, 0, 0]);
        assert_eq!(standings.total(1).discs, 0);
    }
}
