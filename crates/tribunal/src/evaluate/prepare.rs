//! The part of the work that needs one batch and no other, done where the batch is decoded: on all cores.
//!
//! What is wrong with a batch is kept beside it and told when its turn comes, so that the first flaw of a table is the one
//! that is reported, with its place.

use std::borrow::Cow;
use std::ops::Range;

use tribunal_eval::{CodedScores, Error as Judge, ScoredChunks, ScoredSet};
use tribunal_io::{Draft, DraftLabels, Labels, Place};

use super::layout::Layout;
use super::weights::WeightFigures;
use crate::classes::names_same;
use crate::error::Error;

/// The squares of larger amounts cannot be added up.
pub(super) const LARGEST_AMOUNT: f64 = 1e100;

/// A batch counted or split, one model after the other.
pub(super) struct Prepared {
    /// Whether each row is positive; nothing where a label is missing.
    pub(super) truth: Vec<bool>,
    /// The labels of the truth column in order of first appearance.
    pub(super) labels: Vec<LabelRows>,
    pub(super) weights: WeightFigures,
    /// The rows of each model, or what is wrong with the first that cannot be judged.
    pub(super) parts: Result<Vec<Part>, Flaw>,
}

/// A label of the truth column in a batch.
pub(super) struct LabelRows {
    pub(super) label: String,
    pub(super) first_row: usize,
    pub(super) n_rows: u64,
}

/// The rows of one model.
pub(super) struct Part {
    /// Which of the score columns.
    pub(super) score: usize,
    /// The rows of the batch that are its own; nothing where all are.
    pub(super) rows: Option<Vec<usize>>,
    pub(super) all: ScoredChunks,
    /// For each fold a row that stands in it, and its rows.
    pub(super) folds: Vec<(usize, ScoredChunks)>,
    /// Those of each segment, with one row that lies in it.
    pub(super) segments: Vec<(usize, ScoredChunks)>,
    /// Negatives and positives.
    pub(super) n_rows: [u64; 2],
    /// The same of rows with a weight above zero.
    pub(super) n_cases: [u64; 2],
}

/// What is wrong with a batch.
#[derive(Clone, Debug)]
pub(super) enum Flaw {
    /// A value is missing.
    Missing { column: usize, row: usize },
    /// A value cannot be judged.
    Invalid { column: usize, row: usize, problem: String },
    /// An amount or its prediction is no finite number.
    Amounts { row: usize, actual: f64, predicted: f64 },
    /// A column names too many groups.
    TooMany { column: usize, what: &'static str },
}

/// More models or folds than this are taken for a mistake: an id in the wrong place.
pub(super) const MOST_GROUPS: usize = 1000;

impl Flaw {
    /// The flaw with its place in the file.
    pub(super) fn error(&self, layout: &Layout, place: &Place) -> Error {
        match self {
            Self::Missing { column, row } => Error::data(format!(
                "{}, column \"{}\": the value is missing; fill it in, or leave out the row or the column",
                place.locate(*row),
                layout.name(*column)
            )),
            Self::Invalid { column, row, problem } => {
                Error::data(format!("{}, column \"{}\": {problem}", place.locate(*row), layout.name(*column)))
            }
            Self::Amounts { row, actual, predicted } => Error::data(format!(
                "{}: the amount is {actual} and the predicted amount {predicted}; both must be numbers up to 1e100, or their squares cannot be added up: choose another unit",
                place.locate(*row)
            )),
            Self::TooMany { column, what } => Error::usage(format!(
                "column \"{}\" names more than {MOST_GROUPS} {what}s; is it the column of the {what}s?",
                layout.name(*column)
            )),
        }
    }
}

impl Prepared {
    /// Counts or splits the rows of a batch, and lets go of the labels that only say which are positive.
    pub(super) fn of(draft: &mut Draft<'_>, layout: &Layout, positive: &str) -> Self {
        let prepared = match draft.labels(0) {
            Some(labels) => Self::of_labelled(draft, labels, layout, positive),
            None => Self::flawed(Flaw::Missing { column: 0, row: 0 }),
        };
        draft.let_go(0);
        prepared
    }

