//! The few pieces of linear algebra that learners share, on one thread unless it says otherwise: fits run side by side, and
//! the same sums in the same order give the same bytes. What is done on all cores, where the caller is no thread of many, gives
//! the bytes of one.
//!
//! They are a crate of their own so that what [`faer`] makes of them is compiled once, not with every change of a learner.
//!
//! ```
//! use tribunal_algebra::{Cholesky, Symmetric};
//!
//! let mut matrix = Symmetric::zeros(2);
//! matrix.add_product(&[1.0, 2.0, 3.0, 1.0], &[1.0, 2.0, 3.0, 1.0], 2);
//! assert_eq!((matrix.at(0, 0), matrix.at(0, 1), matrix.at(1, 1)), (5.0, 5.0, 10.0));
//! let solution = Cholesky::of(matrix).map(|cholesky| cholesky.solution(&[10.0, 15.0]));
//! assert!((solution.expect("positive definite")[0] - 1.0).abs() < 1e-14);
//! ```

/// Its example is compiled with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod cholesky;
mod cores;
mod eigen;
mod inverse;
mod leading;
mod rectangle;
mod rough;
mod symmetric;
mod triangle;
mod vectors;

pub use cholesky::Cholesky;
pub use eigen::Eigen;
pub use leading::Leading;
pub use rectangle::Rectangle;
pub use rough::Rough;
pub use symmetric::Symmetric;
pub use triangle::Triangle;
pub use vectors::{add_scaled, dot, exponentials, vectorised};
