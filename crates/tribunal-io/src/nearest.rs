//! The known name nearest to a mistyped one, for "did you mean".

/// The known name most like `name`, if any is near enough to be worth suggesting.
///
/// Letter case does not count. Names are near when two thirds of their letters agree, or when one begins
/// with the other; the first known name wins a tie.
///
/// ```
/// let columns = ["claim_id", "score", "label"];
/// assert_eq!(tribunal_io::nearest("Scroe", columns.into_iter()), Some("score"));
/// assert_eq!(tribunal_io::nearest("amount", columns.into_iter()), None);
/// ```
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const NEAR_ENOUGH: f64 = 0.65;
    let name = name.to_lowercase();
    let mut best = (NEAR_ENOUGH, None);
    for candidate in known {
        let likeness = likeness(&name, &candidate.to_lowercase());
        if likeness > best.0 {
            best = (likeness, Some(candidate));
        }
    }
    best.1
}

/// One for equal names, zero for names with nothing in common.
fn likeness(name: &str, candidate: &str) -> f64 {
    const PREFIX: f64 = 0.8;
    let edits = strsim::normalized_damerau_levenshtein(name, candidate);
    let prefixed =
        name.len().min(candidate.len()) >= 3 && (name.starts_with(candidate) || candidate.starts_with(name));
    if prefixed { edits.max(PREFIX) } else { edits }
}

/// `; did you mean "score"?` or nothing.
pub(crate) fn did_you_mean<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(name, known).map_or(String::new(), |found| format!("; did you mean \"{found}\"?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, known: &[&str], expected: Option<&str>) {
        assert_eq!(nearest(name, known.iter().copied()), expected, "{name} among {known:?}");
    }

    #[test]
    fn typing_slips_are_found_and_strangers_are_not() {
        check("scroe", &["label", "score"], Some("score"));
        check("SCORE", &["label", "score"], Some("score"));
        check("score", &["scores.csv", "x"], Some("scores.csv"));
        check("probability", &["label", "score"], None);
        check("x", &[], None);
    }

    #[test]
    fn the_first_of_equals_wins() {
        check("score_c", &["score_a", "score_b"], Some("score_a"));
    }
}
