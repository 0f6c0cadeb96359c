//! The figures of each segment of the cases: where a model is worst, whether segments differ, and what one common cut-off does to
//! each. Rows and base rate stand beside every figure, for without them no figure of a segment can be read.

use tribunal::message::Phrasing;
use tribunal::{
    Evaluation, Policy, Segment, SegmentAgainstRest, SegmentCutoff, SegmentDecision, SegmentDecisions,
    SegmentFigure, SegmentResults, SegmentShare, SegmentTest,
};
use tribunal_eval::CutoffRule;

use crate::decision::{in_cases, in_money};
use crate::document::{Align, Part, Table, columns, plain_row};
use crate::evaluation::{KEY_METRICS, MOST_COLUMNS, in_other_formats, rule_of};
use crate::number::{count, figure, interval_of, p_in_words, p_value, percent, rate, statistic};

/// So many segments stand in a table, the largest.
const MOST_SEGMENTS: usize = 20;
/// So many metrics, with their intervals, leave the table readable.
const MOST_METRICS: usize = 3;

/// Everything about the segments; nothing where there are none.
pub(crate) fn parts(results: &Evaluation, phrasing: &dyn Phrasing) -> Vec<Part> {
    let Some(segments) = &results.segments else { return Vec::new() };
    let report = SegmentReport { results, segments, phrasing };
    let mut parts = vec![Part::Heading(format!("By {}", segments.columns.join(" and ")))];
    parts.extend(report.worst().map(Part::Paragraph));
    parts.extend(report.tests().map(Part::Table));
    for model in report.models() {
        parts.extend(report.figures(model).map(Part::Table));
        parts.extend(report.cutoffs(model).into_iter().map(Part::Table));
    }
    if let Some(decisions) = &segments.decisions {
        parts.extend(report.worst_decision(decisions).map(Part::Paragraph));
        let title = "Do segments differ in what acting brings in by more than chance? (hits and amount for each case acted on, profit \
                     for each case of the segment; Welch's test, of shares of hits chi-square; p adjusted by Holm over the models)";
        parts.extend(report.test_table(title, decisions.tests.iter()).map(Part::Table));
        let models = report.models().iter();
        parts.extend(models.filter_map(|model| report.decisions(model, decisions)).map(Part::Table));
    }
    parts
}

/// The labels of a segment.
pub(crate) fn segment_name(segment: &Segment) -> String {
    segment.labels.join(", ")
}

struct SegmentReport<'a> {
    results: &'a Evaluation,
    segments: &'a SegmentResults,
    phrasing: &'a dyn Phrasing,
}

