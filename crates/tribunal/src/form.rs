//! The names and versions of the JSON forms of results.
//!
//! Every result begins with its form, such as `tribunal.evaluation/6`. Whatever changes in a form raises its version:
//! `schemas/` holds the JSON schema of each, and a test compares them with the types. A form of another version is refused when
//! it is read, before anybody trusts fields that mean something else; fields that are not known are passed over.

use std::fmt;
use std::marker::PhantomData;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A result with a JSON form of its own.
pub trait Form {
    /// Name and version of the form.
    const SCHEMA: &'static str;
}

/// The form of model files, and its version.
pub const MODEL_SCHEMA: &str = "tribunal.model/1";

/// The field `schema` of a result: written as the form of the result, and read only if it is that form.
///
/// ```
/// use tribunal::{SchemaOf, StudyTimes};
///
/// let schema = serde_json::to_string(&SchemaOf::<StudyTimes>::default())?;
/// assert_eq!(schema, "\"tribunal.study-times/1\"");
/// assert!(serde_json::from_str::<SchemaOf<StudyTimes>>("\"tribunal.study-times/9\"").is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
pub struct SchemaOf<T>(PhantomData<fn() -> T>);

impl<T> Default for SchemaOf<T> {
    fn default() -> Self {
        SchemaOf(PhantomData)
    }
}

impl<T> Clone for SchemaOf<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for SchemaOf<T> {}

impl<T> PartialEq for SchemaOf<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for SchemaOf<T> {}

impl<T: Form> fmt::Display for SchemaOf<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::SCHEMA)
    }
}

impl<T: Form> fmt::Debug for SchemaOf<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", T::SCHEMA)
    }
}

impl<T: Form> Serialize for SchemaOf<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(T::SCHEMA)
    }
}

impl<'de, T: Form> Deserialize<'de> for SchemaOf<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let found = String::deserialize(deserializer)?;
        if found != T::SCHEMA {
            return Err(D::Error::custom(other_form(&found, T::SCHEMA)));
        }
        Ok(Self::default())
    }
}

#[cfg(feature = "schema")]
impl<T: Form> schemars::JsonSchema for SchemaOf<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::SCHEMA.into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "const": T::SCHEMA })
    }
}

/// The name of a form and its version; nothing for what is none.
pub(crate) fn parts(schema: &str) -> Option<(&str, u32)> {
    let (name, version) = schema.split_once('/')?;
    Some((name, version.parse().ok()?))
}

/// Says that a form is not the one that is read.
pub(crate) fn other_form(found: &str, expected: &str) -> String {
    let advice = match (parts(found), parts(expected)) {
        (Some((name, written)), Some((known, read))) if name == known && written > read => {
            "it was written by a newer Tribunal: update this one"
        }
        (Some((name, _)), Some((known, _))) if name == known => {
            "it was written by an older Tribunal: make the results again, or read them with the version that wrote them"
        }
        _ => "that is something else",
    };
    format!("the form is \"{found}\", and \"{expected}\" is expected; {advice}")
}

#[cfg(all(test, feature = "learners"))]
mod tests {
    use super::*;
    use crate::StudyTimes;

    #[test]
    fn another_version_is_refused_with_what_to_do() {
        let read = |text: &str| serde_json::from_str::<SchemaOf<StudyTimes>>(text);
        assert_eq!(read("\"tribunal.study-times/1\"").expect("the form").to_string(), StudyTimes::SCHEMA);
        let refused = |text: &str| read(text).expect_err("another form").to_string();
        assert!(refused("\"tribunal.study-times/2\"").contains("newer"));
        assert!(refused("\"tribunal.study-times/0\"").contains("older"));
        assert!(refused("\"tribunal.study/1\"").contains("something else"));
        assert!(refused("7").contains("string"));
    }
}
