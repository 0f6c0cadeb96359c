//! One table of cuts from which every curve of a ranking follows.
//!
//! A row for a score and what stands at or above it. ROC, precision-recall, CPH, lift, profit, amounts and the risk chart are
//! functions of such a row and of the last one, which is the whole list; so a program that draws or cuts needs this table and
//! nothing else. The limits of amounts need the rows in the order of their amounts too ([`CutAmountOrder`]).
//! [`CutTable::thinned`] keeps few rows of many, by a rule whose error is bounded.

mod thin;

use serde::{Deserialize, Serialize};

use crate::confusion::Confusion;
use crate::curves::{Curve, CurveKind, Payoff, Point, RiskChart};
use crate::ranking::{Ranking, Split};
use crate::scored_set::AmountsOf;
use crate::undefined::Undefined;

/// For scores from the highest down, what stands at or above each.
///
/// The JSON form is one array a column. Columns that repeat others are left out: weights where every row counts one,
/// amounts where there are none.
///
/// ```
/// use tribunal_eval::{CutTable, Ranking};
///
/// let ranking = Ranking::from_scores(&[true, false, true, false], &[0.9, 0.8, 0.8, 0.1])?;
/// let table = CutTable::of(&ranking);
/// assert_eq!((table.score(), table.cases(), table.positives()), (&[0.9, 0.8, 0.1][..], &[1, 3, 4][..], &[1, 2, 2][..]));
/// assert_eq!(table.roc()?, tribunal_eval::curves::roc_curve(&ranking)?);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "Columns")]
pub struct CutTable(Columns);

/// The columns, all of one length.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "CutTableColumns"))]
struct Columns {
    /// The lowest score at or above the cut, descending.
    score: Vec<f64>,
    /// Rows at or above it.
    cases: Vec<u64>,
    /// Positive rows among them.
    positives: Vec<u64>,
    /// Their weight, where rows have weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    weight: Option<CutWeights>,
    /// The weighted amount of the positives, where there are amounts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    amount: Option<Vec<f64>>,
    /// The sum of the squares of these amounts: with it an interval of any amount above a cut follows from the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    squared_amount: Option<Vec<f64>>,
    /// The weighted amount of the negatives, where everybody has an amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    negative_amount: Option<Vec<f64>>,
    /// The sum of the squares of these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    negative_squared_amount: Option<Vec<f64>>,
    /// The rows in the order of their amounts, where the amounts of the rows are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    amount_order: Option<CutAmountOrder>,
}

/// What stands at or above blocks of equal amounts, the largest amounts first: the best order that scores could have put the rows
/// in. The worst is the same from its end.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CutAmountOrder {
    /// Weight, both classes together; rows without an amount have 0.
    pub weight: Vec<f64>,
    /// Weighted amount.
    pub amount: Vec<f64>,
}

impl CutAmountOrder {
    /// The blocks of a ranking, or as few as show the curve to within a share of its range; `None` where amounts are not
    /// known row by row.
    fn of(ranking: &Ranking, tolerance: Option<f64>) -> Option<Self> {
        let through = ranking.amount_order().ok()?.through();
        let kept: Vec<(f64, f64)> = match tolerance {
            None => through.to_vec(),
            Some(tolerance) => {
                let (total, _) = through.last().copied().unwrap_or_default();
                let highest = through.iter().map(|(_, amount)| *amount).fold(0.0, f64::max);
                let lowest = through.iter().map(|(_, amount)| *amount).fold(0.0, f64::min);
                let points: Vec<Point> =
                    through.iter().map(|&(weight, amount)| Point { x: weight / total, y: amount }).collect();
                let kept = thin::kept_points(&points, tolerance * (highest - lowest));
                kept.into_iter().map(|place| through[place]).collect()
            }
        };
        let (weight, amount) = kept.into_iter().unzip();
        Some(Self { weight, amount })
    }

    fn is_walk(&self) -> bool {
        let rises = self.weight.windows(2).all(|pair| pair[0] < pair[1]);
        self.weight.len() == self.amount.len()
            && rises
            && self.weight.first().is_none_or(|first| *first > 0.0)
    }
}

/// Weights at or above each cut, and their squares, from which Kish's effective number of cases follows.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CutWeights {
    /// Of the positives.
    pub positives: Vec<f64>,
    /// Of the negatives.
    pub negatives: Vec<f64>,
    /// Sum of the squared weights of the positives.
    pub positives_squared: Vec<f64>,
    /// Sum of the squared weights of the negatives.
    pub negatives_squared: Vec<f64>,
}

