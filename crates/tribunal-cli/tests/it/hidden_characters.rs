//! Names, labels and paths that would command a terminal, turn text around or become formulas reach nobody as they are.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

/// A column with an escape sequence, a bell, a line break, a right-to-left override, a C1 control, and what LaTeX, Markdown,
/// HTML, DOT and spreadsheets would make something of.
const COLUMN: &str = "=a\u{1b}[31m\u{7}\n\u{202e}\u{9b}|<b>\\x{}\"$%&`_";
const YES: &str = "+yes\u{1b}]0;x\u{7}\u{202e}\nerror: all is well";
const NO: &str = "@no\u{200b}";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let mut table =
            format!("{},b\u{1b},{},score\u{202e}\n", quoted(COLUMN), quoted(&format!("y{COLUMN}")));
        for row in 0..60 {
            let (class, level) = if row % 3 == 0 { (YES, NO) } else { (NO, YES) };
            let level = if row % 7 == 0 { class } else { level };
            table +=
                &format!("{},{},{},{}\n", quoted(level), row % 5, quoted(class), f64::from(row % 13) / 13.0);
        }
        fs::write(folder.0.path().join("x.csv"), &table).expect("a table");
        fs::write(folder.0.path().join("x\u{1b}[31m.csv"), &table).expect("a table");
        folder
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
        command.args(args).current_dir(self.0.path()).output().expect("the command runs")
    }

    /// What a command says on both streams, none of it hidden.
    fn check(&self, args: &[&str], succeeds: bool) -> String {
        let output = self.run(args);
        let both = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(both).expect("text");
        assert_eq!(output.status.success(), succeeds, "{args:?}: {text}");
        check_visible(&text, &format!("{args:?}"));
        text
    }
}

fn check_visible(text: &str, what: &str) {
    let is_hidden = |c: char| c.is_control() && c != '\n' || "\u{202e}\u{200b}\u{9b}".contains(c);
    assert!(!text.contains(is_hidden), "{what}: {text:?}");
    assert!(!text.lines().any(|line| line.trim_start().starts_with("error: all is well")), "{what}: {text}");
}

const FORMATS: [&str; 5] = ["text", "markdown", "latex", "csv", "json"];

#[test]
fn no_report_hides_anything() {
    let folder = Folder::new();
    let target = format!("y{COLUMN}");
    let data = ["--target", &target, "--positive", YES];
    let judged = ["--truth", &target, "--positive", YES, "--score", "score\u{202e}"];
    for format in FORMATS {
        let check = |start: &[&str], more: &[&str]| {
            let args = [start, more, &["--format", format]].concat();
            let text = folder.check(&args, true);
            if format == "json" {
                serde_json::from_str::<Value>(text.trim()).expect("JSON");
            }
            text
        };
        let file = "x\u{1b}[31m.csv";
        check(&["describe", file], &data);
        check(&["evaluate", file], &judged);
        check(&["fit", file, "--learner", "c45", "-o", "tree.json", "-q"], &data);
        check(&["explain", "tree.json"], &[]);
        check(&["explain", "tree.json", file, "--rows", "1-3"], &[]);
        check(&["fit", "x.csv", "--learner", "nb", "-o", "nb.json", "-q"], &data);
        check(&["explain", "nb.json"], &[]);
        check(&["explain", "nb.json", "x.csv", "--rows", "1"], &[]);
        check(&["split", file, "--target", &target, "-o", "split.csv", "-q"], &[]);
        check(&["bias", file, "--kind", "class", "--class", YES, "-o", "bias.csv", "-q"], &data);
        check(&["cross", file, "--learner", "nb", "--design", "cv:2", "-o", "cross.csv", "-q"], &data);
        check(&["score", "nb.json", file, "-o", "score.csv", "-q"], &[]);
        let run = format!("run-{format}");
        check(&["study", file, "--learners", "nb", "--design", "cv:2", "--run", &run, "-q"], &data);
        for name in [
            "report.md",
            "report.tex",
            "report.txt",
            "figures.csv",
            "times.csv",
            "results.json",
            "times.json",
        ] {
            let text = fs::read_to_string(folder.0.path().join(&run).join(name)).expect("a file");
            check_visible(&text, name);
        }
    }
    folder.check(&[&["fit", "x.csv", "--learner", "tan", "-o", "tan.json", "-q"], &data[..]].concat(), true);
    for model in ["tree.json", "tan.json"] {
        let graph = folder.check(&["explain", model, "--format", "dot"], true);
        assert!(graph.contains("=a\\\\u{1b}[31m\\\\u{7}\\\\n\\\\u{202e}"), "{graph}");
    }
}

