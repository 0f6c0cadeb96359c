//! What a study is asked: scenarios, learners, design, metrics, and how to choose among equals.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tribunal_eval::intervals::Level;
use tribunal_eval::metrics::Measure;
use tribunal_learn::{AmountLearner, CostMethod};

use crate::data::DataRequest;
use crate::decision::DecisionRequest;
use crate::error::Error;
use crate::line_up::Entrant;
use crate::resampling::{Cv, Design};

/// A study: every learner in every scenario on the same rows. Scenarios are the targets of the data, each with each set of
/// predictors.
#[derive(Clone, Debug)]
pub struct StudyRequest {
    /// What it is called.
    pub title: String,
    /// The table and its targets, which are encodings of the same rows. Its predictors are not looked at.
    pub data: DataRequest,
    /// Sets of predictors: `all`, `flags`, or sets that the schema names.
    pub predictors: Vec<String>,
    /// Who takes part.
    pub entrants: Vec<Entrant>,
    /// On which scale learners of numbers see them.
    pub protocol: Protocol,
    /// How rows are divided.
    pub design: Design,
    /// Further designs whose figures stand beside those of the first.
    pub others: Vec<Design>,
    /// The column of groups that no split may tear apart.
    pub group: Option<String>,
    /// What is tabulated.
    pub metrics: Vec<Measure>,
    /// How every learner that minds no costs is made to, beside itself as it is.
    pub cost_methods: Vec<CostMethod>,
    /// How many cases can be acted on, what that brings in, and what the verdict goes by: the questions of an evaluation, asked of
    /// held-out scores. Learners that are to mind costs mind those that are stated here.
    pub decision: DecisionRequest,
    /// The column of what a positive case is worth. It is not learned from unless its kind is declared, nor are the columns of
    /// formulas.
    pub amount: Option<String>,
    /// Who predicts amounts, on the training rows of each split, where a rule needs them.
    pub amount_learner: AmountLearner,
    /// What decides among learners that cannot be told apart, in this order.
    pub prefer: Vec<Preference>,
    /// The level of tests and intervals.
    pub level: Level,
    /// The seed of the plans and of whatever learners draw.
    pub seed: u64,
}

impl StudyRequest {
    /// Some learners on all predictors by ten stratified folds, judged by PCC and AUROC, the latter deciding unless somebody asks what acting
    /// on the list brings in. The data are still to be named.
    pub fn new(title: &str, entrants: Vec<Entrant>) -> StudyRequest {
        StudyRequest {
            title: title.to_owned(),
            data: DataRequest::default(),
            predictors: vec!["all".to_owned()],
            entrants,
            protocol: Protocol::default(),
            design: Design::Cv(Cv { n_folds: 10, n_repetitions: None, plain: false }),
            others: Vec::new(),
            group: None,
            metrics: vec![Measure::PCC, Measure::AUROC],
            cost_methods: Vec::new(),
            decision: DecisionRequest::default(),
            amount: None,
            amount_learner: AmountLearner::default(),
            prefer: Preference::ALL.to_vec(),
            level: Level::P95,
            seed: 1,
        }
    }
}

/// On which scale learners of numbers see them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// The scale is learned inside each training part.
    #[default]
    Strict,
    /// The scale is that of all rows, as in Viaene et al. (2002).
    Paper,
}

/// What to look at among learners that cannot be told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Preference {
    /// The form of model with fewer parts to understand.
    Simple,
    /// The one that trains faster.
    Fast,
    /// One that says why a case gets its score.
    Explained,
    /// The better figure.
    Best,
}

impl Preference {
    /// Every preference, in the order in which they decide unless somebody orders them otherwise.
    pub const ALL: [Self; 4] = [Self::Simple, Self::Fast, Self::Explained, Self::Best];
}

impl Protocol {
    /// Every protocol.
    pub const ALL: [Self; 2] = [Self::Strict, Self::Paper];
}

impl fmt::Display for Preference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Simple => "simple",
            Self::Fast => "fast",
            Self::Explained => "explained",
            Self::Best => "best",
        })
    }
}

impl FromStr for Preference {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        one_of(text, &Self::ALL, "preference")
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Strict => "strict",
            Self::Paper => "paper",
        })
    }
}

impl FromStr for Protocol {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        one_of(text, &Self::ALL, "protocol")
    }
}

/// The one of several that a word means.
fn one_of<T: Copy + fmt::Display>(text: &str, all: &[T], what: &str) -> Result<T, Error> {
    all.iter().copied().find(|one| one.to_string() == text.trim()).ok_or_else(|| {
        let known: Vec<String> = all.iter().map(T::to_string).collect();
        let near = tribunal_io::nearest(text, known.iter().map(String::as_str));
        let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
        Error::usage(format!("there is no {what} \"{text}\"{near} (there are: {})", known.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back_and_others_are_refused() {
        for preference in Preference::ALL {
            assert_eq!(preference.to_string().parse::<Preference>().expect("a word"), preference);
        }
        for protocol in Protocol::ALL {
            assert_eq!(protocol.to_string().parse::<Protocol>().expect("a word"), protocol);
        }
        let error = "simpel".parse::<Preference>().expect_err("no word").to_string();
        assert!(error.contains("did you mean simple?"), "{error}");
    }
}
