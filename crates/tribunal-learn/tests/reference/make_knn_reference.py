"""Reference values for k nearest neighbours: scikit-learn where no distances tie, plain numpy where they do.

What: written to knn.json beside this file; the tests need no Python. Columns stand one after another.
- `apart`: 200 training rows and 60 to score, five columns on a common scale (mean 0 and standard deviation 1, n - 1, of
  the training rows), no two distances of a row equal; class shares by scikit-learn's KNeighborsClassifier, two classes
  (share of class 1) and three (shares of all).
- `tied`: whole numbers, in which most distances tie, with weights from 0 to 3 that mean repetitions; shares of class 1
  without and with weights, and of the training rows when each is judged by the others (`left_out`).
- `nearly`: distances that differ by rounding alone are ties, those that differ by a little more are not.
Why: which of the rows that tie scikit-learn takes is left to its sorting. Here they share what is left of k (Viaene
et al. 2002, eq. 9): with N rows nearer than the k-th squared distance d, N1 of class 1, and n rows at d, n1 of class 1,
the share is (N1 + (k - N)/n n1)/k. Squared distances are equal if they differ by at most 1e-9 max(1, d). With k above
the number of rows, k is that number. The rule is written down twice, by sorting repeated rows and by summing weights,
and both must agree; on `apart` it must give scikit-learn's shares.
Made with Python 3.11, numpy 2.4, scikit-learn 1.9.1.

    python make_knn_reference.py
"""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import sklearn
from sklearn.neighbors import KNeighborsClassifier

EQUAL = 1e-9


def squared_distances(training, row):
    """From one row to all training rows."""
    return ((training - row) ** 2).sum(axis=1)


def share_of_rows(distances, classes, k):
    """The share of class 1 among the k nearest, every row for itself."""
    k = min(k, len(distances))
    kth = np.sort(distances)[k - 1]
    at = np.abs(distances - kth) <= EQUAL * max(1.0, kth)
    nearer = (distances < kth) & ~at
    left = Fraction(k - int(nearer.sum()), int(at.sum()))
    return float((int(classes[nearer].sum()) + left * int(classes[at].sum())) / k)


def share_by_weight(distances, classes, weights, k):
    """The same by adding weights in order of distance, without repeating rows."""
    k, before = min(k, weights.sum()), 0
    order = np.argsort(distances, kind="stable")
    for idx in order:
        if before + weights[idx] >= k and weights[idx] > 0:
            break
        before += weights[idx]
    at = np.abs(distances - distances[idx]) <= EQUAL * max(1.0, distances[idx])
    nearer = (distances < distances[idx]) & ~at
    positive = weights * classes
    left = Fraction(int(k - weights[nearer].sum()), int(weights[at].sum()))
    return float((int(positive[nearer].sum()) + left * int(positive[at].sum())) / int(k))


def shares(training, classes, rows, k, weights=None):
    """The shares of some rows."""
    weights = np.ones(len(classes), dtype=int) if weights is None else weights
    again = np.repeat(np.arange(len(classes)), weights)
    found = [share_of_rows(squared_distances(training[again], row), classes[again], k) for row in rows]
    second = [share_by_weight(squared_distances(training, row), classes, weights, k) for row in rows]
    assert found == second, f"the two ways differ for k = {k}"
    return found


def left_out(training, classes, k):
    """The share of each training row among the others."""
    others = lambda row: np.arange(len(classes)) != row
    return [shares(training[others(row)], classes[others(row)], training[[row]], k)[0] for row in range(len(classes))]


def as_columns(table):
    return table.T.tolist()


