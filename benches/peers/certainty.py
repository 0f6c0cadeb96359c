"""Time the peers of the intervals and tests: DeLong with numpy, the bootstrap of the AUROC with scikit-learn.

What: `numpy` is DeLong's test of two models by mid-ranks (Sun and Xu 2014) with vectorised ranks, as a skilled user
writes it; `sklearn` draws rows of each class with replacement and calls roc_auc_score on them, timed on a few of the
replicates and scaled to all of them. One JSON line a peer: {peer, job, wall, cpu, value}, seconds, best of several.
Why: the arrays lie in raw little-endian files (DIR/truth.u8, score.f64, second.f64, table.f64), so that programs in
other languages judge the same rows; missing files are made. Imports and loading are not timed.
Versions: numpy 2.4, scikit-learn 1.9. The widely copied loop for mid-ranks takes three to four times as long and is
left out.

    python certainty.py --rows 100000 --data DIR
"""

import os

# One BLAS thread: more of them spin for nothing on a machine that others use.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import time
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

REPLICATES = 2000
TIMED_REPLICATES = 20


def make(rows, folder):
    """Two correlated models on the same rows, and a table of 26 algorithms by 10 folds."""
    rng = np.random.default_rng(3)
    truth = (rng.random(rows) < 0.2).astype(np.uint8)
    shared = rng.standard_normal(rows) + truth
    folder.mkdir(parents=True, exist_ok=True)
    truth.tofile(folder / "truth.u8")
    (shared + rng.standard_normal(rows)).tofile(folder / "score.f64")
    (shared + 1.2 * rng.standard_normal(rows)).tofile(folder / "second.f64")
    (rng.standard_normal((26, 10)) + np.linspace(0, 3, 26)[:, None]).tofile(folder / "table.f64")


def mid_ranks(values):
    """Ranks from 1, equal values sharing their mean rank."""
    order = np.argsort(values)
    ordered = values[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    counts = np.diff(np.r_[starts, len(values)])
    ranks = np.empty(len(values))
    ranks[order] = np.repeat(starts + (counts + 1) / 2, counts)
    return ranks


def delong(truth, models):
    """The z statistic of two models on the same rows."""
    positive = truth == 1
    p, m = positive.sum(), (~positive).sum()
    of_positives, of_negatives = [], []
    for scores in models:
        ranks = mid_ranks(scores)
        of_positives.append((ranks[positive] - mid_ranks(scores[positive])) / m)
        of_negatives.append(1 - (ranks[~positive] - mid_ranks(scores[~positive])) / p)
    areas = np.mean(of_positives, axis=1)
    s = np.cov(of_positives) / p + np.cov(of_negatives) / m
    return (areas[0] - areas[1]) / np.sqrt(s[0, 0] + s[1, 1] - 2 * s[0, 1])


def bootstrap(truth, scores, replicates, rng):
    """The mean AUROC over stratified replicates."""
    positive, negative = np.flatnonzero(truth == 1), np.flatnonzero(truth == 0)
    areas = []
    for _ in range(replicates):
        rows = np.r_[rng.choice(positive, len(positive)), rng.choice(negative, len(negative))]
        areas.append(roc_auc_score(truth[rows], scores[rows]))
    return np.mean(areas)


def timed(peer, job, repeat, run, scale=1):
    """Prints the best of several runs."""
    wall = cpu = float("inf")
    for _ in range(repeat):
        started, cpu_started = time.perf_counter(), time.process_time()
        value = run()
        wall = min(wall, (time.perf_counter() - started) * scale)
        cpu = min(cpu, (time.process_time() - cpu_started) * scale)
    print(json.dumps({"peer": peer, "job": job, "wall": wall, "cpu": cpu, "value": float(value)}), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--data", type=Path, required=True)
    args = parser.parse_args()
    if not (args.data / "table.f64").exists():
        make(args.rows, args.data)
    truth = np.fromfile(args.data / "truth.u8", dtype=np.uint8)
    first, second = (np.fromfile(args.data / f"{name}.f64") for name in ("score", "second"))
    timed("numpy", "delong", 10, lambda: delong(truth, (first, second)))
    rng = np.random.default_rng(1)
    scale = REPLICATES / TIMED_REPLICATES
    timed("sklearn", "bootstrap", 2, lambda: bootstrap(truth, first, TIMED_REPLICATES, rng), scale)


if __name__ == "__main__":
    main()
