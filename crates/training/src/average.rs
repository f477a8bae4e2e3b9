//! Mean of weights: that of several stages of one training usually errs less than each of them.
//!
//! After: P. Izmailov et al., "Averaging Weights Leads to Wider Optima and Better Generalization",
//! 2018. The mean of weights whose trainings began apart is worth nothing.

use umigame_eval::file::Weights;
use umigame_eval::network::Parameters;
use umigame_eval::network::layer::LayerParameters;

/// Minimum mean of a value of an embedding, in steps: smaller means are noise and compress badly, so
/// they become 0.
const MIN_EMBEDDING: f64 = 0.67;

/// Returns the mean of weights, each with its share, rounded to the nearest steps; `None` without
/// weights, if the shares do not add up to a positive number, or if only some of the weights have a
/// network.
pub fn average(weights: &[(Weights, f64)]) -> Option<Weights> {
    let total: f64 = weights.iter().map(|(_, share)| share).sum();
    if total <= 0.0 {
        return None;
    }
    let parts: Vec<_> = weights.iter().map(|(one, share)| (one, share / total)).collect();
    let (first, _) = parts.first()?;
    let pattern = |at: usize| mean(&parts, |one| one.patterns[at].into()).round() as i16;
    let patterns = (0..first.patterns.len()).map(pattern).collect();
    let networks = parts.iter().filter_map(|(one, share)| Some((one.network.as_ref()?, *share)));
    let networks: Vec<_> = networks.collect();
    let network = match networks.len() {
        0 => None,
        count if count == parts.len() => Some(average_networks(&networks)),
        _ => return None,
    };
    Some(Weights { patterns, network })
}

/// Returns the mean of a value over parts, whose shares add up to 1.
fn mean<T: Copy>(parts: &[(T, f64)], value: impl Fn(T) -> f64) -> f64 {
    parts.iter().map(|&(part, share)| share * value(part)).sum()
}

fn average_networks(networks: &[(&Parameters, f64)]) -> Parameters {
    let (first, _) = networks[0];
    let embedding = |row: usize| {
        std::array::from_fn(|at| {
            let value = mean(networks, |one| one.embeddings[row][at].into());
            if value.abs() < MIN_EMBEDDING { 0 } else { value.round() as i8 }
        })
    };
    let layer = |phase: usize| {
        LayerParameters(std::array::from_fn(|at| {
            mean(networks, |one| one.layers[phase].0[at].into()).round() as i16
        }))
    };
    Parameters {
        embeddings: (0..first.embeddings.len()).map(embedding).collect(),
        layers: (0..first.layers.len()).map(layer).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_eval::patterns::PHASES;

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
