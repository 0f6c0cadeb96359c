//! What Linux tells of memory in the files below `/proc`.

use std::fs;
use std::path::Path;

use super::control_groups;
use super::{Available, Bound};

/// Every bound that is known; files are looked for below `root`.
pub(super) fn bounds(root: &Path) -> Vec<Available> {
    let read = |file: &str| fs::read_to_string(root.join(file)).unwrap_or_default();
    let (limits, status) = (read("proc/self/limits"), read("proc/self/status"));
    let of_machine = machine(&read("proc/meminfo"));
    let of_space = left(&limits, "Max address space", &status, "VmSize:");
    // Since Linux 4.7 this limit counts every private page that can be written, not the heap alone.
    let of_data = left(&limits, "Max data size", &status, "VmData:");
    let of_groups = control_groups::available(root, &read("proc/self/cgroup"), &read("proc/self/mountinfo"));
    let bounds = [
        (Bound::Machine, of_machine),
        (Bound::AddressSpace, of_space),
        (Bound::DataSize, of_data),
        (Bound::ControlGroup, of_groups),
    ];
    bounds.into_iter().filter_map(|(bound, bytes)| Some(Available { bytes: bytes?, bound })).collect()
}

/// What the process uses, resident.
pub(super) fn used(root: &Path) -> u64 {
    let status = fs::read_to_string(root.join("proc/self/status")).unwrap_or_default();
    kilobytes(&status, "VmRSS:").unwrap_or(0)
}

/// What is available without swapping; kernels before 3.14 do not say it themselves.
fn machine(meminfo: &str) -> Option<u64> {
    let of = |key: &str| kilobytes(meminfo, key);
    of("MemAvailable:")
        .or_else(|| Some(of("MemFree:")? + of("Buffers:").unwrap_or(0) + of("Cached:").unwrap_or(0)))
}

/// A limit of the process less what it uses; `None` if it is not limited.
fn left(limits: &str, limit: &str, status: &str, usage: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix(limit))?;
    // The soft limit comes first; `unlimited` is no number.
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(limit.saturating_sub(kilobytes(status, usage).unwrap_or(0)))
}

/// The bytes of a line such as `VmSize: 12345 kB`.
fn kilobytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let number: u64 = line.split_whitespace().next()?.parse().ok()?;
    number.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMINFO: &str = "MemTotal:       16000 kB\nMemFree:         1000 kB\nMemAvailable:    9000 kB\n\
                           Buffers:          200 kB\nCached:          3000 kB\nSwapCached:         7 kB\n";
    const STATUS: &str =
        "Name:\ttribunal\nVmPeak:\t    9000 kB\nVmSize:\t    3000 kB\nVmData:\t    2000 kB\n";

    fn limits(data: &str, space: &str) -> String {
        format!(
            "Limit                     Soft Limit           Hard Limit           Units\n\
             Max data size             {data}            unlimited            bytes\n\
             Max address space         {space}            unlimited            bytes\n"
        )
    }

    /// The bounds where `/proc` holds some files.
    fn check(files: &[(&str, &str)], expected: &[(Bound, u64)]) {
        let folder = tempfile::tempdir().expect("a folder");
        for (file, text) in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            fs::write(path, text).expect("a file");
        }
        let found: Vec<(Bound, u64)> =
            bounds(folder.path()).into_iter().map(|available| (available.bound, available.bytes)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn pages_of_files_that_give_way_are_available() {
        check(&[("proc/meminfo", MEMINFO)], &[(Bound::Machine, 9000 << 10)]);
        let old = MEMINFO.replace("MemAvailable", "Other");
        check(&[("proc/meminfo", &old)], &[(Bound::Machine, 4200 << 10)]);
    }

    #[test]
    fn a_limit_of_the_process_counts_less_what_it_uses() {
        let check = |data: &str, space: &str, expected: &[(Bound, u64)]| {
            check(&[("proc/self/limits", &limits(data, space)), ("proc/self/status", STATUS)], expected);
        };
        check("unlimited", "unlimited", &[]);
        check("unlimited", "4096000", &[(Bound::AddressSpace, 4_096_000 - (3000 << 10))]);
        check("3072000", "unlimited", &[(Bound::DataSize, 3_072_000 - (2000 << 10))]);
        // Set below what is in use already.
        check("unlimited", "1024", &[(Bound::AddressSpace, 0)]);
    }

    #[test]
    fn files_that_are_not_there_or_hold_something_else_set_no_bound() {
        check(&[], &[]);
        let odd = [
            ("proc/meminfo", "MemAvailable: much\nMemFree:\n"),
            ("proc/self/limits", "Max address space"),
            ("proc/self/cgroup", "what\n0:\n"),
            ("proc/self/mountinfo", "31 23 0:28\n - - -\n"),
        ];
        check(&odd, &[]);
    }

    #[test]
    fn the_group_counts_beside_the_machine() {
        let files = [
            ("proc/meminfo", MEMINFO),
            ("proc/self/cgroup", "0::/batch\n"),
            ("proc/self/mountinfo", "41 31 0:38 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"),
            ("sys/fs/cgroup/batch/memory.max", "1000\n"),
            ("sys/fs/cgroup/batch/memory.current", "300\n"),
        ];
        check(&files, &[(Bound::Machine, 9000 << 10), (Bound::ControlGroup, 700)]);
    }
}
