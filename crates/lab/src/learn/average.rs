//! Mean of weights. The mean of several stages of one training errs less than any of them.
//!
//! After: P. Izmailov et al., "Averaging Weights Leads to Wider Optima and Better Generalization",
//! 2018. Only weights of one training are near enough to each other; the mean of two that began
//! at random is worth nothing.

use umigame_engine::eval::file::Weights;
use umigame_engine::eval::network::Parameters;
use umigame_engine::eval::network::layer::LayerParameters;

/// Part of a step from which a value of an embedding is rounded up from 0: smaller values are noise,
/// and they compress badly.
const MIN_EMBEDDING: f64 = 0.67;

/// Returns the mean of weights, each with its share; `None` without weights, if the shares do not add
/// up to a positive number, or if only some of the weights have a network.
///
/// A value of the mean is rounded to the nearest step, but values of embeddings below two thirds of
/// one are 0.
pub fn average(weights: &[(Weights, f64)]) -> Option<Weights> {
    let total: f64 = weights.iter().map(|(_, share)| share).sum();
    let ((first, _), true) = (weights.first()?, total > 0.0) else { return None };
    let mean = |value: &dyn Fn(&Weights) -> f64| {
        weights.iter().map(|(one, share)| share * value(one)).sum::<f64>() / total
    };
    let places = 0..first.patterns.len();
    let patterns = places.map(|at| mean(&|one| one.patterns[at].into()).round() as i16).collect();
    if first.network.is_none() {
        let others = weights.iter().all(|(one, _)| one.network.is_none());
        return others.then_some(Weights { patterns, network: None });
    }
    let networks: Option<Vec<(&Parameters, f64)>> =
        weights.iter().map(|(one, share)| Some((one.network.as_ref()?, share / total))).collect();
    Some(Weights { patterns, network: Some(average_network(&networks?)) })
}

/// Returns the mean of networks; the shares add up to 1.
fn average_network(networks: &[(&Parameters, f64)]) -> Parameters {
    let mean = |value: &dyn Fn(&Parameters) -> f64| {
        networks.iter().map(|(one, share)| share * value(one)).sum::<f64>()
    };
    let (first, _) = networks[0];
    let embeddings = (0..first.embeddings.len()).map(|row| {
        std::array::from_fn(|at| {
            let value = mean(&|one| one.embeddings[row][at].into());
            if value.abs() < MIN_EMBEDDING { 0 } else { value.round() as i8 }
        })
    });
    let layers = (0..first.layers.len()).map(|phase| {
        LayerParameters(std::array::from_fn(|at| {
            mean(&|one| one.layers[phase].0[at].into()).round() as i16
        }))
    });
    Parameters { embeddings: embeddings.collect(), layers: layers.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_engine::eval::patterns::PHASES;

    /// Returns weights of random values, with fewer rows than the patterns need.
    fn random_weights(seed: u64) -> Weights {
        let mut random = fastrand::Rng::with_seed(seed);
        let patterns = (0..5_000).map(|_| random.i16(-3_000..=3_000)).collect();
        let embeddings = (0..1_000).map(|_| std::array::from_fn(|_| random.i8(-127..=127)));
        let embeddings = embeddings.collect();
        let layers = (0..PHASES)
            .map(|_| LayerParameters(std::array::from_fn(|_| random.i16(-2_000..=2_000))))
            .collect();
        Weights { patterns, network: Some(Parameters { embeddings, layers }) }
    }

    /// Returns all values, those of the pattern weights first.
    fn values(weights: &Weights) -> Vec<f64> {
        let network = weights.network.as_ref().expect("a network");
        let rows = network.embeddings.iter().flatten().map(|&value| f64::from(value));
        let layers = network.layers.iter().flat_map(|layer| layer.0).map(f64::from);
        weights.patterns.iter().map(|&weight| f64::from(weight)).chain(rows).chain(layers).collect()
    }

    #[test]
    fn the_mean_of_weights_and_themselves_is_themselves() {
        let weights = random_weights(1);
        let mean = average(&[(weights.clone(), 2.0), (weights.clone(), 1.0)]).expect("a mean");
        assert!(mean == weights);
        let other = random_weights(2);
        assert!(average(&[(weights.clone(), 0.5), (other, 0.0)]).expect("a mean") == weights);
    }

    #[test]
    fn every_value_is_the_mean_within_a_step_by_the_shares() {
        let (first, second) = (random_weights(3), random_weights(4));
        let mean = average(&[(first.clone(), 3.0), (second.clone(), 1.0)]).expect("a mean");
        let pairs = values(&first).into_iter().zip(values(&second)).zip(values(&mean));
        for ((first, second), mean) in pairs {
            let expected = 0.75 * first + 0.25 * second;
            let step = if expected.abs() < MIN_EMBEDDING { MIN_EMBEDDING } else { 0.5 };
            assert!((mean - expected).abs() <= step, "{first}, {second}: {mean}");
        }
    }

    #[test]
    fn weights_with_and_without_a_network_have_no_mean() {
        let weights = random_weights(5);
        let plain = Weights { network: None, ..weights.clone() };
        assert!(average(&[(weights.clone(), 1.0), (plain.clone(), 1.0)]).is_none());
        assert!(average(&[(plain.clone(), 1.0), (weights.clone(), 1.0)]).is_none());
        assert!(average(&[(plain.clone(), 1.0), (plain.clone(), 1.0)]) == Some(plain));
        assert!(average(&[(weights, 0.0)]).is_none());
        assert!(average(&[]).is_none());
    }
}
