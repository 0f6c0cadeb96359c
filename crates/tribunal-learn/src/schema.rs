//! What somebody declares about a table: the kinds and roles of its columns, sets of predictors, targets by name.
//!
//! Written as TOML or JSON:
//!
//! ```toml
//! missing = ["n/a"]
//! min_firings = 10
//!
//! [columns]
//! AGE = "bins:whole:20,40,60,80"
//! PAID = "amount"
//! claim = "id"
//!
//! [sets]
//! indicator = ["ACC01", "ACC04"]
//!
//! [targets]
//! "4+" = { column = "score", positive = ">=4", whole = [0, 10] }
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind};
use crate::kind::Kind;
use crate::target::TargetRule;
use crate::text_form::written_as_text;

/// What is declared about a table; whatever is left out is told from the data.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Schema {
    /// Texts that mean that a value is missing, beyond an empty field, `?` and `NA`.
    pub missing: Vec<String>,
    /// A flag that is one in fewer rows than this is left out.
    pub min_firings: usize,
    /// Kinds and roles.
    pub columns: BTreeMap<String, ColumnSchema>,
    /// Sets of predictors by name.
    pub sets: BTreeMap<String, Vec<String>>,
    /// Targets by name.
    pub targets: BTreeMap<String, TargetSchema>,
}

/// What is declared about a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum ColumnSchema {
    /// It is a predictor of this kind.
    Kind(Kind),
    /// It is no predictor.
    Role(Role),
}

/// What a column is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Learners may use it.
    #[default]
    Predictor,
    /// What is to be predicted, or tells of it.
    Target,
    /// What is at stake, for costs and benefits.
    Amount,
    /// How much the row counts.
    Weight,
    /// It names the row.
    #[serde(rename = "id")]
    Identifier,
    /// It is left out.
    Ignore,
}

/// A target by name: a column and what in it is positive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetSchema {
    /// The column.
    pub column: String,
    /// What is positive.
    pub positive: TargetRule,
    /// The whole numbers, from and to, that the column may hold; anything else is an error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<[i64; 2]>,
}

const ROLES: [(&str, Role); 5] = [
    ("target", Role::Target),
    ("amount", Role::Amount),
    ("weight", Role::Weight),
    ("id", Role::Identifier),
    ("ignore", Role::Ignore),
];

impl Role {
    /// The role in one word.
    pub fn name(self) -> &'static str {
        ROLES.iter().find(|(_, role)| *role == self).map_or("predictor", |(name, _)| name)
    }
}

impl FromStr for ColumnSchema {
    type Err = Error;

    fn from_str(text: &str) -> Result<ColumnSchema, Error> {
        match ROLES.iter().find(|(name, _)| *name == text.trim()) {
            Some(&(_, role)) => Ok(ColumnSchema::Role(role)),
            None => text.parse().map(ColumnSchema::Kind),
        }
    }
}

impl fmt::Display for ColumnSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ColumnSchema::Kind(kind) => kind.fmt(f),
            ColumnSchema::Role(role) => f.write_str(role.name()),
        }
    }
}

written_as_text!(ColumnSchema);

impl TargetSchema {
    /// What the two classes are called, the positive one last.
    pub fn class_names(&self) -> [String; 2] {
        [format!("not {}", self.positive), self.positive.to_string()]
    }

    /// The class of a value: whether it is positive.
    ///
    /// # Errors
    /// The value is not one that the column may hold, or no number where the rule needs one.
    pub fn class_of(&self, value: &str) -> Result<bool, Error> {
        let number = value.trim().parse::<f64>().ok();
        if let Some([least, most]) = self.whole {
            let is_allowed =
                |number: &f64| number.fract() == 0.0 && *number >= least as f64 && *number <= most as f64;
            if number.filter(is_allowed).is_none() {
                let problem =
                    format!("{value:?} in {:?} is not a whole number from {least} to {most}", self.column);
                return Err(
                    Error::new(ErrorKind::UnknownValue, problem).advise("correct it or leave the row out")
                );
            }
        }
        if self.positive.needs_number() && number.is_none() {
            let problem = format!(
                "{value:?} in {:?} is not a number, so {} cannot be asked",
                self.column, self.positive
            );
            return Err(Error::new(ErrorKind::UnknownValue, problem)
                .advise("name the positive class, or give a set of codes such as {a,b}"));
        }
        Ok(self.positive.is_positive(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_survives_being_written() {
        let json = r#"{"min_firings":10,"columns":{"AGE":"bins:whole:20,40","PAID":"amount"},
            "targets":{"4+":{"column":"score","positive":">=4","whole":[0,10]}}}"#;
        let schema: Schema = serde_json::from_str(json).expect("a schema");
        assert_eq!(schema.columns["PAID"], ColumnSchema::Role(Role::Amount));
        let written = serde_json::to_string(&schema).expect("written");
        assert_eq!(serde_json::from_str::<Schema>(&written).expect("read again"), schema);
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        let refused = |json: &str| serde_json::from_str::<Schema>(json).expect_err(json).to_string();
        assert!(refused(r#"{"colums":{}}"#).contains("unknown field `colums`"));
        assert!(refused(r#"{"columns":{"a":"nominal"}}"#).contains("\"nominal\" is not a kind of column"));
    }

    #[test]
    fn values_outside_of_a_scale_are_refused() {
        let four = TargetSchema {
            column: "score".into(),
            positive: ">=4".parse().expect("a rule"),
            whole: Some([0, 10]),
        };
        assert_eq!(four.class_of("4"), Ok(true));
        assert_eq!(four.class_of("3"), Ok(false));
        for value in ["11", "-1", "3.5", "high", ""] {
            assert_eq!(four.class_of(value).expect_err(value).kind(), ErrorKind::UnknownValue);
        }
    }
}
