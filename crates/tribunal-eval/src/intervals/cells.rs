//! Intervals of figures at a cut-off: functions of the four cells of a confusion matrix.
//!
//! Where the cut-off is a score, the cells are counts of independent cases. Where it is a list of given length, the cut is a
//! sample quantile and the cells move together. Weighted cases count as many as vary alike.

use super::chosen_cutoff::{Correction, Optimism};
use super::interval::{Interval, IntervalMethod, Level};
use super::sampled::{NoInterval, Sampled};
use crate::confusion::Confusion;
use crate::cutoff::Cutoff;
use crate::influence::{BaseRate, ClassValues, Influence, ListCut, Moments, Variance, divided};
use crate::ranking::Ranking;

/// Fewer cases than this above or below a cut-off with the fewest errors show nothing of how it does on new cases.
const FEWEST_LISTED: f64 = 10.0;
/// With fewer cases than this in a cell the correction for the choice of such a cut-off may be too large.
const FEW_IN_CELL: f64 = 20.0;

/// With so few cases in a cell at a list of given length, hits say more than the variance of the cells.
const FEW_IN_LIST_CELL: f64 = 3.5;

/// Variances of a share of one case that are smaller than this are rounding.
const ROUNDING: f64 = 1e-9;

/// Successes and cases of a share.
pub(crate) type Parts = fn(&Confusion) -> (f64, f64);

/// A figure as a function of the cells.
pub(crate) type OfCells<'a> = &'a dyn Fn(&Confusion) -> f64;

/// The cells of a cut-off and how they vary.
#[derive(Clone, Copy, Debug)]
pub struct CellSample<'a> {
    /// The cells, as weights.
    pub cells: Confusion,
    /// The sums of the squared weights in each; the cells themselves where every row counts one.
    pub squares: Confusion,
    /// The confidence level.
    pub level: Level,
    /// Which other samples are meant.
    pub base_rate: BaseRate,
    /// The ranking and the cut, where the list has a given length.
    pub(crate) list: Option<(&'a Ranking, ListCut)>,
}

/// Derivatives of a figure in the four cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellDerivatives {
    pub(crate) tp: f64,
    pub(crate) fp: f64,
    pub(crate) fn_: f64,
    pub(crate) tn: f64,
}

impl CellDerivatives {
    /// By differences in each cell, of second order.
    pub(crate) fn of(cells: &Confusion, figure: OfCells<'_>) -> Self {
        let step = 1e-5 * cells.total();
        let along = |cell: fn(&mut Confusion) -> &mut f64| {
            let at = |steps: f64| {
                let mut moved = *cells;
                *cell(&mut moved) += steps * step;
                figure(&moved)
            };
            let is_inside = *cell(&mut { *cells }) > 2.0 * step;
            let difference = match is_inside {
                true => at(1.0) - at(-1.0),
                // A cell cannot hold less than nothing.
                false => 4.0 * at(1.0) - 3.0 * at(0.0) - at(2.0),
            };
            difference / (2.0 * step)
        };
        Self {
            tp: along(|cells| &mut cells.tp),
            fp: along(|cells| &mut cells.fp),
            fn_: along(|cells| &mut cells.fn_),
            tn: along(|cells| &mut cells.tn),
        }
    }
}

impl<'a> CellSample<'a> {
    /// The cells of a cut-off; of one that was chosen on the data as they would be on new cases.
    pub(crate) fn of(sampled: &Sampled<'a>, cutoff: &Cutoff) -> Result<Self, NoInterval> {
        let raw = cutoff.confusion;
        let corrected = |optimism: Optimism| optimism.corrected(&raw, Correction::OnNewCases);
        Self::with(sampled, cutoff, Optimism::of(sampled.ranking, cutoff).map_or(raw, corrected))
    }

    /// The same cut-off with other cells.
    fn with(sampled: &Sampled<'a>, cutoff: &Cutoff, cells: Confusion) -> Result<Self, NoInterval> {
        let Sampled { ranking, level, base_rate } = *sampled;
        ranking.both_classes()?;
        let weight = cutoff.share * ranking.totals().total();
        let raw = cutoff.confusion;
        let squares = if ranking.is_weighted() { squared_cells(ranking, weight) } else { raw };
        // What moves from one cell to another takes its mean weight along.
        let moved = |square: (f64, f64), raw: (f64, f64), new: (f64, f64)| {
            let mean = if raw.0 + raw.1 > 0.0 { (square.0 + square.1) / (raw.0 + raw.1) } else { 0.0 };
            let moved = |square: f64, raw: f64, new: f64| (square + (new - raw) * mean).max(0.0);
            (moved(square.0, raw.0, new.0), moved(square.1, raw.1, new.1))
        };
        let (tp, fn_) = moved((squares.tp, squares.fn_), (raw.tp, raw.fn_), (cells.tp, cells.fn_));
        let (fp, tn) = moved((squares.fp, squares.tn), (raw.fp, raw.tn), (cells.fp, cells.tn));
        let squares = if ranking.is_weighted() { Confusion { tp, fp, fn_, tn } } else { cells };
        let list = match cutoff.rule.is_list() {
            true => {
                sampled.classes()?;
                Some((ranking, ListCut::judged(ranking, weight)?))
            }
            false => None,
        };
        Ok(Self { cells, squares, level, base_rate, list })
    }

