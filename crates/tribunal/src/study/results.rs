//! What a study found, as plain data that other programs rely on.
//!
//! Nothing in a [`Study`] depends on the clock: the same study gives the same bytes, interrupted or not. How long learners
//! took stands in [`StudyTimes`], apart.

use serde::{Deserialize, Serialize};
use tribunal_eval::intervals::IntervalMethod;
use tribunal_eval::significance::Ratio;
use tribunal_eval::{CutTable, Cutoff, ReliabilityBin};

use super::request::{Preference, Protocol};
use crate::decision::{BaselinePolicy, Decision, Lead};
use crate::form::{Form, SchemaOf};
use crate::leaks::Leak;
use crate::line_up::FailedSplits;
use crate::metric_info::MetricInfo;
use crate::provenance::Provenance;
use crate::results::{
    BaselineKind, BaselineStanding, CapacityShare, FoldTests, FoldedRoc, HullResult, MetricRow,
};
use crate::test_name::Test;
use crate::warning::StudyWarning;

impl Form for Study {
    const SCHEMA: &'static str = "tribunal.study/6";
}

impl Form for StudyTimes {
    const SCHEMA: &'static str = "tribunal.study-times/1";
}

/// Everything that a study found.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Study {
    /// Name and version of this form.
    pub schema: SchemaOf<Self>,
    /// Which Tribunal made it, and by which command.
    pub provenance: Provenance,
    /// What the study is called.
    pub title: String,
    /// What was learned from.
    pub data: StudyData,
    /// On which scale learners of numbers saw them.
    pub protocol: Protocol,
    /// How rows were divided.
    pub design: String,
    /// The seed.
    pub seed: u64,
    /// The level of tests and intervals.
    pub level: f64,
    /// The column whose values keep rows together, where there is one.
    pub group: Option<String>,
    /// What is tabulated, the deciding metric first; where figures of acting decide, the evidence beside them.
    pub metrics: Vec<String>,
    /// The same metrics with what readers need to know of them.
    pub measures: Vec<MetricInfo>,
    /// Who took part, in the order in which they were named.
    pub learners: Vec<StudyLearner>,
    /// The scenarios: targets, and for each target the sets of predictors.
    pub scenarios: Vec<StudyScenario>,
    /// The answer.
    pub verdict: StudyVerdict,
    /// What a careful statistician would say.
    pub warnings: Vec<StudyWarning>,
    /// Learners that failed somewhere, and why.
    pub gaps: Vec<Gap>,
    /// One row per scenario, learner and metric: the mean over the splits with its interval, and the figures of
    /// single splits.
    pub figures: Vec<StudyFigure>,
    /// How often learners and families are in the top group, one entry a metric.
    pub summaries: Vec<MetricSummary>,
    /// Tests over the splits, one entry a scenario and metric.
    pub tests: Vec<ScenarioTests>,
    /// Averaged ROC curves and their hulls, one entry a scenario.
    pub curves: Vec<ScenarioCurves>,
    /// The held-out scores of all splits as one list, one entry a scenario and learner.
    pub held_out: Vec<HeldOutList>,
    /// What larger sets of predictors add, one entry a target, pair of sets and metric.
    pub additions: Vec<Addition>,
    /// What is to be said of models beyond their figures, one entry a scenario and learner.
    pub models: Vec<ModelNote>,
    /// The same figures under several designs, if they were asked for.
    pub designs: Vec<DesignFigure>,
    /// Every learner against what takes no learning, by the deciding metric, one entry a scenario and learner.
    pub baselines: Vec<BaselineTest>,
    /// What acting on the held-out lists brings in, one entry a scenario; none where nobody asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<ScenarioDecision>,
    /// Metrics of a number of cases: of every split the same share is taken.
    pub capacities: Vec<CapacityShare>,
    /// Predictors that seem to be known only after the outcome; learners used them all the same.
    pub leaks: Vec<Leak>,
    /// What was noticed about the table: columns and rows that were left out.
    pub notices: Vec<String>,
}

/// What was learned from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct StudyData {
    /// The files, in order.
    pub files: Vec<String>,
    /// SHA-256 of their bytes, in order.
    pub sha256: String,
    /// Rows whose targets are known.
    pub rows: u64,
}

/// A learner of a study.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct StudyLearner {
    /// As it was written.
    pub learner: String,
    /// As it was run: the protocol may add to it.
    pub run_as: String,
    /// Its relatives.
    pub family: String,
    /// Whether it is there for comparison only, as the majority class: no test counts it.
    pub trivial: bool,
}

