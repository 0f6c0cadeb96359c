"""Synthetic claims made with numpy and written with pyarrow.

What: draws as many normal and uniform numbers a claim as Tribunal does, makes the same columns from them by the same
formulas, gives scores and codes by rank, and writes Parquet or CSV. One JSON line: {peer, wall, cpu, maxrss}.
Why: this is what someone writes who knows numpy well. The numbers are not those of Tribunal: numpy has no xoshiro256**
and draws normal numbers with a ziggurat. Imports are not timed.
Formulation: chunks of rows are drawn on all cores (numpy lets go of the interpreter's lock), ranks come from np.partition
instead of a sort, whole numbers are uint8 and uint16, the file is flushed to the disk. No other one was timed.
Versions: numpy 2.4, pyarrow 26.

    python claims.py --rows 1000000 -o claims.parquet
"""

import argparse
import json
import os
import resource
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

CHUNK = 1 << 17
GROUPS = np.repeat(np.arange(5), [10, 3, 6, 4, 2])
THRESHOLDS = np.array(
    [0.841621, 0.954165, 1.080319, 1.750686, 1.554774, 1.340755, 1.475791, 1.750686, 1.880794, 1.644854, 1.644854, 1.750686]
    + [1.340755, 0.305481, 0.524401, 1.174987, 1.644854, 0.994458, 1.880794, 1.880794, 2.053749, 1.554774, 1.644854]
    + [1.880794, 1.750686]
)
WEIGHTS = np.array(
    [0.45, 0.35, 0.55, 0.8, 0.7, 0.4, 0.75, 0.9, 0.6, 0.85, 0.8, 0.7, 0.95, 0.55, 0.45, 0.6, 0.7, 0.5, 0.8, 0.6, 0.7, 0.9, 0.55]
    + [0.75, 0.65]
)
NAMES = (
    "ACC01 ACC04 ACC09 ACC10 ACC11 ACC14 ACC15 ACC16 ACC18 ACC19 CLT02 CLT04 CLT07 INJ01 INJ02 INJ03 INJ05 INJ06 INJ11 "
    "INS01 INS03 INS06 INS07 LW01 LW03 AGE POL_LAG REPT_LAG TRT_LAG1 TRT_LAG1_01 TRT_LAG2 TRT_LAG2_01 AMBUL AMBUL_01 "
    "PART_DIS1_01 TOT_DIS1_01 SCLEGREP PAID score code"
).split()
LAG = np.array([7, 15, 30, 45, 60, 90, 180, 270, 360])
LOADS = ((0.84, 0.79), (0.60, 0.54), (0.39, 0.31), (0.94, 0.88), (0.49, 0.32))


def flags(rng, rows):
    """25 columns of 0 and 1, and their summed weights."""
    common = np.sqrt(0.06) * rng.standard_normal(rows)
    groups = np.sqrt(0.14) * rng.standard_normal((5, rows)) + common
    own = rng.standard_normal((25, rows))
    fired, weight = [], np.zeros(rows)
    for flag in range(25):
        fires = groups[GROUPS[flag]] + np.sqrt(0.80) * own[flag] > THRESHOLDS[flag]
        fired.append(fires.view(np.uint8))
        weight += WEIGHTS[flag] * fires
    return fired, weight


