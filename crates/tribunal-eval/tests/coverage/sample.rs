//! One sample: the intervals of its figures and the population values that they should hold.

use tribunal_eval::influence::{BaseRate, Moments, RankedRows, Variance};
use tribunal_eval::intervals::{Interval, IntervalMethod, Level, Replicates, Sampled};
use tribunal_eval::metrics::{METRICS, Measure};
use tribunal_eval::significance::{Disagreement, InfluenceDifference};
use tribunal_eval::{Confusion, Cutoff, CutoffRule, Ranking, ResampledRows, Resampler, ScoredSet, Split};

use crate::design::{Design, Rows};
use crate::figures::{At, FIGURES, Figure};

/// The population of both models and the figures in it.
pub(crate) struct Population {
    rankings: [Ranking; 2],
    fixed_cutoffs: [f64; 2],
    /// Which samples the intervals are told to speak of.
    base_rate: BaseRate,
    /// The true values, in the order of the figures; `None` where the value depends on the cut-off that the sample chose.
    values: Vec<Option<f64>>,
}

/// An interval, what it should hold, and the intervals of the other methods that were tried.
#[derive(Clone, Copy)]
pub(crate) struct Judged {
    pub(crate) interval: Interval,
    pub(crate) truth: f64,
    pub(crate) rivals: [Option<Interval>; N_RIVALS],
}

/// Methods beside the default one.
pub(crate) const N_RIVALS: usize = 2;
pub(crate) const RIVALS: [&str; N_RIVALS] = ["Wald", "logit or log scale"];

/// Samples on which the other methods are tried.
pub(crate) const COMPARED_SAMPLES: u64 = 500;

/// Replicates of figures without a formula.
const N_REPLICATES: u64 = 200;

/// The measure of a figure; of a count of cases in a ranking of this weight.
fn measure(figure: &Figure, total: f64) -> Measure {
    let At::Count(share) = figure.at else {
        return figure.metric.parse().expect("a metric of the registry");
    };
    let metric =
        METRICS.iter().find(|metric| metric.stem() == figure.metric).expect("a metric of the registry");
    Measure::new(metric, Some(share * total)).expect("a count of cases")
}

fn rule(text: &str) -> CutoffRule {
    text.parse().expect("a rule")
}

impl Population {
    pub(crate) fn of(design: &Design) -> Self {
        let (rankings, fixed_cutoffs) = (design.populations(), design.fixed_cutoffs());
        let mut population = Self { rankings, fixed_cutoffs, base_rate: design.base_rate, values: vec![] };
        population.values = FIGURES.iter().map(|figure| population.value(figure)).collect();
        population
    }

    fn value(&self, figure: &Figure) -> Option<f64> {
        let measure = measure(figure, self.rankings[0].totals().total());
        let at_fixed = |model: usize| {
            let cells = Confusion::at_score(&self.rankings[model], self.fixed_cutoffs[model]);
            measure.of_confusion(&cells)
        };
        let of_model = |model: usize| measure.of_ranking(&self.rankings[model]).or_else(|| at_fixed(model));
        match figure.at {
            At::Difference => Some(of_model(0)?.ok()? - of_model(1)?.ok()?),
            At::Rule(text) if rule(text).is_chosen_on_the_data() => None,
            At::Rule(text) => measure.of_confusion(&rule(text).find(&self.rankings[0]).ok()?.confusion)?.ok(),
            _ => of_model(0)?.ok(),
        }
    }

    /// What new cases give at a cut-off that the sample chose.
    fn at(&self, cutoff: &Cutoff, measure: &Measure) -> Option<f64> {
        let population = &self.rankings[0];
        let cells = match cutoff.score {
            Some(score) => Confusion::at_score(population, score),
            None => Confusion::of(population, Split::default()),
        };
        measure.of_confusion(&cells)?.ok()
    }

    /// Expected cells of a sample at the cut-off that a rule chooses in the population.
    pub(crate) fn expected_cells(&self, text: &str, n_rows: usize) -> Confusion {
        let population = &self.rankings[0];
        let cells = rule(text).find(population).expect("both classes").confusion;
        let scale = n_rows as f64 / population.totals().total();
        let Confusion { tp, fp, fn_, tn } = cells;
        Confusion { tp: scale * tp, fp: scale * fp, fn_: scale * fn_, tn: scale * tn }
    }

