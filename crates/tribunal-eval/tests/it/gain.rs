//! The gain in the top of a list: golden values, differences of two models, and what must hold of every interval.

use proptest::prelude::*;
use tribunal_eval::influence::{BaseRate, Moments};
use tribunal_eval::intervals::{IntervalMethod, Level, NoInterval, TopGain};
use tribunal_eval::significance::InfluenceDifference;
use tribunal_eval::{ScoredSet, Split};

const Y: &str = "0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 0 0 1";
const S: &str = ".35 .55 .54 .41 .61 .57 .46 .66 .61 .51 0 .65 .57 .22 .69 .62 .28 .48 .68 .62 .53 0 .66 .59 .24 .7 .64 .29 .73 .69 .35 .77 .2 .4 .81 .25 .45 .66 .31 .75";
const S2: &str = ".51 .22 .73 .23 .54 .45 .56 .27 .78 .29 .6 .5 .61 .32 .83 .34 .65 .36 .67 .57 .68 .39 .9 .41 .72 .63 .74 .44 .95 .46 .77 .68 .79 .5 .41 .51 .22 .53 .24 .75";
const AMOUNT: &str = "11 14 19 26 35 46 59 74 91 13 34 57 82 12 41 72 105 43 80 22 63 106 54 101 53 104 60 18 75 37 98 64 32 99 71 45 21 96 76 58";

fn numbers(text: &str) -> Vec<f64> {
    text.split(' ').map(|number| number.parse().expect("a number")).collect()
}

fn truth() -> Vec<bool> {
    Y.split(' ').map(|label| label == "1").collect()
}

/// The gain in the first quarter of the forty cases.
fn forty(scores: &str) -> TopGain {
    let (truth, scores, amounts) = (truth(), numbers(scores), numbers(AMOUNT));
    let set = ScoredSet::new(&truth, &scores).and_then(|set| set.with_amount(&amounts)).expect("valid");
    TopGain::in_share(&set, 0.25).expect("defined")
}

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 2e-8 * expected.abs().max(1.0), "{found}, expected {expected}");
}

#[test]
fn golden_gain_of_forty_cases() {
    let gain = forty(S);
    let interval = gain.interval(Level::P95, BaseRate::Random).expect("an interval");
    near(gain.estimate(), 449.0);
    near(interval.lower, 232.107919197);
    near(interval.upper, 902.474713285);
    assert_eq!(interval.method, IntervalMethod::InfluenceLog);
    let variance = gain.variance(BaseRate::Random).expect("two of each class");
    for (found, expected) in [
        (variance.total / 1600.0, 11.7015933),
        (variance.kurtosis_df, 12.723083),
        (variance.skewness, 2.157663),
    ] {
        assert!((found - expected).abs() < 1e-6, "{found}, expected {expected}");
    }
}

#[test]
fn profit_is_the_gain_less_the_cost_of_the_list() {
    let gain = forty(S);
    near(gain.profit(20.0), 249.0);
    let profit = gain.profit_interval(20.0, Level::P95, BaseRate::Random).expect("an interval");
    near(profit.lower, 32.107919197);
    near(profit.upper, 702.474713285);
}

#[test]
fn golden_difference_of_two_gains() {
    let gains = [forty(S), forty(S2)];
    let values = gains.each_ref().map(TopGain::influence_values);
    let differences: Vec<f64> = values[0].iter().zip(&values[1]).map(|(a, b)| a - b).collect();
    let compared = InfluenceDifference {
        difference: gains[0].estimate() - gains[1].estimate(),
        moments: Moments::of_values(&truth(), &differences, None, Split { positive: 1.0, negative: 1.0 }),
        base_rate: BaseRate::Random,
        one_case: None,
    };
    let effect = compared.test(Level::P95).effect;
    near(effect.difference, 111.0);
    near(effect.interval.lower, -210.013993144);
    near(effect.interval.upper, 432.013993144);
}

/// The gain of eight cases, half of them positive, with these amounts of the positives, from the top.
fn perfect(amounts: [f64; 4], share: f64) -> TopGain {
    let truth = [true, true, true, true, false, false, false, false];
    let scores = [8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0];
    let amounts = [amounts, [f64::NAN; 4]].concat();
    let set = ScoredSet::new(&truth, &scores).and_then(|set| set.with_amount(&amounts)).expect("valid");
    TopGain::in_share(&set, share).expect("defined")
}

#[test]
fn lists_that_bring_nothing_in_have_no_interval() {
    let interval = |amounts: [f64; 4], share: f64| {
        perfect(amounts, share).interval(Level::P95, BaseRate::Random).map(|interval| interval.method)
    };
    assert_eq!(interval([0.0, 0.0, 5.0, 5.0], 0.25), Err(NoInterval::NoHit));
    assert_eq!(interval([1.0, 2.0, 5.0, 5.0], 0.25), Ok(IntervalMethod::InfluenceLog));
    assert_eq!(interval([1.0, 2.0, 5.0, -5.0], 0.25), Ok(IntervalMethod::InfluenceHall));
    assert_eq!(interval([1.0, -1.0, 5.0, 5.0], 0.25), Ok(IntervalMethod::InfluenceHall));
    let (truth, scores) = ([false, true, true, false], [0.9, 0.8, 0.7, 0.6]);
    let set = ScoredSet::new(&truth, &scores).and_then(|set| set.with_amount(&[7.0; 4])).expect("valid");
    let top = TopGain::in_first(&set, 1.0).expect("defined");
    assert_eq!(top.interval(Level::P95, BaseRate::Random), Err(NoInterval::NoHit));
    assert!(TopGain::in_first(&set, 5.0).is_err() && TopGain::in_first(&set, 0.0).is_err());
    assert!(TopGain::in_share(&set, 1.5).is_err() && TopGain::in_share(&set, f64::NAN).is_err());
}

