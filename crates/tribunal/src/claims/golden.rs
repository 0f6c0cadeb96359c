//! The claims of seed 32 against an independent implementation in numpy and statsmodels, figure by figure.

use tribunal_learn::encoding::{Matrix, NumericEncoder, NumericOptions, Scale, Scaling};
use tribunal_random::Random;

use super::claim::Claim;
use super::draws::Draws;
use super::near::NearNormals;
use super::{Claims, ClaimsRequest, Column, TARGETS, columns, generate};

fn claims() -> Claims {
    generate(&ClaimsRequest::default()).expect("claims")
}

fn column(name: &str) -> Column {
    columns().find(|column| column.name == name).expect("a column")
}

/// How often each value from `first` on occurs, up to the highest of `n_values`.
fn histogram(values: impl IntoIterator<Item = f64>, first: usize, n_values: usize) -> Vec<usize> {
    let mut counts = vec![0; n_values];
    values.into_iter().for_each(|value| counts[value as usize - first] += 1);
    counts
}

fn ones(name: &str) -> usize {
    claims().raw(&column(name)).iter().filter(|&&value| value == 1.0).count()
}

/// All predictors as learners that compute see them.
fn encoded(scaling: Scaling) -> Matrix {
    let dataset = claims().dataset(&TARGETS[1]).expect("a data set");
    let rows: Vec<u32> = (0..dataset.n_rows() as u32).collect();
    let options = NumericOptions { scaling, ..NumericOptions::default() };
    let encoder = NumericEncoder::fit(&dataset, &rows, &options).expect("fitted");
    encoder.encode(&dataset, &rows).expect("encoded")
}

fn numbers(name: &str, scaling: Scaling) -> Vec<f64> {
    let place = columns().position(|column| column.name == name).expect("a column");
    encoded(scaling).column(place).to_vec()
}

/// A claim as text: flags, raw values, weights of flags and circumstances, latent L1, amount, score, code.
fn line(row: usize) -> String {
    let claims = claims();
    let value = |name: &str| claims.raw(&column(name))[row];
    let flags: String = columns().take(25).map(|flag| value(flag.name).to_string()).collect();
    let (claim, latents) = drawn(row);
    format!(
        "{flags} {} {} {} {} {} {:.2} {} {} {} {:.2} {:.2} {:.6} {:.2} {} {}",
        value("AGE"),
        value("POL_LAG"),
        value("REPT_LAG"),
        value("TRT_LAG1"),
        value("TRT_LAG2"),
        value("AMBUL"),
        value("PART_DIS1_01"),
        value("TOT_DIS1_01"),
        value("SCLEGREP"),
        claim.flag_weight(),
        claim.circumstances,
        latents[0],
        value("PAID"),
        value("score"),
        value("code"),
    )
}

fn drawn(row: usize) -> (Claim, [f64; 5]) {
    let mut random = Random::new(32);
    let draws = (0..=row).map(|_| Draws::next(&mut random)).last().expect("a claim");
    let claim = Claim::of(&draws, NearNormals::tables());
    (claim, claim.latents(&draws))
}

#[test]
fn rows() {
    let check = |row: usize, expected: &str| assert_eq!(line(row), expected);
    check(0, "0000000000000000000000000 41 35 11 3 0 0.00 0 1 0 0.00 0.59 1.747063 940.18 0 1");
    check(1, "1000000100000010000000000 33 184 5 20 0 0.00 0 0 1 1.80 1.40 2.092905 892.51 4 2");
    check(2, "0000000000000000000000000 30 355 0 13 0 134.73 0 0 1 0.00 0.31 0.576222 924.09 0 1");
    check(1398, "0000000000000100010000000 30 53 5 16 0 0.00 0 0 1 1.05 1.61 2.071990 1080.56 5 1");
    let latents = drawn(1).1.map(|latent| format!("{latent:.6}"));
    assert_eq!(latents, ["2.092905", "1.644077", "0.450431", "2.491241", "0.498876"]);
}

#[test]
fn flag_firings() {
    let expected = [
        308, 226, 178, 51, 85, 108, 97, 61, 36, 75, 62, 52, 115, 552, 415, 160, 69, 223, 41, 63, 33, 84, 63,
        35, 57,
    ];
    let firings: Vec<usize> = columns().take(25).map(|flag| ones(flag.name)).collect();
    assert_eq!(firings, expected);
}

#[test]
fn scores_codes_and_targets() {
    let claims = claims();
    let numbers = |marks: &[u8]| marks.iter().map(|&mark| f64::from(mark)).collect::<Vec<_>>();
    let scores = histogram(numbers(claims.scores()), 0, 11);
    assert_eq!(scores, [798, 60, 70, 75, 90, 120, 63, 60, 40, 15, 8]);
    assert_eq!(histogram(numbers(claims.codes()), 1, 5), [895, 276, 120, 78, 30]);
    let positives = TARGETS.map(|target| claims.suspicious(&target).filter(|&yes| yes).count());
    assert_eq!(positives, [601, 396, 123, 504, 228]);
    let both = |a: usize, b: usize| {
        claims.suspicious(&TARGETS[a]).zip(claims.suspicious(&TARGETS[b])).filter(|&(a, b)| a && b).count()
    };
    assert_eq!([both(1, 3), both(1, 4), both(0, 3)], [300, 177, 395]);
}

