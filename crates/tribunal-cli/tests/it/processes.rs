//! Signals to commands that run, and waiting for what they do.

use std::fs;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// Sends a signal by its name.
pub(crate) fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success(), "{signal} is sent");
}

/// Whether these tests were started by somebody who ignores a signal, as `nohup` does; so do their commands.
pub(crate) fn is_ignored(signal: &str) -> bool {
    let mask = ["HUP", "INT", "TERM"].iter().zip([1_u64, 1 << 1, 1 << 14]).find(|(name, _)| **name == signal);
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok()).unwrap_or_default();
    mask.is_some_and(|(_, bit)| ignored & bit != 0)
}

/// Waits for something that happens within a minute.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < Duration::from_secs(60), "{what}: not within a minute");
        std::thread::sleep(Duration::from_millis(10));
    }
}
