//! Scores and codes by nested ranks, without a sort of the claims.
//!
//! Experts give a fixed share of the claims at least score 1, of these a fixed share at least score 4, and so on; who
//! gets what follows from the ranks of latent suspicions, ties by order of rows. Ranks are found by counting: each
//! latent is kept as one of 65,536 cells, and only the claims of the few cells through which a cut goes are drawn
//! again and ordered exactly.

use rayon::prelude::*;

use super::BLOCK;
use super::claim::N_LATENTS;
use super::targets::share;

const CELLS: usize = 1 << 16;
/// No mark: the cell has claims on both sides of a cut.
const SPLIT: u8 = u8::MAX;

// The latents by what they decide: scores from 1, 4 and 7 on, codes from 2 and 3 on.
const L1: usize = 0;
const L4: usize = 1;
const L7: usize = 2;
const M2: usize = 3;
const M3: usize = 4;

/// Which cell a latent lies in; a larger latent never lies in a smaller cell.
#[inline]
pub(super) fn cell(latent: f64) -> u16 {
    // The cast stops at the ends.
    ((latent + 6.0) * 4096.0) as u16
}

/// Scores and codes of a block of claims.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    pub(super) score: Vec<u8>,
    pub(super) code: Vec<u8>,
}

/// The latents of a block of claims, each as its cell.
pub(super) type Cells = [Vec<u16>; N_LATENTS];

/// A latent by which the claims with one mark are ranked and get other marks.
#[derive(Debug)]
struct Level {
    latent: usize,
    among: u8,
    /// Each mark, and the rank before which it ends.
    grades: Vec<(u8, u64)>,
}

impl Level {
    fn new(latent: usize, among: u8) -> Self {
        Self { latent, among, grades: Vec::new() }
    }

    /// Marks for the ranks up to `end`: to each its number as far as there are ranks, `rest` to those left over.
    fn deal(mut self, marks: &[(u8, u64)], rest: u8, end: u64) -> Self {
        for &(mark, number) in marks {
            let start = self.end();
            self.grades.push((mark, (start + number).min(end)));
        }
        self.grades.push((rest, end));
        self
    }

    fn end(&self) -> u64 {
        self.grades.last().map_or(0, |&(_, end)| end)
    }

    /// The mark of a rank.
    fn mark(&self, rank: u64) -> u8 {
        let grade = self.grades.partition_point(|&(_, end)| end <= rank);
        self.grades.get(grade).map_or(self.among, |&(mark, _)| mark)
    }
}

/// How scores are given to so many claims.
fn score_levels(rows: u64) -> [Level; 3] {
    let q = |studied| share(studied, rows);
    [
        Level::new(L1, 0).deal(&[], 1, q(601)).deal(&[], 0, rows),
        Level::new(L4, 1).deal(&[], 4, q(396)).deal(&[(3, q(75)), (2, q(70))], 1, q(601)),
        Level::new(L7, 4).deal(&[(10, q(8)), (9, q(15)), (8, q(40))], 7, q(123)).deal(
            &[(6, q(63)), (5, q(120))],
            4,
            q(396),
        ),
    ]
}

/// How codes are given to so many claims.
fn code_levels(rows: u64) -> [Level; 2] {
    let q = |studied| share(studied, rows);
    [
        Level::new(M2, 1).deal(&[], 2, q(504)).deal(&[], 1, rows),
        Level::new(M3, 2).deal(&[], 5, q(30)).deal(&[], 4, q(108)).deal(&[], 3, q(228)).deal(&[], 2, q(504)),
    ]
}

/// What no claim gets, because there are too few claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeverGiven {
    /// Scores that nobody has.
    pub scores: Vec<u8>,
    /// Codes that nobody has.
    pub codes: Vec<u8>,
}

impl NeverGiven {
    pub(super) fn among(rows: u64) -> Self {
        Self { scores: absent(&score_levels(rows), 0..=10), codes: absent(&code_levels(rows), 1..=5) }
    }
}

