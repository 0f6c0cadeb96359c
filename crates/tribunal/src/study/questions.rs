//! What a study is asked in the words of whoever acts: what outcomes bring in, how many cases can be acted on.
//!
//! **Definition** Where nobody names what decides, it is what acting on the list brings in: hits at the capacity, or profit where
//! costs or benefits are stated. Where some learner minds costs itself, costs alone ask for the mean cost a case of what learners
//! predict, so that ways of minding costs can be told apart: a cut that is chosen afterwards would undo them. With no such
//! question the AUROC decides. Methods of cost-sensitive learning stand beside every plain learner, each with the costs in its
//! name, so that costs are counted where it says and nowhere else.

use std::fmt;
use std::str::FromStr;

use tribunal_eval::metrics::Measure;
use tribunal_learn::{COST_METHODS, ColumnSchema, CostMatrix, CostMethod, CostsWithin, Learner, Role};

use super::request::StudyRequest;
use crate::decision::{DecideBy, Expression, Outcomes};
use crate::error::Error;
use crate::line_up::Entrant;
use crate::message::{Message, Setting};

/// What errors cost, written FP:FN as in `1:5`.
///
/// ```
/// use tribunal::ErrorCosts;
///
/// let costs: ErrorCosts = "1:5".parse()?;
/// assert_eq!(costs, ErrorCosts::new(1.0, 5.0)?);
/// assert!(ErrorCosts::new(0.0, 5.0).is_err());
/// # Ok::<(), tribunal::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorCosts {
    matrix: CostMatrix,
    measure: Measure,
}

impl ErrorCosts {
    /// What acting on a negative costs, and what missing a positive costs.
    ///
    /// # Errors
    /// A cost is not above zero, or not finite.
    pub fn new(false_positive: f64, false_negative: f64) -> Result<ErrorCosts, Error> {
        let refuse = |why: String| {
            Error::usage(format!("the costs {false_positive}:{false_negative} cannot be minded: {why}"))
        };
        let matrix = CostMatrix::of_errors(false_positive, false_negative)
            .map_err(|error| refuse(error.to_string()))?;
        let measure = Measure::of_costs(false_positive, false_negative);
        let measure =
            measure.map_err(|_| refuse("a study adds them up, so both have to be finite".to_owned()))?;
        Ok(ErrorCosts { matrix, measure })
    }

    /// What the outcomes of a case bring in: nothing, or less.
    pub fn outcomes(&self) -> Outcomes {
        let (false_positive, false_negative) = self.measure.costs().unwrap_or_default();
        let nothing = || Expression::of_number(0.0);
        Outcomes {
            hit: nothing(),
            false_positive: Expression::of_number(-false_positive),
            false_negative: Expression::of_number(-false_negative),
            correct_rejection: nothing(),
        }
    }

    /// What a wrong prediction costs against the right one, which is all that learners look at.
    ///
    /// # Errors
    /// It differs from case to case, or the right prediction is not worth more than the wrong one.
    fn of_outcomes(outcomes: &Outcomes) -> Result<ErrorCosts, Error> {
        let Some(matrix) = outcomes.matrix() else {
            let columns = outcomes.columns().join(", ");
            return Err(Error::usage(
                Message::from(format!(
                    "what errors cost differs from case to case here (by {columns}), and learners mind costs that are the same for \
                     every case: write those behind the method, as in +weights=1:5, or leave the method out and let "
                ))
                .set(Setting::Rule, "expected")
                .text(" apply the costs of each case to its probability"),
            ));
        };
        ErrorCosts::new(matrix.correct_rejection - matrix.false_positive, matrix.hit - matrix.false_negative)
    }

    /// As learners take them.
    pub fn matrix(&self) -> &CostMatrix {
        &self.matrix
    }

    /// As figures take them.
    pub fn measure(&self) -> Measure {
        self.measure
    }
}

impl FromStr for ErrorCosts {
    type Err = Error;

