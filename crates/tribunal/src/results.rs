//! What an evaluation found, as plain data that other programs rely on.
//!
//! The names and shapes here are the public JSON form; a change that breaks a reader raises the version of the
//! [`Form`].

use serde::{Deserialize, Serialize};
use tribunal_eval::curves::{GainsRow, Range};
use tribunal_eval::intervals::{Interval, IntervalMethod, NoInterval};
use tribunal_eval::metrics::{Kind, Measure};
use tribunal_eval::significance::{Anova, CriticalRange, Effect, Friedman};
use tribunal_eval::{CutTable, Cutoff, CutoffRule, Ranking, ReliabilityBin, Value};

use crate::charts::{BaseRateReading, ConditionReading, ModelCharts};
use crate::decision::Decision;
use crate::evaluate::EvaluateRequest;
use crate::form::{Form, SchemaOf};
use crate::metric_info::MetricInfo;
use crate::provenance::Provenance;
use crate::scope::Scope;
use crate::segment_results::SegmentResults;
use crate::stress_selection::StressSelection;
use crate::test_name::Test;
use crate::warning::Warning;

impl Form for Evaluation {
    const SCHEMA: &'static str = "tribunal.evaluation/6";
}

/// Everything that was found about some scores.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Evaluation {
    /// Name and version of this form.
    pub schema: SchemaOf<Self>,
    /// Which Tribunal made it, and by which command.
    pub provenance: Provenance,
    /// What was asked.
    pub request: EvaluateRequest,
    /// What was judged.
    pub data: Data,
    /// The metrics that have figures, each once.
    pub measures: Vec<MetricInfo>,
    /// One row per model, metric, fold and cut-off.
    pub metrics: Vec<MetricRow>,
    /// The cut-offs at which predictions were judged.
    pub cutoffs: Vec<CutoffResult>,
    /// Youden's cut-off and that of the best F1 of each model, asked for or not.
    pub usual_cutoffs: Vec<CutoffResult>,
    /// What stands above each score, one table a model. Long tables are thinned so that no curve that is read from them moves by
    /// more than 0.1 % of its range.
    pub cuts: Vec<CutsResult>,
    /// The same for each fold, thinned to 1 %.
    pub fold_cuts: Vec<CutsResult>,
    /// The ROC convex hull of all models.
    pub hull: Option<HullResult>,
    /// Fold curves averaged vertically.
    pub averaged_roc: Vec<FoldedRoc>,
    /// The list cut in tenths.
    pub gains: Vec<GainsResult>,
    /// Stated probabilities against observed rates.
    pub reliability: Vec<ReliabilityResult>,
    /// The same in bins of about equally many cases.
    pub calibration: Vec<ReliabilityResult>,
    /// What acting on the list brings in, where that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// The figures of each segment of the cases, where segments were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segments: Option<SegmentResults>,
    /// The risk chart, the lift chart and the error-matrix chart of each model.
    #[serde(default)]
    pub charts: Vec<ModelCharts>,
    /// Figures at another base rate, where one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_base_rate: Option<BaseRateReading>,
    /// Which model owns which costs and base rates, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<ConditionReading>,
    /// What each figure would have been had only the top of each list been acted on, where that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stress_selection: Option<StressSelection>,
    /// Numbers of cases that were asked for, where there are folds: inside a fold they are shares.
    pub capacities: Vec<CapacityShare>,
    /// Tests of the differences between models.
    pub comparisons: Vec<Comparison>,
    /// Tests over the folds of all models together, one entry a metric.
    pub fold_tests: Vec<FoldTests>,
    /// How many cases it would take to see a difference.
    pub planning: Vec<Planning>,
    /// The answer in a sentence, with its parts.
    pub verdict: Verdict,
    /// What a careful reader should know.
    pub warnings: Vec<Warning>,
}

/// A number of cases that was asked for. It is one of the whole list; inside a fold or split the same share is taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CapacityShare {
    /// The metric or cut-off, as it was asked for.
    pub asked: String,
    /// How many cases of the whole list.
    pub cases: f64,
    /// Which share of it that is.
    pub share: f64,
}

