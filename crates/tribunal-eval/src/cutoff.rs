//! Where to cut: cut-offs given by the user or chosen on the curve.
//!
//! A cut-off chosen on the same data that judge it flatters the model; the rule travels with the result so
//! that reports can say so.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::confusion::Confusion;
use crate::curves::{Benefit, Payoff, best_profit};
use crate::decisions::BenefitMatrix;
use crate::error::Error;
use crate::intervals::{CellSample, Interval, NoInterval, Sampled};
use crate::list_part::ListPart;
use crate::metrics::f_beta;
use crate::operating::Condition;
use crate::ranking::{Ranking, Split};
use crate::undefined::Undefined;

/// How a cut-off is found.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(into = "String", try_from = "String")]
#[non_exhaustive]
pub enum CutoffRule {
    /// Predict positive from this score on.
    Score(f64),
    /// Take this share of the list, from the top.
    Share(f64),
    /// Take so many cases from the top.
    Count(f64),
    /// The highest share of correct predictions.
    MaxPcc,
    /// The highest F with this beta.
    MaxF(f64),
    /// The largest distance of sensitivity from the false-positive rate.
    Youden,
    /// The longest list with at least this precision.
    Precision(f64),
    /// The shortest list with at least this recall.
    Recall(f64),
    /// The least expected cost per case at the data's own base rate.
    Cost {
        /// Cost of a false positive.
        false_positive: f64,
        /// Cost of a false negative.
        false_negative: f64,
    },
    /// The highest profit: what positives bring in less what acting costs. Of equal profits the shortest list.
    MaxProfit(Payoff),
    /// The highest benefit under a matrix of the four outcomes. Of equal benefits the shortest list.
    MaxBenefit(BenefitMatrix),
}

impl FromStr for CutoffRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        parse(text.trim()).ok_or_else(|| Error::UnknownCutoff(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<CutoffRule> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| value.is_finite());
    let unit = |text: &str| number(text).filter(|value| (0.0..=1.0).contains(value));
    let positive = |text: &str| number(text).filter(|&value| value > 0.0);
    if let Some(percent) = text.strip_suffix('%') {
        return number(percent).filter(|p| (0.0..=100.0).contains(p)).map(|p| CutoffRule::Share(p / 100.0));
    }
    match text {
        "max-pcc" => return Some(CutoffRule::MaxPcc),
        "max-f1" => return Some(CutoffRule::MaxF(1.0)),
        "youden" => return Some(CutoffRule::Youden),
        _ => {}
    }
    if let Some(beta) = text.strip_prefix("max-f@") {
        return positive(beta).map(CutoffRule::MaxF);
    }
    if let Some(count) = text.strip_prefix("top:") {
        return positive(count).map(CutoffRule::Count);
    }
    if let Some(share) = text.strip_prefix("share:") {
        return unit(share).map(CutoffRule::Share);
    }
    if let Some(least) = text.strip_prefix("precision>=") {
        return unit(least).map(CutoffRule::Precision);
    }
    if let Some(least) = text.strip_prefix("recall>=") {
        return unit(least).map(CutoffRule::Recall);
    }
    if let Some(payoff) = text.strip_prefix("max-profit:") {
        return payoff_of(payoff).map(CutoffRule::MaxProfit);
    }
    if let Some(cells) = text.strip_prefix("max-benefit:") {
        let cells: Vec<f64> = cells.split(':').map(number).collect::<Option<_>>()?;
        let [hit, false_positive, false_negative, correct_rejection] = cells.try_into().ok()?;
        let cells = BenefitMatrix { hit, false_positive, false_negative, correct_rejection };
        return Some(CutoffRule::MaxBenefit(cells));
    }
    if let Some((false_positive, false_negative)) = text.strip_prefix("cost:").and_then(|c| c.split_once(':'))
    {
        let (false_positive, false_negative) = (positive(false_positive)?, positive(false_negative)?);
        return Some(CutoffRule::Cost { false_positive, false_negative });
    }
    number(text).map(CutoffRule::Score)
}

/// `BENEFIT:COST`, the benefit a number or the word `amount`.
fn payoff_of(text: &str) -> Option<Payoff> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| value.is_finite());
    let (benefit, cost) = text.split_once(':')?;
    let benefit = match benefit.trim() {
        "amount" => Benefit::Amount,
        fixed => Benefit::Fixed(number(fixed)?),
    };
    Some(Payoff { benefit, cost: number(cost)? })
}

