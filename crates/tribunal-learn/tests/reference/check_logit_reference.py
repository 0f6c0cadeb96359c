"""Compares logit.json and amounts.json, which R wrote, with scikit-learn and statsmodels, and says how far they agree.

What: prints the largest relative difference of each comparison (relative to 1 where values are smaller) and fails
above the bound beside it. The tables of R are checked against bins.json first, which is made from scikit-learn's.
Why: R, scikit-learn and statsmodels share no code for this; where they agree to ten digits the values can be trusted.
scikit-learn minimises C * loss + |b|^2 / 2, so C is 1 / lambda; its intercepts of several classes are shifted to sum
to zero before they are compared, as any shift fits as well.
Made with Python 3.11, numpy 2.4, pandas 3.1, scikit-learn 1.9.1, statsmodels 0.15.

    python check_logit_reference.py [DATA]

DATA, a folder as make_logit_reference.R takes, adds the files of UCI.
"""

import json
import sys
from pathlib import Path

import numpy as np
import pandas
import statsmodels.api as sm
from sklearn.linear_model import LogisticRegression

HERE = Path(__file__).resolve().parent
LOGIT, AMOUNTS, BINS = (json.loads((HERE / name).read_text()) for name in ("logit.json", "amounts.json", "bins.json"))
IRIS, WINE = (np.array(BINS["sets"][name]["columns"]).T for name in ("iris", "wine"))
WINE_FOUR = np.array(LOGIT["wine"]["columns"]).T
CLASSES = {name: np.array(BINS["sets"][name]["classes"]) for name in ("iris", "wine")}
COLUMNS = {"iris": IRIS[:, :2], "wine": WINE_FOUR}


def agree(what, ours, theirs, bound):
    """Prints how far two sets of numbers differ, and fails if that is too far."""
    ours, theirs = np.array(ours, dtype=float), np.array(theirs, dtype=float)
    worst = np.max(np.abs(ours - theirs) / np.maximum(1.0, np.abs(theirs)))
    print(f"{what:58} {worst:8.1e}  (bound {bound:g})")
    assert worst <= bound, what


def positives(name):
    """Both sets ask for their second class."""
    return (CLASSES[name] == 1).astype(int)


def by_sklearn(x, y, penalty, solver="newton-cholesky"):
    """scikit-learn's coefficients, a row for each class, the intercept first."""
    strength = 1 / penalty if penalty else np.inf
    model = LogisticRegression(C=strength, solver=solver, tol=1e-12, max_iter=10000).fit(x, y)
    return np.column_stack([model.intercept_, model.coef_]), model.predict_proba(x)


def logistic(name, x, y, known, weights=None):
    """One fit of glm against statsmodels, and against scikit-learn if no row has a weight."""
    if weights is not None:
        x, y = np.repeat(x, weights, axis=0), np.repeat(y, weights)
    fit = sm.Logit(y, sm.add_constant(x)).fit(method="newton", tol=1e-14, maxiter=100, disp=0)
    for field, value in (("coefficients", fit.params), ("standard_errors", fit.bse), ("z", fit.tvalues),
                         ("p", fit.pvalues), ("log_likelihood", fit.llf)):
        agree(f"{name}: {field}, statsmodels", known[field], value, 1e-12)
    agree(f"{name}: null deviance, statsmodels", known["null_deviance"], -2 * fit.llnull, 1e-9)
    agree(f"{name}: intervals, statsmodels", [known["lower"], known["upper"]], fit.conf_int().T, 1e-12)
    if weights is None:
        agree(f"{name}: probabilities, statsmodels", known["fitted"], fit.predict()[:50], 1e-12)
    scale = x.std(axis=0)
    found = by_sklearn((x - x.mean(axis=0)) / scale, y, 0)[0][0, 1:] / scale
    agree(f"{name}: slopes, scikit-learn", known["coefficients"][1:], found, 1e-12)


def dropped(name, x, y, known):
    """The likelihood-ratio test of one column left out, each column one term."""
    loglik = lambda inputs: sm.Logit(y, sm.add_constant(inputs)).fit(method="newton", tol=1e-14, disp=0).llf
    lost = [2 * (loglik(x) - loglik(np.delete(x, idx, axis=1))) for idx in range(x.shape[1])]
    agree(f"{name}: chi-square of columns left out, statsmodels", known["dropped"]["chi_square"], lost, 1e-12)


def penalised(name, x, y, known):
    """A ridge or a softmax against scikit-learn."""
    scaled = (x - x.mean(axis=0)) / x.std(axis=0, ddof=1)
    found, probabilities = by_sklearn(scaled, y, known["lambda"])
    ours = np.atleast_2d(known["coefficients"])
    if len(ours) > 1:
        found[:, 0] -= found[:, 0].mean()
    agree(f"{name}, lambda {known['lambda']}: coefficients, scikit-learn", ours, found, 1e-11)
    fitted = probabilities if len(ours) > 1 else probabilities[:50, 1]
    agree(f"{name}, lambda {known['lambda']}: probabilities, scikit-learn", known["fitted"], fitted, 1e-11)


