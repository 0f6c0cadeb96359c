"""The study benchmark as somebody writes it who knows scikit-learn: an estimator for each learner, GridSearchCV to
tune it.

What: for each family of Viaene et al. (2002) the AUROC of each member on each fold.
- logit: LogisticRegression without penalty.
- knn: KNeighborsClassifier, k = 1, 10, 100, 500.
- mlp: MLPClassifier of 1, 2, 3 tanh units by lbfgs, alpha by GridSearchCV (ten inner folds, five values): it stands
  for the evidence framework, which has a decay for every column and needs no inner folds.
- lssvm-*: KernelRidge, its alpha (and for rbf the width) by GridSearchCV on the grid of Van Gestel et al. (2004), ten
  inner folds, by the share of correct signs, then three finer grids around the best, as Tribunal has them;
  `coarse_cpu` is what it takes without these. It has no bias.
- nb: CategoricalNB on codes. It imagines alpha rows for each value: half of N0, which is N0 for a flag.
C4.5 and TAN are not in scikit-learn: study.py asks WEKA, whose TAN is smoothed like nb.
Formulation: folds side by side in processes that begin as copies of this one, so that nothing is sent or imported
twice; one thread each.
"""

import time
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import CategoricalNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier

from study_folds import N_COLUMNS, spread

GAMMAS = (0.01, 0.05, 0.1, 0.5, 1, 5, 10, 50, 100, 500, 1000)
SPREADS = (500, 250, 100, 50, 25, 15, 10, 5, 0.5)
DECAYS = {"alpha": [0.01, 0.1, 1, 10, 100]}
KS = (1, 10, 100, 500)
N_REFINEMENTS = 3
# Raw frequencies are next to no imagined rows: a logarithm needs something.
IMAGINED = (1e-9, 5, 25, 50)
RIDGES = {"alpha": [1 / gamma for gamma in GAMMAS]}
WIDTHS = {"gamma": [1 / (width**2 * N_COLUMNS) for width in SPREADS]}
POLY = {"kernel": "poly", "gamma": 1, "coef0": 1}
KERNELS = {
    "linear": {"kernel": "linear"},
    "poly2": {**POLY, "degree": 2},
    "poly3": {**POLY, "degree": 3},
    "rbf": {"kernel": "rbf"},
}
# Families that are timed on so many of the ten folds, unless told otherwise.
FEWER = {**{f"lssvm-{name}": 2 for name in KERNELS}, "mlp": 2}


def around(tried, best):
    """The best between two finer ones: geometric means with its neighbours, in whose ratio the grid goes on."""
    below = max((value for value in tried if value < best), default=None)
    above = min((value for value in tried if value > best), default=None)
    below, above = below or best * best / above, above or best * best / below
    return [(below * best) ** 0.5, best, (best * above) ** 0.5]


def correct(model, rows, targets):
    return np.mean((model.predict(rows) >= 0) == (targets > 0))


def network(hidden):
    return MLPClassifier((hidden,), activation="tanh", solver="lbfgs", max_iter=200, random_state=0)


class KernelMachine:
    """KernelRidge on classes 1 and -1, tuned on a grid and on finer ones."""

    def __init__(self, kernel, inner):
        self.model = KernelRidge(**KERNELS[kernel])
        self.grid = {**RIDGES, **(WIDTHS if kernel == "rbf" else {})}
        self.inner = inner

    def fit(self, rows, classes):
        targets, started = np.where(classes == 1, 1.0, -1.0), time.process_time()
        for idx in range(1 + N_REFINEMENTS):
            search = GridSearchCV(self.model, self.grid, scoring=correct, cv=self.inner, refit=False).fit(rows, targets)
            self.grid = {name: around(self.grid[name], best) for name, best in search.best_params_.items()}
            if idx == 0:
                self.coarse = time.process_time() - started
        self.model.set_params(**search.best_params_).fit(rows, targets)
        return self

    def decision_function(self, rows):
        return self.model.predict(rows)


def learners(family, table):
    """The members: name, how one is made for a fold, whether it sees codes."""
    kind, _, kernel = family.partition("-")
    if kind == "logit":
        return [("logit", lambda fold: LogisticRegression(C=np.inf, max_iter=1000), False)]
    if kind == "knn":
        return [(f"knn:{k}", lambda fold, k=k: KNeighborsClassifier(k), False) for k in KS]
    if kind == "mlp":
        tuned = lambda size: lambda fold: GridSearchCV(network(size), DECAYS, scoring="roc_auc", cv=table.inner[fold])
        return [(f"mlp:{size}", tuned(size), False) for size in (1, 2, 3)]
    if kind == "nb":
        bayes = lambda rows: lambda fold: CategoricalNB(alpha=rows / 2, force_alpha=True, min_categories=table.levels)
        return [(f"nb:{rows:g}", bayes(rows), True) for rows in IMAGINED]
    return [(family, lambda fold: KernelMachine(kernel, table.inner[fold]), False)]


def scored(model, table, fold, sees_codes):
    """The scores of the rows that are held out, and the CPU seconds without finer grids, if there are any."""
    training, held = table.parts[fold]
    inputs = table.codes if sees_codes else table.numbers
    model.fit(inputs[training], table.classes[training])
    has_margins = hasattr(model, "decision_function")
    scores = model.decision_function(inputs[held]) if has_margins else model.predict_proba(inputs[held])[:, 1]
    return scores, getattr(model, "coarse", 0.0)


def run(family, table, n_folds, processes):
    """The AUROC of each member on the first folds, and the CPU seconds of these without finer grids, if there are any."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    members = learners(family, table)
    of_fold = lambda fold: [scored(make(fold), table, fold, sees_codes) for _, make, sees_codes in members]
    found = spread(of_fold, range(n_folds), processes)
    by_member = zip(members, zip(*found))
    aurocs = {name: table.aurocs([scores for scores, _ in of_member]) for (name, *_), of_member in by_member}
    return aurocs, sum(coarse for of_members in found for _, coarse in of_members)
