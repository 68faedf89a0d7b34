"""Texts of decks and results with control characters, bytes that are no UTF-8 and overrides of direction: none of them
reaches standard output, standard error or a log as it is, events stay JSON, files of results stay readable; names with
them are refused at their line. Each text in titles, names of wells and a third of the other places; HEPTA_TEST_EVERY=1: in all."""
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree

import h5py

import runs

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import faults  # noqa: E402

BAD = [b"\x1b]52;c;aGVsbG8=\x07", b"\x9b31m", b"\xc2\x9b31m", b"\x7f", b"\xff\xfe", b"\xe2\x80\xae", b"\r", b"\x08", b"\xed\xa0\x80",
       b"\xc0\x80", b"\xc2\x85", b"\x1b[2J"]
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def some(n, places, usual=4):
    """Of the places a quarter for the n-th text, another one for the next."""
    step = runs.every(usual, usual)
    return list(places)[n % step::step]


def hepta(arguments, where):
    return subprocess.run([runs.PROGRAM.encode(), *arguments], cwd=where, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300)


def clean(checks, what, *texts):
    for data in texts:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as e:
            checks.true(what + ": UTF-8", False, (e, data[:300]))
            continue
        found = RAW.search(text)
        checks.true(what + ": no control characters", found is None, found and ascii(text[max(0, found.start() - 60):][:120]))


def places(bad):
    """Decks with the bytes wherever text may stand: what, deck, whether it is a deck that runs."""
    deck = faults.DECK.encode()
    lines = b'title = "a ' + bad + b' title";\n'
    yield "title", lines + deck, True
    yield "well", deck.replace(b'name = "P"', b'name = "P' + bad + b'"').replace(b'well = "P"', b'well = "P' + bad + b'"'), False
    yield "schedule", deck.replace(b'well = "P"', b'well = "P' + bad + b'"'), False
    yield "choice", deck.replace(b'"bhp"', b'"' + bad + b'"'), False
    yield "file", deck.replace(b"porosity = 0.2", b'porosity = { file = "' + bad + b'"; }'), False
    yield "key", deck + b"\n" + bad + b" = 1;\n", None
    yield "include", deck + b'\n@include "' + bad + b'"\n', False
    yield "output.name", deck + b'output = { name = "n' + bad + b'"; };\n', False


def decks(checks, where):
    for n, bad in enumerate(BAD):
        always, others = list(places(bad))[:2], list(places(bad))[2:]
        for place, text, right in always + some(n, others):
            what = "%s with %s" % (place, ascii(bad))
            with open(os.path.join(where, "d.cfg"), "wb") as f:
                f.write(text)
            done = hepta(["check", "d.cfg"], where)
            checks.true(what + ": exit code", right is None or done.returncode == (0 if right else 2), (done.returncode, done.stderr))
            if right is False:
                checks.true(what + ": its line", re.search(rb"d\.cfg:\d+", done.stderr) or b"output.name" in done.stderr, done.stderr)
            clean(checks, what, done.stdout, done.stderr)
            if place in some(n, ("title", "well"), 2):
                one_run(checks, what, where, right)
    eclipse(checks, where)
    groups(checks, where)


def one_run(checks, what, where, right):
    for name in ("r.log", "r.json"):
        if os.path.exists(os.path.join(where, name)):
            os.remove(os.path.join(where, name))
    done = hepta(["run", "d.cfg", "-o", "r", "--log", "r.log", "--json=r.json"], where)
    with open(os.path.join(where, "r.log"), "rb") as f, open(os.path.join(where, "r.json"), "rb") as g:
        log, events = f.read(), g.read()
    clean(checks, what + ", run", done.stdout, done.stderr, log, events)
    for line in events.decode().splitlines():
        json.loads(line)
    if right:
        shown = hepta(["info", "r.h5"], where)
        checks.true(what + ": info", shown.returncode == 0, shown.stderr)
        clean(checks, what + ", info", shown.stdout, shown.stderr)
        xml.etree.ElementTree.parse(os.path.join(where, "r.xdmf2"))
        with open(os.path.join(where, "r.view.py"), "rb") as f:
            compile(f.read(), "r.view.py", "exec")


