//! Tests over the folds of a cross-validation: analysis of variance, Duncan and the stricter tests beside it.
//!
//! The folds of one cross-validation share training rows, so every p value here is approximate (Dietterich 1998; Nadeau
//! and Bengio 2003).

use tribunal_eval::Error;
use tribunal_eval::intervals::{Level, TestRows};
use tribunal_eval::metrics::Better;
use tribunal_eval::significance::{
    Differences, Effect, FiveByTwo, FoldTable, Gate, Subsets, TestToTrain, corrected_t, duncan,
    duncan_pairwise_p, five_by_two_f, five_by_two_t, friedman, holm, nemenyi, paired_t, tukey,
};
use tribunal_eval::{CutoffRule, Ranking};

use super::measure::{Answer, Report};
use super::questions::Question;
use super::request::EvaluateRequest;
use crate::results::{Comparison, Evaluation, FoldTests, Groups};
use crate::test_name::Test;
use crate::warning::Warning;

/// How the folds came about, as far as their names tell.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FoldDesign {
    /// For each fold its repetition and its place in it.
    pub(super) cells: Vec<(usize, usize)>,
    pub(super) n_repetitions: usize,
    pub(super) n_folds: usize,
}

impl FoldDesign {
    /// Names such as `3.2` or `r3-f2`, every repetition with every fold, mean a repeated cross-validation; any
    /// others mean one.
    pub(super) fn of(names: &[String]) -> Self {
        Self::repeated(names).unwrap_or_else(|| Self {
            cells: (0..names.len()).map(|fold| (0, fold)).collect(),
            n_repetitions: 1,
            n_folds: names.len(),
        })
    }

    fn repeated(names: &[String]) -> Option<Self> {
        let (mut repetitions, mut folds): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
        let place = |known: &mut Vec<&'_ str>, name| known.iter().position(|other| *other == name);
        let mut cells = Vec::new();
        for name in names {
            let (repetition, fold) = name.rsplit_once(['.', '-', '_', ':', '/'])?;
            if place(&mut repetitions, repetition).is_none() {
                repetitions.push(repetition);
            }
            if place(&mut folds, fold).is_none() {
                folds.push(fold);
            }
            cells.push((place(&mut repetitions, repetition)?, place(&mut folds, fold)?));
        }
        let (n_repetitions, n_folds) = (repetitions.len(), folds.len());
        let complete = n_repetitions * n_folds == names.len() && n_repetitions > 1 && n_folds > 1;
        complete.then_some(Self { cells, n_repetitions, n_folds })
    }

    /// How often each case stands in the list: as often as the cross-validation was repeated, if every repetition holds the
    /// same classes. Names alone do not tell: sites of several years look like repetitions too.
    pub(super) fn n_times_each_case(&self, folds: &[Ranking]) -> usize {
        let mut held = vec![(0.0, 0.0); self.n_repetitions];
        for (fold, &(repetition, _)) in folds.iter().zip(&self.cells) {
            let totals = fold.totals();
            held[repetition].0 += totals.positive;
            held[repetition].1 += totals.negative;
        }
        let is_close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs());
        let is_same = |&(p, n): &(f64, f64)| is_close(p, held[0].0) && is_close(n, held[0].1);
        if held.iter().all(is_same) { self.n_repetitions } else { 1 }
    }

    fn is_five_by_two(&self) -> bool {
        (self.n_repetitions, self.n_folds) == (5, 2)
    }

    /// Share of test to training rows of each fold.
    pub(super) fn test_to_train(&self) -> Result<TestToTrain, Error> {
        TestToTrain::from_folds(self.n_folds)
    }

    /// How the test rows of the folds lie to each other.
    pub(super) fn test_rows(&self) -> Result<TestRows, Error> {
        match self.n_repetitions {
            1 => Ok(TestRows::Disjoint),
            _ => self.test_to_train().map(TestRows::Overlapping),
        }
    }
}

/// The figures of all models over the folds for one question.
struct FoldFigures<'a> {
    question: &'a Question,
    models: &'a [String],
    folds: &'a [String],
    /// For each model its figure in each fold.
    cells: Vec<Vec<Option<f64>>>,
    pairs: &'a [(usize, usize)],
    level: Level,
}

