"""Time libsvm, by way of scikit-learn's SVC, on the rows that `svm.rs` wrote.

What: DIR/svm-KIND-N.f64 (raw, little-endian, row by row), .json ({rows, columns}) and .u8 (0, 1). One machine is fitted to
all rows, linear and RBF, C = 1, gamma = 1 / columns, on one thread: libsvm has no other. One JSON line a job:
{peer, job, rows, wall, cpu, value}, seconds, the best of several runs; `value` is the objective of the dual. Loading does
not count.
Why: it is what everybody uses. `libsvm` stops at a violation of 1e-3 and has 200 MB for kernel values, both its defaults;
`libsvm_1e6` stops at 1e-6, the tolerance of Tribunal. Kernel values are in single precision.
Formulation: a cache of 1 GB was tried, and is no faster at 20,000 rows. libsvm-official from PyPI is the same solver on sparse
rows, and took twenty times as long on dense ones.
Versions: numpy 2.4, scikit-learn 1.9 (libsvm 3.3).

    python svm.py --rows 5000 --kind overlapping --data DIR [--repeat 1] [--peers libsvm,libsvm_1e6]
"""

import argparse
import json
import os
import time
from pathlib import Path

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np
from sklearn.svm import SVC

TOLERANCES = {"libsvm": 1e-3, "libsvm_1e6": 1e-6}


def objective(model, numbers):
    """What the dual comes to: the sum of alphas less half the squared norm, which is a sum of f - b over the vectors."""
    coefficients = model.dual_coef_[0]
    without_bias = model.decision_function(numbers[model.support_]) - model.intercept_[0]
    return np.abs(coefficients).sum() - coefficients @ without_bias / 2


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--kind", required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--peers", default="libsvm")
    args = parser.parse_args()
    name = f"svm-{args.kind}-{args.rows}"
    shape = json.loads((args.data / f"{name}.json").read_text())
    numbers = np.fromfile(args.data / f"{name}.f64", dtype="<f8").reshape(shape["rows"], shape["columns"])
    classes = np.fromfile(args.data / f"{name}.u8", dtype=np.uint8)
    for peer in args.peers.split(","):
        for kernel in ("linear", "rbf"):
            wall, cpu = float("inf"), float("inf")
            for _ in range(args.repeat):
                started, cpu_started = time.perf_counter(), time.process_time()
                model = SVC(kernel=kernel, C=1.0, gamma=1 / shape["columns"], tol=TOLERANCES[peer])
                model.fit(numbers, classes)
                wall = min(wall, time.perf_counter() - started)
                cpu = min(cpu, time.process_time() - cpu_started)
            run = {"peer": peer, "job": f"svm-{kernel}-{args.kind}", "rows": shape["rows"], "wall": wall, "cpu": cpu}
            print(json.dumps({**run, "value": float(objective(model, numbers))}), flush=True)


if __name__ == "__main__":
    main()
