"""Time the peers from a file of scored rows to the whole judgement.

What: from a Parquet or CSV file with score, label and amount each peer computes the AUROC (ties exact), KS, average
precision, Brier score, log loss, the lift of each decile and the profit curve (a contact costs 50, a positive brings
its amount) at every distinct score. One JSON line a peer: {peer, wall, cpu, maxrss, auroc, ks, ap, brier, log_loss,
lift_top_decile, max_profit, ...}; seconds, maxrss in bytes. Reading the file is timed, imports are not.
Why: each peer runs in a process of its own, so that its memory is its own, and all must agree to 1e-9 (relative).
Versions: duckdb 2.0, polars 2.1, pyarrow 26, numpy 2.4.

`--method` says whether equal scores are grouped by hashing or counting, or found by sorting. `auto` looks at the first
rows beforehand, untimed: whoever writes such a query knows his data.

    python scored_file.py scored.parquet --peers duckdb,polars,pyarrow
"""

import argparse
import importlib
import json
import os
import resource
import subprocess
import sys
import time

PEERS = ("duckdb", "polars", "pyarrow")
COMPARED = ("auroc", "ks", "ap", "brier", "log_loss", "lift_top_decile", "max_profit", "max_profit_share", "points")
TOLERANCE = 1e-9


def choose_method(path):
    """`group` if the first 10,000 scores repeat, else `sort`. Imports pyarrow: for a child process only."""
    peer = importlib.import_module("peer_pyarrow")
    if path.endswith(".csv"):
        batch = peer.pa_csv.open_csv(path).read_next_batch()
    else:
        batch = next(peer.pq.ParquetFile(path).iter_batches(10_000, columns=["score"]))
    first = batch["score"].to_numpy()[:10_000]
    return "group" if len(set(first)) < len(first) / 2 else "sort"


def run_here(peer, path, method, threads):
    """Time one peer in this process."""
    module = importlib.import_module(f"peer_{peer}")
    wall, cpu = time.perf_counter(), time.process_time()
    found = module.measure(path, method, threads)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    maxrss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {"peer": peer, "wall": wall, "cpu": cpu, "maxrss": maxrss, "method": method, **found}


def in_child(threads, *arguments):
    """Run this program again in a process of its own; returns what it prints."""
    limits = {"POLARS_MAX_THREADS": str(threads), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, __file__, *arguments, "--threads", str(threads)]
    return subprocess.run(command, env=os.environ | limits, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def check_agreement(results):
    """All peers must have found the same."""
    first = results[0]
    for other in results[1:]:
        pairs = [(name, first[name], other[name]) for name in COMPARED]
        pairs += [("lifts", a, b) for a, b in zip(first["lifts"], other["lifts"])]
        for name, a, b in pairs:
            if abs(a - b) > TOLERANCE * max(1.0, abs(a)):
                raise SystemExit(f"{name}: {first['peer']} says {a!r}, {other['peer']} says {b!r}")


def main():
    """Command line; `--child` and `--peek` are for the processes it starts."""
    parser = argparse.ArgumentParser(description="Time the peers on a file of scored rows.")
    parser.add_argument("file")
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("--method", choices=("auto", "group", "sort"), default="auto")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--child", choices=PEERS, help=argparse.SUPPRESS)
    parser.add_argument("--peek", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.peek:
        print(choose_method(args.file))
        return
    if args.child:
        print(json.dumps(run_here(args.child, args.file, args.method, args.threads)))
        return
    method = in_child(args.threads, args.file, "--peek") if args.method == "auto" else args.method
    results = []
    for peer in args.peers.split(","):
        line = in_child(args.threads, args.file, "--child", peer, "--method", method)
        print(line, flush=True)
        results.append(json.loads(line))
    check_agreement(results)


if __name__ == "__main__":
    main()
