//! Out of memory is an error message and exit code 1, not an abort (SIGABRT) with a backtrace.
//!
//! [`ExitWhenExhausted`] wraps another global allocator. What is known to be large is refused before it is begun
//! (`tribunal-memory`); this is the safety net for everything else, under `ulimit -v` above all. Outputs are written whole or
//! not at all, so nothing half-written stays behind.
//!
//! # Why `unsafe`
//! A global allocator can only be written with it, and stable Rust has no hook for failed allocations
//! (`set_alloc_error_hook` is unstable). Every call goes to the wrapped allocator unchanged; all that is added is a look at
//! whether the pointer is null.
//!
//! # What was rejected
//! - *Catching the abort with a signal handler*: the process would already have printed what it prints.
//! - *`try_reserve` at every allocation*: dependencies do not.

#![allow(unsafe_code, reason = "GlobalAlloc is an unsafe trait; see the head of the file")]

use std::alloc::{GlobalAlloc, Layout};
use std::io::Write;

/// An allocator that ends the process with exit code 1 and a sentence on standard error where the one inside has no memory.
#[derive(Debug)]
pub struct ExitWhenExhausted<A>(pub A);

// SAFETY: every method passes its arguments on and returns what it got, so the contract is that of the wrapped allocator;
// null is never returned.
unsafe impl<A: GlobalAlloc> GlobalAlloc for ExitWhenExhausted<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`.
        allocated(unsafe { self.0.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        allocated(unsafe { self.0.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `realloc`.
        allocated(unsafe { self.0.realloc(pointer, layout, new_size) }, new_size)
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { self.0.dealloc(pointer, layout) }
    }
}

#[inline]
fn allocated(pointer: *mut u8, n_bytes: usize) -> *mut u8 {
    if pointer.is_null() {
        exit_without_memory(n_bytes);
    }
    pointer
}

/// Allocates nothing: standard error is not buffered, and numbers are formatted on the stack.
#[cold]
fn exit_without_memory(n_bytes: usize) -> ! {
    let _ = writeln!(
        std::io::stderr(),
        "error: memory is exhausted: {n_bytes} more bytes were asked for, and the machine, ulimit -v or the container has none \
         left; take fewer rows or columns, or allow more memory"
    );
    std::process::exit(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::alloc::System;

    #[test]
    fn what_can_be_had_is_had() {
        let allocator = ExitWhenExhausted(System);
        let layout = Layout::new::<[u64; 4]>();
        // SAFETY: the layout is not empty, and the pointer is freed with the layout of its last size.
        unsafe {
            let pointer = allocator.alloc_zeroed(layout);
            assert_eq!(*pointer.add(31), 0);
            let pointer = allocator.realloc(pointer, layout, 64);
            allocator.dealloc(pointer, Layout::array::<u64>(8).expect("a layout"));
        }
    }
}
