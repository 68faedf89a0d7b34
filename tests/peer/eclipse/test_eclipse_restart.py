"""Runs that begin with a report step of OPM Flow's (RESTART), beside Flow's own: with SKIPREST, and with the wells of the
file; unified and separate files; aquifers that only the file has."""
import os
import sys

import aquifers
import flow
import runs

flow.need()
checks = runs.Checks(say=True)
LIMITS = {"FOPT": 0.003, "FWPT": 0.003, "FWIT": 0.003, "FOPR": 0.01, "FWPR": 0.01, "FPR": 0.002, "WBHP:P1": 0.005, "WBHP:P2": 0.005}
DAYS = (180, 210, 240, 270, 300)
AFTER = "WELTARG\n P1 ORAT 120 /\n/\nTSTEP\n 3*30 /\nWCONPROD\n P2 OPEN BHP 5* 150 /\n/\nTSTEP\n 2*30 /\n"
HISTORY = "WCONHIST\n P2 OPEN RESV 150 4 /\n/\n"
DECK = flow.Deck(controls=flow.BASE["controls"] + HISTORY, schedule="TSTEP\n 5*30 /\n" + AFTER, step=1,
                 add={"solution": "RPTRST\n BASIC=2 /\n"})


class Text:
    """A deck whose text is known."""

    def __init__(self, text, step):
        self.step, self.written, self.flow = step, text, ()

    def text(self):
        return self.written


def compare(name, text, step, limits, days):
    flow.compare(checks, folder, name, Text(text, step), limits, days=days)


with runs.folder() as folder:
    # Flow takes files from the deck's folder alone.
    path = os.path.join(folder, "BASE.DATA")
    with open(path, "w") as f:
        f.write(DECK.text())
    flow.run_flow(path, folder, DECK.step)
    compare("later", flow.later(DECK, "BASE", 5), 1, {**LIMITS, "WBHP:I": 0.005}, DAYS)
    compare("file", flow.forecast(DECK, "BASE", 5, AFTER), 1, {**LIMITS, "WBHP:I": 0.005}, DAYS)

    path = os.path.join(folder, "APART.DATA")
    with open(path, "w") as f:
        f.write(DECK.text().replace("UNIFOUT\n", ""))
    flow.run_flow(path, folder, DECK.step)
    checks.true("separate files", os.path.exists(os.path.join(folder, "APART.X0005")))
    compare("apart", flow.later(DECK, "APART", 5).replace("UNIFIN\n", ""), 1, LIMITS, DAYS)

    for name, deck, vectors in (("ct", aquifers.carter_tracy(), (1,)), ("fetkovich", aquifers.fetkovich(), (1, 2)),
                                ("cells", aquifers.chain(), (1,))):
        path = os.path.join(folder, name.upper() + "_BASE.DATA")
        with open(path, "w") as f:
            f.write(deck.text().replace("SUMMARY\n", "RPTRST\n BASIC=2 /\nSUMMARY\n"))
        flow.run_flow(path, folder, deck.step)
        limits = {k: v for k, v in LIMITS.items() if k != "FWIT"}
        for n in vectors:
            kind = "ANQ" if name == "cells" else "AAQ"
            limits.update({"%sR:%d" % (kind, n): 0.01, "%sT:%d" % (kind, n): 0.003, "%sP:%d" % (kind, n): 0.0005})
        compare(name, flow.later(deck, name.upper() + "_BASE", 5), aquifers.STEP, limits, (60, 80, 100))
sys.exit(checks.result())
