//! The answer in plain words, and what a careful reader should know beside it.

use crate::results::{Evaluation, MetricRow, Verdict};

/// Which model ranks best, in a sentence.
pub(super) fn verdict(evaluation: &Evaluation) -> Verdict {
    let mut scored: Vec<(&str, f64)> =
        pooled(evaluation, "auroc").filter_map(|row| Some((row.model.as_str(), row.estimate?))).collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1));
    let ranking: Vec<String> = scored.iter().map(|(model, _)| (*model).to_owned()).collect();
    let sentence = match scored.as_slice() {
        [] => "No model can be ranked: the data hold one class only.".to_owned(),
        [(model, auroc)] => {
            format!("{model} ranks {} (AUROC {auroc:.3}): {}.", quality(*auroc), meaning(*auroc))
        }
        [(model, auroc), (second, runner_up), ..] => format!(
            "{model} ranks best of {} models (AUROC {auroc:.3}, before {second} with {runner_up:.3}): {}.",
            scored.len(),
            meaning(*auroc)
        ),
    };
    Verdict { sentence, metric: "auroc", ranking }
}

fn quality(auroc: f64) -> &'static str {
    match auroc {
        a if a < 0.5 => "worse than chance",
        a if a < 0.6 => "hardly better than chance",
        a if a < 0.7 => "poorly",
        a if a < 0.8 => "fairly",
        a if a < 0.9 => "well",
        _ => "very well",
    }
}

fn meaning(auroc: f64) -> String {
    format!("a positive case scores higher than a negative one in {:.0} of 100 pairs", 100.0 * auroc)
}

/// Figures over all rows.
fn pooled<'a>(evaluation: &'a Evaluation, metric: &'a str) -> impl Iterator<Item = &'a MetricRow> {
    evaluation.metrics.iter().filter(move |row| row.metric == metric && row.fold.is_none())
}

/// Fewer positives than this make every figure shaky.
const FEW_POSITIVES: u64 = 30;

/// What a careful statistician would say before the figures are used.
pub(super) fn warnings(evaluation: &Evaluation) -> Vec<String> {
    let mut warnings = Vec::new();
    let data = &evaluation.data;
    if data.positives > 0 && data.positives < FEW_POSITIVES {
        warnings.push(format!("there are only {} positives, so every figure is uncertain", data.positives));
    }
    for row in pooled(evaluation, "auroc").filter(|row| row.estimate.is_some_and(|auroc| auroc < 0.5)) {
        warnings.push(format!("{} ranks worse than chance: are its scores upside down?", row.model));
    }
    for cutoff in &evaluation.cutoffs {
        if cutoff.cutoff.is_some_and(|found| found.rule.is_chosen_on_the_data()) {
            warnings.push(format!(
                "{}: the cut-off {} was chosen on the data that judge it, so its figures flatter the model",
                cutoff.model, cutoff.asked
            ));
        }
        if let Some(reason) = &cutoff.undefined {
            warnings.push(format!("{}: no cut-off {}: {reason}", cutoff.model, cutoff.asked));
        }
    }
    warnings
}
