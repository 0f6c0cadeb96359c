//! The rows that a bias may leave out, and what it may look at.

use super::values::Values;
use crate::error::Error;
use crate::resampling::LabelColumn;

/// Rows with the column and the classes that a bias looks at.
#[derive(Clone, Copy, Debug)]
pub struct BiasRows<'a> {
    n_rows: usize,
    values: Option<&'a Values>,
    classes: Option<&'a LabelColumn>,
}

/// The rows of a class, and all others; both ascend.
pub(super) struct ClassRows {
    pub(super) inside: Vec<u32>,
    pub(super) outside: Vec<u32>,
}

impl<'a> BiasRows<'a> {
    /// So many rows, of which nothing is known.
    pub fn new(n_rows: usize) -> Self {
        Self { n_rows, values: None, classes: None }
    }

    /// Adds the column.
    pub fn with_values(self, values: &'a Values) -> Self {
        Self { values: Some(values), ..self }
    }

    /// Adds the classes.
    pub fn with_classes(self, classes: &'a LabelColumn) -> Self {
        Self { classes: Some(classes), ..self }
    }

    /// How many rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    pub(super) fn values(&self) -> Result<&'a Values, Error> {
        self.values.ok_or_else(Error::no_column)
    }

    /// The rows of a class, which may be written as another form of the same number or in another letter case.
    pub(super) fn class(&self, class: &str) -> Result<ClassRows, Error> {
        let classes = self.classes.ok_or_else(Error::no_classes)?;
        let code = classes.labels().iter().position(|label| crate::classes::names_same(label, class));
        let code = code.ok_or_else(|| Error::unknown_class(class, classes.name(), classes.labels()))? as u32;
        let (inside, outside) =
            (0..self.n_rows as u32).partition(|&row| classes.codes()[row as usize] == code);
        Ok(ClassRows { inside, outside })
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        if self.n_rows == 0 || self.n_rows > u32::MAX as usize {
            return Err(Error::no_rows());
        }
        let values = self.values.map(|values| (values.name(), values.len()));
        let classes = self.classes.map(|classes| (classes.name(), classes.codes().len()));
        let mut columns = [values, classes].into_iter().flatten();
        match columns.find(|(_, length)| *length != self.n_rows) {
            Some((name, length)) => Err(Error::bad_length(name, length, self.n_rows)),
            None => Ok(()),
        }
    }
}
