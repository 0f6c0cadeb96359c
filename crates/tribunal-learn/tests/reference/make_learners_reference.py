"""Reference values for naive Bayes, tree-augmented naive Bayes and C4.5: WEKA, scikit-learn, numpy and scipy.

What: written to learners.json beside this file; the tests read that and need none of these programs.
- `j48`: the trees of WEKA's J48 (leaves, nodes, training errors, text) on five files of UCI, on iris and wine as
  scikit-learn carries them (the columns stand in bins.json) and on the generated tables. J48 is no copy of C4.5
  Release 8: trees may differ. german has no declared value without rows here, which WEKA's own credit-g.arff has.
- `tables`: the codes, column by column, and classes of the generated tables.
- `nominal`: class probabilities of all training rows for iris and wine cut at the points `mdl` of bins.json (the code
  of x is the number of cuts below x) and for generated tables: by WEKA's NaiveBayes and BayesNet, by scikit-learn's
  CategoricalNB, and (`smoothed`) by numpy with the definitions of this project, where WEKA's are others. TAN's parents
  and the conditional mutual information of all pairs in nats. The edges are those of WEKA; its root may be another.
- `gaussian`: naive Bayes on the numbers of iris, variances divided by n (scikit-learn) and by n - 1 (scipy).
Why: WEKA smooths per cell, this project per row of a table (Viaene et al. 2002). The formula that leads from one to the
other is checked here: numpy must give every probability of WEKA and scikit-learn to 1e-12. With alpha 0, and on the
table `even`, where all columns have five values and both classes are as frequent, WEKA's figures are this project's.
Made with Python 3.11, numpy 2.4, scipy 1.17, scikit-learn 1.9.1, WEKA 3.6.14 (Debian) on Java 17 (a JDK is needed).

    python make_learners_reference.py DATA [/usr/share/java/weka.jar]

DATA is a folder with the files named in FILES, a header and empty fields for missing values in each.
"""

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import scipy
import sklearn
from scipy.stats import norm
from sklearn.datasets import load_iris, load_wine
from sklearn.naive_bayes import CategoricalNB, GaussianNB

HERE = Path(__file__).resolve().parent
JAR = sys.argv[2] if len(sys.argv) > 2 else "/usr/share/java/weka.jar"
J48 = "weka.classifiers.trees.J48"
TREES = {"pruned": "-C 0.25 -M 2", "no_raising": "-S -C 0.25 -M 2", "unpruned": "-U -M 2"}
NET = "weka.classifiers.bayes.BayesNet -D -Q weka.classifiers.bayes.net.search.local."
SEARCHES = {"nb": "K2 -- -P 1", "tan": "TAN -- -S ENTROPY"}
# Name: (file, class column, classes with the positive one last, column left out, numeric columns or "all").
GERMAN = "duration credit_amount installment_commitment residence_since age existing_credits num_dependents".split()
FILES = {
    "iris": ("iris.csv", "class", ["Iris-setosa", "Iris-versicolor", "Iris-virginica"], None, "all"),
    "vote": ("vote.csv", "Class", ["democrat", "republican"], None, []),
    "pima": ("pima.csv", "class", ["0", "1"], None, "all"),
    "breast": ("breast_wisconsin_original.csv", "Class", ["2", "4"], "Sample_code_number", "all"),
    "german": ("german_credit.csv", "class", ["good", "bad"], None, GERMAN),
}
FORMULAS = {
    "NaiveBayes": "p(t) = (n_t + 1)/(n + K); p(x|t) = (n_xt + 1)/(n_t + v)",
    "BayesNet, SimpleEstimator -A a": "p(t) = (n_t + a)/(n + K a); p(x|t,parent) = (n_xtp + a)/(n_tp + v a)",
    "CategoricalNB(alpha=a)": "p(t) = n_t/n; p(x|t) = (n_xt + a)/(n_t + v a); counts are sums of weights",
    "smoothed": "p(t) = n_t/n; p(x|t,parent) = (n_xtp + N0/v)/(n_tp + N0)",
    "weights": "I(i;j|T) = sum (n_abt/n) ln(n_abt n_t/(n_at n_bt)), raw counts; WEKA's ENTROPY score gains n I(i;j|T)",
    "where": "K classes, v declared values of the column, n counts of training rows; probabilities are normalised",
}


