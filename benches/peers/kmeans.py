"""scikit-learn's Lloyd from the same starts as benches/kmeans.rs: python kmeans.py ROWS."""

import json
import sys
import time
import warnings

import numpy as np
from sklearn.cluster import KMeans

COLUMNS, CLUSTERS = 10, 8


def rows(n_rows, spread):
    n = n_rows * COLUMNS
    # The generator in blocks: x_(i+m) follows from x_i by the m-th power of the step.
    values = np.empty(n, dtype=np.uint64)
    state, mask = 12345, (1 << 32) - 1
    first = min(n, 4096)
    for i in range(first):
        state = (1664525 * state + 1013904223) & mask
        values[i] = state
    a, c = 1, 0
    for _ in range(first):
        a, c = a * 1664525 & mask, (1664525 * c + 1013904223) & mask
    for start in range(first, n, first):
        stop = min(start + first, n)
        values[start:stop] = (values[start - first : stop - first] * np.uint64(a) + np.uint64(c)) & np.uint64(mask)
    noise = (values >> np.uint64(8)).astype(float) / 2**24 * spread
    row, column = np.divmod(np.arange(n), COLUMNS)
    return (noise + row % CLUSTERS * (column + 3) % 7).reshape(n_rows, COLUMNS)


def main():
    warnings.simplefilter("ignore")
    for world, spread in (("clusters", 4.0), ("overlap", 20.0)):
        x = rows(int(sys.argv[1]), spread)
        best = [float("inf"), float("inf")]
        for _ in range(5):
            wall, cpu = time.perf_counter(), time.process_time()
            found = KMeans(CLUSTERS, init=x[:CLUSTERS], n_init=1, tol=0, max_iter=100, algorithm="lloyd").fit(x)
            best = [min(best[0], time.perf_counter() - wall), min(best[1], time.process_time() - cpu)]
        line = {"peer": "scikit-learn", "world": world, "wall": best[0], "cpu": best[1]}
        print(json.dumps(line | {"steps": found.n_iter_, "inertia": found.inertia_}))


main()
