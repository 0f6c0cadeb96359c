//! A symmetric matrix of seven digits, for products that need no more.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

use crate::rectangle::Rectangle;
use crate::symmetric::Symmetric;

/// Columns that are made at a time, and stay near until they are rounded.
const AT_ONCE: usize = 32;

/// A symmetric matrix in single precision: half the memory, and products take half the time.
#[derive(Clone, Debug)]
pub struct Rough {
    n: usize,
    /// Both triangles.
    values: Vec<f32>,
}

impl Rough {
    /// What the inner products of columns leave of the matrix that a change of the elements of another makes. The difference is
    /// made in double precision, and then rounded.
    ///
    /// ```
    /// use tribunal_algebra::{Rectangle, Rough, Symmetric};
    ///
    /// let mut ones = Symmetric::zeros(2);
    /// *ones.at_mut(1, 0) = 1.0;
    /// let halved = |values: &mut [f64]| values.iter_mut().for_each(|value| *value /= 2.0);
    /// let rest = Rough::rest_of((&ones, &halved), &Rectangle::of(1, 2, vec![0.5, 1.0]));
    /// assert_eq!(rest.times(&[&[2.0, 8.0]]).values(), [-0.5, -8.0]);
    /// ```
    ///
    /// # Panics
    /// There are not as many columns as the matrix has.
    pub fn rest_of((base, change): (&Symmetric, &impl Fn(&mut [f64])), columns: &Rectangle) -> Self {
        let n = base.n();
        assert_eq!(columns.n_columns(), n, "a column for each row");
        let (columns, mut values) = (columns.as_ref(), vec![0.0; n * n]);
        let mut made = vec![0.0; n * AT_ONCE];
        for first in (0..n).step_by(AT_ONCE) {
            let (n_rows, n_columns) = (n - first, AT_ONCE.min(n - first));
            let made = &mut made[..n_rows * n_columns];
            for (idx, column) in made.chunks_exact_mut(n_rows).enumerate() {
                column[idx..].copy_from_slice(base.below(first + idx));
                change(&mut column[idx..]);
            }
            matmul(
                MatMut::from_column_major_slice_mut(made, n_rows, n_columns),
                Accum::Add,
                columns.subcols(first, n_rows).transpose(),
                columns.subcols(first, n_columns),
                -1.0,
                Par::Seq,
            );
            for (idx, column) in made.chunks_exact(n_rows).enumerate() {
                let to = &mut values[(first + idx) * n + first + idx..];
                to.iter_mut().zip(&column[idx..]).for_each(|(to, &from)| *to = from as f32);
            }
            for rows in (first..n).step_by(AT_ONCE) {
                for (idx, column) in made.chunks_exact(n_rows).enumerate() {
                    for row in rows.max(first + idx + 1)..(rows + AT_ONCE).min(n) {
                        values[row * n + first + idx] = column[row - first] as f32;
                    }
                }
            }
        }
        Rough { n, values }
    }

    /// The product with columns, which are rounded too.
    ///
    /// # Panics
    /// They are not as long as this has rows.
    pub fn times(&self, columns: &[&[f64]]) -> Rectangle {
        let (n, n_columns) = (self.n, columns.len());
        let mut right = vec![0.0_f32; n * n_columns];
        for (to, from) in right.chunks_exact_mut(n.max(1)).zip(columns) {
            assert_eq!(from.len(), n, "a column is as long as the matrix");
            to.iter_mut().zip(*from).for_each(|(to, &from)| *to = from as f32);
        }
        let mut product = vec![0.0_f32; n * n_columns];
        matmul(
            MatMut::from_column_major_slice_mut(&mut product, n, n_columns),
            Accum::Replace,
            MatRef::from_column_major_slice(&self.values, n, n),
            MatRef::from_column_major_slice(&right, n, n_columns),
            1.0,
            Par::Seq,
        );
        Rectangle::of(n, n_columns, product.into_iter().map(f64::from).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_the_matrix_but_for_seven_digits() {
        for n in [0, 1, 31, 32, 33, 70] {
            let mut matrix = Symmetric::zeros(n);
            for column in 0..n {
                let number = |row: usize| ((row * 31 + column * 17) % 101) as f64 / 101.0 - 0.5;
                matrix.below_mut(column).iter_mut().zip(column..).for_each(|(to, row)| *to = number(row));
            }
            let short = Rectangle::of(2, n, (0..2 * n).map(|idx| (idx % 5) as f64 / 4.0).collect());
            let columns = Rectangle::of(n, 3, (0..3 * n).map(|idx| (idx % 7) as f64 - 3.0).collect());
            let each: Vec<&[f64]> = (0..3).map(|idx| columns.column(idx)).collect();
            let found = Rough::rest_of((&matrix, &|_: &mut [f64]| {}), &short).times(&each);
            matrix.subtract_inner(&short);
            for (found, expected) in found.values().iter().zip(matrix.times(&columns).values()) {
                assert!((found - expected).abs() < 1e-4, "{n}: {found} is not {expected}");
            }
        }
    }
}
