//! Error-matrix charts, other base rates and owners of conditions: agreement with numpy, scikit-learn and scipy, and how often the
//! intervals hold.
//!
//! `reference/make_error_matrix_reference.py` made the values; they are committed, so this runs offline.

use rayon::prelude::*;
use serde_json::Value as Json;
use tribunal_eval::base_rate::{AtBaseRate, ClassRates, ErrorCosts, OddsShift, Reading};
use tribunal_eval::conditions::Ownership;
use tribunal_eval::error_matrix::{CellAmounts, ErrorMatrixChart, GainLossPanel, Psf, score_bands};
use tribunal_eval::intervals::{Interval, Level, Sampled};
use tribunal_eval::{Confusion, CutoffRule, Figure, Ranking, ScoredSet};
use tribunal_random::Random;

fn reference() -> Json {
    serde_json::from_str(include_str!("../reference/error_matrix.json")).expect("the reference is JSON")
}

fn list<'a>(json: &'a Json, key: &str) -> &'a [Json] {
    json[key].as_array().unwrap_or_else(|| panic!("no list {key}"))
}

fn numbers(json: &Json) -> Vec<f64> {
    json.as_array().expect("a list").iter().map(|value| value.as_f64().expect("a number")).collect()
}

fn entries(json: &Json) -> impl Iterator<Item = (f64, &Json)> {
    json.as_object().expect("an object").iter().map(|(key, value)| (key.parse().expect("a number"), value))
}

#[track_caller]
fn close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-11 * (1.0 + expected.abs()), "{what}: {found} is not {expected}");
}

#[track_caller]
fn same_cells(found: &Confusion, expected: &Json) {
    let found = [found.tp, found.fp, found.fn_, found.tn];
    found.iter().zip(numbers(expected)).for_each(|(found, expected)| close(*found, expected, "a cell"));
}

struct Case<'a> {
    json: &'a Json,
    truth: Vec<bool>,
    score: Vec<f64>,
    weight: Vec<f64>,
}

impl<'a> Case<'a> {
    fn of(json: &'a Json) -> Self {
        let truth = numbers(&json["truth"]).iter().map(|truth| *truth == 1.0).collect();
        Self { json, truth, score: numbers(&json["score"]), weight: numbers(&json["weight"]) }
    }

    fn set(&self) -> ScoredSet<'_> {
        ScoredSet::new(&self.truth, &self.score).and_then(|set| set.with_weight(&self.weight)).expect("valid")
    }

    fn cut(&self) -> f64 {
        self.json["cut"].as_f64().expect("a cut-off")
    }

    fn predicted(&self) -> Vec<bool> {
        self.score.iter().map(|score| *score >= self.cut()).collect()
    }
}

