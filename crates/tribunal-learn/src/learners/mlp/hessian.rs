//! The exact second derivatives of the cross-entropy of a network.
//!
//! Of a row with log-odds a and probability y they are `y (1 - y) a' a'^T + (y - t) a''`. The first part is one product of
//! all gradients of a, in blocks of rows; a'' is not zero only within a hidden unit and between it and its output weight.

use tribunal_algebra::Symmetric;

use super::layout::Layout;
use super::network::Network;
use super::tiles::{LANES, Lane, Sums, Tiles};

/// Tiles that a product takes at a time: their rows stay close to the processor.
const BLOCK: usize = 32;

/// The second derivatives of the cross-entropy where a network stands.
pub(super) fn hessian(network: &Network<'_>) -> Symmetric {
    let (layout, n_tiles) = (network.layout, network.tiles.n_tiles());
    let mut hessian = Symmetric::zeros(layout.n_weights());
    let mut units = vec![Symmetric::zeros(layout.n_inputs + 1); layout.n_hidden];
    let mut block = Block::new(network);
    for first in (0..n_tiles).step_by(BLOCK) {
        block.take(first..n_tiles.min(first + BLOCK));
        block.add_gradients(&mut hessian);
        units.iter_mut().enumerate().for_each(|(unit, sum)| block.add_unit(unit, sum));
    }
    for (unit, sum) in units.iter().enumerate() {
        add_block(&mut hessian, layout, unit, sum);
    }
    add_crossed(&mut hessian, network);
    hessian
}

/// Adds what inputs have in common within a hidden unit.
fn add_block(hessian: &mut Symmetric, layout: Layout, unit: usize, sum: &Symmetric) {
    for column in 0..sum.n() {
        for row in column..sum.n() {
            *hessian.at_mut(layout.of_unit(unit, row), layout.of_unit(unit, column)) += sum.at(row, column);
        }
    }
}

/// Adds what the inputs of hidden units have in common with the weight that leads on.
fn add_crossed(hessian: &mut Symmetric, network: &Network<'_>) {
    let (hidden, residuals) = network.said();
    let n_hidden = network.layout.n_hidden;
    let bent = |(idx, hidden): (usize, &Lane)| -> Lane {
        std::array::from_fn(|lane| residuals[idx / n_hidden][lane] * (1.0 - hidden[lane] * hidden[lane]))
    };
    let bent: Vec<Lane> = hidden.iter().enumerate().map(bent).collect();
    let mut sums = Sums::default();
    network.tiles.collect(&bent, &mut sums);
    for (unit, sums) in sums.values.chunks_exact(network.tiles.width).enumerate() {
        let output = network.layout.outputs().start + unit;
        for (input, sum) in sums.iter().enumerate() {
            *hessian.at_mut(output, network.layout.of_unit(unit, input)) += sum;
        }
    }
}

/// Some rows of a network, column by column.
struct Block<'a> {
    tiles: &'a Tiles,
    layout: Layout,
    outputs: &'a [f64],
    hidden: &'a [Lane],
    residuals: &'a [Lane],
    range: std::ops::Range<usize>,
    /// The inputs and a one.
    inputs: Vec<f64>,
    /// Room for gradients or inputs, plain and weighted.
    plain: Vec<f64>,
    weighted: Vec<f64>,
}

impl<'a> Block<'a> {
    fn new(network: &'a Network<'_>) -> Self {
        let (layout, weights) = (network.layout, network.weights());
        let (hidden, residuals) = network.said();
        let room = BLOCK * LANES * layout.n_weights();
        Block {
            tiles: network.tiles,
            layout,
            outputs: &weights[layout.outputs()],
            hidden,
            residuals,
            range: 0..0,
            inputs: vec![0.0; BLOCK * LANES * network.tiles.width],
            plain: vec![0.0; room],
            weighted: vec![0.0; room],
        }
    }

