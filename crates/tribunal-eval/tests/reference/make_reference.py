"""Write reference.json: values that the tests of `tribunal-eval` must reproduce.

What: cases of 0/1 truth and scores (some weighted) with every measure computed by another program: scikit-learn,
scipy, statsmodels and the hmeasure package, or, where none of them has it, by `brute_force.py`. A measure that is
undefined for a case is null; a measure that makes no sense for it (probability measures of margins) is absent.
Why: the Rust code is judged by numbers it had no part in.
Versions: Python 3.11, numpy 2.4.6, scipy 1.17.1, scikit-learn 1.9.1, statsmodels 0.15.0, hmeasure 0.1.6; those
actually used are written into the file.

    python make_reference.py        # also checks the golden values of check_golden.py
"""

import json
import math
import platform
from importlib.metadata import version
from pathlib import Path

import numpy as np
import statsmodels.api as sm
from hmeasure import h_score
from scipy.special import expit, logit
from scipy.stats import ks_2samp, pearsonr, rankdata
from sklearn import datasets, metrics
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import brute_force as bf
from check_golden import Q, TABLE_5_6, TIED, check_golden

SEED = 20261
CLIP = 1e-15
DEPTHS = (0.05, 0.1, 0.25, 0.5)
WEIGHT_GRAIN = 200  # every weight is a multiple of 1/200, so that weighted rows can be replicated exactly
AGREEMENT = 1e-9


# ---------------------------------------------------------------- cases


def draw_truth(rng, n, positives):
    """Shuffled 0/1 labels with an exact number of positives."""
    truth = np.zeros(n, dtype=int)
    truth[:positives] = 1
    return rng.permutation(truth)


def draw_probabilities(rng, truth, strength=1.2):
    """Informative, not perfectly calibrated probabilities."""
    base = logit(truth.mean())
    return expit(base + strength * (truth - truth.mean()) + rng.normal(size=len(truth)))


def out_of_fold(load, positive_class, columns=slice(None)):
    """Out-of-fold probabilities of a logistic regression on a data set that comes with scikit-learn."""
    data = load()
    truth = (data.target == positive_class).astype(int)
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    folds = StratifiedKFold(5, shuffle=True, random_state=SEED)
    p = cross_val_predict(model, data.data[:, columns], truth, cv=folds, method="predict_proba")[:, 1]
    return truth, np.round(p, 6)


def make_case(name, truth, score, weight=None, amount=None, threshold=0.5, probability=True):
    """One case, still without expected values."""
    return {
        "name": name,
        "probability": probability,
        "truth": [int(t) for t in truth],
        "score": [float(s) for s in score],
        "weight": None if weight is None else [float(w) for w in weight],
        "amount": None if amount is None else [float(a) for a in amount],
        "threshold": threshold,
    }


def random_cases(rng):
    """Continuous, tied and weighted scores; a rare positive class; margins."""
    continuous = draw_truth(rng, 200, 80)
    p = draw_probabilities(rng, continuous)
    amount = np.round(rng.lognormal(4, 1, 200), 2)
    yield make_case("continuous", continuous, p, amount=amount)

    tied = draw_truth(rng, 300, 100)
    p = np.round(draw_probabilities(rng, tied), 1)
    yield make_case("tied", tied, p)
    yield make_case("no_predicted_negatives", tied[:60], 0.5 + p[:60] / 2)

    truth = draw_truth(rng, 200, 70)
    weight = np.round(rng.uniform(0.05, 3, 200) * 100) / 100
    yield make_case("weighted_continuous", truth, draw_probabilities(rng, truth), weight=weight)

    truth = draw_truth(rng, 300, 90)
    weight = rng.integers(0, 17, 300) / 8  # some are zero
    amount = np.round(rng.lognormal(4, 1, 300), 2)
    p = np.round(draw_probabilities(rng, truth), 1)
    yield make_case("weighted_tied", truth, p, weight=weight, amount=amount, threshold=0.4)

    truth = draw_truth(rng, 400, 6)
    yield make_case("very_imbalanced", truth, draw_probabilities(rng, truth, 2.5), threshold=0.05)

    truth = draw_truth(rng, 200, 90)
    margin = rng.normal(size=200) * 3 + 2 * (truth - 0.5)
    yield make_case("margins", truth, margin, threshold=0.0, probability=False)


