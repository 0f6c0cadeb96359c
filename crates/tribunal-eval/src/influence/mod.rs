//! Influence functions: by how much a figure moves with the mass of one row.
//!
//! The influence value of row `i` is the derivative of a figure in the mass of that row, and the values add up to zero. Their
//! variance over the rows, divided by the number of rows, is the variance of the figure over other samples of cases, so that
//! a standard error needs no bootstrap replicates but one pass over the ranking. The base rate varies from sample to sample
//! too, and so do values between the classes.
//!
//! A metric says its influence function in one of four forms ([`Influence`]); [`Moments`] are the sums that intervals are
//! made of. References: Hampel (1974), "The influence curve and its role in robust estimation"; Efron & Tibshirani (1993),
//! chapter 22, the infinitesimal jackknife; DeLong, DeLong & Clarke-Pearson (1988) for the AUROC.

mod local_rate;
mod moments;
mod variance;

use crate::checks::check_length;
use crate::error::Error;
pub use crate::ranking::{AmountRow, BlockRows, RowPowers};
use crate::ranking::{Ranking, Split};
use crate::scored_set::{AmountsOf, ScoredSet};
use crate::undefined::Undefined;

pub(crate) use local_rate::{FEWEST_LISTED, ListCut, blocks_at_cut, local_mean_amount, local_mean_gain};
pub use moments::Moments;
pub use variance::{BaseRate, Variance};

/// The influence values of the two classes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClassValues {
    /// Of a positive.
    pub positive: f64,
    /// Of a negative.
    pub negative: f64,
}

impl ClassValues {
    /// That of a class.
    pub fn of(self, positive: bool) -> f64 {
        if positive { self.positive } else { self.negative }
    }
}

/// What a function of a block's place gives the rows of either class.
type OfBlock<'a> = Box<dyn Fn(&BlockRows) -> ClassValues + Send + Sync + 'a>;
/// What a function of a score gives a row of a class.
type OfScore<'a> = Box<dyn Fn(f64, bool) -> f64 + Send + Sync + 'a>;
/// What a function of its amount and of its block's place gives a row of either class.
type OfAmountRow<'a> = Box<dyn Fn(&AmountRow) -> f64 + Send + Sync + 'a>;

/// The influence function of a figure on a ranking.
pub enum Influence<'a> {
    /// A function of what stands above and through a block of equal scores, as for the AUROC.
    Blocks(OfBlock<'a>),
    /// A function of score and truth, as for the mean of a loss.
    Scores(OfScore<'a>),
    /// A function of the amount of a row and of what stands above and through its block, as for the standardised area of the
    /// curve of amounts. The ranking knows the amounts of its rows.
    Amounts(OfAmountRow<'a>),
    /// Two values a class: for rows within the first so much weight of the list, and for those below. Rows of the block that
    /// the cut divides have the expected value.
    List {
        /// Weight of the list.
        weight: f64,
        /// Values in the list.
        inside: ClassValues,
        /// Values below it.
        outside: ClassValues,
    },
}

impl Influence<'_> {
    /// The influence function of a multiple of the figure.
    pub(crate) fn times(self, factor: f64) -> Self
    where
        Self: Sized,
    {
        let scaled = move |values: ClassValues| ClassValues {
            positive: factor * values.positive,
            negative: factor * values.negative,
        };
        match self {
            Self::Blocks(of) => Self::Blocks(Box::new(move |block| scaled(of(block)))),
            Self::Scores(of) => Self::Scores(Box::new(move |score, positive| factor * of(score, positive))),
            Self::Amounts(of) => Self::Amounts(Box::new(move |row| factor * of(row))),
            Self::List { weight, inside, outside } => {
                Self::List { weight, inside: scaled(inside), outside: scaled(outside) }
            }
        }
    }

    /// The influence function of the figure plus one to which every row of a class contributes the same; nothing of functions of
    /// amounts, which do not know classes.
    pub(crate) fn plus(self, of_class: ClassValues) -> Option<Self>
    where
        Self: Sized,
    {
        let moved = move |values: ClassValues| ClassValues {
            positive: values.positive + of_class.positive,
            negative: values.negative + of_class.negative,
        };
        Some(match self {
            Self::Blocks(of) => Self::Blocks(Box::new(move |block| moved(of(block)))),
            Self::Scores(of) => {
                Self::Scores(Box::new(move |score, positive| of(score, positive) + of_class.of(positive)))
            }
            Self::List { weight, inside, outside } => {
                Self::List { weight, inside: moved(inside), outside: moved(outside) }
            }
            Self::Amounts(_) => return None,
        })
    }

    /// The values of rows of the ranking, one by one.
    ///
    /// # Errors
    /// They are functions of amounts, and the rows came without.
    pub fn of_rows(&self, rows: &RankedRows<'_>) -> Result<Vec<f64>, Undefined> {
        let RankedRows { ranking, truth, scores, places, .. } = rows;
        let by_place = || places.iter().zip(*truth).map(|(&place, &positive)| (place as usize, positive));
        Ok(match self {
            Self::Scores(of) => {
                scores.iter().zip(*truth).map(|(&score, &positive)| of(score, positive)).collect()
            }
            Self::Blocks(of) => {
                let of_block: Vec<ClassValues> = ranking.block_rows().map(|block| of(&block)).collect();
                by_place().map(|(place, positive)| of_block[place].of(positive)).collect()
            }
            Self::Amounts(of) => {
                let blocks: Vec<AmountRow> = ranking.amount_rows().collect();
                let row = |(amount, &place): (f64, &u32)| AmountRow { amount, ..blocks[place as usize] };
                rows.amounts()?.zip(places).map(|at| of(&row(at))).collect()
            }
            Self::List { weight, inside, outside } => {
                let shares = rows.shares_in_list(*weight);
                let value = |(share, &positive): (f64, &bool)| {
                    share * inside.of(positive) + (1.0 - share) * outside.of(positive)
                };
                shares.zip(*truth).map(value).collect()
            }
        })
    }
}

/// Rows and their places in a ranking.
#[derive(Clone, Debug)]
pub struct RankedRows<'a> {
    ranking: &'a Ranking,
    truth: &'a [bool],
    scores: &'a [f64],
    amount: Option<&'a [f64]>,
    amounts_of: AmountsOf,
    /// The block of each row, from the top.
    places: Vec<u32>,
}

