//! The cells of an Arrow column as text, for the formats that are made of text.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int64Type, UInt64Type};
use arrow_array::{
    Array, BooleanArray, Float32Array, Float64Array, Int64Array, LargeStringArray, RecordBatch, StringArray,
    StringViewArray, UInt64Array,
};
use arrow_buffer::NullBuffer;
use arrow_cast::cast;
use arrow_schema::{DataType, Field};

use crate::columnar::times::times;
use crate::error::{Error, ErrorKind, quoted};
use crate::write::numbers::{push_double, push_fixed, push_single};

/// The metadata of a field that says with how many decimals its numbers are written.
const DECIMALS: &str = "decimals";

/// A column ready to be written cell by cell.
pub(crate) struct Cells {
    nulls: Option<NullBuffer>,
    values: Values,
}

enum Values {
    Boolean(BooleanArray),
    Signed(Int64Array),
    Unsigned(UInt64Array),
    Single(Float32Array),
    Double(Float64Array, Option<usize>),
    /// Numbers that are written already: decimals.
    Written(StringArray),
    Text(StringArray),
    LargeText(LargeStringArray),
    TextView(StringViewArray),
    /// Positions in a list of values.
    Coded(Vec<usize>, Box<Values>),
    Nothing,
}

/// What one cell holds.
pub(crate) enum Cell<'a> {
    Missing,
    Text(&'a str),
    /// A number, true or false: written by [`Cells::push_plain`].
    Plain,
    /// A number that is not finite.
    NotFinite,
}

impl Cells {
    /// The columns of a batch.
    ///
    /// # Errors
    /// A column holds lists, structs or bytes.
    pub(crate) fn of_batch(batch: &RecordBatch) -> Result<Vec<Cells>, Error> {
        let fields = batch.schema_ref().fields().iter();
        fields.zip(batch.columns()).map(|(field, array)| Cells::new(field, array)).collect()
    }

    fn new(field: &Field, array: &dyn Array) -> Result<Self, Error> {
        let values = Values::new(field, array)?;
        Ok(Cells { nulls: array.logical_nulls().filter(|nulls| nulls.null_count() > 0), values })
    }

    #[inline]
    pub(crate) fn cell(&self, row: usize) -> Cell<'_> {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            return Cell::Missing;
        }
        self.values.cell(row)
    }

    /// Appends a cell that is [`Cell::Plain`] or [`Cell::NotFinite`].
    #[inline]
    pub(crate) fn push_plain(&self, row: usize, out: &mut Vec<u8>) {
        self.values.push_plain(row, out);
    }
}

impl Values {
    fn new(field: &Field, array: &dyn Array) -> Result<Self, Error> {
        let convert = |to: &DataType| cast(array, to).map_err(|_| unwritable(field));
        Ok(match array.data_type() {
            DataType::Null => Values::Nothing,
            DataType::Boolean => Values::Boolean(array.as_boolean().clone()),
            DataType::Float64 => Values::Double(array.as_primitive::<Float64Type>().clone(), decimals(field)),
            DataType::Float16 | DataType::Float32 => {
                Values::Single(convert(&DataType::Float32)?.as_primitive::<Float32Type>().clone())
            }
            kind if kind.is_signed_integer() => {
                Values::Signed(convert(&DataType::Int64)?.as_primitive::<Int64Type>().clone())
            }
            kind if kind.is_unsigned_integer() => {
                Values::Unsigned(convert(&DataType::UInt64)?.as_primitive::<UInt64Type>().clone())
            }
            DataType::Utf8 => Values::Text(array.as_string::<i32>().clone()),
            DataType::LargeUtf8 => Values::LargeText(array.as_string::<i64>().clone()),
            DataType::Utf8View => Values::TextView(array.as_string_view().clone()),
            DataType::Dictionary(..) => Values::coded(field, array)?,
            DataType::RunEndEncoded(_, values) => Values::new(field, &convert(values.data_type())?)?,
            kind if kind.is_decimal() => {
                Values::Written(convert(&DataType::Utf8)?.as_string::<i32>().clone())
            }
            kind if kind.is_temporal() => Values::Text(times(array).map_err(|_| unwritable(field))?),
            _ => return Err(unwritable(field)),
        })
    }

    fn coded(field: &Field, array: &dyn Array) -> Result<Self, Error> {
        let coded = array.as_any_dictionary();
        // No list of values means that every row is missing, and then no code is looked at.
        let codes = if coded.values().is_empty() { Vec::new() } else { coded.normalized_keys() };
        Ok(Values::Coded(codes, Box::new(Values::new(field, coded.values())?)))
    }

    #[inline]
    fn cell(&self, row: usize) -> Cell<'_> {
        match self {
            Values::Text(texts) => Cell::Text(texts.value(row)),
            Values::LargeText(texts) => Cell::Text(texts.value(row)),
            Values::TextView(texts) => Cell::Text(texts.value(row)),
            Values::Coded(codes, values) => values.cell(codes[row]),
            Values::Double(values, _) if !values.value(row).is_finite() => Cell::NotFinite,
            Values::Single(values) if !values.value(row).is_finite() => Cell::NotFinite,
            Values::Nothing => Cell::Missing,
            _ => Cell::Plain,
        }
    }

    #[inline]
    fn push_plain(&self, row: usize, out: &mut Vec<u8>) {
        match self {
            Values::Boolean(values) => {
                out.extend_from_slice(if values.value(row) { b"true" } else { b"false" })
            }
            Values::Signed(values) => push_whole(values.value(row), out),
            Values::Unsigned(values) => push_whole(values.value(row), out),
            Values::Single(values) => push_single(values.value(row), out),
            Values::Double(values, None) => push_double(values.value(row), out),
            Values::Double(values, Some(decimals)) => push_fixed(values.value(row), *decimals, out),
            Values::Written(values) => out.extend_from_slice(values.value(row).as_bytes()),
            Values::Coded(codes, values) => values.push_plain(codes[row], out),
            Values::Text(_) | Values::LargeText(_) | Values::TextView(_) | Values::Nothing => {}
        }
    }
}

#[inline]
pub(crate) fn push_whole(value: impl itoa::Integer, out: &mut Vec<u8>) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

fn decimals(field: &Field) -> Option<usize> {
    field.metadata().get(DECIMALS)?.parse().ok().filter(|&decimals| decimals <= 17)
}

fn unwritable(field: &Field) -> Error {
    let problem = format!("the type {} cannot be written as text", quoted(&field.data_type().to_string()));
    Error::new(ErrorKind::ColumnType, problem)
        .in_column(field.name())
        .advise("write Parquet or Arrow, or leave the column out")
}
