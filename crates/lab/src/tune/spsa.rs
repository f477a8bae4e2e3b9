//! Simultaneous perturbation stochastic approximation (SPSA).
//!
//! An iteration moves all parameters at once to either side, each by a random sign, compares the
//! costs of both, and goes a step towards the cheaper side: two measurements an iteration, however
//! many parameters there are. After J. C. Spall, "Multivariate stochastic approximation using a
//! simultaneous perturbation gradient approximation", 1992.
//!
//! Differences of costs are divided by their own root mean square, so that no gain has to be fitted
//! to the objective.

use serde::{Deserialize, Serialize};

use umigame_support::random;

/// Perturbation of the first iteration, in steps of the parameter.
const FIRST_PERTURBATION: f64 = 2.0;
/// Exponent at which perturbations shrink; Spall's.
const PERTURBATION_DECAY: f64 = 0.101;
/// Iterations of nearly full gain.
const STABLE_ITERATIONS: f64 = 20.0;
/// Exponent at which the gain shrinks; Spall's.
const GAIN_DECAY: f64 = 0.602;
/// Weight of the mean square of earlier differences against that of the last.
const MEMORY: f64 = 0.9;
/// Costs are rounded to a millionth before use, so that a log holds them exactly.
const COST_UNIT: f64 = 1e6;

/// A number to tune.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Parameter {
    /// Name.
    pub name: String,
    /// Start value.
    pub start: f64,
    /// Least value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
    /// Change that makes a small difference: perturbations are one to two of it.
    pub step: f64,
    /// Whether only whole numbers are tried.
    pub is_whole: bool,
}

impl Parameter {
    /// Returns the value to try: in the range, and rounded if it must be whole.
    fn tried(&self, value: f64) -> f64 {
        let value = value.clamp(self.min, self.max);
        if self.is_whole { value.round() } else { (value * 1e4).round() / 1e4 }
    }
}

/// Two settings to compare; a value for each parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// One setting.
    pub plus: Vec<f64>,
    /// The other.
    pub minus: Vec<f64>,
}

/// Costs of the two settings of a trial; less is better.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize, Debug)]
pub struct Costs {
    /// Cost of [`Trial::plus`].
    pub plus: f64,
    /// Cost of [`Trial::minus`].
    pub minus: f64,
}

impl Costs {
    /// Returns the costs as the method uses them.
    #[must_use]
    pub fn rounded(self) -> Costs {
        let rounded = |cost: f64| (cost * COST_UNIT).round() / COST_UNIT;
        Costs { plus: rounded(self.plus), minus: rounded(self.minus) }
    }

    /// Returns the mean of both.
    pub fn mean(self) -> f64 {
        (self.plus + self.minus) / 2.0
    }
}

/// The state of the method. The same seed and costs lead to the same values.
#[derive(Clone, Debug)]
pub struct Spsa {
    parameters: Vec<Parameter>,
    seed: u64,
    gain: f64,
    /// Values after each iteration, those at the start first.
    history: Vec<Vec<f64>>,
    /// Decaying mean of the squares of the differences of costs.
    mean_square: Option<f64>,
}

impl Spsa {
    /// Begins at the start values. `gain` is the length of the first steps, in steps of each
    /// parameter.
    pub fn new(parameters: Vec<Parameter>, seed: u64, gain: f64) -> Spsa {
        let start = parameters.iter().map(|parameter| parameter.start).collect();
        Spsa { parameters, seed, gain, history: vec![start], mean_square: None }
    }

    /// Returns the settings of the method, by name.
    pub fn settings(&self) -> [(String, String); 2] {
        [("seed".into(), self.seed.to_string()), ("gain".into(), self.gain.to_string())]
    }

    /// The parameters.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Returns the number of finished iterations.
    pub fn iterations(&self) -> u64 {
        self.history.len() as u64 - 1
    }

    /// Returns the current values, not rounded.
    pub fn values(&self) -> &[f64] {
        self.history.last().map_or(&[], Vec::as_slice)
    }

