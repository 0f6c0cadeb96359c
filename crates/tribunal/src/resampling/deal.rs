//! Dealing labels to rows in shuffled order, without holding the shuffled order.
//!
//! A shuffle (Fisher and Yates 1938) moves row numbers to places; what is wanted is the label of a row's place. So the
//! labels are written to their places and the swaps undone, last one first, which carries each label to its row. The
//! array that is read at random is then one of bytes and not of row numbers, and mostly stays in the cache.

use tribunal_random::Random;

use super::label_column::LabelColumn;

/// The label of each of `n` rows: that of the place at which shuffling puts the row.
pub(super) fn deal<T>(random: &mut Random, n: usize, label: impl Fn(usize) -> T) -> Vec<T> {
    let picks: Vec<u32> = (1..n).rev().map(|place| random.below(place as u64 + 1) as u32).collect();
    let mut labels: Vec<T> = (0..n).map(label).collect();
    for (place, &pick) in (1..n).zip(picks.iter().rev()) {
        labels.swap(place, pick as usize);
    }
    labels
}

/// The same within each class in turn, from one stream. `label` gets the class and the place within it.
pub(super) fn deal_by_class<T: Copy>(
    random: &mut Random,
    classes: &LabelColumn,
    label: impl Fn(usize, usize) -> T,
) -> Vec<T> {
    let counts = classes.counts();
    let dealt = counts.iter().enumerate().map(|(class, &n)| deal(random, n, |place| label(class, place)));
    let mut dealt: Vec<_> = dealt.map(Vec::into_iter).collect();
    // Codes are as many as counted, so no class runs out of labels.
    classes.codes().iter().filter_map(|&class| dealt[class as usize].next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn labels_are_those_of_a_plain_shuffle(n in 0usize..300, seed: u64) {
            let mut order: Vec<usize> = (0..n).collect();
            let mut shuffling = Random::new(seed);
            shuffling.shuffle(&mut order);
            let mut expected = vec![0; n];
            order.iter().enumerate().for_each(|(place, &row)| expected[row] = place);
            let mut dealing = Random::new(seed);
            prop_assert_eq!(deal(&mut dealing, n, |place| place), expected);
            prop_assert_eq!(dealing.next_u64(), shuffling.next_u64());
        }
    }
}
