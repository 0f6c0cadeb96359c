//! What was found about which learner to take for a population without labels, as plain data that other programs rely on.

use serde::{Deserialize, Serialize};
use tribunal_eval::unlabelled::TemperatureScaling;

use super::criterion::{ReverseLabels, SelectionMetric};
use super::voices::MarginCalibration;
use crate::bias::BiasName;
use crate::describe::ClassCount;
use crate::form::{Form, SchemaOf};
use crate::message::Message;
use crate::provenance::Provenance;
use crate::shift::ShiftDiagnosis;

impl Form for Selection {
    const SCHEMA: &'static str = "tribunal.selection/1";
}

/// Everything that was found.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Selection {
    /// Name and version of this form.
    pub schema: SchemaOf<Self>,
    /// Which Tribunal made it, and by which command.
    pub provenance: Provenance,
    /// The answer in plain words.
    pub verdict: String,
    /// The labelled rows that learners are trained on.
    pub training: TrainingTable,
    /// The population that a learner is chosen for.
    pub population: PopulationTable,
    /// What learners are compared by.
    pub metric: SelectionMetric,
    /// How decisions became labels of reverse models, where benefits count.
    pub reverse_labels: Option<ReverseLabels>,
    /// The design of the cross-validation.
    pub design: String,
    /// The seed of folds, models and draws.
    pub seed: u64,
    /// The level of intervals.
    pub level: f64,
    /// The learners, in the order in which they were named.
    pub learners: Vec<SelectionLearner>,
    /// Which learner to take; nothing where none can be recommended.
    pub recommended: Option<Recommendation>,
    /// What to take where several models may be averaged.
    pub committee: Option<CommitteeShares>,
    /// The learners in the order of each method, one row a method and learner.
    pub orders: Vec<OrderRow>,
    /// The methods, with what they chose or why they do not apply.
    pub methods: Vec<MethodOutcome>,
    /// How far the orders of two methods agree.
    pub agreement: Vec<MethodAgreement>,
    /// The duels of ReverseTesting.
    pub pairs: Vec<Pair>,
    /// What the reverse models came to, and the orders that follow; nothing where ReverseTesting was not asked for.
    pub reverse_testing: Option<ReverseTesting>,
    /// What to expect of each learner on the population, one row a learner and metric.
    pub expected: Vec<ExpectedRow>,
    /// What acting without any learner brings in, where benefits count.
    pub floors: Option<BenefitFloors>,
    /// Whether and how the two tables differ.
    pub shift: SelectionShift,
    /// How many simulations the audit was asked for.
    pub audit_asked: u64,
    /// How methods did on labelled rows that were biased on purpose, one row a method and kind of bias.
    pub audit: Vec<AuditRow>,
    /// Methods that lost less there than the method that recommends, by more than two standard errors of the difference.
    pub audit_beaten_by: Vec<AuditDifference>,
    /// How far estimates of performance lay from the truth there.
    pub audit_errors: Vec<AuditErrorRow>,
    /// Rows of the population whose labels would help most, and what they are likely to buy.
    pub ask: Option<AskedLabels>,
    /// What the labels that were given back say.
    pub labels: Option<LabelsFound>,
    /// What the target of the population says, where it was to be looked at in the end.
    pub check: Option<TargetCheck>,
    /// How many models were trained.
    pub models_trained: ModelsTrained,
    /// What a careful statistician would say.
    pub warnings: Vec<Message>,
    /// What was noticed about the tables: columns and rows that were left out, values that count as missing.
    pub notices: Vec<String>,
}

/// The labelled rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TrainingTable {
    /// The files, in order.
    pub files: Vec<String>,
    /// SHA-256 of their bytes, in order.
    pub sha256: String,
    /// Rows whose class is known.
    pub rows: u64,
    /// Columns to learn from.
    pub columns: u64,
    /// The target.
    pub target: String,
    /// The classes with their rows; of two the second is the positive one.
    pub classes: Vec<ClassCount>,
}

/// The population.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PopulationTable {
    /// The files, in order.
    pub files: Vec<String>,
    /// SHA-256 of their bytes, in order.
    pub sha256: String,
    /// Rows.
    pub rows: u64,
}

