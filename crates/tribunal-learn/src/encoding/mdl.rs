//! Cut points chosen by entropy and stopped by description length (Fayyad and Irani 1993).
//!
//! A range of the sorted numbers is cut where the classes on both sides are purest, if the information gained pays for
//! describing the cut; then both parts are looked at in the same way. A best cut always lies between two numbers whose
//! classes differ, so only those are tried.

use crate::encoding::equal_bins::midway;

/// A number that is known, with the class and the weight of its row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Classed {
    pub(crate) value: f64,
    pub(crate) class: u32,
    pub(crate) weight: f64,
}

/// The rising cut points of numbers.
pub(crate) fn cut_points(rows: Vec<Classed>) -> Vec<f64> {
    let blocks = Blocks::new(rows);
    let mut cuts = Vec::new();
    blocks.cut(0, blocks.values.len(), &mut cuts);
    cuts.sort_by(f64::total_cmp);
    cuts
}

/// The distinct numbers in order, with the weight of the rows of each class that have at most that number.
struct Blocks {
    values: Vec<f64>,
    n_classes: usize,
    /// For each block, and before the first: the weight of each class.
    cumulative: Vec<f64>,
}

impl Blocks {
    fn new(mut rows: Vec<Classed>) -> Self {
        rows.sort_by(|a, b| a.value.total_cmp(&b.value));
        let n_classes = rows.iter().map(|row| row.class as usize + 1).max().unwrap_or(0);
        let mut blocks = Blocks { values: Vec::new(), n_classes, cumulative: vec![0.0; n_classes] };
        let mut weights = vec![0.0; n_classes];
        for run in rows.chunk_by(|a, b| a.value == b.value) {
            run.iter().for_each(|row| weights[row.class as usize] += row.weight);
            blocks.values.push(run[0].value);
            blocks.cumulative.extend_from_slice(&weights);
        }
        blocks
    }

    /// The weight of each class in the blocks from `start` to `end`.
    fn weights(&self, start: usize, end: usize) -> impl Iterator<Item = f64> + Clone + '_ {
        let before = &self.cumulative[start * self.n_classes..][..self.n_classes];
        let after = &self.cumulative[end * self.n_classes..][..self.n_classes];
        after.iter().zip(before).map(|(after, before)| after - before)
    }

    fn cut(&self, start: usize, end: usize, cuts: &mut Vec<f64>) {
        let whole = Part::of(self.weights(start, end));
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
            let (low, high) = (Part::of(self.weights(start, at)), Part::of(self.weights(at, end)));
            let entropy = (low.n * low.entropy + high.n * high.entropy) / whole.n;
            if best.as_ref().is_none_or(|(least, ..)| entropy < *least) {
                best = Some((entropy, at, low, high));
            }
        }
        best.map(|(_, at, low, high)| (at, low, high))
    }

    /// Whether the blocks on both sides are not of one and the same class.
    fn is_boundary(&self, at: usize) -> bool {
        let (low, high) = (self.weights(at - 1, at), self.weights(at, at + 1));
        let is_pure =
            |weights: &mut dyn Iterator<Item = f64>| weights.filter(|&weight| weight > 0.0).count() == 1;
        let same_class = low.clone().zip(high.clone()).any(|(low, high)| low > 0.0 && high > 0.0);
        !(same_class && is_pure(&mut low.clone()) && is_pure(&mut high.clone()))
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
    fn of(weights: impl Iterator<Item = f64> + Clone) -> Part {
        let n = weights.clone().sum::<f64>();
        let present = || weights.clone().filter(|&weight| weight > 0.0).map(|weight| weight / n);
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
        let rows = |weight: f64, n_times: usize| {
            let row = |(&value, &class)| std::iter::repeat_n(Classed { value, class, weight }, n_times);
            values.iter().zip(classes).flat_map(row).collect::<Vec<Classed>>()
        };
        assert_eq!(cut_points(rows(1.0, 1)), expected);
        assert_eq!(cut_points(rows(3.0, 1)), cut_points(rows(1.0, 3)));
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
        check(&[1.0, 2.0], &[0, 0], &[]);
    }
}
