"""Inverse-probability and doubly robust estimates for src/correction/reference.rs: run it and copy what it prints.

Coefficients by statsmodels; estimates and standard errors by the stacked estimating equations of delicatessen (Zivich et al. 2022),
which differentiates them numerically. The post-stratified estimate is that of its formula. Rows come from a linear congruential
generator that the test repeats.
"""

import numpy as np
import statsmodels.api as sm
from delicatessen import MEstimator

N_POPULATION, N_ACTIONED, CUTOFF = 240, 90, 0.5


def uniform(n):
    state, values = 12345, []
    for _ in range(n):
        state = (1664525 * state + 1013904223) % 2**32
        values.append((state >> 8) / 2**24)
    return np.array(values)


u = uniform(N_POPULATION + 2 * N_ACTIONED)
population = u[:N_POPULATION]
actioned = np.sqrt(u[N_POPULATION : N_POPULATION + N_ACTIONED])
truth = (u[N_POPULATION + N_ACTIONED :] < 0.1 + 0.5 * actioned**2).astype(float)

x = np.concatenate([actioned, population])
design = np.column_stack([np.ones_like(x), x])
d = np.concatenate([np.ones(N_ACTIONED), np.zeros(N_POPULATION)])
y = np.concatenate([truth, np.zeros(N_POPULATION)])
f = (x >= CUTOFF).astype(float)

selection = sm.Logit(d, design).fit(disp=0).params
outcome = sm.Logit(truth, design[:N_ACTIONED]).fit(disp=0).params
print("selection", selection.tolist())
print("outcome", outcome.tolist())


def expit(eta):
    return 1 / (1 + np.exp(-eta))


def ipw(theta):
    beta, mu, hits, flagged, precision = theta[:2], *theta[2:]
    odds = np.exp(-design @ beta)
    return np.vstack([
        (d - expit(design @ beta)) * design.T,
        d * odds * (y - mu),
        d * odds * (y * f - hits),
        d * odds * (f - flagged),
        np.ones_like(d) * (precision * flagged - hits),
    ])


def robust(theta):
    beta, gamma = theta[:2], theta[2:4]
    by_model, rest, by_model_f, rest_f, share, strike, precision, recall = theta[4:]
    odds, m = np.exp(-design @ beta), expit(design @ gamma)
    ones = np.ones_like(d)
    return np.vstack([
        (d - expit(design @ beta)) * design.T,
        d * (y - m) * design.T,
        (1 - d) * (m - by_model),
        d * odds * (y - m - rest),
        (1 - d) * (f * m - by_model_f),
        d * odds * (f * (y - m) - rest_f),
        (1 - d) * (f - share),
        ones * (strike - by_model - rest),
        ones * (precision * share - by_model_f - rest_f),
        ones * (recall * strike - by_model_f - rest_f),
    ])


def solved(equations, init):
    found = MEstimator(equations, init=init)
    found.estimate(solver="lm", maxiter=20000, tolerance=1e-12)
    return found.theta, np.sqrt(np.diag(found.variance))


w = np.exp(-design[:N_ACTIONED] @ selection)
start = [*selection, np.average(truth, weights=w), 0.1, 0.5, 0.3]
theta, error = solved(ipw, start)
print("ipw strike rate", repr(theta[2]), repr(error[2]), "precision", repr(theta[5]), repr(error[5]))
theta, error = solved(robust, [*selection, *outcome, 0.3, 0, 0.2, 0, 0.5, 0.3, 0.3, 0.5])
for place, name in ((9, "strike rate"), (10, "precision"), (11, "recall")):
    print("doubly robust", name, repr(theta[place]), repr(error[place]))
