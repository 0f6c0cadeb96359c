//! The selection model and the outcome model: logistic regressions on the columns of the strata and on the score.
//!
//! Numbers are standardised and enter by themselves and squared, levels as indicators. Large populations enter as a sample of one row
//! out of each of so many stretches of equal length.

use tribunal_eval::correction::{CorrectedFigure, ModelRows, OutcomeModel, SelectionModel, doubly_robust};
use tribunal_eval::intervals::Level;
use tribunal_eval::kmeans::Standardiser;
use tribunal_io::Labels;
use tribunal_learn::density_ratio::{LogisticRatio, SamplePair};
use tribunal_learn::encoding::Matrix;
use tribunal_random::Random;

use super::columns::{PairedValues, Tables};
use crate::error::Error;

/// Rows of the population that a selection model looks at.
const MOST_ROWS: usize = 100_000;
/// Levels with an indicator of their own, the commonest first.
const MOST_LEVELS: usize = 20;
/// Columns whose correlation is beyond this say the same.
const SAME: f64 = 1.0 - 1e-9;

/// The models of a correction.
pub(super) struct Models {
    actioned: Vec<Vec<f64>>,
    /// The rows of the population that were taken.
    rows: Vec<usize>,
    pub(super) selection: SelectionModel,
}

/// A column of both samples.
struct Feature {
    actioned: Vec<f64>,
    population: Vec<f64>,
}

impl Models {
    /// Fits the selection model.
    pub(super) fn fit(tables: &Tables, score: Option<&str>, seed: u64) -> Result<Self, Error> {
        let rows = taken_rows(tables.n_prevalence, seed);
        let mut features = Vec::new();
        for column in &tables.strata {
            match &column.values {
                PairedValues::Numbers { prevalence, incidence } => {
                    number(prevalence, incidence, &rows, &mut features)
                }
                PairedValues::Labels { prevalence, incidence, texts } => {
                    levels(prevalence, incidence, texts.len(), &rows, &mut features);
                }
            }
        }
        let is_among_strata = tables.strata.iter().any(|column| Some(column.name.as_str()) == score);
        if let (Some(prevalence), Some(incidence), false) =
            (&tables.scores.prevalence, &tables.scores.incidence, is_among_strata)
        {
            number(prevalence, incidence, &rows, &mut features);
        }
        let features = independent(features);
        if features.is_empty() {
            return Err(Error::data(
                "no column of the strata varies, so there is nothing to model a selection by",
            ));
        }
        let (actioned, population): (Vec<_>, Vec<_>) =
            features.into_iter().map(|feature| (feature.actioned, feature.population)).unzip();
        let coefficients = logit((&population, rows.len()), (&actioned, tables.n_incidence))?;
        let selection = SelectionModel::new(
            &model_rows(&actioned, tables.n_incidence),
            &model_rows(&population, rows.len()),
            &coefficients,
        )?;
        Ok(Self { actioned, rows, selection })
    }

    /// Rows of the population that were looked at.
    pub(super) fn n_rows(&self) -> usize {
        self.rows.len()
    }

    /// Strike rate, precision and recall by the selection model and an outcome model together.
    pub(super) fn doubly_robust(
        &self,
        tables: &Tables,
        truth: &[bool],
        cutoff: Option<f64>,
        level: Level,
    ) -> Result<Vec<CorrectedFigure>, Error> {
        let of_class = |class: bool| -> (Vec<Vec<f64>>, usize) {
            let chosen: Vec<usize> = (0..truth.len()).filter(|&row| truth[row] == class).collect();
            let pick = |column: &Vec<f64>| chosen.iter().map(|&row| column[row]).collect();
            (self.actioned.iter().map(pick).collect(), chosen.len())
        };
        let (positives, negatives) = (of_class(true), of_class(false));
        if positives.1 == 0 || negatives.1 == 0 {
            return Err(Error::data("all actioned cases are of one class, so there is no outcome to model"));
        }
        let coefficients = logit((&negatives.0, negatives.1), (&positives.0, positives.1))?;
        let flagged = match (&tables.scores.incidence, &tables.scores.prevalence, cutoff) {
            (Some(incidence), Some(prevalence), Some(cutoff)) => {
                let actioned: Vec<bool> = incidence.iter().map(|score| *score >= cutoff).collect();
                Some((
                    actioned,
                    self.rows.iter().map(|&row| prevalence[row] >= cutoff).collect::<Vec<bool>>(),
                ))
            }
            _ => None,
        };
        let flagged = flagged.as_ref().map(|(actioned, population)| (&actioned[..], &population[..]));
        let outcome = OutcomeModel { coefficients: &coefficients, flagged };
        Ok(doubly_robust(&self.selection, truth, outcome, level)?)
    }
}

