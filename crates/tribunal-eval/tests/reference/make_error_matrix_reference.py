"""Write error_matrix.json: values that the tests of error-matrix charts, base rates and conditions must reproduce.

What: on awkward data - ties, weights of which some are zero, one class rare, negative and zero amounts - the proportion score
function, bands, gains and losses by numpy; confusion matrices, and every figure at another base rate by giving each class its new
share as sample weights, by scikit-learn; ends of intervals of ratios of rates by scipy's root finder; the joint ROC hull and who
owns which slopes by scipy's convex hull; probabilities after a shift of the base rate by drawing the classes anew.
Why: the Rust code is judged by numbers it had no part in.
Versions: those used are written into the file.

    python make_error_matrix_reference.py
"""

import json
import math
import platform
from importlib.metadata import version
from pathlib import Path

import numpy as np
from scipy.optimize import brentq
from scipy.spatial import ConvexHull
from scipy.stats import gamma, norm, rankdata
from sklearn import metrics

SEED = 20263


def cases(rng):
    """Truth, scores, weights and amounts."""
    for name, n, rate, decimals, weighted in [
        ("continuous", 60, 0.4, 12, False),
        ("tied", 90, 0.3, 1, False),
        ("weighted_tied", 120, 0.35, 1, True),
        ("rare", 150, 0.05, 2, True),
        ("constant", 30, 0.5, 0, False),
    ]:
        truth = (rng.uniform(size=n) < rate).astype(int)
        truth[:2] = (0, 1)
        score = np.round(1 / (1 + np.exp(-(rng.normal(size=n) + 1.2 * truth - 0.8))), decimals)
        score = np.full(n, 0.5) if name == "constant" else score
        weight = rng.integers(0, 9, n) / 4 if weighted else np.ones(n)
        weight[:2] = 1
        amount = np.round(rng.lognormal(3, 1, n) * rng.choice([-1, 0, 1, 1, 1], n), 2)
        yield name, truth, score, weight, amount


def bins_of(score, k):
    """SAS RANK GROUPS with mean ranks."""
    return np.floor(rankdata(score) * k / (len(score) + 1) + 1e-12).astype(int)


def cells(truth, predicted, weight):
    """tp, fp, fn, tn."""
    if len(truth) == 0:
        return [0.0] * 4
    matrix = metrics.confusion_matrix(truth, predicted, labels=[0, 1], sample_weight=weight)
    return [float(v) for v in (matrix[1, 1], matrix[0, 1], matrix[1, 0], matrix[0, 0])]


def psf(truth, score, predicted, weight, k):
    """Bins that hold rows."""
    bins = bins_of(score, k)
    found = []
    for b in np.unique(bins):
        inside = bins == b
        found.append(
            {
                "bin": int(b),
                "rows": int(inside.sum()),
                "lambda": float(weight[bins <= b].sum() / weight.sum()),
                "psf": metrics.accuracy_score(truth[inside], predicted[inside], sample_weight=weight[inside]),
                "cells": cells(truth[inside], predicted[inside], weight[inside]),
            }
        )
    return found


def panel(truth, score, predicted, weight, amount, k):
    """Gains and losses of |amount|, net from the top."""
    bins, right = bins_of(score, k), truth == predicted
    value = weight * np.abs(amount)
    return [
        {
            "gain": float(value[(bins == b) & right].sum()),
            "loss": float(value[(bins == b) & ~right].sum()),
            "net_from_top": float((value * np.where(right, 1, -1))[bins >= b].sum()),
        }
        for b in np.unique(bins)
    ]


def bands(truth, score, predicted, weight, edges):
    """The four outcomes in bands."""
    band = np.digitize(score, edges)
    return [cells(truth[band == b], predicted[band == b], weight[band == b]) for b in range(len(edges) + 1)]


def reweighted(truth, predicted, weight, base_rate):
    """Every figure with class weights that make the base rate."""
    p, m = weight[truth == 1].sum(), weight[truth == 0].sum()
    w = weight * np.where(truth == 1, base_rate / p, (1 - base_rate) / m)
    share = float(w[predicted == 1].sum())
    precision = metrics.precision_score(truth, predicted, sample_weight=w, zero_division=np.nan)
    recall = metrics.recall_score(truth, predicted, sample_weight=w)
    npv = metrics.precision_score(1 - truth, 1 - predicted, sample_weight=w, zero_division=np.nan)
    f2 = metrics.fbeta_score(truth, predicted, beta=2, sample_weight=w) if share > 0 else math.nan
    tp, fp, fn, _ = cells(truth, predicted, w)
    found = {
        "flagged": share,
        "ppv": precision,
        "npv": npv,
        "pcc": metrics.accuracy_score(truth, predicted, sample_weight=w),
        "error_rate": fp + fn,
        "f": f2,
        "mcc": metrics.matthews_corrcoef(truth, predicted, sample_weight=w),
        "kappa": metrics.cohen_kappa_score(truth, predicted, sample_weight=w),
        "lift": recall / share if share > 0 else math.nan,
        "cost": 1.5 * fp + 4 * fn,
    }
    # A confusion matrix with an empty margin has no correlation; scikit-learn says nan, the registry 0.
    return {k: None if math.isnan(v) and k not in ("mcc", "kappa") else float(np.nan_to_num(v)) for k, v in found.items()}


