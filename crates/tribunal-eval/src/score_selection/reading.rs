//! The figures of a list and of its upper parts.

use super::band_tally::{BandTally, band_tallies, no_pairs, pooled_auroc};
use super::contrast::Contrast;
use super::cut::SelectionCut;
use super::figure::SelectionFigure;
use crate::confusion::Confusion;
use crate::cutoff::Cutoff;
use crate::metrics::{auroc, brier, error_rate, log_loss, pcc};
use crate::ranking::Ranking;
use crate::reliability::weight_of_probabilities;
use crate::score_bands::ScoreBands;
use crate::undefined::{Undefined, Value};

/// What is asked: a list that was cut in several places, fixed bands of its scores, and a fixed cut-off.
#[derive(Clone, Debug)]
pub struct ScoreSelection<'a> {
    /// All cases.
    pub whole: &'a Ranking,
    /// Below which shares of the list nobody was acted on.
    pub cuts: Vec<SelectionCut>,
    /// The bands, the same for all parts of the list.
    pub bands: ScoreBands,
    /// The cut-off at which predictions are judged, found on all cases and kept: the same score, and the same share of the cases
    /// tied with it.
    pub cutoff: Result<Cutoff, Undefined>,
}

/// Every figure of a list and of its upper parts.
#[derive(Clone, Debug, PartialEq)]
pub struct SelectionReading {
    /// Of all cases, in the order of [`SelectionFigure::ALL`].
    pub all: Vec<Value>,
    /// The bands of all cases.
    pub bands: Vec<BandTally>,
    /// Of each upper part, in the order of the cuts.
    pub actioned: Vec<ActionedReading>,
}

/// The figures of the cases above a cut.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionedReading {
    /// How many rows there are.
    pub rows: f64,
    /// How many cases of equal weight vary alike (Kish 1965), the positives first.
    pub effective: [f64; 2],
    /// The figures in the order of [`SelectionFigure::ALL`].
    pub contrasts: Vec<Contrast>,
    /// The bands.
    pub bands: Vec<BandTally>,
}

impl ActionedReading {
    /// One of the figures.
    pub fn contrast(&self, figure: SelectionFigure) -> &Contrast {
        // The list of all figures is the order of the enumeration.
        &self.contrasts[figure as usize]
    }
}

impl ScoreSelection<'_> {
    /// Asks every figure of a ranking: that of all cases, or a bootstrap replicate of them.
    pub fn read(&self, ranking: &Ranking) -> SelectionReading {
        let whole = Part::of(self, ranking, ranking, ranking.totals().total());
        let all = whole.values();
        let actioned = |cut: &SelectionCut| {
            let weight = cut.share * ranking.totals().total();
            let upper = ranking.upper_part(weight);
            let part = Part::of(self, ranking, &upper, weight);
            let effective = upper.effective_rows().effective;
            let contrasts = part.contrasts(&all, &whole.bands);
            ActionedReading { rows: upper.n_rows(), effective, contrasts, bands: part.bands }
        };
        let actioned = self.cuts.iter().map(actioned).collect();
        SelectionReading { all, actioned, bands: whole.bands }
    }

    /// The differences of all figures of a ranking, cut by cut; NaN where a figure is not defined.
    pub fn differences(&self, ranking: &Ranking) -> Vec<f64> {
        let reading = self.read(ranking);
        let contrasts = reading.actioned.iter().flat_map(|actioned| &actioned.contrasts);
        contrasts.map(|contrast| contrast.difference().unwrap_or(f64::NAN)).collect()
    }
}

/// A list or an upper part of it.
struct Part<'a> {
    ranking: &'a Ranking,
    bands: Vec<BandTally>,
    /// What becomes of its cases at the cut-off.
    cells: Result<Confusion, Undefined>,
    /// Why its scores are no probabilities, if they are none: those of all cases decide.
    no_probabilities: Option<Undefined>,
}

impl<'a> Part<'a> {
    fn of(asked: &ScoreSelection<'_>, list: &Ranking, ranking: &'a Ranking, weight: f64) -> Self {
        let cells = || {
            let cutoff = asked.cutoff.as_ref().map_err(Clone::clone)?;
            // A part is the top of the list, and whoever is flagged stands at the top of both.
            let flagged = cutoff.in_part(asked.whole, list)?.confusion.flagged().min(weight);
            Ok(Confusion::of(ranking, ranking.top(flagged)))
        };
        Self {
            ranking,
            bands: band_tallies(ranking, &asked.bands),
            cells: cells(),
            no_probabilities: weight_of_probabilities(asked.whole).err(),
        }
    }

    fn values(&self) -> Vec<Value> {
        SelectionFigure::ALL.iter().map(|figure| self.value(*figure)).collect()
    }

    fn contrasts(&self, all: &[Value], bands: &[BandTally]) -> Vec<Contrast> {
        let contrast = |(figure, all): (&SelectionFigure, &Value)| Contrast {
            value: self.value(*figure),
            reference: if figure.is_within_bands() { self.expected(*figure, bands) } else { all.clone() },
        };
        SelectionFigure::ALL.iter().zip(all).map(contrast).collect()
    }

