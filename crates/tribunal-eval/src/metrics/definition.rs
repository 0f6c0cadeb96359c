//! What a metric is: its identity, its meaning and its function, as plain data.

use serde::{Deserialize, Serialize};

use crate::amounts::AmountPairs;
use crate::confusion::Confusion;
use crate::influence::Influence;
use crate::intervals::{CellSample, Interval, Level, NoInterval, Sampled};
use crate::ranking::Ranking;
use crate::undefined::{Undefined, Value};

/// What a metric looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Predictions at a cut-off.
    Cutoff,
    /// The order of the scores alone.
    Ranking,
    /// The scores as probabilities.
    Probability,
    /// Predicted amounts.
    Amount,
}

/// Which values are good.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// The larger the better.
    Higher,
    /// The smaller the better.
    Lower,
    /// The nearer to this value the better.
    Near(f64),
    /// A property of the data, not a merit of the model.
    Neither,
}

impl Better {
    /// A number that is larger the better the value is; the same for all values where none is better.
    pub fn gain(self, value: f64) -> f64 {
        match self {
            Self::Higher => value,
            Self::Lower => -value,
            Self::Near(target) => -(value - target).abs(),
            Self::Neither => 0.0,
        }
    }
}

/// What stands behind the `@` of a metric such as `lift@0.1`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Parameter {
    /// Its name in the definition.
    pub name: &'static str,
    /// Smallest value allowed, itself excluded.
    pub above: f64,
    /// Largest value allowed.
    pub at_most: f64,
    /// Whether it is a number of cases of the list, which is another number in a part of the list.
    pub counts_cases: bool,
    /// Whether it is a cost, which may have another cost before it, apart by a colon: the unit of the value.
    pub has_unit: bool,
}

/// Costs beyond this are none.
const LARGEST_COST: f64 = 1e12;

impl Parameter {
    /// A share or another number above zero that means the same in any list.
    pub(super) const fn up_to(name: &'static str, at_most: f64) -> Parameter {
        Parameter { name, above: 0.0, at_most, counts_cases: false, has_unit: false }
    }

    /// A number of cases.
    pub(super) const fn cases(name: &'static str) -> Parameter {
        Parameter { name, above: 0.0, at_most: f64::INFINITY, counts_cases: true, has_unit: false }
    }

    /// Two costs, the first of which is the unit of the value.
    pub(super) const fn costs(name: &'static str) -> Parameter {
        Parameter { name, above: 0.0, at_most: LARGEST_COST, counts_cases: false, has_unit: true }
    }

    /// Whether a number is in its range.
    pub(super) fn allows(&self, number: f64) -> bool {
        number > self.above && number <= self.at_most
    }
}

/// The function behind a metric.
#[derive(Clone, Copy, Debug)]
pub enum Compute {
    /// Of a confusion matrix.
    Confusion(fn(&Confusion) -> Value),
    /// Of a confusion matrix and a parameter.
    ConfusionWith(Parameter, fn(&Confusion, f64) -> Value),
    /// Of a ranking.
    Ranking(fn(&Ranking) -> Value),
    /// Of a ranking and a parameter.
    RankingWith(Parameter, fn(&Ranking, f64) -> Value),
    /// Of predicted and true amounts.
    Amounts(fn(&AmountPairs<'_>) -> Value),
}

/// The influence function of a metric with a parameter, zero where it has none.
pub type InfluenceOf = for<'a> fn(&'a Ranking, f64) -> Result<Influence<'a>, Undefined>;

/// The value of a metric for which an interval is wanted, with the metric's parameter, zero where it has none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The value on all rows.
    pub value: f64,
    /// What stands behind the `@`.
    pub parameter: f64,
}

