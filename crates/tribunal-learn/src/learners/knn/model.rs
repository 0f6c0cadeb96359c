//! Fitted nearest neighbours: the training rows themselves.

use serde::{Deserialize, Serialize};

use super::explain;
use super::field::Field;
use super::points::Points;
use super::voters::Voters;
use crate::encoding::Encoded;
use crate::explanation::Explanation;
use crate::model::{Case, Scorer};
use crate::model_shape::ModelShape;
use crate::names::{FeatureName, MOST_LINES, Names, lines_left};
use crate::posteriors::Posteriors;
use crate::training::Training;

/// The training rows, in their order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored")]
pub(crate) struct KnnModel {
    pub(super) k: usize,
    #[serde(rename = "points")]
    pub(super) field: Field,
    pub(super) voters: Voters,
    /// The numbers of the training rows in their data set, from zero.
    pub(super) rows: Vec<u32>,
}

#[derive(Deserialize)]
struct Stored {
    k: usize,
    points: Points,
    voters: Voters,
    rows: Vec<u32>,
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
    fn fits(&self, shape: &ModelShape) -> bool {
        self.voters.n_classes == shape.n_classes && shape.has_features(self.field.points.n_columns)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learners::Learner;
    use crate::learners::golden::toy_numbers;
    use serde_json::{Value, json};

    #[test]
    fn what_does_not_fit_together_is_not_read() {
        let rows: Vec<u32> = (0..14).collect();
        let model = "knn:3".parse::<Learner>().and_then(|learner| learner.fit(&toy_numbers(), &rows, 1));
        let text = serde_json::to_value(model.expect("a model")).expect("as JSON");
        let stored = text["learned"]["fitted"]["knn"].clone();
        assert!(serde_json::from_value::<KnnModel>(stored.clone()).is_ok());
        let check = |change: &dyn Fn(&mut Value), expected: &str| {
            let mut changed = stored.clone();
            change(&mut changed);
            let error = serde_json::from_value::<KnnModel>(changed).expect_err(expected).to_string();
            assert!(error.contains(expected), "{error}");
        };
        let unfit = "neighbours of other lengths, numbers or classes";
        check(&|model| model["points"]["values"][4] = json!(1e200), unfit);
        check(&|model| model["points"]["n_columns"] = json!(4), unfit);
        check(&|model| model["voters"]["classes"][13] = json!(2), unfit);
        check(&|model| model["voters"]["weights"] = json!([1.0, 2.0]), unfit);
        check(&|model| model["rows"] = json!([0]), unfit);
        check(&|model| model["k"] = json!(0), "neighbours that nobody asks");
        check(
            &|model| model["points"] = json!({"n_rows": 0, "n_columns": 3, "values": []}),
            "without any row",
        );
    }

    #[test]
    fn a_model_is_shown_with_its_columns() {
        let rows: Vec<u32> = (0..14).collect();
        let model = "knn:3".parse::<Learner>().and_then(|learner| learner.fit(&toy_numbers(), &rows, 1));
        let text = model.expect("a model").text();
        assert!(text.starts_with("the 3 nearest of 14 rows vote, of 2 classes\n"), "{text}");
        assert!(text.contains("  x1: less 2.000000, divided by 0.877058\n"), "{text}");
    }
}
