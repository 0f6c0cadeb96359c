"""Reference values for bins: WEKA's supervised discretisation and scikit-learn's bins of equal width.

What: iris and wine as scikit-learn carries them, the cut points that WEKA's implementation of Fayyad and Irani (1993)
finds in each column, and the inner edges of ten bins of equal width by scikit-learn. Written to bins.json beside this
file; the tests read that and need neither program. Made with Python 3.11, scikit-learn 1.9.1, WEKA 3.6.14 (Debian).

    python make_bins_reference.py [/usr/share/java/weka.jar]
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import sklearn
from sklearn.datasets import load_iris, load_wine
from sklearn.preprocessing import KBinsDiscretizer

JAR = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/java/weka.jar"


def weka_cuts(columns, classes):
    """The cut points of each column, in order."""
    names = sorted(set(classes))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.arff"
        attributes = "".join(f"@attribute x{idx} numeric\n" for idx in range(len(columns)))
        rows = "\n".join(",".join([*map(repr, row[:-1]), f"c{row[-1]}"]) for row in zip(*columns, classes))
        labels = ",".join(f"c{name}" for name in names)
        path.write_text(f"@relation r\n{attributes}@attribute y {{{labels}}}\n@data\n{rows}\n")
        command = ["java", "-cp", JAR, "weka.filters.supervised.attribute.Discretize", "-c", "last", "-R", "first-last"]
        run = subprocess.run([*command, "-i", path], check=True, capture_output=True, text=True)
    found = re.findall(r"@attribute x\d+ \{(.*)\}", run.stdout)
    return [[float(cut) for cut in re.findall(r"-(-?[0-9.E]+)\]", column)] for column in found]


def described(loaded):
    columns = [[float(value) for value in column] for column in loaded.data.T]
    classes = [int(value) for value in loaded.target]
    uniform = KBinsDiscretizer(n_bins=10, strategy="uniform", encode="ordinal").fit(loaded.data)
    edges = [[float(edge) for edge in column[1:-1]] for column in uniform.bin_edges_]
    return {"columns": columns, "classes": classes, "mdl": weka_cuts(columns, classes), "equal_width": edges}


def main():
    reference = {
        "made_with": {"scikit-learn": sklearn.__version__, "weka": "3.6.14"},
        "sets": {"iris": described(load_iris()), "wine": described(load_wine())},
    }
    out = Path(__file__).with_name("bins.json")
    out.write_text(json.dumps(reference) + "\n")


if __name__ == "__main__":
    main()
