//! Probabilities from log-odds, of which no two that rank differently become the same.
//!
//! **Definition** Of log-odds L the likely class has the logistic 1 / (1 + e^-|L|) as long as that is at most 1 - 2^-30, and
//! beyond, from |L| = T on, 1 - 2^-30 / (1 + ln(1 + |L| - T)): as steep where it begins, and rising for ever, but slowly. The
//! unlikely class has e^-|L| / (1 + e^-|L|) down to |L| = 700, where doubles end, and beyond e^-700 / (1 + ln(1 + |L| - 700)).
//!
//! **Why** The logistic of 37 and more is 1 in doubles, and that of -746 is 0. Naive Bayes on some fifty columns has log-odds
//! in the hundreds: a third of all rows would share the top of the list, in no order. A score of log-odds beside the
//! probability would have to be carried through every file and every reader; here one column says both.
//!
//! **Distortion** Less than 2^-30, that is 1e-9, in either probability, and their sum is as near to one. Nothing is changed
//! for |L| up to T = 20.79, which is odds of a billion to one. Log-odds that are infinite, as those of impossible values,
//! are 0 and 1. Of more than two classes each is taken against all others together (`log_scores.rs`).

/// The log-odds whose probability is 1 - 2^-30: ln(2^30 - 1).
const LOGISTIC_ENDS: f64 = 20.794_415_415_867_037;
/// The logarithm of what is about the least double that keeps all its digits, with room below.
const EXPONENTIAL_ENDS: f64 = 700.0;

/// The log-odds of 1 - 1e-12, and the largest that are told from larger ones, where lines are drawn through them.
const TEMPERED_FROM: f64 = 27.631_021_115_927_55;
const FURTHEST: f64 = 1e4;

/// The probabilities of the likely and the unlikely class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Likely {
    pub(crate) likely: f64,
    pub(crate) unlikely: f64,
}

impl Likely {
    /// Up to here the likely class has the exact probability: 1 - 2^-30.
    pub(crate) const MOST_EXACT: f64 = 1.0 - 1.0 / (1_u64 << 30) as f64;

    /// From the distance of log-odds from zero.
    pub(crate) fn of(size: f64) -> Self {
        let ratio = (-size.min(EXPONENTIAL_ENDS)).exp();
        let likely = match size > LOGISTIC_ENDS {
            false => 1.0 / (1.0 + ratio),
            true => 1.0 - 2_f64.powi(-30) / slowed(size - LOGISTIC_ENDS),
        };
        let unlikely = ratio / (1.0 + ratio) / slowed(size - EXPONENTIAL_ENDS);
        Likely { likely, unlikely }
    }
}

/// 1 + ln(1 + x), from zero on: it rises like x at first, and without end.
fn slowed(beyond: f64) -> f64 {
    1.0 + beyond.max(0.0).ln_1p()
}

/// The probability of a class with these log-odds.
pub(crate) fn probability(log_odds: f64) -> f64 {
    let Likely { likely, unlikely } = Likely::of(log_odds.abs());
    if log_odds >= 0.0 { likely } else { unlikely }
}

/// The log-odds that [`probability`] makes a probability of, as far as doubles tell: the inverse.
pub(crate) fn log_odds(probability: f64) -> f64 {
    let rest = 1.0 - probability;
    if probability > Likely::MOST_EXACT {
        return LOGISTIC_ENDS + unslowed(2_f64.powi(-30) / rest);
    }
    let least = (-EXPONENTIAL_ENDS).exp();
    if probability < least {
        -EXPONENTIAL_ENDS - unslowed(least / probability)
    } else {
        (probability / rest).ln()
    }
}

/// The same where a line is drawn through log-odds: beyond 27.6, those of 1e-12, they rise with their logarithm only and end at
/// 1e4, so that what a model takes for impossible does not decide alone, and yet order is kept.
pub(crate) fn tempered_log_odds(probability: f64) -> f64 {
    let log_odds = log_odds(probability.clamp(0.0, 1.0));
    let size = log_odds.abs().min(FURTHEST);
    (size.min(TEMPERED_FROM) + (size - TEMPERED_FROM).max(0.0).ln_1p()).copysign(log_odds)
}

