"""Reference values for what scores say about performance on rows without labels: unlabelled.json.

What: temperature scaling, consensus selection with its committee and expected performance, a few labels, ATC, DoC, CBPE,
BBSE, agreement with an ensemble, importance-weighted risks and a risk bound, from their public definitions, on data that are
awkward: ties, probabilities of exactly 0 and 1, clones, constant learners, a class that is never predicted, weights.
How: soft labels are rows that stand twice, with weights c and 1 - c, in front of the metrics of scikit-learn; thresholds of
ATC are walked to as its authors' code does, on rows repeated as often as they weigh; systems are solved by numpy.
It first asserts the golden numbers of the worked examples.
Versions: Python 3.11, numpy 2.4, scikit-learn 1.7; those actually used are written into the file.

    python make_unlabelled_reference.py
"""

import json
import math
import platform
from pathlib import Path

import numpy as np
import sklearn
from sklearn.metrics import accuracy_score, confusion_matrix, f1_score, log_loss, precision_score, recall_score, roc_auc_score

SEED = 60606
GRID = (0.5, 0.7, 1, 1.4, 2, 3, 4.5, 7, 12)


def decide(p):
    """The class of each row: of two classes the positive one from .5 on, else the first of the most probable."""
    return (p[:, 1] >= 0.5).astype(int) if p.shape[1] == 2 else p.argmax(1)


