"""Small Eclipse decks (tests/support/flow.py) with regions and end points: SATNUM, PVTNUM, EQLNUM, ROCKNUM with the
tables of each, ENDSCALE with end points of cells, SCALECRS, SWATINIT. STEERED: saturation functions with values at
critical saturations, end points by depth, Leverett's J-function, hysteresis.

    flow.Deck(**DECKS["satnum"]).text()
    deck, theirs, plain = STEERED["krwr"]    a deck, another one for Flow (None: the same), one without the keyword
"""
import flow

SECOND = " 0.3 0 0.8 0.9\n 0.5 0.1 0.4 0.3\n 0.75 0.6 0 0.05 /\n"
HALVES = "EQUALS\n %s 1 /\n %s 2 6 10 1 6 1 3 /\n/\n"
# Flow takes the first record of ROCK for all cells where ROCKOPTS is not there
ROCKS = "ROCKOPTS\n 1* 1* %s /\nROCK\n 200 5E-5 /\n 190 1E-4 /\n"
DATUM = "EQUIL\n 2000 200 2018 0.05 4* 0 /\n"
ENDS = {"add": {"runspec": "ENDSCALE\n /\n",
                "props": "EQUALS\n SWL 0.25 /\n SWCR 0.3 /\n SWU 0.85 /\n SOWCR 0.18 /\n SWL 0.15 1 10 1 6 1 1 /\n"
                         " SWCR 0.15 1 10 1 6 1 1 /\n SOWCR 0.25 5 10 1 6 3 3 /\n/\n"},
        "solution": DATUM}


def with_more(base, section, text):
    more = dict(base)
    more["add"] = dict(base["add"])
    more["add"][section] += text
    return more


PVTNUM = {"tabdims": "TABDIMS\n 1 2 30 30 5 /\nEQLDIMS\n 2 /\n",
          "props": "DENSITY\n 850 1020 1 /\n 800 1050 1 /\nPVTW\n 200 1.01 4.5E-5 0.5 0 /\n 200 1.03 5E-5 0.4 0 /\n",
          "pvdo": flow.BASE["pvdo"] + " 100 1.2 1.8\n 200 1.15 2.0\n 400 1.1 2.2 /\n",
          "rock": ROCKS % "PVTNUM",
          "regions": HALVES % ("PVTNUM", "PVTNUM") + HALVES % ("EQLNUM", "EQLNUM"),
          "solution": "EQUIL\n 2000 200 2100 0 /\n 2000 201 2100 0 /\n"}


DECKS = {
    "satnum": {"tabdims": "TABDIMS\n 2 1 30 30 5 /\nEQLDIMS\n 1 /\n", "swof": flow.BASE["swof"] + SECOND,
               "regions": HALVES % ("SATNUM", "SATNUM"), "solution": DATUM},
    "pvtnum": PVTNUM,
    # volumes of the producers by the second table, of the injector by the first
    "resv": dict(PVTNUM, controls="WCONINJE\n I WATER OPEN RESV 1* 380 600 /\n/\n"
                                  "WCONPROD\n P1 OPEN RESV 4* 180 80 /\n P2 OPEN LRAT 3* 200 1* 80 /\n/\n"),
    "vrep": dict(PVTNUM, controls="WCONINJE\n I WATER OPEN GRUP 2* 600 /\n/\nGCONINJE\n FIELD WATER VREP 3* 0.9 /\n/\n"
                                  "WCONPROD\n P1 OPEN RESV 4* 180 80 /\n P2 OPEN LRAT 3* 200 1* 80 /\n/\n"),
    "eqlnum": {"tabdims": "TABDIMS\n 1 1 30 30 5 /\nEQLDIMS\n 2 /\n", "regions": HALVES % ("EQLNUM", "EQLNUM"),
               "solution": "EQUIL\n 2000 200 2020 0.02 4* 0 /\n 2010 204 2012 0.1 4* -5 /\n"},
    "swfn": {"tabdims": "TABDIMS\n 3 1 30 30 5 /\nEQLDIMS\n 1 /\n",
             "swof": "SWFN\n 0.2 0 0.5\n 0.8 0.5 0 /\n 0.3 0 0.9\n 0.5 0.1 0.3\n 0.75 0.6 0.05 /\n /\n"
                     "SOF2\n 0.2 0\n 0.5 0.4\n 0.8 1 /\n 0.25 0\n 0.7 0.8 /\n /\n",
             "regions": "SATNUM\n 60*1 60*3 60*2 /\n", "solution": DATUM},
    "ends": ENDS,
    "three": with_more(ENDS, "props", "SCALECRS\n YES /\n"),
    # above the table's SWCR, 0.2
    "swl": {"add": {"runspec": "ENDSCALE\n /\n", "props": "EQUALS\n SWL 0.32 /\n SWL 0.26 1 10 1 6 1 1 /\n/\n"}, "solution": DATUM},
    "swlthree": {"add": {"runspec": "ENDSCALE\n /\n", "props": "EQUALS\n SWL 0.32 /\n/\nSCALECRS\n YES /\n"}, "solution": DATUM},
    "values": with_more(ENDS, "props", "EQUALS\n KRW 0.3 1 5 4* /\n KRO 0.7 /\n/\nPCW\n 180*0.8 /\n"),  # Flow drops the unit of PCW in EQUALS
    "rocknum": {"tabdims": "TABDIMS\n 1 2 30 30 5 /\nEQLDIMS\n 1 /\n",
                "props": "DENSITY\n 850 1020 1 /\n /\nPVTW\n 200 1.01 4.5E-5 0.5 0 /\n /\n",
                "pvdo": flow.BASE["pvdo"] + " /\n", "rock": ROCKS % "ROCKNUM", "regions": "ROCKNUM\n 60*2 120*1 /\n"},
    "rocktables": {"tabdims": "TABDIMS\n 1 1 30 30 5 7* 2 /\nEQLDIMS\n 1 /\n", "rock": ROCKS % "ROCKNUM",
                   "regions": "ROCKNUM\n 60*2 120*1 /\n"},
    "rocksat": {"tabdims": "TABDIMS\n 2 1 30 30 5 /\nEQLDIMS\n 1 /\n", "swof": flow.BASE["swof"] + SECOND,
                "rock": ROCKS % "SATNUM", "regions": HALVES % ("SATNUM", "SATNUM"), "solution": DATUM},
    "sattable": {"tabdims": "TABDIMS\n 2 1 30 30 5 /\nEQLDIMS\n 1 /\n", "swof": flow.BASE["swof"] + SECOND,
                 "regions": HALVES % ("SATNUM", "SATNUM"), "solution": DATUM,
                 "wells": flow.BASE["wells"].replace("P1 2* 1 3 OPEN 2*", "P1 2* 1 3 OPEN 2 1*")
                                            .replace("P2 2* 1 3 OPEN 2*", "P2 2* 1 3 OPEN 2 1*")},
    "swatinit": with_more(ENDS, "props", "SWATINIT\n 60*0.35 60*0.4 60*0.55 /\n"),
}


