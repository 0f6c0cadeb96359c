//! Risk charts, error-matrix charts, other base rates and the conditions that models own, through `evaluate`.

use std::fmt::Write;

use serde_json::Value;

use crate::folder::Folder;

/// 19 ranked customers (Witten and Frank, chapter 5), with what each is worth and with credits among the others.
const LABELS: &str = "++-+++++-+-++-+-+-+";
const SCORES: [f64; 19] = [
    0.95, 0.93, 0.93, 0.88, 0.86, 0.85, 0.82, 0.80, 0.80, 0.79, 0.77, 0.76, 0.73, 0.65, 0.63, 0.58, 0.56,
    0.49, 0.48,
];
const MAGNITUDES: [i32; 19] =
    [1200, 300, 0, 850, 90, 2400, 410, 60, 0, 700, 0, 150, 980, 0, 35, 0, 500, 0, 20];
const SIGNED: [i32; 19] =
    [1200, -300, -40, 850, 90, 2400, -410, 60, -10, 700, 0, 150, 980, -5, 35, 0, 500, -100, 20];

const ASKED: &str = "evaluate x.csv --truth y --positive + --score p";

/// The customers as a table; each stands there so many times.
fn customers(times: usize) -> String {
    let mut text = "y,p,amount,signed,weight\n".to_owned();
    for (row, label) in LABELS.chars().enumerate() {
        let (score, amount, signed) = (SCORES[row], MAGNITUDES[row], SIGNED[row]);
        for _ in 0..times {
            writeln!(text, "{label},{score},{amount},{signed},3").expect("a text");
        }
    }
    text
}

fn json(folder: &Folder, args: &str) -> Value {
    serde_json::from_slice(&folder.stdout(&format!("{args} --format json"))).expect("JSON")
}

/// What one table of the customers gives.
fn found(args: &str) -> Value {
    json(&Folder::with(&[("x.csv", &customers(1))]), &format!("{ASKED} {args}"))
}

#[track_caller]
fn close(found: &Value, expected: f64) {
    let value = found.as_f64().unwrap_or(f64::NAN);
    assert!((value - expected).abs() < 1e-6, "{value} is not {expected}");
}

/// Every number of a result is that of another.
#[track_caller]
fn same(found: &Value, expected: &Value) {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            found.iter().for_each(|(name, value)| same(value, &expected[name]));
        }
        (Value::Number(_), Value::Number(expected)) => close(found, expected.as_f64().unwrap_or(f64::NAN)),
        _ => assert_eq!(found, expected),
    }
}

#[test]
fn the_risk_chart_of_the_customers_is_that_of_the_reference() {
    let chart = &found("--amount amount --at 1,3,4,6,10")["charts"][0];
    let cases = &chart["cases"];
    close(&cases["lowest"], 0.342105263);
    close(&cases["highest"], 0.657894737);
    close(&cases["area"], 0.540485830);
    close(&cases["standardised"], 0.628205128);
    let amounts = &chart["amounts"];
    close(&chart["amount"], 7695.0);
    close(&amounts["area"], 0.653381);
    close(&amounts["highest"], 0.845063);
    close(&amounts["lowest"], 0.154937);
    close(&amounts["standardised"], 0.722250);
    let depths = chart["depths"].as_array().expect("depths");
    for (depth, amount) in depths.iter().zip([0.155945, 0.194932, 0.305393, 0.628980, 0.781027]) {
        close(&depth["capture"]["amount"], amount);
    }
    // Three customers with the highest scores, two of whom responded: three could have.
    close(&depths[1]["lift"]["success_rate"], 2.0 / 3.0);
    close(&depths[1]["capture"]["of_cases"], 2.0 / 3.0);
    close(&depths[1]["lift"]["perfect_hits"], 3.0);
    close(&depths[1]["lift"]["random_hits"], 3.0 * 13.0 / 19.0);
    // The largest three amounts are 2400, 1200 and 980.
    close(&depths[1]["capture"]["of_amount"], 1500.0 / 4580.0);
    close(&depths[4]["lift"]["success_rate"], 0.8);
}

#[test]
fn credits_count_where_everybody_has_an_amount() {
    let judged = found("--amount signed --amount-of everybody");
    let chart = &judged["charts"][0];
    close(&chart["amount"], 6120.0);
    close(&chart["amounts"]["area"], 0.637341);
    close(&chart["amounts"]["highest"], 0.985294);
    close(&chart["amounts"]["lowest"], 0.014706);
    close(&chart["amounts"]["standardised"], 0.641503);
    let negatives = judged["cuts"][0]["cuts"]["negative_amount"].as_array().expect("amounts of negatives");
    close(negatives.last().expect("cuts"), -155.0);
    let omega =
        judged["metrics"].as_array().expect("metrics").iter().find(|row| row["metric"] == "omega_amount");
    close(&omega.expect("a row")["estimate"], 0.641503);
    // Without the option the amounts of the others are not looked at.
    close(&found("--amount signed")["charts"][0]["amount"], 6275.0);
}

