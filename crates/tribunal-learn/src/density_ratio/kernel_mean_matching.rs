//! The density ratio by kernel mean matching: labelled rows are weighted so that their mean in the space of a kernel is that of the
//! unlabelled rows.

use std::collections::HashMap;

use rayon::prelude::*;
use tribunal_algebra::{Symmetric, exponentials};
use tribunal_random::Random;

use super::DensityRatios;
use super::bandwidth::{RowsByColumn, drawn_rows, median_squared_distance};
use super::interior_point::QuadraticProgram;
use super::sample_pair::SamplePair;
use crate::error::{Error, ErrorKind};

const BLOCKS_TAG: u64 = 2;
const UNLABELLED_TAG: u64 = 3;

/// How kernel mean matching is done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchingOptions {
    /// `s2` of the kernel `exp(-|u - v|^2 / s2)`; by default the median of the positive squared distances between rows, of which each
    /// sample contributes at most 1000, both samples weighing the same.
    pub squared_bandwidth: Option<f64>,
    /// No ratio is larger.
    pub largest_ratio: f64,
    /// More labelled rows than this are divided at random into blocks of about equal size, each of which is matched by itself: the
    /// time of one quadratic program grows with the cube of its rows.
    pub most_rows_at_once: usize,
    /// Of more unlabelled rows than this so many are drawn.
    pub most_unlabelled: usize,
    /// For what is drawn at random.
    pub seed: u64,
}

impl Default for MatchingOptions {
    fn default() -> Self {
        Self {
            squared_bandwidth: None,
            largest_ratio: 1000.0,
            most_rows_at_once: 1000,
            most_unlabelled: 4000,
            seed: 0,
        }
    }
}

/// The density ratio by kernel mean matching.
///
/// **Definition** · The ratios b of n labelled rows minimise `1/2 b'Kb - kappa'b` with the kernel `k(u, v) = exp(-|u - v|^2 / s2)`,
/// `kappa_i = (n/m) sum_j k(x_i, x'_j)` over m unlabelled rows, `0 <= b_i <= 1000` and `|sum b - n| <= n eps`,
/// `eps = (sqrt(n) - 1) / sqrt(n)`. A row of weight 2 is the row twice. The program is solved by an interior-point method until the
/// KKT residual is below 1e-12, or below 1e-8 where rounding allows no less. Of more labelled rows than
/// [`most_rows_at_once`](MatchingOptions::most_rows_at_once), random blocks are matched one by one:
/// [`rows_at_once`](Self::rows_at_once) and [`n_unlabelled`](Self::n_unlabelled) say with how many rows.
///
/// **Undefined when** a sample has no rows, or the weights of the labelled rows do not add up to more than one. Where rows are equal,
/// or nearly so in the kernel, only sums of their ratios are determined; they share evenly.
///
/// **Example**
/// ```
/// use tribunal_learn::density_ratio::{KernelMeanMatching, MatchingOptions, SamplePair};
/// use tribunal_learn::encoding::Matrix;
///
/// let labelled = Matrix::from_values(4, 1, vec![0.0, 1.0, 2.0, 3.0])?;
/// let unlabelled = Matrix::from_values(3, 1, vec![2.0, 3.0, 4.0])?;
/// let options = MatchingOptions { squared_bandwidth: Some(2.0), ..MatchingOptions::default() };
/// let found = KernelMeanMatching::fit(&SamplePair::of_matrices(labelled, unlabelled)?, &options)?;
/// assert!((found.weights.ratios[3] - 2.548994426).abs() < 1e-8);
/// # Ok::<(), tribunal_learn::Error>(())
/// ```
///
/// **Reference** · Huang, Smola, Gretton, Borgwardt and Schölkopf (2007), "Correcting sample selection bias by unlabeled data"; the
/// blocks as in Miao, Farahat and Kamel (2015), "Ensemble kernel mean matching"
#[derive(Clone, Debug, PartialEq)]
pub struct KernelMeanMatching {
    /// `s2` of the kernel.
    pub squared_bandwidth: f64,
    /// The ratios of the labelled rows; 0 of rows without weight.
    pub weights: DensityRatios,
    /// The objective, summed over blocks.
    pub objective: f64,
    /// The largest KKT residual of a block.
    pub kkt_residual: f64,
    /// How many blocks the labelled rows were divided into.
    pub n_blocks: usize,
    /// The rows of the largest block.
    pub rows_at_once: usize,
    /// How many unlabelled rows were looked at.
    pub n_unlabelled: usize,
}

