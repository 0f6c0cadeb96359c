//! Golden values of the intervals, influence functions against numeric differences, and what must hold of every interval.

use proptest::prelude::*;
use tribunal_eval::influence::{BaseRate, Moments, RankedRows, Variance};
use tribunal_eval::intervals::{
    Correction, Interval, Level, NoInterval, Optimism, Proportion, Sampled, wilson,
};
use tribunal_eval::metrics::{Kind, METRICS, Measure, Spread};
use tribunal_eval::significance::InfluenceDifference;
use tribunal_eval::{CertainRows, Cutoff, CutoffRule, Ranking, ScoreCounts, ScoredSet, Split, metrics};
use tribunal_tails::t_quantile;

fn measure(id: &str) -> Measure {
    id.parse().expect("a metric of the registry")
}

/// 19 customers, 13 of whom responded (Witten and Frank, chapter 5).
fn customers() -> Ranking {
    let truth: Vec<bool> = "++-+++++-+-++-+-+-+".chars().map(|label| label == '+').collect();
    let scores = [
        0.95, 0.93, 0.93, 0.88, 0.86, 0.85, 0.82, 0.80, 0.80, 0.79, 0.77, 0.76, 0.73, 0.65, 0.63, 0.58, 0.56,
        0.49, 0.48,
    ];
    let amounts = [
        1200.0, 300.0, 0.0, 850.0, 90.0, 2400.0, 410.0, 60.0, 0.0, 700.0, 0.0, 150.0, 980.0, 0.0, 35.0, 0.0,
        500.0, 0.0, 20.0,
    ];
    let set = ScoredSet::new(&truth, &scores).and_then(|set| set.with_amount(&amounts));
    Ranking::of(&set.expect("finite")).expect("few rows")
}

const Y: &str = "0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 0 0 1";
const S: &str = ".35 .55 .54 .41 .61 .57 .46 .66 .61 .51 0 .65 .57 .22 .69 .62 .28 .48 .68 .62 .53 0 .66 .59 .24 .7 .64 .29 .73 .69 .35 .77 .2 .4 .81 .25 .45 .66 .31 .75";

/// Forty cases with ties.
fn forty() -> Ranking {
    let truth: Vec<bool> = Y.split(' ').map(|label| label == "1").collect();
    let scores: Vec<f64> = S.split(' ').map(|score| score.parse().expect("a number")).collect();
    Ranking::from_scores(&truth, &scores).expect("finite")
}

fn cutoff(ranking: &Ranking, rule: &str) -> Cutoff {
    rule.parse::<CutoffRule>().expect("a rule").find(ranking).expect("both classes")
}

/// Estimate, lower and upper end.
#[track_caller]
fn check(ranking: &Ranking, id: &str, rule: Option<&str>, expected: [f64; 3]) {
    let cutoff = rule.map(|rule| cutoff(ranking, rule));
    let measure = measure(id);
    let value = match &cutoff {
        Some(cutoff) => measure
            .corrected(ranking, cutoff)
            .or_else(|| measure.of_confusion(&cutoff.confusion))
            .expect("a metric of predictions"),
        None => measure.of_ranking(ranking).expect("a metric of rankings"),
    };
    let interval = measure.interval(&Sampled::new(ranking), cutoff.as_ref()).expect("an interval");
    let found = [value.expect("defined"), interval.lower, interval.upper];
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found - expected).abs() < 2e-8 * expected.abs().max(1.0),
            "{id} {rule:?}: {found}, expected {expected}"
        );
    }
}

