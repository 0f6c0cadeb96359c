//! Made-up claims of every kind of column, and a way to compare figures, for the tests of learners.

use tribunal_learn::{BinRule, Column, Dataset, Kind, Learner, Levels, MISSING, Target, Values};
use tribunal_random::Random;

/// What the claims should be like.
#[derive(Clone, Debug)]
pub(crate) struct Claims {
    n_rows: usize,
    n_classes: u32,
    is_complete: bool,
    has_numbers: bool,
    is_reversed: bool,
}

impl Claims {
    /// So many claims of two classes, with numbers and missing values.
    pub(crate) fn new(n_rows: usize) -> Self {
        Claims { n_rows, n_classes: 2, is_complete: false, has_numbers: true, is_reversed: false }
    }

    /// The same with more classes.
    pub(crate) fn with_classes(mut self, n_classes: u32) -> Self {
        self.n_classes = n_classes;
        self
    }

    /// The same with nothing missing.
    pub(crate) fn complete(mut self) -> Self {
        self.is_complete = true;
        self
    }

    /// The same without numeric columns.
    pub(crate) fn coded(mut self) -> Self {
        self.has_numbers = false;
        self
    }

    /// The same with the columns in the opposite order.
    pub(crate) fn reversed(mut self) -> Self {
        self.is_reversed = true;
        self
    }

    /// The claims. The first rows hold every class.
    pub(crate) fn dataset(&self) -> Dataset {
        let mut random = Random::new(17);
        let n = self.n_rows;
        let classes: Vec<u32> = (0..n as u32)
            .map(
                |row| if row < self.n_classes { row } else { random.below(u64::from(self.n_classes)) as u32 },
            )
            .collect();
        let mut columns = vec![
            self.codes(&mut random, "night", Kind::Flag, 2, &classes),
            self.codes(&mut random, "colour", levels(["blue", "green", "red", "teal"]), 4, &classes),
            self.codes(&mut random, "size", Kind::Ordered(Levels::met(["s", "m", "l"])), 3, &classes),
            self.numbers(
                &mut random,
                "lag",
                Kind::Binned(BinRule::WholeUnits(vec![7.0, 15.0, 30.0])),
                &classes,
            ),
        ];
        if self.has_numbers {
            columns.push(self.numbers(&mut random, "age", Kind::Numeric, &classes));
            columns.push(self.numbers(&mut random, "paid", Kind::Numeric, &classes));
        }
        if self.is_reversed {
            columns.reverse();
        }
        let names = ["no", "yes", "perhaps"].into_iter().take(self.n_classes as usize);
        let target = Target::new("fraud", names, classes).expect("classes");
        Dataset::new(columns).expect("columns").with_target(target).expect("fits")
    }

    fn is_missing(&self, random: &mut Random) -> bool {
        random.uniform() < 0.07 && !self.is_complete
    }

    fn codes(&self, random: &mut Random, name: &str, kind: Kind, n_codes: u32, classes: &[u32]) -> Column {
        let code = |&class: &u32| match (self.is_missing(random), random.uniform() < 0.35) {
            (true, _) => MISSING,
            (false, true) => class % n_codes,
            (false, false) => random.below(u64::from(n_codes)) as u32,
        };
        Column::new(name, kind, Values::Codes(classes.iter().map(code).collect())).expect("codes")
    }

    fn numbers(&self, random: &mut Random, name: &str, kind: Kind, classes: &[u32]) -> Column {
        let number = |&class: &u32| {
            let value = (15.0 + 9.0 * random.normal() + 6.0 * f64::from(class)).abs();
            if self.is_missing(random) { f64::NAN } else { value }
        };
        Column::new(name, kind, Values::Numbers(classes.iter().map(number).collect())).expect("numbers")
    }
}

fn levels<const N: usize>(names: [&str; N]) -> Kind {
    Kind::Categorical(Levels::declared(names))
}

/// Every row of a data set.
pub(crate) fn all_rows(dataset: &Dataset) -> Vec<u32> {
    (0..dataset.n_rows() as u32).collect()
}

/// Compares figures of a learner.
pub(crate) fn check_close(found: &[f64], expected: &[f64], tolerance: f64, learner: &Learner) {
    assert_eq!(found.len(), expected.len(), "{learner}");
    for (row, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= tolerance, "{learner}: row {row} is {found}, not {expected}");
    }
}
