//! The proportion score function and the error-matrix chart: how right the predictions are along the scores, and where the four
//! outcomes lie.
//!
//! Scores run from low (left) to high (right), the reverse of a risk chart. The proportion score function (PSF) is the share of
//! right predictions in bins of about equally many rows. A vertical line at `c`, the share of the cases that is predicted negative,
//! divides the unit square under and over it into four regions whose areas are the cells of the confusion matrix as shares of all
//! cases: true negatives below and false negatives above on the left, true positives below and false positives above on the right.
//!
//! | question | answer |
//! | --- | --- |
//! | the share of right predictions along the scores | [`Psf`] |
//! | the chart with its regions, NPV and PPV at a cut-off | [`ErrorMatrixChart`] |
//! | the four outcomes in bands of low, medium and high risk | [`score_bands`] |
//! | gains and losses along the scores, and the net benefit from the top | [`GainLossPanel`] |
//!
//! **Weights.** Bins are formed by the ranks of rows and hold about equally many of them; shares, areas and the abscissa are by
//! weight.
//!
//! Reference: Koesmarno, "Extending risk charts"; the equations of the regions are those of the proportion *correct*, which is what
//! its algorithm computes.

mod bands;
mod chart;
mod gain_loss;
mod list_slice;
mod psf;
mod rank_bins;

pub use bands::{ScoreBand, score_bands};
pub use chart::{ErrorMatrixChart, PsfStep, Regions};
pub use gain_loss::{CellAmounts, GainLossBin, GainLossPanel};
pub use psf::{Psf, PsfBin};
