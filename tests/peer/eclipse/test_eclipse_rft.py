"""NAME.RFT beside OPM Flow's: the same logs with the same arrays; pressures and saturations of the connected cells."""
import os
import sys

import eclipse_files
import flow
import runs

flow.need()
checks = runs.Checks()
DECK = flow.Deck(step=2, controls=flow.BASE["controls"].replace("P2 OPEN", "P2 SHUT") + "WRFTPLT\n P2 FOPN /\n P1 REPT /\n/\n",
                 schedule="TSTEP\n 20 /\nWRFTPLT\n I YES /\n P1 YES /\n/\nWELOPEN\n P2 OPEN /\n/\nTSTEP\n 20 /\nWRFT\n/\nWRFTPLT\n P2 REPT /\n/\n"
                          "WELSPECS\n P3 G 5 3 1* OIL /\n/\nCOMPDAT\n P3 2* 2 3 OPEN 2* 0.2 /\n/\nWCONPROD\n P3 OPEN BHP 5* 150 /\n/\nTSTEP\n 20 20 /\n")
PRESSURE, SATURATION = 0.005, 0.002  # share of the pressure; absolute


def logs(path):
    found = []
    for name, _, values in eclipse_files.read(path):
        if name == "TIME":
            found.append({})
        found[-1][name] = values
    return found


with runs.folder() as folder:
    _, theirs = flow.both(folder, "rft", DECK, ["output.eclipse=true"])
    one, other = logs(os.path.join(folder, "RFT.RFT")), logs(theirs + ".RFT")
    checks.true("logs", len(one) == len(other) > 6, (len(one), len(other)))
    for mine, flows in zip(one, other):
        what = "%s after %g days: " % (flows["WELLETC"][1], flows["TIME"][0])
        for name in flows:
            if name not in ("PRESSURE", "SWAT"):
                checks.true(what + name, mine.get(name) == flows[name], (mine.get(name), flows[name]))
        checks.true(what + "arrays", list(mine) == list(flows), (list(mine), list(flows)))
        checks.between(what + "pressures differ", max(abs(a / b - 1) for a, b in zip(mine["PRESSURE"], flows["PRESSURE"])), 0, PRESSURE)
        checks.between(what + "saturations differ", max(abs(a - b) for a, b in zip(mine["SWAT"], flows["SWAT"])), 0, SATURATION)

sys.exit(checks.result())
