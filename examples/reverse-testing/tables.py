"""Tables of the results: those of Fan and Davidson (2006), regrets, errors of expected performance, coverage of intervals.

Figures are means ± standard errors over scenarios. Scenarios of one set share its rows, so that this says how sure a figure is for
these sets; the error in brackets, clustered by set (Liang and Zeger 1986), says how sure it is for others like them.
"""

import math
from itertools import combinations

METHODS = {
    "consensus": "consensus selection",
    "committee": "committee",
    "cross_validation": "cross-validation",
    "leave_one_out": "leave-one-out",
    "iwcv": "IWCV",
    "iwcv_kmm": "IWCV, kernel mean matching",
    "dev": "DEV",
    "reverse_testing": "ReverseTesting",
    "circular": "circular validation",
    "reverse_validation": "reverse validation",
    "atc": "ATC",
    "atc_entropy": "ATC, entropy",
    "cbpe": "CBPE",
    "doc": "DoC",
    "bbse": "CV at shifted priors (BBSE)",
    "ensemble_agreement": "agreement with the ensemble",
    "soft": "ReverseTesting, soft labels",
    "random": "a learner at random",
}
# The methods that choose one learner; results have their choices in this order.
CHOOSERS = [method for method in METHODS if method not in ("committee", "soft", "random")]
KINDS = ["none", "feature", "feature_soft", "class", "complete", "paper", "dated"]
PARTS = ["uci", "newsgroups", "drift", "simulated"]
ORDERING = {"cv": "cross-validation", "loo": "leave-one-out", "rt": "ReverseTesting", "soft": "ReverseTesting, soft labels"}
# Where results have the duels of ReverseTesting and its order.
DUELS = {"rt": ("pairs", "order"), "soft": ("soft_pairs", "soft_order")}
SHORT = {"c45:unpruned,estimate=raw": "DT", "nb": "NB", "logit": "LR", "svm": "SVM"}
# The scores that the paper prints, and those that its own tables come to.
PUBLISHED = {"rt": ("84 %", "85.2 %"), "cv": ("68 %", "70.4 %"), "loo": ("40 %", "44.4 %")}


def write(config, results, path):
    done = [one for one in results if "failed" not in one]
    accuracy = [one for one in done if one["part"] != "benefit"]
    benefit = {}
    for one in sorted((one for one in done if one["part"] == "benefit"), key=lambda one: one["id"]):
        benefit.setdefault(f"{one['set']}, {one['kind']}", []).append(one)
    sections = [overview(results), duels_judged(accuracy), paper_tables(accuracy), regrets(accuracy), differences(accuracy),
                benefits(benefit), expected(config, accuracy, benefit), coverage(accuracy, benefit)]
    text = "# Results\n\nWritten by `run.py`. Figures are means ± standard errors over scenarios, in brackets clustered by set."
    path.write_text("\n\n".join([text, *sections]) + "\n", encoding="utf-8")


def table(head, rows, n_texts=1):
    line = ["---"] * n_texts + ["---:"] * (len(head) - n_texts)
    return "\n".join("| " + " | ".join(str(cell) for cell in row) + " |" for row in [head, line, *rows])


def mean(values):
    return sum(values) / len(values)


def figure(pairs, digits=2, scale=100, brackets=True):
    """Mean, standard error and clustered error of values with their sets: (set, value)."""
    if not pairs:
        return "-"
    n, centre, sums = len(pairs), mean([value for _, value in pairs]), {}
    for name, value in pairs:
        sums[name] = sums.get(name, 0) + value - centre
    text = f"{scale * centre:.{digits}f}"
    if n > 1:
        text += f" ± {scale * math.sqrt(sum((value - centre) ** 2 for _, value in pairs) / (n - 1) / n):.{digits}f}"
    if brackets and len(sums) > 1:
        by_set = math.sqrt(sum(total**2 for total in sums.values()) * len(sums) / (len(sums) - 1)) / n
        text += f" ({scale * by_set:.{digits}f})"
    return text


