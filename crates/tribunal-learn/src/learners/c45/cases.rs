//! Training rows as trees count them: for every column one small number a row that stands for its value and its class.
//!
//! The cell of a row is `code * n_classes + class`, so that one look gives the place to count at; a missing value has the
//! code behind the last. Numbers are replaced by their rank among the distinct numbers of the column. Cells take one byte
//! where they can, a quarter of the codes they come from.

use std::borrow::Cow;
use std::sync::Arc;

use super::flags::Flags;
use super::tree::Test;
use crate::column::MISSING;
use crate::encoding::NominalColumn;
use crate::error::{Error, ErrorKind};
use crate::training::Training;

/// Columns of cells, with the class of each row.
#[derive(Debug)]
pub(crate) struct Cases<'a> {
    pub(crate) columns: Vec<CaseColumn>,
    pub(crate) flags: Flags,
    pub(crate) classes: Cow<'a, [u32]>,
    pub(crate) n_classes: usize,
}

/// A column of cells.
#[derive(Debug)]
pub(crate) struct CaseColumn {
    pub(crate) cells: Cells,
    /// How many values there may be, not counting the missing one.
    pub(crate) n_codes: usize,
    /// Of numbers, the distinct ones of all rows that have any weight, rising.
    pub(crate) distinct: Option<Arc<[f64]>>,
}

/// Cells in the narrowest form that holds them.
#[derive(Debug)]
pub(crate) enum Cells {
    Narrow(Vec<u8>),
    Middle(Vec<u16>),
    Wide(Vec<u32>),
}

/// A kind of cell.
pub(crate) trait Cell: Copy {
    fn place(self) -> usize;
}

impl Cell for u8 {
    fn place(self) -> usize {
        usize::from(self)
    }
}

impl Cell for u16 {
    fn place(self) -> usize {
        usize::from(self)
    }
}

impl Cell for u32 {
    fn place(self) -> usize {
        self as usize
    }
}

impl<'a> Cases<'a> {
    /// The columns of a training set of which these rows have any weight.
    ///
    /// # Errors
    /// A column has so many values, and the target so many classes, that their pairs cannot be numbered.
    pub(crate) fn new(training: &'a Training<'_>, rows: &[u32]) -> Result<Self, Error> {
        let (classes, n_classes) = (&training.classes[..], training.n_classes);
        let column = |column: &NominalColumn| match column {
            NominalColumn::Codes { codes, n_codes } => {
                CaseColumn::new(codes, *n_codes, None, classes, n_classes)
            }
            NominalColumn::Numbers(numbers) => {
                let (ranks, distinct) = ranked(numbers, rows);
                CaseColumn::new(&ranks, distinct.len(), Some(distinct.into()), classes, n_classes)
            }
        };
        let columns = training.columns().iter().map(column).collect::<Result<_, Error>>()?;
        let flags = Flags::new(training.columns());
        Ok(Cases { columns, flags, classes: Cow::Borrowed(classes), n_classes })
    }

    /// Some rows, numbered anew, of some columns; of the others nothing is kept.
    pub(crate) fn take(&self, rows: &[u32], columns: &[u32]) -> Cases<'static> {
        let mut taken: Vec<CaseColumn> = self.columns.iter().map(CaseColumn::emptied).collect();
        for &column in columns {
            taken[column as usize].cells = self.columns[column as usize].cells.take(rows);
        }
        let classes = rows.iter().map(|&row| self.classes[row as usize]).collect();
        let flags = self.flags.take(rows);
        Cases { columns: taken, flags, classes: Cow::Owned(classes), n_classes: self.n_classes }
    }

    /// How a test tells the branch of a row of this column from its cell.
    pub(crate) fn routing(&self, test: &Test) -> Option<(&CaseColumn, Routing)> {
        let column = &self.columns[test.column()?];
        let n_classes = self.n_classes as u32;
        let n_known = column.n_codes as u32 * n_classes;
        let n_low = match (test, &column.distinct) {
            (Test::Numeric { cut, .. }, Some(distinct)) => {
                Some(distinct.partition_point(|number| number <= cut))
            }
            _ => None,
        };
        let n_low = n_low.map(|n_low| n_low as u32 * n_classes);
        let n_branches = if n_low.is_some() { 2 } else { column.n_codes };
        Some((column, Routing { n_branches, n_classes, n_known, n_low }))
    }
}

