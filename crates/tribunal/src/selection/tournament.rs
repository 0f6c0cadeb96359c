//! The arithmetic of ReverseTesting: duels of learners by their reverse models, and the orders that follow.
//!
//! **Definition** `evidence[learner][labeller]` is how well the model that `learner` trained on the population labelled by
//! `labeller` does on the labelled training rows: a count of correct rows, an AUROC or a total benefit. Of two learners a and
//! b the second wins where both of them, as learners of reverse models, do better with the labels of b; the first wins where both do
//! better with the labels of a; otherwise the two are hard to distinguish, `??`. The linear order goes by the Copeland score (wins and
//! half of the undecided duels), then by the wins inside a group of equal scores, then by the margin, then by the position in the list.
//!
//! **Reference** Fan and Davidson 2006, "ReverseTesting: An Efficient Framework to Select Amongst Classifiers under Sample Selection
//! Bias", Figure 3 and Conditions 4.1 to 4.3. The paper swaps the two indices between its text and its Figure 3; both readings give
//! this rule. It prints linear orders without a rule for them: that of the Copeland score is ours.

use crate::error::Error;

/// Of a difference of real-valued evidence so much is rounding.
const ROUNDING: f64 = 1e-9;

/// How well each reverse model does on the labelled training rows.
///
/// ```
/// use tribunal::selection::{Duel, ReverseEvidence};
///
/// let evidence = ReverseEvidence::of_counts(vec![vec![12, 9], vec![12, 10]])?;
/// assert_eq!(evidence.duel(0, 1), Duel::First);
/// # Ok::<(), tribunal::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ReverseEvidence {
    /// Learner by learner, each with one value a labeller; nothing where a model could not be made.
    values: Vec<Vec<Option<f64>>>,
}

/// What came of the duel of two learners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duel {
    /// The first is better.
    First,
    /// The second is better.
    Second,
    /// They are hard to distinguish.
    Undecided,
}

impl ReverseEvidence {
    /// Numbers of training rows that each reverse model classifies correctly.
    ///
    /// # Errors
    /// The table is not square.
    pub fn of_counts(counts: Vec<Vec<u64>>) -> Result<Self, Error> {
        let values = |row: Vec<u64>| row.into_iter().map(|count| Some(count as f64)).collect();
        Self::new(counts.into_iter().map(values).collect())
    }

    /// Correct rows, AUROC or benefit of each reverse model; nothing where there is none.
    ///
    /// # Errors
    /// The table is not square, or holds a number that is not finite.
    pub fn new(values: Vec<Vec<Option<f64>>>) -> Result<Self, Error> {
        if values.iter().any(|row| row.len() != values.len()) {
            return Err(Error::data("reverse evidence needs one value for each learner and each labeller"));
        }
        match values.iter().flatten().flatten().find(|value| !value.is_finite()) {
            Some(value) => Err(Error::data(format!("reverse evidence of {value} decides nothing"))),
            None => Ok(Self { values }),
        }
    }

    /// How many learners there are.
    pub fn n_learners(&self) -> usize {
        self.values.len()
    }

    /// How well the reverse model of a learner does that was trained on the labels of another; nothing where there is none.
    pub fn value(&self, learner: usize, labeller: usize) -> Option<f64> {
        self.values[learner][labeller]
    }

    /// How much better a learner's reverse model does with the labels of one labeller than with those of another; exactly zero where
    /// rounding may have made the difference.
    fn preference(&self, learner: usize, one: usize, other: usize) -> Option<f64> {
        let (one, other) = (self.value(learner, one)?, self.value(learner, other)?);
        let is_rounding = (one - other).abs() <= ROUNDING * one.abs().max(other.abs()).max(1.0);
        Some(if is_rounding { 0.0 } else { one - other })
    }

    /// The duel of two learners. One without evidence is hard to distinguish from any other.
    pub fn duel(&self, a: usize, b: usize) -> Duel {
        match (self.preference(a, a, b), self.preference(b, a, b)) {
            (Some(by_a), Some(by_b)) if by_a > 0.0 && by_b > 0.0 => Duel::First,
            (Some(by_a), Some(by_b)) if by_a < 0.0 && by_b < 0.0 => Duel::Second,
            _ => Duel::Undecided,
        }
    }

    /// By how much a learner is preferred to all others: the sum of what both sides of its duels gain with its labels.
    fn margin(&self, learner: usize) -> f64 {
        let others = (0..self.n_learners()).filter(|&other| other != learner);
        let gain = |other: usize| {
            let own = self.preference(learner, learner, other).unwrap_or_default();
            own + self.preference(other, learner, other).unwrap_or_default()
        };
        others.map(gain).sum()
    }
}

