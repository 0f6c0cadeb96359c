//! Questions in money: studies that mind what errors cost, and scores in which costs do not count twice.

use std::fmt::Write;
use std::fs;
use std::process::{Command, Output};

use serde_json::Value;
use tribunal_random::Random;

struct Folder(tempfile::TempDir);

impl Folder {
    /// A folder with a table: a flag tells one class from the other in seven rows of ten, and a third of the rows is positive.
    fn new() -> Self {
        let mut random = Random::new(5);
        let mut text = "x,z,y\n".to_owned();
        for row in 0..300_u32 {
            let is_positive = row.is_multiple_of(3);
            let flag = if random.below(10) < 7 { is_positive } else { !is_positive };
            let class = if is_positive { "fraud" } else { "honest" };
            writeln!(text, "{},{:.4},{class}", u8::from(flag), random.uniform()).expect("written");
        }
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        fs::write(folder.0.path().join("claims.csv"), text).expect("a file");
        folder
    }

    fn run(&self, args: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
        command.args(args.split(' ')).current_dir(self.0.path()).output().expect("the command runs")
    }

    fn stdout(&self, args: &str) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{args}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    }

    fn json(&self, args: &str) -> Value {
        serde_json::from_str(&self.stdout(&format!("{args} --format json -q"))).expect("JSON")
    }

    /// A study of the table.
    fn study(&self, args: &str) -> Value {
        self.json(&format!("study claims.csv --target y --positive fraud --design cv:4 {args}"))
    }

    #[track_caller]
    fn refuses(&self, args: &str, code: i32, says: &[&str]) {
        let output = self.run(args);
        let error = String::from_utf8_lossy(&output.stderr);
        let error = error.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(output.status.code(), Some(code), "{args}: {error}");
        says.iter().for_each(|words| assert!(error.contains(words), "{args}: {error}"));
    }
}

/// The mean of a metric over the folds for each learner.
fn means(study: &Value, metric: &str) -> Vec<(String, f64)> {
    let figures = study["figures"].as_array().expect("figures").iter();
    let means = figures.filter(|row| row["metric"] == metric && row["scope"] == "all");
    let told = |row: &Value| (row["model"].as_str().unwrap_or_default().to_owned(), row["estimate"].as_f64());
    means.filter_map(|row| Some((told(row).0, told(row).1?))).collect()
}

#[test]
fn every_way_of_minding_costs_is_judged_by_what_a_case_costs() {
    let folder = Folder::new();
    let study = folder.study("--learners majority;nb --cost-fp 1 --cost-fn 10 --cost-methods all");
    assert_eq!(study["metrics"][0], "cost@1:10");
    let means = means(&study, "cost@1:10");
    let names: Vec<&str> = means.iter().map(|(name, _)| name.as_str()).collect();
    let methods = ["nb+weights=1:10", "nb+resample=1:10", "nb+threshold=1:10", "nb+metacost=1:10"];
    assert_eq!(names, [&["majority", "nb"][..], &methods].concat());
    let cost = |name: &str| means.iter().find(|(known, _)| known == name).expect(name).1;
    // Of the rows without flag a sixth or so is positive, which is more than an eleventh: all are acted on.
    assert!((cost("majority") - 10.0 / 3.0).abs() < 1e-9);
    assert!(methods.iter().all(|method| cost(method) < cost("nb")), "{means:?}");
    let sentence = study["verdict"]["sentence"].as_str().expect("a sentence");
    for words in ["mean cost a case", "A case costs ", " with nb", "costs 3.333 (honest) or 0.667 (fraud)"] {
        assert!(sentence.contains(words), "{words}: {sentence}");
    }
}

/// The first sentence answers in the terms of the question.
fn sentence(study: &Value) -> &str {
    study["verdict"]["sentence"].as_str().expect("a sentence")
}

#[test]
fn a_capacity_asks_for_hits() {
    let folder = Folder::new();
    let study = folder.study("--learners nb;logit --capacity 200/5000");
    assert_eq!(
        (&study["verdict"]["metric"], &study["metrics"][1]),
        (&"hits".into(), &"precision_top@12".into())
    );
    assert!(sentence(&study).starts_with("Act on 200 of every 5,000 cases: "), "{}", sentence(&study));
    let study = folder.study("--learners nb;logit --capacity 30 --run other");
    assert!(sentence(&study).starts_with("Act on 30 of 300 cases: "), "{}", sentence(&study));
    assert!(sentence(&study).contains(" cases with y = fraud ("), "{}", sentence(&study));
    let study = folder.study("--learners nb;logit --capacity 30 --decide-by pcc --run third");
    assert_eq!((&study["verdict"]["metric"], &study["metrics"][0]), (&"pcc".into(), &"pcc".into()));
    assert_eq!(study["decisions"][0]["decision"]["by"], "hits");
}

#[test]
fn costs_without_a_way_of_minding_them_ask_for_profit() {
    let folder = Folder::new();
    let study = folder.study("--learners nb;logit --cost-fp 1 --cost-fn 10");
    assert_eq!(study["verdict"]["metric"], "profit");
    let study =
        folder.study("--learners nb;logit --capacity 30 --benefit-tp z*10 --cost-action 1 --run other");
    assert_eq!(
        (&study["verdict"]["metric"], &study["decisions"][0]["decision"]["policy"]),
        (&"profit".into(), &"top_of_list".into())
    );
    assert!(study["notices"].to_string().contains("z is not learned from"), "{}", study["notices"]);
}

