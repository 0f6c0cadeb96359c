#!/usr/bin/env python3
"""How well `tribunal select` chooses learners: the experiments of Fan and Davidson (2006), and more, on public data.

Every finished scenario is one line of the results, and is not run again. Stopped at any moment, the same command goes on from there.

    python3 run.py --binary PATH --data FOLDER [--only TEXT] [--limit N] [--minutes M]
"""

import argparse
import csv
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor

import scenarios
import tables

HERE = pathlib.Path(__file__).resolve().parent
SIMULATIONS = "10"
# Methods that estimate the figure of each learner, kept in full.
ESTIMATES = {"cv": "cross_validation", "loo": "leave_one_out", "cbpe": "cbpe"}


def main():
    asked = arguments()
    config = tomllib.loads((HERE / "config.toml").read_text(encoding="utf-8"))
    if not asked.tables_only:
        asked.binary = command(asked.binary)
        run(asked, config)
    tables.write(config, read_results(asked.results), asked.results.with_name("RESULTS.md"))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="tribunal", help="the command tribunal [default: that of the path]")
    parser.add_argument("--data", type=pathlib.Path, default=HERE / "../../../shared/data", help="folder of the tables")
    parser.add_argument("--only", default="", metavar="TEXT", help="scenarios whose name has this in it")
    parser.add_argument("--limit", type=int, metavar="N", help="run at most so many scenarios")
    parser.add_argument("--minutes", type=float, metavar="M", help="start no scenario after so many minutes")
    parser.add_argument("--side-by-side", type=int, default=2, metavar="N", help="scenarios at a time [default: 2]")
    parser.add_argument("--results", type=pathlib.Path, default=HERE / "results.jsonl", help="file of the results")
    parser.add_argument("--tables-only", action="store_true", help="run nothing, write RESULTS.md")
    return parser.parse_args()


def command(name):
    """Where a command is: scenarios run in folders of their own."""
    found = shutil.which(name)
    if found is None:
        sys.exit(f"there is no command {name}: build it with cargo build --release, and name it with --binary")
    return str(pathlib.Path(found).resolve())


