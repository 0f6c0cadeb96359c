//! The risk chart and the lift chart along the list: at the depths that were asked for, and at caseloads all along it.

use tribunal_eval::curves::{Capture, LiftScenario, RiskLimits, RiskPoint};
use tribunal_eval::intervals::{Interval, RiskBand, risk_bands};
use tribunal_eval::{Error as Judge, Ranking, Undefined};

use super::ChartSources;
use crate::charts::{DepthReading, RiskReading};
use crate::error::Error;
use crate::evaluate::At;

/// Percentages of the list at which curves get intervals: every twentieth, and denser at the top, where people act.
const CASELOADS: [u32; 22] =
    [1, 2, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 100];

impl ChartSources<'_> {
    /// A depth of the list: a scenario of the lift chart, and how much of what was possible was reached.
    pub(super) fn depth(&self, ranking: &Ranking, asked: At) -> DepthReading {
        let total = ranking.totals().total();
        let share = self.share(asked, total);
        let read = || -> Result<(LiftScenario, Capture), Judge> {
            if share > 1.0 {
                let available = total / self.n_repetitions;
                return Err(Undefined::TooFewRows { asked: share * available, available }.into());
            }
            Ok((LiftScenario::in_share(ranking, share)?, Capture::of_ranking(ranking, share)?))
        };
        match read() {
            Ok((lift, capture)) => {
                let intervals = self.band(ranking, share);
                let of_cases = intervals.as_ref().and_then(|band| captured(band, &capture));
                DepthReading {
                    asked,
                    lift: Some(lift),
                    capture: Some(capture),
                    intervals,
                    of_cases,
                    undefined: None,
                }
            }
            Err(reason) => DepthReading {
                asked,
                lift: None,
                capture: None,
                intervals: None,
                of_cases: None,
                undefined: Some(reason.to_string()),
            },
        }
    }

    /// The risk chart all along the list.
    pub(super) fn risk(&self, ranking: &Ranking) -> Result<Vec<RiskReading>, Error> {
        let refused = |error: Judge| Error::data(error.to_string());
        let reading = |&percent: &u32| {
            let share = f64::from(percent) / 100.0;
            Ok(RiskReading {
                point: RiskPoint::of_ranking(ranking, share).map_err(refused)?,
                limits: RiskLimits::of_ranking(ranking, share).map_err(refused)?,
                intervals: self.band(ranking, share),
            })
        };
        CASELOADS.iter().map(reading).collect()
    }

    fn band(&self, ranking: &Ranking, share: f64) -> Option<RiskBand> {
        if !self.request.intervals {
            return None;
        }
        risk_bands(&self.sampled(ranking), &[share]).pop()
    }
}

/// Where the best list of a length holds positives only, the share of them that was reached is the strike rate, otherwise it is
/// recall.
fn captured(band: &RiskBand, capture: &Capture) -> Option<Interval> {
    let interval = if capture.best_recall < 1.0 { &band.strike_rate } else { &band.recall };
    interval.as_ref().ok().copied()
}
