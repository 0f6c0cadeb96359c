//! `tribunal split` as users run it: tables with folds appended, and what is said about them.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

/// Twelve claims, four of them fraud, of six garages.
const CLAIMS: &str = "claim;fraud;garage;month\n\
    1;no;a;1\n2;yes;a;1\n3;no;b;2\n4;no;b;2\n5;yes;c;3\n6;no;c;3\n\
    7;no;d;4\n8;yes;d;4\n9;no;e;5\n10;yes;e;5\n11;no;f;6\n\"12\";no;f;6\n";

struct Run {
    folder: tempfile::TempDir,
    output: Output,
}

/// Runs `tribunal split` in a folder that holds the claims.
fn split(csv: &str, args: &str) -> Run {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("claims.csv"), csv).expect("a file");
    again(folder, args)
}

fn again(folder: tempfile::TempDir, args: &str) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_tribunal"))
        .arg("split")
        .args(args.split_whitespace())
        .current_dir(folder.path())
        .output()
        .expect("the command runs");
    Run { folder, output }
}

impl Run {
    #[track_caller]
    fn stdout(&self) -> String {
        assert!(self.output.status.success(), "{}", self.stderr());
        String::from_utf8(self.output.stdout.clone()).expect("text")
    }

    fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout()).expect("JSON on standard output")
    }

    #[track_caller]
    fn fails(&self, code: i32, says: &[&str]) {
        let message = self.stderr();
        assert_eq!(self.output.status.code(), Some(code), "{message}");
        says.iter().for_each(|words| assert!(message.contains(words), "{message:?} does not say {words:?}"));
        assert!(self.output.stdout.is_empty(), "something was written");
    }
}

/// The last field of each line below the header.
fn last_fields(csv: &str) -> Vec<&str> {
    csv.lines().skip(1).map(|line| line.rsplit(';').next().unwrap_or_default()).collect()
}

#[test]
fn rows_are_kept_byte_for_byte_and_the_fold_is_appended() {
    let run = split(CLAIMS, "claims.csv --design cv:4 --target fraud --seed 42");
    let csv = run.stdout();
    assert_eq!(csv.lines().next(), Some("claim;fraud;garage;month;fold"));
    for (line, original) in csv.lines().zip(CLAIMS.lines()) {
        assert!(line.starts_with(original), "{line}");
    }
    assert_eq!(last_fields(&csv), ["3", "0", "1", "2", "1", "3", "1", "2", "0", "3", "2", "0"]);
    let said = run.stderr();
    assert!(said.contains("cv:4 over 12 rows") && said.contains("fold  rows  no  yes"), "{said}");
}

#[test]
fn the_summary_as_json_has_the_hash_and_every_fold() {
    let run = split(CLAIMS, "claims.csv --design cv:4 --target fraud --seed 42 --format json -o folded.csv");
    let plan = run.json();
    assert_eq!(plan["schema"], "tribunal.split/1");
    assert_eq!((&plan["design"], &plan["seed"], &plan["n_rows"]), (&"cv:4".into(), &42.into(), &12.into()));
    assert_eq!(plan["hash"].as_str().expect("a hash").len(), 64);
    let parts = plan["parts"].as_array().expect("folds");
    assert_eq!(parts.len(), 4);
    assert_eq!(parts[0]["n_rows"], 3);
    assert_eq!(
        parts[0]["classes"],
        serde_json::json!([{"class": "no", "n_rows": 2}, {"class": "yes", "n_rows": 1}])
    );
    assert!(run.folder.path().join("folded.csv").exists());
}

#[test]
fn folds_come_back_from_the_column() {
    let first =
        split(CLAIMS, "claims.csv --design cv:4 --target fraud --seed 42 --format json -o folded.csv");
    let written = first.json();
    let second =
        again(first.folder, "folded.csv --design folds:fold --target fraud --name other --format json");
    let read = second.json();
    assert_eq!((&written["hash"], &written["parts"]), (&read["hash"], &read["parts"]));
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let table = |seed: u32| {
        split(CLAIMS, &format!("claims.csv --design cv:3x2 --target fraud --seed {seed}")).stdout()
    };
    assert_eq!(table(5), table(5));
    assert_ne!(table(5), table(6));
    assert!(table(5).starts_with("claim;fraud;garage;month;fold_1;fold_2\n"));
}

#[test]
fn parts_and_draws_have_their_columns() {
    let check = |design: &str, last: &str, labels: &[&str]| {
        let csv = split(CLAIMS, &format!("claims.csv --design {design} --target fraud -q")).stdout();
        assert!(csv.lines().next().is_some_and(|header| header.ends_with(last)), "{csv}");
        assert!(last_fields(&csv).iter().all(|field| labels.contains(field)), "{csv}");
    };
    check("holdout", ";part", &["train", "test"]);
    check("three-way", ";part", &["train", "validation", "test"]);
    check("time:month:4", ";part", &["train", "test"]);
    check("bootstrap:50", ";draws_50", &["0", "1", "2", "3", "4", "5", "6", "7"]);
    let csv = split(CLAIMS, "claims.csv --design loo -q").stdout();
    assert!(last_fields(&csv).into_iter().map(str::to_owned).eq((0..12).map(|row: u32| row.to_string())));
}