THREE = with_more(ENDS, "props", "SCALECRS\n YES /\n")
SCALED = {"add": {"runspec": "ENDSCALE\n /\n", "props": ""}, "solution": DATUM}
TAILS = "SWOF\n 0.2 0 1 0.5\n 0.26 1e-3 0.8 0.4\n 0.4 0.05 0.5 0.2\n 0.6 0.2 0.1 0.1\n 0.7 0.32 2e-3 0.05\n 0.8 0.5 0 0 /\n"

# SWL, SWCR, SWU, SOWCR, then KRW, KRO, KRWR, KRORW, PCW of two regions; linear in between, constant beyond
DEPTHS = ({2000: (0.15, 0.2, 0.9, 0.2, 0.5, 0.9, 0.3, 0.8, 0.6), 2010: (0.2, 0.25, 0.85, 0.15, 0.6, 0.95, 0.3, 0.7, 0.8),
           2016: (0.3, 0.32, 0.8, 0.25, 0.7, 1, 0.4, 0.9, 0.4)},
          {2000: (0.2, 0.22, 0.85, 0.2, 0.4, 1, 0.2, 0.7, 0.5), 2030: (0.26, 0.3, 0.8, 0.25, 0.6, 1, 0.4, 0.9, 0.9)})


def _at(table, depth):
    rows = sorted(table.items())
    for (a, below), (b, above) in zip(rows, rows[1:]):
        if depth <= b:
            t = max(0.0, (depth - a) / (b - a))
            return [x + t * (y - x) for x, y in zip(below, above)]
    return list(rows[-1][1])


def _tables():
    text = "ENPTVD\n"
    for t in DEPTHS:
        text += "".join(" %g %g %g %g 3* %g 1*\n" % ((z,) + v[:4]) for z, v in sorted(t.items())) + " /\n"
    text += "ENKRVD\n"
    for t in DEPTHS:
        text += "".join(" %g %g 1* %g %g 2* %g\n" % ((z,) + v[4:8]) for z, v in sorted(t.items())) + " /\n"
    return text + "ENPCVD\n" + "".join(" /\n".join([""] + ["".join(" %g %g 1*\n" % (z, v[8]) for z, v in sorted(t.items()))
                                                        for t in DEPTHS])[3:]) + " /\n"


def _arrays():
    names, cells = ("SWL", "SWCR", "SWU", "SOWCR", "KRW", "KRO", "KRWR", "KRORW", "PCW"), []
    for depth in (2004, 2012, 2020):
        cells += [_at(DEPTHS[0], depth)] * 30 + [_at(DEPTHS[1], depth)] * 30
    return "".join("%s\n %s /\n" % (name, "\n ".join("%.12g" % c[n] for c in cells)) for n, name in enumerate(names))


# Water and oil are injected in turns into cells of little volume, which begin at different saturations.
DRAINAGE = (" 0.2 0 1 8\n 0.3 0.01 0.75 4.8\n 0.4 0.04 0.5 3.2\n 0.5 0.1 0.28 2\n 0.6 0.2 0.12 1.2\n 0.7 0.34 0.04 0.6\n"
            " 0.8 0.5 0.01 0.2\n 0.9 0.7 0 0 /\n")
