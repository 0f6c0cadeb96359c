//! Two-way analysis of variance: algorithms by folds, one value per cell, no interaction.
//!
//! Folds differ in difficulty for every algorithm alike; taking that difference out is what lets small differences
//! between algorithms show. The folds of one cross-validation share training rows, so its p values are approximate.
//! References: Fisher (1925), "Statistical methods for research workers"; Viaene, Derrig, Baesens & Dedene (2002) for
//! its use on classifiers.

use serde::{Deserialize, Serialize};

use super::effect::ratio;
use super::fold_table::{FoldTable, mean};
use tribunal_tails::f_sf;

/// Sums of squares below this share of the total are rounding.
const ROUNDING_OF_TOTAL: f64 = 1e-12;
/// Sums of squares below this share of the sum of squared values are rounding.
const ROUNDING_OF_VALUES: f64 = 1e-28;

/// One source of variation.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Source {
    /// The sum of squares.
    pub sum_of_squares: f64,
    /// The degrees of freedom.
    pub df: usize,
    /// The mean square over the mean square of the error; infinite when there is no error but a difference.
    #[serde(with = "crate::infinite")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub f: f64,
    /// The probability of so large an `f` by chance.
    pub p: f64,
}

/// The analysis of variance of a table of algorithms by folds.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Anova {
    /// The mean of all cells.
    pub grand_mean: f64,
    /// The mean of each algorithm.
    pub means: Vec<f64>,
    /// The total sum of squares.
    pub total: f64,
    /// Between algorithms.
    pub algorithm: Source,
    /// Between folds.
    pub fold: Source,
    /// Algorithms and folds together.
    pub model: Source,
    /// The sum of squared residuals; exactly 0 when it is mere rounding.
    pub error: f64,
    /// The degrees of freedom of the error.
    pub df_error: usize,
    /// The mean squared error.
    pub mse: f64,
    /// The number of folds.
    pub n_folds: usize,
}

impl Anova {
    /// The standard error of an algorithm's mean, `sqrt(MSE / folds)`.
    pub fn standard_error(&self) -> f64 {
        (self.mse / self.n_folds as f64).sqrt()
    }

    /// How far apart two means may lie and still count as equal: 0, or rounding when the residuals are all zero.
    pub(crate) fn rounding(&self) -> f64 {
        let largest = self.means.iter().fold(0.0, |largest: f64, mean| largest.max(mean.abs()));
        if self.mse > 0.0 { 0.0 } else { 1e-12 * largest }
    }
}

/// The two-way analysis of variance of a table.
///
/// **Definition** with grand mean `g`, row means `A_i` and column means `B_j` of `a` algorithms and `b` folds:
/// `SS_A = b sum (A_i - g)²`, `SS_B = a sum (B_j - g)²`, `SS_E = sum (y_ij - A_i - B_j + g)²` with
/// `(a - 1)(b - 1)` degrees of freedom; each `F` is a mean square over that of the error. `SS_E` up to `1e-12` of the
/// total counts as 0; then `F` is infinite and `p` 0 where there is a difference, and 0 and 1 where there is none.
///
/// **Undefined when** never, once the [`FoldTable`] exists.
///
/// **Example**
/// ```
/// use tribunal_eval::significance::{FoldTable, anova};
/// let cells = [("a", "1", 1.0), ("a", "2", 2.0), ("b", "1", 2.0), ("b", "2", 4.0), ("c", "1", 3.0), ("c", "2", 3.0)];
/// let analysis = anova(&FoldTable::from_cells(cells)?);
/// assert_eq!((analysis.algorithm.df, analysis.df_error), (2, 2));
/// assert!((analysis.algorithm.f - 3.0).abs() < 1e-12);
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** Fisher (1925).
pub fn anova(table: &FoldTable) -> Anova {
    let (a, b) = (table.algorithms().len(), table.folds().len());
    let sums = Sums::of(table);
    let df_error = (a - 1) * (b - 1);
    let mse = sums.error / df_error as f64;
    let source = |sum: f64, df: usize| Source::new(sum, df, mse, df_error);
    Anova {
        grand_mean: sums.grand_mean,
        total: sums.total,
        algorithm: source(sums.algorithms, a - 1),
        fold: source(sums.folds, b - 1),
        model: source(sums.algorithms + sums.folds, a + b - 2),
        means: sums.means,
        error: sums.error,
        df_error,
        mse,
        n_folds: b,
    }
}

/// The means and sums of squares of a table; where there is no error, what is mere rounding is exactly 0.
struct Sums {
    grand_mean: f64,
    means: Vec<f64>,
    total: f64,
    algorithms: f64,
    folds: f64,
    error: f64,
}

