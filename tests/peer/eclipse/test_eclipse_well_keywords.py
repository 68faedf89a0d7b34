"""Keywords of SCHEDULE on small decks beside OPM Flow: wells by history, efficiency
factors, changes of connections and of connection factors, targets, economic
limits, in the middle of the schedule. A run of the deck without the keyword lies
outside the limits."""
import sys

import flow
import runs

flow.need()
checks = runs.Checks(say=True)
LIMITS = {"FOPT": 0.003, "FWPT": 0.006, "FWIT": 0.003, "FPR": 0.002, "WBHP:I": 0.003, "WBHP:P1": 0.006,
          "WBHP:P2": 0.006, "WOPT:P1": 0.005, "WOPT:P2": 0.005, "WOPR:P1": 0.01, "WWPT:P2": 0.01}
STEPS = "TSTEP\n 3*30 /\n"


def then(*parts):
    """Each part, then 90 days; the last one to day 300."""
    text = STEPS
    for n, part in enumerate(parts):
        text += part + ("TSTEP\n %d*30 /\n" % (7 - 3 * n) if n == len(parts) - 1 else STEPS)
    return text


HISTORY = ("WCONINJH\n I WATER OPEN 300 250 /\n/\n"
           "WCONHIST\n P1 OPEN %s 80 20 0 3* 120 /\n P2 OPEN %s 60 90 0 /\n/\n")
