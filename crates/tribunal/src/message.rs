//! Sentences for people, with advice as values: a library says which setting to change, a front end how that is done.
//!
//! A [`Message`] is made of texts, of [`Setting`]s and of [`Verb`]s. A [`Phrasing`] turns the latter two into words: the
//! command says `--positive yes`, another front end names its own fields. [`Neutral`] stands for no front end.
//!
//! ```
//! use tribunal::message::{Message, Phrasing, Setting, Verb};
//!
//! let message = Message::from("no score column is named; add ").set(Setting::Score, "COLUMN");
//! assert_eq!(message.to_string(), "no score column is named; add `score = COLUMN`");
//!
//! struct Form;
//! impl Phrasing for Form {
//!     fn setting(&self, setting: Setting, _value: Option<&str>) -> String {
//!         format!("the field \"{}\"", setting.name())
//!     }
//!     fn verb(&self, verb: Verb) -> String {
//!         format!("the page \"{}\"", verb.name())
//!     }
//! }
//! assert_eq!(message.said_by(&Form), "no score column is named; add the field \"score\"");
//! ```

use std::fmt;

use serde::{Deserialize, Serialize};

/// Declares an enum of names.
macro_rules! names {
    ($(#[$about:meta])* $type:ident { $($(#[$doc:meta])+ $variant:ident = $name:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "&'static str")]
        #[non_exhaustive]
        pub enum $type {
            $($(#[$doc])+ $variant,)+
        }

        impl $type {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// Its name, the same for every front end.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }

        impl From<$type> for &'static str {
            fn from(named: $type) -> Self {
                named.name()
            }
        }

        impl TryFrom<String> for $type {
            type Error = String;

            fn try_from(name: String) -> Result<Self, String> {
                let known = Self::ALL.iter().find(|known| known.name() == name).copied();
                known.ok_or_else(|| format!("there is no {} \"{name}\"", stringify!($type).to_lowercase()))
            }
        }
    };
}

names! {
    /// What a user can set or ask for.
    Setting {
        /// The columns to learn from.
        Predictors = "predictors",
        /// The label or rule that is positive.
        Positive = "positive",
        /// Every label but the positive one is negative.
        RestIsNegative = "rest_is_negative",
        /// The column of the truth.
        Truth = "truth",
        /// A column of scores.
        Score = "score",
        /// The column that names models, in long form.
        Model = "model",
        /// The columns that name a case.
        Id = "id",
        /// The column of amounts.
        Amount = "amount",
        /// Whose amounts count.
        AmountOf = "amount_of",
        /// Another base rate.
        BaseRate = "base_rate",
        /// Into how many bins a list is cut.
        Bins = "bins",
        /// The edges of bands of scores.
        Bands = "bands",
        /// The parts of a list that somebody may have acted on alone.
        StressSelection = "stress_selection",
        /// The column of predicted amounts.
        PredictedAmount = "predicted_amount",
        /// How many cases can be acted on.
        Capacity = "capacity",
        /// What acting on a positive brings in.
        BenefitHit = "benefit_tp",
        /// A rule that decides case by case.
        Rule = "rule",
        /// The columns that make segments.
        By = "by",
        /// The rule of a cut-off.
        Cutoff = "cutoff",
        /// What a false positive costs.
        CostFp = "cost_fp",
        /// What a false negative costs.
        CostFn = "cost_fn",
        /// How many bootstrap replicates are drawn.
        Replicates = "replicates",
        /// The model that others are compared with.
        Compare = "compare",
        /// What is to be predicted.
        Target = "target",
        /// The table of the population that a learner is chosen for.
        Deploy = "deploy",
        /// Who learns.
        Learner = "learner",
        /// The kind of a column.
        Kind = "kind",
        /// A text that means a missing value.
        MissingText = "missing",
        /// What is done about columns that a table lacks.
        MissingColumns = "missing_columns",
        /// Values that a model never met are refused.
        Strict = "strict",
        /// Commands that a file names may be run.
        RunCommand = "run_command",
        /// The folder of a run.
        RunFolder = "run_folder",
        /// The name of a column of scores that is written.
        ScoreName = "score_name",
        /// The column that is looked at.
        Column = "column",
        /// The class that is looked at.
        Class = "class",
        /// The name of what is added.
        Name = "name",
        /// Rows by their numbers.
        Rows = "rows",
        /// The columns that are kept.
        Keep = "keep",
        /// The form of a report.
        Format = "format",
        /// The folder that files are written to.
        Folder = "folder",
        /// Simulations of bias by which methods are audited.
        Audit = "audit",
        /// How many rows to name whose labels would help most.
        Ask = "ask",
        /// The table of the period that others are compared with.
        Reference = "reference",
        /// The column that says which cases were acted on.
        Actioned = "actioned",
        /// The label of that column that says so.
        ActionedValue = "actioned_value",
        /// The column of dates that make periods.
        Date = "date",
        /// The columns that make strata.
        Strata = "strata",
        /// How many clusters make strata.
        Clusters = "clusters",
        /// What is done about strata without actioned cases.
        EmptyStrata = "empty_strata",
        /// What can be set.
        Help = "help",
    }
}

names! {
    /// What a front end can be asked to do.
    Verb {
        /// Fit a learner.
        Fit = "fit",
        /// Cross-validate learners.
        Cross = "cross",
        /// Write a first study file.
        Init = "init",
        /// Run a study.
        Study = "study",
        /// Choose a learner for a population without labels.
        Select = "select",
        /// List the metrics.
        Metrics = "metrics",
        /// List the learners.
        Learners = "learners",
    }
}

/// How a front end names settings and verbs.
pub trait Phrasing {
    /// A setting, and what it should be where that is known.
    fn setting(&self, setting: Setting, value: Option<&str>) -> String;

    /// A verb.
    fn verb(&self, verb: Verb) -> String;
}

/// The phrasing of no front end: `` `positive = yes` ``.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Neutral;

impl Phrasing for Neutral {
    fn setting(&self, setting: Setting, value: Option<&str>) -> String {
        match value {
            Some(value) => format!("`{} = {value}`", setting.name()),
            None => format!("`{}`", setting.name()),
        }
    }

    fn verb(&self, verb: Verb) -> String {
        verb.name().to_owned()
    }
}

/// A piece of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Part {
    /// Words.
    Text(String),
    /// A setting to look at or to change.
    Setting {
        /// Which.
        setting: Setting,
        /// What it should be, or an example.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<String>,
    },
    /// Something to do.
    Verb(Verb),
}

/// A sentence for people. Its `Display` is neutral. In JSON it is that sentence where it is nothing but words; where it names
/// settings or verbs, its parts stand beside the sentence, so that every front end can say it again in its own way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "WrittenMessage", into = "WrittenMessage")]
pub struct Message {
    parts: Vec<Part>,
}

/// A message in JSON.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum WrittenMessage {
    Words(String),
    WithAdvice { sentence: String, parts: Vec<Part> },
}

impl From<Message> for WrittenMessage {
    fn from(message: Message) -> Self {
        let sentence = message.to_string();
        match message.parts.iter().all(|part| matches!(part, Part::Text(_))) {
            true => Self::Words(sentence),
            false => Self::WithAdvice { sentence, parts: message.parts },
        }
    }
}

impl From<WrittenMessage> for Message {
    fn from(written: WrittenMessage) -> Self {
        match written {
            WrittenMessage::Words(sentence) => sentence.into(),
            WrittenMessage::WithAdvice { parts, .. } => Self { parts },
        }
    }
}

impl Message {
    /// Its pieces, in order.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Adds words.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        let text = text.into();
        match self.parts.last_mut() {
            Some(Part::Text(last)) => last.push_str(&text),
            _ if text.is_empty() => {}
            _ => self.parts.push(Part::Text(text)),
        }
        self
    }

    /// Names a setting.
    #[must_use]
    pub fn setting(mut self, setting: Setting) -> Self {
        self.parts.push(Part::Setting { setting, value: None });
        self
    }

    /// Names a setting and what it should be.
    #[must_use]
    pub fn set(mut self, setting: Setting, value: impl Into<String>) -> Self {
        self.parts.push(Part::Setting { setting, value: Some(value.into()) });
        self
    }

    /// Names something to do.
    #[must_use]
    pub fn verb(mut self, verb: Verb) -> Self {
        self.parts.push(Part::Verb(verb));
        self
    }

    /// Adds another message.
    #[must_use]
    pub fn then(self, other: impl Into<Message>) -> Self {
        other.into().parts.into_iter().fold(self, |mut message, part| match part {
            Part::Text(text) => message.text(text),
            part => {
                message.parts.push(part);
                message
            }
        })
    }

    /// The sentence as a front end says it.
    pub fn said_by(&self, phrasing: &(impl Phrasing + ?Sized)) -> String {
        let said = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Setting { setting, value } => phrasing.setting(*setting, value.as_deref()),
            Part::Verb(verb) => phrasing.verb(*verb),
        };
        self.parts.iter().map(said).collect()
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Self::default().text(text)
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said_by(&Neutral))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Message {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Message".into()
    }

    fn json_schema(_generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A sentence for people, with its parts where it names settings or verbs.",
            "anyOf": [
                { "type": "string" },
                {
                    "type": "object",
                    "required": ["sentence", "parts"],
                    "properties": { "sentence": { "type": "string" }, "parts": { "type": "array" } }
                }
            ]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Shout;

    impl Phrasing for Shout {
        fn setting(&self, setting: Setting, value: Option<&str>) -> String {
            format!("{}({})", setting.name().to_uppercase(), value.unwrap_or_default())
        }

        fn verb(&self, verb: Verb) -> String {
            verb.name().to_uppercase()
        }
    }

    #[test]
    fn a_front_end_says_settings_and_verbs_in_its_own_way() {
        let message =
            Message::from("say ").set(Setting::Positive, "yes").text(" or ").setting(Setting::Truth);
        let message = message.text("; see ").verb(Verb::Metrics);
        assert_eq!(message.to_string(), "say `positive = yes` or `truth`; see metrics");
        assert_eq!(message.said_by(&Shout), "say POSITIVE(yes) or TRUTH(); see METRICS");
    }

    #[test]
    fn messages_are_joined_part_by_part() {
        let advice = Message::from("add ").setting(Setting::Id).text(".");
        let joined = Message::from("a.csv: ").then(advice).then(" Then try again");
        assert_eq!(joined, Message::from("a.csv: add ").setting(Setting::Id).text(". Then try again"));
        assert_eq!(Message::from("").then("").parts(), []);
    }

    #[test]
    fn messages_are_read_back_with_their_advice() {
        let check = |message: Message, json: &str| {
            assert_eq!(serde_json::to_string(&message).expect("JSON"), json);
            assert_eq!(serde_json::from_str::<Message>(json).expect("a message"), message);
        };
        check("nothing to do".into(), "\"nothing to do\"");
        check(
            Message::from("add ").set(Setting::Id, "case").text("; see ").verb(Verb::Metrics),
            r#"{"sentence":"add `id = case`; see metrics","parts":[{"text":"add "},{"setting":{"setting":"id","value":"case"}},{"text":"; see "},{"verb":"metrics"}]}"#,
        );
        assert!(serde_json::from_str::<Message>(r#"{"sentence":"","parts":[{"verb":"dance"}]}"#).is_err());
    }

    #[test]
    fn names_are_all_different() {
        let mut names: Vec<&str> = Setting::ALL.iter().map(|setting| setting.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Setting::ALL.len());
    }
}
