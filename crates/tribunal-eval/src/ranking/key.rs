//! Scores as integers that sort from the highest score to the lowest.
//!
//! Bare 64-bit keys sort about twice as fast as floats with a comparison function, and the mapping is a
//! bijection on finite scores, so nothing is lost on the way there and back.

/// Larger than the key of every finite score: marks an empty place.
pub(super) const NO_KEY: u64 = u64::MAX;

/// Maps a finite score to an integer; higher scores get smaller integers. `-0.0` counts as `0.0`.
#[inline]
pub(super) fn key_of(score: f64) -> u64 {
    let bits = (score + 0.0).to_bits();
    let flip = ((bits as i64 >> 63) as u64) | (1 << 63);
    !(bits ^ flip)
}

/// The score that [`key_of`] mapped to `key`.
#[inline]
pub(super) fn score_of(key: u64) -> f64 {
    let ascending = !key;
    let flip = if ascending >> 63 == 1 { 1 << 63 } else { u64::MAX };
    f64::from_bits(ascending ^ flip)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keys_reverse_the_order_and_come_back(a in -1e300..1e300f64, b in -1e300..1e300f64) {
            prop_assert_eq!(a > b, key_of(a) < key_of(b));
            prop_assert_eq!(score_of(key_of(a)), a);
        }
    }

    #[test]
    fn both_zeros_are_one_score_and_no_finite_score_is_the_empty_key() {
        assert_eq!(key_of(-0.0), key_of(0.0));
        assert!(key_of(f64::MIN) < NO_KEY && key_of(f64::MAX) < key_of(f64::MIN_POSITIVE));
    }
}
