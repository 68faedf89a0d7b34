"""Small decks after faults that users of such simulators have reported: wells that are opened again, limits that come and go,
contacts within a cell, cells next to nothing, targets of 0, steps of a second. What is right follows from the deck, or from
another deck that says the same."""
import math
import os
import re
import sys

import runs

checks = runs.Checks()
BASE = {
    "runspec": "DIMENS\n 5 1 3 /\nOIL\nWATER\nMETRIC\nSTART\n 1 JAN 2020 /\n",
    "grid": "DX\n 15*100 /\nDY\n 15*100 /\nDZ\n 15*10 /\nTOPS\n 5*2000 /\nPORO\n 15*0.2 /\nPERMX\n 15*200 /\nCOPY\n PERMX PERMY /\n PERMX PERMZ /\n/\n",
    "edit": "", "regions": "",
    "props": "DENSITY\n 850 1020 1 /\nPVTW\n 200 1.01 4.5E-5 0.5 0 /\nPVCDO\n 200 1.2 1E-4 2 0 /\nROCK\n 200 5E-5 /\n"
             "SWOF\n 0.2 0 1 0\n 0.4 0.05 0.5 0\n 0.8 0.5 0 0 /\n",
    "solution": "EQUIL\n 2000 200 2100 0 /\n",
    "summary": "FVPR\nFVIR\nFOIP\nFWIP\n",
    "wells": "WELSPECS\n I G 1 1 1* WATER /\n P G 5 1 1* OIL /\n/\nCOMPDAT\n I 2* 1 3 OPEN 2* 0.2 /\n P 2* 1 3 OPEN 2* 0.2 /\n/\n",
    "controls": "WCONINJE\n I WATER OPEN RATE 50 1* 400 /\n/\nWCONPROD\n P OPEN BHP 5* 150 /\n/\n",
    "schedule": "TSTEP\n 3*30 /\n",
}


def text(**parts):
    p = {**BASE, **parts}
    return ("RUNSPEC\n" + p["runspec"] + "GRID\n" + p["grid"] + ("EDIT\n" + p["edit"] if p["edit"] else "") + "PROPS\n" + p["props"]
            + ("REGIONS\n" + p["regions"] if p["regions"] else "") + "SOLUTION\n" + p["solution"] + "SUMMARY\n" + p["summary"]
            + "SCHEDULE\n" + p["wells"] + p["controls"] + p["schedule"])


def run(name, settings=(), **parts):
    path = os.path.join(folder, name.upper().replace(" ", "_") + ".DATA")
    with open(path, "w") as f:
        f.write(text(**parts))
    r = runs.run(path, folder, settings)
    checks.true(name + ": mass balance", max(r.mass_balance_errors()) < 1e-6, r.mass_balance_errors())
    return r


def same(name, a, b, *vectors):
    for v in vectors:
        x, y = a.vector(v)[-1], b.vector(v)[-1]
        checks.true("%s: %s %.9g, %.9g" % (name, v, x, y), abs(x - y) <= 1e-9 * abs(y))


NO_CROSSFLOW = BASE["wells"].replace("1* WATER /", "1* WATER 3* NO /").replace("1* OIL /", "1* OIL 3* NO /")
SHUT = "COMPDAT\n I 2* 1 3 OPEN 2* 0.2 /\n P 2* 1 3 SHUT 2* 0.2 /\n/\n"


def opened_in_both_orders():
    wells = BASE["wells"][:BASE["wells"].index("COMPDAT")] + SHUT
    second = "TSTEP\n 30 /\nWELOPEN\n%s/\nTSTEP\n 2*30 /\n"
    a = run("well first", wells=wells, schedule=second % " P OPEN /\n P OPEN 0 0 2 /\n")
    b = run("connection first", wells=wells, schedule=second % " P OPEN 0 0 2 /\n P OPEN /\n")
    c = run("by compdat", wells=wells, schedule="TSTEP\n 30 /\nCOMPDAT\n P 2* 2 2 OPEN 2* 0.2 /\n/\nWCONPROD\n P OPEN BHP 5* 150 /\n/\nTSTEP\n 2*30 /\n")
    checks.true("opened again: it flows", a.vector("FOPT")[-1] > 100.0 and a.at(30, "FOPT") == 0.0, a.vector("FOPT"))
    same("opened again, other order", b, a, "FOPT", "FPR")
    same("opened again by COMPDAT", c, a, "FOPT", "FPR")


