//! What is learned from columns before a learner sees them: bins, means and deviations, what stands in for what is
//! missing. Everything is fitted on training rows and then applied, unchanged, to any rows.

mod bins;
mod encoder;
mod equal_bins;
mod matrix;
mod mdl;
mod nominal;
mod numeric;
mod same;
mod scale;
mod stand_in;

pub use bins::Bins;
pub use matrix::Matrix;
pub use nominal::{NominalColumn, NominalEncoder};
pub use numeric::{Missing, NumericEncoder, NumericOptions, Scaling};
pub use scale::Scale;

pub(crate) use encoder::{Encoded, Encoder, Shown, View};
pub(crate) use same::same_without;
pub(crate) use scale::power_of_two;
