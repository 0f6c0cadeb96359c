//! `tribunal describe` as users meet it: tables that fit a terminal, notices that help, errors that say what to do.

use std::fmt::Write;
use std::fs;
use std::process::{Command, Output};

/// Runs `tribunal describe data.csv …` on a table.
fn describe(table: &str, args: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("data.csv"), table).expect("a file");
    fs::write(
        folder.path().join("schema.toml"),
        "missing = [\"unknown\"]\n[columns]\npaid = \"amount\"\nsize = \"ordered:small<medium<large\"\n\
         [targets]\nhigh = { column = \"score\", positive = \">=4\", whole = [0, 10] }\n",
    )
    .expect("a schema");
    Command::new(env!("CARGO_BIN_EXE_tribunal"))
        .args(["describe", "data.csv"])
        .args(args)
        .current_dir(folder.path())
        .output()
        .expect("the command runs")
}

fn text(table: &str, args: &[&str]) -> String {
    let output = describe(table, args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn json(table: &str, args: &[&str]) -> serde_json::Value {
    serde_json::from_str(&text(table, &[args, &["--format", "json"]].concat())).expect("JSON")
}

#[track_caller]
fn check_refused(table: &str, args: &[&str], code: i32, says: &[&str]) {
    let output = describe(table, args);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    for words in says {
        assert!(message.contains(words), "{message:?} does not say {words:?}");
    }
    assert!(output.stdout.is_empty());
}

/// Sixty claims of every kind of column, with a leak, an identifier, dates, strays and a constant.
fn claims() -> String {
    let mut table = String::from("claim,age,night,size,make,seen,country,paid,note,score,fraud\n");
    for row in 0..60_u32 {
        let fraud = row % 3 == 0;
        let age = match row {
            7 => "forty".to_owned(),
            8 => String::new(),
            _ => (18 + row * 7 % 45 + if fraud { 9 } else { 0 }).to_string(),
        };
        let size = ["less than 100", "100 to 500", "more than 500"][row as usize / 2 % 3];
        let make = ["Fiat", "Opel", "Volvo", "Škoda"][(row * row / 7) as usize % 4];
        let paid = if fraud { (100 + row * 13).to_string() } else { String::new() };
        writeln!(
            table,
            "C-{row:03},{age},{},{size},{make},2024-01-{:02},IT,{paid},the car was hit at the corner of street {row},{},{}",
            if row % 5 == 0 { "yes" } else { "no" },
            row % 28 + 1,
            if fraud { 4 + row % 7 } else { row % 4 },
            if fraud { "yes" } else { "no" },
        )
        .expect("written");
    }
    table
}

#[test]
fn a_table_is_described_in_eighty_columns() {
    let text = text(&claims(), &["--target", "fraud"]);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn json_holds_every_figure() {
    let description = json(&claims(), &["--target", "score", "--positive", ">=4", "--kind", "country=id"]);
    assert_eq!(description["schema"], "tribunal.description/2");
    assert_eq!(description["rows"], 60);
    assert_eq!(description["targets"][0]["base_rate"], 20.0 / 60.0);
    assert_eq!(description["targets"][0]["guessed"], false);
    let columns = description["columns"].as_array().expect("columns");
    let kinds: Vec<String> =
        columns.iter().map(|c| format!("{}/{}", c["kind"], c["role"]).replace('"', "")).collect();
    assert_eq!(
        kinds,
        [
            "categorical/id",
            "numeric/predictor",
            "flag/predictor",
            "ordered/predictor",
            "categorical/predictor",
            "categorical/ignore",
            "categorical/id",
            "numeric/predictor",
            "categorical/ignore",
            "flag/predictor"
        ]
    );
    assert_eq!(columns[1]["missing"], 2);
    assert_eq!(columns[9]["alone"][0]["auroc"], 1.0);
    let about: Vec<&str> = description["notices"]
        .as_array()
        .expect("notices")
        .iter()
        .filter_map(|n| n["about"].as_str())
        .collect();
    assert_eq!(about, ["leak", "leak", "nearly-numeric", "identifier", "dates", "free-text"]);
    let stray = description["notices"][2]["text"].as_str().expect("a text");
    assert!(stray.contains("\"forty\" (data.csv, line 9)"), "{stray}");
}

#[test]
fn several_classes_name_the_one_that_is_told_best() {
    let description = json(&claims(), &["--target", "make"]);
    assert_eq!(description["targets"][0]["classes"].as_array().map(Vec::len), Some(4));
    assert_eq!(description["targets"][0]["base_rate"], serde_json::Value::Null);
    assert!(description["columns"][1]["alone"][0]["class"].is_string());
}

#[test]
fn every_form_is_written() {
    for (format, begins) in
        [("csv", "column,kind,role,missing"), ("markdown", "# data.csv"), ("latex", "\\documentclass")]
    {
        let text = text(&claims(), &["--target", "fraud", "--format", format]);
        assert!(text.starts_with(begins), "{text}");
        assert!(!text.contains('█') && !text.contains('↑'), "{format}");
    }
}

#[test]
fn a_schema_says_what_the_file_does_not() {
    let table = "size,paid,score\nsmall,10,0\nlarge,20,7\nunknown,30,4\nmedium,40,1\n";
    let description = json(table, &["--schema", "schema.toml", "--target", "high"]);
    assert_eq!(description["columns"][0]["kind"], "ordered");
    assert_eq!(description["columns"][0]["missing"], 1);
    assert_eq!(description["columns"][0]["levels"][2]["level"], "large");
    assert_eq!(description["columns"][1]["role"], "amount");
    assert_eq!(description["targets"][0]["classes"][1]["rows"], 2);
    check_refused(
        "size,paid,score\nhuge,1,2\nsmall,1,7\n",
        &["--schema", "schema.toml"],
        1,
        &["column \"size\": \"huge\", in 1 row, is not among the declared values", "small, medium, large"],
    );
    check_refused(
        "size,paid,score\nsmall,1,12\nsmall,1,3\n",
        &["--schema", "schema.toml", "--target", "high"],
        1,
        &["\"12\" in \"score\" is not a whole number from 0 to 10"],
    );
    check_refused("size\nsmall\n", &["--schema", "schema.toml"], 2, &["declares a column \"paid\""]);
    check_refused(
        "size\nsmall\n",
        &["--schema", "none.toml"],
        2,
        &["none.toml", "`claims` for the built-in one"],
    );
}

#[test]
fn targets_that_cannot_be() {
    check_refused(
        &claims(),
        &["--target", "frauds"],
        2,
        &["no target column \"frauds\"", "did you mean \"fraud\"?"],
    );
    check_refused(
        &claims(),
        &["--target", "score", "--positive", ">=40"],
        1,
        &["no row of \"score\" is >=40", "it holds \"4\" ("],
    );
    check_refused(
        &claims(),
        &["--target", "score", "--positive", "<40"],
        1,
        &["every row of \"score\" is <40"],
    );
    check_refused(
        &claims(),
        &["--target", "fraud", "--positive", "maybe"],
        1,
        &["no row of column \"fraud\" is \"maybe\"", "\"yes\" (20 rows)"],
    );
    check_refused(
        &claims(),
        &["--target", "fraud", "--positive", ">"],
        2,
        &["does not say what is positive"],
    );
    check_refused(
        &claims(),
        &["--target", "fraud", "--positive", ">=1"],
        1,
        &["\"yes\" in \"fraud\" is not a number", "name the positive class"],
    );
    check_refused(&claims(), &["--target", "country"], 1, &["\"IT\" in every row"]);
    check_refused(
        &claims(),
        &["--kind", "age=nominal"],
        2,
        &["is not a kind of column", "ordered:low<mid<high"],
    );
}

#[test]
fn tables_that_are_hardly_any() {
    check_refused("", &[], 1, &["empty"]);
    check_refused("a,b\n", &[], 1, &["not one row"]);
    check_refused("a,a\n1,2\n", &[], 2, &["columns 1 and 2 are both named"]);
    let one = text("a\n1\n", &[]);
    assert!(one.contains("1 row and 1 column"), "{one}");
    let empty = text("a,b\n,1\n,2\n", &[]);
    assert!(empty.contains("\"a\" is missing in every row"), "{empty}");
}

#[test]
fn a_hundred_thousand_levels_are_counted_not_shown() {
    let mut table = String::from("code,y\n");
    for row in 0..200_000_u32 {
        writeln!(table, "L{},{}", row % 100_000, u8::from(row % 7 == 0)).expect("written");
    }
    let text = text(&table, &["--target", "y"]);
    assert!(text.contains("100,000 levels"), "{text}");
    assert!(text.contains("group them before training"), "{text}");
}

#[test]
fn numbers_with_a_late_text_and_texts_with_late_numbers_are_told_apart() {
    let mut table = String::from("x,z\n");
    for row in 0..3000_u32 {
        let x = if row == 2500 { "n.v.".to_owned() } else { row.to_string() };
        let z = if row < 200 { "1".to_owned() } else { format!("level {}", row % 5) };
        writeln!(table, "{x},{z}").expect("written");
    }
    let description = json(&table, &[]);
    assert_eq!(description["columns"][0]["kind"], "numeric");
    assert_eq!(description["columns"][1]["kind"], "categorical");
    let stray = description["notices"].to_string();
    assert!(stray.contains("data.csv, line 2502"), "{stray}");
}

#[test]
fn targets_stand_side_by_side() {
    let text = text(&claims(), &["--target", "fraud,night"]);
    assert!(text.contains("values        fraud  night"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let description = json(&claims(), &["--target", "fraud,night"]);
    assert_eq!(description["columns"][1]["alone"].as_array().map(Vec::len), Some(2));
}

#[test]
fn dates_are_described_by_their_range() {
    let table = |form: fn(u32) -> String| {
        (0..30).fold("day,y\n".to_owned(), |table, row| format!("{table}{},{}\n", form(row), row % 2))
    };
    let points = table(|row| format!("{:02}.{:02}.{}", row % 28 + 1, 12 - row % 12, 2019 + row % 4));
    let shown = text(&points, &["--target", "y"]);
    assert!(shown.contains("2019-") && shown.contains("…2022-"), "{shown}");
    let column = &json(&points, &["--target", "y"])["columns"][0];
    assert_eq!(column["dates"]["reading"]["order"], "dmy");
    assert!(column["dates"]["first"].as_str().is_some_and(|first| first.starts_with("2019-")));
    let slashes = table(|row| format!("{}/{}/{}", row % 12 + 1, row % 11 + 1, 2019 + row % 4));
    let notices = json(&slashes, &["--target", "y"])["notices"].to_string();
    assert!(notices.contains("cannot be put in order"), "{notices}");
}
