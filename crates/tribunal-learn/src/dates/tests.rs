//! Every form of a date, what tells day from month, and what is refused.

use super::*;
use proptest::prelude::*;

/// The points in time as they are shown, in the order of the texts.
fn shown(texts: &[&str], declared: Option<DateOrder>) -> Result<Vec<String>, DateError> {
    read_dates(texts, declared).map(|dates| dates.times().iter().map(Timestamp::to_string).collect())
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(shown(&[text], None), Ok(vec![expected.to_owned()]), "{text}");
}

#[test]
fn every_form_is_read() {
    for day in [
        "2024-01-31",
        "2024/1/31",
        "2024.01.31",
        "31.01.2024",
        "31/1/2024",
        "31-01-2024",
        "1/31/2024",
        "01-31-2024",
        "31.1.24",
        "1/31/24",
        "31 Jan 2024",
        "31-JAN-24",
        "31. January 2024",
        "Jan 31, 2024",
        "January 31 2024",
        "20240131",
        " 2024-01-31 ",
    ] {
        check(day, "2024-01-31 00:00:00");
    }
    for month in ["2024-01", "2024/01", "01/2024", "1-2024", "01.2024", "Jan 2024", "january 2024"] {
        check(month, "2024-01-01 00:00:00");
    }
    check("01.09.69", "1969-09-01 00:00:00");
    check("3-Sept-68", "2068-09-03 00:00:00");
}

#[test]
fn times_of_day_and_offsets_are_read() {
    check("2024-01-31T10:30", "2024-01-31 10:30:00");
    check("2024-01-31 9:05:07.5", "2024-01-31 09:05:07.5");
    check("2024-01-31T00:30:00+02:00", "2024-01-30 22:30:00");
    check("2024-01-31T23:30:00.000001-0100", "2024-02-01 00:30:00.000001");
    check("2024-01-31T10:30:00Z", "2024-01-31 10:30:00");
    check("2024-01-31 10:30:00 UTC", "2024-01-31 10:30:00");
    check("2016-12-31T23:59:60Z", "2017-01-01 00:00:00");
    check("1/31/2024 12:05 AM", "2024-01-31 00:05:00");
    check("1/31/2024 12:05:30 pm", "2024-01-31 12:05:30");
    check("Jan 31, 2024, 11:00 PM", "2024-01-31 23:00:00");
    check("31.01.2024 14:00", "2024-01-31 14:00:00");
}

#[test]
fn what_is_no_date_is_refused() {
    for text in [
        "",
        "Jan",
        "Q1 2020",
        "2020-Q1",
        "2024",
        "10:30",
        "2024-01-31T",
        "2024-01-31T25:00",
        "2024-01-31T10:61",
        "2024-01-31 10:30 13:00",
        "2024-01-31T10:30+99:00",
        "2024-1-1-1",
        "1/2/3",
        "12 Foo 2024",
        "31.01.2024x",
        "2024-01-31T10:30[Europe/Paris]",
        "13:00 PM",
        "2024-01-31 13:00 PM",
        "+12345-01-01",
        "20240131101010",
        "é-01-01",
    ] {
        assert_eq!(shown(&[text], None), Err(DateError::NotADate { at: 0 }), "{text}");
    }
    for text in [
        "30.02.2024",
        "29.02.2023",
        "31.04.2024",
        "0000-01-01",
        "2024-00-10",
        "2024-13-10",
        "2024-10-32",
        "13/14/2024",
        "0/5/2024",
        "20241301",
    ] {
        assert_eq!(shown(&[text], None), Err(DateError::NotInCalendar { at: 0 }), "{text}");
    }
}

fn order(texts: &[&str]) -> Result<(DateOrder, DateEvidence), DateError> {
    read_dates(texts, None).map(|dates| (dates.reading().order, dates.reading().evidence.clone()))
}

#[test]
fn the_values_of_the_column_tell_day_from_month() {
    let by = |example: &str| DateEvidence::Value { example: example.into() };
    assert_eq!(order(&["03/04/2024", "25/12/2023"]), Ok((DateOrder::Dmy, by("25/12/2023"))));
    assert_eq!(order(&["03/04/2024", "12/25/2023", "12/26/2023"]), Ok((DateOrder::Mdy, by("12/25/2023"))));
    assert_eq!(order(&["03.13.2024"]), Ok((DateOrder::Mdy, by("03.13.2024"))));
    assert_eq!(order(&["03.04.2024"]), Ok((DateOrder::Dmy, DateEvidence::Convention)));
    assert_eq!(order(&["2024-03-04"]), Ok((DateOrder::Ymd, DateEvidence::Form)));
    assert_eq!(order(&["24-01-31", "23-12-01", "99-01-01"]), Ok((DateOrder::Ymd, by("99-01-01"))));
    assert_eq!(order(&["03/04/2024", "05/06/2024"]), Err(DateError::Ambiguous { at: 0, with_year: false }));
    assert_eq!(order(&["24-01-31"]), Err(DateError::Ambiguous { at: 0, with_year: true }));
    assert_eq!(order(&["25/12/2023", "12/25/2023"]), Err(DateError::Contradiction { at: 1, other: 0 }));
}

