//! What a policy brings in, and how far that may be believed.
//!
//! The profit per case is a mean, `u = b + m v`: what leaving the case alone is worth and, as far as it is acted on, the value of
//! acting. A list of given length is cut at a quantile of the sample, so the value at the cut enters its influence function.
//!
//! Usually acting on a negative costs the same whatever the case, and leaving a case alone is worth nothing. Profit then is the gain
//! of the positives acted on less the cost of each case acted on. Of a list of given length the second part is known; of a rule it
//! is a share of cases, and the two intervals are added arm by arm, with the correlation of the parts (Zou and Donner 2008). What
//! positives bring in is skewed ([`TopGain`](crate::intervals::TopGain)); where all of them bring in the same, it is a share of
//! cases too. Every other profit has Hall's interval for skewed means (1992).

use super::actions::Actions;
use super::case_values::CaseValues;
use super::interval_estimate::IntervalEstimate;
use super::next_list::next_count;
use crate::checks::check_length;
use crate::error::Error;
use crate::influence::{BaseRate, FEWEST_LISTED};
use crate::intervals::{Interval, IntervalMethod, Level, NoInterval, SkewedMean};
use crate::ranking::kish;
use crate::sum::Sum;

/// What a policy brings in.
///
/// **Definition** · `Σ wᵢ (bᵢ + mᵢ vᵢ)`: `wᵢ` is the weight of the case, `bᵢ` what leaving it alone is worth, `mᵢ` how likely it is
/// acted on and `vᵢ` the value of acting beyond `bᵢ`.
///
/// **Undefined when** no case carries weight.
///
/// **Example**
/// ```
/// use tribunal_eval::decisions::{BenefitMatrix, CaseValues, ListLength};
///
/// let matrix = BenefitMatrix { hit: 10.0, false_positive: -1.0, ..BenefitMatrix::default() };
/// let values = CaseValues::new(&[true, false, true, false], &matrix.into())?;
/// let profit = values.profit(&values.top(&[0.9, 0.8, 0.7, 0.1], ListLength::Cases(3.0))?)?;
/// assert_eq!((profit.total, profit.acted, profit.hits), (19.0, 3.0, 2.0));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Zadrozny & Elkan 2001; Hampel 1974 for influence functions
#[derive(Clone, Debug)]
pub struct PolicyProfit {
    /// The profit.
    pub total: f64,
    /// The profit per case.
    pub mean: f64,
    /// Weight of the cases acted on.
    pub acted: f64,
    /// Weight of the positives among them.
    pub hits: f64,
    /// Weight of all cases.
    weight: f64,
    /// Influence of each row on the mean.
    influence: Vec<f64>,
    spread: Spread,
    /// As many cases of equal weight as a list of given length stands for; nothing of other policies.
    listed: Option<f64>,
    /// What the choice of the cut on these cases flatters, already taken off the profit.
    optimism: f64,
    /// The standard error that the choice of cuts on other folds adds.
    error_of_choice: f64,
}

/// What the interval is made of, per case.
#[derive(Clone, Debug)]
enum Spread {
    /// No case is acted on, or acting is worth nothing.
    Nothing,
    /// Gross gain less a cost for each case acted on.
    GainLessCost { gain: Box<Gain>, cost: f64, acted: Box<Acted> },
    /// A mean of any values.
    Mean(SkewedMean),
}

/// What the positives acted on bring in.
#[derive(Clone, Debug)]
enum Gain {
    /// All bring in the same.
    Share(Share),
    /// Amounts.
    Amounts(SkewedMean),
    /// None that is acted on brings anything in, others would.
    Unknown,
}

/// How many cases are acted on.
#[derive(Clone, Debug)]
enum Acted {
    /// As many in every sample: a list of given length, everybody.
    Given(f64),
    /// A share of the cases, which goes along with the gain.
    Varying { share: Share, correlation: f64 },
}

/// A multiple of a share of cases.
#[derive(Clone, Debug)]
struct Share {
    value: f64,
    /// Cases of equal weight of which it is a share.
    n_cases: f64,
    spread: SkewedMean,
    times: f64,
    /// The share of all cases that these cases are.
    among: f64,
    /// By how much a case to come varies, where that is not what these cases vary by.
    case_variance: Option<f64>,
}

