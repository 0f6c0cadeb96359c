"""Check the golden values of the metric definitions against scikit-learn and the brute-force code.

What: the hand-made lists "Table 5.6", "TIED" and "Q" with the numbers printed in the definitions.
Why: the printed numbers and the reference file must tell the same story; a disagreement stops the writing.
Versions: as in make_reference.py. Printed numbers are compared to half a unit of their last digit.
"""

import math

import numpy as np
from sklearn import metrics

import brute_force as bf

TABLE_5_6 = {
    "truth": [1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1],
    "score": [0.95, 0.93, 0.93, 0.88, 0.86, 0.85, 0.82, 0.80, 0.80, 0.79, 0.77, 0.76, 0.73, 0.65, 0.63, 0.58, 0.56,
              0.49, 0.48],
}  # fmt: skip
TIED = {
    "truth": [1, 1, 0, 1, 0, 1, 0, 0, 1, 0],
    "score": [0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1],
}
Q = {
    "truth": [0, 1, 1, 0, 1, 0, 1, 0],
    "score": [0.2, 0.9, 0.7, 0.6, 0.5, 0.4, 0.3, 0.1],
}


def same(what, computed, printed, tolerance=6e-10):
    """Raise if a printed value is not the computed one."""
    computed, printed = np.atleast_1d(computed).astype(float), np.atleast_1d(printed).astype(float)
    if computed.shape != printed.shape or np.abs(computed - printed).max() > tolerance:
        raise AssertionError(f"{what}: computed {computed.tolist()}, printed {printed.tolist()}")


def rows(case):
    """Plain lists with weights of one."""
    return case["truth"], case["score"], [1.0] * len(case["truth"])


def area(points):
    """Trapezoid under points."""
    return float(sum((x1 - x0) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in zip(points, points[1:])))


def check_ranking(name, case, auroc, auroc_100):
    """AUROC three ways."""
    same(f"{name} auroc", metrics.roc_auc_score(case["truth"], case["score"]), auroc)
    same(f"{name} trapezoid", area(bf.exact_roc(*rows(case))), auroc)
    same(f"{name} auroc_100", bf.auroc_100(*rows(case)), auroc_100)


def check_precision(name, case, ap, three_point, eleven_point):
    """Average precision and its interpolated forms."""
    precision, recall, _ = metrics.precision_recall_curve(case["truth"], case["score"])
    precision, recall = precision[:-1], recall[:-1]
    same(f"{name} AP", metrics.average_precision_score(case["truth"], case["score"]), ap)
    same(f"{name} 3-point", bf.mean_interpolated_precision(precision, recall, (0.2, 0.5, 0.8)), three_point)
    same(f"{name} 11-point", bf.mean_interpolated_precision(precision, recall, [i / 10 for i in range(11)]), eleven_point)


def check_hull(name, points, hull, hull_area):
    """Vertices and area of a hull."""
    found = bf.upper_hull(points)
    same(f"{name} hull", np.array(found, dtype=float), np.array(hull, dtype=float))
    same(f"{name} hull area", area(found), hull_area)


def check_captured(name, case, printed):
    """CPH at the usual depths."""
    same(f"{name} CPH", [bf.captured_share(*rows(case), d) for d in (0.05, 0.1, 0.25, 0.5)], printed)


def check_confusion():
    """Table 5.6 cut at 0.75."""
    truth, predicted = TABLE_5_6["truth"], [int(s >= 0.75) for s in TABLE_5_6["score"]]
    tn, fp, fn, tp = metrics.confusion_matrix(truth, predicted).ravel()
    same("confusion", [tp, fp, fn, tn], [9, 3, 4, 3])
    sensitivity, specificity = metrics.recall_score(truth, predicted), metrics.recall_score(truth, predicted, pos_label=0)
    same(
        "measures at .75",
        [
            metrics.accuracy_score(truth, predicted), sensitivity, specificity,
            metrics.precision_score(truth, predicted), metrics.precision_score(truth, predicted, pos_label=0),
            metrics.f1_score(truth, predicted), metrics.fbeta_score(truth, predicted, beta=2),
            metrics.matthews_corrcoef(truth, predicted), metrics.cohen_kappa_score(truth, predicted),
            metrics.balanced_accuracy_score(truth, predicted), math.sqrt(sensitivity * specificity),
        ],
        [0.631578947, 0.692307692, 0.5, 0.75, 0.428571429, 0.72, 0.703125, 0.185312329, 0.184049080, 0.596153846,
         0.588348405],
    )  # fmt: skip


