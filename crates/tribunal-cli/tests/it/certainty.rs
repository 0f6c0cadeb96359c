//! How far to believe the figures of `tribunal evaluate`: intervals, comparisons, the verdict, and what it warns of.

use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

/// Ten cases and two models whose DeLong test was worked out elsewhere.
const TEN: &str = "id,y,a,b,f,w\n1,1,0.9,0.7,u,1\n2,1,0.8,0.9,u,2\n3,0,0.8,0.3,u,1\n4,1,0.7,0.8,u,1\n5,0,0.6,0.5,u,2\n\
                   6,1,0.6,0.2,v,1\n7,0,0.6,0.6,v,1\n8,0,0.4,0.1,v,1\n9,1,0.3,0.65,v,3\n10,0,0.1,0.4,v,1\n";

fn run(csv: &str, args: &str) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("s.csv"), csv).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
    command.args(["evaluate", "s.csv", "--truth", "y", "--positive", "1"]);
    command.args(args.split_whitespace()).current_dir(folder.path()).output().expect("the command runs")
}

#[track_caller]
fn text(csv: &str, args: &str) -> String {
    let output = run(csv, args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[track_caller]
fn json(csv: &str, args: &str) -> Value {
    serde_json::from_str(&text(csv, &format!("{args} --format json"))).expect("JSON")
}

#[track_caller]
fn refused(csv: &str, args: &str, code: i32, says: &[&str]) {
    let output = run(csv, args);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    says.iter().for_each(|words| assert!(message.contains(words), "{message:?} does not say {words:?}"));
}

/// The row of a metric over all rows.
#[track_caller]
fn row<'a>(results: &'a Value, model: &str, metric: &str) -> &'a Value {
    let rows = results["metrics"].as_array().expect("rows");
    rows.iter()
        .find(|row| row["model"] == model && row["metric"] == metric && row["scope"] == "all")
        .unwrap_or_else(|| panic!("no {metric} of {model}"))
}