/// A target with a set of predictors.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct StudyScenario {
    /// The target and the set, in one text.
    pub name: String,
    /// The target.
    pub target: String,
    /// What is positive.
    pub positive: String,
    /// The set of predictors.
    pub predictors: String,
    /// How many columns it has.
    pub columns: u64,
    /// Rows.
    pub rows: u64,
    /// Positive rows.
    pub positives: u64,
    /// Share of the larger class: what is right without looking.
    pub majority: f64,
    /// How many splits there are.
    pub splits: u64,
    /// The hash of the plan: scenarios with the same met the same rows.
    pub plan: String,
}

/// A figure of a learner in a scenario. The mean over the splits carries its interval and standing.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct StudyFigure {
    /// The scenario.
    pub scenario: String,
    /// The figure; `model` is the learner.
    #[serde(flatten)]
    pub row: MetricRow,
    /// Standard deviation over the splits.
    pub sd: Option<f64>,
}

/// How often learners and families are in the top group of Duncan's test, by one metric.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MetricSummary {
    /// The metric.
    pub metric: String,
    /// R: for each learner, in how many scenarios it is in the top group.
    pub r: Vec<LearnerRatio>,
    /// R^g: for each family, in how many scenarios a member is.
    pub r_family: Vec<FamilyRatio>,
    /// For each scenario how crowded its top group is.
    pub c: Vec<ScenarioRatios>,
}

/// R of a learner.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LearnerRatio {
    /// The learner.
    pub learner: String,
    /// Scenarios.
    pub ratio: Ratio,
}

/// R^g of a family.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FamilyRatio {
    /// The family.
    pub family: String,
    /// Scenarios.
    pub ratio: Ratio,
}

/// C and C^g of a scenario.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ScenarioRatios {
    /// The scenario.
    pub scenario: String,
    /// C: learners in the top group of all learners that are not trivial.
    pub learners: Ratio,
    /// C^g: families with a member in the top group of all families.
    pub families: Ratio,
}

/// Tests of one metric over the splits of a scenario.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ScenarioTests {
    /// The scenario.
    pub scenario: String,
    /// Analysis of variance, Duncan, Tukey, Friedman and Nemenyi; trivial learners and those with a gap are left out.
    #[serde(flatten)]
    pub tests: FoldTests,
    /// The learners that each test cannot tell apart from the best.
    pub top: Vec<TopGroup>,
    /// Who is left out of the tests, and why.
    pub left_out: Vec<LeftOut>,
    /// Where the stricter tests see it differently, in words; nothing where all agree.
    pub disagreement: Option<String>,
}

/// The learners that a test cannot tell apart from the best.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TopGroup {
    /// The test: Duncan's, Tukey's, the corrected t test or Nemenyi's.
    pub test: Test,
    /// The learners, the best first.
    pub learners: Vec<String>,
}

/// A learner that is left out of tests.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LeftOut {
    /// The learner.
    pub learner: String,
    /// Why.
    pub reason: String,
}

/// ROC curves of a scenario, averaged over the splits.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ScenarioCurves {
    /// The scenario.
    pub scenario: String,
    /// One curve a learner.
    pub averaged: Vec<FoldedRoc>,
    /// One hull a family, over the curves of its learners.
    pub families: Vec<FamilyHull>,
    /// The hull over all learners.
    pub joint: HullResult,
    /// Who is best under which conditions: the joint hull cut where its owner changes, from strict to generous cuts.
    pub stretches: Vec<Stretch>,
}

/// The held-out scores of a learner in a scenario, all splits together.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct HeldOutList {
    /// The scenario.
    pub scenario: String,
    /// The learner.
    pub learner: String,
    /// What stands above each score, thinned so that no curve moves by more than half a per cent of its range.
    pub cuts: CutTable,
    /// Youden's cut-off and that of the best F1.
    pub usual_cutoffs: Vec<Cutoff>,
    /// Stated probabilities against observed rates in bins of about equally many cases; none where scores are margins.
    pub calibration: Vec<ReliabilityBin>,
}

/// The hull of a family.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FamilyHull {
    /// The family.
    pub family: String,
    /// The hull.
    #[serde(flatten)]
    pub hull: HullResult,
}

