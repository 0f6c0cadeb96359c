//! The way of a row down a tree, in words.

use super::classify::Classifier;
use super::tree::{Test, Way};
use crate::column::MISSING;
use crate::encoding::NominalColumn;
use crate::explanation::{Path, PathStep};
use crate::names::Names;

/// Of a row that lacks values, so many ways are told at most, those of the greatest share.
const MOST_PATHS: usize = 50;

/// A row that is followed down a tree.
pub(crate) struct Walk<'a> {
    pub(crate) classifier: Classifier<'a>,
    pub(crate) columns: &'a [NominalColumn],
    pub(crate) row: usize,
    pub(crate) names: &'a Names,
}

struct Unfinished {
    node: usize,
    path: Path,
}

impl Walk<'_> {
    /// The ways of the row, the one of the greatest share first.
    pub(crate) fn paths(&self) -> Vec<Path> {
        let root = Path { share: 1.0, steps: vec![self.step(0, String::new())] };
        let mut stack = vec![Unfinished { node: 0, path: root }];
        let mut paths = Vec::new();
        while let Some(unfinished) = stack.pop() {
            self.go_on(unfinished, &mut stack, &mut paths);
        }
        paths.sort_by(|a: &Path, b: &Path| b.share.total_cmp(&a.share));
        paths.truncate(MOST_PATHS);
        paths
    }

    fn go_on(
        &self,
        Unfinished { node, mut path }: Unfinished,
        stack: &mut Vec<Unfinished>,
        paths: &mut Vec<Path>,
    ) {
        let (tree, least) = (self.classifier.tree, self.classifier.least);
        if tree.nodes[node].test == Test::Leaf {
            return paths.push(path);
        }
        match self.classifier.way(node, self.columns, self.row) {
            Way::To(child) if tree.items(child) >= least => {
                path.steps.push(self.step(child, self.condition(node, child)));
                stack.push(Unfinished { node: child, path });
            }
            Way::Empty(class) if least <= 0.0 => {
                path.steps.push(self.empty_step(node, class));
                paths.push(path);
            }
            Way::To(_) | Way::Empty(_) => paths.push(path),
            Way::Unknown => self.fork(node, &path, stack, paths),
        }
    }

    fn fork(&self, node: usize, path: &Path, stack: &mut Vec<Unfinished>, paths: &mut Vec<Path>) {
        let mut branches: Vec<_> = self.classifier.fork(node, path.share).collect();
        branches.sort_by(|a, b| b.2.total_cmp(&a.2));
        for (code, child, share) in branches.into_iter().take(MOST_PATHS) {
            let percent = 100.0 * share / path.share;
            let [column, relation, value] = self.branch_words(node, code);
            let target = if relation == "=" { value } else { format!("{relation} {value}") };
            let condition = format!("{column} missing: {percent:.0} % go to {target}");
            let mut path = Path { share, steps: path.steps.clone() };
            match child {
                Some(child) => {
                    path.steps.push(self.step(child, condition));
                    stack.push(Unfinished { node: child, path });
                }
                None => paths.push(path),
            }
        }
    }

    fn condition(&self, node: usize, child: usize) -> String {
        let branch = self.classifier.tree.branches(node).find(|&(_, known)| known == child);
        branch.map_or_else(String::new, |(code, _)| self.branch_words(node, code).join(" "))
    }

    fn branch_words(&self, node: usize, code: u32) -> [String; 3] {
        branch_words(&self.classifier.tree.nodes[node].test, code, self.names)
    }

    fn step(&self, node: usize, condition: String) -> PathStep {
        let tree = self.classifier.tree;
        let mut posteriors = vec![0.0; tree.n_classes];
        self.classifier.smoothing.add(tree.weights(node), tree.nodes[node].class, 1.0, &mut posteriors);
        PathStep { condition, rows: tree.items(node), posteriors }
    }

    fn empty_step(&self, node: usize, class: u32) -> PathStep {
        let mut posteriors = vec![0.0; self.classifier.tree.n_classes];
        self.classifier.smoothing.add_empty(class, 1.0, &mut posteriors);
        let column =
            self.classifier.tree.nodes[node].test.column().and_then(|column| self.columns.get(column));
        let code = match column {
            Some(NominalColumn::Codes { codes, .. }) => codes[self.row],
            _ => MISSING,
        };
        PathStep { condition: self.branch_words(node, code).join(" "), rows: 0.0, posteriors }
    }
}

/// A branch as column, relation and value.
pub(crate) fn branch_words(test: &Test, code: u32, names: &Names) -> [String; 3] {
    let column = |column: u32| names.columns.get(column as usize);
    let name = |of: u32| column(of).map_or_else(|| "?".to_owned(), |column| column.name.clone());
    match *test {
        Test::Leaf => Default::default(),
        Test::Nominal { column: of, .. } => {
            let (relation, value) = column(of).map_or(("=", "?"), |column| column.relation(code));
            [name(of), relation.to_owned(), value.to_owned()]
        }
        Test::Numeric { column: of, cut, .. } => {
            [name(of), if code == 0 { "<=" } else { ">" }.to_owned(), cut.to_string()]
        }
    }
}
