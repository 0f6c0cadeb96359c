//! What cut-offs and probabilities are worth where positives are rarer or more frequent.

use tribunal_eval::base_rate::{AtBaseRate, ClassRates, OddsShift, Reading};
use tribunal_eval::{Cutoff, CutoffRule, Error as Judge};

use super::ChartSources;
use crate::charts::{BaseRateFigures, BaseRateReading, ShiftedProbability};
use crate::error::Error;
use crate::evaluate::gather::Model;
use crate::evaluate::questions::Found;

/// The probabilities that are shown.
const PROBABILITIES: [f64; 3] = [0.1, 0.5, 0.9];

impl ChartSources<'_> {
    /// Figures at the base rate that was asked for; nothing where none was.
    pub(super) fn at_base_rate(&self) -> Result<Option<BaseRateReading>, Error> {
        let (Some(there), Some(first)) = (self.request.charts.base_rate, self.models.first()) else {
            return Ok(None);
        };
        let refused = |error: Judge| Error::data(error.to_string());
        let own = first.ranking.base_rate().map_err(|reason| Error::data(reason.to_string()))?;
        let shift = OddsShift::between(own, there).map_err(refused)?;
        let mut figures = Vec::new();
        for (model, report) in self.models.iter().zip(self.reports) {
            for (rule, found) in report.questions.rules.iter().zip(&report.cutoffs) {
                figures.push(self.figures(model, *rule, found, [own, there]));
            }
        }
        let probabilities =
            PROBABILITIES.map(|from| ShiftedProbability { from, to: shift.of(from) }).to_vec();
        Ok(Some(BaseRateReading { own, base_rate: there, probabilities, figures }))
    }

    fn figures(&self, model: &Model, rule: CutoffRule, found: &Found, rates: [f64; 2]) -> BaseRateFigures {
        let read = |cutoff: &Cutoff, base_rate: f64| -> Result<AtBaseRate, Judge> {
            let classes = ClassRates::at_cutoff(&self.sampled(&model.ranking), cutoff)?;
            let reading =
                Reading { costs: self.error_costs(), level: self.request.level, ..Reading::at(base_rate) };
            AtBaseRate::of(&classes, &reading)
        };
        let both = || -> Result<[AtBaseRate; 2], Judge> {
            let cutoff = found.as_ref().map_err(Clone::clone)?;
            Ok([read(cutoff, rates[0])?, read(cutoff, rates[1])?])
        };
        let (here, there, undefined) = match both() {
            Ok([here, there]) => (Some(here), Some(there), None),
            Err(reason) => (None, None, Some(reason.to_string())),
        };
        BaseRateFigures { model: model.name.clone(), cutoff: rule, here, there, undefined }
    }
}