    fn flawed(flaw: Flaw) -> Self {
        Self { truth: Vec::new(), labels: Vec::new(), weights: WeightFigures::default(), parts: Err(flaw) }
    }

    fn of_labelled(draft: &Draft<'_>, labels: DraftLabels<'_>, layout: &Layout, positive: &str) -> Self {
        if let Some(row) = first_missing(labels) {
            return Self::flawed(Flaw::Missing { column: 0, row });
        }
        let verdicts: Vec<bool> = labels.dictionary.iter().map(|label| names_same(label, positive)).collect();
        let truth: Vec<bool> = labels.codes.iter().map(|&code| verdicts[code as usize]).collect();
        let rows = BatchRows::of(draft, layout, &truth);
        let weights = rows.as_ref().ok().and_then(|rows| rows.weight.as_deref()).map(WeightFigures::of);
        let parts = rows.and_then(|rows| rows.parts());
        Self { labels: label_rows(labels), weights: weights.unwrap_or_default(), parts, truth }
    }
}

/// The columns of a batch that all models share, without gaps.
struct BatchRows<'b> {
    draft: &'b Draft<'b>,
    layout: &'b Layout,
    truth: &'b [bool],
    weight: Option<Cow<'b, [f64]>>,
    amount: Option<Cow<'b, [f64]>>,
}

impl<'b> BatchRows<'b> {
    fn of(draft: &'b Draft<'b>, layout: &'b Layout, truth: &'b [bool]) -> Result<Self, Flaw> {
        layout.id.map_or(Ok(()), |column| labelled(draft, column).map(drop))?;
        let weight = layout.weight.map(|column| complete(draft, column)).transpose()?;
        let amount = layout.amount.map(|column| match layout.amount_of_everybody {
            true => complete(draft, column),
            false => amounts(draft, column, truth),
        });
        let amount = amount.transpose()?;
        layout.model.map_or(Ok(()), |column| groups(draft, column, "model").map(drop))?;
        layout.fold.map_or(Ok(()), |column| groups(draft, column, "fold").map(drop))?;
        layout.by.clone().try_for_each(|column| groups(draft, column, "segment").map(drop))?;
        Ok(Self { draft, layout, truth, weight, amount })
    }

    /// The rows of each model: one for each score column, or one for each model that the batch names.
    fn parts(&self) -> Result<Vec<Part>, Flaw> {
        let Some(column) = self.layout.model else {
            let n_scores = self.layout.scores.len();
            return (0..n_scores).map(|score| self.part(score, None)).collect();
        };
        self.check(0)?;
        let every: Vec<usize> = (0..self.truth.len()).collect();
        let members = by_code(&every, labelled(self.draft, column)?);
        members.into_iter().map(|rows| self.part(0, Some(rows))).collect()
    }

    fn part(&self, score: usize, rows: Option<Vec<usize>>) -> Result<Part, Flaw> {
        let all = match &rows {
            Some(rows) => self.chosen(score, rows)?,
            None => self.every(score)?,
        };
        if rows.is_none() {
            self.check_predicted(score)?;
        }
        let own = || rows.clone().unwrap_or_else(|| (0..self.truth.len()).collect());
        let folds = match self.layout.fold {
            Some(column) => self.grouped(score, vec![own()], column..column + 1)?,
            None => Vec::new(),
        };
        let segments = match self.layout.by.is_empty() {
            false => self.grouped(score, vec![own()], self.layout.by.clone())?,
            true => Vec::new(),
        };
        let n_rows = self.count(rows.as_deref(), |_| true);
        let n_cases = match &self.weight {
            Some(weight) => self.count(rows.as_deref(), |row| weight[row] > 0.0),
            None => n_rows,
        };
        Ok(Part { score, rows, all, folds, segments, n_rows, n_cases })
    }

