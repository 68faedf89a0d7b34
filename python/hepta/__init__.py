"""hepta, a reservoir simulator for oil and water: runs of the program and their results.

    import hepta

    result = hepta.run("decks/quarter_five_spot.cfg", set={"report.end": 300})
    result.summary[["FOPR", "FWPR"]].plot()
    result.map("sw")

run, start, check call the program hepta (HEPTA of the environment, or the one on PATH); open reads what a run has written. Needs
numpy and h5py; pandas, xarray, matplotlib and pyvista where something of theirs is asked for. docs/guide/python.md is the guide.
"""
from .grids import Grid
from .program import Diagnostic, HeptaError, Interrupted, MissingPackage, ProgramMissing, find_program, version
from .results import Field, Result, Well, open
from .runs import Diagnostics, Event, Run, check, run, start

__all__ = ["Diagnostic", "Diagnostics", "Event", "Field", "Grid", "HeptaError", "Interrupted", "MissingPackage", "ProgramMissing",
           "Result", "Run", "Well", "check", "find_program", "open", "run", "start", "version"]
