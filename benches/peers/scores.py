"""Made-up scored rows, the same for every program of the benchmarks.

What: chunks of score, label and amount drawn from a seed. `continuous` scores are practically all distinct, `tied`
ones are rounded to three decimals (at most 1001 values).
Why: peers must judge identical rows, and 10^8 of them must not have to be in memory while they are written.
Versions: numpy 2.4.
"""

import numpy as np

CHUNK = 1 << 20
KINDS = ("continuous", "tied")


def chunk(rows, kind, base_rate, seed, index):
    """One chunk; it depends on nothing but its arguments."""
    rng = np.random.default_rng([seed, index])
    label = (rng.random(rows) < base_rate).astype(np.uint8)
    margin = np.log(base_rate / (1 - base_rate)) + 1.5 * label + rng.standard_normal(rows)
    score = 1 / (1 + np.exp(-margin))
    if kind == "tied":
        score = np.round(score, 3)
    amount = np.round(rng.lognormal(5, 1, rows), 2)
    return score, label, amount


def chunks(rows, kind, base_rate, seed):
    """All chunks of a data set of `rows` rows."""
    for index, start in enumerate(range(0, rows, CHUNK)):
        yield chunk(min(CHUNK, rows - start), kind, base_rate, seed, index)


def add_arguments(parser):
    """The command-line arguments that describe a data set."""
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--kind", choices=KINDS, required=True)
    parser.add_argument("--base-rate", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=1)
