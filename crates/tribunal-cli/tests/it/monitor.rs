//! `tribunal monitor` as users meet it: a reference, a period in which the score tells less, and whatever may be wrong with either.

use std::fs;

use serde_json::Value;

use crate::folder::{Folder, monitored_table};

const MONITOR: &str = "monitor --reference old.csv --current new.csv --score p --truth y --positive 1 --actioned acted --bootstrap 200 -q";

fn folder() -> Folder {
    Folder::with(&[
        ("old.csv", &monitored_table(3000, 0, false)),
        ("new.csv", &monitored_table(3000, 5000, true)),
    ])
}

fn text(folder: &Folder, args: &str) -> String {
    String::from_utf8(folder.stdout(args)).expect("text")
}

fn json(folder: &Folder, args: &str) -> Value {
    serde_json::from_str(&text(folder, &format!("{args} --format json"))).expect("JSON")
}

/// A command that ends with a code, what it printed and what it said.
#[track_caller]
fn ended(folder: &Folder, args: &str, code: i32, words: &[&str]) -> String {
    let output = folder.run(args);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{args}: {message}");
    words.iter().for_each(|words| assert!(message.contains(words), "{args}: {words:?} is not in {message}"));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A copy of a table with lines changed.
fn changed(folder: &Folder, name: &str, change: impl Fn(usize, &str) -> Option<String>) {
    let table = fs::read_to_string(folder.path().join("new.csv")).expect("a table");
    let lines: Vec<String> = table.lines().enumerate().filter_map(|(at, line)| change(at, line)).collect();
    fs::write(folder.path().join(name), lines.join("\n") + "\n").expect("written");
}

fn without_column(line: &str, column: usize) -> String {
    let cells = line.split(',').enumerate().filter(|(at, _)| *at != column).map(|(_, cell)| cell);
    cells.collect::<Vec<_>>().join(",")
}

#[test]
fn the_answer_comes_first_and_a_stored_one_is_shown_alike() {
    let folder = folder();
    fs::write(folder.path().join("found.json"), text(&folder, &format!("{MONITOR} --format json")))
        .expect("written");
    for format in ["text", "markdown", "latex", "csv", "json"] {
        let said = text(&folder, &format!("{MONITOR} --format {format}"));
        assert_eq!(said, text(&folder, &format!("report found.json --format {format}")), "{format}");
    }
    let said = text(&folder, MONITOR).replace('\n', " ");
    let (_, answer) = said.split_once("Answer").expect("an answer");
    assert!(
        answer
            .trim_start_matches([' ', '-'])
            .starts_with("The model got worse: the strike rate of new.csv is"),
        "{said}"
    );
    let found = json(&folder, MONITOR);
    assert_eq!(found["periods"][0]["named"], serde_json::json!(["decay"]));
    assert_eq!(found["schema"], "tribunal.monitoring/1");
}

#[test]
fn the_same_seed_gives_the_same_bytes_for_any_number_of_threads() {
    let folder = folder();
    let with = |threads: &str| {
        let mut command = folder.command(&format!("{MONITOR} --format json --amount paid"));
        command.env("RAYON_NUM_THREADS", threads).output().expect("a run").stdout
    };
    let one = with("1");
    assert!(!one.is_empty() && one == with("3"));
    assert_ne!(one, folder.stdout(&format!("{MONITOR} --format json --amount paid --seed 2")));
}

#[test]
fn broken_limits_end_with_one_and_the_report_is_written_all_the_same() {
    let folder = folder();
    let said = ended(&folder, &format!("{MONITOR} --limit auroc>=0.5,psi<=0.2"), 0, &[]);
    assert!(said.contains("All 2 limits hold."), "{said}");
    let said = ended(
        &folder,
        &format!("{MONITOR} --limit auroc>=0.99,psi<=0.2"),
        1,
        &["a limit is broken: auroc>=0.99 in new.csv"],
    );
    assert!(said.contains("broken") && said.contains("Bands of the score"), "{said}");
    let args = format!("{MONITOR} --limit auroc>=0.99 --format json -o found.json");
    ended(&folder, &args, 1, &["auroc>=0.99"]);
    let stored: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("found.json")).expect("written"))
            .expect("JSON");
    assert_eq!(
        (&stored["limits"][0]["holds"], &stored["limits"][0]["side"]),
        (&Value::Bool(false), &Value::from(">="))
    );
    // A figure that has no value keeps no limit.
    ended(&folder, &format!("{MONITOR} --limit mean_amount>=0"), 1, &["mean_amount has no value"]);
    ended(&folder, &format!("{MONITOR} --limit auroc>=high"), 2, &["the limit of auroc is `high`"]);
    ended(&folder, &format!("{MONITOR} --limit aurco>=0.7"), 2, &["did you mean `auroc`?"]);
    ended(&folder, &format!("{MONITOR} --limit auroc"), 2, &["METRIC>=NUMBER"]);
}

