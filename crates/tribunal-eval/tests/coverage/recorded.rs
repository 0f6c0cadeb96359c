//! Populations of real scores: what learners said, out of fold, of the rows of public data sets.
//!
//! `populations/*.csv` hold the class and the scores of two learners for a sample of the rows; `make_populations.py` wrote them
//! and says where the rows come from. A sample draws their rows with replacement, so that the truth is the figure of the table.

use std::sync::LazyLock;

use tribunal_eval::Ranking;
use tribunal_random::Random;

/// A table of recorded scores.
#[derive(Debug)]
pub(crate) struct Table {
    truth: Vec<bool>,
    scores: [Vec<f64>; 2],
}

impl Table {
    fn read(text: &str) -> Self {
        let number = |text: &str| text.parse::<f64>().expect("a number");
        let mut table = Self { truth: vec![], scores: [vec![], vec![]] };
        for line in text.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            table.truth.push(cells[0] == "1");
            table.scores[0].push(number(cells[1]));
            table.scores[1].push(number(cells[2]));
        }
        table
    }
}

/// Which table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum DataSet {
    Bank,
    Caravan,
    CarClaims,
    Donors,
}

static BANK: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("populations/bank.csv")));
static CARAVAN: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("populations/caravan.csv")));
static CAR_CLAIMS: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("populations/carclaims.csv")));
static DONORS: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("populations/donor.csv")));

/// The scores of two learners on the same rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Recorded {
    pub(crate) set: DataSet,
    /// Which learner is judged; the other is compared with it.
    pub(crate) learner: Learner,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Learner {
    Logit,
    NaiveBayes,
}

impl Recorded {
    fn table(&self) -> &'static Table {
        match self.set {
            DataSet::Bank => &BANK,
            DataSet::Caravan => &CARAVAN,
            DataSet::CarClaims => &CAR_CLAIMS,
            DataSet::Donors => &DONORS,
        }
    }

    pub(crate) fn name(&self) -> String {
        let set = match self.set {
            DataSet::Bank => "bank marketing",
            DataSet::Caravan => "caravan policies",
            DataSet::CarClaims => "car claims",
            DataSet::Donors => "donors",
        };
        let learner = if self.learner == Learner::Logit { "logit" } else { "naive Bayes" };
        format!("{set}, {learner}")
    }

    pub(crate) fn base_rate(&self) -> f64 {
        let truth = &self.table().truth;
        truth.iter().filter(|&&positive| positive).count() as f64 / truth.len() as f64
    }

    /// The scores of the judged learner, then those of the other.
    fn scores(&self) -> [&'static [f64]; 2] {
        let [logit, naive_bayes] = &self.table().scores;
        if self.learner == Learner::Logit { [logit, naive_bayes] } else { [naive_bayes, logit] }
    }

    pub(crate) fn populations(&self) -> [Ranking; 2] {
        self.scores().map(|scores| Ranking::from_scores(&self.table().truth, scores).expect("finite"))
    }

    /// The median score of the positives of each learner.
    pub(crate) fn fixed_cutoffs(&self) -> [f64; 2] {
        self.scores().map(|scores| {
            let of_positives = self.table().truth.iter().zip(scores).filter(|(positive, _)| **positive);
            let mut scores: Vec<f64> = of_positives.map(|(_, score)| *score).collect();
            scores.sort_unstable_by(f64::total_cmp);
            scores[scores.len() / 2]
        })
    }

    /// The scores of cases of these classes, drawn with replacement.
    pub(crate) fn draw(&self, truth: &[bool], random: &mut Random) -> [Vec<f64>; 2] {
        let table = self.table();
        let of_class = |class: bool| -> Vec<usize> {
            (0..table.truth.len()).filter(|&row| table.truth[row] == class).collect()
        };
        let (positives, negatives) = (of_class(true), of_class(false));
        let rows = truth.iter().map(|&positive| if positive { &positives } else { &negatives });
        let rows: Vec<usize> = rows.map(|rows| rows[random.below(rows.len() as u64) as usize]).collect();
        self.scores().map(|scores| rows.iter().map(|&row| scores[row]).collect())
    }
}
