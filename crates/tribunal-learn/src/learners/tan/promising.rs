//! Which pairs can be in the tree at all when one row is left out.
//!
//! A pair whose information is always below that of every pair on some way between its columns is in no maximum spanning
//! tree. Such pairs are found once for each class of row; most rows then look at few pairs.

use super::leave_one_out::Pairs;
use super::structure::spanning_tree;

/// The pairs that can be in the tree.
pub(super) struct Promising {
    /// For each column the others that it may be joined with.
    neighbours: Vec<Vec<usize>>,
}

impl Promising {
    /// The pairs that a row of this class may need.
    pub(super) fn of(pairs: &Pairs<'_>, class: usize) -> Self {
        let n_columns = pairs.n_columns();
        let least =
            |a: usize, b: usize| pairs.range(a, b, class).map_or(f64::NEG_INFINITY, |[least, _]| least);
        let surest = bottlenecks(&spanning_tree(n_columns, least), least);
        let is_promising = |a: usize, b: usize| {
            a != b && pairs.range(a, b, class).is_some_and(|[_, most]| most >= surest[a * n_columns + b])
        };
        let neighbours = |a: usize| (0..n_columns).filter(|&b| is_promising(a, b)).collect();
        Promising { neighbours: (0..n_columns).map(neighbours).collect() }
    }

    /// The maximum spanning tree of promising pairs, which is that of all pairs; see [`spanning_tree`].
    pub(super) fn tree(&self, weight: impl Fn(usize, usize) -> f64) -> Vec<Option<usize>> {
        let n_columns = self.neighbours.len();
        let mut parents = vec![None; n_columns];
        // Below every weight there is, so that any offer is better.
        let mut best = vec![f64::NEG_INFINITY; n_columns];
        let mut outside: Vec<usize> = (1..n_columns).collect();
        let mut newest = 0;
        while !outside.is_empty() {
            best[newest] = f64::INFINITY;
            for &column in &self.neighbours[newest] {
                let offer = weight(newest, column);
                if offer > best[column] {
                    (best[column], parents[column]) = (offer, Some(newest));
                }
            }
            let mut first = 0;
            for (idx, &column) in outside.iter().enumerate() {
                if best[column] > best[outside[first]] {
                    first = idx;
                }
            }
            newest = outside.remove(first);
        }
        parents
    }
}

/// The least weight on the way between any two columns of a tree.
fn bottlenecks(parents: &[Option<usize>], weight: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    let n_columns = parents.len();
    let mut bottlenecks = vec![f64::INFINITY; n_columns * n_columns];
    let (mut inside, mut waiting) = (Vec::new(), (0..n_columns).collect::<Vec<usize>>());
    while !waiting.is_empty() {
        // A column follows its parent.
        let is_next = |column: &usize| parents[*column].is_none_or(|parent| inside.contains(&parent));
        let (next, rest): (Vec<usize>, Vec<usize>) = waiting.iter().partition(|column| is_next(column));
        for &column in &next {
            let Some(parent) = parents[column] else { continue };
            let link = weight(parent, column);
            for &other in inside.iter().filter(|&&other| other != column) {
                let way =
                    if other == parent { link } else { link.min(bottlenecks[parent * n_columns + other]) };
                (bottlenecks[column * n_columns + other], bottlenecks[other * n_columns + column]) =
                    (way, way);
            }
            inside.push(column);
        }
        next.iter().filter(|&&column| parents[column].is_none()).for_each(|&root| inside.push(root));
        waiting = rest;
    }
    bottlenecks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weakest_link_of_every_way() {
        // 0 - 1 (5), 1 - 2 (3), 0 - 3 (4).
        let weights = [[0, 5, 0, 4], [5, 0, 3, 0], [0, 3, 0, 0], [4, 0, 0, 0]];
        let parents = [None, Some(0), Some(1), Some(0)];
        let found = bottlenecks(&parents, |a, b| f64::from(weights[a][b]));
        let between = |a: usize, b: usize| found[a * 4 + b];
        assert_eq!([between(0, 1), between(0, 2), between(2, 3), between(3, 1)], [5.0, 3.0, 3.0, 4.0]);
        assert_eq!(between(3, 2), between(2, 3));
    }
}
