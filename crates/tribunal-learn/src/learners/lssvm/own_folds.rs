//! A fold whose rows are encoded by themselves: machines of its training rows share one kernel, and Gram matrix.

use tribunal_algebra::{Cholesky, Rectangle};

use super::kernel::{Base, Kernel};
use super::memory::Memory;
use super::model::{LsSvmModel, linear_sum, margins};
use super::points::{Points, n_telling};
use super::primal::Sums;
use super::settings::LsSvm;
use super::system::{Solution, ridges, targets, with_lowered};
use crate::cross::Folds;
use crate::dataset::Dataset;
use crate::encoding::{Encoded, Encoder};
use crate::error::Error;
use crate::learners::majority::Shares;
use crate::model::{Scorer, lone_class};
use crate::posteriors::Posteriors;
use crate::training::{Training, counting_rows};

/// So many kernel matrices are held while machines of one fold are made.
pub(super) const PER_FOLD: f64 = 3.5;

/// A fold, encoded.
pub(super) struct OwnFold {
    training: Training<'static>,
    tested: Encoded<'static>,
}

impl OwnFold {
    /// # Errors
    /// A column cannot be encoded, or there is no training row.
    pub(super) fn new(
        settings: &LsSvm,
        dataset: &Dataset,
        folds: &Folds<'_>,
        fold: usize,
    ) -> Result<OwnFold, Error> {
        let trained = folds.numbered(&folds.trained(fold));
        let trained = counting_rows(dataset, &trained)?;
        let encoder = Encoder::fit(&settings.numbers.view(), dataset, &trained)?;
        let training = Training::encode(dataset, &trained, &encoder)?;
        let tested = encoder.encode(dataset, &folds.numbered(folds.tested(fold)))?;
        Ok(OwnFold { training, tested })
    }

    /// What members, which see the same numbers, say of the fold.
    ///
    /// # Errors
    /// As a fit of each.
    pub(super) fn posteriors(&self, members: &[LsSvm], memory: Memory) -> Result<Vec<Posteriors>, Error> {
        if lone_class(&self.training).is_some() {
            let shares = Shares::of(&self.training).posteriors(&self.tested).into_margins();
            return Ok(vec![shares; members.len()]);
        }
        if members.len() < 2 || !memory.holds(self.training.n_rows(), PER_FOLD) {
            let model = |settings: &LsSvm| LsSvmModel::fit(settings, &self.training, memory);
            return members.iter().map(|settings| Ok(model(settings)?.posteriors(&self.tested))).collect();
        }
        let n_columns = n_telling(self.training.matrix());
        let settled = members.iter().map(|settings| settings.settled(n_columns));
        let settled = settled.collect::<Result<Vec<(Kernel, f64)>, Error>>()?;
        let mut found = vec![Posteriors::default(); members.len()];
        let is_thin = self.training.matrix().n_columns() < self.training.n_rows();
        let is_primal = |kernel: Kernel| is_thin && kernel == Kernel::Linear;
        let of = |is_meant: &dyn Fn(Kernel) -> bool| -> Vec<usize> {
            (0..settled.len()).filter(|&idx| is_meant(settled[idx].0)).collect()
        };
        self.by_weights(&of(&is_primal), &settled, &mut found)?;
        for base in [Base::InnerProducts, Base::Distances] {
            let relatives = of(&|kernel| kernel.base() == base && !is_primal(kernel));
            self.by_kernels(base, &relatives, &settled, &mut found)?;
        }
        Ok(found)
    }

    /// Linear machines from one Gram matrix.
    fn by_weights(
        &self,
        members: &[usize],
        settled: &[(Kernel, f64)],
        found: &mut [Posteriors],
    ) -> Result<(), Error> {
        if members.is_empty() {
            return Ok(());
        }
        let sums = Sums::of(&self.training);
        for &idx in members {
            let (primal, _) = sums.solved(settled[idx].1)?;
            let outputs = primal.weights.iter().zip(&primal.biases);
            let sum = |(weights, bias): (&Vec<f64>, &f64)| linear_sum(weights, *bias, self.tested.matrix());
            found[idx] = margins(&outputs.map(sum).collect::<Vec<_>>(), self.training.n_classes);
        }
        Ok(())
    }

    /// Machines whose kernels are made of the same inner products or distances.
    fn by_kernels(
        &self,
        base: Base,
        members: &[usize],
        settled: &[(Kernel, f64)],
        found: &mut [Posteriors],
    ) -> Result<(), Error> {
        if members.is_empty() {
            return Ok(());
        }
        let (points, tested) = (Points::of(self.training.matrix()), Points::of(self.tested.matrix()));
        let of_rows = base.of(&points);
        let targets = targets(&self.training.classes, self.training.n_classes);
        let mut made: Vec<Kernel> = Vec::new();
        for kernel in members.iter().map(|&idx| settled[idx].0) {
            if made.contains(&kernel) {
                continue;
            }
            made.push(kernel);
            let (matrix, likeness) = (kernel.applied(of_rows.clone()), kernel.between(&points, &tested));
            for &idx in members.iter().filter(|&&idx| settled[idx].0 == kernel) {
                let (solution, _) = with_lowered(settled[idx].1, |gamma| {
                    let mut matrix = matrix.clone();
                    matrix.add_diagonal(&ridges(&self.training, gamma));
                    Some(Solution::of(&Cholesky::of(matrix)?, &targets))
                })?;
                found[idx] = margins(&said(&solution, &likeness), self.training.n_classes);
            }
        }
        Ok(())
    }
}

/// What a machine says of rows by their likeness to the training rows.
fn said(solution: &Solution, likeness: &Rectangle) -> Vec<Vec<f64>> {
    let sums = likeness.transposed_times(&solution.coefficients);
    let output = |(idx, bias): (usize, &f64)| sums.column(idx).iter().map(|sum| sum + bias).collect();
    solution.biases.iter().enumerate().map(output).collect()
}
