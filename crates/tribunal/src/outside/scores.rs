//! The scores that a command wrote, read and checked row by row.

use std::path::Path;

use csv::StringRecord;
use tribunal_learn::Posteriors;

/// Probabilities that are written with five decimals add up to 1 so far.
const TOLERANCE: f64 = 1e-4;

/// Which columns hold the scores.
enum Layout {
    /// The probability of the positive class.
    Score(usize),
    /// That of each class.
    Classes(Vec<usize>),
}

/// Reads the probabilities of each class. An error says what is wrong, and in which row.
pub(super) fn read_scores(path: &Path, classes: &[String], n_rows: usize) -> Result<Posteriors, String> {
    let mut reader = csv::Reader::from_path(path).map_err(|error| match path.exists() {
        true => format!("the scores cannot be read: {error}"),
        false => {
            "it ended without an error, but wrote no scores; they belong into the file named last".into()
        }
    })?;
    let header = reader.headers().map_err(|error| format!("the scores are no CSV: {error}"))?;
    let layout = Layout::of(header, classes)?;
    let mut values = Vec::with_capacity(n_rows * classes.len());
    let mut n_found = 0;
    for record in reader.records() {
        let record = record.map_err(|error| format!("the scores are no CSV: {error}"))?;
        n_found += 1;
        if n_found <= n_rows {
            layout.push(&record, &mut values).map_err(|what| format!("scores, row {n_found}: {what}"))?;
        }
    }
    if n_found != n_rows {
        let few = if n_found < n_rows { "few" } else { "many" };
        return Err(format!("it wrote too {few} scores: {n_found} for {n_rows} rows; write one line a row"));
    }
    Posteriors::from_values(classes.len(), values).map_err(|error| error.to_string())
}

impl Layout {
    fn of(header: &StringRecord, classes: &[String]) -> Result<Self, String> {
        let place =
            |name: &str| header.iter().position(|found| found.trim_start_matches('\u{feff}').trim() == name);
        let of_classes: Option<Vec<usize>> = classes.iter().map(|class| place(class)).collect();
        match (of_classes, place("score")) {
            (Some(places), _) => Ok(Self::Classes(places)),
            (None, Some(place)) if classes.len() == 2 => Ok(Self::Score(place)),
            _ => {
                let found: Vec<&str> = header.iter().collect();
                let either = if classes.len() == 2 { "a column \"score\", or " } else { "" };
                Err(format!(
                    "the scores have the columns {found:?}; write {either}one column for each of the classes {classes:?}"
                ))
            }
        }
    }

    /// The probabilities of a row.
    fn push(&self, record: &StringRecord, values: &mut Vec<f64>) -> Result<(), String> {
        match self {
            Self::Score(place) => {
                let score = probability(record, *place)?;
                values.extend([1.0 - score, score]);
            }
            Self::Classes(places) => {
                let start = values.len();
                for &place in places {
                    values.push(probability(record, place)?);
                }
                let sum: f64 = values[start..].iter().sum();
                if (sum - 1.0).abs() > TOLERANCE {
                    return Err(format!("the probabilities of the classes add up to {sum}, not to 1"));
                }
            }
        }
        Ok(())
    }
}

fn probability(record: &StringRecord, place: usize) -> Result<f64, String> {
    let text = record.get(place).unwrap_or_default().trim();
    match text.parse::<f64>() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        Ok(value) if value.is_finite() => Err(format!("{text} is no probability: it lies outside 0 to 1")),
        Ok(_) => Err(format!("{text} is not a finite number")),
        Err(_) if text.is_empty() => Err("the score is missing".into()),
        Err(_) => Err(format!("\"{text}\" is not a number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(content: &str, classes: &[&str], n_rows: usize) -> Result<Vec<f64>, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("scores.csv");
        std::fs::write(&path, content).expect("written");
        let classes: Vec<String> = classes.iter().map(|&class| class.to_owned()).collect();
        let found = read_scores(&path, &classes, n_rows)?;
        Ok((0..found.n_rows()).flat_map(|row| found.row(row).to_vec()).collect())
    }

    #[test]
    fn scores_come_in_one_column_or_in_one_for_each_class() {
        let check = |content: &str, classes: &[&str], n_rows: usize, expected: &[f64]| {
            assert_eq!(read(content, classes, n_rows).as_deref(), Ok(expected), "{content}");
        };
        check("score\n0.25\n1\n", &["no", "yes"], 2, &[0.75, 0.25, 0.0, 1.0]);
        check("\"\",\"score\"\r\n\"1\",0.5\r\n", &["no", "yes"], 1, &[0.5, 0.5]);
        check("\u{feff}yes,no\n0.25,0.75\n", &["no", "yes"], 1, &[0.75, 0.25]);
        check("c,b,a\n0.5,0.3333,0.1667\n", &["a", "b", "c"], 1, &[0.1667, 0.3333, 0.5]);
        check("score\n-0\n1e-3\n", &["no", "yes"], 2, &[1.0, -0.0, 0.999, 0.001]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_row() {
        let check = |content: &str, n_rows: usize, expected: &str| {
            let error = read(content, &["no", "yes"], n_rows).expect_err(content);
            assert!(error.contains(expected), "{error}");
        };
        check("score\n0.5\n", 2, "too few scores: 1 for 2 rows");
        check("score\n0.5\n0.5\n0.5\n", 2, "too many scores: 3 for 2 rows");
        check("", 2, "the scores have the columns []");
        check("score\n", 2, "too few scores: 0 for 2 rows");
        check("score\n0.5\nNaN\n", 2, "row 2: NaN is not a finite number");
        check("score\n0.5\ninf\n", 2, "row 2: inf is not a finite number");
        check("score\n1.5\n0.1\n", 2, "row 1: 1.5 is no probability");
        check("score\n-1\n0.1\n", 2, "row 1: -1 is no probability");
        check("score\nhigh\n0.1\n", 2, "row 1: \"high\" is not a number");
        check("id,score\n1,\n2,0.1\n", 2, "row 1: the score is missing");
        check("no,yes\n0.5,0.5\n0.5,0.6\n", 2, "row 2: the probabilities of the classes add up to 1.1");
        check("p\n0.5\n0.6\n", 2, "the scores have the columns [\"p\"]; write a column \"score\", or one");
        check("id,score\n1,0.5\n0.6\n", 2, "the scores are no CSV");
        let three = read("score\n0.5\n", &["a", "b", "c"], 1).expect_err("three classes");
        assert!(
            three.contains("; write one column for each of the classes [\"a\", \"b\", \"c\"]"),
            "{three}"
        );
        let absent = read_scores(Path::new("nowhere.csv"), &[], 1).expect_err("absent");
        assert!(absent.contains("wrote no scores"), "{absent}");
    }
}