/// All rows, or of a large population a random one out of each of so many stretches.
fn taken_rows(n_rows: usize, seed: u64) -> Vec<usize> {
    if n_rows <= MOST_ROWS {
        return (0..n_rows).collect();
    }
    let mut random = Random::derived(seed, &[2]);
    let start = |stretch: usize| (stretch as u128 * n_rows as u128 / MOST_ROWS as u128) as usize;
    (0..MOST_ROWS)
        .map(|stretch| {
            let (from, to) = (start(stretch), start(stretch + 1));
            from + random.below((to - from) as u64) as usize
        })
        .collect()
}

/// A number, its square, and whether it is missing.
fn number(prevalence: &[f64], incidence: &[f64], rows: &[usize], features: &mut Vec<Feature>) {
    let taken: Vec<f64> = rows.iter().map(|&row| prevalence[row]).collect();
    let scale = Standardiser::of(&[&taken]);
    // Actioned cases far beyond the population would weigh nothing; what lies beyond ten deviations says no more.
    let standard = |value: &f64| scale.value(0, *value).clamp(-10.0, 10.0);
    let of = |change: &dyn Fn(&f64) -> f64| Feature {
        actioned: incidence.iter().map(change).collect(),
        population: taken.iter().map(change).collect(),
    };
    features.push(of(&standard));
    features.push(of(&|value| standard(value).powi(2)));
    features.push(of(&|value| f64::from(u8::from(!value.is_finite()))));
}

/// Indicators of the commonest levels but the very commonest, which the others are compared with.
fn levels(
    prevalence: &[u32],
    incidence: &[u32],
    n_levels: usize,
    rows: &[usize],
    features: &mut Vec<Feature>,
) {
    let taken: Vec<u32> = rows.iter().map(|&row| prevalence[row]).collect();
    let place = |code: u32| if code == Labels::MISSING { n_levels } else { code as usize };
    let mut counts = vec![0u64; n_levels + 1];
    taken.iter().chain(incidence).for_each(|&code| counts[place(code)] += 1);
    let mut order: Vec<usize> = (0..=n_levels).filter(|&level| counts[level] > 0).collect();
    order.sort_by(|&a, &b| counts[b].cmp(&counts[a]).then(a.cmp(&b)));
    for &level in order.iter().skip(1).take(MOST_LEVELS) {
        let is_it = |code: &u32| f64::from(u8::from(place(*code) == level));
        features.push(Feature {
            actioned: incidence.iter().map(is_it).collect(),
            population: taken.iter().map(is_it).collect(),
        });
    }
}

/// Features that vary in the stack of both samples and that no feature before them repeats.
fn independent(features: Vec<Feature>) -> Vec<Feature> {
    let mut kept: Vec<Feature> = Vec::new();
    for feature in features {
        let repeats = |known: &Feature| correlation(known, &feature).is_none_or(|found| found.abs() > SAME);
        let varies = correlation(&feature, &feature).is_some();
        if varies && !kept.iter().any(repeats) {
            kept.push(feature);
        }
    }
    kept
}

/// The correlation of two features over both samples; nothing where one does not vary.
fn correlation(a: &Feature, b: &Feature) -> Option<f64> {
    let pairs = || {
        let (xs, ys) = (a.actioned.iter().chain(&a.population), b.actioned.iter().chain(&b.population));
        xs.zip(ys)
    };
    let n = (a.actioned.len() + a.population.len()) as f64;
    let (x, y) = pairs().fold((0.0, 0.0), |(x, y), (a, b)| (x + a / n, y + b / n));
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    pairs().for_each(|(a, b)| {
        xx += (a - x) * (a - x);
        yy += (b - y) * (b - y);
        xy += (a - x) * (b - y);
    });
    let varies = |squares: f64, mean: f64| squares > 1e-12 * n * (1.0 + mean * mean);
    (varies(xx, x) && varies(yy, y)).then(|| xy / (xx * yy).sqrt())
}

fn model_rows(columns: &[Vec<f64>], n_rows: usize) -> ModelRows<'_> {
    ModelRows { columns: columns.iter().map(Vec::as_slice).collect(), n_rows }
}

/// The coefficients of a logistic regression of ones against zeros, the intercept first.
fn logit(zeros: (&[Vec<f64>], usize), ones: (&[Vec<f64>], usize)) -> Result<Vec<f64>, Error> {
    let matrix = |(columns, n_rows): (&[Vec<f64>], usize)| {
        Matrix::from_values(n_rows, columns.len(), columns.concat())
    };
    let found = LogisticRatio::fit(&SamplePair::of_matrices(matrix(zeros)?, matrix(ones)?)?)?;
    Ok(std::iter::once(found.intercept).chain(found.slopes).collect())
}
