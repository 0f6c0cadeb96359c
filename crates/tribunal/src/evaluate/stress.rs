//! What every figure of a model would have been had only the top of its list been acted on, and which of them that leaves alone.
//!
//! Statistics and references: [`tribunal_eval::score_selection`].

use rayon::prelude::*;
use tribunal_eval::intervals::NoInterval;
use tribunal_eval::score_selection::{
    ActionedReading, BandTally, ScoreSelection, SelectionCut, SelectionFigure, SelectionReading,
    bands_with_cuts,
};
use tribunal_eval::significance::{DifferenceTest, holm};
use tribunal_eval::{CutoffRule, Resampler, ScoreBands, Value};

use super::fold_tests::FoldDesign;
use super::gather::Model;
use super::kept::Aligned;
use super::measure::Report;
use super::request::{At, EvaluateRequest};
use super::spread::Draws;
use crate::error::Error;
use crate::message::{Message, Setting};
use crate::stress_selection::{
    ScoreSelected, SelectedBand, StressBand, StressOutcome, StressRow, StressSelection, StressVerdict,
};

/// What the stress test is made from.
pub(super) struct StressSources<'a> {
    pub(super) models: &'a [Model],
    pub(super) reports: &'a [Report],
    pub(super) tables: &'a [Aligned],
    pub(super) design: &'a FoldDesign,
    pub(super) request: &'a EvaluateRequest,
}

/// A model whose list is cut.
struct Stressed<'a> {
    name: &'a str,
    rule: CutoffRule,
    selection: ScoreSelection<'a>,
    reading: SelectionReading,
}

/// For each selection and figure the test of its difference, or why there is none.
type Tests = Vec<Vec<Result<DifferenceTest, NoInterval>>>;

