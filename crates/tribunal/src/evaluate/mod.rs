//! Judging scores from any tool: read, rank, measure, and say how far to believe it.

mod amount_rows;
mod cautions;
mod charts;
mod compare;
mod decide;
mod decision_verdict;
mod fold_tests;
mod gather;
mod identity;
mod kept;
mod layout;
mod long_form;
mod measure;
mod planning;
mod pool;
mod prepare;
mod questions;
mod request;
mod rows;
mod score_columns;
mod scored_rows;
mod segment_figures;
mod segment_tests;
mod segment_warnings;
mod segments;
mod spread;
mod stress;
mod uncertainty;
mod verdict;
mod warnings;
mod weights;

#[cfg(feature = "learners")]
pub(crate) use decide::LeadOver;
#[cfg(feature = "learners")]
pub(crate) use fold_tests::test_folds;
pub use gather::CollectedScores;
use rayon::prelude::*;
pub use request::{At, Compare, EvaluateRequest, ScoreColumns};
pub use score_columns::score_columns;
pub use scored_rows::{LabelValue, ScoredRows, evaluate_rows};
use tribunal_eval::AmountsOf;
use tribunal_eval::intervals::Sampled;
use tribunal_eval::metrics::{Kind, Measure};
use tribunal_eval::significance::null_auroc_error;
use tribunal_io::{ReadOptions, Source, TableReader};
pub(crate) use warnings::named;

use self::cautions::{cautions, repeated_file};
use self::charts::ChartSources;
use self::compare::{Contest, Contestant};
use self::decide::{Candidate, Panels, amount_leak};
use self::decision_verdict::{DecisionAnswer, not_at_base_rate};
use self::fold_tests::{FoldDesign, over_folds};
use self::gather::Gathered;
use self::kept::{Aligned, MANY_ROWS, USUAL_ROWS};
use self::long_form::long_form;
use self::measure::{Answer, Report};
use self::rows::{Figures, ModelRows};
use self::segment_figures::{SegmentFigures, in_order};
use self::segment_warnings::segment_warnings;
use self::spread::Draws;
use self::stress::StressSources;
use self::uncertainty::Uncertainty;
use self::verdict::Findings;
use self::warnings::Judged;
use crate::error::Error;
use crate::message::{Message, Setting};
use crate::metric_info::MetricInfo;
use crate::progress::{OnProgress, Progress};
use crate::provenance::Provenance;
use crate::results::{CapacityShare, Data, Evaluation};
use crate::warning::Warning;
use crate::words::Positives;

/// Reads the scores in some files - globs are expanded, `-` is standard input - and judges them.
pub fn evaluate<S: AsRef<str>>(
    inputs: &[S],
    request: &EvaluateRequest,
    on_progress: OnProgress<'_>,
) -> Result<Evaluation, Error> {
    evaluate_source(&Source::open(inputs)?, request, on_progress)
}

/// Judges the scores of a source that is already open.
pub fn evaluate_source(
    source: &Source,
    request: &EvaluateRequest,
    on_progress: OnProgress<'_>,
) -> Result<Evaluation, Error> {
    request.check()?;
    let table = TableReader::open(source, &ReadOptions::default())?;
    let (collected, sha256) = rayon::join(
        || CollectedScores::of_table(&table, request, 0, on_progress),
        || request.fingerprint.then(|| source.sha256()).transpose(),
    );
    let mut cautions: Vec<Warning> = source.repeated()?.into_iter().map(repeated_file).collect();
    let collected = collected?;
    cautions.extend(long_form(&table, &request.columns)?);
    let files = source.names().map(str::to_owned).collect();
    collected.judge_as(request, Origin { files, sha256: sha256?, cautions }, on_progress)
}

