//! Figures of a weighted sample of actioned cases, with intervals that know how the weights came about.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::design::{ClassInfluence, SamplingDesign, effective_rows};
use crate::checks::{check_finite, check_length, check_weights};
use crate::error::Error;
use crate::intervals::{Interval, IntervalMethod, Level, NoInterval};
use crate::undefined::{Undefined, Value};

/// A figure that a correction is judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FigureName {
    /// The share of positives among all cases.
    StrikeRate,
    /// The share of positives among those that score at least the cut-off.
    Precision,
    /// The share of positives that score at least the cut-off: recall.
    Sensitivity,
    /// The share of negatives that score below the cut-off.
    Specificity,
    /// The share of cases whose prediction at the cut-off is right.
    Pcc,
    /// The chance that a positive outranks a negative.
    Auroc,
}

impl FigureName {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 6] =
        [Self::StrikeRate, Self::Precision, Self::Sensitivity, Self::Specificity, Self::Pcc, Self::Auroc];

    /// Its name in results.
    pub fn id(self) -> &'static str {
        match self {
            Self::StrikeRate => "strike_rate",
            Self::Precision => "precision",
            Self::Sensitivity => "sensitivity",
            Self::Specificity => "specificity",
            Self::Pcc => "pcc",
            Self::Auroc => "auroc",
        }
    }

    /// Whether it looks at predictions.
    pub fn is_at_cutoff(self) -> bool {
        !matches!(self, Self::StrikeRate | Self::Auroc)
    }
}

/// A figure with its interval, or why there is none.
#[derive(Clone, Debug, PartialEq)]
pub struct CorrectedFigure {
    /// Which.
    pub name: FigureName,
    /// The figure.
    pub value: Value,
    /// Its interval.
    pub interval: Result<Interval, NoInterval>,
}

/// Scores of rows as places in their order, so that one sort serves every weighting.
#[derive(Clone, Debug)]
struct ScorePlaces {
    /// The block of equal scores of each row, from the top.
    of_row: Vec<u32>,
    n_blocks: usize,
}

impl ScorePlaces {
    fn of(scores: &[f64]) -> Self {
        let mut order: Vec<(f64, u32)> = scores.iter().map(|score| score + 0.0).zip(0..).collect();
        order.par_sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let (mut of_row, mut n_blocks) = (vec![0; scores.len()], 0);
        for tied in order.chunk_by(|a, b| a.0 == b.0) {
            tied.iter().for_each(|(_, row)| of_row[*row as usize] = n_blocks);
            n_blocks += 1;
        }
        Self { of_row, n_blocks: n_blocks as usize }
    }
}

/// Actioned cases: what each was, and what a model said of it.
///
/// ```
/// use tribunal_eval::correction::{FigureName, SamplingDesign, Strata, WeightedSample};
/// use tribunal_eval::intervals::Level;
///
/// // Three of four actioned cases come from the stratum that is a fifth of the population.
/// let sample = WeightedSample::new(&[true, true, false, false])?.with_scores(&[0.9, 0.8, 0.7, 0.2], 0.5)?;
/// let strata = Strata { of_row: &[0, 0, 0, 1], n_strata: 2, population: 1000.0, drawn: None };
/// let weights = [0.8 / 3.0, 0.8 / 3.0, 0.8 / 3.0, 3.2];
/// let figures = sample.figures(&weights, &SamplingDesign::Stratified(strata), Level::P95)?;
/// let strike_rate = figures.iter().find(|figure| figure.name == FigureName::StrikeRate);
/// let value = strike_rate.and_then(|figure| figure.value.clone().ok()).expect("a figure");
/// assert!((value - 0.2 * 2.0 / 3.0).abs() < 1e-12);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct WeightedSample<'a> {
    truth: &'a [bool],
    scores: Option<Scored>,
}

#[derive(Clone, Debug)]
struct Scored {
    places: ScorePlaces,
    /// Whether each row scores at least the cut-off, where there is one.
    flagged: Option<Vec<bool>>,
}

impl<'a> WeightedSample<'a> {
    /// Cases with their outcome.
    ///
    /// # Errors
    /// There is none.
    pub fn new(truth: &'a [bool]) -> Result<Self, Error> {
        crate::checks::at_least("actioned cases", truth.len(), 1)?;
        Ok(Self { truth, scores: None })
    }

