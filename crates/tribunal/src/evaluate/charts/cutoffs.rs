//! The error-matrix chart of each cut-off, the four outcomes in bands of scores, and gains and losses along them.

use tribunal_eval::error_matrix::{ErrorMatrixChart, score_bands};
use tribunal_eval::{CutoffRule, Error as Judge};

use super::ChartSources;
use crate::charts::CutoffCharts;
use crate::error::Error;
use crate::evaluate::questions::Found;

impl ChartSources<'_> {
    /// What is seen at each cut-off of a model.
    ///
    /// # Errors
    /// There are fewer rows than bins.
    pub(super) fn cutoffs(&self, place: usize) -> Result<Vec<CutoffCharts>, Error> {
        let report = &self.reports[place];
        let n_bins = self.request.charts.n_bins(self.models[place].ranking.n_rows())?;
        let asked = report.questions.rules.iter().zip(&report.cutoffs);
        asked.map(|(rule, found)| self.cutoff(place, *rule, found, n_bins)).collect()
    }

    fn cutoff(
        &self,
        place: usize,
        asked: CutoffRule,
        found: &Found,
        n_bins: usize,
    ) -> Result<CutoffCharts, Error> {
        let refused = |error: Judge| Error::data(format!("{}: {error}", self.models[place].name));
        let cutoff = match found {
            Ok(cutoff) => cutoff,
            Err(reason) => {
                let undefined = Some(reason.to_string());
                return Ok(CutoffCharts {
                    asked,
                    error_matrix: None,
                    bands: Vec::new(),
                    gain_loss: None,
                    undefined,
                });
            }
        };
        let sampled = self.sampled(&self.models[place].ranking);
        let edges = &self.request.charts.bands;
        let bands = match edges.is_empty() {
            true => Vec::new(),
            false => score_bands(&sampled, cutoff, edges).map_err(refused)?,
        };
        let panel = self.panels.gain_loss(place, cutoff, n_bins);
        let (gain_loss, undefined) = match panel.transpose() {
            Ok(panel) => (panel, None),
            Err(reason) => (None, Some(reason)),
        };
        Ok(CutoffCharts {
            asked,
            error_matrix: Some(ErrorMatrixChart::of(&sampled, cutoff, n_bins).map_err(refused)?),
            bands,
            gain_loss,
            undefined,
        })
    }
}
