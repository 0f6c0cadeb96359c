//! What is done to each case: policies on a list, per-case rules, the floors that any policy should beat and the ceiling that none
//! can.
//!
//! A policy that was fixed in advance does the same to a case whatever other cases there are. A list of given length does not:
//! its last score is a quantile of the sample, which intervals take into account. So [`Actions`] remember which they are.

use super::case_values::{CaseBenefits, CaseValues};
use crate::checks::{check_amounts, check_finite, check_length, within};
use crate::curves::{Benefit, Payoff};
use crate::error::Error;
use crate::influence::{blocks_at_cut, divided};
use crate::ranking::Ranking;
use crate::scored_set::ScoredSet;
use crate::undefined::Undefined;

/// Weights that were multiplied add up to what they were but for this part.
pub(super) const ROUNDING: f64 = 1e-9;

/// How long a list is.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ListLength {
    /// A share of all cases, from 0 to 1.
    Share(f64),
    /// So many cases; of weighted cases so much weight.
    Cases(f64),
}

impl ListLength {
    /// The weight of such a list among cases of this total weight.
    ///
    /// # Errors
    /// The share is not between 0 and 1, or there are fewer cases than asked for.
    pub fn weight(self, total: f64) -> Result<f64, Error> {
        match self {
            Self::Share(share) => {
                let is_share = (0.0..=1.0).contains(&share);
                within("the share of the list", share, is_share, "a number between 0 and 1")
                    .map(|share| share * total)
            }
            Self::Cases(asked) => {
                within("the length of the list", asked, asked >= 0.0, "a number of cases of 0 or more")?;
                match asked > total * (1.0 + ROUNDING) {
                    true => Err(Undefined::TooFewRows { asked, available: total }.into()),
                    false => Ok(asked.min(total)),
                }
            }
        }
    }
}

/// How likely each case is acted on, and how that was decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Actions {
    pub(super) shares: Vec<f64>,
    pub(super) cut: Option<ListEnd>,
    /// Whether cases are acted on by the truth, exactly where that pays.
    pub(super) is_ceiling: bool,
}

/// The end of a list of given length.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ListEnd {
    /// Weight of the list.
    pub(super) weight: f64,
    /// The rows at the cut, whose values say what one case more or less is worth.
    pub(super) rows_at_cut: Vec<u32>,
    /// The score of the last case in the list; `None` of an empty one.
    pub(super) score: Option<f64>,
}

impl Actions {
    fn in_advance(shares: Vec<f64>) -> Self {
        Self { shares, cut: None, is_ceiling: false }
    }

    /// Acts on these cases, chosen without a look at other cases or at the truth.
    pub fn on(rows: &[bool]) -> Self {
        Self::in_advance(rows.iter().map(|&acts| f64::from(acts)).collect())
    }

    /// Acts on every case that scores at least so much.
    pub fn from_score(scores: &[f64], at_least: f64) -> Self {
        Self::in_advance(scores.iter().map(|&score| f64::from(score >= at_least)).collect())
    }

    /// Acts on all other cases.
    #[must_use]
    pub fn rest(&self) -> Self {
        Self {
            shares: self.shares.iter().map(|share| 1.0 - share).collect(),
            cut: self.cut.clone(),
            is_ceiling: false,
        }
    }

    /// How likely each case is acted on: 1 or 0, but for ties at the end of a list and for cases acted on at random.
    pub fn shares(&self) -> &[f64] {
        &self.shares
    }

    /// Whether this is a list of given length, whose last score depends on the sample.
    pub fn is_list(&self) -> bool {
        self.cut.is_some()
    }

    /// The score of the last case in a list of given length.
    pub fn last_score(&self) -> Option<f64> {
        self.cut.as_ref().and_then(|cut| cut.score)
    }
}

