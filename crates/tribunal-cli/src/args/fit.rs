//! The arguments of `tribunal fit`.

use std::path::PathBuf;

use clap::Args;
use tribunal::Entrant;
use tribunal_report::Format;

use super::DataArgs;

pub(super) const EXAMPLES: &str = "\
The model is trained on every row whose target is known, and written to one file that
holds all that it takes to score other rows: `tribunal score MODEL DATA`. `tribunal
learners` lists what can be trained. Columns that name rows are left out and remembered as
ids.

Examples:
  tribunal fit claims.csv --target fraud --positive yes --learner tan:25 -o model.json

  A model of the claims study:
    tribunal generate claims -o claims.csv
    tribunal fit claims.csv --schema claims --target 4+ --learner tan:25 -o model.json";

/// `tribunal fit`
#[derive(Args, Debug)]
pub(crate) struct FitArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,

    /// What is trained, with its settings; `tribunal learners` lists all, outside:COMMAND is one of your own (see
    /// `tribunal cross --help`)
    #[arg(long, value_name = "LEARNER")]
    pub(crate) learner: Entrant,

    /// Columns to learn from: all, flags, or a set that the schema names
    #[arg(long, value_name = "SET", help_heading = "Data")]
    pub(crate) predictors: Option<String>,

    /// Column that says how much each row counts
    #[arg(long, value_name = "COL", help_heading = "Data")]
    pub(crate) weight: Option<String>,

    /// Columns that name the row, which nothing is learned from
    #[arg(long, value_name = "COL[,COL]", value_delimiter = ',', help_heading = "Data")]
    pub(crate) id: Vec<String>,

    /// Seed of whatever the learner draws: the same seed gives the same bytes
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// File for the model; it appears whole or not at all
    #[arg(short, long, value_name = "PATH", help_heading = "Output")]
    pub(crate) output: PathBuf,

    /// Form of the summary: text on standard error; json, csv, markdown or latex on standard output
    #[arg(long, value_name = "FORM", default_value_t = Format::Text, help_heading = "Output")]
    pub(crate) format: Format,

    /// No summary, no progress and no messages but errors
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}
