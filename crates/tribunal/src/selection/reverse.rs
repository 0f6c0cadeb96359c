//! ReverseTesting: models of the training rows label the population, and models of that labelled population are judged by the
//! training rows.
//!
//! **Definition** `theta_a` is the model that learner a makes of the training rows D, T_a the population T labelled by it. Each
//! learner l is trained on each T_c and its evidence is how well that reverse model does on D, whose labels are known.
//! Whatever learners scale or bin is fitted on the rows that a model is trained on. Populations that several learners label
//! alike are one: their reverse models are made once, and duels between them are undecided.
//!
//! **Reference** Fan and Davidson 2006. Evidence orders learners; it is no estimate of how accurate they are.

use tribunal_learn::{Dataset, Posteriors, Target};
use tribunal_random::derive_seed;

use super::criterion::{Acting, ActingBenefits, LabelledRows, ReverseLabels, SelectionMetric};
use crate::any_model::AnyModel;
use crate::error::Error;
use crate::line_up::Entrant;

/// Seeds of forward and of reverse models.
const FORWARD: u64 = 0;
const REVERSE: u64 = 1;

/// A labelled training table and the unlabelled population that a learner is chosen for, with the same columns and levels.
#[derive(Clone, Copy, Debug)]
pub struct Populations<'a> {
    /// The training rows, with their target.
    pub train: &'a Dataset,
    /// The classes of the training rows.
    pub target: &'a Target,
    /// The population.
    pub deploy: &'a Dataset,
    /// What acting on training rows is worth, where benefits count.
    pub train_benefits: Option<&'a ActingBenefits>,
    /// What acting on rows of the population is believed to be worth, where benefits count.
    pub deploy_benefits: Option<&'a ActingBenefits>,
}

impl<'a> Populations<'a> {
    /// # Errors
    /// The training rows have no target.
    pub fn new(train: &'a Dataset, deploy: &'a Dataset) -> Result<Self, Error> {
        let target = train.target().ok_or_else(|| Error::data("the training rows have no target"))?;
        Ok(Self { train, target, deploy, train_benefits: None, deploy_benefits: None })
    }

    /// The training rows as a criterion sees them.
    pub fn labelled(&self) -> LabelledRows<'a> {
        LabelledRows { target: self.target, weights: self.train.weights(), benefits: self.train_benefits }
    }

    /// Every row of the population.
    pub fn deploy_rows(&self) -> Vec<u32> {
        (0..self.deploy.n_rows() as u32).collect()
    }

    /// Every training row.
    pub fn train_rows(&self) -> Vec<u32> {
        (0..self.train.n_rows() as u32).collect()
    }

    /// The model that a learner makes of all training rows. What it draws follows from the seed alone, not from its place among other
    /// learners.
    ///
    /// # Errors
    /// The learner cannot learn from them.
    pub fn forward_model(&self, entrant: &Entrant, seed: u64) -> Result<AnyModel, Error> {
        entrant.fit_to_score(self.train, &self.train_rows(), forward_seed(seed))
    }
}

/// The seed of the models of all training rows.
pub(super) fn forward_seed(seed: u64) -> u64 {
    derive_seed(seed, &[FORWARD])
}

/// How learners are judged by reverse models.
#[derive(Clone, Copy, Debug)]
pub struct ReverseTest<'a> {
    /// The two tables.
    pub populations: Populations<'a>,
    /// What counts.
    pub metric: SelectionMetric,
    /// How decisions become labels where benefits count.
    pub labels: ReverseLabels,
    /// The seed of the models.
    pub seed: u64,
}

/// The population as one learner labels it.
#[derive(Clone, Debug, PartialEq)]
pub struct Labelling {
    /// The class of each row; with soft labels of each row twice, first as a negative.
    codes: Vec<u32>,
    /// The weights of the rows, where they differ.
    weights: Option<Vec<f64>>,
}

