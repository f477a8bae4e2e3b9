//! Games of the planner on simulated machines: random speeds, costs, lags and clocks. Laws: no game
//! is lost on time, and the clock is used when the game is solved.

use std::time::Duration;

use crate::limits::Limits;
use crate::limits::confidence::Confidence;
use crate::limits::time_control::TimeControl;
use crate::time::budget::time_budget;
use crate::time::iteration::Iteration;
use crate::time::overhead::LearntOverhead;
use crate::time::plan::IterationPlan;
use crate::time::solve_cost::{BITS_PER_PLY, SolveCost};
use fastrand::Rng;
use umigame_eval::value::Centidiscs;
use umigame_othello::{Move, Position, Square};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Returns a random number of mean 0 and standard deviation about 1.
fn noise(random: &mut Rng) -> f64 {
    (0..12).map(|_| random.f64()).sum::<f64>() - 6.0
}

/// Returns a random number from `low` to `high` with an even logarithm.
fn log_uniform(random: &mut Rng, low: f64, high: f64) -> f64 {
    low * (high / low).powf(random.f64())
}

/// A position for each number of empties up to 60.
fn positions() -> Vec<Position> {
    let mut position = Position::START;
    let mut found = vec![position];
    while position.empties() > 1 {
        let next = position.legal_moves().iter().find_map(|square| position.play(square));
        if next.is_some() {
            found.push(next.unwrap_or(position));
        }
        position = next.unwrap_or_else(|| position.passed());
    }
    found.reverse();
    found
}

/// A processor and the costs of the games searched on it.
struct Machine {
    random: Rng,
    /// Nodes a second in the midgame.
    speed: f64,
    /// Multiple of that in the endgame.
    endgame_speed: f64,
    /// Bits of this game's searches beyond the average.
    game_bits: f64,
    /// Delays of a move that the search does not see, at most.
    max_lag: Duration,
    cost: SolveCost,
    learnt: LearntOverhead,
}

/// One simulated search.
struct Searched {
    time: Duration,
    is_solved: bool,
}

impl Machine {
    fn new(seed: u64, max_lag: Duration) -> Machine {
        let mut random = Rng::with_seed(seed);
        Machine {
            speed: log_uniform(&mut random, 1e6, 2e7),
            endgame_speed: log_uniform(&mut random, 2.0, 8.0),
            game_bits: 0.0,
            random,
            max_lag,
            cost: SolveCost::default(),
            learnt: LearntOverhead::default(),
        }
    }

    /// Returns the time of an iteration without interruption, and its nodes.
    fn iteration(&mut self, empties: u32, search_bits: f64, iteration: Iteration) -> (f64, f64) {
        let model = SolveCost::default();
        let endgame = model.by_depth(empties, 0, 0) + self.game_bits + search_bits;
        let bits = match iteration {
            Iteration::Midgame(depth, _) => endgame - BITS_PER_PLY * f64::from(empties - depth),
            Iteration::Endgame(_, confidence) => model.endgame(endgame, empties, confidence),
        };
        let speed = match iteration {
            Iteration::Midgame(..) => self.speed,
            Iteration::Endgame(..) => self.speed * self.endgame_speed,
        };
        let nodes = (bits + 0.3 * noise(&mut self.random)).exp2().max(1.0);
        (nodes / speed, nodes)
    }

    /// Searches a position; after a solved one the table knows the game.
    fn search(&mut self, position: Position, clock: TimeControl, overhead: Duration) -> Searched {
        let limits = Limits::exact().with_confidence(Confidence::P73);
        let limits = limits.with_time(clock).with_move_overhead(overhead);
        let empties = position.empties();
        let time = time_budget(&limits, empties, self.cost, self.learnt).expect("a clock");
        let mut cost = self.cost;
        let mut plan = IterationPlan::new(position, &limits, Some(time), &mut cost);
        let search_bits = 0.8 * noise(&mut self.random);
        let (mut elapsed, mut nodes, mut is_first) = (0.0, 0.0, true);
        let mut is_solved = false;
        while let Some(iteration) = plan.next_iteration() {
            let limit = if plan.is_solving() { time.solve } else { time.hard }.as_secs_f64();
            let (whole, visited) = self.iteration(empties, search_bits, iteration);
            let finished = is_first || elapsed + whole <= limit;
            let part = if finished { 1.0 } else { ((limit - elapsed) / whole).max(0.0) };
            elapsed += part * whole;
            nodes += part * visited;
            plan.done(iteration, finished, nodes as u64, Duration::from_secs_f64(elapsed));
            is_solved |= finished && matches!(iteration, Iteration::Endgame(_, Confidence::FULL));
            if !finished {
                break;
            }
            let square = self.random.u8(..3);
            let best = Square::all().nth(usize::from(square)).map_or(Move::Pass, Move::Place);
            plan.found(best, Centidiscs(self.random.i32(-200..200)));
            is_first = false;
        }
        self.cost = cost;
        Searched { time: Duration::from_secs_f64(elapsed), is_solved }
    }

