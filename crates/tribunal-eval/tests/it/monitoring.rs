//! Strata, bands and what a strike rate is made of: agreement with statsmodels, scipy and brute force over all orders, and how
//! often intervals hold.
//!
//! `reference/make_monitoring_reference.py` made the values; they are committed, so this runs offline.

use rayon::prelude::*;
use serde_json::Value as Json;
use tribunal_eval::Ranking;
use tribunal_eval::intervals::{Level, Replicates, bootstrap_percentile};
use tribunal_eval::monitoring::{
    BandCounts, PeriodSample, StrikeRateFactors, auroc_within_bands, strike_rate_contributions,
};
use tribunal_eval::significance::{
    SampleMoments, Stratum, TwoCounts, breslow_day, chi_square_homogeneity, cochran_mantel_haenszel,
    common_odds_ratio,
};
use tribunal_random::Random;

fn reference() -> Json {
    serde_json::from_str(include_str!("../reference/monitoring.json")).expect("the reference is JSON")
}

fn list<'a>(json: &'a Json, key: &str) -> &'a [Json] {
    json[key].as_array().unwrap_or_else(|| panic!("no list {key}"))
}

fn number(json: &Json) -> f64 {
    json.as_f64().expect("a number")
}

fn counts(json: &Json) -> (u64, u64) {
    (json[0].as_u64().expect("rows"), json[1].as_u64().expect("positives"))
}

#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!(
        (found - expected).abs() <= tolerance * (1.0 + expected.abs()),
        "{what}: {found} is not {expected}"
    );
}

#[test]
fn strata_agree_with_statsmodels() {
    for case in list(&reference(), "strata") {
        let name = case["name"].as_str().expect("a name");
        let table = |table: &Json| Stratum::table(counts(&table[0]), counts(&table[1]));
        let strata: Vec<Stratum> = list(case, "tables").iter().map(table).collect();
        let test = cochran_mantel_haenszel(&strata).expect(name);
        close(test.statistic, number(&case["statistic"]), 1e-11, name);
        close(test.p, number(&case["p"]), 1e-11, name);
        let ratio = common_odds_ratio(&strata, Level::P95).expect(name);
        let found = [ratio.estimate, ratio.standard_error, ratio.lower, ratio.upper];
        for (found, key) in found.into_iter().zip(["odds_ratio", "log_error", "lower", "upper"]) {
            close(found, number(&case[key]), 1e-11, key);
        }
        let equal = breslow_day(&strata).expect(name);
        close(equal.statistic, number(&case["breslow_day"]), 1e-8, name);
        close(equal.p, number(&case["breslow_day_p"]), 1e-8, name);
    }
}

#[test]
fn amounts_in_strata_agree_with_their_permutation_moments() {
    let reference = reference();
    let case = &reference["mean_score"];
    let sample = |values: &Json| {
        let mut sample = SampleMoments::default();
        values.as_array().expect("values").iter().for_each(|value| sample.add(number(value)));
        sample
    };
    let stratum =
        |stratum: &Json| Stratum { first: sample(&stratum["first"]), second: sample(&stratum["second"]) };
    let strata: Vec<Stratum> = list(case, "strata").iter().map(stratum).collect();
    let test = cochran_mantel_haenszel(&strata).expect("strata");
    close(test.statistic, number(&case["statistic"]), 1e-11, "mean score");
    close(test.p, number(&case["p"]), 1e-11, "mean score");
    assert_eq!(test.mantel_fleiss, None);
}

#[test]
fn contributions_agree_with_all_orders_written_out() {
    for case in list(&reference(), "decompositions") {
        let period = |period: &Json| -> Vec<BandCounts> {
            let cell = |band: &Json, at: usize| band[at].as_u64().expect("a count");
            let bands = period.as_array().expect("bands").iter();
            bands.map(|band| BandCounts::new(cell(band, 0), cell(band, 1), cell(band, 2))).collect()
        };
        let bands = [period(&case["periods"][0]), period(&case["periods"][1])];
        let [a, b] =
            [&bands[0], &bands[1]].map(|bands| StrikeRateFactors::of(bands).expect("actioned everywhere"));
        let found = strike_rate_contributions(&a, &b).expect("bands");
        for (found, expected) in
            [found.drift, found.selection, found.decay].into_iter().zip(list(case, "contributions"))
        {
            close(found, number(expected), 1e-12, "contribution");
        }
        for (factors, (strike, post)) in
            [&a, &b].into_iter().zip(list(case, "strike_rates").iter().zip(list(case, "post_stratified")))
        {
            close(factors.strike_rate().expect("acted"), number(strike), 1e-12, "strike rate");
            close(factors.post_stratified(), number(post), 1e-12, "post-stratified");
        }
        close(b.rate_on_mix_of(&a).expect("acted"), number(&case["standardised"]), 1e-12, "standardised");
        let cells: Vec<TwoCounts> = bands[0]
            .iter()
            .zip(&bands[1])
            .map(|(a, b)| TwoCounts { first: a.rows, second: b.rows })
            .collect();
        let drift = chi_square_homogeneity(&cells).expect("cells");
        close(drift.statistic, number(&case["drift"][0]), 1e-11, "chi-square");
        close(drift.p, number(&case["drift"][1]), 1e-11, "chi-square");
    }
}

