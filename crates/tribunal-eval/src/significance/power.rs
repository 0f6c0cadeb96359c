//! How many labelled cases a comparison needs, and how small a difference a given number of them can show.
//!
//! Labels cost money - an investigation, an audit - so the question comes before the test. Every answer is the same
//! equation, `difference = z_level sqrt(V0 / n) + z_power sqrt(VA / n)`, solved for `n` or for the difference, with `V0`
//! the variance of one case's contribution when there is no difference and `VA` when there is.
//!
//! References: Hanley & McNeil (1982, 1983) and Obuchowski & McClish (1997) for AUROCs; Fleiss, Levin & Paik (2003) for
//! independent proportions; Connor (1987), "Sample size for testing differences in proportions for the paired-sample
//! design".

use serde::{Deserialize, Serialize};

use crate::intervals::{Level, Unusable, exponential_excess, normal_quantile, within};
use tribunal_tails::root;

/// What a planned test should achieve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Aim {
    level: Level,
    power: f64,
}

impl Aim {
    /// A two-sided test at this level that should find the difference with this probability.
    ///
    /// **Undefined when** the power is not strictly between 0.5 and 1; 80 % is written 0.8.
    pub fn new(level: Level, power: f64) -> Result<Self, Unusable> {
        within("the power", power, power > 0.5 && power < 1.0, "a number between 0.5 and 1, such as 0.8")?;
        Ok(Self { level, power })
    }

    /// `z_level sqrt(V0) + z_power sqrt(VA)`: the difference that one unit of cases would show.
    fn reach(self, spread: Spread) -> Result<f64, Unusable> {
        let z_power = normal_quantile(self.power)?;
        Ok(self.level.z() * spread.without.sqrt() + z_power * spread.with.sqrt())
    }
}

/// The variance of one case's contribution, without the difference and with it.
#[derive(Debug, Clone, Copy)]
struct Spread {
    without: f64,
    with: f64,
}

/// The labelled cases a comparison needs.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CasesNeeded {
    /// Cases in each sample, rounded up.
    pub per_sample: u64,
    /// Samples: 1 when both models score the same cases, 2 when each has its own.
    pub n_samples: u64,
    /// Cases in each sample before rounding.
    pub unrounded: f64,
}

impl CasesNeeded {
    fn new(unrounded: f64, n_samples: u64) -> Self {
        // A whole number that rounding made a hair larger must not cost another case.
        Self { per_sample: (unrounded - 1e-9 * unrounded).ceil() as u64, n_samples, unrounded }
    }

    /// All cases to label.
    pub fn total(&self) -> u64 {
        self.per_sample.saturating_mul(self.n_samples)
    }
}

/// Whether two models score the same cases.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Pairing {
    /// Each model has cases of its own.
    Independent,
    /// Both score the same cases, and their AUROCs' errors are correlated.
    Paired {
        /// The correlation, from -1 to below 1; 0.5 is a cautious guess for models of one purpose.
        correlation: f64,
    },
}

impl Pairing {
    fn correlation(self) -> f64 {
        match self {
            Pairing::Independent => 0.0,
            Pairing::Paired { correlation } => correlation,
        }
    }

    fn n_samples(self) -> u64 {
        if self == Pairing::Independent { 2 } else { 1 }
    }
}

/// Which formula foretells the variance of an AUROC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AurocSpread {
    /// For exponential scores, after Hanley and McNeil.
    #[default]
    HanleyMcneil,
    /// For normal scores, after Obuchowski; the larger of the two for high AUROCs.
    Obuchowski,
}

impl AurocSpread {
    /// The variance of an AUROC times the number of positives, with `ratio` negatives for each.
    fn per_positive(self, auroc: f64, ratio: f64) -> f64 {
        match self {
            AurocSpread::HanleyMcneil => {
                let (of_negatives, of_positives) = exponential_excess(auroc);
                of_positives + of_negatives / ratio
            }
            AurocSpread::Obuchowski => obuchowski(auroc, ratio),
        }
    }
}

/// Obuchowski's variance for normal scores, with her rounded constants.
fn obuchowski(auroc: f64, ratio: f64) -> f64 {
    let Ok(quantile) = normal_quantile(auroc) else {
        return 0.0;
    };
    let a2 = (1.414 * quantile) * (1.414 * quantile);
    0.0099 * libm::exp(-a2 / 2.0) * (5.0 * a2 + 8.0 + (a2 + 8.0) / ratio)
}

/// A planned comparison of two AUROCs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct AurocPlan {
    baseline: f64,
    base_rate: f64,
    pairing: Pairing,
    spread: AurocSpread,
}

