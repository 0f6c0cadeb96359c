//! Charts of an evaluation as plain data, and what changes at another base rate: what is asked and what was found.
//!
//! References: Koesmarno (2013) for risk charts and error-matrix charts; Elkan (2001) for other base rates; Provost & Fawcett (2001)
//! for the operating conditions that a model owns.

mod request;
mod results;

pub use request::ChartRequest;
pub use results::{
    BaseRateFigures, BaseRateReading, ConditionReading, CutoffCharts, DepthReading, DepthRecipe, FoldBand,
    FoldRisk, FoldSpread, ModelCharts, RiskReading, ShiftedProbability,
};
