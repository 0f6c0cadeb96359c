//! Slips of a new user: a label that is not there, one class only, columns and files in the wrong place. Each is told, and what
//! is as it should be brings no caution.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        files.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).expect("a file"));
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn run(&self, args: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
        command.args(args.split_whitespace()).current_dir(self.path()).output().expect("the command runs")
    }

    /// The message of a command that fails with this code and writes nothing.
    #[track_caller]
    fn failure(&self, code: i32, args: &str) -> String {
        let output = self.run(args);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{args}: {message}");
        assert!(output.stdout.is_empty(), "{args}");
        message
    }

    /// The warnings of an evaluation as text says them; JSON says the same, but for the words of the command line.
    #[track_caller]
    fn warnings(&self, args: &str) -> Vec<String> {
        let output = self.run(&format!("evaluate {args} --format json"));
        assert!(output.status.success(), "{args}: {}", String::from_utf8_lossy(&output.stderr));
        let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let warnings = json["warnings"].as_array().expect("warnings");
        let text = self.run(&format!("evaluate {args}"));
        let text = String::from_utf8_lossy(&text.stdout).into_owned();
        let (_, list) = text.split_once("- Note: ").unwrap_or_default();
        let list = list.split("\n\n").next().unwrap_or_default();
        let notes = list.split("- Note: ").take(warnings.len());
        let notes: Vec<String> =
            notes.map(|note| note.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        for (warning, note) in warnings.iter().zip(&notes) {
            let sentence = warning["sentence"].as_str().expect("a sentence");
            let read: tribunal::Warning = serde_json::from_value(warning.clone()).expect("a warning");
            assert_eq!(read.message().to_string(), sentence);
            assert!(sentence == note || sentence.contains('`'), "{sentence} / {note}");
        }
        assert_eq!(warnings.len(), notes.iter().filter(|note| !note.is_empty()).count(), "{text}");
        notes
    }

    /// One warning, and one only, says all of this.
    #[track_caller]
    fn check(&self, args: &str, words: &[&str]) {
        let warnings = self.warnings(args);
        let says = |warning: &&String| words.iter().all(|words| warning.contains(words));
        assert_eq!(warnings.iter().filter(says).count(), 1, "{args}: {warnings:#?} do not say {words:?}");
    }
}

/// Four hundred cases with a probability, a percentage, a class, a margin, an amount, a weight and a fold.
fn scores() -> String {
    let mut table = String::from("case,fraud,p,percent,class,margin,paid,weight,fold,region\n");
    for row in 0..400_u64 {
        let mixed = row.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
        let p = (mixed % 1000) as f64 / 1000.0;
        let is_fraud = (mixed / 1000 % 1000) as f64 / 1000.0 < p * p;
        let paid = ((mixed % 97 + 3) * (mixed % 89 + 1)) as f64 * 1.17;
        let (percent, class, margin) = (100.0 * p, u8::from(p >= 0.5), 6.0 * p - 3.0);
        let (weight, fold, region) =
            (1 + mixed % 3, row % 5, ["north", "south", "east"][(mixed % 3) as usize]);
        let fraud = if is_fraud { "yes" } else { "no" };
        writeln!(
            table,
            "c{row},{fraud},{p},{percent},{class},{margin},{paid:.2},{weight},fold{fold},{region}"
        )
        .expect("a row");
    }
    table
}

const TRUTH: &str = "scores.csv --truth fraud --positive yes";

#[test]
fn a_label_that_is_not_there_is_refused_by_every_verb() {
    let three = "x,y\n1,legit\n2,fraud\n3,suspect\n4,legit\n5,fraud\n6,legit\n";
    let folder = Folder::new(&[("scores.csv", &scores()), ("three.csv", three)]);
    let check = |args: &str, words: &[&str]| {
        let message = folder.failure(1, args);
        words.iter().for_each(|words| assert!(message.contains(words), "{args}: {message}"));
    };
    let listed = ["no row of column \"fraud\" is \"1\"", "\"no\" (", "\"yes\" ("];
    check("evaluate scores.csv --truth fraud --positive 1 --rest-is-negative --score p", &listed);
    check("evaluate scores.csv --truth fraud --positive 1 --score p", &listed);
    let near = ["\"yess\" (did you mean \"yes\"?); it holds \"yes\" ("];
    check("evaluate scores.csv --truth fraud --positive yess --score p", &near);
    for verb in ["describe", "split --design cv:3", "bias --kind feature --column p", "cross --learner nb"] {
        check(&format!("{verb} scores.csv --target fraud --positive yess"), &near);
    }
    check("fit scores.csv --target fraud --positive yess --learner nb -o m.json", &near);
    check("study scores.csv --target fraud --positive yess --learners nb --run run", &near);
    check("init scores.csv --target fraud --positive yess --stdout", &near);
    let message = folder.failure(2, "bias scores.csv --kind class --class yess --target fraud");
    assert!(message.contains("did you mean \"yes\"?"), "{message}");
    check("describe three.csv --target y --positive {fraud,suspct}", &["did you mean \"suspect\"?"]);
    check("split three.csv --design cv:2 --target y --positive fruad", &["did you mean \"fraud\"?"]);
}