def opened_with_a_target():
    r = run("resv 0", wells=NO_CROSSFLOW, controls="WCONPROD\n P SHUT RESV 4* 0 50 /\n/\n",
            schedule="TSTEP\n 30 /\nWELOPEN\n P OPEN /\n/\nWELTARG\n P RESV 20 /\n/\nTSTEP\n 2*10 /\n")
    checks.near("a target of 0, then 20: reservoir volume", r.vector("FVPR")[-1], 20.0, 0.02)


def limits_come_and_go():
    r = run("by bhp", wells=NO_CROSSFLOW, controls="WCONINJE\n I WATER OPEN BHP 2* 220 /\n/\n")
    checks.true("an injector by bhp alone, without crossflow, injects", r.vector("FWIT")[-1] > 100.0)
    r = run("injector below", wells=NO_CROSSFLOW, controls="WCONINJE\n I WATER OPEN BHP 2* 100 /\n/\n")
    checks.true("an injector below the pressure does nothing", r.vector("FWIT")[-1] == 0.0 and r.vector("FWPT")[-1] == 0.0)
    checks.near("and the pressure stays", r.vector("FPR")[-1], r.vector("FPR")[0], 1e-6)
    r = run("producer above", wells=NO_CROSSFLOW, controls="WCONPROD\n P OPEN BHP 5* 190 /\n/\n",
            schedule="TSTEP\n 30 /\nWELTARG\n P BHP 250 /\n/\nTSTEP\n 30 /\nWELTARG\n P BHP 150 /\n/\nTSTEP\n 30 /\n")
    checks.true("a producer above the pressure waits", r.at(60, "FOPT") == r.at(30, "FOPT") and r.at(60, "FWIT") == 0.0)
    checks.true("and flows again", r.at(90, "FOPT") > r.at(60, "FOPT") + 100.0)
    r = run("injector again", wells=NO_CROSSFLOW, controls="WCONINJE\n I WATER OPEN RATE 2000 1* 210 /\n/\nWCONPROD\n P SHUT BHP 5* 150 /\n/\n",
            schedule="TSTEP\n 100 /\nWELOPEN\n P OPEN /\n/\nTSTEP\n 30 /\n")
    checks.true("an injector at its limit injects again", r.vector("FWIR")[-1] > 10 * max(1e-9, r.at(100, "FWIR")), r.vector("FWIR"))


def targets_of_the_field():
    limits = "WCONPROD\n P OPEN BHP 5* 20 /\n/\nGCONPROD\n FIELD LRAT 1000 1* 1* 900 RATE 6* 30 /\n/\n"
    r = run("reservoir volume", controls=limits)
    checks.near("GCONPROD: the reservoir volume limits it", max(r.vector("FVPR")), 30.0, 0.03)
    r = run("field 0", controls="WCONPROD\n P OPEN BHP 5* 20 /\n/\nGCONPROD\n FIELD ORAT 0 /\n/\n",
            schedule="TSTEP\n 30 /\nGCONPROD\n FIELD ORAT 25 /\n/\nTSTEP\n 30 /\n")
    checks.true("a target of 0: nothing", r.at(30, "FOPT") < 1e-6, r.at(30, "FOPT"))
    checks.near("then 25", r.vector("FOPR")[-1], 25.0, 1e-3)
    r = run("efficiency", controls="WCONPROD\n P OPEN BHP 5* 20 /\n/\nWEFAC\n P 0.5 /\n/\nGCONPROD\n FIELD ORAT 20 /\n/\n")
    checks.near("efficiency: the field has its target", r.vector("FOPR")[-1], 20.0, 1e-3)
    checks.near("efficiency: the total is what the field makes", r.vector("FOPT")[-1], 1800.0, 0.1)


