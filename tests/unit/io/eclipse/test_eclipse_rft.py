"""NAME.RFT: which logs of wells are there, as WRFT, WRFTPLT and output.rft ask; rates and pressures of a PLT against the summary's;
a deck that hepta import writes asks for the same ones; what is refused."""
import os
import sys

import eclipse_files
import flow
import runs

checks = runs.Checks()
OPTIONS = ["output.eclipse=true", "timestep.max=5", "timestep.initial=0.5"]
CONTROLS = flow.BASE["controls"].replace("P2 OPEN", "P2 SHUT") + "WRFTPLT\n P2 FOPN /\n P1 YES /\n/\n"
SCHEDULE = ("TSTEP\n 30 30 /\nWRFTPLT\n I YES NO /\n/\nWELOPEN\n P2 OPEN /\n/\nTSTEP\n 30 30 /\nWRFTPLT\n P1 NO NO /\n/\n"
            "WRFT\n I /\n/\nTSTEP\n 30 30 /\nWRFTPLT\n 'P*' NO REPT /\n/\nTSTEP\n 30 /\nWRFTPLT\n P1 TIMESTEP NO /\n/\nTSTEP\n 10 /\n")
DECK = flow.Deck(controls=CONTROLS, schedule=SCHEDULE, summary="WBHP\n/\nCOPR\n P1 /\n/\nCWPR\n P1 /\n/\nBPR\n 10 6 2 /\n/\nBWSAT\n 10 6 2 /\n/\n")
# Times, wells and pressures of the first cell that OPM Flow 2022.10 writes for this deck up to 150 days, with steps of 5 days at
# most, --tolerance-cnv=1e-3 and --tolerance-mb=1e-8; [bar].
FLOW = [(0, "P1", 200.318), (60, "I", 416.224), (60, "P2", 383.556), (120, "I", 446.319)]


def logs(path):
    """A dictionary for each log."""
    found = []
    for name, _, values in eclipse_files.read(path):
        if name == "TIME":
            found.append({})
        found[-1][name] = values
    return found


def heads(all_logs):
    return [(log["TIME"][0], log["WELLETC"][1], log["WELLETC"][5]) for log in all_logs]


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as f:
        f.write(text)
    return path


def check_plt(r, log):
    """The PLT of P1 at 180 days against vectors of connections."""
    for n in range(3):
        for array, vector in (("CONORAT", "COPR"), ("CONWRAT", "CWPR")):
            checks.near("%s of connection %d" % (array, n + 1), log[array][n], r.at(180, "%s:P1:10,6,%d" % (vector, n + 1)), 1e-5)
    checks.near("pressure in the well at its reference depth", log["CONPRES"][0], r.at(180, "WBHP:P1"), 1e-4)
    # a column of oil of some 820 kg/m3, 8 m high
    checks.between("pressure between connections, bar", log["CONPRES"][1] - log["CONPRES"][0], 0.6, 0.7)
    checks.true("chain of connections", log["CONNXT"] == [0, 1, 2] and log["CONGRAT"] == [0.0] * 3 and log["CONDEPTH"] == [2004.0, 2012.0, 2020.0])


with runs.folder() as folder:
    r = runs.run(write(folder, "A.DATA", DECK.text()), folder, OPTIONS, name="A")
    found = logs(os.path.join(folder, "A.RFT"))
    checks.true("logs", heads(found) == [(t, w, "R") for t, w, _ in FLOW] + [
        (180, "P1", "P"), (180, "P2", "P"), (210, "P1", "R"), (210, "P2", "P"), (215, "P1", "R"), (220, "P1", "R"), (220, "P2", "P")], heads(found))
    for log, (day, well, pressure) in zip(found, FLOW):
        checks.near("pressure at %s after %d days" % (well, day), log["PRESSURE"][0], pressure, 1.0)
    checks.true("arrays", [list(log) for log in found[3:5]] == [
        ["TIME", "DATE", "WELLETC", "CONIPOS", "CONJPOS", "CONKPOS", "HOSTGRID", "DEPTH", "PRESSURE", "SWAT", "SGAS"],
        ["TIME", "DATE", "WELLETC", "CONIPOS", "CONJPOS", "CONKPOS", "HOSTGRID", "CONDEPTH", "CONPRES", "CONORAT", "CONWRAT", "CONGRAT", "CONFAC", "CONKH",
         "CONNXT"]])
    checks.true("date, places", found[4]["DATE"] == [29, 6, 2020] and found[4]["CONIPOS"] == [10] * 3 and found[4]["CONJPOS"] == [6] * 3
                and found[4]["CONKPOS"] == [1, 2, 3])
    checks.near("pressure of a cell", found[6]["PRESSURE"][1], r.at(210, "BPR:10,6,2"), 1e-4)
    checks.near("saturation of a cell", found[6]["SWAT"][1], r.at(210, "BWSAT:10,6,2"), 1e-6)
    check_plt(r, found[4])

    done = runs.hepta("import", os.path.join(folder, "A.DATA"), "-o", os.path.join(folder, "own.cfg"))
    checks.true("import", done.returncode == 0, done.stderr)
    runs.run(os.path.join(folder, "own.cfg"), folder, OPTIONS, name="OWN")
    with open(os.path.join(folder, "A.RFT"), "rb") as one, open(os.path.join(folder, "OWN.RFT"), "rb") as other:
        checks.true("the imported deck's file is the same", one.read() == other.read())

    runs.run(os.path.join(folder, "own.cfg"), folder, OPTIONS + ["output.rft=({ well = \"P*\"; time = 45.0; data = \"both\"; when = \"once\"; }, { well = [\"I\"]; })"],
             name="B")
    found = heads(logs(os.path.join(folder, "B.RFT")))
    checks.true("by --set", found == sorted([(45, w, "RP") for w in ("P1", "P2")] + [(d, "I", "R") for d in (0, 30, 60, 90, 120, 150, 180, 210, 220)]), found)

    nulls = flow.Deck(controls=flow.BASE["controls"].replace("P2 OPEN", "P2 SHUT") + "WRFT\n/\n", schedule="TSTEP\n 5 5 /\nWELOPEN\n P2 OPEN /\n/\nTSTEP\n 5 /\n")
    runs.run(write(folder, "C.DATA", nulls.text()), folder, OPTIONS, name="C")
    checks.true("WRFT without wells: of those that open later", heads(logs(os.path.join(folder, "C.RFT"))) == [(10, "P2", "R")])

    done = runs.hepta("check", os.path.join(folder, "A.DATA"))
    checks.true("a note without output.eclipse", done.returncode == 0 and "output.eclipse" in done.stderr + done.stdout, done.stderr)
    for entry, why in (("{ well = \"Q\"; }", "'Q': no such well"), ("{ data = \"rft\"; }", "well is missing"),
                       ("{ well = \"P1\"; when = \"often\"; }", "output.rft[0].when"), ("{ well = \"P1\"; time = -1.0; }", "output.rft[0].time")):
        done = runs.hepta("check", os.path.join(folder, "own.cfg"), "--set", "output.rft=(%s)" % entry)
        checks.true(entry, done.returncode == 2 and why in done.stderr, done.stderr)

sys.exit(checks.result())