    /// The variance of a figure with these derivatives.
    pub(crate) fn variance(&self, d: CellDerivatives) -> f64 {
        if let Some((ranking, cut)) = &self.list {
            let total = self.cells.total();
            let in_hits = total * (d.tp - d.fp - d.fn_ + d.tn);
            let in_base_rate = total * (d.fn_ - d.tn);
            let moments = Moments::of(ranking, &cut.influence(in_hits, in_base_rate));
            return Variance::of(&moments, self.base_rate).total;
        }
        let (c, s) = (&self.cells, &self.squares);
        match self.base_rate {
            BaseRate::Random => {
                s.tp * d.tp.powi(2) + s.fp * d.fp.powi(2) + s.fn_ * d.fn_.powi(2) + s.tn * d.tn.powi(2)
            }
            BaseRate::Fixed => {
                let class =
                    |(n_in, n_out): (f64, f64), (s_in, s_out): (f64, f64), (d_in, d_out): (f64, f64)| {
                        let n = n_in + n_out;
                        if n <= 0.0 {
                            return 0.0;
                        }
                        let mean = (n_in * d_in + n_out * d_out) / n;
                        s_in * (d_in - mean).powi(2) + s_out * (d_out - mean).powi(2)
                    };
                class((c.tp, c.fn_), (s.tp, s.fn_), (d.tp, d.fn_))
                    + class((c.fp, c.tn), (s.fp, s.tn), (d.fp, d.tn))
            }
        }
    }

    /// How many cases of equal weight a weight of all cells stands for.
    fn per_weight(&self) -> f64 {
        let squares = self.squares.total();
        if squares > 0.0 { self.cells.total() / squares } else { 1.0 }
    }

    /// Positives and negatives of equal weight.
    fn classes(&self) -> (f64, f64) {
        let kish = |sum: f64, squares: f64| if squares > 0.0 { sum * sum / squares } else { 0.0 };
        (
            kish(self.cells.positives(), self.squares.positives()),
            kish(self.cells.negatives(), self.squares.negatives()),
        )
    }

    fn is_plain(&self) -> bool {
        self.list.is_none() && self.base_rate == BaseRate::Random && self.cells == self.squares
    }

    /// A share of cases: Wilson's interval, on as many cases as vary alike where they are weighted or the list is given.
    /// `n_squares` is the sum of the squared weights of the cases.
    pub(crate) fn share(&self, parts: fn(&Confusion) -> (f64, f64)) -> Result<Interval, NoInterval> {
        let (successes, n) = parts(&self.cells);
        if n <= 0.0 {
            return Err(NoInterval::FewCases);
        }
        let share = (successes / n).clamp(0.0, 1.0);
        if self.is_plain() {
            return Ok(self.level.wilson(share, n, self.level.z()));
        }
        let (_, squares) = parts(&self.squares);
        let n_cases = if squares > 0.0 { n * n / squares } else { 1.0 };
        let derivatives = CellDerivatives::of(&self.cells, &|cells| {
            let (successes, n) = parts(cells);
            successes / n
        });
        Ok(self.effective_wilson(share, self.variance(derivatives), n_cases, self.level.z()))
    }

    fn effective_wilson(&self, f: f64, variance: f64, m: f64, quantile: f64) -> Interval {
        let n = self.level.effective(f, variance, m);
        Interval { method: IntervalMethod::EffectiveWilson, ..self.level.wilson(f, n, quantile) }
    }

    /// A figure between 0 and 1 that rests on about `weight` of the cases.
    pub(crate) fn rate(&self, figure: OfCells<'_>, weight: f64) -> Result<Interval, NoInterval> {
        let value = figure(&self.cells);
        if !value.is_finite() || weight <= 0.0 {
            return Err(NoInterval::FewCases);
        }
        let variance = self.variance(CellDerivatives::of(&self.cells, figure));
        Ok(self.effective_wilson(value, variance, weight * self.per_weight(), self.level.z()))
    }