/// The marks that remain without a claim after all levels.
fn absent(levels: &[Level], marks: std::ops::RangeInclusive<u8>) -> Vec<u8> {
    let mut given = vec![0; usize::from(*marks.end()) + 1];
    for level in levels {
        given[usize::from(level.among)] = 0;
        let mut start = 0;
        for &(mark, end) in &level.grades {
            given[usize::from(mark)] += end - start;
            start = end;
        }
    }
    marks.filter(|&mark| given[usize::from(mark)] == 0).collect()
}

/// The scores and codes of all claims; `exact` draws a claim again for its latents.
pub(super) fn marks(
    rows: u64,
    cells: &[Cells],
    exact: &(dyn Fn(u64) -> [f64; N_LATENTS] + Sync),
) -> Vec<Marks> {
    let by = |levels: &[Level], first: u8| {
        let mut marks: Vec<Vec<u8>> = cells.iter().map(|cells| vec![first; cells[0].len()]).collect();
        for level in levels {
            Ranks { level, cells, exact }.give(&mut marks);
        }
        marks
    };
    let (score, code) = rayon::join(|| by(&score_levels(rows), 0), || by(&code_levels(rows), 1));
    score.into_iter().zip(code).map(|(score, code)| Marks { score, code }).collect()
}

/// One level, to be given to all claims.
struct Ranks<'a> {
    level: &'a Level,
    cells: &'a [Cells],
    exact: &'a (dyn Fn(u64) -> [f64; N_LATENTS] + Sync),
}

/// What the cells of a level get.
struct Dealt {
    /// The mark of each cell, or `SPLIT`.
    marks: Vec<u8>,
    /// The rank of the first claim of each cell.
    starts: Vec<u64>,
}

impl Ranks<'_> {
    fn give(&self, marks: &mut [Vec<u8>]) {
        let dealt = self.deal(&self.count(marks));
        let mut split = self.ordered(self.mark_cells(marks, &dealt));
        for group in split.chunk_by_mut(|a, b| a.cell == b.cell) {
            for (i, claim) in group.iter().enumerate() {
                let rank = dealt.starts[usize::from(claim.cell)] + i as u64;
                marks[claim.block][claim.at] = self.level.mark(rank);
            }
        }
    }

    /// How many claims of the level lie in each cell.
    fn count(&self, marks: &[Vec<u8>]) -> Vec<u64> {
        let blocks = self.cells.par_iter().zip(marks);
        let counted = blocks.fold(
            || vec![0; CELLS],
            |mut counts, (cells, marks)| {
                for (&cell, &mark) in cells[self.level.latent].iter().zip(marks) {
                    counts[usize::from(cell)] += u64::from(mark == self.level.among);
                }
                counts
            },
        );
        let add = |mut a: Vec<u64>, b: Vec<u64>| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            a
        };
        counted.reduce(|| vec![0; CELLS], add)
    }

    /// Marks from the highest cell down.
    fn deal(&self, counts: &[u64]) -> Dealt {
        let mut dealt = Dealt { marks: vec![SPLIT; CELLS], starts: vec![0; CELLS] };
        let mut start = 0;
        for cell in (0..CELLS).rev() {
            let end = start + counts[cell];
            let (first, last) = (self.level.mark(start), self.level.mark(end.max(start + 1) - 1));
            if first == last {
                dealt.marks[cell] = first;
            }
            dealt.starts[cell] = start;
            start = end;
        }
        dealt
    }

    /// Gives whole cells their mark; the claims of split cells are left over.
    fn mark_cells(&self, marks: &mut [Vec<u8>], dealt: &Dealt) -> Vec<SplitClaim> {
        let blocks = self.cells.par_iter().zip(marks).enumerate();
        let split = blocks.map(|(block, (cells, marks))| {
            let mut split = Vec::new();
            for (at, (&cell, mark)) in cells[self.level.latent].iter().zip(marks).enumerate() {
                if *mark == self.level.among {
                    *mark = dealt.marks[usize::from(cell)];
                    if *mark == SPLIT {
                        split.push(SplitClaim { cell, block, at, latent: 0.0 });
                    }
                }
            }
            split
        });
        split.collect::<Vec<_>>().concat()
    }

    /// The claims of split cells by descending latent, ties by order of rows.
    fn ordered(&self, mut split: Vec<SplitClaim>) -> Vec<SplitClaim> {
        split.par_iter_mut().for_each(|claim| claim.latent = (self.exact)(claim.row())[self.level.latent]);
        split.par_sort_by(|a, b| b.latent.total_cmp(&a.latent).then(a.row().cmp(&b.row())));
        split
    }
}

