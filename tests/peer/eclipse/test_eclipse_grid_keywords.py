"""Keywords of GRID and EDIT on small decks beside OPM Flow: multipliers of faces
and pore volumes, regions and faults, pore volumes and transmissibilities that
the deck gives. A run of the deck without the keyword lies outside the limits."""
import sys

import flow
import runs

flow.need()
checks = runs.Checks(say=True)
LIMITS = {"FOPT": 0.002, "FWPT": 0.004, "FPR": 0.001, "WBHP:I": 0.002, "WBHP:P1": 0.004, "WBHP:P2": 0.004}

REGIONS = "FLUXNUM\n 180*1 /\nEQUALS\n FLUXNUM 2 6 10 4* /\n FLUXNUM 3 6 10 1 6 3 3 /\n/\n"
VANISHING = "DZ\n 60*8 30*0 30*6 60*8 /\n"  # half of the second layer has no thickness
DECKS = {
    "faces": {"add": {"grid": "EQUALS\n MULTX 0.01 5 5 1 5 1 3 /\n MULTY- 0.02 1 10 4 4 1 3 /\n MULTZ- 0 1 10 1 6 3 3 /\n"
                              " MULTX- 5 9 9 1 3 1 3 /\n/\n"}},
    "volumes": {"add": {"grid": "EQUALS\n MULTPV 1.5 1 5 1 6 1 3 /\n MULTPV 0 3 4 3 4 1 3 /\n NTG 0.8 8 10 1 6 2 2 /\n/\n"
                                "MINPV\n 2000 /\nEQUALS\n PORO 0.1 6 6 2 3 3 3 /\n/\n"}},
    "regions": {"add": {"grid": REGIONS + "MULTREGT\n 1 2 0.01 /\n 2 3 0.1 Z ALL F /\n 1 3 0.5 XY NONNC F /\n/\n"}},
    "regions_again": {"add": {"grid": REGIONS + REGIONS.replace("FLUXNUM", "MULTNUM") + "OPERNUM\n 30*8 30*9 30*8 30*9 30*8 30*9 /\n"
                              "MULTREGT\n 1 2 0.001 X ALL F /\n 2 1 0.5 YZ ALL F /\n 2 3 0.01 Z ALL M /\n"
                              " 1 3 0.01 XYZ ALL M /\n 1 3 0.5 Z ALL F /\n 8 9 0.01 XYZ ALL O /\n/\n"}},
    "multnum": {"add": {"runspec": "GRIDOPTS\n YES 3 /\n", "grid": REGIONS.replace("FLUXNUM", "MULTNUM")
                        + "MULTREGT\n 1 2 0.01 /\n 1 3 0.2 /\n 1 2 0.05 /\n/\n"}},
    "faults": {"add": {"grid": "FAULTS\n A 5 5 1 5 1 3 X /\n A 1 4 4 4 1 3 'Y-' /\n BB 8 8 1 6 1 3 I- /\n/\n"
                               "MULTFLT\n A 0.02 /\n BB 0.3 /\n/\n"}},
    "operations": {"add": {"grid": REGIONS + "MAXVALUE\n PERMX 150 1 5 4* /\n/\nMINVALUE\n PERMY 100 /\n PERMZ 10 /\n/\n"
                                   "MULTIREG\n PERMX 0.5 3 F /\n/\nADDREG\n PORO 0.05 2 F /\n/\nEQUALREG\n NTG 0.8 2 F /\n/\n"}},
    "transmissibility": {"edit": "EQUALS\n TRANX 2.5 5 5 1 6 1 3 /\n/\nMULTIPLY\n TRANY 0.2 1 10 3 3 1 3 /\n"
                                 " TRANX 3 5 5 1 2 1 1 /\n TRANZ 0.05 /\n/\n"},
    "vanishing": {"add": {"grid": VANISHING + "NEWTRAN\n"}},
    "pinched": {"add": {"grid": VANISHING + "NEWTRAN\nPINCH\n/\n"}},
    "vanished": {"add": {"grid": "DZ\n 60*8 60*0 60*8 /\nPINCH\n/\n"}},
    "switched_off": {"add": {"grid": "DZ\n 60*8 60*0 60*8 /\nACTNUM\n 60*1 60*0 60*1 /\nPINCH\n 1* 1* 1* ALL ALL /\n"}},
    "porv": {"edit": "BOX\n 1 3 1 6 1 3 /\nPORV\n 54*9000 /\nENDBOX\nMULTIPLY\n PORV 1.5 3 8 1 6 1 1 /\n/\n"},
}

plain = None
with runs.folder() as folder:
    for name, sections in flow.chosen(DECKS):
        mine = flow.compare(checks, folder, name, flow.Deck(**sections), LIMITS)
        if plain is None:
            path = folder + "/PLAIN.DATA"
            with open(path, "w") as f:
                f.write(flow.Deck().text())
            plain = runs.run(path, folder, name="plain")
        moved = max(abs(mine.at(t, v) - plain.at(t, v)) / abs(plain.at(t, v)) for t in (90, 300)
                    for v in ("FPR", "WBHP:I", "WBHP:P1", "WBHP:P2"))
        checks.true("%s: the keywords move a pressure by %.2f %%" % (name, 100 * moved), moved > 0.01)
sys.exit(checks.result())
