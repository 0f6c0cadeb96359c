"""Run the benchmarks and their peers in one run and print ratios.

What: makes the data, runs `cargo bench` for Tribunal and the peers of `peers/` on the same rows, alternating, and
prints a table with wall and CPU seconds (medians, and the best) and how many times faster Tribunal is than each peer.
Why: a machine that others use gives no absolute times; ratios of neighbouring runs are what counts. Needs
`peers/requirements.txt`.

    python compare.py [--rows 10000000] [--repeat 3] [--data DIR] [--scaling]
                      [--only learners|regressions|svm|study|select] [--tribunal BINARY]
"""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import mean, median

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def lines(command):
    """The JSON lines that a command prints."""
    run = subprocess.run([str(part) for part in command], cwd=ROOT, check=True, capture_output=True, text=True)
    return [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]


def bench(name, *args):
    """One benchmark of Tribunal."""
    return lines(["cargo", "bench", "--quiet", "--package", "tribunal-benches", "--bench", name, "--", *args])


def peer(name, *args):
    """One program of the peers."""
    return lines([sys.executable, HERE / "peers" / name, *args])


def gathered(runs):
    """The wall and CPU times of each contender over several runs, and the memory of the last."""
    table = {}
    for run in runs:
        known = table.setdefault(run["peer"], {"wall": [], "cpu": []})
        known["wall"].append(run["wall"])
        known["cpu"].append(run["cpu"])
        known["maxrss"] = run.get("maxrss")
    return table


def show(title, table):
    """Prints one comparison: medians, and beside their ratio that of the best runs."""
    ours = table["tribunal"]
    print(f"\n{title}")
    columns = ("wall s", "best", "CPU s", "peak MB", "wall ratio", "of bests", "CPU ratio")
    print(f"  {'':12}" + "".join(f"{column:>11}" for column in columns))
    for name, run in sorted(table.items(), key=lambda item: median(item[1]["wall"])):
        memory = f"{run['maxrss'] / 1e6:.0f}" if run.get("maxrss") else ""
        ratios = [of(run[kind]) / of(ours[kind]) for of, kind in ((median, "wall"), (min, "wall"), (median, "cpu"))]
        times = f"{median(run['wall']):11.4f}{min(run['wall']):11.4f}{median(run['cpu']):11.4f}"
        print(f"  {name:12}{times}{memory:>11}" + "".join(f"{ratio:11.2f}" for ratio in ratios), flush=True)


def in_memory(args, kind):
    """Scores in memory to AUROC and curves."""
    folder = args.data / f"raw-{kind}-{args.rows}"
    made = ["--rows", args.rows, "--kind", kind, "--base-rate", 0.1, "--seed", 1, "--data", folder]
    runs = []
    for _ in range(args.repeat):
        runs += peer("in_memory.py", *made, "--peers", "numpy,numpy_apart")
        runs += bench("in_memory", "--data", folder)
    runs += peer("in_memory.py", *made, "--peers", "sklearn", "--repeat", 1)
    show(f"{args.rows} {kind} scores in memory: ranking, AUROC, ROC, precision-recall and gains points", gathered(runs))


def scored_file(args, kind, form, rows, peers="duckdb,polars,pyarrow"):
    """A scored file to the whole judgement."""
    file = args.data / f"{kind}-{rows}.{form}"
    if not file.exists():
        peer("make_file.py", "--rows", rows, "--kind", kind, "--base-rate", 0.1, "--seed", 1, "-o", file)
    runs = []
    for _ in range(args.repeat):
        runs += bench("scored_file", "--file", file)
        runs += peer("scored_file.py", file, "--peers", peers) if peers else []
    return gathered(runs)


def certainty(args):
    """DeLong's test and the bootstrap at 10^5 rows, ANOVA with Duncan's test at 26 by 10."""
    folder = args.data / "certainty-100000"
    runs = []
    for _ in range(args.repeat):
        runs += peer("certainty.py", "--data", folder)
        runs += bench("certainty", "--data", folder)
        if shutil.which("Rscript"):
            runs += lines(["Rscript", HERE / "peers" / "certainty.R", folder])
    titles = {
        "delong": "DeLong's test of two models, 100000 rows",
        "bootstrap": "2000 bootstrap replicates of the AUROC, 100000 rows (scikit-learn scaled from 20)",
        "duncan": "ANOVA with Duncan's test, 26 models by 10 folds",
    }
    for job, title in titles.items():
        show(title, gathered([run for run in runs if run["job"] == job]))


