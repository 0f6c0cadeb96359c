//! Counting tied scores without sorting them.
//!
//! Scorecards, trees and rounded probabilities produce few distinct scores. A small open-addressing
//! table then counts rows several times faster than any sort, and it is what `GROUP BY score` returns.

use super::Mass;
use super::chunks::CodedScores;
use super::key::{NO_KEY, key_of};
use super::sort::sort_chunks;
use crate::scored_set::{AmountsOf, ScoredSet};

/// More distinct scores than this in one chunk are left to the sort: the table would leave the cache.
const MOST_DISTINCT: usize = 1 << 14;
/// So many rows are looked at to guess whether counting pays, and counted between two checks.
const SAMPLE: usize = 1 << 12;

/// What stands at one score: the negatives first, then the positives, so that the truth is the index.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Group {
    classes: [Mass; 2],
}

impl Group {
    /// The cases of one class.
    pub(super) fn class(&self, positive: bool) -> Mass {
        self.classes[usize::from(positive)]
    }

    fn plus(mut self, other: Self) -> Self {
        self.classes[0] += other.classes[0];
        self.classes[1] += other.classes[1];
        self
    }
}

/// Groups by the key of their score, from the highest score to the lowest.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    groups: Vec<(u64, Group)>,
    /// The key of the score and the amount of each row that has an amount, the negatives first; of rows that came as counts
    /// only sums are known.
    amounts: [Vec<Vec<[u64; 2]>>; 2],
}

impl Tally {
    /// Counts a set of at most 2³² rows, or gives up with `None` where its scores are too varied for
    /// counting to pay, or its rows are weighted: how much a figure varies depends on the weight of each.
    pub(super) fn of(set: &ScoredSet<'_>) -> Option<Self> {
        if set.weight.is_some() {
            return None;
        }
        let mut counter = Counter::with_bits(10, set.amounts_of);
        for start in (0..set.n_rows()).step_by(SAMPLE) {
            let end = (start + SAMPLE).min(set.n_rows());
            counter.count(set, start..end);
            let varied = start == 0 && counter.n_keys * 8 > end * 7;
            if varied || counter.n_keys > MOST_DISTINCT {
                return None;
            }
        }
        let mut tally = counter.finish();
        if let Some(amount) = set.amount {
            let entry = |row: usize| [key_of(set.score[row]), amount[row].to_bits()];
            tally.keep_amounts(set.truth, set.amounts_of, entry);
        }
        Some(tally)
    }

    /// Counts an unweighted set of coded scores, one look at a small array a row; `None` where [`of`](Self::of)
    /// would not count the decoded scores, or something is not valid.
    pub(super) fn of_codes(truth: &[bool], coded: CodedScores<'_>, amount: Option<&[f64]>) -> Option<Self> {
        let CodedScores { codes, scores } = coded;
        let is_countable = truth.len() >= SAMPLE && scores.len() * 8 <= SAMPLE * 7;
        if !is_countable || !scores.iter().all(|score| score.is_finite()) {
            return None;
        }
        let mut rows = vec![[0u32; 2]; scores.len()];
        for (&code, &truth) in codes.iter().zip(truth) {
            rows.get_mut(usize::from(code))?[usize::from(truth)] += 1;
        }
        let mut amounts = vec![[0.0; 2]; scores.len()];
        for (row, amount) in amount.into_iter().flatten().enumerate().filter(|&(row, _)| truth[row]) {
            add_amount(&mut amounts[usize::from(codes[row])], *amount);
        }
        let group = |code: usize| {
            let [negatives, positives] = rows[code].map(f64::from);
            let [amount, squared_amount] = amounts[code];
            let negatives = Mass { rows: negatives, weight: negatives, ..Mass::default() };
            let positives = Mass { rows: positives, weight: positives, amount, squared_amount };
            (key_of(scores[code]), Group { classes: [negatives, positives] })
        };
        let mut groups: Vec<_> = (0..scores.len()).map(group).collect();
        groups.sort_unstable_by_key(|&(key, _)| key);
        // A score with two codes would be summed in two parts, and a sum that overflows is not finite either.
        let is_distinct = groups.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let is_finite = amounts.as_flattened().iter().all(|sum: &f64| sum.is_finite());
        groups.retain(|(_, group)| group.class(true).rows + group.class(false).rows > 0.0);
        if !is_distinct || !is_finite {
            return None;
        }
        let mut tally = Self { groups, ..Self::default() };
        if let Some(amount) = amount {
            let entry = |row: usize| [key_of(scores[usize::from(codes[row])]), amount[row].to_bits()];
            tally.keep_amounts(truth, AmountsOf::Positives, entry);
        }
        Some(tally)
    }

