//! `tribunal fit`, `score` and `explain` as users run them: trained, kept, applied to other tables, explained.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// A folder in which commands run.
struct Folder(tempfile::TempDir);

impl Folder {
    /// A folder with a table `train.csv` and nothing else.
    fn new() -> Self {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        folder.write("train.csv", claims(0..120));
        folder
    }

    /// The same with a model of the table.
    fn with_model() -> Self {
        Folder::with_model_of("majority")
    }

    fn with_model_of(learner: &str) -> Self {
        let folder = Folder::new();
        let fit = "fit train.csv --target fraud --positive yes -o model.json -q --learner";
        folder.stdout(&format!("{fit} {learner}"));
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path().join(name), content).expect("a file");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).expect("a text")
    }

    fn run(&self, args: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_tribunal"))
            .args(args.split_whitespace())
            .current_dir(self.path())
            .output()
            .expect("the command runs")
    }

    #[track_caller]
    fn stdout(&self, args: &str) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{args}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    }

    #[track_caller]
    fn stderr(&self, args: &str) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{args}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stderr).expect("text")
    }

    #[track_caller]
    fn json(&self, args: &str) -> Value {
        serde_json::from_str(&self.stdout(&format!("{args} --format json"))).expect("JSON")
    }

    /// The command must fail with this code, say all of this, and write nothing.
    #[track_caller]
    fn fails(&self, args: &str, code: i32, says: &[&str]) {
        let n_before = fs::read_dir(self.path()).expect("a folder").count();
        let output = self.run(args);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args}: {message}");
        says.iter().for_each(|words| assert!(message.contains(words), "{message:?} does not say {words:?}"));
        assert!(output.stdout.is_empty(), "something was printed");
        assert_eq!(fs::read_dir(self.path()).expect("a folder").count(), n_before, "a file was left behind");
    }
}

/// Claims with an id, a flag, categories, numbers with gaps, and a target.
fn claims(rows: std::ops::Range<u32>) -> String {
    let mut table = String::from("claim,night,make,lag,paid,fraud\n");
    for row in rows {
        let make = ["Fiat", "Opel", "Volvo"][(row * row / 7) as usize % 3];
        let lag = if row % 11 == 5 { String::new() } else { (row * 7 % 45).to_string() };
        let night = if row % 5 < 2 { "yes" } else { "no" };
        let fraud = if (row * 13 + row / 3) % 4 == 0 { "yes" } else { "no" };
        writeln!(table, "C-{row:03},{night},{make},{lag},{}.50,{fraud}", row * 3 % 17).expect("written");
    }
    table
}

/// Every example of every learner.
fn learners(folder: &Folder) -> Vec<String> {
    let list = folder.json("learners");
    assert_eq!(list["schema"], "tribunal.learners/1");
    let forms = list["learners"].as_array().expect("learners").iter();
    let examples = forms.flat_map(|form| form["examples"].as_array().expect("examples"));
    examples.map(|example| example["learner"].as_str().expect("a text").to_owned()).collect()
}

fn column<'a>(csv: &'a str, name: &str) -> Vec<&'a str> {
    let place = csv.lines().next().and_then(|header| header.split(',').position(|found| found == name));
    let place = place.unwrap_or_else(|| panic!("no {name} in {csv}"));
    csv.lines().skip(1).map(|line| line.split(',').nth(place).unwrap_or_default()).collect()
}

