//! TAN judged by all rows but one: what a row adds to the information of a pair is known without counting again.
//!
//! Without a row that has the values a and b and the class t, the information of a pair (times rows) changes by
//! -g(n_abt) + g(n_at) + g(n_bt) - g(n_t), where g(n) = n ln n - (n - 1) ln (n - 1). So each cell of a table is turned, once,
//! into the information that the pair would have without one of its rows; a row then finds its own tree by looking up one
//! number a pair.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::Tan;
use super::model::TanModel;
use super::pair_table::{PairTable, codes_of};
use super::promising::Promising;
use super::structure::{Information, Root, information, pairs, term};
use crate::encoding::NominalColumn;
use crate::learners::log_scores::{normalise, shares};
use crate::learners::nb::class_counts;
use crate::learners::smoothing::Smoothing;
use crate::model::Scorer;
use crate::posteriors::Posteriors;
use crate::training::Training;

/// Rows that a thread takes at a time.
const ROWS_AT_A_TIME: usize = 64;

/// The tables of all pairs, one behind the other.
pub(super) struct Pairs<'a> {
    codes: Vec<&'a [u32]>,
    n_classes: usize,
    class_weights: Vec<f64>,
    /// How many rows of each class have each value of a column, value by value.
    owns: Vec<Vec<f64>>,
    /// The information of each pair.
    information: Vec<i128>,
    /// Where the table of two columns is, for each column and each other one.
    places: Vec<Place>,
    /// How many rows each cell has.
    counts: Vec<f64>,
    /// The information of the pair without one row of the cell; whole numbers, and exact in this type.
    without: Vec<f64>,
}

/// Rows without which a column is constant. The others then form another tree, which is found by fitting them.
struct Refitted {
    /// Row by row the posteriors of each of the settings.
    rows: FxHashMap<usize, Vec<f64>>,
}

impl Refitted {
    fn of(settings: &[&Tan], training: &Training<'_>) -> Self {
        let mut lone: Vec<usize> = training.columns().iter().flat_map(lone_rows).collect();
        lone.sort_unstable();
        lone.dedup();
        let posteriors = |row: usize| {
            let others: Vec<u32> =
                (0..training.n_rows() as u32).filter(|&other| other as usize != row).collect();
            let (others, row_alone) = (training.take(&others), training.take(&[row as u32]));
            let of_settings = |settings: &&Tan| {
                TanModel::fit(settings, &others).posteriors(&row_alone.inputs).row(0).to_vec()
            };
            (row, settings.iter().flat_map(of_settings).collect())
        };
        Refitted { rows: lone.into_par_iter().map(posteriors).collect() }
    }

    fn row(&self, row: usize) -> Option<&[f64]> {
        self.rows.get(&row).map(Vec::as_slice)
    }
}

/// The rows of a column that varies but would not without the row: one, or both of two.
fn lone_rows(column: &NominalColumn) -> Vec<usize> {
    let codes = codes_of(column).0;
    let Some(&first) = codes.first() else { return Vec::new() };
    let mut others = (0..codes.len()).filter(|&row| codes[row] != first);
    match (others.next(), others.next()) {
        (None, _) => Vec::new(),
        (Some(row), None) if codes.len() == 2 => vec![0, row],
        (Some(row), None) => vec![row],
        // The first row may be the one that differs.
        (Some(other), Some(_)) => {
            let is_lone = codes[1..].iter().all(|&code| code == codes[other]);
            if is_lone { vec![0] } else { Vec::new() }
        }
    }
}

/// Where the cells of two columns begin, and how far apart neighbouring codes of each are.
#[derive(Clone, Copy, Default)]
struct Place {
    start: u32,
    step: u32,
    other_step: u32,
}

impl Place {
    /// The first cell of two codes. There are fewer than 2^24 cells.
    #[inline]
    fn cell(&self, code: u32, other: u32) -> usize {
        (self.start + code * self.step + other * self.other_step) as usize
    }
}

/// The posteriors of every row for each of the settings, from rows that all count once and miss nothing.
pub(super) fn leave_one_out(settings: &[&Tan], training: &Training<'_>) -> Vec<Option<Posteriors>> {
    let n_classes = training.n_classes;
    let pairs = Pairs::of(training);
    if pairs.without.iter().any(|weight| weight.abs() > 2_f64.powi(52)) {
        return vec![None; settings.len()];
    }
    let judge = Judge::new(settings, &pairs);
    let refitted = Refitted::of(settings, training);
    let width = settings.len() * n_classes;
    let mut values = vec![0.0; training.n_rows() * width];
    values.par_chunks_mut(width.max(1) * ROWS_AT_A_TIME).enumerate().for_each(|(block, values)| {
        for (idx, values) in values.chunks_exact_mut(width).enumerate() {
            let row = block * ROWS_AT_A_TIME + idx;
            match refitted.row(row) {
                Some(posteriors) => values.copy_from_slice(posteriors),
                None => judge.judge(row, training.classes[row] as usize, values),
            }
        }
    });
    let of_member = |idx: usize| {
        let rows = values.chunks_exact(width).map(|values| &values[idx * n_classes..][..n_classes]);
        Posteriors::from_rows(n_classes, rows)
    };
    (0..settings.len()).map(|idx| Some(of_member(idx))).collect()
}

