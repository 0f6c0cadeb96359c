"""Learners against WEKA and scikit-learn on generated tables with every kind of column (see tables.py).

What: `make` writes differential.json beside this file, which the offline tests read (tests/it/learners/differential.rs):
- `j48`: leaves, nodes and training errors of WEKA's J48 (-U -M 2 and -C 0.25 -M 2) on each table, its negated and its shifted
  copy. This project's c45:adderrs=j48 must have the same: only the quantile of pruning differs between C4.5 and J48.
- `gaussian`: the AUROC of the log-odds of naive Bayes by numpy: sample variances (divisor n - 1), deviations of at least
  a thousandth of the column's, columns without variance passed over. Log-odds are what is ranked, before any rounding.
- `sklearn`: probabilities of LogisticRegression without penalty, votes of KNeighborsClassifier and margins of SVC, on
  columns standardised with the divisor n - 1; of the first rows.
`check` runs a built tribunal on fresh tables, any number of them, and compares trees (J48), naive Bayes (GaussianNB's joint
log-probabilities, CategoricalNB, WEKA's NaiveBayes), TAN (WEKA's BayesNet), logit, knn and svm with those programs. It tells
what differs and ends with exit code 1 if anything does.
Made with Python 3.11, numpy 2.4, scikit-learn 1.9.1, WEKA 3.6.14 (Debian) on Java 17 (a JDK is needed).

    python differential.py make
    python differential.py check PATH/TO/tribunal [N_TABLES] [FIRST_SEED]
"""

import csv
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import sklearn
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

import tables

HERE = Path(__file__).resolve().parent
JAR = "/usr/share/java/weka.jar"
J48 = {"unpruned": "weka.classifiers.trees.J48 -U -M 2", "pruned": "weka.classifiers.trees.J48 -C 0.25 -M 2"}
BAYES = "weka.classifiers.bayes.NaiveBayes"
TAN = (
    "weka.classifiers.bayes.BayesNet -D -Q weka.classifiers.bayes.net.search.local.TAN -- -S ENTROPY "
    "-E weka.classifiers.bayes.net.estimate.SimpleEstimator -- -A 0.0"
)
SHOWN = 60
# The share of a column's deviation that no class falls below.
FLOOR = 1e-3


def weka(text, commands):
    """What each command learns from an ARFF text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.arff"
        path.write_text(text)
        run = ["java", "-cp", JAR, str(HERE / "WekaReference.java"), str(path), *commands]
        found = subprocess.run(run, check=True, capture_output=True, text=True)
    return [json.loads(line) for line in found.stdout.splitlines()]


def j48(columns, classes):
    """The figures of J48's trees."""
    found = weka(tables.arff(columns, classes), J48.values())
    return {key: {name: tree[name] for name in ("leaves", "size", "errors")} for key, tree in zip(J48, found)}


def log_odds(columns, classes):
    """Naive Bayes with normal densities, in log-odds of the second class; what is missing adds nothing."""
    odds = np.full(len(classes), np.log((classes == 1).sum()) - np.log((classes == 0).sum()))
    for _, numbers in columns:
        known = ~np.isnan(numbers)
        spread = numbers[known].std(ddof=1)
        if numbers[known].min() == numbers[known].max():
            continue
        density = []
        for label in (0, 1):
            own = numbers[known & (classes == label)]
            deviation = max(own.std(ddof=1), FLOOR * spread)
            density.append(-0.5 * ((numbers - own.mean()) / deviation) ** 2 - np.log(deviation))
        odds += np.where(known, density[1] - density[0], 0.0)
    return odds


def standardised(columns):
    """The matrix of columns that vary, with mean 0 and sample deviation 1."""
    varying = [numbers for _, numbers in columns if numbers.min() < numbers.max()]
    return np.array([(numbers - numbers.mean()) / numbers.std(ddof=1) for numbers in varying]).T


def by_sklearn(columns, classes):
    """What scikit-learn says of rows it was trained on."""
    matrix = standardised(columns)
    logit = LogisticRegression(C=np.inf, tol=1e-12, max_iter=10_000).fit(matrix, classes)
    near = KNeighborsClassifier(25).fit(matrix, classes)
    svm = SVC(C=1.0, kernel="linear", tol=1e-8).fit(matrix, classes)
    return {
        "logistic_regression": logit.predict_proba(matrix)[:, 1],
        "neighbours": near.predict_proba(matrix)[:, 1],
        "svm": svm.decision_function(matrix),
    }


