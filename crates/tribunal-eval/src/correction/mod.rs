//! Correction of an actioned sample: figures for a population from the cases that somebody chose to act on.
//!
//! The *prevalence* data are the population, whose outcomes nobody knows; the *incidence* data are the cases that were acted on,
//! whose outcomes are known. Both are divided into strata. Whoever acts chooses, so the strata of the incidence have other shares
//! than those of the population; everything here gives them the same shares.
//!
//! | question | answer |
//! | --- | --- |
//! | how many rows each stratum gains or loses | [`mixed`], [`over`] on [`StratumCounts`] |
//! | the smallest beta with which no stratum loses rows | [`smallest_beta`], [`search_beta`] |
//! | which rows are repeated or left out | [`multiplicities`], [`substitute`] |
//! | weights that give the strata their shares | [`post_stratification_weights`] |
//! | weights from a model of having been actioned | [`SelectionModel`] |
//! | figures of the corrected sample with intervals that know how it was made | [`WeightedSample`], [`SamplingDesign`] |
//! | figures that are right if either of two models is | [`doubly_robust`] |
//!
//! References: Koesmarno, "Risk charts, error-matrix charts and corrected sampling" for the resampling (its equations 11 to 21);
//! Holt and Smith (1979) for post-stratification; Kish (1965) for design effects; Horvitz and Thompson (1952), Hajek (1971) for
//! inverse-probability weights; Robins, Rotnitzky and Zhao (1994), Chen, Li and Wu (2020) for doubly robust estimates.
//!
//! ```
//! use tribunal_eval::correction::{BetaVariant, StratumCounts, over};
//!
//! // The clusters of the white wines, and 200 of them that were sampled: the published beta is 36.
//! let counts = StratumCounts::new(vec![675, 1227, 101, 1309, 948, 437], vec![26, 56, 5, 66, 35, 12])?;
//! let plan = over(&counts.with_total(4698.0)?, BetaVariant::Rounded)?;
//! assert_eq!(plan.beta, Some(36.0));
//! assert_eq!(plan.sizes(), [34, 62, 5, 66, 48, 22]);
//! # Ok::<(), tribunal_eval::Error>(())
//! ```

mod beta;
mod counts;
mod design;
mod doubly_robust;
mod draws;
mod figures;
mod post_stratified;
mod resampling;
mod selection_model;
mod substitution;

#[cfg(test)]
mod coverage;
#[cfg(test)]
mod published;

pub use beta::{BetaVariant, search_beta, smallest_beta};
pub use counts::StratumCounts;
pub use design::{NO_STRATUM, SamplingDesign, Strata, effective_rows};
pub use doubly_robust::{OutcomeModel, doubly_robust};
pub use draws::multiplicities;
pub use figures::{CorrectedFigure, FigureName, WeightedSample};
pub use post_stratified::post_stratification_weights;
pub use resampling::{Resampling, Rounding, StratumPlan, mixed, over};
pub use selection_model::{ModelRows, SelectionModel};
pub use substitution::{EmptyStratum, Substitution, SubstitutionDraw, substitute};
