//! Thresholds with as many digits as are needed to cut at a score, and no more.

use crate::ranking::Ranking;

impl Ranking {
    /// The number with the fewest digits that cuts at a score: cases at or above it are those at or above the score.
    ///
    /// ```
    /// use tribunal_eval::Ranking;
    ///
    /// let ranking = Ranking::from_scores(&[true, false, true], &[0.7316504, 0.7249, 0.1])?;
    /// assert_eq!(ranking.threshold_at(0.7316504), 0.73);
    /// assert_eq!(ranking.threshold_at(0.7249), 0.7);
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    pub fn threshold_at(&self, score: f64) -> f64 {
        let n_blocks = self.blocks_from(score);
        let below = (n_blocks < self.n_blocks()).then(|| self.block(n_blocks).score);
        shortest(below.unwrap_or(f64::NEG_INFINITY), score)
    }
}

/// The number with the fewest digits above `below` and at most `score`.
fn shortest(below: f64, score: f64) -> f64 {
    const MOST_DIGITS: usize = 16;
    let is_cut = |threshold: &f64| *threshold > below && *threshold <= score;
    if is_cut(&0.0) {
        return 0.0;
    }
    let text = format!("{score:.MOST_DIGITS$e}");
    let Some((mantissa, exponent)) = text.split_once('e') else { return score };
    let rounded_down = |digits: usize| {
        let nearest: f64 = format!("{score:.digits$e}").parse().ok()?;
        if nearest <= score {
            return Some(nearest);
        }
        let whole = mantissa.find('.').map_or(mantissa.len(), |point| point + 1 + digits);
        let cut: f64 = format!("{}e{exponent}", &mantissa[..whole]).parse().ok()?;
        if cut <= score {
            return Some(cut);
        }
        // Digits of a negative number were cut off upwards.
        let unit: f64 = format!("1e{}", exponent.parse::<i32>().ok()? - digits as i32).parse().ok()?;
        format!("{:.digits$e}", cut - unit).parse().ok()
    };
    (0..=MOST_DIGITS).filter_map(rounded_down).find(is_cut).unwrap_or(score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn few_digits_suffice() {
        let check = |below: f64, score: f64, expected: f64| assert_eq!(shortest(below, score), expected);
        check(0.2, 0.5, 0.5);
        check(0.49, 0.5123, 0.5);
        check(0.5122, 0.5123, 0.5123);
        check(700.0, 788.3, 780.0);
        check(-3.4, -3.17, -3.2);
        check(1.0e-20, 1.26e-20, 1.2e-20);
        check(f64::NEG_INFINITY, 0.013, 0.0);
        check(-1.0, 0.4, 0.0);
        check(0.1_f64.next_down(), 0.1, 0.1);
        check(999.0, 1000.0, 1000.0);
        check(0.95, 0.996, 0.99);
    }

    proptest! {
        #[test]
        fn it_cuts_where_it_should(score in -1e6..1e6f64, gap in 1e-12..10.0f64) {
            let below = score - gap;
            let threshold = shortest(below, score);
            prop_assert!(threshold > below && threshold <= score);
            prop_assert!(threshold.to_string().len() <= score.to_string().len() + 1);
        }
    }
}
