//! Rows from slices, record batches, streams, files in wide and long form, and merged parts: the same results, byte for byte.

use std::fmt::Write;

use tribunal::{
    CaseRule, ChartRequest, CollectedScores, DecisionRequest, EvaluateRequest, Evaluation, ScoreColumns,
    ScoredRows, evaluate, evaluate_rows, evaluate_table,
};
use tribunal_io::TableReader;
use tribunal_io::arrow_array::{RecordBatch, RecordBatchIterator};

/// Tied and continuous scores, weights some of which are zero, amounts, folds and ids.
struct Rows {
    truth: Vec<&'static str>,
    tied: Vec<f64>,
    continuous: Vec<f64>,
    weight: Vec<f64>,
    amount: Vec<f64>,
    predicted: Vec<f64>,
    fold: Vec<&'static str>,
    region: Vec<&'static str>,
    id: Vec<String>,
}

impl Rows {
    fn new(n_rows: u64) -> Self {
        // Twelve bits of a well mixed number for each use, so that columns do not depend on each other.
        let bits = |row: u64, place: u64| {
            let mixed = (row + 1)
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .rotate_left(31)
                .wrapping_mul(0xBF58_476D_1CE4_E5B9);
            ((mixed >> (12 * place)) & 0xFFF) as f64 / 4096.0
        };
        let rows = || 0..n_rows;
        let is_positive = |row: u64| bits(row, 0) < 0.2;
        let lifted = |row: u64| if is_positive(row) { 0.3 } else { 0.0 };
        Self {
            truth: rows().map(|row| if is_positive(row) { "yes" } else { "no" }).collect(),
            tied: rows().map(|row| ((bits(row, 1) + lifted(row)) * 10.0).floor() / 16.0).collect(),
            continuous: rows().map(|row| (bits(row, 2) + lifted(row)) / 1.5).collect(),
            weight: rows().map(|row| (bits(row, 3) * 5.0).floor() / 4.0).collect(),
            amount: rows().map(|row| (bits(row, 4) * 1e5).floor() / 4.0).collect(),
            predicted: rows().map(|row| (bits(row, 1) * 1e5).floor() / 4.0).collect(),
            fold: rows().map(|row| ["mean", "2", "3"][row as usize % 3]).collect(),
            region: rows().map(|row| ["south", "north", "10", "9"][(bits(row, 4) * 4.0) as usize]).collect(),
            id: rows().map(|row| format!("claim {row}")).collect(),
        }
    }

    fn len(&self) -> usize {
        self.truth.len()
    }

    /// As CSV, one row a case.
    fn wide(&self, rows: std::ops::Range<usize>) -> String {
        let mut text = String::from("fraud,tied,continuous,weight,amount,predicted,fold,region,id\n");
        for row in rows {
            let Self { truth, tied, continuous, weight, amount, predicted, fold, region, id } = self;
            let (truth, fold, region, id) = (truth[row], fold[row], region[row], &id[row]);
            let (tied, continuous) = (tied[row], continuous[row]);
            let (weight, amount, predicted) = (weight[row], amount[row], predicted[row]);
            let line = writeln!(
                text,
                "{truth},{tied},{continuous},{weight},{amount},{predicted},{fold},{region},{id}"
            );
            line.expect("a text");
        }
        text
    }

    /// As CSV, one row a case and model.
    fn long(&self) -> String {
        let mut text = String::from("model,fraud,score,weight,amount,fold,region,id\n");
        for (model, scores) in [("tied", &self.tied), ("continuous", &self.continuous)] {
            for row in 0..self.len() {
                let Self { truth, weight, amount, fold, region, id, .. } = self;
                let (truth, score, weight) = (truth[row], scores[row], weight[row]);
                let (amount, fold, region, id) = (amount[row], fold[row], region[row], &id[row]);
                let line = writeln!(text, "{model},{truth},{score},{weight},{amount},{fold},{region},{id}");
                line.expect("a text");
            }
        }
        text
    }

    fn in_memory(&self, parts: &Parts) -> ScoredRows {
        let mut rows = ScoredRows::new("fraud", &self.truth).positive("yes");
        rows = rows.score("tied", &self.tied).score("continuous", &self.continuous);
        if parts.weight {
            rows = rows.weight("weight", &self.weight);
        }
        if parts.amount {
            rows = rows.amount("amount", &self.amount);
        }
        if parts.everybody {
            rows = rows.amount_of_everybody();
        }
        if parts.predicted {
            rows = rows.predicted_amount("predicted", &self.predicted);
        }
        if parts.fold {
            rows = rows.fold("fold", &self.fold);
        }
        if parts.by {
            rows = rows.by("region", &self.region);
        }
        if parts.id {
            rows = rows.id("id", &self.id);
        }
        rows
    }
}

/// Which columns are named.
#[derive(Clone, Copy, Debug, Default)]
struct Parts {
    weight: bool,
    amount: bool,
    /// Whether amounts of negatives count.
    everybody: bool,
    predicted: bool,
    fold: bool,
    id: bool,
    by: bool,
}

