//! Draws every model's cases again, over all rows and within each fold, and tells how far it has come.

use std::sync::atomic::{AtomicU64, Ordering};

use super::kept::Aligned;
use super::measure::Report;
use super::questions::Questions;
use super::request::EvaluateRequest;
use super::spread::{Draws, Spread, draw};
use crate::progress::{OnProgress, Progress};
use crate::results::Data;

/// What drawing again made of every model's figures, over all rows and per fold.
pub(super) struct Uncertainty {
    pub(super) all: Vec<Option<Spread>>,
    /// For each model one spread per fold, or none at all.
    pub(super) folds: Vec<Vec<Option<Spread>>>,
}

impl Uncertainty {
    /// Draws as often as was asked for.
    pub(super) fn of(
        tables: &[Aligned],
        reports: &[Report],
        data: &Data,
        request: &EvaluateRequest,
        on_progress: OnProgress<'_>,
    ) -> Self {
        let draws = Draws::of(request);
        let mut all = vec![None; reports.len()];
        let mut folds = vec![Vec::new(); reports.len()];
        if draws.n_replicates == 0 {
            return Self { all, folds };
        }
        let n_folds = if request.fold_intervals { data.folds.len() } else { 0 };
        let total = (tables.len() * (1 + n_folds) * draws.n_replicates) as u64;
        let done = AtomicU64::new(0);
        let drawn =
            || on_progress(Progress::Drawing { done: done.fetch_add(1, Ordering::Relaxed) + 1, total });
        let questions: Vec<&Questions> = reports.iter().map(|report| &report.questions).collect();
        for table in tables {
            for (&model, spread) in
                table.models.iter().zip(draw(table, &questions, draws, &drawn).into_iter().flatten())
            {
                all[model] = Some(spread);
            }
            for fold in 0..n_folds {
                let inside: Vec<Questions> = reports.iter().map(|report| report.inside(fold)).collect();
                let inside: Vec<&Questions> = inside.iter().collect();
                let of_fold = table.of_fold(fold as u32);
                let mut spreads = draw(&of_fold, &inside, draws, &drawn).into_iter().flatten();
                table.models.iter().for_each(|&model| folds[model].push(spreads.next()));
            }
        }
        Self { all, folds }
    }
}
