//! What the common policy of each model does in each segment of the cases, whether segments differ, and where a model is worst.

use rayon::prelude::*;
use tribunal_eval::Error as Refused;
use tribunal_eval::decisions::{CaseValues, PolicyInSegment};
use tribunal_eval::metrics::Better;
use tribunal_eval::significance::{GroupFigure, Untestable};
use tribunal_eval::{Undefined, decisions::IntervalEstimate};

use super::Asked;
use super::model::{ActedOn, Values};
use super::rows::{CaseColumns, DecisionRows};
use super::table::ModelRows;
use crate::decision::DecideBy;
use crate::evaluate::segment_tests::{Group, TestedFigure, adjust_over_models};
use crate::segment_results::{SegmentAgainstRest, SegmentDecision, SegmentDecisions, SegmentTest};

/// The lists of all models, cut into segments.
pub(super) struct SegmentedLists<'a> {
    pub(super) asked: &'a Asked<'a>,
    pub(super) rows: &'a [ModelRows<'a>],
    pub(super) acted_on: &'a [ActedOn],
    /// The segments in the order in which they are told.
    pub(super) order: &'a [usize],
}

/// What a policy does in a part of the cases.
struct PolicyPart {
    hits: PolicyInSegment,
    amount: Option<PolicyInSegment>,
    profit: Option<PolicyInSegment>,
}

impl PolicyPart {
    /// What is compared among segments.
    fn compared(&self, by: DecideBy) -> Group {
        let nothing = || Err(Untestable::from(Undefined::NoAmounts));
        match by {
            DecideBy::Amount => self.amount.as_ref().map_or_else(nothing, |part| part.per_acted_case.clone()),
            DecideBy::Profit => self.profit.as_ref().map_or_else(nothing, |part| part.per_case.clone()),
            DecideBy::Hits | DecideBy::Metric(_) => self.hits.per_acted_case.clone(),
        }
    }
}

