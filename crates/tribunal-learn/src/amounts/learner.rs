//! A learner of amounts: the settings, as text and as values.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::linear::Linear;
use super::{AMOUNT_LEARNERS, AmountForm, AmountModel, Amounts};
use crate::dataset::Dataset;
use crate::error::{Error, ErrorKind};
use crate::learners::Arguments;
use crate::text_form::written_as_text;

/// A learner of amounts with its settings, written as `linear` or `linear:cap=50`.
///
/// ```
/// use tribunal_learn::{AmountLearner, Amounts, Column, Dataset, Kind, Values};
///
/// let age = Column::new("age", Kind::Numeric, Values::Numbers(vec![20.0, 40.0, 60.0, 70.0]))?;
/// let donors = Dataset::new(vec![age])?;
/// let gifts = Amounts::new("gift", vec![5.0, 10.0, 15.0, 500.0])?;
///
/// // The gift of 500 is above the cap, so the line goes through the other three.
/// let learner: AmountLearner = "linear:cap=50".parse()?;
/// let model = learner.fit(&donors, &gifts, &[0, 1, 2, 3])?;
/// assert!((model.predict(&donors, &[3])?[0] - 17.5).abs() < 1e-12);
/// # Ok::<(), tribunal_learn::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct AmountLearner {
    pub(super) linear: Linear,
}

impl AmountLearner {
    /// Its entry in the registry.
    pub fn form(&self) -> &'static AmountForm {
        &super::linear::FORM
    }

    /// Whether a text names a learner of amounts, whatever its settings.
    ///
    /// ```
    /// use tribunal_learn::AmountLearner;
    ///
    /// assert!(AmountLearner::is_named("linear:cap=oops"));
    /// assert!(!AmountLearner::is_named("tan:25"));
    /// ```
    pub fn is_named(text: &str) -> bool {
        AMOUNT_LEARNERS.iter().any(|form| form.name == name_of(text))
    }

    /// Learns the amounts of rows of a data set; a row may occur more than once. Of the rows that are given it learns from
    /// those of the positive class, if the data set has a target, whose amount is above zero and within the cap. Weights
    /// of rows count.
    ///
    /// # Errors
    /// There is no such row, a target without a positive class, or a column that cannot be encoded.
    pub fn fit(&self, dataset: &Dataset, amounts: &Amounts, rows: &[u32]) -> Result<AmountModel, Error> {
        AmountModel::fit(self, dataset, amounts, rows)
    }
}

fn name_of(text: &str) -> String {
    text.split_once(':').map_or(text, |(name, _)| name).trim().to_lowercase()
}

impl FromStr for AmountLearner {
    type Err = Error;

    fn from_str(text: &str) -> Result<AmountLearner, Error> {
        if !AmountLearner::is_named(text) {
            let names: Vec<&str> = AMOUNT_LEARNERS.iter().map(|form| form.name).collect();
            let problem = format!("there is no learner of amounts {:?}", name_of(text));
            return Err(
                Error::new(ErrorKind::BadText, problem).advise(format!("there are: {}", names.join(", ")))
            );
        }
        let mut arguments = Arguments::new(text);
        let linear = Linear::parse(&mut arguments)?;
        arguments.finish(super::linear::FORM.form)?;
        Ok(AmountLearner { linear })
    }
}

impl fmt::Display for AmountLearner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.linear.fmt(f)
    }
}

written_as_text!(AmountLearner);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn learners_are_stored_as_their_text() {
        for (text, _) in AMOUNT_LEARNERS.iter().flat_map(|form| form.examples) {
            let learner: AmountLearner = text.parse().expect(text);
            assert_eq!(learner.to_string(), *text);
            let json = serde_json::to_string(&learner).expect("JSON");
            assert_eq!(json, format!("\"{text}\""));
            assert_eq!(serde_json::from_str::<AmountLearner>(&json).expect("read"), learner);
        }
    }

    #[test]
    fn what_is_no_learner_of_amounts_is_refused() {
        let check = |text: &str, expected: &str| {
            let error = text.parse::<AmountLearner>().expect_err(text).to_string();
            assert!(error.contains(expected), "{error}");
        };
        check("tan:25", "there is no learner of amounts \"tan\"; there are: linear");
        check("linear:cap=0", "cap=0 is not a number above zero");
        check("linear:cap=inf", "cap=inf is not a number above zero");
        check("linear:floor=nan", "floor=nan is not a number");
        check("linear:missing=drop", "missing=drop is not impute, mark or refuse");
        check("linear:cop=50", "did you mean cap=...?");
        check("linear:50", "\"50\" is no setting of it; it is written linear[:cap=");
    }
}