#[test]
fn every_reading_of_a_risk_chart_lies_between_its_limits() {
    let judged = found("--amount signed --amount-of everybody");
    let readings = judged["charts"][0]["risk"].as_array().expect("readings");
    assert_eq!(readings.len(), 22);
    for reading in readings {
        let of = |name: &str| reading[name].as_f64().expect("a number");
        let limit = |name: &str| reading["limits"][name].as_f64().expect("a limit");
        assert!(
            limit("worst_recall") - 1e-12 <= of("recall") && of("recall") <= limit("best_recall") + 1e-12
        );
        assert!(
            limit("worst_amount") - 1e-12 <= of("amount") && of("amount") <= limit("best_amount") + 1e-12
        );
    }
    close(&readings[21]["recall"], 1.0);
    close(&readings[21]["amount"], 1.0);
}

#[test]
fn the_error_matrix_of_the_customers_is_that_of_the_reference() {
    let judged = found("--threshold 0.75 --bins 4 --bands 0.6,0.8 --amount amount");
    let at = &judged["charts"][0]["cutoffs"][0];
    let regions = &at["error_matrix"]["regions"];
    close(&regions["cut"], 7.0 / 19.0);
    for (region, cases) in [("tn", 3.0), ("fn", 4.0), ("tp", 9.0), ("fp", 3.0)] {
        close(&regions[region]["value"], cases / 19.0);
    }
    close(&regions["npv"]["value"], 0.428571429);
    close(&regions["ppv"]["value"], 0.75);
    let bins = at["error_matrix"]["psf"]["bins"].as_array().expect("bins");
    for (bin, [rows, psf, reached]) in
        bins.iter().zip([[4.0, 0.5, 4.0], [5.0, 0.4, 9.0], [5.0, 0.8, 14.0], [5.0, 0.8, 19.0]])
    {
        close(&bin["rows"], rows);
        close(&bin["psf"], psf);
        close(&bin["lambda"], reached / 19.0);
    }
    let bands = at["bands"].as_array().expect("bands");
    let cells = [[2.0, 2.0, 0.0, 0.0], [1.0, 2.0, 2.0, 1.0], [0.0, 0.0, 7.0, 2.0]];
    assert_eq!(bands.len(), 3);
    for (band, cells) in bands.iter().zip(cells) {
        for (name, cell) in ["tn", "fn", "tp", "fp"].into_iter().zip(cells) {
            close(&band["cells"][name], cell);
        }
    }
    // Four responders below the cut-off are missed: 980, 35, 500 and 20.
    let panel = &at["gain_loss"];
    close(&panel["gain"], 7695.0 - 1535.0);
    close(&panel["loss"], 1535.0);
    close(&panel["net"]["value"], 7695.0 - 2.0 * 1535.0);
}

#[test]
fn gains_and_losses_add_up_to_the_profit() {
    let judged = found("--threshold 0.75 --cost-fp 10 --cost-fn 30 --benefit-tp 20 --bins 4");
    let panel = &judged["charts"][0]["cutoffs"][0]["gain_loss"];
    close(&panel["gain"], 9.0 * 20.0);
    close(&panel["loss"], 3.0 * 10.0 + 4.0 * 30.0);
    let nets = panel["bins"].as_array().expect("bins");
    close(&nets[0]["net_from_top"]["value"], 30.0);
    // A cut-off that takes one of two customers with the same score does not say which.
    let tied = found("--threshold top:2 --cost-fp 1 --cost-fn 5");
    let at = &tied["charts"][0]["cutoffs"][0];
    assert!(at["gain_loss"].is_null(), "{at}");
    assert!(at["undefined"].as_str().expect("a reason").contains("divides cases of one score"), "{at}");
}

#[test]
fn a_weight_counts_like_repeated_rows() {
    let asked = format!("{ASKED} --amount signed --amount-of everybody --base-rate 1% --threshold 0.75");
    let once = Folder::with(&[("x.csv", &customers(1))]);
    let weighted = json(&once, &format!("{asked} --weight weight"));
    let repeated = json(&Folder::with(&[("x.csv", &customers(3))]), &asked);
    let (weighted, repeated) = (&weighted["charts"][0], &repeated["charts"][0]);
    for name in ["cases", "amount", "amounts"] {
        same(&weighted[name], &repeated[name]);
    }
    let depths = [weighted, repeated].map(|charts| charts["depths"].as_array().expect("depths").clone());
    for (weighted, repeated) in depths[0].iter().zip(&depths[1]) {
        same(&weighted["capture"], &repeated["capture"]);
        same(&weighted["lift"], &repeated["lift"]);
    }
    let regions = |charts: &Value| charts["cutoffs"][0]["error_matrix"]["regions"].clone();
    for name in ["cut", "tn", "tp"] {
        let value = |charts: &Value| {
            regions(charts)[name].get("value").cloned().unwrap_or(regions(charts)[name].clone())
        };
        same(&value(weighted), &value(repeated));
    }
}