def month_without_wells():
    pc = BASE["props"].replace("0.2 0 1 0\n 0.4 0.05 0.5 0", "0.2 0 1 2\n 0.4 0.05 0.5 0.4")
    r = run("no wells", props=pc, solution="EQUIL\n 2000 200 2015 0 /\n", wells="", controls="", schedule="TSTEP\n 31 /\n")
    checks.near("no wells: oil stays", r.vector("FOIP")[-1], r.vector("FOIP")[0], 1e-6 * r.vector("FOIP")[0])
    checks.true("no wells: steps are not cut", len(r.vector("TIME")) < 15 and "0 cuts" in r.stdout, len(r.vector("TIME")))


def contact_within_a_cell():
    """pc is linear in s, and heights above the contact in pc: the mean saturation is an integral in closed form."""
    top, size, contact, high = 2000.0, 50.0, 2030.0, 0.3
    props = BASE["props"].replace("0.2 0 1 0\n 0.4 0.05 0.5 0\n 0.8 0.5 0 0", "0.2 0 1 %g\n 0.9 0.5 0 0" % high)
    rise = high * 1e5 / ((1020 / 1.01 - 850 / 1.2) * 9.80665)  # [m] from the contact to connate water
    mean = (0.9 * (top + size - contact) + 0.2 * max(0.0, contact - rise - top) + 0.55 * min(rise, contact - top)) / size
    for accuracy, limit in ((-20, 0.01), (-5, 0.02)):
        r = run("contact %d" % -accuracy, props=props, runspec=BASE["runspec"].replace("5 1 3", "1 1 1"), wells="", controls="",
                grid="DX\n 100 /\nDY\n 100 /\nDZ\n %g /\nTOPS\n %g /\nPORO\n 0.2 /\nPERMX\n 1 /\nPERMY\n 1 /\nPERMZ\n 1 /\n" % (size, top),
                solution="EQUIL\n %g 200 %g 0 4* %d /\n" % (contact, contact, accuracy), schedule="TSTEP\n 1 /\n")
        checks.near("contact within a cell, %d" % accuracy, r.field("sw", 0)[0][0][0], mean, limit)


def next_to_nothing():
    a = run("plain")
    b = run("tiny", edit="MULTPV\n 7*1 1E-7 7*1 /\n", grid=BASE["grid"] + "MINPV\n 1E-6 /\n")
    checks.true("a cell of 1e-7: nothing stops it", "0 cuts" in b.stdout and abs(b.vector("FOPT")[-1] / a.vector("FOPT")[-1] - 1) < 0.1)
    run("huge", edit="EQUALS\n PORV 1E12 3 3 1 1 3 3 /\n/\n")
    tiny = run("tiny steps", schedule="TUNING\n 1* 5 0.1 /\n/\n/\nTSTEP\n 1E-5 2E-5 89.99997 /\n")
    checks.true("steps below the shortest one", abs(tiny.vector("TIME")[0] - 1e-5) < 1e-12 and abs(tiny.vector("TIME")[-1] - 90) < 1e-9)


def seconds():
    dates = "DATES\n 1 JAN 2020 06:00:00 /\n 1 JAN 2020 06:00:01 /\n 1 JAN 2020 18:00:00 /\n 2 JAN 2050 /\n 2 JAN 2050 01:00:00 /\n/\n"
    r = run("seconds", controls="WCONPROD\n P OPEN ORAT 0.1 4* 20 /\n/\n", schedule=dates, settings=["timestep.max=1000"])
    day = [t for t in r.times[1:]]
    right = [0.25, 0.25 + 1 / 86400, 0.75, 10959.0, 10959 + 1 / 24]
    checks.true("reports within a day", max(abs(a - b) for a, b in zip(day, right)) < 1e-9 and len(day) == 5, day)


