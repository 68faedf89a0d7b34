"""Whole decks on a GPU against the CPU with the same order of elimination: every kind of well
and control, crossflow, inactive cells, horizontal and deviated wells, tables and analytic
functions, one and two dimensions, every method and preconditioner; faults, connections and
threshold pressures; and the Egg model where it
is found (HEPTA_SHARED, or `shared` beside the repository). The bar: on fixed steps
solved tightly, fields to 1e-6; with default tolerances totals to 0.1 % and counts to 5 %.
Where no function of the C library is in the way, summary and fields have the same bits."""
import os
import re
import subprocess
import sys
import time

import numpy

import flow
import multipliers
import runs
from region_decks import DECKS, STEERED

sys.path.insert(0, os.path.join(runs.SOURCE, "tests", "team"))
from test_run_bits import DECK  # noqa: E402

RED_BLACK = "linear.ordering=red-black"
TIGHT = ["linear.tolerance=1e-10", "linear.max_iterations=5000", "newton.tolerance_cnv=1e-8", "newton.tolerance_mb=1e-11",
         "newton.max_iterations=30"]
# Two regions of everything, end points, and saturations that the capillary pressure is scaled to; the wells' deck.
REGIONS = [
    "fluids=({water={density=1020.0;reference_pressure=180.0;compressibility=4.4e-5;viscosity=0.5;};"
    "oil={density=850.0;reference_pressure=180.0;compressibility=1.2e-4;viscosity=1.5;};},"
    "{water={density=1060.0;reference_pressure=150.0;compressibility=3e-5;viscosity=0.3;};"
    "oil={density=780.0;table=([80.0,1.3,0.7],[200.0,1.25,0.9],[400.0,1.2,1.1]);};})",
    "saturation=({model=\"corey\";swc=0.2;sor=0.2;krw_max=0.5;nw=2.0;no=2.0;pc_entry=0.3;},"
    "{model=\"table\";table=([0.1,0.0,0.9,0.9],[0.3,0.02,0.5,0.2],[0.7,0.3,0.0,0.05],[0.9,0.8,0.0,0.0]);})",
    "rock=({reference_pressure=180.0;compressibility=4.0e-5;},{reference_pressure=180.0;compressibility=2.0e-4;})",
    "initial=({datum_depth=1800.0;datum_pressure=180.0;contact_depth=1814.0;},"
    "{datum_depth=1800.0;datum_pressure=182.0;contact_depth=1812.0;})",
    "regions={pvt={layers=({k=[1,3];value=1;},{k=4;value=2;});};"
    "equilibrium={layers=({k=[1,3];value=1;},{k=4;value=2;});};"
    "saturation={generator=\"channels\";background=1;channel=2;width=3.0;thickness=1.0;fraction=0.4;};"
    "rock={generator=\"channels\";background=2;channel=1;width=2.0;thickness=1.0;fraction=0.5;};}"]
ENDPOINTS = ["endpoints={swl={generator=\"normal\";seed=7;mean=0.15;stddev=0.03;min=0.05;max=0.22;};swcr=0.25;swu=0.85;"
             "sowcr={generator=\"normal\";seed=8;mean=0.2;stddev=0.02;min=0.16;max=0.3;};kro=0.8;three_point=true;}"]
FIXED = ["timestep.initial=5", "timestep.max=5", "timestep.min=5"]
SMALL = ["grid.size=[12, 12, 3]", "wells.INJ.i=6", "wells.INJ.j=6", "wells.P2.i=12", "wells.P3.j=12", "report.end=30",
         "report.every=10"]
DOUBLE = ["output.double=true"]


def both(deck, where, name, options):
    """The run on the CPU in red-black order (where dilu is used), with cpr's sweeps of a GPU, and on the GPU with its own
    defaults."""
    dilu = not any(o.startswith("linear.preconditioner") and not o.endswith("=cpr") for o in options)
    dilu = dilu and not any(o.startswith("linear.ordering") for o in options)
    named = any(o.startswith("linear.preconditioner") for o in options)
    alone = [] if named else ["linear.preconditioner=dilu"]
    own = ([RED_BLACK] if dilu else []) + (["linear.cpr.pre=0"] if "linear.preconditioner=cpr" in options else [])
    cpu = runs.run(deck, where, options + DOUBLE + own + alone, name=name + "-cpu")
    gpu = runs.run(deck, where, options + DOUBLE + alone, name=name + "-gpu",
                   arguments=["--backend", "cuda"])
    return cpu, gpu


