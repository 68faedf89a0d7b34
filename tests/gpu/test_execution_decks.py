"""Whole decks on a GPU in every execution and with every format of the matrix. per-operation and graph give the files of
the in-kernel solver bit for bit, and so does every barrier; library and other formats, solved tightly on fixed steps, its fields to 1e-6. The set
of executions of hepta compare."""
import csv
import os
import sys

import numpy

import runs
from test_decks import FIXED, SMALL, TIGHT, same_bits

FORMATS = ["csr", "bsr", "sell", "dia", "ell", "hyb", "hec", "sg-dia"]


def gpu(deck, where, name, options):
    return runs.run(deck, where, options + ["output.double=true"], name=name, arguments=["--backend", "cuda"])


def bits(checks, where):
    for deck, options in (("schedule", SMALL), ("horizontal_deviated", ["report.times=[30.0]", "output.interval=10.0"])):
        for method, preconditioner in (("bicgstab", "dilu"), ("bicgstab", "block-jacobi"), ("bicgstab", "cpr"), ("gmres", "dilu"), ("gmres", "cpr")):
            case = options + ["linear.method=" + method, "linear.preconditioner=" + preconditioner]
            reference = gpu(deck, where, "in-kernel", case)
            for execution in ("per-operation", "graph"):
                other = gpu(deck, where, execution, case + ["linear.execution=" + execution])
                checks.true("%s, %s, %s, %s: the same bits" % (deck, method, preconditioner, execution), same_bits(reference, other))


def barriers(checks, where):
    for preconditioner in ("dilu", "cpr"):
        case = SMALL + ["linear.preconditioner=" + preconditioner]
        reference = gpu("schedule", where, "auto", case)
        for barrier in ("counter", "flags", "mesh", "tree", "cooperative"):
            other = gpu("schedule", where, barrier, case + ["linear.barrier=" + barrier])
            checks.true("%s, barrier %s: the same bits" % (preconditioner, barrier), same_bits(reference, other))
            said = "barrier " + barrier in other.stderr
            checks.true("%s, barrier %s: it is said, but for the default" % (preconditioner, barrier), said == (barrier != "counter"),
                        other.stderr[:600])
    for set_, word in (("linear.execution=graph", "execution in-kernel"), ("linear.method=bicgstab", "by a counter")):
        more = ["--gpus", "0,0"] if "counter" in word else []
        done = runs.hepta("check", runs.deck("schedule"), "--backend", "cuda", *more, "--set", "linear.barrier=flags", "--set", set_)
        checks.true("refused: " + word, done.returncode == 2 and word in done.stderr, done.stderr)
    done = runs.hepta("compare", runs.deck("schedule"), "--set-of", "papers", "--same-steps", "-o", os.path.join(where, "papers"),
                      *[a for o in SMALL for a in ("--set", o)])
    with open(os.path.join(where, "papers", "compare.csv"), newline="") as f:
        rows = list(csv.DictReader(f))
    checks.true("compare --set-of papers", done.returncode == 0 and len(rows) == 15 and all(r["state"] == "finished" for r in rows),
                [(r["case"], r["state"], r["why"]) for r in rows])


def close(checks, name, a, b):
    checks.true(name + ": the same steps", list(a.vector("TIME")) == list(b.vector("TIME")))
    checks.near(name + ": pressure", float(numpy.abs(a.field("pressure") / b.field("pressure") - 1).max()), 0.0, 1e-6)
    checks.near(name + ": saturation", float(numpy.abs(a.field("sw") - b.field("sw")).max()), 0.0, 1e-6)


def rounding(checks, where):
    options = TIGHT + FIXED + SMALL
    reference = gpu("schedule", where, "reference", options)
    cases = [["linear.execution=library", "linear.preconditioner=" + p] for p in ("dilu", "block-jacobi", "jacobi")]
    cases += [["linear.execution=library", "linear.preconditioner=dilu", "linear.method=gmres", "linear.restart=60"]]
    cases += [["linear.execution=per-operation", "linear.matrix=" + m] for m in FORMATS]
    cases += [["linear.execution=graph", "linear.matrix=" + m] for m in FORMATS if m not in ("csr", "sell")]
    cases += [["linear.execution=library", "linear.matrix=" + m] for m in FORMATS[:3]]
    for case in cases:
        close(checks, ", ".join(case), gpu("schedule", where, "other", options + case), reference)


def compared(checks, where):
    """`hepta compare --set-of executions`: every case runs, and those with the same bits differ from nothing."""
    sets = [a for o in SMALL for a in ("--set", o)]
    done = runs.hepta("compare", runs.deck("schedule"), "--set-of", "executions", "-o", os.path.join(where, "set"), *sets)
    checks.true("compare: 0", done.returncode == 0, done.stderr[-300:])
    with open(os.path.join(where, "set", "compare.csv"), newline="") as f:
        rows = {row["case"]: row for row in csv.DictReader(f)}
    checks.true("compare: all", len(rows) == 8 and all(r["state"] == "finished" for r in rows.values()),
                {name: r["state"] for name, r in rows.items()})
    for solver in ("", " cpr"):
        one = {name: rows[name + solver] for name in ("in-kernel", "per-operation", "graph")}
        for column in ("steps", "newton", "linear", "off_FPR[BARSA]", "off_cell_sw"):
            checks.true("compare: %s%s" % (column, solver), len({r[column] for r in one.values()}) == 1,
                        [r[column] for r in one.values()])


checks = runs.Checks()
with runs.folder() as folder:
    runs.skip_without_gpu(folder)
    bits(checks, folder)
    barriers(checks, folder)
    rounding(checks, folder)
    compared(checks, folder)
sys.exit(checks.result())
