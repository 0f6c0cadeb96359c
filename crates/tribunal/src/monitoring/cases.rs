//! The rows of a period: scores, whether they were acted on and how that ended. Nine bytes a row, and eight for each amount.

use tribunal_eval::monitoring::BandCounts;
use tribunal_eval::significance::SampleMoments;
use tribunal_eval::{Ranking, ScoreBands, ScoredSet};

use crate::error::Error;

/// What became of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Fate {
    /// It was not acted on.
    Idle,
    /// It was, and its outcome is not known.
    Pending,
    /// It was, and it is negative.
    Negative,
    /// It was, and it is positive.
    Positive,
}

impl Fate {
    pub(super) fn is_actioned(self) -> bool {
        self != Self::Idle
    }

    /// Whether it is positive, where the outcome is known.
    pub(super) fn outcome(self) -> Option<bool> {
        match self {
            Self::Positive => Some(true),
            Self::Negative => Some(false),
            Self::Idle | Self::Pending => None,
        }
    }
}

/// The rows of a period.
#[derive(Clone, Debug, Default)]
pub(super) struct Cases {
    pub(super) scores: Vec<f64>,
    pub(super) fates: Vec<Fate>,
    /// The amounts of the positives, in the order of the rows; none at all without amounts.
    pub(super) amounts: Option<Vec<f64>>,
    /// Outcomes of rows that were not acted on.
    pub(super) unused_outcomes: u64,
}

impl Cases {
    pub(super) fn new(has_amounts: bool) -> Self {
        Cases { amounts: has_amounts.then(Vec::new), ..Cases::default() }
    }

    pub(super) fn push(&mut self, score: f64, fate: Fate, amount: Option<f64>) {
        self.scores.push(score);
        self.fates.push(fate);
        if let (Some(amounts), Fate::Positive) = (&mut self.amounts, fate) {
            amounts.push(amount.unwrap_or(0.0));
        }
    }

    pub(super) fn n_rows(&self) -> u64 {
        self.scores.len() as u64
    }

    pub(super) fn count(&self, is_one: impl Fn(Fate) -> bool) -> u64 {
        self.fates.iter().filter(|fate| is_one(**fate)).count() as u64
    }

    /// Score and outcome (0 and 1, or the amount) of every actioned row whose outcome is known.
    pub(super) fn outcomes(&self) -> impl Iterator<Item = (f64, f64)> {
        let mut amounts = self.amounts.as_ref().map(|amounts| amounts.iter());
        self.scores.iter().zip(&self.fates).filter_map(move |(score, fate)| {
            let value = match fate.outcome()? {
                false => 0.0,
                true => amounts.as_mut().map_or(Some(1.0), |amounts| amounts.next().copied()).unwrap_or(0.0),
            };
            Some((*score, value))
        })
    }

    /// The counts of each band.
    pub(super) fn band_counts(&self, bands: &ScoreBands) -> Vec<BandCounts> {
        let mut counts = vec![BandCounts::default(); bands.n_bands()];
        for (score, fate) in self.scores.iter().zip(&self.fates) {
            let band = &mut counts[bands.band_of(*score)];
            band.rows += 1;
            band.actioned += u64::from(fate.is_actioned());
        }
        for (score, value) in self.outcomes() {
            counts[bands.band_of(score)].outcomes.add(value);
        }
        counts
    }

    /// Rows and positives of each band, where outcomes are amounts: for strike rates beside the mean amounts.
    pub(super) fn band_positives(&self, bands: &ScoreBands) -> Vec<u64> {
        let mut counts = vec![0; bands.n_bands()];
        for (score, fate) in self.scores.iter().zip(&self.fates) {
            counts[bands.band_of(*score)] += u64::from(*fate == Fate::Positive);
        }
        counts
    }

    /// The amounts of the positives of each band.
    pub(super) fn band_amounts(&self, bands: &ScoreBands) -> Option<Vec<Vec<f64>>> {
        let amounts = self.amounts.as_ref()?;
        let mut found = vec![Vec::new(); bands.n_bands()];
        let positives = self.scores.iter().zip(&self.fates).filter(|(_, fate)| **fate == Fate::Positive);
        for ((score, _), amount) in positives.zip(amounts) {
            found[bands.band_of(*score)].push(*amount);
        }
        Some(found)
    }

    /// The sum of the scores of the actioned rows with an outcome, and their number, by band: what a calibrated score promises.
    pub(super) fn band_scores(&self, bands: &ScoreBands) -> Vec<SampleMoments> {
        let mut sums = vec![SampleMoments::default(); bands.n_bands()];
        for (score, fate) in self.scores.iter().zip(&self.fates) {
            if fate.outcome().is_some() {
                sums[bands.band_of(*score)].add(*score);
            }
        }
        sums
    }

    /// Score and class of every actioned row whose outcome is known.
    fn known(&self) -> impl Iterator<Item = (f64, bool)> {
        self.scores.iter().zip(&self.fates).filter_map(|(score, fate)| Some((*score, fate.outcome()?)))
    }

    /// The ranking of the actioned rows with an outcome.
    pub(super) fn ranking(&self) -> Result<Ranking, Error> {
        let (scores, truth): (Vec<f64>, Vec<bool>) = self.known().unzip();
        Ok(Ranking::from_scores(&truth, &scores)?)
    }

    /// The same with a weight for each band.
    pub(super) fn weighted_ranking(&self, bands: &ScoreBands, weights: &[f64]) -> Result<Ranking, Error> {
        let (scores, truth): (Vec<f64>, Vec<bool>) = self.known().unzip();
        let weights: Vec<f64> = scores.iter().map(|score| weights[bands.band_of(*score)]).collect();
        Ok(Ranking::of(&ScoredSet::new(&truth, &scores)?.with_weight(&weights)?)?)
    }

    /// The ranking of each band.
    pub(super) fn band_rankings(&self, bands: &ScoreBands) -> Result<Vec<Ranking>, Error> {
        let mut rows: Vec<(Vec<bool>, Vec<f64>)> = vec![Default::default(); bands.n_bands()];
        for (score, is_positive) in self.known() {
            let (truth, scores) = &mut rows[bands.band_of(score)];
            truth.push(is_positive);
            scores.push(score);
        }
        rows.iter().map(|(truth, scores)| Ok(Ranking::from_scores(truth, scores)?)).collect()
    }
}

impl Cases {
    /// Takes over the rows of another part of the period.
    pub(super) fn append(&mut self, other: Cases) {
        self.scores.extend(other.scores);
        self.fates.extend(other.fates);
        if let (Some(own), Some(others)) = (&mut self.amounts, other.amounts) {
            own.extend(others);
        }
        self.unused_outcomes += other.unused_outcomes;
    }
}
