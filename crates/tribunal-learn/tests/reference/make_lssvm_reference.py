"""Reference values for least-squares support vector machines: the bordered system of all multipliers, solved by numpy.

What: written to lssvm.json beside this file; the tests need no Python. Columns stand one after another.
- `columns`, `classes`, `three`, `weights`, `asked`: 60 training rows with two classes, the same with three, weights from
  1 to 3, and 20 rows to score. All are on the scale of the training rows (mean 0, standard deviation 1, n - 1; with weights
  a weight of 2 is the row twice).
- `machines`: for each learner the score of the asked rows, b and the multipliers; with weights the rows are repeated; of
  three classes each is told from all others.
- `left_out`: the scores of training rows by machines of the others, one by one and in five folds (row number modulo five),
  on the scale of all rows.
Why: the program under test solves two smaller systems by Cholesky factors, or one of as many equations as columns; here
`[0 t'; t, Omega + I/gamma] [b; alpha] = [0; 1]` with `Omega_ij = t_i t_j K_ij` is solved as it stands, by LU factors, anew
for every fold. scikit-learn's KernelRidge, which has no bias, must give the same scores on centred kernels.
Made with Python 3.11, numpy 2.4, scikit-learn 1.9.1.

    python make_lssvm_reference.py
"""

import json
from pathlib import Path

import numpy as np
import sklearn
from sklearn.kernel_ridge import KernelRidge

KERNELS = {
    "linear": lambda x, z: x @ z.T,
    "poly=2": lambda x, z: (x @ z.T + 1) ** 2,
    "poly=3": lambda x, z: (x @ z.T + 1) ** 3,
    "rbf,sigma=2.5": lambda x, z: np.exp(-((x[:, None] - z[None]) ** 2).sum(axis=2) / 2.5**2),
}
GAMMAS = (0.01, 1.0, 100.0)


def machine(kernel, gamma, x, t):
    """b and the multipliers alpha."""
    n = len(t)
    system = np.zeros((n + 1, n + 1))
    system[0, 1:] = system[1:, 0] = t
    system[1:, 1:] = np.outer(t, t) * kernel(x, x) + np.eye(n) / gamma
    solution = np.linalg.solve(system, np.r_[0.0, np.ones(n)])
    return solution[0], solution[1:]


def scores(kernel, gamma, x, t, asked):
    b, alpha = machine(kernel, gamma, x, t)
    return kernel(asked, x) @ (alpha * t) + b


def scaled(x, asked):
    """On the scale of the first."""
    mean, sd = x.mean(axis=0), x.std(axis=0, ddof=1)
    return (x - mean) / sd, (asked - mean) / sd


def left_out(kernel, gamma, x, t, folds):
    found = np.zeros(len(t))
    for fold in np.unique(folds):
        inside = folds != fold
        found[~inside] = scores(kernel, gamma, x[inside], t[inside], x[~inside])
    return found


def check_ridge(gamma, x, t, asked):
    """A bias that costs nothing is what centring does: targets and columns less their means."""
    ridge = KernelRidge(alpha=1 / gamma, kernel="linear").fit(x - x.mean(axis=0), t - t.mean())
    expected = ridge.predict(asked - x.mean(axis=0)) + t.mean()
    assert np.allclose(scores(KERNELS["linear"], gamma, x, t, asked), expected, rtol=0, atol=1e-10)


def main():
    random = np.random.default_rng(20)
    x, asked = random.normal(size=(60, 4)), random.normal(size=(20, 4))
    x[:, 3], asked[:, 3] = x[:, 3] > 0.5, asked[:, 3] > 0.5
    signal = x[:, 0] - x[:, 1] * x[:, 3] + random.normal(size=60)
    classes, three = (signal > 0.3).astype(int), np.digitize(signal, [-0.5, 0.7])
    weights = random.integers(1, 4, size=60)
    sign = lambda is_so: np.where(is_so, 1.0, -1.0)
    machines, left = [], []
    plain, plain_asked = scaled(x, asked)
    repeated, repeated_asked = scaled(np.repeat(x, weights, axis=0), asked)
    for name, kernel in KERNELS.items():
        for gamma in GAMMAS:
            t = sign(classes == 1)
            check_ridge(gamma, plain, t, plain_asked)
            b, alpha = machine(kernel, gamma, plain, t)
            of_three = [scores(kernel, gamma, plain, sign(three == one), plain_asked).tolist() for one in range(3)]
            machines.append({
                "learner": f"lssvm:{name},gamma={gamma}",
                "b": b,
                "alpha": alpha.tolist(),
                "scores": scores(kernel, gamma, plain, t, plain_asked).tolist(),
                "weighted": scores(kernel, gamma, repeated, np.repeat(t, weights), repeated_asked).tolist(),
                "three": of_three,
            })
            left.append({
                "learner": f"lssvm:{name},gamma={gamma},paper",
                "one": left_out(kernel, gamma, plain, t, np.arange(60)).tolist(),
                "five": left_out(kernel, gamma, plain, t, np.arange(60) % 5).tolist(),
            })
    reference = {
        "made_with": {"numpy": np.__version__, "scikit-learn": sklearn.__version__},
        "columns": x.T.tolist(), "classes": classes.tolist(), "three": three.tolist(),
        "weights": weights.tolist(), "asked": asked.T.tolist(), "machines": machines, "left_out": left,
    }
    Path(__file__).with_name("lssvm.json").write_text(json.dumps(reference) + "\n")


if __name__ == "__main__":
    main()
