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
use crate::test_name::Test;

/// The tests of a scenario by one metric, with the best groups by the places of their learners.
pub(super) struct FieldTests {
    pub(super) results: ScenarioTests,
    /// The group of each test, Duncan's first.
    pub(super) top: Vec<Top>,
}

/// The learners that a test cannot tell apart from the best, by their places, the best first.
pub(super) struct Top {
    pub(super) test: Test,
    pub(super) learners: Vec<usize>,
}

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
    pub(super) fn tests(&self) -> Result<FieldTests, String> {
        if !matches!(self.measure.metric.better, Better::Higher | Better::Lower) {
            return Err(format!("{} is neither better high nor low", self.measure));
        }
        let (mut places, mut names, mut cells) = (Vec::new(), Vec::new(), Vec::new());
        let mut left_out = Vec::new();
        for (place, (learner, cell)) in self.learners.iter().zip(self.cells).enumerate() {
            match self.objection(learner, cell) {
                Some(reason) => left_out.push(LeftOut { learner: learner.learner.clone(), reason }),
                None => {
                    places.push(place);
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
        let (tests, members) = tests.map_err(|error| error.to_string())?;
        let corrected = self.frame.ratio().zip(members.duncan.first());
        let corrected = corrected.map(|(ratio, &best)| corrected_top(&table, best, ratio, self.level));
        let groups = [
            (Test::Duncan, Some(members.duncan)),
            (Test::Tukey, Some(members.tukey)),
            (Test::CorrectedT, corrected),
            (Test::Nemenyi, Some(members.nemenyi)),
        ];
        let top = |(test, members): (Test, Option<Vec<usize>>)| {
            Some(Top { test, learners: members?.into_iter().map(|member| places[member]).collect() })
        };
        let top: Vec<Top> = groups.into_iter().filter_map(top).collect();
        let results = ScenarioTests {
            scenario: self.scenario.to_owned(),
            tests,
            top: top.iter().map(|top| self.named(top)).collect(),
            left_out,
            disagreement: self.disagreement(&top),
        };
        Ok(FieldTests { results, top })
    }

    fn name(&self, learner: usize) -> &str {
        &self.learners[learner].learner
    }

    fn named(&self, top: &Top) -> TopGroup {
        let learners = top.learners.iter().map(|&learner| self.name(learner).to_owned()).collect();
        TopGroup { test: top.test, learners }
    }

    /// Where tests see the top differently from Duncan's.
    fn disagreement(&self, top: &[Top]) -> Option<String> {
        disagreement(top, |learner| self.name(learner))
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
fn corrected_top(table: &FoldTable, best: usize, ratio: TestToTrain, level: Level) -> Vec<usize> {
    let others: Vec<usize> = (0..table.algorithms().len()).filter(|&other| other != best).collect();
    let p = |&other: &usize| {
        Differences::between(table, best, other).map_or(1.0, |d| corrected_t(&d, ratio, level).p)
    };
    let adjusted = holm(&others.iter().map(p).collect::<Vec<f64>>()).unwrap_or_default();
    let level_with = others.into_iter().zip(adjusted).filter(|(_, p)| *p >= level.alpha());
    std::iter::once(best).chain(level_with.map(|(other, _)| other)).collect()
}

fn disagreement<'a>(top: &[Top], name: impl Fn(usize) -> &'a str) -> Option<String> {
    let (duncan, others) = top.split_first()?;
    let differs = |other: &&Top| {
        other.learners.len() != duncan.learners.len()
            || !other.learners.iter().all(|learner| duncan.learners.contains(learner))
    };
    let missing = |of: &[usize], from: &[usize]| -> Vec<&'a str> {
        of.iter().filter(|learner| !from.contains(learner)).map(|&learner| name(learner)).collect()
    };
    let told = |other: &Top| {
        let more = missing(&other.learners, &duncan.learners);
        let fewer = missing(&duncan.learners, &other.learners);
        let words = [("also keeps", more), ("drops", fewer)];
        let words: Vec<String> = words
            .into_iter()
            .filter(|(_, names)| !names.is_empty())
            .map(|(verb, names)| format!("{verb} {}", names.join(", ")))
            .collect();
        format!("{} {}", other.test.in_words(), words.join(" and "))
    };
    let told: Vec<String> = others.iter().filter(differs).map(told).collect();
    (!told.is_empty()).then(|| {
        let n = duncan.learners.len();
        format!("Duncan's test puts {n} at the top; {}.", told.join("; "))
    })
}

/// R, R^g, C and C^g of a metric over the scenarios, from the tests of each; nothing where a scenario has none.
pub(super) fn summary<'t>(
    measure: Measure,
    learners: &[StudyLearner],
    scenarios: &[String],
    tests: impl Iterator<Item = Option<&'t FieldTests>>,
) -> Option<MetricSummary> {
    let top = |tests: Option<&FieldTests>| Some(tests?.top.first()?.learners.clone());
    let groups: Vec<Vec<usize>> = tests.map(top).collect::<Option<_>>()?;
    let contender = |learner: &StudyLearner| Contender {
        name: learner.learner.clone(),
        family: learner.family.clone(),
        trivial: learner.trivial,
    };
    let found = summaries(&TopGroups::new(learners.iter().map(contender).collect(), groups).ok()?);
    let r = learners.iter().zip(found.r);
    let c = scenarios.iter().zip(found.c).zip(found.c_family);
    Some(MetricSummary {
        metric: measure.to_string(),
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
        let disagreement = |top: &[(Test, &[usize])]| {
            let top = top.iter().map(|&(test, learners)| Top { test, learners: learners.to_vec() });
            disagreement(&top.collect::<Vec<_>>(), |learner| ["a", "b", "c", "d"][learner])
        };
        assert_eq!(disagreement(&[(Test::Duncan, &[0, 1]), (Test::Tukey, &[1, 0])]), None);
        let told =
            disagreement(&[(Test::Duncan, &[0, 1]), (Test::Tukey, &[0, 1, 2]), (Test::Nemenyi, &[0, 3])]);
        let expected =
            "Duncan's test puts 2 at the top; Tukey's also keeps c; Nemenyi's also keeps d and drops b.";
        assert_eq!(told.as_deref(), Some(expected));
    }
}
