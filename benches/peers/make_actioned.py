"""Writes a population with scores and the cases of it that were acted on: make_actioned.py ROWS ACTIONED FOLDER."""

import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

n_rows, n_actioned, folder = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
random = np.random.default_rng(1)
folder.mkdir(parents=True, exist_ok=True)
pq.write_table(pa.table({"score": random.random(n_rows)}), folder / "prevalence.parquet")
score = np.sqrt(random.random(n_actioned))
hit = np.where(random.random(n_actioned) < 0.05 + 0.5 * score * score, "yes", "no")
pq.write_table(pa.table({"score": score, "hit": hit}), folder / "incidence.parquet")
