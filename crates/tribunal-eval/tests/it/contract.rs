//! The contract that every listed metric keeps: a new entry of the registry is covered the moment it is
//! listed.

use proptest::prelude::*;
use tribunal_eval::metrics::{Better, Kind, METRICS, Measure, Metric};
use tribunal_eval::{Confusion, Ranking, ScoredSet, Undefined, Value};

/// Scores and labels as a user would hand them in, with the amounts of the positives.
#[derive(Clone, Debug)]
struct Rows {
    truth: Vec<bool>,
    score: Vec<f64>,
    weight: Option<Vec<f64>>,
    amount: Vec<f64>,
}

impl Rows {
    fn rank(&self) -> Ranking {
        let set = ScoredSet::new(&self.truth, &self.score).and_then(|set| set.with_amount(&self.amount));
        let set = set.expect("valid");
        let set = match &self.weight {
            Some(weight) => set.with_weight(weight).expect("valid"),
            None => set,
        };
        Ranking::of(&set).expect("few rows")
    }

    fn permuted(&self, order: &[usize]) -> Self {
        Self {
            truth: order.iter().map(|&row| self.truth[row]).collect(),
            score: order.iter().map(|&row| self.score[row]).collect(),
            weight: self.weight.as_ref().map(|weight| order.iter().map(|&row| weight[row]).collect()),
            amount: order.iter().map(|&row| self.amount[row]).collect(),
        }
    }

    fn map_scores(&self, map: impl Fn(f64) -> f64) -> Self {
        Self { score: self.score.iter().map(|&score| map(score)).collect(), ..self.clone() }
    }

    /// The other class as the positive one, the list upside down.
    fn swapped(&self) -> Self {
        Self { truth: self.truth.iter().map(|&y| !y).collect(), ..self.map_scores(|score| 1.0 - score) }
    }
}

/// Each metric of scores, with a middling parameter where it needs one.
fn measures() -> Vec<Measure> {
    let parameter = |metric: &Metric| metric.parameter().map(|p| if p.at_most > 1.0 { 2.0 } else { 0.25 });
    let of_scores = METRICS.iter().filter(|metric| metric.kind != Kind::Amount);
    of_scores.map(|metric| Measure::new(metric, parameter(metric)).expect("a fitting parameter")).collect()
}

fn value(measure: &Measure, ranking: &Ranking) -> Value {
    let confusion = Confusion::at_score(ranking, 0.5);
    measure.of_confusion(&confusion).or_else(|| measure.of_ranking(ranking)).expect("a metric of scores")
}

/// Both undefined, or both defined and equal to rounding.
#[track_caller]
fn agree(measure: &Measure, a: Value, b: Value) {
    match (&a, &b) {
        (Ok(x), Ok(y)) => {
            // A logistic fit ends when its steps vanish, a sum when its terms do.
            let tolerance = if measure.to_string().starts_with("calibration") { 1e-6 } else { 1e-9 };
            assert!((x - y).abs() <= tolerance * (1.0 + x.abs()), "{measure}: {x} and {y}");
        }
        (Err(_), Err(_)) => {}
        _ => panic!("{measure}: {a:?} and {b:?}"),
    }
}

/// Rows with ties, of both classes, scores strictly inside the unit interval.
fn rows() -> impl Strategy<Value = Rows> {
    let row = (any::<bool>(), 1u32..20, 1u32..4, -3i32..12);
    prop::collection::vec(row, 4..40).prop_filter_map("both classes", |rows| {
        let truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
        let score = rows.iter().map(|row| f64::from(row.1) / 20.0).collect();
        let weight = rows.iter().map(|row| f64::from(row.2)).collect();
        let both = truth.contains(&true) && truth.contains(&false);
        let amount = rows.iter().map(|row| f64::from(row.3)).collect();
        both.then_some(Rows { truth, score, weight: Some(weight), amount })
    })
}

