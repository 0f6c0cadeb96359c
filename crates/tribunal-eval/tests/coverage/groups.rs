//! How often segments with the same figure are found to differ: the tests of segments should reject in 5 % of the samples.
//!
//! Every segment is a sample of its own from one population of binormal scores. Sizes are log-uniform; AUROC and recall are those
//! of the two laws whatever the base rate, which differs from segment to segment for them; other figures have one base rate.

use rayon::prelude::*;
use tribunal_eval::intervals::{Sampled, normal_quantile};
use tribunal_eval::metrics::Measure;
use tribunal_eval::significance::{GroupFigure, homogeneity};
use tribunal_eval::{CutoffRule, Ranking};
use tribunal_random::Random;

use crate::report::{OtherTable, share};

const N_SAMPLES: u64 = 2000;
const METRICS: [&str; 6] = ["auroc", "sensitivity", "precision", "brier", "average_precision", "lift@0.1"];
/// The least and the most that a test at 5 % may reject in any design, metric by metric. Of short lists the variance is too large,
/// and of losses that are skewed and figures near the end of their range it is too small in a handful of cases.
const BOUNDS: [(f64, f64); METRICS.len()] =
    [(0.02, 0.08), (0.03, 0.07), (0.03, 0.07), (0.03, 0.11), (0.02, 0.11), (0.0, 0.11)];

struct GroupDesign {
    n_groups: u64,
    auroc: f64,
    /// Least and most rows of a segment.
    rows: (f64, f64),
    /// Least and most base rate.
    base_rates: (f64, f64),
}

impl GroupDesign {
    fn ranking(&self, random: &mut Random) -> Ranking {
        let (low, high) = self.rows;
        let n_rows = (low * (high / low).powf(random.uniform())) as usize;
        let (rare, frequent) = self.base_rates;
        let base_rate = rare + (frequent - rare) * random.uniform();
        let shift = normal_quantile(self.auroc).expect("a probability") * 2f64.sqrt();
        let truth: Vec<bool> = (0..n_rows).map(|_| random.uniform() < base_rate).collect();
        let score = |positive: &bool| {
            let latent = random.normal() + if *positive { shift } else { 0.0 };
            1.0 / (1.0 + (-(shift * latent - shift * shift / 2.0)).exp())
        };
        let scores: Vec<f64> = truth.iter().map(score).collect();
        Ranking::from_scores(&truth, &scores).expect("finite")
    }

    /// For each figure the share of the samples that are found to differ, among those that can be tested.
    fn rejected(&self) -> [Option<f64>; METRICS.len()] {
        let p_values = |index: u64| {
            let mut random = Random::derived(2024, &[self.n_groups, (1000.0 * self.auroc) as u64, index]);
            let groups: Vec<Ranking> = (0..self.n_groups).map(|_| self.ranking(&mut random)).collect();
            METRICS.map(|id| {
                let measure: Measure = id.parse().expect("a metric");
                let figure = |ranking: &Ranking| {
                    let cutoff = CutoffRule::Score(0.5).find(ranking).ok();
                    let cutoff = cutoff.filter(|cutoff| measure.of_confusion(&cutoff.confusion).is_some());
                    GroupFigure::of(&measure, &Sampled::new(ranking), cutoff.as_ref())
                };
                let figures: Vec<_> = groups.iter().map(figure).collect();
                homogeneity(&figures).ok().map(|found| found.test.p)
            })
        };
        let samples: Vec<_> = (0..N_SAMPLES).into_par_iter().map(p_values).collect();
        std::array::from_fn(|figure| {
            let tested: Vec<f64> = samples.iter().filter_map(|sample| sample[figure]).collect();
            let rejected = tested.iter().filter(|p| **p < 0.05).count() as f64;
            (tested.len() as u64 >= N_SAMPLES / 4).then(|| rejected / tested.len() as f64)
        })
    }
}

/// The table, and what is wrong with it.
pub(crate) fn simulate() -> (OtherTable, Vec<String>) {
    let (mut rows, mut failures) = (vec![], vec![]);
    for (least, most) in [(20.0, 2000.0), (50.0, 200.0)] {
        for base_rates in [(0.05, 0.5), (0.2, 0.2)] {
            for n_groups in [2, 5, 20] {
                for auroc in [0.6, 0.75, 0.9, 0.97] {
                    let design = GroupDesign { n_groups, auroc, rows: (least, most), base_rates };
                    let rejected = design.rejected();
                    let mut row = vec![
                        format!("{n_groups}"),
                        format!("{least} to {most}"),
                        format!("{} to {}", base_rates.0, base_rates.1),
                        auroc.to_string(),
                    ];
                    for (place, (metric, rejected)) in METRICS.iter().zip(rejected).enumerate() {
                        // Other figures than those of either class move with the base rate.
                        let rejected = rejected.filter(|_| place < 2 || base_rates.0 == base_rates.1);
                        row.push(rejected.map_or_else(String::new, share));
                        let (least, most) = BOUNDS[place];
                        let is_off = |rejected: &f64| !(least..=most).contains(rejected);
                        if let Some(rejected) = rejected.filter(is_off) {
                            failures.push(format!(
                                "{metric} of segments, {}: {rejected:.4}",
                                row[..4].join(", ")
                            ));
                        }
                    }
                    rows.push(row);
                }
            }
        }
    }
    let table = OtherTable {
        heading: "Segments that do not differ",
        explanation: "The share of the samples in which a test at 5 % finds that a figure differs among segments, where it does not. \
                      Samples in which\nfewer than two segments can be tested do not count; recall and precision are those at a \
                      probability of 0.5.",
        header: &[
            "segments",
            "rows of a segment",
            "base rates",
            "AUROC",
            "auroc",
            "recall",
            "precision",
            "brier",
            "average precision",
            "lift@0.1",
        ],
        rows,
    };
    (table, failures)
}