impl FoldFigures<'_> {
    /// All tests; an error says which cell of the table is missing.
    fn test(&self, design: &FoldDesign) -> Result<(FoldTests, Vec<Comparison>), Error> {
        let table = FoldTable::new(self.models.to_vec(), self.folds.to_vec(), self.cells.clone())?;
        let table = if self.question.measure.metric.better == Better::Lower {
            table.lower_is_better()
        } else {
            table
        };
        let (metric, cutoff) = (self.question.measure.to_string(), self.question.rule);
        let (tests, _) = test_folds(&table, metric, cutoff, self.level)?;
        let (tukey, nemenyi) = (tukey(&table, self.level)?, nemenyi(&tests.friedman, self.level)?);
        let mut rows = self.paired(&table, design)?;
        let is_asked = |a: usize, b: usize| self.pairs.iter().find(|&&pair| pair == (a, b) || pair == (b, a));
        for pair in duncan_pairwise_p(&table)? {
            if let Some(&(a, b)) = is_asked(pair.better, pair.worse) {
                let effect = self.effect(&table, (a, b), design)?;
                rows.push(self.row((a, b), Test::Duncan, &effect).without_interval().with_p(pair.p, None));
            }
        }
        for pair in &tukey.pairs {
            if let Some(&(a, b)) = is_asked(pair.first, pair.second) {
                let effect =
                    if (a, b) == (pair.first, pair.second) { pair.effect } else { turned(pair.effect) };
                rows.push(self.row((a, b), Test::Tukey, &effect).with_p(pair.p, Some(pair.p)));
            }
        }
        for pair in &nemenyi.pairs {
            if let Some(&(a, b)) = is_asked(pair.first, pair.second) {
                let row = self.row((a, b), Test::Nemenyi, &self.effect(&table, (a, b), design)?);
                rows.push(row.without_interval().with_p(pair.p_nemenyi, Some(pair.p_nemenyi)));
            }
        }
        Ok((tests, rows))
    }

    /// The t tests of each pair, adjusted by Holm.
    fn paired(&self, table: &FoldTable, design: &FoldDesign) -> Result<Vec<Comparison>, Error> {
        let mut by_test: Vec<Vec<(Comparison, f64)>> = vec![Vec::new(); 4];
        for &pair in self.pairs {
            let differences = Differences::between(table, pair.0, pair.1)?;
            if differences.are_constant() {
                continue;
            }
            let plain = paired_t(&differences, self.level);
            by_test[0].push((self.row(pair, Test::PairedT, &plain.effect), plain.p));
            let corrected = corrected_t(&differences, design.test_to_train()?, self.level);
            by_test[1].push((self.row(pair, Test::CorrectedT, &corrected.effect), corrected.p));
            if design.is_five_by_two() {
                let runs = five_by_two(differences.values(), design)?;
                let (t, f) = (five_by_two_t(&runs, self.level), five_by_two_f(&runs));
                by_test[2].push((self.row(pair, Test::FiveByTwoT, &t.effect), t.p));
                by_test[3]
                    .push((self.row(pair, Test::FiveByTwoF, &corrected.effect).without_interval(), f.p));
            }
        }
        let mut rows = Vec::new();
        for tested in by_test {
            let adjusted = holm(&tested.iter().map(|(_, p)| *p).collect::<Vec<_>>()).unwrap_or_default();
            rows.extend(
                tested.into_iter().zip(adjusted).map(|((row, p), adjusted)| row.with_p(p, Some(adjusted))),
            );
        }
        Ok(rows)
    }

    /// The mean difference of a pair.
    fn effect(
        &self,
        table: &FoldTable,
        (a, b): (usize, usize),
        design: &FoldDesign,
    ) -> Result<Effect, Error> {
        let differences = Differences::between(table, a, b)?;
        Ok(corrected_t(&differences, design.test_to_train()?, self.level).effect)
    }

    /// Whether all models differ by the same in every fold, which shows nothing of how differences vary.
    fn agree(&self) -> bool {
        let Some((first, others)) = self.cells.split_first() else { return false };
        others.iter().all(|model| {
            let differences =
                model.iter().zip(first).map(|(figure, of_first)| Some((*figure)? - (*of_first)?));
            let differences = differences.collect::<Option<Vec<f64>>>().map(Differences::new);
            differences.is_some_and(|differences| differences.is_ok_and(|found| found.are_constant()))
        })
    }

    fn row(&self, (a, b): (usize, usize), test: Test, effect: &Effect) -> Comparison {
        Comparison::new(&self.models[a], &self.models[b], effect, test)
            .of(self.question.measure.to_string(), self.question.rule)
    }
}

/// The places of those whom each test cannot tell apart from the best, the best first.
#[cfg_attr(not(feature = "learners"), expect(dead_code, reason = "studies read them"))]
pub(crate) struct TopMembers {
    pub(crate) duncan: Vec<usize>,
    pub(crate) tukey: Vec<usize>,
    pub(crate) nemenyi: Vec<usize>,
}

