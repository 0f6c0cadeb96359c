//! Machines on all folds of many scenarios, from one inverse for each kernel and gamma.
//!
//! Where columns are scaled over all rows, and nothing else about them depends on the fold, one kernel of all rows serves
//! every fold, scenario and target, and so does one inverse for each gamma: see [`LeftOut`]. Grid points are worked on side
//! by side. Where the scale is that of the training rows, a fold has kernels of its own, which serve every gamma.

use rayon::prelude::*;
use tribunal_algebra::{Cholesky, Rectangle, Symmetric};

use super::divided::{Block, Divided, Part};
use super::inverse::Inverse;
use super::kernel::{Base, Kernel};
use super::left_out::{LeftOut, right_hand_sides};
use super::memory::Memory;
use super::own_folds::{OwnFold, PER_FOLD};
use super::points::{Points, n_telling};
use super::settings::LsSvm;
use super::system::ridge;
use crate::cross::Scenario;
use crate::dataset::Dataset;
use crate::encoding::Matrix;
use crate::error::Error;
use crate::learners::numbers::{Numbers, by_numbers};
use crate::posteriors::Posteriors;

/// So many kernel matrices are held for each grid point that is worked on.
const PER_POINT: f64 = 3.0;

/// Kernels that serve several gammas are kept if they have no more elements than this together: half a gigabyte.
const MOST_KEPT: usize = 1 << 26;

/// What is said of each fold of each scenario; `None` where that is left to a plain fit.
type OfFolds = Vec<Vec<Option<Posteriors>>>;

/// The margins of every row for each of the scenarios and, within, for each of the settings.
pub(crate) fn cross(
    settings: &[&LsSvm],
    dataset: &Dataset,
    scenarios: &[Scenario<'_>],
) -> Result<Vec<Vec<Posteriors>>, Error> {
    let numbers: Vec<Numbers> = settings.iter().map(|settings| settings.numbers).collect();
    by_numbers(&numbers, scenarios.len(), |numbers, relatives| {
        let members: Vec<LsSvm> = relatives.iter().map(|&idx| *settings[idx]).collect();
        Relatives { members: &members, numbers }.cross(dataset, scenarios)
    })
}

/// Members that see the same numbers.
struct Relatives<'a> {
    members: &'a [LsSvm],
    numbers: Numbers,
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
        let nothing: OfFolds = divided.parts.iter().map(|part| vec![None; part.folds.len()]).collect();
        let Some(matrix) = divided.encode(dataset, &self.numbers.options())? else {
            return Ok(vec![nothing; self.members.len()]);
        };
        let n_columns = n_telling(&matrix);
        let settled = self.members.iter().map(|settings| settings.settled(n_columns));
        let settled = settled.collect::<Result<Vec<(Kernel, f64)>, Error>>()?;
        let common = Common::new(&divided, &matrix, &settled);
        let at = |&(kernel, gamma): &(Kernel, f64)| common.at(kernel, gamma).unwrap_or(nothing.clone());
        // One by itself has all cores.
        Ok(if settled.len() == 1 {
            settled.iter().map(at).collect()
        } else {
            settled.par_iter().map(at).collect()
        })
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
    /// Kernels that several gammas are tried with.
    kernels: Vec<(Kernel, Symmetric)>,
    right: Rectangle,
}

impl<'a> Common<'a> {
    fn new(divided: &'a Divided, matrix: &'a Matrix, settled: &[(Kernel, f64)]) -> Self {
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
        let bases: Vec<(Base, Symmetric)> = needed.map(|base| (base, base.of(&points))).collect();
        let kernels = kept_kernels(&bases, settled, n_rows);
        Common { divided, matrix, points, bases, kernels, right }
    }

    /// What a member says of every fold; `None` where there is no inverse to say it from.
    fn at(&self, kernel: Kernel, gamma: f64) -> Option<OfFolds> {
        let inverse = self.inverse(kernel, gamma)?;
        let solved = inverse.times(self.right.clone());
        let mut start = 0;
        let mut of_part = |part: &Part| {
            let n_sides = part.targets.n_columns() + 1;
            let sides: Vec<u32> = (start..start + n_sides as u32).collect();
            start += n_sides as u32;
            self.of_part(&inverse, part, solved.take(&sides))
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

    fn inverse(&self, kernel: Kernel, gamma: f64) -> Option<Inverse> {
        // Rows without weight are left out of every machine; in the inverse they need a ridge like any other.
        let of_weight = |&weight: &f64| ridge(gamma, if weight > 0.0 { weight } else { 1.0 });
        let ridges: Vec<f64> = self.divided.weights.iter().map(of_weight).collect();
        if is_thin(kernel, self.matrix) {
            return Inverse::of_linear(&self.points, &ridges);
        }
        let mut matrix = match self.kernels.iter().find(|(kept, _)| *kept == kernel) {
            Some((_, kept)) => kept.clone(),
            None => applied(kernel, &self.bases)?,
        };
        matrix.add_diagonal(&ridges);
        let n_absent = self.divided.parts.iter().map(|part| part.absent.len()).sum();
        Some(Inverse::of(Cholesky::of_large(matrix)?, n_absent))
    }
}

/// The kernels that are used more than once, if there is room to keep them.
fn kept_kernels(
    bases: &[(Base, Symmetric)],
    settled: &[(Kernel, f64)],
    n_rows: usize,
) -> Vec<(Kernel, Symmetric)> {
    let mut distinct: Vec<Kernel> = Vec::new();
    for &(kernel, _) in settled {
        if !distinct.contains(&kernel) {
            distinct.push(kernel);
        }
    }
    let is_room = distinct.len().saturating_mul(n_rows * n_rows) <= MOST_KEPT;
    if distinct.len() == settled.len() || !is_room {
        return Vec::new();
    }
    distinct.into_par_iter().filter_map(|kernel| Some((kernel, applied(kernel, bases)?))).collect()
}

/// A kernel, from what it is made of.
fn applied(kernel: Kernel, bases: &[(Base, Symmetric)]) -> Option<Symmetric> {
    let (_, base) = bases.iter().find(|(base, _)| *base == kernel.base())?;
    Some(kernel.applied(base.clone()))
}

/// Whether a machine has fewer columns than rows and needs no kernel.
fn is_thin(kernel: Kernel, matrix: &Matrix) -> bool {
    kernel == Kernel::Linear && matrix.n_columns() < matrix.n_rows()
}
