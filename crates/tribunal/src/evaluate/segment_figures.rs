//! Every figure in each segment of the cases, at the cut-offs of the whole list: because those are what is deployed.
//!
//! Segments are independent samples, so whether a figure differs among them is tested by the variances of its influence function
//! ([`homogeneity`](tribunal_eval::significance::homogeneity)). References: Welch (1951); Holm (1979).

use rayon::prelude::*;
use tribunal_eval::intervals::Sampled;
use tribunal_eval::metrics::{Better, Measure, Spread, precision, sensitivity};
use tribunal_eval::significance::GroupFigure;
use tribunal_eval::{Cutoff, CutoffRule, ListPart, Ranking};

use super::amount_rows::amount_rows;
use super::fold_tests::FoldDesign;
use super::gather::{Amounts, Model};
use super::measure::{Report, answers_of};
use super::questions::{Found, Question, Questions};
use super::request::EvaluateRequest;
use super::rows::Figures;
use super::segment_tests::{Group, TestedFigure, adjust_over_models};
use crate::results::MetricRow;
use crate::segment_results::{
    Segment, SegmentAgainstRest, SegmentCutoff, SegmentDecisions, SegmentFigure, SegmentResults,
    SegmentShare, SegmentTest,
};

/// What the figures of segments are made from.
pub(super) struct SegmentFigures<'a> {
    pub(super) models: &'a [Model],
    pub(super) reports: &'a [Report],
    /// The labels of each segment.
    pub(super) labels: &'a [Vec<String>],
    /// In which order they are told ([`in_order`]).
    pub(super) order: Vec<usize>,
    pub(super) design: &'a FoldDesign,
    pub(super) request: &'a EvaluateRequest,
    /// The metric by which models are ranked.
    pub(super) deciding: &'a str,
    /// What acting on the lists does in the segments, where somebody asked.
    pub(super) decisions: Option<SegmentDecisions>,
}

/// The rows of a model in a segment, and the cut-offs of the whole list there.
struct ModelPart<'a> {
    ranking: &'a Ranking,
    questions: Questions,
    cutoffs: Vec<Found>,
}