impl ReverseTest<'_> {
    /// How a learner labels the population by what its forward model says of it.
    pub fn labelling(&self, posteriors: &Posteriors) -> Labelling {
        let decisions = |benefits: &ActingBenefits| {
            let acts = |(row, p): (usize, f64)| u32::from(benefits.acts(row, p));
            posteriors.of_class(1).enumerate().map(acts).collect()
        };
        match (self.metric, self.labels, self.populations.deploy_benefits) {
            (SelectionMetric::Benefit, ReverseLabels::Soft, Some(_)) => Labelling {
                codes: (0..posteriors.n_rows()).flat_map(|_| [0, 1]).collect(),
                weights: Some(posteriors.of_class(1).flat_map(|p| [1.0 - p, p]).collect()),
            },
            (SelectionMetric::Benefit, ReverseLabels::Hard, Some(benefits)) => {
                Labelling { codes: decisions(benefits), weights: None }
            }
            _ => {
                Labelling { codes: posteriors.predicted().map(|class| class as u32).collect(), weights: None }
            }
        }
    }

    /// How well the reverse model does that a learner makes of a labelled population: the weight of the training rows that it
    /// classifies correctly, its AUROC on them or its total benefit. All reverse models draw the same random numbers, so that what
    /// differs between two labellings comes from their labels.
    ///
    /// # Errors
    /// The learner cannot learn from the labelled population.
    pub fn evidence(&self, entrant: &Entrant, labelling: &Labelling) -> Result<Option<f64>, Error> {
        let Populations { target, deploy, .. } = self.populations;
        let codes = labelling.codes.clone();
        let labels = Target::new(target.name(), target.classes().iter().map(String::as_str), codes)?;
        let labelled = match &labelling.weights {
            None => deploy.clone().with_target(labels)?,
            Some(shares) => {
                let twice: Vec<u32> = (0..deploy.n_rows() as u32).flat_map(|row| [row, row]).collect();
                let rows = deploy.take(&twice);
                let weights = match rows.weights() {
                    Some(weights) => {
                        weights.iter().zip(shares).map(|(weight, share)| weight * share).collect()
                    }
                    None => shares.clone(),
                };
                rows.with_target(labels)?.with_weights(weights)?
            }
        };
        let rows: Vec<u32> = (0..labelled.n_rows() as u32).collect();
        let model = entrant.fit_to_score(&labelled, &rows, derive_seed(self.seed, &[REVERSE]))?;
        let posteriors = model.posteriors(self.populations.train, &self.populations.train_rows())?;
        let train = self.populations.labelled();
        let acting = match self.labels {
            ReverseLabels::Hard => Acting::AtOneHalf,
            ReverseLabels::Soft => Acting::WherePays,
        };
        Ok(match self.metric {
            SelectionMetric::Pcc => Some(train.correct(posteriors.predicted())),
            SelectionMetric::Auroc => train.auroc(&posteriors),
            SelectionMetric::Benefit => train.benefit(&posteriors, acting),
        })
    }
}

/// Which labeller's reverse models stand for those of each labeller: the first that labels the population alike. Nothing for a
/// learner without a forward model.
pub fn representatives(labellings: &[Option<Labelling>]) -> Vec<Option<usize>> {
    let first_alike = |labelling: &Option<Labelling>| {
        labelling.as_ref().and_then(|_| labellings.iter().position(|other| other == labelling))
    };
    labellings.iter().map(first_alike).collect()
}

#[cfg(test)]
mod tests {
    use tribunal_learn::{Column, Kind, Levels, Values};

    use super::super::tournament::{Duel, ReverseEvidence, Tournament};
    use super::*;

    /// Fourteen rows of x1 in 1..3, x2 in 0..1, x3 in 1..4 and a class.
    const TOY: &str = "1010 1020 1120 2010 2030 2121 2141 3030 3041 3131 3141 1140 1011 3120";
    /// Twelve rows of a population.
    const DEPLOY: &str = "103 111 113 202 204 211 213 301 302 311 313 314";
    const LEVELS: [&[&str]; 3] = [&["1", "2", "3"], &["0", "1"], &["1", "2", "3", "4"]];

    fn digit(row: &str, place: usize) -> u32 {
        u32::from(row.as_bytes()[place] - b'0')
    }