    fn n_rows(&self) -> usize {
        self.range.len() * LANES
    }

    fn take(&mut self, range: std::ops::Range<usize>) {
        self.range = range;
        let n_rows = self.n_rows();
        for (place, tile) in self.range.clone().enumerate() {
            for (column, lane) in self.tiles.tile(tile).iter().enumerate() {
                self.inputs[column * n_rows + place * LANES..][..LANES].copy_from_slice(lane);
            }
        }
    }

    /// A number for each row from what a unit says of it.
    fn of_unit(&self, unit: usize, number: impl Fn(usize, usize, f64) -> f64) -> Vec<f64> {
        let n_hidden = self.layout.n_hidden;
        let of_tile = |tile: usize| (0..LANES).map(move |lane| (tile, lane));
        let number =
            |(tile, lane): (usize, usize)| number(tile, lane, self.hidden[tile * n_hidden + unit][lane]);
        self.range.clone().flat_map(of_tile).map(number).collect()
    }

    /// The weight of each row times `y (1 - y)`, from its residual `w (y - t)`, where t is zero or one.
    fn spreads(&self) -> Vec<f64> {
        let spread = |tile: usize, lane: usize| {
            let weight = self.tiles.weights[tile][lane];
            if weight == 0.0 {
                return 0.0;
            }
            let missing = (self.residuals[tile][lane] / weight).abs();
            weight * missing * (1.0 - missing)
        };
        self.range.clone().flat_map(|tile| (0..LANES).map(move |lane| spread(tile, lane))).collect()
    }

    /// Adds the products of the gradients of the log-odds.
    fn add_gradients(&mut self, hessian: &mut Symmetric) {
        let (layout, n_rows) = (self.layout, self.n_rows());
        for unit in 0..layout.n_hidden {
            let output = self.outputs[unit];
            let slopes = self.of_unit(unit, |_, _, hidden| output * (1.0 - hidden * hidden));
            for input in 0..self.tiles.width {
                let place = layout.of_unit(unit, input) * n_rows;
                let inputs = &self.inputs[input * n_rows..][..n_rows];
                multiply(inputs, &slopes, &mut self.plain[place..][..n_rows]);
            }
            let hidden = self.of_unit(unit, |_, _, hidden| hidden);
            self.plain[(layout.outputs().start + unit) * n_rows..][..n_rows].copy_from_slice(&hidden);
        }
        self.plain[layout.output_bias() * n_rows..][..n_rows].fill(1.0);
        let spreads = self.spreads();
        let n_values = layout.n_weights() * n_rows;
        let columns = self.plain[..n_values].chunks_exact(n_rows);
        for (plain, weighted) in columns.zip(self.weighted.chunks_exact_mut(n_rows)) {
            multiply(plain, &spreads, weighted);
        }
        hessian.add_product(&self.plain[..n_values], &self.weighted[..n_values], n_rows);
    }

    /// Adds what inputs have in common through the bend of a hidden unit.
    fn add_unit(&mut self, unit: usize, sum: &mut Symmetric) {
        let n_rows = self.n_rows();
        let output = self.outputs[unit];
        let bends = self.of_unit(unit, |tile, lane, hidden| {
            -2.0 * self.residuals[tile][lane] * output * hidden * (1.0 - hidden * hidden)
        });
        let n_values = self.tiles.width * n_rows;
        let columns = self.inputs[..n_values].chunks_exact(n_rows);
        for (inputs, weighted) in columns.zip(self.weighted.chunks_exact_mut(n_rows)) {
            multiply(inputs, &bends, weighted);
        }
        sum.add_product(&self.inputs[..n_values], &self.weighted[..n_values], n_rows);
    }
}

fn multiply(numbers: &[f64], factors: &[f64], products: &mut [f64]) {
    let pairs = numbers.iter().zip(factors);
    products.iter_mut().zip(pairs).for_each(|(product, (number, factor))| *product = number * factor);
}
