//! Whether a table that is kept will fit in memory, asked while it is read.

use std::cell::Cell;

use tribunal_io::Progress;
use tribunal_memory::Growth;

use crate::error::Error;

/// Extrapolates the memory that rows take to the end of the files.
#[derive(Default)]
pub(crate) struct RoomForRows {
    growth: Cell<Growth>,
    progress: Cell<Option<Progress>>,
}

impl RoomForRows {
    /// Remembers how far the read has come.
    pub(crate) fn note(&self, progress: Progress) {
        self.progress.set(Some(progress));
    }

    /// Whether the rows to come will fit as well.
    ///
    /// # Errors
    /// They will not, if they take memory as those before them.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let Some(Progress { rows, bytes, total_bytes }) = self.progress.get() else { return Ok(()) };
        let mut growth = self.growth.get();
        let checked = growth.check(bytes, total_bytes);
        self.growth.set(growth);
        checked.map_err(|shortage| {
            let all_rows = (rows as f64 * total_bytes as f64 / bytes.max(1) as f64).round();
            Error::table_too_large(&format!("of about {all_rows} rows"), &shortage)
        })
    }
}
