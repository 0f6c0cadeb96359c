"""Reference values for selections by a score: score_selection.json.

What: figures of all cases and of the cases above a cut, by scikit-learn on the rows themselves. Of a block of equal scores that
the cut divides every row counts the share of the block that is above the cut (sample_weight), which is what is expected where
ties are taken in random order. AUROC within bands: scikit-learn's AUROC of each band that holds both classes, averaged by pairs.
Figures within bands of all cases are standardised to the mix of the selection by hand. The raw area under the risk chart is the
trapezoid rule over its points.
Why: scikit-learn knows nothing of our rankings, tallies and upper parts.
Versions: those used are written into the file.

    python make_score_selection_reference.py
"""

import json
import platform
from pathlib import Path

import numpy as np
import sklearn
from sklearn.metrics import accuracy_score, auc, brier_score_loss, log_loss, roc_auc_score

SEED = 20263
CUTOFF = 0.4
EDGES = [0.1, 0.2, 0.35, 0.5, 0.65]


def cases(rng):
    """Scores that are continuous, tied, weighted, and of a rare class."""
    n = 300
    p = 1 / (1 + np.exp(1.0 - 1.4 * rng.normal(size=n)))
    truth = (rng.random(n) < p).astype(int)
    weight = rng.integers(1, 9, n) / 4
    yield "continuous", truth, p, np.ones(n), 0.3
    yield "tied", truth, np.round(p, 1), np.ones(n), 0.37
    yield "weighted", truth, np.round(p, 2), weight, 0.5
    yield "weighted_ties", truth, np.round(p * 4) / 4, weight, 0.45
    rare = (rng.random(n) < p**3).astype(int)
    yield "rare", rare, np.round(p**3, 2), np.ones(n), 0.25


def inside(score, weight, share):
    """The weight of each row above the cut below this share of the list."""
    depth, taken = share * weight.sum(), np.zeros_like(weight)
    above = 0.0
    for value in np.unique(score)[::-1]:
        tied = score == value
        own = weight[tied].sum()
        taken[tied] = weight[tied] * min(max((depth - above) / own, 0), 1)
        above += own
    return taken


def risk_area(truth, score, weight):
    """Area under recall over caseload, a point after each block."""
    x, y = [0.0], [0.0]
    for value in np.unique(score)[::-1]:
        above = score >= value
        x.append(weight[above].sum() / weight.sum())
        y.append((weight * truth)[above].sum() / (weight * truth).sum())
    return auc(x, y)


def band_figures(truth, score, weight):
    """Of each band weight, pairs, strike rate, mean score less strike rate and AUROC."""
    band = np.digitize(score, EDGES)
    found = []
    for b in range(len(EDGES) + 1):
        rows = (band == b) & (weight > 0)
        w, y, s = weight[rows], truth[rows], score[rows]
        pairs = w[y == 1].sum() * w[y == 0].sum()
        total = w.sum()
        rate = (w * y).sum() / total if total > 0 else 0
        gap = (w * s).sum() / total - rate if total > 0 else 0
        area = roc_auc_score(y, s, sample_weight=w) if pairs > 0 else 0
        found.append([total, pairs, rate, gap, area])
    return np.array(found)


def figures(truth, score, weight):
    rows = weight > 0
    y, s, w = truth[rows], score[rows], weight[rows]
    bands = band_figures(truth, score, weight)
    right = accuracy_score(y, s >= CUTOFF, sample_weight=w)
    rate = np.average(y, weights=w)
    return {
        "auroc_within_bands": float((bands[:, 1] * bands[:, 4]).sum() / bands[:, 1].sum()),
        "strike_rate": float(rate),
        "pcc": float(right),
        "error_rate": float(1 - right),
        "auroc": float(roc_auc_score(y, s, sample_weight=w)),
        "risk_area": float(risk_area(y, s, w)),
        "risk_area_lowest": float(rate / 2),
        "risk_area_highest": float(1 - rate / 2),
        "brier": float(brier_score_loss(y, s, sample_weight=w)),
        "log_loss": float(log_loss(y, np.clip(s, 1e-15, 1 - 1e-15), sample_weight=w)),
        "calibration_in_the_large": float(np.average(s, weights=w) - rate),
    }


def standardised(all_bands, own):
    """Figures of the bands of all cases at the mix of the selection."""
    w, pairs = own[:, 0], own[:, 1]
    return {
        "strike_rate_in_bands": float((w * all_bands[:, 2]).sum() / w.sum()),
        "auroc_within_bands": float((pairs * all_bands[:, 4]).sum() / pairs.sum()),
        "calibration_in_bands": float((w * all_bands[:, 3]).sum() / w.sum()),
    }


def main():
    rng = np.random.default_rng(SEED)
    found = []
    for name, truth, score, weight, share in cases(rng):
        taken = inside(score, weight, share)
        found.append(
            {
                "name": name,
                "truth": truth.tolist(),
                "score": score.tolist(),
                "weight": weight.tolist(),
                "share": share,
                "all": figures(truth, score, weight),
                "selected": figures(truth, score, taken),
                "same_bands": standardised(band_figures(truth, score, weight), band_figures(truth, score, taken)),
            }
        )
    reference = {
        "versions": {
            "python": platform.python_version(),
            "numpy": np.__version__,
            "scikit-learn": sklearn.__version__,
        },
        "cutoff": CUTOFF,
        "edges": EDGES,
        "cases": found,
    }
    path = Path(__file__).with_name("score_selection.json")
    path.write_text(json.dumps(reference, indent=1) + "\n")


if __name__ == "__main__":
    main()
