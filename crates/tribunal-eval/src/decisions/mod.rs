//! Decisions on a list: what acting on cases costs and brings in, which cases to act on, and what that comes to.
//!
//! [`CostMatrix`] and [`CaseBenefits`] say what the four outcomes are worth, [`CaseValues`] what acting on each case is worth once
//! its truth is known, and [`Actions`] what is done. Profit is a mean over cases, so its interval and its differences follow from
//! influence values ([`PolicyProfit`]).
//!
//! ```
//! use tribunal_eval::ScoredSet;
//! use tribunal_eval::decisions::{AmountRule, CaseValues};
//!
//! let truth = [true, false, true, false, false];
//! let probability = [0.05, 0.08, 0.03, 0.10, 0.02];
//! let expected_donation = [15.0, 8.0, 25.0, 6.0, 40.0];
//! let donation = [20.0, 0.0, 30.0, 0.0, 0.0];
//! let rule = AmountRule::DONATION;
//!
//! let set = ScoredSet::new(&truth, &probability)?.with_amount(&donation)?;
//! let values = CaseValues::of_payoff(&set, &rule.payoff())?;
//! let solicited = rule.acts(&probability, &expected_donation)?;
//! assert_eq!(solicited, [true, false, true, false, true]);
//! let profit = values.profit(&tribunal_eval::decisions::Actions::on(&solicited))?;
//! assert!((profit.total - 47.96).abs() < 1e-9);
//! # Ok::<(), tribunal_eval::Error>(())
//! ```

mod actions;
mod alike;
mod best_list;
mod capacity;
mod capacity_value;
mod case_values;
mod cell_value;
mod interval_estimate;
mod matrix;
mod next_list;
mod policy_in_segment;
mod policy_profit;
mod profit_bootstrap;
mod profit_difference;

pub use actions::{Actions, AmountRule, ListLength, Tie};
pub use best_list::{BestList, BestListProfit, BestRank, Judge, OptimismCorrection};
pub use capacity::{Capacity, CapacityHits, capacity_hits};
pub use capacity_value::CapacityValue;
pub use case_values::{CaseBenefits, CaseValues};
pub use cell_value::CellValue;
pub use interval_estimate::IntervalEstimate;
pub use matrix::{BenefitMatrix, CostMatrix};
pub use policy_in_segment::PolicyInSegment;
pub use policy_profit::PolicyProfit;
pub use profit_bootstrap::{ProfitBootstrap, ProfitReplicate};
pub use profit_difference::ProfitDifference;
