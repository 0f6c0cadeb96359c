//! Learners from outside: what every one of them keeps to, and what other programs say.

mod boost;
mod claims;
mod contract;
mod logit;
mod parity;
mod svm;
