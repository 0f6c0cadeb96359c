//! The table every comparison of several algorithms starts from: one value for each algorithm in each fold.
//!
//! All algorithms must have met the same folds, and no cell may be missing: that is what makes the folds *blocks*.
//! References: Fisher (1935), "The design of experiments"; Viaene, Derrig, Baesens & Dedene (2002) for blocked
//! cross-validation of classifiers.

use serde::{Deserialize, Serialize};

use crate::intervals::{Unusable, at_least};

/// Whether a larger value is better, as with AUROC, or worse, as with error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// Larger values are better.
    #[default]
    Higher,
    /// Smaller values are better.
    Lower,
}

impl Better {
    /// The value, or its negative where smaller is better, so that larger is always better.
    pub(crate) fn as_gain(self, value: f64) -> f64 {
        match self {
            Better::Higher => value,
            Better::Lower => -value,
        }
    }
}

/// One value for each algorithm in each fold.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FoldTable {
    algorithms: Vec<String>,
    folds: Vec<String>,
    values: Vec<Vec<f64>>,
    better: Better,
}

impl FoldTable {
    /// A table from one row of cells per algorithm; `None` is a missing cell.
    ///
    /// **Undefined when** there are fewer than two algorithms or folds, a cell is missing or not finite, or the rows do
    /// not fit the names.
    ///
    /// **Example**
    /// ```
    /// use tribunal_eval::significance::FoldTable;
    /// let names = |names: [&str; 2]| names.map(String::from).to_vec();
    /// let cells = vec![vec![Some(0.81), Some(0.84)], vec![Some(0.79), None]];
    /// let missing = FoldTable::new(names(["logit", "TAN"]), names(["1", "2"]), cells).expect_err("a cell is missing");
    /// assert!(missing.to_string().starts_with("no value for algorithm \"TAN\" in fold \"2\""));
    /// ```
    pub fn new(
        algorithms: Vec<String>,
        folds: Vec<String>,
        cells: Vec<Vec<Option<f64>>>,
    ) -> Result<Self, Unusable> {
        at_least("algorithms", algorithms.len(), 2)?;
        at_least("folds", folds.len(), 2)?;
        let cell = |a: usize, f: usize| cells.get(a).and_then(|row| row.get(f)).copied().flatten();
        let name = |a: usize, f: usize| (algorithms[a].clone(), folds[f].clone());
        let mut values = Vec::with_capacity(algorithms.len());
        for a in 0..algorithms.len() {
            let row = (0..folds.len()).map(|f| check_cell(cell(a, f), || name(a, f)));
            values.push(row.collect::<Result<_, _>>()?);
        }
        check_shape(&cells, &folds, algorithms.len())?;
        Ok(Self { algorithms, folds, values, better: Better::Higher })
    }

    /// A table from loose cells, algorithms and folds in the order in which they first appear.
    ///
    /// **Undefined when** there are fewer than two algorithms or folds, or a cell is missing, repeated or not finite.
    ///
    /// **Example**
    /// ```
    /// use tribunal_eval::significance::FoldTable;
    /// let cells = [("logit", "1", 0.81), ("TAN", "1", 0.79), ("logit", "2", 0.84), ("TAN", "2", 0.80)];
    /// let table = FoldTable::from_cells(cells)?;
    /// assert_eq!(table.algorithms(), ["logit", "TAN"]);
    /// assert_eq!(table.row(1), [0.79, 0.80]);
    /// # Ok::<(), tribunal_eval::intervals::Unusable>(())
    /// ```
    pub fn from_cells<'a>(
        cells: impl IntoIterator<Item = (&'a str, &'a str, f64)>,
    ) -> Result<Self, Unusable> {
        let (mut algorithms, mut folds) = (Vec::new(), Vec::new());
        let mut rows: Vec<Vec<Option<f64>>> = Vec::new();
        for (algorithm, fold, value) in cells {
            let (a, f) = (index_of(&mut algorithms, algorithm), index_of(&mut folds, fold));
            rows.resize(algorithms.len(), Vec::new());
            rows.iter_mut().for_each(|row| row.resize(folds.len(), None));
            if rows[a][f].replace(value).is_some() {
                return Err(Unusable::RepeatedCell { algorithm: algorithm.into(), fold: fold.into() });
            }
        }
        Self::new(algorithms, folds, rows)
    }

    /// The same table with smaller values counting as better.
    pub fn lower_is_better(self) -> Self {
        Self { better: Better::Lower, ..self }
    }

    /// The names of the algorithms.
    pub fn algorithms(&self) -> &[String] {
        &self.algorithms
    }

    /// The names of the folds.
    pub fn folds(&self) -> &[String] {
        &self.folds
    }

    /// The values of one algorithm, fold by fold.
    pub fn row(&self, algorithm: usize) -> &[f64] {
        &self.values[algorithm]
    }

    /// The values of all algorithms.
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.values
    }

    /// Which direction is better.
    pub fn better(&self) -> Better {
        self.better
    }

    /// The mean of each algorithm over the folds.
    pub fn means(&self) -> Vec<f64> {
        self.values.iter().map(|row| mean(row)).collect()
    }
}