def apart():
    """Normal columns, standardised, and scikit-learn's answers."""
    rng = np.random.default_rng(20)
    raw = rng.normal(size=(260, 5)) * [1, 2, 5, 10, 100] + [0, 3, -7, 40, 1000]
    training, rows = raw[:200], raw[200:]
    mean, sd = training.mean(axis=0), training.std(axis=0, ddof=1)
    training, rows = (training - mean) / sd, (rows - mean) / sd
    leaning = training[:, 0] + training[:, 1] * training[:, 2] + rng.normal(size=200)
    two, three = (leaning > 0.4).astype(int), np.digitize(leaning, [-0.5, 0.6])
    gaps = [np.diff(np.sort(squared_distances(training, row))).min() for row in rows]
    assert min(gaps) > 1e-7, "two distances are nearly equal"
    found = {"two": {}, "three": {}}
    for k in (1, 3, 10, 100):
        model = KNeighborsClassifier(k, algorithm="brute")
        found["two"][k] = model.fit(training, two).predict_proba(rows)[:, 1].tolist()
        found["three"][k] = model.fit(training, three).predict_proba(rows).tolist()
        assert np.allclose(shares(training, two, rows, k), found["two"][k], rtol=0, atol=1e-15)
    classes = {"two": two.tolist(), "three": three.tolist()}
    return {"training": as_columns(training), "classes": classes, "rows": as_columns(rows), "shares": found}


def tied():
    """Whole numbers; 500 is more than there are rows."""
    rng = np.random.default_rng(21)
    training, rows = rng.integers(0, 4, (80, 3)), rng.integers(-1, 5, (40, 3))
    classes = (training.sum(axis=1) + rng.integers(-2, 3, 80) > 4).astype(int)
    weights = rng.integers(0, 4, 80)
    many = (1, 2, 3, 5, 10, 40, 79, 80, 500)
    return {
        "training": as_columns(training), "classes": classes.tolist(), "weights": weights.tolist(),
        "rows": as_columns(rows),
        "shares": {k: shares(training, classes, rows, k) for k in many},
        "weighted": {k: shares(training, classes, rows, k, weights) for k in many},
        "left_out": {k: left_out(training, classes, k) for k in (1, 3, 10, 100)},
    }


def nearly():
    """0.1 + 0.2 is a little more than 0.3, and ties with it; 0.3 + 1e-8 does not."""
    training = np.array([[0.3], [0.1 + 0.2], [0.3 + 1e-8], [2.0], [-2.0], [1e5], [1e5 + 1e-9]])
    classes, row = np.array([1, 0, 1, 1, 0, 1, 0]), np.array([[0.0]])
    squares = squared_distances(training, row[0])
    assert squares[0] != squares[1] and squares[5] != squares[6] and squares[2] - squares[0] > EQUAL
    found = {k: shares(training, classes, row, k) for k in range(1, 8)}
    return {"training": as_columns(training), "classes": classes.tolist(), "rows": as_columns(row), "shares": found}


def check_known():
    """Fourteen rows (three columns and the class) and four to score, whose shares are known from elsewhere."""
    rows = "1010 1020 1120 2010 2030 2121 2141 3030 3041 3131 3141 1140 1011 3120".split()
    table = np.array([list(map(int, row)) for row in rows])
    asked = np.array([[2, 1, 3], [1, 1, 1], [3, 0, 1], [2, 0, 4]])
    sd = table[:, :3].std(axis=0, ddof=1)
    known = {1: [1, 0, 0, 0], 3: [1, 1 / 2, 0, 1 / 3], 5: [0.7, 0.4, 0.1, 0.4], 10: [0.45, 0.3, 0.4, 0.5]}
    for k, expected in known.items():
        assert np.allclose(shares(table[:, :3] / sd, table[:, 3], asked / sd, k), expected, rtol=0, atol=1e-15)


def main():
    check_known()
    reference = {"made_with": {"numpy": np.__version__, "scikit-learn": sklearn.__version__}, "apart": apart(),
                 "tied": tied(), "nearly": nearly()}
    Path(__file__).with_name("knn.json").write_text(json.dumps(reference) + "\n")


if __name__ == "__main__":
    main()
