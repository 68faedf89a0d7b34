"""OPM Flow on small decks, side by side with hepta; for the tests of tests/peer.

    flow.need()                                   skips the test where Flow is not installed
    deck = flow.Deck(grid="...", schedule="...")  sections in place of those of a sound deck
    flow.compare(checks, folder, "name", deck, {"FOPT": 0.003, "FPR": 0.002})

The base is 10 x 6 x 3 cells of 40 x 50 x 8 m, METRIC, one injector I and two
producers P1 and P2, 300 days. Both programs take steps of 5 days at most (`step`).
Limits are relative to the vector's largest value in Flow; of water produced, to no
less than a twentieth of the field's oil.
"""
import functools
import os
import shutil
import subprocess
import sys

import eclipse_files
import runs

FLOW, SUMMARY = shutil.which("flow"), shutil.which("summary")
STEP = 5


def chosen(decks):
    """(name, deck) of those that the test's arguments name; without any each third, HEPTA_TEST_EVERY=1: all."""
    names = sys.argv[1:] or list(decks)[::runs.every(3, 3)]
    return [(name, deck) for name, deck in decks.items() if name in names]


def need():
    if FLOW is None:
        runs.skip("no OPM Flow (package libopm-simulators-bin)")
    if SUMMARY is None:
        runs.skip("no `summary` (package libopm-common-bin)")


BASE = {
    "runspec": "DIMENS\n 10 6 3 /\nOIL\nWATER\nMETRIC\nREGDIMS\n 5 5 0 5 /\n"
               "WELLDIMS\n 10 10 5 10 /\nSTART\n 1 JAN 2020 /\nUNIFOUT\nFAULTDIM\n 10 /\n",
    "tabdims": "TABDIMS\n 1 1 30 30 5 /\nEQLDIMS\n 1 /\n",
    "grid": "DX\n 180*40 /\nDY\n 180*50 /\nDZ\n 180*8 /\nTOPS\n 60*2000 /\nPORO\n 180*0.2 /\n"
            "PERMX\n 60*200 60*50 60*400 /\nCOPY\n PERMX PERMY /\n PERMX PERMZ /\n/\nMULTIPLY\n PERMZ 0.1 /\n/\n",
    "edit": "",
    "props": "DENSITY\n 850 1020 1 /\nPVTW\n 200 1.01 4.5E-5 0.5 0 /\n",
    "pvdo": "PVDO\n 100 1.06 2.8\n 200 1.05 3.0\n 400 1.03 3.4 /\n",
    "rock": "ROCK\n 200 5E-5 /\n",
    "swof": "SWOF\n 0.2 0 1 0.5\n 0.4 0.05 0.5 0.2\n 0.6 0.2 0.1 0.1\n 0.8 0.5 0 0 /\n",
    "regions": "",
    "solution": "EQUIL\n 2000 200 2100 0 /\n",
    "summary": "FOPR\nFWPR\nFWIR\nFOPT\nFWPT\nFWIT\nFPR\nWBHP\n/\nWOPR\n/\nWWPR\n/\nWWIR\n/\nWOPT\n/\nWWPT\n/\nWWIT\n/\n",
    "wells": "WELSPECS\n I G 1 1 1* WATER /\n P1 G 10 6 1* OIL /\n P2 G 10 1 1* OIL /\n/\n"
             "COMPDAT\n I 2* 1 3 OPEN 2* 0.2 /\n P1 2* 1 3 OPEN 2* 0.2 /\n P2 2* 1 3 OPEN 2* 0.2 /\n/\n",
    "controls": "WCONINJE\n I WATER OPEN RATE 400 1* 600 /\n/\n"
                "WCONPROD\n P1 OPEN ORAT 150 4* 80 /\n P2 OPEN LRAT 3* 200 1* 80 /\n/\n",
    "schedule": "TSTEP\n 10*30 /\n",
}


