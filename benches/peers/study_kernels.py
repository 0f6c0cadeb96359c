"""Least-squares support vector machines by hand: what grid points, folds and inner folds can share.

What: `(K + I / gamma) a + b = t`, `sum a = 0` for t = 1 or -1, gamma and for rbf the width chosen by the share of
correct signs on ten inner folds: the grid of Van Gestel et al. (2004), then three finer ones around the best, as
Tribunal has them.
With the inverse H of `K + I / gamma` over training rows, what a machine without an inner fold says of it takes factors
of the size of that fold only (An, Liu and Venkatesh 2007). Where the inverse comes from is what formulations differ
in:
- `eigen`: each training part has a kernel and its eigendecomposition for each width, which serves every gamma.
- `one inverse`: columns are scaled over all rows, so that one kernel of all rows serves every fold. It is inverted for
  each gamma and width by its Cholesky factor, and the rows of a fold are taken out of it.
- `one inverse, or thin`: wide bells are nearly flat, so that their kernel is a product of few columns but for what the
  ridge drowns. A Cholesky factor with pivots finds these, and systems are as large as it is wide.
The linear machine has 37 columns: an eigendecomposition of their products for each inner training part serves every
gamma.
Tried and lost: an eigendecomposition of all rows instead of factors. It takes as long as five inverses by factors, and
with it an inverse takes three quarters of what it took, which eleven gammas do not repay.
"""

from functools import cache, partial

import numpy as np
from scipy.linalg import eigh
from scipy.linalg.lapack import dposv, dpotrf, dpotri, dpstrf, dtrtrs

from study_folds import N_COLUMNS, N_FOLDS, spread
from study_usual import GAMMAS, N_REFINEMENTS, SPREADS, around


# Rounding errors must not tell equals apart.
N_DIGITS = 9


class Kernels:
    """Kernels of all rows, from inner products that are made once."""

    def __init__(self, table, degree, n_finer=N_REFINEMENTS):
        self.degree, self.n_finer = degree, n_finer
        self.widths = [None] if degree else list(SPREADS)
        self.products = table.numbers @ table.numbers.T
        self.targets = np.where(table.classes == 1, 1.0, -1.0)

    def of(self, width):
        if self.degree:
            return (self.products + 1) ** self.degree
        sizes = np.diag(self.products)
        return np.exp((2 * self.products - sizes[:, None] - sizes) / (width**2 * N_COLUMNS))


# ---------------------------------------------------------------- choosing


class Search:
    """The search of one fold for its best point, (width, gamma), in rounds."""

    def __init__(self, widths):
        self.widths, self.gammas, self.known = widths, list(GAMMAS), {}

    def points(self):
        """From the smoothest: of equals the first is chosen."""
        widths = sorted(self.widths, key=lambda width: -(width or 0))
        return [(width, gamma) for gamma in sorted(self.gammas) for width in widths]

    def wanted(self):
        return [point for point in self.points() if point not in self.known]

    def best(self):
        return max(self.points(), key=self.known.get)

    def narrow(self):
        width, gamma = self.best()
        self.widths = self.widths if width is None else around(self.widths, width)
        self.gammas = around(self.gammas, gamma)


def best_of(search, correct, n_finer=N_REFINEMENTS):
    """The best point of one fold, by a function that says how often signs are correct at points."""
    for idx in range(1 + n_finer):
        if idx > 0:
            search.narrow()
        wanted = search.wanted()
        search.known.update(zip(wanted, correct(wanted)))
    return search.best()


def best_of_all(searches, correct, n_finer):
    """The best point of each fold, by a function that says how often signs of folds are correct: [(point, folds)]."""
    for idx in range(1 + n_finer):
        asked = {}
        for fold, search in enumerate(searches):
            if idx > 0:
                search.narrow()
            for point in search.wanted():
                asked.setdefault(point, []).append(fold)
        tasks = list(asked.items())
        for (point, folds), shares in zip(tasks, correct(tasks)):
            for fold, share in zip(folds, shares):
                searches[fold].known[point] = share
    return [search.best() for search in searches]


