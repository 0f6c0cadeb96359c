"""Time pandas and polars reading a CSV file of claims and coding its categories.

What: `read_csv`, then every column of texts turned into codes of categories; the file has the shape of the vehicle
claims that insurers' tutorials use, 15,420 rows and 33 columns, and is made first if it is missing. Prints one JSON
line a peer with wall and CPU seconds, the best of several runs, imports not counted. Tried and slower for pandas:
`dtype="category"` in `read_csv`, `engine="pyarrow"` on a file this small, `pd.factorize` column by column.

    python dataset.py FILE [--repeat 30]
"""

import argparse
import json
import os
import random
import time
from pathlib import Path

import pandas as pd
import polars as pl

LEVELS = {
    "Month": ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
    "DayOfWeek": ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    "Make": ["Honda", "Toyota", "Ford", "Mazda", "Chevrolet", "Pontiac", "Accura", "Dodge", "Mercury", "Jaguar"],
    "Area": ["Urban", "Rural"],
    "Sex": ["Female", "Male"],
    "MaritalStatus": ["Single", "Married", "Widow", "Divorced"],
    "Fault": ["Policy Holder", "Third Party"],
    "PolicyType": ["Sport - Liability", "Sport - Collision", "Sedan - Liability", "Utility - All Perils"],
    "VehicleCategory": ["Sport", "Utility", "Sedan"],
    "VehiclePrice": ["less than 20000", "20000 to 29000", "30000 to 39000", "40000 to 59000", "more than 69000"],
    "DaysPolicy": ["none", "1 to 7", "8 to 15", "15 to 30", "more than 30"],
    "PastClaims": ["none", "1", "2 to 4", "more than 4"],
    "AgeOfVehicle": ["new", "2 years", "3 years", "4 years", "5 years", "6 years", "7 years", "more than 7"],
    "AgeOfHolder": ["16 to 17", "18 to 20", "21 to 25", "26 to 30", "31 to 35", "36 to 40", "41 to 50", "over 65"],
    "PoliceReport": ["No", "Yes"],
    "Witness": ["No", "Yes"],
    "AgentType": ["External", "Internal"],
    "Supplements": ["none", "1 to 2", "3 to 5", "more than 5"],
    "AddressChange": ["no change", "under 6 months", "1 year", "2 to 3 years", "4 to 8 years"],
    "Cars": ["1 vehicle", "2 vehicles", "3 to 4", "5 to 8", "more than 8"],
    "BasePolicy": ["Liability", "Collision", "All Perils"],
    "MonthClaimed": ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
    "DayClaimed": ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    "DaysClaim": ["none", "8 to 15", "15 to 30", "more than 30"],
}
NUMBERS = {
    "WeekOfMonth": (1, 5), "WeekClaimed": (1, 5), "Age": (0, 80), "Fraud": (0, 1), "RepNumber": (1, 16),
    "Deductible": (300, 700), "DriverRating": (1, 4), "Year": (1994, 1996),
}


def make(path, rows=15420, seed=1):
    """A file of the shape of the vehicle claims."""
    rng = random.Random(seed)
    names = [*LEVELS, *NUMBERS, "PolicyNumber"]
    with open(path, "w", encoding="utf-8") as out:
        out.write(",".join(names) + "\n")
        for row in range(rows):
            cells = [rng.choice(levels) for levels in LEVELS.values()]
            cells += [str(rng.randint(*ends)) for ends in NUMBERS.values()]
            out.write(",".join([*cells, str(row + 1)]) + "\n")


def with_pandas(path):
    frame = pd.read_csv(path, keep_default_na=False, na_values=[""])
    texts = frame.select_dtypes(include=["object", "string"]).columns
    codes = {name: frame[name].astype("category") for name in texts}
    encoded = frame.assign(**{name: column.cat.codes for name, column in codes.items()})
    return len(encoded), sum(len(column.cat.categories) for column in codes.values())


def with_polars(path):
    frame = pl.read_csv(path)
    texts = [name for name, kind in frame.schema.items() if kind == pl.String]
    encoded = frame.with_columns(pl.col(texts).cast(pl.Categorical).to_physical())
    return len(encoded), sum(encoded[name].n_unique() for name in texts)


def best(peer, run, repeat):
    wall = cpu = float("inf")
    for _ in range(repeat):
        started, cpu_started = time.perf_counter(), time.process_time()
        rows, levels = run()
        wall, cpu = min(wall, time.perf_counter() - started), min(cpu, time.process_time() - cpu_started)
    print(json.dumps({"peer": peer, "wall": wall, "cpu": cpu, "rows": rows, "levels": levels}), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--repeat", type=int, default=30)
    args = parser.parse_args()
    if not args.file.exists():
        os.makedirs(args.file.parent, exist_ok=True)
        make(args.file)
    best("pandas", lambda: with_pandas(args.file), args.repeat)
    best("polars", lambda: with_polars(args.file), args.repeat)


if __name__ == "__main__":
    main()
