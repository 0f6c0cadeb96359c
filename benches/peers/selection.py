"""Time scikit-learn on the models that `tribunal select` trains for its default learners, with the audit.

What: two files of claims as `tribunal generate claims` writes them, the first with its labels, and the JSON of the
selection, for its counts (`models_trained`). On all rows, and on ten samples that are biased as the
audit does (two thirds of the labelled rows, of which a share of KEPT is kept; the other third is the population), each
learner is
- fitted to the labelled rows and predicts them and the population (forward);
- cross-validated, in ten folds and in five of the audit;
- fitted fold by fold, its labels of the population learned, and these models asked about the fold (reverse validation);
- fitted to the population as each learner labels it, equal labellings once, and asked about the labelled rows (reverse).
The learners, each the nearest there is, with the numbers of trees and neighbours of Tribunal's:
- logit: LogisticRegression with its own penalty: without one there is no optimum where a linear model gave the labels.
- c45: DecisionTreeClassifier by entropy. It is not pruned.
- nb:5: CategoricalNB on the bins of the study. tan:25: scikit-learn has no TAN, so CategoricalNB again, which is less work.
- knn:25: KNeighborsClassifier, the search by brute force.
- bag:50: RandomForestClassifier of 50 trees that look at all columns, which is bagging with less overhead.
- boost: HistGradientBoostingClassifier, 200 trees of depth 4.
- lssvm:linear: RidgeClassifierCV over eleven penalties by its leave-one-out in closed form where Tribunal tunes, and
  RidgeClassifier where it does not.
Formulation: two processes that begin as copies of this one, so that nothing is sent or imported twice; one task for a
learner on a sample; one thread each, for linear algebra and trees; inputs are standardised and coded before the clock
starts and are not searched for NaN. Tried and lost: BaggingClassifier, GradientBoostingClassifier and newton-cholesky
(`--formulations` times one fit of each). Scores of methods, their duels, density ratios and calibration are not done here.
One JSON line: {peer, job, wall, cpu, models, asked, share}. Times are scaled from the `models` that were fitted to those
`asked`, of the selection: all rows and the audit apart, as a model of the audit has fewer rows; `raw_wall` and `raw_cpu`
are as measured, and so are the CPU seconds `by_learner`. `--share` of the samples of the audit are timed.

    python selection.py TRAIN DEPLOY --selection select.json [--share 1.0] [--processes 2] [--formulations]
"""

import os

# Before numpy: threads of linear algebra wait for each other by spinning.
for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[f"{library}_NUM_THREADS"] = "1"
import argparse  # noqa: E402
import json  # noqa: E402
import multiprocessing  # noqa: E402
import resource  # noqa: E402
import time  # noqa: E402
import warnings  # noqa: E402
from collections import Counter  # noqa: E402

