//! Normal numbers known well enough to compare them with a bound, from two small tables.
//!
//! A flag asks only whether a normal number exceeds a bound. The first ten bits of each draw say where radius and
//! cosine of Box and Muller (1958) lie and how far off they can be at most; logarithm and cosine are needed only where
//! that leaves the answer open, which it does for four flags in a thousand.

use std::f64::consts::{PI, TAU};
use std::sync::LazyLock;

use tribunal_random::normal_of;

const BITS: u32 = 10;
const CELLS: usize = 1 << BITS;

/// Covers the rounding of the tables and of what is computed from them, many times over.
const SLACK: f64 = 1e-9;

/// A number, and how far the true one can be from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub(super) value: f64,
    pub(super) off: f64,
}

/// What the first bits of the two draws of a normal number tell.
pub(super) struct NearNormals {
    radius: [Near; CELLS],
    cosine: [f64; CELLS],
}

static NEAR_NORMALS: LazyLock<NearNormals> = LazyLock::new(NearNormals::new);

impl NearNormals {
    /// The tables, made once.
    pub(super) fn tables() -> &'static Self {
        &NEAR_NORMALS
    }

    fn new() -> Self {
        Self {
            radius: std::array::from_fn(radius),
            cosine: std::array::from_fn(|cell| (TAU * (cell as f64 + 0.5) / CELLS as f64).cos()),
        }
    }

    /// The normal number of two draws, nearly.
    #[inline]
    pub(super) fn normal(&self, [radius, angle]: [u64; 2]) -> Near {
        let radius = self.radius[cell(radius)];
        Near { value: radius.value * self.cosine[cell(angle)], off: radius.off }
    }
}

#[inline]
fn cell(draw: u64) -> usize {
    (draw >> (u64::BITS - BITS)) as usize
}

/// The middle of the radii of a cell; how far the product with a cosine from the table can be off.
fn radius(cell: usize) -> Near {
    // With an angle of zero a normal number is its radius.
    let first = (cell as u64) << (u64::BITS - BITS);
    let least = normal_of([first, 0]);
    let most = normal_of([first | (u64::MAX >> BITS), 0]);
    let (middle, half) = ((least + most) / 2.0, (most - least) / 2.0);
    Near { value: middle, off: middle * PI / CELLS as f64 + half + SLACK }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(draws: [u64; 2]) {
        let (near, exact) = (NearNormals::tables().normal(draws), normal_of(draws));
        assert!((near.value - exact).abs() < near.off, "{draws:?}: {near:?} and {exact}");
    }

    proptest! {
        #[test]
        fn the_true_number_is_never_farther_off(draws in any::<[u64; 2]>()) {
            check(draws);
        }
    }

    #[test]
    fn the_ends_of_cells_are_covered() {
        for i in 0..CELLS as u64 {
            for j in [0, 1, CELLS as u64 / 4 - 1, CELLS as u64 / 2, CELLS as u64 - 1] {
                for (low, high) in [(0, 0), (0, u64::MAX), (u64::MAX, 0), (u64::MAX, u64::MAX)] {
                    check([i << 54 | low >> 10, j << 54 | high >> 10]);
                }
            }
        }
    }
}
