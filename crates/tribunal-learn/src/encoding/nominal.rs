//! Columns as codes, for learners that count: levels as they are, numbers by their bin.

use serde::{Deserialize, Serialize};

use crate::column::{Column, MISSING, Values};
use crate::dataset::Dataset;
use crate::encoding::Bins;
use crate::error::{Error, ErrorKind};
use crate::kind::{BinRule, Kind};
use crate::model::Input;

/// Columns as codes, as learned on training rows. What is missing stays missing: each learner has its own way with it.
///
/// ```
/// use tribunal_learn::encoding::{NominalColumn, NominalEncoder};
/// use tribunal_learn::{BinRule, Column, Dataset, Kind, Values};
///
/// let lag = Column::new("lag", Kind::Numeric, Values::Numbers(vec![1.0, 2.0, 30.0, 40.0]))?;
/// let claims = Dataset::new(vec![lag])?;
/// let encoder = NominalEncoder::fit(&claims, &[0, 1, 2, 3], Some(&BinRule::EqualFrequency(2)))?;
/// assert_eq!(encoder.encode(&claims, &[0, 3])?, [NominalColumn::Codes { codes: vec![0, 1], n_codes: 2 }]);
/// # Ok::<(), tribunal_learn::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NominalEncoder {
    columns: Vec<ColumnEncoder>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ColumnEncoder {
    name: String,
    view: View,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum View {
    Codes { n_codes: usize },
    Bins(Bins),
    Numbers,
}

/// A column of some rows.
#[derive(Clone, Debug, PartialEq)]
pub enum NominalColumn {
    /// Codes below `n_codes`, which counts every level or bin that there may be, seen or not; [`MISSING`](crate::MISSING) for none.
    Codes {
        /// One code a row.
        codes: Vec<u32>,
        /// How many different ones there may be.
        n_codes: usize,
    },
    /// Numbers that were not to be binned; NaN for none.
    Numbers(Vec<f64>),
}

impl NominalColumn {
    /// Whether two of the rows are known to differ. A column that does not vary among training rows tells nothing about other
    /// rows, whatever they bring.
    pub(crate) fn varies(&self) -> bool {
        fn differ<T: PartialEq>(mut known: impl Iterator<Item = T>) -> bool {
            known.next().is_some_and(|first| known.any(|value| value != first))
        }
        match self {
            NominalColumn::Codes { codes, .. } => differ(codes.iter().filter(|&&code| code != MISSING)),
            NominalColumn::Numbers(numbers) => differ(numbers.iter().filter(|number| !number.is_nan())),
        }
    }

    /// The values of some rows, by their position.
    pub(crate) fn take(&self, positions: &[u32]) -> NominalColumn {
        match self {
            NominalColumn::Codes { codes, n_codes } => NominalColumn::Codes {
                codes: positions.iter().map(|&position| codes[position as usize]).collect(),
                n_codes: *n_codes,
            },
            NominalColumn::Numbers(numbers) => {
                NominalColumn::Numbers(positions.iter().map(|&position| numbers[position as usize]).collect())
            }
        }
    }
}

impl NominalEncoder {
    /// Learns from the training rows of a data set. Numeric columns are binned by `numeric_rule`, or stay numbers.
    ///
    /// # Errors
    /// Bins that need classes where there is no target.
    pub fn fit(dataset: &Dataset, rows: &[u32], numeric_rule: Option<&BinRule>) -> Result<Self, Error> {
        let fit = |column: &Column| {
            let rule = match column.kind() {
                Kind::Binned(rule) => Some(rule),
                Kind::Numeric => numeric_rule,
                Kind::Flag | Kind::Categorical(_) | Kind::Ordered(_) => None,
            };
            let view = match (column.values(), rule) {
                (Values::Codes(_), _) => View::Codes { n_codes: column.n_codes() },
                (Values::Numbers(numbers), Some(rule)) => {
                    View::Bins(Bins::fit_rows(rule, numbers, rows, dataset)?)
                }
                (Values::Numbers(_), None) => View::Numbers,
            };
            Ok(ColumnEncoder { name: column.name().into(), view })
        };
        Ok(NominalEncoder { columns: dataset.columns().iter().map(fit).collect::<Result<_, Error>>()? })
    }

    /// Whether the encoding is the same whatever the rows that it is learned from: no bins that data decide.
    pub(crate) fn is_given(dataset: &Dataset, numeric_rule: Option<&BinRule>) -> bool {
        dataset.columns().iter().all(|column| match column.kind() {
            Kind::Binned(rule) => Bins::given(rule).is_some(),
            Kind::Numeric => numeric_rule.is_none_or(|rule| Bins::given(rule).is_some()),
            Kind::Flag | Kind::Categorical(_) | Kind::Ordered(_) => true,
        })
    }

    /// Rows of a data set, column by column. Codes must mean the levels that they meant in training: an encoder remembers how
    /// many there were, [`Dataset::check_aligned`] compares their names.
    ///
    /// # Errors
    /// A column is not there or of another kind; a negative number where the bins allow none.
    pub fn encode(&self, dataset: &Dataset, rows: &[u32]) -> Result<Vec<NominalColumn>, Error> {
        self.columns.iter().map(|encoder| encoder.encode(dataset, rows)).collect()
    }

    /// How many codes each column of a model has, `None` where it holds numbers; `None` for all if these are the encodings
    /// of other columns.
    pub(crate) fn shape(&self, inputs: &[Input]) -> Option<Vec<Option<usize>>> {
        let codes = |(encoder, input): (&ColumnEncoder, &Input)| match (&encoder.view, &input.kind) {
            _ if encoder.name != input.name => None,
            (View::Codes { n_codes }, kind) if kind.is_coded() && *n_codes == kind.n_codes() => {
                Some(Some(*n_codes))
            }
            (View::Bins(bins), Kind::Numeric | Kind::Binned(_)) if bins.is_sound() => {
                Some(Some(bins.n_bins()))
            }
            (View::Numbers, Kind::Numeric) => Some(None),
            _ => None,
        };
        let is_same = self.columns.len() == inputs.len();
        is_same.then(|| self.columns.iter().zip(inputs).map(codes).collect()).flatten()
    }

    /// The names of the bins of each column, where it has bins.
    pub(crate) fn bin_names(&self) -> impl Iterator<Item = Option<Vec<String>>> + '_ {
        self.columns.iter().map(|column| match &column.view {
            View::Bins(bins) => Some(bins.names()),
            View::Codes { .. } | View::Numbers => None,
        })
    }
}

impl ColumnEncoder {
    fn encode(&self, dataset: &Dataset, rows: &[u32]) -> Result<NominalColumn, Error> {
        let column = dataset.column(&self.name).ok_or_else(|| {
            Error::new(ErrorKind::UnknownColumn, format!("there is no column {:?}", self.name))
        })?;
        match (&self.view, column.values()) {
            (View::Codes { n_codes }, Values::Codes(codes)) if *n_codes == column.n_codes() => {
                let codes = rows.iter().map(|&row| codes[row as usize]).collect();
                Ok(NominalColumn::Codes { codes, n_codes: *n_codes })
            }
            (View::Bins(bins), Values::Numbers(numbers)) => {
                let codes = bins.bin_all(rows.iter().map(|&row| numbers[row as usize]), &self.name)?;
                Ok(NominalColumn::Codes { codes, n_codes: bins.n_bins() })
            }
            (View::Numbers, Values::Numbers(numbers)) => {
                Ok(NominalColumn::Numbers(rows.iter().map(|&row| numbers[row as usize]).collect()))
            }
            _ => Err(column.changed_kind()),
        }
    }
}