/// A learner that may be chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SelectionLearner {
    /// As it was written.
    pub learner: String,
    /// With the settings that were chosen on the labelled rows, where some were open.
    pub tuned: Option<String>,
    /// Its relatives.
    pub family: String,
    /// Why it takes no part, where it failed.
    pub failed: Option<String>,
    /// Whether it predicts the same class for every row of the population.
    pub predicts_one_class: bool,
    /// Learners whose scores on the population are nearly the same: together they count as one voice.
    pub clones: Vec<String>,
    /// By which temperature its log-probabilities are divided before they count.
    pub temperature: Option<f64>,
    /// What is then added to its log-odds, so that the mean of its probabilities is the base rate of the labelled rows: where benefits
    /// count.
    pub log_odds_shift: Option<f64>,
    /// Its weight in the consensus.
    pub weight: Option<f64>,
}

/// Which learner to take.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Recommendation {
    /// The learner.
    pub learner: String,
    /// The method that chose it.
    pub method: String,
    /// What cross-validation alone would have chosen.
    pub by_cross_validation: Option<String>,
    /// Why.
    pub reasons: Vec<String>,
}

/// The weighted committee.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CommitteeShares {
    /// Its members.
    pub learners: Vec<String>,
    /// Their weights, which add up to one.
    pub weights: Vec<f64>,
    /// How their probabilities are scaled before they are averaged.
    pub scalings: Vec<TemperatureScaling>,
    /// The sigmoids by which margins become probabilities before that: one for two classes, otherwise one for each; none where a member
    /// gives probabilities.
    pub calibrations: Vec<MarginCalibration>,
}

/// The place of a learner in the order of a method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct OrderRow {
    /// The method.
    pub method: String,
    /// The learner.
    pub learner: String,
    /// Its place; equals share the better place.
    pub rank: u64,
    /// What the method goes by.
    pub score: f64,
}

/// A method with what it chose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MethodOutcome {
    /// Its id.
    pub method: String,
    /// Its name.
    pub name: String,
    /// Who described it.
    pub reference: String,
    /// Whether larger scores are better.
    pub is_higher_better: bool,
    /// The learner that it would take; nothing where it does not apply.
    pub choice: Option<String>,
    /// Why it does not apply.
    pub not_applicable: Option<String>,
}

/// How far two methods agree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MethodAgreement {
    /// One method.
    pub a: String,
    /// The other.
    pub b: String,
    /// Whether they choose the same learner.
    pub same_choice: bool,
    /// Kendall's tau-b of their scores; nothing where one of them cannot tell any two learners apart.
    pub kendall_tau: Option<f64>,
}

/// A duel of ReverseTesting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Pair {
    /// One learner.
    pub a: String,
    /// The other.
    pub b: String,
    /// The better one; nothing where they are hard to distinguish (??).
    pub winner: Option<String>,
}

/// What the reverse models came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ReverseTesting {
    /// How each reverse model does on the labelled rows, one row a learner and labeller.
    pub evidence: Vec<EvidenceRow>,
    /// The tournament, learner by learner, the best first.
    pub order: Vec<TournamentRow>,
    /// Groups of learners that beat each other in a circle.
    pub cycles: Vec<Vec<String>>,
    /// Decided duels that do not follow from others: the partial order.
    pub beats: Vec<Beats>,
}

/// A reverse model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct EvidenceRow {
    /// Who learned from the labelled population.
    pub learner: String,
    /// Who labelled it.
    pub labeller: String,
    /// Correct rows, AUROC or benefit on the labelled rows; no estimate of performance.
    pub value: Option<f64>,
}

/// A learner in the tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TournamentRow {
    /// The learner.
    pub learner: String,
    /// Wins and half of the undecided duels.
    pub copeland: f64,
    /// What both sides of its duels gain with its labels.
    pub margin: f64,
    /// Whether it is hard to distinguish from the one before it.
    pub is_tied_with_previous: bool,
}

/// A decided duel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Beats {
    /// The better learner.
    pub winner: String,
    /// The other.
    pub loser: String,
}

