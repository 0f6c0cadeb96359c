//! The stress test of the selection: what survives where only the top of the list was acted on, figure by figure and band by band.

use tribunal::message::Phrasing;
use tribunal::{
    At, Evaluation, ScoreSelected, StressBand, StressOutcome, StressRow, StressSelection, StressVerdict,
};
use tribunal_eval::intervals::IntervalMethod;
use tribunal_eval::score_selection::SelectionFigure;

use crate::charts::depth_in_words;
use crate::csv_rows::{number, shown};
use crate::document::{Align, Part, Table, plain_row};
use crate::evaluation::{MOST_COLUMNS, in_other_formats, rule_in_words};
use crate::number::{count, figure, interval, interval_of, percent};

/// The tables are shown for so many models, the best first.
const MOST_IN_DETAIL: usize = 2;

/// Everything about the stress test; nothing where nobody asked for one.
pub(crate) fn parts(results: &Evaluation, phrasing: &dyn Phrasing) -> Vec<Part> {
    let Some(stress) = &results.stress_selection else { return Vec::new() };
    let report = StressReport { results, stress };
    let shown = report.best_first();
    let mut parts = vec![Part::Heading("If only the top of the list had been acted on".into())];
    let sentences = shown.iter().take(MOST_COLUMNS).map(|verdict| report.answer(verdict));
    parts.extend(sentences.map(Part::Paragraph));
    parts.extend(shown.first().and_then(|verdict| report.example(verdict)).map(Part::Paragraph));
    parts.push(Part::Paragraph(report.method()));
    for (place, verdict) in shown.iter().take(MOST_IN_DETAIL).enumerate() {
        let is_last = place + 1 == MOST_IN_DETAIL && shown.len() > MOST_IN_DETAIL;
        let mut figures = report.figures(verdict);
        if is_last {
            let more = format!("{} (the other {} models", figures.title, shown.len() - MOST_IN_DETAIL);
            figures.title = in_other_formats(&more, phrasing);
        }
        parts.push(Part::Table(figures));
        parts.push(Part::Table(report.bands(verdict)));
        parts.extend(report.reasons(verdict).map(Part::List));
    }
    parts
}

struct StressReport<'a> {
    results: &'a Evaluation,
    stress: &'a StressSelection,
}