    fn from_str(text: &str) -> Result<ErrorCosts, Error> {
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| !number.is_nan());
        let pair = text.split_once(':').and_then(|(fp, fn_)| Some((number(fp)?, number(fn_)?)));
        let (false_positive, false_negative) = pair.ok_or_else(|| {
            let comma = if text.contains(',') { "; a decimal point is a point" } else { "" };
            Error::usage(format!("\"{text}\" are no costs; they are written FP:FN, as in 1:5{comma}"))
        })?;
        ErrorCosts::new(false_positive, false_negative)
    }
}

impl fmt::Display for ErrorCosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.matrix.fmt(f)
    }
}

/// The methods that a word names: one, or all.
///
/// ```
/// use tribunal::cost_methods_of;
///
/// assert_eq!(cost_methods_of("all")?.len(), 4);
/// assert_eq!(cost_methods_of("metacost")?.len(), 1);
/// assert!(cost_methods_of("wieghts").unwrap_err().to_string().contains("did you mean weights?"));
/// # Ok::<(), tribunal::Error>(())
/// ```
///
/// # Errors
/// There is no such method.
pub fn cost_methods_of(word: &str) -> Result<Vec<CostMethod>, Error> {
    let word = word.trim();
    if word == "all" {
        return Ok(COST_METHODS.iter().map(|form| form.method).collect());
    }
    CostMethod::named(word).map(|method| vec![method]).ok_or_else(|| {
        let names = || COST_METHODS.iter().map(|form| form.name);
        let near = tribunal_io::nearest(word, names());
        let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
        let listed: Vec<&str> = names().collect();
        Error::usage(format!(
            "no method \"{word}\" minds costs{near} (there are: {}, and all)",
            listed.join(", ")
        ))
    })
}

/// What the verdict of a study goes by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Deciding {
    /// A metric, split by split.
    Metric(Measure),
    /// What acting on the list of all held-out scores brings in.
    Acting,
}

impl StudyRequest {
    /// The request as it is run: the whole line-up, and nothing learned from what says what cases are worth.
    ///
    /// # Errors
    /// The question cannot be right whatever the data are, or a learner cannot answer it.
    pub(super) fn settled(&self) -> Result<StudyRequest, Error> {
        self.decision.check(self.amount.is_some(), self.predicts_amounts())?;
        let mut settled = StudyRequest { entrants: self.line_up()?, ..self.clone() };
        for name in self.worth_columns() {
            let role = if Some(&name) == self.amount.as_ref() { Role::Amount } else { Role::Ignore };
            settled.data.schema.columns.entry(name).or_insert(ColumnSchema::Role(role));
        }
        Ok(settled)
    }

    /// The columns that say what cases are worth, each once, the amount first.
    pub(super) fn worth_columns(&self) -> Vec<String> {
        let mut columns: Vec<String> = self.amount.iter().cloned().collect();
        let outcomes = self.decision.effective_outcomes();
        let named = outcomes.iter().flat_map(Outcomes::columns);
        for name in named.filter(|name| *name != "amount" || self.amount.is_none()) {
            if !columns.iter().any(|known| known == name) {
                columns.push(name.to_owned());
            }
        }
        columns
    }

    /// That columns which say what cases are worth are not learned from, where nobody declared otherwise.
    pub(super) fn not_learned_from(&self) -> Option<String> {
        let is_kept_out = |name: &String| {
            let declared = self.data.schema.columns.get(name);
            matches!(declared, Some(ColumnSchema::Role(Role::Amount | Role::Ignore)))
        };
        let names: Vec<String> = self.worth_columns().into_iter().filter(is_kept_out).collect();
        let (is, kind) = if names.len() == 1 { ("is", "a kind") } else { ("are", "kinds") };
        (!names.is_empty()).then(|| {
            let names = names.join(", ");
            format!("{names} {is} not learned from, being what cases are worth; declare {kind} to have it otherwise")
        })
    }

