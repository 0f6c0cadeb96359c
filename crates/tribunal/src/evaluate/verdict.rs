//! The answer in plain words: which model is best, and which cannot be told apart from it.

use tribunal_eval::Split;
use tribunal_eval::intervals::{Level, normal_sf};
use tribunal_eval::metrics::{Better, Measure};
use tribunal_eval::significance::holm;

use super::request::EvaluateRequest;
use super::warnings::named;
use crate::results::{
    BaselineKind, BaselineStanding, Comparison, Evaluation, FoldTests, MetricRow, ModelBaseline, Standing,
    Verdict,
};

/// Which model ranks best, in a few sentences.
///
/// `null_errors` are the standard errors that the AUROCs of the models would have by chance alone.
pub(super) fn verdict(
    evaluation: &Evaluation,
    request: &EvaluateRequest,
    totals: Split,
    null_errors: &[f64],
) -> Verdict {
    let Some((metric, better)) = deciding_metric(evaluation) else {
        let sentence = "No model can be ranked: no figure that says better or worse has a value.";
        return Verdict { sentence: sentence.into(), metric: "auroc".into(), ..Verdict::default() };
    };
    let mut rows: Vec<&MetricRow> =
        pooled(evaluation, &metric).filter(|row| row.estimate.is_some()).collect();
    let gain = |row: &MetricRow| row.estimate.map_or(f64::NAN, |estimate| better.gain(estimate));
    rows.sort_by(|a, b| gain(b).total_cmp(&gain(a)));
    let null_error = |model: &str| {
        let place = evaluation.data.models.iter().position(|name| name == model)?;
        null_errors.get(place).copied().filter(|_| metric == Measure::AUROC.to_string())
    };
    let baselines = baselines(&metric, &rows, totals, request.level, null_error);
    let answer = Answer { evaluation, request, metric: &metric, rows, baselines: &baselines };
    let names = |rows: &[&MetricRow]| rows.iter().map(|row| row.model.clone()).collect::<Vec<_>>();
    Verdict {
        sentence: answer.sentences(),
        ranking: names(&answer.rows),
        level_with_best: names(&answer.level()),
        worse: names(&answer.worse()),
        test: answer.rows.get(1).and_then(|second| answer.test(second)).map(|test| test.test),
        margin: request.margin,
        metric,
        baselines,
    }
}

/// Every model whose figure has an interval against what takes no learning. The standard error is that of the interval's
/// arm towards the baseline, or that of a random order where that is larger: DeLong's variance of a handful of positives
/// is far too small. p values are adjusted by Holm, since the best of many on noise often leaves the baseline behind.
fn baselines(
    metric: &str,
    rows: &[&MetricRow],
    totals: Split,
    level: Level,
    null_error: impl Fn(&str) -> Option<f64>,
) -> Vec<ModelBaseline> {
    let Ok(measure) = metric.parse::<Measure>() else { return Vec::new() };
    let Ok(baseline) = measure.of_constant(totals) else { return Vec::new() };
    let better = measure.metric.better;
    let test = |row: &&MetricRow| {
        let (estimate, lower, upper) = (row.estimate?, row.lower?, row.upper?);
        let arm = if estimate > baseline { estimate - lower } else { upper - estimate };
        let standard_error = f64::max(arm / level.z(), null_error(&row.model).unwrap_or(0.0));
        let p = match (estimate - baseline).abs() {
            0.0 => 1.0,
            distance => (2.0 * normal_sf(distance / standard_error)).min(1.0),
        };
        Some((row.model.clone(), better.gain(estimate) - better.gain(baseline), p))
    };
    let tested: Vec<(String, f64, f64)> = rows.iter().filter_map(test).collect();
    let adjusted = holm(&tested.iter().map(|(.., p)| *p).collect::<Vec<f64>>()).unwrap_or_default();
    let of = |((model, gain, _), p_adjusted): ((String, f64, f64), f64)| ModelBaseline {
        model,
        kind: BaselineKind::of(&measure),
        baseline,
        p_adjusted,
        standing: BaselineStanding::of(gain, p_adjusted, level.alpha()),
    };
    tested.into_iter().zip(adjusted).map(of).collect()
}