/// Every duel of some learners, and the orders that follow.
#[derive(Clone, Debug, PartialEq)]
pub struct Tournament {
    /// Duel by duel, the first of a pair named before the second.
    pub duels: Vec<(usize, usize, Duel)>,
    /// Wins and half of the undecided duels of each learner.
    pub copeland: Vec<f64>,
    /// What both sides of its duels gain with the labels of each learner, all duels together.
    pub margin: Vec<f64>,
    /// From the best to the worst.
    pub order: Vec<Ranked>,
    /// Groups of learners that beat each other in a circle, each ascending.
    pub cycles: Vec<Vec<usize>>,
    /// Who beats whom without anybody between them: the transitive reduction of the decided duels. Of a cycle all members stand
    /// above whomever one of them beats outside.
    pub beats: Vec<(usize, usize)>,
}

/// A learner in the linear order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// Which.
    pub learner: usize,
    /// Whether it is hard to distinguish from the one before it.
    pub is_tied_with_previous: bool,
}

impl Tournament {
    /// The tournament that evidence decides.
    pub fn of(evidence: &ReverseEvidence) -> Self {
        let n = evidence.n_learners();
        let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
        let duels: Vec<(usize, usize, Duel)> = pairs.map(|(a, b)| (a, b, evidence.duel(a, b))).collect();
        let mut wins = vec![vec![false; n]; n];
        for &(a, b, duel) in &duels {
            wins[a][b] = duel == Duel::First;
            wins[b][a] = duel == Duel::Second;
        }
        let points = |one: usize, other: usize| match (wins[one][other], wins[other][one]) {
            (true, _) => 1.0,
            (false, true) => 0.0,
            (false, false) => 0.5,
        };
        let copeland: Vec<f64> = (0..n)
            .map(|one| (0..n).filter(|&other| other != one).map(|other| points(one, other)).sum())
            .collect();
        let margin: Vec<f64> = (0..n).map(|learner| evidence.margin(learner)).collect();
        let order = linear_order(&wins, &copeland, &margin);
        let reach = reachable(&wins);
        let (cycles, beats) = (cycles(&reach), reduction(&wins, &reach));
        Self { duels, copeland, margin, order, cycles, beats }
    }

    /// The place of each learner in the linear order, the best having place 1.
    pub fn ranks(&self) -> Vec<usize> {
        let mut ranks = vec![0; self.order.len()];
        self.order.iter().zip(1..).for_each(|(ranked, rank)| ranks[ranked.learner] = rank);
        ranks
    }
}

/// By Copeland score, wins among those of the same score, margin and position.
fn linear_order(wins: &[Vec<bool>], copeland: &[f64], margin: &[f64]) -> Vec<Ranked> {
    let n = copeland.len();
    let wins_among_equals = |learner: usize| {
        (0..n).filter(|&other| copeland[other] == copeland[learner] && wins[learner][other]).count()
    };
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| {
        let by_score = copeland[b].total_cmp(&copeland[a]);
        let by_wins = || wins_among_equals(b).cmp(&wins_among_equals(a));
        by_score.then_with(by_wins).then_with(|| margin[b].total_cmp(&margin[a])).then(a.cmp(&b))
    });
    let is_tied = |place: usize| {
        let (previous, learner) = (order[place - 1], order[place]);
        !wins[previous][learner] && !wins[learner][previous]
    };
    let ranked =
        |place: usize| Ranked { learner: order[place], is_tied_with_previous: place > 0 && is_tied(place) };
    (0..n).map(ranked).collect()
}

/// Whom each learner beats, directly or by way of others (Warshall's algorithm).
fn reachable(wins: &[Vec<bool>]) -> Vec<Vec<bool>> {
    let n = wins.len();
    let mut reach = wins.to_vec();
    for through in 0..n {
        for from in 0..n {
            if reach[from][through] {
                (0..n).for_each(|to| reach[from][to] |= reach[through][to]);
            }
        }
    }
    reach
}

/// Strongly connected components of more than one learner.
fn cycles(reach: &[Vec<bool>]) -> Vec<Vec<usize>> {
    let n = reach.len();
    let of = |one: usize| (0..n).filter(|&other| reach[one][other] && reach[other][one]).collect::<Vec<_>>();
    let firsts = (0..n).filter(|&one| of(one).first() == Some(&one));
    firsts.map(of).collect()
}

