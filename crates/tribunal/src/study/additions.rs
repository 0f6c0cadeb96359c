//! What larger sets of predictors add to smaller ones, paired across learners that met the same rows.

use tribunal_eval::metrics::Better;
use tribunal_eval::significance::{Differences, TestToTrain, corrected_t, paired_t};

use super::analysis::Findings;
use super::ground::ScenarioPlace;
use super::results::{Addition, FamilyGain, LearnerGain};

/// Every pair of sets of which one holds the other, for every target and every metric with a direction; each with the
/// place of its metric.
pub(super) fn additions(findings: &Findings<'_>) -> Vec<(usize, Addition)> {
    let sets = findings.ground.sets.len();
    let pairs: Vec<(usize, usize)> = (0..sets)
        .flat_map(|fewer| (0..sets).map(move |more| (fewer, more)))
        .filter(|&(fewer, more)| is_part(findings, fewer, more))
        .collect();
    let mut additions = Vec::new();
    for target in 0..findings.ground.targets.len() {
        for &(fewer, more) in &pairs {
            let of_metric = |metric: usize| {
                let addition = Pair { findings, target, fewer, more, metric }.addition()?;
                Some((metric, addition))
            };
            additions.extend((0..findings.measures.len()).filter_map(of_metric));
        }
    }
    additions
}

/// Whether a set has all columns of another, and more.
fn is_part(findings: &Findings<'_>, fewer: usize, more: usize) -> bool {
    let columns = |set: usize| findings.ground.sets[set].dataset.columns();
    let has = |name: &str| columns(more).iter().any(|column| column.name() == name);
    columns(fewer).len() < columns(more).len() && columns(fewer).iter().all(|column| has(column.name()))
}

/// Two sets of predictors by one metric.
struct Pair<'a> {
    findings: &'a Findings<'a>,
    target: usize,
    fewer: usize,
    more: usize,
    metric: usize,
}

impl Pair<'_> {
    /// What the larger set adds; nothing where fewer than two learners can be paired.
    fn addition(&self) -> Option<Addition> {
        let better = self.findings.measures[self.metric].metric.better;
        if !matches!(better, Better::Higher | Better::Lower) {
            return None;
        }
        let gains: Vec<(usize, LearnerGain)> = (0..self.findings.learners.len())
            .filter(|&learner| !self.findings.learners[learner].trivial)
            .filter_map(|learner| Some((learner, self.gain(learner, better)?)))
            .collect();
        let level = self.findings.request.level;
        let test =
            paired_t(&Differences::new(gains.iter().map(|(_, gain)| gain.gain).collect()).ok()?, level);
        let (ground, interval) = (self.findings.ground, test.effect.interval);
        Some(Addition {
            target: ground.targets[self.target].name().to_owned(),
            metric: self.findings.measures[self.metric].to_string(),
            fewer: ground.sets[self.fewer].name.clone(),
            more: ground.sets[self.more].name.clone(),
            gain: test.effect.difference,
            lower: interval.lower,
            upper: interval.upper,
            p: test.p,
            n: gains.len() as u64,
            better: gains.iter().filter(|(_, gain)| gain.gain > 0.0).count() as u64,
            families: self.families(&gains),
            learners: gains.into_iter().map(|(_, gain)| gain).collect(),
        })
    }

    /// What the larger set adds for one learner, split by split.
    fn gain(&self, learner: usize, better: Better) -> Option<LearnerGain> {
        let findings = self.findings;
        let values = |set: usize| {
            let scenario = findings.ground.number(ScenarioPlace { target: self.target, set });
            let values = findings.of_scenario(scenario)[learner].values(self.metric);
            values.into_iter().collect::<Option<Vec<f64>>>()
        };
        let (fewer, more) = (values(self.fewer)?, values(self.more)?);
        let gains = more.iter().zip(&fewer).map(|(more, fewer)| better.gain(*more) - better.gain(*fewer));
        let ratio: TestToTrain = findings.frames[0][self.target].ratio()?;
        let test = corrected_t(&Differences::new(gains.collect()).ok()?, ratio, findings.request.level);
        Some(LearnerGain {
            learner: findings.learners[learner].learner.clone(),
            gain: test.effect.difference,
            lower: test.effect.interval.lower,
            upper: test.effect.interval.upper,
            p: test.p,
        })
    }

    /// The mean gain of each family.
    fn families(&self, gains: &[(usize, LearnerGain)]) -> Vec<FamilyGain> {
        let family = |learner: usize| self.findings.learners[learner].family.as_str();
        let mut families: Vec<(&str, f64, usize)> = Vec::new();
        for (learner, gain) in gains {
            match families.iter_mut().find(|(known, ..)| *known == family(*learner)) {
                Some((_, sum, n)) => (*sum, *n) = (*sum + gain.gain, *n + 1),
                None => families.push((family(*learner), gain.gain, 1)),
            }
        }
        let mean = |(family, sum, n): (&str, f64, usize)| FamilyGain {
            family: family.to_owned(),
            gain: sum / n as f64,
        };
        families.into_iter().map(mean).collect()
    }
}
