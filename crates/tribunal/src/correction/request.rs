//! What is asked of a correction.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tribunal_eval::correction::{BetaVariant, Rounding, SubstitutionDraw};
use tribunal_eval::intervals::Level;
use tribunal_eval::kmeans::ChooseClusters;

use crate::error::Error;
use crate::message::{Message, Setting};

/// A way to correct a sample, or all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CorrectionMethod {
    /// Strata gain rows or lose some.
    Mixed,
    /// No stratum loses rows.
    Over,
    /// A sample of the population whose rows are replaced by actioned ones.
    Substitution,
    /// Post-stratification weights.
    #[serde(rename = "poststratify")]
    PostStratify,
    /// Inverse-probability weights from a selection model, and doubly robust estimates.
    Ipw,
    /// All of them; the sample and the answer are those of post-stratification.
    #[default]
    All,
}

impl CorrectionMethod {
    /// All names.
    pub const NAMES: [(&'static str, Self); 6] = [
        ("mixed", Self::Mixed),
        ("over", Self::Over),
        ("substitution", Self::Substitution),
        ("poststratify", Self::PostStratify),
        ("ipw", Self::Ipw),
        ("all", Self::All),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, method)| *method == self).map_or("", |(name, _)| name)
    }

    /// The methods that it stands for, in the order of tables.
    pub fn methods(self) -> Vec<Self> {
        match self {
            Self::All => vec![Self::Mixed, Self::Over, Self::Substitution, Self::PostStratify, Self::Ipw],
            one => vec![one],
        }
    }

    /// The one whose sample and answer are shown first.
    pub fn primary(self) -> Self {
        if self == Self::All { Self::PostStratify } else { self }
    }

    /// Whether rows are repeated or left out, and not weighted.
    pub fn is_resampling(self) -> bool {
        matches!(self, Self::Mixed | Self::Over | Self::Substitution)
    }
}

impl fmt::Display for CorrectionMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for CorrectionMethod {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        one_of(text, "method of correction", &Self::NAMES)
    }
}

/// The value of a name, or which names there are.
fn one_of<T: Copy>(text: &str, what: &str, names: &[(&'static str, T)]) -> Result<T, String> {
    if let Some((_, found)) = names.iter().find(|(name, _)| *name == text) {
        return Ok(*found);
    }
    let all = || names.iter().map(|(name, _)| *name);
    let near = tribunal_io::nearest(text, all())
        .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    Err(format!("`{text}` is no {what}{near} (choose {})", all().collect::<Vec<_>>().join(", ")))
}

/// What is done about strata of the population in which next to nobody was acted on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum EmptyStrata {
    /// One without actioned rows, or with a single one, is merged with the nearest that has some.
    #[default]
    Merge,
    /// One without actioned rows is left out: figures then speak of the rest of the population.
    Drop,
    /// One without actioned rows is an error.
    Error,
}

impl FromStr for EmptyStrata {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        one_of(
            text,
            "treatment of empty strata",
            &[("merge", Self::Merge), ("drop", Self::Drop), ("error", Self::Error)],
        )
    }
}

/// How numbers are cut into bands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum BandsRequest {
    /// So many, by the quantiles of the population.
    Count(usize),
    /// At these edges.
    Edges(Vec<f64>),
}

impl FromStr for BandsRequest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}` are no bands: write how many (10), or their edges (0.2,0.5,0.8; of a single one 0.5,)"
            )
        };
        let numbers =
            || text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::parse::<f64>);
        match text.contains(',') || text.contains('.') || text.contains('-') {
            true => {
                let edges = numbers().collect::<Result<Vec<f64>, _>>().map_err(|_| wrong())?;
                let rises = edges.windows(2).all(|pair| pair[0] < pair[1]);
                let is_fit = !edges.is_empty() && rises && edges.iter().all(|edge| edge.is_finite());
                if is_fit { Ok(Self::Edges(edges)) } else { Err(wrong()) }
            }
            false => match text.trim().parse() {
                Ok(n @ 1..=1000) => Ok(Self::Count(n)),
                _ => Err(wrong()),
            },
        }
    }
}

/// How many clusters are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClustersRequest {
    /// The smallest number that is tried.
    pub from: usize,
    /// The largest.
    pub to: usize,
}

/// More clusters than this are no strata.
const MOST_CLUSTERS: usize = 1000;

impl FromStr for ClustersRequest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}` is no number of clusters: write one (7), a range to choose from (2-12), or auto"
            )
        };
        if text == "auto" {
            return Ok(Self { from: 2, to: 12 });
        }
        let (from, to) = text.split_once('-').unwrap_or((text, text));
        let number = |part: &str| part.trim().parse::<usize>().map_err(|_| wrong());
        let (from, to) = (number(from)?, number(to)?);
        if (1..=to).contains(&from) && to <= MOST_CLUSTERS { Ok(Self { from, to }) } else { Err(wrong()) }
    }
}

/// The columns of the incidence that say what became of its cases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OutcomeColumns {
    /// What each case was.
    pub truth: String,
    /// The label that counts as positive; every other is negative.
    pub positive: String,
    /// The scores of a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
}

