//! Figures by segment: those of a file that holds only its rows, at the cut-offs of the whole list; tests that find what is there
//! and nothing else; and columns that make no segments.

use tribunal::{
    EvaluateRequest, Evaluation, MetricRow, ScoreColumns, ScoredRows, SegmentFigure, SegmentResults,
    evaluate, evaluate_rows,
};
use tribunal_eval::CutoffRule;
use tribunal_random::Random;

/// Cases of three regions and two channels.
struct Cases {
    truth: Vec<bool>,
    score: Vec<f64>,
    weight: Vec<f64>,
    amount: Vec<f64>,
    predicted: Vec<f64>,
    region: Vec<&'static str>,
    channel: Vec<i64>,
    fold: Vec<i64>,
}

const REGIONS: [&str; 3] = ["west", "north", "east"];

impl Cases {
    /// Positives score higher by `shift` of their region.
    fn new(n: usize, seed: u64, shifts: [f64; 3]) -> Self {
        let mut random = Random::new(seed);
        let mut cases = Self {
            truth: vec![],
            score: vec![],
            weight: vec![],
            amount: vec![],
            predicted: vec![],
            region: vec![],
            channel: vec![],
            fold: vec![],
        };
        for row in 0..n {
            let region = (random.below(6) as usize).min(2);
            let truth = random.uniform() < [0.5, 0.2, 0.35][region];
            let margin = random.normal() + if truth { shifts[region] } else { -0.5 };
            // Two digits, so that there are ties.
            cases.score.push((100.0 / (1.0 + (-margin).exp())).round() / 100.0);
            cases.truth.push(truth);
            cases.weight.push([0.0, 1.0, 2.0, 0.5][random.below(4) as usize]);
            cases.amount.push(random.below(900) as f64);
            cases.predicted.push(random.below(900) as f64);
            cases.region.push(REGIONS[region]);
            cases.channel.push(10 - random.below(2) as i64);
            cases.fold.push(row as i64 % 3);
        }
        cases
    }

    /// Those for which something holds.
    fn only(&self, keeps: impl Fn(usize) -> bool) -> Self {
        let rows: Vec<usize> = (0..self.truth.len()).filter(|&row| keeps(row)).collect();
        self.at(&rows)
    }

    fn at(&self, rows: &[usize]) -> Self {
        fn pick<T: Copy>(column: &[T], rows: &[usize]) -> Vec<T> {
            rows.iter().map(|&row| column[row]).collect()
        }
        Self {
            truth: pick(&self.truth, rows),
            score: pick(&self.score, rows),
            weight: pick(&self.weight, rows),
            amount: pick(&self.amount, rows),
            predicted: pick(&self.predicted, rows),
            region: pick(&self.region, rows),
            channel: pick(&self.channel, rows),
            fold: pick(&self.fold, rows),
        }
    }

    fn rows(&self) -> ScoredRows {
        ScoredRows::new("y", &self.truth).score("m", &self.score)
    }

    /// With every other column too.
    fn with_all_columns(&self) -> ScoredRows {
        self.rows()
            .weight("w", &self.weight)
            .amount("a", &self.amount)
            .predicted_amount("p", &self.predicted)
            .fold("f", &self.fold)
    }

    fn by_region(&self) -> ScoredRows {
        self.rows().by("region", &self.region)
    }
}

fn judged(rows: &ScoredRows, change: impl Fn(&mut EvaluateRequest)) -> Evaluation {
    let mut request = rows.request();
    request.replicates = Some(0);
    change(&mut request);
    evaluate_rows(rows, &request, &|_| ()).expect("figures")
}

fn segments(rows: &ScoredRows, change: impl Fn(&mut EvaluateRequest)) -> SegmentResults {
    judged(rows, change).segments.expect("segments")
}

fn rules(rules: &[&str]) -> Vec<CutoffRule> {
    rules.iter().map(|rule| rule.parse().expect("a rule")).collect()
}