impl CutTable {
    /// A row for every distinct score.
    pub fn of(ranking: &Ranking) -> Self {
        Self::at_blocks(ranking, (0..ranking.n_blocks()).collect(), None)
    }

    /// Some of the rows, about `about_rows` where the ranking is long: enough that no curve, read by linear
    /// interpolation, moves by more than `1 / about_rows` of its range. With 1000 that is 0.1 %.
    ///
    /// It holds for ROC, CPH, precision-recall, lift and amounts, for every abscissa. Profit moves by no more than that
    /// share of what all positives bring in, whatever cases cost. Kept are the first and the last cut, the first
    /// `about_rows / 10` cuts, the vertices of the ROC hull, and of the others as few as a walk down the list needs. The
    /// number follows from the data: a smooth curve needs fewer, one that jumps more.
    ///
    /// ```
    /// use tribunal_eval::{CutTable, Ranking};
    ///
    /// let scores: Vec<f64> = (0..100_000).map(|i| f64::from(i) / 1e5).collect();
    /// let truth: Vec<bool> = (0..100_000).map(|i| i % 7 == 0 || i > 90_000).collect();
    /// let table = CutTable::thinned(&Ranking::from_scores(&truth, &scores)?, 1000);
    /// assert!(table.len() < 2000 && table.cases().last() == Some(&100_000));
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    pub fn thinned(ranking: &Ranking, about_rows: usize) -> Self {
        let tolerance = 1.0 / about_rows.max(1) as f64;
        Self::at_blocks(ranking, thin::kept_blocks(ranking, about_rows), Some(tolerance))
    }

    /// The rows of some ascending blocks; the order of amounts within this share of its range.
    pub(crate) fn at_blocks(ranking: &Ranking, blocks: Vec<usize>, tolerance: Option<f64>) -> Self {
        let above: Vec<_> = ranking.masses_through(&blocks).collect();
        let weight = ranking.is_weighted().then(|| {
            let (positives_squared, negatives_squared) =
                ranking.squared_weights_through(&blocks).into_iter().unzip();
            CutWeights {
                positives: above.iter().map(|(p, _)| p.weight).collect(),
                negatives: above.iter().map(|(_, n)| n.weight).collect(),
                positives_squared,
                negatives_squared,
            }
        });
        let of_everybody = ranking.amounts_of() == AmountsOf::Everybody;
        Self(Columns {
            score: blocks.iter().map(|block| ranking.score(*block)).collect(),
            cases: above.iter().map(|(p, n)| (p.rows + n.rows) as u64).collect(),
            positives: above.iter().map(|(p, _)| p.rows as u64).collect(),
            weight,
            amount: ranking.has_amounts().then(|| above.iter().map(|(p, _)| p.amount).collect()),
            squared_amount: ranking
                .has_amounts()
                .then(|| above.iter().map(|(p, _)| p.squared_amount).collect()),
            negative_amount: of_everybody.then(|| above.iter().map(|(_, n)| n.amount).collect()),
            negative_squared_amount: of_everybody
                .then(|| above.iter().map(|(_, n)| n.squared_amount).collect()),
            amount_order: CutAmountOrder::of(ranking, tolerance),
        })
    }

    /// How many cuts there are.
    pub fn len(&self) -> usize {
        self.0.score.len()
    }

    /// Whether there are none, as of a ranking without rows.
    pub fn is_empty(&self) -> bool {
        self.0.score.is_empty()
    }

    /// The lowest score at or above each cut, descending.
    pub fn score(&self) -> &[f64] {
        &self.0.score
    }

    /// Rows at or above each cut.
    pub fn cases(&self) -> &[u64] {
        &self.0.cases
    }

    /// Positive rows at or above each cut.
    pub fn positives(&self) -> &[u64] {
        &self.0.positives
    }

    /// Weights at or above each cut, where rows have weights other than one.
    pub fn weight(&self) -> Option<&CutWeights> {
        self.0.weight.as_ref()
    }

    /// The weighted amount of the positives at or above each cut, where there are amounts.
    pub fn amount(&self) -> Option<&[f64]> {
        self.0.amount.as_deref()
    }

    /// The sum of the squares of these amounts.
    pub fn squared_amount(&self) -> Option<&[f64]> {
        self.0.squared_amount.as_deref()
    }

