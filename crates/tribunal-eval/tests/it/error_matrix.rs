//! Error-matrix charts, other base rates and owners of conditions: agreement with numpy, scikit-learn and scipy, and how often the
//! intervals hold.
//!
//! `reference/make_error_matrix_reference.py` made the values; they are committed, so this runs offline.

use std::fmt::Debug;

use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use tribunal_eval::base_rate::{AtBaseRate, ClassRates, ErrorCosts, OddsShift, Reading};
use tribunal_eval::conditions::{Ownership, best_cuts};
use tribunal_eval::decisions::CellValue;
use tribunal_eval::error_matrix::{CellAmounts, ErrorMatrixChart, GainLossPanel, Psf, score_bands};
use tribunal_eval::intervals::{Interval, Level, Sampled};
use tribunal_eval::{Condition, Confusion, CutoffRule, Figure, Ranking, ScoredSet, Split};
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
        assert!(least > 0.92 && (0.945..0.965).contains(&mean), "{name}: {least:.3} / {mean:.3} at {at:?}");
    }
}

/// Positives score higher by one and a half standard deviations; amounts are lognormal and do not follow the score.
struct Sample {
    truth: Vec<bool>,
    score: Vec<f64>,
    amount: Vec<f64>,
}

impl Sample {
    fn draw(random: &mut Random, n_rows: usize, base_rate: f64) -> Self {
        let truth: Vec<bool> = (0..n_rows).map(|_| random.uniform() < base_rate).collect();
        let score = truth.iter().map(|truth| random.normal() + 1.5 * f64::from(u8::from(*truth))).collect();
        Self { truth, score, amount: (0..n_rows).map(|_| (3.0 + 0.8 * random.normal()).exp()).collect() }
    }

    fn set(&self) -> ScoredSet<'_> {
        ScoredSet::new(&self.truth, &self.score).expect("finite")
    }

    fn ranking(&self) -> Ranking {
        Ranking::of(&self.set()).expect("few rows")
    }

    /// The net of all cases, and that of the top half and tenth, of a model that flags what scores high enough for its amount.
    fn nets(&self) -> [Figure; 3] {
        let act = |(score, amount): (&f64, &f64)| (score - 1.5).exp() * amount > 20.0;
        let predicted: Vec<bool> = self.score.iter().zip(&self.amount).map(act).collect();
        let cost = CellValue::Constant(20.0);
        let amounts = CellAmounts { fp: cost, tn: cost, ..CellAmounts::magnitudes(&self.amount) };
        let panel = GainLossPanel::of(&self.set(), &predicted, &amounts, 10, Level::P95).expect("ten bins");
        [0, 5, 9].map(|bin| panel.bins[bin].net_from_top.clone())
    }

    /// The areas of the regions of the first tenth of the list.
    fn areas(&self) -> [Figure; 4] {
        let ranking = self.ranking();
        let cutoff = CutoffRule::Share(0.1).find(&ranking).expect("rows");
        let regions = ErrorMatrixChart::of(&Sampled::new(&ranking), &cutoff, 10).expect("ten bins").regions;
        [regions.tn, regions.fn_, regions.tp, regions.fp]
    }
}

const DESIGNS: [(usize, f64); 3] = [(200, 0.3), (500, 0.1), (2000, 0.05)];
const SAMPLES: u64 = 400;
/// Four standard errors of the simulation and the swings of lists of twenty cases below 95 %.
const LEAST: f64 = 0.90;

/// How often each of some figures holds its truth, of the samples in which it has an interval; of those there must be nine in ten.
fn share_held<const K: usize>(
    (n_rows, base_rate): (usize, f64),
    holds: impl Fn(&Sample) -> [Option<bool>; K] + Sync,
) -> [f64; K] {
    let of_sample = |sample: u64| holds(&Sample::draw(&mut Random::derived(8, &[sample]), n_rows, base_rate));
    let found: Vec<[Option<bool>; K]> = (0..SAMPLES).into_par_iter().map(of_sample).collect();
    std::array::from_fn(|k| {
        let known: Vec<bool> = found.iter().filter_map(|found| found[k]).collect();
        assert!(known.len() as f64 >= 0.9 * SAMPLES as f64, "{} samples have an interval", known.len());
        known.iter().filter(|held| **held).count() as f64 / known.len() as f64
    })
}

fn contains(figure: &Figure, truth: f64) -> Option<bool> {
    figure.interval.map(|interval| interval.contains(truth))
}

fn values<const K: usize>(figures: [Figure; K]) -> [f64; K] {
    figures.map(|figure| figure.value.expect("defined"))
}

