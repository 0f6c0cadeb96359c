//! What columns, codes and classes are called, for models that are shown to people.

use crate::encoding::{Encoder, Scale, Shown};
use crate::kind::Kind;
use crate::model::Input;

/// So many lines of a table are shown at most.
pub(crate) const MOST_LINES: usize = 200;

/// What stands for the lines of a table that are not shown.
pub(crate) fn lines_left(n_lines: usize) -> Option<String> {
    (n_lines > MOST_LINES).then(|| format!("  ... and {} lines more\n", n_lines - MOST_LINES))
}

/// The names behind the numbers of a model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Names {
    pub(crate) columns: Vec<ColumnNames>,
    pub(crate) classes: Vec<String>,
    /// The columns of the matrix, where there is one.
    pub(crate) features: Vec<FeatureName>,
}

/// A column of the matrix.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FeatureName {
    pub(crate) name: String,
    /// The column of the data that it comes from.
    pub(crate) column: usize,
    /// What was done to its numbers.
    pub(crate) scale: Scale,
}

/// The names of a column and of its codes; there are no codes where it holds numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ColumnNames {
    pub(crate) name: String,
    pub(crate) values: Vec<String>,
}

impl Names {
    pub(crate) fn new(inputs: &[Input], encoder: &Encoder, classes: &[String]) -> Self {
        let columns = column_names(inputs, encoder.bin_names().into_iter());
        Names { columns, classes: classes.to_vec(), features: encoder.features() }
    }

    /// The same for a text of lines, which no name may break or end.
    pub(crate) fn in_lines(mut self) -> Self {
        for column in &mut self.columns {
            column.name = in_line(&column.name);
            column.values.iter_mut().for_each(|value| *value = in_line(value));
        }
        self.classes.iter_mut().for_each(|class| *class = in_line(class));
        self.features.iter_mut().for_each(|feature| feature.name = in_line(&feature.name));
        self
    }
}

/// A name with control characters written out.
pub(crate) fn in_line(name: &str) -> String {
    let written = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    name.chars().map(written).collect()
}

/// A text as a string of DOT, the language of Graphviz.
pub(crate) fn in_dot(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The names of columns and of their levels or bins.
pub(crate) fn column_names(
    inputs: &[Input],
    bin_names: impl Iterator<Item = Option<Vec<String>>>,
) -> Vec<ColumnNames> {
    let named = |(input, bins): (&Input, Option<Vec<String>>)| {
        let of_kind = || match &input.kind {
            Kind::Flag => vec!["0".to_owned(), "1".to_owned()],
            kind => kind.levels().to_vec(),
        };
        ColumnNames { name: input.name.clone(), values: bins.unwrap_or_else(of_kind) }
    };
    inputs.iter().zip(bin_names).map(named).collect()
}

impl ColumnNames {
    /// The column and a value of it: `lag = 7 to 15`, or `lag missing`.
    pub(crate) fn reading(&self, value: &Shown) -> String {
        match value {
            Shown::Code(code) => self.reading_of(*code),
            Shown::Number(number) => format!("{} = {number}", self.name),
            Shown::Missing => format!("{} missing", self.name),
        }
    }

    /// The column and the value of a code: `colour = red`, `lag > 30`.
    pub(crate) fn reading_of(&self, code: u32) -> String {
        let (relation, value) = self.relation(code);
        format!("{} {relation} {value}", self.name)
    }

    /// How a column is to the value of a code: equal to a level or a bin, or beyond the bound of an open bin.
    pub(crate) fn relation(&self, code: u32) -> (&'static str, &str) {
        let value = self.value(code);
        let open = ["<=", ">"]
            .into_iter()
            .find_map(|sign| Some((sign, value.strip_prefix(sign)?.strip_prefix(' ')?)));
        open.unwrap_or(("=", value))
    }

    /// A value of the column as text: the level or bin of a code.
    pub(crate) fn value(&self, code: u32) -> &str {
        self.values.get(code as usize).map_or("?", String::as_str)
    }
}