class Deck:
    """The base deck with other sections; `add` puts text behind a section instead: add={"grid": "..."}.
    flow: options of Flow."""

    def __init__(self, add=None, step=STEP, flow=(), **sections):
        self.part, self.step, self.flow = dict(BASE), step, flow
        for name, text in sections.items():
            assert name in self.part, name
            self.part[name] = text
        for name, text in (add or {}).items():
            self.part[name] += text

    def text(self):
        p = self.part
        tuning = "TUNING\n %g %g /\n /\n /\n" % (min(0.5, self.step), self.step)
        return ("RUNSPEC\n" + p["runspec"] + p["tabdims"] + "GRID\nINIT\n" + p["grid"] + ("EDIT\n" + p["edit"] if p["edit"] else "")
                + "PROPS\n" + p["props"] + p["pvdo"] + p["rock"] + p["swof"]
                + ("REGIONS\n" + p["regions"] if p["regions"] else "") + "SOLUTION\n" + p["solution"]
                + "SUMMARY\n" + p["summary"] + "SCHEDULE\n" + tuning + p["wells"] + p["controls"] + p["schedule"] + "END\n")


def _with(text, root, report, more=""):
    a, b = text.index("SOLUTION\n"), text.index("SUMMARY\n")
    return text[:a] + "SOLUTION\nRESTART\n '%s' %d /\n%s" % (root, report, more) + text[b:]


def later(deck, root, report, more=""):
    """The deck's text, begun with a report step of the run `root` (RESTART, SKIPREST)."""
    return _with(deck.text(), root, report, more).replace("SCHEDULE\n", "SCHEDULE\nSKIPREST\n").replace(
        "UNIFOUT\n", "UNIFOUT\nUNIFIN\n")


def forecast(deck, root, report, schedule, more=""):
    """Likewise with the wells of the file, and the schedule from that report step on."""
    text = _with(deck.text(), root, report, more).replace("UNIFOUT\n", "UNIFOUT\nUNIFIN\n")
    return text[:text.index("SCHEDULE\n")] + "SCHEDULE\n" + schedule + "END\n"


