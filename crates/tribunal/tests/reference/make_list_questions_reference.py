"""Reference values for questions about a list - by segment, at another base rate, over folds - from numpy and scipy.

What: what the first 200 cases of a weighted list with ties bring in in each segment, with amounts of which some are zero or negative,
whether segments differ (Welch's test, Pearson's chi-square) from influence values written out as arrays; the same list, the best cut
and a rule by probabilities where positives are rarer, from weights that are multiplied; the spread over folds; the line of equal cost
through the best of all points of two ROC curves, found by trying them all; and quantiles of the depth of the best cut over plain
bootstrap replicates. Why: these were otherwise checked against our own formulas alone.
Versions: see the file it writes, list_questions.json.

    python make_list_questions_reference.py
"""

import json
import platform
from pathlib import Path

import numpy as np
import scipy
from scipy.stats import chi2, f as f_distribution, t

HERE = Path(__file__).resolve().parent
CAPACITY, THERE = 200.0, 0.05
SEGMENTS = ["east", "north", "west"]


def shares_in_list(scores, weight, size):
    """How likely each row is among the first `size` by weight, ties in random order."""
    above = np.array([weight[scores > s].sum() for s in scores])
    tied = np.array([weight[scores == s].sum() for s in scores])
    return np.clip(np.divide(size - above, tied, out=np.zeros_like(tied), where=tied > 0), 0, 1)


def variance(phi, truth, weight):
    """The variance of a weighted mean with these influence values, within and between the classes, and the df of its kurtosis."""
    counts = weight > 0
    n = counts.sum()
    v = phi * weight * n / weight.sum()
    classes = [(counts & (truth == y)) for y in (1, 0)]
    rows = [c.sum() for c in classes]
    kish = [weight[c].sum() ** 2 / (weight[c] ** 2).sum() for c in classes]
    within = sum(v[c].var() * r * k / (k - 1) for c, r, k in zip(classes, rows, kish)) / n**2
    effective = n**2 / sum(r**2 / k for r, k in zip(rows, kish))
    between = sum(v[c].sum() ** 2 / r for c, r in zip(classes, rows)) / n**2 * effective / (effective - 1)
    second, fourth = (v**2).sum() / n, (v**4).sum() / n
    return within + between, max(2 * effective / (fourth / second**2 - 1), 1)


def welch(groups):
    x, v, df = (np.array(column) for column in zip(*groups))
    k, w = len(x), 1 / v
    between = (w * (x - (w * x).sum() / w.sum()) ** 2).sum()
    spread = ((1 - w / w.sum()) ** 2 / df).sum()
    f = between / (k - 1) / (1 + 2 * (k - 2) / (k**2 - 1) * spread)
    return float(f), float(f_distribution.sf(f, k - 1, (k**2 - 1) / (3 * spread)))


def best_cut(scores, weight, worth):
    """The cut that earns most beyond acting on nobody, by trying all of them."""
    cuts = np.unique(scores[weight > 0])
    totals = [(weight * worth)[scores >= s].sum() for s in cuts]
    return float(cuts[np.argmax(totals)]), float(max(totals))


def roc(scores, truth, weight):
    cuts = np.concatenate([[np.inf], np.unique(scores)[::-1]])
    rate = lambda y: [weight[(scores >= s) & (truth == y)].sum() / weight[truth == y].sum() for s in cuts]
    return np.array(rate(0)), np.array(rate(1))


