//! What was tried before a model was trained: the candidates with their figures, drawn to scale in a terminal.

use std::cmp::Reverse;

use tribunal::{TuneRule, TunedCandidate, TuningCurve};
use tribunal_eval::metrics::Better;

use crate::description::{Place, counted};
use crate::document::{Align, Cell, Mark, Part, Table, plain_row};
use crate::number::{count, figure};

/// More candidates than this are left to JSON and CSV.
const MOST_LINES: usize = 30;
/// How wide a line is drawn.
const WIDTH: usize = 26;

/// The candidates, or the best of them, with what their marks mean.
pub(crate) fn parts(curve: &TuningCurve, place: Place) -> [Part; 2] {
    let shown = shown(curve);
    [Part::Table(table(curve, &shown, place)), Part::Paragraph(legend(curve, shown.len()))]
}

/// Candidates in the order of the grid.
fn table(curve: &TuningCurve, shown: &[&TunedCandidate], place: Place) -> Table {
    let scale = Scale::of(shown).filter(|_| place == Place::Terminal);
    let mut columns = [
        ("candidate", Align::Left),
        ("mean", Align::Right),
        ("error", Align::Right),
        ("folds", Align::Right),
    ]
    .map(|(name, align)| (name.to_owned(), align))
    .to_vec();
    columns.extend(scale.as_ref().map(|scale| (scale.title(), Align::Left)));
    let row = |candidate: &&TunedCandidate| {
        let mut cells = cells(candidate);
        cells.extend(scale.as_ref().map(|scale| Cell::from(scale.line(candidate))));
        cells
    };
    Table { title: title(curve), columns, rows: shown.iter().map(row).collect() }
}

/// Every candidate with every digit.
pub(crate) fn full_table(curve: &TuningCurve) -> Table {
    let names =
        ["learner", "metric", "mean", "standard_error", "folds", "chosen", "within_one_se", "undefined"];
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let row = |candidate: &TunedCandidate| {
        plain_row([
            candidate.learner.clone(),
            curve.metric.clone(),
            number(candidate.mean),
            number(candidate.standard_error),
            candidate.folds.to_string(),
            candidate.chosen.to_string(),
            candidate.within_one_se.to_string(),
            candidate.undefined.clone().unwrap_or_default(),
        ])
    };
    Table {
        title: String::new(),
        columns: names.map(|name| (name.to_owned(), Align::Left)).to_vec(),
        rows: curve.candidates.iter().map(row).collect(),
    }
}

/// What is doubtful about the choice, and why candidates have no figures.
pub(crate) fn remarks(curve: &TuningCurve) -> Vec<String> {
    let mut remarks: Vec<String> =
        curve.warnings.iter().map(|warning| format!("warning: {warning}")).collect();
    let mut lacking = curve.candidates.iter().filter_map(|one| Some((&one.learner, one.undefined.as_ref()?)));
    if let Some((learner, reason)) = lacking.next() {
        let others = match lacking.count() {
            0 => String::new(),
            n => format!("; nor have {} more", count(n as f64)),
        };
        remarks.push(format!("{learner} has no figure: {reason}{others}"));
    }
    remarks
}

fn title(curve: &TuningCurve) -> String {
    let direction = match curve.better {
        Better::Higher => "higher is better".to_owned(),
        Better::Lower => "lower is better".to_owned(),
        Better::Near(best) => format!("best at {best}"),
        Better::Neither => "no value is better".to_owned(),
    };
    let folds = counted(curve.folds, "inner fold");
    format!("Candidates of {}: mean {} over {folds}, {direction}", curve.learner, curve.metric)
}

fn legend(curve: &TuningCurve, n_shown: usize) -> String {
    let chosen = match curve.rule {
        TuneRule::Best => "The best",
        TuneRule::OneSe => "The first within one standard error of the best",
    };
    let part = match curve.candidates.len() {
        n if n > n_shown => format!(" Shown are {n_shown} of {} candidates.", count(n as f64)),
        _ => String::new(),
    };
    format!(
        "{chosen} was chosen and is starred or bold; those with a tilde, or underlined, are within one standard error of \
         the best.{part}"
    )
}

/// The candidates that are shown: all, or the best with the one that was chosen.
fn shown(curve: &TuningCurve) -> Vec<&TunedCandidate> {
    let mut all: Vec<(usize, &TunedCandidate)> = curve.candidates.iter().enumerate().collect();
    if all.len() > MOST_LINES {
        let gain = |candidate: &TunedCandidate| {
            candidate.mean.map_or(f64::NEG_INFINITY, |mean| curve.better.gain(mean))
        };
        all.sort_by(|(_, a), (_, b)| gain(b).total_cmp(&gain(a)));
        all.sort_by_key(|(_, candidate)| Reverse(candidate.chosen));
        all.truncate(MOST_LINES);
        all.sort_by_key(|(idx, _)| *idx);
    }
    all.into_iter().map(|(_, candidate)| candidate).collect()
}

