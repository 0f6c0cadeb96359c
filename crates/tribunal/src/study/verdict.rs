//! The answer in plain words: the best group, whom of it to deploy, what to expect, and what more predictors are worth.

use std::cmp::Ordering;

use tribunal_eval::metrics::Better;
use tribunal_learn::{Shape, Work};

use super::analysis::Findings;
use super::notes::character;
use super::request::Preference;
use super::results::{
    Addition, BaselineTest, Deployment, ScenarioTests, ScenarioVerdict, Study, StudyFigure, StudyVerdict,
    TopGroup, VerdictOutcome,
};
use crate::evaluate::named;
use crate::leaks::Leak;
use crate::results::BaselineStanding;

/// The answer of a study.
pub(super) fn verdict(findings: &Findings<'_>, study: &Study) -> StudyVerdict {
    let scenarios: Vec<ScenarioVerdict> =
        (0..findings.names.len()).map(|scenario| Answer { findings, study, scenario }.verdict()).collect();
    let deploy = deployments(findings, &scenarios);
    StudyVerdict {
        sentence: overall(findings, study, &scenarios, &deploy),
        metric: study.metrics[0].clone(),
        prefer: findings.request.prefer.iter().map(ToString::to_string).collect(),
        deploy,
        scenarios,
    }
}

/// The name of a metric as people say it.
pub(crate) fn metric_name(metric: &str) -> String {
    match metric {
        "auroc" | "pcc" => metric.to_uppercase(),
        other => other.to_owned(),
    }
}

/// The answer for one scenario.
struct Answer<'a> {
    findings: &'a Findings<'a>,
    study: &'a Study,
    scenario: usize,
}

