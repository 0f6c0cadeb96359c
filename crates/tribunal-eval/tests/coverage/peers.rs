//! Samples for other packages, so that their intervals are judged on the same cases (`tests/reference/coverage_peers.py`).
//!
//! `TRIBUNAL_WRITE_SAMPLES=FOLDER` writes, for calibrated designs of up to 2,000 rows, `samples.f64` - little-endian: for each sample
//! the classes as 0 and 1, then the scores - and `designs.csv` and `intervals.csv`: what the samples are, the values of the
//! population, and the default intervals.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use tribunal_eval::influence::BaseRate;

use crate::binormal::{Binormal, Scores};
use crate::design::{Design, Source, designs};
use crate::figures::{At, FIGURES};
use crate::sample::Population;

const N_SAMPLES: u64 = 400;
const MOST_ROWS: usize = 2000;
/// The figures that other packages have intervals of.
const SHARED: &[(&str, At)] = &[
    ("auroc", At::Ranking),
    ("average_precision", At::Ranking),
    ("lift@0.1", At::Ranking),
    ("brier", At::Ranking),
    ("precision", At::FixedCutoff),
    ("sensitivity", At::FixedCutoff),
    ("f1", At::FixedCutoff),
];

/// The AUROC of a design whose samples are written.
fn shared_auroc(design: &Design) -> Option<f64> {
    let is_plain = !design.is_weighted && design.base_rate == BaseRate::Random && design.n_rows <= MOST_ROWS;
    match design.source {
        Source::Binormal(Binormal { scores: Scores::Calibrated, auroc, .. }) if is_plain => Some(auroc),
        _ => None,
    }
}

pub(crate) fn write_samples(folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut samples = std::io::BufWriter::new(fs::File::create(folder.join("samples.f64"))?);
    let mut of_designs = "rows,base_rate,auroc,samples,cutoff\n".to_owned();
    let mut intervals = "design,sample,figure,truth,lower,upper\n".to_owned();
    let places: Vec<usize> = SHARED
        .iter()
        .filter_map(|&(metric, at)| {
            FIGURES.iter().position(|figure| (figure.metric, figure.at) == (metric, at))
        })
        .collect();
    let shared =
        designs().into_iter().filter_map(|design| shared_auroc(&design).map(|auroc| (design, auroc)));
    for (index, (design, auroc)) in shared.enumerate() {
        let population = Population::of(&design);
        let (rows, share, cut) = (design.n_rows, design.share_of_positives(), design.fixed_cutoffs()[0]);
        let _ = writeln!(of_designs, "{rows},{share},{auroc},{N_SAMPLES},{cut}");
        for sample in 0..N_SAMPLES {
            let rows = design.draw(sample);
            let classes = rows.truth.iter().map(|&positive| f64::from(positive));
            for number in classes.chain(rows.scores[0].iter().copied()) {
                samples.write_all(&number.to_le_bytes())?;
            }
            for (place, judged) in population.judge(&rows, sample, &places) {
                let Some(judged) = judged else { continue };
                let (metric, truth) = (FIGURES[place].metric, judged.truth);
                let (lower, upper) = (judged.interval.lower, judged.interval.upper);
                let _ = writeln!(intervals, "{index},{sample},{metric},{truth},{lower},{upper}");
            }
        }
    }
    samples.flush()?;
    fs::write(folder.join("designs.csv"), of_designs)?;
    fs::write(folder.join("intervals.csv"), intervals)
}
