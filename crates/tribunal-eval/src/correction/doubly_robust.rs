//! Doubly robust estimates: right if either the selection model or the outcome model is.
//!
//! For `mu_g = E[Y g(X)]` over the population, with an outcome model `m(x)` and inverse-probability weights w of the actioned rows,
//! `mu_g = mean of g m over the population + sum w g (y - m) / sum w over the actioned`. With g = 1 it is the strike rate; with g
//! saying who scores at least the cut-off, `mu_g` over their share is the precision, and over the strike rate the recall. The
//! variance is that of the stacked estimating equations of both models (augmented inverse-probability weighting: Robins, Rotnitzky
//! and Zhao 1994; for a sample that was not drawn at random Chen, Li and Wu 2020).

use super::figures::{CorrectedFigure, FigureName, share_interval};
use super::selection_model::{DEPENDENT, SelectionModel, inner};
use crate::checks::{all_finite, check_length};
use crate::error::Error;
use crate::intervals::{Level, NoInterval};
use crate::undefined::Undefined;
use crate::unlabelled::Square;

/// A logistic regression of the outcome on the columns of the selection model, and which rows score at least the cut-off.
#[derive(Clone, Copy, Debug)]
pub struct OutcomeModel<'a> {
    /// The coefficients, the intercept first, fitted on the actioned rows.
    pub coefficients: &'a [f64],
    /// Whether each actioned row scores at least the cut-off, and whether each row of the population does.
    pub flagged: Option<(&'a [bool], &'a [bool])>,
}

/// What each row adds to an estimate: its influence value over the number of rows, of the actioned and of the population.
#[derive(Clone)]
struct Contributions {
    value: f64,
    actioned: Vec<f64>,
    population: Vec<f64>,
}

impl Contributions {
    fn variance(&self) -> f64 {
        self.actioned.iter().chain(&self.population).map(|part| part * part).sum()
    }

    /// The ratio of two estimates, linearised.
    fn over(&self, base: &Self) -> Self {
        let value = self.value / base.value;
        let ratio = |(a, b): (&f64, &f64)| (a - value * b) / base.value;
        Self {
            value,
            actioned: self.actioned.iter().zip(&base.actioned).map(ratio).collect(),
            population: self.population.iter().zip(&base.population).map(ratio).collect(),
        }
    }
}

/// The models and what they say of the rows.
struct Estimation<'a> {
    selection: &'a SelectionModel,
    /// The chance of the outcome of each actioned row and of each row of the population.
    actioned: Vec<f64>,
    population: Vec<f64>,
    /// What the outcome exceeds its chance by.
    residuals: Vec<f64>,
    inverse_information: Square,
}

/// Strike rate, and where the scores of the population are known precision and recall, by both models.
///
/// # Errors
/// Truth or coefficients do not fit the rows of the selection model, or its columns are linearly dependent among the actioned.
pub fn doubly_robust(
    selection: &SelectionModel,
    truth: &[bool],
    outcome: OutcomeModel<'_>,
    level: Level,
) -> Result<Vec<CorrectedFigure>, Error> {
    let estimation = Estimation::of(selection, truth, outcome.coefficients)?;
    let all = |n: usize| vec![1.0; n];
    let n_rows = (selection.actioned.n_rows(), selection.population.n_rows());
    let strike_rate = estimation.mean_of((&all(n_rows.0), &all(n_rows.1)));
    let effective = selection.effective_rows();
    let mut figures = vec![figure(FigureName::StrikeRate, &strike_rate, effective, level)];
    let Some((actioned, population)) = outcome.flagged else { return Ok(figures) };
    check_length("flagged actioned rows", actioned.len(), n_rows.0)?;
    check_length("flagged rows of the population", population.len(), n_rows.1)?;
    let as_numbers =
        |flagged: &[bool]| flagged.iter().map(|flagged| f64::from(u8::from(*flagged))).collect::<Vec<_>>();
    let (actioned, population) = (as_numbers(actioned), as_numbers(population));
    let hits = estimation.mean_of((&actioned, &population));
    let flagged = share_of_population(&population, n_rows.0);
    let ratio = |name: FigureName, base: &Contributions, why: Undefined| match base.value > 0.0 {
        true => figure(name, &hits.over(base), effective * base.value.min(1.0), level),
        false => CorrectedFigure { name, value: Err(why.clone()), interval: Err(NoInterval::Undefined(why)) },
    };
    figures.push(ratio(FigureName::Precision, &flagged, Undefined::NonePredictedPositive));
    figures.push(ratio(FigureName::Sensitivity, &strike_rate, Undefined::NoPositives));
    Ok(figures)
}

