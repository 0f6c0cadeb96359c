//! Tests of the diagnosis as a whole: what it finds where something shifts, how often it errs where nothing does, and what must not
//! change anything.

use rayon::prelude::*;
use tribunal_learn::{Column, Dataset, Kind, Levels, MISSING, Target, Values};
use tribunal_random::Random;

use super::*;
use crate::bias::{Bias, BiasRows, Side, Values as BiasValues};
use crate::describe::ColumnKind;
use crate::resampling::LabelColumn;

fn numbers(name: &str, values: Vec<f64>) -> Column {
    Column::new(name, Kind::Numeric, Values::Numbers(values)).expect("numbers")
}

fn levels(name: &str, names: &[&str], codes: Vec<u32>) -> Column {
    Column::new(name, Kind::Categorical(Levels::met(names.iter().copied())), Values::Codes(codes))
        .expect("levels")
}

fn dataset(columns: Vec<Column>) -> Dataset {
    Dataset::new(columns).expect("a table")
}

fn diagnose(training: &Dataset, population: &Dataset, seed: u64) -> ShiftDiagnosis {
    diagnose_shift(Sides { training, population }, &ShiftRequest::new(seed)).expect("a diagnosis")
}

/// Rows of one law: continuous, discrete, zero-inflated, partly missing, categorical with rare levels, a flag.
fn mixed(n_rows: usize, random: &mut Random) -> Dataset {
    let mut draw =
        |of: &mut dyn FnMut(&mut Random) -> f64| (0..n_rows).map(|_| of(random)).collect::<Vec<f64>>();
    let continuous = draw(&mut |random| random.normal());
    let discrete = draw(&mut |random| random.below(4) as f64);
    let inflated = draw(&mut |random| if random.uniform() < 0.8 { 0.0 } else { random.normal().abs() });
    let missing = draw(&mut |random| if random.uniform() < 0.2 { f64::NAN } else { random.uniform() });
    let skewed = draw(&mut |random| (12.0 * random.uniform().powi(3)).floor());
    let flags = draw(&mut |random| f64::from(u8::from(random.uniform() < 0.1)));
    let names: Vec<String> = (0..12).map(|level| format!("level {level}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    dataset(vec![
        numbers("continuous", continuous),
        numbers("discrete", discrete),
        numbers("inflated", inflated),
        numbers("missing", missing),
        levels("skewed", &names, skewed.into_iter().map(|x| x as u32).collect()),
        Column::new("flag", Kind::Flag, Values::Codes(flags.into_iter().map(|x| x as u32).collect()))
            .expect("a flag"),
    ])
}

/// Rows with classes: the log-odds rise with `x` and fall with `z`.
fn labelled(n_rows: usize, seed: u64) -> Dataset {
    let mut random = Random::new(seed);
    let x: Vec<f64> = (0..n_rows).map(|_| random.normal()).collect();
    let z: Vec<f64> = (0..n_rows).map(|_| random.normal()).collect();
    let class = |(x, z): (&f64, &f64)| u32::from(random.uniform() < 1.0 / (1.0 + (0.5 - 1.5 * x + z).exp()));
    let codes = x.iter().zip(&z).map(class).collect();
    let target = Target::new("y", ["no", "yes"], codes).expect("a target");
    dataset(vec![numbers("x", x), numbers("z", z)]).with_target(target).expect("a target of its rows")
}

/// A sample that is biased on purpose.
fn biased(table: &Dataset, bias: &Bias) -> Dataset {
    let Some(Values::Numbers(x)) = table.column("x").map(Column::values) else { panic!("no column x") };
    let values = BiasValues::of_numbers("x", x.iter().copied());
    let classes = LabelColumn::of_target(table.target().expect("a target"));
    let rows = BiasRows::new(table.n_rows()).with_values(&values).with_classes(&classes);
    table.take(&bias.kept(&rows, 3).expect("rows"))
}

fn standings(diagnosis: &ShiftDiagnosis) -> Vec<BiasStanding> {
    diagnosis.bias.kinds.iter().map(|kind| kind.standing).collect()
}

const CONTRADICTED: BiasStanding = BiasStanding::Contradicted;
const POSSIBLE: BiasStanding = BiasStanding::Possible;

