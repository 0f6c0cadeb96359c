//! A study as a document: the answer first, then what stands behind it.
//!
//! A terminal gets what one wants to read before deciding; paper (Markdown, LaTeX) gets every table. The order and the
//! tables follow Viaene, Derrig, Baesens and Dedene (2002).

mod additions;
mod curves;
mod decisions;
mod designs;
mod folder;
mod models;
mod remarks;
mod scale;
mod significance;
mod tables;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub(crate) mod times;
mod verdict;

pub use folder::{study_files, write_study};
use tribunal::message::{Message, Phrasing, Setting};
use tribunal::resampling::{Cv, Design, Holdout};
use tribunal::{Protocol, Study, StudyScenario, StudyTimes};

use crate::description::{Place, counted};
use crate::document::{Align, Document, Part, Table, columns, plain_row};
use crate::number::{count, percent};

pub(crate) fn document(
    study: &Study,
    times: Option<&StudyTimes>,
    place: Place,
    phrasing: &dyn Phrasing,
) -> Document {
    let sections = [
        ("Verdict", verdict::parts(study)),
        ("Acting on the list", decisions::parts(study, place)),
        ("Warnings and gaps", remarks::parts(study, phrasing)),
        ("Scenarios", scenarios_on_paper(study, place)),
        ("Figures", tables::parts(study, place)),
        ("Tests", significance::parts(study, place)),
        ("ROC curves", curves::parts(study, place)),
        ("What more predictors add", additions::parts(study, place)),
        ("Models", models::parts(study, times, place)),
        ("Designs", designs::parts(study, place)),
    ];
    let with_headings = sections.into_iter().filter(|(_, parts)| !parts.is_empty());
    let sections =
        with_headings.flat_map(|(title, parts)| [Part::Heading(title.to_owned())].into_iter().chain(parts));
    let first = Part::Paragraph(introduction(study));
    let parts = [first].into_iter().chain(sections).chain(elsewhere(study, place, phrasing)).collect();
    Document { title: study.title.clone(), parts }
}

/// What was compared, on what and how.
fn introduction(study: &Study) -> String {
    let judged: Vec<_> = study.learners.iter().filter(|learner| !learner.trivial).collect();
    let families = gathered(judged.iter().map(|learner| (learner.family.as_str(), ()))).len();
    let trivial = study.learners.iter().filter(|learner| learner.trivial);
    let trivial: Vec<&str> = trivial.map(|learner| learner.learner.as_str()).collect();
    let beside = match &trivial[..] {
        [] => String::new(),
        some => format!(", beside {} for comparison,", some.join(", ")),
    };
    let who = match (judged.is_empty(), families) {
        (true, _) if trivial.is_empty() => "No learner".to_owned(),
        (true, _) => format!("{} alone", trivial.join(", ")),
        (false, 1) => format!("{} in 1 family{beside}", counted(judged.len() as u64, "learner")),
        (false, n) => format!("{} in {n} families{beside}", counted(judged.len() as u64, "learner")),
    };
    format!(
        "{who} met {} in {}: {} of {}, divided by {} with seed {}. {}Tests and intervals at {}; intervals of means \
         over splits are Student's t over the splits{}. {}",
        if judged.len() <= 1 { "its rows" } else { "the same rows" },
        counted(study.scenarios.len() as u64, "scenario"),
        counted(study.data.rows, "row"),
        study.data.files.join(", "),
        study.design,
        study.seed,
        positives(study),
        percent(study.level),
        base_rate_of_splits(&study.design),
        protocol(study.protocol),
    )
}

/// What intervals over splits with one base rate leave out.
fn base_rate_of_splits(design: &str) -> &'static str {
    match design.parse() {
        Ok(Design::Cv(Cv { plain: false, .. }) | Design::Holdout(Holdout { plain: false, .. })) => {
            ", which all have the same base rate: they take it as fixed, so that figures that depend on it (PCC, precision, costs) have \
             narrower ones than an evaluation of the same scores gives"
        }
        _ => "",
    }
}

/// Which class of each target is the positive one, and how many rows have it.
fn positives(study: &Study) -> String {
    const SHOWN: usize = 5;
    let targets = gathered(study.scenarios.iter().map(|scenario| (scenario.target.as_str(), scenario)));
    let told = |(target, scenarios): &(&str, Vec<&StudyScenario>)| {
        let first = scenarios.first()?;
        let (positive, rows) = (&first.positive, count(first.positives as f64));
        Some(format!("{target} is positive where it is {positive} ({rows} rows)"))
    };
    let shown: Vec<String> = targets.iter().take(SHOWN).filter_map(told).collect();
    let more = if targets.len() > SHOWN { " and so on" } else { "" };
    format!("{}{more}. ", shown.join(", "))
}

