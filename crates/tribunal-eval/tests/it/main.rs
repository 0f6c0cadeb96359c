//! The judge as its users meet it: contracts of the registries, properties, worked examples and reference values.

mod comparison;
mod contract;
mod decisions;
mod error_matrix;
mod gain;
mod golden;
mod intervals;
mod json;
mod monitoring;
mod parity;
mod properties;
mod quick_coverage;
mod risk;
mod score_selection;
mod spread;
mod unlabelled;