def run_flow(path, out, step=STEP, options=()):
    """Flow's own run of a deck; the folder of its results."""
    done = subprocess.run([FLOW, path, "--output-dir=" + out, "--solver-max-time-step-in-days=%g" % step,
                           "--tolerance-cnv=1e-3", "--tolerance-mb=1e-8",
                           "--initial-time-step-in-days=%g" % min(0.5, step), "--enable-tuning=false",
                           "--threads-per-process=1", *options],
                          capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        print(done.stdout[-3000:], done.stderr[-2000:])
        raise SystemExit("OPM Flow did not run " + path)
    return out


def vector(case, name):
    """Times and values of a summary vector; case: the path without extension."""
    word, _, who = name.partition(":")
    if word[0] in "CB" or not os.path.exists(case + ".UNSMRY"):
        return vector_by_tool(case, name)
    found = summary(case, os.stat(case + ".UNSMRY").st_mtime_ns)
    at = [n for n, (keyword, well, number) in enumerate(found.keys)
          if keyword == word and who in ("", str(number) if word[0] in "RA" else well)]
    if not at:
        raise KeyError("%s: no %s" % (case, name))
    return [[row[n] for row in found.rows] for n in (0, at[0])]


@functools.lru_cache(maxsize=4)
def summary(case, _time):
    found = eclipse_files.Summary(case, consecutive=False)
    assert found.keys[0][0] == "TIME" and found.head["UNITS"][0] == "DAYS", found.keys[0]
    return found


def vector_by_tool(case, name):
    """The same as Flow's own tool reads and prints it."""
    text = subprocess.run([SUMMARY, case + ".SMSPEC", "TIME", name], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in text.splitlines() if line.strip() and line.split()[0][0].isdigit()]
    return [float(r[0]) for r in rows], [float(r[-1]) for r in rows]


def both(folder, name, deck, options=(), mine=None):
    """Runs the deck with both: hepta's table, and the path of Flow's results. mine: hepta's deck, if that is another."""
    path = os.path.join(folder, name.upper() + ".DATA")
    with open(path, "w") as f:
        f.write(deck.text())
    run_flow(path, os.path.join(folder, name + ".flow"), deck.step, deck.flow)
    if mine is not None:
        path = os.path.join(folder, name.upper() + "_MINE.DATA")
        with open(path, "w") as f:
            f.write(mine.text())
    mine = runs.run(path, folder, name=name, options=list(options) + [
        "timestep.max=%g" % deck.step, "timestep.initial=%g" % min(0.5, deck.step), "timestep.accuracy=0", "timestep.target_newton=8", "newton.tolerance_cnv=1e-3", "newton.tolerance_mb=1e-8"])
    error = max(mine.mass_balance_errors())
    assert error < 1e-6, "%s: mass balance error %.1e" % (name, error)
    return mine, os.path.join(folder, name + ".flow", name.upper())


def compare(checks, folder, name, deck, limits, options=(), days=(30, 60, 90, 120, 150, 180, 210, 240, 270, 300), mine=None):
    """Both programs on the deck: each vector within its limit on these days. Returns hepta's run."""
    mine, theirs = both(folder, name, deck, options, mine)
    table = runs.Table(mine.base + ".summary.csv")
    for v, limit in limits.items():
        times, values = vector(theirs, v)
        size = max(abs(x) for x in values) or 1.0
        if v[1:4] == "WPT":  # before the water comes its total is next to nothing
            size = max(size, 0.05 * max(vector(theirs, "FOPT")[1]))
        worst = 0.0
        for day in days:
            n = min(range(len(times)), key=lambda k: abs(times[k] - day))
            assert abs(times[n] - day) < 1e-3, (v, day, times[n])
            worst = max(worst, abs(table.at(v, day) - values[n]) / size)
        checks.true("%s: %s differs by %.3f %% (limit %.2g %%)" % (name, v, 100 * worst, 100 * limit), worst < limit)
    return mine


# Lift tables, in METRIC: a stream that is heavier the more water it holds, with friction, and slip at small rates.
RATES, THPS, CUTS, LIFTS = (5, 20, 50, 100, 150, 200, 300, 400), (5, 15, 30, 50), (0, 0.2, 0.4, 0.6, 0.8, 1), (0, 10)


def lift_bhp(flow, thp, cut, lift):
    return thp + 0.0196 * 10 * (450 + 450 * cut - 8 * lift) + 2e-4 * flow * flow * (1 + 0.3 * cut) + 8 / (1 + flow / 20)


def _record(values):
    return " " + " ".join("%.7g" % v for v in values) + " /\n"


def lift_producer(number=1, datum=2000, of="LIQ", ratio="WCT"):
    text = "VFPPROD\n %d %g %s %s GOR THP GRAT METRIC BHP /\n" % (number, datum, of, ratio)
    text += _record(RATES) + _record(THPS) + _record(CUTS) + " 0 /\n" + _record(LIFTS)
    return text + "".join(_record((t + 1, c + 1, 1, a + 1) + tuple(lift_bhp(q, THPS[t], CUTS[c], LIFTS[a]) for q in RATES))
                          for a in range(len(LIFTS)) for c in range(len(CUTS)) for t in range(len(THPS)))


def lift_injector(number=1, datum=2000):
    flow, thp = (10, 100, 200, 300, 500), (10, 50, 100, 150)
    text = "VFPINJ\n %d %g WAT THP METRIC BHP /\n" % (number, datum) + _record(flow) + _record(thp)
    return text + "".join(_record((n + 1,) + tuple(p + 196 - 2e-4 * q * q for q in flow)) for n, p in enumerate(thp))


def lift_control(injection, p1, p2):
    return ("WCONINJE\n I WATER OPEN %s /\n/\nWCONPROD\n P1 OPEN %s /\n P2 OPEN %s /\n/\n" % (injection, p1, p2))
