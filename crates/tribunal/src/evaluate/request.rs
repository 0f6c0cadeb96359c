//! What is asked of an evaluation, validated before anything is read.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tribunal_eval::CutoffRule;
use tribunal_eval::influence::BaseRate;
use tribunal_eval::intervals::Level;
use tribunal_eval::metrics::{Kind, METRICS, Measure};

use crate::charts::ChartRequest;
use crate::decision::{DecideBy, DecisionRequest};
use crate::error::Error;
use crate::message::{Message, Setting};

/// Which column plays which part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreColumns {
    /// What each case was.
    pub truth: String,
    /// The label that counts as positive.
    pub positive: Option<String>,
    /// Whether every label but the positive one is negative, however many there are.
    pub rest_is_negative: bool,
    /// The scores: one column per model, or a single one with `model`.
    pub scores: Vec<String>,
    /// The model of each row, for tables in long form.
    pub model: Option<String>,
    /// Weights.
    pub weight: Option<String>,
    /// What a positive case is worth.
    pub amount: Option<String>,
    /// Whether the amounts of negatives count too, such as credits that an audit ends with.
    #[serde(default, skip_serializing_if = "is_false")]
    pub amount_of_everybody: bool,
    /// Predicted amounts: one column, or one per score column.
    pub predicted_amounts: Vec<String>,
    /// The fold of each row.
    pub fold: Option<String>,
    /// What identifies a case.
    pub id: Option<String>,
    /// The segments in which every figure is wanted too: each combination of the labels of these columns is one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<String>,
}

impl ScoreColumns {
    /// A truth column and score columns.
    pub fn new<S: Into<String>>(truth: &str, scores: impl IntoIterator<Item = S>) -> Self {
        Self {
            truth: truth.to_owned(),
            scores: scores.into_iter().map(Into::into).collect(),
            ..Self::default()
        }
    }

    /// Whether a column is one of them.
    pub(super) fn names(&self, column: &str) -> bool {
        let single = [&self.model, &self.weight, &self.amount, &self.fold, &self.id].into_iter().flatten();
        let several = self.scores.iter().chain(&self.predicted_amounts).chain(&self.by);
        single.chain(several).chain([&self.truth]).any(|name| name == column)
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

/// A depth of the list at which CPH and lift are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum At {
    /// A share of the list.
    Share(f64),
    /// A number of cases.
    Count(f64),
}

impl FromStr for At {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no depth: write a share (10% or 0.1) or a number of cases (500)");
        let (number, percent) = match text.trim().strip_suffix('%') {
            Some(number) => (number, true),
            None => (text.trim(), false),
        };
        let value: f64 = number.trim().parse().map_err(|_| wrong())?;
        match (percent, value) {
            (true, v) if v > 0.0 && v <= 100.0 => Ok(Self::Share(v / 100.0)),
            (false, v) if v > 0.0 && v < 1.0 => Ok(Self::Share(v)),
            (false, v) if v >= 1.0 && v.fract() == 0.0 && v.is_finite() => Ok(Self::Count(v)),
            _ => Err(wrong()),
        }
    }
}

/// Metrics by their names.
mod names {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};
    use tribunal_eval::metrics::Measure;

    pub(super) fn serialize<S: Serializer>(measures: &[Measure], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(measures.iter().map(Measure::to_string))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Measure>, D::Error> {
        let names = Vec::<String>::deserialize(deserializer)?;
        names.iter().map(|name| name.parse().map_err(D::Error::custom)).collect()
    }
}

/// Fewer replicates than this make no interval.
const FEWEST_REPLICATES: usize = 50;

/// Which models are compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Compare {
    /// Every pair.
    #[default]
    All,
    /// One with each other.
    With(String),
}

impl FromStr for Compare {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(if text == "all" { Self::All } else { Self::With(text.to_owned()) })
    }
}

