"""A small deck for tests of the command line, and what they write and set."""

DECK = """
grid = { size = [6, 5, 2]; dx = 20.0; dy = 20.0; dz = 4.0; top = 1800.0; porosity = 0.2; permx = 150.0; permz = 15.0; };
@include "fluids.inc"
initial = { datum_depth = 1800.0; datum_pressure = 180.0; contact_depth = 1900.0; };
wells = (
  { name = "INJ"; type = "injector"; i = 1; j = 1; radius = 0.1; control = "rate"; rate = 20.0; bhp = 300.0; },
  { name = "P1"; type = "producer"; i = 6; j = 5; radius = 0.1; control = "bhp"; bhp = 150.0; }
);
report = { every = 50.0; end = 200.0; };
timestep = { initial = 0.5; };
"""
# nothing gives way and only water comes in: no solution exists
CLOSED = ["fluids.water.compressibility=0.0", "fluids.oil.compressibility=0.0", "rock.compressibility=0.0",
          "wells.P1.status=shut", "wells.INJ.bhp=1e15"]


def sets(options):
    return [a for o in options for a in ("--set", o)]


def write(path, text):
    with open(path, "w") as f:
        f.write(text)
