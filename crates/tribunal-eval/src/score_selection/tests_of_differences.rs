//! Whether a figure of the cases that were acted on differs by more than chance from what it is compared with.
//!
//! The cases above a cut are part of all cases, so both figures rise and fall together with the sample, and the cut, a quantile of
//! the scores, moves with it. Bootstrap replicates of all cases, each cut at the same share, know all of that: their standard
//! deviation is the standard error of the difference. Reference: Efron & Tibshirani (1993), "An introduction to the bootstrap",
//! chapters 6 and 13.

use super::figure::SelectionFigure;
use super::reading::{ActionedReading, ScoreSelection, SelectionReading};
use crate::intervals::{IntervalMethod, Level, NoInterval, Replicates};
use crate::significance::DifferenceTest;
use crate::undefined::Undefined;

/// Fewer cases above a cut show nothing of how others would do.
const FEWEST_CASES: f64 = 4.0;

/// A difference that varies by less than this does so by rounding alone.
const ROUNDING: f64 = 1e-12;

impl ScoreSelection<'_> {
    /// Tests every difference of a reading, cut by cut and figure by figure, with Student's t on the standard error of its
    /// replicates; `drawn` holds the [`differences`](Self::differences) of one replicate each.
    ///
    /// **Undefined when** the figure or what it is compared with is, a tenth of the replicates has no value or all have the same,
    /// there are fewer than four cases above the cut, or fewer than two of a class where the figure compares the classes.
    pub fn tests(
        &self,
        observed: &SelectionReading,
        drawn: &[Vec<f64>],
        level: Level,
    ) -> Vec<Vec<Result<DifferenceTest, NoInterval>>> {
        let of_cut = |(cut, actioned): (usize, &ActionedReading)| {
            let of_figure = |(place, figure): (usize, &SelectionFigure)| {
                let column = cut * SelectionFigure::ALL.len() + place;
                let replicates = drawn.iter().filter_map(|differences| differences.get(column).copied());
                test(actioned, *figure, replicates.collect(), level)
            };
            SelectionFigure::ALL.iter().enumerate().map(of_figure).collect()
        };
        observed.actioned.iter().enumerate().map(of_cut).collect()
    }
}

fn test(
    actioned: &ActionedReading,
    figure: SelectionFigure,
    replicates: Vec<f64>,
    level: Level,
) -> Result<DifferenceTest, NoInterval> {
    let contrast = actioned.contrast(figure);
    let undefined =
        || [&contrast.value, &contrast.reference].into_iter().find_map(|value| value.clone().err());
    let Some(difference) = contrast.difference() else {
        return Err(NoInterval::Undefined(undefined().unwrap_or(Undefined::NoRows)));
    };
    let df = degrees_of_freedom(actioned, figure)?;
    let n_drawn = replicates.len();
    if n_drawn == 0 {
        return Err(NoInterval::NeedsReplicates);
    }
    let values: Vec<f64> = replicates.into_iter().filter(|value| value.is_finite()).collect();
    if values.len() * 10 < n_drawn * 9 {
        return Err(NoInterval::FewReplicates);
    }
    let replicates = Replicates::new(values).map_err(|_| NoInterval::FewReplicates)?;
    let error = replicates.standard_deviation().map_err(|_| NoInterval::FewReplicates)?;
    if error <= ROUNDING && difference != 0.0 {
        return Err(NoInterval::ReplicatesAgree);
    }
    Ok(DifferenceTest::new(difference, error, df, level, IntervalMethod::BootstrapNormal))
}

/// One less than the cases above the cut, or than those of the rarer class where classes are compared.
fn degrees_of_freedom(actioned: &ActionedReading, figure: SelectionFigure) -> Result<f64, NoInterval> {
    let [positives, negatives] = actioned.effective;
    if actioned.rows < FEWEST_CASES {
        return Err(NoInterval::ShortList);
    }
    match figure.is_of_pairs() {
        true if positives.min(negatives) < 2.0 => Err(NoInterval::FewCases),
        true => Ok(positives.min(negatives) - 1.0),
        false => Ok((positives + negatives - 1.0).max(1.0)),
    }
}

