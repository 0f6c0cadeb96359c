//! A ranking from counts by score: what `GROUP BY score` returns.

use super::builder::RankingBuilder;
use super::pile::Payload;
use super::tally::Tally;
use super::{Mass, Ranking};
use crate::checks::{check_amounts, check_finite, check_length};
use crate::error::Error;
use crate::scored_set::AmountsOf;

/// Rows counted by score. A score may stand more than once; its counts are then added.
///
/// ```sql
/// SELECT score, SUM(fraud), SUM(1 - fraud), SUM(fraud * amount), SUM(fraud * amount * amount) FROM claims GROUP BY score
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ScoreCounts<'a> {
    /// The scores.
    pub score: &'a [f64],
    /// Positive rows of each.
    pub positives: &'a [u64],
    /// Negative rows of each.
    pub negatives: &'a [u64],
    /// The amounts of the positive rows of each, where there are amounts.
    pub amount: Option<AmountSums<'a>>,
    /// The amounts of the negative rows of each, where everybody has one.
    pub negative_amount: Option<AmountSums<'a>>,
}

/// Amounts of the rows of one class, summed for each score. What each row had is not known from them, so figures that compare
/// the order of the scores with that of the amounts have no value.
#[derive(Clone, Copy, Debug)]
pub struct AmountSums<'a> {
    /// The sum of the amounts.
    pub sum: &'a [f64],
    /// The sum of their squares, which intervals need.
    pub sum_of_squares: &'a [f64],
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
    /// let counts = ScoreCounts { score: &[0.2, 0.9], positives: &[1, 2], negatives: &[3, 0], amount: None, negative_amount: None };
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
        let ScoreCounts { score, positives, negatives, amount, negative_amount } = *counts;
        check_length("count of positives", positives.len(), score.len())?;
        check_length("count of negatives", negatives.len(), score.len())?;
        check_finite("score", score)?;
        for (amount, rows) in [(amount, positives), (negative_amount, negatives)] {
            amount.map_or(Ok(()), |amount| amount.check(rows))?;
        }
        let amounts = match (amount, negative_amount) {
            (None, None) => AmountsOf::Nobody,
            (Some(_), None) => AmountsOf::Positives,
            (Some(_), Some(_)) => AmountsOf::Everybody,
            (None, Some(_)) => return Err(Error::MixedColumns),
        };
        let cells = (0..score.len()).filter(|&row| positives[row] > 0 || negatives[row] > 0).map(|row| {
            (score[row], mass_at(row, positives, amount), mass_at(row, negatives, negative_amount))
        });
        let payload = Payload { weight: false, amounts };
        RankingBuilder::of_tally(payload, Tally::of_cells(cells)).finish()
    }
}

/// The rows of one class at a score.
fn mass_at(row: usize, rows: &[u64], amount: Option<AmountSums<'_>>) -> Mass {
    let n_rows = rows[row] as f64;
    let sums = amount.filter(|_| rows[row] > 0).map(|amount| (amount.sum[row], amount.sum_of_squares[row]));
    let (amount, squared_amount) = sums.unwrap_or_default();
    Mass { rows: n_rows, weight: n_rows, amount, squared_amount }
}

impl AmountSums<'_> {
    /// `Ok` when there are both sums of every score, and the squares are possible: of `n` numbers that add up to `s` they add
    /// up to `s² / n` or more.
    fn check(self, rows: &[u64]) -> Result<(), Error> {
        let Self { sum, sum_of_squares } = self;
        check_length("amount", sum.len(), rows.len())?;
        check_length("sum of squared amounts", sum_of_squares.len(), rows.len())?;
        check_amounts("amount", sum, |row| rows[row] > 0)?;
        let least = |row: usize| sum[row] * sum[row] / rows[row] as f64;
        let is_possible =
            |row: usize| sum_of_squares[row].is_finite() && sum_of_squares[row] >= least(row) * (1.0 - 1e-9);
        match (0..sum.len()).find(|&row| rows[row] > 0 && !is_possible(row)) {
            Some(row) => Err(Error::ImpossibleSquares { row, value: sum_of_squares[row], least: least(row) }),
            None => Ok(()),
        }
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
    use crate::{Confusion, ErrorKind, Undefined};

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
        let sum: Vec<f64> = cells.iter().map(|cell| cell.1 as f64 * f64::from(cell.3)).collect();
        let squares = |cell: &Cell| cell.1 as f64 * f64::from(cell.3) * f64::from(cell.3);
        let sum_of_squares: Vec<f64> = cells.iter().map(squares).collect();
        Ranking::from_counts(&ScoreCounts {
            score: &scores,
            positives: &positives,
            negatives: &negatives,
            amount: with_amounts.then_some(AmountSums { sum: &sum, sum_of_squares: &sum_of_squares }),
            negative_amount: None,
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
                    // Sums by score do not say what each row had.
                    (Some(Err(Undefined::AmountsNotByRow)), _) => {}
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
            let (negatives, sum) = (vec![1; score.len()], vec![amount; score.len()]);
            let sum_of_squares = vec![(amount * amount).min(1.0); score.len()];
            let amount = Some(AmountSums { sum: &sum, sum_of_squares: &sum_of_squares });
            let counts =
                ScoreCounts { score, positives, negatives: &negatives, amount, negative_amount: None };
            Ranking::from_counts(&counts).map_err(|error| error.kind()).map(|ranking| ranking.n_rows())
        };
        assert_eq!(counts(&[0.5, 0.1], &[1], 1.0), Err(ErrorKind::LengthMismatch));
        assert_eq!(counts(&[f64::NAN], &[1], 1.0), Err(ErrorKind::NotFinite));
        assert_eq!(counts(&[0.5], &[1], f64::INFINITY), Err(ErrorKind::NotFinite));
        assert_eq!(counts(&[0.5], &[0], f64::NAN), Ok(1.0), "negatives have no amounts");
        let sums = Some(AmountSums { sum: &[1.0], sum_of_squares: &[1.0] });
        let of_negatives = |amount| ScoreCounts {
            score: &[0.5],
            positives: &[1],
            negatives: &[1],
            amount,
            negative_amount: sums,
        };
        assert_eq!(Ranking::from_counts(&of_negatives(None)), Err(Error::MixedColumns));
        let both = Ranking::from_counts(&of_negatives(sums)).expect("amounts of everybody");
        assert_eq!((both.amount_through(1), both.amount_of_everybody_through(1)), (1.0, 2.0));
        assert_eq!(
            counts(&[0.5], &[2], 3.0),
            Err(ErrorKind::OutOfRange),
            "two amounts of 1.5 have squares of 4.5"
        );
        assert_eq!(counts(&[0.5], &[u64::MAX], 1.0), Err(ErrorKind::TooMany));
        assert_eq!(counts(&[0.5], &[u64::from(u32::MAX)], 1.0), Ok(4_294_967_296.0));
    }
}
