//! The arguments of `tribunal report`.

use clap::Args;

use super::{InputName, OutputArgs};

pub(super) const EXAMPLES: &str = "\
RESULTS is what another verb wrote with --format json, or results.json in the folder of a
study. What is shown has the same bytes as if the verb had shown it in that form itself.

Examples:
  tribunal evaluate scores.csv --truth y --positive 1 --score m --format json -o results.json
  tribunal report results.json
  tribunal report results.json --format latex -o table.tex
  tribunal report claims.run/results.json --format markdown
  gunzip -c results.json.gz | tribunal report - --format csv";

/// `tribunal report`
#[derive(Args, Debug)]
pub(crate) struct ReportArgs {
    /// Results in JSON; `-` is standard input
    #[arg(value_name = "RESULTS")]
    pub(crate) results: InputName,

    /// How long learners took, to be shown with a study: times.json of its folder
    #[arg(long, value_name = "TIMES")]
    pub(crate) times: Option<InputName>,

    /// Of an explanation, show the evidence of every column, not of the strongest twelve alone
    #[arg(long)]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
