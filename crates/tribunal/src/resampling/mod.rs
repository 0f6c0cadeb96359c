//! Dividing rows into what is learned from and what is judged.
//!
//! A [`Design`] says how, in the text that `--design` takes; a [`Plan`] is a design applied to rows with a seed, frozen
//! before any learner sees them, so that every learner meets the same ones. Splits are gathered from the plan when they are
//! asked for: a plan of ten folds is one byte a row.
//!
//! ```
//! use tribunal::resampling::{LabelColumn, Plan, Rows};
//!
//! let fraud = LabelColumn::of("fraud", ["no", "yes", "no", "no", "yes", "no"]);
//! let plan = Plan::new(&"cv:2".parse()?, &Rows::of_classes(&fraud), 42)?;
//! for split in plan.splits() {
//!     assert_eq!(split.test.iter().filter(|&&row| fraud.label(row as usize) == "yes").count(), 1);
//! }
//! # Ok::<(), tribunal::Error>(())
//! ```
//!
//! Around it stand what is made of splits: [`InnerPlan`]s for tuning inside a training part, [`Balance`] for rare classes,
//! [`cv_mean`] and [`out_of_fold`] for figures over folds, and the [`error_632`] estimates of the bootstrap. None of them
//! knows a learner.
//!
//! # What was rejected
//!
//! - *Lists of rows for every split.* Leave-one-out of 10⁵ rows would take 40 GB.
//! - *A trait for users to implement.* Folds made elsewhere come in as a column (`folds:COLUMN`).

mod aggregate;
mod assignment;
mod balance;
mod bootstrap;
mod columns;
mod cv;
mod deal;
mod design;
pub mod error_632;
mod folds;
mod group;
mod holdout;
mod inner;
mod label_column;
mod loo;
mod plan;
mod prior;
mod rows;
mod share;
mod split;
mod summary;
mod three_way;
mod time;
mod time_summary;
mod times;
mod warning;

pub use aggregate::{CvMean, RepeatedMean, cv_mean, cv_pooled, out_of_fold, repeated_mean};
pub use balance::Balance;
pub use bootstrap::Bootstrap;
pub use columns::{PlanColumn, PlanValues};
pub use cv::Cv;
pub use design::{Design, DesignForm};
pub use folds::Folds;
pub use group::Group;
pub use holdout::Holdout;
pub use inner::InnerPlan;
pub use label_column::LabelColumn;
pub use loo::Loo;
pub use plan::{PLAN_SCHEMA, Plan, SplitPlace};
pub use prior::PriorShift;
pub use rows::Rows;
pub use share::Share;
pub use split::{Part, Split};
pub use summary::{ClassCount, PartSummary, PlanSummary};
pub use three_way::ThreeWay;
pub use time::Time;
pub use time_summary::{PartSpan, TimeSummary};
pub use warning::Warning;

pub(crate) use share::floor_of;

/// Every form of a design, in the order of the help.
pub const DESIGNS: &[&DesignForm] = &[
    &cv::FORM,
    &holdout::FORM,
    &three_way::FORM,
    &loo::FORM,
    &bootstrap::FORM,
    &folds::FORM,
    &group::FORM,
    &time::FORM,
];

#[cfg(test)]
mod contract;
#[cfg(test)]
mod testing;
