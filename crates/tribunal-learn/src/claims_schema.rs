//! The personal-injury claims of Viaene, Derrig, Baesens and Dedene (2002): 25 red flags, twelve other predictors with
//! their bins, and five encodings of what the adjusters said.

use crate::kind::{BinRule, Kind};
use crate::schema::{ColumnSchema, Role, Schema, TargetSchema};
use crate::target::{Comparison, TargetRule};

/// The red flags: ten of the accident, three of the claimant, six of the injury, four of the insured, two of lost wages.
pub const CLAIM_FLAGS: [&str; 25] = [
    "ACC01", "ACC04", "ACC09", "ACC10", "ACC11", "ACC14", "ACC15", "ACC16", "ACC18", "ACC19", "CLT02",
    "CLT04", "CLT07", "INJ01", "INJ02", "INJ03", "INJ05", "INJ06", "INJ11", "INS01", "INS03", "INS06",
    "INS07", "LW01", "LW03",
];

/// The other predictors.
pub const CLAIM_OTHERS: [&str; 12] = [
    "AGE",
    "POL_LAG",
    "REPT_LAG",
    "TRT_LAG1",
    "TRT_LAG1_01",
    "TRT_LAG2",
    "TRT_LAG2_01",
    "AMBUL",
    "AMBUL_01",
    "PART_DIS1_01",
    "TOT_DIS1_01",
    "SCLEGREP",
];

/// The bins of ages, lags and charges: inclusive upper bounds of all bins but the last, in whole years, days and dollars.
pub mod claim_bounds {
    /// Age at the accident.
    pub const AGE: &[u16] = &[20, 40, 60, 80];
    /// Days from the start of a policy of one year to the accident.
    pub const POLICY_LAG: &[u16] = &[7, 15, 30, 45, 60, 90, 180, 270];
    /// Days from the accident to its report, or to a treatment.
    pub const LAG: &[u16] = &[7, 15, 30, 45, 60, 90, 180, 270, 360];
    /// Charges of an ambulance.
    pub const CHARGE: &[u16] = &[100, 200, 300, 400, 500];
}

const BINNED: [(&str, &[u16]); 6] = [
    ("AGE", claim_bounds::AGE),
    ("POL_LAG", claim_bounds::POLICY_LAG),
    ("REPT_LAG", claim_bounds::LAG),
    ("TRT_LAG1", claim_bounds::LAG),
    ("TRT_LAG2", claim_bounds::LAG),
    ("AMBUL", claim_bounds::CHARGE),
];

/// What counts as suspicious.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimTarget {
    /// A suspicion score of at least this, from 0 to 10.
    ScoreAtLeast(u8),
    /// A verbal code of at least this, from 1 (probably legitimate) to 5 (suspected planned fraud).
    CodeAtLeast(u8),
}

