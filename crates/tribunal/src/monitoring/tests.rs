//! Findings from end to end: the worked example of three bands, what each table allows to be said, amounts and awkward rows.

use super::cases::{Cases, Fate};
use super::periods::NamedCases;
use super::request::{AskedBands, MonitorRequest};
use super::results::{Change, ChangeKind, Monitoring, PeriodFacts};
use super::run::{ReadPeriods, judge};
use super::warning::MonitorWarning;
use crate::error::Error;

type Cells = [(u64, u64, u64); 3];
const REFERENCE: Cells = [(500, 50, 5), (300, 150, 45), (200, 180, 108)];
const CURRENT: Cells = [(700, 210, 16), (350, 280, 70), (150, 140, 70)];

/// Rows, actioned and positives of low, middle and high scores.
fn cases(cells: Cells, amount: Option<f64>) -> Cases {
    let mut cases = Cases::new(amount.is_some());
    for (score, (rows, actioned, positives)) in [0.2, 0.5, 0.8].into_iter().zip(cells) {
        for row in 0..rows {
            let fate = match row {
                row if row < positives => Fate::Positive,
                row if row < actioned => Fate::Negative,
                _ => Fate::Idle,
            };
            cases.push(score, fate, amount);
        }
    }
    cases
}

fn request() -> MonitorRequest {
    let mut request = MonitorRequest::new("p", "fraud");
    (request.bands, request.replicates) = (AskedBands::Edges(vec![0.4, 0.7]), 400);
    request
}

fn tried(reference: Cases, current: Vec<Cases>, request: &MonitorRequest) -> Result<Monitoring, Error> {
    let named = |name: String, cases: Cases| {
        (PeriodFacts { period: name.clone(), ..PeriodFacts::default() }, NamedCases { name, cases })
    };
    let periods =
        (1..).zip(current).map(|(number, cases)| named(format!("period {number}"), cases)).collect();
    let read = ReadPeriods {
        reference: named("reference".into(), reference),
        periods,
        notices: Vec::new(),
        are_same_bytes: false,
    };
    judge(read, request)
}

fn judged(reference: Cases, current: Cases, request: &MonitorRequest) -> Monitoring {
    tried(reference, vec![current], request).expect("rows")
}

fn change(found: &Monitoring, kind: ChangeKind) -> &Change {
    found.periods[0].changes.iter().find(|change| change.kind == kind).expect("looked at")
}

fn figure(found: &Monitoring, period: &str, id: &str) -> Option<f64> {
    found.row(period, id).expect(id).estimate
}

#[track_caller]
fn close(found: Option<f64>, expected: f64) {
    let found = found.expect("a value");
    assert!(
        (found / expected - 1.0).abs() < 2e-5 || (found - expected).abs() < 5e-10,
        "{found}, expected {expected}"
    );
}