/// Decided duels without those that follow from others. Members of a cycle are one learner here.
fn reduction(wins: &[Vec<bool>], reach: &[Vec<bool>]) -> Vec<(usize, usize)> {
    let n = wins.len();
    let is_same = |a: usize, b: usize| a == b || (reach[a][b] && reach[b][a]);
    let beats = |a: usize, b: usize| !is_same(a, b) && reach[a][b];
    let is_direct =
        |a: usize, b: usize| wins[a][b] && beats(a, b) && !(0..n).any(|c| beats(a, c) && beats(c, b));
    let pairs = (0..n).flat_map(|a| (0..n).map(move |b| (a, b)));
    pairs.filter(|&(a, b)| is_direct(a, b)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of_shares(rows: &[[f64; 4]]) -> Tournament {
        let values = rows.iter().map(|row| row.iter().copied().map(Some).collect()).collect();
        Tournament::of(&ReverseEvidence::new(values).expect("square"))
    }

    const GOLDEN: [[f64; 4]; 4] = [
        [0.90, 0.84, 0.87, 0.89],
        [0.86, 0.85, 0.83, 0.88],
        [0.88, 0.82, 0.89, 0.90],
        [0.91, 0.80, 0.86, 0.92],
    ];

    #[test]
    fn golden_tournament_of_four() {
        let found = of_shares(&GOLDEN);
        let (dt, nb, lr, svm) = (0, 1, 2, 3);
        use Duel::{First, Second, Undecided};
        assert_eq!(
            found.duels,
            [
                (dt, nb, First),
                (dt, lr, Undecided),
                (dt, svm, Undecided),
                (nb, lr, Undecided),
                (nb, svm, Second),
                (lr, svm, Second)
            ]
        );
        assert_eq!(found.copeland, [2.0, 0.5, 1.0, 2.5]);
        for (margin, expected) in found.margin.iter().zip([0.09, -0.27, -0.04, 0.22]) {
            assert!((margin - expected).abs() < 1e-12, "{margin} {expected}");
        }
        let order: Vec<(usize, bool)> =
            found.order.iter().map(|ranked| (ranked.learner, ranked.is_tied_with_previous)).collect();
        assert_eq!(order, [(svm, false), (dt, true), (lr, true), (nb, true)]);
        assert!(found.cycles.is_empty());
        assert_eq!(found.beats, [(dt, nb), (svm, nb), (svm, lr)]);
    }

    #[test]
    fn a_circle_is_a_cycle_and_chains_are_reduced() {
        // Both learners prefer the labels of 3.
        let mut values = vec![vec![Some(0.0); 5]; 5];
        (values[3][3], values[4][3]) = (Some(1.0), Some(1.0));
        let found = Tournament::of(&ReverseEvidence::new(values).expect("square"));
        assert_eq!(found.beats, [(3, 4)]);
        // 0 beats 1, 1 beats 2, 2 beats 0; all of them beat 3, which beats 4.
        let wins = |pairs: &[(usize, usize)]| {
            let mut wins = vec![vec![false; 5]; 5];
            pairs.iter().for_each(|&(a, b)| wins[a][b] = true);
            wins
        };
        let wins = wins(&[(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3), (3, 4), (0, 4)]);
        let reach = reachable(&wins);
        assert_eq!(cycles(&reach), [vec![0, 1, 2]]);
        assert_eq!(reduction(&wins, &reach), [(0, 3), (1, 3), (2, 3), (3, 4)]);
    }

    #[test]
    fn learners_without_evidence_are_hard_to_distinguish() {
        let values = vec![vec![Some(5.0), None], vec![Some(4.0), Some(3.0)]];
        let found = Tournament::of(&ReverseEvidence::new(values).expect("square"));
        assert_eq!(found.duels, [(0, 1, Duel::Undecided)]);
        assert!(ReverseEvidence::new(vec![vec![None, None]]).is_err());
        assert!(ReverseEvidence::new(vec![vec![Some(f64::NAN)]]).is_err());
    }

    proptest! {
        /// Naming the learners in another order names the same winners, and whoever wins cannot lose.
        #[test]
        fn orders_of_learners_change_no_duel(counts in proptest::collection::vec(proptest::collection::vec(0_u64..20, 5), 5)) {
            let found = Tournament::of(&ReverseEvidence::of_counts(counts.clone()).expect("square"));
            let turned: Vec<Vec<u64>> =
                counts.iter().rev().map(|row| row.iter().rev().copied().collect()).collect();
            let turned = Tournament::of(&ReverseEvidence::of_counts(turned).expect("square"));
            for (a, b, duel) in &found.duels {
                let (other_a, other_b) = (4 - b, 4 - a);
                let there = turned.duels.iter().find(|(x, y, _)| (*x, *y) == (other_a, other_b)).expect("a duel");
                let expected = match there.2 {
                    Duel::First => Duel::Second,
                    Duel::Second => Duel::First,
                    Duel::Undecided => Duel::Undecided,
                };
                prop_assert_eq!(*duel, expected);
            }
            let total: f64 = found.copeland.iter().sum();
            prop_assert_eq!(total, 10.0);
            // Whoever is in a cycle beats and is beaten.
            for member in found.cycles.iter().flatten() {
                prop_assert!(found.copeland[*member] > 0.0 && found.copeland[*member] < 4.0);
            }
        }
    }
}