impl StressSources<'_> {
    /// The stress test; nothing where nobody asked for one.
    ///
    /// # Errors
    /// More cases are asked for than there are.
    pub(super) fn results(&self) -> Result<Option<StressSelection>, Error> {
        let asked = &self.request.stress_selection;
        if asked.is_empty() {
            return Ok(None);
        }
        let models = self.models.iter().zip(self.reports);
        let stressed =
            models.map(|(model, report)| self.stressed(model, report)).collect::<Result<Vec<_>, _>>()?;
        let mut found = StressSelection {
            asked: asked.clone(),
            replicates: Draws::of(self.request).n_replicates,
            verdicts: Vec::new(),
            selections: Vec::new(),
            figures: Vec::new(),
            bands: Vec::new(),
        };
        for (of_model, tests) in stressed.iter().zip(self.tests(&stressed)) {
            let rows = self.rows(of_model, &tests);
            found.verdicts.push(verdict(of_model, &rows));
            found.figures.extend(rows);
            found.selections.extend(self.selected(of_model));
            found.bands.extend(self.bands(of_model));
        }
        Ok(Some(found))
    }

    fn stressed<'m>(&self, model: &'m Model, report: &Report) -> Result<Stressed<'m>, Error> {
        let refused = |error: tribunal_eval::Error| Error::data(format!("{}: {error}", model.name));
        let whole = &model.ranking;
        let shares = self.request.stress_selection.iter().map(|at| self.share(model, *at));
        let cut = |share: Result<f64, Error>| SelectionCut::at(whole, share?).map_err(refused);
        let cuts = shares.map(cut).collect::<Result<Vec<_>, _>>()?;
        let bands = match self.request.charts.bands.as_slice() {
            [] => bands_with_cuts(whole, &cuts, ScoreBands::DEFAULT),
            edges => ScoreBands::from_edges(edges),
        };
        let (Some(rule), Some(cutoff)) = (report.questions.rules.first(), report.cutoffs.first()) else {
            return Err(Error::data(format!("{}: there is no cut-off at which to judge it", model.name)));
        };
        let selection =
            ScoreSelection { whole, cuts, bands: bands.map_err(refused)?, cutoff: cutoff.clone() };
        let reading = selection.read(whole);
        Ok(Stressed { name: &model.name, rule: *rule, selection, reading })
    }

    /// Which share of the list of a model is asked for.
    fn share(&self, model: &Model, asked: At) -> Result<f64, Error> {
        let count = match asked {
            At::Share(share) => return Ok(share),
            At::Count(count) => count,
        };
        // Where a cross-validation was repeated, the list of the cases is that of one repetition.
        let n_repetitions = self.design.n_times_each_case(&model.folds) as f64;
        let cases = model.ranking.totals().total() / n_repetitions;
        if count > cases * (1.0 + 1e-9) {
            let message = format!(
                "a selection of {count} cases is asked for, but the list holds {cases}; ask for fewer or for a share: "
            );
            return Err(Error::data(Message::from(message).set(Setting::StressSelection, "50%,25%")));
        }
        Ok((count / cases).min(1.0))
    }

    /// The tests of every model, from bootstrap replicates of the kept rows of all models together.
    fn tests(&self, stressed: &[Stressed<'_>]) -> Vec<Tests> {
        let mut found: Vec<Tests> = stressed.iter().map(|model| self.model_tests(model, &[], None)).collect();
        for table in self.tables {
            let drawn = self.drawn(stressed, table);
            for (place, &model) in table.models.iter().enumerate() {
                let of_model: Vec<Vec<f64>> =
                    drawn.iter().map(|replicate| replicate[place].clone()).collect();
                found[model] = self.model_tests(&stressed[model], &of_model, Some(table));
            }
        }
        found
    }

    /// For each replicate and each model of a table the differences of all its figures.
    fn drawn(&self, stressed: &[Stressed<'_>], table: &Aligned) -> Vec<Vec<Vec<f64>>> {
        let draws = Draws::of(self.request);
        let rows = draws.rows(table).filter(|_| draws.n_replicates > 0);
        let Some(resampler) = rows.and_then(|rows| Resampler::new(&rows).ok()) else { return Vec::new() };
        let one = |index: u64| {
            let replicates = resampler.replicate(draws.seed, index, self.request.base_rate);
            let of_model = |(ranking, &model): (_, &usize)| stressed[model].selection.differences(ranking);
            replicates.iter().zip(&table.models).map(of_model).collect()
        };
        (0..draws.n_replicates as u64).into_par_iter().map(one).collect()
    }

    fn model_tests(&self, model: &Stressed<'_>, drawn: &[Vec<f64>], table: Option<&Aligned>) -> Tests {
        let mut tests = model.selection.tests(&model.reading, drawn, self.request.level);
        let reaches = |actioned: &ActionedReading| table.is_none_or(|table| table.holds_of(actioned.rows));
        for (tests, actioned) in tests.iter_mut().zip(&model.reading.actioned) {
            if !reaches(actioned) {
                tests.iter_mut().for_each(|test| *test = Err(NoInterval::NeedsReplicates));
            }
        }
        tests
    }

    /// The rows of a model: all cases, then selection by selection.
    fn rows(&self, model: &Stressed<'_>, tests: &Tests) -> Vec<StressRow> {
        let row = |figure: SelectionFigure, n: f64, value: &Value| StressRow {
            model: model.name.to_owned(),
            figure,
            selection: None,
            estimate: value.as_ref().ok().copied(),
            reference: None,
            difference: None,
            lower: None,
            upper: None,
            level: None,
            method: None,
            p: None,
            p_adjusted: None,
            outcome: None,
            n,
            undefined: value.as_ref().err().map(ToString::to_string),
            no_interval: None,
        };
        let n_rows = model.selection.whole.n_rows();
        let figures = || SelectionFigure::ALL.iter().copied();
        let all = figures().zip(&model.reading.all).map(|(figure, value)| row(figure, n_rows, value));
        let mut rows: Vec<StressRow> = all.collect();
        let asked = self.request.stress_selection.iter();
        for ((at, actioned), tests) in asked.zip(&model.reading.actioned).zip(tests) {
            rows.extend(figures().zip(tests).map(|(figure, test)| {
                let contrast = actioned.contrast(figure);
                let mut row = row(figure, actioned.rows, &contrast.value);
                row.selection = Some(*at);
                row.reference = contrast.reference.as_ref().ok().copied();
                row.difference = contrast.difference();
                row.with_test(test)
            }));
        }
        self.judge(&mut rows);
        rows
    }

    /// Adjusts the chances of the differences of a model by Holm, and says what each comes to.
    fn judge(&self, rows: &mut [StressRow]) {
        let is_tested = |row: &StressRow| row.p.is_some() && row.difference != Some(0.0);
        let p: Vec<f64> = rows.iter().filter(|row| is_tested(row)).filter_map(|row| row.p).collect();
        let mut adjusted = holm(&p).unwrap_or_default().into_iter();
        let alpha = self.request.level.alpha();
        for row in rows.iter_mut().filter(|row| row.selection.is_some()) {
            row.p_adjusted = if is_tested(row) { adjusted.next() } else { row.p };
            row.outcome = Some(match (row.difference, row.p_adjusted) {
                (Some(0.0), _) => StressOutcome::Same,
                (Some(_), Some(p)) if p < alpha => StressOutcome::Moves,
                (Some(_), Some(_)) => StressOutcome::WithinChance,
                _ => StressOutcome::Untested,
            });
        }
    }

    fn selected(&self, model: &Stressed<'_>) -> Vec<ScoreSelected> {
        let selected = |(asked, cut): (&At, &SelectionCut)| ScoreSelected {
            model: model.name.to_owned(),
            asked: *asked,
            share: cut.share,
            cases: cut.weight,
            positives: model.selection.whole.top(cut.weight).positive,
            threshold: model.selection.whole.threshold_at(cut.lowest),
            of_lowest: cut.of_lowest,
        };
        self.request.stress_selection.iter().zip(&model.selection.cuts).map(selected).collect()
    }

    fn bands(&self, model: &Stressed<'_>) -> Vec<StressBand> {
        let (bands, reading) = (&model.selection.bands, &model.reading);
        let selected = |tally: &BandTally| SelectedBand {
            cases: tally.weights.total(),
            strike_rate: tally.strike_rate().ok(),
        };
        let band = |(place, (tally, label)): (usize, (&BandTally, String))| {
            let (from, to) = bands.ends(place);
            let interval = tally.strike_rate_interval(self.request.level);
            StressBand {
                model: model.name.to_owned(),
                from,
                to,
                label,
                cases: tally.weights.total(),
                strike_rate: tally.strike_rate().ok(),
                lower: interval.map(|interval| interval.lower),
                upper: interval.map(|interval| interval.upper),
                selected: reading.actioned.iter().map(|actioned| selected(&actioned.bands[place])).collect(),
            }
        };
        reading.bands.iter().zip(bands.labels()).enumerate().map(band).collect()
    }
}

impl StressRow {
    fn with_test(self, test: &Result<DifferenceTest, NoInterval>) -> Self {
        match test {
            Ok(test) => Self {
                lower: Some(test.effect.interval.lower),
                upper: Some(test.effect.interval.upper),
                level: Some(test.effect.interval.level.get()),
                method: Some(test.effect.interval.method),
                p: Some(test.p),
                ..self
            },
            // What is undefined needs no second reason.
            Err(NoInterval::Undefined(_)) => self,
            Err(reason) => Self { no_interval: Some(reason.clone()), ..self },
        }
    }
}

/// Which figures survive every selection.
fn verdict(model: &Stressed<'_>, rows: &[StressRow]) -> StressVerdict {
    let mut verdict = StressVerdict {
        model: model.name.to_owned(),
        cutoff: model.rule,
        survives: Vec::new(),
        within_chance: Vec::new(),
        moves: Vec::new(),
        untested: Vec::new(),
    };
    for figure in SelectionFigure::ALL.iter().copied() {
        let outcomes = || rows.iter().filter(|row| row.figure == figure).filter_map(|row| row.outcome);
        let is_all_same = outcomes().all(|outcome| outcome == StressOutcome::Same);
        let list = if outcomes().any(|outcome| outcome == StressOutcome::Moves) {
            &mut verdict.moves
        } else if outcomes().any(|outcome| outcome == StressOutcome::Untested) {
            &mut verdict.untested
        } else if is_all_same || figure.is_within_bands() {
            &mut verdict.survives
        } else {
            &mut verdict.within_chance
        };
        list.push(figure);
    }
    verdict
}