/// Over draws of both tables from one law the tests reject as often as their level says, and Holm's adjustment holds the chance of
/// any column being accused.
#[test]
fn where_nothing_shifts_tests_reject_as_often_as_their_level_says() {
    const DRAWS: u64 = 120;
    let found: Vec<ShiftDiagnosis> = (0..DRAWS)
        .into_par_iter()
        .map(|draw| {
            let mut random = Random::derived(17, &[draw]);
            let training = mixed(160, &mut random);
            let population = mixed(100, &mut random);
            diagnose(&training, &population, draw)
        })
        .collect();
    let share =
        |is: &dyn Fn(&ShiftDiagnosis) -> bool| found.iter().filter(|d| is(d)).count() as f64 / DRAWS as f64;
    let domain = |diagnosis: &ShiftDiagnosis| diagnosis.domain.judged().expect("a domain classifier").clone();
    for learner in 0..2 {
        let rejected = share(&|d| domain(d).learners[learner].p < 0.05);
        assert!(rejected <= 0.1, "learner {learner}: {rejected}");
    }
    assert!(share(&|d| domain(d).p < 0.05) <= 0.1);
    assert!(share(&|d| d.columns.iter().any(|column| column.is_shown)) <= 0.1);
    let tests = found.iter().flat_map(|d| &d.columns).filter_map(|column| column.test.p());
    let (n_tests, n_rejected) = tests.fold((0, 0), |(n, below), p| (n + 1, below + u32::from(p < 0.05)));
    let rejected = f64::from(n_rejected) / f64::from(n_tests);
    assert!((0.025..0.075).contains(&rejected), "{n_rejected} of {n_tests} tests of columns");
    assert!(share(&|d| standings(d).contains(&CONTRADICTED)) <= 0.1);
}

#[test]
fn feature_bias_is_seen_and_not_told_from_complete_dependent_bias_without_labels() {
    let population = labelled(900, 2);
    let training = biased(&labelled(1600, 1), &Bias::FeatureSoft { beta: 1.5 });
    let found = diagnose(&training, &population, 5);
    let x = &found.columns[0];
    assert!(x.is_shown && x.size > ShiftSize::Small, "{x:?}");
    assert_eq!(x.numbers.as_ref().map(|x| x.direction), Some(ShiftDirection::Lower));
    assert!(!found.columns[1].is_shown);
    assert_eq!(found.contributions[0].column, "x");
    let domain = found.domain.judged().expect("a domain classifier");
    assert!(domain.p < 0.001 && domain.learners.iter().all(|learner| learner.lower > 0.5), "{domain:?}");
    assert!(found.contributions[0].drop > Some(0.05), "{:?}", found.contributions);
    assert_eq!(standings(&found), [CONTRADICTED, POSSIBLE, POSSIBLE, POSSIBLE]);
    assert!(found.bias.findings.contains(&BiasFinding::NoLabelsOfPopulation));
}

/// With a labelled sample of the population each kind of bias that was made on purpose stays possible, and what it is not goes.
#[test]
fn labels_tell_the_kinds_of_bias_apart() {
    let population = labelled(2500, 2);
    let check = |bias: &Bias, expected: [BiasStanding; 4]| {
        let training = biased(&labelled(4000, 1), bias);
        let mut request = ShiftRequest::new(5);
        request.labelled = Some(&population);
        let found = diagnose_shift(Sides { training: &training, population: &population }, &request)
            .expect("a diagnosis");
        assert_eq!(standings(&found), expected, "{bias:?}: {:?}", found.bias.findings);
        found
    };
    check(&Bias::None { fraction: 0.25 }, [POSSIBLE; 4]);
    check(&Bias::FeatureSoft { beta: 1.5 }, [CONTRADICTED, POSSIBLE, CONTRADICTED, POSSIBLE]);
    let class = check(
        &Bias::Class { class: "yes".into(), fraction: 0.6 },
        [CONTRADICTED, CONTRADICTED, POSSIBLE, POSSIBLE],
    );
    let log_odds = class.bias.findings.iter().find_map(|finding| match finding {
        BiasFinding::ClassGivenScoreDiffers { log_odds, .. } => Some(*log_odds),
        _ => None,
    });
    // Six tenths of one class were left out: its odds are 1 / 0.4 times as high in the population.
    assert!((log_odds.expect("a shift of the odds") - 2.5_f64.ln()).abs() < 0.2, "{log_odds:?}");
    let shift = &class.bias.classes[1];
    assert!(shift.lower > Some(0.0) && shift.share.population > shift.share.training);
    check(
        &Bias::Complete { class: "yes".into(), fraction: 0.5 },
        [CONTRADICTED, CONTRADICTED, CONTRADICTED, POSSIBLE],
    );
}

