//! TAN on all folds at once: pairs are counted fold by fold, and a fold's training rows are all the others.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::leave_one_out::leave_one_out;
use super::model::{Counted, Lean, Node};
use super::pair_table::{PairTable, Shape, codes_of};
use super::structure::{Information, Root, information, pairs};
use super::{MOST_COLUMNS, Tan};
use crate::column::MISSING;
use crate::cross::Folds;
use crate::encoding::NominalColumn;
use crate::learners::nb::{class_counts, is_constant};
use crate::model::Scorer;
use crate::posteriors::Posteriors;
use crate::training::Training;

/// Tables of all pairs of columns are kept up to this many cells.
const MOST_CELLS: usize = 1 << 24;

/// The posteriors of every row for each of the settings; `None` where only a fit for every fold will do.
pub(crate) fn cross(
    settings: &[&Tan],
    training: &Training<'_>,
    folds: &Folds<'_>,
) -> Vec<Option<Posteriors>> {
    let mut found = vec![None; settings.len()];
    for root in [Root::First, Root::Strongest] {
        let places: Vec<usize> = (0..settings.len()).filter(|&idx| settings[idx].root == root).collect();
        let alike: Vec<&Tan> = places.iter().map(|&idx| settings[idx]).collect();
        if !alike.is_empty() {
            let of_alike = cross_alike(root, &alike, training, folds);
            places.into_iter().zip(of_alike).for_each(|(idx, posteriors)| found[idx] = posteriors);
        }
    }
    found
}

/// The same for settings whose trees have the same root.
fn cross_alike(
    root: Root,
    settings: &[&Tan],
    training: &Training<'_>,
    folds: &Folds<'_>,
) -> Vec<Option<Posteriors>> {
    let columns = training.columns();
    // A fit will say that there are too many.
    if columns.len() > MOST_COLUMNS {
        return vec![None; settings.len()];
    }
    let all_pairs = pairs(columns.len());
    let shape =
        |&(first, second): &(usize, usize)| Shape::new(&columns[first], &columns[second], training.n_classes);
    let n_cells: usize = all_pairs.iter().map(|pair| shape(pair).n_cells()).fold(0, usize::saturating_add);
    let is_dense = all_pairs.iter().all(|pair| shape(pair).is_dense(training.n_rows()));
    if !is_dense || n_cells > MOST_CELLS {
        return vec![None; settings.len()];
    }
    if folds.leave_one_out() {
        let is_complete = |column: &NominalColumn| !codes_of(column).0.contains(&MISSING);
        let can = root == Root::First && training.weights.is_none() && columns.iter().all(is_complete);
        return if can { leave_one_out(settings, training) } else { vec![None; settings.len()] };
    }
    let sorted = Sorted::new(training, folds);
    let owns = sorted.own_tables();
    let trees = sorted.trees(&owns, &all_pairs, root);
    sorted.posteriors(settings, &owns, &trees, folds).into_iter().map(Some).collect()
}

/// The rows of each fold beside each other.
struct Sorted {
    folds: Vec<Training<'static>>,
}

/// A table with all rows, and the part of each fold.
struct FoldTables {
    all: Vec<f64>,
    folds: Vec<Vec<f64>>,
}

impl FoldTables {
    fn of(tables: impl Iterator<Item = Vec<f64>>) -> Self {
        let folds: Vec<Vec<f64>> = tables.collect();
        let mut all = vec![0.0; folds.first().map_or(0, Vec::len)];
        for fold in &folds {
            all.iter_mut().zip(fold).for_each(|(all, cell)| *all += cell);
        }
        FoldTables { all, folds }
    }

    /// What remains when a fold is left out.
    fn without(&self, fold: usize) -> Vec<f64> {
        self.all.iter().zip(&self.folds[fold]).map(|(all, gone)| all - gone).collect()
    }
}

impl Sorted {
    fn new(training: &Training<'_>, folds: &Folds<'_>) -> Self {
        let of_fold = |fold: usize| training.take(folds.tested(fold));
        Sorted { folds: (0..folds.n_folds()).into_par_iter().map(of_fold).collect() }
    }

