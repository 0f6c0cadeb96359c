//! DeLong's variance of an AUROC, and the covariances of several AUROCs on the same rows.
//!
//! The *placement* of a positive is the share of negatives it outranks, ties counting half; of a negative, the share of
//! positives that outrank it. Counted in halves, placements are whole numbers, so their sums and squares are added as
//! integers: the result is exact and does not depend on the order of the rows. One merge of sorted scores gives them
//! all. References: DeLong, DeLong & Clarke-Pearson (1988), "Comparing the areas under two or more correlated receiver
//! operating characteristic curves"; Sun & Xu (2014) for doing it without comparing every pair.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::auroc::{AurocEstimate, AurocMethod, ClassCounts};
use super::unusable::{Unusable, at_least};
use crate::ranking::{Ranking, Split};

/// With more cases than this in a class the exact integer sums could overflow.
const MOST_CASES: usize = 1 << 30;

/// The scores of the two classes, each in ascending order.
#[derive(Debug, Clone, Copy)]
pub struct ClassScores<'a> {
    /// Scores of the positives, ascending.
    pub positives: &'a [f64],
    /// Scores of the negatives, ascending.
    pub negatives: &'a [f64],
}

/// The share of the other class that each case is placed ahead of.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Placements {
    /// For each positive, the share of negatives below it (ties count half).
    pub positives: Vec<f64>,
    /// For each negative, the share of positives above it (ties count half).
    pub negatives: Vec<f64>,
}

/// The AUROC of sorted scores with DeLong's variance.
///
/// **Definition** `Var = S10 / P + S01 / M`, where `S10` and `S01` are the sample variances (divisor `n - 1`, 0 for a
/// single case) of the placements of the `P` positives and the `M` negatives.
///
/// **Undefined when** a class has no case, a score is NaN, or the scores are not in ascending order.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::{ClassScores, delong};
/// let positives = [0.3, 0.6, 0.7, 0.8, 0.9];
/// let negatives = [0.1, 0.4, 0.6, 0.6, 0.8];
/// let estimate = delong(ClassScores { positives: &positives, negatives: &negatives })?;
/// assert_eq!(estimate.auroc, 0.7);
/// assert!((estimate.variance - 0.033).abs() < 1e-15);
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** DeLong, DeLong & Clarke-Pearson (1988).
pub fn delong(scores: ClassScores<'_>) -> Result<AurocEstimate, Unusable> {
    let ClassScores { positives, negatives } = validated(scores)?;
    let (mut of_positives, mut of_negatives) = (Moments::default(), Moments::default());
    for_each_placement(positives, negatives, |_, halves| of_positives.add(halves));
    for_each_placement(negatives, positives, |_, halves| {
        of_negatives.add(2 * positives.len() as u64 - halves)
    });
    let (p, m) = (positives.len(), negatives.len());
    Ok(AurocEstimate {
        auroc: of_positives.sum as f64 / (2.0 * p as f64 * m as f64),
        variance: of_positives.variance(p, m) / p as f64 + of_negatives.variance(m, p) / m as f64,
        method: AurocMethod::Delong,
        counts: ClassCounts { positives: p as f64, negatives: m as f64 },
    })
}

