"""Regions and end points in hepta's own decks: two regions with one and the same
contents are one region to the bit, in whichever order they stand; entries of
which no cell makes use change nothing, in Eclipse decks neither; end points that
are those of the table change nothing beyond rounding, others do."""
import os
import sys

import flow
import region_decks
import runs

checks = runs.Checks()
CASE, OPTIONS = "quarter_five_spot", ["report.end=60", "report.every=30", "timestep.max=10"]


def group(path):
    """The text of a group { .. } of the deck."""
    text = open(runs.deck(CASE)).read()
    at = text.index("\n" + path + " =") + 1
    start = text.index("{", at)
    depth = 0
    for n in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[n], 0)
        if depth == 0:
            return text[start:n + 1]
    raise ValueError(path)


with runs.folder() as folder:
    def run(name, *more):
        return runs.run(CASE, folder, options=OPTIONS + list(more), name=name)

    base = run("base")
    bits = runs.datasets(base.base + ".h5")
    for name, key in (("fluids", "pvt"), ("saturation", "saturation"), ("rock", "rock")):
        two = "%s=(%s,%s)" % (name, group(name), group(name))
        where = "2" if key == "pvt" else '{generator="channels";background=1;channel=2;width=3.0;thickness=1.0;fraction=0.4;}'
        same = run(name, two, "regions.%s=%s" % (key, where))
        checks.true("two equal regions of %s are one" % name, runs.datasets(same.base + ".h5") == bits)
    start = "{datum_depth=2000.0;datum_pressure=150.0;contact_depth=2004.0;contact_capillary_pressure=0.0;}"
    one = run("one", "initial=" + start)
    two = run("two", "initial=(%s,%s)" % (start, start),
              'regions.equilibrium={generator="channels";background=1;channel=2;width=3.0;thickness=1.0;fraction=0.4;}')
    checks.true("two equal regions of initial are one", runs.datasets(one.base + ".h5") == runs.datasets(two.base + ".h5"))

    # Entries behind the first of which no cell makes use, without numbers and with numbers that are all 1.
    unused = {"fluids": ("pvt", group("fluids").replace("850.0", "700.0").replace("1000.0", "1200.0")),
              "saturation": ("saturation", '{model="corey";swc=0.05;sor=0.05;krw_max=1.0;}'),
              "rock": ("rock", "{reference_pressure=10.0;compressibility=1e-3;}"),
              "initial": ("equilibrium", "{datum_depth=2000.0;datum_pressure=300.0;contact_depth=1990.0;}")}
    for name, (key, second) in unused.items():
        first = start if name == "initial" else group(name)
        for numbers in ([], ["regions.%s=1" % key]):
            with_it = run("unused", *(["%s=(%s,%s)" % (name, first, second)] + numbers))
            without = one if name == "initial" else base
            checks.true("an entry of %s that no cell has changes nothing %s" % (name, numbers),
                        runs.datasets(with_it.base + ".h5") == runs.datasets(without.base + ".h5"))

    def eclipse(name, deck):
        path = os.path.join(folder, name + ".DATA")
        with open(path, "w") as f:
            f.write(flow.Deck(schedule="TSTEP\n 30 /\n", **deck).text())
        return runs.datasets(runs.run(path, folder, name=name).base + ".h5")

    # The first table of each, and the others for no cell.
    plain = {"rock": "ROCK\n 200 5E-5 /\n", "solution": "EQUIL\n 2000 200 2020 0.02 4* 0 /\n"}
    first_only = eclipse("FIRST", plain)
    satnum = region_decks.DECKS["satnum"]
    tables = {"SATNUM": {"tabdims": satnum["tabdims"], "swof": satnum["swof"]},
              "PVTNUM": {"tabdims": "TABDIMS\n 1 2 30 30 5 /\n", "props": region_decks.PVTNUM["props"],
                         "pvdo": region_decks.PVTNUM["pvdo"], "rock": "ROCK\n 200 5E-5 /\n 190 1E-4 /\n"},
              "ROCKNUM": {"tabdims": region_decks.DECKS["rocktables"]["tabdims"],
                          "rock": region_decks.ROCKS % "ROCKNUM"},
              "EQLNUM": {"tabdims": region_decks.DECKS["eqlnum"]["tabdims"],
                         "solution": plain["solution"] + " 2010 304 2000 0.1 4* -5 /\n"}}
    for name, deck in tables.items():
        for numbers in ("", name + "\n 180*1 /\n"):
            checks.true("%s: a table that no cell has changes nothing, numbers: %r" % (name, numbers),
                        eclipse(name, dict(plain, **dict(deck, regions=numbers))) == first_only)

    other = '{model="corey";swc=0.1;sor=0.3;krw_max=0.7;}'
    a = run("a", "saturation=(%s,%s)" % (group("saturation"), other), "regions.saturation=2")
    b = run("b", "saturation=" + other)
    checks.true("the second entry alone is the first of another deck",
                runs.datasets(a.base + ".h5") == runs.datasets(b.base + ".h5"))
    checks.true("it is not the deck's", runs.datasets(a.base + ".h5") != bits)
    own = run("own", "saturation=" + other, "endpoints.swl=0.1", "endpoints.swu=0.7", "endpoints.sowcr=0.3")
    largest = abs(own.field("sw") - b.field("sw")).max()
    checks.between("end points of the table change sw by rounding", largest, 0.0, 1e-6)
    moved = run("moved", "saturation=" + other, "endpoints.swcr=0.2")
    checks.between("others change it", abs(moved.field("sw") - b.field("sw")).max(), 1e-3, 1.0)
    refused = runs.hepta("check", runs.deck(CASE), "--set", "endpoints.swcr=0.9")
    checks.true("contradictions are reported", refused.returncode == 2 and "must hold" in refused.stderr, refused.stderr)
    refused = runs.hepta("check", runs.deck(CASE), "--set", "regions.saturation=2")
    checks.true("a table that is not there is reported", refused.returncode == 2 and "1..1" in refused.stderr, refused.stderr)
sys.exit(checks.result())
