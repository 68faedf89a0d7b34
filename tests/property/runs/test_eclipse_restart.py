"""A deck with RESTART begins with a report step of a run of hepta's and goes on as that run does: with SKIPREST, and
without it, where the wells are the file's; from unified and single, unformatted and formatted files; wells by history,
under economic limits, aquifers, FIELD units. `hepta run --restart` goes on from it in turn to the last bit. Files that
do not fit, or are damaged, are refused with the reason."""
import os
import sys

import aquifers
import eclipse_files
import flow
import runs

checks = runs.Checks()
STEPS = ["timestep.max=1", "timestep.initial=0.5", "timestep.accuracy=0", "newton.tolerance_cnv=1e-4", "newton.tolerance_mb=1e-9",
         "output.eclipse=true", "output.restart=-1"]
WELLS = flow.BASE["wells"].replace("WELSPECS\n", "WELSPECS\n P3 G 5 1 1* OIL /\n H G 5 6 1* OIL /\n").replace(
    "COMPDAT\n", "COMPDAT\n P3 2* 1 3 OPEN 2* 0.2 1* 1.5 /\n H 2* 1 2 OPEN 2* 0.25 /\n")
CONTROLS = flow.BASE["controls"] + ("WCONHIST\n H OPEN RESV 20 5 /\n/\nWCONPROD\n P3 OPEN BHP 5* 190 /\n/\n"
                                    "COMPLUMP\n P2 2* 1 2 7 /\n/\nWECON\n P2 2* 0.012 2* CON /\n P3 2* 0.05 2* WELL /\n/\nWEFAC\n P1 0.9 /\n/\n")
AFTER = "WELTARG\n P1 ORAT 100 /\n/\nTSTEP\n 2*30 /\nWELOPEN\n P3 OPEN /\n/\nWECON\n P3 /\n/\nTSTEP\n 2*30 /\n"
DECK = flow.Deck(wells=WELLS, controls=CONTROLS, schedule="TSTEP\n 3*30 /\nWELTARG\n I WRAT 300 /\n/\nTSTEP\n 3*30 /\n" + AFTER,
                 summary=flow.BASE["summary"] + "FOE\nFWCT\n", step=1)
BEFORE = 6  # report steps, 180 days
LONGER = ["--set", "timestep.max=3"]


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "wb" if isinstance(text, bytes) else "w") as f:
        f.write(text)
    return path


def run(folder, name, text, more=()):
    r = runs.run(write(folder, name + ".DATA", text), folder, STEPS, name=name, arguments=list(more))
    checks.true(name + ": mass balance", max(r.mass_balance_errors()) < 1e-6, r.mass_balance_errors())
    return r


def agrees(what, one, other, days, limit=3e-3):
    """Vectors of `one` are those of the other at these days."""
    vectors = [v for v in one.summary if v not in ("TIME", "FMBE") and not isinstance(one.vector(v), list) and v in other.summary]
    for v in vectors:
        size = max(abs(x) for x in other.vector(v)) or 1.0
        worst = max(abs(one.at(d, v) - other.at(d, v)) / size for d in days)
        checks.true("%s: %s differs by %.2g" % (what, v, worst), worst < limit)
    checks.true(what + ": vectors", len(vectors) > 8, vectors)


def refused(folder, what, deck, message):
    done = runs.hepta("check", write(folder, "BAD.DATA", deck))
    checks.true(what, done.returncode == 2 and message in done.stderr.replace("\n", " "), (done.returncode, done.stderr))


