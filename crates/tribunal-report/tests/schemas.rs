//! The JSON schemas of all results, as they stand in `schemas/`: a form that changes needs a new version.
//!
//! The name of a file holds the version, so a new version is a new file, and old ones stay for whoever reads old results.
//! `TRIBUNAL_WRITE_SCHEMAS=1 cargo test --workspace --test schemas` writes files that are not there yet and descriptions that
//! were reworded; a form that changed under the same version it never writes.

use std::fs;
use std::path::PathBuf;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;
use tribunal::correction::Correction;
use tribunal::monitoring::Monitoring;
use tribunal::resampling::PlanSummary;
use tribunal::selection::Selection;
use tribunal::{
    AmountExplanation, AmountFitSummary, AmountSummary, BiasSummary, CrossSummary, Description, Evaluation,
    Explanation, FitSummary, Form, ScoreSummary, StoredResult, Study, StudyTimes,
};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../schemas")
}

/// The schema of what is written, with the name of the form for its title.
fn generated<T: Form + JsonSchema>() -> Value {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<T>();
    schema.insert("title".to_owned(), T::SCHEMA.into());
    schema.into()
}

/// A schema without its descriptions: what a program relies on.
fn form(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => fields
            .iter()
            .filter(|(name, value)| !(*name == "description" && value.is_string()))
            .map(|(name, value)| (name.clone(), form(value)))
            .collect(),
        Value::Array(items) => items.iter().map(form).collect(),
        other => other.clone(),
    }
}

/// Compares a form with its file; the error says what is wrong.
fn check<T: Form + JsonSchema>() -> Result<&'static str, String> {
    let path = folder().join(format!("{}.schema.json", T::SCHEMA.replace('/', "-")));
    let schema = generated::<T>();
    let text = serde_json::to_string_pretty(&schema).expect("JSON") + "\n";
    let writes = std::env::var_os("TRIBUNAL_WRITE_SCHEMAS").is_some();
    let stored = match fs::read_to_string(&path) {
        Ok(stored) => stored,
        Err(_) if writes => {
            fs::write(&path, text).expect("a file");
            return Ok(T::SCHEMA);
        }
        Err(error) => {
            return Err(format!("{}: {error}; write it with TRIBUNAL_WRITE_SCHEMAS=1", path.display()));
        }
    };
    let known: Value = serde_json::from_str(&stored).expect("a stored schema is JSON");
    let (old, new) = (form(&known), form(&schema));
    if old != new {
        return Err(format!(
            "the form {} has changed and its version has not: raise it where `Form` is implemented, then write the new \
             schema with TRIBUNAL_WRITE_SCHEMAS=1\n{}",
            T::SCHEMA,
            first_difference(&old, &new, "").unwrap_or_default()
        ));
    }
    if stored != text && !writes {
        let form = T::SCHEMA;
        return Err(format!(
            "descriptions of {form} were reworded: write them with TRIBUNAL_WRITE_SCHEMAS=1"
        ));
    }
    if stored != text {
        fs::write(&path, text).expect("a file");
    }
    Ok(T::SCHEMA)
}

/// Where two schemas begin to differ.
fn first_difference(old: &Value, new: &Value, place: &str) -> Option<String> {
    match (old, new) {
        (Value::Object(a), Value::Object(b)) => {
            let of = |name: &String| {
                let (old, new) = (a.get(name).unwrap_or(&Value::Null), b.get(name).unwrap_or(&Value::Null));
                first_difference(old, new, &format!("{place}/{name}"))
            };
            a.keys().chain(b.keys()).find_map(of)
        }
        (old, new) if old == new => None,
        (old, new) => Some(format!("{place}: {old} is now {new}")),
    }
}

#[test]
fn forms_change_with_their_versions_only() {
    let found = [
        check::<Evaluation>(),
        check::<Study>(),
        check::<StudyTimes>(),
        check::<Description>(),
        check::<CrossSummary>(),
        check::<FitSummary>(),
        check::<AmountFitSummary>(),
        check::<ScoreSummary>(),
        check::<AmountSummary>(),
        check::<Explanation>(),
        check::<AmountExplanation>(),
        check::<PlanSummary>(),
        check::<BiasSummary>(),
        check::<Selection>(),
        check::<Monitoring>(),
        check::<Correction>(),
    ];
    let wrong: Vec<&String> = found.iter().filter_map(|found| found.as_ref().err()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let checked: Vec<&str> = found.iter().flatten().copied().collect();
    let readable: Vec<&str> = StoredResult::forms().collect();
    assert_eq!(checked, readable, "a form that can be read has no schema");
}

#[test]
fn a_changed_form_is_told_from_a_reworded_one() {
    let schema = generated::<StudyTimes>();
    let text = serde_json::to_string(&schema).expect("JSON");
    let edited = |from: &str, to: &str| serde_json::from_str::<Value>(&text.replace(from, to)).expect("JSON");
    let reworded = edited("How many threads", "So many threads");
    assert!(reworded != schema && form(&reworded) == form(&schema));
    let renamed = edited("\"threads\"", "\"n_threads\"");
    assert!(first_difference(&form(&schema), &form(&renamed), "").is_some());
}
