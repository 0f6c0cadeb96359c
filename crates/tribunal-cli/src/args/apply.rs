//! What verbs that apply a model share: the model, and how a table is matched with it.

use clap::{Args, ValueEnum};
use tribunal::Matching;

use super::InputName;

/// A model.
#[derive(Args, Debug)]
pub(crate) struct ModelArgs {
    /// The model, a file that `tribunal fit` wrote
    #[arg(value_name = "MODEL")]
    pub(crate) model: InputName,

    /// Run the command that the model names, if a command made it: a model from anywhere may name any command
    #[arg(long)]
    pub(crate) run_command: bool,
}

/// How a table is matched with a model.
#[derive(Args, Debug)]
pub(crate) struct MatchArgs {
    /// Columns that name the row [default: those that did in training]
    #[arg(long, value_name = "COL[,COL]", value_delimiter = ',', help_heading = "Data")]
    pub(crate) id: Vec<String>,

    /// Refuse values that the model never met, which otherwise count as missing
    #[arg(long, help_heading = "Data")]
    pub(crate) strict: bool,

    /// What becomes of a column of the model that the table lacks: refuse the table, or allow it as missing
    #[arg(long, value_name = "WHAT", default_value = "refuse", help_heading = "Data")]
    pub(crate) missing_columns: MissingColumns,

    /// Text that means a missing value, beyond the usual ones and those of training
    #[arg(long, value_name = "TEXT", help_heading = "Data")]
    pub(crate) missing: Vec<String>,
}

/// What becomes of a column that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MissingColumns {
    /// It is an error
    Refuse,
    /// It counts as missing in every row
    Allow,
}

impl MatchArgs {
    pub(crate) fn matching(&self) -> Matching {
        Matching {
            is_strict: self.strict,
            allows_missing_columns: self.missing_columns == MissingColumns::Allow,
            missing: self.missing.clone(),
        }
    }

    /// The columns that name rows, if any were named.
    pub(crate) fn ids(&self) -> Option<Vec<String>> {
        (!self.id.is_empty()).then(|| self.id.clone())
    }
}
