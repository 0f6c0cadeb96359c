//! What each feature adds to the log-odds of a row: Shapley values of a tree.
//!
//! **Definition** What a tree would say if only some features were known is the mean over the leaves that can still be
//! reached; where the feature of a split is not known, both sides count by the cover of training rows. A feature is worth
//! what it changes in that, on average over all orders in which features become known. The values and what the tree says
//! when nothing is known add up to what it says of the row.
//!
//! **Reference** Lundberg, Erion and Lee 2018.

use super::tree::{Leaf, Node, Split, Tree};

/// What is known of a way to a leaf by one feature.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Step {
    feature: u32,
    /// The share of training rows that stay on the way.
    share: f64,
    /// Whether the row does: one or zero.
    stays: f64,
}

/// What rows of log-odds are made of.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Worth {
    /// What is said when nothing is known.
    pub(super) start: f64,
    /// What each feature adds.
    pub(super) features: Vec<f64>,
}

impl Worth {
    /// Log-odds that no feature has changed yet.
    pub(super) fn new(start: f64, n_features: usize) -> Self {
        Worth { start, features: vec![0.0; n_features] }
    }

    /// Adds what a tree says of a row.
    pub(super) fn add(&mut self, tree: &Tree, value: impl Fn(usize) -> f64) {
        let covers = covers(tree);
        // The splits above the node that comes next, and whether it is on their right.
        let mut above: Vec<(usize, &Split, bool)> = Vec::new();
        for (idx, node) in tree.nodes().iter().enumerate() {
            match node {
                Node::Split(split) => above.push((idx, split, false)),
                Node::Leaf(leaf) => {
                    self.add_leaf(leaf, &steps(&above, &covers, &value));
                    while above.pop_if(|(.., is_right)| *is_right).is_some() {}
                    if let Some((.., is_right)) = above.last_mut() {
                        *is_right = true;
                    }
                }
            }
        }
    }

    fn add_leaf(&mut self, leaf: &Leaf, steps: &[Step]) {
        let value = f64::from(leaf.value);
        self.start += value * steps.iter().map(|step| step.share).product::<f64>();
        let weights = order_weights(steps);
        for step in steps.iter().filter(|step| step.stays != step.share) {
            self.features[step.feature as usize] +=
                value * (step.stays - step.share) * without(&weights, step);
        }
    }
}

/// The cover of every node: that of the leaves below it.
fn covers(tree: &Tree) -> Vec<f64> {
    let nodes = tree.nodes();
    let mut covers = vec![0.0; nodes.len()];
    for (idx, node) in nodes.iter().enumerate().rev() {
        covers[idx] = match node {
            Node::Leaf(leaf) => f64::from(leaf.cover),
            Node::Split(split) => covers[idx + 1] + covers[split.right as usize],
        };
    }
    covers
}

/// The features on the way to a leaf, each once.
fn steps(above: &[(usize, &Split, bool)], covers: &[f64], value: impl Fn(usize) -> f64) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::with_capacity(above.len());
    for &(idx, split, is_right) in above {
        let child = if is_right { split.right as usize } else { idx + 1 };
        let share = if covers[idx] > 0.0 { covers[child] / covers[idx] } else { 0.5 };
        let stays = f64::from(u8::from(split.is_below(value(split.feature as usize)) != is_right));
        match steps.iter_mut().find(|step| step.feature == split.feature) {
            Some(step) => (step.share, step.stays) = (step.share * share, step.stays * stays),
            None => steps.push(Step { feature: split.feature, share, stays }),
        }
    }
    steps
}

/// For each number of features that are known, the share of a row that comes to the leaf, times the share of orders.
fn order_weights(steps: &[Step]) -> Vec<f64> {
    let mut weights = vec![1.0];
    for step in steps {
        let n = weights.len();
        weights.push(0.0);
        for known in (0..n).rev() {
            weights[known + 1] += step.stays * weights[known] * (known + 1) as f64 / (n + 1) as f64;
            weights[known] *= step.share * (n - known) as f64 / (n + 1) as f64;
        }
    }
    weights
}