fn close(found: Option<f64>, expected: Option<f64>, what: &str) {
    match (found, expected) {
        (Some(found), Some(expected)) => {
            assert!(
                (found - expected).abs() <= 1e-12 * expected.abs().max(1.0),
                "{what}: {found} {expected}"
            );
        }
        _ => assert_eq!(found, expected, "{what}"),
    }
}

#[test]
fn figures_of_a_segment_are_those_of_a_file_with_only_its_rows() {
    let cases = Cases::new(900, 5, [1.0, 0.5, 1.5]);
    let at_half = |request: &mut EvaluateRequest| request.cutoffs = rules(&["0.5", "0.31"]);
    type Make = fn(&Cases) -> ScoredRows;
    for make in [Cases::rows as Make, Cases::with_all_columns as Make] {
        let both = |cases: &Cases| make(cases).by("region", &cases.region).by("channel", &cases.channel);
        let found = segments(&both(&cases), at_half);
        let labels: Vec<&[String]> = found.segments.iter().map(|segment| segment.labels.as_slice()).collect();
        assert_eq!(labels[..3], [["east", "9"], ["east", "10"], ["north", "9"]]);
        assert_eq!(labels.len(), 6);
        for (place, segment) in found.segments.iter().enumerate() {
            let is_own = |row: usize| {
                cases.region[row] == segment.labels[0] && cases.channel[row].to_string() == segment.labels[1]
            };
            let alone = judged(&make(&cases.only(is_own)), at_half);
            assert_eq!(segment.positives, alone.data.positives);
            close(segment.base_rate, alone.data.base_rate, "base rate");
            let rows: Vec<&MetricRow> = alone.metrics.iter().filter(|row| row.scope.is_all()).collect();
            let own: Vec<&SegmentFigure> =
                found.figures.iter().filter(|figure| figure.segment == place).collect();
            assert_eq!(own.len(), rows.len());
            for (figure, row) in own.into_iter().zip(rows) {
                let what = format!("{} {:?} in {:?}", figure.metric, figure.cutoff, segment.labels);
                assert_eq!(
                    (&figure.metric, figure.cutoff, figure.n),
                    (&row.metric, row.cutoff, row.n),
                    "{what}"
                );
                assert_eq!(
                    (&figure.undefined, &figure.no_interval),
                    (&row.undefined, &row.no_interval),
                    "{what}"
                );
                close(figure.estimate, row.estimate, &what);
                close(figure.lower, row.lower, &what);
                close(figure.upper, row.upper, &what);
            }
        }
    }
}

#[test]
fn one_cutoff_is_common_to_all_segments_and_counts_of_cases_are_shares() {
    let cases = Cases::new(600, 6, [1.0; 3]);
    let all = ["top:50", "10%", "youden", "0.5"];
    let ask = |request: &mut EvaluateRequest| {
        request.cutoffs = rules(&all);
        request.metrics =
            vec!["precision_top@60".parse().expect("a metric"), "precision".parse().expect("one")];
    };
    let whole = judged(&cases.by_region(), ask);
    let found = whole.segments.as_ref().expect("segments");
    for cutoff in &whole.cutoffs {
        let expected = cutoff.cutoff.expect("a cut-off");
        let own: Vec<_> = found.cutoffs.iter().filter(|own| own.asked == cutoff.asked).collect();
        assert_eq!(own.len(), 3);
        assert!(own.iter().all(|own| own.score == expected.score));
        let sum =
            |of: fn(&tribunal_eval::Confusion) -> f64| own.iter().map(|own| of(&own.confusion)).sum::<f64>();
        let cells = expected.confusion;
        for (found, expected) in [
            (sum(|c| c.tp), cells.tp),
            (sum(|c| c.fp), cells.fp),
            (sum(|c| c.fn_), cells.fn_),
            (sum(|c| c.tn), cells.tn),
        ] {
            assert!((found - expected).abs() < 1e-9, "{}: {found} {expected}", cutoff.asked);
        }
        for own in own {
            let share = own.share.estimate.expect("a share");
            assert!((share - own.confusion.flagged() / own.confusion.total()).abs() < 1e-12);
            let (lower, upper) = (own.share.lower.expect("an end"), own.share.upper.expect("an end"));
            assert!(lower < share && share < upper, "{own:?}");
            let precision = found.figures.iter().find(|figure| {
                figure.segment == own.segment
                    && figure.metric == "precision"
                    && figure.cutoff == Some(own.asked)
            });
            assert_eq!(precision.expect("a figure").estimate, own.precision.estimate);
        }
    }
    for (place, segment) in found.segments.iter().enumerate() {
        let alone = cases.only(|row| cases.region[row] == segment.labels[0]);
        let n = segment.rows as f64 / 10.0;
        let alone = judged(&alone.rows(), |request| {
            request.metrics = vec![format!("precision_top@{n}").parse().expect("a metric")];
        });
        let top = found
            .figures
            .iter()
            .find(|figure| figure.segment == place && figure.metric == "precision_top@60");
        close(top.expect("a figure").estimate, alone.metrics[0].estimate, "precision_top");
    }
}

