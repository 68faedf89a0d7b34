"""Features of field decks on a GPU: aquifers, analytic and numerical, transmissibilities that change, rock
tables. The bits of the CPU with the same order of elimination, totals with cpr, the Jacobian, attempts that fail, and runs that go
on from a report step on the GPU, from the CPU to the GPU and back."""
import os
import sys

import h5py

import aquifers
import compaction
import multipliers
import restarts
import runs
from test_decks import NNC, RED_BLACK, both, close_totals, same_bits

CUDA = ["--backend", "cuda"]
DILU = ["linear.preconditioner=dilu"]
STEP = 5.0


def steps_of(base):
    with h5py.File(base + ".h5", "r") as f:
        return [int(s) for s in f["step"][:]]


def same_as_cpu(checks, where, name, path):
    """Bits with dilu, totals with cpr, the Jacobian."""
    cpu, gpu = both(path, where, name, [])
    checks.near(name + ": mass balance", max(gpu.mass_balance_errors()), 0.0, 1e-6)
    checks.true(name + ": the same bits", same_bits(cpu, gpu))
    checks.true(name + ": the same summary", restarts.tables(cpu.base) == restarts.tables(gpu.base))
    steps, linear = len(gpu.vector("TIME")), sum(gpu.solver["linear"])
    # solved well, or the last digits decide whether a step takes one iteration or two
    cpu, gpu = both(path, where, name + "-cpr", restarts.CPR + ["linear.tolerance=1e-4"])
    close_totals(checks, name + ", cpr", cpu, gpu, 0.3)
    print("%-14s %4d steps, %5d linear iterations; with cpr %d, %d on the CPU" %
          (name, steps, linear, sum(gpu.solver["linear"]), sum(cpu.solver["linear"])))
    done = runs.run(path, where, DILU, name + "-j", CUDA + ["--check-jacobian"])
    checks.true(name + ": Jacobian", "they agree" in done.stderr and "do NOT" not in done.stderr, done.stderr[-2000:])


def goes_on(checks, where, name, path, pick):
    """A run on the GPU from report steps of its own, of the CPU's result, and the CPU from the GPU's: all have the bits of the
    run that never stopped."""
    options = restarts.KEEP + DILU
    whole = os.path.join(where, name + "-whole")
    done = restarts.start(path, whole, options, CUDA)
    checks.true(name + ": the whole run", done.returncode == 0, done.stderr)
    host = os.path.join(where, name + "-host")
    done = restarts.start(path, host, options + [RED_BLACK])
    checks.true(name + ": the whole run on the CPU", done.returncode == 0, done.stderr)
    part = os.path.join(where, name + "-part")
    for step in pick(steps_of(whole)):
        for what, begun, own, arguments in (("GPU to GPU", whole, [], CUDA), ("CPU to GPU", host, [], CUDA),
                                            ("GPU to CPU", whole, [RED_BLACK], [])):
            done = restarts.go_on(path, part, "%s:%d" % (begun, step), options + own, arguments)
            what = "%s from step %d, %s" % (name, step, what)
            checks.true(what, done.returncode == 0, done.stderr)
            restarts.same_as(checks, what, part, whole)
    done = restarts.start(path, whole + "-cpr", restarts.KEEP + restarts.CPR, CUDA)
    checks.true(name + ", cpr: the whole run", done.returncode == 0, done.stderr)
    step = pick(steps_of(whole + "-cpr"))[0]
    done = restarts.go_on(path, part, "%s:%d" % (whole + "-cpr", step), restarts.KEEP + restarts.CPR, CUDA)
    checks.true(name + ", cpr: goes on", done.returncode == 0, done.stderr)
    restarts.same_as(checks, "%s, cpr, from step %d" % (name, step), part, whole + "-cpr")


