//! What each method makes of the strata: weights or multiplicities of the actioned rows, and the table of the strata.

use tribunal_eval::correction::{
    EmptyStratum, Resampling, SamplingDesign, SelectionModel, Strata, StratumCounts, effective_rows, mixed,
    multiplicities, over, post_stratification_weights, substitute,
};

use super::request::{CorrectRequest, CorrectionMethod};
use super::results::{CorrectedSide, StratumRow};
use super::stratify::Stratified;
use crate::error::Error;

/// The actioned rows under a method.
pub(super) struct WeightedRows {
    pub(super) method: CorrectionMethod,
    pub(super) weights: Vec<f64>,
    /// How often each row is in the sample, where rows are repeated or left out.
    pub(super) multiplicities: Option<Vec<u32>>,
    pub(super) beta: Option<f64>,
    pub(super) strata: Vec<StratumRow>,
    /// Rows of the population that were drawn, in substitution sampling.
    pub(super) drawn: Option<f64>,
}

/// The strata that resampling and weighting look at.
pub(super) struct Frame<'a> {
    pub(super) stratified: &'a Stratified,
    pub(super) counts: StratumCounts,
    pub(super) request: &'a CorrectRequest,
}

impl<'a> Frame<'a> {
    pub(super) fn new(stratified: &'a Stratified, request: &'a CorrectRequest) -> Result<Self, Error> {
        let prevalence = stratified.strata.iter().map(|stratum| stratum.prevalence).collect();
        let incidence = stratified.strata.iter().map(|stratum| stratum.incidence).collect();
        let counts = StratumCounts::new(prevalence, incidence)?;
        let counts = match request.total_prevalence {
            Some(total) => counts.with_total(total)?,
            None => counts,
        };
        Ok(Self { stratified, counts, request })
    }

    /// Rows of the population in the strata.
    fn population(&self) -> u64 {
        self.counts.prevalence().iter().sum()
    }

    /// The rows under a method that needs no model.
    pub(super) fn weighted(&self, method: CorrectionMethod) -> Result<WeightedRows, Error> {
        match method {
            CorrectionMethod::Mixed => self.resampled(method, mixed(&self.counts, self.request.rounding)?),
            CorrectionMethod::Over => self.resampled(method, over(&self.counts, self.request.beta)?),
            CorrectionMethod::Substitution => self.substituted(),
            _ => {
                let weights = post_stratification_weights(&self.counts, &self.stratified.of_row)?;
                Ok(self.of_weights(CorrectionMethod::PostStratify, weights))
            }
        }
    }

    fn resampled(&self, method: CorrectionMethod, plan: Resampling) -> Result<WeightedRows, Error> {
        let times = multiplicities(&self.stratified.of_row, &plan, self.request.seed)?;
        let mut rows = self.of_multiplicities(method, times);
        rows.beta = plan.beta;
        for (row, planned) in rows.strata.iter_mut().zip(&plan.strata) {
            row.delta = planned.delta;
            row.ratio = Some((row.incidence as f64 + planned.delta) / row.incidence as f64);
        }
        Ok(rows)
    }

    fn substituted(&self) -> Result<WeightedRows, Error> {
        let size = self.request.size.unwrap_or_else(|| self.counts.total_incidence().min(self.population()));
        let how = (self.request.draw, EmptyStratum::Error);
        let sample = substitute(&self.counts, &self.stratified.of_row, size, how, self.request.seed)?;
        let mut rows = self.of_multiplicities(CorrectionMethod::Substitution, sample.multiplicities);
        rows.drawn = Some(size as f64);
        Ok(rows)
    }

    fn of_multiplicities(&self, method: CorrectionMethod, times: Vec<u32>) -> WeightedRows {
        let weights = times.iter().map(|times| f64::from(*times)).collect();
        let mut rows = self.of_weights(method, weights);
        for row in &mut rows.strata {
            row.delta_rounded = Some(row.size as i64 - row.incidence as i64);
        }
        rows.multiplicities = Some(times);
        rows
    }

    /// The table of the strata under some weights.
    pub(super) fn of_weights(&self, method: CorrectionMethod, weights: Vec<f64>) -> WeightedRows {
        let mut sizes = vec![0.0; self.counts.n_strata()];
        for (&stratum, weight) in self.stratified.of_row.iter().zip(&weights) {
            if let Some(size) = sizes.get_mut(stratum as usize) {
                *size += weight;
            }
        }
        let all: f64 = sizes.iter().sum();
        let row = |(stratum, size): (&super::stratify::Stratum, f64)| StratumRow {
            stratum: stratum.name.clone(),
            prevalence: stratum.prevalence,
            incidence: stratum.incidence,
            prevalence_share: stratum.prevalence as f64 / self.counts.total_prevalence(),
            delta: size - stratum.incidence as f64,
            delta_rounded: None,
            ratio: (stratum.incidence > 0).then(|| size / stratum.incidence as f64),
            size,
            share: if all > 0.0 { size / all } else { 0.0 },
            share_of_incidence: size / self.counts.total_incidence() as f64,
        };
        let strata = self.stratified.strata.iter().zip(sizes).map(row).collect();
        WeightedRows { method, weights, multiplicities: None, beta: None, strata, drawn: None }
    }

    /// How the weights of a method came about.
    pub(super) fn design<'d>(
        &'d self,
        rows: &WeightedRows,
        model: Option<&'d SelectionModel>,
    ) -> SamplingDesign<'d> {
        match (rows.method, model) {
            (CorrectionMethod::Ipw, Some(model)) => SamplingDesign::Modelled(model),
            _ => SamplingDesign::Stratified(Strata {
                of_row: &self.stratified.of_row,
                n_strata: self.counts.n_strata(),
                population: self.population() as f64,
                drawn: rows.drawn,
            }),
        }
    }
}

impl CorrectedSide {
    /// Rows under some weights, without figures.
    pub(super) fn of_weights(weights: &[f64]) -> Self {
        let distinct_rows = weights.iter().filter(|weight| **weight > 0.0).count() as u64;
        let effective = effective_rows(weights);
        Self {
            rows: weights.iter().sum(),
            distinct_rows,
            effective_rows: effective,
            design_effect: if effective > 0.0 { distinct_rows as f64 / effective } else { 0.0 },
            metrics: Vec::new(),
        }
    }
}
