//! Whether learners differ on the splits of a scenario: Duncan's test, the stricter ones beside it, and the ratios of
//! Viaene et al. (2002) over all scenarios.

use tribunal_eval::intervals::Level;
use tribunal_eval::metrics::{Better, Measure};
use tribunal_eval::significance::{
    Contender, Differences, FoldTable, TestToTrain, TopGroups, corrected_t, holm, summaries,
};

use super::judged::{Frame, JudgedCell};
use super::results::{
    FamilyRatio, LearnerRatio, LeftOut, MetricSummary, ScenarioRatios, ScenarioTests, StudyLearner, TopGroup,
};
use crate::evaluate::test_folds;

/// The learners of a scenario by one metric.
pub(super) struct Field<'a> {
    pub(super) scenario: &'a str,
    pub(super) learners: &'a [StudyLearner],
    pub(super) cells: &'a [JudgedCell],
    pub(super) frame: &'a Frame,
    pub(super) measure: Measure,
    /// The place of the metric among those that were judged.
    pub(super) metric: usize,
    pub(super) level: Level,
}

impl Field<'_> {
    /// All tests; a reason where there can be none.
    ///
    /// # Errors
    /// There are fewer than two learners or splits, or the metric has no direction.
    pub(super) fn tests(&self) -> Result<ScenarioTests, String> {
        if !matches!(self.measure.metric.better, Better::Higher | Better::Lower) {
            return Err(format!("{} is neither better high nor low", self.measure));
        }
        let (mut names, mut cells, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
        for (learner, cell) in self.learners.iter().zip(self.cells) {
            match self.objection(learner, cell) {
                Some(reason) => left_out.push(LeftOut { learner: learner.learner.clone(), reason }),
                None => {
                    names.push(learner.learner.clone());
                    cells.push(cell.values(self.metric));
                }
            }
        }
        let folds = self.frame.units.iter().map(|unit| unit.name.clone()).collect();
        let table = FoldTable::new(names, folds, cells).map_err(|error| error.to_string())?;
        let table = match self.measure.metric.better {
            Better::Lower => table.lower_is_better(),
            _ => table,
        };
        let tests = test_folds(&table, self.measure.to_string(), None, self.level);
        let tests = tests.map_err(|error| error.to_string())?;
        let first = |subsets: &Vec<Vec<String>>| subsets.first().cloned().unwrap_or_default();
        let groups = [("duncan", &tests.duncan), ("tukey", &tests.tukey), ("nemenyi", &tests.nemenyi)];
        let mut top: Vec<TopGroup> =
            groups.map(|(test, groups)| TopGroup { test, learners: first(&groups.subsets) }).to_vec();
        if let Some(ratio) = self.frame.ratio() {
            let best = first(&tests.duncan.subsets).first().cloned();
            top.insert(2, corrected_top(&table, best.as_deref(), ratio, self.level));
        }
        let disagreement = disagreement(&top);
        Ok(ScenarioTests { scenario: self.scenario.to_owned(), tests, top, left_out, disagreement })
    }

    /// Why a learner takes no part in tests.
    fn objection(&self, learner: &StudyLearner, cell: &JudgedCell) -> Option<String> {
        if learner.trivial {
            return Some("it is there for comparison".to_owned());
        }
        cell.lack(self.metric)
    }
}

/// Whom the corrected t test, adjusted by Holm for the number of learners, cannot tell apart from the best.
fn corrected_top(table: &FoldTable, best: Option<&str>, ratio: TestToTrain, level: Level) -> TopGroup {
    let names = table.algorithms();
    let best = names.iter().position(|name| Some(name.as_str()) == best).unwrap_or(0);
    let others: Vec<usize> = (0..names.len()).filter(|&other| other != best).collect();
    let p = |&other: &usize| {
        Differences::between(table, best, other).map_or(1.0, |d| corrected_t(&d, ratio, level).p)
    };
    let adjusted = holm(&others.iter().map(p).collect::<Vec<f64>>()).unwrap_or_default();
    let level_with: Vec<usize> = others
        .into_iter()
        .zip(adjusted)
        .filter(|(_, p)| *p >= level.alpha())
        .map(|(other, _)| other)
        .collect();
    let learners = std::iter::once(best).chain(level_with).map(|idx| names[idx].clone()).collect();
    TopGroup { test: "corrected_t", learners }
}

