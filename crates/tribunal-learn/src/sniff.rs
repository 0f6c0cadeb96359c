//! What a column seems to be, told from its values: its kind, its role, and what a reader should know about it.

use std::fmt;

use rustc_hash::FxHashSet;

use crate::dates::has_date_form;
use crate::kind::{Kind, Levels};
use crate::level_order::{are_sizes, natural_order};
use crate::schema::Role;

/// What a column seems to be.
#[derive(Clone, Debug, PartialEq)]
pub struct Sniffed {
    /// Its kind.
    pub kind: Kind,
    /// Whether it may serve as a predictor.
    pub role: Role,
    /// What is remarkable about it.
    pub remarks: Vec<Remark>,
}

/// What a reader should know about a column before believing a model that uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// It names the row: learners would learn the rows by heart.
    Identifier,
    /// It is the same everywhere.
    Constant,
    /// It is missing everywhere.
    Empty,
    /// It holds dates written as text.
    Dates,
    /// It holds sentences.
    FreeText,
    /// It has very many levels for its rows.
    ManyLevels,
    /// It holds numbers, but in a few rows something else.
    NearlyNumeric,
    /// It holds numbers in a notation that is not read as numbers, such as a decimal comma.
    OtherNotation {
        /// One of them.
        example: String,
        /// The same with digits and a point.
        plain: String,
    },
    /// Its zeros stand so far from its other numbers that they may mean missing; how many there are.
    ZerosFarOff(usize),
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::Identifier => f.write_str("it names the row"),
            Remark::Constant => f.write_str("it is the same in every row"),
            Remark::Empty => f.write_str("it is missing in every row"),
            Remark::Dates => f.write_str("it holds dates as text, each of which would be a level of its own"),
            Remark::FreeText => f.write_str("it holds sentences"),
            Remark::ManyLevels => f.write_str("it has very many levels for its rows"),
            Remark::NearlyNumeric => f.write_str("it holds numbers but for a few cells"),
            Remark::OtherNotation { example, plain } => {
                write!(f, "it holds numbers in a notation that is not read (\"{example}\" for {plain})")
            }
            Remark::ZerosFarOff(rows) => write!(f, "its {rows} zeros stand far off and may mean missing"),
        }
    }
}

/// A column of numbers, missing ones NaN.
///
/// ```
/// use tribunal_learn::{Kind, sniff_numbers};
///
/// assert_eq!(sniff_numbers("night", &[0.0, 1.0, f64::NAN, 1.0]).kind, Kind::Flag);
/// assert_eq!(sniff_numbers("lag", &[3.0, 1.0, 14.0]).kind, Kind::Numeric);
/// ```
pub fn sniff_numbers(name: &str, values: &[f64]) -> Sniffed {
    let mut present: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    sort(&mut present);
    let n_present = present.len();
    let is_flag = n_present > 0 && present.iter().all(|&value| value == 0.0 || value == 1.0);
    let kind = if is_flag { Kind::Flag } else { Kind::Numeric };
    let zeros = zeros_far_off(&present);
    present.dedup();
    let mut remarks = Vec::new();
    match present.len() {
        0 => remarks.push(Remark::Empty),
        1 if n_present == values.len() => remarks.push(Remark::Constant),
        _ if is_row_index(name) || numbers_are_names(name, &present, n_present) => {
            remarks.push(Remark::Identifier);
        }
        _ => remarks.extend(zeros.map(Remark::ZerosFarOff)),
    }
    sniffed(kind, remarks)
}

/// Sorts numbers, by counting where they are whole and not large, as codes and counts are.
fn sort(values: &mut [f64]) {
    const TABLE: usize = 1 << 12;
    let is_small = |&value: &f64| (0.0..TABLE as f64).contains(&value) && f64::from(value as u32) == value;
    if !values.iter().all(is_small) {
        return values.sort_unstable_by(f64::total_cmp);
    }
    let mut counts = vec![0_usize; TABLE];
    values.iter().for_each(|&value| counts[value as usize] += 1);
    let mut rest = values;
    for (value, count) in counts.into_iter().enumerate() {
        let (run, after) = rest.split_at_mut(count);
        run.fill(value as f64);
        rest = after;
    }
}

