//! The audit: the labelled rows are biased on purpose, every method is asked, and what it says is compared with labelled rows held
//! back.
//!
//! **Definition** In every simulation two thirds of the labelled rows, stratified by class, are biased: two simulations of each kind
//! of bias, with a column and a strength drawn. Learners and methods see them as the training table and the other third as the
//! population, with five-fold cross-validation. The regret of a method is how much worse its choice does on that third than the
//! best learner does. The interval of an expected figure is the estimate plus the 5 % and 95 % quantiles of truth less estimate over
//! all simulations and learners, widened to hold no error at all.
//!
//! The audit warns and gives intervals; it never changes the method: letting it choose was measured to lose.

use serde::{Deserialize, Serialize};
use tribunal_eval::unlabelled::{ClassLabels, Committee};
use tribunal_learn::{Dataset, MISSING, Posteriors, Target, Values as ColumnValues};
use tribunal_random::Random;

use super::compare::{CompareSettings, Compared, compare};
use super::criterion::{ActingBenefits, SelectionMetric};
use super::evidence::Evidence;
use super::expected::metrics;
use super::ledger::Ledger;
use super::methods::{METHODS, scores_of_methods};
use super::reverse::Populations;
use super::run::add_density_ratios;
use crate::bias::{Bias, BiasName, BiasRows, Side, Values};
use crate::error::Error;
use crate::line_up::Entrant;
use crate::progress::OnProgress;
use crate::resampling::LabelColumn;

/// Tags of what a simulation draws.
const AUDIT: u64 = 0xA0D1;
/// The cross-validation inside a simulation.
const FOLDS: u32 = 5;
/// A class needs so many rows to be divided.
const LEAST_ROWS_OF_A_CLASS: usize = 5;
/// How often a bias is drawn again that leaves too few rows.
const TRIES: u64 = 25;
/// The kinds of bias, in turn.
const KINDS: [BiasName; 5] =
    [BiasName::None, BiasName::Feature, BiasName::FeatureSoft, BiasName::Class, BiasName::Complete];

/// The id by which the committee is listed beside methods.
pub(super) const COMMITTEE: &str = "committee";

/// What came of a simulation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Simulated {
    pub(super) kind: BiasName,
    /// By how much the choice of each method is worse than the best learner.
    pub(super) regrets: Vec<(String, f64)>,
    /// The estimates of each method that makes some: truth less estimate, one a learner.
    pub(super) errors: Vec<(String, f64)>,
    /// Truth less expectation of each metric, one a learner.
    pub(super) expected_errors: Vec<(String, f64)>,
    pub(super) n_models: u64,
}

impl Simulated {
    /// By how much the choice of a method was worse than the best learner.
    pub(super) fn regret(&self, method: &str) -> Option<f64> {
        self.regrets.iter().find(|(id, _)| id == method).map(|(_, regret)| *regret)
    }
}

/// A simulation, drawn.
struct Biased {
    kind: BiasName,
    /// The rows that are trained on.
    train: Vec<u32>,
    /// The rows that are held back.
    held_back: Vec<u32>,
}

/// What is biased and who is asked.
pub(super) struct Audit<'a> {
    pub(super) populations: &'a Populations<'a>,
    pub(super) entrants: &'a [Entrant],
    pub(super) settings: &'a CompareSettings,
}

