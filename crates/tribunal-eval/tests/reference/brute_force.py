"""Definitions that no library offers, written straight from the text and slowly.

What: the measures of `reference.json` for which scikit-learn, scipy and statsmodels have no function: weighted KS,
the AUROC sampled at 100 points, shares captured at a depth (CPH), interpolated precision, reliability bins, the
H-measure by numerical integration, and benefits.
Why: they are compared with the Rust crate, so they must not share its method: double loops, exact fractions and
`scipy.integrate.quad` instead of sorted prefix sums and closed forms.
Versions: written for Python 3.11, numpy 2.4, scipy 1.17.

Every function takes plain sequences `truth` (0/1), `score` and `weight` (always given, 1 for unweighted rows).
"""

import math
from fractions import Fraction

from scipy.integrate import quad
from scipy.stats import beta as beta_distribution


def class_weight(truth, weight, label):
    """Total weight of one class."""
    return math.fsum(w for t, w in zip(truth, weight) if t == label)


def share_at_or_above(truth, score, weight, label, cut):
    """Share of one class whose score is at least `cut`."""
    hit = math.fsum(w for t, s, w in zip(truth, score, weight) if t == label and s >= cut)
    return hit / class_weight(truth, weight, label)


def weighted_ks(truth, score, weight):
    """Largest distance, of either sign, between the two weighted distribution functions."""
    return max(
        abs(share_at_or_above(truth, score, weight, 1, cut) - share_at_or_above(truth, score, weight, 0, cut))
        for cut in set(score)
    )


def exact_roc(truth, score, weight):
    """ROC points with one point a block of equal scores, in exact fractions of the given weights."""
    weight = [Fraction(w) for w in weight]
    total = {label: sum(w for t, w in zip(truth, weight) if t == label) for label in (0, 1)}
    points = [(Fraction(0), Fraction(0))]
    for cut in sorted(set(score), reverse=True):
        rate = [
            sum((w for t, s, w in zip(truth, score, weight) if t == label and s >= cut), Fraction(0)) / total[label]
            for label in (0, 1)
        ]
        points.append((rate[0], rate[1]))
    return points


def roc_value(points, x):
    """Height of the curve at x: linear between points, the largest y on a vertical segment."""
    last = max(i for i, (fpr, _) in enumerate(points) if fpr <= x)
    fpr, tpr = points[last]
    if fpr == x or last == len(points) - 1:
        return tpr
    next_fpr, next_tpr = points[last + 1]
    return tpr + (next_tpr - tpr) * (x - fpr) / (next_fpr - fpr)


def samples_100(truth, score, weight):
    """The curve at x = i/99, i = 0..99, as fractions."""
    points = exact_roc(truth, score, weight)
    return [roc_value(points, Fraction(i, 99)) for i in range(100)]


def auroc_100(truth, score, weight):
    """Trapezoid over the 100 samples."""
    y = samples_100(truth, score, weight)
    return float(sum((y[i] + y[i + 1]) / 2 for i in range(99)) / 99)


def upper_hull(points):
    """Vertices of the upper convex hull of ROC points together with (0, 0) and (1, 1), by testing every chord."""
    candidates = sorted(set(points) | {(0, 0), (1, 1)})
    hull = [(0, 0)]
    while hull[-1] != (1, 1):
        x0, y0 = hull[-1]
        ahead = [(x, y) for x, y in candidates if (x > x0 and y >= y0) or (x == x0 and y > y0)]
        steepest = max(math.inf if x == x0 else (y - y0) / (x - x0) for x, y in ahead)
        on_chord = [
            (x, y) for x, y in ahead if (math.inf if x == x0 else (y - y0) / (x - x0)) == steepest
        ]
        hull.append(max(on_chord))
    return hull


def captured_share(truth, score, weight, depth):
    """CPH: share of the positives in the top share `depth` of the list; a tied block is entered linearly."""
    wanted = depth * math.fsum(weight)
    captured = []
    for cut in set(score):
        above = math.fsum(w for s, w in zip(score, weight) if s > cut)
        block = math.fsum(w for s, w in zip(score, weight) if s == cut)
        taken = min(max((wanted - above) / block, 0.0), 1.0) if block > 0 else 0.0
        captured.append(
            taken * math.fsum(w for t, s, w in zip(truth, score, weight) if s == cut and t == 1)
        )
    return math.fsum(captured) / class_weight(truth, weight, 1)


