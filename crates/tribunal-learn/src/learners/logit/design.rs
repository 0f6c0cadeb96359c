//! The columns of a regression: an intercept, and those of a matrix that say something new.

use std::sync::Arc;

use rayon::prelude::*;
use tribunal_algebra::{Symmetric, add_scaled, dot};

use super::bundles::{Bundle, Slot};
use crate::encoding::Matrix;

/// A column is dropped if what the intercept and earlier columns leave of its squared norm is less than this share.
const LEAST_NEW: f64 = 1e-8;

/// Rows whose sums are made by one thread, and in one piece whatever the number of threads.
pub(super) const CHUNK: usize = 16_384;

/// Rows that a product takes at a time: they stay close to the processor.
const BLOCK: usize = 256;

/// Gram matrices of chunks that are held at a time, in bytes, though one a thread always is.
const MOST_HELD: usize = 64 << 20;

/// An intercept and some of the columns of a matrix.
#[derive(Clone, Debug)]
pub(super) struct Design<'a> {
    matrix: &'a Matrix,
    kept: Vec<usize>,
    /// Of all columns of the matrix, whether they are kept or not.
    bundles: Arc<Vec<Bundle>>,
    /// Kept columns that are in no bundle.
    single: Vec<Placed>,
    /// Kept columns of each bundle.
    bundled: Vec<Vec<Bundled>>,
}

/// A column of the matrix with its place among the coefficients.
#[derive(Clone, Copy, Debug)]
struct Placed {
    column: usize,
    at: usize,
}

/// A column of a bundle with its number there and its place among the coefficients.
#[derive(Clone, Copy, Debug)]
struct Bundled {
    number: usize,
    slot: Slot,
    at: usize,
}

impl<'a> Design<'a> {
    /// The columns that are not, for rows of some weight, a combination of the intercept and earlier ones.
    pub(super) fn of(matrix: &'a Matrix, weights: &[f64]) -> Self {
        let bundles = Arc::new(Bundle::all_of(matrix));
        let all = Design::new(matrix, (0..matrix.n_columns()).collect(), bundles.clone());
        let kept = new_columns(&all.gram(weights));
        Design::new(matrix, kept, bundles)
    }

    fn new(matrix: &'a Matrix, kept: Vec<usize>, bundles: Arc<Vec<Bundle>>) -> Self {
        let mut place_of = vec![None; matrix.n_columns()];
        kept.iter().zip(1..).for_each(|(&column, at)| place_of[column] = Some(at));
        let mut bundled = Vec::with_capacity(bundles.len());
        for bundle in bundles.iter() {
            let slots = bundle.slots.iter().enumerate();
            // What a bundle has is not single.
            let placed =
                slots.filter_map(|(number, slot)| Some((number, *slot, place_of[slot.column].take()?)));
            bundled.push(placed.map(|(number, slot, at)| Bundled { number, slot, at }).collect());
        }
        let single =
            (0..).zip(place_of).filter_map(|(column, at)| Some(Placed { column, at: at? })).collect();
        Design { matrix, kept, bundles, single, bundled }
    }

    /// The same rows without some columns of the matrix.
    pub(super) fn without(&self, is_left_out: impl Fn(usize) -> bool) -> Self {
        let kept = self.kept.iter().copied().filter(|&column| !is_left_out(column)).collect();
        Design::new(self.matrix, kept, self.bundles.clone())
    }

    /// The columns of the matrix that are used.
    pub(super) fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// How many coefficients there are: the intercept and one for each column.
    pub(super) fn width(&self) -> usize {
        self.kept.len() + 1
    }

    pub(super) fn n_rows(&self) -> usize {
        self.matrix.n_rows()
    }

