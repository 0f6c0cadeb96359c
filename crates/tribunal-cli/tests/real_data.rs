//! Real tables are described without a remark that a person would find silly.
//!
//! The tables are not part of this repository; where the folder `shared/data` lies beside it, each is described and what
//! is remarked must be what a person would remark. Everywhere else there is nothing to test.

use std::path::{Path, PathBuf};
use std::process::Command;

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

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data")
}

fn remarks(file: &str, target: &str, positive: Option<&str>) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
    command.arg("describe").arg(folder().join(file)).args(["--target", target, "--format", "json"]);
    command.args(positive.iter().flat_map(|rule| ["--positive", rule]));
    let output = command.output().expect("the command runs");
    assert!(output.status.success(), "{file}: {}", String::from_utf8_lossy(&output.stderr));
    let description: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let notices = description["notices"].as_array().expect("notices").iter();
    notices.map(|notice| format!("{} {}", notice["about"], notice["column"]).replace('"', "")).collect()
}

#[test]
fn what_is_remarked_is_what_a_person_would_remark() {
    if !folder().exists() {
        return;
    }
    for (file, target, positive, expected) in CASES {
        assert_eq!(remarks(file, target, *positive), *expected, "{file}");
    }
}