def same_bits(cpu, gpu):
    with open(cpu.base + ".summary.csv") as a, open(gpu.base + ".summary.csv") as b:
        if a.read() != b.read():
            return False
    return runs.datasets(cpu.base + ".h5") == runs.datasets(gpu.base + ".h5")


def close_fields(checks, name, cpu, gpu):
    checks.true(name + ": the same steps", list(cpu.vector("TIME")) == list(gpu.vector("TIME")))
    p, s = numpy.abs(gpu.field("pressure") / cpu.field("pressure") - 1), numpy.abs(gpu.field("sw") - cpu.field("sw"))
    checks.near(name + ": pressure", float(p.max()), 0.0, 1e-6)
    checks.near(name + ": saturation", float(s.max()), 0.0, 1e-6)


def close_totals(checks, name, cpu, gpu, share=0.05):
    for vector in ("FOPT", "FWPT", "FWIT"):
        a, b = gpu.vector(vector)[-1], cpu.vector(vector)[-1]
        checks.near("%s: %s" % (name, vector), a, b, 1e-3 * max(abs(b), 1.0))
    for column in ("newton", "linear"):
        a, b = sum(gpu.solver[column]), sum(cpu.solver[column])
        checks.near("%s: iterations, %s" % (name, column), a, b, max(share * b, 2))


def decks(checks, where):
    wells = os.path.join(where, "wells.cfg")
    with open(wells, "w") as f:
        f.write(DECK)
    cases = [("wells", wells, []), ("schedule", "schedule", []), ("horizontal", "horizontal_deviated", ["report.end=100"]),
             ("quarter", "quarter_five_spot", ["report.end=200"]), ("line", "buckley_leverett", []),
             ("eclipse", "FIVE_SPOT.DATA", [])]
    for name, deck, options in cases:
        cpu, gpu = both(deck, where, name, options)
        close_totals(checks, name, cpu, gpu)
        error = max(gpu.mass_balance_errors())
        checks.near(name + ": mass balance", error, 0.0, 1e-6)
        bits = same_bits(cpu, gpu)
        print("%-12s %4d steps, %5d linear iterations, %s" % (name, len(gpu.vector("TIME")), sum(gpu.solver["linear"]),
                                                             "the same bits" if bits else "NOT the same bits"))
        checks.true(name + ": the same bits", bits)


def regions(checks, where):
    """Cells of several regions and with end points of their own, alone and together, with every kind of well; and the
    Eclipse decks that are run beside OPM Flow."""
    wells = os.path.join(where, "regions.cfg")
    with open(wells, "w") as f:
        f.write(DECK)
    for name, options in (("regions", REGIONS), ("end points", ENDPOINTS), ("both", REGIONS + ENDPOINTS),
                          ("swatinit", ["initial.swatinit=0.4"]), ("rock", REGIONS[2:3] + ["regions.rock=2"])):
        cpu, gpu = both(wells, where, name.replace(" ", "-"), options)
        close_totals(checks, name, cpu, gpu)
        checks.near(name + ": mass balance", max(gpu.mass_balance_errors()), 0.0, 1e-6)
        checks.true(name + ": the same bits", same_bits(cpu, gpu))
        print("%-14s %4d steps, %5d linear iterations" % (name, len(gpu.vector("TIME")), sum(gpu.solver["linear"])))
    steered = {name: STEERED[name][0] for name in ("krwr", "killough", "carlson", "imbibition", "connectionends", "directionends", "iends")}
    for name, sections in {**DECKS, **steered}.items():
        path = os.path.join(where, name.upper() + ".DATA")
        with open(path, "w") as f:
            f.write(flow.Deck(**sections).text())
        checks.true(name + ": the same bits", same_bits(*both(path, where, name, [])))
    every = REGIONS + ENDPOINTS
    close_fields(checks, "regions, cpr", *both(wells, where, "regions-cpr", TIGHT + FIXED + every +
                                               ["linear.preconditioner=cpr"]))
    pow_of = ["saturation[0].nw=2.4", "saturation[0].no=2.2"]
    close_fields(checks, "regions, pow", *both(wells, where, "regions-pow", TIGHT + FIXED + every + pow_of))
    gpu = runs.run(wells, where, every, name="jacobian", arguments=["--backend", "cuda", "--check-jacobian"])
    checks.true("Jacobian of regions on the GPU", "they agree" in gpu.stderr and "do NOT" not in gpu.stderr,
                gpu.stderr[-2000:])


