//! Weights in short: how unevenly rows count, and whether the weights look like amounts of money.

/// Figures of the weights above zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct WeightFigures {
    n: u64,
    sum: f64,
    sum_of_squares: f64,
    least: f64,
    most: f64,
    /// How many are no whole numbers.
    n_fractions: u64,
    /// How many have more than two decimals.
    n_beyond_cents: u64,
    /// How many are neither the least nor the greatest of those before; a case-control sample has two weights only.
    n_others: u64,
}

/// Kish's effective sample size below this share of the rows means that a few rows decide.
const UNEVEN: f64 = 0.1;
/// Fewer rows than this are uneven by chance.
const FEWEST: u64 = 100;

impl WeightFigures {
    /// The figures of some weights.
    pub(super) fn of(weights: &[f64]) -> Self {
        let mut figures = Self::default();
        weights.iter().filter(|&&weight| weight > 0.0).for_each(|&weight| figures.take(weight));
        figures
    }

    fn take(&mut self, weight: f64) {
        self.add(&Self {
            n: 1,
            sum: weight,
            sum_of_squares: weight * weight,
            least: weight,
            most: weight,
            n_fractions: u64::from(weight.fract() != 0.0),
            n_beyond_cents: u64::from(!is_in_cents(weight)),
            n_others: 0,
        });
    }

    /// Adds those of further rows.
    pub(super) fn add(&mut self, other: &Self) {
        let is_other = |end: f64| end != self.least && end != self.most;
        self.n_others += other.n_others.max(u64::from(is_other(other.least) || is_other(other.most)));
        self.least =
            if self.n == 0 || (other.n > 0 && other.least < self.least) { other.least } else { self.least };
        self.most = self.most.max(other.most);
        self.n += other.n;
        self.sum += other.sum;
        self.sum_of_squares += other.sum_of_squares;
        self.n_fractions += other.n_fractions;
        self.n_beyond_cents += other.n_beyond_cents;
    }

    /// Rows that count.
    pub(super) fn n(&self) -> u64 {
        self.n
    }

    /// The least and the greatest weight.
    pub(super) fn range(&self) -> (f64, f64) {
        (self.least, self.most)
    }

    /// Kish's effective sample size: so many rows of equal weight would say as much.
    pub(super) fn effective(&self) -> f64 {
        if self.sum_of_squares > 0.0 { self.sum * self.sum / self.sum_of_squares } else { 0.0 }
    }

    /// Whether a few rows decide. Whole numbers may count equal cases, which is nothing uneven.
    pub(super) fn is_uneven(&self) -> bool {
        self.n >= FEWEST && self.n_fractions > 0 && self.effective() < UNEVEN * self.n as f64
    }

    /// Whether they look like amounts of money: large, spread over orders of magnitude, and in cents or called so.
    pub(super) fn look_like_money(&self, column: &str) -> bool {
        let mean = self.sum / self.n.max(1) as f64;
        let spread = if self.least > 0.0 { self.most / self.least } else { 1.0 };
        let in_cents = self.n_beyond_cents == 0 && self.n_fractions * 4 >= self.n;
        let has_many_values = self.n_others * 10 >= self.n;
        mean >= 10.0
            && has_many_values
            && ((in_cents && spread >= 100.0) || (is_called_money(column) && spread >= 10.0))
    }
}

fn is_in_cents(weight: f64) -> bool {
    let cents = 100.0 * weight;
    (cents - cents.round()).abs() <= 1e-9 * cents.max(1.0)
}

/// Whether a name has a word that amounts are called by.
fn is_called_money(name: &str) -> bool {
    const WORDS: [&str; 16] = [
        "amount", "paid", "payment", "cost", "costs", "price", "value", "loss", "sum", "total", "premium",
        "benefit", "balance", "salary", "eur", "usd",
    ];
    name.split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word.to_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_weights_count_like_rows_and_one_heavy_row_like_one() {
        assert_eq!(WeightFigures::of(&[2.0; 50]).effective(), 50.0);
        let mut heavy = vec![0.5; 199];
        heavy.push(1e6);
        let figures = WeightFigures::of(&heavy);
        assert!(figures.effective() < 1.01 && figures.is_uneven());
        assert_eq!((figures.n(), figures.range()), (200, (0.5, 1e6)));
    }

    #[test]
    fn figures_of_pieces_are_those_of_the_whole() {
        let weights: Vec<f64> = (0..100).map(|row| f64::from(row % 7) * 1.25).collect();
        let mut pieces = WeightFigures::default();
        weights.chunks(30).for_each(|piece| pieces.add(&WeightFigures::of(piece)));
        let whole = WeightFigures::of(&weights);
        assert_eq!(
            (pieces.n, pieces.range(), pieces.n_fractions),
            (whole.n, whole.range(), whole.n_fractions)
        );
    }

    #[test]
    fn money_is_told_from_weights_of_surveys_samples_and_counts() {
        let check = |name: &str, weights: &[f64], expected: bool| {
            assert_eq!(
                WeightFigures::of(weights).look_like_money(name),
                expected,
                "{name} {:?}",
                &weights[..3]
            );
        };
        let rows = |weight: fn(f64) -> f64| (1..=300).map(|row| weight(f64::from(row))).collect::<Vec<f64>>();
        check("w", &rows(|row| (row * row * 12.34 * 100.0).round() / 100.0), true);
        check("paid_amount", &rows(|row| row * 50.0), true);
        check("w", &rows(|row| row * 50.0), false);
        check("weight", &rows(|row| 1000.0 + row / 7.0), false);
        check("value", &rows(|row| 1.0 + row % 3.0), false);
        check("w", &rows(|row| if row % 10.0 == 0.0 { 1.0 } else { 19.5 }), false);
        check("w", &rows(|row| if row % 3.0 == 0.0 { 1.0 } else { 231.15 }), false);
    }
}
