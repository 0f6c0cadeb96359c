//! Models of amounts that are read back: nothing is believed before it was checked, so that no file gives amounts that
//! are no numbers.

use serde::Deserialize;

use super::coefficient::{Estimate, Quality};
use super::model::{AmountClass, AmountModel, Term};
use super::{AmountLearner, AmountRows};
use crate::encoding::NumericEncoder;
use crate::error::{Error, ErrorKind};
use crate::model::{Input, check_inputs};

/// A model of amounts as it was written.
#[derive(Deserialize)]
pub(super) struct StoredAmountModel {
    learner: AmountLearner,
    amount: String,
    class: Option<AmountClass>,
    inputs: Vec<Input>,
    rows: AmountRows,
    warnings: Vec<String>,
    encoder: NumericEncoder,
    base: f64,
    intercept: Estimate,
    terms: Vec<Term>,
    quality: Quality,
}

impl TryFrom<StoredAmountModel> for AmountModel {
    type Error = Error;

    fn try_from(stored: StoredAmountModel) -> Result<AmountModel, Error> {
        check_inputs(&stored.inputs).map_err(broken)?;
        let missing = stored.learner.linear.missing;
        if stored.encoder.checked_width(&stored.inputs).is_none()
            || !stored.encoder.treats_missing_as(missing)
        {
            return Err(broken("its encoding is that of other columns"));
        }
        if !stored.encoder.feature_names().eq(stored.terms.iter().map(|term| term.name.as_str())) {
            return Err(broken("its coefficients are not those of its columns"));
        }
        let estimates = stored.terms.iter().filter_map(|term| term.estimate).chain([stored.intercept]);
        let are_sound = estimates.into_iter().all(|estimate| estimate.is_sound());
        let centres = stored.terms.iter().map(|term| term.centre);
        if !are_sound || !centres.chain([stored.base]).all(f64::is_finite) {
            return Err(broken("a coefficient is not a number, or its error is negative"));
        }
        if !stored.quality.is_sound() || stored.rows.learned == 0 {
            return Err(broken("its degrees of freedom or its quality of fit cannot be"));
        }
        let StoredAmountModel {
            learner,
            amount,
            class,
            inputs,
            rows,
            warnings,
            encoder,
            base,
            intercept,
            terms,
            quality,
        } = stored;
        Ok(AmountModel {
            learner,
            amount,
            class,
            inputs,
            rows,
            warnings,
            encoder,
            base,
            intercept,
            terms,
            quality,
        })
    }
}

impl Estimate {
    fn is_sound(&self) -> bool {
        self.value.is_finite() && self.standard_error.is_none_or(is_from_zero)
    }
}

impl Quality {
    fn is_sound(&self) -> bool {
        let is_share = |share: f64| (0.0..=1.0).contains(&share);
        self.n > 0.0
            && self.n.is_finite()
            && self.residual_df < self.n
            && self.residual_df.is_finite()
            && self.residual_sd.is_none_or(is_from_zero)
            && self.r_squared.is_none_or(is_share)
            && self.f_test.is_none_or(|test| is_from_zero(test.f) && test.df > 0.0 && is_share(test.p))
    }
}

fn is_from_zero(value: f64) -> bool {
    value.is_finite() && value >= 0.0
}

fn broken(what: &str) -> Error {
    Error::new(ErrorKind::Inconsistent, format!("the model of amounts is damaged: {what}"))
}
