//! The variance of a figure and how well it is known.

use super::Moments;

/// Which samples an interval speaks of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum BaseRate {
    /// Other samples of cases: the number of positives varies too.
    #[default]
    Random,
    /// Other samples with as many positives and as many negatives.
    Fixed,
}

/// The variance of a figure over other samples, with what Student's t and corrections for skewness need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variance {
    /// The variance.
    pub total: f64,
    /// Satterthwaite's degrees of freedom of its parts: positives, negatives and the base rate.
    pub satterthwaite_df: f64,
    /// Degrees of freedom from the kurtosis of the influence values: few where some rows decide.
    pub kurtosis_df: f64,
    /// Skewness of the influence values.
    pub skewness: f64,
    /// How many rows there are; of weighted rows as many as vary alike.
    pub n_rows: f64,
}

impl Variance {
    /// The root of the variance.
    pub fn standard_error(&self) -> f64 {
        self.total.sqrt()
    }

    /// Whether the influence values of a figure of this size differ by rounding alone, so that nothing but their number is
    /// known.
    pub(crate) fn vanishes(&self, size: f64) -> bool {
        self.total * self.n_rows <= (1e-12 * size).powi(2)
    }

    /// The variance of a figure whose influence values have these moments.
    pub fn of(moments: &Moments, base_rate: BaseRate) -> Self {
        let Moments { rows, effective, sums } = moments;
        let n = rows.iter().sum::<f64>();
        let n_effective = moments.n_effective();
        let within = |class: usize| {
            let [first, second, ..] = sums[class];
            let spread = (second - first * first / rows[class]).max(0.0);
            // Values that differ by rounding alone do not vary.
            let spread = if spread < 1e-13 * second { 0.0 } else { spread };
            spread * effective[class] / (effective[class] - 1.0) / (n * n)
        };
        let between = |class: usize| sums[class][0].powi(2) / rows[class];
        let (positives, negatives) = (within(0), within(1));
        let classes = match base_rate {
            BaseRate::Random => (between(0) + between(1)) / (n * n) * n_effective / (n_effective - 1.0),
            BaseRate::Fixed => 0.0,
        };
        let total = positives + negatives + classes;
        let power = |k: usize| (sums[0][k - 1] + sums[1][k - 1]) / n;
        let least = effective[0].min(effective[1]) - 1.0;
        let known = |part: f64, df: f64| part * part / df;
        let (satterthwaite, kurtosis) = if total > 0.0 {
            let parts = known(positives, effective[0] - 1.0)
                + known(negatives, effective[1] - 1.0)
                + known(classes, n_effective - 1.0);
            let kurtosis = power(4) / power(2).powi(2);
            (total * total / parts, 2.0 * n_effective / (kurtosis - 1.0))
        } else {
            (least, least)
        };
        let skewness = if power(2) > 0.0 { power(3) / power(2).powf(1.5) } else { 0.0 };
        // Two values that are equally frequent have a kurtosis of one, and their variance is known for sure.
        let df = |df: f64| if df.is_nan() || df < 0.0 { f64::INFINITY } else { df.max(1.0) };
        Self {
            total,
            satterthwaite_df: df(satterthwaite),
            kurtosis_df: df(kurtosis),
            skewness,
            n_rows: n_effective,
        }
    }
}
