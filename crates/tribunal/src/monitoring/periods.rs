//! Rows of one table in periods, and the periods in order: numbers by size, dates by time, other values by their first rows.

use tribunal_learn::{DateError, are_dotted_months, label_number, read_dates};

use super::cases::Cases;
use super::request::{PeriodRule, Span};
use crate::error::Error;
use crate::message::{Message, Setting};

/// More periods than this are a column of something else.
pub(super) const MOST_PERIODS: usize = 1000;

/// A period by its name.
#[derive(Clone, Debug)]
pub(super) struct NamedCases {
    pub(super) name: String,
    pub(super) cases: Cases,
}

/// The rows of each value of a column as periods in order, with what is to be said about how they were read.
pub(super) fn in_order(
    values: Vec<NamedCases>,
    rule: &PeriodRule,
) -> Result<(Vec<NamedCases>, Vec<String>), Error> {
    match rule.span {
        Some(span) => by_calendar(values, rule, span),
        None => by_value(values, rule),
    }
}

fn by_value(values: Vec<NamedCases>, rule: &PeriodRule) -> Result<(Vec<NamedCases>, Vec<String>), Error> {
    if values.len() > MOST_PERIODS {
        return Err(too_many(values.len(), &rule.column));
    }
    let names: Vec<&str> = values.iter().map(|value| value.name.as_str()).collect();
    let numbers: Option<Vec<f64>> = names.iter().map(|name| label_number(name)).collect();
    if let Some(numbers) = numbers.filter(|_| !are_dotted_months(&names)) {
        return Ok((sorted_by(values, &numbers, f64::total_cmp), Vec::new()));
    }
    match read_dates(&names, None) {
        Ok(dates) => {
            let said = dates.reading().explain(&rule.column);
            let times = dates.times().to_vec();
            Ok((sorted_by(values, &times, Ord::cmp), said.into_iter().collect()))
        }
        Err(DateError::Ambiguous { .. }) => Err(Error::data(format!(
            "column \"{}\": nothing tells day and month of its dates apart, such as \"{}\", so periods have no order; write them as \
             2024-01-31",
            rule.column, names[0]
        ))),
        Err(_) => {
            let said = format!(
                "the values of \"{}\" are neither numbers nor dates, so periods stand in the order of their first rows",
                rule.column
            );
            Ok((values, vec![said]))
        }
    }
}

fn by_calendar(
    values: Vec<NamedCases>,
    rule: &PeriodRule,
    span: Span,
) -> Result<(Vec<NamedCases>, Vec<String>), Error> {
    let texts: Vec<&str> = values.iter().map(|value| value.name.as_str()).collect();
    let dates = read_dates(&texts, None).map_err(|error| {
        let explained = format!(
            "column \"{}\": {}; or make periods of its values as they are: ",
            rule.column,
            error.explain(&texts)
        );
        Error::data(Message::from(explained).set(Setting::By, rule.column.clone()))
    })?;
    let said = dates.reading().explain(&rule.column);
    let times = dates.times().to_vec();
    let named: Vec<String> = times.iter().map(|time| named(&time.date(), span)).collect();
    let renamed = values.into_iter().zip(named).map(|(value, name)| NamedCases { name, ..value }).collect();
    let sorted = sorted_by(renamed, &times, Ord::cmp);
    let mut periods: Vec<NamedCases> = Vec::new();
    for value in sorted {
        match periods.last_mut().filter(|last| last.name == value.name) {
            Some(last) => last.cases.append(value.cases),
            None => periods.push(value),
        }
    }
    if periods.len() > MOST_PERIODS {
        return Err(too_many(periods.len(), &rule.column));
    }
    Ok((periods, said.into_iter().collect()))
}

/// The period of a day such as 2024-01-31.
fn named(date: &str, span: Span) -> String {
    // Years may have a sign and more digits, so that parts are counted from the end.
    let (month, _) = date.rsplit_once('-').unwrap_or((date, ""));
    let (year, number) = month.rsplit_once('-').unwrap_or((month, "1"));
    match span {
        Span::Month => month.to_owned(),
        Span::Quarter => format!("{year}-Q{}", number.parse::<u32>().unwrap_or(1).div_ceil(3)),
        Span::Year => year.to_owned(),
    }
}

fn sorted_by<K: Clone>(
    values: Vec<NamedCases>,
    keys: &[K],
    compare: impl Fn(&K, &K) -> std::cmp::Ordering,
) -> Vec<NamedCases> {
    let mut keyed: Vec<(K, NamedCases)> = keys.iter().cloned().zip(values).collect();
    keyed.sort_by(|a, b| compare(&a.0, &b.0));
    keyed.into_iter().map(|(_, value)| value).collect()
}

pub(super) fn too_many(n: usize, column: &str) -> Error {
    let message = Message::from(format!(
        "column \"{column}\" makes {n} periods or more, and {MOST_PERIODS} are the most; if it holds dates, make months of them: "
    ));
    Error::usage(message.set(Setting::By, "month").text(" ").set(Setting::Date, column))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monitoring::cases::Fate;

    /// Names with their rows.
    type Rows = Vec<(String, u64)>;

    fn ordered(names: &[&str], span: Option<Span>) -> Result<(Rows, Vec<String>), Error> {
        let values = names.iter().map(|name| {
            let mut cases = Cases::new(false);
            cases.push(0.5, Fate::Idle, None);
            NamedCases { name: (*name).to_owned(), cases }
        });
        let (periods, said) = in_order(values.collect(), &PeriodRule { column: "when".into(), span })?;
        Ok((periods.into_iter().map(|period| (period.name, period.cases.n_rows())).collect(), said))
    }

    fn names(names: &[&str], span: Option<Span>) -> Vec<String> {
        ordered(names, span).expect("periods").0.into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn values_stand_in_their_own_order() {
        assert_eq!(names(&["10", "9", "-1"], None), ["-1", "9", "10"]);
        assert_eq!(names(&["2024-02-01", "2023-12-31"], None), ["2023-12-31", "2024-02-01"]);
        assert_eq!(names(&["02.2024", "12.2023"], None), ["12.2023", "02.2024"]);
        let (periods, said) = ordered(&["before", "after"], None).expect("texts");
        assert_eq!((periods[0].0.as_str(), said.len()), ("before", 1));
        assert!(
            ordered(&["1/2/2024", "3/4/2024"], None).expect_err("ambiguous").to_string().contains("no order")
        );
    }

    #[test]
    fn dates_make_months_quarters_and_years() {
        let days = ["2024-03-31", "2023-11-02", "2024-01-15", "2024-01-02", "2024-04-01"];
        let (months, _) = ordered(&days, Some(Span::Month)).expect("dates");
        let months: Vec<(&str, u64)> = months.iter().map(|(name, rows)| (name.as_str(), *rows)).collect();
        assert_eq!(months, [("2023-11", 1), ("2024-01", 2), ("2024-03", 1), ("2024-04", 1)]);
        assert_eq!(names(&days, Some(Span::Quarter)), ["2023-Q4", "2024-Q1", "2024-Q2"]);
        assert_eq!(names(&days, Some(Span::Year)), ["2023", "2024"]);
        let error = ordered(&["soon"], Some(Span::Month)).expect_err("no date").to_string();
        assert!(error.contains("column \"when\"") && error.contains("soon"), "{error}");
    }
}