impl KernelMeanMatching {
    /// Matches two samples.
    ///
    /// # Errors
    /// An option is out of its range, the weights of the labelled rows add up to one or less, there is no memory for the kernel, or
    /// rounding errors leave a program without a solution.
    pub fn fit(samples: &SamplePair, options: &MatchingOptions) -> Result<Self, Error> {
        options.check()?;
        let squared_bandwidth =
            options.squared_bandwidth.unwrap_or_else(|| median_squared_distance(samples, options.seed));
        let target = Target::drawn(samples, options);
        let blocks = blocks(&samples.labelled_weights, options);
        let rows_at_once = blocks.iter().map(Vec::len).max().unwrap_or(0);
        require_kernels(rows_at_once)?;
        let matched = blocks.par_iter().map(|rows| {
            Block { samples, rows, target: &target, squared_bandwidth, largest: options.largest_ratio }
                .matched()
        });
        let matched: Vec<Result<Matched, Error>> = matched.collect();
        let mut ratios = vec![0.0; samples.labelled.n_rows()];
        let (mut objective, mut kkt_residual) = (0.0, 0.0_f64);
        for (rows, matched) in blocks.iter().zip(matched) {
            let matched = matched?;
            rows.iter().zip(matched.ratios).for_each(|(&row, ratio)| ratios[row] = ratio);
            objective += matched.objective;
            kkt_residual = kkt_residual.max(matched.residual);
        }
        Ok(Self {
            squared_bandwidth,
            weights: DensityRatios::new(ratios, &samples.labelled_weights),
            objective,
            kkt_residual,
            n_blocks: blocks.len(),
            rows_at_once,
            n_unlabelled: target.weights.len(),
        })
    }
}

impl MatchingOptions {
    fn check(&self) -> Result<(), Error> {
        let is_bandwidth = self.squared_bandwidth.is_none_or(|s2| s2.is_finite() && s2 > 0.0);
        let is_limit = self.largest_ratio.is_finite() && self.largest_ratio > 1.0;
        let problem = match (is_bandwidth, is_limit, self.most_rows_at_once > 1 && self.most_unlabelled > 0) {
            (false, ..) => "the squared bandwidth of the kernel must be a finite number above 0",
            (_, false, _) => "the largest ratio must be a finite number above 1",
            (.., false) => "kernel mean matching needs two labelled rows and one unlabelled row at a time",
            _ => return Ok(()),
        };
        Err(Error::new(ErrorKind::BadText, problem))
    }
}

/// The unlabelled rows that are matched, with weights that add up to one.
struct Target {
    rows: RowsByColumn,
    weights: Vec<f64>,
}

impl Target {
    fn drawn(samples: &SamplePair, options: &MatchingOptions) -> Self {
        let weights = &samples.unlabelled_weights;
        let mut random = Random::derived(options.seed, &[UNLABELLED_TAG]);
        let drawn = drawn_rows(weights, options.most_unlabelled, &mut random);
        let total: f64 = drawn.iter().map(|&row| weights[row]).sum();
        Self {
            rows: RowsByColumn::of(&samples.unlabelled, &drawn),
            weights: drawn.iter().map(|&row| weights[row] / total).collect(),
        }
    }
}

/// The labelled rows that carry weight, divided at random if there are too many.
fn blocks(weights: &[f64], options: &MatchingOptions) -> Vec<Vec<usize>> {
    let mut rows: Vec<usize> = (0..weights.len()).filter(|&row| weights[row] > 0.0).collect();
    let n_blocks = rows.len().div_ceil(options.most_rows_at_once);
    if n_blocks > 1 {
        Random::derived(options.seed, &[BLOCKS_TAG]).shuffle(&mut rows);
    }
    let n_rows = rows.len();
    let end = |block: usize| block * n_rows / n_blocks;
    (0..n_blocks).map(|block| rows[end(block)..end(block + 1)].to_vec()).collect()
}

/// Refuses kernels that there is no memory for: three matrices a thread.
fn require_kernels(n_rows: usize) -> Result<(), Error> {
    let bytes = (n_rows as u64).pow(2).saturating_mul(24 * rayon::current_num_threads() as u64);
    tribunal_memory::require(bytes).map_err(|shortage| {
        let problem = format!("the kernel of {n_rows} labelled rows: {shortage}");
        Error::new(ErrorKind::TooLarge, problem).advise("match fewer rows at once")
    })
}

/// Labelled rows that are matched together.
struct Block<'a> {
    samples: &'a SamplePair,
    rows: &'a [usize],
    target: &'a Target,
    squared_bandwidth: f64,
    largest: f64,
}

