//! One class of a ranking: its scores from the highest down, with running totals.

use std::ops::Range;

use rayon::prelude::*;

use super::Mass;
use super::key::score_of;
use super::tally::Group;
use crate::sum::Sum;

/// Entries that are summed together before the parts are added up.
const PIECE: usize = 1 << 12;

/// Running totals of a column: what the first `i` entries add up to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cumulative {
    /// Every entry counts one.
    Ones,
    /// Every entry counts nothing.
    Zeros,
    /// The totals themselves, starting with a zero.
    Totals(Vec<f64>),
}

impl Cumulative {
    /// Turns a column into its running totals, in its own memory but for one value.
    pub(super) fn running(mut column: Vec<f64>) -> Self {
        let mut sum = Sum::default();
        let mut before = 0.0;
        for value in &mut column {
            sum.add(*value);
            *value = before;
            before = sum.value();
        }
        column.push(before);
        Self::Totals(column)
    }

    #[inline]
    pub(super) fn through(&self, entries: usize) -> f64 {
        match self {
            Self::Ones => entries as f64,
            Self::Zeros => 0.0,
            Self::Totals(totals) => totals[entries],
        }
    }
}

/// The scores of one class in descending order; equal scores may stand as several entries.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Side {
    pub(super) scores: Vec<f64>,
    pub(super) rows: Cumulative,
    pub(super) weight: Cumulative,
    pub(super) amount: Cumulative,
    pub(super) squared_amount: Cumulative,
    /// The amount of each row, in the order of the scores, where more is known of amounts than sums. Rows that are counted
    /// as one entry have one each.
    pub(super) amounts: Option<Vec<f64>>,
}

impl Side {
    /// Entries of one row each, unweighted and without amounts.
    pub(super) fn one_row_each(scores: Vec<f64>) -> Self {
        Self {
            scores,
            rows: Cumulative::Ones,
            weight: Cumulative::Ones,
            amount: Cumulative::Zeros,
            squared_amount: Cumulative::Zeros,
            amounts: None,
        }
    }

    /// The same with the weighted amount of each entry, which is one row; the amounts of the rows are these where they have no
    /// weights.
    pub(super) fn with_amounts(self, worth: Vec<f64>) -> Self {
        let squares = worth.iter().map(|amount| amount * amount).collect();
        Self {
            amounts: Some(worth.clone()),
            amount: Cumulative::running(worth),
            squared_amount: Cumulative::running(squares),
            ..self
        }
    }

    /// One class of sorted groups, with the amounts of their rows in the same order where they are known one by one.
    pub(super) fn of_groups(
        groups: &[(u64, Group)],
        class: impl Fn(&Group) -> Mass,
        amounts: Option<Vec<f64>>,
    ) -> Self {
        let entries = groups.iter().map(|(key, group)| (score_of(*key), class(group)));
        Self { amounts, ..Self::of_entries(entries.filter(|(_, mass)| mass.rows > 0.0)) }
    }

    /// The cells that weigh something, in descending order of score.
    pub(super) fn of_cells(scores: &[f64], masses: &[f64]) -> Self {
        let n_entries = masses.iter().filter(|mass| **mass > 0.0).count();
        let (mut kept, mut totals) = (Vec::with_capacity(n_entries), Vec::with_capacity(n_entries + 1));
        let mut total = 0.0;
        totals.push(total);
        for (&score, &mass) in scores.iter().zip(masses).filter(|(_, mass)| **mass > 0.0) {
            total += mass;
            kept.push(score);
            totals.push(total);
        }
        let weight = Cumulative::Totals(totals);
        Self { rows: weight.clone(), weight, ..Self::one_row_each(kept) }
    }

