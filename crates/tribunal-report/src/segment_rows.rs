//! The tidy rows of segments as CSV: every figure (scope `segment`), what the common cut-offs flag (`share_flagged`), tests over
//! all segments (scope `segments`), and segments against all other cases (versus `rest`).

use tribunal::{
    SegmentAgainstRest, SegmentCutoff, SegmentDecision, SegmentFigure, SegmentResults, SegmentTest,
};
use tribunal_eval::decisions::IntervalEstimate;
use tribunal_eval::intervals::IntervalMethod;

use crate::csv_rows::{number, shown};
use crate::segments::segment_name;

/// The cells of a row by their columns; what is not set is empty.
#[derive(Default)]
struct Row {
    model: String,
    versus: &'static str,
    metric: String,
    scope: &'static str,
    segment: String,
    cutoff: String,
    estimate: Option<f64>,
    ends: [Option<f64>; 2],
    level: Option<f64>,
    method: String,
    n: String,
    p: Option<f64>,
    p_adjusted: Option<f64>,
    undefined: String,
    no_interval: String,
}

impl Row {
    /// In the order of the header.
    fn cells(self) -> [String; 19] {
        [
            self.model,
            self.versus.to_owned(),
            self.metric,
            self.scope.to_owned(),
            String::new(),
            self.segment,
            self.cutoff,
            number(self.estimate),
            String::new(),
            number(self.ends[0]),
            number(self.ends[1]),
            number(self.level),
            self.method,
            self.n,
            String::new(),
            number(self.p),
            number(self.p_adjusted),
            self.undefined,
            self.no_interval,
        ]
    }
}

/// All rows of the segments.
pub(crate) fn rows(results: &SegmentResults) -> Vec<[String; 19]> {
    let name = |place: usize| results.segments.get(place).map(segment_name).unwrap_or_default();
    let figure = |figure: &SegmentFigure| Row {
        model: figure.model.clone(),
        metric: figure.metric.clone(),
        scope: "segment",
        segment: name(figure.segment),
        cutoff: shown(&figure.cutoff),
        estimate: figure.estimate,
        ends: [figure.lower, figure.upper],
        level: figure.level,
        method: shown(&figure.method.map(IntervalMethod::name)),
        n: figure.n.to_string(),
        undefined: shown(&figure.undefined),
        no_interval: shown(&figure.no_interval),
        ..Row::default()
    };
    let cutoff = |cutoff: &SegmentCutoff| Row {
        model: cutoff.model.clone(),
        metric: "share_flagged".into(),
        scope: "segment",
        segment: name(cutoff.segment),
        cutoff: cutoff.asked.to_string(),
        estimate: cutoff.share.estimate,
        ends: [cutoff.share.lower, cutoff.share.upper],
        n: results.segments.get(cutoff.segment).map(|segment| segment.rows.to_string()).unwrap_or_default(),
        ..Row::default()
    };
    let decision = |decision: &SegmentDecision| {
        let figures = [Some(&decision.hits), decision.amount.as_ref(), decision.profit.as_ref()];
        let names = ["share_acted_on", "hits", "amount", "profit"];
        let n = results.segments.get(decision.segment).map(|segment| segment.rows.to_string());
        let row = |(metric, figure): (&str, Option<&IntervalEstimate>)| {
            let figure = figure?;
            Some(Row {
                model: decision.model.clone(),
                metric: metric.into(),
                scope: "segment",
                segment: name(decision.segment),
                estimate: Some(figure.value),
                ends: [figure.interval.map(|ends| ends.lower), figure.interval.map(|ends| ends.upper)],
                level: figure.interval.map(|ends| ends.level.get()),
                method: shown(&figure.interval.map(|ends| ends.method.name())),
                n: n.clone().unwrap_or_default(),
                no_interval: shown(&figure.no_interval),
                ..Row::default()
            })
        };
        let figures = std::iter::once(Some(&decision.share)).chain(figures);
        names.into_iter().zip(figures).filter_map(row).collect::<Vec<Row>>()
    };
    let test = |test: &SegmentTest| Row {
        model: test.model.clone(),
        metric: test.metric.clone(),
        scope: "segments",
        cutoff: shown(&test.cutoff),
        method: "welch".into(),
        n: test.n_segments.to_string(),
        p: test.test.as_ref().map(|test| test.p),
        p_adjusted: test.p_adjusted,
        ..Row::default()
    };
    let rest = |rest: &SegmentAgainstRest| Row {
        model: rest.model.clone(),
        versus: "rest",
        metric: rest.metric.clone(),
        scope: "segment",
        segment: name(rest.segment),
        cutoff: shown(&rest.cutoff),
        estimate: Some(rest.estimate - rest.elsewhere),
        method: "welch".into(),
        p: Some(rest.p),
        p_adjusted: Some(rest.p_adjusted),
        ..Row::default()
    };
    let figures = results.figures.iter().map(figure).chain(results.cutoffs.iter().map(cutoff));
    let tests = results.tests.iter().map(test).chain(results.against_rest.iter().map(rest));
    let decisions = results.decisions.iter().flat_map(|decisions| {
        let figures = decisions.figures.iter().flat_map(decision);
        let tests = decisions.tests.iter().map(test);
        figures.chain(tests).chain(decisions.against_rest.iter().map(rest)).collect::<Vec<Row>>()
    });
    figures.chain(tests).chain(decisions).map(Row::cells).collect()
}