def decisions(args):
    """Charts, profit and capacity beside the AUROC alone; bootstrap replicates of profit at 10^6 rows."""
    runs = [run for _ in range(args.repeat) for run in bench("decisions", "--rows", args.rows)]
    for job in ("plain", "amounts", "weights"):
        title = f"{args.rows} scores in memory ({job}): risk and error-matrix charts, profit, capacity, and (auroc) the AUROC alone"
        show(title, gathered([run for run in runs if run["job"] == job]))
    folder = args.data / "decisions-1000000"
    runs = []
    for _ in range(args.repeat):
        runs += peer("profit_replicates.py", "--data", folder)
        runs += bench("profit_replicates", "--data", folder)
    show("1000 bootstrap replicates of profit at a list and at the best list, 1000000 rows (numpy scaled from 20)", gathered(runs))


def intervals(args):
    """Every figure of one model with its interval, beside the figures alone."""
    for rows in (1000, args.rows):
        runs = [run for _ in range(args.repeat) for run in bench("intervals", "--rows", rows)]
        show(f"{rows} scores in memory: every figure and curve, with intervals and (figures) without", gathered(runs))


def clusters(args):
    """k-means from the same starts beside scikit-learn's Lloyd: clusters that are there, and rows that overlap."""
    runs = []
    for _ in range(args.repeat):
        runs += bench("kmeans", "--rows", 10**6)
        runs += peer("kmeans.py", 10**6)
    for world in ("clusters", "overlap"):
        show(f"k-means, 1000000 rows of 10 columns, 8 clusters ({world})", gathered([run for run in runs if run["world"] == world]))


