//! Cut points chosen by entropy and stopped by description length (Fayyad and Irani 1993).
//!
//! A range of the sorted numbers is cut where the classes on both sides are purest, if the information gained pays for
//! describing the cut; then both parts are looked at in the same way. A best cut always lies between two numbers whose
//! classes differ, so only those are tried.

use crate::encoding::equal_bins::midway;

/// The rising cut points of numbers; missing ones (NaN) are passed over.
pub(crate) fn cut_points(values: &[f64], classes: &[u32]) -> Vec<f64> {
    let blocks = Blocks::new(values, classes);
    let mut cuts = Vec::new();
    blocks.cut(0, blocks.values.len(), &mut cuts);
    cuts.sort_by(f64::total_cmp);
    cuts
}

/// The distinct numbers in order, with how many rows of each class have at most that number.
struct Blocks {
    values: Vec<f64>,
    n_classes: usize,
    /// For each block, and before the first: so many rows of each class.
    cumulative: Vec<u64>,
}

impl Blocks {
    fn new(values: &[f64], classes: &[u32]) -> Self {
        let mut rows: Vec<(f64, u32)> = values.iter().copied().zip(classes.iter().copied()).collect();
        rows.retain(|(value, _)| !value.is_nan());
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        let n_classes = rows.iter().map(|&(_, class)| class as usize + 1).max().unwrap_or(0);
        let mut blocks = Blocks { values: Vec::new(), n_classes, cumulative: vec![0; n_classes] };
        let mut counts = vec![0; n_classes];
        for run in rows.chunk_by(|a, b| a.0 == b.0) {
            run.iter().for_each(|&(_, class)| counts[class as usize] += 1);
            blocks.values.push(run[0].0);
            blocks.cumulative.extend_from_slice(&counts);
        }
        blocks
    }

    /// How many rows of each class the blocks from `start` to `end` hold.
    fn counts(&self, start: usize, end: usize) -> Vec<u64> {
        let before = &self.cumulative[start * self.n_classes..][..self.n_classes];
        let after = &self.cumulative[end * self.n_classes..][..self.n_classes];
        after.iter().zip(before).map(|(after, before)| after - before).collect()
    }

    fn cut(&self, start: usize, end: usize, cuts: &mut Vec<f64>) {
        let whole = Part::of(&self.counts(start, end));
        let Some((at, low, high)) = self.best(start, end, &whole) else { return };
        if pays(&whole, &low, &high) {
            cuts.push(midway(self.values[at - 1], self.values[at]));
            self.cut(start, at, cuts);
            self.cut(at, end, cuts);
        }
    }

    /// The purest cut, the first among equals, and its parts.
    fn best(&self, start: usize, end: usize, whole: &Part) -> Option<(usize, Part, Part)> {
        let mut best: Option<(f64, usize, Part, Part)> = None;
        for at in (start + 1..end).filter(|&at| self.is_boundary(at)) {
            let (low, high) = (Part::of(&self.counts(start, at)), Part::of(&self.counts(at, end)));
            let entropy = (low.n * low.entropy + high.n * high.entropy) / whole.n;
            if best.as_ref().is_none_or(|(least, ..)| entropy < *least) {
                best = Some((entropy, at, low, high));
            }
        }
        best.map(|(_, at, low, high)| (at, low, high))
    }

    /// Whether the blocks on both sides are not of one and the same class.
    fn is_boundary(&self, at: usize) -> bool {
        let (low, high) = (self.counts(at - 1, at), self.counts(at, at + 1));
        let is_pure = |counts: &[u64]| counts.iter().filter(|&&count| count > 0).count() == 1;
        let same_class = low.iter().zip(&high).any(|(&low, &high)| low > 0 && high > 0);
        !(is_pure(&low) && is_pure(&high) && same_class)
    }
}

/// Rows on one side of a cut.
struct Part {
    n: f64,
    /// How many classes have rows here.
    n_classes: f64,
    /// In bits.
    entropy: f64,
}

impl Part {
    fn of(counts: &[u64]) -> Part {
        let n = counts.iter().sum::<u64>() as f64;
        let present = || counts.iter().filter(|&&count| count > 0).map(|&count| count as f64 / n);
        Part {
            n,
            n_classes: present().count() as f64,
            entropy: -present().map(|p| p * p.log2()).sum::<f64>(),
        }
    }
}

/// Whether the information gained exceeds the cost of the cut.
fn pays(whole: &Part, low: &Part, high: &Part) -> bool {
    let gain = whole.entropy - (low.n * low.entropy + high.n * high.entropy) / whole.n;
    let classes = |part: &Part| part.n_classes * part.entropy;
    // 3^k - 2 overflows no float and needs no care for small k.
    let delta = (3_f64.powf(whole.n_classes) - 2.0).log2() - (classes(whole) - classes(low) - classes(high));
    gain > ((whole.n - 1.0).log2() + delta) / whole.n
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(values: &[f64], classes: &[u32], expected: &[f64]) {
        assert_eq!(cut_points(values, classes), expected);
    }

    #[test]
    fn a_clear_step_is_cut_once() {
        let values: Vec<f64> = (0..40).map(f64::from).collect();
        let classes: Vec<u32> = (0..40).map(|row| u32::from(row >= 25)).collect();
        check(&values, &classes, &[24.5]);
    }

    #[test]
    fn noise_is_not_cut() {
        let values: Vec<f64> = (0..40).map(f64::from).collect();
        let classes: Vec<u32> = (0..40).map(|row| u32::from(row % 2 == 0)).collect();
        check(&values, &classes, &[]);
    }

    #[test]
    fn degenerate_columns_have_one_bin() {
        check(&[], &[], &[]);
        check(&[1.0, 1.0, 1.0], &[0, 1, 0], &[]);
        check(&[1.0, 2.0, f64::NAN], &[0, 0, 1], &[]);
    }
}
