"""Judge the scores in the journal of a study once more, with scikit-learn and scipy.

What: reads the journal of a run, and the plans of the same seed as `tribunal split` writes them, and computes from the
scores alone: PCC and AUROC of every split, the ROC curves averaged at a hundred places with the hull of each family, and
the .632 and .632+ estimates. Prints the largest differences from results.json and fails where one is too large.
Why: none of it is taken from the code that made the results. For the commands:

    tribunal generate claims --seed 7 -o claims.csv
    study="--schema claims --target 4+"
    tribunal study claims.csv $study --learners 'nb:5;nb:25;logit;c45' --design cv:5 --design bootstrap:50 --run run
    tribunal split claims.csv $study --design cv:5 --seed 1 -o cv.csv
    tribunal split claims.csv $study --design bootstrap:50 --seed 1 -o bootstrap.csv
    python check_scores.py run cv.csv bootstrap.csv

Checked with scikit-learn 1.9.1, scipy 1.17.1 and numpy 2.4.6.
"""

import base64
import csv
import json
import sys
from pathlib import Path

import numpy as np
from scipy.spatial import ConvexHull
from sklearn.metrics import accuracy_score, roc_auc_score, roc_curve

GRID = np.linspace(0, 1, 100)
WORST = {}


def close(name, found, expected, tolerance=1e-9):
    """Notes how far two figures are apart."""
    WORST[name] = max(WORST.get(name, 0.0), abs(found - expected))
    assert abs(found - expected) <= tolerance, (name, found, expected)


def scores_of(held):
    """The scores of a record, from their bytes."""
    return np.frombuffer(base64.b64decode(held["Ok"]["scores"]), "<f8")


def curve(truth, scores):
    """The ROC curve at a hundred places: the highest point where it rises straight up."""
    fpr, tpr, _ = roc_curve(truth, scores, drop_intermediate=False)
    last = np.searchsorted(fpr, GRID, side="right") - 1
    after = np.minimum(last + 1, len(fpr) - 1)
    width = np.where(fpr[after] > fpr[last], fpr[after] - fpr[last], 1.0)
    return tpr[last] + (tpr[after] - tpr[last]) * (GRID - fpr[last]) / width


def hull_area(curves):
    """The area under the upper hull of curves and the corners."""
    points = np.array([(x, y) for heights in curves for x, y in zip(GRID, heights)] + [(0, 0), (1, 1), (1, 0)])
    return ConvexHull(points).volume


def estimates(train, left_out, without):
    """Efron 1983; Efron and Tibshirani 1997."""
    left = min(left_out, without)
    over = (left - train) / (without - train) if left > train and without > train else 0.0
    weight = 0.632 / (1 - 0.368 * over)
    return {".632": 0.368 * train + 0.632 * left_out, ".632+": (1 - weight) * train + weight * left}


def main():
    run = Path(sys.argv[1])
    study = json.loads((run / "results.json").read_text())
    rows = [list(csv.DictReader(open(file, newline=""))) for file in sys.argv[2:4]]
    truth = np.array([float(row["score"]) >= 4 for row in rows[0]])
    folds = np.array([int(row["fold"]) for row in rows[0]])
    n_draws = sum(name.startswith("draws_") for name in rows[1][0])
    never = [np.array([row[f"draws_{b + 1}"] == "0" for row in rows[1]]) for b in range(n_draws)]
    tested = [[np.flatnonzero(folds == fold) for fold in range(folds.max() + 1)], [np.flatnonzero(out) for out in never]]
    splits, whole = {}, {}
    for line in (run / "journal").read_text().splitlines():
        kind, record = next(iter(json.loads(line[17:]).items()))
        if kind == "split":
            place = record["place"]
            splits[place["design"], place["learner"], record["split"]] = scores_of(record["held"])
        if kind == "whole":
            whole[record["learner"]] = scores_of({"Ok": record["whole"]["Ok"]["held"]})
    figure = {(row["model"], row["metric"], row["fold"]): row["estimate"] for row in study["figures"]}
    designs = {(row["learner"], row["metric"], row["design"]): row["estimate"] for row in study["designs"]}
    averaged = {row["model"]: row for row in study["curves"][0]["averaged"]}
    for idx, learner in enumerate(study["learners"]):
        name = learner["learner"]
        for fold, held in enumerate(tested[0]):
            scores = splits[0, idx, fold]
            close("AUROC", figure[name, "auroc", str(fold)], roc_auc_score(truth[held], scores))
            close("PCC", figure[name, "pcc", str(fold)], accuracy_score(truth[held], scores >= 0.5))
        mean = np.mean([curve(truth[held], splits[0, idx, fold]) for fold, held in enumerate(tested[0])], axis=0)
        learner["curve"] = mean
        close("averaged curve", np.abs(mean - averaged[name]["tpr"]).max(), 0.0)
        aurocs = [roc_auc_score(truth[out], splits[1, idx, b]) for b, out in enumerate(tested[1])]
        seen = roc_auc_score(truth, whole[idx])
        for design, error in estimates(1 - seen, 1 - np.mean(aurocs), 0.5).items():
            close("AUROC .632", designs[name, "auroc", design], 1 - error)
        wrong, times = np.zeros(len(truth)), np.zeros(len(truth))
        for b, out in enumerate(tested[1]):
            wrong[out] += (splits[1, idx, b] >= 0.5) != truth[out]
            times[out] += 1
        said = whole[idx] >= 0.5
        without = truth.mean() * (1 - said.mean()) + (1 - truth.mean()) * said.mean()
        left_out = np.mean(wrong[times > 0] / times[times > 0])
        for design, error in estimates(np.mean(said != truth), left_out, without).items():
            close("PCC .632", designs[name, "pcc", design], 1 - error)
    for family in study["curves"][0]["families"]:
        curves = [learner["curve"] for learner in study["learners"] if learner["family"] == family["family"]]
        close("hull of a family", family["area"], hull_area(curves))
    close("joint hull", study["curves"][0]["joint"]["area"], hull_area([one["curve"] for one in study["learners"]]))
    print(f"largest differences: {WORST}")


if __name__ == "__main__":
    main()