/// Neighbouring corners of the joint hull with the same owner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Stretch {
    /// The learner; nothing where flagging nobody or everybody is best.
    pub learner: Option<String>,
    /// Its family.
    pub family: Option<String>,
    /// From this false-positive rate...
    pub fpr_from: f64,
    /// ...to this one.
    pub fpr_to: f64,
    /// Best while the iso-performance slope - the cost of false alarms over that of misses, by the odds against a positive -
    /// is at least this...
    pub slope_low: Option<f64>,
    /// ...and at most this; nothing means without bound.
    pub slope_high: Option<f64>,
}

/// What a larger set of predictors adds to a smaller one.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Addition {
    /// The target.
    pub target: String,
    /// The metric.
    pub metric: String,
    /// The smaller set.
    pub fewer: String,
    /// The larger set.
    pub more: String,
    /// Mean over learners of what the larger set adds; positive is better.
    pub gain: f64,
    /// Lower end of its interval.
    pub lower: f64,
    /// Upper end of its interval.
    pub upper: f64,
    /// Chance of so large a gain if the set adds nothing: paired t test over learners, which met the same rows.
    pub p: f64,
    /// Learners that were paired.
    pub n: u64,
    /// Learners that gain.
    pub better: u64,
    /// Each learner.
    pub learners: Vec<LearnerGain>,
    /// Mean gain of each family.
    pub families: Vec<FamilyGain>,
}

/// What a larger set of predictors adds for one learner, by the corrected t test over the splits.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LearnerGain {
    /// The learner.
    pub learner: String,
    /// The gain; positive is better.
    pub gain: f64,
    /// Lower end of its interval.
    pub lower: f64,
    /// Upper end of its interval.
    pub upper: f64,
    /// Chance of so large a gain if the set adds nothing.
    pub p: f64,
}

/// What a larger set of predictors adds for a family.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FamilyGain {
    /// The family.
    pub family: String,
    /// Mean gain of its learners.
    pub gain: f64,
}

/// What is to be said of a learner's model in a scenario beyond its figures.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ModelNote {
    /// The scenario.
    pub scenario: String,
    /// The learner.
    pub learner: String,
    /// The settings of the model of all rows, where some were to be chosen.
    pub chosen: Option<String>,
    /// Settings that were chosen inside training parts, each with the number of splits, the most frequent first.
    pub tuned: Vec<(String, u64)>,
    /// On how many splits the choice fell on the edge of its grid.
    pub at_edge: u64,
    /// Bytes of the model of all rows as it is saved; nothing if it could not be fitted.
    pub bytes: Option<u64>,
    /// Whether it says why a case gets its score.
    pub explains: bool,
    /// Whether its scores are probabilities; margins otherwise.
    pub probabilities: bool,
    /// Figures of the deciding metric on the rows that the model of all rows learned from: what it seems to be worth.
    pub apparent: Option<f64>,
}

/// A figure of a learner under a design.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DesignFigure {
    /// The scenario.
    pub scenario: String,
    /// The learner.
    pub learner: String,
    /// The metric.
    pub metric: String,
    /// The design, or the estimate that is made from it: `.632`, `.632+`.
    pub design: String,
    /// The figure, or nothing where it is undefined.
    pub estimate: Option<f64>,
    /// Lower end of its interval.
    pub lower: Option<f64>,
    /// Upper end of its interval.
    pub upper: Option<f64>,
    /// Standard deviation over splits; of repeated cross-validation, over the means of repetitions.
    pub sd: Option<f64>,
    /// Splits behind the figure.
    pub n: u64,
    /// Why there is no figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
}

/// A learner against what takes no learning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct BaselineTest {
    /// The scenario.
    pub scenario: String,
    /// The learner.
    pub learner: String,
    /// The deciding metric.
    pub metric: String,
    /// The mean of the learner over the splits.
    pub estimate: f64,
    /// What it is compared with.
    pub kind: BaselineKind,
    /// The mean of that over the splits.
    pub baseline: f64,
    /// How much better the learner is; positive is better.
    pub gain: f64,
    /// Chance of so large a difference, either way, if the learner is worth no more than the baseline.
    pub p: f64,
    /// The same adjusted by Holm over the learners of the scenario.
    pub p_adjusted: f64,
    /// Which side the learner is on, at the level of the study.
    pub standing: BaselineStanding,
}

