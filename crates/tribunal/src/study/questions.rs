//! What a study is asked in the words of whoever acts: what errors cost, how many cases can be acted on.
//!
//! **Definition** Where nobody names the metric that decides, it is the share of hits among as many cases as there is capacity
//! for; else the mean cost a case, where costs are named; else the AUROC. Methods of cost-sensitive learning stand beside every
//! plain learner, each with the costs in its name, so that costs are counted where it says and nowhere else.

use std::fmt;
use std::str::FromStr;

use tribunal_eval::metrics::Measure;
use tribunal_learn::{COST_METHODS, CostMatrix, CostMethod, Learner};

use super::request::StudyRequest;
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

impl StudyRequest {
    /// Who takes part: the learners that are named, with the costs where they mind some, and behind each that minds none the
    /// methods that are asked for. Commands and the majority class are there for comparison as they are.
    ///
    /// # Errors
    /// A learner or a method is to mind costs, and none are named.
    pub fn line_up(&self) -> Result<Vec<Entrant>, Error> {
        let mut line_up: Vec<Entrant> = Vec::new();
        for entrant in &self.entrants {
            let Entrant::BuiltIn(learner) = entrant else {
                line_up.push(entrant.clone());
                continue;
            };
            let of_learner = self.with_methods(learner)?.into_iter().map(Entrant::BuiltIn);
            let new: Vec<Entrant> =
                of_learner.filter(|one| one == entrant || !line_up.contains(one)).collect();
            line_up.extend(new);
        }
        Ok(line_up)
    }

    /// A learner, and the same by each of the methods.
    fn with_methods(&self, learner: &Learner) -> Result<Vec<Learner>, Error> {
        let Some(costs) = &self.costs else {
            let missing = |what: String| Err(Error::usage(costs_are_missing(&what)));
            return match (learner.needs_costs(), self.cost_methods.first()) {
                (true, _) => missing(learner.to_string()),
                (false, Some(method)) => missing(format!("+{method}")),
                (false, None) => Ok(vec![learner.clone()]),
            };
        };
        let plain = learner.with_costs(costs.matrix());
        let minds_none = plain.cost_method().is_none() && plain.form().name != "majority";
        let methods = self.cost_methods.iter().filter(|_| minds_none);
        let by_methods = methods.map(|&method| plain.by_cost_method(method, costs.matrix()));
        let by_methods = by_methods.collect::<Result<Vec<Learner>, _>>()?;
        Ok([plain.clone()].into_iter().chain(by_methods).collect())
    }

    /// The metric that decides in a list of such a weight.
    ///
    /// # Errors
    /// There is capacity for more cases than the list has.
    pub(super) fn deciding(&self, whole: f64) -> Result<Measure, Error> {
        match (self.decide_by, self.capacity) {
            (Some(measure), _) => Ok(measure),
            (None, Some(capacity)) => {
                let share = capacity.share(whole).map_err(|reason| {
                    let list = format!("; ask for fewer cases, or name the length of the list that is meant, as in {capacity}/5000");
                    Error::data(format!("{reason}{list}"))
                })?;
                let text = format!("precision_top@{}", share * whole);
                text.parse().map_err(|error| Error::unknown_metric(&error))
            }
            (None, None) => Ok(self.costs.as_ref().map_or(Measure::AUROC, ErrorCosts::measure)),
        }
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
        request.costs = costs.map(|costs| costs.parse().expect(costs));
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
        let decides = |request: &StudyRequest| request.deciding(1000.0).map(|measure| measure.to_string());
        assert_eq!(decides(&request).as_deref(), Ok("auroc"));
        request.costs = Some("1:5".parse().expect("costs"));
        assert_eq!(decides(&request).as_deref(), Ok("cost@1:5"));
        request.capacity = Some("200/5000".parse().expect("a capacity"));
        assert_eq!(decides(&request).as_deref(), Ok("precision_top@40"));
        request.capacity = Some("2000".parse().expect("a capacity"));
        assert!(decides(&request).expect_err("more than there are").to_string().contains("holds 1000 cases"));
        request.decide_by = Some(Measure::PCC);
        assert_eq!(decides(&request).as_deref(), Ok("pcc"));
    }
}
