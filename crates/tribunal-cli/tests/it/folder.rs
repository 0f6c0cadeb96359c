//! A folder of its own, in which the command runs.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    /// A folder with some files, by their paths below it.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// The command with arguments that a space divides, and nothing to read from standard input.
    pub(crate) fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
        command.args(args.split(' ')).current_dir(self.path()).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, args: &str) -> Output {
        self.command(args).output().expect("the command runs")
    }

    /// What a command prints that does its work.
    #[track_caller]
    pub(crate) fn stdout(&self, args: &str) -> Vec<u8> {
        let output = self.run(args);
        assert!(output.status.success(), "{args}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    /// The names of what lies in it, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).expect("the folder").flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

/// A table of numbered rows with a number `a` that tells most of the class `y`.
pub(crate) fn table(n_rows: u32) -> String {
    let row = |row: u32| format!("{row},{},{}\n", (row * 7) % 11, u8::from((row * 7) % 11 + row % 4 >= 9));
    format!("id,a,y\n{}", (0..n_rows).map(row).collect::<String>())
}

/// So many rows of three regions; in the south the score says nothing, and the smallest region has one class only.
pub(crate) fn segmented_table(n_rows: u32) -> String {
    let row = |row: u32| {
        let mixed = row.wrapping_mul(2_654_435_761) >> 20;
        let score = mixed % 97;
        let (region, y) = match row % 10 {
            0 if row < 40 => ("far", false),
            0..5 => ("north", score + mixed / 7 % 60 >= 80),
            _ => ("south", (mixed / 11).is_multiple_of(3)),
        };
        format!("0.{score:02},{region},{}\n", u8::from(y))
    };
    format!("a,region,y\n{}", (0..n_rows).map(row).collect::<String>())
}