/// The share of the population that is flagged.
fn share_of_population(flagged: &[f64], n_actioned: usize) -> Contributions {
    let n = flagged.len() as f64;
    let value = flagged.iter().sum::<f64>() / n;
    Contributions {
        value,
        actioned: vec![0.0; n_actioned],
        population: flagged.iter().map(|flagged| (flagged - value) / n).collect(),
    }
}

fn figure(name: FigureName, found: &Contributions, effective: f64, level: Level) -> CorrectedFigure {
    // Unlike a weighted share this sum of two terms can leave the range of shares.
    let value = found.value.clamp(0.0, 1.0);
    let interval = share_interval(level, value, found.variance(), effective.max(1.0));
    CorrectedFigure { name, value: Ok(value), interval: Ok(interval) }
}

impl<'a> Estimation<'a> {
    fn of(selection: &'a SelectionModel, truth: &[bool], coefficients: &[f64]) -> Result<Self, Error> {
        check_length("truth", truth.len(), selection.actioned.n_rows())?;
        all_finite("a coefficient of the outcome model", coefficients)?;
        if coefficients.len() != selection.actioned.width() {
            let what = "the coefficients of the outcome model".to_owned();
            let expected = selection.actioned.width();
            return Err(Error::LengthMismatch { what, found: coefficients.len(), expected });
        }
        let actioned = selection.actioned.chances(coefficients);
        let population = selection.population.chances(coefficients);
        let residual = |(truth, chance): (&bool, &f64)| f64::from(u8::from(*truth)) - chance;
        let residuals = truth.iter().zip(&actioned).map(residual).collect();
        let mut information = Square::zeros(coefficients.len());
        // Where the outcome model is sure of every row, its coefficients vary next to nothing.
        let spread = actioned.iter().map(|chance| (chance * (1.0 - chance)).max(1e-12));
        selection.actioned.add_products(spread, &mut information);
        let inverse_information = information.inverse().ok_or(DEPENDENT)?;
        Ok(Self { selection, actioned, population, residuals, inverse_information })
    }

    /// The mean of the outcome times g over the population, with what each row adds.
    fn mean_of(&self, (g_actioned, g_population): (&[f64], &[f64])) -> Contributions {
        let selection = self.selection;
        let weights = selection.weights();
        let total: f64 = weights.iter().sum();
        let n = g_population.len() as f64;
        let by_model =
            g_population.iter().zip(&self.population).map(|(g, chance)| g * chance).sum::<f64>() / n;
        let left = || weights.iter().zip(g_actioned).zip(&self.residuals).map(|((w, g), r)| (w, g * r));
        let correction = left().map(|(w, gr)| w * gr).sum::<f64>() / total;
        let selected = left().map(|(w, gr)| w * (gr - correction) / total);
        let by_selection = selection.inverse_information.times(&selection.actioned.sum_of(selected));
        let by_outcome =
            self.inverse_information.times(&self.outcome_slope((g_actioned, g_population), total));
        let rows =
            selection.actioned.rows().zip(&selection.actioned_chances).zip(left()).zip(&self.residuals);
        let actioned = rows.map(|(((row, chance), (w, gr)), residual)| {
            w * (gr - correction) / total - (1.0 - chance) * inner(row, &by_selection)
                + residual * inner(row, &by_outcome)
        });
        let rows = selection.population.rows().zip(&selection.population_chances);
        let population = rows
            .zip(g_population.iter().zip(&self.population))
            .map(|((row, chance), (g, m))| (g * m - by_model) / n + chance * inner(row, &by_selection));
        Contributions {
            value: by_model + correction,
            actioned: actioned.collect(),
            population: population.collect(),
        }
    }

