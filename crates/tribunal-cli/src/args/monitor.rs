//! The arguments of `tribunal monitor`.

use clap::Args;
use tribunal::monitoring::{AskedBands, Limit};
use tribunal_eval::intervals::Level;

use super::{InputName, OutputArgs};

pub(super) const EXAMPLES: &str = "\
Each table has a score for every case of the population, says which cases were acted on
(--actioned; without it those with an outcome), and has the outcomes that are known. The
strike rate among the actioned mixes three things, which come apart here by bands of the
score: population drift, selection change and model decay, each with its contribution to
the change of the strike rate, a test and an interval. Figures that a selection by score
leaves alone stand beside those that it does not.

Without outcomes in the current table drift and selection are stated, and what to expect.
Where every row was acted on drift and selection cannot be told apart and are stated
together. Limits are for pipelines: the exit code is 1 where one is broken.

--by month, quarter or year makes periods of the dates of --date; any other --by is a
column whose values are periods, in the order of numbers or dates. The first period is
the reference, unless --reference names a table. Figures that limits can name:
strike_rate, post_stratified_strike_rate, action_rate, auroc (weighted to the population),
auroc_within_bands, auroc_actioned, calibration_slope, calibration_intercept, psi, ks,
change, drift, selection, mix, decay, p_drift, p_selection, p_mix, p_decay, expected_rate,
expected_auroc and others, which a mistake lists.

Examples:
  tribunal monitor --reference january.csv --current june.csv --score p --truth fraud \\
    --positive yes --actioned investigated
  tribunal monitor --reference january.csv --current june.csv --score p --truth fraud \\
    --positive yes --actioned investigated --limit 'auroc>=0.75,psi<=0.2' --format json
  tribunal monitor --current claims.csv --by month --date received --score p --truth fraud \\
    --positive yes --actioned investigated --limit 'decay>=-0.02'";

/// `tribunal monitor`
#[derive(Args, Debug)]
pub(crate) struct MonitorArgs {
    /// Files of the period that others are compared with [default: the first period of --by]
    #[arg(long, value_name = "SCORES", num_args = 1.., help_heading = "Tables")]
    pub(crate) reference: Vec<InputName>,

    /// Files of the current period, or of many periods with --by
    #[arg(long, value_name = "SCORES", num_args = 1.., required = true, help_heading = "Tables")]
    pub(crate) current: Vec<InputName>,

    /// Column whose values are periods; or month, quarter or year of the dates of --date
    #[arg(long, value_name = "COL|SPAN", help_heading = "Tables")]
    pub(crate) by: Option<String>,

    /// Column of dates that make periods
    #[arg(long, value_name = "COL", help_heading = "Tables")]
    pub(crate) date: Option<String>,

    /// Column of scores; larger means more likely positive
    #[arg(long, value_name = "COL", help_heading = "Columns")]
    pub(crate) score: String,

    /// Column that says how a case ended, blank where that is not known
    #[arg(long, value_name = "COL", help_heading = "Columns")]
    pub(crate) truth: String,

    /// Label that counts as positive
    #[arg(long, value_name = "VALUE", help_heading = "Columns")]
    pub(crate) positive: Option<String>,

    /// Count every label but the positive one as negative, however many there are
    #[arg(long, help_heading = "Columns")]
    pub(crate) rest_is_negative: bool,

    /// Column that says which cases were acted on: yes or no, 1 or 0 [default: those with an outcome]
    #[arg(long, value_name = "COL", help_heading = "Columns")]
    pub(crate) actioned: Option<String>,

    /// Label of --actioned that says so, where it is none of the usual words
    #[arg(long, value_name = "VALUE", help_heading = "Columns")]
    pub(crate) actioned_value: Option<String>,

    /// Column with what a positive case is worth: rates are then mean amounts of the actioned
    #[arg(long, value_name = "COL", help_heading = "Columns")]
    pub(crate) amount: Option<String>,

    /// Bands of the score: how many, of about equally many rows of the reference, or rising edges (0.2,0.5)
    #[arg(
        long,
        value_name = "N|EDGES",
        default_value = "10",
        allow_hyphen_values = true,
        help_heading = "Questions"
    )]
    pub(crate) bands: AskedBands,

    /// What figures have to keep, such as auroc>=0.75,psi<=0.2; where one does not the exit code is 1. A figure without a
    /// value keeps none
    #[arg(
        long,
        value_name = "METRIC>=X[,METRIC<=X]",
        value_delimiter = ',',
        allow_hyphen_values = true,
        help_heading = "Questions"
    )]
    pub(crate) limit: Vec<Limit>,

    /// Level of intervals and tests
    #[arg(long, value_name = "LEVEL", default_value = "0.95", value_parser = level, help_heading = "Certainty")]
    pub(crate) level: Level,

    /// Bootstrap replicates of each period
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = "Certainty")]
    pub(crate) bootstrap: usize,

    /// Seed of the draws: the same seed gives the same bytes
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Certainty")]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

fn level(text: &str) -> Result<Level, String> {
    let level = text.parse::<f64>().ok().and_then(|level| Level::new(level).ok());
    level.ok_or_else(|| "write a number between 0 and 1, such as 0.95".to_owned())
}
