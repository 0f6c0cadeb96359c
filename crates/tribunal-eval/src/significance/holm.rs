//! Holm's adjustment of several p values.
//!
//! Holds the chance of any false claim among many at the level, and is never less powerful than Bonferroni's.
//! Reference: Holm (1979), "A simple sequentially rejective multiple test procedure".

use crate::checks::within;
use crate::error::Error;

/// The adjusted p values, in the order given.
///
/// **Definition** of `m` p values in ascending order, the `i`-th becomes the largest so far of `(m - i + 1) p_i`, at most
/// 1. Those up to the level are significant together.
///
/// **Undefined when** a p value is not from 0 to 1.
///
/// **Example**
/// ```
/// use tribunal_eval::significance::holm;
/// let adjusted = holm(&[0.01, 0.04, 0.03])?;
/// assert!(adjusted.iter().zip([0.03, 0.06, 0.06]).all(|(p, expected)| (p - expected).abs() < 1e-12));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Holm (1979).
pub fn holm(p_values: &[f64]) -> Result<Vec<f64>, Error> {
    for p in p_values {
        within("a p value", *p, (0.0..=1.0).contains(p), "from 0 to 1")?;
    }
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    let (mut adjusted, mut largest) = (vec![0.0; p_values.len()], 0.0_f64);
    for (rank, index) in order.into_iter().enumerate() {
        largest = largest.max((p_values.len() - rank) as f64 * p_values[index]).min(1.0);
        adjusted[index] = largest;
    }
    Ok(adjusted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_smallest_is_multiplied_by_all() {
        let adjusted = holm(&[0.02, 0.001, 0.9, 0.021]).expect("p values");
        for (found, expected) in adjusted.iter().zip([0.06, 0.004, 0.9, 0.06]) {
            assert!((found - expected).abs() < 1e-15);
        }
        assert!(holm(&[0.5, 1.5]).is_err());
        assert!(holm(&[f64::NAN]).is_err());
        assert!(holm(&[]).expect("nothing to adjust").is_empty());
    }

    proptest! {
        #[test]
        fn adjusting_raises_keeps_the_order_and_stays_below_bonferroni(p in prop::collection::vec(0.0f64..=1.0, 1..40)) {
            let adjusted = holm(&p).expect("p values");
            for (raw, new) in p.iter().zip(&adjusted) {
                prop_assert!(raw <= new && *new <= (p.len() as f64 * raw).min(1.0));
                prop_assert!(p.iter().zip(&adjusted).all(|(other, adjusted)| other <= raw || adjusted >= new));
            }
        }

        #[test]
        fn the_order_given_does_not_matter(p in prop::collection::vec(0.0f64..=1.0, 1..40), turn in 0usize..40) {
            let mut turned = p.clone();
            turned.rotate_left(turn % p.len());
            let mut expected = holm(&p).expect("p values");
            expected.rotate_left(turn % p.len());
            prop_assert_eq!(holm(&turned).expect("p values"), expected);
        }
    }
}
