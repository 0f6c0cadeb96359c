//! Every figure of a confusion matrix that depends on the base rate, read at another one.

use serde::{Deserialize, Serialize};

use super::arms::{Ends, Rate};
use super::check_base_rate;
use super::class_rates::{ClassRates, RatePair, cells_of};
use crate::checks::within;
use crate::confusion::Confusion;
use crate::error::Error;
use crate::figure::Figure;
use crate::intervals::{Interval, Level, NoInterval};
use crate::metrics::{f_beta, kappa, mcc, npv, pcc, precision};
use crate::ranking::Split;
use crate::undefined::Value;

/// What the two errors cost.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorCosts {
    /// Cost of acting on a negative.
    pub false_positive: f64,
    /// Cost of missing a positive.
    pub false_negative: f64,
}

impl ErrorCosts {
    /// Itself, where each error costs something.
    pub(crate) fn checked(self) -> Result<Self, Error> {
        let usable = |what, cost: f64| within(what, cost, cost > 0.0 && cost.is_finite(), "more than 0");
        usable("the cost of a false positive", self.false_positive)?;
        usable("the cost of a false negative", self.false_negative)?;
        Ok(self)
    }
}

/// What is to be read at another base rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// The other base rate; taken as known.
    pub base_rate: f64,
    /// How much more recall counts in F than precision.
    pub beta: f64,
    /// What the errors cost, where an expected cost is asked for.
    pub costs: Option<ErrorCosts>,
    /// The level of the intervals.
    pub level: Level,
}

impl Reading {
    /// With F1, without costs, at 95 %.
    pub fn at(base_rate: f64) -> Self {
        Self { base_rate, beta: 1.0, costs: None, level: Level::P95 }
    }
}

/// The figures of a cut-off at another base rate.
///
/// **Definition** · With sensitivity `t`, false-positive rate `f` and the base rate `b` the four outcomes are `b t`, `(1 - b) f`,
/// `b (1 - t)` and `(1 - b)(1 - f)` of all cases, and every figure is that of this confusion matrix. Lift is PPV over `b`; no ranking
/// reaches more than one over the larger of `b` and the share that is flagged. The intervals take `b` as known and both rates as
/// estimated from independent cases: square-and-add of their intervals, and its form for ratios where the figure is one (PPV, NPV, F,
/// lift).
///
/// **Undefined when** a class is absent, the base rate is not strictly between 0 and 1, beta is not above 0 or at most a million, or a
/// cost is not above 0; PPV, F and lift when nobody is predicted positive, NPV when nobody is predicted negative.
///
/// **Example**
/// ```
/// use tribunal_eval::{Confusion, base_rate::{AtBaseRate, ClassRates, Reading}};
///
/// // Half of the cases were positive; where one in a hundred is, one in ten flagged cases still is.
/// let rates = ClassRates::of(&Confusion { tp: 80.0, fp: 7.0, fn_: 20.0, tn: 93.0 })?;
/// let rare = AtBaseRate::of(&rates, &Reading::at(0.01))?;
/// let ppv = rare.ppv.value.expect("some are flagged");
/// assert!((ppv - 0.008 / (0.008 + 0.0693)).abs() < 1e-12);
/// assert!(rare.ppv.interval.expect("200 cases").contains(ppv));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Elkan 2001; Mercaldo, Lau and Zhou 2007; Donner and Zou 2012
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct AtBaseRate {
    /// The base rate.
    pub base_rate: f64,
    /// The four outcomes as shares of all cases.
    pub cells: Confusion,
    /// The share of all cases that is predicted positive.
    pub flagged: Figure,
    /// Positive predictive value: precision.
    pub ppv: Figure,
    /// Negative predictive value.
    pub npv: Figure,
    /// Share of right predictions.
    pub pcc: Figure,
    /// Share of wrong predictions.
    pub error_rate: Figure,
    /// How much more recall counts in F than precision.
    pub beta: f64,
    /// F with this beta.
    pub f: Figure,
    /// Matthews correlation coefficient.
    pub mcc: Figure,
    /// Cohen's kappa.
    pub kappa: Figure,
    /// PPV over the base rate.
    pub lift: Figure,
    /// The lift of a perfect ranking that flags as many.
    pub largest_lift: f64,
    /// Expected cost per case, where costs were given.
    pub cost: Option<Figure>,
}