#[test]
fn questions_that_cannot_be_answered_are_refused_with_advice() {
    let folder = Folder::new();
    let study = |args: &str| format!("study claims.csv --target y --positive fraud {args}");
    folder.refuses(&study("--learners nb+weights"), 2, &["--cost-fp 1 --cost-fn 5"]);
    folder.refuses(&study("--learners nb --cost-methods all"), 2, &["--cost-fp 1 --cost-fn 5"]);
    folder.refuses(&study("--learners nb --cost-fp 1"), 2, &["acting on nobody is best", "--benefit-tp"]);
    folder.refuses(&study("--learners nb --cost-fp 0 --cost-fn 5"), 2, &["acting on everybody is best"]);
    folder.refuses(&study("--learners nb --cost-fp 0,5 --cost-fn 5"), 2, &["position 2"]);
    folder.refuses(
        &study("--learners nb --cost-fp -1 --cost-fn 5"),
        2,
        &["it brings in 1", "state a cost that exceeds this with --cost-fp VALUE"],
    );
    folder.refuses(
        &study("--learners nb --benefit-tp 50 --cost-action 90"),
        2,
        &["it alone -40", "state a benefit that makes up for this with --benefit-tp VALUE"],
    );
    folder.refuses(&study("--learners nb --capacity 30 --decide-by proft"), 2, &["did you mean `profit`?"]);
    folder.refuses(&study("--learners nb --benefit-tp Z --cost-action 1"), 2, &["did you mean \"z\"?"]);
    folder.refuses("study claims.csv --positive fraud", 2, &["add --target COLUMN"]);
    folder.refuses(&study("--learners nb --capacity 5000"), 1, &["5000/50000"]);
    folder.refuses(&study("--learners nb --cost-fp price --cost-fn 5"), 2, &["price"]);
    folder.refuses(&study("--learners nb --benefit-tp amount --cost-action 1"), 2, &["--amount"]);
    folder.refuses(&study("--learners nb --rule fraud:90"), 2, &["--amount"]);
    folder.refuses(&study("--learners nb --decide-by profit"), 2, &["--benefit-tp"]);
    folder.refuses(
        &study("--learners nb+weights --cost-fp z --cost-fn 5"),
        2,
        &["differs from case to case here (by z)", "--rule expected"],
    );
    folder.refuses(
        &study("--learners nb --cost-fp 1 --cost-fn 5 --cost-methods wieghts"),
        2,
        &["did you mean weights?"],
    );
    folder.refuses(&study("--learners nb --capacity 0"), 2, &["the capacity is 0"]);
    folder.refuses(&study("--learners nb --capacity 301"), 1, &["the list holds 300 cases"]);
    folder.refuses(
        "fit claims.csv --target y --positive fraud --learner nb+weights -o m.json",
        1,
        &["+weights=1:5"],
    );
}

/// Scores are probabilities of the rows as they are where costs can be taken out of them, and otherwise a notice says so;
/// the class that is predicted minds the costs.
#[test]
fn scores_that_are_written_have_no_costs_in_them() {
    let folder = Folder::new();
    let score = |learner: &str| {
        folder
            .stdout(&format!("fit claims.csv --target y --positive fraud --learner {learner} -o m.json -q"));
        folder.json("score m.json claims.csv -o s.csv")
    };
    let (plain, weighted) = (score("nb"), score("nb+weights=1:20"));
    let mean = |summary: &Value| summary["classes"][1]["mean_score"].as_f64().expect("a mean");
    let flagged = |summary: &Value| summary["classes"][1]["rows"].as_u64().expect("rows");
    assert!((mean(&plain) - mean(&weighted)).abs() < 0.02, "{} {}", mean(&plain), mean(&weighted));
    assert!(flagged(&weighted) > flagged(&plain));
    let notice = |summary: &Value| summary["notices"].to_string();
    assert!(notice(&weighted).contains("by its costs the cut-off is 0.0476"), "{}", notice(&weighted));
    assert!(notice(&score("nb+metacost=1:5")).contains("apply no costs to them again"));
    assert!(!notice(&plain).contains("costs"));
    folder.stdout(
        "cross claims.csv --target y --positive fraud --learner nb+metacost=1:5 --learner nb+threshold=1:5 --design cv:3 -o c.csv -q",
    );
}

/// What tables say of themselves: whose margin it is, which base rate is known, what the ceiling is, how long the lists are.
#[test]
fn tables_of_acting_say_what_holds() {
    let folder = Folder::new();
    let told = |args: &str| {
        let text =
            folder.stdout(&format!("evaluate claims.csv --truth y --positive fraud --score x,z {args}"));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let check = |args: &str, says: &[&str], never: &[&str]| {
        let text = told(args);
        says.iter().for_each(|words| assert!(text.contains(words), "{args} lacks {words}: {text}"));
        never.iter().for_each(|words| assert!(!text.contains(words), "{args} has {words}: {text}"));
    };
    check(
        "--capacity 30 --margin 20",
        &[
            "p of a difference in hits of more than 20, of any difference in metrics,",
            "those with a tilde, or underlined, cannot be told apart from the best",
            "The p of a model is that of a lead of more than 20,",
            "(ceiling: all positives first)",
        ],
        &["exactly where it pays", "worse than the best by more than 20"],
    );
    check(
        "--capacity 30 --base-rate 1%",
        &["what is said of acting takes the base rate of 1 % as known"],
        &[],
    );
    check("--capacity 1/1", &["in lists of 1 case"], &["in lists of 1 cases"]);
    check(
        "--cost-fp 1 --cost-fn 5 --cost-action 0.5",
        &["(ceiling: exactly where it pays)", "positives here"],
        &["positives first"],
    );
}
