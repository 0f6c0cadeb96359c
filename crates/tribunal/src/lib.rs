//! # tribunal: the experiment
//!
//! Where tables meet the judge. This crate turns files into scored sets, runs what was asked for, and
//! returns [`Evaluation`]: plain, versioned, serialisable data that the command line, reports and other
//! programs read. It prints nothing.
//!
//! ```
//! use tribunal::{EvaluateRequest, ScoreColumns, evaluate, write_demo_claims};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("claims.csv");
//! write_demo_claims(&path, 7)?;
//! let mut request = EvaluateRequest::new(ScoreColumns::new("fraud", ["logit", "forest"]));
//! request.columns.positive = Some("yes".into());
//! let evaluation = evaluate(&[path.to_string_lossy()], &request, &|_progress| ())?;
//! assert_eq!((evaluation.data.rows, evaluation.data.positives), (1399, 410));
//! assert_eq!(evaluation.verdict.ranking, ["forest", "logit"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Features
//!
//! - `learners` (default): everything that needs `tribunal-learn` - data sets, learners, resampling, studies, models. Without
//!   it there are evaluations, of files, record batches and slices, and their results.
//! - `parquet` (default): Parquet files, read and written; see `tribunal-io`.
//! - `schema`: JSON schemas of the results.
//!
//! ## What was rejected
//!
//! - **Keeping all rows.** Batches go straight into rankings, so that 10⁸ rows are judged in 16 to 24 bytes
//!   each; what draws cases again or sets models side by side gets a sample of each class.
//! - **A callback per metric.** A request names what is wanted and one pass computes it; there is no order
//!   of calls to get wrong.

/// Its example is compiled with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(feature = "learners")]
mod any_model;
#[cfg(feature = "learners")]
mod apply;
#[cfg(feature = "learners")]
pub mod bias;
mod charts;
#[cfg(feature = "learners")]
pub mod claims;
mod classes;
#[cfg(feature = "learners")]
mod committee_model;
#[cfg(feature = "learners")]
pub mod correction;
#[cfg(feature = "learners")]
mod data;
mod decision;
mod demo;
#[cfg(feature = "learners")]
mod describe;
#[cfg(feature = "learners")]
mod division;
mod error;
mod evaluate;
#[cfg(feature = "learners")]
mod fit;
#[cfg(feature = "learners")]
mod fit_amounts;
mod form;
#[cfg(feature = "learners")]
mod label_reader;
#[cfg(feature = "learners")]
mod leaks;
#[cfg(feature = "learners")]
mod line_up;
pub mod message;
mod metric_info;
#[cfg(feature = "learners")]
mod model_file;
#[cfg(feature = "learners")]
pub mod monitoring;
#[cfg(feature = "learners")]
pub mod outside;
mod progress;
mod provenance;
#[cfg(feature = "learners")]
mod repeated_rows;
#[cfg(feature = "learners")]
pub mod resampling;
mod results;
mod room_for_rows;
#[cfg(feature = "learners")]
mod run_folder;
mod scope;
mod segment_results;
#[cfg(feature = "learners")]
pub mod selection;
#[cfg(feature = "learners")]
pub mod shift;
mod stored;
mod stress_selection;
#[cfg(feature = "learners")]
mod study;
#[cfg(feature = "learners")]
mod tables;
mod test_name;
#[cfg(feature = "learners")]
mod toml_file;
#[cfg(feature = "learners")]
mod toml_words;
#[cfg(feature = "learners")]
mod tuning;
mod warning;
mod words;