/// The inverse of [`slowed`].
fn unslowed(slowed: f64) -> f64 {
    (slowed - 1.0).exp_m1()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn neighbours(of: f64) -> Vec<f64> {
        let up = std::iter::successors(Some(of), |x| Some(x.next_up())).take(200);
        let down = std::iter::successors(Some(of), |x| Some(x.next_down())).take(200);
        let near = (-200..=200).map(|step| of + f64::from(step) * 1e-9);
        up.chain(down).chain(near).collect()
    }

    #[test]
    fn the_probability_never_falls_around_its_joints() {
        let ends = [LOGISTIC_ENDS, EXPONENTIAL_ENDS, 0.0].into_iter().flat_map(neighbours);
        let mut log_odds: Vec<f64> = ends.flat_map(|x| [x, -x]).collect();
        log_odds.sort_by(f64::total_cmp);
        let found: Vec<f64> = log_odds.iter().map(|&x| probability(x)).collect();
        assert!(found.is_sorted(), "it falls");
        assert_eq!(probability(LOGISTIC_ENDS), 1.0 - 2_f64.powi(-30));
    }

    #[test]
    fn it_is_the_logistic_where_that_can_be_told_from_one() {
        for tenth in -207..=207 {
            let log_odds = f64::from(tenth) / 10.0;
            let exact = 1.0 / (1.0 + (-log_odds).exp());
            assert!((probability(log_odds) - exact).abs() <= 1e-15 * exact, "{log_odds}");
        }
        assert_eq!(probability(0.0), 0.5);
        assert_eq!(probability(-300.0), (-300.0_f64).exp());
        assert_eq!(probability(-700.0), (-700.0_f64).exp());
    }

    #[test]
    fn only_what_is_infinite_is_certain() {
        assert_eq!([f64::NEG_INFINITY, f64::INFINITY].map(probability), [0.0, 1.0]);
        for log_odds in [37.0, 1e3, 1e6, 1e100, f64::MAX] {
            let [low, high] = [-log_odds, log_odds].map(probability);
            assert!(low > 0.0 && high < 1.0, "{log_odds}: {low} {high}");
        }
    }

    #[test]
    fn log_odds_in_the_hundreds_and_thousands_stay_apart() {
        let mut random = tribunal_random::Random::new(4601);
        let mut log_odds: Vec<f64> = (0..4601).map(|_| 300.0 * random.normal() + 500.0).collect();
        log_odds.sort_by(f64::total_cmp);
        let mut found: Vec<f64> = log_odds.into_iter().map(probability).collect();
        assert!(found.is_sorted());
        found.dedup();
        assert!(found.len() > 4550, "{} of 4601 are left", found.len());
    }

    #[test]
    fn log_odds_come_back() {
        for size in [0.0, 1e-9, 0.3, 5.0, 20.7, 20.8, 25.0, 36.0, 100.0, 699.0, 701.0, 900.0, 5000.0] {
            for sent in [size, -size] {
                let found = log_odds(probability(sent));
                assert!((found - sent).abs() <= 1e-4 * (1.0 + sent.abs()), "{sent}: {found}");
            }
        }
        assert_eq!([0.0, 1.0].map(log_odds), [f64::NEG_INFINITY, f64::INFINITY]);
    }

    #[test]
    fn tempered_log_odds_keep_their_order_and_have_an_end() {
        let sizes = [0.0, 0.5, 20.0, 27.0, 28.0, 100.0, 700.0, 800.0, 9000.0];
        let found: Vec<f64> = sizes.iter().map(|&size| tempered_log_odds(probability(size))).collect();
        assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "{found:?}");
        assert!((found[3] - 27.0).abs() < 1e-5);
        let ends = [0.0, 1.0].map(tempered_log_odds);
        assert!(ends[1] > found[8] && ends[1] < 37.0 && ends[0] == -ends[1], "{ends:?}");
    }

    proptest! {
        #[test]
        fn more_log_odds_are_never_less_probable(a in -5e3..5e3, b in -5e3..5e3) {
            let (low, high) = (f64::min(a, b), f64::max(a, b));
            prop_assert!(probability(low) <= probability(high));
            // Apart by a hundred-thousandth of their size, they are told apart.
            prop_assert!(high - low < 1e-5 * (1.0 + high.abs().powi(2)) || probability(low) < probability(high));
        }

        #[test]
        fn both_classes_add_up_to_one(size in 0.0..1e4) {
            let Likely { likely, unlikely } = Likely::of(size);
            prop_assert!((likely + unlikely - 1.0).abs() < 1e-9);
            prop_assert!((likely - 1.0 / (1.0 + (-size).exp())).abs() < 1e-9);
        }
    }
}
