//! Duncan's multiple range test on the two-way analysis of variance.
//!
//! The more means a pair spans, the further apart they must lie, but the error is held per comparison, not per family:
//! the test finds more differences than Tukey's and warrants fewer of them. References: Duncan (1955), "Multiple range
//! and multiple F tests"; Harter (1960), "Critical values for Duncan's new multiple range test".

use serde::{Deserialize, Serialize};

use super::anova::{Anova, anova};
use super::effect::ratio;
use super::fold_table::FoldTable;
use super::studentized_range::StudentizedRange;
use super::subsets::Subsets;
use crate::intervals::{Level, Unusable};

/// Which analysis of variance must be significant before single means are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// The algorithms must differ.
    #[default]
    Algorithm,
    /// Algorithms and folds together must differ.
    Model,
    /// Means are compared in any case.
    None,
}

impl Gate {
    /// Whether the analysis lets the comparison of means go on.
    fn open(self, analysis: &Anova, level: Level) -> bool {
        match self {
            Gate::Algorithm => analysis.algorithm.p < level.alpha(),
            Gate::Model => analysis.model.p < level.alpha(),
            Gate::None => true,
        }
    }
}

/// How far apart two means must lie.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CriticalRange {
    /// The number of means spanned, the two included.
    pub n_means: usize,
    /// The quantile of the studentized range, before the running maximum.
    pub q: f64,
    /// The difference from which on two means differ, in units of the table.
    pub range: f64,
}

/// The outcome of Duncan's test.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Duncan {
    /// One less the error per comparison.
    pub level: Level,
    /// What had to be significant first.
    pub gate: Gate,
    /// Whether it was; if not, all algorithms are in one subset.
    pub gate_open: bool,
    /// The analysis of variance.
    pub anova: Anova,
    /// The critical ranges for 2 means up to all of them.
    pub critical_ranges: Vec<CriticalRange>,
    /// The algorithms that cannot be told apart.
    pub subsets: Subsets,
}

/// Duncan's multiple range test.
///
/// **Definition** two means that span `p` ranks differ when they lie at least `R_p = max(R_(p-1), q_p SE)` apart, `q_p`
/// being the quantile of the studentized range of `p` means at probability `level^(p-1)` and `SE = sqrt(MSE / folds)`,
/// unless a wider span around both does not differ. Without residuals every difference counts.
///
/// **Undefined when** never, once the [`FoldTable`] exists.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::Level;
/// use tribunal_eval::significance::{FoldTable, Gate, duncan};
/// let cells = [
///     ("a", "1", 0.80), ("a", "2", 0.81), ("a", "3", 0.83),
///     ("b", "1", 0.79), ("b", "2", 0.82), ("b", "3", 0.82),
///     ("c", "1", 0.60), ("c", "2", 0.61), ("c", "3", 0.64),
/// ];
/// let outcome = duncan(&FoldTable::from_cells(cells)?, Level::P95, Gate::Algorithm)?;
/// assert_eq!(outcome.subsets.members(), [vec![0, 1], vec![2]]);
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** Duncan (1955).
pub fn duncan(table: &FoldTable, level: Level, gate: Gate) -> Result<Duncan, Unusable> {
    let anova = anova(table);
    let critical_ranges = critical_ranges(&anova, level)?;
    let gate_open = gate.open(&anova, level);
    let gains: Vec<f64> = anova.means.iter().map(|mean| table.better().as_gain(*mean)).collect();
    let rounding = anova.rounding();
    let subsets = if gate_open {
        Subsets::step_down(&gains, |d, n| d > rounding && d >= critical_ranges[n - 2].range)
    } else {
        Subsets::all_together(&gains)
    };
    Ok(Duncan { level, gate, gate_open, anova, critical_ranges, subsets })
}

/// The critical ranges of a table, for 2 means up to all of them.
fn critical_ranges(anova: &Anova, level: Level) -> Result<Vec<CriticalRange>, Unusable> {
    let quantiles = duncan_quantiles(anova.means.len(), anova.df_error as f64, level)?;
    let (standard_error, mut range) = (anova.standard_error(), 0.0_f64);
    let with_running_maximum = |(index, q): (usize, f64)| {
        range = range.max(q * standard_error);
        CriticalRange { n_means: index + 2, q, range }
    };
    Ok(quantiles.into_iter().enumerate().map(with_running_maximum).collect())
}