def extreme_cases(rng):
    """Separated, reversed and constant scores; probabilities of exactly 0 and 1."""
    truth = draw_truth(rng, 60, 25)
    spread = rng.uniform(0.02, 0.45, 60)
    separated = np.where(truth == 1, 0.5 + spread, 0.5 - spread)
    yield make_case("perfect_separation", truth, separated)
    yield make_case("reversed", truth, 1 - separated)
    yield make_case("all_tied", truth, np.full(60, 0.3))

    truth = draw_truth(rng, 120, 50)
    p = np.round(draw_probabilities(rng, truth), 2)
    p[rng.choice(120, 15, replace=False)] = 0.0
    p[rng.choice(120, 15, replace=False)] = 1.0
    yield make_case("exact_zero_and_one", truth, p)


def data_set_cases():
    """Public data sets with out-of-fold probabilities."""
    yield make_case("iris_virginica", *out_of_fold(datasets.load_iris, 2))
    yield make_case("wine_class_0", *out_of_fold(datasets.load_wine, 0))
    yield make_case("breast_cancer", *out_of_fold(datasets.load_breast_cancer, 1))


def golden_cases():
    """The small hand-made lists whose values are also known on paper."""
    yield make_case("golden_table_5_6", TABLE_5_6["truth"], TABLE_5_6["score"], threshold=0.75)
    yield make_case("golden_tied", TIED["truth"], TIED["score"])
    yield make_case("golden_q", Q["truth"], Q["score"])


# ---------------------------------------------------------------- expected values


def or_none(value):
    """JSON number, or null for what is undefined."""
    return None if value is None or math.isnan(value) else float(value)


def threshold_measures(truth, predicted, weight):
    """Measures of the confusion matrix."""
    given = {"sample_weight": weight}
    undefined = {"zero_division": np.nan, **given}
    precision = metrics.precision_score(truth, predicted, **undefined)
    sensitivity = metrics.recall_score(truth, predicted, **undefined)
    specificity = metrics.recall_score(truth, predicted, pos_label=0, **undefined)

    def f_beta(beta):
        if math.isnan(precision):  # scikit-learn says 0 here; without a precision there is no F
            return math.nan
        return metrics.fbeta_score(truth, predicted, beta=beta, zero_division=0.0, **given)

    accuracy = metrics.accuracy_score(truth, predicted, **given)
    return {
        "pcc": accuracy,
        "error_rate": metrics.zero_one_loss(truth, predicted, **given),
        "sensitivity": sensitivity,
        "specificity": specificity,
        "precision": precision,
        "npv": metrics.precision_score(truth, predicted, pos_label=0, **undefined),
        "f1": f_beta(1),
        "f@2": f_beta(2),
        "f@0.5": f_beta(0.5),
        "balanced_accuracy": metrics.balanced_accuracy_score(truth, predicted, **given),
        "g_mean": math.sqrt(sensitivity * specificity),
        "mcc": metrics.matthews_corrcoef(truth, predicted, **given),
        "kappa": metrics.cohen_kappa_score(truth, predicted, **given),
    }


def ks(truth, score, weight):
    """Two-sided Kolmogorov-Smirnov distance; scipy has no weights."""
    if weight is None:
        return ks_2samp(score[truth == 1], score[truth == 0]).statistic
    return bf.weighted_ks(truth.tolist(), score.tolist(), weight.tolist())


def ranking_measures(truth, score, weight, rows):
    """Measures of the order of the rows. `rows` are the plain lists for the brute-force definitions."""
    given = {"sample_weight": weight}
    auroc = metrics.roc_auc_score(truth, score, **given)
    precision, recall, _ = metrics.precision_recall_curve(truth, score, **given)
    points = precision[:-1], recall[:-1]  # without the artificial (recall 0, precision 1)
    values = {
        "auroc": auroc,
        "gini": 2 * auroc - 1,
        "ks": ks(truth, score, weight),
        "pauroc@0.1": metrics.roc_auc_score(truth, score, max_fpr=0.1, **given),
        "average_precision": metrics.average_precision_score(truth, score, **given),
        "three_point_average_precision": bf.mean_interpolated_precision(*points, (0.2, 0.5, 0.8)),
        "eleven_point_average_precision": bf.mean_interpolated_precision(*points, [i / 10 for i in range(11)]),
        "auroc_100": bf.auroc_100(*rows),
    }
    for depth in DEPTHS:
        values[f"cph@{depth}"] = bf.captured_share(*rows, depth)
        values[f"lift@{depth}"] = values[f"cph@{depth}"] / depth
    return values


