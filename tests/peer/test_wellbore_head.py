"""Two decks of others whose producers get wet, a perforation of which comes to stand still, against OPM Flow: what is
produced and the pressure depend on the head in the wellbore. Their aquifers are taken out, which would keep the wells flowing.

Flow's check of operability closes the producer of the first deck, long before it ceases to flow: it is switched off.
"""
import os
import re
import sys

import flow
import runs

AQUIFER = {"AQUDIMS": 1, "AQUFETP": 0, "AQUCT": 0, "AQUTAB": 0, "AQUANCON": 0}  # records; 0: up to a lone slash
OTHERS = {"OPTIONS": 1, "PIMTDIMS": 1}
VECTORS = {"AAQR": 1, "AAQT": 1, "AAQP": 1}
DECKS = (("fetkovich_2d/2D_FETKOVICHAQUIFER.DATA", (300, 600, 900), 0.0008),
         ("ow_ctaquifer/2D_OW_CTAQUIFER.DATA", (150, 300, 450), 0.00025))

flow.need()


def code(line):
    return line.split("--")[0].strip()


def without(text, keywords):
    """The deck without these keywords and their records."""
    kept, rows = [], iter(text.splitlines())
    for row in rows:
        word = re.match(r"\w*", code(row)).group()
        if word not in keywords:
            kept.append(row)
            continue
        ended = (lambda r: "/" in code(r)) if keywords[word] else (lambda r: code(r) == "/")
        next(r for r in rows if ended(r))
    return "\n".join(kept) + "\n"


checks = runs.Checks(say=True)
with runs.folder() as folder:
    for deck, days, limit in DECKS:
        name = deck.split("/")[0]
        path = os.path.join(folder, name.upper() + ".DATA")
        with open(runs.shared("data", "real", deck), encoding="latin-1") as f:
            text = without(f.read(), {**AQUIFER, **OTHERS, **VECTORS})
        with open(path, "w", encoding="latin-1") as f:
            f.write(text)
        theirs = os.path.join(flow.run_flow(path, os.path.join(folder, name + ".flow"), 1,
                                            ["--tolerance-wells=1e-7", "--enable-well-operability-check=false"]),
                              name.upper())
        ours = runs.run(path, folder, ["timestep.max=1", "timestep.accuracy=0", "newton.tolerance_cnv=1e-3", "newton.tolerance_mb=1e-8"],
                        name=name)
        for vector in ("FOPT", "FWPT", "FPR"):
            times, values = flow.vector(theirs, vector)
            there = {round(t, 2): x for t, x in zip(times, values)}
            worst = max(abs(ours.at(day, vector) - there[day]) for day in days) / max(abs(x) for x in values)
            checks.true("%s: %s differs by %.4f %% (limit %.3f %%)" % (name, vector, 100 * worst, 100 * limit),
                        worst < limit)
        # no flipping from step to step while nothing is changed; later the first deck's well hardly flows at all
        rates = ours.vector("FWPR")[10:450]
        jump = max(abs(b - a) / max(a, b) for a, b in zip(rates, rates[1:]))
        checks.true("%s: FWPR changes by at most %.1f %% from step to step" % (name, 100 * jump), jump < 0.1)
sys.exit(checks.result())
