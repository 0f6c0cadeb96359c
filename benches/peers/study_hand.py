"""The study benchmark written by hand for speed: numpy, scipy and scikit-learn's trees.

What: for each family of Viaene et al. (2002) the AUROC of each member on each fold, by formulations that share
whatever can be shared.
- logit: Newton's method, folds begin at the coefficients of all rows.
- knn: one matrix of distances and one partial sort for every k; rows at the same distance share their votes.
- mlp: networks whose decays, one a column, follow from their evidence (MacKay 1992), by scipy's L-BFGS-B and curvature
  of first derivatives; no inner folds, eight cycles of at most 50 steps.
- lssvm-linear: an eigendecomposition of 37 columns for each inner training part serves every gamma.
- other lssvm: study_kernels.py.
- nb, tan: counts of all folds by products with indicators, those of a training part by subtraction.
- c45: scikit-learn's tree with entropy, which divides codes at a threshold; curtailed trees are read off the unpruned
  one, for every k, and k is chosen on inner folds by log loss. Its leaves are smoothed as C4.5's are.
Tried and lost: LogisticRegression warm-started (twice the CPU time by lbfgs, a half more by newton-cholesky),
MLPClassifier on inner folds, networks trained for 100 steps a cycle or to a tolerance of 1e-6 (half as much again or
more, at the same AUROC), trees on indicators of codes (a half more).
"""

import numpy as np
from scipy.optimize import minimize
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.special import expit
from sklearn.tree import DecisionTreeClassifier

import study_kernels
from study_folds import N_FOLDS, spread
from study_usual import IMAGINED, KS

# ---------------------------------------------------------------- logistic regression


def newton(rows, classes, weights):
    """The coefficients of the greatest likelihood; a whisper of a ridge is for columns that are constant."""
    for _ in range(25):
        shares = expit(rows @ weights)
        gradient = rows.T @ (classes - shares)
        hessian = (rows * (shares * (1 - shares))[:, None]).T @ rows
        hessian.flat[:: len(hessian) + 1] += 1e-8
        step = np.linalg.solve(hessian, gradient)
        weights = weights + step
        if gradient @ step < 1e-8:
            break
    return weights


def logit(table, _):
    rows = np.column_stack([np.ones(len(table.classes)), table.numbers])
    warm = newton(rows, table.classes, np.zeros(rows.shape[1]))
    fits = [newton(rows[training], table.classes[training], warm) for training, _ in table.parts]
    return {"logit": table.aurocs([rows[held] @ fit for fit, (_, held) in zip(fits, table.parts)])}


# ---------------------------------------------------------------- nearest neighbours


def knn(table, _):
    """Rows of the same fold are infinitely far."""
    sizes = (table.numbers**2).sum(1)
    distances = np.round(sizes[:, None] + sizes - 2 * table.numbers @ table.numbers.T, 9)
    distances[table.folds[:, None] == table.folds] = np.inf
    ends = np.partition(distances, [k - 1 for k in KS], axis=1)
    counted = np.column_stack([np.ones(len(table.classes)), table.classes]).astype(np.float32)
    votes = {k: shared_votes(distances, ends[:, [k - 1]], k, counted) for k in KS}
    return {f"knn:{k}": table.aurocs([votes[k][held] for _, held in table.parts]) for k in KS}


def shared_votes(distances, end, k, counted):
    """Positives that are nearer than the k-th row, and their share of the places that are left among rows as far as it."""
    nearer, positives = ((distances < end).astype(np.float32) @ counted).T
    as_far, among = ((distances == end).astype(np.float32) @ counted).T
    return positives + (k - nearer) * among / as_far


# ---------------------------------------------------------------- networks


STEPS = {"maxiter": 50, "ftol": 1e-5}