    /// Plays a game; `None` if the clock ran out.
    fn play(
        &mut self,
        positions: &[Position],
        first: u32,
        mut clock: TestClock,
        overhead: Duration,
    ) -> Option<PlayedGame> {
        self.game_bits = 0.8 * noise(&mut self.random);
        let mut most_used: f64 = 0.0;
        let mut solved_at = None;
        for empties in (1..=first).rev().step_by(2) {
            let time = if solved_at.is_some() {
                ms(1)
            } else {
                let position = positions[empties as usize - 1];
                let searched = self.search(position, clock.time_control(), overhead);
                solved_at = searched.is_solved.then_some(empties);
                searched.time
            };
            let used = time + self.max_lag.mul_f64(self.random.f64().sqrt());
            most_used = most_used.max(clock.spend(used)?);
        }
        Some(PlayedGame { most_used, solved_at })
    }
}

/// A game within its time.
struct PlayedGame {
    /// Greatest part of the time granted so far that was used after any of the moves.
    most_used: f64,
    /// Empties at which the game was solved.
    solved_at: Option<u32>,
}

/// The referee's clock.
#[derive(Clone, Copy, Debug)]
enum TestClock {
    Game { granted: Duration, used: Duration, increment: Duration },
    Canadian { main: Duration, period: Duration, moves: u32, left: Duration, moves_left: u32 },
}

impl TestClock {
    fn game(main: Duration, increment: Duration) -> TestClock {
        TestClock::Game { granted: main, used: ms(0), increment }
    }

    fn canadian(main: Duration, period: Duration, moves: u32) -> TestClock {
        TestClock::Canadian { main, period, moves, left: period, moves_left: moves }
    }

    fn time_control(self) -> TimeControl {
        match self {
            TestClock::Game { granted, used, increment } => {
                TimeControl::Game { remaining: granted - used, increment }
            }
            TestClock::Canadian { main, left, moves_left, .. } => {
                TimeControl::Period { remaining: left, moves: moves_left, main }
            }
        }
    }

    /// Spends the time of a move; `None` if there was less. Returns the part used of a game's time.
    fn spend(&mut self, time: Duration) -> Option<f64> {
        match self {
            TestClock::Game { granted, used, increment } => {
                *used += time;
                let part = used.as_secs_f64() / granted.as_secs_f64();
                *granted += *increment;
                (part <= 1.0).then_some(part)
            }
            TestClock::Canadian { main, period, moves, left, moves_left } => {
                let over = time.saturating_sub(*main);
                *main = main.saturating_sub(time);
                if main.is_zero() {
                    *left = left.checked_sub(over)?;
                    *moves_left -= 1;
                    if *moves_left == 0 {
                        (*left, *moves_left) = (*period, *moves);
                    }
                }
                Some(0.0)
            }
        }
    }
}

#[test]
fn no_clock_runs_out_while_delays_stay_within_the_overhead() {
    let positions = positions();
    for seed in 0..3000 {
        let mut random = Rng::with_seed(seed);
        let overhead = Duration::from_secs_f64(log_uniform(&mut random, 0.001, 0.1));
        let mut machine = Machine::new(seed, overhead.mul_f64(0.9));
        let first = random.u32(20..=60);
        // A clock that pays the overheads of a game, with a quarter and a millisecond more.
        let later = overhead * 5 / 4 + ms(1);
        let least = later * (first / 2 + 1);
        let main = least.mul_f64(log_uniform(&mut random, 1.0, 10_000.0));
        let increment = if random.bool() { ms(0) } else { ms(random.u64(0..2000)) };
        let moves = random.u32(1..=30);
        let period = (later * moves).mul_f64(log_uniform(&mut random, 1.0, 1000.0));
        let bare = if random.bool() { ms(0) } else { main };
        for clock in [TestClock::game(main, increment), TestClock::canadian(bare, period, moves)] {
            let played = machine.play(&positions, first, clock, overhead);
            assert!(played.is_some(), "seed {seed}: {clock:?}, overhead {overhead:?}");
        }
    }
}

/// Plays games on random machines. The first game of each machine, which measures its speed, does
/// not count.
fn played_games(main: Duration, increment: Duration) -> Vec<PlayedGame> {
    let positions = positions();
    let mut games = Vec::new();
    for seed in 0..200 {
        let mut machine = Machine::new(seed, ms(1));
        for game in 0..4 {
            let clock = TestClock::game(main, increment);
            let played = machine.play(&positions, 52, clock, ms(2)).expect("in time");
            if game > 0 {
                games.push(played);
            }
        }
    }
    games
}

#[test]
fn the_clock_is_used_when_the_game_is_solved() {
    for (main, increment) in
        [(2_000, 0), (5_000, 0), (5_000, 100), (60_000, 0), (60_000, 1_000), (900_000, 0)]
    {
        let games = played_games(ms(main), ms(increment));
        let mut used: Vec<f64> = games.iter().map(|game| game.most_used).collect();
        used.sort_by(f64::total_cmp);
        let mean = used.iter().sum::<f64>() / used.len() as f64;
        let tenth = used[used.len() / 10];
        println!("{main}+{increment} ms: mean {mean:.3}, a tenth below {tenth:.3}");
        assert!(mean >= 0.92, "{main}+{increment} ms: {mean}");
        assert!(tenth >= 0.86, "{main}+{increment} ms: a tenth below {tenth}");

        // A game whose endgame costs more than predicted has time for it all the same.
        let mut solved: Vec<u32> = games.iter().map(|game| game.solved_at.unwrap_or(0)).collect();
        solved.sort_unstable();
        let (tenth, median) = (solved[solved.len() / 10], solved[solved.len() / 2]);
        println!("solved at {median} empties, a tenth at {tenth} or fewer");
        assert!(tenth + 6 >= median, "{main}+{increment} ms: {tenth}, {median}");
    }
}
