//! What a model that is read has to fit: the classes it names, and what its encoder makes of its columns.
//!
//! A file may be edited and its checksum with it. Each part of a model checks itself when it is read; that the parts fit
//! together is checked here, once, so that whatever scores, shows or explains need not look again.

/// The classes of a model and the columns that it sees.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ModelShape {
    pub(crate) n_classes: usize,
    pub(crate) encoded: EncodedShape,
}

/// What an encoder makes of columns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum EncodedShape {
    /// How many codes each column has; `None` where it holds numbers.
    Columns(Vec<Option<usize>>),
    /// How many columns the matrix has.
    Matrix(usize),
}

impl ModelShape {
    /// Whether the model sees a matrix of so many columns.
    pub(crate) fn has_features(&self, n_features: usize) -> bool {
        self.encoded == EncodedShape::Matrix(n_features)
    }

    /// The columns, where it sees codes and numbers; `None` where it sees a matrix.
    pub(crate) fn columns(&self) -> Option<&[Option<usize>]> {
        match &self.encoded {
            EncodedShape::Columns(columns) => Some(columns),
            EncodedShape::Matrix(_) => None,
        }
    }

    /// How many functions tell its classes apart: one of two classes, otherwise one for each.
    pub(crate) fn n_functions(&self) -> usize {
        if self.n_classes == 2 { 1 } else { self.n_classes }
    }
}

/// Whether numbers can be weights of rows: finite, and none below zero.
pub(crate) fn are_weights<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> bool {
    numbers.into_iter().all(|number| number.is_finite() && *number >= 0.0)
}
