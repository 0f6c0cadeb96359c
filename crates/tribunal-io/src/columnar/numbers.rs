//! Arrow arrays as numbers.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, PrimitiveArray, StringArrayType};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_schema::DataType;

use crate::batch::Numbers;
use crate::chunk::{NotANumber, NumberBuilder};
use crate::columnar::Fault;
use crate::text::number;

/// An array as numbers. Float64 is not copied; texts are parsed.
pub(crate) fn numbers(array: &dyn Array) -> Result<Numbers, Fault> {
    converted_on(array, &Reading::All)
}

/// An array as numbers, with the texts that are none listed apart.
pub(crate) fn cells(array: &dyn Array) -> Result<Numbers, Fault> {
    converted_on(array, &Reading::Cells)
}

/// Which texts of an array must be numbers.
enum Reading<'a> {
    All,
    /// Those of the rows that count.
    On(&'a [bool]),
    /// None: the others are strays.
    Cells,
}

/// An array as numbers on the rows that count, zeros on the others. All are decoded, for picking out scattered
/// values costs a decoder more, but a text is parsed only where it counts.
pub(crate) fn numbers_on(array: &dyn Array, rows: &[bool]) -> Result<Numbers, Fault> {
    let Numbers { values, present, .. } = converted_on(array, &Reading::On(rows))?;
    let counted = values.iter().zip(rows).map(|(&value, &counts)| if counts { value } else { 0.0 });
    let values: Vec<f64> = counted.collect();
    let present = present.filter(|present| present.null_count() > 0).map(|present| {
        let is_there = |row: usize| !rows[row] || present.is_valid(row);
        NullBuffer::new(BooleanBuffer::collect_bool(present.len(), is_there))
    });
    Ok(Numbers::new(values, present))
}

fn converted_on(array: &dyn Array, reading: &Reading) -> Result<Numbers, Fault> {
    match array.data_type() {
        DataType::Float64 => Ok(shared(array.as_primitive())),
        DataType::Float32 => Ok(converted::<Float32Type>(array, f64::from)),
        DataType::Float16 => Ok(converted::<Float16Type>(array, |value| value.to_f64())),
        DataType::Int64 => Ok(converted::<Int64Type>(array, |value| value as f64)),
        DataType::Int32 => Ok(converted::<Int32Type>(array, f64::from)),
        DataType::Int16 => Ok(converted::<Int16Type>(array, f64::from)),
        DataType::Int8 => Ok(converted::<Int8Type>(array, f64::from)),
        DataType::UInt64 => Ok(converted::<UInt64Type>(array, |value| value as f64)),
        DataType::UInt32 => Ok(converted::<UInt32Type>(array, f64::from)),
        DataType::UInt16 => Ok(converted::<UInt16Type>(array, f64::from)),
        DataType::UInt8 => Ok(converted::<UInt8Type>(array, f64::from)),
        DataType::Boolean => Ok(booleans(array)),
        DataType::Utf8 => parsed(array.as_string::<i32>(), reading),
        DataType::LargeUtf8 => parsed(array.as_string::<i64>(), reading),
        DataType::Utf8View => parsed(array.as_string_view(), reading),
        DataType::Null => Ok(nothing(array.len())),
        DataType::Dictionary(_, values) => converted_on(&*cast(array, values)?, reading),
        DataType::RunEndEncoded(_, values) => converted_on(&*cast(array, values.data_type())?, reading),
        data_type if data_type.is_decimal() => converted_on(&*cast(array, &DataType::Float64)?, reading),
        data_type => Err(Fault::Type(data_type.clone())),
    }
}

/// An array as another type, where Arrow knows how.
pub(crate) fn cast(array: &dyn Array, to: &DataType) -> Result<arrow_array::ArrayRef, Fault> {
    arrow_cast::cast(array, to).map_err(|_| Fault::Type(array.data_type().clone()))
}

