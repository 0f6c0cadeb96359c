//! The arguments of `tribunal evaluate`.

use clap::{Args, ValueEnum};
use tribunal::{AskedCutoff, At, Compare};
use tribunal_eval::intervals::Level;

use super::decisions::DecisionArgs;
use super::{InputName, OutputArgs};

pub(super) const EXAMPLES: &str = "\
Examples:
  One column of scores, the label `yes` is positive:
    tribunal evaluate scores.csv --truth fraud --positive yes --score model_a

  Three models side by side, figures at the top 1 %, 5 % and 500 cases, as JSON:
    tribunal evaluate scores.parquet --truth y --positive 1 --score a,b,c --at 1%,5%,500 --format json

  Long form from standard input, one row per case and model:
    cat scores.csv | tribunal evaluate - --truth y --positive 1 --score p --model model --id case

  Is any model better than `a` by more than one point of AUROC? Finer intervals from 2,000 draws:
    tribunal evaluate scores.csv --truth y --positive 1 --score a,b,c --compare a --margin 0.01 --bootstrap 2000

  Who finds most if 200 cases of every 5,000 can be investigated?
    tribunal evaluate scores.csv --truth fraud --positive 1 --score a,b --capacity 200/5000

  How deep to act when a hit brings its amount and each case costs 90:
    tribunal evaluate scores.csv --truth fraud --positive 1 --score p --amount paid --benefit-tp amount --cost-action 90

  A missed fraud costs five times a false alarm; which cases pay, one by one, where amounts are known beforehand:
    tribunal evaluate scores.csv --truth fraud --positive 1 --score p --cost-fp 1 --cost-fn 5
    tribunal evaluate scores.csv --truth fraud --positive 1 --score p --amount paid --rule fraud:90

  Which figures would be other ones if only the top 50 %, 25 % or 10 % had been investigated, and which would not:
    tribunal evaluate scores.csv --truth fraud --positive 1 --score p --stress-selection

  How the four outcomes lie in low, medium and high scores, and what the figures are where one case in a hundred is positive:
    tribunal evaluate scores.csv --truth fraud --positive 1 --score p --bands 0.3,0.7 --base-rate 1%";

/// `tribunal evaluate`
#[derive(Args, Debug)]
pub(crate) struct EvaluateArgs {
    /// Files with scores: CSV, TSV, Parquet, Arrow, JSON lines or ARFF; globs; `-` for standard input
    #[arg(required = true, value_name = "SCORES")]
    pub(crate) inputs: Vec<InputName>,

    /// Column that says what each case was
    #[arg(long, value_name = "COL", help_heading = "Columns")]
    pub(crate) truth: String,

    /// Label that counts as positive
    #[arg(long, value_name = "VALUE", help_heading = "Columns")]
    pub(crate) positive: Option<String>,

    /// Count every label but the positive one as negative, however many there are
    #[arg(long, help_heading = "Columns")]
    pub(crate) rest_is_negative: bool,

    /// Columns with scores, one per model; larger means more likely positive. May be repeated; a name with commas in it
    /// is found as it stands
    #[arg(long, value_name = "COL[,COL]", required = true, help_heading = "Columns")]
    pub(crate) score: Vec<String>,

    /// Column that names the model of each row (long form)
    #[arg(long, value_name = "COL", help_heading = "Columns")]
    pub(crate) model: Option<String>,

    /// Column with row weights
    #[arg(long, value_name = "COL", help_heading = "Columns")]
    pub(crate) weight: Option<String>,

    /// Column with what a positive case is worth
    #[arg(long, value_name = "COL", help_heading = "Columns")]
    pub(crate) amount: Option<String>,

    /// Columns with predicted amounts, judged against --amount: one, or one per score
    #[arg(long, value_name = "COL[,COL]", value_delimiter = ',', help_heading = "Columns")]
    pub(crate) predicted_amount: Vec<String>,

    /// Column with the fold of each row
    #[arg(long, value_name = "COL", help_heading = "Columns")]
    pub(crate) fold: Option<String>,

    /// Column that identifies a case
    #[arg(long, value_name = "COL", help_heading = "Columns")]
    pub(crate) id: Option<String>,