/// What acting on the held-out scores of a scenario brings in.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ScenarioDecision {
    /// The scenario.
    pub scenario: String,
    /// In plain words: whose list, what it brings in, and against what.
    pub sentence: String,
    /// Rows that are decided on, each once: of repeated splits those of the first.
    pub rows: u64,
    /// The learners from the best down.
    pub ranking: Vec<String>,
    /// Learners that cannot be told apart from the best, by the paired test, adjusted by Holm over all pairs.
    pub level_with_best: Vec<String>,
    /// Learners that are shown to bring in less than the best.
    pub worse: Vec<String>,
    /// What each learner brings in more than the best policy that takes none.
    pub leads: Vec<LearnerLead>,
    /// Who is left out, and why.
    pub left_out: Vec<LeftOut>,
    /// The figures, as an evaluation of the same scores finds them.
    pub decision: Decision,
}

/// What acting by a learner brings in more than the best policy that takes none, acting on as many cases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LearnerLead {
    /// The learner.
    pub learner: String,
    /// The policy.
    pub policy: BaselinePolicy,
    /// The difference, its p value adjusted by Holm over the learners.
    #[serde(flatten)]
    pub lead: Lead,
}

/// A learner that failed in a scenario.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Gap {
    /// The scenario.
    pub scenario: String,
    /// The design.
    pub design: String,
    /// The learner.
    pub learner: String,
    /// Where it failed, and why.
    pub failed: Vec<FailedSplits>,
}

/// The answer.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct StudyVerdict {
    /// In plain words.
    pub sentence: String,
    /// The metric that decided, or `hits`, `amount` or `profit`.
    pub metric: String,
    /// What decides among equals, in this order.
    pub prefer: Vec<Preference>,
    /// Whom to deploy on which predictors, one entry a target that has a figure.
    pub deploy: Vec<Deployment>,
    /// One entry a scenario.
    pub scenarios: Vec<ScenarioVerdict>,
}

/// Whom to deploy for a target: the recommended learner on the predictors where it does best.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Deployment {
    /// The target.
    pub target: String,
    /// The set of predictors.
    pub predictors: String,
    /// Both, as the scenario is called.
    pub scenario: String,
    /// The learner, as it was written.
    pub learner: String,
}

/// The answer for one scenario.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ScenarioVerdict {
    /// The scenario.
    pub scenario: String,
    /// In plain words.
    pub sentence: String,
    /// What came of it.
    pub outcome: VerdictOutcome,
    /// Who has the best figure; nobody if there is no figure.
    pub best: Option<String>,
    /// Who cannot be told apart from the best, by Duncan's test where there is one; by what acting brings in, by paired tests
    /// adjusted by Holm.
    pub group: Vec<String>,
    /// Who of them to deploy: never one that a test shows to be worse than the best, or that is not shown to beat the
    /// baseline. Nobody if there is none.
    pub recommended: Option<String>,
    /// Why it is recommended among its equals.
    pub why: String,
    /// What takes no learning is worth so much: see [`BaselineTest`] and [`LearnerLead`].
    pub baseline: Option<f64>,
    /// The expected figure of the recommended learner, of the best where nobody is recommended.
    pub estimate: Option<f64>,
    /// Lower end of its interval.
    pub lower: Option<f64>,
    /// Upper end of its interval.
    pub upper: Option<f64>,
    /// How the interval was made.
    pub method: Option<IntervalMethod>,
}

/// What came of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum VerdictOutcome {
    /// Somebody can be recommended.
    Recommended,
    /// No learner is shown to beat what takes no learning: nothing should be deployed.
    NothingBeatsBaseline,
    /// No learner has a figure.
    NoFigure,
}

/// How long learners took, one row a scenario and learner. Measured, so never twice the same.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct StudyTimes {
    /// Name and version of this form.
    pub schema: SchemaOf<Self>,
    /// How many threads there were.
    pub threads: usize,
    /// One row a scenario and learner: a model of all rows, made and scored alone.
    pub learners: Vec<LearnerTimes>,
}

/// How long a learner took over all rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LearnerTimes {
    /// The scenario.
    pub scenario: String,
    /// The learner.
    pub learner: String,
    /// Seconds for the choice of settings on one training part, chosen beside others that share the work; nothing where none
    /// are to be chosen.
    pub tuning: Option<f64>,
    /// Seconds for the fit.
    pub training: f64,
    /// Seconds for scoring the rows.
    pub scoring: f64,
    /// How many rows were scored.
    pub rows: u64,
}