impl ClaimTarget {
    /// The five encodings of the study, by name; `4+` is the operational one.
    pub const ALL: [(&'static str, ClaimTarget); 5] = [
        ("1+", ClaimTarget::ScoreAtLeast(1)),
        ("4+", ClaimTarget::ScoreAtLeast(4)),
        ("7+", ClaimTarget::ScoreAtLeast(7)),
        ("vnl", ClaimTarget::CodeAtLeast(2)),
        ("vop", ClaimTarget::CodeAtLeast(3)),
    ];

    /// Whether a claim with this score and code is suspicious.
    pub fn holds(self, score: u8, code: u8) -> bool {
        match self {
            ClaimTarget::ScoreAtLeast(bound) => score >= bound,
            ClaimTarget::CodeAtLeast(bound) => code >= bound,
        }
    }

    /// The target as a rule on a column.
    pub fn schema(self) -> TargetSchema {
        let (column, bound, whole) = match self {
            ClaimTarget::ScoreAtLeast(bound) => ("score", bound, [0, 10]),
            ClaimTarget::CodeAtLeast(bound) => ("code", bound, [1, 5]),
        };
        let positive = TargetRule::Number(Comparison::AtLeast, f64::from(bound));
        TargetSchema { column: column.into(), positive, whole: Some(whole) }
    }
}

/// The schema of the claims, with the predictor sets `indicator` (the flags) and `extended` (all).
///
/// ```
/// use tribunal_learn::claims_schema;
///
/// let schema = claims_schema();
/// assert_eq!(schema.sets["extended"].len(), 37);
/// assert_eq!(schema.targets["vop"].class_of("3"), Ok(true));
/// ```
pub fn claims_schema() -> Schema {
    let flags = CLAIM_FLAGS.iter().chain(CLAIM_OTHERS.iter().filter(|name| bin_rule(name).is_none()));
    let flags = flags.map(|name| (name.to_string(), ColumnSchema::Kind(Kind::Flag)));
    let binned = BINNED.iter().filter_map(|(name, _)| {
        let kind = Kind::Binned(bin_rule(name)?);
        Some((name.to_string(), ColumnSchema::Kind(kind)))
    });
    let roles = [("PAID", Role::Amount), ("score", Role::Target), ("code", Role::Target)];
    let roles = roles.map(|(name, role)| (name.to_owned(), ColumnSchema::Role(role)));
    let names = |names: &[&str]| -> Vec<String> { names.iter().map(|name| name.to_string()).collect() };
    let extended = [&CLAIM_FLAGS[..], &CLAIM_OTHERS].concat();
    Schema {
        missing: Vec::new(),
        min_firings: 10,
        columns: flags.chain(binned).chain(roles).collect(),
        sets: [("indicator".into(), names(&CLAIM_FLAGS)), ("extended".into(), names(&extended))].into(),
        targets: ClaimTarget::ALL.iter().map(|(name, target)| (name.to_string(), target.schema())).collect(),
    }
}

fn bin_rule(name: &str) -> Option<BinRule> {
    let (_, bounds) = BINNED.iter().find(|(known, _)| *known == name)?;
    Some(BinRule::WholeUnits(bounds.iter().map(|&bound| f64::from(bound)).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Bins;

    fn check_bins(name: &str, values: &[f64], expected: &[u32]) {
        let bins = Bins::given(&bin_rule(name).expect(name)).expect("given");
        let found: Vec<u32> = values.iter().map(|&value| bins.bin(value).expect("a bin") + 1).collect();
        assert_eq!(found, expected, "{name}");
    }

    #[test]
    fn bins_are_those_of_the_study() {
        check_bins("AGE", &[0.0, 20.0, 20.4, 20.5, 21.0, 80.0, 81.0, 95.0], &[1, 1, 1, 2, 2, 4, 5, 5]);
        check_bins("POL_LAG", &[0.0, 7.0, 8.0, 270.0, 271.0, 364.0], &[1, 1, 2, 8, 9, 9]);
        check_bins("REPT_LAG", &[360.0, 361.0, 500.0], &[9, 10, 10]);
        check_bins("TRT_LAG1", &[0.0, 3.0, 7.0, 8.0], &[1, 1, 1, 2]);
        check_bins("AMBUL", &[0.0, 100.0, 100.49, 100.5, 500.4, 501.0], &[1, 1, 1, 2, 5, 6]);
    }

    fn check_target(name: &str, values: std::ops::RangeInclusive<u32>, expected: &str) {
        let target = &claims_schema().targets[name];
        let class = |value: u32| target.class_of(&value.to_string()).expect("on the scale");
        let found: String = values.map(|value| if class(value) { '1' } else { '0' }).collect();
        assert_eq!(found, expected, "{name}");
    }

    #[test]
    fn targets_are_those_of_the_study() {
        check_target("1+", 0..=10, "01111111111");
        check_target("4+", 0..=10, "00001111111");
        check_target("7+", 0..=10, "00000001111");
        check_target("vnl", 1..=5, "01111");
        check_target("vop", 1..=5, "00111");
    }

    #[test]
    fn every_column_has_one_place() {
        let schema = claims_schema();
        assert_eq!(schema.columns.len(), 40);
        let declared = |name: &String| matches!(schema.columns[name], ColumnSchema::Kind(_));
        assert!(schema.sets["extended"].iter().all(declared));
    }
}