#[track_caller]
fn comparison<'a>(results: &'a Value, metric: &str, test: &str) -> &'a Value {
    let rows = results["comparisons"].as_array().expect("rows");
    rows.iter()
        .find(|row| row["metric"] == metric && row["test"] == test)
        .unwrap_or_else(|| panic!("no {test} of {metric}"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

#[track_caller]
fn close(found: &Value, expected: f64) {
    assert!((number(found) - expected).abs() < 1e-6, "{found}, expected {expected}");
}

fn warns(results: &Value, words: &str) -> bool {
    results["warnings"]
        .as_array()
        .expect("warnings")
        .iter()
        .any(|w| w["sentence"].as_str().is_some_and(|w| w.contains(words)))
}

/// `n` cases, a tenth of them positive, scored by three models of falling skill; ten folds.
fn claims(n: usize) -> String {
    let mut random = tribunal::Random::new(11);
    let mut csv = String::from("id,y,good,fair,poor,f\n");
    for id in 0..n {
        let positive = id % 10 == 0;
        let shared = random.normal();
        let mut score = |skill: f64| {
            let latent = 0.7 * shared + 0.7 * random.normal() + if positive { skill } else { 0.0 };
            1.0 / (1.0 + (2.0 - latent).exp())
        };
        let (good, fair, poor) = (score(1.9), score(1.6), score(0.6));
        let fold = (id / 10) % 10;
        writeln!(csv, "{id},{},{good:.5},{fair:.5},{poor:.5},{fold}", u8::from(positive)).expect("memory");
    }
    csv
}

#[test]
fn figures_carry_their_intervals() {
    let results = json(TEN, "--score a,b");
    let auroc = row(&results, "a", "auroc");
    assert_eq!((&auroc["method"], &auroc["level"]), (&"delong".into(), &0.95.into()));
    close(&auroc["lower"], 0.7 - 1.959963984540054 * 0.181_659_021);
    close(&auroc["upper"], 1.0);
    let pcc = row(&results, "a", "pcc");
    // Six of ten right at 0.5, by Wilson.
    assert_eq!(pcc["method"], "wilson");
    close(&pcc["lower"], 0.312674);
    close(&pcc["upper"], 0.831820);
    let drawn =
        ["average_precision", "brier", "f1", "lift@0.1"].map(|metric| (metric, "bootstrap_percentile"));
    for (metric, method) in
        drawn.into_iter().chain([("h_measure", "bootstrap_corrected"), ("ks", "bootstrap_corrected")])
    {
        let row = row(&results, "a", metric);
        assert_eq!(row["method"], method, "{metric}");
        assert!(number(&row["lower"]) <= number(&row["upper"]), "{row}");
    }
    close(&row(&json(TEN, "--score a --level 0.8"), "a", "auroc")["level"], 0.8);
}

#[test]
fn many_replicates_are_corrected_for_bias() {
    let results = json(&claims(400), "--score good --bootstrap 1000 --metrics average_precision,brier");
    assert_eq!(row(&results, "good", "average_precision")["method"], "bootstrap_bca");
    assert_eq!(row(&json(TEN, "--score a --bootstrap 0"), "a", "brier")["method"], Value::Null);
}

#[test]
fn weights_leave_the_interval_to_the_bootstrap() {
    let results = json(TEN, "--score a,b --weight w");
    for metric in ["auroc", "pcc", "sensitivity"] {
        assert_eq!(row(&results, "a", metric)["method"], "bootstrap_percentile", "{metric}");
    }
    assert_eq!(comparison(&results, "auroc", "bootstrap")["a"], "a");
    let all_one = TEN.lines().map(|line| {
        format!("{line},one\n").replace(",one", if line.starts_with("id") { ",one" } else { ",1" })
    });
    let results = json(&all_one.collect::<String>(), "--score a --weight one --metrics auroc");
    assert_eq!(row(&results, "a", "auroc")["method"], "bootstrap_percentile");
}

#[test]
fn differences_carry_their_tests() {
    let results = json(TEN, "--score a,b");
    let delong = comparison(&results, "auroc", "delong");
    close(&delong["difference"], -0.14);
    close(&delong["p"], 0.532069);
    close(&delong["p_adjusted"], 0.532069);
    close(&delong["lower"], -0.14 - 1.959963984540054 * 0.224053565);
    close(&comparison(&results, "gini", "delong")["difference"], -0.28);
    let mcnemar = comparison(&results, "pcc", "mcnemar");
    // At 0.5 model a is wrong on cases 3, 5, 7, 9 and model b on 5, 6, 7: one more and one less.
    close(&mcnemar["difference"], -0.1);
    close(&mcnemar["p"], 1.0);
    close(&comparison(&results, "error_rate", "mcnemar")["difference"], 0.1);
    assert!(number(&comparison(&results, "brier", "bootstrap")["p"]) > 0.0);
    assert_eq!(results["verdict"]["level_with_best"], serde_json::json!(["a"]));
    assert_eq!(
        (&row(&results, "b", "auroc")["standing"], &row(&results, "a", "auroc")["standing"]),
        (&"best".into(), &"level".into())
    );
}

#[test]
fn the_verdict_names_the_best_and_those_level_with_it() {
    let results = json(&claims(4000), "--score good,fair,poor");
    let verdict = &results["verdict"];
    assert_eq!(verdict["ranking"], serde_json::json!(["good", "fair", "poor"]));
    assert_eq!(verdict["worse"].as_array().map(Vec::len), Some(2), "{verdict}");
    let lenient = json(&claims(4000), "--score good,fair,poor --margin 0.1");
    assert_eq!(lenient["verdict"]["level_with_best"], serde_json::json!(["fair"]));
    let sentence = lenient["verdict"]["sentence"].as_str().expect("a sentence").to_owned();
    assert!(sentence.contains("fair cannot be shown to be worse by more than 0.1"), "{sentence}");
    assert!(sentence.contains("poor is worse by more than 0.1"), "{sentence}");
    let plan = &lenient["planning"][0];
    close(&plan["difference"], 0.1);
    assert!(number(&plan["cases"]) < 4000.0, "{plan}");
}

#[test]
fn one_model_can_be_compared_with_the_others() {
    let results = json(&claims(400), "--score good,fair,poor --compare fair --metrics auroc");
    let pairs: Vec<_> =
        results["comparisons"].as_array().expect("rows").iter().map(|r| (&r["a"], &r["b"])).collect();
    assert_eq!(pairs, [(&Value::from("fair"), &"good".into()), (&"fair".into(), &"poor".into())]);
    refused(&claims(400), "--score good,fair --compare god", 2, &["god", "did you mean `good`"]);
}

#[test]
fn folds_bring_their_own_tests() {
    let results = json(&claims(2000), "--score good,fair,poor --fold f");
    for test in ["paired_t", "corrected_t", "duncan", "tukey", "nemenyi"] {
        let row = comparison(&results, "auroc", test);
        assert!((0.0..=1.0).contains(&number(&row["p"])), "{row}");
        assert!(number(&row["lower"]) < number(&row["difference"]), "{row}");
    }
    let naive = comparison(&results, "auroc", "paired_t");
    let corrected = comparison(&results, "auroc", "corrected_t");
    assert!(number(&naive["p"]) < number(&corrected["p"]));
    close(&naive["difference"], number(&corrected["difference"]));
    let tests = &results["fold_tests"][0];
    assert_eq!((&tests["metric"], &tests["anova"]["df_error"]), (&"auroc".into(), &18.into()));
    assert_eq!(tests["duncan"]["letters"].as_array().map(Vec::len), Some(3));
    assert!(number(&tests["critical_difference"]) > 1.0);
    let mean = results["metrics"]
        .as_array()
        .expect("rows")
        .iter()
        .find(|row| row["scope"] == "mean")
        .expect("a mean");
    assert_eq!(mean["method"], "corrected_t");
    assert!(warns(&results, "share training rows"));
    assert!(
        results["comparisons"].as_array().expect("rows").iter().all(|row| row["test"] != "five_by_two_f")
    );
}

#[test]
fn five_times_two_folds_are_recognised() {
    let csv = claims(2000);
    let lines = csv.lines().enumerate().map(|(index, line)| match (index, line.rsplit_once(',')) {
        (0, _) | (_, None) => format!("{line}\n"),
        (_, Some((rest, fold))) => {
            let fold: usize = fold.parse().expect("a number");
            format!("{rest},r{}.{}\n", fold / 2, fold % 2)
        }
    });
    let results = json(&lines.collect::<String>(), "--score good,poor --fold f");
    assert!((0.0..=1.0).contains(&number(&comparison(&results, "auroc", "five_by_two_f")["p"])));
    assert!(warns(&results, "repeat a cross-validation 5 times"));
}

#[test]
fn the_seed_decides_the_draws() {
    let (csv, args) = (claims(300), "--score good --metrics brier --seed");
    assert_eq!(text(&csv, &format!("{args} 5 --format csv")), text(&csv, &format!("{args} 5 --format csv")));
    assert_ne!(text(&csv, &format!("{args} 5 --format csv")), text(&csv, &format!("{args} 6 --format csv")));
}

/// A class too large to keep is sampled; the spread must be that of the whole.
#[test]
fn a_large_file_has_the_intervals_of_all_its_rows() {
    let csv = claims(150_000);
    let args = "--score good,fair --metrics auroc,average_precision";
    let (sampled, whole) = (json(&csv, args), json(&csv, &format!("{args} --bootstrap 200")));
    assert!(warns(&sampled, "on a sample of") && !warns(&whole, "on a sample of"));
    let width = |results: &Value, metric: &str| {
        let row = row(results, "good", metric);
        number(&row["upper"]) - number(&row["lower"])
    };
    assert!((width(&sampled, "average_precision") / width(&whole, "average_precision") - 1.0).abs() < 0.2);
    let test = |results: &Value| {
        let row = comparison(results, "auroc", "delong").clone();
        (number(&row["difference"]), number(&row["upper"]) - number(&row["lower"]))
    };
    let ((difference, width), (exact, whole_width)) = (test(&sampled), test(&whole));
    assert!(
        (difference - exact).abs() < 1e-12 && (width / whole_width - 1.0).abs() < 0.05,
        "{width} {whole_width}"
    );
}

#[test]
fn tables_mark_the_best_in_every_form() {
    let csv = claims(4000);
    let in_form =
        |form: &str| text(&csv, &format!("--score good,poor --metrics auroc,brier,pcc --format {form}"));
    let plain = in_form("text");
    assert!(plain.contains("*") && plain.contains("Differences on the same cases"), "{plain}");
    assert!(in_form("markdown").contains("**0."));
    let latex = in_form("latex");
    assert!(latex.contains("\\textbf{0.") && latex.contains("Differences on the same cases"), "{latex}");
    let csv = in_form("csv");
    assert!(csv.contains(",best,") && csv.contains("good,poor,auroc,"), "{csv}");
}

#[test]
fn questionable_input_is_answered_with_a_caution() {
    let one_fold = TEN.replace(",v,", ",u,");
    assert!(warns(&json(&one_fold, "--score a,b --fold f"), "one fold only (\"u\")"));
    // No positive case in fold v.
    let gap = "y,a,b,f\n1,0.9,0.8,u\n0,0.2,0.3,u\n1,0.7,0.6,u\n0,0.1,0.4,v\n0,0.3,0.2,v\n";
    let results = json(gap, "--score a,b --fold f");
    assert!(
        warns(&results, "no test of auroc over the folds: no value for algorithm \"a\" in fold \"v\""),
        "{results}"
    );
    let same = "y,a,b\n1,0.9,0.9\n0,0.2,0.2\n1,0.7,0.7\n0,0.8,0.8\n";
    let results = json(same, "--score a,b");
    assert!(warns(&results, "a and b give every case the same score"));
    close(&comparison(&results, "auroc", "delong")["p"], 1.0);
    let perfect = json("y,a,b\n1,0.9,0.9\n0,0.2,0.1\n1,0.7,0.8\n0,0.3,0.2\n", "--score a,b");
    assert!(warns(&perfect, "every positive ranks above every negative for a, b"));
    assert_eq!(row(&perfect, "b", "auroc")["standing"], "level");
    let one = "y,a\n1,0.9\n0,0.2\n0,0.7\n0,0.95\n";
    assert!(warns(&json(one, "--score a"), "one positive only"));
    let apart = "y,p,m\n1,0.9,A\n0,0.2,A\n0,0.7,B\n1,0.3,B\n";
    let results = json(apart, "--score p --model m");
    assert!(
        warns(&results, "do not line up") && results["comparisons"].as_array().is_some_and(Vec::is_empty)
    );
}

#[test]
fn impossible_requests_are_refused() {
    for level in ["0", "1", "95", "-0.5", "many"] {
        refused(TEN, &format!("--score a --level={level}"), 2, &["level"]);
    }
    refused(TEN, "--score a --bootstrap 5", 2, &["too few", "at least 50"]);
    refused(TEN, "--score a --bootstrap -5", 2, &["`-5` is no number of draws", "0 for none"]);
    refused("y,a\n1,0.9\n1,0.2\n", "--score a", 1, &["with one class only no model can be judged"]);
    refused(TEN, "--score a,b --margin -1", 2, &["margin", "0 or more"]);
}
