"""Reference values for density ratios of two samples: density_ratio.json.

What: weights of the rows of D by logistic regression and by kernel mean matching, on data that are awkward: duplicate rows,
constant columns, a single row of T, disjoint supports, weights. How: the logistic objective is minimised by scipy's BFGS and
polished by Newton steps; the quadratic program of kernel mean matching is solved by cvxopt (a cone solver) to 1e-12, and on
the worked example by scipy's SLSQP too. Weighted rows are repeated.
It first asserts the golden numbers of the worked examples.
Versions: Python 3.11, numpy 2.4, scipy 1.17, cvxopt 1.3; those actually used are written into the file.

    python make_density_ratio_reference.py
"""

import json
import platform
from pathlib import Path

import cvxopt
import numpy as np
import scipy
from scipy.optimize import minimize
from scipy.spatial.distance import cdist

SEED = 70707
LAMBDA, MOST, BOUND = 1e-3, 50.0, 1000.0


def logistic(D, T, v, u):
    """Coefficients (intercept first) and clipped weights of D."""
    X = np.c_[np.ones(len(D) + len(T)), np.r_[D, T]]
    y, weight = np.r_[np.zeros(len(D)), np.ones(len(T))], np.r_[v, u]
    penalty = np.r_[0, np.full(X.shape[1] - 1, LAMBDA)]

    def value(b):
        eta = X @ b
        return float((weight * (np.logaddexp(0, eta) - y * eta)).sum() + 0.5 * (penalty * b * b).sum())

    def gradient(b):
        return X.T @ (weight * (1 / (1 + np.exp(-X @ b)) - y)) + penalty * b

    b = minimize(value, np.zeros(X.shape[1]), jac=gradient, method="BFGS", options={"gtol": 1e-8, "maxiter": 5000}).x
    for _ in range(20):
        p = 1 / (1 + np.exp(-X @ b))
        b = b - np.linalg.lstsq(X.T @ (X * (weight * p * (1 - p))[:, None]) + np.diag(penalty), gradient(b), rcond=None)[0]
    assert np.abs(gradient(b)).max() < 1e-9, np.abs(gradient(b)).max()
    return b, np.minimum(v.sum() / u.sum() * np.exp(X[: len(D)] @ b), MOST)


def bandwidth(D, T, v, u):
    """The median of the positive squared distances of pairs, where D and T weigh the same in all."""
    X, w = np.r_[D, T], np.r_[v / v.sum(), u / u.sum()]
    i, j = np.triu_indices(len(X), 1)
    d, p = ((X[i] - X[j]) ** 2).sum(1), w[i] * w[j]
    d, p = d[(d > 0) & (p > 0)], p[(d > 0) & (p > 0)]
    if len(d) == 0:
        return 1.0
    order = np.argsort(d)
    d, p = d[order], np.cumsum(p[order])
    half = p[-1] / 2
    first = np.searchsorted(p, half * (1 - 1e-12))
    exact = abs(p[first] - half) <= 1e-12 * p[-1]
    return float((d[first] + d[first + 1]) / 2 if exact else d[first])


def program(D, T, u, s2, copies):
    """K, kappa, n and eps of the rows of D, each repeated as often as it weighs."""
    R = np.repeat(D, copies, axis=0)
    n = len(R)
    K = np.exp(-cdist(R, R, "sqeuclidean") / s2)
    kappa = n * (np.exp(-cdist(R, T, "sqeuclidean") / s2) @ (u / u.sum()))
    return K, kappa, n, (np.sqrt(n) - 1) / np.sqrt(n)


def solve(K, kappa, n, eps):
    cvxopt.solvers.options.update({"show_progress": False, "abstol": 1e-13, "reltol": 1e-13, "feastol": 1e-13, "maxiters": 500})
    G = np.r_[-np.eye(n), np.eye(n), np.ones((1, n)), -np.ones((1, n))]
    h = np.r_[np.zeros(n), np.full(n, BOUND), n * (1 + eps), -n * (1 - eps)]
    found = cvxopt.solvers.qp(*(cvxopt.matrix(x) for x in (K, -kappa, G, h)))
    return np.array(found["x"]).ravel()


def objective(K, kappa, b):
    return float(0.5 * b @ K @ b - kappa @ b)


