//! The rows that are kept: what draws cases again, or sets models side by side, needs them one by one.
//!
//! Of a class with more rows than are wanted those with the smallest keys are kept, and the key of a case is a hash of its
//! id, or of its row number where there are no ids. So every model keeps the same cases, whatever the form of the file and the
//! order of the batches, and what was kept of the parts of a table merges into what is kept of the whole.

use tribunal_eval::Split;

use super::questions::Question;

/// Rows of each class that are kept where nobody asked for replicates.
pub(super) const USUAL_ROWS: usize = 1 << 16;

/// Rows of each class that are kept where somebody asked for replicates by number. The variance of a figure is estimated from
/// half a million rows to within a few thousandths; more would only take longer.
pub(super) const MANY_ROWS: usize = 1 << 19;

/// A row of one model.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeptRow {
    /// What all models share for a case: [`key_of_id`] or [`key_of_row`].
    pub(super) key: u64,
    pub(super) positive: bool,
    pub(super) score: f64,
    pub(super) weight: f64,
    pub(super) fold: u32,
    pub(super) segment: u32,
    /// Its amount where it counts, zero otherwise.
    pub(super) amount: f64,
}

/// The kept rows of one model.
#[derive(Debug)]
pub(super) struct Kept {
    positives: Class,
    negatives: Class,
}

#[derive(Debug)]
struct Class {
    rows: Vec<KeptRow>,
    most: usize,
    seen: u64,
    /// Rows whose key is at most this are kept.
    limit: u64,
}

impl Kept {
    /// Keeps at most so many rows of each class.
    pub(super) fn at_most(rows: usize) -> Self {
        let class = || Class { rows: Vec::new(), most: rows, seen: 0, limit: u64::MAX };
        Self { positives: class(), negatives: class() }
    }

    /// Hands over what was kept.
    pub(super) fn take_all(&mut self) -> Self {
        std::mem::replace(self, Self::at_most(0))
    }

    /// Keys up to which rows are kept, of negatives and positives.
    pub(super) fn limits(&self) -> [u64; 2] {
        [self.negatives.limit(), self.positives.limit()]
    }

    /// Takes over what was kept of other rows; their folds and segments are renumbered.
    pub(super) fn merge(&mut self, other: Self, renumbered: impl Fn(KeptRow) -> KeptRow) {
        self.pass([other.negatives.seen, other.positives.seen]);
        let limits = [other.negatives.limit, other.positives.limit];
        self.negatives.lower(limits[0]);
        self.positives.lower(limits[1]);
        for row in other.negatives.rows.into_iter().chain(other.positives.rows) {
            self.consider(renumbered(row));
        }
    }

    /// Takes a row that was counted elsewhere, if its key is small enough.
    pub(super) fn consider(&mut self, row: KeptRow) {
        self.class(row.positive).consider(row);
    }

    /// Counts cases, negatives and positives.
    pub(super) fn pass(&mut self, [negatives, positives]: [u64; 2]) {
        self.negatives.seen += negatives;
        self.positives.seen += positives;
    }

    fn class(&mut self, positive: bool) -> &mut Class {
        if positive { &mut self.positives } else { &mut self.negatives }
    }
}

impl Class {
    fn consider(&mut self, row: KeptRow) {
        if row.key <= self.limit && self.most > 0 {
            self.rows.push(row);
            while self.rows.len() > self.most {
                self.lower(self.limit / 2);
            }
        }
    }

    /// The largest key that may still be kept.
    fn limit(&self) -> u64 {
        if self.most > 0 { self.limit } else { 0 }
    }

    /// Lets go of rows with larger keys, if that was not done already.
    fn lower(&mut self, limit: u64) {
        if limit < self.limit {
            self.limit = limit;
            self.rows.retain(|row| row.key <= limit);
        }
    }

    fn taken(&self) -> f64 {
        if self.seen == 0 { 1.0 } else { self.rows.len() as f64 / self.seen as f64 }
    }
}

