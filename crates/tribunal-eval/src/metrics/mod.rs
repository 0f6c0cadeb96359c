//! The registry of metrics: one file each, one list of all.
//!
//! A metric is plain data - what it is called, what it means, when it has no value, who defined it - and
//! one function of a [`Confusion`](crate::Confusion), a [`Ranking`](crate::Ranking) or
//! [`AmountPairs`](crate::AmountPairs). Everything that shows, lists or tests metrics goes through
//! [`METRICS`], so a new entry is covered the moment it is listed.

mod definition;
mod measure;

pub mod amount_correlation;
pub mod auroc;
pub mod auroc_100;
pub mod average_precision;
pub mod balanced_accuracy;
pub mod brier;
pub mod brier_reliability;
pub mod brier_resolution;
pub mod brier_uncertainty;
pub mod brier_within_bin;
pub mod calibration_intercept;
pub mod calibration_slope;
pub mod cost;
pub mod cph;
pub mod ece;
pub mod eleven_point_average_precision;
pub mod error_rate;
pub mod f_beta;
pub mod fpr;
pub mod g_mean;
pub mod gini;
pub mod h_measure;
pub mod kappa;
pub mod ks;
pub mod lift;
pub mod lift_top;
pub mod log_loss;
pub mod mae;
pub mod mcc;
pub mod npv;
pub mod omega;
pub mod omega_amount;
pub mod pauroc;
pub mod pcc;
pub mod precision;
pub mod precision_top;
pub mod rae;
pub mod rmse;
pub mod rrse;
pub mod sensitivity;
pub mod specificity;
pub mod three_point_average_precision;

use definition::metric;
pub use definition::{Better, Compute, Estimate, InfluenceOf, Kind, Metric, Parameter, Spread};
pub use measure::Measure;

#[doc(inline)]
pub use self::{
    amount_correlation::amount_correlation, auroc::auroc, auroc_100::auroc_100,
    average_precision::average_precision, balanced_accuracy::balanced_accuracy, brier::brier,
    brier_reliability::brier_reliability, brier_resolution::brier_resolution,
    brier_uncertainty::brier_uncertainty, brier_within_bin::brier_within_bin,
    calibration_intercept::calibration_intercept, calibration_slope::calibration_slope, cost::cost, cph::cph,
    ece::ece, eleven_point_average_precision::eleven_point_average_precision, error_rate::error_rate,
    f_beta::f_beta, f_beta::f1, fpr::fpr, g_mean::g_mean, gini::gini, h_measure::h_measure, kappa::kappa,
    ks::ks, lift::lift, lift_top::lift_top, log_loss::log_loss, mae::mae, mcc::mcc, npv::npv, omega::omega,
    omega::standardised_area, omega_amount::omega_amount, pauroc::pauroc, pcc::pcc, precision::precision,
    precision_top::precision_top, rae::rae, rmse::rmse, rrse::rrse, sensitivity::sensitivity,
    specificity::specificity, three_point_average_precision::three_point_average_precision,
};

/// Every metric, in the order in which tables show them.
pub static METRICS: &[&Metric] = &[
    &auroc::METRIC,
    &auroc_100::METRIC,
    &gini::METRIC,
    &omega::METRIC,
    &omega_amount::METRIC,
    &pauroc::METRIC,
    &ks::METRIC,
    &h_measure::METRIC,
    &average_precision::METRIC,
    &three_point_average_precision::METRIC,
    &eleven_point_average_precision::METRIC,
    &cph::METRIC,
    &lift::METRIC,
    &lift_top::METRIC,
    &precision_top::METRIC,
    &pcc::METRIC,
    &error_rate::METRIC,
    &cost::METRIC,
    &sensitivity::METRIC,
    &specificity::METRIC,
    &fpr::METRIC,
    &precision::METRIC,
    &npv::METRIC,
    &f_beta::F1,
    &f_beta::METRIC,
    &balanced_accuracy::METRIC,
    &g_mean::METRIC,
    &mcc::METRIC,
    &kappa::METRIC,
    &brier::METRIC,
    &brier_reliability::METRIC,
    &brier_resolution::METRIC,
    &brier_uncertainty::METRIC,
    &brier_within_bin::METRIC,
    &log_loss::METRIC,
    &ece::METRIC,
    &calibration_intercept::METRIC,
    &calibration_slope::METRIC,
    &mae::METRIC,
    &rmse::METRIC,
    &rae::METRIC,
    &rrse::METRIC,
    &amount_correlation::METRIC,
];
