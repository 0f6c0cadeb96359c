//! The rows of the result: every figure with its interval, over all rows, per fold, and as a mean over folds.

use tribunal_eval::intervals::{Interval, Level, NoInterval, Sampled, fold_mean};
use tribunal_eval::metrics::Measure;
use tribunal_eval::significance::Differences;
use tribunal_eval::{CutoffRule, Ranking, Value};

use super::amount_rows::amount_rows;
use super::fold_tests::FoldDesign;
use super::gather::Model;
use super::measure::{Answer, Report};
use super::questions::Questions;
use super::spread::Spread;
use crate::results::{MetricRow, Standing};
use crate::scope::Scope;

/// The rows of a model, and its figures over all rows for the verdict.
pub(super) struct ModelRows {
    pub(super) rows: Vec<MetricRow>,
    /// Question by question, then the metrics of amounts.
    pub(super) pooled: Vec<PooledFigure>,
}

/// A figure over all rows.
#[derive(Clone, Debug)]
pub(super) struct PooledFigure {
    pub(super) measure: Measure,
    /// The rule of its cut-off, where it has one.
    pub(super) rule: Option<CutoffRule>,
    /// The figure that the interval is about: at a cut-off that was chosen on these cases, what it would be on new ones.
    pub(super) estimate: Option<f64>,
    /// Whether that is what new cases would give.
    pub(super) is_corrected: bool,
    /// The ends of its interval.
    pub(super) ends: Option<(f64, f64)>,
    pub(super) standing: Option<Standing>,
}

impl PooledFigure {
    fn of(measure: Measure, row: &MetricRow) -> Self {
        let ends = row.lower.zip(row.upper);
        Self {
            measure,
            rule: row.cutoff,
            estimate: row.corrected.or(row.estimate),
            is_corrected: row.corrected.is_some(),
            ends,
            standing: row.standing,
        }
    }
}

/// What the rows of one model are made from.
pub(super) struct Figures<'a> {
    pub(super) model: &'a Model,
    pub(super) report: &'a Report,
    pub(super) folds: &'a [String],
    pub(super) design: &'a FoldDesign,
    pub(super) level: Level,
    /// Whether figures get intervals.
    pub(super) intervals: bool,
    /// The metrics of predicted amounts that were asked for.
    pub(super) amount_metrics: &'a [Measure],
    pub(super) spread: Option<&'a Spread>,
    /// One spread per fold, or none at all.
    pub(super) fold_spreads: &'a [Option<Spread>],
    /// How the model stands in each figure.
    pub(super) standings: &'a [Option<Standing>],
}

impl Figures<'_> {
    /// All rows of the model.
    pub(super) fn rows(&self) -> ModelRows {
        let report = self.report;
        let mut rows = self.of_ranking(&self.model.ranking, &report.answers, self.spread);
        for (row, standing) in rows.iter_mut().zip(self.standings) {
            row.standing = *standing;
        }
        let asked = self.questions().all.iter().zip(&rows);
        let mut pooled: Vec<PooledFigure> =
            asked.map(|(question, row)| PooledFigure::of(question.measure, row)).collect();
        if !report.folds.is_empty() {
            rows.extend(self.means());
        }
        for (fold, (name, answers)) in self.folds.iter().zip(&report.folds).enumerate() {
            let spread = self.fold_spreads.get(fold).and_then(Option::as_ref);
            let of_fold = self.of_ranking(&self.model.folds[fold], answers, spread);
            let scope = Scope::Fold { fold: name.clone() };
            rows.extend(of_fold.into_iter().map(|row| MetricRow { scope: scope.clone(), ..row }));
        }
        if let Some(amounts) = &self.model.amounts {
            let level = self.intervals.then_some(self.level);
            for (measure, row) in amount_rows(&self.model.name, amounts, self.amount_metrics, level) {
                pooled.push(PooledFigure::of(measure, &row));
                rows.push(row);
            }
        }
        ModelRows { rows, pooled }
    }

    fn questions(&self) -> &Questions {
        &self.report.questions
    }

    /// The figures of a ranking with their intervals, or the reason why there is none.
    pub(super) fn of_ranking(
        &self,
        ranking: &Ranking,
        answers: &[Answer],
        spread: Option<&Spread>,
    ) -> Vec<MetricRow> {
        let drawn = |index: usize, estimate: f64| match spread {
            Some(spread) => spread.interval(index, &self.questions().all[index], estimate, self.level),
            None if Sampled::new(ranking).supports_intervals() => Err(NoInterval::NeedsReplicates),
            None => Err(NoInterval::FewCases),
        };
        let row = |(index, answer): (usize, &Answer)| {
            let interval = match (&answer.interval, answer.estimate()) {
                (Err(NoInterval::NeedsReplicates), Some(estimate)) => drawn(index, estimate),
                // The figure has a value though a class is absent.
                (Err(NoInterval::Undefined(_)), Some(_)) => Err(NoInterval::FewCases),
                (interval, _) => interval.clone(),
            };
            let row = self.row(index, ranking.n_rows() as u64, &answer.value);
            let row = row.with_interval(interval.as_ref().ok().copied());
            // A figure without a value says why already.
            let is_reason =
                |reason: &NoInterval| !matches!(reason, NoInterval::NotAsked | NoInterval::Undefined(_));
            let reason = interval.err().filter(is_reason);
            MetricRow { corrected: answer.corrected, no_interval: reason, ..row }
        };
        answers.iter().enumerate().map(row).collect()
    }

    fn row(&self, index: usize, n: u64, answer: &Value) -> MetricRow {
        let question = &self.questions().all[index];
        let row = MetricRow::new(&self.model.name, question.measure.to_string(), n, answer);
        MetricRow { cutoff: question.rule, ..row }
    }

    /// Unweighted means over the folds where a figure is defined.
    fn means(&self) -> Vec<MetricRow> {
        let mean = |index: usize| {
            let answers = self.report.folds.iter().map(|answers| &answers[index]);
            let defined: Vec<f64> = answers.filter_map(Answer::estimate).collect();
            let n = defined.len() as u64;
            let estimate = (n > 0).then(|| defined.iter().sum::<f64>() / n as f64);
            let undefined = estimate.is_none().then(|| "the metric is undefined in every fold".to_owned());
            let pattern = self.row(index, n, &Ok(0.0));
            let range = self.questions().all[index].measure.metric.range;
            let question = &self.questions().all[index];
            let is_inflated = question.measure.metric.is_inflated_by_chance()
                || question.rule.is_some_and(|rule| rule.is_chosen_on_the_data());
            let interval = match is_inflated {
                true => estimate.map(|_| Err(NoInterval::InflatedInFolds)),
                false if n == 1 => Some(Err(NoInterval::OneFold)),
                false => self.mean_interval(defined),
            };
            let no_interval = interval.as_ref().and_then(|interval| interval.clone().err());
            let row = MetricRow { scope: Scope::Mean, estimate, undefined, no_interval, ..pattern };
            row.with_interval(
                interval.and_then(Result::ok).map(|interval| interval.clipped(range.0, range.1)),
            )
        };
        (0..self.questions().all.len()).map(mean).collect()
    }

    fn mean_interval(&self, figures: Vec<f64>) -> Option<Result<Interval, NoInterval>> {
        let folds = Differences::new(figures).ok()?;
        Some(fold_mean(&folds, self.design.test_rows().ok()?, self.level))
    }
}
