//! The AUROC within bands of the score, which a selection by score leaves alone.

use crate::error::Error;
use crate::intervals::{AurocEstimate, AurocMethod, ClassCounts, delong_of_ranking};
use crate::ranking::Ranking;
use crate::undefined::Undefined;

/// The AUROC within bands, pooled by pairs.
///
/// **Definition** the share of pairs of a positive and a negative *of the same band* that are in order, ties counting half: the mean of
/// the bands' AUROCs weighted by their pairs. Its variance adds up DeLong's of the bands. It says how well the score orders cases that
/// it gives about the same score, so it lies nearer to one half than the AUROC over all bands. A selection by band leaves the AUROC of
/// each band alone and moves only how much each counts.
///
/// **Undefined when** no band has both classes. Bands of one case of a class count, but say nothing about the variance.
///
/// **Example**
/// ```
/// use tribunal_eval::{Ranking, monitoring::auroc_within_bands};
/// let low = Ranking::from_scores(&[true, false, false], &[0.3, 0.2, 0.1])?;
/// let high = Ranking::from_scores(&[true, true, false], &[0.9, 0.8, 0.85])?;
/// assert_eq!(auroc_within_bands(&[low, high])?.auroc, 0.75);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** DeLong, DeLong and Clarke-Pearson (1988); Janes and Pepe (2009) on covariate-specific ROC curves.
pub fn auroc_within_bands(bands: &[Ranking]) -> Result<AurocEstimate, Error> {
    let (mut pairs, mut ordered, mut variance) = (0.0, 0.0, 0.0);
    let mut counts = ClassCounts { positives: 0.0, negatives: 0.0 };
    for band in bands {
        let Ok(classes) = band.both_classes() else { continue };
        let own = classes.positive * classes.negative;
        pairs += own;
        counts.positives += band.positives().rows;
        counts.negatives += band.negatives().rows;
        ordered += own * crate::metrics::auroc(band)?;
        if let Ok(estimate) = delong_of_ranking(band) {
            variance += own * own * estimate.variance;
        }
    }
    if pairs <= 0.0 {
        let all = bands.iter().any(|band| band.positives().rows > 0.0);
        return Err(if all { Undefined::NoNegatives } else { Undefined::NoPositives }.into());
    }
    Ok(AurocEstimate {
        auroc: ordered / pairs,
        variance: variance / (pairs * pairs),
        method: AurocMethod::Delong,
        counts,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tribunal_random::Random;

    fn ranking(rows: &[(bool, f64)]) -> Ranking {
        let (truth, scores): (Vec<bool>, Vec<f64>) = rows.iter().copied().unzip();
        Ranking::from_scores(&truth, &scores).expect("finite scores")
    }

    #[test]
    fn bands_of_one_class_have_none() {
        let positive = ranking(&[(true, 0.5), (true, 0.4)]);
        let negative = ranking(&[(false, 0.1)]);
        assert_eq!(auroc_within_bands(std::slice::from_ref(&positive)), Err(Undefined::NoNegatives.into()));
        assert_eq!(auroc_within_bands(std::slice::from_ref(&negative)), Err(Undefined::NoPositives.into()));
        assert!(auroc_within_bands(&[positive, negative]).is_err() && auroc_within_bands(&[]).is_err());
    }

    /// Taking cases by their band leaves the figure where it is; the AUROC over all bands falls.
    #[test]
    fn a_selection_by_band_does_not_move_it() {
        let mut random = Random::new(4);
        let (mut whole, mut chosen): (Vec<Vec<_>>, Vec<Vec<_>>) = (vec![Vec::new(); 4], vec![Vec::new(); 4]);
        for _ in 0..40_000 {
            // Log-odds, so that the score orders cases about as well in every band.
            let score = 4.0 * random.uniform() - 2.0;
            let row = (random.uniform() < 1.0 / (1.0 + (-score).exp()), score);
            let band = (score + 2.0) as usize;
            whole[band].push(row);
            if random.uniform() < [0.02, 0.1, 0.5, 0.9][band] {
                chosen[band].push(row);
            }
        }
        let within = |bands: &[Vec<(bool, f64)>]| {
            let bands: Vec<Ranking> = bands.iter().map(|rows| ranking(rows)).collect();
            auroc_within_bands(&bands).expect("both classes")
        };
        let (all, some) = (within(&whole), within(&chosen));
        assert!((all.auroc - some.auroc).abs() < 3.0 * (all.variance + some.variance).sqrt());
        let over_all =
            |bands: &[Vec<(bool, f64)>]| crate::metrics::auroc(&ranking(&bands.concat())).expect("both");
        assert!(over_all(&whole) - over_all(&chosen) > 0.05);
    }
}