impl Share {
    /// The share, and as many independent cases as vary like it.
    fn effective(&self, level: Level, base_rate: BaseRate) -> Result<(f64, f64), NoInterval> {
        let variance = self.spread.variance(base_rate)?.total;
        // Weights may miss a whole number of cases by rounding.
        if self.n_cases < FEWEST_LISTED - 1e-9 {
            return Err(NoInterval::ShortList);
        }
        let value = self.value.clamp(0.0, 1.0);
        Ok((value, level.effective(value, variance, self.n_cases)))
    }

    fn interval(&self, level: Level, base_rate: BaseRate) -> Result<Interval, NoInterval> {
        let (value, n) = self.effective(level, base_rate)?;
        Ok(level.edge_wilson(value, n).times(self.times))
    }

    /// What a list of so many cases will hold, per case.
    fn next(&self, list_size: f64, level: Level, base_rate: BaseRate) -> Result<Interval, NoInterval> {
        let (value, n) = self.effective(level, base_rate)?;
        let m = match self.case_variance {
            Some(variance) if variance > 0.0 => value * (1.0 - value) * list_size / variance,
            Some(_) => self.among * list_size,
            None => self.among * list_size * n / self.n_cases,
        };
        Ok(next_count(level, value, n, m).times(self.times / m))
    }
}

impl CaseValues<'_> {
    /// What these actions bring in.
    ///
    /// # Errors
    /// No case carries weight, or there is not one action a case.
    pub fn profit(&self, actions: &Actions) -> Result<PolicyProfit, Error> {
        check_length("action", actions.shares.len(), self.n_rows())?;
        let weight = self.total_weight()?;
        let shares = &actions.shares;
        let benefit = |row: usize| self.passing_of(row) + shares[row] * self.acting[row];
        let total = self.sum(benefit);
        let terms = Terms { values: self, actions, weight };
        Ok(PolicyProfit {
            total,
            mean: total / weight,
            acted: self.sum(|row| shares[row]),
            hits: self.sum(|row| if self.truth[row] { shares[row] } else { 0.0 }),
            weight,
            influence: terms.influence(benefit, |row| self.acting[row]),
            spread: terms.spread(total / weight),
            listed: actions.is_list().then(|| terms.kish(|row| shares[row])),
            optimism: 0.0,
            error_of_choice: 0.0,
        })
    }

    /// What these actions bring in where each fold has the cut that was the best one on the others. Which cases lie between that cut
    /// and the one of all folds is chance: they vary on top of everything else, in intervals and in differences.
    ///
    /// # Errors
    /// No case carries weight, or there is not one action a case.
    pub fn profit_of_folds(&self, of_folds: &Actions, of_all: &Actions) -> Result<PolicyProfit, Error> {
        check_length("action", of_all.shares.len(), self.n_rows())?;
        let profit = self.profit(of_folds)?;
        let differs = |row: usize| of_folds.shares[row] - of_all.shares[row];
        let square = |row: usize| (self.weight_of(row) * differs(row) * self.acting[row]).powi(2);
        let error_of_choice = (0..self.n_rows()).map(square).collect::<Sum>().value().sqrt();
        Ok(PolicyProfit { error_of_choice, ..profit })
    }
}

/// What the spread of a profit is computed from.
struct Terms<'a> {
    values: &'a CaseValues<'a>,
    actions: &'a Actions,
    /// Weight of all cases.
    weight: f64,
}