/// Judges the scores of a table: files, record batches in memory, or a stream of them.
///
/// ```
/// use tribunal::{EvaluateRequest, ScoreColumns, evaluate_table};
/// use tribunal_io::arrow_array::{RecordBatch, record_batch};
/// use tribunal_io::TableReader;
///
/// let batch: RecordBatch = record_batch!(
///     ("fraud", Utf8, ["yes", "yes", "no", "yes", "no", "no"]),
///     ("logit", Float64, [0.9, 0.8, 0.7, 0.4, 0.4, 0.1])
/// )?;
/// let mut request = EvaluateRequest::new(ScoreColumns::new("fraud", ["logit"]));
/// request.columns.positive = Some("yes".into());
/// let table = TableReader::of_batches("claims", vec![batch])?;
/// let evaluation = evaluate_table(&table, &request, &|_progress| ())?;
/// assert_eq!(evaluation.data.positives, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluate_table(
    table: &TableReader,
    request: &EvaluateRequest,
    on_progress: OnProgress<'_>,
) -> Result<Evaluation, Error> {
    let collected = CollectedScores::of_table(table, request, 0, on_progress)?;
    let cautions = long_form(table, &request.columns)?.into_iter().collect();
    let files = table.names().map(str::to_owned).collect();
    collected.judge_as(request, Origin { files, sha256: None, cautions }, on_progress)
}

/// Judges a table of scores for somebody who acts on them, and sets every model beside the best policy that takes none.
#[cfg(feature = "learners")]
pub(crate) fn evaluate_with_leads(
    table: &TableReader,
    request: &EvaluateRequest,
) -> Result<(Evaluation, Vec<Option<LeadOver>>), Error> {
    let silent = |_: Progress| ();
    let evaluation = evaluate_table(table, request, &silent)?;
    let gathered = CollectedScores::of_table(table, request, 0, &silent)?.finish()?;
    let models = gathered.models.iter();
    let candidates: Vec<Candidate<'_>> =
        models.map(|model| Candidate { name: &model.name, rows: &model.decision }).collect();
    Ok((evaluation, decide::leads(&candidates, request)?))
}

/// Where scores came from.
#[derive(Default)]
struct Origin {
    files: Vec<String>,
    sha256: Option<String>,
    /// What was noticed on the way.
    cautions: Vec<Warning>,
}

impl CollectedScores {
    /// Collects the scores of a table, or of the part of one that starts after so many of its rows.
    ///
    /// Which rows are kept for drawing again depends on the id of a case, or without ids on its row number; so parts of a table
    /// that has no ids must say where they start. In long form that is the number of rows of each model.
    pub fn of_table(
        table: &TableReader,
        request: &EvaluateRequest,
        first_row: u64,
        on_progress: OnProgress<'_>,
    ) -> Result<Self, Error> {
        request.check()?;
        let on_read = |read| on_progress(Progress::Reading(read));
        let asked = (&request.columns, &request.decision, &request.charts);
        Self::read(table, asked, most_kept(request), first_row, &on_read)
    }

    /// Judges what was collected; the request is the one that the scores were collected for.
    pub fn judge(self, request: &EvaluateRequest, on_progress: OnProgress<'_>) -> Result<Evaluation, Error> {
        self.judge_as(request, Origin::default(), on_progress)
    }

    fn judge_as(
        self,
        request: &EvaluateRequest,
        origin: Origin,
        on_progress: OnProgress<'_>,
    ) -> Result<Evaluation, Error> {
        let mut gathered = self.finish()?;
        let cautions = cautions(&gathered, request, origin.cautions);
        gathered.warnings.splice(0..0, cautions);
        judge(gathered, request, origin.files, origin.sha256, on_progress)
    }
}

/// How many rows of each class are kept: a sample, a larger one where replicates were asked for by number, none where nothing
/// needs them.
fn most_kept(request: &EvaluateRequest) -> usize {
    let one_model = request.columns.model.is_none() && request.columns.scores.len() == 1;
    match (request.replicates, Draws::of(request).n_replicates) {
        (_, 0) if one_model => 0,
        (Some(1..), _) => MANY_ROWS,
        _ => USUAL_ROWS,
    }
}