    /// A correlation: Fisher's z of cells with half a case added to each.
    pub(crate) fn correlation(&self, figure: OfCells<'_>) -> Result<Interval, NoInterval> {
        let (p, m) = self.classes();
        if p < 2.0 || m < 2.0 {
            return Err(NoInterval::FewCases);
        }
        let half = 0.5 / self.per_weight();
        let added = |cells: &Confusion, by: f64| Confusion {
            tp: cells.tp + by,
            fp: cells.fp + by,
            fn_: cells.fn_ + by,
            tn: cells.tn + by,
        };
        let smoothed = Self {
            cells: added(&self.cells, half),
            squares: added(&self.squares, half / self.per_weight()),
            ..*self
        };
        let x = figure(&smoothed.cells);
        let error = smoothed.variance(CellDerivatives::of(&smoothed.cells, figure)).sqrt();
        let step = self.level.t(p.min(m) - 1.0) * error / (1.0 - x * x);
        let (lower, upper) = ((x.atanh() - step).tanh(), (x.atanh() + step).tanh());
        let interval = Interval { lower, upper, level: self.level, method: IntervalMethod::FisherZ };
        Ok(interval.holding(figure(&self.cells)))
    }

    /// A mean of sensitivity and specificity at a list of given length, which rise and fall together with its hits; nothing at
    /// other cut-offs. The mean of a share of each class rests on four times their harmonic sum of cases.
    pub(crate) fn mean_of_list(&self, figure: OfCells<'_>) -> Option<Result<Interval, NoInterval>> {
        let (p, m) = (self.cells.positives(), self.cells.negatives());
        self.list.is_some().then(|| self.rate(figure, 4.0 * p * m / (p + m)))
    }

    /// Whether a cell holds so few cases that its figures are better judged by those of the list.
    pub(crate) fn has_few_in_cell(&self) -> bool {
        let Confusion { tp, fp, fn_, tn } = self.cells;
        tp.min(fp).min(fn_).min(tn) * self.per_weight() < FEW_IN_LIST_CELL
    }

    /// A sum of two shares of all cases, each with a factor: the arms of their intervals added as squares, with the correlation
    /// of the shares (Zou and Donner 2008).
    pub(crate) fn sum_of_shares(&self, terms: [(f64, Parts); 2]) -> Result<Interval, NoInterval> {
        let share = |parts: Parts, cells: &Confusion| {
            let (successes, n) = parts(cells);
            successes / n
        };
        let sum = |cells: &Confusion| terms.iter().map(|(factor, parts)| factor * share(*parts, cells)).sum();
        let variance = |figure: OfCells<'_>| self.variance(CellDerivatives::of(&self.cells, figure));
        let [one, other] = terms.map(|(factor, parts)| variance(&|cells| factor * share(parts, cells)));
        let both = variance(&sum) - one - other;
        // Derivatives are numeric: a share that cannot vary has a variance of their rounding.
        let n_cases = self.cells.total() * self.per_weight();
        let varies = |variance: f64, factor: f64| variance * n_cases > ROUNDING * factor * factor;
        let correlation = match varies(one, terms[0].0) && varies(other, terms[1].0) {
            true => (0.5 * both / (one * other).sqrt()).clamp(-1.0, 1.0),
            false => 0.0,
        };
        let mut arms = [(0.0, 0.0); 2];
        for (arm, (factor, parts)) in arms.iter_mut().zip(terms) {
            let (value, interval) = (share(parts, &self.cells), self.share(parts)?);
            *arm = (factor * (value - interval.lower), factor * (interval.upper - value));
        }
        let added = |a: f64, b: f64| (a * a + b * b + 2.0 * correlation * a * b).max(0.0).sqrt();
        let [a, b] = arms;
        let value = sum(&self.cells);
        Ok(Interval {
            lower: (value - added(a.0, b.0)).max(0.0),
            upper: value + added(a.1, b.1),
            level: self.level,
            method: IntervalMethod::SquareAndAdd,
        })
    }

    /// The intervals of sensitivity and specificity.
    pub(crate) fn arms(&self) -> Result<[Arm; 2], NoInterval> {
        let arm = |parts: fn(&Confusion) -> (f64, f64)| {
            let (successes, n) = parts(&self.cells);
            Ok::<Arm, NoInterval>(Arm { value: successes / n, interval: self.share(parts)? })
        };
        Ok([arm(|c| (c.tp, c.positives()))?, arm(|c| (c.tn, c.negatives()))?])
    }
}