/// What was judged.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Data {
    /// The files, in order.
    pub files: Vec<String>,
    /// SHA-256 of their bytes, in order; left out where nobody will see it.
    pub sha256: Option<String>,
    /// Rows per model.
    pub rows: u64,
    /// Positive rows per model.
    pub positives: u64,
    /// Share of positives, by weight where there are weights.
    pub base_rate: Option<f64>,
    /// The truth column.
    pub truth: String,
    /// The label that counts as positive.
    pub positive: String,
    /// The labels that count as negative, in the order in which they were met: one, or the first hundred of those that are
    /// not positive.
    pub negatives: Vec<String>,
    /// Whether rows are weighted.
    pub weighted: bool,
    /// The models, in the order in which they were found.
    pub models: Vec<String>,
    /// The folds, in the order in which they were found.
    pub folds: Vec<String>,
}

/// One figure.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MetricRow {
    /// Whose.
    pub model: String,
    /// Which metric, its parameter included.
    pub metric: String,
    /// What it is about: all rows, a fold, or the mean over folds.
    #[serde(flatten)]
    pub scope: Scope,
    /// The rule of the cut-off, for metrics that look at predictions.
    pub cutoff: Option<CutoffRule>,
    /// The figure, or nothing where it is undefined.
    pub estimate: Option<f64>,
    /// The figure as it would be on new cases, where the cut-off was chosen on these: the interval is about this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrected: Option<f64>,
    /// Lower end of its interval.
    pub lower: Option<f64>,
    /// Upper end of its interval.
    pub upper: Option<f64>,
    /// Why there is no interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_interval: Option<NoInterval>,
    /// Level of the interval.
    pub level: Option<f64>,
    /// How the interval was made.
    pub method: Option<IntervalMethod>,
    /// Rows, or folds for a mean over folds, behind the figure.
    pub n: u64,
    /// How the model stands among all in this figure, over all rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standing: Option<Standing>,
    /// Why there is no figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
}

/// How a model stands among several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It has the best figure.
    Best,
    /// A test cannot tell it apart from the best.
    Level,
}

impl MetricRow {
    /// A figure without an interval.
    pub(crate) fn new(model: &str, metric: String, n: u64, value: &Value) -> Self {
        let (estimate, undefined) = match value {
            Ok(estimate) => (Some(*estimate), None),
            Err(reason) => (None, Some(reason.to_string())),
        };
        Self {
            model: model.to_owned(),
            metric,
            scope: Scope::All,
            cutoff: None,
            estimate,
            corrected: None,
            no_interval: None,
            lower: None,
            upper: None,
            level: None,
            method: None,
            n,
            standing: None,
            undefined,
        }
    }

    /// The same with its interval, if there is one.
    pub(crate) fn with_interval(self, interval: Option<Interval>) -> Self {
        let Some(interval) = interval else { return self };
        Self {
            lower: Some(interval.lower),
            upper: Some(interval.upper),
            level: Some(interval.level.get()),
            method: Some(interval.method),
            ..self
        }
    }
}

/// A cut-off of a model.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CutoffResult {
    /// Whose.
    pub model: String,
    /// The rule that was asked for.
    pub asked: CutoffRule,
    /// The cut-off, or nothing where the rule finds none.
    pub cutoff: Option<Cutoff>,
    /// What the positives that it flags are worth, where there are amounts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<f64>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
}

/// What stands above each score of a model: every curve and the confusion matrix of every cut follow from it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CutsResult {
    /// Whose.
    pub model: String,
    /// The fold; nothing for all rows together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fold: Option<String>,
    /// Whether every distinct score has a row; long tables are thinned.
    pub complete: bool,
    /// The table.
    pub cuts: CutTable,
}

impl CutsResult {
    /// About so many rows of what stands above each score.
    pub(crate) fn of(model: &str, ranking: &Ranking, about_rows: usize) -> Self {
        let cuts = CutTable::thinned(ranking, about_rows);
        Self { model: model.to_owned(), fold: None, complete: cuts.len() == ranking.n_blocks(), cuts }
    }
}

/// The cut-offs that people look for, whether or not they were asked for.
pub(crate) const USUAL_CUTOFFS: [CutoffRule; 2] = [CutoffRule::Youden, CutoffRule::MaxF(1.0)];

/// The ROC convex hull over all models.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct HullResult {
    /// Area under it.
    pub area: f64,
    /// Its corners from (0, 0) to (1, 1).
    pub vertices: Vec<HullVertex>,
}

