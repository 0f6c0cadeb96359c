"""Writes the recorded score populations of tests/coverage/populations.

Each table holds, for a random sample of the rows of a public data set, the class and what two learners said of the row out of
fold: ten-fold cross-validation by `tribunal cross`, columns that identify a row or are known only after the outcome left out.
Scores have six significant digits. The data sets themselves are not part of the project:

    bank        Bank Marketing (Moro, Cortez, Rita), without `duration`
    caravan     CoIL Challenge 2000, caravan policies (van der Putten)
    carclaims   vehicle insurance claims 1994-96 (Angoss KnowledgeSeeker), without `PolicyNumber`
    donor       KDD Cup 1998, all donors and a part of the others, without `ID` and `Donation.Amount`

    python make_populations.py TRIBUNAL DATA_FOLDER
"""

import csv
import random
import subprocess
import sys
import tempfile
from pathlib import Path

SETS = {
    "bank": ("bank_full.csv", "y", "yes", ["duration"]),
    "caravan": ("caravan_ticdata.csv", "CARAVAN", "insurance", []),
    "carclaims": ("carclaims.csv", "FraudFound_P", "1", ["PolicyNumber"]),
    "donor": ("donor_kdd98_subset.csv", "Donate", "Yes", ["ID", "Donation.Amount"]),
}
N_ROWS = 3000
LEARNERS = ["logit:l2=1", "nb"]
OUT = Path(__file__).parent.parent / "coverage" / "populations"


def held_out(tribunal, data, target, positive, ignored):
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "scores.csv"
        command = [tribunal, "cross", str(data), "--target", target, "--positive", positive, "--seed", "1"]
        for learner in LEARNERS:
            command += ["--learner", learner]
        for column in ignored:
            command += ["--kind", f"{column}=ignore"]
        subprocess.run(command + ["--quiet", "-o", str(out)], check=True)
        with out.open(newline="") as file:
            return list(csv.DictReader(file))


def main():
    tribunal, data = sys.argv[1], Path(sys.argv[2])
    OUT.mkdir(exist_ok=True)
    for name, (file, target, positive, ignored) in SETS.items():
        rows = held_out(tribunal, data / file, target, positive, ignored)
        rows = random.Random(1).sample(rows, N_ROWS)
        with (OUT / f"{name}.csv").open("w", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(["positive", "logit", "naive_bayes"])
            for row in rows:
                scores = [format(float(row[learner]), ".6g") for learner in LEARNERS]
                writer.writerow([int(row[target] == positive), *scores])


if __name__ == "__main__":
    main()
