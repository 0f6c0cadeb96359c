//! The answer in plain words, and what a careful reader should know beside it.

use crate::results::{CutoffResult, Evaluation, MetricRow, Verdict};

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
    let upside_down = pooled(evaluation, "auroc").filter(|row| row.estimate.is_some_and(|auroc| auroc < 0.5));
    if let Some(models) = named(upside_down.map(|row| row.model.as_str())) {
        warnings.push(format!("worse than chance: {models}; are the scores upside down?"));
    }
    for rule in asked(&evaluation.cutoffs) {
        let of_rule = || evaluation.cutoffs.iter().filter(|cutoff| cutoff.asked == rule);
        let chosen = of_rule().filter(|c| c.cutoff.is_some_and(|found| found.rule.is_chosen_on_the_data()));
        if let Some(models) = named(chosen.map(|cutoff| cutoff.model.as_str())) {
            warnings.push(format!(
                "the cut-off {rule} was chosen on the data that judge it, so its figures flatter {models}"
            ));
        }
        for cutoff in of_rule() {
            let reason = cutoff.undefined.iter();
            warnings.extend(reason.map(|reason| format!("{}: no cut-off {rule}: {reason}", cutoff.model)));
        }
    }
    warnings
}

/// Says where the cut-off is a guess because the scores suggest none.
pub(super) fn no_customary_cutoff(evaluation: &Evaluation) -> Option<String> {
    let guessed = |cutoff: &&CutoffResult| {
        cutoff.cutoff.is_some_and(|found| matches!(found.rule, tribunal_eval::CutoffRule::Share(_)))
    };
    let models = named(evaluation.cutoffs.iter().filter(guessed).map(|cutoff| cutoff.model.as_str()))?;
    let share = 100.0 * evaluation.data.base_rate.unwrap_or(0.5);
    Some(format!(
        "the scores of {models} have no customary cut-off, so predictions are judged on the top {share:.1} % of the \
         list, the share of positives; choose another with --threshold"
    ))
}

/// The rules that were asked for, each once.
fn asked(cutoffs: &[CutoffResult]) -> Vec<&str> {
    let mut rules: Vec<&str> = Vec::new();
    for cutoff in cutoffs {
        if !rules.contains(&cutoff.asked.as_str()) {
            rules.push(&cutoff.asked);
        }
    }
    rules
}

/// The first few of some models by name; nothing where there are none.
pub(super) fn named<'a>(models: impl Iterator<Item = &'a str>) -> Option<String> {
    const SHOWN: usize = 5;
    let models: Vec<&str> = models.collect();
    match models.len() {
        0 => None,
        n if n <= SHOWN => Some(models.join(", ")),
        n => Some(format!("{} and {} more", models[..SHOWN].join(", "), n - SHOWN)),
    }
}