#[test]
fn every_learner_is_trained_scored_judged_and_explained() {
    let folder = Folder::new();
    folder.write("new.csv", claims(200..260));
    let learners = learners(&folder);
    assert!(learners.contains(&"majority".to_owned()));
    for learner in learners {
        let fit = format!("fit train.csv --target fraud --positive yes --learner {learner} -o model.json");
        let summary = folder.json(&fit);
        assert_eq!((&summary["rows"], &summary["columns"]), (&120.into(), &4.into()), "{summary}");
        assert_eq!(summary["classes"][1]["class"], "yes");
        let n_bytes = fs::metadata(folder.path().join("model.json")).expect("a model").len();
        assert_eq!(summary["bytes"], n_bytes);
        folder.stdout("score model.json new.csv -o scores.parquet -q");
        let judged = folder.json("evaluate scores.parquet --truth fraud --positive yes --score score");
        assert_eq!(judged["data"]["rows"], 60, "{learner}");
        let csv = folder.stdout("score model.json new.csv -q");
        assert!(csv.starts_with("claim,fraud,score,predicted\nC-200,no,"), "{csv}");
        assert_eq!(csv.lines().count(), 61);
        let scores: Vec<f64> =
            column(&csv, "score").iter().map(|score| score.parse().expect("a number")).collect();
        let explained = folder.json("explain model.json new.csv --rows 1-3");
        let is_margin = explained["rows"][0]["output"] == "margins";
        assert_eq!(is_margin, learner.contains("svm"), "{learner}");
        for (score, class) in scores.iter().zip(column(&csv, "predicted")) {
            assert!(is_margin || (0.0..=1.0).contains(score));
            assert_eq!(class == "yes", *score >= if is_margin { 0.0 } else { 0.5 }, "{learner}");
        }
        for (row, score) in explained["rows"].as_array().expect("rows").iter().zip(&scores) {
            assert_eq!(row["scores"][1]["score"].as_f64(), Some(*score), "{learner}");
            let reasons = &row["reasons"];
            let total = reasons["items"].as_array().and_then(|items| items.last()?["total"].as_f64());
            let probability = match reasons["form"].as_str() {
                Some("evidence") => total.map(|log_odds| 1.0 / (1.0 + (-log_odds).exp())),
                Some("contributions") => total,
                _ => None,
            };
            let adds_up = |sum: f64| (sum - score).abs() < 1e-9;
            assert!(probability.is_none_or(adds_up), "{learner}: {row}");
        }
        assert!(folder.stdout("explain model.json").starts_with(&learner));
    }
}

#[test]
fn the_claims_study_is_fitted_scored_and_judged() {
    let folder = Folder::new();
    folder.stdout("generate claims --quiet -o claims.csv");
    folder.stdout("fit claims.csv --schema claims --target 4+ --learner majority -o model.json -q");
    folder.stdout("score model.json claims.csv -q -o scores.csv");
    let scores = folder.read("scores.csv");
    assert!(scores.starts_with("4+,score,predicted\nnot >=4,0.28"), "{}", &scores[..80]);
    let judged = folder.json("evaluate scores.csv --truth 4+ --positive >=4 --score score");
    assert_eq!((&judged["data"]["rows"], &judged["data"]["positives"]), (&1399.into(), &396.into()));
    // The table has a score of its own, which nobody may take for the model's.
    folder.fails("score model.json claims.csv --keep all -o all.csv", 2, &["\"score\"", "--score-name"]);
    folder.stdout("score model.json claims.csv --keep all --score-name p -q -o all.csv");
    let all = folder.read("all.csv");
    assert!(all.lines().next().is_some_and(|header| header.ends_with(",PAID,score,code,4+,p,p_predicted")));
    // A rule on a column that bears the name of the score.
    folder.stdout("fit claims.csv --target score --positive >=4 --learner majority -o rule.json -q");
    folder.fails("score rule.json claims.csv -o rule.csv", 2, &["\"score\"", "--score-name"]);
    folder.stdout("score rule.json claims.csv --score-name p -q -o rule.csv");
    let judged = folder.json("evaluate rule.csv --truth score --positive >=4 --score p");
    assert_eq!(judged["data"]["positives"], 396);
}

/// Rows of forty zero-inflated columns, of which naive Bayes is surer than doubles near one can say; the class comes last.
fn zero_inflated(n_rows: u64) -> Vec<[f64; 41]> {
    let uniform = |row: u64, column: u64, draw: u64| {
        let mut z =
            row.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (column * 4 + draw).wrapping_mul(0xD1B5_4A32_D192_ED03);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    };
    let row = |row: u64| {
        let class = u64::from(uniform(row, 99, 0) < 0.4);
        std::array::from_fn(|column| match column as u64 {
            40 => class as f64,
            column if uniform(row, column, 0) < 0.8 - 0.1 * class as f64 => 0.0,
            column => {
                let tail = 0.005 + 0.045 * ((class + column) % 2) as f64;
                (10.0 / (uniform(row, column, 1) + tail)).floor() / 100.0
            }
        })
    };
    (0..n_rows).map(row).collect()
}

