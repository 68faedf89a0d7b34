"""Checks of `hepta import`: the deck that it writes gives the results of the Eclipse deck to the bit, and goes on with them
(HEPTA_TEST_EVERY=1: in the deck's own units, too)."""
import os

import flow
import runs

B = flow.BASE
HALVES = "EQUALS\n %s 1 /\n %s 2 6 10 1 6 1 3 /\n/\n"
SHORT = "TSTEP\n 10 20 /\n"
SIZES = ("DX\n 180*40 /\nDY\n 180*50 /\nDZ\n 180*8 /\nTOPS\n 60*2000 /\n")


def corners(nx, ny, nz, flat=(), fault=None):
    """COORD and ZCORN of layers that dip, bend and thicken; the cells (i, j, k) of `flat` have no thickness; columns from
    i = fault on, from 0, lie half a layer deeper."""
    def depth(i, j, k):
        return 2000.67 + 1.37 * i + 0.93 * j + 0.011 * i * j + k * (7.91 + 0.13 * i + 0.07 * j)

    coord = ["%r %r 1900 %r %r 2100" % (40.0 * i, 50.0 * j, 40.3 * i, 50.1 * j)
             for j in range(ny + 1) for i in range(nx + 1)]
    zcorn = ["%.2f" % (depth(i + a, j + b, k + (0 if (i, j, k) in flat else c)) + (4.0 if fault is not None and i >= fault else 0.0)) for k in range(nz) for c in range(2)
             for j in range(ny) for b in range(2) for i in range(nx) for a in range(2)]
    return "COORD\n %s /\nZCORN\n %s /\n" % ("\n ".join(coord), "\n ".join(zcorn))


