//! Golden numbers of a network on fourteen rows, derivatives by differences, the evidence by integration, and what relevance
//! and moderation promise.

use proptest::prelude::*;
use tribunal_random::Random;

use super::hessian::hessian;
use super::network::Network;
use super::scg::{Limits, Terrain, minimise};
use super::train::{Cycle, Trainer};
use super::*;
use crate::column::{Column, Values};
use crate::dataset::Dataset;
use crate::encoding::{Encoder, Matrix, NumericOptions};
use crate::kind::Kind;
use crate::learners::golden::{check_close, toy_number_queries, toy_numbers};
use crate::learners::{Learner, fit_all};
use crate::model::Model;
use crate::target::Target;

const TOY: Layout = Layout { n_inputs: 3, n_hidden: 2 };

fn all_rows(dataset: &Dataset) -> Vec<u32> {
    (0..dataset.n_rows() as u32).collect()
}

/// The training rows of the toy and the rows to ask about, on the scale of the training rows.
fn toy() -> (Tiles, Matrix) {
    let (data, queries) = (toy_numbers(), toy_number_queries());
    let encoder =
        Encoder::fit(&View::Numbers(NumericOptions::default()), &data, &all_rows(&data)).expect("numbers");
    let training = Training::encode(&data, &all_rows(&data), &encoder).expect("rows");
    let asked = encoder.encode(&queries, &all_rows(&queries)).expect("rows").matrix().clone();
    (Tiles::of(&training, 1), asked)
}

fn toy_weights() -> Vec<f64> {
    (1..=11).map(|k| 0.5 * f64::from(k).sin()).collect()
}