/// The log-odds of naive Bayes with normal densities, less the prior's.
fn log_odds(rows: &[[f64; 41]]) -> Vec<f64> {
    let mut found = vec![0.0; rows.len()];
    for column in 0..40 {
        let moments = |class: f64| {
            let own = || rows.iter().filter(|row| row[40] == class).map(|row| row[column]);
            let n = own().count() as f64;
            let mean = own().sum::<f64>() / n;
            (mean, (own().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt())
        };
        let [negative, positive] = [0.0, 1.0].map(moments);
        let density = |x: f64, (mean, sd): (f64, f64)| -0.5 * ((x - mean) / sd).powi(2) - sd.ln();
        for (found, row) in found.iter_mut().zip(rows) {
            *found += density(row[column], positive) - density(row[column], negative);
        }
    }
    found
}

/// The share of pairs of both classes that numbers without ties rank as they should.
fn auroc(numbers: &[f64], rows: &[[f64; 41]]) -> f64 {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
    let (mut negatives, mut pairs) = (0.0, 0.0);
    for row in order {
        if rows[row][40] == 1.0 { pairs += negatives } else { negatives += 1.0 }
    }
    pairs / (negatives * (rows.len() as f64 - negatives))
}

#[test]
fn the_ranking_of_a_very_sure_model_survives_in_every_file() {
    let folder = Folder::new();
    let rows = zero_inflated(3000);
    let line = |row: &[f64; 41]| row.map(|number| number.to_string()).join(",") + "\n";
    let header = (0..40).map(|column| format!("word{column},")).collect::<String>() + "spam\n";
    folder.write("mail.csv", header + &rows.iter().map(line).collect::<String>());
    folder.stdout("fit mail.csv --target spam --positive 1 --learner nb -o nb.json -q");
    let log_odds = log_odds(&rows);
    assert!(log_odds.iter().filter(|odds| odds.abs() > 40.0).count() > 300, "the model is not very sure");
    for file in ["scores.csv", "scores.parquet", "scores.jsonl"] {
        folder.stdout(&format!("score nb.json mail.csv -q -o {file}"));
        let judged = folder.json(&format!("evaluate {file} --truth spam --positive 1 --score score"));
        let results = judged["metrics"].as_array().expect("figures");
        let found = results.iter().find(|row| row["metric"] == "auroc").expect("an AUROC");
        let (found, expected) = (found["estimate"].as_f64().expect("a number"), auroc(&log_odds, &rows));
        assert!((found - expected).abs() < 1e-6, "{file}: {found} is not {expected}");
    }
    let csv = folder.read("scores.csv");
    let mut scores: Vec<f64> =
        column(&csv, "score").iter().map(|score| score.parse().expect("a number")).collect();
    assert!(scores.iter().all(|&score| score > 0.0 && score < 1.0), "a score is 0 or 1");
    scores.sort_by(f64::total_cmp);
    scores.dedup();
    assert!(scores.len() > 2950, "only {} scores of 3000 differ", scores.len());
}

/// Whatever matches columns by their names does so once for each.
#[test]
fn ten_thousand_columns_are_trained_on_scored_and_crossed() {
    let folder = Folder::new();
    let header = (0..10_000).map(|column| format!("c{column},")).collect::<String>() + "y\n";
    let line = |row: u32| {
        let cells = (0..10_000).map(|column: u32| format!("{},", (row * 7 + column * 13) % 1009));
        cells.collect::<String>() + if row.is_multiple_of(2) { "no\n" } else { "yes\n" }
    };
    folder.write("wide.csv", header + &(0..20).map(line).collect::<String>());
    let data = "wide.csv --target y --positive yes";
    for learner in ["nb", "c45"] {
        folder.stdout(&format!("fit {data} --learner {learner} -q -o wide.json"));
        folder.stdout("score wide.json wide.csv -q -o wide-scores.csv");
        assert_eq!(column(&folder.read("wide-scores.csv"), "score").len(), 20);
        folder.stdout(&format!("cross {data} --learner {learner} --design cv:5 -q -o crossed.csv"));
        assert_eq!(column(&folder.read("crossed.csv"), learner).len(), 20);
    }
}

#[test]
fn columns_are_matched_by_name_in_any_order_and_format() {
    let folder = Folder::with_model_of("nb:25");
    let mut lines: Vec<String> = Vec::new();
    for line in claims(0..40).lines() {
        let fields: Vec<&str> = line.split(',').collect();
        let odd = if lines.is_empty() { "odd" } else { "?" };
        lines.push([fields[4], odd, fields[5], fields[2], fields[1], fields[0], fields[3]].join(";"));
    }
    folder.write("other.csv", lines.join("\n"));
    folder.write("first.csv", claims(0..40));
    let expected = folder.stdout("score model.json first.csv -q");
    let other = folder.stdout("score model.json other.csv -q");
    let mut scores = column(&expected, "score");
    scores.sort_unstable();
    scores.dedup();
    assert!(scores.len() > 20, "{scores:?}");
    assert_eq!(expected, other);
    folder.stdout("split first.csv --design loo -q -o first.parquet");
    assert_eq!(folder.stdout("score model.json first.parquet -q"), expected);
    folder.stdout("score model.json first.csv -q -o scores.jsonl");
    let first = folder.read("scores.jsonl");
    assert!(first.starts_with("{\"claim\":\"C-000\",\"fraud\":\"yes\",\"score\":"), "{first}");
}

#[test]
fn no_row_is_lost_and_the_target_need_not_be_there() {
    let folder = Folder::with_model();
    folder.write(
        "gaps.csv",
        "claim,night,make,lag,paid,fraud\nC-9,yes,Fiat,1,1,\nC-1,,,,,\nC-2,no,Opel,?,NA,yes\n",
    );
    let csv = folder.stdout("score model.json gaps.csv -q");
    assert_eq!(column(&csv, "claim"), ["C-9", "C-1", "C-2"]);
    assert_eq!(column(&csv, "fraud").len(), 3);
    folder.write("bare.csv", "night,make,lag,paid\nyes,Fiat,1,1\n");
    assert!(folder.stdout("score model.json bare.csv -q").starts_with("score,predicted\n0."));
    let csv = folder.stdout("score model.json gaps.csv -q --id night,lag --keep paid");
    assert!(csv.starts_with("night,lag,paid,fraud,score,predicted\nyes,1,1,,0.3"), "{csv}");
    folder.fails(
        "score model.json gaps.csv --id clam",
        2,
        &["no column \"clam\"", "did you mean \"claim\"?"],
    );
}

#[test]
fn values_that_the_model_never_met_count_as_missing_or_are_refused() {
    let folder = Folder::with_model_of("nb:25");
    folder
        .write("new.csv", "night,make,lag,paid\nno,Fiat,1,1\nyes,Tesla,2,1\nno,Tesla,3,1\nmaybe,Fait,3,1\n");
    let said = folder.stderr("score model.json new.csv -o scores.csv");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("\"make\": 3 rows hold values that were never met"), "{said}");
    assert!(said.contains("\"Tesla\" (new.csv, line 3)"), "{said}");
    assert!(said.contains("\"night\": \"maybe\" (new.csv, line 5) was never met in training"), "{said}");
    folder.write("gaps.csv", "night,make,lag,paid\nno,Fiat,1,1\nyes,,2,1\nno,,3,1\n,,3,1\n");
    assert_eq!(folder.read("scores.csv"), folder.stdout("score model.json gaps.csv -q"));
    folder.fails(
        "score model.json new.csv --strict -o strict.csv",
        1,
        &["new.csv, line 3, column \"make\": \"Tesla\"", "never met", "Fiat, Opel, Volvo", "--strict"],
    );
    let missing =
        folder.json("score model.json new.csv --strict --missing Tesla --missing maybe --missing Fait");
    assert_eq!((&missing["rows"], missing["notices"].as_array().map(Vec::len)), (&4.into(), Some(0)));
    folder.write("flags.csv", "night,make,lag,paid\nTRUE,Fiat,1,1\n0,Opel,2,1\nY,Opel,2,1\n");
    assert_eq!(folder.json("score model.json flags.csv --strict")["rows"], 3);
}