    /// Entries with their masses, in descending order of score.
    fn of_entries(entries: impl Iterator<Item = (f64, Mass)>) -> Self {
        let (scores, masses): (Vec<f64>, Vec<Mass>) = entries.unzip();
        let column = |of: fn(&Mass) -> f64| Cumulative::running(masses.iter().map(of).collect());
        Self {
            rows: column(|mass| mass.rows),
            weight: column(|mass| mass.weight),
            amount: column(|mass| mass.amount),
            squared_amount: column(|mass| mass.squared_amount),
            amounts: None,
            scores,
        }
    }

    /// Two sides as one.
    pub(super) fn merge(self, other: Self) -> Self {
        if other.scores.is_empty() {
            return self;
        }
        if self.scores.is_empty() {
            return other;
        }
        let (mut mine, mut theirs) = (self.entries().peekable(), other.entries().peekable());
        let merged = Self::of_entries(std::iter::from_fn(|| match (mine.peek(), theirs.peek()) {
            (Some((a, _)), Some((b, _))) if a >= b => mine.next(),
            (Some(_), None) => mine.next(),
            _ => theirs.next(),
        }));
        Self { amounts: self.merged_amounts(&other), ..merged }
    }

    /// The amounts of the rows of two sides in the order of their scores, where both know them.
    fn merged_amounts(&self, other: &Self) -> Option<Vec<f64>> {
        let (mine, theirs) = (self.amounts.as_ref()?, other.amounts.as_ref()?);
        let mut merged = Vec::with_capacity(mine.len() + theirs.len());
        let mut passed = 0;
        for (entry, score) in self.scores.iter().enumerate() {
            let above = other.scores[passed..].iter().take_while(|theirs| *theirs > score).count();
            merged.extend_from_slice(&theirs[other.row_range(passed, passed + above)]);
            passed += above;
            merged.extend_from_slice(&mine[self.row_range(entry, entry + 1)]);
        }
        merged.extend_from_slice(&theirs[other.row_range(passed, other.scores.len())]);
        Some(merged)
    }

    /// Places of the rows of the entries from the first of these to the one before the second.
    pub(super) fn row_range(&self, from: usize, to: usize) -> Range<usize> {
        self.rows(from) as usize..self.rows(to) as usize
    }

    /// The same cases in the form that follows from them alone and not from the batches they came in: one entry a row where
    /// most scores are distinct, one entry a score where most are tied. So sums over entries round alike. What weighted rows
    /// that were counted together weigh one by one is not known, so they stay as they are.
    pub(super) fn settled(self) -> Self {
        if self.scores.is_empty() || self.is_weighted() {
            return self;
        }
        let n_distinct = 1 + self.scores.windows(2).filter(|pair| pair[0] != pair[1]).count();
        let is_row_each = self.rows == Cumulative::Ones;
        match 2.0 * n_distinct as f64 > self.total().rows {
            true if is_row_each => self,
            true => self.row_by_row(),
            false if n_distinct == self.scores.len() && !is_row_each => self,
            false => self.score_by_score(n_distinct),
        }
    }

    /// Counted rows one by one; the first of equal ones carries their amount, since nobody looks between equal scores.
    fn row_by_row(self) -> Self {
        let n_rows = self.total().rows as usize;
        let mut scores = Vec::with_capacity(n_rows);
        for (entry, &score) in self.scores.iter().enumerate() {
            scores.resize(self.rows(entry + 1) as usize, score);
        }
        let by_row = |column: &Cumulative| {
            if (1..=self.scores.len()).all(|entries| column.through(entries) == 0.0) {
                return Cumulative::Zeros;
            }
            let mut totals = Vec::with_capacity(n_rows + 1);
            totals.push(0.0);
            for entry in 1..=self.scores.len() {
                totals.resize(self.rows(entry) as usize + 1, column.through(entry));
            }
            Cumulative::Totals(totals)
        };
        let (amount, squared_amount) = (by_row(&self.amount), by_row(&self.squared_amount));
        Self { amount, squared_amount, amounts: self.amounts, ..Self::one_row_each(scores) }
    }

