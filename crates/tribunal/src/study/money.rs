//! A verdict by the mean cost in words: what a case costs by each way of minding costs, and with the same prediction for
//! everybody.

use tribunal_eval::Confusion;
use tribunal_eval::significance::{Differences, corrected_t, holm};
use tribunal_learn::Learner;

use super::analysis::Findings;
use super::judged::weight_of_all;
use crate::line_up::Entrant;

/// What the rows of a scenario cost by a learner and its relatives; nothing where another metric decides.
pub(super) fn costs_in_words(findings: &Findings<'_>, scenario: usize, learner: usize) -> Option<String> {
    findings.measures[0].costs()?;
    let relatives = relatives(findings, learner);
    let mut words: Vec<String> = Vec::new();
    if relatives.len() > 1 {
        words.push(format!("A case costs {}", by_each(findings, scenario, &relatives)));
    }
    words.extend(shown_difference(findings, scenario, learner, &relatives));
    let of_all = of_one_prediction(findings, scenario)?;
    words.push(format!("The same prediction for everybody costs {of_all}"));
    Some(words.join(". ") + ".")
}

/// Learners that differ in how they mind costs only, the plain one first where it takes part.
fn relatives(findings: &Findings<'_>, learner: usize) -> Vec<usize> {
    let base = |place: usize| base_of(&findings.entrants[place]);
    let Some(own) = base(learner) else { return vec![learner] };
    let mut found: Vec<usize> =
        (0..findings.entrants.len()).filter(|&place| base(place).as_ref() == Some(&own)).collect();
    found.sort_by_key(|&place| is_cost_sensitive(&findings.entrants[place]));
    found
}

/// What a learner is without costs, and without what calibrates it for them.
fn base_of(entrant: &Entrant) -> Option<String> {
    let Entrant::BuiltIn(learner) = entrant else { return None };
    let text = learner.to_string();
    let plain = learner.cost_method().and_then(|_| text.rfind('+')).map_or(&text[..], |at| &text[..at]);
    let plain: Learner = plain.parse().ok()?;
    Some(plain.uncalibrated().unwrap_or(plain).to_string())
}

fn is_cost_sensitive(entrant: &Entrant) -> bool {
    matches!(entrant, Entrant::BuiltIn(learner) if learner.cost_method().is_some())
}

fn mean(findings: &Findings<'_>, scenario: usize, learner: usize) -> Option<f64> {
    let cell = &findings.of_scenario(scenario)[learner];
    cell.mean(0, findings.frame(scenario), findings.request.level).value.ok()
}

/// The cheapest first.
fn by_each(findings: &Findings<'_>, scenario: usize, learners: &[usize]) -> String {
    let told =
        |&learner: &usize| Some((mean(findings, scenario, learner)?, &findings.learners[learner].learner));
    let mut told: Vec<(f64, &String)> = learners.iter().filter_map(told).collect();
    told.sort_by(|a, b| a.0.total_cmp(&b.0));
    let told: Vec<String> = told.iter().map(|(cost, name)| format!("{cost:.3} with {name}")).collect();
    told.join(", ")
}

/// How much a way of minding costs saves against the plain learner, by the t test for shared training rows, adjusted by Holm
/// for all the ways that were tried.
fn shown_difference(
    findings: &Findings<'_>,
    scenario: usize,
    learner: usize,
    relatives: &[usize],
) -> Option<String> {
    let (&plain, ways) = relatives.split_first().filter(|(plain, _)| **plain != learner)?;
    let values = |learner: usize| -> Option<Vec<f64>> {
        findings.of_scenario(scenario)[learner].values(0).into_iter().collect()
    };
    let (ratio, of_plain) = (findings.frame(scenario).ratio()?, values(plain)?);
    let test = |&way: &usize| {
        let saved = values(way)?.iter().zip(&of_plain).map(|(cost, plain)| plain - cost).collect();
        Some((way, corrected_t(&Differences::new(saved).ok()?, ratio, findings.request.level)))
    };
    let tests: Vec<_> = ways.iter().filter_map(test).collect();
    let p_values: Vec<f64> = tests.iter().map(|(_, test)| test.p).collect();
    let adjusted = holm(&p_values).ok()?;
    let ((_, test), p) = tests.iter().zip(adjusted).find(|((way, _), _)| *way == learner)?;
    let name = |learner: usize| &findings.learners[learner].learner;
    let interval = test.effect.interval;
    let p_words = if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") };
    let adjusted =
        if tests.len() > 1 { format!(", adjusted for {} ways", tests.len()) } else { String::new() };
    let is_real = p < findings.request.level.alpha();
    Some(format!(
        "{} saves {:.3} a case against {} ({:.3} to {:.3}; {p_words}{adjusted}){}",
        name(learner),
        test.effect.difference,
        name(plain),
        interval.lower,
        interval.upper,
        if is_real { "" } else { ", which chance may explain" }
    ))
}

/// What it costs to predict one class for everybody, for each class.
fn of_one_prediction(findings: &Findings<'_>, scenario: usize) -> Option<String> {
    let place = findings.places[scenario];
    let (truth, target) = (findings.ground.truth(place.target), &findings.ground.targets[place.target]);
    let weights = findings.ground.sets[place.set].dataset.weights();
    let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
    let positive: f64 = (0..truth.len()).filter(|&row| truth[row]).map(weight).sum();
    let negative = weight_of_all(&truth, weights) - positive;
    let none = Confusion { fn_: positive, tn: negative, ..Confusion::default() };
    let all = Confusion { tp: positive, fp: negative, ..Confusion::default() };
    let told = |(class, cells): (&String, &Confusion)| {
        let cost = findings.measures[0].of_confusion(cells)?.ok()?;
        Some(format!("{cost:.3} ({class})"))
    };
    let told: Option<Vec<String>> = target.classes().iter().zip([&none, &all]).map(told).collect();
    Some(told?.join(" or "))
}
