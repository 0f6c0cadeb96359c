//! Costs of errors: what a wrong prediction costs, and where these costs are in what a model says.
//!
//! Costs enter once: into the training rows (weights, resampling, labels) or into the decision (a moved threshold), never
//! both. [`CostsWithin`] goes along with every model and its [`Posteriors`](crate::Posteriors), so that whoever would apply
//! costs to them has them undone or is refused.

mod class_weights;
mod matrix;
mod within;

pub use class_weights::ClassWeights;
pub(crate) use class_weights::rescaled;
pub use matrix::CostMatrix;
pub use within::CostsWithin;
