//! Models applied to tables: columns matched by name, rows scored, scores explained.

mod explain;
mod explanation;
mod filling;
mod matching;
mod row_list;
mod score;

pub use explain::{WhichRows, explain_model, explain_rows};
pub use explanation::{
    ClassProbability, ContributionItem, EXPLANATION_SCHEMA, EvidenceItem, ExplainedRow, Explanation,
    InputSummary, ModelSummary, RowId, RowReasons,
};
pub use matching::Matching;
pub use row_list::RowList;
pub(crate) use score::kept_columns;
pub use score::{Keep, PredictedClass, ScoreRequest, ScoreSummary, ScoredTable, score_table};