    fn value(&self, figure: SelectionFigure) -> Value {
        let base_rate = self.ranking.base_rate()?;
        let limit = base_rate / 2.0;
        match figure {
            SelectionFigure::StrikeRateInBands | SelectionFigure::StrikeRate => Ok(base_rate),
            SelectionFigure::AurocWithinBands => pooled_auroc(&self.bands),
            SelectionFigure::CalibrationInBands | SelectionFigure::CalibrationInTheLarge => {
                self.probabilities().and_then(|()| self.calibration_error())
            }
            SelectionFigure::Pcc => pcc(&self.cells.clone()?),
            SelectionFigure::ErrorRate => error_rate(&self.cells.clone()?),
            SelectionFigure::Auroc | SelectionFigure::Omega => auroc(self.ranking),
            SelectionFigure::RiskArea => Ok(limit + (1.0 - base_rate) * auroc(self.ranking)?),
            SelectionFigure::RiskAreaLowest => Ok(limit),
            SelectionFigure::RiskAreaHighest => Ok(1.0 - limit),
            SelectionFigure::Brier => self.probabilities().and_then(|()| brier(self.ranking)),
            SelectionFigure::LogLoss => self.probabilities().and_then(|()| log_loss(self.ranking)),
        }
    }

    fn probabilities(&self) -> Result<(), Undefined> {
        self.no_probabilities.clone().map_or(Ok(()), Err)
    }

    /// Mean score less strike rate.
    fn calibration_error(&self) -> Value {
        let errors = self.bands.iter().map(|band| band.scores - band.weights.positive);
        let total = self.ranking.totals().total();
        if total > 0.0 { Ok(errors.sum::<f64>() / total) } else { Err(Undefined::NoRows) }
    }

    /// What the bands of all cases make of the mix of bands of this part.
    fn expected(&self, figure: SelectionFigure, all: &[BandTally]) -> Value {
        match figure {
            SelectionFigure::AurocWithinBands => {
                let of_pair = |band: &BandTally| Ok(band.concordant / band.pairs());
                self.standardised(all, BandTally::pairs, of_pair).map_err(|_| no_pairs())
            }
            SelectionFigure::CalibrationInBands => {
                self.probabilities()?;
                self.standardised(all, |band| band.weights.total(), BandTally::calibration_error)
            }
            _ => self.standardised(all, |band| band.weights.total(), BandTally::strike_rate),
        }
    }

