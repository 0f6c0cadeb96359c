//! What should not be overlooked about periods: each warning is a code with its parameters, which makes its sentence.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::results::ChangeKind;
use crate::message::{Message, Setting};

/// Why findings about periods should not be taken as they stand. In JSON it has its sentence beside its code and its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(extend("properties" = { "sentence": { "type": "string" } })))]
#[serde(remote = "Self", tag = "code", rename_all = "snake_case")]
#[non_exhaustive]
pub enum MonitorWarning {
    /// Both periods are the same bytes.
    SameTables,
    /// Every row was acted on, so drift and selection cannot be told apart.
    NoPopulation {
        /// The period.
        period: String,
    },
    /// Nothing is known of what was acted on.
    NothingActioned {
        /// The period.
        period: String,
    },
    /// No outcome is known.
    NoOutcomes {
        /// The period.
        period: String,
    },
    /// Few rows have a known outcome.
    FewOutcomes {
        /// The period.
        period: String,
        /// How many.
        outcomes: u64,
    },
    /// Of the actioned some have no outcome yet.
    PendingOutcomes {
        /// The period.
        period: String,
        /// How many.
        pending: u64,
        /// Of how many.
        actioned: u64,
    },
    /// Outcomes of rows that were not acted on were not used.
    UnusedOutcomes {
        /// The period.
        period: String,
        /// How many.
        outcomes: u64,
    },
    /// All known outcomes are alike.
    OneClass {
        /// The period.
        period: String,
        /// Whether they are positive.
        is_positive: bool,
    },
    /// There are fewer bands than were asked for.
    FewerBands {
        /// How many were asked for.
        asked: u64,
        /// How many there are.
        bands: u64,
    },
    /// Bands without actioned cases were taken together with a neighbour.
    JoinedBands {
        /// The period.
        period: String,
        /// The bands that resulted.
        bands: Vec<String>,
    },
    /// A test has too few cases for chi-square.
    RoughTest {
        /// The period.
        period: String,
        /// Of which change.
        change: ChangeKind,
    },
    /// A change vanishes among cases of nearly the same score.
    MovedInsideBands {
        /// The period.
        period: String,
        /// Which change.
        change: ChangeKind,
        /// How many narrow bands show nothing.
        finer_bands: u64,
        /// How many bands there are.
        bands: u64,
    },
    /// The odds ratio differs from band to band.
    UnequalOddsRatios {
        /// The period.
        period: String,
        /// Of which change.
        change: ChangeKind,
        /// The p value of equal odds ratios.
        p: f64,
    },
}

impl MonitorWarning {
    /// What is to be said, with advice as values.
    pub fn message(&self) -> Message {
        match self {
            Self::SameTables => "both periods are the same table, so nothing can differ".into(),
            Self::NoPopulation { period } => Message::from(format!(
                "every row of {period} was acted on: without the scores of the others, population drift and selection change cannot be \
                 told apart and are stated together; give the whole population, with "
            ))
            .setting(Setting::Actioned)
            .text(" or outcomes for those acted on"),
            Self::NothingActioned { period } => Message::from(format!(
                "nothing says which rows of {period} were acted on, so only population drift is stated; name a column that does: "
            ))
            .set(Setting::Actioned, "COLUMN"),
            Self::NoOutcomes { period } => format!(
                "no outcome of {period} is known: whether the model got worse cannot be seen; what is expected supposes that it did not"
            )
            .into(),
            Self::FewOutcomes { period, outcomes } => format!(
                "{period} has {outcomes} known outcomes: only large changes could show, and its intervals are rough"
            )
            .into(),
            Self::PendingOutcomes { period, pending, actioned } => format!(
                "{pending} of {actioned} actioned cases of {period} have no outcome yet; within a band they are taken to be like the others"
            )
            .into(),
            Self::UnusedOutcomes { period, outcomes } => format!(
                "{outcomes} outcomes of {period} belong to rows that were not acted on, and are not used"
            )
            .into(),
            Self::OneClass { period, is_positive } => {
                let class = if *is_positive { "positive" } else { "negative" };
                let hint = if *is_positive { "; are negatives left blank?" } else { "" };
                format!("every known outcome of {period} is {class}, so how well the score tells classes apart cannot be seen{hint}").into()
            }
            Self::FewerBands { asked, bands } => format!(
                "{asked} bands were asked for, and many rows have the same score, so that there are {bands}"
            )
            .into(),
            Self::JoinedBands { period, bands } => format!(
                "for {period} bands without a known outcome were taken together with their neighbours towards the middle: {}; figures of \
                 the whole population suppose that those not acted on there have the same rates",
                bands.join("; ")
            )
            .into(),
            Self::RoughTest { period, change } => format!(
                "{period}: the test of {} rests on few cases (Mantel and Fleiss's criterion is below 5), so its p value is rough",
                change.name()
            )
            .into(),
            Self::MovedInsideBands { period, change, finer_bands, bands } => Message::from(format!(
                "{period}: {} shows in {bands} bands and not in {finer_bands} narrow ones, so scores moved inside of the bands and it is not \
                 named; its contribution is that of coarse bands: try ",
                change.name()
            ))
            .set(Setting::Bands, (2 * bands).max(20).to_string()),
            Self::UnequalOddsRatios { period, change, p } => format!(
                "{period}: the odds ratio of {} differs between bands (Breslow-Day, {}), so look at the bands and not at one number",
                change.name(),
                crate::words::p_in_words(*p)
            )
            .into(),
        }
    }
}

impl Serialize for MonitorWarning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct WithSentence<'a> {
            #[serde(flatten, serialize_with = "MonitorWarning::serialize")]
            warning: &'a MonitorWarning,
            sentence: String,
        }
        WithSentence { warning: self, sentence: self.message().to_string() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for MonitorWarning {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        MonitorWarning::deserialize(deserializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_json_a_warning_has_its_code_its_parameters_and_its_sentence() {
        let warning = MonitorWarning::FewerBands { asked: 10, bands: 3 };
        let json = serde_json::to_value(&warning).expect("JSON");
        assert_eq!((&json["code"], &json["asked"]), (&"fewer_bands".into(), &10.into()));
        assert!(
            json["sentence"].as_str().is_some_and(|sentence| sentence.starts_with("10 bands were asked for"))
        );
        assert_eq!(serde_json::from_value::<MonitorWarning>(json).expect("a warning"), warning);
    }
}
