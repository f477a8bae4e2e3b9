//! Ridge regression over sparse features, by conjugate gradients.
//!
//! Minimises `sum of weight * (target - sum of w over the sample's features)^2 + ridge * |w -
//! center|^2`: the weight `w` of a feature that few samples have stays near the center. The normal
//! equations are never formed; an iteration passes once over the samples. The preconditioner is the
//! diagonal.
//!
//! After: M. R. Hestenes and E. Stiefel, "Methods of conjugate gradients for solving linear
//! systems", 1952; for Othello, M. Buro's linear regression of pattern weights, 2002.

use rayon::prelude::*;

use umigame_eval::patterns::layout::FEATURES;

/// Packed features of one sample; a feature may occur several times.
pub type Row = [u32; FEATURES];

/// Input of a fit: three lists of equal length.
#[derive(Default, Debug)]
pub struct Samples {
    /// Features.
    pub rows: Vec<Row>,
    /// Sums that the weights of the features should have, in discs.
    pub targets: Vec<f32>,
    /// Weights of the samples.
    pub weights: Vec<f32>,
}

/// Parts of the samples that are summed in parallel: a fixed number, so that rounding does not
/// depend on the number of threads.
const PARALLEL_PARTS: usize = 8;

impl Samples {
    /// Returns the number of samples.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn part_size(&self) -> usize {
        self.len().div_ceil(PARALLEL_PARTS).max(1)
    }

    /// Adds a value of every sample, from its index and row, to each of its features: the product
    /// with the transposed matrix.
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

/// Returns the sum of the weights of a row.
pub fn predict(weights: &[f32], row: &Row) -> f32 {
    row.iter().map(|&feature| weights[feature as usize]).sum()
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
}

/// Returns the weights after `iterations` steps from `guess`, with a ridge towards `center`.
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