impl Parts {
    fn name(self, columns: &mut ScoreColumns) {
        let named = |is_named: bool, name: &str| is_named.then(|| name.to_owned());
        columns.weight = named(self.weight, "weight");
        columns.amount = named(self.amount, "amount");
        columns.amount_of_everybody = self.everybody;
        columns.predicted_amounts = named(self.predicted, "predicted").into_iter().collect();
        columns.fold = named(self.fold, "fold");
        columns.id = named(self.id, "id");
        columns.by = named(self.by, "region").into_iter().collect();
    }

    /// What is asked about acting on the list: profit where there are amounts, hits where there are only folds.
    fn decision(self) -> DecisionRequest {
        let outcomes = CaseRule::Fraud { cost: 90.0 }.outcomes().filter(|_| self.amount);
        let capacity = self.fold.then(|| "100/2000".parse().expect("a capacity"));
        DecisionRequest { outcomes, capacity, ..DecisionRequest::default() }
    }
}

const COMBINATIONS: [Parts; 9] = [
    Parts {
        weight: false,
        amount: false,
        everybody: false,
        predicted: false,
        fold: false,
        id: false,
        by: false,
    },
    Parts {
        weight: true,
        amount: true,
        everybody: false,
        predicted: false,
        fold: false,
        id: false,
        by: false,
    },
    Parts {
        weight: false,
        amount: true,
        everybody: false,
        predicted: true,
        fold: false,
        id: true,
        by: false,
    },
    Parts {
        weight: false,
        amount: false,
        everybody: false,
        predicted: false,
        fold: true,
        id: false,
        by: false,
    },
    Parts { weight: true, amount: true, everybody: false, predicted: false, fold: true, id: true, by: false },
    Parts {
        weight: false,
        amount: false,
        everybody: false,
        predicted: false,
        fold: true,
        id: true,
        by: false,
    },
    Parts { weight: true, amount: true, everybody: false, predicted: false, fold: true, id: true, by: true },
    Parts {
        weight: false,
        amount: true,
        everybody: false,
        predicted: true,
        fold: false,
        id: false,
        by: true,
    },
    Parts { weight: true, amount: true, everybody: true, predicted: false, fold: true, id: true, by: false },
];

/// The JSON form but for where the rows came from.
fn json(evaluation: Evaluation) -> String {
    let mut evaluation = evaluation;
    evaluation.data.files = Vec::new();
    serde_json::to_string_pretty(&evaluation).expect("JSON")
}

/// Fails with the first line that differs.
fn assert_same(found: &str, expected: &str, what: &str) {
    let differing =
        found.lines().zip(expected.lines()).enumerate().find(|(_, (found, expected))| found != expected);
    assert_eq!(differing, None, "{what}");
    assert_eq!(found.len(), expected.len(), "{what}");
}

fn judged_file(text: &str, request: &EvaluateRequest) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("scores.csv");
    std::fs::write(&path, text).expect("a file");
    json(evaluate(&[path.to_string_lossy()], request, &|_| ()).expect("figures"))
}

fn asked(parts: Parts) -> EvaluateRequest {
    let mut columns = ScoreColumns::new("fraud", ["tied", "continuous"]);
    columns.positive = Some("yes".into());
    parts.name(&mut columns);
    let mut request = EvaluateRequest::new(columns);
    request.fingerprint = false;
    request.decision = parts.decision();
    request.charts = charts(parts);
    request
}

/// Bins, whose gains and losses go by the rows, bands and another base rate, where there are amounts.
fn charts(parts: Parts) -> ChartRequest {
    let mut charts = ChartRequest::default();
    if parts.amount {
        charts.bins = Some(5);
        charts.bands = vec![0.2, 0.5];
        charts.base_rate = Some(0.01);
    }
    charts
}

fn batches(table: &RecordBatch, size: usize) -> Vec<RecordBatch> {
    let starts = (0..table.num_rows()).step_by(size);
    starts.map(|start| table.slice(start, size.min(table.num_rows() - start))).collect()
}

#[test]
fn arrays_batches_and_streams_give_the_bytes_of_a_file() {
    let rows = Rows::new(1000);
    for parts in COMBINATIONS {
        let request = asked(parts);
        let expected = judged_file(&rows.wide(0..rows.len()), &request);
        let in_memory = rows.in_memory(&parts);
        let mut own = in_memory.request();
        own.fingerprint = false;
        own.decision = parts.decision();
        own.charts = charts(parts);
        let arrays = json(evaluate_rows(&in_memory, &own, &|_| ()).expect("figures"));
        assert_same(&arrays, &expected, &format!("{parts:?}"));
        let batch = in_memory.batch().expect("columns");
        // Sums of weights and amounts round by the batch.
        let sizes: &[usize] = if parts.weight || parts.amount { &[1000] } else { &[300, 1000] };
        for &size in sizes {
            let held = TableReader::of_batches("rows", batches(&batch, size)).expect("a table");
            let found = json(evaluate_table(&held, &request, &|_| ()).expect("figures"));
            assert_same(&found, &expected, &format!("{parts:?}, batches of {size}"));
            let stream = batches(&batch, size).into_iter().map(Ok);
            let stream = TableReader::of_stream("rows", RecordBatchIterator::new(stream, batch.schema()));
            let found = json(evaluate_table(&stream, &request, &|_| ()).expect("figures"));
            assert_same(&found, &expected, &format!("{parts:?}, a stream of {size}"));
        }
    }
}

