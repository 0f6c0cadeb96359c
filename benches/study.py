"""Time Tribunal on the line-up of Viaene et al. (2002): each family, all at once, and ten scenarios.

What: on claims and in the folds that peers/study.py reads, runs `tribunal cross` for each family and for everybody at
once, and then the whole study by `tribunal study`. One JSON line each, like those of peers/study.py: {peer, family,
rows, wall, cpu, auroc, members}; family `total` is everybody at once, as the peers have it; `study` besides judges and
tests them, tunes and fits each on all rows and writes the report; `scenarios` is a study of all five targets with the
flags alone and with all predictors. Times are those of whole processes, with reading and writing.
Why: the other side of the comparison, which starts from the file where the peers start from arrays.

    python study.py --claims claims.csv --held held.csv --tribunal BINARY [--families logit,knn] [--no-scenarios]
"""

import argparse
import csv
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).with_name("peers")))
from study_folds import Table  # noqa: E402

STUDY = "study {claims} --schema claims --target {targets} --predictors {predictors} --learners all --protocol paper"
STUDY += " --run {run} --format json"
CROSS = "cross {claims} --schema claims --target 4+ --predictors extended -q -o {scores}"
TARGETS = "1+,4+,7+,vnl,vop"
FAMILIES = {
    "logit": ["logit:paper"],
    "knn": [f"knn:{k},paper" for k in (1, 10, 100, 500)],
    "mlp": [f"mlp:{units}{smoothed},paper" for units in (1, 2, 3) for smoothed in ("", ",smoothed")],
    "lssvm-linear": ["lssvm:linear,paper"],
    "lssvm-poly2": ["lssvm:poly=2,paper"],
    "lssvm-poly3": ["lssvm:poly=3,paper"],
    "lssvm-rbf": ["lssvm:rbf,paper"],
    "nb": ["nb", "nb:5", "nb:25", "nb:50"],
    # Those of the paper, and trees of another root that are smoothed as WEKA smooths.
    "tan": ["tan", "tan:5", "tan:25", "tan:50", *[f"tan:alpha={rows},root=strongest" for rows in (2.5, 12.5, 25)]],
    "c45": ["c45", "c45:unpruned", "c45:curtailed"],
}


def clocked(command):
    """Wall and CPU seconds of a process, and what it printed."""
    used = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    started, cpu_started = time.perf_counter(), used()
    run = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True)
    return {"wall": time.perf_counter() - started, "cpu": used() - cpu_started}, run.stdout


def crossed(args, learners, folder):
    """The times of learners on the folds, and the file of their scores."""
    file = folder / "scores.csv"
    words = CROSS.format(claims=args.claims, scores=file).split()
    named = [word for learner in learners for word in ("--learner", learner)]
    return clocked([args.tribunal, *words, *named])[0], file


def aurocs(table, learners, file):
    """The AUROC of each learner on each fold."""
    with open(file, newline="") as lines:
        rows = list(csv.DictReader(lines))
    of_fold = lambda learner, held: [float(rows[row][learner]) for row in held]
    return {learner: table.aurocs([of_fold(learner, held) for _, held in table.parts]) for learner in learners}


def family(args, table, name, folder):
    """The line of a family."""
    times, file = crossed(args, FAMILIES[name], folder)
    members = aurocs(table, FAMILIES[name], file)
    return {**times, "members": members, "auroc": max(mean(of_folds) for of_folds in members.values())}


def studied(args, targets, predictors, folder):
    """The times of the whole study in all scenarios that targets and sets of predictors make."""
    given = {"targets": targets, "predictors": predictors, "run": folder / targets}
    return clocked([args.tribunal, *STUDY.format(claims=args.claims, **given).split()])[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--claims", type=Path, required=True)
    parser.add_argument("--held", type=Path, required=True, help="held-out scores of the claims, for classes and folds")
    parser.add_argument("--tribunal", type=Path, required=True)
    parser.add_argument("--families", type=lambda text: text.split(","), default=list(FAMILIES))
    parser.add_argument("--no-scenarios", action="store_true", help="families alone")
    args = parser.parse_args()
    table = Table(args.claims, args.held)
    named = lambda name: {"peer": "tribunal", "family": name, "rows": len(table.codes)}
    report = lambda name, line: print(json.dumps({**named(name), **line}), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in args.families:
            report(name, family(args, table, name, Path(folder)))
        if not args.no_scenarios:
            everybody = [learner for learners in FAMILIES.values() for learner in learners]
            report("total", crossed(args, everybody, Path(folder))[0])
            report("study", studied(args, "4+", "extended", Path(folder)))
            report("scenarios", studied(args, TARGETS, "indicator,extended", Path(folder)))


if __name__ == "__main__":
    main()
