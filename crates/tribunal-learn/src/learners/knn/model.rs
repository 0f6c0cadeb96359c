//! Fitted nearest neighbours: the training rows themselves.

use serde::{Deserialize, Serialize};

use super::explain;
use super::field::Field;
use super::points::Points;
use super::voters::Voters;
use crate::encoding::Encoded;
use crate::explanation::Explanation;
use crate::model::{Case, Scorer};
use crate::names::{FeatureName, MOST_LINES, Names, lines_left};
use crate::posteriors::Posteriors;
use crate::training::Training;

/// The training rows, in their order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub(crate) struct KnnModel {
    pub(super) k: usize,
    pub(super) field: Field,
    pub(super) voters: Voters,
    /// The numbers of the training rows in their data set, from zero.
    pub(super) rows: Vec<u32>,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    k: usize,
    points: Points,
    voters: Voters,
    rows: Vec<u32>,
}

impl From<KnnModel> for Stored {
    fn from(KnnModel { k, field, voters, rows }: KnnModel) -> Self {
        Stored { k, points: field.points, voters, rows }
    }
}

impl TryFrom<Stored> for KnnModel {
    type Error = &'static str;

    fn try_from(Stored { k, points, voters, rows }: Stored) -> Result<Self, Self::Error> {
        match points.n_rows {
            0 => Err("neighbours without any row"),
            _ if k == 0 => Err("neighbours that nobody asks"),
            n_rows if !points.is_sound() || !voters.is_sound(n_rows) || rows.len() != n_rows => {
                Err("neighbours of other lengths, numbers or classes than they should have")
            }
            _ => Ok(KnnModel { k, field: Field::new(points), voters, rows }),
        }
    }
}

impl KnnModel {
    pub(crate) fn fit(k: usize, training: &Training<'_>) -> Self {
        let field = Field::new(Points::of(training.matrix()));
        KnnModel { k, field, voters: Voters::of(training), rows: training.rows.to_vec() }
    }
}

impl Scorer for KnnModel {
    fn n_features(&self) -> Option<usize> {
        Some(self.field.points.n_columns)
    }

    fn warnings(&self, _features: &[FeatureName]) -> Vec<String> {
        let total = self.voters.total();
        let warning = || {
            let rows = if self.voters.weights.is_some() { "weighted rows" } else { "rows" };
            format!(
                "{} neighbours were asked for, but there are only {total} training {rows}: all of them vote",
                self.k
            )
        };
        (self.k as f64 > total).then(warning).into_iter().collect()
    }

    fn posteriors(&self, rows: &Encoded<'_>) -> Posteriors {
        self.field.posteriors(&self.voters, &Points::of(rows.matrix()), &[self.k]).remove(0)
    }

    fn text(&self, names: &Names) -> String {
        let (k, n_rows, n_classes) = (self.k, self.rows.len(), names.classes.len());
        let mut text = format!("the {k} nearest of {n_rows} rows vote, of {n_classes} classes\n\n");
        text += "columns, and what is done to their numbers\n";
        let line = |feature: &FeatureName| match feature.scale {
            scale if scale.is_constant() => {
                format!("  {}: always the same, so it says nothing\n", feature.name)
            }
            scale => format!("  {}: less {:.6}, divided by {:.6}\n", feature.name, scale.mean, scale.sd),
        };
        text.extend(names.features.iter().take(MOST_LINES).map(line));
        text.extend(lines_left(names.features.len()));
        text
    }

    fn explain(&self, case: &Case<'_>, names: &Names) -> Explanation {
        explain::explain(self, case, names)
    }
}