struct Matched {
    ratios: Vec<f64>,
    objective: f64,
    residual: f64,
}

impl Block<'_> {
    /// The ratios of the rows. The variables of the program are ratios times weights, as if each row stood as often as it weighs.
    fn matched(&self) -> Result<Matched, Error> {
        let weights: Vec<f64> = self.rows.iter().map(|&row| self.samples.labelled_weights[row]).collect();
        let n: f64 = weights.iter().sum();
        if self.rows.len() == 1 && n == 1.0 {
            return Ok(self.single());
        }
        if n <= 1.0 {
            let problem = format!("the weights of the labelled rows add up to {n}");
            let advice = "kernel mean matching takes them for numbers of rows: give weights that add up to more than 1";
            return Err(Error::new(ErrorKind::Inconsistent, problem).advise(advice));
        }
        let eps = (n.sqrt() - 1.0) / n.sqrt();
        let program = QuadraticProgram {
            quadratic: self.kernel(),
            linear: self.kappa(n),
            upper: weights.iter().map(|weight| self.largest * weight).collect(),
            sum: (n * (1.0 - eps), n * (1.0 + eps)),
        };
        let solution = program.solve(weights.clone()).ok_or_else(|| {
            Error::new(ErrorKind::Unsolvable, "rounding errors leave kernel mean matching without a solution")
                .advise("widen the bandwidth, or leave out columns that tell the samples apart by themselves")
        })?;
        let x = self.shared(&solution.x, &weights);
        let ratios = x.iter().zip(&weights).map(|(x, weight)| (x / weight).clamp(0.0, self.largest));
        Ok(Matched { ratios: ratios.collect(), objective: solution.objective, residual: solution.residual })
    }

    /// The same solution with equal rows sharing the sum of theirs by weight, which changes neither the objective nor the sums.
    fn shared(&self, x: &[f64], weights: &[f64]) -> Vec<f64> {
        let rows = self.labelled();
        let key =
            |idx: usize| rows.row(idx).iter().map(|value| (value + 0.0).to_bits()).collect::<Vec<u64>>();
        let mut sums: HashMap<Vec<u64>, (f64, f64)> = HashMap::new();
        for idx in 0..x.len() {
            let (sum, weight) = sums.entry(key(idx)).or_default();
            (*sum, *weight) = (*sum + x[idx], *weight + weights[idx]);
        }
        let share = |idx: usize| {
            let (sum, weight) = sums[&key(idx)];
            sum / weight * weights[idx]
        };
        (0..x.len()).map(share).collect()
    }

    /// The sum of a single ratio is one.
    fn single(&self) -> Matched {
        let objective = 0.5 - self.kappa(1.0)[0];
        Matched { ratios: vec![1.0], objective, residual: 0.0 }
    }

    fn labelled(&self) -> RowsByColumn {
        RowsByColumn::of(&self.samples.labelled, self.rows)
    }

    fn kernel(&self) -> Symmetric {
        let rows = self.labelled();
        let mut kernel = Symmetric::zeros(self.rows.len());
        for idx in 0..self.rows.len() {
            let below = kernel.below_mut(idx);
            rows.squared_distances(&rows.row(idx), idx, below);
            self.kernels(below);
        }
        kernel
    }

    /// The mean kernel of each row with the unlabelled rows, times n.
    fn kappa(&self, n: f64) -> Vec<f64> {
        let rows = self.labelled();
        let mut kernels = vec![0.0; self.target.weights.len()];
        let mut mean = |row: &[f64]| {
            self.target.rows.squared_distances(row, 0, &mut kernels);
            self.kernels(&mut kernels);
            kernels.iter().zip(&self.target.weights).map(|(kernel, weight)| kernel * weight).sum::<f64>()
        };
        (0..self.rows.len()).map(|idx| n * mean(&rows.row(idx))).collect()
    }

    /// Makes kernels of squared distances.
    fn kernels(&self, distances: &mut [f64]) {
        distances.iter_mut().for_each(|distance| *distance = -*distance / self.squared_bandwidth);
        exponentials(distances);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Matrix;

    fn column(values: &[f64]) -> Matrix {
        Matrix::from_columns(values.len(), vec![values.to_vec()])
    }

    fn pair(labelled: &[f64], unlabelled: &[f64]) -> SamplePair {
        SamplePair::of_matrices(column(labelled), column(unlabelled)).expect("a pair")
    }

    fn with_bandwidth(squared_bandwidth: f64) -> MatchingOptions {
        MatchingOptions { squared_bandwidth: Some(squared_bandwidth), ..MatchingOptions::default() }
    }

    #[test]
    fn golden_kernel_mean_matching() {
        let samples = pair(&[0.0, 1.0, 2.0, 3.0], &[2.0, 3.0, 4.0]);
        let target = Target::drawn(&samples, &MatchingOptions::default());
        let rows = [0, 1, 2, 3];
        let block = Block {
            samples: &samples,
            rows: &rows,
            target: &target,
            squared_bandwidth: 2.0,
            largest: 1000.0,
        };
        let kappa = block.kappa(4.0);
        let found = KernelMeanMatching::fit(&samples, &with_bandwidth(2.0)).expect("a match");
        let expected = [
            0.195706323,
            1.003966586,
            2.322487924,
            2.950748426,
            0.0,
            0.297506875,
            0.595997615,
            2.548994426,
            -4.602162752,
        ];
        let all = [&kappa[..], &found.weights.ratios, &[found.objective]].concat();
        all.iter().zip(expected).for_each(|(a, b)| assert!((a - b).abs() < 6e-9, "{a} is not {b}"));
        assert!(found.kkt_residual <= 1e-12, "{}", found.kkt_residual);
    }

    #[test]
    fn repeating_the_unlabelled_rows_changes_nothing() {
        let (labelled, unlabelled) = ([0.3, 1.1, 2.2, 2.9, 4.0], [1.0, 2.5, 2.7]);
        let once = KernelMeanMatching::fit(&pair(&labelled, &unlabelled), &MatchingOptions::default());
        let twice = [&unlabelled[..], &unlabelled].concat();
        let twice = KernelMeanMatching::fit(&pair(&labelled, &twice), &MatchingOptions::default());
        let (once, twice) = (once.expect("a match"), twice.expect("a match"));
        assert!((once.squared_bandwidth - twice.squared_bandwidth).abs() < 1e-12);
        for (a, b) in once.weights.ratios.iter().zip(&twice.weights.ratios) {
            assert!((a - b).abs() < 1e-7, "{a} {b}");
        }
    }

    #[test]
    fn large_samples_are_matched_in_blocks_whose_sizes_are_said() {
        let mut random = Random::new(3);
        let mut draw =
            |n: usize, shift: f64| -> Vec<f64> { (0..n).map(|_| random.normal() + shift).collect() };
        let samples = pair(&draw(210, 0.0), &draw(150, 0.7));
        let options =
            MatchingOptions { most_rows_at_once: 100, most_unlabelled: 120, ..MatchingOptions::default() };
        let found = KernelMeanMatching::fit(&samples, &options).expect("a match");
        assert_eq!((found.n_blocks, found.rows_at_once, found.n_unlabelled), (3, 70, 120));
        assert_eq!(found, KernelMeanMatching::fit(&samples, &options).expect("the same seed"));
        // The weighted mean moves to that of the unlabelled rows.
        let (values, ratios) = (samples.labelled.column(0), &found.weights.ratios);
        let total: f64 = ratios.iter().sum();
        let mean = values.iter().zip(ratios).map(|(value, ratio)| value * ratio).sum::<f64>() / total;
        let target = samples.unlabelled.column(0).iter().sum::<f64>() / 150.0;
        assert!((mean - target).abs() < 0.15, "{mean} {target}");
    }

    #[test]
    fn a_single_row_counts_one() {
        let found = KernelMeanMatching::fit(&pair(&[1.0], &[5.0, 6.0]), &MatchingOptions::default());
        assert_eq!(found.expect("a match").weights.ratios, [1.0]);
    }

    #[test]
    fn what_has_no_meaning_is_refused() {
        let samples = pair(&[0.0, 1.0], &[1.0]);
        let message = |options: MatchingOptions| {
            KernelMeanMatching::fit(&samples, &options).expect_err("refused").to_string()
        };
        assert!(message(with_bandwidth(0.0)).contains("squared bandwidth"));
        assert!(
            message(MatchingOptions { largest_ratio: 1.0, ..with_bandwidth(1.0) }).contains("largest ratio")
        );
        assert!(
            message(MatchingOptions { most_rows_at_once: 1, ..with_bandwidth(1.0) })
                .contains("two labelled rows")
        );
        let shares = samples.clone().with_weights(vec![0.5, 0.5], vec![1.0]).expect("weights");
        let error = KernelMeanMatching::fit(&shares, &MatchingOptions::default()).expect_err("shares");
        assert!(error.to_string().contains("add up to more than 1"), "{error}");
    }
}