/// Everything asked of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EvaluateRequest {
    /// Which column plays which part.
    pub columns: ScoreColumns,
    /// The cut-offs at which predictions are judged; none means the customary one.
    pub cutoffs: Vec<CutoffRule>,
    /// The depths at which CPH, lift and success proportions are shown.
    pub at: Vec<At>,
    /// The metrics wanted; none means all.
    #[serde(with = "names")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub metrics: Vec<Measure>,
    /// How many cases can be acted on, what that brings in, and what decides which model is best.
    #[serde(default)]
    pub decision: DecisionRequest,
    /// Bins, bands and another base rate for the charts.
    #[serde(default)]
    pub charts: ChartRequest,
    /// The parts of the list that somebody may have acted on alone: what each figure would then have been.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stress_selection: Vec<At>,
    /// Level of the intervals and the tests.
    pub level: Level,
    /// Which other samples intervals and tests speak of.
    #[serde(default)]
    pub base_rate: BaseRate,
    /// Whether figures get intervals at all.
    pub intervals: bool,
    /// How often cases are drawn again; nothing means as often as usual, 0 never.
    pub replicates: Option<usize>,
    /// Seed of the draws.
    pub seed: u64,
    /// Which models are compared.
    pub compare: Compare,
    /// Differences up to this do not matter, in units of what decides: of the metric, or of hits, amounts or profit.
    pub margin: f64,
    /// Whether the figures of single folds need intervals.
    pub fold_intervals: bool,
    /// Whether to compute the curves and the reliability table.
    pub curves: bool,
    /// Whether to compute the fingerprint of the files.
    pub fingerprint: bool,
}

impl EvaluateRequest {
    /// The usual questions about some columns: every metric, depths of 1, 5 and 10 %.
    pub fn new(columns: ScoreColumns) -> Self {
        Self {
            columns,
            cutoffs: Vec::new(),
            at: vec![At::Share(0.01), At::Share(0.05), At::Share(0.1)],
            metrics: Vec::new(),
            decision: DecisionRequest::default(),
            charts: ChartRequest::default(),
            stress_selection: Vec::new(),
            level: Level::P95,
            base_rate: BaseRate::default(),
            intervals: true,
            replicates: None,
            seed: 1,
            compare: Compare::All,
            margin: 0.0,
            fold_intervals: true,
            curves: true,
            fingerprint: true,
        }
    }

    /// Whether hits, amounts or profit decide, in whose units the margin then is.
    fn acting_decides(&self) -> bool {
        self.decision.is_asked() && !self.decision.goes_by_metric()
    }

    /// Differences of metrics up to this do not matter: none where what acting brings in decides.
    pub(crate) fn margin_of_metrics(&self) -> f64 {
        if self.acting_decides() { 0.0 } else { self.margin }
    }

    /// Differences of what acting on the lists brings in up to this do not matter: none where a metric decides.
    pub(crate) fn margin_of_acting(&self) -> f64 {
        if self.acting_decides() { self.margin } else { 0.0 }
    }

    /// What cannot be right whatever the data are.
    pub(super) fn check(&self) -> Result<(), Error> {
        let columns = &self.columns;
        if self.margin < 0.0 || !self.margin.is_finite() {
            return Err(Error::usage(format!(
                "the margin is {}; it must be 0 or more, in units of what decides (0.01 for one point of AUROC, 5 for five hits)",
                self.margin
            )));
        }
        if self.replicates.is_some_and(|n| n > 0 && n < FEWEST_REPLICATES) {
            return Err(Error::usage(format!(
                "{} bootstrap replicates are too few for an interval: draw at least {FEWEST_REPLICATES}, or 0 for none",
                self.replicates.unwrap_or_default()
            )));
        }
        if columns.scores.is_empty() {
            return Err(Error::usage(
                Message::from("no score column is named; add ").set(Setting::Score, "COLUMN"),
            ));
        }
        if columns.model.is_some() && columns.scores.len() > 1 {
            return Err(Error::usage(
                Message::default()
                    .setting(Setting::Model)
                    .text(" says that each row belongs to one model, so there can be one ")
                    .setting(Setting::Score)
                    .text(" column only"),
            ));
        }
        let predicted = columns.predicted_amounts.len();
        if predicted > 1 && predicted != columns.scores.len() {
            return Err(Error::usage(format!(
                "there are {} score columns and {predicted} predicted-amount columns; name one, or one for each score",
                columns.scores.len()
            )));
        }
        if predicted > 0 && columns.amount.is_none() {
            return Err(Error::usage(
                Message::from("predicted amounts need the true ones to be judged by: add ")
                    .set(Setting::Amount, "COLUMN"),
            ));
        }
        if columns.amount_of_everybody && columns.amount.is_none() {
            return Err(Error::usage(
                Message::from("nothing says what cases are worth: add ").set(Setting::Amount, "COLUMN"),
            ));
        }
        self.charts.check()?;
        self.check_stress_selection()?;
        self.decision.check(columns.amount.is_some(), predicted > 0)?;
        self.check_roles()
    }