    /// What errors cost learners and in the mean, where that is the same for every case.
    pub fn costs(&self) -> Option<ErrorCosts> {
        self.decision.outcomes.as_ref().and_then(|outcomes| ErrorCosts::of_outcomes(outcomes).ok())
    }

    /// Who takes part: the learners that are named, with the costs where they mind some, and behind each that minds none the
    /// methods that are asked for. Commands and the majority class are there for comparison as they are. Where a rule needs
    /// probabilities, margins are calibrated on the training rows of each split.
    ///
    /// # Errors
    /// A learner or a method is to mind costs, and none are named; or a rule would count costs that are in what a learner learned
    /// once more.
    pub fn line_up(&self) -> Result<Vec<Entrant>, Error> {
        let mut line_up: Vec<Entrant> = Vec::new();
        for entrant in &self.entrants {
            let Entrant::BuiltIn(learner) = entrant else {
                line_up.push(entrant.clone());
                continue;
            };
            let of_learner = self.with_methods(learner)?.into_iter().map(|learner| self.for_rule(learner));
            let of_learner = of_learner.map(|learner| Ok(Entrant::BuiltIn(learner?)));
            let of_learner = of_learner.collect::<Result<Vec<Entrant>, Error>>()?;
            let new: Vec<Entrant> =
                of_learner.into_iter().filter(|one| one == entrant || !line_up.contains(one)).collect();
            line_up.extend(new);
        }
        Ok(line_up)
    }

    /// A learner as a rule that decides case by case can take it.
    fn for_rule(&self, learner: Learner) -> Result<Learner, Error> {
        let Some(rule) = self.decision.rule else { return Ok(learner) };
        if learner.costs_within() == CostsWithin::Training {
            return Err(Error::usage(format!(
                "{learner} learns from rows that costs have changed, so what it says is no probability of the rows, and {rule} would \
                 count costs twice; leave it out, or leave the rule out"
            )));
        }
        Ok(learner.giving_probabilities()?)
    }

    /// A learner, and the same by each of the methods.
    fn with_methods(&self, learner: &Learner) -> Result<Vec<Learner>, Error> {
        if !learner.needs_costs() && self.cost_methods.is_empty() {
            return Ok(vec![learner.clone()]);
        }
        let Some(outcomes) = &self.decision.outcomes else {
            let method = self.cost_methods.first().map(|method| format!("+{method}"));
            let what = if learner.needs_costs() { learner.to_string() } else { method.unwrap_or_default() };
            return Err(Error::usage(costs_are_missing(&what)));
        };
        let costs = ErrorCosts::of_outcomes(outcomes)?;
        let plain = learner.with_costs(costs.matrix());
        let minds_none = plain.cost_method().is_none() && plain.form().name != "majority";
        let methods = self.cost_methods.iter().filter(|_| minds_none);
        let by_methods = methods.map(|&method| plain.by_cost_method(method, costs.matrix()));
        let by_methods = by_methods.collect::<Result<Vec<Learner>, _>>()?;
        Ok([plain.clone()].into_iter().chain(by_methods).collect())
    }

    /// What the verdict of this line-up goes by.
    pub(super) fn deciding(&self) -> Deciding {
        match self.decision.decide_by {
            Some(DecideBy::Metric(measure)) => Deciding::Metric(measure),
            Some(DecideBy::Hits | DecideBy::Amount | DecideBy::Profit) => Deciding::Acting,
            None => match self.mean_cost() {
                Some(measure) => Deciding::Metric(measure),
                None if self.decision.is_asked() => Deciding::Acting,
                None => Deciding::Metric(Measure::AUROC),
            },
        }
    }

    /// Whether it is to be found what acting on the list brings in, whatever the verdict goes by.
    pub(super) fn asks_about_acting(&self) -> bool {
        let is_by_cost = self.decision.decide_by.is_none() && self.mean_cost().is_some();
        self.decision.is_asked() && !is_by_cost
    }

