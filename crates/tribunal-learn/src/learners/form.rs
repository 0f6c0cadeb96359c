//! An entry of the registry of learners.

use std::fmt;

use super::Method;
use super::arguments::Arguments;
use crate::error::Error;

/// What a learner is, in words and by example.
#[derive(Debug)]
pub struct LearnerForm {
    /// The word that its text begins with.
    pub name: &'static str,
    /// Its relatives.
    pub family: Family,
    /// How it is written.
    pub form: &'static str,
    /// What it does.
    pub definition: &'static str,
    /// Who described it.
    pub reference: &'static str,
    /// Texts that are learners of this form, with what each of them is.
    pub examples: &'static [(&'static str, &'static str)],
    /// Which changes of the data that should not matter do matter to it, by design.
    pub minds: &'static [Minds],
    pub(crate) parse: fn(&mut Arguments<'_>) -> Result<Method, Error>,
}

/// What a learner minds although its data say the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Minds {
    /// The order of rows, because it draws rows by their number.
    RowOrder,
    /// The order of columns, because it draws columns by their number or starts at the first.
    ColumnOrder,
    /// Whether a row stands there twice or has weight two, because it draws rows.
    Repetition,
    /// Whether a column of numbers has the opposite sign: of thresholds that gain the same the lowest is taken, or something
    /// is drawn that has a sign.
    Direction,
    /// The last bits of numbers, because hundreds of steps make much of them.
    Rounding,
    /// Whether numbers are tiny: those that differ by 1e-5 or less are not told apart, as in C4.5.
    SmallUnit,
    /// Whether a column is there twice: it then counts twice, as evidence, as distance or among the columns that are averaged
    /// over.
    ClonedColumns,
    /// Which of two classes is the positive one: estimates are drawn towards its share, equals go to the first class, or
    /// something is drawn that has a sign.
    ClassOrder,
}

/// Learners that resemble each other, as Viaene et al. (2002) group them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// The share of each class, whatever the row.
    Baseline,
    /// Naive Bayes.
    NaiveBayes,
    /// Tree-augmented naive Bayes.
    Tan,
    /// C4.5 decision trees.
    C45,
    /// Logistic regression.
    Logit,
    /// Nearest neighbours.
    Neighbours,
    /// Neural networks with one hidden layer.
    Mlp,
    /// Support vector machines.
    Svm,
    /// Trees that vote together.
    Ensemble,
    /// Least-squares support vector machines.
    LsSvm,
}

impl Family {
    /// The family in a word.
    pub fn name(self) -> &'static str {
        match self {
            Family::Baseline => "baseline",
            Family::NaiveBayes => "nb",
            Family::Tan => "tan",
            Family::C45 => "c45",
            Family::Logit => "logit",
            Family::Neighbours => "knn",
            Family::Mlp => "mlp",
            Family::Svm => "svm",
            Family::Ensemble => "ensemble",
            Family::LsSvm => "ls-svm",
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
