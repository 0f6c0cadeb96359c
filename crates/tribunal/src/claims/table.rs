//! Claims as columns: 23 bytes each, whole or a piece of a longer stream.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, UInt8Array, UInt16Array};
use arrow_schema::SchemaRef;
use tribunal_learn::{ColumnSchema, Dataset, Kind, claims_schema};

use super::claim::Claim;
use super::ranks::Marks;
use super::schema::{Column, Holds, N_FLAGS, columns};
use super::targets::Target;
use crate::error::Error;

/// Places of further facts behind the flags.
const PART_DISABLED: usize = N_FLAGS;
const TOTALLY_DISABLED: usize = N_FLAGS + 1;
const REPRESENTED: usize = N_FLAGS + 2;

/// Synthetic claims, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    /// Flag `i` is bit `i`; the other facts follow.
    facts: Vec<u32>,
    age: Vec<u8>,
    policy_lag: Vec<u16>,
    report_lag: Vec<u16>,
    treatment_lags: [Vec<u16>; 2],
    ambulance_cents: Vec<u32>,
    paid_cents: Vec<u32>,
    marks: Marks,
}

impl Claims {
    /// What a claim takes in memory.
    pub(super) const BYTES: usize = 23;

    pub(super) fn with_capacity(rows: usize) -> Self {
        Self {
            facts: Vec::with_capacity(rows),
            age: Vec::with_capacity(rows),
            policy_lag: Vec::with_capacity(rows),
            report_lag: Vec::with_capacity(rows),
            treatment_lags: [Vec::with_capacity(rows), Vec::with_capacity(rows)],
            ambulance_cents: Vec::with_capacity(rows),
            paid_cents: Vec::with_capacity(rows),
            marks: Marks::default(),
        }
    }

    /// Adds a claim whose score and code are not known yet.
    pub(super) fn push(&mut self, claim: &Claim) {
        let fact = |fact: bool, at: usize| u32::from(fact) << at;
        self.facts.push(
            claim.flags
                | fact(claim.part_disabled, PART_DISABLED)
                | fact(claim.totally_disabled, TOTALLY_DISABLED)
                | fact(claim.represented, REPRESENTED),
        );
        self.age.push(claim.age);
        self.policy_lag.push(claim.policy_lag);
        self.report_lag.push(claim.report_lag);
        for (lags, lag) in self.treatment_lags.iter_mut().zip(claim.treatment_lags) {
            lags.push(lag);
        }
        self.ambulance_cents.push(claim.ambulance_cents);
        self.paid_cents.push(claim.paid_cents);
    }

    /// The claims with the scores and codes that the experts gave them.
    pub(super) fn marked(mut self, marks: Marks) -> Self {
        self.marks = marks;
        self
    }

    /// Adds the claims that follow these.
    pub(super) fn append(&mut self, mut next: Self) {
        self.facts.append(&mut next.facts);
        self.age.append(&mut next.age);
        self.policy_lag.append(&mut next.policy_lag);
        self.report_lag.append(&mut next.report_lag);
        for (lags, next) in self.treatment_lags.iter_mut().zip(&mut next.treatment_lags) {
            lags.append(next);
        }
        self.ambulance_cents.append(&mut next.ambulance_cents);
        self.paid_cents.append(&mut next.paid_cents);
        self.marks.score.append(&mut next.marks.score);
        self.marks.code.append(&mut next.marks.code);
    }

    /// How many claims there are.
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// Whether there is no claim.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// The experts' scores of suspicion, 0 to 10.
    pub fn scores(&self) -> &[u8] {
        &self.marks.score
    }

    /// The experts' codes, 1 to 5.
    pub fn codes(&self) -> &[u8] {
        &self.marks.code
    }

    /// What was paid, in dollars.
    pub fn paid(&self) -> impl Iterator<Item = f64> {
        self.paid_cents.iter().map(|&cents| dollars(cents))
    }

    /// Which claims are suspicious in the sense of a target.
    pub fn suspicious(&self, target: &Target) -> impl Iterator<Item = bool> {
        self.scores().iter().zip(self.codes()).map(|(&score, &code)| target.rule.holds(score, code))
    }

    /// A column as numbers, as it stands in files.
    ///
    /// ```
    /// use tribunal::claims::{ClaimsRequest, columns, generate};
    ///
    /// let claims = generate(&ClaimsRequest::default())?;
    /// let age = columns().find(|column| column.name == "AGE").expect("an age");
    /// assert_eq!(claims.raw(&age)[..3], [41.0, 33.0, 30.0]);
    /// # Ok::<(), tribunal::Error>(())
    /// ```
    pub fn raw(&self, column: &Column) -> Vec<f64> {
        match self.values(column.holds) {
            Values::Bytes(bytes) => bytes.iter().map(|&value| f64::from(value)).collect(),
            Values::Days(days) => days.iter().map(|&value| f64::from(value)).collect(),
            Values::Cents(cents) => cents.iter().map(|&value| dollars(value)).collect(),
        }
    }

