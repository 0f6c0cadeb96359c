//! The figures that are simulated, and how often the interval of each must hold.

use crate::design::Design;
use crate::sample::Population;

/// The least coverage in any design, where nothing else is said: the standard error of a simulated coverage is .005 to .013.
const FLOOR: f64 = 0.92;
/// The largest mean coverage, where nothing else is said.
const MOST: f64 = 0.975;
/// Fewer expected cases than this in a cell at the best cut-off are few.
const FEW_CASES: f64 = 20.0;
/// Fewer expected positives than this are few for a difference of mean losses.
const FEW_POSITIVES: f64 = 50.0;
/// Expected positives of the rarest designs.
const TEN_POSITIVES: f64 = 10.0;

/// Samples of figures that are drawn again, and the most rows of their designs.
const DRAWN_SAMPLES: u64 = 300;
const MOST_DRAWN_ROWS: usize = 500;

/// Where a figure is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum At {
    /// On the whole ranking.
    Ranking,
    /// At a count of cases that is this share of all.
    Count(f64),
    /// At a score that was given.
    FixedCutoff,
    /// At a cut-off that a rule finds on the sample: a list of given length, or chosen on the data.
    Rule(&'static str),
    /// On the whole ranking, by bootstrap replicates: simulated on small designs only.
    Replicates,
    /// A difference of two models on the same rows; of figures of predictions at given scores.
    Difference,
}

/// Designs in which a method is known to hold less often.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Limited {
    Saturated,
    /// At the best cut-off of the population a cell of the confusion matrix is expected to hold few cases.
    FewCasesAtTheCutoff,
    TenPositives,
    FewPositives,
}

impl Limited {
    fn concerns(self, figure: &Figure, design: &Design, population: &Population) -> bool {
        match (self, figure.at) {
            // The poorer model of recorded scores is naive Bayes.
            (Self::Saturated, At::Difference) => design.is_saturated() || design.is_recorded(),
            (Self::Saturated, _) => design.is_saturated() || design.is_overconfident(),
            (Self::TenPositives, _) => design.expected_cases() <= TEN_POSITIVES,
            (Self::FewPositives, _) => design.expected_cases() <= FEW_POSITIVES,
            (Self::FewCasesAtTheCutoff, At::Rule(rule)) => {
                let cells = population.expected_cells(rule, design.n_rows);
                [cells.tp, cells.fp, cells.fn_, cells.tn].iter().any(|cases| *cases < FEW_CASES)
            }
            (Self::FewCasesAtTheCutoff, _) => false,
        }
    }

    pub(crate) fn designs(self) -> String {
        match self {
            Self::Saturated => "saturated scores".to_owned(),
            Self::FewCasesAtTheCutoff => format!(
                "fewer than {FEW_CASES} cases expected in a cell of the confusion matrix at the best cut-off of the population"
            ),
            Self::TenPositives => format!("{TEN_POSITIVES} expected positives"),
            Self::FewPositives => format!("{FEW_POSITIVES} expected positives or fewer"),
        }
    }
}

/// Where an interval is known to hold less often, how often it must hold there (0: shown only), and why.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    pub(crate) designs: Limited,
    pub(crate) floor: f64,
    pub(crate) why: &'static str,
}

/// A figure and how often its 95 % interval must hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figure {
    /// The id of the metric; without its parameter where that is a count of cases.
    pub(crate) metric: &'static str,
    pub(crate) at: At,
    /// The least coverage in any design that no limit concerns.
    pub(crate) floor: f64,
    /// The largest mean coverage over those designs.
    pub(crate) most: f64,
    pub(crate) limit: Option<Limit>,
}

impl Figure {
    const fn new(metric: &'static str, at: At) -> Self {
        Self { metric, at, floor: FLOOR, most: MOST, limit: None }
    }

    const fn floor(self, floor: f64) -> Self {
        Self { floor, ..self }
    }

    const fn most(self, most: f64) -> Self {
        Self { most, ..self }
    }

