//! What acting on the held-out scores of a scenario brings in: the questions of an evaluation, asked of the learners of a study.
//!
//! The held-out scores stand side by side as a table, with the columns that say what cases are worth, and are judged as any other
//! table of scores is. A row counts once. Where repetitions test all rows alike, as those of a cross-validation do, its score is the
//! mean of its held-out scores; else the rows are those of the first splits that share none. Intervals and tests take the rows for one
//! sample, so that no repetition makes them narrower, and the sentence says which rows and scores it is about.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use rayon::prelude::*;
use tribunal_eval::decisions::{Capacity, IntervalEstimate};
use tribunal_eval::intervals::Interval;
use tribunal_eval::metrics::Measure;
use tribunal_io::TableReader;
use tribunal_learn::Target;

use super::analysis::Findings;
use super::journal::CellPlace;
use super::judged::Mean;
use super::results::{LearnerLead, LeftOut, ScenarioDecision};
use super::worth::WorthColumns;
use crate::decision::{BaselineDecision, BaselinePolicy, DecideBy, Decides, DecisionRequest, ModelDecision};
use crate::error::Error;
use crate::evaluate::{EvaluateRequest, ScoreColumns, evaluate_with_leads};
use crate::line_up::TestedRows;
use crate::resampling::Design;
use crate::results::Evaluation;
use crate::words::{cases, counted, money};

/// What acting on the list of each learner brings in.
pub(super) struct Acting {
    pub(super) result: ScenarioDecision,
    /// The place of each learner of the decision, in its order.
    learners: Vec<usize>,
}

/// Scenario by scenario; nothing where nobody asked or no learner scored every row.
///
/// # Errors
/// The question does not fit the scores.
pub(super) fn acting(
    findings: &Findings<'_>,
    worth: Option<&WorthColumns>,
) -> Result<Vec<Option<Acting>>, Error> {
    let of_scenario = |scenario: usize| match worth {
        Some(worth) => Held { findings, scenario, worth }.acting(),
        None => Ok(None),
    };
    (0..findings.places.len()).into_par_iter().map(of_scenario).collect()
}

impl Acting {
    /// The figures of a learner.
    fn of(&self, learner: usize) -> Option<&ModelDecision> {
        let place = self.learners.iter().position(|known| *known == learner)?;
        self.result.decision.models.get(place)
    }

    /// The figure of a learner by what decides.
    fn figure(&self, learner: usize) -> Option<&IntervalEstimate> {
        self.of(learner)?.by(self.result.decision.by)
    }

    /// The same as a mean.
    pub(super) fn mean(&self, learner: usize) -> Mean {
        match self.figure(learner) {
            Some(figure) => Mean { value: Ok(figure.value), interval: figure.interval, sd: None, n: 1 },
            None => {
                let reason = "it did not score every row".to_owned();
                Mean { value: Err(reason), interval: None, sd: None, n: 0 }
            }
        }
    }

    /// What acting by a learner brings in, in words: `hits 37 (31 to 40)`.
    pub(super) fn in_words(&self, learner: usize) -> Option<String> {
        let (by, figure) = (self.result.decision.by, self.figure(learner)?);
        let words = if by == DecideBy::Hits { cases } else { money };
        let ends = |ends: Interval| format!(" ({} to {})", words(ends.lower), words(ends.upper));
        Some(format!("{by} {}{}", words(figure.value), figure.interval.map_or_else(String::new, ends)))
    }

    /// What the learner brings in more than the best policy that takes none.
    pub(super) fn lead(&self, learner: usize) -> Option<&LearnerLead> {
        let name = &self.of(learner)?.model;
        self.result.leads.iter().find(|lead| lead.learner == *name)
    }