impl Answer<'_> {
    fn name(&self) -> &str {
        &self.findings.names[self.scenario]
    }

    fn verdict(&self) -> ScenarioVerdict {
        let group = self.group();
        let nothing = ScenarioVerdict {
            scenario: self.name().to_owned(),
            sentence: format!("{}: no learner has a figure.", self.name()),
            outcome: VerdictOutcome::NoFigure,
            best: None,
            group: Vec::new(),
            recommended: None,
            why: String::new(),
            baseline: None,
            estimate: None,
            lower: None,
            upper: None,
            method: None,
        };
        let Some(best) = group.first() else { return nothing };
        let candidates = self.candidates(&group);
        let recommended = self.recommended(&candidates);
        let told = recommended.unwrap_or(best);
        let Some(figure) = self.figure(told) else { return nothing };
        let why = recommended.map(|learner| self.why(learner, &candidates)).unwrap_or_default();
        let (sentence, outcome) = match recommended {
            Some(learner) => (self.sentence(learner, figure, &group, &why), VerdictOutcome::Recommended),
            None => (self.nothing_beats(best, figure), VerdictOutcome::NothingBeatsBaseline),
        };
        ScenarioVerdict {
            sentence,
            outcome,
            best: Some(best.clone()),
            recommended: recommended.map(str::to_owned),
            why,
            baseline: self.baseline(told).map(|test| test.baseline),
            estimate: figure.row.estimate,
            lower: figure.row.lower,
            upper: figure.row.upper,
            method: figure.row.method.clone(),
            group: group.clone(),
            ..nothing
        }
    }

    /// The test of a learner against the baseline.
    fn baseline(&self, learner: &str) -> Option<&BaselineTest> {
        let is_of = |test: &&BaselineTest| test.scenario == self.name() && test.learner == learner;
        self.study.baselines.iter().find(is_of)
    }

    fn beats_baseline(&self, learner: &str) -> bool {
        self.baseline(learner).is_some_and(|test| test.standing == BaselineStanding::Better)
    }

    /// Who may be recommended: whoever beats the baseline and is worse than the best by no test; of those outside of the best
    /// group the one with the best figure, if only such beat the baseline.
    fn candidates(&self, group: &[String]) -> Vec<String> {
        let Some(best) = group.first() else { return Vec::new() };
        let tops = self.tests().map_or(&[][..], |tests| &tests.top);
        let may_be = |learner: &&String| self.beats_baseline(learner) && !is_worse(tops, best, learner);
        let inside: Vec<String> = group.iter().filter(may_be).cloned().collect();
        if !inside.is_empty() {
            return inside;
        }
        let learners = self.findings.learners.iter().map(|learner| &learner.learner);
        let beating = learners.filter(|learner| self.beats_baseline(learner));
        beating.min_by(|a, b| self.compare(Preference::Best, a, b)).cloned().into_iter().collect()
    }

    fn tests(&self) -> Option<&ScenarioTests> {
        let metric = &self.study.metrics[0];
        let is_of = |tests: &&ScenarioTests| tests.scenario == self.name() && tests.tests.metric == *metric;
        self.study.tests.iter().find(is_of)
    }

    /// The best and whoever cannot be told apart from it; the best alone where nothing can be tested.
    fn group(&self) -> Vec<String> {
        if let Some(top) = self.tests().and_then(|tests| tests.top.first()) {
            return top.learners.clone();
        }
        let better = self.findings.measures[0].metric.better;
        let gain = |figure: &&StudyFigure| figure.row.estimate.map_or(f64::NEG_INFINITY, |e| better.gain(e));
        let learners = self.findings.learners.iter().filter(|learner| !learner.trivial);
        let figures = learners.filter_map(|learner| self.figure(&learner.learner));
        let figures = figures.filter(|figure| figure.row.estimate.is_some());
        let first_best = |best: &StudyFigure, next: &StudyFigure| gain(&next) > gain(&best);
        let best = figures.reduce(|best, next| if first_best(best, next) { next } else { best });
        best.map(|figure| figure.row.model.clone()).into_iter().collect()
    }

    /// The mean of a learner by the deciding metric.
    fn figure(&self, learner: &str) -> Option<&StudyFigure> {
        let metric = &self.study.metrics[0];
        let is_of = |figure: &&StudyFigure| {
            figure.scenario == self.name()
                && figure.row.model == learner
                && figure.row.metric == *metric
                && figure.row.fold.is_none()
        };
        self.study.figures.iter().find(is_of)
    }

    fn entrant(&self, learner: &str) -> usize {
        self.findings.learners.iter().position(|known| known.learner == learner).unwrap_or(0)
    }

    /// Whom of the best group to deploy: whoever comes first by the preferences, then by its figure.
    fn recommended<'g>(&self, group: &'g [String]) -> Option<&'g str> {
        let prefer = self.findings.request.prefer.iter().copied().chain([Preference::Best]);
        let prefer: Vec<Preference> = prefer.collect();
        let compare = |a: &&String, b: &&String| {
            let by = |preference: &Preference| self.compare(*preference, a, b);
            prefer.iter().map(by).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        };
        group.iter().min_by(compare).map(String::as_str)
    }

    fn compare(&self, preference: Preference, a: &str, b: &str) -> Ordering {
        let of = |learner: &str| character(&self.findings.entrants[self.entrant(learner)]);
        match preference {
            Preference::Simple => of(a).shape.cmp(&of(b).shape),
            Preference::Fast => of(a).work.cmp(&of(b).work),
            Preference::Explained => of(b).shape.is_transparent().cmp(&of(a).shape.is_transparent()),
            Preference::Best => {
                let better: Better = self.findings.measures[0].metric.better;
                let gain = |learner: &str| {
                    self.figure(learner).and_then(|figure| figure.row.estimate).map(|e| better.gain(e))
                };
                gain(b).partial_cmp(&gain(a)).unwrap_or(Ordering::Equal)
            }
        }
    }

    /// Why a learner is preferred to its equals.
    fn why(&self, learner: &str, group: &[String]) -> String {
        let character = character(&self.findings.entrants[self.entrant(learner)]);
        let shape = match character.shape {
            Shape::Shares => "it only counts classes",
            Shape::Weights => "its model is one weight for each value, and they add up",
            Shape::Tree => "its model is a tree of questions",
            Shape::Pairs => "its model is weights for pairs of columns",
            Shape::Cases => "its model is the cases themselves",
            Shape::Opaque => "its model cannot be read",
        };
        let work = match character.work {
            Work::Counting => "counts once to train",
            Work::Solving => "trains in few steps",
            Work::Iterating => "trains in many steps",
            Work::Searching => "searches its settings",
        };
        let explains =
            if character.shape.is_transparent() { "explains itself" } else { "does not explain itself" };
        let order: Vec<String> = self.findings.request.prefer.iter().map(ToString::to_string).collect();
        match group.len() {
            1 => format!("{shape}, it {work} and {explains}"),
            n => format!(
                "of {n} that cannot be told apart it comes first by {}: {shape}, it {work} and {explains}",
                order.join(", ")
            ),
        }
    }

    /// That nobody should be deployed, and why.
    fn nothing_beats(&self, best: &str, figure: &StudyFigure) -> String {
        let metric = metric_name(&self.study.metrics[0]);
        let figure = figure_in_words(&metric, figure);
        let against = self.baseline(best).map_or_else(String::new, |test| {
            let words = test.kind.in_words();
            let n_tested = self.study.baselines.iter().filter(|test| test.scenario == self.name()).count();
            let side = match test.standing {
                BaselineStanding::Worse => "and is shown to be worse than",
                _ => "which is not shown to be better than",
            };
            format!(
                ", {side} {words} ({:.3}; p = {:.3}, adjusted for {n_tested} learners)",
                test.baseline, test.p_adjusted
            )
        });
        format!(
            "{}: nothing here beats the base rate; do not deploy. The best is {best} with {figure}{against}.",
            self.name()
        )
    }

    fn sentence(&self, learner: &str, figure: &StudyFigure, group: &[String], why: &str) -> String {
        let metric = metric_name(&self.study.metrics[0]);
        let best = group.first().map_or("", String::as_str);
        let top = match (self.tests(), group.len()) {
            (None, _) if self.findings.frame(self.scenario).units.len() < 2 => format!(
                "{best} has the best {metric}; a single figure each cannot tell learners apart, so take more splits"
            ),
            (None, _) => {
                format!("{best} is the only learner with whole figures, so there is nothing to test")
            }
            (Some(_), 1) => format!("{best} alone is best by {metric}"),
            (Some(_), n) => {
                let names = named(group[1..].iter().map(String::as_str)).unwrap_or_default();
                format!(
                    "{best} has the best {metric} and {} cannot be told apart from it by Duncan's test: {names}",
                    n - 1
                )
            }
        };
        let level_with: Vec<&str> =
            group.iter().map(String::as_str).filter(|member| !self.beats_baseline(member)).collect();
        let unproven = named(level_with.into_iter()).map_or_else(String::new, |names| {
            format!(" {names}: not shown to beat the base rate, so not recommended.")
        });
        let expected = figure.row.estimate.map_or_else(String::new, |estimate| {
            match (figure.row.lower, figure.row.upper) {
                (Some(lower), Some(upper)) => {
                    format!(
                        "Expect {metric} {estimate:.3} ({:.0} % interval {lower:.3} to {upper:.3})",
                        100.0 * self.study.level
                    )
                }
                _ => format!("Expect {metric} {estimate:.3}"),
            }
        });
        format!("{}: {top}.{unproven} Recommended: {learner} ({why}). {expected}.", self.name())
    }
}