#[test]
fn long_form_gives_the_bytes_of_wide_form() {
    let rows = Rows::new(1000);
    for parts in COMBINATIONS.into_iter().filter(|parts| !parts.predicted) {
        let request = asked(parts);
        let wide = judged_file(&rows.wide(0..rows.len()), &request);
        let mut long = request.clone();
        long.columns.scores = vec!["score".into()];
        long.columns.model = Some("model".into());
        let found = judged_file(&rows.long(), &long);
        // What nobody can check without ids is said.
        let warnings = |text: &str| text.matches("\"unchecked_cases\"").count();
        assert_eq!((warnings(&wide), warnings(&found)), (0, usize::from(!parts.id)));
        assert_same(&without_request(&found), &without_request(&wide), &format!("{parts:?}"));
    }
}

/// The columns are others, and with them what is said of them.
fn without_request(json: &str) -> String {
    let mut value: serde_json::Value = serde_json::from_str(json).expect("JSON");
    value["request"].take();
    let warnings = value["warnings"].as_array_mut().expect("warnings");
    warnings.retain(|warning| warning["code"] != "unchecked_cases");
    serde_json::to_string_pretty(&value).expect("JSON")
}

/// Samples are smaller than the table, so that they must be the same rows.
#[test]
fn parts_that_are_judged_apart_and_merged_give_the_bytes_of_the_whole() {
    let rows = Rows::new(100_000);
    for parts in [0, 1, 5, 6, 7, 8].map(|place| COMBINATIONS[place]) {
        let mut request = asked(parts);
        request.metrics =
            ["auroc", "lift@0.1", "brier", "mae"].map(|id| id.parse().expect("a metric")).to_vec();
        let batch = rows.in_memory(&parts).batch().expect("columns");
        let collect = |range: std::ops::Range<usize>| {
            let table = TableReader::of_batches("part", vec![batch.slice(range.start, range.len())]);
            let table = table.expect("a table");
            CollectedScores::of_table(&table, &request, range.start as u64, &|_| ()).expect("scores")
        };
        let whole = json(collect(0..rows.len()).judge(&request, &|_| ()).expect("figures"));
        let mut merged = collect(0..35_001);
        merged.merge(collect(35_001..60_000)).expect("alike");
        merged.merge(collect(60_000..rows.len())).expect("alike");
        let merged = json(merged.judge(&request, &|_| ()).expect("figures"));
        assert_same(&merged, &whole, &format!("{parts:?}"));
    }
}

#[test]
fn parts_that_do_not_fit_together_are_refused() {
    let rows = Rows::new(300);
    let parts = COMBINATIONS[5];
    let collect = |request: &EvaluateRequest, range: std::ops::Range<usize>| {
        let batch = rows.in_memory(&parts).batch().expect("columns").slice(range.start, range.len());
        let table = TableReader::of_batches("part", vec![batch]).expect("a table");
        CollectedScores::of_table(&table, request, 0, &|_| ()).expect("scores")
    };
    let request = asked(parts);
    let error = collect(&request, 0..200).merge(collect(&request, 199..300)).expect_err("a case twice");
    assert!(error.to_string().contains("case \"claim 199\" stands in both parts"), "{error}");
    let error = collect(&request, 0..200).merge(collect(&asked(Parts::default()), 200..300));
    assert!(error.expect_err("other columns").to_string().contains("the same was asked"));
    let mut with_bins = request.clone();
    with_bins.charts.bins = Some(4);
    let error = collect(&request, 0..200).merge(collect(&with_bins, 200..300)).expect_err("other rows kept");
    assert!(error.to_string().contains("the same was asked"));
}

#[test]
fn columns_of_other_lengths_and_no_positive_label_are_refused() {
    let check = |rows: ScoredRows, expected: &str| {
        let error = evaluate_rows(&rows, &rows.request(), &|_| ()).expect_err("refused").to_string();
        assert!(error.contains(expected), "{error}");
    };
    let truth = [1_i64, 0, 1, 0];
    check(ScoredRows::new("y", truth).positive(1).score("s", [0.5, 0.2]), "\"s\" has 2 values");
    let scored = || ScoredRows::new("y", truth).score("s", [0.5, 0.2, 0.7, 0.1]);
    check(scored(), "\"true\"");
    check(scored().positive(2), "\"1\" (2 rows)");
    let nan = ScoredRows::new("y", truth).positive(1).score("s", [0.5, f64::NAN, 0.7, 0.1]);
    check(nan, "rows in memory, row 2, column \"s\"");
}