impl CaseValues<'_> {
    /// Acts on no case.
    pub fn nobody(&self) -> Actions {
        Actions::in_advance(vec![0.0; self.n_rows()])
    }

    /// Acts on every case.
    pub fn everybody(&self) -> Actions {
        Actions::in_advance(vec![1.0; self.n_rows()])
    }

    /// Acts on cases drawn at random, so that this share of all is acted on: the floor of a list of that length.
    ///
    /// # Errors
    /// The share is not between 0 and 1, or there are fewer cases than asked for.
    pub fn at_random(&self, length: ListLength) -> Result<Actions, Error> {
        let total = self.total_weight()?;
        let share = length.weight(total)? / total;
        Ok(Actions::in_advance(vec![share; self.n_rows()]))
    }

    /// Acts exactly on the cases on which acting pays: what nobody can do without knowing the truth. No policy earns more.
    pub fn where_it_pays(&self) -> Actions {
        let shares = self.acting.iter().map(|&value| f64::from(value > 0.0)).collect();
        Actions { is_ceiling: true, ..Actions::in_advance(shares) }
    }

    /// Acts on the first cases of a list that runs from the highest score down, ties in random order. With amounts for scores it is
    /// the floor "the largest amounts".
    ///
    /// # Errors
    /// There is not one finite score a case, or the length does not fit the list.
    pub fn top(&self, scores: &[f64], length: ListLength) -> Result<Actions, Error> {
        let set = ScoredSet { weight: self.weight, ..ScoredSet::new(self.truth, scores)? };
        self.top_of(&Ranking::of(&set)?, scores, length)
    }

    /// The same where the ranking of the cases by these scores is at hand.
    ///
    /// # Errors
    /// Those of [`top`](Self::top).
    pub fn top_of(&self, ranking: &Ranking, scores: &[f64], length: ListLength) -> Result<Actions, Error> {
        check_length("score", scores.len(), self.n_rows())?;
        let total = ranking.totals().total();
        if total <= 0.0 {
            return Err(Undefined::NoRows.into());
        }
        let weight = length.weight(total)?;
        // What the first so many blocks reach down to.
        let lowest = |n_blocks: usize| match n_blocks {
            0 => f64::INFINITY,
            n_blocks if n_blocks >= ranking.n_blocks() => f64::NEG_INFINITY,
            n_blocks => ranking.score(n_blocks - 1),
        };
        let (from, to) = blocks_at_cut(ranking, weight, total / ranking.n_rows());
        let at_cut = lowest(to)..lowest(from);
        let is_at_cut = |row: &usize| at_cut.contains(&scores[*row]) && self.weight_of(*row) > 0.0;
        let rows_at_cut = (0..self.n_rows()).filter(is_at_cut).map(|row| row as u32).collect();
        let score = (weight > 0.0).then(|| ranking.block(ranking.block_at(weight)).score);
        let (start, end, share) = divided(ranking, weight);
        let (inside, divided) = (lowest(start), lowest(end));
        let share_of = |&score: &f64| match score {
            score if score >= inside => 1.0,
            score if score >= divided => share,
            _ => 0.0,
        };
        let shares = scores.iter().map(share_of).collect();
        Ok(Actions { shares, cut: Some(ListEnd { weight, rows_at_cut, score }), is_ceiling: false })
    }
}

/// Acts on a case when its probability times its amount exceeds what acting costs: strictly, so that a case that just pays for
/// itself is left alone, and never where the amount is not above zero.
///
/// ```
/// use tribunal_eval::decisions::AmountRule;
///
/// let p = [0.30, 0.05, 0.90, 0.50, 0.02];
/// let amount = [400.0, 2500.0, 80.0, 180.0, 6000.0];
/// let flagged = AmountRule::FRAUD.acts(&p, &amount)?;
/// assert_eq!(flagged, [true, true, false, false, true]);
/// assert_eq!(AmountRule::FRAUD.threshold(400.0), Some(0.225));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Zadrozny & Elkan 2001
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AmountRule {
    /// What acting on a case costs.
    pub cost: f64,
}

impl AmountRule {
    /// A letter of the KDD Cup 1998 costs 0.68; the amount is the expected donation of a donor.
    pub const DONATION: Self = Self { cost: 0.68 };
    /// An investigation of card fraud costs 90; the amount is that of the transaction.
    pub const FRAUD: Self = Self { cost: 90.0 };

