"""Reference values for support vector machines: scikit-learn's SVC (libsvm), then numpy to the last digits.

What: written to svm.json beside this file; the tests need no Python. Columns of iris and wine are standardised (mean 0,
standard deviation 1 with n - 1, weights counting as repetitions), as the learner does it; the tests have the raw
columns from elsewhere.
- `cases`: a learner in Tribunal's words, the set, whether rows have weights, and for each pair of classes (first, second):
  the dual objective, the intercept, how many support vectors each class has (null where two of them are the same row and
  share one alpha in any way), and the decision value of every tenth row, positive for the second class.
Why: libsvm keeps kernel values in single precision, so its optimum is right to six digits or so. Which rows are between
their bounds it knows well: with these known, the optimum is the solution of linear equations, which numpy solves in double
precision. The conditions of Karush, Kuhn and Tucker are then checked for all rows, so that what is written is the
optimum whatever libsvm made of it, and SVC's own decision values (decision_function_shape="ovo") must agree to 1e-4 of the
largest. Where no row is between its bounds any intercept of an interval is as good; here it is the middle, and libsvm's,
which may take a rounded alpha for one between bounds, must be within.
Made with Python 3.11, numpy 2.4, scikit-learn 1.9.1.

    python make_svm_reference.py
"""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import sklearn
from sklearn.datasets import load_iris, load_wine
from sklearn.svm import SVC

SHOWN = slice(None, None, 10)
SETS = {"iris": load_iris, "wine": load_wine}
CASES = [(kernel, c, weighted) for kernel in ("linear", "rbf") for c in (0.01, 1, 100) for weighted in (False, True)]


def weights_of(n_rows, weighted):
    """Weights that follow from the number of the row; zero leaves a row out."""
    return np.arange(n_rows) % 4 * 0.5 if weighted else np.ones(n_rows)


def standardised(x, w):
    mean = np.average(x, axis=0, weights=w)
    return (x - mean) / np.sqrt((w[:, None] * (x - mean) ** 2).sum(axis=0) / (w.sum() - 1))


def kernel_matrix(kernel, a, b):
    if kernel == "linear":
        return a @ b.T
    return np.exp(-((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2) / a.shape[1])


def solved(k, y, caps, alpha):
    """The optimum from one nearby: equations for the alphas between bounds, and which these are until all is well."""
    near = 1e-7 * caps
    lower, upper = alpha <= near, alpha >= caps - near
    for _ in range(100):
        free = ~lower & ~upper
        fixed = np.where(upper, caps, 0.0) * y
        n = int(free.sum())
        if n == 0:
            beta = fixed
        else:
            system = np.block([[k[np.ix_(free, free)], np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]])
            right = np.append(y[free] - k[free] @ fixed, -fixed.sum())
            beta = fixed.copy()
            beta[free] = np.linalg.lstsq(system, right, rcond=1e-13)[0][:n]
        error, alpha = y - k @ beta, beta * y
        may_rise, may_fall = np.where(y > 0, ~upper, ~lower), np.where(y > 0, ~lower, ~upper)
        most, least = error[may_rise].max(), error[may_fall].min()
        b = error[free].mean() if n else (most + least) / 2
        beyond = (alpha < -1e-12 * caps) | (alpha > caps * (1 + 1e-12))
        if not beyond.any() and most - least < 1e-9:
            return beta, b, (most, least) if n == 0 else (b, b)
        if beyond.any():
            worst = np.where(beyond, np.maximum(-alpha, alpha - caps), 0).argmax()
            lower[worst], upper[worst] = alpha[worst] < 0, alpha[worst] > 0
        else:
            slack = np.where(lower, 1 - y * (y - error + b), np.where(upper, y * (y - error + b) - 1, 0))
            worst = slack.argmax()
            lower[worst] = upper[worst] = False
    raise RuntimeError("the rows between bounds were not found")


def check(found, of_libsvm):
    assert np.abs(found - of_libsvm).max() < 1e-4 * max(1, np.abs(found).max()), "libsvm says something else"


def pair(kernel, c, x, w, classes, first, second):
    rows = ((classes == first) | (classes == second)) & (w > 0)
    z, y, caps = x[rows], np.where(classes[rows] == second, 1.0, -1.0), c * w[rows]
    gamma = 1 / x.shape[1]
    model = SVC(C=c, kernel=kernel, gamma=gamma, tol=1e-9, cache_size=500).fit(z, y, sample_weight=w[rows])
    alpha = np.zeros(len(y))
    alpha[model.support_] = np.abs(model.dual_coef_[0])
    k = kernel_matrix(kernel, z, z)
    beta, b, interval = solved(k, y, caps, alpha)
    found = kernel_matrix(kernel, x, z) @ beta + b
    check(found - b, model.decision_function(x) - model.intercept_)
    few = 1e-4 * max(1, np.abs(found).max())
    assert interval[0] - few < model.intercept_[0] < interval[1] + few, "libsvm has another intercept"
    is_support = np.abs(beta) > 1e-9 * caps
    support = [int((is_support & (y == sign)).sum()) for sign in (-1, 1)]
    if len(np.unique(z[is_support], axis=0)) < is_support.sum():
        support = None
    objective = (beta * y).sum() - beta @ k @ beta / 2
    return found, {"classes": [first, second], "objective": objective, "intercept": b, "support": support}


def case(name, kernel, c, weighted):
    raw, classes = SETS[name](return_X_y=True)
    w = weights_of(len(raw), weighted)
    x = standardised(raw, w)
    machines = []
    for first, second in combinations(range(3), 2):
        found, machine = pair(kernel, c, x, w, classes, first, second)
        machines.append({**machine, "decisions": found[SHOWN].tolist()})
    model = SVC(C=c, kernel=kernel, gamma=1 / x.shape[1], tol=1e-9, decision_function_shape="ovo")
    ovo = -model.fit(x, classes, sample_weight=w).decision_function(x)[SHOWN]
    for idx, machine in enumerate(machines):
        check(np.array(machine["decisions"]) - machine["intercept"], ovo[:, idx] + model.intercept_[idx])
    learner = f"svm:c={c}" if kernel == "linear" else f"svm:rbf,c={c}"
    return {"learner": learner, "set": name, "weighted": weighted, "machines": machines}


reference = {
    "made_with": f"numpy {np.__version__}, scikit-learn {sklearn.__version__}",
    "cases": [case(name, *settings) for name in SETS for settings in CASES],
}
Path(__file__).with_name("svm.json").write_text(json.dumps(reference, indent=1) + "\n")