    /// Whether acting on nobody or on everybody brings in as much as the best list, so that this is the answer.
    pub(super) fn takes_no_model(&self) -> bool {
        let decision = &self.result.decision;
        if decision.by != DecideBy::Profit {
            return false;
        }
        let is_simple = |one: &&BaselineDecision| {
            matches!(one.policy, BaselinePolicy::Nobody | BaselinePolicy::Everybody)
        };
        let most = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::NEG_INFINITY, f64::max);
        let value = |figure: Option<&IntervalEstimate>| figure.map(|figure| figure.value);
        let simple = most(
            &mut decision.baselines.iter().filter(is_simple).filter_map(|one| value(one.profit.as_ref())),
        );
        let learned = most(&mut decision.models.iter().filter_map(|model| value(model.profit.as_ref())));
        simple >= learned && simple.is_finite()
    }

    /// The best, then whoever cannot be told apart from it.
    pub(super) fn group(&self) -> Vec<usize> {
        let place = |name: &String| {
            let place = self.result.decision.models.iter().position(|model| model.model == *name)?;
            self.learners.get(place).copied()
        };
        let is_in = |name: &&String| !self.result.worse.contains(name);
        self.result.ranking.iter().filter(is_in).filter_map(place).collect()
    }
}

/// The held-out scores of a scenario.
struct Held<'a> {
    findings: &'a Findings<'a>,
    scenario: usize,
    worth: &'a WorthColumns,
}

/// A row of the table with a split that tested it, and its place there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct TestedRow {
    row: u32,
    split: usize,
    place: usize,
}

/// The rows that are judged, in the order of the table.
struct JudgedRows {
    /// Each row as often as it was tested.
    tested: Vec<TestedRow>,
    /// How often each was.
    n_times: usize,
    /// How many splits tested them.
    n_splits: usize,
}

impl JudgedRows {
    /// Row by row, the first test of each.
    fn first(&self) -> impl Iterator<Item = &TestedRow> {
        self.tested.iter().step_by(self.n_times)
    }

    fn len(&self) -> usize {
        self.tested.len() / self.n_times
    }
}

/// The scores of a learner for the rows.
struct LearnerScores {
    learner: usize,
    scores: Vec<f64>,
}

