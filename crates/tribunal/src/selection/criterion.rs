//! What learners are compared by: accuracy, AUROC, or the benefit of acting on cases that are worth different amounts.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tribunal_eval::{Ranking, ScoredSet};
use tribunal_learn::{Output, Posteriors, Target};

use crate::error::Error;

/// What learners are compared by.
///
/// ```
/// use tribunal::selection::SelectionMetric;
///
/// assert_eq!("auroc".parse::<SelectionMetric>()?, SelectionMetric::Auroc);
/// assert!("acuracy".parse::<SelectionMetric>().unwrap_err().to_string().contains("pcc"));
/// # Ok::<(), tribunal::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SelectionMetric {
    /// The share of rows whose class is predicted correctly.
    #[default]
    Pcc,
    /// The area under the ROC curve; with more than two classes the mean over the classes, each against all others.
    Auroc,
    /// The mean benefit a row of acting where it is expected to pay.
    Benefit,
}

impl SelectionMetric {
    /// Every metric.
    pub const ALL: [Self; 3] = [Self::Pcc, Self::Auroc, Self::Benefit];
}

impl fmt::Display for SelectionMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pcc => "pcc",
            Self::Auroc => "auroc",
            Self::Benefit => "benefit",
        })
    }
}

impl FromStr for SelectionMetric {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|metric| metric.to_string() == text.trim()).ok_or_else(|| {
            Error::usage(format!(
                "learners are not selected by \"{text}\"; choose pcc (accuracy), auroc or benefit"
            ))
        })
    }
}

/// How the decisions of a learner become labels of reverse models where benefits count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ReverseLabels {
    /// A row is labelled by the decision to act on it, and reverse models act from a probability of one half on: costs are in the
    /// labels already.
    #[default]
    Hard,
    /// A row enters with both labels, weighted by their probabilities, and reverse models act where it is expected to pay.
    Soft,
}

impl fmt::Display for ReverseLabels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hard => "hard",
            Self::Soft => "soft",
        })
    }
}

impl FromStr for ReverseLabels {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text.trim() {
            "hard" => Ok(Self::Hard),
            "soft" => Ok(Self::Soft),
            other => {
                let near = tribunal_io::nearest(other, ["hard", "soft"].into_iter());
                let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
                Err(Error::usage(format!(
                    "\"{other}\" says not how decisions become labels: write hard or soft{near}"
                )))
            }
        }
    }
}

/// What acting on each row is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct ActingBenefits {
    /// What acting costs.
    pub cost: f64,
    /// What a row is believed to be worth if it is positive: the predicted donation, or the known amount of a transaction.
    pub believed: Vec<f64>,
    /// What acting on a row brings in: the actual amount of a positive, nothing of a negative. Empty where it is not known.
    pub actual: Vec<f64>,
}

impl ActingBenefits {
    /// Whether acting on a row of such a probability is expected to pay: strictly more than it costs.
    pub fn acts(&self, row: usize, probability: f64) -> bool {
        probability * self.believed[row] > self.cost
    }

    /// The least and the greatest mean benefit a row of acting on some of the rows, whoever of them is positive: the cost of all of
    /// them at worst. At best every one of them is positive, which has an end where amounts are known beforehand only.
    pub(super) fn possible(
        &self,
        acts: impl Fn(usize) -> bool,
        weights: Option<&[f64]>,
        amounts_are_known: bool,
    ) -> (f64, f64) {
        let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
        let rows = 0..self.believed.len();
        let total: f64 = rows.clone().map(weight).sum();
        let acted = || rows.clone().filter(|&row| acts(row));
        let worth = |row: usize| if amounts_are_known { self.believed[row] } else { f64::INFINITY };
        let least: f64 = acted().map(|row| weight(row) * (worth(row).min(0.0) - self.cost)).sum();
        // Nothing times infinity is nothing here.
        let counts = acted().filter(|&row| weight(row) > 0.0);
        let most: f64 = counts.map(|row| weight(row) * (worth(row).max(0.0) - self.cost)).sum();
        if total > 0.0 { (least / total, most / total) } else { (f64::NEG_INFINITY, f64::INFINITY) }
    }