#[test]
fn folds_have_areas_of_their_own() {
    let rows = customers(2).lines().skip(1).enumerate().fold(
        "y,p,amount,fold\n".to_owned(),
        |mut text, (row, line)| {
            let cells: Vec<&str> = line.split(',').collect();
            writeln!(text, "{},{},{},{}", cells[0], cells[1], cells[2], row % 2).expect("a text");
            text
        },
    );
    let judged = json(&Folder::with(&[("x.csv", &rows)]), &format!("{ASKED} --amount amount --fold fold"));
    let folds = judged["charts"][0]["folds"].as_array().expect("folds");
    assert_eq!(folds.len(), 2);
    for fold in folds {
        close(&fold["cases"]["standardised"], 0.628205128);
        close(&fold["amounts"]["standardised"], 0.722250);
    }
}

#[test]
fn figures_at_another_base_rate_stand_beside_those_at_hand() {
    let judged = found("--threshold 0.75 --base-rate 1% --cost-fp 1 --cost-fn 5");
    let reading = &judged["at_base_rate"];
    close(&reading["own"], 13.0 / 19.0);
    close(&reading["base_rate"], 0.01);
    let (here, there) = (&reading["figures"][0]["here"], &reading["figures"][0]["there"]);
    close(&here["ppv"]["value"], 0.75);
    close(&here["npv"]["value"], 3.0 / 7.0);
    close(&here["cost"]["value"], (3.0 + 5.0 * 4.0) / 19.0);
    let (t, f) = (9.0 / 13.0, 0.5);
    close(&there["ppv"]["value"], 0.01 * t / (0.01 * t + 0.99 * f));
    close(&there["pcc"]["value"], 0.01 * t + 0.99 * (1.0 - f));
    close(&there["cost"]["value"], 5.0 * 0.01 * (1.0 - t) + 0.99 * f);
    assert!(there["ppv"]["interval"]["lower"].is_number());
    // The odds are multiplied by (1/99) / (13/6).
    let factor = 6.0 / (99.0 * 13.0);
    close(&reading["probabilities"][1]["to"], factor / (1.0 + factor));
    let text = String::from_utf8(found_text("--threshold 0.75 --base-rate 0.01")).expect("text");
    assert!(
        text.contains("At a base rate of 1 %, cut at the same scores as a score of 0.75 or more here"),
        "{text}"
    );
}

fn found_text(args: &str) -> Vec<u8> {
    Folder::with(&[("x.csv", &customers(1))]).stdout(&format!("{ASKED} {args}"))
}

#[test]
fn models_that_share_the_hull_are_mixed_and_others_are_dominated() {
    // `early` finds the first positives without a false alarm, `late` all of them with few; `worst` reverses the list.
    let mut text = "y,early,late,worst\n".to_owned();
    for row in 0..100 {
        let positive = row < 20;
        let early = if row < 10 { 3 } else { 1 };
        let late = if positive || row >= 80 { 3 } else { 1 };
        let worst = if positive { 0 } else { 1 };
        writeln!(text, "{},{early},{late},{worst}", u8::from(positive)).expect("a text");
    }
    let folder = Folder::with(&[("x.csv", &text)]);
    let args = "evaluate x.csv --truth y --positive 1 --score early,late,worst --at 10%,25%";
    let conditions = &json(&folder, args)["conditions"];
    assert_eq!(conditions["dominated"], serde_json::json!(["worst"]));
    let mixture = &conditions["mixtures"][0];
    close(&mixture["caseload"]["low"], 0.1);
    close(&mixture["caseload"]["high"], 0.4);
    close(&conditions["recipes"][1]["recipe"]["q"], 0.5);
    let said = String::from_utf8(folder.stdout(args)).expect("text");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let recipe = "Between 10 % and 40 % of the list mix early (scores from 3 on) and late (scores from 3 on): \
                  50 : 50 for 25 %";
    assert!(said.contains(recipe), "{said}");
    assert!(said.contains("Nothing is lost without worst"), "{said}");
    // Where one in a hundred is positive, a miss has to be dearer before `late` pays.
    let ratio = |args: &str| json(&folder, args)["conditions"]["stretches"][1]["cost_ratio"]["low"].as_f64();
    let (here, there) = (ratio(args), ratio(&format!("{args} --base-rate 1%")));
    assert!(here.zip(there).is_some_and(|(here, there)| there > 20.0 * here), "{here:?} {there:?}");
}