impl fmt::Display for CutoffRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Score(score) => write!(f, "{score}"),
            Self::Share(share) => write!(f, "share:{share}"),
            Self::Count(count) => write!(f, "top:{count}"),
            Self::MaxPcc => write!(f, "max-pcc"),
            Self::MaxF(beta) if *beta == 1.0 => write!(f, "max-f1"),
            Self::MaxF(beta) => write!(f, "max-f@{beta}"),
            Self::Youden => write!(f, "youden"),
            Self::Precision(least) => write!(f, "precision>={least}"),
            Self::Recall(least) => write!(f, "recall>={least}"),
            Self::Cost { false_positive, false_negative } => {
                write!(f, "cost:{false_positive}:{false_negative}")
            }
            Self::MaxProfit(Payoff { benefit: Benefit::Fixed(benefit), cost }) => {
                write!(f, "max-profit:{benefit}:{cost}")
            }
            Self::MaxProfit(Payoff { benefit: Benefit::Amount, cost }) => {
                write!(f, "max-profit:amount:{cost}")
            }
            Self::MaxBenefit(BenefitMatrix { hit, false_positive, false_negative, correct_rejection }) => {
                write!(f, "max-benefit:{hit}:{false_positive}:{false_negative}:{correct_rejection}")
            }
        }
    }
}

impl From<CutoffRule> for String {
    fn from(rule: CutoffRule) -> String {
        rule.to_string()
    }
}

impl TryFrom<String> for CutoffRule {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

/// A cut-off found on a ranking.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Cutoff {
    /// The rule that found it.
    pub rule: CutoffRule,
    /// The lowest score that is still predicted positive; `None` where nothing is.
    pub score: Option<f64>,
    /// The number with the fewest digits that cuts there.
    pub threshold: Option<f64>,
    /// Share of the list that is predicted positive.
    pub share: f64,
    /// What becomes of the cases.
    pub confusion: Confusion,
}

impl CutoffRule {
    /// Whether the rule looks at the truth of the data that it will judge.
    pub fn is_chosen_on_the_data(&self) -> bool {
        !matches!(self, Self::Score(_) | Self::Share(_) | Self::Count(_))
    }

    /// Whether it is known by how much the choice flatters ([`Optimism`](crate::intervals::Optimism)).
    pub fn has_optimism(&self) -> bool {
        match self {
            Self::MaxProfit(payoff) => payoff.benefit != Benefit::Amount,
            rule => matches!(
                rule,
                Self::MaxPcc | Self::MaxF(_) | Self::Youden | Self::Cost { .. } | Self::MaxBenefit(_)
            ),
        }
    }

    /// Whether the rule takes a list of given length, whatever the scores.
    pub fn is_list(&self) -> bool {
        matches!(self, Self::Share(_) | Self::Count(_))
    }

    /// Whether the criterion is linear in the rates of the two classes, so that flagging nobody or everybody may be best.
    pub(crate) fn is_linear(&self) -> bool {
        matches!(self, Self::MaxPcc | Self::Cost { .. } | Self::MaxProfit(_) | Self::MaxBenefit(_))
    }

    /// The same rule inside a part of the list: a count of cases becomes the same share of the part.
    #[must_use]
    pub fn inside(self, part: ListPart) -> CutoffRule {
        match self {
            Self::Count(count) => Self::Count(part.count(count)),
            rule => rule,
        }
    }

