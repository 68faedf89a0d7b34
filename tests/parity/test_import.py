"""hepta import: the deck that it writes gives the results of the Eclipse deck, to
the bit: fields, summary, time steps; and it goes on with the result of the Eclipse deck."""
import os
import sys

import h5py

import flow
import imports
import runs

checks = runs.Checks()


def nodes(path):
    """Drawn geometry of result files: corners of cells, which may be hidden, and the mesh."""
    with h5py.File(path, "r") as f:
        return {name: f["grid"][name][:].tobytes() for name in ("nodes", "cells", "active", "x", "y", "z")}


def depths_of(folder, name):
    """Whether the imported deck gives depths of tops or of middles; a deck says either."""
    path = os.path.join(folder, name + "_i.cfg")
    text = open(path).read() if os.path.exists(path) else ""
    given = [key for key in ("top", "tops", "depth") if "\n  %s = " % key in text]
    return given[0] if len(given) == 1 else None


with runs.folder() as folder:
    imports.both(checks, folder, runs.deck("FIVE_SPOT.DATA"), "five_spot")
    text = open(os.path.join(folder, "five_spot_i.cfg")).read()
    for line in ('units = "metric";', "dx = 30.0;", "dz = [4.0, 6.0, 3.0, 5.0];", "top = 2000.0;", "compressibility = 4.5e-5;",
                 "[0.35, 0.04, 0.43, 0.14]", "i = 8; j = 8; k = [1, 4]; radius = 0.1;", "k = [1, 3]; radius = 0.1; skin = 1.5;",
                 'control = "oil-rate"; bhp = 160.0; oil_rate = 60.0; group = "G"; }', "timestep = { initial = 1.0; max = 365.0; };"):
        checks.true("the imported deck reads: " + line, line in text, text)
    for word in ("connection_factor", "none", "efficiency", "99999", "00000"):
        checks.true("and not: " + word, word not in text, text)
    for name, sections in imports.DECKS.items():
        path = os.path.join(folder, name.upper() + ".DATA")
        with open(path, "w") as f:
            f.write(flow.Deck(**sections).text().replace("METRIC\n", "" if name == "field" else "METRIC\n"))
        imports.both(checks, folder, path, name, "metric" if name == "field" else "field")
    checks.true("one top where all columns have it", depths_of(folder, "plain") == "top")
    checks.true("tops where every cell has one", depths_of(folder, "dipping") == "tops")
    text = open(os.path.join(folder, "regular_i.cfg")).read()
    checks.true("regular reports", "report = { every = 10.0; end = 95.0; };" in text, text)
    done = runs.hepta("import", runs.deck("FIVE_SPOT.DATA"), "-o", os.path.join(folder, "x.cfg"), "--units", "imperial")
    checks.true("units that there are not", done.returncode == 2 and "must be metric, field, lab or si" in done.stderr)
    for name in ("corners", "corners_edited", "faulted"):
        text = open(os.path.join(folder, name + "_i.cfg")).read()
        checks.true(name + ": its corners", "corner_point = {" in text and depths_of(folder, name) is None, text)
        drawn = [nodes(os.path.join(folder, name + n + ".grid.h5")) for n in ("", "_i", "_u")]
        checks.true(name + ": drawn with them", drawn[0] == drawn[1] == drawn[2])
    checks.true("depths where a cell has no top to the last bit", depths_of(folder, "newtran") == "depth", depths_of(folder, "newtran"))
sys.exit(checks.result())