def ratio(top, bottom):
    """A ratio of sums in %, with its standard error."""
    if not sum(bottom):
        return "-"
    n, share = len(top), sum(top) / sum(bottom)
    rest = sum((a - share * b) ** 2 for a, b in zip(top, bottom))
    return f"{100 * share:.1f}" + (f" ± {100 * math.sqrt(rest * n / (n - 1)) / abs(sum(bottom)):.1f}" if n > 1 else "")


def regret(one, method):
    """By how much the choice of a method is worse than the best learner; nothing where it makes none."""
    best = max(one["truth"])
    if method == "random":
        return best - mean(one["truth"])
    if method == "committee":
        return None if one["committee"] is None else best - one["committee"]
    chosen = one.get("soft_order", "-")[0] if method == "soft" else one["choice"][CHOOSERS.index(method)]
    return None if chosen == "-" else best - one["truth"][int(chosen)]


def regret_pairs(results, method, less=None):
    found = [(one["set"], regret(one, method), regret(one, less) if less else 0) for one in results]
    return [(name, value - other) for name, value, other in found if value is not None and other is not None]


def duels(one, key):
    """Which of two learners is better: a, b or ?, pair by pair."""
    if key in DUELS:
        return one[DUELS[key][0]]
    return "".join("?" if a == b else "a" if a > b else "b" for a, b in combinations(one[key], 2))


def judged(one, key):
    """Duels right, undecided and wrong, and those that the truth does not decide."""
    counts = dict.fromkeys(("right", "undecided", "wrong", "tied"), 0)
    for found, true in zip(duels(one, key), duels(one, "truth")):
        counts["tied" if true == "?" else "undecided" if found == "?" else "right" if found == true else "wrong"] += 1
    return counts


def order(one, key):
    """The learners, the best first; of equals the first named."""
    return one[DUELS[key][1]] if key in DUELS else sorted(range(len(one[key])), key=lambda at: -one[key][at])


def places_right(one, key):
    """Places of the order that hold a learner as good as the one that belongs there."""
    return sum(one["truth"][a] == one["truth"][b] for a, b in zip(order(one, key), order(one, "truth")))


def has(one, key):
    return DUELS.get(key, (key,))[0] in one


def of_part(results, part):
    return [one for one in results if one["part"] == part]


def dated(results):
    """The splits of the paper: the whole earlier part, once a pair of newsgroups."""
    return sorted((one for one in of_part(results, "newsgroups") if one["id"].endswith("/000")), key=lambda one: one["id"])


def groups_of(results):
    groups = {"all": results} | {f"part {part}": of_part(results, part) for part in PARTS}
    return groups | {f"bias {kind}": [one for one in results if one["kind"] == kind] for kind in KINDS}


def by_learners(results):
    four = [one for one in results if one["part"] in ("uci", "newsgroups")]
    eight = [one for one in results if one["part"] in ("drift", "simulated")]
    return {"all": results, "four learners": four, "eight learners": eight}


def overview(results):
    rows = []
    for part in [*PARTS, "benefit"]:
        ran = of_part(results, part)
        good = [one for one in ran if "failed" not in one]
        rows.append([part, len({one["set"] for one in ran}), len(good), len(ran) - len(good), sum("loo" in one for one in good),
                     sum("lower" in one for one in good), round(sum(one["seconds"] for one in ran) / 60)])
    rows.append(["all", len({one["set"] for one in results}), *(sum(row[at] for row in rows) for at in range(2, 7))])
    head = ["part", "sets", "ran", "failed", "with leave-one-out", "with an audit", "minutes, summed"]
    reasons = sorted({one["failed"].splitlines()[-1] for one in results if "failed" in one})
    return "\n\n".join(["## Scenarios", table(head, rows), *(f"Failed: {reason}" for reason in reasons)])


def duel_rows(results):
    rows = []
    for key, name in ORDERING.items():
        counts = [judged(one, key) for one in results if has(one, key)]
        if not counts:
            continue
        share = lambda *names: [sum(count[name] for name in names) for count in counts]
        everything, to_decide = share("right", "undecided", "wrong", "tied"), share("right", "undecided", "wrong")
        rows.append([name, len(counts), *(ratio(share(what), everything) for what in ("right", "undecided", "wrong", "tied")),
                     ratio(share("right"), to_decide), ratio(share("right"), share("right", "wrong")),
                     ratio(*cross_validated(results, key)) if key in DUELS else "-"])
    return rows


