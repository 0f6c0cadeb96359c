//! From tables to findings: read, cut into bands, compare, judge.

use tribunal_eval::ScoreBands;
use tribunal_io::Source;

use super::chart::chart;
use super::comparison::compare;
use super::limits::Limit;
use super::period::{Drawing, Period};
use super::periods::{NamedCases, in_order};
use super::read::read_table;
use super::request::{AskedBands, MonitorRequest};
use super::results::{Band, LimitRow, MonitorRow, MonitoredColumns, Monitoring, PeriodFacts, PeriodFindings};
use super::verdict::{RateWords, verdict, verdict_of};
use super::warning::MonitorWarning;
use super::warnings::{about_comparison, about_period};
use crate::classes::{Classes, names_same, no_such_label};
use crate::error::Error;
use crate::form::SchemaOf;
use crate::message::{Message, Setting};
use crate::progress::OnProgress;
use crate::provenance::Provenance;
use tribunal_random::derive_seed;

/// The tables of the periods.
#[derive(Clone, Copy)]
pub struct MonitoredTables<'a> {
    /// The period that others are compared with; without it the first period of the other table.
    pub reference: Option<&'a Source>,
    /// The current period, or many.
    pub current: &'a Source,
}

/// Compares periods of scored cases.
///
/// ```
/// use tribunal::Source;
/// use tribunal::monitoring::{MonitorRequest, MonitoredTables, monitor};
///
/// # let folder = tempfile::tempdir()?;
/// # let write = |name: &str, text: &str| {
/// #     let path = folder.path().join(name);
/// #     std::fs::write(&path, text).map(|()| path.to_string_lossy().into_owned())
/// # };
/// // Every third case is acted on; its outcome is blank otherwise.
/// let rows = |hits: u32| (0..900).map(move |row| {
///     let outcome = if row % 3 > 0 { "" } else if row / 3 % 10 < hits { "yes" } else { "no" };
///     format!("{},{outcome}\n", f64::from(row % 100) / 100.0)
/// });
/// let table = |hits| format!("score,fraud\n{}", rows(hits).collect::<String>());
/// let [old, new] = [write("old.csv", &table(5))?, write("new.csv", &table(1))?];
/// let (old, new) = (Source::open(&[old])?, Source::open(&[new])?);
/// let mut request = MonitorRequest::new("score", "fraud");
/// request.columns.positive = Some("yes".into());
/// let found = monitor(MonitoredTables { reference: Some(&old), current: &new }, &request, &|_| ())?;
/// assert!(found.verdict.starts_with("The model got worse"), "{}", found.verdict);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A table cannot be read, or has no row; a column is missing; a value is none; there is no outcome at all, or only one period.
pub fn monitor(
    tables: MonitoredTables<'_>,
    request: &MonitorRequest,
    on_progress: OnProgress<'_>,
) -> Result<Monitoring, Error> {
    request.check()?;
    let read = ReadPeriods::of(tables, request, on_progress)?;
    judge(read, request)
}

/// Periods as they were read.
pub(super) struct ReadPeriods {
    pub(super) reference: (PeriodFacts, NamedCases),
    pub(super) periods: Vec<(PeriodFacts, NamedCases)>,
    pub(super) notices: Vec<String>,
    pub(super) are_same_bytes: bool,
}

