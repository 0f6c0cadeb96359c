//! A selection as tidy rows: what part of the results a row belongs to stands first.

use tribunal::selection::Selection;

use crate::csv_rows::{number, shown, written};

const HEADER: [&str; 14] = [
    "part", "method", "learner", "versus", "metric", "kind", "rank", "value", "lower", "upper", "level",
    "se", "n", "remark",
];

/// A row; what it says nothing of stays empty.
#[derive(Default)]
struct Row<'a> {
    part: &'a str,
    method: &'a str,
    learner: &'a str,
    versus: &'a str,
    metric: &'a str,
    kind: String,
    rank: Option<u64>,
    value: Option<f64>,
    lower: Option<f64>,
    upper: Option<f64>,
    level: Option<f64>,
    se: Option<f64>,
    n: Option<u64>,
    remark: &'a str,
}

impl Row<'_> {
    fn cells(self) -> [String; 14] {
        [
            self.part.to_owned(),
            self.method.to_owned(),
            self.learner.to_owned(),
            self.versus.to_owned(),
            self.metric.to_owned(),
            self.kind,
            shown(&self.rank),
            number(self.value),
            number(self.lower),
            number(self.upper),
            number(self.level),
            number(self.se),
            shown(&self.n),
            self.remark.to_owned(),
        ]
    }
}

/// Every figure of a selection, a row each.
pub(crate) fn csv(selection: &Selection) -> Result<String, csv::Error> {
    let metric = selection.metric.to_string();
    let rows = answers(selection)
        .chain(orders(selection))
        .chain(pairs(selection))
        .chain(expected(selection))
        .chain(shift(selection))
        .chain(audit(selection, &metric))
        .chain(labels(selection))
        .chain(check(selection, &metric));
    written(HEADER, rows.map(Row::cells))
}

fn answers(selection: &Selection) -> impl Iterator<Item = Row<'_>> {
    let recommended = selection.recommended.iter().map(|found| Row {
        part: "recommended",
        method: &found.method,
        learner: &found.learner,
        ..Row::default()
    });
    let committee = selection.committee.iter().flat_map(|committee| {
        committee.learners.iter().zip(&committee.weights).map(|(learner, weight)| Row {
            part: "committee",
            learner,
            value: Some(*weight),
            ..Row::default()
        })
    });
    recommended.chain(committee)
}

fn orders(selection: &Selection) -> impl Iterator<Item = Row<'_>> {
    let orders = selection.orders.iter().map(|row| Row {
        part: "order",
        method: &row.method,
        learner: &row.learner,
        rank: Some(row.rank),
        value: Some(row.score),
        ..Row::default()
    });
    let not_applicable = selection.methods.iter().filter_map(|method| {
        let remark = method.not_applicable.as_deref()?;
        Some(Row { part: "not_applicable", method: &method.method, remark, ..Row::default() })
    });
    let agreement = selection.agreement.iter().map(|pair| Row {
        part: "agreement",
        method: &pair.a,
        versus: &pair.b,
        value: pair.kendall_tau,
        remark: if pair.same_choice { "same choice" } else { "" },
        ..Row::default()
    });
    orders.chain(not_applicable).chain(agreement)
}

fn pairs(selection: &Selection) -> impl Iterator<Item = Row<'_>> {
    let pairs = selection.pairs.iter().map(|pair| Row {
        part: "pair",
        method: "reverse_testing",
        learner: &pair.a,
        versus: &pair.b,
        remark: pair.winner.as_deref().unwrap_or("??"),
        ..Row::default()
    });
    let evidence = selection.reverse_testing.iter().flat_map(|found| {
        found.evidence.iter().map(|row| Row {
            part: "reverse_model",
            learner: &row.learner,
            versus: &row.labeller,
            value: row.value,
            ..Row::default()
        })
    });
    pairs.chain(evidence)
}

fn expected(selection: &Selection) -> impl Iterator<Item = Row<'_>> {
    selection.expected.iter().map(|row| Row {
        part: "expected",
        method: &row.method,
        learner: &row.learner,
        metric: &row.metric,
        value: row.estimate,
        lower: row.lower,
        upper: row.upper,
        level: row.level,
        remark: row.undefined.as_deref().unwrap_or_default(),
        ..Row::default()
    })
}

fn shift(selection: &Selection) -> impl Iterator<Item = Row<'_>> {
    let domain = selection.shift.domain_auroc.iter().map(|domain| Row {
        part: "shift",
        metric: "domain_auroc",
        value: Some(domain.estimate),
        lower: Some(domain.lower),
        upper: Some(domain.upper),
        level: Some(domain.level),
        ..Row::default()
    });
    let columns = selection.shift.diagnosis.columns.iter().map(|column| Row {
        part: "shift_column",
        versus: &column.column,
        metric: "psi",
        value: Some(column.psi),
        remark: if column.is_shown { "shown to shift" } else { "" },
        ..Row::default()
    });
    domain.chain(columns)
}

fn audit<'a>(selection: &'a Selection, metric: &'a str) -> impl Iterator<Item = Row<'a>> {
    let kind = |kind: &Option<tribunal::bias::BiasName>| shown(kind);
    let regrets = selection.audit.iter().map(move |row| Row {
        part: "audit",
        method: &row.method,
        metric,
        kind: kind(&row.kind),
        value: Some(row.regret),
        se: row.se,
        n: Some(row.n),
        ..Row::default()
    });
    let errors = selection.audit_errors.iter().map(move |row| Row {
        part: "audit_error",
        method: &row.method,
        metric,
        kind: kind(&row.kind),
        value: Some(row.mean_absolute_error),
        n: Some(row.n),
        ..Row::default()
    });
    regrets.chain(errors)
}

fn labels(selection: &Selection) -> impl Iterator<Item = Row<'_>> {
    let asked = selection.ask.iter().flat_map(|asked| {
        asked.likely.iter().map(|gain| Row {
            part: "likely_loss",
            metric: "pcc",
            value: Some(gain.regret),
            n: Some(gain.labels),
            ..Row::default()
        })
    });
    let found = selection.labels.iter().flat_map(|found| {
        found.learners.iter().map(|learner| Row {
            part: "labels",
            learner: &learner.learner,
            metric: "pcc",
            value: Some(learner.accuracy),
            lower: Some(learner.lower),
            upper: Some(learner.upper),
            n: Some(found.labels),
            ..Row::default()
        })
    });
    asked.chain(found)
}

fn check<'a>(selection: &'a Selection, metric: &'a str) -> impl Iterator<Item = Row<'a>> {
    selection.check.iter().flat_map(move |check| {
        let learners = check.learners.iter().map(move |learner| Row {
            part: "truth",
            learner: &learner.learner,
            metric,
            value: Some(learner.value),
            n: Some(check.rows),
            ..Row::default()
        });
        let regrets = check.regrets.iter().map(move |regret| Row {
            part: "regret",
            method: &regret.method,
            metric,
            value: Some(regret.regret),
            ..Row::default()
        });
        learners.chain(regrets)
    })
}