    /// How the estimate moves with the coefficients of the outcome model.
    fn outcome_slope(&self, (g_actioned, g_population): (&[f64], &[f64]), total: f64) -> Vec<f64> {
        let n = g_population.len() as f64;
        let spread = |chance: &f64| chance * (1.0 - chance);
        let of_population =
            g_population.iter().zip(&self.population).map(|(g, chance)| g * spread(chance) / n);
        let mut slope = self.selection.population.sum_of(of_population);
        let rows = self.selection.weights().iter().zip(g_actioned).zip(&self.actioned);
        let of_actioned =
            self.selection.actioned.sum_of(rows.map(|((w, g), chance)| w * g * spread(chance) / total));
        slope.iter_mut().zip(of_actioned).for_each(|(slope, of_actioned)| *slope -= of_actioned);
        slope
    }
}

#[cfg(test)]
mod tests {
    use super::super::design::{ClassInfluence, SamplingDesign};
    use super::super::selection_model::ModelRows;
    use super::*;

    const SELECTION: [f64; 2] = [-2.2772455741344646, 2.198756015859714];
    const OUTCOME: [f64; 2] = [-3.1014783238056367, 3.5755233193135663];

    /// The rows of `tests/reference/make_correction_reference.py`: scores of 240 rows of the population and of 90 actioned ones, and
    /// whether these are hits.
    fn rows() -> (Vec<f64>, Vec<f64>, Vec<bool>) {
        let mut state: u32 = 12345;
        let uniform: Vec<f64> = (0..420)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                f64::from(state >> 8) / f64::from(1u32 << 24)
            })
            .collect();
        let actioned: Vec<f64> = uniform[240..330].iter().map(|u| u.sqrt()).collect();
        let truth = uniform[330..].iter().zip(&actioned).map(|(u, x)| *u < 0.1 + 0.5 * x * x).collect();
        (uniform[..240].to_vec(), actioned, truth)
    }

    fn model(population: &[f64], actioned: &[f64]) -> SelectionModel {
        let of = |column| ModelRows { columns: vec![column], n_rows: column.len() };
        SelectionModel::new(&of(actioned), &of(population), &SELECTION).expect("a model")
    }

    #[track_caller]
    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 2e-6 * expected, "{found} is not {expected}");
    }

    #[test]
    fn weighted_figures_and_their_errors_are_those_of_stacked_equations() {
        let (population, actioned, truth) = rows();
        let model = model(&population, &actioned);
        let total: f64 = model.weights().iter().sum();
        let check = |base: &[f64], value: f64, error: f64| {
            let rows = || model.weights().iter().zip(base).zip(&truth);
            let weight: f64 = rows().map(|((w, base), _)| w * base).sum();
            let found =
                rows().map(|((w, base), hit)| if *hit { w * base } else { 0.0 }).sum::<f64>() / weight;
            near(found, value);
            let of = |hit: f64| base.iter().map(|base| base * (hit - found) * total / weight).collect();
            let influence = ClassInfluence { positive: of(1.0), negative: of(0.0) };
            let variance = SamplingDesign::Modelled(&model).variance(model.weights(), &influence, &truth);
            near(variance.sqrt(), error);
        };
        check(&[1.0; 90], 0.28003248282251175, 0.04932447366755333);
        let flagged: Vec<f64> = actioned.iter().map(|x| f64::from(u8::from(*x >= 0.5))).collect();
        check(&flagged, 0.348019539310349, 0.05839721722585929);
    }

    #[test]
    fn doubly_robust_figures_and_their_errors_are_those_of_stacked_equations() {
        let (population, actioned, truth) = rows();
        let model = model(&population, &actioned);
        let estimation = Estimation::of(&model, &truth, &OUTCOME).expect("a model");
        let flagged =
            |rows: &[f64]| rows.iter().map(|x| f64::from(u8::from(*x >= 0.5))).collect::<Vec<f64>>();
        let (in_actioned, in_population) = (flagged(&actioned), flagged(&population));
        let strike_rate = estimation.mean_of((&[1.0; 90], &[1.0; 240]));
        let hits = estimation.mean_of((&in_actioned, &in_population));
        let share = share_of_population(&in_population, 90);
        for (found, value, error) in [
            (&strike_rate, 0.2668568359380188, 0.04572415986402402),
            (&hits.over(&share), 0.37347392445146294, 0.06148401513705934),
            (&hits.over(&strike_rate), 0.7230900679571645, 0.11598385736956231),
        ] {
            near(found.value, value);
            near(found.variance().sqrt(), error);
        }
    }
}
