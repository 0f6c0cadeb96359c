//! Progress on a terminal, when reading takes longer than a second.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tribunal::Progress;

/// Shorter work needs no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar that appears once patience runs out; on anything but a terminal it never does.
pub(crate) struct ReadBar {
    started: Instant,
    quiet: bool,
    bar: OnceLock<ProgressBar>,
}

impl ReadBar {
    pub(crate) fn new(quiet: bool) -> Self {
        Self { started: Instant::now(), quiet, bar: OnceLock::new() }
    }

    /// Shows how far the reading is.
    pub(crate) fn show(&self, progress: Progress) {
        if self.quiet || self.started.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_init(|| {
            let bar = ProgressBar::with_draw_target(Some(progress.total_bytes), ProgressDrawTarget::stderr());
            let style =
                ProgressStyle::with_template("reading {bar:30} {bytes}/{total_bytes} {msg} {eta} left");
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        bar.set_message(format!("{} rows", progress.rows));
        bar.set_position(progress.bytes);
    }
}

impl Drop for ReadBar {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