impl AurocPlan {
    /// The AUROC to beat, the share of positives among the cases to label, and how the models share them.
    ///
    /// **Undefined when** the AUROC or the base rate is not strictly between 0 and 1, or the correlation is not from -1
    /// to below 1.
    pub fn new(baseline: f64, base_rate: f64, pairing: Pairing) -> Result<Self, Unusable> {
        let inside = |v: f64| v > 0.0 && v < 1.0;
        within("the AUROC to beat", baseline, inside(baseline), "a number between 0 and 1")?;
        within("the base rate", base_rate, inside(base_rate), "a number between 0 and 1")?;
        let correlation = pairing.correlation();
        within("the correlation", correlation, (-1.0..1.0).contains(&correlation), "from -1 to below 1")?;
        Ok(Self { baseline, base_rate, pairing, spread: AurocSpread::default() })
    }

    /// The same plan with another formula for the variance.
    pub fn with_spread(self, spread: AurocSpread) -> Self {
        Self { spread, ..self }
    }

    /// The variances of a difference of AUROCs, times the number of cases.
    fn spread_against(&self, other: f64) -> Spread {
        let ratio = (1.0 - self.base_rate) / self.base_rate;
        let per_case = |auroc: f64| self.spread.per_positive(auroc, ratio) / self.base_rate;
        let (first, second, r) = (per_case(self.baseline), per_case(other), self.pairing.correlation());
        let with = first + second - 2.0 * r * (first * second).sqrt();
        Spread { without: 2.0 * first * (1.0 - r), with: with.max(0.0) }
    }
}

/// The cases needed to tell an AUROC from the plan's.
///
/// **Definition** `n = (z_level sqrt(V0) + z_power sqrt(VA))² / difference²`, where for variances `V1` and `V2` of the two
/// AUROCs times the number of cases and correlation `r`, `V0 = 2 V1 (1 - r)` and `VA = V1 + V2 - 2 r sqrt(V1 V2)`.
///
/// **Undefined when** the two AUROCs are equal or the other is outside `[0, 1]`.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::Level;
/// use tribunal_eval::significance::{Aim, AurocPlan, Pairing, cases_for_aurocs};
/// let plan = AurocPlan::new(0.75, 0.1, Pairing::Paired { correlation: 0.5 })?;
/// let needed = cases_for_aurocs(&plan, 0.80, Aim::new(Level::P95, 0.8)?)?;
/// assert_eq!((needed.per_sample, needed.n_samples), (2606, 1));
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** Hanley & McNeil (1983); Obuchowski & McClish (1997).
pub fn cases_for_aurocs(plan: &AurocPlan, other: f64, aim: Aim) -> Result<CasesNeeded, Unusable> {
    within("the other AUROC", other, (0.0..=1.0).contains(&other), "from 0 to 1")?;
    let n = cases(aim, plan.spread_against(other), other - plan.baseline)?;
    Ok(CasesNeeded::new(n, plan.pairing.n_samples()))
}

/// The smallest gain over the plan's AUROC that so many cases in each sample can show.
///
/// **Definition** the difference at which [`cases_for_aurocs`] asks for `n_cases`.
///
/// **Undefined when** even a perfect model would not show with so few cases.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::Level;
/// use tribunal_eval::significance::{Aim, AurocPlan, Pairing, detectable_auroc_gain};
/// let plan = AurocPlan::new(0.75, 0.1, Pairing::Paired { correlation: 0.5 })?;
/// let gain = detectable_auroc_gain(&plan, 2606, Aim::new(Level::P95, 0.8)?)?;
/// assert!((gain - 0.05).abs() < 1e-4);
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** Hanley & McNeil (1983); Obuchowski & McClish (1997).
pub fn detectable_auroc_gain(plan: &AurocPlan, n_cases: u64, aim: Aim) -> Result<f64, Unusable> {
    detectable(n_cases, 1.0 - plan.baseline, |gain| aim.reach(plan.spread_against(plan.baseline + gain)))
}