    /// Cut-offs: a score (0.5), a share (10% or share:0.1), a count (top:500), max-pcc, max-f1, max-f@2, youden,
    /// precision>=0.8, recall>=0.9, cost:FP:FN, max-profit:10:6 (benefit, cost of acting), max-profit:amount:0.68,
    /// max-benefit:HIT:FP:FN:TN; max-profit and max-benefit without numbers go by the stated costs and benefits; a count is one
    /// of the whole list (by weight, where rows are weighted), a fold takes the same share
    /// [default: 0.5 for probabilities, 0 for margins]
    #[arg(
        long,
        value_name = "RULE[,RULE]",
        value_delimiter = ',',
        allow_hyphen_values = true,
        help_heading = "Questions"
    )]
    pub(crate) threshold: Vec<AskedCutoff>,

    /// Depths of the list for CPH and lift: shares (10% or 0.1) or numbers of cases (500) of the whole list, of which
    /// folds take the same share
    #[arg(
        long,
        value_name = "DEPTH[,DEPTH]",
        value_delimiter = ',',
        default_value = "1%,5%,10%",
        help_heading = "Questions"
    )]
    pub(crate) at: Vec<At>,

    /// Metrics to compute, such as auroc,lift@0.1,f@2 [default: all]
    #[arg(long, value_name = "ID[,ID]", value_delimiter = ',', help_heading = "Questions")]
    pub(crate) metrics: Vec<String>,

    #[command(flatten)]
    pub(crate) decision: DecisionArgs,

    /// Whose amounts count: those of `positives`, or of `everybody` where an audit of a negative may end with a credit
    #[arg(
        long,
        value_name = "WHO",
        default_value = "positives",
        requires_if("everybody", "amount"),
        help_heading = "Charts"
    )]
    pub(crate) amount_of: AmountOf,

    /// Bins of the proportion score function, which shows how right predictions are along the scores [default: 10]
    #[arg(long, value_name = "N", value_parser = bins, allow_negative_numbers = true, help_heading = "Charts")]
    pub(crate) bins: Option<usize>,

    /// Rising edges of bands of scores, in each of which the four outcomes are counted: 0.3,0.7 for low, medium and high
    #[arg(
        long,
        value_parser = super::decimal,
        value_name = "EDGE[,EDGE]",
        value_delimiter = ',',
        allow_hyphen_values = true,
        help_heading = "Charts"
    )]
    pub(crate) bands: Vec<f64>,

    /// Another base rate (1% or 0.01) at which figures, probabilities and the conditions that each model owns are read
    #[arg(long, value_name = "RATE", value_parser = base_rate, allow_hyphen_values = true, help_heading = "Charts")]
    pub(crate) base_rate: Option<f64>,

    /// Columns whose labels make segments: every figure in each of them, and whether they differ
    #[arg(long, value_name = "COL[,COL]", value_delimiter = ',', help_heading = "Questions")]
    pub(crate) by: Vec<String>,

    /// What would each figure have said if only the top of the list by the score had been acted on, at these shares (50%) or
    /// numbers of cases (500)? Says which figures survive and which do not; bands are those of --bands or tenths of the list
    /// [without a value: 50%,25%,10%]
    #[arg(
        long,
        value_name = "PART[,PART]",
        value_delimiter = ',',
        num_args = 0..=1,
        default_missing_value = "50%,25%,10%",
        help_heading = "Questions"
    )]
    pub(crate) stress_selection: Vec<At>,

    /// Level of intervals and tests
    #[arg(long, value_name = "LEVEL", default_value = "0.95", value_parser = level, help_heading = "Certainty")]
    pub(crate) level: Level,

    /// Intervals of other samples with as many positives and negatives, instead of other samples of cases, whose base rate
    /// varies too: for files in which the classes were sampled apart
    #[arg(long, help_heading = "Certainty")]
    pub(crate) fixed_base_rate: bool,

    /// Bootstrap replicates for figures whose interval has no formula; 0 for none [default: 200]
    #[arg(
        long,
        value_name = "N",
        value_parser = replicates,
        allow_negative_numbers = true,
        help_heading = "Certainty"
    )]
    pub(crate) bootstrap: Option<usize>,

    /// Models to compare: `all` pairs, or one model with each other
    #[arg(long, value_name = "all|NAME", default_value = "all", help_heading = "Certainty")]
    pub(crate) compare: Compare,

    /// Differences up to this do not matter, in units of what decides (a metric, hits, amount or profit): ask for a practical
    /// difference instead of any; for tests on cases by what decides, those over folds take any
    #[arg(
        long,
        value_parser = super::decimal,
        value_name = "X",
        default_value_t = 0.0,
        allow_hyphen_values = true,
        help_heading = "Certainty"
    )]
    pub(crate) margin: f64,

    /// Seed of the draws: the same seed gives the same figures
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Certainty")]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Whose amounts count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AmountOf {
    /// Those of positives.
    Positives,
    /// Those of both classes.
    Everybody,
}

/// Bootstrap replicates that somebody may ask for.
const MOST_REPLICATES: usize = 1_000_000;
fn level(text: &str) -> Result<Level, String> {
    let number = text.parse().map_err(|_| format!("`{text}` is no level: write a number such as 0.95"))?;
    Level::new(number).map_err(|error| error.to_string())
}

fn replicates(text: &str) -> Result<usize, String> {
    let number =
        text.parse().map_err(|_| format!("`{text}` is no number of draws: write 1000, or 0 for none"))?;
    match number {
        0..=MOST_REPLICATES => Ok(number),
        _ => Err(format!(
            "{number} draws would take hours and say no more than 10000; write at most {MOST_REPLICATES}"
        )),
    }
}

fn bins(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(bins) if bins > 0 => Ok(bins),
        _ => Err(format!("`{text}` is no number of bins: write 1 or more, such as 10")),
    }
}

/// A share between 0 and 1, or a percentage.
fn base_rate(text: &str) -> Result<f64, String> {
    let (number, unit) = match text.trim().strip_suffix('%') {
        Some(number) => (number.trim(), 100.0),
        None => (text.trim(), 1.0),
    };
    let hint = if number.contains(',') { "; decimals are written with a point" } else { "" };
    match number.parse::<f64>().map(|number| number / unit) {
        Ok(rate) if rate > 0.0 && rate < 1.0 => Ok(rate),
        _ => {
            Err(format!("`{text}` is no base rate: write a share between 0 and 1, such as 1% or 0.01{hint}"))
        }
    }
}