/// The sum of the weights of orders, had one step not been taken.
fn without(weights: &[f64], step: &Step) -> f64 {
    let n = weights.len() - 1;
    if step.stays == 0.0 {
        let weight = |known: usize| weights[known] * (n + 1) as f64 / (step.share * (n - known) as f64);
        return (0..n).map(weight).sum();
    }
    let (mut total, mut next) = (0.0, weights[n]);
    for known in (0..n).rev() {
        let weight = next * (n + 1) as f64 / (known + 1) as f64;
        total += weight;
        next = weights[known] - weight * step.share * (n - known) as f64 / (n + 1) as f64;
    }
    total
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const N_FEATURES: usize = 4;

    /// What a tree says where the features of a mask are known, by its definition.
    fn known(tree: &Tree, covers: &[f64], idx: usize, row: &[f64], mask: u32) -> f64 {
        match tree.nodes()[idx] {
            Node::Leaf(leaf) => f64::from(leaf.value),
            Node::Split(split) => {
                let side = |child: usize| known(tree, covers, child, row, mask);
                let (left, right) = (idx + 1, split.right as usize);
                let is_below = split.is_below(row[split.feature as usize]);
                match mask >> split.feature & 1 {
                    1 => side(if is_below { left } else { right }),
                    _ => (covers[left] * side(left) + covers[right] * side(right)) / covers[idx],
                }
            }
        }
    }

    /// The Shapley value of a feature, by adding up over all sets of others.
    fn by_sets(tree: &Tree, row: &[f64], feature: usize) -> f64 {
        let covers = covers(tree);
        let factorial = |n: u32| (1..=n).map(f64::from).product::<f64>();
        let of_set = |mask: u32| {
            let n_known = mask.count_ones();
            let share = factorial(n_known) * factorial(N_FEATURES as u32 - n_known - 1);
            let change =
                known(tree, &covers, 0, row, mask | 1 << feature) - known(tree, &covers, 0, row, mask);
            share * change / factorial(N_FEATURES as u32)
        };
        (0..1 << N_FEATURES).filter(|mask| mask >> feature & 1 == 0).map(of_set).sum()
    }

    /// A tree of some depth from random numbers, as its text.
    fn tree_text(numbers: &mut impl Iterator<Item = u32>, depth: usize) -> String {
        let mut next = || numbers.next().unwrap_or(1);
        if depth == 0 || next() % 5 == 0 {
            return format!("[{},{}]", f64::from(next() % 40) / 8.0 - 2.0, next() % 9 + 1);
        }
        let head = format!("[{},{},{}]", next() % N_FEATURES as u32, next() % 5, next() % 2 == 0);
        let (left, right) = (tree_text(numbers, depth - 1), tree_text(numbers, depth - 1));
        format!("{head},{left},{right}")
    }

    proptest! {
        #[test]
        fn values_are_those_of_all_sets_and_add_up(
            numbers in proptest::collection::vec(0_u32..1000, 200),
            row in proptest::collection::vec(prop_oneof![4 => (0_u32..5).prop_map(f64::from), 1 => Just(f64::NAN)], 4),
        ) {
            let text = format!("[{}]", tree_text(&mut numbers.into_iter(), 5));
            let tree: Tree = serde_json::from_str(&text).expect("a tree");
            let mut worth = Worth::new(0.0, N_FEATURES);
            worth.add(&tree, |feature| row[feature]);
            for feature in 0..N_FEATURES {
                let expected = by_sets(&tree, &row, feature);
                prop_assert!((worth.features[feature] - expected).abs() < 1e-9, "{worth:?}, {expected}, {text}");
            }
            let said = known(&tree, &covers(&tree), 0, &row, u32::MAX);
            prop_assert!((worth.start + worth.features.iter().sum::<f64>() - said).abs() < 1e-9);
        }
    }

    #[test]
    fn leaves_without_cover_do_no_harm() {
        let tree: Tree =
            serde_json::from_str("[[0,1.0,true],[1,1.0,true],[1.0,0],[2.0,0],[4.0,0]]").expect("a tree");
        for (row, said) in [([0.0, 0.0], 1.0), ([0.0, 2.0], 2.0), ([2.0, 2.0], 4.0)] {
            let mut worth = Worth::new(0.0, 2);
            worth.add(&tree, |feature| row[feature]);
            let sum = worth.start + worth.features.iter().sum::<f64>();
            assert!((sum - said).abs() < 1e-12, "{worth:?}");
        }
    }
}
