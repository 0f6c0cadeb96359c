//! The rows in the order of their amounts: the best order that any scores could have put them in.
//!
//! The cumulative amount over that list is the upper limit of the curve of amounts, and the same list from its end the lower
//! one. Limits take the amounts one by one: a ranking of rows keeps them, one of counts by score knows their sums only. Equal
//! amounts are one block, and rows without an amount have 0.
//!
//! With a share `F(k)` of the weight at or above block `k`, the area between the curve of the best order and the diagonal is half
//! of `Σ F(k) (1 - F(k)) (aₖ - aₖ₊₁)` of the mean amount, which takes no difference of areas. References: Gini (1912);
//! Schechtman & Yitzhaki (1987), "A measure of association based on Gini's mean difference".

use rayon::prelude::*;

use super::key::{key_of, score_of};
use super::side::Side;
use super::sort::sort_chunks;
use super::{Ranking, Step};
use crate::scored_set::AmountsOf;
use crate::sum::Sum;
use crate::undefined::Undefined;

/// A row by its amount, and the block of equal scores that it stands in. Weights and amounts are those of both classes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AmountRow {
    /// Weight ranked strictly above the block.
    pub weight_above: f64,
    /// Weight ranked at or above it.
    pub weight_through: f64,
    /// Weighted amount ranked strictly above the block.
    pub amount_above: f64,
    /// Weighted amount ranked at or above it.
    pub amount_through: f64,
    /// The amount of the row itself.
    pub amount: f64,
}

impl AmountRow {
    /// The share of all cases that rank above the row, its equals counted half.
    pub(crate) fn mid_share(&self, total: f64) -> f64 {
        (self.weight_above + self.weight_through) / (2.0 * total)
    }

    /// The amount that ranks above the row, its equals counted half, per case.
    pub(crate) fn mid_amount(&self, total: f64) -> f64 {
        (self.amount_above + self.amount_through) / (2.0 * total)
    }
}

/// Blocks of equal amounts, the largest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct AmountOrder {
    amounts: Vec<f64>,
    /// Weight and weighted amount at or above the end of each block.
    through: Vec<(f64, f64)>,
}

impl AmountOrder {
    /// Blocks of amounts and their weights, in descending order.
    fn of_blocks(blocks: impl Iterator<Item = (f64, f64)>) -> Self {
        let mut order = Self::default();
        let (mut weight, mut amount) = (Sum::default(), Sum::default());
        for (each, own) in blocks {
            weight.add(own);
            amount.add(own * each);
            let through = (weight.value(), amount.value());
            match order.through.last_mut().filter(|_| order.amounts.last() == Some(&each)) {
                Some(last) => *last = through,
                None => {
                    order.amounts.push(each);
                    order.through.push(through);
                }
            }
        }
        order
    }

    /// Weight and weighted amount at or above the end of each block.
    pub(crate) fn through(&self) -> &[(f64, f64)] {
        &self.through
    }

    /// Whether some row has an amount below zero.
    pub(crate) fn has_negative_amounts(&self) -> bool {
        self.amounts.last().is_some_and(|least| *least < 0.0)
    }

    /// The amount of the first rows of this weight, of which the last block gives a part.
    pub(crate) fn top_amount(&self, weight: f64) -> f64 {
        let block = self.through.partition_point(|&(through, _)| through < weight);
        let (above, amount) = block.checked_sub(1).map_or((0.0, 0.0), |above| self.through[above]);
        let own = self.amounts.get(block).map_or(0.0, |each| each * (weight - above));
        amount + own
    }

    /// The area between the curve of the best order and that of a random one, per case: not in shares of the amount.
    pub(crate) fn gini_area(&self) -> f64 {
        let (total, _) = self.through.last().copied().unwrap_or_default();
        let pairs = self.amounts.windows(2).zip(&self.through);
        let share = |through: f64| (through / total) * ((total - through) / total);
        pairs.map(|(pair, through)| share(through.0) * (pair[0] - pair[1])).collect::<Sum>().value() / 2.0
    }

