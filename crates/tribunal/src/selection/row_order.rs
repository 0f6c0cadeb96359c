//! An order of rows that follows from what they hold, so that the order in which somebody wrote them into a file decides nothing.
//!
//! Folds of a cross-validation, bootstrap samples and sums of floating-point numbers go by the places of rows: with the rows of a
//! table shuffled they are others, and a close choice between learners may turn. So both tables are brought into an order first: rows
//! are sorted by a hash of their contents - target, weight, amount and the values of the columns, levels by their names -, which is
//! as good as a random order. Rows that hold the same are interchangeable. Whoever tells rows to a user says their numbers in the file.
//!
//! **Reference** a statistic of exchangeable rows is one of their order statistics alone (Lehmann and Casella 1998, section 1.6):
//! what depends on the order of a file besides is chance of the file.

use tribunal_learn::{Column, Dataset, MISSING, Values};
use tribunal_random::derive_seed;

/// Two independent hashes: rows that differ share both with a probability of 2^-128.
const LANES: [u64; 2] = [0x0C0D_E0F0, 0x5EED_0F02];
/// Tags of what stands beside the columns.
const TARGET: u64 = 1;
const WEIGHT: u64 = 2;
const BESIDE: u64 = 3;
const COLUMN: u64 = 4;
/// What stands for a missing value: no number has these bits once all that are none are written alike.
const NOTHING: u64 = u64::MAX;

/// The rows of a table in an order that follows from what they hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RowOrder {
    /// The row of the file that stands at each place.
    rows: Vec<u32>,
    /// The place of each row of the file.
    places: Vec<u32>,
}

impl RowOrder {
    /// Of rows as several data sets hold them, and of numbers that stand beside them.
    pub(super) fn of(datasets: &[&Dataset], beside: &[&[f64]]) -> Self {
        let n_rows = datasets.first().map_or(0, |dataset| dataset.n_rows());
        let mut keys = vec![[0_u64; 2]; n_rows];
        for (dataset, tag) in datasets.iter().zip(0..) {
            add_dataset(&mut keys, dataset, tag);
        }
        for (numbers, tag) in beside.iter().zip(0..) {
            add_numbers(&mut keys, &[BESIDE, tag], numbers);
        }
        let mut keyed: Vec<([u64; 2], u32)> = keys.into_iter().zip(0..).collect();
        keyed.sort_unstable();
        let rows: Vec<u32> = keyed.into_iter().map(|(_, row)| row).collect();
        let mut places = vec![0; n_rows];
        rows.iter().zip(0..).for_each(|(&row, place)| places[row as usize] = place);
        Self { rows, places }
    }

    /// The rows of the file in this order.
    pub(super) fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Values of the rows of the file in this order.
    pub(super) fn ordered<T: Copy>(&self, values: &[T]) -> Vec<T> {
        self.rows.iter().map(|&row| values[row as usize]).collect()
    }

    /// The number in the file, counted from one, of the row at a place.
    pub(super) fn number_of(&self, place: u32) -> u64 {
        u64::from(self.rows[place as usize]) + 1
    }

    /// The place of the row with a number in the file, counted from one; nothing where there is none.
    pub(super) fn place_of(&self, number: u64) -> Option<u32> {
        let row = usize::try_from(number.checked_sub(1)?).ok()?;
        self.places.get(row).copied()
    }
}

fn add_dataset(keys: &mut [[u64; 2]], dataset: &Dataset, tag: u64) {
    for column in dataset.columns() {
        add_column(keys, &[COLUMN, tag, text(column.name())], column);
    }
    if let Some(target) = dataset.target() {
        let classes: Vec<u64> = target.classes().iter().map(|class| text(class)).collect();
        add(keys, &[TARGET, tag], target.codes().iter().map(|&code| classes[code as usize]));
    }
    if let Some(weights) = dataset.weights() {
        add_numbers(keys, &[WEIGHT, tag], weights);
    }
}

fn add_column(keys: &mut [[u64; 2]], tags: &[u64], column: &Column) {
    match column.values() {
        Values::Numbers(numbers) => add_numbers(keys, tags, numbers),
        Values::Codes(codes) => {
            let levels: Vec<u64> = column.kind().levels().iter().map(|level| text(level)).collect();
            // A flag has no names: its code is what it says.
            let of_code = |&code: &u32| match code {
                MISSING => NOTHING,
                code => levels.get(code as usize).copied().unwrap_or(u64::from(code)),
            };
            add(keys, tags, codes.iter().map(of_code));
        }
    }
}