RANK_TABLE = """
1 1.000000 3.000000 0.02 1.461538 0.076923
2 1.000000 3.000000 0.04 1.461538 0.153846
2 0.666667 2.000000 0.04 0.974359 0.153846
3 0.750000 2.250000 0.06 1.096154 0.230769
4 0.800000 2.400000 0.08 1.169231 0.307692
5 0.833333 2.500000 0.10 1.217949 0.384615
6 0.857143 2.571429 0.12 1.252747 0.461538
7 0.875000 2.625000 0.14 1.278846 0.538462
7 0.777778 2.333333 0.14 1.136752 0.538462
8 0.800000 2.400000 0.16 1.169231 0.615385
8 0.727273 2.181818 0.16 1.062937 0.615385
9 0.750000 2.250000 0.18 1.096154 0.692308
10 0.769231 2.307692 0.20 1.124260 0.769231
10 0.714286 2.142857 0.20 1.043956 0.769231
11 0.733333 2.200000 0.22 1.071795 0.846154
11 0.687500 2.062500 0.22 1.004808 0.846154
12 0.705882 2.117647 0.24 1.031674 0.923077
12 0.666667 2.000000 0.24 0.974359 0.923077
13 0.684211 2.052632 0.26 1.000000 1.000000
"""


def check_rank_table():
    """The table by rank in printed order: hits, success, lift and CPH of 50, lift and CPH within the 19."""
    for k, line in enumerate(RANK_TABLE.split("\n")[1:-1], start=1):
        hits = sum(TABLE_5_6["truth"][:k])
        computed = [hits, hits / k, hits / k / (50 / 150), hits / 50, hits / k / (13 / 19), hits / 13]
        same(f"rank {k}", computed, [float(x) for x in line.split()], tolerance=6e-7)


def check_table_5_6():
    """Section 12.1."""
    check_rank_table()
    points = bf.exact_roc(*rows(TABLE_5_6))
    same("number of ROC points", len(points), 18)
    same("second and third point", np.array(points[1:3], dtype=float), [[0, 0.076923], [0.166667, 0.153846]], 6e-7)
    check_ranking("table 5.6", TABLE_5_6, 49 / 78, 0.629370629371)
    check_precision("table 5.6", TABLE_5_6, 0.779044432057, 0.796825397, 0.811020765)
    check_hull("table 5.6", points, [(0, 0), (0, 1 / 13), (1 / 6, 6 / 13), (1 / 2, 10 / 13), (1, 1)], 0.692307692308)
    check_captured("table 5.6", TABLE_5_6, [0.073076923, 0.111538462, 0.288461538, 0.576923077])
    check_confusion()


def delong_variance(truth, score):
    """Placements and variance of DeLong, by double loops."""
    positive = [s for t, s in zip(truth, score) if t == 1]
    negative = [s for t, s in zip(truth, score) if t == 0]
    psi = np.array([[1.0 if p > n else 0.5 if p == n else 0.0 for n in negative] for p in positive])
    v10, v01 = psi.mean(axis=1), psi.mean(axis=0)
    return v10, v01, v10.var(ddof=1) / len(v10) + v01.var(ddof=1) / len(v01)


def hanley_mcneil(a, p, m):
    """Standard error of an AUROC."""
    q1, q2 = a / (2 - a), 2 * a * a / (1 + a)
    return math.sqrt((a * (1 - a) + (p - 1) * (q1 - a * a) + (m - 1) * (q2 - a * a)) / (p * m))


