//! The arguments of `tribunal generate`.

use clap::{Args, ValueEnum};
use tribunal::claims::ClaimsRequest;
use tribunal_io::TableFormat;

use super::OutputPath;

pub(super) const EXAMPLES: &str = "\
Examples:
  As many claims as the published study had, as CSV on standard output:
    tribunal generate claims | head

  Ten million claims of another seed in a Parquet file:
    tribunal generate claims --rows 10000000 --seed 7 -o claims.parquet

The columns are raw: 25 flags, 12 other predictors, PAID, and the experts' score (0 to 10) and code (1 to 5).";

/// `tribunal generate`
#[derive(Args, Debug)]
pub(crate) struct GenerateArgs {
    /// What to make
    pub(crate) what: Generator,

    /// Number of claims
    #[arg(long, value_name = "N", default_value_t = ClaimsRequest::default().rows)]
    pub(crate) rows: u64,

    /// The same seed makes the same claims
    #[arg(long, value_name = "N", default_value_t = ClaimsRequest::default().seed)]
    pub(crate) seed: u64,

    /// File for the claims; it appears whole or not at all, and its name says the format [default: -, standard output]
    #[arg(short, long, value_name = "PATH", help_heading = "Output")]
    pub(crate) output: Option<OutputPath>,

    /// Format, whatever the file is called: csv, tsv, parquet, arrow or jsonl [default for standard output: csv]
    #[arg(long, value_name = "FORMAT", value_parser = table_format, help_heading = "Output")]
    pub(crate) to: Option<TableFormat>,

    /// No progress and no messages but errors
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

/// What can be made.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Generator {
    /// Personal-injury claims as experts on fraud see them
    Claims,
}

fn table_format(text: &str) -> Result<TableFormat, String> {
    let named = format!("table.{text}");
    TableFormat::from_extension(named.as_ref())
        .map_err(|_| format!("`{text}` is no format: write csv, tsv, parquet, arrow or jsonl"))
}
