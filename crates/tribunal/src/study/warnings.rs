//! What a careful statistician would say before anybody acts on a study.

use tribunal_eval::intervals::Sampled;
use tribunal_eval::metrics::{Measure, calibration_slope, pcc};
use tribunal_eval::significance::{Differences, corrected_t};
use tribunal_learn::CostsWithin;

use super::analysis::Findings;
use super::journal::CellPlace;
use super::request::Protocol;
use super::results::{ModelNote, ScenarioVerdict, Study, StudyLearner};
use crate::line_up::Entrant;
use crate::resampling::Design;
use crate::warning::{
    StudyWarning, Warning, calibrated_name, few_in_fold, miscalibrated, overfitting, unstable_folds,
};

/// Regressions want so many positives for each column.
const FEW_PER_COLUMN: f64 = 10.0;

/// Every warning.
pub(super) fn warnings(findings: &Findings<'_>, study: &Study) -> Vec<StudyWarning> {
    let of_all = general(findings, study).into_iter();
    let mut warnings: Vec<StudyWarning> =
        of_all.map(|warning| StudyWarning { scenario: None, warning }).collect();
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
        let name = Some(verdict.scenario.clone());
        warnings.extend(told.map(|warning| StudyWarning { scenario: name.clone(), warning }));
    }
    warnings
}

/// What concerns all scenarios.
fn general(findings: &Findings<'_>, study: &Study) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if findings.request.protocol == Protocol::Paper {
        warnings.push(Warning::ScaledOverAllRows);
    }
    let learners = findings.learners.iter().filter(|learner| !learner.trivial).count();
    if learners >= 5 {
        warnings.push(Warning::BestOfMany { learners });
    }
    let design = &findings.ground.designs[0].design;
    let is_repeated = findings.frames[0][0].tested.last().is_some_and(|split| split.place.repetition > 0);
    if findings.frames[0][0].units.len() < 2 {
        warnings.push(Warning::SingleFigure { design: design.to_string() });
    } else if is_repeated && !matches!(design, Design::Bootstrap(_)) {
        warnings.push(Warning::RepetitionsShareRows);
    }
    warnings.extend(fickle(findings));
    let has_gap = |learner: &&StudyLearner| study.gaps.iter().any(|gap| gap.learner == learner.learner);
    let failed = findings.learners.iter().filter(has_gap);
    warnings.extend(failed.map(|learner| Warning::FailedSplits { learner: learner.learner.clone() }));
    warnings
}

/// Commands that do not do the same twice.
fn fickle(findings: &Findings<'_>) -> Vec<Warning> {
    let is_fickle = |learner: &usize| {
        let of_scenario = |scenario: usize| CellPlace { design: 0, scenario, learner: *learner };
        (0..findings.places.len()).any(|s| findings.board.repeatable(of_scenario(s)) == Some(false))
    };
    let told =
        |learner: usize| Warning::NotRepeatable { learner: findings.learners[learner].learner.clone() };
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

    fn few_positives(&self) -> Option<Warning> {
        let scenario = &self.study.scenarios[self.scenario];
        let rarer = scenario.positives.min(scenario.rows - scenario.positives);
        let truth = self.findings.ground.truth(self.findings.places[self.scenario].target);
        let is_rare = scenario.positives * 2 <= scenario.rows;
        let count = |rows: &[u32]| rows.iter().filter(|&&row| truth[row as usize] == is_rare).count();
        let frame = self.findings.frame(self.scenario);
        let in_parts = frame.tested.iter().map(|split| count(&split.rows) as u64);
        let few = few_in_fold(rarer, in_parts).filter(|_| frame.units.len() > 1);
        few.or_else(|| {
            let per_column = rarer as f64 / scenario.columns.max(1) as f64;
            let columns = scenario.columns;
            (per_column < FEW_PER_COLUMN).then_some(Warning::FewForColumns { rarer, columns })
        })
    }

    fn unstable(&self) -> Option<Warning> {
        let (learner, name) = self.recommended()?;
        let cell = &self.findings.of_scenario(self.scenario)[learner];
        let mean = cell.mean(0, self.findings.frame(self.scenario), self.findings.request.level);
        let values = cell.values(0).into_iter().flatten();
        unstable_folds(name, &self.findings.measures[0], values, mean.sd)
    }

    /// The best share of right answers against that of the larger class, split by split.
    fn no_better_than_majority(&self) -> Option<Warning> {
        // Where PCC decides, the verdict says it.
        let is_pcc = |measure: &Measure| measure.metric.id == pcc::METRIC.id;
        let metric = self.findings.measures.iter().position(is_pcc).filter(|place| *place > 0)?;
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
        (test.effect.interval.lower <= 0.0).then(|| Warning::NoBetterThanMajority {
            majority: scenario.majority,
            learner: self.findings.learners[best].learner.clone(),
            pcc: mean(&values),
        })
    }

    /// Whether the stated probabilities of the recommended learner hold on rows it did not see.
    fn calibration(&self) -> Option<Warning> {
        let (learner, name) = self.recommended()?;
        // What was learned from changed labels is no probability of the rows.
        if is_of_other_labels(&self.findings.entrants[learner]) {
            return None;
        }
        let note = self.note(name)?;
        if !note.probabilities {
            return Some(Warning::Margins { learner: name.to_owned() });
        }
        let held_out = self.findings.ranking(self.scenario, learner)?;
        let slope = Measure::new(&calibration_slope::METRIC, None).ok()?;
        let value = slope.of_ranking(&held_out)?.ok()?;
        let sampled = Sampled { level: self.findings.request.level, ..Sampled::new(&held_out) };
        let interval = slope.interval(&sampled, None).ok()?;
        let models = vec![miscalibrated(name, value, (interval.lower, interval.upper))?];
        Some(Warning::PoorCalibration { models, mended_by: Some(calibrated_name(name)) })
    }

    fn note(&self, learner: &str) -> Option<&ModelNote> {
        let is_of = |note: &&ModelNote| note.scenario == self.verdict.scenario && note.learner == learner;
        self.study.models.iter().find(is_of)
    }

    fn overfitting(&self) -> Option<Warning> {
        let (learner, name) = self.recommended()?;
        let cell = &self.findings.of_scenario(self.scenario)[learner];
        let mean = cell.mean(0, self.findings.frame(self.scenario), self.findings.request.level);
        let (apparent, expected) = (self.note(name)?.apparent?, mean.value.ok()?);
        overfitting(name, &self.findings.measures[0], apparent, expected)
    }

    /// Learners of the best group whose choices fell on the edge of their grid, mostly.
    fn edges(&self) -> Vec<Warning> {
        let splits = self.study.scenarios[self.scenario].splits;
        let is_edgy = |note: &&ModelNote| {
            note.scenario == self.verdict.scenario
                && self.verdict.group.contains(&note.learner)
                && note.at_edge * 2 >= splits
        };
        let told = |note: &ModelNote| Warning::GridEdge {
            learner: note.learner.clone(),
            at_edge: note.at_edge,
            splits,
        };
        self.study.models.iter().filter(is_edgy).map(told).collect()
    }
}

/// Whether a learner learns labels that costs have changed.
fn is_of_other_labels(entrant: &Entrant) -> bool {
    matches!(entrant, Entrant::BuiltIn(learner) if learner.costs_within() == CostsWithin::Training)
}
