//! A description of a table as a document, and as CSV.

use tribunal::message::{Message, Phrasing, Setting};
use tribunal::{
    Alone, ColumnDescription, ColumnKind, DateRange, Description, Direction, Notice, NumberSummary, Role,
    Subject, TargetDescription,
};

use crate::csv_rows::written;
use crate::document::{Align, Document, Part, Table, plain_row};
use crate::fit::leave_out;
use crate::number::{count, percent};

/// Where a document is read: a terminal has little width, paper has no signs beyond letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Terminal,
    Paper,
}

pub(crate) fn document(description: &Description, place: Place, phrasing: &dyn Phrasing) -> Document {
    let mut parts = vec![Part::Paragraph(size(description))];
    parts.extend(description.targets.iter().map(|target| Part::Paragraph(target_text(target, phrasing))));
    parts.push(Part::Table(table(description, place)));
    if !description.targets.is_empty() {
        parts.push(Part::Paragraph(legend(description)));
    }
    if !description.notices.is_empty() {
        parts.push(Part::Paragraph("Look at these before you train:".into()));
        let notices = description.notices.iter().map(|notice| notice_text(notice, phrasing));
        parts.push(Part::List(notices.collect()));
    }
    Document { title: description.files.join(", "), parts }
}

/// What is noticed, with what to do about a suspected leak.
fn notice_text(notice: &Notice, phrasing: &dyn Phrasing) -> String {
    match notice.about {
        Subject::Leak => format!("{} {}", notice.text, leave_out(&notice.column, phrasing)),
        _ => notice.text.clone(),
    }
}

fn size(description: &Description) -> String {
    let missing = description.columns.iter().map(|column| column.missing).fold(0, u64::saturating_add);
    let mut columns: Vec<&str> = description.targets.iter().map(|target| target.column.as_str()).collect();
    columns.sort_unstable();
    columns.dedup();
    let n_columns = description.columns.len() + columns.len();
    let missing = match missing {
        0 => "nothing is missing".to_owned(),
        1 => "1 cell is missing".to_owned(),
        n => format!("{} cells are missing", count(n as f64)),
    };
    let sampled = description.sampled_rows.map_or_else(String::new, |rows| {
        let rows = count(rows as f64);
        format!(" Quartiles, histograms and AUROCs come from a random sample of {rows} rows.")
    });
    let (rows, columns) = (counted(description.rows, "row"), counted(n_columns as u64, "column"));
    format!("{rows} and {columns}; {missing}.{sampled}")
}

/// A number of things, in the plural unless there is one.
pub(crate) fn counted(n: u64, what: &str) -> String {
    format!("{} {what}{}", count(n as f64), if n == 1 { "" } else { "s" })
}

fn target_text(target: &TargetDescription, phrasing: &dyn Phrasing) -> String {
    let class = |class: &tribunal::ClassCount| format!("{} in {}", class.class, counted(class.rows, "row"));
    let classes: Vec<String> = target.classes.iter().rev().map(class).collect();
    let base_rate =
        target.base_rate.map_or_else(String::new, |rate| format!(", a base rate of {}", percent(rate)));
    let missing = match target.missing {
        0 => String::new(),
        n => format!("; {} without any", counted(n, "row")),
    };
    let guess = match (target.guessed, target.classes.last()) {
        (true, Some(positive)) => {
            let message = Message::from(format!(" {} is taken for the positive class; ", positive.class));
            message.setting(Setting::Positive).text(" says otherwise.").said_by(phrasing)
        }
        _ => String::new(),
    };
    format!("The target {} is {}{base_rate}{missing}.{guess}", target.name, classes.join(", "))
}

/// A terminal has room for the values of columns beside so many targets.
const MOST_TARGETS_BESIDE_VALUES: usize = 3;

fn table(description: &Description, place: Place) -> Table {
    let mut columns: Vec<(String, Align)> =
        vec![("column".into(), Align::Left), ("kind".into(), Align::Left), ("missing".into(), Align::Right)];
    // Many targets leave no room for values, and a class named beside each AUROC little.
    let has_values = place == Place::Paper || description.targets.len() <= MOST_TARGETS_BESIDE_VALUES;
    if has_values {
        columns.push(("values".into(), Align::Left));
    }
    match &description.targets[..] {
        [_] => columns.push(("AUROC alone".into(), Align::Left)),
        targets => columns.extend(targets.iter().map(|target| (target.name.clone(), Align::Left))),
    }
    let is_wide =
        description.targets.len() > 1 || description.targets.iter().any(|target| target.classes.len() > 2);
    let row = |column: &ColumnDescription| {
        let mut cells = vec![
            shortened(&column.name, if place == Place::Terminal { 16 } else { 80 }),
            kind(column),
            if column.missing > 0 { count(column.missing as f64) } else { String::new() },
        ];
        if has_values {
            cells.push(values(column, description.rows, place, if is_wide { 12 } else { 21 }));
        }
        let tells = if column.alone.len() == 1 { tells } else { tells_in_short };
        let told = column.alone.iter().map(|alone| alone.as_ref().map(|alone| tells(alone, place)));
        cells.extend(told.map(Option::unwrap_or_default));
        plain_row(cells)
    };
    let rows = description.columns.iter().map(row).collect();
    Table { title: "Columns".into(), columns, rows }
}

