//! Whether two paths lead to the same file, which need not exist yet.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

/// No chain of links is longer.
const MOST_LINKS: usize = 40;

/// What a path leads to: the device and inode of a file that is there, and where it is or would be.
#[derive(Clone, Debug)]
pub(crate) struct FileIdentity {
    inode: Option<(u64, u64)>,
    pub(crate) path: PathBuf,
}

impl FileIdentity {
    pub(crate) fn of(path: &Path) -> Self {
        let path = resolved(path);
        FileIdentity { inode: fs::metadata(&path).ok().as_ref().and_then(inode), path }
    }

    /// The file behind an open one, such as a redirected standard stream; nothing unless it is a regular file.
    pub(crate) fn of_open(metadata: &Metadata) -> Option<Self> {
        let inode = metadata.is_file().then(|| inode(metadata))??;
        Some(FileIdentity { inode: Some(inode), path: PathBuf::new() })
    }

    /// The same file: by another path, or by a symbolic or hard link.
    pub(crate) fn is(&self, other: &FileIdentity) -> bool {
        match (self.inode, other.inode) {
            (Some(own), Some(other)) => own == other,
            _ => self.path == other.path,
        }
    }
}

#[cfg(unix)]
fn inode(metadata: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn inode(_metadata: &Metadata) -> Option<(u64, u64)> {
    None
}

/// Where a path leads once all links are followed, those to files that are not there included: the canonical directory
/// that is there, and names in it.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if let Ok(canonical) = fs::canonicalize(&path) {
            return canonical;
        }
        match fs::read_link(&path) {
            Ok(target) => path = directory_of(&path).join(target),
            Err(_) => break,
        }
    }
    // Directories may be missing too.
    match path.file_name() {
        Some(name) if path.parent().is_some() => resolved(directory_of(&path)).join(name),
        _ => path,
    }
}

/// The directory that a file lies in.
pub(crate) fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(folder: &Path, a: &str, b: &str, same: bool) {
        let (left, right) = (FileIdentity::of(&folder.join(a)), FileIdentity::of(&folder.join(b)));
        assert_eq!(left.is(&right), same, "{a} and {b}");
    }

    #[test]
    fn a_file_is_known_by_any_path() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        fs::create_dir(folder.join("deep")).expect("a folder");
        fs::write(folder.join("a"), "a").expect("a file");
        fs::write(folder.join("b"), "a").expect("a file");
        check(folder, "a", "./deep/../a", true);
        check(folder, "a", "b", false);
        check(folder, "new", "deep/../new", true);
        check(folder, "new", "newer", false);
        check(folder, "none/new", "deep/../none/new", true);
        check(folder, "new", "a", false);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_known_by_any_link() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        fs::create_dir(folder.join("deep")).expect("a folder");
        fs::write(folder.join("a"), "a").expect("a file");
        fs::hard_link(folder.join("a"), folder.join("hard")).expect("linked");
        symlink("deep", folder.join("shallow")).expect("linked");
        symlink("../a", folder.join("deep/soft")).expect("linked");
        symlink("deep/new", folder.join("dangling")).expect("linked");
        symlink("loop", folder.join("loop")).expect("linked");
        check(folder, "a", "hard", true);
        check(folder, "a", "shallow/soft", true);
        check(folder, "dangling", "shallow/new", true);
        check(folder, "loop", "loop", true);
        check(folder, "loop", "a", false);
    }
}
