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
pub(crate) fn text(csv: &str, args: &str) -> String {
    let output = run(csv, args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[track_caller]
pub(crate) fn json(csv: &str, args: &str) -> Value {
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
pub(crate) fn row<'a>(results: &'a Value, model: &str, metric: &str) -> &'a Value {
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

pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

#[track_caller]
fn close(found: &Value, expected: f64) {
    assert!((number(found) - expected).abs() < 1e-6, "{found}, expected {expected}");
}

pub(crate) fn warns(results: &Value, words: &str) -> bool {
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
    // Wilson's interval on the effective number of cases, worked out in numpy.
    assert_eq!((&auroc["method"], &auroc["level"]), (&"effective_wilson".into(), &0.95.into()));
    close(&auroc["lower"], 0.289_897_282_514_860_35);
    close(&auroc["upper"], 0.930_246_284_877_382_8);
    let pcc = row(&results, "a", "pcc");
    // Six of ten right at 0.5, by Wilson.
    assert_eq!(pcc["method"], "wilson");
    close(&pcc["lower"], 0.312674);
    close(&pcc["upper"], 0.831820);
    for (metric, method) in [
        ("average_precision", "effective_wilson"),
        ("brier", "influence_log"),
        ("f1", "effective_wilson"),
        ("mcc", "fisher_z"),
        ("ks", "square_and_add"),
        ("h_measure", "bootstrap_wilson"),
        ("auroc_100", "effective_wilson"),
    ] {
        let row = row(&results, "a", metric);
        assert_eq!(row["method"], method, "{metric}");
        assert!(number(&row["lower"]) <= number(&row["upper"]), "{row}");
    }
    // One case says nothing of others.
    let top_tenth = row(&results, "a", "lift@0.1");
    assert_eq!(
        (&top_tenth["lower"], &top_tenth["no_interval"]["reason"]),
        (&Value::Null, &"short_list".into())
    );
    close(&row(&json(TEN, "--score a --level 0.8"), "a", "auroc")["level"], 0.8);
}

#[test]
fn replicates_are_for_figures_without_a_formula() {
    let results = json(&claims(400), "--score good --bootstrap 1000 --metrics h_measure,brier");
    assert_eq!(row(&results, "good", "h_measure")["method"], "bootstrap_wilson");
    assert_eq!(row(&results, "good", "brier")["method"], "influence_log");
    let undrawn = json(TEN, "--score a --bootstrap 0");
    assert_eq!(row(&undrawn, "a", "h_measure")["method"], Value::Null);
    assert_eq!(row(&undrawn, "a", "brier")["method"], "influence_log");
}

#[test]
fn weighted_rows_count_as_many_as_vary_alike() {
    let results = json(TEN, "--score a,b --weight w");
    for metric in ["auroc", "pcc", "sensitivity"] {
        assert_eq!(row(&results, "a", metric)["method"], "effective_wilson", "{metric}");
    }
    assert_eq!(comparison(&results, "auroc", "delong")["a"], "a");
    let all_one = TEN.lines().map(|line| {
        format!("{line},one\n").replace(",one", if line.starts_with("id") { ",one" } else { ",1" })
    });
    let results = json(&all_one.collect::<String>(), "--score a --weight one --metrics auroc");
    let plain = json(TEN, "--score a --metrics auroc");
    assert_eq!(row(&results, "a", "auroc")["lower"], row(&plain, "a", "auroc")["lower"]);
}

#[test]
fn intervals_say_which_samples_they_speak_of() {
    let csv = claims(400);
    let check = |args: &str, words: &str| {
        let text = text(&csv, &format!("--score good {args}"));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(words), "{text}");
    };
    check("", "speak of other samples of cases, in which the base rate varies too");
    check("--fixed-base-rate", "speak of other samples with as many positives and as many negatives");
    let width = |args: &str, metric: &str| {
        let results = json(&csv, &format!("--score good {args}"));
        let row = row(&results, "good", metric);
        number(&row["upper"]) - number(&row["lower"])
    };
    assert!(width("--fixed-base-rate", "lift@0.1") < width("", "lift@0.1"));
    close(&width("--fixed-base-rate", "auroc").into(), width("", "auroc"));
}

#[test]
fn figures_at_chosen_cutoffs_are_corrected() {
    let results = json(&claims(400), "--score good --threshold youden,0.5 --metrics sensitivity,f1");
    let rows = results["metrics"].as_array().expect("rows");
    for row in rows {
        let is_chosen = row["cutoff"] == "youden";
        assert_eq!(row["corrected"].is_number(), is_chosen, "{row}");
        if is_chosen {
            let corrected = number(&row["corrected"]);
            assert!(corrected < number(&row["estimate"]), "{row}");
            assert!(number(&row["lower"]) < corrected && corrected < number(&row["upper"]), "{row}");
        }
    }
}

/// An interval excludes zero if and only if its p value is below the level.
#[test]
fn tests_and_intervals_agree() {
    for (n, level) in [(60, 0.95), (400, 0.95), (400, 0.8), (2000, 0.99)] {
        let results = json(&claims(n), &format!("--score good,fair,poor --level {level}"));
        let rows = results["comparisons"].as_array().expect("rows");
        assert!(rows.len() > 50, "{}", rows.len());
        for row in rows {
            let excludes = number(&row["lower"]) > 0.0 || number(&row["upper"]) < 0.0;
            assert_eq!(excludes, number(&row["p"]) < 1.0 - level, "{row}");
        }
    }
}

#[test]
fn differences_carry_their_tests() {
    let results = json(TEN, "--score a,b");
    let delong = comparison(&results, "auroc", "delong");
    close(&delong["difference"], -0.14);
    // DeLong's standard error with Student's t, worked out in numpy.
    close(&delong["p"], 0.546_262_211_709_436);
    close(&delong["p_adjusted"], 0.546_262_211_709_436);
    close(&delong["lower"], -0.640_214_540_042_482_6);
    close(&comparison(&results, "gini", "delong")["difference"], -0.28);
    let paired = comparison(&results, "pcc", "paired_proportions");
    // At 0.5 model a is wrong on cases 3, 5, 7, 9 and model b on 5, 6, 7: one more and one less.
    close(&paired["difference"], -0.1);
    close(&paired["p"], 0.651_998_473_9);
    close(&comparison(&results, "error_rate", "paired_proportions")["difference"], 0.1);
    assert!(number(&comparison(&results, "brier", "influence")["p"]) > 0.0);
    assert!(number(&comparison(&results, "h_measure", "bootstrap")["p"]) > 0.0);
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
        // Ranges and ranks have no interval of a difference, and that of another test would disagree with their p values.
        if ["duncan", "nemenyi"].contains(&test) {
            assert!(row["lower"].is_null() && row["upper"].is_null(), "{row}");
        } else {
            let (lower, upper) = (number(&row["lower"]), number(&row["upper"]));
            assert!(lower < number(&row["difference"]), "{row}");
            assert_eq!(lower > 0.0 || upper < 0.0, number(&row["p"]) < 0.05, "{row}");
        }
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
    assert_eq!(mean["method"], "fold_t");
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
    let (csv, args) = (claims(300), "--score good --metrics h_measure --seed");
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
