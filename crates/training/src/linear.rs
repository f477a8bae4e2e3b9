//! Weighted least squares for a few coefficients.

/// Equation of a least-squares problem: the sum of terms times coefficients should be `target`.
#[derive(Clone, Copy, Debug)]
pub struct Equation<const N: usize> {
    /// Factors of the coefficients.
    pub terms: [f64; N],
    /// Value that the sum should have.
    pub target: f64,
    /// Weight of the squared error.
    pub weight: f64,
}

/// Solves weighted least squares by Gaussian elimination. `None` if the equations do not determine
/// the coefficients.
pub fn least_squares<const N: usize>(
    equations: impl Iterator<Item = Equation<N>>,
) -> Option<[f64; N]> {
    let mut matrix = [[0.0; N]; N];
    let mut right = [0.0; N];
    for Equation { terms, target, weight } in equations {
        for i in 0..N {
            right[i] += weight * terms[i] * target;
            for j in 0..N {
                matrix[i][j] += weight * terms[i] * terms[j];
            }
        }
    }
    for pivot in 0..N {
        let largest = (pivot..N)
            .max_by(|&a, &b| matrix[a][pivot].abs().total_cmp(&matrix[b][pivot].abs()))?;
        matrix.swap(pivot, largest);
        right.swap(pivot, largest);
        if matrix[pivot][pivot].abs() < 1e-12 {
            return None;
        }
        for row in pivot + 1..N {
            let factor = matrix[row][pivot] / matrix[pivot][pivot];
            let above = matrix[pivot];
            matrix[row].iter_mut().zip(above).for_each(|(x, above)| *x -= factor * above);
            right[row] -= factor * right[pivot];
        }
    }
    let mut coefficients = [0.0; N];
    for row in (0..N).rev() {
        let known: f64 =
            (row + 1..N).map(|column| matrix[row][column] * coefficients[column]).sum();
        coefficients[row] = (right[row] - known) / matrix[row][row];
    }
    Some(coefficients)
}
