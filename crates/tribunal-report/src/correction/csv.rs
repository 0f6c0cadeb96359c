//! A correction as tidy rows: figures, strata and sizes of every method, told apart by the first column.

use tribunal::correction::{CorrectedSide, Correction, StratumRow};

use crate::csv_rows::{number, shown, written};

const HEADER: [&str; 16] = [
    "part",
    "method",
    "stratum",
    "model",
    "metric",
    "estimate",
    "lower",
    "upper",
    "level",
    "n",
    "prevalence",
    "incidence",
    "delta",
    "delta_rounded",
    "size",
    "share",
];

/// Every figure and every stratum, a row each.
pub(crate) fn csv(correction: &Correction) -> Result<String, csv::Error> {
    let before = side("before", &correction.before);
    let methods = correction.methods.iter().flat_map(|method| {
        let strata = method.strata.iter().map(|row| stratum(&method.method, row));
        side(&method.method, &method.side).into_iter().chain(strata).collect::<Vec<_>>()
    });
    written(HEADER, before.into_iter().chain(methods))
}

fn empty(part: &str, method: &str) -> [String; 16] {
    let mut row: [String; 16] = Default::default();
    (row[0], row[1]) = (part.to_owned(), method.to_owned());
    row
}

fn side(method: &str, side: &CorrectedSide) -> Vec<[String; 16]> {
    let of_size = |metric: &str, value: f64| {
        let mut row = empty("size", method);
        (row[4], row[5]) = (metric.to_owned(), number(Some(value)));
        row
    };
    let mut rows = vec![
        of_size("rows", side.rows),
        of_size("effective_rows", side.effective_rows),
        of_size("design_effect", side.design_effect),
    ];
    for figure in &side.metrics {
        let mut row = empty("figure", method);
        row[3].clone_from(&figure.model);
        row[4].clone_from(&figure.metric);
        row[5] = number(figure.estimate);
        row[6] = number(figure.lower);
        row[7] = number(figure.upper);
        row[8] = number(figure.level);
        row[9] = figure.n.to_string();
        rows.push(row);
    }
    rows
}

fn stratum(method: &str, stratum: &StratumRow) -> [String; 16] {
    let mut row = empty("stratum", method);
    row[2].clone_from(&stratum.stratum);
    row[10] = stratum.prevalence.to_string();
    row[11] = stratum.incidence.to_string();
    row[12] = number(Some(stratum.delta));
    row[13] = shown(&stratum.delta_rounded);
    row[14] = number(Some(stratum.size));
    row[15] = number(Some(stratum.share));
    row
}
