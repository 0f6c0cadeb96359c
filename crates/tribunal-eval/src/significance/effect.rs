//! The size of a difference, with its interval: what every test reports next to its p value.
//!
//! A p value says whether a difference could be chance; it does not say whether it matters. Reference: Wasserstein &
//! Lazar (2016), "The ASA statement on p-values".

use serde::{Deserialize, Serialize};

use crate::intervals::Interval;

/// A difference and how far it may be believed.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Effect {
    /// The first less the second.
    pub difference: f64,
    /// The interval of the difference.
    pub interval: Interval,
}

impl Effect {
    /// An infinite statistic of this difference, which JSON keeps without its sign.
    pub(super) fn signed(&self, statistic: f64) -> f64 {
        if statistic.is_infinite() { statistic.copysign(self.difference) } else { statistic }
    }
}

/// A statistic as multiple of its standard error: infinite for a difference without error, zero for none at all.
pub(crate) fn ratio(difference: f64, error: f64) -> f64 {
    if error > 0.0 {
        difference / error
    } else if difference == 0.0 {
        0.0
    } else {
        difference.signum() * f64::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_without_error_is_infinitely_many_errors() {
        assert_eq!(ratio(-0.1, 0.0), f64::NEG_INFINITY);
        assert_eq!(ratio(0.0, 0.0), 0.0);
        assert_eq!(ratio(3.0, 2.0), 1.5);
    }
}
