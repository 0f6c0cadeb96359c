//! Flags that are summed side by side and rows that go down a tree together, beside each by itself.

use super::*;
use crate::learners::c45::classify::Classifier;
use crate::learners::c45::estimate::Smoothing;
use crate::learners::c45::flags::Flags;
use tribunal_random::Random;

/// Flags, of which the first three tell most, two columns of more levels and a number; some rows may lack values of the latter.
fn flags(n_rows: usize, n_flags: usize, n_classes: u32, missing: f64, seed: u64) -> Dataset {
    let mut random = Random::new(seed);
    let mut codes =
        |n_codes: u64| -> Vec<u32> { (0..n_rows).map(|_| random.below(n_codes) as u32).collect() };
    let columns: Vec<Vec<u32>> = (0..n_flags).map(|idx| codes(2 + 3 * u64::from(idx % 20 == 19))).collect();
    let noise = codes(10);
    let class = |row: usize| {
        let told = columns[..3].iter().map(|codes| codes[row]).sum::<u32>();
        if noise[row] < 3 { noise[row] % n_classes } else { told % n_classes }
    };
    let classes: Vec<u32> = (0..n_rows).map(class).collect();
    let mut gaps = |value: f64| if random.uniform() < missing { f64::NAN } else { value };
    let numbers = (0..n_rows).map(|row| gaps(f64::from(noise[row] * 7 % 10))).collect();
    let coded = |(idx, codes): (usize, Vec<u32>)| {
        let levels = || Kind::Categorical(Levels::declared(["p", "q", "r", "s", "t"]));
        let kind = if idx % 20 == 19 { levels() } else { Kind::Flag };
        Column::new(format!("c{idx}"), kind, Values::Codes(codes)).expect("codes")
    };
    let number = Column::new("number", Kind::Numeric, Values::Numbers(numbers)).expect("numbers");
    let columns = columns.into_iter().enumerate().map(coded).chain([number]);
    let names = ["a", "b", "c"].into_iter().take(n_classes as usize);
    let target = Target::new("class", names, classes).expect("a target");
    Dataset::new(columns.collect()).and_then(|data| data.with_target(target)).expect("columns")
}

/// Whole numbers of times, and others.
fn samples(training: &Training<'_>, seed: u64) -> [Sample; 2] {
    let mut random = Random::new(seed);
    let times = (0..training.n_rows()).map(|_| random.below(4) as u32).collect();
    [Sample::of(training), Sample::repeated(times)]
}

#[test]
fn flags_summed_side_by_side_give_the_trees_of_flags_by_themselves() {
    for (seed, (n_rows, n_flags, n_classes, missing)) in (1..).zip([
        (60, 5, 2, 0.0),
        (700, 40, 2, 0.2),
        (3000, 70, 3, 0.1),
        (400, 33, 2, 0.5),
        (5000, 12, 2, 0.05),
    ]) {
        let training = training(&flags(n_rows, n_flags, n_classes, missing, seed));
        for sample in samples(&training, seed) {
            let mut cases = Cases::new(&training, &sample.rows).expect("cases");
            let together = grow(&cases, &sample, 2.0);
            cases.flags = Flags::default();
            assert_eq!(together, grow(&cases, &sample, 2.0), "{n_rows} rows");
            assert!(together.nodes.len() > 10);
        }
    }
}

#[test]
fn rows_sent_down_together_end_where_each_ends() {
    for (seed, missing) in (1..).zip([0.0, 0.0, 0.3, 0.3]) {
        let training = training(&flags(500, 25, 3, missing, seed));
        for sample in samples(&training, seed) {
            let tree = grow(&Cases::new(&training, &sample.rows).expect("cases"), &sample, 2.0);
            for (estimate, least) in
                [(Estimate::Laplace, 0.0), (Estimate::Raw, 0.0), (Estimate::M(5.0), 20.0)]
            {
                let smoothing = Smoothing::new(estimate, &sample.class_weights(&training));
                let classifier = Classifier { tree: &tree, smoothing: &smoothing, least };
                let (mut together, mut each) = (vec![0.125; 1500], vec![0.125; 1500]);
                classifier.add_all(training.columns(), &mut together);
                let rows = each.chunks_exact_mut(3).enumerate();
                rows.for_each(|(row, sums)| classifier.add(training.columns(), row, 1.0, sums));
                assert_eq!(together, each);
            }
        }
    }
}
