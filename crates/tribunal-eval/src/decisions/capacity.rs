//! Capacity: what acting on so many cases finds, what the last of them is like, and what is left undone.
//!
//! Two statements are made, and they differ. *Expected hits* are the mean over all lists like this one; the interval says how well
//! this sample knows that mean, and it is narrow where the sample is large. *Hits in the next list* is a number that somebody will
//! count; it varies by the chance of that list even where the mean is known exactly. `200` speaks of lists as long as this one, of
//! which the first 200 are acted on; `200/5000` of lists of 5,000 cases like these, that is of the same share of another sample of
//! another size.
//!
//! References: Witten & Frank (2005) on lift factors; Krishnamoorthy & Peng (2011) for counts to come.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::actions::ROUNDING;
use super::interval_estimate::IntervalEstimate;
use super::next_list::{holding_few_hits, next_count};
use crate::checks::within;
use crate::error::Error;
use crate::influence::{BaseRate, ListCut, blocks_at_cut, divided};
use crate::intervals::{Interval, Level, NoInterval, Sampled};
use crate::metrics;
use crate::ranking::{Ranking, Split};
use crate::undefined::Undefined;

/// Longer lists are a slip.
const MOST_CASES: f64 = 1e12;

/// How many cases can be acted on, of lists of how many.
///
/// ```
/// use tribunal_eval::decisions::Capacity;
///
/// let capacity: Capacity = "200/5000".parse()?;
/// assert_eq!((capacity.share(1000.0)?, capacity.list_size(1000.0)), (0.04, 5000.0));
/// assert_eq!("200".parse::<Capacity>()?.share(1000.0)?, 0.2);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(into = "String", try_from = "String")]
pub struct Capacity {
    cases: f64,
    of: Option<f64>,
}

impl Capacity {
    /// So many cases of the list at hand.
    ///
    /// # Errors
    /// The number is not above 0.
    pub fn of_this_list(cases: f64) -> Result<Self, Error> {
        let usable = (1.0..=MOST_CASES).contains(&cases);
        within("the capacity", cases, usable, "a number of cases from 1 to 1e12")
            .map(|cases| Self { cases, of: None })
    }

    /// So many cases of lists of so many.
    ///
    /// # Errors
    /// A number is not above 0, or the capacity exceeds the list.
    pub fn of_lists(cases: f64, list_size: f64) -> Result<Self, Error> {
        let usable = cases >= 1.0 && cases <= list_size && list_size <= MOST_CASES;
        within("the capacity", cases, usable, "a number of cases from 1 to that of the list, 1e12 at most")?;
        Ok(Self { cases, of: Some(list_size) })
    }

    /// How many cases can be acted on.
    pub fn cases(&self) -> f64 {
        self.cases
    }

    /// Whether it speaks of lists of a given length, and not of the one at hand.
    pub fn is_of_lists(&self) -> bool {
        self.of.is_some()
    }

    /// How many cases the lists have, that at hand having `total`.
    pub fn list_size(&self, total: f64) -> f64 {
        self.of.unwrap_or(total)
    }

    /// Which share of a list is acted on, that at hand having `total` cases.
    ///
    /// # Errors
    /// The list at hand has fewer cases.
    pub fn share(&self, total: f64) -> Result<f64, Undefined> {
        let size = self.list_size(total);
        if total <= 0.0 {
            Err(Undefined::NoRows)
        } else if self.cases > size * (1.0 + ROUNDING) {
            Err(Undefined::TooFewRows { asked: self.cases, available: size })
        } else {
            Ok((self.cases / size).min(1.0))
        }
    }
}

impl FromStr for Capacity {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        // A point may be meant to set thousands apart: 5.000 is no five.
        match text.split('/').map(str::trim).find(|number| number.contains('.')) {
            Some(number) => Err(Error::UnknownCapacity(number.to_owned())),
            None => Self::parsed(text),
        }
    }
}