#[test]
fn intervals_of_nets_and_of_regions_of_lists_hold() {
    for design in DESIGNS {
        let population = Sample::draw(&mut Random::new(9), 1_000_000, design.1);
        let nets = values(population.nets()).map(|net| net * design.0 as f64 / 1e6);
        let areas = values(population.areas());
        let of_nets = share_held(design, |sample| {
            let found = sample.nets();
            [0, 1, 2].map(|k| contains(&found[k], nets[k]))
        });
        let of_areas = share_held(design, |sample| {
            let found = sample.areas();
            [0, 1, 2, 3].map(|k| contains(&found[k], areas[k]))
        });
        assert!(of_nets.iter().chain(&of_areas).all(|held| *held >= LEAST), "{of_nets:?} {of_areas:?}");
    }
}

#[test]
fn intervals_of_the_cost_at_the_best_cut_hold() {
    let condition = Condition { base_rate: 0.05, false_positive: 1.0, false_negative: 8.0 };
    for design in DESIGNS {
        let population = Sample::draw(&mut Random::new(9), 1_000_000, design.1).ranking();
        let on_new_cases = |score: Option<f64>| {
            let cells = Confusion::at_score(&population, score.unwrap_or(f64::INFINITY));
            condition.cost(cells.fp / cells.negatives(), cells.tp / cells.positives())
        };
        let [held] = share_held(design, |sample| {
            let ranking = sample.ranking();
            let cut = &best_cuts(&[Sampled::new(&ranking)], &condition).expect("both classes")[0];
            [contains(&cut.cost, on_new_cases(cut.cutoff.score))]
        });
        assert!(held >= LEAST, "{held}");
    }
}

/// The score at which a list of given length was cut is taken along to the other base rate.
#[test]
fn intervals_at_the_cut_of_a_list_hold_at_another_base_rate() {
    for design in DESIGNS {
        let population = Sample::draw(&mut Random::new(9), 1_000_000, design.1).ranking();
        let held = share_held(design, |sample| {
            let ranking = sample.ranking();
            let cutoff = CutoffRule::Share(0.1).find(&ranking).expect("rows");
            let rates = ClassRates::at_cutoff(&Sampled::new(&ranking), &cutoff).expect("both classes");
            let at = AtBaseRate::of(&rates, &reading(0.02)).expect("usable");
            let cells = Confusion::at_score(&population, cutoff.score.expect("a list"));
            let truth = AtBaseRate::of(&ClassRates::of(&cells).expect("both classes"), &reading(0.02))
                .expect("usable");
            let truth = figures(&truth).map(|(_, figure)| figure.value.expect("defined"));
            let found = figures(&at);
            std::array::from_fn::<_, 10, _>(|k| contains(found[k].1, truth[k]))
        });
        assert!(held.iter().all(|held| *held >= LEAST), "{design:?}: {held:?}");
    }
}

fn comes_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).expect("a result serialises");
    let read: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(&read, value, "{text}");
}

#[test]
fn results_come_back_from_json() {
    let sample = Sample::draw(&mut Random::new(3), 80, 0.3);
    let ranking = sample.ranking();
    let sampled = Sampled::new(&ranking);
    for rule in [CutoffRule::Score(0.5), CutoffRule::Score(99.0), CutoffRule::Youden, CutoffRule::Share(0.1)]
    {
        let cutoff = rule.find(&ranking).expect("rows");
        comes_back(&ErrorMatrixChart::of(&sampled, &cutoff, 7).expect("bins"));
        comes_back(&score_bands(&sampled, &cutoff, &[-9.0, 0.2, 9.0]).expect("bands"));
        let rates = ClassRates::at_cutoff(&sampled, &cutoff).expect("both classes");
        comes_back(&AtBaseRate::of(&rates, &reading(0.01)).expect("usable"));
    }
    let amounts = CellAmounts::magnitudes(&sample.amount);
    comes_back(&GainLossPanel::of(&sample.set(), &sample.truth, &amounts, 5, Level::P95).expect("bins"));
    let ownership = Ownership::of_rankings(&[&ranking]).expect("both classes");
    comes_back(&ownership);
    let costs = Some(ErrorCosts { false_positive: 1.0, false_negative: 5.0 });
    comes_back(&ownership.ranges(Some(0.1), costs).expect("usable"));
    comes_back(&ownership.stretches(Some(0.1), None).expect("usable"));
    comes_back(&ownership.mixtures(0.1).expect("usable"));
    comes_back(&ownership.at_fpr(0.2, Split { positive: 5.0, negative: 50.0 }).expect("a rate"));
    let condition = Condition { base_rate: 0.1, false_positive: 1.0, false_negative: 5.0 };
    comes_back(&ownership.iso_performance(&condition).expect("usable"));
    comes_back(&best_cuts(&[sampled], &condition).expect("both classes"));
}