/// What to expect of a learner on the population.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ExpectedRow {
    /// The learner.
    pub learner: String,
    /// The metric.
    pub metric: String,
    /// The estimate, or nothing where there is none.
    pub estimate: Option<f64>,
    /// Lower end of its interval, which comes from the audit.
    pub lower: Option<f64>,
    /// Upper end.
    pub upper: Option<f64>,
    /// Level of the interval.
    pub level: Option<f64>,
    /// How the estimate was made.
    pub method: String,
    /// The same figure by cross-validation on the labelled rows.
    pub cross_validated: Option<f64>,
    /// Why there is no estimate.
    pub undefined: Option<String>,
}

/// The mean benefit a row of two policies that need no learner.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct BenefitFloors {
    /// Of acting on nobody.
    pub nobody: f64,
    /// Of acting on everybody: the weighted mean of the labelled rows.
    pub everybody: f64,
}

/// Above this AUROC a domain classifier tells rows of the two tables apart nearly without fail, and nothing in the one says much about
/// the other.
const NO_OVERLAP: f64 = 0.99;

impl SelectionShift {
    /// Whether rows of the two tables are told apart nearly without fail.
    pub fn is_without_overlap(&self) -> bool {
        self.domain_auroc.is_some_and(|domain| domain.estimate > NO_OVERLAP)
    }
}

impl ExpectedRow {
    /// Takes the estimate back, since the two tables hardly overlap.
    pub(super) fn withhold(&mut self) {
        (self.estimate, self.lower, self.upper, self.level) = (None, None, None, None);
        self.undefined.get_or_insert_with(|| {
            "the two tables hardly overlap, so the labelled rows say next to nothing about the population"
                .to_owned()
        });
    }
}

/// Whether and how the two tables differ.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SelectionShift {
    /// The AUROC of telling rows of the two tables apart, out of fold.
    pub domain_auroc: Option<DomainAuroc>,
    /// The diagnosis in full.
    #[serde(flatten)]
    pub diagnosis: ShiftDiagnosis,
}

/// How well rows of the two tables can be told apart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DomainAuroc {
    /// The AUROC.
    pub estimate: f64,
    /// Lower end of its interval.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
    /// Level of the interval.
    pub level: f64,
}

/// How a method did on labelled rows that were biased on purpose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct AuditRow {
    /// The method.
    pub method: String,
    /// The kind of bias; nothing for all kinds together.
    pub kind: Option<BiasName>,
    /// How much worse its choice did than the best learner, on average.
    pub regret: f64,
    /// Standard error of that mean over the simulations; nothing of a single one.
    pub se: Option<f64>,
    /// Simulations.
    pub n: u64,
}

/// By how much a method lost less in the audit than the method that recommends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct AuditDifference {
    /// The method.
    pub method: String,
    /// Mean difference of the regrets, simulation by simulation; positive where the method lost less.
    pub gain: f64,
    /// Its standard error.
    pub se: f64,
    /// Simulations.
    pub n: u64,
}

/// How far an estimate of performance lay from the truth in the audit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct AuditErrorRow {
    /// The method.
    pub method: String,
    /// The kind of bias; nothing for all kinds together.
    pub kind: Option<BiasName>,
    /// Mean absolute error.
    pub mean_absolute_error: f64,
    /// Mean of truth less estimate.
    pub bias: f64,
    /// Pairs of a simulation and a learner.
    pub n: u64,
}

/// Rows of the population whose labels would help most.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct AskedLabels {
    /// Rows on which the labels of learners differ.
    pub disagreeing: u64,
    /// The rows to label, counted from one in the table of the population: those whose labels are known already, then others in the
    /// order in which they were drawn, so that the first of them are a random sample too.
    pub rows: Vec<u64>,
    /// How the learners label these rows.
    pub labels: Vec<LearnerLabels>,
    /// What so many labels are likely to buy.
    pub likely: Vec<LikelyGain>,
}

/// How a learner labels the rows that are asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LearnerLabels {
    /// The learner.
    pub learner: String,
    /// The class of each row, in their order.
    pub labels: Vec<String>,
}

/// What so many labels are likely to buy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LikelyGain {
    /// Labels.
    pub labels: u64,
    /// Mean loss of the choice against the best learner, in simulations that take the consensus for the truth.
    pub regret: f64,
}

