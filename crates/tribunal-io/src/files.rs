//! What a command reads and what it writes, so that no result takes the place of an input.
//!
//! Every input and every output of a command is named here before anything is read. An output is refused that is one of
//! the inputs - by any path, by a symbolic or hard link, or by a redirected standard stream -, that a glob among the inputs
//! would find the next time, or that is another output.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind, quoted};
use crate::file_identity::{FileIdentity, directory_of, resolved};
use crate::source::{Named, STANDARD_INPUT, named};

/// What stands for standard output where a file could stand.
pub const STANDARD_OUTPUT: &str = "-";

/// The files of a command.
///
/// ```
/// use tribunal_io::{ErrorKind, Files};
///
/// # let folder = tempfile::tempdir()?;
/// # let claims = folder.path().join("claims.csv");
/// # let scores = folder.path().join("scores.csv");
/// # std::fs::write(&claims, "lag,fraud\n3,no\n")?;
/// let mut files = Files::default();
/// files.reads(&claims.to_string_lossy())?;
/// files.writes("-o", &scores)?;
/// let refused = files.writes("--keep", &folder.path().join("./claims.csv")).unwrap_err();
/// assert_eq!(refused.kind(), ErrorKind::Overwrite);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Files {
    reads: Vec<Read>,
    writes: Vec<Written>,
    /// Files whose directories are not there, and may be made yet.
    homeless: Vec<PathBuf>,
}

/// An input.
#[derive(Debug)]
struct Read {
    name: String,
    found: Vec<FileIdentity>,
    glob: Option<Glob>,
}

/// An output.
#[derive(Debug)]
struct Written {
    /// What it is named by in messages: the option and the path.
    name: String,
    place: Place,
}

#[derive(Clone, Debug)]
enum Place {
    /// Standard output, and the file that it is redirected to.
    StandardOutput(Option<FileIdentity>),
    File(FileIdentity),
    /// A folder that other files than results must stay out of.
    Folder(PathBuf),
}

impl Files {
    /// Adds an input: a file, a glob, or `-` for standard input. One that is not there is told when it is opened.
    ///
    /// # Errors
    /// An output that was added before would take its place.
    pub fn reads(&mut self, input: &str) -> Result<(), Error> {
        let read = Read::new(input);
        self.writes.iter().try_for_each(|written| agree(&read, written))?;
        self.reads.push(read);
        Ok(())
    }

    /// Adds the file that an option names for results; `-` is standard output.
    ///
    /// # Errors
    /// It is an input, would be found by a glob among the inputs, or is another output; or it is a directory.
    pub fn writes(&mut self, option: &str, path: &Path) -> Result<(), Error> {
        if path == Path::new(STANDARD_OUTPUT) {
            let file = redirected(std::io::stdout());
            return self.add(Written { name: format!("{option} -"), place: Place::StandardOutput(file) });
        }
        if path.is_dir() {
            let problem = "results go to a file, and this is a directory";
            let error = Error::new(ErrorKind::Directory, problem).in_file(&path.to_string_lossy().into());
            return Err(error.advise("name a file in it"));
        }
        if !directory_of(path).is_dir() {
            self.homeless.push(path.to_owned());
        }
        let name = format!("{option} {}", path.display());
        self.add(Written { name, place: Place::File(FileIdentity::of(path)) })
    }

    /// Adds a folder that holds results under these names. Inputs must lie outside of it.
    ///
    /// # Errors
    /// An input lies in it, or one of the files is an input, another output, a link to somewhere else, or no regular file.
    pub fn writes_folder(&mut self, option: &str, folder: &Path, names: &[&str]) -> Result<(), Error> {
        let name = format!("{option} {}", folder.display());
        self.add(Written { name, place: Place::Folder(resolved(folder)) })?;
        let files = names.iter().map(|name| folder.join(name));
        files.into_iter().try_for_each(|path| {
            if let Some(problem) = unfit_for_results(&path) {
                let error = Error::new(ErrorKind::Overwrite, problem).in_file(&path.to_string_lossy().into());
                return Err(error.advise("remove it, or name another folder"));
            }
            let name = format!("{option} {}", path.display());
            self.add(Written { name, place: Place::File(FileIdentity::of(&path)) })
        })
    }

