//! Ridge regression over sparse features, by conjugate gradients.
//!
//! The weights `w` that minimise `sum of weight * (target - sum of w over the
//! sample's features)^2 + ridge * |w - center|^2`: a weight that few samples
//! speak of stays near the center. The normal equations are never
//! formed; an iteration passes once over the samples. The preconditioner is
//! the diagonal.
//!
//! After: M. R. Hestenes and E. Stiefel, "Methods of conjugate gradients for
//! solving linear systems", 1952; for Othello, M. Buro's linear regression of
//! pattern weights, 2002.

use rayon::prelude::*;

use umigame_engine::eval::patterns::layout::FEATURES;

/// The packed features of one sample; a feature may occur several times.
pub type Row = [u32; FEATURES];

/// What a fit is made from: three lists of one length.
#[derive(Default, Debug)]
pub struct Samples {
    /// The features.
    pub rows: Vec<Row>,
    /// What the weights of the features should add up to, in discs.
    pub targets: Vec<f32>,
    /// How much each sample counts.
    pub weights: Vec<f32>,
}

/// Parts that the samples are summed up in: a fixed number, so that the
/// rounding does not depend on the number of threads.
const PARTS: usize = 8;

impl Samples {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn part_size(&self) -> usize {
        self.len().div_ceil(PARTS).max(1)
    }

    /// For every sample, a number from its row and its place, added to all
    /// its features: the transposed product.
    fn scatter(&self, size: usize, value: impl Fn(usize, &Row) -> f32 + Sync) -> Vec<f32> {
        let step = self.part_size();
        let parts: Vec<Vec<f32>> = self
            .rows
            .par_chunks(step)
            .enumerate()
            .map(|(part, rows)| {
                let mut sums = vec![0.0f32; size];
                for (i, row) in rows.iter().enumerate() {
                    let value = value(part * step + i, row);
                    for &feature in row {
                        sums[feature as usize] += value;
                    }
                }
                sums
            })
            .collect();
        let mut parts = parts.into_iter();
        let mut total = parts.next().unwrap_or_else(|| vec![0.0; size]);
        for part in parts {
            total.iter_mut().zip(part).for_each(|(sum, value)| *sum += value);
        }
        total
    }
}

/// The sum of the weights of a row.
pub fn predict(weights: &[f32], row: &Row) -> f32 {
    row.iter().map(|&feature| weights[feature as usize]).sum()
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
}

/// The weights after some iterations from a `guess`, held to `center`.
pub fn fit(
    samples: &Samples,
    center: &[f32],
    guess: &[f32],
    ridge: f32,
    iterations: usize,
) -> Vec<f32> {
    let size = center.len();
    let weight = |i: usize| samples.weights[i];
    let diagonal: Vec<f32> =
        samples.scatter(size, |i, _| weight(i)).into_iter().map(|count| count + ridge).collect();
    let mut residual =
        samples.scatter(size, |i, row| weight(i) * (samples.targets[i] - predict(guess, row)));
    for ((residual, center), guess) in residual.iter_mut().zip(center).zip(guess) {
        *residual += ridge * (center - guess);
    }
    let mut change = vec![0.0f32; size];
    let scaled = |residual: &[f32]| -> Vec<f32> {
        residual.iter().zip(&diagonal).map(|(r, d)| if *d > 0.0 { r / d } else { 0.0 }).collect()
    };
    let mut z = scaled(&residual);
    let mut direction = z.clone();
    let mut rz = dot(&residual, &z);
    let first = rz;
    for _ in 0..iterations {
        if rz <= first * 1e-10 {
            break;
        }
        let mut image = samples.scatter(size, |i, row| weight(i) * predict(&direction, row));
        image.iter_mut().zip(&direction).for_each(|(image, d)| *image += ridge * d);
        let step = (rz / dot(&direction, &image)) as f32;
        change.iter_mut().zip(&direction).for_each(|(w, d)| *w += step * d);
        residual.iter_mut().zip(&image).for_each(|(r, image)| *r -= step * image);
        z = scaled(&residual);
        let next = dot(&residual, &z);
        let keep = (next / rz) as f32;
        rz = next;
        direction.iter_mut().zip(&z).for_each(|(d, z)| *d = z + keep * *d);
    }
    guess.iter().zip(change).map(|(guess, change)| guess + change).collect()
}