    /// The rows of each combination of labels of some columns, with one that has it.
    fn grouped(
        &self,
        score: usize,
        mut groups: Vec<Vec<usize>>,
        columns: Range<usize>,
    ) -> Result<Vec<(usize, ScoredChunks)>, Flaw> {
        for column in columns {
            let codes = labelled(self.draft, column)?;
            groups =
                groups.iter().flat_map(|rows| by_code(rows, codes)).filter(|rows| !rows.is_empty()).collect();
        }
        groups
            .iter()
            .filter(|rows| !rows.is_empty())
            .map(|rows| Ok((rows[0], self.chosen(score, rows)?)))
            .collect()
    }

    /// All rows with one score column.
    fn every(&self, score: usize) -> Result<ScoredChunks, Flaw> {
        let counts = self.weight.is_none() && !self.layout.amount_of_everybody;
        let coded = self.draft.coded(self.layout.scores.start + score).filter(|_| counts);
        let counted = coded.and_then(|coded| {
            let scores = CodedScores { codes: &coded.codes, scores: &coded.values };
            ScoredChunks::of_codes(self.truth, scores, self.amount.as_deref())
        });
        match counted {
            Some(counted) => Ok(counted),
            None => Ok(ScoredChunks::of(&self.scored(score, &self.scores(score)?)?)),
        }
    }

    /// Some rows with one score column.
    fn chosen(&self, score: usize, rows: &[usize]) -> Result<ScoredChunks, Flaw> {
        let pick = |column: &[f64]| rows.iter().map(|&row| column[row]).collect::<Vec<f64>>();
        let truth: Vec<bool> = rows.iter().map(|&row| self.truth[row]).collect();
        let scores = pick(&self.scores(score)?);
        let weight = self.weight.as_deref().map(pick);
        let amount = self.amount.as_deref().map(pick);
        let set = ScoredSet::new(&truth, &scores)
            .and_then(|set| weight.as_deref().map_or(Ok(set), |weight| set.with_weight(weight)))
            .and_then(|set| amount.as_deref().map_or(Ok(set), |amount| self.with_amount(set, amount)));
        let set = set.map_err(|error| {
            let row = error.row().map_or(0, |row| rows[row]);
            self.invalid(self.layout.scores.start + score, row, &error)
        });
        Ok(ScoredChunks::of(&set?))
    }

    fn scores(&self, score: usize) -> Result<Cow<'b, [f64]>, Flaw> {
        complete(self.draft, self.layout.scores.start + score)
    }

    /// All rows as a set, which checks them.
    fn scored<'s>(&'s self, score: usize, scores: &'s [f64]) -> Result<ScoredSet<'s>, Flaw> {
        let flaw = |column: usize| move |error: Judge| self.invalid(column, error.row().unwrap_or(0), &error);
        let mut set = ScoredSet::new(self.truth, scores).map_err(flaw(self.layout.scores.start + score))?;
        if let (Some(weight), Some(column)) = (&self.weight, self.layout.weight) {
            set = set.with_weight(weight).map_err(flaw(column))?;
        }
        if let (Some(amount), Some(column)) = (&self.amount, self.layout.amount) {
            set = self.with_amount(set, amount).map_err(flaw(column))?;
        }
        Ok(set)
    }

    fn with_amount<'s>(&self, set: ScoredSet<'s>, amount: &'s [f64]) -> Result<ScoredSet<'s>, Judge> {
        match self.layout.amount_of_everybody {
            true => set.with_amount_of_everybody(amount),
            false => set.with_amount(amount),
        }
    }

    fn invalid(&self, column: usize, row: usize, error: &Judge) -> Flaw {
        let problem = match error {
            Judge::NotFinite { value, .. } => format!("{value} is not a finite number"),
            Judge::Extreme { value, .. } => {
                format!("{value:e} is too large or too small to be squared and added up; choose another unit")
            }
            Judge::NegativeWeight { value, .. } => {
                format!("{value} is negative; a weight must be 0 or more")
            }
            other => other.to_string(),
        };
        Flaw::Invalid { column, row, problem }
    }

    /// Whether everything that one model says of the rows can be judged.
    fn check(&self, score: usize) -> Result<(), Flaw> {
        self.scored(score, &self.scores(score)?)?;
        self.check_predicted(score)
    }

    fn check_predicted(&self, score: usize) -> Result<(), Flaw> {
        let (Some(column), Some(actual)) = (self.layout.predicted_by(score), &self.amount) else {
            return Ok(());
        };
        let predicted = complete(self.draft, column)?;
        let is_usable = |value: f64| value.abs() <= LARGEST_AMOUNT;
        let is_infinite = |&row: &usize| !is_usable(predicted[row]) || !is_usable(actual[row]);
        match (0..actual.len()).find(is_infinite) {
            Some(row) => Err(Flaw::Amounts { row, actual: actual[row], predicted: predicted[row] }),
            None => Ok(()),
        }
    }

    /// Negatives and positives among some rows, or all.
    fn count(&self, rows: Option<&[usize]>, counts: impl Fn(usize) -> bool) -> [u64; 2] {
        let (mut all, mut positives) = (0, 0);
        let mut add = |row: usize| {
            all += u64::from(counts(row));
            positives += u64::from(self.truth[row] & counts(row));
        };
        match rows {
            Some(rows) => rows.iter().for_each(|&row| add(row)),
            None => (0..self.truth.len()).for_each(add),
        }
        [all - positives, positives]
    }
}

