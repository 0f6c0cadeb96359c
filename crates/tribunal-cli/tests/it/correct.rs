//! `tribunal correct`: names that programs rely on, samples that other verbs take, and what is refused.

use serde_json::Value;

use crate::folder::Folder;

/// A population of two kinds with scores, and those that were acted on: mostly of kind b.
fn folder() -> Folder {
    let row = |row: u32| (["a", "b"][(row % 2) as usize], f64::from(row * 37 % 100) / 100.0);
    let all: String = (0..400).map(row).map(|(kind, score)| format!("{kind},{score}\n")).collect();
    let actioned: String = (0..300u32)
        .filter(|number: &u32| number % 2 == 1 || number.is_multiple_of(10))
        .map(|number| {
            let (kind, score) = row(number);
            let hit = if score + f64::from(number % 3) / 4.0 > 0.8 { "yes" } else { "no" };
            format!("{number},{kind},{score},{hit}\n")
        })
        .collect();
    Folder::with(&[
        ("all.csv", &format!("kind,score\n{all}")),
        ("actioned.csv", &format!("claim,kind,score,hit\n{actioned}")),
    ])
}

const ASKED: &str = "correct --prevalence all.csv --incidence actioned.csv --strata kind --truth hit --positive yes --score score";

fn json(folder: &Folder, args: &str) -> Value {
    serde_json::from_slice(&folder.stdout(&format!("{args} --format json"))).expect("JSON")
}

#[test]
fn json_has_the_names_that_programs_rely_on() {
    let found = json(&folder(), ASKED);
    assert_eq!(found["schema"], "tribunal.correction/1");
    let names = ["stratum", "prevalence", "incidence", "delta", "delta_rounded", "size", "share"];
    let over = json(&folder(), &format!("{ASKED} --method over"));
    for found in [&found, &over] {
        let strata = found["strata"].as_array().expect("strata");
        assert_eq!(strata.len(), 2);
        assert!(names.iter().all(|name| strata[0].get(name).is_some()), "{}", strata[0]);
        let share: f64 = strata.iter().filter_map(|row| row["share"].as_f64()).sum();
        assert!((share - 1.0).abs() < 1e-12);
        assert!(
            found["beta"].is_number() && found["effective_rows"].is_number() && found["warnings"].is_array()
        );
        for side in ["before", "after"] {
            let metrics = found[side]["metrics"].as_array().expect("figures");
            let names: Vec<&str> = metrics.iter().filter_map(|row| row["metric"].as_str()).collect();
            assert_eq!(names, ["strike_rate", "precision", "sensitivity", "specificity", "pcc", "auroc"]);
            assert!(
                metrics.iter().all(|row| row["lower"].is_number() && row["n"].is_number()),
                "{metrics:?}"
            );
        }
    }
    assert!(over["strata"][0]["delta_rounded"].as_i64().is_some_and(|delta| delta > 0));
    let methods: Vec<&str> = found["methods"]
        .as_array()
        .expect("methods")
        .iter()
        .filter_map(|row| row["method"].as_str())
        .collect();
    assert_eq!(methods, ["mixed", "over", "substitution", "poststratify", "ipw", "doubly_robust"]);
}

#[test]
fn the_sample_is_taken_by_an_evaluation() {
    let folder = folder();
    let found = json(&folder, &format!("{ASKED} --sample corrected.parquet -q"));
    let weighted = "evaluate corrected.parquet --truth hit --positive yes --score score --weight correction_poststratify";
    let evaluation = json(&folder, weighted);
    let figure = |rows: &Value, name: &str| {
        let rows = rows.as_array().expect("figures");
        rows.iter()
            .find(|row| row["metric"] == name)
            .and_then(|row| row["estimate"].as_f64())
            .expect("a figure")
    };
    for name in ["auroc", "precision", "sensitivity"] {
        let (own, judged) = (figure(&found["after"]["metrics"], name), figure(&evaluation["metrics"], name));
        assert!((own - judged).abs() < 1e-9, "{name}: {own} {judged}");
    }
    let rate = figure(&found["after"]["metrics"], "strike_rate");
    assert!((rate - evaluation["data"]["base_rate"].as_f64().expect("a rate")).abs() < 1e-9);
}

#[test]
fn stored_corrections_are_shown_again() {
    let folder = folder();
    let text = folder.stdout(ASKED);
    folder.stdout(&format!("{ASKED} --format json -o correction.json"));
    assert_eq!(folder.stdout("report correction.json"), text);
}

#[test]
fn what_cannot_be_right_is_refused_with_what_to_do() {
    let folder = folder();
    let check = |args: &str, code: i32, words: &str| {
        let output = folder.run(args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{args}: {said}");
        assert!(said.contains(words), "{args}: {said}");
    };
    let strata = |column: &str| ASKED.replace("--strata kind", &format!("--strata {column}"));
    check(&strata("knd"), 2, "did you mean \"kind\"?");
    check(&strata("claim"), 2, "the prevalence (all.csv) has no such column");
    check(&strata("hit"), 2, "--strata hit: this is the truth");
    check(&format!("{} --clusters 200", strata("score")), 2, "--clusters 100");
    check(&format!("{ASKED} --bands 3 --clusters 2"), 2, "cannot be used with");
    check(&format!("{ASKED} --method postratify"), 2, "did you mean `poststratify`?");
    check(&format!("{ASKED} --sample all.csv"), 2, "all.csv");
    check(&format!("{ASKED} --sample x.docx"), 2, "x.docx");
    check(&ASKED.replace("--positive yes", "--positive maybe"), 1, "no row of column \"hit\" is \"maybe\"");
    check(&format!("{ASKED} --total-prevalence 5"), 1, "the rows of all strata or more");
    check(&format!("{ASKED} --size 5000 --method substitution"), 1, "the size of the sample is 5000");
    assert_eq!(folder.names(), ["actioned.csv", "all.csv"]);
}