#[cfg(test)]
mod tests {
    use tribunal_random::Random;

    use super::super::{SelectionCut, bands_with_cuts};
    use super::*;
    use crate::cutoff::CutoffRule;
    use crate::influence::BaseRate;
    use crate::ranking::Ranking;
    use crate::resampler::{ResampledRows, Resampler};
    use crate::score_bands::ScoreBands;

    /// Calibrated probabilities and what came of them.
    fn sample(n_rows: usize, seed: u64) -> (Vec<bool>, Vec<f64>) {
        let mut random = Random::new(seed);
        let row = |_| {
            let p = 1.0 / (1.0 + (1.2 - 1.3 * random.normal()).exp());
            (random.uniform() < p, p)
        };
        (0..n_rows).map(row).unzip()
    }

    fn tests(
        (truth, scores): (&[bool], &[f64]),
        shares: &[f64],
        bands: Option<ScoreBands>,
        n_replicates: u64,
    ) -> Vec<Vec<Result<DifferenceTest, NoInterval>>> {
        let whole = Ranking::from_scores(truth, scores).expect("scores");
        let cuts: Vec<SelectionCut> =
            shares.iter().map(|share| SelectionCut::at(&whole, *share).expect("a share")).collect();
        let bands = bands.unwrap_or_else(|| bands_with_cuts(&whole, &cuts, 10).expect("bands"));
        let cutoff = CutoffRule::Score(0.5).find(&whole);
        let selection = ScoreSelection { whole: &whole, cuts, bands, cutoff };
        let resampler = Resampler::new(&ResampledRows::new(truth, vec![scores])).expect("both classes");
        let drawn: Vec<Vec<f64>> = (0..n_replicates)
            .flat_map(|index| resampler.replicate(1, index, BaseRate::Random))
            .map(|replicate| selection.differences(&replicate))
            .collect();
        selection.tests(&selection.read(&whole), &drawn, Level::P95)
    }

    #[test]
    fn what_holds_within_bands_survives_and_the_rest_moves() {
        let (truth, scores) = sample(3000, 7);
        let found = tests((&truth, &scores), &[0.5, 0.25, 0.1], None, 100);
        for (place, figure) in SelectionFigure::ALL.iter().enumerate() {
            let tests = found.iter().map(|of_cut| of_cut[place].as_ref().expect("tested"));
            let p: Vec<f64> = tests.clone().map(|test| test.p).collect();
            match figure {
                figure if figure.is_within_bands() => {
                    assert_eq!(p, [1.0; 3], "{figure:?}");
                    assert!(tests.clone().all(|test| test.effect.difference == 0.0));
                }
                SelectionFigure::CalibrationInTheLarge => assert!(p.iter().all(|p| *p > 0.001), "{p:?}"),
                // Mistakes are most frequent in the middle of the list, so that its top may have as many as the whole.
                SelectionFigure::Pcc
                | SelectionFigure::ErrorRate
                | SelectionFigure::Brier
                | SelectionFigure::LogLoss => assert!(p[0] < 0.01, "{figure:?} {p:?}"),
                _ => assert!(p.iter().all(|p| *p < 0.01), "{figure:?} {p:?}"),
            }
            assert!(tests.clone().all(|test| (test.p < 0.05) != test.effect.interval.contains(0.0)));
        }
    }

    /// The standard error of the strike rate of the top half less that of all cases, from its influence function.
    #[test]
    fn the_standard_error_is_that_of_the_influence_function() {
        let (truth, scores) = sample(2000, 3);
        let found = tests((&truth, &scores), &[0.5], None, 400);
        let test = found[0][SelectionFigure::StrikeRate as usize].as_ref().expect("tested");
        let mut order: Vec<usize> = (0..2000).collect();
        order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
        let hits = |rows: &[usize]| rows.iter().filter(|row| truth[**row]).count() as f64;
        let (top, all) = (hits(&order[..1000]) / 1000.0, hits(&order) / 2000.0);
        let at_cut = hits(&order[800..1200]) / 400.0;
        let influence = |(place, row): (usize, &usize)| {
            let y = f64::from(truth[*row]);
            let inside = if place < 1000 { 2.0 * (y - at_cut) } else { 0.0 };
            inside - (top - at_cut) - (y - all)
        };
        let squares: f64 = order.iter().enumerate().map(influence).map(|value| value * value).sum();
        let error = squares.sqrt() / 2000.0;
        assert!((test.standard_error / error - 1.0).abs() < 0.1, "{} {error}", test.standard_error);
        assert!((test.effect.difference - (top - all)).abs() < 1e-12);
    }