    /// The weighted amount of the negatives at or above each cut, where everybody has an amount.
    pub fn negative_amount(&self) -> Option<&[f64]> {
        self.0.negative_amount.as_deref()
    }

    /// The sum of the squares of these amounts.
    pub fn negative_squared_amount(&self) -> Option<&[f64]> {
        self.0.negative_squared_amount.as_deref()
    }

    /// The rows in the order of their amounts, where the amounts of the rows are known.
    pub fn amount_order(&self) -> Option<&CutAmountOrder> {
        self.0.amount_order.as_ref()
    }

    /// The weighted amount of the cases of either class at or above a cut, where there are amounts.
    pub fn amount_of_everybody(&self, cut: usize) -> Option<f64> {
        let negative = self.negative_amount().map_or(Some(0.0), |amount| amount.get(cut).copied())?;
        Some(self.amount()?.get(cut)? + negative)
    }

    /// The risk chart: recall, strike rate and the amounts of everybody over the caseload, with their limits.
    ///
    /// ```
    /// use tribunal_eval::{CutTable, Ranking, curves::RiskChart};
    ///
    /// let ranking = Ranking::from_scores(&[true, false, true, false], &[0.9, 0.8, 0.8, 0.1])?;
    /// assert_eq!(CutTable::of(&ranking).risk()?.points, RiskChart::of(&ranking)?.points);
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    pub fn risk(&self) -> Result<RiskChart, Undefined> {
        RiskChart::of_table(self)
    }

    /// What becomes of the cases at a kept cut, counted from the top; `None` beyond the last.
    pub fn confusion(&self, cut: usize) -> Option<Confusion> {
        let (above, totals) = (self.above(cut)?, self.totals());
        Some(Confusion {
            tp: above.positive,
            fp: above.negative,
            fn_: totals.positive - above.positive,
            tn: totals.negative - above.negative,
        })
    }

    /// The last kept cut that flags nothing below this score; `None` where it would flag nobody.
    pub fn cut_at(&self, score: f64) -> Option<usize> {
        self.0.score.partition_point(|kept| *kept >= score).checked_sub(1)
    }

    /// The ROC curve.
    pub fn roc(&self) -> Result<Curve, Undefined> {
        self.curve(CurveKind::Roc)
    }

    /// The precision-recall curve.
    pub fn precision_recall(&self) -> Result<Curve, Undefined> {
        self.curve(CurveKind::PrecisionRecall)
    }

    /// CPH: the share of the positives found over the share of the list.
    pub fn cph(&self) -> Result<Curve, Undefined> {
        self.curve(CurveKind::Cph)
    }

    /// Lift over the share of the list.
    pub fn lift(&self) -> Result<Curve, Undefined> {
        self.curve(CurveKind::Lift)
    }

    /// Profit over the share of the list.
    pub fn profit(&self, payoff: &Payoff) -> Result<Curve, Undefined> {
        let total = payoff.total(self.totals(), self.0.amount.is_some())?;
        let point = |cut: usize| {
            let above = self.above(cut)?;
            let amount = self.amount().map_or(0.0, |amount| amount[cut]);
            Some(Point { x: above.total() / total, y: payoff.of(above, amount) })
        };
        Ok(self.walk(CurveKind::Profit, point))
    }

    /// The share of the positives' amount found over the share of the list.
    pub fn amounts(&self) -> Result<Curve, Undefined> {
        let amount = self.amount().ok_or(Undefined::NoAmounts)?;
        let (total, whole) = (self.totals().total(), amount.last().copied().unwrap_or(0.0));
        if whole == 0.0 {
            return Err(Undefined::Zero { quantity: "amount of the positives".into() });
        }
        let point = |cut: usize| Some(Point { x: self.above(cut)?.total() / total, y: amount[cut] / whole });
        Ok(self.walk(CurveKind::Amount, point))
    }

    fn curve(&self, kind: CurveKind) -> Result<Curve, Undefined> {
        let totals = self.totals().both_classes()?;
        Ok(self.walk(kind, |cut| kind.point(self.above(cut)?, totals)))
    }

    /// A curve over all cuts, behind the origin where it has one.
    fn walk(&self, kind: CurveKind, point: impl Fn(usize) -> Option<Point>) -> Curve {
        let points = (0..self.len()).filter_map(|cut| Some((point(cut)?, self.0.score[cut])));
        Curve::of_walk(kind, points)
    }

