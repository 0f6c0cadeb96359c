//! Nearest neighbours on all folds: the distances of a row serve every k, and often every fold and every target.
//!
//! Where the columns are scaled over all rows, and nothing else about them depends on the fold, rows are as far apart in one
//! fold as in another. Distances are then computed once, and in each fold those vote who are not in it. Where the scale is
//! that of the training rows, every fold has distances of its own, which serve every k; of rows that are left out one by one
//! they are the common ones, stretched.

use rayon::prelude::*;

use super::Knn;
use super::divided::Divided;
use super::electorate::Electorate;
use super::field::{Field, by_member};
use super::points::Points;
use super::stretched::Stretched;
use super::voters::Voters;
use crate::cross::{Folds, Members, Scenario};
use crate::dataset::Dataset;
use crate::encoding::{Encoder, NumericEncoder, NumericOptions, Scale, Scaling, same_without};
use crate::error::Error;
use crate::learners::majority::Shares;
use crate::learners::numbers::{Numbers, by_numbers};
use crate::model::{Scorer, lone_class};
use crate::posteriors::Posteriors;
use crate::training::{Training, counting_rows};

/// The posteriors of every row for each of the scenarios and, within, for each of the members.
pub(crate) fn cross(
    members: &Members<'_, Knn>,
    dataset: &Dataset,
    scenarios: &[Scenario<'_>],
) -> Result<Vec<Vec<Posteriors>>, Error> {
    let settings = &members.settings;
    let numbers: Vec<Numbers> = settings.iter().map(|settings| settings.numbers).collect();
    by_numbers(&numbers, scenarios.len(), |numbers, relatives| {
        let ks: Vec<usize> = relatives.iter().map(|&idx| settings[idx].k).collect();
        Relatives { ks: &ks, numbers }.cross(dataset, scenarios)
    })
}

/// Members that see the same numbers.
struct Relatives<'a> {
    ks: &'a [usize],
    numbers: Numbers,
}

