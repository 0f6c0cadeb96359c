//! Models that somebody edited: whatever stands in a file, reading it is an error or gives a model that scores, is shown and
//! explains rows. Nothing panics.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Map, Value, json};
use tribunal_learn::{AMOUNT_LEARNERS, AmountLearner, AmountModel, Amounts, Dataset, Model};
use tribunal_random::Random;

use super::claims::{Claims, all_rows};
use super::contract::{learners, learners_for};

/// So many edits of each model; there are more places than that in most.
const EDITS: usize = 100;

/// Where a value stands: keys of objects and places in lists, from the outside.
type Path = Vec<String>;

/// Every place of a document; of a long list the first few, the last, and some between.
fn places(value: &Value, path: &Path, found: &mut Vec<Path>) {
    let mut go_on = |key: String, inner: &Value| {
        let inner_path: Path = path.iter().cloned().chain([key]).collect();
        found.push(inner_path.clone());
        places(inner, &inner_path, found);
    };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, inner)| go_on(key.clone(), inner)),
        Value::Array(items) => {
            let step = (items.len() / 4).max(1);
            let is_met = |idx: usize| idx < 3 || idx + 1 == items.len() || idx.is_multiple_of(step);
            let met = items.iter().enumerate().filter(|(idx, _)| is_met(*idx));
            met.for_each(|(idx, inner)| go_on(idx.to_string(), inner));
        }
        _ => {}
    }
}

fn at<'a>(value: &'a mut Value, path: &[String]) -> &'a mut Value {
    path.iter().fold(value, |value, key| match value {
        Value::Array(items) => &mut items[key.parse::<usize>().expect("a place")],
        value => &mut value[key],
    })
}

/// What may be put in the place of anything.
fn replacement(random: &mut Random) -> Value {
    let others = [
        json!(0),
        json!(-1),
        json!(1),
        json!(2),
        json!(7),
        json!(1e308),
        json!(-1e308),
        json!(1e-308),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(u32::MAX),
        json!(4_000_000_000_u64),
        json!(0.5),
        Value::Null,
        json!(true),
        json!(""),
        json!("x"),
        json!([]),
        json!([0]),
        json!([[]]),
        json!({}),
    ];
    others[random.below(others.len() as u64) as usize].clone()
}

/// Changes something near a place, in one of the ways in which files go wrong.
fn edit(model: &mut Value, path: &Path, random: &mut Random) {
    let (last, outer) = path.split_last().expect("a place below the top");
    let way = random.below(8);
    match at(model, outer) {
        Value::Object(fields) if way == 0 => drop(fields.remove(last)),
        Value::Array(items) => edit_list(items, last.parse().expect("a place"), way, random),
        _ => {
            let other = replacement(random);
            match at(model, path) {
                Value::Object(fields) if way < 3 => swap_fields(fields, random),
                Value::Number(number) if way < 4 => {
                    let moved = number.as_f64().unwrap_or(0.0) + [1.0, -1.0][random.below(2) as usize];
                    *at(model, path) = if moved.fract() == 0.0 { json!(moved as i64) } else { json!(moved) };
                }
                value => *value = other,
            }
        }
    }
}

fn edit_list(items: &mut Vec<Value>, place: usize, way: u64, random: &mut Random) {
    match way {
        0 => drop(items.remove(place)),
        1 => items.push(items[place].clone()),
        2 => items.truncate(place),
        3 => items.reverse(),
        4 => items.swap(0, place),
        5 => items.clear(),
        _ => items[place] = replacement(random),
    }
}

/// The values of two fields change places.
fn swap_fields(fields: &mut Map<String, Value>, random: &mut Random) {
    let keys: Vec<String> = fields.keys().cloned().collect();
    if keys.is_empty() {
        return;
    }
    let mut key = || keys[random.below(keys.len() as u64) as usize].clone();
    let (one, other) = (key(), key());
    let (a, b) = (fields[&one].clone(), fields[&other].clone());
    fields.insert(one, b);
    fields.insert(other, a);
}

