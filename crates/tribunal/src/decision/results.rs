//! What was found about acting on a list.

use serde::{Deserialize, Serialize};

/// What was found about acting on a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Decision {}
