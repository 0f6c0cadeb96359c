//! The arguments of `tribunal describe`.

use clap::Args;

use super::{DataArgs, OutputArgs};

pub(super) const EXAMPLES: &str = "\
Examples:
  tribunal describe claims.csv
  tribunal describe claims.csv --target fraud --positive yes
  tribunal describe claims.csv --target score --positive '>=4' --kind year=categorical --format json

  The built-in schema of the claims study, with its bins and its five targets:
    tribunal generate claims -o claims.csv
    tribunal describe claims.csv --schema claims --target 1+,4+,7+,vnl,vop

Kinds of columns: flag, numeric, categorical, categorical:a|b|c, ordered:low<mid<high,
  bins:20,40,60, bins:width:10, bins:frequency:10, bins:mdl.
Roles: id, amount, weight, target, ignore.";

/// `tribunal describe`
#[derive(Args, Debug)]
pub(crate) struct DescribeArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,

    /// Seed of the sample of very large tables, and of the folds that categories are judged on
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
