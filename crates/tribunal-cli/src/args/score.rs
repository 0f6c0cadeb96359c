//! The arguments of `tribunal score`.

use clap::Args;

use super::{InputName, MatchArgs, ModelArgs, TableArgs};

pub(super) const EXAMPLES: &str = "\
What is written: the ids of the rows; the target, if the table has it; `score`, the
probability of the positive class; and `predicted`, the class it speaks for. Of more than
two classes each has its score, `score_CLASS`. No row is left out, and their order stays.
A target that a rule made of a column is written by its classes under its name, so that
`tribunal evaluate` reads it. --score-name NAME calls the columns NAME and NAME_predicted
where the table has columns of the usual names.

Columns are matched by name, in any order; others are passed over. Kinds and levels are
those of the model. A value that the model never met counts as missing and a notice says
so; --strict refuses it.

A model of amounts writes the ids of the rows, the amounts that the table itself has, and
`amount`, what the model expects; --score-name gives it another name.

Examples:
  tribunal score model.json new.csv -o scores.csv
  tribunal score model.json 'claims-*.parquet' --keep all --score-name tan -o scored.parquet

  Train, score, judge:
    tribunal fit train.csv --target fraud --positive yes --learner tan:25 -o model.json
    tribunal score model.json test.csv -o scores.parquet
    tribunal evaluate scores.parquet --truth fraud --positive yes --score score";

/// `tribunal score`
#[derive(Args, Debug)]
pub(crate) struct ScoreArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// Files that make one table: CSV, TSV, Parquet, Arrow, JSON lines or ARFF; globs; `-` for standard input
    #[arg(required = true, value_name = "DATA")]
    pub(crate) inputs: Vec<InputName>,

    /// Columns of the table that are written too, or `all`
    #[arg(long, value_name = "COL[,COL]", value_delimiter = ',')]
    pub(crate) keep: Vec<String>,

    /// Name of the score; the class is then NAME_predicted [default: score, predicted]
    #[arg(long, value_name = "NAME")]
    pub(crate) score_name: Option<String>,

    #[command(flatten)]
    pub(crate) matching: MatchArgs,

    #[command(flatten)]
    pub(crate) output: TableArgs,
}
