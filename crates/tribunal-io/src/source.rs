//! The files a table is read from, in order: named one by one, by glob, or standard input.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};
use tempfile::{NamedTempFile, TempPath};

use crate::error::{Error, ErrorKind, quoted};
use crate::files::is_stream;
use crate::nearest::did_you_mean;

/// What stands for standard input where a file could stand.
pub(crate) const STANDARD_INPUT: &str = "-";

/// One or several files that together hold one table.
///
/// A name with `*`, `?` or `[` that is not itself a file is a glob, and its files are taken in the order of
/// their names. `-` is standard input; it is copied to a temporary file first, so that formats which are read
/// from their end work there too, and so is whatever is no regular file: a named pipe, `/dev/stdin` or a process
/// substitution gives its bytes once, and tables are read several times. Where the system allows it that file has no name, and is gone however the program ends.
#[derive(Debug)]
pub struct Source {
    inputs: Vec<Input>,
}

impl Source {
    /// Finds the files. They are not read yet, except for standard input and other streams.
    ///
    /// # Errors
    /// A file does not exist or is a directory, a glob matches nothing, or a stream is named twice.
    pub fn open<S: AsRef<str>>(inputs: &[S]) -> Result<Source, Error> {
        if inputs.is_empty() {
            return Err(Error::new(ErrorKind::NoMatch, "no input file was given")
                .advise("name one, or - for standard input"));
        }
        if let Some(name) = stream_named_twice(inputs) {
            return Err(Error::new(ErrorKind::Io, format!("{name} can be read only once")));
        }
        let mut found = Vec::new();
        for input in inputs {
            found.extend(find(input.as_ref())?);
        }
        Ok(Source { inputs: found })
    }

    /// Says what there is to say of a file that is not there or is a directory. Nothing is read, so that a pipe still has its bytes.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn check(input: &str) -> Result<(), Error> {
        match named(input) {
            Named::File(path) if !input.is_empty() && is_stream(&path) => Ok(()),
            _ => find(input).map(drop),
        }
    }

    /// A table that comes from elsewhere than a file, under a name for messages. It is copied to a temporary file.
    ///
    /// # Errors
    /// The bytes cannot be read or kept.
    pub fn spool(name: &str, bytes: impl Read) -> Result<Source, Error> {
        Input::from_reader(name, bytes).map(|input| Source { inputs: vec![input] })
    }

    /// The files in order, as the user named them or as the glob found them.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.inputs.iter().map(|input| &*input.name)
    }

    /// How many bytes the files have together.
    pub fn bytes(&self) -> u64 {
        self.inputs.iter().map(|input| input.bytes).sum()
    }

    /// How many bytes each of the files has, in order.
    pub fn sizes(&self) -> impl ExactSizeIterator<Item = u64> {
        self.inputs.iter().map(|input| input.bytes)
    }

    /// The SHA-256 of the bytes of the files, one after the other, in lower-case hexadecimal digits.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn sha256(&self) -> Result<String, Error> {
        let mut hasher = Sha256::new();
        for input in &self.inputs {
            digest(&mut hasher, input.file()?).map_err(|error| input.unreadable(error))?;
        }
        Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Files that were given a second time: by the same or another path, by overlapping globs, or as a copy with the same
    /// bytes. Their rows count twice.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn repeated(&self) -> Result<Vec<RepeatedFile>, Error> {
        let mut repeated = Vec::new();
        for (place, input) in self.inputs.iter().enumerate() {
            for earlier in &self.inputs[..place] {
                if let Some(is_copy) = input.repeats(earlier)? {
                    let (name, same_as) = (input.name.to_string(), earlier.name.to_string());
                    repeated.push(RepeatedFile { name, same_as, is_copy });
                    break;
                }
            }
        }
        Ok(repeated)
    }

    pub(crate) fn inputs(&self) -> &[Input] {
        &self.inputs
    }
}

/// A file of a [`Source`] that was there already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatedFile {
    /// Its name.
    pub name: String,
    /// The file that it repeats.
    pub same_as: String,
    /// Whether it is another file with the same bytes.
    pub is_copy: bool,
}

impl fmt::Display for RepeatedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, same_as, is_copy } = self;
        match (is_copy, name == same_as) {
            (true, _) => write!(f, "{name} has the same bytes as {same_as}")?,
            (false, true) => write!(f, "{name} is given twice")?,
            (false, false) => write!(f, "{name} is the same file as {same_as}")?,
        }
        f.write_str(", so its rows count twice: give each file once")
    }
}

