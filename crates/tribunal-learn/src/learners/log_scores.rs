//! Log-probabilities of classes, added up factor by factor.

use crate::posteriors::Posteriors;
use crate::probability::Likely;

/// The log of prior and factors of each class, row by row; the classes of several models may stand side by side.
#[derive(Clone, Debug)]
pub(crate) struct LogScores {
    n_classes: usize,
    values: Vec<f64>,
}

/// The shares of classes that are drawn from their weights; alike where there is no weight at all.
pub(crate) fn shares(class_weights: &[f64]) -> Vec<f64> {
    let total: f64 = class_weights.iter().sum();
    let n_classes = class_weights.len() as f64;
    class_weights.iter().map(|weight| if total > 0.0 { weight / total } else { 1.0 / n_classes }).collect()
}

impl LogScores {
    /// Rows of which nothing is known but the prior.
    pub(crate) fn of_priors(priors: &[f64], n_rows: usize) -> Self {
        let logs: Vec<f64> = priors.iter().map(|prior| prior.ln()).collect();
        let values = std::iter::repeat_n(&logs[..], n_rows).flatten().copied().collect();
        LogScores { n_classes: priors.len(), values }
    }

    /// Adds a factor for each class to every row; none where there is no evidence.
    pub(crate) fn add<'a>(&mut self, factors: impl Iterator<Item = Option<&'a [f64]>>) {
        if self.n_classes == 2 {
            for (scores, factors) in self.values.as_chunks_mut::<2>().0.iter_mut().zip(factors) {
                if let Some(&[negative, positive]) = factors {
                    scores[0] += negative;
                    scores[1] += positive;
                }
            }
            return;
        }
        for (scores, factors) in self.values.chunks_exact_mut(self.n_classes.max(1)).zip(factors) {
            if let Some(factors) = factors {
                scores.iter_mut().zip(factors).for_each(|(score, factor)| *score += factor);
            }
        }
    }

    /// Adds to every row what a function adds to the scores of its classes.
    pub(crate) fn add_each(&mut self, mut add: impl FnMut(usize, &mut [f64])) {
        let rows = self.values.chunks_exact_mut(self.n_classes.max(1));
        rows.enumerate().for_each(|(row, scores)| add(row, scores));
    }

    /// The probabilities; those of the prior where every class is impossible.
    pub(crate) fn into_posteriors(mut self, priors: &[f64]) -> Posteriors {
        self.values.chunks_exact_mut(self.n_classes.max(1)).for_each(|row| normalise(row, priors));
        Posteriors::new(self.n_classes, self.values)
    }

    /// The probabilities of several models whose classes stand side by side in every row and have the same priors.
    pub(crate) fn into_members(mut self, priors: &[f64]) -> Vec<Posteriors> {
        let (n_classes, width) = (priors.len().max(1), self.n_classes.max(1));
        let n_rows = self.values.len() / width;
        let mut members = vec![Vec::with_capacity(n_rows * n_classes); width / n_classes];
        for row in self.values.chunks_exact_mut(width) {
            for (member, scores) in members.iter_mut().zip(row.chunks_exact_mut(n_classes)) {
                normalise(scores, priors);
                member.extend_from_slice(scores);
            }
        }
        members.into_iter().map(|values| Posteriors::new(n_classes, values)).collect()
    }
}

/// The log of what each class has, row by row, before all are made to add up to one: from the log-odds of the second of two
/// classes, or of each class against all others. A class that nothing was learned of has nothing.
pub(crate) fn against_others(
    n_rows: usize,
    learned: impl ExactSizeIterator<Item = Option<Vec<f64>>>,
) -> Vec<f64> {
    let (n_learned, n_classes) = (learned.len(), learned.len().max(2));
    // Of two classes the first has the log-odds zero.
    let unlearned = if n_learned == 1 { 0.0 } else { f64::NEG_INFINITY };
    let mut logs = vec![unlearned; n_rows * n_classes];
    for (idx, log_odds) in learned.enumerate() {
        let class = if n_learned == 1 { 1 } else { idx };
        let places = logs.iter_mut().skip(class).step_by(n_classes);
        for (log, log_odds) in places.zip(log_odds.into_iter().flatten()) {
            *log = if n_classes == 2 { log_odds } else { log_probability(log_odds) };
        }
    }
    logs
}

