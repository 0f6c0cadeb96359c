//! What naive Bayes keeps of a column: counts of codes, or means and deviations of numbers.

use serde::{Deserialize, Serialize};

use crate::column::MISSING;
use crate::encoding::{NominalColumn, power_of_two};
use crate::model_shape::are_weights;
use crate::training::Training;

/// A column, given the class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NbColumn {
    /// The weight of the rows of each code and class, code by code.
    Counts(Vec<f64>),
    /// A normal density for each class.
    Normal(Vec<Normal>),
    /// Numbers of which the training rows show one at most: they say nothing about the class, whatever another row brings.
    Constant,
}

/// A normal density.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Normal {
    pub(crate) mean: f64,
    pub(crate) deviation: f64,
}

/// No deviation is smaller than this share of that of the column over all classes, so that a class whose numbers are all
/// alike is sure, but not so sure that no other column has a say. It is relative to the column itself: the unit of
/// measurement does not matter, of this column or of any other (scikit-learn takes 1e-9 of the largest variance of all
/// columns, which makes millimetres beside kilometres count for nothing).
const LEAST_SHARE: f64 = 1e-3;
/// Numbers that are so many deviations away from the mean are no less likely than others further out: the square would
/// leave the range of numbers.
const FARTHEST: f64 = 1e150;

impl NbColumn {
    pub(crate) fn fit(column: &NominalColumn, training: &Training<'_>) -> Self {
        match column {
            NominalColumn::Codes { codes, n_codes } => {
                NbColumn::Counts(class_counts(codes, *n_codes, training))
            }
            NominalColumn::Numbers(numbers) => {
                let unit = unit_of(numbers);
                let of_class = moments(numbers, unit, training, training.n_classes, |row| {
                    training.classes[row] as usize
                });
                normals_of(&of_class, unit).map_or(NbColumn::Constant, NbColumn::Normal)
            }
        }
    }