def weka(columns, classes, class_names, commands):
    """What each command learns; a column is (levels or None for numbers, texts or None)."""
    declared = lambda levels: "numeric" if levels is None else "{" + ",".join(f'"{level}"' for level in levels) + "}"
    cell = lambda levels, text: "?" if text is None else text if levels is None else f'"{text}"'
    header = [f"@attribute x{idx} {declared(levels)}" for idx, (levels, _) in enumerate(columns)]
    cells = [[cell(levels, text) for text in texts] for levels, texts in columns]
    rows = [",".join([*row, f'"{label}"']) for *row, label in zip(*cells, classes)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.arff"
        header = ["@relation r", *header, f"@attribute y {declared(class_names)}", "@data"]
        path.write_text("\n".join([*header, *rows]) + "\n")
        command = ["java", "-cp", JAR, str(HERE / "WekaReference.java"), str(path), *commands]
        run = subprocess.run(command, check=True, capture_output=True, text=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def as_texts(codes, levels):
    """Columns of codes as WEKA reads them."""
    return [(list(map(str, range(n))), list(map(str, column))) for n, column in zip(levels, codes.T)]


def class_texts(classes):
    """The class of each row, and the names of the classes."""
    return list(map(str, classes)), list(map(str, range(classes.max() + 1)))


def trees(columns, classes, class_names, keep=()):
    """J48 with each of its settings."""
    found = weka(columns, classes, class_names, [f"{J48} {options}" for options in TREES.values()])
    fields = ("leaves", "size", "errors", "text", *keep)
    return {name: {field: tree[field] for field in fields} for name, tree in zip(TREES, found)}


def from_file(folder, name):
    """The trees of one file."""
    file, target, class_names, left_out, numeric = FILES[name]
    with open(folder / file, newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    inputs = [column for column in rows[0] if column not in (target, left_out)]
    texts = {column: [row[column] or None for row in rows] for column in inputs}
    is_number = lambda column: numeric == "all" or column in numeric
    levels = {column: None if is_number(column) else sorted(set(texts[column]) - {None}) for column in inputs}
    found = trees([(levels[column], texts[column]) for column in inputs], [row[target] for row in rows], class_names)
    described = [{"name": column, "levels": levels[column]} for column in inputs]
    missing = sum(text is None for column in texts.values() for text in column)
    about = {"file": file, "rows": len(rows), "missing": missing, "class": target, "class_order": class_names}
    return {**about, "columns": described, "trees": found}


def from_numbers(loaded):
    """The trees of numbers that scikit-learn carries, with the class shares of each row."""
    columns = [(None, [repr(float(value)) for value in column]) for column in loaded.data.T]
    found = trees(columns, *class_texts(loaded.target), keep=("posteriors",))
    return {"columns": "bins.json", "trees": found}


def posteriors(codes, classes, levels, parents, cell, prior=0.0, weights=None):
    """Probabilities with `cell` added to each count of a column's tables and `prior` to each class."""
    rows, n_classes = np.arange(len(classes)), classes.max() + 1
    weights = np.ones(len(classes)) if weights is None else weights
    of_class = np.bincount(classes, weights, n_classes)
    likelihood = np.tile((of_class + prior) / (of_class.sum() + n_classes * prior), (len(rows), 1))
    for idx, parent in enumerate(parents):
        above, n_above = (np.zeros_like(classes), 1) if parent is None else (codes[:, parent], levels[parent])
        table = np.zeros((n_classes, n_above, levels[idx]))
        np.add.at(table, (classes, above, codes[:, idx]), weights)
        total = table.sum(axis=2, keepdims=True) + cell[idx] * levels[idx]
        table = np.divide(table + cell[idx], total, out=np.zeros_like(table), where=total > 0)
        likelihood *= table[:, above, codes[:, idx]].T
    return likelihood / likelihood.sum(axis=1, keepdims=True)


def information(codes, classes, levels):
    """Conditional mutual information of all pairs of columns, in nats."""
    n_columns, n_classes = len(levels), classes.max() + 1
    weights = np.zeros((n_columns, n_columns))
    for i in range(n_columns):
        for j in range(i):
            joint = np.zeros((n_classes, levels[i], levels[j]))
            np.add.at(joint, (classes, codes[:, i], codes[:, j]), 1)
            apart = joint.sum(axis=2, keepdims=True) * joint.sum(axis=1, keepdims=True)
            ratio = (joint * joint.sum(axis=(1, 2), keepdims=True))[joint > 0] / apart[joint > 0]
            weights[i, j] = weights[j, i] = (joint[joint > 0] / len(classes) * np.log(ratio)).sum()
    return weights


def spanning_tree(weights):
    """Parents in the heaviest tree from column 0; the lowest column first where weights are equal."""
    parents, best = [None] * len(weights), weights[0].copy()
    reached_from, outside = [0] * len(weights), set(range(1, len(weights)))
    while outside:
        chosen = max(sorted(outside), key=lambda column: best[column])
        parents[chosen] = reached_from[chosen]
        outside.remove(chosen)
        for column in outside:
            if weights[chosen, column] > best[column]:
                best[column], reached_from[column] = weights[chosen, column], chosen
    return parents


def edges(parents):
    """The tree without its directions."""
    return {frozenset((child, parent)) for child, parent in enumerate(parents) if parent is not None}


def agree(ours, theirs):
    """Fails if two sets of probabilities differ."""
    worst = np.abs(ours - np.array(theirs)).max()
    assert worst < 1e-12, f"probabilities differ by {worst}"


def by_weka(codes, classes, levels, alphas):
    """WEKA's probabilities, each recomputed, and the parents that its TAN finds."""
    settings = [(kind, alpha) for kind in SEARCHES for alpha in alphas]
    estimator = "-E weka.classifiers.bayes.net.estimate.SimpleEstimator -- -A"
    commands = [f"{NET}{SEARCHES[kind]} {estimator} {alpha!r}" for kind, alpha in settings]
    commands = ["weka.classifiers.bayes.NaiveBayes", *commands]
    plain, *nets = weka(as_texts(codes, levels), *class_texts(classes), commands)
    ones = np.ones(len(levels))
    agree(posteriors(codes, classes, levels, [None] * len(levels), ones, 1.0), plain["posteriors"])
    for (_, alpha), net in zip(settings, nets):
        agree(posteriors(codes, classes, levels, net["parents"], alpha * ones, alpha), net["posteriors"])
    assert all(edges(net["parents"]) == set() for (kind, _), net in zip(settings, nets) if kind == "nb")
    named = {f"{kind} alpha {alpha:g}": net["posteriors"] for (kind, alpha), net in zip(settings, nets)}
    return {"parents": nets[-1]["parents"], "naive_bayes": plain["posteriors"], **named}


def by_sklearn(codes, classes, levels, weights):
    """CategoricalNB's probabilities, each recomputed."""
    found = {}
    for alpha in (1.0, 0.5):
        for name, given in (("", None), (" weighted", weights)):
            model = CategoricalNB(alpha=alpha, min_categories=levels).fit(codes, classes, sample_weight=given)
            found[f"alpha {alpha:g}{name}"] = model.predict_proba(codes).tolist()
            ours = posteriors(codes, classes, levels, [None] * len(levels), np.full(len(levels), alpha), 0.0, given)
            agree(ours, found[f"alpha {alpha:g}{name}"])
    return {"weights": weights.tolist(), **found}


def nominal(codes, classes, levels, alphas, rng):
    """All reference values of one nominal table."""
    bare, weights = [None] * len(levels), information(codes, classes, levels)
    parents = spanning_tree(weights)
    weka_found = by_weka(codes, classes, levels, alphas)
    assert edges(parents) == edges(weka_found["parents"]), "WEKA finds another tree"
    smoothed = {}
    for kind, above in (("nb", bare), ("tan", parents)):
        for n0 in (0, 5, 25, 50):
            found = posteriors(codes, classes, levels, above, n0 / np.array(levels))
            # Without smoothing, and on `even`, WEKA's own figures stand for them.
            if n0 == 0 or set(levels) == {5}:
                agree(found, weka_found[f"{kind} alpha {n0 / 5:g}"])
            else:
                smoothed[f"{kind} N0 {n0}"] = found.tolist()
    sample_weights = rng.integers(1, 9, len(classes)) / 4
    tan = {"information": weights.tolist(), "parents": parents}
    sklearn_found = by_sklearn(codes, classes, levels, sample_weights)
    return {"levels": levels, "tan": tan, "weka": weka_found, "smoothed": smoothed, "sklearn": sklearn_found}


def cut(name):
    """A table of scikit-learn at the cut points of WEKA."""
    known = json.loads((HERE / "bins.json").read_text())["sets"][name]
    codes = np.array([np.searchsorted(cuts, column) for cuts, column in zip(known["mdl"], known["columns"])]).T
    return codes, np.array(known["classes"]), [len(cuts) + 1 for cuts in known["mdl"]]


def generated(seed, levels, used, n_classes, even=False):
    """A table of 300 rows in which each column leans on an earlier one and on the class; `used` values occur."""
    rng, shares = np.random.default_rng(seed), np.arange(2, 2 + n_classes)
    classes = np.arange(300) % n_classes if even else rng.choice(n_classes, 300, p=shares / shares.sum())
    codes = np.zeros((300, len(levels)), dtype=int)
    for idx, n_used in enumerate(used):
        # Column 1 follows column 0 closely, so that the heaviest edge, where WEKA begins, has column 0.
        above = codes[:, rng.integers(idx) if idx > 1 else 0] if idx else classes
        copied = rng.random(300) < (0.8 if idx == 1 else 0.45)
        drawn = np.minimum(rng.geometric(0.35 + 0.1 * classes) - 1, n_used - 1)
        codes[:, idx] = np.where(copied, (above + classes * (idx > 0)) % n_used, drawn)
    return codes, classes, levels


def gaussian(loaded):
    """Naive Bayes on numbers, with both divisors of the variance."""
    numbers, classes = loaded.data, loaded.target

    def by_scipy(ddof):
        likelihood = np.array([
            np.mean(classes == label) * norm.pdf(numbers, rows.mean(axis=0), rows.std(axis=0, ddof=ddof)).prod(axis=1)
            for label, rows in ((label, numbers[classes == label]) for label in np.unique(classes))
        ]).T
        return likelihood / likelihood.sum(axis=1, keepdims=True)

    theirs = GaussianNB(var_smoothing=0).fit(numbers, classes).predict_proba(numbers)
    agree(by_scipy(0), theirs)
    return {"columns": "bins.json", "sklearn, divisor n": theirs.tolist(), "scipy, divisor n - 1": by_scipy(1).tolist()}


def tables():
    """Name: (codes, classes, levels). Rounding decides which column becomes the root of WEKA's tree; with seed 15 it is
    column 0, as it is here. In the last table J48 raises subtrees."""
    two, three = [5, 4, 2, 3, 7, 6, 2, 3], [4, 5, 2, 3, 7, 6, 2, 3]
    return {
        "two classes": generated(15, two, [5, 4, 2, 3, 6, 6, 2, 3], 2),
        "three classes": generated(15, three, three, 3),
        "even": generated(15, [5] * 8, [5, 5, 3, 4, 5, 5, 2, 5], 2, even=True),
        "raised": generated(7, two, [5, 4, 2, 3, 6, 6, 2, 3], 2),
    }


def all_trees(folder, made):
    """J48 on files, on numbers and on generated tables."""
    found = {name: from_file(folder, name) for name in FILES}
    found |= {"iris of scikit-learn": from_numbers(load_iris()), "wine of scikit-learn": from_numbers(load_wine())}
    for name, (codes, classes, levels) in made.items():
        found[name] = {"columns": "tables", "trees": trees(as_texts(codes, levels), *class_texts(classes))}
    assert found["raised"]["trees"]["pruned"] != found["raised"]["trees"]["no_raising"]
    return found


def all_nominal(made):
    """Probabilities on cut and on generated tables."""
    rng, found = np.random.default_rng(1997), {}
    for name in ("iris", "wine"):
        found[name] = nominal(*cut(name), [0.0, 0.5], rng)
    for name, alphas in (("two classes", [0.0, 0.5]), ("three classes", [0.0, 0.5]), ("even", [0.0, 1.0, 5.0, 10.0])):
        found[name] = nominal(*made[name], alphas, rng)
        assert found[name]["tan"]["parents"] == found[name]["weka"]["parents"], f"WEKA's root differs in {name}"
    return found


def main():
    made = tables()
    versions = {"numpy": np.__version__, "scipy": scipy.__version__, "scikit-learn": sklearn.__version__}
    lacks = "-O (do not collapse) and -J (no MDL correction): J48 3.6.14 lacks both and always collapses and corrects"
    reference = {
        "made_with": {**versions, "weka": "3.6.14"},
        "formulas": FORMULAS,
        "tables": {
            name: {"levels": levels, "codes": codes.T.tolist(), "classes": classes.tolist()}
            for name, (codes, classes, levels) in made.items()
        },
        "j48": {"options": TREES, "lacks": lacks, "sets": all_trees(Path(sys.argv[1]), made)},
        "nominal": all_nominal(made),
        "gaussian": gaussian(load_iris()),
    }
    (HERE / "learners.json").write_text(json.dumps(reference) + "\n")


if __name__ == "__main__":
    main()