    /// The claims as a data set with a target: all 37 predictors, of the kinds that the study gives them.
    ///
    /// ```
    /// use tribunal::claims::{ClaimsRequest, TARGETS, generate};
    ///
    /// let dataset = generate(&ClaimsRequest::default())?.dataset(&TARGETS[1])?;
    /// assert_eq!((dataset.columns().len(), dataset.n_rows()), (37, 1399));
    /// assert_eq!(dataset.target().map(|target| target.counts()), Some(vec![1003, 396]));
    /// # Ok::<(), tribunal::Error>(())
    /// ```
    ///
    /// # Errors
    /// The claims do not fit their schema, which would be a defect.
    pub fn dataset(&self, target: &Target) -> Result<Dataset, Error> {
        let schema = claims_schema();
        let column = |column: Column| match schema.columns.get(column.name) {
            Some(ColumnSchema::Kind(kind)) => Some(self.typed(&column, kind.clone())),
            _ => None,
        };
        let dataset = Dataset::new(columns().filter_map(column).collect::<Result<_, Error>>()?)?;
        let classes = self.suspicious(target).map(u32::from).collect();
        let names = target.rule.schema().class_names();
        Ok(dataset.with_target(tribunal_learn::Target::new(target.name, names, classes)?)?)
    }

    fn typed(&self, column: &Column, kind: Kind) -> Result<tribunal_learn::Column, Error> {
        let raw = self.raw(column);
        let values = match kind.is_coded() {
            true => tribunal_learn::Values::Codes(raw.into_iter().map(|value| value as u32).collect()),
            false => tribunal_learn::Values::Numbers(raw),
        };
        Ok(tribunal_learn::Column::new(column.name, kind, values)?)
    }

    /// The claims as Arrow columns of [`schema`](super::schema()).
    ///
    /// # Errors
    /// The schema is another one.
    pub fn batch(&self, schema: &SchemaRef) -> Result<RecordBatch, Error> {
        let arrays = columns().map(|column| self.array(column.holds)).collect();
        RecordBatch::try_new(Arc::clone(schema), arrays).map_err(|error| Error::data(error.to_string()))
    }

    fn array(&self, holds: Holds) -> ArrayRef {
        match self.values(holds) {
            Values::Bytes(bytes) => Arc::new(UInt8Array::from(bytes.into_owned())),
            Values::Days(days) => Arc::new(UInt16Array::from(days.to_vec())),
            Values::Cents(cents) => {
                Arc::new(Float64Array::from_iter_values(cents.iter().map(|&value| dollars(value))))
            }
        }
    }

    fn values(&self, holds: Holds) -> Values<'_> {
        let [lag1, lag2] = &self.treatment_lags;
        match holds {
            Holds::Flag(i) => self.fact(i),
            Holds::Age => Values::Bytes(Cow::Borrowed(&self.age)),
            Holds::PolicyLag => Values::Days(&self.policy_lag),
            Holds::ReportLag => Values::Days(&self.report_lag),
            Holds::TreatmentLag1 => Values::Days(lag1),
            Holds::Treated1 => is_some(lag1),
            Holds::TreatmentLag2 => Values::Days(lag2),
            Holds::Treated2 => is_some(lag2),
            Holds::Ambulance => Values::Cents(&self.ambulance_cents),
            Holds::AmbulanceCalled => is_some(&self.ambulance_cents),
            Holds::PartDisabled => self.fact(PART_DISABLED),
            Holds::TotallyDisabled => self.fact(TOTALLY_DISABLED),
            Holds::Represented => self.fact(REPRESENTED),
            Holds::Paid => Values::Cents(&self.paid_cents),
            Holds::Score => Values::Bytes(Cow::Borrowed(self.scores())),
            Holds::Code => Values::Bytes(Cow::Borrowed(self.codes())),
        }
    }

    fn fact(&self, at: usize) -> Values<'_> {
        Values::Bytes(self.facts.iter().map(|facts| (facts >> at & 1) as u8).collect())
    }
}

/// The values of a column as they are kept.
enum Values<'a> {
    Bytes(Cow<'a, [u8]>),
    Days(&'a [u16]),
    Cents(&'a [u32]),
}

/// Whether there were any days, or any cents.
fn is_some<T: Copy + Default + PartialOrd>(values: &[T]) -> Values<'_> {
    Values::Bytes(values.iter().map(|&value| u8::from(value > T::default())).collect())
}

fn dollars(cents: u32) -> f64 {
    f64::from(cents) / 100.0
}
