//! The settings of a least-squares support vector machine, as values and as text.

use std::fmt;

use super::kernel::Kernel;
use crate::error::{Error, ErrorKind};
use crate::learners::arguments::{Arguments, amount, count, written};
use crate::learners::numbers::Numbers;
use crate::learners::width::Width;

/// The settings of a machine; what is not given is to be tuned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LsSvm {
    pub(super) kernel: KernelKind,
    /// What an error costs, relative to the size of the function.
    pub(super) gamma: Option<f64>,
    pub(crate) numbers: Numbers,
}

/// How alike two rows are taken to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum KernelKind {
    Linear,
    Poly(i32),
    Rbf(Option<Width>),
}

const MOST_DEGREE: usize = 9;

impl LsSvm {
    /// Takes the settings from the text of a learner.
    ///
    /// # Errors
    /// A value is out of range, or there are two kernels or widths.
    pub(super) fn parse(arguments: &mut Arguments<'_>) -> Result<LsSvm, Error> {
        let word = arguments.word(|word| match word {
            "linear" => Some(KernelKind::Linear),
            "rbf" => Some(KernelKind::Rbf(None)),
            _ => None,
        });
        let degree = arguments.keyed("poly", "a degree from 1 to 9", |text| {
            count(text).filter(|&degree| degree <= MOST_DEGREE).map(|degree| degree as i32)
        })?;
        let kernel = match (word, degree) {
            (Some(_), Some(_)) => return Err(contradiction("more than one kernel")),
            (None, Some(degree)) => KernelKind::Poly(degree),
            // Without a word it is the usual one.
            (Some(KernelKind::Rbf(_)) | None, None) => KernelKind::Rbf(Width::parse(arguments)?),
            (Some(kernel), None) => kernel,
        };
        let gamma = arguments.keyed("gamma", POSITIVE, positive)?;
        Ok(LsSvm { kernel, gamma, numbers: Numbers::parse(arguments) })
    }

    /// The kernel and gamma, for rows of so many columns.
    ///
    /// # Errors
    /// One of them is to be tuned.
    pub(super) fn settled(&self, n_columns: usize) -> Result<(Kernel, f64), Error> {
        let kernel = match self.kernel {
            KernelKind::Linear => Some(Kernel::Linear),
            KernelKind::Poly(degree) => Some(Kernel::Poly { degree }),
            KernelKind::Rbf(width) => width.map(|width| Kernel::Rbf { sigma: width.sigma(n_columns) }),
        };
        kernel.zip(self.gamma).ok_or_else(|| self.untuned())
    }

    fn untuned(&self) -> Error {
        let (lacking, example) = match (self.gamma, self.kernel) {
            (None, KernelKind::Rbf(None)) => ("gamma and sigma", "gamma=10,spread=5"),
            (None, _) => ("gamma", "gamma=10"),
            (Some(_), _) => ("sigma", "spread=5"),
        };
        Error::new(ErrorKind::Untuned, format!("{self}: {lacking} to be tuned on the training rows"))
            .advise(format!("give what is lacking, as in {example}"))
    }
}

fn contradiction(what: &str) -> Error {
    Error::new(ErrorKind::BadText, format!("learner lssvm: {what}")).advise("give one of them")
}

const POSITIVE: &str = "a number from 1e-100 to 1e100";

/// A number whose square and inverse are numbers too.
fn positive(text: &str) -> Option<f64> {
    amount(text).filter(|number| (1e-100..=1e100).contains(number))
}

impl fmt::Display for LsSvm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kernel, width) = match self.kernel {
            KernelKind::Linear => ("linear".to_owned(), None),
            KernelKind::Poly(degree) => (format!("poly={degree}"), None),
            KernelKind::Rbf(width) => ("rbf".to_owned(), width),
        };
        let width = width.map(|width| width.to_string());
        let gamma = self.gamma.map(|gamma| format!("gamma={gamma}"));
        let settings = [Some(kernel), gamma, width].into_iter().flatten().chain(self.numbers.words());
        f.write_str(&written(super::FORM.name, settings))
    }
}

#[cfg(test)]
mod tests {
    use crate::learners::Learner;

    fn check(text: &str, expected: &str) {
        let found = match text.parse::<Learner>() {
            Ok(learner) => learner.to_string(),
            Err(error) => error.to_string(),
        };
        assert!(found == expected || (found.contains(expected) && found != text), "{text}: {found}");
    }

    #[test]
    fn texts_are_read() {
        check("lssvm:linear,gamma=1", "lssvm:linear,gamma=1");
        check("lssvm:sigma=1.7320508,rbf,gamma=10,paper", "lssvm:rbf,gamma=10,sigma=1.7320508,paper");
        check("lssvm:spread=5", "lssvm:rbf,spread=5");
        check("lssvm", "lssvm:rbf");
        check("lssvm:poly=3,mark", "lssvm:poly=3,mark");
        check("lssvm:linear+platt", "lssvm:linear+platt");
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        check("lssvm:poly=0", "poly=0 is not a degree from 1 to 9");
        check("lssvm:poly=10", "poly=10 is not a degree from 1 to 9");
        check("lssvm:gamma=0", "gamma=0 is not a number from 1e-100");
        check("lssvm:rbf,sigma=inf", "sigma=inf is not a number");
        check("lssvm:linear,sigma=2", "\"sigma\" is no setting of it");
        check("lssvm:rbf,sigma=1,spread=1", "both sigma and spread");
        check("lssvm:rbf,poly=2", "more than one kernel");
        check("lssvm:cubic", "\"cubic\" is no setting of it");
    }
}
