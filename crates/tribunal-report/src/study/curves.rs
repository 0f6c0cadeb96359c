//! ROC curves of a study: how good each family can be, and who is best under which conditions (Provost and Fawcett 2001).

use tribunal::{FoldedRoc, ScenarioCurves, Stretch, Study, StudyLearner};

use super::detailed;
use crate::description::Place;
use crate::document::{Align, Part, Table, columns, plain_row};
use crate::number::figure;

pub(super) fn parts(study: &Study, place: Place) -> Vec<Part> {
    let shown = detailed(study, place);
    let is_shown = |curves: &&ScenarioCurves| shown.iter().any(|scenario| scenario.name == curves.scenario);
    let on_terminal = place == Place::Terminal && !study.curves.is_empty();
    let overview = on_terminal.then(|| overview(study));
    let of_scenario = |curves: &ScenarioCurves| {
        let families = (place == Place::Paper).then(|| families(study, curves));
        families.into_iter().chain([stretches(curves)])
    };
    let tables = study.curves.iter().filter(is_shown).flat_map(of_scenario);
    overview.into_iter().chain(tables).map(Part::Table).collect()
}

/// The largest areas of each scenario, in a line.
fn overview(study: &Study) -> Table {
    let row = |curves: &ScenarioCurves| {
        let by_area =
            |a: &&tribunal::FamilyHull, b: &&tribunal::FamilyHull| a.hull.area.total_cmp(&b.hull.area);
        let family = curves.families.iter().max_by(by_area);
        let curve = largest(curves.averaged.iter());
        plain_row([
            curves.scenario.clone(),
            figure(curves.joint.area),
            family.map_or_else(String::new, |family| family.family.clone()),
            family.map_or_else(String::new, |family| figure(family.hull.area)),
            curve.map_or_else(String::new, |curve| curve.model.clone()),
            curve.map_or_else(String::new, |curve| figure(curve.area)),
        ])
    };
    Table {
        title: "Areas under the hull of all learners, of the best family, and under the best averaged curve"
            .into(),
        columns: columns([
            ("scenario", Align::Left),
            ("joint hull", Align::Right),
            ("best family", Align::Left),
            ("its hull", Align::Right),
            ("best curve", Align::Left),
            ("its AUROC", Align::Right),
        ]),
        rows: study.curves.iter().map(row).collect(),
    }
}

/// The hull of each family beside its best learner.
fn families(study: &Study, curves: &ScenarioCurves) -> Table {
    let is_of = |model: &str, family: &str| {
        study.learners.iter().any(|one: &StudyLearner| one.learner == model && one.family == family)
    };
    let row = |family: &tribunal::FamilyHull| {
        let best = largest(curves.averaged.iter().filter(|curve| is_of(&curve.model, &family.family)));
        plain_row([
            family.family.clone(),
            figure(family.hull.area),
            best.map_or_else(String::new, |best| best.model.clone()),
            best.map_or_else(String::new, |best| figure(best.area)),
        ])
    };
    let joint = plain_row(["all".to_owned(), figure(curves.joint.area), String::new(), String::new()]);
    Table {
        title: format!(
            "{}: area under the hull of each family, and its best averaged curve",
            curves.scenario
        ),
        columns: columns([
            ("family", Align::Left),
            ("hull", Align::Right),
            ("best learner", Align::Left),
            ("its AUROC", Align::Right),
        ]),
        rows: curves.families.iter().map(row).chain([joint]).collect(),
    }
}

fn largest<'a>(curves: impl Iterator<Item = &'a FoldedRoc>) -> Option<&'a FoldedRoc> {
    curves.max_by(|a, b| a.area.total_cmp(&b.area))
}

/// Who is best from which false-positive rate to which.
fn stretches(curves: &ScenarioCurves) -> Table {
    let bound = |slope: Option<f64>| slope.map_or_else(|| "inf".to_owned(), figure);
    let row = |stretch: &Stretch| {
        plain_row([
            owner(stretch),
            stretch.family.clone().unwrap_or_default(),
            figure(stretch.fpr_from),
            figure(stretch.fpr_to),
            bound(stretch.slope_low),
            bound(stretch.slope_high),
        ])
    };
    Table {
        title: format!(
            "{}: best learner by operating condition; slope = cost of a false positive x negatives / (cost of a false \
             negative x positives)",
            curves.scenario
        ),
        columns: columns([
            ("learner", Align::Left),
            ("family", Align::Left),
            ("FPR from", Align::Right),
            ("to", Align::Right),
            ("slope from", Align::Right),
            ("to", Align::Right),
        ]),
        rows: curves.stretches.iter().map(row).collect(),
    }
}

fn owner(stretch: &Stretch) -> String {
    match &stretch.learner {
        Some(learner) => learner.clone(),
        None if stretch.fpr_from > 0.0 => "flag everybody".to_owned(),
        None => "flag nobody".to_owned(),
    }
}