impl Sums {
    fn of(table: &FoldTable) -> Self {
        let (a, b) = (table.algorithms().len() as f64, table.folds().len() as f64);
        let (means, columns) = (table.means(), column_means(table));
        let g = mean(&means);
        let deviations = |means: &[f64]| means.iter().map(|m| (m - g) * (m - g)).sum::<f64>();
        let sums = Self {
            grand_mean: g,
            total: sum_of_squares(table, |_, _, y| y - g),
            algorithms: b * deviations(&means),
            folds: a * deviations(&columns),
            error: sum_of_squares(table, |i, j, y| y - means[i] - columns[j] + g),
            means,
        };
        sums.without_rounding(sum_of_squares(table, |_, _, y| y))
    }

    /// With an error that is rounding set to 0, and with it whatever else is; `squares` is the sum of squared values.
    fn without_rounding(self, squares: f64) -> Self {
        let rounding = (ROUNDING_OF_TOTAL * self.total).max(ROUNDING_OF_VALUES * squares);
        if self.error > rounding {
            return self;
        }
        let cut = |sum: f64| if sum > rounding { sum } else { 0.0 };
        let (total, algorithms, folds) = (cut(self.total), cut(self.algorithms), cut(self.folds));
        Self { total, algorithms, folds, error: 0.0, ..self }
    }
}

/// The sum over all cells of the square of `part`, given the cell's row, column and value.
fn sum_of_squares(table: &FoldTable, part: impl Fn(usize, usize, f64) -> f64) -> f64 {
    let of_row = |(i, row): (usize, &Vec<f64>)| {
        let squares = row.iter().enumerate().map(|(j, y)| part(i, j, *y).powi(2));
        squares.sum::<f64>()
    };
    table.rows().iter().enumerate().map(of_row).sum()
}

fn column_means(table: &FoldTable) -> Vec<f64> {
    let column = |fold: usize| table.rows().iter().map(|row| row[fold]).collect::<Vec<_>>();
    (0..table.folds().len()).map(|fold| mean(&column(fold))).collect()
}

impl Source {
    fn new(sum_of_squares: f64, df: usize, mse: f64, df_error: usize) -> Self {
        let f = ratio(sum_of_squares / df as f64, mse);
        Self { sum_of_squares, df, f, p: f_sf(f, df as f64, df_error as f64) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fold_table::tests::{table, worked};
    use super::*;

    #[test]
    fn the_worked_table() {
        let analysis = anova(&worked());
        for (found, expected, tolerance) in [
            (analysis.grand_mean, 85.049333, 5e-7),
            (analysis.total, 434.356573, 5e-7),
            (analysis.algorithm.sum_of_squares, 166.626153, 5e-7),
            (analysis.fold.sum_of_squares, 141.918807, 5e-7),
            (analysis.error, 125.811613, 5e-7),
            (analysis.mse, 2.795814, 5e-7),
            (analysis.algorithm.f, 11.919690, 5e-7),
            (analysis.algorithm.p, 2.249430e-7, 5e-14),
            (analysis.fold.f, 5.640131, 5e-7),
            (analysis.fold.p, 3.350250e-5, 5e-12),
            (analysis.model.f, 7.882831, 5e-7),
            (analysis.model.p, 4.726096e-8, 5e-15),
            (analysis.standard_error(), 0.528755, 5e-7),
        ] {
            assert!((found - expected).abs() <= tolerance, "{found}, expected {expected}");
        }
        assert_eq!(
            (analysis.algorithm.df, analysis.fold.df, analysis.df_error, analysis.model.df),
            (5, 9, 45, 14)
        );
        for (found, expected) in analysis.means.iter().zip([86.228, 81.662, 86.608, 85.983, 85.386, 84.429]) {
            assert!((found - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn degrees_of_freedom_of_the_published_tables() {
        for (algorithms, df_error) in [(23, 198), (24, 207), (26, 225), (27, 234)] {
            let rows = vec![vec![0.5; 10]; algorithms];
            assert_eq!(anova(&table(&rows)).df_error, df_error);
        }
    }

    #[test]
    fn parallel_rows_have_no_error() {
        let analysis = anova(&table(&[vec![0.1, 0.2, 0.4], vec![0.2, 0.3, 0.5]]));
        assert_eq!((analysis.error, analysis.mse), (0.0, 0.0));
        assert_eq!((analysis.algorithm.f, analysis.algorithm.p), (f64::INFINITY, 0.0));
    }

    #[test]
    fn equal_cells_have_no_variation_at_all() {
        let analysis = anova(&table(&vec![vec![0.1; 7]; 3]));
        assert_eq!((analysis.total, analysis.error), (0.0, 0.0));
        assert_eq!((analysis.algorithm.f, analysis.algorithm.p), (0.0, 1.0));
        assert_eq!((analysis.model.f, analysis.model.p), (0.0, 1.0));
    }

    #[test]
    fn equal_rows_differ_between_folds_only() {
        let analysis = anova(&table(&vec![vec![0.1, 0.3, 0.7]; 3]));
        assert_eq!((analysis.algorithm.f, analysis.algorithm.p), (0.0, 1.0));
        assert_eq!((analysis.fold.f, analysis.fold.p), (f64::INFINITY, 0.0));
    }
}