/// Everything that is asked of a correction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CorrectRequest {
    /// The columns that make the strata.
    pub strata: Vec<String>,
    /// How numbers among them are cut into bands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bands: Option<BandsRequest>,
    /// How many clusters they make, where they are to be clustered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clusters: Option<ClustersRequest>,
    /// What a number of clusters is chosen by.
    pub choose: ChooseClusters,
    /// How the sample is corrected.
    pub method: CorrectionMethod,
    /// Which beta is meant by the smallest, in over-resampling.
    pub beta: BetaVariant,
    /// How numbers of rows become whole, in mixed resampling.
    pub rounding: Rounding,
    /// How actioned rows are drawn, in substitution sampling.
    pub draw: SubstitutionDraw,
    /// Rows of the population that are substituted; as many as there are actioned rows unless told otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// What is done about strata without actioned rows.
    pub empty: EmptyStrata,
    /// Rows of the whole population, where the prevalence data are a part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_prevalence: Option<f64>,
    /// What became of the actioned cases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<OutcomeColumns>,
    /// Cases that score at least this are predicted positive; unless told otherwise 0.5 of probabilities, 0 of scores on both sides of
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cutoff: Option<f64>,
    /// Level of the intervals.
    pub level: Level,
    /// Seed of the draws.
    pub seed: u64,
}

impl CorrectRequest {
    /// Strata by these columns, every method, and no outcome.
    pub fn new<S: Into<String>>(strata: impl IntoIterator<Item = S>) -> Self {
        Self {
            strata: strata.into_iter().map(Into::into).collect(),
            bands: None,
            clusters: None,
            choose: ChooseClusters::default(),
            method: CorrectionMethod::default(),
            beta: BetaVariant::default(),
            rounding: Rounding::default(),
            draw: SubstitutionDraw::default(),
            size: None,
            empty: EmptyStrata::default(),
            total_prevalence: None,
            outcome: None,
            cutoff: None,
            level: Level::P95,
            seed: 1,
        }
    }

    /// What cannot be right whatever the data are.
    pub(super) fn check(&self) -> Result<(), Error> {
        if self.strata.is_empty() {
            let message = Message::from("no column makes strata; add ");
            return Err(Error::usage(message.set(Setting::Strata, "COLUMN")));
        }
        for (place, column) in self.strata.iter().enumerate() {
            if self.strata[..place].contains(column) {
                let message = Message::default().set(Setting::Strata, column.as_str());
                return Err(Error::usage(message.text(": the column is named twice")));
            }
        }
        if let Some(outcome) = self.outcome.as_ref().filter(|outcome| self.strata.contains(&outcome.truth)) {
            let message = Message::default().set(Setting::Strata, outcome.truth.as_str());
            return Err(Error::usage(
                message.text(": this is the truth, which nobody knows of the population; name a column that both files have"),
            ));
        }
        if self.bands.is_some() && self.clusters.is_some() {
            let message = Message::from("strata are bands or clusters: leave out ").setting(Setting::Bands);
            return Err(Error::usage(message.text(" or ").setting(Setting::Clusters)));
        }
        if self.total_prevalence.is_some_and(|total| !(total > 0.0 && total.is_finite())) {
            return Err(Error::usage("the total of the population must be a number above 0"));
        }
        if self.cutoff.is_some_and(|cutoff| !cutoff.is_finite()) {
            return Err(Error::usage("the cut-off must be a finite score"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_are_a_number_or_edges() {
        assert_eq!("10".parse(), Ok(BandsRequest::Count(10)));
        assert_eq!("0.2,0.5".parse(), Ok(BandsRequest::Edges(vec![0.2, 0.5])));
        assert_eq!("5,".parse(), Ok(BandsRequest::Edges(vec![5.0])));
        assert_eq!("0.5".parse(), Ok(BandsRequest::Edges(vec![0.5])));
        for wrong in ["0", "1001", "0.5,0.2", "a", ",", "-", "nan,1"] {
            assert!(wrong.parse::<BandsRequest>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn clusters_are_a_number_or_a_range() {
        assert_eq!("7".parse(), Ok(ClustersRequest { from: 7, to: 7 }));
        assert_eq!("2-9".parse(), Ok(ClustersRequest { from: 2, to: 9 }));
        assert!("auto".parse::<ClustersRequest>().is_ok());
        for wrong in ["0", "9-2", "x", "2-", "5000"] {
            assert!(wrong.parse::<ClustersRequest>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn impossible_requests_are_refused() {
        let check = |change: fn(&mut CorrectRequest), expected: &str| {
            let mut request = CorrectRequest::new(["band"]);
            change(&mut request);
            let error = request.check().expect_err("impossible").to_string();
            assert!(error.contains(expected), "{error}");
        };
        check(|request| request.strata.clear(), "`strata = COLUMN`");
        check(|request| request.strata.push("band".into()), "named twice");
        check(|request| request.total_prevalence = Some(0.0), "above 0");
        check(|request| request.cutoff = Some(f64::NAN), "finite");
        check(
            |request| {
                request.bands = Some(BandsRequest::Count(3));
                request.clusters = Some(ClustersRequest { from: 2, to: 3 });
            },
            "bands or clusters",
        );
        let truth = |request: &mut CorrectRequest| {
            let (truth, positive) = ("band".into(), "1".into());
            request.outcome = Some(OutcomeColumns { truth, positive, score: None });
        };
        check(truth, "this is the truth");
        assert_eq!("poststratfy".parse::<CorrectionMethod>(), Err(
            "`poststratfy` is no method of correction; did you mean `poststratify`? (choose mixed, over, substitution, \
             poststratify, ipw, all)".into()
        ));
    }
}