    fn columns(rows: &str, as_numbers: bool) -> Dataset {
        let column = |place: usize| {
            let values = rows.split(' ').map(|row| digit(row, place));
            let name = format!("x{}", place + 1);
            let first: u32 = LEVELS[place][0].parse().expect("a digit");
            match as_numbers {
                true => Column::new(&name, Kind::Numeric, Values::Numbers(values.map(f64::from).collect())),
                false => {
                    let levels = Levels::declared(LEVELS[place].iter().copied());
                    Column::new(
                        &name,
                        Kind::Categorical(levels),
                        Values::Codes(values.map(|value| value - first).collect()),
                    )
                }
            }
            .expect("a column")
        };
        Dataset::new((0..3).map(column).collect()).expect("columns")
    }

    fn train(as_numbers: bool) -> Dataset {
        let codes = TOY.split(' ').map(|row| digit(row, 3)).collect();
        columns(TOY, as_numbers)
            .with_target(Target::new("t", ["-", "+"], codes).expect("classes"))
            .expect("rows")
    }

    fn test<'a>(populations: Populations<'a>) -> ReverseTest<'a> {
        ReverseTest { populations, metric: SelectionMetric::Pcc, labels: ReverseLabels::Hard, seed: 1 }
    }

    /// The labels of each learner and all evidence; neighbours and trees see what the other learners see as numbers or as levels.
    #[test]
    fn golden_complete_run() {
        let (levels, numbers) =
            ([train(false), columns(DEPLOY, false)], [train(true), columns(DEPLOY, true)]);
        let populations = |as_numbers: bool| {
            let [train, deploy] = if as_numbers { &numbers } else { &levels };
            Populations::new(train, deploy).expect("a target")
        };
        let line_up =
            [("nb:5", false), ("knn:3", true), ("c45:unpruned,estimate=raw", false), ("majority", false)];
        let entrants: Vec<(Entrant, bool)> =
            line_up.iter().map(|(text, numbers)| (text.parse().expect(text), *numbers)).collect();
        let labellings: Vec<Option<Labelling>> = entrants
            .iter()
            .map(|(entrant, as_numbers)| {
                let populations = populations(*as_numbers);
                let model = populations.forward_model(entrant, 1).expect("a model");
                let found =
                    model.posteriors(populations.deploy, &populations.deploy_rows()).expect("posteriors");
                Some(test(populations).labelling(&found))
            })
            .collect();
        let texts: Vec<String> = labellings
            .iter()
            .flatten()
            .map(|labelling| labelling.codes.iter().map(ToString::to_string).collect())
            .collect();
        assert_eq!(texts, ["000011100111", "010000100111", "000010000001", "000000000000"]);
        let evidence = |learner: usize, labeller: usize| {
            let (entrant, as_numbers) = &entrants[learner];
            let labelling = labellings[labeller].as_ref().expect("labels");
            test(populations(*as_numbers)).evidence(entrant, labelling).expect("evidence")
        };
        let found: Vec<Vec<Option<f64>>> =
            (0..4).map(|learner| (0..4).map(|labeller| evidence(learner, labeller)).collect()).collect();
        let expected =
            [[12.0, 9.0, 10.0, 8.0], [12.0, 10.0, 9.0, 8.0], [9.0, 9.0, 10.0, 8.0], [6.0, 8.0, 8.0, 8.0]];
        assert_eq!(found, expected.map(|row| row.map(Some).to_vec()));
        let tournament = Tournament::of(&ReverseEvidence::new(found).expect("square"));
        let decided: Vec<_> = tournament.duels.iter().filter(|(.., duel)| *duel != Duel::Undecided).collect();
        assert_eq!(decided, [&(0, 1, Duel::First)]);
    }

    #[test]
    fn equal_labels_are_made_once() {
        let of = |codes: &[u32]| Some(Labelling { codes: codes.to_vec(), weights: None });
        let soft = |weights: &[f64]| Some(Labelling { codes: vec![0, 1], weights: Some(weights.to_vec()) });
        let labellings =
            [of(&[0, 1]), of(&[1, 1]), None, of(&[0, 1]), soft(&[0.5, 0.5]), soft(&[0.25, 0.75])];
        let expected = [Some(0), Some(1), None, Some(0), Some(4), Some(5)];
        assert_eq!(representatives(&labellings), expected);
    }
}