def eclipse(checks, where):
    with open(runs.deck("FIVE_SPOT.DATA"), "rb") as f:
        deck = f.read()
    quoted = sorted(set(re.findall(rb"'([A-Z0-9]+)'", deck)))
    for n, bad in enumerate(BAD):
        for old in some(n, [b"TITLE\n"] + [b"'" + q + b"'" for q in quoted[:3]] + [b"WELSPECS", b"GRID\n"]):
            new = old + bad if old == b"TITLE\n" else old[:-1] + bad + old[-1:]
            with open(os.path.join(where, "E.DATA"), "wb") as f:
                f.write(deck.replace(old, new))
            done = hepta(["check", "E.DATA"], where)
            checks.true("Eclipse: ends", done.returncode in (0, 2), (done.returncode, done.stderr))
            clean(checks, "Eclipse deck, %s with %s" % (ascii(old), ascii(bad)), done.stdout, done.stderr)


def groups(checks, where):
    """Names of groups, which nothing uses, are refused at their line as others are."""
    with open(runs.deck("FIVE_SPOT.DATA"), "rb") as f:
        deck = f.read()
    group = re.search(rb"WELSPECS\n *'\w+' +('\w+')", deck).group(1)
    for bad in [b"a\x1bb", b"a\xff", b"a\x07", b".."]:
        name = b"'" + bad + b"'"
        for keyword, text in (("WELSPECS", deck.replace(group, name)),
                              ("GRUPTREE", deck.replace(b"WELSPECS\n", b"GRUPTREE\n " + name + b" 'FIELD' /\n/\nWELSPECS\n")),
                              ("GRUPTREE", deck.replace(b"WELSPECS\n", b"GRUPTREE\n 'A' " + name + b" /\n/\nWELSPECS\n")),
                              ("GCONPROD", deck.replace(b"WELSPECS\n", b"GCONPROD\n " + name + b" ORAT 9 /\n/\nWELSPECS\n"))):
            with open(os.path.join(where, "G.DATA"), "wb") as f:
                f.write(text)
            done = hepta(["check", "G.DATA"], where)
            reported = re.search(rb"G\.DATA:\d+: " + keyword.encode() + rb": '.*': a name that ", done.stderr)
            checks.true("group %s of %s" % (ascii(bad), keyword), done.returncode == 2 and reported, done.stderr)
            clean(checks, "group %s of %s" % (ascii(bad), keyword), done.stdout, done.stderr)


def names(checks, where):
    with open(os.path.join(where, "d.cfg"), "w") as f:
        f.write(faults.DECK)
    for n, bad in enumerate(BAD):
        for arguments in some(n, (
                ["run", "d.cfg", "-o", b"x" + bad], ["run", "d.cfg", "--set", b"output.name=x" + bad], ["run", b"no" + bad, "-o", "x"],
                ["info", bad], ["plot", bad + b".h5"], ["paraview", bad + b".h5"], ["check", bad], [bad],
                ["compare", "d.cfg", "--case", b"a" + bad + b"c:", "--case", "b:"], ["run", b"--" + bad], ["run", "d.cfg", "--set", bad + b"=1"])):
            done = hepta(arguments, where)
            checks.true("%s: 2" % ascii(arguments), done.returncode == 2, (done.returncode, done.stderr))
            clean(checks, ascii(arguments), done.stdout, done.stderr)
    for name in (".", ".."):
        with open(os.path.join(where, "w.cfg"), "w") as f:
            f.write(faults.DECK.replace('"P"', '"%s"' % name))
        done = hepta(["check", "w.cfg"], where)
        checks.true("a well called %s: 2" % name, done.returncode == 2 and b"w.cfg:" in done.stderr, done.stderr)


def others_results(checks, where):
    """Texts in a result that somebody else has made."""
    done = runs.hepta("run", "d.cfg", "-o", "o", "-q", where=where)
    checks.true("a result", done.returncode == 0, done.stderr)
    for n, bad in enumerate(BAD):
        kind = h5py.string_dtype("utf-8")
        with runs.edited(os.path.join(where, "o.h5")) as f:
            for name in ("title", "deck", "start", "units", "version", "time_unit"):
                f.attrs.create(name, bad, dtype=kind)
            f["summary/FOPR"].attrs.create("unit", bad, dtype=kind)
            f["summary/WMCTL:P"].attrs.create("name", b"WMCTL:" + bad, dtype=kind)
        pictures = [["plot", "o.h5", "-o", "o.svg"]] if bad in BAD[:2] else []
        for arguments in [*pictures, *some(n, (["info", "o.h5"], ["paraview", "o.h5"], ["run", "d.cfg", "--restart", "o", "-o", "o2", "-q"]))]:
            done = hepta(arguments, where)
            checks.true("others' result, %s" % arguments[0], done.returncode in (0, 2), (done.returncode, done.stderr))
            clean(checks, "others' result, %s, %s" % (arguments[0], ascii(bad)), done.stdout, done.stderr)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        decks(checks, where)
        names(checks, where)
        others_results(checks, where)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
