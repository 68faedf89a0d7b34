"""Trees of groups with targets (GRUPTREE, GEFAC, GCONPROD, GCONINJE) on small decks beside OPM Flow. A run of the deck without
the targets of groups below FIELD lies outside the limits."""
import re
import sys

import flow
import runs

flow.need()
checks = runs.Checks(say=True)
PRODUCERS = ("P1", "P2", "P3", "P4")
LIMITS = {"FOPT": 0.003, "FWPT": 0.003, "FWIT": 0.003, "FPR": 0.003, **{"WOPT:" + p: 0.003 for p in PRODUCERS},
          **{"WOPR:" + p: 0.01 for p in PRODUCERS}, "WWIT:I1": 0.003, "WWIT:I2": 0.003}
WELLS = ("WELSPECS\n I1 A 1 1 1* WATER /\n I2 B 1 6 1* WATER /\n P1 A 10 6 1* OIL /\n P2 A 10 1 1* OIL /\n"
         " P3 B 6 6 1* OIL /\n P4 B 6 1 1* OIL /\n/\nGRUPTREE\n A TOP /\n B TOP /\n TOP FIELD /\n/\n"
         "COMPDAT\n" + "".join(" %s 2* 1 3 OPEN 2* 0.2 /\n" % w for w in ("I1", "I2") + PRODUCERS) + "/\n")
RATE = "WCONINJE\n 'I*' WATER OPEN RATE 250 1* 400 /\n/\n"
TOGETHER = "WCONINJE\n 'I*' WATER OPEN GRUP 2* 600 /\n/\n"
GRUP = "WCONPROD\n 'P*' OPEN GRUP 5* 120 /\n/\n"
GROUPS = ("GOPR", "GWPR", "GWIR", "GOPT", "GWPT", "GWIT", "GVPR", "GMCTP", "GMCTW")
LIMITS.update({"%s:%s" % (v, g): 0.003 if v[3] == "T" else 0.01 for v in GROUPS if v[1] != "M" for g in ("A", "B", "TOP")})
STEPS = "TSTEP\n 5*30 /\n"
DECKS = {
    "oil of one": {"controls": RATE + GRUP + "GCONPROD\n FIELD ORAT 400 /\n A ORAT 100 /\n/\n",
                   "schedule": STEPS + "GCONPROD\n A ORAT 60 /\n/\n" + STEPS},
    "three levels": {"controls": RATE + GRUP + "GCONPROD\n TOP LRAT 3* 350 /\n A ORAT 100 /\n/\n",
                     "schedule": STEPS + "GCONPROD\n TOP ORAT 200 2* 300 RATE /\n B LRAT 3* 150 /\n/\n" + STEPS},
    "oil above liquid": {"controls": RATE + GRUP + "GCONPROD\n FIELD ORAT 300 /\n A LRAT 3* 120 /\n/\n"},
    "apart": {"controls": RATE + GRUP + "GCONPROD\n FIELD ORAT 200 /\n A ORAT 150 4* NO /\n/\n"},
    "water": {"controls": RATE + GRUP + "GCONPROD\n A WRAT 1* 15 /\n B RESV 11* 200 /\n/\n",
              "solution": "EQUIL\n 2000 200 2012 0 /\n"},
    "pressure limits": {"controls": RATE + "WCONPROD\n P1 OPEN GRUP 5* 195 /\n P2 OPEN GRUP 5* 120 /\n"
                                           " P3 OPEN ORAT 70 4* 120 /\n P4 OPEN GRUP 5* 120 /\n/\n"
                                           "GCONPROD\n FIELD ORAT 350 /\n A ORAT 150 /\n/\n"},
    "efficiency": {"controls": RATE + GRUP + "GCONPROD\n FIELD ORAT 300 /\n A ORAT 100 /\n/\nGEFAC\n A 0.6 /\n TOP 0.9 /\n/\n"},
    "another tree": {"controls": RATE + GRUP + "GCONPROD\n TOP ORAT 200 /\n/\n",
                     "schedule": STEPS + "GRUPTREE\n A FIELD /\n/\nGCONPROD\n A LRAT 3* 150 /\n/\n" + STEPS},
    "injection": {"controls": TOGETHER + GRUP + "GCONPROD\n FIELD LRAT 3* 400 /\n/\n"
                                                "GCONINJE\n FIELD WATER RATE 380 /\n A WATER RATE 150 /\n/\n"},
    "voidage": {"controls": TOGETHER + GRUP + "GCONPROD\n A ORAT 150 /\n B LRAT 3* 200 /\n/\n"
                                              "GCONINJE\n A WATER VREP 3* 0.9 /\n B WATER VREP 3* 1.0 /\n/\n"},
    "reinjection": {"solution": "EQUIL\n 2000 200 2012 0 /\n",
                    "controls": TOGETHER + GRUP + "GCONPROD\n A ORAT 100 /\n B LRAT 3* 200 /\n/\n"
                                                  "GCONINJE\n A WATER RESV 1* 120 /\n B WATER REIN 2* 1.0 /\n/\n"},
}

with runs.folder() as folder:
    for name, sections in flow.chosen(DECKS):
        files = name.replace(" ", "_")
        deck = flow.Deck(wells=WELLS, add={"summary": "".join(v + "\n/\n" for v in GROUPS)}, **sections)
        mine = flow.compare(checks, folder, files, deck, LIMITS, days=range(60, 301, 30))
        theirs = folder + "/" + files + ".flow/" + files.upper()
        for v in ("GMCTP:A", "GMCTP:B", "GMCTP:TOP", "GMCTW:A", "GMCTW:B"):  # Flow says what is asked for, also where it does not govern
            times, numbers = flow.vector(theirs, v)
            asked = {round(t): int(n) for t, n in zip(times, numbers)}
            odd = [(day, mine.at(day, v)) for day in range(60, 301, 30) if 0 < mine.at(day, v) != asked[day]]
            checks.true("%s: %s" % (name, v), not odd, odd)
        governs = [v for v in GROUPS if v[1] == "M" and any(max(mine.vector(v + ":" + g)) > 0 for g in ("A", "B", "TOP"))]
        checks.true("%s: %s say what governs" % (name, ", ".join(governs)), governs)
        shared = [p for p in PRODUCERS if "GRUP" in mine.vector("WMCTL:" + p)]
        checks.true("%s: shares govern %s" % (name, ", ".join(shared)), shared)
        without = re.sub(r"\n (A|B|TOP)( .*)? (ORAT|WRAT|LRAT|RESV|RATE|REIN|VREP) .*/(?=\n)", "", deck.text())
        path = folder + "/" + files.upper() + "_FREE.DATA"
        with open(path, "w") as f:
            f.write(without)
        free = runs.run(path, folder, name=files + "_free")
        moved = max(abs(free.at(300, v) / mine.at(300, v) - 1) for v in ("FWIT", "WOPT:P1", "WOPT:P3", "WWIT:I1"))
        checks.true("%s: the targets move a result by %.2f %%" % (name, 100 * moved), moved > 0.03)
sys.exit(checks.result())
