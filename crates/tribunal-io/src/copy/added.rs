//! The columns that a copy adds, as text to be appended to rows or as arrays.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, StringArray};
use arrow_schema::{DataType, Field};

use crate::batch::Labels;
use crate::csv::fields::Dialect;
use crate::error::{Error, ErrorKind, quoted};
use crate::write::cells::push_whole;
use crate::write::csv::Layout;
use crate::write::json_lines::{key, push_string};
use crate::write::numbers::push_double;

/// A column to be added to a copy.
#[derive(Clone, Copy, Debug)]
pub struct AddedColumn<'a> {
    /// The name, which no column of the source has.
    pub name: &'a str,
    /// One value for each row of the source, whether the row is kept or not.
    pub values: AddedValues<'a>,
}

/// The values of an [`AddedColumn`].
#[derive(Clone, Copy, Debug)]
pub enum AddedValues<'a> {
    /// Whole numbers.
    Whole(&'a [u32]),
    /// Numbers; one that is not finite is missing.
    Numbers(&'a [f64]),
    /// Labels, as positions in a list.
    Labels {
        /// One position a row; [`Labels::MISSING`] where there is none.
        codes: &'a [u32],
        /// The list.
        texts: &'a [String],
    },
}

impl AddedColumn<'_> {
    /// How many rows have a value.
    pub(crate) fn len(&self) -> usize {
        match self.values {
            AddedValues::Whole(values) => values.len(),
            AddedValues::Numbers(values) => values.len(),
            AddedValues::Labels { codes, .. } => codes.len(),
        }
    }

    /// Fails if a code stands for no label.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let AddedValues::Labels { codes, texts } = self.values else { return Ok(()) };
        let is_odd = |&&code: &&u32| code != Labels::MISSING && code as usize >= texts.len();
        codes.iter().find(is_odd).map_or(Ok(()), |code| {
            let problem = format!("the code {code} stands for none of the {} labels", texts.len());
            Err(Error::new(ErrorKind::InvalidInput, problem)
                .in_column(self.name)
                .advise("codes count from zero"))
        })
    }

    pub(crate) fn field(&self) -> Field {
        let data_type = match self.values {
            AddedValues::Whole(_) => DataType::Int64,
            AddedValues::Numbers(_) => DataType::Float64,
            AddedValues::Labels { .. } => DataType::Utf8,
        };
        Field::new(self.name, data_type, true)
    }

    /// The values of some rows.
    pub(crate) fn array(&self, rows: Range<usize>) -> ArrayRef {
        match self.values {
            AddedValues::Whole(values) => {
                Arc::new(Int64Array::from_iter_values(values[rows].iter().map(|&value| i64::from(value))))
            }
            AddedValues::Numbers(values) => {
                let finite = |&value: &f64| value.is_finite().then_some(value);
                Arc::new(values[rows].iter().map(finite).collect::<Float64Array>())
            }
            AddedValues::Labels { codes, texts } => {
                let text = |&code: &u32| texts.get(code as usize).map(String::as_str);
                Arc::new(codes[rows].iter().map(text).collect::<StringArray>())
            }
        }
    }
}

/// Added columns as text. Each label is put into quotes once.
pub(crate) struct AddedText<'a> {
    columns: Vec<TextColumn<'a>>,
}

struct TextColumn<'a> {
    /// What stands between the value before and this one.
    lead: Vec<u8>,
    values: AddedValues<'a>,
    /// The labels as they are written.
    texts: Vec<Vec<u8>>,
    missing: &'static [u8],
}

impl<'a> AddedText<'a> {
    /// The fields of a CSV file of this dialect.
    ///
    /// # Errors
    /// A label needs quotes, and the dialect has none for it.
    pub(crate) fn csv(added: &[AddedColumn<'a>], dialect: Dialect) -> Result<Self, Error> {
        let column = |added: &AddedColumn<'a>| {
            let quote = |text: &String| {
                csv_field(text, dialect, Layout::push_text).map_err(|error| error.in_column(added.name))
            };
            let texts = labels(added.values).iter().map(quote).collect::<Result<_, Error>>()?;
            Ok(TextColumn { lead: vec![dialect.delimiter], values: added.values, texts, missing: b"" })
        };
        Ok(AddedText { columns: added.iter().map(column).collect::<Result<_, Error>>()? })
    }

    /// The members of a JSON object.
    pub(crate) fn json(added: &[AddedColumn<'a>]) -> Self {
        let column = |added: &AddedColumn<'a>| {
            let quote = |text: &String| {
                let mut out = Vec::new();
                push_string(text, &mut out);
                out
            };
            let lead = [b",".as_slice(), &key(added.name)].concat();
            let texts = labels(added.values).iter().map(quote).collect();
            TextColumn { lead, values: added.values, texts, missing: b"null" }
        };
        AddedText { columns: added.iter().map(column).collect() }
    }

    /// Appends the values of a row. In an object that is empty nothing stands before the first.
    #[inline]
    pub(crate) fn push(&self, row: usize, is_first: bool, out: &mut Vec<u8>) {
        for (idx, column) in self.columns.iter().enumerate() {
            let skipped = usize::from(is_first && idx == 0);
            out.extend_from_slice(&column.lead[skipped..]);
            match column.values {
                AddedValues::Whole(values) => push_whole(values[row], out),
                AddedValues::Numbers(values) if values[row].is_finite() => push_double(values[row], out),
                AddedValues::Numbers(_) => out.extend_from_slice(column.missing),
                AddedValues::Labels { codes, .. } => {
                    let text = column.texts.get(codes[row] as usize).map(Vec::as_slice);
                    out.extend_from_slice(text.unwrap_or(column.missing));
                }
            }
        }
    }
}

fn labels(values: AddedValues<'_>) -> &[String] {
    match values {
        AddedValues::Whole(_) | AddedValues::Numbers(_) => &[],
        AddedValues::Labels { texts, .. } => texts,
    }
}

/// The names of the columns, each after a delimiter.
///
/// # Errors
/// A name needs quotes, and the dialect has none for it.
pub(crate) fn csv_names(added: &[AddedColumn<'_>], dialect: Dialect) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    for column in added {
        out.push(dialect.delimiter);
        out.extend(csv_field(column.name, dialect, Layout::push_name)?);
    }
    Ok(out)
}

fn csv_field(
    text: &str,
    dialect: Dialect,
    push: fn(Layout, &str, bool, &mut Vec<u8>),
) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    let layout = Layout { delimiter: dialect.delimiter, quote: dialect.quote.unwrap_or(b'"') };
    push(layout, text, false, &mut out);
    let is_bare = out == text.as_bytes();
    // A double quote in a file of single quotes would make its reader doubt which of them are the quotes.
    let is_clear = dialect.quote.map_or(is_bare, |quote| quote == b'"' || !text.contains('"'));
    if is_clear {
        return Ok(out);
    }
    let problem = format!("{} cannot be written with the quotes of the file", quoted(text));
    Err(Error::new(ErrorKind::InvalidInput, problem).advise("choose plainer words, or write another format"))
}