def scaled(p, t):
    z = np.log(np.maximum(p, 0.005)) / t
    e = np.exp(z - z.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def loss_of(p, y, w):
    return float(log_loss(y, p, sample_weight=w, labels=range(p.shape[1])))


def temperature(p, y, w):
    losses = [loss_of(scaled(p, t), y, w) for t in GRID]
    best = int(np.argmin(np.round(losses, 12)))
    return GRID[best], losses[best]


def soft_accuracy(decisions, c, w):
    return float(np.average(c[np.arange(len(c)), decisions], weights=w))


def soft_auroc(score, c, w):
    """AUROC against soft labels: every row stands twice."""
    y = np.r_[np.ones(len(c)), np.zeros(len(c))]
    weight = np.r_[w * c[:, 1], w * c[:, 0]]
    used = weight > 0
    return float(roc_auc_score(y[used], np.r_[score, score][used], sample_weight=weight[used]))


def soft_benefit(decisions, c, w, cells):
    """Mean benefit of decisions; the cells are B[predicted][actual], a column each."""
    cells = np.array(cells)  # hit, false positive, false negative, correct rejection
    acting = c[:, 1] * cells[0] + c[:, 0] * cells[1]
    passing = c[:, 1] * cells[2] + c[:, 0] * cells[3]
    return float(np.average(np.where(decisions == 1, acting, passing), weights=w))


def one_hot(y, k):
    return np.eye(k)[y]


def blend(cv, ens_t, ens_d, distinct):
    lam = (distinct - 1) / (distinct + 1) if distinct > 3 - 1e-9 else 0.0
    cv, ens_t, ens_d = map(np.array, (cv, ens_t, ens_d))
    score = (1 - lam) * cv + lam * ens_t
    order = sorted(range(len(cv)), key=lambda a: (-round(score[a], 12), -round(cv[a], 12), a))
    return {"cv": cv.tolist(), "ens_t": ens_t.tolist(), "ens_d": ens_d.tolist(), "score": score.tolist(),
            "best": order[0], "expected": (cv + ens_t - ens_d).tolist()}


def atc(conf_d, right_d, w_d, conf_t, w_t):
    """The walk of the authors' code, on rows as often as they weigh; ties shared, up to rounding."""
    conf_d, conf_t = np.round(conf_d, 12), np.round(conf_t, 12)
    conf, right = np.repeat(conf_d, w_d.astype(int)), np.repeat(right_d, w_d.astype(int))
    order = np.argsort(conf, kind="stable")
    conf, right = conf[order], right[order]
    fp, fn = int((right == 0).sum()), 0
    best, threshold = abs(fp - fn), -math.inf
    for c, r in zip(conf, right):
        fp, fn = (fp - 1, fn) if r == 0 else (fp, fn + 1)
        if abs(fp - fn) < best:
            best, threshold = abs(fp - fn), float(c)
    accuracy = right.mean()
    at_d = (conf == threshold).mean()
    f = (accuracy - (conf > threshold).mean()) / at_d if at_d > 0 else 0.0
    target = float(np.average(conf_t > threshold, weights=w_t) + f * np.average(conf_t == threshold, weights=w_t))
    return {"threshold": threshold if math.isfinite(threshold) else None, "share": float(f), "estimate": target,
            "source": float((conf > threshold).mean() + f * at_d)}


def negative_entropy(p):
    return np.where(p > 0, p * np.log(np.where(p > 0, p, 1)), 0).sum(1)


def label_shift(pred_d, y, w_d, pred_t, w_t, k):
    joint = confusion_matrix(pred_d, y, labels=range(k), sample_weight=w_d) / w_d.sum()
    mu = np.bincount(pred_t, weights=w_t, minlength=k) / w_t.sum()
    priors = joint.sum(0)
    if (priors == 0).any() or (joint.sum(1) == 0).any():
        return None
    condition = np.linalg.cond(joint / priors, 1)
    if condition > 1e8:
        return None
    ratio = np.linalg.solve(joint, mu)
    raw = ratio * priors
    q = np.maximum(raw, 0)
    return {"ratio": ratio.tolist(), "priors": (q / q.sum()).tolist(), "condition": float(condition),
            "clipped": float(-np.minimum(raw, 0).sum())}


def top_of(score, c, w, weight):
    """Positives in the top of the list of this weight, ties shared."""
    found, used = 0.0, 0.0
    for s in np.unique(score)[::-1]:
        own = w[score == s].sum()
        take = min(own, weight - used)
        if own == 0:
            continue
        if take <= 0:
            break
        found += (w * c[:, 1])[score == s].sum() * take / own
        used += take
    return found


def cbpe(decisions, score, c, w):
    y = np.r_[np.ones(len(c)), np.zeros(len(c))].astype(int)
    weight = np.r_[w * c[:, 1], w * c[:, 0]]
    pred = np.r_[decisions, decisions]
    tn, fp, fn, tp = confusion_matrix(y, pred, labels=[0, 1], sample_weight=weight).ravel()
    out = {"cells": [float(x) for x in (tp, fp, fn, tn)], "accuracy": float(accuracy_score(y, pred, sample_weight=weight))}
    if pred.any():
        out |= {"precision": float(precision_score(y, pred, sample_weight=weight)),
                "recall": float(recall_score(y, pred, sample_weight=weight)),
                "f1": float(f1_score(y, pred, sample_weight=weight))}
    out["auroc"] = soft_auroc(score, c, w)
    positives, total = (w * c[:, 1]).sum(), w.sum()
    out["lift_quarter"] = float(top_of(score, c, w, total / 4) / positives * 4)
    out["precision_top_5"] = float(top_of(score, c, w, 5) / 5)
    return out


def judge(case):
    y, O, Q, wd, wt = (case[key] for key in ("truth", "held_out", "unlabelled", "weight_d", "weight_t"))
    k, l = O[0].shape[1], len(O)
    fitted = [temperature(o, y, wd) for o in O]
    sO = [scaled(o, t) for o, (t, _) in zip(O, fitted)]
    sQ = [scaled(q, t) for q, (t, _) in zip(Q, fitted)]
    distance = [[float(np.average(np.abs(a - b).mean(1), weights=wt)) for b in sQ] for a in sQ]
    dup = [sum(d < 0.01 for d in row) for row in distance]
    distinct = sum(1 / d for d in dup)
    w = np.array([1 / d / distinct for d in dup])
    cD = sum(a * o for a, o in zip(w, sO))
    cT = sum(a * q for a, q in zip(w, sQ))
    dO, dQ, Y = [decide(o) for o in O], [decide(q) for q in Q], one_hot(y, k)
    accuracy = blend([soft_accuracy(d, Y, wd) for d in dO], [soft_accuracy(d, cT, wt) for d in dQ],
                     [soft_accuracy(d, cD, wd) for d in dO], distinct)
    score = np.array(accuracy["score"])
    powers = w * np.exp((score - score.max()) / 0.02)
    committee = powers / powers.sum()
    mean_q = sum(Q) / l
    out = {"temperatures": [t for t, _ in fitted], "losses": [x for _, x in fitted], "distance": distance, "weights": w.tolist(),
           "distinct": distinct, "consensus_t": cT.ravel().tolist(), "consensus_d": cD.ravel().tolist(), "accuracy": accuracy,
           "committee": committee.tolist(), "committee_t": sum(a * q for a, q in zip(committee, sQ)).ravel().tolist(),
           "disagreeing": [int(i) for i in range(len(Q[0])) if len({int(d[i]) for d in dQ}) > 1],
           "ensemble": [float(np.average(d == decide(mean_q), weights=wt)) for d in dQ],
           "doc": [soft_accuracy(a, Y, wd) + float(np.average(q.max(1), weights=wt) - np.average(o.max(1), weights=wd))
                   for a, o, q in zip(dO, O, Q)],
           "atc_max": [atc(o.max(1), (a == y).astype(int), wd, q.max(1), wt) for a, o, q in zip(dO, O, Q)],
           "atc_entropy": [atc(negative_entropy(o), (a == y).astype(int), wd, negative_entropy(q), wt)
                           for a, o, q in zip(dO, O, Q)],
           "bbse": [label_shift(a, y, wd, b, wt, k) for a, b in zip(dO, dQ)]}
    if k == 2:
        out["auroc"] = blend([soft_auroc(o[:, 1], Y, wd) for o in O], [soft_auroc(q[:, 1], cT, wt) for q in Q],
                             [soft_auroc(o[:, 1], cD, wd) for o in O], distinct)
        out["benefit"] = blend([soft_benefit(d, Y, wd, case["cells_d"]) for d in dO],
                               [soft_benefit(d, cT, wt, case["cells_t"]) for d in dQ],
                               [soft_benefit(d, cD, wd, case["cells_d"]) for d in dO], distinct)
        out["cbpe"] = [cbpe(d, q[:, 1], q, wt) for d, q in zip(dQ, Q)]
    return out


def binary(p):
    p = np.array(p)
    return np.c_[1 - p, p]


def cases(rng):
    n, m = 60, 45

    def rows(n, k, digits, skill, truth=None):
        z = rng.normal(size=(n, k))
        if truth is not None:
            z += skill * one_hot(truth, k)
        p = np.exp(z)
        p /= p.sum(1, keepdims=True)
        p[:, 1:] = np.round(p[:, 1:], digits)
        p[:, 0] = np.round(1 - p[:, 1:].sum(1), digits)
        return np.abs(p)

    def case(k, y, O, Q, wd=None, wt=None):
        cells_d = [np.round(rng.lognormal(3, 1, len(y)), 2), np.full(len(y), -4.5), np.full(len(y), -1.25), np.zeros(len(y))]
        m = len(Q[0])
        cells_t = [np.round(rng.lognormal(3.5, 1, m), 2), np.full(m, -4.5), np.full(m, -1.25), np.zeros(m)]
        return {"n_classes": k, "truth": y, "held_out": O, "unlabelled": Q, "weight_d": np.ones(len(y)) if wd is None else wd,
                "weight_t": np.ones(m) if wt is None else wt, "cells_d": cells_d, "cells_t": cells_t}

    y = rng.integers(0, 2, n)
    for name, digits in (("continuous", 6), ("tied", 1)):
        O = [rows(n, 2, digits, skill, y) for skill in (2.0, 1.0, 0.3, 1.5)]
        yield name, case(2, y, O, [rows(m, 2, digits, 2.0, rng.integers(0, 2, m)) for _ in O])
    hard = [binary((rng.random(n) < np.where(y, right, 1 - right)).astype(float)) for right in (0.9, 0.7)]
    soft = [rows(n, 2, 2, 1.0, y), rows(n, 2, 2, 2.5, y)]
    yield "saturated", case(2, y, hard + soft, [binary(rng.integers(0, 2, m).astype(float)) for _ in hard] + [rows(m, 2, 2, 1.0) for _ in soft])
    O = [rows(n, 2, 3, skill, y) for skill in (2.0, 1.0, 0.5)]
    Q = [rows(m, 2, 3, 1.0) for _ in O]
    near = binary(np.clip(Q[0][:, 1] + rng.choice([-0.004, 0.004], m), 0, 1))
    yield "clones", case(2, y, O + [O[0], O[0], O[1]], Q + [Q[0], near, Q[1]])
    yield "constant", case(2, y, [O[0], O[1], binary(np.full(n, 0.5)), binary(np.full(n, 0.25))],
                           [Q[0], Q[1], binary(np.full(m, 0.5)), binary(np.full(m, 0.25))])
    yield "two", case(2, y, O[:2], Q[:2])
    yield "weighted", case(2, y, O, Q, rng.integers(0, 4, n).astype(float), rng.integers(0, 5, m).astype(float))
    y = rng.choice(4, n, p=[0.4, 0.3, 0.2, 0.1])
    O = [rows(n, 4, 4, skill, y) for skill in (3.0, 2.0, 1.0, 2.5)]
    Q = [rows(m, 4, 4, 2.0, rng.integers(0, 4, m)) for _ in O]
    yield "four_classes", case(4, y, O, Q, rng.integers(1, 3, n).astype(float))
    y = rng.choice(3, n, p=[0.5, 0.45, 0.05])
    never = [rows(n, 3, 3, 2.0, y) for _ in range(3)]
    for p in never[:2]:
        p[:, 0] += p[:, 2]
        p[:, 2] = 0
    yield "never_predicted", case(3, y, never, [rows(m, 3, 3, 2.0) for _ in never])
    y = np.r_[np.zeros(57, int), np.ones(3, int)]
    O = [rows(n, 2, 2, skill, y) for skill in (3.0, 2.0, 1.0)]
    yield "rare", case(2, y, O, [binary(np.minimum(np.round(rng.beta(1, 12, m), 3), 1)) for _ in O])


def importance(rng):
    for name, n in (("plain", 80), ("heavy", 80), ("constant_weights", 30), ("constant_losses", 30)):
        weight = {"plain": rng.gamma(2, 0.5, n), "heavy": rng.pareto(1.2, n), "constant_weights": np.full(n, 1.7),
                  "constant_losses": rng.gamma(2, 0.5, n)}[name]
        loss = np.full(n, 0.25) if name == "constant_losses" else rng.exponential(1, n)
        product = weight * loss
        eta = 0.0 if np.ptp(weight) == 0 else -np.cov(product, weight)[0, 1] / np.var(weight, ddof=1)
        yield {"name": name, "loss": loss.tolist(), "weight": weight.tolist(), "mean": float(product.mean()),
               "self_normalised": float(np.average(loss, weights=weight)), "ess": float(weight.sum() ** 2 / (weight**2).sum()),
               "eta": float(eta), "dev": float(product.mean() + eta * weight.mean() - eta)}


def bound(error, vc, n, delta):
    return error + math.sqrt((vc * math.log(2 * n / vc + 1) - math.log(delta / 4)) / n)


def check_golden():
    """The worked examples, from the definitions above."""
    y = np.array([1, 0, 1, 1, 0, 0, 1, 0, 1, 0])
    O = [[.9, .2, .8, .6, .4, .1, .7, .6, .3, .2], [.99, .02, .97, .55, .3, .01, .95, .9, .05, .1],
         [.985, .025, .975, .55, .31, .012, .948, .9, .052, .1], [.6, .5, .4, .7, .6, .3, .5, .4, .6, .45]]
    Q = [[.85, .3, .55, .1, .65, .45, .2, .9], [.98, .1, .7, .02, .9, .6, .05, .99],
         [.978, .1, .702, .021, .9, .598, .05, .99], [.6, .55, .4, .3, .5, .7, .45, .65]]
    case = {"truth": y, "held_out": [binary(o) for o in O], "unlabelled": [binary(q) for q in Q], "weight_d": np.ones(10),
            "weight_t": np.ones(8), "cells_d": np.zeros((4, 10)), "cells_t": np.zeros((4, 8))}
    found = judge(case)
    close = lambda a, b: np.testing.assert_allclose(a, b, atol=6e-9)
    close(found["temperatures"], [.7, 2, 2, .5])
    close(found["losses"], [.411878717, .519417306, .522158681, .569650127])
    close([found["distance"][0][1], found["distance"][1][2], found["distance"][1][3]], [.05796237, .00129276, .21883571])
    close(found["weights"], [1 / 3, 1 / 6, 1 / 6, 1 / 3])
    close(found["consensus_t"][1::2], [.82906064, .35954522, .49459993, .10769280, .65257371, .60788045, .23628987, .88079097])
    accuracy = found["accuracy"]
    close(accuracy["cv"], [.8, .8, .8, .7])
    close(accuracy["ens_t"], [.69320211, .72017223, .72017223, .68640855])
    close(accuracy["ens_d"], [.70024383, .70024383, .70024383, .57168270])
    close(accuracy["score"], [.74660106, .76008611, .76008611, .69320427])
    close(accuracy["expected"], [.79295828, .81992839, .81992839, .81472585])
    close(found["committee"], [.32983386, .32366037, .32366037, .02284540])
    close(found["committee_t"][1], .88476667)
    assert found["disagreeing"] == [1, 2, 5]
    close([(2 * 3 * a + 15 * 8 * s) / (17 * 8) for a, s in zip((1, 1, 1, 0), accuracy["score"])],
          [.70288329, .71478186, .71478186, .61165083])
    conf = np.array([.55, .60, .62, .70, .75, .80, .85, .90, .95, .99])
    right = np.array([0, 1, 0, 1, 0, 1, 1, 1, 1, 1])
    target = np.array([.52, .58, .66, .72, .81, .88, .93, .97])
    found = atc(conf, right, np.ones(10), target, np.ones(8))
    close([found["threshold"], found["source"], found["estimate"]], [.62, .7, .75])
    close(negative_entropy(binary([.52, .88, .97])), [-.692346967, -.366924991, -.134742168])
    p = np.array([.92, .85, .70, .60, .45, .30, .20, .05])
    found = cbpe((p >= .5).astype(int), p, binary(p), np.ones(8))
    close(found["cells"], [3.07, .93, 1.0, 3.0])
    close([found[key] for key in ("accuracy", "precision", "recall", "f1", "auroc")], [.75875, .7675, .754299754, .760842627, .834164838])
    loss, w = np.array([0, 1, 0, 0, 1, 1, 0, 0, 1, 0]), np.array([.5, 2, .8, .4, 1.6, .2, 1.2, 1.4, 1.8, .7])
    close([np.mean(w * loss), np.average(loss, weights=w), w.sum() ** 2 / (w**2).sum()], [.56, .528301887, 7.602165088])
    cov, var = np.cov(w * loss, w)[0, 1], np.var(w, ddof=1)
    close([cov, var, -cov / var, np.mean(w * loss) - cov / var * w.mean() + cov / var], [.433777778, .393777778, -1.101580135, .493905192])
    ratio = np.linalg.solve([[.40, .10], [.05, .45]], [.35, .65])
    close(ratio, [.528571429, 1.385714286])
    close(ratio * [.45, .55], [.237857143, .762142857])
    close(bound(.05, 10, 1000, .05), .289614431)


def plain(value):
    if isinstance(value, np.ndarray):
        return value.ravel().tolist()
    return [plain(x) for x in value] if isinstance(value, list) else value


def main():
    check_golden()
    rng = np.random.default_rng(SEED)
    made = [{"name": name, **{key: plain(value) for key, value in case.items()}, "expected": judge(case)}
            for name, case in cases(rng)]
    text = {"versions": {"python": platform.python_version(), "numpy": np.__version__, "scikit-learn": sklearn.__version__},
            "cases": made, "importance": list(importance(rng)),
            "bounds": [[e, vc, n, d, bound(e, vc, n, d)] for e in (0.0, 0.2) for vc in (1, 10, 400) for n in (50, 10_000) for d in (0.01, 0.1)]}
    Path(__file__).with_name("unlabelled.json").write_text(json.dumps(text, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
