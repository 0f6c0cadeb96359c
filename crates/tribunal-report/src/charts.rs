//! Charts as tables: what was found of what was possible, where the four outcomes lie along the scores, figures at another base rate.

use tribunal::{At, BaseRateFigures, BaseRateReading, CutoffCharts, DepthReading, Evaluation, ModelCharts};
use tribunal_eval::base_rate::AtBaseRate;
use tribunal_eval::curves::RiskArea;
use tribunal_eval::error_matrix::{GainLossBin, PsfBin, ScoreBand};
use tribunal_eval::{CutoffRule, Figure};

use crate::document::{Align, Part, Table, columns, plain_row};
use crate::evaluation::rule_in_words;
use crate::number::{count, figure, interval_of, percent, rate};

/// So many models leave room for intervals beside the figures.
const MOST_WITH_INTERVALS: usize = 2;
/// The tables of bins, bands and base rates are shown for so many models, the best first.
const MOST_IN_DETAIL: usize = 2;

/// What the list of each model finds of what was possible at the asked depths.
pub(crate) fn risk(results: &Evaluation) -> Option<Table> {
    let first = results.charts.first()?;
    let has_amounts = results.charts.iter().any(|charts| charts.amounts.is_some());
    let with_ends = results.charts.len() <= MOST_WITH_INTERVALS;
    let depths: Vec<String> =
        first.depths.iter().map(|depth| format!("at {}", depth_in_words(depth.asked))).collect();
    let mut names = vec![("model".to_owned(), Align::Left), ("positives: omega".to_owned(), Align::Right)];
    names.extend(depths.iter().map(|depth| (depth.clone(), Align::Right)));
    if has_amounts {
        names.push(("amount: omega".to_owned(), Align::Right));
        names.extend(depths.into_iter().map(|depth| (depth, Align::Right)));
    }
    let line = |charts: &ModelCharts| {
        let area =
            |area: Option<RiskArea>| area.map_or_else(|| "n/a".to_owned(), |area| figure(area.standardised));
        let mut cells = vec![charts.model.clone(), area(Some(charts.cases))];
        cells.extend(charts.depths.iter().map(|depth| captured_cases(depth, with_ends)));
        if has_amounts {
            cells.push(area(charts.amounts));
            let of_amount = |depth: &DepthReading| depth.capture.and_then(|capture| capture.of_amount);
            cells.extend(charts.depths.iter().map(|depth| share(of_amount(depth))));
        }
        plain_row(cells)
    };
    Some(Table {
        title: "How much of what the best order would find is found (risk chart); omega: its area, 0 for the worst order, 1 for the \
                best"
            .into(),
        columns: names,
        rows: results.charts.iter().map(line).collect(),
    })
}

/// A depth of the list.
pub(crate) fn depth_in_words(at: At) -> String {
    match at {
        At::Share(share) => percent(share),
        At::Count(cases) => format!("{} cases", count(cases)),
    }
}

fn captured_cases(depth: &DepthReading, with_ends: bool) -> String {
    let Some(capture) = depth.capture else { return "n/a".into() };
    let ends = depth.of_cases.filter(|_| with_ends);
    let ends = ends.map(|ends| format!(" [{}, {}]", short_percent(ends.lower), short_percent(ends.upper)));
    format!("{}{}", short_percent(capture.of_cases), ends.unwrap_or_default())
}

fn share(share: Option<f64>) -> String {
    share.map_or_else(|| "n/a".to_owned(), short_percent)
}

/// A share in percent with one decimal.
fn short_percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// The four regions, the proportion score function and the bands of each cut-off; nothing where neither bins nor bands were asked for.
pub(crate) fn error_matrices(results: &Evaluation) -> Vec<Part> {
    if !results.request.charts.wants_error_matrix() {
        return Vec::new();
    }
    let shown = best(results);
    let asked = shown.iter().flat_map(|charts| charts.cutoffs.iter().map(|at| at.asked));
    asked.fold(Vec::new(), with_new).into_iter().flat_map(|rule| at_cutoff(results, &shown, rule)).collect()
}

/// What is seen at the cut-offs of one rule. Models may have different ones where none was asked for.
fn at_cutoff(results: &Evaluation, shown: &[&ModelCharts], asked: CutoffRule) -> Vec<Part> {
    let at = shown.iter().filter_map(|charts| {
        let at = charts.cutoffs.iter().find(|at| at.asked == asked)?;
        Some((charts.model.as_str(), at))
    });
    let at: Vec<(&str, &CutoffCharts)> = at.collect();
    let rule = rule_in_words(asked);
    let mut parts = vec![Part::Table(regions(&at, &rule))];
    if results.request.charts.bins.is_some() {
        let is_weighted = results.data.weighted;
        let tables = at.iter().filter_map(|(model, charts)| bins(model, charts, &rule, is_weighted));
        parts.extend(tables.map(Part::Table));
    }
    if !results.request.charts.bands.is_empty() {
        parts.push(Part::Table(bands(&at, &rule, results.data.weighted)));
    }
    let reason = |(model, charts): &(&str, &CutoffCharts)| {
        Some(format!("n/a, {model}: {}", charts.undefined.as_ref()?))
    };
    let reasons: Vec<String> = at.iter().filter_map(reason).collect();
    if !reasons.is_empty() {
        parts.push(Part::List(reasons));
    }
    parts
}

