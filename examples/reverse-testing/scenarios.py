"""Scenarios: a labelled table that may be biased, a population, and how learners are compared there.

Everything that is drawn follows from the seed of the configuration and the name of the scenario. Kinds of bias (Fan and Davidson 2006,
and the audit of `tribunal select`):

- paper: the rows with the lowest values of the first attribute are dropped, a quarter of the labelled rows
- none: a quarter of the rows is dropped at random
- feature, feature_soft: rows at one end of a column are dropped, or are the less likely to stay
- class: rows of one class are dropped at random
- complete: the lowest values of a column within one class and the highest within the others
- dated: the labelled rows are earlier than the population
- half, half_paper: random halves, the labelled one as it is, or with `paper` by a column that is drawn
"""

import csv
import math
import random
from dataclasses import dataclass, field

LEAST_ROWS_OF_A_CLASS = 5
TRIES = 100


@dataclass
class Scenario:
    part: str
    set: str
    kind: str
    round: int
    priority: float
    learners: str | None
    with_audit: bool
    with_leave_one_out: bool
    options: dict = field(repr=False)

    @property
    def id(self):
        return f"{self.part}/{self.set}/{self.kind}/{self.round:03}"


@dataclass
class Table:
    columns: list
    rows: list
    target: int

    def classes(self, rows):
        return [row[self.target] for row in rows]

    def by_class(self, rows):
        found = {}
        for row in rows:
            found.setdefault(row[self.target], []).append(row)
        return dict(sorted(found.items()))

    def predictors(self, without=()):
        return [at for at in range(len(self.columns)) if at != self.target and self.columns[at] not in without]


def scenarios(config):
    """All of them, rounds of all parts in proportion."""
    found = []
    for name, part in config["parts"].items():
        for place, (set_name, kind) in enumerate((s, k) for s in part["sets"] for k in part["kinds"]):
            options = part | part.get("differently", {}).get(set_name, {})
            for n in range(options.get("most_rounds", options["rounds"])):
                every = lambda key: options[key] > 0 and (n + place) % options[key] == 0
                audit, leave_one_out = every("audit_every"), every("leave_one_out_every")
                priority = (n + 0.5) / options["rounds"]
                learners = options.get("learners")
                found.append(Scenario(name, set_name, kind, n, priority, learners, audit, leave_one_out, options))
    return sorted(found, key=lambda one: one.priority)


