//! How far a shallow search with an evaluation is from a deep one: what
//! ProbCut must know of the evaluation, and is stored beside its weights.

/// What is left to a difference of two values: its mean and its standard
/// sigma, in centidiscs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ErrorSpread {
    /// The mean of the deep value less the shallow one.
    pub mean: f64,
    /// The standard sigma.
    pub sigma: f64,
}

/// How many numbers [`ErrorModel`] are.
pub const NUMBERS: usize = 12;

/// No evaluation is nearer to a deep search than this, in centidiscs: a
/// margin of nothing would let a probe decide everything.
const LEAST: f64 = 50.0;

/// The spreads of an evaluation, as functions of empties and depths.
///
/// A search to depth `d` from one to depth `s` with `e` empties has the
/// sigma `sqrt((d - s + n0) / (s + n1)) * (n2 + n3 e + n4 e^2)`; its mean
/// is 0 where both depths are even or both odd, and otherwise `n5 + n6 e`
/// where the deep one is odd, and the negative of that where it is even. The
/// score from a search to depth `s` has the sigma
/// `n7 + n8 e + n9 s + n10 s e` and the mean `n11`.
///
/// Only operations that every machine rounds alike: the tree must be the same
/// everywhere.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ErrorModel(pub [f64; NUMBERS]);

impl ErrorModel {
    /// Those of the handmade evaluation. Fitted to searches without
    /// confidence of 4,564 positions from games with 6 to 14 random plies
    /// and then the best move at depth 2, and to the scores of 850 of them
    /// with 12 to 19 empties.
    pub const HANDMADE: ErrorModel =
        ErrorModel([0.5, 3.0, 767.8, -13.16, 0.0846, 0.0, 0.0, 841.5, 14.7, -77.3, 0.70, 0.0]);

    /// What weights have until their own are fitted: what `umigame learn
    /// probcut` found of weights from 9 million positions.
    pub const USUAL: ErrorModel = ErrorModel([
        2.0, 3.5, 435.5405, -6.0936, 0.0286, 152.4968, 1.1691, 289.1017, 22.1225, -24.3082,
        -0.5233, 31.2200,
    ]);

    /// Whether all are numbers that a search can use.
    pub fn are_finite(&self) -> bool {
        self.0.iter().all(|number| number.is_finite())
    }

    /// A search to depth `deep` from one to depth `shallow`.
    pub fn midgame(&self, empties: u32, shallow: u32, deep: u32) -> ErrorSpread {
        let n = self.0;
        let (e, s, d) = (f64::from(empties), f64::from(shallow), f64::from(deep));
        let depths = ((d - s + n[0]).max(0.0) / (s + n[1]).max(0.5)).sqrt();
        let odd = n[5] + n[6] * e;
        let mean = match (shallow % 2, deep % 2) {
            (0, 1) => odd,
            (1, 0) => -odd,
            _ => 0.0,
        };
        ErrorSpread { mean, sigma: (depths * (n[2] + n[3] * e + n[4] * e * e)).max(LEAST) }
    }

    /// The exact score from a search to depth `shallow`.
    pub fn ending(&self, empties: u32, shallow: u32) -> ErrorSpread {
        let n = self.0;
        let (e, s) = (f64::from(empties), f64::from(shallow));
        let sigma = n[7] + n[8] * e + n[9] * s + n[10] * s * e;
        ErrorSpread { mean: n[11], sigma: sigma.max(2.0 * LEAST) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deeper_probes_are_nearer_and_deeper_searches_farther() {
        let handmade = ErrorModel::HANDMADE;
        for empties in 14..=52 {
            let midgame = |s, d| handmade.midgame(empties, s, d).sigma;
            assert!(midgame(2, 8) > midgame(4, 8), "{empties}");
            assert!(midgame(2, 10) > midgame(2, 8), "{empties}");
            let ending = |s| handmade.ending(empties, s).sigma;
            assert!(ending(2) > ending(6), "{empties}");
        }
    }

    #[test]
    fn no_numbers_give_a_margin_of_nothing_or_less() {
        for number in [-1e30, -1.0, 0.0, 1e30] {
            let wild = ErrorModel([number; NUMBERS]);
            for depth in 1..30 {
                assert!(wild.midgame(30, depth / 2, depth).sigma >= LEAST);
                assert!(wild.ending(20, depth / 2).sigma >= LEAST);
            }
        }
    }
}
