#!/usr/bin/env python3
"""Gradient boosting by LightGBM as a learner for Tribunal.

    pip install lightgbm pandas
    tribunal cross claims.csv --target fraud --positive yes --learner tan:25 \\
      --learner 'outside:python3 examples/lightgbm_learner.py --trees 200 --rate 0.05' -o held-out.parquet

Tribunal calls it with `fit TRAIN MODEL`, `score MODEL ROWS SCORES` or `explain MODEL` behind these options. Levels stay
categories, missing values stay missing, weights count, the seed is Tribunal's. With format=arrow, pyarrow is needed too.
"""

import argparse
import json
import os

import lightgbm
import pandas


def read(path, job):
    """A table as the job describes it: levels as categories in a fixed order, anything else as numbers."""
    levels = {column["name"]: column["levels"] for column in job["columns"] if column["levels"]}
    if job["format"] == "arrow":
        table = pandas.read_feather(path)
    else:
        texts = dict.fromkeys([*levels, job["target"]], str)
        # Only an empty field is missing: "NA" may be a level.
        table = pandas.read_csv(path, dtype=texts, keep_default_na=False, na_values=[""])
    for name, known in levels.items():
        table[name] = pandas.Categorical(table[name], categories=known)
    return table


def predictors(table, job):
    return table[[column["name"] for column in job["columns"]]]


def fit(job, options):
    table = read(job["train"], job)
    is_binary = len(job["classes"]) == 2
    settings = {
        "objective": "binary" if is_binary else "multiclass",
        "learning_rate": options.rate,
        "num_leaves": options.leaves,
        "seed": job["seed"],
        "deterministic": True,
        "force_row_wise": True,
        "verbosity": -1,
    }
    if not is_binary:
        settings["num_class"] = len(job["classes"])
    codes = table[job["target"]].map({name: code for code, name in enumerate(job["classes"])})
    weight = table[job["weight"]] if job["weight"] else None
    # LightGBM has no place for some signs in names, so columns go by their number.
    data = predictors(table, job).set_axis([f"c{idx}" for idx in range(len(job["columns"]))], axis=1)
    booster = lightgbm.train(settings, lightgbm.Dataset(data, codes, weight=weight), num_boost_round=options.trees)
    booster.save_model(job["model"])


def score(job):
    booster = lightgbm.Booster(model_file=job["model"])
    data = predictors(read(job["rows"], job), job).set_axis([f"c{idx}" for idx in range(len(job["columns"]))], axis=1)
    found = booster.predict(data)
    names = job["classes"] if found.ndim == 2 else ["score"]
    pandas.DataFrame(found, columns=names).to_csv(job["scores"], index=False)


def explain(job):
    booster = lightgbm.Booster(model_file=job["model"])
    gains = booster.feature_importance("gain")
    total = gains.sum() or 1.0
    names = [column["name"] for column in job["columns"]]
    print(f"{booster.num_trees()} trees; share of the gain of each column:")
    for gain, name in sorted(zip(gains, names), key=lambda pair: (-pair[0], pair[1])):
        print(f"  {gain / total:6.1%}  {name}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--leaves", type=int, default=15)
    parser.add_argument("--rate", type=float, default=0.1)
    parser.add_argument("step", choices=["fit", "score", "explain"])
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    # The job names the files too, so that they need not be told apart by their order.
    with open(os.environ["TRIBUNAL_JOB"], encoding="utf-8") as file:
        job = json.load(file)
    if options.step == "fit":
        fit(job, options)
    elif options.step == "score":
        score(job)
    else:
        explain(job)


main()