# ---------------------------------------------------------------- leaving out


def errors(block, ones, coefficients, total):
    """What is missing to the targets in rows that are left out, by their block of the inverse."""
    bordered = block - np.outer(ones, ones) / total
    return dposv(bordered, coefficients)[1]


def share_correct(table, fold, targets, block_of, ones, solved):
    """Correct signs on the inner folds of a training part, as the sum of their shares."""
    total = ones.sum()
    coefficients, sum_of_shares = solved - ones * (solved.sum() / total), 0.0
    for _, rows in table.inner[fold]:
        missing = errors(block_of(rows), ones[rows], coefficients[rows], total)
        sum_of_shares += np.mean((targets[rows] - missing >= 0) == (targets[rows] > 0))
    return round(sum_of_shares, N_DIGITS)


def inverted(kernel, gamma):
    kernel.flat[:: len(kernel) + 1] += 1 / gamma
    factor, failed = dpotrf(kernel, lower=1, overwrite_a=1)
    assert not failed, "not positive definite"
    half = dpotri(factor, lower=1, overwrite_c=1)[0]
    half.flat[:: len(half) + 1] /= 2
    return half + half.T


def of_all_rows(table, kernels, processes, is_thin=False):
    """A machine of each fold from one inverse for each point, or from its thin factor where it has one."""
    def shares(task):
        (width, gamma), folds = task
        kernel = np.asfortranarray(kernels.of(width))
        if is_thin and width and gamma / width**4 <= THIN:
            thin = thin_factor(kernel, gamma)
            return [of_thin(table, kernels.targets, thin, gamma, fold) for fold in folds]
        inverse = inverted(kernel, gamma)
        return [without(table, kernels.targets, inverse, fold) for fold in folds]

    searches = [Search(kernels.widths) for _ in range(N_FOLDS)]
    points = best_of_all(searches, lambda tasks: spread(shares, tasks, processes), kernels.n_finer)
    said = lambda fold: held_out(kernels, points[fold], *table.parts[fold])
    return spread(said, range(N_FOLDS), processes)


def held_out(kernels, point, training, held):
    """What a machine of training rows says of others."""
    kernel = kernels.of(point[0])
    matrix = kernel[np.ix_(training, training)]
    matrix.flat[:: len(matrix) + 1] += 1 / point[1]
    sides = np.column_stack([np.ones(len(training)), kernels.targets[training]])
    ones, solved = dposv(matrix, sides, lower=1)[1].T
    bias = solved.sum() / ones.sum()
    return kernel[np.ix_(held, training)] @ (solved - ones * bias) + bias


def without(table, targets, inverse, fold):
    """Correct signs on the inner folds of a training part, whose inverse is that of all rows without the fold."""
    training, held = table.parts[fold]
    factor = dpotrf(inverse[np.ix_(held, held)], lower=1)[0]
    taken = dtrtrs(factor, inverse[np.ix_(held, training)], lower=1)[0]
    sides = np.column_stack([np.ones(len(training)), targets[training]])
    spread_sides = np.zeros((len(targets), 2))
    spread_sides[training] = sides
    ones, solved = ((inverse @ spread_sides)[training] - taken.T @ (taken @ sides)).T

    def block(rows):
        at = training[rows]
        return inverse[np.ix_(at, at)] - taken[:, rows].T @ taken[:, rows]

    return share_correct(table, fold, targets[training], block, ones, solved)


# Where gamma by the fourth power of the width is below this, kernels have few dimensions that ridges leave anything of.
THIN = 6e-7


def thin_factor(kernel, gamma):
    """Few columns whose products are the kernel but for what the ridge drowns; a row for each row."""
    factor, order, rank, _ = dpstrf(kernel, tol=1e-6 / gamma, lower=1, overwrite_a=1)
    thin = np.empty((len(factor), rank))
    thin[order - 1] = np.tril(factor)[:, :rank]
    return thin