/// Whether any of several tests puts a learner outside of the group that holds the best: Duncan's test, which makes the
/// group, pools the variance of all learners and may overlook what a paired test sees.
fn is_worse(tops: &[TopGroup], best: &String, learner: &String) -> bool {
    tops.iter().any(|top| top.learners.contains(best) && !top.learners.contains(learner))
}

/// A figure with its interval, if it has one.
fn figure_in_words(metric: &str, figure: &StudyFigure) -> String {
    match (figure.row.estimate, figure.row.lower, figure.row.upper) {
        (Some(e), Some(l), Some(u)) => format!("{metric} {e:.3}, {l:.3} to {u:.3}"),
        (Some(e), ..) => format!("{metric} {e:.3}"),
        _ => format!("no {metric}"),
    }
}

/// Whom to deploy for each target: the recommended learner on the predictors where it does best.
fn deployments(findings: &Findings<'_>, scenarios: &[ScenarioVerdict]) -> Vec<Deployment> {
    let better = findings.measures[0].metric.better;
    let gain = |scenario: usize| scenarios[scenario].estimate.map(|estimate| better.gain(estimate));
    let of_target = |target: usize| {
        let sets = (0..scenarios.len()).filter(|&scenario| findings.places[scenario].target == target);
        let is_recommended = |&scenario: &usize| scenarios[scenario].recommended.is_some();
        let sets = sets.filter(is_recommended).filter(|&scenario| gain(scenario).is_some());
        let best = sets.reduce(|best, next| if gain(next) > gain(best) { next } else { best })?;
        Some(Deployment {
            target: findings.ground.targets[target].name().to_owned(),
            predictors: findings.ground.sets[findings.places[best].set].name.clone(),
            scenario: findings.names[best].clone(),
            learner: scenarios[best].recommended.clone()?,
        })
    };
    (0..findings.ground.targets.len()).filter_map(of_target).collect()
}

/// What to do, over all scenarios.
fn overall(
    findings: &Findings<'_>,
    study: &Study,
    scenarios: &[ScenarioVerdict],
    deploy: &[Deployment],
) -> String {
    let metric = &study.metrics[0];
    let additions = study.additions.iter().filter(|addition| addition.metric == *metric);
    let mut sentences: Vec<String> = additions.map(|addition| in_words(addition, findings)).collect();
    for (place, target) in findings.ground.targets.iter().enumerate() {
        let deployed = deploy.iter().find(|deployment| deployment.target == target.name());
        match deployed {
            Some(deployment) => sentences.extend(deployed_in_words(findings, scenarios, deployment, metric)),
            None => sentences.push(nobody_in_words(findings, scenarios, place, metric)),
        }
    }
    sentences.join(" ")
}

