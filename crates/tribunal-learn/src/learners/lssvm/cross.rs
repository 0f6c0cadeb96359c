//! Machines on all folds of many scenarios, from one inverse for each kernel and gamma.
//!
//! Where columns are scaled over all rows, and nothing else about them depends on the fold, one kernel of all rows serves
//! every fold, scenario and target, and so does one inverse for each gamma: see [`LeftOut`]. Where only decisions are asked
//! for, bells that are wide need no inverse: see [`Decisions`]. Linear machines of large folds need none either: see
//! [`by_weights`]. Kernels and gammas are worked on side by side. Where the scale is that of the training rows, a fold has
//! kernels of its own, which serve every gamma.

use std::ops::Range;

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
use crate::cross::{Asked, Members, Scenario};
use crate::dataset::Dataset;
use crate::encoding::Matrix;
use crate::error::Error;
use crate::learners::numbers::{Numbers, by_numbers};
use crate::posteriors::Posteriors;

/// So many kernel matrices are held for each grid point that is worked on.
const PER_POINT: f64 = 3.0;

/// The margins of every row for each of the scenarios and, within, for each of the members; nothing where one is not asked.
pub(crate) fn cross(
    members: &Members<'_, LsSvm>,
    dataset: &Dataset,
    scenarios: &[Scenario<'_>],
    asked: Asked,
) -> Result<Vec<Vec<Posteriors>>, Error> {
    let numbers: Vec<Numbers> = members.settings.iter().map(|settings| settings.numbers).collect();
    by_numbers(&numbers, scenarios.len(), |numbers, relatives| {
        let settings = relatives.iter().map(|&idx| *members.settings[idx]).collect();
        let is_asked = |&idx: &usize| (0..scenarios.len()).map(|part| members.is_asked(part, idx)).collect();
        let is_asked = relatives.iter().map(is_asked).collect();
        Relatives { settings, is_asked, numbers, asked }.cross(dataset, scenarios)
    })
}

/// Members that see the same numbers.
struct Relatives {
    settings: Vec<LsSvm>,
    /// For each of them in which scenarios it is asked.
    is_asked: Vec<Vec<bool>>,
    numbers: Numbers,
    asked: Asked,
}

/// A machine that all folds of some scenarios ask.
pub(super) struct Member {
    kernel: Kernel,
    pub(super) gamma: f64,
    /// In which scenarios it is asked.
    pub(super) is_asked: Vec<bool>,
}

impl Member {
    /// The scenarios in which it is asked, with their places among all.
    pub(super) fn asked_of<'a>(
        &'a self,
        divided: &'a Divided,
    ) -> impl Iterator<Item = (usize, &'a Part)> + Clone {
        divided.parts.iter().enumerate().filter(|(idx, _)| self.is_asked[*idx])
    }
}

