//! One sample: the intervals of its figures and the population values that they should hold.

use tribunal_eval::influence::{BaseRate, Moments, RankedRows};
use tribunal_eval::intervals::{Interval, Level, Sampled};
use tribunal_eval::metrics::{METRICS, Measure};
use tribunal_eval::significance::{Disagreement, InfluenceDifference};
use tribunal_eval::{Confusion, Cutoff, CutoffRule, Ranking, ScoredSet, Split};

use crate::design::{Design, Rows};
use crate::figures::{At, Figure};

/// The population of both models and the figures in it.
pub(crate) struct Population {
    rankings: [Ranking; 2],
    fixed_cutoffs: [f64; 2],
    /// The true values, in the order of the figures; `None` where the value depends on the cut-off that the sample chose.
    values: Vec<Option<f64>>,
}

/// An interval and what it should hold.
#[derive(Clone, Copy)]
pub(crate) struct Judged {
    pub(crate) interval: Interval,
    pub(crate) truth: f64,
}

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
    pub(crate) fn of(design: &Design, figures: &[Figure]) -> Self {
        let models = design.models();
        let rankings = models.map(|model| model.population());
        let fixed_cutoffs = models.map(|model| model.fixed_cutoff());
        let mut population = Self { rankings, fixed_cutoffs, values: vec![] };
        population.values = figures.iter().map(|figure| population.value(figure)).collect();
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

    /// The intervals of all figures on one sample; `None` where a figure has no value or no interval.
    pub(crate) fn judge(&self, rows: &Rows, figures: &[Figure]) -> Vec<Option<Judged>> {
        let sample = Sample::of(rows, self.fixed_cutoffs, figures);
        figures.iter().zip(&self.values).map(|(figure, truth)| self.judged(&sample, figure, *truth)).collect()
    }

    fn judged(&self, sample: &Sample<'_>, figure: &Figure, truth: Option<f64>) -> Option<Judged> {
        let measure = measure(figure, sample.rankings[0].totals().total());
        if figure.at == At::Difference {
            return Some(Judged { interval: sample.difference(&measure)?, truth: truth? });
        }
        let cutoff = sample.cutoff(figure.at);
        let truth = truth.or_else(|| self.at(cutoff?, &measure))?;
        let interval = measure.interval(&Sampled::new(&sample.rankings[0]), cutoff).ok()?;
        Some(Judged { interval, truth })
    }
}

/// The rankings of a sample and the cut-offs found on them.
struct Sample<'a> {
    rows: &'a Rows,
    rankings: [Ranking; 2],
    fixed: [Cutoff; 2],
    found: Vec<(At, Cutoff)>,
}

impl<'a> Sample<'a> {
    fn of(rows: &'a Rows, fixed_cutoffs: [f64; 2], figures: &[Figure]) -> Self {
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
        Self { rows, rankings, fixed, found }
    }

    fn cutoff(&self, at: At) -> Option<&Cutoff> {
        match at {
            At::FixedCutoff => Some(&self.fixed[0]),
            _ => self.found.iter().find(|(found, _)| *found == at).map(|(_, cutoff)| cutoff),
        }
    }

    /// The interval that a comparison of two models shows.
    fn difference(&self, measure: &Measure) -> Option<Interval> {
        if measure.metric.id == "pcc" && self.rows.weights.is_none() {
            return self.paired_proportions();
        }
        let fixed = |model: usize| measure.of_confusion(&self.fixed[model].confusion);
        let value = |model: usize| measure.of_ranking(&self.rankings[model]).or_else(|| fixed(model))?.ok();
        let [one, other] = [0, 1].map(|model| self.influence_values(measure, model));
        let values: Vec<f64> = one?.iter().zip(&other?).map(|(a, b)| a - b).collect();
        let all = Split { positive: 1.0, negative: 1.0 };
        let weights = self.rows.weights.as_deref();
        let compared = InfluenceDifference {
            difference: value(0)? - value(1)?,
            moments: Moments::of_values(&self.rows.truth, &values, weights, all),
            base_rate: BaseRate::Random,
            one_case: measure.one_case(&self.rankings[0], None),
        };
        Some(compared.test(Level::P95).effect.interval)
    }

    fn influence_values(&self, measure: &Measure, model: usize) -> Option<Vec<f64>> {
        let ranking = &self.rankings[model];
        let rows = RankedRows::new(ranking, &self.rows.truth, &self.rows.scores[model]).expect("as long");
        Some(measure.influence(ranking, Some(&self.fixed[model])).ok()?.of_rows(&rows))
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