/// Where tests see the top differently from Duncan's.
fn disagreement(top: &[TopGroup]) -> Option<String> {
    let (duncan, others) = top.split_first()?;
    let differs = |other: &&TopGroup| {
        other.learners.len() != duncan.learners.len()
            || !other.learners.iter().all(|learner| duncan.learners.contains(learner))
    };
    let told = |other: &TopGroup| {
        let more: Vec<&str> = missing(&other.learners, &duncan.learners);
        let fewer: Vec<&str> = missing(&duncan.learners, &other.learners);
        let words = [("also keeps", more), ("drops", fewer)];
        let words: Vec<String> = words
            .into_iter()
            .filter(|(_, names)| !names.is_empty())
            .map(|(verb, names)| format!("{verb} {}", names.join(", ")))
            .collect();
        format!("{} {}", test_name(other.test), words.join(" and "))
    };
    let told: Vec<String> = others.iter().filter(differs).map(told).collect();
    (!told.is_empty()).then(|| {
        let n = duncan.learners.len();
        format!("Duncan's test puts {n} at the top; {}.", told.join("; "))
    })
}

fn missing<'a>(of: &'a [String], from: &[String]) -> Vec<&'a str> {
    of.iter().filter(|name| !from.contains(name)).map(String::as_str).collect()
}

fn test_name(test: &str) -> &str {
    match test {
        "duncan" => "Duncan's",
        "tukey" => "Tukey's",
        "corrected_t" => "the corrected t test",
        "nemenyi" => "Nemenyi's",
        other => other,
    }
}

/// R, R^g, C and C^g of a metric over the scenarios; nothing where a scenario has no test.
pub(super) fn summary(
    metric: &str,
    learners: &[StudyLearner],
    scenarios: &[String],
    tests: &[ScenarioTests],
) -> Option<MetricSummary> {
    let place = |name: &String| learners.iter().position(|learner| learner.learner == *name);
    let top = |scenario: &String| {
        let of_both =
            tests.iter().find(|tests| tests.scenario == *scenario && tests.tests.metric == metric)?;
        Some(of_both.top.first()?.learners.iter().filter_map(place).collect::<Vec<usize>>())
    };
    let groups: Vec<Vec<usize>> = scenarios.iter().map(top).collect::<Option<_>>()?;
    let contender = |learner: &StudyLearner| Contender {
        name: learner.learner.clone(),
        family: learner.family.clone(),
        trivial: learner.trivial,
    };
    let found = summaries(&TopGroups::new(learners.iter().map(contender).collect(), groups).ok()?);
    let r = learners.iter().zip(found.r);
    let c = scenarios.iter().zip(found.c).zip(found.c_family);
    Some(MetricSummary {
        metric: metric.to_owned(),
        r: r.map(|(learner, ratio)| LearnerRatio { learner: learner.learner.clone(), ratio }).collect(),
        r_family: found.r_family.into_iter().map(|(family, ratio)| FamilyRatio { family, ratio }).collect(),
        c: c.map(|((scenario, learners), families)| ScenarioRatios {
            scenario: scenario.clone(),
            learners,
            families,
        })
        .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disagreements_name_who_is_kept_and_dropped() {
        let top = |test: &'static str, learners: &[&str]| TopGroup {
            test,
            learners: learners.iter().map(|name| (*name).to_owned()).collect(),
        };
        assert_eq!(disagreement(&[top("duncan", &["a", "b"]), top("tukey", &["b", "a"])]), None);
        let told = disagreement(&[
            top("duncan", &["a", "b"]),
            top("tukey", &["a", "b", "c"]),
            top("nemenyi", &["a", "d"]),
        ]);
        let expected =
            "Duncan's test puts 2 at the top; Tukey's also keeps c; Nemenyi's also keeps d and drops b.";
        assert_eq!(told.as_deref(), Some(expected));
    }
}