/// The log of the probability that log-odds stand for.
fn log_probability(log_odds: f64) -> f64 {
    log_odds.min(0.0) - (-log_odds.abs()).exp().ln_1p()
}

/// Turns the logs of one row into probabilities, so that the order of log-odds is kept ([`Likely`]).
pub(crate) fn normalise(logs: &mut [f64], priors: &[f64]) {
    if let [negative, positive] = logs {
        let odds = *positive - *negative;
        if !odds.is_nan() {
            let Likely { likely, unlikely } = Likely::of(odds.abs());
            (*positive, *negative) = if odds >= 0.0 { (likely, unlikely) } else { (unlikely, likely) };
            return;
        }
    }
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        logs.copy_from_slice(priors);
        return;
    }
    let total: f64 = logs.iter().map(|log| (log - most).exp()).sum();
    let top = logs.iter().position(|&log| log == most).unwrap_or(0);
    let lead = lead(logs, top);
    for (class, log) in logs.iter_mut().enumerate() {
        let share = (*log - most).exp() / total;
        *log = match class == top {
            true if share > Likely::MOST_EXACT => Likely::of(lead).likely,
            false if share < LEAST_EXACT => Likely::of(most - *log + total.ln()).unlikely,
            _ => share,
        };
    }
}

/// Shares that are smaller lose digits, and then their order.
const LEAST_EXACT: f64 = 1e-300;

/// The log-odds of a class against all others together.
fn lead(logs: &[f64], class: usize) -> f64 {
    let others = || logs.iter().enumerate().filter(|(other, _)| *other != class).map(|(_, &log)| log);
    let second = others().fold(f64::NEG_INFINITY, f64::max);
    if second == f64::NEG_INFINITY {
        return f64::INFINITY;
    }
    logs[class] - second - others().map(|log| (log - second).exp()).sum::<f64>().ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The odds of large logs have few digits left behind the point.
    fn check(logs: &[f64], priors: &[f64], expected: &[f64]) {
        let mut found = logs.to_vec();
        normalise(&mut found, priors);
        let distance = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(distance < 1e-12, "{found:?}");
    }

    #[test]
    fn logs_become_probabilities() {
        let impossible = f64::NEG_INFINITY;
        check(&[0.25_f64.ln(), 0.75_f64.ln()], &[0.5, 0.5], &[0.25, 0.75]);
        check(&[-1e4, -1e4 + 3_f64.ln()], &[0.5, 0.5], &[0.25, 0.75]);
        check(&[impossible, -3.0], &[0.5, 0.5], &[0.0, 1.0]);
        check(&[impossible, impossible], &[0.9, 0.1], &[0.9, 0.1]);
        check(&[-900.0, -900.0, impossible], &[0.2, 0.3, 0.5], &[0.5, 0.5, 0.0]);
        check(&[impossible; 3], &[0.2, 0.3, 0.5], &[0.2, 0.3, 0.5]);
    }

    /// Log-odds of a class against the two others, in steps through all that doubles cannot tell apart.
    #[test]
    fn the_order_of_sure_rows_survives_for_three_classes() {
        let row = |lead: f64| {
            let mut logs = [lead, 0.0, -1.5];
            normalise(&mut logs, &[1.0 / 3.0; 3]);
            logs
        };
        let rows: Vec<[f64; 3]> = (-4000..=4000).map(|step| row(f64::from(step) * 0.5)).collect();
        for (pair, step) in rows.windows(2).zip(-4000..) {
            let [before, after] = pair else { continue };
            assert!(before[0] < after[0] && before[1] >= after[1] && before[2] >= after[2], "{pair:?}");
            // Far below, the first class has no share that the others could notice.
            assert!(step < 0 || (before[1] > after[1] && before[2] > after[2]), "{pair:?}");
        }
        for shares in rows {
            let total: f64 = shares.iter().sum();
            assert!(shares.iter().all(|share| *share > 0.0 && *share < 1.0), "{shares:?}");
            assert!((total - 1.0).abs() < 1e-8, "{shares:?}");
        }
    }
}