    /// The mean cost a case, where ways of minding costs are compared.
    fn mean_cost(&self) -> Option<Measure> {
        let minds_costs = |entrant: &Entrant| matches!(entrant, Entrant::BuiltIn(learner) if learner.cost_method().is_some());
        let is_of_predictions = self.decision.capacity.is_none() && self.decision.rule.is_none();
        (is_of_predictions && self.entrants.iter().any(minds_costs))
            .then(|| Some(self.costs()?.measure()))
            .flatten()
    }

    /// The share of hits among as many cases of a list of such a weight as can be acted on; nothing where nobody said how many.
    ///
    /// # Errors
    /// There is capacity for more cases than the list has.
    pub(super) fn at_capacity(&self, whole: f64) -> Result<Option<Measure>, Error> {
        let Some(capacity) = self.decision.capacity else { return Ok(None) };
        let share = capacity.share(whole).map_err(|reason| {
            // Of longer lists than this one, whose length the asker knows.
            let longer = 10.0 * capacity.cases().max(whole);
            let list = format!(
                "; ask for fewer cases, or name the length of the list that is meant, as in {capacity}/{longer}"
            );
            Error::data(format!("{reason}{list}"))
        })?;
        let text = format!("precision_top@{}", share * whole);
        text.parse().map(Some).map_err(|error| Error::unknown_metric(&error))
    }
}

