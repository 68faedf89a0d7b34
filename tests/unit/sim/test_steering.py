"""hepta run --control: a run that is told what wells do at its report times has the bits of one whose deck has these changes in its
schedule; it goes on from a restart with them; lines that make no sense are refused."""
import json
import os
import signal
import subprocess
import sys
import threading

import runs

SMALL = ["--set", "grid.size=[12,12,2]", "--set", "grid.dx=42.0", "--set", "grid.dy=42.0"]
PLACES = {"INJ": (6, 6), "P1": (1, 1), "P2": (12, 2), "P3": (6, 12)}
OPTIONS = SMALL + [word for name, (i, j) in PLACES.items() for word in ("--set", "wells.%s.i=%d" % (name, i), "--set", "wells.%s.j=%d" % (name, j))]
KEPT = ["--set", "output.restart=-1", "--set", "report.end=900"]

# (time in the deck's unit, line): a limit that later entries of the deck leave as it is, patterns, quotes, a well that is shut
TOLD = [(0, "well P2 bhp=155"), (200, "well P1 bhp=150 control=bhp"), (300, "well P* status=shut"), (400, "well P2 status=open"),
        (400, 'well "P1" control=liquid-rate  liquid_rate=50.0 bhp=90.5'), (500, "well INJ rate=120"), (500, "# nothing"),
        (600, "well P3 max_water_cut=0.5 workover=well"), (200, "group FIELD liquid_rate=150"), (500, "group FIELD reinjection=1.1 liquid_rate=140"),
        (700, "group FIELD liquid_rate=none"), (300, "well P2 k=1 perforations=shut"), (400, "well P* k=2 multiply_index=1.5"),
        (500, "well P2 k=1 perforations=open bhp=140"), (100, "tuning max=15 growth=1.5"), (600, "tuning initial=3 max=20")]


def lines(told, times, since=0):
    """For the channel of a run that waits at these times."""
    return "".join("".join(line + "\n" for at, line in told if at == time) + "continue\n" for time in times if time >= since)


def entry(time, line, name):
    """Of a list of a deck, whose entries have this key for their name."""
    words = line.split()
    named = '%s = "%s";' % (name, words[1].strip('"')) if name else ""
    values = [w.partition("=")[::2] for w in words[2 if name else 1:]]
    text = [value if value[0].isdigit() else '"%s"' % value for _, value in values]
    return "{ time = %r; %s %s }" % (float(time), named, " ".join("%s = %s;" % (k, v) for (k, _), v in zip(values, text)))


def write_decks(where, told):
    """base.cfg, in which an entry names the type that its well has anyway, and told.cfg with these changes, each behind the deck's own
    entries of its time."""
    with open(runs.deck("schedule"), encoding="utf-8") as f:
        text = f.read()
    text = text.replace('time = 600.0; well = "P1";', 'time = 600.0; well = "P1"; type = "producer";')
    lists = {kind: ", ".join(entry(time, line, name) for time, line in told if line.startswith(kind))
             for kind, name in (("well", "well"), ("group", "name"), ("tuning", None))}
    with open(os.path.join(where, "base.cfg"), "w", encoding="utf-8") as f:
        f.write(text)
    with open(os.path.join(where, "told.cfg"), "w", encoding="utf-8") as f:
        f.write(text.replace("130.0; liquid_rate = \"none\"; }\n", "130.0; liquid_rate = \"none\"; },\n  %s\n" % lists["well"]) +
                "groups = ( %s );\ntuning = ( %s );\n" % (lists["group"], lists["tuning"]))


def steer(where, deck, name, text, *options):
    """Steered by a file of these lines."""
    with open(os.path.join(where, "lines.txt"), "w", encoding="utf-8") as f:
        f.write(text)
    return runs.hepta("run", deck, "-o", name, "-q", "--control", "lines.txt", *options, where=where)


def bits(where, name):
    found = runs.datasets(os.path.join(where, name + ".h5"))
    with open(os.path.join(where, name + ".summary.csv"), "rb") as f:
        return {**found, "summary": f.read()}


def equal(checks, what, found, expected):
    checks.true(what, found == expected, "is %s, expected %s" % (found, expected))


def same(checks, what, where, a, b, later=False):
    """later: b has the fields from a report step on."""
    one, other = bits(where, a), bits(where, b)
    odd = [key for key in sorted(set(other) if later else set(one) | set(other)) if one.get(key) != other.get(key)]
    checks.true(what + ": the same bits", not odd and len(one) > 3, odd[:4])