class Network:
    """Tanh units on columns and a bias; weights are one vector: units by inputs, then the output's."""

    def __init__(self, rows, classes, hidden):
        self.rows, self.classes, self.hidden = rows, classes, hidden
        self.n_inputs = rows.shape[1]
        # A group for each column, hidden biases, output weights, and the output bias.
        units = np.tile(np.arange(self.n_inputs), hidden)
        self.groups = np.concatenate([units, np.full(hidden, self.n_inputs), [self.n_inputs + 1]])
        self.n_groups = self.n_inputs + 2

    def split(self, weights):
        inner = weights[: self.hidden * self.n_inputs].reshape(self.hidden, self.n_inputs)
        return inner, weights[inner.size : -1], weights[-1]

    def log_odds(self, weights, rows):
        inner, outer, bias = self.split(weights)
        units = np.tanh(rows @ inner.T)
        return units, units @ outer + bias

    def loss(self, weights, decays):
        """Cross-entropy and decay, and their derivatives."""
        _, outer, _ = self.split(weights)
        units, odds = self.log_odds(weights, self.rows)
        errors = expit(odds) - self.classes
        back = (errors[:, None] * outer) * (1 - units * units)
        gradient = np.concatenate([(back.T @ self.rows).ravel(), units.T @ errors, [errors.sum()]])
        value = np.logaddexp(0, odds).sum() - self.classes @ odds + 0.5 * decays @ (weights * weights)
        return value, gradient + decays * weights

    def curvature(self, weights, decays):
        """Of the log-odds' first derivatives, which is positive definite wherever training stops."""
        _, outer, _ = self.split(weights)
        units, odds = self.log_odds(weights, self.rows)
        slopes = (1 - units * units) * outer
        inner = (slopes[:, :, None] * self.rows[:, None, :]).reshape(len(self.rows), -1)
        derivatives = np.column_stack([inner, units, np.ones(len(units))])
        shares = expit(odds)
        return (derivatives * (shares * (1 - shares))[:, None]).T @ derivatives + np.diag(decays)

    def train(self, weights):
        alphas = np.full(self.n_groups, 0.01)
        for _ in range(8):
            decays = alphas[self.groups]
            weights = minimize(self.loss, weights, decays, "L-BFGS-B", jac=True, options=STEPS).x
            left = 1 - decays * np.diag(np.linalg.inv(self.curvature(weights, decays)))
            determined, sizes = (np.bincount(self.groups, values) for values in (left, weights * weights))
            alphas = np.clip(determined / np.maximum(sizes, 1e-12), 1e-3, 1e6)
        return weights


def mlp(table, processes):
    rows = np.column_stack([table.numbers, np.ones(len(table.classes))])

    def scored(task):
        hidden, (training, held) = task[0], table.parts[task[1]]
        network = Network(rows[training], table.classes[training], hidden)
        start = np.random.default_rng(task).normal(size=hidden * rows.shape[1] + hidden + 1) / np.sqrt(rows.shape[1])
        return network.log_odds(network.train(start), rows[held])[1]

    tasks = [(hidden, fold) for hidden in (3, 2, 1) for fold in range(N_FOLDS)]
    found = dict(zip(tasks, spread(scored, tasks, processes)))
    return {f"mlp:{hidden}": table.aurocs([found[hidden, fold] for fold in range(N_FOLDS)]) for hidden in (1, 2, 3)}


# ---------------------------------------------------------------- counts


def indicators(table):
    """A column for each value of each column, and where the values of each begin."""
    starts = np.concatenate([[0], np.cumsum(table.levels)])
    hot = np.zeros((len(table.codes), starts[-1]))
    np.put_along_axis(hot, table.codes + starts[:-1], 1.0, axis=1)
    return hot, starts


def nb(table, _):
    """Scores of a fold are a product of its indicators with differences of logarithms."""
    hot, _ = indicators(table)
    members = np.eye(N_FOLDS)[table.folds]
    levels, logs = np.repeat(table.levels, table.levels), {}
    for sign in (0, 1):
        chosen = members * (table.classes == sign)[:, None]
        counts, totals = hot.T @ chosen, chosen.sum(0)
        counts, totals = counts.sum(1, keepdims=True) - counts, totals.sum() - totals
        for imagined in IMAGINED:
            shares = (counts + imagined / levels[:, None]) / (totals + imagined)
            logs[imagined, sign] = np.log(shares), np.log(totals)
    evidence = lambda imagined, part: logs[imagined, 1][part] - logs[imagined, 0][part]
    score = lambda imagined, fold, held: hot[held] @ evidence(imagined, 0)[:, fold] + evidence(imagined, 1)[fold]
    folds = lambda imagined: [score(imagined, fold, held) for fold, (_, held) in enumerate(table.parts)]
    return {f"nb:{imagined:g}": table.aurocs(folds(imagined)) for imagined in IMAGINED}


def information(joint, starts):
    """The mutual information of every two columns given the class, from counts of pairs of values by class."""
    def entropies(counts):
        return np.where(counts > 0, counts * np.log(np.maximum(counts, 1e-300)), 0.0)

    summed = lambda values: np.add.reduceat(np.add.reduceat(values, starts[:-1], axis=0), starts[:-1], axis=1)
    found = 0
    for counts in joint:
        single = np.diag(counts)
        alone = np.add.reduceat(entropies(single), starts[:-1])
        total = single[: starts[1]].sum()
        found = found + summed(entropies(counts)) - alone[:, None] - alone + entropies(total)
    return np.maximum(found, 0)


