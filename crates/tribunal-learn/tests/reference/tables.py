"""Tables of every kind of column that learners meet, made by a formula that tests/it/learners/tables.rs repeats bit for bit.

What: each cell is a function of the seed, the number of its column, the row and the class, by additions, multiplications,
divisions, floors and comparisons of doubles alone, so that two languages agree on every bit and no table has to be stored.
The columns: zero-inflated, tied, saturated, continuous, with gaps, constant, nearly constant, and levels, few or many. The
class leans on half of the positive rows of each column. Negated and shifted copies change numbers only.
"""

import numpy as np

MASK = (1 << 64) - 1
# Name: (number of levels, or None for numbers; share of missing cells).
KINDS = {
    "zeros": (None, 0.0),
    "zeros with gaps": (None, 0.1),
    "heavy zeros": (None, 0.0),
    "ties": (None, 0.0),
    "saturated": (None, 0.0),
    "continuous": (None, 0.0),
    "fine": (None, 0.0),
    "gaps": (None, 0.2),
    "constant": (None, 0.0),
    "nearly constant": (None, 0.0),
    "flag": (2, 0.0),
    "colour": (4, 0.05),
    "many levels": (60, 0.0),
}
# Name: (seed, rows, share of positives, columns).
MIXED = [kind for kind in KINDS if kind != "fine"]
TABLES = {
    "zero-inflated": (1, 400, 0.4, ["zeros"] * 8),
    "zero-inflated with gaps": (2, 500, 0.3, ["zeros with gaps"] * 5 + ["zeros"] * 2 + ["gaps"]),
    "categorical": (3, 600, 0.4, ["colour", "flag", "zeros", "colour", "many levels", "ties", "zeros"]),
    "mixed": (4, 700, 0.35, MIXED),
    "rare class": (5, 1500, 0.03, MIXED),
    "saturated": (6, 500, 0.5, ["saturated"] * 4 + ["nearly constant"] * 3 + ["ties"]),
    "numbers": (7, 900, 0.4, ["continuous", "gaps", "zeros", "ties", "saturated", "zeros with gaps"]),
    "numbers without gaps": (9, 300, 0.4, ["continuous", "zeros", "ties", "continuous", "constant"]),
    "fine": (10, 400, 0.4, ["fine", "fine", "zeros", "fine"]),
    "spam": (8, 4601, 0.39, ["heavy zeros"] * 57),
}
SHIFT = 64.0


def uniform(seed, column, rows, draw):
    """Numbers from 0 to 1: the finaliser of splitmix64 of the four numbers."""
    with np.errstate(over="ignore"):
        key = (seed * 0x9E3779B97F4A7C15 + column * 0xD1B54A32D192ED03 + draw * 0x8CB92BA72F3D8DD7) & MASK
        z = np.uint64(key) + rows.astype(np.uint64) * np.uint64(0xAEF17502108EF2D9)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return ((z ^ (z >> np.uint64(31))) >> np.uint64(11)).astype(float) * 2.0**-53


def values(kind, seed, column, classes):
    """The numbers or codes of a column."""
    rows = np.arange(len(classes))
    u = [uniform(seed, column, rows, draw) for draw in range(3)]
    lean = np.where((classes == 1) & (u[0] < 0.5), 1.0, 0.0)
    # Either class has the longer tail in every other column.
    tail = 0.005 + 0.045 * ((classes + column) % 2)
    n_levels = KINDS[kind][0]
    if n_levels:
        return np.where((lean == 1.0) & (u[2] < 0.5), 0.0, np.floor(n_levels * u[1]))
    return {
        "zeros": lambda: np.where(u[1] < 0.75 - 0.3 * lean, 0.0, np.floor(400.0 * u[2] + 1.0) / 100.0),
        "zeros with gaps": lambda: np.where(u[1] < 0.75 - 0.3 * lean, 0.0, np.floor(400.0 * u[2] + 1.0) / 100.0),
        "heavy zeros": lambda: np.where(u[1] < 0.85 - 0.25 * lean, 0.0, np.floor(10.0 / (u[2] + tail)) / 100.0),
        "ties": lambda: np.floor(4.0 * u[1] + 2.0 * lean),
        "saturated": lambda: np.minimum(1.0, 0.4 + u[1] + 0.3 * lean),
        "continuous": lambda: u[1] + 0.4 * lean,
        "gaps": lambda: u[1] + 0.4 * lean,
        # Neighbours differ by 1e-5, which is where trees stop telling numbers apart.
        "fine": lambda: np.floor(900.0 * u[1] + 300.0 * lean) / 100000.0 + 1.5,
        "constant": lambda: np.full(len(rows), 3.5),
        "nearly constant": lambda: np.where(u[1] < 0.02 + 0.06 * lean, 1.0, 0.0),
    }[kind]()


def classes_of(seed, n_rows, share):
    """The class of each row; the first two rows have one of each."""
    classes = (uniform(seed, 1000, np.arange(n_rows), 0) < share).astype(int)
    classes[:2] = [0, 1]
    return classes


def table(name, copy="plain"):
    """The columns, each (kind, numbers or codes with NaN where missing), and the classes."""
    seed, n_rows, share, kinds = TABLES[name]
    return made(seed, n_rows, share, kinds, copy)


def made(seed, n_rows, share, kinds, copy="plain"):
    """A table with a seed of its own."""
    classes, columns = classes_of(seed, n_rows, share), []
    for idx, kind in enumerate(kinds):
        found = values(kind, seed, idx, classes)
        if KINDS[kind][0] is None:
            found = {"plain": found, "negated": -found, "shifted": found + SHIFT}[copy]
        found[uniform(seed, idx, np.arange(n_rows), 3) < KINDS[kind][1]] = np.nan
        columns.append((kind, found))
    return columns, classes


def arff(columns, classes):
    """The table as WEKA reads it."""
    levels = lambda kind: KINDS[kind][0]
    declared = lambda n: "numeric" if n is None else "{" + ",".join(f"l{level}" for level in range(n)) + "}"
    cell = lambda n, value: "?" if np.isnan(value) else repr(float(value)) if n is None else f"l{int(value)}"
    header = [f"@attribute x{idx} {declared(levels(kind))}" for idx, (kind, _) in enumerate(columns)]
    texts = [[cell(levels(kind), value) for value in found] for kind, found in columns]
    rows = [",".join([*row, f"c{label}"]) for *row, label in zip(*texts, classes)]
    return "\n".join(["@relation r", *header, "@attribute y {c0,c1}", "@data", *rows]) + "\n"