/// The key of a row: multiples of the golden ratio lie evenly, whatever pattern the rows of a file follow.
pub(super) fn key_of_row(row: u64) -> u64 {
    row.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The key of a case by its id: FNV-1a with the last step of MurmurHash3, which stirs the high bits too. It decides which cases
/// are kept, so it must stay what it is. Whole numbers are one id whether or not a program wrote them with a point: 7 and 7.0.
pub(super) fn key_of_id(id: &str) -> u64 {
    let whole = id.strip_suffix(".0").filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    let id = whole.unwrap_or(id);
    let fnv = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
    let mut hash = id.bytes().fold(0xCBF2_9CE4_8422_2325, fnv);
    for factor in [0xFF51_AFD7_ED55_8CCD, 0xC4CE_B9FE_1A85_EC53] {
        hash = (hash ^ (hash >> 33)).wrapping_mul(factor);
    }
    hash ^ (hash >> 33)
}

/// Kept rows of several models, side by side: positives first, each class in the order of its keys.
#[derive(Debug)]
pub(super) struct Aligned {
    /// The models, by their place among all.
    pub(super) models: Vec<usize>,
    pub(super) truth: Vec<bool>,
    pub(super) weight: Vec<f64>,
    pub(super) fold: Vec<u32>,
    pub(super) amount: Vec<f64>,
    /// For each model the scores of all rows.
    pub(super) scores: Vec<Vec<f64>>,
    /// Which share of each class was kept.
    pub(super) taken: Split,
}

impl Aligned {
    /// All models side by side where they kept the same cases, otherwise each alone.
    pub(super) fn of(models: Vec<Kept>) -> Vec<Self> {
        let alone = models.into_iter().enumerate().map(|(model, kept)| Self::one(model, kept));
        let mut tables: Vec<(Self, Vec<u64>)> = alone.collect();
        let same = |(table, keys): &(Self, Vec<u64>), (other, others): &(Self, Vec<u64>)| {
            keys == others && table.truth == other.truth && table.weight == other.weight
        };
        if tables.iter().all(|table| same(table, &tables[0])) && !tables.is_empty() {
            let (mut first, _) = tables.remove(0);
            for (table, _) in tables {
                first.models.extend(table.models);
                first.scores.extend(table.scores);
            }
            return vec![first];
        }
        tables.into_iter().map(|(table, _)| table).collect()
    }

    fn one(model: usize, kept: Kept) -> (Self, Vec<u64>) {
        let taken = Split { positive: kept.positives.taken(), negative: kept.negatives.taken() };
        let (mut rows, mut negatives) = (kept.positives.rows, kept.negatives.rows);
        rows.sort_by_key(|row| row.key);
        negatives.sort_by_key(|row| row.key);
        rows.extend(negatives);
        let table = Self {
            models: vec![model],
            truth: rows.iter().map(|row| row.positive).collect(),
            weight: rows.iter().map(|row| row.weight).collect(),
            fold: rows.iter().map(|row| row.fold).collect(),
            amount: rows.iter().map(|row| row.amount).collect(),
            scores: vec![rows.iter().map(|row| row.score).collect()],
            taken,
        };
        (table, rows.iter().map(|row| row.key).collect())
    }

    /// The rows of one fold.
    pub(super) fn of_fold(&self, fold: u32) -> Self {
        let rows: Vec<usize> = (0..self.truth.len()).filter(|&row| self.fold[row] == fold).collect();
        let pick = |column: &Vec<f64>| rows.iter().map(|&row| column[row]).collect::<Vec<f64>>();
        Self {
            models: self.models.clone(),
            truth: rows.iter().map(|&row| self.truth[row]).collect(),
            weight: pick(&self.weight),
            fold: vec![fold; rows.len()],
            amount: pick(&self.amount),
            scores: self.scores.iter().map(pick).collect(),
            taken: self.taken,
        }
    }

    /// Whether enough rows were kept where a question looks: the top of a list may hold hardly any of a sample.
    pub(super) fn reaches(&self, question: &Question) -> bool {
        let positives = self.truth.iter().filter(|truth| **truth).count() as f64;
        let negatives = self.truth.len() as f64 - positives;
        let n_cases = positives / self.taken.positive + negatives / self.taken.negative;
        question.depth(n_cases).is_none_or(|depth| self.holds_of(depth))
    }

    /// Whether enough rows were kept of so many cases.
    pub(super) fn holds_of(&self, n_cases: f64) -> bool {
        const ENOUGH: f64 = 100.0;
        self.is_whole() || n_cases * self.taken.positive.min(self.taken.negative) >= ENOUGH
    }

    /// Whether every case was kept.
    pub(super) fn is_whole(&self) -> bool {
        self.taken == Split { positive: 1.0, negative: 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(keys: impl Iterator<Item = u64>, most: usize) -> Kept {
        let mut kept = Kept::at_most(most);
        for key in keys {
            take(&mut kept, key);
        }
        kept
    }

    fn take(kept: &mut Kept, row: u64) {
        let (positive, score) = (row.is_multiple_of(4), row as f64);
        kept.pass([u64::from(!positive), u64::from(positive)]);
        kept.consider(KeptRow {
            key: key_of_row(row),
            positive,
            score,
            weight: 1.0,
            fold: 0,
            segment: 0,
            amount: 0.0,
        });
    }

    #[test]
    fn what_was_kept_of_parts_merges_into_what_is_kept_of_the_whole() {
        for end in [300, 4_000, 10_000] {
            let mut parts = kept(0..end / 3, 500);
            parts.merge(kept(end / 3..end, 500), |row| row);
            let (parts, whole) = (Aligned::one(0, parts), Aligned::one(0, kept(0..end, 500)));
            assert_eq!((parts.1, parts.0.scores), (whole.1, whole.0.scores));
            assert_eq!(parts.0.taken, whole.0.taken);
        }
    }

    #[test]
    fn keys_of_ids_are_what_they_were_and_lie_evenly() {
        assert_eq!(key_of_id("case-1"), 0x1EF1_D1E8_DFCA_D475);
        assert_eq!(key_of_id("41.0"), key_of_id("41"));
        assert_ne!(key_of_id("a.0"), key_of_id("a"));
        let below = (0..10_000).filter(|id| key_of_id(&id.to_string()) < u64::MAX / 10).count();
        assert!((900..1100).contains(&below), "{below}");
    }

    #[test]
    fn models_keep_the_same_cases_in_whatever_order_they_come() {
        let models = vec![kept(0..10_000, 500), kept((0..10_000).rev(), 500)];
        let tables = Aligned::of(models);
        assert_eq!(tables.len(), 1);
        assert_eq!(tables[0].scores[0], tables[0].scores[1]);
        let negatives = tables[0].truth.iter().filter(|truth| !**truth).count();
        assert!((250..=500).contains(&negatives));
        assert!((tables[0].taken.negative - negatives as f64 / 7500.0).abs() < 1e-15);
    }

    #[test]
    fn few_rows_are_all_kept_and_different_cases_stay_apart() {
        assert!(Aligned::of(vec![kept(0..100, 500)])[0].is_whole());
        assert_eq!(Aligned::of(vec![kept(0..100, 500), kept(4..104, 500)]).len(), 2);
    }

    #[test]
    fn a_sample_does_not_speak_for_a_short_list() {
        let table = &Aligned::of(vec![kept(0..100_000, 5000)])[0];
        let ask = |id: &str| Question { measure: id.parse().expect("a metric"), rule: None };
        assert!(table.reaches(&ask("auroc")) && table.reaches(&ask("lift@0.1")));
        assert!(!table.reaches(&ask("lift_top@100")) && !table.reaches(&ask("cph@0.001")));
    }
}
