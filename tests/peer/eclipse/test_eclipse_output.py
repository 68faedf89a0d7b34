"""Eclipse's binary files of hepta (output.eclipse) in the hands of independent readers: OPM's compareECL holds them
against OPM Flow's own files of the same deck, OPM's summary and convertECL read them, in METRIC and in FIELD units."""
import os
import re
import shutil
import subprocess
import sys

import flow
import runs

flow.need()
COMPARE, CONVERT = shutil.which("compareECL"), shutil.which("convertECL")
if COMPARE is None or CONVERT is None:
    runs.skip("no compareECL or convertECL (package libopm-common-bin)")
checks = runs.Checks(say=True)
OPTIONS = ["output.eclipse=true", "timestep.max=%d" % flow.STEP, "timestep.initial=0.5", "timestep.accuracy=0", "newton.tolerance_cnv=1e-3",
           "newton.tolerance_mb=1e-8"]
OUTPUT = {"grid": "ACTNUM\n 5*1 0 174*1 /\n", "solution": "RPTSOL\n RESTART=2 /\n", "controls": "RPTRST\n BASIC=2 /\n"}
LATE = "TSTEP\n 2*30 /\nWELOPEN\n P2 OPEN /\n/\nTSTEP\n 4*30 /\n"
DECKS = {
    "METRIC": flow.Deck(controls=flow.BASE["controls"].replace("P2 OPEN", "P2 SHUT"), schedule=LATE, add=OUTPUT),
    "FIELD": flow.Deck(
        runspec=flow.BASE["runspec"].replace("METRIC", "FIELD"),
        grid="DX\n 180*130 /\nDY\n 180*160 /\nDZ\n 60*20 60*30 60*25 /\nTOPS\n 60*6500 /\nPORO\n 180*0.2 /\nNTG\n 60*0.8 120*1 /\n"
             "PERMX\n 60*200 60*50 60*400 /\nCOPY\n PERMX PERMY /\n PERMX PERMZ /\n/\nMULTIPLY\n PERMZ 0.1 /\n PERMY 1.5 /\n/\n",
        props="DENSITY\n 53 63.7 0.06 /\nPVTW\n 2900 1.01 3E-6 0.5 0 /\n",
        pvdo="PVDO\n 1450 1.06 2.8\n 2900 1.05 3.0\n 5800 1.03 3.4 /\n", rock="ROCK\n 2900 3E-6 /\n",
        swof="SWOF\n 0.2 0 1 6\n 0.4 0.05 0.5 3\n 0.6 0.2 0.1 1\n 0.8 0.5 0 0 /\n", solution="EQUIL\n 6500 2900 6900 0 /\n",
        wells="WELSPECS\n I G 1 1 1* WATER /\n P1 G 10 6 1* OIL /\n P2 G 10 1 1* OIL /\n/\n"
              "COMPDAT\n I 2* 1 3 OPEN 2* 0.6 /\n P1 2* 1 3 OPEN 2* 0.6 /\n P2 2* 2 3 OPEN 2* 0.6 1* 2 /\n/\n",
        controls="WCONINJE\n I WATER OPEN RATE 2500 1* 8700 /\n/\n"
                 "WCONPROD\n P1 OPEN ORAT 950 4* 1100 /\n P2 OPEN LRAT 3* 1250 1* 1100 /\n/\n",
        schedule="TSTEP\n 6*30 /\n", add=OUTPUT)}
INIT = ("PORV", "DEPTH", "DX", "DY", "DZ", "PORO", "PERMX", "PERMY", "PERMZ", "NTG", "TRANX", "TRANY", "TRANZ", "EQLNUM",
        "PVTNUM", "SATNUM")
# relative, absolute: METRIC and FIELD
FIELDS = {"PRESSURE": (2e-3, {"METRIC": 0.4, "FIELD": 6.0}), "SWAT": (0.02, {"METRIC": 0.004, "FIELD": 0.004})}
VECTORS = {"TIME": 1e-6, "YEARS": 1e-6, "FOPR": 0.01, "FOPT": 0.005, "FWIT": 0.003, "FPR": 0.002, "WBHP:I": 0.004,
           "WBHP:P1": 0.006, "WOPR:P2": 0.02, "WWIT:I": 0.003}


def compare(what, options, theirs, mine, absolute, relative):
    """compareECL ends with an error where the two differ by more."""
    done = subprocess.run([COMPARE, *options, theirs, mine, repr(absolute), repr(relative)], capture_output=True, text=True)
    detail = "" if done.returncode == 0 else (done.stdout + done.stderr)[-300:]
    checks.true("%s: compareECL %s, %g, %g" % (what, " ".join(options), absolute, relative), done.returncode == 0, detail)