/// The AUROC where it was asked for, otherwise the first metric with a direction that has a value.
fn deciding_metric(evaluation: &Evaluation) -> Option<(String, Better)> {
    let direction = |row: &MetricRow| {
        let better = row.metric.parse::<Measure>().ok()?.metric.better;
        matches!(better, Better::Higher | Better::Lower).then_some(better)
    };
    let defined = || evaluation.metrics.iter().filter(|row| row.fold.is_none() && row.estimate.is_some());
    let first = defined()
        .find(|row| row.metric == "auroc")
        .or_else(|| defined().find(|row| direction(row).is_some()))?;
    Some((first.metric.clone(), direction(first)?))
}

/// Figures over all rows; of those at cut-offs the first cut-off.
pub(super) fn pooled<'a>(evaluation: &'a Evaluation, metric: &'a str) -> impl Iterator<Item = &'a MetricRow> {
    let of_metric = move |row: &&MetricRow| row.metric == metric && row.fold.is_none();
    evaluation
        .data
        .models
        .iter()
        .filter_map(move |model| evaluation.metrics.iter().filter(of_metric).find(|row| &row.model == model))
}

/// What the sentences are made from; the rows stand from best to worst.
struct Answer<'a> {
    evaluation: &'a Evaluation,
    request: &'a EvaluateRequest,
    metric: &'a str,
    rows: Vec<&'a MetricRow>,
    baselines: &'a [ModelBaseline],
}

impl<'a> Answer<'a> {
    fn sentences(&self) -> String {
        let Some(best) = self.rows.first() else { return String::new() };
        let mut sentences = vec![self.best(best)];
        sentences.extend(self.level_sentence(best));
        sentences.extend(self.worse_sentence(best));
        let of_metric = |tests: &&FoldTests| tests.metric == self.metric;
        sentences.extend(self.evaluation.fold_tests.iter().find(of_metric).map(over_folds));
        sentences.join(" ")
    }

    fn best(&self, best: &MetricRow) -> String {
        let test = self.baselines.iter().find(|test| test.model == best.model);
        match test.map(|test| (test, test.standing)) {
            Some((test, BaselineStanding::Level)) => self.no_better_than(best, test),
            Some((test, BaselineStanding::Worse)) => self.worse_than(best, test),
            _ => self.well_ranked(best),
        }
    }

    /// That even the best model may be worth no more than what takes no learning.
    fn no_better_than(&self, best: &MetricRow, test: &ModelBaseline) -> String {
        let (name, figure, baseline) = (&best.model, self.figure(best), test.baseline);
        let words = test.kind.in_words();
        match self.rows.len() {
            1 => format!("{name} is not shown to be better than {words} ({baseline:.3}): {figure}."),
            n => format!(
                "No model is shown to be better than {words} ({baseline:.3}): the best of {n}, {name}, has {figure}."
            ),
        }
    }

    /// That even the best model is worse than what takes no learning.
    fn worse_than(&self, best: &MetricRow, test: &ModelBaseline) -> String {
        let (name, figure, baseline) = (&best.model, self.figure(best), test.baseline);
        if self.metric != "auroc" {
            let words = test.kind.in_words();
            let who =
                if self.rows.len() == 1 { name.clone() } else { format!("Even the best model, {name},") };
            return format!("{who} is worse than {words} ({baseline:.3}): {figure}.");
        }
        let which = match self.rows.len() {
            1 => format!("{name} ranks the wrong way round ({figure})"),
            n => format!("All {n} models rank the wrong way round (the best is {name}: {figure})"),
        };
        format!("{which}: the higher the score, the fewer positives. Check the direction of the scores.")
    }

    fn well_ranked(&self, best: &MetricRow) -> String {
        let (name, figure) = (&best.model, self.figure(best));
        let estimate = best.estimate.unwrap_or_default();
        let meaning = if self.metric == "auroc" { format!(": {}", meaning(estimate)) } else { String::new() };
        match self.rows.len() {
            1 if self.metric == "auroc" => format!("{name} ranks {} ({figure}){meaning}.", quality(estimate)),
            1 => format!("{name} reaches {figure}."),
            n => format!("{name} {} best of {n} models ({figure}){meaning}.", self.verb()),
        }
    }

