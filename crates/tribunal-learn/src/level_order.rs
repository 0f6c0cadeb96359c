//! The order of levels: by what they say where that has an order, by text otherwise.
//!
//! `less than 20000`, `20000 to 29000`, `more than 69000` have an order that a reader sees at once, and so have
//! months. Levels are never ordered by first appearance: the same table in another order must give the same codes.

use std::cmp::Ordering;

use crate::dates::{Timestamp, read_dates};
use crate::label::compare_labels;

const MONTHS: &str = "jan feb mar apr may jun jul aug sep oct nov dec";
const DAYS: &str = "mon tue wed thu fri sat sun";

/// Levels in the order a reader expects: sizes by size, dates, months and weekdays by the calendar, numbers by value, the
/// rest by text.
///
/// ```
/// use tribunal_learn::natural_order;
///
/// let ordered = natural_order(["more than 4", "none", "2 to 4", "1"].map(String::from).to_vec());
/// assert_eq!(ordered, ["none", "1", "2 to 4", "more than 4"]);
/// ```
pub fn natural_order(mut levels: Vec<String>) -> Vec<String> {
    let sizes = size_keys(&levels);
    if let (None, Ok(dates)) = (&sizes, read_dates(&levels, None)) {
        let mut dated: Vec<(Timestamp, String)> = dates.times().iter().copied().zip(levels).collect();
        dated.sort();
        return dated.into_iter().map(|(_, level)| level).collect();
    }
    if let Some(keys) = sizes.or_else(|| calendar_keys(&levels)) {
        let mut keyed: Vec<(SizeKey, String)> = keys.into_iter().zip(levels).collect();
        keyed.sort_by(|a, b| a.0.cmp(&b.0));
        return keyed.into_iter().map(|(_, level)| level).collect();
    }
    levels.sort_by(|a, b| compare_labels(a, b));
    levels
}

/// Whether the levels are sizes that can be told apart: at least three, all readable, no two alike.
pub(crate) fn are_sizes(levels: &[String]) -> bool {
    const MOST: usize = 50;
    (3..=MOST).contains(&levels.len()) && size_keys(levels).is_some()
}

/// A size, and whether what is meant lies below (-1), at (0) or above it (1).
#[derive(Clone, Copy, Debug, PartialEq)]
struct SizeKey(f64, i8);

impl SizeKey {
    fn cmp(&self, other: &SizeKey) -> Ordering {
        self.0.total_cmp(&other.0).then(self.1.cmp(&other.1))
    }
}

/// The sizes of the levels, if each says one, at least two by a number, and no two the same.
fn size_keys(levels: &[String]) -> Option<Vec<SizeKey>> {
    let keys: Vec<SizeKey> = levels.iter().map(|level| size_key(level)).collect::<Option<_>>()?;
    let mut sorted = keys.clone();
    sorted.sort_by(SizeKey::cmp);
    let n_numbered = levels.iter().filter(|level| level.contains(|c: char| c.is_ascii_digit())).count();
    (n_numbered > 1 && sorted.windows(2).all(|pair| pair[0] != pair[1])).then_some(keys)
}

fn size_key(level: &str) -> Option<SizeKey> {
    let text = level.trim().to_lowercase();
    if ["none", "new", "never", "zero"].contains(&text.as_str()) {
        return Some(SizeKey(0.0, -2));
    }
    let below = ["less than", "fewer than", "under", "below", "up to", "at most", "<=", "<"];
    let above = ["more than", "greater than", "over", "above", "at least", ">=", ">"];
    let after = |words: &[&str]| words.iter().find_map(|word| quantity(text.strip_prefix(word)?));
    if let Some(size) = after(&below) {
        return Some(SizeKey(size, -1));
    }
    if let Some(size) = after(&above) {
        return Some(SizeKey(size, 1));
    }
    let open = ["+", "and more", "or more", "and over", "and above"];
    if let Some(size) = open.iter().find_map(|word| quantity(text.strip_suffix(word)?)) {
        return Some(SizeKey(size, 1));
    }
    let range = [" to ", "..", "–", "-", "<=x<"].iter().find_map(|between| {
        let (low, high) = text.split_once(between)?;
        quantity(low).filter(|low| quantity(high).is_some_and(|high| *low <= high))
    });
    range.or_else(|| quantity(&text)).map(|size| SizeKey(size, 0))
}

/// A number, perhaps with a currency before it and a unit of at most two words behind it.
fn quantity(text: &str) -> Option<f64> {
    let text = text.trim().trim_start_matches(['$', '€', '£']).trim_end_matches('%').trim_end();
    let mut words = text.split_whitespace();
    let number: f64 = words.next()?.parse().ok()?;
    let unit: Vec<&str> = words.collect();
    let is_unit = unit.len() <= 2 && unit.iter().all(|word| word.chars().all(char::is_alphabetic));
    (is_unit && number.is_finite()).then_some(number)
}

/// The places of the levels in the calendar, if all are months or all are days of the week.
fn calendar_keys(levels: &[String]) -> Option<Vec<SizeKey>> {
    [MONTHS, DAYS].iter().find_map(|calendar| {
        let place = |level: &String| {
            let start: String = level.to_lowercase().chars().take(3).collect();
            let place = calendar.split(' ').position(|name| name == start)?;
            Some(SizeKey(place as f64, 0))
        };
        let keys: Vec<SizeKey> = levels.iter().map(place).collect::<Option<_>>()?;
        let mut places: Vec<f64> = keys.iter().map(|key| key.0).collect();
        places.sort_by(f64::total_cmp);
        (levels.len() > 2 && places.windows(2).all(|pair| pair[0] != pair[1])).then_some(keys)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expected: &[&str], sizes: bool) {
        let expected: Vec<String> = expected.iter().map(|&level| level.to_owned()).collect();
        let mut shuffled = expected.clone();
        shuffled.reverse();
        shuffled.rotate_left(1);
        assert_eq!(are_sizes(&shuffled), sizes, "{expected:?}");
        assert_eq!(natural_order(shuffled), expected);
    }

    #[test]
    fn sizes_are_ordered_by_size() {
        check(&["less than 20000", "20000 to 29000", "30000 to 39000", "more than 69000"], true);
        check(&["new", "2 years", "3 years", "7 years", "more than 7"], true);
        check(&["0%", "1 - 10%", "11 - 23%", "100%"], true);
        check(&["<0", "0<=X<200", ">=200"], true);
        check(&["$1-100", "$101-500", "$501+"], true);
    }

    #[test]
    fn what_is_no_size_is_ordered_by_text_or_calendar() {
        check(&["Jan", "Feb", "Mar", "Dec"], false);
        check(&["Monday", "Tuesday", "Sunday"], false);
        check(&["a", "b", "no checking"], false);
        check(&["<0", "no checking"], false);
        check(&["0", "Monday", "Tuesday"], false);
        check(&["1", "2"], false);
        check(&["2024-01-05", "2024-01-06", "2024-02-01"], false);
        check(&["15.03.2020", "02.01.2021", "01.12.2021"], false);
        check(&["Dec 2023", "Jan 2024", "Feb 2024"], false);
        check(&["1/2/2021", "3/4/2020", "12/1/2020"], false);
    }
}
