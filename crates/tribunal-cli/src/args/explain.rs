//! The arguments of `tribunal explain`.

use std::str::FromStr;

use clap::Args;
use tribunal::RowList;
use tribunal_report::Format;

use super::{InputName, MatchArgs, ModelArgs, OutputPath};

pub(super) const EXAMPLES: &str = "\
Without DATA the model itself is shown; with it, why rows get the scores or amounts they get.

Examples:
  tribunal explain model.json
  tribunal explain model.json new.csv --rows 1,5-7
  tribunal explain model.json new.csv --id claim --id-value C-1042 --all
  tribunal explain model.json --format dot | dot -Tsvg > model.svg";

/// `tribunal explain`
#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// Files that make one table with the rows to explain
    #[arg(value_name = "DATA")]
    pub(crate) inputs: Vec<InputName>,

    /// Rows by their number, from 1 [default: the first five]
    #[arg(long, value_name = "1,5-7", requires = "inputs", conflicts_with = "id_value")]
    pub(crate) rows: Option<RowList>,

    /// Rows by their id
    #[arg(long, value_name = "VALUE", requires = "inputs")]
    pub(crate) id_value: Option<String>,

    /// Show the evidence of every column, not of the strongest twelve alone
    #[arg(long)]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) matching: MatchArgs,

    /// Form of the results: text, json, csv, markdown or latex; dot for the graph of a tree or network
    #[arg(long, value_name = "FORM", default_value = "text", help_heading = "Output")]
    pub(crate) format: ExplainFormat,

    /// File for the results; it appears whole or not at all [default: -, standard output]
    #[arg(short, long, value_name = "PATH", help_heading = "Output")]
    pub(crate) output: Option<OutputPath>,

    /// No progress and no messages but errors
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

/// The form of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExplainFormat {
    /// The graph of the model, in the language of Graphviz.
    Dot,
    /// A form that all results have.
    Usual(Format),
}

impl FromStr for ExplainFormat {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "dot" => Ok(ExplainFormat::Dot),
            name => {
                name.parse().map(ExplainFormat::Usual).map_err(|error: String| format!("{error}, or dot"))
            }
        }
    }
}
