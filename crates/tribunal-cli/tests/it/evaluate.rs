//! `tribunal evaluate` as users run it: forms of input and output, and what other programs rely on.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::Value;

const WIDE: &str = "id,y,a,b,w,amount,fold\n1,1,0.9,0.8,1,10,x\n2,0,0.8,0.3,1,0,x\n3,1,0.8,0.7,2,20,y\n4,1,0.7,0.9,1,5,y\n5,0,0.6,0.2,1,0,x\n6,0,0.1,0.4,1,0,y\n";
const LONG: &str =
    "case,truth,p,model\n1,yes,0.9,A\n2,no,0.8,A\n3,yes,0.8,A\n1,yes,0.7,B\n2,no,0.1,B\n3,yes,0.6,B\n";

fn tribunal(folder: &tempfile::TempDir, args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
    command.args(args.split_whitespace()).current_dir(folder.path());
    command
}

fn folder_with(name: &str, content: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(name), content).expect("a file");
    folder
}

#[track_caller]
fn stdout(mut command: Command) -> String {
    let output = command.output().expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[track_caller]
fn json(command: Command) -> Value {
    serde_json::from_str(&stdout(command)).expect("JSON on standard output")
}

fn estimate(results: &Value, model: &str, metric: &str) -> f64 {
    let rows = results["metrics"].as_array().expect("rows");
    let row =
        rows.iter().find(|row| row["model"] == model && row["metric"] == metric && row["scope"] == "all");
    row.unwrap_or_else(|| panic!("no {metric} of {model}"))["estimate"].as_f64().expect("a figure")
}

#[test]
fn json_has_the_names_that_programs_rely_on() {
    let folder = folder_with("s.csv", WIDE);
    let results = json(tribunal(
        &folder,
        "evaluate s.csv --truth y --positive 1 --score a,b --fold fold --format json",
    ));
    for key in ["schema", "data", "metrics", "cuts", "comparisons", "verdict", "warnings"] {
        assert!(results.get(key).is_some(), "{key} is missing");
    }
    assert_eq!(results["schema"], "tribunal.evaluation/6");
    assert_eq!((&results["data"]["rows"], &results["data"]["positives"]), (&6.into(), &3.into()));
    assert_eq!(results["data"]["base_rate"], 0.5);
    let sha256 = results["data"]["sha256"].as_str().expect("a fingerprint");
    assert!(sha256.len() == 64 && sha256.chars().all(|c| c.is_ascii_hexdigit()));
    let row = &results["metrics"][0];
    for key in ["model", "metric", "estimate", "lower", "upper", "level", "method", "n"] {
        assert!(row.get(key).is_some(), "{key} is missing from {row}");
    }
    let cuts = &results["cuts"][0];
    assert_eq!((&cuts["model"], &cuts["complete"]), (&"a".into(), &true.into()));
    assert_eq!(cuts["cuts"]["cases"].as_array().and_then(|cases| cases.last()), Some(&6.into()));
    assert_eq!(results["fold_cuts"].as_array().map(Vec::len), Some(4));
    let usual = results["usual_cutoffs"].as_array().expect("cut-offs");
    let rules: Vec<&serde_json::Value> = usual.iter().map(|cutoff| &cutoff["asked"]).collect();
    assert_eq!(rules, ["youden", "max-f1", "youden", "max-f1"]);
    assert!(
        results["calibration"][0]["positives"].is_number()
            && results["hull"]["vertices"][1]["score"].is_number()
    );
    // Of nine pairs 0.9 wins three, 0.8 two and ties with one, 0.7 wins two.
    assert!((estimate(&results, "a", "auroc") - 7.5 / 9.0).abs() < 1e-12);
    let folds =
        results["metrics"].as_array().expect("rows").iter().filter(|row| row["scope"] == "mean").count();
    assert!(folds > 0 && results["averaged_roc"].as_array().is_some_and(|curves| curves.len() == 2));
}

#[test]
fn weights_count_rows() {
    let heavy = folder_with("s.csv", WIDE);
    let twice = folder_with("s.csv", &(WIDE.to_owned() + "7,1,0.8,0.7,1,20,y\n"));
    let weighted =
        json(tribunal(&heavy, "evaluate s.csv --truth y --positive 1 --score a --weight w --format json"));
    let repeated = json(tribunal(&twice, "evaluate s.csv --truth y --positive 1 --score a --format json"));
    for metric in ["auroc", "pcc", "brier", "average_precision", "lift@0.1"] {
        assert!(
            (estimate(&weighted, "a", metric) - estimate(&repeated, "a", metric)).abs() < 1e-12,
            "{metric}"
        );
    }
}

#[test]
fn long_form_standard_input_and_several_files_are_one_table() {
    let folder = folder_with("s.csv", LONG);
    let args = "--truth truth --positive yes --score p --model model --id case --format json";
    let file = json(tribunal(&folder, &format!("evaluate s.csv {args}")));
    assert_eq!(file["data"]["models"], serde_json::json!(["A", "B"]));
    assert_eq!((estimate(&file, "A", "auroc"), estimate(&file, "B", "auroc")), (0.75, 1.0));
    let mut piped = tribunal(&folder, &format!("evaluate - {args}"));
    piped.stdin(Stdio::from(fs::File::open(folder.path().join("s.csv")).expect("a file")));
    let piped = json(piped);
    assert_eq!((&piped["metrics"], &piped["data"]["sha256"]), (&file["metrics"], &file["data"]["sha256"]));
    let (header, rows) = LONG.split_once('\n').expect("a header");
    let (first, second) = rows.split_at(rows.find("1,yes,0.7").expect("model B"));
    fs::write(folder.path().join("part1.tsv"), format!("{header}\n{first}").replace(',', "\t"))
        .expect("a file");
    fs::write(folder.path().join("part2.tsv"), format!("{header}\n{second}").replace(',', "\t"))
        .expect("a file");
    let parts = json(tribunal(&folder, &format!("evaluate part*.tsv {args}")));
    assert_eq!(parts["metrics"], file["metrics"]);
}

#[test]
fn predicted_amounts_are_judged_against_the_true_ones() {
    let folder = folder_with("s.csv", WIDE);
    let args =
        "evaluate s.csv --truth y --positive 1 --score a --amount amount --predicted-amount w --format json";
    let results = json(tribunal(&folder, args));
    // |10-1| + 0+1 + |20-2| + |5-1| + 1 + 1 over six cases.
    assert!((estimate(&results, "a", "mae") - 34.0 / 6.0).abs() < 1e-12);
}

#[test]
fn every_format_is_written_whole_to_a_file() {
    let folder = folder_with("s.csv", WIDE);
    for (format, start) in [
        ("text", "Evaluation\n"),
        ("json", "{"),
        ("csv", "model,versus,metric,scope,fold"),
        ("markdown", "# Evaluation"),
        ("latex", "\\documentclass"),
    ] {
        let args = format!("evaluate s.csv --truth y --positive 1 --score a,b --format {format} -o out");
        assert_eq!(stdout(tribunal(&folder, &args)), "");
        let text = fs::read_to_string(folder.path().join("out")).expect("the results");
        assert!(text.starts_with(start) && text.ends_with('\n'), "{format}: {text}");
    }
}

#[test]
fn the_same_command_gives_the_same_bytes_whatever_the_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    stdout(tribunal(&folder, "demo --scores --quiet --keep claims.csv"));
    let run = |threads: &str| {
        let mut command = tribunal(
            &folder,
            "evaluate claims.csv --truth fraud --positive yes --score logit,forest --fold fold --amount paid --format json",
        );
        command.env("RAYON_NUM_THREADS", threads);
        stdout(command)
    };
    let one = run("1");
    assert_eq!(one, run("2"));
    assert_eq!(one, run("5"));
}

