//! What machines say of rows that they were not trained on, from the inverse of the matrix of all rows.
//!
//! With the inverse H over rows T and the bias bordered, `Q = H - H 1 1' H / 1' H 1`. For a block B of rows that are left out,
//! `t_B - f_B = Q_BB^-1 a_B`, where a are the coefficients of all of T and f what a machine of the others says. Rows F that
//! are not in T at all are first taken out of an inverse over more rows: `H_TT - H_TF H_FF^-1 H_FT`. Nothing larger than a
//! block or F is ever factored anew (An, Liu and Venkatesh 2007).

use rustc_hash::FxHashMap;
use tribunal_algebra::{Cholesky, Rectangle};

use super::divided::{Block, Part};
use super::inverse::Inverse;
use super::model::margins;
use super::system::balance;
use crate::posteriors::Posteriors;

/// The machine of all rows of a scenario.
pub(super) struct LeftOut<'a> {
    inverse: &'a Inverse,
    part: &'a Part,
    twins: &'a [u32],
    /// Inner products of its columns are what taking out the absent rows takes off the inverse.
    taken: Rectangle,
    /// The solution for ones, by position in the scenario, divided by the root of its sum.
    ones: Vec<f64>,
    /// The coefficients of the rows of the scenario, for each output.
    coefficients: Vec<Vec<f64>>,
}

/// Ones and targets of a scenario, zero where it has no row.
pub(super) fn right_hand_sides(part: &Part, n_rows: usize) -> impl Iterator<Item = Vec<f64>> + '_ {
    let ones = vec![1.0; part.places.len()];
    let targets = (0..part.targets.n_columns()).map(|idx| part.targets.column(idx).to_vec());
    std::iter::once(ones).chain(targets).map(move |values| {
        let mut spread = vec![0.0; n_rows];
        part.places.iter().zip(values).for_each(|(&place, value)| spread[place as usize] = value);
        spread
    })
}

impl<'a> LeftOut<'a> {
    /// From the inverse and its product with the right-hand sides of the scenario; `None` where rounding errors are in the way.
    pub(super) fn new(
        inverse: &'a Inverse,
        (part, twins): (&'a Part, &'a [u32]),
        mut solved: Rectangle,
    ) -> Option<Self> {
        let taken = take_out(inverse, &part.absent, &mut solved)?;
        let own = |idx: usize| -> Vec<f64> {
            part.places.iter().map(|&place| solved.column(idx)[place as usize]).collect()
        };
        let ones = own(0);
        let total = ones.iter().sum::<f64>();
        let balanced = |idx: usize| {
            let mut coefficients = own(idx);
            balance(&mut coefficients, &ones);
            coefficients
        };
        let coefficients = (1..solved.n_columns()).map(balanced).collect();
        (total > 0.0).then(|| {
            let ones = ones.iter().map(|one| one / total.sqrt()).collect();
            LeftOut { inverse, part, twins, taken, ones, coefficients }
        })
    }

    /// What a machine of all other rows says of a fold.
    pub(super) fn posteriors(&self, block: &Block) -> Option<Posteriors> {
        let places: Vec<u32> = block.positions.iter().map(|&at| self.part.places[at as usize]).collect();
        let mut matrix = self.inverse.block(&places);
        matrix.subtract_inner(&self.taken_at(block));
        let factor = Cholesky::of(matrix)?;
        let alike = self.first_alike(&places[..block.n_tested]);
        let of_output = |(idx, coefficients): (usize, &Vec<f64>)| {
            let mut errors: Vec<f64> = block.positions.iter().map(|&at| coefficients[at as usize]).collect();
            factor.solve(&mut errors);
            let targets = self.part.targets.column(idx);
            let tested = block.positions.iter().zip(errors);
            let values: Vec<f64> = tested.map(|(&at, error)| targets[at as usize] - error).collect();
            alike.iter().map(|&first| values[first]).collect()
        };
        let values: Vec<Vec<f64>> = self.coefficients.iter().enumerate().map(of_output).collect();
        Some(margins(&values, self.part.n_classes))
    }

    /// For each row the first of the same numbers. A machine says the same of both, and rounding errors must not tell them apart:
    /// rankings know ties.
    fn first_alike(&self, places: &[u32]) -> Vec<usize> {
        let mut first: FxHashMap<u32, usize> = FxHashMap::default();
        let of_place = |(idx, &place): (usize, &u32)| *first.entry(self.twins[place as usize]).or_insert(idx);
        places.iter().enumerate().map(of_place).collect()
    }

    /// What the absent rows and the bias take off, at the rows of a block.
    fn taken_at(&self, block: &Block) -> Rectangle {
        let mut values = Vec::with_capacity((self.taken.n_rows() + 1) * block.positions.len());
        for &at in &block.positions {
            values.extend_from_slice(self.taken.column(self.part.places[at as usize] as usize));
            values.push(self.ones[at as usize]);
        }
        Rectangle::of(self.taken.n_rows() + 1, block.positions.len(), values)
    }
}

/// Takes rows out of an inverse and its products.
fn take_out(inverse: &Inverse, absent: &[u32], solved: &mut Rectangle) -> Option<Rectangle> {
    let n_rows = solved.n_rows();
    if absent.is_empty() {
        return Some(Rectangle::zeros(0, n_rows));
    }
    let factor = Cholesky::of(inverse.block(absent))?;
    let mut taken = inverse.rows(absent);
    factor.solve_half(&mut taken);
    let at_absent = |idx: usize| absent.iter().map(move |&place| (idx, place as usize));
    let values = (0..solved.n_columns()).flat_map(at_absent).map(|(idx, place)| solved.column(idx)[place]);
    let mut gone = Rectangle::of(absent.len(), solved.n_columns(), values.collect());
    factor.solve_half(&mut gone);
    let change = taken.transposed_times(&gone);
    solved.values_mut().iter_mut().zip(change.values()).for_each(|(value, change)| *value -= change);
    Some(taken)
}
