"""No choice is taken and ignored: every option of `hepta bench amg` and every key of `linear` changes what is measured or computed, or is
refused or noted where the other choices do not read it. An option or a key that is new needs a line here."""
import os
import re
import sys

import runs

checks = runs.Checks()
ROCK = ["--problem", "lognormal", "--size", "9x8x7"]
SMOOTHED = lambda name: [*ROCK, "--smoother", name, "--method", "none"]
# Of each option: beside what it is given, and its value. Where it is not told otherwise the output without times differs.
OPTIONS = {
    "problem": ([*ROCK], "anisotropic"), "size": (ROCK[:2], "7"), "sigma": (ROCK, "1"), "correlation": (ROCK, "3"), "vertical": (ROCK, "50"),
    "storage": (ROCK, "1"), "wells": (ROCK, "3"), "boundary": (ROCK, "open"), "seed": (ROCK, "2"), "rhs": (ROCK, "random"),
    "coarsening": (ROCK, "cljp"), "interpolation": (ROCK, "direct"), "smoother": (ROCK, "spai-0"), "cycle": ([*ROCK, "--coarsest", "5"], "w"),
    "cycle-format": (ROCK, "hec"), "sweeps": (ROCK, "2,1"), "damping": (SMOOTHED("damped-jacobi"), "0.4"), "order": (SMOOTHED("chebyshev"), "4"),
    "domain": (SMOOTHED("hybrid"), "50"), "domains": ([*SMOOTHED("hybrid"), "--domain", "50"], "2"), "block": (SMOOTHED("block-jacobi"), "8"),
    "precision": (ROCK, "single"), "wells-apart": (["--problem", "wells", *ROCK[2:], "--method", "none"], None), "strength": (ROCK, "0.6"),
    "truncation": (ROCK, "0.3"), "weights": (ROCK, "2"), "levels": (ROCK, "2"), "coarsest": (ROCK, "5"), "method": (ROCK, "cg"),
    "restart": ([*ROCK, "--method", "gmres", "--tolerance", "1e-9"], "2"), "tolerance": (ROCK, "1e-9"), "iterations": ([*ROCK, "--tolerance", "1e-9"], "1"),
    "samples": ([*ROCK, "--formats"], "2"), "view": (ROCK, None), "formats": (ROCK, None), "threads": (ROCK, "2"), "names": (ROCK, None),
    "matrix": ([], "a.mtx"), "paper": (["--size", "9x8x7"], None), "peer": (ROCK, "hypre"), "write": (ROCK, "b.mtx"), "csv": (ROCK, "a.csv")}
ON_A_GPU = {"backend": "cuda", "gpus": "2", "one-gpu-rows": "9"}  # refused here
UNREAD = [(SMOOTHED("spai-0"), o, v) for o, v in (("damping", "0.4"), ("order", "4"), ("domain", "50"), ("domains", "2"), ("block", "8"))] + [
    ([*ROCK, "--method", m], "restart", "5") for m in ("none", "bicgstab", "cg")] + [
    (["--problem", "poisson", "--size", "6"], "seed", "2"), (["--problem", "poisson", "--size", "6"], "correlation", "3"),
    (["--problem", "poisson", "--size", "6x6x1"], "vertical", "3"), (ROCK, "wells-apart", None), (["--matrix", "a.mtx"], "wells-apart", None),
    (["--matrix", "a.mtx"], "seed", "2"), ([*ROCK, "--interpolation", "averaging"], "truncation", "0.3"), ([], "damping", "0.4"),
    (["--paper", "--size", "6"], "block", "2"), (["--paper", "--size", "6", "--smoother", "l1-jacobi"], "damping", "0.4")]

