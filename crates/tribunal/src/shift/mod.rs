//! Whether there is bias between a labelled training table and an unlabelled population, and of which kind.
//!
//! A domain classifier tells whether rows of the two can be told apart at all; tests and stability indices say in which columns they
//! differ and how; permuted columns what each adds; density ratios which parts of the population the training table does not cover.
//! What this leaves of the four kinds of sample-selection bias (Zadrozny 2004; Fan and Davidson 2006) is said with what it cannot
//! tell: most kinds need labels of the population.
//!
//! ```
//! use tribunal::shift::{BiasStanding, SelectionBias, ShiftRequest, Sides, diagnose_shift};
//! use tribunal_learn::{Column, Dataset, Kind, Values};
//!
//! let ages = |from: u32| (0..200).map(|row| f64::from(from + row % 50)).collect::<Vec<_>>();
//! let table = |from| Dataset::new(vec![Column::new("age", Kind::Numeric, Values::Numbers(ages(from)))?]);
//! let tables = Sides { training: &table(20)?, population: &table(35)? };
//! let found = diagnose_shift(tables, &ShiftRequest::new(42))?;
//! assert!(found.columns[0].is_shown && found.columns[0].psi > 0.25);
//! assert_eq!(found.bias.standing(SelectionBias::CompleteIndependent), BiasStanding::Contradicted);
//! assert_eq!(found.bias.standing(SelectionBias::Feature), BiasStanding::Possible);
//! # Ok::<(), tribunal::Error>(())
//! ```

mod bias_kinds;
mod column_shift;
mod coverage;
mod domain;
mod domain_rows;
mod labelled;
mod paired_columns;
mod regions;
mod results;

#[cfg(test)]
mod tests;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use tribunal_eval::intervals::Level;
use tribunal_eval::significance::holm;
use tribunal_learn::{Column, Dataset, Kind, Learner, Values};
use tribunal_random::derive_seed;

pub use coverage::CUT;
pub use results::{
    BiasEvidence, BiasFinding, BiasKindStanding, BiasStanding, ClassShareShift, ColumnContribution,
    ColumnLeftOut, ColumnShift, Condition, Coverage, DensityCoverage, DomainClassifier, DomainLearner,
    DomainOutcome, LeftOutReason, LevelShift, MovedLevel, NumberShift, Region, SelectionBias, ShiftDiagnosis,
    ShiftDirection, ShiftSize, ShiftTest, Sides, UnsharedLevels,
};

use self::bias_kinds::{FeatureTests, bias_evidence};
use self::column_shift::column_shift;
use self::domain::{AurocDrop, Domain};
use self::domain_rows::{DomainRows, FEWEST_ROWS};
use self::labelled::labelled_evidence;
use self::paired_columns::{PairedColumn, PairedValues, paired_columns};
use crate::error::Error;
use crate::leaks::{alone, alone_by_presence};

/// A shift is called shown where an adjusted p value is below this.
pub const ALPHA: f64 = 0.05;
/// A linear learner that tells the tables apart takes time and memory by the square of the encoded columns; of more the nonlinear
/// one tells them apart alone.
pub(crate) const MOST_LINEAR_COLUMNS: usize = 2_000;
/// Of more columns only those are permuted that tell most by themselves.
const MOST_PERMUTED: usize = 200;

/// Shares of the classes in the population, estimated without its labels (as by black box shift estimation).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EstimatedPriors {
    /// The share of each class of the target.
    pub shares: Vec<f64>,
    /// The ends of the interval of each share, if they are known.
    pub intervals: Option<Vec<[f64; 2]>>,
}

/// What to diagnose with.
#[derive(Clone, Debug)]
pub struct ShiftRequest<'a> {
    /// The seed of folds, samples and permutations.
    pub seed: u64,
    /// Estimated shares of the classes in the population.
    pub priors: Option<EstimatedPriors>,
    /// Rows drawn at random from the population, with their labels.
    pub labelled: Option<&'a Dataset>,
    /// Whose scores stand for the features where the labelled sample is compared; the usual one is `logit:l2=1,mark`.
    pub learner: Option<Learner>,
    /// How many rows of the population have a level that the training table does not have, where whoever read it has counted them;
    /// otherwise those of columns that keep the levels of both tables.
    pub rows_with_new_levels: Option<u64>,
    /// The level of intervals.
    pub level: Level,
}

