//! The four outcomes in bands of the score: low, medium and high risk, or as many as are asked for.

use serde::{Deserialize, Serialize};

use super::list_slice::{ListSlice, flagged, share_interval};
use crate::checks::all_finite;
use crate::confusion::Confusion;
use crate::cutoff::Cutoff;
use crate::error::Error;
use crate::figure::Figure;
use crate::intervals::{Level, NoInterval, Sampled};
use crate::undefined::Undefined;

/// The cases of a band of scores.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ScoreBand {
    /// The lowest score that belongs to it; none in the lowest band.
    pub from: Option<f64>,
    /// The score from which on the next band begins; none in the highest band.
    pub to: Option<f64>,
    /// Its rows.
    pub rows: f64,
    /// Its share of the weight of all cases.
    pub share: f64,
    /// The four outcomes, by weight.
    pub cells: Confusion,
    /// The share of wrong predictions.
    pub error_rate: Figure,
    /// The share of positives.
    pub strike_rate: Figure,
}

impl ScoreBand {
    fn new((from, to): (Option<f64>, Option<f64>), slice: &ListSlice, total: f64, level: Level) -> Self {
        let ListSlice { rows, cells, squared_weight } = *slice;
        let weight = cells.total();
        let share = |part: f64| {
            let value = if weight > 0.0 { Ok(part / weight) } else { Err(Undefined::NoRows) };
            let interval = || share_interval(part, weight, squared_weight, level);
            Figure::new(value, |_| interval().ok_or(NoInterval::FewCases))
        };
        let (error_rate, strike_rate) = (share(cells.fp + cells.fn_), share(cells.positives()));
        Self { from, to, rows, share: weight / total, cells, error_rate, strike_rate }
    }
}