    /// Equal scores as one entry.
    fn score_by_score(self, n_distinct: usize) -> Self {
        let is_last = |entry: &usize| self.scores.get(entry + 1) != self.scores.get(*entry);
        let mut ends = Vec::with_capacity(n_distinct);
        ends.extend((0..self.scores.len()).filter(is_last));
        let totals = |of: fn(&Self, usize) -> f64| {
            let through = ends.iter().map(|entry| of(&self, entry + 1));
            Cumulative::Totals(std::iter::once(0.0).chain(through).collect())
        };
        Self {
            rows: totals(Self::rows),
            weight: totals(Self::weight),
            amount: totals(Self::amount),
            squared_amount: totals(|side, entries| side.squared_amount.through(entries)),
            scores: ends.iter().map(|&entry| self.scores[entry]).collect(),
            amounts: self.amounts,
        }
    }

    fn entries(&self) -> impl Iterator<Item = (f64, Mass)> {
        let masses = (0..self.scores.len()).map(|i| self.mass(i + 1) - self.mass(i));
        self.scores.iter().copied().zip(masses)
    }

    /// Whether every entry is one row that counts one.
    pub(super) fn is_one_each(&self) -> bool {
        self.rows == Cumulative::Ones && self.weight == Cumulative::Ones
    }

    /// Whether some row does not count one.
    pub(super) fn is_weighted(&self) -> bool {
        !self.is_one_each()
            && (1..=self.scores.len()).any(|entries| self.rows(entries) != self.weight(entries))
    }

    /// Rows among the first `entries`.
    #[inline]
    pub(super) fn rows(&self, entries: usize) -> f64 {
        self.rows.through(entries)
    }

    /// Weight of the first `entries`.
    #[inline]
    pub(super) fn weight(&self, entries: usize) -> f64 {
        self.weight.through(entries)
    }

    /// Weighted amount of the first `entries`.
    #[inline]
    pub(super) fn amount(&self, entries: usize) -> f64 {
        self.amount.through(entries)
    }

    /// Everything about the first `entries`.
    pub(super) fn mass(&self, entries: usize) -> Mass {
        Mass {
            rows: self.rows(entries),
            weight: self.weight(entries),
            amount: self.amount(entries),
            squared_amount: self.squared_amount.through(entries),
        }
    }

    /// Everything there is.
    pub(super) fn total(&self) -> Mass {
        self.mass(self.scores.len())
    }

    /// Sums a function of the score, each value times its weight, over every `stride`-th entry.
    pub(super) fn sum<const K: usize>(&self, stride: usize, of: impl Fn(f64) -> [f64; K] + Sync) -> [f64; K] {
        let part = |start: usize| {
            let mut sums = [0.0; K];
            for entry in (start..(start + PIECE * stride).min(self.scores.len())).step_by(stride) {
                let weight = self.weight(entry + 1) - self.weight(entry);
                let values = of(self.scores[entry]);
                (0..K).for_each(|k| sums[k] += weight * values[k]);
            }
            sums
        };
        let starts: Vec<usize> = (0..self.scores.len()).step_by(PIECE * stride).collect();
        let parts: Vec<[f64; K]> = starts.into_par_iter().map(part).collect();
        std::array::from_fn(|k| parts.iter().map(|sums| sums[k]).collect::<Sum>().value())
    }

    /// Sums the logarithm of a function of the score, each times its weight. The function must lie in `[1e-15, 1]`: then
    /// sixteen values can be multiplied before the one logarithm that they need together.
    pub(super) fn sum_ln(&self, of: impl Fn(f64) -> f64 + Sync) -> f64 {
        const FACTORS: usize = 16;
        if !self.is_one_each() {
            let [sum] = self.sum(1, |score| [of(score).ln()]);
            return sum;
        }
        let part = |scores: &[f64]| {
            let product = |group: &[f64]| group.iter().map(|&score| of(score)).product::<f64>();
            scores.chunks(FACTORS).map(|group| product(group).ln()).sum::<f64>()
        };
        let parts: Vec<f64> = self.scores.par_chunks(PIECE).map(part).collect();
        parts.into_iter().collect::<Sum>().value()
    }

