//! Arrow dates and times as texts.

use arrow_array::cast::AsArray;
use arrow_array::{Array, StringArray};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType};

/// Dates and times in the words of ISO 8601. A time zone known by its name is written as UTC.
pub(crate) fn times(array: &dyn Array) -> Result<StringArray, ArrowError> {
    let texts = cast(array, &DataType::Utf8).or_else(|error| match array.data_type() {
        DataType::Timestamp(unit, Some(_)) => {
            let universal = DataType::Timestamp(*unit, Some("+00:00".into()));
            cast(&cast(array, &universal)?, &DataType::Utf8)
        }
        _ => Err(error),
    });
    Ok(texts?.as_string::<i32>().clone())
}
