//! A fitted TAN: the tree of columns with its tables, and the logs made of them.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::Tan;
use super::pair_table::{PairTable, codes_of};
use super::structure::{Information, information, nats};
use crate::column::MISSING;
use crate::encoding::{Encoded, NominalColumn};
use crate::explanation::{Explanation, Reasons};
use crate::learners::log_scores::{LogScores, shares};
use crate::learners::nb::{class_counts, class_totals, is_constant};
use crate::learners::smoothing::Smoothing;
use crate::model::{Case, Scorer};
use crate::model_shape::{ModelShape, are_weights};
use crate::names::{MOST_LINES, Names, in_dot, lines_left};
use crate::posteriors::Posteriors;
use crate::training::Training;

/// What TAN learned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Counted", into = "Counted")]
pub(crate) struct TanModel {
    counted: Counted,
    logs: Vec<NodeLogs>,
}

/// What is stored: whole counts, from which everything else follows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Counted {
    pub(super) smoothing: Smoothing,
    pub(super) class_weights: Vec<f64>,
    pub(super) nodes: Vec<Node>,
}

/// A column with the one that it leans on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Node {
    /// The weight of each value and class, value by value.
    pub(super) own: Vec<f64>,
    pub(super) lean: Option<Lean>,
}

/// The column that another leans on, with the values of both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Lean {
    pub(super) parent: usize,
    /// Values of the parent first.
    pub(super) pairs: PairTable,
}

/// The logs of a column's factors.
#[derive(Clone, Debug, PartialEq)]
struct NodeLogs {
    /// Given the class; none where the column is constant, which tells how many rows a class has and no more.
    own: Vec<f64>,
    /// Given the class and the value of the parent, where that table is laid out whole.
    given: Vec<f64>,
    /// The weight of each value of the parent and class.
    parent_totals: Vec<f64>,
    /// The share of each value over all classes.
    marginals: Vec<f64>,
}

impl TanModel {
    pub(crate) fn fit(settings: &Tan, training: &Training<'_>) -> Self {
        let columns = training.columns();
        let varying: Vec<usize> = (0..columns.len()).filter(|&idx| columns[idx].varies()).collect();
        let parents = Information::of(training).tree(settings.root, &varying);
        let node = |(idx, parent): (usize, &Option<usize>)| {
            let column = &training.columns()[idx];
            let (codes, n_codes) = codes_of(column);
            let lean = |&parent: &usize| Lean {
                parent,
                pairs: PairTable::count(&training.columns()[parent], column, training),
            };
            Node { own: class_counts(codes, n_codes, training), lean: parent.as_ref().map(lean) }
        };
        let nodes = parents.iter().enumerate().map(node).collect();
        let (smoothing, class_weights) = (settings.smoothing, training.class_weights());
        Counted { smoothing, class_weights, nodes }.prepared()
    }

    fn n_classes(&self) -> usize {
        self.counted.class_weights.len()
    }

    /// The logs of the factors of each class for a row of a column, and the column that it leans on there.
    fn factors(
        &self,
        columns: &[NominalColumn],
        idx: usize,
        row: usize,
    ) -> Option<(Vec<f64>, Option<usize>)> {
        let (node, logs) = (&self.counted.nodes[idx], &self.logs[idx]);
        let n_classes = self.n_classes();
        let code = known(&columns[idx], row)?;
        let lean = node.lean.as_ref().and_then(|lean| Some((lean, known(&columns[lean.parent], row)?)));
        let Some((lean, parent_code)) = lean else {
            let own = logs.own.get(code as usize * n_classes..)?.get(..n_classes)?;
            return Some((own.to_vec(), None));
        };
        let share = |class: usize| self.counted.given_share(idx, lean, logs, [parent_code, code], class).ln();
        Some(((0..n_classes).map(share).collect(), Some(lean.parent)))
    }
}

/// The code of a row, unless it is missing.
fn known(column: &NominalColumn, row: usize) -> Option<u32> {
    codes_of(column).0.get(row).copied().filter(|&code| code != MISSING)
}

impl Node {
    fn n_values(&self, n_classes: usize) -> usize {
        self.own.len() / n_classes
    }
}

impl Counted {
    pub(super) fn prepared(self) -> TanModel {
        let logs = (0..self.nodes.len()).map(|idx| self.logs(idx)).collect();
        TanModel { counted: self, logs }
    }

