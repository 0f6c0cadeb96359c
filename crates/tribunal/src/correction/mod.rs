//! Correction: what the actioned cases say about the population that they were chosen from.
//!
//! The cases whose outcome is known are those that somebody chose to act on. Two tables are divided into the same strata - labels,
//! bands of a score, clusters -: the *prevalence*, all cases of the population, and the *incidence*, those that were acted on.
//! [`correct`] gives the incidence the shares that the strata have in the population, by the resampling of Koesmarno and by the
//! weights of survey statistics, and says what each makes of strike rate, precision, recall and AUROC.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `request.rs` | what is asked |
//! | `columns.rs` | columns of the two tables |
//! | `stratify.rs` | strata of either table, merged where there is nothing to learn from |
//! | `clusters.rs` | strata by k-means |
//! | `weighting.rs` | what each method makes of the strata |
//! | `models.rs` | selection and outcome model, and doubly robust figures |
//! | `run.rs` | all of it in order |
//! | `cautions.rs`, `verdict.rs` | what is doubtful, and the answer |
//! | `sample.rs` | the corrected sample as a table |

mod cautions;
mod clusters;
mod columns;
mod merging;
mod models;
mod request;
mod results;
mod run;
mod sample;
mod stratify;
mod verdict;
mod weighting;

#[cfg(test)]
mod tests;

pub use request::{
    BandsRequest, ClustersRequest, CorrectRequest, CorrectionMethod, EmptyStrata, OutcomeColumns,
};
pub use results::{
    BandedColumn, ClusterCentre, ClusteredStrata, CorrectedSide, Correction, CorrectionData,
    CorrectionFinding, CorrectionWarning, MergedStratum, MethodCorrection, Stratification, StratumRow,
    ThinReason, Unreached,
};
pub use run::{CorrectedTable, correct};
