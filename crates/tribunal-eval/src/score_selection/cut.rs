//! Where a list is cut so that the cases above the cut are acted on, and the bands that begin at such cuts.

use crate::checks::within;
use crate::error::Error;
use crate::ranking::{ListEnd, Ranking};
use crate::score_bands::ScoreBands;

/// A cut moves to the end of the block of equal scores that it divides where no more than this share of the list changes sides.
const NEARLY: f64 = 0.005;

/// No band begins beside a cut that would divide less than this part of a band from it.
const SLIVER: f64 = 0.2;

/// The cases above a score: a share of the list.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SelectionCut {
    /// Which share of the weight of the list lies above the cut.
    pub share: f64,
    /// The weight above the cut.
    pub weight: f64,
    /// The lowest score of which cases lie above the cut.
    pub lowest: f64,
    /// The share of the cases with the lowest score that lie above the cut: 1 where the cut divides no block of equal scores.
    pub of_lowest: f64,
}

impl SelectionCut {
    /// The cut below about this share of the list.
    ///
    /// Cases are not divided: the cut moves to the nearest end of the block of equal scores that it falls into, where the block is a
    /// single case or no more than half a percent of the list changes sides. Of a larger block the expected share is taken.
    ///
    /// ```
    /// use tribunal_eval::{Ranking, score_selection::SelectionCut};
    ///
    /// let ranking = Ranking::from_scores(&[true, false, true, false, false], &[0.9, 0.8, 0.4, 0.4, 0.4])?;
    /// let top = SelectionCut::at(&ranking, 0.25)?;
    /// assert_eq!((top.share, top.lowest, top.of_lowest), (0.2, 0.9, 1.0));
    /// let most = SelectionCut::at(&ranking, 0.7)?;
    /// assert_eq!((most.share, most.lowest, most.of_lowest), (0.7, 0.4, 0.5));
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    ///
    /// # Errors
    /// The share is not above 0 and at most 1, or there are no rows.
    pub fn at(ranking: &Ranking, share: f64) -> Result<Self, Error> {
        within("the share of the list", share, share > 0.0 && share <= 1.0, "a share above 0 and at most 1")?;
        ranking.base_rate()?;
        let total = ranking.totals().total();
        let asked = share * total;
        let ListEnd { n_whole, share: part } = ranking.list_end(asked);
        if part <= 0.0 && n_whole > 0 {
            return Ok(Self::below(ranking, n_whole));
        }
        let block = ranking.block(n_whole);
        let is_nearer_end = n_whole == 0 || part >= 0.5;
        let n_nearest = n_whole + usize::from(is_nearer_end);
        let moved = (ranking.through(n_nearest).total() - asked).abs() / total;
        let is_one_case = ranking.rows_through(n_whole + 1) - ranking.rows_through(n_whole) <= 1.0;
        Ok(match is_one_case || moved <= NEARLY {
            true => Self::below(ranking, n_nearest),
            false => Self { share, weight: asked, lowest: block.score, of_lowest: part },
        })
    }

    /// The cut at the end of a block.
    fn below(ranking: &Ranking, n_blocks: usize) -> Self {
        let (weight, total) = (ranking.through(n_blocks).total(), ranking.totals().total());
        Self { share: weight / total, weight, lowest: ranking.score(n_blocks - 1), of_lowest: 1.0 }
    }

    /// Where bands have to begin so that the cut divides none of them, but for a block of equal scores that is a band of its own.
    fn edges(&self, ranking: &Ranking) -> Vec<f64> {
        let place = ranking.place_of(self.lowest);
        let above = place.checked_sub(1).filter(|_| self.of_lowest < 1.0).map(|above| ranking.score(above));
        // No band lies below the lowest score of all.
        let own = (place + 1 < ranking.n_blocks()).then_some(self.lowest);
        own.into_iter().chain(above).collect()
    }
}