#[test]
fn without_outcomes_drift_and_selection_are_stated_and_what_to_expect() {
    let folder = folder();
    changed(&folder, "blank.csv", |_, line| Some(without_column(line, 3)));
    let args = MONITOR.replace("new.csv", "blank.csv");
    let found = json(&folder, &args);
    let kinds: Vec<&str> = found["periods"][0]["changes"]
        .as_array()
        .expect("changes")
        .iter()
        .filter_map(|change| change["kind"].as_str())
        .collect();
    assert_eq!(kinds, ["drift", "selection"]);
    let row = |id: &str| {
        let rows = found["metrics"].as_array().expect("rows").iter();
        rows.into_iter().find(|row| row["period"] == "blank.csv" && row["metric"] == id).expect(id).clone()
    };
    for id in ["expected_auroc", "expected_rate", "expected_post_stratified"] {
        let (row, ends) = (row(id), ["lower", "upper"]);
        let [lower, upper] = ends.map(|end| row[end].as_f64().expect("an end"));
        let estimate = row["estimate"].as_f64().expect("a value");
        assert!(lower < estimate && estimate < upper, "{row}");
    }
    assert!(row("strike_rate")["estimate"].is_null());
    assert!(text(&folder, &args).contains("has no column \"y\": no outcome is known there"));
    // Another spelling of the column is a mistake.
    changed(&folder, "spelled.csv", |at, line| {
        Some(if at == 0 { line.replace(",y,", ",Y,") } else { line.to_owned() })
    });
    ended(
        &folder,
        &MONITOR.replace("new.csv", "spelled.csv"),
        2,
        &["spelled.csv: there is no column \"y\"; did you mean \"Y\"?"],
    );
    // Nothing says what was acted on either.
    let said = text(&folder, &args.replace(" --actioned acted", ""));
    assert!(said.replace('\n', " ").contains("nothing says which rows of blank.csv were acted on"), "{said}");
}

#[test]
fn rows_that_were_all_acted_on_get_one_statement_of_drift_and_selection() {
    let folder = folder();
    changed(&folder, "acted.csv", |at, line| (at == 0 || line.contains("yes")).then(|| line.to_owned()));
    let args = MONITOR.replace("old.csv", "acted.csv").replace(" --actioned acted", "");
    let found = json(&folder, &args);
    let kinds: Vec<&Value> = found["periods"][0]["changes"]
        .as_array()
        .expect("changes")
        .iter()
        .map(|change| &change["kind"])
        .collect();
    assert_eq!(kinds, ["mix", "decay"]);
    assert!(text(&folder, &args).replace('\n', " ").contains("cannot be told apart"));
}

#[test]
fn many_periods_make_a_table_and_charts() {
    let folder = folder();
    let args = MONITOR.replace("--reference old.csv ", "");
    let said = text(&folder, &format!("{args} --by month --date day --limit auroc>=0"));
    for words in ["2024-01", "2024-12", "reference", "o estimate, - interval", "All 11 limits hold."] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let found = json(&folder, &format!("{MONITOR} --by quarter --date day"));
    assert_eq!(found["reference"]["period"], "old.csv");
    let names: Vec<&Value> =
        found["periods"].as_array().expect("periods").iter().map(|period| &period["period"]).collect();
    assert_eq!(names, ["2024-Q1", "2024-Q2", "2024-Q3", "2024-Q4"]);
    assert_eq!(found["chart"][0]["points"].as_array().map(Vec::len), Some(5));
    ended(&folder, &args, 2, &["--reference FILE", "--by COLUMN"]);
    ended(&folder, &format!("{args} --by week --date day"), 2, &["choose month, quarter or year"]);
    ended(&folder, &format!("{args} --by month"), 2, &["--date"]);
    ended(&folder, &format!("{args} --by day --date p"), 2, &["no period of the calendar"]);
    ended(&folder, &format!("{args} --by year --date day"), 1, &["makes one period, \"2024\""]);
    ended(&folder, &format!("{args} --by month --date paid"), 1, &["column \"paid\""]);
}

