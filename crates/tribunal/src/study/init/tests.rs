//! First study files of tables of many kinds: they are read back, and the data they name can be loaded.

use std::fmt::Write;
use std::path::Path;

use super::*;
use crate::claims::{ClaimsRequest, write_file};
use crate::data::load_data;
use crate::study::{StudyFile, read_study};
use tribunal_io::TableFormat;

/// The text for a table, or what is wrong.
fn init_in(folder: &Path, target: Option<(&str, Option<&str>)>) -> Result<String, String> {
    let path = folder.join("data.csv").to_string_lossy().into_owned();
    let target = target.map(|(name, rule)| TargetRequest {
        name: name.into(),
        positive: rule.map(|rule| rule.parse().expect("a rule")),
    });
    let options = InitOptions { target, folder: Some(folder.to_owned()) };
    let source = Source::open(&[&path]).map_err(|error| error.to_string())?;
    init_study(&source, &[path], &options, &|_| ())
        .map(|text| text.to_string())
        .map_err(|error| error.to_string())
}

/// The text of a table's study, the study read back, and whether its data load.
fn study_in(folder: &Path, target: Option<(&str, Option<&str>)>) -> (String, StudyFile) {
    let text = init_in(folder, target).expect("a text");
    let path = folder.join("study.toml");
    std::fs::write(&path, &text).expect("written");
    let study = read_study(&path).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let source = Source::open(&study.sources).expect("the data");
    load_data(&source, &study.request.data, &|_| ()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    (text, study)
}

fn folder_with(table: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("data.csv"), table).expect("written");
    folder
}

fn check(table: &str, target: Option<(&str, Option<&str>)>, says: &[&str]) -> StudyFile {
    let (text, study) = study_in(folder_with(table).path(), target);
    let missed = says.iter().find(|words| !text.contains(*words));
    assert_eq!(missed, None, "{text}");
    study
}

#[track_caller]
fn check_refused(table: &str, target: Option<(&str, Option<&str>)>, says: &str) {
    let error = init_in(folder_with(table).path(), target).expect_err("nothing to study");
    assert!(error.contains(says), "{error}");
}

/// Sixty claims of every kind of column, with a leak, an identifier, dates, sentences and a stray cell.
fn claims() -> String {
    let mut table = String::from("claim,age,lag,night,\"car make\",seen,paid,note,fraud\n");
    for row in 0..60_u32 {
        let fraud = row % 3 == 0;
        let age = if row == 7 { "forty".to_owned() } else { (18 + row * 7 % 45).to_string() };
        let night = if row % 5 == 0 { "yes" } else { "no" };
        let make = ["Fiat", "Opel", "Volvo"][(row * row / 7) as usize % 3];
        let paid = if fraud { 100 + row } else { row };
        let day = row % 28 + 1;
        let note = format!("the car was hit at the corner of street {row}");
        let fraud = if fraud { "yes" } else { "no" };
        writeln!(
            table,
            "C-{row:03},{age},{},{night},{make},2024-01-{day:02},{paid},{note},{fraud}",
            row * 11 % 17
        )
        .expect("written");
    }
    table
}

#[test]
fn a_table_becomes_a_study_that_says_what_it_guessed() {
    let study = check(
        &claims(),
        None,
        &[
            "data = \"data.csv\"",
            "fraud = { column = \"fraud\", positive = \"yes\" }\n",
            "\"fraud\" is a guess: its name sounds like an outcome. It could also be \"night\".",
            "\"yes\", the rarer class, is taken for positive: 20 of 60 rows (33.3 %)",
            "# \"claim\" names the row, like an identifier: learners leave it out\nclaim = \"ignore\"\n",
            "seen = \"ignore\"\n",
            "note = \"ignore\"\n",
            "line 9)\nage = \"ignore\"\n",
            "# SUSPECTED LEAKS",
            "# \"paid\" alone reaches an AUROC of 1.000: is it known before the outcome?\n# paid = \"ignore\"\n",
            "# lag = \"numeric\"                         # 0 to 16\n",
            "# night = \"flag\"                          # 2 values\n",
            "# \"car make\" = \"categorical\"              # 3 values\n",
        ],
    );
    let request = &study.request;
    let ignored: Vec<&String> = request.data.schema.columns.keys().collect();
    assert_eq!(ignored, ["age", "claim", "note", "seen"]);
    assert_eq!((request.title.as_str(), request.design.to_string().as_str()), ("data", "cv:10"));
    assert_eq!(request.data.targets, [TargetRequest { name: "fraud".into(), positive: None }]);
    assert_eq!(request.data.schema.targets["fraud"].positive, "yes".parse().expect("a rule"));
    assert_eq!(request.entrants.len(), 12);
}