/// The cases needed in each sample to tell two independent proportions apart.
///
/// **Definition** as [`cases_for_aurocs`] with `V0 = 2 p (1 - p)` at the mean `p` of the two, and
/// `VA = p1 (1 - p1) + p2 (1 - p2)`.
///
/// **Undefined when** the proportions are equal or outside `[0, 1]`.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::Level;
/// use tribunal_eval::significance::{Aim, cases_for_proportions};
/// let needed = cases_for_proportions(0.5, 0.6, Aim::new(Level::P95, 0.8)?)?;
/// assert_eq!((needed.per_sample, needed.total()), (388, 776));
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** Fleiss, Levin & Paik (2003), "Statistical methods for rates and proportions", without their correction
/// for continuity.
pub fn cases_for_proportions(first: f64, second: f64, aim: Aim) -> Result<CasesNeeded, Unusable> {
    for p in [first, second] {
        within("a proportion", p, (0.0..=1.0).contains(&p), "from 0 to 1")?;
    }
    Ok(CasesNeeded::new(cases(aim, proportion_spread(first, second), second - first)?, 2))
}

/// The smallest gain over a proportion that so many cases in each of two samples can show.
///
/// **Definition** the difference at which [`cases_for_proportions`] asks for `n_cases`.
///
/// **Undefined when** the proportion is not from 0 to below 1, or even a proportion of 1 would not show.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::Level;
/// use tribunal_eval::significance::{Aim, detectable_proportion_gain};
/// let gain = detectable_proportion_gain(0.5, 388, Aim::new(Level::P95, 0.8)?)?;
/// assert!((gain - 0.1).abs() < 1e-3);
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** Fleiss, Levin & Paik (2003).
pub fn detectable_proportion_gain(baseline: f64, n_cases: u64, aim: Aim) -> Result<f64, Unusable> {
    within("the proportion", baseline, (0.0..1.0).contains(&baseline), "from 0 to below 1")?;
    detectable(n_cases, 1.0 - baseline, |gain| aim.reach(proportion_spread(baseline, baseline + gain)))
}

fn proportion_spread(first: f64, second: f64) -> Spread {
    let of = |p: f64| (p * (1.0 - p)).max(0.0);
    Spread { without: 2.0 * of((first + second) / 2.0), with: of(first) + of(second) }
}

/// The cases needed to tell two classifiers on the same rows apart by McNemar's test.
///
/// **Definition** as [`cases_for_aurocs`] with `V0 = discordance` and `VA = discordance - difference²`; the discordance
/// is the share of rows on which only one of the two is wrong.
///
/// **Undefined when** the difference is 0 or larger than the discordance, or the discordance is not above 0 and up to 1.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::Level;
/// use tribunal_eval::significance::{Aim, cases_for_mcnemar};
/// let needed = cases_for_mcnemar(0.2, 0.05, Aim::new(Level::P95, 0.8)?)?;
/// assert_eq!((needed.per_sample, needed.n_samples), (626, 1));
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** Connor (1987).
pub fn cases_for_mcnemar(discordance: f64, difference: f64, aim: Aim) -> Result<CasesNeeded, Unusable> {
    check_discordance(discordance)?;
    let usable = difference.abs() <= discordance;
    within("the difference", difference, usable, "at most the share of discordant rows")?;
    Ok(CasesNeeded::new(cases(aim, paired_spread(discordance, difference), difference)?, 1))
}

/// The smallest difference of two classifiers on so many rows that McNemar's test can show.
///
/// **Definition** the difference at which [`cases_for_mcnemar`] asks for `n_cases`.
///
/// **Undefined when** the discordance is not above 0 and up to 1, or even all of it on one side would not show.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::Level;
/// use tribunal_eval::significance::{Aim, detectable_mcnemar_difference};
/// let difference = detectable_mcnemar_difference(0.2, 626, Aim::new(Level::P95, 0.8)?)?;
/// assert!((difference - 0.05).abs() < 1e-4);
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** Connor (1987).
pub fn detectable_mcnemar_difference(discordance: f64, n_cases: u64, aim: Aim) -> Result<f64, Unusable> {
    check_discordance(discordance)?;
    detectable(n_cases, discordance, |difference| aim.reach(paired_spread(discordance, difference)))
}

/// The smallest difference that a comparison with this standard error would show.
///
/// **Definition** `(z_level + z_power) standard_error`. It serves any metric: the standard error comes from the file at
/// hand.
///
/// **Undefined when** the standard error is negative or not finite.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::Level;
/// use tribunal_eval::significance::{Aim, detectable_difference};
/// let smallest = detectable_difference(0.01, Aim::new(Level::P95, 0.8)?)?;
/// assert!((smallest - 0.0280158).abs() < 1e-7);
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** Cohen (1988), "Statistical power analysis for the behavioral sciences".
pub fn detectable_difference(standard_error: f64, aim: Aim) -> Result<f64, Unusable> {
    let usable = standard_error >= 0.0 && standard_error.is_finite();
    within("the standard error", standard_error, usable, "a number from 0 on")?;
    let variance = standard_error * standard_error;
    aim.reach(Spread { without: variance, with: variance })
}

