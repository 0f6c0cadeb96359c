//! A whole table as it stands in its files: numbers or labels, column by column, before anybody says what they mean.

use tribunal_io::{Batch, Column, Dictionary, Labels, Numbers, Place};

use super::sample::RowSample;

/// A table read whole, or a sample of its rows.
#[derive(Debug)]
pub(crate) struct RawTable {
    /// How many rows the files have.
    pub(crate) n_rows: u64,
    /// Which of them are kept, if not all.
    pub(crate) sample: Option<RowSample>,
    pub(crate) columns: Vec<RawColumn>,
}

/// A column of a [`RawTable`].
#[derive(Debug)]
pub(crate) struct RawColumn {
    pub(crate) name: String,
    pub(crate) values: RawValues,
    pub(crate) strays: Strays,
}

/// The values of the rows that are kept, and figures over all rows.
#[derive(Debug)]
pub(crate) enum RawValues {
    /// Numbers; NaN where there is none.
    Numbers { values: Vec<f64>, moments: Moments },
    /// Labels, with the number of rows of each.
    Labels { codes: Vec<u32>, dictionary: Dictionary, counts: Vec<u64>, n_beyond: u64, n_missing: u64 },
    /// Lists, structs or bytes, which are not read.
    Unreadable,
}

/// Texts and infinities among numbers: how many, and the first of them with their place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Strays {
    pub(crate) n: u64,
    /// How many of them are texts.
    pub(crate) n_texts: u64,
    pub(crate) first: Vec<StrayCell>,
}

/// A cell that holds no number where all others do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StrayCell {
    /// The file and the line or row.
    pub(crate) place: String,
    pub(crate) text: String,
}

/// Count, mean, spread and ends of numbers, gathered batch by batch (Chan, Golub and LeVeque 1983).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moments {
    pub(crate) n: u64,
    pub(crate) n_missing: u64,
    pub(crate) mean: f64,
    squares: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
}

impl Default for Moments {
    fn default() -> Self {
        Moments { n: 0, n_missing: 0, mean: 0.0, squares: 0.0, min: f64::INFINITY, max: f64::NEG_INFINITY }
    }
}

impl Moments {
    /// Adds numbers; NaN is missing.
    fn add(&mut self, values: &[f64]) {
        let present = || values.iter().copied().filter(|value| !value.is_nan());
        let (mut n, mut sum) = (0_u64, 0.0);
        for value in present() {
            n += 1;
            sum += value;
            self.min = self.min.min(value);
            self.max = self.max.max(value);
        }
        self.n_missing += values.len() as u64 - n;
        if n == 0 {
            return;
        }
        let mean = sum / n as f64;
        let squares: f64 = present().map(|value| (value - mean).powi(2)).sum();
        let (before, total) = (self.n as f64, (self.n + n) as f64);
        let off = mean - self.mean;
        self.mean += off * n as f64 / total;
        self.squares += squares + off * off * before * n as f64 / total;
        self.n += n;
    }

    /// The standard deviation of the sample; `None` for fewer than two numbers.
    pub(crate) fn sd(&self) -> Option<f64> {
        (self.n > 1).then(|| (self.squares / (self.n - 1) as f64).sqrt())
    }
}

impl Strays {
    const SHOWN: usize = 5;

    fn add(&mut self, place: &Place, row: usize, text: &str) {
        self.n += 1;
        if self.first.len() < Self::SHOWN {
            self.first.push(StrayCell { place: place.locate(row).to_string(), text: text.to_owned() });
        }
    }
}

impl RawTable {
    /// Takes in the next batch, whose columns are those of the table that can be read, in order.
    pub(crate) fn absorb(&mut self, batch: &Batch<'_>, missing: &[String]) {
        let kept = self.sample.as_mut().and_then(|sample| sample.pick(self.n_rows, batch.rows));
        self.n_rows += batch.rows as u64;
        let readable =
            self.columns.iter_mut().filter(|column| !matches!(column.values, RawValues::Unreadable));
        for (column, read) in readable.zip(&batch.columns) {
            match read {
                Column::Number(numbers) => column.absorb_numbers(numbers, batch, kept.as_deref(), missing),
                Column::Coded(coded) => {
                    column.absorb_numbers(&coded.decode(), batch, kept.as_deref(), missing);
                }
                Column::Label(labels) => column.absorb_labels(labels, kept.as_deref()),
            }
        }
        if let Some(thinned) = self.sample.as_mut().and_then(RowSample::thin) {
            self.columns.iter_mut().for_each(|column| column.keep(&thinned));
        }
    }
}

impl RawColumn {
    fn absorb_numbers(
        &mut self,
        read: &Numbers,
        batch: &Batch<'_>,
        kept: Option<&[usize]>,
        missing: &[String],
    ) {
        let RawValues::Numbers { values, moments } = &mut self.values else { return };
        let first = values.len();
        match &read.present {
            None => values.extend_from_slice(&read.values),
            Some(_) => values.extend((0..batch.rows).map(|row| read.get(row).unwrap_or(f64::NAN))),
        }
        for (row, value) in values[first..].iter_mut().enumerate().filter(|(_, value)| value.is_infinite()) {
            self.strays.add(&batch.place, row, &value.to_string());
            *value = f64::NAN;
        }
        moments.add(&values[first..]);
        for stray in &read.strays {
            if !missing.iter().any(|text| **text == *stray.text) {
                self.strays.add(&batch.place, stray.row, &stray.text);
                self.strays.n_texts += 1;
            }
        }
        if let Some(kept) = kept {
            compact(values, first, kept);
        }
    }

    fn absorb_labels(&mut self, read: &Labels<'_>, kept: Option<&[usize]>) {
        let RawValues::Labels { codes, counts, n_beyond, n_missing, .. } = &mut self.values else { return };
        counts.resize(read.dictionary.len(), 0);
        for &code in &read.codes {
            match counts.get_mut(code as usize) {
                Some(count) => *count += 1,
                None if code == Labels::MISSING => *n_missing += 1,
                None => *n_beyond += 1,
            }
        }
        let first = codes.len();
        codes.extend_from_slice(&read.codes);
        if let Some(kept) = kept {
            compact(codes, first, kept);
        }
    }

    /// Keeps the values of these of the rows kept so far.
    fn keep(&mut self, rows: &[usize]) {
        match &mut self.values {
            RawValues::Numbers { values, .. } => compact(values, 0, rows),
            RawValues::Labels { codes, .. } => compact(codes, 0, rows),
            RawValues::Unreadable => {}
        }
    }
}

/// Of the values from `first` on, keeps those at the given rising positions.
fn compact<T: Copy>(values: &mut Vec<T>, first: usize, kept: &[usize]) {
    for (to, &from) in kept.iter().enumerate() {
        values[first + to] = values[first + from];
    }
    values.truncate(first + kept.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_agree_with_their_definitions() {
        let mut moments = Moments::default();
        moments.add(&[4.0, f64::NAN, 7.0]);
        moments.add(&[f64::NAN]);
        moments.add(&[13.0, 16.0]);
        assert_eq!((moments.n, moments.n_missing, moments.mean), (4, 2, 10.0));
        assert_eq!((moments.min, moments.max), (4.0, 16.0));
        assert!(moments.sd().is_some_and(|sd| (sd - 30_f64.sqrt()).abs() < 1e-12));
    }

    #[test]
    fn values_are_kept_by_position() {
        let mut values = vec![9, 10, 11, 12, 13];
        compact(&mut values, 1, &[1, 3]);
        assert_eq!(values, [9, 11, 13]);
    }
}