#[test]
fn every_option_is_shown_with_its_default() {
    let folder = folder_with("x,y\n1,a\n2,b\n3,a\n5,a\n");
    let (text, study) = study_in(folder.path(), None);
    // With the remarks removed every option is set, and means the same.
    let is_form = |line: &&str| {
        ["COLUMN", "FILE", "FP:FN", "K/N", "VALUE", "RULE"].iter().any(|form| line.contains(form))
    };
    let shown = text.lines().filter(|line| !is_form(line));
    let is_option = |line: &str| {
        line.strip_prefix("# ")
            .and_then(|line| line.split_once(" = "))
            .is_some_and(|(key, _)| !key.contains([' ', '"']))
    };
    let set: Vec<&str> = shown
        .filter(|line| !line.contains("\"NAME\""))
        .map(|line| if is_option(line) { &line[2..] } else { line })
        .collect();
    let path = folder.path().join("set.toml");
    std::fs::write(&path, set.join("\n")).expect("written");
    let all_set = read_study(&path).unwrap_or_else(|error| panic!("{error}\n{}", set.join("\n")));
    let mut expected = study.request.clone();
    expected.data.schema.columns.insert("x".into(), "numeric".parse().expect("a kind"));
    expected.decision.decide_by = "auroc".parse().ok();
    assert_eq!(format!("{:?}", all_set.request), format!("{expected:?}"));
    assert!(set.iter().any(|line| line.starts_with("prefer = [")), "{set:?}");
}

#[test]
fn a_target_that_is_given_is_taken() {
    let table = "id,score,fraud\n1,0,no\n2,7,yes\n3,4,no\n4,1,no\n";
    let study = check(
        table,
        Some(("score", Some(">=4"))),
        &["positive = \">=4\"", ">=4 is positive: 2 of 4 rows (50.0 %)."],
    );
    assert_eq!(study.request.design.to_string(), "cv:2");
    assert_eq!(study.request.data.targets[0].name, "score");
    check_refused(table, Some(("score", None)), "\"score\" has 4 classes; say which is positive");
    check_refused(table, Some(("scroe", None)), "did you mean \"score\"?");
    check_refused(table, Some(("fraud", Some("maybe"))), "no row of column \"fraud\" is \"maybe\"");
}

#[test]
fn tables_without_a_target_are_refused() {
    check_refused("x,z\n1,2\n2,3\n3,5\n", None, "no column has two values");
    check_refused("x,fraud\n1,no\n2,no\n3,no\n", None, "no column has two values");
    check_refused("x,fraud\n1,no\n2,no\n3,no\n", Some(("fraud", None)), "\"no\" in every row");
}

#[test]
fn classes_that_look_like_rules_and_names_that_need_quotes_survive() {
    let mut table = String::from("x,\"net \"\"income\"\"\"\n");
    (0..30_u32).for_each(|row| {
        writeln!(table, "{},{}", row * 5 % 7, if row % 3 == 0 { ">50K" } else { "<=50K" }).expect("written")
    });
    let study = check(&table, None, &["positive = \"{>50K}\"", "it is the last column of two values"]);
    assert_eq!(study.request.data.targets[0].name, "net \"income\"");
    let table = table.replace(">50K", "\">50K, net\"");
    let study = check(&table, None, &["target = \"net \\\"income\\\"\"\n"]);
    assert!(study.request.data.schema.targets.is_empty());
}

#[test]
fn claims_become_the_study_of_2002() {
    let folder = tempfile::tempdir().expect("a folder");
    let request = ClaimsRequest { rows: 400, seed: 3 };
    write_file(&request, &folder.path().join("data.csv"), TableFormat::Csv, &|_| ()).expect("claims");
    let (_, study) = study_in(folder.path(), None);
    let targets: Vec<&str> = study.request.data.targets.iter().map(|target| target.name.as_str()).collect();
    assert_eq!(targets, ["1+", "4+", "7+", "vnl", "vop"]);
    assert_eq!(study.request.predictors, ["indicator", "extended"]);
    let (text, study) = study_in(folder.path(), Some(("score", Some(">=4"))));
    assert_eq!((study.request.data.targets.len(), study.request.data.schema.sets.len()), (1, 0), "{text}");
}

/// The years of the population are none of those that are labelled, nor are its channels; the population has no note.
#[test]
fn columns_that_say_nothing_about_the_population_are_left_out_of_a_selection() {
    let folder = tempfile::tempdir().expect("a folder");
    let row = |row: usize, year: usize, channel: &str, rest: &str| {
        format!("{year},{channel},{},{}{rest}\n", row % 7, row % 3)
    };
    let labelled: String = (0..60)
        .map(|n| row(n, 1994 + n % 2, ["post", "fax"][n % 2], if n % 4 == 0 { ",a,yes" } else { ",b,no" }))
        .collect();
    let population: String = (0..40).map(|n| row(n, 1996, ["web", "app"][n % 2], "")).collect();
    let write = |name: &str, head: &str, rows: &str| {
        let path = folder.path().join(name).to_string_lossy().into_owned();
        std::fs::write(&path, format!("{head}\n{rows}")).expect("a table");
        path
    };
    let train = write("old.csv", "year,channel,lag,claims,note,fraud", &labelled);
    let deploy = write("new.csv", "year,channel,lag,claims", &population);
    let target = TargetRequest { name: "fraud".into(), positive: Some("yes".parse().expect("a rule")) };
    let options = InitOptions { target: Some(target), folder: Some(folder.path().into()) };
    let source = Source::open(&[&train]).expect("a table");
    let text =
        init_selection(&source, &[train], &[deploy], &options, &|_| ()).expect("a selection").to_string();
    for column in ["year", "channel", "note"] {
        assert!(text.contains(&format!("\n{column} = \"ignore\"")), "{column}: {text}");
    }
    assert_eq!(text.matches("No row of the population has a value").count(), 2, "{text}");
    assert!(text.contains("# lag = ") && text.contains("# claims = "), "{text}");
}
