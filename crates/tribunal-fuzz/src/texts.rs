//! Texts: files of TOML, and words that stand for cut-offs, learners, designs and figures.

use std::path::Path;

use tribunal::resampling::{Design, LabelColumn, Plan, Rows};
use tribunal::{AMOUNT_LEARNERS, AmountLearner, Entrant, LEARNERS, learners_of, read_schema, read_study};
use tribunal_eval::CutoffRule;
use tribunal_eval::metrics::{METRICS, Measure};
use tribunal_learn::Kind;

use crate::scratch_file;

/// Longer texts are no other texts.
const LONGEST: usize = 4096;

/// The bytes as a text, as a shell would hand them over.
fn text(bytes: &[u8]) -> Option<&str> {
    str::from_utf8(&bytes[..bytes.len().min(LONGEST)]).ok()
}

pub(crate) fn study(bytes: &[u8]) {
    if let Some(path) = scratch_file("study.toml", bytes) {
        let _ = read_study(Path::new(&path));
    }
}

pub(crate) fn schema(bytes: &[u8]) {
    if let Some(path) = scratch_file("schema.toml", bytes) {
        let _ = read_schema(&path);
    }
    let _ = text(bytes).map(str::parse::<Kind>);
}

/// What is read is written as it is read.
pub(crate) fn cutoff(bytes: &[u8]) {
    let Some(Ok(rule)) = text(bytes).map(str::parse::<CutoffRule>) else { return };
    let again = rule.to_string().parse::<CutoffRule>();
    assert!(again.is_ok_and(|again| again.to_string() == rule.to_string()), "{rule} is not read back");
}

pub(crate) fn learner(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let _ = text.parse::<AmountLearner>();
    let Ok(entrants) = learners_of(text) else { return };
    for entrant in entrants {
        let again = entrant.to_string().parse::<Entrant>();
        assert!(again.is_ok_and(|again| again == entrant), "{entrant} is not read back");
    }
}

/// A design that can be read divides rows or says why not.
pub(crate) fn design(bytes: &[u8]) {
    let Some(Ok(design)) = text(bytes).map(str::parse::<Design>) else { return };
    let again = design.to_string().parse::<Design>();
    assert!(again.is_ok_and(|again| again == design), "{design} is not read back");
    let classes = LabelColumn::of("class", (0..24).map(|row| if row % 3 == 0 { "yes" } else { "no" }));
    if let Ok(plan) = Plan::new(&design, &Rows::of_classes(&classes), 1) {
        let _ = plan.splits().take(20).map(|split| split.train.len()).sum::<usize>();
    }
}

pub(crate) fn measure(bytes: &[u8]) {
    let _ = text(bytes).map(str::parse::<Measure>);
}

fn bytes_of(texts: impl IntoIterator<Item = impl AsRef<str>>) -> Vec<Vec<u8>> {
    texts.into_iter().map(|text| text.as_ref().as_bytes().to_vec()).collect()
}

pub(crate) fn study_seeds() -> Vec<Vec<u8>> {
    bytes_of([
        "title = 'Claims'\ndata = ['claims-*.csv', 'more.csv']\nlearners = ['majority', 'logit', 'all-tan', 'nb:{1,5}']\n\
         protocol = 'strict'\ndesign = 'cv:10'\ndesigns = ['loo', 'holdout:2/3x10']\nmetrics = ['pcc', 'auroc', 'lift@0.1']\n\
         decide_by = 'auroc'\ncosts = '1:5'\ncost_methods = 'all'\ncapacity = '200/5000'\nlevel = 0.95\nseed = 7\n[columns]\nclaim = 'ignore'\nage = 'bins:20,40'\n\
         paid = 'amount'\n[sets]\nfew = ['age', 'lag']\n[targets]\nfraud = { column = 'fraud', positive = 'yes' }\n\
         '4+' = { column = 'score', positive = '>=4' }\n",
        "data = 'claims.csv'\nschema = 'claims'\nlearners = 'all'\ntarget = '4+'\npredictors = ['flags', 'all']\n",
        "data = '-'\ngroup = 'policy'\nweight = 'w'\nid = 'claim'\nmissing = ['-']\nprefer = 'simple'\n",
    ])
}

pub(crate) fn schema_seeds() -> Vec<Vec<u8>> {
    bytes_of([
        "missing = ['-', '?']\n[columns]\nAGE = 'bins:whole:20,40'\nPAID = 'amount'\nID = 'id'\nx = 'ordered:low<mid<high'\n\
         y = 'categorical:a|b'\n[sets]\nfew = ['AGE', 'x']\n[targets]\n'4+' = { column = 'score', positive = '>=4' }\n",
        "[columns]\na = 'flag'\nb = 'numeric'\nc = 'bins:mdl'\nd = 'bins:frequency:10'\ne = 'weight'\nf = 'ignore'\n",
        "bins:0.5,1.5",
        "ordered:none<1<2 to 4",
    ])
}

pub(crate) fn cutoff_seeds() -> Vec<Vec<u8>> {
    bytes_of([
        "0.5",
        "-1e-3",
        "top:100",
        "top:10%",
        "share:0.1",
        "max:pcc",
        "best:f_beta@2",
        "precision>=0.9",
        "sensitivity>=0.8",
        "cost:1:10",
        "youden",
        "profit",
    ])
}

pub(crate) fn learner_seeds() -> Vec<Vec<u8>> {
    let examples = LEARNERS.iter().flat_map(|form| form.examples).map(|(text, _)| *text);
    let amounts = AMOUNT_LEARNERS.iter().flat_map(|form| form.examples).map(|(text, _)| *text);
    let others = [
        "all",
        "all-tan",
        "nb:{1,5,25}",
        "svm:rbf,c={0.1,1,10}",
        "knn:{1..9}",
        "c45:cf={0.05..0.5..0.05}",
        "lssvm:rbf,sigma={1e-2..1e2..x10},gamma={1,10}+platt",
        "c45+metacost=1:5,m=10,oob",
        "nb:{5,25}+isotonic+threshold=0:5/1:0",
        "outside:python3 model.py --depth 3",
    ];
    bytes_of(examples.chain(amounts).chain(others))
}

pub(crate) fn design_seeds() -> Vec<Vec<u8>> {
    bytes_of([
        "cv:10",
        "cv:10x10",
        "cv:5,plain",
        "holdout:2/3",
        "holdout:0.7x10",
        "3way:60/20/20",
        "loo",
        "bootstrap:200",
        "folds:class",
        "group:policy,5",
        "time:date",
        "time:date,2/3",
    ])
}

pub(crate) fn measure_seeds() -> Vec<Vec<u8>> {
    let ids = METRICS.iter().map(|metric| match metric.parameter() {
        Some(_) => format!("{}@0.1", metric.stem()),
        None => metric.stem().to_owned(),
    });
    bytes_of(ids)
}
