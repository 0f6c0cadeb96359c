//! Claims as a table in a file: raw columns, and a statement that they are synthetic where a format has a place for it.

use std::io::{self, Write};
use std::path::Path;

use tribunal_io::{TableFormat, TableWriter};

use super::generate::{ClaimsRequest, visit_prepared};
use super::schema::schema;
use super::targets::statement;
use crate::error::Error;
use crate::progress::OnProgress;

/// Writes claims to a file, which appears whole or not at all.
///
/// ```
/// use tribunal::claims::{ClaimsRequest, write_file};
/// use tribunal_io::TableFormat;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("claims.csv");
/// write_file(&ClaimsRequest::default(), &path, TableFormat::Csv, &|_progress| ())?;
/// let claims = std::fs::read_to_string(&path)?;
/// assert_eq!(claims.lines().count(), 1400);
/// assert!(claims.lines().nth(1).is_some_and(|first| first.ends_with(",0.00,0,0,1,0,940.18,0,1")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The request cannot be met, or the file cannot be written.
pub fn write_file(
    request: &ClaimsRequest,
    path: &Path,
    format: TableFormat,
    on_progress: OnProgress<'_>,
) -> Result<(), Error> {
    request.check()?;
    let written =
        tribunal_io::write_whole(path, |file| write(request, file, format, on_progress).map_err(passed_on));
    Ok(written?)
}

/// Writes claims to anything that takes bytes.
///
/// # Errors
/// The request cannot be met, or the claims cannot be written.
pub fn write(
    request: &ClaimsRequest,
    out: &mut (dyn Write + Send),
    format: TableFormat,
    on_progress: OnProgress<'_>,
) -> Result<(), Error> {
    request.check()?;
    let schema = schema();
    let said = statement(request.rows, request.seed);
    let mut table = TableWriter::create(out, format, schema.clone(), &[("description", &said)])?;
    visit_prepared(request, on_progress, &|claims| claims.batch(&schema), &mut |batch| {
        Ok(table.write(&batch)?)
    })?;
    Ok(table.finish()?)
}

/// Lets an error out of a closure that writes.
fn passed_on(error: Error) -> io::Error {
    match error {
        Error::Io(error) => error.into(),
        error => io::Error::other(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tribunal_io::ErrorKind;

    /// A disk with room for a number of bytes.
    struct Disk(usize);

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_is_an_error() {
        let request = ClaimsRequest { rows: 5_000, seed: 1 };
        for format in [TableFormat::Csv, TableFormat::Parquet] {
            let failed = write(&request, &mut Disk(10_000), format, &|_| ()).expect_err("no room");
            assert!(matches!(&failed, Error::Io(error) if error.kind() == ErrorKind::Io), "{failed}");
        }
    }

    #[test]
    fn requests_that_cannot_be_met_leave_no_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("claims.csv");
        for rows in [0, 100_000_001] {
            let request = ClaimsRequest { rows, seed: 1 };
            let refused = write_file(&request, &path, TableFormat::Csv, &|_| ()).expect_err("refused");
            assert!(refused.to_string().starts_with(&rows.to_string()), "{refused}");
            assert!(!path.exists());
        }
    }
}