impl ShiftRequest<'_> {
    /// With a seed, and nothing known about the classes of the population.
    pub fn new(seed: u64) -> Self {
        ShiftRequest {
            seed,
            priors: None,
            labelled: None,
            learner: None,
            rows_with_new_levels: None,
            level: Level::P95,
        }
    }
}

/// Compares a training table with a population. Columns and levels are matched by name; the target of the training table is needed
/// for estimated priors and a labelled sample only. Weights of rows do not count: the tables are compared row by row.
///
/// # Errors
/// A table has no row; priors or labels of other classes.
pub fn diagnose_shift(tables: Sides<&Dataset>, request: &ShiftRequest<'_>) -> Result<ShiftDiagnosis, Error> {
    let Sides { training, population } = tables;
    for (table, name) in [(training, "training table"), (population, "population")] {
        if table.n_rows() == 0 {
            return Err(Error::data(format!("the {name} has no row; nothing can be compared")));
        }
    }
    let (paired, left_out) = paired_columns(training, population);
    let n_rows = Sides { training: training.n_rows(), population: population.n_rows() };
    let mut columns: Vec<ColumnShift> = paired.par_iter().map(column_shift).collect();
    adjust(&mut columns)?;
    let alone = contributions(&paired, n_rows, request.seed);
    let is_enough = n_rows.training.min(n_rows.population) >= FEWEST_ROWS;
    let judged = match is_enough && !paired.is_empty() {
        true => {
            let rows = DomainRows::new(&paired, n_rows, derive_seed(request.seed, &[0]))?;
            let domain = Domain::judge(&rows, derive_seed(request.seed, &[1]), request.level)?;
            Some((rows, domain))
        }
        false => None,
    };
    let judged = judged.as_ref().map(|(rows, domain)| (rows, domain));
    let drops = judged.map_or_else(FxHashMap::default, |(rows, domain)| {
        domain.drops(rows, &most_telling(&alone), derive_seed(request.seed, &[2]))
    });
    let outcome = match judged {
        Some((_, domain)) => DomainOutcome::Judged(domain.classifier.clone()),
        None if is_enough => DomainOutcome::NoColumns,
        None => DomainOutcome::TooFewRows { needed: FEWEST_ROWS as u64 },
    };
    let features = FeatureTests {
        p_domain: outcome.judged().map(|domain| domain.p),
        p_columns: tests_of(&columns).filter_map(ShiftTest::p_adjusted).reduce(f64::min),
    };
    Ok(ShiftDiagnosis {
        rows: n_rows.map(|n| n as u64),
        seed: request.seed,
        alpha: ALPHA,
        coverage: coverage::coverage(&paired, n_rows.population, judged, request),
        bias: evidence(training, request, features)?,
        domain: outcome,
        contributions: sorted(alone, &drops),
        columns,
        left_out,
    })
}

fn tests_of(columns: &[ColumnShift]) -> impl Iterator<Item = &ShiftTest> {
    columns.iter().flat_map(|column| [Some(&column.test), column.missing_test.as_ref()]).flatten()
}

/// Adjusts the p values of all tests of all columns together.
fn adjust(columns: &mut [ColumnShift]) -> Result<(), Error> {
    let p_values: Vec<f64> = tests_of(columns).filter_map(ShiftTest::p).collect();
    let adjusted = holm(&p_values).map_err(|error| Error::data(error.to_string()))?;
    let mut adjusted = adjusted.into_iter();
    for column in columns {
        for test in std::iter::once(&mut column.test).chain(column.missing_test.as_mut()) {
            if let Some(p) = test.p().and_then(|_| adjusted.next()) {
                test.adjust(p);
                column.is_shown |= p < ALPHA;
            }
        }
    }
    Ok(())
}

