"""The hand-written peer: pyarrow reads, numpy computes.

What: scores on a grid of three decimals are counted; others are sorted bare, and the positives looked up among all.
Why so: see in_memory.py for the formulations tried. One thread sorts all scores while the other does the
logarithms and the positives; amounts are needed for the positives only. The file is read and the profit curve is
computed in pieces that stay in the cache: fresh memory for whole columns is what costs most.
Versions: pyarrow 26, numpy 2.4.
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from judged import CLIP, CONTACT_COST, decile_lifts, judgement

COLUMNS = {"score": pa.float64(), "label": pa.int64(), "amount": pa.float64()}
GRID = 1000
PIECE = 1 << 16

pa.array([0.0]).to_numpy()  # the first conversion imports pandas if there is one: not while the clock runs


# ---------------------------------------------------------------- reading


def record_batches(path):
    """The needed columns of the file, piece by piece."""
    if path.endswith(".csv"):
        options = pa_csv.ConvertOptions(column_types=COLUMNS, include_columns=list(COLUMNS))
        return pa_csv.read_csv(path, convert_options=options).to_batches()
    return pq.ParquetFile(path).iter_batches(PIECE, columns=list(COLUMNS))


def read(path):
    """Numpy arrays of each piece: score, is positive, amount of the positives."""
    for batch in record_batches(path):
        positive = batch["label"].to_numpy() == 1
        yield batch["score"].to_numpy(), positive, batch["amount"].to_numpy()[positive]


def squares_and_logs(batches):
    """Sums over the rows of squared error and of log loss."""
    squares = logs = 0.0
    for score, positive, _ in batches:
        squares += np.square(score - positive).sum()
        clipped = np.clip(score, CLIP, 1 - CLIP)
        logs -= np.log(np.where(positive, clipped, 1 - clipped)).sum()
    return squares, logs


# ---------------------------------------------------------------- scores that repeat


def count_grid(batches):
    """Rows, positives and gain by score on the grid; None if a score lies off it."""
    counts, gain = np.zeros(2 * (GRID + 1), dtype=np.int64), np.zeros(GRID + 1)
    for score, positive, amount in batches:
        code = np.rint(score * GRID)
        if not (code / GRID == score).all():
            return None
        code = code.astype(np.int64)
        gain += np.bincount(code[positive], weights=amount, minlength=len(gain))
        counts += np.bincount(2 * code + positive, minlength=len(counts))
    return counts.reshape(-1, 2), gain


def judge_counts(counts, gain):
    """Judgement from counts on the grid."""
    used = counts.any(axis=1)
    score = (np.flatnonzero(used) / GRID)[::-1]
    gain = np.cumsum(gain[used][::-1])
    p, n = counts[used][::-1, 1], counts[used][::-1].sum(axis=1)
    hits, seen = np.cumsum(p), np.cumsum(n)
    rows, positives = int(seen[-1]), int(hits[-1])
    clipped = np.clip(score, CLIP, 1 - CLIP)
    profit = gain - CONTACT_COST * seen
    best = profit.argmax()
    return judgement(
        auroc=((n - p) * (hits - p / 2)).sum() / positives / (rows - positives),
        ks=np.abs(hits / positives - (seen - hits) / (rows - positives)).max(),
        ap=(p * hits / seen).sum() / positives,
        brier=(p * (1 - score) ** 2 + (n - p) * score**2).sum() / rows,
        log_loss=-(p * np.log(clipped) + (n - p) * np.log(1 - clipped)).sum() / rows,
        lifts=decile_lifts(list(zip(seen, n, hits, p)), rows, positives),
        max_profit=profit[best],
        max_profit_rows=seen[best],
        rows=rows,
        points=len(seen),
    )


# ---------------------------------------------------------------- scores that are mostly distinct


def sorted_positives(batches):
    """Scores of the positives in ascending order, and the running sum of their amounts from the best down."""
    score = np.concatenate([score[positive] for score, positive, _ in batches])
    amount = np.concatenate([amount for _, _, amount in batches])
    order = np.argsort(score)
    return score[order], np.concatenate(([0.0], np.cumsum(amount[order][::-1])))


def counter(rows):
    """The narrowest integers that hold 100 times the number of rows: fresh memory is what costs."""
    return np.int32 if rows < 2**31 // 100 else np.int64


def running_hits(rows, at):
    """Positives counted from the best row down; `at` is where the block of each positive starts, in ascending order."""
    if (at[1:] == at[:-1]).any():
        return np.cumsum(np.bincount(at, minlength=rows)[::-1], dtype=counter(rows))
    flags = np.zeros(rows, dtype=np.uint8)
    flags[rows - 1 - at] = 1
    return np.cumsum(flags, dtype=counter(rows))


def blocks_of(everyone, at):
    """Rows and positives counted down to the end of each block of equal scores."""
    rows = len(everyone)
    hits = running_hits(rows, at)
    starts = everyone[1:] != everyone[:-1]
    if starts.all():
        return np.arange(1, rows + 1, dtype=counter(rows)), hits
    seen = rows - np.concatenate(([0], np.flatnonzero(starts) + 1))[::-1]
    return seen, hits[seen - 1]


def profit_and_distance(seen, hits, gain, profit):
    """Fill in the profit curve; returns the KS distance."""
    rows, positives = int(seen[-1]), int(hits[-1])
    furthest = 0.0
    for start in range(0, len(seen), PIECE):
        k, h = seen[start : start + PIECE], hits[start : start + PIECE]
        np.subtract(gain[h], CONTACT_COST * k, out=profit[start : start + PIECE])
        furthest = max(furthest, np.abs(h / positives - (k - h) / (rows - positives)).max())
    return furthest


def decile_blocks(seen, hits):
    """The blocks in which the deciles end."""
    ends = [-(-int(seen[-1]) * tenth // 10) for tenth in range(1, 11)]
    at = np.searchsorted(seen, np.array(ends, dtype=seen.dtype))  # of one type: else `seen` is copied
    before = at - 1
    seen_before = np.where(at > 0, seen[before], 0)
    hits_before = np.where(at > 0, hits[before], 0)
    return list(zip(seen[at], seen[at] - seen_before, hits[at], hits[at] - hits_before))


def judge_sorted(batches):
    """Judgement by sorting."""
    everyone = np.concatenate([score for score, _, _ in batches])
    with ThreadPoolExecutor(1) as pool:
        sorting = pool.submit(everyone.sort)
        squares, logs = squares_and_logs(batches)
        positives, gain = sorted_positives(batches)
        sorting.result()
    rows, count = len(everyone), len(positives)
    below = np.searchsorted(everyone, positives)
    up_to = np.searchsorted(everyone, positives, side="right")
    own_below = np.searchsorted(positives, positives)
    own_up_to = np.searchsorted(positives, positives, side="right")
    seen, hits = blocks_of(everyone, below)
    profit = everyone[: len(seen)]  # the sorted scores have served: their memory takes the curve
    furthest = profit_and_distance(seen, hits, gain, profit)
    best = profit.argmax()
    return judgement(
        auroc=((below - own_below) + (up_to - own_up_to)).sum() / 2 / count / (rows - count),
        ks=furthest,
        ap=((count - own_below) / (rows - below)).sum() / count,
        brier=squares / rows,
        log_loss=logs / rows,
        lifts=decile_lifts(decile_blocks(seen, hits), rows, count),
        max_profit=profit[best],
        max_profit_rows=seen[best],
        rows=rows,
        points=len(seen),
    )


def measure(path, method, threads):
    """Judge a file."""
    pa.set_cpu_count(threads)
    counted = count_grid(read(path)) if method == "group" else None
    return judge_sorted(list(read(path))) if counted is None else judge_counts(*counted)
