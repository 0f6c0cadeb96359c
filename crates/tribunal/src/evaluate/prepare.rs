//! The part of the work that needs one batch and no other, done where the batch is decoded: on all cores.
//!
//! Only batches without a flaw are prepared. Whatever is missing, infinite or unknown goes on to the gatherer as it
//! is, which sees batches in order and can say which flaw comes first and where it stands.

use std::borrow::Cow;

use tribunal_eval::{CodedScores, ScoredChunks, ScoredSet};
use tribunal_io::{Draft, DraftLabels, Labels};

use super::gather::Layout;
use super::kept::{KeptRow, Limits, scattered};
use super::weights::WeightFigures;
use crate::classes::names_same;

/// A batch counted or split, one model after the other.
pub(super) struct Prepared {
    pub(super) models: Vec<ScoredChunks>,
    /// For each model the rows that may be kept; none where rows are not wanted.
    pub(super) candidates: Vec<Vec<KeptRow>>,
    pub(super) weights: WeightFigures,
    /// Cases of weight: negatives, positives.
    pub(super) n_cases: [u64; 2],
    /// Each label of the truth column with the first row that has it.
    labels: Vec<(String, usize)>,
}

impl Prepared {
    /// The first row with a label.
    pub(super) fn first_row(&self, label: &str) -> usize {
        self.labels.iter().find(|(known, _)| known == label).map_or(0, |(_, row)| *row)
    }
}

/// More labels than this are no classes; the gatherer will say so.
const MOST_LABELS: usize = 16;

/// Prepares a batch, where nothing but rankings over all rows is wanted of it and nothing is wrong with it.
pub(super) fn prepare(
    draft: &Draft<'_>,
    layout: &Layout,
    positive: &str,
    keeping: Option<&Limits>,
) -> Option<Prepared> {
    if !layout.is_rankings_only() {
        return None;
    }
    let labels = draft.labels(0).filter(|labels| labels.dictionary.len() <= MOST_LABELS)?;
    let truth = truth(labels, positive)?;
    let complete = |at: usize| {
        let numbers = draft.numbers(at).filter(|numbers| numbers.first_missing().is_none())?;
        Some(&numbers.values[..])
    };
    let weight = layout.weight.map(|at| complete(at).ok_or(())).transpose().ok()?;
    let amount = layout.amount.map(|at| complete(at).ok_or(())).transpose().ok()?;
    let model = |at: usize| {
        let coded = draft.coded(at);
        let counted = coded.filter(|_| weight.is_none()).and_then(|coded| {
            ScoredChunks::of_codes(&truth, CodedScores { codes: &coded.codes, scores: &coded.values }, amount)
        });
        if counted.is_some() {
            return counted;
        }
        let score = match coded {
            Some(coded) => Cow::Owned(coded.decode().values.to_vec()),
            None => Cow::Borrowed(complete(at)?),
        };
        let mut set = ScoredSet::new(&truth, &score).ok()?;
        set = weight.map_or(Ok(set), |weight| set.with_weight(weight)).ok()?;
        set = amount.map_or(Ok(set), |amount| set.with_amount(amount)).ok()?;
        Some(ScoredChunks::of(&set))
    };
    let models = layout.scores().map(model).collect::<Option<_>>()?;
    let (candidates, n_cases) = match keeping {
        Some(limits) => (candidates(draft, layout, &truth, weight, limits), n_cases(&truth, weight)),
        None => (Vec::new(), [0, 0]),
    };
    let weights = WeightFigures::of(weight.unwrap_or_default());
    Some(Prepared { models, candidates, weights, n_cases, labels: first_rows(labels) })
}

/// For each model the rows whose key lies within the limits. Where the batch stands in the file is not known yet, so
/// the keys start from its first score.
fn candidates(
    draft: &Draft<'_>,
    layout: &Layout,
    truth: &[bool],
    weight: Option<&[f64]>,
    limits: &Limits,
) -> Vec<Vec<KeptRow>> {
    let limits = limits.now();
    let score = |at: usize, row: usize| match draft.coded(at) {
        Some(coded) => coded.values[usize::from(coded.codes[row])],
        None => draft.numbers(at).map_or(0.0, |numbers| numbers.values[row]),
    };
    let weight = |row: usize| weight.map_or(1.0, |weight| weight[row]);
    let start = scattered(score(layout.scores().start, 0).to_bits());
    let key = |row: usize| start.wrapping_add(scattered(row as u64));
    let within = |&row: &usize| key(row) <= limits[usize::from(truth[row])] && weight(row) > 0.0;
    let chosen: Vec<usize> = (0..truth.len()).filter(within).collect();
    let of_model = |at: usize| {
        let row = |&row: &usize| {
            let (positive, score, weight) = (truth[row], score(at, row), weight(row));
            KeptRow { key: key(row), positive, score, weight, fold: 0 }
        };
        chosen.iter().map(row).collect()
    };
    layout.scores().map(of_model).collect()
}

fn n_cases(truth: &[bool], weight: Option<&[f64]>) -> [u64; 2] {
    let is_case = |row: usize| weight.is_none_or(|weight| weight[row] > 0.0);
    let (mut cases, mut positives) = (0, 0);
    for (row, &truth) in truth.iter().enumerate() {
        cases += u64::from(is_case(row));
        positives += u64::from(truth && is_case(row));
    }
    [cases - positives, positives]
}

/// Whether each row is positive, if every row has a label.
fn truth(labels: DraftLabels<'_>, positive: &str) -> Option<Vec<bool>> {
    let verdicts: Vec<bool> = labels.dictionary.iter().map(|label| names_same(label, positive)).collect();
    let is_complete = labels.codes.iter().fold(true, |all, &code| all & (code != Labels::MISSING));
    is_complete.then(|| labels.codes.iter().map(|&code| verdicts[code as usize]).collect())
}

fn first_rows(labels: DraftLabels<'_>) -> Vec<(String, usize)> {
    let first = |code: u32| labels.codes.iter().position(|&other| other == code).unwrap_or(0);
    (0..).zip(labels.dictionary.iter()).map(|(code, label)| (label.to_owned(), first(code))).collect()
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