impl<'a> RankedRows<'a> {
    /// Finds the rows in a ranking; scores that no case of it has stand at the next one below.
    ///
    /// # Errors
    /// Truth and scores have different lengths.
    pub fn new(ranking: &'a Ranking, truth: &'a [bool], scores: &'a [f64]) -> Result<Self, Error> {
        check_length("score", scores.len(), truth.len())?;
        let places = scores.iter().map(|&score| ranking.place_of(score) as u32).collect();
        Ok(Self { ranking, truth, scores, amount: None, amounts_of: AmountsOf::Nobody, places })
    }

    /// Finds the rows of a set, with their amounts.
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn of_set(ranking: &'a Ranking, set: &ScoredSet<'a>) -> Result<Self, Error> {
        let rows = Self::new(ranking, set.truth, set.score)?;
        Ok(Self { amount: set.amount, amounts_of: set.amounts_of, ..rows })
    }

    /// What acting on each row is worth.
    fn amounts(&self) -> Result<impl Iterator<Item = f64>, Undefined> {
        let of_everybody = self.amounts_of == AmountsOf::Everybody;
        let rows = self.amount.ok_or(Undefined::NoAmounts)?.iter().zip(self.truth);
        Ok(rows.map(move |(&amount, &positive)| if positive || of_everybody { amount } else { 0.0 }))
    }

    /// How likely each row is within the first `weight` of the list, ties taken in random order.
    pub(crate) fn shares_in_list(&self, weight: f64) -> impl Iterator<Item = f64> {
        let (start, end, share) = divided(self.ranking, weight);
        self.places.iter().map(move |&place| match place as usize {
            place if place < start => 1.0,
            place if place < end => share,
            _ => 0.0,
        })
    }
}

/// The blocks that lie wholly within the first `weight` of the list, the end of the block that the cut divides, and which
/// share of that block belongs to the list.
pub(crate) fn divided(ranking: &Ranking, weight: f64) -> (usize, usize, f64) {
    let start = ranking.n_blocks_within(weight);
    if start >= ranking.n_blocks() {
        return (start, start, 0.0);
    }
    let block = ranking.block(start);
    let share = (weight - block.above.total()) / block.own().total();
    (start, start + 1, share.clamp(0.0, 1.0))
}

/// The weights of either class as shares of all.
pub(crate) fn class_shares(totals: Split) -> Split {
    let total = totals.total();
    Split { positive: totals.positive / total, negative: totals.negative / total }
}
