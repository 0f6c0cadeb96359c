"""Coverage of 95 % intervals of other packages on designs like those of tests/coverage.

Prints the section `peers.md` of docs/coverage.md. Needs numpy, scipy, scikit-learn and confidenceinterval; pROC (R) joins in
where Rscript finds it. Takes some minutes:

    python coverage_peers.py > ../coverage/peers.md
"""

import csv
import io
import subprocess
import warnings
from importlib.metadata import version

import confidenceinterval as ci
import numpy as np
from scipy.stats import norm

SEED = 20_260_101
N_SAMPLES = 400
N_REPLICATES = 400
DESIGNS = [
    (200, 0.1, 0.65),
    (200, 0.1, 0.95),
    (200, 0.5, 0.8),
    (200, 0.5, 0.95),
    (500, 0.02, 0.65),
    (500, 0.02, 0.8),
    (500, 0.02, 0.95),
    (500, 0.1, 0.8),
    (2000, 0.02, 0.8),
    (2000, 0.02, 0.95),
    (2000, 0.1, 0.65),
    (2000, 0.5, 0.95),
]

PROC_SCRIPT = """
suppressMessages(library(pROC))
data <- read.csv(file("stdin"), header = FALSE, col.names = c("sample", "y", "s"))
for (part in split(data, data$sample)) {
  ends <- ci.auc(roc(part$y, part$s, levels = c(0, 1), direction = "<", quiet = TRUE), method = "delong")
  cat(ends[1], ends[3], "\\n")
}
"""


def probability(x, base_rate, mean):
    return 1 / (1 + np.exp(-(np.log(base_rate / (1 - base_rate)) + mean * x - mean**2 / 2)))


def draw(rng, n, base_rate, mean):
    """A random sample of cases; drawn again where a class has fewer than two."""
    while True:
        y = (rng.random(n) < base_rate).astype(int)
        if 2 <= y.sum() <= n - 2:
            return y, probability(rng.normal(size=n) + mean * y, base_rate, mean)


def truths(base_rate, mean):
    """Values in the population; the given score is that of the median of the positives."""
    x = np.arange(-8, mean + 8, 1 / 4096)
    positives, negatives = base_rate * norm.pdf(x - mean), (1 - base_rate) * norm.pdf(x)
    p = probability(x, base_rate, mean)
    step = x[1] - x[0]
    share = base_rate * norm.sf(x - mean) + (1 - base_rate) * norm.sf(x)
    tenth = np.interp(-0.1, -share, x)
    tp, fp = base_rate / 2, (1 - base_rate) * norm.sf(mean)
    return {
        "auroc": norm.cdf(mean / np.sqrt(2)),
        "precision": tp / (tp + fp),
        "recall": 0.5,
        "f1": 2 * tp / (2 * tp + fp + base_rate / 2),
        "lift": norm.sf(tenth - mean) / 0.1,
        "brier": np.sum(positives * (1 - p) ** 2 + negatives * p**2) * step,
    }


