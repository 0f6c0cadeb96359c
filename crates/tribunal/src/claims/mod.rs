//! Synthetic claims for personal injury, in place of data that nobody may publish.
//!
//! The columns, the base rates of the five targets and the difficulty are those of the 1399 claims that Viaene,
//! Derrig, Baesens and Dedene (2002) studied; the claims themselves are drawn from a seed. Flags fire together because
//! they share a common and a group factor, the circumstances of a claim depend on each other, and experts score
//! and code the claims by latent suspicions that the columns explain in part. Scores and codes are given by
//! rank, which makes the base rates exact for any number of claims.
//!
//! [`generate()`] makes claims in memory, [`visit`] hands them out piece by piece, [`write()`] and [`write_file`] make a
//! table of them.
//!
//! ## What was rejected
//!
//! - **A seed for each block.** The claims would depend on the size of a block. All claims are drawn from one stream;
//!   a block begins where its first claim stands in it.
//! - **Sorting.** Ranks are needed at fourteen places only; counting finds them.

mod bins;
mod claim;
mod draws;
mod generate;
#[cfg(test)]
mod golden;
mod near;
mod ranks;
mod schema;
mod table;
mod targets;
mod write;

pub use generate::{ClaimsRequest, MOST_ROWS, generate, visit};
pub use ranks::NeverGiven;
pub use schema::{Column, Holds, columns, schema};
pub use table::Claims;
pub use targets::{STUDIED, TARGETS, Target, statement};
pub use write::{write, write_file};

/// Claims that are drawn, kept and handed out together.
const BLOCK: usize = 1 << 16;
