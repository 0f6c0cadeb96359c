//! A committee as people read it: who speaks with which weight, what each says of a row, and why.

use tribunal::{ExplainedRow, Explanation, MemberReasons, MemberSummary, MemberText, ModelSummary, Output};

use super::{ReasonRow, Shown, shown_class};
use crate::description::Place;
use crate::document::{Align, Part, Table, plain_row};
use crate::number::figure;

/// Members with less weight hardly change what is said: their reasons are shown only among all.
const LEAST_WEIGHT: f64 = 0.01;

/// The members with their weights; nothing of a single model.
pub(super) fn summary(model: &ModelSummary) -> Option<Part> {
    let line = |member: &MemberSummary| {
        let scores = if member.gives_margins { "margins, by a sigmoid" } else { "probabilities" };
        plain_row([
            member.learner.clone(),
            figure(member.weight),
            scores.to_owned(),
            member.temperature.to_string(),
        ])
    };
    let columns = [
        ("member", Align::Left),
        ("weight", Align::Right),
        ("gives", Align::Left),
        ("temperature", Align::Right),
    ];
    (!model.members.is_empty()).then(|| {
        Part::Table(Table {
            title: "Members of the committee: it says the mean of their scaled probabilities, by weight"
                .to_owned(),
            columns: named(&columns),
            rows: model.members.iter().map(line).collect(),
        })
    })
}

fn named(columns: &[(&str, Align)]) -> Vec<(String, Align)> {
    columns.iter().map(|(name, align)| ((*name).to_owned(), *align)).collect()
}

/// The members as texts, one after another.
pub(super) fn texts(explanation: &Explanation) -> Vec<Part> {
    let of_member = |member: &MemberText| {
        let head = Part::Paragraph(format!("{}, weight {}:", member.learner, figure(member.weight)));
        std::iter::once(head).chain(member.text.clone().map(Part::Verbatim)).collect::<Vec<Part>>()
    };
    explanation.members.iter().flat_map(of_member).collect()
}

/// What each member says of a row, then why.
pub(super) fn reasons(
    row: &ExplainedRow,
    members: &[MemberReasons],
    shown: Shown,
    place: Place,
) -> Vec<Part> {
    let mut parts = vec![Part::Table(voices(row, members))];
    let is_shown = |member: &&MemberReasons| shown == Shown::All || member.weight >= LEAST_WEIGHT;
    for member in members.iter().filter(is_shown) {
        let head = format!("{}, weight {}", member.learner, figure(member.weight));
        match member.alone(row) {
            Some(alone) => {
                parts.push(Part::Paragraph(format!("{head}: {}.", own_score(member, row))));
                parts.extend(super::reasons(&alone, shown, place));
            }
            None => parts.push(Part::Paragraph(format!("{head}: it does not say why."))),
        }
    }
    let n_hidden = members.len() - members.iter().filter(is_shown).count();
    if n_hidden > 0 {
        parts.push(Part::Paragraph(format!(
            "The reasons of {n_hidden} more, with less than 1 % of the weight each, are not shown."
        )));
    }
    parts
}

/// What a member says of the class that is shown.
fn own_score(member: &MemberReasons, row: &ExplainedRow) -> String {
    let sort = match member.output {
        Output::Probabilities => "probability",
        Output::Margins => "margin",
    };
    match member.scores.get(shown_class(row)) {
        Some(one) => format!("{sort} of {} {}", one.class, figure(one.score)),
        None => sort.to_owned(),
    }
}

/// What a member adds to the probability of the class that is shown.
fn share(member: &MemberReasons, row: &ExplainedRow) -> (f64, f64) {
    let enters_with = member.enters_with.get(shown_class(row)).map_or(f64::NAN, |one| one.score);
    (enters_with, member.weight * enters_with)
}

fn voices(row: &ExplainedRow, members: &[MemberReasons]) -> Table {
    let mut total = 0.0;
    let line = |member: &MemberReasons| {
        let (enters_with, adds) = share(member, row);
        total += adds;
        let own = member.scores.get(shown_class(row)).map_or_else(String::new, |one| figure(one.score));
        plain_row([
            member.learner.clone(),
            member.predicted.clone(),
            own,
            figure(enters_with),
            figure(member.weight),
            format!("{adds:+.4}"),
            format!("{total:.4}"),
        ])
    };
    let class = row.scores.get(shown_class(row)).map_or("", |one| one.class.as_str());
    let columns = [
        ("member", Align::Left),
        ("takes it for", Align::Left),
        ("its score", Align::Right),
        ("enters with", Align::Right),
        ("weight", Align::Right),
        ("adds", Align::Right),
        ("total", Align::Right),
    ];
    Table {
        title: format!("How the probability of {class} comes about"),
        columns: named(&columns),
        rows: members.iter().map(line).collect(),
    }
}

