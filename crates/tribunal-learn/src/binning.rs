//! Calibration by bins: a score is worth what the training rows with such scores were (Zadrozny and Elkan 2001).

use serde::{Deserialize, Serialize};

/// Bins of equally many rows, each with the share of positives in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Binning {
    /// Where one bin ends and the next begins; a score on the edge belongs to the upper bin.
    edges: Vec<f64>,
    values: Vec<f64>,
}

/// A score with its weight and whether it is of a positive row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scored {
    pub(crate) score: f64,
    pub(crate) weight: f64,
    pub(crate) is_positive: bool,
}

/// Rows of equal scores.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    least: f64,
    most: f64,
    weight: f64,
    positive: f64,
}

impl Binning {
    /// Deals rows, sorted by score, into bins by their place; rows of equal scores stay with the first of them.
    pub(crate) fn fit(mut rows: Vec<Scored>, n_bins: usize) -> Self {
        rows.sort_by(|a, b| a.score.total_cmp(&b.score));
        let total: f64 = rows.iter().map(|row| row.weight).sum();
        let (mut before, mut bins, mut last) = (0.0, Vec::<Block>::new(), None);
        for block in rows.chunk_by(|a, b| a.score == b.score).map(Block::of) {
            let bin = if total > 0.0 { (n_bins as f64 * before / total) as usize } else { 0 };
            before += block.weight;
            match bins.last_mut() {
                Some(known) if last == Some(bin) => known.absorb(&block),
                _ => bins.push(block),
            }
            last = Some(bin);
        }
        Binning {
            edges: bins.windows(2).map(|pair| (pair[0].most + pair[1].least) / 2.0).collect(),
            values: bins.iter().map(Block::share).collect(),
        }
    }

    /// The bin of a score.
    pub(crate) fn bin(&self, score: f64) -> usize {
        self.edges.partition_point(|&edge| edge <= score)
    }

    /// What a score is worth.
    pub(crate) fn value(&self, score: f64) -> f64 {
        self.values.get(self.bin(score)).copied().unwrap_or(score)
    }

    /// The lower edge of each bin, the first open, with its value.
    pub(crate) fn bins(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        std::iter::once(f64::NEG_INFINITY).chain(self.edges.iter().copied()).zip(self.values.iter().copied())
    }

    pub(crate) fn is_sound(&self) -> bool {
        self.edges.len() + 1 == self.values.len() && self.edges.is_sorted()
    }
}

impl Block {
    fn of(rows: &[Scored]) -> Self {
        let score = rows.first().map_or(0.0, |row| row.score);
        let weight_of = |keep: fn(&&Scored) -> bool| rows.iter().filter(keep).map(|row| row.weight).sum();
        Block {
            least: score,
            most: score,
            weight: weight_of(|_| true),
            positive: weight_of(|row| row.is_positive),
        }
    }

    fn absorb(&mut self, later: &Block) {
        self.most = later.most;
        self.weight += later.weight;
        self.positive += later.positive;
    }

    fn share(&self) -> f64 {
        if self.weight > 0.0 { self.positive / self.weight } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(scores: &[f64], labels: &str, n_bins: usize) -> Binning {
        let row = |(&score, label): (&f64, char)| Scored { score, weight: 1.0, is_positive: label == '1' };
        Binning::fit(scores.iter().zip(labels.chars()).map(row).collect(), n_bins)
    }

    #[test]
    fn golden_bins() {
        let scores = [0.05, 0.1, 0.2, 0.3, 0.4, 0.55, 0.6, 0.7, 0.9, 0.95];
        let bins = fitted(&scores, "0001001101", 5);
        assert_eq!(bins.values, [0.0, 0.5, 0.0, 1.0, 0.5]);
        for (edge, expected) in bins.edges.iter().zip([0.15, 0.35, 0.575, 0.8]) {
            assert!((edge - expected).abs() < 1e-12);
        }
        assert_eq!([bins.value(0.37), bins.value(0.58)], [0.0, 1.0]);
    }

    #[test]
    fn equal_scores_stay_together() {
        let bins = fitted(&[0.1, 0.3, 0.3, 0.3, 0.9, 0.9], "010011", 3);
        // The block of 0.3 begins in the first bin, and that of 0.9 in the last.
        assert_eq!(bins.values, [0.25, 1.0]);
        assert_eq!(bins.bin(bins.edges[0]), 1);
        assert_eq!(fitted(&[0.5; 4], "0011", 10).value(0.0), 0.5);
    }
}