/// A column of labels: each with the number of its rows, and how many rows have none.
///
/// ```
/// use tribunal_learn::sniff_labels;
///
/// let sniffed = sniff_labels([("no", 40), ("yes", 2)], 0);
/// assert_eq!(sniffed.kind.to_string(), "flag");
/// ```
pub fn sniff_labels<'a>(labels: impl IntoIterator<Item = (&'a str, u64)>, n_missing: u64) -> Sniffed {
    let labels: Vec<(&str, u64)> = labels.into_iter().filter(|(_, rows)| *rows > 0).collect();
    let n_rows: u64 = labels.iter().map(|(_, rows)| rows).sum();
    let texts = || labels.iter().map(|&(text, _)| text);
    let share_distinct = labels.len() as f64 / n_rows.max(1) as f64;
    let mut remarks = Vec::new();
    match labels.len() {
        0 => remarks.push(Remark::Empty),
        1 if n_missing == 0 => remarks.push(Remark::Constant),
        n_levels if n_levels > 2 && texts().all(has_date_form) => remarks.push(Remark::Dates),
        n_levels if n_levels >= 20 && share_distinct > 0.95 => {
            let n_spaces: usize = texts().map(|text| text.matches(' ').count()).sum();
            let is_text = n_spaces > 4 * n_levels;
            remarks.push(if is_text { Remark::FreeText } else { Remark::Identifier });
        }
        n_levels if n_levels > 1000 || (n_levels > 50 && share_distinct > 0.2) => {
            remarks.push(Remark::ManyLevels);
        }
        _ => {}
    }
    let is_flag = labels.len() == 2 && texts().all(|text| flag_value(text).is_some()) && {
        texts().map(flag_value).collect::<FxHashSet<_>>().len() == 2
    };
    let kind = if is_flag { Kind::Flag } else { kind_of_levels(texts().map(str::to_owned).collect()) };
    sniffed(kind, remarks)
}

/// The words, in small letters, that say 0 and those that say 1 where a flag is expected.
pub const FLAG_WORDS: [&[&str]; 2] = [
    &["0", "0.0", "no", "n", "false", "f", "nein", "non", "nee", "não"],
    &["1", "1.0", "yes", "y", "true", "t", "ja", "oui", "si", "sí", "sim"],
];

/// What a text says where a flag is expected: 0 or 1.
///
/// ```
/// use tribunal_learn::flag_value;
///
/// assert_eq!(["yes", "F", "0", "maybe"].map(flag_value), [Some(1), Some(0), Some(0), None]);
/// ```
pub fn flag_value(text: &str) -> Option<u32> {
    let text = text.trim().to_lowercase();
    (0..).zip(FLAG_WORDS).find(|(_, words)| words.contains(&text.as_str())).map(|(value, _)| value)
}

fn kind_of_levels(levels: Vec<String>) -> Kind {
    let is_ordered = are_sizes(&levels);
    let levels = Levels::met(natural_order(levels));
    if is_ordered { Kind::Ordered(levels) } else { Kind::Categorical(levels) }
}

fn sniffed(kind: Kind, remarks: Vec<Remark>) -> Sniffed {
    let role = match remarks.first() {
        Some(Remark::Identifier) => Role::Identifier,
        Some(Remark::Empty | Remark::Dates | Remark::FreeText) => Role::Ignore,
        _ => Role::Predictor,
    };
    Sniffed { kind, role, remarks }
}

/// Whether a column is called as pandas calls the index of a data frame that is written to Parquet or Arrow.
fn is_row_index(name: &str) -> bool {
    let number = name.strip_prefix("__index_level_").and_then(|rest| rest.strip_suffix("__"));
    number.is_some_and(|digits| !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()))
}

/// Whether whole numbers, sorted and each once, name their rows: all differ, and they follow one another or are so many
/// that chance does not explain it; or most differ, and the column is called an identifier.
fn numbers_are_names(name: &str, distinct: &[f64], n_present: usize) -> bool {
    const MANY: usize = 1000;
    let is_whole = distinct.iter().all(|value| value.fract() == 0.0);
    let (Some(first), Some(last)) = (distinct.first(), distinct.last()) else { return false };
    let is_run = n_present >= 20 && last - first == (n_present - 1) as f64;
    let all_differ = distinct.len() == n_present;
    let most_differ = distinct.len() * 2 >= n_present;
    is_whole
        && (all_differ && (is_run || n_present >= MANY)
            || most_differ && n_present >= 20 && is_called_id(name))
}

/// Whether a name has a word that identifiers are called by.
fn is_called_id(name: &str) -> bool {
    let spaced: String = name
        .chars()
        .flat_map(|c| if c.is_uppercase() { [' ', c] } else { ['\0', c] })
        .filter(|&c| c != '\0')
        .collect();
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect()
    };
    let known = ["id", "ids", "key", "number", "no", "nr", "uuid", "guid", "identifier"];
    words(name).iter().chain(&words(&spaced)).any(|word| known.contains(&word.as_str()))
}

