//! `tribunal init` as users meet it: a file that explains itself, appears beside the data, and is not overwritten.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A folder with a table of forty claims, with a name for each and an amount that gives the fraud away.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut table = String::from("claim,lag,night,paid,fraud\n");
    for row in 0..40_u32 {
        let fraud = row % 4 == 0;
        let (night, paid) = (if row % 3 == 0 { "yes" } else { "no" }, if fraud { 100 + row } else { row });
        let fraud = if fraud { "yes" } else { "no" };
        writeln!(table, "C-{row},{},{night},{paid},{fraud}", row * 11 % 17).expect("written");
    }
    fs::create_dir(folder.path().join("data")).expect("a folder");
    fs::write(folder.path().join("data/claims.csv"), table).expect("a file");
    folder
}

fn init(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tribunal"))
        .args(["init", "data/claims.csv"])
        .args(args)
        .current_dir(folder)
        .output()
        .expect("the command runs")
}

fn written(folder: &Path, args: &[&str], path: &str) -> String {
    let output = init(folder, args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout.is_empty());
    fs::read_to_string(folder.join(path)).expect("a study file")
}

#[track_caller]
fn check_refused(folder: &Path, args: &[&str], code: i32, says: &[&str]) {
    let output = init(folder, args);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    says.iter().for_each(|words| assert!(message.contains(words), "{message:?} does not say {words:?}"));
}

#[test]
fn the_file_explains_itself() {
    let folder = folder();
    insta::assert_snapshot!(written(folder.path(), &[], "study.toml"));
}

#[test]
fn what_is_there_is_not_overwritten_unless_asked_for() {
    let folder = folder();
    fs::write(folder.path().join("study.toml"), "mine").expect("a file");
    check_refused(folder.path(), &[], 2, &["study.toml is there already", "-o", "--force"]);
    assert_eq!(fs::read_to_string(folder.path().join("study.toml")).expect("still there"), "mine");
    let text = written(folder.path(), &["--force", "--quiet"], "study.toml");
    assert!(text.contains("data = \"data/claims.csv\""), "{text}");
}

#[test]
fn data_are_named_from_where_the_file_lies() {
    let folder = folder();
    fs::create_dir(folder.path().join("studies")).expect("a folder");
    let text =
        written(folder.path(), &["-o", "studies/night.toml", "--target", "night"], "studies/night.toml");
    assert!(text.contains("data = \"../data/claims.csv\""), "{text}");
    assert!(text.contains("night = { column = \"night\", positive = \"yes\" }"), "{text}");
}

#[test]
fn standard_output_takes_it_too() {
    let folder = folder();
    let printed = [&["--stdout"][..], &["-o", "-"]].map(|args| init(folder.path(), args).stdout);
    assert!(printed[0].starts_with(b"# A study:"));
    assert_eq!(printed[0], printed[1]);
    assert!(!folder.path().join("study.toml").exists());
    check_refused(folder.path(), &["--stdout", "-o", "x.toml"], 2, &["cannot be used with"]);
}

#[test]
fn what_cannot_be_studied_is_said() {
    let folder = folder();
    check_refused(folder.path(), &["--target", "frauds"], 2, &["did you mean \"fraud\"?"]);
    check_refused(folder.path(), &["--target", "lag"], 2, &["\"lag\" has 17 classes", "--positive"]);
    check_refused(folder.path(), &["--positive", "yes"], 2, &["--target"]);
    check_refused(
        folder.path(),
        &["--target", "fraud", "--positive", "maybe"],
        1,
        &["no row of column \"fraud\" is \"maybe\""],
    );
    assert!(!folder.path().join("study.toml").exists());
    fs::write(folder.path().join("data/claims.csv"), "x,z\n1,2\n2,3\n4,5\n").expect("a file");
    check_refused(folder.path(), &[], 2, &["no column has two values", "--target score"]);
}