fn probability(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// What is kept of a training that ended with a cycle.
fn kept(weights: &[f64], alphas: &[f64], last: Cycle, is_smoothed: bool) -> net::Net {
    let trained = Trained {
        weights: weights.to_vec(),
        alphas: alphas.to_vec(),
        determined: last.determined,
        log_evidence: 0.0,
        n_steps: 0,
        has_converged: true,
        restart: 0,
        curvature: last.curvature,
    };
    net::Net::new(&trained, is_smoothed).expect("finite")
}

/// The network of the toy with given weights.
fn plain_net(weights: &[f64]) -> net::Net {
    let tiles = toy().0;
    let mut trainer = Trainer::new(&tiles, TOY, weights.to_vec(), 1);
    let cycle = trainer.cycle().expect("finite");
    kept(weights, &trainer.alphas, cycle, false)
}

#[test]
fn golden_values_at_given_weights() {
    let (tiles, asked) = toy();
    let mut network = Network::new(&tiles, TOY);
    let weights = toy_weights();
    let plain = network.begin(&weights);
    network.set_decay(&[0.01; 6]);
    let value = network.begin(&weights);
    check_close(&[value, plain], &[9.013161525792, 9.005659761983], 5e-13, "value");
    let squares = TOY.group_sums(|idx| 0.5 * weights[idx] * weights[idx]);
    let expected = [0.160102929, 0.218294697, 0.012248485, 0.176307641, 0.058225077, 0.124997552];
    check_close(&squares, &expected, 5e-10, "halved squares");
    let mut gradient = vec![0.0; 11];
    network.gradient(&mut gradient);
    let expected = [
        -0.2189821786,
        -0.1006091557,
        -0.1603544779,
        0.4077576057,
        0.2577543389,
        0.4255688174,
        0.0502466143,
        0.2757379282,
        -1.2678826696,
        1.0101707015,
        -0.8260263823,
    ];
    check_close(&gradient, &expected, 5e-11, "gradient");
    let outputs: Vec<f64> =
        plain_net(&weights).judge(TOY, &asked).iter().map(|said| probability(said.log_odds)).collect();
    check_close(&outputs, &[0.4112440960, 0.3504044526, 0.3516530994, 0.3356232031], 5e-11, "outputs");
}

#[test]
fn golden_second_derivatives() {
    let (tiles, _) = toy();
    let mut network = Network::new(&tiles, TOY);
    network.begin(&toy_weights());
    let found = hessian(&network);
    let expected = [
        0.0605077995,
        0.2697763256,
        0.2829281237,
        0.4352310968,
        0.4621903773,
        0.3359066105,
        0.2897591198,
        0.4969742524,
        1.1032714676,
        1.0755295435,
        3.2301667740,
    ];
    let diagonal: Vec<f64> = (0..11).map(|idx| found.at(idx, idx) + 0.01).collect();
    check_close(&diagonal, &expected, 5e-11, "diagonal");
    let others = [found.at(0, 1), found.at(0, 8), found.at(8, 10)];
    check_close(&others, &[0.0684441001, -0.9793015330, 0.8554844017], 5e-11, "elements");
}

#[test]
fn golden_cycles() {
    let (tiles, asked) = toy();
    let mut trainer = Trainer::new(&tiles, TOY, toy_weights(), 100);
    let mut check = |n_iterations: usize, value: f64, alphas: [f64; 6], determined: f64| {
        let cycle = trainer.cycle().expect("finite");
        assert_eq!((cycle.outcome.n_iterations, cycle.outcome.has_converged), (n_iterations, true));
        check_close(&[cycle.outcome.value], &[value], 5e-11, "value");
        let ratios: Vec<f64> =
            trainer.alphas.iter().zip(alphas).map(|(found, known)| found / known).collect();
        check_close(&ratios, &[1.0; 6], 5e-8, "alphas");
        check_close(&[cycle.determined.iter().sum()], &[determined], 5e-9, "determined");
        cycle
    };
    check(
        42,
        4.9322508813,
        [0.095799182, 0.10578296, 0.076232043, 0.064204648, 0.12633405, 0.10812679],
        6.40471452,
    );
    check(
        29,
        6.4133329571,
        [0.33961221, 0.41717954, 0.26473108, 0.20457648, 0.29689317, 0.44923334],
        6.71582250,
    );
    let last = check(
        37,
        7.5897487586,
        [1.1249088, 1.5009611, 0.52285618, 0.51179403, 0.29420071, 1.1171287],
        5.57984004,
    );
    let judged = kept(&trainer.weights, &trainer.alphas, last, true).judge(TOY, &asked);
    let outputs: Vec<f64> = judged.iter().map(|judgement| probability(judgement.log_odds)).collect();
    check_close(&outputs, &[0.40244142, 0.30781592, 0.26979004, 0.30399114], 5e-9, "outputs");
    let moderated: Vec<f64> = judged.iter().map(|judgement| probability(judgement.moderated())).collect();
    check_close(&moderated, &[0.41669277, 0.33740282, 0.30784865, 0.35948518], 5e-9, "moderated outputs");
    let variances: Vec<f64> = judged.iter().map(|judgement| judgement.variance).collect();
    check_close(&variances, &[0.97057182, 1.12481982, 1.29949314, 2.69108192], 5e-9, "variances");
}

#[test]
fn golden_first_steps() {
    let (tiles, _) = toy();
    for (iterations, expected) in [(1, 8.0538642166), (2, 7.7103265261), (3, 7.5544929019)] {
        let mut network = Network::new(&tiles, TOY);
        network.set_decay(&[0.01; 6]);
        let outcome = minimise(&mut network, &mut toy_weights(), Limits { iterations, tolerance: 1e-5 });
        check_close(&[outcome.value], &[expected], 5e-11, "value");
        assert!(!outcome.has_converged);
    }
}

/// Rows drawn at random, some of them with weights.
fn drawn_rows(n_rows: usize, n_inputs: usize, seed: u64) -> (Dataset, Encoder) {
    let mut random = Random::new(seed);
    let mut numbers = || -> Vec<f64> { (0..n_rows).map(|_| random.normal()).collect() };
    let columns: Vec<Column> = (0..n_inputs)
        .map(|idx| {
            Column::new(format!("x{idx}"), Kind::Numeric, Values::Numbers(numbers())).expect("numbers")
        })
        .collect();
    let noise = numbers();
    let classes = (0..n_rows).map(|row| u32::from(noise[row] > 0.3 || row == 0)).collect();
    let weights = (0..n_rows).map(|row| [1.0, 0.5, 2.25][row % 3]).collect();
    let target = Target::new("y", ["no", "yes"], classes).expect("classes");
    let dataset = Dataset::new(columns).and_then(|data| data.with_target(target));
    let dataset = dataset.and_then(|data| data.with_weights(weights)).expect("columns");
    let encoder = Encoder::fit(&View::Numbers(NumericOptions::default()), &dataset, &all_rows(&dataset))
        .expect("numbers");
    (dataset, encoder)
}

/// A network of drawn rows that stands at drawn weights.
fn with_network<T>(
    layout: Layout,
    n_rows: usize,
    seed: u64,
    judge: impl FnOnce(&mut Network<'_>, &[f64]) -> T,
) -> T {
    let (dataset, encoder) = drawn_rows(n_rows, layout.n_inputs, seed);
    let training = Training::encode(&dataset, &all_rows(&dataset), &encoder).expect("rows");
    let tiles = Tiles::of(&training, 1);
    let mut random = Random::new(seed + 1);
    let weights: Vec<f64> = (0..layout.n_weights()).map(|_| random.normal()).collect();
    let mut network = Network::new(&tiles, layout);
    network.set_decay(&(0..layout.n_groups()).map(|group| 0.1 + group as f64).collect::<Vec<f64>>());
    judge(&mut network, &weights)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn derivatives_are_those_of_differences(
        n_inputs in 1_usize..5,
        n_hidden in 1_usize..7,
        n_rows in 2_usize..60,
        seed in 0_u64..1000,
    ) {
        let layout = Layout { n_inputs, n_hidden };
        with_network(layout, n_rows, seed, check_derivatives)?;
    }
}

fn check_derivatives(network: &mut Network<'_>, weights: &[f64]) -> Result<(), TestCaseError> {
    let n = weights.len();
    network.begin(weights);
    let mut gradient = vec![0.0; n];
    network.gradient(&mut gradient);
    let curvature = hessian(network);
    let decay: Vec<f64> =
        network.layout.spread(&(0..network.layout.n_groups()).map(|m| 0.1 + m as f64).collect::<Vec<_>>());
    for idx in 0..n {
        let mut at = |step: f64| {
            let mut moved = weights.to_vec();
            moved[idx] += step;
            let (value, mut gradient) = (network.begin(&moved), vec![0.0; n]);
            network.gradient(&mut gradient);
            (value, gradient)
        };
        let (below, above) = (at(-1e-5), at(1e-5));
        let slope = (above.0 - below.0) / 2e-5;
        prop_assert!(
            (slope - gradient[idx]).abs() < 1e-6 * (1.0 + slope.abs()),
            "{slope} is not {}",
            gradient[idx]
        );
        for other in 0..n {
            let known = curvature.at(idx, other) + if idx == other { decay[idx] } else { 0.0 };
            let found = (above.1[other] - below.1[other]) / 2e-5;
            prop_assert!((found - known).abs() < 1e-6 * (1.0 + known.abs()), "{found} is not {known}");
        }
    }
    Ok(())
}

#[test]
fn a_place_on_a_line_is_the_place_of_its_weights() {
    with_network(Layout { n_inputs: 3, n_hidden: 5 }, 37, 5, |network, weights| {
        let direction: Vec<f64> = weights.iter().map(|weight| (3.0 * weight).sin()).collect();
        network.begin(weights);
        network.aim(&direction);
        let (slope, value) = (network.slope_at(0.3), network.value_at(0.3));
        network.go();
        let mut gradient = vec![0.0; weights.len()];
        network.gradient(&mut gradient);
        let at: Vec<f64> = weights.iter().zip(&direction).map(|(weight, part)| weight + 0.3 * part).collect();
        let (known, mut known_gradient) = (network.begin(&at), vec![0.0; weights.len()]);
        network.gradient(&mut known_gradient);
        check_close(&[value], &[known], 1e-12, "value");
        check_close(&gradient, &known_gradient, 1e-12, "gradient");
        check_close(&[slope], &[tribunal_algebra::dot(&known_gradient, &direction)], 1e-11, "slope");
    });
}

#[test]
fn a_weight_of_two_is_the_row_twice() {
    let (dataset, encoder) = drawn_rows(30, 3, 8);
    let dataset = dataset.with_weights((0..30).map(|row| f64::from(row % 3)).collect()).expect("weights");
    let plain = Dataset::new(dataset.columns().to_vec())
        .and_then(|data| data.with_target(dataset.target().expect("y").clone()));
    let repeated: Vec<u32> = (0..30).flat_map(|row| std::iter::repeat_n(row, row as usize % 3)).collect();
    let weights = toy_weights();
    let judged = |dataset: &Dataset, rows: &[u32]| {
        let training = Training::encode(dataset, rows, &encoder).expect("rows");
        let tiles = Tiles::of(&training, 1);
        let mut network = Network::new(&tiles, TOY);
        let (value, mut gradient) = (network.begin(&weights), vec![0.0; 11]);
        network.gradient(&mut gradient);
        let second = hessian(&network);
        let seconds = (0..11).flat_map(|idx| second.below(idx).to_vec());
        std::iter::once(value).chain(gradient).chain(seconds).collect::<Vec<f64>>()
    };
    check_close(
        &judged(&dataset, &all_rows(&dataset)),
        &judged(&plain.expect("rows"), &repeated),
        1e-12,
        "weighted",
    );
}

/// The evidence of a small network, integrated over all weights around its best ones, against the closed form: what it leaves
/// out shrinks with the number of rows.
#[test]
fn log_evidence_is_the_integral_over_weights() {
    let check = |n_rows: f64, tolerance: f64| {
        let (found, integral) = evidence_and_integral(n_rows);
        assert!((found - integral).abs() < tolerance, "{n_rows} rows: {found} is not {integral}");
    };
    check(2_800.0, 0.03);
    check(28_000.0, 0.003);
}

/// Both for rows at seven places, so many that the posterior is narrow and its two modes lie far apart.
fn evidence_and_integral(n_rows: f64) -> (f64, f64) {
    let layout = Layout { n_inputs: 1, n_hidden: 1 };
    let places: Vec<f64> = (0..14).map(|row| f64::from(row / 2)).collect();
    let shares = [0.05, 0.07, 0.2, 0.5, 0.8, 0.9, 0.88];
    let share = |row: usize| if row % 2 == 1 { shares[row / 2] } else { 1.0 - shares[row / 2] };
    let weights = (0..14).map(|row| n_rows / 7.0 * share(row)).collect();
    let column = Column::new("x", Kind::Numeric, Values::Numbers(places)).expect("numbers");
    let target = Target::new("y", ["no", "yes"], (0..14).map(|row| row % 2).collect()).expect("classes");
    let dataset = Dataset::new(vec![column]).and_then(|data| data.with_target(target));
    let dataset = dataset.and_then(|data| data.with_weights(weights)).expect("rows");
    let encoder = Encoder::fit(&View::Numbers(NumericOptions::default()), &dataset, &all_rows(&dataset))
        .expect("numbers");
    let tiles = Tiles::of(&Training::encode(&dataset, &all_rows(&dataset), &encoder).expect("rows"), 1);
    let mut trainer = Trainer::new(&tiles, layout, vec![1.0, 0.0, 1.0, 0.0], 500);
    for _ in 0..8 {
        trainer.cycle().expect("finite");
    }
    let used = trainer.alphas.clone();
    let last = trainer.cycle().expect("finite");
    let found = last.curvature.log_evidence(last.outcome.value, &used).expect("finite");
    let mut network = Network::new(&tiles, layout);
    network.set_decay(&used);
    let integral =
        integrated(&mut network, &trainer.weights, &last.curvature.covariance(&used).expect("finite"));
    let log_prior: f64 = used.iter().map(|alpha| 0.5 * (alpha / std::f64::consts::TAU).ln()).sum();
    // Two modes: with all signs of the hidden unit turned around, nothing changes.
    (found, integral + log_prior + 2_f64.ln())
}

/// The log of the integral of `exp(-F)` over four weights, on a grid as wide as a covariance in all its directions.
fn integrated(network: &mut Network<'_>, best: &[f64], covariance: &[f64]) -> f64 {
    let mut root = [[0.0_f64; 4]; 4];
    for row in 0..4 {
        for column in 0..=row {
            let known: f64 = (0..column).map(|idx| root[row][idx] * root[column][idx]).sum();
            let rest = covariance[row * (row + 1) / 2 + column] - known;
            root[row][column] = if row == column { rest.sqrt() } else { rest / root[column][column] };
        }
    }
    let (step, half) = (0.75, 8_i32);
    let lowest = network.begin(best);
    let mut sum = 0.0;
    let side = 2 * half + 1;
    for place in 0..side.pow(4) {
        let at = |axis: u32| step * f64::from(place / side.pow(axis) % side - half);
        let moved =
            |row: usize| best[row] + (0..=row).map(|axis| root[row][axis] * at(axis as u32)).sum::<f64>();
        sum += (lowest - network.begin(&[moved(0), moved(1), moved(2), moved(3)])).exp();
    }
    let cell: f64 = (0..4).map(|axis| (step * root[axis][axis]).ln()).sum();
    sum.ln() + cell - lowest
}

fn fitted(learner: &str, dataset: &Dataset, seed: u64) -> Model {
    learner
        .parse::<Learner>()
        .and_then(|learner| learner.fit(dataset, &all_rows(dataset), seed))
        .expect(learner)
}

/// A class that follows from two inputs and luck; a third is noise, a fourth constant.
fn with_noise(n_rows: usize) -> Dataset {
    let mut random = Random::new(11);
    let mut numbers = || -> Vec<f64> { (0..n_rows).map(|_| random.normal()).collect() };
    let (a, b, noise, luck) = (numbers(), numbers(), numbers(), numbers());
    let is_positive = |row: usize| 2.0 * a[row] + (2.0 * b[row]).tanh() + 0.7 * luck[row] > 0.0;
    let classes = (0..n_rows).map(|row| u32::from(is_positive(row))).collect();
    let column = |name: &str, numbers: &[f64]| {
        Column::new(name, Kind::Numeric, Values::Numbers(numbers.to_vec())).expect("numbers")
    };
    let columns =
        vec![column("noise", &noise), column("a", &a), column("b", &b), column("same", &vec![3.0; n_rows])];
    let target = Target::new("y", ["no", "yes"], classes).expect("classes");
    Dataset::new(columns).and_then(|data| data.with_target(target)).expect("columns")
}

#[test]
fn noise_is_found_to_be_irrelevant() {
    let model = fitted("mlp:2", &with_noise(600), 1);
    let learned = serde_json::to_value(&model).expect("as JSON");
    let alphas: Vec<f64> =
        serde_json::from_value(learned["learned"]["fitted"]["mlp"]["nets"][0]["alphas"].clone())
            .expect("alphas");
    assert!(alphas[0] > 100.0 * alphas[1] && alphas[0] > 100.0 * alphas[2], "{alphas:?}");
    let text = model.text();
    let place =
        |name: &str| text.find(&format!("  {name}: alpha")).unwrap_or_else(|| panic!("{name} in {text}"));
    assert!(place("a").max(place("b")) < place("noise") && place("noise") < place("same"), "{text}");
    let same = text.lines().find(|line| line.starts_with("  same")).expect("a line");
    assert!(same.ends_with("(says nothing)"), "{text}");
}

#[test]
fn moderation_never_changes_a_predicted_class() {
    let dataset = with_noise(150);
    for seed in 0..4 {
        let (plain, smoothed) = (fitted("mlp:3", &dataset, seed), fitted("mlp:3,smoothed", &dataset, seed));
        let asked = drawn_like(&dataset, seed);
        let all = |model: &Model| model.posteriors(&asked, &all_rows(&asked)).expect("posteriors");
        let (plain, smoothed) = (all(&plain), all(&smoothed));
        assert_eq!(plain.predicted().collect::<Vec<_>>(), smoothed.predicted().collect::<Vec<_>>());
        for (plain, smoothed) in plain.scores().into_iter().zip(smoothed.scores()) {
            assert!((smoothed - 0.5).abs() <= (plain - 0.5).abs(), "{plain} became {smoothed}");
        }
        assert_ne!(plain, smoothed);
    }
}

/// Rows to ask about, some of them further out than any that was learned from.
fn drawn_like(dataset: &Dataset, seed: u64) -> Dataset {
    let mut random = Random::new(seed);
    let mut column = |column: &Column| {
        let numbers = (0..500).map(|row| random.normal() * [1.0, 10.0, 1e9, 1e300][row % 4]).collect();
        Column::new(column.name(), Kind::Numeric, Values::Numbers(numbers)).expect("numbers")
    };
    Dataset::new(dataset.columns().iter().map(&mut column).collect()).expect("columns")
}

#[test]
fn log_odds_keep_their_side_of_zero() {
    let check = |log_odds: f64, variance: f64| {
        let moderated = net::Judgement { log_odds, variance }.moderated();
        let is_positive = |log_odds: f64| {
            let mut logs = [0.0, log_odds];
            crate::learners::log_scores::normalise(&mut logs, &[0.5; 2]);
            logs[1] >= 0.5
        };
        assert_eq!(is_positive(moderated), is_positive(log_odds), "{log_odds} became {moderated}");
    };
    for log_odds in [1e-300, 1e-17, 1e-16, 1e-15, 1e-10, 1.0, 700.0, 1e6] {
        for variance in [0.0, 1.0, 1e20, 1e200] {
            check(log_odds, variance);
            check(-log_odds, variance);
        }
    }
}

#[test]
fn twins_are_trained_once_and_as_if_alone() {
    let dataset = with_noise(80);
    let texts = ["mlp:2,smoothed", "majority", "mlp:2", "mlp:1", "mlp:2,restarts=2", "mlp:2,mark"];
    let learners = texts.map(|text| text.parse::<Learner>().expect(text));
    let together = fit_all(&learners, &dataset, &all_rows(&dataset), 3).expect("models");
    for (learner, model) in learners.iter().zip(&together) {
        let alone = learner.fit(&dataset, &all_rows(&dataset), 3).expect("a model");
        assert_eq!(model, &alone);
    }
}

#[test]
fn the_best_of_several_beginnings_stays() {
    let dataset = with_noise(120);
    let evidence = |learner: &str, seed: u64| {
        let learned = serde_json::to_value(fitted(learner, &dataset, seed)).expect("as JSON");
        learned["learned"]["fitted"]["mlp"]["nets"][0].clone()
    };
    let mut n_later = 0;
    for seed in 0..6 {
        let (one, four) = (evidence("mlp:3", seed), evidence("mlp:3,restarts=4", seed));
        assert!(four["log_evidence"].as_f64() >= one["log_evidence"].as_f64());
        match four["restart"].as_u64() {
            Some(0) => assert_eq!(one, four),
            _ => n_later += 1,
        }
    }
    assert!(n_later > 0, "the first was always the best");
}

#[test]
fn reasons_of_a_moderated_score_add_up() {
    let dataset = with_noise(100);
    let model = fitted("mlp:2,smoothed", &dataset, 2);
    let explanation = model.explain(&dataset, 5).expect("reasons");
    let crate::explanation::Reasons::Evidence { prior, items, .. } = &explanation.reasons else {
        panic!("evidence")
    };
    let total = prior + items.iter().map(|item| item.log_odds).sum::<f64>();
    let log_odds = (explanation.posteriors[1] / explanation.posteriors[0]).ln();
    assert!((total - log_odds).abs() < 1e-10, "{total} is not {log_odds}");
    assert!(items.iter().any(|item| item.what == "uncertainty of the weights"), "{items:?}");
}

#[test]
fn weights_that_do_not_settle_are_told() {
    let dataset = with_noise(100);
    let short = fitted("mlp:2,cycles=2,iterations=3", &dataset, 1);
    assert!(short.warnings()[0].contains("had not settled after 3 steps"), "{:?}", short.warnings());
    assert!(short.text().contains("which had not settled in the last"), "{}", short.text());
    let long = fitted("mlp:2,iterations=2000", &dataset, 1);
    assert_eq!(long.warnings(), &[] as &[String]);
}

#[test]
fn separated_classes_and_huge_weights_do_no_harm() {
    let numbers =
        Column::new("x", Kind::Numeric, Values::Numbers((0..20).map(f64::from).collect())).expect("numbers");
    let target =
        Target::new("y", ["no", "yes"], (0..20).map(|row| u32::from(row >= 10)).collect()).expect("classes");
    let dataset = Dataset::new(vec![numbers]).and_then(|data| data.with_target(target)).expect("rows");
    for weight in [1e-200, 1e-3, 1.0, 1e6] {
        let weighted = dataset.clone().with_weights(vec![weight; 20]).expect("weights");
        let scores = fitted("mlp:2,smoothed", &weighted, 1)
            .posteriors(&dataset, &all_rows(&dataset))
            .expect("scores")
            .scores();
        assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)), "{weight}: {scores:?}");
    }
    let heavy = dataset.with_weights(vec![1e307; 20]).expect("weights");
    match "mlp:2".parse::<Learner>().expect("a learner").fit(&heavy, &all_rows(&heavy), 1) {
        Ok(model) => assert!(model.posteriors(&heavy, &[0]).expect("a score").scores()[0].is_finite()),
        Err(error) => assert!(error.to_string().contains("divide them by their mean"), "{error}"),
    }
}