    /// Keeps the amounts one by one, each with the key of its score.
    fn keep_amounts(&mut self, truth: &[bool], of: AmountsOf, entry: impl Fn(usize) -> [u64; 2]) {
        let rows_of = |positive: bool| (0..truth.len()).filter(move |&row| truth[row] == positive);
        self.amounts[1].push(rows_of(true).map(&entry).collect());
        if of == AmountsOf::Everybody {
            self.amounts[0].push(rows_of(false).map(&entry).collect());
        }
    }

    /// The amounts of the rows of one class in the order of their scores; `None` where they are not known of all.
    pub(super) fn take_amounts(&mut self, positive: bool) -> Option<Vec<f64>> {
        let chunks = std::mem::take(&mut self.amounts[usize::from(positive)]);
        let n_known = chunks.iter().map(Vec::len).sum::<usize>() as f64;
        let n_rows = self.groups.iter().map(|(_, group)| group.class(positive).rows).sum::<f64>();
        let is_known = n_known == n_rows;
        is_known.then(|| sort_chunks(chunks).into_iter().map(|[_, amount]| f64::from_bits(amount)).collect())
    }

    /// Takes over counts: a score with its positives and its negatives, in any order and as often as it likes.
    pub(super) fn of_cells(cells: impl Iterator<Item = (f64, Mass, Mass)>) -> Self {
        let group = |(score, positives, negatives): (f64, Mass, Mass)| {
            (key_of(score), Group { classes: [negatives, positives] })
        };
        let mut groups: Vec<(u64, Group)> = cells.map(group).collect();
        groups.sort_by_key(|&(key, _)| key);
        groups.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 = kept.1.plus(next.1);
            }
            is_same
        });
        Self { groups, ..Self::default() }
    }

    /// Adds what another tally counted.
    pub(super) fn absorb(&mut self, other: Self) {
        let mut merged = Vec::with_capacity(self.groups.len().max(other.groups.len()));
        let (mut mine, mut theirs) = (self.groups.drain(..).peekable(), other.groups.into_iter().peekable());
        while let (Some(&(a, group)), Some(&(b, more))) = (mine.peek(), theirs.peek()) {
            merged.push(if a < b {
                (a, group)
            } else if b < a {
                (b, more)
            } else {
                (a, group.plus(more))
            });
            mine.next_if(|next| next.0 <= b);
            theirs.next_if(|next| next.0 <= a);
        }
        merged.extend(mine);
        merged.extend(theirs);
        self.groups = merged;
        self.amounts.iter_mut().zip(other.amounts).for_each(|(mine, theirs)| mine.extend(theirs));
    }

    /// The groups from the highest score to the lowest.
    pub(super) fn groups(&self) -> &[(u64, Group)] {
        &self.groups
    }
}

/// A key and how often it was seen with either class: one look at memory finds and counts.
#[derive(Clone, Copy, Debug)]
struct Slot {
    key: u64,
    rows: [u32; 2],
}

const EMPTY: Slot = Slot { key: NO_KEY, rows: [0; 2] };

/// The table in which one chunk is counted. Sums of amounts stand beside the slots.
struct Counter {
    slots: Vec<Slot>,
    /// Sums of the amounts of positives and of their squares.
    amount: Vec<[f64; 2]>,
    /// The same of negatives; empty where they have none.
    negative_amount: Vec<[f64; 2]>,
    n_keys: usize,
    shift: u32,
}

