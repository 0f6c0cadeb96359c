//! One file a verb: from validated arguments to a library call.

pub(crate) mod bias;
pub(crate) mod completions;
pub(crate) mod correct;
pub(crate) mod cross;
pub(crate) mod data;
pub(crate) mod demo;
pub(crate) mod describe;
pub(crate) mod evaluate;
pub(crate) mod explain;
pub(crate) mod fit;
pub(crate) mod generate;
pub(crate) mod init;
pub(crate) mod learners;
pub(crate) mod man;
pub(crate) mod metrics;
pub(crate) mod model;
pub(crate) mod monitor;
pub(crate) mod report;
pub(crate) mod score;
pub(crate) mod select;
pub(crate) mod split;
pub(crate) mod study;