    /// The mean over bands of a figure of all cases, by what the bands of this part weigh.
    fn standardised(
        &self,
        all: &[BandTally],
        weight: impl Fn(&BandTally) -> f64,
        figure: impl Fn(&BandTally) -> Value,
    ) -> Value {
        let (mut sum, mut total) = (0.0, 0.0);
        for (own, all) in self.bands.iter().zip(all).filter(|(own, _)| weight(own) > 0.0) {
            sum += weight(own) * figure(all)?;
            total += weight(own);
        }
        if total > 0.0 { Ok(sum / total) } else { Err(Undefined::NoRows) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bands_with_cuts;
    use super::*;
    use crate::cutoff::CutoffRule;
    use crate::golden::close;
    use SelectionFigure::*;

    /// Cases at some scores: positives and negatives at each.
    fn cases(cells: &[(f64, usize, usize)]) -> Ranking {
        let rows = |positive: bool| {
            cells.iter().flat_map(move |&(score, p, n)| vec![(positive, score); if positive { p } else { n }])
        };
        let (truth, scores): (Vec<bool>, Vec<f64>) = rows(true).chain(rows(false)).unzip();
        Ranking::from_scores(&truth, &scores).expect("scores")
    }

    fn read(ranking: &Ranking, shares: &[f64], cutoff: &str) -> SelectionReading {
        let cuts: Vec<SelectionCut> =
            shares.iter().map(|share| SelectionCut::at(ranking, *share).expect("a share")).collect();
        let rule: CutoffRule = cutoff.parse().expect("a cut-off");
        let bands = bands_with_cuts(ranking, &cuts, 10).expect("bands");
        ScoreSelection { whole: ranking, cuts, bands, cutoff: rule.find(ranking) }.read(ranking)
    }

    fn value(reading: &SelectionReading, figure: SelectionFigure) -> Value {
        reading.actioned[0].contrast(figure).value.clone()
    }

    fn difference(reading: &SelectionReading, figure: SelectionFigure) -> f64 {
        reading.actioned[0].contrast(figure).difference().expect("defined")
    }

    #[test]
    fn figures_stand_in_their_order() {
        for (place, figure) in SelectionFigure::ALL.iter().enumerate() {
            assert_eq!(*figure as usize, place);
        }
    }

    /// TN 41, FP 5, FN 3, TP 5; then 5 of the 41 true negatives only.
    #[test]
    fn golden_error_rate_of_an_unchanged_model() {
        let reading = read(&cases(&[(0.9, 5, 5), (0.4, 3, 5), (0.1, 0, 36)]), &[18.0 / 54.0], "0.5");
        close(reading.all[ErrorRate as usize].clone(), 0.148148148148);
        close(value(&reading, ErrorRate), 0.444444444444);
        close(value(&reading, Pcc), 10.0 / 18.0);
        assert_eq!(difference(&reading, StrikeRateInBands), 0.0);
        close(value(&reading, StrikeRate), 8.0 / 18.0);
    }

    /// A calibrated model with scores 0.05, 0.15 ... 0.95, and the half that scores 0.5 or more: the area under the recall curve
    /// falls, within limits that move, and what the bands say does not change.
    #[test]
    fn the_raw_area_falls_though_the_model_is_the_same() {
        let cells: Vec<(f64, usize, usize)> =
            (0..10).map(|k| ((10 * k + 5) as f64 / 100.0, 10 * k + 5, 95 - 10 * k)).collect();
        let reading = read(&cases(&cells), &[0.5], "0.5");
        let (all, upper) = (auroc_by_hand(&cells), auroc_by_hand(&cells[5..]));
        for (figure, whole, part) in [
            (Auroc, all, upper),
            (Omega, all, upper),
            (RiskArea, 0.25 + 0.5 * all, 0.375 + 0.25 * upper),
            (RiskAreaLowest, 0.25, 0.375),
            (RiskAreaHighest, 0.75, 0.625),
            (StrikeRate, 0.5, 0.75),
            (CalibrationInTheLarge, 0.0, 0.0),
        ] {
            close(reading.all[figure as usize].clone(), whole);
            close(value(&reading, figure), part);
        }
        // By hand: 207,500 of 250,000 pairs, ties counting half, and 33,437.5 of 46,875 above the cut.
        assert!((all - 0.83).abs() < 1e-12 && (upper - 33_437.5 / 46_875.0).abs() < 1e-12, "{all} {upper}");
        assert!(difference(&reading, RiskArea) < -0.1);
        for figure in [StrikeRateInBands, AurocWithinBands, CalibrationInBands, CalibrationInTheLarge] {
            assert_eq!(difference(&reading, figure), 0.0, "{figure:?}");
        }
    }

    /// The AUROC from counts at ascending scores.
    fn auroc_by_hand(cells: &[(f64, usize, usize)]) -> f64 {
        let (mut won, mut below) = (0.0, 0.0);
        for (_, positives, negatives) in cells {
            won += *positives as f64 * (below + *negatives as f64 / 2.0);
            below += *negatives as f64;
        }
        won / (below * cells.iter().map(|cell| cell.1).sum::<usize>() as f64)
    }

    #[test]
    fn a_selection_of_everybody_changes_nothing() {
        let reading = read(&cases(&[(0.9, 5, 2), (0.4, 3, 5), (0.1, 1, 6)]), &[1.0], "20%");
        for figure in SelectionFigure::ALL {
            assert_eq!(difference(&reading, *figure), 0.0, "{figure:?}");
        }
    }

    #[test]
    fn ties_at_the_cut_leave_the_bands_as_they_are() {
        let ranking = cases(&[(0.9, 7, 2), (0.8, 4, 3), (0.4, 13, 25), (0.3, 2, 5), (0.1, 1, 26)]);
        for share in [0.05, 0.15, 0.3, 0.5, 0.6] {
            let reading = read(&ranking, &[share], "0.5");
            for figure in [StrikeRateInBands, AurocWithinBands, CalibrationInBands] {
                assert_eq!(difference(&reading, figure), 0.0, "{figure:?} at {share}");
            }
            assert!((reading.actioned[0].rows - 88.0 * share).abs() < 1.0);
        }
    }

    #[test]
    fn whoever_is_flagged_stands_at_the_top_of_every_part() {
        // The cut-off takes six of the ten tied cases, the selection eight of them.
        let ranking = cases(&[(0.9, 1, 1), (0.5, 5, 5), (0.1, 2, 6)]);
        let reading = read(&ranking, &[0.5], "40%");
        // Flagged: 1 + 3 positives; passed: the other two of ten, half of them positive.
        close(value(&reading, Pcc), 5.0 / 10.0);
        // The selection ends above the cut-off: everybody in it is flagged.
        close(value(&read(&ranking, &[0.3], "40%"), Pcc), 3.0 / 6.0);
    }

    #[test]
    fn what_a_part_lacks_is_undefined_with_its_reason() {
        let reading = read(&cases(&[(9.0, 2, 0), (4.0, 3, 5), (1.0, 1, 36)]), &[2.0 / 47.0], "top:99");
        assert_eq!(value(&reading, Auroc), Err(Undefined::NoNegatives));
        assert_eq!(value(&reading, AurocWithinBands), Err(no_pairs()));
        assert_eq!(value(&reading, Brier), Err(Undefined::NotProbabilities { score: 9.0 }));
        assert_eq!(value(&reading, Pcc), Err(Undefined::TooFewRows { asked: 99.0, available: 47.0 }));
        close(value(&reading, StrikeRate), 1.0);
    }
}
