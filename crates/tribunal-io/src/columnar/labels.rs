//! Arrow arrays as labels.
//!
//! A label reads the same whatever its type: the whole number 1 is `1` from an Int8, a Float64 or a text, so that
//! "the positive class is 1" holds for the same table in CSV and in Parquet.

use std::fmt::Display;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, StringArrayType};
use arrow_schema::DataType;

use crate::batch::Labels;
use crate::chunk::{LabelBuilder, LocalLabels};
use crate::columnar::Fault;
use crate::columnar::numbers::cast;
use crate::columnar::times::times;

/// An array as labels.
pub(crate) fn labels(array: &dyn Array) -> Result<LocalLabels, Fault> {
    Ok(match array.data_type() {
        DataType::Utf8 => texts(array.as_string::<i32>()),
        DataType::LargeUtf8 => texts(array.as_string::<i64>()),
        DataType::Utf8View => texts(array.as_string_view()),
        DataType::Boolean => booleans(array),
        DataType::Int64 => whole::<Int64Type>(array, |value| value as u64),
        DataType::Int32 => whole::<Int32Type>(array, |value| value as u64),
        DataType::Int16 => whole::<Int16Type>(array, |value| value as u64),
        DataType::Int8 => whole::<Int8Type>(array, |value| value as u64),
        DataType::UInt64 => whole::<UInt64Type>(array, |value| value),
        DataType::UInt32 => whole::<UInt32Type>(array, u64::from),
        DataType::UInt16 => whole::<UInt16Type>(array, u64::from),
        DataType::UInt8 => whole::<UInt8Type>(array, u64::from),
        DataType::Float64 => floats::<Float64Type>(array, |value| value),
        DataType::Float32 => floats::<Float32Type>(array, f64::from),
        DataType::Float16 => floats::<Float16Type>(array, |value| value.to_f64()),
        DataType::Null => missing(array.len()),
        DataType::Dictionary(_, _) => dictionary(array)?,
        DataType::RunEndEncoded(_, values) => labels(&*cast(array, values.data_type())?)?,
        data_type if data_type.is_decimal() => decimals(array)?,
        data_type if data_type.is_temporal() => {
            texts(&times(array).map_err(|_| Fault::Type(data_type.clone()))?)
        }
        data_type => return Err(Fault::Type(data_type.clone())),
    })
}

fn texts<'a>(array: impl StringArrayType<'a>) -> LocalLabels {
    let mut builder = LabelBuilder::with_capacity(array.len());
    array.iter().for_each(|text| builder.push(text.unwrap_or_default()));
    builder.finish()
}

fn booleans(array: &dyn Array) -> LocalLabels {
    let mut builder = LabelBuilder::with_capacity(array.len());
    for value in array.as_boolean() {
        builder.push(match value {
            Some(true) => "true",
            Some(false) => "false",
            None => "",
        });
    }
    builder.finish()
}

fn whole<T: ArrowPrimitiveType>(array: &dyn Array, key: impl Fn(T::Native) -> u64) -> LocalLabels
where
    T::Native: Display,
{
    keyed::<T>(array, key, |value| value.to_string())
}

/// Floats: not a number is missing, for that is how many programs write a label that is not there.
fn floats<T: ArrowPrimitiveType>(array: &dyn Array, widen: impl Fn(T::Native) -> f64) -> LocalLabels
where
    T::Native: Display,
{
    let text = |value: T::Native| match widen(value) {
        value if value.is_nan() => String::new(),
        // Minus zero is zero.
        0.0 => "0".into(),
        _ => value.to_string(),
    };
    keyed::<T>(array, |value| widen(value).to_bits(), text)
}

fn keyed<T: ArrowPrimitiveType>(
    array: &dyn Array,
    key: impl Fn(T::Native) -> u64,
    text: impl Fn(T::Native) -> String,
) -> LocalLabels {
    let array = array.as_primitive::<T>();
    let mut builder = LabelBuilder::with_capacity(array.len());
    let mut push = |value: T::Native| {
        if !builder.push_recent(key(value)) {
            builder.push_keyed(key(value), &text(value));
        }
    };
    if array.null_count() == 0 {
        array.values().iter().for_each(|&value| push(value));
        return builder.finish();
    }
    for value in array {
        match value {
            Some(value) if builder.push_recent(key(value)) => {}
            Some(value) => builder.push_keyed(key(value), &text(value)),
            None => builder.push_missing(),
        }
    }
    builder.finish()
}

