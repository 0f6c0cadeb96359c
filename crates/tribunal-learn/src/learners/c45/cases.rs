//! Training rows as trees count them: for every column one small number a row that stands for its value and its class.
//!
//! The cell of a row is `code * n_classes + class`, so that one look gives the place to count at; a missing value has the
//! code behind the last. Numbers are replaced by their rank among the distinct numbers of the column. Cells take one byte
//! where they can, a quarter of the codes they come from.

use crate::column::MISSING;
use crate::encoding::NominalColumn;
use crate::training::Training;

/// Columns of cells, and the rows that have any weight.
#[derive(Debug)]
pub(crate) struct Cases<'a> {
    pub(crate) columns: Vec<CaseColumn<'a>>,
    pub(crate) classes: &'a [u32],
    pub(crate) n_classes: usize,
    pub(crate) rows: Vec<u32>,
}

/// A column of cells, with the values behind them.
#[derive(Debug)]
pub(crate) struct CaseColumn<'a> {
    pub(crate) cells: Cells,
    /// How many values there may be, not counting the missing one.
    pub(crate) n_codes: usize,
    pub(crate) values: CaseValues<'a>,
}

/// What a column holds.
#[derive(Debug)]
pub(crate) enum CaseValues<'a> {
    Codes(&'a [u32]),
    Numbers {
        numbers: &'a [f64],
        /// The distinct numbers of all rows that have any weight, rising.
        distinct: Vec<f64>,
    },
}

/// Cells in the narrowest form that holds them.
#[derive(Debug)]
pub(crate) enum Cells {
    Narrow(Vec<u8>),
    Middle(Vec<u16>),
    Wide(Vec<u32>),
}

impl<'a> Cases<'a> {
    pub(crate) fn new(training: &'a Training<'_>) -> Self {
        let n_rows = training.n_rows() as u32;
        let rows: Vec<u32> = (0..n_rows).filter(|&row| training.weight(row as usize) > 0.0).collect();
        let (classes, n_classes) = (&training.classes[..], training.n_classes);
        let column = |column: &'a NominalColumn| match column {
            NominalColumn::Codes { codes, n_codes } => coded(codes, *n_codes, classes, n_classes),
            NominalColumn::Numbers(numbers) => numbered(numbers, &rows, classes, n_classes),
        };
        Cases { columns: training.columns.iter().map(column).collect(), classes, n_classes, rows }
    }
}

fn coded<'a>(codes: &'a [u32], n_codes: usize, classes: &[u32], n_classes: usize) -> CaseColumn<'a> {
    let known = codes.iter().map(|&code| (code as usize).min(n_codes));
    let cells = Cells::new(known, n_codes, classes, n_classes);
    CaseColumn { cells, n_codes, values: CaseValues::Codes(codes) }
}

fn numbered<'a>(numbers: &'a [f64], rows: &[u32], classes: &[u32], n_classes: usize) -> CaseColumn<'a> {
    let of_row = |&row: &u32| (numbers[row as usize], row);
    let mut sorted: Vec<(f64, u32)> =
        rows.iter().map(of_row).filter(|(number, _)| !number.is_nan()).collect();
    sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut distinct: Vec<f64> = Vec::new();
    let mut ranks = vec![MISSING; numbers.len()];
    for run in sorted.chunk_by(|a, b| a.0 == b.0) {
        run.iter().for_each(|&(_, row)| ranks[row as usize] = distinct.len() as u32);
        distinct.push(run[0].0);
    }
    let n_codes = distinct.len();
    let known = ranks.iter().map(|&rank| (rank as usize).min(n_codes));
    let cells = Cells::new(known, n_codes, classes, n_classes);
    CaseColumn { cells, n_codes, values: CaseValues::Numbers { numbers, distinct } }
}

impl Cells {
    fn new(codes: impl Iterator<Item = usize>, n_codes: usize, classes: &[u32], n_classes: usize) -> Self {
        let cells = codes.zip(classes).map(|(code, &class)| code * n_classes + class as usize);
        match (n_codes + 1) * n_classes {
            0..=0x100 => Cells::Narrow(cells.map(|cell| cell as u8).collect()),
            0..=0x1_0000 => Cells::Middle(cells.map(|cell| cell as u16).collect()),
            _ => Cells::Wide(cells.map(|cell| cell as u32).collect()),
        }
    }
}

impl CaseColumn<'_> {
    /// Whether it is tested by a threshold.
    pub(crate) fn is_numeric(&self) -> bool {
        matches!(self.values, CaseValues::Numbers { .. })
    }
}
