//! Welch's test: whether independent groups have the same mean though their variances differ.
//!
//! Fisher's analysis of variance pools the variances of the groups; segments of a caseload have few rows here and many there, so
//! theirs are anything but equal. Reference: Welch (1951), "On the comparison of several mean values: an alternative approach".

use serde::{Deserialize, Serialize};

use crate::checks::{at_least, within};
use crate::error::Error;
use tribunal_tails::{chi_square_sf, f_sf};

/// An estimate from a group of cases of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroupEstimate {
    /// The estimate.
    pub estimate: f64,
    /// Its variance: of a mean the variance of the values divided by their number.
    pub variance: f64,
    /// On how many degrees of freedom the variance rests; infinite where it is known.
    pub df: f64,
}

/// The outcome of Welch's test.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Welch {
    /// The statistic.
    pub f: f64,
    /// Degrees of freedom between the groups, one less than there are groups.
    pub df_groups: usize,
    /// Degrees of freedom of the error; infinite, and nothing in JSON, where every variance is known.
    #[serde(with = "crate::infinite")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub df_error: f64,
    /// The chance of so large a statistic if all groups have the same mean.
    pub p: f64,
}

/// Welch's heteroscedastic F test of equal means.
///
/// **Definition** with weights `w_i = 1 / variance_i`, `W = sum w_i`, the weighted mean `m` and
/// `L = sum (1 - w_i / W)² / df_i` over `k` groups: `F = [sum w_i (x_i - m)² / (k - 1)] / [1 + 2 (k - 2) L / (k² - 1)]` with
/// `k - 1` and `(k² - 1) / (3 L)` degrees of freedom. Where every variance is known, `(k - 1) F` is chi-square.
///
/// **Undefined when** there are fewer than two groups, an estimate is not finite, or a variance or its degrees of freedom are
/// not above zero: a group without variance would outweigh all others.
///
/// **Example**
/// ```
/// use tribunal_eval::significance::{GroupEstimate, welch};
/// // The mean breaks of wool under low, medium and high tension (R's `warpbreaks`), each of 18 looms.
/// let tension = [(36.388889, 270.486928), (26.388889, 83.192810), (21.666667, 69.764706)];
/// let groups = tension.map(|(estimate, variance)| GroupEstimate { estimate, variance: variance / 18.0, df: 17.0 });
/// let test = welch(&groups)?;
/// assert!((test.f - 5.8018).abs() < 1e-4 && (test.df_error - 32.3200).abs() < 1e-3 && (test.p - 0.007032).abs() < 1e-6);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Welch (1951).
pub fn welch(groups: &[GroupEstimate]) -> Result<Welch, Error> {
    at_least("groups", groups.len(), 2)?;
    for GroupEstimate { estimate, variance, df } in groups {
        within("the estimate of a group", *estimate, estimate.is_finite(), "a finite number")?;
        within("the variance of a group", *variance, is_positive(*variance), "a finite number above 0")?;
        within("the degrees of freedom of a group", *df, *df > 0.0, "a number above 0")?;
    }
    let k = groups.len() as f64;
    let weight = |group: &GroupEstimate| 1.0 / group.variance;
    let total: f64 = groups.iter().map(weight).sum();
    let mean = groups.iter().map(|group| weight(group) * group.estimate).sum::<f64>() / total;
    let between: f64 = groups.iter().map(|group| weight(group) * (group.estimate - mean).powi(2)).sum();
    let lambda: f64 = groups.iter().map(|group| (1.0 - weight(group) / total).powi(2) / group.df).sum();
    let f = between / (k - 1.0) / (1.0 + 2.0 * (k - 2.0) / (k * k - 1.0) * lambda);
    let df_groups = groups.len() - 1;
    let df_error = (k * k - 1.0) / (3.0 * lambda);
    let p = match df_error.is_finite() {
        true => f_sf(f, df_groups as f64, df_error),
        false => chi_square_sf(between, df_groups),
    };
    Ok(Welch { f, df_groups, df_error, p })
}

fn is_positive(value: f64) -> bool {
    value > 0.0 && value.is_finite()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use tribunal_tails::t_two_sided;

    fn group(estimate: f64, variance: f64, df: f64) -> GroupEstimate {
        GroupEstimate { estimate, variance, df }
    }

    /// Two groups are Welch's t test: F is the square of t.
    #[test]
    fn two_groups_are_the_t_test_with_unequal_variances() {
        let (one, other) = (group(3.0, 0.2, 9.0), group(2.0, 0.05, 30.0));
        let test = welch(&[one, other]).expect("two groups");
        let variance = one.variance + other.variance;
        let df = variance * variance / (one.variance.powi(2) / one.df + other.variance.powi(2) / other.df);
        let t = (one.estimate - other.estimate) / variance.sqrt();
        assert!((test.f - t * t).abs() < 1e-12 && (test.df_error - df).abs() < 1e-9);
        assert!((test.p - t_two_sided(t, df)).abs() < 1e-12);
    }

    #[test]
    fn known_variances_make_it_a_chi_square_test() {
        let test = welch(&[1.0, 2.0, 4.0].map(|x| group(x, 0.5, f64::INFINITY))).expect("three groups");
        // The mean is 7/3, the squares add up to 14/3.
        assert!((test.p - (-14.0_f64 / 3.0).exp()).abs() < 1e-14, "{test:?}");
        let json = serde_json::to_string(&test).expect("JSON");
        assert!(json.contains("\"df_error\":null"), "{json}");
        assert_eq!(serde_json::from_str::<Welch>(&json).expect("the same"), test);
    }

    #[test]
    fn groups_that_cannot_be_weighed_are_refused() {
        let good = group(1.0, 1.0, 5.0);
        assert!(welch(&[good]).is_err() && welch(&[]).is_err());
        for bad in
            [group(f64::NAN, 1.0, 5.0), group(1.0, 0.0, 5.0), group(1.0, f64::NAN, 5.0), group(1.0, 1.0, 0.0)]
        {
            assert!(welch(&[good, bad]).is_err(), "{bad:?}");
        }
    }

    proptest! {
        /// Units and the origin do not matter, nor does the order of the groups.
        #[test]
        fn the_test_knows_no_units(
            groups in prop::collection::vec((-2.0..2.0, 0.01..3.0, 2.0..500.0), 2..12),
            factor in 0.1..50.0,
            shift in -9.0..9.0,
        ) {
            let plain: Vec<_> = groups.iter().map(|&(x, v, df)| group(x, v, df)).collect();
            let moved: Vec<_> = groups
                .iter()
                .rev()
                .map(|&(x, v, df)| group(shift - factor * x, factor * factor * v, df))
                .collect();
            let (one, other) = (welch(&plain).expect("groups"), welch(&moved).expect("groups"));
            prop_assert!((0.0..=1.0).contains(&one.p));
            prop_assert!((one.p - other.p).abs() < 1e-7 && (one.df_error / other.df_error - 1.0).abs() < 1e-9);
        }
    }
}