IMBIBITION = (" 0.2 0 1 6\n 0.3 0.02 0.6 3.2\n 0.4 0.06 0.3 1.6\n 0.5 0.13 0.12 0.8\n 0.6 0.24 0.03 0.4\n 0.7 0.38 0 0\n"
              " 0.9 0.7 0 0 /\n")


def turns(ehystr, imbnum="IMBNUM\n 180*2 /\n", satopts="SATOPTS\n HYSTER /\n"):
    schedule = "".join("WCONINJE\n I %s OPEN RATE %g 1* 900 /\n/\nTSTEP\n 2*30 /\n" % f
                       for f in (("WATER", 300), ("OIL", 200), ("WATER", 300), ("OIL", 200), ("WATER", 300)))
    return {"tabdims": "TABDIMS\n 2 1 30 30 5 /\nEQLDIMS\n 1 /\n" + satopts, "regions": imbnum, "schedule": schedule,
            "swof": "SWOF\n" + DRAINAGE + IMBIBITION + ehystr, "grid": flow.BASE["grid"].replace("180*0.2", "180*0.06"),
            "solution": "PRESSURE\n 180*200 /\nSWAT\n 60*0.25 60*0.32 60*0.4 /\n",
            "controls": "WCONINJE\n I WATER OPEN RATE 300 1* 900 /\n/\nWCONPROD\n P* OPEN BHP 5* 150 /\n/\n"}


DRAINED = turns("", "", "")
TWO_TABLES = {"tabdims": "TABDIMS\n 2 1 30 30 5 /\nEQLDIMS\n 1 /\n", "swof": flow.BASE["swof"] + SECOND, "solution": DATUM}
TWO_SCALED = dict(TWO_TABLES, add={"runspec": "ENDSCALE\n /\n",
                                   "props": ENDS["add"]["props"] + "EQUALS\n KRW 0.3 1 5 4* /\n KRO 0.7 /\n/\n"})
CONNECTED = {"wells": flow.BASE["wells"].replace("P1 2* 1 3 OPEN 2*", "P1 2* 1 3 OPEN 2 1*")
                                        .replace("P2 2* 1 3 OPEN 2*", "P2 2* 1 3 OPEN 2 1*")}
DIRECTED = {"tabdims": TWO_TABLES["tabdims"] + "SATOPTS\n DIRECT /\n",
            "regions": "KRNUMX\n 180*2 /\nKRNUMY\n 90*1 90*2 /\nKRNUMZ\n 180*1 /\n"}
STEERED = {
    "krwr": (with_more(THREE, "props", "KRWR\n 90*0.15 90*0.2 /\nKRORW\n 180*0.5 /\nKRW\n 180*0.6 /\nKRO\n 180*0.9 /\n"),
             None, THREE),
    "tolcrit": (dict(with_more(THREE, "props", "TOLCRIT\n 0.004 /\n"), swof=TAILS), None, dict(THREE, swof=TAILS)),
    # Flow knows end points of cells alone
    "depths": (dict(add={"runspec": "ENDSCALE\n 2* 2 /\n", "props": _tables() + "SCALECRS\n YES /\n"}, solution=DATUM,
                    regions="ENDNUM\n 30*1 30*2 30*1 30*2 30*1 30*2 /\n"),
               with_more(SCALED, "props", _arrays() + "SCALECRS\n YES /\n"), SCALED),
    "killough": (turns("EHYSTR\n 0.05 2 1* 0.2 /\n"), None, DRAINED),
    "jfunc": (dict(SCALED, add={"runspec": "ENDSCALE\n /\n", "grid": "JFUNC\n WATER 90 1* 0.6 0.4 Z /\n"}), None, SCALED),
    "carlson": (turns("EHYSTR\n 1* 0 2* KR /\n"), None, DRAINED),
    "imbibition": (turns("EHYSTR\n 1* 3 2* KR /\n"), None, DRAINED),
    "connections": (dict(TWO_TABLES, **CONNECTED), None, TWO_TABLES),
    "directions": (dict(TWO_TABLES, **DIRECTED), None, TWO_TABLES),
    # Flow scales krw and kro of imbibition only where drainage has KRW and KRO
    "iends": (dict(turns("EHYSTR\n 0.05 3 1* 0.2 /\n"), add={
        "runspec": "ENDSCALE\n /\n", "props": "KRW\n 180*0.7 /\nKRO\n 180*1 /\nISWCR\n 180*0.3 /\nISOWCR\n 180*0.35 /\n"
                                              "IKRW\n 180*0.5 /\nISWU\n 180*0.88 /\n"}), None, turns("EHYSTR\n 0.05 3 1* 0.2 /\n")),
    "connectionends": (dict(TWO_SCALED, **CONNECTED), None, TWO_SCALED),
    "directionends": (dict(TWO_SCALED, **DIRECTED), None, TWO_SCALED),
}