def sound(folder):
    whole = run(folder, "WHOLE", DECK.text())
    days = (210, 240, 270, 300)
    text = flow.later(DECK, "WHOLE", BEFORE)
    with_skip = run(folder, "LATER", text)
    agrees("SKIPREST", with_skip, whole, days)
    checks.true("it begins at the report", abs(with_skip.times[0] - 180) < 1e-9 and with_skip.vector("TIME")[0] > 180)
    before, first = whole.at(180, "FOPT"), with_skip.vector("FOPT")[0]
    checks.true("totals go on", before < first < before + 2 * whole.at(180, "FOPR"), (before, first))
    for name, limit in (("pressure", 50.0), ("sw", 1e-7)):
        off = abs(with_skip.field(name, 0) - whole.field(name, BEFORE)).max()
        checks.true("%s of the start is off by %g" % (name, off), off <= limit)
    shut = [v[-1] for v in (whole.vector("WOPR:P3"), with_skip.vector("WOPR:P3"))]
    checks.true("P3 flows again at the end", min(shut) > 0.0, shut)
    checks.true("P3 was shut by its limit, and stays shut", whole.at(210, "WOPR:P3") == 0.0 == with_skip.at(210, "WOPR:P3"))
    checks.true("that is noted", all("well %s has been shut by a limit" % w in with_skip.stderr for w in ("P2", "P3")),
                with_skip.stderr)
    from_file = run(folder, "FORECAST", flow.forecast(DECK, "WHOLE", BEFORE, "TUNING\n 0.5 1 /\n/\n/\n" + AFTER))
    agrees("the file's wells", from_file, with_skip, days, 1e-4)

    chained = flow.later(DECK, "LATER", BEFORE + 2)
    agrees("from a run that began so", run(folder, "CHAINED", chained), whole, (270, 300))
    for kind, base in (("SKIPREST", "LATER"), ("the file's wells", "FORECAST")):
        again = os.path.join(folder, base + "-again")
        options = [w for s in STEPS for w in ("--set", s)]
        done = runs.hepta("run", os.path.join(folder, base + ".DATA"), "-o", again, "-q", "--restart",
                          "%s:%d" % (os.path.join(folder, base), with_skip.steps[2]), *options)
        mine, theirs = runs.datasets(again + ".h5"), runs.datasets(os.path.join(folder, base + ".h5"))
        checks.true(kind + ": --restart goes on from it to the last bit",
                    done.returncode == 0 and len(mine) > 2 and all(theirs[k] == v for k, v in mine.items()), done.stderr)
    return text


def kinds_of_files(folder, text):
    arrays = eclipse_files.read(os.path.join(folder, "WHOLE.UNRST"))
    single = eclipse_files.split(arrays)[BEFORE]
    later = runs.read_csv(os.path.join(folder, "LATER.summary.csv"))
    for name, ending, content in (("SINGLE", ".X%04d" % BEFORE, eclipse_files.binary(single)),
                                  ("TEXTS", ".FUNRST", eclipse_files.formatted(arrays)),
                                  ("TEXT", ".F%04d" % BEFORE, eclipse_files.formatted(single))):
        write(folder, name + ending, content)
        r = run(folder, name + "_RUN", text.replace("'WHOLE'", "'%s'" % name))
        checks.true(name + ": the same run", all(list(later[v]) == list(r.summary[v]) for v in later), name)
    write(folder, "BOTH.UNRST", b"not used")
    write(folder, "BOTH.FUNRST", eclipse_files.formatted(arrays))
    done = runs.hepta("check", write(folder, "FMT.DATA", text.replace("'WHOLE' %d" % BEFORE, "'BOTH' %d 1* FORMATTED" % BEFORE)))
    checks.true("FORMATTED", done.returncode == 0, done.stderr)
    checks.true("check says where it begins", "begins   at 180 day, with report step 6 of" in done.stdout, done.stdout)


def history(folder):
    """Wells by history whose bhp limits them at the report go on by their rates, with that limit, as long as they are by history."""
    wells = "WCONINJH\n I WATER OPEN %g /\n/\nWCONHIST\n P1 OPEN LRAT 250 5 /\n P2 OPEN RESV %g 5 /\n P3 OPEN RESV 1 0 /\n/\n"
    after = (wells % (380, 60) + "TSTEP\n 30 /\n" + wells % (100, 200) + "TSTEP\n 30 /\nWCONINJE\n I WATER OPEN RATE 500 1* 290 /\n/\nTSTEP\n 30 /\n"
             + "WCONPROD\n P1 OPEN LRAT 3* 200 /\n P2 OPEN LRAT 3* 200 /\n/\nGCONPROD\n FIELD LRAT 3* 150 /\n/\n" + "TSTEP\n 30 /\n")
    deck = flow.Deck(wells=WELLS, controls=wells % (400, 300), step=1,
                     schedule="TSTEP\n 30 /\nWELTARG\n I BHP 212 /\n P1 BHP 195 /\n P2 BHP 199 /\n/\nTSTEP\n 2*30 /\n" + after)
    whole = run(folder, "H_WHOLE", deck.text(), LONGER)
    limited = [abs(whole.at(90, "WBHP:" + w) - p) < 1e-6 for w, p in (("I", 212), ("P1", 195), ("P2", 199))]
    checks.true("history: all are at their bhp at the report", all(limited), limited)
    days = (120, 150, 180, 210)
    agrees("history, the file's wells", run(folder, "H_FILE", flow.forecast(deck, "H_WHOLE", 3, after), LONGER), whole, days)


