//! The figures of a period that are monitored: an explicit list, which limits and tables go by.

/// A figure of a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonitoredFigure {
    /// How it is named in results and limits.
    pub id: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Whether a selection by score leaves it alone.
    pub survives_selection: bool,
    /// Whether it compares the period with the reference.
    pub compares: bool,
}

const fn figure(id: &'static str, about: &'static str) -> MonitoredFigure {
    MonitoredFigure { id, about, survives_selection: false, compares: false }
}

const fn survivor(id: &'static str, about: &'static str) -> MonitoredFigure {
    MonitoredFigure { survives_selection: true, ..figure(id, about) }
}

const fn comparison(id: &'static str, about: &'static str) -> MonitoredFigure {
    MonitoredFigure { compares: true, ..figure(id, about) }
}

/// Every figure.
pub const FIGURES: &[MonitoredFigure] = &[
    figure("strike_rate", "share of positives among the actioned whose outcome is known"),
    figure("mean_amount", "mean amount of an actioned case whose outcome is known; negatives count zero"),
    figure("action_rate", "share of rows that were acted on"),
    survivor(
        "post_stratified_strike_rate",
        "strike rate if everybody had been acted on: rates of bands by the population's shares",
    ),
    survivor("post_stratified_mean_amount", "the same of the mean amount"),
    figure("auroc_actioned", "AUROC over the actioned, as it is usually quoted"),
    survivor("auroc", "AUROC of the actioned, weighted to the population by band"),
    survivor("auroc_within_bands", "AUROC within bands, pooled by pairs"),
    survivor("calibration_intercept", "calibration in the large among the actioned; 0 is right"),
    survivor("calibration_slope", "calibration slope among the actioned; 1 is right"),
    comparison("psi", "population stability index of the score in bands"),
    comparison("ks", "largest difference of the scores' distribution functions"),
    comparison("change", "strike rate (with amounts the mean amount) less that of the reference"),
    comparison("drift", "contribution of population drift to the change"),
    comparison("selection", "contribution of the selection to the change"),
    comparison("mix", "contribution of drift and selection together, where they cannot be told apart"),
    comparison(
        "decay",
        "contribution of the rates within bands to the change; below zero where the model got worse",
    ),
    comparison("p_drift", "p value of population drift, adjusted by Holm"),
    comparison("p_selection", "p value of a selection change, adjusted by Holm"),
    comparison("p_mix", "p value of drift and selection together, adjusted by Holm"),
    comparison("p_decay", "p value of model decay or improvement, adjusted by Holm"),
    comparison(
        "odds_ratio_selection",
        "common odds ratio of being acted on within bands, current to reference",
    ),
    comparison("odds_ratio_decay", "common odds ratio of positives within bands, current to reference"),
    comparison(
        "rate_on_reference_mix",
        "strike rate (with amounts the mean amount) on the reference's mix of actioned scores",
    ),
    comparison(
        "expected_rate",
        "strike rate (with amounts the mean amount) to expect if the rates of bands are those of the reference",
    ),
    comparison("expected_post_stratified", "the same over the whole population"),
    comparison("expected_auroc", "AUROC to expect if the rates of bands are those of the reference"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_distinct() {
        for (at, figure) in FIGURES.iter().enumerate() {
            assert!(FIGURES[..at].iter().all(|other| other.id != figure.id), "{}", figure.id);
            assert!(!figure.about.is_empty());
        }
    }
}