/// The same from a ranking, in one pass over its blocks on all cores.
///
/// **Definition** as for [`delong()`]; the sums are compensated instead of exact, so that a variance below 1e-15 of a
/// case's may be rounding.
///
/// **Undefined when** a class has no case or the rows have weights other than one, for which DeLong's variance does not
/// hold.
///
/// **Example**
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, intervals::delong_of_ranking};
/// let truth = [true, true, false, true, false, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let estimate = delong_of_ranking(&Ranking::of(&ScoredSet::new(&truth, &scores)?)?)?;
/// assert!((estimate.auroc - 0.7).abs() < 1e-15 && (estimate.variance - 0.033).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// **Reference** DeLong, DeLong & Clarke-Pearson (1988).
pub fn delong_of_ranking(ranking: &Ranking) -> Result<AurocEstimate, Unusable> {
    let (p, m) = (ranking.positives(), ranking.negatives());
    at_least("positives", p.rows as usize, 1)?;
    at_least("negatives", m.rows as usize, 1)?;
    if (p.rows, m.rows) != (p.weight, m.weight) {
        let reason = "the rows have weights; take a bootstrap interval";
        return Err(Unusable::Undefined { figure: "DeLong's variance", reason });
    }
    let (p, m) = (p.rows, m.rows);
    // Placements are measured from one half, near which their mean may lie: that keeps the digits of the variance.
    let [sum, of_positives, of_negatives] = ranking.sum_blocks_each(|above, through| {
        let of_positive = 0.5 - (above.negative + through.negative) / (2.0 * m);
        let of_negative = (above.positive + through.positive) / (2.0 * p) - 0.5;
        let (positives, negatives) = (through.positive - above.positive, through.negative - above.negative);
        [positives * of_positive, positives * of_positive.powi(2), negatives * of_negative.powi(2)]
    });
    let mean = sum / p;
    let mean_variance = |squares: f64, n: f64| {
        if n < 2.0 { 0.0 } else { (squares - n * mean * mean).max(0.0) / (n - 1.0) / n }
    };
    let auroc = 0.5 + mean;
    Ok(AurocEstimate {
        auroc,
        variance: mean_variance(of_positives, p) + mean_variance(of_negatives, m),
        method: AurocMethod::Delong,
        counts: ClassCounts { positives: p, negatives: m },
    })
}

/// The placements behind [`delong()`], in the order of the scores given.
///
/// **Definition** `V10_i`, the mean over negatives of `psi(s_i, s_j)`, and `V01_j`, the mean over positives, where
/// `psi` is 1 when the positive scores higher, one half on a tie and 0 otherwise.
///
/// **Undefined when** a class has no case, a score is NaN, or the scores are not in ascending order.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::{ClassScores, delong_placements};
/// let placements = delong_placements(ClassScores { positives: &[0.3, 0.8], negatives: &[0.1, 0.8] })?;
/// assert_eq!(placements.positives, [0.5, 0.75]);
/// assert_eq!(placements.negatives, [1.0, 0.25]);
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** DeLong, DeLong & Clarke-Pearson (1988).
pub fn delong_placements(scores: ClassScores<'_>) -> Result<Placements, Unusable> {
    let ClassScores { positives, negatives } = validated(scores)?;
    let share = |halves: u64, others: &[f64]| halves as f64 / (2.0 * others.len() as f64);
    let mut placements = Placements { positives: vec![], negatives: vec![] };
    for_each_placement(positives, negatives, |_, halves| placements.positives.push(share(halves, negatives)));
    for_each_placement(negatives, positives, |_, halves| {
        placements.negatives.push(1.0 - share(halves, positives))
    });
    Ok(placements)
}

/// The same scores, when both classes have cases in ascending order.
pub(super) fn validated(scores: ClassScores<'_>) -> Result<ClassScores<'_>, Unusable> {
    check_class("positives", "the scores of the positives", scores.positives)?;
    check_class("negatives", "the scores of the negatives", scores.negatives)?;
    Ok(scores)
}

fn check_class(class: &'static str, what: &'static str, scores: &[f64]) -> Result<(), Unusable> {
    at_least(class, scores.len(), 1)?;
    check_size(scores.len())?;
    if let Some(position) = scores.iter().position(|score| score.is_nan()) {
        return Err(Unusable::NotFinite { what: "score", position, value: f64::NAN });
    }
    match scores.windows(2).position(|pair| pair[1] < pair[0]) {
        Some(before) => Err(Unusable::NotSorted { what, position: before + 1 }),
        None => Ok(()),
    }
}

fn check_size(n: usize) -> Result<(), Unusable> {
    if n > MOST_CASES {
        let reason = "a class has more than 2^30 cases, where its exact sums could overflow; take a sample";
        return Err(Unusable::Undefined { figure: "DeLong's variance", reason });
    }
    Ok(())
}

/// Calls `each` with the position of every score and twice the number of `others` below it (ties count one).
///
/// Both are ascending; one pass over each.
fn for_each_placement<T: PartialOrd + Copy>(scores: &[T], others: &[T], mut each: impl FnMut(usize, u64)) {
    let (mut below, mut up_to) = (0, 0);
    for (position, score) in scores.iter().enumerate() {
        while below < others.len() && others[below] < *score {
            below += 1;
        }
        up_to = up_to.max(below);
        while up_to < others.len() && others[up_to] <= *score {
            up_to += 1;
        }
        each(position, (below + up_to) as u64);
    }
}

/// Exact sums of placements counted in halves.
#[derive(Debug, Default)]
struct Moments {
    sum: u128,
    squares: u128,
}

impl Moments {
    fn add(&mut self, halves: u64) {
        self.sum += u128::from(halves);
        self.squares += u128::from(halves) * u128::from(halves);
    }

    /// The sample variance of `n` placements among `n_others` cases of the other class.
    fn variance(&self, n: usize, n_others: usize) -> f64 {
        scaled_covariance((n as u128 * self.squares) as i128 - (self.sum * self.sum) as i128, n, n_others)
    }
}

/// `n sum(xy) - sum(x) sum(y)` over placements in halves, brought to a sample covariance of shares.
fn scaled_covariance(numerator: i128, n: usize, n_others: usize) -> f64 {
    if n < 2 {
        return 0.0;
    }
    let (n, others) = (n as f64, n_others as f64);
    numerator as f64 / (n * (n - 1.0)) / (4.0 * others * others)
}

/// The scores of several models for the same rows.
#[derive(Debug, Clone)]
pub struct ScoredModels<'a> {
    /// Which rows are positive.
    pub positive: &'a [bool],
    /// For each model, the scores of all rows.
    pub scores: Vec<&'a [f64]>,
}