/// A column of numbers without gaps.
fn complete<'b>(draft: &'b Draft<'b>, column: usize) -> Result<Cow<'b, [f64]>, Flaw> {
    if let Some(coded) = draft.coded(column) {
        return Ok(Cow::Owned(coded.decode().values.to_vec()));
    }
    let missing = |row: usize| Flaw::Missing { column, row };
    let numbers = draft.numbers(column).ok_or(missing(0))?;
    match numbers.first_missing() {
        Some(row) => Err(missing(row)),
        None => Ok(Cow::Borrowed(&numbers.values)),
    }
}

/// Amounts; a negative case without one is worth nothing.
fn amounts<'b>(draft: &'b Draft<'b>, column: usize, truth: &[bool]) -> Result<Cow<'b, [f64]>, Flaw> {
    let Some(numbers) = draft.numbers(column).filter(|numbers| numbers.first_missing().is_some()) else {
        return complete(draft, column);
    };
    let amount = |row: usize| numbers.get(row).or((!truth[row]).then_some(0.0));
    (0..truth.len()).map(|row| amount(row).ok_or(Flaw::Missing { column, row })).collect()
}

/// A column of labels without gaps.
fn labelled<'b>(draft: &'b Draft<'b>, column: usize) -> Result<&'b [u32], Flaw> {
    let missing = |row: usize| Flaw::Missing { column, row };
    let labels = draft.labels(column).ok_or(missing(0))?;
    first_missing(labels).map_or(Ok(labels.codes), |row| Err(missing(row)))
}

/// A column of labels that names models or folds, of which there are not too many.
fn groups<'b>(draft: &'b Draft<'b>, column: usize, what: &'static str) -> Result<&'b [u32], Flaw> {
    let codes = labelled(draft, column)?;
    let n_groups = draft.labels(column).map_or(0, |labels| labels.dictionary.len());
    if n_groups > MOST_GROUPS { Err(Flaw::TooMany { column, what }) } else { Ok(codes) }
}

fn first_missing(labels: DraftLabels<'_>) -> Option<usize> {
    let is_complete = labels.codes.iter().fold(true, |all, &code| all & (code != Labels::MISSING));
    if is_complete { None } else { labels.codes.iter().position(|&code| code == Labels::MISSING) }
}

/// Rows by their code.
fn by_code(rows: &[usize], codes: &[u32]) -> Vec<Vec<usize>> {
    let n_codes = rows.iter().map(|&row| codes[row] as usize + 1).max().unwrap_or(0);
    let mut groups = vec![Vec::new(); n_codes];
    rows.iter().for_each(|&row| groups[codes[row] as usize].push(row));
    groups
}