#[test]
fn golden_intervals_of_nineteen_customers() {
    let ranking = customers();
    let check = |id: &str, rule: Option<&str>, expected: [f64; 3]| check(&ranking, id, rule, expected);
    check("auroc", None, [0.628205128, 0.314836827, 0.861362337]);
    check("pauroc@0.1", None, [0.526315789, 0.484565238, 0.667900876]);
    check("ks", None, [0.294871795, 0.0, 0.45871919]);
    check("average_precision", None, [0.779044432, 0.352846119, 0.957983372]);
    check("precision_top@5", None, [0.8, 0.357023335, 0.992260439]);
    check("lift@0.25", None, [1.153846154, 0.671318326, 1.796064007]);
    check("precision_top@10", None, [0.8, 0.472716734, 0.969372113]);
    check("brier", None, [0.210978947, 0.116039078, 0.383595915]);
    check("log_loss", None, [0.627177257, 0.353477293, 1.112805036]);
    check("ece", None, [0.069473684, 0.0, 0.131920274]);
    check("f@1", Some("0.75"), [0.72, 0.492700495, 0.871929012]);
    check("f@2", Some("0.75"), [0.703125, 0.457751339, 0.869193381]);
    check("balanced_accuracy", Some("0.75"), [0.596153846, 0.390157977, 0.776641417]);
    check("g_mean", Some("0.75"), [0.588348405, 0.340073171, 0.769951378]);
    check("mcc", Some("0.75"), [0.185312329, -0.386197253, 0.639629804]);
    check("kappa", Some("0.75"), [0.18404908, -0.384542889, 0.637343251]);
    check("f1", Some("youden"), [0.490867667, 0.255920494, 0.729919517]);
    check("f1", Some("max-f1"), [0.753333542, 0.549608121, 0.884306022]);
    check("pcc", Some("max-pcc"), [0.489868174, 0.286558856, 0.696585417]);
}

#[test]
fn golden_intervals_of_forty_cases() {
    let ranking = forty();
    let check = |id: &str, rule: Option<&str>, expected: [f64; 3]| check(&ranking, id, rule, expected);
    check("auroc", None, [0.886904762, 0.740747157, 0.95560251]);
    check("pauroc@0.1", None, [0.731516291, 0.590053185, 0.876127184]);
    check("ks", None, [0.642857143, 0.231932187, 0.721429049]);
    check("average_precision", None, [0.786988583, 0.530688071, 0.923496406]);
    check("precision_top@4", None, [1.0, 0.273771703, 1.0]);
    check("cph@0.1", None, [0.333333333, 0.206442333, 0.490053996]);
    check("precision_top@10", None, [0.666666667, 0.341936458, 0.91660288]);
    check("cph@0.25", None, [0.555555556, 0.347917209, 0.745450628]);
    check("brier", None, [0.187965, 0.148389371, 0.238095498]);
    check("log_loss", None, [0.551110931, 0.460984068, 0.65885847]);
    check("ece", None, [0.2645, 0.139460756, 0.357043287]);
    check("calibration_slope", None, [3.745887545, 1.510276656, 5.981498433]);
    check("f1", Some("max-f1"), [0.649083245, 0.45313066, 0.805033051]);
}

#[test]
fn golden_optimism_of_chosen_cutoffs() {
    let check = |ranking: &Ranking, rule: &str, bias: f64, tp: f64, fp: f64| {
        let cutoff = cutoff(ranking, rule);
        let optimism = Optimism::of(ranking, &cutoff).expect("a rule that was studied");
        let cells = optimism.corrected(&cutoff.confusion, Correction::OnNewCases);
        for (found, expected) in [(optimism.bias, bias), (cells.tp, tp), (cells.fp, fp)] {
            assert!((found - expected).abs() < 1e-7, "{rule}: {found}, expected {expected}");
        }
    };
    check(&customers(), "youden", 0.199376378, 4.90867667, 2.09132333);
    check(&customers(), "max-f1", 0.0711896, 11.481288537, 6.0);
    check(&customers(), "max-pcc", 0.145756764, 8.15374765, 4.84625235);
    check(&forty(), "youden", 0.088198018, 11.012182203, 10.987817797);
    check(&forty(), "max-f1", 0.042599331, 11.034415167, 10.965584833);
}

/// Perfect rankings of few cases have one-sided intervals that are wide.
#[test]
fn golden_perfect_ranking() {
    let ranking = Ranking::from_scores(
        &[true, true, true, false, false, false, false, false],
        &[8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0],
    )
    .expect("finite");
    check(&ranking, "auroc", None, [1.0, 0.327120224, 1.0]);
    check(&ranking, "average_precision", None, [1.0, 0.139451728, 1.0]);
}

