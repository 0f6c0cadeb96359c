"""Time `tribunal select`: a tournament of four learners beside cross-validation, eight learners with an audit, a study's
27.

What: makes synthetic claims (two seeds, one for each table) and a table of normal numbers whose classes a logistic
function draws, and times whole processes, with reading and writing. Jobs, each with one JSON line for every run:
- `tournament-claims`, `tournament-numbers`: the peer `tribunal` is `select` of the four learners of Fan and Davidson
  (2006), ReverseTesting and all that comes with it (ten-fold cross-validation, reverse validation, diagnosis of shift);
  `repeated_cv` is `tribunal cross` of the same four on the same labelled rows by ten-fold cross-validation that is
  repeated `--repetitions` times, scaled to a hundred; `quick` is `select` without reverse validation.
- `audit`: `select` of its eight learners with an audit, 2,000 labelled rows and 2,000 others. What it wrote stays in
  DIR/audit.json for peers/selection.py.
- `line-up`: `select` of all 27 operationalisations of Viaene et al. (2002), 1,399 labelled claims and 1,399 others.
- `parts`: what the time of `tournament-claims` and `audit` goes to: each learner by itself, and `logit:l2=0.000001`
  beside `logit`, which is the same but for the likelihood-ratio tests of columns, of which there are none with a penalty.
Lines: {peer, job, wall, cpu, models}; `load` is the load average of the last minute before.
Why: this side of the comparison starts from files; the other, peers/selection.py, from arrays.
The name is not select.py, which would hide the module `select` of Python from `subprocess`.

    python selection.py --tribunal BINARY --data DIR [--jobs audit,line-up] [--repetitions 100] [--repeat 3]
"""

import argparse
import json
import os
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from study import clocked  # noqa: E402

FAN_DAVIDSON = ("c45:unpruned,estimate=raw", "nb", "logit", "svm")
USUAL = ("logit", "c45", "nb:5", "tan:25", "knn:25", "bag:50", "boost", "lssvm:linear")
OF_CLAIMS = ["--schema", "claims", "--target", "4+", "--predictors", "extended"]
OF_NUMBERS = ["--target", "y", "--positive", "yes"]
N_NUMBERS, N_ROWS, N_STUDY = 20, 2000, 1399


class Bench:
    """The program, the data and how often."""

    def __init__(self, args):
        self.tribunal, self.data = args.tribunal.resolve(), args.data
        self.repeat, self.repetitions = args.repeat, args.repetitions

    def claims(self, rows):
        """Two tables of claims."""
        files = [self.data / f"select-claims-{rows}-{seed}.csv" for seed in (1, 2)]
        for seed, file in enumerate(files, 1):
            clocked([self.tribunal, "generate", "claims", "--rows", rows, "--seed", seed, "-q", "-o", file])
        return files

    def numbers(self):
        """Two tables of normal numbers, one law."""
        slopes = np.random.default_rng(0).standard_normal(N_NUMBERS) / 2
        files = [self.data / f"select-numbers-{seed}.csv" for seed in (1, 2)]
        for seed, file in enumerate(files, 1):
            draw = np.random.default_rng(seed)
            rows = draw.standard_normal((N_ROWS, N_NUMBERS))
            positive = draw.random(N_ROWS) < 1 / (1 + np.exp(-rows @ slopes))
            lines = [",".join(f"x{idx}" for idx in range(N_NUMBERS)) + ",y"]
            for row, is_positive in zip(rows, positive):
                lines.append(",".join(f"{value:.6f}" for value in row) + (",yes" if is_positive else ",no"))
            file.write_text("\n".join(lines) + "\n")
        return files

    def select(self, name, files, of_files, *options):
        """The times of a selection, which stays in a file, and the models it trained."""
        answer = self.data / f"{name}.json"
        train, deploy = files
        command = [self.tribunal, "select", train, "--deploy", deploy, *of_files, *options]
        times, _ = clocked([*command, "--format", "json", "-q", "-o", answer])
        kinds = ("forward", "reverse", "cross_validation", "reverse_validation", "audit")
        trained = json.loads(answer.read_text())["models_trained"]
        return {**times, "models": sum(trained[kind] for kind in kinds)}

    def cross(self, file, of_file, repetitions):
        """Repeated ten-fold cross-validation, scaled to a hundred repetitions."""
        named = [word for learner in FAN_DAVIDSON for word in ("--learner", learner)]
        design = ["--design", f"cv:10x{repetitions}", "-q", "-o", self.data / "held-out.csv"]
        times, _ = clocked([self.tribunal, "cross", file, *of_file, *named, *design])
        scale = 100 / repetitions
        models = len(FAN_DAVIDSON) * 10 * 100
        return {kind: seconds * scale for kind, seconds in times.items()} | {"models": models, "repetitions": repetitions}


def report(peer, job, load, line):
    print(json.dumps({"peer": peer, "job": job, "load": load, **line}), flush=True)


def load():
    return round(os.getloadavg()[0], 1)


def tournament(bench, job, files, of_files):
    """Reversed models beside repeated cross-validation, in turn."""
    chosen = ["--learners", "; ".join(FAN_DAVIDSON)]
    for _ in range(bench.repeat):
        before = load()
        report("tribunal", job, before, bench.select(job, files, of_files, *chosen))
        report("quick", job, load(), bench.select(job, files, of_files, *chosen, "--no-reverse-validation"))
        report("repeated_cv", job, load(), bench.cross(files[0], of_files, bench.repetitions))


def parts(bench):
    """Learners one by one, with what they cost besides the diagnosis of the tables, which `majority` shows."""
    files = bench.claims(N_ROWS)
    for learner in ("majority", *FAN_DAVIDSON, "logit:l2=0.000001"):
        line = bench.select("part", files, OF_CLAIMS, "--learners", learner)
        report(learner, "parts-tournament", load(), line)
    for learners in (*[(learner,) for learner in USUAL], ("logit:l2=0.000001", *USUAL[1:])):
        line = bench.select("part", files, OF_CLAIMS, "--learners", "; ".join(learners), "--audit")
        report("; ".join(learners), "parts-audit", load(), line)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tribunal", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True, help="folder of tables and answers")
    jobs = ("tournament-claims", "tournament-numbers", "audit", "line-up", "parts")
    parser.add_argument("--jobs", type=lambda text: text.split(","), default=list(jobs[:-1]))
    parser.add_argument("--repetitions", type=int, default=100, help="of cross-validation that are timed")
    parser.add_argument("--repeat", type=int, default=1, help="of the tournaments")
    args = parser.parse_args()
    args.data.mkdir(parents=True, exist_ok=True)
    bench = Bench(args)
    for job in args.jobs:
        match job:
            case "tournament-claims":
                tournament(bench, job, bench.claims(N_ROWS), OF_CLAIMS)
            case "tournament-numbers":
                tournament(bench, job, bench.numbers(), OF_NUMBERS)
            case "audit":
                report("tribunal", job, load(), bench.select(job, bench.claims(N_ROWS), OF_CLAIMS, "--audit"))
            case "line-up":
                report("tribunal", job, load(), bench.select(job, bench.claims(N_STUDY), OF_CLAIMS, "--learners", "all"))
            case "parts":
                parts(bench)
            case other:
                parser.error(f"there is no job {other}; there are {', '.join(jobs)}")


if __name__ == "__main__":
    main()