impl Capacity {
    /// From whole numbers that somebody writes, or from a result, whose weighted cases need not be whole.
    fn parsed(text: &str) -> Result<Self, Error> {
        let number =
            |text: &str| text.trim().parse().map_err(|_| Error::UnknownCapacity(text.trim().to_owned()));
        match text.split_once('/') {
            Some((cases, size)) => Self::of_lists(number(cases)?, number(size)?),
            None => Self::of_this_list(number(text)?),
        }
    }
}

impl fmt::Display for Capacity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.of {
            Some(size) => write!(f, "{}/{size}", self.cases),
            None => write!(f, "{}", self.cases),
        }
    }
}

impl From<Capacity> for String {
    fn from(capacity: Capacity) -> String {
        capacity.to_string()
    }
}

impl TryFrom<String> for Capacity {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        Self::parsed(&text)
    }
}

/// What acting on so many cases finds.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CapacityHits {
    /// The capacity.
    pub capacity: Capacity,
    /// Cases in the lists that the figures speak of.
    pub list_size: f64,
    /// Share of a list that is acted on.
    pub share: f64,
    /// Expected hits: their mean over such lists.
    pub hits: IntervalEstimate,
    /// Hits in the next such list; the interval is a prediction interval and its ends are whole cases.
    pub hits_in_next_list: IntervalEstimate,
    /// Share of hits among the cases acted on.
    pub precision: IntervalEstimate,
    /// The same as a multiple of the base rate.
    pub lift: IntervalEstimate,
    /// Share of all positives that is reached.
    pub recall: IntervalEstimate,
    /// Expected positives that are not reached.
    pub missed: IntervalEstimate,
    /// Cases of such a list that are left undone.
    pub left_undone: f64,
    /// The score of the last case acted on.
    pub last_score: f64,
    /// The number with the fewest digits that cuts there.
    pub threshold: f64,
    /// Share of positives among the cases around the last one: what one case more or less would find.
    pub marginal_rate: IntervalEstimate,
}

/// What acting on so many cases of a ranking finds.
///
/// **Definition** · with a share `s` of the list acted on, the expected hits are `N s f`: `f` is the share of positives in the top
/// share `s` of the list at hand, ties in random order, and `N` the cases of the lists that are spoken of. The marginal rate is the
/// share of positives over half of the list's length on either side of its end, over a block of ties that is longer than that.
///
/// **Undefined when** there are no cases, fewer than the capacity, or no positives.
///
/// **Example**
/// ```
/// use tribunal_eval::{Ranking, decisions::{Capacity, capacity_hits}, intervals::Sampled};
///
/// let truth: Vec<bool> = (0..100).map(|i| i % 3 == 0 && i < 60).collect();
/// let scores: Vec<f64> = (0..100).map(|i| 1.0 - f64::from(i) / 100.0).collect();
/// let ranking = Ranking::from_scores(&truth, &scores)?;
/// let found = capacity_hits(&Sampled::new(&ranking), "20/1000".parse()?)?;
/// assert_eq!((found.share, found.hits.value, found.missed.value), (0.02, 10.0, 190.0));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Witten & Frank 2005; Krishnamoorthy & Peng 2011
pub fn capacity_hits(sampled: &Sampled<'_>, capacity: Capacity) -> Result<CapacityHits, Undefined> {
    let Sampled { ranking, level, base_rate } = *sampled;
    let total = ranking.totals().total();
    let share = capacity.share(total)?;
    let (weight, list_size) = ((share * total).min(total), capacity.list_size(total));
    let top = ranking.top(weight);
    // With as many positives in every sample, nothing is open about a list of everybody.
    let is_known = base_rate == BaseRate::Fixed && weight >= total * (1.0 - ROUNDING);
    let precision = match is_known {
        true => IntervalEstimate::known(top.positive / weight),
        false => IntervalEstimate::new(top.positive / weight, precision(sampled, weight)),
    };
    let recall = IntervalEstimate::new(metrics::cph(ranking, share)?, metrics::cph::interval(sampled, share));
    let hits = precision.clone().times(capacity.cases());
    let next = || next_hits(sampled, weight, capacity.cases());
    let last_score = ranking.block(ranking.block_at(weight)).score;
    let missed = missed(sampled, weight).times(list_size);
    Ok(CapacityHits {
        capacity,
        list_size,
        share,
        hits_in_next_list: match is_known {
            true => hits.clone(),
            false => IntervalEstimate::new(
                hits.value,
                next().map(|next| whole(next.holding_interval(hits.interval))),
            ),
        },
        hits,
        precision,
        lift: recall.clone().times(1.0 / share),
        recall,
        missed,
        left_undone: list_size - capacity.cases(),
        last_score,
        threshold: ranking.threshold_at(last_score),
        marginal_rate: marginal_rate(ranking, weight, level),
    })
}

