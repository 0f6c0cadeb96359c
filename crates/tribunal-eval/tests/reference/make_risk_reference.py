"""Reference values for risk charts, written by hand in numpy: risk.json.

What: the curves at every block of equal scores, the areas under them and under those of the best and the worst order,
standardised areas, slices, captures, and the influence values of the standardised area of amounts from the kernel of all
pairs. Why: no other program computes them; rattle's riskchart is not available. Orders are tried one by one here, with
ties averaged over both directions, instead of by the formulas that the Rust code uses.
Versions: Python 3.11, numpy 2.4.6; those actually used are written into the file.

    python make_risk_reference.py
"""

import json
import platform
from pathlib import Path

import numpy as np

SEED = 20262
SHARES = (0.05, 0.1, 0.25, 0.4, 0.75, 1.0)
PAIRED_ROWS = 120


def cases(rng):
    """Lists that are awkward: ties, weights, amounts that are zero, negative, constant or of everybody."""
    n = 240
    truth = (rng.random(n) < 0.25).astype(int)
    score = rng.normal(size=n) + truth
    lognormal = np.round(np.exp(rng.normal(4, 1.2, n)), 2)
    yield "continuous", truth, score, None, np.where(truth, lognormal, 0)
    yield "tied", truth, np.round(score), None, np.where(truth, lognormal, 0)
    weight = rng.integers(1, 17, n) / 8
    yield "weighted", truth, np.round(score, 1), weight, np.where(truth, np.round(lognormal, -1), 0)
    zero_inflated = np.where((truth == 1) & (rng.random(n) < 0.4), lognormal, 0)
    yield "zero_inflated", truth, np.round(score, 1), None, zero_inflated
    signed = np.where(truth, lognormal * np.where(rng.random(n) < 0.2, -1, 1), 0)
    yield "signed", truth, score, weight, signed
    everybody = np.where(truth, lognormal, np.round(-rng.exponential(5, n), 1))
    yield "everybody", truth, np.round(score, 1), weight, everybody
    yield "constant_amounts", truth, score, None, np.full(n, 7.5)
    yield "constant_scores", truth, np.zeros(n), weight, np.where(truth, lognormal, 0)
    yield "amount_of_one", truth, np.round(score), weight, truth.astype(float)


def blocks(key, weight, value):
    """Shares of the weight and of the value at the end of each block of equal keys, the largest key first."""
    distinct = np.unique(key)[::-1]
    own = np.array([[weight[key == k].sum(), (weight * value)[key == k].sum()] for k in distinct])
    through = np.vstack([[0, 0], np.cumsum(own, axis=0)])
    return through[:, 0] / through[-1, 0], through[:, 1] / through[-1, 1]


def area(curve):
    return float(np.trapezoid(curve[1], curve[0]))


def influence(score, weight, amount):
    """Influence values of the standardised area of amounts, from the pairs of all rows."""
    p = weight / weight.sum()

    def kernel(key):
        above = (key[None, :] > key[:, None]) + 0.5 * (key[None, :] == key[:, None])
        return amount[:, None] * (0.5 - above)

    def value_and_influence(key):
        k = kernel(key)
        value = p @ k @ p
        return value, k @ p + p @ k - 2 * value

    a, of_a = value_and_influence(score)
    b, of_b = value_and_influence(amount)
    return (of_a - a / b * of_b) / b / 2


def expected(truth, score, weight, amount):
    recall, amounts = blocks(score, weight, truth), blocks(score, weight, amount)
    best, worst = blocks(amount, weight, amount), blocks(-amount, weight, amount)
    best_recall, worst_recall = blocks(truth, weight, truth), blocks(1 - truth, weight, truth)
    at = lambda curve, x: float(np.interp(x, *curve))
    base_rate = float((weight * truth).sum() / weight.sum())
    slices = [at(recall, (k + 1) / 10) - at(recall, k / 10) for k in range(10)]
    standardised = lambda curve, low, high: (area(curve) - area(low)) / (area(high) - area(low))
    is_constant = len(np.unique(amount)) == 1
    half = slice(0, PAIRED_ROWS)
    return {
        "base_rate": base_rate,
        "share": recall[0].tolist(),
        "recall": recall[1].tolist(),
        "amount": amounts[1].tolist(),
        "total": float((weight * amount).sum()),
        "cases": [area(recall), area(worst_recall), area(best_recall), standardised(recall, worst_recall, best_recall)],
        "amounts": [area(amounts), area(worst), area(best), 0.5 if is_constant else standardised(amounts, worst, best)],
        "strike_rates": [10 * base_rate * own for own in slices],
        "captures": [
            [x, at(recall, x), at(best_recall, x), at(amounts, x), at(best, x), at(worst, x)] for x in SHARES
        ],
        "influence": None if is_constant else influence(score[half], weight[half], amount[half]).tolist(),
    }


def main():
    rng = np.random.default_rng(SEED)
    written = []
    for name, truth, score, weight, amount in cases(rng):
        weights = np.ones(len(truth)) if weight is None else weight
        written.append(
            {
                "name": name,
                "truth": truth.tolist(),
                "score": [float(s) for s in score],
                "weight": None if weight is None else weight.tolist(),
                "amount": [float(a) for a in amount],
                "expected": expected(truth, score, weights, amount),
            }
        )
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    out = {"versions": versions, "paired_rows": PAIRED_ROWS, "cases": written}
    Path(__file__).with_name("risk.json").write_text(json.dumps(out) + "\n")


if __name__ == "__main__":
    main()
