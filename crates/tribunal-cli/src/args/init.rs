//! The arguments of `tribunal init`.

use clap::Args;
use clap::builder::ArgPredicate;
use tribunal::TargetRule;

use super::{InputName, OutputPath};

pub(super) const EXAMPLES: &str = "\
Without --target the column of two values is taken whose name sounds most like an outcome, or
else the last one. The file says what was guessed and what else it could have been; columns
that name rows, hold dates or sentences are ignored in it, with the reason; columns that give
the target away, or have values that only one class has, are pointed out; learners that are
slow on so many rows are commented out.

Examples:
  tribunal init claims.csv && tribunal study study.toml
  tribunal init claims.csv --target score --positive '>=4' -o high-scores.toml
  tribunal init claims.csv --stdout | less
  tribunal init claims.csv --deploy new-claims.csv && tribunal select select.toml";

/// `tribunal init`
#[derive(Args, Debug)]
pub(crate) struct InitArgs {
    /// Files that make one table: CSV, TSV, Parquet, Arrow, JSON lines or ARFF; globs
    #[arg(required = true, value_name = "DATA")]
    pub(crate) inputs: Vec<InputName>,

    /// Column to predict [default: a guess]
    #[arg(long, value_name = "COL", help_heading = "Data")]
    pub(crate) target: Option<String>,

    /// What is positive: a class (fraud), a rule on a number ('>=4'), or a set of codes ('{3,4,5}')
    #[arg(long, value_name = "RULE", requires = "target", help_heading = "Data")]
    pub(crate) positive: Option<TargetRule>,

    /// Files of a population without labels: write a selection file, by which a learner is chosen for it
    #[arg(long, value_name = "DATA", num_args = 1.., help_heading = "Data")]
    pub(crate) deploy: Vec<InputName>,

    /// File to write; it appears whole or not at all, and `-` is standard output [default: study.toml, or select.toml with
    /// --deploy]
    #[arg(
        short,
        long,
        value_name = "PATH",
        default_value = "study.toml",
        hide_default_value = true,
        default_value_ifs([
            ("stdout", ArgPredicate::Equals("true".into()), Some("-")),
            ("deploy", ArgPredicate::IsPresent, Some("select.toml")),
        ]),
        help_heading = "Output"
    )]
    pub(crate) output: OutputPath,

    /// Write to standard output
    #[arg(long, conflicts_with = "output", help_heading = "Output")]
    pub(crate) stdout: bool,

    /// Write over a file that is there
    #[arg(long, help_heading = "Output")]
    pub(crate) force: bool,

    /// No progress and no messages but errors
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}