#[test]
fn input_that_cannot_be_right_says_what_and_where() {
    let folder = folder();
    let with = |name: &str, change: &dyn Fn(usize, &str) -> Option<String>| {
        changed(&folder, name, change);
        MONITOR.replace("new.csv", name)
    };
    let line = |line: &str| Some(line.to_owned());
    let cell = |row: &str, column: usize, value: &str| {
        let cells = row.split(',').enumerate().map(|(at, cell)| if at == column { value } else { cell });
        Some(cells.collect::<Vec<_>>().join(","))
    };
    ended(
        &folder,
        &with("empty.csv", &|at, text| (at == 0).then(|| text.to_owned())),
        1,
        &["empty.csv", "not one row"],
    );
    ended(
        &folder,
        &with("names.csv", &|at, text| if at == 0 { cell(text, 1, "P_score") } else { line(text) }),
        2,
        &["names.csv", "\"p\""],
    );
    ended(
        &folder,
        &with("missing.csv", &|at, text| if at == 7 { cell(text, 1, "") } else { line(text) }),
        1,
        &["missing.csv, line 8", "the score is missing"],
    );
    ended(
        &folder,
        &with("third.csv", &|at, text| if at % 9 == 5 { cell(text, 3, "2") } else { line(text) }),
        1,
        &["\"2\" is a third class"],
    );
    ended(
        &folder,
        &with("maybe.csv", &|at, text| if at == 4 { cell(text, 2, "maybe") } else { line(text) }),
        1,
        &["line 5", "--actioned-value maybe"],
    );
    let none = with("none.csv", &|at, text| if at == 0 { line(text) } else { cell(text, 3, "") });
    ended(&folder, &none.replace("old.csv", "none.csv"), 1, &["holds no outcome at all"]);
    ended(
        &folder,
        &none
            .replace("--current none.csv", "--current old.csv")
            .replace("--reference old.csv", "--reference none.csv"),
        1,
        &["no outcome of the reference"],
    );
    ended(&folder, &MONITOR.replace("--positive 1", "--positive yes"), 1, &["third class"]);
    ended(&folder, &MONITOR.replace(" --positive 1", ""), 2, &["say which one is positive"]);
    ended(&folder, &MONITOR.replace("--score p", "--score y"), 2, &["named for two things"]);
    ended(&folder, &format!("{MONITOR} --bands 0.5,0.2"), 2, &["sort them ascending"]);
    ended(
        &folder,
        &MONITOR.replace("--bootstrap 200", "--bootstrap 3"),
        2,
        &["3 bootstrap replicates", "--bootstrap 1000"],
    );
    ended(&folder, &MONITOR.replace("new.csv", "gone.csv"), 2, &["gone.csv"]);
}

#[test]
fn awkward_periods_are_told_and_not_refused() {
    let folder = folder();
    let check = |name: &str, change: &dyn Fn(usize, &str) -> Option<String>, words: &str| {
        changed(&folder, name, change);
        let said = text(&folder, &MONITOR.replace("new.csv", name)).replace("\n  ", " ").replace('\n', " ");
        assert!(said.contains(words), "{name}: {words:?} is not in {said}");
    };
    let cell = |row: &str, column: usize, value: &str| {
        let cells = row.split(',').enumerate().map(|(at, cell)| if at == column { value } else { cell });
        cells.collect::<Vec<_>>().join(",")
    };
    let head = |at: usize, text: &str, change: &dyn Fn(&str) -> String| {
        Some(if at == 0 { text.to_owned() } else { change(text) })
    };
    check("few.csv", &|at, text| (at <= 12).then(|| text.to_owned()), "only large changes could show");
    check("one.csv", &|at, text| (at <= 1).then(|| text.to_owned()), "one.csv");
    check("same.csv", &|at, text| head(at, text, &|text| cell(text, 1, "0.2")), "same.csv");
    check(
        "positives.csv",
        &|at, text| head(at, text, &|text| text.replace(",yes,0,", ",yes,1,")),
        "every known outcome of positives.csv is positive",
    );
    check(
        "pending.csv",
        &|at, text| head(at, text, &|text| if at % 3 == 0 { cell(text, 3, "") } else { text.to_owned() }),
        "have no outcome yet",
    );
    check(
        "top.csv",
        &|at, text| {
            let is_low =
                at > 0 && text.split(',').nth(1).and_then(|p| p.parse::<f64>().ok()).is_some_and(|p| p < 0.3);
            Some(if is_low { text.replace(",yes,", ",no,") } else { text.to_owned() })
        },
        "were taken together with their neighbours towards the middle",
    );
    let constant = json(&folder, &MONITOR.replace("old.csv", "same.csv"));
    let mut rows = constant["metrics"].as_array().expect("rows").iter();
    let psi = rows.find(|row| row["metric"] == "psi").expect("a row");
    assert!(psi["estimate"].is_null(), "{psi}");
    assert_eq!(psi["undefined"], "all scores lie in one band, which shows no shift");
    let same = text(&folder, &MONITOR.replace("new.csv", "old.csv"));
    assert!(same.contains("Nothing changed beyond chance") && same.contains("the same table"), "{same}");
}
