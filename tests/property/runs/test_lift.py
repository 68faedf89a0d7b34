"""Wells at tubing-head pressures: in random decks no producer is below what its lift table asks for, no injector above it, a well at
its limit is on the table, mirrored decks have mirrored answers, and a deck that is written anew or goes on from a restart has the same bits.
A producer that cannot flow is shut, and tested."""
import os
import random
import sys

import flow
import runs

numpy = runs.numpy
checks = runs.Checks()
TIGHT = ["newton.tolerance_cnv=1e-4", "newton.tolerance_mb=1e-9"]


def deck(controls, steps="10*30", add=""):
    return flow.Deck(controls=flow.lift_producer() + flow.lift_producer(2, of="OIL", ratio="WOR") + flow.lift_injector() + controls + add,
                     schedule="TSTEP\n %s /\n" % steps)


def run(where, name, text, options=(), arguments=()):
    path = os.path.join(where, name.upper() + ".DATA")
    with open(path, "w") as f:
        f.write(text)
    return runs.run(path, where, name=name, options=list(options), arguments=list(arguments))


def check_limits(what, r, thp, injector):
    """thp: the limit of each well, which the reported one keeps (a lower bound for producers)."""
    table = runs.Table(r.base + ".summary.csv")
    at_limit = 0
    for well, limit in thp.items():
        head, mode = numpy.array([float(x) for x in table["WTHP:" + well]]), table["WMCTL:" + well]
        flows = head != 0.0
        beyond = (head - limit if well in injector else limit - head)[flows]
        checks.true("%s: %s keeps %g bar" % (what, well, limit), beyond.size == 0 or beyond.max() < 0.01, beyond.max() if beyond.size else 0)
        on = flows & numpy.array([m == "THP" for m in mode])
        at_limit += int(on.sum())
        checks.true("%s: %s is on its table" % (what, well), not on.any() or abs(head[on] - limit).max() < 0.01)
    return at_limit


def random_wells(where, seeds):
    met = 0
    for seed in seeds:
        r = random.Random(seed)
        thp = {"P1": r.choice([8, 15, 25]), "P2": r.choice([8, 15, 25]), "I": r.choice([40, 80, 120])}
        rate = ["ORAT %d 4*" % r.randint(60, 200), "LRAT 3* %d 1*" % r.randint(80, 250)]
        text = deck(flow.lift_control("RATE %d 1* 600 %d 1" % (r.randint(200, 420), thp["I"]), "%s 80 %d %d %d" % (rate[0], thp["P1"], r.choice([1, 2]), r.choice([0, 6])),
                                 "%s 80 %d 1 4" % (rate[1], thp["P2"]))).text()
        result = run(where, "random%d" % seed, text, TIGHT)
        checks.true("seed %d: mass balance" % seed, max(result.mass_balance_errors()) < 1e-6)
        met += check_limits("seed %d" % seed, result, thp, ["I"])
    checks.true("limits are met", met > 10 * len(seeds), met)


def mirrored(where):
    """P1 and P2 are in opposite corners of the i = 10 face; the mirror along j swaps them."""
    base = deck("WCONINJE\n I WATER OPEN RATE 300 1* 600 80 1 /\n/\nWCONPROD\n P1 OPEN ORAT 150 4* 80 20 1 /\n P2 OPEN ORAT 150 4* 80 10 1 /\n/\n").text()
    base = base.replace("I G 1 1", "I G 1 3").replace("50 60*400", "50 60*400")
    other = base.replace("I G 1 3", "I G 1 4").replace("P1 G 10 6", "P1 G 10 x").replace("P2 G 10 1", "P2 G 10 6").replace("10 x", "10 1")
    a, b = (run(where, name, text, ["newton.tolerance_cnv=1e-8", "newton.tolerance_mb=1e-12", "linear.tolerance=1e-8"]) for name, text in (("a", base), ("b", other)))
    for v in ("WOPT:P1", "WWPT:P2", "WBHP:P1", "WTHP:P2", "WTHP:I"):
        x, y = a.vector(v), b.vector(v)
        checks.true("mirror: " + v, x.shape == y.shape and abs(x - y).max() < 1e-5 * abs(x).max(), (x.shape, y.shape))


