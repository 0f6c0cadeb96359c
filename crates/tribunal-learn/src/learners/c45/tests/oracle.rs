//! Pruning once more, in the plainest way: every node looks at lists of rows with weights, and asks without giving up.

use super::*;
use crate::learners::c45::add_errs::AddErrs;

/// A node with all its branches, empty ones too.
struct Plain {
    weights: Vec<f64>,
    class: usize,
    test: Option<(usize, Option<f64>)>,
    branches: Vec<Plain>,
}

struct Oracle<'a> {
    training: &'a Training<'a>,
    added: AddErrs,
}

type Weighted = Vec<(usize, f64)>;

fn plain(tree: &Tree, node: usize) -> Plain {
    let class = tree.nodes[node].class as usize;
    let leaf = |class: usize| Plain { weights: vec![0.0; 2], class, test: None, branches: Vec::new() };
    let (test, mut branches) = match tree.nodes[node].test {
        Test::Leaf => (None, Vec::new()),
        Test::Nominal { column, n_codes, empty, .. } => {
            (Some((column as usize, None)), (0..n_codes).map(|_| leaf(empty as usize)).collect::<Vec<_>>())
        }
        Test::Numeric { column, cut, .. } => (Some((column as usize, Some(cut))), vec![leaf(0), leaf(0)]),
    };
    tree.branches(node).for_each(|(code, child)| branches[code as usize] = plain(tree, child));
    Plain { weights: tree.weights(node).to_vec(), class, test, branches }
}

impl Plain {
    fn n_nodes(&self) -> usize {
        1 + self.branches.iter().map(Plain::n_nodes).sum::<usize>()
    }

    fn leaf_classes(&self) -> Vec<usize> {
        if self.test.is_none() {
            vec![self.class]
        } else {
            self.branches.iter().flat_map(Plain::leaf_classes).collect()
        }
    }
}

impl Oracle<'_> {
    fn branch(&self, column: usize, cut: Option<f64>, row: usize) -> Option<usize> {
        match (&self.training.columns()[column], cut) {
            (NominalColumn::Codes { codes, .. }, _) => {
                Some(codes[row]).filter(|&code| code != MISSING).map(|c| c as usize)
            }
            (NominalColumn::Numbers(numbers), Some(cut)) if !numbers[row].is_nan() => {
                Some(usize::from(numbers[row] > cut))
            }
            _ => None,
        }
    }

    fn errors(&self, node: &mut Plain, rows: &Weighted, is_update: bool) -> f64 {
        let mut weights = vec![0.0; 2];
        rows.iter().for_each(|&(row, weight)| weights[self.training.classes[row] as usize] += weight);
        let total: f64 = weights.iter().sum();
        let best = if weights[1 - node.class] > weights[node.class] { 1 - node.class } else { node.class };
        let as_leaf = total - weights[best] + self.added.of(total, total - weights[best]);
        if is_update {
            (node.weights, node.class) = (weights, best);
        }
        let Some((column, cut)) = node.test else { return as_leaf };
        let of = |code: Option<usize>| {
            rows.iter()
                .copied()
                .filter(|&(row, _)| self.branch(column, cut, row) == code)
                .collect::<Weighted>()
        };
        let weight = |rows: &Weighted| rows.iter().map(|(_, weight)| weight).sum::<f64>();
        let (known, unknown) = (total - weight(&of(None)), of(None));
        let (mut as_tree, mut largest, mut most) = (0.0, 0, 0.0);
        for code in 0..node.branches.len() {
            let mut taken = of(Some(code));
            let share = weight(&taken) / known;
            if !taken.is_empty() {
                if share >= most - 1e-12 {
                    (largest, most) = (code, share);
                }
                taken.extend(unknown.iter().map(|&(row, weight)| (row, weight * share)));
                as_tree += self.errors(&mut node.branches[code], &taken, is_update);
            }
        }
        if !is_update {
            return as_tree;
        }
        let as_branch = self.errors(&mut node.branches[largest], rows, false);
        if as_leaf <= as_branch + 0.1 && as_leaf <= as_tree + 0.1 {
            (node.test, node.branches) = (None, Vec::new());
            as_leaf
        } else if as_branch <= as_tree + 0.1 {
            let mut branch = node.branches.swap_remove(largest);
            let errors = self.errors(&mut branch, rows, true);
            *node = branch;
            errors
        } else {
            as_tree
        }
    }
}

#[test]
fn pruning_agrees_with_its_plain_rendering() {
    let mut n_smaller = 0;
    for seed in 0..60 {
        let dataset = noisy(150, seed, if seed % 2 == 0 { 0.0 } else { 0.1 });
        let training = training(&dataset);
        let sample = Sample::of(&training);
        let cases = Cases::new(&training, &sample.rows).expect("cases");
        let grown = grow(&cases, &sample, 2.0);
        let (pruned, errors) = prune(&grown, &cases, &sample, PRUNING).expect("not deep");
        let mut expected = plain(&grown, 0);
        let rows = (0..dataset.n_rows()).map(|row| (row, training.weight(row))).collect();
        let expected_errors = Oracle { training: &training, added: AddErrs::new(0.25, Bound::Release8) }
            .errors(&mut expected, &rows, true);
        assert!((errors - expected_errors).abs() < 1e-9, "seed {seed}: {errors} {expected_errors}");
        assert_eq!(pruned.n_nodes(), expected.n_nodes(), "seed {seed}");
        assert_eq!(plain(&pruned, 0).leaf_classes(), expected.leaf_classes(), "seed {seed}");
        let replaced =
            prune(&grown, &cases, &sample, Pruning { is_raising: false, ..PRUNING }).expect("not deep").0;
        n_smaller += usize::from(pruned.n_nodes() != replaced.n_nodes());
    }
    assert!(n_smaller > 5, "branches were raised in {n_smaller} trees only");
}

#[test]
fn a_very_deep_tree_is_pruned_on_a_stack_of_its_own() {
    let n_rows = 1500;
    let numbers = (0..n_rows).map(f64::from).collect();
    let column = Column::new("x", Kind::Numeric, Values::Numbers(numbers)).expect("numbers");
    let target =
        Target::new("y", ["no", "yes"], (0..n_rows as u32).map(|row| row % 2).collect()).expect("a target");
    let dataset = Dataset::new(vec![column]).and_then(|data| data.with_target(target)).expect("a column");
    let mut tree = Tree::new(2);
    let mut node = tree.push(&[750.0, 750.0]);
    for row in 0..n_rows - 1 {
        let first = tree.nodes.len();
        tree.nodes[node].test = Test::Numeric { column: 0, cut: f64::from(row), first: first as u32 };
        tree.push(&[f64::from(1 - row % 2), f64::from(row % 2)]);
        node = tree.push(&[1.0, 1.0]);
    }
    let training = training(&dataset);
    let sample = Sample::of(&training);
    let (pruned, errors) =
        prune(&tree, &Cases::new(&training, &sample.rows).expect("cases"), &sample, PRUNING)
            .expect("memory for the stack");
    // Every leaf of one row is expected to err three times in four, which is worse than to say the same of all.
    assert!(pruned.n_nodes() < 10, "{}", pruned.n_nodes());
    assert!(errors > 750.0 && errors < 800.0, "{errors}");
}