# Two regions of equilibrium side by side.
EQLNUM = "EQLNUM\n " + " ".join("5*1 5*2" for _ in range(18)) + " /\n"
EQUIL = "EQUIL\n 2000 200 2100 0 /\n 2000 %s 2100 0 /\n"
SEVERAL = "TABDIMS\n 1 1 30 30 5 /\nEQLDIMS\n 2 /\n"
NNC = "NNC\n 5 1 1 6 2 3 0.8 /\n 5 3 1 6 3 2 1.5 /\n 1 1 2 10 6 2 0.3 /\n/\nEQUALS\n MULTX 0.2 5 5 1 6 1 3 /\n/\n"


def thresholds(pressure, value, **sections):
    return flow.Deck(tabdims=SEVERAL + "EQLOPTS\n THPRES /\n", regions=EQLNUM,
                     solution=EQUIL % pressure + "THPRES\n 1 2 %s /\n/\n" % value, **sections)


def connections(checks, where):
    """Cells that are connected without being neighbours: a field with faults along both axes, NNC, with thresholds
    between regions; thresholds alone. The same bits with dilu, the same totals with cpr."""
    field = os.path.join(where, "FIELD.DATA")
    subprocess.run([sys.executable, os.path.join(runs.SOURCE, "bench", "faulted_field.py"), field, "--size", "14x14x6",
                    "--faults", "4", "--wells", "6", "--years", "1"], check=True)
    cases = [("field", field)]
    for name, deck in (("nnc", flow.Deck(add={"grid": NNC})), ("thresholds", thresholds("165", "1*")),
                       ("held", thresholds("200", "35", add={"grid": NNC})),
                       ("fault", multipliers.deck(multipliers.FAULT, "TSTEP\n 5*20 /\n")),
                       ("fault-held", multipliers.deck(multipliers.FAULT, "TSTEP\n 5*20 /\n"))):
        if name == "fault-held":
            deck.part["solution"] += "THPRESFT\n A 40 /\n/\n"
        path = os.path.join(where, name.upper() + ".DATA")
        with open(path, "w") as f:
            f.write(deck.text())
        cases.append((name, path))
    for name, path in cases:
        cpu, gpu = both(path, where, name, [])
        checks.near(name + ": mass balance", max(gpu.mass_balance_errors()), 0.0, 1e-6)
        checks.true(name + ": the same bits", same_bits(cpu, gpu))
        steps, linear = len(gpu.vector("TIME")), sum(gpu.solver["linear"])
        cpu, gpu = both(path, where, name + "-cpr", ["linear.preconditioner=cpr"])
        close_totals(checks, name + ", cpr", cpu, gpu, 0.3)
        print("%-14s %4d steps, %5d linear iterations; with cpr %d, %d on the CPU" %
              (name, steps, linear, sum(gpu.solver["linear"]), sum(cpu.solver["linear"])))
    short = ["linear.preconditioner=dilu", RED_BLACK, "report.end=90"]
    for name, options in (("gmres", ["linear.method=gmres", "linear.restart=60"]), ("tfqmr", ["linear.method=tfqmr"]),
                          ("qmr", ["linear.method=qmr"]), ("bicgstab", [])):
        cpu, gpu = both(cases[1][1], where, "nnc-" + name, short + options)
        checks.true("nnc, %s: the same bits" % name, same_bits(cpu, gpu))
    for execution in ("per-operation", "graph"):
        one = runs.run(cases[1][1], where, short + DOUBLE + ["linear.execution=" + execution], name="nnc-" + execution,
                       arguments=["--backend", "cuda"])
        checks.true("nnc, %s: the same bits" % execution, same_bits(gpu, one))
    cpu, gpu = (runs.run(field, where, [RED_BLACK, "linear.preconditioner=dilu", "report.end=60"], name="glass-" + b,
                         arguments=["--backend", b, "--dump-matrix", "2", "--check-jacobian"]) for b in ("cpu", "cuda"))
    checks.true("Jacobian of connections on the GPU", "they agree" in gpu.stderr and "do NOT" not in gpu.stderr,
                gpu.stderr[-2000:])
    with open(cpu.base + ".step2.mtx") as a, open(gpu.base + ".step2.mtx") as b:
        checks.true("dumped system of connections", a.read() == b.read())


def solvers(checks, where):
    for name, options in (("dilu", []), ("double", ["linear.precision=double", "linear.relaxation=0"]),
                          ("gmres", ["linear.method=gmres", "linear.restart=60"]), ("tfqmr", ["linear.method=tfqmr"]),
                          ("block-jacobi", ["linear.preconditioner=block-jacobi"]),
                          ("jacobi", ["linear.preconditioner=jacobi"])):
        cpu, gpu = both("schedule", where, name, TIGHT + FIXED + SMALL + options)
        close_fields(checks, name, cpu, gpu)
        checks.true(name + ": the same bits", same_bits(cpu, gpu))


