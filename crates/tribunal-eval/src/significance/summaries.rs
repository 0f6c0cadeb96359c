//! Summaries of many comparisons: how often an algorithm or a family is among the best, and how crowded the top is.
//!
//! One top group for each scenario comes in; ratios come out, unreduced, since "10/10" and "1/1" do not say the same.
//! Reference: Viaene, Derrig, Baesens & Dedene (2002), "A comparison of state-of-the-art classification techniques for
//! expert automobile insurance claim fraud detection".

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::intervals::{Unusable, at_least};

/// A ratio that is not reduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ratio {
    /// How many are.
    pub numerator: usize,
    /// How many could be.
    pub denominator: usize,
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

/// An algorithm, its family, and whether it is a mere yardstick.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Contender {
    /// The algorithm.
    pub name: String,
    /// The family it belongs to, such as all operationalisations of naive Bayes.
    pub family: String,
    /// Whether it is there for comparison only, such as the majority class; it then counts for no crowd.
    pub trivial: bool,
}

/// The top groups of several scenarios.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TopGroups {
    contenders: Vec<Contender>,
    scenarios: Vec<Vec<usize>>,
}

impl TopGroups {
    /// The contenders and, for each scenario, those in its top group by position.
    ///
    /// **Undefined when** there is no contender or no scenario, or a position names no contender.
    pub fn new(contenders: Vec<Contender>, scenarios: Vec<Vec<usize>>) -> Result<Self, Unusable> {
        at_least("contenders", contenders.len(), 1)?;
        at_least("scenarios", scenarios.len(), 1)?;
        let needed = scenarios.iter().flatten().max().map_or(0, |last| last + 1);
        at_least("contenders", contenders.len(), needed)?;
        Ok(Self { contenders, scenarios })
    }

    fn in_scenarios(&self, is_member: impl Fn(usize) -> bool) -> Ratio {
        let with_member = self.scenarios.iter().filter(|top| top.iter().any(|index| is_member(*index)));
        Ratio { numerator: with_member.count(), denominator: self.scenarios.len() }
    }

    /// The families of contenders that are not trivial, in order of appearance.
    fn families(&self) -> Vec<&str> {
        let mut families: Vec<&str> = Vec::new();
        for contender in self.contenders.iter().filter(|contender| !contender.trivial) {
            if !families.contains(&contender.family.as_str()) {
                families.push(&contender.family);
            }
        }
        families
    }

    fn crowd(&self, top: &[usize]) -> Ratio {
        let counts = |index: &usize| !self.contenders[*index].trivial;
        let all = (0..self.contenders.len()).filter(counts).count();
        Ratio {
            numerator: (0..self.contenders.len()).filter(|i| top.contains(i) && counts(i)).count(),
            denominator: all,
        }
    }

    fn family_crowd(&self, top: &[usize], families: &[&str]) -> Ratio {
        let present = |family: &str| {
            let is_of =
                |index: &usize| !self.contenders[*index].trivial && self.contenders[*index].family == family;
            top.iter().any(is_of)
        };
        let numerator = families.iter().filter(|family| present(family)).count();
        Ratio { numerator, denominator: families.len() }
    }
}

/// The four summaries of a set of top groups.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Summaries {
    /// `R`: for each contender, in how many scenarios it is in the top group.
    pub r: Vec<Ratio>,
    /// `R^g`: for each family, in how many scenarios some member is in the top group.
    pub r_family: Vec<(String, Ratio)>,
    /// `C`: for each scenario, how many of the contenders are in the top group, trivial ones aside.
    pub c: Vec<Ratio>,
    /// `C^g`: for each scenario, how many of the families have a member in the top group.
    pub c_family: Vec<Ratio>,
}

/// The four summaries of a set of top groups.
///
/// **Definition** `R(algorithm)` and `R^g(family)` count scenarios, `C(scenario)` counts algorithms and `C^g(scenario)`
/// families; see the fields of [`Summaries`].
///
/// **Undefined when** never, once the [`TopGroups`] exist.
///
/// **Example**
/// ```
/// use tribunal_eval::significance::{Contender, TopGroups, summaries};
/// let contender = |name: &str, family: &str| Contender { name: name.into(), family: family.into(), trivial: false };
/// let contenders = vec![contender("a1", "A"), contender("a2", "A"), contender("b1", "B")];
/// let found = summaries(&TopGroups::new(contenders, vec![vec![0, 2], vec![2]])?);
/// assert_eq!(found.r[0].to_string(), "1/2");
/// assert_eq!(found.c[0].to_string(), "2/3");
/// # Ok::<(), tribunal_eval::intervals::Unusable>(())
/// ```
///
/// **Reference** Viaene, Derrig, Baesens & Dedene (2002).
pub fn summaries(groups: &TopGroups) -> Summaries {
    let families = groups.families();
    let of_family = |family: &str| {
        let is_member = |i: usize| !groups.contenders[i].trivial && groups.contenders[i].family == family;
        (family.to_string(), groups.in_scenarios(is_member))
    };
    Summaries {
        r: (0..groups.contenders.len()).map(|index| groups.in_scenarios(|member| member == index)).collect(),
        r_family: families.iter().map(|family| of_family(family)).collect(),
        c: groups.scenarios.iter().map(|top| groups.crowd(top)).collect(),
        c_family: groups.scenarios.iter().map(|top| groups.family_crowd(top, &families)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contender(name: &str, family: &str, trivial: bool) -> Contender {
        Contender { name: name.into(), family: family.into(), trivial }
    }

    fn printed(ratios: &[Ratio]) -> String {
        ratios.iter().map(Ratio::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_worked_membership() {
        let contenders =
            vec![contender("a1", "A", false), contender("a2", "A", false), contender("b1", "B", false)];
        let groups = TopGroups::new(contenders, vec![vec![0, 2], vec![1, 2], vec![0, 2], vec![2]]);
        let found = summaries(&groups.expect("members that exist"));
        assert_eq!(printed(&found.r), "2/4 1/4 4/4");
        assert_eq!(
            found.r_family.iter().map(|(name, r)| format!("{name} {r}")).collect::<Vec<_>>(),
            ["A 3/4", "B 4/4"]
        );
        assert_eq!(printed(&found.c), "2/3 2/3 2/3 1/3");
        assert_eq!(printed(&found.c_family), "2/2 2/2 2/2 1/2");
    }

    #[test]
    fn a_trivial_contender_counts_for_no_crowd() {
        let contenders = vec![contender("a", "A", false), contender("majority", "M", true)];
        let found = summaries(&TopGroups::new(contenders, vec![vec![0, 1]]).expect("members that exist"));
        assert_eq!((printed(&found.c), printed(&found.c_family)), ("1/1".to_string(), "1/1".to_string()));
        assert_eq!(printed(&found.r), "1/1 1/1");
    }

    #[test]
    fn members_that_do_not_exist_are_refused() {
        assert!(TopGroups::new(vec![contender("a", "A", false)], vec![vec![1]]).is_err());
        assert!(TopGroups::new(vec![contender("a", "A", false)], vec![]).is_err());
    }
}