def replicate(truth, score, weight):
    """Unweighted rows that stand for weighted ones."""
    times = np.ones(len(truth), dtype=int) if weight is None else np.rint(weight * WEIGHT_GRAIN).astype(int)
    return np.repeat(truth, times), np.repeat(score, times)


def h_measure(truth, score, weight, rows):
    """H by the package (on ranks, as it wants scores in [0, 1]; weighted rows replicated) and by quadrature."""
    many_truth, many_score = replicate(truth, score, weight)
    ranks = rankdata(many_score, method="dense")
    by_package = float(h_score(many_truth, ranks / ranks.max()))
    by_quadrature = bf.h_measure_by_quadrature(*rows)
    if abs(by_package - by_quadrature) > AGREEMENT:
        raise ValueError(f"H-measure: package {by_package!r}, quadrature {by_quadrature!r}")
    return by_package, abs(by_package - by_quadrature)


def classes_overlap(truth, score, weight):
    """Whether a logistic regression on the score has finite coefficients: neither (quasi-)separated nor constant."""
    used = np.ones(len(truth), dtype=bool) if weight is None else weight > 0
    positive, negative = score[used & (truth == 1)], score[used & (truth == 0)]
    return positive.min() < negative.max() and negative.min() < positive.max()


def fit_logistic(truth, design, weight, offset=None):
    """Coefficients of a logistic regression by maximum likelihood, checked against the score equations."""
    model = sm.GLM(truth, design, family=sm.families.Binomial(), var_weights=weight, offset=offset)
    fit = model.fit(maxiter=500, tol=1e-15)
    residual = (truth - fit.fittedvalues) * (1 if weight is None else weight)
    if np.abs(design.T @ residual).max() > 1e-8:
        raise ValueError("logistic regression has not converged")
    return fit.params


def calibration_measures(truth, p, weight):
    """Slope of truth on logit(p), and the intercept when the slope is held at 1."""
    z = logit(np.clip(p, CLIP, 1 - CLIP))
    ones = np.ones((len(z), 1))
    slope = math.nan
    if classes_overlap(truth, p, weight):
        slope = fit_logistic(truth, np.column_stack([ones, z]), weight)[1]
    return {
        "calibration_slope": slope,
        "calibration_intercept": fit_logistic(truth, ones, weight, offset=z)[0],
    }


def probability_measures(truth, p, weight, rows):
    """Measures of scores that claim to be probabilities."""
    given = {"sample_weight": weight}
    brier = metrics.brier_score_loss(truth, p, **given)
    return {
        "brier": brier,
        "log_loss": metrics.log_loss(truth, np.clip(p, CLIP, 1 - CLIP), **given),
        "ece": bf.expected_calibration_error(*rows),
        **bf.brier_decomposition(*rows, brier),
        **calibration_measures(truth, p, weight),
    }


def add_expected(case):
    """Fill in the expected values of a case; returns the gap between the two ways to the H-measure."""
    truth, score = np.array(case["truth"]), np.array(case["score"])
    weight = None if case["weight"] is None else np.array(case["weight"])
    rows = case["truth"], case["score"], case["weight"] or [1.0] * len(truth)
    h, gap = h_measure(truth, score, weight, rows)
    expected = {
        **threshold_measures(truth, (score >= case["threshold"]).astype(int), weight),
        **ranking_measures(truth, score, weight, rows),
        "h_measure": h,
    }
    if case["probability"]:
        expected |= probability_measures(truth, score, weight, rows)
    case["expected"] = {name: or_none(value) for name, value in expected.items()}
    if case["amount"]:
        case["benefit"] = {
            "donation": bf.benefits(*rows, case["amount"], case["threshold"], 0.68),
            "card_fraud": bf.benefits(*rows, case["amount"], case["threshold"], 90.0),
        }
    return gap


