"""Wells with segments: numbers of OPM Flow 2022.10, the ordinary well where there is no friction, the bits of other threads, of a run
that goes on from a report step, and of the deck written anew.

The decks: a horizontal bore with strong friction, laterals on a vertical one, and laterals in two sands between which fluid
crosses. The numbers are Flow's on them, by
    flow DECK.DATA --solver-max-time-step-in-days=1 --initial-time-step-in-days=0.5 --enable-tuning=false
         --tolerance-cnv=1e-3 --tolerance-mb=1e-8
"""
import os
import sys

import restarts
import runs

DECK = """RUNSPEC
DIMENS
 {nx} {ny} {nz} /
OIL
WATER
METRIC
START
 1 JAN 2020 /
TABDIMS
 1 1 30 30 /
EQLDIMS
/
WELLDIMS
 5 100 2 5 /
WSEGDIMS
 3 60 10 /
UNIFOUT
GRID
DX
 {n}*40 /
DY
 {n}*40 /
DZ
 {n}*10 /
TOPS
 {layer}*2000 /
PORO
 {n}*0.25 /
PERMX
 {perm} /
COPY
 PERMX PERMY /
 PERMX PERMZ /
/
MULTIPLY
 PERMZ 0.1 /
/
PROPS
DENSITY
 850 1020 1 /
PVTW
 200 1.01 4.5E-5 0.5 0 /
PVDO
 50 1.08 1.9
 200 1.06 2.0
 400 1.03 2.2 /
ROCK
 200 4E-5 /
SWOF
 0.2 0 1 0
 0.3 0.01 0.7 0
 0.4 0.04 0.48 0
 0.5 0.1 0.28 0
 0.6 0.2 0.12 0
 0.7 0.33 0.03 0
 0.8 0.5 0 0 /
SOLUTION
EQUIL
 2000 200 {contact} 0 /
SUMMARY
FOPT
FWPT
FWPR
WBHP
/
{vectors}
SCHEDULE
{wells}{segments}{controls}TSTEP
 {steps} /
END
"""


def _vectors(names, numbers):
    return "\n".join("%s\n%s/" % (v, "".join(" P %d /\n" % n for n in numbers)) for v in names.split())


def _deck(size, perm, contact, vectors, wells, segments, controls, steps):
    nx, ny, nz = size
    return DECK.format(nx=nx, ny=ny, nz=nz, n=nx * ny * nz, layer=nx * ny, perm=perm, contact=contact, vectors=vectors,
                       wells=wells, segments=segments, controls=controls, steps=steps)


def horizontal(drops="HF-", kind="INC", diameter=0.06, control="LRAT 3* 700 1* 20", steps="1 9*2 12*5", segmented=True):
    """14 cells of a bore along x, 560 m long; friction takes some bar of it."""
    cells = range(4, 18)
    wells = ("WELSPECS\n P G 4 3 1995 OIL /\n I G 20 5 1* WATER /\n/\nCOMPDAT\n"
             + "".join(" P %d 3 2 2 OPEN 1* 1* 0.15 1* 0 1* X /\n" % i for i in cells) + " I 20 5 1 3 OPEN 1* 1* 0.2 /\n/\n")
    if kind == "INC":
        tubes = " 2 2 1 1 20 20 %g 1e-4 /\n 3 16 2 2 40 0 %g 1e-4 /\n" % (diameter, diameter)
    else:
        tubes = " 2 2 1 1 2015 2015 %g 1e-4 /\n 3 16 2 2 2575 2015 %g 1e-4 /\n" % (diameter, diameter)
    segments = ("WELSEGS\n P 1995 1995 1* %s '%s' HO /\n%s/\nCOMPSEGS\n P /\n" % (kind, drops, tubes)
                + "".join(" %d 3 2 2 %d %d /\n" % (i, 2015 + 40 * n, 2055 + 40 * n) for n, i in enumerate(cells)) + "/\n")
    controls = "WCONPROD\n P OPEN %s /\n/\nWCONINJE\n I WATER OPEN RATE 700 1* 600 /\n/\n" % control
    names = "SPR SOFR SWFR SPRD SPRDH SPRDF" + (" SPRDA" if drops == "HFA" else "")
    return _deck((20, 5, 3), "300*400", 3000, _vectors(names, (1, 2, 3, 8, 16)) if segmented else "", wells,
                 segments if segmented else "", controls, steps)