def of_regions(folder):
    """Thresholds that THPRES leaves to the start, and what ROE counts from, are the file's."""
    start = "EQUIL\n 2000 200 2100 0 /\n 2000 212 2100 0 /\n"
    deck = flow.Deck(tabdims="TABDIMS\n 1 1 30 30 5 /\nEQLDIMS\n 2 /\nEQLOPTS\n THPRES /\n", regions="EQLNUM\n 90*1 90*2 /\nFIPNUM\n 90*1 90*2 /\n",
                     solution=start + "THPRES\n 1 2 /\n/\n", add={"summary": "ROE\n/\nRPR\n/\n"}, schedule="TSTEP\n 4*30 /\n",
                     controls="WCONINJE\n I WATER OPEN RATE 40 1* 600 /\n/\nWCONPROD\n P1 OPEN ORAT 20 4* 80 /\n P2 OPEN LRAT 3* 20 1* 80 /\n/\n")
    whole = run(folder, "R_WHOLE", deck.text(), LONGER)
    later = flow.later(deck, "R_WHOLE", 2, "THPRES\n 1 2 /\n/\n")
    agrees("regions", run(folder, "R_LATER", later, LONGER), whole, (90, 120))
    agrees("regions, again", run(folder, "R_AGAIN", later.replace("'R_WHOLE' 2", "'R_LATER' 3"), LONGER), whole, (120,))
    held = next(v for n, _, v in eclipse_files.read(os.path.join(folder, "R_WHOLE.UNRST")) if n == "THRESHPR")
    checks.true("the threshold is that of the start", held[0] == held[3] == 0.0 and abs(held[1] - 12.0) < 0.01 and held[2] == held[1], held)


def of_aquifers(folder):
    for name, deck in (("ct", aquifers.carter_tracy()), ("fetkovich", aquifers.fetkovich()), ("field", aquifers.field_units()),
                       ("flux", aquifers.flux()))[::runs.every(1, 2)]:
        whole = run(folder, "A_" + name.upper(), deck.text())
        solution = deck.part["solution"]
        for kind, more in (("file", ""), ("deck", solution[solution.index("AQU"):])):
            text = flow.later(deck, "A_" + name.upper(), 5, more)
            agrees("aquifers of the %s, %s" % (kind, name), run(folder, "A_LATER", text), whole, (60, 80, 100))
        if name == "ct":
            refused(folder, "an aquifer that the file does not have", text.replace("AQUCT\n 1", "AQUCT\n 2").replace(
                "\n 1 1 1 1 6", "\n 2 1 1 1 6").replace("\n 1 2 6 1", "\n 2 2 6 1"), "aquifer 2 is not in")
    deck = aquifers.by_face()
    whole = run(folder, "A_CELLS", deck.text())
    later = run(folder, "A_LATER", flow.later(deck, "A_CELLS", 5))
    checks.true("totals of numerical aquifers are among them", "ANQT:4" in later.summary and abs(whole.at(50, "ANQT:4")) > 0.1 * abs(
        whole.at(100, "ANQT:4")), sorted(later.summary))
    agrees("numerical aquifers", later, whole, (60, 80, 100))