#[test]
fn groups_stay_together() {
    let csv = split(CLAIMS, "claims.csv --design cv:3 --group garage --target fraud -q").stdout();
    let folds = last_fields(&csv);
    assert!(folds.chunks(2).all(|pair| pair[0] == pair[1]), "{folds:?}");
    let torn = "claim,fold,garage\n1,0,a\n2,1,a\n3,0,b\n";
    let run = split(torn, "claims.csv --design folds:fold --group garage --name other");
    run.fails(1, &["group \"a\"", "fold \"0\"", "fold \"1\"", "group:K:garage"]);
}

#[test]
fn other_formats_come_back_the_same() {
    let first = split(CLAIMS, "claims.csv --design cv:4 --target fraud --format json -o folded.parquet");
    let written = first.json();
    let second = again(first.folder, "folded.parquet --design folds:fold --name other --format json");
    assert_eq!(written["hash"], second.json()["hash"]);
}

#[test]
fn nothing_is_said_when_quiet() {
    let run = split(CLAIMS, "claims.csv --design cv:3 --target fraud -q -o folded.csv");
    assert_eq!((run.stdout(), run.stderr()), (String::new(), String::new()));
}

#[test]
fn what_cannot_be_divided_gets_clear_words() {
    let check =
        |args: &str, code: i32, says: &[&str]| split(CLAIMS, &format!("claims.csv {args}")).fails(code, says);
    check("--target fruad", 2, &["no target column \"fruad\"", "did you mean \"fraud\"?"]);
    check("--design cv:13 --target fraud", 2, &["13 folds are more than the 12 rows", "at most 12"]);
    check("--design vc:10", 2, &["`vc:10` is no design", "did you mean `cv:10`?", "holdout"]);
    check("--design folds:fold", 2, &["no column \"fold\""]);
    check("--design holdout:0.99", 2, &["the test part of 12 rows"]);
    check("--design cv:5x2 --group garage", 2, &["cannot keep the groups"]);
    check("--design cv:7 --group garage", 2, &["6 groups for 7 folds"]);
    check("--design cv:3 --name month", 2, &["column \"month\" already", "--name"]);
    check("--design cv:3 -o folded.xlsx", 2, &["folded.xlsx", ".parquet"]);
    check("--design cv:3 -o no/such/folded.csv", 1, &["no/such/folded.csv"]);
    split("fraud\nyes\n", "claims.csv --design cv:2").fails(1, &["only one row"]);
    split("f,y\na,1\na,2\n", "claims.csv --design folds:f").fails(1, &["one fold only (\"a\")"]);
    split("f,y\na,1\n,2\n", "claims.csv --design folds:f")
        .fails(1, &["claims.csv, line 3", "column \"f\"", "missing"]);
}

#[test]
fn many_folds_are_told_by_their_extremes() {
    let check = |design: &str, words: &str| {
        let said = split(CLAIMS, &format!("claims.csv --design {design} --target fraud")).stderr();
        assert!(said.contains(words), "{said}");
    };
    check("cv:4x7", "fold: 3 rows, 2 of \"no\", 1 of \"yes\"");
    check("holdout:0.5x13", "train: 6 rows, 4 of \"no\", 2 of \"yes\"; test: 6 rows");
    check("bootstrap:50", "left out: ");
}

#[test]
fn small_classes_and_missing_targets_are_warned_of() {
    let said = split(CLAIMS, "claims.csv --design cv:6 --target fraud").stderr();
    assert!(said.contains("warning: class \"yes\" has 4 rows for 6 folds"), "{said}");
    let said = split(CLAIMS, "claims.csv --design cv:6").stderr();
    assert!(said.contains("no classes were given"), "{said}");
}

#[test]
fn targets_are_made_by_a_rule_or_named_by_a_schema() {
    let scored = "claim,score\n1,0\n2,4\n3,2\n4,9\n5,1\n6,5\n7,0\n8,7\n";
    let by_rule =
        split(scored, "claims.csv --design cv:2 --target score --positive >=4 --format json").json();
    let classes: Vec<&str> =
        by_rule["classes"].as_array().into_iter().flatten().filter_map(|c| c["class"].as_str()).collect();
    assert_eq!(classes, ["not >=4", ">=4"], "{by_rule}");
    let nothing = split(scored, "claims.csv --design cv:2 --target score --positive >=40");
    nothing.fails(1, &["no row of \"score\" is >=40"]);

    let folder = tempfile::tempdir().expect("a folder");
    let made = Command::new(env!("CARGO_BIN_EXE_tribunal"))
        .args(["generate", "claims", "--quiet", "-o", "claims.csv"])
        .current_dir(folder.path())
        .status();
    assert!(made.expect("the command runs").success());
    let plan = again(folder, "claims.csv --schema claims --target 4+ --seed 7 --format json").json();
    let positives: Vec<u64> = plan["parts"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|part| part["classes"][1]["rows"].as_u64().or(part["classes"][1]["n_rows"].as_u64()))
        .collect();
    assert_eq!(positives, [39, 39, 39, 40, 40, 40, 40, 40, 40, 39], "{plan}");
}