/// Duncan's studentized ranges for 2 means up to `max_means`, before the running maximum.
///
/// **Definition** the quantile of the studentized range of `p` means at probability `level^(p-1)`. With few degrees of
/// freedom it falls again as `p` grows; the test uses the largest so far.
///
/// **Undefined when** there are fewer than two means or less than one degree of freedom.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::Level;
/// use tribunal_eval::significance::duncan_quantiles;
/// let q = duncan_quantiles(3, 198.0, Level::P95)?;
/// assert!((q[0] - 2.788854).abs() < 1e-6 && (q[1] - 2.935636).abs() < 1e-6);
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** Duncan (1955); Harter (1960).
pub fn duncan_quantiles(max_means: usize, df: f64, level: Level) -> Result<Vec<f64>, Unusable> {
    let mut range = StudentizedRange::new(max_means, df)?;
    let probability = |n_means: usize| libm::pow(level.get(), n_means as f64 - 1.0);
    (2..=max_means).map(|n_means| range.quantile(probability(n_means), n_means)).collect()
}

/// A pair of algorithms and how surely they differ on their own span.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DuncanPair {
    /// The better of the two, by position in the table.
    pub better: usize,
    /// The worse of the two.
    pub worse: usize,
    /// The difference of their means, never negative.
    pub difference: f64,
    /// The number of ranks they span.
    pub n_means: usize,
    /// Duncan's p value on that span alone.
    pub p: f64,
}

/// Duncan's p value of each pair, on its own span only.
///
/// **Definition** `1 - P(Q <= d / SE)^(1 / (m - 1))` for a difference `d` that spans `m` means. There is no containment
/// here, so a pair may be significant inside a wider span that is not; [`duncan()`] would keep it together.
///
/// **Undefined when** never, once the [`FoldTable`] exists. Without residuals, p is 0 for a difference and 1 for none.
///
/// **Example**
/// ```
/// use tribunal_eval::significance::{FoldTable, duncan_pairwise_p};
/// let cells = [("a", "1", 0.80), ("a", "2", 0.83), ("b", "1", 0.70), ("b", "2", 0.72)];
/// let pairs = duncan_pairwise_p(&FoldTable::from_cells(cells)?)?;
/// // Two means only: Duncan's test is the t test.
/// assert_eq!((pairs[0].better, pairs[0].worse), (0, 1));
/// assert!((pairs[0].p - 0.030292).abs() < 1e-6);
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** Duncan (1955); de Mendiburu (2009), agricolae, for the form.
pub fn duncan_pairwise_p(table: &FoldTable) -> Result<Vec<DuncanPair>, Unusable> {
    let anova = anova(table);
    let mut range = StudentizedRange::new(anova.means.len(), anova.df_error as f64)?;
    let gains: Vec<f64> = anova.means.iter().map(|mean| table.better().as_gain(*mean)).collect();
    let order = Subsets::all_together(&gains).order().to_vec();
    let mut pairs = Vec::new();
    for (rank, &better) in order.iter().enumerate() {
        for (distance, &worse) in order[rank + 1..].iter().enumerate() {
            let (difference, n_means) = (gains[better] - gains[worse], distance + 2);
            let p = pair_p(difference, n_means, &anova, &mut range)?;
            pairs.push(DuncanPair { better, worse, difference, n_means, p });
        }
    }
    Ok(pairs)
}

fn pair_p(
    difference: f64,
    n_means: usize,
    anova: &Anova,
    range: &mut StudentizedRange,
) -> Result<f64, Unusable> {
    let q = ratio(if difference > anova.rounding() { difference } else { 0.0 }, anova.standard_error());
    let tail = range.sf(q, n_means)?;
    // One minus a root of one minus the tail, without losing a small tail.
    Ok(-libm::expm1(libm::log1p(-tail) / (n_means as f64 - 1.0)))
}

#[cfg(test)]
mod tests {
    use super::super::fold_table::tests::{table, worked};
    use super::*;

