//! What acting on each case is worth, and what leaving it alone is: the four cells of a benefit matrix, case by case.
//!
//! Profit is linear in what is done: the benefit of leaving a case alone plus, where it is acted on, the *value of acting*
//! `v = B[1][y] - B[0][y]`. So every policy, interval and test needs these two numbers a case and nothing else of the matrix.
//! Reference: Elkan (2001), "The foundations of cost-sensitive learning"; Zadrozny and Elkan (2001) for benefits that differ
//! between cases.

use rayon::prelude::*;

use super::cell_value::CellValue;
use super::matrix::BenefitMatrix;
use crate::checks::check_weights;
use crate::curves::{Benefit, Payoff};
use crate::error::Error;
use crate::scored_set::ScoredSet;
use crate::sum::Sum;
use crate::undefined::Undefined;

/// Rows that are summed together before the parts are added up.
const PIECE: usize = 1 << 14;

/// A benefit matrix whose cells may differ from case to case: `B[predicted][actual]`. Costs are negative benefits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaseBenefits<'a> {
    /// Acting on a positive, `B[1][1]`.
    pub hit: CellValue<'a>,
    /// Acting on a negative, `B[1][0]`.
    pub false_positive: CellValue<'a>,
    /// Not acting on a positive, `B[0][1]`.
    pub false_negative: CellValue<'a>,
    /// Not acting on a negative, `B[0][0]`.
    pub correct_rejection: CellValue<'a>,
}

impl From<BenefitMatrix> for CaseBenefits<'static> {
    fn from(matrix: BenefitMatrix) -> Self {
        Self {
            hit: CellValue::Constant(matrix.hit),
            false_positive: CellValue::Constant(matrix.false_positive),
            false_negative: CellValue::Constant(matrix.false_negative),
            correct_rejection: CellValue::Constant(matrix.correct_rejection),
        }
    }
}

impl CaseBenefits<'_> {
    /// Checks that every cell has usable values for the cases that `falls_in` says can fall into it, by truth.
    fn check(&self, n_rows: usize, falls_in: impl Fn(usize, bool) -> bool) -> Result<(), Error> {
        let cells = [
            (&self.hit, "benefit of a hit", true),
            (&self.false_positive, "benefit of a false positive", false),
            (&self.false_negative, "benefit of a false negative", true),
            (&self.correct_rejection, "benefit of a correct rejection", false),
        ];
        cells
            .into_iter()
            .try_for_each(|(cell, name, class)| cell.check(name, n_rows, |row| falls_in(row, class)))
    }

    /// Checks that every cell has a usable value for every case, whatever the truth.
    pub(crate) fn check_all(&self, n_rows: usize) -> Result<(), Error> {
        self.check(n_rows, |_, _| true)
    }

    fn acting(&self, row: usize, positive: bool) -> f64 {
        if positive { self.hit.of(row) } else { self.false_positive.of(row) }
    }

    fn passing(&self, row: usize, positive: bool) -> f64 {
        if positive { self.false_negative.of(row) } else { self.correct_rejection.of(row) }
    }

    /// What a decision on a case of this truth brings in.
    pub(crate) fn benefit(&self, row: usize, acts: bool, positive: bool) -> f64 {
        if acts { self.acting(row, positive) } else { self.passing(row, positive) }
    }

    /// The value of acting on a case of this truth: what it brings in beyond leaving the case alone.
    pub(super) fn value_of_acting(&self, row: usize, positive: bool) -> f64 {
        self.acting(row, positive) - self.passing(row, positive)
    }

    /// Whether leaving a case alone is worth nothing, whatever the case.
    fn is_free_to_pass(&self) -> bool {
        self.false_negative == CellValue::Constant(0.0) && self.correct_rejection == CellValue::Constant(0.0)
    }
}

/// What acting on each of some cases is worth, and what leaving it alone is, their truth being known.
///
/// ```
/// use tribunal_eval::decisions::{CaseBenefits, CaseValues, CellValue};
///
/// let donated_less_cost = [19.32, f64::NAN, 29.32];
/// let benefits = CaseBenefits {
///     hit: CellValue::Column(&donated_less_cost),
///     false_positive: CellValue::Constant(-0.68),
///     false_negative: CellValue::Constant(0.0),
///     correct_rejection: CellValue::Constant(0.0),
/// };
/// let values = CaseValues::new(&[true, false, true], &benefits)?;
/// assert_eq!(values.acting(), [19.32, -0.68, 29.32]);
/// assert!((values.profit(&values.everybody())?.total - 47.96).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct CaseValues<'a> {
    pub(super) truth: &'a [bool],
    pub(super) weight: Option<&'a [f64]>,
    pub(super) acting: Vec<f64>,
    /// Benefit of leaving a case alone; nothing where it is zero for every case.
    pub(super) passing: Option<Vec<f64>>,
}

impl<'a> CaseValues<'a> {
    /// From the truth of the cases and the cells of their benefit matrix.
    ///
    /// # Errors
    /// A column has not one value a case, or a value that counts is missing, infinite or beyond 1e100.
    pub fn new(truth: &'a [bool], benefits: &CaseBenefits<'_>) -> Result<Self, Error> {
        benefits.check(truth.len(), |row, class| truth[row] == class)?;
        let rows = || truth.iter().copied().enumerate();
        let passing = (!benefits.is_free_to_pass())
            .then(|| rows().map(|(row, positive)| benefits.passing(row, positive)).collect());
        let acting = rows().map(|(row, positive)| benefits.value_of_acting(row, positive)).collect();
        Ok(Self { truth, weight: None, acting, passing })
    }

