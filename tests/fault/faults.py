"""What the tests of faults have in common: a small deck, and the program with tests/fault/calls.c before it."""
import os
import resource

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
timestep = { initial = 1.0; max = 2.0; };
"""
OPTIONS = ["output.double=true", "output.refresh=0.0"]  # each report step is named at once
LIBRARY = os.environ.get("HEPTA_FAULTS", "")


def environment(kind, at):
    return dict(os.environ, LD_PRELOAD=LIBRARY, HEPTA_FAULT=kind, HEPTA_FAULT_AT=str(at))


def start(deck, base, kind, at, options=OPTIONS):
    return restarts.start(deck, base, options, ["--threads", "1"], environment(kind, at))


def go_on(deck, base, result, kind, at, options=OPTIONS):
    return restarts.go_on(deck, base, result, options, ["--threads", "1"], environment(kind, at))


def skip_without_library():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not LIBRARY:
        runs.skip("not with a sanitizer")