/// The value of a metric on a set of rows.
fn value(measure: &Measure, rule: Option<&str>, set: &ScoredSet<'_>) -> f64 {
    let ranking = Ranking::of(set).expect("few rows");
    let found = match rule {
        Some(rule) => measure.of_confusion(&cutoff(&ranking, rule).confusion),
        None => measure.of_ranking(&ranking),
    };
    found.expect("of this kind").expect("defined")
}

/// Every registered metric that states an influence function, but for those of lists of given length, where the rate at the cut is
/// smoothed, and the area of a hundred points, which has that of the area under the whole curve.
fn measures_with_influence() -> Vec<Measure> {
    let stated = METRICS.iter().filter(|metric| {
        matches!(metric.spread, Spread::Influence { .. } | Spread::Share(_) | Spread::Cells(_))
            && !["cph", "lift", "precision_top", "lift_top", "auroc_100"].contains(&metric.stem())
    });
    stated.map(|metric| Measure::new(metric, metric.parameter().map(|_| 0.3)).expect("in range")).collect()
}

/// The infinitesimal jackknife by numeric differences: more mass on one row moves the figure by its influence.
#[test]
fn influence_functions_are_derivatives_in_the_mass_of_a_row() {
    let mut random = tribunal_random::Random::new(7);
    let truth: Vec<bool> = (0..60).map(|row| row % 3 == 0).collect();
    let scores: Vec<f64> = truth
        .iter()
        .map(|&t| ((random.uniform() * 0.7 + 0.3 * f64::from(t)) * 40.0).round() / 40.0)
        .collect();
    let amounts: Vec<f64> = (0..60).map(|row| f64::from(row * 7 % 23) - 4.0).collect();
    let plain = ScoredSet::new(&truth, &scores).expect("finite");
    let of_positives = plain.with_amount(&amounts).expect("finite");
    let of_everybody = plain.with_amount_of_everybody(&amounts).expect("finite");
    let increasing: Vec<f64> = (0..60).map(|row| 1.0 + f64::from(row % 4)).collect();
    for (rows, weights) in
        [(of_positives, vec![1.0; 60]), (of_positives, increasing.clone()), (of_everybody, increasing)]
    {
        let set = rows.with_weight(&weights).expect("valid");
        let ranking = Ranking::of(&set).expect("few rows");
        let total: f64 = weights.iter().sum();
        for measure in measures_with_influence() {
            let id = measure.to_string();
            let rule = (measure.metric.kind == Kind::Cutoff).then_some("0.41");
            let at = rule.map(|rule| cutoff(&ranking, rule));
            let influence = measure.influence(&ranking, at.as_ref()).expect("an influence function");
            let ranked = RankedRows::of_set(&ranking, &set).expect("as long");
            let values = influence.of_rows(&ranked).expect("amounts");
            let sum: f64 = values.iter().zip(&weights).map(|(value, weight)| value * weight).sum();
            assert!(sum.abs() < 1e-5 * total, "{id}: the values add up to {sum}");
            let at_rest = value(&measure, rule, &set);
            for row in 0..60 {
                let mut heavier = weights.clone();
                heavier[row] += 1e-4;
                let moved = value(&measure, rule, &rows.with_weight(&heavier).expect("valid"));
                let expected = (moved - at_rest) * total / 1e-4;
                assert!(
                    (values[row] - expected).abs() < 2e-3 * (1.0 + expected.abs()),
                    "{id} row {row}: {} {expected}",
                    values[row]
                );
            }
        }
    }
}

