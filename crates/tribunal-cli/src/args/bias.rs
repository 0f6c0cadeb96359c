//! The arguments of `tribunal bias`.

use clap::Args;
use tribunal::bias::{KINDS, Side, USUAL_FRACTION};

use super::{InputName, TableArgs, TargetArgs};

pub(super) const EXAMPLES: &str = "\
Kinds:
  feature       leaves out the rows with the lowest (or highest) values of a column
  feature-soft  keeps a row with probability 1 / (1 + exp(-beta z)), z a standardised column
  class         leaves out a share of the rows of --class at random
  complete      leaves out the lowest values within --class and the highest within the others
  none          leaves out rows at random, as a control for the size of the sample

Numbers are sorted by value, levels as a schema declares them, sizes (`2 to 4`) by size, all else
by its letters. A missing value is neither low nor high: its row goes last.

Examples:
  tribunal bias train.csv --kind feature --column age --target fraud -o biased.csv
  tribunal bias train.csv --kind class --class yes --target fraud --fraction 0.5 > biased.csv";

/// `tribunal bias`
#[derive(Args, Debug)]
pub(crate) struct BiasArgs {
    /// The table: CSV, TSV, Parquet, Arrow, JSON lines or ARFF; globs; `-` for standard input
    #[arg(required = true, value_name = "DATA")]
    pub(crate) inputs: Vec<InputName>,

    /// Which rows are left out; see below
    #[arg(long, value_name = "KIND", value_parser = bias_kind)]
    pub(crate) kind: &'static str,

    /// Column that decides [default: the first that is not the target]
    #[arg(long, value_name = "COL")]
    pub(crate) column: Option<String>,

    /// Share of rows that is left out
    #[arg(long, value_parser = super::decimal, value_name = "SHARE", default_value_t = USUAL_FRACTION, allow_negative_numbers = true)]
    pub(crate) fraction: f64,

    /// End of the column that is left out: low or high
    #[arg(long, value_name = "SIDE", default_value = "low")]
    pub(crate) side: Side,

    /// How steeply the chance to stay rises with the column, for feature-soft
    #[arg(long, value_parser = super::decimal, value_name = "B", default_value_t = 1.0, allow_negative_numbers = true)]
    pub(crate) beta: f64,

    /// Class that loses rows, for class and complete [default: the positive one, if --positive is given]
    #[arg(long, value_name = "VALUE")]
    pub(crate) class: Option<String>,

    #[command(flatten)]
    pub(crate) target: TargetArgs,

    /// Seed of the draws: the same seed gives the same bytes
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) output: TableArgs,
}

fn bias_kind(text: &str) -> Result<&'static str, String> {
    let names = || KINDS.iter().map(|kind| kind.name);
    names().find(|name| *name == text).ok_or_else(|| {
        let near = tribunal_io::nearest(text, names())
            .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        format!("`{text}` is no kind of bias{near} (choose {})", names().collect::<Vec<_>>().join(", "))
    })
}
