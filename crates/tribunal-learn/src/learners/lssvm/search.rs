//! What to choose from where gamma or sigma is to be tuned: the grid of Van Gestel et al. (2004), then three finer ones.

use super::settings::{KernelKind, LsSvm};
use crate::learners::GridEdge;
use crate::learners::width::Width;

const GAMMAS: [f64; 11] = [0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 50.0, 100.0, 500.0, 1000.0];

/// Sigmas in roots of the number of columns, from the largest: of equals the smoother machine is chosen.
const SPREADS: [f64; 9] = [500.0, 250.0, 100.0, 50.0, 25.0, 15.0, 10.0, 5.0, 0.5];

const MOST_REFINEMENTS: usize = 3;

impl LsSvm {
    /// The first grid; nothing where all is given. Of equals the first is chosen: the smaller gamma, then the larger sigma.
    pub(super) fn grid(&self) -> Vec<LsSvm> {
        self.crossed(self.gammas(), self.spreads())
    }

    fn gammas(&self) -> &'static [f64] {
        if self.gamma.is_none() { &GAMMAS } else { &[] }
    }

    fn spreads(&self) -> &'static [f64] {
        if self.kernel == KernelKind::Rbf(None) { &SPREADS } else { &[] }
    }

    /// Where a candidate lies at an end of the first grid, or beyond; finer ones have no ends of their own.
    pub(super) fn grid_edges(&self, candidate: &LsSvm) -> Vec<GridEdge> {
        let gamma = candidate.gamma.and_then(|gamma| GridEdge::built_in("gamma", gamma, self.gammas()));
        let spread =
            candidate.spread().and_then(|spread| GridEdge::built_in("spread", spread, self.spreads()));
        gamma.into_iter().chain(spread).collect()
    }

    /// A finer grid around the best of those tried last: geometric means with its neighbours. Where it has none, the grid
    /// is taken to go on in the same ratio.
    pub(super) fn refined(&self, n_refined: usize, tried: &[LsSvm], best: &LsSvm) -> Vec<LsSvm> {
        if n_refined >= MOST_REFINEMENTS {
            return Vec::new();
        }
        let around = |is_tuned: bool, value: fn(&LsSvm) -> Option<f64>| match value(best) {
            Some(best) if is_tuned => around(&tried.iter().filter_map(value).collect::<Vec<f64>>(), best),
            _ => Vec::new(),
        };
        let gammas = around(self.gamma.is_none(), |settings| settings.gamma);
        let mut spreads = around(self.kernel == KernelKind::Rbf(None), LsSvm::spread);
        spreads.reverse();
        self.crossed(&gammas, &spreads)
    }

    fn spread(&self) -> Option<f64> {
        match self.kernel {
            KernelKind::Rbf(Some(Width::Spread(spread))) => Some(spread),
            _ => None,
        }
    }

    /// Every gamma with every spread; where there are none of a kind, that setting stays.
    fn crossed(&self, gammas: &[f64], spreads: &[f64]) -> Vec<LsSvm> {
        if gammas.is_empty() && spreads.is_empty() {
            return Vec::new();
        }
        let with_gammas = or_as_it_is(gammas, |&gamma| LsSvm { gamma: Some(gamma), ..*self }, self);
        let with_spreads = |settings: &LsSvm| {
            let spread = |&spread: &f64| KernelKind::Rbf(Some(Width::Spread(spread)));
            or_as_it_is(spreads, |value| LsSvm { kernel: spread(value), ..*settings }, settings)
        };
        with_gammas.iter().flat_map(with_spreads).collect()
    }
}

fn or_as_it_is(values: &[f64], with: impl Fn(&f64) -> LsSvm, settings: &LsSvm) -> Vec<LsSvm> {
    if values.is_empty() { vec![*settings] } else { values.iter().map(with).collect() }
}