/// Rows with their truth, scores and weights.
fn rows() -> impl Strategy<Value = Vec<(bool, u8, u8)>> {
    let rows = |n_scores: u8| prop::collection::vec((any::<bool>(), 0..n_scores, 1u8..4), 6..60);
    // Scores that agree with the truth, one score only, a few and many.
    let agreeing = prop::collection::vec((any::<bool>(), 1u8..4), 6..60).prop_map(|rows| {
        rows.into_iter().map(|(truth, weight)| (truth, 2 + 7 * u8::from(truth), weight)).collect()
    });
    prop_oneof![8 => rows(12), 2 => rows(3), 1 => rows(1), 1 => agreeing]
}

fn all_measures() -> Vec<(Measure, Option<&'static str>)> {
    let mut all = Vec::new();
    for metric in METRICS.iter().filter(|metric| metric.kind != Kind::Amount && !metric.spread.is_drawn()) {
        let parameter = metric.parameter().map(|parameter| if parameter.counts_cases { 3.0 } else { 0.3 });
        let measure = Measure::new(metric, parameter).expect("a measure");
        match metric.kind {
            Kind::Cutoff => {
                let rules = ["0.4", "share:0.3", "youden", "max-f1", "max-pcc", "cost:1:5", "recall>=0.7"];
                all.extend(rules.map(|rule| (measure, Some(rule))));
            }
            _ => all.push((measure, None)),
        }
    }
    all
}

/// The figures that are the same in every sample: the lift of a list of all cases, and with one score for all cases whatever
/// depends on how many are positive, where every sample has as many.
fn cannot_vary(ranking: &Ranking, measure: &Measure, base_rate: BaseRate) -> bool {
    let is_whole = measure.metric.id == "lift_top@N" && measure.n_cases() == Some(ranking.totals().total());
    is_whole || (ranking.n_blocks() == 1 && base_rate == BaseRate::Fixed)
}

/// The interval of a measure, at the cut-off that the rule finds.
fn interval_at(
    ranking: &Ranking,
    measure: &Measure,
    rule: Option<&str>,
    base_rate: BaseRate,
) -> Result<Interval, NoInterval> {
    let at = rule.map(|rule| rule.parse::<CutoffRule>().expect("a rule").find(ranking)).transpose()?;
    measure.interval(&Sampled { base_rate, ..Sampled::new(ranking) }, at.as_ref())
}

