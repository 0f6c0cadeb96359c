//! Machines on all folds of many scenarios, from one inverse for each kernel and gamma.
//!
//! Where columns are scaled over all rows, and nothing else about them depends on the fold, one kernel of all rows serves
//! every fold, scenario and target, and so does one inverse for each gamma: see [`LeftOut`]. Where only decisions are asked
//! for, bells that are wide need no inverse: see [`Decisions`]. Linear machines of large folds need none either: see
//! [`by_weights`]. Kernels and gammas are worked on side by side. Where the scale is that of the training rows, a fold has
//! kernels of its own, which serve every gamma.

use rayon::prelude::*;
use tribunal_algebra::{Cholesky, Rectangle, Symmetric};

use super::decisions::Decisions;
use super::divided::{Block, Divided, OfFolds, Part};
use super::inverse::Inverse;
use super::kernel::{Base, Kernel};
use super::left_out::{LeftOut, right_hand_sides};
use super::memory::Memory;
use super::own_folds::{OwnFold, PER_FOLD};
use super::points::{Points, n_telling};
use super::settings::LsSvm;
use super::system::ridge;
use super::weights::by_weights;
use crate::cross::{Asked, Scenario};
use crate::dataset::Dataset;
use crate::encoding::Matrix;
use crate::error::Error;
use crate::learners::numbers::{Numbers, by_numbers};
use crate::posteriors::Posteriors;

/// So many kernel matrices are held for each grid point that is worked on.
const PER_POINT: f64 = 3.0;

/// The margins of every row for each of the scenarios and, within, for each of the settings.
pub(crate) fn cross(
    settings: &[&LsSvm],
    dataset: &Dataset,
    scenarios: &[Scenario<'_>],
    asked: Asked,
) -> Result<Vec<Vec<Posteriors>>, Error> {
    let numbers: Vec<Numbers> = settings.iter().map(|settings| settings.numbers).collect();
    by_numbers(&numbers, scenarios.len(), |numbers, relatives| {
        let members: Vec<LsSvm> = relatives.iter().map(|&idx| *settings[idx]).collect();
        Relatives { members: &members, numbers, asked }.cross(dataset, scenarios)
    })
}

/// Members that see the same numbers.
struct Relatives<'a> {
    members: &'a [LsSvm],
    numbers: Numbers,
    asked: Asked,
}

impl Relatives<'_> {
    fn cross(&self, dataset: &Dataset, scenarios: &[Scenario<'_>]) -> Result<Vec<Vec<Posteriors>>, Error> {
        let mut shared = self.shared(dataset, scenarios)?;
        let of_scenario = |(idx, scenario): (usize, &Scenario<'_>)| {
            let of_members = shared.iter_mut().map(|of_scenarios| std::mem::take(&mut of_scenarios[idx]));
            self.put_together(dataset, scenario, of_members.collect())
        };
        scenarios.iter().enumerate().map(of_scenario).collect()
    }

    /// What follows from one inverse for each member.
    fn shared(&self, dataset: &Dataset, scenarios: &[Scenario<'_>]) -> Result<Vec<OfFolds>, Error> {
        let mut divided = Divided::new(dataset, scenarios);
        let Some(matrix) = divided.encode(dataset, &self.numbers.options())? else {
            return Ok(vec![divided.nothing(); self.members.len()]);
        };
        let n_columns = n_telling(&matrix);
        let settled = self.members.iter().map(|settings| settings.settled(n_columns));
        let settled = settled.collect::<Result<Vec<(Kernel, f64)>, Error>>()?;
        let common = Common::new(&divided, &matrix, &settled, self.asked);
        Ok(common
            .of_all(&settled)
            .into_iter()
            .map(|found| found.unwrap_or_else(|| divided.nothing()))
            .collect())
    }

    /// What members say of a scenario, where need be by plain fits.
    fn put_together(
        &self,
        dataset: &Dataset,
        scenario: &Scenario<'_>,
        of_members: Vec<Vec<Option<Posteriors>>>,
    ) -> Result<Vec<Posteriors>, Error> {
        let (dataset, folds) = (scenario.dataset(dataset)?, scenario.folds);
        let memory = Memory::default();
        let of_fold = |fold: usize| {
            let lacking: Vec<usize> =
                (0..self.members.len()).filter(|&idx| of_members[idx][fold].is_none()).collect();
            let members: Vec<LsSvm> = lacking.iter().map(|&idx| self.members[idx]).collect();
            let mut found: Vec<Option<Posteriors>> =
                of_members.iter().map(|of_folds| of_folds[fold].clone()).collect();
            if let Some(first) = members.first() {
                let own = OwnFold::new(first, &dataset, folds, fold)?.posteriors(&members, memory)?;
                lacking.into_iter().zip(own).for_each(|(idx, own)| found[idx] = Some(own));
            }
            Ok(found.into_iter().flatten().collect())
        };
        let at_once = PER_FOLD * rayon::current_num_threads() as f64;
        let of_folds: Result<Vec<Vec<Posteriors>>, Error> = match memory.holds(folds.n_rows(), at_once) {
            true => (0..folds.n_folds()).into_par_iter().map(of_fold).collect(),
            false => (0..folds.n_folds()).map(of_fold).collect(),
        };
        Ok(folds.of_members(self.members.len(), &of_folds?))
    }
}

/// What all grid points share.
struct Common<'a> {
    divided: &'a Divided,
    matrix: &'a Matrix,
    points: Points,
    /// Inner products or squared distances of all rows, where a kernel is made of them.
    bases: Vec<(Base, Symmetric)>,
    right: Rectangle,
    asked: Asked,
}