def cross_validated(results, key):
    """Duels that cross-validation has right among those that ReverseTesting and the truth decide, and those, scenario by scenario."""
    decided = [[(cv, true) for found, cv, true in zip(duels(one, key), duels(one, "cv"), duels(one, "truth")) if "?" not in (found, true)]
               for one in results if has(one, key)]
    return [sum(cv == true for cv, true in one) for one in decided], [len(one) for one in decided]


def duels_judged(results):
    uci, news = of_part(results, "uci"), of_part(results, "newsgroups")
    groups = {"UCI sets, random splits": uci, "Newsgroups, dated split": dated(results),
              "Newsgroups, four fifths of the earlier part": [one for one in news if one not in dated(results)],
              "Part `simulated`": of_part(results, "simulated"), "Part `drift`": of_part(results, "drift")}
    head = ["%", "scenarios", "right", "undecided", "wrong", "equal in truth", "score", "score of decided", "cross-validation on these"]
    text = ["## Pairs of learners: who is better", "Score: right duels over those that the truth decides, so that an undecided one "
            "counts as an error, as in the paper; beside it the share of right ones among the decided, and of ReverseTesting also what "
            "cross-validation has right among the duels that ReverseTesting decides."]
    text += [f"**{title}**\n\n{table(head, duel_rows(chosen))}" for title, chosen in groups.items()]
    rows, n_splits = [], {name: sum(one["set"] == name for one in uci) for name in {one["set"] for one in uci}}
    n_places, n_duels = 4 * len(dated(results)), 6 * len(n_splits)
    for key in PUBLISHED:
        places = sum(places_right(one, key) for one in dated(results))
        right = sum((judged(one, key)["right"] + judged(one, key)["tied"]) / n_splits[one["set"]] for one in uci)
        score = 100 * (places + right) / max(n_places + n_duels, 1)
        rows.append([ORDERING[key], f"{places} of {n_places}", f"{right:.1f} of {n_duels}", f"{score:.1f} %", *PUBLISHED[key]])
    text += ["**As the paper counts**: places of the orders of the newsgroups that hold the right learner, and right duels of the UCI "
             "sets (means over splits); learners that are equal in truth may stand either way. The paper counts 20 places where six "
             "orders of four learners have 24; with all 54 entries its own tables come to the last column.",
             table(["", "places, newsgroups", "duels, UCI", "score", "paper, printed", "paper, recomputed"], rows)]
    return "\n\n".join(text)


def paper_tables(results):
    text = ["## Orders and pairs, set by set", "In the form of the paper's tables 1-6 and 13 (newsgroups, dated split), 7-12 and 14 (UCI "
            "sets, the first random split), with % of right rows. `*`: another order or winner than in truth; =: equal in truth; "
            "??: undecided. Then the means over all scenarios of the set, and how often % the first of a pair, neither and the second "
            "is the better one in truth, and is said to be."]
    chosen = [one for one in results if one["part"] in ("uci", "newsgroups")]
    for name in sorted({one["set"] for one in chosen}):
        ran = sorted((one for one in chosen if one["set"] == name), key=lambda one: one["id"])
        first, names = ran[0], [SHORT.get(learner, learner) for learner in ran[0]["learners"]]
        pairs, methods = list(combinations(range(len(names)), 2)), {"truth": "truth", **ORDERING}
        orders, winners, means, shares = [], [], [], []
        for key, title in methods.items():
            if not has(first, key):
                continue
            shown = [names[at] + (f" {100 * first[key][at]:.1f}" if key != "rt" else "") for at in order(first, key)]
            star = "" if places_right(first, key) == len(names) else " `*`"
            cells = []
            for (a, b), found, true in zip(pairs, duels(first, key), duels(first, "truth")):
                cell = {"a": names[a], "b": names[b], "?": "=" if key == "truth" else "??"}[found]
                cells.append(cell + (" `*`" if "?" not in (found, true) and found != true else ""))
            winners.append([title, " > ".join(shown) + star, *cells])
            value = lambda one, at: 100 * one[key][at] if key != "rt" else order(one, key).index(at) + 1
            row = [figure([(name, value(one, at)) for one in ran], 1, 1) for at in range(len(names))]
            found = [duels(one, key) for one in ran]
            shares = [" / ".join(f"{100 * mean([text[at] == who for text in found]):.0f}" for who in "a?b") for at in range(len(pairs))]
            means.append([title + (", place" if key == "rt" else ""), *row, *shares])
        heads = [f"{names[a]} or {names[b]}" for a, b in pairs]
        text.append(f"**{name}**: {first['rows'][0]} and {first['rows'][1]} rows, {len(ran)} scenarios\n\n"
                    f"{table(['', 'order', *heads], winners, 2 + len(heads))}\n\n{table(['', *names, *heads], means)}")
    return "\n\n".join(text)


