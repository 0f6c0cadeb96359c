//! Columns given their kind: declared ones as declared, the others as they seem.

use tribunal_io::{Labels, Notation, PlainNumber, plain_number};
use tribunal_learn::{
    Column, ColumnSchema, Kind, Levels, MISSING, Remark, Role, Sniffed, Values, flag_value, label_number,
    natural_order, sniff_labels, sniff_numbers,
};

use super::raw::{Moments, RawColumn, RawValues, StrayCell};
use crate::error::Error;
use crate::message::{Message, Setting};

/// A column that knows its kind.
#[derive(Debug)]
pub(crate) struct TypedColumn {
    pub(crate) column: Column,
    pub(crate) role: Role,
    pub(crate) remarks: Vec<Remark>,
    /// The cells that hold no number where all others do: how many, and the first.
    pub(crate) n_strays: u64,
    pub(crate) strays: Vec<StrayCell>,
    /// Missing values in all rows of the files.
    pub(crate) n_missing: u64,
    pub(crate) figures: Figures,
}

/// Figures over all rows of the files, also those of which no row was kept.
#[derive(Debug)]
pub(crate) enum Figures {
    Numbers(Moments),
    /// How many rows each level has, and how many levels there are if they could not all be told apart.
    Levels {
        counts: Vec<u64>,
        is_more: bool,
    },
}

impl TypedColumn {
    /// What is remarkable, in words.
    pub(crate) fn remarks_text(&self) -> String {
        self.remarks.iter().map(Remark::to_string).collect::<Vec<_>>().join(", ")
    }
}

/// Gives a column its kind; `None` if it cannot be read.
pub(crate) fn typed(raw: RawColumn, declared: Option<&ColumnSchema>) -> Result<Option<TypedColumn>, Error> {
    let RawColumn { name, values, strays } = raw;
    let (sniffed, n_missing) = match &values {
        RawValues::Numbers { values, moments } => {
            let mut sniffed = sniff_numbers(&name, values);
            if strays.n > 0 {
                sniffed.remarks.push(Remark::NearlyNumeric);
            }
            (sniffed, moments.n_missing)
        }
        RawValues::Labels { dictionary, counts, n_missing, n_beyond, .. } => {
            let counted = dictionary.iter().zip(counts.iter().copied());
            let mut sniffed = sniff_labels(counted, *n_missing);
            if *n_beyond > 0 {
                sniffed = Sniffed { role: Role::Identifier, remarks: vec![Remark::Identifier], ..sniffed };
            }
            if let Some(notation) = other_notation(dictionary.iter().zip(counts.iter().copied())) {
                sniffed = Sniffed { role: Role::Predictor, remarks: vec![notation], ..sniffed };
            }
            (sniffed, *n_missing)
        }
        RawValues::Unreadable => return Ok(None),
    };
    let (kind, role, remarks) = match declared {
        None => (sniffed.kind, sniffed.role, sniffed.remarks),
        // Weights and amounts are numbers, also where all of them are zero or one.
        Some(ColumnSchema::Role(role @ (Role::Weight | Role::Amount))) => (Kind::Numeric, *role, Vec::new()),
        Some(ColumnSchema::Role(role)) => (sniffed.kind, *role, Vec::new()),
        Some(ColumnSchema::Kind(kind)) => {
            let remarks =
                sniffed.remarks.into_iter().filter(|remark| *remark != Remark::Identifier).collect();
            (declared_kind(kind, sniffed.kind), Role::Predictor, remarks)
        }
    };
    let (column, figures) = convert(&name, kind, values)?;
    let (n_strays, strays) = (strays.n, strays.first);
    Ok(Some(TypedColumn { column, role, remarks, n_strays, strays, n_missing, figures }))
}

/// Whether nearly all labels are numbers in a notation that is not read, and too many to be levels.
fn other_notation<'a>(labels: impl Iterator<Item = (&'a str, u64)>) -> Option<Remark> {
    const FEWEST: usize = 10;
    let (mut n_numbers, mut n_others, mut examples) = (0, 0, Vec::new());
    for (label, rows) in labels.filter(|(_, rows)| *rows > 0) {
        let plain = plain_number(label);
        let is_number = plain.is_some() || label_number(label).is_some();
        *(if is_number { &mut n_numbers } else { &mut n_others }) += rows;
        examples.extend(plain.map(|number| (label, number)));
    }
    // 2,041 may be either; where other values have a decimal comma it has one too, so they are the example.
    let is_unambiguous = |(_, number): &&(&str, PlainNumber)| number.notation != Notation::Thousands;
    let (example, number) = examples.iter().find(is_unambiguous).or(examples.first())?;
    let remark = Remark::OtherNotation { example: (*example).to_owned(), plain: number.plain.clone() };
    (examples.len() >= FEWEST && n_numbers >= 20 * n_others).then_some(remark)
}

/// A declared kind, with the levels of the data where none were listed.
fn declared_kind(declared: &Kind, met: Kind) -> Kind {
    let levels = || Levels::met(natural_order(met.levels().to_vec()));
    match declared {
        Kind::Categorical(listed) if listed.names.is_empty() => Kind::Categorical(levels()),
        Kind::Ordered(listed) if listed.names.is_empty() => Kind::Ordered(levels()),
        kind => kind.clone(),
    }
}

