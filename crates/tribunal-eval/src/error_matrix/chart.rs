//! The error-matrix chart: the proportion score function with the cut on it, and the four regions.

use serde::{Deserialize, Serialize};

use super::psf::{Psf, PsfBin};
use crate::confusion::Confusion;
use crate::cutoff::Cutoff;
use crate::error::Error;
use crate::figure::Figure;
use crate::intervals::{CellSample, Correction, NoInterval, Optimism, Sampled};
use crate::metrics::{Measure, npv, precision};
use crate::sum::Sum;

/// The four regions, counted from the cases.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Regions {
    /// Where the cut stands: the share of the weight that is predicted negative.
    pub cut: f64,
    /// Area below the function left of the cut.
    pub tn: Figure,
    /// Area above the function left of the cut.
    #[serde(rename = "fn")]
    pub fn_: Figure,
    /// Area below the function right of the cut.
    pub tp: Figure,
    /// Area above the function right of the cut.
    pub fp: Figure,
    /// Negative predictive value: the mean height of the function left of the cut.
    pub npv: Figure,
    /// Positive predictive value: the mean height right of the cut.
    pub ppv: Figure,
}

impl Regions {
    fn of(sampled: &Sampled<'_>, cutoff: &Cutoff) -> Result<Self, Error> {
        let areas = Areas::of(sampled, cutoff);
        let measure =
            |metric| Ok::<_, Error>(Figure::at_cutoff(Measure::new(metric, None)?, sampled, cutoff));
        let cells = &cutoff.confusion;
        Ok(Self {
            cut: cells.passed() / cells.total(),
            tn: areas.figure(|c| (c.tn, c.total())),
            fn_: areas.figure(|c| (c.fn_, c.total())),
            tp: areas.figure(|c| (c.tp, c.total())),
            fp: areas.figure(|c| (c.fp, c.total())),
            npv: measure(&npv::METRIC)?,
            ppv: measure(&precision::METRIC)?,
        })
    }
}

/// The cells of a cut-off as shares of all cases.
struct Areas<'a> {
    counted: Confusion,
    on_new_cases: Option<Confusion>,
    sample: Result<CellSample<'a>, NoInterval>,
}

impl<'a> Areas<'a> {
    fn of(sampled: &Sampled<'a>, cutoff: &Cutoff) -> Self {
        let counted = cutoff.confusion;
        let optimism = Optimism::of(sampled.ranking, cutoff);
        let sample = match cutoff.rule.is_chosen_on_the_data() && !sampled.supports_intervals() {
            true => Err(NoInterval::FewCases),
            false => CellSample::of(sampled, cutoff),
        };
        let on_new_cases = optimism.map(|optimism| optimism.corrected(&counted, Correction::OnNewCases));
        Self { counted, on_new_cases, sample }
    }

    fn figure(&self, parts: fn(&Confusion) -> (f64, f64)) -> Figure {
        let share = |cells: &Confusion| {
            let (part, total) = parts(cells);
            part / total
        };
        let interval = |_| self.sample.as_ref().map_err(Clone::clone)?.share(parts);
        Figure::new(Ok(share(&self.counted)), interval).with_corrected(self.on_new_cases.as_ref().map(share))
    }
}

/// A piece of the piecewise-constant function.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PsfStep {
    /// Where it begins, as a share of all weight from the lowest score up.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// The share of right predictions.
    pub psf: f64,
    /// Whether it lies right of the cut.
    pub predicted: bool,
}

