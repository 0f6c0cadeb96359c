//! Stored results shown again, with the same bytes as the first time.

use tribunal::StoredResult;

use crate::explanation::Shown;
use crate::format::{
    RenderError, Style, render, render_amount_explanation, render_amount_fit, render_amounts, render_bias,
    render_correction, render_cross, render_description, render_explanation, render_fit, render_monitoring,
    render_plan, render_scores, render_selection, render_study, render_study_times,
};

/// A stored result of any kind in some form; of explanations, text shows the strongest reasons or all.
pub fn render_stored<'a>(
    result: &StoredResult,
    shown: Shown,
    style: impl Into<Style<'a>>,
) -> Result<String, RenderError> {
    let style = style.into();
    let format = style.format;
    match result {
        StoredResult::Evaluation(found) => render(found, style),
        StoredResult::Study(found) => render_study(found, None, style),
        StoredResult::StudyTimes(found) => render_study_times(found, format),
        StoredResult::Description(found) => render_description(found, style),
        StoredResult::Cross(found) => render_cross(found, format),
        StoredResult::Fit(found) => render_fit(found, style),
        StoredResult::AmountFit(found) => render_amount_fit(found, format),
        StoredResult::Scores(found) => render_scores(found, format),
        StoredResult::Amounts(found) => render_amounts(found, format),
        StoredResult::Explanation(found) => render_explanation(found, shown, style),
        StoredResult::AmountExplanation(found) => render_amount_explanation(found, shown, style),
        StoredResult::Split(found) => render_plan(found, format),
        StoredResult::Bias(found) => render_bias(found, style),
        StoredResult::Selection(found) => render_selection(found, style),
        StoredResult::Monitoring(found) => render_monitoring(found, style),
        StoredResult::Correction(found) => render_correction(found, style),
        _ => Err("this kind of result cannot be shown yet".into()),
    }
}