fn convert(name: &str, kind: Kind, values: RawValues) -> Result<(Column, Figures), Error> {
    match values {
        RawValues::Numbers { values, moments } if kind == Kind::Flag => {
            let code = |value: f64| if value.is_nan() { MISSING } else { u32::from(value == 1.0) };
            let codes: Vec<u32> = values.into_iter().map(code).collect();
            let ones = (moments.mean * moments.n as f64).round() as u64;
            let counts = vec![moments.n - ones, ones];
            let column = Column::new(name, kind, Values::Codes(codes))?;
            Ok((column, Figures::Levels { counts, is_more: false }))
        }
        RawValues::Numbers { values, moments } => {
            let column = Column::new(name, kind, Values::Numbers(values))?;
            Ok((column, Figures::Numbers(moments)))
        }
        RawValues::Labels { codes, dictionary, counts, n_beyond, .. } => {
            let code_of = codes_of_levels(name, &kind, dictionary.iter().zip(&counts))?;
            let n_levels = if kind == Kind::Flag { 2 } else { kind.levels().len() };
            let mut level_counts = vec![0; n_levels];
            for (&code, rows) in code_of.iter().zip(&counts).filter(|(code, _)| **code != MISSING) {
                level_counts[code as usize] += rows;
            }
            let codes = codes.into_iter().map(|code| match code {
                Labels::MISSING | Labels::BEYOND => MISSING,
                code => code_of[code as usize],
            });
            let column = Column::new(name, kind, Values::Codes(codes.collect()))?;
            Ok((column, Figures::Levels { counts: level_counts, is_more: n_beyond > 0 }))
        }
        RawValues::Unreadable => Err(Error::data(format!("column \"{name}\" cannot be read"))),
    }
}

/// The code of each label; [`MISSING`] for one that no row has any more.
fn codes_of_levels<'a>(
    name: &str,
    kind: &Kind,
    labels: impl Iterator<Item = (&'a str, &'a u64)>,
) -> Result<Vec<u32>, Error> {
    let places: rustc_hash::FxHashMap<&str, u32> =
        kind.levels().iter().zip(0..).map(|(level, code)| (level.as_str(), code)).collect();
    let code_of = |(label, rows): (&str, &u64)| {
        let code = if *kind == Kind::Flag { flag_value(label) } else { places.get(label).copied() };
        match code {
            Some(code) => Ok(code),
            None if *rows == 0 => Ok(MISSING),
            None => Err(undeclared(name, label, *rows, kind)),
        }
    };
    labels.map(code_of).collect()
}

fn undeclared(name: &str, label: &str, rows: u64, kind: &Kind) -> Error {
    const SHOWN: usize = 8;
    let listed = match kind {
        Kind::Flag => "0 and 1, or words for no and yes".to_owned(),
        kind if kind.levels().len() > SHOWN => {
            format!("{} and {} more", kind.levels()[..SHOWN].join(", "), kind.levels().len() - SHOWN)
        }
        kind => kind.levels().join(", "),
    };
    let near = tribunal_io::nearest(label, kind.levels().iter().map(String::as_str));
    let near = near.map_or_else(String::new, |near| format!(" (did you mean \"{near}\"?)"));
    Error::data(format!(
        "column \"{name}\": \"{label}\", in {rows} row{}, is not among the declared values{near}: {listed}; correct it, \
         declare it, or list it as missing",
        if rows == 1 { "" } else { "s" }
    ))
}

impl TypedColumn {
    /// Which cells hold no number where all others do, in words.
    pub(crate) fn strays_text(&self) -> String {
        let cell = |stray: &StrayCell| format!("\"{}\" ({})", stray.text, stray.place);
        let cells: Vec<String> = self.strays.iter().map(cell).collect();
        let more = self.n_strays as usize - cells.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let cell = if self.n_strays == 1 { "cell" } else { "cells" };
        let (name, n) = (self.column.name(), self.n_strays);
        format!("\"{name}\" holds numbers but for {n} {cell}: {}{more}", cells.join(", "))
    }
}

/// The error for a column that is a number but for a few cells.
pub(crate) fn nearly_numeric(column: &TypedColumn) -> Error {
    let first = column.strays.first().map_or("", |stray| &stray.text);
    let message = Message::from(format!("column {}; ", column.strays_text()));
    let message = match plain_number(first) {
        Some(PlainNumber { notation, plain }) => message.text(format!("{notation}? write {plain}")),
        None => {
            let message = message.text("correct them, count them as missing (");
            message.set(Setting::MissingText, first).text(")")
        }
    };
    let message = message.text(" or take the column for a category (");
    Error::data(message.set(Setting::Kind, format!("{}=categorical", column.column.name())).text(")"))
}

/// The error for a column of numbers in a notation that is not read.
pub(crate) fn in_other_notation(column: &TypedColumn) -> Option<Error> {
    let is_notation = |remark: &&Remark| matches!(remark, Remark::OtherNotation { .. });
    let remark = column.remarks.iter().find(is_notation)?;
    let Remark::OtherNotation { plain, .. } = remark else { return None };
    let name = column.column.name();
    let message = format!("column \"{name}\": {remark}; write {plain}, or say what the column is (");
    let message = Message::from(message).set(Setting::Kind, format!("{name}=categorical")).text(", ");
    Some(Error::data(message.set(Setting::Kind, format!("{name}=ignore")).text(")")))
}
