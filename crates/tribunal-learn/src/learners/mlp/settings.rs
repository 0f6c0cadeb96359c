//! The settings of a network, as text and as values.

use std::fmt;

use crate::error::Error;
use crate::learners::arguments::{Arguments, count, written};
use crate::learners::numbers::Numbers;

/// More than anybody needs.
const MOST_HIDDEN: usize = 1_000;
const MOST_RESTARTS: usize = 1_000;
const MOST_CYCLES: usize = 1_000;
const MOST_ITERATIONS: usize = 100_000;

/// The settings of a network.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mlp {
    /// How many hidden units there are.
    pub(super) hidden: usize,
    /// Whether what is not known about weights moderates probabilities.
    pub(super) smoothed: bool,
    /// How many beginnings are tried.
    pub(super) restarts: usize,
    /// How often alphas are estimated anew.
    pub(super) cycles: usize,
    /// The most steps of a cycle.
    pub(super) iterations: usize,
    pub(super) numbers: Numbers,
}

/// What is used unless told otherwise.
pub(super) const USUAL: Mlp = Mlp {
    hidden: 2,
    smoothed: false,
    restarts: 1,
    cycles: 8,
    iterations: 100,
    numbers: Numbers { paper: false, mark: false },
};

impl Mlp {
    /// Takes the settings from the text of a learner.
    ///
    /// # Errors
    /// A value is out of range.
    pub(super) fn parse(arguments: &mut Arguments<'_>) -> Result<Mlp, Error> {
        let up_to = |most: usize| move |text: &str| count(text).filter(|&count| count <= most);
        let hidden = match arguments.keyed("hidden", "a whole number from 1 to 1000", up_to(MOST_HIDDEN))? {
            Some(hidden) => Some(hidden),
            None => arguments.word(up_to(MOST_HIDDEN)),
        };
        let restarts = arguments.keyed("restarts", "a whole number from 1 to 1000", up_to(MOST_RESTARTS))?;
        let cycles = arguments.keyed("cycles", "a whole number from 1 to 1000", up_to(MOST_CYCLES))?;
        let up_to_most = up_to(MOST_ITERATIONS);
        let iterations = arguments.keyed("iterations", "a whole number from 1 to 100000", up_to_most)?;
        Ok(Mlp {
            hidden: hidden.unwrap_or(USUAL.hidden),
            smoothed: arguments.word(|word| (word == "smoothed").then_some(())).is_some(),
            restarts: restarts.unwrap_or(USUAL.restarts),
            cycles: cycles.unwrap_or(USUAL.cycles),
            iterations: iterations.unwrap_or(USUAL.iterations),
            numbers: Numbers::parse(arguments),
        })
    }

    /// The settings that training depends on: the same for a network and its smoothed twin.
    pub(crate) fn trained(&self) -> Mlp {
        Mlp { smoothed: false, ..self.clone() }
    }
}

impl fmt::Display for Mlp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unusual = |key: &str, value: usize, usual: usize| match value == usual {
            true => String::new(),
            false => format!("{key}={value}"),
        };
        let settings = [
            self.hidden.to_string(),
            if self.smoothed { "smoothed".to_owned() } else { String::new() },
            unusual("restarts", self.restarts, USUAL.restarts),
            unusual("cycles", self.cycles, USUAL.cycles),
            unusual("iterations", self.iterations, USUAL.iterations),
        ];
        f.write_str(&written(super::FORM.name, settings.into_iter().chain(self.numbers.words())))
    }
}

#[cfg(test)]
mod tests {
    use crate::learners::Learner;

    fn check(text: &str, expected: &str) {
        assert_eq!(text.parse::<Learner>().expect(text).to_string(), expected);
    }

    #[test]
    fn what_is_as_usual_is_not_written() {
        check("mlp", "mlp:2");
        check("mlp:hidden=3", "mlp:3");
        check("mlp:smoothed,1,restarts=1,cycles=8,iterations=100", "mlp:1,smoothed");
        check("mlp:mark,paper,2,iterations=50,restarts=3", "mlp:2,restarts=3,iterations=50,paper,mark");
    }

    #[test]
    fn settings_out_of_range_are_refused() {
        let wrong =
            ["0", "-1", "1001", "2,3", "2,hidden=3", "restarts=0", "cycles=0", "iterations=1.5", "smooth"];
        for wrong in wrong {
            assert!(format!("mlp:{wrong}").parse::<Learner>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_grid_chooses_among_hidden_units() {
        let grid: Learner = "mlp:{1,2,3},{smoothed}".parse().expect("a grid");
        let texts: Vec<String> =
            grid.candidates(100).expect("candidates").iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["mlp:1,smoothed", "mlp:2,smoothed", "mlp:3,smoothed"]);
    }
}