#[test]
fn equal_estimated_shares_contradict_nothing() {
    let (training, population) = (labelled(400, 1), labelled(300, 2));
    let counts = training.target().expect("a target").counts();
    let share = counts[1] as f64 / 400.0;
    let with = |shares: [f64; 2], intervals| {
        let mut request = ShiftRequest::new(5);
        request.priors = Some(EstimatedPriors { shares: shares.to_vec(), intervals });
        diagnose_shift(Sides { training: &training, population: &population }, &request)
            .map(|found| (standings(&found), found.bias.findings))
    };
    let around =
        |share: f64| Some(vec![[1.0 - share - 0.05, 1.0 - share + 0.05], [share - 0.05, share + 0.05]]);
    let (equal, findings) = with([1.0 - share, share], around(share)).expect("a diagnosis");
    assert_eq!(equal, [POSSIBLE; 4]);
    assert!(findings.contains(&BiasFinding::EstimatedSharesNotShownToDiffer));
    // Estimates that rest on the assumption of label shift contradict nothing either.
    let (other, findings) = with([0.9, 0.1], around(0.1)).expect("a diagnosis");
    assert_eq!(other, [POSSIBLE; 4]);
    assert!(findings.contains(&BiasFinding::EstimatedSharesDiffer));
    let (_, findings) = with([0.5, 0.5], None).expect("a diagnosis");
    assert!(findings.contains(&BiasFinding::EstimatedSharesWithoutIntervals));
    let mut request = ShiftRequest::new(5);
    request.priors = Some(EstimatedPriors { shares: vec![1.0], intervals: None });
    let error = diagnose_shift(Sides { training: &training, population: &population }, &request)
        .expect_err("one share");
    assert!(error.to_string().contains("has 2"), "{error}");
}

#[test]
fn parts_that_the_training_table_lacks_are_named_with_their_shares() {
    let mut random = Random::new(8);
    let mut table = |n_rows: usize, has_north: bool| {
        let region = (0..n_rows).map(|_| random.below(if has_north { 4 } else { 3 }) as u32).collect();
        let age = (0..n_rows)
            .map(|_| 20.0 + 40.0 * random.uniform() + if has_north { 10.0 } else { 0.0 })
            .collect();
        dataset(vec![levels("region", &["east", "south", "west", "north"], region), numbers("age", age)])
    };
    let (training, population) = (table(1200, false), table(1000, true));
    let found = diagnose(&training, &population, 1);
    let density = found.coverage.density.as_ref().expect("density ratios");
    // A quarter is north, and of the others a quarter is older than sixty.
    assert!((density.uncovered.population - 0.4375).abs() < 0.06, "{density:?}");
    assert!(density.uncovered.training < 0.02 && density.lower < density.uncovered.population);
    let rules: Vec<&Condition> = density.regions.iter().flat_map(|region| &region.conditions).collect();
    let is_old = |c: &&&Condition| matches!(c, Condition::Above { column, value } if column == "age" && (58.0..61.0).contains(value));
    let is_north = |c: &&&Condition| matches!(c, Condition::OneOf { column, levels } if column == "region" && levels == &["north"]);
    assert!(rules.iter().any(|c| is_old(&c)) && rules.iter().any(|c| is_north(&c)), "{rules:?}");
    assert!(density.regions.iter().all(|region| region.share.population > CUT * region.share.training));
    let region = found.columns[0].levels.as_ref().expect("levels");
    assert_eq!((region.only_in_population.n_levels, region.only_in_training.n_levels), (1, 0));
    assert_eq!(region.only_in_population.rows, found.coverage.rows_with_new_levels);
    let age = found.columns[1].numbers.as_ref().expect("numbers");
    assert_eq!((age.rows_below, age.rows_above), (0, found.coverage.rows_beyond_range));
    assert_eq!(age.direction, ShiftDirection::Higher);
}

/// A part without any shift has no uncovered region, however many columns are looked at.
#[test]
fn chance_makes_no_uncovered_region() {
    let mut random = Random::new(12);
    let mut table = |n_rows: usize| {
        let column = |idx: usize| numbers(&format!("x{idx}"), (0..n_rows).map(|_| random.normal()).collect());
        dataset((0..20).map(column).collect())
    };
    let found = diagnose(&table(400), &table(400), 2);
    let density = found.coverage.density.expect("density ratios");
    assert!(density.regions.is_empty() && density.uncovered.population < 0.01, "{density:?}");
}