impl<'a> StressReport<'a> {
    fn best_first(&self) -> Vec<&'a StressVerdict> {
        let ranking = &self.results.verdict.ranking;
        let place = |verdict: &&StressVerdict| {
            ranking.iter().position(|name| *name == verdict.model).unwrap_or(usize::MAX)
        };
        let mut verdicts: Vec<&StressVerdict> = self.stress.verdicts.iter().collect();
        verdicts.sort_by_key(place);
        verdicts
    }

    /// What survives and what does not.
    fn answer(&self, verdict: &StressVerdict) -> String {
        let said = |figures: &[SelectionFigure]| {
            let own = figures.iter().filter(|figure| !figure.follows_from_another());
            in_words(own.map(|figure| figure.name()), "and")
        };
        let parts =
            in_words(self.stress.asked.iter().map(|at| depth_in_words(*at)), "or").unwrap_or_default();
        let survives = said(&verdict.survives).unwrap_or_else(|| "nothing".into());
        let mut clauses = vec![format!("what survives is {survives}")];
        clauses.extend(said(&verdict.moves).map(|figures| {
            format!("what does not is {figures}, by more than chance though the model is the same")
        }));
        let within = said(&verdict.within_chance);
        clauses.extend(
            within.map(|figures| format!("no more than chance explains the differences in {figures}")),
        );
        let untested = said(&verdict.untested);
        clauses.extend(untested.map(|figures| format!("it cannot be told of {figures}")));
        let model = &verdict.model;
        format!("Where only the top {parts} of the list by {model} is acted on, {}.", clauses.join("; "))
    }

    /// The raw area that falls though the model is the same, and the error rate with it, where they move: at the selection that moves
    /// the area most.
    fn example(&self, verdict: &StressVerdict) -> Option<String> {
        let moved = |figure: SelectionFigure, at: At| {
            let row = self.stress.row(&verdict.model, figure, Some(at))?;
            (row.outcome == Some(StressOutcome::Moves)).then_some(())?;
            Some((row.reference?, row.estimate?))
        };
        let fall = |at: &At| {
            moved(SelectionFigure::RiskArea, *at).map(|(all, part)| all - part).filter(|fall| *fall > 0.0)
        };
        let falls = self.stress.asked.iter().filter_map(|at| Some((*at, fall(at)?)));
        let (at, _) = falls.max_by(|a, b| a.1.total_cmp(&b.1))?;
        let (all, part) = moved(SelectionFigure::RiskArea, at)?;
        let limits = |selection: Option<At>| {
            let estimate = |figure| self.stress.row(&verdict.model, figure, selection)?.estimate;
            let lowest = estimate(SelectionFigure::RiskAreaLowest)?;
            Some(format!("[{}, {}]", figure(lowest), figure(estimate(SelectionFigure::RiskAreaHighest)?)))
        };
        let errors = moved(SelectionFigure::ErrorRate, at).map(|(all, part)| {
            let verb = if part > all { "rises" } else { "falls" };
            format!(", and its error rate {verb} from {} to {}", figure(all), figure(part))
        });
        Some(format!(
            "For example, among the top {} the raw area under the risk chart of {} falls from {} to {}, and its limits, which follow from \
             the strike rate, from {} to {}{}: the model is the same, only its cases are others.",
            depth_in_words(at),
            verdict.model,
            figure(all),
            figure(part),
            limits(None)?,
            limits(Some(at))?,
            errors.unwrap_or_default()
        ))
    }

    fn method(&self) -> String {
        let bands = match self.results.request.charts.bands.is_empty() {
            true => {
                "Bands are tenths of all cases by their score, divided at the cuts of the selections, so that a selection holds a band \
                 whole or not at all"
            }
            false => {
                "Bands are those that were asked for; of the band that a cut divides a selection holds the upper part"
            }
        };
        let tests = match (self.results.request.intervals, self.stress.replicates) {
            (true, n) if n > 0 => format!(
                " Differences have intervals and tests by {n} bootstrap replicates of all cases, each cut at the same share; p is \
                 adjusted by Holm over the figures and selections of a model."
            ),
            _ => String::new(),
        };
        format!(
            "{bands}. Figures within bands are compared with what the bands of all cases make of the same mix of bands (direct \
             standardisation), the other figures with those of all cases.{tests} That figures within bands survive takes it that the \
             score alone decides who is acted on."
        )
    }

    /// From which scores on cases are selected.
    fn thresholds(&self, model: &str) -> String {
        let from = |selected: &&ScoreSelected| {
            let part = match selected.of_lowest {
                1.0 => String::new(),
                part => format!(" ({} of the cases with that score)", percent(part)),
            };
            format!("from {}{part}", selected.threshold)
        };
        let selections = self.selections(model);
        in_words(selections.iter().map(from), "and").unwrap_or_default()
    }

    fn selections(&self, model: &str) -> Vec<&'a ScoreSelected> {
        self.stress.selections.iter().filter(|selected| selected.model == model).collect()
    }

    /// Every figure of all cases and of each selection.
    fn figures(&self, verdict: &StressVerdict) -> Table {
        let model = verdict.model.as_str();
        let mut names = vec![("figure".to_owned(), Align::Left), ("all cases".to_owned(), Align::Right)];
        names.extend(self.selections(model).into_iter().map(|selected| (heading(selected), Align::Right)));
        names.push(("survives".to_owned(), Align::Left));
        let line = |figure: &SelectionFigure| {
            let all = self.stress.row(model, *figure, None)?;
            let actioned: Vec<&StressRow> = (self.stress.asked.iter())
                .filter_map(|at| self.stress.row(model, *figure, Some(*at)))
                .collect();
            let cells = std::iter::once(all).chain(actioned).map(cell);
            let ends = [figure.name().to_owned()].into_iter().chain(cells);
            Some(plain_row(ends.chain([survives(verdict, *figure).to_owned()])))
        };
        Table {
            title: format!(
                "What figures of {model} would be if only the top of its list had been acted on, scores {} (in brackets: the difference \
                 from what it is compared with, and its interval); predictions at {}",
                self.thresholds(model),
                rule_in_words(verdict.cutoff)
            ),
            columns: names,
            rows: SelectionFigure::ALL.iter().filter_map(line).collect(),
        }
    }

    /// The strike rate of each band, of all cases and of what the selections hold of it, from the highest scores down.
    fn bands(&self, verdict: &StressVerdict) -> Table {
        let model = verdict.model.as_str();
        let mut names = vec![
            ("scores".to_owned(), Align::Left),
            ("cases".to_owned(), Align::Right),
            ("strike rate".to_owned(), Align::Right),
        ];
        names.extend(
            self.stress.asked.iter().map(|at| (format!("top {}", depth_in_words(*at)), Align::Right)),
        );
        let line = |band: &StressBand| {
            let rate = band.strike_rate.map_or_else(
                || "n/a".to_owned(),
                |rate| {
                    let ends = interval_of(rate, band.lower, band.upper).map(|ends| format!(" {ends}"));
                    format!("{}{}", figure(rate), ends.unwrap_or_default())
                },
            );
            let selected = band.selected.iter().map(|part| match part.strike_rate {
                None => "-".to_owned(),
                Some(rate) if part.cases >= band.cases * (1.0 - 1e-9) => figure(rate),
                Some(rate) => format!("{} of {} cases", figure(rate), count(part.cases)),
            });
            let cells = [band.label.clone(), count(band.cases), rate];
            plain_row(cells.into_iter().chain(selected))
        };
        let bands = self.stress.bands.iter().filter(|band| band.model == model);
        let mut rows: Vec<_> = bands.map(line).collect();
        rows.reverse();
        Table {
            title: format!(
                "Strike rates in bands of the scores of {model}: of all cases, and of those in each selection"
            ),
            columns: names,
            rows,
        }
    }

    /// Why figures, or the intervals of their differences, are missing, once per reason.
    fn reasons(&self, verdict: &StressVerdict) -> Option<Vec<String>> {
        let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
        for row in self.stress.figures.iter().filter(|row| row.model == verdict.model) {
            let place = row.selection.map(|at| format!(", top {}", depth_in_words(at))).unwrap_or_default();
            let key = match (&row.undefined, &row.no_interval) {
                (Some(reason), _) => format!("n/a, {}{place}: {reason}", row.model),
                (None, Some(reason)) => format!("{}{place}, difference: {reason}", row.model),
                (None, None) => continue,
            };
            match reasons.iter_mut().find(|(known, _)| *known == key) {
                Some((_, figures)) => figures.push(row.figure.name()),
                None => reasons.push((key, vec![row.figure.name()])),
            }
        }
        let lines = reasons.into_iter().map(|(reason, figures)| format!("{reason} ({})", figures.join(", ")));
        Some(lines.collect()).filter(|lines: &Vec<String>| !lines.is_empty())
    }
}

