//! The keys of a study file as they are written, with the places of their values.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;
use tribunal_learn::{ColumnSchema, TargetSchema};

use crate::toml_words::{Word, Words};

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
    pub(super) cost_methods: Option<Words>,
    pub(super) capacity: Option<Word>,
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