def main():
    rng = np.random.default_rng(5)
    n = 900
    segment = rng.choice(SEGMENTS, n, p=[0.5, 0.3, 0.2])
    truth = (rng.random(n) < np.where(segment == "east", 0.35, 0.25)).astype(int)
    margin = rng.standard_normal(n) + np.where(segment == "north", 0.5, 1.4) * truth - 1
    a = np.clip(np.round(1 / (1 + np.exp(-margin)), 2), 0.01, 0.99)
    b = np.clip(np.round(1 / (1 + np.exp(-(rng.standard_normal(n) + truth - 1))), 1), 0.05, 0.95)
    weight = rng.choice([0.0, 0.5, 1.0, 2.0], n, p=[0.05, 0.3, 0.4, 0.25])
    amount = np.round(np.exp(rng.standard_normal(n)) * 10, 2) * rng.choice([1, 0, -1], n, p=[0.8, 0.1, 0.1])
    fold = rng.integers(0, 5, n)

    hit, false_positive, missed = amount - 3, -3.0, -2.0
    worth_if = [np.full(n, false_positive), hit - missed]
    acting = np.where(truth == 1, worth_if[1], worth_if[0])
    passing = np.where(truth == 1, missed, 0.0)
    gain = np.where(truth == 1, amount, 0.0)

    shares = shares_in_list(a, weight, CAPACITY)
    by_segment, of_profit, of_amount, of_hits = [], [], [], []
    for name in SEGMENTS:
        at = segment == name
        w, s, y = weight[at], shares[at], truth[at]
        acted, hits, found = (w * s).sum(), (w * s * y).sum(), (w * s * gain[at]).sum()
        benefit = passing[at] + s * acting[at]
        mean, ratio = (w * benefit).sum() / w.sum(), found / acted
        by_segment.append([float(w.sum()), float(acted), float(hits), float(found), float((w * benefit).sum())])
        of_profit.append((mean, *variance(benefit - mean, y, w)))
        of_amount.append((ratio, *variance((s * gain[at] - ratio * s) * w.sum() / acted, y, w)))
        of_hits.append((hits / acted, acted**2 / (s * w**2).sum()))
    x, m = (np.array(column) for column in zip(*of_hits))
    common = (x * m).sum() / m.sum()
    between = (m * (x - common) ** 2).sum() / (common * (1 - common))

    own = weight[truth == 1].sum() / weight.sum()
    there = weight * np.where(truth == 1, THERE / own, (1 - THERE) / (1 - own))
    list_there = shares_in_list(a, there, CAPACITY)
    odds = a / (1 - a) * (THERE / (1 - THERE)) / (own / (1 - own))
    p = odds / (1 + odds)
    ruled = p * worth_if[1] + (1 - p) * worth_if[0] >= 0
    cut, earned = best_cut(a, there, acting)

    recalls = []
    for k in range(5):
        at = fold == k
        s = shares_in_list(a[at], weight[at], 0.2 * weight[at].sum())
        recalls.append((weight[at] * s * truth[at]).sum() / weight[at][truth[at] == 1].sum())
    recalls = np.array(recalls)
    half = t.ppf(0.975, 4) * np.sqrt(1.44 * recalls.var(ddof=1) / 5)

    lines = []
    for base_rate in (own, THERE):
        slope = (1 - base_rate) / base_rate * 1.0 / 5.0
        points = np.concatenate([np.array(roc(scores, truth, weight)).T for scores in (a, b)])
        lines.append([float(base_rate), float(slope), float((points[:, 1] - slope * points[:, 0]).max())])

    order = np.argsort(-a, kind="stable")
    # A hit is worth 7 whatever its amount: the depth has an interval where positives bring in the same.
    same_for_all = np.where(truth == 1, 7.0 + 2.0, -3.0)
    v, tied = same_for_all[order], np.append(np.diff(a[order]) != 0, True)
    depths = []
    for _ in range(20000):
        count = rng.multinomial(n, np.full(n, 1 / n))
        total = np.where(tied, np.cumsum(count * v), -np.inf)
        depths.append(count[: total.argmax() + 1].sum() / n if total.max() > 0 else 0.0)

    reference = {
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__},
        "truth": truth.tolist(),
        "a": a.tolist(),
        "b": b.tolist(),
        "weight": weight.tolist(),
        "amount": amount.tolist(),
        "segment": segment.tolist(),
        "fold": fold.tolist(),
        "segments": SEGMENTS,
        "by_segment": by_segment,
        "tests": {
            "hits": float(chi2.sf(between, 2)),
            "amount": welch(of_amount)[1],
            "profit": welch(of_profit)[1],
        },
        "at_base_rate": {
            "hits": float((there * list_there * truth).sum()),
            "amount": float((there * list_there * gain).sum()),
            "profit": float((there * (passing + list_there * acting)).sum()),
            "best_score": cut,
            "best_profit": float((there * passing).sum()) + earned,
            "rule_acted": float(there[ruled].sum()),
            "rule_profit": float((there * (passing + ruled * acting)).sum()),
        },
        "recall_over_folds": [float(recalls.mean()), float(recalls.mean() - half), float(recalls.mean() + half)],
        "lines": lines,
        "depth": [float(end) for end in np.quantile(depths, [0.025, 0.975])],
    }
    (HERE / "list_questions.json").write_text(json.dumps(reference) + "\n")


if __name__ == "__main__":
    main()
