//! The stress test of the selection: what survives where only the top of the list was acted on, figure by figure and band by band.

use tribunal::message::Phrasing;
use tribunal::{
    At, Evaluation, ScoreSelected, StressBand, StressOutcome, StressRow, StressSelection, StressVerdict,
};
use tribunal_eval::score_selection::SelectionFigure;

use crate::charts::depth_in_words;
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
        let mut reasons: Vec<MissingFigures<'_>> = Vec::new();
        for row in self.stress.figures.iter().filter(|row| row.model == verdict.model) {
            let reason = match (&row.undefined, &row.no_interval) {
                (Some(reason), _) => format!("n/a: {reason}"),
                // What does not differ needs no interval of the difference.
                (None, Some(reason)) if row.difference != Some(0.0) => format!("difference: {reason}"),
                _ => continue,
            };
            let place = reasons.iter().position(|missing| missing.reason == reason).unwrap_or(reasons.len());
            if place == reasons.len() {
                reasons.push(MissingFigures { reason, parts: Vec::new(), figures: Vec::new() });
            }
            let part =
                row.selection.map_or_else(|| "all cases".into(), |at| format!("top {}", depth_in_words(at)));
            reasons[place].add(part, row.figure.name());
        }
        let lines: Vec<String> = reasons.iter().map(|missing| missing.in_words(&verdict.model)).collect();
        Some(lines).filter(|lines| !lines.is_empty())
    }
}

/// Figures that are missing for one reason, and of which cases.
struct MissingFigures<'a> {
    reason: String,
    parts: Vec<String>,
    figures: Vec<&'a str>,
}

impl<'a> MissingFigures<'a> {
    fn add(&mut self, part: String, figure: &'a str) {
        if !self.parts.contains(&part) {
            self.parts.push(part);
        }
        if !self.figures.contains(&figure) {
            self.figures.push(figure);
        }
    }

    fn in_words(&self, model: &str) -> String {
        format!("{model}, {}: {} ({})", self.parts.join(", "), self.reason, self.figures.join(", "))
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
