"""Time WEKA on nominal codes: C4.5 (J48), naive Bayes and tree-augmented naive Bayes.

What: compiles Learners.java into a temporary folder and runs it on DIR/codes-N.csv and DIR/levels-N.json, the files
that learners.py reads, too. Jobs: `c45-cv`, `nb-cv` and `tan-cv` fit on nine tenths and give the class probabilities of
the last tenth, ten times. `c45-cv` does so with J48 pruned, unpruned and unpruned once more, one after another: what
three kinds of C4.5 cost where none shares work with another; its value is that of the pruned tree. `c45-fit` (pruned),
`nb-fit` and `tan-fit` fit on all rows. `c45-study` is J48 pruned, unpruned, and unpruned with the smallest leaf tuned by
CVParameterSelection; `tan-study` TAN with four smoothings. One JSON line a job: {peer, job, rows, wall, cpu, value, aurocs},
seconds a run, best of several rounds; the value is the mean AUROC of the folds, or the share of training rows that a single
fit gets wrong; `aurocs` has that of each fold, one list for each kind.
Why: for most people WEKA is where J48 and TAN are. Starting the JVM, loading and dividing the rows, the AUROC and the
runs in which the JVM warms up do not count.
Formulation: folds run on all cores, each with a classifier of its own; a single fit has no threads in WEKA. J48 has its
default settings; NaiveBayes adds one to each count; the Bayes net gets TAN by ENTROPY and half a count a cell. Tried
and lost: BayesNet with ADTree (a fit of 15,000 rows took six times as long). The parallel collector took least CPU time
in fits of 15,000 rows; with 1,399 the serial one and G1 do as well.
Versions: WEKA 3.6.14 (Debian's `weka`), OpenJDK 17 (`default-jdk-headless`).

    python learners_weka.py --rows 15000 --data DIR [--jobs c45-cv,tan-cv] [--repeat 3] [--threads N] [--jar weka.jar]
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).with_name("Learners.java")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--jobs", default="c45-cv,nb-cv,tan-cv,c45-fit,nb-fit,tan-fit")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--jar", type=Path, default=Path("/usr/share/java/weka.jar"))
    args = parser.parse_args()
    if not args.jar.exists() or not shutil.which("javac"):
        sys.exit(f"needs {args.jar} (--jar names another) and javac: install WEKA and a JDK")
    levels = json.loads((args.data / f"levels-{args.rows}.json").read_text())
    given = [",".join(map(str, levels)), args.jobs, str(args.repeat), str(args.threads)]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["javac", "-nowarn", "-cp", args.jar, "-d", folder, SOURCE], check=True)
        command = ["java", "-XX:+UseParallelGC", "-cp", f"{args.jar}{os.pathsep}{folder}", "Learners"]
        subprocess.run([*command, args.data / f"codes-{args.rows}.csv", *given], check=True)


if __name__ == "__main__":
    main()