/// A selection as the head of a column.
fn heading(selected: &ScoreSelected) -> String {
    match selected.asked {
        At::Share(share) => format!("top {}: {} cases", percent(share), count(selected.cases)),
        At::Count(_) => format!("top {} cases", count(selected.cases)),
    }
}

/// A figure, and by how much it differs.
fn cell(row: &StressRow) -> String {
    let Some(estimate) = row.estimate else { return "n/a".into() };
    match row.difference {
        None => figure(estimate),
        Some(difference) if row.figure.is_within_bands() => {
            let reference = row.reference.map_or_else(String::new, figure);
            let differs =
                if difference == 0.0 { String::new() } else { format!(": {}", signed(row, difference)) };
            format!("{} (same bands {reference}{differs})", figure(estimate))
        }
        Some(0.0) => format!("{} (0)", figure(estimate)),
        Some(difference) => format!("{} ({})", figure(estimate), signed(row, difference)),
    }
}

/// A difference with its interval.
fn signed(row: &StressRow, difference: f64) -> String {
    let ends = interval(row.lower, row.upper).map(|ends| format!(" {ends}"));
    format!("{difference:+.4}{}", ends.unwrap_or_default())
}

fn survives(verdict: &StressVerdict, figure: SelectionFigure) -> &'static str {
    match () {
        () if verdict.survives.contains(&figure) => "yes",
        () if verdict.moves.contains(&figure) => "no",
        () if verdict.within_chance.contains(&figure) => "within chance",
        () => "not told",
    }
}

