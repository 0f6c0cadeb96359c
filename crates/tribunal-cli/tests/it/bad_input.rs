//! What users meet when something is wrong: a clear message, the right exit code, nothing half-written.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const GOOD: &str =
    "id,y,s,t,w,a,f\n1,yes,0.9,0.8,1,100,a\n2,no,0.2,0.3,1,0,a\n3,yes,0.7,0.4,2,50,b\n4,no,0.4,0.6,1,0,b\n";

/// Runs `tribunal evaluate` in a folder that holds the given files.
fn evaluate(files: &[(&str, &[u8])], args: &str) -> (Output, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in files {
        fs::write(folder.path().join(name), content).expect("a file");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_tribunal"))
        .arg("evaluate")
        .args(args.split_whitespace())
        .current_dir(folder.path())
        .output()
        .expect("the command runs");
    (output, folder)
}

/// The command must fail with this code and say all of this on standard error, and write nothing.
#[track_caller]
fn check(files: &[(&str, &[u8])], args: &str, code: i32, says: &[&str]) {
    let (output, folder) = evaluate(files, &format!("{args} -o out.txt"));
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    for words in says {
        assert!(message.contains(words), "{message:?} does not say {words:?}");
    }
    assert!(output.stdout.is_empty() && !folder.path().join("out.txt").exists(), "something was written");
    let left: Vec<_> = fs::read_dir(folder.path()).expect("a folder").collect();
    assert_eq!(left.len(), files.len(), "a file was left behind");
}

/// A CSV file in which one thing is wrong.
#[track_caller]
fn check_csv(csv: &str, args: &str, code: i32, says: &[&str]) {
    check(
        &[("s.csv", csv.as_bytes())],
        &format!("s.csv --truth y --positive yes --score s {args}"),
        code,
        says,
    );
}

#[test]
fn decimals_with_a_comma_are_told() {
    check_csv(GOOD, "--margin 0,01", 2, &["`0,01` has a comma; write 0.01"]);
    check_csv(GOOD, "--rule donation:0,68", 2, &["`0,68` has a comma; write 0.68"]);
    check_csv(GOOD, "--cost-action 0,68", 2, &["write decimals with a point", "position 2"]);
    check_csv(GOOD, "--base-rate 1,5%", 2, &["decimals are written with a point"]);
}

#[test]
fn files_that_are_not_there() {
    check(&[("scores.csv", b"y,s\n")], "score.csv --truth y --score s", 2, &["score.csv", "scores.csv"]);
    check(&[], ". --truth y --score s", 2, &["director"]);
    check(&[], "*.parquet --truth y --score s", 2, &["*.parquet"]);
}

#[test]
fn files_without_rows() {
    check(&[("s.csv", b"")], "s.csv --truth y --positive yes --score s", 1, &["s.csv", "empty"]);
    check_csv("y,s\n", "", 1, &["s.csv", "not one row"]);
}

#[test]
fn unknown_columns_name_the_nearest() {
    check(
        &[("s.csv", GOOD.as_bytes())],
        "s.csv --truth y --positive yes --score ss",
        2,
        &["no column \"ss\"", "id, y, s, t, w, a, f"],
    );
    check(
        &[("s.csv", b"fraud,score\nyes,1\n")],
        "s.csv --truth fruad --positive yes --score score",
        2,
        &["did you mean", "fraud"],
    );
}

#[test]
fn scores_that_are_no_numbers() {
    check_csv("y,s\nyes,0.5\nno,high\n", "", 1, &["s.csv, line 3", "column \"s\"", "high", "not a number"]);
    check_csv("y,s\nyes,0.5\nno,NaN\n", "", 1, &["s.csv, line 3", "column \"s\"", "NaN", "finite"]);
    check_csv("y,s\nyes,inf\nno,0.5\n", "", 1, &["s.csv, line 2", "column \"s\"", "inf", "finite"]);
    check_csv("y,s\nyes,\nno,0.5\n", "", 1, &["s.csv, line 2", "column \"s\"", "missing"]);
    check_csv("y;s\nyes;0,5\nno;0,7\n", "", 1, &["line 2", "0,5", "0.5"]);
}

#[test]
fn labels_outside_two_classes() {
    check_csv(
        "y,s\nyes,1\nno,0\nmaybe,0.5\n",
        "",
        1,
        &["s.csv, line 4", "maybe", "third class", "--rest-is-negative"],
    );
    check_csv("y,s\nyes,1\n,0\n", "", 1, &["s.csv, line 3", "column \"y\"", "missing"]);
    let (output, _folder) = evaluate(
        &[("s.csv", b"y,s\nyes,1\nno,0\nmaybe,0.5\n")],
        "s.csv --truth y --positive yes --score s --rest-is-negative",
    );
    assert!(output.status.success());
}

#[test]
fn a_positive_class_must_be_named() {
    check(
        &[("s.csv", GOOD.as_bytes())],
        "s.csv --truth y --score s",
        2,
        &["\"yes\" (2 rows)", "\"no\" (2 rows)", "--positive"],
    );
}

#[test]
fn weights() {
    let with = |weight: &str| GOOD.replace("0.4,2,50", &format!("0.4,{weight},50"));
    check_csv(&with("-1"), "--weight w", 1, &["s.csv, line 4", "column \"w\"", "-1", "negative"]);
    check_csv(&with("NaN"), "--weight w", 1, &["s.csv, line 4", "column \"w\""]);
    check_csv("y,s,w\nyes,1,0\nno,0,0\n", "--weight w", 1, &["every weight is zero"]);
}

#[test]
fn amounts() {
    let with = |amount: &str| GOOD.replace("0.4,2,50", &format!("0.4,2,{amount}"));
    check_csv(&with("lots"), "--amount a", 1, &["s.csv, line 4", "column \"a\"", "lots"]);
    check_csv(&with(""), "--amount a", 1, &["s.csv, line 4", "column \"a\"", "missing"]);
    check_csv(&with("inf"), "--amount a", 1, &["s.csv, line 4", "column \"a\"", "inf"]);
    check_csv(&with("NaN"), "--amount a --predicted-amount w", 1, &["s.csv, line 4", "NaN", "finite"]);
    check_csv(GOOD, "--predicted-amount w", 2, &["--amount"]);
}

#[test]
fn damaged_files() {
    check_csv("y,s\nyes,1\nno,0,7\n", "", 1, &["s.csv, line 3", "2", "3"]);
    check(
        &[("s.csv", b"y,s\nyes,1\nn\xff\xfeo,0\n")],
        "s.csv --truth y --positive yes --score s",
        1,
        &["s.csv, line 3", "UTF-8"],
    );
    check(
        &[("s.parquet", b"PAR1 and then the disk was full")],
        "s.parquet --truth y --positive yes --score s",
        1,
        &["s.parquet"],
    );
    check_csv("y,s\nyes,\"1\nno,0\n", "", 1, &["s.csv", "quote"]);
}

#[test]
fn models_with_different_rows() {
    let long = |rows: &str| format!("id,y,s,m\n{rows}");
    let args = "--model m --id id";
    check_csv(
        &long("1,yes,0.9,A\n2,no,0.1,A\n1,yes,0.8,B\n3,no,0.2,B\n"),
        args,
        1,
        &["different rows", "\"2\"", "\"A\"", "\"B\""],
    );
    check_csv(&long("1,yes,0.9,A\n1,yes,0.1,A\n"), args, 1, &["s.csv, line 3", "\"1\"", "second time"]);
    check_csv(&long("1,yes,0.9,A\n2,no,0.1,A\n1,no,0.8,B\n2,no,0.2,B\n"), args, 1, &["truth of case \"1\""]);
    check_csv(&long("1,yes,0.9,A\n2,no,0.1,A\n1,yes,0.8,B\n"), "--model m", 1, &["different rows", "--id"]);
    check_csv(
        &GOOD.replace("4,no,0.4", "3,no,0.4"),
        "--id id",
        1,
        &["s.csv, line 5", "\"3\"", "second time"],
    );
}

#[test]
fn impossible_requests() {
    check_csv(GOOD, "--metrics aurok", 2, &["aurok", "auroc"]);
    check_csv(GOOD, "--metrics lift@2", 2, &["lift@P", "at most 1"]);
    check_csv(GOOD, "--threshold yuoden", 2, &["youden"]);
    check_csv(GOOD, "--at 200%", 2, &["200%"]);
    check_csv(GOOD, "--format yaml", 2, &["yaml", "markdown"]);
    check_csv(GOOD, "--benefit-tp amount", 2, &["--amount"]);
    check_csv(GOOD, "--score y", 2, &["both the truth and a score"]);
}

#[test]
fn ids_in_the_place_of_folds_or_models() {
    let rows: String =
        (0..3000).map(|row| format!("{},0.{row},{row}\n", if row % 2 == 0 { "yes" } else { "no" })).collect();
    let csv = format!("y,s,id\n{rows}");
    check_csv(&csv, "--fold id", 2, &["column \"id\"", "1000 folds"]);
    check_csv(&csv, "--model id", 2, &["column \"id\"", "1000 models"]);
}

#[test]
fn an_output_that_cannot_be_written() {
    let (output, _folder) = evaluate(
        &[("s.csv", GOOD.as_bytes())],
        "s.csv --truth y --positive yes --score s -o no/such/folder/out.txt",
    );
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && message.contains("no/such/folder"), "{message}");
    assert!(!Path::new("no").exists());
}

#[test]
fn one_class_cannot_be_judged() {
    check_csv("y,s\nno,0.1\nno,0.7\n", "", 1, &["no row of column \"y\" is \"yes\"", "with one class only"]);
    check_csv(
        "y,s\nyes,0.1\nyes,0.7\n",
        "",
        1,
        &["every row of column \"y\" is \"yes\"", "with one class only"],
    );
}