impl Counter {
    fn with_bits(bits: u32, of: AmountsOf) -> Self {
        let size = 1 << bits;
        let n_negative = if of == AmountsOf::Everybody { size } else { 0 };
        Self {
            slots: vec![EMPTY; size],
            amount: vec![[0.0; 2]; size],
            negative_amount: vec![[0.0; 2]; n_negative],
            n_keys: 0,
            shift: 64 - bits,
        }
    }

    fn amounts_of(&self) -> AmountsOf {
        if self.negative_amount.is_empty() { AmountsOf::Positives } else { AmountsOf::Everybody }
    }

    fn count(&mut self, set: &ScoredSet<'_>, rows: std::ops::Range<usize>) {
        let scored = set.score[rows.clone()].iter().zip(&set.truth[rows.clone()]);
        match set.amount {
            None => {
                for (score, truth) in scored {
                    self.count_row(*score, *truth);
                }
            }
            Some(amount) => {
                for ((score, truth), amount) in scored.zip(&amount[rows]) {
                    let slot = self.count_row(*score, *truth);
                    add_amount(&mut self.amount[slot], if *truth { *amount } else { 0.0 });
                    if let Some(sums) = self.negative_amount.get_mut(slot) {
                        add_amount(sums, if *truth { 0.0 } else { *amount });
                    }
                }
            }
        }
    }

    /// Counts a row and tells in which slot.
    #[inline(always)]
    fn count_row(&mut self, score: f64, truth: bool) -> usize {
        let key = key_of(score);
        let mut slot = self.probe(key);
        if self.slots[slot].key != key {
            slot = self.insert(slot, key);
        }
        self.slots[slot].rows[usize::from(truth)] += 1;
        slot
    }

