//! A period by itself: its rows in bands, and the figures that need no other period.

use tribunal_eval::intervals::{
    Interval, Level, NoInterval, Proportion, Replicates, Sampled, bootstrap_percentile, wilson,
};
use tribunal_eval::metrics::Measure;
use tribunal_eval::monitoring::{
    BandCounts, PeriodSample, StrikeRateFactors, auroc_within_bands, join_bands_without,
};
use tribunal_eval::significance::SampleMoments;
use tribunal_eval::{Ranking, ScoreBands};
use tribunal_random::Random;

use super::cases::{Cases, Fate};
use super::results::{BandFigures, MonitorRow, PeriodFacts};
use crate::error::Error;

/// A period and its counts.
pub(super) struct Period {
    pub(super) facts: PeriodFacts,
    pub(super) cases: Cases,
    /// Rows, actioned and outcomes (0 and 1, or amounts) of each band.
    pub(super) counts: Vec<BandCounts>,
    /// The same with outcomes 0 and 1.
    pub(super) binary: Vec<BandCounts>,
    amounts: Option<Vec<Vec<f64>>>,
    mean_scores: Vec<SampleMoments>,
}

/// What is drawn, and at which level intervals are stated.
#[derive(Clone, Copy)]
pub(super) struct Drawing {
    pub(super) level: Level,
    pub(super) replicates: usize,
    pub(super) seed: u64,
}

impl Period {
    pub(super) fn new(facts: PeriodFacts, cases: Cases, bands: &ScoreBands) -> Self {
        let counts = cases.band_counts(bands);
        let of_positives = |(band, positives): (&BandCounts, u64)| BandCounts {
            outcomes: SampleMoments::counts(band.outcomes.rows, positives),
            ..*band
        };
        let binary = counts.iter().zip(cases.band_positives(bands)).map(of_positives).collect();
        let facts = PeriodFacts {
            rows: cases.n_rows(),
            actioned: cases.count(Fate::is_actioned),
            outcomes: cases.count(|fate| fate.outcome().is_some()),
            positives: cases.count(|fate| fate == Fate::Positive),
            ..facts
        };
        let (amounts, mean_scores) = (cases.band_amounts(bands), cases.band_scores(bands));
        Period { facts, cases, counts, binary, amounts, mean_scores }
    }

    /// Whether there are rows that were not acted on.
    pub(super) fn has_population(&self) -> bool {
        self.facts.actioned < self.facts.rows
    }

    pub(super) fn has_amounts(&self) -> bool {
        self.amounts.is_some()
    }

    /// Its rows in joined bands, to be drawn again.
    pub(super) fn sample(
        &self,
        joined: &tribunal_eval::monitoring::JoinedBands,
    ) -> Result<PeriodSample, Error> {
        let counts = joined.counts(&self.counts);
        let Some(amounts) = &self.amounts else { return Ok(PeriodSample::of_counts(&counts)) };
        let of_run = |run: &std::ops::Range<usize>| amounts[run.clone()].concat();
        Ok(PeriodSample::of_amounts(&counts, joined.runs().iter().map(of_run).collect())?)
    }

    /// What it has in each band.
    pub(super) fn band_figures(&self, labels: &[String], level: Level) -> Vec<BandFigures> {
        let row = |(at, label): (usize, &String)| {
            let (counts, binary) = (&self.counts[at], &self.binary[at].outcomes);
            let interval =
                Proportion::new(binary.sum, binary.rows as f64).map(|share| wilson(share, level)).ok();
            BandFigures {
                period: self.facts.period.clone(),
                band: label.clone(),
                rows: counts.rows,
                share: counts.rows as f64 / self.facts.rows.max(1) as f64,
                actioned: counts.actioned,
                action_rate: (counts.rows > 0).then(|| counts.actioned as f64 / counts.rows as f64),
                outcomes: binary.rows,
                positives: binary.sum as u64,
                strike_rate: binary.mean(),
                lower: interval.map(|interval| interval.lower),
                upper: interval.map(|interval| interval.upper),
                mean_score: self.mean_scores[at].mean(),
                mean_amount: counts.outcomes.mean().filter(|_| self.has_amounts()),
            }
        };
        labels.iter().enumerate().map(row).collect()
    }

    /// The figures that need no other period.
    pub(super) fn figures(
        &self,
        bands: &ScoreBands,
        model: &str,
        drawing: Drawing,
    ) -> Result<Vec<MonitorRow>, Error> {
        let rows = Rows { model, facts: &self.facts, level: drawing.level };
        let facts = &self.facts;
        let mut found =
            vec![rows.share("strike_rate", facts.positives, facts.outcomes, "no outcome is known")];
        found.extend(self.has_amounts().then(|| self.mean_amount(&rows)));
        found.push(rows.share("action_rate", facts.actioned, facts.rows, "there are no rows"));
        found.extend(self.post_stratified(&rows, drawing));
        found.extend(self.rankings(bands, &rows)?);
        Ok(found)
    }

    fn mean_amount(&self, rows: &Rows<'_>) -> MonitorRow {
        let all = self.counts.iter().fold(SampleMoments::default(), |sum, band| sum.plus(band.outcomes));
        let n = all.rows as f64;
        let row = rows.plain("mean_amount", all.rows, all.mean().ok_or("no outcome is known"));
        let Some(mean) = all.mean().filter(|_| all.rows > 1) else { return row };
        let variance = ((all.squares - n * mean * mean) / (n - 1.0)).max(0.0);
        let half_width = rows.level.z() * (variance / n).sqrt();
        rows.with(row, mean - half_width, mean + half_width, "normal")
    }

