//! Bands of a score: from given edges, or of about equal weight by the quantiles of a population.
//!
//! Strata of a score make two lists of cases comparable: within a band cases had about the same score, so whatever differs there
//! is no matter of which scores there were. Equal scores share a band, and a band begins at an edge, as those of
//! [`error_matrix::score_bands`](crate::error_matrix::score_bands) do. Where many rows have one score, quantiles coincide, and
//! there are fewer bands than were asked for: [`ScoreBands::asked`] keeps that number.
//!
//! Reference: Cochran (1968), "The effectiveness of adjustment by subclassification in removing bias in observational studies".

use std::cmp::Ordering;

use crate::checks::{all_finite, check_finite, check_weights, within};
use crate::error::Error;
use crate::quantile_edges::unsorted_edges;
use crate::sum::Sum;
use crate::undefined::Undefined;

/// So many bands nobody reads, and each of them would hold next to nothing.
const MOST_BANDS: usize = 1000;

/// Fewer digits than this are never shown of an edge that has more.
const LEAST_DIGITS: usize = 4;

/// A double is told from every other by so many digits.
const ALL_DIGITS: usize = 17;

/// Bands of a score, from the lowest up: with edges `e₁ < e₂ < …` they are `score < e₁`, `e₁ <= score < e₂` and so on to
/// `score >=` the last edge.
///
/// ```
/// use tribunal_eval::ScoreBands;
///
/// let bands = ScoreBands::from_edges(&[0.35, 0.75])?;
/// assert_eq!([0.1, 0.35, 0.9].map(|score| bands.band_of(score)), [0, 1, 2]);
/// assert_eq!(bands.labels(), ["below 0.35", "0.35 to below 0.75", "0.75 and above"]);
///
/// // Half of the rows score zero, so five bands become four.
/// let scores = [0.0, 0.0, 0.0, 0.0, 0.0, 0.2, 0.3, 0.5, 0.6, 0.9];
/// let bands = ScoreBands::from_quantiles(&scores, None, 5)?;
/// assert_eq!((bands.edges(), bands.n_bands(), bands.asked()), (&[0.2, 0.3, 0.6][..], 4, 5));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreBands {
    edges: Vec<f64>,
    asked: usize,
}

impl ScoreBands {
    /// How many bands there are unless somebody says otherwise: deciles.
    pub const DEFAULT: usize = 10;

    /// Bands between given edges; n edges make n + 1 bands, and no edge makes one band of all scores.
    ///
    /// **Undefined when** an edge is no finite number, or the edges do not rise.
    pub fn from_edges(edges: &[f64]) -> Result<Self, Error> {
        all_finite("edge of the bands", edges)?;
        if let Some(position) = edges.windows(2).position(|pair| pair[0] >= pair[1]) {
            return Err(Error::NotSorted { what: "the edges of the bands", position: position + 1 });
        }
        Ok(Self { edges: edges.to_vec(), asked: edges.len() + 1 })
    }

    /// Bands of about equal weight, by the quantiles of these scores.
    ///
    /// **Definition** An edge stands where the weight below it is nearest to `k / n_bands` of the whole, for `k` from 1 to
    /// `n_bands - 1`, and never inside of equal scores; edges that coincide, and those with nothing below them, make one. Rows of
    /// weight zero are absent.
    ///
    /// **Undefined when** there are no rows with weight, a score is no finite number, or the number of bands is not from 1 to 1000.
    ///
    /// **Reference** Hyndman and Fan (1996), "Sample quantiles in statistical packages", on quantiles of the empirical distribution.
    pub fn from_quantiles(scores: &[f64], weights: Option<&[f64]>, n_bands: usize) -> Result<Self, Error> {
        check_finite("score", scores)?;
        if let Some(weights) = weights {
            check_weights(weights, scores.len())?;
        }
        let is_usable = (1..=MOST_BANDS).contains(&n_bands) && weights.is_none();
        if let Some(edges) = is_usable.then(|| unsorted_edges(scores, n_bands)).flatten() {
            return Ok(Self { edges, asked: n_bands });
        }
        let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
        let rows = scores.iter().enumerate().map(|(row, score)| (*score, weight(row)));
        Self::from_weighted(rows.collect(), n_bands)
    }

    /// The same of scores with their weights in any order, for whoever counted rows by score already. All numbers are finite, and
    /// no weight is negative.
    pub fn from_weighted(mut rows: Vec<(f64, f64)>, n_bands: usize) -> Result<Self, Error> {
        let usable = (1..=MOST_BANDS).contains(&n_bands);
        within("the number of bands", n_bands as f64, usable, "a whole number from 1 to 1000")?;
        rows.retain(|(_, weight)| *weight > 0.0);
        if rows.is_empty() {
            return Err(Undefined::NoRows.into());
        }
        // Weights are in the order too, so that sums do not depend on that of the rows.
        let by_score = |a: &(f64, f64), b: &(f64, f64)| a.partial_cmp(b).unwrap_or(Ordering::Equal);
        rows.sort_unstable_by(by_score);
        Ok(Self { edges: quantile_edges(&rows, n_bands), asked: n_bands })
    }

