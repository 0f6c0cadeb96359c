//! Which cuts to keep: a walk down the list that stops before a curve would leave a band around the chord.
//!
//! Every curve is a polygon with a vertex a cut. From the last kept cut on, each passed vertex leaves a range of slopes for
//! a chord that stays within the tolerance of it; as soon as the chord to the next vertex lies outside for one curve, the
//! cut before is kept. Both polygons are straight between vertices, so what holds at the vertices holds everywhere.
//! References: Imai & Iri (1988), "Polygonal approximations of a curve"; Reumann & Witkam (1974).

use crate::curves::{CurveKind, Hull, Point};
use crate::ranking::{Ranking, Split};
use crate::scored_set::AmountsOf;

/// The curves of a ranking, and those of the amounts of positives and of everybody.
const N_CURVES: usize = CurveKind::OF_RANKINGS.len() + 2;

/// The blocks to keep so that no curve moves by more than `1 / about_rows` of its range.
pub(super) fn kept_blocks(ranking: &Ranking, about_rows: usize) -> Vec<usize> {
    let n_blocks = ranking.n_blocks();
    if n_blocks <= about_rows.max(2) {
        return (0..n_blocks).collect();
    }
    let tolerance = 1.0 / about_rows.max(1) as f64;
    let curves = Curves::of(ranking);
    let mut bands = curves.bands(ranking, tolerance);
    let corners = corners(ranking);
    let mut corners = corners.iter().copied().peekable();
    let head = (about_rows / 10).max(1);
    let mut kept: Vec<usize> = Vec::new();
    let mut before = [Point::default(); N_CURVES];
    for (block, (above, amounts)) in ranking.walk().enumerate() {
        let points = curves.points(above, amounts);
        let is_corner = corners.next_if_eq(&block).is_some();
        let is_forced = is_corner || block < head || block + 1 == n_blocks;
        if block > 0 && !bands.iter().zip(&points).all(|(band, point)| band.reaches(*point)) {
            if kept.last() != Some(&(block - 1)) {
                kept.push(block - 1);
            }
            restart(&mut bands, &before);
        }
        if is_forced {
            kept.push(block);
            restart(&mut bands, &points);
        } else {
            bands.iter_mut().zip(&points).for_each(|(band, point)| band.pass(*point));
        }
        before = points;
    }
    kept
}

/// The points of one curve from the origin to keep so that it moves by no more than this; the last one always.
pub(super) fn kept_points(points: &[Point], tolerance: f64) -> Vec<usize> {
    let mut band = Band::new(tolerance);
    let mut kept = Vec::new();
    for (place, point) in points.iter().enumerate() {
        if place > 0 && !band.reaches(*point) {
            kept.push(place - 1);
            band.restart(points[place - 1]);
        }
        band.pass(*point);
    }
    kept.extend(points.len().checked_sub(1));
    kept
}

fn restart(bands: &mut [Band], points: &[Point]) {
    bands.iter_mut().zip(points).for_each(|(band, point)| band.restart(*point));
}

/// The blocks at which the ROC hull has its vertices.
fn corners(ranking: &Ranking) -> Vec<usize> {
    let hull = Hull::of_ranking(ranking).ok();
    let scores = hull.iter().flat_map(|hull| hull.vertices()).filter_map(|vertex| vertex.score);
    scores.filter_map(|score| ranking.blocks_from(score).checked_sub(1)).collect()
}

/// The curves that a ranking has, as points of the weights and the amount above a cut.
struct Curves {
    has_both: bool,
    totals: Split,
    /// The amount of the positives and of everybody.
    amounts: [Option<f64>; 2],
    /// The curve of the amounts of everybody is another one where negatives have amounts.
    n_curves: usize,
}

impl Curves {
    fn of(ranking: &Ranking) -> Self {
        let n_blocks = ranking.n_blocks();
        let whole = [ranking.amount_through(n_blocks), ranking.amount_of_everybody_through(n_blocks)];
        let of_everybody = ranking.amounts_of() == AmountsOf::Everybody;
        Self {
            has_both: ranking.both_classes().is_ok(),
            totals: ranking.totals(),
            amounts: whole.map(|whole| (ranking.has_amounts() && whole != 0.0).then_some(whole)),
            n_curves: if of_everybody { N_CURVES } else { N_CURVES - 1 },
        }
    }