    /// Which cases to act on.
    ///
    /// # Errors
    /// There is not one amount a probability, one is not a finite number, or a probability lies outside [0, 1].
    pub fn acts(&self, probability: &[f64], amount: &[f64]) -> Result<Vec<bool>, Error> {
        check_probabilities(probability)?;
        check_length("amount", amount.len(), probability.len())?;
        check_amounts("amount", amount, |_| true)?;
        let pays = |(&p, &amount): (&f64, &f64)| amount > 0.0 && p * amount > self.cost;
        Ok(probability.iter().zip(amount).map(pays).collect())
    }

    /// The probability above which a case of this amount is acted on; nothing where no probability is enough.
    pub fn threshold(&self, amount: f64) -> Option<f64> {
        (amount > 0.0 && amount > self.cost).then(|| self.cost / amount)
    }

    /// What cases that were acted on are then worth.
    pub fn payoff(&self) -> Payoff {
        Payoff { benefit: Benefit::Amount, cost: self.cost }
    }
}

/// What to do where acting and leaving alone are worth the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Tie {
    /// Act: the rule of a cost matrix.
    #[default]
    Act,
    /// Leave alone: the rule of the two benefit problems.
    Pass,
}

impl CaseBenefits<'_> {
    /// Which cases to act on by their probabilities and what is believed of their benefits: those on which acting is expected to
    /// bring in more than leaving them alone. Both classes' cells are needed of every case, since the truth is not known.
    ///
    /// # Errors
    /// A probability lies outside [0, 1], or a cell has not one finite value a case.
    pub fn acts(&self, probability: &[f64], tie: Tie) -> Result<Vec<bool>, Error> {
        const EQUAL: f64 = 1e-12;
        check_probabilities(probability)?;
        self.check_all(probability.len())?;
        let acts = |(row, &p): (usize, &f64)| {
            let of_positive = p * self.value_of_acting(row, true);
            let of_negative = (1.0 - p) * self.value_of_acting(row, false);
            let (expected, equal) =
                (of_positive + of_negative, EQUAL * of_positive.abs().max(of_negative.abs()));
            match tie {
                Tie::Act => expected >= -equal,
                Tie::Pass => expected > equal,
            }
        };
        Ok(probability.iter().enumerate().map(acts).collect())
    }
}