/// How many zeros there are, if no number is negative and the next larger one is at least seven ordinary steps away and
/// not small itself. `sorted` holds every number.
fn zeros_far_off(sorted: &[f64]) -> Option<usize> {
    let n_zeros = sorted.partition_point(|&value| value <= 0.0);
    let others = &sorted[n_zeros..];
    if n_zeros == 0 || sorted[0] < 0.0 || n_zeros * 2 > sorted.len() || others.len() < 20 {
        return None;
    }
    let (next, median) = (others[0], others[others.len() / 2]);
    let mut distinct = others.to_vec();
    distinct.dedup();
    let mut steps: Vec<f64> = distinct.windows(2).map(|pair| pair[1] - pair[0]).collect();
    steps.sort_by(f64::total_cmp);
    let step = *steps.get(steps.len() / 2)?;
    // A share of nothing is a share like any other.
    let are_shares = others.last().is_some_and(|&most| most <= 1.0);
    (steps.len() >= 10 && !are_shares && next >= 7.0 * step && next >= 0.2 * median).then_some(n_zeros)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_numbers(name: &str, values: &[f64], kind: &str, remarks: &[Remark]) {
        let sniffed = sniff_numbers(name, values);
        assert_eq!((sniffed.kind.name(), &sniffed.remarks[..]), (kind, remarks), "{name}");
    }

    fn run(first: usize, n: usize) -> Vec<f64> {
        (first..first + n).map(|value| value as f64).collect()
    }

    #[test]
    fn numbers_are_flags_measures_or_names() {
        check_numbers("x", &[0.0, 1.0, 1.0], "flag", &[]);
        check_numbers("x", &[1.0, 1.0], "flag", &[Remark::Constant]);
        check_numbers("x", &[f64::NAN], "numeric", &[Remark::Empty]);
        check_numbers("x", &[7.0, f64::NAN], "numeric", &[]);
        check_numbers("row", &run(1, 50), "numeric", &[Remark::Identifier]);
        check_numbers("amount", &run(1, 50).iter().map(|v| v * v).collect::<Vec<_>>(), "numeric", &[]);
        let codes: Vec<f64> = run(1, 50).iter().map(|v| v * v).collect();
        check_numbers("PolicyNumber", &codes, "numeric", &[Remark::Identifier]);
        check_numbers("__index_level_0__", &[7.0, 3.0, 900.0], "numeric", &[Remark::Identifier]);
        check_numbers("width", &codes, "numeric", &[]);
        check_numbers("claim_id", &codes, "numeric", &[Remark::Identifier]);
    }

    #[test]
    fn counting_sorts_like_sorting() {
        let mut values = [5.0, 0.0, 4095.0, 5.0, -0.0, 17.0];
        sort(&mut values);
        assert_eq!(values, [0.0, 0.0, 5.0, 5.0, 17.0, 4095.0]);
        let mut others = [5.5, -1.0, 1e9];
        sort(&mut others);
        assert_eq!(others, [-1.0, 5.5, 1e9]);
    }

    #[test]
    fn zeros_that_stand_far_off_are_counted() {
        let mut ages = run(16, 60);
        ages.extend([0.0; 5]);
        check_numbers("age", &ages, "numeric", &[Remark::ZerosFarOff(5)]);
        let mut children = run(0, 15);
        children.extend(run(0, 15));
        check_numbers("children", &children, "numeric", &[]);
    }

    fn check_labels(labels: &[&str], kind: &str, remarks: &[Remark]) {
        let counted = labels.iter().map(|&label| (label, 1));
        let sniffed = sniff_labels(counted, 0);
        assert_eq!((sniffed.kind.name(), &sniffed.remarks[..]), (kind, remarks), "{labels:?}");
    }

    #[test]
    fn labels_are_flags_categories_or_names() {
        check_labels(&["no", "yes"], "flag", &[]);
        check_labels(&["yes", "y"], "categorical", &[]);
        check_labels(&["red", "green"], "categorical", &[]);
        check_labels(&["none", "1", "2 to 4"], "ordered", &[]);
        check_labels(&["only"], "categorical", &[Remark::Constant]);
        check_labels(&[], "categorical", &[Remark::Empty]);
        check_labels(&["2024-01-05", "2024-01-06", "2024-02-01"], "categorical", &[Remark::Dates]);
        check_labels(&["5/1/2024 10:00", "6/1/2024 11:00", "7/1/2024 9:00"], "categorical", &[Remark::Dates]);
        check_labels(&["5 Jan 2024", "6 Feb 2024", "30 Feb 2024"], "categorical", &[Remark::Dates]);
        check_labels(&["2024-01", "2024-02", "2024-03"], "categorical", &[]);
        let ids: Vec<String> = (0..50).map(|idx| format!("C-{idx}")).collect();
        check_labels(
            &ids.iter().map(String::as_str).collect::<Vec<_>>(),
            "categorical",
            &[Remark::Identifier],
        );
        let texts: Vec<String> = (0..50).map(|idx| format!("the claimant was hit on day {idx}")).collect();
        check_labels(
            &texts.iter().map(String::as_str).collect::<Vec<_>>(),
            "categorical",
            &[Remark::FreeText],
        );
    }
}
