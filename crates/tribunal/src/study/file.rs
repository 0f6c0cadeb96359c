//! A study as a file: TOML in which whatever is left out has a default, and whatever is wrong is said with its place.
//!
//! ```toml
//! title = "Claims of 1994 to 1996"
//! data = "claims.csv"
//! learners = ["majority", "logit", "all-tan"]
//!
//! [columns]
//! claim = "ignore"
//!
//! [targets]
//! fraud = { column = "fraud", positive = "yes" }
//! ```
//!
//! Keys: `title`, `data`, `schema`, `missing`, `min_firings`, `target`, `predictors`, `learners`, `protocol`, `design`,
//! `designs`, `group`, `weight`, `id`, `metrics`, `costs`, `cost_fp`, `cost_fn`, `cost_action`, `benefit_tp`, `benefit_tn`, `cost_methods`, `capacity`,
//! `rule`, `amount`, `amount_learner`, `decide_by`, `prefer`, `level`, `seed`, and the tables `columns`, `sets` and
//! `targets` of a [`Schema`], which are put over the schema that is named. A list of one may be written as a single text.

use std::collections::BTreeSet;
use std::path::Path;

use tribunal_eval::intervals::Level;
use tribunal_eval::metrics::Measure;
use tribunal_learn::{CostMethod, Schema};

use super::questions::{ErrorCosts, cost_methods_of};
use super::request::{Preference, StudyRequest};
use super::words::{USUAL_LEARNERS, designs_of, learners_of};
use super::written::{Value, Written};
use crate::data::{DataRequest, TargetRequest, has_set, unknown_set};
use crate::decision::{Costs, DecisionRequest, Expression, Outcomes};
use crate::error::Error;
use crate::line_up::Entrant;
use crate::message::{Message, Verb};
use crate::outside::permit;
use crate::resampling::Design;
use crate::toml_file::TomlFile;
use crate::toml_words::{DeclaredColumns, Word, Words, files_beside, texts};

const USUAL_DESIGN: &str = "cv:10";
const USUAL_METRICS: [&str; 2] = ["pcc", "auroc"];
const USUAL_SEED: u64 = 1;

/// A study that was read from a file.
#[derive(Clone, Debug)]
pub struct StudyFile {
    /// The data: files and globs, relative ones from the folder of the study file. Nothing if the file names none.
    pub sources: Vec<String>,
    /// The schema file that is named, from where the program runs; nothing if it is a built-in one.
    pub schema: Option<String>,
    /// What is asked.
    pub request: StudyRequest,
}

impl StudyFile {
    /// Fails if the file names commands as learners and the user did not allow them: a file from anywhere may name any
    /// command.
    ///
    /// # Errors
    /// A learner of the file is a command; the message shows all of them.
    pub fn permit(&self, may_run_command: bool) -> Result<(), Error> {
        let commands = self.request.entrants.iter().filter_map(|entrant| match entrant {
            Entrant::Outside(learner) => Some(learner),
            Entrant::BuiltIn(_) => None,
        });
        permit("the study file", commands, may_run_command)
    }
}

/// Reads a study file.
///
/// ```
/// use tribunal::read_study;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("study.toml");
/// std::fs::write(&path, "data = 'claims.csv'\nschema = 'claims'\nlearners = ['logit', 'all-nb']\n")?;
/// let study = read_study(&path)?;
/// assert_eq!(study.request.entrants.len(), 5);
/// assert_eq!(study.request.data.targets.len(), 5);
///
/// std::fs::write(&path, "schema = 'claims'\nlearners = ['logti']\n")?;
/// let error = read_study(&path).unwrap_err().to_string();
/// assert!(error.contains("study.toml, line 2, column 13: there is no learner \"logti\"; did you mean logit?"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The file cannot be read, or something in it is not understood; the message names line and column, and the nearest known
/// word.
pub fn read_study(path: &Path) -> Result<StudyFile, Error> {
    let name = path.to_string_lossy();
    let file = TomlFile::read(&name, "study", Message::from("`").verb(Verb::Init).text(" DATA` writes one"))?;
    let written: Written = file.parse()?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let reading = Reading { file: &file, folder, written: &written };
    let sources = files_beside(folder, &written.data);
    let schema = reading.declared().schema_file(folder);
    let request = reading.request(title_of(path))?;
    Ok(StudyFile { sources, schema, request })
}

/// What a study is called that does not say: as its file.
fn title_of(path: &Path) -> String {
    path.file_stem().map_or_else(|| "Study".into(), |stem| stem.to_string_lossy().into_owned())
}

