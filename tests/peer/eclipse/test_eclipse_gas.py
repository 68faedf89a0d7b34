"""Decks that name GAS and have none, and decks of water alone, on small grids beside OPM Flow: the same rates, totals and
pressures as without the word, whatever tables of gas they bring."""
import sys

import flow
import imports
import runs

flow.need()
checks = runs.Checks(say=True)
LIMITS = {"FOPT": 0.001, "FWPT": 0.001, "FWIT": 0.001, "FPR": 0.001, "WBHP:I": 0.002, "WBHP:P1": 0.002, "WOPT:P1": 0.001}
WATER = {"FWPT": 0.001, "FWIT": 0.001, "FPR": 0.001, "WBHP:I": 0.001, "WBHP:P1": 0.001, "WWPT:P2": 0.001}
B = flow.BASE
GAS = B["runspec"].replace("OIL\n", "OIL\nGAS\n")
PVDG = "PVDG\n 50 0.02 0.015\n 400 0.003 0.03 /\n"
SGOF = "SGOF\n 0 0 1 0\n 0.1 0.02 0.6 0.1\n 0.8 1 0 0.5 /\n"
SWFN = ("SWFN\n 0.2 0 0.5\n 0.4 0.05 0.2\n 0.6 0.2 0.1\n 0.8 0.5 0 /\nSGFN\n 0 0 0\n 0.8 1 0 /\n"
        "SOF3\n 0.2 0 0\n 0.4 0.1 0.2\n 0.6 0.5 0.4\n 0.8 1 1 /\n")
PVTO = ("PVTO\n 0.5 10 1.06 1.04 /\n 16 18 1.15 0.975 /\n 32 35 1.207 0.91 /\n 226 273 1.695 0.51\n 613 1.579 0.74 /\n/\n"
        "RSVD\n 2000 1.3\n 2100 1.3 /\n")
ONE = B["wells"].replace("1 3 OPEN", "2 2 OPEN")  # no head between connections: in Flow it is that of saturated oil
DECKS = {
    "sgof": {"runspec": GAS, "props": B["props"] + PVDG + SGOF, "solution": "EQUIL\n 2000 200 2100 0 1990 0 1 /\nRSVD\n 2000 9\n 2100 9 /\n",
             "controls": B["controls"].replace("ORAT 150 4* 80", "ORAT 150 1* 1E6 2* 80")},
    "sof3": {"runspec": GAS, "props": B["props"] + PVDG, "swof": SWFN},
    "pvto": {"runspec": GAS, "props": B["props"] + PVDG + SGOF, "pvdo": PVTO.split("RSVD")[0], "wells": ONE,
             "solution": B["solution"] + "RSVD" + PVTO.split("RSVD")[1]},
    "sgas": {"runspec": GAS + "ENDSCALE\n/\n", "props": B["props"] + PVDG + SGOF + "EQUALS\n SGL 0 /\n SGU 0.7 /\n SOGCR 0.1 /\n/\n",
             "solution": "PRESSURE\n 180*210 /\nSWAT\n 180*0.3 /\nSGAS\n 180*0 /\n",
             "controls": "WCONINJH\n I WATER OPEN 300 /\n/\nWCONHIST\n P1 OPEN ORAT 90 10 5000 /\n P2 OPEN LRAT 60 40 9000 /\n/\n"},
    "water": {"runspec": B["runspec"].replace("OIL\n", ""), "pvdo": "", "swof": "", "solution": "EQUIL\n 2000 200 1000 0 /\n",
              "controls": B["controls"].replace("ORAT 150 4* 80", "WRAT 1* 150 3* 80").replace("LRAT 3* 200 1*", "WRAT 1* 200 3*")},
}

with runs.folder() as folder:
    for name, sections in flow.chosen(DECKS):
        mine = flow.compare(checks, folder, name, flow.Deck(**sections), WATER if name == "water" else LIMITS)
        settings = ["timestep.max=5", "timestep.initial=0.5", "timestep.accuracy=0", "timestep.target_newton=8", "newton.tolerance_cnv=1e-3",
                    "newton.tolerance_mb=1e-8"]
        imports.imported(checks, folder, "%s/%s.DATA" % (folder, name.upper()), name + "_i", mine, settings=settings)
sys.exit(checks.result())
