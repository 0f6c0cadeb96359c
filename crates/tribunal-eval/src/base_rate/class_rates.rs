//! Sensitivity and false-positive rate with the number of cases behind each: what stays when the base rate changes.

use super::arms::Rate;
use crate::checks::within;
use crate::confusion::Confusion;
use crate::cutoff::Cutoff;
use crate::error::Error;
use crate::intervals::{CellSample, Level, NoInterval, Optimism, Sampled};
use crate::ranking::Split;
use crate::undefined::Undefined;

/// With fewer cases than this in a cell the correction of a chosen cut-off may be too large for one class.
const FEW_IN_CELL: f64 = 20.0;
/// With fewer cases than this on a side of a cut-off with the fewest errors nothing shows how it does on new cases.
const FEWEST_ON_A_SIDE: f64 = 10.0;

/// The rates of both classes at a cut-off.
///
/// Of weighted cases each class counts as many as vary alike (Kish). Where the cut-off was chosen on the data, the rates on new cases
/// stand beside those that were counted.
///
/// ```
/// use tribunal_eval::{Confusion, base_rate::ClassRates};
///
/// let rates = ClassRates::of(&Confusion { tp: 9.0, fp: 3.0, fn_: 4.0, tn: 3.0 })?;
/// let rare = rates.cells_at(0.01)?;
/// assert!((rare.tp - 0.01 * 9.0 / 13.0).abs() < 1e-15 && (rare.total() - 1.0).abs() < 1e-12);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ClassRates {
    counted: Split,
    on_new_cases: Option<Split>,
    /// Independent cases of each class.
    cases: Split,
    /// Whether a cell of a chosen cut-off holds few cases.
    has_few_in_cell: bool,
    no_interval: Option<NoInterval>,
}

/// The shares of the positives and of the negatives that are predicted positive.
fn rates(cells: &Confusion) -> Split {
    Split { positive: cells.tp / cells.positives(), negative: cells.fp / cells.negatives() }
}

/// The four outcomes as shares of all cases at a base rate.
pub(super) fn cells_of(rates: Split, base_rate: f64) -> Confusion {
    let Split { positive: t, negative: f } = rates;
    Confusion {
        tp: base_rate * t,
        fp: (1.0 - base_rate) * f,
        fn_: base_rate * (1.0 - t),
        tn: (1.0 - base_rate) * (1.0 - f),
    }
}

/// Both rates with their intervals.
#[derive(Clone, Copy, Debug)]
pub(super) struct RatePair {
    pub(super) t: Rate,
    pub(super) f: Rate,
}

impl ClassRates {
    /// Of counted cases.
    ///
    /// # Errors
    /// A class is absent, or a cell is negative, above 1e100 or no number.
    pub fn of(cells: &Confusion) -> Result<Self, Error> {
        for cell in [cells.tp, cells.fp, cells.fn_, cells.tn] {
            // Sums of larger cells might not be finite.
            within("a cell of the confusion matrix", cell, (0.0..=1e100).contains(&cell), "from 0 to 1e100")?;
        }
        let cases = Split { positive: cells.positives(), negative: cells.negatives() }.both_classes()?;
        Ok(Self {
            counted: rates(cells),
            on_new_cases: None,
            cases,
            has_few_in_cell: false,
            no_interval: None,
        })
    }

    /// At a cut-off of a ranking. The score at which it cuts is taken along to the other base rate: the share of the list that it
    /// flags changes there.
    ///
    /// # Errors
    /// A class is absent.
    pub fn at_cutoff(sampled: &Sampled<'_>, cutoff: &Cutoff) -> Result<Self, Undefined> {
        let totals = sampled.ranking.both_classes()?;
        let counted = rates(&cutoff.confusion);
        let given = |reason| Self {
            counted,
            on_new_cases: None,
            cases: totals,
            has_few_in_cell: false,
            no_interval: Some(reason),
        };
        let sample = match CellSample::of(sampled, cutoff) {
            Ok(sample) => sample,
            Err(reason) => return Ok(given(reason)),
        };
        if cutoff.rule.is_chosen_on_the_data() && !sampled.supports_intervals() {
            return Ok(given(NoInterval::FewCases));
        }
        let kish = |sum: f64, squares: f64| if squares > 0.0 { sum * sum / squares } else { 0.0 };
        let CellSample { cells, squares, .. } = &sample;
        let cases = Split {
            positive: kish(cells.positives(), squares.positives()),
            negative: kish(cells.negatives(), squares.negatives()),
        };
        let is_moved = Optimism::of(sampled.ranking, cutoff).is_some();
        let per_weight = cases.total() / totals.total();
        let Confusion { tp, fp, fn_, tn } = cutoff.confusion;
        let fewest_on_a_side = (tp + fp).min(fn_ + tn) * per_weight;
        let is_unknown = is_moved && cutoff.rule.is_linear() && fewest_on_a_side < FEWEST_ON_A_SIDE;
        Ok(Self {
            counted,
            on_new_cases: is_moved.then(|| rates(cells)),
            cases,
            has_few_in_cell: is_moved && tp.min(fp).min(fn_).min(tn) * per_weight < FEW_IN_CELL,
            no_interval: is_unknown.then_some(NoInterval::FewAtCutoff),
        })
    }

