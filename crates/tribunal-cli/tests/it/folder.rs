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

/// Scored cases of a year, of which likely ones were acted on and have an outcome; `worse` makes the score tell less.
pub(crate) fn monitored_table(n_rows: u32, first: u32, worse: bool) -> String {
    let mixed = |row: u32, salt: u32| {
        let mixed = (row + salt).wrapping_mul(2_654_435_761) ^ (row.wrapping_mul(40_503) << 7);
        (mixed ^ mixed >> 13).wrapping_mul(2_246_822_519) >> 9 & 0xffff
    };
    let share = |row: u32, salt: u32| f64::from(mixed(row, salt)) / 65_536.0;
    let mut text = String::from("day,p,acted,y,paid\n");
    for row in first..first + n_rows {
        let p = (share(row, 1) * share(row, 2) * 1000.0).round() / 1000.0;
        let is_acted = share(row, 3) < 0.15 + p;
        let is_positive = share(row, 4) < if worse { 0.1 + 0.4 * p } else { 0.05 + 0.9 * p };
        let (month, day) = (1 + (row - first) * 12 / n_rows, 1 + row % 28);
        let outcome = match (is_acted, is_positive) {
            (false, _) => "",
            (true, true) => "1",
            (true, false) => "0",
        };
        let acted = if is_acted { "yes" } else { "no" };
        text += &format!("2024-{month:02}-{day:02},{p},{acted},{outcome},{}\n", 100 + mixed(row, 5) % 900);
    }
    text
}
