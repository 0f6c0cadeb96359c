//! What is computed for each model.

use rayon::prelude::*;
use tribunal_eval::curves::{AveragedRoc, Curve, Hull, gains_table, sample_roc};
use tribunal_eval::intervals::{Interval, NoInterval, Sampled};
use tribunal_eval::{CutoffRule, ListPart, Ranking, ReliabilityTable, Value};

use super::fold_tests::FoldDesign;
use super::gather::Model;
use super::questions::{Found, Question, Questions};
use super::request::EvaluateRequest;
use crate::results::{
    CutoffResult, CutsResult, FoldedRoc, GainsResult, HullResult, HullVertex, ReliabilityResult,
    USUAL_CUTOFFS,
};

/// Tables of cuts have about so many rows: no curve moves by more than 0.1 % of its range.
const ABOUT_CUTS: usize = 1000;
/// Those of folds.
const ABOUT_FOLD_CUTS: usize = 100;
/// Bins of equal count.
const N_BINS: usize = 10;

/// Everything about one model.
pub(super) struct Report {
    pub(super) questions: Questions,
    /// The cut-offs, in the order of the rules.
    pub(super) cutoffs: Vec<Found>,
    /// The answers over all rows.
    pub(super) answers: Vec<Answer>,
    /// Which part of the list each fold is.
    pub(super) parts: Vec<ListPart>,
    /// The answers in each fold.
    pub(super) folds: Vec<Vec<Answer>>,
    pub(super) shapes: Shapes,
}

impl Report {
    /// The questions as they are asked of a fold.
    pub(super) fn inside(&self, fold: usize) -> Questions {
        self.questions.inside(self.parts.get(fold).copied().unwrap_or(ListPart::WHOLE))
    }
}

/// The answer to a question: the figure, and its interval where a formula gives it.
pub(super) struct Answer {
    pub(super) value: Value,
    /// The figure on new cases, where the cut-off was chosen on these.
    pub(super) corrected: Option<f64>,
    /// The figure less what chance alone adds to it, where that is known.
    less_chance: Option<f64>,
    pub(super) interval: Result<Interval, NoInterval>,
}

impl Answer {
    /// The figure, if it is defined.
    pub(super) fn estimate(&self) -> Option<f64> {
        self.value.as_ref().ok().copied()
    }

    /// What new cases can be expected to give, if it is defined: the figure, or the corrected one at a cut-off that was chosen
    /// on these, or the one less what chance adds.
    pub(super) fn expected(&self) -> Option<f64> {
        self.corrected.or(self.less_chance).or_else(|| self.estimate())
    }

    /// Whether chance alone explains a figure that cannot fall below zero.
    pub(super) fn is_chance_alone(&self) -> bool {
        self.less_chance.is_some() && self.interval.as_ref().is_ok_and(|interval| interval.lower <= 0.0)
    }

    /// Whether there is no interval because the cases at hand cannot tell how the figure varies; then they cannot tell how a
    /// difference varies either.
    pub(super) fn is_withheld(&self) -> bool {
        use NoInterval::{FewAtCutoff, FewCases, FewCertainMistakes, ShortList};
        matches!(self.interval, Err(FewAtCutoff | FewCases | FewCertainMistakes | ShortList))
    }
}

/// What is drawn or tabulated.
#[derive(Default)]
pub(super) struct Shapes {
    pub(super) usual_cutoffs: Vec<CutoffResult>,
    pub(super) cuts: Vec<CutsResult>,
    pub(super) fold_cuts: Vec<CutsResult>,
    pub(super) calibration: Vec<ReliabilityResult>,
    pub(super) hull: Option<Hull>,
    pub(super) averaged_roc: Vec<FoldedRoc>,
    pub(super) gains: Vec<GainsResult>,
    pub(super) reliability: Vec<ReliabilityResult>,
}

/// Computes everything about one of `n_models` models.
pub(super) fn report(
    model: &Model,
    n_models: usize,
    folds: &[String],
    design: &FoldDesign,
    request: &EvaluateRequest,
) -> Report {
    let n_rows = model.ranking.totals().total();
    let rules = match request.cutoffs.as_slice() {
        [] => vec![request.decision.cutoff(n_rows).unwrap_or_else(|| customary_cutoff(&model.ranking))],
        rules => rules.to_vec(),
    };
    // Where a cross-validation was repeated, the list of the cases is that of one repetition.
    let n_repetitions = design.n_times_each_case(&model.folds) as f64;
    let part = |weight: f64| ListPart::new(weight, n_rows / n_repetitions);
    let questions = Questions::new(&request.measures(), rules).inside(part(n_rows));
    let cutoffs = questions.cutoffs(&model.ranking);
    let (answers, shapes) = rayon::join(
        || answers_of(&questions, &model.ranking, &cutoffs, request),
        || shapes(model, n_models, folds, request),
    );
    let parts: Vec<ListPart> = model.folds.iter().map(|fold| part(fold.totals().total())).collect();
    let of_fold = |(ranking, part): (&Ranking, &ListPart)| {
        let questions = questions.inside(*part);
        answers_of(&questions, ranking, &questions.cutoffs(ranking), request)
    };
    let folds = model.folds.par_iter().zip(&parts).map(of_fold).collect();
    Report { questions, cutoffs, answers, parts, folds, shapes }
}

