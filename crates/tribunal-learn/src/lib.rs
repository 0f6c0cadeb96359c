//! # tribunal-learn: what learners are fed with
