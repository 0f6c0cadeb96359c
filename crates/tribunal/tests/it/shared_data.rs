//! Tables that are not part of the project: `../shared/data` beside it, or the folder that `TRIBUNAL_DATA` names. Where one
//! is missing, the test says so and tests nothing; each has a companion on tables that are always there.

use std::io::Write;
use std::path::{Path, PathBuf};

/// A table of the folder, if it is there.
pub(crate) fn shared_table(name: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let path = std::env::var_os("TRIBUNAL_DATA").map_or_else(beside, PathBuf::from).join(name);
    if path.exists() {
        return Some(path);
    }
    // Straight to standard error: what `eprintln!` says in a test that passes is not shown.
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let _ = writeln!(std::io::stderr(), "skipped in {test}: there is no {}", path.display());
    None
}
