"""Flows between cells in NAME.UNRST (RPTRST FLOWS, FLORES, output.arrays): what a cell gains in a time step is what its faces, its
connections beyond the lattice and its wells bring, for each phase; flows in the reservoir are those times B of the cell that they
leave; properties of the fluids against their formulas; an imported deck, and a run by the same options of a deck of hepta's own."""
import os
import sys

import numpy

import eclipse_files
import flow
import runs

checks = runs.Checks()
NX, NY, NZ = 10, 6, 3
ASK = "RPTRST\n BASIC=2 FLOWS FLORES = 1 DEN VISC KRO=1 KRW PCOW /\n"
DECK = flow.Deck(add={"solution": ASK, "grid": "NNC\n 1 1 1 10 6 3 2.5 /\n 2 2 1 5 5 2 0.7 /\n/\nEQUALS\n ACTNUM 0 5 5 3 3 3 3 /\n MULTX 0.1 4 4 1 6 1 3 /\n/\n",
                      "edit": "", "summary": "COPR\n/\nCWPR\n/\nCWIR\n/\n"},
                 schedule="TSTEP\n 5 5 5 5 /\n")
OPTIONS = ["output.eclipse=true", "output.double=true", "timestep.accuracy=0", "timestep.initial=5", "timestep.max=5", "newton.tolerance_cnv=1e-7",
           "newton.tolerance_mb=1e-12", "newton.tolerance_flow=1e-6", "linear.tolerance=1e-8"]
PHASES = ("OIL", "WAT")


def pvt(p):
    """B of oil, of the table at 100 to 400 bar: 1/B and 1/(B viscosity) are linear; B of water."""
    at, bo, mu = numpy.array([100.0, 200.0, 400.0]), numpy.array([1.06, 1.05, 1.03]), numpy.array([2.8, 3.0, 3.4])
    inverse, both = numpy.interp(p, at, 1 / bo), numpy.interp(p, at, 1 / (bo * mu))
    return 1 / inverse, inverse / both


def water(pw):
    x = 4.5e-5 * (pw - 200)
    return 1.01 / (1 + x + x * x / 2)


def in_place(p, sw, pc, pores):
    """Surface volumes of oil and water [m3]."""
    x = 5e-5 * (p - 200)
    volume = pores * (1 + x + x * x / 2)
    return [volume * (1 - sw) / pvt(p)[0], volume * sw / water(p - pc)]


def of_wells(r, day):
    """Rates out of cells [k, j, i] at surface conditions."""
    out = [numpy.zeros((NZ, NY, NX)) for _ in PHASES]
    for name in r.summary:
        if name[:4] in ("COPR", "CWPR", "CWIR"):
            i, j, k = (int(x) - 1 for x in name.split(":")[2].split(","))
            out[name[1] == "W"][k, j, i] += (-1 if name[3] == "R" and name[2] == "I" else 1) * r.at(day, name)
    return out


def spread(values, active):
    out = numpy.zeros(NX * NY * NZ)
    out[active] = values
    return out.reshape(NZ, NY, NX)


def gains(step, active, pairs, prefix):
    """Flows into each cell through faces and connections."""
    out = []
    for phase in PHASES:
        total = numpy.zeros((NZ, NY, NX))
        for axis, letter in ((2, "I"), (1, "J"), (0, "K")):
            f = spread(step["%s%s%s+" % (prefix, phase, letter)], active)
            total -= f
            total += numpy.roll(f, 1, axis=axis)
            last = [slice(None)] * 3
            last[axis] = -1
            checks.true("no flow through the boundary", not f[tuple(last)].any())
        flat = total.reshape(-1)
        for (a, b), f in zip(pairs, step["%s%sN+" % (prefix, phase)]):
            flat[a - 1] -= f
            flat[b - 1] += f
        out.append(total)
    return out


def check_balance(r, steps, active, pairs, pores):
    for n in range(1, len(steps)):
        states = [[spread(s[x], active) for x in ("PRESSURE", "SWAT", "PCOW")] for s in (steps[n - 1], steps[n])]
        p, sw = r.field("pressure", n) / runs.BAR, r.field("sw", n)
        p0, sw0 = r.field("pressure", n - 1) / runs.BAR, r.field("sw", n - 1)
        before, after = in_place(p0, sw0, states[0][2], pores), in_place(p, sw, states[1][2], pores)
        wells = of_wells(r, 5.0 * n)
        for a, phase in enumerate(PHASES):
            gain = gains(steps[n], active, pairs, "FLO")[a] - wells[a]
            stored = (after[a] - before[a]) / 5.0
            stored[pores == 0] = 0
            worst = numpy.abs(gain - stored).max()
            checks.between("%s, step %d: a cell gains what flows in, sm3/day" % (phase, n), worst, 0.0, 2e-3)
            checks.true("%s, step %d: and that is much" % (phase, n), numpy.abs(stored).max() > 10)


