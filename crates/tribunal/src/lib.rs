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

mod any_model;
mod apply;
pub mod bias;
pub mod claims;
mod classes;
mod data;
mod demo;
mod describe;
mod division;
mod error;
mod evaluate;
mod fit;
mod fit_amounts;
mod form;
mod label_reader;
mod leaks;
mod line_up;
pub mod message;
mod metric_info;
mod model_file;
pub mod outside;
mod progress;
mod provenance;
mod repeated_rows;
pub mod resampling;
mod results;
mod room_for_rows;
mod scope;
mod stored;
mod study;
mod tables;
mod test_name;
mod toml_file;
mod tuning;
mod warning;

pub use any_model::AnyModel;
pub use apply::{
    AmountExplanation, AmountModelSummary, AmountSummary, ClassScore, ContributionItem, EvidenceItem,
    ExplainedAmount, ExplainedRow, Explanation, InputSummary, Keep, Matching, ModelSummary, PredictedClass,
    RowId, RowList, RowReasons, ScoreRequest, ScoreSummary, ScoredAmounts, ScoredTable, WhichRows,
    explain_amount_model, explain_amounts, explain_model, explain_rows, score_amounts, score_table,
};
pub use classes::Classes;
pub use data::{
    DataRequest, LoadedData, Population, TableOrigin, TargetRequest, Unlabelled, is_built_in_schema,
    load_data, load_population, read_schema,
};
pub use demo::{DEMO_COLUMNS, demo_claims, write_demo_claims};
pub use describe::{
    Alone, AloneMethod, ClassCount, ColumnDescription, ColumnKind, DateRange, Description, Direction,
    LevelCount, Notice, NumberSummary, Subject, TargetDescription, describe,
};
pub use error::{Error, ErrorKind};
pub use evaluate::{
    At, CollectedScores, Compare, EvaluateRequest, LabelValue, ScoreColumns, ScoredRows, evaluate,
    evaluate_rows, evaluate_source, evaluate_table, score_columns,
};
pub use fit::{FitRequest, FitSummary, FittedTable, fit_learner, fit_table};
pub use fit_amounts::{AmountFitRequest, AmountFitSummary, FittedAmounts, fit_amounts};
pub use form::{Form, SchemaOf};
pub use leaks::{Leak, LeakEvidence, ValuePart};
pub use line_up::{
    CrossRequest, CrossSummary, CrossTable, Entrant, EntrantScores, EntrantSummary, FailedSplits, Found,
    LineUpScores, Outcome, SplitScores, TestedRows, Trial, cross_table, cross_validate,
    cross_validate_trials,
};
pub use metric_info::MetricInfo;
pub use model_file::{
    MODEL_SCHEMA, ModelFile, SavedAmounts, SavedModel, Storable, read_model, read_model_file, stored_model,
    write_model,
};
pub use outside::{Exchange, OutsideLearner, OutsideModel, end_outside_commands};
pub use progress::{OnProgress, Progress};
pub use provenance::Provenance;
pub use results::{
    BaselineKind, BaselineStanding, CapacityShare, Comparison, CutoffResult, CutsResult, Data, Evaluation,
    FoldTests, FoldedRoc, GainsResult, Groups, HullResult, HullVertex, MetricRow, ModelBaseline, Planning,
    ProfitResult, ReliabilityResult, Standing, Verdict,
};
pub use scope::Scope;
pub use stored::{StoredResult, read_results};
pub use study::{
    Addition, BaselineTest, CLAIMS_STUDY_FILES, DEMO_CLAIMS, Deployment, DesignFigure, FamilyGain,
    FamilyHull, FamilyRatio, FinishedStudy, Gap, HeldOutList, InitOptions, LearnerGain, LearnerRatio,
    LearnerTimes, LeftOut, MetricSummary, ModelNote, Preference, Protocol, RUN_FILES, ScenarioCurves,
    ScenarioRatios, ScenarioTests, ScenarioVerdict, Stretch, Study, StudyData, StudyFigure, StudyFile,
    StudyLearner, StudyRequest, StudyScenario, StudyTimes, StudyVerdict, TopGroup, USUAL_LEARNERS,
    VerdictOutcome, all_designs, designs_of, fit_best, init_study, learners_of, read_study, run_study,
    write_claims_study, write_run_file,
};
pub use tables::{
    BiasRequest, BiasSummary, BiasedTable, ClassShift, PlannedTable, SplitRequest, bias_table, plan_table,
};
pub use test_name::Test;
pub use tribunal_io::{Source, is_hidden, printable, printable_lines};
pub use tribunal_learn::{
    AMOUNT_LEARNERS, AlignOptions, Aligned, AmountCoefficient, AmountForm, AmountLearner, AmountModel,
    AmountRows, Coefficient, CoefficientTable, Coefficients, ColumnSchema, ColumnTest, FTest, Influence,
    LEARNERS, Learner, LearnerForm, Model, Neighbour, Output, Path, PathStep, Quality, Role, Schema,
    TargetRule, Uncertainty, Unmatched, claims_schema,
};
pub use tribunal_random::{Random, derive_seed};
pub use tuning::{TrainingPart, TuneOptions, TuneRule, Tuned, TunedCandidate, TuningCurve, tune, tune_each};
pub use warning::{Miscalibrated, StudyWarning, Warning};