def read_results(path):
    """Finished scenarios; a line that was cut off is not one."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        try:
            record = json.loads(line)
        except json.JSONDecodeError:
            continue
        found[record["id"]] = record
    return list(found.values())


def run(asked, config):
    done = {record["id"] for record in read_results(asked.results)}
    todo = [one for one in scenarios.scenarios(config) if asked.only in one.id and one.id not in done]
    todo = todo[: asked.limit]
    start, lock = time.monotonic(), threading.Lock()
    print(f"{len(todo)} scenarios are left", file=sys.stderr)

    def one(place, scenario):
        if asked.minutes is not None and time.monotonic() - start > 60 * asked.minutes:
            return
        began = time.monotonic()
        try:
            record = result(asked, config, scenario)
        except Exception as error:  # A scenario that fails is a result too.
            record = {"failed": str(error).strip()[-600:] or repr(error)}
        named = {"id": scenario.id, "part": scenario.part, "set": scenario.set, "kind": scenario.kind}
        record = named | record | {"seconds": round(time.monotonic() - began, 1)}
        with lock, open(asked.results, "a", encoding="utf-8") as file:
            file.write(json.dumps(record, separators=(",", ":"), ensure_ascii=False) + "\n")
        what = "failed: " + record["failed"] if "failed" in record else f"{record['seconds']} s"
        print(f"{place + 1} of {len(todo)} {scenario.id} {what}", file=sys.stderr, flush=True)

    with ThreadPoolExecutor(asked.side_by_side) as pool:
        list(pool.map(one, range(len(todo)), todo))


def result(asked, config, scenario):
    """What `tribunal select` says of a scenario, and what is true."""
    about = config["sets"][scenario.set]
    columns, train, population, drawn = scenarios.draw(config, scenario, asked.data)
    seed = int(hashlib.sha256(f"{config['seed']} {scenario.id}".encode()).hexdigest()[:7], 16)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, rows in (("train.csv", train), ("population.csv", population)):
            with open(folder / name, "w", newline="", encoding="utf-8") as file:
                csv.writer(file, lineterminator="\n").writerows([columns, *rows])
        words = [asked.binary, "select", "train.csv", "--deploy", "population.csv", "--target", about["target"]]
        words += ["--check-with-target", "--format", "json", "--quiet", "--jobs", "1", "--seed", str(seed)]
        words += ["--design", config["design"]]
        positive = "yes" if "at_least" in about else about.get("positive")
        for option, value in (
            ("--positive", positive), ("--learners", scenario.learners), ("--rule", about.get("rule")),
            ("--amount", about.get("amount")), ("--weight", "case_weight" if "copies" in about else None),
        ):
            words += [option, value] if value else []
        quick = ["--no-reverse-testing", "--no-reverse-validation", "--audit", SIMULATIONS]
        select = lambda more: selection(words + more, folder, config["timeout_seconds"])
        found = select(["--leave-one-out"] if scenario.with_leave_one_out else [])
        record = condensed(found)
        if "rule" in about:
            # Decisions as labels of reverse models are the usual; probabilities as their weights are the alternative.
            soft = condensed(select(["--reverse-labels", "soft"]))
            record |= {"soft_pairs": soft["pairs"], "soft_order": soft["order"]}
        if scenario.with_audit:
            # Reverse models have no part in the interval, and with them an audit takes several times as long.
            record |= intervals(select(quick), record)
    return {"rows": [len(train), len(population)], "drawn": drawn} | record


def selection(words, folder, seconds):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=seconds)
    if done.returncode != 0:
        raise RuntimeError(f"exit code {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def condensed(found):
    """What tables need, with learners by their place."""
    check = found["check"]
    truth = {row["learner"]: row["value"] for row in check["learners"]}
    learners = [row["learner"] for row in found["learners"] if row["learner"] in truth]
    place = {learner: at for at, learner in enumerate(learners)}
    best = max(truth.values())
    choice = {row["method"]: place[row["choice"]] for row in found["methods"] if row["choice"] is not None}
    regrets = {row["method"]: row["regret"] for row in check["regrets"]}
    for method, chosen in choice.items():
        if abs(regrets[method] - (best - truth[learners[chosen]])) > 1e-9:
            raise ValueError(f"the regret of {method} is not that of {learners[chosen]}")
    record = {
        "learners": learners,
        "truth": [rounded(truth[learner]) for learner in learners],
        "committee": rounded(check["committee"]),
        "choice": "".join(str(choice.get(method, "-")) for method in tables.CHOOSERS),
        "recommended": place[found["recommended"]["learner"]],
    }
    constant = [place[row["learner"]] for row in found["learners"] if row["predicts_one_class"]]
    out = {row["learner"]: row["failed"] for row in found["learners"] if row["failed"]}
    # What is rare is written only where it is there.
    record |= ({"one_class": constant} if constant else {}) | ({"out": out} if out else {})
    for key, method in ESTIMATES.items():
        scores = {row["learner"]: row["score"] for row in found["orders"] if row["method"] == method}
        if scores:
            record[key] = [rounded(scores.get(learner)) for learner in learners]
    expected = {row["learner"]: row for row in found["expected"] if row["metric"] == found["metric"]}
    record["expected"] = [rounded(expected[learner]["estimate"]) for learner in learners]
    if found["reverse_testing"]:
        record["order"] = [place[row["learner"]] for row in found["reverse_testing"]["order"]]
        winner = {(row["a"], row["b"]): row["winner"] for row in found["pairs"]}
        pairs = ((a, b) for at, a in enumerate(learners) for b in learners[at + 1 :])
        record["pairs"] = "".join({a: "a", b: "b", None: "?"}[winner[a, b]] for a, b in pairs)
    return record


def intervals(audited, record):
    expected = {row["learner"]: row for row in audited["expected"] if row["metric"] == audited["metric"]}
    if [rounded(expected[learner]["estimate"]) for learner in record["learners"]] != record["expected"]:
        raise ValueError("with an audit other figures are expected than without")
    return {end: [rounded(expected[learner][end]) for learner in record["learners"]] for end in ("lower", "upper")}


def rounded(value):
    return None if value is None else round(value, 5)


if __name__ == "__main__":
    main()
