//! Numbers as sentences say them.

/// A number of cases: whole cases are whole numbers, and parts of one case have two digits.
pub(crate) fn cases(value: f64) -> String {
    if value.abs() < 1.0 && value.abs() >= 0.0005 {
        let digits = 1.0 - value.abs().log10().floor();
        let text = format!("{value:.*}", digits as usize);
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    let digits = usize::from((value - value.round()).abs() >= 0.05 && value.abs() < 100.0);
    grouped(value, digits)
}

/// A number of cases with the noun: 1 case, 61 cases.
pub(crate) fn counted(value: f64) -> String {
    format!("{} {}", cases(value), noun(value))
}

/// The noun that goes with a number of cases.
fn noun(value: f64) -> &'static str {
    if cases(value) == "1" { "case" } else { "cases" }
}

/// What cases of the positive class are called.
#[derive(Clone, Debug)]
pub(crate) struct Positives {
    /// What stands behind the number: `{} with fraud = yes`; nothing where no label is known.
    kind: Option<String>,
}

impl Positives {
    /// By the name of the truth and its positive label.
    pub(crate) fn of(truth: &str, label: &str) -> Self {
        let is_rule = label.starts_with(['<', '>', '=', '!']);
        let kind = match (truth, label) {
            ("", _) | (_, "") => None,
            (truth, label) if is_rule => Some(format!("with {truth} {label}")),
            (truth, label) => Some(format!("with {truth} = {label}")),
        };
        Self { kind }
    }

    /// So many of them.
    pub(crate) fn counted(&self, value: f64) -> String {
        match &self.kind {
            Some(kind) => format!("{} {kind}", counted(value)),
            None if noun(value) == "case" => format!("{} positive", cases(value)),
            None => format!("{} positives", cases(value)),
        }
    }
}

/// An amount of money, in whatever unit: cents where it is small.
pub(crate) fn money(value: f64) -> String {
    let digits = if value.abs() >= 100.0 || value == 0.0 { 0 } else { 2 };
    grouped(value, digits)
}

/// A share in percent.
pub(crate) fn share(value: f64) -> String {
    match value {
        value if value >= 0.1 => format!("{:.0} %", 100.0 * value),
        value => format!("{:.1} %", 100.0 * value),
    }
}

/// Three decimals, or four where three might show a p value on the wrong side of 5 %.
pub(crate) fn p_in_words(p: f64) -> String {
    match p {
        p if p < 0.001 => "p < 0.001".into(),
        p if (0.0495..0.0505).contains(&p) => format!("p = {p:.4}"),
        p => format!("p = {p:.3}"),
    }
}

/// A number with commas between thousands.
fn grouped(value: f64, digits: usize) -> String {
    // Half a case is rounded up, not to the even number.
    let unit = 10f64.powi(digits as i32);
    let text = format!("{:.digits$}", (value.abs() * unit).round() / unit);
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut grouped = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let is_zero = text.chars().all(|sign| sign == '0' || sign == '.');
    let sign = if value < 0.0 && !is_zero { "-" } else { "" };
    format!("{sign}{grouped}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_counted_by_what_they_are() {
        let check = |truth: &str, label: &str, value: f64, expected: &str| {
            assert_eq!(Positives::of(truth, label).counted(value), expected);
        };
        check("fraud", "yes", 61.0, "61 cases with fraud = yes");
        check("fraud", "yes", 1.0, "1 case with fraud = yes");
        check("lag", ">=10", 0.5, "0.5 cases with lag >=10");
        check("fraud", "", 1.0, "1 positive");
        check("", "", 0.0, "0 positives");
        check("", "", 0.0372, "0.037 positives");
        check("", "", -0.999, "-1 positives");
        assert_eq!([1.0, 0.9, 1204.0].map(counted), ["1 case", "0.9 cases", "1,204 cases"]);
    }

    #[test]
    fn numbers_read_as_people_write_them() {
        assert_eq!(
            [61.0, 61.04, 61.5, 160.6, 1_234_567.0].map(cases),
            ["61", "61", "61.5", "161", "1,234,567"]
        );
        assert_eq!(
            [0.0, 0.684, -12.5, 83_000.4, -1e6].map(money),
            ["0", "0.68", "-12.50", "83,000", "-1,000,000"]
        );
        assert_eq!([-0.001, 999.6].map(money), ["0.00", "1,000"]);
        assert_eq!([0.04, 0.5633, 1.0].map(share), ["4.0 %", "56 %", "100 %"]);
        assert_eq!([0.0001, 0.0498, 0.5].map(p_in_words), ["p < 0.001", "p = 0.0498", "p = 0.500"]);
    }
}
