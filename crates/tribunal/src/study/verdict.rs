//! The answer in plain words: the best group, whom of it to deploy, what to expect, and what more predictors are worth.
//!
//! Learners, scenarios and targets go by their places; their names are put in where the words are made.

use std::cmp::Ordering;

use tribunal_eval::metrics::Measure;
use tribunal_learn::{Shape, Work};

use super::acting::Acting;
use super::analysis::Findings;
use super::comparison::{FieldTests, Top};
use super::doubts::doubts;
use super::judged::Mean;
use super::money::costs_in_words;
use super::notes::character;
use super::questions::Deciding;
use super::request::Preference;
use super::results::{
    Addition, BaselineTest, Deployment, LearnerLead, ScenarioVerdict, StudyVerdict, VerdictOutcome,
};
use crate::evaluate::named;
use crate::metric_info::metric_name;
use crate::results::BaselineStanding;

/// The tests that a verdict rests on.
pub(super) struct Evidence<'a> {
    /// Scenario by scenario, metric by metric.
    pub(super) tests: &'a [Vec<Option<FieldTests>>],
    /// Scenario by scenario, each learner by its place.
    pub(super) baselines: Vec<Vec<(usize, BaselineTest)>>,
    /// What larger sets of predictors add, each with the place of its metric.
    pub(super) additions: Vec<(usize, Addition)>,
    /// Scenario by scenario; nothing where nobody asked what acting brings in.
    pub(super) acting: Vec<Option<Acting>>,
}

/// The answer of a study.
pub(super) fn verdict(findings: &Findings<'_>, evidence: &Evidence<'_>) -> StudyVerdict {
    let of_scenario = |scenario: usize| Scenario { findings, evidence, scenario }.answer();
    let answers: Vec<Answer<'_>> = (0..findings.names.len()).map(of_scenario).collect();
    let n_targets = findings.ground.targets.len();
    let chosen: Vec<Option<usize>> = (0..n_targets)
        .map(|target| best_scenario(findings, &answers, target, |answer| answer.is_deployed()))
        .collect();
    let deployment = |(target, scenario): (usize, &Option<usize>)| {
        let scenario = (*scenario)?;
        let learner = answers[scenario].recommended()?;
        Some(Deployment {
            target: findings.ground.targets[target].name().to_owned(),
            predictors: findings.ground.sets[findings.places[scenario].set].name.clone(),
            scenario: findings.names[scenario].clone(),
            learner: findings.learners[learner].learner.clone(),
        })
    };
    StudyVerdict {
        sentence: overall(findings, evidence, &answers, &chosen),
        metric: match (findings.deciding, evidence.acting.iter().flatten().next()) {
            (Deciding::Acting, Some(acting)) => acting.result.decision.by.to_string(),
            _ => findings.measures[0].to_string(),
        },
        prefer: findings.request.prefer.clone(),
        deploy: chosen.iter().enumerate().filter_map(deployment).collect(),
        scenarios: answers.iter().map(Answer::verdict).collect(),
    }
}

/// The deciding metric as people say it.
fn deciding(findings: &Findings<'_>) -> String {
    metric_name(&findings.measures[0].to_string())
}

/// A scenario with the tests of all of them.
#[derive(Clone, Copy)]
struct Scenario<'a> {
    findings: &'a Findings<'a>,
    evidence: &'a Evidence<'a>,
    scenario: usize,
}

/// What was found for a scenario.
struct Answer<'a> {
    at: Scenario<'a>,
    found: Option<Found>,
}

/// Who is best, who is level with it, and whom to deploy.
struct Found {
    /// The best, then those that cannot be told apart from it.
    group: Vec<usize>,
    best: usize,
    /// Who may be recommended.
    candidates: Vec<usize>,
    recommended: Option<usize>,
    /// What to expect of the recommended one, or of the best where nobody is recommended.
    estimate: f64,
    mean: Mean,
}

