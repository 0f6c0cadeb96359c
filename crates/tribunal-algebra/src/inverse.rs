//! The inverse of a matrix from its Cholesky factor by products of large blocks, which is what processors do fastest.
//!
//! With `W = L21 L11^-1` the inverse is made of `X22 = (L22 L22')^-1`, `X21 = -X22 W` and `(L11 L11')^-1 - W' X21`, where the
//! inverses of both halves are found in the same way. This takes as many operations as the inverse of the factor and its
//! square do.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::inverse;
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::triangular_solve::solve_upper_triangular_in_place;
use faer::prelude::*;
use faer::{Accum, Par};

/// A factor of so many rows is inverted at once.
const FEW: usize = 128;

/// Below this size elements are mirrored one by one.
const TILE: usize = 16;

/// Puts both triangles of the inverse of a matrix in the place of its factor, which is a lower triangle.
pub(crate) fn invert(mut factor: MatMut<'_, f64>, par: Par) {
    let n = factor.nrows();
    if n <= FEW {
        return invert_few(factor);
    }
    let (lower, any) = (BlockStructure::TriangularLower, BlockStructure::Rectangular);
    let half = (n / 2).next_multiple_of(TILE);
    let (mut first, mut across, mut below, mut second) = factor.rb_mut().split_at_mut(half, half);
    let mut product = below.rb().to_owned();
    solve_upper_triangular_in_place(first.rb().transpose(), product.as_mut().transpose_mut(), par);
    invert(second.rb_mut(), par);
    matmul(below.rb_mut(), Accum::Replace, second.rb(), product.as_ref(), -1.0, par);
    across.copy_from(below.rb().transpose());
    invert(first.rb_mut(), par);
    let (left, right) = (product.transpose(), below.rb());
    triangular::matmul(first.rb_mut(), lower, Accum::Add, left, any, right, any, -1.0, par);
    mirror(first);
}

fn invert_few(mut factor: MatMut<'_, f64>) {
    let n = factor.nrows();
    let mut found = Mat::zeros(n, n);
    let mut memory = MemBuffer::new(inverse::inverse_scratch::<f64>(n, Par::Seq));
    inverse::inverse(found.as_mut(), factor.rb(), Par::Seq, MemStack::new(&mut memory));
    factor.copy_from_triangular_lower(found.as_ref());
    mirror(factor);
}

/// Makes the upper triangle of a square that of the lower one.
fn mirror(mut square: MatMut<'_, f64>) {
    let n = square.nrows();
    if n > TILE {
        let (first, mut across, below, second) = square.rb_mut().split_at_mut(n / 2, n / 2);
        across.copy_from(below.rb().transpose());
        mirror(first);
        mirror(second);
        return;
    }
    for column in 0..n {
        for row in column + 1..n {
            square[(column, row)] = square[(row, column)];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cholesky, Rectangle, Symmetric};

    #[test]
    fn the_product_with_the_inverse_is_one() {
        for n in [0, 1, TILE + 1, FEW, FEW + 1, 2 * FEW + 7, 5 * FEW] {
            let number = |idx: usize| ((idx * 7919 % 10_007) as f64 / 10_007.0) - 0.5;
            let columns = Rectangle::of(n + 3, n, (0..n * (n + 3)).map(number).collect());
            let mut matrix = Symmetric::inner_products_on(&columns, Par::Seq);
            matrix.add_diagonal(&vec![0.5; n]);
            let inverse = Cholesky::of(matrix.clone()).expect("positive definite").into_inverse();
            let product = matrix.times(&inverse);
            for column in 0..n {
                for row in 0..n {
                    let expected = f64::from(u8::from(row == column));
                    let found = product.column(column)[row];
                    assert!((found - expected).abs() < 1e-9, "{n}: {found} at {row}, {column}");
                    assert_eq!(inverse.column(column)[row], inverse.column(row)[column]);
                }
            }
        }
    }
}
