//! The answer of a study: who is recommended, in words and scenario by scenario.

use tribunal::{ScenarioVerdict, Study};

use super::scale::Scale;
use crate::document::{Align, Part, Table, columns, plain_row};
use crate::number::percent;

pub(super) fn parts(study: &Study) -> Vec<Part> {
    let verdict = &study.verdict;
    let sentences = verdict.scenarios.iter().map(|scenario| scenario.sentence.clone()).collect();
    let mut parts = vec![Part::Paragraph(verdict.sentence.clone())];
    if !verdict.scenarios.is_empty() {
        parts.extend([Part::Table(table(study)), Part::List(sentences)]);
    }
    parts
}

fn table(study: &Study) -> Table {
    let metric = &study.verdict.metric;
    let scale = Scale::of(metric);
    Table {
        title: "Recommended in each scenario, the best figure, and how many others cannot be told apart from the best"
            .to_owned(),
        columns: columns([
            ("scenario", Align::Left),
            ("recommended", Align::Left),
            (&scale.label(metric), Align::Right),
            (&format!("{} interval", percent(study.level)), Align::Right),
            ("best", Align::Left),
            ("level with it", Align::Right),
        ]),
        rows: study.verdict.scenarios.iter().map(|scenario| plain_row(line(scenario, scale))).collect(),
    }
}

fn line(verdict: &ScenarioVerdict, scale: Scale) -> [String; 6] {
    let name = |learner: &Option<String>| learner.clone().unwrap_or_else(|| "nobody".to_owned());
    let others = verdict.group.iter().filter(|learner| Some(*learner) != verdict.best.as_ref()).count();
    [
        verdict.scenario.clone(),
        name(&verdict.recommended),
        scale.optional(verdict.estimate),
        scale.interval(verdict.lower, verdict.upper),
        name(&verdict.best),
        others.to_string(),
    ]
}
