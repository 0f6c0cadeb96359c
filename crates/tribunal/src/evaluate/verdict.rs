//! The answer in plain words: which model is best, and which cannot be told apart from it.
//!
//! It is found among figures and tests that name models and metrics by their places; words are made of it at the end.

use tribunal_eval::Split;
use tribunal_eval::intervals::normal_sf;
use tribunal_eval::metrics::{Better, Measure};
use tribunal_eval::significance::holm;

use super::compare::RowTest;
use super::request::EvaluateRequest;
use super::rows::PooledFigure;
use super::warnings::{named, together};
use crate::decision::DecideBy;
use crate::metric_info::metric_name;
use crate::results::{BaselineKind, BaselineStanding, FoldTests, Groups, ModelBaseline, Standing, Verdict};
use crate::words::p_in_words;

/// What a verdict is made from.
pub(super) struct Findings<'a> {
    pub(super) request: &'a EvaluateRequest,
    /// The names of the models.
    pub(super) models: &'a [String],
    /// Model by model, question by question, then the metrics of amounts.
    pub(super) figures: &'a [Vec<PooledFigure>],
    /// Tests on rows.
    pub(super) tests: &'a [RowTest],
    /// Tests over folds, each with the place of its question.
    pub(super) fold_tests: Vec<(usize, &'a FoldTests)>,
    /// The weights of the classes.
    pub(super) totals: Split,
    /// The standard errors that the AUROCs of the models would have by chance alone.
    pub(super) null_errors: &'a [f64],
    /// The p value of a model's answer to a question beside what the same answer for everybody is worth on the same cases.
    pub(super) beside_constant: &'a (dyn Fn(usize, usize) -> Option<f64> + Sync),
}

/// A model by its place, with its figure.
#[derive(Clone, Copy)]
struct Ranked {
    model: usize,
    estimate: f64,
    /// Whether the figure is what new cases would give at a cut-off that was chosen on these.
    is_corrected: bool,
    ends: Option<(f64, f64)>,
    standing: Option<Standing>,
}

/// A model against what takes no learning.
struct Beside {
    model: usize,
    standing: BaselineStanding,
    p_adjusted: f64,
}