impl<'a> Common<'a> {
    fn new(divided: &'a Divided, matrix: &'a Matrix, settled: &[(Kernel, f64)], asked: Asked) -> Self {
        let n_rows = divided.rows.len();
        let points = Points::of(matrix);
        let sides: Vec<Vec<f64>> =
            divided.parts.iter().flat_map(|part| right_hand_sides(part, n_rows)).collect();
        let right = Rectangle::of(n_rows, sides.len(), sides.concat());
        let n_at_once = settled.len().min(rayon::current_num_threads()) as f64;
        let is_room = Memory::default().holds(n_rows, 2.0 + PER_POINT * n_at_once);
        let is_needed = |base: &Base| {
            let kernels = settled.iter().map(|(kernel, _)| *kernel);
            kernels.into_iter().any(|kernel| kernel.base() == *base && !is_thin(kernel, matrix))
        };
        let needed =
            [Base::InnerProducts, Base::Distances].into_iter().filter(|base| is_room && is_needed(base));
        let bases = needed.map(|base| (base, base.of(&points))).collect();
        Common { divided, matrix, points, bases, right, asked }
    }

    /// What members say of every fold; `None` where there is no inverse to say it from.
    fn of_all(&self, settled: &[(Kernel, f64)]) -> Vec<Option<OfFolds>> {
        let mut of_kernels: Vec<(Kernel, Vec<usize>)> = Vec::new();
        for (idx, &(kernel, _)) in settled.iter().enumerate() {
            match of_kernels.iter_mut().find(|(known, _)| *known == kernel) {
                Some((_, members)) => members.push(idx),
                None => of_kernels.push((kernel, vec![idx])),
            }
        }
        let of_kernel = |(kernel, members): &(Kernel, Vec<usize>)| {
            let gammas: Vec<f64> = members.iter().map(|&idx| settled[idx].1).collect();
            members.iter().copied().zip(self.of_kernel(*kernel, &gammas)).collect::<Vec<_>>()
        };
        // One by itself has all cores.
        let found: Vec<(usize, Option<OfFolds>)> = match settled.len() {
            1 => of_kernels.iter().flat_map(of_kernel).collect(),
            _ => of_kernels.par_iter().flat_map(of_kernel).collect(),
        };
        let mut in_order = vec![None; settled.len()];
        found.into_iter().for_each(|(idx, found)| in_order[idx] = found);
        in_order
    }

