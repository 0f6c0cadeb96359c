//! The answer with its reasons, who took part, and what is doubtful.

use tribunal::message::Phrasing;
use tribunal::selection::{ModelsTrained, Selection, SelectionLearner};

use crate::description::counted;
use crate::document::{Align, Part, Table, columns, plain_row};
use crate::number::{count, figure, percent};

/// What was compared, on what and how.
pub(super) fn introduction(selection: &Selection) -> String {
    let (training, population) = (&selection.training, &selection.population);
    let class = |class: &tribunal::ClassCount| format!("{} {}", count(class.rows as f64), class.class);
    let classes: Vec<String> = training.classes.iter().map(class).collect();
    let took_part = super::taking_part(selection).len() as u64;
    format!(
        "{} of {} with {} ({}; {} to learn from), {} of {} without labels; {} compared by {}, {} with seed {}.",
        counted(training.rows, "row"),
        training.files.join(", "),
        training.target,
        classes.join(", "),
        counted(training.columns, "column"),
        counted(population.rows, "row"),
        population.files.join(", "),
        counted(took_part, "learner"),
        match selection.reverse_labels {
            Some(labels) => format!("{} ({labels} reverse labels)", selection.metric),
            None => selection.metric.to_string(),
        },
        selection.design,
        selection.seed,
    )
}

/// The verdict, why, and the committee.
pub(super) fn parts(selection: &Selection) -> Vec<Part> {
    let mut parts = vec![Part::Paragraph(selection.verdict.clone())];
    if let Some(recommended) = selection.recommended.as_ref().filter(|found| !found.reasons.is_empty()) {
        parts.push(Part::Paragraph(format!("Why {}:", recommended.learner)));
        parts.push(Part::List(recommended.reasons.clone()));
    }
    parts.extend(committee(selection).map(Part::Paragraph));
    parts
}

/// Members of little weight are left to the table of learners.
fn committee(selection: &Selection) -> Option<String> {
    const LEAST: f64 = 0.01;
    let committee = selection.committee.as_ref()?;
    let mut members: Vec<(&String, f64)> =
        committee.learners.iter().zip(committee.weights.iter().copied()).collect();
    members.sort_by(|a, b| b.1.total_cmp(&a.1));
    let named: Vec<String> = members
        .iter()
        .filter(|(_, weight)| *weight >= LEAST)
        .map(|(learner, weight)| format!("{learner} {}", percent((100.0 * weight).round() / 100.0)))
        .collect();
    let others = match members.len() - named.len() {
        0 => String::new(),
        1 => ", and one with less than 1 %".to_owned(),
        n => format!(", and {n} with less than 1 % each"),
    };
    Some(format!(
        "Where several models may be averaged, the weighted committee needs no further fit: {}{others}.",
        named.join(", ")
    ))
}

/// Warnings first, then what was noticed about the tables.
pub(super) fn warnings(selection: &Selection, phrasing: &dyn Phrasing) -> Vec<Part> {
    let warnings = selection.warnings.iter().map(|warning| format!("warning: {}", warning.said_by(phrasing)));
    let remarks: Vec<String> = warnings.chain(selection.notices.iter().cloned()).collect();
    if remarks.is_empty() { Vec::new() } else { vec![Part::List(remarks)] }
}

/// Who took part, as what, and how much each counts.
pub(super) fn learners(selection: &Selection) -> Vec<Part> {
    let shares = |learner: &str| {
        let committee = selection.committee.as_ref()?;
        let place = committee.learners.iter().position(|member| member == learner)?;
        committee.weights.get(place).copied()
    };
    let optional = |value: Option<f64>| value.map_or_else(|| "n/a".to_owned(), figure);
    // Where benefits count, probabilities are made right in the mean too.
    let are_shifted = selection.learners.iter().any(|learner| learner.log_odds_shift.is_some());
    let row = |(place, learner): (usize, &SelectionLearner)| {
        let shift = are_shifted.then(|| optional(learner.log_odds_shift));
        let cells = [(place + 1).to_string(), learner.learner.clone(), learner.family.clone()];
        let figures = [optional(learner.weight), optional(shares(&learner.learner))];
        plain_row(cells.into_iter().chain([optional(learner.temperature)]).chain(shift).chain(figures))
    };
    // Numbers count those that take part: they head the columns of the matrices.
    let taking_part = selection.learners.iter().filter(|learner| learner.failed.is_none());
    let heads = [
        Some(("no.", Align::Right)),
        Some(("learner", Align::Left)),
        Some(("family", Align::Left)),
        Some(("temperature", Align::Right)),
        are_shifted.then_some(("log-odds shift", Align::Right)),
        Some(("consensus", Align::Right)),
        Some(("committee", Align::Right)),
    ];
    let what_fits = match are_shifted {
        true => {
            "the temperature and the shift of log-odds that make their probabilities fit the labelled rows, in the mean too"
        }
        false => "the temperature that makes their probabilities fit the labelled rows",
    };
    let table = Table {
        title: format!(
            "Learners: {what_fits}, their weights in the consensus, where clones share one, and in the committee"
        ),
        columns: heads.into_iter().flatten().map(|(name, align)| (name.to_owned(), align)).collect(),
        rows: taking_part.enumerate().map(row).collect(),
    };
    let remarks: Vec<String> = selection.learners.iter().filter_map(remarks).collect();
    let remarks = if remarks.is_empty() { None } else { Some(Part::List(remarks)) };
    [Part::Table(table)].into_iter().chain(remarks).collect()
}

/// What is special about a learner, if anything.
fn remarks(learner: &SelectionLearner) -> Option<String> {
    if let Some(why) = &learner.failed {
        return Some(format!("{} takes no part: {why}", learner.learner));
    }
    let tuned = learner.tuned.as_ref().map(|tuned| format!("tuned: {tuned}"));
    let clones =
        (!learner.clones.is_empty()).then(|| format!("says the same as {}", learner.clones.join(", ")));
    let one_class = learner.predicts_one_class.then(|| "one class for every row".to_owned());
    let remarks: Vec<String> = [tuned, clones, one_class].into_iter().flatten().collect();
    (!remarks.is_empty()).then(|| format!("{}: {}", learner.learner, remarks.join("; ")))
}

/// How many models were trained, beside what people did before.
pub(super) fn models(selection: &Selection) -> Vec<Part> {
    let trained: &ModelsTrained = &selection.models_trained;
    let rows = [
        ("of all labelled rows", trained.forward),
        ("reverse models", trained.reverse),
        ("cross-validation", trained.cross_validation),
        ("leave-one-out", trained.leave_one_out),
        ("reverse validation", trained.reverse_validation),
        ("audit", trained.audit),
        ("together", trained.total()),
        ("ten-fold cross-validation, a hundred times", trained.repeated_cross_validation),
    ];
    let row = |(what, models): &(&str, u64)| plain_row([(*what).to_owned(), count(*models as f64)]);
    let table = Table {
        title: "Models trained, beside what ten-fold cross-validation repeated a hundred times would train"
            .to_owned(),
        columns: columns([("what for", Align::Left), ("models", Align::Right)]),
        rows: rows.iter().filter(|(_, models)| *models > 0).map(row).collect(),
    };
    vec![Part::Table(table)]
}