#[test]
fn one_sided_missingness_is_a_shift() {
    let mut random = Random::new(6);
    let mut table = |n_rows: usize, share: f64| {
        let mut value = |_| if random.uniform() < share { f64::NAN } else { random.normal() };
        dataset(vec![numbers("lag", (0..n_rows).map(&mut value).collect())])
    };
    let (training, population) = (table(500, 0.0), table(400, 0.4));
    let found = diagnose(&training, &population, 3);
    let lag = &found.columns[0];
    assert!(lag.test.p() > Some(0.001), "the numbers that are there are alike: {lag:?}");
    assert!(lag.is_shown && lag.missing_test.and_then(|test| test.p_adjusted()) < Some(1e-6), "{lag:?}");
    assert!(lag.psi > 0.25 && lag.missing.training == 0.0);
    let domain = found.domain.judged().expect("a domain classifier");
    assert!(domain.learners.iter().all(|learner| learner.p < 1e-4 && learner.auroc > 0.65), "{domain:?}");
    assert!(found.contributions[0].alone_by_presence.as_ref().is_some_and(|alone| alone.auroc > 0.65));
}

#[test]
fn identifiers_constants_and_columns_of_one_table_are_left_out() {
    let table = |from: usize, extra: &str| {
        let count = |row: usize| (from + row) as f64;
        let names: Vec<String> = (from..from + 60).map(|row| format!("C{row:05}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        dataset(vec![
            numbers("claim_id", (0..60).map(count).collect()),
            levels("name", &names, (0..60).collect()),
            numbers("constant", vec![3.0; 60]),
            numbers("empty", vec![f64::NAN; 60]),
            numbers(extra, (0..60).map(|row| f64::from(row % 7)).collect()),
            match from {
                0 => numbers("mixed", (0..60).map(|row| f64::from(row) / 3.0).collect()),
                _ => levels("mixed", &["a", "b"], (0..60).map(|row| row % 2).collect()),
            },
        ])
    };
    let found = diagnose(&table(0, "only training"), &table(1000, "only population"), 1);
    let why = |name: &str| found.left_out.iter().find(|left| left.column == name).map(|left| left.why);
    assert_eq!(why("claim_id"), Some(LeftOutReason::Identifier));
    assert_eq!(why("name"), Some(LeftOutReason::Identifier));
    assert_eq!(why("constant"), Some(LeftOutReason::Constant));
    assert_eq!(why("empty"), Some(LeftOutReason::Empty));
    assert_eq!(why("only training"), Some(LeftOutReason::OnlyInTraining));
    assert_eq!(why("only population"), Some(LeftOutReason::OnlyInPopulation));
    let kinds = Sides { training: ColumnKind::Numeric, population: ColumnKind::Categorical };
    assert_eq!(why("mixed"), Some(LeftOutReason::OtherKind { kinds }));
    assert!(found.columns.is_empty() && found.domain == DomainOutcome::NoColumns);
    assert_eq!(found.bias.findings[0], BiasFinding::FeaturesNotTested);
}

/// A population that holds the training rows themselves: a classifier that remembers rows must not make them a shift, nor fall
/// below chance.
#[test]
fn rows_of_both_tables_tell_nothing() {
    let mut random = Random::new(21);
    let all = mixed(600, &mut random);
    let training = all.take(&(0..400).collect::<Vec<_>>());
    let found = diagnose(&training, &all, 4);
    let domain = found.domain.judged().expect("a domain classifier");
    assert!(domain.twins.training >= 400, "{:?}", domain.twins);
    for learner in &domain.learners {
        assert!((0.44..0.56).contains(&learner.auroc) && learner.p > 0.01, "{learner:?}");
    }
}

