//! Slips of a new user that leave no trace in the figures: each caution says what seems to have happened and what to do.
//!
//! Only what honest requests hardly ever look like is told, because a warning that is usually wrong is not read.

use std::fmt;

use tribunal_eval::{CutoffRule, Ranking};
use tribunal_io::RepeatedFile;

use super::gather::{Gathered, Model};
use super::long_form::LongForm;
use super::request::EvaluateRequest;
use super::warnings::named;

/// What seems to have happened.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Caution {
    /// A file was given twice.
    Repeated(RepeatedFile),
    /// Several models stand below each other, and their column was not named.
    LongForm(LongForm),
    /// The column of weights holds amounts of money.
    MoneyAsWeight { column: String, range: (f64, f64), rows: u64, effective: f64, is_amount: bool },
    /// A few rows have nearly all the weight.
    UnevenWeights { column: String, rows: u64, effective: f64 },
    /// Every case has the same score.
    OneScore { models: String, score: f64 },
    /// Scores are classes and no scores.
    Predictions { models: String, range: (f64, f64) },
    /// Scores are percentages.
    Percentages { models: String },
    /// Scores number the rows.
    RowNumbers { models: String, range: (f64, f64) },
    /// No score lies on both sides of a cut-off.
    CutoffBeyond { cutoff: f64, models: String, flags_all: bool, range: (f64, f64) },
}

/// Every caution about what was read, after those about where it was read from.
pub(super) fn cautions(
    gathered: &Gathered,
    request: &EvaluateRequest,
    mut cautions: Vec<Caution>,
) -> Vec<Caution> {
    cautions.extend(about_weights(gathered, request));
    cautions.extend(about_scores(&gathered.models));
    cautions.extend(request.cutoffs.iter().flat_map(|rule| about_cutoff(*rule, &gathered.models)));
    cautions
}

fn about_weights(gathered: &Gathered, request: &EvaluateRequest) -> Option<Caution> {
    let (figures, column) = (gathered.weights.as_ref()?, request.columns.weight.clone()?);
    let (rows, effective) = (figures.n(), figures.effective());
    let is_amount = request.columns.amount.as_ref() == Some(&column);
    if is_amount || figures.look_like_money(&column) {
        return Some(Caution::MoneyAsWeight { column, range: figures.range(), rows, effective, is_amount });
    }
    figures.is_uneven().then_some(Caution::UnevenWeights { column, rows, effective })
}

fn about_scores(models: &[Model]) -> Vec<Caution> {
    let those = |is_one: &dyn Fn(&Model) -> bool| {
        let found: Vec<&Model> = models.iter().filter(|model| is_one(model)).collect();
        let range = found.first().and_then(|model| model.ranking.score_range());
        named(found.iter().map(|model| model.name.as_str())).zip(range)
    };
    let mut cautions = Vec::new();
    let equal = those(&|model| model.ranking.n_blocks() == 1);
    cautions.extend(equal.map(|(models, (_, score))| Caution::OneScore { models, score }));
    let predictions = those(&|model| are_predictions(&model.ranking));
    cautions
        .extend(predictions.map(|(models, (high, low))| Caution::Predictions { models, range: (low, high) }));
    let percentages = those(&|model| are_percentages(&model.ranking));
    cautions.extend(percentages.map(|(models, _)| Caution::Percentages { models }));
    let numbers = those(&|model| are_row_numbers(&model.ranking));
    cautions.extend(numbers.map(|(models, (high, low))| Caution::RowNumbers { models, range: (low, high) }));
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
fn about_cutoff(rule: CutoffRule, models: &[Model]) -> Vec<Caution> {
    let CutoffRule::Score(cutoff) = rule else { return Vec::new() };
    let caution = |flags_all: bool| {
        let is_beyond = |(high, low): (f64, f64)| if flags_all { cutoff < low } else { cutoff > high };
        let beyond: Vec<&Model> =
            models.iter().filter(|model| model.ranking.score_range().is_some_and(is_beyond)).collect();
        let names = named(beyond.iter().map(|model| model.name.as_str()))?;
        let (high, low) = beyond.first()?.ranking.score_range()?;
        Some(Caution::CutoffBeyond { cutoff, models: names, flags_all, range: (low, high) })
    };
    [false, true].into_iter().filter_map(caution).collect()
}

impl fmt::Display for Caution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Repeated(file) => file.fmt(f),
            Self::LongForm(found) => found.fmt(f),
            Self::MoneyAsWeight { column, range: (low, high), rows, effective, is_amount } => {
                let what = match is_amount {
                    true => "is both the weight and the amount".to_owned(),
                    false => format!("looks like an amount of money ({low} to {high}) and no weight"),
                };
                write!(
                    f,
                    "\"{column}\" {what}: by weight {rows} rows count like {effective:.0} (Kish's effective sample size); if \
                     it is what a case is worth, give it as --amount alone"
                )
            }
            Self::UnevenWeights { column, rows, effective } => write!(
                f,
                "the weights \"{column}\" are so uneven that {rows} rows count like {effective:.0} (Kish's effective sample \
                 size): a few rows decide every figure; is it the column of the weights?"
            ),
            Self::OneScore { models, score } => write!(
                f,
                "every score of {models} is {score}: nothing is ranked; is it the column of the scores?"
            ),
            Self::Predictions { models, range: (low, high) } => write!(
                f,
                "the scores of {models} are {low} and {high} only: they look like predicted classes. Figures of the ranking, such as \
                 the AUROC, are then those of a single cut; give probabilities or other scores"
            ),
            Self::Percentages { models } => write!(
                f,
                "the scores of {models} look like percentages: divide them by 100, and they are judged as probabilities"
            ),
            Self::RowNumbers { models, range: (low, high) } => write!(
                f,
                "the scores of {models} number the rows from {low} to {high}: is it a column that names the case? Ranks are \
                 scores if larger means more likely positive"
            ),
            Self::CutoffBeyond { cutoff, models, flags_all, range: (low, high) } => {
                let side = if *flags_all { "every score" } else { "no score" };
                let flagged = if *flags_all { "everybody" } else { "nobody" };
                write!(
                    f,
                    "--threshold {cutoff}: {side} of {models} is that high (they reach from {low} to {high}), so {flagged} is \
                     flagged"
                )?;
                let is_count = !flags_all && *cutoff >= 1.0 && cutoff.fract() == 0.0;
                let or_share =
                    if *cutoff <= 100.0 { format!(", or {cutoff}% for a share") } else { String::new() };
                if is_count {
                    write!(f, "; top:{cutoff} takes so many cases from the top{or_share}")
                } else {
                    f.write_str("; choose a cut-off between them")
                }
            }
        }
    }
}