impl ReadPeriods {
    fn of(
        tables: MonitoredTables<'_>,
        request: &MonitorRequest,
        on_progress: OnProgress<'_>,
    ) -> Result<Self, Error> {
        let columns = &request.columns;
        if tables.reference.is_none() && request.periods.is_none() {
            let message = Message::from("compared with what? Name the files of an earlier period with ");
            let message =
                message.set(Setting::Reference, "FILE").text(", or a column that makes periods with ");
            return Err(Error::usage(message.set(Setting::By, "COLUMN")));
        }
        let positive = columns.positive.clone().unwrap_or_default();
        let mut classes = Classes::new(&columns.truth, &positive, columns.rest_is_negative);
        let mut notices = Vec::new();
        let mut labels: Vec<(String, u64)> = Vec::new();
        let mut add_labels = |found: Vec<(String, u64)>| {
            for (label, rows) in found {
                match labels.iter_mut().find(|(known, _)| *known == label) {
                    Some((_, known)) => *known += rows,
                    None => labels.push((label, rows)),
                }
            }
        };
        let mut reference = None;
        if let Some(source) = tables.reference {
            let read = read_table(source, columns, None, &mut classes, false, on_progress)?;
            add_labels(read.labels);
            let name = joined_names(source);
            let values = read.values.into_iter().next();
            reference = values.map(|values| NamedCases { name, ..values });
        }
        let may_lack = reference.is_some();
        let read = read_table(
            tables.current,
            columns,
            request.periods.as_ref(),
            &mut classes,
            may_lack,
            on_progress,
        )?;
        add_labels(read.labels);
        if !read.has_truth {
            notices.push(format!(
                "{} has no column \"{}\": no outcome is known there",
                joined_names(tables.current),
                columns.truth
            ));
        }
        let mut periods = match &request.periods {
            None => read
                .values
                .into_iter()
                .map(|values| NamedCases { name: joined_names(tables.current), ..values })
                .collect(),
            Some(rule) => {
                let (periods, said) = in_order(read.values, rule)?;
                notices.extend(said);
                periods
            }
        };
        check_labels(&labels, request)?;
        let is_of_current = reference.is_none();
        let reference = reference.unwrap_or_else(|| periods.remove(0));
        if periods.is_empty() {
            let column = request.periods.as_ref().map_or("", |rule| rule.column.as_str());
            return Err(Error::data(format!(
                "column \"{column}\" makes one period, \"{}\", and nothing stands beside it; give a table of more periods, or a reference",
                reference.name
            )));
        }
        let source_of_reference = tables.reference.filter(|_| !is_of_current).unwrap_or(tables.current);
        let facts = |source: &Source, named: &NamedCases| -> Result<PeriodFacts, Error> {
            let files = source.names().map(str::to_owned).collect();
            let period = named.name.clone();
            Ok(PeriodFacts { period, files, sha256: source.sha256()?, ..PeriodFacts::default() })
        };
        let reference_facts = facts(source_of_reference, &reference)?;
        for period in &mut periods {
            if period.name == reference_facts.period {
                period.name.push_str(" (current)");
            }
        }
        let periods: Vec<(PeriodFacts, NamedCases)> = periods
            .into_iter()
            .map(|period| Ok((facts(tables.current, &period)?, period)))
            .collect::<Result<_, Error>>()?;
        let are_same_bytes = tables.reference.is_some()
            && request.periods.is_none()
            && periods.iter().all(|(current, _)| current.sha256 == reference_facts.sha256);
        Ok(ReadPeriods { reference: (reference_facts, reference), periods, notices, are_same_bytes })
    }
}

fn joined_names(source: &Source) -> String {
    source.names().collect::<Vec<_>>().join(", ")
}

/// Whether any outcome is known, and the positive label is one of them.
fn check_labels(labels: &[(String, u64)], request: &MonitorRequest) -> Result<(), Error> {
    let columns = &request.columns;
    if labels.is_empty() {
        let message = Message::from(format!(
            "column \"{}\" holds no outcome at all, so there is nothing to learn how good the score was; name the column of outcomes with ",
            columns.truth
        ));
        return Err(Error::data(message.setting(Setting::Truth)));
    }
    let positive = columns.positive.as_deref().unwrap_or_default();
    match labels.iter().any(|(label, _)| names_same(label, positive)) {
        true => Ok(()),
        false => Err(no_such_label(&columns.truth, positive, labels)),
    }
}

/// Judges periods that were read.
pub(super) fn judge(read: ReadPeriods, request: &MonitorRequest) -> Result<Monitoring, Error> {
    let (facts, named) = read.reference;
    let bands = match &request.bands {
        AskedBands::Count(count) => ScoreBands::from_quantiles(&named.cases.scores, None, *count)?,
        AskedBands::Edges(edges) => ScoreBands::from_edges(edges)?,
    };
    let reference = Period::new(facts, named.cases, &bands);
    if reference.facts.outcomes == 0 {
        return Err(Error::data(format!(
            "no outcome of the reference {} is known, so there is nothing to compare rates with; take an earlier period as reference",
            reference.facts.period
        )));
    }
    let mut found = of_reference(&reference, &bands, request)?;
    found.notices = read.notices;
    found.warnings.extend(read.are_same_bytes.then_some(MonitorWarning::SameTables));
    for (place, (facts, named)) in (1..).zip(read.periods) {
        let current = Period::new(facts, named.cases, &bands);
        add_period(&mut found, (&reference, current), &bands, request, place)?;
    }
    let names: Vec<&str> = std::iter::once(found.reference.period.as_str())
        .chain(found.periods.iter().map(|period| period.facts.period.as_str()))
        .collect();
    found.chart = chart(&names, &found.metrics, &request.limits);
    found.verdict = verdict(&found);
    Ok(found)
}

/// The draws of a step, which have a seed of their own.
fn drawing(request: &MonitorRequest, step: u64) -> Drawing {
    Drawing { level: request.level, replicates: request.replicates, seed: derive_seed(request.seed, &[step]) }
}

