//! Confidence intervals: how far one figure may be believed.
//!
//! Every interval is an [`Interval`]: two ends, the [`Level`] it was asked at and the method that made it. A figure that
//! cannot carry an interval gives an [`Error`](crate::Error) that says why, never a NaN.
//!
//! | figure | function |
//! | --- | --- |
//! | a share of cases | [`wilson`], [`wald`], [`clopper_pearson`] on a [`Proportion`] |
//! | a difference of two independent shares | [`newcombe()`] |
//! | an AUROC, from its value and the class sizes | [`hanley_mcneil`] |
//! | an AUROC, from the scores | [`delong()`], [`delong_of_ranking`] |
//! | several AUROCs on the same rows | [`delong_pair`] |
//! | an AUROC, drawn again and again | [`bootstrap_aurocs`] |
//! | any metric of the registry, by its influence function | [`Measure::interval`](crate::metrics::Measure::interval) of a [`Sampled`] ranking |
//! | what the top of a list brings in, and its profit | [`TopGain`] |
//! | recall, strike rate and share of the amount at a caseload | [`risk_bands`] |
//! | a figure at a cut-off that was chosen on the data | [`Optimism`] |
//! | a mean over the folds of a cross-validation | [`fold_mean`] |
//! | anything else | [`bootstrap_wilson`], [`bootstrap_percentile`], [`bootstrap_bca`], [`bootstrap_basic`], [`bootstrap_normal`], [`bootstrap_corrected`] on its [`Replicates`], which a [`Resampler`](crate::Resampler) draws |
//!
//! ```
//! use tribunal_eval::intervals::{Level, Proportion, wilson};
//!
//! let audited = Proportion::new(75.0, 100.0)?;
//! let interval = wilson(audited, Level::new(0.80)?);
//! assert_eq!(format!("{:.3} to {:.3}", interval.lower, interval.upper), "0.691 to 0.801");
//! # Ok::<(), tribunal_eval::Error>(())
//! ```

mod auroc;
mod bootstrap;
mod bootstrap_auroc;
pub(crate) mod cells;
mod chosen_cutoff;
mod delong;
mod effective;
mod fold_mean;
mod gain;
mod interval;
mod newcombe;
mod normal;
mod proportion;
mod risk_band;
mod sampled;
mod skewed_mean;

pub use auroc::{AurocEstimate, AurocMethod, ClassCounts, hanley_mcneil, hanley_mcneil_se};
pub use bootstrap::{
    Inflation, Replicates, acceleration, bootstrap_basic, bootstrap_bca, bootstrap_corrected,
    bootstrap_normal, bootstrap_p, bootstrap_percentile, bootstrap_wilson, stratified_acceleration,
};
pub use bootstrap_auroc::bootstrap_aurocs;
pub use cells::CellSample;
pub use chosen_cutoff::{Correction, Optimism};
pub use delong::{
    AurocCovariance, ClassScores, Placements, ScoredModels, delong, delong_of_ranking, delong_pair,
    delong_pair_sampled, delong_placements,
};
pub use fold_mean::{SHARED_TRAINING, TestRows, fold_mean};
pub use gain::TopGain;
pub use interval::{Interval, IntervalMethod, Level};
pub use newcombe::newcombe;
pub use normal::normal_quantile;
pub use proportion::{Proportion, clopper_pearson, wald, wald_with_z, wilson, wilson_with_z};
pub use risk_band::{RiskBand, risk_bands};
pub use sampled::{NoInterval, Sampled};
pub use tribunal_tails::normal_sf;

pub(crate) use auroc::exponential_excess;
pub(crate) use skewed_mean::SkewedMean;
