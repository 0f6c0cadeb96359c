//! Tails and quantiles of the distributions behind tests and intervals, to the last digits.
//!
//! Each tail is computed as a tail, so that small p values keep their digits, and takes an infinite statistic.
//!
//! What was rejected: the tails of a general statistics crate. Their incomplete beta stops after a fixed number of terms
//! and panics on infinite arguments; the few tails needed here are computed here and reach the last digits.

/// Its example is compiled with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod gamma;
mod incomplete_beta;
mod normal;
mod root;
mod tails;

pub use gamma::gamma_quantile;
pub use incomplete_beta::{UnitPoint, beta_quantile, binomial_mass, incomplete_beta};
pub use normal::{normal_density, normal_quantile_upper, normal_sf, normal_two_sided};
pub use root::root;
pub use tails::{binomial_half_cdf, binomial_half_mass, chi_square_sf, f_sf, t_quantile, t_two_sided};
