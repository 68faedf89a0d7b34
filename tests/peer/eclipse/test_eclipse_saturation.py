"""Saturation functions as decks steer them, beside OPM Flow: STEERED of tests/support/region_decks.py. Without its keywords a deck
lies ten limits away. Capillary pressures of hysteresis cell by cell."""
import os
import shutil
import sys

import eclipse_files
import flow
import runs
from region_decks import DRAINAGE, IMBIBITION, STEERED

flow.need()
checks = runs.Checks(say=True)
LIMITS = {"FOPT": 0.003, "FWPT": 0.003, "FWIT": 0.003, "FPR": 0.003, "FOPR": 0.01, "FWPR": 0.01, "WOPR:P2": 0.01,
          "WWPR:P2": 0.01, "WBHP:I": 0.005, "WBHP:P1": 0.005, "WBHP:P2": 0.005}
PCS = (6.4, 5.2, 4.4, 3.6, 3, 2.4, 2, 1.6, 1.2, 0.8, 0.6, 0.4)


def rest(ehystr):
    """Pairs of cells: the first one takes up water until its capillary pressure is the second one's, which has one at any saturation."""
    n = len(PCS)
    flat = "".join(" 0 0 1 %g\n 1 1 0 %g /\n" % (pc, pc) for pc in PCS)
    cells = "DX\n %d*10 /\nDY\n %d*10 /\nDZ\n %d*10 /\nTOPS\n %d*2000 /\nPERMX\n %d*5000 /\nPERMY\n %d*0 /\nPERMZ\n %d*0 /\n"
    text = ("RUNSPEC\nDIMENS\n 2 %d 1 /\nOIL\nWATER\nMETRIC\nTABDIMS\n %d /\nSTART\n 1 JAN 2020 /\nUNIFOUT\n" % (n, 2 + n) +
            ("SATOPTS\n HYSTER /\n" if ehystr else "") + "GRID\n" + cells % ((2 * n,) * 7) + "PORO\n" + " 0.2 0.9" * n + " /\n" +
            "PROPS\n" + flow.BASE["props"] + flow.BASE["pvdo"] + flow.BASE["rock"] + "SWOF\n" + DRAINAGE + IMBIBITION + flat + ehystr +
            "REGIONS\nSATNUM\n" + "".join(" 1 %d" % (3 + k) for k in range(n)) + " /\n")
    if ehystr:
        text += "IMBNUM\n" + "".join(" 2 %d" % (3 + k) for k in range(n)) + " /\n"
    return (text + "SOLUTION\nPRESSURE\n %d*200 /\nSWAT\n" % (2 * n) + " 0.25 0.6" * n + " /\nRPTRST\n BASIC=2 /\nSUMMARY\nFPR\n"
            "SCHEDULE\nTSTEP\n 10*100 /\nEND\n")


def at_rest(folder, name, ehystr):
    path = os.path.join(folder, name.upper() + ".DATA")
    with open(path, "w") as f:
        f.write(rest(ehystr))
    theirs = eclipse_files.reports(flow.run_flow(path, os.path.join(folder, name + ".flow"), 5) + "/" + name.upper() + ".UNRST")
    mine = runs.run(path, folder, ["timestep.max=5"], name).field("sw").ravel()[::2]
    last = theirs[-1]["SWAT"][::2]
    worst = max(abs(a - b) for a, b in zip(mine, last))
    checks.true("%s: saturations at rest differ by %.5f" % (name, worst), worst < 3e-4)
    return mine


def begun(folder):
    """RESTART from Flow's file, which has the largest oil saturations: results of Flow's whole run, and others where they do not count."""
    deck = flow.Deck(**STEERED["killough"][0])
    deck.part["solution"] += "RPTRST\n BASIC=2 /\n"
    path, later = folder + "/BEGUN.DATA", folder + "/LATER.DATA"
    for name, text in ((path, deck.text()), (later, flow.later(deck, folder + "/BEGUN", 5))):
        with open(name, "w") as f:
            f.write(text)
    theirs = flow.run_flow(path, folder + "/begun.flow") + "/BEGUN"
    for end in (".UNRST", ".EGRID"):
        shutil.copy(theirs + end, folder)
    steps = ["timestep.max=5", "timestep.initial=0.5", "timestep.accuracy=0", "timestep.target_newton=8"]
    mine, other = runs.run(later, folder, steps, "later"), runs.run(later, folder, steps + ["initial.driest=1"], "other")
    moved = 0.0
    for v in ("FOPT", "FWPT", "FPR", "WBHP:I"):
        times, values = flow.vector(theirs, v)
        size, off = max(values), 0.0
        for day in (180, 240, 300):
            right = values[min(range(len(times)), key=lambda k: abs(times[k] - day))]
            off = max(off, abs(mine.at(day, v) - right) / size)
            moved = max(moved, abs(mine.at(day, v) - other.at(day, v)) / size / LIMITS[v])
        checks.true("RESTART: %s differs by %.3f %%" % (v, 100 * off), off < LIMITS[v])
    checks.true("RESTART: without the largest oil saturations a result moves by %.0f times its limit" % moved, moved > 5)
    with open(folder + "/BEGUN.UNRST", "rb") as f:
        bytes_of = f.read()
    with open(folder + "/BEGUN.UNRST", "wb") as f:
        f.write(bytes_of.replace(b"SOMAX   ", b"SOMIN   "))
    done = runs.hepta("check", later)
    checks.true("RESTART: without SOMAX", done.returncode == 2 and "has not (SOMAX; OPM Flow writes it" in done.stderr, done.stderr)


with runs.folder() as folder:
    if len(sys.argv) == 1 and not os.environ.get("HEPTA_SANITIZED"):
        plain, turned = at_rest(folder, "rest", ""), at_rest(folder, "rest_turned", "EHYSTR\n 0.1 0 1 0.3 /\n")
        checks.true("hysteresis moves them by %.3f" % max(plain - turned), max(plain - turned) > 0.03)
        begun(folder)
    for name, (deck, theirs, plain) in flow.chosen(STEERED):
        mine = flow.compare(checks, folder, name, flow.Deck(**(theirs or deck)), LIMITS,
                            mine=flow.Deck(**deck) if theirs else None)
        path = folder + "/" + name.upper() + "_PLAIN.DATA"
        with open(path, "w") as f:
            f.write(flow.Deck(**plain).text())
        without = runs.run(path, folder, name=name + "_plain")
        moved = max(abs(mine.at(t, v) - without.at(t, v)) / abs(without.at(300, v)) / LIMITS[v] for t in (30, 300)
                    for v in ("FPR", "FOPT", "WBHP:I", "FWPT"))
        checks.true("%s: the keyword moves a result by %.0f times its limit" % (name, moved), moved > 10)
sys.exit(checks.result())
