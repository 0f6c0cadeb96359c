//! The report `docs/coverage.md`: what was simulated and what came out.

use std::fmt::Write as _;

use crate::figures::Limit;
use crate::summary::{Summary, worst};
use crate::tally::Tally;

/// Coverage of intervals of other packages; written by `tests/reference/coverage_peers.py`.
const PEERS: &str = include_str!("peers.md");

const HEAD: &str = "\
# Coverage of the 95 % intervals

How often the default interval of each figure holds the value in the population, by simulation. `make coverage` runs the
simulation, checks its results against the floors in `crates/tribunal-eval/tests/coverage/figures.rs` and writes this file.

## What was simulated

A design is a number of rows, a base rate and a law of the scores. Samples are random samples of cases: the class of each case
is drawn, so the number of positives varies. Samples with fewer than two cases of a class are drawn again. Latent scores are
standard normal among negatives and normal among positives, with the mean that gives the AUROC of the design.

| scores | what they are |
| --- | --- |
| calibrated | the probabilities that follow from the two normal laws |
| too extreme | log-odds twice as far from those of the base rate |
| saturated | calibrated, but exactly 0 below .05 and exactly 1 above .95 |
| ten levels | the latent score rounded to ten values |
| unequal variances | positives have a standard deviation of 1.5 |
| weighted | rows weigh 1, 2 or 3 at random, which changes no value of the population |
| fixed base rate | every sample has the same number of positives, and intervals are asked for that (`--fixed-base-rate`) |
| bank marketing, caravan policies, car claims, donors | what logistic regression and naive Bayes said out of fold of 3,000 rows of public data sets, drawn with replacement; naive Bayes is far too sure of itself |

The truth is the value in the population, an integral over the law of the scores. For the top of a list it is the value at the
same share of the population, for KS the largest distance in the population, and for a cut-off that was chosen on the sample the
value that new cases give at that very cut-off. A given score lies at about the median of the positives. Differences are those of
the model and a poorer one on the same rows; their latent scores have a correlation of .6 within a class.

The *lower tail* is the share of the samples in which the truth lies below the lower end of the interval, the *upper tail* that in
which it lies above the upper end. Samples without an interval, for example of the precision where no case is flagged, count
neither way; their share is shown.

The *relative width* is that of the default interval over the narrowest of the methods tried that hold in 93 % of the samples of
the design: the default, the Wald interval (estimate and normal quantiles of its standard error by the influence function) and the
same on the logit scale for figures between 0 and 1, on the log scale for others; of differences the normal interval. Where it is
above 1 the default is wider than it needs to be there; where no method holds there is none. Each coverage rests on 300 (10,000 rows and more) to 2,000 samples, so its standard error is .013 to .005.
";

/// The whole file.
pub(crate) fn report(summaries: &[Summary<'_>], others: &[OtherTable]) -> String {
    let details: String = summaries.iter().map(details).collect();
    let others = others.iter().map(OtherTable::to_string).collect::<Vec<String>>().join("\n");
    format!(
        "{HEAD}\n{}\n{}\n{others}\n{PEERS}\n## Every figure in every design\n\nWidths are means over the samples.\n{details}",
        overview(summaries),
        limits(summaries)
    )
}

/// A share without its leading zero.
pub(crate) fn share(value: f64) -> String {
    let text = format!("{value:.3}");
    text.strip_prefix('0').map_or(text.clone(), str::to_owned)
}

/// One line a figure.
pub(crate) fn overview(summaries: &[Summary<'_>]) -> String {
    let mut text = "\
## One line a figure

Designs that a known limit concerns are left out here and follow below. Tails are means over the designs.

| figure | designs | least coverage | mean coverage | lower tail | upper tail | relative width | worst design |
| --- | --- | --- | --- | --- | --- | --- | --- |
"
    .to_owned();
    for summary in summaries {
        let Some(least) = worst(&summary.usual) else { continue };
        let means = [Tally::coverage, Tally::lower_tail, Tally::upper_tail].map(|of| share(summary.mean(of)));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {:.2} | {} |",
            summary.figure.name(),
            summary.usual.len(),
            share(least.coverage()),
            means.join(" | "),
            summary.relative_width(),
            least.design.name()
        );
    }
    text
}

/// One line a known limit, and what causes them.
pub(crate) fn limits(summaries: &[Summary<'_>]) -> String {
    let mut text = "\
## Known limits

| figure | designs | least coverage | largest coverage | lower tail | upper tail | worst design |
| --- | --- | --- | --- | --- | --- | --- |
"
    .to_owned();
    for summary in summaries {
        let Some(least) = worst(&summary.limited) else { continue };
        let most = summary.limited.iter().map(|tally| tally.coverage()).fold(0.0, f64::max);
        let shares = [least.coverage(), most, least.lower_tail(), least.upper_tail()].map(share);
        let (name, n_designs) = (summary.figure.name(), summary.limited.len());
        let _ = writeln!(text, "| {name} | {n_designs} | {} | {} |", shares.join(" | "), least.design.name());
    }
    text + "\nTails are those of the worst design.\n\n" + &causes(summaries)
}

/// One line a cause of limits.
fn causes(summaries: &[Summary<'_>]) -> String {
    let mut text = String::new();
    let mut told: Vec<Limit> = vec![];
    for limit in summaries.iter().filter_map(|summary| summary.figure.limit) {
        let is_same = |other: &Limit| (other.designs, other.why) == (limit.designs, limit.why);
        if told.iter().any(is_same) {
            continue;
        }
        told.push(limit);
        let concerned = summaries.iter().filter(|summary| summary.figure.limit.as_ref().is_some_and(is_same));
        let names: Vec<String> = concerned.map(|summary| summary.figure.name()).collect();
        let _ = writeln!(text, "- {}; {}: {}.", names.join(", "), limit.designs.designs(), limit.why);
    }
    text
}

/// One line a design.
fn details(summary: &Summary<'_>) -> String {
    let mut text = format!(
        "\n### {}\n\n| rows | base rate | scores | coverage | lower tail | upper tail | width | relative width | narrowest that holds | no interval |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
        summary.figure.name()
    );
    for tally in summary.usual.iter().chain(&summary.limited) {
        let shares = [tally.coverage(), tally.lower_tail(), tally.upper_tail()].map(share);
        let without = if tally.without() > 0.0 { share(tally.without()) } else { String::new() };
        let narrowest = match tally.narrowest() {
            Some(narrowest) => format!("{:.2} | {}", narrowest.relative_width, narrowest.method),
            None => "| none".to_owned(),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {:.4} | {narrowest} | {without} |",
            tally.design.n_rows,
            tally.design.base_rate_name(),
            tally.design.scores_name(),
            shares.join(" | "),
            tally.mean_width()
        );
    }
    text
}

/// Figures that are simulated in a way of their own.
pub(crate) struct OtherTable {
    pub(crate) heading: &'static str,
    pub(crate) explanation: &'static str,
    pub(crate) header: &'static [&'static str],
    pub(crate) rows: Vec<Vec<String>>,
}

impl std::fmt::Display for OtherTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "## {}\n\n{}\n", self.heading, self.explanation)?;
        writeln!(f, "| {} |", self.header.join(" | "))?;
        writeln!(f, "| {} |", vec!["---"; self.header.len()].join(" | "))?;
        self.rows.iter().try_for_each(|row| writeln!(f, "| {} |", row.join(" | ")))
    }
}
