//! The figures that are asked of the cases that were acted on.

use serde::{Deserialize, Serialize};

/// A figure of a list and of the part of it that was acted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SelectionFigure {
    /// Positives among the cases, against what the strike rates of the bands of all cases make of the same mix of bands (direct
    /// standardisation).
    StrikeRateInBands,
    /// The AUROC within bands pooled by pairs, against those of the bands of all cases pooled by the same pairs.
    AurocWithinBands,
    /// Mean probability less strike rate, against those of the bands of all cases at the same mix of bands.
    CalibrationInBands,
    /// Positives among the cases: the strike rate that everybody quotes, of all cases the base rate.
    StrikeRate,
    /// Share of right predictions at the cut-off.
    Pcc,
    /// Share of wrong predictions at the cut-off.
    ErrorRate,
    /// Area under the ROC curve.
    Auroc,
    /// Area under the recall curve of the risk chart, as it is.
    RiskArea,
    /// The area of the worst order: half the base rate.
    RiskAreaLowest,
    /// The area of the best order.
    RiskAreaHighest,
    /// The area as a share of the range between the two, which is the AUROC.
    Omega,
    /// Brier score.
    Brier,
    /// Log-loss.
    LogLoss,
    /// Mean probability less strike rate.
    CalibrationInTheLarge,
}

impl SelectionFigure {
    /// All of them, in the order of the tables: those that hold within bands first.
    pub const ALL: &'static [Self] = &[
        Self::StrikeRateInBands,
        Self::AurocWithinBands,
        Self::CalibrationInBands,
        Self::StrikeRate,
        Self::Pcc,
        Self::ErrorRate,
        Self::Auroc,
        Self::RiskArea,
        Self::RiskAreaLowest,
        Self::RiskAreaHighest,
        Self::Omega,
        Self::Brier,
        Self::LogLoss,
        Self::CalibrationInTheLarge,
    ];

    /// How results name it.
    pub fn id(self) -> &'static str {
        match self {
            Self::StrikeRateInBands => "strike_rate_in_bands",
            Self::AurocWithinBands => "auroc_within_bands",
            Self::CalibrationInBands => "calibration_in_bands",
            Self::StrikeRate => "strike_rate",
            Self::Pcc => "pcc",
            Self::ErrorRate => "error_rate",
            Self::Auroc => "auroc",
            Self::RiskArea => "risk_area",
            Self::RiskAreaLowest => "risk_area_lowest",
            Self::RiskAreaHighest => "risk_area_highest",
            Self::Omega => "omega",
            Self::Brier => "brier",
            Self::LogLoss => "log_loss",
            Self::CalibrationInTheLarge => "calibration_in_the_large",
        }
    }

    /// How people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::StrikeRateInBands => "strike rate in bands",
            Self::AurocWithinBands => "AUROC within bands",
            Self::CalibrationInBands => "calibration in bands",
            Self::StrikeRate => "overall strike rate",
            Self::Pcc => "PCC",
            Self::ErrorRate => "error rate",
            Self::Auroc => "AUROC",
            Self::RiskArea => "raw area under the risk chart",
            Self::RiskAreaLowest => "area of the worst order",
            Self::RiskAreaHighest => "area of the best order",
            Self::Omega => "standardised area (omega)",
            Self::Brier => "Brier score",
            Self::LogLoss => "log-loss",
            Self::CalibrationInTheLarge => "calibration in the large",
        }
    }

    /// Whether it is compared with the same bands of all cases, and not with all cases: what survives a selection by the score.
    pub fn is_within_bands(self) -> bool {
        matches!(self, Self::StrikeRateInBands | Self::AurocWithinBands | Self::CalibrationInBands)
    }

    /// Whether it compares positives with negatives, so that it takes cases of both.
    pub(super) fn is_of_pairs(self) -> bool {
        matches!(self, Self::AurocWithinBands | Self::Auroc | Self::RiskArea | Self::Omega)
    }

    /// Whether it says nothing that another of them does not: limits of the area follow from the strike rate, omega is the AUROC and
    /// the error rate what PCC leaves.
    pub fn follows_from_another(self) -> bool {
        matches!(self, Self::RiskAreaLowest | Self::RiskAreaHighest | Self::Omega | Self::ErrorRate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_is_named_as_it_is_written() {
        for figure in SelectionFigure::ALL {
            assert_eq!(serde_json::to_value(figure).expect("JSON"), figure.id());
        }
        let names: std::collections::BTreeSet<&str> = SelectionFigure::ALL.iter().map(|f| f.name()).collect();
        assert_eq!(names.len(), SelectionFigure::ALL.len());
    }
}
