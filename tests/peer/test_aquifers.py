"""Aquifers beside OPM Flow at steps of half a day: Carter-Tracy with the default and with a given table, Fetkovich, in
METRIC and FIELD units, into the reservoir and out of it; numerical ones. Constant flux, which Flow 2022.10 does not have, beside wells
that inject as much into each connected cell. Each deck without its aquifers lies far outside the limits."""
import os
import sys

import aquifers
import flow
import runs

flow.need()
checks = runs.Checks(say=True)
LIMITS = {"FOPT": 0.003, "FWPT": 0.003, "FOPR": 0.01, "FWPR": 0.01, "FPR": 0.001, "WBHP:P1": 0.005, "WBHP:P2": 0.005}


def of_aquifers(*numbers):
    return {"%s:%d" % (v, n): limit for n in numbers for v, limit in (("AAQR", 0.01), ("AAQT", 0.003), ("AAQP", 0.0005))}


DECKS = {"carter_tracy": ((1,), {}), "table": ((3,), {"add": {"grid": aquifers.HOLE}}), "fetkovich": ((1, 2), {}),
         "field_units": ((1,), None)}

with runs.folder() as folder:
    def moves(name, mine, plain):
        moved = max(abs(mine.at(t, v) - plain.at(t, v)) / abs(mine.at(t, v)) for t in (50, 100)
                    for v in ("FPR", "WBHP:P1", "WBHP:P2"))
        checks.true("%s: the aquifers move a pressure by %.2f %%" % (name, 100 * moved), moved > 0.05)

    def alone(name, deck):
        path = "%s/%s.DATA" % (folder, name.upper())
        with open(path, "w") as f:
            f.write(deck.text())
        return runs.run(path, folder, name=name, options=["timestep.max=5"])

    for name, (numbers, plain) in DECKS.items():
        deck = getattr(aquifers, name)()
        mine = flow.compare(checks, folder, name, deck, {**LIMITS, **of_aquifers(*numbers)}, days=aquifers.DAYS,
                            options=["output.eclipse=true"])
        for vector in ("AAQR", "AAQT", "AAQP"):  # as Flow's own tool reads them from the files
            read = flow.vector_by_tool(os.path.join(folder, name.upper()), "%s:%d" % (vector, numbers[-1]))[1][-1]
            ours = mine.at(100, "%s:%d" % (vector, numbers[-1]))
            checks.near("%s: %s in SMSPEC and UNSMRY" % (name, vector), read, ours, 1e-5 * abs(ours))
        if plain is None:  # as it is, but for its aquifers
            deck.part["solution"] = deck.part["solution"][:deck.part["solution"].index("AQU")]
            plain = alone(name + "_plain", deck)
        else:
            plain = alone(name + "_plain", aquifers.none(**plain))
        moves(name, mine, plain)
    for name, number in (("chain", 1), ("by_face", 4)):
        deck = getattr(aquifers, name)()
        vectors = {"ANQR:%d" % number: 0.01, "ANQT:%d" % number: 0.003, "ANQP:%d" % number: 0.003}
        mine = flow.compare(checks, folder, name, deck, {**LIMITS, "FPR": 0.003, **vectors}, days=aquifers.DAYS)
        deck.part["grid"] = deck.part["grid"][:deck.part["grid"].index("AQUNUM")]
        moves(name, mine, alone(name + "_plain", deck))
    mine = flow.compare(checks, folder, "flux", aquifers.flux_by_wells(), LIMITS, days=aquifers.DAYS, mine=aquifers.flux())
    total = aquifers.FLUX * 0.5 * 18 * 50 * 8
    checks.near("flux: AAQR", mine.at(100, "AAQR:1"), total, 1e-9 * total)
    checks.near("flux: AAQT", mine.at(100, "AAQT:1"), 100 * total, 1e-7 * total)
    checks.true("flux: AAQP is none", mine.at(100, "AAQP:1") == 0.0)
    moves("flux", mine, alone("flux_plain", aquifers.none()))
sys.exit(checks.result())
