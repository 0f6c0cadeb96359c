//! The description of a job that a command finds beside its files.

use std::path::Path;

use serde::Serialize;
use tribunal_learn::{Input, Kind};

/// The version of its form.
const SCHEMA: &str = "tribunal.outside/1";

/// A job, as the command reads it.
#[derive(Debug, Serialize)]
pub(super) struct Job<'a> {
    schema: &'static str,
    pub(super) step: &'static str,
    pub(super) seed: u32,
    /// The column of the classes in the training table.
    pub(super) target: &'a str,
    /// Of two the second is the positive one.
    pub(super) classes: &'a [String],
    /// The column of weights in the training table.
    pub(super) weight: Option<&'a str>,
    columns: Vec<JobColumn<'a>>,
    pub(super) n_rows: usize,
    pub(super) format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) train: Option<&'a Path>,
    pub(super) model: &'a Path,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rows: Option<&'a Path>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scores: Option<&'a Path>,
}

#[derive(Debug, Serialize)]
struct JobColumn<'a> {
    name: &'a str,
    kind: &'static str,
    levels: &'a [String],
}

impl<'a> Job<'a> {
    /// A job with a model of these columns and classes.
    pub(super) fn new(
        step: &'static str,
        inputs: &'a [Input],
        classes: &'a [String],
        model: &'a Path,
    ) -> Self {
        Job {
            schema: SCHEMA,
            step,
            seed: 0,
            target: "",
            classes,
            weight: None,
            columns: inputs.iter().map(JobColumn::of).collect(),
            n_rows: 0,
            format: "",
            train: None,
            model,
            rows: None,
            scores: None,
        }
    }
}

impl<'a> JobColumn<'a> {
    fn of(input: &'a Input) -> Self {
        let kind = match &input.kind {
            // How numbers are cut is the learner's affair.
            Kind::Binned(_) => Kind::Numeric.name(),
            kind => kind.name(),
        };
        JobColumn { name: &input.name, kind, levels: input.kind.levels() }
    }
}

/// A name that no column has: the name itself, or with underscores.
pub(super) fn free_name(name: &str, inputs: &[Input], others: &[&str]) -> String {
    let is_taken = |name: &str| inputs.iter().any(|input| input.name == name) || others.contains(&name);
    let mut name = name.to_owned();
    while is_taken(&name) {
        name.push('_');
    }
    name
}