/// The AUROCs of several models on the same rows and how they vary together.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AurocCovariance {
    /// The AUROC of each model.
    pub aurocs: Vec<f64>,
    /// The covariance of the sampling errors of two AUROCs, by model and model.
    pub covariance: Vec<Vec<f64>>,
    /// The rows they were computed from.
    pub counts: ClassCounts,
}

impl AurocCovariance {
    /// One model's AUROC with its variance.
    ///
    /// **Undefined when** there is no such model.
    pub fn estimate(&self, model: usize) -> Option<AurocEstimate> {
        Some(AurocEstimate {
            auroc: *self.aurocs.get(model)?,
            variance: *self.covariance.get(model)?.get(model)?,
            method: AurocMethod::Delong,
            counts: self.counts,
        })
    }
}

/// The AUROCs of several models on the same rows with their covariance matrix.
///
/// **Definition** `S = S10 / P + S01 / M`, where `S10` and `S01` are the sample covariance matrices of the models'
/// placements of the positives and of the negatives. Takes one sort per model and a pass per pair of models. Rows of
/// unequal weight are not supported.
///
/// **Undefined when** there is no model, a class has no row, a score is NaN, or a model lacks scores.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::{ScoredModels, delong_pair};
/// let positive = [true, true, false, true, false, true, false, false, true, false];
/// let a = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let b = [0.7, 0.9, 0.3, 0.8, 0.5, 0.2, 0.6, 0.1, 0.65, 0.4];
/// let both = delong_pair(&ScoredModels { positive: &positive, scores: vec![&a, &b] })?;
/// assert_eq!(both.aurocs, [0.7, 0.84]);
/// assert!((both.covariance[0][1] - 0.005).abs() < 1e-15);
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** DeLong, DeLong & Clarke-Pearson (1988); Sun & Xu (2014).
pub fn delong_pair(models: &ScoredModels<'_>) -> Result<AurocCovariance, Unusable> {
    delong_pair_sampled(models, Split { positive: 1.0, negative: 1.0 })
}

/// The same where the rows are a sample of the cases: `taken` is the share of each class that they are, and the
/// covariances are those of the AUROCs of all cases.
///
/// **Undefined when** [`delong_pair`] is.
///
/// **Reference** DeLong, DeLong & Clarke-Pearson (1988).
pub fn delong_pair_sampled(models: &ScoredModels<'_>, taken: Split) -> Result<AurocCovariance, Unusable> {
    check_models(models)?;
    let place = |scores: &&[f64]| HalfPlacements::of(models.positive, scores);
    let placements: Vec<HalfPlacements> = models.scores.par_iter().map(place).collect();
    let counts = (placements[0].positives.len(), placements[0].negatives.len());
    let covariance_with = |a: &HalfPlacements| placements.iter().map(|b| a.covariance(b, taken)).collect();
    Ok(AurocCovariance {
        aurocs: placements.iter().map(HalfPlacements::auroc).collect(),
        covariance: placements.par_iter().map(covariance_with).collect(),
        counts: ClassCounts {
            positives: counts.0 as f64 / taken.positive,
            negatives: counts.1 as f64 / taken.negative,
        },
    })
}

