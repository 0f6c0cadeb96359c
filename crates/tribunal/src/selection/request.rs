//! What is asked of a selection.

use std::collections::BTreeMap;

use tribunal_eval::intervals::Level;

use super::criterion::{ReverseLabels, SelectionMetric};
use crate::data::DataRequest;
use crate::decision::CaseRule;
use crate::error::Error;
use crate::line_up::Entrant;
use crate::message::{Message, Setting};
use crate::resampling::{Cv, Design};

/// How many simulations an audit has unless another number is asked for.
pub const USUAL_AUDIT: usize = 10;

/// Simulations that somebody may ask for: beyond, an audit lasts for days and says nothing more.
const MOST_SIMULATIONS: usize = 10_000;

/// The line-up where nobody names one: seven families, each quick to train.
pub const USUAL_SELECTION: &str = "logit; c45; nb:5; tan:25; knn:25; bag:50; boost; lssvm:linear";

/// Sets of learners that papers compare, by name.
pub(super) const NAMED_SETS: [(&str, &str); 2] = [
    // A decision tree, naive Bayes, logistic regression and a support vector machine.
    ("fan-davidson", "c45:unpruned,estimate=raw; nb; logit; svm:linear"),
    // Bagged naive Bayes with histogram calibration, unpruned and curtailed trees, random decision trees.
    ("fan-davidson-cost", "bnb; c45:unpruned; c45:curtailed; rdt"),
];

/// The learners that a word names where it names a set of a paper.
pub fn named_learners(word: &str) -> Option<&'static str> {
    NAMED_SETS.iter().find(|(name, _)| *name == word.trim()).map(|(_, learners)| *learners)
}

/// A labelled table, learners, and how to choose among them for a population without labels.
#[derive(Clone, Debug)]
pub struct SelectRequest {
    /// The labelled table and its target.
    pub data: DataRequest,
    /// The learners.
    pub entrants: Vec<Entrant>,
    /// What learners are compared by.
    pub metric: SelectionMetric,
    /// What acting on a case is worth, where benefits count.
    pub rule: Option<CaseRule>,
    /// How decisions become labels of reverse models, where benefits count.
    pub reverse_labels: ReverseLabels,
    /// The cross-validation.
    pub design: Design,
    /// Whether reverse models are trained.
    pub with_reverse_testing: bool,
    /// Whether labelled rows are left out one by one.
    pub with_leave_one_out: bool,
    /// Whether reverse models of the folds are trained.
    pub with_reverse_validation: bool,
    /// How many simulations the audit has; none means no audit.
    pub audit: usize,
    /// How many rows of the population to name whose labels would help most.
    pub ask: usize,
    /// Labels of rows of the population, by the number of the row in its table, from one.
    pub labels: BTreeMap<u64, String>,
    /// Whether the target of the population is looked at in the end.
    pub check_with_target: bool,
    /// The level of intervals.
    pub level: Level,
    /// The seed of folds, models and draws.
    pub seed: u64,
}

impl SelectRequest {
    /// Some learners, compared by accuracy; the data are still to be named.
    pub fn new(entrants: Vec<Entrant>) -> Self {
        SelectRequest {
            data: DataRequest::default(),
            entrants,
            metric: SelectionMetric::Pcc,
            rule: None,
            reverse_labels: ReverseLabels::Hard,
            design: Design::Cv(Cv { n_folds: 10, n_repetitions: None, plain: false }),
            with_reverse_testing: true,
            with_leave_one_out: false,
            with_reverse_validation: true,
            audit: 0,
            ask: 0,
            labels: BTreeMap::new(),
            check_with_target: false,
            level: Level::P95,
            seed: 1,
        }
    }

