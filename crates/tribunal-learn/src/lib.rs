//! # tribunal-learn: data sets, learners, models
//!
//! A table becomes a [`Dataset`]: columns that know their [`Kind`], values that may be missing, and a [`Target`]. A
//! [`Learner`] is a choice of settings, written as a text; fitted to training rows it gives a [`Model`], which scores any
//! rows, can be shown and stored, and says why. [`cross_posteriors`] judges every row by models that have not seen its fold.
//! This crate reads no file and knows no metric.
//!
//! ```
//! use tribunal_learn::{Column, Dataset, Kind, Learner, Target, Values};
//!
//! let lag = Column::new("lag", Kind::Numeric, Values::Numbers(vec![3.0, 8.0, 45.0, 62.0, 5.0, f64::NAN]))?;
//! let hurt = Column::new("hurt", Kind::Flag, Values::Codes(vec![0, 0, 1, 1, 0, 1]))?;
//! let fraud = Target::new("fraud", ["no", "yes"], vec![0, 0, 1, 1, 0, 1])?;
//! let claims = Dataset::new(vec![lag, hurt])?.with_target(fraud)?;
//!
//! // Learned on the first four rows, applied to the others.
//! let learner: Learner = "nb:5".parse()?;
//! let model = learner.fit(&claims, &[0, 1, 2, 3], 42)?;
//! let scores = model.posteriors(&claims, &[4, 5])?.scores();
//! assert!(scores[0] < 0.5 && scores[1] > 0.5);
//! # Ok::<(), tribunal_learn::Error>(())
//! ```
//!
//! What a learner needs beyond the columns - bins, means, the mode that stands in for what is missing - is *learned*, on
//! training rows only, by the types of [`encoding`]:
//!
//! ```
//! use tribunal_learn::encoding::{NumericEncoder, NumericOptions};
//! use tribunal_learn::{Column, Dataset, Kind, Values};
//!
//! let age = Column::new("age", Kind::Numeric, Values::Numbers(vec![31.0, 45.0, f64::NAN, 62.0]))?;
//! let claims = Dataset::new(vec![age])?;
//! let encoder = NumericEncoder::fit(&claims, &[0, 1, 2], &NumericOptions::default())?;
//! let matrix = encoder.encode(&claims, &[3])?;
//! assert_eq!(encoder.imputed_cells(), 1);
//! assert!((matrix.column(0)[0] - (62.0 - 38.0) / 7.0).abs() < 1e-12);
//! # Ok::<(), tribunal_learn::Error>(())
//! ```
//!
//! ## What was rejected
//!
//! - **Binning when a file is read.** Edges found on all rows would tell the training folds about the test fold. A
//!   [`Kind::Binned`] column keeps its numbers and the rule; the edges are learned by [`encoding::NominalEncoder`].
//! - **A value that stands for missing**, such as -1 or the mean: learners differ in what they make of it, so it stays
//!   missing until a learner decides.

/// Its example is compiled with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod density_ratio;
pub mod encoding;

mod alignment;
mod amounts;
mod calibration;
mod claims_schema;
mod coefficients;
mod column;
mod costs;
mod cross;
mod dataset;
mod dates;
mod error;
mod explanation;
mod infinite;
mod kind;
mod label;
mod learners;
mod level_order;
mod model;
mod model_shape;
mod names;
mod posteriors;
mod probability;
mod schema;
mod sniff;
mod target;
mod text_form;
mod training;

pub use alignment::{AlignOptions, Aligned, LevelCodes, UnknownLevels, Unmatched};
pub use amounts::{
    AMOUNT_LEARNERS, AmountClass, AmountCoefficient, AmountExplanation, AmountForm, AmountLearner,
    AmountModel, AmountRows, Amounts, FTest, INTERCEPT, Quality,
};
pub use calibration::{Calibrator, CalibratorKind, Scored};
pub use claims_schema::{CLAIM_FLAGS, CLAIM_OTHERS, ClaimTarget, claim_bounds, claims_schema};
pub use coefficients::{Coefficient, CoefficientTable, Coefficients, ColumnTest, Uncertainty};
pub use column::{Column, MISSING, Values};
pub use costs::{ClassWeights, CostMatrix, CostsWithin};
pub use cross::{
    Folds, Scenario, cross_decisions_of, cross_posteriors, cross_posteriors_of, fits_side_by_side,
};
pub use dataset::{Dataset, PredictorSet};
pub use dates::{
    DateError, DateEvidence, DateOrder, DateReading, Dates, Resolution, Timestamp, are_dotted_months,
    has_date_form, read_dates,
};
pub use error::{Error, ErrorKind};
pub use explanation::{Contribution, Evidence, Explanation, Influence, Neighbour, Path, PathStep, Reasons};
pub use kind::{BinRule, Kind, Levels};
pub use label::{compare_labels, label_number};
pub use learners::{
    COST_METHODS, Character, CostMethod, CostMethodForm, Family, GridEdge, LEARNERS, Learner, LearnerForm,
    Minds, Shape, Work, fit_all,
};
pub use level_order::natural_order;
pub use model::{Input, Model};
pub use posteriors::{Output, Posteriors};
pub use schema::{ColumnSchema, Role, Schema, TargetSchema};
pub use sniff::{FLAG_WORDS, Remark, Sniffed, flag_value, sniff_labels, sniff_numbers};
pub use target::{Comparison, Target, TargetRule};