def chunk(seed, rows):
    """The columns of some claims, and their five latents."""
    rng = np.random.Generator(np.random.SFC64(seed))
    normal = lambda: rng.standard_normal(rows)
    uniform = lambda: rng.random(rows)
    fired, weight = flags(rng, rows)
    age = np.clip(np.exp(3.45 + 0.42 * normal()), 1, 95).astype(np.uint8)
    policy = (np.where(uniform() < 0.18, 60, 365) * uniform()).astype(np.uint16)
    report = np.minimum(np.exp(1.5 + 1.3 * normal()), 500).astype(np.uint16)
    represented = uniform() < 0.55
    treated = uniform() < np.where(represented, 0.78, 0.42)
    lag1 = np.where(treated, np.minimum(1 + np.exp(1.6 + 1.1 * normal()), 450), 0).astype(np.uint16)
    treated = uniform() < np.where(lag1 > 0, 0.45, 0.06)
    lag2 = np.where(treated, np.minimum(lag1 + 1 + np.exp(2.3 + normal()), 450), 0).astype(np.uint16)
    ambulance = np.where(uniform() < 0.38, np.floor(100 * np.exp(5.4 + 0.45 * normal()) + 0.5) / 100, 0)
    part, total = uniform() < 0.22, uniform() < 0.12
    circumstances = (
        1.0 * represented + 0.8 * (lag1 > 0) + 0.55 * (lag2 > 0) - 0.85 * (ambulance > 0)
        + 0.10 * np.searchsorted(LAG, report) + 0.12 * np.searchsorted(LAG, lag1) + 0.06 * np.searchsorted(LAG, lag2)
        - 0.07 * np.searchsorted(LAG[:-1], policy) - 0.15 * np.searchsorted([20, 40, 60, 80], age)
        - 0.05 * np.searchsorted([100.5, 200.5, 300.5, 400.5, 500.5], ambulance) + 0.35 * part + 0.20 * total
    )
    noise = rng.standard_normal((6, rows))
    latents = [a * weight + b * circumstances + 0.6 * noise[0] + 0.8 * noise[k + 1] for k, (a, b) in enumerate(LOADS)]
    paid = np.floor(100 * np.exp(7.0 + 0.25 * circumstances + 0.6 * normal()) + 0.5) / 100
    is_some = lambda values: (values > 0).view(np.uint8)
    columns = [*fired, age, policy, report, lag1, is_some(lag1), lag2, is_some(lag2), ambulance, is_some(ambulance)]
    columns += [part.view(np.uint8), total.view(np.uint8), represented.view(np.uint8), paid]
    return columns, latents


def ranked(latent, members, ends, marks, given):
    """Gives marks to members by descending latent, each up to its rank."""
    values = latent[members]
    ends = [min(end, len(values)) for end in ends]
    kth = sorted({len(values) - end for end in ends if 0 < end < len(values)})
    ordered = np.partition(values, kth) if kth else values
    cuts = [np.inf if end == 0 else -np.inf if end == len(values) else ordered[len(values) - end] for end in ends]
    given[members] = np.select([values >= cut for cut in cuts], marks[:-1], marks[-1])


def scored(latents, rows):
    """Scores and codes by nested ranks."""
    q = lambda count: int(count * rows / 1399 + 0.5)
    score, code = np.zeros(rows, np.uint8), np.ones(rows, np.uint8)
    ranked(latents[0], np.arange(rows), [q(601)], [1, 0], score)
    ranked(latents[1], np.flatnonzero(score == 1), [q(396), q(471), q(541)], [4, 3, 2, 1], score)
    ranked(latents[2], np.flatnonzero(score == 4), [q(8), q(23), q(63), q(123), q(186), q(306)], [10, 9, 8, 7, 6, 5, 4], score)
    ranked(latents[3], np.arange(rows), [q(504)], [2, 1], code)
    ranked(latents[4], np.flatnonzero(code == 2), [q(30), q(108), q(228)], [5, 4, 3, 2], code)
    return score, code


def write(path, tables):
    """Parquet or CSV, chunk by chunk."""
    schema = tables[0].schema
    if path.endswith(".parquet"):
        writer = pq.ParquetWriter(path, schema)
        for start in range(0, len(tables), 8):
            writer.write_table(pa.concat_tables(tables[start : start + 8]))
    else:
        writer = pacsv.CSVWriter(path, schema)
        for table in tables:
            writer.write_table(table)
    writer.close()


def make(path, rows, seed):
    """Claims from the seed to the file."""
    sizes = [min(CHUNK, rows - start) for start in range(0, rows, CHUNK)]
    seeds = np.random.SeedSequence(seed).spawn(len(sizes))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        drawn = list(pool.map(chunk, seeds, sizes))
    latents = [np.concatenate([latents[k] for _, latents in drawn]) for k in range(5)]
    score, code = scored(latents, rows)
    tables, start = [], 0
    for columns, _ in drawn:
        end = start + len(columns[0])
        tables.append(pa.table([*columns, score[start:end], code[start:end]], names=NAMES))
        start = end
    write(path, tables)
    fd = os.open(path, os.O_RDONLY)
    os.fsync(fd)
    os.close(fd)


def main():
    """Command line."""
    parser = argparse.ArgumentParser(description="Time numpy and pyarrow on synthetic claims.")
    parser.add_argument("--rows", type=int, default=10**6)
    parser.add_argument("--seed", type=int, default=32)
    parser.add_argument("-o", "--output", required=True)
    args = parser.parse_args()
    wall, cpu = time.perf_counter(), time.process_time()
    make(args.output, args.rows, args.seed)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"peer": "numpy", "wall": wall, "cpu": cpu, "maxrss": memory}))


if __name__ == "__main__":
    main()
