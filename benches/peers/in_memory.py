"""Time the peers on scores that are already in memory.

What: `sklearn` calls roc_auc_score, roc_curve and precision_recall_curve; `numpy_apart` is the code that a skilled
user writes by hand, the scores of each class sorted apart and merged; `numpy` is the fastest formulation found, which
for tied scores knows that they have three decimals. Each delivers the AUROC and, as arrays, the ROC points and the
precision-recall points; the numpy ones deliver the points of the gains chart as well. One JSON line a peer: {peer,
wall, cpu, auroc}, seconds, best of `--repeat`.
Why: the arrays are read from raw little-endian files (DIR/score.f64, DIR/truth.u8), so that programs in other
languages judge the same rows. Missing files are made from the arguments. Imports and loading are not timed.
Versions: numpy 2.4, scikit-learn 1.9.

Formulations tried for `numpy` with 10^7 rows (seconds, one thread). Continuous scores: argsort and take 1.38; both classes
sorted apart and merged by searchsorted 0.51; merged by a stable sort 0.74; all rows and the positives sorted, the
positives looked up among all 0.43 (kept). Scores of three decimals: argsort 0.86; np.unique with inverse 1.09; sort
and searchsorted 0.11; counting by whole columns 0.09; counting by cache-sized pieces 0.045 (kept).

    python in_memory.py --rows 1000000 --kind continuous --base-rate 0.1 --seed 1 --data DIR
"""

import os

# One BLAS thread: more of them spin for nothing on a machine that others use.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import time
from pathlib import Path

import numpy as np
from sklearn.metrics import precision_recall_curve, roc_auc_score, roc_curve

import scores

PIECE = 1 << 16


# ---------------------------------------------------------------- data


def recipe(args):
    """What the raw files were made from."""
    return {"rows": args.rows, "kind": args.kind, "base_rate": args.base_rate, "seed": args.seed}


def make_raw(folder, made_from):
    """Write the raw files and what they were made from."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "score.f64", "wb") as score_file, open(folder / "truth.u8", "wb") as truth_file:
        for score, label, _ in scores.chunks(**made_from):
            score.astype("<f8", copy=False).tofile(score_file)
            label.tofile(truth_file)
    (folder / "recipe.json").write_text(json.dumps(made_from) + "\n")


def load(folder, made_from):
    """Scores and labels; makes the files first if they are missing or were made from something else."""
    note = folder / "recipe.json"
    if not (folder / "score.f64").exists() or (note.exists() and json.loads(note.read_text()) != made_from):
        make_raw(folder, made_from)
    score, truth = np.fromfile(folder / "score.f64", "<f8"), np.fromfile(folder / "truth.u8", "u1")
    if not len(score) == len(truth) == made_from["rows"]:
        raise SystemExit(f"{folder}: {len(score)} scores and {len(truth)} labels instead of {made_from['rows']}")
    return score, truth


# ---------------------------------------------------------------- peers


def by_sklearn(score, truth):
    """scikit-learn as its documentation shows it."""
    return roc_auc_score(truth, score), roc_curve(truth, score), precision_recall_curve(truth, score)


def trapezoid(x, y):
    """Area, with fewer temporary arrays than np.trapezoid."""
    strips = x[1:] - x[:-1]
    strips *= y[1:] + y[:-1]
    return 0.5 * strips.sum()


def curves(hits, seen):
    """AUROC and curves from the positives and the rows counted down to each distinct score."""
    rows, positives = seen[-1], hits[-1]
    fpr, tpr, depth, precision = (np.empty(len(hits) + 1) for _ in range(4))
    fpr[0], tpr[0], depth[0], precision[0] = 0, 0, 0, 1
    np.subtract(seen, hits, out=fpr[1:])
    fpr[1:] /= rows - positives
    np.divide(hits, positives, out=tpr[1:])
    np.divide(seen, rows, out=depth[1:])
    np.divide(hits, seen, out=precision[1:])
    return trapezoid(fpr, tpr), (fpr, tpr), (precision, tpr), (depth, tpr)


def by_numpy_sort(score, truth):
    """Bare sorts: all scores, and those of the positives, which are then looked up among all."""
    rows = len(score)
    everyone = np.sort(score)
    positives = np.sort(score[truth.view(bool)])
    hits = np.cumsum(np.bincount(np.searchsorted(everyone, positives), minlength=rows)[::-1])
    starts = everyone[1:] != everyone[:-1]
    if starts.all():
        return curves(hits, np.arange(1, rows + 1))
    seen = rows - np.concatenate(([0], np.flatnonzero(starts) + 1))[::-1]
    return curves(hits[seen - 1], seen)


def by_numpy_apart(score, truth):
    """The scores of each class sorted apart, then merged: what most who know numpy would write."""
    rows, is_positive = len(score), truth.view(bool)
    positives, negatives = np.sort(score[is_positive]), np.sort(score[~is_positive])
    places = np.searchsorted(negatives, positives) + np.arange(len(positives))
    is_hit = np.zeros(rows, dtype=bool)
    is_hit[places] = True
    everyone = np.empty(rows)
    everyone[is_hit] = positives
    everyone[~is_hit] = negatives
    hits = np.cumsum(is_hit[::-1])
    starts = everyone[1:] != everyone[:-1]
    if starts.all():
        return curves(hits, np.arange(1, rows + 1))
    seen = rows - np.concatenate(([0], np.flatnonzero(starts) + 1))[::-1]
    return curves(hits[seen - 1], seen)


def count_grid(score, truth, steps):
    """Rows by score on the grid i/steps and by class; None if a score lies off the grid."""
    counts = np.zeros(2 * (steps + 1), dtype=np.int64)
    for start in range(0, len(score), PIECE):
        piece = score[start : start + PIECE]
        code = np.rint(piece * steps)
        if not (code / steps == piece).all():
            return None
        code += code
        code += truth[start : start + PIECE]
        counts += np.bincount(code.astype(np.int64), minlength=len(counts))
    return counts.reshape(-1, 2)


def by_numpy_count(score, truth, steps=1000):
    """Counting, for scores known to have three decimals; sorts if one has more."""
    counts = count_grid(score, truth, steps)
    if counts is None:
        return by_numpy_sort(score, truth)
    counts = counts[counts.any(axis=1)][::-1]
    return curves(np.cumsum(counts[:, 1]), np.cumsum(counts.sum(axis=1)))


# ---------------------------------------------------------------- timing


def best_of(repeat, peer, score, truth):
    """Least wall and CPU seconds of several runs, and the AUROC."""
    walls, cpus, auroc = [], [], None
    for _ in range(repeat):
        wall, cpu = time.perf_counter(), time.process_time()
        result = peer(score, truth)
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
        auroc = float(result[0])
        del result
    return min(walls), min(cpus), auroc


def main():
    """Command line."""
    parser = argparse.ArgumentParser(description="Time the peers on scores in memory.")
    scores.add_arguments(parser)
    parser.add_argument("--data", type=Path, required=True, help="folder of score.f64 and truth.u8")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--peers", default="numpy,numpy_apart,sklearn", help="in this order: memory freed by one slows the next")
    args = parser.parse_args()
    score, truth = load(args.data, recipe(args))
    fastest = by_numpy_count if args.kind == "tied" else by_numpy_sort
    peers = {"sklearn": by_sklearn, "numpy": fastest, "numpy_apart": by_numpy_apart}
    for name in args.peers.split(","):
        wall, cpu, auroc = best_of(args.repeat, peers[name], score, truth)
        print(json.dumps({"peer": name, "wall": wall, "cpu": cpu, "auroc": auroc}), flush=True)


if __name__ == "__main__":
    main()
