//! How rows are divided, as text: what `--design` takes and what a plan shows.

use std::fmt;
use std::str::FromStr;

use super::assignment::{Assigned, Scheme};
use super::bootstrap::Bootstrap;
use super::cv::Cv;
use super::folds::Folds;
use super::group::Group;
use super::holdout::Holdout;
use super::label_column::LabelColumn;
use super::loo::Loo;
use super::rows::Rows;
use super::three_way::ThreeWay;
use super::time::Time;
use super::{DESIGNS, bootstrap, cv, folds, group, holdout, loo, three_way, time};
use crate::error::{Error, ErrorKind};

/// How rows are divided.
///
/// ```
/// use tribunal::resampling::Design;
///
/// let design: Design = "cv:10x5".parse()?;
/// assert_eq!(design.to_string(), "cv:10x5");
/// let error = "vc:10".parse::<Design>().unwrap_err();
/// assert!(error.to_string().contains("did you mean `cv:10`?"));
/// # Ok::<(), tribunal::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Design {
    /// Cross-validation.
    Cv(Cv),
    /// A holdout.
    Holdout(Holdout),
    /// Three parts.
    ThreeWay(ThreeWay),
    /// Leave-one-out.
    Loo(Loo),
    /// Bootstrap replicates.
    Bootstrap(Bootstrap),
    /// Folds from a column.
    Folds(Folds),
    /// Folds that keep groups together.
    Group(Group),
    /// Past and future.
    Time(Time),
}

/// An entry of the registry: how a design is written and what it does.
#[derive(Debug)]
pub struct DesignForm {
    /// The word that it begins with.
    pub name: &'static str,
    /// How it is written.
    pub form: &'static str,
    /// What it does.
    pub definition: &'static str,
    /// Who described it.
    pub reference: &'static str,
    /// Texts that are designs of this form.
    pub examples: &'static [&'static str],
    pub(super) parse: fn(&str) -> Result<Design, Error>,
}

/// More splits are a slip of the pen: each has a model of every learner.
const MOST_SPLITS: u64 = 100_000;
/// What a repetition takes beside its rows.
const REPETITION_BYTES: u64 = 24;