impl<'a> Scenario<'a> {
    fn answer(self) -> Answer<'a> {
        Answer { at: self, found: self.found() }
    }

    fn found(self) -> Option<Found> {
        let group = self.group();
        let best = *group.first()?;
        let candidates = self.candidates(&group);
        let recommended = self.recommended(&candidates);
        let mean = self.mean(recommended.unwrap_or(best));
        let estimate = *mean.value.as_ref().ok()?;
        Some(Found { group, best, candidates, recommended, estimate, mean })
    }

    fn name(self) -> &'a str {
        &self.findings.names[self.scenario]
    }

    fn learner(self, learner: usize) -> &'a str {
        &self.findings.learners[learner].learner
    }

    fn measure(self) -> Measure {
        self.findings.measures[0]
    }

    /// The test of a learner against the baseline.
    fn baseline(self, learner: usize) -> Option<&'a BaselineTest> {
        let mut tests = self.evidence.baselines[self.scenario].iter();
        tests.find(|(place, _)| *place == learner).map(|(_, test)| test)
    }

    /// What acting brings in, where that decides.
    fn acting(self) -> Option<&'a Acting> {
        let acting = self.evidence.acting.get(self.scenario)?.as_ref();
        acting.filter(|_| self.findings.deciding == Deciding::Acting)
    }

    /// What takes no learning is worth, beside the figure of a learner.
    fn worth_of_nothing(self, learner: usize, figure: f64) -> Option<f64> {
        match self.acting() {
            Some(acting) => acting.lead(learner).map(|over| figure - over.lead.difference),
            None => self.baseline(learner).map(|test| test.baseline),
        }
    }

    fn beats_baseline(self, learner: usize) -> bool {
        if let Some(acting) = self.acting() {
            let alpha = self.findings.request.level.alpha();
            return acting
                .lead(learner)
                .is_some_and(|LearnerLead { lead, .. }| lead.difference > 0.0 && lead.p_adjusted < alpha);
        }
        self.baseline(learner).is_some_and(|test| test.standing == BaselineStanding::Better)
    }

    /// Who may be recommended: whoever beats the baseline and is worse than the best by no test; of those outside of the best
    /// group the one with the best figure, if only such beat the baseline.
    fn candidates(self, group: &[usize]) -> Vec<usize> {
        let Some(&best) = group.first() else { return Vec::new() };
        let tops = self.tests().filter(|_| self.acting().is_none()).map_or(&[][..], |tests| &tests.top);
        let may_be = |learner: &usize| self.beats_baseline(*learner) && !is_worse(tops, best, *learner);
        let inside: Vec<usize> = group.iter().copied().filter(may_be).collect();
        if !inside.is_empty() {
            return inside;
        }
        let beating = (0..self.findings.learners.len()).filter(|&learner| self.beats_baseline(learner));
        beating.min_by(|&a, &b| self.compare(Preference::Best, a, b)).into_iter().collect()
    }

    /// The tests by the deciding metric.
    fn tests(self) -> Option<&'a FieldTests> {
        self.evidence.tests[self.scenario][0].as_ref()
    }

    /// The best and whoever cannot be told apart from it; the best alone where nothing can be tested.
    fn group(self) -> Vec<usize> {
        if let Some(acting) = self.acting() {
            return acting.group();
        }
        if let Some(top) = self.tests().and_then(|tests| tests.top.first()) {
            return top.learners.clone();
        }
        let learners = 0..self.findings.learners.len();
        let contenders = learners.filter(|&learner| !self.findings.learners[learner].trivial);
        let gains = contenders.filter_map(|learner| Some((learner, self.gain(learner)?)));
        let best = gains.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map(|(learner, _)| learner).into_iter().collect()
    }

    /// The figure of a learner by what decides: of a metric the mean over the splits.
    fn mean(self, learner: usize) -> Mean {
        if let Some(acting) = self.acting() {
            return acting.mean(learner);
        }
        let cell = &self.findings.of_scenario(self.scenario)[learner];
        cell.mean(0, self.findings.frame(self.scenario), self.findings.request.level)
    }

    /// How good that mean is.
    fn gain(self, learner: usize) -> Option<f64> {
        self.mean(learner).value.ok().map(|mean| self.gain_of(mean))
    }

    /// How good a figure is: of what acting brings in more is better.
    fn gain_of(self, figure: f64) -> f64 {
        match self.acting() {
            Some(_) => figure,
            None => self.measure().metric.better.gain(figure),
        }
    }

    /// Whom of some to deploy: whoever comes first by the preferences, then by its figure.
    fn recommended(self, candidates: &[usize]) -> Option<usize> {
        let prefer = self.findings.request.prefer.iter().copied().chain([Preference::Best]);
        let prefer: Vec<Preference> = prefer.collect();
        let compare = |a: &usize, b: &usize| {
            let by = |preference: &Preference| self.compare(*preference, *a, *b);
            prefer.iter().map(by).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        };
        candidates.iter().copied().min_by(compare)
    }

    fn compare(self, preference: Preference, a: usize, b: usize) -> Ordering {
        let of = |learner: usize| character(&self.findings.entrants[learner]);
        match preference {
            Preference::Simple => of(a).shape.cmp(&of(b).shape),
            Preference::Fast => of(a).work.cmp(&of(b).work),
            Preference::Explained => of(b).shape.is_transparent().cmp(&of(a).shape.is_transparent()),
            Preference::Best => self.gain(b).partial_cmp(&self.gain(a)).unwrap_or(Ordering::Equal),
        }
    }

    /// Why a learner is preferred to its equals.
    fn why(self, learner: usize, n_candidates: usize) -> String {
        let character = character(&self.findings.entrants[learner]);
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
        match n_candidates {
            1 => format!("{shape}, it {work} and {explains}"),
            n => format!(
                "of {n} that cannot be told apart it comes first by {}: {shape}, it {work} and {explains}",
                order.join(", ")
            ),
        }
    }
}

