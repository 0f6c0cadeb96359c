//! `tribunal report`: whatever a verb wrote as JSON is shown again with the bytes of the first time, in every form.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};
use tribunal::{Random, StoredResult};
use tribunal_report::{Format, Shown, render_stored};

use crate::folder::Folder;

const FORMATS: [&str; 5] = ["text", "json", "csv", "markdown", "latex"];

/// A folder with a table of claims, and scores `s.csv`.
fn folder() -> Folder {
    let folder = Folder::with(&[("s.csv", &scores())]);
    folder.stdout("generate claims --rows 200 --seed 5 -o claims.csv -q");
    folder
}

#[track_caller]
fn said(folder: &Folder, args: &str) -> String {
    String::from_utf8(folder.stdout(args)).expect("text")
}

fn write(folder: &Folder, name: &str, bytes: impl AsRef<[u8]>) {
    fs::write(folder.path().join(name), bytes).expect("a file");
}

fn read(folder: &Folder, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The message of a command that fails.
fn failure(folder: &Folder, args: &str) -> String {
    let output = folder.run(args);
    assert_eq!(output.status.code(), Some(1), "{args}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Asks a verb for JSON, and compares what is shown of that with what the verb shows itself.
fn check(folder: &Folder, asked: &str, formats: &[&str]) {
    write(folder, "results.json", folder.stdout(&format!("{asked} --format json")));
    for format in formats {
        let again = said(folder, &format!("report results.json --format {format}"));
        assert_eq!(again, said(folder, &format!("{asked} --format {format}")), "{asked} --format {format}");
    }
}

/// Scores of two models with ties, one of them without an order, in folds of which one is called like the mean.
fn scores() -> String {
    let rows = (0..240).map(|row: u64| {
        let noise = (row * 7919 % 101) as f64 / 100.0;
        let truth = u64::from((row * 31 % 17) as f64 / 17.0 + noise > 1.1);
        let fold = ["mean", "b", "c", "d"][(row % 4) as usize];
        let a = (noise * 8.0).round() / 10.0 + 0.1 * truth as f64;
        let amount = truth * (100 + row);
        format!("{row},{truth},{a},{noise},{fold},{amount},{}\n", 120 + row * 3 % 70)
    });
    "id,y,a,b,fold,amount,guess\n".to_owned() + &rows.collect::<String>()
}

#[test]
fn evaluations_are_shown_again() {
    let folder = folder();
    let judge = "evaluate s.csv --truth y --positive 1 --id id";
    for asked in [
        format!("{judge} --score a"),
        format!("{judge} --score a,b --fold fold"),
        format!("{judge} --score a,b --fold fold --threshold youden,10%,top:20,0.5 --margin 0.01"),
        format!(
            "{judge} --score a,b --amount amount --predicted-amount guess --benefit-tp amount --cost-action 50"
        ),
        format!("{judge} --score a,b --metrics pcc,brier,lift@0.1 --bootstrap 0"),
        format!("{judge} --score b --weight id"),
    ] {
        check(&folder, &asked, &FORMATS);
    }
}

#[test]
fn a_fold_called_mean_is_no_mean() {
    let folder = folder();
    let asked = "evaluate s.csv --truth y --positive 1 --score a --fold fold --metrics auroc";
    let results: Value =
        serde_json::from_str(&said(&folder, &format!("{asked} --format json"))).expect("JSON");
    let rows = results["metrics"].as_array().expect("rows");
    let scopes: Vec<(&str, Option<&str>)> =
        rows.iter().map(|row| (row["scope"].as_str().expect("a scope"), row["fold"].as_str())).collect();
    let folds = ["mean", "b", "c", "d"].map(|fold| ("fold", Some(fold)));
    assert_eq!(scopes[..2], [("all", None), ("mean", None)]);
    assert_eq!(scopes[2..], folds);
    let csv = said(&folder, &format!("{asked} --format csv"));
    assert!(csv.contains("a,,auroc,mean,,") && csv.contains("a,,auroc,fold,mean,"), "{csv}");
    let text = said(&folder, asked);
    assert!(text.contains("Mean over 4 folds"), "{text}");
}

#[test]
fn studies_are_shown_again() {
    let folder = folder();
    let study = "study claims.csv --schema claims --target 4+ --predictors indicator,extended --design cv:3 \
                 --learners majority;nb;c45;logit --run run -q";
    let text = said(&folder, study);
    let again = |format: &str| said(&folder, &format!("report run/results.json --format {format}"));
    for (name, format) in [
        ("results.json", "json"),
        ("report.md", "markdown"),
        ("report.tex", "latex"),
        ("report.txt", "text"),
        ("figures.csv", "csv"),
    ] {
        assert_eq!(again(format), read(&folder, &format!("run/{name}")), "{name}");
    }
    for (name, format) in [("times.json", "json"), ("times.csv", "csv")] {
        let again = said(&folder, &format!("report run/times.json --format {format}"));
        assert_eq!(again, read(&folder, &format!("run/{name}")), "{name}");
    }
    assert_eq!(said(&folder, "report run/results.json --times run/times.json"), text);
    let output = folder.run("report run/times.json --times run/times.json");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn descriptions_and_explanations_are_shown_again() {
    let folder = folder();
    check(&folder, "describe claims.csv --schema claims --target 4+", &FORMATS);
    check(&folder, "describe claims.csv", &FORMATS);
    for (learner, name) in
        [("nb:5", "nb.json"), ("logit", "logit.json"), ("c45", "c45.json"), ("knn:5", "knn.json")]
    {
        let fit = format!("fit claims.csv --schema claims --target 4+ --learner {learner}");
        folder.stdout(&format!("{fit} -o {name} -q"));
        check(&folder, &format!("explain {name}"), &FORMATS);
        check(&folder, &format!("explain {name} claims.csv --rows 1,7"), &FORMATS);
        // The advice about rows that are not shown is the command's again.
        check(&folder, &format!("explain {name} claims.csv"), &FORMATS);
    }
    let all = said(&folder, "explain nb.json claims.csv --rows 3 --all");
    write(&folder, "rows.json", said(&folder, "explain nb.json claims.csv --rows 3 --format json"));
    assert_eq!(said(&folder, "report rows.json --all"), all);
}

#[test]
fn summaries_of_tables_and_models_are_shown_again() {
    let folder = folder();
    let formats = &FORMATS[1..];
    check(
        &folder,
        "cross claims.csv --schema claims --target 4+ --learner nb --learner logit --design cv:3",
        formats,
    );
    check(&folder, "split claims.csv --schema claims --target 4+ --design cv:3", formats);
    check(&folder, "bias claims.csv --kind none --fraction 0.2", formats);
    folder.stdout("fit claims.csv --schema claims --target 4+ --learner nb -o model.json -q");
    check(&folder, "score model.json claims.csv", formats);
    check(
        &folder,
        "fit claims.csv --schema claims --target 4+ --learner lssvm:linear,gamma={0.1,1} -o tuned.json",
        formats,
    );
}

#[test]
fn results_come_from_standard_input_too() {
    let folder = folder();
    let asked = "evaluate s.csv --truth y --positive 1 --score a";
    let (json, text) = (said(&folder, &format!("{asked} --format json")), said(&folder, asked));
    let mut command = folder.command("report -");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the command runs");
    child.stdin.take().expect("input").write_all(json.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("ended");
    assert_eq!(String::from_utf8(output.stdout).expect("text"), text);
}

#[test]
fn what_is_no_result_is_refused_with_the_reason() {
    let folder = folder();
    let asked = "evaluate s.csv --truth y --positive 1 --score a,b --format json";
    let json = said(&folder, asked);
    let refused = |text: &str, expected: &str| {
        write(&folder, "bad.json", text);
        let message = failure(&folder, "report bad.json");
        assert!(message.contains("bad.json") && message.contains(expected), "{message}");
        assert!(!message.contains("panicked"), "{message}");
    };
    refused("", "nothing in it");
    refused("y,a\n1,2\n", "no JSON");
    refused("{}", "schema");
    let (half, _) = json[..json.len() / 2].rsplit_once('\n').expect("lines");
    refused(half, "ends too early");
    let schema = json.split('"').find(|text| text.starts_with("tribunal.evaluation/")).expect("a schema");
    refused(&json.replace(schema, "tribunal.evaluation/1"), "older Tribunal");
    refused(&json.replace(schema, "tribunal.evaluation/999"), "newer Tribunal");
    refused(&json.replacen("\"rows\": 240", "\"rows\": \"many\"", 1), "line");
    refused(&json.replace("\"delong\"", "\"oracle\""), "oracle");
    refused(&format!("{{\"schema\": {}1", "[".repeat(1_000_000)), "JSON");
    write(&folder, "bad.json", [0xff, 0xfe, 0x00]);
    assert!(failure(&folder, "report bad.json").contains("no text"));
    folder.stdout("fit claims.csv --schema claims --target 4+ --learner nb -o model.json -q");
    assert!(failure(&folder, "report model.json").contains("model"));
}

/// Changes one value of a result, chosen by some number.
fn mutate(value: &mut Value, choice: u64) {
    let mut places = Vec::new();
    collect_places(value, String::new(), &mut places);
    let place = &places[(choice % places.len() as u64) as usize];
    let Some(found) = value.pointer_mut(place) else { return };
    let kind = choice / places.len() as u64;
    *found = match found {
        Value::Array(items) if kind.is_multiple_of(2) => {
            items.iter().take(items.len() / 2).cloned().collect()
        }
        Value::Array(items) => items.iter().chain(items.iter()).cloned().collect(),
        Value::Number(_) => [json!(0), json!(-1.5), json!(1e300), json!(u64::MAX), json!(3), Value::Null]
            [(kind % 6) as usize]
            .clone(),
        Value::String(text) => json!(if kind.is_multiple_of(2) { String::new() } else { text.repeat(3) }),
        Value::Bool(known) => json!(!*known),
        Value::Null => json!(7),
        Value::Object(_) => Value::Null,
    };
}

fn collect_places(value: &Value, place: String, places: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            // Long lists are alike all the way down.
            for (idx, item) in items.iter().enumerate().take(6) {
                collect_places(item, format!("{place}/{idx}"), places);
            }
        }
        Value::Object(fields) => {
            for (name, item) in fields.iter().filter(|(name, _)| *name != "schema") {
                let name = name.replace('~', "~0").replace('/', "~1");
                collect_places(item, format!("{place}/{name}"), places);
            }
        }
        _ => {}
    }
    places.push(place);
}

/// Whoever edits a file of results gets a message or a report, and no panic.
#[test]
fn edited_results_are_refused_or_shown() {
    let folder = folder();
    folder.stdout("fit claims.csv --schema claims --target 4+ --learner nb -o model.json -q");
    let study = "study claims.csv --schema claims --target 4+ --predictors indicator,extended --design cv:3 \
                 --learners majority;nb;c45;lssvm:linear,gamma={0.1,1} --run run -q --format json";
    let judged = "evaluate s.csv --truth y --positive 1 --score a,b --fold fold --amount amount --benefit-tp amount \
                  --cost-action 50 --format json";
    let mut random = Random::new(1);
    let mut n_shown = 0;
    for asked in [
        judged,
        study,
        "describe claims.csv --schema claims --target 4+ --format json",
        "explain model.json claims.csv --format json",
        "split claims.csv --schema claims --target 4+ --design cv:3 --format json",
        "cross claims.csv --schema claims --target 4+ --learner nb --learner logit --design cv:3 --format json",
    ] {
        let whole: Value = serde_json::from_str(&said(&folder, asked)).expect("JSON");
        for _ in 0..120 {
            let mut edited = whole.clone();
            (0..3).for_each(|_| mutate(&mut edited, random.below(1 << 40)));
            let Ok(result) = StoredResult::from_json(&edited.to_string()) else { continue };
            for format in Format::ALL {
                // Lists of other lengths than a table's header are refused by CSV.
                n_shown += usize::from(render_stored(&result, Shown::Strongest, format).is_ok());
            }
        }
    }
    assert!(n_shown > 500, "only {n_shown} edited results could be read");
}