fn judge(
    mut gathered: Gathered,
    request: &EvaluateRequest,
    files: Vec<String>,
    sha256: Option<String>,
    on_progress: OnProgress<'_>,
) -> Result<Evaluation, Error> {
    let Some(first) = gathered.models.first() else {
        return Err(Error::data("there is no model to judge"));
    };
    let data = Data {
        files,
        sha256,
        rows: gathered.rows,
        positives: first.ranking.positives().rows as u64,
        base_rate: first.ranking.base_rate().ok(),
        truth: request.columns.truth.clone(),
        positive: request.columns.positive.clone().unwrap_or_default(),
        negatives: std::mem::take(&mut gathered.negatives),
        weighted: request.columns.weight.is_some(),
        models: gathered.models.iter().map(|model| model.name.clone()).collect(),
        folds: std::mem::take(&mut gathered.folds),
    };
    let pairs = compare::pairs(data.models.len(), compared_with(&data.models, &request.compare)?);
    let (totals, amounts_of) = (first.ranking.totals(), first.ranking.amounts_of());
    let n_models = gathered.models.len();
    let design = FoldDesign::of(&data.folds);
    let kept = gathered.models.iter_mut().map(|model| model.kept.take_all()).collect();
    let models = &gathered.models;
    let (mut reports, tables): (Vec<Report>, Vec<Aligned>) = rayon::join(
        || {
            let report = |model| measure::report(model, n_models, &data.folds, &design, request);
            models.par_iter().map(report).collect()
        },
        || Aligned::of(kept),
    );
    let candidates: Vec<Candidate<'_>> =
        models.iter().map(|model| Candidate { name: &model.name, rows: &model.decision }).collect();
    gathered.warnings.extend(amount_leak(&candidates, request));
    let decided = decide::decide(&candidates, request, &pairs, &in_order(&gathered.segments))?;
    let (decision, by_segment) =
        decided.map_or((None, None), |decided| (Some(decided.decision), decided.by_segment));
    let charts = ChartSources {
        models,
        reports: &reports,
        folds: &data.folds,
        design: &design,
        n_repetitions: design.n_times_each_case(&models[0].folds) as f64,
        request,
        panels: &Panels::of(&candidates, request.level),
    };
    let charts = charts.charts()?;
    let stressed = StressSources { models, reports: &reports, tables: &tables, design: &design, request };
    let stress_selection = stressed.results()?;
    let uncertainty = Uncertainty::of(&tables, &reports, &data, request, on_progress);
    let contest = contest(&tables, &reports, &data, &uncertainty, (&pairs, amounts_of), request);
    let tests = contest.as_ref().map(Contest::compare).unwrap_or_default();
    let comparisons = contest.as_ref().map(|contest| contest.comparisons(&tests)).unwrap_or_default();
    let standings = contest.as_ref().map(|contest| contest.standings(&tests)).unwrap_or_default();
    let amount_metrics = request.amount_measures();
    let figures = models.par_iter().enumerate().map(|(place, model)| {
        let figures = Figures {
            model,
            report: &reports[place],
            folds: &data.folds,
            design: &design,
            level: request.level,
            intervals: request.intervals,
            amount_metrics: &amount_metrics,
            spread: uncertainty.all[place].as_ref(),
            fold_spreads: &uncertainty.folds[place],
            standings: standings.get(place).map_or(&[], Vec::as_slice),
        };
        figures.rows()
    });
    let (metrics, pooled): (Vec<_>, Vec<_>) =
        figures.map(|ModelRows { rows, pooled }| (rows, pooled)).unzip();
    let mut evaluation = Evaluation {
        schema: Default::default(),
        provenance: Provenance::default(),
        request: request.clone(),
        measures: MetricInfo::of_all(pooled.iter().flatten().map(|figure| figure.measure)),
        metrics: metrics.into_iter().flatten().collect(),
        cutoffs: Vec::new(),
        usual_cutoffs: Vec::new(),
        cuts: Vec::new(),
        fold_cuts: Vec::new(),
        hull: measure::joint_hull(models, &reports),
        averaged_roc: Vec::new(),
        gains: Vec::new(),
        reliability: Vec::new(),
        calibration: Vec::new(),
        decision,
        segments: None,
        charts: charts.models,
        at_base_rate: charts.at_base_rate,
        conditions: charts.conditions,
        stress_selection,
        capacities: capacities(models, &reports, &design),
        planning: planning::plan(&tests, &reports[0].questions.all, &data, request),
        comparisons,
        fold_tests: Vec::new(),
        verdict: Default::default(),
        warnings: gathered.warnings,
        data,
    };
    let folded = over_folds(&mut evaluation, &reports, &design, &pairs, request);
    for (model, report) in models.iter().zip(&mut reports) {
        let rules = report.questions.rules.iter().zip(&report.cutoffs);
        evaluation.cutoffs.extend(
            rules.map(|(rule, found)| measure::cutoff_result((&model.name, &model.ranking), *rule, found)),
        );
        let shapes = std::mem::take(&mut report.shapes);
        evaluation.usual_cutoffs.extend(shapes.usual_cutoffs);
        evaluation.cuts.extend(shapes.cuts);
        evaluation.fold_cuts.extend(shapes.fold_cuts);
        evaluation.calibration.extend(shapes.calibration);
        evaluation.averaged_roc.extend(shapes.averaged_roc);
        evaluation.gains.extend(shapes.gains);
        evaluation.reliability.extend(shapes.reliability);
    }
    let null_errors: Vec<f64> =
        models.iter().map(|model| null_auroc_error(&model.ranking).unwrap_or(0.0)).collect();
    let verdict = Findings {
        request,
        models: &evaluation.data.models,
        figures: &pooled,
        tests: &tests,
        fold_tests: folded.into_iter().zip(&evaluation.fold_tests).collect(),
        totals,
        null_errors: &null_errors,
        beside_constant: &|model, question| {
            beside_constant(&models[model], &reports[model], question, request)
        },
    };
    evaluation.verdict = verdict.verdict();
    let auroc_standings = verdict.auroc_standings();
    let in_segments = SegmentFigures {
        models,
        reports: &reports,
        labels: &gathered.segments,
        order: in_order(&gathered.segments),
        design: &design,
        request,
        deciding: &evaluation.verdict.metric,
        decisions: by_segment,
    };
    evaluation.segments = in_segments.results();
    if let Some(decision) = evaluation.decision.as_ref().filter(|_| !request.decision.goes_by_metric()) {
        let rule = request.decision.rule.map(|rule| rule.to_string());
        let evidence = std::mem::take(&mut evaluation.verdict);
        let positives = Positives::of(&evaluation.data.truth, &evaluation.data.positive);
        let (level, margin) = (request.level, request.margin_of_acting());
        let answer = DecisionAnswer { decision, level, margin, rule, positives, evidence };
        evaluation.verdict = answer.verdict();
    }
    if let Some(decision) = evaluation.decision.as_ref().filter(|_| request.decision.goes_by_metric()) {
        let verdict = &mut evaluation.verdict;
        let said = not_at_base_rate(decision, &verdict.metric, evaluation.data.base_rate);
        verdict.sentence.extend(said);
    }
    let judged = Judged {
        evaluation: &evaluation,
        models,
        reports: &reports,
        tables: &tables,
        design: &design,
        request,
        auroc_standings: &auroc_standings,
    };
    let doubts = judged.warnings();
    evaluation.warnings.extend(doubts);
    evaluation.warnings.extend(evaluation.segments.iter().flat_map(segment_warnings));
    Ok(evaluation)
}

