//! Numbers in the lines of a journal: their bytes as text, so that what is read is what was written to the last bit.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serializer};

/// Writes numbers as text.
pub(crate) fn write_numbers<S: Serializer>(numbers: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    serializer.serialize_str(&STANDARD.encode(bytes))
}

/// Reads what [`write_numbers`] wrote.
pub(crate) fn read_numbers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let bytes = STANDARD.decode(text).map_err(serde::de::Error::custom)?;
    let (numbers, rest) = bytes.as_chunks::<8>();
    if !rest.is_empty() {
        return Err(serde::de::Error::custom("the scores are cut off"));
    }
    Ok(numbers.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect())
}
