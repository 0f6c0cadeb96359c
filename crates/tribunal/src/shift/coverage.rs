//! What the training table covers of the population: new levels, numbers beyond its range, and density ratios.
//!
//! The domain classifier's out-of-fold probability `p` of the population gives the density ratio `p / (1 - p) * n / m` for `n` rows of
//! the training table and `m` of the population (Sugiyama, Suzuki and Kanamori 2012). Rows where it exceeds [`CUT`] are called
//! uncovered: a learner sees a tenth of the rows there that it would see in a random sample of the same size.

use tribunal_eval::intervals::{Level, Proportion, wilson};
use tribunal_learn::MISSING;

use super::ShiftRequest;
use super::domain::Domain;
use super::domain_rows::DomainRows;
use super::paired_columns::{PairedColumn, PairedValues};
use super::regions::uncovered_regions;
use super::results::{Coverage, DensityCoverage, Sides};

/// Beyond this density ratio a row is uncovered.
pub const CUT: f64 = 10.0;

/// What is covered, with what density ratios say where there are any.
pub(super) fn coverage(
    columns: &[PairedColumn<'_>],
    n_population: usize,
    judged: Option<(&DomainRows, &Domain)>,
    request: &ShiftRequest<'_>,
) -> Coverage {
    let (mut has_new_level, mut is_beyond) = (vec![false; n_population], vec![false; n_population]);
    for column in columns {
        match &column.values {
            PairedValues::Numbers(numbers) => {
                let ends = |(low, high): (f64, f64), &x: &f64| (low.min(x), high.max(x));
                let (least, greatest) =
                    numbers.training.iter().fold((f64::INFINITY, f64::NEG_INFINITY), ends);
                let is_outside = |x: &f64| least <= greatest && (*x < least || *x > greatest);
                is_beyond.iter_mut().zip(&*numbers.population).for_each(|(is, x)| *is |= is_outside(x));
            }
            PairedValues::Codes { codes, levels } => {
                let mut is_known = vec![false; levels.len()];
                let known = codes.training.iter().filter(|code| **code != MISSING);
                known.for_each(|&code| is_known[code as usize] = true);
                let is_new = |code: &u32| *code != MISSING && !is_known[*code as usize];
                has_new_level.iter_mut().zip(&*codes.population).for_each(|(is, code)| *is |= is_new(code));
            }
        }
    }
    let count = |rows: Vec<bool>| rows.into_iter().filter(|is| *is).count() as u64;
    Coverage {
        rows_with_new_levels: request.rows_with_new_levels.unwrap_or_else(|| count(has_new_level)),
        rows_beyond_range: count(is_beyond),
        density: judged.and_then(|(rows, domain)| density_coverage(rows, domain, request.level)),
    }
}

fn density_coverage(rows: &DomainRows, domain: &Domain, level: Level) -> Option<DensityCoverage> {
    let n = rows.sampled.as_ref().map(Vec::len);
    let prior = n.training as f64 / n.population as f64;
    let is_uncovered = |score: &f64| score * prior > CUT * (1.0 - score);
    let (training, population) = domain.scores.split_at(n.training);
    let count = |scores: &[f64]| scores.iter().filter(|score| is_uncovered(score)).count() as f64;
    let uncovered = Sides {
        training: count(training) / n.training as f64,
        population: count(population) / n.population as f64,
    };
    let interval = wilson(Proportion::new(count(population), n.population as f64).ok()?, level);
    Some(DensityCoverage {
        cut: CUT,
        uncovered,
        lower: interval.lower,
        upper: interval.upper,
        level: level.get(),
        regions: uncovered_regions(rows, CUT),
    })
}