/// A claim whose cell a cut goes through.
#[derive(Clone, Debug)]
struct SplitClaim {
    cell: u16,
    block: usize,
    at: usize,
    latent: f64,
}

impl SplitClaim {
    fn row(&self) -> u64 {
        (self.block * BLOCK + self.at) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Marks by sorting, as they are defined.
    fn by_sorting(latents: &[[f64; N_LATENTS]]) -> Marks {
        let rows = latents.len() as u64;
        let marked = |levels: &[Level], first: u8| {
            let mut marks = vec![first; latents.len()];
            for level in levels {
                let mut order: Vec<usize> = (0..marks.len()).filter(|&i| marks[i] == level.among).collect();
                order.sort_by(|&a, &b| latents[b][level.latent].total_cmp(&latents[a][level.latent]));
                order.iter().enumerate().for_each(|(rank, &i)| marks[i] = level.mark(rank as u64));
            }
            marks
        };
        Marks { score: marked(&score_levels(rows), 0), code: marked(&code_levels(rows), 1) }
    }

    fn check(latents: &[[f64; N_LATENTS]]) {
        let cells = std::array::from_fn(|k| latents.iter().map(|latents| cell(latents[k])).collect());
        let found = marks(latents.len() as u64, &[cells], &|row| latents[row as usize]);
        assert_eq!(found, [by_sorting(latents)]);
    }

    proptest! {
        /// Coarse values are tied, narrow ones share a cell, wide ones lie beyond the last.
        #[test]
        fn counting_finds_the_ranks_of_sorting(
            draws in prop::collection::vec(any::<[i8; N_LATENTS]>(), 1..300),
            scale in prop::sample::select(vec![1e-7, 0.02, 0.1, 1.0]),
        ) {
            check(&draws.iter().map(|draw| draw.map(|value| f64::from(value) * scale)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn ties_go_to_the_first_rows() {
        let marks = by_sorting(&[[0.0; N_LATENTS]; 10]);
        check(&[[0.0; N_LATENTS]; 10]);
        assert_eq!(marks.score, [7, 5, 4, 3, 0, 0, 0, 0, 0, 0]);
        assert_eq!(marks.code, [4, 3, 2, 2, 1, 1, 1, 1, 1, 1]);
    }

    #[test]
    fn a_larger_latent_never_lies_in_a_smaller_cell() {
        let latents: Vec<f64> = (-2000..2000).map(|i| f64::from(i) * 0.01).collect();
        assert!(latents.windows(2).all(|pair| cell(pair[0]) <= cell(pair[1])));
        assert_eq!((cell(-50.0), cell(50.0)), (0, u16::MAX));
    }

    #[test]
    fn few_claims_leave_marks_ungiven() {
        let check = |rows: u64, scores: &[u8], codes: &[u8]| {
            let expected = NeverGiven { scores: scores.to_vec(), codes: codes.to_vec() };
            assert_eq!(NeverGiven::among(rows), expected, "{rows} rows");
        };
        check(1399, &[], &[]);
        check(10, &[1, 2, 6, 8, 9, 10], &[5]);
        check(1, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], &[2, 3, 4, 5]);
    }
}
