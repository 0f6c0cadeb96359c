//! What a design may look at before it divides rows: their number, classes, groups, and the column that it names.

use super::label_column::LabelColumn;
use crate::error::{Error, ErrorKind};

/// The rows to be divided.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    n_rows: usize,
    classes: Option<&'a LabelColumn>,
    groups: Option<&'a LabelColumn>,
    column: Option<&'a LabelColumn>,
}

impl<'a> Rows<'a> {
    /// So many rows, of which nothing is known.
    pub fn new(n_rows: usize) -> Self {
        Self { n_rows, classes: None, groups: None, column: None }
    }

    /// Rows with classes, which the parts of a stratified design share alike.
    pub fn of_classes(classes: &'a LabelColumn) -> Self {
        Self { classes: Some(classes), ..Self::new(classes.codes().len()) }
    }

    /// Adds groups that no split may tear apart.
    pub fn with_groups(self, groups: &'a LabelColumn) -> Self {
        Self { groups: Some(groups), ..self }
    }

    /// Adds the column of folds or times that the design names.
    pub fn with_column(self, column: &'a LabelColumn) -> Self {
        Self { column: Some(column), ..self }
    }

    /// How many rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Their classes.
    pub fn classes(&self) -> Option<&'a LabelColumn> {
        self.classes
    }

    /// Their groups.
    pub(super) fn groups(&self) -> Option<&'a LabelColumn> {
        self.groups
    }

    /// The column of a name, which the design needs.
    pub(super) fn column(&self, name: &str) -> Result<&'a LabelColumn, Error> {
        let known = [self.column, self.groups, self.classes].into_iter().flatten();
        known.into_iter().find(|column| column.name() == name).ok_or_else(|| {
            Error::new(
                ErrorKind::NoColumn,
                format!("the design needs the column \"{name}\", which was not read"),
            )
        })
    }

    /// Every design needs two rows, and columns that are as long as the table.
    pub(super) fn check(&self) -> Result<(), Error> {
        use ErrorKind as Kind;
        let wrong = |kind, words| Err(Error::new(kind, words));
        let n_rows = self.n_rows;
        match n_rows {
            0 | 1 => {
                let words = format!(
                    "there {} to divide; two are the least, one to learn from and one to test",
                    if n_rows == 0 { "is no row" } else { "is only one row" }
                );
                return wrong(Kind::TooFewRows, words);
            }
            n if n > u32::MAX as usize => {
                let words = format!("{n} rows are more than a plan can number; divide a sample of them");
                return wrong(Kind::TooManyRows, words);
            }
            _ => {}
        }
        let columns = [self.classes, self.groups, self.column].into_iter().flatten();
        match columns.into_iter().find(|column| column.codes().len() != n_rows) {
            Some(column) => {
                let (name, length) = (column.name(), column.codes().len());
                let words =
                    format!("column \"{name}\" has {length} labels for {n_rows} rows; give one label a row");
                wrong(Kind::BadLength, words)
            }
            None => Ok(()),
        }
    }
}
