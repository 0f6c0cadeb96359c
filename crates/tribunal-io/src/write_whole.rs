//! Files that appear whole or not at all.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::error::Error;
use crate::write::unwritten;

/// Writes a file so that it appears complete or does not appear.
///
/// The bytes go to a temporary file in the same directory, which is flushed to the disk and then renamed over
/// `path`. If anything fails - the closure, a full disk - what stood at `path` before still stands there, and
/// the temporary file is gone. A link is followed. A device or a pipe, such as `/dev/null`, is never replaced:
/// the bytes are written to it as they come.
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
    let path = &std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if is_stream(path) {
        let mut stream = BufWriter::new(std::fs::OpenOptions::new().write(true).open(path)?);
        let written = write(&mut stream)?;
        return stream.flush().map(|()| written);
    }
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = directory.unwrap_or(Path::new("."));
    let mut file = builder().tempfile_in(directory)?;
    let mut buffered = BufWriter::with_capacity(1 << 16, &mut file);
    let written = write(&mut buffered)?;
    buffered.flush()?;
    drop(buffered);
    file.as_file().sync_all()?;
    persist(file, path)?;
    sync_directory(directory);
    Ok(written)
}

/// Whether something stands there that is neither a file nor a directory.
fn is_stream(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

fn persist(file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// A temporary file is private unless told otherwise; a result is for others to read, as the umask allows.
#[cfg(unix)]
fn builder() -> tempfile::Builder<'static, 'static> {
    use std::os::unix::fs::PermissionsExt;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tribunal-").permissions(std::fs::Permissions::from_mode(0o666));
    builder
}

#[cfg(not(unix))]
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tribunal-");
    builder
}

/// Makes the new name survive a power cut, where directories can be flushed; the file is whole either way.
fn sync_directory(directory: &Path) {
    if cfg!(unix) {
        let _ = std::fs::File::open(directory).and_then(|directory| directory.sync_all());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use std::fs;

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
}