#[test]
fn json_and_tables_keep_the_very_names() {
    let folder = Folder::new();
    let target = format!("y{COLUMN}");
    let described = folder.check(&["describe", "x.csv", "--format", "json"], true);
    let described: Value = serde_json::from_str(&described).expect("JSON");
    assert_eq!(described["columns"][0]["name"], COLUMN);
    folder.check(&["split", "x.csv", "--target", &target, "--design", "cv:2", "-o", "split.csv", "-q"], true);
    let (before, after) =
        (fs::read(folder.0.path().join("x.csv")), fs::read(folder.0.path().join("split.csv")));
    let (before, after) =
        (before.expect("the table"), String::from_utf8(after.expect("a copy")).expect("text"));
    let stripped = after.replace(",fold\n", "\n").replace(",0\n", "\n").replace(",1\n", "\n");
    assert_eq!(stripped, String::from_utf8(before).expect("text"), "every cell byte for byte");
}

#[test]
fn spreadsheets_find_no_formula_in_reports() {
    let folder = Folder::new();
    let target = format!("y{COLUMN}");
    let csv =
        folder.check(&["describe", "x.csv", "--target", &target, "--positive", YES, "--format", "csv"], true);
    assert!(csv.contains("\n\"'=a") || csv.contains("\n'=a"), "{csv}");
    assert!(!csv.contains("\n=") && !csv.contains(",=") && !csv.contains("\"="), "{csv}");
}

#[test]
fn no_error_hides_anything() {
    let folder = Folder::new();
    let hostile = "\u{1b}[2J\u{202e}\nerror: all is well";
    let check = |args: &[&str]| {
        let text = folder.check(args, false);
        assert!(text.contains("\\u{1b}"), "{args:?}: {text}");
    };
    check(&["describe", hostile]);
    check(&["describe", "x.csv", "--target", hostile]);
    check(&["describe", "x.csv", "--schema", hostile]);
    check(&["describe", "x.csv", "--kind", &format!("{hostile}=flag")]);
    check(&["evaluate", "x.csv", "--truth", hostile, "--score", "b\u{1b}"]);
    check(&[
        "evaluate",
        "x.csv",
        "--truth",
        &format!("y{COLUMN}"),
        "--positive",
        hostile,
        "--score",
        "b\u{1b}",
    ]);
    check(&["evaluate", "x.csv", "--truth", &format!("y{COLUMN}"), "--positive", YES, "--score", COLUMN]);
    check(&["fit", "x.csv", "--target", "b\u{1b}", "--learner", hostile, "-o", "m.json"]);
    check(&["fit", "x.csv", "--target", "b\u{1b}", "--learner", "nb", "-o", &format!("{hostile}/m.json")]);
    check(&["score", hostile, "x.csv"]);
    check(&["split", "x.csv", "--design", hostile]);
    check(&["split", "x.csv", &format!("--design={hostile}")]);
    check(&["study", hostile]);
    check(&["study", "x.csv", "--target", "b\u{1b}", "--learners", hostile]);
    check(&["study", "x.csv", "--target", "b\u{1b}", "--metrics", hostile]);
    check(&[hostile]);
    check(&["describe", "x.csv", &format!("--{hostile}")]);
    fs::write(folder.0.path().join("s.toml"), format!("title = 'x'\nlearners = ['{}']\n", "a\u{9b}\u{1b}"))
        .expect("a file");
    folder.check(&["study", "s.toml"], false);
}

#[test]
fn a_first_study_file_is_what_it_seems() {
    let folder = Folder::new();
    let target = format!("y{COLUMN}");
    folder.check(&["init", "x.csv", "--target", &target, "--positive", YES, "-o", "first.toml"], true);
    let text = fs::read_to_string(folder.0.path().join("first.toml")).expect("a study");
    check_visible(&text, "first.toml");
    folder.check(&["study", "first.toml", "--learners", "majority", "--design", "cv:2"], true);
}