#[test]
fn what_had_to_be_told_is_said() {
    let check = |texts: &[&str], says: &[&str]| {
        let said = read_dates(texts, None).expect("dates").reading().explain("d").unwrap_or_default();
        assert_eq!(said.is_empty(), says.is_empty(), "{said}");
        says.iter().for_each(|words| assert!(said.contains(words), "{said}"));
    };
    check(&["2024-01-31"], &[]);
    check(&["25/12/2024"], &["dates of \"d\" are read as day, month, year, because \"25/12/2024\""]);
    check(&["1.2.24"], &["day, month, year, which no date contradicts", "from 1969 to 2068"]);
    check(&["2024-01-31T10:00+01:00"], &["dates of \"d\" are read in UTC"]);
}

#[test]
fn a_declared_order_counts() {
    let check = |text: &str, order: DateOrder, expected: &str| {
        assert_eq!(shown(&[text], Some(order)), Ok(vec![format!("{expected} 00:00:00")]), "{text} {order}");
    };
    check("03/04/2024", DateOrder::Dmy, "2024-04-03");
    check("03/04/2024", DateOrder::Mdy, "2024-03-04");
    check("03-04-24", DateOrder::Ymd, "2003-04-24");
    check("2024-03-04", DateOrder::Dmy, "2024-03-04");
    assert_eq!(shown(&["12/25/2024"], Some(DateOrder::Dmy)), Err(DateError::NotInCalendar { at: 0 }));
}

#[test]
fn dates_of_a_column_are_written_alike() {
    let check = |texts: &[&str], error: DateError, says: &str| {
        assert_eq!(shown(texts, None), Err(error), "{texts:?}");
        assert!(error.explain(texts).contains(says), "{}", error.explain(texts));
    };
    check(&["2024-01-31", "31.01.2024"], DateError::MixedForms { at: 1 }, "another form than \"2024-01-31\"");
    check(&["31.01.2024", "31/01/2024"], DateError::MixedForms { at: 1 }, "\"31/01/2024\"");
    check(&["31.01.24", "31.01.2024"], DateError::MixedForms { at: 1 }, "write all dates alike");
    check(&["2024-01-31", "2024-02"], DateError::MixedForms { at: 1 }, "2024-02");
    let mixed = ["2024-01-31T10:00", "2024-01-31T10:00Z"];
    check(&mixed, DateError::MixedOffsets { at: 1 }, "distance to UTC");
    // A day among times is its midnight.
    assert!(shown(&["2024-01-31", "2024-01-31 10:00"], None).is_ok());
}

#[test]
fn a_day_or_month_ends_after_all_its_times() {
    let end = |text: &str| {
        let dates = read_dates(&[text], None).expect(text);
        dates.end(0).map(|end| end.to_string())
    };
    assert_eq!(end("2024-02-28").as_deref(), Some("2024-02-29 00:00:00"));
    assert_eq!(end("2024-02").as_deref(), Some("2024-03-01 00:00:00"));
    assert_eq!(end("2024-02-28T10:00").as_deref(), Some("2024-02-28 10:00:00.000000001"));
}

/// A day of the calendar.
type YearMonthDay = (i32, u32, u32);

proptest! {
    /// Whatever the form, the order in time is that of the calendar.
    #[test]
    fn the_order_is_that_of_the_calendar(mut days in prop::collection::vec((1970i32..2060, 1u32..=12, 13u32..=28), 2..20)) {
        days.sort_unstable();
        let forms: [fn(&YearMonthDay) -> String; 4] = [
            |(y, m, d)| format!("{y}-{m:02}-{d:02}"),
            |(y, m, d)| format!("{d}.{m}.{y}"),
            |(y, m, d)| format!("{m:02}/{d:02}/{y}"),
            |(y, m, d)| format!("{d:02}/{m:02}/{y} 10:00"),
        ];
        for form in forms {
            let texts: Vec<String> = days.iter().map(form).collect();
            let dates = read_dates(&texts, None).expect("dates");
            prop_assert!(dates.times().is_sorted(), "{:?}", texts);
        }
    }

    #[test]
    fn no_text_is_too_strange(text in ".{0,20}", digits in "[0-9./: T+-]{0,24}") {
        let _ = (read_dates(&[&text], None), read_dates(&[&digits], Some(DateOrder::Ymd)));
    }
}