def parents(joint, starts):
    """The column that each leans on in the tree of the most information; the first leans on none."""
    weights = information(joint, starts)
    np.fill_diagonal(weights, 0)
    tree = minimum_spanning_tree(np.where(weights > 0, weights.max() + 1 - weights, 0)).toarray()
    linked, found, stack = (tree + tree.T) > 0, np.full(len(weights), -1), [0]
    while stack:
        column = stack.pop()
        for other in np.flatnonzero(linked[column]):
            if other != found[column]:
                found[other] = column
                stack.append(other)
    return found


def tan(table, _):
    """The tree and the tables of each fold from counts of pairs of values, which all smoothings share."""
    hot, starts = indicators(table)
    places = table.codes + starts[:-1]
    fold_rows = [held for _, held in table.parts]
    chosen = lambda rows, sign: hot[rows[table.classes[rows] == sign]]
    pairs = lambda hot: hot.T @ hot
    counts = np.array([[pairs(chosen(rows, sign)) for sign in (0, 1)] for rows in fold_rows])
    counts = counts.sum(0) - counts
    found = {imagined: [] for imagined in IMAGINED}
    for joint, held in zip(counts, fold_rows):
        leans, rows = parents(joint, starts), places[held]
        of_parent = np.where(leans >= 0, rows[:, leans], rows)
        for imagined in IMAGINED:
            found[imagined].append(odds(joint, leans, rows, of_parent, imagined, np.array(table.levels)))
    return {f"tan:{imagined:g}": table.aurocs(scores) for imagined, scores in found.items()}


def odds(joint, leans, rows, of_parent, imagined, levels):
    """The log-odds of rows, whose places among the indicators are given with those of the columns they lean on."""
    logs = []
    for counts in joint:
        single, total = np.diag(counts), np.diag(counts)[: levels[0]].sum()
        upper = np.where(leans >= 0, counts[rows, of_parent], single[rows])
        lower = np.where(leans >= 0, single[of_parent], total)
        logs.append(np.log((upper + imagined / levels) / (lower + imagined)).sum(1) + np.log(total))
    return logs[1] - logs[0]


# ---------------------------------------------------------------- trees

SMALLEST = (2, 5, 10, 15, 20, 30, 40, 50, 75, 100, 150, 200)


def curtailed(table, training, held):
    """What the unpruned tree says when nodes of fewer than k rows are not asked, a column for each k."""
    tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0)
    tree.fit(table.codes[training], table.classes[training])
    nodes, sizes = tree.tree_, tree.tree_.n_node_samples
    shares = (nodes.value[:, 0, 1] * sizes + 5) / (sizes + 5 / table.classes[training].mean())
    parent = np.zeros(nodes.node_count, dtype=int)
    for child in (nodes.children_left, nodes.children_right):
        inner = np.flatnonzero(child >= 0)
        parent[child[inner]] = inner
    leaves, found = tree.apply(table.codes[held]), []
    for smallest in SMALLEST:
        at = leaves
        while (sizes[at] < smallest).any():
            at = np.where(sizes[at] < smallest, parent[at], at)
        found.append(shares[at])
    return np.column_stack(found)


def log_loss(shares, classes):
    return -np.log(np.where(classes[:, None] == 1, shares, 1 - shares)).sum(0)


def c45(table, _):
    """Pruned means by cost and complexity, at a fixed price of a leaf."""
    found = {"pruned": [], "unpruned": [], "curtailed": []}
    for (training, held), inner in zip(table.parts, table.inner):
        losses = 0
        for learned, asked in inner:
            shares = curtailed(table, training[learned], training[asked])
            losses = losses + log_loss(shares, table.classes[training[asked]])
        shares = curtailed(table, training, held)
        found["unpruned"].append(shares[:, 0])
        found["curtailed"].append(shares[:, np.argmin(losses)])
        pruned = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, ccp_alpha=3e-3, random_state=0)
        pruned.fit(table.codes[training], table.classes[training])
        found["pruned"].append(pruned.predict_proba(table.codes[held])[:, 1])
    return {f"c45:{name}": table.aurocs(scores) for name, scores in found.items()}


FORMULATIONS = {
    "logit": {"newton": logit},
    "knn": {"one matrix": knn},
    "mlp": {"evidence": mlp},
    "nb": {"counts": nb},
    "tan": {"counts": tan},
    "c45": {"trees": c45},
    **study_kernels.FORMULATIONS,
}
COARSE = study_kernels.COARSE