fn check_models(models: &ScoredModels<'_>) -> Result<(), Unusable> {
    let (n, positives) =
        (models.positive.len(), models.positive.iter().filter(|positive| **positive).count());
    at_least("models", models.scores.len(), 1)?;
    at_least("positives", positives, 1)?;
    at_least("negatives", n - positives, 1)?;
    check_size(n)?;
    for (model, scores) in models.scores.iter().enumerate() {
        if scores.len() != n {
            let what = format!("model {model}");
            return Err(Unusable::LengthMismatch { what, found: scores.len(), expected: n });
        }
        if let Some(position) = scores.iter().position(|score| score.is_nan()) {
            return Err(Unusable::NotFinite { what: "score", position, value: f64::NAN });
        }
    }
    Ok(())
}

/// One model's placements, counted in halves, in the order of the rows.
struct HalfPlacements {
    positives: Vec<u32>,
    negatives: Vec<u32>,
}

impl HalfPlacements {
    fn of(positive: &[bool], scores: &[f64]) -> Self {
        let (positives, negatives) = (ranked(positive, scores, true), ranked(positive, scores, false));
        let twice_positives = 2 * positives.len() as u64;
        Self {
            positives: in_row_order(&positives, &negatives, |halves| halves),
            negatives: in_row_order(&negatives, &positives, |halves| twice_positives - halves),
        }
    }

    fn auroc(&self) -> f64 {
        let pairs = self.positives.len() as f64 * self.negatives.len() as f64;
        sum(&self.positives) as f64 / (2.0 * pairs)
    }

    fn covariance(&self, other: &Self, taken: Split) -> f64 {
        let (p, m) = (self.positives.len(), self.negatives.len());
        let of_positives = scaled_covariance(cross(&self.positives, &other.positives), p, m);
        let of_negatives = scaled_covariance(cross(&self.negatives, &other.negatives), m, p);
        taken.positive * of_positives / p as f64 + taken.negative * of_negatives / m as f64
    }
}

/// A score and the place of its row within the class; compared by score alone.
#[derive(Clone, Copy)]
struct Placed {
    score: f64,
    row: u32,
}

impl PartialEq for Placed {
    fn eq(&self, other: &Self) -> bool {
        self.score == other.score
    }
}

impl PartialOrd for Placed {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.score.partial_cmp(&other.score)
    }
}

/// The scores of one class, ascending, each with its place within the class.
fn ranked(positive: &[bool], scores: &[f64], class: bool) -> Vec<Placed> {
    let of_class = positive.iter().zip(scores).filter(|(positive, _)| **positive == class);
    let mut placed: Vec<Placed> =
        of_class.enumerate().map(|(row, (_, score))| Placed { score: *score, row: row as u32 }).collect();
    placed.par_sort_unstable_by(|a, b| a.score.total_cmp(&b.score));
    placed
}

/// The placements of ranked scores among the other class, back in the order of the rows.
fn in_row_order(ranked: &[Placed], others: &[Placed], count: impl Fn(u64) -> u64) -> Vec<u32> {
    let mut placements = vec![0; ranked.len()];
    for_each_placement(ranked, others, |position, halves| {
        placements[ranked[position].row as usize] = count(halves) as u32;
    });
    placements
}

fn sum(halves: &[u32]) -> u64 {
    halves.iter().map(|halves| u64::from(*halves)).sum()
}

