//! `class`: rows of one class are left out at random, which moves the base rate and nothing else.

use tribunal_random::Random;

use super::BiasKind;
use super::bias_rows::ClassRows;
use crate::resampling::floor_of;

pub(super) const KIND: BiasKind =
    BiasKind { name: "class", definition: "leaves out a share of the rows of one class at random" };

/// The first rows of the shuffled class.
pub(super) fn dropped(class: ClassRows, fraction: f64, seed: u64) -> Vec<u32> {
    let mut rows = class.inside;
    Random::new(seed).shuffle(&mut rows);
    rows.truncate(floor_of(fraction * rows.len() as f64));
    rows
}

#[cfg(test)]
mod tests {
    use super::super::{Bias, BiasRows};
    use super::*;
    use crate::resampling::LabelColumn;

    #[test]
    fn only_the_class_loses_rows() {
        let y = LabelColumn::of("y", (0..20).map(|row| if row % 2 == 0 { "1" } else { "0" }));
        let bias = Bias::Class { class: "1.0".into(), fraction: 0.35 };
        let kept = bias.kept(&BiasRows::new(20).with_classes(&y), 42).expect("rows");
        assert_eq!(y.select(&kept).counts(), [10, 7]);
        let mut rows: Vec<u32> = (0..20).step_by(2).collect();
        Random::new(42).shuffle(&mut rows);
        assert!(rows[..3].iter().all(|row| !kept.contains(row)));
    }
}