#[test]
fn golden_example() {
    let found = judged(cases(REFERENCE, None), cases(CURRENT, None), &request());
    let row = |id| figure(&found, "period 1", id);
    close(figure(&found, "reference", "strike_rate"), 0.415789474);
    close(row("strike_rate"), 0.247619048);
    close(row("change"), -0.168170426);
    for (kind, id, contribution, statistic, p) in [
        (ChangeKind::Drift, "drift", -0.042022596, 26.358363858, 1.889530960e-6),
        (ChangeKind::Selection, "selection", -0.064889645, 129.977310031, 4.1449e-30),
        (ChangeKind::Decay, "decay", -0.061258185, 4.515377080, 0.033591481),
    ] {
        let change = change(&found, kind);
        close(row(id), contribution);
        close(change.contribution.map(|value| value.estimate), contribution);
        let test = change.test.expect("tested");
        close(Some(test.statistic), statistic);
        close(Some(test.p), p);
        assert!(change.is_shown, "{kind:?}");
        let value = change.contribution.expect("a contribution");
        assert!(value.lower < value.estimate && value.estimate < value.upper);
    }
    // Holm: the least times three, the next times two, the largest as it is.
    close(row("p_drift"), 2.0 * 1.889530960e-6);
    close(row("p_decay"), 0.033591481);
    close(row("odds_ratio_selection"), 3.628701895);
    close(row("odds_ratio_decay"), 0.721882012);
    close(row("rate_on_reference_mix"), 0.345551378);
    close(figure(&found, "reference", "post_stratified_strike_rate"), 0.26);
    close(row("post_stratified_strike_rate"), 0.179861111);
    // What is expected where only population and selection are those of the current period: 140 of 0.6, 280 of 0.3, 210 of 0.1.
    close(row("expected_rate"), (140.0 * 0.6 + 280.0 * 0.3 + 210.0 * 0.1) / 630.0);
    close(row("expected_post_stratified"), (150.0 * 0.6 + 350.0 * 0.3 + 700.0 * 0.1) / 1200.0);
    assert!(
        found.verdict.starts_with(
            "The population drifted, the selection changed and the model got worse: the strike rate"
        ),
        "{}",
        found.verdict
    );
}

#[test]
fn contributions_add_up_to_the_change_whatever_is_known() {
    let sum = |found: &Monitoring| -> f64 {
        found.periods[0]
            .changes
            .iter()
            .filter_map(|change| change.contribution)
            .map(|value| value.estimate)
            .sum()
    };
    let found = judged(cases(REFERENCE, None), cases(CURRENT, None), &request());
    close(Some(sum(&found)), -0.168170426);
    let acted =
        |cells: Cells| cases(cells.map(|(_, actioned, positives)| (actioned, actioned, positives)), None);
    let found = judged(acted(REFERENCE), acted(CURRENT), &request());
    close(Some(sum(&found)), -0.168170426);
    let kinds: Vec<ChangeKind> = found.periods[0].changes.iter().map(|change| change.kind).collect();
    assert_eq!(kinds, [ChangeKind::Mix, ChangeKind::Decay]);
    assert!(found.warnings.iter().any(|warning| matches!(warning, MonitorWarning::NoPopulation { .. })));
}

#[test]
fn without_outcomes_the_model_is_not_judged() {
    let mut blank = cases(CURRENT, None);
    blank.fates.iter_mut().filter(|fate| fate.is_actioned()).for_each(|fate| *fate = Fate::Pending);
    let found = judged(cases(REFERENCE, None), blank, &request());
    let kinds: Vec<ChangeKind> = found.periods[0].changes.iter().map(|change| change.kind).collect();
    assert_eq!(kinds, [ChangeKind::Drift, ChangeKind::Selection]);
    let expected = (140.0 * 0.6 + 280.0 * 0.3 + 210.0 * 0.1) / 630.0;
    close(figure(&found, "period 1", "expected_rate"), expected);
    let sum: f64 = found.periods[0]
        .changes
        .iter()
        .filter_map(|change| change.contribution)
        .map(|value| value.estimate)
        .sum();
    close(Some(sum), expected - 158.0 / 380.0);
    assert_eq!(figure(&found, "period 1", "strike_rate"), None);
    // Nothing says what was acted on: the selection of the reference stands for it.
    let mut scores = cases(CURRENT, None);
    scores.fates.fill(Fate::Idle);
    let found = judged(cases(REFERENCE, None), scores, &request());
    assert_eq!(
        found.periods[0].changes.iter().map(|change| change.kind).collect::<Vec<_>>(),
        [ChangeKind::Drift]
    );
    let mix = [0.9 * 150.0, 0.5 * 350.0, 0.1 * 700.0];
    close(
        figure(&found, "period 1", "expected_rate"),
        (mix[0] * 0.6 + mix[1] * 0.3 + mix[2] * 0.1) / mix.iter().sum::<f64>(),
    );
}

