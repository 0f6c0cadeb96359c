"""Writes shift.json: values of scipy, scikit-learn and numpy that the tests of the shift diagnosis compare with.

What: Kolmogorov-Smirnov statistics and p values (exact, by permutation where values are tied, in the limit for large samples),
chi-square tests of homogeneity, population stability indices, and out-of-fold AUROCs of domain classifiers.
Columns that are large are not stored but made again from whole numbers by `lcg`, which the test repeats.

    python make_shift_reference.py   (needs numpy, scipy, scikit-learn)
"""

import json
import pathlib

import numpy as np
import scipy
import sklearn
from scipy import special, stats
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

HERE = pathlib.Path(__file__).parent
PERMUTATIONS = 4000


def lcg(seed, n):
    """Numbers from 0 to 1: the upper bits of Knuth's linear congruential generator."""
    state, found = seed, []
    for _ in range(n):
        state = (6364136223846793005 * state + 1442695040888963407) % 2**64
        found.append((state >> 11) / 2**53)
    return np.array(found)


def shaped(shape, u):
    """A column of a shape from uniform numbers."""
    if shape == "continuous":
        return u
    if shape == "tied":
        return np.floor(8 * u)
    if shape == "zero-inflated":
        return np.where(u < 0.85, 0.0, u)
    if shape == "saturated":
        return np.minimum(u, 0.6)
    raise ValueError(shape)




def ks_cases():
    cases = []
    for shape in ("continuous", "tied", "zero-inflated", "saturated"):
        for n, m, power in ((12, 9, 1.0), (60, 45, 1.3), (3000, 2000, 1.0), (3000, 2000, 1.04)):
            a, b = shaped(shape, lcg(1, n)), shaped(shape, lcg(2, m) ** power)
            statistic = stats.ks_2samp(a, b, method="asymp").statistic
            case = {"shape": shape, "n": n, "m": m, "power": power, "statistic": float(statistic)}
            if shape == "continuous":
                case["method"] = "exact" if n * m < 2**22 else "limit"
                limit = special.kolmogorov(statistic * np.sqrt(n * m / (n + m)))
                exact = stats.ks_2samp(a, b, method="exact").pvalue
                case["p"] = float(exact if case["method"] == "exact" else limit)
                case["p_exact"] = float(exact)
            else:
                random = np.random.default_rng(7)
                pooled = np.concatenate([a, b])
                values = np.unique(pooled)
                codes = np.searchsorted(values, pooled)
                as_large = 0
                for _ in range(PERMUTATIONS):
                    random.shuffle(codes)
                    first = np.bincount(codes[:n], minlength=len(values)).cumsum() / n
                    second = np.bincount(codes[n:], minlength=len(values)).cumsum() / m
                    as_large += np.abs(first - second).max() >= statistic - 1e-12
                case["method"] = "permutation"
                case["p"] = as_large / PERMUTATIONS
            cases.append(case)
    return cases


def chi_square_cases():
    tables = [
        [[10, 20], [20, 20], [30, 20]],
        [[500, 40], [300, 60], [200, 10], [100, 15], [90, 8]],
        [[9000, 880], [1000, 120]],
        [[17, 31], [17, 31]],
    ]
    cases = []
    for table in tables:
        found = stats.chi2_contingency(np.array(table), correction=False)
        cases.append({"cells": table, "statistic": float(found.statistic), "df": int(found.dof), "p": float(found.pvalue)})
    return cases


def psi(first, second):
    """The index of two lists of shares, each share at least 1e-4."""
    p, q = np.maximum(first, 1e-4), np.maximum(second, 1e-4)
    return float(((q - p) * np.log(q / p)).sum())


def psi_cases():
    cases = []
    for shape in ("continuous", "tied", "zero-inflated", "saturated"):
        for n, m, power in ((500, 400, 1.0), (500, 400, 1.8), (60, 3, 1.0)):
            # Every seventh value of the population is missing.
            a, b = shaped(shape, lcg(3, n)), shaped(shape, lcg(4, m) ** power)
            present = b[np.arange(m) % 7 != 0]
            edges = np.unique(np.quantile(a, np.arange(1, 10) / 10))
            n_bins = len(edges) + 1
            of_a = np.bincount(np.searchsorted(edges, a), minlength=n_bins)
            of_b = np.bincount(np.searchsorted(edges, present), minlength=n_bins)
            first = np.append(of_a, 0) / n
            second = np.append(of_b, m - len(present)) / m
            filled = first + second > 0
            cases.append({"shape": shape, "n": n, "m": m, "power": power, "psi": psi(first[filled], second[filled]),
                          "by_chance": float(stats.chi2.ppf(0.95, filled.sum() - 1) * (1 / n + 1 / m)),
                          "median": [float(np.median(a)), float(np.median(present))],
                          "mean": [float(a.mean()), float(present.mean())]})
    return cases


def domain_cases():
    """Mean AUROC of ten times five folds; the diagnosis draws other folds, so that only the size can be compared."""
    cases = []
    for name, n, m, shift, scale in (("shifted", 600, 400, 0.5, 1.0), ("scaled", 600, 400, 0.0, 2.0), ("equal", 600, 400, 0.0, 1.0)):
        normal = stats.norm.ppf
        training = np.column_stack([normal(lcg(10 + c, n)) for c in range(3)])
        population = np.column_stack([normal(lcg(20 + c, m)) for c in range(3)])
        population[:, 0] = shift + scale * population[:, 0]
        x, y = np.vstack([training, population]), np.repeat([0, 1], [n, m])
        found = {}
        for learner, model in (
            ("linear", make_pipeline(StandardScaler(), LogisticRegression(C=1.0))),
            ("boost", HistGradientBoostingClassifier(max_iter=50, learning_rate=0.2, max_depth=3, early_stopping=False)),
        ):
            aurocs = []
            for seed in range(10):
                folds = StratifiedKFold(5, shuffle=True, random_state=seed)
                scores = cross_val_predict(model, x, y, cv=folds, method="predict_proba")[:, 1]
                aurocs += [roc_auc_score(y[test], scores[test]) for _, test in folds.split(x, y)]
            found[learner] = float(np.mean(aurocs))
        cases.append({"name": name, "n": n, "m": m, "shift": shift, "scale": scale, "auroc": found})
    return cases


def main():
    values = {
        "versions": {"numpy": np.__version__, "scipy": scipy.__version__, "scikit-learn": sklearn.__version__},
        "ks": ks_cases(),
        "chi_square": chi_square_cases(),
        "psi": psi_cases(),
        "domain": domain_cases(),
    }
    (HERE / "shift.json").write_text(json.dumps(values, indent=1) + "\n")


if __name__ == "__main__":
    main()
