//! What naive Bayes keeps of a column: counts of codes, or means and deviations of numbers.

use serde::{Deserialize, Serialize};

use crate::column::MISSING;
use crate::encoding::NominalColumn;
use crate::training::Training;

/// A column, given the class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NbColumn {
    /// The weight of the rows of each code and class, code by code.
    Counts(Vec<f64>),
    /// A normal density for each class.
    Normal(Vec<Normal>),
}

/// A normal density.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Normal {
    pub(crate) mean: f64,
    pub(crate) deviation: f64,
}

/// No deviation is smaller than this share of that of the column ...
const LEAST_SHARE: f64 = 1e-3;
/// ... nor than this.
const LEAST_DEVIATION: f64 = 1e-9;

impl NbColumn {
    pub(crate) fn fit(column: &NominalColumn, training: &Training<'_>) -> Self {
        match column {
            NominalColumn::Codes { codes, n_codes } => {
                NbColumn::Counts(class_counts(codes, *n_codes, training))
            }
            NominalColumn::Numbers(numbers) => NbColumn::Normal(normals(numbers, training)),
        }
    }
}

/// So many cells are counted in several tables at a time, which do not wait for each other.
const FEW_CELLS: usize = 64;

/// The weight of the rows of each code and class, code by code.
pub(crate) fn class_counts(codes: &[u32], n_codes: usize, training: &Training<'_>) -> Vec<f64> {
    let n_classes = training.n_classes;
    let cell = |code: u32, class: u32| code as usize * n_classes + class as usize;
    let rows = codes.iter().zip(training.classes.iter());
    match &training.weights {
        // Whole counts, for speed; what is missing is counted in the cells behind, which are cut off.
        None if (n_codes + 1) * n_classes <= FEW_CELLS => {
            let missing = n_codes as u32;
            let mut tables = [[0_u32; FEW_CELLS]; 2];
            for (idx, (&code, &class)) in rows.enumerate() {
                tables[idx % 2][cell(code.min(missing), class) % FEW_CELLS] += 1;
            }
            let sums = tables[0].iter().zip(&tables[1]).map(|(a, b)| f64::from(a + b));
            sums.take(n_codes * n_classes).collect()
        }
        None => {
            let mut counts = vec![0_u32; n_codes * n_classes];
            let known = rows.filter(|(code, _)| **code != MISSING);
            known.for_each(|(&code, &class)| counts[cell(code, class)] += 1);
            counts.into_iter().map(f64::from).collect()
        }
        Some(weights) => {
            let mut counts = vec![0.0; n_codes * n_classes];
            for ((&code, &class), weight) in rows.zip(weights.iter()) {
                if code != MISSING {
                    counts[cell(code, class)] += weight;
                }
            }
            counts
        }
    }
}

/// The weight of each class over all codes.
pub(crate) fn class_totals(counts: &[f64], n_classes: usize) -> Vec<f64> {
    let mut totals = vec![0.0; n_classes];
    for of_code in counts.chunks_exact(n_classes) {
        totals.iter_mut().zip(of_code).for_each(|(total, count)| *total += count);
    }
    totals
}

/// The weight, the sum and the sum of squares of numbers, as distances from a number near them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moments {
    pub(crate) weight: f64,
    pub(crate) sum: f64,
    pub(crate) squares: f64,
}

impl Moments {
    pub(crate) fn add(&mut self, distance: f64, weight: f64) {
        self.weight += weight;
        self.sum += weight * distance;
        self.squares += weight * distance * distance;
    }

    pub(crate) fn less(&self, other: &Moments) -> Moments {
        Moments {
            weight: self.weight - other.weight,
            sum: self.sum - other.sum,
            squares: self.squares - other.squares,
        }
    }

    fn plus(&self, other: &Moments) -> Moments {
        Moments {
            weight: self.weight + other.weight,
            sum: self.sum + other.sum,
            squares: self.squares + other.squares,
        }
    }

    fn normal(&self, around: f64, least_deviation: f64) -> Option<Normal> {
        if self.weight <= 0.0 {
            return None;
        }
        let mean = self.sum / self.weight;
        let spread = (self.squares - self.sum * mean).max(0.0);
        // A weight of two counts like the row twice, so the divisor is one less than the weight; where weights are so
        // small that they cannot be counts, it is half of them at least.
        let variance = spread / (self.weight - 1.0).max(self.weight / 2.0);
        Some(Normal { mean: around + mean, deviation: variance.sqrt().max(least_deviation) })
    }
}

/// The number that moments are taken around: the mean of all that are known.
pub(crate) fn centre(numbers: &[f64]) -> f64 {
    let known = || numbers.iter().filter(|number| !number.is_nan());
    let n_known = known().count();
    // Divided before they are added, so that large numbers do not overflow.
    if n_known == 0 { 0.0 } else { known().map(|number| number / n_known as f64).sum() }
}

/// The moments of each class.
pub(crate) fn moments(numbers: &[f64], around: f64, training: &Training<'_>) -> Vec<Moments> {
    let mut moments = vec![Moments::default(); training.n_classes];
    for (row, (&number, &class)) in numbers.iter().zip(training.classes.iter()).enumerate() {
        if !number.is_nan() {
            moments[class as usize].add(number - around, training.weight(row));
        }
    }
    moments
}

/// The density of each class; one without numbers has that of all classes together.
pub(crate) fn normals_of(moments: &[Moments], around: f64) -> Vec<Normal> {
    let all = moments.iter().fold(Moments::default(), |all, class| all.plus(class));
    let overall = all.normal(around, LEAST_DEVIATION).unwrap_or(Normal { mean: around, deviation: 1.0 });
    let least = (LEAST_SHARE * overall.deviation).max(LEAST_DEVIATION);
    moments.iter().map(|class| class.normal(around, least).unwrap_or(overall)).collect()
}

fn normals(numbers: &[f64], training: &Training<'_>) -> Vec<Normal> {
    let around = centre(numbers);
    normals_of(&moments(numbers, around, training), around)
}

impl Normal {
    pub(crate) fn log_density(&self, number: f64) -> f64 {
        let z = (number - self.mean) / self.deviation;
        -0.5 * z * z - self.deviation.ln() - 0.5 * std::f64::consts::TAU.ln()
    }
}
