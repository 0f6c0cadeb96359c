//! Whoever takes part in a line-up: a learner that is built in, or a command from outside.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tribunal_learn::{Dataset, ErrorKind, LEARNERS, Learner};

use crate::any_model::AnyModel;
use crate::error::Error;
use crate::outside::{FORM, NAME, OutsideLearner};
use crate::tuning::{TuneOptions, TuningCurve, tune};

/// A learner of whatever origin, written as `tan:25` or `outside:python3 my_learner.py`.
///
/// ```
/// use tribunal::Entrant;
///
/// let own: Entrant = "nb:5".parse()?;
/// let other: Entrant = "outside:python3 my_learner.py".parse()?;
/// assert_eq!((own.to_string(), other.to_string()), ("nb:5".into(), "outside:python3 my_learner.py".into()));
/// assert!(matches!(other, Entrant::Outside(_)));
/// # Ok::<(), tribunal::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Entrant {
    /// A learner of this project.
    BuiltIn(Learner),
    /// A command.
    Outside(OutsideLearner),
}

impl Entrant {
    /// Learns from rows of a data set; settings that are left open are tuned on them first.
    ///
    /// # Errors
    /// There is no target or no row, a column that the learner can make nothing of, or a command that fails.
    pub fn fit(&self, dataset: &Dataset, rows: &[u32], seed: u64) -> Result<AnyModel, Error> {
        let tuning = TuneOptions { seed, ..TuneOptions::default() };
        self.tune_and_fit(dataset, rows, seed, &tuning).map(|(model, _)| model)
    }

    /// The same for a model that scores rows and is gone.
    ///
    /// # Errors
    /// As [`fit`](Entrant::fit).
    pub fn fit_to_score(&self, dataset: &Dataset, rows: &[u32], seed: u64) -> Result<AnyModel, Error> {
        let Self::BuiltIn(learner) = self else { return self.fit(dataset, rows, seed) };
        let tuned = tune(learner, dataset, rows, &TuneOptions { seed, ..TuneOptions::default() })?;
        Ok(AnyModel::Learned(Box::new(tuned.learner.fit_to_score(dataset, rows, seed)?)))
    }

    /// The same with a say in how settings are chosen; also gives what was tried.
    ///
    /// # Errors
    /// As [`fit`](Entrant::fit), and where nothing can be chosen.
    pub fn tune_and_fit(
        &self,
        dataset: &Dataset,
        rows: &[u32],
        seed: u64,
        tuning: &TuneOptions,
    ) -> Result<(AnyModel, Option<TuningCurve>), Error> {
        match self {
            Self::BuiltIn(learner) => {
                let tuned = tune(learner, dataset, rows, tuning)?;
                Ok((AnyModel::Learned(Box::new(tuned.learner.fit(dataset, rows, seed)?)), tuned.curve))
            }
            Self::Outside(learner) => Ok((AnyModel::Outside(learner.fit(dataset, rows, seed)?), None)),
        }
    }

    /// The family in a word.
    pub fn family_name(&self) -> &'static str {
        match self {
            Self::BuiltIn(learner) => learner.family().name(),
            Self::Outside(_) => NAME,
        }
    }
}

impl FromStr for Entrant {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let name = text.trim().split(['[', ':', '+']).next().unwrap_or_default().trim();
        if name == NAME {
            return text.parse().map(Self::Outside);
        }
        text.parse().map(Self::BuiltIn).map_err(|error: tribunal_learn::Error| {
            let is_unknown = !LEARNERS.iter().any(|form| form.name.eq_ignore_ascii_case(name));
            if is_unknown && error.kind() == ErrorKind::BadText { unknown(name) } else { error.into() }
        })
    }
}

/// Lists whoever may take part.
fn unknown(name: &str) -> Error {
    let known = || LEARNERS.iter().map(|form| form.name).chain([NAME]);
    let near = tribunal_io::nearest(name, known());
    let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
    let listed: Vec<&str> = LEARNERS.iter().map(|form| form.name).collect();
    let listed = listed.join(", ");
    Error::usage(format!(
        "there is no learner \"{name}\"{near} (there are: {listed}, and commands as {FORM})"
    ))
}

impl fmt::Display for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn(learner) => learner.fmt(f),
            Self::Outside(learner) => learner.fmt(f),
        }
    }
}

impl TryFrom<String> for Entrant {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

impl From<Entrant> for String {
    fn from(entrant: Entrant) -> String {
        entrant.to_string()
    }
}

impl From<Learner> for Entrant {
    fn from(learner: Learner) -> Self {
        Self::BuiltIn(learner)
    }
}

impl From<OutsideLearner> for Entrant {
    fn from(learner: OutsideLearner) -> Self {
        Self::Outside(learner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_and_serve_as_their_stored_form() {
        for text in ["nb:5", "tan:25+platt", "outside:sh a.sh", "outside[timeout=3]:sh 'a b.sh' +platt"] {
            let entrant: Entrant = text.parse().expect(text);
            assert_eq!(entrant.to_string(), text);
            let stored = serde_json::to_string(&entrant).expect("stored");
            assert_eq!(serde_json::from_str::<Entrant>(&stored).expect("read"), entrant);
        }
    }

    #[test]
    fn unknown_names_list_both_kinds() {
        let check = |text: &str, says: &[&str]| {
            let error = text.parse::<Entrant>().expect_err(text).to_string();
            says.iter().for_each(|words| assert!(error.contains(words), "{error}"));
        };
        check("majorty", &["there is no learner \"majorty\"; did you mean majority?", "outside[timeout"]);
        check("outsde:python3 x", &["did you mean outside?", "nb, "]);
        check("xyz:3", &["there is no learner \"xyz\" (there are: majority, "]);
        check("nb:many", &["many"]);
        check("nb+plat", &["plat"]);
        check("outside:", &["the command is empty"]);
    }
}