impl Findings<'_> {
    /// Which model ranks best, in a few sentences.
    pub(super) fn verdict(&self) -> Verdict {
        let Some((question, measure)) = self.deciding() else {
            let sentence = "No model can be ranked: no figure that says better or worse has a value.";
            return Verdict { sentence: sentence.into(), metric: "auroc".into(), ..Verdict::default() };
        };
        let ranking = self.ranking(question, measure.metric.better);
        let baseline = measure.of_constant(self.totals).ok();
        let beside =
            baseline.map_or_else(Vec::new, |baseline| self.beside(&ranking, question, (measure, baseline)));
        let answer = Answer {
            findings: self,
            question,
            measure,
            ranking,
            baseline: baseline.unwrap_or_default(),
            beside,
        };
        answer.verdict()
    }

    /// Whether each model ranks better than a random order, by its AUROC, whatever decides.
    pub(super) fn auroc_standings(&self) -> Vec<Option<BaselineStanding>> {
        let of_model =
            |figures: &Vec<PooledFigure>| figures.iter().position(|figure| figure.measure == Measure::AUROC);
        let mut standings = vec![None; self.models.len()];
        let Some(question) = self.figures.iter().find_map(of_model) else { return standings };
        let ranking = self.ranking(question, Better::Higher);
        for beside in self.beside(&ranking, question, (Measure::AUROC, 0.5)) {
            standings[beside.model] = Some(beside.standing);
        }
        standings
    }

    /// The AUROC where it was asked for, otherwise the first metric with a direction that has a value; by the place of its
    /// first question.
    fn deciding(&self) -> Option<(usize, Measure)> {
        let has_direction =
            |measure: &Measure| matches!(measure.metric.better, Better::Higher | Better::Lower);
        let defined = || {
            let figures = self.figures.iter().flatten();
            figures.filter(|figure| figure.estimate.is_some()).map(|figure| figure.measure)
        };
        let asked = match self.request.decision.decide_by {
            Some(DecideBy::Metric(measure)) => Some(measure),
            _ => None,
        };
        let measure = defined()
            .find(|measure| *measure == asked.unwrap_or(Measure::AUROC))
            .or_else(|| defined().find(has_direction))?;
        let asked = self
            .figures
            .iter()
            .find_map(|of_model| of_model.iter().position(|figure| figure.measure == measure));
        Some((asked?, measure))
    }

    /// The models that have a figure, from best to worst.
    fn ranking(&self, question: usize, better: Better) -> Vec<Ranked> {
        let ranked = |(model, figures): (usize, &Vec<PooledFigure>)| {
            let PooledFigure { estimate, is_corrected, ends, standing, .. } = *figures.get(question)?;
            Some(Ranked { model, estimate: estimate?, is_corrected, ends, standing })
        };
        let mut ranking: Vec<Ranked> = self.figures.iter().enumerate().filter_map(ranked).collect();
        ranking.sort_by(|a, b| better.gain(b.estimate).total_cmp(&better.gain(a.estimate)));
        ranking
    }

    /// Every model whose figure has an interval against what takes no learning. The standard error is that of the
    /// interval's arm towards the baseline, or that of a random order where that is larger: DeLong's variance of a handful
    /// of positives is far too small. Where the baseline varies with the base rate, the two are judged by the same cases and the test is
    /// a paired one. p values are adjusted by Holm, since the best of many on noise often leaves the baseline behind.
    fn beside(
        &self,
        ranking: &[Ranked],
        question: usize,
        (measure, baseline): (Measure, f64),
    ) -> Vec<Beside> {
        let (level, better) = (self.request.level, measure.metric.better);
        let null_error = |model: usize| match measure == Measure::AUROC {
            true => self.null_errors.get(model).copied().unwrap_or(0.0),
            false => 0.0,
        };
        let test = |&Ranked { model, estimate, ends, .. }: &Ranked| {
            let towards =
                |(lower, upper)| if estimate > baseline { estimate - lower } else { upper - estimate };
            let arm = ends.map_or(0.0, towards);
            let standard_error = f64::max(arm / level.z(), null_error(model));
            if ends.is_none() && standard_error <= 0.0 {
                return None;
            }
            let p = match (estimate - baseline).abs() {
                0.0 => 1.0,
                distance => (self.beside_constant)(model, question)
                    .unwrap_or_else(|| (2.0 * normal_sf(distance / standard_error)).min(1.0)),
            };
            Some((model, better.gain(estimate) - better.gain(baseline), p))
        };
        let tested: Vec<(usize, f64, f64)> = ranking.iter().filter_map(test).collect();
        let adjusted = holm(&tested.iter().map(|(.., p)| *p).collect::<Vec<f64>>()).unwrap_or_default();
        let of = |((model, gain, _), p_adjusted): ((usize, f64, f64), f64)| Beside {
            model,
            standing: BaselineStanding::of(gain, p_adjusted, level.alpha()),
            p_adjusted,
        };
        tested.into_iter().zip(adjusted).map(of).collect()
    }
}

/// What was found by the deciding metric; the models stand from best to worst.
struct Answer<'a> {
    findings: &'a Findings<'a>,
    question: usize,
    measure: Measure,
    ranking: Vec<Ranked>,
    /// What takes no learning is worth so much.
    baseline: f64,
    beside: Vec<Beside>,
}

impl<'a> Answer<'a> {
    fn verdict(&self) -> Verdict {
        let names =
            |models: &[Ranked]| models.iter().map(|ranked| self.name(ranked.model).to_owned()).collect();
        let baseline = |beside: &Beside| ModelBaseline {
            model: self.name(beside.model).to_owned(),
            kind: BaselineKind::of(&self.measure),
            baseline: self.baseline,
            p_adjusted: beside.p_adjusted,
            standing: beside.standing,
        };
        Verdict {
            sentence: self.sentences(),
            metric: self.measure.to_string(),
            ranking: names(&self.ranking),
            level_with_best: names(&self.level()),
            worse: names(&self.worse()),
            test: self.ranking.get(1).and_then(|second| self.test(second)).map(|test| test.tested.test),
            margin: self.findings.request.margin_of_metrics(),
            baselines: self.beside.iter().map(baseline).collect(),
        }
    }