    fn logs(&self, idx: usize) -> NodeLogs {
        let (node, n_classes) = (&self.nodes[idx], self.class_weights.len());
        let n_values = node.n_values(n_classes);
        let totals = class_totals(&node.own, n_classes);
        let all: f64 = totals.iter().sum();
        let marginal = |of_value: &[f64]| if all > 0.0 { of_value.iter().sum::<f64>() / all } else { 0.0 };
        let marginals: Vec<f64> = node.own.chunks_exact(n_classes).map(marginal).collect();
        let own = node.own.iter().enumerate().map(|(cell, &count)| {
            let (code, class) = (cell / n_classes, cell % n_classes);
            self.smoothing.share(count, totals[class], n_values, marginals[code]).ln()
        });
        let own = if is_constant(&node.own, n_classes) { Vec::new() } else { own.collect() };
        let Some(lean) = &node.lean else {
            return NodeLogs { own, given: Vec::new(), parent_totals: Vec::new(), marginals };
        };
        let parent_totals = lean.pairs.first_totals();
        let given = |(cell, &count): (usize, &f64)| {
            let (pair, class) = (cell / n_classes, cell % n_classes);
            let total = parent_totals[pair / n_values * n_classes + class];
            self.smoothing.share(count, total, n_values, marginals[pair % n_values]).ln()
        };
        let given = lean.pairs.dense().unwrap_or_default().iter().enumerate().map(given).collect();
        NodeLogs { own, given, parent_totals, marginals }
    }

    /// The share of a value given the class and the value of the parent.
    fn given_share(
        &self,
        idx: usize,
        lean: &Lean,
        logs: &NodeLogs,
        [parent, code]: [u32; 2],
        class: usize,
    ) -> f64 {
        let (node, n_classes) = (&self.nodes[idx], self.class_weights.len());
        let total = logs.parent_totals[parent as usize * n_classes + class];
        let marginal = logs.marginals[code as usize];
        self.smoothing.share(
            lean.pairs.weight(parent, code, class),
            total,
            node.n_values(n_classes),
            marginal,
        )
    }

    fn is_sound(&self) -> bool {
        let n_classes = self.class_weights.len();
        let is_sound = |node: &Node| {
            let lean_fits = |lean: &Lean| {
                let shape = lean.pairs.shape();
                let parent = self.nodes.get(lean.parent);
                shape.n_classes == n_classes
                    && shape.n_second == node.n_values(n_classes)
                    && parent.is_some_and(|parent| shape.n_first == parent.n_values(n_classes))
                    && lean.pairs.is_sound()
            };
            node.own.len().is_multiple_of(n_classes)
                && are_weights(&node.own)
                && node.lean.as_ref().is_none_or(lean_fits)
        };
        n_classes > 0
            && self.smoothing.is_sound()
            && are_weights(&self.class_weights)
            && self.nodes.iter().all(is_sound)
            && self.is_forest()
    }

    /// Whether no column leans on itself, by way of others or not.
    fn is_forest(&self) -> bool {
        let parent = |node: usize| self.nodes[node].lean.as_ref().map(|lean| lean.parent);
        // Columns that are known to lead to a root; the number of the walk that met the others.
        let mut met_by: Vec<Option<usize>> = vec![None; self.nodes.len()];
        (0..self.nodes.len()).all(|start| {
            let mut at = Some(start);
            while let Some(node) = at {
                match met_by[node] {
                    Some(walk) => return walk != start,
                    None => met_by[node] = Some(start),
                }
                at = parent(node);
            }
            true
        })
    }
}

impl TryFrom<Counted> for TanModel {
    type Error = &'static str;

    fn try_from(counted: Counted) -> Result<Self, Self::Error> {
        if counted.is_sound() { Ok(counted.prepared()) } else { Err("tables that do not fit the columns") }
    }
}

impl From<TanModel> for Counted {
    fn from(model: TanModel) -> Counted {
        model.counted
    }
}

impl Scorer for TanModel {
    fn fits(&self, shape: &ModelShape) -> bool {
        let n_classes = self.n_classes();
        let has_codes = |(node, codes): (&Node, &Option<usize>)| *codes == Some(node.n_values(n_classes));
        let nodes = &self.counted.nodes;
        let has_columns = |columns: &[Option<usize>]| {
            columns.len() == nodes.len() && nodes.iter().zip(columns).all(has_codes)
        };
        n_classes == shape.n_classes && shape.columns().is_some_and(has_columns)
    }

    fn posteriors(&self, rows: &Encoded<'_>) -> Posteriors {
        let (columns, n_rows) = (rows.columns(), rows.n_rows());
        let priors = shares(&self.counted.class_weights);
        let mut scores = LogScores::of_priors(&priors, n_rows);
        for idx in 0..self.counted.nodes.len() {
            self.add_column(columns, idx, &mut scores);
        }
        scores.into_posteriors(&priors)
    }