/// Every registered metric with a formula has the same interval on both rankings, or none for the same reason.
fn same_intervals(one: &Ranking, other: &Ranking) -> Result<(), TestCaseError> {
    for base_rate in [BaseRate::Random, BaseRate::Fixed] {
        for (measure, rule) in all_measures() {
            let interval = |ranking: &Ranking| interval_at(ranking, &measure, rule, base_rate);
            match (interval(one), interval(other)) {
                (Ok(a), Ok(b)) => {
                    let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(1.0);
                    let is_same = close(a.lower, b.lower) && close(a.upper, b.upper) && a.method == b.method;
                    prop_assert!(is_same, "{} {:?} {:?}: {:?} {:?}", measure, rule, base_rate, a, b);
                }
                (a, b) => prop_assert_eq!(a, b, "{} {:?} {:?}", measure, rule, base_rate),
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the data: no panic, no NaN, ends in order and in range, holding the figure; and no interval without width
    /// unless the figure cannot vary.
    #[test]
    fn intervals_are_intervals(rows in rows()) {
        let truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
        let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.1) / 11.0).collect();
        let amounts: Vec<f64> = rows.iter().map(|row| 7.0 - f64::from(row.2 * row.2)).collect();
        let set = ScoredSet::new(&truth, &scores).and_then(|set| set.with_amount(&amounts)).expect("finite");
        let ranking = Ranking::of(&set).expect("few rows");
        let weights: Vec<f64> = rows.iter().map(|row| f64::from(row.2) / 3.0).collect();
        let weighted = Ranking::of(&set.with_weight(&weights).expect("valid")).expect("few rows");
        for ranking in [&ranking, &weighted] {
            for base_rate in [BaseRate::Random, BaseRate::Fixed] {
                for (measure, rule) in all_measures() {
                    let at = match rule.map(|rule| rule.parse::<CutoffRule>().expect("a rule").find(ranking)) {
                        Some(Ok(cutoff)) => Some(cutoff),
                        Some(Err(_)) => continue,
                        None => None,
                    };
                    let sampled = Sampled { base_rate, ..Sampled::new(ranking) };
                    let Ok(interval) = measure.interval(&sampled, at.as_ref()) else { continue };
                    let (low, high) = measure.metric.range;
                    let name = format!("{measure} {rule:?} {base_rate:?} {interval:?}");
                    prop_assert!(interval.lower < interval.upper || cannot_vary(ranking, &measure, base_rate), "{}", name);
                    prop_assert!(interval.lower >= low - 1e-9 && interval.upper <= high + 1e-9, "{}", name);
                    let value = match &at {
                        Some(cutoff) => measure.corrected(ranking, cutoff).or_else(|| measure.of_confusion(&cutoff.confusion)),
                        None => measure.of_ranking(ranking),
                    };
                    let Some(Ok(value)) = value else { continue };
                    // Added half cases and errors made by chance move the centre of these.
                    let is_moved = matches!(measure.metric.id, "mcc" | "kappa" | "ece");
                    prop_assert!(is_moved || interval.contains(value) || (value - interval.lower).abs().min((value - interval.upper).abs()) < 1e-9, "{}: {}", name, value);
                }
            }
        }
    }

    /// Rankings of parts, merged, have the intervals of the whole.
    #[test]
    fn merged_halves_give_the_intervals_of_the_whole(rows in rows()) {
        let truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
        let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.1) / 11.0).collect();
        let weights: Vec<f64> = rows.iter().map(|row| f64::from(row.2) / 4.0).collect();
        let amounts: Vec<f64> = rows.iter().map(|row| 7.0 - f64::from(row.2 * row.2)).collect();
        let half = rows.len() / 2;
        for weighted in [false, true] {
            let part = |rows: std::ops::Range<usize>| {
                let set = ScoredSet::new(&truth[rows.clone()], &scores[rows.clone()]);
                let set = set.and_then(|set| set.with_amount(&amounts[rows.clone()])).expect("finite");
                let set = if weighted { set.with_weight(&weights[rows]).expect("valid") } else { set };
                Ranking::of(&set).expect("few rows")
            };
            let merged = part(0..half).merge(part(half..rows.len())).expect("few rows");
            same_intervals(&merged, &part(0..rows.len()))?;
        }
    }

    /// A count of two is the row twice.
    #[test]
    fn counted_rows_have_the_intervals_of_the_rows_given_as_often(rows in rows(), all_twice: bool) {
        let count = |row: &(bool, u8, u8)| if all_twice { 2 } else { u64::from(row.2) };
        let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.1) / 11.0).collect();
        let of_class = |positive: bool| -> Vec<u64> {
            rows.iter().map(|row| if row.0 == positive { count(row) } else { 0 }).collect()
        };
        let (positives, negatives) = (of_class(true), of_class(false));
        let counts = ScoreCounts { score: &scores, positives: &positives, negatives: &negatives, amount: None, negative_amount: None };
        let counted = Ranking::from_counts(&counts).expect("valid");
        let repeated = rows.iter().flat_map(|row| vec![(row.0, f64::from(row.1) / 11.0); count(row) as usize]);
        let (truth, scores): (Vec<bool>, Vec<f64>) = repeated.unzip();
        same_intervals(&counted, &Ranking::from_scores(&truth, &scores).expect("finite"))?;
    }

    /// Weights of one size change nothing, and rows that were counted are rows.
    #[test]
    fn equal_weights_and_counted_rows_change_no_interval(rows in rows(), weight in 0.1f64..10.0) {
        let truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
        let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.1) / 11.0).collect();
        let plain = Ranking::from_scores(&truth, &scores).expect("finite");
        let weights = vec![weight; truth.len()];
        let set = ScoredSet::new(&truth, &scores).and_then(|set| set.with_weight(&weights)).expect("valid");
        let weighted = Ranking::of(&set).expect("few rows");
        let positives: Vec<u64> = truth.iter().map(|&t| u64::from(t)).collect();
        let negatives: Vec<u64> = truth.iter().map(|&t| u64::from(!t)).collect();
        let counts = ScoreCounts { score: &scores, positives: &positives, negatives: &negatives, amount: None, negative_amount: None };
        let counted = Ranking::from_counts(&counts).expect("valid");
        for id in ["auroc", "average_precision", "brier", "log_loss", "ks", "cph@0.3", "lift@0.3", "ece", "pauroc@0.3"] {
            let measure = measure(id);
            let interval = |ranking: &Ranking| measure.interval(&Sampled::new(ranking), None);
            match (interval(&plain), interval(&weighted), interval(&counted)) {
                (Ok(a), Ok(b), Ok(c)) => {
                    for other in [b, c] {
                        prop_assert!((a.lower - other.lower).abs() < 1e-7 && (a.upper - other.upper).abs() < 1e-7, "{}: {:?} {:?}", id, a, other);
                    }
                }
                (a, b, c) => {
                    prop_assert_eq!(&a, &b);
                    prop_assert_eq!(&a, &c);
                }
            }
        }
    }
}