def wrong(folder, text):
    arrays = eclipse_files.read(os.path.join(folder, "WHOLE.UNRST"))
    refused(folder, "no file", text.replace("'WHOLE'", "'NONE'"), "there is none of NONE.UNRST, .X0006, .FUNRST")
    refused(folder, "no report", text.replace("'WHOLE' 6", "'WHOLE' 77"), "has no report step 77, of its 11 the first is 0 and the last is 10")
    refused(folder, "save file", text.replace("'WHOLE' 6", "'WHOLE' 6 SAVE"), "save files are not supported")
    other = text.replace("10 6 3 /\nOIL", "10 6 4 /\nOIL").replace("180*", "240*").replace("60*400", "120*400")
    refused(folder, "another grid", other, "its grid has 10 x 6 x 3 cells, this deck's 10 x 6 x 4")
    refused(folder, "another start", text.replace("1 JAN 2020", "1 JAN 2021"), "with START of this deck it would be another date")
    refused(folder, "the schedule ends before", text[:text.index("TSTEP")] + "TSTEP\n 30 /\n", "SCHEDULE ends at 30 day")
    refused(folder, "the schedule passes over", text.replace("TSTEP\n 3*30 /", "TSTEP\n 100 100 100 /", 1), "which SCHEDULE passes over")
    refused(folder, "SKIPREST comes late", text.replace("SKIPREST\n", "").replace("WCONINJE\n", "SKIPREST\nWCONINJE\n"),
            "SKIPREST: must stand before wells and steps")
    refused(folder, "two starts", text.replace("RESTART\n", "PRESSURE\n 180*200 /\nRESTART\n"), "RESTART and PRESSURE are both given")

    def changed(what, message, name, at, value):
        mine = [(n, k, list(v)) for n, k, v in arrays]
        for n, _, v in mine:
            if n == name:
                v[at] = value
        write(folder, "CHANGED.UNRST", eclipse_files.binary(mine))
        refused(folder, what, text.replace("'WHOLE'", "'CHANGED'").replace("SKIPREST\n", ""), message)

    changed("gas", "its phases are not oil and water alone", "INTEHEAD", 14, 7)
    gas = [(n, k, v[:14] + [7] + v[15:] if n == "INTEHEAD" else v) for n, k, v in arrays]
    three = text.replace("'WHOLE'", "'CHANGED'").replace("OIL\n", "OIL\nGAS\n", 1)
    for what, most, message in (("gas in the file", 0.25, "SGAS is 0.25 in a cell"), ("a trace of it", 1e-9, None)):
        mine = []
        for n, k, v in gas:  # the array of gas comes behind that of water
            mine += [(n, k, v)] + ([("SGAS", k, [0.0] * (len(v) - 1) + [most])] if n == "SWAT" else [])
        write(folder, "CHANGED.UNRST", eclipse_files.binary(mine))
        if message:
            refused(folder, what, three, message)
        else:
            write(folder, "THREE.DATA", three)
            done = runs.hepta("check", "THREE.DATA", where=folder)
            checks.true(what + " is none", done.returncode == 0, done.stderr)
    changed("units", "its units are not METRIC, FIELD or LAB", "INTEHEAD", 2, 4)
    changed("pressure", "cell (2,1,1): pressure -5 bar", "PRESSURE", 1, -5.0)
    changed("a gas injector", "well I injects neither water nor oil", "IWEL", 6 + 155 * arrays_well(arrays, "I"), 4)
    changed("a well of a group", "is under a group's target", "IWEL", 7, -1)
    changed("a connection outside", "outside the grid", "ICON", 1, 99)
    noted(folder, arrays, text)
    mine = [(n, k, v[:-1] if n == "SWAT" else v) for n, k, v in arrays]
    write(folder, "CHANGED.UNRST", eclipse_files.binary(mine))
    refused(folder, "fewer cells", text.replace("'WHOLE'", "'CHANGED'"), "179 values of SWAT, and this deck has 180 active cells")


def noted(folder, arrays, text):
    """A connection that the file has shut, and a well that it has and the deck has not."""
    mine = [(n, k, list(v)) for n, k, v in arrays]
    for n, _, v in mine:
        if n == "ICON":
            v[5 + 25 * 3 * arrays_well(arrays, "P1")] = 0
    write(folder, "CHANGED.UNRST", eclipse_files.binary(mine))
    fewer = text.replace(" H G 5 6 1* OIL /\n", "").replace(" H 2* 1 2 OPEN 2* 0.25 /\n", "").replace(
        "WCONHIST\n H OPEN RESV 20 5 /\n/\n", "")
    done = runs.hepta("check", write(folder, "NOTED.DATA", fewer.replace("'WHOLE'", "'CHANGED'")))
    checks.true("a connection that is shut", "connection (10,6,1) of well P1 has been shut by a limit" in done.stderr, done.stderr)
    checks.true("a well of the file alone", "H              2 perforations" in done.stdout, done.stdout + done.stderr)


def arrays_well(arrays, name):
    return next(v for n, _, v in arrays if n == "ZWEL")[::3].index(name)


def damaged(folder, text):
    with open(os.path.join(folder, "WHOLE.UNRST"), "rb") as f:
        data = f.read()
    deck = write(folder, "DAMAGED_RUN.DATA", text.replace("'WHOLE'", "'DAMAGED'").replace("SKIPREST\n", ""))
    size = len(data) // 11
    for n in range(0, 24, runs.every(1, 6)):
        at = 6 * size + n * size // 24
        for what, bad in (("cut", data[:at]), ("byte", data[:at] + bytes([data[at] ^ 0xd5]) + data[at + 1:])):
            write(folder, "DAMAGED.UNRST", bad)
            done = runs.hepta("check", deck)
            checks.true("%s at %d" % (what, at), done.returncode in (0, 2), (done.returncode, done.stderr))
            if what == "cut" and n < 23:
                checks.true("cut at %d is noticed" % at, "not a whole Eclipse file" in done.stderr or "has no" in done.stderr,
                            done.stderr)


with runs.folder() as where:
    skipping = sound(where)
    kinds_of_files(where, skipping)
    history(where)
    of_regions(where)
    of_aquifers(where)
    wrong(where, skipping)
    damaged(where, skipping)
sys.exit(checks.result())