    fn text(&self, names: &Names) -> String {
        let mut text = String::new();
        let total: f64 = self.counted.class_weights.iter().sum();
        let _ = writeln!(text, "prior: {}", self.class_line(names, &shares(&self.counted.class_weights)));
        for (idx, node) in self.counted.nodes.iter().enumerate() {
            let name = &names.columns[idx].name;
            match &node.lean {
                None if self.logs[idx].own.is_empty() => {
                    let _ = writeln!(text, "{name}: constant, says nothing");
                    continue;
                }
                None => {
                    let _ = writeln!(text, "{name}");
                }
                Some(lean) => {
                    let nats = nats(information(&lean.pairs), total);
                    let parent = &names.columns[lean.parent].name;
                    let _ = writeln!(text, "{name} leans on {parent} ({nats:.6} nats given the class)");
                }
            }
            self.table(idx, names, &mut text);
        }
        text
    }

    fn graph(&self, names: &Names) -> Option<String> {
        let mut graph =
            "digraph tan {\n  node [shape=box];\n  class [label=\"class\", shape=ellipse];\n".to_owned();
        for (idx, node) in self.counted.nodes.iter().enumerate() {
            let _ = writeln!(graph, "  c{idx} [label={}];", in_dot(&names.columns[idx].name));
            let _ = writeln!(graph, "  class -> c{idx} [color=gray];");
            if let Some(lean) = &node.lean {
                let _ = writeln!(graph, "  c{} -> c{idx};", lean.parent);
            }
        }
        Some(graph + "}\n")
    }

    fn explain(&self, case: &Case<'_>, names: &Names) -> Explanation {
        let (columns, row) = (case.rows.columns(), case.row);
        let priors = shares(&self.counted.class_weights);
        let posteriors = self.posteriors(case.rows).row(row).to_vec();
        let factor = |idx: usize| {
            let (logs, parent) = self.factors(columns, idx, row)?;
            let reading = |idx: usize| case.readings[idx].clone();
            let given = parent.map_or_else(String::new, |parent| format!(" given {}", reading(parent)));
            Some((reading(idx) + &given, logs))
        };
        let factors = (0..columns.len()).filter_map(factor).collect();
        Explanation { reasons: Reasons::evidence(names, &priors, &posteriors, factors), posteriors }
    }
}

impl TanModel {
    fn add_column(&self, columns: &[NominalColumn], idx: usize, scores: &mut LogScores) {
        let (node, logs, n_classes) = (&self.counted.nodes[idx], &self.logs[idx], self.n_classes());
        let codes = codes_of(&columns[idx]).0;
        let of = |cell: usize| cell * n_classes..(cell + 1) * n_classes;
        let Some(lean) = &node.lean else {
            return scores.add(codes.iter().map(|&code| logs.own.get(of(code as usize))));
        };
        if logs.given.is_empty() {
            return scores.add_each(|row, scores| {
                let factors = self.factors(columns, idx, row).map_or_else(Vec::new, |(factors, _)| factors);
                scores.iter_mut().zip(factors).for_each(|(score, factor)| *score += factor);
            });
        }
        let n_values = node.n_values(n_classes);
        let factors = codes.iter().zip(codes_of(&columns[lean.parent]).0).map(|(&code, &parent)| {
            match (code, parent) {
                (MISSING, _) => None,
                (code, MISSING) => logs.own.get(of(code as usize)),
                (code, parent) => logs.given.get(of(parent as usize * n_values + code as usize)),
            }
        });
        scores.add(factors);
    }

    fn class_line(&self, names: &Names, values: &[f64]) -> String {
        let value = |(class, value): (&String, &f64)| format!("{class} {value:.6}");
        names.classes.iter().zip(values).map(value).collect::<Vec<_>>().join(", ")
    }

    /// The shares of each value given the class, and the value of the parent where there is one.
    fn table(&self, idx: usize, names: &Names, text: &mut String) {
        let (node, logs, n_classes) = (&self.counted.nodes[idx], &self.logs[idx], self.n_classes());
        let column = &names.columns[idx];
        let Some(lean) = &node.lean else {
            for (code, logs) in (0..).zip(logs.own.chunks_exact(n_classes)).take(MOST_LINES) {
                let shares: Vec<f64> = logs.iter().map(|log| log.exp()).collect();
                let _ = writeln!(text, "  {}: {}", column.value(code), self.class_line(names, &shares));
            }
            return text.extend(lines_left(node.n_values(n_classes)));
        };
        let parent_names = &names.columns[lean.parent];
        for (cell, logs) in logs.given.chunks_exact(n_classes).enumerate().take(MOST_LINES) {
            let n_values = node.n_values(n_classes);
            let (parent, code) = ((cell / n_values) as u32, (cell % n_values) as u32);
            let shares: Vec<f64> = logs.iter().map(|log| log.exp()).collect();
            let (value, given) = (column.value(code), parent_names.reading_of(parent));
            let _ = writeln!(text, "  {value} given {given}: {}", self.class_line(names, &shares));
        }
        text.extend(lines_left(logs.given.len() / n_classes));
    }
}
