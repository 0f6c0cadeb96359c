"""Methods that mind costs against WEKA 3.6.14: CostSensitiveClassifier and MetaCost with J48 and naive Bayes.

What: `make` writes costs.json beside this file, which the offline tests read (tests/it/learners/costs.rs), from the generated
tables of tables.py at 5:1 (a missed positive costs five times a false alarm):
- `reweighted`: J48 (-C 0.25 -M 2) and a naive Bayes net without smoothing in a CostSensitiveClassifier that reweights rows.
  WEKA rescales weights to the number of rows, as this project does; leaves, nodes, training errors, and of naive Bayes the
  posteriors of the first rows must be the same.
- `least cost`: the same classifiers in a CostSensitiveClassifier that predicts the class of least expected cost (-M) by what
  plain rows say: the rows that are predicted positive. Ties, which WEKA breaks the other way, do not occur.
- `metacost`: the training rows that MetaCost (50 bags, J48) predicts positive. Its bags are drawn by another generator, so
  numbers of rows agree about, not exactly.
`german FILE.csv` prints what WEKA's methods cost a case by ten folds on german credit, for docs.
Made with Python 3.11, numpy 2.4 and WEKA 3.6.14 (Debian) on Java 17 (a JDK is needed).

    python make_costs_reference.py make
    python make_costs_reference.py german PATH/TO/german_credit.csv
"""

import csv
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import tables

HERE = Path(__file__).resolve().parent
JAR = "/usr/share/java/weka.jar"
COSTS = "[0.0 1.0; 5.0 0.0]"
SENSITIVE = f'weka.classifiers.meta.CostSensitiveClassifier -cost-matrix "{COSTS}" -S 1'
METACOST = f'weka.classifiers.meta.MetaCost -cost-matrix "{COSTS}" -I 50 -P 100 -S 1'
J48 = "-W weka.classifiers.trees.J48 -- -C 0.25 -M 2"
BAYES = (
    "-W weka.classifiers.bayes.BayesNet -- -D -Q weka.classifiers.bayes.net.search.local.K2 -- -P 1 "
    "-E weka.classifiers.bayes.net.estimate.SimpleEstimator -- -A 0.0"
)
SHOWN = 40
NAMES = ["zero-inflated", "mixed", "rare class", "saturated", "numbers without gaps", "fine"]
# Numbers would be binned, and gaps filled with the mode.
CODES = (11, 400, 0.3, ["flag", "flag", "many levels", "flag"])


def weka(text, commands):
    """What each command learns from an ARFF text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.arff"
        path.write_text(text)
        run = ["java", "-cp", JAR, str(HERE / "WekaReference.java"), str(path), *commands]
        found = subprocess.run(run, check=True, capture_output=True, text=True)
    return [json.loads(line) for line in found.stdout.splitlines()]


def reference(seed, n_rows, share, kinds):
    """All figures of a table."""
    columns, classes = tables.made(seed, n_rows, share, kinds)
    found = {"seed": seed, "rows": n_rows, "share": share, "kinds": kinds}
    text = tables.arff(columns, classes)
    tree, least, bags = weka(text, [f"{SENSITIVE} {J48}", f"{SENSITIVE} -M {J48}", f"{METACOST} {J48}"])
    positive = lambda model: [int(values[1] > values[0]) for values in model["posteriors"]]
    found["reweighted"] = {key: tree[key] for key in ("leaves", "size", "errors")}
    found["least cost"] = sum(positive(least))
    found["metacost"] = sum(positive(bags))
    if all(tables.KINDS[kind][0] is not None for kind in kinds):
        bayes, least = weka(text, [f"{SENSITIVE} {BAYES}", f"{SENSITIVE} -M {BAYES}"])
        found["bayes"] = {"posteriors": bayes["posteriors"][:SHOWN], "least cost": positive(least)[:SHOWN]}
    return found


def make():
    recipes = {name: tables.TABLES[name] for name in NAMES} | {"codes": CODES}
    found = {name: reference(*recipe) for name, recipe in recipes.items()}
    made = {"made_with": {"weka": "3.6.14"}, "tables": found}
    (HERE / "costs.json").write_text(json.dumps(made, indent=1) + "\n")


def german(path):
    """The mean cost a case by ten stratified folds of WEKA's own."""
    rows = list(csv.reader(open(path, encoding="utf-8")))
    header, rows = rows[0], rows[1:]
    is_number = lambda idx: all(re.fullmatch(r"-?[0-9.]+", row[idx]) for row in rows)
    levels = lambda idx: ["good", "bad"] if header[idx] == "class" else sorted({row[idx] for row in rows})
    kind = lambda idx: "numeric" if is_number(idx) else "{" + ",".join(f"'{level}'" for level in levels(idx)) + "}"
    lines = ["@relation german", *(f"@attribute '{name}' {kind(idx)}" for idx, name in enumerate(header)), "@data"]
    cell = lambda idx, value: value if is_number(idx) else f"'{value}'"
    lines += [",".join(cell(idx, value) for idx, value in enumerate(row)) for row in rows]
    with tempfile.TemporaryDirectory() as folder:
        data, costs = Path(folder) / "data.arff", Path(folder) / "data.cost"
        data.write_text("\n".join(lines) + "\n")
        costs.write_text("2 2\n0 1\n5 0\n")
        for name, base in [("J48", J48), ("NaiveBayes", "-W weka.classifiers.bayes.NaiveBayes --")]:
            plain = base.removeprefix("-W ").replace(" --", "", 1)
            ways = [plain, f"{SENSITIVE} {base}", f"{SENSITIVE} -M {base}", f"{METACOST} {base}"]
            for way, command in zip(["plain", "reweighted", "least cost", "metacost"], ways):
                words = [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', command)]
                head, rest = words[0], words[1:]
                run = ["java", "-cp", JAR, head, "-t", str(data), "-m", str(costs), "-x", "10", "-s", "1", "-o", "-v", *rest]
                found = subprocess.run(run, check=True, capture_output=True, text=True).stdout
                cost = re.findall(r"Average Cost\s+([0-9.]+)", found)[-1]
                print(f"{name:<12} {way:<12} {cost}")


if __name__ == "__main__":
    german(sys.argv[2]) if sys.argv[1] == "german" else make()
