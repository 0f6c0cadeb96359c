//! Least-squares support vector machines: a smooth function that is 1 for one class and -1 for the other.
//!
//! **Definition** With t = 1 or -1 the class of a training row and w its weight, `(K + diag(1 / (gamma w))) a + b = t` and
//! `sum a = 0` are solved by a Cholesky factor; `f(x) = sum a_i K(x, x_i) + b` is the score, and its sign the class. K is the
//! inner product of rows on a common scale, its power `(x.z + 1)^d`, or `exp(-|x - z|^2 / sigma^2)`. Of three classes or more
//! each has a function that tells it from all others, and the largest decides. What is not given of gamma and sigma is tuned
//! on a grid and three finer ones; `spread` is sigma divided by the root of the number of columns that are not constant.
//!
//! **Undefined when** rounding errors leave the matrix not positive definite: gamma is divided by ten, up to six times, and
//! the model has a warning; after that it is an error. So are more rows than there is memory for.
//!
//! **Reference** Suykens and Vandewalle 1999; Van Gestel et al. 2004 (the grid); An, Liu and Venkatesh 2007 (rows left out).

mod cross;
mod decisions;
mod descent;
mod divided;
mod explain;
mod inverse;
mod kernel;
mod left_out;
mod memory;
mod model;
mod own_folds;
mod points;
mod primal;
mod search;
mod settings;
mod show;
mod summed;
mod system;
mod weights;

#[cfg(test)]
mod tests;

use self::memory::Memory;
use self::settings::KernelKind;
use super::character::{Character, Shape, Work};
use super::form::{Family, LearnerForm, Minds};
use super::grid::GridEdge;
use super::learner::{Fit, Method};
use crate::encoding::View;
use crate::error::Error;
use crate::model::Fitted;
use crate::posteriors::Output;
use crate::training::Training;

pub(crate) use cross::cross;
pub(crate) use model::LsSvmModel;
pub(crate) use settings::LsSvm;

pub(crate) const FORM: LearnerForm = LearnerForm {
    name: "lssvm",
    family: Family::LsSvm,
    form: "lssvm[:linear|poly=2|rbf[,sigma=S|spread=S]][,gamma=G][,paper][,mark]",
    definition: "fits a smooth function that is 1 for one class and -1 for the other: linear, a polynomial of degree 1 to \
                 9, or one of the training rows around (sigma says how far that is, spread how many times the root of the \
                 number of columns); large G follows the rows, small G is smooth; gamma and sigma are tuned unless given; \
                 paper scales over all rows, mark adds columns that say what was missing",
    reference: "Suykens and Vandewalle 1999; Viaene et al. 2002",
    examples: &[
        ("lssvm:linear", "a linear function, gamma tuned"),
        ("lssvm:poly=2", "a polynomial of degree 2, gamma tuned"),
        ("lssvm:poly=3,gamma=0.1", "a polynomial of degree 3"),
        ("lssvm:rbf", "radial basis functions, gamma and sigma tuned"),
        ("lssvm:rbf,gamma=10,sigma=3,paper", "radial basis functions on the scale of all rows"),
    ],
    // A column that is there twice is penalised half as much.
    minds: &[Minds::ClonedColumns],
    parse: |arguments| LsSvm::parse(arguments).map(Method::LsSvm),
};

impl Fit for LsSvm {
    fn form(&self) -> &'static LearnerForm {
        &FORM
    }

    fn character(&self) -> Character {
        let shape = if self.kernel == KernelKind::Linear { Shape::Weights } else { Shape::Opaque };
        let character = Character::new(shape, Work::Solving);
        if self.grid().is_empty() { character } else { character.searching() }
    }

    fn on_scale_of_all(&self) -> Option<Method> {
        Some(Method::LsSvm(LsSvm { numbers: self.numbers.on_scale_of_all(), ..*self }))
    }

    fn view(&self) -> View {
        self.numbers.view()
    }

    fn candidates(&self, _n_rows: usize) -> Vec<Method> {
        self.grid().into_iter().map(Method::LsSvm).collect()
    }

    fn refine(&self, n_refined: usize, tried: &[Method], best: &Method) -> Vec<Method> {
        let settings = |method: &Method| match method {
            Method::LsSvm(settings) => Some(*settings),
            _ => None,
        };
        let tried: Vec<LsSvm> = tried.iter().filter_map(settings).collect();
        let refined = settings(best).map(|best| self.refined(n_refined, &tried, &best));
        refined.into_iter().flatten().map(Method::LsSvm).collect()
    }

    fn edges(&self, candidate: &Method, _n_rows: usize) -> Vec<GridEdge> {
        match candidate {
            Method::LsSvm(candidate) => self.grid_edges(candidate),
            _ => Vec::new(),
        }
    }

    fn tuned_by(&self) -> &'static str {
        "pcc"
    }

    fn scaled_once(&self) -> Option<Method> {
        self.on_scale_of_all().filter(|_| !self.numbers.paper)
    }

    fn output(&self) -> Output {
        Output::Margins
    }

    fn memory(&self, n_rows: usize) -> u64 {
        if self.kernel == KernelKind::Linear { 0 } else { memory::fit_bytes(n_rows) }
    }

    fn check_memory(&self, n_rows: usize) -> Result<(), Error> {
        if self.kernel == KernelKind::Linear { Ok(()) } else { Memory::default().check(n_rows) }
    }

    fn fit(&self, training: &Training<'_>, _seed: u64) -> Result<Fitted, Error> {
        LsSvmModel::fit(self, training, Memory::default()).map(Fitted::LsSvm)
    }
}
