//! What control groups leave of memory: the group of the process and every group above it that can be seen, of either
//! version of the interface (`memory.max` and `memory.high`; `memory.limit_in_bytes`).
//!
//! Pages of files that a group keeps give way when memory is asked for, so they do not count as used.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// The files of one version of the interface.
struct Version {
    limits: &'static [&'static str],
    usage: &'static str,
    /// Lines of `memory.stat` that count pages of files, those of groups below included.
    of_files: [&'static str; 2],
}

const FIRST: Version = Version {
    limits: &["memory.limit_in_bytes"],
    usage: "memory.usage_in_bytes",
    of_files: ["total_inactive_file ", "total_active_file "],
};

const SECOND: Version = Version {
    limits: &["memory.max", "memory.high"],
    usage: "memory.current",
    of_files: ["inactive_file ", "active_file "],
};

/// The least that a group of the process leaves; `None` if no group is limited. `cgroup` and `mountinfo` are the texts of
/// the files of these names below `/proc/self`.
pub(super) fn available(root: &Path, cgroup: &str, mountinfo: &str) -> Option<u64> {
    let mounts = mountinfo.lines().filter_map(Mount::parse);
    mounts.filter_map(|mount| mount.available(root, cgroup)).min()
}

/// A hierarchy of groups that limits memory, and where its files are.
struct Mount<'a> {
    version: &'static Version,
    /// The group that is shown at the mount point.
    shown: &'a str,
    point: &'a str,
}

impl<'a> Mount<'a> {
    /// From a line such as `32 31 0:29 /shown /point rw,relatime - cgroup cgroup rw,memory`.
    fn parse(line: &'a str) -> Option<Self> {
        let (mount, filesystem) = line.split_once(" - ")?;
        let mut fields = mount.split(' ').skip(3);
        let (shown, point) = (fields.next()?, fields.next()?);
        let mut filesystem = filesystem.split(' ');
        let (kind, options) = (filesystem.next()?, filesystem.nth(1).unwrap_or_default());
        let version = match kind {
            "cgroup2" => &SECOND,
            "cgroup" if options.split(',').any(|option| option == "memory") => &FIRST,
            _ => return None,
        };
        Some(Mount { version, shown, point })
    }

    fn available(&self, root: &Path, cgroup: &str) -> Option<u64> {
        let group = cgroup.lines().find_map(|line| self.group(line))?;
        let point = root.join(self.point.trim_start_matches('/'));
        let folder = point.join(self.below(group));
        let groups = folder.ancestors().take_while(|folder| folder.starts_with(&point));
        groups.filter_map(|folder| self.version.left(folder)).min()
    }

    /// The group in a line such as `4:memory:/a/b` or `0::/a/b`, if that is of this hierarchy.
    fn group<'b>(&self, line: &'b str) -> Option<&'b str> {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, group) = (fields.next()?, fields.next()?);
        let is_ours = match self.version.usage == SECOND.usage {
            true => controllers.is_empty(),
            false => controllers.split(',').any(|controller| controller == "memory"),
        };
        is_ours.then_some(group)
    }

    /// Where a group is below the mount point. One that cannot be seen from there, as in a container that has the names of
    /// its host, is the group that is shown.
    fn below(&self, group: &str) -> PathBuf {
        let shown = Path::new(self.shown);
        let below = Path::new(group).strip_prefix(shown).unwrap_or(Path::new(""));
        let is_plain = below.components().all(|component| matches!(component, Component::Normal(_)));
        if is_plain { below.to_owned() } else { PathBuf::new() }
    }
}

impl Version {
    /// What a group leaves; `None` if it is not limited.
    fn left(&self, folder: &Path) -> Option<u64> {
        let read = |file: &str| fs::read_to_string(folder.join(file)).unwrap_or_default();
        // `max` is no number.
        let number = |file: &str| read(file).trim().parse::<u64>().ok();
        let limit = self.limits.iter().filter_map(|file| number(file)).min()?;
        let stat = read("memory.stat");
        let of = |key: &str| stat.lines().find_map(|line| line.strip_prefix(key)?.trim().parse::<u64>().ok());
        let of_files: u64 = self.of_files.iter().filter_map(|key| of(key)).sum();
        let used = number(self.usage).unwrap_or(0).saturating_sub(of_files);
        Some(limit.saturating_sub(used))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "22 1 0:20 / /proc rw - proc proc rw\n\
                          32 31 0:29 / /cg/cpu rw - cgroup cgroup rw,cpu\n\
                          35 31 0:32 / /cg/memory rw - cgroup cgroup rw,memory\n\
                          41 31 0:38 / /cg/unified rw shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

    /// What is left, where files of groups hold these texts.
    fn check(cgroup: &str, mounts: &str, files: &[(&str, &str)], expected: Option<u64>) {
        let folder = tempfile::tempdir().expect("a folder");
        for (file, text) in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            fs::write(path, text).expect("a file");
        }
        assert_eq!(available(folder.path(), cgroup, mounts), expected, "{cgroup}{files:?}");
    }

    #[test]
    fn a_group_of_the_second_version_leaves_its_limit_less_its_usage() {
        let group = |max: &'static str, high: &'static str| {
            [
                ("cg/unified/job/memory.max", max),
                ("cg/unified/job/memory.high", high),
                ("cg/unified/job/memory.current", "700\n"),
                ("cg/unified/job/memory.stat", "anon 300\ninactive_file 150\nactive_file 50\nfile 250\n"),
            ]
        };
        let check = |max, high, expected| check("1:name=x:/\n0::/job\n", MOUNTS, &group(max, high), expected);
        check("1000\n", "max\n", Some(500));
        check("max\n", "800\n", Some(300));
        check("1000\n", "800\n", Some(300));
        check("400\n", "max\n", Some(0));
        check("max\n", "max\n", None);
    }

    #[test]
    fn a_group_of_the_first_version_leaves_its_limit_less_its_usage() {
        let files = [
            ("cg/memory/a/b/memory.limit_in_bytes", "1000\n"),
            ("cg/memory/a/b/memory.usage_in_bytes", "700\n"),
            (
                "cg/memory/a/b/memory.stat",
                "inactive_file 1\ntotal_inactive_file 100\ntotal_active_file 100\n",
            ),
        ];
        check("9:cpu,memory:/a/b\n0::/\n", MOUNTS, &files, Some(500));
        check("9:cpu:/a/b\n0::/\n", MOUNTS, &files, None);
    }

    #[test]
    fn groups_above_that_of_the_process_count() {
        let files = [
            ("cg/unified/a/memory.max", "100\n"),
            ("cg/unified/a/b/memory.max", "max\n"),
            ("cg/unified/a/b/c/memory.max", "5000\n"),
        ];
        check("0::/a/b/c\n", MOUNTS, &files, Some(100));
        check("0::/a/b/c\n", MOUNTS, &files[1..], Some(5000));
    }

    #[test]
    fn a_container_with_names_of_its_host_sees_the_group_that_is_mounted() {
        let mounts = "35 31 0:32 /docker/7f /cg/memory rw - cgroup cgroup rw,memory\n";
        let files =
            [("cg/memory/memory.limit_in_bytes", "900\n"), ("cg/memory/x/memory.limit_in_bytes", "90\n")];
        check("4:memory:/docker/7f\n", mounts, &files, Some(900));
        check("4:memory:/docker/7f/x\n", mounts, &files, Some(90));
        check("4:memory:/elsewhere\n", mounts, &files, Some(900));
        check("4:memory:/../other\n", mounts, &files, Some(900));
    }
}
