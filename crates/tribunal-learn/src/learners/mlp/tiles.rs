//! Rows in tiles of eight: the values of a column for eight rows stand together, then those of the next column.
//!
//! Both products that a network needs, of rows with the weights of its units and of columns with what units pass back, read
//! a tile once for several units and keep their sums where the processor has them at hand. Sums are taken in the same order
//! on every machine.

use tribunal_algebra::vectorised;

use crate::training::Training;

/// Rows in a tile.
pub(super) const LANES: usize = 8;

/// A number for each row of a tile.
pub(super) type Lane = [f64; LANES];

/// Tiles whose columns are summed up one by one: they stay close to the processor.
const BLOCK: usize = 64;

/// What lies further out is taken for this: squares of it and their sums stay numbers.
pub(super) const FURTHEST: f64 = 1e100;

/// Training rows: inputs with a one behind them for the bias, whether each is of the class, and weights.
#[derive(Clone, Debug)]
pub(super) struct Tiles {
    /// One more than there are inputs.
    pub(super) width: usize,
    /// Tile after tile, column after column.
    values: Vec<Lane>,
    /// Is it of the class?
    pub(super) targets: Vec<Lane>,
    /// Nothing for rows that only fill the last tile.
    pub(super) weights: Vec<Lane>,
}

impl Tiles {
    /// The rows of a training set, where one class is told from all others.
    pub(super) fn of(training: &Training<'_>, class: usize) -> Tiles {
        let (matrix, n_rows) = (training.matrix(), training.n_rows());
        let n_tiles = n_rows.div_ceil(LANES);
        let lane = |tile: usize, number: &dyn Fn(usize) -> f64| -> Lane {
            std::array::from_fn(|lane| {
                Some(tile * LANES + lane).filter(|&row| row < n_rows).map_or(0.0, number)
            })
        };
        let lanes = |number: &dyn Fn(usize) -> f64| (0..n_tiles).map(|tile| lane(tile, number)).collect();
        let of_tile = |tile: usize| {
            let column = move |idx: usize| {
                let column = matrix.column(idx);
                lane(tile, &|row| column[row].clamp(-FURTHEST, FURTHEST))
            };
            (0..matrix.n_columns()).map(column).chain(std::iter::once([1.0; LANES]))
        };
        Tiles {
            width: matrix.n_columns() + 1,
            values: (0..n_tiles).flat_map(of_tile).collect(),
            targets: lanes(&|row| f64::from(u8::from(training.classes[row] as usize == class))),
            weights: lanes(&|row| training.weight(row)),
        }
    }

    pub(super) fn n_tiles(&self) -> usize {
        self.targets.len()
    }

    /// The columns of a tile.
    pub(super) fn tile(&self, tile: usize) -> &[Lane] {
        &self.values[tile * self.width..(tile + 1) * self.width]
    }

    /// The products of every row with the weights of units, for each tile unit after unit.
    pub(super) fn project(&self, unit_rows: &[f64], products: &mut [Lane]) {
        let (width, n_units) = (self.width, unit_rows.len() / self.width);
        vectorised(
            #[inline(always)]
            || {
                for tile in 0..self.n_tiles() {
                    let columns = &self.values[tile * width..(tile + 1) * width];
                    for first in (0..n_units).step_by(4) {
                        let rows = &unit_rows[first * width..];
                        let products = &mut products[tile * n_units + first..(tile + 1) * n_units];
                        match products.len() {
                            1 => project_units::<1>(columns, rows, products),
                            2 => project_units::<2>(columns, rows, products),
                            3 => project_units::<3>(columns, rows, products),
                            _ => project_units::<4>(columns, rows, products),
                        }
                    }
                }
            },
        );
    }

    /// The sums over rows of every column times a number for each row, for each of several such numbers, which stand as
    /// products do.
    pub(super) fn collect(&self, numbers: &[Lane], sums: &mut Sums) {
        let (width, n_units) = (self.width, numbers.len() / self.n_tiles().max(1));
        sums.lanes.clear();
        sums.lanes.resize(n_units * width, [0.0; LANES]);
        let lanes = &mut sums.lanes;
        vectorised(
            #[inline(always)]
            || {
                let blocks = self.values.chunks(BLOCK * width).zip(numbers.chunks(BLOCK * n_units.max(1)));
                for (tiles, numbers) in blocks {
                    for first in (0..n_units).step_by(4) {
                        let sums = &mut lanes[first * width..];
                        match n_units - first {
                            1 => collect_units::<1>(tiles, numbers, n_units, first, sums),
                            2 => collect_units::<2>(tiles, numbers, n_units, first, sums),
                            3 => collect_units::<3>(tiles, numbers, n_units, first, sums),
                            _ => collect_units::<4>(tiles, numbers, n_units, first, sums),
                        }
                    }
                }
            },
        );
        sums.values.clear();
        sums.values.extend(sums.lanes.iter().map(|lane| lane.iter().sum::<f64>()));
    }
}

/// Sums over rows, number after number and column after column.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    lanes: Vec<Lane>,
    pub(super) values: Vec<f64>,
}

/// Sums and a multiple of numbers.
#[inline(always)]
fn added(sums: Lane, factor: &Lane, numbers: &Lane) -> Lane {
    let mut found = [0.0; LANES];
    for lane in 0..LANES {
        found[lane] = factor[lane].mul_add(numbers[lane], sums[lane]);
    }
    found
}

#[inline(always)]
fn project_units<const N: usize>(columns: &[Lane], unit_rows: &[f64], products: &mut [Lane]) {
    let width = columns.len();
    let rows = &unit_rows[..N * width];
    let mut sums = [[0.0; LANES]; N];
    for (idx, column) in columns.iter().enumerate() {
        for unit in 0..N {
            sums[unit] = added(sums[unit], &[rows[unit * width + idx]; LANES], column);
        }
    }
    products[..N].copy_from_slice(&sums);
}

/// Adds the sums of every column times the numbers of some units, in the order of the tiles.
#[inline(always)]
fn collect_units<const N: usize>(
    tiles: &[Lane],
    numbers: &[Lane],
    n_units: usize,
    first: usize,
    sums: &mut [Lane],
) {
    let n_tiles = numbers.len() / n_units;
    let width = tiles.len() / n_tiles;
    for idx in 0..width {
        let mut of_block = [[0.0; LANES]; N];
        for tile in 0..n_tiles {
            let column = &tiles[tile * width + idx];
            let numbers = &numbers[tile * n_units + first..][..N];
            for unit in 0..N {
                of_block[unit] = added(of_block[unit], &numbers[unit], column);
            }
        }
        for unit in 0..N {
            let sum = &mut sums[unit * width + idx];
            *sum = added(*sum, &[1.0; LANES], &of_block[unit]);
        }
    }
}