impl SegmentedLists<'_> {
    /// Everything about the segments; nothing where there are none.
    ///
    /// # Errors
    /// What the cases are worth cannot be added up.
    pub(super) fn decisions(&self) -> Result<Option<SegmentDecisions>, Refused> {
        if self.order.is_empty() {
            return Ok(None);
        }
        let models = (0..self.rows.len()).into_par_iter().map(|model| self.parts(model));
        let parts: Vec<Vec<Option<PolicyPart>>> = models.collect::<Result<_, _>>()?;
        let (mut figures, mut against_rest) = (Vec::new(), Vec::new());
        for (model, parts) in parts.iter().enumerate() {
            let figure = |(segment, part): (usize, &Option<PolicyPart>)| {
                Some(self.figure(model, segment, part.as_ref()?))
            };
            figures.extend(parts.iter().enumerate().filter_map(figure));
            against_rest.extend(self.against_rest(model, parts)?);
        }
        Ok(Some(SegmentDecisions { figures, tests: self.tests(&parts), against_rest }))
    }

    /// The segments of a model's list; nothing in the place of one whose cases carry no weight.
    fn parts(&self, model: usize) -> Result<Vec<Option<PolicyPart>>, Refused> {
        let mut rows_of: Vec<Vec<u32>> = vec![Vec::new(); self.order.len()];
        for (row, &segment) in self.rows[model].cases.segment.iter().enumerate() {
            rows_of[segment as usize].push(row as u32);
        }
        self.order.par_iter().map(|&segment| self.part(model, &rows_of[segment])).collect()
    }

    fn part(&self, model: usize, rows: &[u32]) -> Result<Option<PolicyPart>, Refused> {
        let own = &self.rows[model];
        let cases = own.pick(rows, own.weight().unwrap_or_default());
        let picked = ModelRows::of_models(&[&cases]);
        let Some(picked) = picked.first() else { return Ok(None) };
        if rows.is_empty() || picked.weight().is_some_and(|weight| weight.iter().all(|weight| *weight == 0.0))
        {
            return Ok(None);
        }
        let values = Values::of(picked)?;
        let actions = self.acted_on[model].actions.of_rows(rows);
        // The base rate that is stated is that of all cases; a segment has as many positives as chance gives it.
        let base_rate = self.asked.request.base_rate;
        let judge = |values: &CaseValues<'_>| values.in_segment(&actions, self.asked.level(), base_rate);
        let mut hits = judge(&values.hits)?;
        if own.is_reweighted() {
            // No more or fewer cases were seen than there are rows.
            let cases = own.pick(rows, &own.cases.weight);
            if let [as_seen] = &ModelRows::of_models(&[&cases])[..] {
                let (found, seen) = (hits.value.value / hits.acted, judge(&as_seen.hits()?)?);
                hits.per_acted_case = seen.per_acted_case.map(|seen| seen.told_as(found));
            }
        }
        Ok(Some(PolicyPart {
            hits,
            amount: values.amount.as_ref().map(judge).transpose()?,
            profit: values.profit.as_ref().map(judge).transpose()?,
        }))
    }

    fn figure(&self, model: usize, segment: usize, part: &PolicyPart) -> SegmentDecision {
        let acted_on = &self.acted_on[model];
        let times = self.asked.list_size(acted_on.total) / acted_on.total;
        let value = |part: &PolicyInSegment| -> IntervalEstimate { part.value.clone().times(times) };
        SegmentDecision {
            model: acted_on.result.model.clone(),
            segment,
            cases: part.hits.cases * times,
            acted: part.hits.acted * times,
            share: part.hits.share.clone(),
            hits: value(&part.hits),
            amount: part.amount.as_ref().map(value),
            profit: part.profit.as_ref().map(value),
        }
    }

    fn tested(&self, model: usize, by: DecideBy) -> TestedFigure {
        TestedFigure {
            model: self.acted_on[model].result.model.clone(),
            metric: by.to_string(),
            cutoff: None,
            better: Better::Higher,
        }
    }

    /// Whether hits, amount and profit differ among the segments, each as far as it is known.
    fn tests(&self, parts: &[Vec<Option<PolicyPart>>]) -> Vec<SegmentTest> {
        let is_known = |by: &DecideBy| {
            let mut parts = parts.iter().flatten().flatten();
            match by {
                DecideBy::Amount => parts.any(|part| part.amount.is_some()),
                DecideBy::Profit => parts.any(|part| part.profit.is_some()),
                _ => true,
            }
        };
        let of_figure = |by: DecideBy| {
            let of_model =
                |(model, parts): (usize, &Vec<_>)| self.tested(model, by).among(&groups(parts, by));
            let mut tests: Vec<SegmentTest> = parts.iter().enumerate().map(of_model).collect();
            adjust_over_models(&mut tests);
            tests
        };
        [DecideBy::Hits, DecideBy::Amount, DecideBy::Profit]
            .into_iter()
            .filter(is_known)
            .flat_map(of_figure)
            .collect()
    }

    /// Segments of a model against all other cases by what decides.
    fn against_rest(
        &self,
        model: usize,
        parts: &[Option<PolicyPart>],
    ) -> Result<Vec<SegmentAgainstRest>, Refused> {
        let (tested, groups) = (self.tested(model, self.asked.by), groups(parts, self.asked.by));
        let segments = &self.rows[model].cases.segment;
        let those = |is_in: &dyn Fn(usize) -> bool| -> Result<Option<GroupFigure>, Refused> {
            let rows: Vec<u32> =
                (0..segments.len() as u32).filter(|&row| is_in(segments[row as usize] as usize)).collect();
            Ok(self.part(model, &rows)?.and_then(|part| part.compared(self.asked.by).ok()))
        };
        let Some(whole) = those(&|_| true)? else { return Ok(Vec::new()) };
        let mut rests = Vec::new();
        for place in tested.shortfalls(&groups, whole) {
            rests.extend(those(&|segment| segment != self.order[place])?.map(|rest| (place, rest)));
        }
        Ok(tested.against_rest(&groups, rests, self.asked.level()))
    }
}

/// What is compared among the segments.
fn groups(parts: &[Option<PolicyPart>], by: DecideBy) -> Vec<Group> {
    let group = |part: &Option<PolicyPart>| {
        part.as_ref().map_or_else(|| Err(Undefined::NoRows.into()), |part| part.compared(by))
    };
    parts.iter().map(group).collect()
}

impl ModelRows<'_> {
    /// What is known of some of the cases, with such weights of all of them.
    fn pick(&self, rows: &[u32], weight: &[f64]) -> DecisionRows {
        let of = |column: &[f64]| match column.is_empty() {
            true => Vec::new(),
            false => rows.iter().map(|&row| column[row as usize]).collect(),
        };
        let cases = CaseColumns {
            truth: rows.iter().map(|&row| self.cases.truth[row as usize]).collect(),
            weight: of(weight),
            amount: of(&self.cases.amount),
            acting: of(&self.cases.acting),
            passing: of(&self.cases.passing),
            ..CaseColumns::default()
        };
        DecisionRows { cases, ..DecisionRows::default() }
    }
}