#[test]
fn one_class_names_no_best_model() {
    let rows = |label: &str| (0..30).map(|row| format!("{label},0.{row:02},0.5\n")).collect::<String>();
    let one = format!("y,a,b\n{}", rows("1"));
    let none = format!("y,a,b\n{}", rows("0"));
    let weightless = format!("y,a,b,w\n{}1,0.5,0.5,0\n", rows("0").replace("0.5\n", "0.5,1\n"));
    let folder = Folder::new(&[("one.csv", &one), ("none.csv", &none), ("weightless.csv", &weightless)]);
    for (args, words) in [
        ("one.csv", "every row of column \"y\" is \"1\": with one class only no model can be judged"),
        ("none.csv", "no row of column \"y\" is \"1\""),
        ("none.csv --rest-is-negative", "with one class only"),
        ("weightless.csv --weight w", "no row with a weight above zero"),
    ] {
        let message = folder.failure(1, &format!("evaluate {args} --truth y --positive 1 --score a,b"));
        assert!(message.contains(words) && !message.contains("best"), "{args}: {message}");
    }
}

#[test]
fn amounts_in_the_place_of_weights_are_told() {
    let folder = Folder::new(&[("scores.csv", &scores())]);
    let words = ["\"paid\" looks like an amount of money", "400 rows count like", "--amount"];
    folder.check(&format!("{TRUTH} --score p --weight paid"), &words);
    let both = ["\"paid\" is both the weight and the amount", "--amount alone"];
    folder.check(&format!("{TRUTH} --score p --weight paid --amount paid"), &both);
    let mut uneven = String::from("y,s,w\n");
    for row in 0..300 {
        let weight = if row == 7 { 90_000.125 } else { 0.125 };
        writeln!(uneven, "{},0.{row:03},{weight}", u8::from(row % 4 == 0)).expect("a row");
    }
    let folder = Folder::new(&[("s.csv", &uneven)]);
    folder.check("s.csv --truth y --positive 1 --score s --weight w", &["300 rows count like 1 (", "uneven"]);
}

#[test]
fn a_file_that_is_given_twice_is_told() {
    let folder = Folder::new(&[("scores.csv", &scores())]);
    fs::copy(folder.path().join("scores.csv"), folder.path().join("copy.csv")).expect("a copy");
    let rest = "--truth fraud --positive yes --score p";
    folder.check(&format!("scores.csv scores.csv {rest}"), &["scores.csv is given twice", "count twice"]);
    folder.check(&format!("scores.csv ./scores.csv {rest}"), &["the same file as scores.csv"]);
    folder.check(&format!("scores.csv s*.csv {rest}"), &["scores.csv is given twice"]);
    folder.check(&format!("scores.csv copy.csv {rest}"), &["copy.csv has the same bytes as scores.csv"]);
    for verb in ["describe", "fit --learner nb -o m.json", "cross --learner nb -o out.csv"] {
        let output = folder.run(&format!("{verb} scores.csv copy.csv --target fraud --positive yes"));
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("copy.csv has the same bytes as scores.csv"), "{verb}: {said}");
    }
}

#[test]
fn models_below_each_other_are_told() {
    let mut long = String::from("case,model,y,p,part\n");
    for row in 0..60 {
        let case = row / 2;
        let (y, p) = (u8::from(case % 3 == 0), f64::from(row * 37 % 100) / 100.0);
        writeln!(long, "{case},{},{y},{p},x", ["logit", "tree"][row as usize % 2]).expect("a row");
    }
    let without_ids: String =
        long.lines().map(|line| line.split(',').skip(1).collect::<Vec<_>>().join(",") + "\n").collect();
    let folder = Folder::new(&[("long.csv", &long), ("short.csv", &without_ids)]);
    let rest = "--truth y --positive 1 --score p";
    let words = ["every case of \"case\" stands 2 times", "--model model --id case"];
    folder.check(&format!("long.csv {rest}"), &words);
    folder.check(&format!("short.csv {rest}"), &["add --model model"]);
    let message = folder.failure(1, &format!("evaluate long.csv {rest} --id case"));
    assert!(message.contains("--model"), "{message}");
    let warnings = folder.warnings(&format!("long.csv {rest} --model model --id case"));
    assert!(!warnings.iter().any(|warning| warning.contains("--model")), "{warnings:?}");
}