/// A corner of the hull: whose it is, and when it is the best choice.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct HullVertex {
    /// Whose; nothing for flagging nobody or everybody.
    pub model: Option<String>,
    /// False-positive rate.
    pub fpr: f64,
    /// True-positive rate.
    pub tpr: f64,
    /// The score from which cases are flagged there; nothing where nobody is, or where the curve is a mean over folds.
    pub score: Option<f64>,
    /// Best while the iso-performance slope is at least this...
    pub slope_low: Option<f64>,
    /// ...and at most this; nothing means without bound.
    pub slope_high: Option<f64>,
}

impl HullVertex {
    /// A corner with the conditions under which it is best, and whose it is.
    pub(crate) fn of(range: &Range, model: Option<String>) -> Self {
        let finite = |slope: f64| slope.is_finite().then_some(slope);
        Self {
            model,
            fpr: range.vertex.fpr,
            tpr: range.vertex.tpr,
            score: range.vertex.score.filter(|score| score.is_finite()),
            slope_low: finite(range.low),
            slope_high: finite(range.high),
        }
    }
}

/// Fold curves of a model averaged vertically.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FoldedRoc {
    /// Whose.
    pub model: String,
    /// Area under the mean curve.
    pub area: f64,
    /// Mean, dispersion and band at 100 false-positive rates.
    #[serde(flatten)]
    pub roc: tribunal_eval::curves::AveragedRoc,
}

/// One tenth of a model's list.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct GainsResult {
    /// Whose.
    pub model: String,
    /// The row.
    #[serde(flatten)]
    pub row: GainsRow,
}

/// One bin of a model's reliability table.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ReliabilityResult {
    /// Whose.
    pub model: String,
    /// The bin.
    #[serde(flatten)]
    pub bin: ReliabilityBin,
}

/// What takes no learning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BaselineKind {
    /// The list in a random order.
    RandomOrder,
    /// The base rate as everybody's probability.
    BaseRate,
    /// Flagging everybody or nobody, whichever is better.
    OnePrediction,
}

impl BaselineKind {
    /// What a metric is compared with.
    pub(crate) fn of(measure: &Measure) -> Self {
        match measure.metric.kind {
            Kind::Cutoff => Self::OnePrediction,
            Kind::Probability => Self::BaseRate,
            Kind::Ranking | Kind::Amount => Self::RandomOrder,
        }
    }

    /// In a few words.
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Self::RandomOrder => "a random order",
            Self::BaseRate => "giving everybody the base rate",
            Self::OnePrediction => "the same prediction for everybody",
        }
    }
}

impl BaselineStanding {
    /// The side of a gain with such a p value.
    pub(crate) fn of(gain: f64, p: f64, alpha: f64) -> Self {
        match gain {
            gain if p >= alpha || gain == 0.0 => Self::Level,
            gain if gain > 0.0 => Self::Better,
            _ => Self::Worse,
        }
    }
}

/// Where a learner or model stands beside the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BaselineStanding {
    /// Shown to be better.
    Better,
    /// Neither better nor worse is shown.
    Level,
    /// Shown to be worse.
    Worse,
}

/// A model against what takes no learning, from the interval of its figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ModelBaseline {
    /// Whose.
    pub model: String,
    /// What it is compared with.
    pub kind: BaselineKind,
    /// What that is worth.
    pub baseline: f64,
    /// Chance of so large a difference, either way, if the model is worth no more; adjusted by Holm over the models.
    pub p_adjusted: f64,
    /// Which side the model is on.
    pub standing: BaselineStanding,
}

/// The answer.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Verdict {
    /// In plain words.
    pub sentence: String,
    /// The metric by which models were ranked.
    pub metric: String,
    /// The models from best to worst by that metric, without those for which it is undefined.
    pub ranking: Vec<String>,
    /// The models that a test cannot tell apart from the best.
    pub level_with_best: Vec<String>,
    /// The models that are worse than the best by more than chance and the margin explain.
    pub worse: Vec<String>,
    /// The test that said so.
    pub test: Option<Test>,
    /// Differences up to this were taken not to matter.
    pub margin: f64,
    /// Each model against what takes no learning, by that metric; without those whose figure has no interval.
    pub baselines: Vec<ModelBaseline>,
}

