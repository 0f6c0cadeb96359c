"""Time scikit-learn on nominal codes: a decision tree and naive Bayes, cross-validated and fitted once.

What: DIR/codes-N.csv (integer columns x0, x1, .. with codes from 0, then `class` 0/1 and `fold` 0..9) and
DIR/levels-N.json (a list: how many values each x is declared to have). Jobs: `tree-cv` and `nb-cv` fit on nine tenths
and give the class probabilities of the last tenth, ten times; `tree-fit` and `nb-fit` fit on all rows. `tree-leaf2-cv`
and `tree-leaf2-fit` are the tree with at least two rows a leaf. One JSON line a job: {peer, job, rows, wall, cpu,
value}, seconds, best of several runs; the value is the mean AUROC of the folds, or the share of training rows that a
single fit gets wrong.
Why: the tree is not C4.5 (it splits codes as numbers, in two, by Gini's index, and prunes nothing), but it is what
people reach for. CategoricalNB adds one to each count. Loading, dividing the rows and the AUROC are not timed.
Formulation: the tree gets 32-bit numbers, its own type; naive Bayes gets codes column by column (row by row was no
faster, nor were codes of one byte). Folds of the tree are spread over threads, as growing lets go of the interpreter's
lock; naive Bayes takes them one by one. Inputs are not searched for NaN.
Versions: numpy 2.4, scikit-learn 1.9.

    python learners.py --rows 15000 --data DIR [--jobs tree-cv,nb-cv] [--repeat 3] [--threads N]
"""

import argparse
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import sklearn
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import CategoricalNB
from sklearn.tree import DecisionTreeClassifier


def learners(levels):
    """Name: (how to make one, the form of its input, whether threads help it)."""
    tree = partial(DecisionTreeClassifier, random_state=0)
    numbers = partial(np.ascontiguousarray, dtype=np.float32)
    codes = partial(np.asfortranarray, dtype=np.int64)
    return {
        "tree": (tree, numbers, True),
        "tree-leaf2": (partial(tree, min_samples_leaf=2), numbers, True),
        "nb": (partial(CategoricalNB, min_categories=levels), codes, False),
    }


def timed(job, rows, repeat, run, value):
    """Prints the best of several runs."""
    wall = cpu = float("inf")
    for _ in range(repeat):
        started, cpu_started = time.perf_counter(), time.process_time()
        result = run()
        wall = min(wall, time.perf_counter() - started)
        cpu = min(cpu, time.process_time() - cpu_started)
    line = {"peer": "sklearn", "job": job, "rows": rows, "wall": wall, "cpu": cpu, "value": float(value(result))}
    print(json.dumps(line), flush=True)


def cross_validated(job, make, inputs, classes, folds, repeat, threads):
    """Ten fits, and the scores of the rows they have not seen."""
    parts = [(inputs(folds != fold), classes[folds != fold], inputs(folds == fold)) for fold in range(10)]
    score = lambda part: make().fit(part[0], part[1]).predict_proba(part[2])[:, 1]
    truth = [classes[folds == fold] for fold in range(10)]
    auroc = lambda scores: np.mean([roc_auc_score(*pair) for pair in zip(truth, scores)])
    with ThreadPoolExecutor(threads) as pool:
        run = (lambda: list(pool.map(score, parts))) if threads > 1 else (lambda: list(map(score, parts)))
        timed(job, len(classes), repeat, run, auroc)


def fitted(job, make, inputs, classes, repeat):
    """One fit on all rows."""
    everything = inputs(slice(None))
    wrong = lambda model: np.mean(model.predict(everything) != classes)
    timed(job, len(classes), repeat, lambda: make().fit(everything, classes), wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--jobs", default="tree-cv,tree-leaf2-cv,nb-cv,tree-fit,tree-leaf2-fit,nb-fit")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    args = parser.parse_args()
    sklearn.set_config(assume_finite=True)
    levels = json.loads((args.data / f"levels-{args.rows}.json").read_text())
    table = np.loadtxt(args.data / f"codes-{args.rows}.csv", delimiter=",", skiprows=1, dtype=np.int64)
    codes, classes, folds = table[:, :-2], table[:, -2].copy(), table[:, -1]
    known = learners(levels)
    for job in args.jobs.split(","):
        name, _, kind = job.rpartition("-")
        make, form, threaded = known[name]
        inputs = lambda rows: form(codes[rows])
        if kind == "cv":
            cross_validated(job, make, inputs, classes, folds, args.repeat, args.threads if threaded else 1)
        else:
            fitted(job, make, inputs, classes, args.repeat)


if __name__ == "__main__":
    main()
