//! Learners from outside: what every one of them keeps to, and what other programs say.

mod boost;
mod claims;
mod contract;
mod costs;
mod differential;
mod edited;
mod logit;
mod metamorphic;
mod parity;
mod svm;
mod tables;