def branches(drops="HF-", diameter=0.05, steps="1 9*2 12*5", segmented=True, laterals=True):
    """A vertical bore of 8 layers with laterals of 3 and 2 cells."""
    along_x, along_y = ((6, 7, 8), (4, 5)) if laterals else ((), ())
    wells = ("WELSPECS\n P G 5 3 2000 OIL /\n I G 12 3 1* WATER /\n/\nCOMPDAT\n P 5 3 1 8 OPEN 1* 1* 0.15 /\n"
             + "".join(" P %d 3 3 3 OPEN 1* 1* 0.15 1* 0 1* X /\n" % i for i in along_x)
             + "".join(" P 5 %d 6 6 OPEN 1* 1* 0.15 1* 0 1* Y /\n" % j for j in along_y) + " I 12 3 1 8 OPEN 1* 1* 0.2 /\n/\n")
    tubes = " 2 2 1 1 5 5 {0} 5e-5 /\n 3 9 1 2 10 10 {0} 5e-5 /\n"
    if laterals:
        tubes += " 10 12 2 4 40 0 {0} 5e-5 /\n 13 14 3 7 40 0 {0} 5e-5 /\n"
    segments = ("WELSEGS\n P 2000 2000 1* INC '%s' HO /\n%s/\nCOMPSEGS\n P /\n" % (drops, tubes.format(diameter))
                + "".join(" 5 3 %d 1 %d %d /\n" % (k, 1990 + 10 * k, 2000 + 10 * k) for k in range(1, 9))
                + "".join(" %d 3 3 2 %d %d /\n" % (i, 2045 + 40 * n, 2085 + 40 * n) for n, i in enumerate(along_x))
                + "".join(" 5 %d 6 3 %d %d /\n" % (j, 2075 + 40 * n, 2115 + 40 * n) for n, j in enumerate(along_y)) + "/\n")
    controls = "WCONPROD\n P OPEN LRAT 3* 400 1* 20 /\n/\nWCONINJE\n I WATER OPEN RATE 400 1* 600 /\n/\n"
    perm = " ".join("60*%d" % k for k in (300, 80, 500, 150, 60, 400, 200, 100))
    return _deck((12, 5, 8), perm, 3000, _vectors("SPR SOFR SWFR SPRDF", (1, 4, 7, 10, 12, 13, 14)) if segmented and laterals else "",
                 wells, segments if segmented else "", controls, steps)


def crossing(steps="1 9*1 10*2 10*3"):
    """Two sands with nothing between; the lower one, wet and kept up by the injector, flows into the upper one, which Q draws down."""
    wells = ("WELSPECS\n P G 5 3 2000 OIL /\n Q G 1 1 1* OIL /\n I G 12 5 1* WATER /\n/\nCOMPDAT\n"
             " P 5 3 1 1 OPEN 1* 1* 0.15 /\n P 5 3 3 3 OPEN 1* 1* 0.15 /\n P 6 3 1 1 OPEN 1* 1* 0.15 1* 0 1* X /\n"
             " P 6 3 3 3 OPEN 1* 1* 0.15 1* 0 1* X /\n Q 1 1 1 1 OPEN 1* 1* 0.2 /\n I 12 5 3 3 OPEN 1* 1* 0.2 /\n/\n")
    segments = ("WELSEGS\n P 2000 2000 1* INC HF- HO /\n 2 2 1 1 5 5 0.04 5e-5 /\n 3 3 1 2 20 20 0.04 5e-5 /\n"
                " 4 4 2 2 40 0 0.04 5e-5 /\n 5 5 3 3 40 0 0.04 5e-5 /\n/\nCOMPSEGS\n P /\n 5 3 1 1 2000 2010 /\n"
                " 6 3 1 2 2025 2065 /\n 5 3 3 1 2020 2030 /\n 6 3 3 3 2045 2085 /\n/\n")
    controls = ("WCONPROD\n P OPEN LRAT 3* 60 1* 20 /\n Q OPEN LRAT 3* 150 1* 60 /\n/\n"
                "WCONINJE\n I WATER OPEN RATE 260 1* 600 /\n/\n")
    return _deck((12, 5, 3), "60*200 60*0 60*200", 2022, _vectors("SPR SOFR SWFR SPRDF SPRDH", (2, 3, 4, 5)), wells, segments,
                 controls, steps)


checks = runs.Checks()
AS_FLOW = ["timestep.max=1", "timestep.initial=0.5", "timestep.accuracy=0", "timestep.target_newton=8", "newton.tolerance_cnv=1e-3",
           "newton.tolerance_mb=1e-8"]
DECKS = {
    "horizontal": horizontal(),
    "absolute": horizontal(kind="ABS"),
    "acceleration": horizontal("HFA", diameter=0.05),
    "at_bhp": horizontal(control="BHP 5* 170"),
    "branches": branches(),
    "crossing": crossing(),
}
# Days, largest difference over the size of the number, and Flow's numbers.
HORIZONTAL = {"FOPT": (13299.8, 55243.8), "WBHP:P": (189.172, 177.139), "SPR:P:3": (191.653, 179.622), "SPR:P:16": (195.525, 183.431),
              "SOFR:P:8": (562.4, 553.55), "SWFR:P:3": (0.0186974, 5.99425), "SPRDF:P:3": (0.606473, 0.607576), "SPRDH:P:2": (1.57104, 1.57203)}