    /// Tells what could not be written in the end before any work is done: to be asked once every file is named.
    ///
    /// # Errors
    /// The directory of a file for results is not there, and is none that will be made.
    pub fn check_directories(&self) -> Result<(), Error> {
        let is_made = |directory: &Path| {
            let made = resolved(directory);
            self.writes
                .iter()
                .any(|written| matches!(&written.place, Place::Folder(folder) if *folder == made))
        };
        let Some(path) = self.homeless.iter().find(|path| !is_made(directory_of(path))) else {
            return Ok(());
        };
        let problem = format!("there is no directory {}", quoted(&directory_of(path).to_string_lossy()));
        let error = Error::new(ErrorKind::Io, problem).in_file(&path.to_string_lossy().into());
        Err(error.advise("make it, or name another"))
    }

    /// Makes sure that whatever is printed beside the results goes into no file of the command: to be asked once every file
    /// is named.
    ///
    /// # Errors
    /// Standard output is redirected to an input, or to the file of an option.
    pub fn check_standard_output(&self) -> Result<(), Error> {
        let Some(file) = redirected(std::io::stdout()) else { return Ok(()) };
        let printed =
            Written { name: "standard output".to_owned(), place: Place::StandardOutput(Some(file)) };
        self.reads.iter().try_for_each(|read| agree(read, &printed))?;
        let mut files = self.writes.iter().filter(|written| matches!(written.place, Place::File(_)));
        let same = files.find(|written| written.place.is(&printed.place));
        same.map_or(Ok(()), |written| Err(same_output(written, &printed)))
    }

    fn add(&mut self, written: Written) -> Result<(), Error> {
        self.reads.iter().try_for_each(|read| agree(read, &written))?;
        if let Some(other) = self.writes.iter().find(|other| other.place.is(&written.place)) {
            return Err(same_output(other, &written));
        }
        self.writes.push(written);
        Ok(())
    }
}

impl Place {
    /// Whether two outputs are the same file. Devices and pipes take what any number of outputs write.
    fn is(&self, other: &Place) -> bool {
        match (self, other) {
            (Place::StandardOutput(_), Place::StandardOutput(_)) => true,
            (Place::File(own), Place::File(other)) => own.is(other) && !is_stream(&own.path),
            (Place::StandardOutput(Some(own)), Place::File(other))
            | (Place::File(other), Place::StandardOutput(Some(own))) => own.is(other),
            _ => false,
        }
    }
}

impl Read {
    fn new(input: &str) -> Read {
        let (found, glob) = match named(input) {
            _ if input == STANDARD_INPUT => (redirected(std::io::stdin()).into_iter().collect(), None),
            Named::File(path) => (vec![FileIdentity::of(&path)], None),
            Named::Glob(pattern) => {
                let paths = glob::glob(pattern).into_iter().flatten().flatten();
                (paths.map(|path| FileIdentity::of(&path)).collect(), Glob::new(pattern))
            }
        };
        let name = if input == STANDARD_INPUT { "standard input".to_owned() } else { input.to_owned() };
        Read { name, found, glob }
    }
}

/// Fails if an output would take the place of an input, now or the next time.
fn agree(read: &Read, written: &Written) -> Result<(), Error> {
    let refused = |why: &str, advice: &str| {
        let problem = format!("{} {why} {}", written.name, quoted(&read.name));
        Err(Error::new(ErrorKind::Overwrite, problem).advise(advice))
    };
    let written_to = match &written.place {
        Place::StandardOutput(None) => return Ok(()),
        Place::StandardOutput(Some(file)) | Place::File(file) => file,
        Place::Folder(folder) => {
            return match read.found.iter().any(|file| file.path.starts_with(folder)) {
                true => refused("is a folder for results, and holds the input", "name another folder"),
                false => Ok(()),
            };
        }
    };
    if is_stream(&written_to.path) {
        return Ok(());
    }
    if read.found.iter().any(|file| file.is(written_to)) {
        return refused("would take the place of the input", "name another file");
    }
    match &read.glob {
        Some(glob) if glob.would_find(&written_to.path) => refused(
            "would be read as an input the next time, since it matches",
            "name a file that does not match it",
        ),
        _ => Ok(()),
    }
}

