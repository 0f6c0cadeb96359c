"""Reference values for boosted trees: scikit-learn's HistGradientBoostingClassifier.

What: written to boost.json beside this file; the tests read that and need no Python. Rows are made by a formula that the
tests compute too (`number`, `is_positive`, `weight`). Columns have thirty values at most, so that both programs cut them
alike, and the settings are the same: depth, number of trees, rate, l2, least hessian of a leaf.
- `probabilities`: of the first held-out rows. `log_loss`, `auroc`: of all held-out rows.
Why: trees that agree split by split give the same probabilities but for rounding; where two splits gain nearly the same,
programs may choose differently, and all later trees follow.
Made with Python 3.11, numpy 2.4, scikit-learn 1.9.1.

    python make_boost_reference.py
"""

import json
import math
from pathlib import Path

import numpy as np
import sklearn
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import log_loss, roc_auc_score

N_TRAINED, N_HELD_OUT, N_COLUMNS, N_SHOWN = 2000, 1000, 6, 100
CASES = [
    {"learner": "boost:trees=10,depth=3,min_hessian=0.001", "trees": 10, "depth": 3, "l2": 1.0, "weighted": False},
    {"learner": "boost:trees=100,depth=3,min_hessian=0.001", "trees": 100, "depth": 3, "l2": 1.0, "weighted": False},
    {"learner": "boost:trees=100,depth=4,l2=10,min_hessian=0.001", "trees": 100, "depth": 4, "l2": 10.0, "weighted": True},
]


def scramble(row, column):
    state = (row * 2654435761 + column * 40503 + 12345) % 2**32
    for _ in range(2):
        state = (state ^ (state >> 16)) * 0x45D9F3B % 2**32
    return state ^ (state >> 16)


def number(row, column):
    state = scramble(row, column)
    return math.nan if column >= 3 and state // 30 % 11 == 0 else float(state % 30)


def is_positive(row):
    x = [number(row, column) for column in range(N_COLUMNS)]
    logit = 0.15 * (x[0] - 18.0) + (2.0 if x[1] > 15.0 and x[2] < 10.0 else 0.0)
    logit += 1.0 if math.isnan(x[3]) else -0.05 * x[3]
    return scramble(row, 99) / 2**32 < 1.0 / (1.0 + math.exp(-logit))


def weight(row):
    return 0.5 + scramble(row, 77) % 4


def case(settings):
    rows = range(N_TRAINED + N_HELD_OUT)
    x = np.array([[number(row, column) for column in range(N_COLUMNS)] for row in rows])
    y = np.array([is_positive(row) for row in rows])
    w = np.array([weight(row) for row in rows]) if settings["weighted"] else None
    model = HistGradientBoostingClassifier(
        max_iter=settings["trees"],
        max_depth=settings["depth"],
        l2_regularization=settings["l2"],
        learning_rate=0.1,
        max_leaf_nodes=None,
        min_samples_leaf=1,
        early_stopping=False,
    )
    model.fit(x[:N_TRAINED], y[:N_TRAINED], sample_weight=None if w is None else w[:N_TRAINED])
    found = model.predict_proba(x[N_TRAINED:])[:, 1]
    held_out = y[N_TRAINED:]
    return {
        "learner": settings["learner"],
        "weighted": settings["weighted"],
        "log_loss": log_loss(held_out, found),
        "auroc": roc_auc_score(held_out, found),
        "probabilities": [float(f"{p:.9g}") for p in found[:N_SHOWN]],
    }


reference = {"made_with": f"scikit-learn {sklearn.__version__}", "cases": [case(settings) for settings in CASES]}
Path(__file__).with_name("boost.json").write_text(json.dumps(reference, indent=1) + "\n")
for found in reference["cases"]:
    print(found["learner"], found["log_loss"], found["auroc"])
