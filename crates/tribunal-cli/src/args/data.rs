//! What verbs that take a table share: the files, the target, what is declared about the columns.

use clap::Args;
use tribunal::{ColumnSchema, TargetRule};

use super::{InputName, SchemaName};

/// A table, what is declared about it, and what is to be predicted.
#[derive(Args, Debug)]
pub(crate) struct DataArgs {
    /// Files that make one table: CSV, TSV, Parquet, Arrow, JSON lines or ARFF; globs; `-` for standard input
    #[arg(required = true, value_name = "DATA")]
    pub(crate) inputs: Vec<InputName>,

    #[command(flatten)]
    pub(crate) declared: DeclaredArgs,
}

/// What is declared about a table, and what is to be predicted.
#[derive(Args, Debug)]
pub(crate) struct DeclaredArgs {
    /// Columns to predict, or targets that the schema declares
    #[arg(long, value_name = "COL[,COL]", value_delimiter = ',', help_heading = "Data")]
    pub(crate) target: Vec<String>,

    /// What is positive: a class (fraud), a rule on a number ('>=4'), or a set of codes ('{3,4,5}')
    #[arg(long, value_name = "RULE", help_heading = "Data")]
    pub(crate) positive: Option<TargetRule>,

    /// What is declared about the columns: a TOML file, or `claims` for the built-in claims study
    #[arg(long, value_name = "FILE", help_heading = "Data")]
    pub(crate) schema: Option<SchemaName>,

    /// Kind or role of a column, where it is not what it seems
    #[arg(long, value_name = "COL=KIND", value_parser = declared_column, help_heading = "Data")]
    pub(crate) kind: Vec<(String, ColumnSchema)>,

    /// Text that means a missing value, beyond an empty field, ?, NA, N/A, NaN and NULL
    #[arg(long, value_name = "TEXT", help_heading = "Data")]
    pub(crate) missing: Vec<String>,
}

/// What columns are there for besides being learned from.
#[derive(Args, Debug)]
pub(crate) struct RoleArgs {
    /// Column that says how much each row counts
    #[arg(long, value_name = "COL", help_heading = "Data")]
    pub(crate) weight: Option<String>,

    /// Columns that name the row, which nothing is learned from
    #[arg(long, value_name = "COL[,COL]", value_delimiter = ',', help_heading = "Data")]
    pub(crate) id: Vec<String>,
}

fn declared_column(text: &str) -> Result<(String, ColumnSchema), String> {
    let (name, declared) = text.split_once('=').ok_or("write COLUMN=KIND, for example year=categorical")?;
    Ok((name.to_owned(), declared.parse().map_err(|error: tribunal_learn::Error| error.to_string())?))
}

/// What is to be predicted.
#[derive(Args, Debug)]
pub(crate) struct TargetArgs {
    /// Column of the classes, or a target that the schema declares
    #[arg(long, value_name = "COL", help_heading = "Data")]
    pub(crate) target: Option<String>,

    /// What is positive: a class (fraud), a rule on a number ('>=4'), or a set of codes ('{3,4,5}')
    #[arg(long, value_name = "RULE", requires = "target", help_heading = "Data")]
    pub(crate) positive: Option<TargetRule>,

    /// What is declared about the columns: a TOML file, or `claims` for the built-in claims study
    #[arg(long, value_name = "FILE", help_heading = "Data")]
    pub(crate) schema: Option<SchemaName>,
}