def fails(checks, where, name, path, limits):
    """Attempts that fail count nothing."""
    options = ["timestep.initial=4", *limits]
    cpu, gpu = both(path, where, name + "-fails", options)
    checks.true(name + ": attempts failed", sum(gpu.solver["cuts"]) > 0, sum(gpu.solver["cuts"]))
    checks.near(name + ", attempts that fail: mass balance", max(gpu.mass_balance_errors()), 0.0, 1e-6)
    checks.true(name + ", attempts that fail: the same bits", same_bits(cpu, gpu))


def analytic_aquifers(checks, where):
    kinds = ("carter_tracy", "table", "fetkovich", "field_units", "flux", "two")
    decks = {name: getattr(aquifers, name)(step=STEP) for name in kinds}
    decks["aquifer_nnc"] = aquifers.deck("AQUCT\n 1 2010 1* 300 0.25 9E-5 400 24 120 /\n/\nAQUANCON\n 1 1 1 1 6 1 3 I- /\n/\n",
                                         step=STEP, add={"grid": NNC})
    for name, deck in decks.items():
        deck.part["summary"] += "FAQR\nFAQT\n"
        path = restarts.write_data(where, name, deck)
        same_as_cpu(checks, where, name, path)
        goes_on(checks, where, name, path, lambda steps: (steps[3], steps[7]))
    for name in ("carter_tracy", "two"):
        fails(checks, where, name, restarts.write_data(where, name + "_fails", getattr(aquifers, name)(step=30)),
              ["newton.max_iterations=3", "newton.tolerance_cnv=1e-6"])


def numerical_aquifers(checks, where):
    for name in ("chain", "by_face"):
        path = restarts.write_data(where, name, getattr(aquifers, name)(step=STEP))
        same_as_cpu(checks, where, name, path)
        goes_on(checks, where, name, path, lambda steps: (steps[3], steps[7]))


def changes(checks, where):
    """Of faults and faces, with connections across a fault and without, at time zero and later."""
    at_once = "MULTFLT\n A 0.05 /\n B 0.5 /\n/\n" + multipliers.LATER
    for name, grid, schedule in (("blocks", "", multipliers.LATER), ("throw", multipliers.FAULT, multipliers.LATER),
                                 ("at_once", multipliers.FAULT, at_once)):
        path = restarts.write_data(where, name, multipliers.deck(grid, schedule))
        same_as_cpu(checks, where, name, path)
        goes_on(checks, where, name, path, lambda steps: steps[1:-1])


def lowest_pressures(base):
    """Of the last report step's restart data, as bytes."""
    last = sorted(f for f in os.listdir(base + ".steps") if f.startswith("restart_"))[-1]
    with h5py.File(os.path.join(base + ".steps", last), "r") as f:
        return f["lowest_pressure"][:].tobytes(), f["pressure"][:].tobytes()


def rock_tables(checks, where):
    """Restarts before and behind the lowest pressure; with connections, whose direction counts, and an aquifer."""
    decks = {name: getattr(compaction, name)(step=STEP) for name in ("reversible", "irreversible", "regions", "directions")}
    decks["directions_nnc"] = compaction.directions(step=STEP, add={"grid": NNC})
    decks["rock_aquifer"] = compaction.irreversible(step=STEP, solution=aquifers.CONTACT + aquifers.CARTER_TRACY)
    decks["rock_aquifer"].part["runspec"] += aquifers.SIZES
    for name, deck in decks.items():
        deck.part["summary"] += "RPR\n/\nRWIP\n/\n"
        path = restarts.write_data(where, name, deck)
        same_as_cpu(checks, where, name, path)
        goes_on(checks, where, name, path, lambda steps: (steps[3], steps[7]))
    gpu, cpu = (lowest_pressures(os.path.join(where, "irreversible" + end)) for end in ("-whole", "-host"))
    checks.true("irreversible: the lowest pressures", gpu[0] == cpu[0] and gpu[0] != gpu[1])
    fails(checks, where, "irreversible", restarts.write_data(where, "irreversible_fails", compaction.irreversible(step=30)),
          ["newton.max_iterations=4"])


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        runs.skip_without_gpu(where)
        analytic_aquifers(checks, where)
        numerical_aquifers(checks, where)
        changes(checks, where)
        rock_tables(checks, where)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
