//! Figures as people read them.

/// Four decimals for figures around one, fewer for large ones, a power of ten for tiny ones.
pub(crate) fn figure(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        v if v >= 1e6 => grouped(value.round()),
        v if v >= 10.0 && value.fract() == 0.0 => grouped(value),
        v if v >= 1000.0 => grouped_to_tenths(value),
        v if v >= 10.0 => format!("{value:.2}"),
        v if v >= 0.0001 => format!("{value:.4}"),
        _ => format!("{value:.1e}"),
    }
}

/// An interval, its ends with a digit less than figures have; nothing where there is none.
pub(crate) fn interval(lower: Option<f64>, upper: Option<f64>) -> Option<String> {
    Some(format!("[{}, {}]", end(lower?), end(upper?)))
}

/// The same beside the figure that it is about; with as many digits where rounding would leave the figure out.
pub(crate) fn interval_of(value: f64, lower: Option<f64>, upper: Option<f64>) -> Option<String> {
    let read = |shown: String| shown.replace(',', "").parse::<f64>().unwrap_or(f64::NAN);
    let (low, high) = (lower?, upper?);
    let (first, last, middle) = (read(end(low)), read(end(high)), read(figure(value)));
    let is_left_out = (low..=high).contains(&value) && (middle < first || middle > last || first == last);
    match is_left_out {
        true => Some(format!("[{}, {}]", figure(low), figure(high))),
        false => interval(lower, upper),
    }
}

fn end(value: f64) -> String {
    if (0.01..10.0).contains(&value.abs()) { format!("{value:.3}") } else { figure(value) }
}

/// A count: without decimals where it has none, with thousands set apart.
pub(crate) fn count(value: f64) -> String {
    if value.fract() == 0.0 { grouped(value) } else { grouped_to_tenths(value) }
}

/// A share in percent.
pub(crate) fn percent(share: f64) -> String {
    let value = 100.0 * share;
    if (value - value.round()).abs() < 1e-9 { format!("{value:.0} %") } else { format!("{value:.2} %") }
}

/// A base rate that somebody stated, in percent: also where it is next to nothing.
pub(crate) fn rate(rate: f64) -> String {
    match percent(rate).as_str() {
        "0 %" | "0.00 %" if rate > 0.0 => {
            let places = 1.0 - (100.0 * rate).log10().floor();
            format!("{:.*} %", places as usize, 100.0 * rate)
        }
        "100 %" | "100.00 %" if rate < 1.0 => format!("{} %", 100.0 * rate),
        shown => shown.to_owned(),
    }
}

/// A chance, no more exact than anybody reads it.
pub(crate) fn p_value(p: f64) -> String {
    match p {
        p if p.is_nan() => "n/a".to_owned(),
        p if p < 0.0001 => "< 0.0001".to_owned(),
        p => format!("{p:.4}"),
    }
}

/// A chance in a sentence.
pub(crate) fn p_in_words(p: f64) -> String {
    let value = p_value(p);
    if value.starts_with('<') { format!("p {value}") } else { format!("p = {value}") }
}

/// A statistic that has no bound.
pub(crate) fn statistic(value: f64) -> String {
    if value.is_finite() { figure(value) } else { "inf".to_owned() }
}

/// A number of bytes.
pub(crate) fn bytes(n: u64) -> String {
    match n as f64 {
        b if b < 1e3 => format!("{b} B"),
        b if b < 999.5e3 => format!("{:.1} kB", b / 1e3),
        b if b < 999.5e6 => format!("{:.1} MB", b / 1e6),
        b => format!("{:.1} GB", b / 1e9),
    }
}