proptest! {
    #[test]
    fn the_order_of_rows_does_not_matter(rows in rows(), seed in any::<u64>()) {
        let mut order: Vec<usize> = (0..rows.truth.len()).collect();
        order.sort_by_key(|&row| (row as u64).wrapping_mul(seed | 1).rotate_left(17));
        let (a, b) = (rows.rank(), rows.permuted(&order).rank());
        for measure in measures() {
            agree(&measure, value(&measure, &a), value(&measure, &b));
        }
    }

    #[test]
    fn weight_two_is_the_row_twice(rows in rows()) {
        let weight = rows.weight.clone().expect("weights");
        let times = |row: usize| std::iter::repeat_n(row, weight[row] as usize);
        let order: Vec<usize> = (0..weight.len()).flat_map(times).collect();
        let copies = Rows { weight: None, ..rows.permuted(&order) };
        let (a, b) = (rows.rank(), copies.rank());
        for measure in measures() {
            agree(&measure, value(&measure, &a), value(&measure, &b));
        }
    }

    #[test]
    fn weight_zero_is_absence(rows in rows(), gone in 0usize..4) {
        let mut silent = rows.clone();
        silent.weight.as_mut().expect("weights")[gone] = 0.0;
        let order: Vec<usize> = (0..rows.truth.len()).filter(|&row| row != gone).collect();
        let (a, b) = (silent.rank(), rows.permuted(&order).rank());
        for measure in measures() {
            agree(&measure, value(&measure, &a), value(&measure, &b));
        }
    }

    #[test]
    fn ranking_metrics_see_only_the_order(rows in rows()) {
        let (a, b) = (rows.rank(), rows.map_scores(|score| (5.0 * score).exp() - 7.0).rank());
        for measure in measures().iter().filter(|measure| measure.metric.kind == Kind::Ranking) {
            agree(measure, value(measure, &a), value(measure, &b));
        }
    }

    #[test]
    fn values_stay_in_their_range(rows in rows()) {
        let ranking = rows.rank();
        for measure in measures() {
            if let Ok(value) = value(&measure, &ranking) {
                let (low, high) = measure.metric.range;
                prop_assert!((low - 1e-12..=high + 1e-12).contains(&value), "{} = {}", measure, value);
            }
        }
    }

    #[test]
    fn swapping_the_classes_keeps_what_is_symmetric(rows in rows()) {
        // A score of exactly 0.5 would be predicted positive on both sides.
        let rows = rows.map_scores(|score| if score == 0.5 { 0.51 } else { score });
        let (a, b) = (rows.rank(), rows.swapped().rank());
        for id in ["auroc", "gini", "omega", "ks", "pcc", "error_rate", "balanced_accuracy", "g_mean", "mcc", "kappa", "brier", "log_loss", "calibration_slope"] {
            let measure: Measure = id.parse().expect("a metric");
            agree(&measure, value(&measure, &a), value(&measure, &b));
        }
        for (one, other) in [("sensitivity", "specificity"), ("precision", "npv")] {
            let (one, other): (Measure, Measure) = (one.parse().expect("a metric"), other.parse().expect("a metric"));
            agree(&one, value(&one, &a), value(&other, &b));
        }
    }
}

#[test]
fn degenerate_data_give_a_value_or_a_reason() {
    let constant = |labels: &[bool], score: f64| {
        Rows {
            truth: labels.to_vec(),
            score: vec![score; labels.len()],
            weight: None,
            amount: vec![1.0; labels.len()],
        }
        .rank()
    };
    let cases = [
        constant(&[], 0.5),
        constant(&[true], 0.5),
        constant(&[false], 0.5),
        constant(&[true, false, true], 0.5),
        constant(&[true, false], 1e300),
        constant(&[true, false], -7.0),
        Rows {
            truth: vec![true, false],
            score: vec![0.9, 0.1],
            weight: Some(vec![0.0, 0.0]),
            amount: vec![1.0; 2],
        }
        .rank(),
        Rows { truth: vec![true, false], score: vec![0.0, 1.0], weight: None, amount: vec![-1.0; 2] }.rank(),
    ];
    for ranking in &cases {
        for measure in measures() {
            match value(&measure, ranking) {
                Ok(value) => assert!(value.is_finite(), "{measure} is {value}"),
                Err(reason) => assert!(!reason.to_string().is_empty()),
            }
        }
    }
}

#[test]
fn one_class_leaves_ranking_metrics_undefined_with_the_right_reason() {
    let one_class = |positive: bool| {
        Rows { truth: vec![positive; 2], score: vec![0.3, 0.6], weight: None, amount: vec![1.0; 2] }.rank()
    };
    let (positives, negatives) = (one_class(true), one_class(false));
    for id in [
        "auroc",
        "auroc_100",
        "gini",
        "omega",
        "ks",
        "h_measure",
        "pauroc@0.1",
        "calibration_slope",
        "calibration_intercept",
    ] {
        let measure: Measure = id.parse().expect("a metric");
        assert_eq!(value(&measure, &positives), Err(Undefined::NoNegatives), "{id}");
        assert_eq!(value(&measure, &negatives), Err(Undefined::NoPositives), "{id}");
    }
}

#[test]
fn all_tied_scores_are_worth_nothing() {
    let tied = Rows {
        truth: vec![true, false, false, true],
        score: vec![0.4; 4],
        weight: None,
        amount: vec![2.0; 4],
    }
    .rank();
    for (id, expected) in [
        ("auroc", 0.5),
        ("auroc_100", 0.5),
        ("gini", 0.0),
        ("omega", 0.5),
        ("omega_amount", 0.5),
        ("ks", 0.0),
        ("h_measure", 0.0),
        ("lift@0.1", 1.0),
        ("average_precision", 0.5),
    ] {
        let measure: Measure = id.parse().expect("a metric");
        agree(&measure, value(&measure, &tied), Ok(expected));
    }
}

#[test]
fn the_registry_is_complete_and_documented() {
    for metric in METRICS {
        for text in [metric.id, metric.name, metric.definition, metric.undefined_when, metric.reference] {
            assert!(!text.is_empty(), "{} lacks a text", metric.id);
        }
        assert!(metric.range.0 < metric.range.1 && metric.id.contains('@') == metric.parameter().is_some());
        if let Better::Near(best) = metric.better {
            assert!((metric.range.0..=metric.range.1).contains(&best));
        }
        let twins = METRICS.iter().filter(|other| other.id == metric.id).count();
        assert_eq!(twins, 1, "{} is listed {twins} times", metric.id);
    }
    let promised = "pcc error_rate sensitivity specificity precision npv f1 mcc kappa balanced_accuracy auroc auroc_100 \
                    gini ks h_measure average_precision three_point_average_precision brier log_loss ece \
                    calibration_slope calibration_intercept cph@P lift@P";
    for id in promised.split_whitespace() {
        assert!(METRICS.iter().any(|metric| metric.id == id), "{id} is promised and not listed");
    }
}
