//! The data set: columns of equal length, a target, weights; and which columns are predictors.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::column::Column;
use crate::error::{Error, ErrorKind};
use crate::kind::Kind;
use crate::target::Target;

/// Columns that describe the same rows.
///
/// ```
/// use tribunal_learn::{Column, Dataset, Kind, PredictorSet, Target, Values};
///
/// let flag = Column::new("night", Kind::Flag, Values::Codes(vec![1, 0, 1]))?;
/// let lag = Column::new("lag", Kind::Numeric, Values::Numbers(vec![3.0, 0.5, 8.0]))?;
/// let target = Target::new("fraud", ["no", "yes"], vec![1, 0, 0])?;
/// let claims = Dataset::new(vec![flag, lag])?.with_target(target)?;
///
/// let late = claims.take(&[2, 0]);
/// assert_eq!(late.n_rows(), 2);
/// assert_eq!(claims.select(&PredictorSet::Flags)?.columns().len(), 1);
/// # Ok::<(), tribunal_learn::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Dataset {
    /// Shared by copies that differ in their target or their weights.
    columns: Arc<Vec<Column>>,
    /// Where each column is, by its name: a table may have very many.
    places: Arc<FxHashMap<String, usize>>,
    n_rows: usize,
    target: Option<Target>,
    weights: Option<Vec<f64>>,
}

/// Which columns are predictors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PredictorSet {
    /// All there are.
    #[default]
    All,
    /// The flags only.
    Flags,
    /// These, in this order.
    Named(Vec<String>),
}

impl Dataset {
    /// A data set of these columns.
    ///
    /// # Errors
    /// Columns of different lengths, or of the same name.
    pub fn new(columns: Vec<Column>) -> Result<Dataset, Error> {
        Dataset::of_rows(columns.first().map_or(0, |column| column.values().len()), columns)
    }

    /// A data set of so many rows, which may have no column.
    ///
    /// # Errors
    /// Columns of another length, or of the same name.
    pub fn of_rows(n_rows: usize, columns: Vec<Column>) -> Result<Dataset, Error> {
        let mut places = FxHashMap::default();
        for (idx, column) in columns.iter().enumerate() {
            check_length(column.name(), column.values().len(), n_rows)?;
            if places.insert(column.name().to_owned(), idx).is_some() {
                let problem = format!("two columns are named {:?}", column.name());
                return Err(Error::new(ErrorKind::Inconsistent, problem).advise("rename one of them"));
            }
        }
        Ok(Dataset {
            columns: Arc::new(columns),
            places: Arc::new(places),
            n_rows,
            target: None,
            weights: None,
        })
    }

    /// The same with a target.
    ///
    /// # Errors
    /// The target has another number of rows.
    pub fn with_target(mut self, target: Target) -> Result<Dataset, Error> {
        check_length(target.name(), target.codes().len(), self.n_rows)?;
        self.target = Some(target);
        Ok(self)
    }

    /// The same with a weight for each row.
    ///
    /// # Errors
    /// Another number of rows; a weight that is negative, infinite or missing.
    pub fn with_weights(mut self, weights: Vec<f64>) -> Result<Dataset, Error> {
        check_length("weight", weights.len(), self.n_rows)?;
        if let Some(row) = weights.iter().position(|weight| !(weight.is_finite() && *weight >= 0.0)) {
            let problem = format!("the weight of row {} is {}", row + 1, weights[row]);
            return Err(
                Error::new(ErrorKind::Inconsistent, problem).advise("weights are finite, zero or more")
            );
        }
        self.weights = Some(weights);
        Ok(self)
    }

