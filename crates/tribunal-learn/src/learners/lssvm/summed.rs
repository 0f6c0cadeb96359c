//! Sums over the training rows of every fold: those of all rows of a scenario, less those of the fold.

use std::sync::Arc;

use tribunal_algebra::{Rectangle, Symmetric, add_scaled};

use super::divided::{Block, Divided, Part};
use super::left_out::right_hand_sides;

/// A fold of a scenario, with what its training rows come to.
pub(super) struct Fold {
    pub(super) part: usize,
    pub(super) fold: usize,
    pub(super) n_classes: usize,
    /// The places of the rows that the machine is asked about.
    pub(super) tested: Vec<u32>,
    /// The weight of each row, zero where the machine is not trained on it.
    pub(super) weights: Vec<f64>,
    /// For each row one, then what is to be said of it, a column for each output; zero where the scenario has no such row.
    pub(super) sides: Arc<Rectangle>,
    pub(super) moments: Moments,
}

/// Sums over rows, each by its weight.
#[derive(Clone)]
pub(super) struct Moments {
    /// Products of columns.
    pub(super) gram: Symmetric,
    /// Sums of the sides.
    pub(super) totals: Vec<f64>,
    /// Products of columns with the sides.
    pub(super) with_sides: Rectangle,
}

impl Divided {
    /// The folds of some scenarios that one scale serves, with sums of columns; there is a column of these for each row.
    pub(super) fn summed(&self, columns: &Rectangle, is_meant: impl Fn(usize) -> bool) -> Vec<Fold> {
        let of_part = |(idx, part): (usize, &Part)| {
            let sides: Vec<Vec<f64>> = right_hand_sides(part, self.weights.len()).collect();
            let sides = Arc::new(Rectangle::of(self.weights.len(), sides.len(), sides.concat()));
            let of_part = Moments::of(columns, &part.places, self, &sides);
            let of_fold = |(fold, block): (usize, &Block)| {
                let places: Vec<u32> = block.positions.iter().map(|&at| part.places[at as usize]).collect();
                let mut weights = self.weights.clone();
                part.absent.iter().chain(&places).for_each(|&place| weights[place as usize] = 0.0);
                let mut moments = of_part.clone();
                moments.subtract(&Moments::of(columns, &places, self, &sides));
                let (tested, sides) = (places[..block.n_tested].to_vec(), sides.clone());
                Fold { part: idx, fold, n_classes: part.n_classes, tested, weights, sides, moments }
            };
            let shared = part.folds.iter().enumerate().filter(|(_, block)| block.is_shared);
            shared.map(of_fold).collect::<Vec<Fold>>()
        };
        let meant = self.parts.iter().enumerate().filter(|(idx, _)| is_meant(*idx));
        meant.flat_map(of_part).collect()
    }
}

impl Moments {
    fn of(columns: &Rectangle, places: &[u32], divided: &Divided, sides: &Rectangle) -> Moments {
        let weight = |place: u32| divided.weights[place as usize];
        let weighted =
            |idx: usize| places.iter().map(move |&place| weight(place) * sides.column(idx)[place as usize]);
        let values = (0..sides.n_columns()).flat_map(weighted).collect();
        let weighted = Rectangle::of(places.len(), sides.n_columns(), values);
        let totals = (0..sides.n_columns()).map(|idx| weighted.column(idx).iter().sum()).collect();
        let mut rows = columns.take(places);
        let with_sides = rows.times(&weighted);
        for (idx, &place) in places.iter().enumerate() {
            let root = weight(place).sqrt();
            rows.column_mut(idx).iter_mut().for_each(|value| *value *= root);
        }
        Moments { gram: Symmetric::outer_products(&rows), totals, with_sides }
    }

    /// The weight of all rows.
    pub(super) fn weight(&self) -> f64 {
        self.totals[0]
    }

    fn subtract(&mut self, other: &Moments) {
        self.gram.subtract(&other.gram);
        add_scaled(&mut self.totals, -1.0, &other.totals);
        add_scaled(self.with_sides.values_mut(), -1.0, other.with_sides.values());
    }
}