    fn check_all(found: impl IntoIterator<Item = f64>, expected: &[f64], tolerance: f64) {
        let found: Vec<f64> = found.into_iter().collect();
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() <= tolerance, "{found}, expected {expected}");
        }
    }

    /// Duncan's ranges at 5 % for 2 to 27 means, at the degrees of freedom of 23, 24, 26 and 27 algorithms in ten
    /// folds; computed independently by scipy, by quadrature and, up to 21 means, by R.
    #[test]
    fn quantiles_of_the_published_tables() {
        let columns = [198.0, 207.0, 225.0, 234.0];
        let expected = [
            [2.788854, 2.788108, 2.786797, 2.786218],
            [2.935636, 2.934884, 2.933562, 2.932977],
            [3.033541, 3.032804, 3.031508, 3.030935],
            [3.105616, 3.104906, 3.103656, 3.103103],
            [3.161857, 3.161180, 3.159989, 3.159462],
            [3.207471, 3.206832, 3.205707, 3.205210],
            [3.245499, 3.244901, 3.243849, 3.243384],
            [3.277867, 3.277313, 3.276336, 3.275905],
            [3.305865, 3.305355, 3.304458, 3.304061],
            [3.330397, 3.329933, 3.329117, 3.328756],
            [3.352120, 3.351704, 3.350971, 3.350646],
            [3.371528, 3.371159, 3.370510, 3.370223],
            [3.388996, 3.388675, 3.388111, 3.387862],
            [3.404819, 3.404547, 3.404069, 3.403857],
            [3.419232, 3.419010, 3.418618, 3.418444],
            [3.432425, 3.432251, 3.431946, 3.431811],
            [3.444552, 3.444428, 3.444210, 3.444113],
            [3.455742, 3.455667, 3.455536, 3.455478],
            [3.466102, 3.466077, 3.466033, 3.466014],
            [3.475723, 3.475748, 3.475792, 3.475811],
            [3.484682, 3.484757, 3.484888, 3.484947],
            [3.493046, 3.493170, 3.493389, 3.493486],
            [3.500872, 3.501045, 3.501352, 3.501488],
            [3.508209, 3.508432, 3.508826, 3.509000],
            [3.515101, 3.515373, 3.515854, 3.516067],
            [3.521586, 3.521907, 3.522475, 3.522727],
        ];
        for (column, df) in columns.into_iter().enumerate() {
            let q = duncan_quantiles(27, df, Level::P95).expect("means and degrees of freedom");
            check_all(q, &expected.map(|row| row[column]), 5.01e-7);
        }
    }

    /// The same for other degrees of freedom: raw quantiles, and how far the largest so far reaches.
    #[test]
    fn quantiles_with_other_degrees_of_freedom() {
        let spans = [2, 3, 4, 5, 6, 8, 10, 20];
        let expected = [
            (1.0, [17.9693, 13.7847, 11.4193, 9.8740, 8.7747, 7.2990, 6.3420, 4.1674]),
            (5.0, [3.6354, 3.7485, 3.7965, 3.8137, 3.8144, 3.7910, 3.7524, 3.5265]),
            (10.0, [3.1511, 3.2928, 3.3763, 3.4297, 3.4652, 3.5052, 3.5218, 3.4865]),
            (20.0, [2.9500, 3.0965, 3.1896, 3.2546, 3.3026, 3.3678, 3.4086, 3.4732]),
            (60.0, [2.8288, 2.9759, 3.0729, 3.1434, 3.1978, 3.2771, 3.3327, 3.4675]),
            (120.0, [2.8000, 2.9469, 3.0446, 3.1163, 3.1720, 3.2544, 3.3135, 3.4665]),
            (f64::INFINITY, [2.7718, 2.9184, 3.0167, 3.0893, 3.1463, 3.2317, 3.2941, 3.4655]),
        ];
        for (df, expected) in expected {
            let q = duncan_quantiles(20, df, Level::P95).expect("means and degrees of freedom");
            check_all(spans.map(|n_means: usize| q[n_means - 2]), &expected, 5.01e-5);
        }
    }

    #[test]
    fn critical_ranges_never_fall() {
        // Two folds of 2 algorithms leave 1 degree of freedom, of 6 leave 5, of 11 leave 10.
        let largest = |n_algorithms: usize| {
            let row = |i: usize| vec![(i * i % 7) as f64, (i * 3 % 5) as f64];
            let outcome =
                duncan(&table(&(0..n_algorithms).map(row).collect::<Vec<_>>()), Level::P95, Gate::None);
            let outcome = outcome.expect("a table");
            let q = outcome.critical_ranges.iter().map(|range| range.q).fold(0.0, f64::max);
            let last = outcome.critical_ranges.last().expect("at least two algorithms").range;
            assert!((last - q * outcome.anova.standard_error()).abs() < 1e-12);
            assert!(outcome.critical_ranges.windows(2).all(|pair| pair[0].range <= pair[1].range));
            q
        };
        check_all([2, 6].map(largest), &[17.9693, 3.8144], 5.01e-5);
        assert!(largest(11) >= 3.5218);
    }

    #[test]
    fn the_worked_table() {
        let outcome = duncan(&worked(), Level::P95, Gate::Algorithm).expect("a table");
        assert!(outcome.gate_open);
        let q = [2.848372, 2.995440, 3.091920, 3.161684, 3.215093];
        check_all(outcome.critical_ranges.iter().map(|range| range.q), &q, 5e-7);
        let ranges = [1.506090, 1.583852, 1.634867, 1.671755, 1.699995];
        check_all(outcome.critical_ranges.iter().map(|range| range.range), &ranges, 5e-7);
        assert_eq!(outcome.subsets.order(), [2, 0, 3, 4, 5, 1]);
        assert_eq!(outcome.subsets.members(), [vec![2, 0, 3, 4], vec![3, 4, 5], vec![1]]);
        assert_eq!(outcome.subsets.top_group().len(), 4);
        let letters: Vec<String> = outcome.subsets.letters().iter().map(|letters| letters.concat()).collect();
        assert_eq!(letters, ["a", "c", "a", "ab", "ab", "b"]);
    }

    #[test]
    fn the_pairs_of_the_worked_table() {
        let pairs = duncan_pairwise_p(&worked()).expect("a table");
        let p = |better: usize, worse: usize| {
            let pair = pairs.iter().find(|pair| (pair.better, pair.worse) == (better, worse));
            pair.expect("every pair is there").p
        };
        check_all([p(2, 5), p(0, 5), p(3, 5), p(4, 5)], &[0.010649, 0.031110, 0.054404, 0.207174], 5e-7);
        assert_eq!(pairs.len(), 15);
    }

    #[test]
    fn a_closed_gate_keeps_all_together() {
        let noise = table(&[vec![0.1, 0.5, 0.31], vec![0.4, 0.2, 0.3], vec![0.2, 0.3, 0.5]]);
        let outcome = duncan(&noise, Level::P95, Gate::Algorithm).expect("a table");
        assert!(!outcome.gate_open);
        assert_eq!(outcome.subsets.members(), [[2, 0, 1]]);
        assert!(duncan(&noise, Level::P95, Gate::None).expect("a table").gate_open);
        assert!(duncan(&worked(), Level::P95, Gate::Model).expect("a table").gate_open);
    }

    #[test]
    fn without_residuals_every_difference_counts() {
        let rows = [vec![0.1, 0.2, 0.4], vec![0.2, 0.3, 0.5], vec![0.1, 0.2, 0.4]];
        let outcome = duncan(&table(&rows), Level::P95, Gate::Algorithm).expect("a table");
        assert_eq!(outcome.subsets.members(), [vec![1], vec![0, 2]]);
        let pairs = duncan_pairwise_p(&table(&rows)).expect("a table");
        check_all(pairs.iter().map(|pair| pair.p), &[0.0, 0.0, 1.0], 0.0);
        let equal = duncan(&table(&vec![vec![0.3; 4]; 3]), Level::P95, Gate::None).expect("a table");
        assert_eq!(equal.subsets.members(), [[0, 1, 2]]);
    }

    #[test]
    fn lower_is_better_turns_the_order_and_nothing_else() {
        let outcome = duncan(&worked().lower_is_better(), Level::P95, Gate::Algorithm).expect("a table");
        assert_eq!(outcome.subsets.order(), [1, 5, 4, 3, 0, 2]);
        assert_eq!(outcome.subsets.top_group(), [1]);
    }
}