#[test]
fn proportion_score_functions_agree_with_numpy_and_scikit_learn() {
    let reference = reference();
    let mut compared = 0;
    for case in list(&reference, "cases").iter().map(Case::of) {
        let ranking = Ranking::of(&case.set()).expect("few rows");
        let cutoff = CutoffRule::Score(case.cut()).find(&ranking).expect("rows");
        for (n_bins, expected) in entries(&case.json["psf"]) {
            let by_cutoff = Psf::at_cutoff(&Sampled::new(&ranking), &cutoff, n_bins as usize).expect("bins");
            let by_class = Psf::of_predictions(&case.set(), &case.predicted(), n_bins as usize, Level::P95)
                .expect("bins");
            let expected = expected.as_array().expect("bins");
            for psf in [by_cutoff, by_class] {
                assert_eq!(psf.bins.len(), expected.len());
                for (bin, expected) in psf.bins.iter().zip(expected) {
                    assert_eq!(Some(bin.bin as u64), expected["bin"].as_u64());
                    assert_eq!(Some(bin.rows), expected["rows"].as_f64());
                    close(bin.lambda, expected["lambda"].as_f64().expect("a share"), "lambda");
                    close(bin.psf, expected["psf"].as_f64().expect("a share"), "psf");
                    same_cells(&bin.cells, &expected["cells"]);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 100, "only {compared} bins were compared");
}

#[test]
fn bands_and_panels_agree_with_numpy_and_scikit_learn() {
    let reference = reference();
    for case in list(&reference, "cases").iter().map(Case::of) {
        let ranking = Ranking::of(&case.set()).expect("few rows");
        let cutoff = CutoffRule::Score(case.cut()).find(&ranking).expect("rows");
        let bands =
            score_bands(&Sampled::new(&ranking), &cutoff, &numbers(&case.json["edges"])).expect("bands");
        for (band, expected) in bands.iter().zip(list(case.json, "bands")) {
            same_cells(&band.cells, expected);
        }
        let amount = numbers(&case.json["amount"]);
        let amounts = CellAmounts::magnitudes(&amount);
        for (n_bins, expected) in entries(&case.json["panel"]) {
            let panel =
                GainLossPanel::of(&case.set(), &case.predicted(), &amounts, n_bins as usize, Level::P95);
            let panel = panel.expect("bins");
            let expected = expected.as_array().expect("bins");
            assert_eq!(panel.bins.len(), expected.len());
            for (bin, expected) in panel.bins.iter().zip(expected) {
                let number = |key: &str| expected[key].as_f64().expect("a number");
                close(bin.gain, number("gain"), "gain");
                close(bin.loss, number("loss"), "loss");
                close(bin.net_from_top.value.expect("defined"), number("net_from_top"), "net from the top");
            }
        }
    }
}

fn figures(at: &AtBaseRate) -> [(&'static str, &Figure); 10] {
    [
        ("flagged", &at.flagged),
        ("ppv", &at.ppv),
        ("npv", &at.npv),
        ("pcc", &at.pcc),
        ("error_rate", &at.error_rate),
        ("f", &at.f),
        ("mcc", &at.mcc),
        ("kappa", &at.kappa),
        ("lift", &at.lift),
        ("cost", at.cost.as_ref().expect("costs")),
    ]
}

fn reading(base_rate: f64) -> Reading {
    let costs = Some(ErrorCosts { false_positive: 1.5, false_negative: 4.0 });
    Reading { beta: 2.0, costs, ..Reading::at(base_rate) }
}

#[test]
fn figures_at_another_base_rate_are_those_of_reweighted_classes() {
    let reference = reference();
    for case in list(&reference, "cases").iter().map(Case::of) {
        let ranking = Ranking::of(&case.set()).expect("few rows");
        let cutoff = CutoffRule::Score(case.cut()).find(&ranking).expect("rows");
        let rates = ClassRates::at_cutoff(&Sampled::new(&ranking), &cutoff).expect("both classes");
        for (base_rate, expected) in entries(&case.json["reread"]) {
            let at = AtBaseRate::of(&rates, &reading(base_rate)).expect("usable");
            for (name, figure) in figures(&at) {
                let expected = expected[name].as_f64();
                assert_eq!(figure.value.is_some(), expected.is_some(), "{name} of {}", case.json["name"]);
                if let (Some(found), Some(expected)) = (figure.value, expected) {
                    close(found, expected, name);
                }
            }
        }
    }
}

#[test]
fn intervals_solve_the_equations_of_donner_and_zou() {
    for case in list(&reference(), "intervals") {
        let cells = numbers(&case["cells"]);
        let cells = Confusion { tp: cells[0], fp: cells[1], fn_: cells[2], tn: cells[3] };
        let rates = ClassRates::of(&cells).expect("both classes");
        let at =
            AtBaseRate::of(&rates, &reading(case["base_rate"].as_f64().expect("a rate"))).expect("usable");
        for (name, figure) in figures(&at) {
            let Some(ends) = case["ends"].get(name) else { continue };
            let Interval { lower, upper, .. } = figure.interval.expect("cases");
            for (found, expected) in [lower, upper].into_iter().zip(numbers(ends)) {
                assert!((found - expected).abs() < 1e-9, "{name}: {found} is not {expected}");
            }
        }
    }
}

#[test]
fn shifted_probabilities_are_those_of_redrawn_classes() {
    for row in list(&reference(), "shifts") {
        let [p, from, to, expected] = numbers(row)[..] else { panic!("four numbers") };
        close(OddsShift::between(from, to).expect("rates").of(p), expected, "a probability");
    }
}

#[test]
fn joint_hulls_and_their_owners_agree_with_scipy() {
    for hull in list(&reference(), "hulls") {
        let rankings: Vec<Ranking> = list(hull, "models")
            .iter()
            .map(|model| {
                let truth: Vec<bool> = numbers(&model["truth"]).iter().map(|truth| *truth == 1.0).collect();
                Ranking::from_scores(&truth, &numbers(&model["score"])).expect("finite")
            })
            .collect();
        let ownership = Ownership::of_rankings(&rankings.iter().collect::<Vec<_>>()).expect("both classes");
        let expected = list(hull, "vertices");
        assert_eq!(ownership.hull.vertices().len(), expected.len());
        for (vertex, expected) in ownership.hull.vertices().iter().zip(expected) {
            assert_eq!(vertex.curve.map(|model| model as u64), expected["model"].as_u64());
            assert!((vertex.fpr - expected["fpr"].as_f64().expect("a rate")).abs() < 1e-11);
            assert!((vertex.tpr - expected["tpr"].as_f64().expect("a rate")).abs() < 1e-11);
        }
    }
}

/// The probabilities of 0 to n successes.
fn binomial(n: usize, p: f64) -> Vec<f64> {
    let mut log_choose = 0.0;
    let term = |k: usize| {
        let found = (log_choose + k as f64 * p.ln() + (n - k) as f64 * (-p).ln_1p()).exp();
        log_choose += ((n - k) as f64).ln() - ((k + 1) as f64).ln();
        found
    };
    (0..=n).map(term).collect()
}

/// How often the intervals at another base rate hold the truth, exactly: over all pairs of binomial counts. Samples in which a figure
/// has no value are left out.
fn exact_coverage([p, m]: [usize; 2], [t, f]: [f64; 2], base_rate: f64) -> [f64; 10] {
    let truth = Confusion { tp: t * 1e9, fp: f * 1e9, fn_: (1.0 - t) * 1e9, tn: (1.0 - f) * 1e9 };
    let read = |cells: &Confusion| {
        AtBaseRate::of(&ClassRates::of(cells).expect("both classes"), &reading(base_rate)).expect("usable")
    };
    let truth = figures(&read(&truth)).map(|(_, figure)| figure.value.expect("defined"));
    let (of_t, of_f) = (binomial(p, t), binomial(m, f));
    let (mut held, mut all) = ([0.0; 10], [0.0; 10]);
    for (tp, chance_t) in of_t.iter().enumerate() {
        for (fp, chance_f) in of_f.iter().enumerate().filter(|(_, chance)| *chance * chance_t > 1e-9) {
            let (tp, fp) = (tp as f64, fp as f64);
            let at = read(&Confusion { tp, fp, fn_: p as f64 - tp, tn: m as f64 - fp });
            for (k, (_, figure)) in figures(&at).into_iter().enumerate() {
                let Some(interval) = figure.interval else { continue };
                all[k] += chance_t * chance_f;
                held[k] += if interval.contains(truth[k]) { chance_t * chance_f } else { 0.0 };
            }
        }
    }
    std::array::from_fn(|k| held[k] / all[k])
}

#[test]
fn intervals_at_another_base_rate_hold() {
    let designs: Vec<([usize; 2], [f64; 2], f64)> = [[10, 100], [30, 300], [100, 100], [200, 40]]
        .into_iter()
        .flat_map(|cases| {
            let rates = [[0.5, 0.1], [0.8, 0.02], [0.95, 0.1], [0.2, 0.01], [0.9, 0.5], [0.3, 0.3]];
            rates
                .into_iter()
                .flat_map(move |rates| [0.001, 0.1, 0.5, 0.97].map(|base_rate| (cases, rates, base_rate)))
        })
        .collect();
    let found: Vec<[f64; 10]> = designs
        .par_iter()
        .map(|&(cases, rates, base_rate)| exact_coverage(cases, rates, base_rate))
        .collect();
    let names = figures(
        &AtBaseRate::of(
            &ClassRates::of(&Confusion { tp: 1.0, fp: 1.0, fn_: 1.0, tn: 1.0 }).expect("both classes"),
            &reading(0.5),
        )
        .expect("usable"),
    )
    .map(|(name, _)| name);
    for (k, name) in names.into_iter().enumerate() {
        let column: Vec<f64> = found.iter().map(|coverage| coverage[k]).collect();
        let least = column.iter().copied().fold(1.0, f64::min);
        let mean = column.iter().sum::<f64>() / column.len() as f64;
        let at = column.iter().position(|coverage| *coverage == least).map(|at| designs[at]);
        println!("{name}: {least:.3} / {mean:.3} at {at:?}");
    }
}
