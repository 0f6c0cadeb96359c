//! Counting tied scores without sorting them.
//!
//! Scorecards, trees and rounded probabilities produce few distinct scores. A small open-addressing
//! table then counts rows several times faster than any sort, and it is what `GROUP BY score` returns.

use super::Mass;
use super::key::{NO_KEY, key_of};
use crate::scored_set::ScoredSet;

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
}

/// Rows, weights and amounts by score and class.
///
/// The table holds positions in dense columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    table: Table,
    has_weight: bool,
    has_amount: bool,
    rows: Vec<[u64; 2]>,
    weight: Vec<[f64; 2]>,
    amount: Vec<f64>,
}

impl Tally {
    /// Counts a set, or gives up with `None` where its scores are too varied for counting to pay.
    pub(super) fn of(set: &ScoredSet<'_>) -> Option<Self> {
        let mut tally = Self::default();
        for start in (0..set.n_rows()).step_by(SAMPLE) {
            tally.count(set, start..(start + SAMPLE).min(set.n_rows()));
            let (n_distinct, n_seen) = (tally.rows.len(), (start + SAMPLE).min(set.n_rows()));
            if (start == 0 && n_distinct * 8 > n_seen * 7) || n_distinct > MOST_DISTINCT {
                return None;
            }
        }
        Some(tally)
    }

    fn count(&mut self, set: &ScoredSet<'_>, rows: std::ops::Range<usize>) {
        let (score, truth) = (&set.score[rows.clone()], &set.truth[rows.clone()]);
        match (set.weight, set.amount) {
            (None, None) => {
                for (score, truth) in score.iter().zip(truth) {
                    let group = self.group(key_of(*score));
                    self.rows[group][usize::from(*truth)] += 1;
                }
            }
            (None, Some(amount)) => {
                self.has_amount = true;
                for ((score, truth), amount) in score.iter().zip(truth).zip(&amount[rows]) {
                    let group = self.group(key_of(*score));
                    self.rows[group][usize::from(*truth)] += 1;
                    self.amount[group] += if *truth { *amount } else { 0.0 };
                }
            }
            (Some(weight), amount) => {
                self.has_weight = true;
                self.has_amount = amount.is_some();
                rows.filter(|&row| weight[row] > 0.0)
                    .for_each(|row| self.count_weighted(set, row, weight[row]));
            }
        }
    }

    fn count_weighted(&mut self, set: &ScoredSet<'_>, row: usize, weight: f64) {
        let group = self.group(key_of(set.score[row]));
        let class = usize::from(set.truth[row]);
        self.rows[group][class] += 1;
        self.weight[group][class] += weight;
        if let (true, Some(amount)) = (set.truth[row], set.amount) {
            self.amount[group] += weight * amount[row];
        }
    }

    #[inline]
    fn group(&mut self, key: u64) -> usize {
        let group = self.table.position(key);
        if group == self.rows.len() {
            self.open_group();
        }
        group
    }

    #[cold]
    fn open_group(&mut self) {
        self.rows.push([0; 2]);
        self.weight.push([0.0; 2]);
        self.amount.push(0.0);
    }

    /// Adds what another tally of the same columns counted.
    pub(super) fn absorb(&mut self, other: &Self) {
        for &(key, position) in other.table.slots.iter().filter(|slot| slot.0 != NO_KEY) {
            let (group, theirs) = (self.group(key), position as usize);
            add(&mut self.rows[group], &other.rows[theirs]);
            add(&mut self.weight[group], &other.weight[theirs]);
            self.amount[group] += other.amount[theirs];
        }
        self.has_weight |= other.has_weight;
        self.has_amount |= other.has_amount;
    }

    /// The groups from the highest score to the lowest.
    pub(super) fn into_sorted(self) -> Vec<(u64, Group)> {
        let occupied = self.table.slots.iter().filter(|slot| slot.0 != NO_KEY);
        let mut groups: Vec<_> = occupied.map(|&(key, position)| (key, self.at(position as usize))).collect();
        groups.sort_unstable_by_key(|&(key, _)| key);
        groups
    }

