//! The options of whoever acts on a list: how many cases, what that brings in, and what decides.

use clap::Args;
use tribunal::{CaseRule, Costs, DecideBy, Expression, Outcomes};
use tribunal_eval::decisions::Capacity;

/// What is asked about acting on the list.
#[derive(Args, Debug)]
pub(crate) struct DecisionArgs {
    /// How many cases can be acted on: of this list (200), or of each list of a given length like this one (200/5000)
    #[arg(long, value_name = "K[/N]", allow_hyphen_values = true, help_heading = "Decisions")]
    pub(crate) capacity: Option<Capacity>,

    /// What acting on a positive case brings in: a number, `amount` for the case's own, or a formula over
    /// columns with + - * / min max, such as '0.4 * amount - 90'; a column with a blank in its name stands between double
    /// quotes or backticks; costs and benefits that are not named are 0
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true, help_heading = "Decisions")]
    pub(crate) benefit_tp: Option<Expression>,

    /// What leaving a negative case alone brings in
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true, help_heading = "Decisions")]
    pub(crate) benefit_tn: Option<Expression>,

    /// What acting on a negative case costs
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true, help_heading = "Decisions")]
    pub(crate) cost_fp: Option<Expression>,

    /// What leaving a positive case alone costs
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true, help_heading = "Decisions")]
    pub(crate) cost_fn: Option<Expression>,

    /// What acting on any case costs, positive or negative
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true, help_heading = "Decisions")]
    pub(crate) cost_action: Option<Expression>,

    /// Decide case by case, not by a cut through the list: donation:COST (act where p times the predicted amount exceeds the cost of
    /// a letter), fraud:COST (the same with the amount itself, known of every case), expected (where the stated benefits are
    /// expected to be positive)
    #[arg(long, value_name = "RULE", help_heading = "Decisions")]
    pub(crate) rule: Option<CaseRule>,

    /// What the verdict goes by: profit, hits, amount or a metric [default: profit where costs or benefits are known, else hits
    /// at the capacity, else auroc]; a number of cases, as in precision_top@200, is one of the whole list, and each part of it
    /// takes the same share
    #[arg(long, value_name = "WHAT", help_heading = "Decisions")]
    decide_by: Option<String>,
}

impl DecisionArgs {
    /// What the verdict goes by, if that is said.
    ///
    /// # Errors
    /// There is no such metric.
    pub(crate) fn decide_by(&self) -> Result<Option<DecideBy>, tribunal::Error> {
        self.decide_by.as_deref().map(str::parse).transpose()
    }

    /// What the outcomes bring in, if that is said.
    ///
    /// # Errors
    /// Formulas are too long together.
    pub(crate) fn outcomes(&self) -> Result<Option<Outcomes>, String> {
        let costs = Costs {
            hit: self.benefit_tp.as_ref(),
            correct_rejection: self.benefit_tn.as_ref(),
            false_positive: self.cost_fp.as_ref(),
            false_negative: self.cost_fn.as_ref(),
            action: self.cost_action.as_ref(),
        };
        let outcomes = costs.is_stated().then(|| Outcomes::of_costs(&costs)).transpose();
        outcomes.map_err(|error| error.to_string())
    }
}