impl Terms<'_> {
    fn mean(&self, of: impl Fn(usize) -> f64 + Sync) -> f64 {
        self.values.sum(of) / self.weight
    }

    fn counted(&self) -> impl Iterator<Item = usize> {
        (0..self.values.n_rows()).filter(|&row| self.values.weight_of(row) > 0.0)
    }

    /// Influence values of the mean of `benefit`, where acting on a case is worth `acting`: at the end of a list of given length a
    /// case that comes in drives out one of those at the cut.
    fn influence(&self, benefit: impl Fn(usize) -> f64 + Sync, acting: impl Fn(usize) -> f64) -> Vec<f64> {
        let shares = &self.actions.shares;
        let local = self.at_cut(acting);
        let centre = self.mean(&benefit) - local * self.mean(|row| shares[row]);
        (0..shares.len()).map(|row| benefit(row) - shares[row] * local - centre).collect()
    }

    /// The mean of what acting is worth on the cases at the end of a list of given length.
    fn at_cut(&self, acting: impl Fn(usize) -> f64) -> f64 {
        self.actions.cut.as_ref().map_or(0.0, |cut| {
            let rows = || cut.rows_at_cut.iter().map(|&row| row as usize);
            let weight = rows().map(|row| self.values.weight_of(row)).collect::<Sum>().value();
            let sum = rows().map(|row| self.values.weight_of(row) * acting(row)).collect::<Sum>().value();
            if weight > 0.0 { sum / weight } else { 0.0 }
        })
    }

    /// By how much a case of a list to come varies, in which every case counts once and of a block of ties that the cut divides some are
    /// drawn. Nothing where that is what the cases at hand vary by.
    fn case_variance(&self, influence: &[f64], acting: impl Fn(usize) -> f64 + Sync) -> Option<f64> {
        let shares = &self.actions.shares;
        let is_drawn = |row: usize| shares[row] > 0.0 && shares[row] < 1.0;
        let is_other = self.values.weight.is_some() || self.counted().any(is_drawn);
        if self.actions.cut.is_none() || !is_other {
            return None;
        }
        let local = self.at_cut(&acting);
        let drawn = |row: usize| shares[row] * (1.0 - shares[row]) * (acting(row) - local).powi(2);
        Some(self.mean(|row| influence[row].powi(2) + drawn(row)))
    }

    fn spread(&self, mean: f64) -> Spread {
        let values = self.values;
        if values.passing.is_none()
            && self.counted().all(|row| self.actions.shares[row] * values.acting[row] == 0.0)
        {
            return Spread::Nothing;
        }
        match self.cost() {
            // The ceiling never pays for a negative: nothing is spent but on gains, of which it takes what is left.
            Some(cost) if self.actions.is_ceiling && cost >= 0.0 => self.gain_less_cost(0.0),
            Some(cost) => self.gain_less_cost(cost),
            None => {
                let influence = self.influence(
                    |row| values.passing_of(row) + self.actions.shares[row] * values.acting[row],
                    |row| values.acting[row],
                );
                let case_variance = self.case_variance(&influence, |row| values.acting[row]);
                Spread::Mean(self.skewed(mean, &influence, true).with_case_variance(case_variance))
            }
        }
    }

    /// What acting on a negative costs, where that is the same of all and leaving a case alone is worth nothing.
    fn cost(&self) -> Option<f64> {
        let values = self.values;
        let mut costs = self.counted().filter(|&row| !values.truth[row]).map(|row| -values.acting[row]);
        let first = costs.next().filter(|_| values.passing.is_none())?;
        costs.all(|cost| cost == first).then_some(first)
    }

    fn skewed(&self, mean: f64, influence: &[f64], is_signed: bool) -> SkewedMean {
        SkewedMean::new(self.values.truth, self.values.weight, mean, influence, is_signed)
    }

    fn gain_less_cost(&self, cost: f64) -> Spread {
        let (truth, shares) = (self.values.truth, &self.actions.shares);
        let gain = |row: usize| if truth[row] { self.values.acting[row] + cost } else { 0.0 };
        let acted = self.mean(|row| shares[row]);
        let found = self.mean(|row| shares[row] * gain(row));
        let influence = self.influence(|row| shares[row] * gain(row), gain);
        let is_same_for_all = self.is_same_for_all();
        let acted = match self.actions.cut.is_some() || is_same_for_all {
            true => Acted::Given(acted),
            false => {
                let of_acted = self.influence(|row| shares[row], |_| 0.0);
                let correlation = self.correlation(&influence, &of_acted);
                let share = Share {
                    value: acted,
                    n_cases: self.kish(|_| 1.0),
                    spread: self.skewed(acted, &of_acted, false),
                    times: 1.0,
                    among: 1.0,
                    case_variance: None,
                };
                Acted::Varying { share, correlation }
            }
        };
        let gain = match self.benefit_of_all(gain) {
            Some(benefit) => Gain::Share(self.hit_share(benefit, is_same_for_all)),
            None if self.counted().all(|row| shares[row] * gain(row) == 0.0) => Gain::Unknown,
            None => {
                let is_signed = !self.actions.is_ceiling && self.counted().any(|row| gain(row) < 0.0);
                let case_variance = self.case_variance(&influence, gain);
                Gain::Amounts(self.skewed(found, &influence, is_signed).with_case_variance(case_variance))
            }
        };
        Spread::GainLessCost { gain: Box::new(gain), cost, acted: Box::new(acted) }
    }

    /// Whether every case is acted on with the same chance.
    fn is_same_for_all(&self) -> bool {
        let mut shares = self.counted().map(|row| self.actions.shares[row]);
        shares.next().is_some_and(|first| shares.all(|share| share == first))
    }

    /// What every positive brings in, where that is the same of all.
    fn benefit_of_all(&self, gain: impl Fn(usize) -> f64) -> Option<f64> {
        let mut gains = self.counted().filter(|&row| self.values.truth[row]).map(gain);
        let first = gains.next()?;
        gains.all(|gain| (gain - first).abs() <= 1e-12 * first.abs()).then_some(first)
    }

    /// The share of hits: among the cases in a list, among all cases of a rule.
    fn hit_share(&self, benefit: f64, is_same_for_all: bool) -> Share {
        let (truth, shares) = (self.values.truth, &self.actions.shares);
        let is_hit = |row: usize| f64::from(truth[row]);
        let largest = self.counted().map(|row| shares[row]).fold(0.0, f64::max);
        let hits = self.mean(|row| shares[row] * is_hit(row));
        let (among, n_cases) = match self.actions.cut.is_some() && !is_same_for_all {
            true => (self.mean(|row| shares[row]), self.kish(|row| shares[row])),
            false => (largest, self.cases_like_hits(hits / largest)),
        };
        let value = hits / among;
        let influence = self.influence(|row| shares[row] * is_hit(row), is_hit);
        let case_variance = self.case_variance(&influence, is_hit).map(|variance| variance / (among * among));
        let influence: Vec<f64> = influence.iter().map(|value| value / among).collect();
        let among_cases = if self.actions.cut.is_some() && !is_same_for_all { among } else { 1.0 };
        Share {
            value,
            n_cases,
            spread: self.skewed(value, &influence, false),
            times: benefit * among,
            among: among_cases,
            case_variance,
        }
    }

    /// How many cases of equal weight a share of hits among all cases stands for. Each class counts by its own weights: where few
    /// of all cases are hits these are what varies, and what negatives weigh - 231 each in a case-control sample - says nothing about
    /// them. Where nearly all cases are hits, it is the others that vary.
    fn cases_like_hits(&self, hits: f64) -> f64 {
        let of_class = |positive: bool| {
            let power = |k: i32| {
                let rows = self.counted().filter(|&row| self.values.truth[row] == positive);
                rows.map(|row| self.values.weight_of(row).powi(k)).collect::<Sum>().value()
            };
            let weight = power(1);
            (kish([weight, power(2), 0.0, 0.0]), weight)
        };
        let (positives, negatives) = (of_class(true), of_class(false));
        let per_weight = |(rows, weight): (f64, f64)| if weight > 0.0 { rows / weight } else { 0.0 };
        self.weight * ((1.0 - hits) * per_weight(positives) + hits * per_weight(negatives))
    }

    /// Cases of equal weight that vary like these, each taken to this share.
    fn kish(&self, share: impl Fn(usize) -> f64) -> f64 {
        let power = |k: i32| {
            self.counted().map(|row| share(row) * self.values.weight_of(row).powi(k)).collect::<Sum>().value()
        };
        kish([power(1), power(2), 0.0, 0.0])
    }

    fn correlation(&self, one: &[f64], other: &[f64]) -> f64 {
        let product = |a: &[f64], b: &[f64]| {
            let square = |row: usize| self.values.weight_of(row).powi(2);
            self.counted().map(|row| square(row) * a[row] * b[row]).collect::<Sum>().value()
        };
        let spread = (product(one, one) * product(other, other)).sqrt();
        if spread > 0.0 { (product(one, other) / spread).clamp(-1.0, 1.0) } else { 0.0 }
    }
}