    /// A row with this amount where rows stand in the order of their amounts.
    pub(crate) fn row(&self, amount: f64) -> AmountRow {
        let block = self.amounts.partition_point(|&other| other > amount);
        let above = block.checked_sub(1).map_or((0.0, 0.0), |above| self.through[above]);
        let through = match self.amounts.get(block) {
            Some(&own) if own == amount => self.through[block],
            // An amount that no row of the ranking has.
            _ => above,
        };
        AmountRow {
            weight_above: above.0,
            weight_through: through.0,
            amount_above: above.1,
            amount_through: through.1,
            amount,
        }
    }
}

impl Side {
    /// The rows of one entry: their weight, which they share, and their amounts.
    fn amounts_of_entry(&self, entry: usize) -> (f64, &[f64]) {
        let rows = self.row_range(entry, entry + 1);
        let weight = (self.weight(entry + 1) - self.weight(entry)) / rows.len() as f64;
        (weight, self.amounts.as_deref().map_or(&[], |amounts| &amounts[rows]))
    }

    /// Amounts and weights of the rows that have amounts, from the largest amount down.
    fn sorted_amounts(&self) -> Vec<(f64, f64)> {
        let Some(amounts) = &self.amounts else { return Vec::new() };
        if !self.is_weighted() {
            let keys: Vec<u64> = amounts.iter().map(|&amount| key_of(amount)).collect();
            return sort_chunks(vec![keys]).into_iter().map(|key| (score_of(key), 1.0)).collect();
        }
        let entry = |entry: usize| {
            let (weight, amounts) = self.amounts_of_entry(entry);
            amounts.iter().map(move |&amount| [key_of(amount), weight.to_bits()])
        };
        let pairs: Vec<[u64; 2]> = (0..self.scores.len()).flat_map(entry).collect();
        let sorted = sort_chunks(vec![pairs]).into_iter();
        sorted.map(|[key, weight]| (score_of(key), f64::from_bits(weight))).collect()
    }

    /// Whether the amounts of all rows are known one by one.
    fn knows_amounts(&self) -> bool {
        self.amounts.is_some() || self.scores.is_empty()
    }
}

impl Ranking {
    /// Whether the amounts of all rows are known one by one, and not as sums by score.
    pub fn knows_amounts_of_rows(&self) -> bool {
        let of_negatives = self.amounts_of != AmountsOf::Everybody || self.negatives.knows_amounts();
        self.has_amounts() && self.positives.knows_amounts() && of_negatives
    }

    /// The rows in the order of their amounts.
    pub(crate) fn amount_order(&self) -> Result<&AmountOrder, Undefined> {
        if !self.has_amounts() {
            return Err(Undefined::NoAmounts);
        }
        let order = self.amount_order.get_or_init(|| self.knows_amounts_of_rows().then(|| self.by_amount()));
        order.as_ref().ok_or(Undefined::AmountsNotByRow)
    }

    fn by_amount(&self) -> AmountOrder {
        let (positives, negatives) =
            rayon::join(|| self.positives.sorted_amounts(), || self.negatives.sorted_amounts());
        // Negatives without amounts are one block of rows that bring in nothing.
        let rest = (self.amounts_of == AmountsOf::Positives).then(|| (0.0, self.negatives().weight));
        let negatives = negatives.into_iter().chain(rest.filter(|(_, weight)| *weight > 0.0));
        let (mut mine, mut theirs) = (positives.into_iter().peekable(), negatives.peekable());
        AmountOrder::of_blocks(std::iter::from_fn(|| match (mine.peek(), theirs.peek()) {
            (Some((a, _)), Some((b, _))) if a >= b => mine.next(),
            (Some(_), None) => mine.next(),
            _ => theirs.next(),
        }))
    }

    /// The area between the curve of amounts and the diagonal, per case: not in shares of the amount. Each amount adds as much as
    /// the rest of the list is longer than half of it.
    pub(crate) fn amount_area(&self) -> f64 {
        let total = self.totals().total();
        let of_everybody = self.amounts_of == AmountsOf::Everybody;
        let piece = |(start, steps): (usize, &[Step])| {
            let (mut before, mut sum) = (self.step_before(start), Sum::default());
            for &step in steps {
                // Negatives are most of the list, and blocks of them alone bring in nothing.
                if of_everybody || step.positives != before.positives {
                    let row = self.amount_row(before, step);
                    sum.add((row.amount_through - row.amount_above) * (0.5 - row.mid_share(total)));
                }
                before = step;
            }
            sum.value()
        };
        let parts: Vec<f64> = self.steps.pieces().map(piece).collect();
        parts.into_iter().collect::<Sum>().value() / total
    }

