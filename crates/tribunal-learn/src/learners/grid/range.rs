//! Numbers from one to another: `1..64*2` by a factor, `2..10+2` by a step, downwards where the end is the smaller.
//!
//! Each number is computed from the first, not from the one before, and is rounded to twelve digits, so that `0.1..0.5+0.1`
//! holds 0.3 and not 0.30000000000000004. The end is reached if the steps lead to it, and never passed.

/// More values than anybody waits for.
pub(super) const MOST_VALUES: usize = 10_000;

/// How far past the end a number may be for its rounding, in steps or as a share.
const SLACK: f64 = 1e-9;

/// The numbers of a range; `None` where the text is none, because no number leads it to its two points.
///
/// # Errors
/// It begins like a range and is none, in words that say why.
pub(super) fn values(text: &str) -> Option<Result<Vec<String>, String>> {
    let (first, rest) = text.split_once("..")?;
    let first = number(first)?;
    Some(stepped(text, first, rest).map(|values| values.into_iter().map(shown).collect()))
}

fn stepped(text: &str, first: f64, rest: &str) -> Result<Vec<f64>, String> {
    let unread = || {
        format!("{text:?} is no range; write a factor, as in 1..64*2, or a step, as in 2..10+2, above zero")
    };
    let ends = |(last, step): (&str, &str)| number(last).zip(number(step));
    if let Some((last, factor)) = rest.rsplit_once('*').and_then(ends) {
        return geometric(first, last, factor).unwrap_or_else(|| {
            Err(format!("{text:?} leads nowhere; a factor is above one, and what it multiplies above zero"))
        });
    }
    let (last, step) = rest.rsplit_once('+').and_then(ends).ok_or_else(unread)?;
    if step > 0.0 { arithmetic(first, last, step) } else { Err(unread()) }
}

/// `None` where multiplying does not lead from one number to the other.
fn geometric(first: f64, last: f64, factor: f64) -> Option<Result<Vec<f64>, String>> {
    let is_possible = first > 0.0 && last > 0.0 && factor > 1.0;
    is_possible.then(|| {
        let n_steps = (last / first).ln().abs() / factor.ln();
        let up = if last < first { 1.0 / factor } else { factor };
        counted(n_steps, |step| first * up.powi(step))
    })
}

fn arithmetic(first: f64, last: f64, step: f64) -> Result<Vec<f64>, String> {
    let signed = if last < first { -step } else { step };
    let value = |idx: i32| first + f64::from(idx) * signed;
    // What should be zero is a rounding error of the numbers around it.
    counted((last - first).abs() / step, |idx| if value(idx).abs() < step * SLACK { 0.0 } else { value(idx) })
}

fn counted(n_steps: f64, value: impl Fn(i32) -> f64) -> Result<Vec<f64>, String> {
    if n_steps >= MOST_VALUES as f64 {
        return Err(format!("a range has more than {MOST_VALUES} numbers; take larger steps"));
    }
    Ok((0..=(n_steps + SLACK) as i32).map(value).collect())
}

/// A finite number.
pub(super) fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// A number of at most twelve digits.
fn shown(value: f64) -> String {
    let rounded = number(&format!("{value:.11e}")).unwrap_or(value);
    rounded.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_counted_from_their_first_number() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(values(text).expect("a range").expect("numbers"), expected, "{text}");
        };
        check("1..64*2", &["1", "2", "4", "8", "16", "32", "64"]);
        check("1..50*2", &["1", "2", "4", "8", "16", "32"]);
        check("64..16*2", &["64", "32", "16"]);
        check("1e-3..1e+0*10", &["0.001", "0.01", "0.1", "1"]);
        check("2..10+2", &["2", "4", "6", "8", "10"]);
        check("10..3+2", &["10", "8", "6", "4"]);
        check("0.1..0.5+0.1", &["0.1", "0.2", "0.3", "0.4", "0.5"]);
        check("-0.3..0.3+0.1", &["-0.3", "-0.2", "-0.1", "0", "0.1", "0.2", "0.3"]);
        check("5..5+1", &["5"]);
        check("5..5*2", &["5"]);
        assert_eq!(values("1..9999+1").expect("a range").expect("numbers").len(), 9999);
    }

    #[test]
    fn what_is_no_range_says_why() {
        let check = |text: &str, says: &str| {
            let error = values(text).expect("begins like a range").expect_err("none");
            assert!(error.contains(says), "{text}: {error}");
        };
        check("1..5", "write a factor");
        check("1..x*2", "write a factor");
        check("1..5+0", "above zero");
        check("1..5+-1", "above zero");
        check("0..8*2", "leads nowhere");
        check("1..8*1", "leads nowhere");
        check("-1..8*2", "leads nowhere");
        check("1..1e9+1", "more than 10000");
        check("1..1e300*1.0001", "more than 10000");
        assert!(values("platt").is_none() && values("a..b").is_none() && values("0.25").is_none());
    }
}