/// Decimals as Arrow writes them, without the zeros after a point.
fn decimals(array: &dyn Array) -> Result<LocalLabels, Fault> {
    let array = cast(array, &DataType::Utf8)?;
    let mut builder = LabelBuilder::with_capacity(array.len());
    for text in array.as_string::<i32>() {
        let text = text.unwrap_or_default();
        builder.push(if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.')
        } else {
            text
        });
    }
    Ok(builder.finish())
}

/// A dictionary array: each of its values is converted once, and numbered again by first appearance.
fn dictionary(array: &dyn Array) -> Result<LocalLabels, Fault> {
    let array = array.as_any_dictionary();
    let values = labels(array.values().as_ref())?;
    if values.codes.is_empty() {
        return Ok(missing(array.len()));
    }
    let mut builder = LabelBuilder::with_capacity(array.len());
    for (row, &key) in array.normalized_keys().iter().enumerate() {
        if array.keys().is_null(row) {
            builder.push_missing();
        } else if !builder.push_recent(key as u64) {
            let text = values.codes.get(key).and_then(|&code| values.dictionary.text(code));
            builder.push_keyed(key as u64, text.unwrap_or_default());
        }
    }
    Ok(builder.finish())
}

fn missing(n_rows: usize) -> LocalLabels {
    LocalLabels { codes: vec![Labels::MISSING; n_rows], ..LocalLabels::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::*;

    fn check(array: impl Array, expected: &[Option<&str>]) {
        let labels = labels(&array).expect("labels");
        let found: Vec<_> = labels.codes.iter().map(|&code| labels.dictionary.text(code)).collect();
        assert_eq!(found, expected, "{:?}", array.data_type());
        let codes = labels.codes.iter().filter(|&&code| code != Labels::MISSING);
        let mut n_met = 0;
        codes.for_each(|&code| {
            assert!(code <= n_met, "codes follow first appearance");
            n_met = n_met.max(code + 1);
        });
    }

    #[test]
    fn a_label_reads_the_same_whatever_its_type() {
        let expected = [Some("1"), None, Some("0"), Some("1")];
        check(Int64Array::from(vec![Some(1), None, Some(0), Some(1)]), &expected);
        check(UInt8Array::from(vec![Some(1), None, Some(0), Some(1)]), &expected);
        check(Float64Array::from(vec![Some(1.0), None, Some(-0.0), Some(1.0)]), &expected);
        check(Float32Array::from(vec![1.0, f32::NAN, 0.0, 1.0]), &expected);
        check(StringArray::from(vec![Some("1"), None, Some("0"), Some("1")]), &expected);
        check(StringViewArray::from(vec!["1", "", "0", "1"]), &expected);
        let decimals = Decimal128Array::from(vec![Some(100), None, Some(0), Some(100)]);
        check(decimals.with_precision_and_scale(10, 2).expect("decimals"), &expected);
    }

    #[test]
    fn fractions_booleans_and_dates_are_written_out() {
        check(Float32Array::from(vec![0.1]), &[Some("0.1")]);
        check(Int8Array::from(vec![-1]), &[Some("-1")]);
        check(BooleanArray::from(vec![Some(true), None, Some(false)]), &[Some("true"), None, Some("false")]);
        check(Date32Array::from(vec![0]), &[Some("1970-01-01")]);
        let seconds = || TimestampSecondArray::from(vec![Some(86_400), None]);
        check(seconds(), &[Some("1970-01-02T00:00:00"), None]);
        check(seconds().with_timezone("+00:00"), &[Some("1970-01-02T00:00:00Z"), None]);
        check(seconds().with_timezone("Europe/Paris"), &[Some("1970-01-02T00:00:00Z"), None]);
        check(NullArray::new(2), &[None, None]);
    }

    #[test]
    fn dictionaries_are_numbered_again() {
        let values = StringArray::from(vec![Some("never"), Some("no"), None, Some("yes")]);
        let keys = Int8Array::from(vec![Some(3), None, Some(1), Some(2), Some(3)]);
        let array = DictionaryArray::new(keys, std::sync::Arc::new(values));
        check(array, &[Some("yes"), None, Some("no"), None, Some("yes")]);
        let nothing = StringArray::from(Vec::<&str>::new());
        let keys = Int8Array::from(vec![None, None]);
        check(DictionaryArray::new(keys, std::sync::Arc::new(nothing)), &[None, None]);
    }
}