def correct(args):
    """A correction by bands of a score beside reading its columns."""
    folder = args.data / f"actioned-{args.rows}"
    peer("make_actioned.py", args.rows, args.rows // 10, folder)
    files = ("--prevalence", folder / "prevalence.parquet", "--incidence", folder / "incidence.parquet")
    runs = [run for _ in range(args.repeat) for run in bench("correct", *files)]
    show(f"{args.rows} rows of the population and {args.rows // 10} actioned cases in Parquet, ten bands", gathered(runs))


def claims(args, form, rows):
    """Synthetic claims from the seed to the file."""
    file = args.data / f"claims.{form}"
    runs = []
    for _ in range(args.repeat):
        runs += bench("claims", "--rows", rows, "--file", file)
        runs += peer("claims.py", "--rows", rows, "-o", file)
    file.unlink()
    table = gathered(runs)
    show(f"{rows} synthetic claims to {form.upper()}", table)
    rates = (f"{name} {rows / median(run['wall']):.0f}" for name, run in table.items())
    print(f"  rows a second: {', '.join(rates)}", flush=True)


def dataset(args):
    """A CSV file of claims to typed and coded columns."""
    file = args.data / "vehicle-claims.csv"
    runs = []
    for _ in range(args.repeat):
        runs += peer("dataset.py", file)
        runs += bench("dataset", "--data", file)
    show("15420 claims of 33 columns read from CSV and encoded", gathered(runs))


def splits(args):
    """Classes in memory to ten stratified folds."""
    folder = args.data / f"splits-{args.rows}"
    runs = []
    for _ in range(args.repeat):
        runs += peer("splits.py", "--rows", args.rows, "--data", folder)
        runs += bench("splits", "--data", folder)
    show(f"ten stratified folds of {args.rows} rows", gathered(runs))


WEKA = Path("/usr/share/java/weka.jar")


def learners(args):
    """Codes in memory to models, cross-validated and fitted once; leave-one-out beside one fit and one scoring pass."""
    jobs = {
        1399: ("c45-cv,nb-cv,tan-cv,nb-fitscore,nb-loo,tan-fitscore,tan-loo", "tree-cv,nb-cv", "c45-cv,tan-cv"),
        15000: ("c45-cv,nb-cv,tan-cv", "tree-cv,nb-cv", "c45-cv,tan-cv"),
        150000: ("c45-fit,nb-fit,tan-fit", "tree-fit,nb-fit", "c45-fit,tan-fit"),
    }
    for rows, (ours, of_sklearn, of_weka) in jobs.items():
        given = ["--rows", rows, "--data", args.data / "learners"]
        runs = []
        for _ in range(args.repeat):
            runs += bench("learners", *given, "--jobs", ours)
            runs += peer("learners.py", *given, "--jobs", of_sklearn)
            if WEKA.exists() and shutil.which("javac"):
                runs += peer("learners_weka.py", *given, "--jobs", of_weka)
        # The tree of scikit-learn is what people take instead of C4.5.
        named = [{**run, "job": run["job"].replace("tree-", "c45-")} for run in runs]
        for job in ours.split(","):
            show(f"{job}, {rows} claims", gathered([run for run in named if run["job"] == job]))
    print("\none fit, by rows")
    print(f"  {'job':10} {'rows':>8} {'wall s':>9} {'CPU ns/row':>11} {'peak above rest / codes':>24}")
    for rows in (10**4, 10**5, 10**6):
        for job in ("nb-fit", "tan-fit", "c45-fit"):
            run = bench("learners", "--rows", rows, "--jobs", job, "--repeat", 1)[0]
            grown = (run["maxrss"] - run["resting"]) / run["encoded"]
            print(f"  {job:10} {rows:>8} {run['wall']:9.4f} {run['cpu'] / rows * 1e9:11.1f} {grown:24.2f}", flush=True)


def regressions(args):
    """A matrix in memory to regressions, neighbours, networks and kernel machines, beside scikit-learn."""
    jobs = {
        1399: (
            "logit-cv,logit-loo,knn-cv,knnstrict-cv,knn-fitscore,knn-loo,knnstrict-loo,mlp-cv,lssvm-grid,lssvm-fit,lssvm-loo,svm-cv,svmloose-cv",
            "logit-cv,logit-loo,knn-cv,knn-loo,mlp-cv,lssvm-grid,svm-cv",
        ),
        150000: ("knn-fitscore", "knn-score"),
        1500000: ("logit-fit", "logit-fit"),
    }
    names = {"knnstrict-cv": "knn-cv", "knnstrict-loo": "knn-loo", "knn-fitscore": "knn-score", "svmloose-cv": "svm-cv"}
    for rows, (ours, of_sklearn) in jobs.items():
        given = ["--rows", rows, "--data", args.data / "regressions"]
        repeat = args.repeat if rows == 1399 else 1
        runs, peers = [], []
        for _ in range(repeat):
            runs += bench("learners", *given, "--numbers", "--jobs", ours, "--repeat", repeat)
            peers += peer("numeric.py", *given, "--jobs", of_sklearn, "--repeat", repeat)
        for job in ours.split(","):
            alike = [run for run in peers if run["job"] == names.get(job, job)]
            show(f"{job}, {rows} claims", gathered([run for run in runs if run["job"] == job] + alike))


def machines(args):
    """One support vector machine fitted to all rows, beside libsvm, on one thread each; at 1e-3 and at our 1e-6."""
    for rows in (5_000, 20_000):
        for kind in ("separable", "overlapping", "curved", "claims"):
            given = ["--rows", rows, "--kind", kind, "--data", args.data / "svm"]
            runs = []
            for _ in range(args.repeat):
                runs += bench("svm", *given)
                runs += peer("svm.py", *given, "--peers", "libsvm,libsvm_1e6")
            for job in (f"svm-linear-{kind}", f"svm-rbf-{kind}"):
                show(f"{job}, {rows} rows", gathered([run for run in runs if run["job"] == job]))


def binary(args):
    """The program to time."""
    if args.tribunal:
        return args.tribunal.resolve()
    built = ["cargo", "build", "--release", "--package", "tribunal-cli", "--message-format", "json"]
    return next(Path(line["executable"]) for line in lines(built) if line.get("executable"))


def study(args):
    """The line-up of Viaene et al. (2002) on one scenario: each family, and all together, beside other tools."""
    tribunal, claims, held = binary(args), args.data / "study-claims.csv", args.data / "study-held.csv"
    lines([tribunal, "generate", "claims", "--quiet", "-o", claims])
    of_claims = [claims, "--schema", "claims", "--target", "4+", "--quiet"]
    lines([tribunal, "cross", *of_claims, "--learner", "majority", "-o", held])
    given = ["--claims", claims, "--held", held]
    ours = lines([sys.executable, HERE / "study.py", *given, "--tribunal", tribunal])
    show_study(ours + peer("study.py", *given))


def show_study(runs):
    """Prints each family of a peer beside that of Tribunal, on the folds that the peer was timed on."""
    ours = {run["family"]: run for run in runs if run["peer"] == "tribunal"}
    for name in ("usual", "hand"):
        print(f"\none scenario of 1399 claims, ten folds, tuning inside: tribunal and {name}")
        columns = ("CPU s", f"{name} s", "CPU ratio", "coarse", "wall ratio", "AUROC", name, "folds")
        print(f"  {'':12}" + "".join(f"{column:>11}" for column in columns))
        for run in (run for run in runs if run["peer"] == name and run["family"] in ours):
            print(study_row(ours[run["family"]], run), flush=True)
    one, ten = ours["study"]["cpu"], ours["scenarios"]["cpu"]
    print(f"\na study of one scenario takes tribunal {one:.1f} CPU s, of ten {ten:.1f}, {ten / one:.2f} times as much")


def study_row(ours, run):
    """Coarse: the ratio where the peer has no finer grids, and Tribunal has them."""
    ratios = f"{run['cpu'] / ours['cpu']:11.1f}"
    ratios += f"{run['coarse_cpu'] / ours['cpu']:11.1f}" if "coarse_cpu" in run else " " * 11
    row = f"  {run['family']:12}{ours['cpu']:11.2f}{run['cpu']:11.2f}{ratios}{run['wall'] / ours['wall']:11.1f}"
    if "members" not in run:
        return row
    n_folds = run.get("scaled_from", 10)
    best = lambda line: max(mean(aurocs[:n_folds]) for aurocs in line["members"].values())
    return f"{row}{best(ours):11.4f}{best(run):11.4f}{n_folds:11}"


def selection(args):
    """A choice among learners for rows without labels: beside repeated cross-validation, beside scikit-learn, of 27."""
    folder = args.data / "select"
    ours = ["--tribunal", binary(args), "--data", folder]
    timed = lambda *jobs: lines([sys.executable, HERE / "selection.py", *ours, "--jobs", *jobs])
    of_job = lambda runs, job: gathered([run for run in runs if run["job"] == job])
    tournaments = ("tournament-claims", "tournament-numbers")
    runs = timed(",".join(tournaments), "--repeat", args.repeat)
    for job in tournaments:
        show(f"{job}: four learners, 2000 labelled rows and 2000 others, beside 100 times ten-fold", of_job(runs, job))
    runs, claims = [], [folder / f"select-claims-2000-{seed}.csv" for seed in (1, 2)]
    for _ in range(args.repeat):
        runs += timed("audit")
        runs += peer("selection.py", *claims, "--selection", folder / "audit.json")
    show("audit: eight learners, 2000 labelled claims and 2000 others, with ten simulations", of_job(runs, "audit"))
    (run,) = timed("line-up")
    print(f"\n27 learners, 1399 labelled claims and 1399 others: {run['wall']:.1f} s, {run['cpu']:.1f} CPU s", flush=True)


def scaling(args):
    """Time and memory from 10^5 to 10^8 rows."""
    print("\ncontinuous scores in Parquet, from file to judgement")
    print(f"  {'rows':>10} {'wall s':>9} {'CPU s':>9} {'CPU ns/row':>11} {'peak MB':>8} {'bytes/row':>10}")
    for rows in (10**5, 10**6, 10**7, 10**8):
        ours = scored_file(args, "continuous", "parquet", rows, peers="")["tribunal"]
        wall, cpu = median(ours["wall"]), median(ours["cpu"])
        per_row = f"{cpu / rows * 1e9:11.1f} {ours['maxrss'] / 1e6:8.0f} {ours['maxrss'] / rows:10.1f}"
        print(f"  {rows:>10} {wall:9.4f} {cpu:9.4f} {per_row}")


# What can be asked for by itself.
ALONE = {
    "certainty": certainty,
    "decisions": decisions,
    "intervals": intervals,
    "kmeans": clusters,
    "correct": correct,
    "learners": learners,
    "regressions": regressions,
    "svm": machines,
    "study": study,
    "select": selection,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10**7)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--data", type=Path, default=ROOT / "target" / "bench-data")
    parser.add_argument("--scaling", action="store_true", help="also 10^5 to 10^8 rows; needs 3 GB of disk")
    parser.add_argument("--only", choices=list(ALONE), help="one benchmark")
    parser.add_argument("--tribunal", type=Path, help="the program that `study` and `select` time; it is built where none is given")
    args = parser.parse_args()
    args.data = args.data.resolve()
    args.data.mkdir(parents=True, exist_ok=True)
    if args.only:
        return ALONE[args.only](args)
    for kind in ("continuous", "tied"):
        in_memory(args, kind)
    for kind in ("continuous", "tied"):
        for form in ("parquet", "csv"):
            title = f"{args.rows} {kind} scores in {form.upper()}: AUROC, KS, AP, Brier, log-loss, lift, profit"
            show(title, scored_file(args, kind, form, args.rows))
    certainty(args)
    decisions(args)
    intervals(args)
    clusters(args)
    correct(args)
    for rows in sorted({10**6, args.rows}):
        for form in ("parquet", "csv"):
            claims(args, form, rows)
    splits(args)
    dataset(args)
    learners(args)
    regressions(args)
    machines(args)
    study(args)
    selection(args)
    if args.scaling:
        scaling(args)


if __name__ == "__main__":
    main()
