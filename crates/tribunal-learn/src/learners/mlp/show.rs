//! Networks as text: how relevant each input is, the most relevant first.

use std::fmt::Write;

use super::evidence::LARGEST_ALPHA;
use super::layout::Layout;
use super::model::MlpModel;
use super::net::Net;
use crate::names::{MOST_LINES, Names, lines_left};

/// Of a group that rows determine less of nothing can be said: rounding errors of the curvature alone come to a small part of
/// this where alpha is least.
const NOTHING_DETERMINED: f64 = 1e-4;

/// The networks of a model.
pub(super) fn text(model: &MlpModel, names: &Names) -> String {
    let mut text = String::new();
    for (idx, net) in model.nets.iter().enumerate() {
        let class = names.classes.get(model.class(idx)).map_or("?", String::as_str);
        match net {
            None => {
                let _ = writeln!(text, "{class}: no training rows");
            }
            Some(net) => write_net(&mut text, model, net, class, names),
        }
    }
    text
}

fn write_net(text: &mut String, model: &MlpModel, net: &Net, class: &str, names: &Names) {
    let layout = model.layout();
    let units = if layout.n_hidden == 1 { "unit" } else { "units" };
    let determined: f64 = net.determined.iter().sum();
    let settled = if net.has_converged { "which settled" } else { "which had not settled" };
    let _ = writeln!(
        text,
        "{class}: {} hidden {units}, {} weights of which {determined:.2} are well determined, log evidence {:.4}",
        layout.n_hidden,
        layout.n_weights(),
        net.log_evidence,
    );
    let _ = writeln!(
        text,
        "trained by {} steps in {} cycles, {settled} in the last{}",
        net.n_steps,
        model.n_cycles,
        if net.restart > 0 {
            format!("; beginning {} was the best", net.restart.saturating_add(1))
        } else {
            String::new()
        },
    );
    let _ =
        writeln!(text, "\nrelevance of inputs, the most relevant first (alpha: how strongly weights decay)");
    for &input in by_relevance(layout, net).iter().take(MOST_LINES) {
        let name = names.features.get(input).map_or("?", |feature| feature.name.as_str());
        write_group(text, layout, net, input, name);
    }
    text.extend(lines_left(layout.n_inputs));
    let _ = writeln!(text, "\nother weights");
    for (group, name) in ["hidden biases", "output weights", "output bias"].into_iter().enumerate() {
        write_group(text, layout, net, layout.n_inputs + group, name);
    }
    text.push('\n');
}

/// Inputs by rising alpha; those of which rows say nothing at all, such as constant columns, are the last.
fn by_relevance(layout: Layout, net: &Net) -> Vec<usize> {
    let mut inputs: Vec<usize> = (0..layout.n_inputs).collect();
    let is_idle = |input: usize| net.determined[input] < NOTHING_DETERMINED;
    inputs.sort_by(|&a, &b| (is_idle(a).cmp(&is_idle(b))).then(net.alphas[a].total_cmp(&net.alphas[b])));
    inputs
}

fn write_group(text: &mut String, layout: Layout, net: &Net, group: usize, name: &str) {
    let squares: f64 = (0..layout.n_weights())
        .filter(|&idx| layout.group(idx) == group)
        .map(|idx| net.weights[idx] * net.weights[idx])
        .sum();
    let size = (squares / layout.group_size(group) as f64).sqrt();
    let says_nothing = net.alphas[group] >= LARGEST_ALPHA || net.determined[group] < NOTHING_DETERMINED;
    let note = if says_nothing { " (says nothing)" } else { "" };
    let _ = writeln!(text, "  {name}: alpha {}, weights of size {size:.4}{note}", shown(net.alphas[group]));
}

/// An alpha with four digits that say something.
fn shown(alpha: f64) -> String {
    if (0.01..10_000.0).contains(&alpha) { format!("{alpha:.4}") } else { format!("{alpha:.3e}") }
}
