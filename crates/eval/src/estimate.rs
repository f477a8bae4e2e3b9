//! Estimates of the final score under perfect play, and how sure they are.
//!
//! Standard deviation and probabilities come from one distribution of the final score, Student's t
//! around the estimate, rounded to scores that can happen: with 64 squares filled, and the winner
//! taking the empties, every score is even. Draws have a greater weight: between good players they
//! are more frequent than the scores beside them.

use std::fmt;
use std::ops::Neg;

use umigame_othello::{Eval, Score};

/// Probabilities of win, draw and loss for the side to move. They add up to 1.
///
/// Displays as `win 48 draw 45 loss 7 %`, always all three: of an even position, most is often the draw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Wdl {
    /// Parts of [`PARTS`].
    win: u16,
    loss: u16,
}

/// Parts that probabilities are counted in.
const PARTS: u16 = 10_000;

impl Wdl {
    /// Returns the probabilities of win and loss; the rest is a draw.
    pub fn new(win: f64, loss: f64) -> Wdl {
        let parts = |share: f64| (f64::from(PARTS) * share.clamp(0.0, 1.0)).round() as u16;
        let win = parts(win);
        Wdl { win, loss: parts(loss).min(PARTS - win) }
    }

    /// Returns the probabilities where the sign of the score is known: 1 for a win, 0 for a draw, -1.
    pub fn certain(sign: i32) -> Wdl {
        Wdl::new(f64::from(u8::from(sign > 0)), f64::from(u8::from(sign < 0)))
    }

    /// Returns the probability of a win, 0 to 1.
    pub fn win(self) -> f64 {
        f64::from(self.win) / f64::from(PARTS)
    }

    /// Returns the probability of a draw, 0 to 1.
    pub fn draw(self) -> f64 {
        f64::from(PARTS - self.win - self.loss) / f64::from(PARTS)
    }

    /// Returns the probability of a loss, 0 to 1.
    pub fn loss(self) -> f64 {
        f64::from(self.loss) / f64::from(PARTS)
    }
}

/// The probabilities for the other side.
impl Neg for Wdl {
    type Output = Wdl;

    fn neg(self) -> Wdl {
        Wdl { win: self.loss, loss: self.win }
    }
}

/// Rounds to percent; `<1` and `>99` are neither impossible nor certain.
fn percent(parts: u16) -> String {
    const PERCENT: u16 = PARTS / 100;
    match parts {
        1..PERCENT => "<1".to_owned(),
        _ if parts > PARTS - PERCENT && parts < PARTS => ">99".to_owned(),
        _ => ((parts + PERCENT / 2) / PERCENT).to_string(),
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let draw = PARTS - self.win - self.loss;
        let [win, draw, loss] = [self.win, draw, self.loss].map(percent);
        write!(f, "win {win} draw {draw} loss {loss} %")
    }
}

/// Estimate of the final score under perfect play for the side to move, and how sure it is.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Estimate {
    /// The score expected; the score itself if it is proven.
    pub eval: Eval,
    /// Half the width of the interval around `eval` that holds 68 % of the final scores, in discs, to
    /// the hundredth; for a normal distribution that is the standard deviation. 0 for an exact score;
    /// `None` where only bounds or the sign of the score are known, or nothing was searched.
    pub std_dev: Option<f64>,
    /// Probabilities of win, draw and loss; `None` where a bound leaves the result open, or nothing was
    /// searched.
    pub wdl: Option<Wdl>,
}

impl Estimate {
    /// Returns an estimate of which nothing more is known.
    pub fn unsure(eval: Eval) -> Estimate {
        Estimate { eval, std_dev: None, wdl: None }
    }

    /// Returns the estimate that is an exact score.
    pub fn exact(score: Score) -> Estimate {
        let wdl = Some(Wdl::certain(score.discs()));
        Estimate { eval: score.to_eval(), std_dev: Some(0.0), wdl }
    }

    /// Returns the mean of two estimates; the means of deviations and probabilities where both are
    /// known.
    #[must_use]
    pub fn mean_with(self, other: Estimate) -> Estimate {
        let sum = self.eval.centidiscs() + other.eval.centidiscs();
        let deviations = self.std_dev.zip(other.std_dev);
        let mean =
            |(a, b): (Wdl, Wdl)| Wdl { win: a.win.midpoint(b.win), loss: a.loss.midpoint(b.loss) };
        Estimate {
            eval: Eval::from_centidiscs(sum / 2),
            std_dev: deviations.map(|(a, b)| hundredths(f64::midpoint(a, b))),
            wdl: self.wdl.zip(other.wdl).map(mean),
        }
    }
}

/// The estimate for the other side.
impl Neg for Estimate {
    type Output = Estimate;

    fn neg(self) -> Estimate {
        Estimate { eval: -self.eval, std_dev: self.std_dev, wdl: self.wdl.map(Neg::neg) }
    }
}

/// Rounds discs to the hundredth.
fn hundredths(discs: f64) -> f64 {
    (100.0 * discs).round() / 100.0
}

/// Distribution of the final score around an estimate.
///
/// Everything is computed with operations that every processor rounds alike.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScoreDistribution {
    /// Center, in discs.
    pub center: f64,
    /// Half the width of the interval that holds 68 %, in discs.
    pub std_dev: f64,
}