import numpy as np  # noqa: E402
import sklearn  # noqa: E402
from sklearn.ensemble import (  # noqa: E402
    BaggingClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression, RidgeClassifier, RidgeClassifierCV  # noqa: E402
from sklearn.model_selection import StratifiedKFold  # noqa: E402
from sklearn.naive_bayes import CategoricalNB  # noqa: E402
from sklearn.neighbors import KNeighborsClassifier  # noqa: E402
from sklearn.tree import DecisionTreeClassifier  # noqa: E402

from study_folds import CUTS, N_COLUMNS  # noqa: E402

# The mean shares of rows that the kinds of bias of the audit keep: none, feature, soft feature, class, complete.
KEPT = (0.75, 0.6, 0.5, 0.72, 0.6)
N_SIMULATIONS = 10
ALPHAS = [1 / gamma for gamma in (0.01, 0.05, 0.1, 0.5, 1, 5, 10, 50, 100, 500, 1000)]
TREE = {"criterion": "entropy", "min_samples_leaf": 2, "random_state": 0}
BOOST = {"max_depth": 4, "learning_rate": 0.1, "random_state": 0}


class Rows:
    """A file of claims as standardised numbers, as codes and as classes."""

    def __init__(self, file):
        rows = np.genfromtxt(file, delimiter=",", names=True, dtype=None, encoding="utf-8")
        names = rows.dtype.names[:N_COLUMNS]
        self.numbers = np.column_stack([rows[name] for name in names]).astype(float)
        coded = [np.searchsorted(CUTS[n], np.floor(rows[n] + 0.5)) if n in CUTS else rows[n] for n in names]
        self.codes = np.column_stack(coded).astype(np.int64)
        self.classes = (rows["score"] >= 4).astype(int)
        self.levels = [len(CUTS[name]) + 1 if name in CUTS else 2 for name in names]


def bayes(levels, imagined):
    return CategoricalNB(alpha=imagined / 2, force_alpha=True, min_categories=levels)


def learners(levels):
    """Name: how one is made that is to be tuned, and one that is not; whether it sees codes."""
    fixed = {
        "logit": (lambda: LogisticRegression(max_iter=1000), False),
        "c45": (lambda: DecisionTreeClassifier(**TREE), False),
        "nb:5": (lambda: bayes(levels, 5), True),
        "tan:25": (lambda: bayes(levels, 25), True),
        "knn:25": (lambda: KNeighborsClassifier(25, algorithm="brute"), False),
        "bag:50": (lambda: RandomForestClassifier(50, max_features=None, **TREE), False),
        "boost": (lambda: HistGradientBoostingClassifier(max_iter=200, early_stopping=False, **BOOST), False),
        "lssvm:linear": (lambda: RidgeClassifier(), False),
    }
    tuned = {"lssvm:linear": lambda: RidgeClassifierCV(alphas=ALPHAS)}
    return {name: (tuned.get(name, make), make, codes) for name, (make, codes) in fixed.items()}


class Sample:
    """Labelled rows, a population and folds."""

    def __init__(self, views, classes, labelled, deploy, n_folds):
        self.views, self.classes, self.n_folds = views, classes, n_folds
        self.labelled, self.deploy = labelled, deploy
        parts = StratifiedKFold(n_folds, shuffle=True, random_state=0).split(labelled, classes[labelled])
        self.parts = [(labelled[training], labelled[held]) for training, held in parts]


def samples(train, deploy, share):
    """All rows, and those of the audit: positions in both tables, one below the other."""
    stacked = np.vstack([train.numbers, deploy.numbers])
    centre, spread = train.numbers.mean(0), train.numbers.std(0)
    numbers = (stacked - centre) / np.where(spread > 0, spread, 1)
    views = {False: numbers, True: np.vstack([train.codes, deploy.codes])}
    n_train = len(train.classes)
    all_rows = Sample(views, train.classes, np.arange(n_train), np.arange(n_train, len(stacked)), 10)
    draw, found = np.random.default_rng(1), [all_rows]
    for simulation in range(round(share * N_SIMULATIONS)):
        order = draw.permutation(n_train)
        cut = 2 * n_train // 3
        kept = order[: round(cut * KEPT[simulation % len(KEPT)])]
        found.append(Sample(views, train.classes, kept, order[cut:], 5))
    return found


def forward(task):
    """The labels that a learner gives the population, how many models were fitted, and CPU seconds; cross-validation and
    reverse validation too."""
    sample, name = SAMPLES[task[0]], task[1]
    tuned, make, codes = LEARNERS[name]
    rows, classes, started, n_models = sample.views[codes], sample.classes, time.process_time(), 0
    model = tuned().fit(rows[sample.labelled], classes[sample.labelled])
    labels = model.predict(rows[sample.deploy])
    model.predict(rows[sample.labelled])
    n_models += 1
    for training, held in sample.parts:
        score(tuned().fit(rows[training], classes[training]), rows[held])
        labelled = make().fit(rows[training], classes[training]).predict(rows[sample.deploy])
        n_models += 2
        if len(set(labelled)) > 1:
            score(make().fit(rows[sample.deploy], labelled), rows[held])
        n_models += 1
    return labels, n_models, time.process_time() - started


def score(model, rows):
    has_margins = hasattr(model, "decision_function")
    return model.decision_function(rows) if has_margins else model.predict_proba(rows)


def reverse(task):
    """The models that a learner makes of the population as others label it."""
    (idx, name), labellings = task
    sample, (_, make, codes) = SAMPLES[idx], LEARNERS[name]
    rows, started = sample.views[codes], time.process_time()
    for labels in labellings:
        if len(set(labels)) > 1:
            make().fit(rows[sample.deploy], labels).predict(rows[sample.labelled])
    return len(labellings), time.process_time() - started


def trained(processes):
    """How many models were trained on all rows and in the audit, the CPU seconds of both, and of each learner."""
    # The slowest first, so that no process waits for the last.
    slow = ("boost", "bag:50", "knn:25", "logit")
    names = sorted(LEARNERS, key=lambda name: slow.index(name) if name in slow else len(slow))
    tasks = [(idx, name) for name in names for idx in range(len(SAMPLES))]
    by_learner = Counter()
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        labels = dict(zip(tasks, found := pool.map(forward, tasks, chunksize=1)))
        distinct = {}
        for (idx, _), (labelled, *_) in labels.items():
            distinct.setdefault(idx, {})[labelled.tobytes()] = labelled
        again = [(task, list(distinct[task[0]].values())) for task in tasks]
        reversed_ = pool.map(reverse, again, chunksize=1)
        pool.close()
        pool.join()
    n_models, seconds = [0, 0], [0.0, 0.0]
    for (idx, name), (_, n_forward, cpu), (n_reverse, more) in zip(tasks, found, reversed_):
        n_models[idx > 0] += n_forward + n_reverse
        seconds[idx > 0] += cpu + more
        by_learner[name] += cpu + more
    return n_models, seconds, by_learner


def clock():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return time.perf_counter(), sum(sum(one[:2]) for one in used)


def formulations(sample):
    """The CPU milliseconds of one fit and its predictions, for what was tried."""
    tried = {
        "LogisticRegression lbfgs": lambda: LogisticRegression(max_iter=1000),
        "LogisticRegression newton-cholesky": lambda: LogisticRegression(solver="newton-cholesky"),
        "RandomForestClassifier": lambda: RandomForestClassifier(50, max_features=None, **TREE),
        "BaggingClassifier": lambda: BaggingClassifier(DecisionTreeClassifier(**TREE), 50, random_state=0),
        "HistGradientBoostingClassifier": LEARNERS["boost"][1],
        "GradientBoostingClassifier": lambda: GradientBoostingClassifier(n_estimators=200, **BOOST),
        "KNeighborsClassifier brute": LEARNERS["knn:25"][1],
        "KNeighborsClassifier kd_tree": lambda: KNeighborsClassifier(25, algorithm="kd_tree"),
    }
    rows, classes = sample.views[False], sample.classes
    for name, make in tried.items():
        times = []
        for _ in range(3):
            started = time.process_time()
            make().fit(rows[sample.labelled], classes[sample.labelled]).predict(rows[sample.deploy])
            times.append(time.process_time() - started)
        print(json.dumps({"formulation": name, "cpu": min(times)}), flush=True)


def main():
    global SAMPLES, LEARNERS
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("train")
    parser.add_argument("deploy")
    parser.add_argument("--selection", help="what `tribunal select --format json` wrote of the same files")
    parser.add_argument("--share", type=float, default=1.0, help="of the samples of the audit")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--formulations", action="store_true", help="times of one fit, for what was tried")
    args = parser.parse_args()
    sklearn.set_config(assume_finite=True)
    warnings.simplefilter("ignore")
    train, deploy = Rows(args.train), Rows(args.deploy)
    LEARNERS = learners(train.levels)
    SAMPLES = samples(train, deploy, args.share)
    if args.formulations:
        return formulations(SAMPLES[0])
    with open(args.selection) as file:
        selection = json.load(file)
    counts = [known["rows"] for known in selection["training"]["classes"]]
    assert sorted(counts) == sorted(np.bincount(train.classes)), "a selection of other rows or of another target"
    asked = selection["models_trained"]
    of_audit = asked["audit"]
    of_rows = sum(asked[kind] for kind in ("forward", "reverse", "cross_validation", "reverse_validation"))
    wall, cpu = clock()
    n_models, seconds, by_learner = trained(args.processes)
    wall, cpu = (now - then for now, then in zip(clock(), (wall, cpu)))
    asked = (of_rows, of_audit)
    scaled = sum(cpu * n / fitted for cpu, n, fitted in zip(seconds, asked, n_models) if fitted)
    scale = scaled / sum(seconds)
    line = {"peer": "sklearn", "job": "audit", "wall": wall * scale, "cpu": cpu * scale, "raw_wall": wall, "raw_cpu": cpu}
    line |= {"models": sum(n_models), "asked": sum(asked), "share": args.share}
    print(json.dumps(line | {"by_learner": dict(by_learner)}), flush=True)


if __name__ == "__main__":
    main()