/// An amount of 100 for every positive makes every rate a hundred times as large, and the tests the same.
#[test]
fn amounts_scale_contributions_and_leave_tests_alone() {
    let plain = judged(cases(REFERENCE, None), cases(CURRENT, None), &request());
    let mut request = request();
    request.columns.amount = Some("paid".into());
    let found = judged(cases(REFERENCE, Some(100.0)), cases(CURRENT, Some(100.0)), &request);
    for kind in [ChangeKind::Drift, ChangeKind::Selection, ChangeKind::Decay] {
        let value = |found| change(found, kind).contribution.expect("a contribution");
        close(Some(value(&found).estimate), 100.0 * value(&plain).estimate);
        // Amounts are drawn one by one, so that the ends come from other draws.
        assert!((value(&found).lower / value(&plain).lower / 100.0 - 1.0).abs() < 0.1);
        let statistic = |found| change(found, kind).test.expect("tested").statistic;
        close(Some(statistic(&found)), statistic(&plain));
    }
    close(figure(&found, "period 1", "mean_amount"), 24.7619048);
    close(figure(&found, "period 1", "post_stratified_mean_amount"), 17.9861111);
    close(figure(&found, "period 1", "post_stratified_strike_rate"), 0.179861111);
    assert!(
        change(&found, ChangeKind::Decay).mean_difference.is_some() && found.verdict.contains("mean amount")
    );
}

#[test]
fn rows_of_many_periods_are_those_of_each_alone() {
    let others = [CURRENT, REFERENCE, [(10, 2, 1), (10, 0, 0), (10, 9, 3)]].map(|cells| cases(cells, None));
    let found = tried(cases(REFERENCE, None), others.to_vec(), &request()).expect("rows");
    assert_eq!(found.periods.len(), 3);
    assert!(
        found.verdict.starts_with("1 of 3 periods differ from reference beyond chance: in period 1"),
        "{}",
        found.verdict
    );
    assert_eq!(found.chart[0].points.len(), 4);
    assert_eq!(found.periods[2].joined_bands, ["0.4 and above"]);
    close(found.row("period 1", "drift").and_then(|row| row.estimate), -0.042022596);
}

/// Periods that a statistic could trip over: nothing panics, and what has no value says why.
#[test]
fn awkward_rows_make_no_trouble() {
    let awkward: Vec<Cells> = vec![
        [(1, 1, 1), (0, 0, 0), (0, 0, 0)],
        [(0, 0, 0), (3, 3, 0), (0, 0, 0)],
        [(9, 0, 0), (9, 0, 0), (9, 0, 0)],
        [(50, 50, 50), (50, 50, 50), (50, 50, 50)],
        [(50, 25, 0), (50, 25, 0), (50, 25, 0)],
        [(400, 1, 1), (0, 0, 0), (1, 1, 0)],
        REFERENCE,
    ];
    for (a, first) in awkward.iter().enumerate() {
        for (b, second) in awkward.iter().enumerate() {
            for amount in [None, Some(0.0), Some(1e90)] {
                let mut request = request();
                request.replicates = 100;
                request.columns.amount = amount.map(|_| "paid".into());
                let outcome = tried(cases(*first, amount), vec![cases(*second, amount)], &request);
                let is_refused = first.iter().all(|cell| cell.1 == 0);
                assert_eq!(outcome.is_err(), is_refused, "{a} {b}");
                let Ok(found) = outcome else { continue };
                for row in &found.metrics {
                    assert!(row.estimate.is_some() != row.undefined.is_some(), "{a} {b} {row:?}");
                    assert!(
                        [row.estimate, row.lower, row.upper].iter().flatten().all(|value| value.is_finite()),
                        "{a} {b} {row:?}"
                    );
                }
                for count in [1, 10] {
                    request.bands = AskedBands::Count(count);
                    tried(cases(*first, amount), vec![cases(*second, amount)], &request).expect("bands");
                }
            }
        }
    }
}