def check_tied():
    """Section 12.2."""
    points = bf.exact_roc(*rows(TIED))
    expected = [(0, 0), (0, 0.2), (0.2, 0.4), (0.2, 0.6), (0.6, 0.8), (0.8, 0.8), (0.8, 1), (1, 1)]
    same("tied ROC", np.array(points, dtype=float), expected)
    check_ranking("tied", TIED, 0.7, 0.699989796959)
    check_precision("tied", TIED, 0.708730159, 0.773809524, 0.750360750)
    check_hull("tied", points, [(0, 0), (0, 0.2), (0.2, 0.6), (0.8, 1), (1, 1)], 0.76)
    check_captured("tied", TIED, [0.1, 0.2, 0.35, 0.666666667])
    same("tied Brier", metrics.brier_score_loss(TIED["truth"], TIED["score"]), 0.232)
    same("tied log loss", metrics.log_loss(TIED["truth"], TIED["score"]), 0.645818295)
    v10, v01, variance = delong_variance(**TIED)
    same("placements", [*v10, *sorted(v01)], [1, 0.9, 0.8, 0.6, 0.2, 0.3, 0.7, 0.7, 0.8, 1])
    same("DeLong", [variance, math.sqrt(variance)], [0.033, 0.181659021])
    same("Hanley-McNeil", [hanley_mcneil(0.75, 5, 5), hanley_mcneil(0.8, 50, 100), hanley_mcneil(0.8653, 396, 1003)],
         [0.162348831, 0.041247222, 0.012266073])  # fmt: skip


def check_optimum(hull, share, cost_fn, cost_fp, slope, point, cost):
    """Best hull point under operating conditions; the smallest false positive rate on ties."""
    m = cost_fp * (1 - share) / (cost_fn * share)
    best = max(hull, key=lambda p: (p[1] - m * p[0], -p[0]))
    same("slope", m, slope)
    same("optimal point", np.array(best, dtype=float), point)
    same("cost", share * (1 - best[1]) * cost_fn + (1 - share) * best[0] * cost_fp, cost)


def check_q():
    """Section 12.3."""
    points = bf.exact_roc(*rows(Q))
    expected = [(0, 0), (0, 0.25), (0, 0.5), (0.25, 0.5), (0.25, 0.75), (0.5, 0.75), (0.5, 1), (0.75, 1), (1, 1)]
    same("Q ROC", np.array(points, dtype=float), expected)
    check_ranking("Q", Q, 0.8125, 0.813131313131)
    average = [(a + b) / 2 for a, b in zip(bf.samples_100(*rows(TIED)), bf.samples_100(*rows(Q)))]
    same("vertical average", [average[i] for i in (0, 25, 50, 75, 99)], [0.35, 0.688131313, 0.876262626, 0.9, 1])
    same("its area", area([(i / 99, y) for i, y in enumerate(average)]), 0.756560555045)
    pooled = metrics.roc_auc_score(TIED["truth"] + Q["truth"], TIED["score"] + Q["score"])
    same("pooled", pooled, 0.740740740741)
    joint = points + bf.exact_roc(*rows(TIED))
    check_hull("joint", joint, [(0, 0), (0, 0.5), (0.5, 1), (1, 1)], 0.875)
    hull = bf.upper_hull(joint)
    check_optimum(hull, 0.2831, 5, 1, 0.506464147, (0.5, 1), 0.358450)
    check_optimum(hull, 0.5, 1, 1, 1, (0, 0.5), 0.25)
    check_optimum(hull, 0.0879, 1, 1, 10.376564278, (0, 0.5), 0.043950)


def check_golden():
    """All printed values; raises on the first that differs."""
    check_table_5_6()
    check_tied()
    check_q()


if __name__ == "__main__":
    check_golden()
    print("all golden values agree")
