"""Time the line-up of Viaene et al. (2002) on one scenario of claims with other tools.

What: reads claims and the folds that `tribunal cross` gave them (study_folds.py), and has each family learn nine
tenths and score the last, ten times, settings tuned inside the training rows, on the inner folds of Tribunal. Peers:
- `usual`: scikit-learn with GridSearchCV (study_usual.py), WEKA for C4.5 and TAN (Learners.java).
- `hand`: the fastest that could be written with numpy, scipy and scikit-learn (study_hand.py, study_kernels.py); for
  kernel machines and networks it is the method of Tribunal itself, finer grids included.
One JSON line a peer and family: {peer, family, rows, wall, cpu, auroc, members, scaled_from, ...}: seconds, the best
mean AUROC of a member, and the AUROC of each member on each fold; `scaled_from` is how many of the ten folds were
timed, the first ones, where these stand for all; `coarse_cpu` what kernel machines take without finer grids. Then a
line a peer with the sums, family `total`.
Why: what a study costs somebody who has no Tribunal. Imports, reading and the start and warming up of the JVM do not
count. CPU is that of all processes. Numbers are standardised over all rows, as in the paper, which spares peers a
scaler a fold.
Versions: numpy 2.4, scipy 1.17, scikit-learn 1.9, WEKA 3.6.14.

    python study.py --claims claims.csv --held held.csv [--peers usual,hand] [--families logit,lssvm-rbf]
                    [--folds N] [--threads N] [--jar weka.jar]
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import mean

from threadpoolctl import threadpool_limits

import study_hand
import study_usual
from study_folds import N_FOLDS, Table

FAMILIES = ("logit", "knn", "mlp", "lssvm-linear", "lssvm-poly2", "lssvm-poly3", "lssvm-rbf", "nb", "tan", "c45")
OF_WEKA = ("tan", "c45")


def cpu_seconds():
    """Of this process and of those that it has seen end."""
    times = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in times)


def clocked(run):
    started, cpu_started = time.perf_counter(), cpu_seconds()
    found = run()
    return {"wall": time.perf_counter() - started, "cpu": cpu_seconds() - cpu_started}, found


def usual(family, table, args):
    """A family of scikit-learn, on fewer folds where it takes long."""
    n_folds = args.folds or study_usual.FEWER.get(family, N_FOLDS)
    processes = min(args.threads, n_folds)
    times, (members, coarse) = clocked(lambda: study_usual.run(family, table, n_folds, processes))
    if coarse > 0:
        times["coarse_cpu"] = coarse
    if n_folds < N_FOLDS:
        # Other folds take as long as these did, on as many cores as there are.
        times = {kind: seconds * N_FOLDS / n_folds for kind, seconds in times.items()}
        times = {**times, "wall": times["wall"] * processes / args.threads, "scaled_from": n_folds}
    return {**times, "members": members}


def weka(family, table, args):
    """A family of WEKA, warmed up."""
    with tempfile.TemporaryDirectory() as folder:
        rows = table.write_codes(Path(folder))
        program = [sys.executable, Path(__file__).with_name("learners_weka.py"), "--rows", str(rows), "--data", folder]
        options = ["--jobs", f"{family}-study", "--repeat", "1", "--threads", str(args.threads), "--jar", args.jar]
        found = subprocess.run([*program, *options], check=True, capture_output=True, text=True).stdout
    line = json.loads(found.splitlines()[-1])
    members = {f"{family} {idx + 1}": aurocs for idx, aurocs in enumerate(line["aurocs"])}
    return {"wall": line["wall"], "cpu": line["cpu"], "members": members}


def hand(family, table, args):
    """A family by each formulation that there is; the one that takes least CPU time counts."""
    found = {}
    for name, run in study_hand.FORMULATIONS[family].items():
        times, members = clocked(lambda: run(table, args.threads))
        found[name] = {**times, "members": members, "formulation": name}
    best = min(found.values(), key=lambda line: line["cpu"])
    best["tried"] = {name: line["cpu"] for name, line in found.items()}
    if family in study_hand.COARSE:
        times, members = clocked(lambda: study_hand.COARSE[family](table, args.threads))
        best.update(coarse_cpu=times["cpu"], coarse_members=members)
    return best


def measured(peer, family, table, args):
    """The line of a peer and a family."""
    if peer == "hand":
        return hand(family, table, args)
    return weka(family, table, args) if family in OF_WEKA else usual(family, table, args)


def main():
    names = lambda text: text.split(",")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--claims", type=Path, required=True)
    parser.add_argument("--held", type=Path, required=True, help="held-out scores of the claims, for classes and folds")
    parser.add_argument("--peers", type=names, default=["usual", "hand"])
    parser.add_argument("--families", type=names, default=FAMILIES)
    parser.add_argument("--folds", type=int, help="time so many folds and scale to ten, whatever the family (usual)")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--jar", default="/usr/share/java/weka.jar")
    args = parser.parse_args()
    threadpool_limits(1)
    table = Table(args.claims, args.held)
    table.inner  # Divided before anything is timed.
    for peer in args.peers:
        total = {"wall": 0.0, "cpu": 0.0, "coarse_cpu": 0.0}
        for family in args.families:
            line = measured(peer, family, table, args)
            total = {kind: total[kind] + line.get(kind, line["cpu"]) for kind in total}
            line["auroc"] = max(mean(aurocs) for aurocs in line["members"].values())
            print(json.dumps({"peer": peer, "family": family, "rows": len(table.codes), **line}), flush=True)
        print(json.dumps({"peer": peer, "family": "total", "rows": len(table.codes), **total}), flush=True)


if __name__ == "__main__":
    main()
