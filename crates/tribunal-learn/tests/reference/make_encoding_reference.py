"""Reference values for columns as numbers: scikit-learn's imputation, indicators and standardisation.

What: a small table with a number, a category and a flag, all with missing values; fitted on its first twelve rows and
applied to all. Written to encoding.json beside this file; the tests need no Python. scikit-learn divides squares by n,
this project by n - 1, so the standardised values are scaled by the root of (n - 1) / n. Made with Python 3.11 and
scikit-learn 1.9.1.

    python make_encoding_reference.py
"""

import json
import math
import random
from pathlib import Path

import numpy as np
import sklearn
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

ROWS, TRAINING = 20, 12


def main():
    rng = random.Random(3)
    some = lambda value: None if rng.random() < 0.2 else value
    number = [some(round(rng.gauss(40, 12), 3)) for _ in range(ROWS)]
    colour = [some(rng.choice([0, 1, 2])) for _ in range(ROWS)]
    flag = [some(rng.choice([0, 1])) for _ in range(ROWS)]
    table = np.array([[np.nan if v is None else float(v) for v in column] for column in (number, colour, flag)]).T
    steps = ColumnTransformer([
        ("number", SimpleImputer(strategy="mean"), [0]),
        ("colour", make_pipeline(SimpleImputer(strategy="most_frequent"),
                                 OneHotEncoder(drop="first", sparse_output=False)), [1]),
        ("flag", SimpleImputer(strategy="most_frequent"), [2]),
    ])
    training = steps.fit_transform(table[:TRAINING])
    scaler = StandardScaler().fit(training)
    encoded = scaler.transform(steps.transform(table)) * math.sqrt((TRAINING - 1) / TRAINING)
    reference = {
        "made_with": {"scikit-learn": sklearn.__version__},
        "number": number, "colour": colour, "flag": flag, "training": TRAINING,
        "encoded": encoded.T.tolist(),
    }
    Path(__file__).with_name("encoding.json").write_text(json.dumps(reference) + "\n")


if __name__ == "__main__":
    main()
