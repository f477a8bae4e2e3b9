//! Error model: how far a shallow search is from a deep one with the same weights.
//!
//! ProbCut and futility cuts take their margins from it, late move reductions the mean difference
//! between depths. It is fitted by `umigame-lab learn fit-models` and stored in the weights file.

/// Distribution of a deep value minus a shallow one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ShallowError {
    /// Mean of the difference, in centidiscs.
    pub mean: f64,
    /// Standard deviation of the difference, in centidiscs.
    pub sigma: f64,
}

/// Number of coefficients of a [`ProbCutModel`].
pub const COEFFICIENTS: usize = 12;

/// Smallest sigma of a midgame search; an endgame's is at least twice this. A sigma near 0 would
/// let a ProbCut probe decide everything.
const MIN_SIGMA_CENTIDISCS: f64 = 50.0;

/// Coefficients `n0` to `n11` of the spread as a function of empties and depths.
///
/// A search to depth `d`, predicted from one to depth `s` at `e` empties, has sigma
/// `sqrt((d - s + n0) / (s + n1)) * (n2 + n3 e + n4 e^2)`. Its mean is 0 if both depths have the
/// same parity, `n5 + n6 e` if only `d` is odd, and the negative of that if only `s` is odd.
/// The exact score, predicted from a search to depth `s`, has sigma `n7 + n8 e + n9 s + n10 s e`
/// and mean `n11`. All in centidiscs.
///
/// Only operations that every processor rounds alike are used: the search tree depends on them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ProbCutModel(pub [f64; COEFFICIENTS]);

impl ProbCutModel {
    /// Coefficients for weights without a fit of their own: the result of `umigame-lab learn fit-models`
    /// for weights from 9 million positions.
    pub const DEFAULT: ProbCutModel = ProbCutModel([
        2.0, 3.5, 435.5405, -6.0936, 0.0286, 152.4968, 1.1691, 289.1017, 22.1225, -24.3082,
        -0.5233, 31.2200,
    ]);

    /// Returns whether all coefficients are finite.
    pub fn are_finite(&self) -> bool {
        self.0.iter().all(|coefficient| coefficient.is_finite())
    }

    /// Returns the spread of a search to depth `deep`, predicted from one to depth `shallow`.
    pub fn midgame(&self, empties: u32, shallow: u32, deep: u32) -> ShallowError {
        let n = self.0;
        let (e, s, d) = (f64::from(empties), f64::from(shallow), f64::from(deep));
        let depths = ((d - s + n[0]).max(0.0) / (s + n[1]).max(0.5)).sqrt();
        let sigma = depths * (n[2] + n[3] * e + n[4] * e * e);
        let mean = self.midgame_mean(empties, shallow, deep);
        ShallowError { mean, sigma: sigma.max(MIN_SIGMA_CENTIDISCS) }
    }

    /// Returns the mean of [`ProbCutModel::midgame`] alone, in centidiscs.
    #[inline(always)]
    pub fn midgame_mean(&self, empties: u32, shallow: u32, deep: u32) -> f64 {
        let n = self.0;
        let odd = n[5] + n[6] * f64::from(empties);
        match (shallow % 2, deep % 2) {
            (0, 1) => odd,
            (1, 0) => -odd,
            _ => 0.0,
        }
    }

    /// Returns the spread of the exact score, predicted from a search to depth `shallow`.
    pub fn endgame(&self, empties: u32, shallow: u32) -> ShallowError {
        let n = self.0;
        let (e, s) = (f64::from(empties), f64::from(shallow));
        let sigma = n[7] + n[8] * e + n[9] * s + n[10] * s * e;
        ShallowError { mean: n[11], sigma: sigma.max(2.0 * MIN_SIGMA_CENTIDISCS) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sigma_falls_with_the_depth_of_the_probe_and_grows_with_that_of_the_search() {
        let model = ProbCutModel::DEFAULT;
        for empties in 14..=52 {
            let midgame = |s, d| model.midgame(empties, s, d).sigma;
            assert!(midgame(2, 8) > midgame(4, 8), "{empties}");
            assert!(midgame(2, 10) > midgame(2, 8), "{empties}");
            let endgame = |s| model.endgame(empties, s).sigma;
            assert!(endgame(2) > endgame(6), "{empties}");
        }
    }

    #[test]
    fn sigma_has_a_lower_bound_for_any_coefficients() {
        for coefficient in [-1e30, -1.0, 0.0, 1e30] {
            let wild = ProbCutModel([coefficient; COEFFICIENTS]);
            for depth in 1..30 {
                assert!(wild.midgame(30, depth / 2, depth).sigma >= MIN_SIGMA_CENTIDISCS);
                assert!(wild.endgame(20, depth / 2).sigma >= MIN_SIGMA_CENTIDISCS);
            }
        }
    }
}
