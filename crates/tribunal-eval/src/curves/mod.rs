//! Curves as plain data: points, labelled axes, nothing drawn.
//!
//! A curve over the ranking - ROC, precision-recall, CPH, lift - is one function from the weights above a
//! cut-off to a point; see [`CurveKind::point`]. *CPH*, *lift* and *gain* are three different things here,
//! and every axis says which it shows.

mod average;
mod axis;
mod cost;
mod curve;
mod gains;
mod hull;
mod lift_chart;
mod precision;
mod profit;
mod risk;
mod roc;

pub use average::{AveragedRoc, N_SAMPLES};
pub use axis::Axis;
pub use cost::cost_curve;
pub use curve::{Curve, CurveKind, Point};
pub use gains::{GainsRow, gains_table};
pub use hull::{Hull, Mixture, Range, Vertex};
pub use lift_chart::{Campaign, CampaignPlan, Contacted, LiftScenario, Population};
pub(crate) use precision::mean_interpolated_precision;
pub use precision::precision_recall_curve;
pub use profit::{Benefit, BestProfit, Payoff, best_profit, profit_curve};
pub use risk::{AmountLimits, Capture, RiskAmounts, RiskArea, RiskChart, RiskLimits, RiskPoint, RiskSlice};
pub use roc::{roc_curve, sample_roc, trapezoid};
