//! The tables of a study, laid out like Tables 5 and 6 of Viaene, Derrig, Baesens and Dedene (2002): a line a learner,
//! a column a scenario, and how often who is in the top group.

use tribunal::{MetricSummary, Study, StudyFigure, StudyLearner, StudyScenario};
use tribunal_eval::metrics::Measure;

use super::gathered;
use super::remarks::is_gap;
use super::scale::Scale;
use crate::description::Place;
use crate::document::{Align, Cell, Part, Table, plain_row};
use crate::evaluation::mark;
use crate::number::percent;
use crate::registry::direction;

/// A terminal has room for so many letters beside each other.
const WIDEST: usize = 100;
/// Columns are set apart by so many blanks.
const BETWEEN: usize = 2;
/// Family and learner stand before the figures.
const NAMES: usize = 2;
/// R and R^g need no more.
const RATIOS: usize = 2 * (5 + BETWEEN);

pub(super) fn parts(study: &Study, place: Place) -> Vec<Part> {
    let beside = beside(study, place);
    let of_metric = |metric: &String| {
        let figures = Figures::new(study, metric);
        let last = beside.len().saturating_sub(1);
        let tables = beside.iter().enumerate().map(|(idx, some)| figures.table(some, idx == last));
        tables.filter(|table| table.columns.len() > NAMES).map(Part::Table).collect::<Vec<_>>()
    };
    let tables = study.metrics.iter().flat_map(of_metric);
    [Part::Paragraph(legend(study))].into_iter().chain(tables).collect()
}

fn legend(study: &Study) -> String {
    format!(
        "Best figures are starred or bold; those with a tilde, or underlined, cannot be told apart from the best by \
         Duncan's test at {}. R: in how many scenarios the learner is in that top group; R^g: in how many a member of its \
         family is; C: how many learners are in the top group of the scenario; C^g: how many families are.",
        percent(1.0 - study.level)
    )
}

/// Scenarios that share a table: all on paper; on a terminal as many targets as there is room for, none torn apart.
fn beside(study: &Study, place: Place) -> Vec<Vec<&StudyScenario>> {
    if place == Place::Paper {
        return vec![study.scenarios.iter().collect()];
    }
    let room = WIDEST.saturating_sub(names_width(study));
    let width =
        |scenarios: &[&StudyScenario]| -> usize { scenarios.iter().map(|one| column_width(one)).sum() };
    let mut tables: Vec<Vec<&StudyScenario>> = Vec::new();
    for (_, target) in gathered(study.scenarios.iter().map(|scenario| (&scenario.target, scenario))) {
        match tables.last_mut() {
            Some(last) if width(last) + width(&target) <= room => last.extend(target),
            _ => tables.push(target),
        }
    }
    // Ratios that have no room behind the last scenarios get a table of their own.
    if tables.last().is_some_and(|last| width(last) + RATIOS > room) {
        tables.push(Vec::new());
    }
    tables
}

/// Both names and the margin.
fn names_width(study: &Study) -> usize {
    let longest = |name: fn(&StudyLearner) -> &String| {
        study.learners.iter().map(|learner| name(learner).chars().count()).max().unwrap_or(0)
    };
    longest(|learner| &learner.family) + longest(|learner| &learner.learner) + 3 * BETWEEN
}

/// As wide as its name, and as `100.00*`.
fn column_width(scenario: &StudyScenario) -> usize {
    scenario.name.chars().count().max(7) + BETWEEN
}

/// The means of one metric.
struct Figures<'a> {
    study: &'a Study,
    metric: &'a str,
    scale: Scale,
    means: Vec<&'a StudyFigure>,
    summary: Option<&'a MetricSummary>,
}

impl<'a> Figures<'a> {
    fn new(study: &'a Study, metric: &'a str) -> Self {
        let is_mean = |figure: &&StudyFigure| figure.row.scope.is_all() && figure.row.metric == metric;
        Self {
            study,
            metric,
            scale: Scale::of(metric),
            means: study.figures.iter().filter(is_mean).collect(),
            summary: study.summaries.iter().find(|summary| summary.metric == metric),
        }
    }

    /// The figures of some scenarios, with R and R^g behind the last of them.
    fn table(&self, scenarios: &[&StudyScenario], with_ratios: bool) -> Table {
        let names = [("family".to_owned(), Align::Left), ("learner".to_owned(), Align::Left)];
        let figures = scenarios.iter().map(|scenario| (scenario.name.clone(), Align::Right));
        let mut columns: Vec<(String, Align)> = names.into_iter().chain(figures).collect();
        let mut rows: Vec<Vec<Cell>> = self.lines(scenarios);
        rows.extend(self.crowds(scenarios));
        if with_ratios && self.summary.is_some() {
            columns.extend(["R", "R^g"].map(|name| (name.to_owned(), Align::Right)));
            let ratios = self.ratios().into_iter().chain(std::iter::repeat_with(Default::default));
            rows.iter_mut().zip(ratios).for_each(|(row, ratios)| row.extend(ratios.map(Cell::from)));
        }
        Table { title: self.title(scenarios), columns, rows }
    }

