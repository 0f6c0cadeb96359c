//! The test of a change in many narrow bands.
//!
//! Ten bands leave differences of the score inside of them: where a population drifts, or a cut-off moves, cases of a band are other
//! cases too, and their rates change though the model does not. Strata of about twenty cases leave next to nothing of that, and the
//! Cochran-Mantel-Haenszel test is as good with many small strata. What shows in bands and not there moved inside of the bands.
//!
//! Reference: Cochran (1968), "The effectiveness of adjustment by subclassification in removing bias in observational studies".

use tribunal_eval::ScoreBands;
use tribunal_eval::significance::{SampleMoments, Stratum, cochran_mantel_haenszel};

use super::period::Period;
use super::results::{ChangeKind, FinerTest};

/// Cases of both periods in a narrow band.
const CASES_A_BAND: usize = 20;
/// More narrow bands than this take nothing more away.
const MOST_BANDS: usize = 1000;
/// The edges of narrow bands are told from about so many scores.
const SCORES_FOR_EDGES: usize = 200_000;

/// The test of a change in narrow bands; nothing where there are too few cases for bands that are narrower.
pub(super) fn finer_test(kind: ChangeKind, (reference, current): (&Period, &Period)) -> Option<FinerTest> {
    let rows = |period: &Period| -> Vec<(f64, f64)> {
        match kind {
            ChangeKind::Selection => {
                let cases = period.cases.scores.iter().zip(&period.cases.fates);
                cases.map(|(score, fate)| (*score, f64::from(u8::from(fate.is_actioned())))).collect()
            }
            _ => period.cases.outcomes().collect(),
        }
    };
    let (first, second) = (rows(reference), rows(current));
    let n = first.len() + second.len();
    let n_bands = (n / CASES_A_BAND).min(MOST_BANDS);
    if n_bands <= reference.counts.len() {
        return None;
    }
    let stride = n.div_ceil(SCORES_FOR_EDGES);
    let scores = first.iter().chain(&second).step_by(stride).map(|(score, _)| (*score, 1.0));
    let bands = ScoreBands::from_weighted(scores.collect(), n_bands).ok()?;
    if bands.n_bands() <= reference.counts.len() {
        return None;
    }
    let mut strata = vec![Stratum::default(); bands.n_bands()];
    let add = |sample: &mut SampleMoments, value: f64| sample.add(value);
    first.iter().for_each(|(score, value)| add(&mut strata[bands.band_of(*score)].first, *value));
    second.iter().for_each(|(score, value)| add(&mut strata[bands.band_of(*score)].second, *value));
    let found = cochran_mantel_haenszel(&strata).ok();
    // Narrow bands that hold cases of one period only say nothing, which is no sign of a change.
    Some(FinerTest { bands: bands.n_bands() as u64, p: found.map_or(1.0, |found| found.p) })
}
