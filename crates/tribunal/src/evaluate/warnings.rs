//! What a careful statistician would say before the figures are used.

use tribunal_eval::intervals::NoInterval;
use tribunal_eval::metrics::{Measure, calibration_slope};
use tribunal_eval::{CertainRows, Cutoff, CutoffRule, Ranking, Undefined};

use super::fold_tests::FoldDesign;
use super::gather::Model;
use super::kept::Aligned;
use super::measure::{Answer, Report};
use super::questions::Found;
use super::request::EvaluateRequest;
use crate::results::{BaselineStanding, Evaluation};
use crate::warning::{FEW_FOR_INTERVALS, Miscalibrated, Warning, few_in_fold, miscalibrated, unstable_folds};

/// Fewer positives than this make every figure shaky.
const FEW_POSITIVES: u64 = 30;

/// What was found, in the order of the models.
pub(super) struct Judged<'a> {
    pub(super) evaluation: &'a Evaluation,
    pub(super) models: &'a [Model],
    pub(super) reports: &'a [Report],
    pub(super) tables: &'a [Aligned],
    pub(super) design: &'a FoldDesign,
    pub(super) request: &'a EvaluateRequest,
    /// Whether each model is shown to rank better or worse than a random order.
    pub(super) auroc_standings: &'a [Option<BaselineStanding>],
}