    /// Returns the start values.
    pub fn start(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.start).collect()
    }

    /// Returns the values found: the mean of those after each iteration of the second half, which
    /// wanders less than the last ones.
    pub fn found(&self) -> Vec<f64> {
        let half = &self.history[self.history.len() / 2..];
        let mean =
            |at: usize| half.iter().map(|values| values[at]).sum::<f64>() / half.len() as f64;
        self.parameters.iter().enumerate().map(|(at, it)| it.tried(mean(at))).collect()
    }

    /// Returns the sign of each parameter in the next iteration.
    fn signs(&self) -> Vec<f64> {
        let mut random = random::numbered(self.seed, self.iterations());
        self.parameters.iter().map(|_| if random.bool() { 1.0 } else { -1.0 }).collect()
    }

    /// Returns the settings to compare in the next iteration.
    pub fn trial(&self) -> Trial {
        let size = FIRST_PERTURBATION / (self.iterations() as f64 + 1.0).powf(PERTURBATION_DECAY);
        let signs = self.signs();
        let side = |side: f64| {
            let moved = |((parameter, value), sign): ((&Parameter, &f64), &f64)| {
                parameter.tried(value + side * size * sign * parameter.step)
            };
            self.parameters.iter().zip(self.values()).zip(&signs).map(moved).collect()
        };
        Trial { plus: side(1.0), minus: side(-1.0) }
    }

    /// Finishes an iteration with the costs of its trial, rounded.
    pub fn step(&mut self, costs: Costs) {
        let difference = costs.plus - costs.minus;
        let square = difference * difference;
        let mean_square =
            self.mean_square.map_or(square, |it| MEMORY * it + (1.0 - MEMORY) * square);
        self.mean_square = Some(mean_square);
        let iteration = self.iterations() as f64;
        let shrunk = (STABLE_ITERATIONS / (STABLE_ITERATIONS + iteration)).powf(GAIN_DECAY);
        let relative = if mean_square > 0.0 { difference / mean_square.sqrt() } else { 0.0 };
        let length = self.gain * shrunk * relative;
        let moved = |((parameter, value), sign): ((&Parameter, &f64), f64)| {
            (value - length * sign * parameter.step).clamp(parameter.min, parameter.max)
        };
        let values = self.parameters.iter().zip(self.values()).zip(self.signs()).map(moved);
        self.history.push(values.collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parameters of different scales, each with its optimum.
    fn parameters() -> (Vec<Parameter>, Vec<f64>) {
        let parameter = |name: &str, start, max, step, is_whole| Parameter {
            name: name.to_owned(),
            start,
            min: 0.0,
            max,
            step,
            is_whole,
        };
        let parameters = vec![
            parameter("whole, large", 200.0, 1_000.0, 20.0, true),
            parameter("whole, small", 5.0, 30.0, 1.0, true),
            parameter("fraction", 0.4, 3.0, 0.1, false),
            parameter("at its optimum", 64.0, 256.0, 4.0, true),
            parameter("at the end of its range", 3.0, 10.0, 1.0, true),
        ];
        (parameters, vec![330.0, 11.0, 1.3, 64.0, 0.0])
    }

    /// Noise of about the standard deviation 1.
    fn noise(random: &mut fastrand::Rng) -> f64 {
        (0..12).map(|_| random.f64()).sum::<f64>() - 6.0
    }

    #[test]
    fn the_optimum_of_a_noisy_quadratic_function_is_found() {
        let (parameters, optimum) = parameters();
        for seed in 0..20 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut cost = |values: &[f64]| {
                let square = |((parameter, value), optimum): ((&Parameter, &f64), &f64)| {
                    ((value - optimum) / parameter.step).powi(2)
                };
                let sum: f64 = parameters.iter().zip(values).zip(&optimum).map(square).sum();
                // As large as the difference that three steps make near the optimum.
                1.0 + 0.01 * sum + 0.1 * noise(&mut random)
            };
            let mut spsa = Spsa::new(parameters.clone(), seed, 0.3);
            for _ in 0..3_000 {
                let Trial { plus, minus } = spsa.trial();
                let costs = Costs { plus: cost(&plus), minus: cost(&minus) };
                spsa.step(costs.rounded());
            }
            for ((parameter, found), optimum) in parameters.iter().zip(spsa.found()).zip(&optimum) {
                let off = (found - optimum).abs() / parameter.step;
                assert!(off <= 1.5, "seed {seed}, {}: {found}, optimum {optimum}", parameter.name);
            }
        }
    }

    #[test]
    fn the_scale_of_the_costs_does_not_matter() {
        let run = |scale: f64| {
            let mut spsa = Spsa::new(parameters().0, 7, 0.3);
            for _ in 0..100 {
                let Trial { plus, minus } = spsa.trial();
                let cost = |values: &[f64]| scale * (values[0] - 300.0).powi(2);
                spsa.step(Costs { plus: cost(&plus), minus: cost(&minus) });
            }
            spsa.found()
        };
        assert_eq!(run(1.0), run(1024.0));
        assert_ne!(run(1.0), parameters().0.iter().map(|it| it.start).collect::<Vec<_>>());
    }

    #[test]
    fn trials_keep_to_the_ranges_and_differ_in_every_whole_number() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut spsa = Spsa::new(parameters().0, 1, 3.0);
        for _ in 0..1_000 {
            let Trial { plus, minus } = spsa.trial();
            for ((parameter, plus), minus) in spsa.parameters().iter().zip(&plus).zip(&minus) {
                for value in [*plus, *minus] {
                    assert!((parameter.min..=parameter.max).contains(&value), "{parameter:?}");
                    assert!(!parameter.is_whole || value.fract() == 0.0, "{parameter:?}");
                }
                assert_ne!(plus, minus, "{parameter:?}");
            }
            spsa.step(Costs { plus: random.f64(), minus: random.f64() });
        }
        assert_eq!(spsa.iterations(), 1_000);
    }
}