/// Edits a model in many ways, reads each and uses what was read; tells of every edit that made something panic.
fn check(name: &str, whole: &Value, use_it: impl Fn(Value) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    places(whole, &Vec::new(), &mut found);
    let mut random =
        Random::new(name.bytes().fold(7_u64, |seed, byte| seed.wrapping_mul(31) ^ u64::from(byte)));
    let mut panics = Vec::new();
    for _ in 0..EDITS {
        let path = &found[random.below(found.len() as u64) as usize];
        let mut edited = whole.clone();
        edit(&mut edited, path, &mut random);
        let shown = at(&mut edited.clone(), &path[..path.len() - 1]).to_string();
        if catch_unwind(AssertUnwindSafe(|| use_it(edited))).is_err() {
            let shown: String = shown.chars().take(200).collect();
            panics.push(format!("{name}: edited at {path:?}, now {shown}"));
        }
    }
    panics
}

/// Reads a model and does with it all that can be done; whether it could be read.
fn use_model(stored: Value, dataset: &Dataset) -> bool {
    let Ok(model) = serde_json::from_value::<Model>(stored) else { return false };
    let rows = all_rows(dataset);
    let _ = model.posteriors(dataset, &rows).map(|posteriors| posteriors.scores());
    let _ = model.explain(dataset, 0);
    let _ = model.explain(dataset, rows.len() as u32 - 1);
    let _ = (model.text(), model.graph(), model.coefficients());
    true
}

#[test]
fn edited_models_are_refused_or_work() {
    let mut panics = Vec::new();
    for claims in [Claims::new(60), Claims::new(60).with_classes(3)] {
        let dataset = claims.dataset();
        for learner in learners_for(&dataset) {
            let model = learner.fit(&dataset, &all_rows(&dataset), 42).expect("a model");
            let stored = serde_json::to_value(&model).expect("as JSON");
            panics.extend(check(&learner.to_string(), &stored, |edited| use_model(edited, &dataset)));
        }
    }
    assert_eq!(panics, [] as [String; 0]);
}

/// The pieces of a model and of another, mixed: each is sound, and they do not fit together.
#[test]
fn models_made_of_two_are_refused_or_work() {
    let (small, large) = (Claims::new(60).dataset(), Claims::new(60).with_classes(3).dataset());
    // Costs are those of a number of classes.
    for learner in learners().into_iter().filter(|learner| learner.cost_method().is_none()) {
        let stored = |dataset: &Dataset| {
            let model = learner.fit(dataset, &all_rows(dataset), 42).expect("a model");
            serde_json::to_value(&model).expect("as JSON")
        };
        let (of_two, of_three) = (stored(&small), stored(&large));
        for key in ["classes", "inputs", "learned"] {
            for (mut whole, part) in [(of_two.clone(), &of_three), (of_three.clone(), &of_two)] {
                whole[key] = part[key].clone();
                let used = catch_unwind(AssertUnwindSafe(|| use_model(whole, &small)));
                let is_read = used.unwrap_or_else(|_| panic!("{learner}: {key} of another model"));
                assert!(
                    !is_read || key == "inputs",
                    "{learner}: {key} of another number of classes was read"
                );
            }
        }
    }
}

#[test]
fn edited_models_of_amounts_are_refused_or_work() {
    let dataset = Claims::new(60).dataset();
    let amounts =
        Amounts::new("paid", (0..60).map(|row| f64::from(row * 37 % 101)).collect()).expect("amounts");
    for (text, _) in AMOUNT_LEARNERS.iter().flat_map(|form| form.examples) {
        let learner: AmountLearner = text.parse().expect(text);
        let model = learner.fit(&dataset, &amounts, &all_rows(&dataset)).expect("a model");
        let stored = serde_json::to_value(&model).expect("as JSON");
        let panics = check(text, &stored, |edited| {
            let Ok(model) = serde_json::from_value::<AmountModel>(edited) else { return false };
            let _ = model.predict(&dataset, &all_rows(&dataset));
            let _ = model.explain(&dataset, 0);
            let _ = (model.text(), model.coefficients());
            true
        });
        assert_eq!(panics, [] as [String; 0]);
    }
}
