//! Bayesian networks with one hidden layer: how relevant each input is follows from the training rows.
//!
//! **Definition** `z_j = tanh(b_j + sum of W_ij x_i)` for each hidden unit, the log-odds `a = b + sum of v_j z_j`, and the
//! probability of the class is logistic in a. Weights are those of the least cross-entropy and decay, by scaled conjugate
//! gradients. The weights that leave an input decay together, and so do hidden biases, output weights and the output bias
//! (automatic relevance determination); how strongly is estimated by the evidence framework, in turns with the weights. The
//! network itself takes the most probable weights for true. A `smoothed` one knows the variance s2 of a row's log-odds and
//! takes them times `1 / sqrt(1 + pi s2 / 8)`: it is on the same side of one half, and less sure where rows were few. Of
//! several beginnings that of the greatest log evidence stays. Of two classes the second is learned; of more each against
//! all others, and the probabilities are made to add up to one.
//!
//! **Undefined when** the weights of rows are too large to compute with: that is an error.
//!
//! **Reference** MacKay 1992; Neal 1996; Bishop 1995; Nabney 2002; Viaene et al. 2002.

mod elementary;
mod evidence;
mod explain;
mod hessian;
mod layout;
mod model;
mod net;
mod network;
mod scg;
mod settings;
mod show;
mod tiles;
mod train;

#[cfg(test)]
mod tests;

use std::cell::OnceCell;

use rayon::prelude::*;

use super::character::{Character, Shape, Work};
use super::form::{Family, LearnerForm, Minds};
use super::learner::{Fit, Method};
use crate::encoding::View;
use crate::error::{Error, ErrorKind};
use crate::model::Fitted;
use crate::training::Training;

use layout::Layout;
use tiles::Tiles;
use train::{Trained, train};

pub(crate) use model::MlpModel;
pub(crate) use settings::Mlp;

pub(crate) const FORM: LearnerForm = LearnerForm {
    name: "mlp",
    family: Family::Mlp,
    form: "mlp[:HIDDEN][,smoothed][,restarts=1][,cycles=8][,iterations=100][,paper][,mark]",
    definition: "a network of HIDDEN tanh units that estimates how relevant each input is; smoothed draws probabilities \
                 towards one half where the weights are not sure; of several restarts the one of the greatest log evidence \
                 stays; of more than two classes each is learned against all others; paper scales over all rows, mark adds \
                 a column where values are missing",
    reference: "MacKay 1992; Bishop 1995; Viaene et al. 2002",
    examples: &[
        ("mlp:2", "two hidden units"),
        ("mlp:2,smoothed", "the same, less sure where rows are few"),
        ("mlp:1,restarts=2,cycles=3,iterations=50", "one hidden unit, the better of two short runs"),
    ],
    // The first weights are drawn, with a sign and column by column, and hundreds of steps make much of the last bits of sums
    // over rows.
    minds: &[
        Minds::RowOrder,
        Minds::ColumnOrder,
        Minds::Repetition,
        Minds::Direction,
        Minds::Rounding,
        Minds::ClonedColumns,
        Minds::ClassOrder,
    ],
    parse: |arguments| Mlp::parse(arguments).map(Method::Mlp),
};

/// The second derivatives of more weights would neither fit in memory nor be factored in any patience.
const MOST_WEIGHTS: usize = 4_000;

/// What twins have in common: for each class that is learned the network, if it has rows.
#[derive(Default)]
pub(crate) struct Shared(OnceCell<Vec<Option<Trained>>>);

impl Mlp {
    /// Whether another network is trained alike.
    pub(crate) fn is_twin(&self, other: &Mlp) -> bool {
        self.trained() == other.trained()
    }

    /// Learns from rows of at least two classes, with what a twin has learned already.
    ///
    /// # Errors
    /// There are more weights than can be computed with, or rows with weights that are too large.
    pub(crate) fn fit_sharing(
        &self,
        shared: &Shared,
        training: &Training<'_>,
        seed: u64,
    ) -> Result<Fitted, Error> {
        let layout = Layout { n_inputs: training.matrix().n_columns(), n_hidden: self.hidden };
        let trained = match shared.0.get() {
            Some(trained) => trained,
            None => {
                let trained = self.train(training, layout, seed)?;
                shared.0.get_or_init(|| trained)
            }
        };
        MlpModel::new(self, layout, trained).map(Fitted::Mlp).ok_or_else(unbounded)
    }

    fn train(
        &self,
        training: &Training<'_>,
        layout: Layout,
        seed: u64,
    ) -> Result<Vec<Option<Trained>>, Error> {
        if layout.n_weights() > MOST_WEIGHTS {
            let problem = format!("{} weights are more than {MOST_WEIGHTS}", layout.n_weights());
            return Err(Error::new(ErrorKind::TooWide, problem)
                .advise("take fewer hidden units, leave columns out, or choose a learner that counts levels (nb, tan, c45)"));
        }
        let class_weights = training.class_weights();
        let learned = if training.n_classes == 2 { 1..2 } else { 0..training.n_classes };
        let of_class = |class: usize| {
            let tiles = (class_weights[class] > 0.0).then(|| Tiles::of(training, class));
            tiles.map(|tiles| train(self, &tiles, seed, class).ok_or_else(unbounded)).transpose()
        };
        learned.into_par_iter().map(of_class).collect()
    }
}

fn unbounded() -> Error {
    Error::new(ErrorKind::Inconsistent, "a network cannot be trained: its numbers grow without bounds")
        .advise("if rows have weights, divide them by their mean")
}

impl Fit for Mlp {
    fn form(&self) -> &'static LearnerForm {
        &FORM
    }

    fn character(&self) -> Character {
        Character::new(Shape::Opaque, Work::Iterating)
    }

    fn on_scale_of_all(&self) -> Option<Method> {
        Some(Method::Mlp(Self { numbers: self.numbers.on_scale_of_all(), ..self.clone() }))
    }

    fn view(&self) -> View {
        self.numbers.view()
    }

    fn fit(&self, training: &Training<'_>, seed: u64) -> Result<Fitted, Error> {
        self.fit_sharing(&Shared::default(), training, seed)
    }
}
