//! Figures as people read them.

/// Four decimals for figures around one, fewer for large ones, a power of ten for tiny ones.
pub(crate) fn figure(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        v if v >= 1e6 => grouped(value.round()),
        v if v >= 1000.0 => format!("{value:.1}"),
        v if v >= 10.0 => format!("{value:.2}"),
        v if v >= 0.0001 => format!("{value:.4}"),
        _ => format!("{value:.1e}"),
    }
}

/// An interval, its ends with a digit less than figures have; nothing where there is none.
pub(crate) fn interval(lower: Option<f64>, upper: Option<f64>) -> Option<String> {
    let end = |value: f64| {
        if (0.01..10.0).contains(&value.abs()) { format!("{value:.3}") } else { figure(value) }
    };
    Some(format!("[{}, {}]", end(lower?), end(upper?)))
}

/// A count: without decimals where it has none, with thousands set apart.
pub(crate) fn count(value: f64) -> String {
    if value.fract() == 0.0 { grouped(value) } else { format!("{value:.1}") }
}

/// A share in percent.
pub(crate) fn percent(share: f64) -> String {
    let value = 100.0 * share;
    if value.fract().abs() < 1e-9 { format!("{value:.0} %") } else { format!("{value:.2} %") }
}

fn grouped(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if value < 0.0 { format!("-{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_well() {
        let found: Vec<String> = [0.0, 0.86531, -12.345, 1234.56, 12345678.9, 0.00001234].map(figure).into();
        assert_eq!(found, ["0", "0.8653", "-12.35", "1234.6", "12,345,679", "1.2e-5"]);
        assert_eq!(interval(Some(-12.345), Some(0.86531)).as_deref(), Some("[-12.35, 0.865]"));
        assert_eq!(
            [count(1399.0), count(2.5), percent(0.2831), percent(0.1)],
            ["1,399", "2.5", "28.31 %", "10 %"]
        );
    }
}