#[test]
fn a_table_without_a_column_is_refused_unless_that_is_allowed() {
    let folder = Folder::with_model_of("nb:25");
    folder.write("new.csv", "night,Make,lag\nno,Fiat,1\n");
    folder.fails(
        "score model.json new.csv -o scores.csv",
        2,
        &[
            "new.csv: there is no column \"make\", nor \"paid\"",
            "did you mean \"Make\"?",
            "--missing-columns allow",
        ],
    );
    let allowed = folder.json("score model.json new.csv --missing-columns allow");
    assert!(allowed["notices"].to_string().contains("\\\"paid\\\" is not there"), "{allowed}");
    // JSON lines may name a column late.
    let late = "{\"night\":\"no\",\"lag\":1,\"paid\":2}\n".repeat(2000) + "{\"make\":\"Opel\"}\n";
    folder.write("late.jsonl", late);
    let late = folder.stdout("score model.json late.jsonl -q");
    assert_eq!(late.lines().count(), 2002);
    assert_ne!(late.lines().last(), late.lines().nth(1));
    assert_eq!(folder.stdout("score model.json late.jsonl -q --missing-columns allow"), late);
}

#[test]
fn texts_among_numbers_and_impossible_numbers_are_refused() {
    let folder = Folder::new();
    folder.stdout(
        "fit train.csv --target fraud --learner majority --kind lag=bins:whole:7,15 -o model.json -q",
    );
    let check = |lag: &str, code: i32, says: &[&str]| {
        folder.write("new.csv", format!("night,make,lag,paid\nno,Fiat,1,1\nno,Fiat,{lag},1\n"));
        folder.fails("score model.json new.csv", code, says);
    };
    check("soon", 1, &["new.csv, line 3, column \"lag\": \"soon\" is not a number", "--missing 'soon'"]);
    check("-3", 1, &["new.csv, line 3, column \"lag\": -3 is negative"]);
    check("inf", 1, &["new.csv, line 3, column \"lag\": inf is not finite"]);
}