/// The labels of a column without gaps, which are numbered by first appearance.
fn label_rows(labels: DraftLabels<'_>) -> Vec<LabelRows> {
    let n_labels = labels.dictionary.len();
    let mut first_rows = Vec::with_capacity(n_labels);
    for (row, &code) in labels.codes.iter().enumerate() {
        if code as usize == first_rows.len() {
            first_rows.push(row);
            if first_rows.len() == n_labels {
                break;
            }
        }
    }
    let mut counts = vec![0; n_labels];
    match counts.as_mut_slice() {
        // Two labels are by far the usual case, and comparing is quicker than counting.
        [first, second] => {
            *second = labels.codes.iter().map(|&code| u64::from(code == 1)).sum();
            *first = labels.codes.len() as u64 - *second;
        }
        counts => labels.codes.iter().for_each(|&code| counts[code as usize] += 1),
    }
    let rows = labels.dictionary.iter().zip(first_rows).zip(counts);
    rows.map(|((label, first_row), n_rows)| LabelRows { label: label.to_owned(), first_row, n_rows })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use crate::evaluate::{EvaluateRequest, ScoreColumns, evaluate};

    /// All figures over all rows, or the message of the error.
    fn judged(table: &str, change: impl Fn(&mut ScoreColumns)) -> Result<Vec<String>, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("scores.csv");
        std::fs::write(&path, table).expect("a file");
        let mut columns = ScoreColumns::new("y", ["tied", "continuous"]);
        columns.positive = Some("1".into());
        columns.amount = Some("amount".into());
        change(&mut columns);
        let found = evaluate(&[path.to_string_lossy()], &EvaluateRequest::new(columns), &|_| ());
        let found = found.map_err(|error| {
            let message = error.to_string();
            message[message.find("scores.csv").unwrap_or(0)..].to_owned()
        })?;
        let rows = found.metrics.iter().filter(|row| row.scope.is_all());
        Ok(rows
            .map(|row| format!("{} {} {:?}", row.model, row.metric, row.estimate.map(f64::to_bits)))
            .collect())
    }

    fn table(n_rows: u64) -> String {
        let mut table = String::from("y,tied,continuous,amount,weight,fold\n");
        for row in 0..n_rows {
            let mixed = row.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
            let (y, tied) = (u8::from(mixed % 7 < 2), mixed % 50);
            let line = writeln!(table, "{y},0.{tied:02},0.{mixed:014},{}.5,{},f", mixed % 999, mixed % 3);
            line.expect("a text");
        }
        table
    }

    /// Folds are not prepared, so a table with one fold is read the general way.
    #[test]
    fn prepared_batches_come_to_the_same() {
        let table = table(300_000);
        let with_fold = |columns: &mut ScoreColumns| columns.fold = Some("fold".into());
        let with_weight = |columns: &mut ScoreColumns| columns.weight = Some("weight".into());
        assert_eq!(judged(&table, |_| ()), judged(&table, with_fold));
        let both = |columns: &mut ScoreColumns| {
            with_fold(columns);
            with_weight(columns);
        };
        assert_eq!(judged(&table, with_weight), judged(&table, both));
    }

    #[test]
    fn the_first_flaw_is_told_with_its_place() {
        let good = table(300_000);
        let check = |flaw: &str, expected: &str| {
            let found = judged(&format!("{good}{flaw}1,0.5,0.5,1,1,f\n"), |_| ()).expect_err("a flaw");
            assert!(found.contains("scores.csv, line 300002") && found.contains(expected), "{found}");
        };
        check(",0.5,0.5,1,1,f\n2,0.1,0.1,1,1,f\n", "the value is missing");
        check("2,0.5,0.5,1,1,f\n3,0.5,0.5,1,1,f\n", "\"2\" is a third class");
        check("1,inf,0.5,1,1,f\n", "not a finite number");
        check("1,0.5,,1,1,f\n", "column \"continuous\": the value is missing");
    }
}