def written_as_people_write():
    plain = run("clean", grid=BASE["grid"] + "MULTX\n 15*0.5 /\n", edit="MULTX\n 15*0.02 /\n")
    equals = "EQUALS\n 'multx   ' 0.1 1 5 1 1 1 3 / text\n MULTX 0.02 / -- it's the last that counts\n/\n"
    r = run("habits", grid=BASE["grid"] + "multx\n 15*0.5 / text\n", edit=equals, schedule="TSTEP\t-- three\n 30,30 30 / // text\n")
    same("MULTX of EDIT times that of GRID, quotes and commas", r, plain, "FOPT", "FWIT", "FPR")
    a = run("porv first", edit="PORV\n 15*15000 /\nMULTPV\n 15*2 /\n")
    b = run("multpv first", edit="MULTPV\n 15*2 /\nPORV\n 15*15000 /\n")
    c = run("porv alone", edit="PORV\n 15*30000 /\n")
    same("MULTPV multiplies PORV", a, c, "FOPT", "FPR")
    same("in both orders", b, c, "FOPT", "FPR")
    pairs = "NNC\n 1 1 1 5 1 1 2 /\n%s/\n"
    a = run("nnc", grid=BASE["grid"] + pairs % " 5 1 1 1 1 1 3 /\n", edit="EDITNNC\n 5 1 1 1 1 1 0.5 /\n/\n")
    b = run("nnc once", grid=BASE["grid"] + "NNC\n 1 1 1 5 1 1 2.5 /\n/\n")
    same("NNC of a pair in both orders", a, b, "FOPT", "FWIT", "FPR")
    for name, ending in (("bom", "\r\n"), ("tabs", "\t\n")):
        with open(os.path.join(folder, "W.INC"), "wb") as f:
            f.write(b"\xef\xbb\xbf" + BASE["wells"].replace("\n", ending).encode().rstrip() + b"\x1a")
        same("an include with " + name, run("include " + name, wells="INCLUDE\n W.INC /\n"), run("plain " + name), "FOPT")


def history_of_nothing():
    """RESV of rates of 0 is 0; of others it is their volume, at a pressure that the well itself changes by little."""
    r = run("history", wells=NO_CROSSFLOW, controls="WCONHIST\n P OPEN RESV 0 0 0 /\n/\n",
            schedule="TSTEP\n 30 /\nWCONHIST\n P OPEN RESV 4 2 500 /\n/\nTSTEP\n 4*5 /\n")
    checks.true("history of nothing: nothing flows", r.at(30, "FVPR") < 1e-9, r.at(30, "FVPR"))
    p = r.vector("FPR")[-1]
    volume = 4 * 1.2 * math.exp(-1e-4 * (p - 200)) + 2 * 1.01 * math.exp(-4.5e-5 * (p - 200))
    checks.near("history: reservoir volume", r.vector("FVPR")[-1], volume, 0.005 * volume)


def steps_as_tuned():
    r = run("tuning", settings=["timestep.accuracy=0"], controls="WCONPROD\n P OPEN ORAT 1 4* 20 /\n/\n",
            schedule="TUNING\n 1 5 0.01 /\n/\n/\nTSTEP\n 30 30 /\nTUNING\n 2 /\n/\n/\nTSTEP\n 30 /\n")
    t = [0.0, *r.vector("TIME")]
    after = {day: t[t.index(day) + 1] - day for day in (0.0, 30.0, 60.0)}
    checks.true("TUNING: the next step is set once at a time", abs(after[0.0] - 1) < 1e-9 and after[30.0] > 2.5 and abs(after[60.0] - 2) < 1e-9, after)
    checks.true("TUNING: the longest step holds on", max(b - a for a, b in zip(t, t[1:])) < 5 + 1e-9)


