//! How learners see columns: codes to be counted, or numbers to be computed with.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Matrix, NominalColumn, NominalEncoder, NumericEncoder, NumericOptions};
use crate::column::MISSING;
use crate::dataset::Dataset;
use crate::error::Error;
use crate::kind::BinRule;
use crate::model::Input;
use crate::model_shape::EncodedShape;
use crate::names::FeatureName;

/// What a learner asks for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum View {
    /// Codes; numeric columns are cut by a rule, or stay numbers.
    Codes(Option<BinRule>),
    /// A matrix.
    Numbers(NumericOptions),
}

/// What was learned to give a learner what it asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Encoder {
    Nominal(NominalEncoder),
    Numeric(NumericEncoder),
}

/// Rows as a model sees them.
#[derive(Clone, Debug)]
pub(crate) enum Encoded<'a> {
    Columns { columns: Cow<'a, [NominalColumn]>, n_rows: usize },
    Matrix(Cow<'a, Matrix>),
}

impl Encoder {
    /// Learns from training rows.
    ///
    /// # Errors
    /// As the encoder of the view.
    pub(crate) fn fit(view: &View, dataset: &Dataset, rows: &[u32]) -> Result<Encoder, Error> {
        match view {
            View::Codes(rule) => NominalEncoder::fit(dataset, rows, rule.as_ref()).map(Encoder::Nominal),
            View::Numbers(options) => NumericEncoder::fit(dataset, rows, options).map(Encoder::Numeric),
        }
    }

    /// Rows of a data set.
    ///
    /// # Errors
    /// A column is not there or of another kind.
    pub(crate) fn encode(&self, dataset: &Dataset, rows: &[u32]) -> Result<Encoded<'static>, Error> {
        match self {
            Encoder::Nominal(encoder) => {
                let columns = encoder.encode(dataset, rows)?.into();
                Ok(Encoded::Columns { columns, n_rows: rows.len() })
            }
            Encoder::Numeric(encoder) => Ok(Encoded::Matrix(Cow::Owned(encoder.encode(dataset, rows)?))),
        }
    }

    /// The columns of a row as people read them: levels, bins and numbers as they came.
    ///
    /// # Errors
    /// A column is not there or of another kind.
    pub(crate) fn shown(&self, dataset: &Dataset, row: u32) -> Result<Vec<Shown>, Error> {
        match self {
            Encoder::Nominal(encoder) => {
                let columns = encoder.encode(dataset, &[row])?;
                let shown = |column: &NominalColumn| match column {
                    NominalColumn::Codes { codes, .. } => Shown::code(codes[0]),
                    NominalColumn::Numbers(numbers) => Shown::number(numbers[0]),
                };
                Ok(columns.iter().map(shown).collect())
            }
            Encoder::Numeric(encoder) => encoder.shown(dataset, row),
        }
    }

    /// The names of the bins of each column, where it has bins.
    pub(crate) fn bin_names(&self) -> Vec<Option<Vec<String>>> {
        match self {
            Encoder::Nominal(encoder) => encoder.bin_names().collect(),
            Encoder::Numeric(encoder) => encoder.bin_names().collect(),
        }
    }

    /// What it makes of the columns of a model; `None` if it is not theirs, or not one that was learned.
    pub(crate) fn shape(&self, inputs: &[Input]) -> Option<EncodedShape> {
        match self {
            Encoder::Nominal(encoder) => encoder.shape(inputs).map(EncodedShape::Columns),
            Encoder::Numeric(encoder) => encoder.checked_width(inputs).map(EncodedShape::Matrix),
        }
    }

    /// Whether a learner that asks for this view would be given what it asks for.
    pub(crate) fn gives(&self, view: &View) -> bool {
        match (self, view) {
            (Encoder::Nominal(_), View::Codes(_)) => true,
            (Encoder::Numeric(encoder), View::Numbers(options)) => encoder.treats_missing_as(options.missing),
            _ => false,
        }
    }

    /// The columns of the matrix, where there is one.
    pub(crate) fn features(&self) -> Vec<FeatureName> {
        match self {
            Encoder::Nominal(_) => Vec::new(),
            Encoder::Numeric(encoder) => encoder.named_features(),
        }
    }
}

/// A value of a row, for people.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shown {
    Code(u32),
    Number(f64),
    Missing,
}

impl Shown {
    pub(crate) fn code(code: u32) -> Shown {
        if code == MISSING { Shown::Missing } else { Shown::Code(code) }
    }

    pub(crate) fn number(number: f64) -> Shown {
        if number.is_nan() { Shown::Missing } else { Shown::Number(number) }
    }
}

impl Encoded<'_> {
    pub(crate) fn n_rows(&self) -> usize {
        match self {
            Encoded::Columns { n_rows, .. } => *n_rows,
            Encoded::Matrix(matrix) => matrix.n_rows(),
        }
    }

    /// Codes and numbers column by column; none where a matrix was asked for.
    pub(crate) fn columns(&self) -> &[NominalColumn] {
        match self {
            Encoded::Columns { columns, .. } => columns,
            Encoded::Matrix(_) => &[],
        }
    }

    /// The matrix; an empty one where codes were asked for.
    pub(crate) fn matrix(&self) -> &Matrix {
        match self {
            Encoded::Columns { .. } => Matrix::empty(),
            Encoded::Matrix(matrix) => matrix,
        }
    }

    /// Some of the rows, by their position.
    pub(crate) fn take(&self, positions: &[u32]) -> Encoded<'static> {
        match self {
            Encoded::Columns { columns, .. } => Encoded::Columns {
                columns: columns.iter().map(|column| column.take(positions)).collect::<Vec<_>>().into(),
                n_rows: positions.len(),
            },
            Encoded::Matrix(matrix) => Encoded::Matrix(Cow::Owned(matrix.take(positions))),
        }
    }
}