#[test]
fn the_order_of_the_rows_does_not_matter() {
    let cases = Cases::new(500, 7, [1.0, 0.2, 1.0]);
    let json = |cases: &Cases| {
        let mut found = judged(&cases.by_region(), |request| request.curves = false);
        found.data.files.clear();
        serde_json::to_string_pretty(&found.segments).expect("JSON")
    };
    let reversed: Vec<usize> = (0..500).rev().collect();
    assert_eq!(json(&cases), json(&cases.at(&reversed)));
}

#[test]
fn a_region_where_the_model_is_worse_is_found_and_others_are_not() {
    let differing = segments(&Cases::new(3000, 8, [1.2, -0.3, 1.2]).by_region(), |_| ());
    let auroc = |found: &SegmentResults| {
        found.tests.iter().find(|test| test.metric == "auroc").expect("a test").clone()
    };
    assert!(auroc(&differing).p_adjusted.expect("a p value") < 1e-6);
    let worse: Vec<_> = differing.against_rest.iter().filter(|rest| rest.is_worse).collect();
    assert_eq!(worse.len(), 1);
    assert_eq!(differing.segments[worse[0].segment].labels, ["north"]);
    assert!(worse[0].estimate < worse[0].elsewhere && worse[0].p <= worse[0].p_adjusted);
    // The same model everywhere, though the regions differ in size and base rate.
    let alike = segments(&Cases::new(3000, 8, [1.0; 3]).by_region(), |_| ());
    assert!(auroc(&alike).p_adjusted.expect("a p value") > 0.05);
    assert!(alike.against_rest.iter().all(|rest| !rest.is_worse));
    assert_eq!(auroc(&alike).n_segments, 3);
    // The recalls at one cut-off are those of equal shifts too.
    let recall = alike.tests.iter().find(|test| test.metric == "sensitivity").expect("a test");
    assert!(recall.p_adjusted.expect("a p value") > 0.01, "{recall:?}");
}

/// With the p value of two independent AUROCs on the logit scale.
#[test]
fn of_two_segments_one_test_says_it_all() {
    let cases = Cases::new(800, 9, [1.0, 0.6, 1.0]);
    let two = cases.only(|row| cases.region[row] != "east");
    let found = segments(&two.by_region(), |_| ());
    let [rest] = found.against_rest.as_slice() else { panic!("one segment is the worse one") };
    let test = found.tests.iter().find(|test| test.metric == "auroc").and_then(|test| test.test);
    assert!((rest.p - test.expect("a test").p).abs() < 1e-12);
    assert_eq!(rest.p, rest.p_adjusted);
}