    const fn limit(self, designs: Limited, floor: f64, why: &'static str) -> Self {
        Self { limit: Some(Limit { designs, floor, why }), ..self }
    }

    pub(crate) fn name(&self) -> String {
        let metric = self.metric;
        match self.at {
            At::Ranking | At::Replicates => metric.to_owned(),
            At::Count(share) => format!("{metric}@N, N = {} % of the rows", 100.0 * share),
            At::FixedCutoff => format!("{metric} at a given score"),
            At::Rule(rule) => format!("{metric} at {rule}"),
            At::Difference => format!("difference of {metric}"),
        }
    }

    /// How many samples of a design are judged: few where replicates are drawn, and none of large designs.
    pub(crate) fn n_samples(&self, design: &Design) -> u64 {
        match self.at {
            At::Replicates if design.n_rows > MOST_DRAWN_ROWS => 0,
            At::Replicates => DRAWN_SAMPLES,
            _ => design.n_samples(),
        }
    }

    /// The limit that concerns a design.
    pub(crate) fn limit_in(&self, design: &Design, population: &Population) -> Option<Limit> {
        self.limit.filter(|limit| limit.designs.concerns(self, design, population))
    }
}

const RANKING: At = At::Ranking;
const TOP: At = At::Count(0.1);
const GIVEN: At = At::FixedCutoff;
const LIST: At = At::Rule("share:0.1");
const YOUDEN: At = At::Rule("youden");
const MAX_F1: At = At::Rule("max-f1");
const MAX_PCC: At = At::Rule("max-pcc");
const COST: At = At::Rule("cost:1:5");
const DIFFERENCE: At = At::Difference;

const SURE_AND_WRONG: &str = "a probability of exactly 0 or 1 that proves wrong has a log-odds of 34.5; \
    a sample with few such cases cannot tell how frequent they are";
const MANY_CALIBRATED_BINS: &str = "the first bin is far off and the others are not; \
    of what chance adds to the absolute errors of the others only a part is taken off";
const CUT_AT_THE_END: &str = "the best cut-off flags nearly no or nearly all cases, where the criterion has no parabola \
    around its maximum and the correction for the choice of the cut-off is too large for one class";
const FEW_IN_BINS: &str =
    "with next to all cases in one bin the resolution is near zero, and replicates do not show how small";
const RAGGED_F1: &str = "F1 of few positives has several maxima of about the same height";
const SKEWED_DIFFERENCE: &str = "a few positives decide the difference, and its distribution is skewed";

