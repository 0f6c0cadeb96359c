//! Tables divided or biased: read what decides, then copy the rows as they stand.

mod bias_table;
mod plan_table;

pub use bias_table::{BiasRequest, BiasSummary, BiasedTable, ClassShift, bias_table};
pub use plan_table::{PlannedTable, SplitRequest, plan_table};
