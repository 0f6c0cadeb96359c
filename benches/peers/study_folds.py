"""The claims of the study benchmark: classes, folds, codes and numbers, and work spread over processes.

What: `Table` reads a CSV file of claims, as `tribunal generate claims` writes them, and a CSV file of held-out scores,
as `tribunal cross` writes them, for the classes and folds. Codes are the bins of the published study; numbers are the
codes on a common scale, mean 0 and deviation 1 over all rows, as Viaene et al. (2002) scaled them before they divided
the rows.
Why: all peers of study.py meet the same rows in the same folds on the same scale.
"""

import json
import multiprocessing
from functools import cached_property

import numpy as np
from sklearn.metrics import roc_auc_score

N_FOLDS = 10
N_COLUMNS = 37
LAGS = [7, 15, 30, 45, 60, 90, 180, 270, 360]
# Column: where its bins begin.
CUTS = {
    "AGE": [20, 40, 60, 80],
    "POL_LAG": LAGS[:-1],
    "REPT_LAG": LAGS,
    "TRT_LAG1": LAGS,
    "TRT_LAG2": LAGS,
    "AMBUL": [100, 200, 300, 400, 500],
}


class Table:
    """The rows of the files."""

    def __init__(self, claims, held):
        read = lambda file: np.genfromtxt(file, delimiter=",", names=True, dtype=None, encoding="utf-8")
        rows, scored = read(claims), np.sort(read(held), order="row")
        names = rows.dtype.names[:N_COLUMNS]
        coded = {name: np.searchsorted(CUTS[name], np.floor(rows[name] + 0.5)) for name in CUTS}
        self.codes = np.column_stack([coded.get(name, rows[name]) for name in names]).astype(np.int64)
        self.levels = [len(CUTS[name]) + 1 if name in CUTS else 2 for name in names]
        self.numbers = (self.codes - self.codes.mean(0)) / self.codes.std(0, ddof=1)
        self.classes = np.array([not target.startswith("not") for target in scored[scored.dtype.names[1]]]).astype(int)
        labels = sorted(set(scored["fold"]))
        self.folds = np.searchsorted(labels, scored["fold"])
        assert len(labels) == N_FOLDS and len(self.folds) == len(self.codes), "folds of other rows"

    @cached_property
    def parts(self):
        """Training rows and rows to score, fold by fold."""
        rows = [self.folds == fold for fold in range(N_FOLDS)]
        return [(np.flatnonzero(~inside), np.flatnonzero(inside)) for inside in rows]

    @cached_property
    def inner(self):
        """For each training part its own ten folds, those of `tribunal cross`: positions of training rows and of rows to
        score."""
        seeds = [derived(SEED, LINE_UP, 0, fold) for fold in range(N_FOLDS)]
        folds = [stratified(self.classes[training], seed) for (training, _), seed in zip(self.parts, seeds)]
        pair = lambda inside: (np.flatnonzero(~inside), np.flatnonzero(inside))
        return [[pair(of_row == fold) for fold in range(N_FOLDS)] for of_row in folds]

    def aurocs(self, scores):
        """The AUROC of each fold that has scores."""
        pairs = zip(self.parts, scores)
        return [float(roc_auc_score(self.classes[held], of_fold)) for (_, held), of_fold in pairs]

    def write_codes(self, folder):
        """The files that learners_weka.py reads; how many rows they have."""
        table = np.column_stack([self.codes, self.classes, self.folds])
        header = ",".join([f"x{idx}" for idx in range(N_COLUMNS)] + ["class", "fold"])
        np.savetxt(folder / f"codes-{len(table)}.csv", table, fmt="%d", delimiter=",", header=header, comments="")
        (folder / f"levels-{len(table)}.json").write_text(json.dumps(self.levels))
        return len(table)


# ---------------------------------------------------------------- the inner folds of Tribunal

# The seed of `tribunal cross` unless told otherwise, and what it derives the seeds of training parts with.
SEED, LINE_UP = 1, 0x6C696E6575
MASK, GOLDEN = 2**64 - 1, 0x9E3779B97F4A7C15


def mixed(state):
    """The output of SplitMix64 at a state."""
    state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & MASK
    return state ^ (state >> 31)


def derived(seed, *tags):
    for tag in tags:
        seed = mixed(((seed ^ (tag * GOLDEN & MASK)) + GOLDEN) & MASK)
    return seed


def numbers(seed):
    """The numbers of xoshiro256**."""
    turned = lambda value, by: ((value << by) | (value >> (64 - by))) & MASK
    a, b, c, d = [mixed((seed + (idx + 1) * GOLDEN) & MASK) for idx in range(4)]
    while True:
        yield turned(b * 5 & MASK, 7) * 9 & MASK
        c, d, shifted = c ^ a, d ^ b, b << 17 & MASK
        a, b, c, d = a ^ d, b ^ c, c ^ shifted, turned(d, 45)


def stratified(classes, seed):
    """The fold of each row: the rows of a class are shuffled and dealt out, and the next class goes on where it ended."""
    random, order = numbers(seed), []
    for sign in (0, 1):
        rows = list(np.flatnonzero(classes == sign))
        for idx in range(len(rows) - 1, 0, -1):
            other = next(random) * (idx + 1) >> 64
            rows[idx], rows[other] = rows[other], rows[idx]
        order += rows
    folds = np.empty(len(classes), dtype=int)
    folds[order] = np.arange(len(order)) % N_FOLDS
    return folds


# ---------------------------------------------------------------- processes

JOB = None


def called(item):
    return JOB(item)


def spread(job, items, processes):
    """What a job makes of each item, in order; items are taken by processes that begin with all that is in memory."""
    global JOB
    JOB = job
    if processes == 1:
        return [job(item) for item in items]
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        found = pool.map(called, items, chunksize=1)
        pool.close()
        pool.join()
    return found