impl Audit<'_> {
    /// What comes of a simulation.
    ///
    /// # Errors
    /// No bias leaves enough rows, or no learner can learn from them.
    pub(super) fn simulate(
        &self,
        simulation: usize,
        on_progress: OnProgress<'_>,
    ) -> Result<Simulated, Error> {
        let Biased { kind, train, held_back } = self.draw(simulation)?;
        let (biased, back) = (self.populations.train.take(&train), self.populations.train.take(&held_back));
        let subset = |rows: &[u32]| self.populations.train_benefits.map(|benefits| benefits.take(rows));
        let (train_benefits, back_benefits) = (subset(&train), subset(&held_back));
        let populations = Populations {
            train_benefits: train_benefits.as_ref(),
            deploy_benefits: back_benefits.as_ref(),
            ..Populations::new(&biased, &back)?
        };
        let truth = back.target().ok_or_else(|| Error::data("the rows held back have no target"))?;
        let settings = CompareSettings {
            design: format!("cv:{FOLDS}").parse()?,
            with_leave_one_out: false,
            seed: tribunal_random::derive_seed(self.settings.seed, &[AUDIT, simulation as u64]),
            ..self.settings.clone()
        };
        let mut compared =
            compare(&populations, self.entrants, &settings, &mut Ledger::default(), on_progress)?;
        add_density_ratios(&mut compared.extras, &populations, settings.seed);
        let held_back = HeldBack {
            dataset: &back,
            target: truth,
            benefits: back_benefits.as_ref(),
            metric: settings.metric,
        };
        let n_models = compared.trained.total();
        let judged = compared.examine(&populations, |evidence| held_back.judge(&evidence, &compared))??;
        Ok(Simulated { kind, n_models, ..judged })
    }

    /// Two thirds of the rows, biased, and the third that is held back.
    fn draw(&self, simulation: usize) -> Result<Biased, Error> {
        let kind = KINDS[simulation % KINDS.len()];
        let (dataset, target) = (self.populations.train, self.populations.target);
        let seed =
            |step: u64| tribunal_random::derive_seed(self.settings.seed, &[AUDIT, simulation as u64, step]);
        let plan = self.populations.plan(&"holdout:0.666667".parse()?, seed(0))?;
        let split = plan.split(0);
        let part = dataset.take(&split.train);
        let classes = part.target().map(LabelColumn::of_target);
        let classes = classes.ok_or_else(|| Error::data("the labelled rows have no target"))?;
        for attempt in 1..=TRIES {
            let mut random = Random::new(seed(attempt));
            let bias = draw_bias(kind, target, &mut random);
            let values = column_values(&part, &mut random);
            let rows = BiasRows::new(part.n_rows()).with_classes(&classes);
            let rows = values.as_ref().map_or(rows, |values| rows.with_values(values));
            let Ok(kept) = bias.kept(&rows, random.next_u64()) else { continue };
            let train: Vec<u32> = kept.iter().map(|&row| split.train[row as usize]).collect();
            if has_rows_of_each_class(target, &train) {
                return Ok(Biased { kind, train, held_back: split.test });
            }
        }
        let drawn = if kind == BiasName::None { "random sample".to_owned() } else { format!("{kind} bias") };
        Err(Error::data(format!("no {drawn} leaves {LEAST_ROWS_OF_A_CLASS} rows of every class")))
    }
}

/// A bias of a kind with a strength that is drawn.
fn draw_bias(kind: BiasName, target: &Target, random: &mut Random) -> Bias {
    let between = |random: &mut Random, least: f64, most: f64| least + (most - least) * random.uniform();
    let class =
        |random: &mut Random| target.classes()[random.below(target.classes().len() as u64) as usize].clone();
    match kind {
        BiasName::Feature => {
            let side = if random.below(2) == 0 { Side::Low } else { Side::High };
            Bias::Feature { fraction: between(random, 0.2, 0.6), side }
        }
        BiasName::FeatureSoft => {
            let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
            Bias::FeatureSoft { beta: sign * between(random, 0.5, 3.0) }
        }
        BiasName::Class => Bias::Class { class: class(random), fraction: between(random, 0.3, 0.8) },
        BiasName::Complete => Bias::Complete { class: class(random), fraction: between(random, 0.2, 0.6) },
        BiasName::None => Bias::None { fraction: 0.25 },
    }
}

/// The values of a column that is drawn; levels stand in their order.
fn column_values(dataset: &Dataset, random: &mut Random) -> Option<Values> {
    let columns = dataset.columns();
    let column = columns.get(random.below(columns.len().max(1) as u64) as usize)?;
    Some(match column.values() {
        ColumnValues::Numbers(numbers) => Values::of_numbers(column.name(), numbers.iter().copied()),
        ColumnValues::Codes(codes) => {
            let value = |&code: &u32| (code != MISSING).then_some(f64::from(code));
            Values::of_optional_numbers(column.name(), codes.iter().map(value))
        }
    })
}