    /// Where bands begin, but for the lowest, ascending.
    pub fn edges(&self) -> &[f64] {
        &self.edges
    }

    /// How many bands there are.
    pub fn n_bands(&self) -> usize {
        self.edges.len() + 1
    }

    /// How many bands were asked for; more than there are where scores are tied.
    pub fn asked(&self) -> usize {
        self.asked
    }

    /// The band of a score, counted from the lowest; a NaN belongs to the lowest.
    pub fn band_of(&self, score: f64) -> usize {
        self.edges.partition_point(|edge| *edge <= score)
    }

    /// The score at which a band begins, and that at which the next one does; none at the ends.
    pub fn ends(&self, band: usize) -> (Option<f64>, Option<f64>) {
        let edge = |band: usize| self.edges.get(band).copied();
        (band.checked_sub(1).and_then(edge), edge(band))
    }

    /// The bands with two neighbours made one: the band of this number and the one above it.
    #[must_use]
    pub fn joined_above(mut self, band: usize) -> Self {
        if band < self.edges.len() {
            self.edges.remove(band);
        }
        self
    }

    /// What the bands are called, from the lowest up. Edges are rounded to the fewest digits that tell them apart, but to no fewer
    /// than four.
    pub fn labels(&self) -> Vec<String> {
        let edges = short_numbers(&self.edges);
        let label =
            |band: usize| match (band.checked_sub(1).and_then(|band| edges.get(band)), edges.get(band)) {
                (None, None) => "all scores".to_owned(),
                (None, Some(to)) => format!("below {to}"),
                (Some(from), Some(to)) => format!("{from} to below {to}"),
                (Some(from), None) => format!("{from} and above"),
            };
        (0..self.n_bands()).map(label).collect()
    }
}

/// Edges at which the weight below is nearest to equal shares of the whole; rows are sorted and have weight.
fn quantile_edges(rows: &[(f64, f64)], n_bands: usize) -> Vec<f64> {
    // The score of each group of equal ones, with the weight below it.
    let mut blocks: Vec<(f64, f64)> = Vec::new();
    let mut below = Sum::default();
    for tied in rows.chunk_by(|a, b| a.0 == b.0) {
        blocks.push((tied[0].0, below.value()));
        tied.iter().for_each(|(_, weight)| below.add(*weight));
    }
    let total = below.value();
    let mut edges: Vec<f64> = Vec::new();
    for k in 1..n_bands {
        let target = total * k as f64 / n_bands as f64;
        let next = blocks.partition_point(|(_, below)| *below < target);
        // Below the lowest score lies nothing and behind the last everything: where one of these is nearest, no band begins.
        let weight_below = |block: usize| blocks.get(block).map_or(total, |(_, below)| *below);
        let before = next.saturating_sub(1);
        let is_nearer = (weight_below(before) - target).abs() < (weight_below(next) - target).abs();
        let nearest = if is_nearer { before } else { next };
        let Some((edge, _)) = blocks.get(nearest).filter(|_| nearest > 0).copied() else { continue };
        if edges.last().is_none_or(|last| *last < edge) {
            edges.push(edge);
        }
    }
    edges
}

