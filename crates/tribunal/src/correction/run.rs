//! A correction from the two tables to its results.

use tribunal_eval::CutoffRule;
use tribunal_eval::correction::{CorrectedFigure, SamplingDesign, WeightedSample};
use tribunal_io::Source;

use super::cautions::{Evidence, warnings};
use super::columns::{Tables, read_tables};
use super::models::Models;
use super::request::{CorrectRequest, CorrectionMethod};
use super::results::{CorrectedSide, Correction, CorrectionData, MethodCorrection, ThinReason, Unreached};
use super::sample::SampleColumns;
use super::stratify::{Stratified, stratify};
use super::verdict::verdict;
use super::weighting::{Frame, WeightedRows};
use crate::error::Error;
use crate::progress::OnProgress;
use crate::provenance::Provenance;
use crate::results::MetricRow;

/// The name under which doubly robust estimates stand.
pub(super) const DOUBLY_ROBUST: &str = "doubly_robust";

/// A correction and the rows that it is made of.
#[derive(Clone, Debug)]
pub struct CorrectedTable {
    pub(super) correction: Correction,
    pub(super) columns: SampleColumns,
}

impl CorrectedTable {
    /// What was found.
    pub fn correction(&self) -> &Correction {
        &self.correction
    }

    /// The same with the command line that asked for it.
    #[must_use]
    pub fn with_command(mut self, command: Vec<String>) -> Self {
        self.correction.provenance.command = Some(command);
        self
    }
}

/// Corrects the incidence to the strata of the prevalence.
///
/// # Errors
/// A column is missing or cannot be read, nobody was acted on in any stratum of the population, or the method that was asked for
/// cannot be applied.
pub fn correct(
    (prevalence, incidence): (&Source, &Source),
    request: &CorrectRequest,
    on_progress: OnProgress<'_>,
) -> Result<CorrectedTable, Error> {
    request.check()?;
    let tables = read_tables((prevalence, incidence), request, on_progress)?;
    let stratified = stratify(&tables, request)?;
    let cutoff = cutoff(&tables, request);
    let work = Work { tables: &tables, frame: Frame::new(&stratified, request)?, cutoff };
    let sample = match &tables.truth {
        Some(truth) => Some(work.sample(truth)?),
        None => None,
    };
    let unweighted = vec![1.0; tables.n_incidence];
    let mut before = CorrectedSide::of_weights(&unweighted);
    if let Some(sample) = &sample {
        let figures = sample.figures(&unweighted, &SamplingDesign::Independent, request.level)?;
        before.metrics = work.rows(&figures, tables.n_incidence);
    }
    let (methods, columns) = work.methods(sample.as_ref())?;
    let primary = request.method.primary().name();
    let Some(shown) = methods.iter().find(|method| method.method == primary) else {
        return Err(Error::data("the method that was asked for gives no sample"));
    };
    let data = data((prevalence, incidence), &tables, &work.frame);
    let unreached = unreached(&stratified, shown);
    let evidence =
        Evidence { request, data: &data, stratified: &stratified, tables: &tables, methods: &methods };
    let warnings = warnings(&evidence, unreached.as_ref(), cutoff);
    let mut correction = Correction {
        schema: Default::default(),
        provenance: Provenance::default(),
        request: request.clone(),
        verdict: String::new(),
        method: shown.method.clone(),
        strata: shown.strata.clone(),
        beta: methods.iter().find_map(|method| method.beta),
        before,
        after: shown.side.clone(),
        effective_rows: shown.side.effective_rows,
        unreached,
        cutoff: cutoff.filter(|_| tables.scores.incidence.is_some()),
        warnings,
        stratification: stratified.summary.clone(),
        data,
        methods,
    };
    correction.verdict = verdict(&correction);
    Ok(CorrectedTable { correction, columns })
}

/// The cut-off that was named, or the customary one: one half of probabilities, zero of scores on both sides of it.
fn cutoff(tables: &Tables, request: &CorrectRequest) -> Option<f64> {
    let usual = || {
        let scores = tables.scores.incidence.as_ref()?;
        let ends =
            scores.iter().fold((0.0f64, 0.0f64), |(low, high), score| (low.min(*score), high.max(*score)));
        match ends {
            (low, high) if low >= 0.0 && high <= 1.0 => Some(0.5),
            (low, high) if low < 0.0 && high > 0.0 => Some(0.0),
            _ => None,
        }
    };
    request.cutoff.or_else(usual)
}

/// What all methods share.
struct Work<'a> {
    tables: &'a Tables,
    frame: Frame<'a>,
    cutoff: Option<f64>,
}

