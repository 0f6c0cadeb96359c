//! The arguments of `tribunal split`.

use clap::Args;
use tribunal::resampling::Design;

use super::{InputName, TableArgs, TargetArgs};

pub(super) const EXAMPLES: &str = "\
Designs:
  cv:K[xR][:plain]                      K folds, R times over
  holdout[:SHARE[xR]][:plain]           SHARE (2/3) to learn from, the rest to test
  three-way[:TRAIN,VALIDATION][:plain]  shares to learn from and to tune on (1/2, 1/4)
  loo                                   every row is a fold of its own
  bootstrap[:B]                         B (200) draws with replacement
  folds:COLUMN                          folds that a column names
  group:K:COLUMN                        K folds that keep groups together
  time:COLUMN:CUT[:dmy|:mdy|:ymd]       the past up to CUT to learn from, what follows to test:
                                        numbers, or dates (2024-01-31, 31.01.2024, 1/31/2024,
                                        31 Jan 2024, with or without a time); day and month are
                                        told apart by the column, or declared behind the cut
  Classes of --target are shared alike by all parts unless `plain`.

Examples:
  Ten folds that share the classes of `fraud` alike, as a column `fold`:
    tribunal split claims.csv --design cv:10 --target fraud -o folded.csv

  No garage in two folds:
    tribunal split claims.csv --design cv:5 --group garage -o folded.csv

  Learn from what was reported up to the end of 2023, test on what came after:
    tribunal split claims.csv --design time:reported:31.12.2023 --target fraud -o divided.csv

  Folds of the claims study for its operational target:
    tribunal split claims.csv --schema claims --target 4+ --seed 7 -o folded.csv

  What would the folds look like? No table is written:
    tribunal split claims.parquet --design cv:10x5 --target fraud --format json";

/// `tribunal split`
#[derive(Args, Debug)]
pub(crate) struct SplitArgs {
    /// The table: CSV, TSV, Parquet, Arrow, JSON lines or ARFF; globs; `-` for standard input
    #[arg(required = true, value_name = "DATA")]
    pub(crate) inputs: Vec<InputName>,

    /// How rows are divided; see below
    #[arg(long, value_name = "DESIGN", default_value = "cv:10")]
    pub(crate) design: Design,

    #[command(flatten)]
    pub(crate) target: TargetArgs,

    /// Column of groups that no split may tear apart
    #[arg(long, value_name = "COL")]
    pub(crate) group: Option<String>,

    /// Name of the columns that are added [default: fold, part or draws]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// Seed of the shuffles: the same seed gives the same bytes
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) output: TableArgs,
}