    /// Whether it can be part of a model of so many classes.
    pub(crate) fn is_sound(&self, n_classes: usize) -> bool {
        let is_normal = |normal: &Normal| {
            normal.mean.is_finite() && normal.deviation.is_finite() && normal.deviation > 0.0
        };
        match self {
            NbColumn::Counts(counts) => counts.len().is_multiple_of(n_classes) && are_weights(counts),
            NbColumn::Normal(normals) => normals.len() == n_classes && normals.iter().all(is_normal),
            NbColumn::Constant => true,
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

/// Whether rows show one code at most; such a column says nothing about the class.
pub(crate) fn is_constant(counts: &[f64], n_classes: usize) -> bool {
    let occurs = |of_code: &&[f64]| of_code.iter().any(|&count| count > 0.0);
    counts.chunks_exact(n_classes).filter(occurs).nth(1).is_none()
}

/// The weight of each class over all codes.
pub(crate) fn class_totals(counts: &[f64], n_classes: usize) -> Vec<f64> {
    let mut totals = vec![0.0; n_classes];
    for of_code in counts.chunks_exact(n_classes) {
        totals.iter_mut().zip(of_code).for_each(|(total, count)| *total += count);
    }
    totals
}

/// The weight of numbers, their mean, the sum of their squared distances from it, and the ends of their range.
///
/// Numbers are taken in a unit near the largest of them, so that no square leaves the range of doubles. Parts are merged
/// (Chan, Golub and LeVeque 1983) and never subtracted: what remains of a constant after a subtraction need not be zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moments {
    weight: f64,
    mean: f64,
    squares: f64,
    least: f64,
    most: f64,
}

impl Default for Moments {
    fn default() -> Self {
        Moments { weight: 0.0, mean: 0.0, squares: 0.0, least: f64::INFINITY, most: f64::NEG_INFINITY }
    }
}

impl Moments {
    /// A single number.
    pub(crate) fn of(number: f64, weight: f64) -> Self {
        Moments { weight, mean: number, squares: 0.0, least: number, most: number }
    }

    /// These numbers and others.
    pub(crate) fn merged(&self, other: &Moments) -> Moments {
        let weight = self.weight + other.weight;
        let share = if weight > 0.0 { other.weight / weight } else { 0.0 };
        let apart = if self.weight > 0.0 { other.mean - self.mean } else { 0.0 };
        Moments {
            weight,
            mean: if self.weight > 0.0 { self.mean + apart * share } else { other.mean },
            squares: self.squares + other.squares + apart * apart * self.weight * share,
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }

    fn normal(&self, least_deviation: f64) -> Option<Normal> {
        if self.weight <= 0.0 {
            return None;
        }
        // A weight of two counts like the row twice, so the divisor is one less than the weight; where weights are so
        // small that they cannot be counts, it is half of them at least.
        let variance = self.squares / (self.weight - 1.0).max(self.weight / 2.0);
        Some(Normal { mean: self.mean, deviation: variance.sqrt().max(least_deviation) })
    }
}

/// A power of two near the largest number, in which moments are taken.
pub(crate) fn unit_of(numbers: &[f64]) -> f64 {
    let known = numbers.iter().filter(|number| !number.is_nan());
    power_of_two(known.fold(0.0, |largest, number| number.abs().max(largest)))
}

/// The moments of the numbers of each group, in a unit. Distances are taken from the first number of the group and then from
/// its mean, so that numbers that are all alike have the squares zero.
pub(crate) fn moments(
    numbers: &[f64],
    unit: f64,
    training: &Training<'_>,
    n_groups: usize,
    group: impl Fn(usize) -> usize,
) -> Vec<Moments> {
    let known = || {
        let numbers = numbers.iter().enumerate().filter(|(_, number)| !number.is_nan());
        numbers.map(|(row, &number)| (group(row), number / unit, training.weight(row)))
    };
    let mut of_group = vec![Moments::default(); n_groups];
    let mut sums = vec![0.0; n_groups];
    for (group, number, weight) in known() {
        let of_group = &mut of_group[group];
        if of_group.weight <= 0.0 {
            of_group.mean = number;
        }
        of_group.weight += weight;
        sums[group] += weight * (number - of_group.mean);
        of_group.least = of_group.least.min(number);
        of_group.most = of_group.most.max(number);
    }
    for (of_group, sum) in of_group.iter_mut().zip(sums).filter(|(of_group, _)| of_group.weight > 0.0) {
        of_group.mean += sum / of_group.weight;
    }
    for (group, number, weight) in known() {
        let distance = number - of_group[group].mean;
        of_group[group].squares += weight * distance * distance;
    }
    of_group
}

/// The density of each class from moments in a unit; one without numbers has that of all classes together. `None` where all
/// numbers are the same, or there are none.
pub(crate) fn normals_of(of_class: &[Moments], unit: f64) -> Option<Vec<Normal>> {
    let all = of_class.iter().fold(Moments::default(), |all, class| all.merged(class));
    let overall = all.normal(0.0).filter(|_| all.least < all.most)?;
    let least = LEAST_SHARE * overall.deviation;
    let normal = |class: &Moments| class.normal(least).unwrap_or(overall).in_units(unit);
    Some(of_class.iter().map(normal).collect())
}

impl Normal {
    /// The density of numbers that were divided by a unit.
    fn in_units(&self, unit: f64) -> Normal {
        let deviation = (self.deviation * unit).clamp(f64::MIN_POSITIVE, f64::MAX);
        Normal { mean: (self.mean * unit).clamp(f64::MIN, f64::MAX), deviation }
    }

    pub(crate) fn log_density(&self, number: f64) -> f64 {
        let distance = number - self.mean;
        let z = if distance.is_finite() {
            distance / self.deviation
        } else {
            number / self.deviation - self.mean / self.deviation
        };
        let z = z.clamp(-FARTHEST, FARTHEST);
        -0.5 * z * z - self.deviation.ln() - 0.5 * std::f64::consts::TAU.ln()
    }
}
