"""Targets of the field (GCONPROD, GCONINJE, WGRUPCON) on small decks beside OPM Flow, with changes in the middle of
the schedule. A run of the deck without them lies outside the limits."""
import re
import sys

import flow
import runs

flow.need()
checks = runs.Checks(say=True)
LIMITS = {"FOPT": 0.002, "FWPT": 0.004, "FWIT": 0.002, "FPR": 0.002, "WOPT:P1": 0.004, "WOPT:P2": 0.004,
          "WWPT:P1": 0.004, "WBHP:P1": 0.004, "WBHP:I": 0.004, "WWIT:I": 0.004}
STEPS = "TSTEP\n 5*30 /\n"
RATE = "WCONINJE\n I WATER OPEN RATE 400 1* 600 /\n/\n"
TOGETHER = "WCONINJE\n I WATER OPEN GRUP 2* 600 /\n/\n"
PRODUCERS = "WCONPROD\n 'P*' OPEN GRUP 5* 80 /\n/\n"
WET = {"solution": "EQUIL\n 2000 200 2012 0 /\n"}
TWO_INJECTORS = (flow.BASE["wells"].replace(" P1 G", " I2 G 1 6 1* WATER /\n P1 G", 1)
                 .replace(" P1 2* 1 3", " I2 2* 2 3 OPEN 2* 0.2 /\n P1 2* 1 3", 1))
DECKS = {
    "oil": {"controls": RATE + PRODUCERS + "GCONPROD\n FIELD ORAT 200 /\n/\n",
            "schedule": STEPS + "GCONPROD\n FIELD ORAT 150 /\n/\n" + STEPS},
    "liquid": {"controls": RATE + "WCONPROD\n P1 OPEN GRUP 5* 80 /\n P2 OPEN ORAT 60 4* 80 /\n/\n"
                                  "GCONPROD\n FIELD LRAT 3* 300 /\n/\n",
               "schedule": STEPS + "WCONPROD\n P2 OPEN GRUP 5* 120 /\n/\n" + STEPS},
    "pressure limits": {"controls": RATE + "WCONPROD\n P1 OPEN GRUP 5* 192 /\n P2 OPEN GRUP 5* 80 /\n/\n"
                                           "GCONPROD\n FIELD ORAT 300 /\n/\n"},
    "guide rates": {"controls": RATE + PRODUCERS + "GCONPROD\n FIELD ORAT 200 /\n/\n"
                                                   "WGRUPCON\n P1 YES 3 OIL /\n P2 YES 1 OIL /\n/\n",
                    "schedule": STEPS + "WGRUPCON\n P1 YES 1 OIL /\n P2 YES 1.5 OIL /\n/\n" + STEPS},
    "reservoir volume": {**WET, "controls": RATE + PRODUCERS + "GCONPROD\n FIELD RESV 11* 250 /\n/\n"},
    "voidage": {"controls": TOGETHER + PRODUCERS + "GCONPROD\n FIELD ORAT 200 /\n/\n"
                                                   "GCONINJE\n FIELD WATER VREP 3* 1.0 /\n/\n",
                "schedule": STEPS + "GCONINJE\n FIELD WATER VREP 3* 0.8 /\n/\n" + STEPS},
    "voidage of wells": {"controls": TOGETHER + "WCONPROD\n P1 OPEN ORAT 100 4* 80 /\n P2 OPEN LRAT 3* 120 1* 80 /\n/\n"
                                                "GCONINJE\n FIELD WATER VREP 3* 1.0 /\n/\n", **WET},
    "reinjection": {**WET, "controls": TOGETHER + "WCONPROD\n 'P*' OPEN LRAT 3* 60 1* 80 /\n/\n"
                                                  "GCONINJE\n FIELD WATER REIN 2* 1.0 /\n/\n"},
    "injection": {"wells": TWO_INJECTORS, "controls": TOGETHER.replace(" I ", " 'I*' ") + PRODUCERS
                  + "GCONPROD\n FIELD LRAT 3* 500 /\n/\nGCONINJE\n FIELD WATER RATE 600 /\n/\n"},
}

with runs.folder() as folder:
    for name, sections in flow.chosen(DECKS):
        files = name.replace(" ", "_")
        deck = flow.Deck(**sections)
        mine = flow.compare(checks, folder, files, deck, LIMITS)
        shared = [v for v in ("WMCTL:I", "WMCTL:P1", "WMCTL:P2") if "GRUP" in mine.vector(v)]
        checks.true("%s: shares govern %s" % (name, ", ".join(shared)), shared)
        without = re.sub(r"(GCONPROD|GCONINJE|WGRUPCON)\n(.*\n)*?/\n", "", deck.text())
        without = without.replace("GRUP 2*", "RATE 300 1*")
        path = folder + "/" + files.upper() + "_FREE.DATA"
        with open(path, "w") as f:
            f.write(without)
        free = runs.run(path, folder, name=files + "_free")
        moved = max(abs(free.at(300, v) / mine.at(300, v) - 1) for v in ("FOPT", "FWIT", "WOPT:P1"))
        checks.true("%s: the targets move a result by %.2f %%" % (name, 100 * moved), moved > 0.01)
sys.exit(checks.result())
