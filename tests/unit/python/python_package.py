"""The package of python/hepta for its tests: it is imported from the repository and calls the program under test."""
import os
import sys

import runs

PACKAGE = os.path.join(runs.SOURCE, "python")
sys.path.insert(0, PACKAGE)
sys.dont_write_bytecode = True

# Named with blanks and other letters than English ones.
DECK = """
title = "Überflutung";
start = "2026-01-01 06:00";
grid = { size = [8, 8, 2]; dx = 30.0; dy = 30.0; dz = 5.0; top = 1500.0; porosity = 0.2; permx = 150.0; permz = 15.0;
         boxes = ( { i = 3; j = [4, 5]; set = { active = 0; }; } ); };
fluids = { water = { density = 1000.0; viscosity = 0.5; compressibility = 4.4e-5; };
           oil = { density = 850.0; viscosity = 2.0; compressibility = 1e-4; }; };
saturation = { model = "corey"; swc = 0.2; sor = 0.2; nw = 2.0; no = 2.0; krw_max = 0.4; };
initial = { datum_depth = 1500.0; datum_pressure = 180.0; contact_depth = 1600.0; };
wells = ( { name = "IN 1"; type = "injector"; i = 1; j = 1; radius = 0.1; control = "rate"; rate = 60.0; bhp = 300.0; },
          { name = "Öl\\"2"; type = "producer"; i = 8; j = 8; radius = 0.1; control = "bhp"; bhp = 150.0; } );
schedule = ( { time = 60.0; well = "IN 1"; rate = 80.0; } );
report = { every = 20.0; end = 100.0; };
timestep = { initial = 1.0; max = 10.0; };
"""
PRODUCER = 'Öl"2'


def write_deck(folder, name="eine Flut.cfg", text=DECK):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def content(base):
    """Of a result, to compare two: the summary, and the fields of each report step."""
    found = runs.datasets(str(base) + ".h5")
    with open(str(base) + ".summary.csv", "rb") as f:
        return {**found, "summary": f.read()}
