//! Quantile edges of very many numbers without sorting them.
//!
//! A sorted sample brackets every edge; one pass counts the numbers between brackets and gathers those inside, which are a few
//! percent; only these are sorted (Floyd and Rivest 1975, "Expected time bounds for selection"). What comes out is what sorting all
//! would give; where a bracket misses, nothing comes out and all are sorted.

use rayon::prelude::*;

/// Numbers in the sample.
const SAMPLE: usize = 1 << 16;
/// Fewer numbers than this are sorted.
const FEWEST: usize = 1 << 20;
/// Brackets reach so many standard errors of the rank to either side.
const REACH: f64 = 5.0;
/// Numbers that are looked at in one piece.
const PIECE: usize = 1 << 16;

/// A stretch of numbers in which an edge lies, both ends included.
#[derive(Clone, Copy, Debug)]
struct Bracket {
    low: f64,
    high: f64,
}

/// The edges at which the share of numbers below is nearest to `k / n_bands`, for finite numbers that count alike; nothing where
/// there are too few for this to pay, or where a bracket missed.
pub(crate) fn unsorted_edges(numbers: &[f64], n_bands: usize) -> Option<Vec<f64>> {
    if numbers.len() < FEWEST {
        return None;
    }
    let n = numbers.len();
    let brackets = brackets(numbers, n_bands);
    let found = Gathered::of(numbers, &brackets);
    let mut edges: Vec<f64> = Vec::new();
    for k in 1..n_bands {
        let target = n as f64 * k as f64 / n_bands as f64;
        let edge = found.edge(target, n)?;
        if let Some(edge) = edge.filter(|edge| edges.last().is_none_or(|last| last < edge)) {
            edges.push(edge);
        }
    }
    Some(edges)
}

/// Brackets of all edges, ascending and apart from each other.
fn brackets(numbers: &[f64], n_bands: usize) -> Vec<Bracket> {
    let step = numbers.len() as f64 / SAMPLE as f64;
    // Rows of a file may repeat a pattern; a step that is no whole number does not follow it.
    let mut sample: Vec<f64> =
        (0..SAMPLE).map(|place| numbers[(place as f64 * step) as usize] + 0.0).collect();
    sample.par_sort_unstable_by(f64::total_cmp);
    let last = SAMPLE - 1;
    let mut brackets: Vec<Bracket> = Vec::new();
    for k in 1..n_bands {
        let share = k as f64 / n_bands as f64;
        let (at, reach) =
            (share * SAMPLE as f64, REACH * (share * (1.0 - share) * SAMPLE as f64).sqrt() + 2.0);
        let (low, high) = (sample[(at - reach).max(0.0) as usize], sample[((at + reach) as usize).min(last)]);
        match brackets.last_mut() {
            Some(before) if before.high >= low => before.high = before.high.max(high),
            _ => brackets.push(Bracket { low, high }),
        }
    }
    brackets
}

/// Numbers inside of the brackets, sorted, and how many lie below each.
struct Gathered {
    inside: Vec<Vec<f64>>,
    below: Vec<usize>,
}

impl Gathered {
    fn of(numbers: &[f64], brackets: &[Bracket]) -> Self {
        let n = brackets.len();
        let of_piece = |piece: &[f64]| {
            let (mut between, mut inside) = (vec![0usize; n + 1], vec![Vec::new(); n]);
            for number in piece.iter().map(|number| number + 0.0) {
                // The first bracket that ends at the number or above it.
                let place = brackets.partition_point(|bracket| bracket.high < number);
                match brackets.get(place) {
                    Some(bracket) if bracket.low <= number => inside[place].push(number),
                    _ => between[place] += 1,
                }
            }
            (between, inside)
        };
        let pieces: Vec<_> = numbers.par_chunks(PIECE).map(of_piece).collect();
        let (mut between, mut inside) = (vec![0; n + 1], vec![Vec::new(); n]);
        for (more, numbers) in pieces {
            between.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
            inside.iter_mut().zip(numbers).for_each(|(all, mut more)| all.append(&mut more));
        }
        inside.par_iter_mut().for_each(|inside: &mut Vec<f64>| inside.sort_unstable_by(f64::total_cmp));
        let mut sum = 0;
        let below = inside.iter().zip(between).map(|(inside, between)| {
            sum += between;
            let below = sum;
            sum += inside.len();
            below
        });
        let below = below.collect();
        Self { inside, below }
    }

    /// The edge nearest to so many numbers below it: nothing inside where there is none; nothing at all where a bracket missed.
    #[allow(clippy::option_option)]
    fn edge(&self, target: f64, n: usize) -> Option<Option<f64>> {
        // The number with the last rank below the target, and how many are below it and at most as large.
        let rank = target.ceil() as usize - 1;
        let place = self.below.partition_point(|below| *below <= rank).checked_sub(1)?;
        let (inside, below) = (&self.inside[place], self.below[place]);
        let number = *inside.get(rank - below)?;
        let first = inside.partition_point(|other| *other < number);
        let after = inside.partition_point(|other| *other <= number);
        // A bracket that begins or ends at this very number holds all of them; what follows must be inside too.
        let next = inside.get(after).copied();
        let (before_count, next_count) = (below + first, below + after);
        if next.is_none() && next_count < n {
            return None;
        }
        let is_nearer = (before_count as f64 - target).abs() < (next_count as f64 - target).abs();
        Some(match is_nearer {
            true => (before_count > 0).then_some(number),
            false => next,
        })
    }
}

#[cfg(test)]
mod tests {
    use tribunal_random::Random;

    use super::*;
    use crate::ScoreBands;

    fn check(numbers: &[f64], n_bands: usize, is_found: bool) {
        let found = unsorted_edges(numbers, n_bands);
        assert_eq!(found.is_some(), is_found, "{n_bands} bands");
        let pairs = numbers.iter().map(|number| (*number, 1.0)).collect();
        let sorted = ScoreBands::from_weighted(pairs, n_bands).expect("numbers");
        if let Some(found) = found {
            assert_eq!(found, sorted.edges(), "{n_bands} bands");
        }
        assert_eq!(ScoreBands::from_quantiles(numbers, None, n_bands).expect("numbers"), sorted);
    }

    #[test]
    fn edges_are_those_of_sorting() {
        let mut random = Random::new(8);
        let n = FEWEST + 12_345;
        let even: Vec<f64> = (0..n).map(|_| random.uniform()).collect();
        let normal: Vec<f64> = (0..n).map(|_| 1e6 * random.normal()).collect();
        let tied: Vec<f64> = even.iter().map(|number| (number * 50.0).floor() - 25.0).collect();
        let zeros: Vec<f64> = even.iter().map(|number| (number - 0.7).max(-0.0)).collect();
        let ascending: Vec<f64> = (0..n).map(|row| row as f64).collect();
        for n_bands in [2, 10, 37] {
            check(&even, n_bands, true);
            check(&normal, n_bands, true);
            check(&ascending, n_bands, true);
        }
        // Brackets of few different numbers end at one of them; what follows is not inside, and all are sorted.
        for n_bands in [2, 10] {
            let is_found = unsorted_edges(&tied, n_bands).is_some();
            check(&tied, n_bands, is_found);
            let is_found = unsorted_edges(&zeros, n_bands).is_some();
            check(&zeros, n_bands, is_found);
        }
        check(&vec![0.5; n], 10, true);
        check(&even[..1000], 10, false);
    }
}