/// What labels of a few rows of the population say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LabelsFound {
    /// Rows with a label on which learners disagree: those that say something.
    pub labels: u64,
    /// Rows with a label on which all learners agree, so that it says nothing about which learner is better.
    pub of_agreed_rows: u64,
    /// Rows on which the labels of learners differ.
    pub disagreeing: u64,
    /// Whether the labelled rows are those that were drawn first; estimates are unbiased for rows that were drawn at random only.
    pub are_as_drawn: bool,
    /// Learner by learner.
    pub learners: Vec<LabelledLearner>,
    /// Pair by pair: by how much one learner is more accurate than the other on the whole population.
    pub differences: Vec<LabelledDifference>,
}

/// By how much one learner is more accurate than another on the whole population.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LabelledDifference {
    /// One learner.
    pub a: String,
    /// The other.
    pub b: String,
    /// The accuracy of the first less that of the second, from the labelled rows; learners agree on all others that could count. Of a
    /// pair that was chosen because it looks best the estimate is too large.
    pub difference: f64,
    /// Lower end of its interval.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
}

/// What labels of a few rows say of a learner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LabelledLearner {
    /// The learner.
    pub learner: String,
    /// Its score with the labels.
    pub score: f64,
    /// Share of the labelled rows that it labels correctly: an unbiased estimate for the rows on which learners disagree.
    pub accuracy: f64,
    /// Lower end of its interval (Wilson, with the finite population correction).
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
}

/// What the target of the population says in the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TargetCheck {
    /// Rows of the population with a label.
    pub rows: u64,
    /// The true figure of each learner there.
    pub learners: Vec<TrueFigure>,
    /// That of the committee.
    pub committee: Option<f64>,
    /// How much worse than the best learner the choice of each method is.
    pub regrets: Vec<MethodRegret>,
    /// Duels whose winner is the better one, over decided duels.
    pub pairs_right: u64,
    /// Decided duels.
    pub pairs_decided: u64,
    /// All duels.
    pub pairs: u64,
}

/// The true figure of a learner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TrueFigure {
    /// The learner.
    pub learner: String,
    /// The figure.
    pub value: f64,
}

/// How much worse than the best learner the choice of a method is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MethodRegret {
    /// The method.
    pub method: String,
    /// By how much its choice is worse than the best learner.
    pub regret: f64,
}

/// How many models were trained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ModelsTrained {
    /// Models of all labelled rows.
    pub forward: u64,
    /// Reverse models, those of equal labellings once.
    pub reverse: u64,
    /// Models of the folds of the cross-validation, whether their work was shared or not.
    pub cross_validation: u64,
    /// Of leave-one-out.
    pub leave_one_out: u64,
    /// Of reverse validation.
    pub reverse_validation: u64,
    /// Of the audit.
    pub audit: u64,
    /// What ten-fold cross-validation repeated a hundred times would take.
    pub repeated_cross_validation: u64,
}

impl ModelsTrained {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.forward
            + self.reverse
            + self.cross_validation
            + self.leave_one_out
            + self.reverse_validation
            + self.audit
    }

    /// The models of the tournament.
    pub fn tournament(&self) -> u64 {
        self.forward + self.reverse
    }
}

impl Selection {
    /// Nothing found yet.
    pub(super) fn empty(shift: SelectionShift) -> Self {
        Selection {
            schema: SchemaOf::default(),
            provenance: Provenance::default(),
            verdict: String::new(),
            training: TrainingTable::default(),
            population: PopulationTable::default(),
            metric: SelectionMetric::default(),
            reverse_labels: None,
            design: String::new(),
            seed: 0,
            level: 0.0,
            learners: Vec::new(),
            recommended: None,
            committee: None,
            orders: Vec::new(),
            methods: Vec::new(),
            agreement: Vec::new(),
            pairs: Vec::new(),
            reverse_testing: None,
            expected: Vec::new(),
            floors: None,
            shift,
            audit_asked: 0,
            audit: Vec::new(),
            audit_beaten_by: Vec::new(),
            audit_errors: Vec::new(),
            ask: None,
            labels: None,
            check: None,
            models_trained: ModelsTrained::default(),
            warnings: Vec::new(),
            notices: Vec::new(),
        }
    }
}