/// The error-matrix chart of a cut-off.
///
/// **Definition** · The [proportion score function](Psf) and the [`Regions`] on both sides of the cut `c`, the share of cases that
/// is predicted negative. With the function `Theta` the areas are `TN = ∫₀ᶜ Theta`, `FN = c - TN`, `TP = ∫_c¹ Theta` and
/// `FP = (1 - c) - TP`; NPV and PPV are `TN / c` and `TP / (1 - c)`. [`regions`](Self::regions) are counted from the cases;
/// [`integrated`](Self::integrated) are the same areas under the function, a bin that the cut divides by its own cases.
///
/// **Undefined when** there are no rows, no bins or more bins than rows; NPV when nobody is predicted negative, PPV when nobody is
/// predicted positive.
///
/// **Example**
/// ```
/// use tribunal_eval::{CutoffRule, Ranking, error_matrix::ErrorMatrixChart, intervals::Sampled};
///
/// let ranking = Ranking::from_scores(&[true, true, false, true, false, false], &[0.9, 0.8, 0.7, 0.4, 0.3, 0.1])?;
/// let cutoff = CutoffRule::Score(0.5).find(&ranking)?;
/// let chart = ErrorMatrixChart::of(&Sampled::new(&ranking), &cutoff, 3)?;
/// assert_eq!((chart.regions.cut, chart.regions.npv.value), (0.5, Some(2.0 / 3.0)));
/// let areas = chart.integrated();
/// assert!((areas.tn - 2.0 / 6.0).abs() < 1e-12 && (areas.fp - 1.0 / 6.0).abs() < 1e-12);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Koesmarno, equations 5 to 10, which hold for the proportion *incorrect* as they are printed.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ErrorMatrixChart {
    /// The cut-off.
    pub cutoff: Cutoff,
    /// The function.
    pub psf: Psf,
    /// The regions.
    pub regions: Regions,
}

impl ErrorMatrixChart {
    /// The chart of a cut-off that was found on the same ranking.
    ///
    /// # Errors
    /// There are no rows, no bins, or more bins than rows.
    pub fn of(sampled: &Sampled<'_>, cutoff: &Cutoff, n_bins: usize) -> Result<Self, Error> {
        let psf = Psf::at_cutoff(sampled, cutoff, n_bins)?;
        Ok(Self { cutoff: *cutoff, psf, regions: Regions::of(sampled, cutoff)? })
    }

    /// The areas of the regions as the cells of a confusion matrix that sums to one.
    pub fn areas(&self) -> Confusion {
        let (cells, total) = (self.cutoff.confusion, self.cutoff.confusion.total());
        Confusion { tp: cells.tp / total, fp: cells.fp / total, fn_: cells.fn_ / total, tn: cells.tn / total }
    }

    /// The pieces of the function from the lowest scores up; the bin that the cut falls into is divided there, each part at the height
    /// of its own cases.
    pub fn steps(&self) -> Vec<PsfStep> {
        let mut from = 0.0;
        let mut steps = Vec::with_capacity(self.psf.bins.len() + 1);
        for PsfBin { lambda, cells, .. } in &self.psf.bins {
            let parts = [(false, cells.tn, cells.passed()), (true, cells.tp, cells.flagged())];
            for (predicted, correct, weight) in parts.into_iter().filter(|(.., weight)| *weight > 0.0) {
                let is_divided = !predicted && cells.flagged() > 0.0;
                let to = if is_divided { self.regions.cut } else { *lambda };
                steps.push(PsfStep { from, to, psf: correct / weight, predicted });
                from = to;
            }
        }
        steps
    }