impl<'a> Pairs<'a> {
    fn of(training: &'a Training<'_>) -> Self {
        // Columns that are constant are constant without any row too.
        let columns: Vec<&NominalColumn> =
            training.columns().iter().filter(|column| column.varies()).collect();
        let own = |column: &&NominalColumn| class_counts(codes_of(column).0, codes_of(column).1, training);
        let owns: Vec<Vec<f64>> = columns.iter().map(own).collect();
        let (n_columns, n_classes) = (columns.len(), training.n_classes);
        let class_weights = training.class_weights();
        let of_pair = |&(first, second): &(usize, usize)| {
            let table = PairTable::count(columns[first], columns[second], training);
            let without = without_one(&table, &owns[first], &owns[second], &class_weights);
            (information(&table), table, without)
        };
        let all_pairs = pairs(n_columns);
        let tables: Vec<(i128, PairTable, Vec<f64>)> = all_pairs.par_iter().map(of_pair).collect();
        let codes = columns.iter().map(|column| codes_of(column).0).collect();
        let places = vec![Place::default(); n_columns * n_columns];
        let mut found = Pairs {
            codes,
            class_weights,
            owns,
            n_classes,
            places,
            counts: Vec::new(),
            without: Vec::new(),
            information: Vec::new(),
        };
        for ((first, second), (information, table, without)) in all_pairs.into_iter().zip(tables) {
            let [start, step, next] =
                [found.counts.len(), table.shape().n_second * n_classes, n_classes].map(|place| place as u32);
            found.places[first * n_columns + second] = Place { start, step, other_step: next };
            found.places[second * n_columns + first] = Place { start, step: next, other_step: step };
            found.counts.extend_from_slice(table.dense().unwrap_or_default());
            found.without.extend(without);
            found.information.push(information);
        }
        found
    }

    pub(super) fn n_columns(&self) -> usize {
        self.codes.len()
    }

    /// The least and the greatest information that a pair has without one row of a class; `None` if it has no row.
    pub(super) fn range(&self, a: usize, b: usize, class: usize) -> Option<[f64; 2]> {
        let place = self.place(a, b);
        let n_cells = self.n_values(a) * self.n_values(b) * self.n_classes;
        let cells = (place.start as usize..).take(n_cells).skip(class).step_by(self.n_classes);
        let found = cells.filter(|&cell| self.counts[cell] > 0.0).map(|cell| self.without[cell]);
        found.fold(None, |range, value| {
            let [least, most] = range.unwrap_or([value; 2]);
            Some([least.min(value), most.max(value)])
        })
    }

    fn place(&self, a: usize, b: usize) -> &Place {
        &self.places[a * self.codes.len() + b]
    }

    /// How many rows of each class have a value.
    fn own(&self, column: usize, code: u32) -> &[f64] {
        &self.owns[column][code as usize * self.n_classes..][..self.n_classes]
    }

    fn n_values(&self, column: usize) -> usize {
        self.owns[column].len() / self.n_classes
    }

    /// The counts behind the share of a value, given the class and the value of the parent.
    fn counts(&self, column: usize, code: u32, parent: Option<(usize, u32)>) -> Counts<'_> {
        let of_value = self.own(column, code);
        let n_left = self.class_weights.iter().sum::<f64>() - 1.0;
        let marginal = if n_left > 0.0 { (of_value.iter().sum::<f64>() - 1.0) / n_left } else { 0.0 };
        let n_values = self.n_values(column);
        let Some((parent, parent_code)) = parent else {
            return Counts { counts: of_value, totals: &self.class_weights, n_values, marginal };
        };
        let place = self.place(parent, column);
        let counts = &self.counts[place.cell(parent_code, code)..][..self.n_classes];
        Counts { counts, totals: self.own(parent, parent_code), n_values, marginal }
    }

    /// The first cell of the values that two columns have in a row.
    #[inline]
    fn cell(&self, codes: &[u32], a: usize, b: usize) -> usize {
        self.places[a * codes.len() + b].cell(codes[a], codes[b])
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

/// How many rows of each class have a value, and how many they are among.
struct Counts<'a> {
    counts: &'a [f64],
    totals: &'a [f64],
    n_values: usize,
    /// The share of the value over all classes, without the row that is left out and has it.
    marginal: f64,
}

