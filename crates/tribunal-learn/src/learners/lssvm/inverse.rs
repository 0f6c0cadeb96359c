//! The inverse of a kernel matrix with its ridges, in the form that costs least for what is asked of it.

use tribunal_algebra::{Cholesky, Rectangle, Symmetric};

use super::points::Points;

/// An inverse.
pub(super) enum Inverse {
    /// Every element.
    Whole(Rectangle),
    /// `diagonal - V' V`, where there are fewer columns than rows and the kernel is linear.
    Thin { diagonal: Vec<f64>, columns: Rectangle },
}

impl Inverse {
    /// The inverse of the inner products of rows with ridges; `None` if that is not positive definite.
    pub(super) fn of_linear(points: &Points, ridges: &[f64]) -> Option<Inverse> {
        let mut scaled = points.values.transposed();
        let roots = ridges.iter().map(|ridge| ridge.sqrt()).collect::<Vec<f64>>();
        let values = scaled.values_mut().iter_mut().zip(roots.iter().cycle());
        values.for_each(|(value, root)| *value /= root);
        let mut gram = Symmetric::inner_products(&scaled);
        gram.add_diagonal(&vec![1.0; points.n_columns()]);
        let mut columns = points.values.clone();
        for (row, ridge) in ridges.iter().enumerate() {
            columns.column_mut(row).iter_mut().for_each(|value| *value /= ridge);
        }
        Cholesky::of(gram)?.solve_half(&mut columns);
        Some(Inverse::Thin { diagonal: ridges.iter().map(|ridge| ridge.recip()).collect(), columns })
    }

    /// The rows and columns that are asked for.
    pub(super) fn block(&self, rows: &[u32]) -> Symmetric {
        match self {
            Inverse::Whole(inverse) => {
                let mut block = Symmetric::zeros(rows.len());
                for (idx, &column) in rows.iter().enumerate() {
                    let (to, column) = (block.below_mut(idx), inverse.column(column as usize));
                    to.iter_mut().zip(&rows[idx..]).for_each(|(to, &row)| *to = column[row as usize]);
                }
                block
            }
            Inverse::Thin { diagonal, columns } => {
                let mut block = Symmetric::zeros(rows.len());
                block.subtract_inner(&columns.take(rows));
                block.add_diagonal(&rows.iter().map(|&row| diagonal[row as usize]).collect::<Vec<f64>>());
                block
            }
        }
    }

    /// Some of the rows, each of them whole.
    pub(super) fn rows(&self, rows: &[u32]) -> Rectangle {
        match self {
            Inverse::Whole(inverse) => inverse.rows(rows),
            Inverse::Thin { diagonal, columns } => {
                let mut found = columns.take(rows).transposed_times(columns);
                found.values_mut().iter_mut().for_each(|value| *value = -*value);
                for (idx, &row) in rows.iter().enumerate() {
                    found.column_mut(row as usize)[idx] += diagonal[row as usize];
                }
                found
            }
        }
    }

    /// The product with columns.
    pub(super) fn times(&self, mut right: Rectangle) -> Rectangle {
        match self {
            Inverse::Whole(inverse) => inverse.times(&right),
            Inverse::Thin { diagonal, columns } => {
                let taken = columns.transposed_times(&columns.times(&right));
                let values = right.values_mut().iter_mut().zip(diagonal.iter().cycle());
                values.zip(taken.values()).for_each(|((value, by), taken)| *value = *value * by - taken);
                right
            }
        }
    }
}
