"""Write a file of scored rows: score (double), label (0/1), amount (double).

What: Parquet with pyarrow's defaults, or CSV by the ending of the name. CSV holds the shortest digits that give the
score back (up to 17), and amounts with two decimals.
Why: every program of the benchmarks reads the same rows. Written chunk by chunk: 10^8 rows need little memory.
Versions: numpy 2.4, pyarrow 26.

    python make_file.py --rows 1000000 --kind continuous --base-rate 0.1 --seed 1 -o scored.parquet
"""

import argparse
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

import scores

SCHEMA = pa.schema([("score", pa.float64()), ("label", pa.int64()), ("amount", pa.float64())])
CSV_SCHEMA = SCHEMA.set(2, pa.field("amount", pa.decimal128(18, 2)))


def open_writer(path):
    """Writer and the schema of what it takes, by the ending of the file's name."""
    if path.suffix == ".parquet":
        return pq.ParquetWriter(path, SCHEMA), SCHEMA
    if path.suffix == ".csv":
        options = pa_csv.WriteOptions(quoting_style="none", quoting_header="none")
        return pa_csv.CSVWriter(path, CSV_SCHEMA, write_options=options), CSV_SCHEMA
    raise SystemExit(f"{path.name}: the name must end in .parquet or .csv")


def write(path, rows, kind, base_rate, seed):
    """Write the whole file."""
    writer, schema = open_writer(path)
    with writer:
        for score, label, amount in scores.chunks(rows, kind, base_rate, seed):
            table = pa.table({"score": score, "label": label, "amount": amount})
            writer.write_table(table.cast(schema))


def main():
    """Command line."""
    parser = argparse.ArgumentParser(description="Write a file of scored rows.")
    scores.add_arguments(parser)
    parser.add_argument("-o", "--output", type=Path, required=True)
    args = parser.parse_args()
    write(args.output, args.rows, args.kind, args.base_rate, args.seed)


if __name__ == "__main__":
    main()
