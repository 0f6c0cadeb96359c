//! A column of a model, filled from a table batch by batch. Kinds and levels are those of the model.

use tribunal_io::{Batch, Labels, Numbers, Want, plain_number};
use tribunal_learn::encoding::Bins;
use tribunal_learn::{Column, Input, Kind, LevelCodes, MISSING, Values};

use crate::error::Error;
use crate::message::{Message, Setting};

/// A label that stands for nothing that is known, while a column is filled.
const UNKNOWN: u32 = MISSING - 1;

/// A column on its way.
pub(super) struct Filling<'a> {
    name: &'a str,
    values: Growing<'a>,
}

enum Growing<'a> {
    Numbers { values: Vec<f64>, bins: Option<Bins> },
    Codes(Coding<'a>),
}

/// The code that a label stands for, if any.
type CodeOf<'a> = Box<dyn Fn(&str) -> Option<u32> + 'a>;

/// Labels turned into codes.
struct Coding<'a> {
    code_of: CodeOf<'a>,
    /// What is known, for messages.
    known: &'a [String],
    /// The code of each label met so far.
    met: Vec<u32>,
    codes: Vec<u32>,
    unknown: Unknown,
}

/// Values that stand for nothing that is known: their rows, and the first.
#[derive(Default)]
struct Unknown {
    rows: Vec<u32>,
    first: Option<String>,
}

/// A value that is refused.
pub(super) struct Flaw {
    /// Its row in the batch.
    row: usize,
    error: Error,
}

impl Flaw {
    /// The flaw that stands first, as an error.
    pub(super) fn first(flaws: impl Iterator<Item = Flaw>) -> Result<(), Error> {
        flaws.min_by_key(|flaw| flaw.row).map_or(Ok(()), |flaw| Err(flaw.error))
    }
}

/// What counts as missing, and what as an error.
pub(super) struct Reading<'a> {
    pub(super) missing: &'a [String],
    pub(super) is_strict: bool,
}

impl<'a> Filling<'a> {
    /// A column that a model was trained with.
    pub(super) fn of_input(input: &'a Input) -> Self {
        let levels = input.kind.levels();
        let values = match &input.kind {
            Kind::Numeric => Growing::Numbers { values: Vec::new(), bins: None },
            Kind::Binned(rule) => Growing::Numbers { values: Vec::new(), bins: Bins::given(rule) },
            Kind::Flag | Kind::Categorical(_) | Kind::Ordered(_) => {
                let codes = LevelCodes::of(&input.kind);
                Growing::Codes(Coding::new(move |label| codes.code(label), levels))
            }
        };
        Filling { name: &input.name, values }
    }

    /// A column of which a rule makes classes.
    pub(super) fn of_classes(name: &'a str, class_of: impl Fn(&str) -> Option<u32> + 'a) -> Self {
        Filling { name, values: Growing::Codes(Coding::new(class_of, &[])) }
    }

    pub(super) fn want(&self) -> Want {
        match self.values {
            Growing::Numbers { .. } => Want::cell(self.name),
            Growing::Codes(_) => Want::label(self.name),
        }
    }

    /// Takes in the column at `idx` of a batch, up to its first flaw.
    pub(super) fn absorb(
        &mut self,
        batch: &Batch<'_>,
        idx: usize,
        reading: &Reading<'_>,
    ) -> Result<(), Flaw> {
        let flaw = match &mut self.values {
            Growing::Numbers { values, bins } => match batch.numbers(idx) {
                Some(numbers) => {
                    values.extend((0..batch.rows).map(|row| numbers.get(row).unwrap_or(f64::NAN)));
                    flaw_of_numbers(numbers, batch.rows, bins.as_ref(), reading)
                }
                None => None,
            },
            Growing::Codes(coding) => {
                batch.labels(idx).and_then(|labels| coding.absorb(labels, batch, reading))
            }
        };
        let Some((row, what)) = flaw else { return Ok(()) };
        let place = batch.place.locate(row);
        let message = Message::from(format!("{place}, column \"{}\": ", self.name)).then(what);
        Err(Flaw { row, error: Error::data(message) })
    }

    /// What should be known of values that counted as missing, and why one or several did.
    pub(super) fn notice(&self, [one, several]: [&str; 2]) -> Option<String> {
        let Growing::Codes(Coding { unknown: Unknown { rows, first: Some(first) }, .. }) = &self.values
        else {
            return None;
        };
        let name = self.name;
        Some(match rows.len() {
            1 => format!("\"{name}\": {first} {one}; it counts as missing"),
            n => {
                format!(
                    "\"{name}\": {n} rows hold values that {several}, such as {first}; they count as missing"
                )
            }
        })
    }