/// What each column tells by itself.
fn contributions(columns: &[PairedColumn<'_>], rows: Sides<usize>, seed: u64) -> Vec<ColumnContribution> {
    let truth: Vec<Option<bool>> =
        (0..rows.training + rows.population).map(|row| Some(row >= rows.training)).collect();
    let of_column = |paired: &PairedColumn<'_>| {
        let column = paired.of_all_rows();
        let has_missing = column.as_ref().is_some_and(|column| column.values().n_missing() > 0);
        ColumnContribution {
            column: paired.name.to_owned(),
            alone: column.as_ref().and_then(|column| alone(column, &truth, seed)),
            alone_by_presence: column
                .as_ref()
                .filter(|_| has_missing)
                .and_then(|column| alone_by_presence(column, &truth)),
            drop: None,
            drop_sd: None,
        }
    };
    columns.par_iter().map(of_column).collect()
}

impl PairedColumn<'_> {
    /// The values of all rows, those of the training table first.
    fn of_all_rows(&self) -> Option<Column> {
        let (kind, values) = match &self.values {
            PairedValues::Numbers(numbers) => {
                let values = [&*numbers.training, &*numbers.population].concat();
                (Kind::Numeric, Values::Numbers(values))
            }
            PairedValues::Codes { codes, .. } => {
                (self.kind.clone(), Values::Codes([&*codes.training, &*codes.population].concat()))
            }
        };
        Column::new(self.name, kind, values).ok()
    }
}

/// By its values or by whether it has one, whichever tells more.
fn tells(contribution: &ColumnContribution) -> f64 {
    let both = [&contribution.alone, &contribution.alone_by_presence];
    both.into_iter().flatten().map(|alone| alone.auroc).fold(0.5, f64::max)
}

/// The columns that are permuted: all, or of very many those that tell most by themselves.
fn most_telling(contributions: &[ColumnContribution]) -> Vec<String> {
    let mut order: Vec<&ColumnContribution> = contributions.iter().collect();
    if order.len() > MOST_PERMUTED {
        order.sort_by(|a, b| tells(b).total_cmp(&tells(a)));
        order.truncate(MOST_PERMUTED);
    }
    order.into_iter().map(|contribution| contribution.column.clone()).collect()
}

/// The most telling first, by the drop of the AUROC, then by what the column tells by itself.
fn sorted(
    contributions: Vec<ColumnContribution>,
    drops: &FxHashMap<String, AurocDrop>,
) -> Vec<ColumnContribution> {
    let with_drop = |contribution: ColumnContribution| {
        let drop = drops.get(&contribution.column);
        ColumnContribution {
            drop: drop.map(|drop| drop.mean),
            drop_sd: drop.map(|drop| drop.sd),
            ..contribution
        }
    };
    let mut found: Vec<ColumnContribution> = contributions.into_iter().map(with_drop).collect();
    let key = |contribution: &ColumnContribution| contribution.drop.unwrap_or(f64::NEG_INFINITY);
    found.sort_by(|a, b| key(b).total_cmp(&key(a)).then_with(|| tells(b).total_cmp(&tells(a))));
    found
}

fn evidence(
    training: &Dataset,
    request: &ShiftRequest<'_>,
    features: FeatureTests,
) -> Result<BiasEvidence, Error> {
    let priors = match (&request.priors, training.target()) {
        (Some(priors), Some(target)) => Some((target, priors)),
        (Some(_), None) => {
            return Err(Error::usage("estimated shares of classes need the target of the training table"));
        }
        (None, _) => None,
    };
    let labelled = match request.labelled {
        Some(sample) => {
            let usual = || "logit:l2=1,mark".parse();
            let learner = request.learner.clone().map_or_else(usual, Ok)?;
            Some(labelled_evidence(training, sample, &learner, ALPHA, derive_seed(request.seed, &[3]))?)
        }
        None => None,
    };
    bias_evidence(features, priors, labelled, ALPHA)
}