impl AtBaseRate {
    /// Reads the figures.
    ///
    /// # Errors
    /// The base rate is not strictly between 0 and 1, beta is not above 0 or at most a million, or a cost is not above 0.
    pub fn of(rates: &ClassRates, reading: &Reading) -> Result<Self, Error> {
        let Reading { base_rate, beta, costs, level } = *reading;
        let b = check_base_rate(base_rate)?;
        within("beta", beta, beta > 0.0 && beta <= 1e6, "more than 0 and at most 1e6")?;
        let costs = costs.map(ErrorCosts::checked).transpose()?;
        let read = |value: &dyn Fn(&Confusion) -> Value, ends: &dyn Fn(RatePair) -> Ends| {
            figure(rates, b, level, value, ends)
        };
        let (positives, negatives) =
            (|rate: Rate| rate.scaled(b, 0.0), |rate: Rate| rate.scaled(1.0 - b, 0.0));
        let ppv = |pair: RatePair| positives(pair.t).share_beside(negatives(pair.f));
        let right = |pair: RatePair| positives(pair.t).plus(negatives(pair.f.complement()));
        let cells = rates.cells_at(b)?;
        Ok(Self {
            base_rate: b,
            cells,
            flagged: read(&|c| Ok(c.flagged()), &|pair| positives(pair.t).plus(negatives(pair.f))),
            ppv: read(&precision, &ppv),
            npv: read(&npv, &|pair| {
                negatives(pair.f.complement()).share_beside(positives(pair.t.complement()))
            }),
            pcc: read(&pcc, &right),
            error_rate: read(&|c| Ok(c.fp + c.fn_), &|pair| right(pair).complement()),
            beta,
            f: read(&|c| f_beta(c, beta), &|pair| {
                let b2 = beta * beta;
                let others = pair.f.scaled(1.0 - b, b2 * b);
                positives(pair.t).share_beside(others).mapped(|share| (1.0 + b2) * share)
            }),
            mcc: read(&mcc, &|pair| correlation_ends(pair, b, mcc)),
            kappa: read(&kappa, &|pair| correlation_ends(pair, b, kappa)),
            lift: read(&|c| Ok(precision(c)? / b), &|pair| ppv(pair).mapped(|ppv| ppv / b)),
            largest_lift: 1.0 / b.max(cells.flagged()),
            cost: costs.map(|costs| cost(rates, b, level, costs)),
        })
    }
}

/// Expected cost per case at a base rate.
pub(crate) fn cost(rates: &ClassRates, base_rate: f64, level: Level, costs: ErrorCosts) -> Figure {
    let ErrorCosts { false_positive, false_negative } = costs;
    figure(rates, base_rate, level, &|c| Ok(false_positive * c.fp + false_negative * c.fn_), &|pair| {
        let missed = pair.t.complement().scaled(base_rate * false_negative, 0.0);
        missed.plus(pair.f.scaled((1.0 - base_rate) * false_positive, 0.0))
    })
}

impl Ends {
    fn complement(self) -> Self {
        Self { lower: 1.0 - self.upper, upper: 1.0 - self.lower }
    }
}

/// A figure of the confusion matrix at a base rate, with the ends that follow from the intervals of both rates.
fn figure(
    rates: &ClassRates,
    base_rate: f64,
    level: Level,
    value: &dyn Fn(&Confusion) -> Value,
    ends: &dyn Fn(RatePair) -> Ends,
) -> Figure {
    let at = |rates| value(&cells_of(rates, base_rate));
    let interval = |counted: f64| -> Result<Interval, NoInterval> {
        let (pair, few) = rates.pairs(level)?;
        let interval = ends(pair).interval(level);
        let held = few.map(|pair| ends(pair).interval(level));
        let interval = held.map_or(interval, |other| interval.holding(other.lower).holding(other.upper));
        // Where the cut-off was chosen on the data the interval is about the corrected value.
        Ok(if rates.rates_on_new_cases().is_some() { interval } else { interval.holding(counted) })
    };
    let corrected = rates.rates_on_new_cases().and_then(|rates| at(rates).ok());
    Figure::new(at(rates.rates()), interval).with_corrected(corrected)
}

