//! Cut-offs that were chosen on the data that judge them: by how much the choice flatters, and what is left without it.
//!
//! Around its maximum the criterion of a rule - PCC, F, Youden's J, cost - is a Brownian motion on a parabola (Kim and
//! Pollard 1990). Its maximum over the sample is too high by `b`, and the chosen cut-off is worse on new cases than the best
//! one by `b / 3`. Both follow from the slopes of the ROC curve at the cut, taken from a binormal curve through that point.
//!
//! Reference: Kim & Pollard (1990), "Cube root asymptotics"; Chernoff (1964), "Estimation of the mode", for the distribution.

use crate::confusion::Confusion;
use crate::curves::{Benefit, Payoff};
use crate::cutoff::{Cutoff, CutoffRule};
use crate::metrics::f_beta;
use crate::ranking::{EffectiveRows, Ranking, Split};
use tribunal_tails::{normal_density, normal_quantile_upper};

/// Mean of the maximum of a two-sided Brownian motion less a parabola, in its own units.
const MEAN_MAXIMUM: f64 = 0.99619;
/// By how many standard deviations of a step the maximum over steps stays below that over a continuous path.
const STEP_LOSS: f64 = 0.5826;
/// A curvature below this says that the binormal curve does not fit.
const LEAST_CURVATURE: f64 = 0.25;

/// What the corrected rates speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Correction {
    /// The best value that any cut-off attains, as the Kolmogorov-Smirnov distance is.
    BestAttainable,
    /// The value at the chosen cut-off on new cases.
    OnNewCases,
}

impl Correction {
    fn factor(self) -> f64 {
        match self {
            Self::BestAttainable => 1.0,
            Self::OnNewCases => 4.0 / 3.0,
        }
    }
}

/// Derivatives of a criterion in the true-positive rate and in the false-positive rate, the latter with its sign changed.
#[derive(Clone, Copy, Debug)]
struct Slopes {
    tpr: f64,
    fpr: f64,
}

impl Slopes {
    fn of(rule: CutoffRule, cells: &Confusion) -> Option<Self> {
        let base_rate = cells.positives() / cells.total();
        match rule {
            CutoffRule::Youden => Some(Self { tpr: 1.0, fpr: 1.0 }),
            CutoffRule::MaxPcc => Some(Self { tpr: base_rate, fpr: 1.0 - base_rate }),
            CutoffRule::Cost { false_positive, false_negative } => {
                Some(Self { tpr: base_rate * false_negative, fpr: (1.0 - base_rate) * false_positive })
            }
            CutoffRule::MaxProfit(Payoff { benefit: Benefit::Fixed(benefit), cost }) => {
                Some(Self { tpr: base_rate * (benefit - cost), fpr: (1.0 - base_rate) * cost })
            }
            CutoffRule::MaxBenefit(matrix) => Some(Self {
                tpr: base_rate * (matrix.hit - matrix.false_negative),
                fpr: (1.0 - base_rate) * (matrix.correct_rejection - matrix.false_positive),
            }),
            CutoffRule::MaxF(beta) => {
                let (b, f) = (beta * beta, f_beta(cells, beta).ok()?);
                let scale = cells.flagged() / cells.total() + b * base_rate;
                Some(Self { tpr: base_rate * (1.0 + b - f) / scale, fpr: f * (1.0 - base_rate) / scale })
            }
            _ => None,
        }
    }
}

/// By how much a chosen cut-off flatters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Optimism {
    /// By how much the criterion at its own optimum is too high, `b`.
    pub bias: f64,
    /// By how much that moves the true-positive rate, for each unit of bias.
    tpr: f64,
    /// The same of the false-positive rate.
    fpr: f64,
}