/// Degrees of freedom of the distribution, an even number: errors of searches have longer tails
/// than a normal distribution. Of 4, 6, 8, 12 and 20, 8 makes the errors of a fit most likely.
const FREEDOM: u32 = 8;
/// Half the width of the interval of the unscaled distribution that holds 68.27 %.
const UNIT_SIGMA: f64 = 1.0665;
/// Weight of a draw beside any other score. Exact scores of games of people, and of games from even
/// openings, have 1.4 times as many draws as scores of 2 discs for one side, those after random moves
/// no more.
const DRAW_WEIGHT: f64 = 1.25;

/// Returns the sum of the weights of all scores, given the probability of a draw without its weight.
fn total_weight(draw: f64) -> f64 {
    1.0 + (DRAW_WEIGHT - 1.0) * draw
}

/// Returns the distribution function of Student's t with [`FREEDOM`] degrees of freedom.
///
/// After: M. Abramowitz and I. A. Stegun, "Handbook of mathematical functions", 26.7.4.
fn student(t: f64) -> f64 {
    let sine = t / (f64::from(FREEDOM) + t * t).sqrt();
    let cosine_squared = 1.0 - sine * sine;
    let (mut term, mut sum) = (1.0, 0.0);
    for k in 1..=FREEDOM / 2 {
        sum += term;
        term *= cosine_squared * f64::from(2 * k - 1) / f64::from(2 * k);
    }
    0.5 + 0.5 * sine * sum
}

impl ScoreDistribution {
    /// Returns the probability that the score before rounding is below `discs`, without the weight of
    /// draws.
    fn below(&self, discs: f64) -> f64 {
        student(UNIT_SIGMA * (discs - self.center) / self.std_dev)
    }

    /// Returns the probability of a score within a disc of `discs`, the two wipe-outs taking
    /// everything beyond them.
    pub fn probability(&self, discs: f64) -> f64 {
        let upper = if discs >= 64.0 { 1.0 } else { self.below(discs + 1.0) };
        let lower = if discs <= -64.0 { 0.0 } else { self.below(discs - 1.0) };
        let weight = if discs == 0.0 { DRAW_WEIGHT } else { 1.0 };
        weight * (upper - lower) / total_weight(self.below(1.0) - self.below(-1.0))
    }

    /// Returns the estimate.
    pub fn estimate(&self) -> Estimate {
        let (not_won, lost) = (self.below(1.0), self.below(-1.0));
        let total = total_weight(not_won - lost);
        Estimate {
            eval: Eval::from_centidiscs((100.0 * self.center).round() as i32),
            std_dev: Some(hundredths(self.std_dev)),
            wdl: Some(Wdl::new((1.0 - not_won) / total, lost / total)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_sigma_holds_68_percent() {
        let held = student(UNIT_SIGMA) - student(-UNIT_SIGMA);
        assert!((held - 0.6827).abs() < 1e-4, "{held}");
    }

    #[test]
    fn a_distribution_function_rises_from_0_to_1() {
        let distribution = ScoreDistribution { center: 0.0, std_dev: 1.0 };
        let values: Vec<f64> =
            (-4000..=4000).map(|x| distribution.below(f64::from(x) / 100.0)).collect();
        assert!(values.is_sorted() && values[0] < 1e-6 && values[8000] > 1.0 - 1e-6);
        assert!((values[4000] - 0.5).abs() < 1e-12);
    }

    #[test]
    fn the_probabilities_of_all_scores_and_those_of_results_add_up_to_1() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..1000 {
            let center = 130.0 * (random.f64() - 0.5);
            let distribution = ScoreDistribution { center, std_dev: 0.05 + 20.0 * random.f64() };
            let of = |discs: i32| distribution.probability(f64::from(discs));
            let sum: f64 = (-32..=32).map(|half| of(2 * half)).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{distribution:?}");
            let wdl = distribution.estimate().wdl.expect("wdl");
            assert!((wdl.win() + wdl.draw() + wdl.loss() - 1.0).abs() < 1e-12, "{wdl:?}");
            let draw = of(0);
            assert!((wdl.draw() - draw).abs() < 2e-4, "{wdl:?} {draw}");
            assert_eq!(-(-wdl), wdl);
            assert_eq!((-wdl).win(), wdl.loss());
        }
    }

    #[test]
    fn all_three_results_are_written_and_only_certainty_is_0_or_100() {
        let text = |win, loss| Wdl::new(win, loss).to_string();
        assert_eq!(text(0.34, 0.212), "win 34 draw 45 loss 21 %");
        assert_eq!(text(0.9996, 0.0001), "win >99 draw <1 loss <1 %");
        assert_eq!(text(1.0, 0.0), "win 100 draw 0 loss 0 %");
        assert_eq!(Wdl::certain(0).to_string(), "win 0 draw 100 loss 0 %");
    }

    #[test]
    fn an_exact_score_is_certain() {
        for discs in (-64..=64).step_by(2) {
            let estimate = Estimate::exact(Score::saturating(discs));
            let wdl = estimate.wdl.expect("wdl");
            assert_eq!((estimate.eval.centidiscs(), estimate.std_dev), (100 * discs, Some(0.0)));
            let found = [wdl.win(), wdl.draw(), wdl.loss()];
            assert_eq!(found, [discs > 0, discs == 0, discs < 0].map(|is| f64::from(u8::from(is))));
        }
    }
}