#[test]
fn text_of_a_small_file() {
    let folder = folder_with("s.csv", WIDE);
    insta::assert_snapshot!(stdout(tribunal(
        &folder,
        "evaluate s.csv --truth y --positive 1 --score a,b --amount amount --benefit-tp amount --cost-action 3 --at 10%,2"
    )));
}

#[test]
fn the_demonstration_runs_and_says_that_it_is_synthetic() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = tribunal(&folder, "demo --scores").output().expect("the command runs");
    assert!(output.status.success() && String::from_utf8_lossy(&output.stderr).contains("synthetic"));
    assert!(String::from_utf8_lossy(&output.stdout).contains("ranks best of 3 models"));
}

#[test]
fn lists_completions_and_manual_come_from_the_same_definitions() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = json(tribunal(&folder, "metrics --format json"));
    assert!(
        list["metrics"]
            .as_array()
            .is_some_and(|metrics| metrics.iter().any(|metric| metric["id"] == "h_measure"))
    );
    assert!(stdout(tribunal(&folder, "completions bash")).contains("--truth"));
    assert!(stdout(tribunal(&folder, "man evaluate")).contains("\\-\\-truth"));
}

#[test]
fn of_many_segments_the_largest_are_shown() {
    let mut table = String::from("y,s,shop,channel\n");
    for row in 0..3500_u32 {
        let mixed = row.wrapping_mul(2_654_435_761) >> 16;
        // Shop 7 has the fewest rows.
        let shop = if row % 35 == 7 && row > 700 { 8 } else { row % 35 };
        let y = u32::from(mixed % 100 + mixed % 71 >= 110);
        table += &format!("{y},0.{:02},{shop},{}\n", mixed % 100, ["web", "desk"][(mixed % 3 % 2) as usize]);
    }
    let folder = folder_with("s.csv", &table);
    let text = stdout(tribunal(&folder, "evaluate s.csv --truth y --positive 1 --score s --by shop"));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("By shop"), "{text}");
    assert!(
        text.contains("s by shop (the largest 20 of 35 segments; the other 15: --format csv or json)"),
        "{text}"
    );
    assert!(
        text.contains("No segment is shown to be worse than the others for s (nearest to it where shop is"),
        "{text}"
    );
    let json = json(tribunal(
        &folder,
        "evaluate s.csv --truth y --positive 1 --score s --by shop,channel --format json",
    ));
    let segments = json["segments"]["segments"].as_array().expect("segments");
    assert_eq!((segments.len(), &segments[2]["labels"]), (70, &serde_json::json!(["1", "desk"])));
    // What is kept is reported as it was.
    fs::write(folder.path().join("kept.json"), json.to_string()).expect("a file");
    let of_two = "evaluate s.csv --truth y --positive 1 --score s --by shop,channel --format markdown";
    let again = stdout(tribunal(&folder, "report kept.json --format markdown"));
    assert!(
        again.contains("## By shop and channel") && again.contains("the largest 20 of 70 segments"),
        "{again}"
    );
    assert_eq!(again, stdout(tribunal(&folder, of_two)));
}