def interpolated_precision(precision, recall, level):
    """Best precision at a recall of at least `level`."""
    return max(p for p, r in zip(precision, recall) if r >= level)


def mean_interpolated_precision(precision, recall, levels):
    """Mean of the interpolated precision over recall levels."""
    return math.fsum(interpolated_precision(precision, recall, level) for level in levels) / len(levels)


def in_bin(p, i):
    """Bin i of ten is [i/10, (i+1)/10); the last is closed."""
    return i / 10 <= p and (p < (i + 1) / 10 or i == 9)


def reliability_bins(truth, score, weight):
    """The non-empty ones of ten equal-width bins: (weight, mean forecast, share of positives)."""
    bins = []
    for i in range(10):
        rows = [(t, p, w) for t, p, w in zip(truth, score, weight) if in_bin(p, i)]
        total = math.fsum(w for _, _, w in rows)
        if total > 0:
            forecast = math.fsum(w * p for _, p, w in rows) / total
            outcome = math.fsum(w * t for t, _, w in rows) / total
            bins.append((total, forecast, outcome))
    return bins


def expected_calibration_error(truth, score, weight):
    """ECE over the ten bins."""
    bins = reliability_bins(truth, score, weight)
    return math.fsum(n * abs(forecast - outcome) for n, forecast, outcome in bins) / math.fsum(weight)


def brier_decomposition(truth, score, weight, brier):
    """Murphy's terms over the ten bins, and what the binning leaves unexplained."""
    bins = reliability_bins(truth, score, weight)
    total = math.fsum(weight)
    base = class_weight(truth, weight, 1) / total
    reliability = math.fsum(n * (forecast - outcome) ** 2 for n, forecast, outcome in bins) / total
    resolution = math.fsum(n * (outcome - base) ** 2 for n, _, outcome in bins) / total
    uncertainty = base * (1 - base)
    return {
        "brier_reliability": reliability,
        "brier_resolution": resolution,
        "brier_uncertainty": uncertainty,
        "brier_within_bin": brier - (reliability - resolution + uncertainty),
    }


def kink_costs(hull, share_positive):
    """Costs at which the best operating point changes: one for each edge of the hull."""
    costs = []
    for (x0, y0), (x1, y1) in zip(hull, hull[1:]):
        gain, loss = share_positive * (y1 - y0), (1 - share_positive) * (x1 - x0)
        costs.append(gain / (gain + loss))
    return costs


def integrate_pieces(function, cuts):
    """Integral over [0, 1], one adaptive quadrature between neighbouring cuts."""
    cuts = sorted({0.0, 1.0, *cuts})
    return math.fsum(quad(function, a, b, epsabs=1e-15, epsrel=1e-13, limit=200)[0] for a, b in zip(cuts, cuts[1:]))


def h_measure_by_quadrature(truth, score, weight):
    """H of Hand (2009) with the costs of Hand and Anagnostopoulos (2014): c ~ Beta(2, 1 + pi0/pi1).

    c is the cost of a false positive, 1 - c of a false negative, and the loss at c is that of the best ROC point.
    """
    total = {label: class_weight(truth, weight, label) for label in (0, 1)}
    share = total[1] / (total[0] + total[1])
    points = [(float(x), float(y)) for x, y in exact_roc(truth, score, weight)]
    density = beta_distribution(2, 1 + total[0] / total[1]).pdf
    hull = upper_hull(points)

    def loss(c):
        best = min(c * (1 - share) * fpr + (1 - c) * share * (1 - tpr) for fpr, tpr in points)
        return best * density(c)

    def trivial_loss(c):
        return min(c * (1 - share), (1 - c) * share) * density(c)

    cuts = [share, *kink_costs(hull, share)]
    return 1 - integrate_pieces(loss, cuts) / integrate_pieces(trivial_loss, cuts)


def benefits(truth, score, weight, amount, threshold, contact_cost):
    """Benefit of contacting rows scored at or above the threshold: amount - cost for +, -cost for -, else 0."""

    def total(contacted):
        return math.fsum(
            w * ((a if t == 1 else 0.0) - contact_cost)
            for t, s, w, a in zip(truth, score, weight, amount)
            if contacted(s)
        )

    by_rule = total(lambda s: s >= threshold)
    return {
        "contact_cost": contact_cost,
        "total": by_rule,
        "per_row": by_rule / math.fsum(weight),
        "all_plus": total(lambda _: True),
        "all_minus": 0.0,
    }