    /// Where each curve stands; one that the ranking does not have stays at the origin.
    fn points(&self, above: Split, amounts: [f64; 2]) -> [Point; N_CURVES] {
        let mut points = [Point::default(); N_CURVES];
        if self.has_both {
            for (point, kind) in points.iter_mut().zip(CurveKind::OF_RANKINGS) {
                *point = kind.point(above, self.totals).unwrap_or_default();
            }
        }
        let of_amounts = points[N_CURVES - 2..self.n_curves].iter_mut();
        for (point, (amount, whole)) in of_amounts.zip(amounts.into_iter().zip(self.amounts)) {
            if let Some(whole) = whole {
                *point = Point { x: above.total() / self.totals.total(), y: amount / whole };
            }
        }
        points
    }

    /// A band for every curve, as wide as the tolerance says of the curve's range.
    fn bands(&self, ranking: &Ranking, tolerance: f64) -> Vec<Band> {
        let mut ranges = [(f64::INFINITY, f64::NEG_INFINITY); N_CURVES];
        for (above, amounts) in ranking.walk() {
            for (range, point) in ranges.iter_mut().zip(self.points(above, amounts)) {
                *range = (range.0.min(point.y), range.1.max(point.y));
            }
        }
        // Rounding alone must not keep a cut of a flat curve.
        let width = |(low, high): (f64, f64)| (high - low) * tolerance + 1e-12 * high.abs().max(low.abs());
        ranges[..self.n_curves].iter().map(|&range| Band::new(width(range))).collect()
    }
}

/// What one curve demands of the chord from the last kept cut.
struct Band {
    width: f64,
    from: Point,
    /// The slopes that stay within the band at every passed vertex.
    slopes: (f64, f64),
    /// The ordinates of passed vertices straight above or below the start.
    upright: (f64, f64),
}

impl Band {
    fn new(width: f64) -> Self {
        let mut band = Self { width, from: Point::default(), slopes: (0.0, 0.0), upright: (0.0, 0.0) };
        band.restart(Point::default());
        band
    }

    fn restart(&mut self, from: Point) {
        self.from = from;
        self.slopes = (f64::NEG_INFINITY, f64::INFINITY);
        self.upright = (from.y, from.y);
    }

    /// Whether the chord to this vertex stays within the band at all passed ones.
    fn reaches(&self, to: Point) -> bool {
        let (low, high) = self.upright;
        if to.x <= self.from.x {
            // The chord is upright and covers whatever lies between its ends.
            let (bottom, top) = (self.from.y.min(to.y), self.from.y.max(to.y));
            return low >= bottom - self.width && high <= top + self.width;
        }
        let slope = (to.y - self.from.y) / (to.x - self.from.x);
        let is_near = self.from.y - low <= self.width && high - self.from.y <= self.width;
        is_near && (self.slopes.0..=self.slopes.1).contains(&slope)
    }