fn add_numbers(keys: &mut [[u64; 2]], tags: &[u64], numbers: &[f64]) {
    // Zero has no sign.
    add(keys, tags, numbers.iter().map(|x| if x.is_nan() { NOTHING } else { (x + 0.0).to_bits() }));
}

/// Adds what each row holds to its keys. Sums do not depend on the order of columns.
fn add(keys: &mut [[u64; 2]], tags: &[u64], values: impl Iterator<Item = u64>) {
    let seeds = LANES.map(|lane| derive_seed(lane, tags));
    for (key, value) in keys.iter_mut().zip(values) {
        for (sum, seed) in key.iter_mut().zip(seeds) {
            *sum = sum.wrapping_add(derive_seed(seed, &[value]));
        }
    }
}

fn text(text: &str) -> u64 {
    let bytes: Vec<u64> = text.bytes().map(u64::from).collect();
    derive_seed(bytes.len() as u64, &bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tribunal_learn::{Kind, Levels, Target};
    use tribunal_random::Random;

    fn table(numbers: &[f64], codes: &[u32], levels: &[&str], classes: &[u32]) -> Dataset {
        let number = Column::new("x", Kind::Numeric, Values::Numbers(numbers.to_vec()));
        let levels = Kind::Categorical(Levels::declared(levels.iter().copied()));
        let level = Column::new("level", levels, Values::Codes(codes.to_vec()));
        let target = Target::new("y", ["no", "yes"], classes.to_vec()).expect("a target");
        let columns = vec![number.expect("a column"), level.expect("a column")];
        Dataset::new(columns).expect("a table").with_target(target).expect("rows")
    }

    #[test]
    fn any_order_of_the_file_gives_the_same_rows() {
        let mut random = Random::new(3);
        let numbers: Vec<f64> =
            (0..200).map(|row| if row % 9 == 0 { f64::NAN } else { f64::from(row / 4) }).collect();
        let codes: Vec<u32> = (0..200).map(|row| if row % 7 == 0 { MISSING } else { row % 3 }).collect();
        let classes: Vec<u32> = (0..200).map(|row| row % 2).collect();
        let file = table(&numbers, &codes, &["a", "b", "c"], &classes);
        let order = RowOrder::of(&[&file], &[]);
        let ordered = file.take(order.rows());
        let mut shuffled: Vec<u32> = (0..200).collect();
        random.shuffle(&mut shuffled);
        let other = file.take(&shuffled);
        let found = RowOrder::of(&[&other], &[]);
        let again = other.take(found.rows());
        assert_eq!(format!("{ordered:?}"), format!("{again:?}"));
        assert_ne!(found.rows(), (0..200).collect::<Vec<u32>>());
        for place in 0..200 {
            assert_eq!(found.place_of(found.number_of(place)), Some(place));
        }
        assert_eq!((found.place_of(0), found.place_of(201)), (None, None));
    }

    /// Codes are places in lists of levels, which may be ordered otherwise; zero has no sign.
    #[test]
    fn levels_count_by_their_names_and_every_part_of_a_row_counts() {
        let of = |dataset: &Dataset, beside: &[&[f64]]| RowOrder::of(&[dataset], beside).rows().to_vec();
        let classes = [0, 1, 0, 1, 0, 1];
        let one = table(&[0.0, 1.0, 0.0, 1.0, 2.0, 2.0], &[0, 1, 2, 0, 1, 2], &["a", "b", "c"], &classes);
        let two = table(&[-0.0, 1.0, 0.0, 1.0, 2.0, 2.0], &[2, 1, 0, 2, 1, 0], &["c", "b", "a"], &classes);
        assert_eq!(of(&one, &[]), of(&two, &[]));
        let plain = table(&[1.0; 6], &[0; 6], &["a"], &[0; 6]);
        assert_eq!(of(&plain, &[]), [0, 1, 2, 3, 4, 5]);
        let values: Vec<f64> = (0..6).map(f64::from).collect();
        let weighted = plain.clone().with_weights(values.clone()).expect("weights");
        assert_ne!(of(&weighted, &[]), of(&plain, &[]));
        assert_ne!(of(&plain, &[&values]), of(&plain, &[]));
        assert_ne!(of(&table(&[1.0; 6], &[0; 6], &["a"], &classes), &[]), of(&plain, &[]));
    }

    #[test]
    fn no_rows_have_an_order_too() {
        let empty = table(&[], &[], &["a"], &[]);
        assert_eq!(RowOrder::of(&[&empty], &[]).rows(), [0_u32; 0]);
        assert_eq!(RowOrder::of(&[], &[]).place_of(1), None);
    }
}