/// Numbers with the fewest significant digits that leave them different.
fn short_numbers(numbers: &[f64]) -> Vec<String> {
    let rounded = |digits: usize| -> Vec<f64> {
        // Rounding by way of a text is exact in decimals.
        numbers.iter().map(|number| format!("{number:.*e}", digits - 1).parse().unwrap_or(*number)).collect()
    };
    let differ = |digits: &usize| rounded(*digits).windows(2).all(|pair| pair[0] < pair[1]);
    let digits = (LEAST_DIGITS..ALL_DIGITS).find(differ).unwrap_or(ALL_DIGITS);
    let text = |number: &f64| {
        let size = number.abs();
        // Zero is written without its sign.
        let number = number + 0.0;
        if size != 0.0 && !(1e-4..1e15).contains(&size) { format!("{number:e}") } else { number.to_string() }
    };
    rounded(digits).iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn deciles(scores: &[f64]) -> ScoreBands {
        ScoreBands::from_quantiles(scores, None, 10).expect("finite scores")
    }

    #[test]
    fn distinct_scores_are_dealt_evenly() {
        let scores: Vec<f64> = (0..1000).rev().map(|row| f64::from(row) / 1000.0).collect();
        let bands = deciles(&scores);
        assert_eq!(bands.edges(), [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]);
        let mut rows = [0; 10];
        scores.iter().for_each(|score| rows[bands.band_of(*score)] += 1);
        assert_eq!(rows, [100; 10]);
        assert_eq!((bands.n_bands(), bands.asked()), (10, 10));
    }

    #[test]
    fn ties_at_either_end_make_one_band() {
        let mut scores = vec![0.0; 60];
        scores.extend((1..=40).map(f64::from));
        let bands = deciles(&scores);
        assert_eq!((bands.edges(), bands.asked()), (&[1.0, 11.0, 21.0, 31.0][..], 10));
        // 95 of 100 rows at the highest score: they are a band of their own, not one with everything.
        let mut scores = vec![1.0; 95];
        scores.extend([0.1, 0.2, 0.3, 0.4, 0.5]);
        assert_eq!(deciles(&scores).edges(), [1.0]);
        assert_eq!(deciles(&[0.5; 7]).n_bands(), 1);
        assert_eq!(deciles(&[0.5]).labels(), ["all scores"]);
    }

    #[test]
    fn weights_move_the_edges_and_rows_without_weight_are_absent() {
        let scores = [9.0, 1.0, 2.0, 3.0];
        let bands = ScoreBands::from_quantiles(&scores, Some(&[0.0, 2.0, 1.0, 1.0]), 2).expect("weights");
        assert_eq!(bands.edges(), [2.0]);
        assert!(ScoreBands::from_quantiles(&scores, Some(&[0.0; 4]), 2).is_err());
    }

    #[test]
    fn impossible_bands_are_refused() {
        let message = |edges: &[f64]| ScoreBands::from_edges(edges).expect_err("no bands").to_string();
        assert_eq!(
            message(&[0.8, 0.6]),
            "the edges of the bands fall at position 1; sort them ascending first"
        );
        assert!(message(&[0.6, f64::NAN]).contains("edge of the bands 1 is NaN"));
        for n_bands in [0, 1001] {
            assert!(ScoreBands::from_quantiles(&[0.1, 0.2], None, n_bands).is_err());
        }
        assert!(ScoreBands::from_quantiles(&[0.1, f64::NAN], None, 2).is_err());
        assert!(ScoreBands::from_quantiles(&[], None, 2).is_err());
    }

    #[test]
    fn neighbours_are_joined() {
        let bands = ScoreBands::from_edges(&[1.0, 2.0, 3.0]).expect("rising");
        assert_eq!(bands.clone().joined_above(1).edges(), [1.0, 3.0]);
        assert_eq!(bands.clone().joined_above(3), bands);
        assert_eq!((bands.ends(0), bands.ends(1)), ((None, Some(1.0)), (Some(1.0), Some(2.0))));
    }

    #[test]
    fn labels_have_the_digits_that_tell_edges_apart() {
        let labels = |edges: &[f64]| ScoreBands::from_edges(edges).expect("rising").labels().join(" | ");
        assert_eq!(labels(&[0.1 + 0.2, 0.65432]), "below 0.3 | 0.3 to below 0.6543 | 0.6543 and above");
        assert_eq!(
            labels(&[0.12341, 0.12342]),
            "below 0.12341 | 0.12341 to below 0.12342 | 0.12342 and above"
        );
        assert_eq!(labels(&[-0.0, 123456.0]), "below 0 | 0 to below 123500 | 123500 and above");
        assert_eq!(labels(&[1e-9]), "below 1e-9 | 1e-9 and above");
    }

    proptest! {
        #[test]
        fn bands_part_the_scores_as_evenly_as_ties_allow(
            rows in prop::collection::vec((-6i32..30, 0u8..4), 1..120), n_bands in 1usize..15,
        ) {
            let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.0) * 0.25).collect();
            let weights: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
            let total: f64 = weights.iter().sum();
            prop_assume!(total > 0.0);
            let bands = ScoreBands::from_quantiles(&scores, Some(&weights), n_bands).expect("weights");
            prop_assert!(bands.n_bands() <= n_bands);
            let weight_below = |edge: f64| -> f64 {
                scores.iter().zip(&weights).filter(|(score, _)| **score < edge).map(|(_, weight)| weight).sum()
            };
            // Every band holds weight, and each share of the whole has the nearest possible edge.
            let mut ends = vec![0.0];
            ends.extend(bands.edges().iter().map(|edge| weight_below(*edge)));
            ends.push(total);
            prop_assert!(ends.windows(2).all(|pair| pair[0] < pair[1]), "{ends:?}");
            for k in 1..n_bands {
                let target = total * k as f64 / n_bands as f64;
                let miss = |edge: f64| (weight_below(edge) - target).abs();
                let possible = scores.iter().map(|score| miss(*score)).fold(miss(f64::INFINITY), f64::min).min(target);
                let nearest = ends.iter().map(|end| (end - target).abs()).fold(f64::INFINITY, f64::min);
                prop_assert!((nearest - possible).abs() < 1e-9, "{nearest} {possible}");
            }
            // The order of rows changes nothing, and weight 2 is the row twice.
            let mut turned: Vec<(f64, f64)> = scores.iter().copied().zip(weights.iter().copied()).collect();
            turned.reverse();
            prop_assert_eq!(&ScoreBands::from_weighted(turned, n_bands).expect("weights"), &bands);
            let copies = |(score, weight): (&f64, &f64)| vec![*score; *weight as usize];
            let repeated: Vec<f64> = scores.iter().zip(&weights).flat_map(copies).collect();
            prop_assert_eq!(&ScoreBands::from_quantiles(&repeated, None, n_bands).expect("rows"), &bands);
        }
    }
}