impl Design {
    /// Its entry in the registry.
    pub fn form(&self) -> &'static DesignForm {
        match self {
            Self::Cv(_) => &cv::FORM,
            Self::Holdout(_) => &holdout::FORM,
            Self::ThreeWay(_) => &three_way::FORM,
            Self::Loo(_) => &loo::FORM,
            Self::Bootstrap(_) => &bootstrap::FORM,
            Self::Folds(_) => &folds::FORM,
            Self::Group(_) => &group::FORM,
            Self::Time(_) => &time::FORM,
        }
    }

    /// The column of folds or times that it needs.
    pub fn column(&self) -> Option<&str> {
        match self {
            Self::Folds(folds) => Some(&folds.column),
            Self::Time(time) => Some(&time.column),
            _ => None,
        }
    }

    /// The column of groups that it needs.
    pub fn group_column(&self) -> Option<&str> {
        match self {
            Self::Group(group) => Some(&group.column),
            _ => None,
        }
    }

    /// The design that keeps the groups of a column together: folds are made of groups; folds from a column stay as they
    /// are and are checked.
    ///
    /// # Errors
    /// The design cannot keep groups together ([`ErrorKind::BadDesign`]).
    pub fn grouped_by(self, column: &str) -> Result<Self, Error> {
        match self {
            Self::Cv(Cv { n_folds, n_repetitions: None, .. }) => {
                Ok(Self::Group(Group { n_folds, column: column.to_owned() }))
            }
            Self::Group(group) if group.column == column => Ok(Self::Group(group)),
            Self::Folds(folds) => Ok(Self::Folds(folds)),
            other => Err(wrong(format!(
                "`{other}` cannot keep the groups of column \"{column}\" together; cv:K and folds:COLUMN can"
            ))),
        }
    }

    /// Checks the column of folds or times as far as that needs no plan, so that a flaw is told with its row in the table.
    pub(crate) fn check_column(&self, column: &LabelColumn) -> Result<(), Error> {
        match self {
            Self::Time(time) if time.column == column.name() => time.check(column),
            _ => Ok(()),
        }
    }

    /// Refuses more splits than anybody can train models for.
    ///
    /// # Errors
    /// There are more than a hundred thousand ([`ErrorKind::BadDesign`]).
    pub(crate) fn check_splits(&self) -> Result<(), Error> {
        let (each, times) = match self {
            Self::Cv(Cv { n_folds, n_repetitions, .. }) => (*n_folds, n_repetitions.unwrap_or(1)),
            Self::Holdout(Holdout { n_repetitions, .. }) => (1, n_repetitions.unwrap_or(1)),
            Self::Bootstrap(bootstrap) => (1, bootstrap.n_replicates),
            _ => return Ok(()),
        };
        let n_splits = u64::from(each) * u64::from(times);
        if n_splits <= MOST_SPLITS {
            return Ok(());
        }
        let advice = match (self, MOST_SPLITS / u64::from(each)) {
            (_, 0) => "take fewer folds, as cv:10".to_owned(),
            (Self::Cv(_), 1) => format!("leave the repetitions out: cv:{each}"),
            (Self::Cv(_), most) => format!("repeat it at most {most} times: cv:{each}x{most}"),
            (_, most) => format!("take at most {most}"),
        };
        Err(wrong(format!(
            "`{self}` has {n_splits} splits, each with a model of every learner, and {MOST_SPLITS} are the most; {advice}"
        )))
    }

    pub(super) fn assign(&self, rows: &Rows<'_>, seed: u64) -> Result<Assigned, Error> {
        rows.check()?;
        self.check_memory(rows.n_rows())?;
        self.scheme().assign(rows, seed)
    }

    /// Whether the folds or parts of all repetitions fit in memory, at a byte a row or a seed a replicate.
    fn check_memory(&self, n_rows: usize) -> Result<(), Error> {
        let (n, bytes_each) = match self {
            Self::Cv(Cv { n_repetitions, .. }) | Self::Holdout(Holdout { n_repetitions, .. }) => {
                (n_repetitions.unwrap_or(1), n_rows as u64 + REPETITION_BYTES)
            }
            // What is kept is a seed, but whatever is made of a replicate takes its rows.
            Self::Bootstrap(bootstrap) => (bootstrap.n_replicates, 8 * n_rows as u64 + REPETITION_BYTES),
            _ => return Ok(()),
        };
        let shortage =
            |shortage| wrong(format!("`{self}` of {n_rows} rows: {shortage}; repeat it less often"));
        tribunal_memory::require(u64::from(n).saturating_mul(bytes_each)).map_err(shortage)
    }

    fn scheme(&self) -> &dyn Scheme {
        match self {
            Self::Cv(scheme) => scheme,
            Self::Holdout(scheme) => scheme,
            Self::ThreeWay(scheme) => scheme,
            Self::Loo(scheme) => scheme,
            Self::Bootstrap(scheme) => scheme,
            Self::Folds(scheme) => scheme,
            Self::Group(scheme) => scheme,
            Self::Time(scheme) => scheme,
        }
    }
}

impl fmt::Display for Design {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.scheme().fmt(f)
    }
}

impl FromStr for Design {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let form = DESIGNS.iter().find(|form| form.name == name).ok_or_else(|| unknown(text, name))?;
        (form.parse)(rest)
    }
}

fn unknown(text: &str, name: &str) -> Error {
    let known = DESIGNS.iter().map(|form| form.name);
    let near = tribunal_io::nearest(name, known.clone())
        .or_else(|| known.clone().find(|known| is_anagram(known, name)));
    let hint = near.map_or_else(
        || ".".to_owned(),
        |near| format!("; did you mean `{near}{}`?", text.strip_prefix(name).unwrap_or_default()),
    );
    wrong(format!("`{text}` is no design{hint} The forms are {}", forms()))
}

/// Short names with letters exchanged are not near by the share of their letters.
fn is_anagram(a: &str, b: &str) -> bool {
    let sorted = |text: &str| {
        let mut letters: Vec<char> = text.to_lowercase().chars().collect();
        letters.sort_unstable();
        letters
    };
    sorted(a) == sorted(b)
}

fn forms() -> String {
    DESIGNS.iter().map(|form| form.form).collect::<Vec<_>>().join(", ")
}

fn wrong(words: String) -> Error {
    Error::new(ErrorKind::BadDesign, words)
}