/// Bands of about equal weight by the quantiles of all cases, and of the cuts besides, so that each band lies on one side of every
/// cut; a block of equal scores that a cut divides is a band of its own. Quantiles next to a cut give way to it, lest a band hold
/// hardly a case.
///
/// # Errors
/// There are no rows, or the number of bands is not from 1 to 1000.
pub fn bands_with_cuts(
    ranking: &Ranking,
    cuts: &[SelectionCut],
    n_bands: usize,
) -> Result<ScoreBands, Error> {
    let rows = ranking.blocks().map(|block| (block.score, block.own().total())).collect();
    let of_cuts: Vec<f64> = cuts.iter().flat_map(|cut| cut.edges(ranking)).collect();
    let share_from =
        |edge: f64| ranking.through(ranking.blocks_from(edge)).total() / ranking.totals().total();
    let taken: Vec<f64> = of_cuts.iter().map(|edge| share_from(*edge)).collect();
    let is_apart = |edge: &f64| {
        let share = share_from(*edge);
        taken.iter().all(|taken| (share - taken).abs() * n_bands as f64 >= SLIVER)
    };
    let quantiles = ScoreBands::from_weighted(rows, n_bands)?;
    let mut edges: Vec<f64> = quantiles.edges().iter().copied().filter(is_apart).collect();
    edges.extend(of_cuts);
    edges.sort_by(f64::total_cmp);
    edges.dedup();
    ScoreBands::from_edges(&edges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::tied;
    use crate::undefined::Undefined;

    fn cut(ranking: &Ranking, share: f64) -> SelectionCut {
        SelectionCut::at(ranking, share).expect("a share")
    }

    #[test]
    fn single_cases_are_not_divided_and_large_ties_are() {
        let distinct =
            Ranking::from_scores(&[true; 7], &[0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]).expect("scores");
        let weights = [0.5, 0.25, 0.1, 0.01, 1.0].map(|share| cut(&distinct, share).weight);
        assert_eq!(weights, [4.0, 2.0, 1.0, 1.0, 7.0]);
        let divided = cut(&tied(), 0.5);
        assert_eq!((divided.share, divided.lowest), (0.5, 0.6));
        assert!((divided.of_lowest - 1.0 / 3.0).abs() < 1e-12);
        let constant = Ranking::from_scores(&[true, false, false, true], &[0.5; 4]).expect("scores");
        assert_eq!((cut(&constant, 0.1).weight, cut(&constant, 0.1).of_lowest), (0.4, 0.1));
    }

    #[test]
    fn small_ties_move_the_cut_to_their_nearest_end() {
        // 1000 cases, five of which share each score: half a percent of the list.
        let scores: Vec<f64> = (0..1000).map(|row| f64::from(row / 5)).collect();
        let ranking = Ranking::from_scores(&[true; 1000], &scores).expect("scores");
        let found = [0.101, 0.1045, 0.0021].map(|share| cut(&ranking, share).weight);
        assert_eq!(found, [100.0, 105.0, 5.0]);
    }

    #[test]
    fn every_band_lies_on_one_side_of_every_cut() {
        let scores: Vec<f64> = (0..997).map(|row| f64::from(row * row % 61)).collect();
        let ranking = Ranking::from_scores(&vec![true; 997], &scores).expect("scores");
        let cuts = [0.5, 0.25, 0.1, 0.03, 1.0].map(|share| cut(&ranking, share));
        let bands = bands_with_cuts(&ranking, &cuts, 10).expect("bands");
        for cut in cuts {
            let part = ranking.upper_part(cut.weight);
            for band in 0..bands.n_bands() {
                let (from, to) = bands.ends(band);
                let rows = |ranking: &Ranking| {
                    ranking.slice(from.unwrap_or(f64::NEG_INFINITY), to.unwrap_or(f64::INFINITY)).rows
                };
                let (all, own) = (rows(&ranking), rows(&part));
                assert!(all > 0.0, "band {band} is empty");
                let is_whole = own == 0.0 || (own - all).abs() < 1e-9;
                let is_tied_block = from == Some(cut.lowest) && cut.of_lowest < 1.0;
                assert!(is_whole || is_tied_block, "{cut:?} divides band {band}");
            }
        }
    }

    #[test]
    fn quantiles_give_way_to_cuts_beside_them() {
        let scores: Vec<f64> = (0..1399).map(f64::from).collect();
        let ranking = Ranking::from_scores(&vec![true; 1399], &scores).expect("scores");
        let cuts = [0.5, 0.25, 0.1].map(|share| cut(&ranking, share));
        assert_eq!(cuts.map(|cut| cut.weight), [700.0, 350.0, 140.0]);
        let bands = bands_with_cuts(&ranking, &cuts, 10).expect("bands");
        assert_eq!(bands.edges(), [140.0, 280.0, 420.0, 560.0, 699.0, 839.0, 979.0, 1049.0, 1119.0, 1259.0]);
    }

    #[test]
    fn shares_of_nothing_are_refused() {
        for share in [0.0, -0.1, 1.1, f64::NAN] {
            assert!(SelectionCut::at(&tied(), share).is_err());
        }
        let empty = Ranking::from_scores(&[], &[]).expect("no rows");
        assert_eq!(SelectionCut::at(&empty, 0.5), Err(Error::Undefined(Undefined::NoRows)));
    }
}
