//! The tidy rows of a stress test of the selection as CSV: figures of all cases and of selections (scope `selection`, which one in
//! `segment`), their differences (versus `all` or `same_bands`), and strike rates of bands (scope `score_band`).

use tribunal::{At, StressBand, StressRow, StressSelection};
use tribunal_eval::intervals::IntervalMethod;
use tribunal_eval::score_selection::SelectionFigure;

use crate::csv_rows::{number, shown};

/// All rows of a stress test.
pub(crate) fn rows(stress: &StressSelection) -> Vec<[String; 19]> {
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
