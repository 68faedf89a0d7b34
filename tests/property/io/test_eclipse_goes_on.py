"""Eclipse's files of a run that goes on in place have the bytes of a run without a break: in METRIC and FIELD units, after a run that was
killed while it wrote them, from its start, and where nothing is left to do. Files without the steps before are refused and stay."""
import os
import sys

import eclipse_files
import flow
import runs

checks = runs.Checks()
ENDS = ("EGRID", "INIT", "UNRST", "SMSPEC", "UNSMRY", "RFT")
STEPS = ["output.eclipse=true", "timestep.max=5", "output.restart=-1"]
FIRST, SECOND = "WRFTPLT\n P2 FOPN /\n/\nTSTEP\n 10 10 /\n", "TSTEP\n 5 /\nWELOPEN\n P2 OPEN /\n/\nTSTEP\n 5 10 /\nWRFT\n I /\n/\nWELTARG\n I WRAT 300 /\n/\nTSTEP\n 10 /\n"
FIELD = {"runspec": flow.BASE["runspec"].replace("METRIC", "FIELD"), "props": "DENSITY\n 53 63 1 /\nPVTW\n 3000 1.01 3E-6 0.5 0 /\n",
         "pvdo": "PVDO\n 1000 1.06 2.8\n 3000 1.05 3.0\n 6000 1.03 3.4 /\n", "rock": "ROCK\n 3000 4E-6 /\n"}


def deck(field, schedule):
    parts = dict(FIELD if field else {})
    solution = "EQUIL\n 2010 3000 2020 0.1 4* -3 /\n" if field else flow.BASE["solution"]
    low, high = ("1000", "5000") if field else ("80", "600")
    controls = "WCONINJE\n I WATER OPEN RATE 60 1* %s /\n/\nWCONPROD\n P1 OPEN LRAT 3* 40 1* %s /\n P2 SHUT LRAT 3* 20 1* %s /\n/\n" % (high, low, low)
    return flow.Deck(add={"summary": "FOE\nROIP\n/\nCOPR\n P1 /\n/\nWBP9\n/\nWMCTL\n/\n"}, regions="FIPNUM\n 90*1 90*2 /\n", controls=controls + "WRFTPLT\n P1 TIMESTEP REPT /\n/\n",
                     solution=solution + "RPTRST\n FLOWS KRW /\n", schedule=schedule, **parts).text()


def start(folder, name, text, base, more=()):
    path = os.path.join(folder, name + ".DATA")
    with open(path, "w") as f:
        f.write(text)
    sets = [word for option in STEPS for word in ("--set", option)]
    return runs.hepta("run", path, "-q", *sets, *more, *(["-o", base] if base else []), where=folder)


def content(base):
    found = {}
    for end in ENDS:
        path = os.path.join(os.path.dirname(base), os.path.basename(base).upper() + "." + end)
        if os.path.exists(path):
            with open(path, "rb") as f:
                found[end] = f.read()
    return found


def same(what, base, whole):
    one, other = content(base), content(whole)
    for end in ENDS:
        checks.true("%s: %s" % (what, end), one.get(end) == other.get(end), "%s bytes, %s" % (len(one.get(end, b"")), len(other.get(end, b""))))


def spoil(base):
    """Leaves what a run that is killed may leave: a report of a later step, half of a log, rows that are missing or torn."""
    path = os.path.join(os.path.dirname(base), os.path.basename(base).upper())
    arrays = eclipse_files.split(eclipse_files.read(path + ".UNRST"))
    last = max(arrays)
    later = [("SEQNUM", "INTE", [last + 1])] + [(n, k, v[:67] + [v[67] + 3, last + 1] + v[69:] if n == "INTEHEAD" else v) for n, k, v in arrays[last]]
    with open(path + ".UNRST", "ab") as f:
        f.write(eclipse_files.binary(later)[:-40])
    with open(path + ".RFT", "ab") as f:
        f.write(eclipse_files.binary([("TIME", "REAL", [25.0]), ("DATE", "INTE", [1, 2, 2020])])[:-10])
    with open(path + ".UNSMRY", "r+b") as f:
        f.truncate(os.path.getsize(path + ".UNSMRY") - 100)


with runs.folder() as folder:
    for name, field in (("metric", False), ("field", True)):
        whole, part = os.path.join(folder, name + "_whole"), os.path.join(folder, name + "_part")
        done = start(folder, name.upper(), deck(field, FIRST + SECOND), whole)
        checks.true(name + ": the whole run", done.returncode == 0, done.stderr)
        done = start(folder, name.upper() + "1", deck(field, FIRST), part)
        checks.true(name + ": the first part", done.returncode == 0 and content(part)["UNRST"] != content(whole)["UNRST"], done.stderr)
        if field:
            spoil(part)
        done = start(folder, name.upper(), deck(field, FIRST + SECOND), None, ["--restart", part])
        checks.true(name + ": goes on", done.returncode == 0, done.stderr)
        same(name, part, whole)
        logs = [values for array, _, values in eclipse_files.read(os.path.join(folder, os.path.basename(part).upper() + ".RFT")) if array == "WELLETC"]
        checks.true(name + ": logs of all times", len(logs) > 12 and {"P1", "P2", "I"} == {log[1] for log in logs}, logs)
        done = start(folder, name.upper(), deck(field, FIRST + SECOND), None, ["--restart", part])
        checks.true(name + ": nothing left to do", done.returncode == 0, done.stderr)
        same(name + " at its end", part, whole)
    bare = os.path.join(folder, "bare")
    done = start(folder, "BARE", deck(False, FIRST), bare, ["--set", "output.eclipse=false"])
    checks.true("without Eclipse's files", not content(bare), content(bare).keys())
    done = start(folder, "METRIC", deck(False, FIRST + SECOND), None, ["--restart", bare])
    checks.true("they are missed", done.returncode == 2 and "does not have the report steps up to" in done.stderr and "-o" in done.stderr, done.stderr)
    left = [f for f in os.listdir(folder) if f.endswith(".tmp")]
    checks.true("nothing is left", not content(bare) and not left, left)

sys.exit(checks.result())
