//! The tidy metric rows as CSV.

use tribunal::Evaluation;

const HEADER: [&str; 11] =
    ["model", "metric", "fold", "cutoff", "estimate", "lower", "upper", "level", "method", "n", "undefined"];

pub(crate) fn render(evaluation: &Evaluation) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(HEADER)?;
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    for row in &evaluation.metrics {
        writer.write_record([
            row.model.clone(),
            row.metric.clone(),
            text(&row.fold),
            text(&row.cutoff),
            number(row.estimate),
            number(row.lower),
            number(row.upper),
            number(row.level),
            text(&row.method),
            row.n.to_string(),
            text(&row.undefined),
        ])?;
    }
    let bytes = writer.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