    /// Finds the cut-off on a ranking.
    ///
    /// ```
    /// use tribunal_eval::{CutoffRule, Ranking, ScoredSet};
    ///
    /// let ranking = Ranking::of(&ScoredSet::new(&[true, true, false, false], &[0.9, 0.7, 0.6, 0.1])?)?;
    /// let cutoff = "youden".parse::<CutoffRule>()?.find(&ranking)?;
    /// assert_eq!((cutoff.score, cutoff.share), (Some(0.7), 0.5));
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    pub fn find(self, ranking: &Ranking) -> Result<Cutoff, Undefined> {
        let total = ranking.totals().total();
        if total <= 0.0 {
            return Err(Undefined::NoRows);
        }
        match self {
            Self::Score(score) => Ok(self.after(ranking, ranking.blocks_from(score), Some(score))),
            Self::Share(share) => Ok(self.within(ranking, share * total)),
            Self::Count(count) if count > total => {
                Err(Undefined::TooFewRows { asked: count, available: total })
            }
            Self::Count(count) => Ok(self.within(ranking, count)),
            Self::MaxProfit(payoff) => {
                let score = best_profit(ranking, &payoff)?.score;
                Ok(self.after(ranking, score.map_or(0, |score| ranking.blocks_from(score)), score))
            }
            Self::MaxBenefit(matrix) => {
                let merit = |at: Split, _| {
                    at.positive * (matrix.hit - matrix.false_negative)
                        + at.negative * (matrix.false_positive - matrix.correct_rejection)
                };
                Ok(self.after_best(ranking, ranking.best_cut(merit).0))
            }
            _ => self.chosen(ranking),
        }
    }

    fn chosen(self, ranking: &Ranking) -> Result<Cutoff, Undefined> {
        let totals = ranking.both_classes()?;
        let n_blocks = match self {
            Self::Precision(least) => {
                let good = |at: &Split| at.total() > 0.0 && at.positive >= least * at.total();
                // The longest good list is the one whose length is the largest merit.
                let length = |at: Split, _| if good(&at) { at.total() } else { 0.0 };
                let found = Some(ranking.best_cut(length).0).filter(|&n_blocks| n_blocks > 0);
                found.ok_or_else(|| Undefined::OutOfReach { requirement: format!("precision {least}") })?
            }
            Self::Recall(least) => {
                let enough = |at: Split| at.positive >= least * totals.positive;
                ranking.find_block(enough).map_or(ranking.n_blocks(), |index| index + 1)
            }
            _ => ranking.best_cut(|at, _| self.merit(totals, at)).0,
        };
        Ok(self.after_best(ranking, n_blocks))
    }

    fn after_best(self, ranking: &Ranking, n_blocks: usize) -> Cutoff {
        self.after(ranking, n_blocks, n_blocks.checked_sub(1).map(|last| ranking.block(last).score))
    }

    fn merit(self, totals: Split, at: Split) -> f64 {
        let (t, f) = (at.positive / totals.positive, at.negative / totals.negative);
        match self {
            Self::MaxPcc => at.positive - at.negative,
            Self::MaxF(beta) => {
                let confusion = Confusion {
                    tp: at.positive,
                    fp: at.negative,
                    fn_: totals.positive - at.positive,
                    tn: totals.negative - at.negative,
                };
                f_beta::f_beta(&confusion, beta).unwrap_or(0.0)
            }
            Self::Cost { false_positive, false_negative } => {
                let base_rate = totals.positive / totals.total();
                t - Condition { base_rate, false_positive, false_negative }.slope() * f
            }
            _ => t - f,
        }
    }

    fn after(self, ranking: &Ranking, n_blocks: usize, score: Option<f64>) -> Cutoff {
        self.flagging(ranking, ranking.through(n_blocks), score)
    }

    fn within(self, ranking: &Ranking, weight: f64) -> Cutoff {
        let score = (weight > 0.0).then(|| ranking.block(ranking.block_at(weight)).score);
        self.flagging(ranking, ranking.top(weight), score)
    }

    fn flagging(self, ranking: &Ranking, flagged: Split, score: Option<f64>) -> Cutoff {
        let share = flagged.total() / ranking.totals().total();
        let threshold = match self {
            Self::Score(_) => score,
            _ => score.map(|score| ranking.threshold_at(score)),
        };
        Cutoff { rule: self, score, threshold, share, confusion: Confusion::of(ranking, flagged) }
    }
}

