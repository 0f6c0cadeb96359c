//! Fuzz targets: whatever bytes a user may hand over, the answer is a result or an error - no panic, no abort for want of
//! memory, no hang.
//!
//! [`TARGETS`] lists them. Each is a plain function of bytes with seeds beside it, so that it runs in two ways:
//!
//! - `cargo test -p tribunal-fuzz` mutates the seeds for some seconds each, without coverage, in a child process whose
//!   address space is limited. It needs nothing but the stable toolchain and is a part of `make test`;
//!   `TRIBUNAL_FUZZ_SECONDS` and `TRIBUNAL_FUZZ_SEED` make it longer and other.
//! - `fuzz/` holds libFuzzer binaries of the same functions, which follow coverage (`make fuzz`).
//!
//! What was ever found stays in `corpus/`, a folder for each target, and is tried first in every run.

mod models;
mod mutate;
mod rankings;
mod seeds;
mod tables;
mod texts;

use std::cell::OnceCell;
use std::path::PathBuf;

pub use mutate::Mutator;

/// Something that reads what a user gives.
pub struct Target {
    /// Its name, also that of its folder in `corpus/`.
    pub name: &'static str,
    /// Reads bytes and does with them all that can be done.
    pub run: fn(&[u8]),
    /// Inputs that are as they should be.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// Every target.
pub const TARGETS: &[Target] = &[
    Target { name: "csv", run: tables::run, seeds: seeds::csv },
    Target { name: "tsv", run: tables::run, seeds: seeds::tsv },
    Target { name: "gzip", run: tables::run_gzip, seeds: seeds::gzip },
    Target { name: "parquet", run: tables::run, seeds: seeds::parquet },
    Target { name: "arrow_file", run: tables::run, seeds: seeds::arrow_file },
    Target { name: "arrow_stream", run: tables::run, seeds: seeds::arrow_stream },
    Target { name: "json_lines", run: tables::run, seeds: seeds::json_lines },
    Target { name: "arff", run: tables::run, seeds: seeds::arff },
    Target { name: "model", run: models::run, seeds: models::seeds },
    Target { name: "ranking", run: rankings::run, seeds: rankings::seeds },
    Target { name: "study", run: texts::study, seeds: texts::study_seeds },
    Target { name: "schema", run: texts::schema, seeds: texts::schema_seeds },
    Target { name: "cutoff", run: texts::cutoff, seeds: texts::cutoff_seeds },
    Target { name: "learner", run: texts::learner, seeds: texts::learner_seeds },
    Target { name: "design", run: texts::design, seeds: texts::design_seeds },
    Target { name: "measure", run: texts::measure, seeds: texts::measure_seeds },
];

/// The target of a name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

impl Target {
    /// What was found before.
    pub fn corpus(&self) -> Vec<Vec<u8>> {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus").join(self.name);
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        paths.into_iter().filter_map(|path| std::fs::read(path).ok()).collect()
    }
}

thread_local! {
    static SCRATCH: OnceCell<tempfile::TempDir> = const { OnceCell::new() };
}

/// A file of this name with these bytes, in a folder of the thread; `None` if it cannot be written.
fn scratch_file(name: &str, bytes: &[u8]) -> Option<String> {
    SCRATCH.with(|scratch| {
        if scratch.get().is_none() {
            // Memory that looks like a disk, where there is some: files are written by the thousand.
            let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).ok()?;
            let _ = scratch.set(folder);
        }
        let path = scratch.get()?.path().join(name);
        std::fs::write(&path, bytes).ok()?;
        Some(path.to_string_lossy().into_owned())
    })
}
