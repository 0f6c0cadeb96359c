//! Significance tests: whether two or more figures differ, and by how much.
//!
//! Every test reports the size of the difference next to its p value, and settles its degenerate cases - no variance, no
//! discordant row, everything tied - by definition: never a NaN. What cannot be tested gives an
//! [`Error`](crate::Error) that says why.
//!
//! | question | test |
//! | --- | --- |
//! | several algorithms on the same folds | [`anova()`], then [`duncan()`] or [`tukey()`]; on ranks [`friedman()`], then [`nemenyi()`] |
//! | two algorithms, one cross-validation | [`paired_t()`] |
//! | two algorithms, repeated holdout or cross-validation | [`corrected_t()`], the default there |
//! | two algorithms, five times two folds | [`five_by_two_t`], [`five_by_two_f`] |
//! | two classifiers, right or wrong on the same rows | [`mcnemar()`] |
//! | two AUROCs on the same rows | [`compare_aurocs`], [`delong_test`] |
//! | any two figures on the same rows, by their influence functions | [`InfluenceDifference`] |
//! | two AUROCs on different rows | [`independent_auroc_test`] |
//! | a figure in several independent groups of cases | [`homogeneity()`]; any estimates with variances [`welch()`] |
//! | whether two samples have one distribution | of numbers [`ks_two_sample`]; of levels [`chi_square_homogeneity`] on [`pooled_cells`] |
//! | two samples within strata, as cases of like scores | [`cochran_mantel_haenszel`]; by how much [`common_odds_ratio`], [`common_mean_difference`]; alike in all strata [`breslow_day`] |
//! | by how much shares moved | [`population_stability_index`] |
//! | an AUROC against chance | [`null_auroc_error`] |
//! | an estimate with a standard error from permutations or a jackknife | [`standardised_p`] |
//! | many p values at once | [`holm()`] |
//! | many tables at once | [`summaries()`] |
//! | how many cases to label | [`cases_for_aurocs`], [`cases_for_proportions`], [`cases_for_mcnemar`]; from the spread in a file [`cases_for_difference`] |
//!
//! ```
//! use tribunal_eval::intervals::Level;
//! use tribunal_eval::significance::{FoldTable, Gate, duncan};
//!
//! let cells = [
//!     ("logit", "1", 0.84), ("logit", "2", 0.87), ("logit", "3", 0.87),
//!     ("tree", "1", 0.75), ("tree", "2", 0.79), ("tree", "3", 0.77),
//! ];
//! let outcome = duncan(&FoldTable::from_cells(cells)?, Level::P95, Gate::Algorithm)?;
//! assert_eq!(outcome.subsets.top_group(), [0]);
//! # Ok::<(), tribunal_eval::Error>(())
//! ```
//!
//! A caution that holds for all tests on folds: the folds of one cross-validation share training rows, so their p values
//! are approximate (Dietterich, 1998; Nadeau & Bengio, 2003).

mod anova;
mod chi_square;
mod corrected_t;
mod delong;
mod differences;
mod duncan;
mod effect;
mod five_by_two;
mod fold_table;
mod friedman;
mod groups;
mod hanley_mcneil;
mod holm;
mod influence_difference;
mod mann_whitney;
mod mcnemar;
mod nemenyi;
mod paired_t;
mod power;
mod stability_index;
mod standardised;
mod stratified;
mod studentized_range;
mod subsets;
mod summaries;
mod tukey;
mod two_sample_ks;
mod welch;

pub use anova::{Anova, Source, anova};
pub use chi_square::{ChiSquare, LEAST_EXPECTED_CASES, TwoCounts, chi_square_homogeneity, pooled_cells};
pub use corrected_t::{TestToTrain, corrected_t};
pub use delong::{AurocTest, compare_aurocs, delong_test};
pub use differences::Differences;
pub use duncan::{CriticalRange, Duncan, DuncanPair, Gate, duncan, duncan_pairwise_p, duncan_quantiles};
pub use effect::Effect;
pub use five_by_two::{FiveByTwo, FiveByTwoF, FiveByTwoT, five_by_two_f, five_by_two_t};
pub use fold_table::{Better, FoldTable};
pub use friedman::{Friedman, friedman};
pub use groups::{GroupFigure, Homogeneity, Untestable, homogeneity};
pub use hanley_mcneil::independent_auroc_test;
pub use holm::holm;
pub use influence_difference::{DifferenceTest, InfluenceDifference};
pub use mann_whitney::null_auroc_error;
pub use mcnemar::{Disagreement, Mcnemar, McnemarVariant, mcnemar, mcnemar_with};
pub use nemenyi::{Nemenyi, RankPair, nemenyi};
pub use paired_t::{TTest, paired_t};
pub use power::{
    Aim, AurocPlan, AurocSpread, CasesNeeded, Pairing, cases_for_aurocs, cases_for_difference,
    cases_for_mcnemar, cases_for_proportions, detectable_auroc_gain, detectable_difference,
    detectable_mcnemar_difference, detectable_proportion_gain,
};
pub use stability_index::{LEAST_CELL_SHARE, StabilityIndex, population_stability_index};
pub use standardised::{standardised_p, without_skewness};
pub use stratified::{
    CommonEffect, SampleMoments, StratifiedTest, Stratum, breslow_day, cochran_mantel_haenszel,
    common_mean_difference, common_odds_ratio,
};
pub use studentized_range::{
    StudentizedRange, studentized_range_cdf, studentized_range_quantile, studentized_range_sf,
};
pub use subsets::{Span, Subsets};
pub use summaries::{Contender, Ratio, Summaries, TopGroups, summaries};
pub use tukey::{Tukey, TukeyPair, tukey};
pub use two_sample_ks::{KsMethod, TwoSampleKs, TwoSamples, ks_two_sample};
pub use welch::{GroupEstimate, Welch, welch};