/// A correlation rises with sensitivity and falls with the false-positive rate; the arms are what it loses or gains when one of
/// them moves to its end.
fn correlation_ends(pair: RatePair, base_rate: f64, of: fn(&Confusion) -> Value) -> Ends {
    let at = |t: f64, f: f64| of(&cells_of(Split { positive: t, negative: f }, base_rate)).unwrap_or(0.0);
    let RatePair { t, f } = pair;
    let value = at(t.value, f.value);
    let down = (value - at(t.lower, f.value)).hypot(value - at(t.value, f.upper));
    let up = (at(t.upper, f.value) - value).hypot(at(t.value, f.lower) - value);
    Ends { lower: (value - down).max(-1.0), upper: (value + up).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cutoff::CutoffRule;
    use crate::golden::table_5_6;
    use crate::intervals::Sampled;
    use crate::metrics::error_rate;
    use crate::undefined::Undefined;
    use proptest::prelude::*;

    const CELLS: Confusion = Confusion { tp: 9.0, fp: 3.0, fn_: 4.0, tn: 3.0 };

    fn read(cells: &Confusion, base_rate: f64) -> AtBaseRate {
        let costs = Some(ErrorCosts { false_positive: 1.0, false_negative: 5.0 });
        let rates = ClassRates::of(cells).expect("both classes");
        AtBaseRate::of(&rates, &Reading { costs, ..Reading::at(base_rate) }).expect("usable")
    }

    #[track_caller]
    fn close(figure: &Figure, expected: f64) {
        let value = figure.value.expect("defined");
        assert!((value - expected).abs() < 1e-9, "{value} is not {expected}");
    }

    #[test]
    fn at_their_own_base_rate_figures_are_the_registered_metrics() {
        let own = read(&CELLS, 13.0 / 19.0);
        close(&own.ppv, 0.75);
        close(&own.npv, 0.428571428571);
        close(&own.pcc, 0.631578947368);
        close(&own.error_rate, 0.368421052632);
        close(&own.f, 0.72);
        close(&own.mcc, 0.185312329);
        close(&own.kappa, 0.184049080);
        close(&own.lift, 0.75 * 19.0 / 13.0);
        close(&own.flagged, 12.0 / 19.0);
        close(own.cost.as_ref().expect("costs"), 23.0 / 19.0);
        assert!((own.largest_lift - 19.0 / 13.0).abs() < 1e-12);
    }

    /// Keeping 5 of 41 true negatives changes the specificity, so it is no other base rate: error rates move from 8 of 54 to 8 of
    /// 18 while the model stays, and reading the first at the base rate of the second gives neither.
    #[test]
    fn dropping_true_negatives_is_more_than_another_base_rate() {
        let all = Confusion { tp: 5.0, fp: 5.0, fn_: 3.0, tn: 41.0 };
        let kept = Confusion { tn: 5.0, ..all };
        let (before, after) = (error_rate(&all).expect("cases"), error_rate(&kept).expect("cases"));
        assert!((before - 0.148148148).abs() < 1e-9 && (after - 0.444444444).abs() < 1e-9);
        assert!(((all.total() - kept.total()) / all.total() - 0.666666667).abs() < 1e-9);
        let reread = read(&all, kept.positives() / kept.total()).error_rate;
        close(&reread, (8.0 / 18.0) * (3.0 / 8.0) + (10.0 / 18.0) * (5.0 / 46.0));
    }

    #[test]
    fn intervals_hold_without_false_positives() {
        let rare = read(&Confusion { tp: 30.0, fp: 0.0, fn_: 20.0, tn: 300.0 }, 0.001);
        let interval = rare.ppv.interval.expect("cases");
        // One false positive in a hundred negatives is not excluded, which is ten times as many as the positives.
        assert_eq!((rare.ppv.value, interval.upper), (Some(1.0), 1.0));
        assert!(interval.lower < 0.06, "{interval:?}");
        assert!(read(&CELLS, 0.2).ppv.interval.expect("cases").upper < 1.0);
    }

    #[test]
    fn what_is_not_defined_says_why() {
        let nobody = read(&Confusion { tp: 0.0, fp: 0.0, fn_: 4.0, tn: 6.0 }, 0.1);
        assert_eq!(nobody.ppv.undefined, Some(Undefined::NonePredictedPositive));
        assert_eq!((nobody.lift.value, nobody.f.value, nobody.npv.value), (None, None, Some(0.9)));
        let rates = ClassRates::of(&CELLS).expect("both classes");
        let refused = |reading: Reading| AtBaseRate::of(&rates, &reading).expect_err("refused").to_string();
        assert!(
            refused(Reading::at(1.0)).starts_with("the base rate is 1; expected a number between 0 and 1")
        );
        assert!(refused(Reading { beta: 0.0, ..Reading::at(0.1) }).starts_with("beta is 0"));
        let costs = Some(ErrorCosts { false_positive: 0.0, false_negative: 1.0 });
        assert!(refused(Reading { costs, ..Reading::at(0.1) }).contains("cost of a false positive is 0"));
    }

    #[test]
    fn a_chosen_cutoff_is_corrected_at_every_base_rate() {
        let ranking = table_5_6();
        let cutoff = CutoffRule::Youden.find(&ranking).expect("rows");
        let rates = ClassRates::at_cutoff(&Sampled::new(&ranking), &cutoff).expect("both classes");
        let figures = AtBaseRate::of(&rates, &Reading::at(0.3)).expect("usable");
        for figure in [&figures.ppv, &figures.pcc, &figures.f, &figures.mcc, &figures.kappa, &figures.lift] {
            let corrected = figure.corrected.expect("chosen");
            assert!(corrected < figure.value.expect("defined"));
            assert!(figure.interval.expect("cases").contains(corrected));
        }
    }

    proptest! {
        #[test]
        fn figures_lie_in_their_intervals_and_limits(
            tp in 0u32..60, fp in 0u32..60, fn_ in 0u32..60, tn in 0u32..60, base_rate in 0.001f64..0.999,
        ) {
            prop_assume!(tp + fn_ > 0 && fp + tn > 0);
            let cells = Confusion { tp: tp.into(), fp: fp.into(), fn_: fn_.into(), tn: tn.into() };
            let at = read(&cells, base_rate);
            let figures = [
                (&at.flagged, 0.0, 1.0), (&at.ppv, 0.0, 1.0), (&at.npv, 0.0, 1.0), (&at.pcc, 0.0, 1.0),
                (&at.error_rate, 0.0, 1.0), (&at.f, 0.0, 1.0), (&at.mcc, -1.0, 1.0), (&at.kappa, -1.0, 1.0),
                (&at.lift, 0.0, 1.0 / base_rate), (at.cost.as_ref().expect("costs"), 0.0, 5.0),
            ];
            for (figure, lowest, highest) in figures {
                let Some(value) = figure.value else { continue };
                let interval = figure.interval.expect("cases of both classes");
                prop_assert!(interval.contains(value), "{} not in {:?}", value, interval);
                prop_assert!(interval.lower >= lowest - 1e-9 && interval.upper <= highest + 1e-9, "{:?}", interval);
                prop_assert!(interval.upper > interval.lower);
            }
            if let Some(lift) = at.lift.value {
                prop_assert!(lift <= at.largest_lift * (1.0 + 1e-12));
            }
            prop_assert!((at.cells.total() - 1.0).abs() < 1e-12);
        }
    }
}
