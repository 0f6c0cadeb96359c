//! The triangle of a tall matrix: all inner products of its columns in as few rows as there are columns.
//!
//! Blocks of rows are reduced by Householder reflections on their own, on all cores, and what remains of them together
//! again, always in the same groups, so that the triangle does not depend on the number of threads (Demmel, Grigori,
//! Hoemmen and Langou 2012).

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::qr::no_pivoting::factor::{qr_in_place, qr_in_place_scratch, recommended_block_size};
use faer::{Mat, MatMut, Par, Spec};
use rayon::prelude::*;

/// The upper triangle, column after column; fewer rows than columns where there were no more.
#[derive(Clone, Debug, PartialEq)]
pub struct Triangle {
    n_rows: usize,
    values: Vec<f64>,
}

/// So many triangles are put together at a time.
const GROUP: usize = 4;

impl Triangle {
    /// The triangle of rows, given as columns of equal length.
    pub fn of(columns: &[Vec<f64>]) -> Triangle {
        Triangle::reduce(columns.concat(), columns.len())
    }

    /// Several triangles of as many columns each, as one.
    pub fn merge(mut triangles: Vec<Triangle>, n_columns: usize) -> Triangle {
        while triangles.len() > 1 {
            triangles = triangles.par_chunks(GROUP).map(|group| Triangle::stack(group, n_columns)).collect();
        }
        triangles.pop().unwrap_or(Triangle { n_rows: 0, values: Vec::new() })
    }

    /// A column.
    ///
    /// # Panics
    /// There is no such column.
    pub fn column(&self, idx: usize) -> &[f64] {
        &self.values[idx * self.n_rows..(idx + 1) * self.n_rows]
    }

    fn stack(group: &[Triangle], n_columns: usize) -> Triangle {
        let column = |idx: usize| group.iter().flat_map(move |triangle| triangle.column(idx));
        Triangle::reduce((0..n_columns).flat_map(column).copied().collect(), n_columns)
    }

    fn reduce(mut values: Vec<f64>, n_columns: usize) -> Triangle {
        let n_rows = values.len().checked_div(n_columns).unwrap_or(0);
        let n_kept = n_rows.min(n_columns);
        if n_kept == 0 {
            return Triangle { n_rows: 0, values: Vec::new() };
        }
        let block = recommended_block_size::<f64>(n_rows, n_columns);
        let scratch = qr_in_place_scratch::<f64>(n_rows, n_columns, block, Par::Seq, Spec::default());
        qr_in_place(
            MatMut::from_column_major_slice_mut(&mut values, n_rows, n_columns),
            Mat::zeros(block, n_kept).as_mut(),
            Par::Seq,
            MemStack::new(&mut MemBuffer::new(scratch)),
            Spec::default(),
        );
        // Below the diagonal stand the reflections.
        let upper = |(idx, column): (usize, &[f64])| {
            let n_upper = n_kept.min(idx + 1);
            let zeros = std::iter::repeat_n(0.0, n_kept - n_upper);
            column[..n_upper].iter().copied().chain(zeros).collect::<Vec<f64>>()
        };
        Triangle { n_rows: n_kept, values: values.chunks(n_rows).enumerate().flat_map(upper).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn inner(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    /// The inner products of columns must be those of the columns of their triangle.
    fn check(columns: &[Vec<f64>], triangle: &Triangle) -> Result<(), TestCaseError> {
        for (i, left) in columns.iter().enumerate() {
            for (j, right) in columns.iter().enumerate() {
                let found = inner(triangle.column(i), triangle.column(j));
                let size = (inner(left, left) * inner(right, right)).sqrt();
                prop_assert!((found - inner(left, right)).abs() <= 1e-12 * size, "{i} {j}: {found}");
            }
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn inner_products_are_kept(
            rows in prop::collection::vec(prop::collection::vec(-1.0_f64..1.0, 4), 1..120),
            n_block in 1_usize..40,
            n_repeated in 0_usize..4,
        ) {
            let mut columns: Vec<Vec<f64>> = (0..4).map(|idx| rows.iter().map(|row| row[idx]).collect()).collect();
            // Columns that are equal, constant, or the sum of others must not upset the reduction.
            columns.insert(n_repeated, columns[n_repeated].clone());
            columns.insert(1, vec![1.0; rows.len()]);
            columns.push(columns[0].iter().zip(&columns[2]).map(|(a, b)| a + b).collect());
            columns.push(vec![0.0; rows.len()]);
            let block = |start: usize| -> Vec<Vec<f64>> {
                let end = (start + n_block).min(rows.len());
                columns.iter().map(|column| column[start..end].to_vec()).collect()
            };
            let blocks = (0..rows.len()).step_by(n_block).map(|start| Triangle::of(&block(start))).collect();
            check(&columns, &Triangle::of(&columns))?;
            check(&columns, &Triangle::merge(blocks, columns.len()))?;
        }
    }

    #[test]
    fn nothing_has_an_empty_triangle() {
        assert_eq!(Triangle::of(&[]).n_rows, 0);
        assert_eq!(Triangle::of(&[Vec::new(), Vec::new()]).column(1), [] as [f64; 0]);
        assert_eq!(Triangle::merge(Vec::new(), 3).column(2), [] as [f64; 0]);
    }
}
