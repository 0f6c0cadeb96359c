"""Coverage of 95 % intervals of other packages on the very samples of tests/coverage.

Prints the section `peers.md` of docs/coverage.md. Needs numpy, scipy, scikit-learn and confidenceinterval; pROC (R) joins in
where Rscript finds it. Takes some minutes:

    TRIBUNAL_WRITE_SAMPLES=DIR cargo test --release --package tribunal-eval --test coverage every_interval_holds
    python coverage_peers.py DIR > ../coverage/peers.md
"""

import csv
import io
import subprocess
import sys
import warnings
from importlib.metadata import version
from pathlib import Path

import confidenceinterval as ci
import numpy as np

SEED = 20_260_101
N_REPLICATES = 400
OURS = "Tribunal"

PROC_SCRIPT = """
suppressMessages(library(pROC))
data <- read.csv(file("stdin"), header = FALSE, col.names = c("sample", "y", "s"))
for (part in split(data, data$sample)) {
  ends <- ci.auc(roc(part$y, part$s, levels = c(0, 1), direction = "<", quiet = TRUE), method = "delong")
  cat(ends[1], ends[3], "\\n")
}
"""


def read(folder):
    """Designs with their samples, population values and our intervals."""
    numbers = np.fromfile(folder / "samples.f64", dtype="<f8")
    designs, start = [], 0
    for row in csv.DictReader((folder / "designs.csv").open()):
        n, n_samples = int(row["rows"]), int(row["samples"])
        block = numbers[start : start + 2 * n * n_samples].reshape(n_samples, 2, n)
        start += block.size
        name = f"{n} rows, base rate {row['base_rate']}, AUROC {row['auroc']}"
        designs.append({"name": name, "cut": float(row["cutoff"]), "y": block[:, 0].astype(int), "s": block[:, 1]})
        designs[-1].update(truth={}, ours={})
    for row in csv.DictReader((folder / "intervals.csv").open()):
        design = designs[int(row["design"])]
        design["truth"][row["figure"]] = float(row["truth"])
        design["ours"].setdefault(row["figure"], []).append((float(row["lower"]), float(row["upper"])))
    return designs


