//! What held-out scores are worth, split by split.
//!
//! The splits of leave-one-out hold one row each and have no figure of their own: they are judged together.

use std::ops::Range;

use rayon::prelude::*;
use tribunal_eval::curves::{N_SAMPLES, sample_roc};
use tribunal_eval::intervals::{Interval, Level, Sampled, TestRows, fold_mean};
use tribunal_eval::metrics::{Kind, Measure};
use tribunal_eval::significance::{Differences, TestToTrain};
use tribunal_eval::{CutoffRule, ListPart, Ranking, ScoredSet, Undefined, Value};

use super::board::Board;
use super::ground::{Ground, ScenarioPlace};
use super::journal::{CellPlace, Held, HeldOut};
use crate::line_up::{FailedSplits, TestedRows, failed_splits, split_names, tested_rows};
use crate::resampling::{Design, Plan};

/// The splits of a plan, and which of them are judged together.
pub(super) struct Frame {
    pub(super) tested: Vec<TestedRows>,
    /// The names of the splits.
    pub(super) names: Vec<String>,
    pub(super) units: Vec<Unit>,
    /// Test rows over training rows; nothing where splits are draws.
    ratio: Option<TestToTrain>,
    /// Whether no row is tested twice.
    is_disjoint: bool,
}

/// Splits that are judged together.
pub(super) struct Unit {
    pub(super) name: String,
    splits: Range<usize>,
}

impl Unit {
    /// Its rows and what a learner said of them; nothing where it failed on one of the splits.
    pub(super) fn held_out(&self, frame: &Frame, helds: &[Option<Held>]) -> Option<(Vec<u32>, HeldOut)> {
        let splits = frame.tested[self.splits.clone()].iter();
        let rows = splits.flat_map(|split| split.rows.iter().copied()).collect();
        Some((rows, pooled(&helds[self.splits.clone()])?))
    }
}

impl Frame {
    pub(super) fn of(plan: &Plan) -> Frame {
        let tested = tested_rows(plan);
        let names = split_names(tested.iter().map(|split| split.place));
        let is_pooled = matches!(plan.design(), Design::Loo(_));
        let units = match is_pooled {
            true => vec![Unit { name: "all".to_owned(), splits: 0..tested.len() }],
            false => (0..tested.len())
                .map(|split| Unit { name: names[split].clone(), splits: split..split + 1 })
                .collect(),
        };
        let n_tested: usize = tested.iter().map(|split| split.rows.len()).sum();
        let n_trained = || (plan.n_rows() * tested.len()).saturating_sub(n_tested);
        let is_drawn = matches!(plan.design(), Design::Bootstrap(_));
        let ratio = if is_drawn { None } else { TestToTrain::from_rows(n_tested, n_trained()).ok() };
        let mut is_tested = vec![false; plan.n_rows()];
        let is_new = |row: &u32| !std::mem::replace(&mut is_tested[*row as usize], true);
        let is_disjoint = tested.iter().flat_map(|split| &split.rows).all(is_new);
        Frame { tested, names, units, ratio, is_disjoint }
    }

    /// Test rows over training rows; nothing where splits are draws.
    pub(super) fn ratio(&self) -> Option<TestToTrain> {
        self.ratio
    }

    /// How test rows lie to each other; nothing where splits are draws.
    fn test_rows(&self) -> Option<TestRows> {
        self.ratio
            .map(|ratio| if self.is_disjoint { TestRows::Disjoint } else { TestRows::Overlapping(ratio) })
    }
}

/// A learner in a scenario under a design.
pub(super) struct JudgedCell {
    /// Unit by unit; nothing where the learner failed.
    pub(super) units: Vec<Option<JudgedUnit>>,
    pub(super) failed: Vec<FailedSplits>,
    /// Between which values each metric lies.
    ranges: Vec<(f64, f64)>,
}

/// What some held-out scores are worth.
pub(super) struct JudgedUnit {
    /// Metric by metric.
    pub(super) values: Vec<Value>,
    /// With a formula's interval.
    intervals: Vec<Option<Interval>>,
    /// The ROC curve at a hundred places; nothing where a class is missing.
    pub(super) roc: Option<[f64; N_SAMPLES]>,
}

/// A mean over units.
#[derive(Clone, Debug)]
pub(super) struct Mean {
    pub(super) value: Result<f64, String>,
    pub(super) interval: Option<Interval>,
    pub(super) sd: Option<f64>,
    pub(super) n: usize,
}

impl JudgedCell {
    /// The figures of a metric, unit by unit.
    pub(super) fn values(&self, metric: usize) -> Vec<Option<f64>> {
        let value =
            |unit: &Option<JudgedUnit>| unit.as_ref().and_then(|unit| unit.values[metric].clone().ok());
        self.units.iter().map(value).collect()
    }

    /// Why a metric has no figure on some unit.
    pub(super) fn lack(&self, metric: usize) -> Option<String> {
        if let Some(failed) = self.failed.first() {
            let n_failed: usize = self.failed.iter().map(|failed| failed.folds.len()).sum();
            let splits = if n_failed == 1 { "split" } else { "splits" };
            return Some(format!("it failed on {n_failed} {splits}: {}", failed.reason));
        }
        let reason = |unit: &JudgedUnit| unit.values[metric].as_ref().err().map(ToString::to_string);
        self.units.iter().flatten().find_map(reason)
    }

