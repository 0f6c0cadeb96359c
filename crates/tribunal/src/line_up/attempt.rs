//! Work that may fail in any way, turned into a result or a reason.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::Error;

/// What some work came to, or why it failed: an error, or a panic. What was borrowed is not looked at afterwards unless it
/// is immutable, so a panic cannot leave it half changed.
pub(crate) fn attempt<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => done.map_err(|error| error.to_string()),
        Err(panic) => Err(format!("a defect of this program stopped it: {}", words(&*panic))),
    }
}

/// What a panic says.
fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no reason was given")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_and_panics_are_reasons() {
        assert_eq!(attempt(|| Ok(3)), Ok(3));
        assert_eq!(attempt(|| Err::<(), _>(Error::data("no row"))), Err("no row".into()));
        let panics = |row: usize| attempt(|| Ok([1, 2][row]));
        assert!(panics(7).expect_err("a panic").contains("the index is 7"));
        assert_eq!(panics(1), Ok(2));
    }
}