impl<'a> Work<'a> {
    fn sample(&self, truth: &'a [bool]) -> Result<WeightedSample<'a>, Error> {
        let sample = WeightedSample::new(truth)?;
        match &self.tables.scores.incidence {
            Some(scores) => Ok(sample.with_scores(scores, self.cutoff)?),
            None => Ok(sample),
        }
    }

    /// Figures as tidy rows.
    fn rows(&self, figures: &[CorrectedFigure], n_rows: usize) -> Vec<MetricRow> {
        let outcome = self.frame.request.outcome.as_ref();
        let model = outcome.and_then(|outcome| outcome.score.as_deref()).unwrap_or("incidence");
        let row = |figure: &CorrectedFigure| {
            let mut row = MetricRow::new(model, figure.name.id().to_owned(), n_rows as u64, &figure.value);
            row.cutoff = self.cutoff.filter(|_| figure.name.is_at_cutoff()).map(CutoffRule::Score);
            match &figure.interval {
                Ok(interval) => row.with_interval(Some(*interval)),
                Err(why) => {
                    row.no_interval = figure.value.is_ok().then(|| why.clone());
                    row
                }
            }
        };
        figures.iter().map(row).collect()
    }

    /// Every method that was asked for, and the columns of the corrected sample. In a list of several, one that cannot be applied
    /// says why; by itself it is an error.
    fn methods(
        &self,
        sample: Option<&WeightedSample<'_>>,
    ) -> Result<(Vec<MethodCorrection>, SampleColumns), Error> {
        let asked = self.frame.request.method;
        let mut columns = SampleColumns::new(self.frame.stratified);
        let mut found = Vec::new();
        for method in asked.methods() {
            let made = match method {
                CorrectionMethod::Ipw => self.modelled(sample, &mut columns),
                _ => self.weighted(method, sample, &mut columns).map(|one| vec![one]),
            };
            match made {
                Ok(made) => found.extend(made),
                Err(error) if asked == CorrectionMethod::All && method != asked.primary() => {
                    found.push(MethodCorrection {
                        method: method.name().to_owned(),
                        beta: None,
                        strata: Vec::new(),
                        side: CorrectedSide::default(),
                        failed: Some(error.to_string()),
                    });
                }
                Err(error) => return Err(error),
            }
        }
        Ok((found, columns))
    }

    fn weighted(
        &self,
        method: CorrectionMethod,
        sample: Option<&WeightedSample<'_>>,
        columns: &mut SampleColumns,
    ) -> Result<MethodCorrection, Error> {
        let rows = self.frame.weighted(method)?;
        let side = self.side(&rows, sample, &self.frame.design(&rows, None))?;
        let found = MethodCorrection {
            method: method.name().to_owned(),
            beta: rows.beta,
            strata: rows.strata.clone(),
            side,
            failed: None,
        };
        columns.add(rows);
        Ok(found)
    }

    fn side(
        &self,
        rows: &WeightedRows,
        sample: Option<&WeightedSample<'_>>,
        design: &SamplingDesign<'_>,
    ) -> Result<CorrectedSide, Error> {
        let mut side = CorrectedSide::of_weights(&rows.weights);
        if let Some(sample) = sample {
            let figures = sample.figures(&rows.weights, design, self.frame.request.level)?;
            side.metrics = self.rows(&figures, side.distinct_rows as usize);
        }
        Ok(side)
    }

    /// Inverse-probability weights, and doubly robust estimates beside them.
    fn modelled(
        &self,
        sample: Option<&WeightedSample<'_>>,
        columns: &mut SampleColumns,
    ) -> Result<Vec<MethodCorrection>, Error> {
        let request = self.frame.request;
        let score = request.outcome.as_ref().and_then(|outcome| outcome.score.as_deref());
        let models = Models::fit(self.tables, score, request.seed)?;
        let rows = self.frame.of_weights(CorrectionMethod::Ipw, models.selection.weights().to_vec());
        let side = self.side(&rows, sample, &self.frame.design(&rows, Some(&models.selection)))?;
        let name = CorrectionMethod::Ipw.name().to_owned();
        let mut found = vec![MethodCorrection {
            method: name,
            beta: None,
            strata: rows.strata.clone(),
            side,
            failed: None,
        }];
        columns.add(rows);
        if let Some(truth) = &self.tables.truth {
            let mut robust = MethodCorrection {
                method: DOUBLY_ROBUST.to_owned(),
                beta: None,
                strata: Vec::new(),
                side: CorrectedSide { metrics: Vec::new(), ..found[0].side.clone() },
                failed: None,
            };
            match models.doubly_robust(self.tables, truth, self.cutoff, request.level) {
                Ok(figures) => robust.side.metrics = self.rows(&figures, truth.len() + models.n_rows()),
                Err(error) => robust.failed = Some(error.to_string()),
            }
            found.push(robust);
        }
        Ok(found)
    }
}

fn data((prevalence, incidence): (&Source, &Source), tables: &Tables, frame: &Frame<'_>) -> CorrectionData {
    let without =
        frame.stratified.of_row.iter().filter(|stratum| **stratum == tribunal_eval::correction::NO_STRATUM);
    CorrectionData {
        prevalence_files: prevalence.names().map(str::to_owned).collect(),
        prevalence_rows: tables.n_prevalence as u64,
        total_prevalence: frame.counts.total_prevalence(),
        incidence_files: incidence.names().map(str::to_owned).collect(),
        incidence_rows: tables.n_incidence as u64,
        incidence_without_stratum: without.count() as u64,
        positives: tables
            .truth
            .as_ref()
            .map(|truth| truth.iter().filter(|positive| **positive).count() as u64),
    }
}

/// The strata without a single actioned case, and the bounds that they leave (Manski 1990): whatever is in them, the strike rate of
/// the population lies between.
fn unreached(stratified: &Stratified, shown: &MethodCorrection) -> Option<Unreached> {
    let total: u64 = stratified.found.iter().map(|stratum| stratum.prevalence).sum();
    let is_empty = |why: &Option<ThinReason>| *why == Some(ThinReason::Empty);
    let empty: u64 =
        stratified.found.iter().filter(|found| is_empty(&found.why)).map(|found| found.prevalence).sum();
    if empty == 0 {
        return None;
    }
    let share = empty as f64 / total as f64;
    let strike_rate =
        shown.side.metrics.iter().find(|row| row.metric == "strike_rate").and_then(|row| row.estimate);
    let lower = strike_rate.map(|rate| rate * (1.0 - share));
    Some(Unreached { share, strike_rate_lower: lower, strike_rate_upper: lower.map(|lower| lower + share) })
}
