//! Confidence intervals: how far one figure may be believed.
//!
//! Every interval is an [`Interval`]: two ends, the [`Level`] it was asked at and the method that made it. A figure that
//! cannot carry an interval gives an [`Unusable`] that says why, never a NaN.
//!
//! | figure | function |
//! | --- | --- |
//! | a share of cases | [`wilson`], [`wald`], [`clopper_pearson`] on a [`Proportion`] |
//! | an AUROC, from its value and the class sizes | [`hanley_mcneil`] |
//! | an AUROC, from the scores | [`delong()`], [`delong_of_ranking`] |
//! | several AUROCs on the same rows | [`delong_pair`] |
//! | an AUROC, drawn again and again | [`bootstrap_aurocs`] |
//! | anything else | [`bootstrap_percentile`], [`bootstrap_bca`], [`bootstrap_basic`], [`bootstrap_normal`], [`bootstrap_corrected`] on its [`Replicates`], which a [`Resampler`](crate::Resampler) draws |
//!
//! ```
//! use tribunal_eval::intervals::{Level, Proportion, wilson};
//!
//! let audited = Proportion::new(75.0, 100.0)?;
//! let interval = wilson(audited, Level::new(0.80)?);
//! assert_eq!(format!("{:.3} to {:.3}", interval.lower, interval.upper), "0.691 to 0.801");
//! # Ok::<(), tribunal_eval::intervals::Unusable>(())
//! ```
//!
//! What was rejected: the tails of a general statistics crate. Their incomplete beta stops after a fixed number of terms
//! and panics on infinite arguments; the few tails needed here are computed here and reach the last digits.

mod auroc;
mod bootstrap;
mod bootstrap_auroc;
mod delong;
mod incomplete_beta;
mod interval;
mod normal;
mod proportion;
mod root;
mod tails;
mod unusable;

pub use auroc::{AurocEstimate, AurocMethod, ClassCounts, hanley_mcneil, hanley_mcneil_se};
pub use bootstrap::{
    Replicates, acceleration, bootstrap_basic, bootstrap_bca, bootstrap_corrected, bootstrap_normal,
    bootstrap_p, bootstrap_percentile, stratified_acceleration,
};
pub use bootstrap_auroc::bootstrap_aurocs;
pub use delong::{
    AurocCovariance, ClassScores, Placements, ScoredModels, delong, delong_of_ranking, delong_pair,
    delong_pair_sampled, delong_placements,
};
pub use interval::{Interval, IntervalMethod, Level};
pub use normal::{normal_quantile, normal_sf};
pub use proportion::{Proportion, clopper_pearson, wald, wald_with_z, wilson, wilson_with_z};
pub use unusable::Unusable;

pub(crate) use auroc::exponential_excess;
pub(crate) use incomplete_beta::{UnitPoint, incomplete_beta};
pub(crate) use normal::{normal_density, normal_two_sided};
pub(crate) use root::root;
pub(crate) use tails::{binomial_half_cdf, binomial_half_mass, chi_square_sf, f_sf, t_quantile, t_two_sided};
pub(crate) use unusable::{all_finite, at_least, within};
