//! Which format a file has, told from its first bytes and not from its name.

use crate::error::{Error, ErrorKind};
use crate::source::Input;
use crate::text::{BYTE_ORDER_MARK, TextReader, head};

/// How much of a text is looked at before it is read.
pub(crate) const SAMPLE: usize = 64 << 10;

/// The format of a file. A text comes with its beginning, decompressed.
pub(crate) enum Format {
    #[cfg(feature = "parquet")]
    Parquet,
    ArrowFile,
    ArrowStream,
    Csv(Vec<u8>),
    JsonLines(Vec<u8>),
    Arff(Vec<u8>),
}

/// Formats that are recognised only to say what to do about them.
const REFUSED: &[(&[u8], &str, &str)] = &[
    (b"PK\x03\x04", "a zip archive or an Excel workbook", "unzip it, or save the sheet as CSV"),
    (b"PK\x05\x06", "an empty zip archive", "unzip it, or save the sheet as CSV"),
    (b"\xD0\xCF\x11\xE0", "an old Excel workbook", "save the sheet as CSV"),
    (b"\x28\xB5\x2F\xFD", "compressed with zstd", "decompress it first: zstd -d"),
    (b"BZh", "compressed with bzip2", "decompress it first: bunzip2"),
    (b"\xFD7zXZ\0", "compressed with xz", "decompress it first: unxz"),
    #[cfg(not(feature = "parquet"))]
    (
        b"PAR1",
        "a Parquet file, and this build reads no Parquet",
        "write the table as CSV or Arrow, or build with the feature `parquet`",
    ),
    (b"PARE", "an encrypted Parquet file", "decrypt it first"),
    (b"FEA1", "a Feather file of version 1", "write it again as Feather version 2 or Parquet"),
    (b"Obj\x01", "an Avro file", "write it as Parquet or CSV"),
    (b"ORC", "an ORC file", "write it as Parquet or CSV"),
    (b"SQLite format 3\0", "an SQLite database", "export the table as CSV: sqlite3 -header -csv"),
    (b"\x89HDF", "an HDF5 file", "write the table as Parquet or CSV"),
    (b"%PDF", "a PDF document", "give the table itself, as CSV"),
];

/// Looks at the beginning of a file.
///
/// # Errors
/// The file is empty, cannot be read, or has a format that is not read.
pub(crate) fn sniff(input: &Input) -> Result<Format, Error> {
    let magic = head(&mut input.file()?, 16).map_err(|error| input.unreadable(error))?;
    if magic.is_empty() {
        return Err(empty(input));
    }
    #[cfg(feature = "parquet")]
    if magic.starts_with(b"PAR1") {
        return Ok(Format::Parquet);
    }
    if magic.starts_with(b"ARROW1") {
        return Ok(Format::ArrowFile);
    }
    if magic.starts_with(b"\xFF\xFF\xFF\xFF") {
        return Ok(Format::ArrowStream);
    }
    refuse(input, &magic, "")?;
    sniff_text(input)
}

fn sniff_text(input: &Input) -> Result<Format, Error> {
    let mut sample = Vec::new();
    TextReader::open(input)?.fill(&mut sample, SAMPLE)?;
    refuse(input, &sample, "inside gzip, ")?;
    refuse_other_bytes(input, &sample)?;
    let text = sample.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&sample).trim_ascii_start();
    if text.is_empty() {
        return Err(empty(input));
    }
    if is_json_object(text) {
        return Ok(Format::JsonLines(sample));
    }
    if is_json_array(text) {
        return Err(Error::new(ErrorKind::UnknownFormat, "this is one JSON array")
            .in_file(input.name())
            .advise("write one object a line: jq -c '.[]'"));
    }
    Ok(if is_arff(text) { Format::Arff(sample) } else { Format::Csv(sample) })
}

fn refuse(input: &Input, bytes: &[u8], prefix: &str) -> Result<(), Error> {
    let known = REFUSED.iter().find(|(magic, _, _)| bytes.starts_with(magic));
    known.map_or(Ok(()), |(_, what, advice)| {
        let problem = format!("{prefix}this is {what}");
        Err(Error::new(ErrorKind::UnknownFormat, problem).in_file(input.name()).advise(*advice))
    })
}

fn refuse_other_bytes(input: &Input, sample: &[u8]) -> Result<(), Error> {
    if sample.starts_with(b"\xFF\xFE") || sample.starts_with(b"\xFE\xFF") {
        return Err(Error::new(ErrorKind::Encoding, "the text is UTF-16, not UTF-8")
            .in_file(input.name())
            .advise("convert it first: iconv -f UTF-16 -t UTF-8 old > new"));
    }
    if sample.starts_with(b"PAR1") || sample.starts_with(b"ARROW1") {
        return Err(Error::new(ErrorKind::UnknownFormat, "this is a columnar file inside gzip")
            .in_file(input.name())
            .advise("decompress it first: gunzip"));
    }
    if memchr::memchr(0, sample).is_some() {
        return Err(Error::new(
            ErrorKind::UnknownFormat,
            "this is neither a text nor a table in a known format",
        )
        .in_file(input.name())
        .advise("give CSV, Parquet, Arrow, JSON lines or ARFF"));
    }
    if memchr::memchr(b'\n', sample).is_none() && memchr::memchr(b'\r', sample).is_some() {
        return Err(Error::new(ErrorKind::Malformed, "the lines end in carriage returns alone")
            .in_file(input.name())
            .advise("convert it first: tr '\\r' '\\n' < old > new"));
    }
    Ok(())
}

fn empty(input: &Input) -> Error {
    Error::new(ErrorKind::EmptyFile, "the file is empty")
        .in_file(input.name())
        .advise("did the program that writes it finish?")
}

fn is_json_object(text: &[u8]) -> bool {
    text.strip_prefix(b"{")
        .is_some_and(|rest| matches!(rest.trim_ascii_start().first(), None | Some(b'"' | b'}')))
}

fn is_json_array(text: &[u8]) -> bool {
    text.strip_prefix(b"[")
        .is_some_and(|rest| matches!(rest.trim_ascii_start().first(), None | Some(b'{' | b'[' | b']')))
}

/// Whether the first line that is not a comment declares a relation or an attribute.
fn is_arff(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"%")).unwrap_or_default();
    let declares =
        |word: &[u8]| first.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    declares(b"@relation") || declares(b"@attribute")
}

#[cfg(all(test, not(feature = "parquet")))]
mod tests {
    use crate::{ErrorKind, ReadOptions, Source, TableReader};

    #[test]
    fn a_build_without_parquet_tells_it_apart_and_refuses_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("scores.csv");
        std::fs::write(&path, b"PAR1 and more").expect("written");
        let source = Source::open(&[path.to_string_lossy()]).expect("a source");
        let error = TableReader::open(&source, &ReadOptions::default()).err().expect("refused");
        assert_eq!(error.kind(), ErrorKind::UnknownFormat);
        assert!(error.to_string().contains("this build reads no Parquet; write the table as CSV"), "{error}");
    }
}
