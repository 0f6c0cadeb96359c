//! What is remembered of a table so that another is read in the same way: where the classes come from, what means missing,
//! which columns name rows.

use serde::{Deserialize, Serialize};
use tribunal_learn::{Schema, TargetSchema};

use super::target::FoundTarget;

/// How a table was read, as far as a table of other rows must be read alike.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TableOrigin {
    /// The column that the classes come from.
    pub target_column: Option<String>,
    /// What in it is positive; without a rule its values are the classes.
    pub rule: Option<TargetSchema>,
    /// Texts that mean a missing value, beyond the usual ones.
    pub missing: Vec<String>,
    /// The columns that name rows.
    pub ids: Vec<String>,
}

impl TableOrigin {
    pub(super) fn new(target: Option<&FoundTarget>, schema: &Schema, ids: Vec<String>) -> Self {
        TableOrigin {
            target_column: target.map(|target| target.column.clone()),
            rule: target.and_then(|target| target.rule.clone()),
            missing: schema.missing.clone(),
            ids,
        }
    }
}
