//! What is asked of a ranking: each metric, those that look at predictions once per cut-off.

use tribunal_eval::intervals::{Interval, NoInterval, Sampled};
use tribunal_eval::metrics::{Kind, Measure, Spread};
use tribunal_eval::{Cutoff, CutoffRule, ListPart, Ranking, Undefined, Value};

use crate::results::CapacityShare;

/// A metric, and the rule of its cut-off where it needs one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    pub(super) measure: Measure,
    pub(super) rule: Option<CutoffRule>,
}

impl Question {
    /// Whether its interval needs replicates.
    pub(super) fn is_drawn(&self) -> bool {
        self.measure.metric.spread.is_drawn()
    }

    /// Whether the difference of two models needs replicates: nobody stated an influence function.
    pub(super) fn is_difference_drawn(&self) -> bool {
        self.is_drawn() || matches!(self.measure.metric.spread, Spread::Formula(_))
    }

    /// How many of so many cases, from the top of the list, the answer rests on; nothing where it rests on all.
    pub(super) fn depth(&self, n_cases: f64) -> Option<f64> {
        let by_rule = match self.rule {
            Some(CutoffRule::Share(share)) => Some(share * n_cases),
            Some(CutoffRule::Count(count)) => Some(count),
            _ => None,
        };
        by_rule.or(self.measure.n_cases()).or_else(|| match self.measure.metric.stem() {
            "cph" | "lift" => self.measure.parameter().map(|share| share * n_cases),
            _ => None,
        })
    }

    /// What it asks for as a number of cases, which is a share inside a part of the list, and the number.
    fn capacity(&self) -> Option<(String, f64)> {
        let by_rule = match self.rule {
            Some(rule @ CutoffRule::Count(count)) => Some((rule.to_string(), count)),
            _ => None,
        };
        by_rule.or_else(|| Some((self.measure.to_string(), self.measure.n_cases()?)))
    }

    /// The same question inside a part of the list.
    pub(super) fn inside(&self, part: ListPart) -> Question {
        Question { measure: self.measure.inside(part), rule: self.rule.map(|rule| rule.inside(part)) }
    }
}

/// The questions about one model and the rules of its cut-offs.
#[derive(Clone, Debug)]
pub(super) struct Questions {
    /// As they were asked.
    pub(super) rules: Vec<CutoffRule>,
    /// As they were asked, of the whole list.
    pub(super) all: Vec<Question>,
    /// Of which part of the list they are answered.
    pub(super) part: ListPart,
}

/// A cut-off, or why there is none.
pub(super) type Found = Result<Cutoff, Undefined>;

impl Questions {
    /// Every measure, once or once per rule.
    pub(super) fn new(measures: &[Measure], rules: Vec<CutoffRule>) -> Self {
        let ask = |measure: &Measure| -> Vec<Question> {
            let measure = *measure;
            match measure.metric.kind {
                Kind::Cutoff => rules.iter().map(|&rule| Question { measure, rule: Some(rule) }).collect(),
                _ => vec![Question { measure, rule: None }],
            }
        };
        Self { all: measures.iter().flat_map(ask).collect(), rules, part: ListPart::WHOLE }
    }

    /// The same questions of a part of the list.
    pub(super) fn inside(&self, part: ListPart) -> Self {
        Self { part, ..self.clone() }
    }

    /// What is asked for as a number of cases of a list of such a weight, each once.
    pub(super) fn capacities(&self, whole: f64) -> Vec<CapacityShare> {
        let mut found: Vec<CapacityShare> = Vec::new();
        for (asked, cases) in self.all.iter().filter_map(Question::capacity) {
            if cases <= whole && !found.iter().any(|known| known.asked == asked) {
                found.push(CapacityShare { asked, cases, share: cases / whole });
            }
        }
        found
    }

    /// The cut-offs of a ranking, in the order of the rules.
    pub(super) fn cutoffs(&self, ranking: &Ranking) -> Vec<Found> {
        self.rules.iter().map(|rule| rule.inside(self.part).find(ranking)).collect()
    }

    /// The cut-off that a question looks at.
    pub(super) fn cutoff<'c>(&self, question: &Question, cutoffs: &'c [Found]) -> Option<&'c Found> {
        let place = self.rules.iter().position(|rule| Some(*rule) == question.rule)?;
        cutoffs.get(place)
    }

    /// The answer to one question.
    pub(super) fn answer(&self, question: &Question, ranking: &Ranking, cutoffs: &[Found]) -> Value {
        match self.cutoff(question, cutoffs) {
            Some(Ok(cutoff)) => {
                question.measure.of_confusion(&cutoff.confusion).unwrap_or(Err(Undefined::NoRows))
            }
            Some(Err(reason)) => Err(reason.clone()),
            None => {
                question.measure.inside(self.part).of_ranking(ranking).unwrap_or(Err(Undefined::NoAmounts))
            }
        }
    }

    /// The interval that a formula gives, around an answer.
    pub(super) fn interval(
        &self,
        question: &Question,
        value: f64,
        sampled: &Sampled<'_>,
        cutoffs: &[Found],
    ) -> Result<Interval, NoInterval> {
        match self.cutoff(question, cutoffs) {
            Some(Ok(cutoff)) => question.measure.interval_around(value, sampled, Some(cutoff)),
            Some(Err(reason)) => Err(NoInterval::Undefined(reason.clone())),
            None => question.measure.inside(self.part).interval_around(value, sampled, None),
        }
    }

    /// The figure at a cut-off that was chosen on the data, as it would be on new cases.
    pub(super) fn corrected(&self, question: &Question, ranking: &Ranking, cutoffs: &[Found]) -> Option<f64> {
        let cutoff = self.cutoff(question, cutoffs)?.as_ref().ok()?;
        question.measure.corrected(ranking, cutoff)?.ok()
    }
}