fn check_probabilities(values: &[f64]) -> Result<(), Error> {
    check_finite("probability", values)?;
    match values.iter().position(|p| !(0.0..=1.0).contains(p)) {
        Some(row) => Err(Error::NotProbability { row, value: values[row] }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::decisions::CellValue;
    use crate::error::ErrorKind;

    const DONATIONS: [f64; 5] = [20.0, 0.0, 30.0, 0.0, 0.0];
    const DONORS: [bool; 5] = [true, false, true, false, false];
    const FRAUDS: [bool; 5] = [true, false, true, false, true];
    const TRANSACTIONS: [f64; 5] = [400.0, 2500.0, 80.0, 180.0, 6000.0];

    fn values<'a>(truth: &'a [bool], amount: &'a [f64], rule: AmountRule) -> CaseValues<'a> {
        let set = ScoredSet::new(truth, amount).and_then(|set| set.with_amount(amount)).expect("valid");
        CaseValues::of_payoff(&set, &rule.payoff()).expect("amounts")
    }

    fn total(values: &CaseValues<'_>, actions: &Actions) -> f64 {
        values.profit(actions).expect("rows").total
    }

    #[track_caller]
    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found}, expected {expected}");
    }

    #[test]
    fn golden_donations() {
        let values = values(&DONORS, &DONATIONS, AmountRule::DONATION);
        let (p, expected) = ([0.05, 0.08, 0.03, 0.10, 0.02], [15.0, 8.0, 25.0, 6.0, 40.0]);
        let acts = AmountRule::DONATION.acts(&p, &expected).expect("probabilities");
        assert_eq!(acts, [true, false, true, false, true]);
        near(total(&values, &Actions::on(&acts)), 47.96);
        near(total(&values, &values.everybody()), 46.60);
        near(total(&values, &values.where_it_pays()), 48.64);
        near(total(&values, &values.nobody()), 0.0);
        near(AmountRule::DONATION.threshold(15.0).expect("enough"), 0.045333333333333);
    }

    #[test]
    fn golden_card_fraud() {
        let values = values(&FRAUDS, &TRANSACTIONS, AmountRule::FRAUD);
        let p = [0.30, 0.05, 0.90, 0.50, 0.02];
        let acts = AmountRule::FRAUD.acts(&p, &TRANSACTIONS).expect("probabilities");
        assert_eq!(acts, [true, true, false, false, true]);
        near(total(&values, &Actions::on(&acts)), 6130.0);
        near(total(&values, &values.everybody()), 6030.0);
        near(total(&values, &values.where_it_pays()), 6220.0);
        near(AmountRule::FRAUD.threshold(400.0).expect("enough"), 0.225);
        assert_eq!(AmountRule::FRAUD.threshold(90.0), None);
    }

    #[test]
    fn the_rule_for_amounts_is_that_of_expected_benefits_with_ties_left_alone() {
        let p = [0.30, 0.05, 0.90, 0.50, 0.02];
        let net: Vec<f64> = TRANSACTIONS.iter().map(|amount| amount - 90.0).collect();
        let nothing = CellValue::Constant(0.0);
        let benefits = CaseBenefits {
            hit: CellValue::Column(&net),
            false_positive: CellValue::Constant(-90.0),
            false_negative: nothing,
            correct_rejection: nothing,
        };
        let rule = AmountRule::FRAUD.acts(&p, &TRANSACTIONS).expect("probabilities");
        assert_eq!(benefits.acts(&p, Tie::Pass).expect("probabilities"), rule);
        // Row 3 is expected to bring in exactly what it costs.
        assert_eq!(benefits.acts(&p, Tie::Act).expect("probabilities"), [true, true, false, true, true]);
    }

    #[test]
    fn amounts_that_are_not_above_zero_are_never_worth_acting_on() {
        let free = AmountRule { cost: -1.0 };
        assert_eq!(free.acts(&[1.0, 1.0, 1.0], &[0.0, -5.0, 5.0]).expect("valid"), [false, false, true]);
        assert_eq!(free.threshold(-5.0), None);
    }

    #[test]
    fn what_is_no_probability_or_amount_is_refused_with_its_row() {
        let error = AmountRule::FRAUD.acts(&[0.5, 1.2], &[1.0, 1.0]).expect_err("1.2");
        assert_eq!(
            error.to_string(),
            "probability of row 1 is 1.2; it must lie between 0 and 1: calibrate the scores first"
        );
        assert_eq!((error.row(), error.kind()), (Some(1), ErrorKind::OutOfRange));
        assert_eq!(AmountRule::FRAUD.acts(&[0.5], &[f64::NAN]).expect_err("NaN").row(), Some(0));
        assert!(AmountRule::FRAUD.acts(&[0.5], &[]).is_err());
    }

    #[test]
    fn lists_take_the_expected_part_of_ties() {
        let values = values(&FRAUDS, &TRANSACTIONS, AmountRule::FRAUD);
        let list = values.top(&[0.9, 0.5, 0.5, 0.5, 0.1], ListLength::Cases(2.0)).expect("five cases");
        let third = 1.0 / 3.0;
        assert_eq!((list.shares(), list.last_score()), (&[1.0, third, third, third, 0.0][..], Some(0.5)));
        let largest = values.top(&TRANSACTIONS, ListLength::Share(0.4)).expect("five cases");
        assert_eq!(largest.shares(), [0.0, 1.0, 0.0, 0.0, 1.0]);
        let random = values.at_random(ListLength::Cases(2.0)).expect("five cases");
        near(total(&values, &random), 0.4 * 6030.0);
    }

    #[test]
    fn lengths_that_do_not_fit_are_refused() {
        let values = values(&FRAUDS, &TRANSACTIONS, AmountRule::FRAUD);
        for (length, kind) in [
            (ListLength::Cases(6.0), ErrorKind::Undefined),
            (ListLength::Cases(-1.0), ErrorKind::OutOfRange),
            (ListLength::Share(1.5), ErrorKind::OutOfRange),
            (ListLength::Share(f64::NAN), ErrorKind::OutOfRange),
        ] {
            assert_eq!(values.top(&TRANSACTIONS, length).expect_err("refused").kind(), kind, "{length:?}");
        }
        let empty = values.top(&TRANSACTIONS, ListLength::Cases(0.0)).expect("an empty list");
        assert_eq!((total(&values, &empty), empty.last_score()), (0.0, None));
    }

    proptest! {
        /// No policy beats acting exactly where it pays; acting on nobody is worth what leaving cases alone is.
        #[test]
        fn every_policy_lies_below_the_ceiling(
            rows in prop::collection::vec((any::<bool>(), any::<bool>(), -50i32..50, 0u8..4, 0u8..5), 1..40),
            passing in -5i32..5
        ) {
            let truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
            let acts: Vec<bool> = rows.iter().map(|row| row.1).collect();
            let hit: Vec<f64> = rows.iter().map(|row| f64::from(row.2)).collect();
            let weight: Vec<f64> = rows.iter().map(|row| f64::from(row.3)).collect();
            let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.4)).collect();
            prop_assume!(weight.iter().sum::<f64>() > 0.0);
            let benefits = CaseBenefits {
                hit: CellValue::Column(&hit),
                false_positive: CellValue::Constant(-3.0),
                false_negative: CellValue::Constant(f64::from(passing)),
                correct_rejection: CellValue::Constant(0.0),
            };
            let values = CaseValues::new(&truth, &benefits)?.with_weight(&weight)?;
            let total = |actions: &Actions| values.profit(actions).expect("weight").total;
            let ceiling = total(&values.where_it_pays());
            let list = values.top(&scores, ListLength::Share(0.4))?;
            for actions in [Actions::on(&acts), values.everybody(), values.nobody(), list] {
                prop_assert!(total(&actions) <= ceiling + 1e-9);
            }
            let positives: f64 = truth.iter().zip(&weight).filter(|(t, _)| **t).map(|(_, w)| w).sum();
            prop_assert!((total(&values.nobody()) - f64::from(passing) * positives).abs() < 1e-9);
        }

        /// A weight of two is the row twice, and a weight of zero is its absence.
        #[test]
        fn weights_count_rows(
            rows in prop::collection::vec((any::<bool>(), 1i32..50, 0u8..3, 0u8..5), 8..40)
        ) {
            let expanded: Vec<_> = rows.iter().flat_map(|row| vec![*row; usize::from(row.2)]).collect();
            prop_assume!(!expanded.is_empty());
            let judged = |rows: &[(bool, i32, u8, u8)], is_weighted: bool| {
                let truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
                let hit: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
                let weight: Vec<f64> = rows.iter().map(|row| f64::from(row.2)).collect();
                let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.3)).collect();
                let [cost, nothing] = [-3.0, 0.0].map(CellValue::Constant);
                let benefits = CaseBenefits {
                    hit: CellValue::Column(&hit), false_positive: cost, false_negative: nothing, correct_rejection: nothing,
                };
                let values = CaseValues::new(&truth, &benefits).expect("finite");
                let values = if is_weighted { values.with_weight(&weight).expect("weights") } else { values };
                let list = values.top(&scores, ListLength::Share(0.3)).expect("rows");
                let best = values.best_list(&scores).expect("rows");
                [values.profit(&list).expect("rows").total, values.profit(&values.everybody()).expect("rows").total,
                 best.profit, best.cases]
            };
            for (found, expected) in judged(&rows, true).into_iter().zip(judged(&expanded, false)) {
                prop_assert!((found - expected).abs() < 1e-9, "{found} {expected}");
            }
        }
    }
}