/// The charts of the best models, as many as there is room for.
fn best(results: &Evaluation) -> Vec<&ModelCharts> {
    let place = |charts: &&ModelCharts| {
        let known = results.verdict.ranking.iter().position(|name| *name == charts.model);
        known.unwrap_or(usize::MAX)
    };
    let mut charts: Vec<&ModelCharts> = results.charts.iter().collect();
    charts.sort_by_key(place);
    charts.truncate(MOST_IN_DETAIL);
    charts
}

fn regions(at: &[(&str, &CutoffCharts)], rule: &str) -> Table {
    let line = |(model, charts): &(&str, &CutoffCharts)| {
        let regions = &charts.error_matrix.as_ref()?.regions;
        let figures = [&regions.tn, &regions.fn_, &regions.fp, &regions.tp, &regions.npv, &regions.ppv];
        let cells = [(*model).to_owned(), short_percent(regions.cut)].into_iter();
        Some(plain_row(cells.chain(figures.map(with_ends))))
    };
    Table {
        title: format!(
            "Where the four outcomes lie at {rule}: shares of all cases, and how often each prediction is right (error-matrix chart)"
        ),
        columns: columns([
            ("model", Align::Left),
            ("predicted negative", Align::Right),
            ("true negatives", Align::Right),
            ("false negatives", Align::Right),
            ("false positives", Align::Right),
            ("true positives", Align::Right),
            ("NPV", Align::Right),
            ("PPV", Align::Right),
        ]),
        rows: at.iter().filter_map(line).collect(),
    }
}

/// How right predictions are along the scores, with gains and losses where they are known.
fn bins(model: &str, charts: &CutoffCharts, rule: &str, is_weighted: bool) -> Option<Table> {
    let psf = &charts.error_matrix.as_ref()?.psf;
    let panel = charts.gain_loss.as_ref();
    let mut names = columns([
        ("scores from", Align::Right),
        ("to", Align::Right),
        (if is_weighted { "rows" } else { "cases" }, Align::Right),
        ("list up to", Align::Right),
        ("right", Align::Right),
    ]);
    if panel.is_some() {
        names.extend(["gain", "loss", "net from the top"].map(|name| (name.to_owned(), Align::Right)));
    }
    let line = |bin: &PsfBin| {
        let ends = bin.interval.and_then(|ends| interval_of(bin.psf, Some(ends.lower), Some(ends.upper)));
        let right = [Some(figure(bin.psf)), ends].into_iter().flatten().collect::<Vec<_>>().join(" ");
        let cells = vec![score(bin.from), score(bin.to), count(bin.rows), short_percent(bin.lambda), right];
        let money = panel.and_then(|panel| panel.bins.iter().find(|other| other.bin == bin.bin)).map(money);
        plain_row(cells.into_iter().chain(money.into_iter().flatten()))
    };
    Some(Table {
        title: format!(
            "How right the predictions of {model} are along its scores at {rule} (proportion score function in {} bins)",
            psf.n_bins
        ),
        columns: names,
        rows: psf.bins.iter().map(line).collect(),
    })
}

/// A score that is read and not cut at.
fn score(score: f64) -> String {
    if score.fract() == 0.0 { score.to_string() } else { figure(score) }
}

fn money(bin: &GainLossBin) -> [String; 3] {
    [figure(bin.gain), figure(bin.loss), with_ends(&bin.net_from_top)]
}

/// The four outcomes in bands of scores; rows stand beside cases where these are weighted.
fn bands(at: &[(&str, &CutoffCharts)], rule: &str, is_weighted: bool) -> Table {
    let line = |model: &str, band: &ScoreBand| {
        let cells = &band.cells;
        let counts = [cells.total(), cells.tn, cells.fn_, cells.fp, cells.tp].map(count);
        let rows = is_weighted.then(|| count(band.rows));
        let cells = [model.to_owned(), band_in_words(band)].into_iter().chain(rows).chain(counts);
        plain_row(cells.chain([with_ends(&band.error_rate), with_ends(&band.strike_rate)]))
    };
    let rows = at.iter().flat_map(|(model, charts)| charts.bands.iter().map(move |band| (*model, band)));
    let mut names = columns([("model", Align::Left), ("scores", Align::Left)]);
    names.extend(is_weighted.then(|| ("rows".to_owned(), Align::Right)));
    let figures = [
        "cases",
        "true negatives",
        "false negatives",
        "false positives",
        "true positives",
        "error rate",
        "strike rate",
    ];
    names.extend(figures.map(|name| (name.to_owned(), Align::Right)));
    Table {
        title: match is_weighted {
            true => format!("The four outcomes in bands of scores at {rule}; cases by weight"),
            false => format!("The four outcomes in bands of scores at {rule}"),
        },
        columns: names,
        rows: rows.map(|(model, band)| line(model, band)).collect(),
    }
}

