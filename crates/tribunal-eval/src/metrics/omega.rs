//! The standardised area under the recall curve of a risk chart: how far a list lies between the worst and the best order.
//!
//! The area under the curve of recall over caseload lies between `α/2` and `1 - α/2`, whatever the scores, where `α` is the base
//! rate. As a share of that range it is the AUROC, so that it does not depend on the base rate, and shares its interval and tests.

use super::{Better, Compute, Spread, auroc, metric};
use crate::checks::within;
use crate::error::Error;
use crate::ranking::Ranking;
use crate::undefined::Value;

metric! {
    METRIC = "omega", "standardised area under the recall curve", Ranking;
    definition: "(A - α/2) / (1 - α), where A is the area under recall over caseload and α the base rate; equals the AUROC";
    undefined when: "a class is absent";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "Koesmarno 2019; Williams 2011 for the risk chart";
    compute: Compute::Ranking(omega);
    interval: Spread::Influence { influence: auroc::influence, interval: auroc::interval };
}

/// standardised area under the recall curve; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, metrics::omega};
///
/// let truth = [true, true, false, true, false, true, false, false, true, false];
/// let scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1];
/// let ranking = Ranking::of(&ScoredSet::new(&truth, &scores)?)?;
/// assert!((omega(&ranking)? - 0.7).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
pub fn omega(ranking: &Ranking) -> Value {
    // The same number, without the difference of areas that rounds where a class is rare.
    auroc::auroc(ranking)
}

/// The standardised area from a published area under the recall curve and the base rate.
///
/// **Definition** `(A - α/2) / (1 - α)`.
///
/// **Undefined when** the base rate is not strictly between 0 and 1, or no order of the cases has that area, which lies between
/// `α/2` and `1 - α/2`.
///
/// **Example**
/// ```
/// use tribunal_eval::metrics::standardised_area;
/// assert!((standardised_area(0.75, 0.2831)? - 0.848723671).abs() < 1e-9);
/// let impossible = standardised_area(0.8, 0.5).expect_err("at most 0.75");
/// assert_eq!(impossible.to_string(), "no order has an area of 0.8 under its recall curve at a base rate of 0.5; it lies between 0.25 and 0.75");
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Koesmarno (2019).
pub fn standardised_area(area: f64, base_rate: f64) -> Result<f64, Error> {
    let is_mixed = base_rate > 0.0 && base_rate < 1.0;
    let alpha = within("the base rate", base_rate, is_mixed, "a number between 0 and 1")?;
    let (lowest, highest) = (alpha / 2.0, 1.0 - alpha / 2.0);
    // An area may miss its limit by the rounding of its digits.
    if !(lowest - 1e-12..=highest + 1e-12).contains(&area) {
        return Err(Error::ImpossibleArea { area, base_rate, lowest, highest });
    }
    Ok(((area - lowest) / (1.0 - alpha)).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::golden::{close, table_5_6};

    #[test]
    fn golden() {
        close(omega(&table_5_6()), 0.628205128);
        for (alpha, area, expected) in
            [(0.1, 0.9, 0.944444444), (0.2831, 0.75, 0.848723671), (13.0 / 19.0, 0.540485830, 0.628205128)]
        {
            let found = standardised_area(area, alpha).expect("possible");
            assert!((found - expected).abs() < 5e-9, "{found}, expected {expected}");
        }
    }

    #[test]
    fn areas_that_no_order_has_are_refused() {
        for (area, alpha) in
            [(0.8, 0.5), (0.2, 0.5), (f64::NAN, 0.5), (0.5, 0.0), (0.5, 1.0), (0.5, f64::NAN)]
        {
            let error = standardised_area(area, alpha).expect_err("impossible");
            assert_eq!(error.kind(), ErrorKind::OutOfRange, "{area} at {alpha}");
        }
        assert_eq!(standardised_area(0.75, 0.5), Ok(1.0));
        assert_eq!(standardised_area(0.25, 0.5), Ok(0.0));
    }
}
