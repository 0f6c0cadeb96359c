"""How far the mean AUROC of a cross-validation strays from one half where the columns are noise.

What: z = (mean AUROC over folds - 1/2) / the standard error that permutations within folds would give, for learners of
scikit-learn on normal noise; prints mean and standard deviation of z, and how often it exceeds some bounds.
Why: models of different folds share training rows, so held-out scores spread more than those of fixed models.
`crates/tribunal/src/study/baseline.rs` multiplies its standard error by what follows from the figures found here.
Versions: numpy 2.4, scipy 1.17, scikit-learn 1.9; seed 7.

    python null_of_cross_validation.py
"""

import numpy as np
from scipy.stats import rankdata
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB


def auroc_and_null_variance(truth, scores):
    positives = truth.sum()
    negatives = len(truth) - positives
    rank_sum = rankdata(scores)[truth == 1].sum()
    auroc = (rank_sum - positives * (positives + 1) / 2) / (positives * negatives)
    return auroc, (len(truth) + 1) / (12 * positives * negatives)


def z_of_noise(make_model, n_rows, n_columns, base_rate, n_folds, random):
    numbers = random.normal(size=(n_rows, n_columns))
    truth = (random.random(n_rows) < base_rate).astype(int)
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=1).split(numbers, truth)
    judged = []
    for training, test in folds:
        model = make_model().fit(numbers[training], truth[training])
        judged.append(auroc_and_null_variance(truth[test], model.predict_proba(numbers[test])[:, 1]))
    aurocs, variances = np.array(judged).T
    return (aurocs.mean() - 0.5) * n_folds / np.sqrt(variances.sum())


def main():
    logit = lambda: LogisticRegression(C=1e6)  # noqa: E731
    for name, make_model, n_rows, n_columns, base_rate, n_folds, n_tables in [
        ("logit", logit, 200, 5, 0.3, 10, 600),
        ("nb", GaussianNB, 200, 5, 0.3, 10, 800),
        ("nb", GaussianNB, 200, 1, 0.3, 10, 800),
        ("nb", GaussianNB, 300, 20, 0.3, 10, 600),
        ("nb", GaussianNB, 1000, 5, 0.1, 10, 500),
        ("nb", GaussianNB, 200, 5, 0.3, 2, 1000),
    ]:
        random = np.random.default_rng(7)
        z = np.array([z_of_noise(make_model, n_rows, n_columns, base_rate, n_folds, random) for _ in range(n_tables)])
        beyond = ", ".join(f"P(z > {bound}) {(z > bound).mean():.3f}" for bound in (1.96, 2.35, 2.5, 2.8, 3.0, 3.36))
        print(f"{name} {n_rows} rows, {n_columns} columns, {n_folds} folds: mean {z.mean():.2f}, sd {z.std():.2f}, {beyond}")


if __name__ == "__main__":
    main()