/// How the interval of a metric is made.
#[derive(Clone, Copy, Debug)]
pub enum Spread {
    /// A share of cases at a cut-off, successes and cases: Wilson's interval.
    Share(fn(&Confusion) -> (f64, f64)),
    /// Another function of a confusion matrix and a parameter.
    Cells(fn(&CellSample<'_>, f64) -> Result<Interval, NoInterval>),
    /// From the influence function of a ranking.
    Influence {
        /// By how much the figure moves with the mass of each row.
        influence: InfluenceOf,
        /// The interval.
        interval: fn(&Sampled<'_>, Estimate) -> Result<Interval, NoInterval>,
    },
    /// From the influence function of predicted amounts.
    Amounts(fn(&AmountPairs<'_>, Level) -> Result<Interval, NoInterval>),
    /// A formula without an influence function.
    Formula(fn(&Sampled<'_>, Estimate) -> Result<Interval, NoInterval>),
    /// The bootstrap.
    Bootstrap,
    /// The same less its bias: for figures that are the best of many or cannot fall below zero, which chance inflates.
    CorrectedBootstrap,
}

impl Spread {
    /// In a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Self::Share(_) => "Wilson",
            Self::Cells(_) => "delta method",
            Self::Influence { .. } | Self::Amounts(_) => "influence function",
            Self::Formula(_) => "formula",
            Self::Bootstrap => "bootstrap",
            Self::CorrectedBootstrap => "bootstrap, corrected for bias",
        }
    }

    /// Whether replicates have to be drawn.
    pub fn is_drawn(self) -> bool {
        matches!(self, Self::Bootstrap | Self::CorrectedBootstrap)
    }
}

/// A metric. See [`METRICS`](super::METRICS) for all of them.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// The name that programs rely on; a parameter is written in capitals behind an `@`.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// What it looks at.
    pub kind: Kind,
    /// The formula, in words or symbols.
    pub definition: &'static str,
    /// When there is no value.
    pub undefined_when: &'static str,
    /// Smallest and largest possible value.
    pub range: (f64, f64),
    /// Which values are good.
    pub better: Better,
    /// Who defined it.
    pub reference: &'static str,
    /// The function.
    pub compute: Compute,
    /// How its interval is made.
    pub spread: Spread,
    /// Whether it looks at the amounts of cases, which a ranking may not have.
    pub needs_amounts: bool,
}

impl Metric {
    /// Whether chance alone makes it larger, the more so the fewer cases there are: the best of many cut-offs, and distances
    /// that cannot fall below zero.
    pub fn is_inflated_by_chance(&self) -> bool {
        matches!(self.spread, Spread::CorrectedBootstrap)
            || ["ks", "ece", "brier_reliability"].contains(&self.id)
    }

    /// The parameter that the metric needs, if any.
    pub fn parameter(&self) -> Option<Parameter> {
        match self.compute {
            Compute::ConfusionWith(parameter, _) | Compute::RankingWith(parameter, _) => Some(parameter),
            Compute::Confusion(_) | Compute::Ranking(_) | Compute::Amounts(_) => None,
        }
    }

    /// The id without its parameter.
    pub fn stem(&self) -> &'static str {
        self.id.split('@').next().unwrap_or(self.id)
    }
}

/// Declares a metric; its documentation and its registry entry come from the same words.
macro_rules! metric {
    (
        $(#[$extra:meta])*
        $constant:ident = $id:literal, $name:literal, $kind:ident;
        definition: $definition:literal;
        undefined when: $undefined:literal;
        range: $low:expr, $high:expr; better: $better:expr;
        reference: $reference:literal;
        compute: $compute:expr;
        $(interval: $spread:expr;)?
        $(needs: $needs:ident;)?
    ) => {
        #[doc = concat!("`", $id, "`: ", $name, ".")]
        #[doc = ""]
        #[doc = concat!("**Definition** · ", $definition)]
        #[doc = ""]
        #[doc = concat!("**Undefined when** · ", $undefined)]
        #[doc = ""]
        #[doc = concat!("**Reference** · ", $reference)]
        $(#[$extra])*
        pub const $constant: $crate::metrics::Metric = $crate::metrics::Metric {
            id: $id,
            name: $name,
            kind: $crate::metrics::Kind::$kind,
            definition: $definition,
            undefined_when: $undefined,
            range: ($low, $high),
            better: $better,
            reference: $reference,
            compute: $compute,
            spread: $crate::metrics::definition::metric!(@spread $($spread)?),
            needs_amounts: $crate::metrics::definition::metric!(@needs $($needs)?),
        };
    };
    (@spread) => { $crate::metrics::Spread::Bootstrap };
    (@spread $spread:expr) => { $spread };
    (@needs) => { false };
    (@needs amounts) => { true };
}
pub(super) use metric;
