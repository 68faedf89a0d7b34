"""OPM Flow, run here and now on a bundled deck, side by side with hepta: small
steps on both sides; totals within 0.5 %, pressures within 0.5 %, rates within
1 % of their peak."""
import os
import shutil
import subprocess
import sys

import runs

flow = shutil.which("flow")
if flow is None:
    runs.skip("no OPM Flow (package libopm-simulators-bin)")
summary = shutil.which("summary")
if summary is None:
    runs.skip("no `summary` (package libopm-common-bin)")

checks = runs.Checks(say=True)
scratch = runs.folder()
folder = scratch.name
shutil.copy(runs.deck("FIVE_SPOT.DATA"), folder)
command = [flow, "FIVE_SPOT.DATA", "--output-dir=" + os.path.join(folder, "flow"), "--solver-max-time-step-in-days=3",
           "--tolerance-cnv=1e-3", "--tolerance-mb=1e-8", "--initial-time-step-in-days=0.1",
           "--enable-opm-rst-file=false", "--threads-per-process=1"]
done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
if done.returncode != 0:
    print(done.stdout[-3000:], done.stderr[-1000:])
    raise SystemExit("OPM Flow did not run the bundled deck")

# steps as small as Flow's, no looser tolerances
mine = runs.run(runs.deck("FIVE_SPOT.DATA"), folder, name="five_spot", options=[
    "timestep.max=3", "timestep.initial=0.1", "timestep.accuracy=0", "newton.tolerance_cnv=1e-3", "newton.tolerance_mb=1e-8"])
ours = runs.Table(os.path.join(folder, "five_spot.summary.csv"))


def theirs(vector):
    """Times and values of a vector of Flow's."""
    text = subprocess.run([summary, os.path.join(folder, "flow", "FIVE_SPOT.SMSPEC"), "TIME", vector],
                          capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in text.splitlines() if line.strip() and line.split()[0][0].isdigit()]
    return [float(r[0]) for r in rows], [float(r[-1]) for r in rows]


days = [1, 5, 15, 30]
for _ in range(23):
    days.append(days[-1] + 30.5)


def compare(vector, limit, relative_to_peak, first=0):
    times, values = theirs(vector)
    peak = max(abs(v) for v in values)
    worst = 0.0
    for day in days[first:]:
        n = min(range(len(times)), key=lambda k: abs(times[k] - day))
        assert abs(times[n] - day) < 1e-3, (vector, day, times[n])
        scale = peak if relative_to_peak else abs(values[n])
        worst = max(worst, abs(ours.at(vector, day) - values[n]) / scale)
    checks.true("%s: largest difference %.3f %%%s (limit %.2g %%)"
                % (vector, 100 * worst, " of the peak" if relative_to_peak else "", 100 * limit), worst < limit)


for vector in ("FOPT", "FWPT", "FWIT"):
    compare(vector, 0.005, True)
compare("FPR", 0.005, False)
for well in ("INJ", "P1", "P2", "P3", "P4"):
    compare("WBHP:" + well, 0.005, False)
for well in ("P1", "P2", "P3", "P4"):
    compare("WOPR:" + well, 0.01, True)
    compare("WWPR:" + well, 0.01, True)

switched = [t for t, mode in zip(ours["TIME"], ours["WMCTL:P1"]) if "BHP" in mode.upper()]
checks.true("P1 falls to its pressure limit", len(switched) > 0)
error = max(mine.mass_balance_errors())
checks.true("mass balance error %.1e" % error, error < 1e-6)
sys.exit(checks.result())