fn has_rows_of_each_class(target: &Target, rows: &[u32]) -> bool {
    let mut counts = vec![0_usize; target.classes().len()];
    rows.iter().for_each(|&row| counts[target.codes()[row as usize] as usize] += 1);
    let is_there = target.counts().into_iter().map(|count| count > 0);
    counts.into_iter().zip(is_there).all(|(count, is_there)| !is_there || count >= LEAST_ROWS_OF_A_CLASS)
}

impl ActingBenefits {
    /// Those of some rows.
    pub(super) fn take(&self, rows: &[u32]) -> Self {
        let of = |column: &[f64]| match column.is_empty() {
            true => Vec::new(),
            false => rows.iter().map(|&row| column[row as usize]).collect(),
        };
        Self { cost: self.cost, believed: of(&self.believed), actual: of(&self.actual) }
    }
}

/// Rows of a population whose classes are known after all.
pub(super) struct HeldBack<'a> {
    pub(super) dataset: &'a Dataset,
    pub(super) target: &'a Target,
    pub(super) benefits: Option<&'a ActingBenefits>,
    pub(super) metric: SelectionMetric,
}

impl HeldBack<'_> {
    /// The true figure of what was said of the rows.
    pub(super) fn figure(&self, said: &Posteriors) -> Option<f64> {
        let rows = super::criterion::LabelledRows {
            target: self.target,
            weights: self.dataset.weights(),
            benefits: self.benefits,
        };
        rows.performance(self.metric, said)
    }

    /// What methods said beside the truth.
    fn judge(&self, evidence: &Evidence<'_>, compared: &Compared) -> Result<Simulated, Error> {
        let truth: Vec<Option<f64>> =
            compared.voices.iter().map(|voice| self.figure(&voice.deployed.posteriors)).collect();
        let best = truth.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
        let methods = scores_of_methods(evidence);
        let mut regrets: Vec<(String, f64)> = Vec::new();
        let mut errors: Vec<(String, f64)> = Vec::new();
        for scores in &methods {
            if let Some(truth) = scores.choice().and_then(|choice| truth[choice]) {
                regrets.push((scores.method().id.to_owned(), best - truth));
            }
            if let Ok(estimates) = scores.outcome.as_ref().map(|estimates| estimates.iter().zip(&truth))
                && METHODS[scores.method].is_estimate
            {
                let pairs = estimates.filter_map(|(estimate, truth)| Some((*truth)? - (*estimate)?));
                errors.extend(pairs.map(|error| (scores.method().id.to_owned(), error)));
            }
        }
        if let Some(committee) = committee_said(evidence).and_then(|said| self.figure(&said)) {
            regrets.push((COMMITTEE.to_owned(), best - committee));
        }
        let labels = ClassLabels::new(self.target.classes().len(), self.target.codes().to_vec())?;
        let mut expected_errors = Vec::new();
        for metric in metrics(evidence) {
            for (voice, expected) in evidence.voices.iter().zip(metric.of_voices(evidence)) {
                let said = voice.on_deployed(self.dataset.weights())?;
                if let (Ok(expected), Some(truth)) = (expected, metric.truth(&said, &labels)) {
                    expected_errors.push((metric.id.to_owned(), truth - expected.estimate));
                }
            }
        }
        Ok(Simulated { kind: BiasName::None, regrets, errors, expected_errors, n_models: 0 })
    }
}

/// The committee of the learners, where there is one.
pub(super) fn committee_of(evidence: &Evidence<'_>) -> Option<Committee> {
    let scores = evidence.scores.as_ref().ok()?;
    Committee::of(&evidence.consensus, scores, &evidence.criterion).ok()
}

/// What the committee says of the population.
pub(super) fn committee_said(evidence: &Evidence<'_>) -> Option<Posteriors> {
    let said: Vec<_> = evidence.voices.iter().map(|voice| &voice.deployed.probabilities).collect();
    let combined = committee_of(evidence)?.combine(&said).ok()?;
    Posteriors::from_values(combined.n_classes(), combined.values().to_vec()).ok()
}