/// The interval of a figure of one part of the cases - those flagged, a class - at a cut-off that may have been chosen on them.
///
/// The cut-off with the fewest errors or the least cost often flags nearly nobody or nearly everybody. There the criterion has
/// no parabola around its maximum, and the correction may be too large for one class: the interval then also holds that of the
/// cells as they were counted. With hardly a case on one side of the cut there is none.
pub(crate) fn part_interval(
    sampled: &Sampled<'_>,
    cutoff: &Cutoff,
    of: &dyn Fn(&CellSample<'_>) -> Result<Interval, NoInterval>,
) -> Result<Interval, NoInterval> {
    let on_new_cases = CellSample::of(sampled, cutoff)?;
    if !cutoff.rule.is_linear() || Optimism::of(sampled.ranking, cutoff).is_none() {
        return of(&on_new_cases);
    }
    let counted = CellSample::with(sampled, cutoff, cutoff.confusion)?;
    let n_cases = |weight: f64| weight * counted.per_weight();
    let cells = &counted.cells;
    if n_cases(cells.flagged().min(cells.passed())) < FEWEST_LISTED {
        return Err(NoInterval::FewAtCutoff);
    }
    let interval = of(&on_new_cases)?;
    if n_cases(cells.tp.min(cells.fp).min(cells.fn_).min(cells.tn)) >= FEW_IN_CELL {
        return Ok(interval);
    }
    let Interval { lower, upper, .. } = of(&counted)?;
    Ok(interval.holding(lower).holding(upper))
}

/// The interval of a share of a part of the cases. Where every case of the part agrees, the correction of a chosen cut-off must not
/// exclude that they do on new cases too: the interval then also holds that of the cells as they were counted.
pub(crate) fn share_interval(
    sampled: &Sampled<'_>,
    cutoff: &Cutoff,
    parts: fn(&Confusion) -> (f64, f64),
) -> Result<Interval, NoInterval> {
    let interval = part_interval(sampled, cutoff, &|sample| sample.share(parts))?;
    let counted = CellSample::with(sampled, cutoff, cutoff.confusion)?;
    let (successes, n) = parts(&counted.cells);
    let is_unanimous = successes.min(n - successes) * counted.per_weight() < 1.0;
    if !is_unanimous || Optimism::of(sampled.ranking, cutoff).is_none() {
        return Ok(interval);
    }
    let Interval { lower, upper, .. } = counted.share(parts)?;
    Ok(interval.holding(lower).holding(upper))
}

/// Sums of the squared weights of each cell, where the first `weight` of the list is flagged.
fn squared_cells(ranking: &Ranking, weight: f64) -> Confusion {
    let (start, end, share) = divided(ranking, weight);
    let unit = (ranking.totals().total() / ranking.n_rows()).powi(2);
    let squares = |from: usize, to: usize| ranking.powers_between(from, to).map(|powers| powers[1] * unit);
    let (above, cut, below) = (squares(0, start), squares(start, end), squares(end, ranking.n_blocks()));
    let flagged = [0, 1].map(|class| above[class] + share * cut[class]);
    let passed = [0, 1].map(|class| below[class] + (1.0 - share) * cut[class]);
    Confusion { tp: flagged[0], fp: flagged[1], fn_: passed[0], tn: passed[1] }
}

/// The variance that one case makes that changes sides at a cut-off.
pub(crate) fn one_case(ranking: &Ranking, cutoff: &Cutoff, figure: OfCells<'_>) -> f64 {
    let d = CellDerivatives::of(&cutoff.confusion, figure);
    let unit = ranking.totals().total() / ranking.n_rows();
    (unit * (d.tp - d.fn_).abs().max((d.fp - d.tn).abs())).powi(2)
}

/// The influence function of a figure at a cut-off.
pub(crate) fn influence(
    ranking: &Ranking,
    cutoff: &Cutoff,
    figure: OfCells<'_>,
) -> Result<Influence<'static>, NoInterval> {
    let (cells, total) = (cutoff.confusion, ranking.totals().total());
    let d = CellDerivatives::of(&cells, figure);
    if ![d.tp, d.fp, d.fn_, d.tn].iter().all(|derivative| derivative.is_finite()) {
        return Err(NoInterval::FewCases);
    }
    if cutoff.rule.is_list() {
        let cut = ListCut::at(ranking, cutoff.share * total)?;
        return Ok(cut.influence(total * (d.tp - d.fp - d.fn_ + d.tn), total * (d.fn_ - d.tn)));
    }
    Ok(Influence::List {
        weight: cells.flagged(),
        inside: ClassValues { positive: total * d.tp, negative: total * d.fp },
        outside: ClassValues { positive: total * d.fn_, negative: total * d.tn },
    })
}

/// A share and its interval.
pub(crate) struct Arm {
    pub(crate) value: f64,
    pub(crate) interval: Interval,
}

impl Arm {
    /// How far the ends lie from the value.
    pub(crate) fn lengths(&self) -> (f64, f64) {
        (self.value - self.interval.lower, self.interval.upper - self.value)
    }
}