/// Claims of three years, one a fortnight, with their days written in some form.
fn dated(form: impl Fn(u32, u32, u32) -> String) -> String {
    let mut csv = String::from("claim;fraud;day\n");
    for number in 0..72_u32 {
        // Months in an order of their own, so that neither rows nor letters stand in the order of time.
        let (year, month, day) = (2021 + number % 3, number / 3 % 12 + 1, 1 + number / 36 * 20 + number % 5);
        csv +=
            &format!("{number};{};{}\n", ["no", "yes"][(number % 7 == 0) as usize], form(year, month, day));
    }
    csv
}

#[test]
fn dates_of_every_form_are_divided_by_the_calendar() {
    let check = |form: &dyn Fn(u32, u32, u32) -> String, cut: &str| {
        let csv = dated(form);
        let run = split(&csv, &format!("claims.csv --design time:day:{cut} --target fraud"));
        let out = run.stdout();
        for (line, number) in out.lines().skip(1).zip(0..) {
            let part = if number % 3 == 2 { "test" } else { "train" };
            assert!(line.ends_with(part), "{line} at {cut}");
        }
        let said = run.stderr().split_whitespace().collect::<Vec<_>>().join(" ");
        for words in ["2021-01-0", "2022-12-2", "2023-01-0", "2023-12-2"] {
            assert!(said.contains(words), "{said} does not say {words}");
        }
        said
    };
    check(&|y, m, d| format!("{y}-{m:02}-{d:02}"), "2022-12-31");
    let said = check(&|y, m, d| format!("{d:02}.{m:02}.{y}"), "31.12.2022");
    assert!(
        said.contains("read as day, month, year, because \"2") && said.contains("no other reading"),
        "{said}"
    );
    let said = check(&|y, m, d| format!("{m}/{d}/{y}"), "12/31/2022");
    assert!(said.contains("read as month, day, year"), "{said}");
    check(&|y, m, d| format!("{d}/{m}/{y}"), "2022-12-31");
    let said = check(&|y, m, d| format!("{d:02}.{m:02}.{}", y % 100), "2022-12-31");
    assert!(said.contains("years of two digits from 1969 to 2068"), "{said}");
    check(&|y, m, d| format!("{y}{m:02}{d:02}"), "2022-12-31");
}

#[test]
fn the_spans_of_parts_are_told_to_programs() {
    let csv = dated(|y, m, d| format!("{d:02}.{m:02}.{y}"));
    let json = split(&csv, "claims.csv --design time:day:31.12.2022 --format json").json();
    assert_eq!(json["time"]["dates"]["order"], "dmy");
    assert_eq!(json["time"]["dates"]["by"], "value");
    assert_eq!(json["time"]["parts"][0]["part"], "train");
    assert_eq!(json["time"]["parts"][0]["from"], "2021-01-01");
    assert!(json["time"]["parts"][1]["from"].as_str().is_some_and(|from| from.starts_with("2023-01-0")));
}

#[test]
fn dates_that_cannot_be_read_are_refused_with_row_and_value() {
    let check = |days: [&str; 3], design: &str, says: &[&str]| {
        let rows: String = days.iter().zip(1..).map(|(day, claim)| format!("{claim};{day}\n")).collect();
        split(&format!("claim;day\n{rows}"), &format!("claims.csv --design {design}")).fails(1, says);
    };
    check(
        ["Jan", "Feb", "Mar"],
        "time:day:Feb",
        &["row 1, column \"day\": \"Jan\" is no date", "2024-01-31"],
    );
    check(
        ["1.2.2024", "30.2.2024", "3.2.2024"],
        "time:day:1.2.2024",
        &["row 2", "\"30.2.2024\"", "calendar"],
    );
    check(["1.2.2024", "3.2.2024", "2024-02-04"], "time:day:1.2.2024", &["row 3", "another form"]);
    check(["1.2.2024", "", "3.2.2024"], "time:day:1.2.2024", &["line 3", "\"day\"", "missing"]);
    check(["1/2/2024", "3/2/2024", "4/2/2024"], "time:day:2024-02-03", &["time:day:2024-02-03:dmy"]);
    let declared = "claims.csv --design time:day:2024-02-03:dmy";
    let run = split("claim;day\n1;1/2/2024\n2;3/2/2024\n3;4/2/2024\n", declared);
    assert_eq!(last_fields(&run.stdout()), ["train", "train", "test"]);
}