/// A time, three digits of it at most.
pub(crate) fn seconds(value: f64) -> String {
    match value {
        s if s < 0.9995e-3 => format!("{:.0} us", s * 1e6),
        s if s < 0.09995 => format!("{:.1} ms", s * 1e3),
        s if s < 0.9995 => format!("{:.0} ms", s * 1e3),
        s if s < 59.95 => format!("{s:.1} s"),
        s if s < 3597.0 => format!("{:.1} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// A number of cases that need not be whole: of less than one two digits are left.
pub(crate) fn part_of_cases(value: f64) -> String {
    if value.abs() >= 1.0 || value.abs() < 0.0005 {
        return grouped_to_tenths(value);
    }
    let digits = 1.0 - value.abs().log10().floor();
    format!("{value:.*}", digits as usize)
}

/// One decimal, with thousands set apart; nothing is not negative.
fn grouped_to_tenths(value: f64) -> String {
    let tenths = (10.0 * value.abs()).round();
    let whole = grouped((tenths / 10.0).trunc());
    let sign = if value < 0.0 && tenths > 0.0 { "-" } else { "" };
    format!("{sign}{whole}.{:.0}", tenths % 10.0)
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
    fn base_rates_that_are_next_to_nothing_are_told() {
        assert_eq!(
            [rate(1e-9), rate(0.00004), rate(0.2), rate(0.125)],
            ["0.00000010 %", "0.0040 %", "20 %", "12.50 %"]
        );
    }

    #[test]
    fn sizes_and_times_have_units() {
        let sizes = [0, 999, 1000, 999_499, 999_500, 123_456_789, 4_000_000_000].map(bytes);
        assert_eq!(sizes, ["0 B", "999 B", "1.0 kB", "999.5 kB", "1.0 MB", "123.5 MB", "4.0 GB"]);
        let times = [0.0, 0.000_123_4, 0.001_24, 0.1, 0.9996, 59.94, 59.96, 5400.0].map(seconds);
        assert_eq!(times, ["0 us", "123 us", "1.2 ms", "100 ms", "1.0 s", "59.9 s", "1.0 min", "1.5 h"]);
    }

    #[test]
    fn chances_end_at_four_digits() {
        assert_eq!([0.000_099, 0.0001, 1.0, f64::NAN].map(p_value), ["< 0.0001", "0.0001", "1.0000", "n/a"]);
        assert_eq!([0.0, 0.04].map(p_in_words), ["p < 0.0001", "p = 0.0400"]);
        assert_eq!([f64::INFINITY, 12.345].map(statistic), ["inf", "12.35"]);
    }

    #[test]
    fn figures_read_well() {
        let found: Vec<String> = [0.0, 0.86531, -12.345, -1234.56, 12345678.9, 0.00001234].map(figure).into();
        assert_eq!(found, ["0", "0.8653", "-12.35", "-1,234.6", "12,345,679", "1.2e-5"]);
        assert_eq!([66.0, 4807.0, 95_231.4].map(figure), ["66", "4,807", "95,231.4"]);
        assert_eq!([95_231.44, -0.04].map(count), ["95,231.4", "0.0"]);
        assert_eq!(
            [0.0372, 0.999, 1.26, -0.0, 1e-5].map(part_of_cases),
            ["0.037", "1.00", "1.3", "0.0", "0.0"]
        );
        assert_eq!(interval_of(1234.56, Some(1200.0), Some(1300.0)).as_deref(), Some("[1,200, 1,300]"));
        assert_eq!(interval(Some(-12.345), Some(0.86531)).as_deref(), Some("[-12.35, 0.865]"));
        let of = |value: f64, lower: f64, upper: f64| interval_of(value, Some(lower), Some(upper));
        assert_eq!(of(0.11111, 0.0891, 0.11111).as_deref(), Some("[0.0891, 0.1111]"));
        assert_eq!(of(0.0819, 0.08188, 0.08192).as_deref(), Some("[0.0819, 0.0819]"));
        assert_eq!(of(0.5, 0.4123, 0.5877).as_deref(), Some("[0.412, 0.588]"));
        assert_eq!(percent(1.0 - 0.9), "10 %");
        assert_eq!(
            [count(1399.0), count(2.5), percent(0.2831), percent(0.1)],
            ["1,399", "2.5", "28.31 %", "10 %"]
        );
    }
}