def reference(name):
    """All figures of a table."""
    seed, n_rows, share, kinds = tables.TABLES[name]
    columns, classes = tables.table(name)
    found = {"seed": seed, "rows": n_rows, "share": share, "kinds": kinds}
    found["sums"] = [float(np.nansum(numbers)) for _, numbers in columns]
    found["j48"] = {copy: j48(*tables.table(name, copy)) for copy in ("plain", "negated", "shifted")}
    if all(tables.KINDS[kind][0] is None for kind in kinds):
        odds = log_odds(columns, classes)
        plain = 1 / (1 + np.exp(-odds))
        found["gaussian"] = {
            "auroc": roc_auc_score(classes, odds),
            "auroc of the logistic": roc_auc_score(classes, plain),
            "scores of 0 or 1": int(((plain == 0) | (plain == 1)).sum()),
        }
    if name == "numbers without gaps":
        found["sklearn"] = {key: values[:SHOWN].tolist() for key, values in by_sklearn(columns, classes).items()}
    return found


def make():
    versions = {"numpy": np.__version__, "scikit-learn": sklearn.__version__, "weka": "3.6.14"}
    made = {"made_with": versions, "tables": {name: reference(name) for name in tables.TABLES}}
    (HERE / "differential.json").write_text(json.dumps(made, indent=1) + "\n")