/// What is found of the reference alone.
fn of_reference(
    reference: &Period,
    bands: &ScoreBands,
    request: &MonitorRequest,
) -> Result<Monitoring, Error> {
    let labels = bands.labels();
    let mut warnings = about_period(reference);
    let (asked, n_bands) = (bands.asked() as u64, bands.n_bands() as u64);
    if n_bands < asked {
        warnings.push(MonitorWarning::FewerBands { asked, bands: n_bands });
    }
    Ok(Monitoring {
        schema: SchemaOf::default(),
        provenance: Provenance::default(),
        verdict: String::new(),
        columns: columns_of(request),
        reference: reference.facts.clone(),
        periods: Vec::new(),
        bands: bands_of(bands, &labels),
        bands_asked: asked,
        band_figures: reference.band_figures(&labels, request.level),
        metrics: reference.figures(bands, &request.columns.score, drawing(request, 0))?,
        limits: Vec::new(),
        chart: Vec::new(),
        level: request.level.get(),
        replicates: request.replicates as u64,
        seed: request.seed,
        warnings,
        notices: Vec::new(),
    })
}

/// Adds what is found of another period.
fn add_period(
    found: &mut Monitoring,
    (reference, current): (&Period, Period),
    bands: &ScoreBands,
    request: &MonitorRequest,
    place: u64,
) -> Result<(), Error> {
    let model = &request.columns.score;
    let auroc = found.row(&reference.facts.period, "auroc").and_then(|row| row.estimate);
    let own = current.figures(bands, model, drawing(request, 2 * place))?;
    let compared = compare((reference, &current), model, auroc, drawing(request, 2 * place + 1))?;
    let runs = compared.effects.joined.joined();
    let joined: Vec<String> =
        runs.map(|run| joined_label(&found.bands[run.start], &found.bands[run.end - 1])).collect();
    found.warnings.extend(about_period(&current));
    found.warnings.extend(about_comparison((reference, &current), &compared, bands, &joined, request.level));
    found.band_figures.extend(current.band_figures(&bands.labels(), request.level));
    let rows: Vec<MonitorRow> = own.into_iter().chain(compared.rows).collect();
    found.limits.extend(request.limits.iter().map(|limit| limit_row(limit, &current.facts.period, &rows)));
    let words = RateWords { has_amounts: request.columns.amount.is_some() };
    let shown = compared.changes.iter().filter(|change| change.is_shown);
    found.periods.push(PeriodFindings {
        verdict: verdict_of(&current.facts.period, &compared.changes, &rows, words),
        named: shown.map(|change| change.kind).collect(),
        facts: current.facts,
        changes: compared.changes,
        joined_bands: joined,
    });
    found.metrics.extend(rows);
    Ok(())
}

fn columns_of(request: &MonitorRequest) -> MonitoredColumns {
    let columns = &request.columns;
    MonitoredColumns {
        score: columns.score.clone(),
        truth: columns.truth.clone(),
        positive: columns.positive.clone().unwrap_or_default(),
        actioned: columns.actioned.clone(),
        amount: columns.amount.clone(),
        period: request.periods.as_ref().map(|rule| rule.column.clone()),
    }
}

fn bands_of(bands: &ScoreBands, labels: &[String]) -> Vec<Band> {
    let band = |(at, label): (usize, &String)| {
        let (from, to) = bands.ends(at);
        Band { band: label.clone(), from, to }
    };
    labels.iter().enumerate().map(band).collect()
}

/// What bands from one to another are called.
fn joined_label(first: &Band, last: &Band) -> String {
    let edges = [first.from, last.to].into_iter().flatten().collect::<Vec<f64>>();
    let Ok(joined) = ScoreBands::from_edges(&edges) else {
        return format!("{} and {}", first.band, last.band);
    };
    let at = usize::from(first.from.is_some());
    joined.labels().get(at).cloned().unwrap_or_default()
}

fn limit_row(limit: &Limit, period: &str, rows: &[MonitorRow]) -> LimitRow {
    let row = rows.iter().find(|row| row.metric == limit.metric);
    let estimate = row.and_then(|row| row.estimate);
    let why = || {
        let known = row.and_then(|row| row.undefined.clone());
        known.unwrap_or_else(|| "the figure needs amounts".to_owned())
    };
    LimitRow {
        limit: limit.to_string(),
        period: period.to_owned(),
        metric: limit.metric.to_owned(),
        side: limit.side,
        bound: limit.bound,
        estimate,
        lower: row.and_then(|row| row.lower),
        upper: row.and_then(|row| row.upper),
        holds: estimate.is_some_and(|estimate| limit.side.holds(estimate, limit.bound)),
        undefined: estimate.is_none().then(why),
    }
}
