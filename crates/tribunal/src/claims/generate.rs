//! Claims in two passes: one draws every claim and ranks it, one hands the claims out in order.
//!
//! What the first pass drew is kept as far as a fixed number of bytes goes; the other claims are drawn again. Blocks
//! are drawn on all cores, each from its own place in the one stream of the seed.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use tribunal_random::Places;

use super::BLOCK;
use super::claim::{Claim, N_LATENTS};
use super::draws::{Draws, PER_CLAIM};
use super::near::NearNormals;
use super::ranks::{self, Cells, Marks, NeverGiven};
use super::table::Claims;
use super::targets::STUDIED;
use crate::error::Error;
use crate::progress::{OnProgress, Progress};

/// The most claims that one request can ask for.
pub const MOST_ROWS: u64 = 100_000_000;

/// Memory for claims that the first pass drew.
const KEPT_BYTES: usize = 1 << 30;

/// Blocks that are prepared at a time while claims are handed out.
const WINDOW: usize = 8;

/// How many claims, and of which seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimsRequest {
    /// Number of claims.
    pub rows: u64,
    /// The same seed makes the same claims.
    pub seed: u64,
}

impl Default for ClaimsRequest {
    /// As many claims as were studied; of the seeds 1 to 60 the one on which logistic regression comes nearest to the
    /// published areas under the ROC curve.
    fn default() -> Self {
        Self { rows: STUDIED, seed: 32 }
    }
}

impl ClaimsRequest {
    /// The scores and the codes that no claim will have.
    pub fn never_given(&self) -> NeverGiven {
        NeverGiven::among(self.rows)
    }

    /// Whether the request can be met.
    ///
    /// # Errors
    /// There are no rows, or more than the ranking of all claims finds room for.
    pub fn check(&self) -> Result<(), Error> {
        match self.rows {
            0 => Err(Error::usage("0 rows are no claims; ask for at least 1 row")),
            1..=MOST_ROWS => Ok(()),
            rows => Err(Error::usage(format!(
                "{rows} rows are too many: scores are given by rank among all claims, which takes 12 bytes of memory \
                 each, so a file ends at {MOST_ROWS} rows; make several files with different seeds instead"
            ))),
        }
    }
}

/// All claims of a request in memory.
///
/// ```
/// use tribunal::claims::{ClaimsRequest, TARGETS, generate};
///
/// let claims = generate(&ClaimsRequest { rows: 1000, seed: 7 })?;
/// assert_eq!(claims.suspicious(&TARGETS[1]).filter(|&suspicious| suspicious).count(), 283);
/// # Ok::<(), tribunal::Error>(())
/// ```
///
/// # Errors
/// The request cannot be met.
pub fn generate(request: &ClaimsRequest) -> Result<Claims, Error> {
    let mut all = Claims::default();
    visit(request, &|_| (), &mut |claims| {
        all.append(claims);
        Ok(())
    })?;
    Ok(all)
}

/// Hands out the claims of a request piece by piece, in order.
///
/// Besides the pieces it takes 12 bytes of memory a claim and 1 GiB at most, in which claims wait to be handed out.
///
/// # Errors
/// The request cannot be met, or the visitor failed.
pub fn visit(
    request: &ClaimsRequest,
    on_progress: OnProgress<'_>,
    visitor: &mut dyn FnMut(Claims) -> Result<(), Error>,
) -> Result<(), Error> {
    visit_prepared(request, on_progress, &Ok, visitor)
}

/// Hands out claims that were prepared where they were drawn, on all cores.
pub(super) fn visit_prepared<T: Send>(
    request: &ClaimsRequest,
    on_progress: OnProgress<'_>,
    prepare: &(dyn Fn(Claims) -> Result<T, Error> + Sync),
    visitor: &mut dyn FnMut(T) -> Result<(), Error>,
) -> Result<(), Error> {
    request.check()?;
    Generator::new(request, KEPT_BYTES).run(on_progress, prepare, visitor)
}

struct Generator {
    rows: u64,
    places: Places,
    /// Blocks that are kept from the first pass to the second.
    n_kept: usize,
}

impl Generator {
    fn new(request: &ClaimsRequest, kept_bytes: usize) -> Self {
        let places = Places::new(request.seed, PER_CLAIM as u64, request.rows);
        Self { rows: request.rows, places, n_kept: kept_bytes / (BLOCK * Claims::BYTES) }
    }

