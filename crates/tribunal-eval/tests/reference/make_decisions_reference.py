"""Reference values for profits, their intervals and counts to come, from numpy and scipy.

What: the profit of lists and rules under benefits that differ from case to case, ties shared out; the best cut by trying them all;
intervals of three kinds from influence values written out as arrays: Hall's for any values, gain less cost added arm by arm (Zou and
Donner 2008), and the list alone; ends of prediction intervals as roots of the pivot that Krishnamoorthy and Peng (2011) invert, found
by Brent's method instead of the quadratic formula. Why: these were otherwise checked against our own formulas alone.
Versions: see the file it writes, decisions.json.

    python make_decisions_reference.py
"""

import json
import platform
from pathlib import Path

import numpy as np
import scipy
from scipy.optimize import brentq
from scipy.stats import norm, t

HERE = Path(__file__).resolve().parent
Z = norm.ppf(0.975)


def shares_in_list(scores, size):
    """How likely each row is among the first `size`, ties in random order."""
    above = np.array([(scores > s).sum() for s in scores])
    tied = np.array([(scores == s).sum() for s in scores])
    return np.clip((size - above) / tied, 0, 1)


def variance(phi, truth):
    """The variance of a mean with these influence values, drawn within and between the classes, with its kurtosis and skewness."""
    n, parts = len(phi), [phi[truth == 1], phi[truth == 0]]
    within = sum(part.var(ddof=1) * len(part) for part in parts) / n**2
    between = sum(len(part) * part.mean() ** 2 for part in parts) / (n * (n - 1))
    kurtosis = (phi**4).mean() / (phi**2).mean() ** 2
    skewness = (phi**3).mean() / (phi**2).mean() ** 1.5
    return within + between, max(2 * n / (kurtosis - 1), 1), skewness


def hall(mean, phi, truth):
    """Hall's cubic on both sides."""
    v, df, skewness = variance(phi, truth)
    a, q = skewness / np.sqrt(len(phi)), t.ppf(0.975, df)
    g = lambda x: 3 * (np.cbrt(1 + a * (x - a / 6)) - 1) / a
    return mean - np.sqrt(v) * g(q), mean - np.sqrt(v) * g(-q)


def gain_interval(mean, phi, truth):
    """The log scale below, the larger of it and Hall's above."""
    v, df, _ = variance(phi, truth)
    step = np.exp(t.ppf(0.975, df) * np.sqrt(v) / mean)
    return mean / step, max(mean * step, hall(mean, phi, truth)[1])


def wilson(f, n):
    centre, half = f + Z**2 / (2 * n), Z * np.sqrt(f * (1 - f) / n + Z**2 / (4 * n**2))
    return (centre - half) / (1 + Z**2 / n), (centre + half) / (1 + Z**2 / n)


def share_interval(phi, f, n, truth):
    """Wilson's interval on as many cases as vary alike; more than 3.5 cases on either side."""
    v = variance(phi, truth)[0]
    s = (f * n + Z**2 / 2) / (n + Z**2)
    return wilson(f, s * (1 - s) / (v + max(s * (1 - s) - f * (1 - f), 0) / n))


def at_cut(scores, size):
    """Rows of the blocks that meet the ranks half a list above and below the cut."""
    half = min(size, max(size / 2, 5))
    above = np.array([(scores > s).sum() for s in scores])
    through = np.array([(scores >= s).sum() for s in scores])
    return (through > size - half) & (above < size + half)


def predicted(f, n, m):
    """Where the pivot of both samples together reaches the quantile."""
    f = min(max(f, 0.5 / n), 1 - 0.5 / n)

    def beyond(y):
        p = (n * f + y) / (n + m)
        return (y - m * f) ** 2 - Z**2 * m * (n + m) / n * p * (1 - p)

    end = lambda far: far if beyond(far) <= 0 else brentq(beyond, far, m * f, xtol=1e-13)
    return end(0.0), end(float(m))


def main():
    rng = np.random.default_rng(11)
    n = 160
    truth = (rng.random(n) < 0.3).astype(int)
    scores = np.round(rng.standard_normal(n) + 1.2 * truth, 1)
    amount = np.round(np.exp(rng.standard_normal(n)) * 10, 2)
    cost, cut, size = 2.0, 0.8, 40
    listed, ruled = shares_in_list(scores, size), (scores >= cut).astype(float)
    gain = truth * amount
    worth = gain - cost
    four = {"hit": 3.0, "false_positive": -1.0, "false_negative": -5.0, "correct_rejection": 0.5}
    acting = np.where(truth == 1, four["hit"] - four["false_negative"], four["false_positive"] - four["correct_rejection"])
    passing = np.where(truth == 1, four["false_negative"], four["correct_rejection"])

    near = at_cut(scores, size)
    phi_list = listed * (gain - gain[near].mean())
    in_list = gain_interval((listed * gain).mean(), phi_list - phi_list.mean(), truth)
    gained, acted = ruled * gain, ruled
    low, high = gain_interval(gained.mean(), gained - gained.mean(), truth)
    few, many = share_interval(acted - acted.mean(), acted.mean(), n, truth)
    r = np.corrcoef(gained, acted)[0, 1]
    arm = lambda a, b: np.sqrt(a**2 + b**2 - 2 * r * a * b)
    of_rule = (gained - cost * acted).mean()
    rule = (
        of_rule - arm(gained.mean() - low, cost * (many - acted.mean())),
        of_rule + arm(high - gained.mean(), cost * (acted.mean() - few)),
    )
    cells = passing + ruled * acting
    cuts = np.unique(scores)
    totals = [worth[scores >= s].sum() for s in cuts]
    reference = {
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__},
        "truth": truth.tolist(),
        "scores": scores.tolist(),
        "amount": amount.tolist(),
        "cost": cost,
        "cut": cut,
        "size": size,
        "four": four,
        "list": [float((listed * worth).sum()), *(float(n * end - size * cost) for end in in_list)],
        "rule": [float((ruled * worth).sum()), *(float(n * end) for end in rule)],
        "four_cells": [float(cells.sum()), *(float(n * end) for end in hall(cells.mean(), cells - cells.mean(), truth))],
        "random": float(size / n * worth.sum()),
        "ceiling": float(worth[worth > 0].sum()),
        "best": [float(cuts[np.argmax(totals)]), float(max(totals))],
        "predicted": [
            [f, m_n[0], m_n[1], *predicted(f, *m_n)]
            for f in (0.0, 0.05, 0.305, 1.0)
            for m_n in ((200, 200), (50, 1000), (2000, 20))
        ],
    }
    (HERE / "decisions.json").write_text(json.dumps(reference) + "\n")


if __name__ == "__main__":
    main()
