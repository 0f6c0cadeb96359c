"""Reference values for what the bootstrap and the calibration errors rest on, from scipy and statsmodels.

What: sandwich standard errors (HC0) of logistic recalibration; the acceleration and the BCa interval of an AUROC over two
strata, from replicates that are written down; cases for a difference by the power of a normal test. Why: these were otherwise checked against our own formulas alone.
Versions: see the file it writes, spread.json.

    python make_spread_reference.py
"""

import json
import platform
from pathlib import Path

import numpy as np
import scipy
import statsmodels
import statsmodels.api as sm
from scipy.stats._resampling import _bca_interval
from statsmodels.stats.power import NormalIndPower

HERE = Path(__file__).resolve().parent


def calibration(rng):
    """Probabilities that are too sure, and what statsmodels makes of them."""
    logit = rng.normal(-0.5, 1.5, 120)
    truth = (rng.random(120) < 1 / (1 + np.exp(-(0.3 + 0.6 * logit)))).astype(int)
    p = np.round(1 / (1 + np.exp(-logit)), 6)
    offset = np.log(p / (1 - p))
    slope = sm.GLM(truth, sm.add_constant(offset), family=sm.families.Binomial()).fit(cov_type="HC0", tol=1e-14)
    large = sm.GLM(truth, np.ones(120), offset=offset, family=sm.families.Binomial()).fit(cov_type="HC0", tol=1e-14)
    return {
        "truth": truth.tolist(),
        "p": p.tolist(),
        "slope": [float(slope.params[1]), float(slope.bse[1])],
        "intercept": [float(large.params[0]), float(large.bse[0])],
    }


def auroc(positives, negatives, axis=-1):
    """Mann-Whitney over the last axis, ties one half."""
    above = positives[..., :, None] > negatives[..., None, :]
    level = positives[..., :, None] == negatives[..., None, :]
    return (above + 0.5 * level).mean(axis=(-1, -2))


def bca(rng):
    """Two strata drawn by numpy; the ends are what scipy takes as shares of the replicates."""
    positives, negatives = np.round(rng.normal(1, 1, 18), 1), np.round(rng.normal(0, 1, 31), 1)
    draw = lambda x: x[rng.integers(0, len(x), (499, len(x)))]
    replicates = auroc(draw(positives), draw(negatives))
    low, high, acceleration = _bca_interval((positives, negatives), auroc, -1, 0.025, replicates, None, np)[:3]
    return {
        "positives": positives.tolist(),
        "negatives": negatives.tolist(),
        "replicates": replicates.tolist(),
        "acceleration": float(np.asarray(acceleration)),
        "shares": [float(low), float(high)],
    }


def planning():
    """Cases at which a two-sided normal test shows a difference of so many standard deviations of one case."""
    power = NormalIndPower(ddof=0)
    cases = lambda effect, share: float(power.solve_power(effect, alpha=0.05, power=share, ratio=0))
    return [[effect, share, cases(effect, share)] for effect in (0.05, 0.1, 0.3) for share in (0.8, 0.9)]


def main():
    rng = np.random.default_rng(7)
    reference = {
        "versions": {
            "python": platform.python_version(),
            "numpy": np.__version__,
            "scipy": scipy.__version__,
            "statsmodels": statsmodels.__version__,
        },
        "calibration": calibration(rng),
        "bca": bca(rng),
        "planning": planning(),
    }
    (HERE / "spread.json").write_text(json.dumps(reference) + "\n")


if __name__ == "__main__":
    main()