class Tribunal:
    """A built command, run on a table in a folder of its own."""

    def __init__(self, command, folder, columns, classes):
        self.command, self.folder, self.classes = command, Path(folder), classes
        kind = lambda n: '"numeric"' if n is None else '"categorical:' + "|".join(f"l{i}" for i in range(n)) + '"'
        lines = [f"x{idx} = {kind(tables.KINDS[of][0])}" for idx, (of, _) in enumerate(columns)]
        (self.folder / "schema.toml").write_text("\n".join(["[columns]", *lines]) + "\n")
        cell = lambda n, value: "" if np.isnan(value) else repr(float(value)) if n is None else f"l{int(value)}"
        texts = [[cell(tables.KINDS[of][0], value) for value in values] for of, values in columns]
        with open(self.folder / "data.csv", "w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream)
            writer.writerow([f"x{idx}" for idx in range(len(columns))] + ["y"])
            writer.writerows([*row, f"c{label}"] for *row, label in zip(*texts, classes))

    def run(self, *args):
        run = subprocess.run([self.command, *args], capture_output=True, text=True, cwd=self.folder)
        if run.returncode != 0:
            raise SystemExit(f"{' '.join(args)}: {run.stderr}")
        return run.stdout

    def fit(self, learner):
        """The scores of the training rows, and the model as text."""
        data = ["--schema", "schema.toml", "--target", "y", "--positive", "c1"]
        self.run("fit", "data.csv", *data, "--learner", learner, "-q", "-o", "model.json")
        self.run("score", "model.json", "data.csv", "-q", "-o", "scores.csv")
        with open(self.folder / "scores.csv", newline="", encoding="utf-8") as stream:
            scores = np.array([float(row["score"]) for row in csv.DictReader(stream)])
        return scores, self.run("explain", "model.json")

    def tree(self, learner):
        """The leaves, the nodes and the training errors of a tree."""
        scores, text = self.fit(learner)
        figure = lambda label: int(re.search(rf"Number of {label}:\s*(\d+)", text).group(1))
        errors = int(((scores > 0.5 + 1e-9) != (self.classes == 1)).sum())
        return {"leaves": figure("leaves"), "size": figure("nodes"), "errors": errors}


def with_weka_priors(scores, classes, alpha):
    """Probabilities with priors of n + alpha from those with priors of n."""
    counts = np.array([(classes == label).sum() for label in (0, 1)])
    moved = np.array([1 - scores, scores]).T * (counts + alpha) / counts
    return moved[:, 1] / moved.sum(axis=1)


def drawn_kinds(rng, choices):
    """Some kinds of columns, each any number of times."""
    return [choices[place] for place in rng.integers(len(choices), size=rng.integers(2, 12))]


def differences(command, seed):
    """What differs on the tables of a seed, in words."""
    rng, found = np.random.default_rng(seed), []
    n_rows, share = int(rng.integers(50, 800)), float(rng.choice([0.5, 0.3, 0.1, 0.03]))

    def compare(what, ours, theirs, tolerance):
        worst = np.abs(np.asarray(ours) - np.asarray(theirs)).max()
        if not worst <= tolerance:
            found.append(f"seed {seed}: {what} differs by {worst:.3g}")

    kinds = drawn_kinds(rng, list(tables.KINDS))
    for copy in ("plain", "negated", "shifted"):
        columns, classes = tables.made(seed, n_rows, share, kinds, copy)
        with tempfile.TemporaryDirectory() as folder:
            tribunal = Tribunal(command, folder, columns, classes)
            theirs = j48(columns, classes)
            for key, learner in (("unpruned", "c45:unpruned,estimate=raw"), ("pruned", "c45:adderrs=j48,estimate=raw")):
                ours = tribunal.tree(learner)
                if ours != theirs[key]:
                    found.append(f"seed {seed}: {key} tree, {copy}: {ours}, J48 has {theirs[key]}; {kinds}, {n_rows} rows")

    numeric = [kind for kind in tables.KINDS if tables.KINDS[kind] == (None, 0.0)]
    columns, classes = tables.made(seed, n_rows, share, ["continuous", *drawn_kinds(rng, numeric)])
    with tempfile.TemporaryDirectory() as folder:
        tribunal = Tribunal(command, folder, columns, classes)
        ours, _ = tribunal.fit("nb")
        odds = log_odds(columns, classes)
        compare("AUROC of nb", roc_auc_score(classes, ours), roc_auc_score(classes, odds), 1e-6)
        compare("nb", ours, 1 / (1 + np.exp(-odds.clip(-700, 700))), 1e-7)
        varying = np.array([numbers for _, numbers in columns if numbers.min() < numbers.max()]).T
        joint = GaussianNB(var_smoothing=0).fit(varying, classes).predict_joint_log_proba(varying)
        if np.isfinite(joint).all():
            # Divisor n there, n - 1 here: the ranking hardly differs.
            compare("AUROC of GaussianNB", roc_auc_score(classes, ours), roc_auc_score(classes, joint[:, 1] - joint[:, 0]), 0.02)
        theirs = by_sklearn(columns, classes)
        logit, text = tribunal.fit("logit")
        if "separat" not in text:
            compare("logit", logit, theirs["logistic_regression"], 1e-3)
        compare("knn", tribunal.fit("knn:25")[0], theirs["neighbours"], 0.04)
        compare("svm", tribunal.fit("svm")[0], theirs["svm"], 1e-2)

    columns, classes = tables.made(seed, n_rows, max(share, 0.1), ["flag", "many levels", "flag", "flag"])
    codes, levels = np.array([values for _, values in columns]).T.astype(int), [tables.KINDS[kind][0] for kind, _ in columns]
    with tempfile.TemporaryDirectory() as folder:
        tribunal = Tribunal(command, folder, columns, classes)
        laplace, _ = tribunal.fit("nb:laplace")
        model = CategoricalNB(alpha=1, min_categories=levels).fit(codes, classes)
        compare("CategoricalNB", laplace, model.predict_proba(codes)[:, 1], 1e-9)
        bayes, tan = weka(tables.arff(columns, classes), [BAYES, TAN])
        compare("NaiveBayes of WEKA", with_weka_priors(laplace, classes, 1), np.array(bayes["posteriors"])[:, 1], 1e-9)
        # Without smoothing the root does not matter.
        compare("TAN of WEKA", tribunal.fit("tan")[0], np.array(tan["posteriors"])[:, 1], 1e-6)
    return found


def check(command, n_tables=10, first_seed=100):
    found = []
    for seed in range(first_seed, first_seed + n_tables):
        found += differences(command, seed)
        print(f"seed {seed}: {len(found)} differences so far", flush=True)
    print("\n".join(found) or f"{n_tables} sets of tables: nothing differs")
    return 1 if found else 0


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make()
    else:
        sys.exit(check(str(Path(sys.argv[2]).resolve()), *map(int, sys.argv[3:])))
