//! TAN judged by all rows but one: what a row adds to the information of a pair is known without counting again.
//!
//! Without a row that has the values a and b and the class t, the information of a pair (times rows) changes by
//! -g(n_abt) + g(n_at) + g(n_bt) - g(n_t), where g(n) = n ln n - (n - 1) ln (n - 1). So each cell of a table is turned, once,
//! into the information that the pair would have without one of its rows; a row then finds its own tree by looking up one
//! number a pair.

use rayon::prelude::*;

use super::Tan;
use super::pair_table::{PairTable, codes_of};
use super::structure::{information, spanning_tree, term};
use crate::encoding::NominalColumn;
use crate::learners::log_scores::{normalise, shares};
use crate::learners::nb::class_counts;
use crate::posteriors::Posteriors;
use crate::training::Training;

/// Rows that a thread takes at a time.
const ROWS_AT_A_TIME: usize = 64;

/// The tables of all pairs, the lower column first.
struct Pairs<'a> {
    columns: &'a [NominalColumn],
    n_classes: usize,
    tables: Vec<PairOfColumns>,
}

struct PairOfColumns {
    table: PairTable,
    /// The information of the pair without one row of the cell; whole numbers, exact in this type up to 10^5 rows and more.
    without: Vec<f64>,
}

/// The posteriors of every row for each of the settings, from rows that all count once and miss nothing.
pub(super) fn leave_one_out(settings: &[&Tan], training: &Training<'_>) -> Vec<Option<Posteriors>> {
    let n_classes = training.n_classes;
    let own = |column: &NominalColumn| class_counts(codes_of(column).0, codes_of(column).1, training);
    let owns: Vec<Vec<f64>> = training.columns.iter().map(own).collect();
    let pairs = Pairs::of(training, &owns);
    if pairs.tables.iter().flat_map(|pair| &pair.without).any(|weight| weight.abs() > 2_f64.powi(52)) {
        return vec![None; settings.len()];
    }
    let class_weights = training.class_weights();
    let width = settings.len() * n_classes;
    let mut values = vec![0.0; training.n_rows() * width];
    values.par_chunks_mut(width.max(1) * ROWS_AT_A_TIME).enumerate().for_each(|(block, values)| {
        for (idx, values) in values.chunks_exact_mut(width).enumerate() {
            let row = block * ROWS_AT_A_TIME + idx;
            let left = LeftOut { pairs: &pairs, owns: &owns, row, own: training.classes[row] as usize };
            left.judge(settings, &class_weights, values);
        }
    });
    let of_member = |idx: usize| {
        let rows = values.chunks_exact(width).map(|values| &values[idx * n_classes..][..n_classes]);
        Posteriors::from_rows(n_classes, rows)
    };
    (0..settings.len()).map(|idx| Some(of_member(idx))).collect()
}

impl<'a> Pairs<'a> {
    fn of(training: &'a Training<'_>, owns: &[Vec<f64>]) -> Self {
        let columns = &training.columns;
        let n_classes = training.n_classes;
        let class_weights = training.class_weights();
        let of_pair = |(first, second): (usize, usize)| {
            let table = PairTable::count(&columns[first], &columns[second], training);
            let without = without_one(&table, &owns[first], &owns[second], &class_weights);
            PairOfColumns { table, without }
        };
        let tables = super::structure::pairs(columns.len()).into_par_iter().map(of_pair).collect();
        Pairs { columns, n_classes, tables }
    }

    #[inline]
    fn pair(&self, low: usize, high: usize) -> &PairOfColumns {
        &self.tables[low * (2 * self.columns.len() - low - 1) / 2 + high - low - 1]
    }

    #[inline]
    fn code(&self, column: usize, row: usize) -> u32 {
        codes_of(&self.columns[column]).0[row]
    }
}

/// What the information of a pair would be without one row of each cell.
fn without_one(table: &PairTable, firsts: &[f64], seconds: &[f64], class_weights: &[f64]) -> Vec<f64> {
    let step = |weight: f64| term(weight) - term(weight - 1.0);
    let all = information(table);
    let (n_second, n_classes) = (table.shape().n_second, table.shape().n_classes);
    let steps = |weights: &[f64]| weights.iter().map(|&weight| step(weight)).collect::<Vec<i128>>();
    let (firsts, seconds, classes) = (steps(firsts), steps(seconds), steps(class_weights));
    let without = |(cell, &weight): (usize, &f64)| {
        let (pair, class) = (cell / n_classes, cell % n_classes);
        let (first, second) = (pair / n_second * n_classes + class, pair % n_second * n_classes + class);
        (all - step(weight) + firsts[first] + seconds[second] - classes[class]) as f64
    };
    table.dense().unwrap_or_default().iter().enumerate().map(without).collect()
}

/// A row that is left out.
struct LeftOut<'a> {
    pairs: &'a Pairs<'a>,
    owns: &'a [Vec<f64>],
    row: usize,
    /// Its class.
    own: usize,
}

impl LeftOut<'_> {
    /// Writes the probability of each class for each of the settings.
    fn judge(&self, settings: &[&Tan], class_weights: &[f64], values: &mut [f64]) {
        let n_classes = self.pairs.n_classes;
        let codes: Vec<u32> =
            (0..self.pairs.columns.len()).map(|column| self.pairs.code(column, self.row)).collect();
        let parents = spanning_tree(codes.len(), |a, b| self.information(&codes, a.min(b), a.max(b)));
        let gone = |class: usize| f64::from(u8::from(class == self.own));
        let left: Vec<f64> = class_weights.iter().enumerate().map(|(class, all)| all - gone(class)).collect();
        let priors = shares(&left);
        for scores in values.chunks_exact_mut(n_classes) {
            scores.iter_mut().zip(&priors).for_each(|(score, prior)| *score = prior.ln());
        }
        let n_left: f64 = left.iter().sum();
        for (column, &parent) in parents.iter().enumerate() {
            let of_value = self.own_counts(column, codes[column]);
            let marginal = if n_left > 0.0 { (of_value.iter().sum::<f64>() - 1.0) / n_left } else { 0.0 };
            let n_values = self.owns[column].len() / n_classes;
            let totals = parent.map_or(class_weights, |parent| self.own_counts(parent, codes[parent]));
            let counts = parent.map_or(of_value, |parent| self.pair_counts(&codes, parent, column));
            for (settings, scores) in settings.iter().zip(values.chunks_exact_mut(n_classes)) {
                for (class, score) in scores.iter_mut().enumerate() {
                    let (count, total) = (counts[class] - gone(class), totals[class] - gone(class));
                    *score += settings.smoothing.share(count, total, n_values, marginal).ln();
                }
            }
        }
        values.chunks_exact_mut(n_classes).for_each(|scores| normalise(scores, &priors));
    }

    /// How many rows of each class have a value.
    fn own_counts(&self, column: usize, code: u32) -> &[f64] {
        &self.owns[column][code as usize * self.pairs.n_classes..][..self.pairs.n_classes]
    }

    /// How many rows of each class have the values of two columns.
    fn pair_counts(&self, codes: &[u32], a: usize, b: usize) -> &[f64] {
        let (low, high) = (a.min(b), a.max(b));
        let table = &self.pairs.pair(low, high).table;
        let cell = table.shape().cell(codes[low], codes[high], 0);
        &table.dense().unwrap_or_default()[cell..][..self.pairs.n_classes]
    }

    #[inline]
    fn information(&self, codes: &[u32], low: usize, high: usize) -> f64 {
        let pair = self.pairs.pair(low, high);
        pair.without[pair.table.shape().cell(codes[low], codes[high], self.own)]
    }
}