fn cells(candidate: &TunedCandidate) -> Vec<Cell> {
    let mark = match (candidate.chosen, candidate.within_one_se) {
        (true, _) => Mark::Best,
        (false, true) => Mark::Level,
        (false, false) => Mark::None,
    };
    let number = |value: Option<f64>| value.map_or_else(|| "n/a".to_owned(), figure);
    vec![
        Cell::from(candidate.learner.as_str()),
        Cell { text: number(candidate.mean), mark },
        Cell::from(number(candidate.standard_error)),
        Cell::from(count(candidate.folds as f64)),
    ]
}

/// Where figures stand on a line of some width.
struct Scale {
    low: f64,
    high: f64,
}

/// The mean less and plus its standard error.
fn reach(candidate: &TunedCandidate) -> Option<[f64; 2]> {
    let error = candidate.standard_error.unwrap_or(0.0);
    candidate.mean.map(|mean| [mean - error, mean + error])
}

impl Scale {
    /// From the lowest to the highest end; nothing where all is the same.
    fn of(candidates: &[&TunedCandidate]) -> Option<Scale> {
        let ends = || candidates.iter().filter_map(|candidate| reach(candidate)).flatten();
        let (low, high) = (ends().fold(f64::INFINITY, f64::min), ends().fold(f64::NEG_INFINITY, f64::max));
        (low < high).then_some(Scale { low, high })
    }

    fn title(&self) -> String {
        let (low, high) = (figure(self.low), figure(self.high));
        format!("{low}{high:>width$}", width = WIDTH.saturating_sub(low.len()))
    }

    fn at(&self, value: f64) -> usize {
        ((value - self.low) / (self.high - self.low) * (WIDTH - 1) as f64).round() as usize
    }

    /// A dash for each place within one standard error, and a sign at the mean.
    fn line(&self, candidate: &TunedCandidate) -> String {
        let (Some(mean), Some(reach)) = (candidate.mean, reach(candidate)) else { return String::new() };
        let [from, to] = reach.map(|end| self.at(end));
        let sign = |place: usize| match place {
            place if place == self.at(mean) => {
                if candidate.chosen {
                    '*'
                } else {
                    'o'
                }
            }
            place if (from..=to).contains(&place) => '-',
            _ => ' ',
        };
        (0..WIDTH).map(sign).collect::<String>().trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::made;
    use serde_json::json;

    fn candidate(learner: &str, mean: Option<f64>, is_chosen: bool) -> TunedCandidate {
        made::<TunedCandidate>(json!({
            "learner": learner,
            "mean": mean,
            "standard_error": mean.map(|_| 0.02),
            "folds": if mean.is_some() { 10 } else { 0 },
            "chosen": is_chosen,
            "within_one_se": is_chosen,
            "undefined": mean.is_none().then_some("it cannot learn"),
        }))
    }

    fn curve(candidates: Vec<TunedCandidate>) -> TuningCurve {
        made::<TuningCurve>(json!({
            "learner": "nb:{0,5}",
            "metric": "auroc",
            "better": Better::Higher,
            "rule": TuneRule::Best,
            "folds": 10,
            "seed": 1,
            "candidates": candidates,
            "at_edge": false,
            "warnings": [],
        }))
    }

    #[test]
    fn means_are_drawn_to_scale() {
        let curve = curve(vec![candidate("nb", Some(0.70), false), candidate("nb:5", Some(0.76), true)]);
        let table = table(&curve, &shown(&curve), Place::Terminal);
        let drawn: Vec<&str> = table.rows.iter().filter_map(|row| Some(row.last()?.text.as_str())).collect();
        assert_eq!(table.columns[4].0, "0.6800              0.7800");
        assert_eq!(drawn, ["-----o-----", "               -----*-----"]);
        assert_eq!(self::table(&curve, &shown(&curve), Place::Paper).columns.len(), 4);
        assert_eq!((table.rows[1][1].mark, table.rows[0][1].mark), (Mark::Best, Mark::None));
    }

    #[test]
    fn of_many_candidates_the_best_are_shown_with_the_chosen() {
        let many =
            (0..100).map(|idx| candidate(&format!("nb:{idx}"), Some(f64::from(idx)), idx == 3)).collect();
        let curve = curve(many);
        let table = table(&curve, &shown(&curve), Place::Terminal);
        let names: Vec<&str> = table.rows.iter().map(|row| row[0].text.as_str()).collect();
        assert_eq!((names.len(), names[0], names[1], names[29]), (30, "nb:3", "nb:71", "nb:99"));
        assert!(legend(&curve, 30).ends_with("Shown are 30 of 100 candidates."));
        assert_eq!(full_table(&curve).rows.len(), 100);
    }

    #[test]
    fn a_candidate_without_figures_says_why() {
        let curve = curve(vec![
            candidate("a", None, false),
            candidate("b", None, false),
            candidate("c", Some(0.5), true),
        ]);
        assert_eq!(remarks(&curve), ["a has no figure: it cannot learn; nor have 1 more"]);
        assert_eq!(table(&curve, &shown(&curve), Place::Terminal).rows[0][1].text, "n/a");
    }
}