CORNERS = B["grid"].replace(SIZES, corners(10, 6, 3, flat={(4, 2, 2)})) + "EQUALS\n ACTNUM 0 5 5 3 3 3 3 /\n/\n"
ODD = "'P\\\"2'"  # a quote and a backslash in a name
DECKS = {
    "corners": {"grid": CORNERS},
    "corners_edited": {"grid": CORNERS,
                       "edit": "EQUALS\n TRANX 2.5 5 5 1 6 1 3 /\n/\nMULTIPLY\n PORV 1.5 1 3 4* /\n/\n"},
    "faulted": {"grid": B["grid"].replace(SIZES, corners(10, 6, 3, flat={(4, 2, 1), (5, 2, 1)}, fault=6)) +
                "EQUALS\n ACTNUM 0 5 5 3 3 3 3 /\n/\nPINCH\n/\nNNC\n 1 1 1 10 6 3 2.5 /\n 1 1 1 2 1 1 0.7 /\n/\n"},
    "vanishing": {"grid": B["grid"].replace("180*8", "60*8 30*0 30*6 60*8"), "add": {"grid": "EQUALS\n ACTNUM 0 5 5 3 3 3 3 /\n/\nPINCH\n/\n"}},
    "newtran": {"grid": B["grid"].replace("180*40", "180*40.1").replace("60*2000", "10*2000.67 10*2001.59 10*2003.01 10*2004.56 10*2006.13 10*2007.7").replace("180*8", "60*7.913000000000011 60*3.3309999999999036 60*5.266000000000076"), "add": {"grid": "NEWTRAN\n"}},
    "given": {"add": {"grid": "NNC\n 1 1 1 10 6 3 2.5 /\n 1 1 1 2 1 1 0.7 /\n/\n"}},
    "plain": {"add": {"grid": "EQUALS\n NTG 0.7 1 10 1 6 2 2 /\n MULTX 0.1 4 4 1 6 1 3 /\n MULTPV 2 1 2 4* /\n"
                              " ACTNUM 0 5 5 3 3 1 2 /\n PORO -1 5 5 3 3 1 2 /\n/\n"}},
    "dipping": {"grid": B["grid"].replace("60*2000", "10*2000 10*2001.5 10*2003 10*2004.5 10*2006 10*2007.5")},
    "regular": {"schedule": "TSTEP\n 9*10 5 /\n"},
    "edited": {"edit": "EQUALS\n TRANX 2.5 5 5 1 6 1 3 /\n/\nMULTIPLY\n PORV 1.5 1 3 4* /\n TRANZ 0.1 /\n/\n"},
    "field": {"add": {"runspec": "FIELD\n"}, "props": "DENSITY\n 53 63 1 /\nPVTW\n 3000 1.01 3E-6 0.5 0 /\n",
              "pvdo": "PVDO\n 1000 1.06 2.8\n 3000 1.05 3.0\n 6000 1.03 3.4 /\n", "rock": "ROCK\n 3000 4E-6 /\n",
              "solution": "EQUIL\n 2010 3000 2020 0.1 4* -3 /\n"},
    "regions": {"tabdims": "TABDIMS\n 2 2 30 30 5 /\nEQLDIMS\n 2 /\n", "swof": B["swof"] + " 0.3 0 0.8 0.9\n 0.5 0.1 0.4 0.3\n 0.75 0.6 0 0.05 /\n",
                "props": "DENSITY\n 850 1020 1 /\n 800 1050 1 /\nPVTW\n 200 1.01 4.5E-5 0.5 0 /\n 200 1.03 5E-5 0.4 0 /\n",
                "pvdo": B["pvdo"] + " 100 1.2 1.8\n 200 1.15 2.0\n 400 1.1 2.2 /\n", "rock": "ROCK\n 200 5E-5 /\n 190 1E-4 /\n",
                "regions": "".join(HALVES % (n, n) for n in ("SATNUM", "PVTNUM", "EQLNUM", "FIPNUM")),
                "summary": B["summary"] + "FOE\nROIP\n/\nRPR\n 2 /\nCOPR\n P1 /\n P2 10 1 2 /\n/\nWVPR\n 'P*' /\n",
                "solution": "EQUIL\n 2000 200 2018 0.05 4* 0 /\n 2000 201 2017 0.1 /\n"},
    "ends": {"add": {"runspec": "ENDSCALE\n /\n", "grid": "EQUALS\n ACTNUM 0 5 5 3 3 4* /\n PORO -1 /\n/\n",
                     "props": "SWL\n 60*0.15 60*0.25 60*0.2 /\nSWCR\n 180*0.3 /\nSOWCR\n 90*0.22 90*0.25 /\n"
                                                            "SWATINIT\n 60*0.35 60* 60*0.55 /\nSCALECRS\n YES /\n"},
             "solution": "EQUIL\n 2000 200 2018 0.05 4* 0 /\n"},
    "steered": {"add": {"runspec": "ENDSCALE\n /\n", "grid": "JFUNC\n WATER 90 1* 0.6 0.4 Z /\n", "props":
                        "ENPTVD\n 2000 0.2 0.22 0.85 3* 0.2 1*\n 2030 0.26 0.3 0.8 3* 0.25 1* /\nKRWR\n 90*0.15 90*0.2 /\n"
                        "KRORW\n 180*0.5 /\nSWLPC\n 180*0.12 /\nTOLCRIT\n 0.06 /\nSCALECRS\n YES /\n"},
                "solution": "EQUIL\n 2000 200 2018 0.05 4* 0 /\n"},
    "arrays": {"solution": "EQUALS\n PRESSURE 200 /\n SWAT 0.3 /\n SWAT 0.7 1 10 1 6 3 3 /\n/\n"},
    "wells": {"wells": B["wells"].replace("P1 2* 1 3", "P1 2* 1 2"), "schedule":
              "TSTEP\n 10 /\nCOMPDAT\n P1 2* 3 3 OPEN 2* 0.3 1* 1.5 /\n P2 2* 2 2 SHUT 2* 0.2 /\n/\nWLIST\n '*L' NEW 'P*' /\n/\nWEFAC\n '*L' 0.8 /\n/\nTSTEP\n 10 /\n"
              "WPIMULT\n P1 0.5 /\n P2 2 2* 3 /\n/\nWELTARG\n P1 ORAT 90 /\n/\nTSTEP\n 10 /\nWELOPEN\n P2 SHUT /\n P1 SHUT 0 0 1 /\n/\n"
              "TSTEP\n 10 /\nWELOPEN\n P2 OPEN /\n/\nWCONHIST\n P1 OPEN LRAT 40 50 /\n/\nTSTEP\n 10 /\n"},
    "slash": {"summary": B["summary"] + "COPR\n 'P1/A-H' /\n/\nWVPR\n 'P1/A-H' /\n",
              "wells": B["wells"].replace("P1", "'P1/A-H'").replace("P2", ODD),
              "controls": B["controls"].replace("P1", "'P1/A-H'").replace("P2", ODD),
              "schedule": "TSTEP\n 10 /\nWELTARG\n 'P1/*' BHP 90 /\n/\nTSTEP\n 10 /\n"},
    "history": {"controls": "WCONINJH\n I WATER OPEN 250 /\n/\nWCONHIST\n P1 OPEN RESV 80 20 /\n"
                            " P2 OPEN ORAT 60 5 /\n/\n",
                "schedule": "TSTEP\n 10 10 /\nWCONHIST\n P* OPEN RESV 90 20 0 /\n/\nTSTEP\n 10 /\n"
                            "WELOPEN\n P1 SHUT /\n/\nTSTEP\n 10 /\n"
                            "WELOPEN\n P1 OPEN /\n/\nWELTARG\n P2 BHP 150 /\n/\nTSTEP\n 10 /\n"
                            "WELTARG\n P2 RESV 70 /\n/\nTSTEP\n 10 /\nWCONHIST\n P2 OPEN RESV 30 /\n/\n"
                            "WCONPROD\n P1 OPEN LRAT 3* 160 1* 90 /\n/\nTSTEP\n 10 /\n"
                            "WCONPROD\n P2 OPEN RESV 4* 150 90 /\n/\n"
                            "WCONINJE\n P1 WATER OPEN RESV 1* 100 500 /\n/\nTSTEP\n 10 /\n"},
    "wecon": {"controls": B["controls"] + "WECON\n P2 1* 1* 0.2 2* WELL NO /\n P1 1* 1* 0.1 2* +CON NO /\n/\n",
              "schedule": "TSTEP\n 5*30 /\nWELTARG\n P2 LRAT 100 /\n/\nTSTEP\n 30 /\nWELOPEN\n P2 OPEN /\n/\nTSTEP\n 5 /\n"},
    "stop": {"schedule": "TSTEP\n 10 /\nWELOPEN\n P2 STOP /\n I STOP /\n/\nTSTEP\n 10 /\nWELOPEN\n P2 OPEN /\n I OPEN /\n/\nTSTEP\n 10 /\n"},
    "completions": {"wells": B["wells"] + "COMPLUMP\n 'P*' 2* 1 2 4 /\n/\n",
                    "controls": B["controls"] + "WECON\n 'P*' 1* 1* 0.2 2* CON NO /\n/\n",
                    "schedule": "TSTEP\n 3*30 /\nWPIMULT\n P1 0.5 3* 4 4 /\n/\nCOMPLUMP\n P2 2* 1 1 1 /\n/\nTSTEP\n 4*30 /\n"},
    "targets": {"controls": "WCONINJE\n I WATER OPEN GRUP 1* 1* 600 /\n/\nWCONPROD\n P1 OPEN GRUP 5* 80 /\n"
                            " P2 OPEN ORAT 90 4* 80 /\n/\nGCONPROD\n FIELD ORAT 150 /\n/\nGCONINJE\n FIELD WATER VREP 3* 0.9 /\n/\n"
                            "WGRUPCON\n P1 YES 3 LIQ 2 /\n/\n",
                "schedule": "TSTEP\n 10 10 /\nGCONPROD\n FIELD LRAT 300 2* 250 RATE /\n/\nTSTEP\n 10 /\n"
                            "WGRUPCON\n P2 NO /\n/\n"
                            "GCONINJE\n FIELD WATER RATE 200 /\n/\nTSTEP\n 10 /\nGCONPROD\n FIELD NONE /\n/\n"
                            "GCONINJE\n FIELD WATER NONE /\n/\nTSTEP\n 10 /\n"},
    "tuning": {"schedule": "TSTEP\n 20 /\nTUNING\n 0.5 3 0.01 1* 1.5 1* 0.3 /\n/\n 9 2 /\nTSTEP\n 10 /\n"
                           "TUNING\n 1* 8 /\nTSTEP\n 20 /\n"},
}
for _sections in DECKS.values():
    _sections.setdefault("schedule", SHORT)


