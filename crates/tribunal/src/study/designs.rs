//! How far to believe a figure: the same learners under several designs, side by side.
//!
//! Bootstrap replicates give three figures: the mean on the rows that were left out, which is too low, and the .632 and
//! .632+ estimates that weigh it with the figure on the training rows (Efron 1983; Efron and Tibshirani 1997). They are
//! defined for the error rate and so for `pcc`; for `auroc` the same weights are put on 1 - AUROC, whose value without
//! information is one half (Sahiner, Chan and Hadjiiski 2008).

use super::analysis::Findings;
use super::journal::{CellPlace, HeldOut};
use super::judged::JudgedCell;
use super::results::DesignFigure;
use crate::resampling::error_632::{ClassShares, Errors632, LeftOutError, no_information_rate};
use crate::resampling::{Design, repeated_mean};

/// Figures of every design, if there are several.
pub(super) fn design_figures(findings: &Findings<'_>) -> Vec<DesignFigure> {
    let designs = &findings.ground.designs;
    if designs.len() < 2 {
        return Vec::new();
    }
    let mut figures = Vec::new();
    for scenario in 0..findings.places.len() {
        for metric in 0..findings.measures.len() {
            for learner in 0..findings.learners.len() {
                for (design, divided) in designs.iter().enumerate() {
                    let at = At { findings, scenario, metric, learner, design };
                    figures.push(at.figure());
                    if matches!(divided.design, Design::Bootstrap(_)) {
                        figures.extend(at.weighed());
                    }
                }
            }
        }
    }
    figures
}

/// A learner under a design.
struct At<'a> {
    findings: &'a Findings<'a>,
    scenario: usize,
    metric: usize,
    learner: usize,
    design: usize,
}

impl At<'_> {
    fn cell(&self) -> &JudgedCell {
        &self.findings.cells[self.design][self.scenario][self.learner]
    }

    fn target(&self) -> usize {
        self.findings.places[self.scenario].target
    }

    fn figure(&self) -> DesignFigure {
        let findings = self.findings;
        let frame = &findings.frames[self.design][self.target()];
        let mean = self.cell().mean(self.metric, frame, findings.request.level);
        let divided = &findings.ground.designs[self.design];
        let plan = &divided.plans[self.target()];
        let by_repetition = repeated_mean(plan, &self.cell().values(self.metric)).ok();
        let is_repeated = matches!(&divided.design, Design::Cv(cv) if cv.n_repetitions.is_some());
        let sd = if is_repeated { by_repetition.and_then(|mean| mean.sd) } else { mean.sd };
        DesignFigure {
            estimate: mean.value.as_ref().ok().copied(),
            lower: mean.interval.map(|interval| interval.lower),
            upper: mean.interval.map(|interval| interval.upper),
            sd,
            n: mean.n as u64,
            undefined: mean.value.err(),
            ..self.named(divided.design.to_string())
        }
    }

    fn named(&self, design: String) -> DesignFigure {
        DesignFigure {
            scenario: self.findings.names[self.scenario].clone(),
            learner: self.findings.learners[self.learner].learner.clone(),
            metric: self.findings.measures[self.metric].to_string(),
            design,
            estimate: None,
            lower: None,
            upper: None,
            sd: None,
            n: self.cell().units.len() as u64,
            undefined: None,
        }
    }

    /// The .632 and .632+ estimates, of metrics that have them.
    fn weighed(&self) -> Vec<DesignFigure> {
        let errors = match self.findings.measures[self.metric].metric.id {
            "pcc" => self.errors_of_predictions(),
            "auroc" => self.errors_of_ranks(),
            _ => return Vec::new(),
        };
        let Some(errors) = errors else { return Vec::new() };
        let of = |name: &str, error: f64| DesignFigure {
            estimate: Some(1.0 - error),
            ..self.named(name.to_owned())
        };
        vec![of(".632", errors.efron()), of(".632+", errors.plus().estimate)]
    }

    fn whole(&self) -> Option<&HeldOut> {
        let whole = self.findings.board.whole(self.scenario, self.learner)?;
        whole.as_ref().ok().map(|whole| &whole.held)
    }

    /// The errors of predictions, row by row.
    fn errors_of_predictions(&self) -> Option<Errors632> {
        let truth = self.findings.ground.truth(self.target());
        let whole = self.whole()?;
        let predicted = predictions(whole);
        let n = truth.len() as f64;
        let share = |values: &[bool]| values.iter().filter(|value| **value).count() as f64 / n;
        let both = |values: &[bool]| [1.0 - share(values), share(values)];
        let n_wrong = predicted.iter().zip(&truth).filter(|(predicted, truth)| predicted != truth).count();
        Some(Errors632 {
            train: n_wrong as f64 / n,
            e0: self.left_out(&truth)?,
            no_information: no_information_rate(ClassShares {
                truth: &both(&truth),
                predicted: &both(&predicted),
            }),
        })
    }

    /// The mean over rows of the share of models that get the row wrong though they did not learn from it.
    fn left_out(&self, truth: &[bool]) -> Option<f64> {
        let frame = &self.findings.frames[self.design][self.target()];
        let place = CellPlace { design: self.design, scenario: self.scenario, learner: self.learner };
        let mut losses = LeftOutError::new(truth.len());
        for (tested, held) in frame.tested.iter().zip(self.findings.board.cell(place)) {
            let held = held.as_ref()?.as_ref().ok()?;
            for (&row, predicted) in tested.rows.iter().zip(predictions(held)) {
                losses.add(row, f64::from(u8::from(predicted != truth[row as usize])));
            }
        }
        losses.e0()
    }

    /// What is missing of an AUROC of one, on the training rows and on those that were left out.
    fn errors_of_ranks(&self) -> Option<Errors632> {
        let values: Option<Vec<f64>> = self.cell().values(self.metric).into_iter().collect();
        let values = values?;
        let apparent = super::notes::apparent_of(self.findings, self.scenario, self.whole()?, self.metric)?;
        let left_out = values.iter().sum::<f64>() / values.len() as f64;
        Some(Errors632 { train: 1.0 - apparent, e0: 1.0 - left_out, no_information: 0.5 })
    }
}

/// Which rows are taken for positive.
fn predictions(held: &HeldOut) -> Vec<bool> {
    let cut = held.reading().cut;
    held.scores.iter().map(|score| *score >= cut).collect()
}