    /// A block as a row without an amount.
    fn amount_row(&self, before: Step, step: Step) -> AmountRow {
        AmountRow {
            weight_above: self.split(before).total(),
            weight_through: self.split(step).total(),
            amount_above: self.amount_of_everybody(before),
            amount_through: self.amount_of_everybody(step),
            amount: 0.0,
        }
    }

    /// Each block as a row without an amount, from the highest score down.
    pub(crate) fn amount_rows(&self) -> impl Iterator<Item = AmountRow> {
        self.steps.iter().scan(Step::default(), |before, step| {
            Some(self.amount_row(std::mem::replace(before, step), step))
        })
    }

    /// Sums of the first four powers of a function of the rows of each class, the positives first, each value times the weight of
    /// its row in units of the mean weight. The pieces depend on the data alone.
    pub(crate) fn sum_amount_powers(&self, of: impl Fn(&AmountRow) -> f64 + Sync) -> [[f64; 4]; 2] {
        let unit = self.weight_unit();
        let piece = |(start, steps): (usize, &[Step])| {
            let (mut before, mut sums) = (self.step_before(start), [[Sum::default(); 4]; 2]);
            for &step in steps {
                let block = self.amount_row(before, step);
                let sides = [
                    (&self.positives, before.positives as usize, step.positives as usize),
                    (&self.negatives, before.negatives as usize, step.negatives as usize),
                ];
                for (sums, (side, from, to)) in sums.iter_mut().zip(sides) {
                    side.add_amount_powers(sums, (from, to), unit, &block, &of);
                }
                before = step;
            }
            sums.map(|class| class.map(|sum| sum.value()))
        };
        let parts: Vec<[[f64; 4]; 2]> = self.steps.pieces().map(piece).collect();
        std::array::from_fn(|class| {
            std::array::from_fn(|k| parts.iter().map(|part| part[class][k]).collect::<Sum>().value())
        })
    }

    /// As many rows of equal amounts as vary like the amounts: the square of the sum of their absolute values over the sum of
    /// their squares, weights included (Kish 1965).
    pub(crate) fn effective_amounts(&self) -> f64 {
        let sums = |side: &Side| {
            let size = |entry: usize| {
                let (weight, amounts) = side.amounts_of_entry(entry);
                weight * amounts.iter().map(|amount| amount.abs()).sum::<f64>()
            };
            let n_entries = if side.amounts.is_some() { side.scores.len() } else { 0 };
            [(0..n_entries).map(size).collect::<Sum>().value(), side.total().squared_amount]
        };
        let [[p, p_squares], [n, n_squares]] = [sums(&self.positives), sums(&self.negatives)];
        let squares = p_squares + n_squares;
        if squares > 0.0 { (p + n) * ((p + n) / squares) } else { 0.0 }
    }
}