/// Whether two files of the same length have the same bytes; most files differ in the first piece already.
fn same_bytes(one: File, other: File) -> io::Result<bool> {
    const PIECE: u64 = 1 << 16;
    let (mut one, mut other) = (BufReader::new(one), BufReader::new(other));
    let (mut left, mut right) = (Vec::new(), Vec::new());
    loop {
        left.clear();
        right.clear();
        one.by_ref().take(PIECE).read_to_end(&mut left)?;
        other.by_ref().take(PIECE).read_to_end(&mut right)?;
        if left != right || left.is_empty() {
            return Ok(left == right);
        }
    }
}

fn digest(hasher: &mut Sha256, mut file: File) -> io::Result<()> {
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(()),
            n_bytes => hasher.update(&buffer[..n_bytes]),
        }
    }
}

/// One file of a [`Source`].
#[derive(Clone, Debug)]
pub(crate) struct Input {
    name: Arc<str>,
    path: PathBuf,
    bytes: u64,
    /// The temporary copy of a stream, gone with the last clone.
    _spool: Option<Arc<Spool>>,
}

impl Input {
    fn from_path(path: PathBuf) -> Result<Input, Error> {
        let name: Arc<str> = path.to_string_lossy().into();
        let metadata = fs::metadata(&path).map_err(|error| unopened(&path, error))?;
        if metadata.is_dir() {
            return Err(directory(&path));
        }
        if !metadata.is_file() {
            let stream = File::open(&path).map_err(|error| unopened(&path, error))?;
            return Input::from_reader(&name, stream);
        }
        Ok(Input { name, path, bytes: metadata.len(), _spool: None })
    }

    fn from_reader(name: &str, mut reader: impl Read) -> Result<Input, Error> {
        let (bytes, spool) = Spool::of(name, &mut reader)?;
        let path = spool.path();
        Ok(Input { name: name.into(), path, bytes, _spool: Some(Arc::new(spool)) })
    }

    pub(crate) fn name(&self) -> &Arc<str> {
        &self.name
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(crate) fn file(&self) -> Result<File, Error> {
        File::open(&self.path).map_err(|error| unopened(&self.path, error))
    }

    /// Whether it is the same file as another, or a copy of it (`true`).
    fn repeats(&self, other: &Input) -> Result<Option<bool>, Error> {
        if self.bytes != other.bytes || self.bytes == 0 {
            return Ok(None);
        }
        let place = |input: &Input| fs::canonicalize(&input.path).ok();
        if place(self).is_some_and(|found| place(other) == Some(found)) {
            return Ok(Some(false));
        }
        let same = same_bytes(self.file()?, other.file()?).map_err(|error| self.unreadable(error))?;
        Ok(same.then_some(true))
    }

    pub(crate) fn unreadable(&self, error: io::Error) -> Error {
        Error::io("cannot be read", error).in_file(&self.name)
    }
}

/// A temporary copy of a stream.
#[derive(Debug)]
enum Spool {
    /// It has no name, and is opened anew by the number of this file.
    Nameless(File),
    Named(TempPath),
}

impl Spool {
    fn of(name: &str, reader: &mut impl Read) -> Result<(u64, Spool), Error> {
        let mut nameless = tempfile::tempfile().map_err(|error| unkept(name, error))?;
        if File::open(own_path(&nameless)).is_ok() {
            return Ok((copy(name, reader, &mut nameless)?, Spool::Nameless(nameless)));
        }
        let mut named = NamedTempFile::with_prefix("tribunal-").map_err(|error| unkept(name, error))?;
        Ok((copy(name, reader, &mut named)?, Spool::Named(named.into_temp_path())))
    }

    /// Where it can be opened, each time from its beginning.
    fn path(&self) -> PathBuf {
        match self {
            Spool::Nameless(file) => own_path(file),
            Spool::Named(path) => path.to_path_buf(),
        }
    }
}

/// Copies a stream to its end, and tells what cannot be read from what cannot be written.
fn copy(name: &str, reader: &mut impl Read, out: &mut impl Write) -> Result<u64, Error> {
    let (mut buffer, mut n_bytes) = (vec![0; 1 << 16], 0);
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(n_bytes),
            Ok(n_read) => {
                out.write_all(&buffer[..n_read]).map_err(|error| unkept(name, error))?;
                n_bytes += n_read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::io(format!("{name} cannot be read"), error)),
        }
    }
}

/// There is no temporary file, or no room in it.
fn unkept(name: &str, error: io::Error) -> Error {
    let folder = std::env::temp_dir();
    let problem = format!("{name} cannot be kept in {}, the folder for temporary files", folder.display());
    Error::io(problem, error).advise("set TMPDIR to a folder that is there, has room and may be written to")
}

