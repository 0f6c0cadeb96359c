//! The columns of a claim: 25 flags, 12 other predictors, what was paid, and the expert's score and code.
//!
//! Names and order follow Viaene, Derrig, Baesens and Dedene (2002), tables 1 and 2. A file holds raw values; bins
//! are made when a file is learned from.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef};

/// A flag: how its constants let it fire, and how much it weighs with the expert.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flag {
    pub(super) name: &'static str,
    /// Place among the five groups: accident, claimant, injury, insured, lost wages.
    pub(super) group: usize,
    /// The upper normal quantile of the rate at which the flag fires.
    pub(super) threshold: f64,
    pub(super) weight: f64,
}

pub(super) const N_GROUPS: usize = 5;
pub(super) const N_FLAGS: usize = 25;

const fn flag(name: &'static str, group: usize, threshold: f64, weight: f64) -> Flag {
    Flag { name, group, threshold, weight }
}

pub(super) static FLAGS: [Flag; N_FLAGS] = [
    flag("ACC01", 0, 0.841621, 0.45),
    flag("ACC04", 0, 0.954165, 0.35),
    flag("ACC09", 0, 1.080319, 0.55),
    flag("ACC10", 0, 1.750686, 0.80),
    flag("ACC11", 0, 1.554774, 0.70),
    flag("ACC14", 0, 1.340755, 0.40),
    flag("ACC15", 0, 1.475791, 0.75),
    flag("ACC16", 0, 1.750686, 0.90),
    flag("ACC18", 0, 1.880794, 0.60),
    flag("ACC19", 0, 1.644854, 0.85),
    flag("CLT02", 1, 1.644854, 0.80),
    flag("CLT04", 1, 1.750686, 0.70),
    flag("CLT07", 1, 1.340755, 0.95),
    flag("INJ01", 2, 0.305481, 0.55),
    flag("INJ02", 2, 0.524401, 0.45),
    flag("INJ03", 2, 1.174987, 0.60),
    flag("INJ05", 2, 1.644854, 0.70),
    flag("INJ06", 2, 0.994458, 0.50),
    flag("INJ11", 2, 1.880794, 0.80),
    flag("INS01", 3, 1.880794, 0.60),
    flag("INS03", 3, 2.053749, 0.70),
    flag("INS06", 3, 1.554774, 0.90),
    flag("INS07", 3, 1.644854, 0.55),
    flag("LW01", 4, 1.880794, 0.75),
    flag("LW03", 4, 1.750686, 0.65),
];

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Holds {
    /// The flag of this number.
    Flag(usize),
    /// Age at the accident, in years.
    Age,
    /// Days from the start of the policy to the accident.
    PolicyLag,
    /// Days from the accident to its report.
    ReportLag,
    /// Days from the accident to the first treatment by the first provider; 0 for none.
    TreatmentLag1,
    /// Whether the first provider treated at all.
    Treated1,
    /// Days from the accident to the first treatment by the second provider; 0 for none.
    TreatmentLag2,
    /// Whether a second provider treated at all.
    Treated2,
    /// Charges of an ambulance, in dollars.
    Ambulance,
    /// Whether there was an ambulance.
    AmbulanceCalled,
    /// Whether the claimant is partially disabled.
    PartDisabled,
    /// Whether the claimant is totally disabled.
    TotallyDisabled,
    /// Whether an attorney represents the claimant.
    Represented,
    /// What was paid, in dollars: an amount and no predictor.
    Paid,
    /// The expert's score of suspicion, 0 to 10.
    Score,
    /// The expert's code, 1 (probably legitimate) to 5 (planned fraud).
    Code,
}

/// A column of the claims.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name in files.
    pub name: &'static str,
    /// What it holds.
    pub holds: Holds,
}

const OTHERS: [Column; 15] = [
    Column { name: "AGE", holds: Holds::Age },
    Column { name: "POL_LAG", holds: Holds::PolicyLag },
    Column { name: "REPT_LAG", holds: Holds::ReportLag },
    Column { name: "TRT_LAG1", holds: Holds::TreatmentLag1 },
    Column { name: "TRT_LAG1_01", holds: Holds::Treated1 },
    Column { name: "TRT_LAG2", holds: Holds::TreatmentLag2 },
    Column { name: "TRT_LAG2_01", holds: Holds::Treated2 },
    Column { name: "AMBUL", holds: Holds::Ambulance },
    Column { name: "AMBUL_01", holds: Holds::AmbulanceCalled },
    Column { name: "PART_DIS1_01", holds: Holds::PartDisabled },
    Column { name: "TOT_DIS1_01", holds: Holds::TotallyDisabled },
    Column { name: "SCLEGREP", holds: Holds::Represented },
    Column { name: "PAID", holds: Holds::Paid },
    Column { name: "score", holds: Holds::Score },
    Column { name: "code", holds: Holds::Code },
];

/// The columns of the claims in file order: 37 predictors, then `PAID`, `score` and `code`.
pub fn columns() -> impl Iterator<Item = Column> {
    let flags = FLAGS.iter().enumerate().map(|(i, flag)| Column { name: flag.name, holds: Holds::Flag(i) });
    flags.chain(OTHERS)
}

impl Column {
    fn field(&self) -> Field {
        match self.holds {
            Holds::PolicyLag | Holds::ReportLag | Holds::TreatmentLag1 | Holds::TreatmentLag2 => {
                Field::new(self.name, DataType::UInt16, false)
            }
            Holds::Ambulance | Holds::Paid => Field::new(self.name, DataType::Float64, false)
                .with_metadata(HashMap::from([("decimals".into(), "2".into())])),
            _ => Field::new(self.name, DataType::UInt8, false),
        }
    }
}

/// The columns as Arrow knows them: the narrowest whole numbers, amounts as floats of two decimals.
pub fn schema() -> SchemaRef {
    Arc::new(Schema::new(columns().map(|column| column.field()).collect::<Vec<_>>()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tribunal_learn::{CLAIM_FLAGS, CLAIM_OTHERS};

    #[test]
    fn columns_stand_in_the_published_order() {
        let names: Vec<&str> = columns().map(|column| column.name).collect();
        assert_eq!(names[37..], ["PAID", "score", "code"]);
        let predictors = [&CLAIM_FLAGS[..], &CLAIM_OTHERS].concat();
        assert_eq!(names[..37], predictors);
        let groups = |group| FLAGS.iter().filter(|flag| flag.group == group).count();
        assert_eq!([0, 1, 2, 3, 4].map(groups), [10, 3, 6, 4, 2]);
    }
}