impl Side {
    /// Adds powers of a function of the rows of some entries of one block. Rows without amounts have the value of amount zero.
    fn add_amount_powers(
        &self,
        sums: &mut [Sum; 4],
        (from, to): (usize, usize),
        unit: Option<f64>,
        block: &AmountRow,
        of: impl Fn(&AmountRow) -> f64,
    ) {
        if self.amounts.is_none() {
            if to > from {
                let (value, powers) = (of(block), self.powers(from, to, unit));
                let mut power = 1.0;
                for (sum, rows) in sums.iter_mut().zip(powers) {
                    power *= value;
                    sum.add(power * rows);
                }
            }
            return;
        }
        for entry in from..to {
            let (weight, amounts) = self.amounts_of_entry(entry);
            for &amount in amounts {
                let value = of(&AmountRow { amount, ..*block }) * unit.map_or(1.0, |unit| weight * unit);
                let mut power = 1.0;
                for sum in sums.iter_mut() {
                    power *= value;
                    sum.add(power);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ranking::{AmountSums, ScoreCounts};
    use crate::scored_set::ScoredSet;

    /// (truth, score, amount, weight) of each row.
    type Row = (bool, u8, i8, u8);

    fn ranking(rows: &[Row], of_everybody: bool, weighted: bool) -> Ranking {
        let truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
        let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
        let amounts: Vec<f64> = rows.iter().map(|row| f64::from(row.2) / 4.0).collect();
        let weights: Vec<f64> = rows.iter().map(|row| f64::from(row.3)).collect();
        let set = ScoredSet::new(&truth, &scores).expect("finite");
        let set = match of_everybody {
            true => set.with_amount_of_everybody(&amounts),
            false => set.with_amount(&amounts),
        };
        let set = set.expect("finite");
        let set = if weighted { set.with_weight(&weights).expect("weights") } else { set };
        Ranking::of(&set).expect("few rows")
    }

    /// Blocks of equal amounts, by counting.
    fn oracle(rows: &[Row], of_everybody: bool, weighted: bool) -> Vec<(f64, f64)> {
        let amount = |row: &Row| if row.0 || of_everybody { i32::from(row.2) } else { 0 };
        let weight = |row: &Row| if weighted { f64::from(row.3) } else { 1.0 };
        let held = || rows.iter().filter(|row| weight(row) > 0.0);
        let mut distinct: Vec<i32> = held().map(amount).collect();
        distinct.sort_unstable_by(|a, b| b.cmp(a));
        distinct.dedup();
        let through = |least: i32| {
            held().filter(|row| amount(row) >= least).fold((0.0, 0.0), |(w, a), row| {
                (w + weight(row), a + weight(row) * f64::from(amount(row)) / 4.0)
            })
        };
        distinct.into_iter().map(through).collect()
    }

    proptest! {
        #[test]
        fn the_order_of_amounts_is_that_of_the_rows(
            rows in prop::collection::vec((any::<bool>(), 0u8..6, -6i8..20, 0u8..4), 0..40),
            more in prop::collection::vec((any::<bool>(), 0u8..6, -6i8..20, 0u8..4), 0..40),
            of_everybody: bool,
            weighted: bool,
        ) {
            let all = [&rows[..], &more[..]].concat();
            let whole = ranking(&all, of_everybody, weighted);
            let merged = ranking(&rows, of_everybody, weighted).merge(ranking(&more, of_everybody, weighted));
            let read = Ranking::from_bytes(&whole.to_bytes()).expect("its own bytes");
            let expected = oracle(&all, of_everybody, weighted);
            for ranking in [whole, merged.expect("alike"), read] {
                prop_assert_eq!(ranking.amount_order().expect("rows").through(), &expected);
            }
        }
    }

    #[test]
    fn counted_scores_keep_the_amounts_of_their_rows() {
        let rows: Vec<Row> =
            (0..9000).map(|row| (row % 3 == 0, (row % 5) as u8, (row % 23) as i8, 1)).collect();
        let counted = ranking(&rows, false, false);
        assert!(counted.n_blocks() == 5 && counted.knows_amounts_of_rows());
        assert_eq!(counted.amount_order().expect("rows").through(), oracle(&rows, false, false));
        assert_eq!(
            ranking(&rows, true, false).amount_order().expect("rows").through(),
            oracle(&rows, true, false)
        );
    }

    #[test]
    fn sums_of_amounts_have_no_order() {
        let sums = AmountSums { sum: &[9.0], sum_of_squares: &[41.0] };
        let counts = ScoreCounts {
            score: &[0.5],
            positives: &[2],
            negatives: &[1],
            amount: Some(sums),
            negative_amount: None,
        };
        let counted = Ranking::from_counts(&counts).expect("valid");
        assert_eq!(counted.amount_order(), Err(Undefined::AmountsNotByRow));
        let rows = ranking(&[(true, 1, 4, 1), (false, 0, 0, 1)], false, false);
        assert!(rows.knows_amounts_of_rows());
        let both = rows.clone().merge(counted).expect("amounts of positives");
        assert_eq!(both.amount_order(), Err(Undefined::AmountsNotByRow));
        assert_eq!(
            Ranking::from_scores(&[true], &[1.0]).expect("finite").amount_order(),
            Err(Undefined::NoAmounts)
        );
        assert!(
            rows.merge(ranking(&[(true, 1, 4, 1)], true, false)).is_err(),
            "amounts of negatives are unknown"
        );
    }
}