def connection_factors():
    """Kh as the cell has it changes nothing; half the factor is half the rate, as long as pressures are the same."""
    short = {"controls": "WCONPROD\n P OPEN BHP 5* 195 /\n/\n", "schedule": "TSTEP\n 1E-4 /\n"}
    slanted = "COMPDAT\n I 2* 1 3 OPEN 2* 0.2 /\n P 2* 1 3 OPEN 2* 0.2 %s 1 1* Y /\n/\n"
    head = BASE["wells"][:BASE["wells"].index("COMPDAT")]
    a = run("factor", wells=head + slanted % "1*", **short)
    b = run("kh", wells=head + slanted % "20000", **short)
    c = run("no kh", wells=head + slanted % "-1", **short)
    d = run("half", wells=head + slanted % "1*" + "WPIMULT\n P 0.5 /\n/\n", **short)
    same("Kh of the cell", b, a, "FOPT")
    same("Kh below 0", c, a, "FOPT")
    checks.near("WPIMULT 0.5", d.vector("FOPT")[-1] / a.vector("FOPT")[-1], 0.5, 0.01)


def deep_aquifer():
    aquifer = "AQUNUM\n 1 5 1 3 1E4 1000 0.2 200 3000 /\n/\nAQUCON\n 1 1 1 1 1 3 3 J- /\n/\n"
    r = run("deep aquifer", grid=BASE["grid"] + aquifer, wells="", controls="", schedule="TSTEP\n 100 /\n")
    checks.near("an aquifer 1000 m below is at rest", r.vector("FPR")[-1], r.vector("FPR")[0], 1e-4)


def lab_hours():
    lab = (BASE["runspec"].replace("METRIC", "LAB"), "DX\n 5*10 /\nDY\n 5*4 /\nDZ\n 5*4 /\nTOPS\n 5*0 /\nPORO\n 5*0.2 /\nPERMX\n 5*500 /\n"
           "PERMY\n 5*500 /\nPERMZ\n 5*500 /\n")
    r = run("lab", runspec=lab[0].replace("5 1 3", "5 1 1"), grid=lab[1],
            props="DENSITY\n 0.85 1.02 0.001 /\nPVTW\n 1 1 4.5E-5 0.5 0 /\nPVCDO\n 1 1 1E-4 2 0 /\nSWOF\n 0.2 0 1 0\n 0.8 0.5 0 0 /\n",
            solution="PRESSURE\n 5*10 /\nSWAT\n 5*0.2 /\n", wells="WELSPECS\n I G 1 1 1* WATER /\n P G 5 1 1* OIL /\n/\n"
            "COMPDAT\n I 2* 1 1 OPEN 2* 0.2 /\n P 2* 1 1 OPEN 2* 0.2 /\n/\n",
            controls="WCONINJE\n I WATER OPEN RATE 6 /\n/\nWCONPROD\n P OPEN BHP 5* 10 /\n/\n", schedule="TSTEP\n 2*3 /\n")
    checks.near("LAB: six hours", r.vector("TIME")[-1], 6.0, 1e-9)
    checks.near("LAB: cc of six hours", r.vector("FWIT")[-1], 36.0, 1e-6)


def thresholds_of_one_direction():
    """THPRES with IRREVERS: 5 bar from region 1 to region 2 alone. The regions start 3 bar apart."""
    two = {"runspec": BASE["runspec"] + "EQLDIMS\n 2 /\nEQLOPTS\n THPRES IRREVERS /\n", "regions": "EQLNUM\n 3*1 2*2 3*1 2*2 3*1 2*2 /\n",
           "wells": "", "controls": "", "schedule": "TSTEP\n 20 /\n"}
    start = "EQUIL\n 2000 %d 2100 0 /\n 2000 %d 2100 0 /\n/\nTHPRES\n%s/\n"
    for name, pressures, records, flows in (("held", (203, 200), " 1 2 5 /\n", False), ("back", (200, 203), " 1 2 5 /\n", True),
                                            ("by its start", (203, 200), " 1 2 /\n", False), ("free", (203, 200), " 2 1 5 /\n", True),
                                            ("both", (200, 203), " 1 2 1 /\n 2 1 5 /\n", False)):
        r = run("one way " + name, solution=start % (*pressures, records), **two)
        moved = abs(r.field("pressure")[0][0][0] - r.field("pressure", 0)[0][0][0]) / 1e5
        checks.true("a threshold of one direction, %s: %g bar" % (name, moved), (moved > 0.5) == flows and (flows or moved < 1e-6))
        own = os.path.join(folder, name.replace(" ", "_") + ".cfg")
        done = runs.hepta("import", os.path.join(folder, ("one way " + name).upper().replace(" ", "_") + ".DATA"), "-o", own)
        checks.true("import", done.returncode == 0, done.stderr)
        checks.true("imported, the same", (runs.run(own, folder).field("pressure") == r.field("pressure")).all())
    said = runs.hepta("check", own).stdout
    checks.true("check lists both directions", "from region 1 to 2: 1 bar" in said and "from region 2 to 1: 5 bar" in said, said)


