//! A document: what a report says, before it has a form.

/// How the cells of a column are aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Figures.
    Right,
}

/// A table with a title.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// Name and alignment of each column.
    pub columns: Vec<(String, Align)>,
    /// The cells, row by row.
    pub rows: Vec<Vec<String>>,
}

/// A part of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A paragraph.
    Paragraph(String),
    /// A list of short remarks.
    List(Vec<String>),
    /// A table.
    Table(Table),
}

/// A title and what stands below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The title.
    pub title: String,
    /// The parts, in order.
    pub parts: Vec<Part>,
}
