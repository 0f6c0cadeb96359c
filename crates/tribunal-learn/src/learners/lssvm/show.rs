//! A machine as text: its kernel, the weights of columns, and the training rows that weigh most.

use std::fmt::Write;

use super::kernel::Kernel;
use super::model::{Function, LsSvmModel, Strong};
use super::system::outputs;
use crate::names::{FeatureName, MOST_LINES, Names, lines_left};

pub(super) fn text(model: &LsSvmModel, names: &Names) -> String {
    let mut text = format!(
        "least-squares support vector machine of {} rows, gamma {}\nkernel of rows x and z: {}\n",
        model.n_rows,
        model.used_gamma,
        kernel_text(model)
    );
    for (output, class) in outputs(model.n_classes).enumerate() {
        let _ = write!(text, "\n{}\n", told(class, names));
        let _ = writeln!(text, "  bias {:.6}", model.biases[output]);
        if let Function::Linear(weights) = &model.function {
            text += &columns(&weights[output], &names.features);
        }
        text += "training rows that weigh most\n";
        text.extend(model.strongest[output].iter().map(|strong| strong_line(strong, names)));
    }
    text
}

fn kernel_text(model: &LsSvmModel) -> String {
    let kernel = match &model.function {
        Function::Linear(_) => Kernel::Linear,
        Function::Kernel(sum) => sum.kernel,
    };
    match kernel {
        Kernel::Linear => "x.z".to_owned(),
        Kernel::Poly { degree } => format!("(x.z + 1)^{degree}"),
        Kernel::Rbf { sigma } => format!("exp(-|x - z|^2 / {sigma:.6}^2)"),
    }
}

/// What an output tells from what.
fn told(class: usize, names: &Names) -> String {
    match &names.classes[..] {
        [other, told] => format!("{told} (above 0) or {other}"),
        classes => format!("{} or any other class", classes[class]),
    }
}

fn columns(weights: &[f64], features: &[FeatureName]) -> String {
    const HEAD: &str = "weight of";
    let names = features.iter().map(|feature| feature.name.chars().count());
    let width = names.fold(HEAD.len(), usize::max);
    let mut text = format!("  {HEAD:width$}  {:>12} {:>12}\n", "per sd", "per unit");
    let line = |(weight, feature): (&f64, &FeatureName)| {
        let per_unit = if feature.scale.is_constant() { 0.0 } else { weight / feature.scale.sd };
        format!("  {:width$}  {weight:>12.6} {per_unit:>12.6}\n", feature.name)
    };
    text.extend(weights.iter().zip(features).take(MOST_LINES).map(line));
    text.extend(lines_left(features.len()));
    text
}

fn strong_line(strong: &Strong, names: &Names) -> String {
    let class = &names.classes[strong.class as usize];
    format!("  row {} ({class}): {:.6}\n", u64::from(strong.row) + 1, strong.coefficient)
}