def multinomial(known):
    """Three classes of wine without a penalty against statsmodels."""
    x = sm.add_constant(WINE_FOUR[:, known["columns"]])
    fit = sm.MNLogit(CLASSES["wine"], x).fit(method="newton", tol=1e-10, maxiter=100, disp=0)
    agree("wine, three classes: coefficients, statsmodels", known["coefficients"], fit.params.T, 1e-12)
    agree("wine, three classes: standard errors, statsmodels", known["standard_errors"], fit.bse.T, 1e-12)
    agree("wine, three classes: probabilities, statsmodels", known["fitted"], fit.predict(), 1e-12)
    agree("wine, three classes: log-likelihood, nnet", known["log_likelihood"], known["nnet"]["log_likelihood"], 1e-12)
    agree("wine, three classes: coefficients, nnet", known["coefficients"], known["nnet"]["coefficients"], 1e-6)


def indicators(table, about):
    """The columns of a file as numbers, levels in the order that R used."""
    columns = []
    for column in about["columns"]:
        values = table[column["name"]]
        columns += [values == level for level in column["levels"][1:]] if column["levels"] else [values]
    return np.column_stack([np.asarray(values, dtype=float) for values in columns])


def files(folder):
    """The files of UCI."""
    for name, known in LOGIT["files"].items():
        table = pandas.read_csv(folder / known["file"], keep_default_na=False, na_values=[""])
        missing = table.isna().any(axis=1)
        assert [int(row) + 1 for row in np.flatnonzero(missing)] == known["dropped_rows"], name
        table = table[~missing]
        y = (table[known["class"]].astype(str) == known["positive"]).to_numpy().astype(int)
        logistic(name, indicators(table, known), y, known)


def linear(name, x, y, known):
    """lm against statsmodels."""
    weights, design = np.array(known["weights"]), sm.add_constant(x)
    again = np.repeat(np.arange(len(y)), weights)
    # R counts rows with weight 0 out, statsmodels counts them.
    used = weights > 0
    fits = {"plain": sm.OLS(y, design), "weighted": sm.WLS(y[used], design[used], weights[used]),
            "repeated": sm.OLS(y[again], design[again])}
    for kind, model in fits.items():
        fit, ours = model.fit(method="qr"), known[kind]
        theirs = {"coefficients": fit.params, "standard_errors": fit.bse, "t": fit.tvalues, "p": fit.pvalues,
                  "sigma": np.sqrt(fit.scale), "r_squared": fit.rsquared, "residual_sum": fit.ssr,
                  "f": [fit.fvalue, fit.df_model, fit.df_resid], "f_p": fit.f_pvalue}
        # Longley's columns are nearly collinear: errors by way of the normal equations lose half of the digits there.
        for field, value in theirs.items():
            bound = 1e-7 if name == "longley" else 1e-12
            agree(f"lm {name}, {kind}: {field}, statsmodels", ours[field], value, bound)



def main():
    assert np.array_equal(WINE_FOUR, WINE[:, [1, 2, 4, 10]]) and LOGIT["wine"]["classes"] == CLASSES["wine"].tolist()
    assert np.array_equal(np.array(LOGIT["collinear"]["columns"][:2]).T, IRIS[:, :2])
    for name, known in LOGIT["tables"].items():
        logistic(name, COLUMNS[name], positives(name), known)
        dropped(name, COLUMNS[name], positives(name), known)
    weighted = LOGIT["weighted"]["iris"]
    logistic("iris, weighted", COLUMNS["iris"], positives("iris"), weighted, weighted["weights"])
    for name, fits in LOGIT["ridge"].items():
        for known in fits:
            penalised(name, COLUMNS[name], positives(name), known)
    penalised("iris, three classes", IRIS, CLASSES["iris"], LOGIT["softmax"]["iris"])
    multinomial(LOGIT["multinomial"]["wine"])
    for name in ("six_rows", "longley"):
        known = AMOUNTS[name]
        linear(name, np.array(known["columns"]).T, np.array(known["y"]), known)
    linear("iris", IRIS[:, :3], IRIS[:, 3], AMOUNTS["iris"])
    if len(sys.argv) > 1:
        files(Path(sys.argv[1]))
        table = pandas.read_csv(Path(sys.argv[1]) / "pima.csv")
        linear("pima", table.drop(columns=["insulin", "class"]).to_numpy(float), table["insulin"].to_numpy(float),
               AMOUNTS["pima"])


if __name__ == "__main__":
    main()
