//! Isotonic calibration: of all functions that never fall, the one nearest to the classes (Zadrozny and Elkan 2002).
//!
//! **Definition** Pool adjacent violators (Ayer et al. 1955) on rows sorted by score, those of equal scores pooled first:
//! while a pool has no higher share of positives than the one before it, the two become one. Between two pools the value
//! changes halfway; below the first and above the last it stays what it is there.

use super::pool::Pool;
use super::steps::Steps;

/// The steps of least weighted squared error among those that never fall.
pub(crate) fn isotonic(pools: &[Pool]) -> Steps {
    let mut risen: Vec<Pool> = Vec::new();
    for pool in pools {
        risen.push(*pool);
        while let [.., before, last] = &mut risen[..]
            && before.share() >= last.share()
        {
            before.absorb(last);
            risen.pop();
        }
    }
    Steps::of(&risen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::scored;

    fn check(scores: &[f64], labels: &str, expected: &[f64]) {
        let steps = isotonic(&Pool::of_equal_scores(scored(scores, labels)));
        for (&score, expected) in scores.iter().zip(expected) {
            assert!((steps.value(score) - expected).abs() < 1e-12, "{score}: {}", steps.value(score));
        }
    }

    #[test]
    fn golden_pools() {
        let scores: Vec<f64> = (-4..=4).map(|half| f64::from(half) / 2.0).collect();
        let two_thirds = 2.0 / 3.0;
        check(&scores, "000101101", &[0.0, 0.0, 0.0, 0.5, 0.5, two_thirds, two_thirds, two_thirds, 1.0]);
    }

    #[test]
    fn equal_scores_are_one_pool_before_any_is_compared() {
        check(&[1.0, 1.0, 2.0, 2.0], "1001", &[0.5; 4]);
        check(&[1.0, 1.0, 2.0, 2.0], "0111", &[0.5, 0.5, 1.0, 1.0]);
        check(&[3.0, 2.0, 1.0], "001", &[1.0 / 3.0; 3]);
    }

    #[test]
    fn steps_lie_halfway_and_the_ends_go_on() {
        let steps = isotonic(&Pool::of_equal_scores(scored(&[0.0, 1.0], "01")));
        let found = [-9.0, 0.49, 0.5, 9.0].map(|score| steps.value(score));
        assert_eq!(found, [0.0, 0.0, 1.0, 1.0]);
    }
}
