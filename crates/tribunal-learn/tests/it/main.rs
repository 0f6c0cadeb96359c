//! Learners as their users meet them: contracts, metamorphic relations and reference values.

mod amounts;
mod bins;
mod calibration;
mod density_ratio;
mod encoding;
mod learners;