impl<'a> SegmentReport<'a> {
    /// The models that are shown: all of them, or of many the best.
    fn models(&self) -> &'a [String] {
        match &self.results.data.models {
            models if models.len() <= MOST_COLUMNS => models,
            _ => self.results.verdict.ranking.get(..1).unwrap_or_default(),
        }
    }

    /// The places of the largest segments, in the order of their labels.
    fn shown(&self) -> Vec<usize> {
        let all = &self.segments.segments;
        let mut places: Vec<usize> = (0..all.len()).collect();
        places.sort_by_key(|&place| std::cmp::Reverse(all[place].rows));
        places.truncate(MOST_SEGMENTS);
        places.sort_unstable();
        places
    }

    /// A title that says how many segments are not in the table.
    fn title(&self, title: &str) -> String {
        let (n_shown, n_all) = (self.shown().len(), self.segments.segments.len());
        match n_all - n_shown {
            0 => title.to_owned(),
            n_more => in_other_formats(
                &format!("{title} (the largest {n_shown} of {n_all} segments; the other {n_more}"),
                self.phrasing,
            ),
        }
    }

    /// Where the segment lies, such as `region is north and channel is web`.
    fn place_in_words(&self, place: usize) -> String {
        let labels = self.segments.segments.get(place).map_or(&[][..], |segment| &segment.labels);
        let each =
            self.segments.columns.iter().zip(labels).map(|(column, label)| format!("{column} is {label}"));
        each.collect::<Vec<_>>().join(" and ")
    }

    /// For each model where it is worst, or that it is not shown to be worse anywhere.
    fn worst(&self) -> Option<String> {
        let (rests, tests) = (&self.segments.against_rest, &self.segments.tests);
        let worst = |model: &String| self.worst_of(model, rests, tests);
        let sentences: Vec<String> = self.models().iter().filter_map(worst).collect();
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }

    /// The same of what acting brings in.
    fn worst_decision(&self, decisions: &SegmentDecisions) -> Option<String> {
        let worst = |model: &String| self.worst_of(model, &decisions.against_rest, &decisions.tests);
        let sentences: Vec<String> = self.models().iter().filter_map(worst).collect();
        (!sentences.is_empty()).then(|| format!("Acting on the lists: {}", sentences.join(" ")))
    }

    fn worst_of(&self, model: &str, rests: &[SegmentAgainstRest], tests: &[SegmentTest]) -> Option<String> {
        let of_model = || rests.iter().filter(|rest| rest.model == model);
        let shown_worse: Vec<&SegmentAgainstRest> = of_model().filter(|rest| rest.is_worse).collect();
        let shortfall = |rest: &&SegmentAgainstRest| (rest.estimate - rest.elsewhere).abs();
        let by_shortfall =
            |a: &&SegmentAgainstRest, b: &&SegmentAgainstRest| shortfall(a).total_cmp(&shortfall(b));
        if let Some(worst) = shown_worse.iter().copied().max_by(by_shortfall) {
            let more = match shown_worse.len() {
                1 => String::new(),
                n => format!("; it is shown to be worse than elsewhere in {} more", n - 1),
            };
            let verb = if worst.metric == "auroc" { "ranks" } else { "is" };
            return Some(format!(
                "{model} {verb} worst where {}: {}{more}.",
                self.place_in_words(worst.segment),
                self.against_elsewhere(worst)
            ));
        }
        let least =
            of_model().min_by(|a, b| a.p_adjusted.total_cmp(&b.p_adjusted).then_with(|| by_shortfall(b, a)));
        match least {
            Some(least) => Some(format!(
                "No segment is shown to be worse than the others for {model} (nearest to it where {}: {}).",
                self.place_in_words(least.segment),
                self.against_elsewhere(least)
            )),
            None => {
                let is_tested = tests.iter().any(|test| test.model == model && test.n_segments > 1);
                (!is_tested).then(|| {
                    format!("Whether {model} is worse in one segment than in others cannot be tested: too few cases.")
                })
            }
        }
    }

    /// A figure against that of all other cases.
    fn against_elsewhere(&self, rest: &SegmentAgainstRest) -> String {
        let at = rest.cutoff.map_or_else(String::new, |rule| format!(" at {rule}"));
        format!(
            "{}{at} {} against {} elsewhere, adjusted {}",
            figure_in_words(&rest.metric),
            figure(rest.estimate),
            figure(rest.elsewhere),
            p_in_words(rest.p_adjusted)
        )
    }

    /// The metrics that stand in tables: the deciding one first, then those that were asked for or are most asked for.
    fn key_metrics(&self) -> Vec<(&'a str, Option<CutoffRule>)> {
        let named: Vec<String> = self.results.request.metrics.iter().map(ToString::to_string).collect();
        let deciding = self.results.verdict.metric.as_str();
        let is_key = |metric: &str| match named.is_empty() {
            true => KEY_METRICS.contains(&metric),
            false => named.iter().any(|name| name == metric),
        };
        let mut found: Vec<(&str, Option<CutoffRule>)> = Vec::new();
        for SegmentFigure { metric, cutoff, .. } in
            self.segments.figures.iter().take_while(|figure| figure.segment == 0)
        {
            if (is_key(metric) || metric == deciding) && !found.contains(&(metric, *cutoff)) {
                found.push((metric, *cutoff));
            }
        }
        let order = |metric: &str| KEY_METRICS.iter().position(|key| *key == metric);
        found.sort_by_key(|(metric, _)| (*metric != deciding, order(metric).unwrap_or(KEY_METRICS.len())));
        found
    }

    /// Whether the key figures differ among the segments.
    fn tests(&self) -> Option<Table> {
        let keys = self.key_metrics();
        let is_shown = |test: &&SegmentTest| keys.contains(&(test.metric.as_str(), test.cutoff));
        self.test_table(
            "Do segments differ by more than chance? (Welch's test, of shares at a cut-off chi-square; p adjusted by Holm over the \
             models; other figures than AUROC, KS, recall and specificity also move with the base rate)",
            self.segments.tests.iter().filter(is_shown),
        )
    }

    fn test_table<'t>(&self, title: &str, tests: impl Iterator<Item = &'t SegmentTest>) -> Option<Table> {
        let line = |test: &SegmentTest| {
            let of = |value: fn(&tribunal_eval::significance::Welch) -> f64| {
                test.test.as_ref().map_or_else(|| "n/a".into(), |test| statistic(value(test)))
            };
            plain_row([
                test.model.clone(),
                at_rule(&test.metric, test.cutoff),
                count(test.n_segments as f64),
                of(|test| test.f),
                of(|test| test.df_error),
                test.p_adjusted.map_or_else(|| "n/a".into(), p_value),
            ])
        };
        let is_shown = |test: &&SegmentTest| test.n_segments > 0 && self.models().contains(&test.model);
        let rows: Vec<_> = tests.filter(is_shown).map(line).collect();
        (!rows.is_empty()).then(|| Table {
            title: title.to_owned(),
            columns: columns([
                ("model", Align::Left),
                ("metric", Align::Left),
                ("segments tested", Align::Right),
                ("F", Align::Right),
                ("df", Align::Right),
                ("p", Align::Right),
            ]),
            rows,
        })
    }

    /// The key figures of a model, a row each segment.
    fn figures(&self, model: &str) -> Option<Table> {
        let keys: Vec<_> = self.key_metrics().into_iter().take(MOST_METRICS).collect();
        let own: Vec<&SegmentFigure> =
            self.segments.figures.iter().filter(|figure| figure.model == model).collect();
        let cell = |place: usize, (metric, cutoff): (&str, Option<CutoffRule>)| {
            let mut of_segment = own.iter().filter(|figure| figure.segment == place);
            let found = of_segment.find(|figure| figure.metric == metric && figure.cutoff == cutoff);
            found
                .map_or_else(|| "n/a".into(), |found| with_interval(found.estimate, found.lower, found.upper))
        };
        let row = |place: usize| {
            let figures = keys.iter().map(|&key| cell(place, key));
            plain_row(self.about(place).into_iter().chain(figures))
        };
        let names = keys.iter().map(|(metric, cutoff)| (at_rule(metric, *cutoff), Align::Right));
        (!keys.is_empty()).then(|| Table {
            title: self.title(&format!("{model} by {}", self.segments.columns.join(" and "))),
            columns: self.about_columns().into_iter().chain(names).collect(),
            rows: self.shown().into_iter().map(row).collect(),
        })
    }

    /// What each cut-off of a model does to the segments.
    fn cutoffs(&self, model: &str) -> Vec<Table> {
        let mut rules: Vec<CutoffRule> = Vec::new();
        for cutoff in self.segments.cutoffs.iter().filter(|cutoff| cutoff.model == model) {
            if !rules.contains(&cutoff.asked) {
                rules.push(cutoff.asked);
            }
        }
        rules.into_iter().map(|rule| self.cutoff_table(model, rule)).collect()
    }

    fn cutoff_table(&self, model: &str, rule: CutoffRule) -> Table {
        let own: Vec<&SegmentCutoff> = self
            .segments
            .cutoffs
            .iter()
            .filter(|cutoff| cutoff.model == model && cutoff.asked == rule)
            .collect();
        let row = |place: usize| {
            let found = own.iter().find(|cutoff| cutoff.segment == place);
            let share = |of: fn(&SegmentCutoff) -> SegmentShare| {
                let share = found.map(|cutoff| of(cutoff)).unwrap_or_default();
                with_interval(share.estimate, share.lower, share.upper)
            };
            let shares = [share(|c| c.share), share(|c| c.precision), share(|c| c.recall)];
            plain_row(self.about(place).into_iter().chain(shares))
        };
        let names = ["share acted on", "precision", "recall"].map(|name| (name.to_owned(), Align::Right));
        Table {
            title: self.title(&format!(
                "What one common cut-off of {model} does to each: {}",
                rule_of(self.results, rule)
            )),
            columns: self.about_columns().into_iter().chain(names).collect(),
            rows: self.shown().into_iter().map(row).collect(),
        }
    }

    /// What acting by a model's list does to the segments.
    fn decisions(&self, model: &str, decisions: &SegmentDecisions) -> Option<Table> {
        let own: Vec<&SegmentDecision> =
            decisions.figures.iter().filter(|figure| figure.model == model).collect();
        let first = own.first()?;
        let mut names = vec!["acted on", "share acted on", "positives"];
        names.extend(first.amount.is_some().then_some("amount"));
        names.extend(first.profit.is_some().then_some("profit"));
        let figures = |figure: &SegmentDecision| {
            let share = &figure.share;
            let ends = share.interval;
            let mut cells = vec![
                count(if figure.acted < 100.0 {
                    (10.0 * figure.acted).round() / 10.0
                } else {
                    figure.acted.round()
                }),
                with_interval(Some(share.value), ends.map(|ends| ends.lower), ends.map(|ends| ends.upper)),
                in_cases(&figure.hits),
            ];
            cells.extend(figure.amount.as_ref().map(in_money));
            cells.extend(figure.profit.as_ref().map(in_money));
            cells
        };
        let row = |place: usize| {
            let found = own.iter().find(|figure| figure.segment == place);
            let cells = found.map_or_else(|| vec!["n/a".to_owned(); names.len()], |figure| figures(figure));
            plain_row(self.about(place).into_iter().chain(cells))
        };
        let columns = names.iter().map(|name| ((*name).to_owned(), Align::Right));
        let base_rate = self.results.decision.as_ref().and_then(|decision| decision.base_rate);
        let there = base_rate.map_or_else(String::new, |there| {
            format!(
                " (from \"acted on\" on read at a base rate of {}; rows and base rate are those of the file)",
                rate(there)
            )
        });
        Some(Table {
            title: self.title(&format!(
                "What acting on the one list of {model} does in each segment{}{there}",
                self.chosen_here()
            )),
            columns: self.about_columns().into_iter().chain(columns).collect(),
            rows: self.shown().into_iter().map(row).collect(),
        })
    }

    /// That figures flatter, where the cut was chosen on the cases that they are about.
    fn chosen_here(&self) -> &'static str {
        let policy = self.results.decision.as_ref().map(|decision| decision.policy);
        match policy {
            Some(Policy::BestCut) => ": on the very cases that chose the cut, so profits flatter",
            _ => "",
        }
    }

    /// The first columns of every table of segments.
    fn about_columns(&self) -> Vec<(String, Align)> {
        let labels = self.segments.columns.iter().map(|column| (column.clone(), Align::Left));
        let sizes = ["rows", "base rate"].map(|name| (name.to_owned(), Align::Right));
        labels.chain(sizes).collect()
    }

    fn about(&self, place: usize) -> Vec<String> {
        let Some(segment) = self.segments.segments.get(place) else { return Vec::new() };
        let base_rate = segment.base_rate.map_or_else(|| "n/a".into(), percent);
        segment.labels.iter().cloned().chain([count(segment.rows as f64), base_rate]).collect()
    }
}

/// A figure with its interval, as far as they are known.
fn with_interval(estimate: Option<f64>, lower: Option<f64>, upper: Option<f64>) -> String {
    let Some(estimate) = estimate else { return "n/a".into() };
    match interval_of(estimate, lower, upper) {
        Some(interval) => format!("{} {interval}", figure(estimate)),
        None => figure(estimate),
    }
}

/// What is compared among segments.
fn figure_in_words(metric: &str) -> &str {
    match metric {
        "auroc" => "AUROC",
        "hits" => "hits for each case acted on",
        "amount" => "amount for each case acted on",
        "profit" => "profit a case",
        metric => metric,
    }
}

/// A metric, and its cut-off where it looks at one.
fn at_rule(metric: &str, cutoff: Option<CutoffRule>) -> String {
    cutoff.map_or_else(|| metric.to_owned(), |rule| format!("{metric} at {rule}"))
}
