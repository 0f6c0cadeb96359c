//! Folders of runs: every finished result is kept there before the next is begun, so that a run that ends in any way goes on where it
//! stopped.

mod folder;
mod journal;
mod numbers;

pub use folder::{RUN_FILES, write_run_file};
pub(crate) use folder::{RunDescription, RunFolder};
pub(crate) use numbers::{read_numbers, write_numbers};