impl Cutoff {
    /// The same cut-off in a part of the cases that it was found on: the same score, and of the cases tied with it the same share,
    /// so that what becomes of the cases of all parts adds up to what becomes of the whole. To the part the score is a given one,
    /// whatever rule found it.
    ///
    /// ```
    /// use tribunal_eval::{CutoffRule, Ranking};
    ///
    /// let north = Ranking::from_scores(&[true, false], &[0.9, 0.4])?;
    /// let south = Ranking::from_scores(&[true, false, false, false], &[0.8, 0.7, 0.6, 0.1])?;
    /// let whole = Ranking::merge_all([north.clone(), south.clone()])?;
    /// let top_three = CutoffRule::Count(3.0).find(&whole)?;
    /// assert_eq!(top_three.in_part(&whole, &north)?.confusion.flagged(), 1.0);
    /// assert_eq!(top_three.in_part(&whole, &south)?.confusion.flagged(), 2.0);
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    ///
    /// # Errors
    /// The part has no cases.
    pub fn in_part(&self, whole: &Ranking, part: &Ranking) -> Result<Cutoff, Undefined> {
        if part.totals().total() <= 0.0 {
            return Err(Undefined::NoRows);
        }
        let Some(score) = self.score else {
            let rule = CutoffRule::Score(f64::INFINITY);
            return Ok(rule.after(part, 0, None));
        };
        let rule = CutoffRule::Score(score);
        let n_blocks = part.blocks_from(score);
        let last = n_blocks.checked_sub(1).map(|last| part.block(last)).filter(|last| last.score == score);
        let Some(tied) = last.filter(|_| self.rule.is_list()) else {
            return Ok(rule.after(part, n_blocks, Some(score)));
        };
        let cut = whole.block(whole.place_of(score));
        let share = (self.confusion.flagged() - cut.above.total()) / cut.own().total();
        let weight = tied.above.total() + share.clamp(0.0, 1.0) * tied.own().total();
        Ok(rule.flagging(part, part.top(weight), Some(score)))
    }