FLOW = {
    "horizontal": ((19, 79), 0.0005, HORIZONTAL),
    "absolute": ((19, 79), 0.0005, HORIZONTAL),
    "acceleration": ((19, 79), 0.0005, {
        "FOPT": (13299.7, 55249.7), "WBHP:P": (185.363, 173.409), "SPR:P:16": (197.301, 185.242), "SOFR:P:8": (493.32, 485.854),
        "SPRDA:P:3": (0.043238, 0.0436116), "SPRDA:P:8": (0.0053842, 0.00554666), "SPRDF:P:8": (0.785745, 0.780692)}),
    "at_bhp": ((19, 79), 0.001, {
        "FOPT": (16565.3, 56460.1), "SPR:P:3": (172.398, 172.398), "SPR:P:16": (176.064, 176.0), "SOFR:P:8": (546.372, 537.972),
        "SPRDF:P:3": (0.553459, 0.55151)}),
    "branches": ((19, 79), 0.0005, {
        "FOPT": (7599.85, 31598.5), "WBHP:P": (194.801, 190.762), "SPR:P:14": (199.465, 195.424), "SOFR:P:4": (367.863, 367.72),
        "SOFR:P:10": (195.96, 194.928), "SOFR:P:12": (87.9437, 86.8138), "SOFR:P:14": (35.4492, 35.655), "SPRDF:P:10": (0.127709, 0.126572)}),
    "crossing": ((10, 60), 0.004, {
        "FOPT": (1523.77, 9125.93), "FWPT": (576.235, 3474.07), "WBHP:P": (207.74, 238.618), "SPR:P:4": (208.153, 239.022),
        "SOFR:P:4": (-3.17742, -3.19026), "SWFR:P:3": (221.278, 234.44), "SWFR:P:4": (-86.7466, -92.3539), "SWFR:P:5": (139.995, 147.647),
        "SPRDF:P:4": (-0.0839232, -0.0939678), "SPRDF:P:5": (0.208932, 0.230136)}),
}


def run(where, name, text, options):
    return runs.run(restarts.write_data(where, name, text), where, name=name, options=options)


def against_flow(where):
    for name, (days, most, vectors) in FLOW.items():
        r = run(where, name, DECKS[name], AS_FLOW)
        table = runs.Table(r.base + ".summary.csv")
        checks.true(name + ": mass balance", max(r.mass_balance_errors()) < 1e-7, r.mass_balance_errors())
        for vector, numbers in vectors.items():
            for day, expected in zip(days, numbers):
                value = table.at(vector, day)
                checks.true("%s: %s on day %g: %g, Flow %g" % (name, vector, day, value, expected), abs(value - expected) < most * abs(expected))


def ordinary(where):
    """Nodes at the depths of the connections: without friction a bore is the ordinary well's, and what friction takes shows."""
    names = ("FOPT", "FWPT", "WBHP:P")
    plain, still, rough = (run(where, n, t, AS_FLOW).base for n, t in (
        ("plain", branches(segmented=False, laterals=False)), ("still", branches("H--", laterals=False)),
        ("rough", branches(laterals=False))))
    a, b, c = (runs.Table(base + ".summary.csv") for base in (plain, still, rough))
    for v in names:
        checks.near("without friction: " + v, b.at(v, 79), a.at(v, 79), 1e-4 * abs(a.at(v, 79)))
    checks.true("with friction the bhp is lower", c.at("WBHP:P", 79) < a.at("WBHP:P", 79) - 0.1, c.at("WBHP:P", 79))


def same_bits(where):
    few = {"branches": branches("HFA", steps="1 9*2"), "crossing": crossing(steps="10*2")}
    for name, options in (("branches", []), ("crossing", restarts.CPR)):
        text = few[name]
        folder = os.path.join(where, "bits-" + name)
        os.mkdir(folder)
        deck = restarts.write_data(folder, name, text)
        whole = restarts.same_bits(checks, folder, "whole", deck, restarts.KEEP + options, [2, 3], lambda steps: steps[2::4])
        anew = os.path.join(folder, "anew.cfg")
        done = runs.hepta("import", deck, "-o", anew)
        checks.true(name + ": import", done.returncode == 0, done.stderr)
        done = restarts.start(anew, os.path.join(folder, "anew"), restarts.KEEP + options)
        checks.true(name + ": run of the import", done.returncode == 0, done.stderr)
        a, b = (restarts.tables(os.path.join(folder, n)) for n in ("whole", "anew"))
        different = [v for v in a if v.startswith("summary") and "DATE" not in v and a[v] != b.get(v)]
        checks.true(name + ": the import's bits", not different, different[:4])
        other = text.replace("2 2 1 1 5 5", "2 2 1 1 5.5 5")
        checks.true(name + ": another tube", other != text)
        done = restarts.go_on(restarts.write_data(folder, "other", other), os.path.join(folder, "part"), whole, restarts.KEEP + options)
        checks.true(name + ": another tube is refused", done.returncode == 2 and "well P's perforations" in done.stderr, done.stderr)


def main():
    with runs.folder() as where:
        against_flow(where)
        ordinary(where)
        same_bits(where)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
