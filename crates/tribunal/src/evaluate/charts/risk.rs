//! The risk chart and the lift chart along the list: at the depths that were asked for, and at caseloads all along it.

use tribunal_eval::curves::{Capture, LiftScenario, RiskLimits, RiskPoint};
use tribunal_eval::intervals::{Interval, RiskBand, fold_mean, risk_bands};
use tribunal_eval::significance::Differences;
use tribunal_eval::{Error as Judge, Ranking, Undefined};

use super::ChartSources;
use crate::charts::{DepthReading, FoldBand, FoldSpread, RiskReading};
use crate::error::Error;
use crate::evaluate::At;
use crate::evaluate::gather::Model;

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
    pub(super) fn risk(&self, model: &Model) -> Result<Vec<RiskReading>, Error> {
        let ranking = &model.ranking;
        let refused = |error: Judge| Error::data(error.to_string());
        let reading = |&percent: &u32| {
            let share = f64::from(percent) / 100.0;
            Ok(RiskReading {
                point: RiskPoint::of_ranking(ranking, share).map_err(refused)?,
                limits: RiskLimits::of_ranking(ranking, share).map_err(refused)?,
                intervals: self.band(ranking, share),
                over_folds: self.over_folds(&model.folds, share),
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

    /// The curves at a caseload of every fold; nothing with fewer than two folds.
    fn over_folds(&self, folds: &[Ranking], share: f64) -> Option<FoldBand> {
        let test_rows = self.design.test_rows().ok().filter(|_| self.request.intervals && folds.len() > 1)?;
        let points: Vec<RiskPoint> =
            folds.iter().filter_map(|fold| RiskPoint::of_ranking(fold, share).ok()).collect();
        let spread = |of: fn(&RiskPoint) -> Option<f64>| {
            let values: Vec<f64> = points.iter().filter_map(of).collect();
            let (n_folds, sum) = (values.len(), values.iter().sum::<f64>());
            let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
            let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let interval = fold_mean(&Differences::new(values).ok()?, test_rows, self.request.level).ok();
            Some(FoldSpread { mean: sum / n_folds as f64, lowest, highest, n_folds, interval })
        };
        // Negative amounts take shares of the amount beyond 0 and 1.
        let within = |spread: FoldSpread| FoldSpread {
            interval: spread.interval.map(|ends| ends.clipped(0.0, 1.0)),
            ..spread
        };
        Some(FoldBand {
            recall: spread(|point| Some(point.recall)).map(within),
            strike_rate: spread(|point| point.strike_rate).map(within),
            amount: spread(|point| point.amount),
        })
    }
}

/// Where the best list of a length holds positives only, the share of them that was reached is the strike rate, otherwise it is
/// recall.
fn captured(band: &RiskBand, capture: &Capture) -> Option<Interval> {
    let interval = if capture.best_recall < 1.0 { &band.strike_rate } else { &band.recall };
    interval.as_ref().ok().copied()
}