    /// The areas of the regions, integrated under the function.
    pub fn integrated(&self) -> Confusion {
        let steps = self.steps();
        let area = |predicted: bool, height: fn(f64) -> f64| {
            let side = steps.iter().filter(|step| step.predicted == predicted);
            side.map(|step| (step.to - step.from) * height(step.psf)).collect::<Sum>().value()
        };
        Confusion {
            tp: area(true, |psf| psf),
            fp: area(true, |psf| 1.0 - psf),
            fn_: area(false, |psf| 1.0 - psf),
            tn: area(false, |psf| psf),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cutoff::CutoffRule;
    use crate::golden::{table_5_6, tied};
    use crate::metrics::pcc;
    use crate::ranking::Ranking;
    use crate::scored_set::ScoredSet;
    use crate::undefined::Undefined;
    use proptest::prelude::*;

    fn chart(ranking: &Ranking, rule: CutoffRule, n_bins: usize) -> ErrorMatrixChart {
        let cutoff = rule.find(ranking).expect("a cut-off");
        ErrorMatrixChart::of(&Sampled::new(ranking), &cutoff, n_bins).expect("bins")
    }

    #[track_caller]
    fn agree(a: Confusion, b: Confusion) {
        for (a, b) in [(a.tp, b.tp), (a.fp, b.fp), (a.fn_, b.fn_), (a.tn, b.tn)] {
            assert!((a - b).abs() < 1e-12, "{a} is not {b}");
        }
    }

    #[test]
    fn golden_regions_whatever_the_bins() {
        for n_bins in [1, 4, 7, 19] {
            let chart = chart(&table_5_6(), CutoffRule::Score(0.75), n_bins);
            let regions = &chart.regions;
            assert!((regions.cut - 0.368421052632).abs() < 1e-12);
            let expected = [
                (&regions.tn, 0.157894736842),
                (&regions.fn_, 0.210526315789),
                (&regions.tp, 0.473684210526),
                (&regions.fp, 0.157894736842),
                (&regions.npv, 0.428571428571),
                (&regions.ppv, 0.75),
            ];
            for (figure, expected) in expected {
                let value = figure.value.expect("defined");
                assert!((value - expected).abs() < 1e-12, "{value} is not {expected}");
                assert!(figure.interval.expect("an interval").contains(value));
            }
            agree(chart.integrated(), chart.areas());
        }
    }

    #[test]
    fn a_divided_bin_is_divided_by_its_own_cases() {
        let chart = chart(&table_5_6(), CutoffRule::Score(0.75), 4);
        let steps: Vec<_> = chart.steps().iter().map(|step| (step.predicted, step.psf)).collect();
        assert_eq!(steps.len(), 5);
        // Ranks 5 to 9 from below: three of them are predicted negative, one of which rightly.
        assert_eq!(steps[..3], [(false, 0.5), (false, 1.0 / 3.0), (true, 0.5)]);
        assert!((chart.steps()[1].to - chart.regions.cut).abs() < 1e-15);
    }

    #[test]
    fn without_a_side_there_is_no_value_of_it() {
        let all = chart(&tied(), CutoffRule::Score(0.0), 3).regions;
        assert_eq!((all.cut, all.npv.undefined), (0.0, Some(Undefined::NonePredictedNegative)));
        assert_eq!((all.tn.value, all.fn_.value, all.ppv.value), (Some(0.0), Some(0.0), Some(0.5)));
        let none = chart(&tied(), CutoffRule::Score(1.0), 3).regions;
        assert_eq!((none.cut, none.ppv.undefined), (1.0, Some(Undefined::NonePredictedPositive)));
    }

    #[test]
    fn one_class_has_regions_without_intervals() {
        let ranking = Ranking::from_scores(&[true, true], &[0.3, 0.7]).expect("finite");
        let regions = chart(&ranking, CutoffRule::Score(0.5), 2).regions;
        assert_eq!((regions.tp.value, regions.fn_.value), (Some(0.5), Some(0.5)));
        assert_eq!(regions.tp.no_interval, Some(NoInterval::Undefined(Undefined::NoNegatives)));
    }

    #[test]
    fn a_cut_that_was_chosen_on_the_data_is_corrected() {
        let regions = chart(&table_5_6(), CutoffRule::Youden, 4).regions;
        let corrected = regions.ppv.corrected.expect("the choice flatters");
        assert!(corrected < regions.ppv.value.expect("defined"));
        let areas = [&regions.tn, &regions.fn_, &regions.tp, &regions.fp];
        let sum: f64 = areas.iter().filter_map(|figure| figure.corrected).sum();
        assert!((sum - 1.0).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn areas_sum_to_one_and_are_those_under_the_function(
            rows in prop::collection::vec((any::<bool>(), -3i32..20, 1u8..9), 3..120),
            rule in prop_oneof![
                (-4i32..21).prop_map(|score| CutoffRule::Score(f64::from(score))),
                (0.0f64..=1.0).prop_map(CutoffRule::Share),
            ],
            n_bins in 1usize..4,
        ) {
            let truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
            let score: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
            let weight: Vec<f64> = rows.iter().map(|row| f64::from(row.2) * 0.3).collect();
            let set = ScoredSet::new(&truth, &score).and_then(|set| set.with_weight(&weight)).expect("valid");
            let ranking = Ranking::of(&set).expect("few rows");
            let chart = chart(&ranking, rule, n_bins * truth.len() / 3);
            let (areas, under) = (chart.areas(), chart.integrated());
            prop_assert!((areas.total() - 1.0).abs() < 1e-12);
            for (a, b) in [(areas.tp, under.tp), (areas.fp, under.fp), (areas.fn_, under.fn_), (areas.tn, under.tn)] {
                prop_assert!((a - b).abs() < 1e-12, "{} is not {}", b, a);
            }
            let accuracy = pcc(&chart.cutoff.confusion).expect("rows");
            prop_assert!((under.tp + under.tn - accuracy).abs() < 1e-12);
        }
    }
}