/// The kind, or what the column is for if it is no predictor.
fn kind(column: &ColumnDescription) -> String {
    match column.role {
        Role::Predictor => column.kind.name().to_owned(),
        role => format!("({})", role.name()),
    }
}

/// The values in short; on a terminal in at most so many characters.
fn values(column: &ColumnDescription, n_rows: u64, place: Place, width: usize) -> String {
    let width = if place == Place::Terminal { width } else { 80 };
    match (&column.numbers, &column.dates) {
        (Some(numbers), _) => number_values(numbers, place, width),
        (None, Some(dates)) => date_values(dates, width),
        (None, None) if column.levels.is_empty() => String::new(),
        (None, None) => level_values(column, n_rows.saturating_sub(column.missing), width),
    }
}

fn number_values(numbers: &NumberSummary, place: Place, width: usize) -> String {
    let (min, median, max) = (short(numbers.min), short(numbers.median), short(numbers.max));
    match place {
        Place::Terminal => {
            let pictured = format!("{min} {} {max}", bars(&numbers.histogram));
            if pictured.chars().count() <= width { pictured } else { format!("{min} … {max}") }
        }
        Place::Paper => format!("{min} to {max}, half at most {median}"),
    }
}

/// The first and the last day, or their years where there is no room.
fn date_values(dates: &DateRange, width: usize) -> String {
    let ends = |most: usize| {
        let end = |text: &str| text.chars().take(most).collect::<String>();
        format!("{}…{}", end(&dates.first), end(&dates.last))
    };
    Some(ends("2024-01-31".len()))
        .filter(|text| text.chars().count() <= width)
        .unwrap_or_else(|| ends("2024".len()))
}

/// A histogram in a line.
fn bars(histogram: &[u64]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let most = histogram.iter().max().copied().unwrap_or(0).max(1);
    let bar = |&rows: &u64| match rows {
        0 => ' ',
        rows => BARS[(u128::from(rows) * 7).div_ceil(u128::from(most)) as usize],
    };
    histogram.iter().map(bar).collect()
}

fn level_values(column: &ColumnDescription, total: u64, width: usize) -> String {
    if column.kind == ColumnKind::Flag {
        let ones = column.levels.iter().find(|level| level.level == "1").map_or(0, |level| level.rows);
        return format!("1 in {}", percent_short(ones as f64 / total as f64));
    }
    if column.role != Role::Predictor || column.distinct > 100 {
        return format!(
            "{}{} levels",
            if column.more_levels { "over " } else { "" },
            count(column.distinct as f64)
        );
    }
    let mut levels: Vec<&tribunal::LevelCount> = column.levels.iter().collect();
    levels.sort_by_key(|level| std::cmp::Reverse(level.rows));
    let share = |level: &tribunal::LevelCount| percent_short(level.rows as f64 / total as f64);
    let line = |n_shown: usize, most: usize| {
        let level =
            |level: &&tribunal::LevelCount| format!("{} {}", shortened(&level.level, most), share(level));
        let shown: Vec<String> = levels.iter().take(n_shown).map(level).collect();
        let more = column.distinct.saturating_sub(n_shown as u64);
        format!("{}{}", shown.join(", "), if more > 0 { format!(" +{more}") } else { String::new() })
    };
    // As many levels as there is room for, the commonest first, one of them in any case.
    let fits =
        (1..=levels.len()).rev().map(|n_shown| line(n_shown, 40)).find(|line| line.chars().count() <= width);
    fits.unwrap_or_else(|| {
        let room = width.saturating_sub(line(1, 1).chars().count().saturating_sub(1));
        line(1, room.max(2))
    })
}

fn tells(alone: &Alone, place: Place) -> String {
    let class = alone.class.as_ref().map_or_else(String::new, |class| format!(" {}", shortened(class, 9)));
    format!("{} {:.2}-{:.2}{class}", tells_in_short(alone, place), alone.lower, alone.upper)
}

