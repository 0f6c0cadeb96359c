//! Which rows a figure is about.

use serde::{Deserialize, Serialize};

/// What a figure is about: all rows, one fold, or the mean over folds.
///
/// In JSON it is the field `scope`, and for one fold also `fold`, so that a fold which somebody called `mean` is no mean:
///
/// ```
/// use tribunal::Scope;
///
/// let written = |scope: Scope| serde_json::to_string(&scope);
/// assert_eq!(written(Scope::Mean)?, r#"{"scope":"mean"}"#);
/// assert_eq!(written(Scope::Fold { fold: "mean".into() })?, r#"{"scope":"fold","fold":"mean"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "scope", rename_all = "snake_case")]
pub enum Scope {
    /// All rows together; in a study, all splits.
    #[default]
    All,
    /// The mean over the folds of an evaluation.
    Mean,
    /// One fold or split.
    Fold {
        /// Its name.
        fold: String,
    },
}

impl Scope {
    /// Whether it is all rows.
    pub fn is_all(&self) -> bool {
        *self == Self::All
    }

    /// Whether it is the mean over folds.
    pub fn is_mean(&self) -> bool {
        *self == Self::Mean
    }

    /// The name of the fold, for one fold.
    pub fn fold(&self) -> Option<&str> {
        match self {
            Self::Fold { fold } => Some(fold),
            _ => None,
        }
    }

    /// The scope in one word, as JSON has it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Mean => "mean",
            Self::Fold { .. } => "fold",
        }
    }
}
