"""TUNING in the middle of the schedule: the next step, the longest one, the growth and Newton's iterations change where
it stands, and the steps before it are those of a deck without it. A run that goes on from a report step behind it makes
the same steps."""
import sys

import flow
import runs

checks = runs.Checks()
LATER = "TSTEP\n 30 30 /\nTUNING\n 0.25 2 2* 1.5 /\n/\n 1* 3 /\nTSTEP\n 15 15 /\nTUNING\n 1* 10 2* 4 /\nTSTEP\n 30 /\n"


def steps(run):
    """End, length and Newton iterations of every step."""
    return list(zip(run.solver["time"], run.solver["dt"], run.solver["newton"]))


with runs.folder() as folder:
    path = {}
    for name, schedule in (("plain", "TSTEP\n 30 30 15 15 30 /\n"), ("later", LATER)):
        path[name] = folder + "/" + name.upper() + ".DATA"
        with open(path[name], "w") as f:
            f.write(flow.Deck(schedule=schedule).text())
    plain = runs.run(path["plain"], folder, name="plain")
    later = runs.run(path["later"], folder, name="later", options=["output.restart=10"])
    before = lambda run: [s for s in steps(run) if s[0] <= 60]
    checks.true("the steps before are the same", before(plain) == before(later) and len(before(plain)) > 2)
    between = [s for s in steps(later) if 60 < s[0] <= 90]
    checks.near("the next step", between[0][1], 0.25, 1e-9)
    checks.true("no longer than 2 days", max(s[1] for s in between) <= 2 + 1e-9 and between[-2][1] > 1.4)
    growth = [b[1] / a[1] for a, b in zip(between, between[1:])]
    checks.true("growth of at most 1.5", max(growth) <= 1.5 + 1e-9 and growth[0] > 1.4)
    checks.true("three Newton iterations at least", min(s[2] for s in between) >= 3)
    after = [s for s in steps(later) if s[0] > 90]
    checks.true("longer steps again", max(s[1] for s in after) > 5 and max(s[1] for s in after) <= 10 + 1e-9)
    for step in later.steps[1:-1]:
        part = runs.run(path["later"], folder, name="part", arguments=["--restart", "%s/later:%d" % (folder, step)])
        checks.true("goes on from step %d" % step, steps(part) == steps(later))
sys.exit(checks.result())