fn same_output(first: &Written, second: &Written) -> Error {
    let problem = format!("{} and {} are the same file", first.name, second.name);
    Error::new(ErrorKind::Overwrite, problem).advise("name a file of its own for each")
}

/// Why a file of a folder of results cannot be read and replaced there.
fn unfit_for_results(path: &Path) -> Option<&'static str> {
    let found = fs::symlink_metadata(path).ok().filter(|found| !found.is_file())?;
    Some(match found.is_symlink() {
        true => "this is a link, and what it leads to would be written over",
        false => "this is no regular file, and results would go there",
    })
}

/// Whether something stands there that is neither a file nor a directory.
pub(crate) fn is_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// The regular file that a standard stream is redirected to or from.
#[cfg(unix)]
fn redirected(stream: impl std::os::fd::AsFd) -> Option<FileIdentity> {
    let stream = File::from(stream.as_fd().try_clone_to_owned().ok()?);
    FileIdentity::of_open(&stream.metadata().ok()?)
}

#[cfg(not(unix))]
fn redirected<T>(_stream: T) -> Option<FileIdentity> {
    None
}

/// A glob in two parts, so that names can be compared in whichever way its directories are written.
#[derive(Debug)]
struct Glob {
    /// The directories that there are.
    directories: Vec<PathBuf>,
    /// The directories that there may be the next time.
    above: Option<Box<Glob>>,
    name: glob::Pattern,
}

impl Glob {
    fn new(pattern: &str) -> Option<Glob> {
        let (directory, name) = match pattern.rfind(std::path::is_separator) {
            Some(end) => (&pattern[..=end], &pattern[end + 1..]),
            None => ("./", pattern),
        };
        // What matches any directory below matches the one above as well.
        let own = directory.strip_suffix("**/").map(|own| if own.is_empty() { "./" } else { own });
        let found = [Some(directory), own].into_iter().flatten().map(glob::glob);
        let found = found.flatten().flatten().flatten();
        let directories = found.filter_map(|directory| fs::canonicalize(directory).ok()).collect();
        let has_pattern = directory.contains(['*', '?', '[']);
        let above = has_pattern.then(|| Glob::new(directory.trim_end_matches(std::path::is_separator)));
        Some(Glob { directories, above: above.flatten().map(Box::new), name: glob::Pattern::new(name).ok()? })
    }

