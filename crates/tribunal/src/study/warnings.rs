//! What a careful statistician would say before anybody acts on a study.

use tribunal_eval::Ranking;
use tribunal_eval::intervals::Interval;
use tribunal_eval::metrics::Measure;
use tribunal_eval::significance::{Differences, corrected_t};

use super::analysis::Findings;
use super::journal::CellPlace;
use super::judged::ranking;
use super::request::Protocol;
use super::results::{ModelNote, ScenarioVerdict, Study, StudyLearner};
use super::verdict::metric_name;
use crate::resampling::Design;

/// With fewer positives in a fold its figure is mostly chance.
const FEW_IN_FOLD: usize = 10;
/// Regressions want so many positives for each column.
const FEW_PER_COLUMN: f64 = 10.0;
/// A standard deviation over splits from which on folds are unstable.
const UNSTABLE: f64 = 0.05;
/// What a figure may lose from training rows to others before it is called overfitting.
const OPTIMISTIC: f64 = 0.1;
/// Slopes of calibration outside of these are poor if chance does not explain them.
const SOUND_SLOPES: (f64, f64) = (0.8, 1.25);

/// Every warning.
pub(super) fn warnings(findings: &Findings<'_>, study: &Study) -> Vec<String> {
    let mut warnings = general(findings, study);
    for (scenario, verdict) in study.verdict.scenarios.iter().enumerate() {
        let about = About { findings, study, scenario, verdict };
        let told = [
            about.few_positives(),
            about.unstable(),
            about.no_better_than_majority(),
            about.calibration(),
            about.overfitting(),
        ];
        let told = told.into_iter().flatten().chain(about.edges());
        warnings.extend(told.map(|warning| format!("{}: {warning}", verdict.scenario)));
    }
    warnings
}

/// What concerns all scenarios.
fn general(findings: &Findings<'_>, study: &Study) -> Vec<String> {
    let mut warnings = Vec::new();
    if findings.request.protocol == Protocol::Paper {
        warnings.push(
            "protocol paper: numbers are scaled over all rows, test rows included; the default learns scales inside \
             training parts"
                .to_owned(),
        );
    }
    let n_tried = findings.learners.iter().filter(|learner| !learner.trivial).count();
    if n_tried >= 5 {
        warnings.push(format!(
            "the best of {n_tried} figures is a little too good: part of what put it first is luck, so expect rather less"
        ));
    }
    let design = &findings.ground.designs[0].design;
    let is_repeated = findings.frames[0][0].tested.last().is_some_and(|split| split.place.repetition > 0);
    if findings.frames[0][0].units.len() < 2 {
        warnings.push(format!(
            "{design} gives a single figure for each learner, so differences are not tested; repeat it, or take cv:10"
        ));
    } else if is_repeated && !matches!(design, Design::Bootstrap(_)) {
        warnings.push(
            "repetitions share rows, so analysis of variance, Duncan's, Tukey's and Nemenyi's tests are too sure of \
             themselves here; the corrected t test is not"
                .to_owned(),
        );
    }
    warnings.extend(fickle(findings));
    let has_gap = |learner: &&StudyLearner| study.gaps.iter().any(|gap| gap.learner == learner.learner);
    let failed = findings.learners.iter().filter(has_gap);
    warnings.extend(failed.map(|learner| {
        format!("{} failed on some splits; tests leave it out there, and the gaps say why", learner.learner)
    }));
    warnings
}

/// Commands that do not do the same twice.
fn fickle(findings: &Findings<'_>) -> Vec<String> {
    let is_fickle = |learner: &usize| {
        let of_scenario = |scenario: usize| CellPlace { design: 0, scenario, learner: *learner };
        (0..findings.places.len()).any(|s| findings.board.repeatable(of_scenario(s)) == Some(false))
    };
    let told = |learner: usize| {
        let name = &findings.learners[learner].learner;
        format!("{name} does not do the same twice with the same seed; have it draw from TRIBUNAL_SEED")
    };
    (0..findings.learners.len()).filter(is_fickle).map(told).collect()
}

