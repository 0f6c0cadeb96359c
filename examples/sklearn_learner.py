#!/usr/bin/env python3
"""Logistic regression by scikit-learn as a learner for Tribunal: the shortest example of a learner of your own.

    pip install scikit-learn pandas
    tribunal cross claims.csv --target fraud --positive yes --learner nb:5 \\
      --learner 'outside:python3 examples/sklearn_learner.py' -o held-out.parquet
"""

import json
import os
import pickle
import sys

import pandas
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

step, *files = sys.argv[1:]
with open(os.environ["TRIBUNAL_JOB"], encoding="utf-8") as file:
    job = json.load(file)


def read(path):
    texts = {column["name"]: object for column in job["columns"] if column["levels"]} | {job["target"]: object}
    return pandas.read_csv(path, dtype=texts, keep_default_na=False, na_values=[""])


if step == "fit":
    train, model = files
    table = read(train)
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    levels = make_pipeline(SimpleImputer(strategy="constant", fill_value="missing"), OneHotEncoder(handle_unknown="ignore"))
    columns = make_column_transformer(
        (numbers, make_column_selector(dtype_include="number")),
        (levels, make_column_selector(dtype_exclude="number")),
    )
    learner = make_pipeline(columns, LogisticRegression(max_iter=1000, random_state=job["seed"]))
    predictors = table[[column["name"] for column in job["columns"]]]
    weights = {"logisticregression__sample_weight": table[job["weight"]]} if job["weight"] else {}
    learner.fit(predictors, table[job["target"]], **weights)
    with open(model, "wb") as file:
        pickle.dump(learner, file)
elif step == "score":
    model, rows, scores = files
    with open(model, "rb") as file:
        learner = pickle.load(file)
    pandas.DataFrame(learner.predict_proba(read(rows)), columns=learner.classes_).to_csv(scores, index=False)
else:
    sys.exit(f"there is no step {step}")