impl PolicyProfit {
    /// The influence value of each row on the profit. Differences of the values of two policies on the same rows are the values
    /// of the difference.
    pub fn influence_values(&self) -> Vec<f64> {
        self.influence.iter().map(|value| value * self.weight).collect()
    }

    /// Influence of each row on the profit per case.
    pub(super) fn influence_on_mean(&self) -> &[f64] {
        &self.influence
    }

    /// The interval of the profit over samples of as many cases.
    ///
    /// # Errors
    /// No case is acted on, a class has fewer than two cases, no case acted on brings anything in, or a list
    /// whose hits are all worth the same has fewer than four cases.
    pub fn interval(&self, level: Level, base_rate: BaseRate) -> Result<Interval, NoInterval> {
        if self.listed.is_some_and(|n_cases| n_cases > 0.0 && n_cases < FEWEST_LISTED - 1e-9) {
            return Err(NoInterval::ShortList);
        }
        let raw = self.total + self.optimism;
        let of_mean = match &self.spread {
            Spread::Nothing => return Err(NoInterval::NothingAtStake),
            Spread::Mean(mean) => mean.interval(level, base_rate)?,
            Spread::GainLessCost { gain, cost, acted } => {
                let gain = match gain.as_ref() {
                    Gain::Share(share) => share.interval(level, base_rate)?,
                    Gain::Amounts(mean) => mean.interval(level, base_rate)?,
                    Gain::Unknown => return Err(NoInterval::NoHit),
                };
                match acted.as_ref() {
                    Acted::Given(share) => gain.mapped(|gain| gain - cost * share),
                    Acted::Varying { share, correlation } => {
                        let found = raw / self.weight + cost * share.value;
                        let spent = share.interval(level, base_rate)?.times(-cost);
                        let correlation = -correlation * cost.signum();
                        gain.plus(found, spent, -cost * share.value, correlation)
                    }
                }
            }
        };
        let ends = of_mean.mapped(|mean| mean * self.weight).holding(raw);
        let ends = match self.error_of_choice > 0.0 {
            true => {
                let chance = Interval::around(0.0, level.z() * self.error_of_choice, level, ends.method);
                ends.plus(raw, chance, 0.0, 0.0)
            }
            false => ends,
        };
        if self.optimism <= 0.0 {
            return Ok(ends);
        }
        let error = level.z() * self.error_of_optimism();
        let chance = Interval::around(0.0, error, level, IntervalMethod::InfluenceCorrected);
        Ok(ends
            .plus(raw, chance, 0.0, 0.0)
            .mapped_as(|end| end - self.optimism, IntervalMethod::InfluenceCorrected))
    }