def of_thin(table, targets, thin, gamma, fold):
    """Correct signs on the inner folds of a training part, by a system as large as the factor is wide."""
    rows = thin[table.parts[fold][0]]
    targets = targets[table.parts[fold][0]]
    products = rows.T @ rows
    products.flat[:: len(products) + 1] += 1 / gamma
    small = dtrtrs(dpotrf(products, lower=1)[0], rows.T, lower=1)[0]
    sides = np.column_stack([np.ones(len(rows)), targets])
    ones, solved = gamma * (sides - small.T @ (small @ sides)).T
    block = lambda chosen: gamma * (np.eye(len(chosen)) - small[:, chosen].T @ small[:, chosen])
    return share_correct(table, fold, targets, block, ones, solved)


def of_each_part(table, kernels, processes):
    """A machine of each fold from eigendecompositions of its own kernels."""
    def part(fold):
        training, held = table.parts[fold]
        targets = kernels.targets[training]

        @cache
        def decomposed(width):
            values, vectors = eigh(kernels.of(width)[np.ix_(training, training)], driver="evd", check_finite=False)
            return values, vectors, vectors.T @ np.column_stack([np.ones(len(training)), targets])

        def solutions(width, gamma):
            values, vectors, sides = decomposed(width)
            scales = 1 / (np.maximum(values, 0) + 1 / gamma)
            return vectors, scales, (vectors @ (scales[:, None] * sides)).T

        def counted(width, gamma):
            vectors, scales, (ones, solved) = solutions(width, gamma)
            block = lambda rows: (vectors[rows] * scales) @ vectors[rows].T
            return share_correct(table, fold, targets, block, ones, solved)

        correct = lambda points: [counted(*point) for point in points]
        point = best_of(Search(kernels.widths), correct, kernels.n_finer)
        return held_out(kernels, point, training, held)

    return spread(part, range(N_FOLDS), processes)


# ---------------------------------------------------------------- few columns


def linear(table, _):
    """A ridge on columns whose means are taken off, which is what the bias is for."""
    targets = np.where(table.classes == 1, 1.0, -1.0)

    def decomposed(rows):
        inputs, mean = table.numbers[rows], targets[rows].mean()
        middle = inputs.mean(0)
        values, vectors = np.linalg.eigh((inputs - middle).T @ (inputs - middle))
        return middle, mean, values, vectors, vectors.T @ ((inputs - middle).T @ (targets[rows] - mean))

    def said(machine, rows, gammas):
        middle, mean, values, vectors, side = machine
        weights = vectors @ (side[:, None] / (values[:, None] + 1 / np.array(gammas)))
        return (table.numbers[rows] - middle) @ weights + mean

    found = []
    for fold, (training, held) in enumerate(table.parts):
        inner = [(decomposed(training[learned]), training[asked]) for learned, asked in table.inner[fold]]

        def correct(points):
            gammas = [gamma for _, gamma in points]
            right = lambda machine, rows: (said(machine, rows, gammas) >= 0) == (targets[rows, None] > 0)
            return np.round(sum(right(machine, rows).mean(0) for machine, rows in inner), N_DIGITS)

        _, gamma = best_of(Search([None]), correct)
        found.append(said(decomposed(training), held, [gamma])[:, 0])
    return {"lssvm-linear": table.aurocs(found)}


DEGREES = {"lssvm-poly2": 2, "lssvm-poly3": 3, "lssvm-rbf": None}


def machine(name, scores, *n_finer):
    """A formulation of a kernel that is not linear."""
    kernels = lambda table: Kernels(table, DEGREES[name], *n_finer)
    return lambda table, processes: {name: table.aurocs(scores(table, kernels(table), processes))}


thin_or_all_rows = partial(of_all_rows, is_thin=True)
FORMULATIONS = {
    "lssvm-linear": {"columns": linear},
    **{name: {"one inverse": machine(name, of_all_rows), "eigen": machine(name, of_each_part)} for name in DEGREES},
}
FORMULATIONS["lssvm-rbf"]["one inverse, or thin"] = machine("lssvm-rbf", thin_or_all_rows)
# The fastest of them without finer grids.
COARSE = {name: machine(name, thin_or_all_rows, 0) for name in DEGREES}