def bootstrap_figures(y, s):
    """Lift at a tenth, Brier score and average precision along the last axis; ties of replicates are of one class."""
    n = y.shape[-1]
    order = np.argsort(-s, axis=-1, kind="stable")
    ranked = np.take_along_axis(y, order, axis=-1)
    hits = ranked.cumsum(axis=-1)
    positives = np.maximum(hits[..., -1], 1)
    lift = hits[..., n // 10 - 1] / positives / 0.1
    precision = (ranked * hits / np.arange(1, n + 1)).sum(axis=-1) / positives
    return {"lift@0.1": lift, "brier": ((s - y) ** 2).mean(axis=-1), "average_precision": precision}


def peer_intervals(rng, y, s, cut):
    """Figure, package, method and interval of every peer; pROC follows for all samples at once."""
    predicted = (s >= cut).astype(int)
    rows = rng.integers(0, len(y), size=(N_REPLICATES, len(y)))
    drawn = bootstrap_figures(y[rows], s[rows])
    binary = {"average": "binary"}
    found = {
        ("auroc", "confidenceinterval", "DeLong"): ci.roc_auc_score(y, s)[1],
        ("precision", "confidenceinterval", "Wilson"): ci.precision_score(y, predicted, method="wilson", **binary)[1],
        ("sensitivity", "confidenceinterval", "Wilson"): ci.recall_score(y, predicted, method="wilson", **binary)[1],
        ("f1", "confidenceinterval", "Takahashi"): ci.f1_score(y, predicted, **binary)[1],
    }
    for figure, values in drawn.items():
        found[figure, "numpy", "percentile bootstrap"] = np.quantile(values, [0.025, 0.975])
    return found


def proc_version():
    try:
        shown = subprocess.run(
            ["Rscript", "-e", 'cat(as.character(packageVersion("pROC")))'], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return shown.stdout.strip()


def proc_intervals(ys, scores):
    text = io.StringIO()
    writer = csv.writer(text)
    for index, (y, s) in enumerate(zip(ys, scores)):
        writer.writerows((index, label, repr(float(score))) for label, score in zip(y, s))
    shown = subprocess.run(
        ["Rscript", "-e", PROC_SCRIPT], input=text.getvalue(), capture_output=True, text=True, check=True
    )
    return [tuple(map(float, line.split())) for line in shown.stdout.splitlines() if line.strip()]


def judged(intervals, truth):
    """Coverage, the shares of intervals above and below the truth, mean width; ends that are not numbers hold nothing."""
    ends = np.array(intervals, dtype=float)
    below, above = np.mean(truth < ends[:, 0] - 1e-9), np.mean(truth > ends[:, 1] + 1e-9)
    nothing = np.mean(np.isnan(ends).any(axis=1))
    return 1 - below - above - nothing, below, above, np.nanmean(ends[:, 1] - ends[:, 0])


def simulate(index, design, with_proc):
    rng = np.random.default_rng([SEED, index])
    found = [peer_intervals(rng, y, s, design["cut"]) for y, s in zip(design["y"], design["s"])]
    intervals = {peer: [sample[peer] for sample in found] for peer in found[0]}
    if with_proc:
        intervals["auroc", "pROC", "DeLong"] = proc_intervals(design["y"], design["s"])
    intervals.update({(figure, OURS, "default"): ends for figure, ends in design["ours"].items()})
    return {peer: judged(ends, design["truth"][peer[0]]) for peer, ends in intervals.items()}


def share(value):
    return f"{value:.3f}".removeprefix("0")


NAMES = {
    "auroc": "auroc",
    "average_precision": "average_precision",
    "lift@0.1": "lift@0.1",
    "brier": "brier",
    "precision": "precision at a given score",
    "sensitivity": "sensitivity at a given score",
    "f1": "f1 at a given score",
}


def main():
    warnings.simplefilter("ignore")
    designs, proc = read(Path(sys.argv[1])), proc_version()
    results = [simulate(index, design, proc is not None) for index, design in enumerate(designs)]
    versions = [f"{name} {version(name)}" for name in ("confidenceinterval", "scikit-learn", "numpy", "scipy")]
    versions += [f"pROC {proc}"] if proc else []
    print("## Intervals of other packages\n")
    print(f"Coverage of 95 % intervals on the first {len(designs[0]['y'])} samples of each calibrated design of up to 2,000 rows, by")
    print(f"`crates/tribunal-eval/tests/reference/coverage_peers.py` with {', '.join(versions)}.")
    print(f"Bootstrap intervals rest on {N_REPLICATES} replicates of all rows. The standard error of a coverage is about .011.")
    print("confidenceinterval has no interval of the average precision, and scikit-learn has none at all. Widths are relative to")
    print("Tribunal's on the same samples; an interval that is narrower and holds less often is no better.\n")
    print("| figure | package | method | least coverage | mean coverage | width | worst design | lower tail | upper tail |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    peers = sorted(results[0], key=lambda peer: (list(NAMES).index(peer[0]), peer[1] != OURS, peer[1]))
    for figure, package, method in peers:
        coverages = [result[figure, package, method][0] for result in results]
        widths = [result[figure, package, method][3] / result[figure, OURS, "default"][3] for result in results]
        worst = int(np.argmin(coverages))
        _, below, above, _ = results[worst][figure, package, method]
        cells = [NAMES[figure], package, method, share(min(coverages)), share(np.mean(coverages))]
        cells += [f"{np.mean(widths):.2f}", designs[worst]["name"], share(below), share(above)]
        print(f"| {' | '.join(cells)} |")
    print("\n| design |", " | ".join(f"{NAMES[f]}, {package}" for f, package, _ in peers), "|")
    print("|", " | ".join(["---"] * (1 + len(peers))), "|")
    for design, result in zip(designs, results):
        print(f"| {design['name']} |", " | ".join(share(result[peer][0]) for peer in peers), "|")


if __name__ == "__main__":
    main()
