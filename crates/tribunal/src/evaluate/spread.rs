//! How far a figure without a formula may be believed: the bootstrap.

use rayon::prelude::*;
use tribunal_eval::influence::BaseRate;
use tribunal_eval::intervals::{Interval, Level, NoInterval, Replicates};
use tribunal_eval::{Ranking, ResampledRows, Resampler};

use super::kept::Aligned;
use super::questions::{Question, Questions};
use super::request::EvaluateRequest;

/// Replicates that are drawn where nobody says how many.
const USUAL_REPLICATES: usize = 200;

/// What drawing again made of one model's figures.
#[derive(Clone, Debug)]
pub(super) struct Spread {
    /// For each question the figure on the rows that were drawn from.
    base: Vec<f64>,
    /// For each question its replicates, NaN where a replicate had no figure.
    pub(super) replicates: Vec<Vec<f64>>,
    /// Cases of the rarer class.
    rarer: f64,
}

/// How to draw.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draws {
    pub(super) n_replicates: usize,
    pub(super) seed: u64,
    weighted: bool,
    base_rate: BaseRate,
}

impl Draws {
    /// As often as was asked for.
    pub(super) fn of(request: &EvaluateRequest) -> Self {
        let usual = if request.intervals { USUAL_REPLICATES } else { 0 };
        let n_replicates = request.replicates.unwrap_or(usual);
        Self {
            n_replicates,
            seed: request.seed,
            weighted: request.columns.weight.is_some(),
            base_rate: request.base_rate,
        }
    }

    /// The rows to draw from; nothing where a class has a single case, which shows nothing of how the class varies.
    pub(super) fn rows<'t>(&self, table: &'t Aligned) -> Option<ResampledRows<'t>> {
        let of_class = |class: bool| table.truth.iter().filter(|truth| **truth == class).count();
        (of_class(true) >= 2 && of_class(false) >= 2).then(|| ResampledRows {
            truth: &table.truth,
            weight: self.weighted.then_some(&table.weight),
            scores: table.scores.iter().map(Vec::as_slice).collect(),
            taken: table.taken,
        })
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
    let resampler = Resampler::new(&draws.rows(table)?).ok()?;
    // A model alone has nobody to be compared with.
    let alone = table.models.len() == 1;
    let is_drawn = |questions: &Questions, question: &Question| {
        let is_needed = if alone { question.is_drawn() } else { question.is_difference_drawn() };
        is_needed && table.reaches(&question.inside(questions.part))
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
        let answers = ask(resampler.replicate(draws.seed, index, draws.base_rate));
        on_drawn();
        answers
    };
    let drawn: Vec<_> = drawn.map(one).collect();
    let base = ask(resampler.rows());
    let of_class = |class: bool| table.truth.iter().filter(|truth| **truth == class).count();
    let rarer =
        f64::min(of_class(true) as f64 / table.taken.positive, of_class(false) as f64 / table.taken.negative);
    let spread =
        |model: usize| Spread { base: base[model].clone(), replicates: by_question(&drawn, model), rarer };
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
    /// The interval of a figure from its replicates.
    ///
    /// # Errors
    /// Too many of the replicates had no figure, or they show nothing of how it varies.
    pub(super) fn interval(
        &self,
        index: usize,
        question: &Question,
        estimate: f64,
        level: Level,
    ) -> Result<Interval, NoInterval> {
        let replicates = self.around(index, estimate).and_then(|values| Replicates::new(values).ok());
        let replicates = replicates.ok_or(NoInterval::FewReplicates)?;
        question.measure.drawn_interval(&replicates, estimate, self.rarer, level)
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