CPR = ["linear.preconditioner=cpr", "linear.cpr.coarsest=20"]
SMOOTHER = lambda name: [*CPR, "linear.cpr.smoother=" + name]
KEYS = {  # the same of `linear`
    "method": (CPR, "gmres"), "preconditioner": ([], "jacobi"), "ordering": (CPR, "red-black"), "precision": (CPR, "double"), "relaxation": (CPR, "0.5"),
    "tolerance": (CPR, "1e-6"), "max_iterations": (CPR, "1"), "restart": ([*CPR, "linear.method=gmres", "linear.tolerance=1e-8"], "2"),
    "matrix": (CPR, "csr"), "cpr.amg": (CPR, "hypre"), "cpr.weights": (CPR, "quasi-impes"), "cpr.rebuild": (CPR, "step"),
    "cpr.refresh": (CPR, "solve"), "cpr.coarsening": (CPR, "rs"), "cpr.interpolation": (CPR, "averaging"), "cpr.smoother": (CPR, "spai-0"),
    "cpr.cycle": (CPR, "w"), "cpr.strength": (CPR, "0.6"), "cpr.truncation": (CPR, "0.4"), "cpr.max_weights": (CPR, "2"), "cpr.damping": (CPR, "0.4"),
    "cpr.block": (SMOOTHER("block-jacobi"), "8"), "cpr.order": (SMOOTHER("chebyshev"), "4"), "cpr.domain": (SMOOTHER("hybrid"), "50"),
    "cpr.domains": ([*SMOOTHER("hybrid"), "linear.cpr.domain=50"], "2"), "cpr.precision": (CPR, "double"), "cpr.format": (CPR, "csr"),
    "cpr.pre": (CPR, "2"), "cpr.post": (CPR, "2"), "cpr.coarsest": (CPR[:1], "5"), "cpr.max_levels": (CPR, "2"), "cpr.seed": (CPR, "2")}
KEYS_ON_A_GPU = {"barrier": "flags", "execution": "graph", "exchange": "mpi", "specialise": "true"}
UNREAD_KEYS = [(SMOOTHER("spai-0"), k, v) for k, v in (("cpr.damping", "0.4"), ("cpr.order", "4"), ("cpr.block", "8"), ("cpr.domain", "50"),
                                                      ("cpr.domains", "2"))] + [
    (CPR, "restart", "2"), ([*CPR, "linear.cpr.coarsening=rs"], "cpr.seed", "2"), ([*CPR, "linear.cpr.interpolation=averaging"], "cpr.truncation", "0.4"),
    (["linear.preconditioner=dilu"], "cpr.pre", "2"), (["linear.preconditioner=jacobi"], "ordering", "red-black"),
    (["linear.preconditioner=jacobi"], "precision", "single"), (["linear.preconditioner=jacobi"], "relaxation", "0.5")]
UNREAD_BY_HYPRE = [("cpr.seed", "2"), ("cpr.format", "csr"), ("cpr.precision", "double"), ("cpr.block", "8"), ("cpr.domain", "50"), ("cpr.domains", "2")]
DECK = ["output.fields=false", "grid.size=[40,30,1]", "report.end=0.6", "wells.PROD.i=40", "wells.PROD.j=30"]


def without_times(text):
    """Numbers of times go, sizes in MB stay; of tables of times nothing."""
    text = re.sub(r"Where the time went.*?\n\n", "", text, flags=re.S)
    text = re.sub(r"[\d.e+-]+ (ms|s\b|us)|\d+\.\d+ GB/s", "T", text)
    return re.sub(r"in T[^;\n]*", "in T", text)


def bench(where, arguments):
    given = [] if "--samples" in arguments else ["--samples", "1"]
    given += [] if "--threads" in arguments else ["--threads", "1"]
    return runs.hepta("bench", "amg", *arguments, *given, where=where)


def run(where, settings):
    done = runs.hepta("run", runs.deck("quarter_five_spot"), "-o", os.path.join(where, "r"), "--threads", "1", "--monitor",
                      *[word for s in DECK + settings for word in ("--set", s)])
    return done, without_times(done.stdout + done.stderr)