# a barrier between two layers, through which stopped wells let fluid pass
LAYERS = flow.BASE["grid"].replace("60*200 60*50 60*400", "60*200 60*0.001 60*800")
TESTED = flow.BASE["controls"].replace("P2 OPEN LRAT 3* 200 1* 80", "P2 OPEN BHP 5* 180")
INJECTION = then("WELTARG\n I WRAT 100 /\n/\n", "WELTARG\n I WRAT 500 /\n/\n")
DECKS = {
    "stop": {"grid": LAYERS, "schedule": then("WELOPEN\n P2 STOP /\n/\n", "WELOPEN\n P2 OPEN /\n/\n")},
    "stop injector": {"grid": LAYERS, "step": 1, "schedule": then("WCONINJE\n I WATER STOP RATE 400 1* 600 /\n/\n",
                                                                  "WELTARG\n I WRAT 300 /\n/\nWELOPEN\n I OPEN /\n/\n")},
    "wefac": {"schedule": then("WEFAC\n P1 0.7 /\n I 0.9 /\n/\n", "WEFAC\n 'P*' 0.5 /\n/\nWELTARG\n P2 LRAT 120 /\n/\n")},
    "wpimult": {"schedule": then("WPIMULT\n P1 0.2 /\n P2 3 2* 3 /\n/\n", "WPIMULT\n P1 0.5 2* 1 /\n I 0.3 /\n/\n")},
    "connections": {"wells": flow.BASE["wells"].replace("P1 2* 1 3", "P1 2* 1 1"),
                    "schedule": then("COMPDAT\n P1 2* 2 3 OPEN 2* 0.2 /\n P2 2* 3 3 SHUT 2* 0.2 /\n/\n",
                                     "WELOPEN\n P1 SHUT 0 0 1 /\n P2 OPEN 2* 3 /\n/\nCOMPDAT\n I 2* 2 2 OPEN 1* 40 0.2 /\n/\n")},
    "orat": {"controls": HISTORY % ("ORAT", "ORAT"),
             "schedule": then("WCONHIST\n P1 OPEN ORAT 120 20 0 /\n/\n", "WCONINJH\n I WATER OPEN 150 /\n/\n")},
    "lrat": {"controls": HISTORY % ("LRAT", "LRAT"), "schedule": then("WCONHIST\n P2 SHUT LRAT 0 0 0 /\n/\n")},
    "resv": {"controls": HISTORY % ("RESV", "RESV"), "schedule": then("WCONHIST\n 'P*' OPEN RESV 100 50 0 /\n/\n")},
    "whistctl": {"controls": "WHISTCTL\n RESV /\n" + HISTORY % ("ORAT", "LRAT"), "schedule": then("WELTARG\n P1 BHP 150 /\n/\n")},
    "history bhp": {"controls": HISTORY.replace("300 250", "200") % ("ORAT", "ORAT"),
                    "schedule": then("WELTARG\n P1 BHP 210 /\n I BHP 260 /\n/\n",
                                     "WCONHIST\n P1 OPEN ORAT 90 20 0 /\n/\nWCONINJH\n I WATER OPEN 220 /\n/\n")},
    "all shut": {"schedule": then("WELOPEN\n P2 SHUT 0 0 0 /\n/\n", "WELOPEN\n P2 OPEN 2* 2 /\n/\n")},
    "shut, opened": {"schedule": then("COMPDAT\n P2 2* 1 3 SHUT 2* 0.2 /\n/\n",
                                      "WELOPEN\n P2 OPEN 2* 2 /\n P2 OPEN /\n/\n")},
    "wlist": {"schedule": then("WLIST\n '*L' NEW 'P*' /\n '*M' NEW I /\n/\nWELTARG\n '*L' BHP 170 /\n/\n",
                               "WLIST\n '*M' MOV P2 /\n '*M' DEL I /\n/\nWELTARG\n '*M' LRAT 120 /\n '*L' ORAT 100 /\n/\n")},
    "completions": {"schedule": then("WELOPEN\n P1 SHUT 3* 2 2 /\n P2 SHUT 0 0 0 3 /\n/\nWPIMULT\n I 0.5 3* 1* 2 /\n/\n",
                                     "WELOPEN\n P1 OPEN 4* 2 /\n P2 SHUT 2* 2 1 /\n/\nWPIMULT\n P1 0.4 3* 2 3 /\n/\n")},
    "complump": {"wells": flow.BASE["wells"] + "COMPLUMP\n 'P*' 2* 1 2 5 /\n P2 2* 3 3 7 /\n/\n",
                 "schedule": then("WELOPEN\n 'P*' SHUT 3* 5 5 /\n/\n", "WELOPEN\n P1 OPEN 3* 5 /\n/\nCOMPLUMP\n P1 2* 2 3 2 /\n/\n"
                                  "WPIMULT\n P1 0.3 3* 2 2 /\n/\n")},
    "wecon complump": {"controls": flow.BASE["controls"] + "COMPLUMP\n 'P*' 2* 1 2 4 /\n/\nWECON\n 'P*' 1* 1* 0.3 2* CON NO /\n/\n"},
    "weltarg": {"schedule": then("WELTARG\n P1 ORAT 90 /\n P2 BHP 170 /\n/\n", "WELTARG\n I WRAT 250 /\n P1 BHP 160 /\n/\n")},
    "wecon well": {"controls": flow.BASE["controls"] + "WECON\n P2 1* 1* 0.3 2* WELL NO /\n P1 130 /\n/\n",
                   "schedule": then("WELTARG\n P1 ORAT 110 /\n/\n")},
    # shut while less is injected, tested until more is; Flow counts from the start of the step in which it is shut
    "wtest well": {"controls": TESTED + "WECON\n P2 40 /\n/\nWTEST\n P2 30 PE /\n/\n", "step": 0.25, "schedule": INJECTION},
    "wtest twice": {"controls": TESTED + "WECON\n P2 40 /\n/\nWTEST\n P2 30 E 2 /\n/\n", "step": 0.25, "schedule": INJECTION},
    "wtest con": {"controls": TESTED + "WECON\n P2 40 1* 0.15 2* CON /\n/\nWTEST\n P2 30 E /\n/\n", "step": 0.25, "schedule": INJECTION},
    "wecon con": {"controls": flow.BASE["controls"] + "WECON\n 'P*' 1* 1* 0.3 2* CON NO /\n/\n"},
}

plain = None
with runs.folder() as folder:
    for name, sections in flow.chosen(DECKS):
        name_of_files = name.replace(" ", "_")
        mine = flow.compare(checks, folder, name_of_files, flow.Deck(**sections), LIMITS)
        if plain is None:
            path = folder + "/PLAIN.DATA"
            with open(path, "w") as f:
                f.write(flow.Deck().text())
            plain = runs.run(path, folder, name="plain")
        moved = max(abs(mine.at(300, v) - plain.at(300, v)) / abs(plain.at(300, v)) for v in ("FPR", "FOPT", "WOPT:P1", "WOPT:P2"))
        checks.true("%s: the keywords move a result by %.2f %%" % (name, 100 * moved), moved > 0.01)
sys.exit(checks.result())
