//! The strata: the table of the paper, and how they were made.

use tribunal::correction::{Correction, MergedStratum, MethodCorrection, StratumRow, ThinReason};

use super::method_name;
use crate::description::{Place, shortened};
use crate::document::{Align, Part, Table, columns, plain_row};
use crate::number::{count, figure, percent};

/// So many strata stand in a table for a terminal.
const MOST_ROWS: usize = 25;
/// Names of strata are cut here.
const WIDTH: usize = 44;
/// And here in a terminal.
const NARROW: usize = 26;

pub(super) fn parts(correction: &Correction, place: Place) -> Vec<Part> {
    let mut parts = vec![Part::Heading("Strata".into())];
    parts.extend(made(correction).into_iter().map(Part::Paragraph));
    let is_shown = |method: &&MethodCorrection| {
        !method.strata.is_empty() && (place == Place::Paper || method.method == correction.method)
    };
    parts.extend(correction.methods.iter().filter(is_shown).map(|method| Part::Table(table(method, place))));
    parts.extend(choice(correction).map(Part::Table));
    parts.extend(centres(correction).filter(|_| place == Place::Paper).map(Part::Table));
    let stratification = &correction.stratification;
    let moved: Vec<String> =
        stratification.merged.iter().chain(&stratification.left_out).map(moved).collect();
    if !moved.is_empty() {
        parts.push(Part::List(cut_short(moved)));
    }
    parts
}

fn cut_short(mut items: Vec<String>) -> Vec<String> {
    let n_more = items.len().saturating_sub(MOST_ROWS);
    if n_more > 0 {
        items.truncate(MOST_ROWS);
        items.push(format!("and {n_more} more"));
    }
    items
}

/// How the strata were made.
fn made(correction: &Correction) -> Option<String> {
    let stratification = &correction.stratification;
    if let Some(clusters) = &stratification.clusters {
        let by = match &clusters.choice {
            Some(choice) => format!(
                ", a number chosen by the {}",
                match choice.by {
                    tribunal_eval::kmeans::ChooseClusters::Silhouette => "mean silhouette",
                    tribunal_eval::kmeans::ChooseClusters::Gap => "gap statistic",
                }
            ),
            None => String::new(),
        };
        return Some(format!(
            "{} clusters by k-means on {} as standardised in the population{by}; the actioned cases belong to the nearest centre.",
            clusters.n_clusters,
            stratification.columns.join(", ")
        ));
    }
    let bands = stratification.bands.iter().map(|bands| {
        let by = if bands.are_given { "at given edges" } else { "by the quantiles of the population" };
        format!("{} in {} bands {by}", bands.column, bands.edges.len() + 1)
    });
    let bands: Vec<String> = bands.collect();
    (!bands.is_empty()).then(|| format!("Bands: {}.", bands.join("; ")))
}

/// A row for each stratum, as in the published tables.
fn table(method: &MethodCorrection, place: Place) -> Table {
    let is_whole = method.strata.iter().any(|row| row.delta_rounded.is_some());
    let (most, width) = if place == Place::Terminal { (MOST_ROWS, NARROW) } else { (usize::MAX, WIDTH) };
    let row = |row: &StratumRow| {
        let whole = row.delta_rounded.map(|delta| delta.to_string()).filter(|_| is_whole);
        let share = (place == Place::Paper).then(|| percent(row.prevalence_share));
        let first = [shortened(&row.stratum, width), count(row.prevalence as f64)];
        let then = [count(row.incidence as f64), format!("{:.4}", row.delta)];
        let ratio = row.ratio.map_or_else(|| "n/a".to_owned(), |ratio| format!("{ratio:.5}"));
        let size = if is_whole { count(row.size) } else { figure(row.size) };
        plain_row(first.into_iter().chain(share).chain(then).chain(whole).chain([
            ratio,
            size,
            percent(row.share),
        ]))
    };
    let n_more = method.strata.len().saturating_sub(most);
    let more = if n_more > 0 { format!(" (the first {most}; {n_more} more)") } else { String::new() };
    let mut heads = columns([
        ("stratum", Align::Left),
        ("x", Align::Right),
        ("share of x", Align::Right),
        ("y", Align::Right),
        ("Delta", Align::Right),
        ("rounded", Align::Right),
        ("(y + Delta)/y", Align::Right),
        ("size", Align::Right),
        ("share", Align::Right),
    ]);
    if !is_whole {
        heads.retain(|(name, _)| name != "rounded");
    }
    if place == Place::Terminal {
        heads.retain(|(name, _)| name != "share of x");
    }
    Table {
        title: format!(
            "{}: prevalence x and incidence y of the strata, what each lacks, and the corrected sample{more}",
            method_name(method)
        ),
        columns: heads,
        rows: method.strata.iter().take(most).map(row).collect(),
    }
}

/// The numbers of clusters that were tried.
fn choice(correction: &Correction) -> Option<Table> {
    let choice = correction.stratification.clusters.as_ref()?.choice.as_ref()?;
    let optional = |value: Option<f64>| value.map_or_else(|| "n/a".to_owned(), figure);
    let row = |tried: &tribunal_eval::kmeans::TriedClusters| {
        plain_row([
            tried.n_clusters.to_string(),
            figure(tried.inertia),
            optional(tried.silhouette),
            optional(tried.gap),
            optional(tried.gap_error),
        ])
    };
    Some(Table {
        title: format!(
            "Numbers of clusters that were tried, on {} rows; {} is taken",
            count(choice.rows as f64),
            choice.n_clusters
        ),
        columns: columns([
            ("clusters", Align::Right),
            ("inertia", Align::Right),
            ("mean silhouette", Align::Right),
            ("gap", Align::Right),
            ("its error", Align::Right),
        ]),
        rows: choice.tried.iter().map(row).collect(),
    })
}

/// The centres in the units of the columns.
fn centres(correction: &Correction) -> Option<Table> {
    let clusters = correction.stratification.clusters.as_ref()?;
    let heads = correction.stratification.columns.iter().map(|column| (column.clone(), Align::Right));
    let row = |(number, centre): (usize, &tribunal::correction::ClusterCentre)| {
        plain_row(std::iter::once((number + 1).to_string()).chain(centre.values.iter().copied().map(figure)))
    };
    Some(Table {
        title: "Centres of the clusters".into(),
        columns: std::iter::once(("cluster".to_owned(), Align::Right)).chain(heads).collect(),
        rows: clusters.centres.iter().enumerate().map(row).collect(),
    })
}

fn moved(stratum: &MergedStratum) -> String {
    let why = match stratum.why {
        ThinReason::Empty => "nobody in it was acted on",
        ThinReason::SingleCase => "a single case in it was acted on",
    };
    let share = percent(stratum.prevalence_share);
    let name = shortened(&stratum.stratum, WIDTH);
    match &stratum.into {
        Some(into) => format!(
            "\"{name}\" ({share} of the population) is a part of \"{}\": {why}",
            shortened(into, WIDTH)
        ),
        None => format!("\"{name}\" ({share} of the population) is left out: {why}"),
    }
}
