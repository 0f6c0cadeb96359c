//! Support vector machines as people read them.

use std::fmt::Write;

use super::kernel::Kernel;
use super::machine::{Heavy, Machine, Rule};
use super::model::SvmModel;
use crate::coefficients::number;
use crate::names::{FeatureName, MOST_LINES, Names, lines_left};

pub(super) fn text(model: &SvmModel, names: &Names) -> String {
    let mut text = match model.kernel {
        Kernel::Linear => "linear kernel\n".to_owned(),
        Kernel::Rbf { sigma } => format!("kernel exp(-d^2 / sigma^2) with sigma = {}\n", number(sigma)),
    };
    model.machines.iter().for_each(|machine| text += &of_machine(machine, names));
    text
}

fn of_machine(machine: &Machine, names: &Names) -> String {
    let [negative, positive] = machine.classes.map(|class| names.classes[class].as_str());
    let mut text = format!("\n{positive} where the score is 0 or more, {negative} where it is less\n");
    for (class, support) in [negative, positive].into_iter().zip(machine.support) {
        let (n_vectors, n_bound) = (support.n_vectors, support.n_bound);
        let _ = writeln!(text, "  {class}: {n_vectors} support vectors, {n_bound} of them at their bound");
    }
    let Machine { objective, violation, n_steps, .. } = machine;
    let _ = writeln!(text, "  objective {objective:.6}, violated by {violation:.1e} after {n_steps} steps");
    match &machine.rule {
        Rule::Weights(weights) => text += &weight_table(machine.intercept, weights, names),
        Rule::Vectors(_) => {
            let _ = writeln!(text, "  intercept {}", number(machine.intercept));
        }
    }
    text += "rows with the largest alpha\n";
    text.extend(machine.heaviest.iter().map(|heavy| heavy_line(heavy, names)));
    text
}

fn heavy_line(heavy: &Heavy, names: &Names) -> String {
    format!("  {} ({}): {}\n", u64::from(heavy.row) + 1, names.classes[heavy.class], number(heavy.alpha))
}

/// The weights in the units of the data, and what a standard deviation adds.
fn weight_table(intercept: f64, weights: &[f64], names: &Names) -> String {
    let features = || names.features.iter().zip(weights);
    let sd = |feature: &FeatureName| if feature.scale.is_constant() { 1.0 } else { feature.scale.sd };
    let shift = |(feature, weight): (&FeatureName, &f64)| match feature.scale.is_constant() {
        true => 0.0,
        false => -weight * (feature.scale.mean / feature.scale.sd),
    };
    let intercept = intercept + features().map(shift).sum::<f64>();
    let width = names.features.iter().map(|feature| feature.name.chars().count()).max();
    let width = width.unwrap_or(0).max("(intercept)".len());
    let mut text = format!("{:width$}  {:>10} {:>10}\n", "", "weight", "per sd");
    let _ = writeln!(text, "{:width$}  {:>10}", "(intercept)", number(intercept));
    for (feature, &weight) in features().take(MOST_LINES) {
        let in_units = number(weight / sd(feature));
        let _ = writeln!(text, "{:width$}  {in_units:>10} {:>10}", feature.name, number(weight));
    }
    text.extend(lines_left(names.features.len()));
    text
}