def read_table(config, name, data):
    """The table of a set with its target, and whether each row is of the later part."""
    about = config["sets"][name]
    with open(data / about["file"], newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    for column, value in about.get("missing", {}).items():
        at = header.index(column)
        for row in rows:
            row[at] = "" if row[at] == value else row[at]
    target = header.index(about["target"])
    if "at_least" in about:
        for row in rows:
            row[target] = "yes" if float(row[target]) >= about["at_least"] else "no"
    divide = about.get("divide", {})
    if "column" in divide:
        at = header.index(divide["column"])
        later = [row[at] == divide["later"] for row in rows]
    else:
        later = [at >= divide.get("first_rows", len(rows)) for at in range(len(rows))]
    keep = about.get("keep")
    extra = {about["target"], about.get("amount")}
    kept = [
        at for at, column in enumerate(header)
        if column not in about.get("drop", ()) and (keep is None or column in keep or column in extra)
    ]
    columns = [header[at] for at in kept]
    return Table(columns, [[row[at] for at in kept] for row in rows], columns.index(about["target"])), later


def draw(config, scenario, data):
    """The columns, the labelled rows, the population and what was drawn."""
    about, options = config["sets"][scenario.set], scenario.options
    table, later = read_table(config, scenario.set, data)
    for attempt in range(TRIES):
        dice = random.Random(f"{config['seed']} {scenario.id} {attempt}")
        train, population = divided(scenario, table, later, dice)
        train = sample(table, train, size(options.get("train"), dice), dice)
        population = sample(table, population, options.get("population"), dice)
        train, drawn = biased(scenario.kind, table, train, dice, about.get("amount"))
        counts = [len(rows) for rows in table.by_class(train).values()]
        everywhere = set(table.classes(table.rows)) == set(table.classes(train))
        if everywhere and min(counts) >= LEAST_ROWS_OF_A_CLASS:
            break
    else:
        raise ValueError(f"no draw leaves {LEAST_ROWS_OF_A_CLASS} rows of every class")
    columns = list(table.columns)
    if "copies" in about:
        name, times = about["copies"]["class"], about["copies"]["times"]
        copies = lambda row: int(times) + (dice.random() < times % 1) if row[table.target] == name else 1
        population = [row for row in population for _ in range(copies(row))]
        train = [row + [str(times if row[table.target] == name else 1)] for row in train]
        population = [row + ["1"] for row in population]
        columns.append("case_weight")
    return columns, train, population, drawn


def size(most, dice):
    return dice.randint(*most) if isinstance(most, list) else most


def divided(scenario, table, later, dice):
    """The labelled rows and the population, in the order of the table."""
    if scenario.kind == "dated":
        train = [row for row, is_later in zip(table.rows, later) if not is_later]
        population = [row for row, is_later in zip(table.rows, later) if is_later]
        if "train" not in scenario.options and scenario.round > 0:
            train = share(table, train, 0.8, dice)
        return train, population
    part = 0.5 if scenario.kind.startswith("half") else 2 / 3
    train = share(table, table.rows, part, dice)
    taken = {id(row) for row in train}
    return train, [row for row in table.rows if id(row) not in taken]


def share(table, rows, part, dice):
    """A share of the rows of each class, in the order of the table."""
    taken = set()
    for of_class in table.by_class(rows).values():
        taken.update(id(row) for row in dice.sample(of_class, round(part * len(of_class))))
    return [row for row in rows if id(row) in taken]


def sample(table, rows, most, dice):
    return rows if most is None or len(rows) <= most else share(table, rows, most / len(rows), dice)


def biased(kind, table, rows, dice, amount):
    """The rows that the bias leaves, and what was drawn."""
    predictors = table.predictors(without=(amount,))
    uniform = lambda low, high: round(dice.uniform(low, high), 3)
    if kind in ("paper", "half_paper"):
        column = predictors[0] if kind == "paper" else dice.choice(predictors)
        return without(rows, at_end(rows, column, 0.25, False)), {"column": table.columns[column]}
    if kind in ("dated", "half"):
        return rows, {}
    column, name = dice.choice(predictors), dice.choice(sorted(set(table.classes(rows))))
    if kind == "none":
        return without(rows, dice.sample(rows, len(rows) // 4)), {}
    if kind == "feature":
        fraction, high = uniform(0.2, 0.6), dice.random() < 0.5
        drawn = {"column": table.columns[column], "fraction": fraction, "side": "high" if high else "low"}
        return without(rows, at_end(rows, column, fraction, high)), drawn
    if kind == "feature_soft":
        beta = uniform(0.5, 3) * dice.choice((-1, 1))
        stays = lambda z: dice.random() < 1 / (1 + math.exp(-beta * z))
        kept = [row for row, z in zip(rows, standardised(rows, column)) if stays(z)]
        return kept, {"column": table.columns[column], "beta": beta}
    inside = [row for row in rows if row[table.target] == name]
    outside = [row for row in rows if row[table.target] != name]
    if kind == "class":
        fraction = uniform(0.3, 0.8)
        return without(rows, dice.sample(inside, int(fraction * len(inside)))), {"class": name, "fraction": fraction}
    if kind == "complete":
        fraction = uniform(0.2, 0.6)
        dropped = at_end(inside, column, fraction, False) + at_end(outside, column, fraction, True)
        return without(rows, dropped), {"column": table.columns[column], "class": name, "fraction": fraction}
    raise ValueError(f"no kind of bias is called {kind}")


def without(rows, dropped):
    dropped = {id(row) for row in dropped}
    return [row for row in rows if id(row) not in dropped]


def values(rows, column):
    """Numbers as they are, levels by their place in the alphabet; nothing where a value is missing."""
    texts = [row[column] for row in rows]
    try:
        return [float(text) if text else None for text in texts]
    except ValueError:
        levels = {level: place for place, level in enumerate(sorted(set(texts) - {""}))}
        return [levels.get(text) for text in texts]


def at_end(rows, column, fraction, high):
    """The rows with the lowest or highest values: floor(fraction n), stable; missing values are neither low nor high."""
    known = [(value, at) for at, value in enumerate(values(rows, column)) if value is not None]
    missing = [at for at, value in enumerate(values(rows, column)) if value is None]
    order = [at for _, at in sorted(known, reverse=high)] + missing
    return [rows[at] for at in order[: int(fraction * len(rows))]]


def standardised(rows, column):
    found = values(rows, column)
    known = [value for value in found if value is not None]
    mean = sum(known) / max(len(known), 1)
    deviation = math.sqrt(sum((value - mean) ** 2 for value in known) / max(len(known) - 1, 1))
    return [(value - mean) / deviation if value is not None and deviation > 0 else 0.0 for value in found]