/// Every figure, in the order of the tables.
#[rustfmt::skip]
pub(crate) const FIGURES: &[Figure] = &[
    Figure::new("auroc", RANKING),
    Figure::new("gini", RANKING),
    Figure::new("omega", RANKING),
    // At n = 200 and base rate .5 the area rests on ten negatives.
    Figure::new("pauroc@0.1", RANKING).floor(0.91),
    Figure::new("auroc_100", RANKING),
    Figure::new("ks", RANKING),
    Figure::new("average_precision", RANKING),
    Figure::new("cph@0.1", RANKING),
    Figure::new("lift@0.1", RANKING),
    Figure::new("lift@0.05", RANKING),
    Figure::new("precision_top", TOP),
    Figure::new("lift_top", TOP),
    Figure::new("brier", RANKING),
    Figure::new("log_loss", RANKING).limit(Limited::Saturated, 0.87, SURE_AND_WRONG),
    Figure::new("ece", RANKING).limit(Limited::Saturated, 0.83, MANY_CALIBRATED_BINS),
    Figure::new("calibration_slope", RANKING).limit(Limited::Saturated, 0.73, SURE_AND_WRONG),
    Figure::new("calibration_intercept", RANKING).limit(Limited::Saturated, 0.80, SURE_AND_WRONG),
    Figure::new("brier_reliability", RANKING).floor(0.90).most(0.995),
    Figure::new("brier_resolution", At::Replicates).floor(0.90).limit(Limited::TenPositives, 0.80, FEW_IN_BINS),
    Figure::new("brier_uncertainty", At::Replicates),
    Figure::new("brier_within_bin", At::Replicates).floor(0.90),
    Figure::new("h_measure", At::Replicates).floor(0.88),
    Figure::new("three_point_average_precision", At::Replicates).floor(0.90),
    Figure::new("eleven_point_average_precision", At::Replicates).floor(0.90),
    Figure::new("pcc", GIVEN),
    Figure::new("error_rate", GIVEN),
    Figure::new("sensitivity", GIVEN),
    Figure::new("specificity", GIVEN),
    Figure::new("fpr", GIVEN),
    Figure::new("precision", GIVEN),
    Figure::new("npv", GIVEN),
    Figure::new("f1", GIVEN),
    Figure::new("f@2", GIVEN),
    Figure::new("cost@1:5", GIVEN),
    Figure::new("balanced_accuracy", GIVEN),
    Figure::new("g_mean", GIVEN),
    Figure::new("mcc", GIVEN),
    Figure::new("kappa", GIVEN),
    Figure::new("precision", LIST),
    Figure::new("sensitivity", LIST),
    Figure::new("f1", LIST),
    Figure::new("pcc", LIST),
    Figure::new("balanced_accuracy", LIST),
    Figure::new("g_mean", LIST),
    Figure::new("mcc", LIST),
    Figure::new("kappa", LIST),
    Figure::new("sensitivity", YOUDEN),
    Figure::new("specificity", YOUDEN),
    Figure::new("precision", YOUDEN),
    Figure::new("f1", YOUDEN),
    Figure::new("pcc", YOUDEN),
    Figure::new("sensitivity", MAX_F1).limit(Limited::TenPositives, 0.90, RAGGED_F1),
    Figure::new("specificity", MAX_F1).limit(Limited::TenPositives, 0.88, RAGGED_F1),
    Figure::new("precision", MAX_F1),
    Figure::new("f1", MAX_F1),
    Figure::new("pcc", MAX_F1),
    Figure::new("sensitivity", MAX_PCC).limit(Limited::FewCasesAtTheCutoff, 0.0, CUT_AT_THE_END),
    Figure::new("specificity", MAX_PCC).limit(Limited::FewCasesAtTheCutoff, 0.0, CUT_AT_THE_END),
    Figure::new("precision", MAX_PCC).limit(Limited::FewCasesAtTheCutoff, 0.0, CUT_AT_THE_END),
    Figure::new("f1", MAX_PCC).limit(Limited::FewCasesAtTheCutoff, 0.0, CUT_AT_THE_END),
    Figure::new("pcc", MAX_PCC).limit(Limited::FewCasesAtTheCutoff, 0.91, CUT_AT_THE_END),
    Figure::new("sensitivity", COST).limit(Limited::FewCasesAtTheCutoff, 0.0, CUT_AT_THE_END),
    Figure::new("specificity", COST).limit(Limited::FewCasesAtTheCutoff, 0.0, CUT_AT_THE_END),
    Figure::new("precision", COST).limit(Limited::FewCasesAtTheCutoff, 0.0, CUT_AT_THE_END),
    Figure::new("f1", COST).limit(Limited::FewCasesAtTheCutoff, 0.0, CUT_AT_THE_END),
    Figure::new("pcc", COST),
    Figure::new("auroc", DIFFERENCE).limit(Limited::TenPositives, 0.89, SKEWED_DIFFERENCE),
    Figure::new("average_precision", DIFFERENCE),
    Figure::new("lift@0.1", DIFFERENCE),
    Figure::new("brier", DIFFERENCE).limit(Limited::FewPositives, 0.86, SKEWED_DIFFERENCE),
    Figure::new("log_loss", DIFFERENCE).limit(Limited::Saturated, 0.74, SURE_AND_WRONG),
    Figure::new("pcc", DIFFERENCE),
    Figure::new("ece", DIFFERENCE).floor(0.90).limit(Limited::FewPositives, 0.80, SKEWED_DIFFERENCE),
];