    /// The intervals of some figures, given by their places, on one sample; `None` where a figure has no value or no interval.
    pub(crate) fn judge(&self, rows: &Rows, index: u64, wanted: &[usize]) -> Vec<(usize, Option<Judged>)> {
        let figures: Vec<&Figure> = wanted.iter().map(|&place| &FIGURES[place]).collect();
        let sample = Sample::of(rows, self.fixed_cutoffs, self.base_rate, &figures);
        let drawn = sample.drawn(index, &figures);
        let judged = |(place, figure): (usize, &&Figure)| {
            let truth = self.values[wanted[place]];
            let judged = match (&drawn[place], figure.at) {
                (Some(interval), _) => {
                    truth.map(|truth| Judged { interval: *interval, truth, rivals: [None; N_RIVALS] })
                }
                (None, At::Replicates) => None,
                (None, _) => self.judged(&sample, figure, truth, index < COMPARED_SAMPLES),
            };
            (wanted[place], judged)
        };
        figures.iter().enumerate().map(judged).collect()
    }

    fn judged(
        &self,
        sample: &Sample<'_>,
        figure: &Figure,
        truth: Option<f64>,
        is_compared: bool,
    ) -> Option<Judged> {
        let measure = measure(figure, sample.rankings[0].totals().total());
        if figure.at == At::Difference {
            let (interval, rival) = sample.difference(&measure)?;
            return Some(Judged { interval, truth: truth?, rivals: [rival, None] });
        }
        let cutoff = sample.cutoff(figure.at);
        let truth = truth.or_else(|| self.at(cutoff?, &measure))?;
        let interval = measure.interval(&sample.sampled(), cutoff).ok()?;
        let rivals = if is_compared { sample.rivals(&measure, cutoff) } else { [None; N_RIVALS] };
        Some(Judged { interval, truth, rivals })
    }
}

/// The rankings of a sample and the cut-offs found on them.
struct Sample<'a> {
    rows: &'a Rows,
    rankings: [Ranking; 2],
    base_rate: BaseRate,
    fixed: [Cutoff; 2],
    found: Vec<(At, Cutoff)>,
}

impl<'a> Sample<'a> {
    fn of(rows: &'a Rows, fixed_cutoffs: [f64; 2], base_rate: BaseRate, figures: &[&Figure]) -> Self {
        let rankings = rows.scores.each_ref().map(|scores| ranking(rows, scores));
        let fixed = [0, 1].map(|model: usize| {
            CutoffRule::Score(fixed_cutoffs[model]).find(&rankings[model]).expect("some rows")
        });
        let mut found: Vec<(At, Cutoff)> = vec![];
        for figure in figures {
            if let At::Rule(text) = figure.at
                && !found.iter().any(|(at, _)| *at == figure.at)
            {
                found.push((figure.at, rule(text).find(&rankings[0]).expect("both classes")));
            }
        }
        Self { rows, rankings, base_rate, fixed, found }
    }