def imported(checks, folder, path, name, first, options=(), settings=()):
    """The deck that import writes, run: the same fields and summary."""
    done = runs.hepta("import", path, "-o", os.path.join(folder, name + ".cfg"), *options)
    checks.true(name + " is imported", done.returncode == 0, done.stderr)
    if done.returncode != 0:
        return
    second = runs.run(os.path.join(folder, name + ".cfg"), folder, settings, name)
    checks.true(name + ": the same fields to the bit",
                runs.datasets(first.base + ".h5") == runs.datasets(second.base + ".h5"))
    tables = [open(r.base + ".summary.csv").read() for r in (first, second)]
    checks.true(name + ": the same summary", tables[0] == tables[1])
    if len(first.steps) < 2 or (not options and runs.every(2, 2) > 1):
        return
    base = os.path.join(folder, name + "_on")  # it goes on with the Eclipse deck's own result, too
    done = runs.hepta("run", os.path.join(folder, name + ".cfg"), "-o", base, "-q", "--restart",
                      "%s:%d" % (first.base, first.steps[-2]), *(word for s in settings for word in ("--set", s)))
    checks.true(name + ": goes on with the result of the Eclipse deck", done.returncode == 0 and
                set(runs.datasets(base + ".h5").items()) <= set(runs.datasets(first.base + ".h5").items()), done.stderr)


def both(checks, folder, path, name, units="field", settings=()):
    """In the deck's own units, and in others, where most numbers are no round ones. Returns the run of the Eclipse deck."""
    first = runs.run(path, folder, settings, name)
    imported(checks, folder, path, name + "_i", first, settings=settings)
    imported(checks, folder, path, name + "_u", first, ["--units", units], settings)
    return first