    /// Sensitivity and false-positive rate, as the shares of the positives and of the negatives that are predicted positive.
    pub fn rates(&self) -> Split {
        self.counted
    }

    /// The rates as they would be on new cases, where the cut-off was chosen on the data.
    pub fn rates_on_new_cases(&self) -> Option<Split> {
        self.on_new_cases
    }

    /// The confusion matrix at a base rate, as shares of all cases.
    ///
    /// # Errors
    /// The base rate is not strictly between 0 and 1.
    pub fn cells_at(&self, base_rate: f64) -> Result<Confusion, Error> {
        Ok(cells_of(self.counted, super::check_base_rate(base_rate)?))
    }

    /// The rates with their intervals: those on new cases, and behind them, where a cell holds few cases, those that were counted.
    ///
    /// # Errors
    /// Nothing shows how the cut-off does on new cases.
    pub(super) fn pairs(&self, level: Level) -> Result<(RatePair, Option<RatePair>), NoInterval> {
        if let Some(reason) = &self.no_interval {
            return Err(reason.clone());
        }
        let pair = |rates: Split| RatePair {
            t: Rate::of(rates.positive, self.cases.positive, level),
            f: Rate::of(rates.negative, self.cases.negative, level),
        };
        let counted = self.has_few_in_cell.then(|| pair(self.counted));
        Ok((pair(self.on_new_cases.unwrap_or(self.counted)), counted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cutoff::CutoffRule;
    use crate::golden::table_5_6;
    use crate::ranking::Ranking;
    use crate::scored_set::ScoredSet;

    #[test]
    fn cells_at_the_own_base_rate_are_the_cells() {
        let cells = Confusion { tp: 9.0, fp: 3.0, fn_: 4.0, tn: 3.0 };
        let again =
            ClassRates::of(&cells).and_then(|rates| rates.cells_at(13.0 / 19.0)).expect("both classes");
        for (found, expected) in [(again.tp, 9.0), (again.fp, 3.0), (again.fn_, 4.0), (again.tn, 3.0)] {
            assert!((found * 19.0 - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn weights_count_as_many_cases_as_vary_alike() {
        let truth = [true, true, false, false];
        let weight = [3.0, 1.0, 2.0, 2.0];
        let set = ScoredSet::new(&truth, &[0.9, 0.2, 0.8, 0.1])
            .and_then(|set| set.with_weight(&weight))
            .expect("valid");
        let ranking = Ranking::of(&set).expect("few rows");
        let cutoff = CutoffRule::Score(0.5).find(&ranking).expect("rows");
        let rates = ClassRates::at_cutoff(&Sampled::new(&ranking), &cutoff).expect("both classes");
        assert_eq!(rates.rates(), Split { positive: 0.75, negative: 0.5 });
        assert_eq!(rates.cases, Split { positive: 1.6, negative: 2.0 });
    }

    #[test]
    fn a_chosen_cutoff_has_rates_on_new_cases() {
        let ranking = table_5_6();
        let at = |rule: CutoffRule| {
            let cutoff = rule.find(&ranking).expect("rows");
            ClassRates::at_cutoff(&Sampled::new(&ranking), &cutoff).expect("both classes")
        };
        assert_eq!(at(CutoffRule::Score(0.82)).rates_on_new_cases(), None);
        let chosen = at(CutoffRule::Youden);
        let new = chosen.rates_on_new_cases().expect("chosen");
        // The corrected cells of the worked example: 4.90867667 true and 2.09132333 false positives.
        assert!(
            (new.positive * 13.0 - 4.90867667).abs() < 1e-7 && (new.negative * 6.0 - 2.09132333).abs() < 1e-7
        );
        assert!(chosen.pairs(Level::P95).expect("cases").1.is_some());
        let few = at(CutoffRule::MaxPcc);
        assert_eq!(few.pairs(Level::P95).err(), Some(NoInterval::FewAtCutoff));
    }

    #[test]
    fn what_has_no_rates_is_refused() {
        let of = |tp, fp, fn_, tn| ClassRates::of(&Confusion { tp, fp, fn_, tn }).expect_err("no rates");
        assert_eq!(of(0.0, 1.0, 0.0, 1.0), Undefined::NoPositives.into());
        assert_eq!(of(1.0, 0.0, 1.0, 0.0), Undefined::NoNegatives.into());
        assert!(of(-1.0, 1.0, 2.0, 1.0).to_string().contains("-1"));
        assert!(ClassRates::of(&Confusion { tp: f64::NAN, ..Confusion::default() }).is_err());
        let rates = ClassRates::of(&Confusion { tp: 1.0, fp: 1.0, fn_: 1.0, tn: 1.0 }).expect("both classes");
        for base_rate in [0.0, 1.0, 1.5, f64::NAN] {
            assert!(rates.cells_at(base_rate).is_err());
        }
    }
}