/// The answers to all questions.
pub(super) fn answers_of(
    questions: &Questions,
    ranking: &Ranking,
    cutoffs: &[Found],
    request: &EvaluateRequest,
) -> Vec<Answer> {
    let sampled = Sampled { ranking, level: request.level, base_rate: request.base_rate };
    let answer = |question: &Question| {
        let value = questions.answer(question, ranking, cutoffs);
        let known = value.as_ref().ok().copied();
        let interval = match known.filter(|_| request.intervals) {
            Some(value) => questions.interval(question, value, &sampled, cutoffs),
            None => Err(NoInterval::NotAsked),
        };
        Answer {
            corrected: questions.corrected(question, ranking, cutoffs),
            less_chance: known.and_then(|value| question.measure.less_chance(ranking, value)),
            value,
            interval,
        }
    };
    questions.all.par_iter().map(answer).collect()
}

/// Curves, hull and tables.
fn shapes(model: &Model, n_models: usize, folds: &[String], request: &EvaluateRequest) -> Shapes {
    let (name, ranking) = (&model.name, &model.ranking);
    let (hull, table) = rayon::join(
        // Without curves a hull is of interest only where models share one.
        || (request.curves || n_models > 1).then(|| Hull::of_ranking(ranking).ok()).flatten(),
        || request.curves.then(|| ReliabilityTable::with_level(ranking, request.level).ok()).flatten(),
    );
    let mut report = Shapes::default();
    if request.curves {
        let usual =
            USUAL_CUTOFFS.into_iter().map(|rule| cutoff_result((name, ranking), rule, &rule.find(ranking)));
        report.usual_cutoffs = usual.collect();
        report.cuts.push(CutsResult::of(name, ranking, ABOUT_CUTS));
        let of_fold = |(fold, ranking): (&String, &Ranking)| CutsResult {
            fold: Some(fold.clone()),
            ..CutsResult::of(name, ranking, ABOUT_FOLD_CUTS)
        };
        report.fold_cuts = folds.iter().zip(&model.folds).map(of_fold).collect();
        let bins = ReliabilityTable::of_equal_counts(ranking, N_BINS, request.level);
        let bins = bins.into_iter().flat_map(|table| table.bins);
        report.calibration = bins.map(|bin| ReliabilityResult { model: name.clone(), bin }).collect();
        report.averaged_roc.extend(averaged(model, request));
    }
    report.hull = hull;
    let gains = gains_table(ranking, 10).unwrap_or_default();
    report.gains = gains.into_iter().map(|row| GainsResult { model: name.clone(), row }).collect();
    let bins = table.into_iter().flat_map(|table| table.bins);
    report.reliability = bins.map(|bin| ReliabilityResult { model: name.clone(), bin }).collect();
    report
}

/// Half for probabilities, zero for margins around zero, otherwise as many cases as there are positives.
fn customary_cutoff(ranking: &Ranking) -> CutoffRule {
    match ranking.score_range() {
        Some((highest, lowest)) if lowest < 0.0 && highest >= 0.0 => CutoffRule::Score(0.0),
        Some((highest, lowest)) if lowest < 0.0 || highest > 1.0 => {
            CutoffRule::Share(ranking.base_rate().unwrap_or(0.5))
        }
        _ => CutoffRule::Score(0.5),
    }
}

/// A cut-off as a result.
pub(super) fn cutoff_result(
    (model, ranking): (&str, &Ranking),
    rule: CutoffRule,
    found: &Found,
) -> CutoffResult {
    let (cutoff, undefined) = match found {
        Ok(cutoff) => (Some(*cutoff), None),
        Err(reason) => (None, Some(reason.to_string())),
    };
    let flagged = cutoff.filter(|_| ranking.has_amounts()).map(|cutoff| cutoff.confusion.flagged());
    let amount = flagged.map(|flagged| ranking.top_amount(flagged));
    CutoffResult { model: model.to_owned(), asked: rule, cutoff, amount, undefined }
}

fn averaged(model: &Model, request: &EvaluateRequest) -> Option<FoldedRoc> {
    let samples: Vec<_> = model.folds.iter().filter_map(|fold| sample_roc(fold).ok()).collect();
    let roc = AveragedRoc::of(&samples, request.level)?;
    Some(FoldedRoc { model: model.name.clone(), area: roc.area(), roc })
}

/// The ROC hull over all models, from their own; nothing where a class is absent.
pub(super) fn joint_hull(models: &[Model], reports: &[Report]) -> Option<HullResult> {
    let hulls: Vec<Curve> =
        reports.iter().map(|report| report.shapes.hull.as_ref().map(Hull::curve)).collect::<Option<_>>()?;
    let hull = Hull::of_curves(&hulls.iter().collect::<Vec<_>>());
    let vertex = |range: tribunal_eval::curves::Range| {
        HullVertex::of(&range, range.vertex.curve.map(|curve| models[curve].name.clone()))
    };
    Some(HullResult { area: hull.area(), vertices: hull.ranges().into_iter().map(vertex).collect() })
}
