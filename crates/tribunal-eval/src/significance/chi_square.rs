//! Pearson's chi-square test of homogeneity: whether two samples have the same shares of each level.
//!
//! The approximation needs cells in which cases are to be expected. Levels are to be pooled before, by their rows in both samples
//! together and never by how these differ, or the test would choose its own evidence; [`pooled_cells`] does that.
//!
//! References: Pearson (1900); Cochran (1954), "Some methods for strengthening the common chi-square tests".

use serde::{Deserialize, Serialize};
use tribunal_tails::chi_square_sf;

use crate::checks::at_least;
use crate::error::Error;

/// How many cases are to be expected in a cell of either sample that stands by itself.
pub const LEAST_EXPECTED_CASES: f64 = 5.0;

/// The rows of a level in either sample.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TwoCounts {
    /// Rows of the first sample.
    pub first: u64,
    /// Rows of the second sample.
    pub second: u64,
}

impl TwoCounts {
    /// Rows of both.
    pub fn total(self) -> u64 {
        self.first + self.second
    }

    fn plus(self, other: TwoCounts) -> TwoCounts {
        TwoCounts { first: self.first + other.first, second: self.second + other.second }
    }
}

/// The outcome of a chi-square test.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChiSquare {
    /// The statistic.
    pub statistic: f64,
    /// Degrees of freedom, one less than there are cells.
    pub df: usize,
    /// The chance of so large a statistic if both samples have the same shares.
    pub p: f64,
}

/// The levels as cells of a chi-square test: those in which fewer than five cases are to be expected, in one sample or the other,
/// become one cell; where that still expects too few, the least frequent other cell joins it.
///
/// ```
/// use tribunal_eval::significance::{TwoCounts, pooled_cells};
/// let levels = [(40, 30), (35, 25), (3, 1), (2, 4)].map(|(first, second)| TwoCounts { first, second });
/// assert_eq!(pooled_cells(&levels), [(40, 30), (40, 30)].map(|(first, second)| TwoCounts { first, second }));
/// ```
pub fn pooled_cells(levels: &[TwoCounts]) -> Vec<TwoCounts> {
    let all = levels.iter().fold(TwoCounts::default(), |sum, level| sum.plus(*level));
    let least_share = all.first.min(all.second) as f64 / all.total().max(1) as f64;
    let is_enough = |cell: &TwoCounts| cell.total() as f64 * least_share >= LEAST_EXPECTED_CASES;
    let (mut cells, rare): (Vec<TwoCounts>, Vec<TwoCounts>) =
        levels.iter().filter(|level| level.total() > 0).copied().partition(is_enough);
    cells.sort_by_key(|cell| std::cmp::Reverse((cell.total(), cell.first)));
    let mut rest = rare.into_iter().fold(TwoCounts::default(), TwoCounts::plus);
    while rest.total() > 0 && !is_enough(&rest) {
        let Some(least) = cells.pop() else { break };
        rest = rest.plus(least);
    }
    if rest.total() > 0 {
        cells.push(rest);
    }
    cells
}

/// Pearson's chi-square test of equal shares in two samples, without a correction for continuity.
///
/// **Definition** `sum (O - E)² / E` over the cells of both samples, with `E` the rows of the sample times the share of the cell in
/// both together; one degree of freedom less than there are cells.
///
/// **Undefined when** there are fewer than two cells with a row, or a sample has none.
///
/// **Example**
/// ```
/// use tribunal_eval::significance::{TwoCounts, chi_square_homogeneity};
/// let cells = [(10, 20), (20, 20), (30, 20)].map(|(first, second)| TwoCounts { first, second });
/// let test = chi_square_homogeneity(&cells)?;
/// assert!((test.statistic - 16.0 / 3.0).abs() < 1e-12 && test.df == 2 && (test.p - (-8.0_f64 / 3.0).exp()).abs() < 1e-12);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Pearson (1900).
pub fn chi_square_homogeneity(cells: &[TwoCounts]) -> Result<ChiSquare, Error> {
    let cells: Vec<TwoCounts> = cells.iter().filter(|cell| cell.total() > 0).copied().collect();
    at_least("levels", cells.len(), 2)?;
    let all = cells.iter().fold(TwoCounts::default(), |sum, cell| sum.plus(*cell));
    at_least("rows of the first sample", all.first as usize, 1)?;
    at_least("rows of the second sample", all.second as usize, 1)?;
    let share = all.first as f64 / all.total() as f64;
    // Both samples deviate by as many cases: their squares over the expected ones add up to those over n p (1 - p).
    let term = |cell: &TwoCounts| {
        let n = cell.total() as f64;
        (cell.first as f64 - n * share).powi(2) / (n * share * (1.0 - share))
    };
    let statistic = cells.iter().map(term).sum();
    let df = cells.len() - 1;
    Ok(ChiSquare { statistic, df, p: chi_square_sf(statistic, df) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tribunal_random::Random;

    fn counts(cells: &[(u64, u64)]) -> Vec<TwoCounts> {
        cells.iter().map(|&(first, second)| TwoCounts { first, second }).collect()
    }

    #[test]
    fn what_cannot_be_compared_is_refused() {
        assert!(chi_square_homogeneity(&counts(&[(3, 4)])).is_err());
        assert!(chi_square_homogeneity(&counts(&[(3, 0), (4, 0)])).is_err());
        assert!(chi_square_homogeneity(&counts(&[(3, 1), (0, 0)])).is_err());
    }

    #[test]
    fn pooling_keeps_all_rows_and_leaves_no_cell_with_few_expected_cases() {
        let mut random = Random::new(3);
        for _ in 0..200 {
            let levels: Vec<TwoCounts> =
                (0..30).map(|_| TwoCounts { first: random.below(30), second: random.below(6) }).collect();
            let cells = pooled_cells(&levels);
            let sum =
                |cells: &[TwoCounts]| cells.iter().fold(TwoCounts::default(), |sum, cell| sum.plus(*cell));
            let all = sum(&levels);
            assert_eq!(sum(&cells), all);
            let least = all.first.min(all.second) as f64 / all.total() as f64;
            let expects = |cell: &TwoCounts| cell.total() as f64 * least >= LEAST_EXPECTED_CASES;
            assert!(cells.len() < 2 || cells.iter().all(expects), "{cells:?}");
        }
    }

    #[test]
    fn one_row_leaves_one_cell() {
        assert_eq!(pooled_cells(&counts(&[(1000, 1), (500, 0)])).len(), 1);
        assert!(pooled_cells(&[]).is_empty());
    }

    /// Skewed levels, most of them rare, some in one sample only.
    #[test]
    fn the_null_hypothesis_is_rejected_as_often_as_it_says() {
        let mut random = Random::new(9);
        for (n, m) in [(400, 400), (3000, 150)] {
            let mut n_rejected = 0;
            for _ in 0..1000 {
                let mut levels = vec![TwoCounts::default(); 60];
                let draw = |random: &mut Random| (60.0 * random.uniform().powi(4)) as usize;
                (0..n).for_each(|_| levels[draw(&mut random)].first += 1);
                (0..m).for_each(|_| levels[draw(&mut random)].second += 1);
                n_rejected +=
                    usize::from(chi_square_homogeneity(&pooled_cells(&levels)).expect("cells").p < 0.05);
            }
            assert!((30..=70).contains(&n_rejected), "{n} and {m}: {n_rejected} of 1000");
        }
    }
}
