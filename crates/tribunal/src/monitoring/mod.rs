//! Did the model get worse, or did the selection change? Two periods of scored cases compared, or many with the first of them.
//!
//! A table has a score for every row of the population, says which rows were acted on, and has the outcomes of those that are known.
//! The strike rate among the actioned mixes population, selection and model; [`monitor`] states a contribution, a test and an
//! interval for each, figures that a selection by score leaves alone, and whether limits hold. Within a band of the score being
//! acted on is taken to say nothing about the outcome beyond the band.
//!
//! References: Kitagawa (1955); Shorrocks (2013); Cochran (1954); Mantel and Haenszel (1959); Little (1993).

mod cases;
mod chart;
mod comparison;
mod effects;
mod figures;
mod finer;
mod knowledge;
mod limits;
mod period;
mod periods;
mod read;
mod request;
mod results;
mod run;
#[cfg(test)]
mod simulations;
#[cfg(test)]
mod tests;
mod verdict;
mod warning;
mod warnings;

pub use figures::{FIGURES, MonitoredFigure};
pub use limits::{Limit, Side};
pub use request::{AskedBands, MonitorColumns, MonitorRequest, PeriodRule, Span};
pub use results::{
    Band, BandFigures, Change, ChangeKind, ChangeTest, ChangeTestName, ChartLimit, ChartPoint, ChartSeries,
    Contribution, FinerTest, LimitRow, MonitorRow, MonitoredColumns, Monitoring, PeriodFacts, PeriodFindings,
    RankingChange,
};
pub use run::{MonitoredTables, monitor};
pub use warning::MonitorWarning;
