//! The standardised area under the curve of amounts, and the share of the amount at a caseload.
//!
//! Positives score higher by one or two standard deviations. Amounts are lognormal, of heavy tails, signed, or those of everybody;
//! the truth is the figure of a population of two million rows.

use rayon::prelude::*;
use tribunal_eval::intervals::{Interval, Sampled, risk_bands};
use tribunal_eval::metrics::Measure;
use tribunal_eval::{Ranking, ScoredSet};
use tribunal_random::Random;

use crate::report::{OtherTable, share};

/// The metric that is simulated here.
pub(crate) const METRIC: &str = "omega_amount";

const N_SAMPLES: u64 = 1000;
const N_POPULATION: usize = 2_000_000;
/// Fewer expected positives than this are not simulated.
const FEWEST_POSITIVES: f64 = 10.0;
const CASELOADS: [f64; 2] = [0.1, 0.3];

/// What cases are worth.
#[derive(Clone, Copy, Debug)]
enum Amounts {
    /// The logarithm has a standard deviation of 1.
    Lognormal,
    /// And goes with the score.
    WithScore,
    /// One of 1.5: a few amounts decide.
    Heavy,
    /// A sixth of the positives end with a credit.
    Signed,
    /// Negatives lose a little.
    Everybody,
}

impl Amounts {
    fn name(self) -> &'static str {
        match self {
            Self::Lognormal => "lognormal",
            Self::WithScore => "lognormal, with the score",
            Self::Heavy => "heavy tails",
            Self::Signed => "signed",
            Self::Everybody => "of everybody",
        }
    }

    /// The least coverage in any design: of the area, and of the share at a caseload.
    fn least(self) -> [f64; 2] {
        match self {
            Self::Heavy => [0.90, 0.84],
            _ => [0.92, 0.90],
        }
    }

    fn draw(self, random: &mut Random, positive: bool, score: f64) -> f64 {
        let normal = random.normal();
        match (self, positive) {
            (Self::Everybody, false) => -0.02 * normal.exp(),
            (_, false) => 0.0,
            (Self::Lognormal | Self::Everybody, _) => normal.exp(),
            (Self::WithScore, _) => (0.5 * score + 0.8 * normal).exp(),
            (Self::Heavy, _) => (1.5 * normal).exp(),
            (Self::Signed, _) => normal.exp() * if random.uniform() < 1.0 / 6.0 { -1.0 } else { 1.0 },
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Population {
    amounts: Amounts,
    base_rate: f64,
    distance: f64,
}

impl Population {
    fn all() -> Vec<Self> {
        let kinds =
            [Amounts::Lognormal, Amounts::WithScore, Amounts::Heavy, Amounts::Signed, Amounts::Everybody];
        let of_kind = |amounts: Amounts| {
            let of_distance = move |distance: f64| {
                [0.02, 0.1, 0.3, 0.5].map(move |base_rate| Self { amounts, base_rate, distance })
            };
            [1.0, 2.0].into_iter().flat_map(of_distance)
        };
        let all = kinds.into_iter().flat_map(of_kind);
        // Where nearly everybody loses, totals are not above zero.
        all.filter(|of| !matches!(of.amounts, Amounts::Everybody) || of.base_rate > 0.05).collect()
    }

    fn draw(&self, random: &mut Random, n_rows: usize) -> Ranking {
        let mut rows = (vec![], vec![], vec![]);
        for _ in 0..n_rows {
            let positive = random.uniform() < self.base_rate;
            let score = random.normal() + if positive { self.distance } else { 0.0 };
            rows.0.push(positive);
            rows.1.push(score);
            rows.2.push(self.amounts.draw(random, positive, score));
        }
        let set = ScoredSet::new(&rows.0, &rows.1).and_then(|set| set.with_amount_of_everybody(&rows.2));
        Ranking::of(&set.expect("finite")).expect("few rows")
    }
}

/// How often the truth lies below and above, and how wide the interval is.
fn tally(intervals: &[Interval], truth: f64) -> [f64; 4] {
    let share = |holds: &dyn Fn(&Interval) -> bool| {
        intervals.iter().filter(|interval| holds(interval)).count() as f64 / intervals.len() as f64
    };
    let (below, above) =
        (share(&|interval| truth < interval.lower), share(&|interval| truth > interval.upper));
    let width = intervals.iter().map(|interval| interval.upper - interval.lower).sum::<f64>();
    [1.0 - below - above, below, above, width / intervals.len() as f64]
}

/// The table, and what is wrong with it.
pub(crate) fn simulate() -> (OtherTable, Vec<String>) {
    let measure: Measure = METRIC.parse().expect("a metric");
    let (mut rows, mut failures) = (vec![], vec![]);
    for population in Population::all() {
        let whole = population.draw(&mut Random::new(8), N_POPULATION);
        let total = whole.amount_of_everybody_through(whole.n_blocks());
        let at = |caseload: f64| whole.top_amount_of_everybody(caseload * N_POPULATION as f64) / total;
        let truths = [
            measure.of_ranking(&whole).expect("of rankings").expect("defined"),
            at(CASELOADS[0]),
            at(CASELOADS[1]),
        ];
        for n_rows in [200u32, 500, 2000] {
            if population.base_rate * f64::from(n_rows) < FEWEST_POSITIVES {
                continue;
            }
            let judged = |sample: u64| {
                let ranking =
                    population.draw(&mut Random::derived(9, &[u64::from(n_rows), sample]), n_rows as usize);
                let sampled = Sampled::new(&ranking);
                let bands = risk_bands(&sampled, &CASELOADS);
                let area = measure.interval(&sampled, None).ok()?;
                Some([area, bands[0].amount.clone().ok()?, bands[1].amount.clone().ok()?])
            };
            // Samples with a total that is not above zero have no figure.
            let found: Vec<[Interval; 3]> = (0..N_SAMPLES).into_par_iter().filter_map(judged).collect();
            let least = population.amounts.least();
            let figures = [("area", least[0]), ("share at 10 %", least[1]), ("share at 30 %", least[1])];
            for (place, (figure, least)) in figures.into_iter().enumerate() {
                let intervals: Vec<Interval> = found.iter().map(|sample| sample[place]).collect();
                let [coverage, below, above, width] = tally(&intervals, truths[place]);
                let Population { amounts, base_rate, distance } = population;
                let name = format!("{figure}, {}, {base_rate}, {distance}, {n_rows} rows", amounts.name());
                if coverage < least {
                    failures.push(format!("{name}: {coverage:.4} is below {least}"));
                }
                let mut row = vec![figure.to_owned(), amounts.name().to_owned()];
                row.extend([base_rate.to_string(), distance.to_string(), n_rows.to_string()]);
                row.extend([truths[place], coverage, below, above].map(share));
                row.push(format!("{width:.4}"));
                rows.push(row);
            }
        }
    }
    let table = OtherTable {
        heading: "Standardised area and shares of the amount",
        explanation: "The standardised area under the curve of amounts (`omega_amount`) and the share of the amount in the first tenth and the first\n\
            three tenths of the list. A few amounts decide where tails are heavy.",
        header: &[
            "figure",
            "amounts",
            "base rate",
            "distance",
            "rows",
            "truth",
            "coverage",
            "lower tail",
            "upper tail",
            "width",
        ],
        rows,
    };
    (table, failures)
}