def lift_and_brier(y, s):
    """Along the last axis; scores have no ties but for replicates, whose ties are of one class."""
    n = y.shape[-1]
    top = np.argpartition(-s, n // 10 - 1, axis=-1)[..., : n // 10]
    hits = np.take_along_axis(y, top, axis=-1).sum(axis=-1)
    return hits / np.maximum(y.sum(axis=-1), 1) / 0.1, ((s - y) ** 2).mean(axis=-1)


def percentile_intervals(rng, y, s):
    rows = rng.integers(0, len(y), size=(N_REPLICATES, len(y)))
    return [np.quantile(replicates, [0.025, 0.975]) for replicates in lift_and_brier(y[rows], s[rows])]


def peer_intervals(rng, y, s, cut):
    """Figure, package, method and interval of every peer; pROC follows for all samples at once."""
    predicted = (s >= cut).astype(int)
    lift, brier = percentile_intervals(rng, y, s)
    binary = {"average": "binary"}
    return {
        ("auroc", "confidenceinterval", "DeLong"): ci.roc_auc_score(y, s)[1],
        ("precision", "confidenceinterval", "Wilson"): ci.precision_score(y, predicted, method="wilson", **binary)[1],
        ("recall", "confidenceinterval", "Wilson"): ci.recall_score(y, predicted, method="wilson", **binary)[1],
        ("f1", "confidenceinterval", "Takahashi"): ci.f1_score(y, predicted, **binary)[1],
        ("lift", "numpy", "percentile bootstrap"): lift,
        ("brier", "numpy", "percentile bootstrap"): brier,
    }


def proc_version():
    try:
        shown = subprocess.run(
            ["Rscript", "-e", 'cat(as.character(packageVersion("pROC")))'], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return shown.stdout.strip()


def proc_intervals(samples):
    text = io.StringIO()
    writer = csv.writer(text)
    for index, (y, s) in enumerate(samples):
        writer.writerows((index, label, repr(float(score))) for label, score in zip(y, s))
    shown = subprocess.run(
        ["Rscript", "-e", PROC_SCRIPT], input=text.getvalue(), capture_output=True, text=True, check=True
    )
    return [tuple(map(float, line.split())) for line in shown.stdout.splitlines() if line.strip()]


def tails(intervals, truth):
    """Coverage and the shares of intervals above and below the truth; ends that are not numbers hold nothing."""
    ends = np.array(intervals, dtype=float)
    below, above = np.mean(truth < ends[:, 0]), np.mean(truth > ends[:, 1])
    nothing = np.mean(np.isnan(ends).any(axis=1))
    return 1 - below - above - nothing, below, above


def simulate(index, design, with_proc):
    n, base_rate, auroc = design
    mean = norm.ppf(auroc) * np.sqrt(2)
    truth, cut = truths(base_rate, mean), probability(mean, base_rate, mean)
    rng = np.random.default_rng([SEED, index])
    samples = [draw(rng, n, base_rate, mean) for _ in range(N_SAMPLES)]
    found = [peer_intervals(rng, y, s, cut) for y, s in samples]
    intervals = {peer: [sample[peer] for sample in found] for peer in found[0]}
    if with_proc:
        intervals[("auroc", "pROC", "DeLong")] = proc_intervals(samples)
    return {peer: tails(ends, truth[peer[0]]) for peer, ends in intervals.items()}


def share(value):
    return f"{value:.3f}".removeprefix("0")


NAMES = {
    "auroc": "auroc",
    "precision": "precision at a given score",
    "recall": "sensitivity at a given score",
    "f1": "f1 at a given score",
    "lift": "lift@0.1",
    "brier": "brier",
}


def main():
    warnings.simplefilter("ignore")
    proc = proc_version()
    results = [simulate(index, design, proc is not None) for index, design in enumerate(DESIGNS)]
    versions = [f"{name} {version(name)}" for name in ("confidenceinterval", "scikit-learn", "numpy", "scipy")]
    versions += [f"pROC {proc}"] if proc else []
    print("## Intervals of other packages\n")
    print(f"Coverage of 95 % intervals on {N_SAMPLES} random samples of each design, calibrated scores, by")
    print(f"`crates/tribunal-eval/tests/reference/coverage_peers.py` with {', '.join(versions)}.")
    print(f"Bootstrap intervals rest on {N_REPLICATES} replicates of all rows. The standard error of a coverage is about .011.")
    print("confidenceinterval has no interval of the average precision.\n")
    print("| figure | package | method | least coverage | mean coverage | worst design | lower tail | upper tail |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    peers = sorted(results[0], key=lambda peer: list(NAMES).index(peer[0]))
    for figure, package, method in peers:
        coverages = [result[figure, package, method][0] for result in results]
        worst = int(np.argmin(coverages))
        n, base_rate, auroc = DESIGNS[worst]
        _, below, above = results[worst][figure, package, method]
        cells = [NAMES[figure], package, method, share(min(coverages)), share(np.mean(coverages))]
        cells += [f"{n} rows, base rate {base_rate}, AUROC {auroc}", share(below), share(above)]
        print(f"| {' | '.join(cells)} |")
    print("\n| rows | base rate | AUROC |", " | ".join(f"{NAMES[f]}, {package}" for f, package, _ in peers), "|")
    print("|", " | ".join(["---"] * (3 + len(peers))), "|")
    for (n, base_rate, auroc), result in zip(DESIGNS, results):
        print(f"| {n} | {base_rate} | {auroc} |", " | ".join(share(result[peer][0]) for peer in peers), "|")


if __name__ == "__main__":
    main()