    pub(crate) fn above(&self, cut: usize) -> Option<Split> {
        let (&cases, &positives) = (self.0.cases.get(cut)?, self.0.positives.get(cut)?);
        let counts = Split { positive: positives as f64, negative: (cases - positives) as f64 };
        Some(self.weight().map_or(counts, |weight| Split {
            positive: weight.positives[cut],
            negative: weight.negatives[cut],
        }))
    }

    pub(crate) fn totals(&self) -> Split {
        self.len().checked_sub(1).and_then(|last| self.above(last)).unwrap_or_default()
    }
}

impl TryFrom<Columns> for CutTable {
    type Error = &'static str;

    fn try_from(columns: Columns) -> Result<Self, &'static str> {
        let Columns { score, cases, positives, weight, amount, squared_amount, .. } = &columns;
        let Columns { negative_amount, negative_squared_amount, amount_order, .. } = &columns;
        let n = score.len();
        let weights = weight.iter().flat_map(|weight| {
            [&weight.positives, &weight.negatives, &weight.positives_squared, &weight.negatives_squared]
        });
        let of_negatives = negative_amount.iter().chain(negative_squared_amount);
        let n_of_sums = weights.chain(amount).chain(squared_amount).chain(of_negatives).map(Vec::len);
        if [cases.len(), positives.len()].into_iter().chain(n_of_sums).any(|length| length != n) {
            return Err("the columns of a table of cuts have different lengths");
        }
        let rises = |column: &[u64]| column.windows(2).all(|pair| pair[0] <= pair[1]);
        let is_walk = score.windows(2).all(|pair| pair[0] > pair[1]) && rises(cases) && rises(positives);
        if !is_walk || cases.iter().zip(positives).any(|(cases, positives)| positives > cases) {
            return Err("a table of cuts runs from the highest score down, and counts rise on the way");
        }
        let is_of_negatives = negative_amount.is_some() || negative_squared_amount.is_some();
        if amount.is_none() && (is_of_negatives || amount_order.is_some()) {
            return Err("a table of cuts has amounts of negatives or an order of amounts, but no amounts");
        }
        let squares = squared_amount.iter().chain(negative_squared_amount);
        if squares.flat_map(|squares| squares.windows(2)).any(|pair| pair[0] > pair[1]) {
            return Err("the squared amounts of a table of cuts rise on the way");
        }
        if amount_order.as_ref().is_some_and(|order| !order.is_walk()) {
            return Err("the order of amounts of a table of cuts runs over weights that rise");
        }
        Ok(Self(columns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curves::{Benefit, profit_curve};
    use crate::golden::{table_5_6, tied};
    use crate::scored_set::ScoredSet;

    fn full() -> Ranking {
        let (truth, scores) = ([true, false, true, false, true], [0.9, 0.8, 0.8, 0.3, 0.1]);
        let set = ScoredSet::new(&truth, &scores).expect("valid");
        let set = set.with_weight(&[1.0, 0.5, 2.0, 1.0, 3.0]).expect("valid");
        Ranking::of(&set.with_amount(&[10.0, 0.0, 5.0, 0.0, 1.0]).expect("valid")).expect("few rows")
    }

    #[test]
    fn every_curve_follows_from_the_table() {
        for ranking in [tied(), table_5_6(), full()] {
            let table = CutTable::of(&ranking);
            let curves = [table.roc(), table.precision_recall(), table.cph(), table.lift()];
            for (kind, curve) in CurveKind::OF_RANKINGS.into_iter().zip(curves) {
                assert_eq!(curve, Curve::with_thresholds(kind, &ranking));
            }
            let payoff = Payoff { benefit: Benefit::Fixed(10.0), cost: 6.0 };
            let blocks: Vec<usize> = (0..ranking.n_blocks()).collect();
            assert_eq!(table.profit(&payoff), profit_curve(&ranking, &payoff, &blocks));
            for cut in 0..table.len() {
                let expected = Confusion::at_score(&ranking, table.score()[cut]);
                assert_eq!(table.confusion(cut), Some(expected));
                assert_eq!(table.cut_at(table.score()[cut]), Some(cut));
            }
            assert_eq!((table.confusion(table.len()), table.cut_at(2.0)), (None, None));
        }
    }

    #[test]
    fn columns_that_repeat_others_are_left_out() {
        let json = |table: &CutTable| serde_json::to_string(table).expect("a table serialises");
        let table = CutTable::of(&tied());
        assert!(
            json(&table).starts_with(r#"{"score":[0.9,0.8,0.7,0.6,0.4,0.3,0.1],"cases":[1,3,4,7,8,9,10],"#)
        );
        assert!(!json(&table).contains("weight") && !json(&table).contains("amount"));
        let table = CutTable::of(&full());
        assert_eq!(table.amount(), Some(&[10.0, 20.0, 20.0, 23.0][..]));
        assert_eq!(table.squared_amount(), Some(&[100.0, 200.0, 200.0, 209.0][..]));
        let weight = table.weight().expect("weights");
        assert_eq!(weight.positives, [1.0, 3.0, 3.0, 6.0]);
        assert_eq!(weight.negatives, [0.0, 0.5, 1.5, 1.5]);
        assert_eq!(weight.positives_squared, [1.0, 5.0, 5.0, 14.0]);
        assert_eq!(weight.negatives_squared, [0.0, 0.25, 1.25, 1.25]);
        let read: CutTable = serde_json::from_str(&json(&table)).expect("its own JSON");
        assert_eq!(read, table);
        assert_eq!(table.amounts().expect("amounts").points[2].y, 20.0 / 23.0);
    }

    #[test]
    fn amounts_of_negatives_are_columns_of_their_own() {
        let (truth, scores) = ([true, false, true, false], [0.9, 0.8, 0.8, 0.3]);
        let set = ScoredSet::new(&truth, &scores).expect("valid");
        let set = set.with_amount_of_everybody(&[10.0, -3.0, 5.0, -1.0]).expect("valid");
        let table = CutTable::of(&Ranking::of(&set).expect("few rows"));
        assert_eq!(table.negative_amount(), Some(&[0.0, -3.0, -4.0][..]));
        assert_eq!(table.negative_squared_amount(), Some(&[0.0, 9.0, 10.0][..]));
        assert_eq!(table.amount(), Some(&[10.0, 15.0, 15.0][..]));
        assert_eq!((table.amount_of_everybody(2), table.amount_of_everybody(3)), (Some(11.0), None));
        let order = table.amount_order().expect("rows");
        assert_eq!(
            (&order.weight[..], &order.amount[..]),
            (&[1.0, 2.0, 3.0, 4.0][..], &[10.0, 15.0, 14.0, 11.0][..])
        );
        let json = serde_json::to_string(&table).expect("a table serialises");
        assert_eq!(serde_json::from_str::<CutTable>(&json).expect("its own JSON"), table);
    }

    #[test]
    fn what_is_no_table_is_refused() {
        let read = |text: &str| serde_json::from_str::<CutTable>(text);
        assert!(read(r#"{"score":[0.5],"cases":[2],"positives":[1]}"#).is_ok());
        assert!(read(r#"{"score":[0.5],"cases":[2,3],"positives":[1]}"#).is_err());
        assert!(read(r#"{"score":[0.5],"cases":[2],"positives":[3]}"#).is_err());
        assert!(read(r#"{"score":[0.5,0.7],"cases":[2,3],"positives":[1,1]}"#).is_err());
        assert!(read(r#"{"score":[0.5],"cases":[2],"positives":[1],"amount":[]}"#).is_err());
        let with = |columns: &str| {
            read(&format!(r#"{{"score":[0.5,0.4],"cases":[2,3],"positives":[1,1],{columns}}}"#))
        };
        assert!(
            with(r#""amount":[1,1],"negative_amount":[1,3],"amount_order":{"weight":[1,3],"amount":[2,3]}"#)
                .is_ok()
        );
        assert!(with(r#""negative_amount":[1,3]"#).is_err(), "no amounts of positives");
        assert!(with(r#""amount":[1,1],"negative_amount":[1]"#).is_err());
        assert!(with(r#""amount":[1,1],"squared_amount":[2,1]"#).is_err());
        assert!(with(r#""amount":[1,1],"amount_order":{"weight":[3,1],"amount":[2,3]}"#).is_err());
        assert!(with(r#""amount":[1,1],"amount_order":{"weight":[1],"amount":[2,3]}"#).is_err());
    }

    #[test]
    fn without_rows_there_is_nothing_to_cut() {
        let table = CutTable::thinned(&Ranking::from_scores(&[], &[]).expect("no rows"), 1000);
        assert!(table.is_empty() && table.confusion(0).is_none());
        assert_eq!(table.roc(), Err(Undefined::NoRows));
    }
}