impl Optimism {
    /// The optimism of a cut-off that one of the rules max-pcc, max-f, youden, cost, max-profit (of a fixed benefit) and max-benefit
    /// chose on this ranking; `None` for every
    /// other rule, where a class has fewer than two cases, and where the fewest errors or the least cost are those of flagging nobody or
    /// everybody: the criterion has no maximum inside then, and nothing was fitted to the cases.
    pub fn of(ranking: &Ranking, cutoff: &Cutoff) -> Option<Self> {
        if cutoff.rule.is_linear() && cutoff.confusion.is_constant() {
            return None;
        }
        let slopes = Slopes::of(cutoff.rule, &cutoff.confusion)?;
        let n_blocks = cutoff.score.map_or(0, |score| ranking.blocks_from(score));
        Self::at(ranking, n_blocks, &cutoff.confusion, slopes)
    }

    /// That of the largest distance between the rates, cut after so many blocks. `cells` has the classes exchanged where the
    /// false-positive rate is the larger one.
    pub(crate) fn of_distance(ranking: &Ranking, n_blocks: usize, cells: &Confusion) -> Option<Self> {
        Self::at(ranking, n_blocks, cells, Slopes { tpr: 1.0, fpr: 1.0 })
    }

    fn at(ranking: &Ranking, n_blocks: usize, cells: &Confusion, slopes: Slopes) -> Option<Self> {
        let EffectiveRows { effective: [p, m], .. } = ranking.effective_rows();
        let (alpha, beta) = (slopes.tpr, slopes.fpr);
        if p < 2.0 || m < 2.0 || alpha <= 0.0 || beta <= 0.0 || !alpha.is_finite() || !beta.is_finite() {
            return None;
        }
        let w = alpha / p + beta / m;
        let inside = |rate: f64, n: f64| rate.clamp(0.5 / n, 1.0 - 0.5 / n);
        let tpr = inside(cells.tp / cells.positives(), p);
        let fpr = inside(cells.fp / cells.negatives(), m);
        let (a1, a0) = (quantile(tpr), quantile(fpr));
        let (d1, d0) = (normal_density(a1), normal_density(a0));
        let curvature = (beta / alpha * d0 / d1 * a1 - a0).max(LEAST_CURVATURE);
        let continuous = MEAN_MAXIMUM * w.powf(2.0 / 3.0) * (beta * d0 / curvature).cbrt();
        let bias = (continuous - STEP_LOSS * step(ranking, n_blocks, slopes, [p, m])).max(0.0);
        Some(Self { bias, tpr: 1.0 / (p * w), fpr: 1.0 / (m * w) })
    }

    /// The confusion matrix as it would be without the optimism; cells may hold fractions.
    pub fn corrected(&self, cells: &Confusion, correction: Correction) -> Confusion {
        let (p, m) = (cells.positives(), cells.negatives());
        let moved = correction.factor() * self.bias;
        let tpr = (cells.tp / p - moved * self.tpr).clamp(0.0, 1.0);
        let fpr = (cells.fp / m + moved * self.fpr).clamp(0.0, 1.0);
        Confusion { tp: p * tpr, fn_: p * (1.0 - tpr), fp: m * fpr, tn: m * (1.0 - fpr) }
    }
}

/// The standard deviation of a step of the criterion from one block to the next, at the cut; zero where blocks are single
/// cases.
fn step(ranking: &Ranking, n_blocks: usize, slopes: Slopes, [p, m]: [f64; 2]) -> f64 {
    let totals = ranking.totals();
    let n_rows = ranking.n_rows();
    let unit = totals.total() / n_rows;
    let blocks = n_blocks.saturating_sub(1)..(n_blocks + 1).min(ranking.n_blocks());
    let n = blocks.len() as f64;
    let square = |own: Split| {
        let rows = own.total() / unit;
        let share = |weight: f64, total: f64, n: f64| weight / total / n;
        (1.0 - 1.0 / rows).max(0.0)
            * (slopes.tpr.powi(2) * share(own.positive, totals.positive, p)
                + slopes.fpr.powi(2) * share(own.negative, totals.negative, m))
    };
    let sum: f64 = blocks.map(|block| square(ranking.block(block).own())).sum();
    if n > 0.0 { (sum / n).sqrt() } else { 0.0 }
}

fn quantile(probability: f64) -> f64 {
    if probability < 0.5 {
        -normal_quantile_upper(probability)
    } else {
        normal_quantile_upper(1.0 - probability)
    }
}