/// The error matrix of each band of scores, from the lowest up; they add up to that of all cases.
///
/// **Definition** · With edges `e₁ < e₂ < …` the bands are `score < e₁`, `e₁ <= score < e₂` and so on to `score >=` the last edge:
/// two edges make low, medium and high, and n edges n + 1 bands. The four outcomes are counted inside each band; the error rate is
/// `(FP + FN)` and the strike rate `(TP + FN)` over its weight. Intervals are Wilson's, with weights at Kish's effective number
/// of rows; they take edges and cut-off as given.
///
/// **Undefined when** there are no rows, an edge is no finite number, or the edges do not rise. The rates of a band without cases
/// are undefined.
///
/// **Example**
/// ```
/// use tribunal_eval::{CutoffRule, Ranking, error_matrix::score_bands, intervals::Sampled};
///
/// let ranking = Ranking::from_scores(&[true, true, false, true, false, false], &[0.9, 0.8, 0.7, 0.4, 0.3, 0.1])?;
/// let cutoff = CutoffRule::Score(0.5).find(&ranking)?;
/// let bands = score_bands(&Sampled::new(&ranking), &cutoff, &[0.35, 0.75])?;
/// let [low, medium, high] = &bands[..] else { panic!("two edges, three bands") };
/// assert_eq!((low.cells.tn, medium.error_rate.value, high.strike_rate.value), (2.0, Some(1.0), Some(1.0)));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Koesmarno, the decomposition of the error-matrix chart
pub fn score_bands(sampled: &Sampled<'_>, cutoff: &Cutoff, edges: &[f64]) -> Result<Vec<ScoreBand>, Error> {
    let Sampled { ranking, level, .. } = *sampled;
    all_finite("edge of the bands", edges)?;
    if let Some(position) = edges.windows(2).position(|pair| pair[0] >= pair[1]) {
        return Err(Error::NotSorted { what: "the edges of the bands", position: position + 1 });
    }
    let total = ranking.totals().total();
    if total <= 0.0 {
        return Err(Undefined::NoRows.into());
    }
    let edge = |band: usize| edges.get(band).copied();
    let blocks_from =
        |edge: Option<f64>, otherwise: usize| edge.map_or(otherwise, |edge| ranking.blocks_from(edge));
    let band = |band: usize| {
        let (from, to) = (band.checked_sub(1).and_then(edge), edge(band));
        let blocks = blocks_from(to, 0)..blocks_from(from, ranking.n_blocks());
        ScoreBand::new((from, to), &ListSlice::of(ranking, flagged(&cutoff.confusion), blocks), total, level)
    };
    Ok((0..=edges.len()).map(band).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cutoff::CutoffRule;
    use crate::golden::{table_5_6, tied};
    use crate::ranking::Ranking;

    fn bands(ranking: &Ranking, rule: CutoffRule, edges: &[f64]) -> Result<Vec<ScoreBand>, Error> {
        score_bands(&Sampled::new(ranking), &rule.find(ranking)?, edges)
    }

    #[test]
    fn golden_low_medium_high() {
        let bands = bands(&table_5_6(), CutoffRule::Score(0.75), &[0.6, 0.8]).expect("bands");
        let found: Vec<_> =
            bands.iter().map(|ScoreBand { rows, cells: c, .. }| [*rows, c.tn, c.fn_, c.tp, c.fp]).collect();
        assert_eq!(found, [[4.0, 2.0, 2.0, 0.0, 0.0], [6.0, 1.0, 2.0, 2.0, 1.0], [9.0, 0.0, 0.0, 7.0, 2.0]]);
        let rates: Vec<_> =
            bands.iter().map(|band| (band.error_rate.value, band.strike_rate.value)).collect();
        let expected = [(0.5, 0.5), (0.5, 2.0 / 3.0), (2.0 / 9.0, 7.0 / 9.0)];
        assert_eq!(rates, expected.map(|(error, strike)| (Some(error), Some(strike))));
        let interval = bands[0].strike_rate.interval.expect("four cases");
        assert!((interval.lower - 0.150039).abs() < 1e-6 && (interval.upper - 0.849961).abs() < 1e-6);
    }

    #[test]
    fn any_number_of_bands_adds_up_to_the_whole() {
        let ranking = tied();
        for edges in [&[][..], &[0.6], &[0.1, 0.35, 0.6, 0.65, 0.8], &[-1.0, 2.0]] {
            for rule in [CutoffRule::Score(0.6), CutoffRule::Count(5.0)] {
                let bands = bands(&ranking, rule, edges).expect("bands");
                assert_eq!(bands.len(), edges.len() + 1);
                let cells = rule.find(&ranking).expect("ten rows").confusion;
                let sum =
                    |cell: fn(&Confusion) -> f64| bands.iter().map(|band| cell(&band.cells)).sum::<f64>();
                let found = [sum(|c| c.tp), sum(|c| c.fp), sum(|c| c.fn_), sum(|c| c.tn)];
                for (found, expected) in found.into_iter().zip([cells.tp, cells.fp, cells.fn_, cells.tn]) {
                    assert!((found - expected).abs() < 1e-12);
                }
                assert!((bands.iter().map(|band| band.share).sum::<f64>() - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_band_without_cases_has_no_rates() {
        let bands = bands(&tied(), CutoffRule::Score(0.6), &[0.95]).expect("bands");
        assert_eq!((bands[1].rows, bands[1].error_rate.undefined.clone()), (0.0, Some(Undefined::NoRows)));
    }

    #[test]
    fn edges_that_make_no_bands_are_refused() {
        let message =
            |edges: &[f64]| bands(&tied(), CutoffRule::Score(0.6), edges).expect_err("no bands").to_string();
        assert_eq!(
            message(&[0.8, 0.6]),
            "the edges of the bands fall at position 1; sort them ascending first"
        );
        assert!(message(&[0.6, 0.6]).contains("position 1"));
        assert!(message(&[0.6, f64::NAN]).contains("edge of the bands 1 is NaN"));
    }
}
