//! A file that has no name until it is whole.
//!
//! On Linux it has none at all (`O_TMPFILE`), so that nothing is left of it whatever ends the program, SIGKILL included.
//! Where the file system knows no such files it has a name that tells which file it was to become; so it has for the
//! moment in which it takes the place of another. Whoever writes that file next removes what was left behind: a writer
//! holds a lock on its own as long as it lives.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};
use tempfile::{Builder, NamedTempFile, TempPath};

use crate::file_identity::directory_of;

/// A file that was just made may not be locked yet.
const YOUNG: Duration = Duration::from_secs(5);

/// A file on its way to a name.
pub(crate) struct UnnamedFile {
    file: File,
    /// The name that it has for the time being, where it has to have one.
    temporary: Option<TempPath>,
    path: PathBuf,
}

impl UnnamedFile {
    /// Makes a file that will be called `path`, readable by whom `mode` and the umask allow.
    pub(crate) fn create(path: &Path, mode: u32) -> io::Result<UnnamedFile> {
        remove_left_behind(path);
        let (file, temporary) = match nameless(directory_of(path), mode) {
            Some(file) => (file, None),
            None => {
                let (file, name) = builder(&prefix(path), mode).tempfile_in(directory_of(path))?.into_parts();
                (file, Some(name))
            }
        };
        // Without a lock nobody dares to remove what is left behind; nothing else is lost.
        let _ = file.try_lock();
        Ok(UnnamedFile { file, temporary, path: path.to_owned() })
    }

    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    pub(crate) fn file_mut(&mut self) -> &mut File {
        &mut self.file
    }

    /// Gives it its name, whoever has it now.
    pub(crate) fn persist(self) -> io::Result<()> {
        let named = match self.temporary {
            Some(named) => named,
            None if link(&self.file, &self.path).is_ok() => return Ok(()),
            None => named(&self.file, &self.path)?,
        };
        named.persist(&self.path).map_err(|error| error.error)
    }
}

/// A name for a file that has none, beside the one that it is to have.
fn named(file: &File, path: &Path) -> io::Result<TempPath> {
    let beside = directory_of(path);
    let linked = Builder::new().prefix(&prefix(path)).make_in(beside, |name| link(file, name));
    linked.map(NamedTempFile::into_temp_path).or_else(|_| {
        // A system that hides its processes (`/proc`) gives no name to a file without one.
        let mut copy = builder(&prefix(path), 0o600).tempfile_in(beside)?;
        io::copy(&mut rewound(file)?, &mut copy)?;
        copy.as_file().set_permissions(file.metadata()?.permissions())?;
        copy.as_file().sync_all()?;
        Ok(copy.into_temp_path())
    })
}

fn rewound(mut file: &File) -> io::Result<&File> {
    use std::io::Seek;
    file.rewind()?;
    Ok(file)
}

/// A file without a name, where there is such a thing.
#[cfg(target_os = "linux")]
fn nameless(directory: &Path, mode: u32) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let flags = i32::try_from(rustix::fs::OFlags::TMPFILE.bits()).ok()?;
    File::options().read(true).write(true).mode(mode).custom_flags(flags).open(directory).ok()
}

#[cfg(not(target_os = "linux"))]
fn nameless(_directory: &Path, _mode: u32) -> Option<File> {
    None
}

/// Gives a file without a name a name that nobody has.
#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    let own = format!("/proc/self/fd/{}", file.as_raw_fd());
    let follow = rustix::fs::AtFlags::SYMLINK_FOLLOW;
    Ok(rustix::fs::linkat(rustix::fs::CWD, own, rustix::fs::CWD, path, follow)?)
}

#[cfg(not(target_os = "linux"))]
fn link(_file: &File, _path: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(unix)]
fn builder(prefix: &str, mode: u32) -> Builder<'_, 'static> {
    use std::os::unix::fs::PermissionsExt;
    let mut builder = Builder::new();
    builder.prefix(prefix).permissions(fs::Permissions::from_mode(mode));
    builder
}

#[cfg(not(unix))]
fn builder(prefix: &str, _mode: u32) -> Builder<'_, 'static> {
    let mut builder = Builder::new();
    builder.prefix(prefix);
    builder
}

/// What the names of files begin with that were to become `path`; a digest, since names cannot be longer than some are.
fn prefix(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let digest: String = Sha256::digest(name).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!(".tribunal-{digest}-")
}

/// Removes files that were to become `path` and whose writers ended before.
fn remove_left_behind(path: &Path) {
    let prefix = prefix(path);
    for entry in fs::read_dir(directory_of(path)).into_iter().flatten().flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(prefix.as_bytes()) && is_left_behind(&entry) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_left_behind(entry: &fs::DirEntry) -> bool {
    let is_old = |found: &fs::Metadata| {
        found.is_file() && found.modified().is_ok_and(|time| time.elapsed().is_ok_and(|age| age > YOUNG))
    };
    let is_locked =
        |file: File| matches!(file.try_lock(), Err(TryLockError::WouldBlock | TryLockError::Error(_)));
    entry.metadata().is_ok_and(|found| is_old(&found))
        && File::open(entry.path()).is_ok_and(|file| !is_locked(file))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::time::SystemTime;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("the folder").flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn nothing_is_seen_of_a_file_before_it_is_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("report.md");
        for text in ["old", "new"] {
            let mut file = UnnamedFile::create(&path, 0o600).expect("a file");
            let before = names(folder.path());
            file.file_mut().write_all(text.as_bytes()).expect("written");
            assert_eq!(names(folder.path()), before);
            file.persist().expect("named");
            assert_eq!(names(folder.path()), ["report.md"]);
            assert_eq!(fs::read_to_string(&path).expect("read"), text);
        }
    }

    #[test]
    fn what_was_left_behind_is_removed_unless_it_is_being_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("report.md");
        let leave = |name: String, age: u64| {
            let file = File::create(folder.path().join(name)).expect("a file");
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).expect("a time");
            file
        };
        drop(leave(format!("{}left", prefix(&path)), 60));
        drop(leave(format!("{}young", prefix(&path)), 0));
        drop(leave(format!("{}other", prefix(&folder.path().join("report.tex"))), 60));
        let writer = leave(format!("{}locked", prefix(&path)), 60);
        writer.lock().expect("locked");
        UnnamedFile::create(&path, 0o600).expect("a file").persist().expect("named");
        let mut left: Vec<String> = names(folder.path())
            .iter()
            .filter_map(|name| Some(name.rsplit_once('-')?.1.to_owned()))
            .collect();
        left.sort();
        assert_eq!(left, ["locked", "other", "young"]);
    }

    #[test]
    fn a_file_with_a_name_for_the_time_being_takes_its_place_too() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("report.md");
        let (mut file, name) =
            builder(&prefix(&path), 0o600).tempfile_in(folder.path()).expect("a file").into_parts();
        file.write_all(b"whole").expect("written");
        let unnamed = UnnamedFile { file, temporary: Some(name), path: path.clone() };
        assert_eq!(names(folder.path()).len(), 1);
        unnamed.persist().expect("named");
        assert_eq!(names(folder.path()), ["report.md"]);
        assert_eq!(fs::read_to_string(&path).expect("read"), "whole");
    }
}
