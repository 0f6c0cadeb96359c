"""Time scikit-learn on standardised numbers: logistic regression, k nearest neighbours, small networks, kernel ridge
regression and support vector machines.

What: DIR/numeric-N.f64 (raw, little-endian, row by row), DIR/numeric-N.json ({rows, columns}), DIR/classes-N.u8 (0, 1)
and DIR/folds-N.u8 (0 to 9). Jobs:
- `logit-cv`: no penalty, fitted on nine tenths, probabilities of the last tenth, ten times; `logit-loo`: each row by a
  fit to the others, timed on 100 rows and scaled to all; `logit-fit`: one fit on all rows.
- `knn-cv`: the same ten folds for each k of `--ks`, fitted and scored k by k; `knn-loo`: each row by the others, `--k`
  neighbours; `knn-score`: all rows against all rows, `--k` neighbours, timed on 10,000 of them and scaled.
- `mlp-cv`: the same ten folds for networks of 3, 2 and 1 tanh units (`--hidden`), fitted and scored one by one.
- `lssvm-grid`: GridSearchCV of KernelRidge(kernel="rbf") over the 99 points of the grid that least-squares support vector
  machines are tuned on, ten inner folds of each of ten training parts, timed on `--parts` of them and scaled. It has no
  bias, so classes are recoded to 1 and -1; `value` is the mean share of correct signs of the best point.
- `dense-N`: products and Cholesky factors of matrices of N rows by OpenBLAS, on one thread and on `--threads`.
- `svm-cv`: the same ten folds for a linear and an RBF machine (C = 1, gamma = 1 / columns), together; `svmlinear-cv` and
  `svmrbf-cv` one of them.
One JSON line a job: {peer, job, rows, wall, cpu, value}, seconds, the best of several runs of the formulation that was
fastest (`formulation`; `tried` has the wall seconds of all); `resting` and `maxrss`, memory before and at its peak;
`scaled_from`, how many rows were timed. The value is the mean AUROC of the folds (for `knn-cv` its mean over the ks,
each in `by_k`; for `mlp-cv` that of the first network, each in `by_hidden` with the steps of its folds), in other jobs the AUROC over the rows that were scored or fitted.
Why: peers that people reach for. `sklearn` stops fitting at its own tolerance of 1e-4, where coefficients have two or
three digits; `sklearn_exact` at 1e-8, six or more digits, nearer to Newton's method run to its end.
`sklearn` and `sklearn_exact` of SVC stop at a violation of 1e-3, its default, and of 1e-6; it keeps kernel values in single
precision, and has no threads but those of folds.
KNeighborsClassifier searches once for each k, as it is meant to be used; the peer `sklearn_once` searches for the
largest k and counts the classes of the nearest k, as somebody does who knows the library. Which of the rows that tie
are taken is left to the search, so values differ from those of a rule that shares ties. Loading, dividing the rows and
the AUROC are not timed; inputs are not searched for NaN.
MLPClassifier has lbfgs for a solver, which suits small tables best, 200 steps at most and a fixed decay, its own
defaults; it estimates no decay, no relevance and no evidence. That it has not converged is no error here.
Formulation: three solvers, each with and without threads in the linear algebra, folds on threads, warm starts for
leave-one-out; four searches, each with and without threads (`knn-score` with threads, the search chosen by 500 rows:
trees are slow in so many columns). Threads lose on small tables, and badly so where others use the machine, as they
wait by spinning. A solver that stops early is an error. Where columns are collinear, newton-cholesky says so and goes
on as lbfgs.
Versions: numpy 2.4, scikit-learn 1.9.

    python numeric.py --rows 1399 --data DIR [--jobs logit-cv,knn-cv] [--repeat 3] [--threads N] [--solvers lbfgs]
                      [--ks 1,10] [--k 10] [--hidden 3,2,1] [--parts 1]
"""

import argparse
import json
import os
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import sklearn
from scipy.linalg import cholesky
from sklearn.exceptions import ConvergenceWarning
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

