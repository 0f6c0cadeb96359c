//! A fitted calibrator of any kind.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::beta::Beta;
use super::binning::binned;
use super::isotonic::isotonic;
use super::platt::Platt;
use super::pool::Pool;
use super::steps::Steps;
use super::{CalibratorKind, USUAL_BINS};

/// A score with its weight and whether it is of a positive row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    /// What a model says of the row.
    pub score: f64,
    /// How much the row counts.
    pub weight: f64,
    /// Whether it is positive.
    pub is_positive: bool,
}

/// What a score is worth: a function from scores to probabilities, the same after it was written and read back.
///
/// ```
/// use tribunal_learn::{Calibrator, CalibratorKind, Scored};
///
/// let row = |score: f64, is_positive: bool| Scored { score, weight: 1.0, is_positive };
/// let rows = vec![row(-1.0, false), row(0.0, true), row(1.0, false), row(2.0, true)];
/// let isotonic = Calibrator::fit(CalibratorKind::Isotonic, rows);
/// assert_eq!([-3.0, 0.0, 1.0, 9.0].map(|score| isotonic.value(score)), [0.0, 0.5, 0.5, 1.0]);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "Curve", into = "Curve")]
pub struct Calibrator {
    curve: Curve,
}

/// The functions that there are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
enum Curve {
    /// Nothing was there to learn from: a score stands for itself.
    Identity,
    /// One class or one score: the share of positives, whatever the score.
    Constant(f64),
    Platt(Platt),
    Isotonic(Steps),
    Beta(Beta),
    Bins(Steps),
}

impl Calibrator {
    /// Learns what scores are worth. Rows without weight, or whose score is no finite number, do not count; if none is
    /// left, scores stand for themselves, and rows of one class or one score give a constant.
    pub fn fit(kind: CalibratorKind, rows: Vec<Scored>) -> Calibrator {
        Calibrator { curve: Curve::fit(kind, &Pool::of_equal_scores(rows)) }
    }

    /// Whether nothing was learned, and a score stands for itself.
    pub(crate) fn is_identity(&self) -> bool {
        self.curve == Curve::Identity
    }

    /// The probability that a score is worth. One that is no number counts as the lowest.
    pub fn value(&self, score: f64) -> f64 {
        let score = if score.is_nan() { f64::MIN } else { score.clamp(f64::MIN, f64::MAX) };
        match &self.curve {
            Curve::Identity => score.clamp(0.0, 1.0),
            Curve::Constant(share) => *share,
            Curve::Platt(platt) => platt.value(score),
            Curve::Isotonic(steps) | Curve::Bins(steps) => steps.value(score),
            Curve::Beta(beta) => beta.value(score),
        }
    }
}

impl Curve {
    fn fit(kind: CalibratorKind, pools: &[Pool]) -> Curve {
        let (positive, negative) = Pool::class_weights(pools);
        match pools {
            [] => return Curve::Identity,
            [pool] => return Curve::Constant(pool.share()),
            _ if positive <= 0.0 => return Curve::Constant(0.0),
            _ if negative <= 0.0 => return Curve::Constant(1.0),
            _ => {}
        }
        match kind {
            CalibratorKind::Platt => Curve::Platt(Platt::fit(pools)),
            CalibratorKind::Isotonic => Curve::Isotonic(isotonic(pools)),
            CalibratorKind::Beta => Curve::Beta(Beta::fit(pools)),
            CalibratorKind::Bins => Curve::Bins(binned(pools, USUAL_BINS)),
        }
    }

    fn is_sound(&self) -> bool {
        match self {
            Curve::Identity => true,
            Curve::Constant(share) => (0.0..=1.0).contains(share),
            Curve::Platt(platt) => platt.is_sound(),
            Curve::Isotonic(steps) => steps.is_sound() && steps.never_falls(),
            Curve::Beta(beta) => beta.is_sound(),
            Curve::Bins(steps) => steps.is_sound(),
        }
    }
}

