"""Decks whose transmissibilities change in SCHEDULE, for the tests of them: the base of flow.py, 100 days.

    deck("", LATER)       blocks with two faults
    deck(FAULT, LATER)    corner points with a throw at one of them, so that there are connections across it
"""
import flow

FAULT = "FAULTS\n A 5 5 1 6 1 3 X /\n B 6 6 1 6 1 3 X- /\n/\n"
STEPS = "TSTEP\n 20 20 /\n"
LATER = STEPS + "MULTFLT\n A 0.05 /\n/\nTSTEP\n 20 /\nBOX\n 1 10 3 3 1 3 /\nMULTY\n 30*0.1 /\nENDBOX\nTSTEP\n 20 /\nMULTFLT\n A 4 /\n/\nTSTEP\n 20 /\n"


def throw():
    """Corner points with a throw of half a layer at i = 5."""
    coord = "".join(" %g %g 1900 %g %g 2200\n" % (40 * i, 50 * j, 40 * i, 50 * j) for j in range(7) for i in range(11))
    zcorn = "".join(" %g\n" % (2000 + 8 * (k + c) + (12 if i >= 5 else 0)) for k in range(3) for c in (0, 1) for j in range(6)
                    for b in (0, 1) for i in range(10) for a in (0, 1))
    rock = "PORO\n 180*0.2 /\nPERMX\n 60*200 60*50 60*400 /\nCOPY\n PERMX PERMY /\n PERMX PERMZ /\n/\n"
    return "COORD\n" + coord + "/\nZCORN\n" + zcorn + "/\n" + rock


def deck(grid, schedule):
    return flow.Deck(schedule=schedule, **({"grid": throw() + grid} if grid else {"add": {"grid": FAULT}}))