    fn title(&self, scenarios: &[&StudyScenario]) -> String {
        if scenarios.is_empty() {
            return format!("How often who is in the top group by {}", self.metric);
        }
        let about = self.metric.parse::<Measure>().map_or_else(
            |_| String::new(),
            |measure| format!(" ({}, {})", measure.metric.name, direction(measure.metric)),
        );
        let label = self.scale.label(self.metric);
        format!("Mean {label}{about} over the splits of {}", self.study.design)
    }

    fn lines(&self, scenarios: &[&StudyScenario]) -> Vec<Vec<Cell>> {
        let line = |(learner, is_first): (&StudyLearner, bool)| {
            let family = if is_first { learner.family.as_str() } else { "" };
            let figures = scenarios.iter().map(|scenario| self.cell(&scenario.name, &learner.learner));
            plain_row([family, &learner.learner]).into_iter().chain(figures).collect()
        };
        in_families(&self.study.learners).into_iter().map(line).collect()
    }

    /// The mean with its standing; a dash for who failed there.
    fn cell(&self, scenario: &str, learner: &str) -> Cell {
        let is_this = |figure: &&&StudyFigure| figure.scenario == scenario && figure.row.model == learner;
        let row = self.means.iter().find(is_this).map(|figure| &figure.row);
        match row.and_then(|row| row.estimate) {
            Some(mean) => {
                Cell { text: self.scale.figure(mean), mark: mark(row.and_then(|row| row.standing)) }
            }
            None if is_gap(self.study, scenario, learner) => Cell::from("-"),
            None => Cell::from("n/a"),
        }
    }

    /// R of each learner, and R^g beside the first of each family.
    fn ratios(&self) -> Vec<[String; 2]> {
        let summary = |learner: &StudyLearner, is_first: bool| -> Option<[String; 2]> {
            let summary = self.summary?;
            let r = summary.r.iter().find(|ratio| ratio.learner == learner.learner)?;
            let family = summary.r_family.iter().find(|ratio| is_first && ratio.family == learner.family);
            Some([r.ratio.to_string(), family.map_or_else(String::new, |family| family.ratio.to_string())])
        };
        let lines = in_families(&self.study.learners).into_iter();
        lines.map(|(learner, is_first)| summary(learner, is_first).unwrap_or_default()).collect()
    }

    /// C and C^g, the last two lines.
    fn crowds(&self, scenarios: &[&StudyScenario]) -> Vec<Vec<Cell>> {
        let Some(summary) = self.summary.filter(|_| !scenarios.is_empty()) else { return Vec::new() };
        let of = |scenario: &&StudyScenario| summary.c.iter().find(|ratios| ratios.scenario == scenario.name);
        let line = |name: &str, shown: fn(&tribunal::ScenarioRatios) -> String| {
            let ratios = scenarios.iter().map(|scenario| of(scenario).map_or_else(String::new, shown));
            plain_row(["".to_owned(), name.to_owned()].into_iter().chain(ratios))
        };
        vec![line("C", |c| c.learners.to_string()), line("C^g", |c| c.families.to_string())]
    }
}

/// Learners family by family, in the order in which families appear, each with whether it is the first of its family;
/// trivial ones last.
pub(super) fn in_families(learners: &[StudyLearner]) -> Vec<(&StudyLearner, bool)> {
    let families = gathered(learners.iter().map(|learner| ((learner.trivial, &learner.family), learner)));
    let (trivial, judged): (Vec<_>, Vec<_>) = families.into_iter().partition(|((trivial, _), _)| *trivial);
    let members = judged.into_iter().chain(trivial).map(|(_, members)| members);
    members.flat_map(|members| members.into_iter().enumerate().map(|(idx, one)| (one, idx == 0))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::made;
    use serde_json::json;

    #[test]
    fn families_stay_together_and_trivial_learners_stand_last() {
        let one = |learner: &str, family: &str| {
            made::<StudyLearner>(json!({
                "learner": learner,
                "run_as": learner,
                "family": family,
                "trivial": family == "trivial",
            }))
        };
        let learners = [one("m", "trivial"), one("b1", "b"), one("a1", "a"), one("b2", "b")];
        let lines: Vec<(&str, bool)> = in_families(&learners)
            .into_iter()
            .map(|(one, is_first)| (one.learner.as_str(), is_first))
            .collect();
        assert_eq!(lines, [("b1", true), ("b2", false), ("a1", true), ("m", true)]);
    }
}