/// The mean of some values.
pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn check_cell(cell: Option<f64>, name: impl Fn() -> (String, String)) -> Result<f64, Unusable> {
    let (algorithm, fold) = match cell {
        Some(value) if value.is_finite() => return Ok(value),
        _ => name(),
    };
    Err(match cell {
        Some(value) => Unusable::NotFiniteCell { algorithm, fold, value },
        None => Unusable::IncompleteTable { algorithm, fold },
    })
}

/// No row may be longer than there are folds, and no row may lack an algorithm.
fn check_shape(cells: &[Vec<Option<f64>>], folds: &[String], n_algorithms: usize) -> Result<(), Unusable> {
    if cells.len() != n_algorithms {
        let what = "the list of rows".to_string();
        return Err(Unusable::LengthMismatch { what, found: cells.len(), expected: n_algorithms });
    }
    match cells.iter().position(|row| row.len() != folds.len()) {
        Some(row) => {
            let (what, found) = (format!("row {row}"), cells[row].len());
            Err(Unusable::LengthMismatch { what, found, expected: folds.len() })
        }
        None => Ok(()),
    }
}

fn index_of(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.into());
        names.len() - 1
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The worked table: AUROC in percent of six algorithms in ten folds.
    pub(crate) fn worked() -> FoldTable {
        named(&[
            ("logit", &[84.53, 86.79, 87.00, 86.18, 88.04, 89.28, 86.74, 83.13, 84.36, 86.23]),
            ("C45s", &[80.75, 83.04, 83.06, 77.75, 84.39, 84.93, 80.44, 80.18, 79.65, 82.43]),
            ("kNN100", &[87.55, 88.49, 85.72, 84.61, 86.82, 91.40, 86.00, 84.92, 82.70, 87.87]),
            ("LinLSSVM", &[87.08, 84.93, 86.61, 86.24, 87.07, 90.05, 86.37, 85.28, 80.61, 85.59]),
            ("NB25", &[87.83, 82.52, 84.81, 82.89, 85.15, 89.19, 83.75, 87.91, 82.96, 86.85]),
            ("TAN25", &[81.36, 81.19, 86.48, 84.13, 86.32, 84.94, 86.45, 83.49, 83.71, 86.22]),
        ])
    }

    pub(crate) fn named(rows: &[(&str, &[f64])]) -> FoldTable {
        let folds: Vec<String> = (0..rows[0].1.len()).map(|fold| fold.to_string()).collect();
        let cells =
            rows.iter().flat_map(|(name, row)| folds.iter().zip(*row).map(|(f, v)| (*name, f.as_str(), *v)));
        FoldTable::from_cells(cells).expect("a complete table")
    }

    /// A table with names made up from positions.
    pub(crate) fn table(rows: &[Vec<f64>]) -> FoldTable {
        let names: Vec<String> = (0..rows.len()).map(|row| format!("a{row}")).collect();
        let rows: Vec<(&str, &[f64])> =
            names.iter().zip(rows).map(|(n, r)| (n.as_str(), r.as_slice())).collect();
        named(&rows)
    }

    #[test]
    fn missing_repeated_and_infinite_cells_are_named() {
        let check = |cells: &[(&str, &str, f64)], expected: &str| {
            let error = FoldTable::from_cells(cells.iter().copied()).expect_err(expected);
            assert!(error.to_string().contains(expected), "{error}");
        };
        check(&[("a", "1", 0.5), ("b", "1", 0.5), ("a", "2", 0.5)], "algorithm \"b\" in fold \"2\"");
        check(&[("a", "1", 0.5), ("a", "1", 0.5)], "two values for algorithm \"a\" in fold \"1\"");
        let nan = [("a", "1", f64::NAN), ("b", "1", 0.5), ("a", "2", 0.5), ("b", "2", 0.5)];
        check(&nan, "the value of algorithm \"a\" in fold \"1\" is NaN");
        check(&[("a", "1", 0.5), ("a", "2", 0.5)], "1 algorithms; at least 2 needed");
        check(&[("a", "1", 0.5), ("b", "1", 0.5)], "1 folds; at least 2 needed");
    }

    #[test]
    fn rows_that_do_not_fit_their_names_are_refused() {
        let names = |n: usize| (0..n).map(|i| i.to_string()).collect::<Vec<_>>();
        let long = vec![vec![Some(1.0); 3], vec![Some(1.0); 2]];
        assert!(matches!(FoldTable::new(names(2), names(2), long), Err(Unusable::LengthMismatch { .. })));
        let many = vec![vec![Some(1.0); 2]; 3];
        assert!(matches!(FoldTable::new(names(2), names(2), many), Err(Unusable::LengthMismatch { .. })));
        let few = vec![vec![Some(1.0); 2]];
        assert!(matches!(FoldTable::new(names(2), names(2), few), Err(Unusable::IncompleteTable { .. })));
    }
}
