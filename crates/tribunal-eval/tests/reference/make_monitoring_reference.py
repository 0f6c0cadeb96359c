"""Write monitoring.json: values that the tests of strata, bands and decompositions must reproduce.

What: two-by-two tables in strata judged by statsmodels' StratifiedTable (Cochran-Mantel-Haenszel without continuity correction,
Mantel-Haenszel odds ratio with the interval of Robins, Breslow and Greenland, Breslow-Day with Tarone's correction) and scipy's
chi-square; the mean score test of strata by permutation moments written out; the Shapley decomposition of a strike rate over all
six orders by brute force; AUROCs within bands by counting pairs.
Why: the Rust code is judged by numbers it had no part in.
Versions: Python 3.11, numpy 2.x, scipy 1.x, statsmodels 0.14 or later; those actually used are written into the file.

    python make_monitoring_reference.py
"""

import itertools
import json
import platform
from importlib.metadata import version
from pathlib import Path

import numpy as np
from scipy.stats import chi2, chi2_contingency
from statsmodels.stats.contingency_tables import StratifiedTable


def strata_case(name, tables):
    """Tables of (rows, positives) of the first sample and of the second."""
    arrays = [np.array([[y, m - y], [x, n - x]], dtype=float) for (n, x), (m, y) in tables]
    table = StratifiedTable(arrays)
    null = table.test_null_odds(correction=False)
    equal = table.test_equal_odds(adjust=True)
    low, high = table.oddsratio_pooled_confint(0.05)
    return {
        "name": name,
        "tables": tables,
        "statistic": float(null.statistic),
        "p": float(null.pvalue),
        "odds_ratio": float(table.oddsratio_pooled),
        "log_error": float(table.logodds_pooled_se),
        "lower": float(low),
        "upper": float(high),
        "breslow_day": float(equal.statistic),
        "breslow_day_p": float(equal.pvalue),
    }


def random_strata(rng, n_strata, sizes):
    tables = []
    for _ in range(n_strata):
        n, m = (int(rng.integers(*sizes)) for _ in range(2))
        rate = rng.uniform(0.1, 0.8)
        tables.append(((n, int(rng.binomial(n, rate))), (m, int(rng.binomial(m, rate)))))
    informative = lambda t: 0 < t[0][1] + t[1][1] < t[0][0] + t[1][0]
    return [t for t in tables if informative(t)]


def mean_score(rng):
    """The moments of the permutation distribution, stratum by stratum."""
    strata, excess, variance = [], 0.0, 0.0
    for _ in range(4):
        first, second = (np.round(rng.gamma(0.7, 100.0, int(rng.integers(5, 30))), 2) for _ in range(2))
        pooled = np.concatenate([first, second])
        n, m = len(pooled), len(second)
        excess += second.sum() - m * pooled.mean()
        variance += m * (n - m) / n * pooled.var(ddof=1)
        strata.append({"first": first.tolist(), "second": second.tolist()})
    statistic = excess**2 / variance
    return {"strata": strata, "statistic": statistic, "p": float(chi2.sf(statistic, 1))}


def strike_rate(population, selection, rates):
    return float((population * selection * rates).sum() / (population * selection).sum())


def decomposition(rng):
    """The mean over all orders in which factors are switched from the reference to the current period."""
    periods = []
    for _ in range(2):
        rows = rng.integers(50, 500, 6)
        actioned = np.array([rng.integers(1, n + 1) for n in rows])
        positives = np.array([rng.integers(0, s + 1) for s in actioned])
        periods.append((rows, actioned, positives))
    factors = [(n / n.sum(), s / n, p / s) for n, s, p in periods]
    value = lambda state: strike_rate(*(factors[state[i]][i] for i in range(3)))
    sums = np.zeros(3)
    orders = list(itertools.permutations(range(3)))
    for order in orders:
        state = [0, 0, 0]
        for factor in order:
            before = value(state)
            state[factor] = 1
            sums[factor] += value(state) - before
    mixes = [s / s.sum() for _, s, _ in periods]
    drift = chi2_contingency(np.array([periods[0][0], periods[1][0]]), correction=False)
    return {
        "periods": [np.column_stack(period).tolist() for period in periods],
        "contributions": (sums / len(orders)).tolist(),
        "strike_rates": [value([0, 0, 0]), value([1, 1, 1])],
        "standardised": float((mixes[0] * factors[1][2]).sum()),
        "post_stratified": [float((f[0] * f[2]).sum()) for f in factors],
        "drift": [float(drift.statistic), float(drift.pvalue)],
    }


def within_bands(rng):
    bands, ordered, pairs = [], 0.0, 0
    for _ in range(5):
        n = int(rng.integers(4, 25))
        score = np.round(rng.uniform(size=n), 1)
        truth = rng.uniform(size=n) < 0.2 + 0.6 * score
        positive, negative = score[truth], score[~truth]
        difference = positive[:, None] - negative[None, :]
        ordered += (difference > 0).sum() + 0.5 * (difference == 0).sum()
        pairs += difference.size
        bands.append({"truth": truth.tolist(), "score": score.tolist()})
    return {"bands": bands, "auroc": float(ordered / pairs)}


def main():
    rng = np.random.default_rng(20264)
    golden = [((180, 108), (140, 70)), ((150, 45), (280, 70)), ((50, 5), (210, 16))]
    selection = [((200, 180), (150, 140)), ((300, 150), (350, 280)), ((500, 50), (700, 210))]
    cases = [strata_case("golden decay", golden), strata_case("golden selection", selection)]
    cases += [strata_case(f"random {i}", random_strata(rng, 3 + 2 * i, (20, 300))) for i in range(4)]
    cases.append(strata_case("sparse", random_strata(rng, 60, (1, 5))))
    reference = {
        "versions": {"python": platform.python_version()}
        | {name: version(name) for name in ("numpy", "scipy", "statsmodels")},
        "strata": cases,
        "mean_score": mean_score(rng),
        "decompositions": [decomposition(rng) for _ in range(3)],
        "within_bands": within_bands(rng),
    }
    path = Path(__file__).with_name("monitoring.json")
    path.write_text(json.dumps(reference) + "\n")


if __name__ == "__main__":
    main()
