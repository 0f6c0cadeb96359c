//! Panics of decoders that are caught and told as errors need no second telling by the panic hook.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// What some work comes to; `None` if it panics.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    let before = IS_CAUGHT.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    IS_CAUGHT.set(before);
    done.ok()
}

/// Panics that reading a damaged file causes, and that become errors, are no longer printed; all others are, as before.
/// A program calls this once, at its start.
pub fn hush_caught_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !IS_CAUGHT.get() {
            usual(panic);
        }
    }));
}
