//! The arguments of `tribunal init`.

use clap::Args;
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
  tribunal init claims.csv --stdout | less";

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

    /// File to write; it appears whole or not at all, and `-` is standard output
    #[arg(
        short,
        long,
        value_name = "PATH",
        default_value = "study.toml",
        default_value_if("stdout", "true", "-"),
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