/// The variance of a figure, from the influence values of the rows one by one.
fn variance(ranking: &Ranking, id: &str) -> Variance {
    let influence = measure(id).influence(ranking, None).expect("both classes");
    let rows = ranking.blocks().flat_map(|block| {
        let of = |positive: bool, n: f64| vec![(positive, block.score); n as usize];
        [of(true, block.own().positive), of(false, block.own().negative)].concat()
    });
    let (truth, scores): (Vec<bool>, Vec<f64>) = rows.unzip();
    let values =
        influence.of_rows(&RankedRows::new(ranking, &truth, &scores).expect("as long")).expect("no amounts");
    let all = Split { positive: 1.0, negative: 1.0 };
    Variance::of(&Moments::of_values(&truth, &values, None, all), BaseRate::Random)
}

/// The number of cases on which Wilson's interval with this quantile is `interval`.
fn cases_behind(value: f64, interval: &Interval, quantile: f64) -> f64 {
    let centre = (interval.lower + interval.upper) / 2.0;
    quantile * quantile * (0.5 - centre) / (centre - value)
}

#[test]
fn golden_variances_and_degrees_of_freedom() {
    let near = |found: f64, expected: f64, what: &str| {
        assert!((found - expected).abs() < 1e-7 * expected.max(1.0), "{what}: {found}, expected {expected}");
    };
    for (ranking, total, df, effective) in [
        (customers(), 0.0217304953, 10.211721, 10.844652339),
        (forty(), 0.00263053103, 28.583213, 37.651748199),
    ] {
        let variance = variance(&ranking, "auroc");
        let delong = tribunal_eval::intervals::delong_of_ranking(&ranking).expect("both classes").variance;
        assert!((variance.total - delong).abs() < 1e-12, "{} {delong}", variance.total);
        assert!((delong - total).abs() < 1e-10, "{delong}, expected {total}");
        near(variance.satterthwaite_df, df, "Satterthwaite's degrees of freedom");
        let interval = Measure::AUROC.interval(&Sampled::new(&ranking), None).expect("both classes");
        let quantile = t_quantile(Level::P95.tail(), variance.satterthwaite_df);
        let area = metrics::auroc(&ranking).expect("both classes");
        near(cases_behind(area, &interval, quantile), effective, "effective cases");
    }
    let precision = variance(&customers(), "average_precision");
    assert!((precision.total - 0.0169237373).abs() < 1e-10, "{}", precision.total);
    near(precision.kurtosis_df, 5.777603, "degrees of freedom by the kurtosis");
}