#[test]
fn the_usual_report_stays_short() {
    let text = String::from_utf8(found_text("--at 10%")).expect("text");
    assert!(text.contains("(risk chart)"), "{text}");
    for absent in ["error-matrix chart", "proportion score function", "bands of scores", "base rate of 1 %"] {
        assert!(!text.contains(absent), "{absent}: {text}");
    }
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let folder = Folder::with(&[
        ("x.csv", &customers(1)),
        ("gaps.csv", &customers(1).replace(",0,0,", ",0,,")),
        ("tiny.csv", &customers(1).replace(",850,", ",1e-170,")),
    ]);
    let check = |args: &str, code: i32, says: &str| {
        let output = folder.run(args);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args}: {error}");
        assert!(error.contains(says), "{args}: {error}");
    };
    let refused = |option: &str, code: i32, says: &str| check(&format!("{ASKED} {option}"), code, says);
    refused("--bins 0", 2, "no number of bins");
    refused("--bins 20", 1, "19 rows cannot be cut into 20 bins; ask for fewer: --bins 19");
    refused("--bands 0.6,0.6", 2, "must rise, but 0.6 follows 0.6");
    refused("--bands 0,6,0,8", 2, "decimals are written with a point");
    refused("--bands 0.1,inf", 2, "no edge of a band");
    for rate in ["0", "1", "101%", "-1%", "half"] {
        refused(&format!("--base-rate={rate}"), 2, "is no base rate");
    }
    refused("--base-rate 0,01", 2, "decimals are written with a point");
    refused("--amount-of everybody", 2, "--amount <COL>");
    refused("--threshold max-profit", 2, "none are stated: add --benefit-tp 10 and --cost-fp 6");
    refused(
        "--threshold max-benefit --amount amount --benefit-tp 0.5*amount --cost-fp 6",
        2,
        "differs from case to case",
    );
    check(
        "evaluate gaps.csv --truth y --positive + --score p --amount signed --amount-of everybody",
        1,
        "column \"signed\": the value is missing",
    );
    check("evaluate tiny.csv --truth y --positive + --score p --amount amount", 1, "1e-170");
}

#[test]
fn cut_offs_without_numbers_go_by_the_stated_costs() {
    let judged = found("--threshold max-profit,max-benefit --benefit-tp 10 --cost-action 6");
    let asked = |place: usize| judged["cutoffs"][place]["asked"].as_str().map(str::to_owned);
    assert_eq!(
        [asked(0), asked(1)].map(Option::unwrap_or_default),
        ["max-profit:10:6", "max-benefit:4:-6:0:0"]
    );
    close(&judged["cutoffs"][0]["cutoff"]["score"], 0.73);
    close(&judged["decision"]["models"][0]["best_cut"]["score"], 0.73);
    let of_amounts = found("--threshold max-profit --amount amount --benefit-tp amount --cost-action 90");
    assert_eq!(of_amounts["cutoffs"][0]["asked"], "max-profit:amount:90");
}

#[test]
fn the_answer_is_read_at_the_other_base_rate() {
    let judged = found("--capacity 10 --base-rate 1%");
    let sentence = judged["verdict"]["sentence"].as_str().unwrap_or_default();
    assert!(sentence.starts_with("At a base rate of 1 %, act on 10 of 19 cases: p finds "), "{sentence}");
    let decision = &judged["decision"];
    close(&decision["base_rate"], 0.01);
    close(&decision["models"][0]["acted"], 10.0);
    // Positives are all of one weight, negatives of another: the list is as deep by weight as ten of the nineteen.
    let hits = decision["models"][0]["hits"]["value"].as_f64().unwrap_or(f64::NAN);
    assert!(hits > 0.0 && hits < 0.19, "{hits}");
}

#[test]
fn weighted_bands_show_rows_and_cases() {
    let text =
        String::from_utf8(found_text("--threshold 0.75 --bands 0.6,0.8 --weight weight")).expect("text");
    let table: Vec<&str> = text.lines().skip_while(|line| !line.contains("in bands of scores")).collect();
    let line = |words: &str| {
        let found = table.iter().find(|line| line.contains(words)).copied().unwrap_or_default();
        found.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(line("true negatives").contains("scores rows cases true negatives"), "{text}");
    assert!(line("below 0.6").contains("below 0.6 4 12 6 6 0 0"), "{text}");
}