#[test]
fn aurocs_within_bands_agree_with_counted_pairs() {
    let reference = reference();
    let case = &reference["within_bands"];
    let band = |band: &Json| {
        let truth: Vec<bool> =
            list(band, "truth").iter().map(|truth| truth.as_bool().expect("a class")).collect();
        let score: Vec<f64> = list(band, "score").iter().map(number).collect();
        Ranking::from_scores(&truth, &score).expect("finite scores")
    };
    let bands: Vec<Ranking> = list(case, "bands").iter().map(band).collect();
    close(auroc_within_bands(&bands).expect("both classes").auroc, number(&case["auroc"]), 1e-12, "AUROC");
}

#[test]
fn golden_drift() {
    let cells = [(200, 150), (300, 350), (500, 700)].map(|(first, second)| TwoCounts { first, second });
    let drift = chi_square_homogeneity(&cells).expect("cells");
    close(drift.statistic, 26.358363858, 1e-10, "chi-square");
    assert!((drift.p / 1.889530960e-6 - 1.0).abs() < 1e-8 && drift.df == 2);
}

/// Known factors by band: the population, the selection and the rates of two periods.
struct Truth {
    reference: StrikeRateFactors,
    current: StrikeRateFactors,
}

impl Truth {
    fn changing() -> Self {
        let factors = |population: [f64; 5], selection: [f64; 5], rates: [f64; 5]| StrikeRateFactors {
            population: population.to_vec(),
            selection: selection.to_vec(),
            rates: rates.to_vec(),
        };
        Truth {
            reference: factors(
                [0.3, 0.25, 0.2, 0.15, 0.1],
                [0.05, 0.1, 0.3, 0.5, 0.9],
                [0.05, 0.1, 0.2, 0.4, 0.7],
            ),
            current: factors(
                [0.2, 0.25, 0.25, 0.2, 0.1],
                [0.1, 0.2, 0.3, 0.6, 0.8],
                [0.05, 0.1, 0.2, 0.3, 0.5],
            ),
        }
    }

    /// A period of so many rows.
    fn draw(factors: &StrikeRateFactors, n: u64, random: &mut Random) -> Vec<BandCounts> {
        let mut left = (n, 1.0);
        let mut band = |at: usize| {
            let share = factors.population[at];
            let rows = if at + 1 == factors.population.len() {
                left.0
            } else {
                random.binomial(left.0, share / left.1)
            };
            left = (left.0 - rows, left.1 - share);
            let actioned = random.binomial(rows, factors.selection[at]);
            BandCounts::new(rows, actioned, random.binomial(actioned, factors.rates[at]))
        };
        (0..factors.population.len()).map(&mut band).collect()
    }
}

/// How often the percentile intervals of the three contributions hold the truth.
fn coverage(n: u64, n_runs: u64, n_replicates: u64) -> [f64; 3] {
    let truth = Truth::changing();
    let expected = strike_rate_contributions(&truth.reference, &truth.current).expect("bands");
    let expected = [expected.drift, expected.selection, expected.decay];
    let run = |run: u64| {
        let mut random = Random::derived(11, &[n, run]);
        let bands =
            [Truth::draw(&truth.reference, n, &mut random), Truth::draw(&truth.current, n, &mut random)];
        let found = |a: &[BandCounts], b: &[BandCounts]| {
            let (a, b) = (
                StrikeRateFactors::filled(a, &truth.reference.rates),
                StrikeRateFactors::filled(b, &truth.current.rates),
            );
            strike_rate_contributions(&a, &b)
                .map(|found| [found.drift, found.selection, found.decay])
                .expect("bands")
        };
        let samples = [PeriodSample::of_counts(&bands[0]), PeriodSample::of_counts(&bands[1])];
        let drawn: Vec<[f64; 3]> = (0..n_replicates)
            .map(|_| found(&samples[0].draw(&mut random), &samples[1].draw(&mut random)))
            .collect();
        [0, 1, 2].map(|at| {
            let replicates =
                Replicates::new(drawn.iter().map(|values| values[at]).collect()).expect("finite");
            let interval = bootstrap_percentile(&replicates, Level::P95);
            u64::from(interval.contains(expected[at]))
        })
    };
    let held = (0..n_runs)
        .into_par_iter()
        .map(run)
        .reduce(|| [0; 3], |a, b| [a[0] + b[0], a[1] + b[1], a[2] + b[2]]);
    held.map(|held| held as f64 / n_runs as f64)
}

#[test]
fn intervals_of_contributions_hold_the_truth_as_often_as_they_say() {
    for n in [400, 4000] {
        let found = coverage(n, 600, 300);
        println!("{n} rows a period: coverage of drift, selection, decay {found:?}");
        assert!(found.iter().all(|share| (0.92..=0.975).contains(share)), "{n}: {found:?}");
    }
}