#[test]
fn classes_percentages_and_numbers_of_rows_are_no_scores() {
    let folder = Folder::new(&[("scores.csv", &scores())]);
    folder.check(&format!("{TRUTH} --score class"), &["class are 0 and 1 only", "predicted classes"]);
    folder
        .check(&format!("{TRUTH} --score percent"), &["percent look like percentages", "divide them by 100"]);
    let rows: String = (1..=60).map(|row| format!("{row},{}\n", u8::from(row % 4 == 0))).collect();
    let folder = Folder::new(&[("s.csv", &format!("id,y\n{rows}"))]);
    folder.check("s.csv --truth y --positive 1 --score id", &["number the rows from 1 to 60"]);
}

/// Two thousand cases with probabilities that hold, others whose log-odds are doubled or halved, and a hundred folds.
fn probabilities() -> String {
    let mut random = tribunal::Random::new(5);
    let mut table = String::from("y,right,extreme,timid,fold\n");
    for row in 0..2000 {
        let p = 0.05 + 0.9 * random.uniform();
        let y = u8::from(random.uniform() < p);
        let spread = |power: f64| p.powf(power) / (p.powf(power) + (1.0 - p).powf(power));
        writeln!(table, "{y},{p},{},{},{}", spread(2.0), spread(0.5), row / 20).expect("a row");
    }
    table
}

#[test]
fn probabilities_that_are_too_extreme_or_too_timid_are_told() {
    let folder = Folder::new(&[("p.csv", &probabilities())]);
    let truth = "p.csv --truth y --positive 1";
    folder.check(
        &format!("{truth} --score right,extreme,timid"),
        &["calibration is poor", "extreme are too extreme (slope 0.", "recalibrate them"],
    );
    folder.check(&format!("{truth} --score right,timid"), &["timid are too timid (slope "]);
    let sound = folder.warnings(&format!("{truth} --score right"));
    assert!(!sound.iter().any(|warning| warning.contains("calibration")), "{sound:?}");
}

#[test]
fn small_folds_are_told() {
    let folder = Folder::new(&[("p.csv", &probabilities())]);
    let args = "p.csv --truth y --positive 1 --score right,extreme --fold fold";
    folder.check(args, &["few positives", "in a test part"]);
    folder.check(args, &["unstable folds: AUROC of "]);
}

#[test]
fn a_cut_off_beyond_all_scores_is_told() {
    let folder = Folder::new(&[("scores.csv", &scores())]);
    let check = |threshold: &str, words: &[&str]| {
        folder.check(&format!("{TRUTH} --score p --threshold {threshold}"), words);
    };
    check("200", &["--threshold 200: no score of p is that high", "nobody is flagged", "top:200"]);
    check("5", &["nobody is flagged", "top:5", "5% for a share"]);
    check("-2", &["every score of p is that high", "everybody is flagged"]);
}

#[test]
fn ordinary_requests_bring_no_caution() {
    let folder = Folder::new(&[("scores.csv", &scores())]);
    let signs = [
        "--model",
        "money",
        "uneven",
        "twice",
        "same bytes",
        "predicted classes",
        "percentages",
        "number the rows",
        "--threshold 0",
        "is flagged",
    ];
    let check = |args: &str| {
        for warning in folder.warnings(args) {
            assert!(!signs.iter().any(|sign| warning.contains(sign)), "{args}: {warning}");
        }
    };
    check(&format!("{TRUTH} --score p,margin --weight weight --amount paid --fold fold --id case"));
    check(&format!("{TRUTH} --score p --threshold 0.5,0.9,10%,top:50"));
    check(&format!("{TRUTH} --score margin --threshold 0"));
    let output = folder.run("demo --scores --keep demo.csv --format json");
    assert!(output.status.success());
    check(
        "demo.csv --truth fraud --positive yes --score logit,forest,scorecard --amount paid --fold fold --id claim",
    );
    check("demo.csv --truth fraud --positive yes --score logit,forest,scorecard");
}