/// A row for what each member adds, then its reasons.
pub(super) fn reason_rows(row: &ExplainedRow, members: &[MemberReasons]) -> Vec<ReasonRow> {
    let mut total = 0.0;
    let mut of_member = |member: &MemberReasons| {
        let (enters_with, adds) = share(member, row);
        total += adds;
        let voice = ReasonRow {
            member: member.learner.clone(),
            form: "member",
            what: format!("weight {}", member.weight),
            change: Some(adds),
            favours: member.predicted.clone(),
            total: Some(total),
            probability: Some(enters_with),
            ..ReasonRow::default()
        };
        let reasons = member.alone(row).map(|alone| super::reason_rows(&alone)).unwrap_or_default();
        let named = |reason: ReasonRow| ReasonRow { member: member.learner.clone(), ..reason };
        std::iter::once(voice).chain(reasons.into_iter().map(named)).collect::<Vec<ReasonRow>>()
    };
    members.iter().flat_map(&mut of_member).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tribunal::{Explanation, Form};

    use super::*;
    use crate::format::{Format, render_explanation};
    use crate::made_up::made;

    fn explanation() -> Explanation {
        let scores =
            |no: f64, yes: f64| json!([{ "class": "no", "score": no }, { "class": "yes", "score": yes }]);
        let member = |learner: &str, weight: f64, gives_margins: bool| {
            json!({
                "learner": learner, "family": "nb", "weight": weight, "temperature": 1.4, "gives_margins": gives_margins,
            })
        };
        let reasons = json!({ "form": "contributions", "for_class": "yes", "start": 0.5, "items": [
            { "what": "lag = 7 to 15", "change": 0.25, "total": 0.75 },
        ] });
        let says = |learner: &str, weight: f64, own: f64, enters_with: f64, reasons: serde_json::Value| {
            json!({
                "learner": learner, "weight": weight, "predicted": if own >= 0.5 { "yes" } else { "no" },
                "output": "probabilities", "scores": scores(1.0 - own, own),
                "enters_with": scores(1.0 - enters_with, enters_with), "reasons": reasons,
            })
        };
        let members = [
            says("logit", 0.75, 0.75, 0.8, reasons.clone()),
            says("outside:sh a.sh", 0.245, 0.2, 0.4, json!(null)),
            says("nb", 0.005, 0.5, 0.6, reasons),
        ];
        made::<Explanation>(json!({
            "schema": Explanation::SCHEMA,
            "model": {
                "learner": "committee(logit; outside:sh a.sh; nb)", "family": "committee", "target": "fraud",
                "classes": ["no", "yes"], "rows": 1200, "inputs": [], "warnings": [],
                "members": [member("logit", 0.75, false), member("outside:sh a.sh", 0.245, false), member("nb", 0.005, true)],
            },
            "text": null,
            "rows": [{
                "row": 7, "ids": [], "predicted": "yes", "output": "probabilities", "scores": scores(0.299, 0.701),
                "reasons": { "form": "members", "members": members },
            }],
            "notices": [],
        }))
    }

    #[test]
    fn members_are_heard_one_by_one_and_add_up() {
        let text = render_explanation(&explanation(), Shown::Strongest, Format::Text).expect("text");
        let expected = "\
How the probability of yes comes about
  member           takes it for  its score  enters with  weight     adds   total
  ---------------  ------------  ---------  -----------  ------  -------  ------
  logit            yes              0.7500       0.8000  0.7500  +0.6000  0.6000
  outside:sh a.sh  no               0.2000       0.4000  0.2450  +0.0980  0.6980
  nb               yes              0.5000       0.6000  0.0050  +0.0030  0.7010

logit, weight 0.7500: probability of yes 0.7500.
";
        assert!(text.contains(expected), "{text}");
        assert!(text.contains("outside:sh a.sh, weight 0.2450: it does not say why."), "{text}");
        assert!(text.contains("The reasons of 1 more, with less than 1 % of the weight each"), "{text}");
        assert!(text.contains("margins, by a sigmoid"), "{text}");
        let all = render_explanation(&explanation(), Shown::All, Format::Text).expect("text");
        assert!(all.contains("nb, weight 0.0050: probability of yes 0.5000."), "{all}");
    }

    #[test]
    fn rows_of_csv_name_the_member() {
        let csv = render_explanation(&explanation(), Shown::Strongest, Format::Csv).expect("CSV");
        let expected = "row,predicted,member,form,path,what,log_odds,change,certain,favours,total,probability\n\
                        7,yes,logit,member,,weight 0.75,,0.6000000000000001,,yes,0.6000000000000001,0.8\n\
                        7,yes,logit,contribution,,before a row is known,,0.5,,,,0.5\n";
        assert!(csv.starts_with(expected), "{csv}");
        assert!(csv.contains("\n7,yes,outside:sh a.sh,member,,weight 0.245,,0.098,,no,0.698"), "{csv}");
    }
}