    fn pair_tables(&self, first: usize, second: usize) -> (Option<Shape>, FoldTables) {
        let table =
            |fold: &Training<'_>| PairTable::count(&fold.columns()[first], &fold.columns()[second], fold);
        let shape = self.folds.first().map(|fold| table(fold).shape());
        let cells = |fold: &Training<'_>| table(fold).dense().map_or_else(Vec::new, <[f64]>::to_vec);
        (shape, FoldTables::of(self.folds.iter().map(cells)))
    }

    /// The counts of each column.
    fn own_tables(&self) -> Vec<FoldTables> {
        let own = |column: usize| {
            FoldTables::of(self.folds.iter().map(|fold| {
                let (codes, n_codes) = codes_of(&fold.columns()[column]);
                class_counts(codes, n_codes, fold)
            }))
        };
        let n_columns = self.folds.first().map_or(0, |fold| fold.columns().len());
        (0..n_columns).into_par_iter().map(own).collect()
    }

    /// The tree of columns of each fold.
    fn trees(
        &self,
        owns: &[FoldTables],
        all_pairs: &[(usize, usize)],
        root: Root,
    ) -> Vec<Vec<Option<usize>>> {
        let n_classes = self.folds.first().map_or(1, |fold| fold.n_classes);
        let varying = |fold: usize| -> Vec<usize> {
            (0..owns.len()).filter(|&column| !is_constant(&owns[column].without(fold), n_classes)).collect()
        };
        let of_pair = |&(first, second): &(usize, usize)| -> Vec<i128> {
            let (shape, tables) = self.pair_tables(first, second);
            let Some(shape) = shape else { return Vec::new() };
            let of_fold = |fold: usize| information(&PairTable::of_cells(shape, tables.without(fold)));
            (0..self.folds.len()).map(of_fold).collect()
        };
        let of_pairs: Vec<Vec<i128>> = all_pairs.par_iter().map(of_pair).collect();
        let tree = |fold: usize| {
            let information = of_pairs.iter().map(|folds| folds[fold]).collect();
            Information::new(owns.len(), information).tree(root, &varying(fold))
        };
        (0..self.folds.len()).map(tree).collect()
    }

    fn posteriors(
        &self,
        settings: &[&Tan],
        owns: &[FoldTables],
        trees: &[Vec<Option<usize>>],
        folds: &Folds<'_>,
    ) -> Vec<Posteriors> {
        let edge = |(child, parent): (usize, &Option<usize>)| parent.map(|parent| (parent, child));
        let mut edges: Vec<(usize, usize)> =
            trees.iter().flat_map(|tree| tree.iter().enumerate().filter_map(edge)).collect();
        edges.sort_unstable();
        edges.dedup();
        let of_edge = |&(parent, child): &(usize, usize)| ((parent, child), self.pair_tables(parent, child));
        let leans: FxHashMap<(usize, usize), (Option<Shape>, FoldTables)> =
            edges.par_iter().map(of_edge).collect();
        let classes = FoldTables::of(self.folds.iter().map(Training::class_weights));
        let of_fold = |(fold, tree): (usize, &Vec<Option<usize>>)| {
            let node = |(column, parent): (usize, &Option<usize>)| {
                let lean = parent.and_then(|parent| {
                    let (shape, tables) = &leans[&(parent, column)];
                    Some(Lean { parent, pairs: PairTable::of_cells((*shape)?, tables.without(fold)) })
                });
                Node { own: owns[column].without(fold), lean }
            };
            let nodes: Vec<Node> = tree.iter().enumerate().map(node).collect();
            let tested = &self.folds[fold];
            let posteriors = |settings: &&Tan| {
                let (smoothing, class_weights) = (settings.smoothing, classes.without(fold));
                let model = Counted { smoothing, class_weights, nodes: nodes.clone() }.prepared();
                model.posteriors(&tested.inputs)
            };
            settings.iter().map(posteriors).collect()
        };
        let of_folds: Vec<Vec<Posteriors>> = trees.par_iter().enumerate().map(of_fold).collect();
        folds.of_members(settings.len(), &of_folds)
    }
}
