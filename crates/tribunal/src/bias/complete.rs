//! `complete`: which rows are left out depends on the class and on a column together.

use super::bias_rows::ClassRows;
use super::feature::at_end;
use super::values::Values;
use super::{BiasKind, Side};

pub(super) const KIND: BiasKind = BiasKind {
    name: "complete",
    definition: "leaves out the lowest values of a column within one class and the highest within the others",
};

/// The lowest values within the class and the highest outside it, the same share of both.
pub(super) fn dropped(class: ClassRows, values: &Values, fraction: f64) -> Vec<u32> {
    let low = at_end(&class.inside, values, fraction, Side::Low);
    let high = at_end(&class.outside, values, fraction, Side::High);
    [low, high].concat()
}

#[cfg(test)]
mod tests {
    use super::super::{Bias, BiasRows};
    use super::*;
    use crate::resampling::LabelColumn;

    #[test]
    fn each_class_loses_another_end() {
        let y = LabelColumn::of("y", ["1", "1", "1", "1", "0", "0", "0", "0", "0"]);
        let x = Values::of_numbers("x", [4.0, 1.0, 2.0, 3.0, 5.0, 9.0, 9.0, 1.0, 2.0]);
        let rows = BiasRows::new(9).with_values(&x).with_classes(&y);
        let kept = |fraction| Bias::Complete { class: "1".into(), fraction }.kept(&rows, 1);
        // A quarter of four and of five rows is one each; of the two nines the later one goes.
        assert_eq!(kept(0.25), Ok(vec![0, 2, 3, 4, 5, 7, 8]));
        assert_eq!(kept(0.5), Ok(vec![0, 3, 4, 7, 8]));
    }
}