/// Whether every case has its part in a figure, so that its influence values tell how it varies. Shares of the few cases that are
/// flagged or lead a list have intervals that know how few they are, and keep to these.
fn is_of_all_cases(measure: &Measure) -> bool {
    match measure.metric.kind {
        Kind::Probability => true,
        Kind::Cutoff => ["pcc", "error_rate", "cost", "f1", "f"].contains(&measure.metric.stem()),
        Kind::Ranking | Kind::Amount => false,
    }
}

/// The chance of so large a difference from what the same answer for everybody is worth on the same cases, where that varies with
/// the base rate; nothing at cut-offs that were chosen on these cases, whose figures are corrected.
fn beside_constant(
    model: &gather::Model,
    report: &Report,
    question: usize,
    request: &EvaluateRequest,
) -> Option<f64> {
    let (asked, answer) = (report.questions.all.get(question)?, report.answers.get(question)?);
    if answer.corrected.is_some() || answer.is_withheld() || !is_of_all_cases(&asked.measure) {
        return None;
    }
    let cutoff = match report.questions.cutoff(asked, &report.cutoffs) {
        Some(found) => Some(found.as_ref().ok()?),
        None => None,
    };
    let sampled = Sampled { ranking: &model.ranking, level: request.level, base_rate: request.base_rate };
    asked.measure.beside_constant(&sampled, cutoff, answer.estimate()?).map(|test| test.p)
}