#[test]
fn unanimous_lists_have_intervals_with_a_width() {
    let interval = perfect([10.0; 4], 0.5).interval(Level::P95, BaseRate::Fixed).expect("an interval");
    assert!(interval.lower < 30.0 && interval.upper > 50.0, "{interval:?}");
    // The whole list holds every positive, and there are as many in every sample.
    let whole = perfect([10.0; 4], 1.0).interval(Level::P95, BaseRate::Fixed).expect("an interval");
    near(whole.upper - whole.lower, 0.0);
}

#[test]
fn amounts_of_any_size_have_the_same_interval() {
    let interval = |unit: f64| {
        let gain = perfect([1.0, 2.0, 5.0, 9.0].map(|amount| amount * unit), 0.4);
        gain.interval(Level::P95, BaseRate::Random).expect("an interval")
    };
    let expected = interval(1.0);
    for unit in [1e-90, 1e99] {
        near(interval(unit).lower / unit, expected.lower);
        near(interval(unit).upper / unit, expected.upper);
    }
}

/// Truth, score, amount and weight of each row.
fn rows() -> impl Strategy<Value = Vec<(bool, u8, f64, u8)>> {
    let amount = prop_oneof![3 => 0.0f64..100.0, 1 => Just(0.0), 1 => Just(50.0), 1 => 0.0f64..1e6, 1 => -50.0f64..50.0];
    prop::collection::vec((any::<bool>(), 0u8..12, amount, 0u8..4), 4..60)
}

proptest! {
    /// Whatever the data: finite ends in order that hold the gain, with a width unless the list is all there is; influence
    /// values that add up to zero.
    #[test]
    fn intervals_of_gains_are_intervals(rows in rows(), share in 0.01f64..1.0, level in 0.05f64..0.99, cost in 0.0f64..10.0) {
        let truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
        let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
        let amounts: Vec<f64> = rows.iter().map(|row| row.2).collect();
        let weights: Vec<f64> = rows.iter().map(|row| f64::from(row.3) / 3.0).collect();
        let plain = ScoredSet::new(&truth, &scores).and_then(|set| set.with_amount(&amounts)).expect("valid");
        let level = Level::new(level).expect("a level");
        for (set, weights) in [(plain, None), (plain.with_weight(&weights).expect("valid"), Some(&weights))] {
            let Ok(gain) = TopGain::in_share(&set, share) else { continue };
            let values = gain.influence_values();
            let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
            let sum: f64 = (0..values.len()).map(|row| weight(row) * values[row]).sum();
            let size: f64 = (0..values.len()).map(|row| weight(row) * values[row].abs()).sum();
            prop_assert!(sum.abs() <= 1e-9 * (1.0 + size), "{} of {}", sum, size);
            for base_rate in [BaseRate::Random, BaseRate::Fixed] {
                let Ok(interval) = gain.interval(level, base_rate) else { continue };
                prop_assert!(interval.lower.is_finite() && interval.upper.is_finite(), "{:?}", interval);
                prop_assert!(interval.lower < interval.upper, "{:?}", interval);
                prop_assert!(interval.contains(gain.estimate()), "{:?}: {}", interval, gain.estimate());
                let profit = gain.profit_interval(cost, level, base_rate).expect("an interval");
                prop_assert!(profit.contains(gain.profit(cost)), "{:?}", profit);
            }
        }
    }

    /// Weights of one size scale the gain and its interval.
    #[test]
    fn equal_weights_change_no_interval_of_gains(rows in rows(), share in 0.01f64..1.0, weight in 0.1f64..10.0) {
        let truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
        let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
        let amounts: Vec<f64> = rows.iter().map(|row| row.2).collect();
        let weights = vec![weight; rows.len()];
        let plain = ScoredSet::new(&truth, &scores).and_then(|set| set.with_amount(&amounts)).expect("valid");
        let interval = |set: ScoredSet<'_>| {
            TopGain::in_share(&set, share).expect("defined").interval(Level::P95, BaseRate::Random)
        };
        match (interval(plain), interval(plain.with_weight(&weights).expect("valid"))) {
            (Ok(a), Ok(b)) => {
                let close = |a: f64, b: f64| (a - b / weight).abs() < 1e-6 * a.abs().max(1.0);
                prop_assert!(close(a.lower, b.lower) && close(a.upper, b.upper), "{:?} {:?}", a, b);
            }
            (a, b) => prop_assert_eq!(a, b),
        }
    }
}