    /// The mean of a metric over the units that have it, with its interval; of a single unit its own.
    pub(super) fn mean(&self, metric: usize, frame: &Frame, level: Level) -> Mean {
        let values: Vec<f64> = self.values(metric).into_iter().flatten().collect();
        let n = values.len();
        if n == 0 {
            let reason = self.lack(metric).unwrap_or_else(|| "there is no split".to_owned());
            return Mean { value: Err(reason), interval: None, sd: None, n };
        }
        let mean = values.iter().sum::<f64>() / n as f64;
        let differences = Differences::new(values).ok();
        let interval = match (&differences, frame.test_rows()) {
            (Some(values), Some(test_rows)) => fold_mean(values, test_rows, level).ok(),
            (Some(_), None) => None,
            (None, _) => self.units.iter().flatten().next().and_then(|unit| unit.intervals[metric]),
        };
        let (low, high) = self.ranges[metric];
        let interval = interval.map(|interval| interval.clipped(low, high));
        let sd = differences.map(|values| values.variance().sqrt());
        Mean { value: Ok(mean), interval, sd, n }
    }
}

/// Judges scores by some metrics.
pub(super) struct Judge<'a> {
    pub(super) ground: &'a Ground,
    pub(super) board: &'a Board,
    pub(super) measures: &'a [Measure],
    pub(super) level: Level,
}

impl Judge<'_> {
    /// Judges a learner in a scenario under a design.
    pub(super) fn cell(&self, place: CellPlace, scenario: ScenarioPlace, frame: &Frame) -> JudgedCell {
        let helds = self.board.cell(place);
        let truth = self.ground.truth(scenario.target);
        let weights = self.ground.sets[scenario.set].dataset.weights();
        let unit = |unit: &Unit| {
            let (rows, held) = unit.held_out(frame, helds)?;
            Some(self.unit(&rows, &held, &truth, weights))
        };
        let reasons = helds.iter().map(|held| match held {
            Some(Err(reason)) => Some(reason.as_str()),
            _ => None,
        });
        JudgedCell {
            units: frame.units.par_iter().map(unit).collect(),
            failed: failed_splits(reasons, &frame.names),
            ranges: self.measures.iter().map(|measure| measure.metric.range).collect(),
        }
    }

    /// What the scores of some rows are worth. A count of cases is one of all rows; of these it takes the same share.
    pub(super) fn unit(
        &self,
        rows: &[u32],
        held: &HeldOut,
        truth: &[bool],
        weights: Option<&[f64]>,
    ) -> JudgedUnit {
        let Some(ranking) = ranking(rows, &held.scores, truth, weights) else {
            let nothing = self.measures.iter().map(|_| Err(Undefined::NoRows)).collect();
            return JudgedUnit { values: nothing, intervals: vec![None; self.measures.len()], roc: None };
        };
        let cutoff = CutoffRule::Score(held.reading().cut).find(&ranking);
        let sampled = Sampled { level: self.level, ..Sampled::new(&ranking) };
        let part = ListPart::new(ranking.totals().total(), weight_of_all(truth, weights));
        let judge = |measure: &Measure| -> (Value, Option<Interval>) {
            let measure = measure.inside(part);
            let (value, at) = match (measure.metric.kind, &cutoff) {
                (Kind::Probability, _) if held.margins => (Some(Err(Undefined::Margins)), None),
                (Kind::Cutoff, Ok(cutoff)) => (measure.of_confusion(&cutoff.confusion), Some(cutoff)),
                (Kind::Cutoff, Err(reason)) => (Some(Err(reason.clone())), None),
                _ => (measure.of_ranking(&ranking), None),
            };
            let value = value.unwrap_or(Err(Undefined::NoRows));
            let known = value.as_ref().ok();
            let interval = known.and_then(|&value| measure.interval_around(value, &sampled, at).ok());
            (value, interval)
        };
        let (values, intervals): (Vec<Value>, Vec<Option<Interval>>) =
            self.measures.iter().map(judge).unzip();
        JudgedUnit { values, intervals, roc: sample_roc(&ranking).ok() }
    }
}

/// The weight of the whole list.
pub(super) fn weight_of_all(truth: &[bool], weights: Option<&[f64]>) -> f64 {
    weights.map_or(truth.len() as f64, |weights| weights.iter().sum())
}

/// The scores of several splits as one list; nothing where one of them failed.
fn pooled(helds: &[Option<Held>]) -> Option<HeldOut> {
    let found: Vec<&HeldOut> =
        helds.iter().map(|held| held.as_ref()?.as_ref().ok()).collect::<Option<_>>()?;
    Some(HeldOut {
        scores: found.iter().flat_map(|held| held.scores.iter().copied()).collect(),
        margins: found.first()?.margins,
        moved_cut: found.first()?.moved_cut,
        tuned: None,
        at_edge: false,
    })
}

/// Rows ranked by their scores.
pub(super) fn ranking(
    rows: &[u32],
    scores: &[f64],
    truth: &[bool],
    weights: Option<&[f64]>,
) -> Option<Ranking> {
    let truth: Vec<bool> = rows.iter().map(|&row| truth[row as usize]).collect();
    let weights: Option<Vec<f64>> =
        weights.map(|weights| rows.iter().map(|&row| weights[row as usize]).collect());
    let set = ScoredSet::new(&truth, scores).ok()?;
    let set = match &weights {
        Some(weights) => set.with_weight(weights).ok()?,
        None => set,
    };
    Ranking::of(&set).ok()
}
