//! What every learner keeps to, checked over the registry: an entry is covered the moment it is listed.

use super::claims::{Claims, all_rows, check_close};
use tribunal_learn::{
    AlignOptions, Column, Dataset, ErrorKind, Family, Folds, Kind, LEARNERS, Learner, Levels, MISSING, Minds,
    Model, Output, Posteriors, Reasons, Scenario, Target, Values, cross_posteriors, cross_posteriors_of,
};
use tribunal_random::Random;

/// Learners of several forms with each kind of calibrator.
const CALIBRATED: [&str; 7] = [
    "nb:5+platt",
    "c45+isotonic",
    "tan:25+beta",
    "nb+bins",
    "bag:10+platt",
    "lssvm:linear,gamma=1+platt",
    "svm+platt",
];

/// Learners of several forms with each method that minds costs.
const COST_SENSITIVE: [&str; 14] = [
    "nb:5+weights",
    "c45+weights",
    "lssvm:linear,gamma=1+weights",
    "nb:5+platt+weights",
    "c45+resample",
    "tan:5+resample,roulette",
    "nb+resample,duplicate",
    "logit+resample,rejection,models=3",
    "svm+platt+resample,rejection,models=2",
    "nb:5+isotonic+threshold",
    "c45+threshold",
    "c45+metacost,m=5",
    "nb:5+metacost,m=3,n=40,votes,oob",
    "svm+metacost,m=2,votes",
];

/// Every example of every learner, some that are calibrated and some that mind costs; where something is to be tuned, the first
/// candidate.
pub(crate) fn learners() -> Vec<Learner> {
    learners_of(2)
}

/// The same for so many classes: not all methods that mind costs know more than two.
pub(crate) fn learners_of(n_classes: usize) -> Vec<Learner> {
    let texts = LEARNERS.iter().flat_map(|form| form.examples).map(|(text, _)| *text).chain(CALIBRATED);
    let tuned = |learner: Learner| match learner.candidates(100) {
        Some(candidates) => candidates[0].clone(),
        None => learner,
    };
    let costs = if n_classes == 2 { "1:3" } else { "0:1:5/2:0:1/3:4:0" }.parse().expect("costs");
    let of_two = |text: &&str| text.ends_with("+threshold") || text.ends_with("+resample");
    let costly = COST_SENSITIVE.iter().filter(|text| n_classes == 2 || !of_two(text));
    let costly = costly.map(|text| text.parse::<Learner>().expect(text).with_costs(&costs));
    texts.map(|text| tuned(text.parse().expect(text))).chain(costly).collect()
}

/// Those that know as many classes as a data set has.
pub(crate) fn learners_for(dataset: &Dataset) -> Vec<Learner> {
    learners_of(dataset.target().map_or(2, |target| target.classes().len()))
}

/// Those that do not mind something.
pub(crate) fn learners_but(minds: Minds) -> Vec<Learner> {
    learners().into_iter().filter(|learner| !learner.minds(minds)).collect()
}

fn fit(learner: &Learner, dataset: &Dataset) -> Model {
    learner.fit(dataset, &all_rows(dataset), 42).unwrap_or_else(|error| panic!("{learner}: {error}"))
}

/// A model after it was written and read: whatever can be learned can be kept.
fn read_back(model: &Model) -> Model {
    let text = serde_json::to_string(model).expect("a model as text");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", model.learner()))
}

fn posteriors(model: &Model, dataset: &Dataset) -> Posteriors {
    model
        .posteriors(dataset, &all_rows(dataset))
        .unwrap_or_else(|error| panic!("{}: {error}", model.learner()))
}

pub(crate) fn scores(learner: &Learner, training: &Dataset, asked: &Dataset) -> Vec<f64> {
    posteriors(&read_back(&fit(learner, training)), asked).scores()
}

