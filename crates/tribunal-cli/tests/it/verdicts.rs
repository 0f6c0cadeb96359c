//! Verdicts that must not be given: on noise, on columns that give the answer away, on scores that rank the wrong way round,
//! and on more cases than anybody can look at.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tribunal_random::Random;

struct Folder(tempfile::TempDir);

impl Folder {
    /// A folder with a table.
    fn with(name: &str, table: &str) -> Self {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        fs::write(folder.path().join(name), table).expect("a file");
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn run(&self, args: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
        command.args(args.split(' ')).current_dir(self.path()).output().expect("the command runs")
    }

    fn stdout(&self, args: &str) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{args}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    }

    fn json(&self, args: &str) -> Value {
        serde_json::from_str(&self.stdout(&format!("{args} --format json -q"))).expect("JSON")
    }
}

/// Rows of two classes; `cells` makes the rest of each row.
fn table(header: &str, n_rows: u32, mut cells: impl FnMut(u32, &mut Random) -> String) -> String {
    let mut random = Random::new(11);
    let mut text = format!("{header}\n");
    for row in 0..n_rows {
        writeln!(text, "{}", cells(row, &mut random)).expect("written");
    }
    text
}

#[track_caller]
fn says(text: &str, words: &[&str]) {
    // Reports fold long lines.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for word in words {
        assert!(text.contains(word), "\"{word}\" is missing in\n{text}");
    }
}

/// Twenty copies of a column of noise.
fn noise() -> Folder {
    let names: Vec<String> = (0..20).map(|copy| format!("x{copy}")).collect();
    let noise = table(&format!("{},y", names.join(",")), 150, |row, random| {
        let x = format!("{:.4},", random.normal()).repeat(20);
        format!("{x}{}", if row % 3 == 0 { "yes" } else { "no" })
    });
    Folder::with("noise.csv", &noise)
}

#[test]
fn nothing_is_recommended_on_noise_and_no_model_is_kept() {
    let folder = noise();
    let study = "study noise.csv --target y --positive yes --design cv:5 --learners majority;nb;nb+isotonic;logit;c45";
    let text = folder.stdout(&format!("{study} --run a -q"));
    says(&text, &["For y nothing here beats the base rate: do not deploy", "without learning 0.500"]);
    assert!(!text.contains("Recommended:"), "{text}");
    let results = folder.json(&format!("{study} --run a"));
    assert_eq!(results["verdict"]["deploy"], Value::Array(Vec::new()));
    let scenario = &results["verdict"]["scenarios"][0];
    assert_eq!(scenario["outcome"], "nothing-beats-baseline");
    assert_eq!(scenario["recommended"], Value::Null);
    let baselines = results["baselines"].as_array().expect("tests");
    assert_eq!(baselines.len(), 4, "the majority class is no contender");
    assert!(baselines.iter().all(|test| test["standing"] != "better" && test["kind"] == "random-order"));
    let kept = folder.run(&format!("{study} --run a -q --fit-best model.json"));
    assert_eq!(kept.status.code(), Some(1));
    let message = String::from_utf8_lossy(&kept.stderr);
    assert!(message.contains("no model is kept") && message.contains("do not deploy"), "{message}");
    assert!(!folder.path().join("model.json").exists());
}

#[test]
fn a_modest_signal_is_recommended() {
    let signal = table("x,z,y", 300, |row, random| {
        let lift = if row % 3 == 0 { 0.8 } else { 0.0 };
        format!("{:.4},{:.4},{}", random.normal() + lift, random.normal(), u8::from(row % 3 == 0))
    });
    let folder = Folder::with("signal.csv", &signal);
    let results = folder.json("study signal.csv --target y --positive 1 --learners nb;logit;c45;knn:10");
    assert_eq!(results["verdict"]["scenarios"][0]["outcome"], "recommended", "{}", results["verdict"]);
}

#[test]
fn predictions_must_beat_the_same_prediction_for_everybody() {
    // A tenth is positive: ranked well, and still no prediction is right more often than "no".
    let rare = table("x,y", 400, |row, random| {
        let lift = if row % 10 == 0 { 0.9 } else { 0.0 };
        format!("{:.4},{}", random.normal() + lift, u8::from(row % 10 == 0))
    });
    let folder = Folder::with("rare.csv", &rare);
    let study = "study rare.csv --target y --positive 1 --learners nb;logit --design cv:5";
    let by_rank = folder.json(&format!("{study} --run a"));
    assert_eq!(by_rank["verdict"]["scenarios"][0]["outcome"], "recommended");
    let text = folder.stdout(&format!("{study} --run b --decide-by pcc -q"));
    says(&text, &["nothing here beats the base rate", "the same prediction for everybody (0.900"]);
}

