//! What scores say about performance on rows without labels.
//!
//! Labels are known on a training set D, from which held-out scores come, and not on the rows T that a model is for, which may
//! come from another distribution. Everything here is a function of the scores of some candidates on D and T and of the truth on
//! D; it never meets the learners. [`ClassProbabilities`] and [`ClassLabels`] are validated once, [`Predictions`] pairs them with
//! weights, [`HeldOutPredictions`] with the truth.
//!
//! | question | answer |
//! | --- | --- |
//! | which candidate to take for T | [`Consensus::judge`] by a [`LabelFreeCriterion`] |
//! | scores on T of several candidates together | [`Committee`] |
//! | what to expect on T | [`ExpectedPerformance`], [`atc`], [`doc`], [`CalibratedPerformance`] |
//! | which rows of T to label, and what the labels say | [`disagreeing_rows`], [`draw_rows`], [`FewLabels`] |
//! | class priors of T | [`LabelShift`] |
//! | risk under density ratios | [`WeightedLosses`] |
//! | a bound from the VC dimension | [`RiskBound`] |
//!
//! Every figure is a share of, or a mean over, weighted rows: a weight of 2 is the row twice.

mod cbpe;
mod class_labels;
mod class_probabilities;
mod clones;
mod committee;
mod confidence;
mod consensus;
mod criterion;
mod ensemble_agreement;
mod expected;
mod few_labels;
mod importance;
mod label_shift;
mod linear_system;
mod mean_calibration;
mod predictions;
mod risk_bound;
mod soft_labels;
mod temperature;
#[cfg(test)]
mod worked_example;

pub use cbpe::CalibratedPerformance;
pub use class_labels::ClassLabels;
pub use class_probabilities::ClassProbabilities;
pub use clones::{CLONE_DISTANCE, Clones};
pub use committee::{Committee, CommitteeMember};
pub use confidence::{AverageConfidence, Confidence, ThresholdedConfidence, atc, doc};
pub use consensus::{Candidate, CandidateScore, Consensus, ConsensusScores};
pub use criterion::{LabelFreeCriterion, Population};
pub use ensemble_agreement::ensemble_agreement;
pub use expected::ExpectedPerformance;
pub use few_labels::{AccuracyDifference, FewLabels, LabelledRow, disagreeing_rows, draw_rows};
pub use importance::{ControlVariateRisk, WeightedLosses};
pub use label_shift::{LabelShift, NoTargetPriors};
pub(crate) use linear_system::Square;
pub use mean_calibration::MeanCalibration;
pub use predictions::{HeldOutPredictions, Predictions};
pub use risk_bound::RiskBound;
pub use soft_labels::{soft_confusion, soft_ranking};
pub use temperature::{TEMPERATURES, TemperatureScaling};
