//! Which kinds of sample-selection bias the evidence contradicts, and what it cannot tell.
//!
//! Without labels of the population only complete independence can be contradicted: features that differ are what feature, class and
//! complete dependent bias alike bring about. That class shares are equal proves nothing. Fan and Davidson (2006) conclude from it that
//! only feature bias is left, but put P(y | x) in the place of P(y | x, s = 1) on the way, which is what they set out to show. So it
//! is a finding, never a reason.

use super::EstimatedPriors;
use super::labelled::LabelledEvidence;
use super::results::{
    BiasEvidence, BiasFinding, BiasKindStanding, BiasStanding, ClassShareShift, SelectionBias, Sides,
};
use crate::error::Error;
use tribunal_learn::Target;

/// What is known about features: p values that were adjusted for how many tests there are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FeatureTests {
    pub(super) p_domain: Option<f64>,
    pub(super) p_columns: Option<f64>,
}

impl FeatureTests {
    fn finding(self, alpha: f64) -> BiasFinding {
        // One of two kinds of tests rejects: each is adjusted for both.
        let doubled = |p: f64| (2.0 * p).min(1.0);
        let (p_domain, p_columns) = (self.p_domain.map(doubled), self.p_columns.map(doubled));
        match p_domain.into_iter().chain(p_columns).reduce(f64::min) {
            None => BiasFinding::FeaturesNotTested,
            Some(p) if p < alpha => BiasFinding::FeaturesDiffer { p_domain, p_columns },
            Some(_) => BiasFinding::FeaturesNotShownToDiffer,
        }
    }
}

/// Puts together what features, estimated priors and a labelled sample say.
pub(super) fn bias_evidence(
    features: FeatureTests,
    priors: Option<(&Target, &EstimatedPriors)>,
    labelled: Option<LabelledEvidence>,
    alpha: f64,
) -> Result<BiasEvidence, Error> {
    let mut findings = vec![features.finding(alpha)];
    let features_differ = matches!(findings[0], BiasFinding::FeaturesDiffer { .. });
    let mut classes = Vec::new();
    if let Some((target, priors)) = priors {
        classes = estimated_shares(target, priors)?;
        findings.push(estimated_finding(&classes));
    }
    let labelled = match labelled {
        Some(labelled) => labelled,
        None => {
            findings.push(BiasFinding::NoLabelsOfPopulation);
            LabelledEvidence::default()
        }
    };
    findings.extend(labelled.findings);
    if !labelled.classes.is_empty() {
        classes = labelled.classes;
    }
    let (given_score, within_class) =
        (labelled.class_given_score_differs, labelled.scores_within_class_differ);
    let any = features_differ || labelled.shares_differ || given_score || within_class;
    let standing = |kind, is_contradicted| BiasKindStanding {
        kind,
        standing: if is_contradicted { BiasStanding::Contradicted } else { BiasStanding::Possible },
    };
    let kinds = vec![
        standing(SelectionBias::CompleteIndependent, any),
        standing(SelectionBias::Feature, given_score),
        standing(SelectionBias::Class, within_class),
        standing(SelectionBias::CompleteDependent, false),
    ];
    Ok(BiasEvidence { kinds, findings, classes })
}

fn estimated_shares(target: &Target, priors: &EstimatedPriors) -> Result<Vec<ClassShareShift>, Error> {
    let n_classes = target.classes().len();
    let has_intervals = priors.intervals.as_ref().is_none_or(|intervals| intervals.len() == n_classes);
    if priors.shares.len() != n_classes || !has_intervals {
        return Err(Error::usage(format!(
            "shares of {} classes are estimated, and the target \"{}\" has {n_classes}",
            priors.shares.len(),
            target.name()
        )));
    }
    let total = target.codes().len().max(1) as f64;
    let training: Vec<f64> = target.counts().into_iter().map(|n| n as f64 / total).collect();
    let shift = |(class, name): (usize, &String)| {
        let end = |of: fn(&[f64; 2]) -> f64| {
            priors.intervals.as_ref().map(|intervals| of(&intervals[class]) - training[class])
        };
        ClassShareShift {
            class: name.clone(),
            share: Sides { training: training[class], population: priors.shares[class] },
            lower: end(|ends| ends[0]),
            upper: end(|ends| ends[1]),
        }
    };
    Ok(target.classes().iter().enumerate().map(shift).collect())
}

fn estimated_finding(classes: &[ClassShareShift]) -> BiasFinding {
    let ends: Option<Vec<(f64, f64)>> = classes.iter().map(|class| class.lower.zip(class.upper)).collect();
    match ends {
        None => BiasFinding::EstimatedSharesWithoutIntervals,
        Some(ends) if ends.iter().any(|&(lower, upper)| lower > 0.0 || upper < 0.0) => {
            BiasFinding::EstimatedSharesDiffer
        }
        Some(_) => BiasFinding::EstimatedSharesNotShownToDiffer,
    }
}