/// An audit: adjustments are found after the outcome, in most but not all productive audits.
fn audit() -> Folder {
    let audit = table("age,adjustment,adjusted", 400, |row, random| {
        let (is_positive, is_found) = (row % 4 == 0, row % 4 == 0 && row % 5 != 0);
        let age = 40.0 + 8.0 * random.normal() + if is_positive { 4.0 } else { 0.0 };
        let found = if is_found { 100 + row } else { 0 };
        format!("{age:.1},{found},{}", u8::from(is_positive))
    });
    Folder::with("audit.csv", &audit)
}

#[test]
fn values_that_only_one_class_has_are_suspicious_to_every_verb() {
    let folder = audit();
    let suspicion = "\"adjustment\" is other than 0 in 80 rows, all of them 1 (80 % of that class)";
    let advice = "--kind adjustment=ignore";
    says(&folder.stdout("describe audit.csv --target adjusted --positive 1"), &[suspicion, advice]);
    let file = folder.stdout("init audit.csv --stdout -q");
    let lines: Vec<&str> = file.lines().map(|line| line.trim_start_matches("# ")).collect();
    says(&lines.join(" "), &[suspicion, "SUSPECTED LEAKS", "adjustment = \"ignore\""]);
    let fit = "fit audit.csv --target adjusted --positive 1 --learner nb -o m.json";
    let summary = folder.json(fit);
    assert_eq!(summary["leaks"][0]["evidence"]["sign"], "one-sided");
    assert_eq!(summary["leaks"][0]["evidence"]["part"], "any-but");
    says(&String::from_utf8_lossy(&folder.run(fit).stderr), &[suspicion, advice]);
    let study = "study audit.csv --target adjusted --positive 1 --learners nb;logit --design cv:4 -q --run a";
    says(
        &folder.stdout(study),
        &[suspicion, advice, "but do not believe that yet: adjustment looks as if it were known only after"],
    );
    let without = folder.stdout(&format!("{study}2 --kind adjustment=ignore"));
    assert!(!without.contains("suspicious"), "{without}");
}

#[test]
fn amounts_of_donors_give_the_donation_away_and_the_donation_is_guessed() {
    let donors = table("Donate,Amount,home,age", 200, |row, random| {
        let gave = row % 4 == 0;
        let amount = if gave { format!("{}", 5 + row % 7) } else { String::new() };
        let age = 50.0 + 9.0 * random.normal();
        format!(
            "{},{amount},{},{age:.1}",
            if gave { "Yes" } else { "No" },
            if row % 3 == 0 { "H" } else { "U" }
        )
    });
    let folder = Folder::with("donors.csv", &donors);
    let file = folder.stdout("init donors.csv --stdout -q");
    says(&file, &["Donate = { column = \"Donate\", positive = \"Yes\" }", "whether \"Amount\" is missing"]);
    let study = "study donors.csv --target Donate --positive Yes --learners nb --design cv:4 -q";
    says(
        &folder.stdout(study),
        &["whether \"Amount\" is missing gives the class away", "--kind Amount=ignore"],
    );
}

/// Forty rows in four folds; two positives head each fold.
fn folds() -> String {
    table("y,s,fold", 40, |row, _| {
        let (fold, place) = (row % 4, row / 4);
        format!("{},{},{}", u8::from(place < 2), 1.0 - f64::from(place) / 20.0 - f64::from(fold) / 1e4, fold)
    })
}

#[test]
fn a_count_of_cases_is_a_share_of_each_fold() {
    let folder = Folder::with("scores.csv", &folds());
    let evaluate = "evaluate scores.csv --truth y --positive 1 --score s --fold fold";
    let results =
        folder.json(&format!("{evaluate} --metrics precision_top@8,lift_top@8,precision --threshold top:8"));
    let rows = results["metrics"].as_array().expect("rows");
    assert_eq!(rows.len(), 18);
    for row in rows {
        let expected = if row["metric"] == "lift_top@8" { 5.0 } else { 1.0 };
        assert_eq!(row["estimate"].as_f64(), Some(expected), "{row}");
    }
    assert_eq!(results["capacities"][0]["share"].as_f64(), Some(0.2));
    says(
        &folder.stdout(&format!("{evaluate} --at 8")),
        &[
            "lift_top@8, precision_top@8 mean 8 cases of the whole list, 20 % of it: each fold takes the same share",
        ],
    );
}