    /// The sum of the squared weights of some entries.
    pub(super) fn squared_weight(&self, entries: Range<usize>) -> f64 {
        let own = |entry: usize| Mass {
            rows: self.rows(entry + 1) - self.rows(entry),
            weight: self.weight(entry + 1) - self.weight(entry),
            ..Mass::default()
        };
        entries.map(|entry| own(entry).squared_weight()).collect::<Sum>().value()
    }

    /// What the entries with scores in `[from, to)` hold.
    pub(super) fn between(&self, from: f64, to: f64) -> Stretch {
        let start = self.scores.partition_point(|&score| score >= to);
        let end = self.scores.partition_point(|&score| score >= from);
        let mass = self.mass(end) - self.mass(start);
        if self.is_one_each() {
            let scores = self.scores[start..end].chunks(PIECE).map(|piece| piece.iter().sum::<f64>());
            return Stretch { mass, scores: scores.collect::<Sum>().value(), squared_weight: mass.rows };
        }
        let (mut scores, mut squares) = (Sum::default(), Sum::default());
        for entry in start..end {
            let own = self.mass(entry + 1) - self.mass(entry);
            scores.add(own.weight * self.scores[entry]);
            squares.add(own.squared_weight());
        }
        Stretch { mass, scores: scores.value(), squared_weight: squares.value() }
    }
}

impl Mass {
    /// The sum of the squared weights of an entry: rows that were counted together are taken to have equal weights.
    fn squared_weight(self) -> f64 {
        self.weight * self.weight / self.rows
    }
}

/// A stretch of neighbouring scores of one class.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stretch {
    pub(super) mass: Mass,
    /// Sum of the scores, each times its weight.
    pub(super) scores: f64,
    /// Sum of the squared weights.
    pub(super) squared_weight: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settled_sides_depend_on_their_cases_alone() {
        let entry = |(score, rows, amount): (f64, f64, f64)| {
            (score, Mass { rows, weight: rows, amount, squared_amount: amount * amount / rows })
        };
        let check = |counted: &[(f64, f64, f64)], rows: &[f64]| {
            let counted = Side::of_entries(counted.iter().copied().map(entry)).settled();
            let rows = Side::one_row_each(rows.to_vec()).settled();
            assert_eq!(
                (&counted.scores, &counted.rows, &counted.weight),
                (&rows.scores, &rows.rows, &rows.weight)
            );
            counted
        };
        let expanded = check(&[(3.0, 1.0, 5.0), (2.0, 2.0, 4.0), (1.0, 1.0, 0.0)], &[3.0, 2.0, 2.0, 1.0]);
        assert_eq!(expanded.rows, Cumulative::Ones);
        assert_eq!([1, 3, 4].map(|entries| expanded.amount(entries)), [5.0, 9.0, 9.0]);
        assert_eq!([1, 3, 4].map(|entries| expanded.mass(entries).squared_amount), [25.0, 33.0, 33.0]);
        let tied = check(&[(2.0, 1.0, 1.0), (2.0, 2.0, 1.0), (1.0, 2.0, 3.0)], &[2.0, 2.0, 2.0, 1.0, 1.0]);
        assert_eq!((tied.scores.len(), tied.rows(1), tied.amount(1), tied.amount(2)), (2, 3.0, 2.0, 5.0));
    }

    #[test]
    fn merging_sides_adds_their_masses() {
        let merged = Side::one_row_each(vec![3.0, 1.0]).merge(Side::one_row_each(vec![2.0, 1.0]));
        assert_eq!(merged.scores, [3.0, 2.0, 1.0, 1.0]);
        assert_eq!(merged.total(), Mass { rows: 4.0, weight: 4.0, ..Mass::default() });
    }
}