def add_curves(case):
    """The whole ROC and precision-recall curves; the infinite first threshold is null."""
    weight = case["weight"]
    fpr, tpr, thresholds = metrics.roc_curve(
        case["truth"], case["score"], sample_weight=weight, drop_intermediate=False
    )
    precision, recall, _ = metrics.precision_recall_curve(case["truth"], case["score"], sample_weight=weight)
    case["roc"] = {
        "fpr": fpr.tolist(),
        "tpr": tpr.tolist(),
        "thresholds": [None, *thresholds[1:].tolist()],
    }
    case["pr"] = {"precision": precision.tolist(), "recall": recall.tolist()}


# ---------------------------------------------------------------- numeric predictions


def correlation(x, y, weight):
    """Pearson correlation, undefined if either side is constant; weighted ones by numpy's covariance."""
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return math.nan
    if weight is None:
        return pearsonr(x, y).statistic
    cov = np.cov(x, y, aweights=weight)
    return cov[0, 1] / math.sqrt(cov[0, 0] * cov[1, 1])


def amount_measures(actual, predicted, weight):
    """Errors of predicted amounts, absolute and relative to predicting the mean of the actuals."""
    given = {"sample_weight": weight}
    mean = np.full(len(actual), np.average(actual, weights=weight))
    mae = metrics.mean_absolute_error(actual, predicted, **given)
    rmse = metrics.root_mean_squared_error(actual, predicted, **given)
    return {
        "mae": mae,
        "rmse": rmse,
        "rae": mae / metrics.mean_absolute_error(actual, mean, **given),
        "rrse": rmse / metrics.root_mean_squared_error(actual, mean, **given),
        "correlation": correlation(actual, predicted, weight),
    }


def amount_sets(rng):
    """Three sets of pairs, the last weighted, and one with a constant prediction (no correlation)."""
    for name, n, noise in (("small_noise", 50, 0.3), ("large_noise", 80, 2.0), ("weighted", 60, 1.0)):
        actual = np.round(rng.lognormal(3, 1, n), 2)
        predicted = np.round(actual * np.exp(rng.normal(0, noise, n)), 2)
        weight = np.round(rng.uniform(0.05, 3, n), 2) if name == "weighted" else None
        yield name, actual, predicted, weight
    yield "constant_prediction", actual, np.full(n, 20.0), None


def amounts_section(rng):
    """The `amounts` part of the file."""
    section = [
        {
            "name": name,
            "actual": actual.tolist(),
            "predicted": predicted.tolist(),
            "weight": None if weight is None else weight.tolist(),
            "expected": {k: or_none(v) for k, v in amount_measures(actual, predicted, weight).items()},
        }
        for name, actual, predicted, weight in amount_sets(rng)
    ]
    return section


# ---------------------------------------------------------------- file


def versions():
    """Versions of everything that computed a value."""
    packages = ("numpy", "scipy", "scikit-learn", "statsmodels", "hmeasure")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}


def build():
    """The whole content of reference.json."""
    rng = np.random.default_rng(SEED)
    cases = [*random_cases(rng), *extreme_cases(rng), *data_set_cases(), *golden_cases()]
    gaps = [add_expected(case) for case in cases]
    for case in cases:
        if case["name"] in ("tied", "weighted_continuous"):
            add_curves(case)
    return {
        "versions": versions(),
        "seed": SEED,
        "h_measure_check": {
            "agree": max(gaps) <= AGREEMENT,
            "largest_difference": max(gaps),
            "between": "hmeasure package (weighted rows replicated) and quadrature of the definition",
        },
        "cases": cases,
        "amounts": amounts_section(rng),
    }


def dump(value, depth=0):
    """JSON with one line for each array and each number, so that a change shows in a diff."""
    if not isinstance(value, dict) and not (isinstance(value, list) and value and isinstance(value[0], dict)):
        return json.dumps(value, allow_nan=False, separators=(",", ":"))
    pad, end = " " * (depth + 1), " " * depth
    if isinstance(value, dict):
        inner = [f"{pad}{json.dumps(key)}: {dump(item, depth + 1)}" for key, item in value.items()]
        return "{\n" + ",\n".join(inner) + f"\n{end}}}"
    return "[\n" + ",\n".join(pad + dump(item, depth + 1) for item in value) + f"\n{end}]"


def main():
    """Check the golden values, then write the file."""
    check_golden()
    target = Path(__file__).with_name("reference.json")
    target.write_text(dump(build()) + "\n", encoding="utf-8")
    print(f"{target.name}: {target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