#[test]
fn repetitions_list_every_case_again() {
    let twice: String = (1..=2)
        .flat_map(|repetition| {
            let rows = folds();
            let rows: Vec<String> = rows.lines().skip(1).map(str::to_owned).collect();
            rows.into_iter().map(move |row| {
                let (cells, fold) = row.rsplit_once(',').expect("three cells");
                format!("{cells},r{repetition}.{fold}\n")
            })
        })
        .collect();
    let folder = Folder::with("scores.csv", &format!("y,s,fold\n{twice}"));
    let results = folder
        .json("evaluate scores.csv --truth y --positive 1 --score s --fold fold --metrics precision_top@16");
    let rows = results["metrics"].as_array().expect("rows");
    // Of forty cases sixteen are looked at, eight of them positive, in the list of both repetitions as in every fold.
    assert!(rows.iter().all(|row| row["estimate"].as_f64() == Some(0.5)), "{rows:?}");
}

#[test]
fn a_study_judges_the_capacity_of_the_whole_list() {
    let ranked = table("x,y", 200, |row, random| {
        format!("{:.4},{}", random.uniform() + if row % 5 == 0 { 2.0 } else { 0.0 }, u8::from(row % 5 == 0))
    });
    let folder = Folder::with("ranked.csv", &ranked);
    let study =
        "study ranked.csv --target y --positive 1 --learners nb --design cv:4 --decide-by precision_top@40";
    let results = folder.json(study);
    let figures = results["figures"].as_array().expect("figures").iter();
    let of_metric: Vec<&Value> = figures.filter(|row| row["metric"] == "precision_top@40").collect();
    assert_eq!(of_metric.len(), 5);
    assert!(of_metric.iter().all(|row| row["estimate"].as_f64() == Some(1.0)), "{of_metric:?}");
    says(
        &folder.stdout(&format!("{study} -q")),
        &["40 cases of the whole list, 20 % of it: each split takes"],
    );
    let beyond =
        folder.run("study ranked.csv --target y --positive 1 --learners nb --decide-by precision_top@201");
    assert_eq!(beyond.status.code(), Some(1));
    says(&String::from_utf8_lossy(&beyond.stderr), &["the top 201 of a list of 200 cases"]);
    let tuned = folder.json(
        "fit ranked.csv --target y --positive 1 --learner nb:{1,5} --tune-by precision_top@40 -o m.json",
    );
    assert!(tuned["tuning"]["candidates"].as_array().expect("tried").iter().all(|one| one["mean"] == 1.0));
}

#[test]
fn scores_that_chance_explains_or_that_point_the_wrong_way_are_said_to() {
    let scores = table("y,noise,other,wrong", 200, |row, random| {
        let is_positive = row % 2 == 0;
        let wrong = random.uniform() - if is_positive { 0.4 } else { 0.0 };
        format!("{},{:.4},{:.4},{wrong:.4}", u8::from(is_positive), random.uniform(), random.uniform())
    });
    let folder = Folder::with("scores.csv", &scores);
    let text = folder.stdout("evaluate scores.csv --truth y --positive 1 --score noise,other -q");
    says(&text, &["No model is shown to be better than a random order (0.500): the best of 2"]);
    let text = folder.stdout("evaluate scores.csv --truth y --positive 1 --score wrong -q");
    says(
        &text,
        &[
            "wrong ranks the wrong way round",
            "the higher the score, the fewer positives",
            "Check the direction",
        ],
    );
    let results = folder.json("evaluate scores.csv --truth y --positive 1 --score wrong,noise");
    let baselines = results["verdict"]["baselines"].as_array().expect("tests");
    let standing = |model: &str| {
        let of_model = baselines.iter().find(|test| test["model"] == model).expect("a test");
        of_model["standing"].as_str().expect("a word").to_owned()
    };
    assert_eq!([standing("wrong"), standing("noise")], ["worse", "level"]);
}