/// Whom to deploy, what to expect, and whether a predictor gives the answer away.
fn deployed_in_words(
    findings: &Findings<'_>,
    scenarios: &[ScenarioVerdict],
    deployment: &Deployment,
    metric: &str,
) -> Option<String> {
    let Deployment { target, predictors, scenario, learner } = deployment;
    let place = scenarios.iter().position(|verdict| verdict.scenario == *scenario)?;
    let verdict = &scenarios[place];
    let on = if findings.ground.sets.len() > 1 { format!(" on {predictors}") } else { String::new() };
    let figure = match (verdict.estimate, verdict.lower, verdict.upper) {
        (Some(e), Some(l), Some(u)) => format!(": {} {e:.3}, {l:.3} to {u:.3}", metric_name(metric)),
        (Some(e), ..) => format!(": {} {e:.3}", metric_name(metric)),
        _ => String::new(),
    };
    let doubts: Vec<String> =
        [leaks_in_words(findings, place), repeated_in_words(findings)].into_iter().flatten().collect();
    Some(match doubts.is_empty() {
        true => format!("For {target} deploy {learner}{on}{figure}."),
        false => format!(
            "For {target} {learner}{on} is best{figure}, but do not believe that yet: {} Then run the study again.",
            doubts.join(" ")
        ),
    })
}

/// Predictors that seem to give the answer away, and what to do about them.
fn leaks_in_words(findings: &Findings<'_>, place: usize) -> Option<String> {
    let leaks: Vec<&Leak> = findings.ground.leaks_of(findings.places[place]).collect();
    let names = named(leaks.iter().map(|leak| leak.column.as_str()))?;
    let (look, it, them) = match leaks.len() {
        1 => ("looks as if it were", "it is", "it"),
        _ => ("look as if they were", "they are", "them"),
    };
    Some(format!(
        "{names} {look} known only after the outcome. Unless {it} known before, leave {them} out (kind ignore)."
    ))
}

/// Rows that repeat others, and what to do about them.
fn repeated_in_words(findings: &Findings<'_>) -> Option<String> {
    let repeated = findings.ground.repeated_rows.as_ref()?;
    Some(format!(
        "{repeated}, so training and test parts share cases. Remove the copies, or keep those of a case together (design \
         group)."
    ))
}

/// Why nobody should be deployed for a target.
fn nobody_in_words(
    findings: &Findings<'_>,
    scenarios: &[ScenarioVerdict],
    target: usize,
    metric: &str,
) -> String {
    let name = findings.ground.targets[target].name();
    let better = findings.measures[0].metric.better;
    let of_target = (0..scenarios.len()).filter(|&scenario| findings.places[scenario].target == target);
    let judged = of_target.filter(|&scenario| scenarios[scenario].estimate.is_some());
    let gain = |scenario: usize| scenarios[scenario].estimate.map(|estimate| better.gain(estimate));
    let Some(best) = judged.reduce(|best, next| if gain(next) > gain(best) { next } else { best }) else {
        return format!("For {name} no learner has a figure, so none can be recommended.");
    };
    let verdict = &scenarios[best];
    let (learner, metric) = (verdict.best.as_deref().unwrap_or_default(), metric_name(metric));
    let figure = verdict.estimate.map_or_else(String::new, |estimate| format!("{metric} {estimate:.3}"));
    let ends = verdict.lower.zip(verdict.upper);
    let ends = ends.map_or_else(String::new, |(lower, upper)| format!(", {lower:.3} to {upper:.3}"));
    let baseline = verdict.baseline.map_or_else(String::new, |base| format!("; without learning {base:.3}"));
    format!(
        "For {name} nothing here beats the base rate: do not deploy (the best is {learner}: {figure}{ends}{baseline})."
    )
}

fn in_words(addition: &Addition, findings: &Findings<'_>) -> String {
    let Addition { target, fewer, more, gain, p, n, better, .. } = addition;
    let metric = metric_name(&addition.metric);
    let p_words = if *p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") };
    let found = if *p < findings.request.level.alpha() && *gain > 0.0 {
        format!("{more} instead of {fewer} adds {gain:.3} {metric}")
    } else {
        format!("{more} instead of {fewer} adds nothing that can be shown ({gain:+.3} {metric})")
    };
    format!("For {target}, {found} on average ({better} of {n} learners gain, {p_words}).")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_test_that_sees_a_learner_behind_is_enough() {
        let top = |test: &'static str, learners: &[&str]| TopGroup {
            test,
            learners: learners.iter().map(|name| (*name).to_owned()).collect(),
        };
        let tops = [
            top("duncan", &["boost", "logit", "nb"]),
            top("corrected_t", &["boost", "logit"]),
            top("nemenyi", &["c45", "nb"]),
        ];
        let worse = |learner: &str| is_worse(&tops, &"boost".to_owned(), &learner.to_owned());
        assert_eq!(["boost", "logit", "nb"].map(worse), [false, false, true]);
    }
}