/// The cases, of the same kind and in the same proportions, at which a difference would show, when `n_cases` of them
/// leave it this standard error.
///
/// **Definition** `n_cases (detectable / difference)^2`, since the standard error falls with the root of the cases.
///
/// **Undefined when** the difference is 0 or the standard error is negative or not finite.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::Level;
/// use tribunal_eval::significance::{Aim, cases_for_difference};
/// let aim = Aim::new(Level::P95, 0.8)?;
/// assert_eq!(cases_for_difference(1000, 0.01, 0.02, aim)?.total(), 1963);
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** Cohen (1988).
pub fn cases_for_difference(
    n_cases: u64,
    standard_error: f64,
    difference: f64,
    aim: Aim,
) -> Result<CasesNeeded, Unusable> {
    detectable_difference(standard_error, aim)?;
    let variance = n_cases as f64 * standard_error * standard_error;
    Ok(CasesNeeded::new(cases(aim, Spread { without: variance, with: variance }, difference)?, 1))
}

fn check_discordance(discordance: f64) -> Result<f64, Unusable> {
    within(
        "the share of discordant rows",
        discordance,
        discordance > 0.0 && discordance <= 1.0,
        "above 0, up to 1",
    )
}

fn paired_spread(discordance: f64, difference: f64) -> Spread {
    Spread { without: discordance, with: (discordance - difference * difference).max(0.0) }
}

/// The cases at which a difference shows.
fn cases(aim: Aim, spread: Spread, difference: f64) -> Result<f64, Unusable> {
    if difference == 0.0 {
        let reason = "no number of cases shows a difference of 0; name the smallest that matters";
        return Err(Unusable::Undefined { figure: "the number of cases", reason });
    }
    let root_n = aim.reach(spread)? / difference.abs();
    Ok(root_n * root_n)
}