    /// The same with the scores of a model; at the cut-off or above a case is predicted positive, and without a cut-off nothing is
    /// predicted.
    ///
    /// # Errors
    /// There is not one finite score a case.
    pub fn with_scores(self, scores: &[f64], cutoff: impl Into<Option<f64>>) -> Result<Self, Error> {
        check_length("score", scores.len(), self.truth.len())?;
        check_finite("score", scores)?;
        let of_cutoff = |cutoff: f64| scores.iter().map(|score| *score >= cutoff).collect();
        let flagged = cutoff.into().map(of_cutoff);
        Ok(Self { scores: Some(Scored { places: ScorePlaces::of(scores), flagged }), ..self })
    }

    /// Whether each row scores at least the cut-off.
    fn flagged(&self) -> Option<&[bool]> {
        self.scores.as_ref()?.flagged.as_deref()
    }

    /// The figures under some weights: the strike rate, and where there are scores all others.
    ///
    /// # Errors
    /// There is not one usable weight a case.
    pub fn figures(
        &self,
        weights: &[f64],
        design: &SamplingDesign<'_>,
        level: Level,
    ) -> Result<Vec<CorrectedFigure>, Error> {
        check_weights(weights, self.truth.len())?;
        let weighting = Weighting { sample: self, weights, design, level };
        let is_known = |name: &FigureName| match name {
            FigureName::StrikeRate => true,
            FigureName::Auroc => self.scores.is_some(),
            _ => self.flagged().is_some(),
        };
        let names = FigureName::ALL.into_iter().filter(is_known);
        Ok(names.map(|name| weighting.figure(name)).collect())
    }
}

/// A sample under some weights.
struct Weighting<'s, 'a> {
    sample: &'s WeightedSample<'a>,
    weights: &'s [f64],
    design: &'s SamplingDesign<'s>,
    level: Level,
}

impl Weighting<'_, '_> {
    fn figure(&self, name: FigureName) -> CorrectedFigure {
        let (value, interval) = match name {
            FigureName::Auroc => self.auroc(),
            _ => self.share(name),
        };
        let interval = value.clone().map_err(NoInterval::Undefined).and(interval);
        CorrectedFigure { name, value, interval }
    }

    /// Whether a case belongs to the base of a share, and whether it counts as a success, were it of this class.
    fn parts(&self, name: FigureName, row: usize, positive: bool) -> (bool, bool) {
        let flagged = self.sample.flagged().is_some_and(|flagged| flagged[row]);
        match name {
            FigureName::Precision => (flagged, positive),
            FigureName::Sensitivity => (positive, flagged),
            FigureName::Specificity => (!positive, !flagged),
            FigureName::Pcc => (true, flagged == positive),
            FigureName::StrikeRate | FigureName::Auroc => (true, positive),
        }
    }

    /// A share of the cases of some base, as a ratio of weighted sums.
    fn share(&self, name: FigureName) -> (Value, Result<Interval, NoInterval>) {
        let (mut base, mut squares, mut successes, mut total) = (0.0, 0.0, 0.0, 0.0);
        for (row, (&weight, &positive)) in self.weights.iter().zip(self.sample.truth).enumerate() {
            total += weight;
            let (is_base, is_success) = self.parts(name, row, positive);
            if is_base {
                base += weight;
                squares += weight * weight;
                successes += if is_success { weight } else { 0.0 };
            }
        }
        if base <= 0.0 {
            return (Err(self.why_undefined(name)), Err(NoInterval::FewCases));
        }
        let share = (successes / base).clamp(0.0, 1.0);
        let value_of = |row: usize, positive: bool| match self.parts(name, row, positive) {
            (true, is_success) => (f64::from(u8::from(is_success)) - share) * total / base,
            (false, _) => 0.0,
        };
        let rows = 0..self.weights.len();
        let influence = ClassInfluence {
            positive: rows.clone().map(|row| value_of(row, true)).collect(),
            negative: rows.map(|row| value_of(row, false)).collect(),
        };
        let variance = self.design.variance(self.weights, &influence, self.sample.truth);
        (Ok(share), Ok(share_interval(self.level, share, variance, base * base / squares)))
    }

    fn why_undefined(&self, name: FigureName) -> Undefined {
        match name {
            FigureName::Precision => Undefined::NonePredictedPositive,
            FigureName::Sensitivity => Undefined::NoPositives,
            FigureName::Specificity => Undefined::NoNegatives,
            _ => Undefined::NoRows,
        }
    }

