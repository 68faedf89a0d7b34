"""Decks with an aquifer of each kind, for the tests of them: the base of flow.py without its injector, 100 days.

    carter_tracy  infinite aquifer (the table that no deck gives) at rest, on the faces I- of i = 1, more on J-
    table         a table of AQUTAB, a quarter of a circle, coefficients, a hole of inactive cells within the box
    fetkovich     two aquifers: one at rest, and one of lower pressure that water flows out to
    field_units   Fetkovich below the field (K+), in FIELD units
    flux          so much water a day, whatever the pressure
    two           one of each kind, several in a cell
"""
import flow

STEP = 0.5
DAYS = (10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
WELLS = ("WELSPECS\n P1 G 10 6 1* OIL /\n P2 G 10 1 1* OIL /\n/\n"
         "COMPDAT\n P1 2* 1 3 OPEN 2* 0.2 /\n P2 2* 1 3 OPEN 2* 0.2 /\n/\n")
CONTROLS = "WCONPROD\n P1 OPEN ORAT 150 4* 20 /\n P2 OPEN LRAT 3* 200 1* 20 /\n/\n"
VECTORS = "FOPR\nFWPR\nFOPT\nFWPT\nFPR\nWBHP\n/\nWOPR\n/\nWWPR\n/\nWOPT\n/\nWWPT\n/\nAAQR\n/\nAAQT\n/\nAAQP\n/\n"
CONTACT = "EQUIL\n 2000 200 2016 0 /\n"  # the lowest layer is in the water
SIZES = "AQUDIMS\n 1* 1* 2 40 3 200 /\n"
# A closed aquifer, whose pressure rises in proportion to the time in the end.
TABLE = "AQUTAB\n 0.01 0.112\n 0.05 0.229\n 0.1 0.315\n 0.2 0.424\n 0.4 0.564\n 0.7 0.762\n 1 0.96\n 2 1.62\n/\n"
HOLE = "EQUALS\n ACTNUM 0 3 4 2 3 1 3 /\n/\n"


def deck(aquifers, step=STEP, add=None, **sections):
    parts = {"runspec": flow.BASE["runspec"] + SIZES, "wells": WELLS, "controls": CONTROLS, "summary": VECTORS,
             "schedule": "TSTEP\n 10*10 /\n", "solution": CONTACT + aquifers, **sections}
    return flow.Deck(step=step, add=add, **parts)


CARTER_TRACY = ("AQUCT\n 1 2010 1* 300 0.25 9E-5 400 24 120 /\n/\n"
                "AQUANCON\n 1 1 1 1 6 1 3 I- /\n 1 2 6 1 1 2 3 J- 1* 0.5 /\n/\n")


def carter_tracy(**k):
    return deck(CARTER_TRACY, **k)


def table(**k):
    aquifer = ("AQUCT\n 3 2000 215 600 0.2 8E-5 600 60 90 1 2 /\n/\n"
               "AQUANCON\n 3 1 5 1 6 1 3 I- 300 0.7 /\n 3 1 1 6 6 1 2 J+ 500 1 /\n/\n")
    return deck(aquifer, add={"props": TABLE, "grid": HOLE}, **k)


def fetkovich(**k):
    return deck("AQUFETP\n 1 2005 1* 3E6 1E-4 12 /\n 2 2020 160 4E5 8E-5 1.5 /\n/\n"
                "AQUANCON\n 1 1 1 1 6 1 3 I- /\n 2 2 10 6 6 3 3 J+ 1* 2 NO /\n/\n", **k)


def field_units(**k):
    # 10 x 6 x 3 cells of 130 x 160 x 26 ft
    return deck("AQUFETP\n 1 6600 1* 2E7 7E-6 5 /\n/\nAQUANCON\n 1 1 10 1 6 1 3 K+ /\n/\n",
                runspec=flow.BASE["runspec"].replace("METRIC", "FIELD") + SIZES,
                grid="DX\n 180*130 /\nDY\n 180*160 /\nDZ\n 180*26 /\nTOPS\n 60*6560 /\nPORO\n 180*0.2 /\n"
                     "PERMX\n 60*200 60*50 60*400 /\nCOPY\n PERMX PERMY /\n PERMX PERMZ /\n/\nMULTIPLY\n PERMZ 0.1 /\n/\n",
                props="DENSITY\n 53 64 0.06 /\nPVTW\n 2900 1.01 3.1E-6 0.5 0 /\n",
                pvdo="PVDO\n 1500 1.06 2.8\n 2900 1.05 3.0\n 6000 1.03 3.4 /\n", rock="ROCK\n 2900 3.4E-6 /\n",
                swof="SWOF\n 0.2 0 1 7\n 0.4 0.05 0.5 3\n 0.6 0.2 0.1 1.5\n 0.8 0.5 0 0 /\n",
                solution="EQUIL\n 6560 2900 6612 0 /\nAQUFETP\n 1 6600 1* 2E7 7E-6 5 /\n/\nAQUANCON\n 1 1 10 1 6 1 3 K+ /\n/\n",
                wells=WELLS.replace("0.2 /", "0.6 /"),
                controls="WCONPROD\n P1 OPEN ORAT 900 4* 300 /\n P2 OPEN LRAT 3* 1200 1* 300 /\n/\n", **k)


FLUX = 0.2  # sm3/day/m2


def flux(**k):
    return deck("AQUFLUX\n 1 %g /\n/\nAQUANCON\n 1 1 1 1 6 1 3 I- 1* 0.5 /\n/\n" % FLUX, **k)


def flux_by_wells(**k):
    """The same as injectors, one in each connected cell: a face is 50 x 8 m."""
    cells = [(j, layer) for j in range(1, 7) for layer in range(1, 4)]
    rate = FLUX * 0.5 * 50 * 8
    wells = (WELLS + "WELSPECS\n" + "".join(" A%d%d A 1 %d 1* WATER /\n" % (j, n, j) for j, n in cells) + "/\nCOMPDAT\n"
             + "".join(" A%d%d 1 %d %d %d OPEN 2* 0.2 /\n" % (j, n, j, n, n) for j, n in cells) + "/\n")
    controls = CONTROLS + "WCONINJE\n" + "".join(" A%d%d WATER OPEN RATE %g 1* 5000 /\n" % (j, n, rate) for j, n in cells) + "/\n"
    return deck("", controls=controls, runspec=flow.BASE["runspec"].replace(" 10 10 5 10 /", " 30 10 5 30 /") + SIZES,
                wells=wells, **{n: v for n, v in k.items()})


def two(**k):
    return deck("AQUFETP\n 2 2005 1* 3E6 1E-4 12 /\n/\nAQUCT\n 5 2010 1* 300 0.25 9E-5 400 24 120 /\n/\nAQUFLUX\n 9 0.05 /\n/\n"
                "AQUANCON\n 2 1 1 1 6 1 3 I- /\n 5 1 1 1 6 1 3 I- /\n 5 1 1 1 1 1 3 J- /\n 9 1 10 6 6 1 3 J+ /\n/\n", **k)


def none(**k):
    return deck("", **k)


# ---- numerical aquifers: cells of a corner of the grid, P2 stands apart from it ----

CORNER = "EQUALS\n ACTNUM 0 1 1 6 6 1 3 /\n/\n"


def numerical(cells, faces, step=0.5, add="", **sections):
    return deck("", step=step, add={"grid": CORNER + add + "AQUNUM\n" + cells + "/\nAQUCON\n" + faces + "/\n"},
                summary=VECTORS.replace("AAQ", "ANQ"), **sections)


def chain(**k):
    """Three cells, the depth of the first that of its cell, at rest; faces by the aquifer's own area, some multiplied."""
    return numerical(" 1 1 6 1 2E5 600 0.25 300 /\n 1 1 6 2 3E5 2000 0.2 200 2030 /\n 1 1 6 3 3E5 8000 1* 100 2050 /\n",
                     " 1 1 1 1 5 1 3 I- 0.5 /\n", **k)


def by_face(**k):
    """Two aquifers, one at a pressure and a table of its own; faces by their own areas, MULTX-, net to gross, inner faces."""
    return numerical(" 4 1 6 2 4E5 900 0.2 250 2040 215 1* 2 /\n 2 1 6 1 2E5 3000 0.3 150 2020 /\n",
                     " 4 1 1 1 5 1 3 X- 1 1 /\n 2 3 6 1 6 3 3 K+ 2 0 /\n 4 8 8 2 3 2 2 J+ 0.1 1 YES /\n",
                     add="EQUALS\n MULTX- 0.4 1 1 1 2 1 3 /\n NTG 0.7 1 4 1 6 1 1 /\n/\n",
                     tabdims="TABDIMS\n 2 1 30 30 5 /\nEQLDIMS\n 1 /\n", swof=flow.BASE["swof"] + " 0.2 0 1 0\n 1 1 0 0 /\n", **k)