    #[test]
    fn few_cases_and_no_replicates_are_told() {
        let truth: Vec<bool> = (0..40).map(|row| row < 12 || row % 5 == 0).collect();
        let scores: Vec<f64> = (0..40).map(|row| 1.0 - f64::from(row) / 50.0).collect();
        let reason = |share: f64, figure: SelectionFigure, n: u64| {
            tests((&truth, &scores), &[share], None, n)[0][figure as usize].clone().expect_err("none")
        };
        assert_eq!(reason(0.5, SelectionFigure::Auroc, 0), NoInterval::NeedsReplicates);
        assert_eq!(reason(0.05, SelectionFigure::StrikeRate, 50), NoInterval::ShortList);
        let one_class = NoInterval::Undefined(Undefined::NoNegatives);
        assert_eq!(reason(0.25, SelectionFigure::Auroc, 50), one_class);
        assert_eq!(reason(0.325, SelectionFigure::Auroc, 50), NoInterval::FewCases);
    }

    /// Over 200 samples: bands that do not know of the cuts, so that one of them is divided; what survives is rejected about as
    /// seldom as the level says, and what moves nearly always.
    #[test]
    fn surviving_figures_stay_within_their_intervals_and_the_others_move() {
        let deciles = {
            let (truth, scores) = sample(20_000, 99);
            let whole = Ranking::from_scores(&truth, &scores).expect("scores");
            bands_with_cuts(&whole, &[], 10).expect("bands")
        };
        let mut moved = vec![0; SelectionFigure::ALL.len()];
        for seed in 0..200 {
            let (truth, scores) = sample(1500, seed);
            let found = tests((&truth, &scores), &[0.35], Some(deciles.clone()), 60);
            for (count, test) in moved.iter_mut().zip(&found[0]) {
                *count += usize::from(test.as_ref().is_ok_and(|test| test.p < 0.05));
            }
        }
        for (figure, moved) in SelectionFigure::ALL.iter().zip(&moved) {
            let survives = figure.is_within_bands() || *figure == SelectionFigure::CalibrationInTheLarge;
            let holds = if survives { *moved <= 20 } else { *moved >= 190 };
            assert!(holds, "{figure:?} moved in {moved} of 200 samples");
        }
    }

    /// The differences that a very large sample shows are held by the intervals of small ones about as often as they say.
    #[test]
    fn intervals_hold_the_difference() {
        let shares = [0.5, 0.2];
        let (truth, scores) = sample(400_000, 12_345);
        let expected = {
            let whole = Ranking::from_scores(&truth, &scores).expect("scores");
            let cuts = shares.map(|share| SelectionCut::at(&whole, share).expect("a share")).to_vec();
            let cutoff = CutoffRule::Score(0.5).find(&whole);
            let bands = ScoreBands::from_edges(&[0.2, 0.4]).expect("rising");
            ScoreSelection { whole: &whole, cuts, bands, cutoff }.differences(&whole)
        };
        let mut held = vec![0; expected.len()];
        for seed in 0..200 {
            let (truth, scores) = sample(500, 1000 + seed);
            let bands = ScoreBands::from_edges(&[0.2, 0.4]).expect("rising");
            let found = tests((&truth, &scores), &shares, Some(bands), 100);
            for (count, (test, expected)) in held.iter_mut().zip(found.iter().flatten().zip(&expected)) {
                *count +=
                    usize::from(test.as_ref().is_ok_and(|test| test.effect.interval.contains(*expected)));
            }
        }
        for (place, held) in held.iter().enumerate() {
            let figure = SelectionFigure::ALL[place % SelectionFigure::ALL.len()];
            assert!(
                *held >= 178,
                "{figure:?}: {held} of 200 intervals hold the difference {}",
                expected[place]
            );
        }
    }
}