    /// The linear predictor of some rows.
    pub(super) fn predict(&self, coefficients: &[f64], start: usize, predictors: &mut [f64]) {
        let n_rows = predictors.len();
        let off = |bundled: &Bundled| coefficients[bundled.at] * bundled.slot.off;
        predictors.fill(coefficients[0] + self.bundled.iter().flatten().map(off).sum::<f64>());
        for &Placed { column, at } in &self.single {
            add_scaled(predictors, coefficients[at], &self.matrix.column(column)[start..start + n_rows]);
        }
        for (bundle, members) in self.bundles.iter().zip(&self.bundled) {
            let mut steps = vec![0.0; bundle.slots.len() + 1];
            members.iter().for_each(|one| steps[one.number] = coefficients[one.at] * one.slot.step);
            let on = bundle.on(start, n_rows).iter();
            predictors.iter_mut().zip(on).for_each(|(predictor, &slot)| *predictor += steps[slot as usize]);
        }
    }

    /// Adds what rows from `start` on contribute to a gradient, each by its residual.
    pub(super) fn add_gradient(&self, residuals: &[f64], start: usize, gradient: &mut [f64]) {
        let total = residuals.iter().sum::<f64>();
        gradient[0] += total;
        for &Placed { column, at } in &self.single {
            gradient[at] += dot(&self.matrix.column(column)[start..start + residuals.len()], residuals);
        }
        for (bundle, members) in self.bundles.iter().zip(&self.bundled) {
            let sums = bundle.sums(start, residuals.iter().copied());
            for Bundled { number, slot, at } in members {
                gradient[*at] += slot.off * total + slot.step * sums[*number];
            }
        }
    }

    /// The lower triangle of `X' W X`, for a weight of each row.
    pub(super) fn gram(&self, weights: &[f64]) -> Symmetric {
        let mut gram = Symmetric::zeros(self.width());
        let n_held = chunks_at_once(self.width());
        for (held, weights) in weights.chunks(n_held * CHUNK).enumerate() {
            let of_chunk =
                |(chunk, weights): (usize, &[f64])| self.gram_of((held * n_held + chunk) * CHUNK, weights);
            let chunks: Vec<Symmetric> = weights.par_chunks(CHUNK).enumerate().map(of_chunk).collect();
            chunks.iter().for_each(|chunk| gram.add(chunk));
        }
        gram
    }

    /// The same of rows from `start` on.
    pub(super) fn gram_of(&self, start: usize, weights: &[f64]) -> Symmetric {
        let single = self.gram_of_single(start, weights);
        if self.bundles.is_empty() {
            return single;
        }
        let mut gram = Symmetric::zeros(self.width());
        let places: Vec<usize> =
            std::iter::once(0).chain(self.single.iter().map(|placed| placed.at)).collect();
        for (column, &at) in places.iter().enumerate() {
            // Places ascend as columns do.
            (column..places.len()).for_each(|row| *gram.at_mut(places[row], at) = single.at(row, column));
        }
        let sums: Vec<Vec<f64>> =
            self.bundles.iter().map(|bundle| bundle.sums(start, weights.iter().copied())).collect();
        for number in 0..self.bundles.len() {
            self.add_bundle(&mut gram, (start, weights), &sums, number);
            (0..number)
                .for_each(|other| self.add_bundles(&mut gram, (start, weights), &sums, [other, number]));
        }
        gram
    }

    /// The products of the columns of a bundle with each other and with single ones.
    fn add_bundle(
        &self,
        gram: &mut Symmetric,
        (start, weights): (usize, &[f64]),
        sums: &[Vec<f64>],
        number: usize,
    ) {
        let (bundle, members, sums) = (&self.bundles[number], &self.bundled[number], &sums[number]);
        let total = gram.at(0, 0);
        for (idx, one) in members.iter().enumerate() {
            *gram.at_mut(one.at, 0) = one.slot.off * total + one.slot.step * sums[one.number];
            for other in &members[idx..] {
                let both = if other.at == one.at { sums[one.number] } else { 0.0 };
                *gram.at_mut(other.at, one.at) =
                    product([one, other], total, [sums[one.number], sums[other.number]], both);
            }
        }
        for &Placed { column, at } in &self.single {
            let values = &self.matrix.column(column)[start..start + weights.len()];
            let weighted = values.iter().zip(weights).map(|(value, weight)| value * weight);
            let (of_column, of_slots) = (gram.at(at, 0), bundle.sums(start, weighted));
            for one in members {
                *gram.at_mut(one.at.max(at), one.at.min(at)) =
                    one.slot.off * of_column + one.slot.step * of_slots[one.number];
            }
        }
    }