impl Judged<'_> {
    /// Every warning that applies.
    pub(super) fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let total = self.models.first().map_or(0.0, |model| model.ranking.totals().total());
        if self.request.cutoffs.is_empty() && self.request.decision.cutoff(total).is_none() {
            warnings.extend(self.no_customary_cutoff());
            warnings.extend(self.idle_customary_cutoff());
        }
        warnings.extend(self.few_cases());
        warnings.extend(self.about_ranking());
        warnings.extend(self.about_calibration());
        warnings.extend(self.about_cutoffs());
        warnings.extend(self.about_rows());
        warnings.extend(self.about_folds());
        warnings
    }

    /// The names of the models for which something holds; nothing where there are none.
    fn those(&self, is_one: impl Fn(usize) -> bool) -> Option<Vec<String>> {
        let found = (0..self.models.len()).filter(|&place| is_one(place));
        let names: Vec<String> = found.map(|place| self.models[place].name.clone()).collect();
        (!names.is_empty()).then_some(names)
    }

    /// What a model answered to the question for a measure, if it was asked.
    fn answer(&self, place: usize, measure: &Measure) -> Option<&Answer> {
        let report = &self.reports[place];
        let asked = report.questions.all.iter().position(|question| question.measure == *measure)?;
        report.answers.get(asked)
    }

    fn auroc(&self, place: usize) -> Option<f64> {
        self.answer(place, &Measure::AUROC)?.estimate()
    }

    fn few_cases(&self) -> Vec<Warning> {
        let data = &self.evaluation.data;
        let (positives, negatives) = (data.positives, data.rows - data.positives);
        let few_positives =
            (1..FEW_POSITIVES).contains(&positives).then_some(Warning::FewPositives { positives });
        let few_negatives =
            (1..FEW_FOR_INTERVALS).contains(&negatives).then_some(Warning::FewNegatives { negatives });
        few_positives.into_iter().chain(few_negatives).collect()
    }

    fn about_ranking(&self) -> Vec<Warning> {
        let standing = |place: usize| self.auroc_standings.get(place).copied().flatten();
        let perfect = self.those(|place| self.auroc(place) == Some(1.0));
        let reversed = self.those(|place| standing(place) == Some(BaselineStanding::Worse));
        let chance = self.those(|place| standing(place) == Some(BaselineStanding::Level));
        [
            perfect.map(|models| Warning::PerfectRanking { models }),
            reversed.map(|models| Warning::ReversedRanking { models }),
            chance.map(|models| Warning::ChanceRanking { models }),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Probabilities that are too extreme, and those that are too timid. Predicted classes are none, and rows that stand
    /// for the same cases again make intervals too narrow to tell.
    fn about_calibration(&self) -> Vec<Warning> {
        if self.design.n_repetitions > 1 {
            return Vec::new();
        }
        let Ok(slope) = Measure::new(&calibration_slope::METRIC, None) else { return Vec::new() };
        let found = |(place, model): (usize, &Model)| {
            let answer = self.answer(place, &slope).filter(|_| model.ranking.n_blocks() > 2)?;
            let interval = answer.interval.as_ref().ok()?;
            miscalibrated(&model.name, answer.estimate()?, (interval.lower, interval.upper))
        };
        let found = self.models.iter().enumerate().filter_map(found);
        let (extreme, timid): (Vec<_>, Vec<_>) = found.partition(Miscalibrated::is_too_extreme);
        let told = [extreme, timid].into_iter().filter(|models| !models.is_empty());
        told.map(|models| Warning::PoorCalibration { models, mended_by: None })
            .chain((0..self.models.len()).filter_map(|place| self.certain_mistakes(place, &slope)))
            .collect()
    }

    /// Certain probabilities that proved wrong, where the calibration slope has no interval because they are few.
    fn certain_mistakes(&self, place: usize, slope: &Measure) -> Option<Warning> {
        let model = &self.models[place];
        let is_hidden = self.answer(place, slope)?.interval == Err(NoInterval::FewCertainMistakes);
        let CertainRows { rows, wrong } = CertainRows::of(&model.ranking);
        (is_hidden && wrong > 0.0).then(|| Warning::CertainMistakes {
            model: model.name.clone(),
            certain: rows as u64,
            wrong: wrong.ceil() as u64,
        })
    }

    /// Every rule once, with what each model found by it.
    fn cutoffs(&self) -> Vec<(CutoffRule, Vec<(usize, &Found)>)> {
        let mut rules: Vec<(CutoffRule, Vec<(usize, &Found)>)> = Vec::new();
        for (place, report) in self.reports.iter().enumerate() {
            for (rule, found) in report.questions.rules.iter().zip(&report.cutoffs) {
                match rules.iter_mut().find(|(known, _)| known == rule) {
                    Some((_, all)) => all.push((place, found)),
                    None => rules.push((*rule, vec![(place, found)])),
                }
            }
        }
        rules
    }

    /// The models with a cut-off for which something holds.
    fn with_cutoff(&self, is_one: impl Fn(&Cutoff) -> bool) -> Option<Vec<String>> {
        self.those(|place| self.reports[place].cutoffs.iter().flatten().any(&is_one))
    }

    fn about_cutoffs(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for (cutoff, found) in self.cutoffs() {
            let is_chosen = |place: usize| {
                let found = found.iter().find(|(model, _)| *model == place);
                matches!(found, Some((_, Ok(found))) if found.rule.is_chosen_on_the_data())
            };
            let chosen = self.those(is_chosen);
            warnings.extend(chosen.map(|models| Warning::CutoffChosenOnData { cutoff, models }));
            let none = |(place, found): &(usize, &Found)| {
                let reason: Undefined = found.as_ref().err()?.clone();
                Some(Warning::NoCutoff { model: self.models[*place].name.clone(), cutoff, reason })
            };
            warnings.extend(found.iter().filter_map(none));
        }
        warnings
    }

    /// Where the cut-off is a guess because the scores suggest none.
    fn no_customary_cutoff(&self) -> Option<Warning> {
        let models = self.with_cutoff(|found| matches!(found.rule, CutoffRule::Share(_)))?;
        let share = self.evaluation.data.base_rate.unwrap_or(0.5);
        Some(Warning::NoCustomaryCutoff { models, share })
    }

    /// Where the customary cut-off, which nobody chose, flags nobody or everybody.
    fn idle_customary_cutoff(&self) -> Option<Warning> {
        let at = |share: f64| {
            self.with_cutoff(|found| matches!(found.rule, CutoffRule::Score(_)) && found.share == share)
        };
        let idle = |flags_all: bool| {
            let models = at(if flags_all { 1.0 } else { 0.0 })?;
            Some(Warning::IdleCutoff { models, flags_all })
        };
        idle(false).or_else(|| idle(true))
    }

    /// Rows that cannot be drawn again, do not line up, are a sample, or are scored alike.
    fn about_rows(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if self.tables.len() > 1 {
            warnings.push(Warning::RowsDoNotLineUp);
        }
        let sampled = self.tables.iter().find(|table| !table.is_whole() && !table.truth.is_empty());
        warnings.extend(sampled.map(|table| Warning::SampledRows { rows: table.truth.len() }));
        for table in self.tables {
            for (a, b) in super::compare::pairs(table.models.len(), None) {
                if table.scores[a] == table.scores[b] {
                    let models = [a, b].map(|place| self.models[table.models[place]].name.clone());
                    warnings.push(Warning::SameScores { models });
                }
            }
        }
        warnings
    }

    fn about_folds(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        match self.evaluation.data.folds.as_slice() {
            [] => {}
            [only] => warnings.push(Warning::OneFold { fold: only.clone() }),
            _ => {
                let is_tested = !self.evaluation.fold_tests.is_empty();
                warnings.extend(is_tested.then_some(Warning::FoldsShareTraining));
                warnings.extend(self.few_in_fold());
                warnings.extend(self.unstable_folds());
            }
        }
        let repetitions = self.design.n_repetitions;
        if repetitions > 1 {
            warnings.push(Warning::RepeatedFolds { repetitions });
        }
        warnings
    }

    fn few_in_fold(&self) -> Option<Warning> {
        let model = self.models.first()?;
        let positives = model.ranking.positives().rows;
        let is_rare = 2.0 * positives <= model.ranking.n_rows();
        let rarer = |ranking: &Ranking| {
            let positives = ranking.positives().rows;
            (if is_rare { positives } else { ranking.n_rows() - positives }) as u64
        };
        let n_times = self.design.n_times_each_case(&model.folds) as u64;
        few_in_fold(rarer(&model.ranking) / n_times.max(1), model.folds.iter().map(rarer))
    }

    /// The AUROCs of the folds of the model that ranks best.
    fn unstable_folds(&self) -> Option<Warning> {
        let defined = (0..self.models.len()).filter_map(|place| Some((place, self.auroc(place)?)));
        let (best, _) = defined.reduce(|best, next| if next.1 > best.1 { next } else { best })?;
        let report = &self.reports[best];
        let asked = report.questions.all.iter().position(|question| question.measure == Measure::AUROC)?;
        let values: Vec<f64> = report.folds.iter().filter_map(|answers| answers[asked].estimate()).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let sd = (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt());
        unstable_folds(&self.models[best].name, &Measure::AUROC, values.into_iter(), sd)
    }
}

/// So many models are named in a sentence.
const MOST_NAMED: usize = 5;

/// The same as a list in a sentence: `a, b and c`.
pub(crate) fn together<'a>(models: impl Iterator<Item = &'a str>) -> Option<String> {
    let models: Vec<&str> = models.collect();
    match &models[..] {
        [first @ .., last] if !first.is_empty() && models.len() <= MOST_NAMED => {
            Some(format!("{} and {last}", first.join(", ")))
        }
        all => named(all.iter().copied()),
    }
}

/// The first few of some models by name; nothing where there are none.
pub(crate) fn named<'a>(models: impl Iterator<Item = &'a str>) -> Option<String> {
    let models: Vec<&str> = models.collect();
    match models.len() {
        0 => None,
        n if n <= MOST_NAMED => Some(models.join(", ")),
        n => Some(format!("{} and {} more", models[..MOST_NAMED].join(", "), n - MOST_NAMED)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_a_sentence_end_with_and() {
        let check = |names: &[&str], expected: Option<&str>| {
            assert_eq!(together(names.iter().copied()).as_deref(), expected);
        };
        check(&[], None);
        check(&["Model B"], Some("Model B"));
        check(&["Model B", "Rules"], Some("Model B and Rules"));
        check(&["a", "b", "c"], Some("a, b and c"));
        check(&["Wald, groß"], Some("Wald, groß"));
        check(&["5 more, or less", "b"], Some("5 more, or less and b"));
        check(&["a", "b", "c", "d", "e", "f"], Some("a, b, c, d, e and 1 more"));
    }
}
