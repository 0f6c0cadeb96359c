//! The arguments of `tribunal cross`.

use clap::Args;
use tribunal::Entrant;
use tribunal::resampling::Design;

use super::{DataArgs, RoleArgs, TableArgs};

pub(super) const EXAMPLES: &str = "\
Every learner is trained on the training rows of each split and scores the rows that are
held out; settings that are left open are tuned inside the training rows. What is
written: the ids of the rows (or `row`, their number, if nothing names them), the target,
`fold`, `repetition` where there are several, and a column of scores for each learner,
called as it is written; of more than two classes LEARNER_CLASS. `tribunal evaluate` reads
it as it is. A learner that fails on a split leaves its scores there missing, and the
summary says why; the others go on.

A learner of your own is any command that can fit and score: outside:COMMAND, with
settings outside[timeout=600,format=arrow]:COMMAND. It is called as
  COMMAND fit TRAIN MODEL          learn from the table TRAIN, write the file MODEL
  COMMAND score MODEL ROWS SCORES  write a CSV with a column `score`, one line a row
  COMMAND explain MODEL            optional: what it prints is shown by `explain`
TRAIN has the target as its last column (but for weights); the JSON file that TRIBUNAL_JOB
names describes it, and TRIBUNAL_SEED is the seed.

Designs are those of `tribunal split`: cv:10, cv:10x5, holdout:2/3, loo, bootstrap:200,
folds:COLUMN, group:K:COLUMN, time:COLUMN:CUT. Columns that they name are not learned from,
unless --kind declares them.

Examples:
  tribunal cross claims.csv --target fraud --positive yes --learner nb:5 --learner c45 -o held-out.parquet
  tribunal evaluate held-out.parquet --truth fraud --positive yes --score nb:5,c45 --fold fold

  Beside a learner of your own:
    tribunal cross claims.csv --target fraud --positive yes --learner tan:25 \\
      --learner 'outside:python3 examples/lightgbm_learner.py' -o held-out.csv";

/// `tribunal cross`
#[derive(Args, Debug)]
pub(crate) struct CrossArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,

    /// Who takes part, with settings; repeat it for each. `tribunal learners` lists what is built in
    #[arg(long, value_name = "LEARNER", required = true)]
    pub(crate) learner: Vec<Entrant>,

    /// How rows are divided
    #[arg(long, value_name = "DESIGN", default_value = "cv:10")]
    pub(crate) design: Design,

    /// Column of groups that no split may tear apart
    #[arg(long, value_name = "COL")]
    pub(crate) group: Option<String>,

    /// Columns to learn from: all, flags, or a set that the schema names
    #[arg(long, value_name = "SET", help_heading = "Data")]
    pub(crate) predictors: Option<String>,

    #[command(flatten)]
    pub(crate) roles: RoleArgs,

    /// Columns of the table that are written too, or `all`
    #[arg(long, value_name = "COL[,COL]", value_delimiter = ',')]
    pub(crate) keep: Vec<String>,

    /// Seed of the folds and of whatever the learners draw: the same seed gives the same bytes
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) output: TableArgs,
}
