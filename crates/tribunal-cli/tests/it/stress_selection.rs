//! `evaluate --stress-selection`: what figures would be had only the top of a list been acted on.

use std::fmt::Write;

use serde_json::Value;

use crate::folder::Folder;

const ASKED: &str = "evaluate x.csv --truth y --positive 1 --score p";

/// Cases at some scores: so many positives and negatives at each.
fn cases(cells: &[(f64, u32, u32)]) -> String {
    let mut text = "y,p\n".to_owned();
    for (score, positives, negatives) in cells {
        for row in 0..positives + negatives {
            writeln!(text, "{},{score}", u8::from(row < *positives)).expect("a text");
        }
    }
    text
}

/// Calibrated scores, a second model that says less, and weights.
fn scored(n_rows: u64) -> String {
    let uniform = |row: u64| {
        let mixed = (row + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut text = "y,p,q,w,id\n".to_owned();
    for row in 0..n_rows {
        let p = uniform(3 * row).powi(2);
        let q = (p + uniform(3 * row + 1)) / 2.0;
        let y = u8::from(uniform(3 * row + 2) < p);
        writeln!(text, "{y},{p:.4},{q:.4},{},{row}", 1 + row % 3).expect("a text");
    }
    text
}

fn json(folder: &Folder, args: &str) -> Value {
    serde_json::from_slice(&folder.stdout(&format!("{args} --format json"))).expect("JSON")
}

fn stressed(text: &str, args: &str) -> Value {
    json(&Folder::with(&[("x.csv", text)]), &format!("{ASKED} {args}"))["stress_selection"].clone()
}

/// The row of a figure of a selection by its place; of all cases for none.
fn row<'v>(stress: &'v Value, model: &str, figure: &str, selection: Option<usize>) -> &'v Value {
    let asked = selection.map_or(&Value::Null, |place| &stress["asked"][place]);
    let is_it = |row: &&Value| row["model"] == model && row["figure"] == figure && row["selection"] == *asked;
    stress["figures"].as_array().expect("rows").iter().find(is_it).expect("a row")
}

#[track_caller]
fn close(found: &Value, expected: f64) {
    let value = found.as_f64().unwrap_or(f64::NAN);
    assert!((value - expected).abs() < 1e-9, "{value} is not {expected}");
}

/// TN 41, FP 5, FN 3, TP 5: an error rate of 8/54; with 5 of the 41 true negatives only 8/18, though the model is the same.
#[test]
fn an_error_rate_triples_though_the_model_is_the_same() {
    let text = cases(&[(0.9, 5, 5), (0.4, 3, 5), (0.1, 0, 36)]);
    let found = stressed(&text, "--stress-selection 18 --threshold 0.5");
    let error_rate = row(&found, "p", "error_rate", Some(0));
    close(&error_rate["reference"], 0.148148148148);
    close(&error_rate["estimate"], 0.444444444444);
    assert_eq!(error_rate["outcome"], "moves");
    assert_eq!(row(&found, "p", "strike_rate_in_bands", Some(0))["outcome"], "same");
    assert_eq!(found["selections"][0]["cases"], 18.0);
    assert_eq!(found["selections"][0]["threshold"], 0.4);
}

