//! Sums of `v log2 v`, what entropies in bits are made of.

/// Whole weights up to here are looked up.
const TABLE: usize = 1 << 16;

/// `v log2 v`, looked up where `v` is small and whole.
#[derive(Debug)]
pub(crate) struct Bits {
    table: Vec<f64>,
}

impl Bits {
    /// For weights that are mostly below `most`.
    pub(crate) fn new(most: usize) -> Self {
        Bits { table: (0..=most.min(TABLE)).map(|v| direct(v as f64)).collect() }
    }

    /// `v log2 v`; nothing for what is not above zero.
    pub(crate) fn of(&self, v: f64) -> f64 {
        let whole = v as u32;
        match self.table.get(whole as usize) {
            Some(&bits) if f64::from(whole) == v => bits,
            _ => direct(v),
        }
    }

    /// The bits that tell which class each of so many rows is of, `n H(class)`.
    pub(crate) fn of_classes(&self, weights: &[f64]) -> f64 {
        let parts: f64 = weights.iter().map(|&weight| self.of(weight)).sum();
        self.of(weights.iter().sum()) - parts
    }
}

fn direct(v: f64) -> f64 {
    if v > 0.0 { v * v.log2() } else { 0.0 }
}