/// Where a file without a name can be opened anew.
#[cfg(target_os = "linux")]
fn own_path(file: &File) -> PathBuf {
    use std::os::fd::AsRawFd;
    format!("/proc/self/fd/{}", file.as_raw_fd()).into()
}

/// Other systems have no such place.
#[cfg(not(target_os = "linux"))]
fn own_path(_file: &File) -> PathBuf {
    PathBuf::new()
}

/// How an input is named.
pub(crate) enum Named<'a> {
    File(PathBuf),
    Glob(&'a str),
}

/// A name with `*`, `?` or `[` that is not itself a file is a glob.
pub(crate) fn named(input: &str) -> Named<'_> {
    match input.contains(['*', '?', '[']) && !Path::new(input).exists() {
        true => Named::Glob(input),
        false => Named::File(input.into()),
    }
}

/// The first stream that is named a second time: its bytes are gone by then, and a pipe would be waited for without an end.
fn stream_named_twice<S: AsRef<str>>(inputs: &[S]) -> Option<String> {
    let is_stream = |input: &str| input == STANDARD_INPUT || is_stream(Path::new(input));
    let streams: Vec<&str> = inputs.iter().map(S::as_ref).filter(|input| is_stream(input)).collect();
    let twice = streams.iter().enumerate().find(|(place, stream)| streams[..*place].contains(stream));
    twice.map(|(_, &stream)| match stream {
        STANDARD_INPUT => "standard input (-)".to_owned(),
        stream => stream.to_owned(),
    })
}

fn find(input: &str) -> Result<Vec<Input>, Error> {
    if input.is_empty() {
        return Err(Error::new(ErrorKind::NoSuchFile, "the name of an input file is empty")
            .advise("name a file, or - for standard input"));
    }
    if input == STANDARD_INPUT {
        return Source::spool("standard input", io::stdin().lock()).map(|source| source.inputs);
    }
    match named(input) {
        Named::Glob(pattern) => expand(pattern),
        Named::File(path) => Input::from_path(path).map(|input| vec![input]),
    }
}

fn expand(pattern: &str) -> Result<Vec<Input>, Error> {
    let bad_pattern = |error: glob::PatternError| {
        Error::new(ErrorKind::NoMatch, format!("{} is not a valid glob: {error}", quoted(pattern)))
    };
    let mut paths: Vec<PathBuf> = glob::glob(pattern).map_err(bad_pattern)?.filter_map(Result::ok).collect();
    paths.retain(|path| !path.is_dir());
    paths.sort();
    if paths.is_empty() {
        let problem = format!("no file matches {}", quoted(pattern));
        return Err(
            Error::new(ErrorKind::NoMatch, problem).advise("list the directory and correct the pattern")
        );
    }
    paths.into_iter().map(Input::from_path).collect()
}

fn unopened(path: &Path, error: io::Error) -> Error {
    let file: Arc<str> = path.to_string_lossy().into();
    if error.kind() != io::ErrorKind::NotFound {
        return Error::io("cannot be opened", error).in_file(&file);
    }
    let names = neighbours(path);
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let problem = format!("no such file{}", did_you_mean(&name, names.iter().map(String::as_str)));
    Error::new(ErrorKind::NoSuchFile, problem).in_file(&file).because(error)
}

fn directory(path: &Path) -> Error {
    let names = neighbours(&path.join("*"));
    let endings = ["csv", "parquet", "tsv", "arrow", "feather", "jsonl", "ndjson", "arff", "gz"];
    let count = |ending: &str| names.iter().filter(|name| name.ends_with(&format!(".{ending}"))).count();
    // The first of equals: csv when the directory says nothing.
    let likeliest = endings.into_iter().rev().max_by_key(|ending| count(ending)).unwrap_or("csv");
    let glob = path.join(format!("*.{likeliest}"));
    Error::new(ErrorKind::Directory, "this is a directory")
        .in_file(&path.to_string_lossy().into())
        .advise(format!("name its files, or give a glob in quotes: '{}'", glob.display()))
}