/// The smallest difference up to `largest` that shows with so many cases.
fn detectable(
    n_cases: u64,
    largest: f64,
    reach: impl Fn(f64) -> Result<f64, Unusable>,
) -> Result<f64, Unusable> {
    let root_n = (n_cases as f64).sqrt();
    let surplus = |difference: f64| Ok(difference * root_n - reach(difference)?);
    if surplus(largest)? < 0.0 {
        let reason = "even the largest possible difference would not show with so few cases; label more";
        return Err(Unusable::Undefined { figure: "the detectable difference", reason });
    }
    // The reach is defined wherever it was defined at the end, so the fallback is never met.
    Ok(root(|difference| surplus(difference).unwrap_or(f64::NAN), (0.0, largest)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn aim(level: f64, power: f64) -> Aim {
        Aim::new(Level::new(level).expect("a level"), power).expect("a power")
    }

    fn close(found: f64, expected: f64) {
        assert!((found / expected - 1.0).abs() < 1e-9, "{found}, expected {expected}");
    }

    /// The variance as pROC computes it, the whole by its formula for the number of cases.
    #[test]
    fn cases_for_two_aurocs() {
        let check = |(first, second): (f64, f64),
                     base_rate: f64,
                     r: f64,
                     power: f64,
                     normal: f64,
                     exponential: f64| {
            let plan = AurocPlan::new(first, base_rate, Pairing::Paired { correlation: r }).expect("a plan");
            for (spread, expected) in
                [(AurocSpread::Obuchowski, normal), (AurocSpread::HanleyMcneil, exponential)]
            {
                let needed = cases_for_aurocs(&plan.with_spread(spread), second, aim(0.95, power));
                close(needed.expect("a difference").unrounded, expected);
            }
        };
        close(obuchowski(0.75, 9.0), 0.0850493994168425);
        close(obuchowski(0.9, 2.0), 0.0576202325566653);
        check((0.75, 0.8), 0.1, 0.5, 0.8, 2640.36338056257, 2605.50207284165);
        check((0.8, 0.86), 1.0 / 3.0, 0.0, 0.9, 1619.78517795176, 1403.28577054052);
    }

    /// Hanley and McNeil's formula for large samples is their standard error without its terms of second order.
    #[test]
    fn the_foretold_variance_is_the_one_found_later() {
        let counts = crate::intervals::ClassCounts { positives: 1e6, negatives: 3e6 };
        let found = crate::intervals::hanley_mcneil(0.8, counts).expect("an AUROC").variance;
        let foretold = AurocSpread::HanleyMcneil.per_positive(0.8, 3.0) / 1e6;
        assert!((found / foretold - 1.0).abs() < 1e-5);
    }

    /// By R's power.prop.test, whose root is good to five digits.
    #[test]
    fn cases_for_two_proportions() {
        let needed = |p, q, aim| cases_for_proportions(p, q, aim).expect("a difference").unrounded;
        assert!((needed(0.5, 0.6, aim(0.95, 0.8)) / 387.338516695594 - 1.0).abs() < 1e-5);
        assert!((needed(0.02, 0.035, aim(0.99, 0.9)) / 3534.68839813136 - 1.0).abs() < 1e-5);
    }

    /// By Connor's formula; summed over all splits of 626 rows, the uncorrected test then finds it in 80.3 % of samples.
    #[test]
    fn cases_for_mcnemars_test() {
        let needed = |psi, d, aim| cases_for_mcnemar(psi, d, aim).expect("a difference").unrounded;
        close(needed(0.2, 0.05, aim(0.95, 0.8)), 625.547317833722);
        close(needed(0.1, -0.03, aim(0.95, 0.9)), 1163.33160482879);
    }

    #[test]
    fn the_same_cases_need_fewer_labels_than_cases_of_their_own() {
        let needed = |pairing| {
            let plan = AurocPlan::new(0.8, 0.2, pairing).expect("a plan");
            cases_for_aurocs(&plan, 0.84, aim(0.95, 0.8)).expect("a difference").total()
        };
        let (independent, paired) =
            (needed(Pairing::Independent), needed(Pairing::Paired { correlation: 0.6 }));
        assert!(paired * 4 < independent, "{paired} and {independent}");
        let uncorrelated = needed(Pairing::Paired { correlation: 0.0 });
        assert_eq!(2 * uncorrelated, independent);
    }

    #[test]
    fn impossible_plans_are_refused() {
        assert!(Aim::new(Level::P95, 0.4).is_err());
        assert!(AurocPlan::new(1.0, 0.1, Pairing::Independent).is_err());
        assert!(AurocPlan::new(0.7, 0.0, Pairing::Independent).is_err());
        assert!(AurocPlan::new(0.7, 0.1, Pairing::Paired { correlation: 1.0 }).is_err());
        let plan = AurocPlan::new(0.7, 0.1, Pairing::Independent).expect("a plan");
        assert!(cases_for_aurocs(&plan, 0.7, aim(0.95, 0.8)).is_err());
        assert!(detectable_auroc_gain(&plan, 5, aim(0.95, 0.8)).is_err());
        assert!(cases_for_proportions(0.5, 1.5, aim(0.95, 0.8)).is_err());
        assert!(cases_for_mcnemar(0.1, 0.2, aim(0.95, 0.8)).is_err());
        assert!(detectable_mcnemar_difference(0.1, 3, aim(0.95, 0.8)).is_err());
    }

    proptest! {
        #[test]
        fn what_is_detectable_needs_as_many_cases_as_there_are(
            baseline in 0.5f64..0.9, base_rate in 0.02f64..0.6, r in 0.0f64..0.8, n in 5_000u64..500_000, normal: bool,
        ) {
            let spread = if normal { AurocSpread::Obuchowski } else { AurocSpread::HanleyMcneil };
            let plan = AurocPlan::new(baseline, base_rate, Pairing::Paired { correlation: r }).expect("a plan");
            let plan = plan.with_spread(spread);
            let gain = detectable_auroc_gain(&plan, n, aim(0.95, 0.8)).expect("enough cases");
            let needed = cases_for_aurocs(&plan, baseline + gain, aim(0.95, 0.8)).expect("a gain");
            prop_assert!((needed.unrounded / n as f64 - 1.0).abs() < 1e-9);
        }

        #[test]
        fn the_same_for_proportions(p in 0.01f64..0.8, n in 1_000u64..500_000, discordance in 0.05f64..1.0) {
            let gain = detectable_proportion_gain(p, n, aim(0.95, 0.9)).expect("enough cases");
            let needed = cases_for_proportions(p, p + gain, aim(0.95, 0.9)).expect("a gain");
            prop_assert!((needed.unrounded / n as f64 - 1.0).abs() < 1e-9);
            let difference = detectable_mcnemar_difference(discordance, n, aim(0.95, 0.9)).expect("enough cases");
            let needed = cases_for_mcnemar(discordance, difference, aim(0.95, 0.9)).expect("a difference");
            prop_assert!((needed.unrounded / n as f64 - 1.0).abs() < 1e-9);
        }
    }
}
