//! A model of amounts as a table of coefficients.

use std::fmt::Write;

use super::{AmountCoefficient, AmountModel, FTest, Quality};
use crate::names::{MOST_LINES, in_line, lines_left};

/// What the columns of the table are called.
const HEADER: [&str; 6] = ["column", "coefficient", "std. error", "t", "p", "95 % interval"];

impl AmountModel {
    /// The model as text: the table of its coefficients, and how well it fits.
    pub fn text(&self) -> String {
        let coefficients = self.coefficients();
        let shown = coefficients.iter().take(MOST_LINES).map(cells);
        let lines: Vec<[String; 6]> = std::iter::once(HEADER.map(str::to_owned)).chain(shown).collect();
        let width = |idx: usize| lines.iter().map(|line| line[idx].chars().count()).max().unwrap_or(0);
        let widths: [usize; 6] = std::array::from_fn(width);
        let mut text: String = lines.iter().map(|line| row(line, &widths)).collect();
        text.extend(lines_left(coefficients.len()));
        text + "\n" + &fit(&self.quality)
    }
}

/// A line of the table: names to the left, figures to the right.
fn row(cells: &[String; 6], widths: &[usize; 6]) -> String {
    let mut line = format!("{:<width$}", cells[0], width = widths[0]);
    for (cell, width) in cells.iter().zip(widths).skip(1) {
        line += &format!("  {cell:>width$}");
    }
    line.trim_end().to_owned() + "\n"
}

fn cells(coefficient: &AmountCoefficient) -> [String; 6] {
    let AmountCoefficient { name, estimate, standard_error, t, p, lower, upper } = coefficient;
    let figure = |value: &Option<f64>| value.map_or_else(|| "-".to_owned(), figure);
    let interval = lower.zip(*upper).map_or_else(
        || "-".to_owned(),
        |(lower, upper)| format!("{} to {}", self::figure(lower), self::figure(upper)),
    );
    let estimate = estimate.map_or_else(|| "left out".to_owned(), self::figure);
    [
        in_line(name),
        estimate,
        figure(standard_error),
        figure(t),
        p.map_or_else(|| "-".into(), probability),
        interval,
    ]
}

fn fit(quality: &Quality) -> String {
    let Quality { n, residual_df, residual_sd, r_squared, f_test } = quality;
    let mut text = format!("rows: {n}, degrees of freedom: {residual_df}\n");
    // Writing to a text cannot fail.
    if let Some(sd) = residual_sd {
        let _ = writeln!(text, "standard deviation of residuals: {}", figure(*sd));
    }
    if let Some(r_squared) = r_squared {
        let adjusted =
            quality.adjusted_r_squared().map_or_else(String::new, |r| format!(", adjusted {r:.4}"));
        let _ = writeln!(text, "R squared: {r_squared:.4}{adjusted}");
    }
    if let Some(FTest { f, df, p }) = f_test {
        let _ = writeln!(text, "F: {} on {df} and {residual_df}, p = {}", figure(*f), probability(*p));
    }
    text
}

/// Five digits.
fn figure(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if (1e-4..1e7).contains(&size) => {
            let decimals = (4 - size.log10().floor() as i32).clamp(0, 8) as usize;
            format!("{value:.decimals$}")
        }
        _ => format!("{value:.4e}"),
    }
}

fn probability(p: f64) -> String {
    if p < 1e-4 { format!("{p:.1e}") } else { format!("{p:.4}") }
}