def dies(where):
    """With little injection the cells lose what P1's table asks for."""
    controls = flow.lift_control("RATE 150 1* 600", "ORAT 150 4* 80 30 1", "LRAT 3* 150 1* 80")
    dead = run(where, "dead", deck(controls).text())
    tested = run(where, "tested", deck(controls, add="WTEST\n P1 20 P 2 /\n/\n").text())
    checks.true("it dies", "well P1: nothing can flow at a tubing-head pressure of 30 bar: shut" in dead.stderr + dead.stdout, dead.stderr[-500:])
    checks.true("no test without WTEST", "opened for test" not in dead.stderr + dead.stdout)
    said = tested.stderr + tested.stdout
    checks.true("two tests", said.count("P1: opened for test") == 2, said[-800:])
    checks.true("shut it makes nothing", dead.vector("WOPR:P1")[-1] == 0.0)
    economy = run(where, "economy", deck(controls, add="WTEST\n P1 20 E 2 /\n/\n").text())
    checks.true("E does not test it", "opened for test" not in economy.stderr + economy.stdout)


def in_group(where):
    """P1 by its guide rate is to make three quarters of the field's target, which its tubing-head pressure does not let it: P2 makes up for it."""
    controls = flow.lift_control("RATE 330 1* 600", "GRUP 5* 80 90 1", "GRUP 5* 80")
    target = "WGRUPCON\n P1 YES 3 OIL /\n P2 YES 1 OIL /\n/\nGCONPROD\n FIELD ORAT 280 /\n/\n"
    r = run(where, "group", deck(controls + target).text(), TIGHT)
    at_limit = check_limits("group", r, {"P1": 90}, [])
    table = runs.Table(r.base + ".summary.csv")
    oil, own, mode = r.vector("FOPR"), r.vector("WOPR:P1"), numpy.array(table["WMCTL:P2"])
    makes_up = numpy.array([m == "THP" for m in table["WMCTL:P1"]]) & (mode == "GRUP")
    checks.true("group: P1 is at its limit", at_limit > 5 and makes_up.sum() > 5, (at_limit, makes_up.sum()))
    checks.true("group: below its share there", (own[makes_up] < 0.74 * 280).all(), own[makes_up])
    checks.true("group: P2 makes what is left", abs(oil[makes_up] - 280).max() < 0.01, oil[makes_up])
    checks.true("group: never more than the target", oil.max() < 280.01, oil.max())


def same_bits(where):
    controls = flow.lift_control("RATE 330 1* 600 120 1", "ORAT 150 4* 80 20 1 2", "LRAT 3* 200 1* 80 10 2")
    text = deck(controls, add="TSTEP\n 30 /\nWELTARG\n P1 THP 18 /\n P2 LIFT 5 /\n/\n").text()
    whole = run(where, "whole", text)
    path = os.path.join(where, "WHOLE.DATA")
    done = runs.hepta("import", path, "-o", os.path.join(where, "mine.cfg"))
    checks.true("import", done.returncode == 0, done.stderr)
    mine = runs.run(os.path.join(where, "mine.cfg"), where, name="mine")
    threads = run(where, "threads", text, arguments=["--threads", "3"])
    first = run(where, "first", text, ["report.end=150"])
    on = runs.run(path, where, name="on", arguments=["--restart", first.base])
    for name, other in (("import", mine), ("threads", threads), ("restart", on)):
        for v in ("FOPT", "WBHP:P1", "WTHP:P1", "WTHP:P2", "WTHP:I", "WOPT:P2"):
            n = len(other.vector(v))
            checks.true("%s: %s has the same bits" % (name, v), n > 5 and (other.vector(v) == whole.vector(v)[-n:]).all())
    listed = runs.hepta("check", path, "--list").stdout
    checks.true("--list", "thp 20 bar, lift table VFPPROD 1, lift 2" in listed, listed[:2000])


with runs.folder() as folder:
    random_wells(folder, range(1, 31, runs.every(6, 10)))
    mirrored(folder)
    dies(folder)
    in_group(folder)
    same_bits(folder)
sys.exit(checks.result())
