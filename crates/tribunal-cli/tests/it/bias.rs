//! `tribunal bias` as users run it: kept rows as they stand, and what is said about those left out.

use std::fs;
use std::process::{Command, Output};

/// The first column of a small table of Fan and Davidson's kind, with a class.
const TOY: &str = "x,y,note\n1,+,a\n1,-,b\n1,+,c\n2,-,d\n2,+,e\n2,-,f\n2,+,g\n3,-,h\n3,+,i\n3,-,j\n3,+,k\n1,-,l\n1,+,m\n3,-,\"n, o\"\n";

fn bias(csv: &str, args: &str) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("toy.csv"), csv).expect("a file");
    Command::new(env!("CARGO_BIN_EXE_tribunal"))
        .args(["bias", "toy.csv"])
        .args(args.split_whitespace())
        .current_dir(folder.path())
        .output()
        .expect("the command runs")
}

/// The lines that are kept, and what is said.
#[track_caller]
fn kept(csv: &str, args: &str) -> (String, String) {
    let output = bias(csv, args);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    (String::from_utf8(output.stdout).expect("text"), said)
}

#[test]
fn the_lowest_quarter_of_the_first_column_goes() {
    let (rows, said) = kept(TOY, "--kind feature --target y");
    let expected: String = TOY
        .lines()
        .enumerate()
        .filter(|(at, _)| ![1, 2, 3].contains(at))
        .map(|(_, line)| format!("{line}\n"))
        .collect();
    assert_eq!(rows, expected);
    for words in
        ["3 of 14 rows left out", "column \"x\", the first that is not the target", "50 %", "45.45 %"]
    {
        assert!(said.contains(words), "{said:?} does not say {words:?}");
    }
}

#[test]
fn sides_columns_and_fractions() {
    let check = |args: &str, n_kept: usize, lacks: &[&str]| {
        let (rows, _) = kept(TOY, args);
        assert_eq!(rows.lines().count(), n_kept + 1, "{args}");
        lacks.iter().for_each(|line| assert!(!rows.contains(line), "{args} kept {line}"));
    };
    check("--kind feature --side high", 11, &["3,-,\"n, o\"", "3,+,k", "3,-,j"]);
    check("--kind feature --column note --fraction 0.5", 7, &["1,+,a", "2,+,g"]);
    check("--kind class --class + --target y --fraction 0.5", 11, &[]);
    check("--kind complete --class + --target y", 12, &["1,+,a", "3,-,\"n, o\""]);
    check("--kind class --target x --positive >=3 --fraction 0.5", 12, &[]);
    check("--kind none --fraction 0.5", 7, &[]);
    check("--kind feature --fraction 0", 14, &[]);
}

#[test]
fn numbers_sort_by_value_and_missing_ones_go_last() {
    let csv = "x\n10\n9\nNA\n-1\n100\n";
    assert_eq!(kept(csv, "--kind feature --fraction 0.4").0, "x\n10\nNA\n100\n");
    let (rows, said) = kept(csv, "--kind feature --fraction 0.4 --side high");
    assert_eq!(rows, "x\n9\nNA\n-1\n");
    assert!(said.contains("A value is missing on 1 row"), "{said}");
    assert_eq!(kept(&csv.replace("NA", "?"), "--kind feature --fraction 0.4").0, "x\n10\n?\n100\n");
    // One value that is a word makes the column one of labels, which still go by value where they have one.
    assert_eq!(kept(&csv.replace("NA", "low"), "--kind feature --fraction 0.4").0, "x\n10\nlow\n100\n");
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    for kind in ["none", "feature-soft --beta 2", "class --class - --target y --fraction 0.5"] {
        let rows = |seed: u32| kept(TOY, &format!("--kind {kind} --seed {seed} -q")).0;
        assert_eq!(rows(3), rows(3), "{kind}");
        assert!((4..20).any(|seed| rows(seed) != rows(3)), "{kind}");
    }
}

#[test]
fn the_summary_as_json() {
    let (json, _) = kept(TOY, "--kind feature --column x --target y --format json");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        (&json["kind"], &json["n_dropped"], &json["n_rows"]),
        (&"feature".into(), &3.into(), &14.into())
    );
    assert_eq!(json["classes"][0]["class"], "+");
    assert_eq!(json["classes"][0]["n_before"], 7);
}

#[test]
fn bad_requests_get_clear_words() {
    let check = |args: &str, code: i32, says: &[&str]| {
        let output = bias(TOY, args);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{message}");
        says.iter().for_each(|words| assert!(message.contains(words), "{message:?} does not say {words:?}"));
        assert!(output.stdout.is_empty());
    };
    check("--kind featur", 2, &["`featur` is no kind of bias", "did you mean `feature`?"]);
    check("--kind feature --column z", 2, &["no column \"z\""]);
    check("--kind feature --fraction 1.5", 2, &["1.5 is no share"]);
    check("--kind feature --side left", 2, &["low or high"]);
    check("--kind none --fraction 1", 2, &["all 14 rows would be left out"]);
    check("--kind class --target y", 2, &["--class VALUE"]);
    check("--kind class --class plus --target y", 2, &["no class \"plus\"", "\"+\", \"-\""]);
    check("--kind none --target z", 2, &["no target column \"z\""]);
    check("--kind feature -o biased", 2, &["biased", ".csv"]);
}

#[test]
fn dates_are_sorted_by_the_calendar() {
    let days = ["15.03.2020", "01.12.2021", "02.01.2021", "31.12.2019"];
    let csv: String = days.iter().map(|day| format!("{day}\n")).collect();
    let (rows, said) = kept(&format!("day\n{csv}"), "--kind feature --column day --fraction 0.5");
    assert_eq!(rows, "day\n01.12.2021\n02.01.2021\n");
    assert!(said.contains("read as day, month, year"), "{said}");
    let output = bias("day\n1/2/2020\n3/4/2021\n", "--kind feature --column day");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains("row 1, column \"day\""), "{said}");
}