    /// The area under the ROC curve by weighted placements (DeLong, DeLong and Clarke-Pearson 1988).
    fn auroc(&self) -> (Value, Result<Interval, NoInterval>) {
        let of_class = |positive: bool| {
            let rows =
                self.weights.iter().zip(self.sample.truth).filter(move |(_, truth)| **truth == positive);
            rows.map(|(weight, _)| *weight).collect::<Vec<f64>>()
        };
        let (positives, negatives) = (of_class(true), of_class(false));
        let (p, m): (f64, f64) = (positives.iter().sum(), negatives.iter().sum());
        let Some(scored) = self.sample.scores.as_ref().filter(|_| p > 0.0 && m > 0.0) else {
            let why = if p > 0.0 { Undefined::NoNegatives } else { Undefined::NoPositives };
            return (Err(why), Err(NoInterval::FewCases));
        };
        let placements = Placements::of(&scored.places, self.weights, self.sample.truth);
        let area = placements.area(p, m);
        let (share_p, share_m) = (p / (p + m), m / (p + m));
        let value_of = |place: u32, positive: bool| match positive {
            true => (placements.beaten(place, m) - area) / share_p,
            false => (placements.beaten_by(place, p) - area) / share_m,
        };
        let values = |positive: bool| scored.places.of_row.iter().map(move |&place| (place, positive));
        let influence = ClassInfluence {
            positive: values(true).map(|(place, positive)| value_of(place, positive)).collect(),
            negative: values(false).map(|(place, positive)| value_of(place, positive)).collect(),
        };
        let rarer = effective_rows(&positives).min(effective_rows(&negatives));
        if rarer <= 1.0 {
            return (Ok(area), Err(NoInterval::FewCases));
        }
        let variance = self.design.variance(self.weights, &influence, self.sample.truth);
        let n = self.level.effective(area, variance, 3.0 * rarer);
        let interval = self.level.wilson(area, n, self.level.t(rarer - 1.0));
        (Ok(area), Ok(Interval { method: IntervalMethod::EffectiveWilson, ..interval }))
    }
}

/// Wilson's interval of a share on as many independent cases as vary like it (Korn and Graubard 1998).
pub(super) fn share_interval(level: Level, share: f64, variance: f64, n_cases: f64) -> Interval {
    let n = level.effective(share, variance, n_cases);
    Interval { method: IntervalMethod::EffectiveWilson, ..level.wilson(share, n, level.z()) }
}

/// Weights of either class above each block of equal scores, and in it.
struct Placements {
    above: Vec<[f64; 2]>,
    own: Vec<[f64; 2]>,
}

impl Placements {
    fn of(places: &ScorePlaces, weights: &[f64], truth: &[bool]) -> Self {
        let mut own = vec![[0.0; 2]; places.n_blocks];
        for ((&place, &weight), &positive) in places.of_row.iter().zip(weights).zip(truth) {
            own[place as usize][usize::from(positive)] += weight;
        }
        let mut sum = [0.0; 2];
        let above = own.iter().map(|block| {
            let above = sum;
            sum = [sum[0] + block[0], sum[1] + block[1]];
            above
        });
        Self { above: above.collect(), own }
    }

    /// The share of negatives that a positive of a block outranks, ties by half.
    fn beaten(&self, place: u32, m: f64) -> f64 {
        let place = place as usize;
        1.0 - (self.above[place][0] + 0.5 * self.own[place][0]) / m
    }

    /// The share of positives that outrank a negative of a block.
    fn beaten_by(&self, place: u32, p: f64) -> f64 {
        let place = place as usize;
        (self.above[place][1] + 0.5 * self.own[place][1]) / p
    }

