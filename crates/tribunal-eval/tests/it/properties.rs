//! What must hold of every ranking and its curves.

use proptest::prelude::*;
use tribunal_eval::curves::{Curve, CurveKind, Hull, Point, gains_table};
use tribunal_eval::{Confusion, Ranking, RankingBuilder, ScoredSet, metrics};

fn rows() -> impl Strategy<Value = (Vec<bool>, Vec<f64>)> {
    prop::collection::vec((any::<bool>(), -8i32..8), 2..60)
        .prop_map(|rows| rows.into_iter().map(|(truth, score)| (truth, f64::from(score) / 4.0)).unzip())
        .prop_filter("both classes", |(truth, _): &(Vec<bool>, Vec<f64>)| {
            truth.contains(&true) && truth.contains(&false)
        })
}

fn rank(truth: &[bool], score: &[f64]) -> Ranking {
    Ranking::of(&ScoredSet::new(truth, score).expect("valid")).expect("few rows")
}

/// Mann-Whitney by counting every pair.
fn pairs_won(truth: &[bool], score: &[f64]) -> f64 {
    let class = |wanted: bool| truth.iter().zip(score).filter(move |(y, _)| **y == wanted).map(|(_, &s)| s);
    let won = |p: f64, n: f64| {
        if p > n {
            1.0
        } else if p == n {
            0.5
        } else {
            0.0
        }
    };
    let wins: f64 = class(true).flat_map(|p| class(false).map(move |n| won(p, n))).sum();
    wins / (class(true).count() * class(false).count()) as f64
}