def kmm(D, T, v, u):
    s2 = bandwidth(D, T, v, u)
    copies = v.astype(int)
    K, kappa, n, eps = program(D, T, u, s2, copies)
    b = solve(K, kappa, n, eps)
    # Copies of a row share what they have.
    owner = np.repeat(np.arange(len(D)), copies)
    mean = np.bincount(owner, weights=b, minlength=len(D)) / np.maximum(copies, 1)
    # What the optimum determines even where the weights are not unique: the objective and the fit K b.
    return {"s2": s2, "kappa": kappa.tolist(), "weights": mean.tolist(), "objective": objective(K, kappa, b),
            "fit": (K @ b).tolist(), "is_unique": bool(np.linalg.eigvalsh(K)[0] > 1e-7)}


def check_golden():
    close = lambda a, b: np.testing.assert_allclose(a, b, atol=6e-9)
    D, T = np.arange(0, 4, 0.5)[:, None], np.arange(1.5, 4.5, 0.5)[:, None]
    b, w = logistic(D, T, np.ones(8), np.ones(6))
    close(b, [-2.368800095, .914389912])
    close(w, [.124790615, .197123850, .311384091, .491873773, .776981919, 1.227349243, 1.938766047, 3.062546221])
    D, T = np.arange(4.0)[:, None], np.arange(2.0, 5)[:, None]
    K, kappa, n, eps = program(D, T, np.ones(3), 2.0, np.ones(4, int))
    close(kappa, [.195706323, 1.003966586, 2.322487924, 2.950748426])
    sums = [{"type": "ineq", "fun": lambda b: n * (1 + eps) - b.sum()}, {"type": "ineq", "fun": lambda b: b.sum() - n * (1 - eps)}]
    other = minimize(lambda b: objective(K, kappa, b), np.ones(n), jac=lambda b: K @ b - kappa, bounds=[(0, BOUND)] * n,
                     constraints=sums, method="SLSQP", options={"ftol": 1e-16, "maxiter": 1000}).x
    for b, tolerance in ((solve(K, kappa, n, eps), 6e-9), (other, 1e-6)):
        np.testing.assert_allclose(b, [0, .297506875, .595997615, 2.548994426], atol=tolerance)
        close(objective(K, kappa, b), -4.602162752)


def cases(rng):
    def case(name, D, T, v=None, u=None):
        D, T = (np.round(np.array(x, float).reshape(len(x), -1), 3) for x in (D, T))
        return name, D, T, np.ones(len(D)) if v is None else v, np.ones(len(T)) if u is None else u

    plain = rng.normal(size=(25, 2)), rng.normal(0.7, 0.8, size=(15, 2))
    yield case("plain", *plain)
    some = rng.normal(size=(6, 2))
    yield case("duplicate_rows", some[rng.integers(0, 6, 24)], some[rng.integers(2, 6, 10)])
    yield case("constant_column", np.c_[plain[0], np.full(25, 0.0)], np.c_[plain[1], np.full(15, 0.0)])
    yield case("one_target_row", plain[0], [[0.5, 1.0]])
    yield case("disjoint_supports", rng.normal(-4, 0.5, size=(20, 2)), rng.normal(4, 0.5, size=(12, 2)))
    yield case("same_rows", plain[0], plain[0])
    yield case("all_rows_equal", np.ones((8, 1)), np.ones((5, 1)))
    yield case("flags", rng.integers(0, 2, size=(40, 3)), (rng.random((30, 3)) < [0.9, 0.2, 0.5]))
    yield case("weighted", *plain, rng.integers(0, 4, 25).astype(float), rng.integers(1, 4, 15).astype(float))
    yield case("two_rows", [[0.0], [1.0]], [[1.0], [1.0]])
    yield case("far_outlier", np.r_[rng.normal(size=(20, 1)), [[1000.0]]], rng.normal(0.5, 1, size=(20, 1)))


def main():
    check_golden()
    made = []
    for name, D, T, v, u in cases(np.random.default_rng(SEED)):
        b, w = logistic(D, T, v, u)
        made.append({"name": name, "d": D.tolist(), "t": T.tolist(), "weight_d": v.tolist(), "weight_t": u.tolist(),
                     "logistic": {"coefficients": b.tolist(), "weights": w.tolist()}, "kmm": kmm(D, T, v, u)})
    text = {"versions": {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__,
                         "cvxopt": cvxopt.__version__}, "cases": made}
    Path(__file__).with_name("density_ratio.json").write_text(json.dumps(text, separators=(",", ":")) + "\n")
    for one in made:
        print(one["name"], one["kmm"]["s2"], one["kmm"]["objective"], one["kmm"]["is_unique"], one["logistic"]["coefficients"])


if __name__ == "__main__":
    main()