/// A test of the difference between two models.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Comparison {
    /// The first model.
    pub a: String,
    /// The second model.
    pub b: String,
    /// What was compared.
    pub metric: String,
    /// The rule of the cut-off, for metrics that look at predictions.
    pub cutoff: Option<CutoffRule>,
    /// Figure of the first less that of the second, of corrected figures where they are; over folds, of their means.
    pub difference: f64,
    /// Lower end of its interval.
    pub lower: Option<f64>,
    /// Upper end of its interval.
    pub upper: Option<f64>,
    /// Level of the interval.
    pub level: Option<f64>,
    /// Chance of so large a difference if there is none; of tests on rows, if there is none beyond the margin.
    pub p: Option<f64>,
    /// The same, adjusted for the number of comparisons.
    pub p_adjusted: Option<f64>,
    /// Which test.
    pub test: Test,
}

impl Comparison {
    /// A difference with its interval.
    pub(crate) fn new(a: &str, b: &str, effect: &Effect, test: Test) -> Self {
        Self {
            a: a.to_owned(),
            b: b.to_owned(),
            metric: String::new(),
            cutoff: None,
            difference: effect.difference,
            lower: Some(effect.interval.lower),
            upper: Some(effect.interval.upper),
            level: Some(effect.interval.level.get()),
            p: None,
            p_adjusted: None,
            test,
        }
    }

    /// Of two that do the same: the difference is zero, and nothing can vary.
    pub(crate) fn of_the_same(a: &str, b: &str, test: Test) -> Self {
        Self {
            a: a.to_owned(),
            b: b.to_owned(),
            metric: String::new(),
            cutoff: None,
            difference: 0.0,
            lower: None,
            upper: None,
            level: None,
            p: None,
            p_adjusted: None,
            test,
        }
    }

    /// Of a test that has no interval of its own.
    pub(crate) fn without_interval(self) -> Self {
        Self { lower: None, upper: None, level: None, ..self }
    }

    /// Says what was compared.
    pub(crate) fn of(self, metric: String, cutoff: Option<CutoffRule>) -> Self {
        Self { metric, cutoff, ..self }
    }

    /// Says how likely chance explains it.
    pub(crate) fn with_p(self, p: f64, p_adjusted: Option<f64>) -> Self {
        Self { p: Some(p), p_adjusted, ..self }
    }

    /// Whether it compares these two, in whatever order.
    pub fn is_between(&self, one: &str, other: &str) -> bool {
        (self.a == one && self.b == other) || (self.a == other && self.b == one)
    }

    /// Whether the test looks at rows rather than folds.
    pub fn is_on_rows(&self) -> bool {
        self.test.is_on_rows()
    }
}

/// Tests over the folds of all models together. The folds of one cross-validation share training rows, so the p values
/// are approximate.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FoldTests {
    /// What was compared.
    pub metric: String,
    /// The rule of the cut-off, for metrics that look at predictions.
    pub cutoff: Option<CutoffRule>,
    /// The models; everything below has one entry for each, in this order.
    pub models: Vec<String>,
    /// Mean over the folds.
    pub means: Vec<f64>,
    /// Level of the tests.
    pub level: f64,
    /// Two-way analysis of variance without interaction.
    pub anova: Anova,
    /// Duncan's critical ranges by the number of means spanned.
    pub critical_ranges: Vec<CriticalRange>,
    /// Duncan's multiple range test: liberal.
    pub duncan: Groups,
    /// Tukey's honestly significant difference.
    pub tukey: Groups,
    /// The difference of means from which on Tukey's test tells two models apart.
    pub honest_difference: f64,
    /// Friedman's test on ranks within folds.
    pub friedman: Friedman,
    /// Nemenyi's test on the mean ranks.
    pub nemenyi: Groups,
    /// The difference of mean ranks from which on Nemenyi's test tells two models apart.
    pub critical_difference: f64,
}

/// Models that a test cannot tell apart.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Groups {
    /// For each model its letters; two models that share one cannot be told apart.
    pub letters: Vec<String>,
    /// The homogeneous subsets, the best first.
    pub subsets: Vec<Vec<String>>,
}

/// What it would take to see the difference of two models.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Planning {
    /// The first model.
    pub a: String,
    /// The second model.
    pub b: String,
    /// What is compared.
    pub metric: String,
    /// Chance of seeing the difference.
    pub power: f64,
    /// The smallest difference that these cases would show.
    pub detectable: f64,
    /// The difference that should be shown: the margin, or without one the difference that was seen.
    pub difference: f64,
    /// Labelled cases of this kind that would show it; nothing where there is no difference to show.
    pub cases: Option<u64>,
}