#[test]
fn weights_count_rows() {
    let folder = Folder::new();
    let table = |weights: [&str; 4]| {
        let [a, b, c, d] = weights;
        format!("x,w,y\n1,{a},no\n2,{b},no\n3,{c},yes\n3.5,{d},yes\n")
    };
    folder.write("w.csv", table(["1", "0", "1", "2"]));
    let fit = "fit w.csv --target y --learner majority -o model.json";
    let summary = folder.json(&format!("{fit} --weight w"));
    assert_eq!((&summary["weight"], &summary["columns"]), (&4.0.into(), &1.into()));
    assert_eq!(column(&folder.stdout("score model.json w.csv -q"), "score"), ["0.75"; 4]);
    folder.write("schema.toml", "[columns]\nw = \"weight\"\n");
    assert_eq!(folder.json(&format!("{fit} --schema schema.toml"))["weight"], 4.0);
    folder.write("w.csv", table(["1", "0", "1", "0"]));
    assert_eq!(folder.json(&format!("{fit} --weight w"))["weight"], 2.0);
    let check = |weights: [&str; 4], says: &[&str]| {
        folder.write("w.csv", table(weights));
        folder.fails(&format!("{fit} --weight w"), 1, says);
    };
    check(["1", "-2", "1", "1"], &["column \"w\", row 2", "-2 is negative"]);
    check(["1", "1", "", "1"], &["column \"w\", row 3", "is missing"]);
    check(["1", "much", "1", "1"], &["w.csv, line 3, column \"w\"", "\"much\" is not a finite number"]);
    check(["0", "0", "0", "0"], &["every weight in \"w\" is zero"]);
    folder.fails(&format!("{fit} --weight v"), 2, &["a column \"v\" that the table does not have"]);
}

#[test]
fn several_classes_have_a_score_each() {
    let folder = Folder::new();
    folder.stdout("fit train.csv --target make --learner majority -o model.json -q");
    let csv = folder.stdout("score model.json train.csv -q");
    assert!(
        csv.starts_with("claim,make,score_Fiat,score_Opel,score_Volvo,predicted\nC-000,Fiat,0."),
        "{csv}"
    );
    let csv = folder.stdout("score model.json train.csv -q --score-name p");
    assert!(csv.starts_with("claim,make,p_Fiat,p_Opel,p_Volvo,p_predicted\n"), "{csv}");
    assert!(folder.stdout("explain model.json train.csv --rows 2").contains("Probability of Fiat 0."));
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    for learner in learners(&Folder::new()) {
        let models = [(); 2].map(|()| Folder::with_model_of(&learner).read("model.json"));
        assert_eq!(models[0], models[1], "{learner}");
    }
}

