"""A deck with times in days and the same with dates give the same bits, but for the column of dates, which is the calendar's; a run
goes on from a date as from the number of its step; what is wrong with a date is answered. Python's calendar is the judge."""
import datetime
import os
import random
import re
import sys

import h5py

import restarts
import runs

checks = runs.Checks()
KEEP = restarts.KEEP
STARTS = ("2026-01-31", "2024-02-28T18:30:00", "1999-12-31 06:00", "8999-02-27 23:59:59.5")


def instant(text):
    return datetime.datetime.fromisoformat(text)


def written(start, days):
    """That many days after the start, with a T or a blank, and without what is zero."""
    at = instant(start) + datetime.timedelta(days=days)
    text = at.isoformat(sep="T" if at.day % 2 else " ")
    return '"%s"' % (text[:10] if at.time() == datetime.time() else text[:16] if text.endswith(":00") else text)


def deck(start, days, text):
    """Times `days` of entries and reports, each as text(days) has it."""
    a, b, c, d, *reports = days
    more = re.sub(r'start = "[^"]*";|schedule = \(.*?\n\);|report = \{.*?\};', "", restarts.DECK, flags=re.S)
    return more + """
start = "%s";
schedule = ( { time = %s; well = "BHP"; bhp = 150.0; }, { time = %s; well = "OIL"; status = "shut"; }, { time = %s; well = "OIL"; status = "open"; } );
tuning = ( { time = %s; max = 2.0; } );
multipliers = ( { time = %s; face = "i+"; i = 2; by = 0.5; } );
groups = ( { time = %s; liquid_rate = 1e4; } );
report = { times = (%s); };
""" % (start, text(a), text(b), text(c), text(b), text(c), text(d), ", ".join(text(r) for r in reports))


def same_numbers(name, one, other):
    restarts.same_as(checks, name, one, other)
    checks.true(name + ": fields", runs.datasets(one + ".h5") == runs.datasets(other + ".h5"))


def check_column(name, base, start):
    for suffix, head, time in ((".summary.csv", "DATE", "TIME"), (".solver.csv", "date", "time")):
        table = runs.read_csv(base + suffix)
        off = [abs((instant(d) - instant(start)).total_seconds() - 86400.0 * t) for d, t in zip(table[head], table[time])]
        checks.true(name + suffix + ": dates are those of the times", len(off) > 5 and max(off) <= 0.5 + 1e-3, max(off))
        rows = restarts.text(base + suffix).splitlines()
        place = rows[0].split(",").index(head)
        checks.true(name + suffix + ": beside the times", rows[0].split(",")[place - 1].startswith(time + "["), rows[0][:60])


with runs.folder() as where:
    for seed, start in list(enumerate(STARTS))[::runs.every(1, 2)]:
        pick = random.Random(seed)
        days = sorted(pick.sample(range(1, 24), 4)) + sorted(d / 4 for d in pick.sample(range(4, 100), 4)) + [25.0]
        bases = [os.path.join(where, kind + str(seed)) for kind in ("days", "dates")]
        for base, text in zip(bases, (str, lambda d: written(start, d))):
            path = restarts.write_deck(where, deck(start, [float(d) for d in days], text), os.path.basename(base))
            done = restarts.start(path, base)
            checks.true("%s runs" % path, done.returncode == 0, done.stderr)
        name = "start " + start
        same_numbers(name, *bases)
        check_column(name, bases[1], start)
        # goes on from a date, where its rows stand in the CSV files alone, too
        date = written(start, days[6])[1:-1]
        for what in ("master", "csv"):
            if what == "csv":
                with runs.edited(bases[1] + ".h5") as f:
                    del f["summary"], f["solver"]
            part = os.path.join(where, "part")
            done = restarts.go_on(path, part, bases[1] + ":" + date)
            checks.true("%s: goes on from %s, %s" % (name, date, what), done.returncode == 0, done.stderr)
            if what == "master":
                restarts.same_as(checks, name + ": goes on", part, bases[0])
            else:
                checks.true(name + ": rows of the files", restarts.text(part + ".summary.csv") == restarts.text(bases[0] + ".summary.csv"))
        done = restarts.go_on(path, part, bases[1] + ":" + written(start, 24.9)[1:-1])
        checks.true(name + ": no report then", done.returncode == 2 and re.search(r"there is no report step at .*; step \d+ is at \S.*, step \d+ at ", done.stderr),
                    done.stderr)
        info = runs.hepta("info", bases[1]).stdout
        shown = re.findall(r"^ +\d+ +[\d.]+  (\d{4}-\d\d-\d\d(?: \d\d:\d\d)?)\b", info, re.M)
        with h5py.File(bases[1] + ".h5", "r") as f:
            times = [instant(start) + datetime.timedelta(seconds=t + 30.0) for t in f["time"][:]]
        checks.true(name + ": info", shown == [t.strftime("%Y-%m-%d" + ("" if t.strftime("%H%M") == "0000" else " %H:%M")) for t in times], info)
    # a run without a date may go on with one, and the other way round
    plain = restarts.write_deck(where, re.sub(r'start = "[^"]*";', "", deck(STARTS[0], [float(d) for d in days], str)), "plain")
    base = os.path.join(where, "plain")
    checks.true("no date: runs", restarts.start(plain, base).returncode == 0 and "DATE" not in restarts.text(base + ".summary.csv"))
    done = restarts.go_on(plain, part, base + ":2026-02-03")
    checks.true("no date: none to go on from", done.returncode == 2 and "'2026-02-03': a date needs start" in done.stderr, done.stderr)
    done = restarts.go_on(plain, part, "%s:%d" % (base, runs.Result(base, "", "").steps[3]), KEEP + ['start="2026-01-31"'])
    table = runs.read_csv(part + ".summary.csv")
    checks.true("a date for the rest", done.returncode == 0 and table["DATE"][-1] == "2026-02-25 00:00:00" and
                len(table["DATE"]) == len(runs.read_csv(base + ".summary.csv")["TIME"]), done.stderr)

sys.exit(checks.result())