#[test]
fn bins_and_companions() {
    let check = |name: &str, expected: &[usize]| {
        assert_eq!(histogram(numbers(name, Scaling::Off), 1, expected.len()), expected, "{name}");
    };
    check("AGE", &[243, 797, 276, 65, 18]);
    check("POL_LAG", &[74, 75, 125, 117, 94, 112, 284, 252, 266]);
    check("REPT_LAG", &[937, 240, 118, 52, 22, 18, 11, 1, 0, 0]);
    check("TRT_LAG1", &[1109, 170, 93, 15, 9, 3, 0, 0, 0, 0]);
    check("TRT_LAG2", &[1048, 136, 119, 58, 20, 15, 3, 0, 0, 0]);
    check("AMBUL", &[911, 171, 178, 75, 43, 21]);
    assert_eq!(["TRT_LAG1_01", "TRT_LAG2_01", "AMBUL_01"].map(ones), [851, 392, 515]);
    assert_eq!(["PART_DIS1_01", "TOT_DIS1_01", "SCLEGREP"].map(ones), [324, 172, 751]);
}

#[test]
fn sums_means_and_deviations() {
    let claims = claims();
    let cents: f64 = claims.paid().map(|paid| (100.0 * paid).round()).sum();
    assert_eq!(cents, 219_848_714.0);
    let check = |name: &str, mean: f64, sd: f64| {
        let found = Scale::fit(numbers(name, Scaling::Off));
        assert!((found.mean - mean).abs() < 5e-10 && (found.sd - sd).abs() < 5e-10, "{name}: {found:?}");
    };
    check("AGE", 2.155110793, 0.805622658);
    check("POL_LAG", 6.152251608, 2.449865023);
}

#[test]
fn logistic_regression_on_all_claims() {
    let check = |n_predictors: usize, log_likelihood: f64, coefficients: &[(usize, f64)]| {
        let (found, beta) = logit(n_predictors);
        assert!((found - log_likelihood).abs() < 5e-7, "{found}");
        for &(i, expected) in coefficients {
            assert!((beta[i] - expected).abs() < 5e-7, "coefficient {i}: {}", beta[i]);
        }
    };
    check(25, -673.747328, &[(0, -1.111628), (1, 0.315295), (2, 0.025123), (3, 0.142292)]);
    check(37, -526.936207, &[(0, -1.537236), (35, 0.254160), (36, -0.020358), (37, 0.632023)]);
}

/// Log-likelihood and coefficients of score 4 and more on standardised predictors, by Newton's steps.
fn logit(n_predictors: usize) -> (f64, Vec<f64>) {
    let (claims, predictors) = (claims(), encoded(Scaling::Paper));
    let columns = (0..n_predictors).map(|idx| predictors.column(idx).to_vec());
    let x: Vec<Vec<f64>> = std::iter::once(vec![1.0; claims.len()]).chain(columns).collect();
    let y: Vec<f64> = claims.suspicious(&TARGETS[1]).map(|yes| f64::from(u8::from(yes))).collect();
    let mut beta = vec![0.0; x.len()];
    for _ in 0..30 {
        let p = fitted(&x, &beta);
        let slope: Vec<f64> =
            x.iter().map(|x| (0..y.len()).map(|i| x[i] * (y[i] - p[i])).sum::<f64>()).collect();
        let bend = |a: &Vec<f64>, b: &Vec<f64>| (0..y.len()).map(|i| a[i] * b[i] * p[i] * (1.0 - p[i])).sum();
        let information = x.iter().map(|a| x.iter().map(|b| bend(a, b)).collect()).collect();
        beta.iter_mut().zip(solved(information, slope)).for_each(|(beta, step)| *beta += step);
    }
    let p = fitted(&x, &beta);
    ((0..y.len()).map(|i| if y[i] == 1.0 { p[i].ln() } else { (1.0 - p[i]).ln() }).sum(), beta)
}

fn fitted(x: &[Vec<f64>], beta: &[f64]) -> Vec<f64> {
    let score = |i: usize| x.iter().zip(beta).map(|(x, beta)| x[i] * beta).sum::<f64>();
    (0..x[0].len()).map(|i| 1.0 / (1.0 + (-score(i)).exp())).collect()
}

/// Gauss's elimination; the matrix is positive definite.
fn solved(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for pivot in 0..n {
        let (above, below) = matrix.split_at_mut(pivot + 1);
        for (i, row) in below.iter_mut().enumerate() {
            let factor = row[pivot] / above[pivot][pivot];
            row.iter_mut().zip(&above[pivot]).for_each(|(value, above)| *value -= factor * above);
            right[pivot + 1 + i] -= factor * right[pivot];
        }
    }
    for pivot in (0..n).rev() {
        let known: f64 = (pivot + 1..n).map(|column| matrix[pivot][column] * right[column]).sum();
        right[pivot] = (right[pivot] - known) / matrix[pivot][pivot];
    }
    right
}
