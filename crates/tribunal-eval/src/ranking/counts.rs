//! A ranking from counts by score: what `GROUP BY score` returns.

use super::builder::RankingBuilder;
use super::pile::Payload;
use super::tally::Tally;
use super::{Mass, Ranking};
use crate::checks::{check_finite, check_length};
use crate::error::Error;

/// Rows counted by score. A score may stand more than once; its counts are then added.
///
/// ```sql
/// SELECT score, SUM(fraud), SUM(1 - fraud), SUM(fraud * amount) FROM claims GROUP BY score
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ScoreCounts<'a> {
    /// The scores.
    pub score: &'a [f64],
    /// Positive rows of each.
    pub positives: &'a [u64],
    /// Negative rows of each.
    pub negatives: &'a [u64],
    /// The sum of the amounts of the positive rows of each, where there are amounts.
    pub amount: Option<&'a [f64]>,
}

impl Ranking {
    /// Ranks rows that were counted by score.
    ///
    /// They are rows and no weights, so that intervals hold as they do for the rows one by one. The ranking equals that of
    /// the rows; sums over probabilities, such as the log-loss, agree to rounding.
    ///
    /// ```
    /// use tribunal_eval::{Ranking, ScoreCounts};
    ///
    /// let counts = ScoreCounts { score: &[0.2, 0.9], positives: &[1, 2], negatives: &[3, 0], amount: None };
    /// let rows = [(0.9, true), (0.9, true), (0.2, true), (0.2, false), (0.2, false), (0.2, false)];
    /// let (y_score, y_true): (Vec<f64>, Vec<bool>) = rows.into_iter().unzip();
    /// assert_eq!(Ranking::from_counts(&counts)?, Ranking::from_scores(&y_true, &y_score)?);
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    ///
    /// # Errors
    /// Columns have different lengths, a score or the amount of positives is not finite, or a class has more rows than
    /// positions can count.
    pub fn from_counts(counts: &ScoreCounts<'_>) -> Result<Self, Error> {
        let ScoreCounts { score, positives, negatives, amount } = *counts;
        check_length("count of positives", positives.len(), score.len())?;
        check_length("count of negatives", negatives.len(), score.len())?;
        check_finite("score", score)?;
        if let Some(amount) = amount {
            check_length("amount", amount.len(), score.len())?;
            let bad = |row: &usize| positives[*row] > 0 && !amount[*row].is_finite();
            if let Some(row) = (0..score.len()).find(bad) {
                return Err(Error::NotFinite { column: "amount", row, value: amount[row] });
            }
        }
        let mass = |rows: u64, amount: f64| Mass { rows: rows as f64, weight: rows as f64, amount };
        let cells = (0..score.len()).filter(|&row| positives[row] > 0 || negatives[row] > 0).map(|row| {
            let amount = amount.filter(|_| positives[row] > 0).map_or(0.0, |amount| amount[row]);
            (score[row], mass(positives[row], amount), mass(negatives[row], 0.0))
        });
        let payload = Payload { weight: false, amount: amount.is_some() };
        RankingBuilder::of_tally(payload, Tally::of_cells(cells)).finish()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::curves::{Curve, CurveKind};
    use crate::intervals::delong_of_ranking;
    use crate::metrics::{Kind, METRICS, Measure};
    use crate::scored_set::ScoredSet;
    use crate::{Confusion, ErrorKind};

    /// Rows of a score, counted: (score, positives, negatives, amount of each positive).
    type Cell = (i8, u64, u64, u32);

    /// A score from a small whole number; two of them stand for zero, once with a sign.
    fn score(code: i8) -> f64 {
        if code == 1 { -0.0 } else { f64::from(code.max(0)) / 8.0 }
    }

    fn counted(cells: &[Cell], with_amounts: bool) -> Result<Ranking, Error> {
        let scores: Vec<f64> = cells.iter().map(|cell| score(cell.0)).collect();
        let positives: Vec<u64> = cells.iter().map(|cell| cell.1).collect();
        let negatives: Vec<u64> = cells.iter().map(|cell| cell.2).collect();
        let amounts: Vec<f64> = cells.iter().map(|cell| cell.1 as f64 * f64::from(cell.3)).collect();
        Ranking::from_counts(&ScoreCounts {
            score: &scores,
            positives: &positives,
            negatives: &negatives,
            amount: with_amounts.then_some(&amounts),
        })
    }

    fn expanded(cells: &[Cell], with_amounts: bool) -> Ranking {
        let (mut truth, mut scores, mut amounts) = (vec![], vec![], vec![]);
        for &(code, positives, negatives, amount) in cells {
            for row in 0..positives + negatives {
                truth.push(row < positives);
                scores.push(score(code));
                amounts.push(f64::from(amount));
            }
        }
        let set = ScoredSet::new(&truth, &scores).expect("finite");
        let set = if with_amounts { set.with_amount(&amounts).expect("finite") } else { set };
        Ranking::of(&set).expect("few rows")
    }

    proptest! {
        #[test]
        fn counts_come_to_the_same_as_their_rows(
            cells in prop::collection::vec((0i8..9, 0u64..5, 0u64..5, 0u32..100), 0..30),
            one_class in 0u8..4,
            with_amounts: bool,
        ) {
            let cells: Vec<Cell> = cells
                .into_iter()
                .map(|(s, p, n, a)| (s, if one_class == 0 { 0 } else { p }, if one_class == 1 { 0 } else { n }, a))
                .collect();
            let (found, rows) = (counted(&cells, with_amounts).expect("valid"), expanded(&cells, with_amounts));
            prop_assert_eq!(&found, &rows);
            prop_assert_eq!(delong_of_ranking(&found), delong_of_ranking(&rows));
            for kind in CurveKind::OF_RANKINGS {
                prop_assert_eq!(Curve::of(kind, &found), Curve::of(kind, &rows));
            }
            let (matrix, expected) = (Confusion::at_score(&found, 0.5), Confusion::at_score(&rows, 0.5));
            for metric in METRICS {
                let parameter = metric.parameter().map(|p| if p.at_most > 1.0 { 3.0 } else { 0.3 });
                let measure = Measure::new(metric, parameter).expect("a measure");
                prop_assert_eq!(measure.of_confusion(&matrix), measure.of_confusion(&expected));
                match (measure.of_ranking(&found), measure.of_ranking(&rows)) {
                    (Some(Ok(a)), Some(Ok(b))) if metric.kind == Kind::Probability => {
                        prop_assert!((a - b).abs() <= 1e-9 * (1.0 + b.abs()), "{}: {} and {}", measure, a, b);
                    }
                    (a, b) => prop_assert_eq!(a, b, "{}", measure),
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_counted_is_refused() {
        let counts = |score: &[f64], positives: &[u64], amount: f64| {
            let (negatives, amount) = (vec![1; score.len()], vec![amount; score.len()]);
            let counts = ScoreCounts { score, positives, negatives: &negatives, amount: Some(&amount) };
            Ranking::from_counts(&counts).map_err(|error| error.kind()).map(|ranking| ranking.n_rows())
        };
        assert_eq!(counts(&[0.5, 0.1], &[1], 1.0), Err(ErrorKind::LengthMismatch));
        assert_eq!(counts(&[f64::NAN], &[1], 1.0), Err(ErrorKind::NotFinite));
        assert_eq!(counts(&[0.5], &[1], f64::INFINITY), Err(ErrorKind::NotFinite));
        assert_eq!(counts(&[0.5], &[0], f64::NAN), Ok(1.0), "negatives have no amounts");
        assert_eq!(counts(&[0.5], &[u64::MAX], 1.0), Err(ErrorKind::TooMany));
        assert_eq!(counts(&[0.5], &[u64::from(u32::MAX)], 1.0), Ok(4_294_967_296.0));
    }
}