    /// Where `key` stands, or the empty place where it belongs.
    #[inline]
    fn probe(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (key ^ (key >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15) as usize >> self.shift;
        while self.slots[slot].key != key && self.slots[slot].key != NO_KEY {
            slot = (slot + 1) & mask;
        }
        slot
    }

    #[cold]
    fn insert(&mut self, slot: usize, key: u64) -> usize {
        self.n_keys += 1;
        if self.n_keys * 4 <= self.slots.len() {
            self.slots[slot].key = key;
            return slot;
        }
        self.grow();
        let slot = self.probe(key);
        self.slots[slot].key = key;
        slot
    }

    fn grow(&mut self) {
        let mut larger =
            Self { n_keys: self.n_keys, ..Self::with_bits(64 - self.shift + 2, self.amounts_of()) };
        for (index, slot) in self.slots.iter().enumerate().filter(|(_, slot)| slot.key != NO_KEY) {
            let place = larger.probe(slot.key);
            larger.slots[place] = *slot;
            larger.amount[place] = self.amount[index];
            if let Some(sums) = larger.negative_amount.get_mut(place) {
                *sums = self.negative_amount[index];
            }
        }
        *self = larger;
    }

    fn finish(self) -> Tally {
        let mass = |index: usize, class: usize| {
            let rows = f64::from(self.slots[index].rows[class]);
            let sums = if class == 1 { &self.amount } else { &self.negative_amount };
            let [amount, squared_amount] = sums.get(index).copied().unwrap_or_default();
            Mass { rows, weight: rows, amount, squared_amount }
        };
        let occupied = self.slots.iter().enumerate().filter(|(_, slot)| slot.key != NO_KEY);
        let group =
            |(index, slot): (usize, &Slot)| (slot.key, Group { classes: [mass(index, 0), mass(index, 1)] });
        let mut groups: Vec<_> = occupied.map(group).collect();
        groups.sort_unstable_by_key(|&(key, _)| key);
        Tally { groups, ..Tally::default() }
    }
}

#[inline(always)]
fn add_amount([sum, squares]: &mut [f64; 2], amount: f64) {
    *sum += amount;
    *squares += amount * amount;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_by_score_and_class() {
        let truth = [true, false, true, true];
        let set = ScoredSet::new(&truth, &[0.5, 0.5, 0.7, 0.5]).expect("valid");
        let tally = Tally::of(&set).expect("few scores");
        let rows: Vec<_> =
            tally.groups().iter().map(|(_, g)| (g.class(true).rows, g.class(false).rows)).collect();
        assert_eq!(rows, [(1.0, 0.0), (2.0, 1.0)]);
    }

    #[test]
    fn sums_amounts_of_positives() {
        let truth = [true, false, true];
        let set = ScoredSet::new(&truth, &[0.5, 0.5, 0.5]).expect("valid");
        let set = set.with_amount(&[10.0, 7.0, 1.0]).expect("valid");
        let mut tally = Tally::of(&set).expect("one score");
        tally.absorb(tally.clone());
        let positives = Mass { rows: 4.0, weight: 4.0, amount: 22.0, squared_amount: 202.0 };
        assert_eq!(tally.groups()[0].1.class(true), positives);
        assert_eq!(tally.groups()[0].1.class(false), Mass { rows: 2.0, weight: 2.0, ..Mass::default() });
        assert!(Tally::of(&set.with_weight(&[1.0, 2.0, 1.0]).expect("valid")).is_none());
        assert_eq!(tally.take_amounts(true), Some(vec![1.0, 1.0, 10.0, 10.0]));
        assert_eq!(tally.take_amounts(false), None, "amounts of negatives are not known");
    }

    #[test]
    fn sums_amounts_of_both_classes() {
        let truth: Vec<bool> = (0..5000).map(|row| row % 3 == 0).collect();
        let scores: Vec<f64> = (0..5000).map(|row| f64::from(row % 400)).collect();
        let amounts: Vec<f64> = (0..5000).map(|row| f64::from(row % 7 - 2)).collect();
        let set = ScoredSet::new(&truth, &scores).expect("valid");
        let mut tally =
            Tally::of(&set.with_amount_of_everybody(&amounts).expect("valid")).expect("few scores");
        for positive in [true, false] {
            let rows = || (0..5000).filter(|&row| truth[row] == positive);
            let at_seven = || rows().filter(|&row| scores[row] == 7.0).map(|row| amounts[row]);
            let (_, group) = tally.groups()[392];
            assert_eq!(group.class(positive).amount, at_seven().sum::<f64>());
            assert_eq!(
                group.class(positive).squared_amount,
                at_seven().map(|amount| amount * amount).sum::<f64>()
            );
            let known = tally.take_amounts(positive).expect("rows with amounts");
            assert_eq!(
                (known.len(), known.iter().sum::<f64>()),
                (rows().count(), rows().map(|row| amounts[row]).sum())
            );
        }
    }

    #[test]
    fn absorbing_keeps_the_order_and_every_group() {
        let count = |scores: &[f64]| {
            let truth = vec![true; scores.len()];
            Tally::of(&ScoredSet::new(&truth, scores).expect("valid")).expect("few scores")
        };
        let mut tally = count(&[3.0, 3.0, 1.0, 1.0, 1.0, 3.0, 1.0, 3.0]);
        tally.absorb(count(&[4.0, 2.0, 1.0, 1.0, 2.0, 4.0, 1.0, 2.0]));
        let found: Vec<_> = tally.groups().iter().map(|(key, g)| (*key, g.class(true).rows)).collect();
        assert_eq!(found, [(key_of(4.0), 2.0), (key_of(3.0), 4.0), (key_of(2.0), 3.0), (key_of(1.0), 7.0)]);
    }

    #[test]
    fn grows_past_its_first_capacity_and_gives_up_on_varied_scores() {
        let few: Vec<f64> = (0..5000).map(|i| f64::from(i % 400)).collect();
        let truth = vec![true; 5000];
        let set = ScoredSet::new(&truth, &few).expect("valid");
        assert_eq!(Tally::of(&set).expect("few scores").groups().len(), 400);
        let varied: Vec<f64> = (0..5000).map(f64::from).collect();
        assert!(Tally::of(&ScoredSet::new(&truth, &varied).expect("valid")).is_none());
    }
}
