//! Results for tests, made up from their JSON form: more fields may be added to them at any time.

use serde::de::DeserializeOwned;

/// The result that some JSON holds.
pub(crate) fn made<T: DeserializeOwned>(json: serde_json::Value) -> T {
    serde_json::from_value(json).expect("a result")
}