    fn area(&self, p: f64, m: f64) -> f64 {
        let blocks = (0..).zip(&self.own);
        blocks.map(|(place, own)| own[1] * self.beaten(place, m)).sum::<f64>() / p
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::metrics;
    use crate::{Confusion, Ranking, ScoredSet};

    fn value(figures: &[CorrectedFigure], name: FigureName) -> Value {
        figures
            .iter()
            .find(|figure| figure.name == name)
            .map_or(Err(Undefined::NoRows), |figure| figure.value.clone())
    }

    proptest! {
        #[test]
        fn figures_are_those_of_the_ranking(rows in prop::collection::vec((any::<bool>(), 0u8..20, 0u8..5), 2..80)) {
            let truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
            let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.1) / 20.0).collect();
            let weights: Vec<f64> = rows.iter().map(|row| f64::from(row.2) * 0.75).collect();
            prop_assume!(weights.iter().sum::<f64>() > 0.0);
            let sample = WeightedSample::new(&truth).expect("cases").with_scores(&scores, 0.5).expect("scores");
            let found = sample.figures(&weights, &SamplingDesign::Independent, Level::P95).expect("figures");
            let set = ScoredSet::new(&truth, &scores).expect("a set").with_weight(&weights).expect("weights");
            let ranking = Ranking::of(&set).expect("a ranking");
            let cells = Confusion::at_score(&ranking, 0.5);
            let expected = [
                (FigureName::Precision, metrics::precision(&cells)),
                (FigureName::Sensitivity, metrics::sensitivity(&cells)),
                (FigureName::Specificity, metrics::specificity(&cells)),
                (FigureName::Pcc, metrics::pcc(&cells)),
                (FigureName::Auroc, metrics::auroc(&ranking)),
            ];
            for (name, expected) in expected {
                match (value(&found, name), expected) {
                    (Ok(found), Ok(expected)) => prop_assert!((found - expected).abs() < 1e-12, "{name:?}"),
                    (found, expected) => prop_assert_eq!(found.is_err(), expected.is_err(), "{:?}", name),
                }
            }
            for figure in &found {
                if let (Ok(value), Ok(interval)) = (&figure.value, &figure.interval) {
                    prop_assert!(interval.lower <= value + 1e-9 && *value <= interval.upper + 1e-9);
                    prop_assert!((0.0..=1.0).contains(&interval.lower) && interval.upper <= 1.0);
                }
            }
        }

        #[test]
        fn weights_and_multiplicities_agree(rows in prop::collection::vec((any::<bool>(), 0u8..20, 0u32..4), 2..60)) {
            let expand = |of: fn(&(bool, u8, u32)) -> bool| -> Vec<bool> {
                rows.iter().flat_map(|row| vec![of(row); row.2 as usize]).collect()
            };
            let repeated = expand(|row| row.0);
            prop_assume!(!repeated.is_empty());
            let truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
            let times: Vec<f64> = rows.iter().map(|row| f64::from(row.2)).collect();
            let once = WeightedSample::new(&truth).expect("cases");
            let often = WeightedSample::new(&repeated).expect("cases");
            let design = SamplingDesign::Independent;
            let a = value(&once.figures(&times, &design, Level::P95).expect("figures"), FigureName::StrikeRate);
            let b = value(
                &often.figures(&vec![1.0; repeated.len()], &design, Level::P95).expect("figures"),
                FigureName::StrikeRate,
            );
            prop_assert!((a.expect("a rate") - b.expect("a rate")).abs() < 1e-12);
        }
    }

    #[test]
    fn what_does_not_exist_says_why() {
        let sample =
            WeightedSample::new(&[true, true]).expect("cases").with_scores(&[0.2, 0.1], 0.5).expect("scores");
        let found = sample.figures(&[1.0, 1.0], &SamplingDesign::Independent, Level::P95).expect("figures");
        assert_eq!(value(&found, FigureName::Precision), Err(Undefined::NonePredictedPositive));
        assert_eq!(value(&found, FigureName::Specificity), Err(Undefined::NoNegatives));
        assert_eq!(value(&found, FigureName::Auroc), Err(Undefined::NoNegatives));
        assert!(WeightedSample::new(&[]).is_err());
        let none = sample.figures(&[0.0, 0.0], &SamplingDesign::Independent, Level::P95).expect("figures");
        assert_eq!(value(&none, FigureName::StrikeRate), Err(Undefined::NoRows));
    }

    #[test]
    fn rows_that_stand_twice_are_no_new_evidence() {
        let truth: Vec<bool> = (0..200).map(|row| row % 4 == 0).collect();
        let sample = WeightedSample::new(&truth).expect("cases");
        let width = |weights: &[f64]| {
            let figures = sample.figures(weights, &SamplingDesign::Independent, Level::P95).expect("figures");
            let interval = figures[0].interval.clone().expect("an interval");
            interval.upper - interval.lower
        };
        assert!((width(&[1.0; 200]) - width(&[2.0; 200])).abs() < 1e-12);
    }
}