#[test]
fn a_grid_is_tuned_and_the_summary_shows_what_was_tried() {
    let folder = Folder::new();
    let fit = "fit train.csv --target fraud --positive yes -o model.json --learner";
    let summary = folder.json(&format!("{fit} nb:{{0,5,25}} --tune-by log_loss --tune-folds 5"));
    let tuning = &summary["tuning"];
    assert_eq!((&tuning["learner"], &tuning["metric"]), (&"nb:{0,5,25}".into(), &"log_loss".into()));
    assert_eq!(
        (&tuning["rule"], &tuning["better"], &tuning["folds"]),
        (&"best".into(), &"lower".into(), &5.into())
    );
    let candidates = tuning["candidates"].as_array().expect("candidates");
    let means: Vec<f64> = candidates.iter().map(|one| one["mean"].as_f64().expect("a mean")).collect();
    let least = means.iter().copied().fold(f64::INFINITY, f64::min);
    for (candidate, mean) in candidates.iter().zip(&means) {
        assert_eq!(candidate["chosen"] == true, *mean == least, "{tuning}");
        assert_eq!(candidate["chosen"] == true, candidate["learner"] == summary["learner"], "{tuning}");
    }
    assert!(folder.stdout("explain model.json").starts_with(summary["learner"].as_str().expect("a text")));
    // By one standard error the first of three that hardly differ.
    let simple = folder.json(&format!("{fit} nb:{{24,25,26}} --tune-rule one-se"));
    assert_eq!((&simple["learner"], &simple["tuning"]["rule"]), (&"nb:24".into(), &"one-se".into()));
    assert_eq!(folder.json(&format!("{fit} nb:5"))["tuning"], Value::Null);
    for (format, says) in [
        ("csv", "learner,metric,mean,standard_error,folds,chosen,within_one_se,undefined\nnb,auroc,0."),
        ("markdown", "**Candidates of nb:{0,5}: mean auroc over 10 inner folds, higher is better**"),
        ("latex", "\\caption{Candidates of nb:\\{0,5\\}"),
    ] {
        let text = folder.stdout(&format!("{fit} nb:{{0,5}} --format {format}"));
        assert!(text.contains(says), "{text}");
    }
}