/// A file on its way to a request.
struct Reading<'a> {
    file: &'a TomlFile,
    folder: &'a Path,
    written: &'a Written,
}

impl Reading<'_> {
    fn declared(&self) -> DeclaredColumns<'_> {
        DeclaredColumns {
            schema: &self.written.schema,
            missing: &self.written.missing,
            min_firings: self.written.min_firings,
            weight: self.written.weight.as_deref(),
            id: &self.written.id,
            columns: &self.written.columns,
            sets: &self.written.sets,
            targets: &self.written.targets,
        }
    }

    fn request(&self, title: String) -> Result<StudyRequest, Error> {
        let written = self.written;
        let data = self.data()?;
        let design = self.one(&written.design, USUAL_DESIGN, |text| text.parse())?;
        Ok(StudyRequest {
            title: written.title.clone().unwrap_or(title),
            predictors: distinct(self.predictors(&data.schema)?),
            data,
            entrants: distinct(self.list(&written.learners, &USUAL_LEARNERS, learners_of)?.concat()),
            protocol: self.one(&written.protocol, "strict", str::parse)?,
            others: self.others(&design)?,
            design,
            group: written.group.clone(),
            metrics: distinct(self.list(&written.metrics, &USUAL_METRICS, measure)?),
            cost_methods: self.cost_methods()?,
            decision: self.decision()?,
            amount: written.amount.clone(),
            amount_learner: self
                .file
                .optional_meaning(&written.amount_learner, |text| Ok(text.parse()?))?
                .unwrap_or_default(),
            prefer: self.prefer()?,
            level: self.level()?,
            seed: written.seed.unwrap_or(USUAL_SEED),
        })
    }

    fn data(&self) -> Result<DataRequest, Error> {
        let (schema, declared) = self.declared().schema(self.file, self.folder)?;
        let named = distinct(texts(&self.written.target).map(str::to_owned).collect());
        let names = match (named.is_empty(), self.written.targets.is_empty()) {
            (false, _) => named,
            (true, false) => self.file.targets_as_written()?,
            (true, true) => declared,
        };
        if names.is_empty() {
            return Err(self.file.wrong(
                0..0,
                "what is to be predicted? Declare a target, for example\n  [targets]\n  fraud = { column = \"fraud\", \
                 positive = \"yes\" }",
            ));
        }
        let target = |name| TargetRequest { name, positive: None };
        Ok(DataRequest { schema, targets: names.into_iter().map(target).collect(), ..DataRequest::default() })
    }

    /// Sets of predictors, each of which must be known.
    fn predictors(&self, schema: &Schema) -> Result<Vec<String>, Error> {
        self.list(&self.written.predictors, &["all"], |name| match has_set(name, schema) {
            true => Ok(name.to_owned()),
            false => Err(unknown_set(name, schema)),
        })
    }

    /// Designs beside the main one.
    fn others(&self, main: &Design) -> Result<Vec<Design>, Error> {
        let mut others = distinct(self.list(&self.written.designs, &[], designs_of)?.concat());
        others.retain(|design| design != main);
        Ok(others)
    }

    fn cost_methods(&self) -> Result<Vec<CostMethod>, Error> {
        Ok(distinct(self.list(&self.written.cost_methods, &[], cost_methods_of)?.concat()))
    }

    /// What is asked about acting on the list.
    fn decision(&self) -> Result<DecisionRequest, Error> {
        let written = self.written;
        let capacity = self.value(&written.capacity, |text| {
            text.parse().map_err(|error: tribunal_eval::Error| error.to_string())
        })?;
        Ok(DecisionRequest {
            capacity,
            outcomes: self.outcomes()?,
            rule: self.file.optional_meaning(&written.rule, |text| {
                text.parse().map_err(|error: String| Error::usage(error))
            })?,
            decide_by: self.file.optional_meaning(&written.decide_by, str::parse)?,
        })
    }

    /// What outcomes bring in, by `costs` or one by one.
    fn outcomes(&self) -> Result<Option<Outcomes>, Error> {
        let written = self.written;
        let parts = [
            &written.benefit_tp,
            &written.benefit_tn,
            &written.cost_fp,
            &written.cost_fn,
            &written.cost_action,
        ];
        let parts = parts.map(|part| {
            self.value(part, |text| text.parse::<Expression>().map_err(|error| error.to_string()))
        });
        let [hit, correct_rejection, false_positive, false_negative, action] = parts;
        let (hit, correct_rejection) = (hit?, correct_rejection?);
        let (false_positive, false_negative, action) = (false_positive?, false_negative?, action?);
        let costs = Costs {
            hit: hit.as_ref(),
            correct_rejection: correct_rejection.as_ref(),
            false_positive: false_positive.as_ref(),
            false_negative: false_negative.as_ref(),
            action: action.as_ref(),
        };
        let pair = self.file.optional_meaning(&written.costs, str::parse::<ErrorCosts>)?;
        match (&written.costs, pair, costs.is_stated()) {
            (Some(word), Some(_), true) => {
                let advice = "costs stand here and one by one as well; write them once";
                Err(self.file.wrong(word.span(), advice))
            }
            (_, Some(pair), false) => Ok(Some(pair.outcomes())),
            (_, _, true) => {
                Outcomes::of_costs(&costs).map(Some).map_err(|error| Error::usage(error.to_string()))
            }
            (_, None, false) => Ok(None),
        }
    }

    /// What a number or a formula means, if it is there.
    fn value<T>(
        &self,
        value: &Option<Value>,
        means: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, Error> {
        let Some(value) = value else { return Ok(None) };
        means(&value.get_ref().0).map(Some).map_err(|error| self.file.wrong(value.span(), error))
    }

    fn prefer(&self) -> Result<Vec<Preference>, Error> {
        let usual = Preference::ALL.map(|preference| preference.to_string());
        self.list(&self.written.prefer, &usual.each_ref().map(String::as_str), str::parse).map(distinct)
    }

    fn level(&self) -> Result<Level, Error> {
        let Some(level) = &self.written.level else { return Ok(Level::P95) };
        Level::new(*level.get_ref()).map_err(|error| self.file.wrong(level.span(), error.to_string()))
    }

    /// What a word means, or its default.
    fn one<T>(
        &self,
        word: &Option<Word>,
        usual: &str,
        means: impl Fn(&str) -> Result<T, Error>,
    ) -> Result<T, Error> {
        match word {
            None => means(usual),
            Some(word) => self.file.meaning(word, means),
        }
    }

    /// What each word of a list means, or each of the default.
    fn list<T>(
        &self,
        words: &Option<Words>,
        usual: &[&str],
        means: impl Fn(&str) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let Some(Words(words)) = words else { return usual.iter().map(|word| means(word)).collect() };
        if words.get_ref().is_empty() && !usual.is_empty() {
            let problem = format!("the list is empty; leave it out for {}", usual.join(", "));
            return Err(self.file.wrong(words.span(), problem));
        }
        words.get_ref().iter().map(|word| self.file.meaning(word, &means)).collect()
    }
}