    /// Rows whose values stand for nothing that is known.
    pub(super) fn unknown_rows(&self) -> &[u32] {
        match &self.values {
            Growing::Codes(coding) => &coding.unknown.rows,
            Growing::Numbers { .. } => &[],
        }
    }

    /// The codes of classes.
    pub(super) fn into_codes(self) -> Vec<u32> {
        match self.values {
            Growing::Codes(coding) => coding.codes,
            Growing::Numbers { .. } => Vec::new(),
        }
    }

    pub(super) fn into_column(self, kind: &Kind) -> Result<Column, Error> {
        let values = match self.values {
            Growing::Numbers { values, .. } => Values::Numbers(values),
            Growing::Codes(coding) => Values::Codes(coding.codes),
        };
        Ok(Column::new(self.name, kind.clone(), values)?)
    }
}

/// The first text, infinity or number that bins have no place for, with its row.
fn flaw_of_numbers(
    numbers: &Numbers,
    n_rows: usize,
    bins: Option<&Bins>,
    reading: &Reading<'_>,
) -> Option<(usize, Message)> {
    let stray = numbers.strays.iter().find(|stray| !reading.is_missing(&stray.text));
    let n_sound = stray.map_or(n_rows, |stray| stray.row);
    let impossible = |(row, value): (usize, f64)| {
        if value.is_infinite() {
            return Some((row, format!("{value} is not finite; correct it, or leave it empty").into()));
        }
        let bin = bins.filter(|_| !value.is_nan())?.bin(value);
        bin.err().map(|error| (row, error.to_string().into()))
    };
    let mut present = (0..n_sound).filter_map(|row| Some((row, numbers.get(row)?)));
    present.find_map(impossible).or_else(|| {
        let (row, text) = stray.map(|stray| (stray.row, &stray.text))?;
        let message = Message::from(format!("\"{text}\" is not a number, and the model has numbers here; "));
        let message = match plain_number(text) {
            Some(_) => message.text("write numbers with a decimal point and without other signs"),
            None => {
                let message = message.text("correct it, or count it as missing (");
                message.set(Setting::MissingText, &**text).text(")")
            }
        };
        Some((row, message))
    })
}

impl Reading<'_> {
    fn is_missing(&self, text: &str) -> bool {
        self.missing.iter().any(|missing| missing == text)
    }
}

impl<'a> Coding<'a> {
    fn new(code_of: impl Fn(&str) -> Option<u32> + 'a, known: &'a [String]) -> Self {
        Coding {
            code_of: Box::new(code_of),
            known,
            met: Vec::new(),
            codes: Vec::new(),
            unknown: Unknown::default(),
        }
    }

    /// Takes in labels, up to the first that is refused.
    fn absorb(
        &mut self,
        labels: &Labels<'_>,
        batch: &Batch<'_>,
        reading: &Reading<'_>,
    ) -> Option<(usize, Message)> {
        let new = self.met.len() as u32..labels.dictionary.len() as u32;
        for text in new.filter_map(|code| labels.dictionary.text(code)) {
            let known = if reading.is_missing(text) { Some(MISSING) } else { (self.code_of)(text) };
            self.met.push(known.unwrap_or(UNKNOWN));
        }
        for (row, &label) in labels.codes.iter().enumerate() {
            let mut code = self.met.get(label as usize).copied().unwrap_or(MISSING);
            if code == UNKNOWN {
                let text = labels.get(row).unwrap_or_default();
                if reading.is_strict {
                    return Some((row, self.refusal(text)));
                }
                self.unknown.rows.push(self.codes.len() as u32);
                self.unknown.first.get_or_insert_with(|| format!("\"{text}\" ({})", batch.place.locate(row)));
                code = MISSING;
            }
            self.codes.push(code);
        }
        None
    }

    fn refusal(&self, text: &str) -> Message {
        const SHOWN: usize = 8;
        let near = tribunal_io::nearest(text, self.known.iter().map(String::as_str));
        let near = near.map_or_else(String::new, |near| format!(" (did you mean \"{near}\"?)"));
        let shown = self.known.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
        let listed = match self.known.len() {
            0 => String::new(),
            n if n > SHOWN => format!("; it knows {shown} and {} more", n - SHOWN),
            _ => format!("; it knows {shown}"),
        };
        let message =
            format!("\"{text}\" is a value that the model never met{near}{listed}; correct it, or leave ");
        Message::from(message).setting(Setting::Strict).text(" out to count it as missing")
    }
}
