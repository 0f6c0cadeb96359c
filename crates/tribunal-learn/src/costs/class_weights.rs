//! How much rows of each class weigh, and what probabilities were before they did.

use crate::learners::log_scores::shares;

/// A weight for each class.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassWeights(Vec<f64>);

impl ClassWeights {
    pub(crate) fn new(weights: Vec<f64>) -> Self {
        ClassWeights(weights)
    }

    /// The weights, class by class.
    pub fn as_slice(&self) -> &[f64] {
        &self.0
    }

    /// Whether what these weights did to probabilities can be taken back: rows of a class without weight are not there.
    pub(crate) fn can_be_undone(&self) -> bool {
        self.0.iter().all(|&weight| weight > 0.0)
    }

    /// Of two classes, the unweighted probability that weights make even odds: p*.
    pub fn cut(&self) -> f64 {
        match self.0[..] {
            [0.0, _] => 0.0,
            [negative, positive] => unweighted_positive(0.5, negative, positive),
            _ => 0.5,
        }
    }

    /// The probabilities that a model of unweighted rows would give, from those of a model of weighted ones:
    /// `p_j = (q_j / w_j) / sum_k (q_k / w_k)`. They keep their order.
    ///
    /// ```
    /// use tribunal_learn::CostMatrix;
    ///
    /// let weights = "1:5".parse::<CostMatrix>()?.class_weights();
    /// let unweighted = weights.unweighted(&[7.0 / 22.0, 15.0 / 22.0]);
    /// assert!((unweighted[1] - 0.3).abs() < 1e-12);
    /// # Ok::<(), tribunal_learn::Error>(())
    /// ```
    pub fn unweighted(&self, weighted: &[f64]) -> Vec<f64> {
        if !self.can_be_undone() {
            return weighted.to_vec();
        }
        match (weighted, &self.0[..]) {
            (&[_, q], &[negative, positive]) => {
                let p = unweighted_positive(q, negative, positive);
                vec![1.0 - p, p]
            }
            _ => shares(&weighted.iter().zip(&self.0).map(|(q, weight)| q / weight).collect::<Vec<f64>>()),
        }
    }

    /// The class with the largest weighted probability: of two the positive one from the cut on, of more the first.
    pub(crate) fn decide(&self, probabilities: &[f64]) -> usize {
        if let [_, positive] = *probabilities {
            return usize::from(positive >= self.cut());
        }
        let value = |class: usize| probabilities[class] * self.0.get(class).copied().unwrap_or(0.0);
        let better = |best: usize, class: usize| if value(class) > value(best) { class } else { best };
        (0..probabilities.len()).fold(0, better)
    }

    /// The weight of each of some rows by its class.
    pub(crate) fn of_rows(&self, classes: &[u32]) -> Vec<f64> {
        classes.iter().map(|&class| self.0.get(class as usize).copied().unwrap_or(0.0)).collect()
    }
}

/// Every step rises with the probability, rounded or not, so that the order of scores stays.
fn unweighted_positive(weighted: f64, negative: f64, positive: f64) -> f64 {
    1.0 / (1.0 + ((1.0 - weighted) / negative) / (weighted / positive))
}

/// Costs rescaled so that they count as much as the rows did: `c_i v_i sum(v) / sum(c v)`, of rows without weights a mean of
/// one. Settings that are numbers of rows keep their meaning.
pub(crate) fn rescaled(costs: &[f64], total_before: f64, total_after: f64) -> Vec<f64> {
    costs.iter().map(|cost| cost * total_before / total_after).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::costs::CostMatrix;

    fn close(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
        }
    }

    #[test]
    fn golden_weights() {
        let weights = "1:5".parse::<CostMatrix>().expect("costs").class_weights();
        let costs = weights.of_rows(&[1, 1, 1, 1, 0, 0, 0, 0, 0, 0]);
        let found = rescaled(&costs, 10.0, costs.iter().sum());
        close(&found[..1], &[1.923076923]);
        close(&found[9..], &[0.384615385]);
        assert!((found.iter().sum::<f64>() - 10.0).abs() < 1e-12);
    }

    #[test]
    fn golden_weights_of_rows() {
        let costs = [5.0, 1.0, 1.0, 5.0, 2.0, 1.0];
        close(&rescaled(&costs, 6.0, costs.iter().sum()), &[2.0, 0.4, 0.4, 2.0, 0.8, 0.4]);
    }

    #[test]
    fn golden_undo() {
        let weights = ClassWeights::new(vec![0.384615385, 1.923076923]);
        let weighted = 3.0 * 1.923076923 / (3.0 * 1.923076923 + 7.0 * 0.384615385);
        assert!((weighted - 0.681818182_f64).abs() < 1e-9);
        close(&weights.unweighted(&[1.0 - weighted, weighted]), &[0.7, 0.3]);
        close(&weights.unweighted(&[0.0, 1.0]), &[0.0, 1.0]);
        close(&weights.unweighted(&[1.0, 0.0]), &[1.0, 0.0]);
    }

    #[test]
    fn weights_of_three_classes_are_undone_too() {
        let weights = ClassWeights::new(vec![1.0, 2.0, 4.0]);
        let (plain, weighted) = ([0.5, 0.3, 0.2], [0.5, 0.6, 0.8].map(|value| value / 1.9));
        close(&weights.unweighted(&weighted), &plain);
        assert_eq!(weights.decide(&plain), 2);
    }

    proptest! {
        #[test]
        fn decisions_and_order_survive_the_undoing(q in 0.0_f64..1.0, other in 0.0_f64..1.0, a in 0.01_f64..9.0, b in 0.01_f64..9.0) {
            let weights = ClassWeights::new(vec![a, b]);
            let [p, p_other] = [q, other].map(|q| weights.unweighted(&[1.0 - q, q])[1]);
            prop_assert!((p - weights.cut()).abs() < 1e-12 || (p >= weights.cut()) == (q >= 0.5));
            prop_assert!(q > other || p <= p_other);
        }
    }
}