/// Hits in another list of which `cases` are acted on: it varies like this one, at its own size.
fn next_hits(sampled: &Sampled<'_>, weight: f64, cases: f64) -> Result<Interval, NoInterval> {
    sampled.classes()?;
    let cut = ListCut::judged(sampled.ranking, weight)?;
    let variance = sampled.variance_at_cut(&cut.influence(1.0 / cut.share, 0.0))?.total;
    let precision = (cut.hits / cut.share).clamp(0.0, 1.0);
    let (n, m) = match drawn_list(sampled.ranking, &cut) {
        // The list to come is as long as it is, and its ties are drawn, however the cases at hand were weighted or lie in blocks.
        Some(ListDrawn { n_rows, part }) => {
            (sampled.level.effective(precision, variance, n_rows), cases * part)
        }
        None => {
            let n = sampled.level.effective(precision, variance, cut.n_cases);
            (n, cases * n / cut.n_cases)
        }
    };
    let next = next_count(sampled.level, precision, n, m).times(cases / m);
    // A number of hits is a whole number: whole ends inside hold as often.
    let inside = Interval { lower: next.lower.ceil(), upper: next.upper.floor(), ..next };
    let next = if inside.lower <= inside.upper { inside } else { whole(next) };
    let half = (0.5 / n).min(0.5);
    Ok(holding_few_hits(next, precision.clamp(half, 1.0 - half), cases.round()))
}

/// A list whose figures vary otherwise than those of a list to come.
struct ListDrawn {
    /// Rows that the share of hits rests on.
    n_rows: f64,
    /// As many independent cases as vary like a case of a list to come.
    part: f64,
}

/// What a list to come is like where cases at hand are weighted or the cut divides a block of ties: the share of hits at hand is that
/// of all rows of the block, and of those to come some are drawn. Nothing where a list to come varies like that at hand.
fn drawn_list(ranking: &Ranking, cut: &ListCut) -> Option<ListDrawn> {
    let (start, end, part) = divided(ranking, cut.weight);
    let n_rows = |from: usize, to: usize| SeenRows::of(ranking).rows(between(ranking, from, to)).total();
    let is_divided = part > ROUNDING && part < 1.0 - ROUNDING && n_rows(start, end) > 1.5;
    if !ranking.is_weighted() && !is_divided {
        return None;
    }
    let (inside, at_cut) = (n_rows(0, start), n_rows(start, end));
    let f = (cut.hits / cut.share).clamp(0.0, 1.0);
    let (own, of_cut) = (f * (1.0 - f), (1.0 - cut.share) * (f - cut.local_rate).powi(2));
    Some(ListDrawn {
        n_rows: (inside + part * at_cut).powi(2) / (inside + part * part * at_cut),
        part: if own > 0.0 { own / (own + of_cut) } else { 1.0 },
    })
}