/// Analysis of variance, Duncan's, Tukey's, Friedman's and Nemenyi's tests of a table of folds, with their best groups.
///
/// # Errors
/// The level is none at which they can be asked.
pub(crate) fn test_folds(
    table: &FoldTable,
    metric: String,
    cutoff: Option<CutoffRule>,
    level: Level,
) -> Result<(FoldTests, TopMembers), Error> {
    let duncan = duncan(table, level, Gate::Algorithm)?;
    let tukey = tukey(table, level)?;
    let friedman = friedman(table);
    let nemenyi = nemenyi(&friedman, level)?;
    let groups = |subsets: &Subsets| groups(table.algorithms(), subsets);
    let first = |subsets: &Subsets| subsets.members().first().cloned().unwrap_or_default();
    let top = TopMembers {
        duncan: first(&duncan.subsets),
        tukey: first(&tukey.subsets),
        nemenyi: first(&nemenyi.subsets),
    };
    let tests = FoldTests {
        metric,
        cutoff,
        models: table.algorithms().to_vec(),
        means: table.means(),
        level: level.get(),
        duncan: groups(&duncan.subsets),
        tukey: groups(&tukey.subsets),
        honest_difference: tukey.honest_difference,
        nemenyi: groups(&nemenyi.subsets),
        critical_difference: nemenyi.critical_difference,
        anova: duncan.anova,
        critical_ranges: duncan.critical_ranges,
        friedman,
    };
    Ok((tests, top))
}

fn groups(models: &[String], subsets: &Subsets) -> Groups {
    let name = |model: &usize| models[*model].clone();
    Groups {
        letters: subsets.letters().into_iter().map(|letters| letters.concat()).collect(),
        subsets: subsets.members().iter().map(|members| members.iter().map(name).collect()).collect(),
    }
}

/// Adds the tests over folds, or says why a metric has none. Returns the place of the question of each.
pub(super) fn over_folds(
    evaluation: &mut Evaluation,
    reports: &[Report],
    design: &FoldDesign,
    pairs: &[(usize, usize)],
    request: &EvaluateRequest,
) -> Vec<usize> {
    let mut questions = Vec::new();
    let (models, folds) = (evaluation.data.models.clone(), evaluation.data.folds.clone());
    if folds.len() < 2 || models.len() < 2 {
        return questions;
    }
    for (index, question) in reports[0].questions.all.iter().enumerate() {
        if !is_tested_over_folds(question, request) {
            continue;
        }
        let figure = |answers: &Vec<Answer>| answers[index].estimate();
        let cells = reports.iter().map(|report| report.folds.iter().map(figure).collect()).collect();
        let figures =
            FoldFigures { question, models: &models, folds: &folds, cells, pairs, level: request.level };
        let tested = match figures.agree() {
            true => {
                Err("the models differ by the same in every fold, which shows nothing of how that varies"
                    .into())
            }
            false => figures.test(design).map_err(|reason| reason.to_string()),
        };
        match tested {
            Ok((tests, rows)) => {
                questions.push(index);
                evaluation.fold_tests.push(tests);
                evaluation.comparisons.extend(rows);
            }
            Err(reason) => {
                let (metric, cutoff) = (question.measure.to_string(), question.rule);
                evaluation.warnings.push(Warning::NoFoldTest { metric, cutoff, reason });
            }
        }
    }
    questions
}

/// The figures that stand for the others: testing all of them over folds would bury the answer.
fn is_tested_over_folds(question: &Question, request: &EvaluateRequest) -> bool {
    const USUAL: [&str; 4] = ["auroc", "average_precision", "pcc", "brier"];
    let metric = question.measure.metric;
    let asked = !request.metrics.is_empty() || USUAL.contains(&metric.id);
    asked && matches!(metric.better, Better::Higher | Better::Lower)
}

/// The difference seen from the other side.
fn turned(effect: Effect) -> Effect {
    let (lower, upper) = (-effect.interval.upper, -effect.interval.lower);
    let interval = tribunal_eval::intervals::Interval { lower, upper, ..effect.interval };
    Effect { difference: -effect.difference, interval }
}

fn five_by_two(differences: &[f64], design: &FoldDesign) -> Result<FiveByTwo, Error> {
    let mut runs = [[0.0; 2]; 5];
    for (&difference, &(repetition, fold)) in differences.iter().zip(&design.cells) {
        runs[repetition][fold] = difference;
    }
    FiveByTwo::new(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn names_tell_repeated_folds_from_single_ones() {
        let design = FoldDesign::of(&names(&["r1.f1", "r1.f2", "r2.f1", "r2.f2"]));
        assert_eq!((design.n_repetitions, design.n_folds), (2, 2));
        assert_eq!(design.cells, [(0, 0), (0, 1), (1, 0), (1, 1)]);
        for single in [&["1", "2", "3"][..], &["a.1", "b.2", "c.3"], &["a.1", "a.2"], &["fold-1", "fold-2"]] {
            let design = FoldDesign::of(&names(single));
            assert_eq!((design.n_repetitions, design.n_folds), (1, single.len()), "{single:?}");
        }
        let ten: Vec<String> = (1..=5).flat_map(|r| [format!("{r}/1"), format!("{r}/2")]).collect();
        assert!(FoldDesign::of(&ten).is_five_by_two());
    }
}