def rates_cut_back():
    """WCUTBACK whose limit is not reached has no effect; where it is reached, the run ends with the well, the water cut and the limit."""
    limits = BASE["controls"] + "WCUTBACK\n P %s 3* 0.8 LIQ /\n/\n"
    flood = {"schedule": "TSTEP\n 10*300 /\n", "props": BASE["props"].replace("0.8 0.5 0 0", "0.8 0.9 0 0")}
    plain = run("no cutback", **flood)
    cut = max(plain.vector("FWCT"))
    checks.true("water breaks through", cut > 0.3, cut)
    same("a cutback that is not reached", run("cutback far", **{**flood, "controls": limits % (0.5 + 0.5 * cut)}), plain, "FOPT", "FWPT", "FPR")
    same("a cutback without limit", run("cutback none", **{**flood, "controls": limits % "1*"}), plain, "FOPT", "FWPT")
    shut = {**flood, "controls": limits % 0.3 + "WECON\n P 2* 0.2 2* WELL /\n/\n"}
    checks.true("WECON before it shuts the well", run("cutback economy", **shut).vector("FOPR")[-1] == 0.0)
    path = os.path.join(folder, "CUTBACK.DATA")
    for controls in (limits % 0.3, "WECON\n P 2* 0.9 2* WELL /\n/\n" + limits % 0.3):
        with open(path, "w") as f:
            f.write(text(**{**flood, "controls": controls}))
        done = runs.hepta("run", path, "-o", os.path.join(folder, "cutback"))
        checks.true("a cutback that is reached", done.returncode == 1 and re.search(r"well P: water cut 0\.3\d* above 0\.3, where the run is to end", done.stderr)
                    and "rates are not cut back" in done.stderr, (done.returncode, done.stderr))


def next_to_immobile():
    """Rows of 1e-7 are no flow where the end points of a table are looked for: scaled, the table is that with 0 there."""
    rows = "0.2 0 1 0\n 0.4 0.05 0.5 0\n 0.8 0.5 0 0 /"
    flood = {"runspec": BASE["runspec"] + "ENDSCALE\n/\n", "schedule": "TSTEP\n 10*300 /\n", "controls": BASE["controls"].replace("RATE 50", "RATE 150")}
    swof = "0.2 0 1 0\n 0.25 %s 0.9 0\n 0.4 0.05 0.5 0\n 0.7 0.3 %s 0\n 0.8 0.5 0 0 /"
    for what, ends in (("two points", "SWCR\n 15*0.35 /\nSOWCR\n 15*0.25 /\n"), ("three points", "SOWCR\n 15*0.35 /\nSCALECRS\n YES /\n")):
        a, b = (run("%s %d" % (what, n), props=BASE["props"].replace(rows, swof % (tiny, tiny)) + ends, **flood) for n, tiny in enumerate(("0", "1E-7")))
        for v in ("FOPT", "FWPT"):
            checks.near("rows of 1e-7, %s: %s" % (what, v), b.vector(v)[-1], a.vector(v)[-1], 1e-4 * a.vector(v)[-1])