def edge_wilson(x, n, level):
    """Wilson's interval, ends moved out where a few events decide."""
    z, alpha, f = norm.isf((1 - level) / 2), 1 - level, x / n
    root = z * math.sqrt((f * (1 - f) + z * z / (4 * n)) / n)
    low, high = ((f + z * z / (2 * n) + s * root) / (1 + z * z / n) for s in (-1, 1))
    low, high = (0.0 if x == 0 else low), (1.0 if x == n else high)
    if 0 < x <= 3.5:
        low = min(low, gamma.ppf(alpha, x) / n)
    if 0 < n - x <= 3.5:
        high = max(high, 1 - gamma.ppf(alpha, n - x) / n)
    return low, high


def ratio_ends(first, second):
    """Ratios r at which first - r second differs from 0 by as much as both intervals allow."""

    def excess(r, up):
        (a, a_low, a_high), (b, b_low, b_high) = first, second
        arm_a, arm_b = (a_high - a, b - b_low) if up else (a - a_low, b_high - b)
        return (a - r * b) ** 2 - arm_a**2 - r * r * arm_b**2

    a, b = first[0], second[0]
    point = a / b
    return [brentq(excess, 0, point, args=(False,), xtol=1e-15), brentq(excess, point, point * 1e6, args=(True,))]


def intervals(tp, p, fp, m, base_rate):
    """Ends of PPV, F2 and PCC."""
    t, f = (tp / p, *edge_wilson(tp, p, 0.95)), (fp / m, *edge_wilson(fp, m, 0.95))
    b = base_rate
    share = lambda r: r / (1 + r)
    low, high = ratio_ends([b * v for v in t], [(1 - b) * v for v in f])
    f_low, f_high = ratio_ends([b * v for v in t], [4 * b + (1 - b) * v for v in f])
    pcc = b * t[0] + (1 - b) * (1 - f[0])
    down = math.hypot(b * (t[0] - t[1]), (1 - b) * (f[2] - f[0]))
    up = math.hypot(b * (t[2] - t[0]), (1 - b) * (f[0] - f[1]))
    return {
        "ppv": [share(low), share(high)],
        "f": [5 * share(f_low), 5 * share(f_high)],
        "pcc": [pcc - down, pcc + up],
    }


def owners(models):
    """Vertices of the joint hull above the diagonal, with the model that owns each."""
    points, whose = [(0.0, 0.0), (1.0, 1.0), (1.0, -1.0)], [-1, -1, None]
    for index, (truth, score) in enumerate(models):
        fpr, tpr, _ = metrics.roc_curve(truth, score, drop_intermediate=False)
        points += list(zip(fpr, tpr))
        whose += [index] * len(fpr)
    points = np.array(points)
    hull = ConvexHull(points)
    found = {}
    for v in hull.vertices:
        x, y = map(float, points[v])
        if y < 0:
            continue
        same = [whose[i] for i in range(len(points)) if np.allclose(points[i], points[v], atol=1e-12)]
        corner = (x, y) in ((0.0, 0.0), (1.0, 1.0))
        found[(round(x, 12), round(y, 12))] = None if corner else min(same)
    return [{"fpr": x, "tpr": y, "model": found[(x, y)]} for x, y in sorted(found)]


def shifted(rng):
    """Calibrated probabilities after positives were made rarer, by counting rows of equal probability."""
    rows = []
    for p in (0.02, 0.3, 0.5, 0.9, 0.999):
        for b, to in ((0.5, 0.1), (0.1, 0.5), (0.2831, 0.05), (0.01, 0.9)):
            positive, negative = p * to / b, (1 - p) * (1 - to) / (1 - b)
            rows.append([p, b, to, positive / (positive + negative)])
    return rows


def main():
    rng = np.random.default_rng(SEED)
    found = []
    for name, truth, score, weight, amount in cases(rng):
        cut = float(np.quantile(score, 0.6))
        predicted = (score >= cut).astype(int)
        kept = weight > 0
        t, s, p, w, a = (column[kept] for column in (truth, score, predicted, weight, amount))
        edges = [0.2, 0.45, 0.7]
        found.append(
            {
                "name": name,
                "truth": truth.tolist(),
                "score": score.tolist(),
                "weight": weight.tolist(),
                "amount": amount.tolist(),
                "cut": cut,
                "edges": edges,
                "psf": {str(k): psf(t, s, p, w, k) for k in (1, 4, 10, 17)},
                "panel": {str(k): panel(t, s, p, w, a, k) for k in (1, 4, 10, 17)},
                "bands": bands(t, s, p, w, edges),
                "reread": {str(b): reweighted(t, p, w, b) for b in (0.001, 0.2, 0.5, 0.97)},
            }
        )
    hulls = []
    for _ in range(4):
        models = []
        for strength in (0.6, 1.0, 1.4):
            truth = (rng.uniform(size=70) < 0.4).astype(int)
            scale = rng.choice([0.5, 1.0, 2.0])
            models.append((truth, np.round(rng.normal(size=70) * scale + strength * truth, 1)))
        hulls.append(
            {
                "models": [{"truth": t.tolist(), "score": s.tolist()} for t, s in models],
                "vertices": owners(models),
            }
        )
    ends = [
        {"cells": [tp, fp, p - tp, m - fp], "base_rate": b, "ends": intervals(tp, p, fp, m, b)}
        for tp, p, fp, m in ((9, 13, 3, 6), (80, 100, 7, 100), (2, 40, 1, 500), (30, 31, 400, 1000))
        for b in (0.001, 0.3, 0.9)
    ]
    names = ("numpy", "scipy", "scikit-learn")
    versions = {"python": platform.python_version(), **{name: version(name) for name in names}}
    result = {"versions": versions, "cases": found, "hulls": hulls, "intervals": ends, "shifts": shifted(rng)}
    path = Path(__file__).with_name("error_matrix.json")
    path.write_text(json.dumps(result) + "\n")


if __name__ == "__main__":
    main()
