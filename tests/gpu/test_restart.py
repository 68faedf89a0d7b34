"""A run on a GPU that goes on from a report step gives the bits of the run that never stopped; one that began on the
CPU goes on there too. See tests/property/runs/test_restart.py for the rest."""
import os
import sys

import h5py

import restarts
import runs
from restarts import CPR, KEEP

CUDA = ["--backend", "cuda"]


def every_step(checks, where, deck, name, options):
    whole = os.path.join(where, name)
    done = restarts.start(deck, whole, KEEP + options, CUDA)
    checks.true(name + ": the whole run", done.returncode == 0, done.stderr)
    with h5py.File(whole + ".h5", "r") as f:
        steps = [int(s) for s in f["step"][:]]
    for step in steps:
        base = os.path.join(where, name + "-part")
        done = restarts.go_on(deck, base, "%s:%d" % (whole, step), KEEP + options, CUDA)
        what = "%s from step %d" % (name, step)
        checks.true(what, done.returncode == 0, done.stderr)
        restarts.same_as(checks, what, base, whole)
    return whole, steps


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        deck = restarts.write_deck(where)
        done = restarts.start(deck, os.path.join(where, "try"), KEEP, CUDA)
        runs.skip_unless_cuda(done)
        every = ["report.every=20.0"]
        whole, steps = every_step(checks, where, deck, "dilu", every + ["linear.preconditioner=dilu"])
        every_step(checks, where, deck, "cpr", every + CPR)
        nnc = every + ["grid.connections=((1,1,1,3,3,2,20.0),(2,1,1,5,4,1,5.0))"]
        every_step(checks, where, deck, "connections", nnc + ["linear.preconditioner=dilu"])
        every_step(checks, where, deck, "connections-cpr", nnc + CPR)
        every_step(checks, where, deck, "rebuilt", CPR + ["linear.cpr.rebuild=step"])
        # what is kept is the same on both: begun here, ended there
        begun = os.path.join(where, "begun")
        checks.true("begun on the CPU", restarts.start(deck, begun, KEEP + every).returncode == 0)
        with h5py.File(begun + ".h5", "r") as f:
            step = int(f["step"][2])
        done = restarts.go_on(deck, os.path.join(where, "ended"), "%s:%d" % (begun, step), KEEP + every, CUDA)
        checks.true("ended on the GPU", done.returncode == 0, done.stderr)
        done = restarts.go_on(deck, os.path.join(where, "ended"), "%s:%d" % (whole, steps[2]), KEEP + every)
        checks.true("begun on the GPU, ended on the CPU", done.returncode == 0, done.stderr)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