/// The weights of both classes in some neighbouring blocks.
fn between(ranking: &Ranking, from: usize, to: usize) -> Split {
    let (above, through) = (ranking.through(from), ranking.through(to));
    Split { positive: through.positive - above.positive, negative: through.negative - above.negative }
}

/// The whole numbers around an interval.
fn whole(interval: Interval) -> Interval {
    Interval { lower: interval.lower.floor(), upper: interval.upper.ceil(), ..interval }
}

/// Share of all cases that are positive and not in the list.
fn missed(sampled: &Sampled<'_>, weight: f64) -> IntervalEstimate {
    let (ranking, level) = (sampled.ranking, sampled.level);
    let total = ranking.totals().total();
    let value = ((ranking.totals().positive - ranking.top(weight).positive) / total).max(0.0);
    let interval = || {
        let classes = sampled.classes()?;
        if weight >= total {
            return Err(NoInterval::NothingAtStake);
        }
        let cut = ListCut::at(ranking, weight)?;
        let variance = sampled.variance_at_cut(&cut.influence(-1.0, 1.0))?.total;
        Ok(level.edge_wilson(value, level.effective(value, variance, classes.n_effective())))
    };
    IntervalEstimate::new(value, interval())
}

/// Share of positives among the cases around the end of the list.
fn marginal_rate(ranking: &Ranking, weight: f64, level: Level) -> IntervalEstimate {
    let (from, to) = blocks_at_cut(ranking, weight, ranking.totals().total() / ranking.n_rows());
    let own = between(ranking, from, to);
    let rate = (own.positive / own.total()).clamp(0.0, 1.0);
    let seen = SeenRows::of(ranking);
    let (share, n) = seen.share_of(own);
    IntervalEstimate::new(rate, Ok(seen.told(level.wilson(share, n, level.z()))))
}

/// The interval of the share of hits in a list: of a weighted one made on the rows that were seen, all of those of a block that the cut
/// divides among them.
fn precision(sampled: &Sampled<'_>, weight: f64) -> Result<Interval, NoInterval> {
    let ranking = sampled.ranking;
    let cut = ListCut::judged(ranking, weight)?;
    let holds_all = sampled.base_rate == BaseRate::Fixed && cut.base_rate <= cut.share && cut.share < 1.0;
    if !ranking.is_weighted() || holds_all {
        return metrics::precision_top::interval(sampled, weight);
    }
    sampled.classes()?;
    let variance = sampled.variance_at_cut(&cut.influence(1.0 / cut.share, 0.0))?.total;
    let seen = SeenRows::of(ranking);
    let (start, end, part) = divided(ranking, weight);
    let (inside, at_cut) = (between(ranking, 0, start), between(ranking, start, end));
    let (share, _) = seen.share_of(Split {
        positive: inside.positive + part * at_cut.positive,
        negative: inside.negative + part * at_cut.negative,
    });
    let sum = |power: i32| seen.rows(inside).total() + part.powi(power) * seen.rows(at_cut).total();
    let slope = seen.slope(share);
    let n_rows = sum(1).powi(2) / sum(2);
    let n = sampled.level.effective(share, variance / (slope * slope), n_rows);
    let precision = (cut.hits / cut.share).clamp(0.0, 1.0);
    Ok(seen.told(sampled.level.edge_wilson(share, n)).holding(precision))
}

/// The rows that stand behind weights. At another base rate a positive counts more or less than a negative, which makes no more or
/// fewer of them: intervals of shares are made of the rows that were seen, and the odds of their ends are then multiplied by what a
/// positive counts for each negative.
#[derive(Clone, Copy, Debug)]
struct SeenRows {
    /// The weight of a row of each class (Kish 1965).
    unit: Split,
}

impl SeenRows {
    fn of(ranking: &Ranking) -> Self {
        let mean = ranking.totals().total() / ranking.n_rows();
        let unit = |[sum, squares, ..]: [f64; 4]| if sum > 0.0 { mean * squares / sum } else { mean };
        let [positive, negative] = match ranking.is_weighted() {
            true => ranking.powers_between(0, ranking.n_blocks()).map(unit),
            false => [1.0, 1.0],
        };
        Self { unit: Split { positive, negative } }
    }

