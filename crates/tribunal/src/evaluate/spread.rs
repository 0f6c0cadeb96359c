//! How far a figure without a formula may be believed: the stratified bootstrap.

use rayon::prelude::*;
use tribunal_eval::intervals::{
    Interval, Level, Replicates, bootstrap_bca, bootstrap_corrected, bootstrap_percentile,
    stratified_acceleration,
};
use tribunal_eval::metrics::Spread as SpreadKind;
use tribunal_eval::{Ranking, ResampledRows, Resampler};

use super::kept::Aligned;
use super::questions::{Question, Questions};
use super::request::EvaluateRequest;

/// Replicates that are drawn where nobody says how many.
const USUAL_REPLICATES: usize = 200;

/// From so many replicates on the interval is corrected for bias and acceleration; its ends lie too far out in the
/// tails for fewer.
const ENOUGH_FOR_BCA: usize = 1000;

/// Groups of each class that the jackknife leaves out, one at a time.
const MOST_GROUPS: usize = 50;

/// What drawing again made of one model's figures.
#[derive(Clone, Debug)]
pub(super) struct Spread {
    /// For each question the figure on the rows that were drawn from.
    base: Vec<f64>,
    /// For each question its replicates, NaN where a replicate had no figure.
    pub(super) replicates: Vec<Vec<f64>>,
    /// For each question the figures without one group of the positives, and of the negatives.
    jackknife: Option<[Vec<Vec<f64>>; 2]>,
}

/// How to draw.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draws {
    pub(super) n_replicates: usize,
    pub(super) seed: u64,
    /// Whether rows have weights, which formulas for intervals do not know.
    weighted: bool,
}

impl Draws {
    /// As often as was asked for.
    pub(super) fn of(request: &EvaluateRequest) -> Self {
        let usual = if request.intervals { USUAL_REPLICATES } else { 0 };
        let n_replicates = request.replicates.unwrap_or(usual);
        Self { n_replicates, seed: request.seed, weighted: request.columns.weight.is_some() }
    }
}

/// Draws the rows of a table again and asks every model's questions each time, telling `on_drawn` after each; nothing
/// where a class is absent or no question needs it.
pub(super) fn draw(
    table: &Aligned,
    questions: &[&Questions],
    draws: Draws,
    on_drawn: &(dyn Fn() + Sync),
) -> Option<Vec<Spread>> {
    let rows = ResampledRows {
        truth: &table.truth,
        weight: draws.weighted.then_some(&table.weight),
        scores: table.scores.iter().map(Vec::as_slice).collect(),
        taken: table.taken,
    };
    let resampler = Resampler::new(&rows).ok()?;
    // A model alone has nobody to be compared with, so what has a formula needs no draws.
    let alone = table.models.len() == 1 && !draws.weighted;
    let is_drawn = |questions: &Questions, question: &Question| {
        !(alone && question.has_formula()) && table.reaches(&question.inside(questions.part))
    };
    let is_any_drawn = |questions: &Questions| questions.all.iter().any(|one| is_drawn(questions, one));
    if !table.models.iter().any(|&model| is_any_drawn(questions[model])) {
        return None;
    }
    let ask = |rankings: Vec<Ranking>| -> Vec<Vec<f64>> {
        let of_model = |(ranking, &model): (&Ranking, &usize)| answers(questions[model], ranking, &is_drawn);
        rankings.iter().zip(&table.models).map(of_model).collect()
    };
    let drawn = (0..draws.n_replicates as u64).into_par_iter();
    let one = |index: u64| {
        let answers = ask(resampler.replicate(draws.seed, index));
        on_drawn();
        answers
    };
    let drawn: Vec<_> = drawn.map(one).collect();
    let base = ask(resampler.rows());
    let left_out = (draws.n_replicates >= ENOUGH_FOR_BCA).then(|| {
        [true, false].map(|class| {
            let n_rows = table.truth.iter().filter(|truth| **truth == class).count();
            let n_groups = n_rows.min(MOST_GROUPS);
            let groups = (0..n_groups).into_par_iter();
            groups.map(|group| ask(resampler.without(class, group, n_groups))).collect::<Vec<_>>()
        })
    });
    let spread = |model: usize| Spread {
        base: base[model].clone(),
        replicates: by_question(&drawn, model),
        jackknife: left_out.as_ref().map(|classes| classes.each_ref().map(|drawn| by_question(drawn, model))),
    };
    Some((0..table.models.len()).map(spread).collect())
}

/// The figures of a drawn ranking; NaN where none is wanted.
fn answers(
    questions: &Questions,
    ranking: &Ranking,
    is_drawn: &impl Fn(&Questions, &Question) -> bool,
) -> Vec<f64> {
    let cutoffs = questions.cutoffs(ranking);
    let answer = |question: &Question| {
        let wanted =
            is_drawn(questions, question).then(|| questions.answer(question, ranking, &cutoffs).ok());
        wanted.flatten().unwrap_or(f64::NAN)
    };
    questions.all.iter().map(answer).collect()
}

/// One model's column of every draw, turned round: for each question its figures.
fn by_question(draws: &[Vec<Vec<f64>>], model: usize) -> Vec<Vec<f64>> {
    let n_questions = draws.first().map_or(0, |draw| draw[model].len());
    (0..n_questions).map(|question| draws.iter().map(|draw| draw[model][question]).collect()).collect()
}

impl Spread {
    /// The interval of a figure from its replicates; nothing where too many of them had no figure.
    pub(super) fn interval(
        &self,
        index: usize,
        question: &Question,
        estimate: f64,
        level: Level,
    ) -> Option<Interval> {
        let (low, high) = question.measure.metric.range;
        let values = self.around(index, estimate)?;
        if let SpreadKind::CorrectedBootstrap = question.measure.metric.spread {
            let interval = bootstrap_corrected(&Replicates::new(values).ok()?, estimate, level).ok()?;
            return Some(interval.clipped(low, high));
        }
        let replicates = Replicates::new(values.iter().map(|value| value.clamp(low, high)).collect()).ok()?;
        let corrected = self.jackknife.as_ref().and_then(|classes| {
            let strata = classes.each_ref().map(|class| class[index].as_slice());
            let acceleration = stratified_acceleration(&strata).ok()?;
            bootstrap_bca(&replicates, estimate, acceleration, level).ok()
        });
        Some(corrected.unwrap_or_else(|| bootstrap_percentile(&replicates, level)))
    }

    /// Replicates moved so that they vary around the figure of all rows; nothing if a tenth of them is missing.
    fn around(&self, index: usize, estimate: f64) -> Option<Vec<f64>> {
        let shift = estimate - self.base[index];
        let all = &self.replicates[index];
        let values: Vec<f64> =
            all.iter().map(|value| value + shift).filter(|value| value.is_finite()).collect();
        (values.len() * 10 >= all.len() * 9 && !values.is_empty()).then_some(values)
    }
}