impl SegmentFigures<'_> {
    /// Everything about the segments; nothing where no columns make any.
    pub(super) fn results(&self) -> Option<SegmentResults> {
        let first = self.models.first().filter(|_| !self.labels.is_empty())?;
        let order = &self.order;
        let parts: Vec<Vec<ModelPart<'_>>> = (self.models.iter().zip(self.reports))
            .map(|(model, report)| {
                order.iter().map(|&place| self.part(model, report, &model.segments[place])).collect()
            })
            .collect();
        let segments = order.iter().map(|&place| segment(&self.labels[place], &first.segments[place]));
        Some(SegmentResults {
            columns: self.request.columns.by.clone(),
            segments: segments.collect(),
            figures: self.figures(&parts),
            cutoffs: self.cutoffs(&parts),
            tests: self.tests(&parts),
            against_rest: self.against_rest(&parts),
            decisions: self.decisions.clone(),
        })
    }

    /// A part of a model's list with the cut-offs of the whole.
    fn part<'m>(&self, model: &Model, report: &Report, ranking: &'m Ranking) -> ModelPart<'m> {
        let whole = &model.ranking;
        // Where a cross-validation was repeated, the list of the cases is that of one repetition.
        let n_repetitions = self.design.n_times_each_case(&model.folds) as f64;
        let part = ListPart::new(ranking.totals().total(), whole.totals().total() / n_repetitions);
        let common = |found: &Found| found.as_ref().map_err(Clone::clone)?.in_part(whole, ranking);
        ModelPart {
            ranking,
            questions: report.questions.inside(part),
            cutoffs: report.cutoffs.iter().map(common).collect(),
        }
    }

    fn sampled<'r>(&self, ranking: &'r Ranking) -> Sampled<'r> {
        Sampled { ranking, level: self.request.level, base_rate: self.request.base_rate }
    }

    fn figures(&self, parts: &[Vec<ModelPart<'_>>]) -> Vec<SegmentFigure> {
        let amount_metrics = self.request.amount_measures();
        let of_model = |(model, of_model): (usize, &Vec<ModelPart<'_>>)| {
            let figures = Figures {
                model: &self.models[model],
                report: &self.reports[model],
                folds: &[],
                design: self.design,
                level: self.request.level,
                intervals: self.request.intervals,
                amount_metrics: &amount_metrics,
                spread: None,
                fold_spreads: &[],
                standings: &[],
            };
            let amounts = self.models[model].amounts.as_ref();
            let of_part = |(place, part): (usize, &ModelPart<'_>)| {
                let answers = answers_of(&part.questions, part.ranking, &part.cutoffs, self.request);
                let mut rows = figures.of_ranking(part.ranking, &answers, None);
                if let Some(amounts) = amounts {
                    let level = self.request.intervals.then_some(self.request.level);
                    let own = amounts_of(amounts, self.order[place]);
                    let rows_of_amounts = amount_rows(&figures.model.name, &own, &amount_metrics, level);
                    rows.extend(rows_of_amounts.into_iter().map(|(_, row)| row));
                }
                let figure = |row: MetricRow| SegmentFigure::of(place, row);
                rows.into_iter().map(figure).collect::<Vec<_>>()
            };
            of_model.par_iter().enumerate().flat_map_iter(of_part).collect::<Vec<_>>()
        };
        parts.iter().enumerate().flat_map(of_model).collect()
    }

    /// What each cut-off of the whole list does in each segment.
    fn cutoffs(&self, parts: &[Vec<ModelPart<'_>>]) -> Vec<SegmentCutoff> {
        let of_model = |(model, of_model): (usize, &Vec<ModelPart<'_>>)| {
            let (report, name) = (&self.reports[model], &self.models[model].name);
            let of_rule = |(place, asked): (usize, CutoffRule)| {
                let of_segment = move |(segment, part): (usize, &ModelPart<'_>)| {
                    let cutoff = part.cutoffs[place].as_ref().ok()?;
                    Some(self.segment_cutoff(part.ranking, cutoff, (name, asked, segment)))
                };
                of_model.iter().enumerate().filter_map(of_segment).collect::<Vec<_>>()
            };
            report.questions.rules.iter().copied().enumerate().flat_map(of_rule).collect::<Vec<_>>()
        };
        parts.iter().enumerate().flat_map(of_model).collect()
    }

    fn segment_cutoff(
        &self,
        ranking: &Ranking,
        cutoff: &Cutoff,
        (model, asked, segment): (&str, CutoffRule, usize),
    ) -> SegmentCutoff {
        let sampled = self.sampled(ranking);
        let share_of = |metric| {
            let Ok(measure) = Measure::new(metric, None) else { return SegmentShare::default() };
            let estimate = measure.of_confusion(&cutoff.confusion).and_then(Result::ok);
            let interval = || measure.interval(&sampled, Some(cutoff)).ok();
            SegmentShare::new(estimate, self.request.intervals.then(interval).flatten())
        };
        let interval = || cutoff.share_interval(&sampled).ok();
        SegmentCutoff {
            model: model.to_owned(),
            asked,
            score: cutoff.score,
            segment,
            confusion: cutoff.confusion,
            share: SegmentShare::new(Some(cutoff.share), self.request.intervals.then(interval).flatten()),
            precision: share_of(&precision::METRIC),
            recall: share_of(&sensitivity::METRIC),
        }
    }

    /// For each figure that can be tested whether it differs among the segments.
    fn tests(&self, parts: &[Vec<ModelPart<'_>>]) -> Vec<SegmentTest> {
        let Some(first) = self.reports.first() else { return Vec::new() };
        let questions = (0..first.questions.all.len()).into_par_iter();
        let mut tests: Vec<SegmentTest> =
            questions.flat_map_iter(|question| self.test_question(question, parts)).collect();
        let place = |test: &SegmentTest| self.models.iter().position(|model| model.name == test.model);
        tests.sort_by_key(place);
        tests
    }

    /// The test of one figure of each model.
    fn test_question(&self, question: usize, parts: &[Vec<ModelPart<'_>>]) -> Vec<SegmentTest> {
        let of_model = |(model, parts): (usize, &Vec<ModelPart<'_>>)| {
            let asked = *self.reports[model].questions.all.get(question).filter(|asked| is_tested(asked))?;
            let groups: Vec<_> = parts.iter().map(|part| self.group_figure(part, &asked)).collect();
            Some(self.tested(model, &asked).among(&groups))
        };
        let mut tests: Vec<SegmentTest> = parts.iter().enumerate().filter_map(of_model).collect();
        adjust_over_models(&mut tests);
        tests
    }

    fn tested(&self, model: usize, asked: &Question) -> TestedFigure {
        TestedFigure {
            model: self.models[model].name.clone(),
            metric: asked.measure.to_string(),
            cutoff: asked.rule,
            better: asked.measure.metric.better,
        }
    }

    /// A figure of the cases of a part, with what a test needs.
    fn group_figure(&self, part: &ModelPart<'_>, asked: &Question) -> Group {
        let cutoff = match part.questions.cutoff(asked, &part.cutoffs) {
            Some(Ok(cutoff)) => Some(cutoff),
            Some(Err(reason)) => return Err(reason.clone().into()),
            None => None,
        };
        let measure = asked.measure.inside(part.questions.part);
        GroupFigure::of(&measure, &self.sampled(part.ranking), cutoff)
    }

    /// Segments against all other cases, by the deciding metric.
    fn against_rest(&self, parts: &[Vec<ModelPart<'_>>]) -> Vec<SegmentAgainstRest> {
        let of_model = |(model, parts): (usize, &Vec<ModelPart<'_>>)| {
            let asked = self.deciding_question(&self.reports[model].questions);
            asked.map_or_else(Vec::new, |asked| self.model_against_rest(model, parts, &asked))
        };
        parts.iter().enumerate().flat_map(of_model).collect()
    }

    /// The question of the deciding metric; the first that has a direction, where models are ranked by something else.
    fn deciding_question(&self, questions: &Questions) -> Option<Question> {
        let has_direction = |asked: &&Question| {
            is_tested(asked) && matches!(asked.measure.metric.better, Better::Higher | Better::Lower)
        };
        let mut asked = questions.all.iter().filter(has_direction);
        let deciding = asked.clone().find(|asked| asked.measure.to_string() == self.deciding);
        deciding.or_else(|| asked.next()).copied()
    }

    fn model_against_rest(
        &self,
        model: usize,
        parts: &[ModelPart<'_>],
        asked: &Question,
    ) -> Vec<SegmentAgainstRest> {
        let groups: Vec<Group> = parts.iter().map(|part| self.group_figure(part, asked)).collect();
        let (own, report, tested) = (&self.models[model], &self.reports[model], self.tested(model, asked));
        let Ok(whole) = self.group_figure(&self.part(own, report, &own.ranking), asked) else {
            return Vec::new();
        };
        let rest = |place: usize| {
            let rest = self.rest(model, place)?;
            Some((place, self.group_figure(&self.part(own, report, &rest), asked).ok()?))
        };
        let rests = tested.shortfalls(&groups, whole).into_par_iter().filter_map(rest).collect();
        tested.against_rest(&groups, rests, self.request.level)
    }

    /// All cases of a model but those of a segment.
    fn rest(&self, model: usize, segment: usize) -> Option<Ranking> {
        let others = self.order.iter().enumerate().filter(|(place, _)| *place != segment);
        Ranking::merge_all(others.map(|(_, &place)| self.models[model].segments[place].clone())).ok()
    }
}

/// Whether a figure can be tested and says something of the model.
fn is_tested(asked: &Question) -> bool {
    let metric = asked.measure.metric;
    let has_influence =
        matches!(metric.spread, Spread::Share(_) | Spread::Cells(_) | Spread::Influence { .. });
    has_influence && metric.better != Better::Neither && !metric.is_inflated_by_chance()
}

fn segment(labels: &[String], ranking: &Ranking) -> Segment {
    Segment {
        labels: labels.to_vec(),
        rows: ranking.n_rows() as u64,
        positives: ranking.positives().rows as u64,
        base_rate: ranking.base_rate().ok(),
    }
}

/// The segments by their labels, whatever the order in which they were met: numbers by size, before texts.
pub(super) fn in_order(labels: &[Vec<String>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..labels.len()).collect();
    let number = |label: &str| label.parse::<f64>().ok().filter(|number| number.is_finite());
    let compare = |a: &String, b: &String| match (number(a), number(b)) {
        (Some(one), Some(other)) => one.total_cmp(&other).then_with(|| a.cmp(b)),
        (one, other) => one.is_none().cmp(&other.is_none()).then_with(|| a.cmp(b)),
    };
    order.sort_by(|&a, &b| {
        let columns = labels[a].iter().zip(&labels[b]).map(|(a, b)| compare(a, b));
        columns.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
    });
    order
}

/// The amounts of the rows of a segment.
fn amounts_of(amounts: &Amounts, segment: usize) -> Amounts {
    let rows: Vec<usize> =
        (0..amounts.segment.len()).filter(|&row| amounts.segment[row] as usize == segment).collect();
    let pick = |column: &[f64]| rows.iter().map(|&row| column[row]).collect();
    Amounts {
        actual: pick(&amounts.actual),
        predicted: pick(&amounts.predicted),
        weight: pick(&amounts.weight),
        segment: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_stand_in_the_order_of_their_labels() {
        let labels: Vec<Vec<String>> = [["10", "b"], ["9", "z"], ["x", "a"], ["10", "a"], ["", "a"]]
            .map(|labels| labels.map(str::to_owned).to_vec())
            .to_vec();
        assert_eq!(in_order(&labels), [1, 3, 0, 4, 2]);
    }
}
