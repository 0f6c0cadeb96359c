"""Reference values for calibrators: scikit-learn's isotonic regression and sigmoid, and a bounded fit by SciPy.

What: four sets of scored rows with weights, and what rows are worth by scikit-learn's IsotonicRegression and
_SigmoidCalibration (Platt 2000), and by the beta calibration of Kull, Silva Filho and Flach (2017), whose cross-entropy
SciPy minimises under a >= 0 and b >= 0. Both a and b are above zero in the first two sets, and only one of them in the
others. Written to calibration.json beside this file; the tests read that and need neither program. Made with Python
3.11, scikit-learn 1.9.1, SciPy 1.17.1, NumPy 2.4.6.

    python make_calibration_reference.py
"""

import json
from pathlib import Path

import numpy as np
import scipy
import sklearn
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.calibration import _SigmoidCalibration
from sklearn.isotonic import IsotonicRegression


def beta_values(scores, labels, weights):
    """What rows are worth by the a, b, c of least weighted cross-entropy, the first two not negative."""
    terms = np.column_stack([np.log(scores), -np.log1p(-scores), np.ones_like(scores)])

    def loss(parameters):
        log_odds = terms @ parameters
        value = np.sum(weights * (np.logaddexp(0, log_odds) - labels * log_odds))
        return value, terms.T @ (weights * (expit(log_odds) - labels))

    bounds = [(0, None), (0, None), (None, None)]
    options = {"ftol": 1e-15, "gtol": 1e-11, "maxiter": 10_000}
    fits = [minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B", options=options)
            for start in ([1, 1, 0], [0, 1, 0], [1, 0, 0])]
    best = min(fits, key=lambda fit: fit.fun).x
    print("a, b, c:", best)
    return expit(terms @ best)


def described(scores, labels, weights):
    isotonic = IsotonicRegression(out_of_bounds="clip").fit(scores, labels, sample_weight=weights)
    platt = _SigmoidCalibration().fit(scores, labels, sample_weight=weights)
    return {
        "scores": scores.tolist(),
        "labels": [bool(label) for label in labels],
        "weights": weights.tolist(),
        "isotonic": isotonic.predict(scores).tolist(),
        "platt": platt.predict(scores).tolist(),
        "beta": beta_values(scores, labels, weights).tolist(),
    }


def drawn(rng, n_rows, share, n_weights):
    scores = np.round(rng.uniform(0.005, 0.995, n_rows), 3)
    labels = (rng.uniform(size=n_rows) < share(scores)).astype(float)
    return described(scores, labels, rng.integers(1, n_weights + 1, n_rows).astype(float))


def main():
    rng = np.random.default_rng(7)
    curves = {
        "too sure": (400, lambda s: expit(0.4 * np.log(s) - 0.5 * np.log1p(-s) - 0.3), 1),
        "weighted": (300, lambda s: expit(1.5 * np.log(s) - 0.8 * np.log1p(-s) + 0.5), 4),
        "falls first": (600, lambda s: expit(-0.8 * np.log(s) - 2.5 * np.log1p(-s) - 2), 2),
        "falls last": (600, lambda s: expit(2.5 * np.log(s) + 0.8 * np.log1p(-s) + 2), 2),
    }
    reference = {
        "made_with": {"scikit-learn": sklearn.__version__, "scipy": scipy.__version__, "numpy": np.__version__},
        "sets": {name: drawn(rng, *curve) for name, curve in curves.items()},
    }
    Path(__file__).with_name("calibration.json").write_text(json.dumps(reference) + "\n")


if __name__ == "__main__":
    main()