/// Texts with commas and a word before the last; nothing of none.
fn in_words(texts: impl Iterator<Item = impl Into<String>>, last_word: &str) -> Option<String> {
    let mut texts: Vec<String> = texts.map(Into::into).collect();
    let last = texts.pop()?;
    Some(if texts.is_empty() { last } else { format!("{} {last_word} {last}", texts.join(", ")) })
}

/// The tidy rows: figures of selections (scope `selection`, the selection in `segment`), their differences (versus `all` or
/// `same_bands`), and strike rates of bands (scope `score_band`).
pub(crate) fn csv_rows(stress: &StressSelection) -> Vec<[String; 19]> {
    let name = |at: At| match at {
        At::Share(share) => format!("share:{share}"),
        At::Count(cases) => format!("top:{cases}"),
    };
    let cutoff = |row: &StressRow| {
        let of_model = stress.verdicts.iter().find(|verdict| verdict.model == row.model);
        let is_at_cutoff = matches!(row.figure, SelectionFigure::Pcc | SelectionFigure::ErrorRate);
        of_model.filter(|_| is_at_cutoff).map(|verdict| verdict.cutoff.to_string()).unwrap_or_default()
    };
    let figure = |row: &StressRow| {
        let mut cells: [String; 19] = Default::default();
        (cells[0], cells[2], cells[3]) =
            (row.model.clone(), row.figure.id().to_owned(), "selection".to_owned());
        (cells[5], cells[6]) = (row.selection.map_or_else(|| "all".to_owned(), name), cutoff(row));
        (cells[7], cells[13]) = (number(row.estimate), row.n.to_string());
        cells[17] = shown(&row.undefined);
        cells
    };
    let difference = |row: &StressRow| {
        row.difference?;
        let mut cells = figure(row);
        cells[1] = if row.figure.is_within_bands() { "same_bands" } else { "all" }.to_owned();
        (cells[7], cells[9], cells[10]) = (number(row.difference), number(row.lower), number(row.upper));
        (cells[11], cells[12]) = (number(row.level), shown(&row.method.map(IntervalMethod::name)));
        (cells[15], cells[16]) = (number(row.p), number(row.p_adjusted));
        cells[18] = shown(&row.no_interval);
        Some(cells)
    };
    let band = |band: &StressBand| {
        let mut cells: [String; 19] = Default::default();
        (cells[0], cells[2]) = (band.model.clone(), "strike_rate".to_owned());
        (cells[3], cells[5]) = ("score_band".to_owned(), band.label.clone());
        (cells[7], cells[9], cells[10]) = (number(band.strike_rate), number(band.lower), number(band.upper));
        cells[13] = band.cases.to_string();
        cells
    };
    let figures = stress.figures.iter().flat_map(|row| std::iter::once(figure(row)).chain(difference(row)));
    figures.chain(stress.bands.iter().map(band)).collect()
}