    /// The interval of the share of the cases that the cut-off flags, over other samples of the cases of this ranking.
    ///
    /// # Errors
    /// There are no cases.
    pub fn share_interval(&self, sampled: &Sampled<'_>) -> Result<Interval, NoInterval> {
        let Sampled { ranking, level, .. } = *sampled;
        let of_cells =
            CellSample::of(sampled, self).and_then(|sample| sample.share(|c| (c.flagged(), c.total())));
        // With one class only the cells of the other say nothing, and cases are cases.
        of_cells.or_else(|_| {
            let n = ranking.effective_rows().n_effective();
            if n <= 0.0 { Err(Undefined::NoRows.into()) } else { Ok(level.wilson(self.share, n, level.z())) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::{table_5_6, tied};

    fn check(ranking: &Ranking, rule: &str, score: Option<f64>, matrix: [f64; 4]) {
        let rule: CutoffRule = rule.parse().expect("a rule");
        let cutoff = rule.find(ranking).expect("defined");
        let c = cutoff.confusion;
        assert_eq!((cutoff.score, [c.tp, c.fp, c.fn_, c.tn]), (score, matrix), "{rule}");
    }

    #[test]
    fn finds_given_cutoffs() {
        let ranking = table_5_6();
        check(&ranking, "0.75", Some(0.75), [9.0, 3.0, 4.0, 3.0]);
        check(&ranking, "top:4", Some(0.88), [3.0, 1.0, 10.0, 5.0]);
        check(&ranking, "100%", Some(0.48), [13.0, 6.0, 0.0, 0.0]);
        check(&ranking, "2", Some(2.0), [0.0, 0.0, 13.0, 6.0]);
        check(&tied(), "10%", Some(0.9), [1.0, 0.0, 4.0, 5.0]);
        check(&tied(), "share:0.2", Some(0.8), [1.5, 0.5, 3.5, 4.5]);
    }

    #[test]
    fn chooses_on_the_curve() {
        check(&tied(), "youden", Some(0.7), [3.0, 1.0, 2.0, 4.0]);
        check(&tied(), "max-pcc", Some(0.7), [3.0, 1.0, 2.0, 4.0]);
        check(&tied(), "precision>=0.9", Some(0.9), [1.0, 0.0, 4.0, 5.0]);
        check(&tied(), "recall>=0.9", Some(0.3), [5.0, 4.0, 0.0, 1.0]);
        check(&tied(), "max-f1", Some(0.3), [5.0, 4.0, 0.0, 1.0]);
        check(&tied(), "cost:1:5", Some(0.3), [5.0, 4.0, 0.0, 1.0]);
        check(&table_5_6(), "max-profit:10:6", Some(0.73), [10.0, 3.0, 3.0, 3.0]);
        check(&table_5_6(), "max-benefit:4:-6:0:0", Some(0.73), [10.0, 3.0, 3.0, 3.0]);
        check(&table_5_6(), "max-profit:10:20", None, [0.0, 0.0, 13.0, 6.0]);
        check(&tied(), "cost:100:1", Some(0.9), [1.0, 0.0, 4.0, 5.0]);
    }

    #[test]
    fn says_why_there_is_no_cutoff() {
        let rule: CutoffRule = "top:50".parse().expect("a rule");
        let error = rule.find(&tied()).expect_err("ten cases only");
        assert_eq!(error.to_string(), "the list holds 10 cases, fewer than the 50 asked for");
        assert!("youdn".parse::<CutoffRule>().expect_err("no rule").to_string().contains("youden"));
        assert!("precision>=80".parse::<CutoffRule>().is_err());
    }

    #[test]
    fn every_rule_is_written_as_it_is_read() {
        for text in [
            "0.5",
            "share:0.1",
            "top:5",
            "max-pcc",
            "max-f1",
            "max-f@2",
            "youden",
            "precision>=0.8",
            "recall>=0.9",
            "cost:1:5",
            "max-profit:10:6",
            "max-profit:amount:0.68",
            "max-benefit:10:-1:-5:0",
        ] {
            assert_eq!(text.parse::<CutoffRule>().expect("a rule").to_string(), text);
        }
    }

    /// Two halves of a ranking, by every second row.
    fn halves() -> (Ranking, [Ranking; 2]) {
        let truth: Vec<bool> = (0..40).map(|row| row * 7 % 10 < 4).collect();
        let scores: Vec<f64> = (0..40).map(|row| f64::from(row * 3 % 8) / 10.0).collect();
        let of = |rows: Vec<usize>| {
            let truth: Vec<bool> = rows.iter().map(|&row| truth[row]).collect();
            let scores: Vec<f64> = rows.iter().map(|&row| scores[row]).collect();
            Ranking::from_scores(&truth, &scores).expect("scores")
        };
        let half = |odd: usize| of((0..40).filter(|row| row % 3 % 2 == odd).collect());
        (of((0..40).collect()), [half(0), half(1)])
    }

    #[test]
    fn what_parts_flag_adds_up_to_what_the_whole_flags() {
        let (whole, parts) = halves();
        for rule in ["top:7", "share:0.33", "100%", "0.45", "9", "youden", "max-f1", "recall>=0.5"] {
            let cutoff =
                rule.parse::<CutoffRule>().and_then(|rule| Ok(rule.find(&whole)?)).expect("a cut-off");
            let cells = parts.each_ref().map(|part| cutoff.in_part(&whole, part).expect("cases").confusion);
            let sum = |cell: fn(&Confusion) -> f64| cells.iter().map(cell).sum::<f64>();
            for (found, expected) in [
                (sum(|c| c.tp), cutoff.confusion.tp),
                (sum(|c| c.fp), cutoff.confusion.fp),
                (sum(|c| c.fn_), cutoff.confusion.fn_),
                (sum(|c| c.tn), cutoff.confusion.tn),
            ] {
                assert!((found - expected).abs() < 1e-12, "{rule}: {found}, expected {expected}");
            }
        }
    }

    #[test]
    fn a_part_without_cases_has_no_cutoff_and_one_class_has_a_share() {
        let (whole, _) = halves();
        let cutoff = CutoffRule::Score(0.3).find(&whole).expect("a cut-off");
        let empty = Ranking::from_scores(&[], &[]).expect("no rows");
        assert_eq!(cutoff.in_part(&whole, &empty), Err(Undefined::NoRows));
        let negatives = Ranking::from_scores(&[false; 10], &[0.5; 10]).expect("scores");
        let of_part = cutoff.in_part(&whole, &negatives).expect("cases");
        let interval = of_part.share_interval(&Sampled::new(&negatives)).expect("ten cases");
        // Wilson's lower end of 10 of 10: 10 / (10 + 1.96²).
        assert!(
            (interval.lower - 10.0 / (10.0 + 3.841_458_820_694_124)).abs() < 1e-12 && interval.upper == 1.0
        );
    }
}