def formatted(path):
    """The arrays of a file by convertECL: {name: [values of its first occurrence, of its second, ...]}."""
    with open(path, "rb") as f:
        data = f.read()
    folder, name = os.path.split(path)
    copy = os.path.join(folder, "converted", name)
    os.makedirs(os.path.dirname(copy), exist_ok=True)
    with open(copy, "wb") as f:
        f.write(data)
    subprocess.run([CONVERT, copy], check=True, capture_output=True)
    stem, extension = os.path.splitext(copy)
    found, rest = {}, open(stem + ".F" + extension[1:]).read()
    for head in re.finditer(r"^ '(.{8})' +(\d+) '(\w{4})'\n((?: (?!'.{8}' +\d+ '\w{4}'\n).*\n)*)", rest, re.M):
        body = head.group(4)
        if head.group(3) == "CHAR":
            values = [v.rstrip() for v in re.findall(r"'(.{8})'", body)]
        else:
            values = [v == "T" if v in "TF" else float(v.replace("D", "E")) for v in body.split()]
        assert len(values) == int(head.group(2)), (path, head.group(1))
        found.setdefault(head.group(1).rstrip(), []).append(values)
    return found


def by_report(path):
    """The arrays that have an occurrence a report, counted from the last: Flow leaves the wells out of report 0."""
    arrays = formatted(path)
    last = len(arrays["SEQNUM"])
    return {name: dict(zip(range(last - len(values), last), values)) for name, values in arrays.items()}


def items(arrays, name, report, stride, wanted):
    """The wanted items of every well."""
    values = arrays[name][report]
    return [[values[start + n] for n in wanted] for start in range(0, len(values), stride)]


def packed(arrays, name, report, stride, wanted):
    """Those of every connection; behind a well's last one the simulators leave different room."""
    head, values, found = arrays["INTEHEAD"][report], arrays[name][report], []
    for w in range(int(head[16])):
        for q in range(int(arrays["IWEL"][report][int(head[24]) * w + 4])):
            start = stride * (int(head[17]) * w + q)
            found.append([values[start + n] for n in wanted])
    return found


def off(theirs, mine, floor=()):
    """The largest difference of two lists of rows, each item relative to its largest value, or to its floor."""
    worst = 0.0
    for n in range(len(theirs[0])):
        size = max([abs(row[n]) for row in theirs] + [floor[n] if floor else 1e-12])
        worst = max([worst] + [abs(x[n] - y[n]) / size for x, y in zip(theirs, mine)])
    return worst if len(theirs) == len(mine) else float("inf")


def heads_in_well(arrays, report):
    """Pressure at a connection less that at the well's reference depth, of open wells."""
    head, found = arrays["INTEHEAD"][report], []
    for w in range(int(head[16])):
        for q in range(int(arrays["IWEL"][report][int(head[24]) * w + 4])):
            if arrays["IWEL"][report][int(head[24]) * w + 10] > 0:
                pressure = arrays["XCON"][report][int(head[34]) * (int(head[17]) * w + q) + 34]
                found.append([pressure - arrays["XWEL"][report][int(head[26]) * w + 6]])
    return found


def compare_wells(name, theirs, mine, reports):
    """Who the wells are, what they do, and where they are connected."""
    a, b = by_report(theirs + ".UNRST"), by_report(mine + ".UNRST")
    field = 1.0 if name == "METRIC" else 6.0
    for r in range(1, reports):
        what = "%s, report %d: " % (name, r)
        same = (2, 8, 9, 10, 11, 14, 16, 24, 25, 26, 27, 32, 33, 34, 64, 65, 66, 68, 94, 206, 207, 410)
        checks.true(what + "INTEHEAD", a["SEQNUM"][r] == b["SEQNUM"][r] == [r] and
                    [a["INTEHEAD"][r][n] for n in same] == [b["INTEHEAD"][r][n] for n in same])
        checks.true(what + "ZWEL", a["ZWEL"][r] == b["ZWEL"][r])
        # head, layers, connections, group, type, a copy of the control in force, state, crossflow
        wells = [items(x, "IWEL", r, 155, (0, 1, 2, 3, 4, 5, 6, 8, 10, 22)) for x in (a, b)]
        checks.true(what + "IWEL", wells[0] == wells[1], "%s %s" % tuple(wells))
        places = [packed(x, "ICON", r, 25, (0, 1, 2, 3, 5, 13)) for x in (a, b)]
        checks.true(what + "ICON", places[0] == places[1] and len(places[0]) > 0)
        factors = [packed(x, "SCON", r, 41, (0, 1, 2, 3, 4)) for x in (a, b)]
        checks.between(what + "connection factor, depth, diameter, Kh, skin", off(*factors), 0.0, 1e-6)
        flows = [items(x, "XWEL", r, 130, (0, 1, 3, 6, 7, 18, 19, 23)) for x in (a, b)]
        floor = [100 * field, 100 * field, 100 * field, 1.0, 1.0, 1e4, 1e4, 1e4]
        checks.between(what + "rates, pressures, totals", off(*flows, floor), 0.0, 0.01)
        flows = [packed(x, "XCON", r, 58, (0, 1)) for x in (a, b)]
        checks.between(what + "rates of the connections", off(*flows), 0.0, 0.02)
        flows = [heads_in_well(x, r) for x in (a, b)]
        checks.between(what + "pressures at the connections above bhp", off(*flows), 0.0, 0.02)