fn costs_are_missing(what: &str) -> Message {
    let message = Message::from(format!("{what} is to mind what errors cost, and nobody said what; add "));
    let message = message.set(Setting::CostFp, "1").text(" ").set(Setting::CostFn, "5");
    message.text(" where a missed positive costs five times a false alarm")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(learners: &[&str], costs: Option<&str>, methods: &str) -> StudyRequest {
        let entrants = learners.iter().map(|text| text.parse().expect(text)).collect();
        let mut request = StudyRequest::new("claims", entrants);
        request.decision.outcomes = costs.map(|costs| costs.parse::<ErrorCosts>().expect(costs).outcomes());
        request.cost_methods =
            if methods.is_empty() { Vec::new() } else { cost_methods_of(methods).expect(methods) };
        request
    }

    fn line_up(learners: &[&str], costs: Option<&str>, methods: &str) -> Result<Vec<String>, String> {
        let found = request(learners, costs, methods).line_up().map_err(|error| error.to_string())?;
        Ok(found.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn methods_stand_behind_every_learner_that_minds_nothing_yet() {
        let all = ["c45", "c45+weights=1:5", "c45+resample=1:5", "c45+threshold=1:5", "c45+metacost=1:5"];
        assert_eq!(line_up(&["c45"], Some("1:5"), "all").expect("learners"), all);
        let found =
            line_up(&["majority", "nb+weights", "outside:sh a.sh"], Some("1:5"), "all").expect("learners");
        assert_eq!(found, ["majority", "nb+weights=1:5", "outside:sh a.sh"]);
        // A method that was named as well stands there once.
        let found = line_up(&["c45+metacost=1:5", "c45"], Some("1:5"), "metacost").expect("learners");
        assert_eq!(found, ["c45+metacost=1:5", "c45"]);
        let found = line_up(&["svm", "nb:{5,25}"], Some("2:3"), "metacost").expect("learners");
        assert_eq!(found, ["svm", "svm+platt+metacost=2:3", "nb:{5,25}", "nb:{5,25}+metacost=2:3"]);
        assert_eq!(line_up(&["c45"], None, "").expect("learners"), ["c45"]);
    }

    #[test]
    fn nobody_minds_costs_that_are_not_named() {
        for (learner, methods) in [("c45+weights", ""), ("c45", "all")] {
            let error = line_up(&[learner], None, methods).expect_err(learner);
            assert!(error.contains("add `cost_fp = 1` `cost_fn = 5`"), "{error}");
        }
        for text in ["1", "0:5", "-1:5", "1:inf", "1:x", "nan:1"] {
            assert!(text.parse::<ErrorCosts>().is_err(), "{text}");
        }
        let error = "0,5:2".parse::<ErrorCosts>().expect_err("a comma").to_string();
        assert!(error.contains("a decimal point is a point"), "{error}");
    }

    #[test]
    fn the_question_decides() {
        let mut request = request(&["c45"], None, "");
        let auroc = Deciding::Metric(Measure::AUROC);
        assert_eq!(request.deciding(), auroc);
        request.decision.outcomes = Some("1:5".parse::<ErrorCosts>().expect("costs").outcomes());
        assert_eq!(request.deciding(), Deciding::Acting);
        request.entrants.push("c45+weights=1:5".parse().expect("a learner"));
        assert_eq!(request.deciding(), Deciding::Metric("cost@1:5".parse().expect("a metric")));
        request.decision.capacity = Some("200/5000".parse().expect("a capacity"));
        assert_eq!(request.deciding(), Deciding::Acting);
        let at = |request: &StudyRequest| request.at_capacity(1000.0);
        assert_eq!(at(&request).expect("a metric"), Some("precision_top@40".parse().expect("a metric")));
        request.decision.capacity = Some("2000".parse().expect("a capacity"));
        assert!(at(&request).expect_err("more than there are").to_string().contains("holds 1000 cases"));
        request.decision.decide_by = Some(DecideBy::Metric(Measure::PCC));
        assert_eq!(request.deciding(), Deciding::Metric(Measure::PCC));
    }

    #[test]
    fn learners_see_what_a_wrong_prediction_costs_against_the_right_one() {
        let costs = |cells: [f64; 4]| {
            let [hit, false_positive, false_negative, correct_rejection] = cells.map(Expression::of_number);
            ErrorCosts::of_outcomes(&Outcomes { hit, false_positive, false_negative, correct_rejection })
        };
        let plain = costs([0.0, -1.0, -5.0, 0.0]).expect("costs");
        assert_eq!(plain, ErrorCosts::new(1.0, 5.0).expect("costs"));
        // A constant on both cells of a class changes nothing.
        assert_eq!(costs([7.0, 2.0, 2.0, 3.0]).expect("costs"), plain);
        assert!(costs([0.0, 1.0, -5.0, 0.0]).is_err());
        assert_eq!(plain.outcomes().matrix().map(|matrix| matrix.false_negative), Some(-5.0));
    }

    #[test]
    fn rules_get_probabilities_and_count_costs_once() {
        let mut request = request(&["svm", "nb", "outside:sh a.sh"], None, "");
        request.decision.rule = Some("fraud:90".parse().expect("a rule"));
        let names: Vec<String> =
            request.line_up().expect("learners").iter().map(ToString::to_string).collect();
        assert_eq!(names, ["svm+platt", "nb", "outside:sh a.sh"]);
        request.entrants.push("nb+metacost=1:5".parse().expect("a learner"));
        let error = request.line_up().expect_err("costs twice").to_string();
        assert!(error.contains("count costs twice"), "{error}");
    }

    #[test]
    fn costs_of_single_cases_are_not_minded_by_learners() {
        let mut request = request(&["nb"], None, "all");
        let [zero, cost, amount] = ["0", "-1", "-amount"].map(|text| text.parse::<Expression>().expect(text));
        request.decision.outcomes = Some(Outcomes {
            hit: zero.clone(),
            false_positive: cost,
            false_negative: amount,
            correct_rejection: zero,
        });
        request.amount = Some("paid".into());
        let error = request.line_up().expect_err("not the same for all").to_string();
        assert!(
            error.contains("differs from case to case") && error.contains("`rule = expected`"),
            "{error}"
        );
        assert_eq!(request.worth_columns(), ["paid"]);
    }
}
