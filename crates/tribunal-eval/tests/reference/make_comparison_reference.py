"""Writes comparison.json and delong_scores.csv: values of scipy and statsmodels that the tests compare with.

Run: python3 make_comparison_reference.py   (needs numpy, scipy, statsmodels)
"""

import json
import pathlib
import platform

import numpy as np
import scipy
import statsmodels
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

HERE = pathlib.Path(__file__).parent
WORKED = {
    "logit": [84.53, 86.79, 87.00, 86.18, 88.04, 89.28, 86.74, 83.13, 84.36, 86.23],
    "C45s": [80.75, 83.04, 83.06, 77.75, 84.39, 84.93, 80.44, 80.18, 79.65, 82.43],
    "kNN100": [87.55, 88.49, 85.72, 84.61, 86.82, 91.40, 86.00, 84.92, 82.70, 87.87],
    "LinLSSVM": [87.08, 84.93, 86.61, 86.24, 87.07, 90.05, 86.37, 85.28, 80.61, 85.59],
    "NB25": [87.83, 82.52, 84.81, 82.89, 85.15, 89.19, 83.75, 87.91, 82.96, 86.85],
    "TAN25": [81.36, 81.19, 86.48, 84.13, 86.32, 84.94, 86.45, 83.49, 83.71, 86.22],
}


def studentized_range():
    """Lower tails and quantiles over means, degrees of freedom and ranges."""
    grid, quantiles = [], []
    for k in (2, 3, 5, 10, 20, 27, 50, 100):
        for df in (2, 3, 5, 10, 20, 45, 60, 120, 225, 1000, np.inf):
            for q in (0.5, 1.5, 3.0, 4.0, 5.5, 8.0):
                cdf = stats.studentized_range.cdf(q, k, df)
                grid.append({"q": q, "n_means": k, "df": None if np.isinf(df) else df, "cdf": float(cdf)})
    for k in (2, 6, 26, 100):
        for df in (2, 10, 225, np.inf):
            for p in (0.05, 0.5, 0.95, 0.99):
                q = stats.studentized_range.ppf(p, k, df)
                quantiles.append({"p": p, "n_means": k, "df": None if np.isinf(df) else df, "q": float(q)})
    return {"grid": grid, "quantiles": quantiles}


def tukey_with_blocks(table):
    """Tukey's p values and half width with the error of the two-way analysis."""
    a, b = table.shape
    residual = table - table.mean(1, keepdims=True) - table.mean(0, keepdims=True) + table.mean()
    df = (a - 1) * (b - 1)
    error = np.sqrt((residual**2).sum() / df / b)
    means = table.mean(1)
    pairs = [(i, j) for i in range(a) for j in range(i + 1, a)]
    p = [float(stats.studentized_range.sf(abs(means[i] - means[j]) / error, a, df)) for i, j in pairs]
    return {"p": p, "half_width": float(stats.studentized_range.ppf(0.95, a, df) * error)}


def paired_t(table):
    tests = []
    for i in range(len(table)):
        for j in range(i + 1, len(table)):
            test = stats.ttest_rel(table[i], table[j])
            interval = test.confidence_interval(0.95)
            row = {"first": i, "second": j, "t": test.statistic, "p": test.pvalue}
            tests.append(row | {"lower": interval.low, "upper": interval.high})
    return [{key: (int(v) if key in ("first", "second") else float(v)) for key, v in row.items()} for row in tests]


def friedman(tables):
    out = []
    for table in tables:
        test = stats.friedmanchisquare(*table)
        out.append({"table": table.tolist(), "chi_square": float(test.statistic), "p": float(test.pvalue)})
    return out


def mcnemar_tests():
    out = []
    for n01, n10 in ((25, 15), (10, 2), (5, 0), (7, 7), (120, 90), (1000, 1100)):
        table = [[50, n01], [n10, 60]]
        exact = mcnemar(table, exact=True).pvalue
        plain = mcnemar(table, exact=False, correction=False)
        corrected = mcnemar(table, exact=False, correction=True)
        mid = exact - stats.binom.pmf(min(n01, n10), n01 + n10, 0.5)
        row = {"exact": exact, "mid_p": mid, "chi_square": plain.statistic, "p": plain.pvalue}
        row |= {"corrected": corrected.statistic, "p_corrected": corrected.pvalue}
        out.append({"n01": n01, "n10": n10} | {key: float(value) for key, value in row.items()})
    return out


def welch_tests():
    """Groups by their means, the variances of these and degrees of freedom, with scipy's test on the values themselves."""
    rng, out = np.random.default_rng(11), []
    for k in (2, 3, 8):
        groups = [rng.normal(rng.normal(0, 0.6), rng.uniform(0.5, 3), int(rng.integers(4, 40))) for _ in range(k)]
        test = stats.f_oneway(*groups, equal_var=False)
        rows = [[float(g.mean()), float(g.var(ddof=1) / len(g)), len(g) - 1] for g in groups]
        out.append({"groups": rows, "f": float(test.statistic), "p": float(test.pvalue)})
    return out


def proportions():
    out = []
    for s, n in ((0, 20), (20, 20), (75, 100), (3, 7), (1, 1000), (5000, 10000)):
        for level in (0.8, 0.95, 0.99):
            row = {"successes": s, "n": n, "level": level}
            for name, method in (("wilson", "wilson"), ("wald", "normal"), ("clopper_pearson", "beta")):
                row[name] = [float(end) for end in proportion_confint(s, n, 1 - level, method)]
            out.append(row)
    return out


def delong_scores(rng):
    """Scores of three models with ties; the values of DeLong come from R."""
    positive = rng.random(300) < 0.3
    base = rng.normal(size=300) + 1.2 * positive
    scores = [np.round(base + rng.normal(size=300), 1), np.round(base + 1.5 * rng.normal(size=300), 1), rng.normal(size=300)]
    rows = np.column_stack([positive.astype(int), *scores])
    np.savetxt(HERE / "delong_scores.csv", rows, delimiter=",", header="positive,a,b,c", comments="", fmt=["%d"] + ["%.17g"] * 3)


def main():
    rng = np.random.default_rng(7)
    worked = np.array(list(WORKED.values()))
    p_values = rng.random(12).tolist()
    reference = {
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__, "statsmodels": statsmodels.__version__},
        "worked": worked.tolist(),
        "studentized_range": studentized_range(),
        "tukey": tukey_with_blocks(worked),
        "paired_t": paired_t(worked),
        "friedman": friedman([worked, rng.integers(0, 4, (5, 9)).astype(float), rng.random((3, 4))]),
        "mcnemar": mcnemar_tests(),
        "holm": {"p": p_values, "adjusted": multipletests(p_values, method="holm")[1].tolist()},
        "proportions": proportions(),
        "welch": welch_tests(),
    }
    delong_scores(rng)
    (HERE / "comparison.json").write_text(json.dumps(reference, indent=1) + "\n")


if __name__ == "__main__":
    main()