impl Relatives<'_> {
    fn cross(&self, dataset: &Dataset, scenarios: &[Scenario<'_>]) -> Result<Vec<Vec<Posteriors>>, Error> {
        let mut found = Vec::with_capacity(scenarios.len());
        for scenarios in scenarios.chunk_by(|a, b| a.folds.rows == b.folds.rows) {
            let divided = scenarios.iter().map(|scenario| self.divide(dataset, scenario));
            let divided = divided.collect::<Result<Vec<_>, Error>>()?;
            let shares = self.shared(dataset, scenarios[0].folds.rows, &divided)?;
            for ((scenario, (_, own)), shares) in scenarios.iter().zip(divided).zip(shares) {
                found.push(self.put_together(scenario, own, &shares));
            }
        }
        Ok(found)
    }

    /// The votes of a scenario, and what is said of the folds that cannot share distances with others.
    fn divide(&self, dataset: &Dataset, scenario: &Scenario<'_>) -> Result<(Divided, OwnFolds), Error> {
        let (folds, dataset) = (scenario.folds, scenario.dataset(dataset)?);
        let left_out: Vec<&[u32]> = (0..folds.n_folds()).map(|fold| folds.tested(fold)).collect();
        let is_same = same_without(&dataset, &self.numbers.options(), folds.rows, &left_out);
        let divided = Divided::new(&dataset, folds)?;
        let stretched = self.stretched(&dataset, folds, &divided)?;
        let of_fold = |(fold, stretched): (usize, Option<Vec<Posteriors>>)| match stretched {
            Some(found) => Ok(Some(found)),
            None if is_same[fold] && divided.has_classes[fold] => Ok(None),
            None => self.of_fold(&dataset, folds, fold).map(Some),
        };
        let own = stretched.into_par_iter().enumerate().map(of_fold).collect::<Result<OwnFolds, Error>>()?;
        Ok((divided, own))
    }

    /// What is said of rows that are left out one by one, each on the scale of all others; `None` for folds where more than
    /// the scale depends on the row.
    fn stretched(&self, dataset: &Dataset, folds: &Folds<'_>, divided: &Divided) -> Result<OwnFolds, Error> {
        let options = self.numbers.options();
        if options.scaling != Scaling::Strict || !folds.leave_one_out() {
            return Ok(vec![None; folds.n_folds()]);
        }
        let but_for_the_scale = NumericOptions { scaling: Scaling::Paper, ..options };
        let left_out: Vec<&[u32]> = (0..folds.n_folds()).map(|fold| folds.tested(fold)).collect();
        let is_same = same_without(dataset, &but_for_the_scale, folds.rows, &left_out);
        let encoder = NumericEncoder::fit(dataset, &counting_rows(dataset, folds.rows)?, &options)?;
        let has_digits = encoder.named_features().iter().all(|feature| has_digits(&feature.scale));
        if !has_digits || !is_same.contains(&true) {
            return Ok(vec![None; folds.n_folds()]);
        }
        let election = divided.election(self.ks);
        let stretched = Stretched::new(encoder.encode(dataset, folds.rows)?, election.voters);
        let of_fold = |fold: usize| match folds.tested(fold) {
            [row] if is_same[fold] && divided.has_classes[fold] => {
                let shares = stretched.elect(*row as usize, &election);
                Some(by_member(&shares, self.ks.len(), election.voters.n_classes))
            }
            _ => None,
        };
        Ok((0..folds.n_folds()).into_par_iter().map(of_fold).collect())
    }

    /// What models of all other rows say of a fold.
    fn of_fold(&self, dataset: &Dataset, folds: &Folds<'_>, fold: usize) -> Result<Vec<Posteriors>, Error> {
        let trained = folds.numbered(&folds.trained(fold));
        let trained = counting_rows(dataset, &trained)?;
        let encoder = Encoder::fit(&self.numbers.view(), dataset, &trained)?;
        let training = Training::encode(dataset, &trained, &encoder)?;
        let tested = encoder.encode(dataset, &folds.numbered(folds.tested(fold)))?;
        if lone_class(&training).is_some() {
            return Ok(vec![Shares::of(&training).posteriors(&tested); self.ks.len()]);
        }
        let (field, voters) = (Field::new(Points::of(training.matrix())), Voters::of(&training));
        Ok(field.posteriors(&voters, &Points::of(tested.matrix()), self.ks))
    }

    /// The shares of all rows in each scenario; none where no fold shares anything.
    fn shared(
        &self,
        dataset: &Dataset,
        rows: &[u32],
        divided: &[(Divided, OwnFolds)],
    ) -> Result<Vec<Vec<f64>>, Error> {
        if divided.iter().all(|(_, own)| own.iter().all(Option::is_some)) {
            return Ok(vec![Vec::new(); divided.len()]);
        }
        let encoder = NumericEncoder::fit(dataset, rows, &self.numbers.options())?;
        let points = Points::of(&encoder.encode(dataset, rows)?);
        let elections: Vec<Electorate<'_>> =
            divided.iter().map(|(divided, _)| divided.election(self.ks)).collect();
        let field = Field::new(points);
        Ok(field.elect(&field.points, &elections))
    }

    fn put_together(&self, scenario: &Scenario<'_>, own: OwnFolds, shares: &[f64]) -> Vec<Posteriors> {
        let (n_members, n_classes) = (self.ks.len(), scenario.target.classes().len());
        let width = n_members * n_classes;
        let of_fold = |(fold, own): (usize, Option<Vec<Posteriors>>)| {
            own.unwrap_or_else(|| {
                let rows = scenario.folds.tested(fold).iter();
                let of_rows = rows.flat_map(|&row| &shares[row as usize * width..][..width]);
                by_member(&of_rows.copied().collect::<Vec<f64>>(), n_members, n_classes)
            })
        };
        let of_folds: Vec<Vec<Posteriors>> = own.into_iter().enumerate().map(of_fold).collect();
        scenario.folds.of_members(n_members, &of_folds)
    }
}

/// Whether a column deviates so much that nobody can take it for constant whichever row is left out.
fn has_digits(scale: &Scale) -> bool {
    scale.is_constant() || scale.sd > 1e-9 * scale.mean.abs()
}

/// What members say of each fold that has distances of its own.
type OwnFolds = Vec<Option<Vec<Posteriors>>>;
