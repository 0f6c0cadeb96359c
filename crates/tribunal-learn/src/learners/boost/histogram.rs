//! Histograms of a node: the gradients and Hessians of its rows, summed by the bins of each column.
//!
//! Columns lie in tiles of eight, row by row. A flag has two bins only; were its rows added up by themselves, each addition
//! would wait for the one before, while those to the eight columns of a tile go on side by side. The rows of a bin are added
//! in their order, in double precision, whatever the tile and however many cores; what is kept is rounded to single.
//!
//! **Reference** Ke and others 2017.

use std::ops::Range;

use rayon::prelude::*;

use super::bins::Bins;
use super::derivatives::Derivatives;

/// Columns that are summed side by side.
const TILE: usize = 8;

/// Columns of bins, tile by tile.
pub(super) struct Tiles {
    tiles: Vec<Tile>,
    columns: Vec<TiledColumn>,
    n_slots: usize,
}

/// Eight columns or, in the last tile, fewer.
struct Tile {
    n_slots: usize,
    /// For each row the places of its bins among the sums of the tile.
    rows: Vec<[u16; TILE]>,
}

/// A column that a tree may be split on.
pub(super) struct TiledColumn {
    /// Its place among all.
    pub(super) column: usize,
    /// Where its sums are in a histogram: missing values first.
    pub(super) slots: Range<usize>,
}

/// The sums of a node, of every column by its bins.
pub(super) type Histogram = Vec<Derivatives<f32>>;

/// Memory that the histograms of one tree after another are made in.
#[derive(Default)]
pub(super) struct Workspace {
    of_rows: Vec<Derivatives<f64>>,
    of_tiles: Vec<Vec<Derivatives<f64>>>,
    free: Vec<Histogram>,
    /// Rows that are on the wrong side of a split.
    pub(super) places: [Vec<u32>; 2],
}

impl Tiles {
    /// Some columns, by their place.
    pub(super) fn new(bins: &Bins, columns: &[usize]) -> Tiles {
        let mut tiled = Tiles { tiles: Vec::new(), columns: Vec::new(), n_slots: 0 };
        columns.chunks(TILE).for_each(|columns| tiled.add(bins, columns));
        tiled
    }

    fn add(&mut self, bins: &Bins, columns: &[usize]) {
        let mut rows = vec![[0; TILE]; bins.n_rows()];
        let mut n_slots = 0;
        for (place, &column) in columns.iter().enumerate() {
            let binned = bins.column(column);
            let start = n_slots as u16;
            rows.iter_mut().zip(binned.bins()).for_each(|(row, bin)| row[place] = start + bin);
            let first = self.n_slots + n_slots;
            self.columns.push(TiledColumn { column, slots: first..first + binned.n_bins() });
            // One more for numbers beyond all splits.
            n_slots += binned.n_bins() + 1;
        }
        for place in columns.len()..TILE {
            rows.iter_mut().for_each(|row| row[place] = n_slots as u16);
            n_slots += 1;
        }
        self.n_slots += n_slots;
        self.tiles.push(Tile { n_slots, rows });
    }

    pub(super) fn columns(&self) -> &[TiledColumn] {
        &self.columns
    }

    /// The histogram of some rows.
    pub(super) fn histogram(
        &self,
        rows: &[u32],
        of_rows: &[Derivatives<f32>],
        workspace: &mut Workspace,
        on_all_cores: bool,
    ) -> Histogram {
        let mut histogram = workspace.free.pop().unwrap_or_default();
        histogram.resize(self.n_slots, Derivatives::default());
        let Workspace { of_rows: gathered, of_tiles, .. } = workspace;
        gathered.clear();
        gathered.extend(rows.iter().map(|&row| of_rows[row as usize].widened()));
        of_tiles.resize_with(self.tiles.len(), Vec::new);
        let add = |(tile, sums): (&Tile, &mut Vec<_>)| tile.add_up(rows, gathered, sums);
        match on_all_cores {
            true => self.tiles.par_iter().zip(of_tiles.par_iter_mut()).for_each(add),
            false => self.tiles.iter().zip(of_tiles.iter_mut()).for_each(add),
        }
        let sums = of_tiles.iter().flatten();
        histogram.iter_mut().zip(sums).for_each(|(bin, sums)| *bin = sums.rounded());
        histogram
    }
}

impl Tile {
    /// The sums of some rows, whose derivatives are given.
    fn add_up(&self, rows: &[u32], of_rows: &[Derivatives<f64>], sums: &mut Vec<Derivatives<f64>>) {
        sums.clear();
        sums.resize(self.n_slots, Derivatives::default());
        for (&row, of_row) in rows.iter().zip(of_rows) {
            for &slot in &self.rows[row as usize] {
                sums[usize::from(slot)] += *of_row;
            }
        }
    }
}

impl Workspace {
    /// Turns the histogram of a node into that of one of its children, the other being given.
    pub(super) fn without(mut node: Histogram, child: &[Derivatives<f32>]) -> Histogram {
        node.iter_mut().zip(child).for_each(|(bin, of_child)| *bin -= *of_child);
        node
    }

    /// Takes back what is no longer needed.
    pub(super) fn give_back(&mut self, histogram: Histogram) {
        if !histogram.is_empty() {
            self.free.push(histogram);
        }
    }
}
