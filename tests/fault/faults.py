"""Shared by the tests of faults: a small deck, and the program with tests/fault/calls.c before it."""
import glob
import os
import resource
import shutil

import h5py

import restarts
import runs

DECK = """
grid = { size = [4, 3, 2]; dx = 25.0; dy = 25.0; dz = 4.0; top = 1800.0; porosity = 0.2; permx = 100.0; };
""" + runs.FLUIDS + """initial = { datum_depth = 1800.0; datum_pressure = 180.0; contact_depth = 1900.0; };
wells = (
  { name = "I"; type = "injector"; i = 1; j = 1; radius = 0.1; control = "rate"; rate = 20.0; bhp = 300.0; },
  { name = "P"; type = "producer"; i = 4; j = 3; radius = 0.1; control = "liquid-rate"; liquid_rate = 20.0; bhp = 120.0; }
);
schedule = ( { time = 4.0; well = "P"; control = "bhp"; bhp = 150.0; liquid_rate = "none"; } );
report = { every = 2.0; end = 6.0; };
timestep = { initial = 1.0; max = 2.0; accuracy = 1.0; };
"""
OPTIONS = ["output.double=true", "output.refresh=0.0"]  # each report step is named at once
PRELOADED = os.environ.get("HEPTA_FAULTS", "")


def environment(kind, at):
    return dict(os.environ, LD_PRELOAD=PRELOADED, HEPTA_FAULT=kind, HEPTA_FAULT_AT=str(at))


def start(deck, base, kind, at, options=OPTIONS):
    return restarts.start(deck, base, options, ["--threads", "1"], environment(kind, at))


def go_on(deck, base, result, kind, at, options=OPTIONS):
    return restarts.go_on(deck, base, result, options, ["--threads", "1"], environment(kind, at))


def skip_without_library():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not PRELOADED:
        runs.skip("not with a sanitizer")


def steps_of(base):
    with h5py.File(base + ".h5", "r") as f:
        return [int(s) for s in f["step"][:]]


def look(checks, what, base, whole):
    """All that the master and the xdmf2 file name is there and right. The steps."""
    if not os.path.exists(base + ".h5"):
        checks.true(what + ": no xdmf2 without a master", not os.path.exists(base + ".xdmf2"))
        return []
    mine, right = runs.datasets(base + ".h5"), runs.datasets(whole + ".h5")
    wrong = [name for name in mine if mine[name] != right.get(name)]
    checks.true(what + ": fields", not wrong, wrong)
    if os.path.exists(base + ".xdmf2"):
        text = restarts.text(base + ".xdmf2")
        named = {part.split(":")[0] for part in text.split('Format="HDF">')[1:]}
        gone = [n for n in named if not os.path.exists(os.path.join(os.path.dirname(base), n))]
        checks.true(what + ": files of the xdmf2", not gone, gone)
    return steps_of(base)


def remove(base):
    """All files of a result."""
    for path in glob.glob(base + ".*"):
        (shutil.rmtree if os.path.isdir(path) else os.remove)(path)