def check_bits(checks, where):
    deck, times = "base.cfg", range(0, 900, 100)
    write_decks(where, TOLD)
    plain = runs.hepta("run", deck, "-o", "plain", "-q", *OPTIONS, *KEPT, where=where)
    told = runs.hepta("run", "told.cfg", "-o", "told", "-q", *OPTIONS, *KEPT, where=where)
    done = steer(where, deck, "steered", lines(TOLD, times), *OPTIONS, *KEPT)
    checks.true("steered", plain.returncode == told.returncode == done.returncode == 0, plain.stderr + told.stderr + done.stderr)
    same(checks, "changes of many entries", where, "told", "steered")
    checks.true("they matter", bits(where, "told")["summary"] != bits(where, "plain")["summary"])
    steer(where, deck, "silent", lines([], times), *OPTIONS, *KEPT)
    same(checks, "nothing is said", where, "plain", "silent")
    steer(where, deck, "ends", "", *OPTIONS, *KEPT)
    same(checks, "a channel that ends at once", where, "plain", "ends")


def check_restart(checks, where):
    """Lines of earlier times hold on; those of that time, and later ones, are given again."""
    deck = "base.cfg"
    steps = runs.Result(os.path.join(where, "steered"), "", "").steps
    for n in (0, 3, 6):
        name = "again%d" % n
        done = steer(where, deck, name, lines(TOLD, range(0, 900, 100), 100 * n), *OPTIONS, *KEPT, "--restart", "steered:%d" % steps[n])
        checks.true("from report %d" % n, done.returncode == 0, done.stderr)
        same(checks, "from report %d" % n, where, "told", name, later=True)
    done = runs.hepta("run", deck, "-o", "silent_again", "-q", *OPTIONS, *KEPT, "--restart", "steered:%d" % steps[8], where=where)
    checks.true("all has been told", done.returncode == 0, done.stderr)
    same(checks, "all has been told", where, "told", "silent_again", later=True)
    done = runs.hepta("run", "told.cfg", "-o", "twice", *OPTIONS, *KEPT, "--restart", "steered:%d" % steps[6], where=where)
    checks.true("a deck that says it a second time", done.returncode == 2 and "well P1's schedule" in done.stderr, done.stderr)
    with open(os.path.join(where, deck), encoding="utf-8") as f:
        text = f.read()
    with open(os.path.join(where, "other.cfg"), "w", encoding="utf-8") as f:
        f.write(text.replace('"P3"', '"P4"'))
    options = [word.replace("P3", "P4") for word in OPTIONS]
    done = runs.hepta("run", "other.cfg", "-o", "other", *options, *KEPT, "--restart", "steered:%d" % steps[8], where=where)
    checks.true("a deck without such a well", done.returncode == 2 and "--control said at 600 day: well P3" in done.stderr, done.stderr)


def check_eclipse(checks, where):
    """Of an Eclipse deck in field units, too: changes by WELTARG and WELOPEN, and a WCONPROD that comes after them."""
    with open(runs.deck("FIVE_SPOT.DATA"), encoding="utf-8") as f:
        text = f.read().replace(" 1 4 10 15 11*30.5 /", " 1 4 10 15 2*30.5 /").replace(" 12*30.5 /", " 2*30.5 /")
    parts = text.partition(" 1 4 10 15 2*30.5 /")
    changes = "TSTEP\n 1 4 10 /\nWELTARG\n P1 BHP 170 /\n P1 ORAT 50 /\n P2 BHP 180 /\n/\nWELOPEN\n P3 SHUT /\n/\nTSTEP\n 15 2*30.5 /"
    for name, what in (("PLAIN", text), ("TOLD", parts[0][:parts[0].rindex("TSTEP")] + changes + parts[2])):
        with open(os.path.join(where, name + ".DATA"), "w", encoding="utf-8") as f:
            f.write(what)
    told = [(15, "well P1 bhp=170 oil_rate=50"), (15, "well P2 bhp=180"), (15, "well P3 status=shut")]
    options = ["--set", "output.eclipse=true", "--set", "timestep.max=20"]
    done = [runs.hepta("run", name + ".DATA", "-q", *options, where=where) for name in ("PLAIN", "TOLD")]
    done.append(steer(where, "PLAIN.DATA", "STEERED", lines(told, (0, 1, 5, 15)), *options))
    checks.true("Eclipse decks", all(d.returncode == 0 for d in done), [d.stderr for d in done])
    same(checks, "an Eclipse deck", where, "TOLD", "STEERED")
    checks.true("the changes matter", bits(where, "TOLD")["summary"] != bits(where, "PLAIN")["summary"])
    with open(os.path.join(where, "TOLD.UNRST"), "rb") as a, open(os.path.join(where, "STEERED.UNRST"), "rb") as b:
        checks.true("Eclipse's files", a.read() == b.read())


