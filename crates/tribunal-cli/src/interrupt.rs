//! An interrupted run leaves no command from outside running, and none of its files behind.
//!
//! Commands lead process groups of their own so that they can be ended with all that they started; the price is that the
//! terminal does not interrupt them. So Tribunal does. The exit code is 128 and the number of the signal, as shells have it.
//! Signals that whoever started Tribunal ignores stay ignored: `nohup` means to keep a study running.

use std::path::Path;
use std::thread;

pub(crate) use of_system::let_oversized_writes_fail;

use crate::Failure;
use crate::messages::{say, shown};

/// What shells add to the number of the signal that ended a command.
const ENDED_BY_SIGNAL: i32 = 128;

/// From now on an interruption ends what runs outside, and then Tribunal.
pub(crate) fn watch() -> Result<(), Failure> {
    end_when_interrupted(|| ())
}

/// The same for a study, which says how to go on.
pub(crate) fn watch_run(folder: &Path, quiet: bool) -> Result<(), Failure> {
    let folder = shown(folder);
    end_when_interrupted(move || {
        if !quiet {
            say(&format!(
                "\ninterrupted; what is finished is kept in {folder}, and the same command goes on from there"
            ));
        }
    })
}

fn end_when_interrupted(last_words: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let unwatched =
        |error: std::io::Error| Failure::run(format!("interruptions cannot be watched for: {error}"));
    let next_signal = of_system::watch_signals().map_err(unwatched)?;
    let wait = move || {
        if let Some(signal) = next_signal() {
            tribunal::end_outside_commands();
            last_words();
            std::process::exit(ENDED_BY_SIGNAL + signal);
        }
    };
    thread::Builder::new().name("interrupt".into()).spawn(wait).map(drop).map_err(unwatched)
}

#[cfg(unix)]
mod of_system {
    use std::io;
    use std::sync::Arc;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::flag;
    use signal_hook::iterator::Signals;

    /// Catches interruptions from now on; what is returned waits for the first.
    pub(super) fn watch_signals() -> io::Result<impl FnOnce() -> Option<i32> + Send + 'static> {
        let status = own_status();
        let heeded = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal, &status));
        let mut signals = Signals::new(heeded)?;
        Ok(move || signals.forever().next())
    }

    /// Has writes beyond `ulimit -f` fail as on a full disk. Unless SIGXFSZ is caught, it ends the process without a word.
    pub(crate) fn let_oversized_writes_fail() {
        if !is_ignored(SIGXFSZ, &own_status()) {
            // If it cannot be caught, nothing is worse than before.
            let _ = flag::register(SIGXFSZ, Arc::default());
        }
    }

    /// What Linux tells of this process; nothing on other systems, where no signal is taken for ignored.
    fn own_status() -> String {
        std::fs::read_to_string("/proc/self/status").unwrap_or_default()
    }

    /// Whether a signal is in the mask of those that are ignored: the lowest bit is signal 1.
    fn is_ignored(signal: i32, status: &str) -> bool {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok());
        mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn ignored_signals_are_read_from_the_mask() {
            let status = "Name:\tx\nSigBlk:\tffffffffffffffff\nSigIgn:\t0000000000001001\nSigCgt:\t0\n";
            assert!(is_ignored(SIGHUP, status));
            assert!(![SIGINT, SIGTERM, SIGXFSZ].into_iter().any(|signal| is_ignored(signal, status)));
            assert!(is_ignored(SIGTERM, "SigIgn:\t0000000000004000\n"));
            assert!(!is_ignored(SIGHUP, "") && !is_ignored(SIGHUP, "SigIgn:\tnone\n"));
        }
    }
}

#[cfg(not(unix))]
mod of_system {
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag;

    /// How often it is looked whether somebody interrupts: here signals wake nobody.
    const PAUSE: Duration = Duration::from_millis(50);

    pub(super) fn watch_signals() -> io::Result<impl FnOnce() -> Option<i32> + Send + 'static> {
        let caught = Arc::new(AtomicUsize::new(0));
        for signal in [SIGINT, SIGTERM] {
            flag::register_usize(signal, Arc::clone(&caught), usize::try_from(signal).unwrap_or_default())?;
        }
        Ok(move || {
            while caught.load(Ordering::Relaxed) == 0 {
                std::thread::sleep(PAUSE);
            }
            i32::try_from(caught.load(Ordering::Relaxed)).ok()
        })
    }

    /// There is no such limit here.
    pub(crate) fn let_oversized_writes_fail() {}
}
