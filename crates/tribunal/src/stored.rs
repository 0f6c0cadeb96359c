//! Results that were written as JSON, read again.
//!
//! A file says itself what it holds: `schema` is looked at first, and the rest is read as that form. Whatever is wrong is
//! told with its line and column; nesting and sizes are bounded by the reader of JSON and by the file.

use std::io::Read;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use tribunal_io::Source;

use crate::error::Error;
use crate::form::{Form, MODEL_SCHEMA, other_form, parts};
use crate::results::Evaluation;
#[cfg(feature = "learners")]
use crate::{
    AmountExplanation, AmountFitSummary, AmountSummary, BiasSummary, CrossSummary, Description, Explanation,
    FitSummary, ScoreSummary, Study, StudyTimes, correction::Correction, monitoring::Monitoring,
    resampling::PlanSummary, selection::Selection,
};

/// A result of any kind.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum StoredResult {
    /// Of `tribunal evaluate`.
    Evaluation(Box<Evaluation>),
    /// Of `tribunal study`.
    #[cfg(feature = "learners")]
    Study(Box<Study>),
    /// How long the learners of a study took.
    #[cfg(feature = "learners")]
    StudyTimes(StudyTimes),
    /// Of `tribunal describe`.
    #[cfg(feature = "learners")]
    Description(Description),
    /// Of `tribunal cross`.
    #[cfg(feature = "learners")]
    Cross(CrossSummary),
    /// Of `tribunal fit`.
    #[cfg(feature = "learners")]
    Fit(Box<FitSummary>),
    /// Of `tribunal fit` of amounts.
    #[cfg(feature = "learners")]
    AmountFit(AmountFitSummary),
    /// Of `tribunal score`.
    #[cfg(feature = "learners")]
    Scores(ScoreSummary),
    /// Of `tribunal score` of amounts.
    #[cfg(feature = "learners")]
    Amounts(AmountSummary),
    /// Of `tribunal explain`.
    #[cfg(feature = "learners")]
    Explanation(Box<Explanation>),
    /// Of `tribunal explain` of amounts.
    #[cfg(feature = "learners")]
    AmountExplanation(Box<AmountExplanation>),
    /// Of `tribunal split`.
    #[cfg(feature = "learners")]
    Split(PlanSummary),
    /// Of `tribunal bias`.
    #[cfg(feature = "learners")]
    Bias(BiasSummary),
    /// Of `tribunal select`.
    #[cfg(feature = "learners")]
    Selection(Box<Selection>),
    /// Of `tribunal monitor`.
    #[cfg(feature = "learners")]
    Monitoring(Box<Monitoring>),
    /// Of `tribunal correct`.
    #[cfg(feature = "learners")]
    Correction(Box<Correction>),
}

/// How the result of a form is read.
type Reader = fn(&str) -> Result<StoredResult, serde_json::Error>;

fn read<T: DeserializeOwned>(
    text: &str,
    wrap: fn(T) -> StoredResult,
) -> Result<StoredResult, serde_json::Error> {
    serde_json::from_str(text).map(wrap)
}

/// Every form that can be read.
const FORMS: &[&[(&str, Reader)]] = {
    use StoredResult as R;
    &[
        &[(Evaluation::SCHEMA, |text| read(text, |found| R::Evaluation(Box::new(found))))],
        #[cfg(feature = "learners")]
        &[
            (Study::SCHEMA, |text| read(text, |found| R::Study(Box::new(found)))),
            (StudyTimes::SCHEMA, |text| read(text, R::StudyTimes)),
            (Description::SCHEMA, |text| read(text, R::Description)),
            (CrossSummary::SCHEMA, |text| read(text, R::Cross)),
            (FitSummary::SCHEMA, |text| read(text, |found| R::Fit(Box::new(found)))),
            (AmountFitSummary::SCHEMA, |text| read(text, R::AmountFit)),
            (ScoreSummary::SCHEMA, |text| read(text, R::Scores)),
            (AmountSummary::SCHEMA, |text| read(text, R::Amounts)),
            (Explanation::SCHEMA, |text| read(text, |found| R::Explanation(Box::new(found)))),
            (AmountExplanation::SCHEMA, |text| read(text, |found| R::AmountExplanation(Box::new(found)))),
            (PlanSummary::SCHEMA, |text| read(text, R::Split)),
            (BiasSummary::SCHEMA, |text| read(text, R::Bias)),
            (Selection::SCHEMA, |text| read(text, |found| R::Selection(Box::new(found)))),
            (Monitoring::SCHEMA, |text| read(text, |found| R::Monitoring(Box::new(found)))),
            (Correction::SCHEMA, |text| read(text, |found| R::Correction(Box::new(found)))),
        ],
    ]
};

/// Every form that can be read, one after the other.
fn forms() -> impl Iterator<Item = &'static (&'static str, Reader)> {
    FORMS.iter().copied().flatten()
}

/// What every result begins with.
#[derive(Deserialize)]
struct Head {
    schema: Option<String>,
}

