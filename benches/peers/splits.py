"""Time the peer of the folds: scikit-learn's StratifiedKFold on classes in memory.

What: ten shuffled folds of the same rows, by `StratifiedKFold(10, shuffle=True)`. `sklearn` walks all its splits, which
is the only way to get at them; `sklearn_folds` asks for the fold of each row, which is a private function of the library
and the work that Tribunal does before a split is asked for. One JSON line a peer: {peer, job, wall, cpu, value}, seconds,
best of several runs.
Why: the classes lie in a raw file (DIR/truth.u8), so that programs in other languages divide the same rows; a missing
file is made. Imports and loading are not timed.
Versions: numpy 2.4, scikit-learn 1.9.

    python splits.py --rows 10000000 --data DIR
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
from sklearn.model_selection import StratifiedKFold


def timed(peer, repeat, run):
    """Prints the best of several runs."""
    wall = cpu = float("inf")
    for _ in range(repeat):
        started, cpu_started = time.perf_counter(), time.process_time()
        value = run()
        wall = min(wall, time.perf_counter() - started)
        cpu = min(cpu, time.process_time() - cpu_started)
    print(json.dumps({"peer": peer, "job": "folds", "wall": wall, "cpu": cpu, "value": int(value)}), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--data", type=Path, required=True)
    args = parser.parse_args()
    file = args.data / "truth.u8"
    if not file.exists():
        args.data.mkdir(parents=True, exist_ok=True)
        (np.random.default_rng(3).random(args.rows) < 0.1).astype(np.uint8).tofile(file)
    truth = np.fromfile(file, dtype=np.uint8)
    folds = StratifiedKFold(10, shuffle=True, random_state=1)
    timed("sklearn", args.repeat, lambda: len(list(folds.split(truth, truth))[0][1]))
    timed("sklearn_folds", args.repeat, lambda: (folds._make_test_folds(truth, truth) == 0).sum())


if __name__ == "__main__":
    main()
