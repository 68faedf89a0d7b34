"""Wells with segments on a GPU against the CPU with the same order of elimination. On fixed steps, solved tightly: fields to 1e-6,
vectors of segments to 1e-5 of their largest value (pow and log10 of the friction differ by an ulp); without friction, the same
bits."""
import os
import sys

import numpy

import runs

sys.path.insert(0, os.path.join(runs.SOURCE, "tests", "property", "runs"))
from test_segments import branches, crossing, horizontal  # noqa: E402

FIXED = ["timestep.initial=1", "timestep.max=1", "timestep.min=1"]
TIGHT = FIXED + ["linear.tolerance=1e-10", "linear.max_iterations=5000", "newton.tolerance_cnv=1e-8", "newton.tolerance_mb=1e-11",
                 "newton.max_iterations=30", "timestep.accuracy=0"]
DILU = ["linear.preconditioner=dilu"]
DECKS = {"horizontal": horizontal(steps="1 4*2"), "acceleration": horizontal("HFA", diameter=0.05, steps="1 4*2"),
         "branches": branches(steps="1 4*2"), "crossing": crossing(steps="10*2")}


def both(where, name, text, options, own=()):
    path = os.path.join(where, name.upper() + ".DATA")
    with open(path, "w") as f:
        f.write(text)
    double = ["output.double=true"]
    return (runs.run(path, where, options + double + list(own), name=name + "-cpu"),
            runs.run(path, where, options + double, name=name + "-gpu", arguments=["--backend", "cuda"]))


def vectors(base):
    return {name: numbers for name, numbers in runs.Table(base + ".summary.csv").columns.items()
            if name.split(":")[0] in ("SPR", "SOFR", "SWFR", "SPRD", "SPRDH", "SPRDF", "SPRDA", "WBHP", "FOPT")}


def close(checks, name, cpu, gpu):
    for field in ("pressure", "sw"):
        a, b = gpu.field(field), cpu.field(field)
        checks.near("%s: %s" % (name, field), float(numpy.abs(a - b).max()), 0.0, 1e-6 * float(numpy.abs(b).max()))
    on_gpu, compared = vectors(gpu.base), 0
    for vector, numbers in vectors(cpu.base).items():
        b = numpy.array(numbers, float)
        off = float(numpy.abs(numpy.array(on_gpu[vector], float) - b).max())
        checks.near("%s: %s" % (name, vector), off, 0.0, 1e-5 * float(numpy.abs(b).max()))
        compared += 1
    checks.true(name + ": vectors of segments", compared > 5, compared)
    checks.near(name + ": mass balance", max(gpu.mass_balance_errors()), 0.0, 1e-6)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        runs.skip_without_gpu(where)
        for name, text in DECKS.items():
            close(checks, name, *both(where, name, text, TIGHT + DILU, ["linear.ordering=red-black"]))
        close(checks, "cpr", *both(where, "cpr", DECKS["branches"], TIGHT + ["linear.preconditioner=cpr"], ["linear.cpr.pre=0"]))
        cpu, gpu = both(where, "still", branches("H--", steps="1 4*2"), DILU, ["linear.ordering=red-black"])
        same = runs.datasets(cpu.base + ".h5") == runs.datasets(gpu.base + ".h5")
        checks.true("without friction: the same bits", same)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