    fn name(&self, model: usize) -> &'a str {
        &self.findings.models[model]
    }

    fn is_auroc(&self) -> bool {
        self.measure == Measure::AUROC
    }

    fn sentences(&self) -> String {
        let Some(best) = self.ranking.first() else { return String::new() };
        let mut sentences = vec![self.best(best)];
        sentences.extend(self.level_sentence(best));
        sentences.extend(self.worse_sentence(best));
        let of_metric = |(question, _): &&(usize, &FoldTests)| {
            self.findings.figures.first().is_some_and(|figures| figures[*question].measure == self.measure)
        };
        let worse: Vec<&str> = self.worse().iter().map(|ranked| self.name(ranked.model)).collect();
        let tests = self.findings.fold_tests.iter().find(of_metric);
        sentences.extend(
            tests.map(|(_, tests)| over_folds(tests, &worse, self.findings.request.margin_of_metrics())),
        );
        sentences.join(" ")
    }

    fn best(&self, best: &Ranked) -> String {
        let beside = self.beside.iter().find(|beside| beside.model == best.model);
        match beside.map(|beside| beside.standing) {
            Some(BaselineStanding::Level) => self.no_better(best),
            Some(BaselineStanding::Worse) => self.even_worse(best),
            _ => self.well_ranked(best),
        }
    }

    /// That even the best model may be worth no more than what takes no learning.
    fn no_better(&self, best: &Ranked) -> String {
        let (name, figure, baseline) = (self.name(best.model), self.figure(best), self.baseline);
        let words = BaselineKind::of(&self.measure).in_words();
        match self.ranking.len() {
            1 => format!("{name} is not shown to be better than {words} ({baseline:.3}): {figure}."),
            n => format!(
                "No model is shown to be better than {words} ({baseline:.3}): the best of {n}, {name}, has {figure}."
            ),
        }
    }

    /// That even the best model is worse than what takes no learning.
    fn even_worse(&self, best: &Ranked) -> String {
        let (name, figure, baseline) = (self.name(best.model), self.figure(best), self.baseline);
        if !self.is_auroc() {
            let words = BaselineKind::of(&self.measure).in_words();
            let best_possible = self.measure.metric.better.gain(baseline)
                >= self.measure.metric.better.gain(self.measure.metric.range.1);
            if BaselineKind::of(&self.measure) == BaselineKind::OnePrediction && best_possible {
                return format!(
                    "By {} alone nothing beats {words}, which reaches {baseline:.3}: {name} has {figure}. Read it beside a figure of \
                     the other class.",
                    metric_name(&self.measure.to_string())
                );
            }
            let who = match self.ranking.len() {
                1 => name.to_owned(),
                _ => format!("Even the best model, {name},"),
            };
            return format!("{who} is worse than {words} ({baseline:.3}): {figure}.");
        }
        let which = match self.ranking.len() {
            1 => format!("{name} ranks the wrong way round ({figure})"),
            n => format!("All {n} models rank the wrong way round (the best is {name}: {figure})"),
        };
        format!("{which}: the higher the score, the fewer positives. Check the direction of the scores.")
    }

    fn well_ranked(&self, best: &Ranked) -> String {
        let (name, figure) = (self.name(best.model), self.figure(best));
        let meaning = if self.is_auroc() { format!(": {}", meaning(best.estimate)) } else { String::new() };
        let verb = if self.is_auroc() { "ranks" } else { "is" };
        match self.ranking.len() {
            1 if self.is_auroc() => format!("{name} ranks {} ({figure}){meaning}.", quality(best.estimate)),
            1 => format!("{name} reaches {figure}."),
            n => format!("{name} {verb} best of {n} models ({figure}){meaning}."),
        }
    }

    /// A figure with its interval.
    fn figure(&self, ranked: &Ranked) -> String {
        let name = if self.is_auroc() { "AUROC".to_owned() } else { self.measure.to_string() };
        let rule = self.findings.figures[ranked.model][self.question].rule;
        let at = rule.map_or_else(String::new, |rule| format!(" at {rule}"));
        let new = if ranked.is_corrected { " on new cases" } else { "" };
        let figure = format!("{name} {:.3}{at}{new}", ranked.estimate);
        match ranked.ends {
            Some((lower, upper)) => {
                format!("{figure}, {} interval {lower:.3} to {upper:.3}", self.findings.request.level)
            }
            None => figure,
        }
    }

    /// The test of a model against the best.
    fn test(&self, ranked: &Ranked) -> Option<&'a RowTest> {
        let best = self.ranking.first()?.model;
        let mut tests = self.findings.tests.iter();
        tests.find(|test| test.question == self.question && test.is_between(best, ranked.model))
    }

    /// The models that a test cannot tell apart from the best.
    fn level(&self) -> Vec<Ranked> {
        let is_level = |ranked: &Ranked| ranked.standing == Some(Standing::Level);
        self.ranking.iter().copied().filter(is_level).collect()
    }

    /// The models that a test finds worse than the best.
    fn worse(&self) -> Vec<Ranked> {
        let others = self.ranking.iter().copied().skip(1);
        others.filter(|ranked| ranked.standing.is_none() && self.test(ranked).is_some()).collect()
    }

    fn named(&self, models: &[Ranked]) -> Option<String> {
        together(models.iter().map(|ranked| self.name(ranked.model)))
    }

    fn level_sentence(&self, best: &Ranked) -> Option<String> {
        let level = self.level();
        let names = self.named(&level)?;
        let nearest = self.difference(best, &level[0]);
        let margin = self.findings.request.margin_of_metrics();
        Some(if margin > 0.0 {
            format!("{names} cannot be shown to be worse by more than {margin}{nearest}.")
        } else {
            format!("{names} cannot be told apart from it{nearest}.")
        })
    }

    fn worse_sentence(&self, best: &Ranked) -> Option<String> {
        let worse = self.worse();
        let names = self.named(&worse)?;
        let verb = if worse.len() == 1 { "is" } else { "are" };
        let nearest = self.difference(best, &worse[0]);
        let margin = self.findings.request.margin_of_metrics();
        let margin = if margin > 0.0 { format!(" by more than {margin}") } else { String::new() };
        Some(format!("{names} {verb} worse{margin}{nearest}."))
    }

    /// The difference from the best to one model, in parentheses; nothing where it was not tested.
    fn difference(&self, best: &Ranked, other: &Ranked) -> String {
        let Some(test) = self.test(other) else { return String::new() };
        let (difference, lower, upper) = test.seen_from(best.model);
        let whose = match self.ranking.len() {
            0..=2 => String::new(),
            _ => format!("to {}: ", self.name(other.model)),
        };
        let adjusted = if self.ranking.len() > 2 { "adjusted " } else { "" };
        format!(
            " ({whose}difference {}, {} to {}, {adjusted}{}, {})",
            in_digits(difference),
            in_digits(lower),
            in_digits(upper),
            p_in_words(test.p_adjusted),
            test.tested.test.in_words()
        )
    }
}

