//! The spread of an AUROC where scores have nothing to do with classes.

use crate::ranking::Ranking;
use crate::undefined::Value;

/// The standard error of the AUROC under the null hypothesis that classes are dealt out at random.
///
/// **Definition** with `P` positives, `M` negatives, `N = P + M` and blocks of `t` tied rows
/// `sqrt((N + 1 - sum(t^3 - t) / (N (N - 1))) / (12 P M))`, that of the Mann-Whitney U over `P M`. Unlike DeLong's it knows what
/// a single positive case may do. Rows with weights are counted as their weight.
///
/// **Undefined when** a class is missing.
///
/// **Example**
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, significance::null_auroc_error};
/// let truth = [true, true, false, true, false];
/// let ranking = Ranking::of(&ScoredSet::new(&truth, &[0.9, 0.5, 0.5, 0.7, 0.1])?)?;
/// assert!((null_auroc_error(&ranking)?.powi(2) - (6.0 - 6.0 / 20.0) / 72.0).abs() < 1e-12);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Mann & Whitney (1947); Lehmann (1975) for ties.
pub fn null_auroc_error(ranking: &Ranking) -> Value {
    let totals = ranking.both_classes()?;
    let n = totals.total();
    let tied = ranking.sum_blocks(|above, through| {
        let block = through.total() - above.total();
        block.powi(3) - block
    });
    let variance = (n + 1.0 - tied / (n * (n - 1.0))) / (12.0 * totals.positive * totals.negative);
    Ok(variance.max(0.0).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scored_set::ScoredSet;

    fn check(positives: &[f64], negatives: &[f64], expected: f64) {
        let truth: Vec<bool> =
            positives.iter().map(|_| true).chain(negatives.iter().map(|_| false)).collect();
        let scores = [positives, negatives].concat();
        let set = ScoredSet::new(&truth, &scores).expect("scores");
        let found = null_auroc_error(&Ranking::of(&set).expect("a ranking")).expect("two classes");
        assert!((found - expected).abs() < 1e-12, "{found}");
    }

    /// scipy 1.17.1: `mannwhitneyu(x, y, method="asymptotic", use_continuity=False)`, the AUROC less one half over z.
    #[test]
    fn the_same_as_scipy_with_ties() {
        check(
            &[3.0, 1.0, 4.0, 4.0, 5.0, 9.0, 2.0, 6.0],
            &[1.0, 1.0, 4.0, 2.0, 5.0, 0.0, 2.0],
            0.1525018121895226,
        );
    }

    /// The place of one positive among many negatives is uniform.
    #[test]
    fn one_positive_may_stand_anywhere() {
        let negatives: Vec<f64> = (0..999).map(f64::from).collect();
        check(&[0.5], &negatives, ((1001.0) / (12.0 * 999.0_f64)).sqrt());
        check(&[1.0], &[1.0], 0.0);
    }
}