impl StoredResult {
    /// The name and version of every form that can be read.
    pub fn forms() -> impl Iterator<Item = &'static str> {
        forms().map(|(schema, _)| *schema)
    }

    /// Reads the JSON of a result, whichever it is.
    ///
    /// ```
    /// use tribunal::StoredResult;
    ///
    /// let times = r#"{"schema": "tribunal.study-times/1", "threads": 2, "learners": []}"#;
    /// assert!(matches!(StoredResult::from_json(times), Ok(StoredResult::StudyTimes(times)) if times.threads == 2));
    /// let error = StoredResult::from_json(r#"{"schema": "tribunal.study-times/7"}"#).expect_err("of another time");
    /// assert!(error.to_string().contains("newer Tribunal"));
    /// ```
    ///
    /// # Errors
    /// It is no JSON, not a result, one of another version, or not what its form says; the message says which, and where.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        // Some programs begin every text with a byte-order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let head: Head = serde_json::from_str(text).map_err(|error| match error.classify() {
            serde_json::error::Category::Data => {
                Error::data(format!("this is JSON, but no result of Tribunal ({error})"))
            }
            serde_json::error::Category::Eof => Error::data(format!(
                "the JSON ends too early ({error}); did the program that wrote it finish?"
            )),
            _ => Error::data(format!("this is no JSON ({error})")),
        })?;
        let Some(schema) = head.schema else {
            return Err(Error::data("this is JSON, but no result of Tribunal: it has no \"schema\""));
        };
        let Some((_, read)) = forms().find(|(known, _)| *known == schema) else {
            return Err(Error::data(unknown(&schema)));
        };
        read(text).map_err(|error| Error::data(format!("not what {schema} should be: {error}")))
    }
}

/// Says what a form is that cannot be read.
fn unknown(schema: &str) -> String {
    let same_name = |known: &&(&str, Reader)| {
        parts(known.0).zip(parts(schema)).is_some_and(|((known, _), (name, _))| known == name)
    };
    if let Some((known, _)) = forms().find(same_name) {
        return other_form(schema, known);
    }
    if parts(MODEL_SCHEMA).zip(parts(schema)).is_some_and(|((known, _), (name, _))| known == name) {
        return "this is a model; `tribunal explain` shows it".into();
    }
    let known: Vec<&str> = forms().filter_map(|(known, _)| Some(parts(known)?.0)).collect();
    let schema: String = schema.chars().take(100).collect();
    format!("the schema \"{schema}\" is no result that can be shown; there are {}", known.join(", "))
}

/// Reads a file of results; `-` is standard input.
///
/// # Errors
/// The file cannot be read, or see [`StoredResult::from_json`]; the message begins with the name.
pub fn read_results(name: &str) -> Result<StoredResult, Error> {
    let unreadable = |error: std::io::Error| Error::data(format!("{name}: cannot be read: {error}"));
    let mut bytes = Vec::new();
    if name == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes).map_err(unreadable)?;
    } else {
        let inside = std::path::Path::new(name).join("results.json");
        if inside.is_file() {
            let inside = inside.display();
            return Err(Error::usage(format!("{name} is the folder of a run: its results are in {inside}")));
        }
        // Finds out what there is to say of a file that is not there.
        Source::check(name)?;
        bytes = std::fs::read(name).map_err(unreadable)?;
    }
    let shown = if name == "-" { "standard input" } else { name };
    if bytes.is_empty() {
        let empty = "there is nothing in it; did the program that writes it finish?";
        return Err(Error::data(format!("{shown}: {empty}")));
    }
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        Error::data(format!("{shown}: this is no text (byte {}), so no JSON", error.valid_up_to() + 1))
    })?;
    StoredResult::from_json(text).map_err(|error| Error::data(format!("{shown}: {error}")))
}

#[cfg(all(test, feature = "learners"))]
mod tests {
    use super::*;

    fn refused(text: &str, expected: &str) {
        let error = StoredResult::from_json(text).expect_err("refused").to_string();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn whatever_is_wrong_is_said_with_its_place() {
        refused("", "ends too early");
        refused("{\"schema\": \"tribunal.evaluation/6\", \"data\": {", "ends too early");
        refused("score,label\n1,0\n", "no JSON");
        refused("[1, 2]", "no result of Tribunal");
        refused("{\"a\": 1}", "no \"schema\"");
        refused("{\"schema\": 7}", "no result of Tribunal");
        refused("{\"schema\": \"tribunal.evaluation/1\"}", "older Tribunal");
        refused("{\"schema\": \"tribunal.evaluation/99\"}", "newer Tribunal");
        refused("{\"schema\": \"tribunal.model/1\"}", "tribunal explain");
        refused("{\"schema\": \"else/1\"}", "tribunal.evaluation");
        refused("{\"schema\": \"tribunal.study-times/1\",\n \"threads\": \"two\"}", "line 2");
        refused("{\"schema\": \"tribunal.study-times/1\"}", "threads");
    }

    #[test]
    fn deep_nesting_is_passed_over_or_refused() {
        let (open, close) = ("[".repeat(100_000), "]".repeat(100_000));
        refused(&format!("{{\"schema\": \"tribunal.study-times/1\", \"x\": {open}"), "ends too early");
        let nested =
            format!("{{\"schema\": \"{}\", \"warnings\": [{{\"x\": {open}{close}}}]}}", Study::SCHEMA);
        refused(&nested, "recursion limit exceeded at line 1");
        let unknown = format!(
            "{{\"schema\": \"{}\", \"threads\": 2, \"learners\": [], \"x\": {open}{close}}}",
            StudyTimes::SCHEMA
        );
        assert!(matches!(StoredResult::from_json(&unknown), Ok(StoredResult::StudyTimes(_))));
    }

    #[test]
    fn every_form_has_a_name_and_a_version() {
        for (schema, _) in forms() {
            assert!(
                parts(schema).is_some_and(|(name, version)| name.starts_with("tribunal.") && version > 0)
            );
        }
    }
}