def check_summary(name, r, mine):
    """OPM's summary reads what the CSV has."""
    for v in ("FOPR", "WBHP:P1", "WWCT:P2", "FWIT"):
        times, values = flow.vector_by_tool(mine, v)
        own = list(r.vector(v))
        size = max(map(abs, own)) or 1.0
        worst = max(abs(x - y) / size for x, y in zip(values, own))
        checks.true("%s: summary %s differs from the CSV by %.1e" % (name, v, worst),
                    len(values) == len(own) > 10 and worst < 1e-5 and abs(times[-1] - 180.0) < 1e-3)


def check_that_it_notices(theirs, mine, folder):
    """One changed number, and compareECL refuses: what it says above means something."""
    broken = os.path.join(folder, "BROKEN")
    for extension in (".EGRID", ".INIT", ".UNRST", ".SMSPEC", ".UNSMRY"):
        shutil.copy(mine + extension, broken + extension)
    with open(broken + ".UNRST", "r+b") as f:
        data = f.read()
        at = data.rindex(b"SWAT    ") + 24 + 4 * 60  # a cell of the last report
        f.seek(at)
        f.write(b"\x3f\x80\x00\x00")
    done = subprocess.run([COMPARE, "-k", "SWAT", theirs, broken, "0.004", "0.02"], capture_output=True, text=True)
    checks.true("compareECL notices one changed saturation", done.returncode != 0)


def check_egg(folder):
    """The real field's mesh and rock, where its deck is there; Flow writes them without a simulation."""
    path = runs.find_shared("data", "egg", "Egg_Model_ECL.DATA")
    if path is None:
        return
    out = os.path.join(folder, "egg.flow")
    subprocess.run([flow.FLOW, path, "--output-dir=" + out, "--enable-dry-run=true", "--threads-per-process=1"], check=True,
                   capture_output=True)
    runs.run(path, folder, ["output.eclipse=true", "report.times=[0.1]"], name="EGG", arguments=["--threads", "1"])
    theirs, mine = os.path.join(out, "EGG_MODEL_ECL"), os.path.join(folder, "EGG")
    compare("Egg", ["-t", "EGRID"], theirs, mine, 1e-3, 1e-6)
    for keyword in INIT:
        compare("Egg", ["-t", "INIT", "-k", keyword], theirs, mine, 1e-4, 2e-5)


with runs.folder() as folder:
    check_egg(folder)
    for name, deck in DECKS.items():
        path = os.path.join(folder, name + ".DATA")
        with open(path, "w") as f:
            f.write(deck.text())
        theirs = os.path.join(flow.run_flow(path, os.path.join(folder, name + ".flow")), name)
        r = runs.run(path, folder, OPTIONS, name=name)
        mine = os.path.join(folder, name)
        compare(name, ["-t", "EGRID"], theirs, mine, 1e-3, 1e-6)
        for keyword in INIT:
            compare(name, ["-t", "INIT", "-k", keyword], theirs, mine, 1e-4, 2e-6)
        for keyword, (relative, absolute) in FIELDS.items():
            compare(name, ["-t", "UNRST", "-k", keyword], theirs, mine, absolute[name], relative)
        for keyword, limit in VECTORS.items():
            compare(name, ["-t", "SMRY", "-d", "-k", keyword], theirs, mine, 1e-3, limit)
        compare_wells(name, theirs, mine, 7)
        check_summary(name, r, mine)
    check_that_it_notices(theirs, mine, folder)
sys.exit(checks.result())