    fn would_find(&self, path: &Path) -> bool {
        let (Some(name), Some(parent)) = (path.file_name(), path.parent()) else { return false };
        self.name.matches(&name.to_string_lossy())
            && (self.directories.iter().any(|directory| directory == parent)
                || self.above.as_ref().is_some_and(|above| above.would_find(parent)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("deep/er")).expect("folders");
        for name in ["x.csv", "x1.csv", "deep/x.csv"] {
            fs::write(folder.path().join(name), name).expect("a file");
        }
        folder
    }

    /// Whether an output is refused beside an input, whichever of them is named first.
    fn check(input: &str, output: &str, refused: &[&str]) {
        let folder = folder();
        let place = |name: &str| folder.path().join(name);
        let input = place(input).to_string_lossy().into_owned();
        let mut read_first = Files::default();
        read_first.reads(&input).expect("nothing is written");
        let mut written_first = Files::default();
        written_first.writes("-o", &place(output)).expect("nothing is read");
        for found in [read_first.writes("-o", &place(output)), written_first.reads(&input)] {
            match found {
                Ok(()) => assert!(refused.is_empty(), "{output} beside {input}"),
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Overwrite);
                    let message = error.to_string();
                    assert!(
                        !refused.is_empty() && refused.iter().all(|part| message.contains(part)),
                        "{message}"
                    );
                    assert!(message.contains(&input), "{message}");
                }
            }
        }
    }

    #[test]
    fn no_output_takes_the_place_of_an_input() {
        check("x.csv", "x.csv", &["-o ", "/x.csv", "would take the place"]);
        check("x.csv", "deep/../x.csv", &["would take the place"]);
        check("x.csv", "deep/x.csv", &[]);
        check("missing.csv", "missing.csv", &["would take the place"]);
    }

    #[test]
    fn no_output_is_found_by_a_glob_the_next_time() {
        check("x*.csv", "x1.csv", &["would take the place"]);
        check("x*.csv", "xout.csv", &["would be read as an input the next time"]);
        check("x*.csv", "deep/../xout.csv", &["would be read"]);
        check("x*.csv", "deep/xout.csv", &[]);
        check("x*.csv", "out.csv", &[]);
        check("*/x*.csv", "deep/xout.csv", &["would be read"]);
        check("**/x*.csv", "xout.csv", &["would be read"]);
        check("**/x*.csv", "deep/er/xout.csv", &["would be read"]);
        check("d*p/../x[0-9].csv", "x2.csv", &["would be read"]);
        check("*/x*.csv", "new/xout.csv", &["would be read"]);
        check("d*/x*.csv", "new/xout.csv", &[]);
    }

    #[test]
    fn a_folder_of_results_holds_no_input() {
        let folder = folder();
        let input = |name: &str| {
            let mut files = Files::default();
            files.reads(&folder.path().join(name).to_string_lossy()).expect("an input");
            files
        };
        let run = folder.path().join("deep");
        let refused = |name: &str| {
            input(name).writes_folder("--run", &run, &["figures.csv"]).map_err(|e| e.to_string())
        };
        assert!(refused("deep/x.csv").is_err_and(|message| message.contains("holds the input")));
        assert!(refused("deep/*.csv").is_err());
        assert!(refused("deep/fig*.csv").is_err_and(|message| message.contains("figures.csv would be read")));
        assert!(refused("x.csv").is_ok());
        fs::create_dir(run.join("figures.csv")).expect("a folder");
        assert!(refused("x.csv").is_err_and(|message| message.contains("figures.csv: this is no regular")));
    }

    #[test]
    fn outputs_are_files_of_their_own() {
        let folder = folder();
        let mut files = Files::default();
        files.writes("-o", &folder.path().join("a.json")).expect("the first");
        let error = files.writes("--fit-best", &folder.path().join("deep/../a.json")).expect_err("the same");
        let message = error.to_string();
        assert!(message.contains("-o ") && message.contains("--fit-best "), "{message}");
        let message =
            files.writes_folder("--run", folder.path(), &["a.json"]).expect_err("the same").to_string();
        assert!(message.contains("are the same file"), "{message}");
        files.writes("--format", Path::new(STANDARD_OUTPUT)).expect("the first");
        assert!(files.writes("--keep", Path::new(STANDARD_OUTPUT)).is_err());
        if Path::new("/dev/null").exists() {
            files.writes("-o", Path::new("/dev/null")).expect("a device");
            files.writes("-o", Path::new("/dev/null")).expect("a device");
            files.reads("/dev/null").expect("a device");
        }
    }

    #[test]
    fn what_cannot_be_written_is_told_at_once() {
        let folder = folder();
        let error = Files::default().writes("-o", &folder.path().join("deep")).expect_err("a directory");
        assert_eq!(error.kind(), ErrorKind::Directory, "{error}");
        let mut files = Files::default();
        files.writes("-o", &folder.path().join("run/x.csv")).expect("a folder that may be made");
        assert_eq!(files.check_directories().expect_err("no folder").kind(), ErrorKind::Io);
        files.writes_folder("--run", &folder.path().join("deep/../run"), &[]).expect("a folder");
        files.check_directories().expect("a folder that will be made");
    }
}
