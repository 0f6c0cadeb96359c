//! The learners: one file or folder each, listed in [`LEARNERS`], the only place that knows all of them.
//!
//! A [`Learner`] is a choice of hyper-parameters; fitted on rows it gives a [`Model`](crate::Model), which scores any
//! rows, can be shown, and says why. Members of a family share work where they can: see
//! [`cross_posteriors`](crate::cross_posteriors).

pub(crate) mod bagging;
pub(crate) mod bnb;
pub(crate) mod boost;
pub(crate) mod c45;
pub(crate) mod calibrated;
pub(crate) mod cost_sensitive;
pub(crate) mod forest;
pub(crate) mod knn;
pub(crate) mod logit;
pub(crate) mod lssvm;
pub(crate) mod majority;
pub(crate) mod mlp;
pub(crate) mod nb;
pub(crate) mod rdt;
pub(crate) mod svm;
pub(crate) mod tan;

mod arguments;
mod character;
mod form;
mod grid;
mod learner;
pub(crate) mod log_scores;
mod numbers;
mod smoothing;
mod width;

#[cfg(test)]
pub(crate) mod golden;

pub use character::{Character, Shape, Work};
pub use cost_sensitive::{COST_METHODS, CostMethod, CostMethodForm};
pub use form::{Family, LearnerForm, Minds};
pub use grid::GridEdge;
pub use learner::{Learner, fit_all};

pub(crate) use arguments::{Arguments, written};
pub(crate) use learner::Method;

/// Every learner there is, in the order in which tables show them.
pub const LEARNERS: &[&LearnerForm] = &[
    &majority::FORM,
    &logit::FORM,
    &knn::FORM,
    &mlp::FORM,
    &svm::FORM,
    &nb::FORM,
    &bnb::FORM,
    &tan::FORM,
    &c45::FORM,
    &bagging::FORM,
    &rdt::FORM,
    &boost::FORM,
    &lssvm::FORM,
];
