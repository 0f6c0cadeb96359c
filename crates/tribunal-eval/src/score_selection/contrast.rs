//! A figure of the cases that were acted on, against what it would be if the selection did not matter.

use crate::undefined::Value;

/// Differences that are smaller than this are rounding: all figures are shares, or of their size.
const ROUNDING: f64 = 1e-12;

/// A figure of the cases that were acted on, and what it is compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct Contrast {
    /// Of the cases that were acted on.
    pub value: Value,
    /// Of all cases; of a figure within bands what the bands of all cases make of the mix of bands that was acted on.
    pub reference: Value,
}

impl Contrast {
    /// The value less the reference where both are defined; what is rounding is nothing.
    pub fn difference(&self) -> Option<f64> {
        let (value, reference) = (self.value.as_ref().ok()?, self.reference.as_ref().ok()?);
        let difference = value - reference;
        Some(if difference.abs() <= ROUNDING { 0.0 } else { difference })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::undefined::Undefined;

    #[test]
    fn rounding_is_no_difference_and_undefined_has_none() {
        let of = |value: Value| Contrast { value, reference: Ok(0.1 + 0.2) }.difference();
        assert_eq!((of(Ok(0.3)), of(Err(Undefined::NoRows))), (Some(0.0), None));
        assert!((of(Ok(0.5)).expect("defined") - 0.2).abs() < 1e-15);
    }
}