/// The best value between two finer ones, from the smallest.
fn around(tried: &[f64], best: f64) -> Vec<f64> {
    let below = tried.iter().copied().filter(|&value| value < best).reduce(f64::max);
    let above = tried.iter().copied().filter(|&value| value > best).reduce(f64::min);
    let (below, above) = match (below, above) {
        (Some(below), Some(above)) => (below, above),
        (Some(below), None) => (below, best * (best / below)),
        (None, Some(above)) => (best * (best / above), above),
        (None, None) => return vec![best],
    };
    vec![rounded((below * best).sqrt()), best, rounded((best * above).sqrt())]
}

/// To six digits: training parts that come to the same point by different ways share its work, and people can read it.
fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learners::{Learner, Method};

    fn settings(text: &str) -> LsSvm {
        match text.parse::<Learner>().expect(text).method {
            Method::LsSvm(settings) => settings,
            other => panic!("{other:?}"),
        }
    }

    fn check_around(tried: &[f64], best: f64, expected: [f64; 3]) {
        let found = around(tried, best);
        for (found, expected) in found.iter().zip(expected) {
            assert!((found / expected - 1.0).abs() < 5e-6, "{found} is not {expected}");
        }
        assert_eq!(found.len(), 3);
    }

    #[test]
    fn ways_to_the_same_point_meet() {
        let from_above = around(&[0.1, 0.223607, 0.5], 0.223607)[2];
        let from_below = around(&[0.223607, 0.5, 1.0], 0.5)[0];
        assert_eq!((from_above, from_below), (0.33437, 0.33437));
    }

    #[test]
    fn finer_grids_lie_around_the_best() {
        check_around(&GAMMAS, 10.0, [50_f64.sqrt(), 10.0, 500_f64.sqrt()]);
        // The edges go on in the ratio of their inner neighbours.
        check_around(&GAMMAS, 1000.0, [500_000_f64.sqrt(), 1000.0, 2_000_000_f64.sqrt()]);
        check_around(&GAMMAS, 0.01, [2e-5_f64.sqrt(), 0.01, 5e-4_f64.sqrt()]);
        check_around(&[4.0, 2.0, 1.0], 2.0, [2_f64.sqrt(), 2.0, 8_f64.sqrt()]);
        assert_eq!(around(&[3.0], 3.0), [3.0]);
    }

    #[test]
    fn grids_begin_with_the_smallest_gamma_and_the_largest_sigma() {
        let grid = settings("lssvm:rbf").grid();
        assert_eq!(grid.len(), 99);
        assert_eq!(grid[0], settings("lssvm:rbf,gamma=0.01,spread=500"));
        assert_eq!(grid[1], settings("lssvm:rbf,gamma=0.01,spread=250"));
        assert_eq!(grid[98], settings("lssvm:rbf,gamma=1000,spread=0.5"));
        assert_eq!(settings("lssvm:poly=2,paper").grid()[10], settings("lssvm:poly=2,gamma=1000,paper"));
        assert_eq!(settings("lssvm:rbf,sigma=3").grid()[0], settings("lssvm:rbf,sigma=3,gamma=0.01"));
        assert_eq!(settings("lssvm:rbf,gamma=3").grid()[8], settings("lssvm:rbf,gamma=3,spread=0.5"));
        assert_eq!(settings("lssvm:linear,gamma=3").grid(), []);
        assert_eq!(settings("lssvm:rbf,gamma=3,spread=1").grid(), []);
    }

    #[test]
    fn three_refinements_are_made_of_what_is_tuned() {
        let asked = settings("lssvm:rbf");
        let (mut tried, mut best) = (asked.grid(), settings("lssvm:rbf,gamma=0.01,spread=0.5"));
        for n_refined in 0..3 {
            tried = asked.refined(n_refined, &tried, &best);
            assert_eq!((tried.len(), tried[4]), (9, best), "the best is in the middle");
            assert!(tried[0].gamma < tried[8].gamma && tried[0].spread() > tried[8].spread());
            best = tried[2];
        }
        assert_eq!(asked.refined(3, &tried, &best), []);
        let asked = settings("lssvm:poly=2");
        assert_eq!(asked.refined(0, &asked.grid(), &asked.grid()[4]).len(), 3);
        let asked = settings("lssvm:rbf,sigma=2");
        assert_eq!(asked.refined(0, &asked.grid(), &asked.grid()[4])[1], asked.grid()[4]);
    }
}
