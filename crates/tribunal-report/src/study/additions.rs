//! What larger sets of predictors add: over all learners, by family, and on paper learner by learner.

use tribunal::{Addition, FamilyGain, LearnerGain, Study};

use super::gathered;
use super::scale::Scale;
use crate::description::Place;
use crate::document::{Align, Part, Table, columns, plain_row};
use crate::number::{p_value, percent};

pub(super) fn parts(study: &Study, place: Place) -> Vec<Part> {
    if study.additions.is_empty() {
        return Vec::new();
    }
    let by_metric = gathered(study.additions.iter().map(|addition| (addition.metric.as_str(), addition)));
    let shown = if place == Place::Terminal { 1 } else { by_metric.len() };
    let families = by_metric.iter().take(shown).map(|(metric, additions)| families(metric, additions));
    let mut tables: Vec<Table> = [overview(study)].into_iter().chain(families).collect();
    if place == Place::Paper {
        tables.extend(study.additions.iter().map(|addition| learners(study, addition)));
    }
    tables.into_iter().map(Part::Table).collect()
}

fn overview(study: &Study) -> Table {
    let row = |addition: &Addition| {
        let scale = Scale::of(&addition.metric);
        plain_row([
            addition.target.clone(),
            sets(addition),
            scale.label(&addition.metric),
            scale.figure(addition.gain),
            scale.interval(Some(addition.lower), Some(addition.upper)),
            p_value(addition.p),
            format!("{} of {}", addition.better, addition.n),
        ])
    };
    Table {
        title: format!(
            "Mean gain over learners, positive where the larger set is better ({} intervals, paired t test over learners)",
            percent(study.level)
        ),
        columns: columns([
            ("target", Align::Left),
            ("sets", Align::Left),
            ("metric", Align::Left),
            ("gain", Align::Right),
            ("interval", Align::Right),
            ("p", Align::Right),
            ("learners that gain", Align::Right),
        ]),
        rows: study.additions.iter().map(row).collect(),
    }
}

fn sets(addition: &Addition) -> String {
    format!("{} over {}", addition.more, addition.fewer)
}

/// A line a family, a column for each target and pair of sets.
fn families(metric: &str, additions: &[&Addition]) -> Table {
    let scale = Scale::of(metric);
    let has_one_pair = gathered(additions.iter().map(|addition| (sets(addition), ()))).len() == 1;
    let name = |addition: &&Addition| match has_one_pair {
        true => addition.target.clone(),
        false => format!("{}, {}", addition.target, sets(addition)),
    };
    let all = additions.iter().flat_map(|addition| &addition.families);
    let names = gathered(all.map(|family| (family.family.as_str(), ())));
    let cell = |family: &str, addition: &&Addition| {
        let gain = addition.families.iter().find(|one: &&FamilyGain| one.family == family);
        scale.optional(gain.map(|gain| gain.gain))
    };
    let row = |(family, _): &(&str, Vec<()>)| {
        let gains = additions.iter().map(|addition| cell(family, addition));
        plain_row([(*family).to_owned()].into_iter().chain(gains))
    };
    let columns = additions.iter().map(|addition| (name(addition), Align::Right));
    Table {
        title: format!("Mean gain of each family, {}", scale.label(metric)),
        columns: [("family".to_owned(), Align::Left)].into_iter().chain(columns).collect(),
        rows: names.iter().map(row).collect(),
    }
}

fn learners(study: &Study, addition: &Addition) -> Table {
    let scale = Scale::of(&addition.metric);
    let row = |gain: &LearnerGain| {
        plain_row([
            gain.learner.clone(),
            scale.figure(gain.gain),
            scale.interval(Some(gain.lower), Some(gain.upper)),
            p_value(gain.p),
        ])
    };
    Table {
        title: format!(
            "{}: gain of each learner, {}, {} ({} intervals, corrected t test over the splits)",
            addition.target,
            sets(addition),
            scale.label(&addition.metric),
            percent(study.level)
        ),
        columns: columns([
            ("learner", Align::Left),
            ("gain", Align::Right),
            ("interval", Align::Right),
            ("p", Align::Right),
        ]),
        rows: addition.learners.iter().map(row).collect(),
    }
}