def check_properties(steps, active, pairs):
    step = steps[3]
    p, sw, pc = (numpy.array(step[x]) for x in ("PRESSURE", "SWAT", "PCOW"))
    bo, mu = pvt(p)
    bw = water(p - pc)
    for name, expected in (("OIL_DEN", 850 / bo), ("WAT_DEN", 1020 / bw), ("OIL_VISC", mu), ("WAT_VISC", 0.5 + 0 * p),
                           ("WATKR", numpy.interp(sw, [0.2, 0.4, 0.6, 0.8], [0, 0.05, 0.2, 0.5])),
                           ("OILKR", numpy.interp(sw, [0.2, 0.4, 0.6, 0.8], [1, 0.5, 0.1, 0])), ("PCOW", numpy.interp(sw, [0.2, 0.4, 0.6, 0.8], [0.5, 0.2, 0.1, 0]))):
        worst = numpy.abs(numpy.array(step[name]) - expected).max() / numpy.abs(expected).max()
        checks.between(name, worst, 0.0, 1e-5)
    for phase, b in zip(PHASES, (bo, bw)):
        place = {int(c): n for n, c in enumerate(active)}
        for letter, shift in (("I", 1), ("J", NX), ("K", NX * NY)):
            f, v = (numpy.array(step["%s%s%s+" % (x, phase, letter)]) for x in ("FLO", "FLR"))
            up = numpy.array([b[n] if f[n] >= 0 else b[place[int(c) + shift]] for n, c in enumerate(active)])
            checks.true("volumes of %s along %s" % (phase, letter), numpy.abs(v - f * up).max() < 1e-5 * max(numpy.abs(v).max(), 1e-3))
        for (a, c), f, v in zip(pairs, step["FLO%sN+" % phase], step["FLR%sN+" % phase]):
            checks.near("volume of a connection", v, f * b[place[(a if f >= 0 else c) - 1]], 1e-4)


with runs.folder() as folder:
    path = os.path.join(folder, "A.DATA")
    with open(path, "w") as f:
        f.write(DECK.text())
    r = runs.run(path, folder, OPTIONS, name="A")
    checks.true("a step a report", list(r.steps) == [0, 1, 2, 3, 4], r.steps)
    grid = eclipse_files.read(os.path.join(folder, "A.EGRID"))
    active = numpy.flatnonzero(eclipse_files.one(grid, "ACTNUM"))
    pairs = list(zip(eclipse_files.one(grid, "NNC1"), eclipse_files.one(grid, "NNC2")))
    steps = eclipse_files.reports(os.path.join(folder, "A.UNRST"))
    pores = numpy.array(eclipse_files.one(eclipse_files.read(os.path.join(folder, "A.INIT")), "PORV")).reshape(NZ, NY, NX)
    checks.true("connections", len(pairs) == 2 and len(active) == 179)
    check_balance(r, steps, active, pairs, pores)
    check_properties(steps, active, pairs)

    done = runs.hepta("import", path, "-o", os.path.join(folder, "own.cfg"))
    checks.true("import", done.returncode == 0, done.stderr)
    runs.run(os.path.join(folder, "own.cfg"), folder, OPTIONS, name="OWN")
    with open(os.path.join(folder, "A.UNRST"), "rb") as one, open(os.path.join(folder, "OWN.UNRST"), "rb") as other:
        checks.true("the imported deck's file is the same", one.read() == other.read())
    runs.run(os.path.join(folder, "own.cfg"), folder, OPTIONS + ["output.arrays=[\"DENO\",\"FLORES\"]", "report.times=[5.0]"], name="C")
    found = list(eclipse_files.reports(os.path.join(folder, "C.UNRST"))[1])
    checks.true("by --set", "FLROILI+" in found and "OIL_DEN" in found and "WAT_DEN" not in found and "FLOOILI+" not in found and "FLOOILN+" not in found
                and "FLROILN+" in found, found)
    done = runs.hepta("check", path, "--set", "output.arrays=\"FLOW\"")
    checks.true("an unknown one", done.returncode == 2 and "must be of FLOWS, FLORES" in done.stderr, done.stderr)

sys.exit(checks.result())
