//! The order in which people list labels: numbers by value, `fold 2` before `fold 10`.

use std::cmp::Ordering;

/// Compares two labels: numbers by value and before texts; texts by their letters, runs of digits in them by value.
/// Labels that differ are never equal.
///
/// ```
/// use tribunal_learn::compare_labels;
///
/// assert!(compare_labels("fold 2", "fold 10").is_lt());
/// ```
pub fn compare_labels(a: &str, b: &str) -> Ordering {
    let by_kind = match (label_number(a), label_number(b)) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => by_pieces(a, b),
    };
    by_kind.then_with(|| a.cmp(b))
}

/// The finite number that a label is.
///
/// ```
/// use tribunal_learn::label_number;
///
/// assert_eq!(["4.0", " -0", "four", "inf"].map(label_number), [Some(4.0), Some(0.0), None, None]);
/// ```
pub fn label_number(label: &str) -> Option<f64> {
    // Negative zero is zero.
    label.trim().parse().ok().filter(|number: &f64| number.is_finite()).map(|number| number + 0.0)
}

fn by_pieces(mut a: &str, mut b: &str) -> Ordering {
    while let (Some(first_a), Some(first_b)) = (a.chars().next(), b.chars().next()) {
        let order = if first_a.is_ascii_digit() && first_b.is_ascii_digit() {
            let (digits_a, digits_b) = (take_digits(&mut a), take_digits(&mut b));
            digits_a.len().cmp(&digits_b.len()).then_with(|| digits_a.cmp(digits_b))
        } else {
            (a, b) = (&a[first_a.len_utf8()..], &b[first_b.len_utf8()..]);
            first_a.cmp(&first_b)
        };
        if order.is_ne() {
            return order;
        }
    }
    a.len().cmp(&b.len())
}

/// Takes the digits at the start of a text, less leading zeros.
fn take_digits<'a>(text: &mut &'a str) -> &'a str {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    *text = rest;
    digits.trim_start_matches('0')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(sorted: &[&str]) {
        let mut found = sorted.to_vec();
        found.reverse();
        found.sort_by(|a, b| compare_labels(a, b));
        assert_eq!(found, sorted);
    }

    #[test]
    fn numbers_by_value_and_runs_of_digits_too() {
        check(&["-3", "2", "10", "1e2"]);
        check(&["fold 2", "fold 10", "fold 10 b"]);
        check(&["r1.2", "r1.10", "r2.1"]);
        check(&["7", "007a", "7a", "a", "b"]);
        check(&["0", "inf", "nan"]);
        check(&["é", "ü"]);
    }

    proptest! {
        #[test]
        fn it_is_an_order(a in "[a-c0-2.]{0,4}", b in "[a-c0-2.]{0,4}", c in "[a-c0-2.]{0,4}") {
            prop_assert_eq!(compare_labels(&a, &b), compare_labels(&b, &a).reverse());
            prop_assert_eq!(compare_labels(&a, &b).is_eq(), a == b);
            if compare_labels(&a, &b).is_le() && compare_labels(&b, &c).is_le() {
                prop_assert!(compare_labels(&a, &c).is_le());
            }
        }
    }
}