/// Few of many probabilities of 0 and 1 proved wrong: the interval of the log loss goes as far as their rate on other cases may, and
/// the calibration slope hangs on them.
#[test]
fn certain_probabilities_may_prove_wrong_on_other_cases() {
    let sample = |n_wrong: usize| {
        let truth: Vec<bool> =
            (0..100).map(|row| (row < 40) != (row % 10 == 1 && row / 10 < n_wrong)).collect();
        let certain = |row: usize| f64::from(row < 40);
        let scores: Vec<f64> =
            (0..100).map(|row| if row % 10 == 0 { 0.1 + row as f64 / 125.0 } else { certain(row) }).collect();
        Ranking::from_scores(&truth, &scores).expect("finite")
    };
    let interval = |ranking: &Ranking, id: &str| measure(id).interval(&Sampled::new(ranking), None);
    let largest = measure("log_loss").metric.range.1;
    for n_wrong in [0, 1, 4] {
        let ranking = sample(n_wrong);
        assert_eq!(CertainRows::of(&ranking), CertainRows { rows: 90.0, wrong: n_wrong as f64 });
        let rate = wilson(Proportion::new(n_wrong as f64, 100.0).expect("of a hundred"), Level::P95);
        let loss = interval(&ranking, "log_loss").expect("some losses");
        assert!(loss.upper > largest * rate.upper, "{n_wrong}: {loss:?}");
        assert_eq!(interval(&ranking, "calibration_slope"), Err(NoInterval::FewCertainMistakes));
    }
    assert!(interval(&sample(10), "calibration_slope").is_ok());
}

#[test]
fn figures_without_formula_say_so() {
    let ranking = customers();
    for metric in METRICS.iter().filter(|metric| metric.kind == Kind::Ranking) {
        let parameter = metric.parameter().map(|parameter| if parameter.counts_cases { 5.0 } else { 0.3 });
        let measure = Measure::new(metric, parameter).expect("a measure");
        let found = measure.interval(&Sampled::new(&ranking), None);
        assert_eq!(
            found.is_err(),
            matches!(metric.spread, Spread::Bootstrap | Spread::CorrectedBootstrap),
            "{measure}"
        );
    }
}

const S2: &str = ".51 .22 .73 .23 .54 .45 .56 .27 .78 .29 .6 .5 .61 .32 .83 .34 .65 .36 .67 .57 .68 .39 .9 .41 .72 .63 .74 .44 .95 .46 .77 .68 .79 .5 .41 .51 .22 .53 .24 .75";

#[test]
fn golden_differences() {
    let truth: Vec<bool> = Y.split(' ').map(|label| label == "1").collect();
    let scores = [S, S2]
        .map(|text| -> Vec<f64> { text.split(' ').map(|score| score.parse().expect("a number")).collect() });
    let rankings = scores.each_ref().map(|scores| Ranking::from_scores(&truth, scores).expect("finite"));
    let check = |id: &str, expected: [f64; 3]| {
        let measure = measure(id);
        let values = [0, 1].map(|model: usize| {
            let influence = measure.influence(&rankings[model], None).expect("an influence function");
            influence
                .of_rows(&RankedRows::new(&rankings[model], &truth, &scores[model]).expect("as long"))
                .expect("no amounts")
        });
        let differences: Vec<f64> = values[0].iter().zip(&values[1]).map(|(a, b)| a - b).collect();
        let of = |model: usize| measure.of_ranking(&rankings[model]).expect("of rankings").expect("defined");
        let compared = InfluenceDifference {
            difference: of(0) - of(1),
            moments: Moments::of_values(&truth, &differences, None, Split { positive: 1.0, negative: 1.0 }),
            base_rate: BaseRate::Random,
            one_case: measure.one_case(&rankings[0], None),
        };
        let test = compared.test(Level::P95);
        let found = [test.effect.difference, test.effect.interval.lower, test.effect.interval.upper];
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-8, "{id}: {found}, expected {expected}");
        }
        assert_eq!(test.p < 0.05, !test.effect.interval.contains(0.0));
    };
    check("auroc", [0.108630952, -0.077239274, 0.294501179]);
    check("average_precision", [0.119903045, -0.154999107, 0.394805197]);
    check("cph@0.25", [0.055555556, -0.276845606, 0.387956717]);
    check("brier", [-0.0368475, -0.106114069, 0.032419069]);
    check("log_loss", [-0.084408863, -0.239065984, 0.070248257]);
}