    /// Refuses what cannot be right whatever the data are.
    pub(super) fn check(&self) -> Result<(), Error> {
        crate::line_up::check_entrants(&self.entrants)?;
        if self.data.targets.len() != 1 {
            return Err(match self.data.targets.len() {
                0 => crate::line_up::no_target(),
                _ => Error::usage("a learner is selected for one target; name one"),
            });
        }
        if !matches!(self.design, Design::Cv(_)) {
            return Err(Error::usage(format!(
                "{} holds out no row of its own for every model: learners are compared by a cross-validation, as cv:10 or cv:10x3",
                self.design
            )));
        }
        self.design.check_splits()?;
        if self.audit > MOST_SIMULATIONS {
            let message = format!(
                "an audit of {} simulations lasts for days and says no more than a short one; write at most ",
                self.audit
            );
            return Err(Error::usage(
                Message::from(message).set(Setting::Audit, MOST_SIMULATIONS.to_string()),
            ));
        }
        let minds_costs = |entrant: &&Entrant| matches!(entrant, Entrant::BuiltIn(learner) if learner.cost_method().is_some() || learner.needs_costs());
        if let Some(entrant) = self.entrants.iter().find(minds_costs) {
            return Err(Error::usage(format!(
                "{entrant} has costs in it, and they would count twice: select by the metric benefit and a rule, among plain learners"
            )));
        }
        if self.metric != SelectionMetric::Pcc && (self.ask > 0 || !self.labels.is_empty()) {
            return Err(Error::usage(format!(
                "labels of rows on which learners disagree sharpen accuracies, and learners are compared by {}: choose the metric pcc, or ask for no labels",
                self.metric
            )));
        }
        match (self.metric, self.rule) {
            (SelectionMetric::Benefit, None | Some(CaseRule::Expected)) => Err(Error::usage(
                Message::from("the benefit of acting needs a rule: add ")
                    .set(Setting::Rule, "donation:0.68")
                    .text(" or ")
                    .set(Setting::Rule, "fraud:90"),
            )),
            (SelectionMetric::Benefit, Some(rule)) if self.data.amount.is_none() => Err(Error::usage(
                Message::from(format!("{rule} goes by amounts: add ")).set(Setting::Amount, "COLUMN"),
            )),
            (SelectionMetric::Pcc | SelectionMetric::Auroc, Some(rule)) => Err(Error::usage(format!(
                "{rule} says what acting is worth, and learners are compared by {}: choose the metric benefit, or leave the rule out",
                self.metric
            ))),
            _ => Ok(()),
        }
    }

    /// How many families take part.
    pub(super) fn n_families(&self) -> usize {
        let mut families: Vec<&str> = self.entrants.iter().map(Entrant::family_name).collect();
        families.sort_unstable();
        families.dedup();
        families.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_line_ups_are_learners() {
        for text in [
            USUAL_SELECTION,
            named_learners("fan-davidson").expect("a set"),
            named_learners(" fan-davidson-cost").expect("a set"),
        ] {
            for learner in text.split(';') {
                learner.trim().parse::<Entrant>().expect(learner);
            }
        }
        let entrants = USUAL_SELECTION.split(';').map(|text| text.trim().parse().expect(text)).collect();
        assert!(SelectRequest::new(entrants).n_families() >= 5);
    }

    #[test]
    fn requests_that_cannot_be_right_say_so() {
        let check = |change: fn(&mut SelectRequest), says: &str| {
            let mut request = SelectRequest::new(vec!["nb".parse().expect("a learner")]);
            request.data.targets.push(crate::data::TargetRequest { name: "y".into(), positive: None });
            change(&mut request);
            let error = request.check().expect_err(says).to_string();
            assert!(error.contains(says), "{error}");
        };
        check(|request| request.data.targets.clear(), "target");
        check(|request| request.metric = SelectionMetric::Benefit, "needs a rule");
        check(|request| request.rule = Some(CaseRule::Fraud { cost: 90.0 }), "compared by pcc");
        check(
            |request| {
                (request.metric, request.rule) =
                    (SelectionMetric::Benefit, Some(CaseRule::Fraud { cost: 90.0 }))
            },
            "goes by amounts",
        );
        check(|request| request.entrants = vec!["nb+weights=1:5".parse().expect("a learner")], "count twice");
        check(|request| (request.metric, request.ask) = (SelectionMetric::Auroc, 25), "sharpen accuracies");
        check(|request| request.design = "holdout".parse().expect("a design"), "cross-validation");
        check(|request| request.audit = usize::MAX, "write at most `audit = 10000`");
        check(
            |request| request.design = "cv:10x1000000".parse().expect("a design"),
            "`cv:10x1000000` has 10000000 splits, each with a model of every learner, and 100000 are the most; repeat it at most 10000 \
             times: cv:10x10000",
        );
    }
}