impl Counts<'_> {
    /// The log of the share in a class, with so many rows left out.
    fn log(&self, smoothing: Smoothing, class: usize, n_gone: f64) -> f64 {
        let (count, total) = (self.counts[class] - n_gone, self.totals[class] - n_gone);
        smoothing.share(count, total, self.n_values, self.marginal).ln()
    }
}

/// Judges rows that are left out. Most rows leave the tree of all rows as it is, whose factors are therefore laid out.
struct Judge<'a> {
    pairs: &'a Pairs<'a>,
    smoothings: Vec<Smoothing>,
    /// The tree of all rows.
    parents: Vec<Option<usize>>,
    factors: Vec<Factors>,
    /// The pairs that can be in the tree, by the class of the row that is left out.
    promising: Vec<Promising>,
}

/// The factors of a column in the tree of all rows: cell by cell, model by model, class by class.
struct Factors {
    /// Of the classes that a row is not of.
    kept: Vec<f64>,
    /// Of its own class.
    less: Vec<f64>,
}

impl<'a> Judge<'a> {
    fn new(settings: &[&Tan], pairs: &'a Pairs<'a>) -> Self {
        let smoothings: Vec<Smoothing> = settings.iter().map(|settings| settings.smoothing).collect();
        let parents = Information::new(pairs.codes.len(), pairs.information.clone())
            .tree(Root::First, &(0..pairs.codes.len()).collect::<Vec<usize>>());
        let factors =
            parents.iter().enumerate().map(|(column, &parent)| pairs.factors(column, parent, &smoothings));
        let promising = (0..pairs.n_classes).map(|class| Promising::of(pairs, class)).collect();
        Judge { factors: factors.collect(), parents, pairs, smoothings, promising }
    }

    /// Writes the probability of each class for each of the settings.
    fn judge(&self, row: usize, own: usize, values: &mut [f64]) {
        let Pairs { n_classes, class_weights, .. } = self.pairs;
        let codes: Vec<u32> = self.pairs.codes.iter().map(|codes| codes[row]).collect();
        let parents =
            self.promising[own].tree(|a, b| self.pairs.without[self.pairs.cell(&codes, a, b) + own]);
        let gone = |class: usize| f64::from(u8::from(class == own));
        let left: Vec<f64> = class_weights.iter().enumerate().map(|(class, all)| all - gone(class)).collect();
        let priors = shares(&left);
        for scores in values.chunks_exact_mut(*n_classes) {
            scores.iter_mut().zip(&priors).for_each(|(score, prior)| *score = prior.ln());
        }
        for (column, &parent) in parents.iter().enumerate() {
            if parent == self.parents[column] {
                self.add_usual(column, parent, &codes, own, values);
                continue;
            }
            let counts =
                self.pairs.counts(column, codes[column], parent.map(|parent| (parent, codes[parent])));
            for (&smoothing, scores) in self.smoothings.iter().zip(values.chunks_exact_mut(*n_classes)) {
                for (class, score) in scores.iter_mut().enumerate() {
                    *score += counts.log(smoothing, class, gone(class));
                }
            }
        }
        values.chunks_exact_mut(*n_classes).for_each(|scores| normalise(scores, &priors));
    }

    /// Adds the factors of a column that leans on the same column as in the tree of all rows.
    fn add_usual(&self, column: usize, parent: Option<usize>, codes: &[u32], own: usize, values: &mut [f64]) {
        let parent_code = parent.map_or(0, |parent| codes[parent] as usize);
        let cell = parent_code * self.pairs.n_values(column) + codes[column] as usize;
        let (kept, less) = (&self.factors[column].kept, &self.factors[column].less);
        let at = cell * values.len();
        for (idx, score) in values.iter_mut().enumerate() {
            let factors = if idx % self.pairs.n_classes == own { less } else { kept };
            *score += factors[at + idx];
        }
    }
}

impl Pairs<'_> {
    fn factors(&self, column: usize, parent: Option<usize>, smoothings: &[Smoothing]) -> Factors {
        let mut factors = Factors { kept: Vec::new(), less: Vec::new() };
        for parent_code in 0..parent.map_or(1, |parent| self.n_values(parent)) as u32 {
            for code in 0..self.n_values(column) as u32 {
                let counts = self.counts(column, code, parent.map(|parent| (parent, parent_code)));
                for (smoothing, class) in
                    smoothings.iter().flat_map(|s| (0..self.n_classes).map(move |c| (*s, c)))
                {
                    factors.kept.push(counts.log(smoothing, class, 0.0));
                    factors.less.push(counts.log(smoothing, class, 1.0));
                }
            }
        }
        factors
    }
}