def regrets(results):
    rows = []
    for method, name in METHODS.items():
        if not regret_pairs(results, method):
            continue
        cells = {(one["part"], one["set"]): regret_pairs([one for one in results if (one["part"], one["set"]) == key], method)
                 for one in results for key in [(one["part"], one["set"])]}
        by_set = [(key, mean([value for _, value in pairs])) for key, pairs in cells.items() if pairs]
        rows.append([name, len(regret_pairs(results, method)), figure(regret_pairs(results, method)),
                     *(figure(regret_pairs(of_part(results, part), method), brackets=False) for part in PARTS),
                     figure(by_set, brackets=False)])
    text = ["## Regret", "Accuracy points lost on the population against the best of the learners. Leave-one-out ran on some of the "
            "scenarios with eight learners only: compare it by the differences below. The last column gives every set the same weight.",
            table(["method", "scenarios", "all", *PARTS, "mean of sets"], rows)]
    for title, chosen in list(by_learners(results).items())[1:]:
        kinds = {kind: [one for one in chosen if one["kind"] == kind] for kind in KINDS}
        kinds = {kind: ran for kind, ran in kinds.items() if ran}
        rows = [["scenarios", *map(len, kinds.values())]]
        rows += [[name, *(figure(regret_pairs(ran, method), brackets=False) for ran in kinds.values())]
                 for method, name in METHODS.items() if regret_pairs(chosen, method)]
        text.append(f"**{title.capitalize()}, by kind of bias**\n\n{table(['method', *kinds], rows)}")
    return "\n\n".join(text)


def differences(results):
    groups = by_learners(results)
    text = ["## Differences of regrets, on the same scenarios", "Accuracy points by which a method loses more than consensus selection or "
            "the committee; negative where it loses less."]
    for ours in ("consensus", "committee"):
        rows = [[name, len(regret_pairs(results, method, ours)), *(figure(regret_pairs(ran, method, ours)) for ran in groups.values())]
                for method, name in METHODS.items() if method != ours and regret_pairs(results, method, ours)]
        text.append(f"**Less {METHODS[ours]}**\n\n{table(['method', 'scenarios', *groups], rows)}")
    return "\n\n".join(text)


def benefits(groups):
    text = ["## Benefit", "% of the benefit of the best learner that is lost, and by how much more than by consensus selection: sums over "
            "scenarios, with the standard error of a ratio. A committee is not offered where benefits count. Then duels as in tables 17 and 18."]
    for title, ran in groups.items():
        rows = []
        for method, name in METHODS.items():
            used = [one for one in ran if regret(one, method) is not None]
            best, lost = [max(one["truth"]) for one in used], [regret(one, method) for one in used]
            more = [regret(one, method) - regret(one, "consensus") for one in used]
            if used:
                hit = "-" if method == "random" else round(100 * mean([value < 1e-9 for value in lost]))
                rows.append([name, ratio(lost, best), ratio(more, best), hit])
        best = mean([max(one["truth"]) for one in ran])
        text.append(f"**{title}**: {len(ran)} scenarios, the best learner brings {best:.3f} a case\n\n"
                    + table(["method", "% lost", "more than consensus selection", "% best chosen"], rows))
    head = ["", "%", "scenarios", "right", "undecided", "wrong", "equal in truth", "score", "score of decided",
            "cross-validation on these"]
    rows = [[title, *row] for title, ran in groups.items() for row in duel_rows(ran)]
    return "\n\n".join([*text, table(head, rows, 2)])