# Peer: the gradient of the mean loss at which a solver stops.
TOLERANCES = {"sklearn": 1e-4, "sklearn_exact": 1e-8}
SOLVERS = ("lbfgs", "newton-cholesky", "newton-cg")
SEARCHES = ("auto", "brute", "kd_tree", "ball_tree")


class Table:
    """The rows of the file."""

    def __init__(self, folder, rows):
        shape = json.loads((folder / f"numeric-{rows}.json").read_text())
        self.n_rows = shape["rows"]
        numbers = np.fromfile(folder / f"numeric-{rows}.f64", dtype="<f8")
        self.numbers = numbers.reshape(shape["rows"], shape["columns"])
        self.classes = np.fromfile(folder / f"classes-{rows}.u8", dtype=np.uint8)
        self.folds = np.fromfile(folder / f"folds-{rows}.u8", dtype=np.uint8)

    def parts(self):
        """Training numbers, training classes and the numbers to score, fold by fold."""
        inside = [self.folds != fold for fold in range(10)]
        return [(self.numbers[rows], self.classes[rows], self.numbers[~rows]) for rows in inside]

    def mean_auroc(self, scores):
        """Over the folds."""
        return np.mean([roc_auc_score(self.classes[self.folds == fold], scores[fold]) for fold in range(10)])


# ---------------------------------------------------------------- clocks