/// Koesmarno's first figure: all cases of a model, and those that score 0.5 or more.
#[test]
fn the_raw_area_falls_with_its_limits() {
    let cells: Vec<(f64, u32, u32)> =
        (0..10).map(|k| (f64::from(10 * k + 5) / 100.0, 10 * k + 5, 95 - 10 * k)).collect();
    let text = cases(&cells);
    let found = stressed(&text, "--stress-selection 50%");
    for (figure, all, part) in [
        ("strike_rate", 0.5, 0.75),
        ("auroc", 0.83, 107.0 / 150.0),
        ("risk_area", 0.665, 0.375 + 0.25 * 107.0 / 150.0),
        ("risk_area_lowest", 0.25, 0.375),
        ("risk_area_highest", 0.75, 0.625),
        ("omega", 0.83, 107.0 / 150.0),
    ] {
        close(&row(&found, "p", figure, None)["estimate"], all);
        close(&row(&found, "p", figure, Some(0))["estimate"], part);
        assert_eq!(row(&found, "p", figure, Some(0))["outcome"], "moves", "{figure}");
    }
    let survives = found["verdicts"][0]["survives"].as_array().expect("figures");
    for figure in ["strike_rate_in_bands", "auroc_within_bands", "calibration_in_bands"] {
        assert!(survives.contains(&figure.into()), "{survives:?}");
    }
    let folder = Folder::with(&[("x.csv", &text)]);
    let said = folder.stdout(&format!("{ASKED} --stress-selection 50%"));
    let said = String::from_utf8_lossy(&said).split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "Where only the top 50 % of the list by p is acted on, what survives is strike rate in bands, AUROC within bands",
        "the raw area under the risk chart of p falls from 0.6650 to 0.5533",
        "from [0.2500, 0.7500] to [0.3750, 0.6250]",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn without_a_value_three_parts_of_the_list_are_taken_for_every_model() {
    let folder = Folder::with(&[("x.csv", &scored(600))]);
    let args = "evaluate x.csv --truth y --positive 1 --score p,q --stress-selection --seed 3";
    let found = json(&folder, args)["stress_selection"].clone();
    assert_eq!(found["asked"].to_string(), r#"[{"share":0.5},{"share":0.25},{"share":0.1}]"#);
    assert_eq!(found["verdicts"].as_array().map(Vec::len), Some(2));
    for model in ["p", "q"] {
        for selection in 0..3 {
            let (area, bands) = (row(&found, model, "risk_area", Some(selection)), "auroc_within_bands");
            assert_eq!((&area["outcome"], &area["method"]), (&"moves".into(), &"bootstrap_normal".into()));
            assert_eq!(row(&found, model, bands, Some(selection))["difference"], 0.0);
        }
    }
    // The same bytes on any number of threads.
    let on = |threads: &str| {
        let mut command = folder.command(&format!("{args} --format csv"));
        command.env("RAYON_NUM_THREADS", threads);
        command.output().expect("the command runs").stdout
    };
    assert_eq!(on("1"), on("4"));
}

#[test]
fn a_weight_is_the_row_so_many_times() {
    let text = scored(400);
    let repeated: String = text
        .lines()
        .flat_map(|line| {
            let times = line.split(',').nth(3).and_then(|weight| weight.parse().ok()).unwrap_or(1);
            vec![format!("{line}\n"); times]
        })
        .collect();
    let weighted = stressed(&text, "--stress-selection 40% --weight w --bootstrap 0");
    let repeated = stressed(&repeated, "--stress-selection 40% --bootstrap 0");
    for (one, other) in weighted["figures"]
        .as_array()
        .expect("rows")
        .iter()
        .zip(repeated["figures"].as_array().expect("rows"))
    {
        assert_eq!(one["figure"], other["figure"]);
        // Ties of repeated rows are divided where the weighted row is not.
        let (a, b) =
            (one["estimate"].as_f64().expect("defined"), other["estimate"].as_f64().expect("defined"));
        assert!((a - b).abs() < 5e-3, "{one} {other}");
        assert!(one["difference"].is_null() || one["p"].is_null(), "{one}");
    }
}

#[test]
fn edges_that_are_asked_for_are_the_bands_and_one_of_them_is_divided() {
    let found = stressed(&scored(2000), "--stress-selection 30% --bands 0.2,0.6");
    let bands = found["bands"].as_array().expect("bands");
    assert_eq!(bands.len(), 3);
    let held = |band: usize| bands[band]["selected"][0]["cases"].as_f64().expect("a number");
    assert!(held(0) == 0.0 && held(1) > 0.0 && held(1) < bands[1]["cases"].as_f64().expect("a number"));
    close(&bands[2]["cases"], held(2));
    // Of the middle band the better half is selected, so even the strike rate in so wide bands is not that of all cases.
    assert!(row(&found, "p", "strike_rate_in_bands", Some(0))["difference"].as_f64() > Some(0.0));
}

#[test]
fn scores_that_are_no_probabilities_and_parts_of_one_class_say_why() {
    let found = stressed(&cases(&[(9.0, 6, 0), (4.0, 3, 5), (1.0, 1, 36)]), "--stress-selection 6,50%");
    let undefined = |figure: &str| row(&found, "p", figure, Some(0))["undefined"].to_string();
    assert!(undefined("brier").contains("not probabilities"), "{}", undefined("brier"));
    assert!(undefined("auroc").contains("no negatives"));
    assert_eq!(row(&found, "p", "strike_rate", Some(0))["estimate"], 1.0);
    let untested = found["verdicts"][0]["untested"].as_array().expect("figures");
    assert!(untested.contains(&"brier".into()) && untested.contains(&"auroc".into()), "{untested:?}");
}

#[test]
fn parts_of_no_list_are_refused() {
    let folder = Folder::with(&[("x.csv", &scored(60))]);
    for (asked, code, words) in [
        ("0", 2, "`0` is no depth: write a share (10% or 0.1) or a number of cases (500)"),
        ("120%", 2, "`120%` is no depth"),
        ("x.csv", 2, "`x.csv` is no depth"),
        ("50%,0.5", 2, "--stress-selection names 0.5 twice"),
        (
            "61",
            1,
            "a selection of 61 cases is asked for, but the list holds 60; ask for fewer or for a share: --stress-selection",
        ),
    ] {
        let output = folder.run(&format!("{ASKED} --stress-selection {asked}"));
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{asked}: {error}");
        assert!(error.contains(words) && output.stdout.is_empty(), "{asked}: {error}");
    }
}

#[test]
fn constant_scores_and_tiny_lists_have_an_answer() {
    for text in
        [cases(&[(0.5, 3, 7)]), cases(&[(0.7, 1, 0), (0.2, 0, 1)]), cases(&[(0.9, 2, 0), (0.0, 0, 900)])]
    {
        let found = stressed(&text, "--stress-selection");
        for row in found["figures"].as_array().expect("rows") {
            let is_of_bands = row["figure"].as_str().is_some_and(|figure| figure.ends_with("_bands"));
            let is_same =
                row["selection"].is_null() || row["undefined"].is_string() || row["outcome"] == "same";
            assert!(is_same || !is_of_bands, "{row}");
        }
    }
}

/// The stored result says the same again, in every form.
#[test]
fn a_stored_stress_test_is_reported_again() {
    let folder = Folder::with(&[("x.csv", &scored(300))]);
    folder.stdout(&format!("{ASKED} --stress-selection --metrics auroc --format json -o e.json"));
    for form in ["text", "markdown", "latex", "csv", "json"] {
        let first = folder.stdout(&format!("{ASKED} --stress-selection --metrics auroc --format {form}"));
        let again = folder.stdout(&format!("report e.json --format {form}"));
        if form == "csv" {
            assert!(String::from_utf8_lossy(&again).contains("p,same_bands,auroc_within_bands,selection"));
        }
        let without_command = |text: Vec<u8>| {
            let text = String::from_utf8_lossy(&text).into_owned();
            text.lines()
                .filter(|line| !line.contains("\"command\"") && !line.contains("-o"))
                .collect::<String>()
        };
        if form != "json" {
            assert_eq!(without_command(first), without_command(again), "{form}");
        }
    }
}
