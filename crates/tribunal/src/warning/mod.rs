//! What a careful statistician would say before figures are used: each warning is a code with its parameters, and makes
//! its sentence from them.
//!
//! In JSON a warning has its `code`, its parameters and its `sentence`; the sentence is for people and is made anew when
//! the JSON is read.

mod judgment;
mod sentence;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tribunal_eval::{CutoffRule, Undefined};

#[cfg(feature = "learners")]
pub(crate) use judgment::overfitting;
pub(crate) use judgment::{FEW_FOR_INTERVALS, calibrated_name, few_in_fold, miscalibrated, unstable_folds};

/// Why figures should not be taken as they stand.
///
/// ```
/// use tribunal::Warning;
///
/// let warning = Warning::OneScore { models: vec!["logit".into()], score: 0.5 };
/// let json = serde_json::to_string(&warning)?;
/// assert!(json.starts_with(r#"{"code":"one_score","models":["logit"],"score":0.5,"sentence":"every score of logit is 0.5"#));
/// assert_eq!(serde_json::from_str::<Warning>(&json)?, warning);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(extend("properties" = { "sentence": { "type": "string" } })))]
#[serde(remote = "Self", tag = "code", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Warning {
    /// A file was given twice.
    RepeatedFile {
        /// The file.
        file: String,
        /// The file that it repeats.
        same_as: String,
        /// Whether it is another file with the same bytes.
        is_copy: bool,
    },
    /// Several models stand below each other, and their column was not named.
    LongForm {
        /// The column that seems to name models.
        column: String,
        /// How many models it names.
        n_models: usize,
        /// The column that names the cases, if there is one.
        id: Option<String>,
    },
    /// The column of weights holds amounts of money.
    MoneyAsWeight {
        /// The column.
        column: String,
        /// Its lowest value.
        low: f64,
        /// Its highest value.
        high: f64,
        /// How many rows have a weight.
        rows: u64,
        /// Kish's effective sample size.
        effective: f64,
        /// Whether it is the column of the amounts too.
        is_amount: bool,
    },
    /// A few rows have nearly all the weight.
    UnevenWeights {
        /// The column.
        column: String,
        /// How many rows have a weight.
        rows: u64,
        /// Kish's effective sample size.
        effective: f64,
    },
    /// Every case has the same score.
    OneScore {
        /// Whose scores.
        models: Vec<String>,
        /// The score.
        score: f64,
    },
    /// Scores are predicted classes.
    PredictedClasses {
        /// Whose scores.
        models: Vec<String>,
        /// The lower one.
        low: f64,
        /// The higher one.
        high: f64,
    },
    /// Scores are percentages.
    Percentages {
        /// Whose scores.
        models: Vec<String>,
    },
    /// Scores number the rows.
    RowNumbers {
        /// Whose scores.
        models: Vec<String>,
        /// The first number.
        low: f64,
        /// The last number.
        high: f64,
    },
    /// No score lies on both sides of a cut-off.
    CutoffBeyondScores {
        /// The cut-off.
        cutoff: f64,
        /// Whose scores.
        models: Vec<String>,
        /// Whether everybody is flagged, and not nobody.
        flags_all: bool,
        /// The lowest score.
        low: f64,
        /// The highest score.
        high: f64,
    },
    /// Several labels count as negative.
    SeveralNegatives {
        /// The positive label.
        positive: String,
        /// The labels that count as negative.
        negatives: Vec<String>,
        /// One of them that says the same as the positive one.
        alike: Option<String>,
    },
    /// Models in long form have as many rows, and without ids nothing says that they are the same cases.
    UncheckedCases,
    /// A metric cannot be tested over the folds.
    NoFoldTest {
        /// The metric.
        metric: String,
        /// The rule of its cut-off, where it has one.
        #[serde(default)]
        cutoff: Option<CutoffRule>,
        /// Why.
        reason: String,
    },
    /// The scores suggest no cut-off, so as many cases are flagged as there are positives.
    NoCustomaryCutoff {
        /// Whose scores.
        models: Vec<String>,
        /// Which share of the list is flagged.
        share: f64,
    },
    /// The columns of the segments make a single one.
    OneSegment {
        /// The columns.
        columns: Vec<String>,
    },
    /// Segments hold cases of one class only, so that nothing can be ranked there.
    OneClassSegments {
        /// Labels of the first of them, column by column.
        segments: Vec<Vec<String>>,
        /// How many there are.
        n_segments: u64,
    },
    /// Segments hold few cases of a class.
    FewInSegments {
        /// Labels of the first of them, column by column.
        segments: Vec<Vec<String>>,
        /// How many there are.
        n_segments: u64,
        /// They have fewer positives or negatives than this.
        fewer_than: u64,
    },
    /// The customary cut-off, which nobody chose, flags nobody or everybody.
    IdleCutoff {
        /// Whose scores.
        models: Vec<String>,
        /// Whether everybody is flagged, and not nobody.
        flags_all: bool,
    },
    /// There are few positives.
    FewPositives {
        /// How many.
        positives: u64,
    },
    /// There are few negatives.
    FewNegatives {
        /// How many.
        negatives: u64,
    },
    /// Probabilities of exactly 0 or 1 proved wrong, too seldom to say how often they do.
    CertainMistakes {
        /// Whose scores.
        model: String,
        /// Cases with a probability of 0 or 1.
        certain: u64,
        /// Those of them that turned out otherwise.
        wrong: u64,
    },
    /// A rule takes amounts as known of every case, and only positives have any.
    AmountOfPositivesOnly {
        /// The column of the amounts.
        column: String,
        /// The positives with an amount.
        rows: u64,
        /// What positives are called.
        class: String,
        /// Their share of the positives.
        covered: f64,
        /// The rule.
        rule: String,
    },
    /// Every positive ranks above every negative.
    PerfectRanking {
        /// Whose scores.
        models: Vec<String>,
    },
    /// Higher scores mean fewer positives.
    ReversedRanking {
        /// Whose scores.
        models: Vec<String>,
    },
    /// An AUROC of 0.5 cannot be ruled out.
    ChanceRanking {
        /// Whose scores.
        models: Vec<String>,
    },
    /// The cut-off was chosen on the data that judge it.
    CutoffChosenOnData {
        /// The rule of the cut-off.
        cutoff: CutoffRule,
        /// Whose figures flatter.
        models: Vec<String>,
    },
    /// There is no cut-off by this rule.
    NoCutoff {
        /// The model.
        model: String,
        /// The rule of the cut-off.
        cutoff: CutoffRule,
        /// Why.
        reason: Undefined,
    },
    /// The rows of the models do not line up, so differences are not tested.
    RowsDoNotLineUp,
    /// Draws and paired tests look at a sample of the rows.
    SampledRows {
        /// How many rows it has.
        rows: usize,
    },
    /// Two models give every case the same score.
    SameScores {
        /// The two.
        models: [String; 2],
    },
    /// There is one fold only.
    OneFold {
        /// Its name.
        fold: String,
    },
    /// Folds share training rows, so tests over folds are approximate.
    FoldsShareTraining,
    /// A cross-validation was repeated, so intervals over all rows are too narrow.
    RepeatedFolds {
        /// How many times.
        repetitions: usize,
    },
    /// Stated probabilities are too extreme or too timid, beyond what chance explains.
    PoorCalibration {
        /// Whose probabilities, with their slopes; all of them too extreme, or all too timid.
        models: Vec<Miscalibrated>,
        /// The learner that mends it, where the scores are those of a learner.
        mended_by: Option<String>,
    },
    /// A fold or test part has few rows of the rarer class.
    FewInFold {
        /// All rows of the rarer class.
        rarer: u64,
        /// The fewest in a part.
        fewest: u64,
    },
    /// There are few rows of the rarer class for so many predictors.
    FewForColumns {
        /// Rows of the rarer class.
        rarer: u64,
        /// Columns.
        columns: u64,
    },
    /// A figure varies much from fold to fold.
    UnstableFolds {
        /// Whose figure.
        model: String,
        /// The metric.
        metric: String,
        /// The lowest figure of a fold.
        lowest: f64,
        /// The highest figure of a fold.
        highest: f64,
        /// The standard deviation over the folds.
        sd: f64,
    },
    /// Numbers are scaled over all rows, test rows included.
    ScaledOverAllRows,
    /// The best of many figures is a little too good.
    BestOfMany {
        /// How many learners were tried.
        learners: usize,
    },
    /// A design gives a single figure for each learner.
    SingleFigure {
        /// The design.
        design: String,
    },
    /// Repetitions share rows, so some tests are too sure of themselves.
    RepetitionsShareRows,
    /// A learner does not do the same twice with the same seed.
    NotRepeatable {
        /// The learner.
        learner: String,
    },
    /// A learner failed on some splits.
    FailedSplits {
        /// The learner.
        learner: String,
    },
    /// No share of right answers is shown to be better than that of the larger class.
    NoBetterThanMajority {
        /// The share of the larger class.
        majority: f64,
        /// The best learner by PCC.
        learner: String,
        /// Its PCC.
        pcc: f64,
    },
    /// The recommended learner gives margins and no probabilities.
    Margins {
        /// The learner.
        learner: String,
    },
    /// A figure is much better on training rows than on others.
    Overfitting {
        /// The learner.
        learner: String,
        /// The metric.
        metric: String,
        /// On the rows it learned from.
        apparent: f64,
        /// On others.
        expected: f64,
    },
    /// Tuning mostly ends at the edge of the grid.
    GridEdge {
        /// The learner.
        learner: String,
        /// On how many splits.
        at_edge: u64,
        /// Of how many.
        splits: u64,
    },
}