    /// The products of the columns of two bundles.
    fn add_bundles(
        &self,
        gram: &mut Symmetric,
        (start, weights): (usize, &[f64]),
        sums: &[Vec<f64>],
        pair: [usize; 2],
    ) {
        let [first, second] = pair.map(|number| &self.bundles[number]);
        let width = second.slots.len() + 1;
        let mut both = vec![0.0; (first.slots.len() + 1) * width];
        let on = first.on(start, weights.len()).iter().zip(second.on(start, weights.len()));
        on.zip(weights).for_each(|((&a, &b), weight)| both[a as usize * width + b as usize] += weight);
        let total = gram.at(0, 0);
        for one in &self.bundled[pair[0]] {
            for other in &self.bundled[pair[1]] {
                let of_each = [sums[pair[0]][one.number], sums[pair[1]][other.number]];
                *gram.at_mut(one.at.max(other.at), one.at.min(other.at)) =
                    product([one, other], total, of_each, both[one.number * width + other.number]);
            }
        }
    }

    /// `X' W X` of an intercept and the columns that are in no bundle, of rows from `start` on.
    fn gram_of_single(&self, start: usize, weights: &[f64]) -> Symmetric {
        let width = self.single.len() + 1;
        let mut gram = Symmetric::zeros(width);
        let (mut plain, mut weighted) = (vec![1.0; width * BLOCK], vec![0.0; width * BLOCK]);
        for (block, weights) in weights.chunks(BLOCK).enumerate() {
            let (start, n_rows) = (start + block * BLOCK, weights.len());
            for (idx, placed) in self.single.iter().enumerate() {
                let values = &self.matrix.column(placed.column)[start..start + n_rows];
                plain[(idx + 1) * n_rows..][..n_rows].copy_from_slice(values);
            }
            plain[..n_rows].fill(1.0);
            for (weighted, plain) in
                weighted.chunks_exact_mut(n_rows).zip(plain.chunks_exact(n_rows)).take(width)
            {
                weighted
                    .iter_mut()
                    .zip(plain)
                    .zip(weights)
                    .for_each(|((to, from), weight)| *to = from * weight);
            }
            gram.add_product(&plain[..width * n_rows], &weighted[..width * n_rows], n_rows);
        }
        gram
    }

    /// A row: one for the intercept, then the columns.
    pub(super) fn row(&self, row: usize) -> Vec<f64> {
        std::iter::once(1.0).chain(self.kept.iter().map(|&column| self.matrix.column(column)[row])).collect()
    }

    /// Adds `weight` times the outer product of a row with itself to a lower triangle.
    pub(super) fn add_row(&self, gram: &mut Symmetric, row: usize, weight: f64) {
        let values = self.row(row);
        for column in 0..self.width() {
            add_scaled(gram.below_mut(column), weight * values[column], &values[column..]);
        }
    }
}

/// How many chunks are worked on before their Gram matrices are added up: all of a large table at once would be many matrices.
pub(super) fn chunks_at_once(width: usize) -> usize {
    (MOST_HELD / (width * width * size_of::<f64>()).max(1)).max(rayon::current_num_threads())
}