def water_below_the_contact():
    """A table that ends at 1 - SOWCR leaves that much oil below the contact."""
    r = run("residual oil", solution="EQUIL\n 2000 200 2015 0 /\n", wells="", controls="", schedule="TSTEP\n 1 /\n")
    checks.true("saturations: connate, residual", abs(r.field("sw", 0)[0] - 0.2).max() < 1e-6 and abs(r.field("sw", 0)[2] - 0.8).max() < 1e-6, r.field("sw", 0)[:, 0, 0])


def saturations_given_at_the_start():
    """SWATINIT beyond the curve, and below connate water: within the curve; below 0 and above 1: refused by cell."""
    pc = BASE["props"].replace("0.2 0 1 0\n 0.4 0.05 0.5 0\n 0.8 0.5 0 0", "0.2 0 1 2\n 0.4 0.05 0.5 0.5\n 0.8 0.5 0 0")
    rest = {"runspec": BASE["runspec"] + "ENDSCALE\n/\n", "solution": "EQUIL\n 2000 200 2018 0 /\n", "wells": "", "controls": "", "schedule": "TSTEP\n 1 /\n"}
    for given, right in (("5*1 5*0.5 5*1", (0.8, 0.5, 0.8)), ("5*0 5*0.5 5*0", (0.2, 0.5, 0.8)), ("5*0.1 5*0.5 5*0.1", (0.2, 0.5, 0.8)), ("15*0.3", (0.3, 0.3, 0.8))):
        found = run("swatinit", props=pc + "SWATINIT\n %s /\n" % given, **rest).field("sw", 0)[:, 0, 0]
        checks.true("SWATINIT %s: %s" % (given, found), max(abs(found - right)) < 1e-6)
    path = os.path.join(folder, "BELOW.DATA")
    for given, said in (("5*0.3 5*-1E-8 5*0.3", "cell (1,1,2): -1e-08: must be in 0..1"), ("5*1.2 10*0.3", "cell (1,1,1): 1.2")):
        with open(path, "w") as f:
            f.write(text(props=pc + "SWATINIT\n %s /\n" % given, **rest))
        done = runs.hepta("check", path)
        checks.true("SWATINIT %s is refused" % given, done.returncode == 2 and said in done.stderr, done.stderr)


def faults_and_edited_faces():
    fault = "FAULTS\n F 2 2 1 1 1 3 X /\n/\n"
    a = run("fault", grid=BASE["grid"] + fault + "MULTFLT\n F 0.01 /\n/\n")
    b = run("multiply", edit="MULTIPLY\n TRANX 0.01 2 2 1 1 1 3 /\n/\n")
    same("MULTFLT is MULTIPLY of the faces", a, b, "FOPT", "FWIT", "FPR")
    c = run("fault twice", grid=BASE["grid"] + fault + "MULTFLT\n F 0.1 /\n/\n", edit="MULTFLT\n F 0.1 /\n/\n")
    same("MULTFLT of GRID times that of EDIT", c, a, "FOPT", "FWIT", "FPR")
    d = run("fault later", grid=BASE["grid"] + fault + "MULTFLT\n F 0.0001 /\n/\n", schedule="MULTFLT\n F 100 /\n/\n" + BASE["schedule"])
    same("times that of SCHEDULE", d, a, "FOPT", "FWIT", "FPR")


