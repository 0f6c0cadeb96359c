//! Rows that are drawn alike: how often groups of rows are drawn with replacement, without touching each row.
//!
//! How often each of some groups is drawn is multinomial, and found from the top: of n draws, the number that falls into the first
//! half of the groups is binomial, and given that number both halves are drawn independently (Davis 1993). Where hardly any rows are
//! alike, a range of groups is drawn row by row.

use std::ops::Range;

use tribunal_random::Random;

/// Groups in which rows are drawn one by one, so that what they touch stays in the nearest cache...
const NEAR: usize = 1 << 12;

/// ...where there are fewer than so many rows for each group.
const FEW_ROWS: usize = 8;

/// Groups of rows, each as large as its rows are many.
#[derive(Clone, Debug, Default)]
pub(super) struct AlikeRows {
    /// Where the rows of each group start, and where the last one ends.
    starts: Vec<u32>,
    group_of_row: Vec<u32>,
}

impl AlikeRows {
    /// From the sizes of the groups.
    pub(super) fn new(sizes: impl Iterator<Item = usize>) -> Self {
        let mut rows = Self { starts: vec![0], group_of_row: Vec::new() };
        for (group, size) in sizes.enumerate() {
            rows.group_of_row.resize(rows.group_of_row.len() + size, group as u32);
            rows.starts.push(rows.group_of_row.len() as u32);
        }
        rows
    }

    /// How often each group is drawn when as many rows are drawn as there are.
    pub(super) fn draw(&self, random: &mut Random) -> Vec<u32> {
        let n_groups = self.starts.len() - 1;
        let mut counts = vec![0; n_groups];
        self.draw_range(random, 0..n_groups, self.group_of_row.len() as u64, &mut counts);
        counts
    }

    fn draw_range(&self, random: &mut Random, groups: Range<usize>, n_draws: u64, counts: &mut [u32]) {
        if n_draws == 0 || groups.is_empty() {
            return;
        }
        let row = |group: usize| self.starts[group] as usize;
        let rows = row(groups.start)..row(groups.end);
        if groups.len() == 1 {
            counts[groups.start] += n_draws as u32;
        } else if groups.len() <= NEAR && rows.len() < FEW_ROWS * groups.len() {
            for _ in 0..n_draws {
                let drawn = rows.start + random.below(rows.len() as u64) as usize;
                counts[self.group_of_row[drawn] as usize] += 1;
            }
        } else {
            let middle = groups.start + groups.len() / 2;
            let left = (row(middle) - rows.start) as f64 / rows.len() as f64;
            let left = random.binomial(n_draws, left);
            self.draw_range(random, groups.start..middle, left, counts);
            self.draw_range(random, middle..groups.end, n_draws - left, counts);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts have the means, variances and covariances of a multinomial draw.
    fn check(sizes: &[usize]) {
        const DRAWS: u64 = 20_000;
        let (rows, n) = (AlikeRows::new(sizes.iter().copied()), sizes.iter().sum::<usize>() as f64);
        let drawn: Vec<Vec<u32>> =
            (0..DRAWS).map(|seed| rows.draw(&mut Random::derived(4, &[seed]))).collect();
        assert!(drawn.iter().all(|counts| f64::from(counts.iter().sum::<u32>()) == n));
        let share = |group: usize| sizes[group] as f64 / n;
        let mean =
            |of: &dyn Fn(&[u32]) -> f64| drawn.iter().map(|counts| of(counts)).sum::<f64>() / DRAWS as f64;
        for group in 0..sizes.len() {
            let (p, next) = (share(group), (group + 1) % sizes.len());
            let expected = [n * p, n * p * (1.0 - p), -n * p * share(next)];
            let first = mean(&|counts| f64::from(counts[group]));
            let second = mean(&|counts| (f64::from(counts[group]) - n * p).powi(2));
            let both = mean(&|counts| {
                (f64::from(counts[group]) - n * p) * (f64::from(counts[next]) - n * share(next))
            });
            let tolerance = 0.06 * expected[1].max(0.2);
            assert!((first - expected[0]).abs() < tolerance, "{group}: {first}");
            assert!((second - expected[1]).abs() < tolerance, "{group}: {second} {expected:?}");
            assert!((both - expected[2]).abs() < 1.5 * tolerance, "{group}: {both} {expected:?}");
        }
    }

    #[test]
    fn groups_are_drawn_like_their_rows() {
        check(&[1, 1, 1, 1]);
        check(&[100, 40, 1, 7, 52]);
    }
}