/// Lines that tell a person what a score is worth.
impl fmt::Display for Calibrator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.curve {
            Curve::Identity => writeln!(f, "  what it says"),
            Curve::Constant(share) => writeln!(f, "  {:<28}{share:>14.6}", "whatever it is"),
            Curve::Platt(Platt { a, b }) => writeln!(f, "  1 / (1 + exp({a:.6} s {b:+.6}))"),
            Curve::Isotonic(steps) | Curve::Bins(steps) => steps.fmt(f),
            Curve::Beta(Beta { a, b, c }) => {
                writeln!(f, "  log-odds of {a:.6} ln s - {b:.6} ln(1 - s) {c:+.6}")
            }
        }
    }
}

impl TryFrom<Curve> for Calibrator {
    type Error = &'static str;

    fn try_from(curve: Curve) -> Result<Self, Self::Error> {
        if curve.is_sound() {
            Ok(Calibrator { curve })
        } else {
            Err("a calibrator that gives no probabilities")
        }
    }
}

impl From<Calibrator> for Curve {
    fn from(calibrator: Calibrator) -> Curve {
        calibrator.curve
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::calibration::scored;

    const PROBES: [f64; 9] = [f64::NEG_INFINITY, f64::MIN, -1.0, 0.0, 0.3, 1.0, 7.0, f64::MAX, f64::INFINITY];

    fn check_constant(rows: &[Scored], expected: f64) {
        for kind in CalibratorKind::ALL {
            let calibrator = Calibrator::fit(kind, rows.to_vec());
            PROBES.iter().for_each(|&score| assert_eq!(calibrator.value(score), expected, "{kind}, {score}"));
        }
    }

    #[test]
    fn one_class_or_one_score_gives_a_constant() {
        check_constant(&scored(&[0.1, 0.5, 0.9], "000"), 0.0);
        check_constant(&scored(&[0.1, 0.5, 0.9], "111"), 1.0);
        check_constant(&scored(&[0.5; 4], "0001"), 0.25);
        check_constant(&scored(&[f64::INFINITY, 0.5, f64::NAN, 0.5], "0101"), 1.0);
    }

    #[test]
    fn scores_stand_for_themselves_where_nothing_is_known() {
        let weightless = Scored { score: 0.5, weight: 0.0, is_positive: true };
        for rows in [vec![], vec![weightless], scored(&[f64::INFINITY, f64::NEG_INFINITY], "01")] {
            for kind in CalibratorKind::ALL {
                let calibrator = Calibrator::fit(kind, rows.clone());
                assert_eq!(
                    [-2.0, 0.3, 2.0, f64::NAN].map(|score| calibrator.value(score)),
                    [0.0, 0.3, 1.0, 0.0]
                );
            }
        }
    }

    #[test]
    fn extreme_scores_and_weights_give_probabilities() {
        let separated = scored(&[0.1, 0.2, 0.8, 0.9], "0011");
        let huge = scored(&[-1e300, 1e300, f64::MAX, f64::MIN], "0110");
        let tiny = scored(&[1e-300, 2e-300, 3e-300, 0.0], "0110");
        let mut lopsided = scored(&[0.1, 0.2, 0.3, 0.4], "0101");
        lopsided[1].weight = 1e300;
        lopsided[2].weight = 1e-300;
        for rows in [separated, huge, tiny, lopsided] {
            for kind in CalibratorKind::ALL {
                let calibrator = Calibrator::fit(kind, rows.clone());
                for score in PROBES.into_iter().chain([f64::NAN]) {
                    let value = calibrator.value(score);
                    assert!((0.0..=1.0).contains(&value), "{kind} of {rows:?}: {score} is worth {value}");
                }
            }
        }
    }

    #[test]
    fn what_gives_no_probabilities_is_not_read() {
        for wrong in [
            r#"{"constant":1.5}"#,
            r#"{"isotonic":{"edges":[0.5],"values":[0.9,0.1]}}"#,
            r#"{"bins":{"edges":[],"values":[]}}"#,
            r#"{"bins":{"edges":[0.5,0.2],"values":[0.1,0.2,0.3]}}"#,
            r#"{"beta":{"a":-1.0,"b":1.0,"c":0.0}}"#,
        ] {
            let error = serde_json::from_str::<Calibrator>(wrong).expect_err(wrong).to_string();
            assert!(error.contains("gives no probabilities"), "{error}");
        }
        let falling = r#"{"bins":{"edges":[0.5],"values":[0.9,0.1]}}"#;
        assert_eq!(serde_json::from_str::<Calibrator>(falling).expect("bins may fall").value(0.7), 0.1);
    }

    fn rows() -> impl Strategy<Value = Vec<Scored>> {
        let row = (0_u8..=20, 0_u8..=3, any::<bool>()).prop_map(|(score, weight, is_positive)| Scored {
            score: f64::from(score) / 20.0,
            weight: f64::from(weight),
            is_positive,
        });
        prop::collection::vec(row, 0..40)
    }

    fn values(kind: CalibratorKind, rows: Vec<Scored>) -> Vec<f64> {
        let calibrator = Calibrator::fit(kind, rows);
        (-5..=25).map(|score| calibrator.value(f64::from(score) / 20.0)).collect()
    }

    proptest! {
        #[test]
        fn values_are_probabilities(rows in rows()) {
            for kind in CalibratorKind::ALL {
                let found = values(kind, rows.clone());
                prop_assert!(found.iter().all(|value| (0.0..=1.0).contains(value)), "{kind}: {found:?}");
            }
        }

        #[test]
        fn the_order_of_scores_is_kept(rows in rows()) {
            for kind in [CalibratorKind::Isotonic, CalibratorKind::Beta] {
                let found = values(kind, rows.clone());
                prop_assert!(found.is_sorted(), "{kind}: {found:?}");
            }
            // A sigmoid falls where positive rows have the lower scores.
            let found = values(CalibratorKind::Platt, rows);
            prop_assert!(found.is_sorted() || found.iter().rev().is_sorted(), "{found:?}");
        }

        #[test]
        fn a_weight_of_two_is_the_row_twice(rows in rows()) {
            let once = |row: &Scored| std::iter::repeat_n(Scored { weight: 1.0, ..*row }, row.weight as usize);
            let repeated: Vec<Scored> = rows.iter().flat_map(once).collect();
            for kind in CalibratorKind::ALL {
                prop_assert_eq!(values(kind, rows.clone()), values(kind, repeated.clone()));
            }
        }

        #[test]
        fn the_order_of_rows_does_not_matter(rows in rows()) {
            let reversed: Vec<Scored> = rows.iter().rev().copied().collect();
            for kind in CalibratorKind::ALL {
                prop_assert_eq!(values(kind, rows.clone()), values(kind, reversed.clone()));
            }
        }

        #[test]
        fn isotonic_and_bins_keep_the_share_of_positives(rows in rows()) {
            let total = |weight: &dyn Fn(&Scored) -> f64| rows.iter().map(weight).sum::<f64>();
            let positive = total(&|row| if row.is_positive { row.weight } else { 0.0 });
            for kind in [CalibratorKind::Isotonic, CalibratorKind::Bins] {
                let calibrator = Calibrator::fit(kind, rows.clone());
                let expected = total(&|row| row.weight * calibrator.value(row.score));
                prop_assert!((positive - expected).abs() < 1e-9, "{kind}: {positive} {expected}");
            }
        }

        #[test]
        fn a_calibrator_read_back_is_the_same(rows in rows()) {
            for kind in CalibratorKind::ALL {
                let calibrator = Calibrator::fit(kind, rows.clone());
                let text = serde_json::to_string(&calibrator).expect("as text");
                prop_assert_eq!(serde_json::from_str::<Calibrator>(&text).expect("as written"), calibrator);
            }
        }
    }
}
