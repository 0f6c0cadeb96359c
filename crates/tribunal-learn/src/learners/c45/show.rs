//! A tree for people: indented lines, and a graph in the DOT language of Graphviz.

use std::fmt::Write;

use super::explain::branch_words;
use super::tree::{Test, Tree};
use crate::names::{Names, in_dot};

/// What is to be written next.
enum Line {
    /// A branch to a node, with how deep it stands.
    Branch { depth: usize, parent: usize, code: u32, node: usize },
    /// The branches of a node that no training row took.
    Empty { depth: usize, parent: usize },
}

/// The tree line by line, with the weight of the training rows and of those of another class in every leaf.
pub(crate) fn text(tree: &Tree, names: &Names) -> String {
    let mut text = String::new();
    let mut stack = Vec::new();
    if tree.nodes[0].test == Test::Leaf {
        let _ = writeln!(text, "{}", leaf(tree, 0, names));
    }
    push_lines(tree, 0, 0, &mut stack);
    while let Some(line) = stack.pop() {
        match line {
            Line::Branch { depth, parent, code, node } => {
                let condition = branch_words(&tree.nodes[parent].test, code, names).join(" ");
                let is_leaf = tree.nodes[node].test == Test::Leaf;
                let end = if is_leaf { format!(": {}", leaf(tree, node, names)) } else { String::new() };
                let _ = writeln!(text, "{}{condition}{end}", "|   ".repeat(depth));
                push_lines(tree, node, depth + 1, &mut stack);
            }
            Line::Empty { depth, parent } => {
                let _ = writeln!(text, "{}{}", "|   ".repeat(depth), empty(tree, parent, names));
            }
        }
    }
    let _ = write!(text, "\nNumber of leaves: {}\nNumber of nodes: {}\n", tree.n_leaves(), tree.n_nodes());
    text
}

fn push_lines(tree: &Tree, parent: usize, depth: usize, stack: &mut Vec<Line>) {
    if tree.n_empty(parent) > 0 {
        stack.push(Line::Empty { depth, parent });
    }
    let from = stack.len();
    stack.extend(tree.branches(parent).map(|(code, node)| Line::Branch { depth, parent, code, node }));
    stack[from..].reverse();
}

fn leaf(tree: &Tree, node: usize, names: &Names) -> String {
    let (items, errors) = (rounded(tree.items(node)), rounded(tree.errors(node)));
    let class = class_name(names, tree.nodes[node].class);
    if errors == "0" { format!("{class} ({items})") } else { format!("{class} ({items}/{errors})") }
}

fn empty(tree: &Tree, parent: usize, names: &Names) -> String {
    let Test::Nominal { column, n_codes, empty, .. } = tree.nodes[parent].test else { return String::new() };
    let stored: Vec<u32> = tree.branches(parent).map(|(code, _)| code).collect();
    let lone = (0..n_codes).find(|code| stored.binary_search(code).is_err());
    let class = class_name(names, empty);
    match (tree.n_empty(parent), lone) {
        (1, Some(code)) => {
            format!("{}: {class} (0)", branch_words(&tree.nodes[parent].test, code, names).join(" "))
        }
        (n_empty, _) => {
            let column = names.columns.get(column as usize).map_or("?", |column| &column.name);
            format!("{column} = any of {n_empty} others: {class} (0)")
        }
    }
}

fn class_name(names: &Names, class: u32) -> &str {
    names.classes.get(class as usize).map_or("?", String::as_str)
}

/// A weight with at most two digits behind the point.
fn rounded(weight: f64) -> String {
    let text = format!("{weight:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The tree as a graph; branches that no training row took are left out.
pub(crate) fn graph(tree: &Tree, names: &Names) -> String {
    let mut text = String::from("digraph tree {\n  node [fontname=\"sans-serif\"];\n");
    for node in 0..tree.nodes.len() {
        let _ = match tree.nodes[node].test {
            Test::Leaf => {
                writeln!(text, "  n{node} [shape=box, label={}];", in_dot(&leaf(tree, node, names)))
            }
            test => writeln!(text, "  n{node} [label={}];", in_dot(&branch_words(&test, 0, names)[0])),
        };
        for (code, child) in tree.branches(node) {
            let [_, relation, value] = branch_words(&tree.nodes[node].test, code, names);
            let _ =
                writeln!(text, "  n{node} -> n{child} [label={}];", in_dot(&format!("{relation} {value}")));
        }
    }
    text.push_str("}\n");
    text
}