#[test]
fn too_many_weights_are_refused() {
    let dataset = with_noise(20);
    let learner: Learner = "mlp:1000".parse().expect("a learner");
    let error = learner.fit(&dataset, &all_rows(&dataset), 1).expect_err("6001 weights");
    assert_eq!(error.kind(), ErrorKind::TooWide);
    assert!(error.to_string().contains("6001 weights are more than 4000"), "{error}");
}

#[test]
fn a_damaged_model_is_refused() {
    let model = serde_json::to_value(fitted("mlp:2,smoothed", &with_noise(40), 1)).expect("as JSON");
    let check = |pointer: &str, value: serde_json::Value, expected: &str| {
        let mut changed = model.clone();
        *changed.pointer_mut(&format!("/learned/fitted/mlp/{pointer}")).expect(pointer) = value;
        let error = serde_json::from_value::<Model>(changed).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    };
    check("nets", serde_json::json!([]), "networks that fit no number of classes");
    check("nets", serde_json::json!([null]), "networks of no class");
    check("n_hidden", serde_json::json!(0), "networks of a size that is not possible");
    check("n_hidden", serde_json::json!(3), "networks of another size");
    check("nets/0/weights", serde_json::json!([1.0]), "networks of another size");
    check("nets/0/covariance", serde_json::json!([1.0]), "networks of another size");
}
