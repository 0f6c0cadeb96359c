//! Sums of powers of influence values: what variances, degrees of freedom and skewness are made of.

use std::ops::Range;

use rayon::prelude::*;

use super::{ClassValues, Influence, divided};
use crate::ranking::{BlockRows, EffectiveRows, Ranking, RowPowers, Split};
use crate::sum::Sum;

/// Power sums of the influence values of either class, the positives first.
///
/// The value of a weighted row is its influence times its weight, in units of the mean weight, so that rows of equal weights
/// come to the same as rows without. Moments of the parts of a table add up as long as the influence function is that of the
/// whole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// Rows of each class.
    pub rows: [f64; 2],
    /// Rows of equal weights that would vary as much (Kish).
    pub effective: [f64; 2],
    /// Sums of the first four powers of the values of each class.
    pub sums: [[f64; 4]; 2],
}

impl Moments {
    /// Sums over all rows of a ranking.
    pub(crate) fn of(ranking: &Ranking, influence: &Influence<'_>) -> Self {
        let sums = match influence {
            Influence::Blocks(of) => of_blocks(ranking, |block| of(block)),
            Influence::Scores(of) => {
                let of_class = |positive: bool| ranking.sum_powers(positive, |score| of(score, positive));
                let (positives, negatives) = rayon::join(|| of_class(true), || of_class(false));
                [positives, negatives]
            }
            Influence::Amounts(of) => ranking.sum_amount_powers(of),
            Influence::List { weight, inside, outside } => of_list(ranking, *weight, *inside, *outside),
        };
        let counts = ranking.effective_rows();
        Self { rows: counts.rows, effective: counts.effective, sums }
    }

    /// Sums over rows whose values are given one by one. `taken` is the share of each class that the rows are: 1 where they are
    /// all there is; the sums then speak for the whole class.
    pub fn of_values(truth: &[bool], values: &[f64], weights: Option<&[f64]>, taken: Split) -> Self {
        let taken = [taken.positive, taken.negative];
        let ValueSums { powers, weights: weight_sums } = ValueSums::of(truth, values, weights);
        let whole = |k: usize| (0..2).map(|class| weight_sums[class][k] / taken[class]).sum::<f64>();
        let (n, total) = (whole(0), whole(1));
        let unit = if total > 0.0 { n / total } else { 1.0 };
        let kish = |[_, sum, squares]: [f64; 3]| if squares > 0.0 { sum * sum / squares } else { 0.0 };
        let of_class =
            |class: usize| std::array::from_fn(|k| powers[class][k] * unit.powi(k as i32 + 1) / taken[class]);
        Self {
            rows: [0, 1].map(|class| weight_sums[class][0] / taken[class]),
            effective: [0, 1].map(|class| kish(weight_sums[class]) / taken[class]),
            sums: [of_class(0), of_class(1)],
        }
    }

    /// Rows of both classes together.
    pub(crate) fn n_effective(&self) -> f64 {
        EffectiveRows { rows: self.rows, effective: self.effective }.n_effective()
    }
}

/// Sums over rows whose values are given one by one, of either class, the positives first.
struct ValueSums {
    /// Of the first four powers of the weighted values.
    powers: [[f64; 4]; 2],
    /// Of the rows that weigh something, of their weights and of the squares of these.
    weights: [[f64; 3]; 2],
}

impl ValueSums {
    /// The pieces in which all cores do it depend on the number of rows alone.
    fn of(truth: &[bool], values: &[f64], weights: Option<&[f64]>) -> Self {
        const PIECE: usize = 1 << 14;
        let piece =
            |start: usize| Self::of_rows(start..(start + PIECE).min(truth.len()), truth, values, weights);
        let starts: Vec<usize> = (0..truth.len()).step_by(PIECE).collect();
        let pieces: Vec<Self> = starts.into_par_iter().map(piece).collect();
        let sum = |of: &dyn Fn(&Self) -> f64| pieces.iter().map(of).collect::<Sum>().value();
        Self {
            powers: [0, 1].map(|class| std::array::from_fn(|k| sum(&|piece| piece.powers[class][k]))),
            weights: [0, 1].map(|class| std::array::from_fn(|k| sum(&|piece| piece.weights[class][k]))),
        }
    }

    fn of_rows(rows: Range<usize>, truth: &[bool], values: &[f64], weights: Option<&[f64]>) -> Self {
        let (mut powers, mut weight_sums) = ([[Sum::default(); 4]; 2], [[0.0; 3]; 2]);
        for row in rows {
            let weight = weights.map_or(1.0, |weights| weights[row]);
            let class = usize::from(!truth[row]);
            [f64::from(weight > 0.0), weight, weight * weight]
                .iter()
                .zip(&mut weight_sums[class])
                .for_each(|(term, sum)| *sum += term);
            let value = values[row] * weight;
            let mut power = 1.0;
            for sum in &mut powers[class] {
                power *= value;
                sum.add(power);
            }
        }
        Self { powers: powers.map(|sums| sums.map(|sum| sum.value())), weights: weight_sums }
    }
}

fn of_blocks(ranking: &Ranking, of: impl Fn(&BlockRows) -> ClassValues + Sync) -> [[f64; 4]; 2] {
    let sums: [f64; 8] = ranking.sum_block_rows(|block| {
        let values = of(block);
        let positives = powers(values.positive, block.positive_powers);
        let negatives = powers(values.negative, block.negative_powers);
        std::array::from_fn(|k| if k < 4 { positives[k] } else { negatives[k - 4] })
    });
    [std::array::from_fn(|k| sums[k]), std::array::from_fn(|k| sums[k + 4])]
}

fn of_list(ranking: &Ranking, weight: f64, inside: ClassValues, outside: ClassValues) -> [[f64; 4]; 2] {
    let (start, end, share) = divided(ranking, weight);
    let parts = [(0, start, 1.0), (start, end, share), (end, ranking.n_blocks(), 0.0)];
    let mut sums = [[0.0; 4]; 2];
    for (from, to, share) in parts {
        let value = |positive: bool| share * inside.of(positive) + (1.0 - share) * outside.of(positive);
        let [p, m] = ranking.powers_between(from, to);
        for (class, (value, rows)) in [(value(true), p), (value(false), m)].into_iter().enumerate() {
            sums[class].iter_mut().zip(powers(value, rows)).for_each(|(sum, power)| *sum += power);
        }
    }
    sums
}

#[inline]
fn powers(value: f64, rows: RowPowers) -> [f64; 4] {
    let square = value * value;
    [value * rows[0], square * rows[1], square * value * rows[2], square * square * rows[3]]
}
