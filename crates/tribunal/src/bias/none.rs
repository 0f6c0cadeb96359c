//! `none`: rows are left out at random; what changes then is the size of the sample and not its bias.

use tribunal_random::Random;

use super::BiasKind;
use crate::resampling::floor_of;

pub(super) const KIND: BiasKind = BiasKind {
    name: "none",
    definition: "leaves out rows at random, as a control for the size of the sample",
};

/// The first of the shuffled rows.
pub(super) fn dropped(n_rows: usize, fraction: f64, seed: u64) -> Vec<u32> {
    let mut rows: Vec<u32> = (0..n_rows as u32).collect();
    Random::new(seed).shuffle(&mut rows);
    rows.truncate(floor_of(fraction * n_rows as f64));
    rows
}

#[cfg(test)]
mod tests {
    use super::super::{Bias, BiasRows};

    #[test]
    fn the_shuffled_list_of_the_seed_decides() {
        // Shuffled by seed 42, ten rows begin 9, 1, 4; a quarter of them is two.
        let kept = Bias::None { fraction: 0.25 }.kept(&BiasRows::new(10), 42);
        assert_eq!(kept, Ok(vec![0, 2, 3, 4, 5, 6, 7, 8]));
    }
}