def cpr(checks, where):
    """The sums of a multigrid cycle have another order than the CPU's, so not the bits. A GPU keeps rows for inactive
    cells, which changes the random numbers of the others."""
    choose, wells = ["linear.preconditioner=cpr"], os.path.join(where, "wells.cfg")
    for name, options in (("cpr", []), ("cpr gmres", ["linear.method=gmres"]), ("cpr tfqmr", ["linear.method=tfqmr"]),
                          ("cpr double", ["linear.precision=double", "linear.cpr.precision=double"]),
                          ("cpr bricks", ["linear.ordering=bricks"]),
                          ("cpr row-sum", ["linear.cpr.weights=row-sum", "linear.cpr.smoother=l1-jacobi"])):
        cpu, gpu = both("schedule", where, name.replace(" ", "-"), TIGHT + FIXED + SMALL + choose + options)
        close_fields(checks, name, cpu, gpu)
    for name, deck, options in (("cpr wells", wells, []), ("cpr schedule", "schedule", []),
                                ("cpr horizontal", "horizontal_deviated", ["report.end=100"]),
                                ("cpr quarter", "quarter_five_spot", ["report.end=200"]),
                                ("cpr bricks", "horizontal_deviated", ["report.end=100", "linear.ordering=bricks"]),
                                ("cpr step", "schedule", ["linear.cpr.rebuild=step"]),
                                ("cpr old numbers", "schedule", ["linear.cpr.refresh=step"])):
        cpu, gpu = both(deck, where, name.replace(" ", "-"), choose + options)
        close_totals(checks, name, cpu, gpu, 0.1)
        checks.near(name + ": mass balance", max(gpu.mass_balance_errors()), 0.0, 1e-6)
        counts = [re.search(r"set up (once|twice|\d+) .* refreshed (never|once|twice|\d+) ", r.stdout).groups()
                  for r in (cpu, gpu)]
        counts = [[{"never": "0", "once": "1", "twice": "2"}.get(n, n) for n in c] for c in counts]
        solves = [sum(int(n) for n in c) for c in counts]
        checks.near(name + ": setups", solves[1], solves[0], max(0.05 * solves[0], 2))
        if "rebuild" in str(options):
            checks.near(name + ": built in every step", int(counts[1][0]), int(counts[0][0]), 2)
        else:
            checks.true(name + ": built once", counts[0][0] == counts[1][0] == "1")
        if name == "cpr schedule":
            own = runs.run(deck, where, DOUBLE, name="own", arguments=["--backend", "cuda"])
            checks.true("a deck that leaves the choice gets it", "cpr (" in own.stderr and same_bits(gpu, own),
                        own.stderr)
        print("%-14s %4d steps, %5d linear iterations, %d on the CPU" %
              (name, len(gpu.vector("TIME")), sum(gpu.solver["linear"]), sum(cpu.solver["linear"])))


def smoothers(checks, where):
    """Every smoother that a GPU has, as cpr's first stage, against the CPU's."""
    names = re.search(r"smoother: (.*)", runs.hepta("bench", "amg", "--names").stdout).group(1).split()
    checks.true("thirteen smoothers or more", len(names) >= 13, str(names))
    for name in names:
        if name == "gauss-seidel":
            continue
        options = ["linear.preconditioner=cpr", "linear.cpr.smoother=" + name, "linear.cpr.domain=100",
                   "linear.cpr.coarsest=20"]
        cpu, gpu = both("schedule", where, "cpr-" + name, TIGHT + FIXED + SMALL + options)
        close_fields(checks, "cpr " + name, cpu, gpu)
        a, b = sum(gpu.solver["linear"]), sum(cpu.solver["linear"])
        checks.near("cpr %s: linear iterations" % name, a, b, max(0.1 * b, 2))
        print("cpr %-20s %5d linear iterations, %d on the CPU" % (name, a, b))


