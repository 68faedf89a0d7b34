"""hepta run --control on a GPU, whose results a thread writes behind it: the bits of a deck that has the changes in its schedule, and
files that are up to date wherever the run waits."""
import json
import os
import subprocess
import sys

import runs

OPTIONS = ["--backend", os.environ.get("HEPTA_TEST_BACKEND", "cuda"), "--set", "report.end=500", "-q"]
CHANGES = [(100, "P1", "bhp", 150.0), (300, "INJ", "rate", 120.0), (400, "P2", "bhp", 170.0)]


def told(where):
    with open(runs.deck("schedule"), encoding="utf-8") as f:
        text = f.read()
    entries = ", ".join('{ time = %g; well = "%s"; %s = %g; }' % change for change in CHANGES)
    with open(os.path.join(where, "told.cfg"), "w", encoding="utf-8") as f:
        f.write(text.replace('liquid_rate = "none"; }\n', 'liquid_rate = "none"; }, %s\n' % entries))
    return runs.hepta("run", "told.cfg", "-o", "told", *OPTIONS, where=where)


def steer(checks, where):
    run = subprocess.Popen([runs.PROGRAM, "run", runs.deck("schedule"), "-o", "steered", "--control", "-", "--json", *OPTIONS], cwd=where,
                           text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for event in map(json.loads, run.stdout):
        if event["event"] != "waits":
            continue
        with runs.h5py.File(os.path.join(where, "steered.h5"), "r") as f:
            days = f["time"][:] / runs.DAY
            rows = len(f["summary/TIME"]) if "summary" in f else 0
            checks.true("at %g: fields" % event["time"], days[-1] == event["time"] and "pressure" in f["steps/%06d" % event["step"]], days)
        checks.true("at %g: rows" % event["time"], rows == event["step"], (rows, event["step"]))
        for time, well, key, value in CHANGES:
            if time == event["time"]:
                run.stdin.write("well %s %s=%g\n" % (well, key, value))
        run.stdin.write("continue\n")
        run.stdin.flush()
    checks.true("steered", run.wait() == 0)


def content(where, name):
    with open(os.path.join(where, name + ".summary.csv"), "rb") as f:
        return {**runs.datasets(os.path.join(where, name + ".h5")), "summary": f.read()}


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        if OPTIONS[1] == "cuda":
            runs.skip_without_gpu(where)
        done = told(where)
        checks.true("a deck with the changes", done.returncode == 0, done.stderr)
        steer(checks, where)
        one, other = content(where, "told"), content(where, "steered")
        odd = [key for key in sorted(set(one) | set(other)) if one.get(key) != other.get(key)]
        checks.true("the same bits", not odd and len(one) > 10, odd[:4])
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