    /// The profit of a cut that was chosen on these cases, less what that choice flatters. How much that is, is known about as well as
    /// it is large, which widens intervals and differences.
    #[must_use]
    pub fn less_optimism(self, optimism: f64) -> Self {
        let total = self.total - optimism;
        Self { total, mean: total / self.weight, optimism: self.optimism + optimism, ..self }
    }

    /// The standard error of the optimism: its 95 % interval reaches from nothing to twice as much.
    fn error_of_optimism(&self) -> f64 {
        self.optimism / Level::P95.z()
    }

    /// What the choice of a cut adds to the variance.
    pub(super) fn variance_of_choice(&self) -> f64 {
        self.error_of_optimism().powi(2) + self.error_of_choice.powi(2)
    }

    /// Whether no case is acted on, or acting is worth nothing.
    pub(super) fn is_nothing(&self) -> bool {
        matches!(self.spread, Spread::Nothing)
    }

    /// Whether all positives that are acted on bring in the same, or nothing is brought in at all.
    pub(super) fn is_share_of_hits(&self) -> bool {
        match &self.spread {
            Spread::Nothing => true,
            Spread::GainLessCost { gain, .. } => matches!(**gain, Gain::Share(_)),
            Spread::Mean(_) => false,
        }
    }

    /// What acting on a list of the same share of `list_size` other cases will bring in.
    ///
    /// # Errors
    /// Those of [`interval`](Self::interval), or this is no list of given length.
    pub(super) fn next_list(
        &self,
        list_size: f64,
        level: Level,
        base_rate: BaseRate,
    ) -> Result<Interval, NoInterval> {
        let next = |mean: &SkewedMean| mean.next(list_size, level, base_rate);
        let of_case = match &self.spread {
            Spread::Nothing => return Err(NoInterval::NothingAtStake),
            Spread::Mean(mean) => next(mean)?,
            Spread::GainLessCost { gain, cost, .. } => {
                let gain = match gain.as_ref() {
                    Gain::Share(share) => share.next(list_size, level, base_rate)?,
                    Gain::Amounts(mean) => next(mean)?,
                    Gain::Unknown => return Err(NoInterval::NoHit),
                };
                let spent = cost * self.acted / self.weight;
                gain.mapped(|gain| gain - spent)
            }
        };
        Ok(of_case.times(list_size))
    }