fn shared(array: &PrimitiveArray<Float64Type>) -> Numbers {
    Numbers::new(array.values().clone(), array.nulls().cloned())
}

fn converted<T: ArrowPrimitiveType>(array: &dyn Array, convert: impl Fn(T::Native) -> f64) -> Numbers {
    let array = array.as_primitive::<T>();
    let values: Vec<f64> = array.values().iter().map(|&value| convert(value)).collect();
    Numbers::new(values, array.nulls().cloned())
}

fn booleans(array: &dyn Array) -> Numbers {
    let array = array.as_boolean();
    let values: Vec<f64> = array.values().iter().map(|value| f64::from(u8::from(value))).collect();
    Numbers::new(values, array.nulls().cloned())
}

fn nothing(n_rows: usize) -> Numbers {
    Numbers::new(vec![f64::NAN; n_rows], Some(NullBuffer::new_null(n_rows)))
}

fn parsed<'a>(array: impl StringArrayType<'a>, reading: &Reading) -> Result<Numbers, Fault> {
    let mut numbers = match reading {
        Reading::Cells => NumberBuilder::of_cells(array.len()),
        Reading::All | Reading::On(_) => NumberBuilder::with_capacity(array.len()),
    };
    for (row, text) in array.iter().enumerate() {
        if matches!(reading, Reading::On(rows) if !rows[row]) {
            numbers.push(0.0);
            continue;
        }
        let text = text.unwrap_or_default();
        numbers.push_text(text).map_err(|NotANumber| Fault::NotANumber(row, number::not_a_number(text)))?;
    }
    Ok(numbers.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::*;

    fn check(array: impl Array, expected: &[Option<f64>]) {
        let numbers = numbers(&array).expect("numbers");
        let found: Vec<_> = (0..expected.len()).map(|row| numbers.get(row)).collect();
        assert_eq!(found, expected, "{:?}", array.data_type());
    }

    #[test]
    fn every_plain_type_becomes_numbers() {
        let expected = [Some(1.0), None, Some(2.0)];
        check(Float64Array::from(vec![Some(1.0), None, Some(2.0)]), &expected);
        check(Float32Array::from(vec![Some(1.0), None, Some(2.0)]), &expected);
        check(Int64Array::from(vec![Some(1), None, Some(2)]), &expected);
        check(Int8Array::from(vec![Some(1), None, Some(2)]), &expected);
        check(UInt64Array::from(vec![Some(1), None, Some(2)]), &expected);
        check(BooleanArray::from(vec![Some(true), None, Some(false)]), &[Some(1.0), None, Some(0.0)]);
        check(StringArray::from(vec![Some("1"), None, Some(" 2.0 ")]), &expected);
        check(LargeStringArray::from(vec![Some("1"), Some(""), Some("2")]), &expected);
        check(StringViewArray::from(vec![Some("1"), Some("NA"), Some("2")]), &expected);
        check(NullArray::new(2), &[None, None]);
        let decimals = Decimal128Array::from(vec![Some(100), None, Some(200)]);
        check(decimals.with_precision_and_scale(10, 2).expect("decimals"), &expected);
        check(
            [Some("1"), None, Some("2")].into_iter().collect::<DictionaryArray<types::Int8Type>>(),
            &expected,
        );
    }

    #[test]
    fn whole_numbers_beyond_two_to_the_53_are_rounded() {
        check(Int64Array::from(vec![9_007_199_254_740_993]), &[Some(9_007_199_254_740_992.0)]);
    }

    #[test]
    fn floats_are_not_copied() {
        let array = Float64Array::from(vec![1.0, 2.0]);
        let numbers = numbers(&array).expect("numbers");
        assert_eq!(numbers.values.as_ptr(), array.values().as_ptr());
    }

    #[test]
    fn a_text_that_is_no_number_is_a_fault_with_its_row() {
        let fault = numbers(&StringArray::from(vec!["1", "x"])).expect_err("a fault");
        assert!(matches!(fault, Fault::NotANumber(1, _)));
    }
}