#[test]
fn extreme_tables_have_a_diagnosis() {
    let mut random = Random::new(9);
    let large = mixed(1500, &mut random);
    let one = mixed(1, &mut random);
    for (training, population) in [(&large, &one), (&one, &large), (&one, &one)] {
        let found = diagnose(training, population, 1);
        assert_eq!(found.domain, DomainOutcome::TooFewRows { needed: 20 });
        assert!(found.columns.iter().all(|column| !column.is_shown && column.psi.is_finite()));
        assert!(found.coverage.density.is_none());
    }
    // Sixty times as many rows on one side, and a column of which one side has no value.
    let few = mixed(25, &mut random);
    assert!(diagnose(&large, &few, 1).domain.judged().is_some_and(|domain| domain.rows.training == 1000));
    let empty = dataset(vec![numbers("continuous", vec![f64::NAN; 30])]);
    let found = diagnose(&large, &empty, 1);
    assert_eq!(found.columns[0].test, ShiftTest::TooFewCases);
    assert!(found.columns[0].is_shown && found.left_out.len() == 5, "{found:?}");
    let error =
        diagnose_shift(Sides { training: &large, population: &large.take(&[]) }, &ShiftRequest::new(1))
            .expect_err("no rows");
    assert!(error.to_string().contains("the population has no row"), "{error}");
}

/// A hundred thousand levels, each in a row or two.
#[test]
fn very_many_levels_are_pooled() {
    const LEVELS: u32 = 100_000;
    let names: Vec<String> = (0..LEVELS).map(|level| format!("w{level}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut random = Random::new(14);
    let mut table = |n_rows: usize| {
        let codes = (0..n_rows).map(|_| random.below(u64::from(LEVELS)) as u32);
        let codes = codes.enumerate().map(|(row, code)| if row % 9 == 0 { 7 } else { code }).collect();
        dataset(vec![levels("word", &names, codes)])
    };
    let found = diagnose(&table(60_000), &table(2_000), 2);
    let word = &found.columns[0];
    assert_eq!(word.n_cells, 2, "{word:?}");
    assert!(!word.is_shown && word.psi < 0.01 && word.test.p().is_some(), "{word:?}");
    assert!(word.levels.as_ref().is_some_and(|levels| levels.only_in_population.n_levels > 500));
}

fn column<'a>(diagnosis: &'a ShiftDiagnosis, name: &str) -> &'a ColumnShift {
    diagnosis.columns.iter().find(|column| column.column == name).expect(name)
}

/// Permuting rows and columns changes no figure of a column, and no fold of a row.
#[test]
fn the_order_of_rows_and_columns_decides_nothing() {
    let mut random = Random::new(31);
    let (training, population) = (mixed(300, &mut random), mixed(200, &mut random));
    let turned = |table: &Dataset| {
        let mut rows: Vec<u32> = (0..table.n_rows() as u32).collect();
        rows.reverse();
        let mut columns = table.take(&rows).columns().to_vec();
        columns.reverse();
        dataset(columns)
    };
    let (found, other) =
        (diagnose(&training, &population, 3), diagnose(&turned(&training), &turned(&population), 3));
    for shift in &found.columns {
        let mirrored = column(&other, &shift.column);
        assert_eq!(
            (shift.psi, shift.test.p(), shift.is_shown),
            (mirrored.psi, mirrored.test.p(), mirrored.is_shown)
        );
        assert_eq!(shift.levels, mirrored.levels);
    }
    let linear = |diagnosis: &ShiftDiagnosis| {
        diagnosis.domain.judged().expect("a domain classifier").learners[0].auroc
    };
    assert!((linear(&found) - linear(&other)).abs() < 1e-6);
}

/// Swapping the tables mirrors the tests and the direction; the index of levels, whose cells do not depend on one table, stays.
#[test]
fn swapping_the_tables_mirrors() {
    let mut random = Random::new(32);
    let training = mixed(300, &mut random);
    let population = labelled_shift(&mixed(250, &mut random));
    let (found, other) = (diagnose(&training, &population, 3), diagnose(&population, &training, 3));
    for (shift, swapped) in found.columns.iter().zip(&other.columns) {
        let difference = shift.test.p().unwrap_or(1.0) - swapped.test.p().unwrap_or(1.0);
        assert!(difference.abs() < 1e-9, "{shift:?} {swapped:?}");
        if let (Some(levels), Some(others)) = (&shift.levels, &swapped.levels) {
            assert!((shift.psi - swapped.psi).abs() < 1e-12);
            assert_eq!(levels.only_in_training, others.only_in_population);
        }
        if let (Some(numbers), Some(others)) = (&shift.numbers, &swapped.numbers) {
            let mirrored = match numbers.direction {
                ShiftDirection::Higher => ShiftDirection::Lower,
                ShiftDirection::Lower => ShiftDirection::Higher,
                ShiftDirection::Neither => ShiftDirection::Neither,
            };
            assert_eq!(mirrored, others.direction);
        }
    }
    let linear = |diagnosis: &ShiftDiagnosis| {
        diagnosis.domain.judged().expect("a domain classifier").learners[0].auroc
    };
    assert!((linear(&found) - linear(&other)).abs() < 0.02, "{} {}", linear(&found), linear(&other));
}