    fn run<T: Send>(
        &self,
        on_progress: OnProgress<'_>,
        prepare: &(dyn Fn(Claims) -> Result<T, Error> + Sync),
        visitor: &mut dyn FnMut(T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let done = AtomicU64::new(0);
        let advance = |rows: usize| {
            let done = done.fetch_add(rows as u64, Ordering::Relaxed) + rows as u64;
            on_progress(Progress::Generating { done, total: 2 * self.rows });
        };
        let (kept, marks) = self.first_pass(&advance);
        let kept = kept.into_iter().map(Some).chain(std::iter::repeat_with(|| None));
        let mut blocks = marks.into_iter().zip(kept).enumerate();
        loop {
            let window: Vec<_> = blocks.by_ref().take(WINDOW).collect();
            if window.is_empty() {
                return Ok(());
            }
            let n_rows = window.iter().map(|(_, (marks, _))| marks.score.len()).sum();
            let prepared = window.into_par_iter().map(|(block, (marks, kept))| {
                prepare(kept.unwrap_or_else(|| self.draw(block, None)).marked(marks))
            });
            prepared.collect::<Vec<_>>().into_iter().try_for_each(|prepared| visitor(prepared?))?;
            advance(n_rows);
        }
    }

    /// Draws all claims and ranks them; the first blocks are kept.
    fn first_pass(&self, advance: &(dyn Fn(usize) + Sync)) -> (Vec<Claims>, Vec<Marks>) {
        let draw = |block: usize| {
            let mut cells = Cells::default();
            let claims = self.draw(block, Some(&mut cells));
            advance(claims.len());
            ((block < self.n_kept).then_some(claims), cells)
        };
        let drawn: Vec<_> = (0..self.n_blocks()).into_par_iter().map(draw).collect();
        let (kept, cells): (Vec<Option<Claims>>, Vec<Cells>) = drawn.into_iter().unzip();
        let marks = ranks::marks(self.rows, &cells, &|row| self.latents(row));
        (kept.into_iter().flatten().collect(), marks)
    }

    fn n_blocks(&self) -> usize {
        (self.rows as usize).div_ceil(BLOCK)
    }

    /// The claims of a block and, where they are wanted, the cells of their latents.
    fn draw(&self, block: usize, mut cells: Option<&mut Cells>) -> Claims {
        let first = block * BLOCK;
        let n_rows = BLOCK.min(self.rows as usize - first);
        let mut random = self.places.at(first as u64);
        let mut claims = Claims::with_capacity(n_rows);
        if let Some(cells) = &mut cells {
            cells.iter_mut().for_each(|cells| cells.reserve_exact(n_rows));
        }
        for _ in 0..n_rows {
            let draws = Draws::next(&mut random);
            let claim = Claim::of(&draws, NearNormals::tables());
            claims.push(&claim);
            if let Some(cells) = &mut cells {
                for (cells, latent) in cells.iter_mut().zip(claim.latents(&draws)) {
                    cells.push(ranks::cell(latent));
                }
            }
        }
        claims
    }

    /// The latents of a single claim.
    fn latents(&self, row: u64) -> [f64; N_LATENTS] {
        let draws = Draws::next(&mut self.places.at(row));
        Claim::of(&draws, NearNormals::tables()).latents(&draws)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{TARGETS, columns};
    use super::*;

    fn run(request: ClaimsRequest, kept_bytes: usize) -> Claims {
        let mut all = Claims::default();
        let done = Generator::new(&request, kept_bytes).run(&|_| (), &Ok, &mut |claims| {
            all.append(claims);
            Ok(())
        });
        done.expect("claims");
        all
    }

    #[test]
    fn claims_drawn_again_are_the_same() {
        let request = ClaimsRequest { rows: 2 * BLOCK as u64 + 77, seed: 5 };
        let kept = run(request, KEPT_BYTES);
        assert_eq!(kept.len() as u64, request.rows);
        assert_eq!(run(request, 0), kept);
        assert_eq!(run(request, BLOCK * Claims::BYTES), kept);
    }

    #[test]
    fn base_rates_are_exact_for_any_number_of_claims() {
        for rows in [1, 2, 10, 14, 1000, BLOCK as u64 + 1] {
            let claims = run(ClaimsRequest { rows, seed: rows }, KEPT_BYTES);
            for target in TARGETS {
                let positives = claims.suspicious(&target).filter(|&yes| yes).count() as u64;
                assert_eq!(positives, target.positives(rows), "{} of {rows}", target.name);
            }
        }
    }

    #[test]
    fn a_longer_stream_begins_with_the_same_circumstances() {
        let age = columns().find(|column| column.name == "AGE").expect("a column");
        let [short, long] =
            [100, 1000].map(|rows| run(ClaimsRequest { rows, seed: 3 }, KEPT_BYTES).raw(&age));
        assert_eq!(short, long[..100]);
    }

    #[test]
    fn progress_ends_at_its_total() {
        let last = std::sync::Mutex::new((0, 0));
        let told = |progress: Progress| {
            if let Progress::Generating { done, total } = progress {
                *last.lock().expect("a lock") = (done, total);
            }
        };
        visit(&ClaimsRequest { rows: 1000, seed: 1 }, &told, &mut |_| Ok(())).expect("claims");
        assert_eq!(*last.lock().expect("a lock"), (2000, 2000));
    }
}