/// Three decimals, unless they would show a difference as none.
fn in_digits(value: f64) -> String {
    match value.abs() < 0.0005 && value != 0.0 {
        true => format!("{value:.1e}"),
        false => format!("{value:.3}"),
    }
}

/// What the tests over folds say of the best mean, the liberal one beside the strict ones. `worse` are those whom tests on cases
/// find worse than the best.
fn over_folds(tests: &FoldTests, worse: &[&str], margin: f64) -> String {
    let top = |groups: &Groups| groups.subsets.first().cloned().unwrap_or_default();
    let tops = [&tests.duncan, &tests.tukey, &tests.nemenyi].map(top);
    let is_worse = |name: &String| worse.contains(&name.as_str());
    let any = if margin > 0.0 { ", where any difference counts," } else { "" };
    let why = match tops.iter().flatten().any(is_worse) {
        true => "; they see one figure a fold and can show less than tests on cases",
        false => "",
    };
    let words = tops.each_ref().map(|top| named(top.iter().map(String::as_str)).unwrap_or_default());
    let members = tops.map(|mut top| {
        top.sort_unstable();
        top
    });
    let [duncan, tukey, nemenyi] = words;
    if members[0] == members[1] && members[1] == members[2] {
        return format!(
            "Over the folds{any} Duncan's, Tukey's and Nemenyi's tests agree on the best group: {duncan}{why}."
        );
    }
    format!(
        "Over the folds{any} the tests disagree on the best group: {duncan} (Duncan, liberal), {tukey} (Tukey), {nemenyi} \
         (Nemenyi, on ranks){why}."
    )
}

fn quality(auroc: f64) -> &'static str {
    match auroc {
        a if a < 0.5 => "worse than chance",
        a if a < 0.6 => "hardly better than chance",
        a if a < 0.7 => "poorly",
        a if a < 0.8 => "fairly",
        a if a < 0.9 => "well",
        _ => "very well",
    }
}

fn meaning(auroc: f64) -> String {
    format!("a positive case scores higher than a negative one in {:.0} of 100 pairs", 100.0 * auroc)
}