fn tells_in_short(alone: &Alone, place: Place) -> String {
    let direction = match (alone.direction, place) {
        (Direction::High, Place::Terminal) => "↑",
        (Direction::Low, Place::Terminal) => "↓",
        (Direction::Levels, Place::Terminal) => " ",
        (Direction::High, Place::Paper) => "high ",
        (Direction::Low, Place::Paper) => "low ",
        (Direction::Levels, Place::Paper) => "",
    };
    format!("{direction}{:.2}", alone.auroc)
}

fn legend(description: &Description) -> String {
    let is_one = description.targets.len() == 1;
    let several = match description.targets.iter().any(|target| target.classes.len() > 2) {
        true => " Of several classes the one is named that the column most surely tells from the others.",
        false => "",
    };
    let (name, interval) = match is_one {
        true => ("AUROC alone", ", with its 95 % interval"),
        false => ("Under the name of each target the AUROC of the column alone", ""),
    };
    format!(
        "{name}: how well the column by itself ranks the positive class first{interval}; 0.50 is chance. An arrow up says \
         that high values are more often positive, an arrow down that low ones are; categories are scored by the shares \
         of their levels in other rows.{several}"
    )
}

/// A number in at most six characters, and its sign.
fn short(value: f64) -> String {
    let text = match value.abs() {
        v if v >= 1e6 || (v > 0.0 && v < 1e-3) => return format!("{value:.0e}"),
        v if v >= 100.0 => format!("{value:.0}"),
        v if v >= 10.0 => format!("{value:.1}"),
        v if v >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    };
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

fn percent_short(share: f64) -> String {
    match share * 100.0 {
        p if p > 0.0 && p < 1.0 => format!("{p:.1}%"),
        p => format!("{p:.0}%"),
    }
}

pub(crate) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

const HEADER: [&str; 20] = [
    "column",
    "kind",
    "role",
    "missing",
    "distinct",
    "min",
    "lower_quartile",
    "median",
    "upper_quartile",
    "max",
    "mean",
    "sd",
    "target",
    "auroc",
    "lower",
    "upper",
    "level",
    "method",
    "n",
    "direction",
];

pub(crate) fn csv(description: &Description) -> Result<String, csv::Error> {
    let rows = description.columns.iter().flat_map(|column| {
        let told = description.targets.iter().zip(&column.alone);
        let rows: Vec<_> = told.map(|(target, alone)| cells(column, &target.name, alone.as_ref())).collect();
        if rows.is_empty() { vec![cells(column, "", None)] } else { rows }
    });
    written(HEADER, rows)
}

fn cells(column: &ColumnDescription, target: &str, told: Option<&Alone>) -> Vec<String> {
    let number = |get: &dyn Fn(&NumberSummary) -> Option<f64>| {
        column.numbers.as_ref().and_then(get).map_or_else(String::new, |value| value.to_string())
    };
    let ends = column.dates.as_ref().map(|dates| (dates.first.clone(), dates.last.clone()));
    let (first, last) = ends.unwrap_or_else(|| (number(&|n| Some(n.min)), number(&|n| Some(n.max))));
    let alone = |get: &dyn Fn(&Alone) -> String| told.map_or_else(String::new, get);
    vec![
        column.name.clone(),
        column.kind.name().to_owned(),
        column.role.name().to_owned(),
        column.missing.to_string(),
        column.distinct.to_string(),
        first,
        number(&|n| Some(n.lower_quartile)),
        number(&|n| Some(n.median)),
        number(&|n| Some(n.upper_quartile)),
        last,
        number(&|n| n.mean),
        number(&|n| n.sd),
        target.to_owned(),
        alone(&|a| a.auroc.to_string()),
        alone(&|a| a.lower.to_string()),
        alone(&|a| a.upper.to_string()),
        alone(&|a| a.level.to_string()),
        alone(&|a| a.method.name().to_owned()),
        alone(&|a| a.n.to_string()),
        alone(&|a| direction_word(a.direction).to_owned()),
    ]
}

fn direction_word(direction: Direction) -> &'static str {
    match direction {
        Direction::High => "high",
        Direction::Low => "low",
        Direction::Levels => "levels",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 1.0, 0.123456, 45.678, 15420.0, 1.5e9, -2.0, 1e-7].map(short);
        assert_eq!(shown, ["0", "1", "0.123", "45.7", "15420", "2e9", "-2", "1e-7"]);
    }

    #[test]
    fn bars_show_what_is_there() {
        assert_eq!(bars(&[0, 1, 50, 100]), " ▂▅█");
        assert_eq!(bars(&[0, 0]), "  ");
    }

    #[test]
    fn long_texts_end_in_an_ellipsis() {
        assert_eq!(shortened("abcdef", 4), "abc…");
        assert_eq!(shortened("größe", 5), "größe");
    }
}
