//! Claims as columns: 23 bytes each, whole or a piece of a longer stream.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, UInt8Array, UInt16Array};
use arrow_schema::SchemaRef;

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
        self.scores().iter().zip(self.codes()).map(|(&score, &code)| target.holds(score, code))
    }

    /// A column as numbers, as it stands in files.
    ///
    /// ```
    /// use tribunal::claims::{ClaimsRequest, columns, generate};
    ///
    /// let claims = generate(&ClaimsRequest::default())?;
    /// let age = columns().find(|column| column.name == "AGE").expect("an age");
    /// assert_eq!(claims.raw(&age)[..3], [41.0, 33.0, 30.0]);
    /// assert_eq!(claims.binned(&age)[..3], [3.0, 2.0, 2.0]);
    /// # Ok::<(), tribunal::Error>(())
    /// ```
    pub fn raw(&self, column: &Column) -> Vec<f64> {
        let small = |values: &[u16]| values.iter().map(|&value| f64::from(value)).collect();
        match column.holds {
            Holds::PolicyLag => small(&self.policy_lag),
            Holds::ReportLag => small(&self.report_lag),
            Holds::TreatmentLag1 => small(&self.treatment_lags[0]),
            Holds::TreatmentLag2 => small(&self.treatment_lags[1]),
            Holds::Ambulance => self.ambulance_cents.iter().map(|&cents| dollars(cents)).collect(),
            Holds::Paid => self.paid().collect(),
            _ => self.bytes(column.holds).into_iter().map(f64::from).collect(),
        }
    }

    /// A column as numbers, those of the published bins where it has them.
    pub fn binned(&self, column: &Column) -> Vec<f64> {
        let raw = self.raw(column);
        let Some(bins) = column.bins() else { return raw };
        raw.into_iter().map(|value| f64::from(bins.of_whole((value + 0.5) as u32))).collect()
    }

    /// The claims as Arrow columns, in the order of [`columns`].
    pub(super) fn batch(&self, schema: &SchemaRef) -> Result<RecordBatch, Error> {
        let arrays = columns().map(|column| self.array(column.holds)).collect();
        RecordBatch::try_new(Arc::clone(schema), arrays).map_err(|error| Error::Data(error.to_string()))
    }

    fn array(&self, holds: Holds) -> ArrayRef {
        let small = |values: &[u16]| Arc::new(UInt16Array::from(values.to_vec()));
        let amount =
            |cents: &[u32]| Arc::new(Float64Array::from_iter_values(cents.iter().map(|&c| dollars(c))));
        match holds {
            Holds::PolicyLag => small(&self.policy_lag),
            Holds::ReportLag => small(&self.report_lag),
            Holds::TreatmentLag1 => small(&self.treatment_lags[0]),
            Holds::TreatmentLag2 => small(&self.treatment_lags[1]),
            Holds::Ambulance => amount(&self.ambulance_cents),
            Holds::Paid => amount(&self.paid_cents),
            _ => Arc::new(UInt8Array::from(self.bytes(holds))),
        }
    }

    /// A column whose values fit a byte.
    fn bytes(&self, holds: Holds) -> Vec<u8> {
        let fact = |at: usize| self.facts.iter().map(|facts| (facts >> at & 1) as u8).collect();
        let some_days = |lags: &[u16]| lags.iter().map(|&lag| u8::from(lag > 0)).collect();
        match holds {
            Holds::Flag(i) => fact(i),
            Holds::PartDisabled => fact(PART_DISABLED),
            Holds::TotallyDisabled => fact(TOTALLY_DISABLED),
            Holds::Represented => fact(REPRESENTED),
            Holds::Treated1 => some_days(&self.treatment_lags[0]),
            Holds::Treated2 => some_days(&self.treatment_lags[1]),
            Holds::AmbulanceCalled => self.ambulance_cents.iter().map(|&cents| u8::from(cents > 0)).collect(),
            Holds::Score => self.marks.score.clone(),
            Holds::Code => self.marks.code.clone(),
            _ => self.age.clone(),
        }
    }
}

fn dollars(cents: u32) -> f64 {
    f64::from(cents) / 100.0
}
