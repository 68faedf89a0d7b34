"""hepta import of what field decks bring: aquifers, rock tables, thresholds, multipliers of SCHEDULE. The deck that it writes gives the same bits."""
import os
import sys

import aquifers
import compaction
import flow
import imports
import runs

STEPS = ["timestep.initial=1", "timestep.max=6", "output.restart=-1"]
TWO = aquifers.deck("AQUFETP\n 2 2005 1* 3E6 1E-4 12 /\n/\nAQUCT\n 5 2010 1* 300 0.25 9E-5 400 24 120 /\n/\nAQUFLUX\n 9 0.05 /\n/\n"
                    "AQUANCON\n 2 1 1 1 6 1 3 I- /\n 5 1 1 1 6 1 3 I- /\n 5 1 1 1 1 1 3 J- /\n 9 1 10 6 6 1 3 J+ /\n/\n")
REGIONS = "EQLNUM\n " + " ".join("5*1 3*2 2*3" for _ in range(18)) + " /\n"
HELD = flow.Deck(tabdims="TABDIMS\n 1 1 30 30 5 /\nEQLDIMS\n 3 /\nEQLOPTS\n THPRES /\n", regions=REGIONS, schedule="TSTEP\n 5*10 /\n",
                 solution="EQUIL\n 2000 200 2100 0 /\n 2000 165 2100 0 /\n 2000 160 2100 0 /\nTHPRES\n 1 2 1* /\n 2 3 2.7 /\n/\n")
DECKS = {name: getattr(aquifers, name)() for name in ("carter_tracy", "table", "fetkovich", "field_units", "flux", "chain", "by_face")}
DECKS.update({"rock_" + name: getattr(compaction, name)() for name in ("reversible", "irreversible", "regions", "directions")})
# Multipliers of a fault from the start, later ones of the fault and of a box; with a throw of one and a half layers, too.
FAULT = "FAULTS\n A 5 5 1 6 1 3 X /\n B 6 6 1 3 1 3 X- /\n/\nMULTFLT\n A 0.7 /\n B 0.3 /\n/\n"
LATER = ("TSTEP\n 10 10 /\nMULTFLT\n A 0.05 /\n/\nBOX\n 1 10 3 4 1 3 /\nMULTY-\n 20*0.1 40*0.7 /\nENDBOX\nTSTEP\n 10 /\n"
         "MULTFLT\n * 4 /\n/\nTSTEP\n 10 10 /\n")


def throw():
    coord = "".join(" %g %g 1900 %g %g 2200\n" % (40 * i, 50 * j, 40 * i, 50 * j) for j in range(7) for i in range(11))
    zcorn = "".join(" %g\n" % (2000 + 8 * (k + c) + (12 if i >= 5 else 0)) for k in range(3) for c in (0, 1) for j in range(6)
                    for b in (0, 1) for i in range(10) for a in (0, 1))
    sizes = flow.BASE["grid"].index("PORO")
    return "COORD\n" + coord + "/\nZCORN\n" + zcorn + "/\n" + flow.BASE["grid"][sizes:]


DECKS.update(multipliers=flow.Deck(add={"grid": FAULT}, schedule=LATER), thrown=flow.Deck(grid=throw() + FAULT, schedule=LATER))
DECKS.update(two=TWO, held=HELD)


def main():
    checks = runs.Checks()
    with runs.folder() as folder:
        for name, deck in list(DECKS.items())[::runs.every(3, 3)]:
            path = os.path.join(folder, name.upper() + ".DATA")
            with open(path, "w") as f:
                f.write(deck.text())
            first = imports.both(checks, folder, path, name, "metric" if name == "field_units" else "field", STEPS)
            vectors = [v for v in first.summary if v[:3] in ("AAQ", "ANQ")]
            checks.true(name + ": vectors of aquifers", (len(vectors) > 0) == (name[:4] not in ("rock", "held", "mult", "thro")), vectors)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
