//! Models applied to tables: columns matched by name, rows scored, scores explained.

mod amount_reasons;
mod amount_scores;
mod explain;
mod explanation;
mod filling;
mod matching;
mod row_list;
mod score;

pub use amount_reasons::{
    AmountExplanation, AmountModelSummary, ExplainedAmount, explain_amount_model, explain_amounts,
};
pub use amount_scores::{AmountSummary, ScoredAmounts, score_amounts};
pub use explain::{WhichRows, explain_model, explain_rows};
pub use explanation::{
    ClassScore, ContributionItem, EvidenceItem, ExplainedRow, Explanation, InputSummary, MemberReasons,
    MemberSummary, MemberText, ModelSummary, RowId, RowReasons,
};
pub use matching::Matching;
pub(crate) use matching::read_population;
pub use row_list::RowList;
pub(crate) use score::kept_columns;
pub use score::{Keep, PredictedClass, ScoreRequest, ScoreSummary, ScoredTable, score_table};
