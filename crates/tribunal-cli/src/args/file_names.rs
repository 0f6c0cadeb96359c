//! Names of files on the command line. Whether a file is read or written is told by the type of its name, and by that
//! [`files::of`](crate::files::of) finds all files of a command, whatever the verb.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tribunal_io::STANDARD_OUTPUT;

/// What is read: a file, a glob, or `-` for standard input.
#[derive(Clone, Debug)]
pub(crate) struct InputName(String);

impl From<String> for InputName {
    fn from(name: String) -> Self {
        InputName(name)
    }
}

impl AsRef<str> for InputName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl AsRef<Path> for InputName {
    fn as_ref(&self) -> &Path {
        self.0.as_ref()
    }
}

/// Names as the libraries take them.
pub(crate) fn texts(names: &[InputName]) -> Vec<String> {
    names.iter().map(|name| name.0.clone()).collect()
}

/// A schema: a file, or one that is built in.
#[derive(Clone, Debug)]
pub(crate) struct SchemaName(String);

impl From<String> for SchemaName {
    fn from(name: String) -> Self {
        SchemaName(name)
    }
}

impl SchemaName {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The file that is read.
    pub(crate) fn file(&self) -> Option<&str> {
        (!tribunal::is_built_in_schema(&self.0)).then_some(&self.0)
    }
}

/// A file that is written; `-` is standard output.
#[derive(Clone, Debug)]
pub(crate) struct OutputPath(PathBuf);

impl From<OsString> for OutputPath {
    /// The device of that name is standard output too, whatever that was redirected to.
    fn from(path: OsString) -> Self {
        OutputPath(if path == "/dev/stdout" { STANDARD_OUTPUT.into() } else { path.into() })
    }
}

impl OutputPath {
    /// The file; nothing for standard output.
    pub(crate) fn file(&self) -> Option<&Path> {
        (self.0 != Path::new(STANDARD_OUTPUT)).then_some(&self.0)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

/// A folder that results are written to.
#[derive(Clone, Debug)]
pub(crate) struct OutputFolder(PathBuf);

impl From<OsString> for OutputFolder {
    fn from(path: OsString) -> Self {
        OutputFolder(path.into())
    }
}

impl OutputFolder {
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}