/// A text without the word `plain` at its end, and whether it was there.
pub(super) fn split_plain(text: &str) -> (&str, bool) {
    match text.strip_suffix("plain") {
        Some("") => ("", true),
        Some(rest) if rest.ends_with(':') => (&rest[..rest.len() - 1], true),
        _ => (text, false),
    }
}

/// What stands before `xR`, and R.
pub(super) fn repetitions_after(text: &str) -> Result<(&str, Option<u32>), Error> {
    match text.split_once('x') {
        None => Ok((text, None)),
        Some((before, n)) => match counted(n, "repetitions")? {
            0 => Err(wrong("no repetition leaves nothing to do; take one or more".into())),
            n => Ok((before, Some(n))),
        },
    }
}

/// A whole number in a design.
pub(super) fn counted(text: &str, what: &str) -> Result<u32, Error> {
    text.parse().map_err(|_| wrong(format!("`{text}` is no number of {what}; the forms are {}", forms())))
}

/// A name in a design.
pub(super) fn named(text: &str, what: &str, form: &str) -> Result<String, Error> {
    if text.is_empty() {
        Err(wrong(format!("no {what} is named; write {form}")))
    } else {
        Ok(text.to_owned())
    }
}

/// Nothing may follow a design without settings.
pub(super) fn no_more(text: &str, form: &str) -> Result<(), Error> {
    if text.is_empty() {
        Ok(())
    } else {
        Err(wrong(format!("`{form}` has no settings, so `:{text}` means nothing")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_of_the_registry_is_shown_as_it_was_written() {
        for form in DESIGNS {
            for example in form.examples {
                let design: Design = example.parse().expect(example);
                assert_eq!(design.form().name, form.name);
                assert_eq!(design.to_string().parse(), Ok(design.clone()), "{example}");
                assert!(design.to_string().starts_with(example), "{example} is shown as {design}");
            }
        }
    }

    #[test]
    fn defaults_are_spelled_out() {
        let check =
            |text: &str, shown: &str| assert_eq!(text.parse::<Design>().expect(text).to_string(), shown);
        check("cv", "cv:10");
        check("holdout", "holdout:2/3");
        check("holdout:plain", "holdout:2/3:plain");
        check("three-way", "three-way:1/2,1/4");
        check("bootstrap", "bootstrap:200");
        check("time:a b:10:30", "time:a b:10:30");
        check("time:t:1/2/2024 10:30:mdy", "time:t:1/2/2024 10:30:mdy");
    }

    #[test]
    fn bad_texts_say_what_would_be_right() {
        let check = |text: &str, says: &[&str]| {
            let error = text.parse::<Design>().expect_err(text).to_string();
            says.iter().for_each(|words| assert!(error.contains(words), "{error:?} does not say {words:?}"));
        };
        check(
            "vc:10",
            &["`vc:10` is no design; did you mean `cv:10`? The forms are cv:K[xR][:plain], holdout"],
        );
        check("hold-out:0.7", &["did you mean `holdout:0.7`?"]);
        check("jackknife", &["`jackknife` is no design. The forms are"]);
        check("cv:ten", &["`ten` is no number of folds", "cv:K[xR][:plain]"]);
        check("cv:1", &["two or more"]);
        check("cv:10x0", &["take one or more"]);
        check("cv:10:stratified", &["`10:stratified` is no number of folds"]);
        check("holdout:2", &["between 0 and 1"]);
        check("three-way:0.5", &["TRAIN,VALIDATION"]);
        check("loo:3", &["no settings"]);
        check("bootstrap:10", &["50 at least"]);
        check("folds", &["folds:COLUMN"]);
        check("group:10", &["group:K:COLUMN"]);
        check("time:month", &["time:COLUMN:CUT"]);
        check("time:month::dmy", &["time:COLUMN:CUT"]);
    }

    #[test]
    fn only_folds_can_be_made_of_groups() {
        let grouped = |text: &str| {
            text.parse::<Design>().expect(text).grouped_by("zip").map(|design| design.to_string())
        };
        assert_eq!(grouped("cv:5"), Ok("group:5:zip".into()));
        assert_eq!(grouped("folds:f"), Ok("folds:f".into()));
        assert_eq!(grouped("group:3:zip"), Ok("group:3:zip".into()));
        for text in ["cv:5x2", "loo", "holdout", "group:3:other"] {
            assert!(grouped(text).is_err(), "{text}");
        }
    }
}
