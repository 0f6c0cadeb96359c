//! Files that appear whole or not at all.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::error::Error;

/// Writes a file so that it appears complete or does not appear.
///
/// The bytes go to a temporary file in the same directory, which is flushed to the disk and then renamed over
/// `path`. If anything fails - the closure, a full disk - what stood at `path` before still stands there, and
/// the temporary file is gone.
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
/// # Errors
/// The closure failed, or the file could not be written or renamed.
pub fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    try_write(path, write).map_err(|error| {
        Error::io("cannot be written", error)
            .in_file(&path.to_string_lossy().into())
            .advise("check that its directory exists, has room and may be written to")
    })
}

fn try_write(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = directory.unwrap_or(Path::new("."));
    let mut file = builder().tempfile_in(directory)?;
    let mut buffered = BufWriter::with_capacity(1 << 16, &mut file);
    write(&mut buffered)?;
    buffered.flush()?;
    drop(buffered);
    file.as_file().sync_all()?;
    persist(file, path)?;
    sync_directory(directory);
    Ok(())
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
        let failed = write_whole(&path, |file| {
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
}