    /// How many rows there are.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The column of a name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.places.get(name).map(|&place| &self.columns[place])
    }

    /// The target, if there is one.
    pub fn target(&self) -> Option<&Target> {
        self.target.as_ref()
    }

    /// The weight of each row, if they differ.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// The data set of some rows, in that order; a row may occur more than once.
    pub fn take(&self, rows: &[u32]) -> Dataset {
        let weights = self.weights.as_ref();
        Dataset {
            columns: Arc::new(self.columns.iter().map(|column| column.take(rows)).collect()),
            places: Arc::clone(&self.places),
            n_rows: rows.len(),
            target: self.target.as_ref().map(|target| target.take(rows)),
            weights: weights.map(|weights| rows.iter().map(|&row| weights[row as usize]).collect()),
        }
    }

    /// The data set of some columns.
    ///
    /// # Errors
    /// A named column that is not there.
    pub fn select(&self, predictors: &PredictorSet) -> Result<Dataset, Error> {
        let is_flag = |column: &&Column| *column.kind() == Kind::Flag;
        let columns: Vec<Column> = match predictors {
            PredictorSet::All => return Ok(self.clone()),
            PredictorSet::Flags => self.columns.iter().filter(is_flag).cloned().collect(),
            PredictorSet::Named(names) => {
                let find = |name: &String| self.column(name).cloned().ok_or_else(|| self.unknown(name));
                names.iter().map(find).collect::<Result<_, Error>>()?
            }
        };
        let places = columns.iter().enumerate().map(|(idx, column)| (column.name().to_owned(), idx));
        Ok(Dataset {
            places: Arc::new(places.collect()),
            columns: Arc::new(columns),
            n_rows: self.n_rows,
            target: self.target.clone(),
            weights: self.weights.clone(),
        })
    }

    /// The same rows, classes and weights with other columns.
    pub(crate) fn with_columns(&self, columns: Vec<Column>) -> Result<Dataset, Error> {
        let dataset = Dataset::of_rows(self.n_rows, columns)?;
        Ok(Dataset { target: self.target.clone(), weights: self.weights.clone(), ..dataset })
    }

    /// Its columns, to be put back by [`with_columns`](Dataset::with_columns).
    pub(crate) fn take_columns(&mut self) -> Vec<Column> {
        self.places = Arc::default();
        Arc::unwrap_or_clone(std::mem::take(&mut self.columns))
    }

    fn unknown(&self, name: &str) -> Error {
        let names = self.columns.iter().map(Column::name);
        let nearest = names.min_by_key(|known| strsim::damerau_levenshtein(known, name)).unwrap_or_default();
        Error::new(ErrorKind::UnknownColumn, format!("there is no predictor {name:?}"))
            .advise(format!("did you mean {nearest:?}?"))
    }
}

fn check_length(name: &str, found: usize, expected: usize) -> Result<(), Error> {
    if found == expected {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Inconsistent,
        format!("{name:?} has {found} rows, the first column {expected}"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::Values;

    fn numbers(name: &str, values: &[f64]) -> Column {
        Column::new(name, Kind::Numeric, Values::Numbers(values.to_vec())).expect("numbers")
    }

    fn check_refused(dataset: Result<Dataset, Error>, expected: &str) {
        let error = dataset.expect_err(expected);
        assert!(error.to_string().contains(expected), "{error}");
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        let one = || numbers("a", &[1.0, 2.0]);
        check_refused(
            Dataset::new(vec![one(), numbers("b", &[1.0])]),
            "\"b\" has 1 rows, the first column 2",
        );
        check_refused(Dataset::new(vec![one(), one()]), "two columns are named \"a\"");
        let dataset = Dataset::new(vec![one()]).expect("one column");
        check_refused(dataset.clone().with_weights(vec![1.0, -1.0]), "the weight of row 2 is -1");
        let target = Target::new("y", ["no", "yes"], vec![0, 1, 1]).expect("a target");
        check_refused(dataset.clone().with_target(target), "\"y\" has 3 rows");
        let unknown = PredictorSet::Named(vec!["A".into()]);
        check_refused(dataset.select(&unknown), "there is no predictor \"A\"; did you mean \"a\"?");
    }

    #[test]
    fn rows_are_taken_from_everything() {
        let target = Target::new("y", ["no", "yes"], vec![0, 1]).expect("a target");
        let dataset = Dataset::new(vec![numbers("a", &[1.0, 2.0])]).expect("a column");
        let dataset = dataset.with_target(target).expect("fits").with_weights(vec![3.0, 4.0]).expect("fits");
        let taken = dataset.take(&[1, 1, 0]);
        assert_eq!(taken.n_rows(), 3);
        assert_eq!(taken.columns()[0].values(), &Values::Numbers(vec![2.0, 2.0, 1.0]));
        assert_eq!(taken.target().map(|target| target.codes().to_vec()), Some(vec![1, 1, 0]));
        assert_eq!(taken.weights(), Some(&[4.0, 4.0, 3.0][..]));
    }
}
