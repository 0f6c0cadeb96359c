//! Words that stand for several learners or designs: `all`, `all-tan`.
//!
//! `all` is the line-up of Viaene, Derrig, Baesens and Dedene (2002): the majority class and 26 operationalisations of seven
//! kinds of learners.

use crate::error::Error;
use crate::line_up::Entrant;
use crate::resampling::Design;

/// Who takes part unless somebody says otherwise: one quick learner of each kind, none of which has settings to be tuned
/// or work that grows faster than the rows.
pub const USUAL_LEARNERS: [&str; 7] = ["majority", "logit", "c45", "nb:5", "tan:5", "rdt", "boost"];

/// The line-up of 2002, in its order.
const ALL: [&str; 27] = [
    "majority",
    "logit",
    "c45",
    "c45:unpruned",
    "c45:curtailed",
    "knn:1",
    "knn:10",
    "knn:100",
    "knn:500",
    "mlp:1",
    "mlp:2",
    "mlp:3",
    "mlp:1,smoothed",
    "mlp:2,smoothed",
    "mlp:3,smoothed",
    "lssvm:linear",
    "lssvm:poly=2",
    "lssvm:poly=3",
    "lssvm:rbf",
    "nb",
    "nb:5",
    "nb:25",
    "nb:50",
    "tan",
    "tan:5",
    "tan:25",
    "tan:50",
];

/// The words for the families of the line-up.
const FAMILIES: [&str; 6] = ["all-c45", "all-knn", "all-mlp", "all-lssvm", "all-nb", "all-tan"];

/// What stands beside the main design when all designs are asked for.
const DESIGNS: [&str; 5] = ["holdout:2/3", "holdout:2/3x10", "cv:10x10", "loo", "bootstrap:200"];

/// The learners that a text names: one, or several by a word.
///
/// `all` are the 27 of Viaene et al. (2002); `all-c45`, `all-knn`, `all-mlp`, `all-lssvm`, `all-nb` and `all-tan` are those of
/// one family.
///
/// ```
/// use tribunal::learners_of;
///
/// assert_eq!(learners_of("all")?.len(), 27);
/// let names: Vec<String> = learners_of("all-tan")?.iter().map(ToString::to_string).collect();
/// assert_eq!(names, ["tan", "tan:5", "tan:25", "tan:50"]);
/// assert_eq!(learners_of("nb:7")?.len(), 1);
/// # Ok::<(), tribunal::Error>(())
/// ```
///
/// # Errors
/// The text is neither a learner nor such a word; the nearest is suggested.
pub fn learners_of(text: &str) -> Result<Vec<Entrant>, Error> {
    let text = text.trim();
    let family = text.strip_prefix("all-");
    match (text, family) {
        ("all", _) => ALL.iter().map(|learner| learner.parse()).collect(),
        (_, Some(family)) if FAMILIES.contains(&text) => {
            let members = ALL.iter().filter(|learner| learner.split(':').next() == Some(family));
            members.map(|learner| learner.parse()).collect()
        }
        (_, Some(_)) => Err(unknown_family(text)),
        _ => Ok(vec![text.parse()?]),
    }
}

fn unknown_family(text: &str) -> Error {
    // All words begin alike, so that only what follows says which was meant.
    let bare = |word: &'static str| word.strip_prefix("all-").unwrap_or(word);
    let near =
        tribunal_io::nearest(text.strip_prefix("all-").unwrap_or(text), FAMILIES.into_iter().map(bare));
    let near = near.map_or_else(String::new, |near| format!("; did you mean all-{near}?"));
    Error::usage(format!("there are no learners \"{text}\"{near} (there are: all, {})", FAMILIES.join(", ")))
}

/// The designs that a text names: one, or [`all_designs`] by the word `all`.
///
/// # Errors
/// The text is no design; the nearest is suggested.
pub fn designs_of(text: &str) -> Result<Vec<Design>, Error> {
    match text.trim() {
        "all" => Ok(all_designs()),
        text => Ok(vec![text.parse()?]),
    }
}

/// The designs that stand beside the main one when all are asked for: a holdout once and ten times, repeated
/// cross-validation, leave-one-out, and the bootstrap.
///
/// ```
/// let designs: Vec<String> = tribunal::all_designs().iter().map(ToString::to_string).collect();
/// assert_eq!(designs, ["holdout:2/3", "holdout:2/3x10", "cv:10x10", "loo", "bootstrap:200"]);
/// ```
pub fn all_designs() -> Vec<Design> {
    DESIGNS.iter().filter_map(|design| design.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        learners_of(text).expect(text).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn all_is_the_line_up_of_2002() {
        assert_eq!(names("all"), ALL);
        let families = FAMILIES.iter().map(|word| names(word).len());
        assert_eq!(families.collect::<Vec<_>>(), [3, 4, 6, 4, 4, 4]);
        let in_families: Vec<String> = FAMILIES.iter().flat_map(|word| names(word)).collect();
        assert_eq!(
            ["majority", "logit"].map(String::from).into_iter().chain(in_families).collect::<Vec<_>>(),
            ALL
        );
    }

    #[test]
    fn the_usual_learners_are_learners() {
        let usual: Vec<String> = USUAL_LEARNERS.iter().flat_map(|learner| names(learner)).collect();
        assert_eq!(usual, USUAL_LEARNERS);
    }

    #[test]
    fn every_design_is_one() {
        let texts: Vec<String> = all_designs().iter().map(ToString::to_string).collect();
        assert_eq!(texts, DESIGNS);
        assert_eq!(designs_of("all").expect("designs").len(), DESIGNS.len());
        assert_eq!(designs_of("cv:5").expect("a design").len(), 1);
    }

    #[test]
    fn unknown_words_name_the_nearest() {
        let check = |text: &str, says: &str| {
            let error = learners_of(text).expect_err(text).to_string();
            assert!(error.contains(says), "{error}");
        };
        check("all-tam", "there are no learners \"all-tam\"; did you mean all-tan?");
        check("all-lsvm", "did you mean all-lssvm?");
        check("all-xyz", "\"all-xyz\" (there are: all, all-c45,");
        check("majorty", "did you mean majority?");
        check("nb:many", "many");
        let error = designs_of("vc:10").expect_err("no design").to_string();
        assert!(error.contains("did you mean `cv:10`?"), "{error}");
    }
}
