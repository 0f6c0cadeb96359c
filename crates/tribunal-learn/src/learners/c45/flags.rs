//! Columns of two values without gaps, summed side by side.
//!
//! Most columns of claims are flags. Counted one by one, each takes a look at every row of a node; as masks that let the
//! weight of a row through where its value is the second, thirty-two of them are summed with a few instructions a row. What the
//! first values weigh is the rest of each class. Only whole weights are summed so, exactly as one by one.

use super::rows::Rows;
use super::weights::{Sum, Weigh};
use crate::encoding::NominalColumn;

/// Masks that are summed side by side.
const WIDTH: usize = 32;
/// Fewer flags are as quickly counted one by one.
const FEW: usize = 4;

/// The flags among the columns of a training set.
#[derive(Debug, Default)]
pub(crate) struct Flags {
    /// The place of each column among the flags.
    places: Vec<Option<u32>>,
    /// For each row all bits where the value of a flag is the second, none where it is the first.
    tiles: Vec<Vec<[u16; WIDTH]>>,
}

/// The weight of each class for both values of every flag, among the rows of a node.
#[derive(Default)]
pub(crate) struct FlagSums {
    n_classes: usize,
    /// Of second values, tile by tile and in it class by class; zero between uses.
    counts: Vec<[u16; WIDTH]>,
    classes: Vec<u16>,
    weights: Vec<f64>,
}

impl Flags {
    pub(crate) fn new(columns: &[NominalColumn]) -> Flags {
        let flags: Vec<Option<&[u32]>> = columns.iter().map(codes_of_flag).collect();
        if flags.iter().flatten().count() < FEW {
            return Flags::default();
        }
        let mut next = 0..;
        let places = flags.iter().map(|flag| flag.and_then(|_| next.next())).collect();
        let columns: Vec<&[u32]> = flags.into_iter().flatten().collect();
        Flags { places, tiles: columns.chunks(WIDTH).map(masks).collect() }
    }

    /// Some rows, numbered anew.
    pub(crate) fn take(&self, rows: &[u32]) -> Flags {
        let taken = |tile: &Vec<[u16; WIDTH]>| rows.iter().map(|&row| tile[row as usize]).collect();
        Flags { places: self.places.clone(), tiles: self.tiles.iter().map(taken).collect() }
    }

    /// Whether enough of these columns are flags for all to be summed.
    pub(crate) fn are_many(&self, columns: &[u32]) -> bool {
        columns.iter().filter(|&&column| self.place(column).is_some()).nth(FEW - 1).is_some()
    }

    fn place(&self, column: u32) -> Option<usize> {
        self.places.get(column as usize).copied().flatten().map(|place| place as usize)
    }
}

/// The codes of a column of two values without gaps.
fn codes_of_flag(column: &NominalColumn) -> Option<&[u32]> {
    match column {
        NominalColumn::Codes { codes, n_codes: 2 } if codes.iter().all(|&code| code < 2) => Some(codes),
        _ => None,
    }
}

fn masks(columns: &[&[u32]]) -> Vec<[u16; WIDTH]> {
    let mut masks = vec![[0; WIDTH]; columns[0].len()];
    for (place, codes) in columns.iter().enumerate() {
        masks.iter_mut().zip(*codes).for_each(|(masks, &code)| masks[place] = (code as u16).wrapping_neg());
    }
    masks
}

impl FlagSums {
    /// Whether weights that add up to this much are summed exactly.
    pub(crate) fn can_hold<S: Sum>(total: f64) -> bool {
        S::IS_WHOLE && total <= f64::from(u16::MAX)
    }

    /// Sums the rows of a node; whatever was summed before is forgotten.
    pub(crate) fn sum<W: Weigh>(
        &mut self,
        flags: &Flags,
        classes: (&[u32], usize),
        index: &[u32],
        rows: &Rows,
        weigh: &W,
    ) {
        let (classes, n_classes) = classes;
        self.n_classes = n_classes;
        self.counts.resize(flags.tiles.len() * n_classes, [0; WIDTH]);
        self.classes.resize(n_classes, 0);
        self.weights.clear();
        self.weights.resize(flags.tiles.len() * WIDTH * 2 * n_classes, 0.0);
        for (rows, factor) in rows.segments(index) {
            self.count(flags, classes, rows, weigh);
            self.flush(factor);
        }
    }

    fn count<W: Weigh>(&mut self, flags: &Flags, classes: &[u32], rows: &[u32], weigh: &W) {
        for &row in rows {
            let class = classes[row as usize] as usize;
            let weight = weigh.weight(row).into() as u16;
            self.classes[class] += weight;
            for (tile, counts) in flags.tiles.iter().zip(self.counts.chunks_exact_mut(self.n_classes)) {
                let masks = &tile[row as usize];
                counts[class].iter_mut().zip(masks).for_each(|(count, mask)| *count += mask & weight);
            }
        }
    }

    fn flush(&mut self, factor: f64) {
        let of_tile = 2 * self.n_classes * WIDTH;
        for (tile, weights) in self.weights.chunks_exact_mut(of_tile).enumerate() {
            for (class, &of_class) in self.classes.iter().enumerate() {
                let counts = std::mem::replace(&mut self.counts[tile * self.n_classes + class], [0; WIDTH]);
                for (weights, count) in weights.chunks_exact_mut(2 * self.n_classes).zip(counts) {
                    weights[class] += f64::from(of_class - count) * factor;
                    weights[self.n_classes + class] += f64::from(count) * factor;
                }
            }
        }
        self.classes.fill(0);
    }

    /// The weight of each class, value by value, of a column that is a flag.
    pub(crate) fn weights(&self, flags: &Flags, column: u32) -> Option<&[f64]> {
        let width = 2 * self.n_classes;
        flags.place(column).map(|place| &self.weights[place * width..(place + 1) * width])
    }
}
