//! What each model costs under a condition at the cut-off that is best for it there.

use serde::{Deserialize, Serialize};

use super::check_condition;
use crate::base_rate::{ClassRates, ErrorCosts, cost};
use crate::cutoff::{Cutoff, CutoffRule};
use crate::error::Error;
use crate::figure::Figure;
use crate::intervals::Sampled;
use crate::operating::Condition;

/// A model at its best cut-off under a condition.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct BestCut {
    /// The place of the model.
    pub model: usize,
    /// The cut-off. Its rule states the costs that mean the same at the base rate of the data.
    pub cutoff: Cutoff,
    /// Expected cost per case under the condition; corrected for the choice of the cut-off on the same data.
    pub cost: Figure,
}

/// The least expected cost of each model under a condition, cheapest first by the cost on new cases; of equals in the given order.
///
/// **Definition** · The cut-off of the least `b (1 - t) c(FN) + (1 - b) f c(FP)` at the base rate `b` of the condition. That is the one
/// that is best on the data when costs are multiplied by the ratio of both base rates, so the correction for a cut-off that was chosen on
/// the data is the one for the least cost. The choice among models is not corrected.
///
/// **Undefined when** the base rate is not strictly between 0 and 1, a cost is not above 0, or a class is absent.
///
/// **Example**
/// ```
/// use tribunal_eval::{Condition, Ranking, conditions::best_cuts, intervals::Sampled};
///
/// let truth = [true, true, false, true, false, false];
/// let good = Ranking::from_scores(&truth, &[0.9, 0.8, 0.7, 0.4, 0.3, 0.1])?;
/// let bad = Ranking::from_scores(&truth, &[0.2, 0.9, 0.7, 0.1, 0.3, 0.6])?;
/// let condition = Condition { base_rate: 0.1, false_positive: 1.0, false_negative: 5.0 };
/// let cuts = best_cuts(&[Sampled::new(&bad), Sampled::new(&good)], &condition)?;
/// assert_eq!((cuts[0].model, cuts[0].cutoff.score), (1, Some(0.8)));
/// assert!((cuts[0].cost.value.expect("defined") - 0.1 / 3.0 * 5.0).abs() < 1e-12);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Provost and Fawcett 2001; Kim and Pollard 1990 for the correction
pub fn best_cuts(models: &[Sampled<'_>], condition: &Condition) -> Result<Vec<BestCut>, Error> {
    check_condition(condition)?;
    let best = |(model, sampled): (usize, &Sampled<'_>)| best_cut(model, sampled, condition);
    let mut cuts = models.iter().enumerate().map(best).collect::<Result<Vec<_>, Error>>()?;
    let on_new_cases = |cut: &BestCut| cut.cost.corrected.or(cut.cost.value).unwrap_or(f64::INFINITY);
    cuts.sort_by(|a, b| on_new_cases(a).total_cmp(&on_new_cases(b)));
    Ok(cuts)
}

fn best_cut(model: usize, sampled: &Sampled<'_>, condition: &Condition) -> Result<BestCut, Error> {
    let Condition { base_rate, false_positive, false_negative } = *condition;
    let totals = sampled.ranking.both_classes()?;
    let own = totals.positive / totals.total();
    let rule = CutoffRule::Cost {
        false_positive: false_positive * (1.0 - base_rate) / (1.0 - own),
        false_negative: false_negative * base_rate / own,
    };
    let cutoff = rule.find(sampled.ranking)?;
    let rates = ClassRates::at_cutoff(sampled, &cutoff)?;
    let costs = ErrorCosts { false_positive, false_negative };
    Ok(BestCut { model, cutoff, cost: cost(&rates, base_rate, sampled.level, costs) })
}

#[cfg(test)]
mod tests {
    use super::super::ownership::Ownership;
    use super::super::ownership::tests::{any_model, ranked};
    use super::*;
    use crate::golden::{second, tied};
    use crate::ranking::Ranking;
    use proptest::prelude::*;

    #[test]
    fn golden_cost_is_that_of_the_hull() {
        let condition = Condition { base_rate: 0.2831, false_positive: 1.0, false_negative: 5.0 };
        let (one, other) = (tied(), second());
        let cuts = best_cuts(&[Sampled::new(&one), Sampled::new(&other)], &condition).expect("both classes");
        assert_eq!((cuts[0].model, cuts[0].cutoff.score), (1, Some(0.3)));
        assert!((cuts[0].cost.value.expect("defined") - 0.358450).abs() < 1e-6);
        assert!(cuts[1].cost.value.expect("defined") > 0.358450);
    }

    #[test]
    fn a_cut_that_was_chosen_costs_more_on_new_cases() {
        let rows: Vec<(bool, i32)> =
            (0..400).map(|row| (row % 7 < 2 + row / 100, (row * 37 % 101) / 3 + row / 9)).collect();
        let ranking = ranked(&rows);
        let condition = Condition { base_rate: 0.3, false_positive: 1.0, false_negative: 2.0 };
        let cut = &best_cuts(&[Sampled::new(&ranking)], &condition).expect("both classes")[0];
        let (value, corrected) =
            (cut.cost.value.expect("defined"), cut.cost.corrected.expect("chosen inside"));
        assert!(corrected > value, "{corrected} is not above {value}");
        assert!(cut.cost.interval.expect("400 cases").contains(corrected));
    }

    #[test]
    fn without_a_class_there_is_no_cost() {
        let ranking = Ranking::from_scores(&[true, true], &[0.2, 0.7]).expect("finite");
        let condition = Condition { base_rate: 0.3, false_positive: 1.0, false_negative: 2.0 };
        assert!(best_cuts(&[Sampled::new(&ranking)], &condition).is_err());
        let impossible = Condition { base_rate: 1.0, ..condition };
        assert!(
            best_cuts(&[], &impossible).is_err()
                && best_cuts(&[], &condition).is_ok_and(|cuts| cuts.is_empty())
        );
    }

    proptest! {
        #[test]
        fn the_cheapest_model_costs_as_much_as_the_joint_hull(
            models in prop::collection::vec(any_model(), 1..4), base_rate in 0.01f64..0.99, false_negative in 0.1f64..20.0,
        ) {
            let rankings: Vec<Ranking> = models.iter().map(|rows| ranked(rows)).collect();
            let condition = Condition { base_rate, false_positive: 1.0, false_negative };
            let sampled: Vec<Sampled<'_>> = rankings.iter().map(Sampled::new).collect();
            let cuts = best_cuts(&sampled, &condition).expect("both classes");
            let least = cuts.iter().filter_map(|cut| cut.cost.value).fold(f64::INFINITY, f64::min);
            let joint = Ownership::of_rankings(&rankings.iter().collect::<Vec<_>>()).expect("both classes");
            let line = joint.iso_performance(&condition).expect("usable");
            prop_assert!((least - line.cost).abs() < 1e-9, "{} is not {}", least, line.cost);
            // Costs in another currency change no decision.
            let scaled = Condition { false_positive: 8.0, false_negative: 8.0 * false_negative, ..condition };
            let again = best_cuts(&sampled, &scaled).expect("both classes");
            for (cut, again) in cuts.iter().zip(&again) {
                prop_assert_eq!((cut.model, cut.cutoff.score), (again.model, again.cutoff.score));
            }
        }
    }
}