    /// What acting on a row turned out to bring in.
    fn realised(&self, row: usize) -> f64 {
        self.actual[row] - self.cost
    }
}

/// The labelled rows by which a criterion judges what a model says of them.
#[derive(Clone, Copy, Debug)]
pub struct LabelledRows<'a> {
    /// Their classes.
    pub target: &'a Target,
    /// Their weights, where they have any.
    pub weights: Option<&'a [f64]>,
    /// What acting on them is worth, where benefits count.
    pub benefits: Option<&'a ActingBenefits>,
}

/// How a model's decisions are read where benefits count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acting {
    /// Where it is expected to pay.
    WherePays,
    /// From a probability of one half on, or a margin of zero.
    AtOneHalf,
}

impl LabelledRows<'_> {
    fn weight(&self, row: usize) -> f64 {
        self.weights.map_or(1.0, |weights| weights[row])
    }

    /// The weight of all rows.
    pub fn total_weight(&self) -> f64 {
        (0..self.target.codes().len()).map(|row| self.weight(row)).sum()
    }

    /// The weight of the rows whose class is predicted correctly.
    pub fn correct(&self, predicted: impl Iterator<Item = usize>) -> f64 {
        let truth = self.target.codes().iter().enumerate();
        truth
            .zip(predicted)
            .filter(|((_, truth), found)| **truth as usize == *found)
            .map(|((row, _), _)| self.weight(row))
            .sum()
    }

    /// The area under the ROC curve; with more than two classes the mean over those that have rows, each against all others.
    pub fn auroc(&self, posteriors: &Posteriors) -> Option<f64> {
        let n_classes = self.target.classes().len();
        let classes = if n_classes == 2 { 1..2 } else { 0..n_classes };
        let areas: Vec<f64> = classes.filter_map(|class| self.auroc_of(posteriors, class)).collect();
        (!areas.is_empty()).then(|| areas.iter().sum::<f64>() / areas.len() as f64)
    }

    fn auroc_of(&self, posteriors: &Posteriors, class: usize) -> Option<f64> {
        let truth: Vec<bool> = self.target.codes().iter().map(|&code| code as usize == class).collect();
        let scores: Vec<f64> = posteriors.of_class(class).collect();
        let set = ScoredSet::new(&truth, &scores).ok()?;
        let set = match self.weights {
            Some(weights) => set.with_weight(weights).ok()?,
            None => set,
        };
        tribunal_eval::metrics::auroc(&Ranking::of(&set).ok()?).ok()
    }

    /// The total benefit of acting by what a model says; nothing where benefits do not count, or where it gives margins and acting
    /// goes by probabilities.
    pub fn benefit(&self, posteriors: &Posteriors, acting: Acting) -> Option<f64> {
        let benefits = self.benefits?;
        let gives_margins = posteriors.output() == Output::Margins;
        if gives_margins && acting == Acting::WherePays {
            return None;
        }
        let middle = if gives_margins { 0.0 } else { 0.5 };
        let acts = |row: usize, score: f64| match acting {
            Acting::WherePays => benefits.acts(row, score),
            Acting::AtOneHalf => score >= middle,
        };
        let rows = posteriors.of_class(1).enumerate();
        Some(
            rows.filter(|&(row, p)| acts(row, p))
                .map(|(row, _)| self.weight(row) * benefits.realised(row))
                .sum(),
        )
    }

    /// The mean benefit a row of acting on everybody, where benefits count.
    pub fn benefit_of_everybody(&self) -> Option<f64> {
        let benefits = self.benefits?;
        let total: f64 =
            (0..benefits.actual.len()).map(|row| self.weight(row) * benefits.realised(row)).sum();
        Some(total / self.total_weight())
    }

    /// How well what a model says of the rows does: the share of correct rows, the AUROC, or the mean benefit a row.
    pub fn performance(&self, metric: SelectionMetric, posteriors: &Posteriors) -> Option<f64> {
        match metric {
            SelectionMetric::Pcc => Some(self.correct(posteriors.predicted()) / self.total_weight()),
            SelectionMetric::Auroc => self.auroc(posteriors),
            SelectionMetric::Benefit => {
                Some(self.benefit(posteriors, Acting::WherePays)? / self.total_weight())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(target: &Target) -> LabelledRows<'_> {
        LabelledRows { target, weights: None, benefits: None }
    }

    #[test]
    fn golden_donation_and_fraud_rules() {
        let check = |p: &[f64], believed: &[f64], actual: &[f64], cost: f64, benefit: f64| {
            let codes = actual.iter().map(|amount| u32::from(*amount > 0.0)).collect();
            let target = Target::new("y", ["no", "yes"], codes).expect("a target");
            let benefits = ActingBenefits { cost, believed: believed.to_vec(), actual: actual.to_vec() };
            let values = p.iter().flat_map(|p| [1.0 - p, *p]).collect();
            let posteriors = Posteriors::from_values(2, values).expect("posteriors");
            let found = LabelledRows { benefits: Some(&benefits), ..rows(&target) };
            let found = found.benefit(&posteriors, Acting::WherePays).expect("a benefit");
            assert!((found - benefit).abs() < 1e-9, "{found} {benefit}");
        };
        check(
            &[0.05, 0.08, 0.03, 0.10, 0.02],
            &[15.0, 8.0, 25.0, 6.0, 40.0],
            &[20.0, 0.0, 30.0, 0.0, 0.0],
            0.68,
            47.96,
        );
        let amounts = [400.0, 2500.0, 80.0, 180.0, 6000.0];
        check(&[0.30, 0.05, 0.90, 0.50, 0.02], &amounts, &[400.0, 0.0, 80.0, 0.0, 6000.0], 90.0, 6130.0);
    }

    /// A letter of .68 to two of four people: at worst nobody gives, and nobody knows how much they could give; of known amounts the
    /// best is known too.
    #[test]
    fn no_policy_loses_more_than_its_costs() {
        let benefits = ActingBenefits { cost: 0.68, believed: vec![10.0, 2.0, 0.1, 5.0], actual: Vec::new() };
        let acts = |row: usize| row < 2;
        assert_eq!(benefits.possible(acts, None, false), (-0.34, f64::INFINITY));
        let (least, most) = benefits.possible(acts, Some(&[1.0, 3.0, 0.0, 0.0]), true);
        assert!((least + 0.68).abs() < 1e-12 && (most - (10.0 + 3.0 * 2.0 - 4.0 * 0.68) / 4.0).abs() < 1e-12);
        assert_eq!(benefits.possible(|_| false, None, false), (0.0, 0.0));
    }

    #[test]
    fn weights_count_as_copies() {
        let target = |codes: Vec<u32>| Target::new("y", ["a", "b", "c"], codes).expect("a target");
        let of = |rows: &[[f64; 3]]| Posteriors::from_values(3, rows.concat()).expect("posteriors");
        let (one, two, three) = ([0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3]);
        let (short, long) = (target(vec![0, 1, 2]), target(vec![0, 1, 1, 2]));
        let weights = [1.0, 2.0, 1.0];
        let weighted = LabelledRows { weights: Some(&weights), ..rows(&short) };
        for metric in [SelectionMetric::Pcc, SelectionMetric::Auroc] {
            let by_weight = weighted.performance(metric, &of(&[one, two, three])).expect("a figure");
            let by_copies = rows(&long).performance(metric, &of(&[one, two, two, three])).expect("a figure");
            assert!((by_weight - by_copies).abs() < 1e-12, "{metric}");
        }
    }
}
