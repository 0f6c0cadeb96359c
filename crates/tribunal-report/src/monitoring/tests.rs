//! What a terminal and paper get of a stored result that is made here by hand.

use serde_json::json;
use tribunal::monitoring::Monitoring;

use crate::format::{Format, render_monitoring};

fn facts(period: &str, rows: u64) -> serde_json::Value {
    json!({"period": period, "files": [period], "sha256": "0", "rows": rows, "actioned": 100, "outcomes": 90, "positives": 30})
}

fn found(n_periods: u64) -> Monitoring {
    let change = json!({
        "kind": "decay", "is_shown": true, "is_shown_by_test": true, "detectable": 0.02,
        "contribution": {"estimate": -0.061, "lower": -0.1, "upper": -0.02, "level": 0.95},
        "test": {"test": "cochran_mantel_haenszel", "statistic": 4.5, "df": 1, "p": 0.03, "p_adjusted": 0.04, "finer": {"bands": 40, "p": 0.02}},
        "odds_ratio": {"estimate": 0.72, "standard_error": 0.15, "lower": 0.53, "upper": 0.97, "level": 0.95},
    });
    let untested = json!({"kind": "drift", "is_shown": false, "is_shown_by_test": false, "no_test": "too few", "no_contribution": "unknown"});
    let names: Vec<String> = (1..=n_periods).map(|number| format!("m{number}.csv")).collect();
    let period = |name: &String| {
        let mut period = facts(name, 400);
        let fields = json!({"verdict": "The model got worse.", "named": ["decay"], "changes": [untested, change], "joined_bands": []});
        for (key, value) in fields.as_object().expect("fields") {
            period[key] = value.clone();
        }
        period
    };
    let row = |period: &str, metric: &str, estimate: f64| json!({"model": "p", "period": period, "metric": metric, "estimate": estimate, "lower": estimate - 0.05, "upper": estimate + 0.05, "level": 0.95, "method": "wilson", "n": 90});
    let band = |period: &str| {
        json!({"period": period, "band": "below 0.5", "rows": 400, "share": 1.0, "actioned": 100, "action_rate": 0.25, "outcomes": 90, "positives": 30,
               "strike_rate": 0.3333, "lower": 0.24, "upper": 0.44, "mean_score": 0.3})
    };
    let all: Vec<&str> = std::iter::once("old.csv").chain(names.iter().map(String::as_str)).collect();
    let points: Vec<_> = all
        .iter()
        .enumerate()
        .map(|(at, period)| json!({"period": period, "estimate": 0.3 + 0.05 * at as f64, "lower": 0.25, "upper": 0.6}))
        .collect();
    let result = json!({
        "schema": "tribunal.monitoring/1",
        "provenance": {"tribunal": "0.1.0"},
        "verdict": "The model got worse.",
        "columns": {"score": "p", "truth": "fraud", "positive": "yes", "actioned": "acted"},
        "reference": facts("old.csv", 500),
        "periods": names.iter().map(period).collect::<Vec<_>>(),
        "bands": [{"band": "below 0.5", "to": 0.5}],
        "bands_asked": 1,
        "band_figures": all.iter().map(|period| band(period)).collect::<Vec<_>>(),
        "metrics": all.iter().map(|period| row(period, "strike_rate", 0.33)).collect::<Vec<_>>(),
        "limits": [{"limit": "psi<=0.2", "period": "m1.csv", "metric": "psi", "side": "<=", "bound": 0.2, "estimate": 0.3, "holds": false}],
        "chart": [{"metric": "strike_rate", "points": points, "limits": [{"side": ">=", "bound": 0.32}]}],
        "level": 0.95, "replicates": 1000, "seed": 1,
        "warnings": [{"code": "same_tables"}],
        "notices": ["a notice"],
    });
    serde_json::from_value(result).expect("a result")
}

#[test]
fn a_terminal_gets_the_answer_first() {
    let text = render_monitoring(&found(1), Format::Text).expect("text");
    let place = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words} is not in {text}"));
    let order =
        ["The model got worse.", "warning: both periods", "psi<=0.2", "-0.0610", "0.72", "0.3333", "Shapley"];
    assert!(order.windows(2).all(|pair| place(pair[0]) < place(pair[1])), "{text}");
    assert!(text.contains("too few"));
}

#[test]
fn many_periods_are_drawn_and_paper_gets_them_all() {
    let text = render_monitoring(&found(3), Format::Text).expect("text");
    assert!(text.contains("model worse") && text.contains("o estimate") && text.contains('|'), "{text}");
    let paper = render_monitoring(&found(3), Format::Markdown).expect("text");
    for period in ["m1.csv", "m2.csv", "m3.csv"] {
        assert!(
            paper.contains(&format!("{period}: contributions"))
                && paper.contains(&format!("{period} by band")),
            "{paper}"
        );
    }
    assert!(render_monitoring(&found(3), Format::Latex).expect("text").contains("\\end{document}"));
}

#[test]
fn csv_has_figures_bands_changes_and_limits() {
    let text = render_monitoring(&found(1), Format::Csv).expect("rows");
    for begin in [
        "figure,p,old.csv,,strike_rate,0.33",
        "band,p,m1.csv,below 0.5,share,1",
        "change,p,m1.csv,,model decay",
        "limit,p,m1.csv,,psi<=0.2,0.3",
    ] {
        assert!(text.lines().any(|line| line.starts_with(begin)), "{begin}: {text}");
    }
}