    fn verb(&self) -> &'static str {
        if self.metric == "auroc" { "ranks" } else { "is" }
    }

    /// A figure with its interval.
    fn figure(&self, row: &MetricRow) -> String {
        let name = if self.metric == "auroc" { "AUROC" } else { self.metric };
        let estimate = row.estimate.unwrap_or_default();
        match (row.lower, row.upper) {
            (Some(lower), Some(upper)) => {
                format!("{name} {estimate:.3}, {} interval {lower:.3} to {upper:.3}", self.request.level)
            }
            _ => format!("{name} {estimate:.3}"),
        }
    }

    /// The test of a model against the best.
    fn test(&self, row: &MetricRow) -> Option<&'a Comparison> {
        let best = self.rows.first()?;
        self.evaluation.comparisons.iter().find(|test| {
            test.is_on_rows()
                && test.metric == self.metric
                && test.cutoff == row.cutoff
                && test.is_between(&best.model, &row.model)
        })
    }

    /// The models that a test cannot tell apart from the best.
    fn level(&self) -> Vec<&'a MetricRow> {
        self.rows.iter().copied().filter(|row| row.standing == Some(Standing::Level)).collect()
    }

    /// The models that a test finds worse than the best.
    fn worse(&self) -> Vec<&'a MetricRow> {
        let others = self.rows.iter().copied().skip(1);
        others.filter(|row| row.standing.is_none() && self.test(row).is_some()).collect()
    }

    fn level_sentence(&self, best: &MetricRow) -> Option<String> {
        let level = self.level();
        let names = named(level.iter().map(|row| row.model.as_str()))?;
        let nearest = self.test(level[0]).map(|test| self.difference(best, test)).unwrap_or_default();
        Some(if self.request.margin > 0.0 {
            format!("{names} cannot be shown to be worse by more than {} ({nearest}).", self.request.margin)
        } else {
            format!("{names} cannot be told apart from it ({nearest}).")
        })
    }

    fn worse_sentence(&self, best: &MetricRow) -> Option<String> {
        let worse = self.worse();
        let names = named(worse.iter().map(|row| row.model.as_str()))?;
        let verb = if worse.len() == 1 { "is" } else { "are" };
        let nearest = self.test(worse[0]).map(|test| self.difference(best, test)).unwrap_or_default();
        let margin = self.request.margin;
        let margin = if margin > 0.0 { format!(" by more than {margin}") } else { String::new() };
        Some(format!("{names} {verb} worse{margin} ({nearest})."))
    }

    /// The difference from the best to one model, in words.
    fn difference(&self, best: &MetricRow, test: &Comparison) -> String {
        let other = if test.a == best.model { &test.b } else { &test.a };
        let sign = if test.a == best.model { 1.0 } else { -1.0 };
        let ends = match (test.lower, test.upper) {
            (Some(lower), Some(upper)) if sign > 0.0 => format!(", {lower:.3} to {upper:.3}"),
            (Some(lower), Some(upper)) => format!(", {:.3} to {:.3}", -upper, -lower),
            _ => String::new(),
        };
        let p = test.p_adjusted.map_or_else(String::new, |p| format!(", {}", p_in_words(p)));
        let others = self.rows.len() > 2;
        let whose = if others { format!("to {other}: ") } else { String::new() };
        format!("{whose}difference {:.3}{ends}{p}, {}", sign * test.difference, test_in_words(test.test))
    }
}

fn p_in_words(p: f64) -> String {
    if p < 0.001 { "p < 0.001".into() } else { format!("p = {p:.3}") }
}

fn test_in_words(test: &str) -> &str {
    match test {
        "delong" => "DeLong's test",
        "mcnemar" => "McNemar's test",
        "paired_proportions" => "interval of the difference",
        "bootstrap" => "paired bootstrap",
        other => other,
    }
}

/// What the tests over folds say of the best mean, the liberal one beside the strict ones.
fn over_folds(tests: &FoldTests) -> String {
    let top = |groups: &crate::results::Groups| -> String {
        let members = groups.subsets.first().into_iter().flatten();
        named(members.map(String::as_str)).unwrap_or_default()
    };
    let (duncan, tukey, nemenyi) = (top(&tests.duncan), top(&tests.tukey), top(&tests.nemenyi));
    if duncan == tukey && tukey == nemenyi {
        return format!(
            "Over the folds Duncan's, Tukey's and Nemenyi's tests agree on the best group: {duncan}."
        );
    }
    format!(
        "Over the folds the tests disagree on the best group: {duncan} (Duncan, liberal), {tukey} (Tukey), {nemenyi} \
         (Nemenyi, on ranks)."
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
