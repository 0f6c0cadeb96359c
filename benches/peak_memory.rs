//! How much memory a benchmark took, for the table that compares it with its peers.

/// Peak resident memory in bytes, zero where the system does not tell.
pub(crate) fn of_this_process() -> u64 {
    bytes_of("VmHWM")
}

/// Forgets the peak so far; what is resident now, in bytes.
#[allow(dead_code, reason = "only some benchmarks begin with data in memory")]
pub(crate) fn begin() -> u64 {
    // Where the system does not allow it, the peak stays that of the whole process, and the figure is too high.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    bytes_of("VmRSS")
}

fn bytes_of(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(field)).unwrap_or_default();
    let kibibytes = line.split_whitespace().nth(1).and_then(|text| text.parse::<u64>().ok());
    kibibytes.unwrap_or(0) * 1024
}