/// `n sum(xy) - sum(x) sum(y)`, exactly.
fn cross(x: &[u32], y: &[u32]) -> i128 {
    let products: u128 = x.iter().zip(y).map(|(x, y)| u128::from(u64::from(*x) * u64::from(*y))).sum();
    (x.len() as u128 * products) as i128 - (u128::from(sum(x)) * u128::from(sum(y))) as i128
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scored_set::ScoredSet;
    use proptest::prelude::*;

    #[test]
    fn a_sample_of_the_negatives_speaks_for_all() {
        let models = ScoredModels { positive: &LABELS, scores: vec![&TIED, &OTHER] };
        let (all, half) = (
            delong_pair(&models).expect("two classes"),
            delong_pair_sampled(&models, Split { positive: 1.0, negative: 0.5 }).expect("two classes"),
        );
        assert_eq!((half.aurocs, half.counts.negatives), (all.aurocs, 10.0));
        assert!(
            half.covariance[0][0] < all.covariance[0][0]
                && half.covariance[0][0] > all.covariance[0][0] / 2.0
        );
    }

    #[test]
    fn weights_have_no_delong_variance() {
        let set = ScoredSet::new(&LABELS, &TIED).and_then(|set| set.with_weight(&[2.0; 10])).expect("valid");
        let error = delong_of_ranking(&Ranking::of(&set).expect("rankable")).expect_err("weighted");
        assert!(error.to_string().contains("take a bootstrap interval"), "{error}");
    }

    const LABELS: [bool; 10] = [true, true, false, true, false, true, false, false, true, false];
    const TIED: [f64; 10] = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
    const OTHER: [f64; 10] = [0.7, 0.9, 0.3, 0.8, 0.5, 0.2, 0.6, 0.1, 0.65, 0.4];

    fn of_class(positive: &[bool], scores: &[f64], class: bool) -> Vec<f64> {
        let rows = positive.iter().zip(scores).filter(|(positive, _)| **positive == class);
        let mut scores: Vec<f64> = rows.map(|(_, score)| *score).collect();
        scores.sort_by(f64::total_cmp);
        scores
    }

    #[test]
    fn the_placements_and_variance_of_tied_scores() {
        let (positives, negatives) = (of_class(&LABELS, &TIED, true), of_class(&LABELS, &TIED, false));
        let scores = ClassScores { positives: &positives, negatives: &negatives };
        let placements = delong_placements(scores).expect("two classes");
        for (found, expected) in [
            (placements.positives, [0.2, 0.6, 0.8, 0.9, 1.0]),
            (placements.negatives, [1.0, 0.8, 0.7, 0.7, 0.3]),
        ] {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{found:?}");
        }
        let estimate = delong(scores).expect("two classes");
        assert_eq!(estimate.auroc, 0.7);
        assert!((estimate.variance - 0.033).abs() < 1e-16);
        assert!((estimate.standard_error() - 0.181659021).abs() < 1e-9);
    }

    #[test]
    fn two_models_on_the_same_rows() {
        let models = ScoredModels { positive: &LABELS, scores: vec![&TIED, &OTHER] };
        let both = delong_pair(&models).expect("two classes");
        assert_eq!(both.aurocs, [0.7, 0.84]);
        for (found, expected) in both.covariance.concat().iter().zip([0.033, 0.005, 0.005, 0.0272]) {
            assert!((found - expected).abs() < 1e-16, "{found}");
        }
        assert_eq!(both.estimate(1).map(|estimate| estimate.auroc), Some(0.84));
        assert_eq!(both.estimate(2), None);
    }

    #[test]
    fn unusable_scores_are_named() {
        let check = |positives: &[f64], negatives: &[f64], expected: &str| {
            let error = delong(ClassScores { positives, negatives }).expect_err(expected);
            assert_eq!(error.to_string(), expected);
        };
        check(&[], &[0.1], "0 positives; at least 1 needed");
        check(&[0.1, f64::NAN], &[0.1], "score 1 is NaN; remove or repair it first");
        check(
            &[0.1],
            &[0.2, 0.1],
            "the scores of the negatives fall at position 1; sort them ascending first",
        );
        let short = ScoredModels { positive: &[true, false], scores: vec![&[0.1]] };
        let error = delong_pair(&short).expect_err("a score is missing");
        assert_eq!(error.to_string(), "model 0 has 1 values; expected 2, one per row");
    }

    #[test]
    fn a_single_positive_adds_no_variance_of_its_own() {
        let estimate =
            delong(ClassScores { positives: &[0.5], negatives: &[0.1, 0.9] }).expect("two classes");
        assert_eq!((estimate.auroc, estimate.variance), (0.5, 0.25));
    }

    #[test]
    fn negative_zero_ties_with_zero() {
        let estimate = delong(ClassScores { positives: &[0.0], negatives: &[-0.0] }).expect("two classes");
        assert_eq!(estimate.auroc, 0.5);
        let models = ScoredModels { positive: &[true, false, false], scores: vec![&[-0.0, 0.0, -0.0]] };
        assert_eq!(delong_pair(&models).expect("two classes").aurocs, [0.5]);
    }

    /// By the definition: every positive against every negative.
    fn brute_force(positive: &[bool], models: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let psi = |p: f64, n: f64| {
            if p > n { 1.0 } else { 0.5 * f64::from(u8::from(p == n)) }
        };
        let rows = |class: bool| (0..positive.len()).filter(move |row| positive[*row] == class);
        let placements = |scores: &Vec<f64>, class: bool| -> Vec<f64> {
            let others = rows(!class).count() as f64;
            let place = |row: usize| -> f64 {
                let against = |other: usize| {
                    if class { psi(scores[row], scores[other]) } else { psi(scores[other], scores[row]) }
                };
                rows(!class).map(against).sum::<f64>() / others
            };
            rows(class).map(place).collect()
        };
        let covariance = |x: &[f64], y: &[f64]| {
            let n = x.len() as f64;
            let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
            let sum: f64 = x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum();
            if n > 1.0 { sum / (n - 1.0) / n } else { 0.0 }
        };
        let cell = |a: &Vec<f64>, b: &Vec<f64>| -> f64 {
            [true, false].iter().map(|class| covariance(&placements(a, *class), &placements(b, *class))).sum()
        };
        models.iter().map(|a| models.iter().map(|b| cell(a, b)).collect()).collect()
    }

    /// Rows with few distinct scores, so that ties are common, for three models.
    fn rows() -> impl Strategy<Value = Vec<(bool, [u8; 3])>> {
        prop::collection::vec((any::<bool>(), prop::array::uniform3(0u8..12)), 2..60)
            .prop_filter("both classes", |rows| rows.iter().any(|r| r.0) && rows.iter().any(|r| !r.0))
    }

    fn columns(rows: &[(bool, [u8; 3])]) -> (Vec<bool>, Vec<Vec<f64>>) {
        let model = |m: usize| rows.iter().map(|row| f64::from(row.1[m]) / 7.0).collect();
        (rows.iter().map(|row| row.0).collect(), (0..3).map(model).collect())
    }

    fn judged(positive: &[bool], models: &[Vec<f64>]) -> AurocCovariance {
        let scores = models.iter().map(Vec::as_slice).collect();
        delong_pair(&ScoredModels { positive, scores }).expect("two classes")
    }

    proptest! {
        #[test]
        fn covariances_equal_those_over_all_pairs(rows in rows()) {
            let (positive, models) = columns(&rows);
            let (found, expected) = (judged(&positive, &models), brute_force(&positive, &models));
            for (found, expected) in found.covariance.concat().iter().zip(expected.concat()) {
                prop_assert!((found - expected).abs() < 1e-13);
            }
        }

        #[test]
        fn one_model_alone_has_the_same_variance(rows in rows()) {
            let (positive, models) = columns(&rows);
            let (positives, negatives) = (of_class(&positive, &models[0], true), of_class(&positive, &models[0], false));
            let alone = delong(ClassScores { positives: &positives, negatives: &negatives }).expect("two classes");
            prop_assert_eq!(Some(alone), judged(&positive, &models).estimate(0));
            let ranking = Ranking::of(&ScoredSet::new(&positive, &models[0]).expect("valid")).expect("rankable");
            let ranked = delong_of_ranking(&ranking).expect("two classes");
            prop_assert!((ranked.auroc - alone.auroc).abs() < 1e-14);
            prop_assert!((ranked.variance - alone.variance).abs() < 1e-14);
        }

        #[test]
        fn the_order_of_rows_does_not_matter(rows in rows(), turn in 0usize..60) {
            let mut turned = rows.clone();
            turned.rotate_left(turn % rows.len());
            turned.reverse();
            let ((positive, models), (positive_turned, models_turned)) = (columns(&rows), columns(&turned));
            prop_assert_eq!(judged(&positive, &models), judged(&positive_turned, &models_turned));
        }

        #[test]
        fn a_monotone_transform_changes_nothing(rows in rows()) {
            let (positive, models) = columns(&rows);
            let stretched: Vec<Vec<f64>> = models.iter().map(|m| m.iter().map(|s| libm::exp(3.0 * s)).collect()).collect();
            prop_assert_eq!(judged(&positive, &models), judged(&positive, &stretched));
        }
    }
}
