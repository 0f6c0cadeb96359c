//! Least squares from a triangle, column after column, so that of columns that say the same the first is kept.
//!
//! A column is left out if what remains of it beside the kept ones has at most 1e-8 of its squared length. Pivoting by
//! length would leave out another of the columns than statistical packages do. What remains is found by Gram-Schmidt,
//! done twice, which is as good as reflections (Giraud, Langou and Rozložník 2005).

use tribunal_algebra::Triangle;

/// A column is left out if no more than this part of its squared length is new.
const NEW: f64 = 1e-8;

/// The coefficients of the columns that are kept, and how certain they are.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LeastSquares {
    /// The places of the columns that are kept.
    pub(super) kept: Vec<usize>,
    /// Their coefficients.
    pub(super) coefficients: Vec<f64>,
    /// The inverse of the triangle of the kept columns, column after column.
    inverse: Vec<Vec<f64>>,
    /// What the first column leaves of the squared length of the response, as far as the others account for it.
    pub(super) explained: f64,
    /// What nothing accounts for.
    pub(super) residual: f64,
}

impl LeastSquares {
    /// The last of `n_columns` as a combination of the others.
    pub(super) fn solve(triangle: &Triangle, n_columns: usize) -> LeastSquares {
        let mut basis = Basis::default();
        let n_predictors = n_columns.saturating_sub(1);
        let kept = (0..n_predictors).filter(|&idx| basis.extend(triangle.column(idx))).collect();
        let mut rest = triangle.column(n_predictors).to_vec();
        let projected = basis.project(&mut rest);
        LeastSquares {
            kept,
            coefficients: basis.solve(projected.clone()),
            inverse: (0..projected.len()).map(|idx| basis.solve(unit(idx))).collect(),
            explained: projected.iter().skip(1).map(|part| part * part).sum(),
            residual: inner(&rest, &rest),
        }
    }

    /// The squared standard error of a combination of the coefficients, where residuals have variance one.
    pub(super) fn variance(&self, weights: &[f64]) -> f64 {
        let along = |column: &Vec<f64>| inner(weights, column).powi(2);
        self.inverse.iter().map(along).sum()
    }
}

/// Orthonormal directions, and the kept columns in terms of them.
#[derive(Default)]
struct Basis {
    directions: Vec<Vec<f64>>,
    /// Each kept column as a combination of the directions up to its own.
    columns: Vec<Vec<f64>>,
}

impl Basis {
    /// Takes in a column, if there is anything new in it.
    fn extend(&mut self, column: &[f64]) -> bool {
        let mut rest = column.to_vec();
        let mut parts = self.project(&mut rest);
        let new = inner(&rest, &rest);
        let is_new = new > NEW * inner(column, column);
        if is_new {
            let length = new.sqrt();
            parts.push(length);
            self.columns.push(parts);
            self.directions.push(rest.iter().map(|value| value / length).collect());
        }
        is_new
    }

    /// Takes from a vector what lies along the directions, and returns it.
    fn project(&self, rest: &mut [f64]) -> Vec<f64> {
        let mut parts = vec![0.0; self.directions.len()];
        // What rounding leaves behind the first time is gone after the second.
        for _ in 0..2 {
            for (part, direction) in parts.iter_mut().zip(&self.directions) {
                let along = inner(direction, rest);
                *part += along;
                rest.iter_mut().zip(direction).for_each(|(value, step)| *value -= along * step);
            }
        }
        parts
    }

    /// The combination of the kept columns that is this combination of directions; fewer than all if the rest is zero.
    fn solve(&self, mut parts: Vec<f64>) -> Vec<f64> {
        for idx in (0..parts.len()).rev() {
            let (above, diagonal) = self.columns[idx].split_at(idx);
            parts[idx] /= diagonal[0];
            let coefficient = parts[idx];
            parts.iter_mut().zip(above).for_each(|(part, entry)| *part -= coefficient * entry);
        }
        parts
    }
}

/// Nothing but the direction of this place.
fn unit(idx: usize) -> Vec<f64> {
    let mut unit = vec![0.0; idx + 1];
    unit[idx] = 1.0;
    unit
}

/// Of the longer vector only as much counts as the other has.
fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(columns: &[&[f64]]) -> LeastSquares {
        let columns: Vec<Vec<f64>> = columns.iter().map(|column| column.to_vec()).collect();
        LeastSquares::solve(&Triangle::of(&columns), columns.len())
    }

    #[test]
    fn of_equal_columns_the_first_is_kept() {
        let (ones, a, b) = ([1.0; 5], [1.0, 2.0, 3.0, 4.0, 6.0], [2.0, 1.0, 0.0, 5.0, 5.0]);
        let sum: Vec<f64> = a.iter().zip(&b).map(|(a, b)| 1000.0 * (a + b)).collect();
        let y = [1.0, 3.0, 2.0, 5.0, 4.0];
        assert_eq!(solve(&[&ones, &a, &b, &sum, &y]).kept, [0, 1, 2]);
        assert_eq!(solve(&[&ones, &sum, &a, &b, &y]).kept, [0, 1, 2]);
        assert_eq!(solve(&[&ones, &ones, &[0.0; 5], &b, &y]).kept, [0, 3]);
    }

    #[test]
    fn a_line_through_three_points() {
        let found = solve(&[&[1.0; 3], &[0.0, 1.0, 2.0], &[1.0, 2.0, 6.0]]);
        let close =
            |found: f64, expected: f64| assert!((found - expected).abs() < 1e-14, "{found} {expected}");
        close(found.coefficients[0], 0.5);
        close(found.coefficients[1], 2.5);
        close(found.residual, 1.5);
        close(found.explained, 12.5);
        close(found.variance(&[0.0, 1.0]), 0.5);
        close(found.variance(&[1.0, 1.0]), 1.0 / 3.0);
    }

    #[test]
    fn more_columns_than_rows_fit_without_rest() {
        let found = solve(&[&[1.0; 2], &[0.0, 1.0], &[1.0, 7.0], &[3.0, 4.0]]);
        assert_eq!(found.kept, [0, 1]);
        assert!(found.residual < 1e-28 && (found.coefficients[1] - 1.0).abs() < 1e-14);
    }
}