impl Relatives {
    fn cross(&self, dataset: &Dataset, scenarios: &[Scenario<'_>]) -> Result<Vec<Vec<Posteriors>>, Error> {
        let mut shared = self.shared(dataset, scenarios)?;
        let of_scenario = |(idx, scenario): (usize, &Scenario<'_>)| {
            let of_members = shared.iter_mut().map(|of_scenarios| std::mem::take(&mut of_scenarios[idx]));
            self.put_together(dataset, (idx, scenario), of_members.collect())
        };
        scenarios.iter().enumerate().map(of_scenario).collect()
    }

    /// What follows from one inverse for each member.
    fn shared(&self, dataset: &Dataset, scenarios: &[Scenario<'_>]) -> Result<Vec<OfFolds>, Error> {
        let mut divided = Divided::new(dataset, scenarios);
        let Some(matrix) = divided.encode(dataset, &self.numbers.options())? else {
            return Ok(vec![divided.nothing(); self.settings.len()]);
        };
        let n_columns = n_telling(&matrix);
        let member = |(settings, is_asked): (&LsSvm, &Vec<bool>)| {
            let (kernel, gamma) = settings.settled(n_columns)?;
            Ok(Member { kernel, gamma, is_asked: is_asked.clone() })
        };
        let members = self.settings.iter().zip(&self.is_asked).map(member);
        let members = members.collect::<Result<Vec<Member>, Error>>()?;
        let common = Common::new(&divided, &matrix, &members, self.asked);
        Ok(common
            .of_all(&members)
            .into_iter()
            .map(|found| found.unwrap_or_else(|| divided.nothing()))
            .collect())
    }

    /// What members say of a scenario, where need be by plain fits.
    fn put_together(
        &self,
        dataset: &Dataset,
        (idx, scenario): (usize, &Scenario<'_>),
        mut of_members: Vec<Vec<Option<Posteriors>>>,
    ) -> Result<Vec<Posteriors>, Error> {
        let (dataset, folds) = (scenario.dataset(dataset)?, scenario.folds);
        let asked: Vec<usize> = (0..of_members.len()).filter(|&member| self.is_asked[member][idx]).collect();
        let memory = Memory::default();
        let fitted = |fold: usize| {
            let is_lacking = |&&member: &&usize| of_members[member][fold].is_none();
            let lacking: Vec<usize> = asked.iter().filter(is_lacking).copied().collect();
            let settings: Vec<LsSvm> = lacking.iter().map(|&member| self.settings[member]).collect();
            let Some(first) = settings.first() else { return Ok(Vec::new()) };
            let own = OwnFold::new(first, &dataset, folds, fold)?.posteriors(&settings, memory)?;
            Ok(lacking.into_iter().zip(own).collect())
        };
        let at_once = PER_FOLD * rayon::current_num_threads() as f64;
        let fitted: Result<Vec<Vec<(usize, Posteriors)>>, Error> = match memory.holds(folds.n_rows(), at_once)
        {
            true => (0..folds.n_folds()).into_par_iter().map(fitted).collect(),
            false => (0..folds.n_folds()).map(fitted).collect(),
        };
        for (fold, fitted) in fitted?.into_iter().enumerate() {
            fitted.into_iter().for_each(|(member, own)| of_members[member][fold] = Some(own));
        }
        let joined = |(member, of_folds): (usize, Vec<Option<Posteriors>>)| match self.is_asked[member][idx] {
            true => folds.joined(of_folds.iter().flatten()),
            false => Posteriors::default(),
        };
        Ok(of_members.into_iter().enumerate().map(joined).collect())
    }
}

/// What all grid points share.
struct Common<'a> {
    divided: &'a Divided,
    matrix: &'a Matrix,
    points: Points,
    /// Inner products or squared distances of all rows, where a kernel is made of them.
    bases: Vec<(Base, Symmetric)>,
    /// The right-hand sides of all scenarios, and which of them are whose.
    right: Rectangle,
    sides: Vec<Range<u32>>,
    asked: Asked,
}

impl<'a> Common<'a> {
    fn new(divided: &'a Divided, matrix: &'a Matrix, members: &[Member], asked: Asked) -> Self {
        let n_rows = divided.rows.len();
        let points = Points::of(matrix);
        let sides: Vec<Vec<f64>> =
            divided.parts.iter().flat_map(|part| right_hand_sides(part, n_rows)).collect();
        let right = Rectangle::of(n_rows, sides.len(), sides.concat());
        let mut start = 0;
        let of_part = |part: &Part| {
            let sides = start..start + 1 + part.targets.n_columns() as u32;
            start = sides.end;
            sides
        };
        let sides = divided.parts.iter().map(of_part).collect();
        let n_at_once = members.len().min(rayon::current_num_threads()) as f64;
        let is_room = Memory::default().holds(n_rows, 2.0 + PER_POINT * n_at_once);
        let is_needed = |base: &Base| {
            let mut kernels = members.iter().map(|member| member.kernel);
            kernels.any(|kernel| kernel.base() == *base && !is_thin(kernel, matrix))
        };
        let needed =
            [Base::InnerProducts, Base::Distances].into_iter().filter(|base| is_room && is_needed(base));
        let bases = needed.map(|base| (base, base.of(&points))).collect();
        Common { divided, matrix, points, bases, right, sides, asked }
    }

    /// What members say of every fold that they are asked about; `None` where there is no inverse to say it from.
    fn of_all(&self, members: &[Member]) -> Vec<Option<OfFolds>> {
        let mut of_kernels: Vec<(Kernel, Vec<usize>)> = Vec::new();
        for (idx, member) in members.iter().enumerate() {
            match of_kernels.iter_mut().find(|(known, _)| *known == member.kernel) {
                Some((_, places)) => places.push(idx),
                None => of_kernels.push((member.kernel, vec![idx])),
            }
        }
        let of_kernel = |(kernel, places): &(Kernel, Vec<usize>)| {
            let members: Vec<&Member> = places.iter().map(|&idx| &members[idx]).collect();
            places.iter().copied().zip(self.of_kernel(*kernel, &members)).collect::<Vec<_>>()
        };
        // One by itself has all cores.
        let found: Vec<(usize, Option<OfFolds>)> = match members.len() {
            1 => of_kernels.iter().flat_map(of_kernel).collect(),
            _ => of_kernels.par_iter().flat_map(of_kernel).collect(),
        };
        let mut in_order = vec![None; members.len()];
        found.into_iter().for_each(|(idx, found)| in_order[idx] = found);
        in_order
    }

    /// What machines of one kernel say.
    fn of_kernel(&self, kernel: Kernel, members: &[&Member]) -> Vec<Option<OfFolds>> {
        if is_thin(kernel, self.matrix) {
            return self.linear(members).into_iter().map(Some).collect();
        }
        let mut found = self.decided(kernel, members).unwrap_or(vec![None; members.len()]);
        let lacking: Vec<usize> = (0..members.len()).filter(|&idx| found[idx].is_none()).collect();
        if lacking.is_empty() {
            return found;
        }
        let matrix = self.base(kernel).map(|base| kernel.applied(base.clone()));
        let at = |&idx: &usize| self.by_inverse(members[idx], matrix.as_ref());
        let inverted: Vec<Option<OfFolds>> = match lacking.len() {
            1 => lacking.iter().map(at).collect(),
            _ => lacking.par_iter().map(at).collect(),
        };
        lacking.into_iter().zip(inverted).for_each(|(idx, inverted)| found[idx] = inverted);
        found
    }

    /// What machines decide, where that is all they are asked and it can be had for less than an inverse.
    fn decided(&self, kernel: Kernel, members: &[&Member]) -> Option<Vec<Option<OfFolds>>> {
        let is_meant = kernel.is_bell() && self.asked == Asked::Decisions;
        let distances = self.base(kernel).filter(|_| is_meant)?;
        Some(Decisions::of(kernel, distances, members, self.divided)?.at(members))
    }

    /// What linear machines of fewer columns than rows say: by their weights, and by an inverse where folds are small.
    fn linear(&self, members: &[&Member]) -> Vec<OfFolds> {
        let is_large = |part: &Part| part.has_large_folds(self.matrix.n_columns());
        let mut found = by_weights(&self.points.values, self.divided, members);
        if self.divided.parts.iter().all(is_large) {
            return found;
        }
        let inverted: Vec<Option<OfFolds>> =
            members.par_iter().map(|member| self.by_inverse(member, None)).collect();
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

    /// What a machine says by the inverse of its kernel, which is given unless it is linear.
    fn by_inverse(&self, member: &Member, matrix: Option<&Symmetric>) -> Option<OfFolds> {
        let inverse = self.inverse(member, matrix)?;
        let asked = member.asked_of(self.divided);
        let sides: Vec<u32> = asked.clone().flat_map(|(idx, _)| self.sides[idx].clone()).collect();
        let (solved, mut found) = (inverse.times(self.right.take(&sides)), self.divided.nothing());
        let mut start = 0;
        for (idx, part) in asked {
            let end = start + self.sides[idx].len() as u32;
            let own: Vec<u32> = (start..end).collect();
            found[idx] = self.of_part(&inverse, part, solved.take(&own));
            start = end;
        }
        Some(found)
    }

    fn of_part(&self, inverse: &Inverse, part: &Part, solved: Rectangle) -> Vec<Option<Posteriors>> {
        let Some(left_out) = LeftOut::new(inverse, (part, &self.divided.twins), solved) else {
            return vec![None; part.folds.len()];
        };
        let said = |block: &Block| block.is_shared.then(|| left_out.posteriors(block)).flatten();
        part.folds.iter().map(said).collect()
    }

    /// The inverse of a kernel, which is given unless it is linear, with its ridges.
    fn inverse(&self, member: &Member, matrix: Option<&Symmetric>) -> Option<Inverse> {
        // Rows without weight are left out of every machine; in the inverse they need a ridge like any other.
        let of_weight = |&weight: &f64| ridge(member.gamma, if weight > 0.0 { weight } else { 1.0 });
        let ridges: Vec<f64> = self.divided.weights.iter().map(of_weight).collect();
        if is_thin(member.kernel, self.matrix) {
            return Inverse::of_linear(&self.points, &ridges);
        }
        let mut matrix = matrix?.clone();
        matrix.add_diagonal(&ridges);
        Some(Inverse::Whole(Cholesky::of_large(matrix)?.into_inverse()))
    }
}

/// Whether a machine has fewer columns than rows and needs no kernel.
fn is_thin(kernel: Kernel, matrix: &Matrix) -> bool {
    kernel == Kernel::Linear && matrix.n_columns() < matrix.n_rows()
}