/// The names in the directory of a path, sorted.
fn neighbours(path: &Path) -> Vec<String> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for name in names {
            fs::write(folder.path().join(name), name).expect("a file");
        }
        folder
    }

    fn check(folder: &tempfile::TempDir, input: &str, kind: ErrorKind, parts: &[&str]) {
        let input = folder.path().join(input).to_string_lossy().into_owned();
        let error = Source::open(&[input]).expect_err("an error");
        assert_eq!(error.kind(), kind);
        let message = error.to_string();
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    }

    #[test]
    fn what_cannot_be_found_says_what_to_do() {
        let folder = folder(&["scores.csv", "a.parquet", "b.parquet"]);
        check(&folder, "score.csv", ErrorKind::NoSuchFile, &["no such file", "did you mean \"scores.csv\"?"]);
        check(&folder, "", ErrorKind::Directory, &["this is a directory", "*.parquet'"]);
        check(&folder, "*.arff", ErrorKind::NoMatch, &["no file matches", "*.arff"]);
        assert_eq!(Source::open::<&str>(&[]).expect_err("nothing").kind(), ErrorKind::NoMatch);
        let unnamed = Source::open(&[""]).expect_err("no name");
        assert_eq!(unnamed.kind(), ErrorKind::NoSuchFile);
        assert!(unnamed.to_string().starts_with("the name of an input file is empty"), "{unnamed}");
    }

    #[test]
    fn a_stream_that_breaks_off_is_told_from_one_that_cannot_be_kept() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _buffer: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("the line is dead"))
            }
        }
        let error = Source::spool("standard input", Broken).expect_err("broken").to_string();
        assert_eq!(error, "standard input cannot be read: the line is dead");
        let error = copy("standard input", &mut &b"a,b"[..], &mut &mut [0; 2][..]).expect_err("full");
        let message = error.to_string();
        assert!(message.starts_with("standard input cannot be kept in "), "{message}");
        assert!(message.contains("set TMPDIR"), "{message}");
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_read_once_and_kept() {
        let folder = folder(&[]);
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
        let name = pipe.to_string_lossy().into_owned();
        let twice = Source::open(&[&name, &name]).expect_err("read twice").to_string();
        assert!(twice.contains("pipe can be read only once"), "{twice}");
        let writer = std::thread::spawn(move || fs::write(pipe, "a,b\n1,2\n").expect("the pipe is written"));
        let source = Source::open(&[&name]).expect("a stream");
        writer.join().expect("no panic");
        assert_eq!((source.bytes(), source.names().next()), (8, Some(name.as_str())));
        for _ in 0..2 {
            let mut text = String::new();
            source.inputs()[0].file().expect("the copy").read_to_string(&mut text).expect("text");
            assert_eq!(text, "a,b\n1,2\n");
        }
    }

    #[test]
    fn globs_are_sorted_and_the_digest_is_over_all_files() {
        let folder = folder(&["b.csv", "a.csv", "c.txt"]);
        let pattern = folder.path().join("*.csv").to_string_lossy().into_owned();
        let source = Source::open(&[pattern]).expect("two files");
        let names: Vec<_> = source.names().map(|name| name.rsplit(['/', '\\']).next()).collect();
        assert_eq!(names, [Some("a.csv"), Some("b.csv")]);
        assert_eq!(source.bytes(), 10);
        // sha256("a.csvb.csv"), by coreutils.
        let expected = "c31c65f35d1c5c72fe652c2b80853f50b1e718edc11c240877aea69fb7562e53";
        assert_eq!(source.sha256().expect("a digest"), expected);
    }

    #[test]
    fn files_that_are_given_twice_are_found() {
        let folder = folder(&["a.csv", "b.csv"]);
        let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        fs::write(path("copy.csv"), "a.csv").expect("a file");
        let check = |inputs: &[&str], expected: &[(&str, bool)]| {
            let inputs: Vec<String> = inputs.iter().map(|name| path(name)).collect();
            let found = Source::open(&inputs).expect("files").repeated().expect("readable");
            let found: Vec<(String, bool)> =
                found.into_iter().map(|file| (file.name.replace("/./", "/"), file.is_copy)).collect();
            let expected: Vec<(String, bool)> =
                expected.iter().map(|(name, is_copy)| (path(name), *is_copy)).collect();
            assert_eq!(found, expected, "{inputs:?}");
        };
        check(&["a.csv", "b.csv"], &[]);
        check(&["a.csv", "a.csv"], &[("a.csv", false)]);
        check(&["a.csv", "./a.csv"], &[("a.csv", false)]);
        check(&["[ab].csv", "b*.csv"], &[("b.csv", false)]);
        check(&["a.csv", "b.csv", "copy.csv"], &[("copy.csv", true)]);
    }

    #[test]
    fn standard_input_is_spooled_and_removed() {
        let input = Input::from_reader("standard input", &b"a,b\n1,2\n"[..]).expect("spooled");
        let path = input.path.clone();
        for _ in 0..2 {
            assert_eq!((input.bytes(), fs::read(&path).expect("the copy")), (8, b"a,b\n1,2\n".to_vec()));
        }
        // Nothing is left however the program ends, if it never had a name.
        assert_eq!(
            input._spool.as_deref().map(|spool| matches!(spool, Spool::Nameless(_))),
            Some(cfg!(target_os = "linux"))
        );
        drop(input);
        assert!(!path.exists());
    }
}