fn protocol(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Strict => {
            "Protocol strict: everything, scales and settings included, is learned inside training parts."
        }
        Protocol::Paper => {
            "Protocol paper: scales come from all rows, those that judge included, as in Viaene et al. (2002); everything \
             else is learned inside training parts."
        }
    }
}

fn scenarios_on_paper(study: &Study, place: Place) -> Vec<Part> {
    let row = |scenario: &StudyScenario| {
        plain_row([
            scenario.name.clone(),
            scenario.target.clone(),
            scenario.positive.clone(),
            scenario.predictors.clone(),
            count(scenario.columns as f64),
            count(scenario.rows as f64),
            count(scenario.positives as f64),
            percent(scenario.majority),
            count(scenario.splits as f64),
        ])
    };
    let table = Table {
        title:
            "Targets with sets of predictors; the share of the larger class is what is right without looking"
                .into(),
        columns: columns([
            ("scenario", Align::Left),
            ("target", Align::Left),
            ("positive", Align::Left),
            ("predictors", Align::Left),
            ("columns", Align::Right),
            ("rows", Align::Right),
            ("positives", Align::Right),
            ("larger class", Align::Right),
            ("splits", Align::Right),
        ]),
        rows: study.scenarios.iter().map(row).collect(),
    };
    if place == Place::Paper { vec![Part::Table(table)] } else { Vec::new() }
}

/// The scenarios that are shown in detail: all on paper; on a terminal the last of the first target, which is the one with
/// the most predictors unless they were ordered otherwise.
fn detailed(study: &Study, place: Place) -> Vec<&StudyScenario> {
    let first = study.scenarios.first();
    let is_of_first = |scenario: &&StudyScenario| first.is_some_and(|first| first.target == scenario.target);
    match place {
        Place::Paper => study.scenarios.iter().collect(),
        Place::Terminal => study.scenarios.iter().rfind(is_of_first).into_iter().collect(),
    }
}

/// Where the rest is, as a terminal does not show everything.
fn elsewhere(study: &Study, place: Place, phrasing: &dyn Phrasing) -> Option<Part> {
    let shown = detailed(study, place);
    let scenario = shown.first().filter(|_| place == Place::Terminal)?;
    let shown = format!("Curves, models and designs are those of {}. ", scenario.name);
    let message = Message::from(shown)
        .text("All scenarios, and tests in full: ")
        .set(Setting::Format, "markdown")
        .text(", latex or json; every figure: ")
        .set(Setting::Format, "csv")
        .text(".");
    Some(Part::Paragraph(message.said_by(phrasing)))
}

/// Values by their keys, in the order in which keys appear.
fn gathered<K: PartialEq, V>(pairs: impl IntoIterator<Item = (K, V)>) -> Vec<(K, Vec<V>)> {
    let mut groups: Vec<(K, Vec<V>)> = Vec::new();
    for (key, value) in pairs {
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, values)) => values.push(value),
            None => groups.push((key, vec![value])),
        }
    }
    groups
}

/// A table without the columns in which nothing stands.
fn without_empty_columns(table: Table) -> Table {
    let is_used = |column: &usize| table.rows.iter().any(|row| !row[*column].text.is_empty());
    let used: Vec<usize> = (0..table.columns.len()).filter(is_used).collect();
    Table {
        columns: used.iter().map(|&column| table.columns[column].clone()).collect(),
        rows: table.rows.iter().map(|row| used.iter().map(|&column| row[column].clone()).collect()).collect(),
        title: table.title,
    }
}

#[cfg(test)]
mod grouping {
    use super::*;

    #[test]
    fn keys_keep_the_order_in_which_they_appear() {
        let groups = gathered([("b", 1), ("a", 2), ("b", 3)]);
        assert_eq!(groups, [("b", vec![1, 3]), ("a", vec![2])]);
    }

    #[test]
    fn columns_without_a_word_go() {
        let table = |names: &[&str], row: &[&str]| Table {
            title: "T".into(),
            columns: names.iter().map(|name| ((*name).to_owned(), Align::Left)).collect(),
            rows: vec![plain_row(row.iter().copied())],
        };
        assert_eq!(
            without_empty_columns(table(&["a", "b", "c"], &["1", "", "3"])),
            table(&["a", "c"], &["1", "3"])
        );
    }
}