def egg(checks, where):
    """The whole of it as a person runs it, with cpr; its first 600 days with dilu, to the last bit; half a
    year, in which water breaks through, solved tightly on fixed steps."""
    deck = runs.find_shared("data", "egg", "Egg_Model_ECL.DATA")
    if deck is None:
        print("egg            skipped: there is no data/egg/Egg_Model_ECL.DATA")
        return
    begin = time.time()
    cpu, gpu = both(deck, where, "egg", ["linear.preconditioner=cpr"])
    close_totals(checks, "egg", cpu, gpu, 0.15) # loose solves that end an iteration earlier or later
    checks.near("egg: mass balance", max(gpu.mass_balance_errors()), 0.0, 1e-6)
    checks.true("egg: all of its ten years", gpu.vector("TIME")[-1] == cpu.vector("TIME")[-1] == 3600.0)
    s = numpy.abs(gpu.field("sw") - cpu.field("sw")).mean()
    print("%-14s %4d steps, %5d linear iterations, %d on the CPU; saturation %.1e apart in the mean, %.0f s" %
          ("egg cpr", len(gpu.vector("TIME")), sum(gpu.solver["linear"]), sum(cpu.solver["linear"]), s,
           time.time() - begin))
    begin = time.time()
    cpu, gpu = both(deck, where, "egg-dilu", ["report.end=600"])
    checks.true("egg with dilu: the same bits", same_bits(cpu, gpu))
    print("egg dilu       %4d steps, %5d linear iterations, %.0f s" %
          (len(gpu.vector("TIME")), sum(gpu.solver["linear"]), time.time() - begin))
    begin = time.time()
    tight = ["linear.preconditioner=cpr", "linear.cpr.precision=double", "linear.precision=double", "report.end=180",
             "timestep.initial=7.5", "timestep.max=7.5", "timestep.min=7.5"]
    close_fields(checks, "egg, tight", *both(deck, where, "egg-tight", TIGHT + tight))
    print("egg tight      %.0f s" % (time.time() - begin))


def library_functions(checks, where):
    """pow differs by an ulp: fields to 1e-6, not bits."""
    options = ["saturation.nw=2.4", "saturation.no=2.2"]
    close_fields(checks, "pow", *both("schedule", where, "pow", TIGHT + FIXED + SMALL + options))
    close_totals(checks, "pow, defaults", *both("schedule", where, "pow-default", SMALL + options))
    # Brooks-Corey at rest: what little moves is rounding, so only the state is compared
    cpu, gpu = both("gravity_capillary", where, "column", [])
    checks.near("column: saturation", float(numpy.abs(cpu.field("sw") - gpu.field("sw")).max()), 0.0, 1e-6)
    checks.near("column: pressure", float(numpy.abs(cpu.field("pressure") / gpu.field("pressure") - 1).max()), 0.0, 1e-6)


def looking_glasses(checks, where):
    """The matrix that is fetched from the GPU, and the Jacobian there against differences."""
    cpu, gpu = (runs.run("schedule", where, SMALL + [RED_BLACK], name="dump-" + b,
                         arguments=["--backend", b, "--dump-matrix", "2", "--check-jacobian", "--profile"])
                for b in ("cpu", "cuda"))
    checks.true("Jacobian on the GPU", "they agree" in gpu.stderr and "do NOT" not in gpu.stderr, gpu.stderr[-2000:])
    for end in (".step2.mtx", ".step2.mtx.rhs"):
        with open(cpu.base + end) as a, open(gpu.base + end) as b:
            checks.true("dumped system" + end, a.read() == b.read())
    named = re.search(r"GPUs? [\w ,]*\(?NVIDIA", gpu.stderr)
    checks.true("the report names the GPU", named and "free" in gpu.stderr, gpu.stderr[:500])
    checks.true("the report counts copies", "copied over the bus" in gpu.stdout and "barriers" in gpu.stdout)


def refusals(checks, where):
    done = runs.hepta("run", runs.deck("schedule"), "-o", os.path.join(where, "natural"), "--backend", "cuda", "--set",
                      "linear.ordering=natural")
    checks.true("natural order is refused with a reason", done.returncode == 2 and "red-black" in done.stderr,
                done.stderr)
    for option, reason in (("linear.cpr.smoother=gauss-seidel", "one row after the other"), ("linear.ordering=natural", "red-black"),
                           ("linear.execution=library", "in-kernel")):
        done = runs.hepta("run", runs.deck("schedule"), "-o", os.path.join(where, "refused"), "--backend", "cuda",
                          "--set", "linear.preconditioner=cpr", "--set", option)
        checks.true("cpr with %s is refused with a reason" % option, done.returncode == 2 and reason in done.stderr,
                    done.stderr)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        runs.skip_without_gpu(where)
        decks(checks, where)
        regions(checks, where)
        connections(checks, where)
        solvers(checks, where)
        cpr(checks, where)
        smoothers(checks, where)
        egg(checks, where)
        library_functions(checks, where)
        looking_glasses(checks, where)
        refusals(checks, where)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
