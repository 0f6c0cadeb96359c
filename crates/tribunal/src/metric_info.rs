//! What readers of a result need to know of its metrics.

use serde::{Deserialize, Serialize};
use tribunal_eval::metrics::{Better, Kind, Measure};

/// A metric that appears in a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MetricInfo {
    /// As figures name it, its parameter included.
    pub metric: String,
    /// As people call it.
    pub label: String,
    /// What it looks at.
    pub kind: Kind,
    /// Which values of it are good.
    pub better: Better,
    /// Digits behind the point that tables show of figures between 0.0001 and 10.
    pub digits: u8,
}

/// Tables show four digits of ordinary figures.
const DIGITS: u8 = 4;

impl MetricInfo {
    pub(crate) fn of(measure: &Measure) -> Self {
        let metric = measure.metric;
        Self {
            metric: measure.to_string(),
            label: metric.name.to_owned(),
            kind: metric.kind,
            better: metric.better,
            digits: DIGITS,
        }
    }

    /// Each metric once, in their order.
    pub(crate) fn of_all(measures: impl IntoIterator<Item = Measure>) -> Vec<Self> {
        let mut known: Vec<Measure> = Vec::new();
        for measure in measures {
            if !known.contains(&measure) {
                known.push(measure);
            }
        }
        known.iter().map(Self::of).collect()
    }
}

/// The name of a metric as people say it.
pub(crate) fn metric_name(metric: &str) -> String {
    match metric {
        "auroc" | "pcc" => metric.to_uppercase(),
        other if other.starts_with("cost@") => "mean cost a case".to_owned(),
        other => other.to_owned(),
    }
}