/// A scenario and what is said of it.
struct About<'a> {
    findings: &'a Findings<'a>,
    study: &'a Study,
    scenario: usize,
    verdict: &'a ScenarioVerdict,
}

impl About<'_> {
    fn recommended(&self) -> Option<(usize, &str)> {
        let name = self.verdict.recommended.as_deref()?;
        let place = self.findings.learners.iter().position(|learner| learner.learner == name)?;
        Some((place, name))
    }

    fn few_positives(&self) -> Option<String> {
        let scenario = &self.study.scenarios[self.scenario];
        let rare = scenario.positives.min(scenario.rows - scenario.positives);
        let truth = self.findings.ground.truth(self.findings.places[self.scenario].target);
        let is_rare = scenario.positives * 2 <= scenario.rows;
        let count = |rows: &[u32]| rows.iter().filter(|&&row| truth[row as usize] == is_rare).count();
        let frame = self.findings.frame(self.scenario);
        let fewest = frame.tested.iter().map(|split| count(&split.rows)).min().unwrap_or(0);
        if frame.units.len() > 1 && fewest < FEW_IN_FOLD {
            return Some(format!(
                "few positives: {rare} rows of the rarer class, as few as {fewest} in a test part; figures of single splits \
                 are mostly chance"
            ));
        }
        let per_column = rare as f64 / scenario.columns.max(1) as f64;
        (per_column < FEW_PER_COLUMN).then(|| {
            format!(
                "few positives for so many predictors: {rare} rows of the rarer class for {} columns; models with a weight \
                 for each value may overfit",
                scenario.columns
            )
        })
    }

    /// Whether the deciding metric is a share, of which it is known what is much.
    fn is_share(&self) -> bool {
        self.findings.measures[0].metric.range == (0.0, 1.0)
    }

    fn unstable(&self) -> Option<String> {
        let (learner, name) = self.recommended().filter(|_| self.is_share())?;
        let cell = &self.findings.of_scenario(self.scenario)[learner];
        let mean = cell.mean(0, self.findings.frame(self.scenario), self.findings.request.level);
        let sd = mean.sd.filter(|sd| *sd > UNSTABLE)?;
        let values: Vec<f64> = cell.values(0).into_iter().flatten().collect();
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let metric = metric_name(&self.study.metrics[0]);
        Some(format!(
            "unstable folds: {metric} of {name} goes from {least:.3} to {most:.3} over the splits (deviation {sd:.3})"
        ))
    }

    /// The best share of right answers against that of the larger class, split by split.
    fn no_better_than_majority(&self) -> Option<String> {
        // Where PCC decides, the verdict says it.
        let metric =
            self.study.metrics.iter().position(|metric| metric == "pcc").filter(|place| *place > 0)?;
        let cells = self.findings.of_scenario(self.scenario);
        let frame = self.findings.frame(self.scenario);
        let complete = |learner: usize| -> Option<(usize, Vec<f64>)> {
            let values = cells[learner].values(metric).into_iter().collect::<Option<Vec<f64>>>()?;
            (!self.findings.learners[learner].trivial).then_some((learner, values))
        };
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let all = (0..cells.len()).filter_map(complete);
        let (best, values) = all.reduce(|a, b| if mean(&b.1) > mean(&a.1) { b } else { a })?;
        let truth = self.findings.ground.truth(self.findings.places[self.scenario].target);
        let scenario = &self.study.scenarios[self.scenario];
        let larger = scenario.positives * 2 > scenario.rows;
        let share = |rows: &[u32]| {
            rows.iter().filter(|&&row| truth[row as usize] == larger).count() as f64 / rows.len() as f64
        };
        let ratio = frame.ratio()?;
        let gains: Vec<f64> =
            values.iter().zip(&frame.tested).map(|(value, split)| value - share(&split.rows)).collect();
        let test = corrected_t(&Differences::new(gains).ok()?, ratio, self.findings.request.level);
        (test.effect.interval.lower <= 0.0).then(|| {
            format!(
                "no PCC is shown to be better than always saying the larger class ({:.2} %): the best, {}, has {:.2} %; judge \
                 by ranking instead",
                100.0 * scenario.majority,
                self.findings.learners[best].learner,
                100.0 * mean(&values)
            )
        })
    }

    /// Whether the stated probabilities of the recommended learner hold on rows it did not see.
    fn calibration(&self) -> Option<String> {
        let (learner, name) = self.recommended()?;
        let note = self.note(name)?;
        if !note.probabilities {
            return Some(format!(
                "{name} gives margins, which rank cases and are no probabilities; {name}+platt gives probabilities"
            ));
        }
        let held_out = self.held_out(learner)?;
        let slope: Measure = "calibration_slope".parse().ok()?;
        let (value, interval) = slope.judge(&held_out, None, self.findings.request.level);
        let (value, interval) = (value.ok()?, interval?);
        let Interval { lower, upper, .. } = interval;
        let is_poor = (value < SOUND_SLOPES.0 && upper < 1.0) || (value > SOUND_SLOPES.1 && lower > 1.0);
        let how = if value < 1.0 { "too extreme" } else { "too timid" };
        is_poor.then(|| {
            format!(
                "calibration is poor: the probabilities of {name} are {how} (slope {value:.2}, {lower:.2} to {upper:.2}; 1 is \
                 right); {name}+platt mends that"
            )
        })
    }

    /// All held-out scores of a learner, ranked together.
    fn held_out(&self, learner: usize) -> Option<Ranking> {
        let place = CellPlace { design: 0, scenario: self.scenario, learner };
        let frame = self.findings.frame(self.scenario);
        let at = self.findings.places[self.scenario];
        let (mut rows, mut scores) = (Vec::new(), Vec::new());
        for (tested, held) in frame.tested.iter().zip(self.findings.board.cell(place)) {
            rows.extend_from_slice(&tested.rows);
            scores.extend_from_slice(&held.as_ref()?.as_ref().ok()?.scores);
        }
        let weights = self.findings.ground.sets[at.set].dataset.weights();
        ranking(&rows, &scores, &self.findings.ground.truth(at.target), weights)
    }

    fn note(&self, learner: &str) -> Option<&ModelNote> {
        let is_of = |note: &&ModelNote| note.scenario == self.verdict.scenario && note.learner == learner;
        self.study.models.iter().find(is_of)
    }

    fn overfitting(&self) -> Option<String> {
        let (_, name) = self.recommended().filter(|_| self.is_share())?;
        let (apparent, expected) = (self.note(name)?.apparent?, self.verdict.estimate?);
        let better = self.findings.measures[0].metric.better;
        let lost = better.gain(apparent) - better.gain(expected);
        (lost > OPTIMISTIC).then(|| {
            let metric = metric_name(&self.study.metrics[0]);
            format!(
                "{name} overfits: {metric} {apparent:.3} on the rows it learned from, {expected:.3} on others"
            )
        })
    }

    /// Learners of the best group whose choices fell on the edge of their grid, mostly.
    fn edges(&self) -> Vec<String> {
        let splits = self.study.scenarios[self.scenario].splits;
        let is_edgy = |note: &&ModelNote| {
            note.scenario == self.verdict.scenario
                && self.verdict.group.contains(&note.learner)
                && note.at_edge * 2 >= splits
        };
        let told = |note: &ModelNote| {
            format!(
                "tuning of {} ends at the edge of its grid on {} of {splits} splits; a wider grid may do better",
                note.learner, note.at_edge
            )
        };
        self.study.models.iter().filter(is_edgy).map(told).collect()
    }
}
