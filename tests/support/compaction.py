"""Decks with rock tables, for the tests of them: the base of flow.py, 300 days, in which the pressure falls by half and rises again.

    reversible     one table, multipliers of volume and transmissibility
    irreversible   the same, entered with the lowest pressure
    regions        two tables by ROCKNUM, values left out, ROCK beside them
    directions     RKTRMDIR: multipliers along x, y, z
"""
import flow

# The injector begins after 150 days.
SCHEDULE = "TSTEP\n 5*30 /\nWCONINJE\n I WATER OPEN RATE 700 1* 600 /\n/\nTSTEP\n 5*30 /\n"
CONTROLS = ("WCONINJE\n I WATER SHUT RATE 700 1* 600 /\n/\n"
            "WCONPROD\n P1 OPEN ORAT 100 4* 40 /\n P2 OPEN LRAT 3* 140 1* 40 /\n/\n")
TABLE = "ROCKTAB\n 50 0.90 0.45\n 120 0.94 0.6\n 200 1.0 1.0\n 300 1.02 1.1 /\n"
TABLES = ("ROCKTAB\n 50 0.90 0.45\n 120 1* 0.6\n 200 1.0 1.0\n 300 1.02 1.1 /\n"
          " 80 0.92 0.3\n 200 1 1\n 250 1.01 1.2 /\n")
ROCKNUM = "ROCKNUM\n " + " ".join("5*1 5*2" for _ in range(18)) + " /\n"
DIRECTIONS = "ROCKTAB\n 50 0.90 0.45 0.2 0.05\n 120 0.94 0.6 0.4 0.2\n 200 1.0 1.0 1.0 1.0\n 300 1.02 1.1 1.2 1.3 /\n"


def deck(rockcomp, rock, add=None, **sections):
    parts = {"runspec": flow.BASE["runspec"] + rockcomp, "rock": rock, "controls": CONTROLS, "schedule": SCHEDULE, **sections}
    return flow.Deck(add=add, **parts)


def reversible(**k):
    return deck("ROCKCOMP\n REVERS /\n", TABLE, **k)


def irreversible(**k):
    return deck("ROCKCOMP\n IRREVERS 1 NO /\n", TABLE, **k)


def regions(**k):
    return deck("ROCKCOMP\n REVERS 2 /\n", TABLES + "ROCK\n 200 2E-5 /\n 200 8E-5 /\n", regions=ROCKNUM, **k)


def directions(**k):
    return deck("RKTRMDIR\nROCKCOMP\n /\n", DIRECTIONS, **k)


def none(**k):
    return deck("", "ROCK\n 200 2E-4 /\n", **k)
