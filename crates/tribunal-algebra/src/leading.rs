//! What a symmetric matrix comes to in few columns.

use crate::rectangle::Rectangle;
use crate::symmetric::Symmetric;
use crate::vectors::add_scaled;

/// What is left of the diagonal is nothing below this part of its largest element.
const NOTHING: f64 = 1e-14;

/// A positive semidefinite matrix as the inner products of short columns, and a rest that is positive semidefinite too: the
/// first columns of its Cholesky factor, where each takes what is largest of the diagonal that is left.
///
/// ```
/// use tribunal_algebra::{Leading, Symmetric};
///
/// let mut matrix = Symmetric::zeros(2);
/// matrix.add_product(&[1.0, 2.0], &[1.0, 2.0], 1);
/// matrix.add_diagonal(&[0.0, 5.0]);
/// let leading = Leading::of((&matrix, &|_: &mut [f64]| {}), 1, |_| false);
/// assert_eq!(leading.columns.values(), [2.0 / 3.0, 3.0]);
/// assert!((leading.left[0] - 5.0 / 9.0).abs() < 1e-15);
/// ```
#[derive(Clone, Debug)]
pub struct Leading {
    /// A column for each row of the matrix, as long as its rank or as was asked for.
    pub columns: Rectangle,
    /// What their inner products leave of the diagonal.
    pub left: Vec<f64>,
}

impl Leading {
    /// Of the matrix that a change of the elements of another makes: at most so many dimensions, and no more once what is left
    /// of the diagonal is little enough.
    pub fn of(
        (base, change): (&Symmetric, &impl Fn(&mut [f64])),
        most: usize,
        is_enough: impl Fn(&[f64]) -> bool,
    ) -> Self {
        let n = base.n();
        let mut left: Vec<f64> = (0..n).map(|idx| base.at(idx, idx)).collect();
        change(&mut left);
        let least = NOTHING * left.iter().copied().fold(0.0, f64::max);
        // A dimension after another, each of them a number for each row of the matrix.
        let mut dimensions: Vec<Vec<f64>> = Vec::new();
        while dimensions.len() < most && !is_enough(&left) {
            let largest = (0..n).max_by(|&one, &other| left[one].total_cmp(&left[other]));
            let Some(pivot) = largest.filter(|&pivot| left[pivot] > least) else { break };
            let mut dimension: Vec<f64> = (0..n).map(|idx| base.at(idx, pivot)).collect();
            change(&mut dimension);
            for known in &dimensions {
                add_scaled(&mut dimension, -known[pivot], known);
            }
            let root = left[pivot].sqrt();
            for (left, value) in left.iter_mut().zip(&mut dimension) {
                *value /= root;
                *left = (*left - *value * *value).max(0.0);
            }
            left[pivot] = 0.0;
            dimensions.push(dimension);
        }
        let columns = Rectangle::of(n, dimensions.len(), dimensions.concat()).transposed();
        Leading { columns, left }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Eigen;

    fn matrix(n: usize) -> Symmetric {
        let number = |idx: usize| ((idx * 7919 % 10_007) as f64 / 10_007.0) - 0.5;
        Symmetric::inner_products(&Rectangle::of(5, n, (0..5 * n).map(number).collect()))
    }

    /// The leading columns, and what they leave.
    fn leading(matrix: &Symmetric, most: usize) -> (Leading, Symmetric) {
        let leading = Leading::of((matrix, &|_: &mut [f64]| {}), most, |_| false);
        let mut rest = matrix.clone();
        rest.subtract_inner(&leading.columns);
        (leading, rest)
    }

    #[test]
    fn columns_as_many_as_the_rank_leave_nothing() {
        let (leading, rest) = leading(&matrix(12), 9);
        assert_eq!(leading.columns.n_rows(), 5, "rank");
        assert!((0..12).all(|column| rest.below(column).iter().all(|left| left.abs() < 1e-14)));
    }

    #[test]
    fn fewer_columns_leave_something_that_is_not_negative() {
        let (leading, rest) = leading(&matrix(12), 3);
        for (row, left) in leading.left.iter().enumerate() {
            assert!((left - rest.at(row, row)).abs() < 1e-15);
        }
        let values = Eigen::of(&rest).expect("finite").values;
        assert!(values[0] > -1e-15 && values[11] > 1e-3, "{values:?}");
    }

    #[test]
    fn elements_are_changed_and_little_is_enough() {
        let doubled = |values: &mut [f64]| values.iter_mut().for_each(|value| *value *= 2.0);
        let leading = Leading::of((&matrix(12), &doubled), 9, |left| left.iter().sum::<f64>() < 0.5);
        let twice = {
            let mut twice = matrix(12);
            twice.add(&matrix(12));
            twice
        };
        let rank = leading.columns.n_rows();
        assert!((1..5).contains(&rank), "{rank}");
        let plain = Leading::of((&twice, &|_: &mut [f64]| {}), rank, |_| false);
        assert_eq!((plain.columns, plain.left), (leading.columns, leading.left));
    }

    #[test]
    fn nothing_has_no_columns() {
        assert_eq!(leading(&Symmetric::zeros(3), 2).0.columns.n_rows(), 0);
        assert_eq!(leading(&Symmetric::zeros(0), 2).0.columns.n_columns(), 0);
    }
}
