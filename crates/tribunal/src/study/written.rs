//! The keys of a study file as they are written, with the places of their values.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer};
use toml::Spanned;
use tribunal_learn::{ColumnSchema, TargetSchema};

use crate::toml_words::{Word, Words};

/// A number or a formula with its place.
pub(super) type Value = Spanned<NumberOrText>;

/// A number or a text, as a text.
pub(super) struct NumberOrText(pub(super) String);

/// The keys.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    pub(super) title: Option<String>,
    pub(super) data: Option<Words>,
    pub(super) schema: Option<Word>,
    #[serde(default)]
    pub(super) missing: Vec<String>,
    pub(super) min_firings: Option<usize>,
    pub(super) target: Option<Words>,
    pub(super) predictors: Option<Words>,
    pub(super) learners: Option<Words>,
    pub(super) protocol: Option<Word>,
    pub(super) design: Option<Word>,
    pub(super) designs: Option<Words>,
    pub(super) group: Option<String>,
    pub(super) weight: Option<String>,
    pub(super) id: Option<Words>,
    pub(super) metrics: Option<Words>,
    pub(super) costs: Option<Word>,
    pub(super) cost_fp: Option<Value>,
    pub(super) cost_fn: Option<Value>,
    pub(super) cost_action: Option<Value>,
    pub(super) benefit_tp: Option<Value>,
    pub(super) benefit_tn: Option<Value>,
    pub(super) cost_methods: Option<Words>,
    pub(super) capacity: Option<Value>,
    pub(super) rule: Option<Word>,
    pub(super) amount: Option<String>,
    pub(super) amount_learner: Option<Word>,
    pub(super) decide_by: Option<Word>,
    pub(super) prefer: Option<Words>,
    pub(super) level: Option<Spanned<f64>>,
    pub(super) seed: Option<u64>,
    #[serde(default)]
    pub(super) columns: BTreeMap<String, ColumnSchema>,
    #[serde(default)]
    pub(super) sets: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub(super) targets: BTreeMap<String, TargetSchema>,
}

impl<'de> Deserialize<'de> for NumberOrText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = NumberOrText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or a text")
    }

    fn visit_str<E>(self, text: &str) -> Result<NumberOrText, E> {
        Ok(NumberOrText(text.to_owned()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<NumberOrText, E> {
        Ok(NumberOrText(number.to_string()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<NumberOrText, E> {
        Ok(NumberOrText(number.to_string()))
    }
}