impl Held<'_> {
    fn acting(&self) -> Result<Option<Acting>, Error> {
        let rows = self.rows();
        let (scored, left_out) = self.scored(&rows);
        if scored.is_empty() {
            return Ok(None);
        }
        let (batch, columns) = self.table(&rows, &scored)?;
        let request = self.request(columns, rows.len());
        let table = TableReader::of_batches("the held-out scores", vec![batch])?;
        let (evaluation, leads) = evaluate_with_leads(&table, &request)?;
        let Evaluation { decision: Some(decision), verdict, .. } = evaluation else { return Ok(None) };
        let leads = decision.models.iter().zip(leads).filter_map(|(model, over)| {
            let over = over?;
            Some(LearnerLead { learner: model.model.clone(), policy: over.policy, lead: over.lead })
        });
        let result = ScenarioDecision {
            scenario: self.findings.names[self.scenario].clone(),
            sentence: self.by_which_rows(&rows, &verdict.sentence),
            rows: rows.len() as u64,
            ranking: verdict.ranking,
            level_with_best: verdict.level_with_best,
            worse: verdict.worse,
            leads: leads.collect(),
            left_out,
            decision,
        };
        Ok(Some(Acting { result, learners: scored.iter().map(|scored| scored.learner).collect() }))
    }

    /// All rows where repetitions test each equally often, else those of the first splits that share none.
    fn rows(&self) -> JudgedRows {
        let splits = &self.findings.frame(self.scenario).tested;
        let mut n_tests = vec![0_u32; self.findings.ground.n_rows];
        splits.iter().flat_map(|split| &split.rows).for_each(|&row| n_tests[row as usize] += 1);
        let n_times = n_tests.first().map_or(0, |&n| n as usize);
        let is_alike = n_times > 1 && n_tests.iter().all(|&n| n as usize == n_times);
        let n_splits = match is_alike {
            true => splits.len(),
            false => {
                let mut is_tested = vec![false; self.findings.ground.n_rows];
                let mut is_new = |row: &u32| !std::mem::replace(&mut is_tested[*row as usize], true);
                splits.iter().take_while(|split| split.rows.iter().all(&mut is_new)).count()
            }
        };
        let of_split = |(split, tested): (usize, &TestedRows)| {
            let places = tested.rows.iter().enumerate();
            places.map(|(place, &row)| TestedRow { row, split, place }).collect::<Vec<_>>()
        };
        let mut tested: Vec<TestedRow> =
            splits.iter().take(n_splits).enumerate().flat_map(of_split).collect();
        tested.sort_unstable();
        JudgedRows { tested, n_times: if is_alike { n_times } else { 1 }, n_splits }
    }

    /// A sentence that says by which rows and scores it goes, where a design was repeated.
    fn by_which_rows(&self, rows: &JudgedRows, sentence: &str) -> String {
        let n_splits = self.findings.frame(self.scenario).tested.len();
        let which = match (rows.n_times, rows.n_splits) {
            (1, used) if used == n_splits => return sentence.to_owned(),
            (1, used) => {
                let first = if used == 1 { "the first".to_owned() } else { format!("the first {used}") };
                let verb = if used == 1 { "tests" } else { "test" };
                let n_rows = counted(rows.len() as f64);
                format!("Judged by the {n_rows} that {first} of {n_splits} splits {verb}")
            }
            (n_times, _) => format!("By scores that are means over {n_times} repetitions"),
        };
        let mut signs = sentence.chars();
        let first = signs.next().map_or_else(String::new, |first| first.to_lowercase().to_string());
        format!("{which}, {first}{}", signs.as_str())
    }

    /// The scores of every learner that scored all of the rows, and who did not; the majority class stands beside the policies that
    /// take no model.
    fn scored(&self, rows: &JudgedRows) -> (Vec<LearnerScores>, Vec<LeftOut>) {
        let (mut scored, mut left_out) = (Vec::new(), Vec::new());
        let learners = self.findings.learners.iter().enumerate();
        for (learner, named) in learners.filter(|(_, learner)| !learner.trivial) {
            match self.scores(learner, rows) {
                Ok(scores) => scored.push(LearnerScores { learner, scores }),
                Err(reason) => left_out.push(LeftOut { learner: named.learner.clone(), reason }),
            }
        }
        (scored, left_out)
    }

    fn scores(&self, learner: usize, rows: &JudgedRows) -> Result<Vec<f64>, String> {
        let findings = self.findings;
        let helds = findings.board.cell(CellPlace { design: 0, scenario: self.scenario, learner });
        let needs_probabilities = findings.request.decision.rule.is_some();
        let score = |at: &TestedRow| match helds.get(at.split).and_then(Option::as_ref) {
            Some(Ok(held)) => {
                let score = held.scores.get(at.place).copied().unwrap_or_default();
                match needs_probabilities && (held.margins || !(0.0..=1.0).contains(&score)) {
                    true => {
                        Err("it gives margins, and the rule needs probabilities: calibrate it".to_owned())
                    }
                    false => Ok(score),
                }
            }
            Some(Err(reason)) => Err(reason.clone()),
            None => Err("it did not score every row".to_owned()),
        };
        let mean = |tests: &[TestedRow]| {
            let scores: Vec<f64> = tests.iter().map(score).collect::<Result<_, _>>()?;
            Ok(scores.iter().sum::<f64>() / scores.len() as f64)
        };
        rows.tested.chunks(rows.n_times).map(mean).collect()
    }

    fn target(&self) -> &Target {
        &self.findings.ground.targets[self.findings.places[self.scenario].target]
    }

    /// The scores side by side, with truth, split and what the rows are worth.
    fn table(
        &self,
        rows: &JudgedRows,
        scored: &[LearnerScores],
    ) -> Result<(RecordBatch, ScoreColumns), Error> {
        let findings = self.findings;
        let request = findings.request;
        let numbers: Vec<u32> = rows.first().map(|tested| tested.row).collect();
        let target = self.target();
        let mut worth = self.worth.select(&numbers);
        if request.predicts_amounts() {
            let truth: Vec<bool> = numbers.iter().map(|&row| target.codes()[row as usize] == 1).collect();
            worth = worth.without_gaps_of_negatives(request.amount.as_deref(), &truth);
        }
        let mut columns: Vec<(String, ArrayRef)> = worth.arrays().collect();
        let mut wanted = ScoreColumns { amount: request.amount.clone(), ..ScoreColumns::default() };
        for LearnerScores { learner, scores } in scored {
            let name = findings.learners[*learner].learner.clone();
            if columns.iter().any(|(known, _)| *known == name) {
                return Err(Error::usage(format!(
                    "\"{name}\" is a learner and a column that says what cases are worth; give the column another name"
                )));
            }
            columns.push((name.clone(), Arc::new(Float64Array::from(scores.clone()))));
            wanted.scores.push(name);
        }
        let mut add = |name: &str, array: ArrayRef| {
            let mut name = name.to_owned();
            while columns.iter().any(|(known, _)| *known == name) {
                name.push('_');
            }
            columns.push((name.clone(), array));
            name
        };
        let label = |row: &u32| target.classes()[target.codes()[*row as usize] as usize].as_str();
        wanted.truth = add(target.name(), Arc::new(StringArray::from_iter_values(numbers.iter().map(label))));
        wanted.positive = target.classes().get(1).cloned();
        if let Some(folds) = self.folds(rows) {
            wanted.fold = Some(add("split", folds));
        }
        let place = findings.places[self.scenario];
        let dataset = &findings.ground.sets[place.set].dataset;
        if let Some(weights) = dataset.weights() {
            let weights = numbers.iter().map(|&row| weights[row as usize]);
            wanted.weight = Some(add("weight", Arc::new(Float64Array::from_iter_values(weights))));
        }
        if request.predicts_amounts() {
            let dataset = dataset.clone().with_target(target.clone())?;
            let plan = &findings.ground.designs[0].plans[place.target];
            let predicted = self.worth.predicted(request, &dataset, plan)?;
            let predicted = numbers.iter().map(|&row| predicted[row as usize]).collect::<Float64Array>();
            wanted.predicted_amounts = vec![add("predicted amount", Arc::new(predicted))];
        }
        let batch = RecordBatch::try_from_iter(columns);
        Ok((batch.map_err(|error| Error::data(error.to_string()))?, wanted))
    }

    /// The split of each row, of repetitions that of the first, where there are several with figures of their own.
    fn folds(&self, rows: &JudgedRows) -> Option<ArrayRef> {
        let is_single = matches!(self.findings.ground.designs[0].design, Design::Loo(_)) || rows.n_splits < 2;
        let names = &self.findings.frame(self.scenario).names;
        let names = rows.first().map(|row| names[row.split].as_str());
        (!is_single).then(|| Arc::new(StringArray::from_iter_values(names)) as ArrayRef)
    }

    /// The question, asked of these rows: a number of cases is one of all rows, and of a part of them the same share.
    fn request(&self, columns: ScoreColumns, n_rows: usize) -> EvaluateRequest {
        let findings = self.findings;
        let asked = &findings.request.decision;
        let is_part = n_rows < findings.ground.n_rows;
        let of_all = |capacity: Capacity| match is_part && !capacity.is_of_lists() {
            true => Capacity::of_lists(capacity.cases(), findings.ground.weight()).unwrap_or(capacity),
            false => capacity,
        };
        let decide_by = asked.decide_by.filter(|by| !matches!(by, DecideBy::Metric(_)));
        let decision = DecisionRequest { capacity: asked.capacity.map(of_all), decide_by, ..asked.clone() };
        EvaluateRequest {
            metrics: vec![Measure::AUROC],
            at: Vec::new(),
            decision,
            level: findings.request.level,
            seed: findings.request.seed,
            fold_intervals: false,
            curves: false,
            fingerprint: false,
            ..EvaluateRequest::new(columns)
        }
    }
}