#[test]
fn a_tuned_summary_fits_a_terminal() {
    let folder = Folder::new();
    let fit = "fit train.csv --target fraud --positive yes -o model.json --learner";
    let text = folder.stderr(&format!("{fit} nb:{{0,1..64*4}}{{,+platt}} --tune-by brier"));
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn files_that_are_no_models_are_told_apart() {
    let folder = Folder::with_model();
    let good = folder.read("model.json");
    let check = |content: &[u8], says: &str| {
        folder.write("m.json", content);
        folder.fails("score m.json train.csv -o scores.csv", 1, &["m.json", says]);
        folder.fails("explain m.json", 1, &["m.json", says]);
    };
    check(b"", "the file is empty");
    check(b"claim,fraud\n1,yes\n", "not a model of Tribunal");
    check(b"\x80\x04\x95\x10\x00sklearn", "not a model of Tribunal");
    check(folder.stdout("describe train.csv --format json").as_bytes(), "results of Tribunal");
    check(good.replace("model/1", "model/2").as_bytes(), "written by a newer Tribunal");
    check(&good.as_bytes()[..good.len() - 20], "truncated");
    check(good.replace("\"Opel\"", "\"Ople\"").as_bytes(), "damaged");
    folder.fails("explain modle.json", 2, &["modle.json: no such file", "did you mean \"model.json\"?"]);
    folder.fails("score . train.csv", 2, &["this is a directory"]);
}

#[test]
fn what_cannot_be_trained_gets_clear_words() {
    let folder = Folder::new();
    let check = |args: &str, code: i32, says: &[&str]| {
        folder.fails(&format!("fit train.csv --learner majority {args}"), code, says);
    };
    check("-o m.json", 2, &["what is to be predicted?", "--target"]);
    check("--target fraud,night -o m.json", 2, &["one target, not 2"]);
    check("--target frauds -o m.json", 2, &["did you mean \"fraud\"?"]);
    check("--target fraud --positive maybe -o m.json", 1, &["no row of column \"fraud\" is \"maybe\""]);
    check("--target fraud -o no/such/m.json", 1, &["no/such/m.json"]);
    check("--target fraud", 2, &["--output"]);
    check("--target fraud --predictors flag -o m.json", 2, &["no set of predictors \"flag\"", "flags"]);
    folder.fails("fit train.csv --target fraud --learner majorty -o m.json", 2, &["did you mean majority?"]);
    let check = |args: &str, says: &[&str]| {
        folder.fails(&format!("fit train.csv --target fraud -o m.json --learner {args}"), 2, says);
    };
    check("nb:{5,{6,7}}", &["a brace stands within another"]);
    check("nb:{5,x}", &["learner \"nb:x\"", "no setting"]);
    check("nb:{5,25} --tune-by aurok", &["no metric `aurok`", "did you mean `auroc`?"]);
    check("nb:{5,25} --tune-by rmse", &["cannot be tuned by rmse", "amounts"]);
    check("nb:{5,25} --tune-by lift", &["write `lift@VALUE`"]);
    check("nb:{5,25} --tune-rule worst", &["`worst` is no rule; choose best or one-se"]);
    check("nb:{5,25} --tune-folds 1", &["take 2 or more"]);
    folder.write("one.csv", "x,y\n1,no\n2,no\n3,no\n");
    folder.fails("fit one.csv --target y --learner majority -o m.json", 1, &["\"no\" in every row"]);
}

#[test]
fn rows_are_explained_by_number_or_id() {
    let folder = Folder::with_model();
    let first = folder.stdout("explain model.json train.csv");
    assert!(first.contains("the first 5 of 120 rows") && first.contains("Row 5, claim C-004"), "{first}");
    let by_id = folder.json("explain model.json train.csv --id-value C-007");
    assert_eq!((&by_id["schema"], &by_id["rows"][0]["row"]), (&"tribunal.explanation/3".into(), &8.into()));
    assert_eq!(by_id["rows"].as_array().map(Vec::len), Some(1));
    let by_make = folder.json("explain model.json train.csv --id make --id-value Opel");
    assert!(by_make["rows"].as_array().is_some_and(|rows| rows.len() > 10), "{by_make}");
    folder.fails("explain model.json train.csv --rows 1,121", 2, &["no row 121", "has 120"]);
    folder.fails("explain model.json train.csv --rows 0", 2, &["`0` is no list of rows"]);
    folder.fails("explain model.json train.csv --id-value C-999", 2, &["no row has \"C-999\" in claim"]);
    folder.fails("explain model.json --rows 1", 2, &["DATA"]);
    folder.fails("explain model.json --format dot", 2, &["a model of majority has no graph"]);
    folder.stdout("fit train.csv --target fraud --learner tan:25 -o tan.json -q");
    assert!(folder.stdout("explain tan.json --format dot").starts_with("digraph"));
    folder.fails("explain tan.json train.csv --format dot", 2, &["leave the data out"]);
    folder.fails("explain model.json --format svg", 2, &["`svg` is no format", "or dot"]);
    let model = folder.json("explain model.json");
    assert_eq!(model["model"]["inputs"][1]["levels"], serde_json::json!(["Fiat", "Opel", "Volvo"]));
    assert!(model["text"].as_str().is_some_and(|text| text.contains("yes: 0.3333")), "{model}");
    for (format, begins) in [("csv", "row,predicted,form"), ("markdown", "# majority"), ("latex", "\\doc")] {
        let text = folder.stdout(&format!("explain model.json train.csv --format {format}"));
        assert!(text.starts_with(begins), "{text}");
    }
}

#[test]
fn an_explanation_fits_a_terminal() {
    let folder = Folder::with_model_of("nb:25");
    let text = folder.stdout("explain model.json")
        + "\n"
        + &folder.stdout("explain model.json train.csv --rows 2,4");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn learners_are_listed_in_every_form_and_every_verb_has_an_example() {
    let folder = Folder::new();
    for (format, begins) in [
        ("text", "majority\n  written:"),
        ("csv", "name,family,form"),
        ("markdown", "# Learners"),
        ("latex", "\\doc"),
    ] {
        let text = folder.stdout(&format!("learners --format {format}"));
        assert!(text.starts_with(begins), "{text}");
    }
    for verb in ["fit", "score", "explain", "learners"] {
        let help = folder.stdout(&format!("{verb} --help"));
        assert!(help.contains(&format!("  tribunal {verb} ")), "{help}");
        assert!(help.lines().all(|line| line.chars().count() <= 102), "{help}");
        assert!(folder.stdout(&format!("man {verb}")).contains(verb));
        assert!(folder.stdout("completions bash").contains(&format!("tribunal__subcmd__{verb}")));
    }
}
