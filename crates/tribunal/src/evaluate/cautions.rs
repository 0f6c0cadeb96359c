//! Slips of a new user that leave no trace in the figures: each caution says what seems to have happened and what to do.
//!
//! Only what honest requests hardly ever look like is told, because a warning that is usually wrong is not read.

use tribunal_eval::{CutoffRule, Ranking};
use tribunal_io::RepeatedFile;

use super::gather::{Gathered, Model};
use super::request::EvaluateRequest;
use crate::warning::Warning;

/// Every caution about what was read, after those about where it was read from.
pub(super) fn cautions(
    gathered: &Gathered,
    request: &EvaluateRequest,
    mut cautions: Vec<Warning>,
) -> Vec<Warning> {
    cautions.extend(about_weights(gathered, request));
    cautions.extend(about_scores(&gathered.models));
    cautions.extend(request.cutoffs.iter().flat_map(|rule| about_cutoff(*rule, &gathered.models)));
    cautions
}

pub(super) fn repeated_file(RepeatedFile { name, same_as, is_copy }: RepeatedFile) -> Warning {
    Warning::RepeatedFile { file: name, same_as, is_copy }
}

fn names(models: &[&Model]) -> Vec<String> {
    models.iter().map(|model| model.name.clone()).collect()
}

fn about_weights(gathered: &Gathered, request: &EvaluateRequest) -> Option<Warning> {
    let (figures, column) = (gathered.weights.as_ref()?, request.columns.weight.clone()?);
    let (rows, effective) = (figures.n(), figures.effective());
    let is_amount = request.columns.amount.as_ref() == Some(&column);
    if is_amount || figures.look_like_money(&column) {
        let (low, high) = figures.range();
        return Some(Warning::MoneyAsWeight { column, low, high, rows, effective, is_amount });
    }
    figures.is_uneven().then_some(Warning::UnevenWeights { column, rows, effective })
}

fn about_scores(models: &[Model]) -> Vec<Warning> {
    let those = |is_one: &dyn Fn(&Model) -> bool| {
        let found: Vec<&Model> = models.iter().filter(|model| is_one(model)).collect();
        let range = found.first().and_then(|model| model.ranking.score_range());
        range.map(|range| (names(&found), range))
    };
    let mut cautions = Vec::new();
    let equal = those(&|model| model.ranking.n_blocks() == 1);
    cautions.extend(equal.map(|(models, (_, score))| Warning::OneScore { models, score }));
    let predictions = those(&|model| are_predictions(&model.ranking));
    cautions.extend(predictions.map(|(models, (high, low))| Warning::PredictedClasses { models, low, high }));
    let percentages = those(&|model| are_percentages(&model.ranking));
    cautions.extend(percentages.map(|(models, _)| Warning::Percentages { models }));
    let numbers = those(&|model| are_row_numbers(&model.ranking));
    cautions.extend(numbers.map(|(models, (high, low))| Warning::RowNumbers { models, low, high }));
    cautions
}

/// Two whole numbers, and more rows than that happens to.
fn are_predictions(ranking: &Ranking) -> bool {
    const FEWEST: f64 = 10.0;
    let are_whole = |(high, low): (f64, f64)| high.fract() == 0.0 && low.fract() == 0.0;
    let is_usual = matches!(ranking.score_range(), Some((1.0, 0.0 | -1.0)));
    ranking.n_blocks() == 2
        && (is_usual || ranking.n_rows() >= FEWEST && ranking.score_range().is_some_and(are_whole))
}

/// From 0 to 100, and on average the share of positives as far as a factor of two.
fn are_percentages(ranking: &Ranking) -> bool {
    let Some((high, low)) = ranking.score_range() else { return false };
    let Ok(base_rate) = ranking.base_rate() else { return false };
    if low < 0.0 || high <= 1.0 || high > 100.0 || ranking.n_blocks() <= 10 {
        return false;
    }
    let sum: f64 = ranking.blocks().map(|block| block.score * block.own().total()).sum();
    let mean_share = sum / ranking.totals().total() / 100.0;
    (0.5 * base_rate..=2.0 * base_rate).contains(&mean_share)
}

/// Whole numbers one after the other, as many as there are rows.
fn are_row_numbers(ranking: &Ranking) -> bool {
    const FEWEST: usize = 20;
    let (n_blocks, n_rows) = (ranking.n_blocks(), ranking.n_rows());
    let is_run = |(high, low): (f64, f64)| high - low == (n_blocks - 1) as f64;
    n_blocks >= FEWEST
        && n_blocks as f64 == n_rows
        && ranking.score_range().is_some_and(is_run)
        && ranking.blocks().all(|block| block.score.fract() == 0.0)
}

/// Models none of whose scores, or all of whose scores, reach a cut-off.
fn about_cutoff(rule: CutoffRule, models: &[Model]) -> Vec<Warning> {
    let CutoffRule::Score(cutoff) = rule else { return Vec::new() };
    let caution = |flags_all: bool| {
        let is_beyond = |(high, low): (f64, f64)| if flags_all { cutoff < low } else { cutoff > high };
        let beyond: Vec<&Model> =
            models.iter().filter(|model| model.ranking.score_range().is_some_and(is_beyond)).collect();
        let (high, low) = beyond.first()?.ranking.score_range()?;
        Some(Warning::CutoffBeyondScores { cutoff, models: names(&beyond), flags_all, low, high })
    };
    [false, true].into_iter().filter_map(caution).collect()
}