/// The numbers of cases that folds take as shares; nothing where there are no folds.
fn capacities(models: &[gather::Model], reports: &[Report], design: &FoldDesign) -> Vec<CapacityShare> {
    let (Some(model), Some(report)) =
        (models.first().filter(|model| !model.folds.is_empty()), reports.first())
    else {
        return Vec::new();
    };
    let n_times = design.n_times_each_case(&model.folds) as f64;
    report.questions.capacities(model.ranking.totals().total() / n_times)
}

/// The place of the model that the others are compared with.
fn compared_with(models: &[String], compare: &Compare) -> Result<Option<usize>, Error> {
    let Compare::With(name) = compare else { return Ok(None) };
    match models.iter().position(|model| model == name) {
        Some(place) => Ok(Some(place)),
        None => {
            let near = tribunal_io::nearest(name, models.iter().map(String::as_str));
            let hint = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            let (models, compare) = (models.join(", "), Message::default().setting(Setting::Compare));
            Err(Error::usage(
                compare.text(format!(" names \"{name}\", which is no model{hint} (the models are {models})")),
            ))
        }
    }
}

/// The models side by side; nothing for a single one, or where their rows do not line up.
fn contest<'a>(
    tables: &'a [Aligned],
    reports: &'a [Report],
    data: &'a Data,
    uncertainty: &'a Uncertainty,
    (pairs, amounts_of): (&'a [(usize, usize)], AmountsOf),
    request: &EvaluateRequest,
) -> Option<Contest<'a>> {
    let [table] = tables else { return None };
    let contestant = |(place, report): (usize, &'a Report)| Contestant {
        name: &data.models[place],
        questions: &report.questions,
        cutoffs: &report.cutoffs,
        estimates: report.answers.iter().map(Answer::expected).collect(),
        is_withheld: report.answers.iter().map(Answer::is_withheld).collect(),
        is_chance_alone: report.answers.iter().map(Answer::is_chance_alone).collect(),
        spread: uncertainty.all[place].as_ref(),
    };
    (reports.len() > 1).then(|| Contest {
        table,
        contestants: reports.iter().enumerate().map(contestant).collect(),
        pairs,
        // Weights that are all equal say no more than none.
        weighted: data.weighted && table.weight.windows(2).any(|pair| pair[0] != pair[1]),
        amounts_of,
        level: request.level,
        base_rate: request.base_rate,
        margin: request.margin_of_metrics(),
    })
}
