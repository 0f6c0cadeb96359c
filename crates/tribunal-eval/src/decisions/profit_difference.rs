//! The difference of two profits on the same cases, with its interval and test.
//!
//! Case by case the difference of the influence values is the influence value of the difference, whatever the two policies have in
//! common. Where single cases decide, the sample may hold none of those on which the two differ, so the variance of one hit more or
//! less is added. Interval and p value come from the same standard error and quantile.

use serde::{Deserialize, Serialize};

use super::case_values::CaseValues;
use super::policy_profit::PolicyProfit;
use crate::influence::{BaseRate, Moments, Variance};
use crate::intervals::{Interval, IntervalMethod, Level, NoInterval};
use crate::ranking::Split;
use crate::significance::DifferenceTest;

/// A difference of two profits.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ProfitDifference {
    /// The first profit less the second.
    pub difference: f64,
    /// Its interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// The two-sided p value of no difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p: Option<f64>,
    /// Why there is neither.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_interval: Option<NoInterval>,
}

impl CaseValues<'_> {
    /// What one policy brings in more than another on these cases.
    ///
    /// **Definition** · the difference of the profits; its standard error is that of the mean of the differences of the influence
    /// values, and one hit of the usual value more or less is added to the variance. Student's t with the degrees of freedom that the
    /// kurtosis of these values leaves.
    ///
    /// **Undefined when** a class has fewer than two cases, or the two policies do the same to every case by definition.
    ///
    /// **Example**
    /// ```
    /// use tribunal_eval::decisions::{BenefitMatrix, CaseValues, ListLength};
    /// use tribunal_eval::{influence::BaseRate, intervals::Level};
    ///
    /// let truth: Vec<bool> = (0..60).map(|i| i % 3 == 0).collect();
    /// let scores: Vec<f64> = (0..60).map(|i| f64::from(i % 3 == 0) + f64::from(i) / 50.0).collect();
    /// let matrix = BenefitMatrix { hit: 10.0, false_positive: -3.0, ..BenefitMatrix::default() };
    /// let values = CaseValues::new(&truth, &matrix.into())?;
    /// let list = values.profit(&values.top(&scores, ListLength::Cases(20.0))?)?;
    /// let random = values.profit(&values.at_random(ListLength::Cases(20.0))?)?;
    /// let test = values.difference(&list, &random, Level::P95, BaseRate::Random);
    /// assert_eq!(test.p.is_some_and(|p| p < 0.05), !test.interval.expect("an interval").contains(0.0));
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    ///
    /// **Reference** · Hampel 1974 for influence functions; Satterthwaite 1946 for degrees of freedom
    pub fn difference(
        &self,
        first: &PolicyProfit,
        second: &PolicyProfit,
        level: Level,
        base_rate: BaseRate,
    ) -> ProfitDifference {
        let difference = first.total - second.total;
        match self.difference_test(first, second, level, base_rate) {
            Ok(DifferenceTest { effect, p, .. }) => ProfitDifference {
                difference,
                interval: Some(effect.interval),
                p: Some(p),
                no_interval: None,
            },
            Err(reason) => {
                ProfitDifference { difference, interval: None, p: None, no_interval: Some(reason) }
            }
        }
    }

    fn difference_test(
        &self,
        first: &PolicyProfit,
        second: &PolicyProfit,
        level: Level,
        base_rate: BaseRate,
    ) -> Result<DifferenceTest, NoInterval> {
        if first.is_certain() && second.is_certain() {
            return Err(NoInterval::Certain);
        }
        let values: Vec<f64> =
            first.influence_values().iter().zip(second.influence_values()).map(|(a, b)| a - b).collect();
        let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let unit = if largest > 0.0 { largest } else { 1.0 };
        let scaled: Vec<f64> = values.iter().map(|value| value / unit).collect();
        let all = Split { positive: 1.0, negative: 1.0 };
        let moments = Moments::of_values(self.truth, &scaled, self.weight, all);
        let is_enough =
            moments.rows.iter().all(|rows| *rows >= 2.0) && moments.effective.iter().all(|rows| *rows > 1.0);
        if !is_enough {
            return Err(NoInterval::FewCases);
        }
        let variance = Variance::of(&moments, base_rate);
        let error = (variance.total * unit * unit + ONE_CASE.with(|c| c.get()) * self.one_hit()).sqrt();
        let difference = first.total - second.total;
        Ok(DifferenceTest::new(difference, error, variance.kurtosis_df, level, IntervalMethod::InfluenceT))
    }

    /// The mean square of what acting on a positive is worth.
    fn one_hit(&self) -> f64 {
        let square = |row: usize| (self.weight_of(row) * self.acting[row]).powi(2);
        let positives = || (0..self.n_rows()).filter(|&row| self.truth[row] && self.weight_of(row) > 0.0);
        let n = positives().count() as f64;
        if n > 0.0 { positives().map(square).sum::<f64>() / n } else { 0.0 }
    }
}
#[allow(missing_docs)]
thread_local! { #[allow(missing_docs)] pub static ONE_CASE: std::cell::Cell<f64> = const { std::cell::Cell::new(1.0) }; }