impl Answer<'_> {
    fn recommended(&self) -> Option<usize> {
        self.found.as_ref()?.recommended
    }

    fn is_deployed(&self) -> bool {
        self.recommended().is_some()
    }

    /// How good what is to be expected is.
    fn gain(&self) -> Option<f64> {
        let found = self.found.as_ref()?;
        Some(self.at.gain_of(found.estimate))
    }

    fn verdict(&self) -> ScenarioVerdict {
        let (at, scenario) = (self.at, self.at.name());
        let Some(found) = &self.found else {
            return ScenarioVerdict {
                scenario: scenario.to_owned(),
                sentence: format!("{scenario}: no learner has a figure."),
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
        };
        let name = |learner: usize| at.learner(learner).to_owned();
        let why = found.recommended.map(|learner| at.why(learner, found.candidates.len()));
        let why = why.unwrap_or_default();
        let outcome = match found.recommended {
            Some(_) => VerdictOutcome::Recommended,
            None => VerdictOutcome::NothingBeatsBaseline,
        };
        let sentence = match (at.acting(), found.recommended) {
            (Some(acting), _) => found.by_acting(at, acting),
            (None, Some(learner)) => found.sentence(at, learner, &why),
            (None, None) => found.nothing_beats(at),
        };
        let told = found.recommended.unwrap_or(found.best);
        ScenarioVerdict {
            scenario: scenario.to_owned(),
            sentence,
            outcome,
            best: Some(name(found.best)),
            group: found.group.iter().map(|&learner| name(learner)).collect(),
            recommended: found.recommended.map(name),
            why,
            baseline: at.worth_of_nothing(told, found.estimate),
            estimate: Some(found.estimate),
            lower: found.mean.interval.map(|interval| interval.lower),
            upper: found.mean.interval.map(|interval| interval.upper),
            method: found.mean.interval.map(|interval| interval.method),
        }
    }
}

impl Found {
    /// The figure with its interval, if it has one.
    fn figure(&self, metric: &str) -> String {
        let estimate = self.estimate;
        match self.mean.interval {
            Some(interval) => {
                format!("{metric} {estimate:.3}, {:.3} to {:.3}", interval.lower, interval.upper)
            }
            None => format!("{metric} {estimate:.3}"),
        }
    }

    /// Whose list brings in most, and whom to deploy.
    fn by_acting(&self, at: Scenario<'_>, acting: &Acting) -> String {
        let figure = acting.in_words(self.best).unwrap_or_default();
        let others = named(self.group.iter().skip(1).map(|&other| at.learner(other)));
        let level = others.map_or_else(String::new, |others| {
            format!("; {} cannot be told apart from it: {others}", self.group.len() - 1)
        });
        let after = self.after_acting(at, acting, "");
        format!("{}: {} has the best figure, {figure}{level}. {after}", at.name(), at.learner(self.best))
    }

