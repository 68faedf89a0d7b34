"""Wells at tubing-head pressures on a small grid beside OPM Flow: a producer's limit that becomes active while its water cut rises,
tables by water-oil ratio and by oil, with artificial lift beyond the table and another datum, producers at their thp from the start, an
injector. The limits change what the well makes by ten times what the programs may differ by, and more."""
import sys

import flow
import runs

flow.need()
checks = runs.Checks(say=True)
SCHEDULE = "TSTEP\n 20*30 /\n"
P1, P2, I = "ORAT 150 4* 80", "LRAT 3* 200 1* 80", "RATE 330 1* 600"
SUMMARY = {"summary": "WTHP\n/\n"}
LIMITS = {"FOPT": 0.003, "FWPT": 0.003, "FWIT": 0.003, "FPR": 0.003, "WOPT:P1": 0.003, "WWPT:P1": 0.003, "WBHP:P1": 0.005,
          "WTHP:P1": 0.005, "WBHP:P2": 0.005, "WBHP:I": 0.005}
B = flow.BASE
# Flow 2022.10 wants three phases of an injector's lift table, and its own check of what a well can do finds crossflow in it.
GAS = {"runspec": B["runspec"].replace("OIL\n", "OIL\nGAS\n"),
       "props": B["props"] + "PVDG\n 50 0.02 0.015\n 400 0.003 0.03 /\nSGOF\n 0 0 1 0\n 0.1 0.02 0.6 0.1\n 0.8 1 0 0 /\n",
       "solution": "EQUIL\n 2000 200 2100 0 1990 0 1 /\nRSVD\n 2000 9\n 2100 9 /\n"}
DECKS = {
    "producer": (flow.Deck(add=SUMMARY, controls=flow.lift_producer() + flow.lift_control(I, P1 + " 20 1", P2), schedule=SCHEDULE), {}),
    "injector": (flow.Deck(add=SUMMARY, step=2, flow=["--enable-well-operability-check=false"], schedule=SCHEDULE,
                           controls=flow.lift_injector() + flow.lift_control("RATE 420 1* 600 120 1", P1, P2), **GAS),
                 {"WTHP:I": 0.005, "WWIR:I": 0.005}),
    "modes": (flow.Deck(add=SUMMARY, controls=flow.lift_producer(datum=1900) + flow.lift_control(I, "THP 5* 80 20 1", "THP 3* 200 1* 80 15 1 4"),
                        schedule=SCHEDULE), {"WTHP:P2": 0.005}),
    "ratio": (flow.Deck(add=SUMMARY, controls=flow.lift_producer(of="OIL", ratio="WOR") + flow.lift_control(I, P1 + " 20 1 3", P2),
                        schedule=SCHEDULE), {}),
    "beyond": (flow.Deck(add=SUMMARY, controls=flow.lift_producer() + flow.lift_control(I, P1 + " 2 1 35", P2), schedule=SCHEDULE), {}),
}
DAYS = range(60, 601, 60)

with runs.folder() as folder:
    for name, (deck, more) in flow.chosen(DECKS):
        limits = {v: x for v, x in {**LIMITS, **more}.items() if name != "injector" or v != "WTHP:P1"}
        mine = flow.compare(checks, folder, name, deck, limits, days=DAYS)
        if name not in ("producer", "injector"):
            continue
        free = flow.Deck(controls=flow.lift_control(I if name == "producer" else "RATE 420 1* 600", P1, P2), schedule=SCHEDULE,
                         **(GAS if name == "injector" else {}))
        with open("%s/FREE.DATA" % folder, "w") as f:
            f.write(free.text())
        other = runs.run("%s/FREE.DATA" % folder, folder, name=name + "_free", options=["timestep.max=5", "timestep.accuracy=0"])
        total = "WOPT:P1" if name == "producer" else "WWIT:I"
        effect = abs(mine.vector(total)[-1] / other.vector(total)[-1] - 1.0)
        checks.true("%s: its limit changes %s by %.1f %%" % (name, total, 100 * effect), effect > 0.03)
sys.exit(checks.result())