    /// From what a positive brings in and what acting on any case costs. The scores of the set are not looked at.
    ///
    /// # Errors
    /// The positives bring in their amounts and there are none, or the payoff is not made of finite numbers.
    pub fn of_payoff(set: &ScoredSet<'a>, payoff: &Payoff) -> Result<Self, Error> {
        let ScoredSet { truth, weight, amount, .. } = *set;
        let Payoff { benefit, cost } = *payoff;
        let net: Vec<f64>;
        let hit = match benefit {
            Benefit::Fixed(value) => CellValue::Constant(value - cost),
            Benefit::Amount => {
                let amounts = amount.ok_or(Undefined::NoAmounts)?;
                net = amounts.iter().map(|amount| amount - cost).collect();
                CellValue::Column(&net)
            }
        };
        let [false_positive, nothing] = [-cost, 0.0].map(CellValue::Constant);
        let benefits =
            CaseBenefits { hit, false_positive, false_negative: nothing, correct_rejection: nothing };
        Ok(Self { weight, ..Self::new(truth, &benefits)? })
    }

    /// Gives each case a non-negative weight.
    ///
    /// # Errors
    /// There is not one weight a case, or one is negative or not finite.
    pub fn with_weight(self, sample_weight: &'a [f64]) -> Result<Self, Error> {
        check_weights(sample_weight, self.truth.len())?;
        Ok(Self { weight: Some(sample_weight), ..self })
    }

    /// How many cases there are.
    pub fn n_rows(&self) -> usize {
        self.truth.len()
    }

    /// What each case was.
    pub fn truth(&self) -> &'a [bool] {
        self.truth
    }

    /// What each case counts; nothing where all count one.
    pub fn weight(&self) -> Option<&'a [f64]> {
        self.weight
    }

    /// The value of acting on each case, beyond leaving it alone.
    pub fn acting(&self) -> &[f64] {
        &self.acting
    }

    /// What leaving each case alone is worth; nothing where that is zero for every case.
    pub fn passing(&self) -> Option<&[f64]> {
        self.passing.as_deref()
    }

    pub(super) fn weight_of(&self, row: usize) -> f64 {
        self.weight.map_or(1.0, |weight| weight[row])
    }

    pub(super) fn passing_of(&self, row: usize) -> f64 {
        self.passing.as_ref().map_or(0.0, |passing| passing[row])
    }

    /// Sums a function of a row, times its weight. The pieces in which all cores do it depend on the number of rows alone.
    pub(super) fn sum(&self, of: impl Fn(usize) -> f64 + Sync) -> f64 {
        let n_rows = self.n_rows();
        let piece = |start: usize| {
            let rows = start..(start + PIECE).min(n_rows);
            rows.map(|row| self.weight_of(row) * of(row)).collect::<Sum>().value()
        };
        let starts: Vec<usize> = (0..n_rows).step_by(PIECE).collect();
        let pieces: Vec<f64> = starts.into_par_iter().map(piece).collect();
        pieces.into_iter().collect::<Sum>().value()
    }

    /// Weight of all cases, where there is any.
    pub(super) fn total_weight(&self) -> Result<f64, Undefined> {
        let total = self.sum(|_| 1.0);
        if total > 0.0 { Ok(total) } else { Err(Undefined::NoRows) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: CellValue<'static> = CellValue::Constant(0.0);

    #[test]
    fn the_value_of_acting_is_the_difference_within_a_column() {
        let matrix =
            BenefitMatrix { hit: 10.0, false_positive: -3.0, false_negative: -20.0, correct_rejection: 1.0 };
        let values = CaseValues::new(&[true, false], &matrix.into()).expect("finite");
        assert_eq!((values.acting(), values.passing()), (&[30.0, -4.0][..], Some(&[-20.0, 1.0][..])));
    }

    #[test]
    fn only_values_of_cases_that_can_fall_into_a_cell_count() {
        let benefits = |hit| CaseBenefits {
            hit: CellValue::Column(hit),
            false_positive: CellValue::Constant(-1.0),
            false_negative: NOTHING,
            correct_rejection: NOTHING,
        };
        let truth = [true, false];
        assert!(CaseValues::new(&truth, &benefits(&[1.0, f64::NAN])).is_ok());
        let error = CaseValues::new(&truth, &benefits(&[f64::NAN, 1.0])).expect_err("NaN");
        assert_eq!(error.to_string(), "benefit of a hit of row 0 is NaN; it must be a finite number");
        assert!(CaseValues::new(&truth, &benefits(&[1.0])).is_err());
        let endless =
            CaseBenefits { false_positive: CellValue::Constant(f64::INFINITY), ..benefits(&[1.0, 1.0]) };
        assert!(CaseValues::new(&truth, &endless).is_err());
    }

    #[test]
    fn a_payoff_is_a_benefit_matrix() {
        let truth = [true, false];
        let set = ScoredSet::new(&truth, &[0.5, 0.5]).expect("valid");
        let fixed = Payoff { benefit: Benefit::Fixed(10.0), cost: 6.0 };
        assert_eq!(CaseValues::of_payoff(&set, &fixed).expect("finite").acting(), [4.0, -6.0]);
        let amount = Payoff { benefit: Benefit::Amount, cost: 6.0 };
        assert_eq!(CaseValues::of_payoff(&set, &amount).expect_err("none"), Undefined::NoAmounts.into());
        let with_amounts = set.with_amount(&[7.0, f64::NAN]).expect("valid");
        assert_eq!(CaseValues::of_payoff(&with_amounts, &amount).expect("finite").acting(), [1.0, -6.0]);
    }
}