    /// As many rows of each class as have this weight.
    fn rows(self, weight: Split) -> Split {
        Split {
            positive: weight.positive / self.unit.positive,
            negative: weight.negative / self.unit.negative,
        }
    }

    /// The share of positives among them, and how many they are.
    fn share_of(self, weight: Split) -> (f64, f64) {
        let rows = self.rows(weight);
        ((rows.positive / rows.total()).clamp(0.0, 1.0), rows.total())
    }

    /// What a positive counts for each negative.
    fn factor(self) -> f64 {
        self.unit.positive / self.unit.negative
    }

    /// The share of rows as a share of their weight.
    fn told(self, interval: Interval) -> Interval {
        let factor = self.factor();
        if (factor - 1.0).abs() < 1e-12 {
            return interval;
        }
        interval.mapped(|share| factor * share / (1.0 - share + factor * share))
    }

    /// By how much that moves with the share of rows.
    fn slope(self, share: f64) -> f64 {
        let factor = self.factor();
        factor / (1.0 - share + factor * share).powi(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::golden::{ranked, table_5_6};

    fn capacity(text: &str) -> Result<Capacity, Error> {
        text.parse()
    }

    #[test]
    fn capacities_are_written_as_they_are_read() {
        for text in ["200", "200/5000"] {
            assert_eq!(capacity(text).expect("a capacity").to_string(), text);
        }
        // Weighted lists are no whole number of cases, and their results are read back.
        for (cases, list_size) in [(50.0, 1398.9999999999998), (5.0, 72.4)] {
            let written = Capacity::of_lists(cases, list_size).expect("a capacity");
            assert_eq!(Capacity::try_from(String::from(written)), Ok(written));
        }
        for (text, kind) in [
            ("0", ErrorKind::OutOfRange),
            ("-3", ErrorKind::OutOfRange),
            ("inf", ErrorKind::OutOfRange),
            ("10/5", ErrorKind::OutOfRange),
            ("1,5", ErrorKind::UnknownCapacity),
            ("200/", ErrorKind::UnknownCapacity),
            ("", ErrorKind::UnknownCapacity),
        ] {
            assert_eq!(capacity(text).expect_err("refused").kind(), kind, "{text}");
        }
    }

    #[test]
    fn golden_lift_table() {
        // Hits, success proportion, lift within the 19 and CPH of 13 at block ends.
        for (k, hits, lift, recall) in
            [(1.0, 1.0, 1.461538, 0.076923), (10.0, 8.0, 1.169231, 0.615385), (19.0, 13.0, 1.0, 1.0)]
        {
            let of_list = Capacity::of_this_list(k).expect("a capacity");
            let found = capacity_hits(&Sampled::new(&table_5_6()), of_list).expect("defined");
            assert!(
                (found.hits.value - hits).abs() < 1e-12 && (found.precision.value - hits / k).abs() < 1e-12
            );
            assert!((found.lift.value - lift).abs() < 1e-6 && (found.recall.value - recall).abs() < 1e-6);
            assert!((found.missed.value - (13.0 - hits)).abs() < 1e-12);
            assert_eq!(found.left_undone, 19.0 - k);
        }
    }

    #[test]
    fn the_next_list_varies_more_than_the_mean_of_lists() {
        let truth: Vec<bool> = (0..2000).map(|i| i % 3 == 0 && i < 1200).collect();
        let scores: Vec<f64> = (0..2000).map(|i| 1.0 - f64::from(i) / 2000.0).collect();
        let ranking = Ranking::from_scores(&truth, &scores).expect("valid");
        let of = |text: &str| {
            let found =
                capacity_hits(&Sampled::new(&ranking), capacity(text).expect("a capacity")).expect("defined");
            let ends = |figure: &IntervalEstimate| {
                figure.interval.map(|ends| (ends.lower, ends.upper)).expect("an interval")
            };
            (ends(&found.hits), ends(&found.hits_in_next_list))
        };
        for text in ["200", "20/200", "2000/20000"] {
            let (expected, next) = of(text);
            assert!(next.0 < expected.0 && next.1 > expected.1, "{text}: {expected:?} {next:?}");
            assert_eq!((next.0.fract(), next.1.fract()), (0.0, 0.0), "{text}");
        }
    }

    /// A ranking of so many positives and negatives in blocks from the top, each positive and each negative with its own weight.
    fn weighted(blocks: &[(usize, usize)], weights: (f64, f64)) -> Ranking {
        let (mut truth, mut scores, mut weight) = (Vec::new(), Vec::new(), Vec::new());
        for (place, &(positives, negatives)) in blocks.iter().enumerate() {
            for row in 0..positives + negatives {
                truth.push(row < positives);
                scores.push(-(place as f64));
                weight.push(if row < positives { weights.0 } else { weights.1 });
            }
        }
        let set =
            crate::ScoredSet::new(&truth, &scores).and_then(|set| set.with_weight(&weight)).expect("valid");
        Ranking::of(&set).expect("a ranking")
    }

    /// Forty rows of the top, ten of them positive, of 1,000 with 50 positives: read at a base rate of half, the odds are nineteen times
    /// as large, and so are those of the ends of Wilson's interval of ten of forty rows.
    #[test]
    fn at_another_base_rate_as_many_rows_are_seen() {
        let ranking = weighted(&[(10, 30), (40, 920)], (10.0, 500.0 / 950.0));
        let sampled = Sampled { base_rate: BaseRate::Fixed, ..Sampled::new(&ranking) };
        let of = |cases: f64| {
            capacity_hits(&sampled, Capacity::of_this_list(cases).expect("a capacity")).expect("defined")
        };
        let odds = |share: f64| share / (1.0 - share);
        let wilson = Level::P95.wilson(0.25, 40.0, Level::P95.z());
        let whole_block = 10.0 * 10.0 + 30.0 * 500.0 / 950.0;
        let ends = of(whole_block / 2.0).marginal_rate.interval.expect("an interval");
        assert!((odds(ends.lower) / odds(wilson.lower) - 19.0).abs() < 1e-6, "{ends:?}");
        assert!((odds(ends.upper) / odds(wilson.upper) - 19.0).abs() < 1e-6, "{ends:?}");
        // However few of the block are acted on, all of its rows say what a case of it is.
        let ends = [60.0, 80.0, 100.0].map(|cases| of(cases).precision.interval.expect("an interval"));
        for other in &ends[1..] {
            assert!((other.lower - ends[0].lower).abs() < 1e-9 && (other.upper - ends[0].upper).abs() < 1e-9);
        }
        assert!(ends[0].upper - ends[0].lower > 0.1, "{ends:?}");
    }

    #[test]
    fn what_cannot_be_acted_on_says_why() {
        let too_many = Capacity::of_this_list(50.0).expect("a capacity");
        let refused = capacity_hits(&Sampled::new(&table_5_6()), too_many);
        assert_eq!(refused, Err(Undefined::TooFewRows { asked: 50.0, available: 19.0 }));
        let one = Capacity::of_this_list(1.0).expect("a capacity");
        let none = ranked("--", &[0.5, 0.4]);
        assert_eq!(capacity_hits(&Sampled::new(&none), one), Err(Undefined::NoPositives));
        let everybody = Capacity::of_this_list(19.0).expect("a capacity");
        let found = capacity_hits(&Sampled::new(&table_5_6()), everybody).expect("defined");
        assert_eq!((found.missed.value, found.missed.no_interval), (0.0, Some(NoInterval::NothingAtStake)));
    }
}