    fn sampled(&self) -> Sampled<'_> {
        Sampled { base_rate: self.base_rate, ..Sampled::new(&self.rankings[0]) }
    }

    /// The intervals of figures without a formula, from replicates that they share.
    fn drawn(&self, index: u64, figures: &[&Figure]) -> Vec<Option<Interval>> {
        let measures: Vec<Option<Measure>> = figures
            .iter()
            .map(|figure| (figure.at == At::Replicates).then(|| measure(figure, 1.0)))
            .collect();
        if measures.iter().all(Option::is_none) {
            return vec![None; figures.len()];
        }
        let scores = vec![self.rows.scores[0].as_slice()];
        let rows = ResampledRows {
            weight: self.rows.weights.as_deref(),
            ..ResampledRows::new(&self.rows.truth, scores)
        };
        let resampler = Resampler::new(&rows).expect("both classes");
        let replicates: Vec<Ranking> = (0..N_REPLICATES)
            .map(|replicate| resampler.replicate(index, replicate, self.base_rate).remove(0))
            .collect();
        let positives = self.rows.truth.iter().filter(|&&positive| positive).count();
        let rarer = positives.min(self.rows.truth.len() - positives) as f64;
        let interval = |measure: &Measure| {
            let value = |ranking: &Ranking| measure.of_ranking(ranking)?.ok();
            let values = Replicates::new(replicates.iter().filter_map(value).collect()).ok()?;
            measure.drawn_interval(&values, value(&self.rankings[0])?, rarer, Level::P95).ok()
        };
        measures.iter().map(|measure| measure.as_ref().and_then(interval)).collect()
    }

    /// Estimate and standard error of the influence function, as everybody would write them: on the scale of the figure, and on
    /// the logit scale for figures between 0 and 1 or on the log scale for others above 0.
    fn rivals(&self, measure: &Measure, cutoff: Option<&Cutoff>) -> [Option<Interval>; N_RIVALS] {
        let of = || {
            let ranking = &self.rankings[0];
            let value = match cutoff {
                Some(cutoff) => measure.of_confusion(&cutoff.confusion)?.ok()?,
                None => measure.of_ranking(ranking)?.ok()?,
            };
            let influence = measure.influence(ranking, cutoff).ok()?;
            let values = influence
                .of_rows(&RankedRows::new(ranking, &self.rows.truth, &self.rows.scores[0]).ok()?)
                .ok()?;
            Some((value, self.standard_error(&values)))
        };
        let Some((x, error)) = of() else { return [None; N_RIVALS] };
        let z = Level::P95.z();
        let ends = |lower: f64, upper: f64| Interval {
            lower,
            upper,
            level: Level::P95,
            method: IntervalMethod::Wald,
        };
        let scaled = match measure.metric.range {
            (0.0, 1.0) if x > 0.0 && x < 1.0 => {
                let (odds, step) = (x / (1.0 - x), (z * error / (x * (1.0 - x))).exp());
                Some(ends(odds / step / (1.0 + odds / step), odds * step / (1.0 + odds * step)))
            }
            (0.0, high) if high > 1.0 && x > 0.0 => {
                let step = (z * error / x).exp();
                Some(ends(x / step, x * step))
            }
            _ => None,
        };
        [Some(ends(x - z * error, x + z * error)), scaled]
    }

    fn standard_error(&self, values: &[f64]) -> f64 {
        let all = Split { positive: 1.0, negative: 1.0 };
        let moments = Moments::of_values(&self.rows.truth, values, self.rows.weights.as_deref(), all);
        Variance::of(&moments, self.base_rate).standard_error()
    }

    fn cutoff(&self, at: At) -> Option<&Cutoff> {
        match at {
            At::FixedCutoff => Some(&self.fixed[0]),
            _ => self.found.iter().find(|(found, _)| *found == at).map(|(_, cutoff)| cutoff),
        }
    }

    /// The interval that a comparison of two models shows, and the normal one.
    fn difference(&self, measure: &Measure) -> Option<(Interval, Option<Interval>)> {
        if measure.metric.id == "pcc" && self.rows.weights.is_none() && self.base_rate == BaseRate::Random {
            return Some((self.paired_proportions()?, None));
        }
        let fixed = |model: usize| measure.of_confusion(&self.fixed[model].confusion);
        let shown = |model: usize| measure.of_ranking(&self.rankings[model]).or_else(|| fixed(model))?.ok();
        let less_chance = |model: usize| measure.less_chance(&self.rankings[model], shown(model)?);
        // Where chance alone explains both calibration errors, their difference is not tested.
        let is_chance = |model: usize| {
            let sampled = Sampled { base_rate: self.base_rate, ..Sampled::new(&self.rankings[model]) };
            less_chance(model).is_some()
                && measure.interval(&sampled, None).is_ok_and(|interval| interval.lower <= 0.0)
        };
        if is_chance(0) && is_chance(1) {
            return None;
        }
        let value = |model: usize| less_chance(model).or_else(|| shown(model));
        let [one, other] = [0, 1].map(|model| self.influence_values(measure, model));
        let values: Vec<f64> = one?.iter().zip(&other?).map(|(a, b)| a - b).collect();
        let all = Split { positive: 1.0, negative: 1.0 };
        let compared = InfluenceDifference {
            difference: value(0)? - value(1)?,
            moments: Moments::of_values(&self.rows.truth, &values, self.rows.weights.as_deref(), all),
            base_rate: self.base_rate,
            one_case: measure.one_case(&self.rankings[0], None),
        };
        let step = Level::P95.z() * self.standard_error(&values);
        let (lower, upper) = (compared.difference - step, compared.difference + step);
        let normal = Interval { lower, upper, level: Level::P95, method: IntervalMethod::Wald };
        Some((compared.test(Level::P95).effect.interval, Some(normal)))
    }

    fn influence_values(&self, measure: &Measure, model: usize) -> Option<Vec<f64>> {
        let ranking = &self.rankings[model];
        let rows = RankedRows::new(ranking, &self.rows.truth, &self.rows.scores[model]).expect("as long");
        measure.influence(ranking, Some(&self.fixed[model])).ok()?.of_rows(&rows).ok()
    }

    fn paired_proportions(&self) -> Option<Interval> {
        let [first, second] = [0, 1].map(|model: usize| {
            let cut = self.fixed[model].score.unwrap_or(f64::INFINITY);
            let scores = self.rows.scores[model].iter().zip(&self.rows.truth);
            scores.map(|(&score, &positive)| (score >= cut) == positive).collect::<Vec<bool>>()
        });
        let disagreement = Disagreement::count(first.into_iter().zip(second)).ok()?;
        Some(disagreement.paired_proportions(Level::P95).times(-1.0).effect.interval)
    }
}

fn ranking(rows: &Rows, scores: &[f64]) -> Ranking {
    let set = ScoredSet::new(&rows.truth, scores).expect("finite scores");
    let set = match &rows.weights {
        Some(weights) => set.with_weight(weights).expect("positive weights"),
        None => set,
    };
    Ranking::of(&set).expect("few rows")
}