fn measure(text: &str) -> Result<Measure, Error> {
    text.parse().map_err(|error| Error::unknown_metric(&error))
}

/// Each once, in the order of their first appearance: words that stand for several may overlap.
fn distinct<T: ToString>(all: Vec<T>) -> Vec<T> {
    let mut seen = BTreeSet::new();
    all.into_iter().filter(|one| seen.insert(one.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::{CaseRule, DecideBy};
    use crate::error::ErrorKind;

    const TARGET: &str = "[targets]\nfraud = { column = 'fraud', positive = 'yes' }\n";

    fn read_in(folder: &Path, text: &str) -> Result<StudyFile, String> {
        let path = folder.join("claims.toml");
        std::fs::write(&path, text).expect("written");
        read_study(&path).map_err(|error| error.to_string())
    }

    fn read(text: &str) -> Result<StudyFile, String> {
        read_in(tempfile::tempdir().expect("a folder").path(), text)
    }

    fn targets(study: &StudyFile) -> Vec<&str> {
        study.request.data.targets.iter().map(|target| target.name.as_str()).collect()
    }

    fn shown<T: ToString>(all: &[T]) -> String {
        all.iter().map(T::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_is_left_out_has_a_default() {
        let StudyFile { sources, schema, request } = read(TARGET).expect("a study");
        assert_eq!((sources.len(), schema), (0, None));
        assert_eq!((request.title.as_str(), shown(&request.predictors).as_str()), ("claims", "all"));
        assert_eq!(shown(&request.entrants), USUAL_LEARNERS.join(" "));
        assert_eq!(
            (request.protocol.to_string(), request.design.to_string()),
            ("strict".into(), "cv:10".into())
        );
        assert_eq!(
            (shown(&request.metrics), request.decision.clone()),
            ("pcc auroc".into(), DecisionRequest::default())
        );
        assert_eq!(shown(&request.prefer), "simple fast explained best");
        assert_eq!((request.level, request.seed, request.others.len()), (Level::P95, 1, 0));
        assert_eq!((request.group, request.data.schema.min_firings), (None, 0));
    }

    #[test]
    fn whatever_is_said_counts() {
        let text = "title = 'All of it'\ndata = ['a/*.csv', '/b.csv', '-']\nmissing = ['none']\nmin_firings = 3\n\
            target = 'late'\npredictors = ['flags', 'few']\nlearners = ['nb:5', 'all-nb', 'outside:sh x.sh']\n\
            protocol = 'paper'\ndesign = 'holdout:2/3'\ndesigns = 'all'\ngroup = 'claimant'\nweight = 'w'\n\
            id = ['claim', 'file']\nmetrics = ['auroc', 'lift@0.1', 'auroc']\ndecide_by = 'lift@0.1'\nprefer = ['best']\n\
            level = 0.9\nseed = 7\n[columns]\nage = 'bins:20,40'\n[sets]\nfew = ['age']\n[targets]\n\
            late = { column = 'lag', positive = '>=4', whole = [0, 10] }\nfraud = { column = 'fraud', positive = 'yes' }\n";
        let folder = tempfile::tempdir().expect("a folder");
        let StudyFile { sources, request, .. } = read_in(folder.path(), text).expect("a study");
        let beside = folder.path().join("a/*.csv").to_string_lossy().into_owned();
        assert_eq!(sources, [beside.as_str(), "/b.csv", "-"]);
        assert_eq!((request.title.as_str(), shown(&request.predictors).as_str()), ("All of it", "flags few"));
        assert_eq!(shown(&request.entrants), "nb:5 nb nb:25 nb:50 outside:sh x.sh");
        assert_eq!(shown(&request.others), "holdout:2/3x10 cv:10x10 loo bootstrap:200");
        assert_eq!(
            (request.protocol.to_string().as_str(), request.group.as_deref()),
            ("paper", Some("claimant"))
        );
        assert_eq!(
            (shown(&request.metrics), request.decision.decide_by.expect("a metric").to_string()),
            ("auroc lift@0.1".into(), "lift@0.1".into())
        );
        assert_eq!((shown(&request.prefer).as_str(), request.level.get(), request.seed), ("best", 0.9, 7));
        let schema = &request.data.schema;
        let declared: Vec<String> =
            schema.columns.iter().map(|(name, kind)| format!("{name}={kind}")).collect();
        assert_eq!(declared, ["age=bins:20,40", "claim=id", "file=id", "w=weight"]);
        assert_eq!((schema.missing.len(), schema.min_firings, schema.targets.len()), (1, 3, 2));
        assert_eq!(request.data.targets.len(), 1);
    }

    #[test]
    fn targets_keep_the_order_of_the_file() {
        let text = "[targets]\nz = { column = 'a', positive = '1' }\nb = { column = 'a', positive = '2' }\n\
            [targets.a]\ncolumn = 'a'\npositive = '3'\n";
        assert_eq!(targets(&read(text).expect("a study")), ["z", "b", "a"]);
        assert_eq!(targets(&read(&format!("target = ['a', 'z']\n{text}")).expect("a study")), ["a", "z"]);
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("columns.toml"), format!("min_firings = 4\n{text}"))
            .expect("written");
        let of_schema = read_in(folder.path(), "schema = 'columns.toml'\n").expect("a study");
        assert_eq!(
            (targets(&of_schema), of_schema.request.data.schema.min_firings),
            (vec!["z", "b", "a"], 4)
        );
        let both = read_in(folder.path(), &format!("schema = 'columns.toml'\n{TARGET}")).expect("a study");
        assert_eq!((targets(&both), both.request.data.schema.targets.len()), (vec!["fraud"], 4));
    }

    #[test]
    fn the_built_in_schema_is_named_by_a_word() {
        let study = read("schema = 'claims'\npredictors = ['indicator', 'extended']\n").expect("a study");
        assert_eq!(targets(&study), ["1+", "4+", "7+", "vnl", "vop"]);
        assert_eq!(study.request.data.schema.min_firings, 10);
    }

    #[test]
    fn commands_of_a_file_need_the_word_of_the_user() {
        let study = |learners: &str| read(&format!("learners = [{learners}]\n{TARGET}")).expect("a study");
        assert!(study("'nb', 'logit'").permit(false).is_ok());
        let study = study("'nb', 'outside:sh a.sh', 'outside[timeout=9]:python3 b.py'");
        assert!(study.permit(true).is_ok());
        let error = study.permit(false).expect_err("two commands");
        assert_eq!(error.kind(), ErrorKind::Usage);
        assert_eq!(
            error.to_string(),
            "the study file names commands that would be run: sh a.sh; python3 b.py; if you trust them, add `run_command`"
        );
    }

    #[track_caller]
    fn check(text: &str, place: &str, says: &str) {
        let error = read(text).expect_err(text);
        assert!(error.contains(&format!("claims.toml, {place}: ")), "{error}");
        assert!(error.contains(says), "{error}");
    }

    #[test]
    fn outcomes_are_numbers_or_formulas() {
        let text = "amount = 'paid'\nbenefit_tp = 'amount - 90'\ncost_fp = 1\ncost_action = 0.5\ncapacity = 200\n\
            rule = 'expected'\ndecide_by = 'profit'\namount_learner = 'linear:cap=50'\n";
        let request = read(&format!("{text}{TARGET}")).expect("a study").request;
        let DecisionRequest { capacity, outcomes, rule, decide_by } = request.decision;
        let cells = outcomes.expect("outcomes").cells().map(ToString::to_string);
        assert_eq!(cells, ["amount - 90 - 0.5", "-1.5", "0", "0"]);
        assert_eq!(capacity.map(|capacity| capacity.cases()), Some(200.0));
        assert_eq!((rule, decide_by), (Some(CaseRule::Expected), Some(DecideBy::Profit)));
        assert_eq!(
            (request.amount.as_deref(), request.amount_learner.to_string()),
            (Some("paid"), "linear:cap=50".into())
        );
        check(&format!("costs = '1:5'\ncost_fp = 1\n{TARGET}"), "line 1, column 9", "write them once");
        check(&format!("cost_fp = '1 + '\n{TARGET}"), "line 1, column 11", "at position");
    }

    #[test]
    fn what_is_wrong_is_said_with_line_and_column() {
        let check = |text: &str, place, says| check(&format!("{text}\n{TARGET}"), place, says);
        check("titel = 'x'", "line 1, column 1", "unknown field `titel`");
        check("titel = 'x'", "line 1, column 1", "did you mean `title`?");
        check("seed = 1\nlearners = ['nb', 'tann']", "line 2, column 19", "did you mean tan?");
        check("learners = ['all-tam']", "line 1, column 13", "did you mean all-tan?");
        check("learners = 'c54'", "line 1, column 12", "there is no learner \"c54\"");
        check("learners = []", "line 1, column 12", "the list is empty");
        check("metrics = ['pcc',\n  'aurco']", "line 2, column 3", "did you mean `auroc`?");
        check("costs = '0,5:2'", "line 1, column 9", "a decimal point is a point");
        check("costs = '0:2'", "line 1, column 9", "cannot be minded");
        check("cost_methods = ['wieghts']", "line 1, column 17", "did you mean weights?");
        check("capacity = '0'", "line 1, column 12", "the capacity is 0");
        check("decide_by = 'lift'", "line 1, column 13", "write `lift@VALUE`");
        check("design = 'vc:10'", "line 1, column 10", "did you mean `cv:10`?");
        check("designs = ['loo', 'bootstap:200']", "line 1, column 19", "did you mean `bootstrap:200`?");
        check("protocol = 'papr'", "line 1, column 12", "did you mean paper?");
        check("prefer = ['simpel']", "line 1, column 11", "did you mean simple?");
        check("predictors = ['flag']", "line 1, column 15", "did you mean \"flags\"?");
        check("level = 95", "line 1, column 9", "such as 0.95");
        check("seed = -1", "line 1, column 8", "a whole number, zero or more");
        check("learners = 3", "line 1, column 12", "a text or a list of texts");
        check("data = ", "line 1, column 8", "");
        check("schema = 'none.toml'", "line 1, column 10", "none.toml cannot be read");
        check("[columns]\nage = 'nominal'", "line 2, column 7", "is not a kind of column");
    }

    #[test]
    fn targets_that_cannot_be_are_refused() {
        check(
            "[targets]\na = { column = 'a', positive = '>=x' }\n",
            "line 2, column 32",
            "does not say what is positive",
        );
        check(
            "[targets]\na = { colum = 'a', positive = '1' }\n",
            "line 2, column 7",
            "did you mean `column`?",
        );
        check("[targets]\na = { column = 'a' }\n", "line 2, column 5", "missing field `positive`");
        check("seed = 1\n", "line 1, column 1", "what is to be predicted?");
        let error = read_study(Path::new("none.toml")).expect_err("not there").to_string();
        assert!(
            error.contains("none.toml cannot be read") && error.contains("`init DATA` writes one"),
            "{error}"
        );
    }
}