    /// Rates of bands by the population's shares, with and without amounts.
    fn post_stratified(&self, rows: &Rows<'_>, drawing: Drawing) -> Vec<MonitorRow> {
        let n = self.facts.outcomes;
        let binary = ("post_stratified_strike_rate", &self.binary, PeriodSample::of_counts(&self.binary));
        let amounts =
            self.amounts.clone().and_then(|amounts| PeriodSample::of_amounts(&self.counts, amounts).ok());
        let amounts = amounts.map(|sample| ("post_stratified_mean_amount", &self.counts, sample));
        let row = |(id, counts, sample): (&str, &Vec<BandCounts>, PeriodSample)| {
            let runs =
                join_bands_without(counts.len(), |run| counts[run].iter().any(|band| band.outcomes.rows > 0));
            let value = |bands: &[BandCounts]| {
                let joined = runs.counts(bands);
                let known = joined.iter().any(|band| band.outcomes.rows > 0);
                known.then(|| StrikeRateFactors::filled(&joined, &[]).post_stratified())
            };
            let row = rows.plain(id, n, value(counts).ok_or("no outcome is known"));
            let drawn = (0..drawing.replicates as u64).filter_map(|replicate| {
                value(
                    &sample
                        .draw(&mut Random::derived(drawing.seed, &[u64::from(id.len() as u32), replicate])),
                )
            });
            match row.estimate.and_then(|_| Replicates::new(drawn.collect()).ok()) {
                Some(replicates) => {
                    let interval = bootstrap_percentile(&replicates, drawing.level);
                    rows.with(row, interval.lower, interval.upper, "bootstrap_percentile")
                }
                None => row,
            }
        };
        [Some(binary), amounts].into_iter().flatten().map(row).collect()
    }

    /// How well the score orders cases, and whether it is calibrated.
    fn rankings(&self, bands: &ScoreBands, rows: &Rows<'_>) -> Result<Vec<MonitorRow>, Error> {
        let plain = self.cases.ranking()?;
        let weighted = self.cases.weighted_ranking(bands, &self.weights())?;
        let n = self.facts.outcomes;
        let within = match auroc_within_bands(&self.cases.band_rankings(bands)?) {
            Ok(found) => {
                let row = rows.plain("auroc_within_bands", n, Ok(found.auroc));
                let interval = found.interval(rows.level);
                rows.with(row, interval.lower, interval.upper, "delong")
            }
            Err(error) => rows.plain("auroc_within_bands", n, Err(&error.to_string())),
        };
        Ok(vec![
            rows.of_ranking("auroc", "auroc", &weighted),
            within,
            rows.of_ranking("auroc_actioned", "auroc", &plain),
            rows.of_ranking("calibration_intercept", "calibration_intercept", &plain),
            rows.of_ranking("calibration_slope", "calibration_slope", &plain),
        ])
    }

    /// How many rows of the population a row with a known outcome stands for, by band.
    fn weights(&self) -> Vec<f64> {
        let counts = &self.counts;
        let runs =
            join_bands_without(counts.len(), |run| counts[run].iter().any(|band| band.outcomes.rows > 0));
        let mut weights = vec![1.0; counts.len()];
        for (run, joined) in runs.runs().iter().zip(runs.counts(counts)) {
            if joined.outcomes.rows > 0 {
                weights[run.clone()].fill(joined.rows as f64 / joined.outcomes.rows as f64);
            }
        }
        weights
    }
}

/// Makes rows of a period.
pub(super) struct Rows<'a> {
    pub(super) model: &'a str,
    pub(super) facts: &'a PeriodFacts,
    pub(super) level: Level,
}

impl Rows<'_> {
    /// A figure without an interval, or why it has no value.
    pub(super) fn plain(&self, metric: &str, n: u64, value: Result<f64, &str>) -> MonitorRow {
        MonitorRow {
            model: self.model.to_owned(),
            period: self.facts.period.clone(),
            metric: metric.to_owned(),
            estimate: value.ok(),
            lower: None,
            upper: None,
            level: None,
            method: None,
            n,
            undefined: value.err().map(str::to_owned),
        }
    }

    /// The same with an interval.
    pub(super) fn with(&self, row: MonitorRow, lower: f64, upper: f64, method: &str) -> MonitorRow {
        let (level, method) = (Some(self.level.get()), Some(method.to_owned()));
        MonitorRow { lower: Some(lower), upper: Some(upper), level, method, ..row }
    }

    fn share(&self, metric: &str, part: u64, whole: u64, otherwise: &str) -> MonitorRow {
        match Proportion::new(part as f64, whole as f64) {
            Ok(share) => {
                let interval = wilson(share, self.level);
                self.with(
                    self.plain(metric, whole, Ok(share.share())),
                    interval.lower,
                    interval.upper,
                    "wilson",
                )
            }
            Err(_) => self.plain(metric, whole, Err(otherwise)),
        }
    }

    fn of_ranking(&self, id: &str, metric: &str, ranking: &Ranking) -> MonitorRow {
        let n = ranking.n_rows() as u64;
        let Ok(measure) = metric.parse::<Measure>() else {
            return self.plain(id, n, Err("the metric is not known"));
        };
        let Some(value) = measure.of_ranking(ranking) else {
            return self.plain(id, n, Err("the metric needs more than a ranking"));
        };
        let row = match &value {
            Ok(value) => self.plain(id, n, Ok(*value)),
            Err(reason) => return self.plain(id, n, Err(&reason.to_string())),
        };
        let sampled = Sampled { level: self.level, ..Sampled::new(ranking) };
        let interval: Result<Interval, NoInterval> = measure.interval(&sampled, None);
        match interval {
            Ok(interval) => {
                let method = interval.method.name().to_owned();
                self.with(row, interval.lower, interval.upper, &method)
            }
            Err(_) => row,
        }
    }
}