#[test]
fn small_segments_say_so() {
    let truth = [true, false, true, false, true, true, false];
    let rows = ScoredRows::new("y", truth)
        .score("m", [0.9, 0.2, 0.8, 0.4, 0.7, 0.1, 0.3])
        .weight("w", [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0])
        .by("s", ["a", "a", "a", "a", "b", "b", "c"]);
    let whole = judged(&rows, |_| ());
    let codes: Vec<String> = whole
        .warnings
        .iter()
        .filter_map(|warning| serde_json::to_value(warning).ok()?["code"].as_str().map(str::to_owned))
        .collect();
    for expected in ["one_class_segments", "few_in_segments"] {
        assert!(codes.iter().any(|code| code == expected), "{codes:?}");
    }
    let found = whole.segments.expect("segments");
    let auroc = |place: usize| {
        let is_it = |figure: &&SegmentFigure| figure.segment == place && figure.metric == "auroc";
        found.figures.iter().find(is_it).expect("an entry")
    };
    assert_eq!(auroc(0).estimate, Some(1.0));
    assert_eq!(auroc(1).undefined.as_deref(), Some("there are no negatives"));
    assert!(auroc(2).undefined.is_some() && found.segments[2].rows == 0);
    // Nothing has a cut-off where there is no weight.
    assert_eq!(found.cutoffs.len(), 2);
    assert!(found.against_rest.is_empty());
    assert!(found.tests.iter().all(|test| test.test.is_none() && test.n_segments < 2));
}

#[test]
fn columns_that_make_no_segments_are_refused() {
    let cases = Cases::new(50, 1, [1.0; 3]);
    let check = |change: fn(&mut ScoreColumns), expected: &str| {
        let rows = cases.by_region();
        let mut request = rows.request();
        change(&mut request.columns);
        let error = evaluate_rows(&rows, &request, &|_| ()).expect_err("refused").to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(|columns| columns.by = vec!["y".into()], "is the truth");
    check(|columns| columns.by = vec!["m".into()], "is a score");
    check(|columns| columns.by.push("region".into()), "is named twice");
    check(|columns| columns.id = Some("region".into()), "names the cases");
    check(|columns| columns.model = Some("region".into()), "names the models");
    check(|columns| columns.by = vec!["regoin".into()], "region");
}

fn judged_file(text: &str, change: impl Fn(&mut ScoreColumns)) -> Result<Evaluation, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("scores.csv");
    std::fs::write(&path, text).expect("a file");
    let mut columns = ScoreColumns::new("y", ["s"]);
    columns.positive = Some("1".into());
    columns.by = vec!["region".into()];
    change(&mut columns);
    evaluate(&[path.to_string_lossy()], &EvaluateRequest::new(columns), &|_| ()).map_err(|e| e.to_string())
}

#[test]
fn missing_labels_and_labels_without_end_are_refused_with_advice() {
    let missing = "y,s,region\n1,0.5,a\n0,0.4,\n1,0.3,b\n";
    let error = judged_file(missing, |_| ()).expect_err("refused");
    assert!(error.contains("line 3, column \"region\": the value is missing"), "{error}");
    let table = |n_regions: usize| {
        let row = |row: usize| format!("{},0.{row:06},r{},{}\n", row % 2, row % n_regions, row % 900);
        format!("y,s,region,part\n{}", (0..100_000).map(row).collect::<String>())
    };
    let error = judged_file(&table(100_000), |_| ()).expect_err("refused");
    assert!(error.contains("\"region\" names more than 1000 segments"), "{error}");
    let both = |columns: &mut ScoreColumns| columns.by.push("part".into());
    let error = judged_file(&table(7), both).expect_err("refused");
    assert!(error.contains("make more than 1000 segments"), "{error}");
}

#[test]
fn a_case_has_the_same_segment_for_every_model() {
    let table = "m,y,s,region\na,1,0.9,n\na,0,0.1,n\na,1,0.8,s\nb,1,0.9,n\nb,0,0.1,s\nb,1,0.8,s\n";
    let error = judged_file(table, |columns| columns.model = Some("m".into())).expect_err("refused");
    assert!(error.contains("where \"region\" is \"n\" the model \"a\" has 2 rows"), "{error}");
}