proptest! {
    #[test]
    fn roc_runs_from_corner_to_corner_and_never_falls((truth, score) in rows()) {
        let roc = Curve::of(CurveKind::Roc, &rank(&truth, &score)).expect("both classes");
        prop_assert_eq!(roc.points.first(), Some(&Point { x: 0.0, y: 0.0 }));
        prop_assert_eq!(roc.points.last(), Some(&Point { x: 1.0, y: 1.0 }));
        prop_assert!(roc.points.windows(2).all(|pair| pair[0].x <= pair[1].x && pair[0].y <= pair[1].y));
    }

    #[test]
    fn auroc_is_mann_whitney_and_the_area_of_the_curve((truth, score) in rows()) {
        let ranking = rank(&truth, &score);
        let auroc = metrics::auroc(&ranking).expect("both classes");
        prop_assert!((auroc - pairs_won(&truth, &score)).abs() < 1e-12);
        prop_assert!((auroc - Curve::of(CurveKind::Roc, &ranking).expect("both classes").area()).abs() < 1e-12);
    }

    #[test]
    fn the_hull_is_above_every_curve_and_convex((truth, score) in rows(), other in prop::collection::vec(-8i32..8, 60)) {
        let other: Vec<f64> = other.into_iter().take(truth.len()).map(f64::from).collect();
        let curves = [rank(&truth, &score), rank(&truth, &other)]
            .map(|ranking| Curve::of(CurveKind::Roc, &ranking).expect("both classes"));
        let hull = Hull::of_curves(&[&curves[0], &curves[1]]);
        for point in curves.iter().flat_map(|curve| &curve.points) {
            prop_assert!(hull.curve().at(point.x) >= point.y - 1e-9);
        }
        let ranges = hull.ranges();
        prop_assert!(ranges.windows(2).all(|pair| pair[0].low >= pair[1].low));
        prop_assert!(curves.iter().all(|curve| hull.area() >= curve.area() - 1e-9));
    }

    #[test]
    fn a_mixture_reaches_its_point((truth, score) in rows(), fpr in 0.0..1.0f64) {
        let hull = Hull::of_ranking(&rank(&truth, &score)).expect("both classes");
        let mixture = hull.at_fpr(fpr);
        prop_assert!((0.0..=1.0).contains(&mixture.q));
        prop_assert!((mixture.point().x - fpr).abs() < 1e-9);
        prop_assert!((mixture.point().y - hull.curve().at(fpr)).abs() < 1e-9);
    }

    #[test]
    fn batches_and_merges_make_the_same_ranking((truth, score) in rows(), cut in 0usize..60) {
        let cut = cut.min(truth.len());
        let whole = rank(&truth, &score);
        let parts = [(&truth[..cut], &score[..cut]), (&truth[cut..], &score[cut..])];
        let mut builder = RankingBuilder::default();
        for (truth, score) in parts {
            builder.push(&ScoredSet::new(truth, score).expect("valid")).expect("same columns");
        }
        let built = builder.finish().expect("few rows");
        let merged = rank(parts[0].0, parts[0].1).merge(rank(parts[1].0, parts[1].1)).expect("alike");
        for other in [built, merged] {
            prop_assert_eq!(&whole, &other);
        }
    }

    #[test]
    fn the_confusion_matrix_counts_rows((truth, score) in rows(), threshold in -2.0..2.0f64) {
        let matrix = Confusion::at_score(&rank(&truth, &score), threshold);
        let count = |positive: bool, flagged: bool| {
            truth.iter().zip(&score).filter(|&(&y, &s)| y == positive && (s >= threshold) == flagged).count() as f64
        };
        let counted = [count(true, true), count(false, true), count(true, false), count(false, false)];
        prop_assert_eq!([matrix.tp, matrix.fp, matrix.fn_, matrix.tn], counted);
    }

    #[test]
    fn the_gains_table_ends_where_everything_is_found((truth, score) in rows(), parts in 1usize..20) {
        let rows = gains_table(&rank(&truth, &score), parts).expect("positives");
        let last = rows.last().expect("at least one part");
        prop_assert!((last.cph - 1.0).abs() < 1e-12 && (last.lift - 1.0).abs() < 1e-12);
        prop_assert!(rows.windows(2).all(|pair| pair[0].cph <= pair[1].cph + 1e-12));
    }

    #[test]
    fn landmarks_are_few_ordered_and_reach_the_end(n in 2usize..3000, most in 64usize..512) {
        let truth: Vec<bool> = (0..n).map(|i| i % 3 == 0).collect();
        let score: Vec<f64> = (0..n).map(|i| ((i * 7919) % n) as f64).collect();
        let landmarks = rank(&truth, &score).landmarks(most);
        prop_assert!(landmarks.len() <= most.max(64) && landmarks.windows(2).all(|pair| pair[0] < pair[1]));
        prop_assert_eq!(landmarks.last(), Some(&(n - 1)));
    }
}

#[test]
fn large_continuous_and_tied_sets_agree_with_small_ones_put_together() {
    // Enough rows for several chunks, for dealing into buckets and for a merge in pieces.
    let n = 700_000u64;
    let mix = |i: u64| (i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 11) as f64 / (1u64 << 53) as f64;
    let truth: Vec<bool> = (0..n).map(|i| mix(i ^ 0xABCD) < 0.3).collect();
    let continuous: Vec<f64> = (0..n).map(mix).collect();
    let tied: Vec<f64> = continuous.iter().map(|score| (score * 500.0).round() / 500.0).collect();
    for score in [&continuous, &tied] {
        let whole = rank(&truth, score);
        let mut sorted: Vec<(f64, bool)> = score.iter().copied().zip(truth.iter().copied()).collect();
        sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
        assert!(whole.blocks().map(|block| block.score).eq({
            let mut scores: Vec<f64> = sorted.iter().map(|row| row.0).collect();
            scores.dedup();
            scores
        }));
        let half = sorted.len() / 2;
        let top = whole.top(half as f64).positive;
        let counted = sorted[..half].iter().filter(|row| row.1).count() as f64;
        assert!(
            (top - counted).abs() < 2000.0
                && whole.totals().positive == truth.iter().filter(|&&y| y).count() as f64
        );
        let same_on_one_thread = rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .build()
            .expect("a pool")
            .install(|| rank(&truth, score));
        assert!(whole == same_on_one_thread);
    }
}