#[cfg(feature = "learners")]
pub use any_model::AnyModel;
#[cfg(feature = "learners")]
pub use apply::{
    AmountExplanation, AmountModelSummary, AmountSummary, ClassScore, ContributionItem, EvidenceItem,
    ExplainedAmount, ExplainedRow, Explanation, InputSummary, Keep, Matching, MemberReasons, MemberSummary,
    MemberText, ModelSummary, PredictedClass, RowId, RowList, RowReasons, ScoreRequest, ScoreSummary,
    ScoredAmounts, ScoredTable, WhichRows, explain_amount_model, explain_amounts, explain_model,
    explain_rows, score_amounts, score_table,
};
pub use charts::{
    BaseRateFigures, BaseRateReading, ChartRequest, ConditionReading, CutoffCharts, DepthReading,
    DepthRecipe, FoldBand, FoldRisk, FoldSpread, ModelCharts, RiskReading, ShiftedProbability,
};
pub use classes::Classes;
#[cfg(feature = "learners")]
pub use committee_model::{CommitteeModel, MemberModel, MemberPosteriors};
#[cfg(feature = "learners")]
pub use data::{
    DataRequest, LoadedData, Population, TableOrigin, TargetRequest, Unlabelled, is_built_in_schema,
    load_data, load_population, read_schema,
};
pub use decision::{
    AskedCutoff, AtCapacity, BaselineDecision, BaselinePolicy, BestCut, CaseRule, Costs, DecideBy, Decision,
    DecisionRequest, Expression, ExpressionError, Lead, ModelDecision, Outcomes, Policy,
};
pub use demo::{DEMO_COLUMNS, demo_claims, write_demo_claims};
#[cfg(feature = "learners")]
pub use describe::{
    Alone, AloneMethod, ClassCount, ColumnDescription, ColumnKind, DateRange, Description, Direction,
    LevelCount, Notice, NumberSummary, Subject, TargetDescription, describe,
};
pub use error::{Error, ErrorKind};
pub use evaluate::{
    At, CollectedScores, Compare, EvaluateRequest, LabelValue, ScoreColumns, ScoredRows, evaluate,
    evaluate_rows, evaluate_source, evaluate_table, score_columns,
};
#[cfg(feature = "learners")]
pub use fit::{FitRequest, FitSummary, FittedTable, fit_learner, fit_table};
#[cfg(feature = "learners")]
pub use fit_amounts::{AmountFitRequest, AmountFitSummary, FittedAmounts, fit_amounts};
pub use form::{Form, MODEL_SCHEMA, SchemaOf};
#[cfg(feature = "learners")]
pub use leaks::{Leak, LeakEvidence, ValuePart};
#[cfg(feature = "learners")]
pub use line_up::{
    CrossRequest, CrossSummary, CrossTable, Entrant, EntrantScores, EntrantSummary, FailedSplits, Found,
    LineUpScores, Outcome, SplitScores, TestedRows, Trial, cross_table, cross_validate,
    cross_validate_trials,
};
pub use metric_info::MetricInfo;
#[cfg(feature = "learners")]
pub use model_file::{
    ModelFile, SavedAmounts, SavedModel, Storable, read_model, read_model_file, stored_model, write_model,
};
#[cfg(feature = "learners")]
pub use outside::{Exchange, OutsideLearner, OutsideModel, end_outside_commands};
pub use progress::{OnProgress, Progress};
pub use provenance::Provenance;
pub use results::{
    BaselineKind, BaselineStanding, CapacityShare, Comparison, CutoffResult, CutsResult, Data, Evaluation,
    FoldTests, FoldedRoc, GainsResult, Groups, HullResult, HullVertex, MetricRow, ModelBaseline, Planning,
    ReliabilityResult, Standing, Verdict,
};
#[cfg(feature = "learners")]
pub use run_folder::{RUN_FILES, write_run_file};
pub use scope::Scope;
pub use segment_results::{
    Segment, SegmentAgainstRest, SegmentCutoff, SegmentDecision, SegmentDecisions, SegmentFigure,
    SegmentResults, SegmentShare, SegmentTest, UntestedSegment,
};
pub use stored::{StoredResult, read_results};
pub use stress_selection::{
    ScoreSelected, SelectedBand, StressBand, StressOutcome, StressRow, StressSelection, StressVerdict,
};
#[cfg(feature = "learners")]
pub use study::{
    Addition, BaselineTest, CLAIMS_STUDY_FILES, DEMO_CLAIMS, Deployment, DesignFigure, ErrorCosts,
    FamilyGain, FamilyHull, FamilyRatio, FinishedStudy, Gap, HeldOutList, InitOptions, LearnerGain,
    LearnerLead, LearnerRatio, LearnerTimes, LeftOut, MetricSummary, ModelNote, Preference, Protocol,
    ScenarioCurves, ScenarioDecision, ScenarioRatios, ScenarioTests, ScenarioVerdict, Stretch, Study,
    StudyData, StudyFigure, StudyFile, StudyLearner, StudyRequest, StudyScenario, StudyTimes, StudyVerdict,
    TopGroup, USUAL_LEARNERS, VerdictOutcome, all_designs, cost_methods_of, designs_of, fit_best,
    init_selection, init_study, learners_of, read_study, run_study, write_claims_study,
};
#[cfg(feature = "learners")]
pub use tables::{
    BiasRequest, BiasSummary, BiasedTable, ClassShift, PlannedTable, SplitRequest, bias_table, plan_table,
};
pub use test_name::Test;
pub use tribunal_io::{Source, is_hidden, printable, printable_lines};
#[cfg(feature = "learners")]
pub use tribunal_learn::{
    AMOUNT_LEARNERS, AlignOptions, Aligned, AmountCoefficient, AmountForm, AmountLearner, AmountModel,
    AmountRows, COST_METHODS, Coefficient, CoefficientTable, Coefficients, ColumnSchema, ColumnTest,
    CostMatrix, CostMethod, CostMethodForm, CostsWithin, FTest, Influence, LEARNERS, Learner, LearnerForm,
    Model, Neighbour, Output, Path, PathStep, Quality, Role, Schema, TargetRule, Uncertainty, Unmatched,
    claims_schema,
};
pub use tribunal_random::{Random, derive_seed};
#[cfg(feature = "learners")]
pub use tuning::{TrainingPart, TuneOptions, TuneRule, Tuned, TunedCandidate, TuningCurve, tune, tune_each};
pub use warning::{Miscalibrated, StudyWarning, Warning};