    /// The profit with its interval.
    pub fn expected(&self, level: Level, base_rate: BaseRate) -> IntervalEstimate {
        IntervalEstimate::new(self.total, self.interval(level, base_rate))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decisions::BenefitMatrix;

    /// A case-control sample: 200 positives, 120 of them found, beside 500 negatives that stand for 100 each, of which none is acted
    /// on. How many positives are found varies as their number does; the ceiling loses nothing.
    #[test]
    fn hits_of_a_case_control_sample_vary_with_the_positives() {
        let truth: Vec<bool> = (0..700).map(|row| row < 200).collect();
        let scores: Vec<f64> = (0..700).map(|row| if row < 120 { 0.9 } else { 0.1 }).collect();
        let weight: Vec<f64> = (0..700).map(|row| if row < 200 { 1.0 } else { 100.0 }).collect();
        let of = |hit: f64, false_positive: f64| {
            let matrix = BenefitMatrix { hit, false_positive, ..BenefitMatrix::default() };
            let values =
                CaseValues::new(&truth, &matrix.into()).and_then(|values| values.with_weight(&weight));
            let values = values.expect("finite");
            let ends = |actions: &Actions| {
                let profit = values.profit(actions).expect("rows");
                profit.interval(Level::P95, BaseRate::Random).expect("an interval")
            };
            (ends(&Actions::from_score(&scores, 0.5)), ends(&values.where_it_pays()))
        };
        // 120 ∓ 2 roots of 120; a bootstrap of the rows holds 97 to 145.
        let (found, all) = of(1.0, 0.0);
        assert!((95.0..101.0).contains(&found.lower) && (141.0..151.0).contains(&found.upper), "{found:?}");
        assert!((165.0..175.0).contains(&all.lower) && (225.0..240.0).contains(&all.upper), "{all:?}");
        let (_, ceiling) = of(90.0, -10.0);
        assert!((ceiling.lower - 90.0 * all.lower).abs() < 1.0, "{ceiling:?} {all:?}");
    }

    /// Rows without weights count as they did: a class counts for as many cases as it has.
    #[test]
    fn equal_weights_change_no_interval() {
        let truth: Vec<bool> = (0..300).map(|row| row % 3 == 0).collect();
        let scores: Vec<f64> = (0..300).map(|row| f64::from(row % 11)).collect();
        let hits = BenefitMatrix { hit: 1.0, ..BenefitMatrix::default() };
        let plain = CaseValues::new(&truth, &hits.into()).expect("finite");
        let sevens = plain.clone().with_weight(&[7.0; 300]).expect("weights");
        let ends = |values: &CaseValues<'_>| {
            let profit = values.profit(&Actions::from_score(&scores, 6.0)).expect("rows");
            profit.interval(Level::P95, BaseRate::Random).expect("an interval")
        };
        let (one, seven) = (ends(&plain), ends(&sevens));
        assert!((7.0 * one.lower - seven.lower).abs() < 1e-9 && (7.0 * one.upper - seven.upper).abs() < 1e-9);
    }
}