/// How cells become branches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Routing {
    pub(crate) n_branches: usize,
    n_classes: u32,
    /// The cells from here on are of missing values.
    n_known: u32,
    /// The cells below are of numbers up to the cut.
    n_low: Option<u32>,
}

impl Routing {
    /// The branch of every cell that a byte can hold.
    pub(crate) fn of_narrow_cells(&self) -> [u32; 256] {
        let mut branches = [MISSING; 256];
        let known = branches.iter_mut().take(self.n_known as usize).enumerate();
        known.for_each(|(cell, branch)| *branch = self.branch(cell));
        branches
    }

    /// The branch of a cell; [`MISSING`] where nobody knows.
    pub(crate) fn branch(&self, place: usize) -> u32 {
        let cell = place as u32;
        match self.n_low {
            _ if cell >= self.n_known => MISSING,
            Some(n_low) => u32::from(cell >= n_low),
            None => cell / self.n_classes,
        }
    }
}

/// The rank of each number among the distinct ones, which follow.
fn ranked(numbers: &[f64], rows: &[u32]) -> (Vec<u32>, Vec<f64>) {
    let of_row = |&row: &u32| (numbers[row as usize], row);
    let mut sorted: Vec<(f64, u32)> =
        rows.iter().map(of_row).filter(|(number, _)| !number.is_nan()).collect();
    sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut distinct: Vec<f64> = Vec::new();
    let mut ranks = vec![MISSING; numbers.len()];
    for run in sorted.chunk_by(|a, b| a.0 == b.0) {
        run.iter().for_each(|&(_, row)| ranks[row as usize] = distinct.len() as u32);
        // The two zeros are one number.
        distinct.push(run[0].0 + 0.0);
    }
    (ranks, distinct)
}

impl Cells {
    fn new(codes: &[u32], n_codes: usize, classes: &[u32], n_classes: usize) -> Self {
        let cell = |(&code, &class): (&u32, &u32)| (code as usize).min(n_codes) * n_classes + class as usize;
        let cells = codes.iter().zip(classes).map(cell);
        match (n_codes + 1) * n_classes {
            0..=0x100 => Cells::Narrow(cells.map(|cell| cell as u8).collect()),
            0x101..=0x1_0000 => Cells::Middle(cells.map(|cell| cell as u16).collect()),
            _ => Cells::Wide(cells.map(|cell| cell as u32).collect()),
        }
    }

    fn take(&self, rows: &[u32]) -> Cells {
        match self {
            Cells::Narrow(cells) => Cells::Narrow(rows.iter().map(|&row| cells[row as usize]).collect()),
            Cells::Middle(cells) => Cells::Middle(rows.iter().map(|&row| cells[row as usize]).collect()),
            Cells::Wide(cells) => Cells::Wide(rows.iter().map(|&row| cells[row as usize]).collect()),
        }
    }
}

impl CaseColumn {
    fn new(
        codes: &[u32],
        n_codes: usize,
        distinct: Option<Arc<[f64]>>,
        classes: &[u32],
        n_classes: usize,
    ) -> Result<Self, Error> {
        let n_cells = (n_codes + 1).saturating_mul(n_classes);
        if n_cells > u32::MAX as usize {
            let problem =
                format!("a tree cannot tell {n_codes} values and {n_classes} classes apart at once");
            return Err(
                Error::new(ErrorKind::TooWide, problem).advise("give the column bins, or fewer levels")
            );
        }
        Ok(CaseColumn { cells: Cells::new(codes, n_codes, classes, n_classes), n_codes, distinct })
    }

    fn emptied(&self) -> CaseColumn {
        CaseColumn {
            cells: Cells::Narrow(Vec::new()),
            n_codes: self.n_codes,
            distinct: self.distinct.clone(),
        }
    }

    /// Whether it is tested by a threshold.
    pub(crate) fn is_numeric(&self) -> bool {
        self.distinct.is_some()
    }
}