    /// What machines of one kernel say.
    fn of_kernel(&self, kernel: Kernel, gammas: &[f64]) -> Vec<Option<OfFolds>> {
        if is_thin(kernel, self.matrix) {
            return self.linear(gammas).into_iter().map(Some).collect();
        }
        let mut found = self.decided(kernel, gammas).unwrap_or(vec![None; gammas.len()]);
        let lacking: Vec<usize> = (0..gammas.len()).filter(|&idx| found[idx].is_none()).collect();
        if lacking.is_empty() {
            return found;
        }
        let matrix = self.base(kernel).map(|base| kernel.applied(base.clone()));
        let at = |&idx: &usize| self.of_inverse(&self.inverse((kernel, matrix.as_ref()), gammas[idx])?);
        let inverted: Vec<Option<OfFolds>> = match lacking.len() {
            1 => lacking.iter().map(at).collect(),
            _ => lacking.par_iter().map(at).collect(),
        };
        lacking.into_iter().zip(inverted).for_each(|(idx, inverted)| found[idx] = inverted);
        found
    }

    /// What machines decide, where that is all they are asked and it can be had for less than an inverse.
    fn decided(&self, kernel: Kernel, gammas: &[f64]) -> Option<Vec<Option<OfFolds>>> {
        let is_meant = kernel.is_bell() && self.asked == Asked::Decisions;
        let distances = self.base(kernel).filter(|_| is_meant)?;
        Some(Decisions::of(kernel, distances, gammas, self.divided)?.at(gammas))
    }

    /// What linear machines of fewer columns than rows say: by their weights, and by an inverse where folds are small.
    fn linear(&self, gammas: &[f64]) -> Vec<OfFolds> {
        let is_large = |part: &Part| part.has_large_folds(self.matrix.n_columns());
        let mut found = by_weights(&self.points.values, self.divided, gammas);
        if self.divided.parts.iter().all(is_large) {
            return found;
        }
        let inverted = |&gamma: &f64| self.of_inverse(&self.inverse((Kernel::Linear, None), gamma)?);
        let inverted: Vec<Option<OfFolds>> = gammas.par_iter().map(inverted).collect();
        for (found, inverted) in found.iter_mut().zip(inverted) {
            let parts = found.iter_mut().zip(inverted.into_iter().flatten()).zip(&self.divided.parts);
            let small = parts.filter(|(_, part)| !is_large(part));
            small.for_each(|((found, inverted), _)| *found = inverted);
        }
        found
    }

    /// What a kernel is made of.
    fn base(&self, kernel: Kernel) -> Option<&Symmetric> {
        self.bases.iter().find(|(base, _)| *base == kernel.base()).map(|(_, base)| base)
    }

    fn of_inverse(&self, inverse: &Inverse) -> Option<OfFolds> {
        let solved = inverse.times(self.right.clone());
        let mut start = 0;
        let mut of_part = |part: &Part| {
            let n_sides = part.targets.n_columns() + 1;
            let sides: Vec<u32> = (start..start + n_sides as u32).collect();
            start += n_sides as u32;
            self.of_part(inverse, part, solved.take(&sides))
        };
        Some(self.divided.parts.iter().map(&mut of_part).collect())
    }

    fn of_part(&self, inverse: &Inverse, part: &Part, solved: Rectangle) -> Vec<Option<Posteriors>> {
        let Some(left_out) = LeftOut::new(inverse, (part, &self.divided.twins), solved) else {
            return vec![None; part.folds.len()];
        };
        let said = |block: &Block| block.is_shared.then(|| left_out.posteriors(block)).flatten();
        part.folds.iter().map(said).collect()
    }

    /// The inverse of a kernel, which is given unless it is linear, with its ridges.
    fn inverse(&self, (kernel, matrix): (Kernel, Option<&Symmetric>), gamma: f64) -> Option<Inverse> {
        // Rows without weight are left out of every machine; in the inverse they need a ridge like any other.
        let of_weight = |&weight: &f64| ridge(gamma, if weight > 0.0 { weight } else { 1.0 });
        let ridges: Vec<f64> = self.divided.weights.iter().map(of_weight).collect();
        if is_thin(kernel, self.matrix) {
            return Inverse::of_linear(&self.points, &ridges);
        }
        let mut matrix = matrix?.clone();
        matrix.add_diagonal(&ridges);
        let n_absent = self.divided.parts.iter().map(|part| part.absent.len()).sum();
        Some(Inverse::of(Cholesky::of_large(matrix)?, n_absent))
    }
}

/// Whether a machine has fewer columns than rows and needs no kernel.
fn is_thin(kernel: Kernel, matrix: &Matrix) -> bool {
    kernel == Kernel::Linear && matrix.n_columns() < matrix.n_rows()
}