/// Whether every row has probabilities that add up to one, or margins, which are each other's negative if there are two.
fn check_probabilities(learner: &Learner, posteriors: &Posteriors) {
    assert_eq!(posteriors.output(), learner.output(), "{learner}");
    for row in 0..posteriors.n_rows() {
        let values = posteriors.row(row);
        if posteriors.output() == Output::Margins {
            assert!(values.iter().all(|value| value.is_finite()), "{learner}: row {row} is {values:?}");
            assert!(values.len() > 2 || values[0] == -values[1], "{learner}: row {row} is {values:?}");
            continue;
        }
        assert!(values.iter().all(|value| (0.0..=1.0).contains(value)), "{learner}: row {row} is {values:?}");
        assert!((values.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{learner}: row {row} is {values:?}");
    }
}

#[test]
fn texts_are_read_as_they_are_written() {
    for learner in learners() {
        assert_eq!(learner.to_string().parse::<Learner>().expect("as written"), learner);
    }
    let error = "tan:25,smothing=marginal".parse::<Learner>().expect_err("a slip").to_string();
    assert!(error.contains("did you mean smoothing=...? It is written tan"), "{error}");
    let error = "c45:k=5".parse::<Learner>().expect_err("k without curtailed").to_string();
    assert!(error.contains("\"k\" is no setting of it; it is written c45[:unpruned|curtailed"), "{error}");
    assert!("nb:=5".parse::<Learner>().is_err());
    for wrong in [
        "",
        "nb:-5",
        "nb:many",
        "tan:5,smoothing=up",
        "majority:3",
        "nb+plat",
        "nb+",
        "nb+platt+beta",
        "nb+weights+platt",
        "nb+weights+metacost",
        "nb+weight",
        "nb+weights=5",
        "nb+resample,wheel",
        "nb+metacost,m=0",
        "nb+weights,m=3",
        "nb+resample,models=3",
        "nb+threshold=1;5",
    ] {
        assert_eq!(wrong.parse::<Learner>().expect_err(wrong).kind(), ErrorKind::BadText, "{wrong}");
    }
}

#[test]
fn probabilities_add_up_whatever_the_data() {
    for claims in
        [Claims::new(300), Claims::new(300).with_classes(3), Claims::new(300).complete(), Claims::new(2)]
    {
        let dataset = claims.dataset();
        for learner in learners_for(&dataset) {
            check_probabilities(&learner, &posteriors(&fit(&learner, &dataset), &dataset));
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_any_number_of_threads() {
    let dataset = Claims::new(400).dataset();
    let bytes = |learner: &Learner, n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads");
        pool.install(|| serde_json::to_vec(&fit(learner, &dataset)).expect("a model as text"))
    };
    for learner in learners() {
        assert_eq!(bytes(&learner, 1), bytes(&learner, 3), "{learner}");
    }
}

#[test]
fn a_model_read_back_scores_the_same_bits() {
    for claims in [Claims::new(300), Claims::new(300).with_classes(3)] {
        let dataset = claims.dataset();
        for learner in learners_for(&dataset) {
            let model = fit(&learner, &dataset);
            let read = read_back(&model);
            assert_eq!(posteriors(&read, &dataset), posteriors(&model, &dataset), "{learner}");
            assert_eq!(read.text(), model.text(), "{learner}");
        }
    }
}

#[test]
fn the_order_of_rows_does_not_matter() {
    let dataset = Claims::new(300).dataset();
    let mut order = all_rows(&dataset);
    Random::new(5).shuffle(&mut order);
    for learner in learners_but(Minds::RowOrder) {
        let found = scores(&learner, &dataset.take(&order), &dataset);
        check_close(&found, &scores(&learner, &dataset, &dataset), 1e-9, &learner);
    }
}

#[test]
fn the_order_of_columns_does_not_matter() {
    let claims = Claims::new(300).complete();
    for learner in learners_but(Minds::ColumnOrder) {
        let found = scores(&learner, &claims.clone().reversed().dataset(), &claims.dataset());
        check_close(&found, &scores(&learner, &claims.dataset(), &claims.dataset()), 1e-9, &learner);
    }
}

#[test]
fn a_weight_of_two_is_the_row_twice_and_a_weight_of_zero_its_absence() {
    let dataset = Claims::new(200).dataset();
    let weights: Vec<f64> = (0..200).map(|row| f64::from(row % 3)).collect();
    let rows: Vec<u32> = (0..200).flat_map(|row| std::iter::repeat_n(row, row as usize % 3)).collect();
    let weighted = dataset.clone().with_weights(weights).expect("weights");
    for learner in learners_but(Minds::Repetition) {
        let found = scores(&learner, &weighted, &dataset);
        check_close(&found, &scores(&learner, &dataset.take(&rows), &dataset), 1e-9, &learner);
    }
}

#[test]
fn one_class_gives_a_constant_score_and_a_warning() {
    let dataset = Claims::new(50).dataset();
    let rows: Vec<u32> = all_rows(&dataset);
    let negatives: Vec<u32> = rows
        .into_iter()
        .filter(|&row| dataset.target().is_some_and(|target| target.codes()[row as usize] == 0))
        .collect();
    for learner in learners() {
        let model = fit(&learner, &dataset.take(&negatives));
        assert!(model.warnings()[0].contains("all training rows are of the class \"no\""), "{learner}");
        let least = if learner.output() == Output::Margins { -1.0 } else { 0.0 };
        assert!(posteriors(&model, &dataset).scores().iter().all(|&score| score == least), "{learner}");
    }
}

#[test]
fn no_rows_are_refused_and_one_is_enough() {
    let dataset = Claims::new(20).dataset();
    for learner in learners() {
        assert_eq!(
            learner.fit(&dataset, &[], 1).expect_err("no rows").kind(),
            ErrorKind::NoRows,
            "{learner}"
        );
        let model = learner.fit(&dataset, &[3], 1).unwrap_or_else(|error| panic!("{learner}: {error}"));
        check_probabilities(&learner, &posteriors(&model, &dataset));
        let untargeted = Dataset::new(dataset.columns().to_vec()).expect("columns");
        assert_eq!(learner.fit(&untargeted, &[0], 1).expect_err("no target").kind(), ErrorKind::NoTarget);
    }
}

#[test]
fn levels_that_training_rows_do_not_show_are_scored() {
    let dataset = Claims::new(300).dataset();
    let colour = dataset.column("colour").expect("a column");
    let Values::Codes(codes) = colour.values() else { panic!("codes") };
    let rows: Vec<u32> = all_rows(&dataset).into_iter().filter(|&row| codes[row as usize] != 2).collect();
    for learner in learners() {
        check_probabilities(&learner, &posteriors(&fit(&learner, &dataset.take(&rows)), &dataset));
    }
}

/// The claims as they come from a file in which the levels of a column were met in another order, or others were met.
fn from_another_file(dataset: &Dataset, name: &str, levels: &[&str]) -> Dataset {
    let other = |column: &Column| {
        let Values::Codes(codes) = column.values() else { return column.clone() };
        if column.name() != name {
            return column.clone();
        }
        let place = |code: &u32| {
            let level = column.kind().levels().get(*code as usize)?;
            levels.iter().position(|other| other == level).map(|place| place as u32)
        };
        let codes = codes.iter().map(|code| place(code).unwrap_or(MISSING)).collect();
        let kind = match column.kind() {
            Kind::Ordered(_) => Kind::Ordered(Levels::met(levels.iter().copied())),
            _ => Kind::Categorical(Levels::met(levels.iter().copied())),
        };
        Column::new(name, kind, Values::Codes(codes)).expect("codes")
    };
    Dataset::new(dataset.columns().iter().map(other).collect()).expect("columns")
}

fn model_levels<'a>(model: &'a Model, name: &str) -> Vec<&'a str> {
    let input = model.inputs().iter().find(|input| input.name == name).expect("a column");
    input.kind.levels().iter().map(String::as_str).collect()
}

#[test]
fn levels_of_another_file_are_refused_until_they_are_aligned_by_name() {
    let dataset = Claims::new(200).dataset();
    let others = [
        ("colour", &["teal", "red", "green", "blue"][..]),
        ("colour", &["green", "red", "teal", "violet"]),
        ("colour", &["green", "blue"]),
        ("size", &["l", "m", "s"]),
    ];
    for learner in learners() {
        let model = fit(&learner, &dataset);
        for (name, levels) in others {
            let other = from_another_file(&dataset, name, levels);
            let refusals = [
                model.posteriors(&other, &all_rows(&other)).expect_err("other levels"),
                model.explain(&other, 0).expect_err("other levels"),
            ];
            for error in refusals {
                assert_eq!(error.kind(), ErrorKind::Unaligned, "{learner}");
                let text = error.to_string();
                assert!(text.contains(&format!("column {name:?}")) && text.contains(levels[0]), "{text}");
            }
            let aligned = other.aligned_to(model.inputs(), &AlignOptions::default()).expect("aligned");
            // A level that the other file does not list was missing there already.
            let expected = from_another_file(&other, name, &model_levels(&model, name));
            assert_eq!(posteriors(&model, &aligned.dataset), posteriors(&model, &expected), "{learner}");
        }
    }
}

#[test]
fn what_is_missing_everywhere_does_no_harm() {
    let dataset = Claims::new(60).dataset();
    let blank = |column: &Column| {
        let values = match column.values() {
            Values::Codes(codes) => Values::Codes(vec![MISSING; codes.len()]),
            Values::Numbers(numbers) => Values::Numbers(vec![f64::NAN; numbers.len()]),
        };
        Column::new(column.name(), column.kind().clone(), values).expect("a blank column")
    };
    let blanks = Dataset::new(dataset.columns().iter().map(blank).collect()).expect("columns");
    let trained_blank =
        blanks.clone().with_target(dataset.target().expect("a target").clone()).expect("fits");
    for learner in learners() {
        check_probabilities(&learner, &posteriors(&fit(&learner, &dataset), &blanks));
        check_probabilities(&learner, &posteriors(&fit(&learner, &trained_blank), &dataset));
    }
}

#[test]
fn hard_columns_are_no_obstacle() {
    let n = 120;
    let numbers = |name: &str, number: fn(usize) -> f64| {
        Column::new(name, Kind::Numeric, Values::Numbers((0..n).map(number).collect())).expect("numbers")
    };
    let one = Kind::Categorical(Levels::declared(["only"]));
    let mut columns = vec![
        Column::new("constant", one, Values::Codes(vec![0; n])).expect("codes"),
        numbers("same", |_| 3.25),
        numbers("huge", |row| if row % 2 == 0 { 1e300 } else { -1e300 }),
        numbers("tiny", |row| row as f64 * 1e-300),
        numbers("perfect", |row| if row < 60 { 0.0 } else { 1.0 }),
    ];
    // More columns than rows.
    for idx in 0..n {
        let codes = (0..n).map(|row| u32::from((row * 7 + idx * 13) % 5 == 0)).collect();
        columns.push(Column::new(format!("flag{idx}"), Kind::Flag, Values::Codes(codes)).expect("a flag"));
    }
    let target = Target::new("y", ["no", "yes"], (0..n).map(|row| u32::from(row >= 60)).collect());
    let dataset =
        Dataset::new(columns).expect("columns").with_target(target.expect("classes")).expect("fits");
    for learner in learners() {
        check_probabilities(&learner, &posteriors(&read_back(&fit(&learner, &dataset)), &dataset));
    }
}

#[test]
fn a_constant_column_changes_nothing() {
    let dataset = Claims::new(200).dataset();
    let only = Kind::Categorical(Levels::declared(["only"]));
    let constant = [
        Column::new("level", only, Values::Codes(vec![0; 200])).expect("codes"),
        Column::new("number", Kind::Numeric, Values::Numbers(vec![2.5; 200])).expect("numbers"),
    ];
    let target = dataset.target().expect("a target").clone();
    let wider = Dataset::new(dataset.columns().iter().cloned().chain(constant).collect());
    let wider = wider.and_then(|wider| wider.with_target(target)).expect("two columns more");
    // Those that draw columns, or begin at the first, draw others.
    for learner in learners_but(Minds::ColumnOrder) {
        check_close(&scores(&learner, &wider, &wider), &scores(&learner, &dataset, &dataset), 1e-9, &learner);
    }
}

#[test]
fn a_hundred_thousand_levels_are_no_obstacle() {
    // Levels are what may not matter. Rows have their price: kernels take the square, dense columns of the levels met more.
    let (n_levels, n_rows) = (100_000, 1_000);
    let mut random = Random::new(9);
    let mut many = |name: &str| {
        let levels = Kind::Categorical(Levels::met((0..n_levels).map(|level| level.to_string())));
        let codes = (0..n_rows).map(|_| random.below(n_levels) as u32).collect();
        Column::new(name, levels, Values::Codes(codes)).expect("codes")
    };
    let columns = vec![many("shop"), many("card")];
    let mut columns =
        columns.into_iter().chain(Claims::new(n_rows).dataset().columns().to_vec()).collect::<Vec<_>>();
    columns.truncate(4);
    let target = Claims::new(n_rows).dataset().target().expect("a target").clone();
    let dataset = Dataset::new(columns).expect("columns").with_target(target).expect("fits");
    for learner in learners() {
        check_probabilities(&learner, &posteriors(&fit(&learner, &dataset), &dataset));
    }
}

/// Whatever looks for columns by their names looks once: twenty thousand columns take no time to speak of.
#[test]
fn twenty_thousand_columns_are_no_obstacle() {
    let column = |idx: u32| {
        let number = |row: u32| f64::from((row * 7 + idx * 13) % 11);
        let numbers = Values::Numbers((0..20).map(number).collect());
        Column::new(format!("column {idx}"), Kind::Numeric, numbers).expect("numbers")
    };
    let target = Target::new("y", ["no", "yes"], (0..20).map(|row| row % 2).collect()).expect("classes");
    let dataset = Dataset::new((0..20_000).map(column).collect());
    let dataset = dataset.and_then(|dataset| dataset.with_target(target)).expect("a wide data set");
    for text in ["majority", "nb", "bnb", "c45", "rdt", "nb+platt"] {
        let learner: Learner = text.parse().expect(text);
        let model = fit(&learner, &dataset);
        let read: Model =
            serde_json::from_str(&serde_json::to_string(&model).expect("text")).expect("a model");
        check_probabilities(&learner, &posteriors(&read, &dataset));
    }
    // Every pair of columns would be 200 million.
    let tan: Learner = "tan".parse().expect("a learner");
    let error = tan.fit(&dataset, &all_rows(&dataset), 1).expect_err("too many pairs");
    assert_eq!(error.kind(), ErrorKind::TooWide);
    assert!(error.to_string().contains("199990000 pairs; give it 10000 columns at most"), "{error}");
}

#[test]
fn models_are_shown_and_explain_themselves() {
    for claims in [Claims::new(200), Claims::new(200).with_classes(3)] {
        let dataset = claims.dataset();
        for learner in learners_for(&dataset) {
            let model = fit(&learner, &dataset);
            assert!(!model.text().is_empty(), "{learner}");
            let all = posteriors(&model, &dataset);
            for row in 0..20 {
                let explanation = model.explain(&dataset, row).expect("an explanation");
                let found: Vec<f64> = explanation.posteriors.clone();
                check_close(&found, all.row(row as usize), 1e-12, &learner);
                check_reasons(&learner, &model, &explanation.reasons, &found);
            }
        }
    }
}

/// Whether reasons lead to what the model says.
fn check_reasons(learner: &Learner, model: &Model, reasons: &Reasons, posteriors: &[f64]) {
    match reasons {
        Reasons::Evidence { for_class, against_class, prior, items } => {
            let class =
                |name: &String| model.classes().iter().position(|class| class == name).expect("a class");
            let log_odds = posteriors[class(for_class)].ln() - posteriors[class(against_class)].ln();
            let total = prior + items.iter().map(|item| item.log_odds).sum::<f64>();
            // Where every class is impossible the prior stands, and evidence of both signs is infinite.
            let agrees = (total - log_odds).abs() < 1e-6 || total.is_nan() || total == log_odds;
            assert!(agrees || log_odds.abs() > 30.0, "{learner}: {total} is not {log_odds}");
        }
        Reasons::Contributions { for_class, start, items } => {
            let total = start + items.iter().map(|item| item.change).sum::<f64>();
            check_total(learner, model, for_class, total, posteriors);
        }
        Reasons::Influences { for_class, start, items, others, left } => {
            let total = start + others + items.iter().map(|item| item.change).sum::<f64>();
            assert!(items.len() + left <= model.n_rows(), "{learner}");
            assert!(items.is_sorted_by(|a, b| a.change.abs() >= b.change.abs()), "{learner}: {items:?}");
            if learner.calibrator().is_none() {
                check_total(learner, model, for_class, total, posteriors);
            }
        }
        Reasons::Paths { paths } => {
            let shares: f64 = paths.iter().map(|path| path.share).sum();
            assert!((shares - 1.0).abs() < 1e-9, "{learner}: {shares}");
        }
        Reasons::Neighbours { items, left, .. } => {
            let votes_for =
                |class: &String| items.iter().filter(|item| item.class == *class).map(|item| item.vote).sum();
            let votes: Vec<f64> = model.classes().iter().map(votes_for).collect();
            let total: f64 = votes.iter().sum();
            assert!(items.is_sorted_by_key(|item| item.distance), "{learner}: {items:?}");
            assert!(total <= 1.0 + 1e-9 && (*left > 0 || total > 1.0 - 1e-9), "{learner}: {total}");
            if *left == 0 && learner.calibrator().is_none() {
                check_close(&votes, posteriors, 1e-9, learner);
            }
        }
    }
}

/// Whether what was added up is the value of a class; of margins of more than two, each compares one class with another.
fn check_total(learner: &Learner, model: &Model, for_class: &str, total: f64, posteriors: &[f64]) {
    match model.classes().iter().position(|class| class == for_class) {
        Some(class) => assert!((total - posteriors[class]).abs() < 1e-9, "{learner}: {total}"),
        None => {
            assert!(model.classes().len() > 2 && for_class.contains(" against "), "{learner}: {for_class}")
        }
    }
}

/// The posteriors of every row by models that are fitted for its fold, one by one.
fn refitted(learner: &Learner, dataset: &Dataset, fold_of_row: &[u32], n_folds: u32) -> Vec<f64> {
    let mut found = vec![f64::NAN; fold_of_row.len()];
    for fold in 0..n_folds {
        let is_tested = |row: &u32| fold_of_row[*row as usize] == fold;
        let (tested, trained): (Vec<u32>, Vec<u32>) = all_rows(dataset).into_iter().partition(is_tested);
        let seed = tribunal_random::derive_seed(42, &[u64::from(fold)]);
        let model = learner.fit(dataset, &trained, seed).expect("a model");
        let scores = model.posteriors(dataset, &tested).expect("scores").scores();
        tested.iter().zip(scores).for_each(|(&row, score)| found[row as usize] = score);
    }
    found
}

fn check_shared(dataset: &Dataset, n_folds: u32, tolerance: f64) {
    let rows = all_rows(dataset);
    let fold_of_row: Vec<u32> = rows.iter().map(|row| (row * 7 + row / 3) % n_folds).collect();
    let fold_of_row = if n_folds as usize == rows.len() { rows.clone() } else { fold_of_row };
    let folds = Folds::new(&rows, &fold_of_row).expect("folds");
    let learners = learners_for(dataset);
    let found = cross_posteriors(&learners, dataset, &folds, 42).expect("posteriors");
    for (learner, found) in learners.iter().zip(found) {
        // Steps from another start end a few bits away.
        let tolerance = match learner.family() {
            Family::Logit => 1e-9,
            Family::LsSvm => 1e-8,
            _ => tolerance,
        };
        check_close(&found.scores(), &refitted(learner, dataset, &fold_of_row, n_folds), tolerance, learner);
    }
}

#[test]
fn shared_work_gives_the_scores_of_plain_refits() {
    let whole = |n: usize| (0..n).map(|row| f64::from(row as u32 % 3)).collect::<Vec<f64>>();
    let broken = |n: usize| (0..n).map(|row| 0.25 + f64::from(row as u32 % 3) / 3.0).collect::<Vec<f64>>();
    for n_folds in [2, 5, 60] {
        // Only codes: the same bits.
        check_shared(&Claims::new(60).coded().dataset(), n_folds, 0.0);
        check_shared(&Claims::new(60).coded().complete().dataset(), n_folds, 0.0);
        // Sums over numbers differ in their last digits.
        check_shared(&Claims::new(60).dataset(), n_folds, 1e-9);
        check_shared(&Claims::new(60).with_classes(3).dataset(), n_folds, 1e-9);
        for weights in [whole(60), broken(60)] {
            let weighted = Claims::new(60).coded().dataset().with_weights(weights).expect("weights");
            check_shared(&weighted, n_folds, 0.0);
        }
    }
}

#[test]
fn several_targets_at_once_are_each_target_by_itself() {
    let dataset = Claims::new(60).coded().complete().dataset();
    let rows = all_rows(&dataset);
    let learners: [Learner; 4] =
        ["knn:5,paper", "nb:5", "knn:1,paper", "knn:5"].map(|text| text.parse().expect(text));
    let fold_of_row = |n_folds: u32| rows.iter().map(|row| row % n_folds).collect::<Vec<u32>>();
    let [five, all] = [5, 60].map(|n_folds| Folds::new(&rows, &fold_of_row(n_folds)).expect("folds"));
    let other = Target::new("other", ["a", "b", "c"], rows.iter().map(|row| row / 3 % 3).collect());
    let (fraud, other) = (dataset.target().expect("a target"), other.expect("a target"));
    let scenarios = [(fraud, &five, &learners[..]), (&other, &all, &learners[1..]), (fraud, &all, &[])];
    let scenarios = scenarios.map(|(target, folds, learners)| Scenario { target, folds, seed: 42, learners });
    let found = cross_posteriors_of(&dataset, &scenarios).expect("posteriors");
    for (scenario, found) in scenarios.iter().zip(found) {
        let by_itself = dataset.clone().with_target(scenario.target.clone()).expect("as many rows");
        let expected = cross_posteriors(scenario.learners, &by_itself, scenario.folds, 42);
        assert_eq!(found, expected.expect("posteriors"));
    }
}

#[test]
fn folds_that_leave_nothing_to_learn_from_are_refused() {
    assert_eq!(Folds::new(&[0, 1], &[0, 0]).expect_err("one fold").kind(), ErrorKind::Inconsistent);
    assert_eq!(Folds::new(&[0, 1], &[0]).expect_err("a fold too few").kind(), ErrorKind::Inconsistent);
}