    /// Leaves a vertex behind without keeping it.
    fn pass(&mut self, point: Point) {
        let run = point.x - self.from.x;
        if run <= 0.0 {
            self.upright = (self.upright.0.min(point.y), self.upright.1.max(point.y));
        } else {
            let slope = |y: f64| (y - self.from.y) / run;
            let (low, high) = (slope(point.y - self.width), slope(point.y + self.width));
            self.slopes = (self.slopes.0.max(low), self.slopes.1.min(high));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::CutTable;
    use super::*;
    use crate::curves::{Benefit, Curve, Payoff};
    use crate::scored_set::ScoredSet;
    use crate::undefined::Undefined;

    /// Rankings that are hard to thin.
    fn awkward(shape: u8, n_rows: usize, seed: u64, with_weight: bool) -> Ranking {
        let draw = |row: usize, salt: u64| {
            let mixed = (row as u64 ^ seed).wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(salt << 17);
            let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            (mixed ^ (mixed >> 32)) as f64 / u64::MAX as f64
        };
        let score = |row: usize| match shape % 6 {
            // Few positives; saturated; tied; one huge block; amounts in one row; smooth.
            1 if draw(row, 1) < 0.4 => 1.0,
            2 => (draw(row, 1) * 200.0).floor(),
            3 if draw(row, 1) < 0.8 => 0.5,
            _ => draw(row, 1),
        };
        let truth: Vec<bool> = (0..n_rows)
            .map(|row| match shape % 6 {
                0 => row % (n_rows / 5) == 7,
                _ => draw(row, 2) < 0.02 + 0.6 * (score(row) / score(row).abs().max(1.0)).powi(2),
            })
            .collect();
        let scores: Vec<f64> = (0..n_rows).map(score).collect();
        let amount =
            |row: usize| if shape % 6 == 4 && row == n_rows / 2 { 1e9 } else { 100.0 * draw(row, 3) - 5.0 };
        let amounts: Vec<f64> = (0..n_rows).map(amount).collect();
        let weights: Vec<f64> = (0..n_rows).map(|row| 3.0 * draw(row, 4)).collect();
        let set = ScoredSet::new(&truth, &scores).expect("finite").with_amount(&amounts).expect("finite");
        let set = if with_weight { set.with_weight(&weights).expect("weights") } else { set };
        Ranking::of(&set).expect("few rows")
    }

    /// The largest move of a curve at any vertex of either, as a share of its range.
    fn largest_move(all: &Curve, few: &Curve) -> f64 {
        let (low, high) =
            all.points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p.y), h.max(p.y)));
        let at_x = |x: f64| (all.at(x) - few.at(x)).abs();
        let largest = all.points.iter().chain(&few.points).map(|point| at_x(point.x)).fold(0.0, f64::max);
        if high > low { largest / (high - low) } else { largest }
    }

    fn check(ranking: &Ranking, about_rows: usize) -> usize {
        let (all, few) = (CutTable::of(ranking), CutTable::thinned(ranking, about_rows));
        let bound = (1.0 + 1e-6) / about_rows as f64;
        type Read = fn(&CutTable) -> Result<Curve, Undefined>;
        let reads: [(&str, Read); 5] = [
            ("ROC", CutTable::roc),
            ("precision-recall", CutTable::precision_recall),
            ("CPH", CutTable::cph),
            ("lift", CutTable::lift),
            ("amounts", CutTable::amounts),
        ];
        for (name, read) in reads {
            if let (Ok(all), Ok(few)) = (read(&all), read(&few)) {
                let moved = largest_move(&all, &few);
                assert!(
                    moved <= bound,
                    "{name} moves by {moved} of its range with {} cuts",
                    few.points.len()
                );
            }
        }
        let brought_in = 7.0 * ranking.totals().positive;
        for cost in [0.0, 0.1, 1.0, 5.0] {
            let payoff = Payoff { benefit: Benefit::Fixed(7.0), cost };
            let (all, few) = (all.profit(&payoff).expect("rows"), few.profit(&payoff).expect("rows"));
            let moves = all.points.iter().map(|point| (point.y - few.at(point.x)).abs());
            assert!(moves.fold(0.0, f64::max) <= bound * brought_in, "profit at cost {cost}");
        }
        assert_eq!((few.score()[0], few.score().last()), (all.score()[0], all.score().last()));
        let head = (about_rows / 10).min(all.len());
        assert_eq!(few.score()[..head], all.score()[..head]);
        let hull = Hull::of_ranking(ranking);
        let mut corners = hull.iter().flat_map(Hull::vertices).filter_map(|vertex| vertex.score);
        assert!(corners.all(|score| few.score().contains(&score)), "a vertex of the hull is gone");
        few.len()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn no_curve_moves_by_more_than_the_bound(
            shape: u8,
            n_rows in 500usize..6000,
            seed: u64,
            with_weight: bool,
            about_rows in prop_oneof![Just(50usize), Just(200), Just(1000)],
        ) {
            check(&awkward(shape, n_rows, seed, with_weight), about_rows);
        }
    }

    #[test]
    fn a_long_list_keeps_about_as_many_rows_as_asked_for() {
        for shape in 0..6 {
            let ranking = awkward(shape, 200_000, 11, false);
            let n_kept = check(&ranking, 1000);
            assert!((100..=3000).contains(&n_kept), "shape {shape} keeps {n_kept} of {}", ranking.n_blocks());
        }
    }
}
