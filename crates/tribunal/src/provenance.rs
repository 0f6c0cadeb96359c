//! Where results come from: which Tribunal made them, and how it was asked.

use serde::{Deserialize, Serialize};

/// Who made some results. With the seed and the options beside it, it is all that is needed to make them again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Provenance {
    /// The version of Tribunal.
    pub tribunal: String,
    /// The command line, without what says where results go and how they look; front ends that have one set it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
}

impl Default for Provenance {
    /// This version, and no command line.
    fn default() -> Self {
        Self { tribunal: env!("CARGO_PKG_VERSION").to_owned(), command: None }
    }
}