def error(one, key):
    """The mean absolute error of an estimate over the learners; nothing where there is none of some."""
    estimates = one.get(key, [None])
    return None if None in estimates else mean([abs(estimate - true) for estimate, true in zip(estimates, one["truth"])])


def expected(config, accuracy, benefit):
    def rows(groups, keys, scale, digits):
        found = []
        for title, ran in groups.items():
            used = [one for one in ran if all(error(one, key) is not None for key in keys)]
            less = [[(one["set"], error(one, key) - error(one, "expected")) for one in used] for key in keys[1:]]
            plain = [[(one["set"], error(one, key)) for one in used] for key in keys]
            if used:
                cells = [figure(pairs, digits, scale, False) for pairs in plain] + [figure(pairs, digits, scale) for pairs in less]
                found.append([title, len(used), *cells])
        return found

    is_binary = lambda one: {"positive", "at_least"} & set(config["sets"][one["set"]])
    two, more = [one for one in accuracy if is_binary(one)], [one for one in accuracy if not is_binary(one)]
    head = ["", "scenarios", "CV+dCal", "CV", "CBPE", "CV less CV+dCal", "CBPE less CV+dCal"]
    keys = ["expected", "cv", "cbpe"]
    return "\n\n".join([
        "## Expected performance", "Mean absolute error of the estimates of all learners of a scenario, in accuracy points, and paired "
        "differences: positive where the other estimate is further from the truth than CV+dCal, which `tribunal select` reports.",
        "**Sets of two classes**\n\n" + table(head, rows(groups_of(two), keys, 100, 2)),
        "**Sets of three classes**\n\n" + table(head, rows(groups_of(more), keys, 100, 2)),
        "**Benefit a case**, in dollars and euros\n\n" + table(head, rows(benefit, keys, 1, 3))])


def coverage(accuracy, benefit):
    def rows(groups, scale, digits):
        found = []
        for title, ran in groups.items():
            used = [one for one in ran if "lower" in one and None not in one["lower"]]
            # Figures are rounded to five digits.
            above = [[true > high + 1e-5 for true, high in zip(one["truth"], one["upper"])] for one in used]
            below = [[true < low - 1e-5 for true, low in zip(one["truth"], one["lower"])] for one in used]
            held = [[not a and not b for a, b in zip(*two)] for two in zip(above, below)]
            if used:
                sets = [one["set"] for one in used]
                width = mean([mean([high - low for low, high in zip(one["lower"], one["upper"])]) for one in used])
                found.append([title, len(used), figure(list(zip(sets, map(mean, held))), 1),
                              figure([(one["set"], row[one["recommended"]]) for one, row in zip(used, held)], 1),
                              f"{100 * mean(list(map(mean, below))):.1f}", f"{100 * mean(list(map(mean, above))):.1f}",
                              f"{scale * width:.{digits}f}"])
        return found

    sets = {}
    for one in sorted(accuracy, key=lambda one: one["id"]):
        sets.setdefault(f"{one['part']}, {one['set']}", []).append(one)
    head = ["%", "scenarios", "all learners covered", "recommended covered", "truth below", "truth above", "mean width"]
    return "\n\n".join([
        "## Intervals of the audit", "How often the 90 % interval for the expected performance holds the truth, of all learners of a "
        "scenario and of the recommended one; widths in accuracy points.", table(head, rows(groups_of(accuracy), 100, 1)),
        "**By set**\n\n" + table(head, rows(sets, 100, 1)), "**Benefit a case**\n\n" + table(head, rows(benefit, 1, 2))])
