"""How often tests of a domain classifier reject where both tables come from one law.

What: z of the AUROC against one half in three ways - all out-of-fold scores pooled, the mean over folds, and forward validation,
where each fold is scored by a model of the folds before it - for learners of scikit-learn on normal noise.
Why: models of different folds share training rows, so that the first two reject far too often; `shift/domain.rs` takes the third.
Versions: numpy 2.4, scipy 1.17, scikit-learn 1.9; seed 7.

    python null_of_domain_test.py
"""

import numpy as np
from scipy.stats import norm, rankdata
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

FOLDS = 5


def auroc_and_null_variance(truth, scores):
    positives = truth.sum()
    negatives = len(truth) - positives
    rank_sum = rankdata(scores)[truth == 1].sum()
    auroc = (rank_sum - positives * (positives + 1) / 2) / (positives * negatives)
    n = len(truth)
    tied = (np.unique(scores, return_counts=True)[1] ** 3.0 - np.unique(scores, return_counts=True)[1]).sum()
    return auroc, (n + 1 - tied / (n * (n - 1))) / (12 * positives * negatives)


def z_of_noise(make_model, n_rows, n_columns, base_rate, random):
    numbers = random.normal(size=(n_rows, n_columns))
    truth = (random.random(n_rows) < base_rate).astype(int)
    folds = [test for _, test in StratifiedKFold(FOLDS, shuffle=True, random_state=1).split(numbers, truth)]

    def scores(training, test):
        return make_model().fit(numbers[training], truth[training]).predict_proba(numbers[test])[:, 1]

    pooled, by_fold, forward = np.zeros(n_rows), [], []
    for k, test in enumerate(folds):
        pooled[test] = scores(np.setdiff1d(np.arange(n_rows), test), test)
        by_fold.append(auroc_and_null_variance(truth[test], pooled[test]))
        if k > 0:
            forward.append(auroc_and_null_variance(truth[test], scores(np.concatenate(folds[:k]), test)))
    found = []
    for judged in ([auroc_and_null_variance(truth, pooled)], by_fold, forward):
        aurocs, variances = np.array(judged).T
        found.append((aurocs - 0.5).sum() / np.sqrt(variances.sum()))
    return found


def main():
    logit = lambda: LogisticRegression(C=100.0)  # noqa: E731
    boost = lambda: GradientBoostingClassifier(n_estimators=50, max_depth=3, learning_rate=0.2)  # noqa: E731
    for name, make_model, n_rows, n_columns, base_rate, n_tables in [
        ("logit", logit, 400, 1, 0.5, 600),
        ("logit", logit, 400, 5, 0.3, 600),
        ("logit", logit, 400, 20, 0.3, 600),
        ("boost", boost, 400, 5, 0.3, 300),
        ("boost", boost, 600, 2, 0.1, 300),
    ]:
        random = np.random.default_rng(7)
        z = np.array([z_of_noise(make_model, n_rows, n_columns, base_rate, random) for _ in range(n_tables)])
        print(f"{name}, {n_rows} rows, {n_columns} columns, base rate {base_rate}:")
        for column, way in enumerate(("pooled", "folds", "forward")):
            one, two = norm.sf(z[:, column]) < 0.05, 2 * norm.sf(abs(z[:, column])) < 0.05
            print(f"  {way}: sd of z {z[:, column].std():.2f}, rejects one-sided {one.mean():.3f}, two-sided {two.mean():.3f}")


if __name__ == "__main__":
    main()
