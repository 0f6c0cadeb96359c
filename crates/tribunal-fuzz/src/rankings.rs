//! Rankings as bytes.

use tribunal_eval::metrics::{METRICS, Measure};
use tribunal_eval::{AmountSums, Ranking, ScoreCounts, ScoredSet};

/// What is read is a ranking that can be judged, and it is written as it is read.
pub(crate) fn run(bytes: &[u8]) {
    judge(bytes);
    // The checksum would hide whatever else a reader can meet.
    if let Some((body, _)) = bytes.split_last_chunk::<8>() {
        let hash = body.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        judge(&[body, &hash.to_le_bytes()].concat());
    }
}

fn judge(bytes: &[u8]) {
    let Ok(ranking) = Ranking::from_bytes(bytes) else { return };
    let again = Ranking::from_bytes(&ranking.to_bytes());
    assert!(again.is_ok_and(|again| again == ranking), "a ranking is not read back");
    for metric in METRICS.iter().filter(|metric| metric.parameter().is_none()) {
        let _ = Measure::new(metric, None).map(|measure| measure.of_ranking(&ranking));
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let (truth, scores) = ([true, false, true, false, false], [0.9, 0.8, 0.8, 0.3, 0.1]);
    let plain = ScoredSet::new(&truth, &scores);
    let full = ScoredSet::new(&truth, &scores)
        .and_then(|set| set.with_weight(&[1.0, 0.5, 2.0, 1.0, 3.0]))
        .and_then(|set| set.with_amount(&[10.0; 5]));
    let counts = ScoreCounts {
        score: &[0.7, 0.2],
        positives: &[30, 4],
        negatives: &[2, 90],
        amount: Some(AmountSums { sum: &[9.0, 1.0], sum_of_squares: &[7.0, 0.5] }),
        negative_amount: Some(AmountSums { sum: &[-1.0, 5.0], sum_of_squares: &[2.0, 9.0] }),
    };
    let of_everybody = ScoredSet::new(&truth, &scores)
        .and_then(|set| set.with_amount_of_everybody(&[10.0, -3.0, 0.0, 2.0, 4.0]));
    let rankings = [
        plain.and_then(|set| Ranking::of(&set)),
        full.and_then(|set| Ranking::of(&set)),
        of_everybody.and_then(|set| Ranking::of(&set)),
        Ranking::from_counts(&counts),
    ];
    rankings.iter().flatten().map(Ranking::to_bytes).collect()
}