/// The weighted product of two columns `off + step z`, from the weight of all rows, of those of each z, and of those of both.
fn product([one, other]: [&Bundled; 2], total: f64, [of_one, of_other]: [f64; 2], both: f64) -> f64 {
    let (a, b) = (one.slot, other.slot);
    a.off * b.off * total + a.off * b.step * of_other + b.off * a.step * of_one + a.step * b.step * both
}

/// The columns that add something to earlier ones, by the Gram matrix of an intercept and all columns: its Cholesky factor,
/// row by row, without those that do not.
pub(super) fn new_columns(gram: &Symmetric) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    let mut factor: Vec<Vec<f64>> = Vec::new();
    for row in 0..gram.n() {
        let mut shares: Vec<f64> = Vec::with_capacity(kept.len() + 1);
        for (idx, &column) in kept.iter().enumerate() {
            let known = dot(&shares, &factor[idx][..idx]);
            shares.push((gram.at(row, column) - known) / factor[idx][idx]);
        }
        let norm = gram.at(row, row);
        let left = norm - dot(&shares, &shares);
        if left > LEAST_NEW * norm && left.is_finite() {
            shares.push(left.sqrt());
            kept.push(row);
            factor.push(shares);
        }
    }
    kept.into_iter().filter(|&column| column > 0).map(|column| column - 1).collect()
}

#[cfg(test)]
mod tests {
    use tribunal_random::Random;

    use super::*;

    /// Sums with bundles are those of every column by itself.
    #[test]
    fn bundles_change_no_sum() {
        let (n_rows, mut random) = (600, Random::new(3));
        let mut columns: Vec<Vec<f64>> = vec![(0..n_rows).map(|_| random.normal()).collect()];
        for (n_levels, off, on) in [(40, -0.1, 4.0), (35, 0.0, 1.0)] {
            let levels: Vec<u64> = (0..n_rows).map(|_| random.below(n_levels + 1)).collect();
            columns.extend((0..n_levels).map(|level| {
                levels.iter().map(|&one| if one == level { on } else { off }).collect::<Vec<f64>>()
            }));
        }
        columns.push((0..n_rows).map(|_| random.normal()).collect());
        let matrix = Matrix::from_columns(n_rows, columns);
        let numbers: Vec<f64> = (0..n_rows).map(|_| random.normal().abs()).collect();
        // A level and a number are left out.
        let kept: Vec<usize> = (0..matrix.n_columns()).filter(|column| ![5, 76].contains(column)).collect();
        let bundled = Design::new(&matrix, kept.clone(), Arc::new(Bundle::all_of(&matrix)));
        assert_eq!(bundled.bundles.len(), 2);
        let plain = Design::new(&matrix, kept, Arc::new(Vec::new()));
        let close = |a: f64, b: f64| assert!((a - b).abs() <= 1e-10 * (1.0 + a.abs()), "{a} is not {b}");
        let (start, some) = (100, &numbers[..450]);
        let (first, second) = (bundled.gram_of(start, some), plain.gram_of(start, some));
        for column in 0..plain.width() {
            (column..plain.width()).for_each(|row| close(first.at(row, column), second.at(row, column)));
        }
        let coefficients: Vec<f64> = (0..plain.width()).map(|_| random.normal()).collect();
        let predicted = |design: &Design<'_>| {
            let mut predictors = vec![0.0; some.len()];
            design.predict(&coefficients, start, &mut predictors);
            predictors
        };
        predicted(&bundled).into_iter().zip(predicted(&plain)).for_each(|(a, b)| close(a, b));
        let gradient = |design: &Design<'_>| {
            let mut gradient = vec![0.0; design.width()];
            design.add_gradient(some, start, &mut gradient);
            gradient
        };
        gradient(&bundled).into_iter().zip(gradient(&plain)).for_each(|(a, b)| close(a, b));
    }

    #[test]
    fn wide_matrices_are_not_held_by_the_hundred() {
        assert_eq!(chunks_at_once(5_000), rayon::current_num_threads());
        assert!(chunks_at_once(20) > 1_000);
    }
}
