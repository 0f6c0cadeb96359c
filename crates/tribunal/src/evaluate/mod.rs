//! Judging scores from any tool: read, rank, measure.

mod columns;
mod gather;
mod identity;
mod measure;
mod prepare;
mod request;
mod verdict;

use rayon::prelude::*;
pub use request::{At, EvaluateRequest, ScoreColumns};
use tribunal_io::{Progress, ReadOptions, Source, TableReader};

use self::gather::{Gathered, gather};
use crate::error::Error;
use crate::results::{Data, Evaluation, SCHEMA};

/// Reads the scores in some files - globs are expanded, `-` is standard input - and judges them.
pub fn evaluate<S: AsRef<str>>(
    inputs: &[S],
    request: &EvaluateRequest,
    on_progress: &(dyn Fn(Progress) + Sync),
) -> Result<Evaluation, Error> {
    evaluate_source(&Source::open(inputs)?, request, on_progress)
}

/// Judges the scores of a source that is already open.
pub fn evaluate_source(
    source: &Source,
    request: &EvaluateRequest,
    on_progress: &(dyn Fn(Progress) + Sync),
) -> Result<Evaluation, Error> {
    request.check()?;
    let reader = TableReader::open(source, &ReadOptions::default())?;
    let (gathered, sha256) = rayon::join(
        || gather(&reader, &request.columns, on_progress),
        || request.fingerprint.then(|| source.sha256()).transpose(),
    );
    let files = source.names().map(str::to_owned).collect();
    judge(gathered?, request, files, sha256?)
}

fn judge(
    gathered: Gathered,
    request: &EvaluateRequest,
    files: Vec<String>,
    sha256: Option<String>,
) -> Result<Evaluation, Error> {
    let mut warnings = gathered.warnings;
    let reports: Vec<_> = gathered
        .models
        .par_iter()
        .map(|model| measure::report(model, gathered.models.len(), &gathered.folds, request))
        .collect();
    let Some(first) = gathered.models.first() else {
        return Err(Error::Data("there is no model to judge".into()));
    };
    let data = Data {
        files,
        sha256,
        rows: gathered.rows,
        positives: first.ranking.positives().rows as u64,
        base_rate: first.ranking.base_rate().ok(),
        truth: request.columns.truth.clone(),
        positive: request.columns.positive.clone().unwrap_or_default(),
        weighted: request.columns.weight.is_some(),
        models: gathered.models.iter().map(|model| model.name.clone()).collect(),
        folds: gathered.folds,
    };
    let hull = measure::joint_hull(&gathered.models, &reports);
    let mut evaluation = Evaluation {
        schema: SCHEMA,
        data,
        metrics: Vec::new(),
        cutoffs: Vec::new(),
        curves: Vec::new(),
        hull,
        averaged_roc: Vec::new(),
        gains: Vec::new(),
        reliability: Vec::new(),
        profit: Vec::new(),
        comparisons: Vec::new(),
        verdict: Default::default(),
        warnings: Vec::new(),
    };
    for report in reports {
        evaluation.metrics.extend(report.metrics);
        evaluation.cutoffs.extend(report.cutoffs);
        evaluation.curves.extend(report.curves);
        evaluation.averaged_roc.extend(report.averaged_roc);
        evaluation.gains.extend(report.gains);
        evaluation.reliability.extend(report.reliability);
        evaluation.profit.extend(report.profit);
        warnings.extend(report.warnings);
    }
    evaluation.verdict = verdict::verdict(&evaluation);
    evaluation.warnings = warnings;
    if request.cutoffs.is_empty() {
        evaluation.warnings.extend(verdict::no_customary_cutoff(&evaluation));
    }
    evaluation.warnings.extend(verdict::warnings(&evaluation));
    Ok(evaluation)
}
