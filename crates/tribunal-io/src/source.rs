//! The files a table is read from, in order: named one by one, by glob, or standard input.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};
use tempfile::{NamedTempFile, TempPath};

use crate::error::{Error, ErrorKind, quoted};
use crate::nearest::did_you_mean;

const STANDARD_INPUT: &str = "-";

/// One or several files that together hold one table.
///
/// A name with `*`, `?` or `[` that is not itself a file is a glob, and its files are taken in the order of
/// their names. `-` is standard input; it is copied to a temporary file first, so that formats which are read
/// from their end work there too.
#[derive(Debug)]
pub struct Source {
    inputs: Vec<Input>,
}

impl Source {
    /// Finds the files. They are not read yet, except for standard input.
    ///
    /// # Errors
    /// A file does not exist or is a directory, or a glob matches nothing.
    pub fn open<S: AsRef<str>>(inputs: &[S]) -> Result<Source, Error> {
        if inputs.is_empty() {
            return Err(Error::new(ErrorKind::NoMatch, "no input file was given")
                .advise("name one, or - for standard input"));
        }
        let mut found = Vec::new();
        for input in inputs {
            found.extend(find(input.as_ref())?);
        }
        if found.iter().filter(|input| input.spool.is_some()).count() > 1 {
            return Err(Error::new(ErrorKind::Io, "standard input (-) can be read only once"));
        }
        Ok(Source { inputs: found })
    }

    /// The files in order, as the user named them or as the glob found them.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.inputs.iter().map(|input| &*input.name)
    }

    /// How many bytes the files have together.
    pub fn bytes(&self) -> u64 {
        self.inputs.iter().map(|input| input.bytes).sum()
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

    pub(crate) fn inputs(&self) -> &[Input] {
        &self.inputs
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
    /// The temporary copy of standard input, removed with the last clone.
    spool: Option<Arc<TempPath>>,
}

impl Input {
    fn from_path(path: PathBuf) -> Result<Input, Error> {
        let name: Arc<str> = path.to_string_lossy().into();
        let metadata = fs::metadata(&path).map_err(|error| unopened(&path, error))?;
        if metadata.is_dir() {
            return Err(directory(&path));
        }
        Ok(Input { name, path, bytes: metadata.len(), spool: None })
    }

    fn from_reader(mut reader: impl Read) -> io::Result<Input> {
        let mut spool = NamedTempFile::with_prefix("tribunal-")?;
        let bytes = io::copy(&mut reader, &mut spool)?;
        let path = spool.path().to_path_buf();
        let spool = Some(Arc::new(spool.into_temp_path()));
        Ok(Input { name: "standard input".into(), path, bytes, spool })
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

    pub(crate) fn unreadable(&self, error: io::Error) -> Error {
        Error::io("cannot be read", error).in_file(&self.name)
    }
}

fn find(input: &str) -> Result<Vec<Input>, Error> {
    if input == STANDARD_INPUT {
        let spooled = Input::from_reader(io::stdin().lock());
        return spooled.map(|input| vec![input]).map_err(|e| Error::io("standard input cannot be read", e));
    }
    let is_glob = input.contains(['*', '?', '[']) && !Path::new(input).exists();
    if is_glob { expand(input) } else { Input::from_path(input.into()).map(|input| vec![input]) }
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
    fn standard_input_is_spooled_and_removed() {
        let input = Input::from_reader(&b"a,b\n1,2\n"[..]).expect("spooled");
        let path = input.path.clone();
        assert_eq!((input.bytes(), fs::read(&path).expect("the copy")), (8, b"a,b\n1,2\n".to_vec()));
        drop(input);
        assert!(!path.exists());
    }
}
