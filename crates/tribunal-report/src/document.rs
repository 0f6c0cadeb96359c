//! A document: what a report says, before it has a form.

use tribunal::{printable, printable_lines};

/// How the cells of a column are aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Figures.
    Right,
}

/// How a cell stands out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// It does not.
    #[default]
    None,
    /// The best of its kind: bold, or a star.
    Best,
    /// Cannot be told apart from the best: underlined, or a tilde.
    Level,
}

/// A cell of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// What it says.
    pub text: String,
    /// How it stands out.
    pub mark: Mark,
}

impl<S: Into<String>> From<S> for Cell {
    fn from(text: S) -> Self {
        Self { text: text.into(), mark: Mark::None }
    }
}

/// A row of cells that do not stand out.
pub(crate) fn plain_row(cells: impl IntoIterator<Item = impl Into<String>>) -> Vec<Cell> {
    cells.into_iter().map(Cell::from).collect()
}

/// A table with a title.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// Name and alignment of each column.
    pub columns: Vec<(String, Align)>,
    /// The cells, row by row.
    pub rows: Vec<Vec<Cell>>,
}

/// Names and alignments of columns.
pub(crate) fn columns<const N: usize>(columns: [(&str, Align); N]) -> Vec<(String, Align)> {
    columns.map(|(name, align)| (name.to_owned(), align)).to_vec()
}

/// A part of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// What the parts up to the next heading are about.
    Heading(String),
    /// A paragraph.
    Paragraph(String),
    /// A list of short remarks.
    List(Vec<String>),
    /// A table.
    Table(Table),
    /// Lines that stand as they are, in letters of one width.
    Verbatim(String),
}

/// A title and what stands below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The title.
    pub title: String,
    /// The parts, in order.
    pub parts: Vec<Part>,
}

impl Document {
    /// The same with characters written out that would command a terminal, hide, or break a line: whatever is said of
    /// columns, classes, models and files quotes what users called them.
    pub(crate) fn printable(&self) -> Document {
        let parts = self.parts.iter().map(|part| match part {
            Part::Heading(text) => Part::Heading(printable(text).into_owned()),
            Part::Paragraph(text) => Part::Paragraph(printable(text).into_owned()),
            Part::List(items) => Part::List(items.iter().map(|item| printable(item).into_owned()).collect()),
            Part::Table(table) => Part::Table(table.printable()),
            Part::Verbatim(lines) => Part::Verbatim(printable_lines(lines).into_owned()),
        });
        Document { title: printable(&self.title).into_owned(), parts: parts.collect() }
    }
}

impl Table {
    fn printable(&self) -> Table {
        let column = |(name, align): &(String, Align)| (printable(name).into_owned(), *align);
        let cell = |cell: &Cell| Cell { text: printable(&cell.text).into_owned(), mark: cell.mark };
        Table {
            title: printable(&self.title).into_owned(),
            columns: self.columns.iter().map(column).collect(),
            rows: self.rows.iter().map(|row| row.iter().map(cell).collect()).collect(),
        }
    }
}
