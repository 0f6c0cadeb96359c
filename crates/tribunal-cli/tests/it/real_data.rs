//! Real tables are described without a remark that a person would find silly.
//!
//! Iris and wine are part of this repository, the others are not: where a folder of them lies beside it (`shared_data`), each
//! is described and what is remarked must be what a person would remark.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use crate::shared_data::shared_table;
use serde_json::Value;

/// A table, its target, what is positive, and the remarks: subject and column.
type Case = (&'static str, &'static str, Option<&'static str>, &'static [&'static str]);

const CASES: &[Case] = &[
    ("audit.csv", "Adjusted", None, &["leak Adjustment", "identifier ID"]),
    ("bank_full.csv", "y", None, &[]),
    ("breast_wisconsin_original.csv", "Class", None, &["identifier Sample_code_number"]),
    ("caravan_ticdata.csv", "CARAVAN", None, &[]),
    ("carclaims.csv", "FraudFound_P", None, &["identifier PolicyNumber", "zeros Age"]),
    ("creditcard_sample.csv", "Class", None, &[]),
    ("donor_kdd98_subset.csv", "Donate", None, &["leak Donation.Amount", "identifier ID"]),
    ("german_credit.csv", "class", None, &[]),
    ("iris.csv", "class", None, &[]),
    ("newsgroups_bydate.csv.gz", "newsgroup", None, &["identifier doc_id", "free-text text"]),
    ("newsgroups_pairs/auto_space.csv", "newsgroup", None, &["identifier doc_id"]),
    ("newsgroups_pairs/mac_hardware.csv", "newsgroup", None, &["identifier doc_id"]),
    (
        "pima.csv",
        "class",
        None,
        &["zeros glucose", "zeros blood_pressure", "zeros skin_thickness", "zeros bmi"],
    ),
    ("vote.csv", "Class", None, &[]),
    ("wine.csv", "class", None, &[]),
    ("winequality_white.csv", "quality", Some(">=7"), &["repeated-rows "]),
];

fn remarks(file: &Path, target: &str, positive: Option<&str>) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
    command.arg("describe").arg(file).args(["--target", target, "--format", "json"]);
    command.args(positive.iter().flat_map(|rule| ["--positive", rule]));
    let output = command.output().expect("the command runs");
    assert!(output.status.success(), "{}: {}", file.display(), String::from_utf8_lossy(&output.stderr));
    let description: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let notices = description["notices"].as_array().expect("notices").iter();
    notices.map(|notice| format!("{} {}", notice["about"], notice["column"]).replace('"', "")).collect()
}

#[test]
fn what_is_remarked_is_what_a_person_would_remark() {
    for (file, target, positive, expected) in CASES {
        let Some(path) = shared_table(file) else { continue };
        assert_eq!(remarks(&path, target, *positive), *expected, "{file}");
    }
}

#[test]
fn nothing_is_remarked_of_iris_and_wine() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tribunal/tests/fixtures");
    for file in ["iris.csv", "wine.csv"] {
        assert_eq!(remarks(&folder.join(file), "class", None), [] as [&str; 0], "{file}");
    }
}

/// A policy number, an amount that gives the fraud away, an age of zero for those who gave none, and a report in words.
#[test]
fn what_the_tables_from_elsewhere_show_is_remarked_of_a_made_one() {
    let mut table = String::from("policy,lag,age,paid,report,fraud\n");
    for row in 0..400_u32 {
        let fraud = row % 5 == 0;
        let age = if row % 9 == 4 { 0 } else { 18 + row * 13 % 60 };
        let paid = if fraud { 100 + row % 37 } else { 0 };
        writeln!(
            table,
            "P{row:05},{},{age},{paid},the car number {} was seen by {} near mile {row} before it stopped,{}",
            row * 11 % 17,
            row * 7919 % 1009,
            row * 31 % 97,
            if fraud { "yes" } else { "no" }
        )
        .expect("written");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("claims.csv");
    std::fs::write(&path, table).expect("a file");
    let expected = ["leak paid", "identifier policy", "free-text report", "zeros age"];
    assert_eq!(remarks(&path, "fraud", None), expected);
}