/// The same table with its first column moved.
fn labelled_shift(table: &Dataset) -> Dataset {
    let mut columns = table.columns().to_vec();
    if let Values::Numbers(values) = columns[0].values() {
        columns[0] = numbers(columns[0].name(), values.iter().map(|x| x + 0.5).collect());
    }
    dataset(columns)
}

#[test]
fn monotone_transforms_other_names_of_levels_and_other_codes_change_no_test() {
    let mut random = Random::new(33);
    let (training, population) = (mixed(300, &mut random), mixed(200, &mut random));
    // The codes run the other way, and levels have other names.
    let changed = |table: &Dataset| {
        let change = |column: &Column| match (column.values(), column.kind()) {
            (Values::Numbers(values), _) => {
                numbers(column.name(), values.iter().map(|x| x.powi(3) + 2.0 * x).collect())
            }
            (Values::Codes(codes), Kind::Categorical(_)) => {
                let names: Vec<String> = (0..12).map(|level| format!("z{}", 11 - level)).collect();
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let code = |&code: &u32| if code == MISSING { MISSING } else { 11 - code };
                levels(column.name(), &names, codes.iter().map(code).collect())
            }
            _ => column.clone(),
        };
        dataset(table.columns().iter().map(change).collect())
    };
    let (found, other) =
        (diagnose(&training, &population, 3), diagnose(&changed(&training), &changed(&population), 3));
    for (shift, transformed) in found.columns.iter().zip(&other.columns) {
        assert!(
            (shift.test.p().unwrap_or(1.0) - transformed.test.p().unwrap_or(1.0)).abs() < 1e-12,
            "{shift:?}"
        );
        if shift.levels.is_some() {
            assert!((shift.psi - transformed.psi).abs() < 1e-12);
        }
    }
}

#[test]
fn tables_written_twice_have_the_same_index() {
    let mut random = Random::new(34);
    let (training, population) = (mixed(301, &mut random), mixed(200, &mut random));
    let twice = |table: &Dataset| {
        let rows: Vec<u32> = (0..table.n_rows() as u32).flat_map(|row| [row, row]).collect();
        table.take(&rows)
    };
    let (found, doubled) =
        (diagnose(&training, &population, 3), diagnose(&twice(&training), &twice(&population), 3));
    for name in ["discrete", "inflated", "skewed", "flag"] {
        let (shift, other) = (column(&found, name), column(&doubled, name));
        assert!((shift.psi - other.psi).abs() < 1e-12, "{name}");
        if let (
            ShiftTest::KolmogorovSmirnov { outcome: a, .. },
            ShiftTest::KolmogorovSmirnov { outcome: b, .. },
        ) = (shift.test, other.test)
        {
            assert!((a.statistic - b.statistic).abs() < 1e-12, "{name}");
        }
    }
}

#[test]
fn results_are_the_same_on_any_number_of_threads_and_come_back_from_json() {
    let mut random = Random::new(35);
    let (training, population) = (mixed(200, &mut random), mixed(150, &mut random));
    let found = diagnose(&training, &population, 3);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    assert_eq!(pool.install(|| diagnose(&training, &population, 3)), found);
    let json = serde_json::to_string(&found).expect("JSON");
    assert_eq!(serde_json::from_str::<ShiftDiagnosis>(&json).expect("a diagnosis"), found);
}

#[test]
fn a_hard_cut_of_a_feature_leaves_the_other_end_uncovered() {
    let population = labelled(800, 2);
    let training = biased(&labelled(1500, 1), &Bias::Feature { fraction: 0.25, side: Side::Low });
    let found = diagnose(&training, &population, 5);
    let density = found.coverage.density.expect("density ratios");
    assert!((density.uncovered.population - 0.25).abs() < 0.06, "{density:?}");
    let [Condition::AtMost { column, value }] = &density.regions[0].conditions[..] else {
        panic!("{density:?}")
    };
    assert!(column == "x" && (-0.9..-0.4).contains(value), "{value}");
}