def memory(field):
    """Resident bytes of this process now (VmRSS) or at most (VmHWM)."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(field))
    return int(line.split()[1]) * 1024


def clocked(run, repeat):
    """The best wall and CPU seconds of several runs, memory, and what the last run found."""
    Path("/proc/self/clear_refs").write_text("5")
    wall, cpu, resting = float("inf"), float("inf"), memory("VmRSS")
    for _ in range(repeat):
        started, cpu_started = time.perf_counter(), time.process_time()
        found = run()
        wall = min(wall, time.perf_counter() - started)
        cpu = min(cpu, time.process_time() - cpu_started)
    return {"wall": wall, "cpu": cpu, "resting": resting, "maxrss": memory("VmHWM")}, found


def fastest(formulations, repeat):
    """The times and the findings of the formulation with the least wall time, and all wall times."""
    runs = {name: clocked(run, repeat) for name, run in formulations.items()}
    best = min(runs, key=lambda name: runs[name][0]["wall"])
    tried = {name: times["wall"] for name, (times, _) in runs.items()}
    return {**runs[best][0], "formulation": best, "tried": tried}, runs[best][1]


def report(peer, job, table, times, value, **more):
    """Prints one line."""
    line = {"peer": peer, "job": job, "rows": table.n_rows, **times, "value": float(value), **more}
    print(json.dumps(line), flush=True)


def scaled(times, factor):
    """Times of a part as times of the whole."""
    tried = {name: wall * factor for name, wall in times["tried"].items()}
    return {**times, "wall": times["wall"] * factor, "cpu": times["cpu"] * factor, "tried": tried}


def some_rows(table, most):
    """Rows spread over the table."""
    return np.linspace(0, table.n_rows - 1, min(most, table.n_rows)).astype(int)


# ---------------------------------------------------------------- logistic regression


def logit(solver, tolerance, **more):
    return LogisticRegression(C=np.inf, solver=solver, tol=tolerance, max_iter=1000, **more)


def limited(threads, run, *given):
    """A run in which linear algebra and searches have so many threads."""
    def inside():
        with threadpool_limits(threads):
            return run(*given)
    return inside


def logit_cv(peer, tolerance, table, args):
    """Folds one by one, with threads inside or without, and folds on threads."""
    parts, formulations = table.parts(), {}
    score = lambda solver, part: logit(solver, tolerance).fit(part[0], part[1]).predict_proba(part[2])[:, 1]
    with ThreadPoolExecutor(args.threads) as pool:
        one_by_one = lambda solver: [score(solver, part) for part in parts]
        spread = lambda solver: list(pool.map(partial(score, solver), parts))
        for solver in args.solvers:
            formulations[f"{solver}, one thread"] = limited(1, one_by_one, solver)
            formulations[f"{solver}, threads inside"] = limited(args.threads, one_by_one, solver)
            formulations[f"{solver}, folds on threads"] = limited(1, spread, solver)
        times, scores = fastest(formulations, args.repeat)
    report(peer, "logit-cv", table, times, table.mean_auroc(scores))


def logit_loo(peer, tolerance, table, args):
    """From zero, or from the coefficients of all rows (`warm`)."""
    asked = some_rows(table, 100)
    others = lambda row: (np.delete(table.numbers, row, axis=0), np.delete(table.classes, row))

    def refits(solver, warm):
        model = logit(solver, tolerance, warm_start=warm)
        if warm:
            model.fit(table.numbers, table.classes)
        return [model.fit(*others(row)).predict_proba(table.numbers[[row]])[0, 1] for row in asked]

    cold = {solver: limited(1, refits, solver, False) for solver in args.solvers}
    warm = {f"{solver}, warm": limited(1, refits, solver, True) for solver in args.solvers}
    times, scores = fastest({**cold, **warm}, args.repeat)
    times = scaled(times, table.n_rows / len(asked))
    report(peer, "logit-loo", table, times, roc_auc_score(table.classes[asked], scores), scaled_from=len(asked))


def logit_fit(peer, tolerance, table, args):
    fit = lambda solver: logit(solver, tolerance).fit(table.numbers, table.classes)
    one = {f"{solver}, one thread": limited(1, fit, solver) for solver in args.solvers}
    more = {f"{solver}, threads inside": limited(args.threads, fit, solver) for solver in args.solvers}
    times, model = fastest({**one, **more}, args.repeat)
    value = roc_auc_score(table.classes, model.decision_function(table.numbers))
    report(peer, "logit-fit", table, times, value)


# ---------------------------------------------------------------- nearest neighbours


def by_search(run, threads):
    """A run with each search, with threads and without."""
    one = {f"{name}, one thread": limited(1, run, {"algorithm": name, "n_jobs": 1}) for name in SEARCHES}
    more = {f"{name}, threads": limited(threads, run, {"algorithm": name, "n_jobs": threads}) for name in SEARCHES}
    return {**one, **more}


def shares(classes, neighbours, ks):
    """The share of class 1 among the nearest k, for each k, from neighbours in order of distance."""
    positives = np.cumsum(classes[neighbours], axis=1, dtype=np.int32)
    return {k: positives[:, k - 1] / k for k in ks}


def knn_cv(table, args):
    """All ks, each by itself, then all by one search a fold."""
    parts, by_k = table.parts(), {}
    score = lambda model, part: model.fit(part[0], part[1]).predict_proba(part[2])[:, 1]
    for k in args.ks:
        run = lambda settings: [score(KNeighborsClassifier(k, **settings), part) for part in parts]
        times, scores = fastest(by_search(run, args.threads), args.repeat)
        by_k[k] = {**times, "value": float(table.mean_auroc(scores))}
    over = lambda field, of: of([times[field] for times in by_k.values()])
    times = {**{field: over(field, sum) for field in ("wall", "cpu")}, "maxrss": over("maxrss", max)}
    report("sklearn", "knn-cv", table, times, over("value", np.mean), by_k=by_k)
    knn_cv_once(table, parts, args)


def knn_cv_once(table, parts, args):
    def score(part, settings):
        training, classes, rows = part
        model = NearestNeighbors(n_neighbors=max(args.ks), **settings).fit(training)
        return shares(classes, model.kneighbors(rows, return_distance=False), args.ks)

    run = lambda settings: [score(part, settings) for part in parts]
    times, found = fastest(by_search(run, args.threads), args.repeat)
    by_k = {k: float(table.mean_auroc([scores[k] for scores in found])) for k in args.ks}
    report("sklearn_once", "knn-cv", table, times, np.mean(list(by_k.values())), by_k=by_k)


def knn_loo(table, args):
    """Without rows to search for, scikit-learn takes its training rows and leaves each out of its own neighbours."""
    def run(settings):
        model = NearestNeighbors(n_neighbors=args.k, **settings).fit(table.numbers)
        return shares(table.classes, model.kneighbors(return_distance=False), [args.k])[args.k]

    times, scores = fastest(by_search(run, args.threads), args.repeat)
    report("sklearn", "knn-loo", table, times, roc_auc_score(table.classes, scores), k=args.k)


def knn_score(table, args):
    """The search that is fastest for few rows; its fit counts in full, as it is done once for all rows."""
    def scored(model, most):
        asked = some_rows(table, most)
        times, scores = clocked(lambda: model.predict_proba(table.numbers[asked])[:, 1], args.repeat)
        return times, table.n_rows / len(asked), roc_auc_score(table.classes[asked], scores)

    fits, tried = {}, {}
    for algorithm in SEARCHES:
        model = KNeighborsClassifier(args.k, algorithm=algorithm, n_jobs=args.threads)
        fits[algorithm] = clocked(lambda: model.fit(table.numbers, table.classes), 1)
        times, factor, _ = scored(model, 500)
        tried[algorithm] = fits[algorithm][0]["wall"] + factor * times["wall"]
    best = min(tried, key=tried.get)
    fit, model = fits[best]
    times, factor, value = scored(model, 10_000)
    times.update({field: fit[field] + factor * times[field] for field in ("wall", "cpu")})
    more = {"formulation": best, "tried": tried, "k": args.k, "scaled_from": round(table.n_rows / factor)}
    report("sklearn", "knn-score", table, times, value, **more)


# ---------------------------------------------------------------- networks


def mlp_cv(table, args):
    """All sizes, each by itself: folds one by one, with threads inside or without, and folds on threads."""
    parts, by_hidden = table.parts(), {}

    def score(hidden, part):
        model = MLPClassifier((hidden,), activation="tanh", solver="lbfgs", max_iter=200, random_state=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(part[0], part[1])
        return model.predict_proba(part[2])[:, 1], model.n_iter_

    with ThreadPoolExecutor(args.threads) as pool:
        for hidden in args.hidden:
            one_by_one = lambda: [score(hidden, part) for part in parts]
            spread = lambda: list(pool.map(partial(score, hidden), parts))
            formulations = {
                "one thread": limited(1, one_by_one),
                "threads inside": limited(args.threads, one_by_one),
                "folds on threads": limited(1, spread),
            }
            times, found = fastest(formulations, args.repeat)
            value = float(table.mean_auroc([scores for scores, _ in found]))
            by_hidden[hidden] = {**times, "value": value, "steps": [steps for _, steps in found]}
    over = lambda field, of: of([times[field] for times in by_hidden.values()])
    times = {**{field: over(field, sum) for field in ("wall", "cpu")}, "maxrss": over("maxrss", max)}
    report("sklearn", "mlp-cv", table, times, by_hidden[args.hidden[0]]["value"], by_hidden=by_hidden)


# ---------------------------------------------------------------- kernel machines

GAMMAS = (0.01, 0.05, 0.1, 0.5, 1, 5, 10, 50, 100, 500, 1000)
SPREADS = (0.5, 5, 10, 15, 25, 50, 100, 250, 500)


def lssvm_grid(table, args):
    """Fits one by one with threads in the linear algebra, or side by side without."""
    targets = np.where(table.classes == 1, 1.0, -1.0)
    correct = lambda model, x, t: np.mean((model.predict(x) >= 0) == (t > 0))
    sigmas = [spread * np.sqrt(table.numbers.shape[1]) for spread in SPREADS]
    grid = {"alpha": [1 / gamma for gamma in GAMMAS], "gamma": [sigma**-2 for sigma in sigmas]}

    def search(jobs):
        found = []
        for part in range(args.parts):
            inside = table.folds != part
            inner = np.arange(inside.sum()) % 10
            folds = [(np.flatnonzero(inner != fold), np.flatnonzero(inner == fold)) for fold in range(10)]
            model = GridSearchCV(KernelRidge(kernel="rbf"), grid, scoring=correct, cv=folds, refit=False, n_jobs=jobs)
            found.append(model.fit(table.numbers[inside], targets[inside]).best_score_)
        return found

    formulations = {"threads inside": limited(args.threads, search, 1), "side by side": limited(1, search, args.threads)}
    times, found = fastest(formulations, 1)
    report("sklearn", "lssvm-grid", table, scaled(times, 10 / args.parts), np.mean(found), scaled_from=args.parts)


def dense(n, args):
    """The best of several runs."""
    matrix = ((np.arange(n * n) * 7919 % 100_003) / 100_003 - 0.5).reshape((n, n), order="F")
    other, definite = matrix.copy(order="F"), matrix.T @ matrix + n * np.eye(n)
    runs = {
        "product": lambda: matrix.T @ other,
        "inner": lambda: matrix.T @ matrix,
        "cholesky": lambda: cholesky(definite.copy(order="F"), lower=True, overwrite_a=True, check_finite=False),
    }
    for threads in (1, args.threads):
        for name, run in runs.items():
            times, found = clocked(limited(threads, run), args.repeat)
            line = {"peer": "openblas", "job": f"dense-{name}", "rows": n, "threads": threads, **times}
            print(json.dumps({**line, "value": float(found[0, 0])}), flush=True)


# ---------------------------------------------------------------- support vector machines


def svm_cv(kernels, job, table, args):
    """Folds one by one and folds on threads."""
    parts = table.parts()
    for peer, tolerance in SVM_TOLERANCES.items():
        def score(kernel, part):
            model = SVC(C=1.0, kernel=kernel, gamma="auto", tol=tolerance, cache_size=256)
            return model.fit(part[0], part[1]).decision_function(part[2])

        with ThreadPoolExecutor(args.threads) as pool:
            one_by_one = lambda: [[score(kernel, part) for part in parts] for kernel in kernels]
            spread = lambda: [list(pool.map(partial(score, kernel), parts)) for kernel in kernels]
            formulations = {"one thread": one_by_one, "folds on threads": spread}
            times, scores = fastest(formulations, args.repeat)
        report(peer, job, table, times, table.mean_auroc(scores[0]))


SVM_TOLERANCES = {"sklearn": 1e-3, "sklearn_exact": 1e-6}
SVM_KERNELS = {"svm-cv": ["linear", "rbf"], "svmlinear-cv": ["linear"], "svmrbf-cv": ["rbf"]}
LOGIT_JOBS = {"logit-cv": logit_cv, "logit-loo": logit_loo, "logit-fit": logit_fit}
TABLE_JOBS = {
    "knn-cv": knn_cv,
    "knn-loo": knn_loo,
    "knn-score": knn_score,
    "mlp-cv": mlp_cv,
    "lssvm-grid": lssvm_grid,
}


def run(job, table, args):
    """One job, with each tolerance if it has one."""
    if job.startswith("dense-"):
        return dense(int(job.removeprefix("dense-")), args)
    if job in TABLE_JOBS:
        return TABLE_JOBS[job](table, args)
    if job in SVM_KERNELS:
        return svm_cv(SVM_KERNELS[job], job, table, args)
    for peer, tolerance in TOLERANCES.items():
        LOGIT_JOBS[job](peer, tolerance, table, args)


def main():
    numbers = lambda text: [int(number) for number in text.split(",")]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--jobs", default=",".join([*LOGIT_JOBS, *TABLE_JOBS]))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--solvers", type=lambda text: text.split(","), default=SOLVERS)
    parser.add_argument("--ks", type=numbers, default=[1, 10, 100, 500])
    parser.add_argument("--k", type=int, default=10)
    parser.add_argument("--hidden", type=numbers, default=[3, 2, 1])
    parser.add_argument("--parts", type=int, default=1)
    args = parser.parse_args()
    sklearn.set_config(assume_finite=True)
    warnings.simplefilter("error", ConvergenceWarning)
    table = Table(args.data, args.rows)
    for job in args.jobs.split(","):
        run(job, table, args)


if __name__ == "__main__":
    main()