fn band_in_words(band: &ScoreBand) -> String {
    match (band.from, band.to) {
        (None, Some(to)) => format!("below {to}"),
        (Some(from), Some(to)) => format!("{from} to below {to}"),
        (Some(from), None) => format!("{from} or more"),
        (None, None) => "all".into(),
    }
}

/// Figures at another base rate beside those at hand; nothing where none was asked for.
pub(crate) fn at_base_rate(results: &Evaluation) -> Vec<Part> {
    let Some(reading) = &results.at_base_rate else { return Vec::new() };
    let shown: Vec<&str> = best(results).iter().map(|charts| charts.model.as_str()).collect();
    let mut parts: Vec<Part> = Vec::new();
    for cutoff in reading.figures.iter().map(|figures| figures.cutoff).fold(Vec::new(), with_new) {
        let of = |model: &&str| {
            reading.figures.iter().find(|figures| figures.model == **model && figures.cutoff == cutoff)
        };
        let figures: Vec<&BaseRateFigures> = shown.iter().filter_map(of).collect();
        parts.push(Part::Table(base_rate_table(reading, &figures, &rule_in_words(cutoff))));
    }
    let worth =
        reading.probabilities.iter().map(|shifted| format!("{} is {}", shifted.from, figure(shifted.to)));
    parts.push(Part::Paragraph(format!(
        "A probability that is right here is worth less or more there: {} at a base rate of {}.",
        worth.collect::<Vec<_>>().join(", "),
        rate(reading.base_rate)
    )));
    parts
}

fn with_new<T: PartialEq>(mut known: Vec<T>, next: T) -> Vec<T> {
    if !known.contains(&next) {
        known.push(next);
    }
    known
}

fn base_rate_table(reading: &BaseRateReading, figures: &[&BaseRateFigures], rule: &str) -> Table {
    type Show = fn(&AtBaseRate) -> Option<String>;
    let lines: [(&str, Show); 7] = [
        ("PPV", |at| Some(with_ends(&at.ppv))),
        ("NPV", |at| Some(with_ends(&at.npv))),
        ("PCC", |at| Some(with_ends(&at.pcc))),
        ("F1", |at| Some(with_ends(&at.f))),
        ("lift", |at| Some(with_ends(&at.lift))),
        ("largest possible lift", |at| Some(figure(at.largest_lift))),
        ("expected cost of errors", |at| at.cost.as_ref().map(with_ends)),
    ];
    let line = |figures: &BaseRateFigures, (name, show): &(&str, Show)| {
        let shown = |at: &Option<AtBaseRate>| at.as_ref().map(show);
        let is_there = |found: &Option<Option<String>>| found.as_ref().is_none_or(Option::is_some);
        let found = [shown(&figures.here), shown(&figures.there)];
        found.iter().all(is_there).then(|| {
            let cells = found.map(|cell| cell.flatten().unwrap_or_else(|| "n/a".into()));
            plain_row([figures.model.clone(), (*name).to_owned()].into_iter().chain(cells))
        })
    };
    Table {
        title: format!(
            "At a base rate of {}, cut at the same scores as {rule} here; sensitivity and specificity stay, the base rate is taken as known",
            rate(reading.base_rate)
        ),
        columns: vec![
            ("model".to_owned(), Align::Left),
            ("figure".to_owned(), Align::Left),
            (format!("at {} (here)", percent(reading.own)), Align::Right),
            (format!("at {}", rate(reading.base_rate)), Align::Right),
        ],
        rows: figures
            .iter()
            .flat_map(|figures| lines.iter().filter_map(|shown| line(figures, shown)))
            .collect(),
    }
}

/// A figure with its interval; beside it the value on new cases, where the cut-off was chosen on these.
fn with_ends(shown: &Figure) -> String {
    let Some(value) = shown.value else { return "n/a".into() };
    let new = shown.corrected.map(|corrected| format!(", new {}", figure(corrected)));
    let ends = shown
        .interval
        .and_then(|ends| interval_of(shown.corrected.unwrap_or(value), Some(ends.lower), Some(ends.upper)));
    let ends = ends.map(|ends| format!(" {ends}"));
    format!("{}{}{}", figure(value), new.unwrap_or_default(), ends.unwrap_or_default())
}