/// A model whose probabilities are spread too far or not far enough.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Miscalibrated {
    /// The model.
    pub model: String,
    /// The calibration slope; 1 is right.
    pub slope: f64,
    /// Lower end of its interval.
    pub lower: f64,
    /// Upper end of its interval.
    pub upper: f64,
}

impl Miscalibrated {
    /// Whether its probabilities are too extreme, and not too timid.
    pub fn is_too_extreme(&self) -> bool {
        self.slope < 1.0
    }
}

impl Serialize for Warning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct WithSentence<'a> {
            #[serde(flatten, serialize_with = "Warning::serialize")]
            warning: &'a Warning,
            sentence: String,
        }
        WithSentence { warning: self, sentence: self.message().to_string() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Warning {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Warning::deserialize(deserializer)
    }
}

/// A warning of a study, about one scenario or about all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudyWarning {
    /// The scenario; nothing for all of them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub scenario: Option<String>,
    /// What is to be said.
    #[serde(flatten)]
    pub warning: Warning,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(warning: &Warning, json: &str) {
        let written = serde_json::to_string(warning).expect("JSON");
        assert_eq!(written, json);
        assert_eq!(serde_json::from_str::<Warning>(&written).expect("a warning"), *warning);
    }

    #[test]
    fn in_json_a_warning_has_its_code_its_parameters_and_its_sentence() {
        check(
            &Warning::UncheckedCases,
            "{\"code\":\"unchecked_cases\",\"sentence\":\"the models have equally many rows and positives; that they are the \
             same cases is not checked without `id`\"}",
        );
        let reason = Undefined::NoPositives;
        check(
            &Warning::NoCutoff { model: "a".into(), cutoff: CutoffRule::Share(0.1), reason },
            "{\"code\":\"no_cutoff\",\"model\":\"a\",\"cutoff\":\"share:0.1\",\"reason\":{\"reason\":\"no_positives\"},\
             \"sentence\":\"a: no cut-off share:0.1: there are no positives\"}",
        );
    }

    #[test]
    fn warnings_of_a_study_name_their_scenario() {
        let warning = Warning::FewPositives { positives: 9 };
        let of_scenario = StudyWarning { scenario: Some("fraud".into()), warning };
        let json = serde_json::to_value(&of_scenario).expect("JSON");
        assert_eq!(json["scenario"], "fraud");
        assert_eq!(json["code"], "few_positives");
        assert_eq!(serde_json::from_value::<StudyWarning>(json).expect("a warning"), of_scenario);
        assert!(of_scenario.message().to_string().starts_with("fraud: there are only 9 positives"));
    }

    #[test]
    fn several_miscalibrated_models_are_told_at_once() {
        let found =
            |model: &str, slope| Miscalibrated { model: model.into(), slope, lower: 0.5, upper: 0.74 };
        let told = |models| Warning::PoorCalibration { models, mended_by: None }.message().to_string();
        assert_eq!(
            told(vec![found("a", 0.62)]),
            "calibration is poor: the probabilities of a are too extreme (slope 0.62, 0.50 to 0.74; 1 is right); recalibrate \
             them on other cases, for example by Platt's method"
        );
        assert!(told(vec![found("a", 0.62), found("b", 0.6)]).contains(
            "the probabilities of a (slope 0.62, 0.50 to 0.74), b (slope 0.60, 0.50 to 0.74) are too extreme (1 is right)"
        ));
    }
}
