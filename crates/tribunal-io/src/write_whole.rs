//! Files that appear whole or not at all.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::error::Error;
use crate::file_identity::{directory_of, resolved};
use crate::files::is_stream;
use crate::unnamed_file::UnnamedFile;
use crate::write::unwritten;

/// Writes a file so that it appears complete or does not appear.
///
/// The bytes go to a file without a name in the same directory, which is flushed to the disk and then takes the place of
/// `path`. If anything fails - the closure, a full disk, a signal - what stood at `path` before still stands there, and
/// nothing else does. Who may read and write a file that is replaced stays as it was, and so does its owner where the
/// system allows it. A link is followed. A device or a pipe, such as `/dev/null`, is never replaced: the bytes are written
/// to it as they come.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("report.csv");
/// tribunal_io::write_whole(&path, |file| writeln!(file, "metric,estimate"))?;
/// assert_eq!(std::fs::read_to_string(&path)?, "metric,estimate\n");
/// # Ok(())
/// # }
/// ```
///
/// What the closure returns is passed on. An [`Error`] of this crate can be returned from it with `?`, and comes out as it
/// was: a flaw in a table that is being copied names that table, a full disk names `path`.
///
/// # Errors
/// The closure failed, or the file could not be written or renamed.
pub fn write_whole<T>(
    path: &Path,
    write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
) -> Result<T, Error> {
    let unpacked = |error: io::Error| error.downcast::<Error>().unwrap_or_else(unwritten);
    try_write(path, write).map_err(|error| unpacked(error).in_written_file(&path.to_string_lossy().into()))
}

fn try_write<T>(path: &Path, write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>) -> io::Result<T> {
    if is_standard_stream(path) || is_stream(path) {
        // What a standard stream was redirected to may hold more than these results.
        let mut stream = BufWriter::new(File::options().append(true).open(path)?);
        let written = write(&mut stream)?;
        return stream.flush().map(|()| written);
    }
    let path = &resolved(path);
    let replaced = replaced(path)?;
    let mut file = UnnamedFile::create(path, replaced.as_ref().map_or(0o666, mode))?;
    let mut buffered = BufWriter::with_capacity(1 << 16, file.file_mut());
    let written = write(&mut buffered)?;
    buffered.flush()?;
    drop(buffered);
    if let Some(replaced) = replaced {
        keep_access(file.file(), &replaced)?;
    }
    file.file().sync_all()?;
    file.persist()?;
    sync_directory(directory_of(path));
    Ok(written)
}

/// Whether a path stands for a stream of this process, whatever that leads to.
fn is_standard_stream(path: &Path) -> bool {
    let directories = ["/dev", "/dev/fd", "/proc/self/fd"];
    path.parent().is_some_and(|parent| directories.iter().any(|one| parent == Path::new(one)))
}

/// The file that is replaced, if there is one. It must be open to whoever replaces it.
fn replaced(path: &Path) -> io::Result<Option<Metadata>> {
    match File::options().write(true).open(path) {
        Ok(file) => file.metadata().map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn mode(found: &Metadata) -> u32 {
    std::os::unix::fs::MetadataExt::mode(found) & 0o777
}

#[cfg(not(unix))]
fn mode(_found: &Metadata) -> u32 {
    0o666
}

/// Gives a file the owner, the group and the mode of the one that it replaces. Where the group cannot be kept, another
/// group gets no more than everybody has.
#[cfg(unix)]
fn keep_access(file: &File, replaced: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let own = file.metadata()?;
    let (user, group) = (replaced.uid(), replaced.gid());
    let is_kept = (own.uid() == user && own.gid() == group)
        || fchown(file, Some(user), Some(group)).is_ok()
        || own.gid() == group
        || fchown(file, None, Some(group)).is_ok();
    let mode = mode(replaced);
    let mode = if is_kept { mode } else { mode & 0o707 | (mode & 0o007) << 3 };
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn keep_access(_file: &File, _replaced: &Metadata) -> io::Result<()> {
    Ok(())
}

/// Makes the new name survive a power cut, where directories can be flushed; the file is whole either way.
fn sync_directory(directory: &Path) {
    if cfg!(unix) {
        let _ = File::open(directory).and_then(|directory| directory.sync_all());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    fn check_left_alone(before: Option<&str>) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("result.json");
        if let Some(text) = before {
            fs::write(&path, text).expect("the old file");
        }
        let failed: Result<(), Error> = write_whole(&path, |file| {
            file.write_all(&vec![b'x'; 1 << 20])?;
            Err(io::Error::new(io::ErrorKind::StorageFull, "no space left on device"))
        });
        let error = failed.expect_err("a full disk");
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(error.to_string().contains("result.json: cannot be written: no space left"), "{error}");
        assert_eq!(fs::read_to_string(&path).ok().as_deref(), before);
        let n_files = fs::read_dir(folder.path()).expect("the folder").count();
        assert_eq!(n_files, usize::from(before.is_some()));
    }

    #[test]
    fn a_failure_leaves_nothing_behind_and_nothing_changed() {
        check_left_alone(None);
        check_left_alone(Some("old"));
    }

    #[test]
    fn an_old_file_is_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("result.json");
        for text in ["old", "new"] {
            write_whole(&path, |file| file.write_all(text.as_bytes())).expect("written");
            assert_eq!(fs::read_to_string(&path).expect("the file"), text);
        }
    }

    #[test]
    fn a_directory_that_does_not_exist_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("missing").join("result.json");
        assert_eq!(write_whole(&path, |_| Ok(())).expect_err("no directory").kind(), ErrorKind::Io);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_written_to_and_not_replaced() {
        use std::os::unix::fs::FileTypeExt;
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
        assert!(made.success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::read_to_string(pipe).expect("the pipe is read")
        });
        write_whole(&pipe, |file| file.write_all(b"whole")).expect("written");
        assert_eq!(reader.join().expect("no panic"), "whole");
        assert!(std::fs::metadata(&pipe).expect("still there").file_type().is_fifo());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        std::fs::write(&target, "old").expect("written");
        std::os::unix::fs::symlink(&target, &link).expect("linked");
        write_whole(&link, |file| file.write_all(b"new")).expect("written");
        assert_eq!(std::fs::read_to_string(&target).expect("read"), "new");
        assert!(std::fs::symlink_metadata(&link).expect("still there").is_symlink());
    }
    #[cfg(unix)]
    #[test]
    fn a_link_to_a_file_that_is_not_there_makes_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        std::os::unix::fs::symlink("target", &link).expect("linked");
        write_whole(&link, |file| file.write_all(b"new")).expect("written");
        assert_eq!(fs::read_to_string(&target).expect("read"), "new");
        assert!(fs::symlink_metadata(&link).expect("still there").is_symlink());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_is_replaced_stays_as_private_as_it_was() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("scores.csv");
        let mode = || fs::metadata(&path).expect("there").mode() & 0o777;
        write_whole(&path, |_| Ok(())).expect("written");
        let usual = folder.path().join("usual");
        fs::write(&usual, "").expect("written");
        assert_eq!(mode(), fs::metadata(usual).expect("there").mode() & 0o777, "as the umask has it");
        for wanted in [0o600, 0o640, 0o666] {
            fs::set_permissions(&path, fs::Permissions::from_mode(wanted)).expect("set");
            write_whole(&path, |file| file.write_all(b"new")).expect("written");
            assert_eq!(mode(), wanted);
        }
    }

    #[test]
    fn a_directory_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let error = write_whole(folder.path(), |_| Ok(())).expect_err("a directory");
        assert!(error.to_string().contains("cannot be written"), "{error}");
    }
}