    fn at(&self, group: usize) -> Group {
        let mass = |class: usize| {
            let rows = self.rows[group][class] as f64;
            let weight = if self.has_weight { self.weight[group][class] } else { rows };
            let amount = if self.has_amount && class == 1 { self.amount[group] } else { 0.0 };
            Mass { rows, weight, amount }
        };
        Group { classes: [mass(0), mass(1)] }
    }
}

fn add<T: Copy + std::ops::AddAssign>(mine: &mut [T; 2], theirs: &[T; 2]) {
    mine[0] += theirs[0];
    mine[1] += theirs[1];
}

/// Gives each key the next free position when it is first seen.
#[derive(Clone, Debug)]
struct Table {
    slots: Vec<(u64, u32)>,
    n_keys: usize,
    shift: u32,
}

impl Default for Table {
    fn default() -> Self {
        Self::with_bits(10)
    }
}

impl Table {
    fn with_bits(bits: u32) -> Self {
        Self { slots: vec![(NO_KEY, 0); 1 << bits], n_keys: 0, shift: 64 - bits }
    }

    #[inline]
    fn position(&mut self, key: u64) -> usize {
        let slot = self.probe(key);
        if self.slots[slot].0 == key { self.slots[slot].1 as usize } else { self.insert(slot, key) }
    }

    /// Where `key` stands, or the empty place where it belongs.
    #[inline]
    fn probe(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (key ^ (key >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15) as usize >> self.shift;
        while self.slots[slot].0 != key && self.slots[slot].0 != NO_KEY {
            slot = (slot + 1) & mask;
        }
        slot
    }

    #[cold]
    fn insert(&mut self, slot: usize, key: u64) -> usize {
        let position = self.n_keys;
        self.slots[slot] = (key, position as u32);
        self.n_keys += 1;
        if self.n_keys * 4 > self.slots.len() {
            self.grow();
        }
        position
    }

    fn grow(&mut self) {
        let mut larger = Self::with_bits(64 - self.shift + 2);
        for &slot in self.slots.iter().filter(|slot| slot.0 != NO_KEY) {
            let place = larger.probe(slot.0);
            larger.slots[place] = slot;
        }
        larger.n_keys = self.n_keys;
        *self = larger;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_by_score_and_class() {
        let truth = [true, false, true, true];
        let set = ScoredSet::new(&truth, &[0.5, 0.5, 0.7, 0.5]).expect("valid");
        let groups = Tally::of(&set).expect("few scores").into_sorted();
        let rows: Vec<_> = groups.iter().map(|(_, g)| (g.class(true).rows, g.class(false).rows)).collect();
        assert_eq!(rows, [(1.0, 0.0), (2.0, 1.0)]);
    }

    #[test]
    fn sums_weights_and_amounts() {
        let truth = [true, false, true];
        let set = ScoredSet::new(&truth, &[0.5, 0.5, 0.5]).expect("valid");
        let set =
            set.with_weight(&[2.0, 3.0, 0.0]).expect("valid").with_amount(&[10.0, 7.0, 1.0]).expect("valid");
        let mut tally = Tally::of(&set).expect("one score");
        tally.absorb(&tally.clone());
        let groups = tally.into_sorted();
        assert_eq!(groups[0].1.class(true), Mass { rows: 2.0, weight: 4.0, amount: 40.0 });
        assert_eq!(groups[0].1.class(false), Mass { rows: 2.0, weight: 6.0, amount: 0.0 });
    }

    #[test]
    fn grows_past_its_first_capacity_and_gives_up_on_varied_scores() {
        let few: Vec<f64> = (0..5000).map(|i| f64::from(i % 400)).collect();
        let truth = vec![true; 5000];
        let set = ScoredSet::new(&truth, &few).expect("valid");
        assert_eq!(Tally::of(&set).expect("few scores").rows.len(), 400);
        let varied: Vec<f64> = (0..5000).map(f64::from).collect();
        assert!(Tally::of(&ScoredSet::new(&truth, &varied).expect("valid")).is_none());
    }
}