    fn check_stress_selection(&self) -> Result<(), Error> {
        let is_wrong = |at: &&At| match **at {
            At::Share(share) => !(share > 0.0 && share <= 1.0),
            At::Count(count) => !(count >= 1.0 && count.is_finite()),
        };
        let setting = || Message::default().setting(Setting::StressSelection);
        if let Some(At::Share(wrong) | At::Count(wrong)) = self.stress_selection.iter().find(is_wrong) {
            return Err(Error::usage(setting().text(format!(
                ": {wrong} is no part of a list; write a share (50% or 0.5) or a number of cases (500)"
            ))));
        }
        let is_repeated = |(place, at): &(usize, &At)| self.stress_selection[..*place].contains(at);
        match self.stress_selection.iter().enumerate().find(is_repeated) {
            Some((_, At::Share(part) | At::Count(part))) => {
                Err(Error::usage(setting().text(format!(" names {part} twice"))))
            }
            None => Ok(()),
        }
    }

    fn check_roles(&self) -> Result<(), Error> {
        let c = &self.columns;
        let mut scores = c.scores.clone();
        scores.sort_unstable();
        if let Some(pair) = scores.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::usage(format!("the score column \"{}\" is named twice", pair[0])));
        }
        match c.scores.iter().find(|score| **score == c.truth) {
            Some(score) => Err(Error::usage(format!("\"{score}\" cannot be both the truth and a score"))),
            None => self.check_segments(),
        }
    }

    /// Columns that make no segments in which a model could be judged.
    fn check_segments(&self) -> Result<(), Error> {
        let c = &self.columns;
        for (place, column) in c.by.iter().enumerate() {
            let is_it = |other: &Option<String>| other.as_ref() == Some(column);
            let problem = match column {
                _ if c.by[..place].contains(column) => "is named twice",
                _ if *column == c.truth => "is the truth, so each segment would hold one class",
                _ if c.scores.contains(column) => {
                    "is a score, so each segment would hold cases that rank alike"
                }
                _ if is_it(&c.model) => "names the models, so each segment would hold one of them",
                _ if is_it(&c.id) => "names the cases, so each segment would hold one of them",
                _ => continue,
            };
            let message = Message::default().set(Setting::By, column.as_str());
            return Err(Error::usage(message.text(format!(
                ": the column {problem}; name one whose labels many cases share, such as a region"
            ))));
        }
        Ok(())
    }

    /// The metrics that look at scores or predictions, in the order of the tables.
    pub(super) fn measures(&self) -> Vec<Measure> {
        if !self.metrics.is_empty() {
            // Those of predicted amounts are asked of the amounts, where there are any.
            let has_amounts = !self.columns.predicted_amounts.is_empty();
            let is_asked = |measure: &&Measure| measure.metric.kind != Kind::Amount || !has_amounts;
            return self.with_deciding(self.metrics.iter().filter(is_asked).copied().collect());
        }
        let usual = || {
            METRICS
                .iter()
                .filter(|metric| metric.kind != Kind::Amount)
                .filter(|metric| !metric.needs_amounts || self.columns.amount.is_some())
                .flat_map(|metric| self.defaults(metric))
                .collect::<Vec<_>>()
        };
        self.with_deciding(usual())
    }

    /// The same with the metric that decides, if that was not asked for anyway.
    fn with_deciding(&self, mut measures: Vec<Measure>) -> Vec<Measure> {
        if let Some(DecideBy::Metric(measure)) = self.decision.decide_by
            && !measures.contains(&measure)
        {
            measures.push(measure);
        }
        measures
    }

    /// The metrics of predicted amounts: those that were named, or all of them.
    pub(super) fn amount_measures(&self) -> Vec<Measure> {
        let is_of_amounts = |measure: &Measure| measure.metric.kind == Kind::Amount;
        match self.metrics.is_empty() {
            true => METRICS
                .iter()
                .filter_map(|metric| Measure::new(metric, None).ok())
                .filter(is_of_amounts)
                .collect(),
            false => self.metrics.iter().copied().filter(is_of_amounts).collect(),
        }
    }

    fn defaults(&self, metric: &'static tribunal_eval::metrics::Metric) -> Vec<Measure> {
        let with = |parameter: f64| Measure::new(metric, Some(parameter)).ok();
        let depths =
            |wanted: fn(&At) -> Option<f64>| self.at.iter().filter_map(wanted).filter_map(with).collect();
        match metric.stem() {
            "cph" | "lift" => depths(|at| if let At::Share(share) = at { Some(*share) } else { None }),
            "lift_top" | "precision_top" => {
                depths(|at| if let At::Count(count) = at { Some(*count) } else { None })
            }
            "pauroc" => with(0.1).into_iter().collect(),
            _ => Measure::new(metric, None).into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_shares_or_counts() {
        assert_eq!("10%".parse(), Ok(At::Share(0.1)));
        assert_eq!("0.05".parse(), Ok(At::Share(0.05)));
        assert_eq!("500".parse(), Ok(At::Count(500.0)));
        for wrong in ["0", "-5%", "101%", "1.5", "many"] {
            assert!(wrong.parse::<At>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn impossible_requests_are_refused_before_reading() {
        let check = |change: fn(&mut ScoreColumns), expected: &str| {
            let mut columns = ScoreColumns::new("y", ["a", "b"]);
            change(&mut columns);
            let error = EvaluateRequest::new(columns).check().expect_err("impossible").to_string();
            assert!(error.contains(expected), "{error}");
        };
        check(|c| c.scores.clear(), "`score = COLUMN`");
        check(|c| c.model = Some("m".into()), "one `score` column only");
        check(|c| c.scores[1] = "a".into(), "named twice");
        check(|c| c.scores[1] = "y".into(), "both the truth and a score");
        check(|c| c.predicted_amounts = vec!["p".into()], "`amount = COLUMN`");
    }

    #[test]
    fn parts_of_no_list_are_refused() {
        let check = |parts: &[At], expected: &str| {
            let mut request = EvaluateRequest::new(ScoreColumns::new("y", ["a"]));
            request.stress_selection = parts.to_vec();
            let found = request.check().map_err(|error| error.to_string());
            assert!(found.clone().err().unwrap_or_default().contains(expected), "{found:?}");
            assert_eq!(found.is_ok(), expected.is_empty());
        };
        check(&[At::Share(1.0), At::Share(0.1), At::Count(1.0)], "");
        for wrong in
            [At::Share(0.0), At::Share(1.5), At::Share(f64::NAN), At::Count(0.0), At::Count(f64::INFINITY)]
        {
            check(&[At::Share(0.5), wrong], "is no part of a list");
        }
        check(&[At::Share(0.5), At::Count(3.0), At::Share(0.5)], "names 0.5 twice");
    }

    #[test]
    fn impossible_margins_and_draws_are_refused() {
        let check = |change: fn(&mut EvaluateRequest), expected: &str| {
            let mut request = EvaluateRequest::new(ScoreColumns::new("y", ["a"]));
            change(&mut request);
            let error = request.check().expect_err("impossible").to_string();
            assert!(error.contains(expected), "{error}");
        };
        check(|request| request.margin = -0.1, "0 or more");
        check(|request| request.margin = f64::NAN, "0 or more");
        check(|request| request.replicates = Some(10), "at least 50");
    }
}