def check_options(where):
    options = set(re.findall(r"^ +(?:-., )?--([a-z-]+)", runs.hepta("bench", "amg", "--help").stdout, re.M))
    checks.true("every option is here", options - {"help"} == set(OPTIONS) | set(ON_A_GPU), options ^ (set(OPTIONS) | set(ON_A_GPU)))
    checks.true("a matrix", bench(where, [*ROCK, "--write", "a.mtx"]).returncode == 0)
    before = {}
    for option, (beside, value) in list(OPTIONS.items())[::runs.every(1, 4)]:
        words = ["--" + option] + ([value] if value else [])
        known = tuple(beside)
        if known not in before and beside and beside[0] != "--size":
            before[known] = without_times(bench(where, beside).stdout)
        done = bench(where, [*beside, *words])
        if option == "peer" and os.environ.get("HEPTA_HAVE_HYPRE") == "OFF":
            checks.true("--peer is refused", done.returncode == 2, done.stderr)
            continue
        checks.true(" ".join([*beside, *words]) + " is taken", done.returncode == (option == "iterations"), done.stderr)
        if option in ("write", "csv"):
            checks.true("--%s has an effect" % option, os.path.getsize(os.path.join(where, value)) > 0)
        elif option != "samples":  # which --formats alone counts
            checks.true(" ".join(words) + " has an effect", without_times(done.stdout) != before.get(known), done.stdout)
        else:
            checks.true("--samples has an effect", "medians of 2" in done.stdout and "medians of 1" in before[known], done.stdout)
    for option, value in ON_A_GPU.items():
        done = bench(where, [*ROCK, "--" + option, value])
        checks.true("--%s is refused" % option, done.returncode in (1, 2) and done.stderr, done.stderr)
    for beside, option, value in UNREAD[::runs.every(1, 4)]:
        done = bench(where, [*beside, "--" + option] + ([value] if value else []))
        checks.true("%s --%s is refused: %s" % (" ".join(beside), option, done.stderr), done.returncode == 2 and
                    "--%s would change nothing: it is of " % option in done.stderr and not done.stdout, done.stdout)


def check_keys(where):
    with open(os.path.join(runs.SOURCE, "docs", "reference", "deck.md"), encoding="utf-8") as f:
        keys = {name for name, kind in re.findall(r"^\| `linear\.([a-z_.]+)` \| ([a-z ]+)", f.read(), re.M) if kind != "group "}
    checks.true("every key is here", keys == set(KEYS) | set(KEYS_ON_A_GPU), keys ^ (set(KEYS) | set(KEYS_ON_A_GPU)))
    before = {}
    hypre = os.environ.get("HEPTA_HAVE_HYPRE") != "OFF"
    for key, (beside, value) in list(KEYS.items())[::runs.every(1, 4)]:
        known = tuple(beside)
        if known not in before:
            before[known] = run(where, beside)[1]
        done, text = run(where, [*beside, "linear.%s=%s" % (key, value)])
        if key == "cpr.amg" and not hypre:
            checks.true("refused", done.returncode == 2, done.stderr)
            continue
        checks.true(key + " is taken", "without effect" not in done.stderr and done.returncode in (0, 1) and len(text) > 1000, done.stderr)
        checks.true(key + " has an effect", text != before[known], text)
    unread = UNREAD_KEYS + [([*CPR, "linear.cpr.amg=hypre"], key, value) for key, value in UNREAD_BY_HYPRE if hypre]
    for beside, key, value in unread[::runs.every(1, 4)]:
        done = runs.hepta("check", runs.deck("quarter_five_spot"), *[w for s in [*beside, "linear.%s=%s" % (key, value)] for w in ("--set", s)])
        said = done.returncode == 2 or "without effect" in done.stderr + done.stdout
        checks.true("%s linear.%s is refused or noted" % (" ".join(beside), key), said, done.stdout + done.stderr)
    for key, value in KEYS_ON_A_GPU.items():
        done = runs.hepta("check", runs.deck("quarter_five_spot"), "--set", "linear.%s=%s" % (key, value))
        checks.true("linear.%s is refused" % key, done.returncode == 2 and done.stderr, done.stderr)


with runs.folder() as folder:
    check_options(folder)
    check_keys(folder)
sys.exit(checks.result())