def aquifer_of_one_cell():
    """FIELD units, Fetkovich: what the aquifer has lost, over its compressibility and volume, is its fall of pressure. AQUDIMS may be missing."""
    field = {"runspec": BASE["runspec"].replace("METRIC", "FIELD").replace("5 1 3", "1 1 1"), "summary": "FPR\nAAQP\n 1 /\nAAQT\n 1 /\n",
             "grid": "DX\n 1000 /\nDY\n 1000 /\nDZ\n 50 /\nTOPS\n 8000 /\nPORO\n 0.2 /\nPERMX\n 200 /\nPERMY\n 200 /\nPERMZ\n 20 /\n",
             "props": "DENSITY\n 53 64 0.05 /\nPVTW\n 4000 1.03 3E-6 0.4 0 /\nPVCDO\n 4000 1.2 1E-5 1 0 /\nROCK\n 4000 4E-6 /\nSWOF\n 0.2 0 1 0\n 0.8 0.5 0 0 /\n",
             "solution": "EQUIL\n 8000 4000 8200 0 /\nAQUFETP\n 1 8000 4000 5E7 7E-6 50 1 /\n/\nAQUANCON\n 1 1 1 1 1 1 1 'I-' /\n/\n",
             "wells": "WELSPECS\n P G 1 1 1* OIL /\n/\nCOMPDAT\n P 1 1 1 1 OPEN 2* 0.5 /\n/\n", "controls": "WCONPROD\n P OPEN ORAT 300 4* 500 /\n/\n",
             "schedule": "TSTEP\n 3*100 /\n"}
    r = run("one cell", **field)
    lost, pressure = r.vector("AAQT:1")[-1], r.vector("AAQP:1")[-1]
    checks.true("an aquifer beside one cell gives water", lost > 5e4, lost)
    checks.near("its pressure", pressure, 4000 - lost / (7e-6 * 5e7), 1e-3)
    with_room = run("one cell, AQUDIMS", **{**field, "runspec": field["runspec"] + "AQUDIMS\n 2* 1 36 1 10 /\n"})
    same("AQUDIMS says nothing new", with_room, r, "FPR", "AAQT:1")


def aquifer_of_wet_wells():
    """Fetkovich, where nearly all that is produced is its water: the influx is the index times the difference of pressures, at any water cut."""
    r = run("wet", settings=["timestep.accuracy=0"], runspec=BASE["runspec"] + "AQUDIMS\n 2* 1 36 1 10 /\n", summary="AAQR\n 1 /\nAAQP\n 1 /\nAAQT\n 1 /\n",
            schedule="TSTEP\n 50*2 /\n", solution="EQUIL\n 2000 200 1990 0 /\nAQUFETP\n 1 2015 1* 1E7 1E-4 2 /\n/\nAQUANCON\n 1 1 1 1 1 1 3 'I-' /\n/\n",
            controls="WCONPROD\n P OPEN BHP 5* 150 /\n/\n")
    checks.true("the wells are wet", r.at(100, "FWCT") > 0.9, r.at(100, "FWCT"))
    between = 2 * ((r.at(98, "AAQP:1") + r.at(100, "AAQP:1")) / 2 - r.field("pressure")[1, 0, 0] / 1e5)
    checks.near("the rate of its water", 1.01 * r.at(100, "AAQR:1"), between, 0.01 * between)
    checks.near("its pressure", r.at(100, "AAQP:1"), 201.5 - 1.01 * r.at(100, "AAQT:1") / 1000, 0.2)


def steps_that_shrink():
    """An error in time that no step can meet: the steps are short, and the run ends."""
    r = run("shrinking", settings=["timestep.accuracy=1e-6", "timestep.min=1e-14"], schedule="TSTEP\n 1 /\n",
            controls="WCONINJE\n I WATER OPEN RATE 50 1* 230 /\n/\nWCONPROD\n P OPEN LRAT 3* 50 1* 170 /\n/\n")
    checks.true("short steps to the end", abs(r.vector("TIME")[-1] - 1) < 1e-12 and len(r.vector("TIME")) > 10, len(r.vector("TIME")))


CASES = [aquifer_of_wet_wells, next_to_immobile, water_below_the_contact, saturations_given_at_the_start, faults_and_edited_faces, aquifer_of_one_cell, steps_that_shrink, thresholds_of_one_direction, rates_cut_back, opened_in_both_orders, opened_with_a_target, limits_come_and_go, targets_of_the_field, month_without_wells, contact_within_a_cell,
         next_to_nothing, seconds, written_as_people_write, history_of_nothing, steps_as_tuned, connection_factors, deep_aquifer, lab_hours]
with runs.folder() as folder:
    for case in CASES[::runs.every(2, 4)]:
        case()
sys.exit(checks.result())
