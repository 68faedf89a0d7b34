"""Productivity indices beside OPM Flow's; average pressures around wells (WBP to WBP9), which Flow 2022.10 does not have, against
what is worked out here from pressures of the cells by the formulas of io/case/averages.h."""
import os
import sys

import flow
import runs

flow.need()
checks = runs.Checks()
G = 9.80665
WELLS = flow.BASE["wells"].replace("P2 G 10 1 1* OIL", "P2 G 9 2 1* WATER").replace("P2 2* 1 3 OPEN 2* 0.2", "P2 2* 1 2 OPEN 2* 0.2").replace(
    "I 2* 1 3 OPEN 2* 0.2 /\n", "I 2* 1 3 OPEN 2* 0.2 /\n P2 8 2 2 2 OPEN 2* 0.2 3* X /\n")
BLOCKS = [(i, j, k) for i in (1, 2, 7, 8, 9, 10) for j in (1, 2, 3, 5, 6) for k in (1, 2, 3)]
AVERAGES = ("WBP", "WBP4", "WBP5", "WBP9")
SUMMARY = "".join(v + "\n/\n" for v in ("WPI", "WPIO", "WPIW", "WPIL")) + "CPI\n P1 /\n I 1 1 1 /\n/\n"
PRESSURES = "".join(v + "\n/\n" for v in AVERAGES) + "BPR\n" + "".join(" %d %d %d /\n" % b for b in BLOCKS) + "/\nBWSAT\n" + "".join(
    " %d %d %d /\n" % b for b in BLOCKS) + "/\n"
DECK = flow.Deck(step=2, add={"summary": SUMMARY, "runspec": "", "grid": "EQUALS\n ACTNUM 0 9 9 1 1 1 1 /\n/\n"}, wells=WELLS, schedule="TSTEP\n 4*30 /\n")
LAYER = {1: 200 / 650, 2: 50 / 650, 3: 400 / 650}  # shares of the connection factor, by permeability


def around(i, j, k, along="k"):
    """(cells across faces, across edges) of a connection that are there."""
    shifts = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
    place = {"k": lambda a, b: (i + a, j + b, k), "i": lambda a, b: (i, j + a, k + b)}[along]
    inside = lambda c: 1 <= c[0] <= 10 and 1 <= c[1] <= 6 and 1 <= c[2] <= 3 and c != (9, 1, 1)
    return [[place(a, b) for a, b in shifts if abs(a) + abs(b) == n and inside(place(a, b))] for n in (1, 2)]


def mean(values, weights=None):
    weights = weights or [1.0] * len(values)
    return sum(v * w for v, w in zip(values, weights)) / sum(weights)


def by_hand(r, day, connections, inner, head):
    """WBP, WBP4, WBP5, WBP9 by connection factors; connections: (i, j, k, along, factor)."""
    out = [[], [], [], []]
    for i, j, k, along, _ in connections:
        p = lambda c: r.at(day, "BPR:%d,%d,%d" % c)
        faces, edges = around(i, j, k, along)
        dp = head((i, j, k))
        centre, four, eight = p((i, j, k)) + dp, mean([p(c) for c in faces]) + dp, mean([p(c) for c in faces + edges]) + dp
        for n, v in enumerate((centre, four, inner * centre + (1 - inner) * four, inner * centre + (1 - inner) * eight)):
            out[n].append(v)
    return [mean(v, [c[4] for c in connections]) for v in out]


with runs.folder() as folder:
    limits = {v: 0.005 for v in ("WPI:I", "WPI:P1", "WPI:P2", "WPIO:P1", "WPIO:P2", "WPIW:P2", "WPIW:I", "WPIL:P2", "CPI:P1:10,6,1", "CPI:I:1,1,1")}
    limits.update({v: 1e-12 for v in ("WPIL:I", "WPIO:I")})
    r = flow.compare(checks, folder, "index", DECK, limits, days=(30, 60, 90, 120))
    all_of = [r.vector("CPI:P1:10,6,%d" % k) for k in (1, 2, 3)]  # where Flow has the first connection's for each
    checks.true("a well's index is that of its connections", max(abs(sum(c) - w) for *c, w in zip(*all_of, r.vector("WPI:P1"))) < 1e-5)
    for what, settings, inner in (("WPAVE 0.3 1* NONE", "WPAVE\n 0.3 1* NONE /\n", 0.3),
                                  ("depths of wells", "WPAVE\n 0.3 1* NONE /\nWWPAVE\n P1 0.6 1* RES /\n/\nWPAVEDEP\n P1 2100 /\n/\n", 0.6)):
        deck = flow.Deck(step=2, add={"summary": PRESSURES, "grid": "EQUALS\n ACTNUM 0 9 9 1 1 1 1 /\n/\n"}, wells=WELLS + settings, schedule="TSTEP\n 30 30 /\n")
        path = os.path.join(folder, "P.DATA")
        with open(path, "w") as f:
            f.write(deck.text())
        r = runs.run(path, folder, ["timestep.accuracy=0", "timestep.max=5"], name="p")
        vertical = lambda i, j: [(i, j, k, "k", LAYER[k]) for k in (1, 2, 3)]
        none = lambda c: 0.0
        # 850 kg/m3 over B of 1.06 to 1.03 at 100 to 400 bar, and water of 1020 kg/m3 over 1.01 at 200 bar
        density = lambda c: (lambda p, s: (1 - s) * 850 / (1.05 - 1e-4 * (p - 200)) + s * 1020 / 1.01 * (1 + 4.5e-5 * (p - 200)))(
            r.at(60, "BPR:%d,%d,%d" % c), r.at(60, "BWSAT:%d,%d,%d" % c))
        res = lambda c: 1e-5 * G * mean([density(b) for b in [c] + sum(around(*c), [])]) * (2100 - (2004 + 8 * (c[2] - 1)))
        head = res if "WWPAVE" in settings else none
        for v, hand in zip(AVERAGES, by_hand(r, 60, vertical(10, 6), inner, head)):
            checks.near("%s: %s:P1" % (what, v), r.at(60, v + ":P1"), hand, 2e-3 if head is none else 2e-2)
        if head is none:
            done = runs.hepta("import", path, "-o", os.path.join(folder, "own.cfg"))
            own = runs.run(os.path.join(folder, "own.cfg"), folder, ["timestep.accuracy=0", "timestep.max=5"], name="own")
            checks.true("imported", all(list(own.vector(v)) == list(r.vector(v)) for v in r.summary if v[0] == "W"))
            for v, hand in zip(AVERAGES, by_hand(r, 60, vertical(1, 1), inner, none)):
                checks.near("%s: %s:I" % (what, v), r.at(60, v + ":I"), hand, 2e-3)
    # the shut-in column: with the head in the well the average is near the pressure at the reference depth
    closed = flow.Deck(step=2, add={"summary": PRESSURES}, controls="WCONPROD\n P1 SHUT BHP 5* 100 /\n P2 SHUT BHP 5* 100 /\n/\nWCONINJE\n I WATER SHUT RATE 1 /\n/\n",
                       schedule="WPAVE\n 1* 0 WELL ALL /\nWPAVEDEP\n 'P1' 2012 /\n/\nTSTEP\n 10 /\n")
    with open(path, "w") as f:
        f.write(closed.text())
    r = runs.run(path, folder, [], name="closed")
    for v in AVERAGES:
        checks.near("at rest: %s:P1" % v, r.at(10, v + ":P1"), r.at(10, "BPR:10,6,2"), 2e-2)

sys.exit(checks.result())