REFUSED = [("well P1 bhp=-5", "bhp: -5 bar: must be > 0"), ("well PX bhp=5", "'PX': no such well; did you mean 'P1'?"),
           ("well Q* bhp=5", "no well has such a name"), ("well P1 bph=150", "unknown key; did you mean 'bhp'?"), ("well P1", "changes nothing"),
           ("well", "which one?"), ("well P1 150", "must be KEY=VALUE"), ("well P1 bhp=", "neither a number"), ("go", "must be one of"),
           ("continue 4", "must be one of"), ("well P1 time=5 bhp=100", "leave it out"), ("well P1 k=7 perforations=shut", "no perforation there"), ("well P1 k=1", "needs perforations"),
           ("well P1 control=thp", "thp is missing"), ("well P1 rate=4", "'rate' is for injectors"), ("well [1,2", "neither a number"),
           ("well P1 bhp=[1", "neither a number"), ("well P1 %s=1" % ("x" * 5000), "at most 4095 characters"), ("well P1 status=open control=liquid-rate", "liquid_rate is missing"),
           ("group G oil_rate=5", "'G'"), ("group FIELD oil_rate=-5", "oil_rate: -5"), ("group", "which one?"), ("group FIELD", "changes nothing"),
           ("group FIELD parent=FIELD efficiency=0.5", "FIELD: it has no efficiency"), ("tuning", "changes nothing"),
           ("tuning min=5 max=2", "the shortest step is longer"), ("tuning max=x", "max: must be a number"), ("tuning 5", "must be KEY=VALUE"),
           ("well P3 control=liquid-rate liquid_rate=none", "needs a number"), ('well P1 bhp="2200 psi"\r', None)]


def check_lines(checks, where):
    """In a pipe they are refused one by one, and the run goes on; a file that is wrong ends it."""
    deck = runs.deck("schedule")
    options = OPTIONS + ["--set", "report.end=200", "-q", "--json"]
    run = subprocess.Popen([runs.PROGRAM, "run", deck, "-o", "lines", "--control", "-", *options], cwd=where, text=True,
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, said = run.communicate("".join(line + "\n" for line, _ in REFUSED) + "continue\nstop", timeout=60)
    events = [json.loads(line) for line in out.splitlines()]
    answers = [e for e in events if e["event"] in ("change", "refused")]
    equal(checks, "an answer to each line", len(answers), len(REFUSED))
    for (line, why), answer in zip(REFUSED, answers):
        right = answer["event"] == ("change" if why is None else "refused") and (why or "") in answer["text"] and "schedule[" not in answer["text"]
        checks.true(line[:40], right, answer)
    waits = [(e["report"], e["time"]) for e in events if e["event"] == "waits"]
    equal(checks, "where it waits", waits, [(0, 0), (1, 100)])
    checks.true("stop", run.returncode == 130 and "interrupted at time 100 day" in said, said)
    equal(checks, "the last event", events[-1]["status"], "interrupted")
    checks.true("how to go on", "--control" not in events[-1]["go_on"] and events[-1]["go_on"].endswith("--restart lines"), events[-1])
    done = steer(where, deck, "wrong", "continue\n\nwell PX bhp=3\n", *OPTIONS)
    checks.true("a wrong line of a file", done.returncode == 2 and "lines.txt:3: well PX bhp=3: well: 'PX'" in done.stderr, done.stderr)
    equal(checks, "what was computed", list(runs.Result(os.path.join(where, "wrong"), "", "").times), [0.0, 100.0])
    for name, why in (("nowhere.txt", "No such file"), (".", "is a folder")):
        done = runs.hepta("run", deck, "-o", "no", "--control", name, *OPTIONS, where=where)
        checks.true(name, done.returncode == 2 and why in done.stderr, done.stderr)


def check_places(checks, where):
    """A run that is stopped where no fields are due goes on to the same bits, at a restart in its own files; a signal ends a wait."""
    deck = runs.deck("schedule")
    options = OPTIONS + ["--set", "report.end=300", "--set", "output.interval=150"]
    runs.hepta("run", deck, "-o", "whole", "-q", *options, where=where)
    done = steer(where, deck, "parts", "continue\ncontinue\nwell P1 bhp=3\nstop\n", *options)
    checks.true("stopped between fields", done.returncode == 130, done.stderr)
    done = runs.hepta("run", deck, "-q", "--restart", "parts", *options, where=where)
    checks.true("goes on", done.returncode == 0, done.stderr)
    with open(os.path.join(where, "whole.summary.csv")) as a, open(os.path.join(where, "parts.summary.csv")) as b:
        checks.true("what was told at the stop does not hold, and the rest is the same", a.read() == b.read())
    run = subprocess.Popen([runs.PROGRAM, "run", deck, "-o", "waits", "--control", "-", "--json", *options], cwd=where, text=True,
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    for line in run.stdout:
        if '"waits"' in line:
            break
    run.send_signal(signal.SIGTERM)
    timer = threading.Timer(30, run.kill)
    timer.start()
    equal(checks, "a signal while it waits", run.wait(), 130)
    timer.cancel()
    run.communicate()


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        check_bits(checks, where)
        check_restart(checks, where)
        check_eclipse(checks, where)
        check_lines(checks, where)
        check_places(checks, where)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
