//! Tables of every kind of column that learners meet, made by the formula of `reference/tables.py`, bit for bit: each cell is
//! a function of the seed, its column, its row and its class, by operations that every language rounds alike.

use serde_json::Value;
use tribunal_learn::{Column, Dataset, Kind, Levels, MISSING, Target, Values};

/// How a table differs from the one that was drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Copied {
    Plain,
    /// Every number with the opposite sign.
    Negated,
    /// Every number 64 higher.
    Shifted,
}

impl Copied {
    pub(crate) const ALL: [(Copied, &str); 3] =
        [(Copied::Plain, "plain"), (Copied::Negated, "negated"), (Copied::Shifted, "shifted")];

    fn of(self, number: f64) -> f64 {
        match self {
            Copied::Plain => number,
            Copied::Negated => -number,
            Copied::Shifted => number + 64.0,
        }
    }
}

/// A table by its recipe: a seed, a number of rows, the share of positives, and the kind of each column.
pub(crate) struct Recipe {
    seed: u64,
    n_rows: u64,
    share: f64,
    kinds: Vec<String>,
}

impl Recipe {
    /// A recipe as reference values describe it.
    pub(crate) fn read(value: &Value) -> Self {
        let kind = |kind: &Value| kind.as_str().expect("a kind").to_owned();
        Recipe {
            seed: value["seed"].as_u64().expect("a seed"),
            n_rows: value["rows"].as_u64().expect("rows"),
            share: value["share"].as_f64().expect("a share"),
            kinds: value["kinds"].as_array().expect("kinds").iter().map(kind).collect(),
        }
    }

    pub(crate) fn dataset(&self, copied: Copied) -> Dataset {
        let classes = self.classes();
        let columns = (0..).zip(&self.kinds).map(|(idx, kind)| self.column(idx, kind, &classes, copied));
        let target = Target::new("y", ["c0", "c1"], classes.clone()).expect("classes");
        Dataset::new(columns.collect()).and_then(|data| data.with_target(target)).expect("a data set")
    }

    fn classes(&self) -> Vec<u32> {
        let class = |row: u64| match row {
            0 | 1 => row as u32,
            row => u32::from(self.uniform(1000, row, 0) < self.share),
        };
        (0..self.n_rows).map(class).collect()
    }

    fn column(&self, idx: u64, kind: &str, classes: &[u32], copied: Copied) -> Column {
        let (n_levels, missing) = shape(kind);
        let is_missing = |row: u64| self.uniform(idx, row, 3) < missing;
        let name = format!("x{idx}");
        let rows = || (0..self.n_rows).zip(classes);
        let draws = |row: u64| [0, 1, 2].map(|draw| self.uniform(idx, row, draw));
        match n_levels {
            Some(n_levels) => {
                let code = |(row, &class): (u64, &u32)| match is_missing(row) {
                    true => MISSING,
                    false => level(n_levels, class, draws(row)),
                };
                let levels = Levels::declared((0..n_levels).map(|level| format!("l{level}")));
                Column::new(name, Kind::Categorical(levels), Values::Codes(rows().map(code).collect()))
            }
            None => {
                let number = |(row, &class): (u64, &u32)| match is_missing(row) {
                    true => f64::NAN,
                    false => copied.of(number(kind, idx, class, draws(row))),
                };
                Column::new(name, Kind::Numeric, Values::Numbers(rows().map(number).collect()))
            }
        }
        .expect("a column")
    }

    /// A number from 0 to 1: the finaliser of splitmix64 of what tells it from all others.
    fn uniform(&self, column: u64, row: u64, draw: u64) -> f64 {
        let mut z = self
            .seed
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .wrapping_add(column.wrapping_mul(0xD1B5_4A32_D192_ED03))
            .wrapping_add(draw.wrapping_mul(0x8CB9_2BA7_2F3D_8DD7))
            .wrapping_add(row.wrapping_mul(0xAEF1_7502_108E_F2D9));
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 * 2_f64.powi(-53)
    }
}

/// The number of levels, where there are any, and the share of missing cells.
fn shape(kind: &str) -> (Option<u32>, f64) {
    match kind {
        "flag" => (Some(2), 0.0),
        "colour" => (Some(4), 0.05),
        "many levels" => (Some(60), 0.0),
        "zeros with gaps" => (None, 0.1),
        "gaps" => (None, 0.2),
        _ => (None, 0.0),
    }
}

/// Half of the positive rows lean on a column.
fn lean(class: u32, draw: f64) -> f64 {
    if class == 1 && draw < 0.5 { 1.0 } else { 0.0 }
}

fn level(n_levels: u32, class: u32, [first, second, third]: [f64; 3]) -> u32 {
    match lean(class, first) == 1.0 && third < 0.5 {
        true => 0,
        false => (f64::from(n_levels) * second).floor() as u32,
    }
}

fn number(kind: &str, column: u64, class: u32, [first, second, third]: [f64; 3]) -> f64 {
    let lean = lean(class, first);
    // Either class has the longer tail in every other column.
    let tail = 0.005 + 0.045 * ((u64::from(class) + column) % 2) as f64;
    match kind {
        "zeros" | "zeros with gaps" => match second < 0.75 - 0.3 * lean {
            true => 0.0,
            false => (400.0 * third + 1.0).floor() / 100.0,
        },
        "heavy zeros" => match second < 0.85 - 0.25 * lean {
            true => 0.0,
            false => (10.0 / (third + tail)).floor() / 100.0,
        },
        "ties" => (4.0 * second + 2.0 * lean).floor(),
        "saturated" => (0.4 + second + 0.3 * lean).min(1.0),
        "continuous" | "gaps" => second + 0.4 * lean,
        // Neighbours differ by 1e-5, which is where trees stop telling numbers apart.
        "fine" => (900.0 * second + 300.0 * lean).floor() / 100_000.0 + 1.5,
        "constant" => 3.5,
        "nearly constant" => f64::from(u8::from(second < 0.02 + 0.06 * lean)),
        other => panic!("no kind of column is called {other}"),
    }
}