/// A table as a spreadsheet with a decimal comma writes it, with empty columns behind the last one.
fn spreadsheet() -> String {
    let row = |row: u32| {
        let label = if row.is_multiple_of(3) { "Ja" } else { "Nein" };
        format!("{},{:03};{} €;{label};;\n", row % 7, row * 37 % 1000, row * 5 % 90)
    };
    "quote;betrag;betrug;;\n".to_owned() + &(0..60).map(row).collect::<String>()
}

#[test]
fn numbers_in_another_notation_are_no_categories() {
    let folder = Folder::new(&[("de.csv", &spreadsheet()), ("en.csv", &spreadsheet().replace(',', "."))]);
    let described = folder.run("describe de.csv --target betrug");
    let text = String::from_utf8_lossy(&described.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(described.status.success() && text.contains("betrug is Ja in 20 rows"), "{text}");
    assert!(text.contains("\"quote\" holds numbers in a notation that is not read, such as \"0,"), "{text}");
    assert!(text.contains("\"betrag\" holds numbers in a notation"), "{text}");
    for verb in ["fit de.csv --learner nb -o m.json", "study de.csv --learners nb;logit"] {
        let message = folder.failure(1, &format!("{verb} --target betrug --positive Ja"));
        assert!(message.contains("\"quote\": it holds numbers in a notation that is not read"), "{message}");
        assert!(message.contains("--kind quote=categorical"), "{message}");
    }
    let fitted = folder
        .run("fit en.csv --learner nb --target betrug --positive Ja --kind betrag=ignore --quiet -o m.json");
    assert!(fitted.status.success(), "{}", String::from_utf8_lossy(&fitted.stderr));
    let message = folder.failure(1, "score m.json de.csv");
    assert!(message.contains("write numbers with a decimal point"), "{message}");
}

#[test]
fn what_counts_as_negative_is_listed() {
    let folder = Folder::new(&[("m.csv", "y,s\nY,0.9\nyes,0.8\nN,0.3\nno,0.1\npending,0.5\n")]);
    let words =
        ["every label but \"Y\" counts as negative: \"yes\", \"N\", \"no\", \"pending\"", "the same as"];
    folder.check("m.csv --truth y --positive Y --score s --rest-is-negative", &words);
    let message = folder.failure(1, "evaluate m.csv --truth y --positive Y --score s");
    assert!(message.contains("the column holds \"Y\" (1 row), \"yes\" (1 row)"), "{message}");
}

#[test]
fn equal_scores_and_cut_offs_that_flag_nobody_are_told() {
    let rows: String = (0..40).map(|row| format!("{},0.5,0.0{row:02}1\n", u32::from(row % 4 == 0))).collect();
    let folder = Folder::new(&[("s.csv", &format!("y,same,low\n{rows}"))]);
    folder.check("s.csv --truth y --positive 1 --score same", &["every score of same is 0.5"]);
    folder.check(
        "s.csv --truth y --positive 1 --score low",
        &["at the customary cut-off nobody is flagged by low"],
    );
}

#[test]
fn a_handful_of_positives_shows_nothing() {
    let rows: String = (0..500).map(|row| format!("{},{row}.5\n", u32::from(row == 330))).collect();
    let folder = Folder::new(&[("s.csv", &format!("y,s\n{rows}"))]);
    let output = folder.run("evaluate s.csv --truth y --positive 1 --score s");
    let text = String::from_utf8_lossy(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("s is not shown to be better than a random order"), "{text}");
}

#[test]
fn costs_replicates_and_cores_have_bounds() {
    let folder = Folder::new(&[("s.csv", &scores())]);
    for (options, words) in [
        ("--benefit-tp nan", "`nan`, which is no number"),
        ("--benefit-tp 1e308", "`1e308` is no amount"),
        ("--benefit-tp 5 --cost-action inf", "`inf`, which is no number"),
        ("--bootstrap 1000000000", "say no more than 10000"),
    ] {
        let message =
            folder.failure(2, &format!("evaluate s.csv --truth fraud --positive yes --score p {options}"));
        assert!(message.contains(words), "{message}");
    }
    let message = folder.failure(2, "study s.csv --target fraud --jobs 1000000");
    assert!(message.contains("write at most 1024"), "{message}");
    let message = folder.failure(2, "split s.csv --target fraud --design bootstrap:4000000000 -o x.csv");
    assert!(message.contains("are needed"), "{message}");
}
