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
from sklearn.model_selection import StratifiedKFold

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
        """For each training part its own ten folds: positions of training rows and of rows to score."""
        divide = StratifiedKFold(N_FOLDS, shuffle=True, random_state=0).split
        return [list(divide(training, self.classes[training])) for training, _ in self.parts]

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