    /// Whom to deploy on which predictors after the answer of those who act on the list, or that nobody should be.
    fn after_acting(&self, at: Scenario<'_>, acting: &Acting, on: &str) -> String {
        match self.recommended {
            Some(learner) => {
                let why = at.why(learner, self.candidates.len());
                let figure = acting.in_words(learner).unwrap_or_default();
                format!("Deploy {}{on}, {figure}: {why}.", at.learner(learner))
            }
            None => {
                let against =
                    acting.lead(self.best).map_or("what takes no model", |over| over.policy.in_words());
                if acting.takes_no_model() {
                    return format!(
                        "No model is needed for that: no learner is shown to bring in more than {against}."
                    );
                }
                format!("Deploy nobody: no learner is shown to bring in more than {against}.")
            }
        }
    }

    /// That nobody should be deployed, and why.
    fn nothing_beats(&self, at: Scenario<'_>) -> String {
        let figure = self.figure(&deciding(at.findings));
        let against = at.baseline(self.best).map_or_else(String::new, |test| {
            let words = test.kind.in_words();
            let n_tested = at.evidence.baselines[at.scenario].len();
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
            "{}: nothing here beats the base rate; do not deploy. The best is {} with {figure}{against}.",
            at.name(),
            at.learner(self.best)
        )
    }

    fn sentence(&self, at: Scenario<'_>, learner: usize, why: &str) -> String {
        let metric = deciding(at.findings);
        let best = at.learner(self.best);
        let top = match (at.tests(), self.group.len()) {
            (None, _) if at.findings.frame(at.scenario).units.len() < 2 => format!(
                "{best} has the best {metric}; a single figure each cannot tell learners apart, so take more splits"
            ),
            (None, _) => {
                format!("{best} is the only learner with whole figures, so there is nothing to test")
            }
            (Some(_), 1) => format!("{best} alone is best by {metric}"),
            (Some(_), n) => {
                let others = self.group[1..].iter().map(|&other| at.learner(other));
                format!(
                    "{best} has the best {metric} and {} cannot be told apart from it by Duncan's test: {}",
                    n - 1,
                    named(others).unwrap_or_default()
                )
            }
        };
        let unproven = self.group.iter().filter(|&&member| !at.beats_baseline(member));
        let unproven = named(unproven.map(|&member| at.learner(member)));
        let unproven = unproven.map_or_else(String::new, |names| {
            format!(" {names}: not shown to beat the base rate, so not recommended.")
        });
        let estimate = self.estimate;
        let expected = match self.mean.interval {
            Some(interval) => format!(
                "Expect {metric} {estimate:.3} ({:.0} % interval {:.3} to {:.3})",
                100.0 * at.findings.request.level.get(),
                interval.lower,
                interval.upper
            ),
            None => format!("Expect {metric} {estimate:.3}"),
        };
        let (name, learner) = (at.name(), at.learner(learner));
        format!("{name}: {top}.{unproven} Recommended: {learner} ({why}). {expected}.")
    }
}

/// Whether any of several tests puts a learner outside of the group that holds the best: Duncan's test, which makes the
/// group, pools the variance of all learners and may overlook what a paired test sees.
fn is_worse(tops: &[Top], best: usize, learner: usize) -> bool {
    tops.iter().any(|top| top.learners.contains(&best) && !top.learners.contains(&learner))
}

/// The scenario of a target with the best figure, among some.
fn best_scenario(
    findings: &Findings<'_>,
    answers: &[Answer<'_>],
    target: usize,
    is_among: impl Fn(&Answer<'_>) -> bool,
) -> Option<usize> {
    let of_target = (0..answers.len()).filter(|&scenario| findings.places[scenario].target == target);
    let among = of_target.filter(|&scenario| is_among(&answers[scenario]));
    let gains = among.filter_map(|scenario| Some((scenario, answers[scenario].gain()?)));
    gains.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(scenario, _)| scenario)
}

/// What to do, over all scenarios; `chosen` is the scenario of each target that is deployed.
fn overall(
    findings: &Findings<'_>,
    evidence: &Evidence<'_>,
    answers: &[Answer<'_>],
    chosen: &[Option<usize>],
) -> String {
    let additions = evidence.additions.iter().filter(|(metric, _)| *metric == 0);
    let additions = additions.map(|(_, addition)| in_words(addition, findings));
    if findings.deciding == Deciding::Acting {
        let targets = chosen.iter().enumerate();
        let answered = targets.map(|(target, scenario)| {
            let any = || best_scenario(findings, answers, target, |answer| answer.found.is_some());
            let acted_on =
                scenario.or_else(any).and_then(|scenario| acted_on_in_words(findings, &answers[scenario]));
            acted_on.unwrap_or_else(|| nobody_in_words(findings, answers, target))
        });
        return answered.chain(additions).collect::<Vec<String>>().join(" ");
    }
    let targets = chosen.iter().enumerate().map(|(target, scenario)| {
        let deployed = scenario.and_then(|scenario| deployed_in_words(findings, &answers[scenario]));
        deployed.unwrap_or_else(|| nobody_in_words(findings, answers, target))
    });
    additions.chain(targets).collect::<Vec<String>>().join(" ")
}

/// What acting on the list brings in, whom to deploy for that, and whether a predictor gives the answer away.
fn acted_on_in_words(findings: &Findings<'_>, answer: &Answer<'_>) -> Option<String> {
    let (at, found) = (answer.at, answer.found.as_ref()?);
    let acting = at.acting()?;
    let of_target = match findings.ground.targets.len() {
        1 => String::new(),
        _ => format!("{}: ", findings.ground.targets[findings.places[at.scenario].target].name()),
    };
    let after = match (found.recommended, doubts(findings, at.scenario)) {
        (Some(_), Some(doubts)) => format!("Do not believe that yet: {doubts} Then run the study again."),
        _ => found.after_acting(at, acting, &on_predictors(findings, at.scenario)),
    };
    Some(format!("{of_target}{} {after}", acting.result.sentence))
}

/// The predictors of a scenario, where there are several sets.
fn on_predictors(findings: &Findings<'_>, scenario: usize) -> String {
    match findings.ground.sets.len() {
        0 | 1 => String::new(),
        _ => format!(" on {}", findings.ground.sets[findings.places[scenario].set].name),
    }
}

/// Whom to deploy, what to expect, and whether a predictor gives the answer away.
fn deployed_in_words(findings: &Findings<'_>, answer: &Answer<'_>) -> Option<String> {
    let found = answer.found.as_ref()?;
    let (at, learner) = (answer.at, answer.at.learner(found.recommended?));
    let place = findings.places[at.scenario];
    let target = findings.ground.targets[place.target].name();
    let on = on_predictors(findings, at.scenario);
    let figure = found.figure(&deciding(findings));
    let costs = costs_in_words(findings, at.scenario, found.recommended?);
    let costs = costs.map_or_else(String::new, |costs| format!(" {costs}"));
    Some(match doubts(findings, at.scenario) {
        None => format!("For {target} deploy {learner}{on}: {figure}.{costs}"),
        Some(doubts) => format!(
            "For {target} {learner}{on} is best: {figure}, but do not believe that yet: {doubts} Then run the study again."
        ),
    })
}

/// Why nobody should be deployed for a target.
fn nobody_in_words(findings: &Findings<'_>, answers: &[Answer<'_>], target: usize) -> String {
    let name = findings.ground.targets[target].name();
    let best = best_scenario(findings, answers, target, |answer| answer.found.is_some());
    let best = best.and_then(|scenario| Some((answers[scenario].at, answers[scenario].found.as_ref()?)));
    let Some((at, found)) = best else {
        return format!("For {name} no learner has a figure, so none can be recommended.");
    };
    let (learner, figure) = (at.learner(found.best), found.figure(&deciding(findings)));
    let baseline = at.baseline(found.best);
    let baseline =
        baseline.map_or_else(String::new, |test| format!("; without learning {:.3}", test.baseline));
    let costs = costs_in_words(findings, at.scenario, found.best);
    let costs = costs.map_or_else(String::new, |costs| format!(" {costs}"));
    format!(
        "For {name} nothing here beats the base rate: do not deploy (the best is {learner}: {figure}{baseline}).{costs}"
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
    use crate::test_name::Test;

    #[test]
    fn one_test_that_sees_a_learner_behind_is_enough() {
        let top = |test, learners: &[usize]| Top { test, learners: learners.to_vec() };
        let tops =
            [top(Test::Duncan, &[0, 1, 2]), top(Test::CorrectedT, &[0, 1]), top(Test::Nemenyi, &[3, 2])];
        assert_eq!([0, 1, 2].map(|learner| is_worse(&tops, 0, learner)), [false, false, true]);
    }
}
